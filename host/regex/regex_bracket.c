#include "code_group.h"
#include "regex_parser.h"

enum { NAME_FRAME_BYTES = 2 }; /* "[:" and ":]" */

/* At "[:": a class of POSIX, with ^ for its opposite. Without ":]" further on it is an ordinary bracket and colon. */
static enum rf_status parse_posix_class(struct rf_parser *parser, struct rf_code_set *set, bool *is_class)
{
    const char *const begin = parser->pattern.data + parser->at + NAME_FRAME_BYTES;
    const size_t rest = parser->pattern.count - parser->at - NAME_FRAME_BYTES;
    const char *const close = memmem(begin, rest, ":]", NAME_FRAME_BYTES);
    *is_class = close != NULL;
    if (close == NULL) {
        return RF_OK;
    }
    struct rf_str name = {begin, (size_t)(close - begin)};
    const bool is_negated = name.count != 0 && name.data[0] == '^';
    if (is_negated) {
        name = (struct rf_str){name.data + 1, name.count - 1};
    }
    const struct rf_code_group *const group = rf_code_group_posix(name);
    if (group == NULL) {
        RF_PARSE_FAIL(parser, parser->at, RF_E_EXPR, "[:%.*s:] is no known class", RF_STR_ARG(name));
    }
    struct rf_code_set part = {.arena = parser->maker->arena};
    if (!rf_code_group_add(group, &part)) {
        RF_PARSE_FULL(parser);
    }
    parser->at = (size_t)(close - parser->pattern.data) + NAME_FRAME_BYTES;
    return rf_parse_add_part(parser, set, &part, is_negated);
}

static enum rf_status parse_missing_bracket(struct rf_parser *parser, size_t begin)
{
    RF_PARSE_FAIL(parser, begin, RF_E_EXPR, "missing closing ]");
}

static enum rf_status parse_member(struct rf_parser *parser, size_t begin, uint32_t *code)
{
    if (!rf_parser_has(parser, 1)) {
        return parse_missing_bracket(parser, begin);
    }
    if (rf_parser_peek(parser, 0) == '\\') {
        return rf_parse_escape(parser, code);
    }
    *code = rf_parser_next(parser);
    return RF_OK;
}

/* A code point or a range of them. A hyphen is itself where it begins or ends the list, and behind a range. */
static enum rf_status parse_range(struct rf_parser *parser, size_t begin, struct rf_code_set *set)
{
    const size_t range_begin = parser->at;
    uint32_t low = 0;
    RF_TRY(parse_member(parser, begin, &low));
    uint32_t high = low;
    if (rf_parser_peek(parser, 0) == '-' && rf_parser_has(parser, 2) && rf_parser_peek(parser, 1) != ']') {
        parser->at++;
        RF_TRY(parse_member(parser, begin, &high));
        if (high < low) {
            RF_PARSE_FAIL(parser, range_begin, RF_E_EXPR, "the range %.*s is out of order",
                          (int)(parser->at - range_begin), parser->pattern.data + range_begin);
        }
    }
    const bool is_folded = (parser->flags & RF_FLAG_FOLD) != 0;
    struct rf_code_set part = {.arena = parser->maker->arena};
    if (!rf_code_set_add(is_folded ? &part : set, low, high)) {
        RF_PARSE_FULL(parser);
    }
    return is_folded ? rf_parse_add_part(parser, set, &part, false) : RF_OK;
}

enum rf_status rf_parse_bracket(struct rf_parser *parser, struct rf_code_set *set)
{
    const size_t begin = parser->at++;
    const bool is_negated = rf_parser_peek(parser, 0) == '^';
    parser->at += is_negated;
    /* A bracket that closes nothing yet is a member. */
    for (bool is_first = true; is_first || rf_parser_peek(parser, 0) != ']'; is_first = false) {
        bool is_class = false;
        if (!rf_parser_has(parser, 1)) {
            return parse_missing_bracket(parser, begin);
        }
        if (rf_parser_peek(parser, 0) == '[' && rf_parser_peek(parser, 1) == ':') {
            RF_TRY(parse_posix_class(parser, set, &is_class));
        } else if (rf_parser_peek(parser, 0) == '\\') {
            RF_TRY(rf_parse_class_escape(parser, set, &is_class));
        }
        if (!is_class) {
            RF_TRY(parse_range(parser, begin, set));
        }
    }
    parser->at++;
    rf_code_set_tidy(set);
    if (is_negated && !rf_code_set_negate(set)) {
        RF_PARSE_FULL(parser);
    }
    return RF_OK;
}
