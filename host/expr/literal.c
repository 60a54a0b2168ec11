#include "literal.h"

#include <math.h>

#include "number.h"
#include "utf8.h"

enum { EXPONENT_MAX = 100000 /* beyond it every double is 0 or infinite, whatever its (bounded) digits are */ };

static bool char_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int char_hex(char c)
{
    if (char_is_digit(c)) {
        return c - '0';
    }
    const char lower = (char)(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

static char source_char(const struct rf_lexer *lexer, size_t at)
{
    return at < lexer->source.count ? lexer->source.data[at] : '\0';
}

static enum rf_status literal_fail(const struct rf_lexer *lexer, size_t begin, size_t end, struct rf_error *err,
                                   const char *text)
{
    return rf_diagnostic_fail(lexer->diagnostic, lexer->source, (uint32_t)begin, (uint32_t)end, err, "%s", text);
}

/* ---- Numbers ---- */

/* Ends a run of digits in base 10 or 16; false when it does not fit 64 bits. */
static bool integer_read(const struct rf_lexer *lexer, size_t *at, unsigned base, uint64_t *value)
{
    bool fits = true;
    *value = 0;
    for (;; (*at)++) {
        const char c = source_char(lexer, *at);
        const int digit = base == 16 ? char_hex(c) : char_is_digit(c) ? c - '0' : -1;
        if (digit < 0) {
            return fits;
        }
        fits = fits && !__builtin_mul_overflow(*value, base, value) &&
               !__builtin_add_overflow(*value, (uint64_t)digit, value);
    }
}

/* Where the token ends when it is a double: a point or an exponent, each with a digit behind it. 0 when it is none. */
static size_t double_end(const struct rf_lexer *lexer, size_t at)
{
    bool is_double = false;
    while (char_is_digit(source_char(lexer, at))) {
        at++;
    }
    if (source_char(lexer, at) == '.' && char_is_digit(source_char(lexer, at + 1))) {
        is_double = true;
        at++;
        while (char_is_digit(source_char(lexer, at))) {
            at++;
        }
    }
    if ((source_char(lexer, at) | 0x20) == 'e') {
        size_t digit = at + 1;
        if (source_char(lexer, digit) == '+' || source_char(lexer, digit) == '-') {
            digit++;
        }
        if (char_is_digit(source_char(lexer, digit))) {
            is_double = true;
            at = digit;
            while (char_is_digit(source_char(lexer, at))) {
                at++;
            }
        }
    }
    return is_double ? at : 0;
}

/* The decimal as mantissa * 10^exponent: the first 19 significant digits, the rest counted. */
static double double_read(struct rf_str text)
{
    uint64_t mantissa = 0;
    int64_t exponent = 0;
    int digits = 0;
    bool is_truncated = false;
    bool is_fraction = false;
    size_t i = 0;
    for (; i < text.count && (text.data[i] | 0x20) != 'e'; i++) {
        const char c = text.data[i];
        if (c == '.') {
            is_fraction = true;
            continue;
        }
        if (digits < 19) {
            mantissa = mantissa * 10 + (uint64_t)(c - '0');
            digits += mantissa != 0;
            exponent -= is_fraction;
        } else {
            is_truncated = is_truncated || c != '0';
            exponent += !is_fraction;
        }
    }
    if (i < text.count) {
        i++;
        const bool is_negative = text.data[i] == '-';
        i += is_negative || text.data[i] == '+';
        int64_t written = 0;
        for (; i < text.count; i++) {
            written = written < EXPONENT_MAX ? written * 10 + (text.data[i] - '0') : written;
        }
        exponent += is_negative ? -written : written;
    }
    return mantissa == 0 ? 0.0 : rf_double_from_decimal(mantissa, exponent, is_truncated, text);
}

enum rf_status rf_literal_number(struct rf_lexer *lexer, struct rf_token *token, struct rf_error *err)
{
    const size_t begin = lexer->at;
    size_t end = double_end(lexer, begin);
    if (end != 0) {
        token->kind = RF_TOKEN_DOUBLE;
        token->number = double_read((struct rf_str){lexer->source.data + begin, end - begin});
        lexer->at = end;
        if (isinf(token->number)) {
            return literal_fail(lexer, begin, end, err, "number beyond the range of a double");
        }
        return RF_OK;
    }
    end = begin;
    const bool is_hex = source_char(lexer, begin) == '0' && (source_char(lexer, begin + 1) | 0x20) == 'x' &&
                        char_hex(source_char(lexer, begin + 2)) >= 0;
    if (is_hex) {
        end += 2;
    }
    const bool fits = integer_read(lexer, &end, is_hex ? 16 : 10, &token->integer);
    token->kind = RF_TOKEN_INT;
    if ((source_char(lexer, end) | 0x20) == 'u') {
        token->kind = RF_TOKEN_UINT;
        end++;
    }
    lexer->at = end;
    /* 2^63 is for the parser to judge: it may stand behind a minus sign. */
    if (!fits || (token->kind == RF_TOKEN_INT && token->integer > (uint64_t)1 << 63)) {
        return literal_fail(lexer, begin, end, err,
                            token->kind == RF_TOKEN_UINT ? "integer beyond the range of a uint (64 bits)"
                                                         : "integer beyond the range of an int (64 bits)");
    }
    return RF_OK;
}

/* ---- Strings ---- */

/* digits in base 8 or 16 at `at`; false when one is missing. */
static bool escape_digits(const struct rf_lexer *lexer, size_t at, unsigned digits, unsigned base, uint32_t *value)
{
    *value = 0;
    for (unsigned i = 0; i < digits; i++) {
        const int digit = char_hex(source_char(lexer, at + i));
        if (digit < 0 || (unsigned)digit >= base) {
            return false;
        }
        *value = *value * base + (unsigned)digit;
    }
    return true;
}

static bool escape_letter(char c, char *out)
{
    static const char letters[] = "abfnrtv\\'\"?`";
    static const char values[] = "\a\b\f\n\r\t\v\\'\"?`";
    const char *found = c == '\0' ? NULL : strchr(letters, c);
    if (found != NULL) {
        *out = values[found - letters];
    }
    return found != NULL;
}

/* The escape at lexer->at (a backslash): in a string \x and octal name a code point, in bytes an octet. */
static enum rf_status escape_read(struct rf_lexer *lexer, bool is_bytes, char *out, size_t *out_count,
                                  struct rf_error *err)
{
    const size_t begin = lexer->at;
    const char c = source_char(lexer, begin + 1);
    uint32_t value = 0;
    unsigned digits = 0;
    unsigned base = 16;
    size_t at = begin + 2;
    if (escape_letter(c, &out[*out_count])) {
        (*out_count)++;
        lexer->at = at;
        return RF_OK;
    }
    switch (c) {
    case 'x':
    case 'X':
        digits = 2;
        break;
    case 'u':
        digits = 4;
        break;
    case 'U':
        digits = 8;
        break;
    case '0':
    case '1':
    case '2':
    case '3':
        digits = 3;
        base = 8;
        at = begin + 1;
        break;
    default:
        return literal_fail(lexer, begin, begin + 2, err,
                            c >= '4' && c <= '7' ? "octal escapes go up to \\377"
                                                 : "unknown escape in a string (a raw string r\"...\" has none)");
    }
    if (is_bytes && (c == 'u' || c == 'U')) {
        return literal_fail(lexer, begin, begin + 2, err, "bytes hold octets: use \\xHH instead of \\u or \\U");
    }
    if (!escape_digits(lexer, at, digits, base, &value)) {
        return literal_fail(lexer, begin, begin + 2, err,
                            "unfinished escape: \\xHH, \\uHHHH, \\UHHHHHHHH or three octal digits up to \\377");
    }
    lexer->at = at + digits;
    if (is_bytes) {
        out[(*out_count)++] = (char)value;
        return RF_OK;
    }
    if (value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) {
        return literal_fail(lexer, begin, lexer->at, err, "escape names no Unicode code point");
    }
    *out_count += rf_utf8_write(value, out + *out_count);
    return RF_OK;
}

/* One past the last byte of the text whose quotes were opened at lexer->at; false when they are never closed. */
static bool string_end(const struct rf_lexer *lexer, bool is_raw, size_t quotes, size_t *end)
{
    const char quote = source_char(lexer, lexer->at);
    size_t at = lexer->at + quotes;
    while (at < lexer->source.count) {
        const char c = lexer->source.data[at];
        if (c == '\\' && !is_raw) {
            at += 2;
        } else if (c == quote &&
                   (quotes == 1 || (source_char(lexer, at + 1) == quote && source_char(lexer, at + 2) == quote))) {
            *end = at;
            return true;
        } else if (quotes == 1 && (c == '\n' || c == '\r')) {
            return false;
        } else {
            at++;
        }
    }
    return false;
}

enum rf_status rf_literal_string(struct rf_lexer *lexer, bool is_raw, bool is_bytes, struct rf_token *token,
                                 struct rf_error *err)
{
    const size_t begin = token->span.begin;
    const char quote = source_char(lexer, lexer->at);
    const bool is_triple = source_char(lexer, lexer->at + 1) == quote && source_char(lexer, lexer->at + 2) == quote;
    const size_t quotes = is_triple ? 3 : 1;
    size_t end;
    if (!string_end(lexer, is_raw, quotes, &end)) {
        return literal_fail(lexer, begin, lexer->at + quotes, err,
                            is_triple ? "string without its closing three quotes"
                                      : "string without its closing quote (one over several lines has three quotes)");
    }
    lexer->at += quotes;
    /* No escape is shorter than what it spells, but \xHH may become two bytes and needs four: the text never grows. The
     * three spare bytes are for a code point written at the very end. */
    char *out = rf_arena_push(lexer->arena, end - lexer->at + 4, 1, 1);
    if (out == NULL) {
        RF_FAIL(err, RF_E_LIMIT, "the expression needs more memory than its bound allows");
    }
    size_t count = 0;
    while (lexer->at < end) {
        const char c = lexer->source.data[lexer->at];
        if (c == '\\' && !is_raw) {
            RF_TRY(escape_read(lexer, is_bytes, out, &count, err));
        } else {
            out[count++] = c;
            lexer->at++;
        }
    }
    lexer->at = end + quotes;
    token->kind = is_bytes ? RF_TOKEN_BYTES : RF_TOKEN_STRING;
    token->text = (struct rf_str){out, count};
    return RF_OK;
}
