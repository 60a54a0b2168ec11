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
#include <stdio.h>

#include "chars.h"
#include "format_value.h"

enum {
    FORMAT_PRECISION_DEFAULT = 6,
    FORMAT_PRECISION_MAX = 100, /* as cel-go */
    FORMAT_SHORT_BYTES = 512,
    /* A sign, 309 digits of the largest double, the point of the locale, and the digits behind it. */
    FORMAT_ROUNDED_BYTES = 512,
    FORMAT_DIGITS_MAX = 64 /* of 64 bits in base 2 */
};

/* printf rounds the exact value half to even. Its point is that of the process's locale, which may be any text: it is
 * what stands between the digits before it and as many behind it as were asked for. */
static bool append_rounded(struct rf_format_out *out, char clause, unsigned precision, double value)
{
    const char *name = rf_format_double_name(value);
    if (name != NULL) {
        return rf_format_append(out, rf_str_of(name));
    }
    char text[FORMAT_ROUNDED_BYTES];
    const int written = snprintf(text, sizeof text, clause == 'f' ? "%.*f" : "%.*e", (int)precision, value);
    assert(written > 0 && (size_t)written < sizeof text);
    size_t whole = 0;
    while (text[whole] == '-' || (text[whole] >= '0' && text[whole] <= '9')) {
        whole++;
    }
    const char *const end = text + written;
    const char *fraction_end = end;
    if (clause == 'e') {
        do {
            fraction_end--;
        } while (*fraction_end != 'e');
    }
    return rf_format_append(out, (struct rf_str){text, whole}) &&
           (precision == 0 || (rf_format_append(out, RF_STR(".")) &&
                               rf_format_append(out, (struct rf_str){fraction_end - precision, precision}))) &&
           rf_format_append(out, (struct rf_str){fraction_end, (size_t)(end - fraction_end)});
}

static const char *hex_digits(bool is_upper)
{
    return is_upper ? "0123456789ABCDEF" : "0123456789abcdef";
}

static bool append_based(struct rf_format_out *out, unsigned base, bool is_upper, bool is_negative, uint64_t magnitude)
{
    const char *const digit = hex_digits(is_upper);
    char text[FORMAT_DIGITS_MAX + 1];
    size_t begin = sizeof text;
    do {
        text[--begin] = digit[magnitude % base];
        magnitude /= base;
    } while (magnitude != 0);
    if (is_negative) {
        text[--begin] = '-';
    }
    return rf_format_append(out, (struct rf_str){text + begin, sizeof text - begin});
}

static bool append_octets(struct rf_format_out *out, struct rf_str octets, bool is_upper)
{
    const char *const digit = hex_digits(is_upper);
    for (size_t i = 0; i < octets.count; i++) {
        const unsigned char octet = (unsigned char)octets.data[i];
        const char pair[2] = {digit[octet >> 4], digit[octet & 15]};
        if (!rf_format_append(out, (struct rf_str){pair, 2})) {
            return false;
        }
    }
    return true;
}

struct format_clause {
    char letter;
    unsigned precision;
};

static bool clause_refuse(struct rf_format_out *out, char letter, const char *takes, struct rf_value value)
{
    return rf_format_fail(out, rf_operate_error(out->arena, "format: %%%c takes %s, and was given %s", letter, takes,
                                                rf_type_name(value.type)));
}

/* An int, a uint or a whole number of a message; everything else is refused, for which `takes` says what fits. */
static bool append_integer(struct rf_format_out *out, char letter, unsigned base, const char *takes,
                           struct rf_value value)
{
    struct rf_value whole;
    if (!rf_operate_whole(value, &whole)) {
        whole = value;
    }
    const bool is_upper = letter == 'X';
    if (whole.type == RF_TYPE_UINT) {
        return append_based(out, base, is_upper, false, whole.exact.as.u);
    }
    if (whole.type != RF_TYPE_INT) {
        return clause_refuse(out, letter, takes, value);
    }
    const int64_t number = whole.exact.as.i;
    const uint64_t magnitude = number < 0 ? (uint64_t)0 - (uint64_t)number : (uint64_t)number;
    return append_based(out, base, is_upper, number < 0, magnitude);
}

static bool append_clause(struct rf_format_out *out, struct format_clause clause, struct rf_value value)
{
    const char letter = clause.letter;
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
            return rf_format_append_number(out, value.exact);
        }
        return append_integer(out, letter, 10, "int, uint and double", value);
    case 'f':
    case 'e':
        if (!rf_value_is_number(value)) {
            return clause_refuse(out, letter, "int, uint and double", value);
        }
        return append_rounded(out, letter, clause.precision, rf_number_to_double(value.exact));
    case 'x':
    case 'X':
        if (value.type == RF_TYPE_STRING || value.type == RF_TYPE_BYTES) {
            return append_octets(out, value.text, letter == 'X');
        }
        return append_integer(out, letter, 16, "int, uint, string and bytes", value);
    case 'o':
        return append_integer(out, letter, 8, "int and uint", value);
    default: /* b */
        if (value.type == RF_TYPE_BOOL) {
            return rf_format_append(out, value.boolean ? RF_STR("1") : RF_STR("0"));
        }
        return append_integer(out, letter, 2, "int, uint and bool", value);
    }
}

/* Reads what stands behind the % at *at and moves *at behind it. */
static bool clause_read(struct rf_format_out *out, struct rf_str text, size_t *at, struct format_clause *clause)
{
    size_t next = *at + 1;
    unsigned precision = FORMAT_PRECISION_DEFAULT;
    if (next < text.count && text.data[next] == '.') {
        const size_t begin = ++next;
        precision = 0;
        for (; next < text.count && text.data[next] >= '0' && text.data[next] <= '9'; next++) {
            precision = precision * 10 + (unsigned)(text.data[next] - '0');
            if (precision > FORMAT_PRECISION_MAX) {
                return rf_format_fail(out, rf_operate_error(out->arena, "format: byte %zu: a precision is at most %d",
                                                            *at, FORMAT_PRECISION_MAX));
            }
        }
        if (next == begin) {
            return rf_format_fail(
                out, rf_operate_error(out->arena, "format: byte %zu: a precision has digits, as in %%.3f", *at));
        }
    }
    if (next == text.count) {
        return rf_format_fail(out,
                              rf_operate_error(out->arena, "format: byte %zu: the text ends within a clause", *at));
    }
    if (text.data[next] == '\0' || strchr("sdfebxXo", text.data[next]) == NULL) {
        return rf_format_fail(out, rf_operate_error(out->arena, "format: byte %zu: there is no clause %%%.*s", *at,
                                                    (int)rf_chars_step(text, next), text.data + next));
    }
    *clause = (struct format_clause){.letter = text.data[next], .precision = precision};
    *at = next + 1;
    return true;
}

static bool format_run(struct rf_format_out *out, struct rf_str text, const struct rf_list *values)
{
    size_t used = 0;
    for (size_t at = 0; at < text.count;) {
        const char *const percent = memchr(text.data + at, '%', text.count - at);
        const size_t end = percent == NULL ? text.count : (size_t)(percent - text.data);
        if (!rf_format_append(out, (struct rf_str){text.data + at, end - at})) {
            return false;
        }
        at = end;
        if (text.count - at >= 2 && text.data[at + 1] == '%') {
            at += 2;
            if (!rf_format_append(out, RF_STR("%"))) {
                return false;
            }
        } else if (at < text.count) {
            struct format_clause clause = {0};
            if (!clause_read(out, text, &at, &clause)) {
                return false;
            }
            if (used == values->count) {
                return rf_format_fail(out, rf_operate_error(out->arena,
                                                            "format: clause %zu has no value, there are only %zu",
                                                            used + 1, values->count));
            }
            if (!append_clause(out, clause, values->item[used++])) {
                return false;
            }
        }
    }
    return true;
}

struct rf_value rf_operate_format(struct rf_value text, const struct rf_list *values, struct rf_arena *arena)
{
    char brief[FORMAT_SHORT_BYTES];
    struct rf_format_out out = {.data = brief, .max = sizeof brief, .arena = arena};
    if (!format_run(&out, text.text, values)) {
        return out.error;
    }
    const size_t bytes = out.count;
    char *data = rf_arena_push(arena, bytes, 1, 1);
    if (data == NULL) {
        return rf_value_error(RF_ERROR_TOO_LARGE);
    }
    if (bytes <= sizeof brief) {
        memcpy(data, brief, bytes);
    } else {
        out = (struct rf_format_out){.data = data, .max = bytes, .arena = arena};
        if (!format_run(&out, text.text, values)) { /* the keys of a map found room before, but not beside the text */
            return out.error;
        }
        assert(out.count == bytes);
    }
    return rf_value_string((struct rf_str){data, bytes});
}
