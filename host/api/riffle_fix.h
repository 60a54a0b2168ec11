/* riffle_fix.h: the C API of riffle for building FIX messages.
 *
 * Purpose    Messages with header, body, repeating groups, data fields, BodyLength and CheckSum, in the caller's buffer and
 *            without allocation:
 *
 *                struct riffle_fix_field header[] = {{49, "SENDER", 6}, {56, "TARGET", 6}};
 *                struct riffle_fix_template order;
 *                struct riffle_fix_encoder encoder;
 *                riffle_fix_template_init(&order, "FIX.4.4", "D", header, 2, &error);    once for a session and MsgType
 *                riffle_fix_encoder_init(&encoder);                                      once for a thread
 *
 *                riffle_fix_begin(&encoder, &order, buffer, sizeof(buffer));             for each message
 *                riffle_fix_put_header(&encoder, sequence, now_ns, RIFFLE_FIX_MILLISECONDS);
 *                riffle_fix_put_text(&encoder, 55, "MSFT", 4);
 *                riffle_fix_put_char(&encoder, 54, '1');
 *                riffle_fix_put_decimal(&encoder, 44, 41050, -2);
 *                riffle_fix_end(&encoder, &count, &error);
 *
 * Data       A message begins at the first byte of the buffer and has `count` bytes; messages can stand back to back. Tags
 *            are 1 to 999999999. 8, 9, 10 and 35 are written by the encoder: no call puts them.
 * Ownership  templates and encoders are plain data of the caller's; nothing is to be closed. Texts that a template is made of
 *            are copied. The template must live until riffle_fix_end. Of the buffer, bytes behind the message may be
 *            overwritten; no byte outside it is.
 * Threads    a template is immutable: any number of threads may use it. An encoder belongs to one thread at a time.
 * Errors     a problem (a text with SOH, tag 0, no room left) sticks to the message: further calls do nothing, and
 *            riffle_fix_end tells the first one with its tag. The next riffle_fix_begin starts afresh.
 * ABI        an encoder that was made by one version of the library is used by that version only.
 */
#ifndef RIFFLE_FIX_H
#define RIFFLE_FIX_H

#include "riffle.h"

#ifdef __cplusplus
extern "C" {
#endif

struct riffle_fix_template {
    uint64_t reserved[56]; /* for the library */
};
struct riffle_fix_encoder {
    uint64_t reserved[72];
};

struct riffle_fix_field {
    uint32_t tag;
    const char *value; /* at least one byte, and no SOH */
    size_t count;
};

enum riffle_fix_precision {
    RIFFLE_FIX_SECONDS, /* 20260102-10:00:00 */
    RIFFLE_FIX_MILLISECONDS,
    RIFFLE_FIX_MICROSECONDS,
    RIFFLE_FIX_NANOSECONDS
};

/* BeginString, MsgType and the header fields that all messages have in common, in that order; fields may be 0. BeginString has
 * up to 27 bytes, all of it together about 250. RIFFLE_E_USAGE, RIFFLE_E_LIMIT. */
RIFFLE_API enum riffle_status riffle_fix_template_init(struct riffle_fix_template *out, const char *begin_string,
                                                       const char *msg_type, const struct riffle_fix_field *field,
                                                       size_t fields, struct riffle_error *error);
RIFFLE_API void riffle_fix_encoder_init(struct riffle_fix_encoder *encoder);

/* What was begun before and not ended is forgotten. buffer is not NULL. */
RIFFLE_API void riffle_fix_begin(struct riffle_fix_encoder *encoder, const struct riffle_fix_template *header,
                                 char *buffer, size_t bytes);
/* BodyLength and CheckSum. *count: bytes of the message, 0 on failure. RIFFLE_E_LIMIT: the buffer is too small;
 * RIFFLE_E_USAGE: another problem. */
RIFFLE_API enum riffle_status riffle_fix_end(struct riffle_fix_encoder *encoder, size_t *count,
                                             struct riffle_error *error);

/* ---- Fields ---- */

/* MsgSeqNum (34) and SendingTime (52); quickest as the first fields. */
RIFFLE_API void riffle_fix_put_header(struct riffle_fix_encoder *encoder, uint64_t sequence, int64_t nanoseconds,
                                      enum riffle_fix_precision precision);
/* Any bytes but SOH, at least one. */
RIFFLE_API void riffle_fix_put_text(struct riffle_fix_encoder *encoder, uint32_t tag, const char *text, size_t count);
RIFFLE_API void riffle_fix_put_char(struct riffle_fix_encoder *encoder, uint32_t tag, char value);
RIFFLE_API void riffle_fix_put_bool(struct riffle_fix_encoder *encoder, uint32_t tag, bool value); /* Y or N */
RIFFLE_API void riffle_fix_put_int(struct riffle_fix_encoder *encoder, uint32_t tag, int64_t value);
RIFFLE_API void riffle_fix_put_uint(struct riffle_fix_encoder *encoder, uint32_t tag, uint64_t value);
/* The shortest decimal text that reads back as the same double, without an exponent; finite only. */
RIFFLE_API void riffle_fix_put_double(struct riffle_fix_encoder *encoder, uint32_t tag, double value);
/* mantissa * 10^exponent with as many decimals as the exponent (-18 to 18) says: 1250, -2 is "12.50". */
RIFFLE_API void riffle_fix_put_decimal(struct riffle_fix_encoder *encoder, uint32_t tag, int64_t mantissa,
                                       int32_t exponent);
/* UTCTimestamp of nanoseconds since 1970, cut to the precision. */
RIFFLE_API void riffle_fix_put_time(struct riffle_fix_encoder *encoder, uint32_t tag, int64_t nanoseconds,
                                    enum riffle_fix_precision precision);
/* The length field and the data field. Only data of the pairs of the FIX standard (95/96, 212/213, 354/355, ...) may hold SOH. */
RIFFLE_API void riffle_fix_put_data(struct riffle_fix_encoder *encoder, uint32_t length_tag, uint32_t data_tag,
                                    const void *bytes, size_t count);

/* ---- Repeating groups ---- */

/* Between open and shut each entry starts with next and has at least one field; the count is written by shut. Up to 8 deep.
 * A group without entries leaves no field. Where the count is known, riffle_fix_put_uint and the fields do as well. */
RIFFLE_API void riffle_fix_group_open(struct riffle_fix_encoder *encoder, uint32_t count_tag);
RIFFLE_API void riffle_fix_group_next(struct riffle_fix_encoder *encoder);
RIFFLE_API void riffle_fix_group_shut(struct riffle_fix_encoder *encoder);

#ifdef __cplusplus
}
#endif

#endif
