#include "code_group.h"
#include "regex_parser.h"

enum { OCTAL_DIGITS_MAX = 3, OCTAL_BASE = 8, HEX_BASE = 16 };

/* The text from an offset to `at`, for messages. */
static struct rf_str parser_since(const struct rf_parser *parser, size_t begin)
{
    return (struct rf_str){parser->pattern.data + begin, parser->at - begin};
}

static int hex_value(uint32_t code)
{
    if (code >= '0' && code <= '9') {
        return (int)(code - '0');
    }
    const uint32_t lower = code | 0x20;
    return lower >= 'a' && lower <= 'f' ? (int)(lower - 'a') + 10 : -1;
}

/* Behind \x: two digits, or any number of them in braces. */
static enum rf_status parse_hex(struct rf_parser *parser, size_t begin, uint32_t *code)
{
    uint32_t value = 0;
    if (rf_parser_peek(parser, 0) == '{') {
        size_t digits = 0;
        for (parser->at++; hex_value((unsigned char)rf_parser_peek(parser, 0)) >= 0; digits++) {
            value = value * HEX_BASE + (uint32_t)hex_value((unsigned char)parser->pattern.data[parser->at++]);
            if (value > RF_CODE_MAX) {
                RF_PARSE_FAIL(parser, begin, RF_E_EXPR, "%.*s is above \\x{10FFFF}",
                              RF_STR_ARG(parser_since(parser, begin)));
            }
        }
        if (digits == 0 || rf_parser_peek(parser, 0) != '}') {
            RF_PARSE_FAIL(parser, begin, RF_E_EXPR, "\\x{ must be followed by hexadecimal digits and }");
        }
        parser->at++;
        *code = value;
        return RF_OK;
    }
    for (size_t i = 0; i < 2; i++) {
        const int digit = hex_value((unsigned char)rf_parser_peek(parser, i));
        if (digit < 0) {
            RF_PARSE_FAIL(parser, begin, RF_E_EXPR, "\\x must be followed by two hexadecimal digits or by {digits}");
        }
        value = value * HEX_BASE + (uint32_t)digit;
    }
    parser->at += 2;
    *code = value;
    return RF_OK;
}

static bool is_octal(char c)
{
    return c >= '0' && c <= '7';
}

/* Behind the first digit, which is `value`. */
static uint32_t parse_octal(struct rf_parser *parser, uint32_t value)
{
    for (size_t i = 1; i < OCTAL_DIGITS_MAX && is_octal(rf_parser_peek(parser, 0)); i++) {
        value = value * OCTAL_BASE + (uint32_t)(parser->pattern.data[parser->at++] - '0');
    }
    return value;
}

enum rf_status rf_parse_escape(struct rf_parser *parser, uint32_t *code)
{
    static const char letters[] = "afnrtv";
    static const char meanings[] = "\a\f\n\r\t\v";
    const size_t begin = parser->at++;
    if (!rf_parser_has(parser, 1)) {
        RF_PARSE_FAIL(parser, begin, RF_E_EXPR, "a backslash at the end escapes nothing; write \\\\ for itself");
    }
    const uint32_t c = rf_parser_next(parser);
    const char *const letter = c < 0x80 && c != 0 ? strchr(letters, (int)c) : NULL;
    if (letter != NULL) {
        *code = (unsigned char)meanings[letter - letters];
        return RF_OK;
    }
    if (c == 'x') {
        return parse_hex(parser, begin, code);
    }
    if (c == '0' || (c >= '1' && c <= '7' && is_octal(rf_parser_peek(parser, 0)))) {
        *code = parse_octal(parser, c - '0');
        return RF_OK;
    }
    if (c >= '1' && c <= '9') {
        RF_PARSE_FAIL(parser, begin, RF_E_EXPR, "%.*s would be a backreference, which linear time does not allow",
                      RF_STR_ARG(parser_since(parser, begin)));
    }
    if (c < 0x80 && !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z')) {
        *code = c;
        return RF_OK;
    }
    if (c == 'Z' || c == 'G' || c == 'K' || c == 'R' || c == 'X') {
        RF_PARSE_FAIL(parser, begin, RF_E_EXPR, "\\%c is not part of the RE2 syntax%s", (char)c,
                      c == 'Z' ? "; \\z is the end of the text" : "");
    }
    RF_PARSE_FAIL(parser, begin, RF_E_EXPR, "%.*s is no known escape here", RF_STR_ARG(parser_since(parser, begin)));
}

enum rf_status rf_parse_add_part(struct rf_parser *parser, struct rf_code_set *set, struct rf_code_set *part,
                                 bool is_negated)
{
    bool is_done = true;
    rf_code_set_tidy(part);
    if ((parser->flags & RF_FLAG_FOLD) != 0) {
        is_done = rf_code_set_fold(part);
    }
    if (is_done && is_negated) {
        is_done = rf_code_set_negate(part);
    }
    if (!is_done || !rf_code_set_add_set(set, part)) {
        RF_PARSE_FULL(parser);
    }
    return RF_OK;
}

/* At \p or \P. */
static enum rf_status parse_unicode_class(struct rf_parser *parser, struct rf_code_set *set)
{
    const size_t begin = parser->at;
    bool is_negated = parser->pattern.data[begin + 1] == 'P';
    struct rf_str name;
    parser->at += 2;
    if (!rf_parser_has(parser, 1)) {
        RF_PARSE_FAIL(parser, begin, RF_E_EXPR, "\\%c must be followed by a letter or by {Name}",
                      is_negated ? 'P' : 'p');
    }
    const size_t name_begin = parser->at;
    if (rf_parser_next(parser) == '{') {
        const char *const close = memchr(parser->pattern.data + parser->at, '}', parser->pattern.count - parser->at);
        if (close == NULL) {
            RF_PARSE_FAIL(parser, begin, RF_E_EXPR, "missing closing } of a class name");
        }
        name =
            (struct rf_str){parser->pattern.data + parser->at, (size_t)(close - (parser->pattern.data + parser->at))};
        parser->at += name.count + 1;
    } else {
        name = parser_since(parser, name_begin);
    }
    if (name.count != 0 && name.data[0] == '^') {
        is_negated = !is_negated;
        name = (struct rf_str){name.data + 1, name.count - 1};
    }
    struct rf_code_set part = {.arena = parser->maker->arena};
    bool is_full;
    if (!rf_code_group_add_unicode(name, &part, &is_full)) {
        RF_PARSE_FAIL(parser, begin, RF_E_EXPR, "\"%.*s\" is no Unicode general category or script", RF_STR_ARG(name));
    }
    if (is_full) {
        RF_PARSE_FULL(parser);
    }
    return rf_parse_add_part(parser, set, &part, is_negated);
}

enum rf_status rf_parse_class_escape(struct rf_parser *parser, struct rf_code_set *set, bool *is_class)
{
    const char letter = rf_parser_peek(parser, 1);
    *is_class = true;
    if (letter == 'p' || letter == 'P') {
        return parse_unicode_class(parser, set);
    }
    const struct rf_code_group *const group = rf_code_group_perl((char)(letter | 0x20));
    if (group == NULL) {
        *is_class = false;
        return RF_OK;
    }
    struct rf_code_set part = {.arena = parser->maker->arena};
    if (!rf_code_group_add(group, &part)) {
        RF_PARSE_FULL(parser);
    }
    parser->at += 2;
    return rf_parse_add_part(parser, set, &part, letter != group->name[0]);
}
