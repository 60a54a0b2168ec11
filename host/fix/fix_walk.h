/* fix_walk.h: from the head of a message, field by field, to where it ends; for messages whose BodyLength does not lead
 * there.
 *
 * Data       A walk ends behind the first field with tag 10, or in front of what can be no part of the message: a line end,
 *            the beginning of another message, the end of the window. Raw data is jumped over when its length leads to a
 *            separator; a walk that does not trust lengths looks at every byte. Line ends before lines_from do not end it.
 * Cost       linear in the bytes walked over; behind the first jump over data at most RF_FIX_HINT_MAX of them, because
 *            such a walk may be thrown away.
 * Threads    pure functions.
 */
#ifndef RF_FIX_WALK_H
#define RF_FIX_WALK_H

#include "fix_start.h"

enum {
    RF_FIX_HINT_MAX = 16 * 1024,     /* bytes that may be looked at in vain for one entry */
    RF_FIX_WIDE_DATA_MAX = 8 * 1024, /* raw data in a log whose separators are texts: its bytes have to be counted */
    RF_FIX_LENGTH_DIGITS_MAX = 9
};

enum rf_fix_stop { RF_FIX_STOP_TRAILER, RF_FIX_STOP_LINE, RF_FIX_STOP_START, RF_FIX_STOP_EDGE };

struct rf_fix_walk {
    enum rf_fix_stop stop;
    size_t at;         /* of the trailer's tag; else where the message cannot go on */
    size_t end;        /* of the message; before a line end without what is no field, such as a remark */
    size_t separators; /* between its fields, up to the one before the trailer */
    int sum;           /* as the trailer has it; -1: not three digits */
    bool is_bare;      /* a line end in place of the last separator */
    bool has_length;   /* a BodyLength among the fields, which is not where it belongs */
    bool has_jumped;   /* over data */
};

/* From a field that follows start->second or is there. RF_FIX_YES or RF_FIX_OPEN. *needed is raised to the bytes that a
 * jump asks for. */
enum rf_fix_answer rf_fix_walk(const struct rf_fix_window *window, const struct rf_fix_start *start,
                               bool trusts_lengths, size_t lines_from, struct rf_fix_walk *walk, size_t *needed);

/* A run of one to nine digits that ends at a byte which is none; RF_FIX_NO when it is none or longer. */
enum rf_fix_answer rf_fix_digits(const struct rf_fix_window *window, size_t at, uint32_t *value, size_t *end);

/* Where raw data of `count` bytes ends, when a separator stands there. In messages whose separators are texts, such a
 * text counts as the one byte that it was. */
enum rf_fix_answer rf_fix_data_end(const struct rf_fix_window *window, enum rf_fix_separator separator, size_t at,
                                   uint32_t count, size_t *end, size_t *needed);

#endif
