/* text.format(values) of operate.h: the clauses.
 *
 * Data       %s %d %f %e %b %o %x %X take one value of the list each, %% takes none. A precision (%.3f) may stand
 *            before every clause and counts for %f and %e only. Values that no clause takes are no error.
 * Size       The text is made on the stack; one that doesn't fit there is made a second time, into the arena.
 * Source     CEL specification, "Strings: string.format"; its suite (string_ext). Beyond it, a whole number of a
 *            message is an integer to every clause.
 */
#include "operate.h"

#include <assert.h>

#include "chars.h"
#include "format_value.h"

enum { FORMAT_SHORT_BYTES = 512 };

static bool clause_refuse(struct rf_format_out *out, char letter, const char *takes, struct rf_value value)
{
    return rf_format_fail(out, rf_operate_error(out->arena, "format: %%%c takes %s, and was given %s", letter, takes,
                                                rf_type_name(value.type)));
}

/* An int, a uint or a whole number of a message; everything else is refused, for which `takes` says what fits. */
static bool append_integer(struct rf_format_out *out, char letter, const char *takes, struct rf_value value)
{
    struct rf_value whole;
    if (!rf_operate_whole(value, &whole)) {
        whole = value;
    }
    if (whole.type != RF_TYPE_INT && whole.type != RF_TYPE_UINT) {
        return clause_refuse(out, letter, takes, value);
    }
    return rf_format_took(out, rf_format_append_based(&out->text, letter, whole.exact));
}

static bool append_clause(struct rf_format_out *out, const struct rf_format_clause *clause, struct rf_value value)
{
    const char letter = clause->letter;
    if (letter == 's') {
        return rf_format_append_value(out, value);
    }
    value = rf_operate_usable(value, out->arena);
    if (value.type == RF_TYPE_ERROR) {
        return rf_format_fail(out, value);
    }
    struct rf_value whole;
    switch (letter) {
    case 'd':
        /* Doubles that are no whole number of a message are written as %s writes them: "3.14", "NaN". */
        if (value.type == RF_TYPE_DOUBLE && !rf_operate_whole(value, &whole)) {
            return rf_format_took(out, rf_format_append_number(&out->text, value.exact));
        }
        return append_integer(out, letter, "int, uint and double", value);
    case 'f':
    case 'e':
        if (!rf_value_is_number(value)) {
            return clause_refuse(out, letter, "int, uint and double", value);
        }
        return rf_format_took(out, rf_format_append_rounded(&out->text, clause, rf_number_to_double(value.exact)));
    case 'x':
    case 'X':
        if (value.type == RF_TYPE_STRING || value.type == RF_TYPE_BYTES) {
            return rf_format_took(out, rf_format_append_octets(&out->text, letter, value.text));
        }
        return append_integer(out, letter, "int, uint, string and bytes", value);
    case 'o':
        return append_integer(out, letter, "int and uint", value);
    default: /* b */
        if (value.type == RF_TYPE_BOOL) {
            return rf_format_took(out, rf_format_append(&out->text, value.boolean ? RF_STR("1") : RF_STR("0")));
        }
        return append_integer(out, letter, "int, uint and bool", value);
    }
}

/* A template that is wrong from byte `at` on. */
static bool step_refuse(struct rf_format_out *out, enum rf_format_step step, struct rf_str text, size_t at,
                        const struct rf_format_clause *clause)
{
    switch (step) {
    case RF_FORMAT_PRECISION:
        return rf_format_fail(out, rf_operate_error(out->arena, "format: byte %zu: a precision is at most %d", at,
                                                    RF_FORMAT_PRECISION_MAX));
    case RF_FORMAT_NO_DIGITS:
        return rf_format_fail(
            out, rf_operate_error(out->arena, "format: byte %zu: a precision has digits, as in %%.3f", at));
    case RF_FORMAT_CUT:
        return rf_format_fail(out, rf_operate_error(out->arena, "format: byte %zu: the text ends within a clause", at));
    case RF_FORMAT_NO_CLAUSE:
        return rf_format_fail(out, rf_operate_error(out->arena, "format: byte %zu: there is no clause %%%.*s", at,
                                                    (int)rf_chars_step(text, clause->at), text.data + clause->at));
    default:
        return rf_format_took(out, false);
    }
}

static bool format_run(struct rf_format_out *out, struct rf_str text, const struct rf_list *values)
{
    struct rf_format_clause clause = {0};
    size_t at = 0;
    for (size_t used = 0;; used++) {
        const enum rf_format_step step = rf_format_step(&out->text, text, &at, &clause);
        if (step != RF_FORMAT_CLAUSE) {
            return step == RF_FORMAT_END || step_refuse(out, step, text, at, &clause);
        }
        if (used == values->count) {
            return rf_format_fail(out,
                                  rf_operate_error(out->arena, "format: clause %zu has no value, there are only %zu",
                                                   used + 1, values->count));
        }
        if (!append_clause(out, &clause, values->item[used])) {
            return false;
        }
    }
}

struct rf_value rf_operate_format(struct rf_value text, const struct rf_list *values, struct rf_arena *arena)
{
    char brief[FORMAT_SHORT_BYTES];
    struct rf_format_out out = rf_format_begin(brief, sizeof brief, arena);
    if (!format_run(&out, text.text, values)) {
        return out.error;
    }
    const size_t bytes = out.text.count;
    char *data = rf_arena_push(arena, bytes, 1, 1);
    if (data == NULL) {
        return rf_value_error(RF_ERROR_TOO_LARGE);
    }
    if (bytes <= sizeof brief) {
        memcpy(data, brief, bytes);
    } else {
        out = rf_format_begin(data, bytes, arena);
        if (!format_run(&out, text.text, values)) { /* the keys of a map found room before, but not beside the text */
            return out.error;
        }
        assert(out.text.count == bytes);
    }
    return rf_value_string((struct rf_str){data, bytes});
}
