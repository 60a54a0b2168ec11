/* regex_parser.h: the text of a regular expression to its syntax tree.
 *
 * Purpose    RE2's syntax with its defaults: Perl classes, Unicode groups, ^ and $ only at the ends of the text, and a
 *            dot that does not match a newline. Groups and their names are accepted and leave no trace.
 * Data       struct rf_parser is shared by the files of the parser: regex_parse.c (the loop, groups, repetition),
 *            regex_escape.c (what begins with a backslash) and regex_bracket.c ([...]). `at` is the next byte.
 * Ownership  the tree lives in the arena of the maker.
 * Errors     RF_E_EXPR for what RE2 refuses; RF_E_LIMIT for a bound. *error_at is the byte offset of the fault.
 * Source     https://github.com/google/re2/wiki/Syntax
 */
#ifndef RF_REGEX_PARSER_H
#define RF_REGEX_PARSER_H

#include "regex_tree.h"
#include "status.h"

enum rf_parse_flag { /* RE2's names: i m s U */
                     RF_FLAG_FOLD = 1,
                     RF_FLAG_LINES = 2,
                     RF_FLAG_DOT_ALL = 4,
                     RF_FLAG_LAZY = 8 /* which of several matches is found is not asked: accepted, without effect */
};

struct rf_parser {
    struct rf_str pattern; /* well-formed UTF-8 */
    size_t at;
    uint32_t flags; /* enum rf_parse_flag, in force at `at` */
    struct rf_tree_maker *maker;
    size_t *error_at;
    struct rf_error *err;
};

/* Leaves a function of the parser with an error at a byte offset. */
#define RF_PARSE_FAIL(parser, offset, status, ...)                                                                     \
    do {                                                                                                               \
        *(parser)->error_at = (offset);                                                                                \
        RF_FAIL((parser)->err, (status), "regular expression: " __VA_ARGS__);                                          \
    } while (0)

#define RF_PARSE_FULL(parser) RF_PARSE_FAIL((parser), (parser)->at, RF_E_LIMIT, "the pattern is too large")

/* maker: zero but for the arena; it says afterwards what is in the tree. */
enum rf_status rf_regex_parse(struct rf_str pattern, struct rf_tree_maker *maker, struct rf_tree **tree,
                              size_t *error_at, struct rf_error *err);

/* For the files of the parser: */

/* The byte at an offset from `at`; 0 behind the end, where a zero byte means nothing to the grammar. */
static inline char rf_parser_peek(const struct rf_parser *parser, size_t offset)
{
    if (offset < parser->pattern.count - parser->at) {
        return parser->pattern.data[parser->at + offset];
    }
    return '\0';
}
static inline bool rf_parser_has(const struct rf_parser *parser, size_t count)
{
    return count <= parser->pattern.count - parser->at;
}
/* The code point at `at`, which is not the end; moves behind it. */
uint32_t rf_parser_next(struct rf_parser *parser);

/* At a backslash: one escaped code point. */
enum rf_status rf_parse_escape(struct rf_parser *parser, uint32_t *code);
/* At a backslash: \d \s \w \pN \p{Name} and their opposites go into the set; *is_class is false, and nothing is read,
 * when there is none of them. */
enum rf_status rf_parse_class_escape(struct rf_parser *parser, struct rf_code_set *set, bool *is_class);
/* At '['. The set is tidy. */
enum rf_status rf_parse_bracket(struct rf_parser *parser, struct rf_code_set *set);
/* Adds a part to a set: with all that folds alike when the flag is on, or everything but that. The part is changed. */
enum rf_status rf_parse_add_part(struct rf_parser *parser, struct rf_code_set *set, struct rf_code_set *part,
                                 bool is_negated);

#endif
