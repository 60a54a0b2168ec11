/* rules_fixture.h: a rules file read and compiled for a test. */
#ifndef RF_RULES_FIXTURE_H
#define RF_RULES_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "rules.h"

struct fixture_rules {
    struct rf_rules *rules;
    struct rf_rules_program program;
    enum rf_status status;
    struct rf_diagnostic diagnostic;
    uint32_t failed;
    struct rf_error err;
};

static inline void fixture_read(struct fixture_rules *f, const char *source)
{
    *f = (struct fixture_rules){0};
    f->status = rf_rules_read(RF_STR("rules.yaml"), rf_str_of(source), &f->rules, &f->err);
}

static inline void fixture_compile(struct fixture_rules *f, const char *source, const struct rf_rules_extra *extra)
{
    fixture_read(f, source);
    if (f->status == RF_OK || f->status == RF_E_CONFIG) {
        f->status = rf_rules_compile(f->rules, extra, (struct rf_compile_options){0}, &f->program, &f->diagnostic,
                                     &f->failed, &f->err);
    }
}

static inline void fixture_close(struct fixture_rules *f)
{
    rf_rules_program_close(&f->program);
    rf_rules_close(f->rules);
}

/* "line:column text" of each problem, in the order found, one on a line. */
static inline void fixture_problems_are(const struct fixture_rules *f, const char *wanted)
{
    static char found[64 * 1024];
    size_t used = 0;
    found[0] = '\0';
    for (uint32_t i = 0; i < f->rules->problems.items; i++) {
        const struct rf_problem *problem = &f->rules->problems.item[i];
        used += (size_t)snprintf(found + used, sizeof found - used, "%u:%u %s\n", problem->line, problem->column,
                                 problem->text);
    }
    assert_string_equal(found, wanted);
    assert_int_equal(f->status, wanted[0] == '\0' ? RF_OK : RF_E_CONFIG);
}

static inline void fixture_text_is(struct rf_str text, const char *wanted)
{
    if (!rf_str_equal(text, rf_str_of(wanted))) {
        fail_msg("'%.*s' is not '%s'", RF_STR_ARG(text), wanted);
    }
}

#endif
