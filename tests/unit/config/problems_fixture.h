/* problems_fixture.h: the problems of a file as one text. */
#ifndef RF_PROBLEMS_FIXTURE_H
#define RF_PROBLEMS_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "problem.h"

/* "line:column text" of each, in the order found, one on a line. */
static inline void fixture_problems_are(const struct rf_problems *problems, const char *wanted)
{
    static char found[64 * 1024];
    size_t used = 0;
    found[0] = '\0';
    for (uint32_t i = 0; i < problems->items; i++) {
        const struct rf_problem *problem = &problems->item[i];
        used += (size_t)snprintf(found + used, sizeof found - used, "%u:%u %s\n", problem->line, problem->column,
                                 problem->text);
    }
    assert_string_equal(found, wanted);
}

#endif
