/* format_text.h: the text that format() makes, piece by piece: what every engine writes alike, whatever its values are.
 *
 * Data       struct rf_format_text is the text so far. Its count goes on where the text doesn't, so that a first run gives
 *            the size of the whole.
 * Ownership  data is the caller's.
 * Threads    one text, one thread.
 * Errors     false: the text would be longer than count_max; nothing else fails. A template that is wrong: enum
 *            rf_format_step.
 * Source     CEL specification, "Strings: string.format", and its suite (string_ext). Not as there: a duration is
 *            written exactly, not through a double (duration.h).
 */
#ifndef RF_FORMAT_TEXT_H
#define RF_FORMAT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "instant.h"
#include "number.h"
#include "str.h"

struct rf_format_text {
    char *data;
    size_t max;       /* bytes that data holds */
    size_t count;     /* bytes of the text so far, written or not */
    size_t count_max; /* a longer text is refused */
};

/* A part is written whole, or not at all. Lists are written in parts of a byte or two, so it is inline. */
static inline bool rf_format_append(struct rf_format_text *out, struct rf_str part)
{
    if (out->count > out->count_max || part.count > out->count_max - out->count) {
        return false;
    }
    if (part.count != 0 && out->count <= out->max && part.count <= out->max - out->count) {
        memcpy(out->data + out->count, part.data, part.count);
    }
    out->count += part.count;
    return true;
}

/* "NaN", "Infinity" or "-Infinity"; NULL for a finite number. */
const char *rf_format_double_name(double value);
/* The shortest digits, never with an exponent; integers of messages beyond 2^53 as exactly as they were read. */
bool rf_format_append_number(struct rf_format_text *out, struct rf_number number);
/* As UTF-8; what is ill-formed, however long, becomes one U+FFFD. */
bool rf_format_append_bytes(struct rf_format_text *out, struct rf_str bytes);
bool rf_format_append_instant(struct rf_format_text *out, struct rf_instant instant);
bool rf_format_append_duration(struct rf_format_text *out, int64_t nanoseconds);

/* A clause of a template: %s %d %f %e %b %o %x %X, with a precision (%.3f), which counts for %f and %e only. */
struct rf_format_clause {
    char letter;
    unsigned precision;
    size_t at; /* of the letter, in the template */
};

enum { RF_FORMAT_PRECISION_MAX = 100 /* as cel-go */ };

enum rf_format_step {
    RF_FORMAT_CLAUSE,    /* the text before a clause was written; the clause is read */
    RF_FORMAT_END,       /* the text behind the last clause was written */
    RF_FORMAT_TOO_LONG,  /* the text */
    RF_FORMAT_PRECISION, /* above RF_FORMAT_PRECISION_MAX */
    RF_FORMAT_NO_DIGITS, /* a precision without digits */
    RF_FORMAT_CUT,       /* the template ends within a clause */
    RF_FORMAT_NO_CLAUSE  /* a letter that is none; clause->at says where */
};

/* Writes the template from byte *at to its next clause and moves *at behind that; %% is written as %. Where the template is
 * wrong, *at is the place of the %. */
enum rf_format_step rf_format_step(struct rf_format_text *out, struct rf_str template, size_t *at,
                                   struct rf_format_clause *clause);

/* %f and %e. */
bool rf_format_append_rounded(struct rf_format_text *out, const struct rf_format_clause *clause, double value);
/* %d, %b, %o, %x and %X of an INT or UINT. */
bool rf_format_append_based(struct rf_format_text *out, char letter, struct rf_number number);
/* %x and %X of a string or bytes. */
bool rf_format_append_octets(struct rf_format_text *out, char letter, struct rf_str octets);

/* Fills order[count] with the numbers from 0 on, so that none comes before one that it is behind; else they stay in their
 * order. spare[count] is scratch; the result is in one of the two. */
const uint32_t *rf_format_order(size_t count, bool (*is_behind)(const void *context, uint32_t a, uint32_t b),
                                const void *context, uint32_t *order, uint32_t *spare);

#endif
