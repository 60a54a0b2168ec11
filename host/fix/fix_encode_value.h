/* fix_encode_value.h: where the value of a field is written: into the buffer, or into a scratch that is copied.
 *
 * Purpose    The quick way of every field that is short: 64 bytes of room are all the check there is, and tag and value are
 *            stored as whole words beyond their ends. Near the end of the buffer, for long tags and after a problem the value
 *            is made in a scratch and goes the exact way.
 * Threads    as fix_encode.h.
 */
#ifndef RF_FIX_ENCODE_VALUE_H
#define RF_FIX_ENCODE_VALUE_H

#include "fix_encode.h"

enum { FIX_VALUE_ROOM = 56 }; /* of a value, with what is stored beyond its end; the longest tag here has 7 bytes */

/* Makes the text of the second that the time lies in; false: it is out of range, which is told as a problem. */
bool rf_fix_keep_second(struct rf_fix_encoder *encoder, int64_t nanoseconds);

/* Writes the tag and returns where its value goes; or scratch, which may be NULL. */
static inline char *fix_value_begin(struct rf_fix_encoder *encoder, uint64_t head, char *scratch)
{
    char *const at = encoder->at;
    const size_t count = (size_t)(head >> 56);
    if (__builtin_expect(encoder->limit - at < RF_FIX_FIELD_ROOM || count == 0, 0)) {
        return scratch;
    }
    rf_fix_word_store(at, head);
    return at + count;
}

static inline void fix_value_end(struct rf_fix_encoder *encoder, uint64_t head, const char *scratch, char *begin,
                                 char *end)
{
    if (__builtin_expect(begin == scratch, 0)) {
        rf_fix_append_raw(encoder, head, begin, (size_t)(end - begin));
        return;
    }
    *end = RF_FIX_SOH_BYTE;
    encoder->at = end + 1;
}

#endif
