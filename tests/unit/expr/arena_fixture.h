/* arena_fixture.h: one arena for each test of a program, made by set_up and freed by tear_down. */
#ifndef ARENA_FIXTURE_H
#define ARENA_FIXTURE_H

#include "arena.h"

static struct rf_arena arena;

static int set_up(void **state)
{
    (void)state;
    rf_arena_init(&arena, 64 << 20);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    rf_arena_free(&arena);
    return 0;
}

#endif
