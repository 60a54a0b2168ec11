/* chars.h: places and parts of a string, counted in code points. Nothing is written, no memory is taken.
 *
 * Data       strings are valid UTF-8. On other bytes the results are unspecified but the calls are safe: a code point
 *            is then a byte and the continuation bytes behind it.
 * Ownership  parts point into the string they were taken from; an empty part may point to its end.
 * Threads    pure functions.
 * Errors     false: an index is negative or behind the end; the result is then unchanged.
 * Cost       linear in the text and the part, whatever they hold.
 * Source     the strings extension of CEL (its conformance suite, string_ext); White_Space of Unicode 15; Crochemore
 *            and Perrin, Two-Way String-Matching, 1991, for the search from behind.
 */
#ifndef RF_CHARS_H
#define RF_CHARS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "str.h"

/* Bytes of the code point that begins at byte `at`, which is below text.count; at least 1. */
static inline size_t rf_chars_step(struct rf_str text, size_t at)
{
    size_t end = at + 1;
    while (end < text.count && ((unsigned char)text.data[end] & 0xC0) == 0x80) {
        end++;
    }
    return end - at;
}

/* One code point; the length itself as index gives "". */
bool rf_chars_at(struct rf_str text, int64_t index, struct rf_str *out);
/* CEL indexOf: the first place at or behind `from`, -1 when there is none. An empty part is at `from`. */
bool rf_chars_find(struct rf_str text, struct rf_str part, int64_t from, int64_t *out);
/* CEL lastIndexOf: the last place that begins at or before `from`, -1 when there is none. An empty part is at `from`.
 */
bool rf_chars_find_last(struct rf_str text, struct rf_str part, int64_t from, int64_t *out);
/* The same from the end of the text. */
int64_t rf_chars_find_last_any(struct rf_str text, struct rf_str part);
/* CEL substring: code points begin..end - 1; also false when begin > end. */
bool rf_chars_slice(struct rf_str text, int64_t begin, int64_t end, struct rf_str *out);
/* Without white space on both sides. U+180E, U+200B and U+FEFF are none. */
struct rf_str rf_chars_trim(struct rf_str text);
/* Equal but for the case of ASCII letters. */
bool rf_chars_equal_ascii(struct rf_str a, struct rf_str b);

/* The pieces of a text between separators, one at a time. */
struct rf_chars_split {
    struct rf_str rest; /* what has not been given out */
    struct rf_str separator;
    uint64_t pieces_left; /* at most so many pieces; the last one is the whole rest */
};

/* CEL split: limit < 0 gives all pieces, 0 none, n at most n, of which the last has the rest. An empty separator gives
 * single code points, and nothing at all for an empty text; any other gives one empty piece for it. */
struct rf_chars_split rf_chars_split_begin(struct rf_str text, struct rf_str separator, int64_t limit);
/* False when there is no further piece. */
bool rf_chars_split_next(struct rf_chars_split *split, struct rf_str *piece);

#endif
