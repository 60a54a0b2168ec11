#include "function.h"

#include <assert.h>

enum {
    DISTANCE_NEAR = 2 /* edits that a slip of the keyboard makes */
};

static const struct rf_function_info function_table[RF_FUNCTION_COUNT] = {
#define RF_FUNCTION(name, text, kind, args_min, args_max, meaning)                                                     \
    [name] = {text, RF_FUNCTION_##kind, args_min, args_max},
#include "function.def"
#undef RF_FUNCTION
};

struct later_name {
    const char *name;
    const char *what;
};

static const struct later_name later_table[] = {
#define RF_LATER(name, what) {name, what},
#include "later.def"
#undef RF_LATER
};

const struct rf_function_info *rf_function_info(enum rf_function function)
{
    assert((unsigned)function < RF_FUNCTION_COUNT);
    return &function_table[function];
}

bool rf_function_is_operator(enum rf_function function)
{
    const enum rf_function_kind kind = rf_function_info(function)->kind;
    return kind == RF_FUNCTION_UNARY || kind == RF_FUNCTION_BINARY || kind == RF_FUNCTION_TERNARY;
}

enum rf_function rf_function_find(struct rf_str name)
{
    for (unsigned f = 0; f < RF_FUNCTION_COUNT; f++) {
        if (!rf_function_is_operator((enum rf_function)f) && rf_str_equal(name, rf_str_of(function_table[f].text))) {
            return (enum rf_function)f;
        }
    }
    return RF_FUNCTION_COUNT;
}

const char *rf_function_suggest(struct rf_str name)
{
    const char *best = NULL;
    size_t best_distance = DISTANCE_NEAR + 1;
    for (unsigned f = 0; f <= RF_FUNCTION_COUNT; f++) {
        if (f < RF_FUNCTION_COUNT && rf_function_is_operator((enum rf_function)f)) {
            continue;
        }
        const char *text = f < RF_FUNCTION_COUNT ? function_table[f].text : "has";
        const size_t distance = rf_str_distance(name, rf_str_of(text));
        /* Three letters with two of them changed are another word. */
        if (distance < best_distance && distance * 2 < strlen(text)) {
            best = text;
            best_distance = distance;
        }
    }
    return best;
}

const char *rf_function_later(struct rf_str name)
{
    for (size_t i = 0; i < sizeof later_table / sizeof later_table[0]; i++) {
        if (rf_str_equal(name, rf_str_of(later_table[i].name))) {
            return later_table[i].what;
        }
    }
    return NULL;
}
