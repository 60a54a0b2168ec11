/* expr_fixture.h: short ways for tests to compile an expression and look at the result. */
#ifndef EXPR_FIXTURE_H
#define EXPR_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "compile.h"
#include "node_text.h"
#include "parser.h"
#include "resolve.h"

/* Fails the test with the text of the error. */
static inline void fixture_ok(enum rf_status status, const struct rf_error *err)
{
    if (status != RF_OK) {
        fail_msg("%s: %s", rf_status_name(status), err->text);
    }
}

/* Parsed, and its names resolved. */
static inline struct rf_node *fixture_parse(struct rf_arena *arena, const char *source)
{
    struct rf_diagnostic diagnostic;
    struct rf_error err = {0};
    struct rf_node *tree = NULL;
    rf_arena_init(arena, 64 << 20);
    uint32_t locals;
    fixture_ok(rf_parse(rf_str_of(source), arena, &tree, &diagnostic, &err), &err);
    fixture_ok(rf_resolve(&tree, rf_str_of(source), &rf_env_filter, NULL, arena, &locals, &diagnostic, &err), &err);
    return tree;
}

/* The tree as text, in a buffer that the next call reuses. */
static inline const char *fixture_text(const struct rf_node *tree)
{
    static char text[8192];
    struct rf_text out = {0};
    struct rf_error err = {0};
    fixture_ok(rf_node_write(&out, tree, &err), &err);
    assert_true(out.count < sizeof text);
    memcpy(text, out.data, out.count);
    text[out.count] = '\0';
    rf_text_free(&out);
    return text;
}

static inline void fixture_compile_all(struct rf_compiled *compiled, const char *const *predicates, uint32_t count,
                                       struct rf_compile_options options)
{
    struct rf_str source[8];
    struct rf_diagnostic diagnostic;
    struct rf_error err = {0};
    uint32_t failed;
    assert_true(count <= 8);
    for (uint32_t i = 0; i < count; i++) {
        source[i] = rf_str_of(predicates[i]);
    }
    fixture_ok(rf_compile(source, count, NULL, 0, options, compiled, &diagnostic, &failed, &err), &err);
}

static inline void fixture_compile(struct rf_compiled *compiled, const char *predicate)
{
    fixture_compile_all(compiled, &predicate, 1, (struct rf_compile_options){0});
}

/* The text of the diagnostic of a predicate that must be refused; the span must lie in the source. */
static inline const char *fixture_refused(const char *predicate, struct rf_compile_options options)
{
    static char text[320];
    const struct rf_str source = rf_str_of(predicate);
    struct rf_compiled compiled;
    struct rf_diagnostic diagnostic;
    struct rf_error err = {0};
    uint32_t failed;
    const enum rf_status status = rf_compile(&source, 1, NULL, 0, options, &compiled, &diagnostic, &failed, &err);
    if (status == RF_OK) {
        rf_compiled_close(&compiled);
        fail_msg("accepted: %s", predicate);
    }
    assert_int_equal(status, RF_E_EXPR);
    assert_true(diagnostic.begin <= diagnostic.end && diagnostic.end <= source.count);
    snprintf(text, sizeof text, "%u:%u %s", diagnostic.line, diagnostic.column, diagnostic.text);
    return text;
}

#endif
