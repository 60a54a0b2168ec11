/* fix_template.h: the beginning that all messages of one type have in common.
 *
 * Purpose    BeginString, MsgType and the header fields that do not change (SenderCompID, TargetCompID, ...) are checked,
 *            written and summed once for each session and type of message, not once for each message.
 * Data       head   "8=FIX.4.4|9="                             then the digits of BodyLength, which a message has of its own
 *            fixed  "|35=D|49=SENDER|56=TARGET|"               (| is SOH)
 * Ownership  plain data, no heap; texts are copied into it.
 * Threads    immutable once opened: any number of encoders may use it.
 * Errors     RF_E_USAGE for a value or tag that is none; RF_E_LIMIT beyond the sizes below.
 */
#ifndef RF_FIX_TEMPLATE_H
#define RF_FIX_TEMPLATE_H

#include "status.h"
#include "str.h"

enum {
    RF_FIX_SOH_BYTE = 1,
    RF_FIX_HEAD_BYTES = 32,   /* of `head`: BeginString has up to 27 bytes */
    RF_FIX_FIXED_BYTES = 256, /* of `fixed` */
    RF_FIX_WIDTH_SLOTS = 16   /* of struct rf_fix_encoder */
};

struct rf_fix_fixed_field {
    uint32_t tag;
    struct rf_str value;
};

struct rf_fix_template {
    char head[RF_FIX_HEAD_BYTES];
    char fixed[RF_FIX_FIXED_BYTES];
    uint32_t head_bytes;
    uint32_t fixed_bytes; /* with the separator in front, which ends BodyLength */
    uint32_t sum;         /* of both */
    uint32_t slot;        /* where encoders remember how many digits BodyLength had */
};

/* fields may be 0. Their tags may be any but 8, 9, 10 and 35, in the order in which they are to stand. */
enum rf_status rf_fix_template_open(struct rf_fix_template *out, struct rf_str begin_string, struct rf_str msg_type,
                                    const struct rf_fix_fixed_field *field, size_t fields, struct rf_error *err);

#endif
