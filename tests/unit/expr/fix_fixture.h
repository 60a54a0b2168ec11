/* fix_fixture.h: expressions over FIX messages, with the names of FIX 4.4, compiled and evaluated by the interpreter. */
#ifndef FIX_FIXTURE_H
#define FIX_FIXTURE_H

#include "expr_fixture.h"
#include "fix_dict.h"
#include "interp.h"
#include "value.h"

/* Messages without frame: for a lenient reader. */
#define FIX_MESSAGE(fields) "8=FIX.4.4|9=0|35=D|" fields "10=000|"

static inline const struct rf_env *fix_env(void)
{
    static struct rf_env env;
    env = rf_env_filter;
    env.fix = rf_fix_dict_builtin(RF_STR("FIX.4.4"));
    return &env;
}

static inline struct rf_compile_options fix_options(void)
{
    return (struct rf_compile_options){.env = fix_env()};
}

/* A program of one predicate and one projection. */
static inline void fix_compile(struct rf_compiled *compiled, const char *predicate, const char *projection)
{
    const struct rf_str source = rf_str_of(predicate);
    const struct rf_str value = rf_str_of(projection);
    struct rf_diagnostic diagnostic;
    struct rf_error err = {0};
    uint32_t failed;
    fixture_ok(rf_compile(&source, 1, &value, 1, fix_options(), compiled, &diagnostic, &failed, &err), &err);
}

/* The value of an expression over a message, as JSON, or "error: ..." or "malformed: ..."; kept until the next call. */
static inline const char *fix_value_of(const char *expression, struct rf_str message)
{
    static char text[4096];
    struct rf_compiled compiled;
    struct rf_interp *interp = NULL;
    struct rf_error err = {0};
    struct rf_malformed malformed;
    struct rf_text out = {0};
    fix_compile(&compiled, "true", expression);
    fixture_ok(
        rf_interp_open(&interp, &compiled, (struct rf_interp_options){.depth_max = 64, .is_lenient = true}, &err),
        &err);
    const struct rf_record record = {.text = message, .file = RF_STR("in.log"), .number = 3, .offset = 100};
    fixture_ok(rf_interp_read(interp, &record, &malformed, &err), &err);
    if (malformed.reason != RF_REASON_NONE) {
        (void)snprintf(text, sizeof text, "malformed: %s at %u", rf_reason_text(malformed.reason),
                       (unsigned)malformed.offset);
    } else {
        const struct rf_value value = rf_interp_project(interp, 0);
        if (value.type == RF_TYPE_ERROR) {
            (void)snprintf(text, sizeof text, "error: %.*s", RF_STR_ARG(rf_interp_error(interp)));
        } else {
            fixture_ok(rf_value_write_json(&out, value, &err), &err);
            (void)snprintf(text, sizeof text, "%.*s", RF_STR_ARG(rf_text_str(&out)));
        }
    }
    rf_text_free(&out);
    rf_interp_close(interp);
    rf_compiled_close(&compiled);
    return text;
}

#define assert_fix(expression, fields, expected)                                                                       \
    assert_string_equal(fix_value_of((expression), RF_STR(FIX_MESSAGE(fields))), (expected))

#endif
