/* rules_fixture.h: a rules file read and compiled for a test. */
#ifndef RF_RULES_FIXTURE_H
#define RF_RULES_FIXTURE_H

#include "../config/problems_fixture.h"
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
    const struct rf_compile_options options = {.plans_values = true};
    fixture_read(f, source);
    if (f->status == RF_OK || f->status == RF_E_CONFIG) {
        f->status = rf_rules_compile(f->rules, extra, options, &f->program, &f->diagnostic,
                                     &f->failed, &f->err);
    }
}

static inline void fixture_close(struct fixture_rules *f)
{
    rf_rules_program_close(&f->program);
    rf_rules_close(f->rules);
}

static inline void fixture_rules_are(const struct fixture_rules *f, const char *problems)
{
    fixture_problems_are(&f->rules->problems, problems);
    assert_int_equal(f->status, problems[0] == '\0' ? RF_OK : RF_E_CONFIG);
}

static inline void fixture_text_is(struct rf_str text, const char *wanted)
{
    if (!rf_str_equal(text, rf_str_of(wanted))) {
        fail_msg("'%.*s' is not '%s'", RF_STR_ARG(text), wanted);
    }
}

#endif
