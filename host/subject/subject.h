/* subject.h: dotted subjects and the patterns of NATS over them.
 *
 * Purpose    rf_subject_match is the plain meaning of one pattern; subject_set.h is for many.
 * Data       Tokens stand between dots. In a pattern a token that is * alone stands for one token, and > alone, at the end, for
 *            one or more; every other token, `*x` and `a>b` too, for itself. Upper and lower case differ, and $ is a letter
 *            like any other.
 *            An empty token of a subject is equal to nothing: it is passed over only by a > before or at it, which does
 *            not look at the rest: `a.>` matches `a.` and `a..b`, and not `a`.
 * Threads    pure functions. Nothing is allocated; time linear in the subject and the pattern.
 * Source     the rules of NATS subjects; where its own matchers differ (`*x` by its first byte) the literal reading.
 */
#ifndef RF_SUBJECT_H
#define RF_SUBJECT_H

#include "str.h"

enum rf_subject_problem {
    RF_SUBJECT_GOOD,
    RF_SUBJECT_EMPTY,       /* no byte at all */
    RF_SUBJECT_EMPTY_TOKEN, /* a dot at an end, or two dots */
    RF_SUBJECT_BLANK,       /* a blank, tab or line break in a token */
    RF_SUBJECT_BEHIND_TAIL  /* something behind > */
};

/* Is it a pattern? *at: the byte where it is not. */
enum rf_subject_problem rf_subject_pattern_check(struct rf_str pattern, size_t *at);
const char *rf_subject_problem_text(enum rf_subject_problem problem);

/* A pattern that is none matches nothing. */
bool rf_subject_match(struct rf_str pattern, struct rf_str subject);

#endif
