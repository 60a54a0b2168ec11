#include "function.h"

#include <assert.h>

enum {
    DISTANCE_NEAR = 2 /* edits that a slip of the keyboard makes */
};

enum { RF_FORM_IS_HOST, RF_FORM_IS_VECTOR };

static const struct rf_function_info function_table[RF_FUNCTION_COUNT] = {
#define RF_FUNCTION(name, text, kind, family, form, args_min, args_max, signatures, meaning)                                 \
    [name] = {text, RF_FUNCTION_##kind, RF_FAMILY_##family, RF_FORM_IS_##form, args_min, args_max, signatures, meaning},
#include "function.def"
#undef RF_FUNCTION
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

bool rf_function_is_macro(enum rf_function function)
{
    const enum rf_function_kind kind = rf_function_info(function)->kind;
    return kind == RF_FUNCTION_MACRO || kind == RF_FUNCTION_MACRO_GLOBAL;
}

static bool function_is_called(enum rf_function function)
{
    const enum rf_function_kind kind = rf_function_info(function)->kind;
    return !rf_function_is_operator(function) && kind != RF_FUNCTION_MESSAGE && kind != RF_FUNCTION_INTERNAL;
}

static enum rf_function find(struct rf_str name, bool is_message)
{
    for (unsigned f = 0; f < RF_FUNCTION_COUNT; f++) {
        const char *text = function_table[f].text;
        if (name.count != 0 && text[0] == name.data[0] && rf_str_equal(name, rf_str_of(text)) &&
            (is_message ? function_table[f].kind == RF_FUNCTION_MESSAGE : function_is_called((enum rf_function)f))) {
            return (enum rf_function)f;
        }
    }
    return RF_FUNCTION_COUNT;
}

enum rf_function rf_function_find(struct rf_str name)
{
    return find(name, false);
}

enum rf_function rf_function_find_message(struct rf_str name)
{
    return find(name, true);
}

const char *rf_function_suggest(struct rf_str name)
{
    const char *best = NULL;
    size_t best_distance = DISTANCE_NEAR + 1;
    for (unsigned f = 0; f < RF_FUNCTION_COUNT; f++) {
        if (!function_is_called((enum rf_function)f)) {
            continue;
        }
        const char *text = function_table[f].text;
        const char *dot = strrchr(text, '.');
        if (dot != NULL && rf_str_equal(name, rf_str_of(dot + 1))) {
            return text; /* without the name of its family */
        }
        const size_t distance = rf_str_distance(name, rf_str_of(text));
        /* Three letters with two of them changed are another word. */
        if (distance < best_distance && distance * 2 < strlen(text)) {
            best = text;
            best_distance = distance;
        }
    }
    return best;
}

bool rf_function_is_space(struct rf_str space)
{
    for (unsigned f = 0; f < RF_FUNCTION_COUNT; f++) {
        const struct rf_str text = rf_str_of(function_table[f].text);
        if (function_is_called((enum rf_function)f) && rf_str_starts(text, space) && space.count < text.count &&
            text.data[space.count] == '.') {
            return true;
        }
    }
    return false;
}
