/* fix_wire.h: fields that are texts already, to a message of any length and with any separator.
 *
 * Purpose    What turns other forms of a message back into FIX: values come as texts, how many nobody knows, and the message
 *            may be meant for a log. (fix_encode.h makes messages of values, with SOH, in a buffer of the caller's; here
 *            the buffer grows, and BodyLength and CheckSum are counted along with SOH in place of what is written.)
 * Data       A separator other than SOH must be told from the values: a value that holds it is refused. Raw data may hold
 *            SOH, which is then written as the separator is, the way logs do; with `|` only where no data of the message has a
 *            `|` of its own (fix_entry.h says how it is read).
 * Ownership  rf_fix_wire_close frees.
 * Threads    one thread at a time.
 * Errors     RF_E_MEMORY. What is wrong with a field is told by a sentence: *problem, NULL when nothing is.
 */
#ifndef RF_FIX_WIRE_H
#define RF_FIX_WIRE_H

#include "fix_start.h"
#include "text.h"

struct rf_fix_wire {
    enum rf_fix_separator separator;
    struct rf_text body;
    uint64_t body_bytes;    /* with SOH for separators */
    uint32_t sum;           /* of those bytes */
    bool has_soh, has_mark; /* in data: SOH, and what is written for it */
};

void rf_fix_wire_close(struct rf_fix_wire *wire);
/* Starts a message: forgets the last one. */
void rf_fix_wire_begin(struct rf_fix_wire *wire, enum rf_fix_separator separator);
/* is_data: the field just put says the length of the value, so that readers do not look for separators in it. */
enum rf_status rf_fix_wire_put(struct rf_fix_wire *wire, uint32_t tag, struct rf_str value, bool is_data,
                               const char **problem, struct rf_error *err);
/* Appends `8=` begin_string, BodyLength, what was put, and CheckSum. */
enum rf_status rf_fix_wire_end(struct rf_fix_wire *wire, struct rf_str begin_string, struct rf_text *out,
                               const char **problem, struct rf_error *err);

#endif
