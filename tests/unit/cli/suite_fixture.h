/* suite_fixture.h: short ways for tests to read JSON texts. */
#ifndef SUITE_FIXTURE_H
#define SUITE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "json_tree.h"
#include "json_value.h"
#include "text.h"

static struct rf_error err;
static struct rf_arena arena;

static inline void fixture_ok(enum rf_status status)
{
    if (status != RF_OK) {
        fail_msg("%s: %s", rf_status_name(status), err.text);
    }
}

static inline void fixture_arena(void)
{
    rf_arena_free(&arena);
    rf_arena_init(&arena, 64 << 20);
    err.text[0] = '\0';
}

static inline struct rf_value fixture_json(const char *json)
{
    struct rf_tree tree;
    struct rf_malformed malformed;
    fixture_ok(rf_tree_read(&tree, rf_str_of(json), 1024, &arena, &malformed, &err));
    assert_int_equal(malformed.reason, RF_REASON_NONE);
    return rf_json_value(&tree, 0, &arena);
}

static inline void fixture_error_has(const char *part)
{
    if (strstr(err.text, part) == NULL) {
        fail_msg("'%s' lacks '%s'", err.text, part);
    }
}

static inline void fixture_text_is(struct rf_text *text, const char *wanted)
{
    fixture_ok(rf_text_append_char(text, '\0', &err));
    assert_string_equal(text->data, wanted);
    rf_text_free(text);
    *text = (struct rf_text){0};
}

#endif
