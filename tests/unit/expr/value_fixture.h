/* value_fixture.h: short ways to make values. */
#ifndef VALUE_FIXTURE_H
#define VALUE_FIXTURE_H

#include <math.h>

#include "value.h"

static inline struct rf_value str(const char *text)
{
    return rf_value_string(rf_str_of(text));
}

static inline struct rf_value bytes(const char *text)
{
    return (struct rf_value){.type = RF_TYPE_BYTES, .text = rf_str_of(text)};
}

static inline struct rf_value message(const char *token)
{
    struct rf_value value = {.type = RF_TYPE_DOUBLE, .is_message = true, .text = rf_str_of(token)};
    const enum rf_number_verdict verdict = rf_number_from_json(value.text, &value.exact);
    assert_int_not_equal(verdict, RF_NUMBER_BAD);
    if (verdict == RF_NUMBER_RANGE) {
        value.exact = (struct rf_number){.kind = RF_NUMBER_DOUBLE, .as.d = token[0] == '-' ? -INFINITY : INFINITY};
    }
    return value;
}

static inline bool is_same(struct rf_value a, struct rf_value b)
{
    return rf_value_match(a, b) == RF_EQUALITY_SAME;
}

#endif
