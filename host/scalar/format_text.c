#include "format_text.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "duration.h"
#include "utf8.h"

enum {
    PRECISION_DEFAULT = 6,
    /* 2.2250738585072014e-308: a sign, "0.", 307 zeros and 17 digits; 5e-324 has 323 zeros and one. */
    PLAIN_BYTES = 352,
    /* A sign, 309 digits of the largest double, the point of the locale, and the digits behind it. */
    ROUNDED_BYTES = 512,
    DIGITS_MAX = 64 /* of 64 bits in base 2 */
};

/* ---- Values ---- */

const char *rf_format_double_name(double value)
{
    if (isfinite(value)) {
        return NULL;
    }
    return isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
}

/* The shortest digits of a finite double, without an exponent, which the specification doesn't have here. */
static size_t double_write(double value, char out[PLAIN_BYTES])
{
    char text[RF_NUMBER_TEXT_MAX];
    const size_t text_bytes = rf_double_to_text(value, text);
    const char *e = memchr(text, 'e', text_bytes);
    if (e == NULL) {
        memcpy(out, text, text_bytes);
        return text_bytes;
    }
    char digit[RF_NUMBER_TEXT_MAX];
    int digits = 0;
    for (const char *c = text; c < e; c++) {
        if (*c >= '0' && *c <= '9') {
            digit[digits++] = *c;
        }
    }
    int exponent = 0;
    for (const char *c = e + 2; c < text + text_bytes; c++) {
        exponent = exponent * 10 + (*c - '0');
    }
    /* The point stands before this digit. */
    const int point = (e[1] == '-' ? -exponent : exponent) + 1;
    size_t count = 0;
    if (text[0] == '-') {
        out[count++] = '-';
    }
    const int begin = point < 1 ? point - 1 : 0;
    const int end = digits > point ? digits : point;
    for (int i = begin; i < end; i++) {
        if (i == point) {
            out[count++] = '.';
        }
        out[count++] = (char)(i >= 0 && i < digits ? digit[i] : '0');
    }
    return count;
}

bool rf_format_append_number(struct rf_format_text *out, struct rf_number number)
{
    char text[PLAIN_BYTES];
    switch (number.kind) {
    case RF_NUMBER_INT:
        return rf_format_append(out, (struct rf_str){text, rf_int_to_text(number.as.i, text)});
    case RF_NUMBER_UINT:
        return rf_format_append(out, (struct rf_str){text, rf_uint_to_text(number.as.u, text)});
    case RF_NUMBER_DOUBLE:
        break;
    }
    const char *name = rf_format_double_name(number.as.d);
    return rf_format_append(out,
                            name != NULL ? rf_str_of(name) : (struct rf_str){text, double_write(number.as.d, text)});
}

bool rf_format_append_bytes(struct rf_format_text *out, struct rf_str bytes)
{
    while (bytes.count != 0) {
        size_t used = rf_utf8_valid_count(bytes);
        if (!rf_format_append(out, (struct rf_str){bytes.data, used})) {
            return false;
        }
        if (used == bytes.count) {
            break;
        }
        do {
            used++;
        } while (used < bytes.count &&
                 rf_utf8_valid_count((struct rf_str){bytes.data + used, bytes.count - used}) == 0);
        if (!rf_format_append(out, RF_STR("\xEF\xBF\xBD"))) {
            return false;
        }
        bytes = (struct rf_str){bytes.data + used, bytes.count - used};
    }
    return true;
}

bool rf_format_append_instant(struct rf_format_text *out, struct rf_instant instant)
{
    char text[RF_INSTANT_TEXT_MAX];
    return rf_format_append(out, (struct rf_str){text, rf_instant_write(instant, text)});
}

bool rf_format_append_duration(struct rf_format_text *out, int64_t nanoseconds)
{
    char text[RF_DURATION_TEXT_MAX];
    return rf_format_append(out, (struct rf_str){text, rf_duration_write(nanoseconds, text)});
}

/* ---- Clauses ---- */

/* What stands behind the % at `percent`. */
static enum rf_format_step clause_read(struct rf_str template, size_t percent, size_t *end,
                                       struct rf_format_clause *clause)
{
    size_t next = percent + 1;
    unsigned precision = PRECISION_DEFAULT;
    if (next < template.count && template.data[next] == '.') {
        const size_t begin = ++next;
        precision = 0;
        for (; next < template.count && template.data[next] >= '0' && template.data[next] <= '9'; next++) {
            precision = precision * 10 + (unsigned)(template.data[next] - '0');
            if (precision > RF_FORMAT_PRECISION_MAX) {
                return RF_FORMAT_PRECISION;
            }
        }
        if (next == begin) {
            return RF_FORMAT_NO_DIGITS;
        }
    }
    if (next == template.count) {
        return RF_FORMAT_CUT;
    }
    *clause = (struct rf_format_clause){.letter = template.data[next], .precision = precision, .at = next};
    *end = next + 1;
    return clause->letter == '\0' || strchr("sdfebxXo", clause->letter) == NULL ? RF_FORMAT_NO_CLAUSE
                                                                                : RF_FORMAT_CLAUSE;
}

enum rf_format_step rf_format_step(struct rf_format_text *out, struct rf_str template, size_t *at,
                                   struct rf_format_clause *clause)
{
    while (*at < template.count) {
        const char *const percent = memchr(template.data + *at, '%', template.count - *at);
        size_t end = percent == NULL ? template.count : (size_t)(percent - template.data);
        const bool is_doubled = template.count - end >= 2 && template.data[end + 1] == '%';
        end += is_doubled ? 1 : 0; /* the first of the two is the text's */
        if (!rf_format_append(out, (struct rf_str){template.data + *at, end - *at})) {
            return RF_FORMAT_TOO_LONG;
        }
        *at = end;
        if (is_doubled) {
            *at += 1;
        } else if (end < template.count) {
            const enum rf_format_step step = clause_read(template, end, &end, clause);
            *at = step == RF_FORMAT_CLAUSE ? end : *at;
            return step;
        }
    }
    return RF_FORMAT_END;
}

/* printf rounds the exact value half to even. Its point is that of the process's locale, which may be any text: it is
 * what stands between the digits before it and as many behind it as were asked for. */
bool rf_format_append_rounded(struct rf_format_text *out, const struct rf_format_clause *clause, double value)
{
    const char *name = rf_format_double_name(value);
    if (name != NULL) {
        return rf_format_append(out, rf_str_of(name));
    }
    char text[ROUNDED_BYTES];
    const unsigned precision = clause->precision;
    const int written = snprintf(text, sizeof text, clause->letter == 'f' ? "%.*f" : "%.*e", (int)precision, value);
    assert(written > 0 && (size_t)written < sizeof text);
    size_t whole = 0;
    while (text[whole] == '-' || (text[whole] >= '0' && text[whole] <= '9')) {
        whole++;
    }
    const char *const end = text + written;
    const char *fraction_end = end;
    if (clause->letter == 'e') {
        do {
            fraction_end--;
        } while (*fraction_end != 'e');
    }
    return rf_format_append(out, (struct rf_str){text, whole}) &&
           (precision == 0 || (rf_format_append(out, RF_STR(".")) &&
                               rf_format_append(out, (struct rf_str){fraction_end - precision, precision}))) &&
           rf_format_append(out, (struct rf_str){fraction_end, (size_t)(end - fraction_end)});
}

static const char *hex_digits(char letter)
{
    return letter == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
}

bool rf_format_append_based(struct rf_format_text *out, char letter, struct rf_number number)
{
    const unsigned base = letter == 'd' ? 10 : letter == 'b' ? 2 : letter == 'o' ? 8 : 16;
    const bool is_negative = number.kind == RF_NUMBER_INT && number.as.i < 0;
    const char *const digit = hex_digits(letter);
    uint64_t magnitude = is_negative ? (uint64_t)0 - number.as.u : number.as.u;
    char text[DIGITS_MAX + 1];
    size_t begin = sizeof text;
    assert(number.kind != RF_NUMBER_DOUBLE);
    do {
        text[--begin] = digit[magnitude % base];
        magnitude /= base;
    } while (magnitude != 0);
    if (is_negative) {
        text[--begin] = '-';
    }
    return rf_format_append(out, (struct rf_str){text + begin, sizeof text - begin});
}

bool rf_format_append_octets(struct rf_format_text *out, char letter, struct rf_str octets)
{
    const char *const digit = hex_digits(letter);
    for (size_t i = 0; i < octets.count; i++) {
        const unsigned char octet = (unsigned char)octets.data[i];
        const char pair[2] = {digit[octet >> 4], digit[octet & 15]};
        if (!rf_format_append(out, (struct rf_str){pair, 2})) {
            return false;
        }
    }
    return true;
}

/* ---- The order of keys ---- */

/* Merged bottom up, since qsort may take memory. */
const uint32_t *rf_format_order(size_t count, bool (*is_behind)(const void *context, uint32_t a, uint32_t b),
                                const void *context, uint32_t *order, uint32_t *spare)
{
    for (size_t i = 0; i < count; i++) {
        order[i] = (uint32_t)i;
    }
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t begin = 0; begin < count; begin += 2 * width) {
            const size_t middle = begin + width < count ? begin + width : count;
            const size_t end = begin + 2 * width < count ? begin + 2 * width : count;
            size_t left = begin;
            size_t right = middle;
            for (size_t i = begin; i < end; i++) {
                const bool takes_right =
                    left == middle || (right < end && is_behind(context, order[left], order[right]));
                spare[i] = takes_right ? order[right++] : order[left++];
            }
        }
        uint32_t *const merged = spare;
        spare = order;
        order = merged;
    }
    return order;
}
