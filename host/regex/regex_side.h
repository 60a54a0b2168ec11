/* regex_side.h: what is beside a place in a text, and which assertions hold there.
 *
 * Threads    pure.
 * Source     https://github.com/google/re2/wiki/Syntax: words are of ASCII letters, digits and _; a line ends at \n.
 */
#ifndef RF_REGEX_SIDE_H
#define RF_REGEX_SIDE_H

#include "regex.h"

enum rf_regex_side {
    RF_SIDE_OTHER,   /* any byte but these */
    RF_SIDE_WORD,    /* a byte of a word */
    RF_SIDE_NEWLINE, /* \n */
    RF_SIDE_EDGE,    /* no byte: an end of the text */
    RF_SIDE_UNKNOWN, /* ahead only: not read yet */
    RF_SIDES
};

static inline enum rf_regex_side rf_regex_side_of(unsigned char byte)
{
    if ((byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') || byte == '_' || (byte >= 'a' && byte <= 'z')) {
        return RF_SIDE_WORD;
    }
    return byte == '\n' ? RF_SIDE_NEWLINE : RF_SIDE_OTHER;
}

/* 1: holds, 0: holds not, -1: what is ahead must be known first. */
static inline int rf_regex_assert_holds(enum rf_regex_assert assertion, enum rf_regex_side before,
                                        enum rf_regex_side ahead)
{
    const bool is_line_begin = before == RF_SIDE_EDGE || before == RF_SIDE_NEWLINE;
    const bool is_line_end = ahead == RF_SIDE_EDGE || ahead == RF_SIDE_NEWLINE;
    const bool is_word_edge = (before == RF_SIDE_WORD) != (ahead == RF_SIDE_WORD);
    if (assertion == RF_ASSERT_TEXT_BEGIN) {
        return before == RF_SIDE_EDGE;
    }
    if (assertion == RF_ASSERT_LINE_BEGIN) {
        return is_line_begin;
    }
    if (ahead == RF_SIDE_UNKNOWN) {
        return -1;
    }
    if (assertion == RF_ASSERT_TEXT_END) {
        return ahead == RF_SIDE_EDGE;
    }
    if (assertion == RF_ASSERT_LINE_END) {
        return is_line_end;
    }
    return is_word_edge == (assertion == RF_ASSERT_WORD_EDGE);
}

#endif
