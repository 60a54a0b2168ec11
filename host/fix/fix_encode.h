/* fix_encode.h: builds FIX messages into the caller's buffer.
 *
 * Purpose    Header, body, groups, data fields, BodyLength and CheckSum, without allocation and without formatting functions:
 *
 *                rf_fix_begin(&encoder, &order, buffer, sizeof(buffer));
 *                rf_fix_put_uint(&encoder, 34, sequence);
 *                rf_fix_put_time(&encoder, 52, now_ns, RF_FIX_MILLISECONDS);
 *                rf_fix_put_text(&encoder, 55, symbol);
 *                rf_fix_put_decimal(&encoder, 44, 4105, -1);
 *                RF_TRY(rf_fix_end(&encoder, &message, err));
 *
 * Data       The message begins at the first byte of the buffer, so that messages can stand back to back in one. BodyLength
 *            has no zeros in front: room for as many digits is left as the last message of this type needed, and when this
 *            one needs another count the body is moved by the difference, once, at the end. (What lost: the body at a fixed
 *            place and the header written backwards in front of it moves nothing, but leaves gaps between messages; a pass
 *            that counts first does everything twice.)
 * Ownership  the encoder is plain data of the caller's, as is the buffer; the template must live until rf_fix_end. Bytes of
 *            the buffer behind the message may be overwritten, bytes behind the buffer never are.
 * Threads    an encoder and its buffer belong to one thread at a time.
 * Errors     a problem sticks to the message: further calls do nothing, and rf_fix_end tells the first problem with its tag
 *            (fix_problem.def). The next rf_fix_begin starts afresh.
 * Cost       for a field one check of the room (64 bytes; where there are less the exact room is looked at).
 */
#ifndef RF_FIX_ENCODE_H
#define RF_FIX_ENCODE_H

#include "fix_digits.h"
#include "fix_template.h"
#include "status.h"
#include "str.h"

enum rf_fix_problem {
#define RF_FIX_PROBLEM(name, sentence) RF_FIX_PROBLEM_##name,
#include "fix_problem.def"
#undef RF_FIX_PROBLEM
};

enum rf_fix_precision { RF_FIX_SECONDS, RF_FIX_MILLISECONDS, RF_FIX_MICROSECONDS, RF_FIX_NANOSECONDS };

enum {
    RF_FIX_FIELD_ROOM = 64, /* with so many bytes left a short field is written without a further look */
    RF_FIX_PUT_TAG_MAX = 999999999,
    RF_FIX_BYTES_MAX = 999999999, /* of a body */
    RF_FIX_PUT_DEPTH_MAX = 8,
    RF_FIX_EXPONENT_MAX = 18,
    RF_FIX_SECOND_BYTES = 24 /* "20260102-10:00:00", and what is copied with it */
};

struct rf_fix_open_group {
    size_t field_begin; /* of the count field, from the message's first byte */
    size_t digit;       /* its only digit so far */
    size_t entry_begin;
    uint32_t entries;
};

struct rf_fix_encoder {
    char *at;       /* where the next field goes */
    char *limit;    /* one past the buffer; equal to `at` after a problem, so that nobody finds room */
    char *begin;    /* of the message; NULL when none is begun */
    char *body;     /* what BodyLength counts begins here */
    char *unsummed; /* bytes in front of it are in `sum`; BodyLength is not */
    const struct rf_fix_template *header;
    uint32_t sum;
    uint32_t second_sum;  /* of its text */
    uint64_t second_ns;   /* when the second began whose text is kept, nanoseconds since 1970 modulo 2^64 */
    int32_t day;          /* of it */
    uint32_t room_digits; /* left for BodyLength */
    uint32_t depth;       /* of open groups */
    enum rf_fix_problem problem;
    uint32_t problem_tag;    /* 0: of no field */
    uint64_t sequence_base;  /* the last sequence number less its last three digits */
    uint64_t sequence_text;  /* what stands in front of those three, first character lowest */
    uint32_t sequence_count; /* bytes of it */
    uint32_t sequence_sum;
    char second_text[RF_FIX_SECOND_BYTES]; /* "YYYYMMDD-HH:MM:SS" */
    uint8_t width[RF_FIX_WIDTH_SLOTS];     /* digits of the last BodyLength, by type of message */
    struct rf_fix_open_group group[RF_FIX_PUT_DEPTH_MAX];
};

const char *rf_fix_problem_sentence(enum rf_fix_problem problem);

static inline bool rf_fix_tag_is_free(uint32_t tag)
{
    return tag >= 1 && tag <= RF_FIX_PUT_TAG_MAX && (tag < 8 || tag > 10) && tag != 35;
}

void rf_fix_encoder_init(struct rf_fix_encoder *encoder);

/* Starts a message; what was begun before and not ended is forgotten. buffer is not NULL, also when bytes is 0. */
void rf_fix_begin(struct rf_fix_encoder *encoder, const struct rf_fix_template *header, char *buffer, size_t bytes);
/* Writes BodyLength and CheckSum. *message: the whole message, at the begin of the buffer. RF_E_LIMIT when the buffer is too
 * small, RF_E_USAGE for other problems; encoder->problem says which. */
enum rf_status rf_fix_end(struct rf_fix_encoder *encoder, struct rf_str *message, struct rf_error *err);

/* MsgSeqNum (34) and SendingTime (52), which every message has. The same as two puts, and quicker. */
void rf_fix_put_header(struct rf_fix_encoder *encoder, uint64_t sequence, int64_t nanoseconds,
                       enum rf_fix_precision precision);

/* ---- A tag as it is written ---- */

enum { RF_FIX_HEADS = 1000 };
extern const uint64_t rf_fix_heads[RF_FIX_HEADS]; /* of the tags below 1000, for callers whose tags are no constants */

/* "55=" in the lowest bytes, first character lowest, and their count in the highest. A tag of seven digits and more and one
 * that may not be put have the count 0 and are themselves the lower half. Of a constant tag it is a constant. */
static inline uint64_t rf_fix_head(uint32_t tag)
{
    if (!__builtin_constant_p(tag) && tag < RF_FIX_HEADS) {
        return rf_fix_heads[tag];
    }
    if (!rf_fix_tag_is_free(tag) || tag > 999999) {
        return tag;
    }
    uint64_t text = '=';
    uint64_t count = 1;
    do {
        text = text << 8 | ('0' + tag % 10);
        tag /= 10;
        count++;
    } while (tag != 0);
    return text | count << 56;
}

void rf_fix_append_text(struct rf_fix_encoder *encoder, uint64_t head, const char *text, size_t count);
void rf_fix_append_char(struct rf_fix_encoder *encoder, uint64_t head, char value);
void rf_fix_append_int(struct rf_fix_encoder *encoder, uint64_t head, int64_t value);
void rf_fix_append_uint(struct rf_fix_encoder *encoder, uint64_t head, uint64_t value);
void rf_fix_append_double(struct rf_fix_encoder *encoder, uint64_t head, double value);
void rf_fix_append_decimal(struct rf_fix_encoder *encoder, uint64_t head, int64_t mantissa, int32_t exponent);
void rf_fix_append_time(struct rf_fix_encoder *encoder, uint64_t head, int64_t nanoseconds,
                        enum rf_fix_precision precision);
void rf_fix_append_group(struct rf_fix_encoder *encoder, uint64_t head);

/* ---- Fields ---- */

/* Any bytes but SOH, at least one. */
static inline void rf_fix_put_text(struct rf_fix_encoder *encoder, uint32_t tag, struct rf_str value)
{
    rf_fix_append_text(encoder, rf_fix_head(tag), value.data, value.count);
}

static inline void rf_fix_put_char(struct rf_fix_encoder *encoder, uint32_t tag, char value)
{
    const uint64_t head = rf_fix_head(tag);
    char *const at = encoder->at;
    /* In the caller, where the tag is a constant: what is left are two stores. */
    if (__builtin_expect(encoder->limit - at < RF_FIX_FIELD_ROOM || head >> 56 == 0 || value == RF_FIX_SOH_BYTE, 0)) {
        rf_fix_append_char(encoder, head, value);
        return;
    }
    rf_fix_word_store(at, head);
    at[head >> 56] = value;
    at[(head >> 56) + 1] = RF_FIX_SOH_BYTE;
    encoder->at = at + (head >> 56) + 2;
}

static inline void rf_fix_put_bool(struct rf_fix_encoder *encoder, uint32_t tag, bool value)
{
    rf_fix_put_char(encoder, tag, value ? 'Y' : 'N');
}

static inline void rf_fix_put_int(struct rf_fix_encoder *encoder, uint32_t tag, int64_t value)
{
    rf_fix_append_int(encoder, rf_fix_head(tag), value);
}

/* Also MsgSeqNum (34), lengths, and the count of a group whose entries are known beforehand. */
static inline void rf_fix_put_uint(struct rf_fix_encoder *encoder, uint32_t tag, uint64_t value)
{
    rf_fix_append_uint(encoder, rf_fix_head(tag), value);
}

/* The shortest decimal text that reads back as the same double, without an exponent; finite only. -0.0 is "0". */
static inline void rf_fix_put_double(struct rf_fix_encoder *encoder, uint32_t tag, double value)
{
    rf_fix_append_double(encoder, rf_fix_head(tag), value);
}

/* mantissa * 10^exponent, with as many decimals as the exponent says: (1250, -2) is "12.50". */
static inline void rf_fix_put_decimal(struct rf_fix_encoder *encoder, uint32_t tag, int64_t mantissa, int32_t exponent)
{
    rf_fix_append_decimal(encoder, rf_fix_head(tag), mantissa, exponent);
}

/* UTCTimestamp of nanoseconds since 1970, cut (not rounded) to the precision. */
static inline void rf_fix_put_time(struct rf_fix_encoder *encoder, uint32_t tag, int64_t nanoseconds,
                                   enum rf_fix_precision precision)
{
    rf_fix_append_time(encoder, rf_fix_head(tag), nanoseconds, precision);
}

/* The length field and the data field. Data of the pairs in fix_data.def may hold separators; of another pair they may not,
 * because a reader would not know to skip them. At least one byte. */
void rf_fix_put_data(struct rf_fix_encoder *encoder, uint32_t length_tag, uint32_t data_tag, struct rf_str value);

/* ---- Repeating groups whose entries are counted while they are written ---- */

/* Between open and shut each entry starts with rf_fix_group_next and has at least one field. Without an entry the count
 * field is taken back, which every version of FIX reads as none; but room for it is needed meanwhile. */
static inline void rf_fix_group_open(struct rf_fix_encoder *encoder, uint32_t count_tag)
{
    rf_fix_append_group(encoder, rf_fix_head(count_tag));
}
void rf_fix_group_next(struct rf_fix_encoder *encoder);
void rf_fix_group_shut(struct rf_fix_encoder *encoder);

/* ---- Shared by the files of the encoder ---- */

/* Remembers the first problem of a message; tag 0: of no field. */
void rf_fix_fail(struct rf_fix_encoder *encoder, enum rf_fix_problem problem, uint32_t tag);
/* The tag that a head was made of. */
uint32_t rf_fix_head_tag(uint64_t head);
/* Any value in exactly the room that it needs; nothing of it is looked at. */
void rf_fix_append_raw(struct rf_fix_encoder *encoder, uint64_t head, const char *value, size_t count);

#endif
