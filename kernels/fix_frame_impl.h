/* fix_frame_impl.h: framing of usual entries; compiled once for each vector level.
 *
 * A usual entry is `[prefix]8=FIX.4.n|FIXT.1.n SEP 9=digits SEP 35=... 10=ddd SEP`, SEP one byte, BodyLength and CheckSum right,
 * followed by a line end, by another message or by the end of the span. All else is left to rf_fix_entry_next, and what is
 * taken here gets the answer that it would give.
 *
 * The including file defines
 *   sum_of(bytes, count, separator, mask)   the sum with every separator counted as SOH, and the masks of the separators
 *                                    (fix_frame.h); may read 64 bytes behind the message; also asks for memory ahead
 *   prefix_skip(bytes, at, end)      the first `8=F` from `at` on, when neither a line end nor SOH nor a digit stands before
 *                                    it; else `end`
 *   FRAME_LEVEL                      the name of the function made here
 */
#include <immintrin.h>

#include "fix_walk.h"

#define FRAME_INLINE static inline __attribute__((always_inline))

enum { FRAME_TRAILER = 7, FRAME_HEAD_MAX = 32 };

FRAME_INLINE uint64_t frame_load(const uint8_t *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

#define FRAME_BYTES(a, b, c, d, e, f, g, h)                                                                            \
    ((uint64_t)(a) | (uint64_t)(b) << 8 | (uint64_t)(c) << 16 | (uint64_t)(d) << 24 | (uint64_t)(e) << 32 |            \
     (uint64_t)(f) << 40 | (uint64_t)(g) << 48 | (uint64_t)(h) << 56)

FRAME_INLINE uint32_t frame_is_separator(uint8_t byte)
{
    return (uint32_t)(byte == 1) | (uint32_t)(byte == '|');
}

/* A choice that is to be predicted: as a conditional move it would be a part of the way from one message to the next, which
 * is what limits framing; each step of it that waits for a load or a multiplication shows. */
#define FRAME_BRANCH() __asm__ volatile("")

/* Bytes of `8=FIX.4.n` or `8=FIXT.1.n`; 0: neither. */
FRAME_INLINE uint32_t frame_begin_string(const uint8_t *at)
{
    const uint64_t head = frame_load(at);
    if (__builtin_expect(head == FRAME_BYTES('8', '=', 'F', 'I', 'X', '.', '4', '.') && rf_fix_is_digit(at[8]), 1)) {
        FRAME_BRANCH();
        return 9;
    }
    if (head == FRAME_BYTES('8', '=', 'F', 'I', 'X', 'T', '.', '1') && at[8] == '.' && rf_fix_is_digit(at[9])) {
        FRAME_BRANCH();
        return 10;
    }
    return 0;
}

FRAME_INLINE uint32_t frame_digit(const uint8_t *at, bool *is_good)
{
    const uint32_t digit = (uint32_t)*at - '0';
    *is_good &= digit < 10;
    return digit;
}

/* BodyLength, of two to four digits: how many bytes (0: none such). */
FRAME_INLINE uint32_t frame_length(const uint8_t *at, uint8_t separator, uint32_t *value)
{
    bool is_good = true;
    uint32_t digits = 0;
    uint32_t sum = frame_digit(at, &is_good) * 10 + frame_digit(at + 1, &is_good);
    if (__builtin_expect(at[3] == separator, 1)) {
        FRAME_BRANCH();
        digits = 3;
        sum = sum * 10 + frame_digit(at + 2, &is_good);
    } else if (at[2] == separator) {
        FRAME_BRANCH();
        digits = 2;
    } else if (at[4] == separator) {
        FRAME_BRANCH();
        digits = 4;
        sum = (sum * 10 + frame_digit(at + 2, &is_good)) * 10 + frame_digit(at + 3, &is_good);
    }
    *value = sum;
    return is_good ? digits : 0;
}

/* One past the message at `at`, whose first field has `version` bytes, or 0 when it is not usual. */
FRAME_INLINE uint32_t frame_message(const uint8_t *bytes, uint32_t at, uint32_t version, uint32_t end,
                                    uint8_t *separator, uint64_t *mask)
{
    const uint8_t *head = bytes + at + version;
    uint32_t length = 0;
    const uint32_t digits = frame_length(head + 3, head[0], &length);
    const uint32_t body = at + version + 4 + digits;
    const uint32_t trailer = body + length;
    const bool is_head = (version != 0) & frame_is_separator(head[0]) & (head[1] == '9') & (head[2] == '=') &
                         (digits != 0) &
                         ((frame_load(bytes + body) & 0xffffff) == FRAME_BYTES('3', '5', '=', 0, 0, 0, 0, 0)) &
                         (length != 0) & (trailer + FRAME_TRAILER <= end);
    if (__builtin_expect(!is_head, 0)) {
        return 0;
    }
    const uint64_t tail = frame_load(bytes + trailer);
    const uint32_t hundreds = (uint8_t)((tail >> 24) - '0');
    const uint32_t tens = (uint8_t)((tail >> 32) - '0');
    const uint32_t ones = (uint8_t)((tail >> 40) - '0');
    *separator = head[0];
    const bool is_trailer = ((tail & 0xffffff) == FRAME_BYTES('1', '0', '=', 0, 0, 0, 0, 0)) & (hundreds < 10) &
                            (tens < 10) & (ones < 10) & ((uint8_t)(tail >> 48) == *separator) &
                            (bytes[trailer - 1] == *separator);
    /* The trailer is summed with the rest, since its separator is to be in the masks. */
    const uint32_t trailer_sum = '1' + '0' + '=' + 3 * '0' + 1 + hundreds + tens + ones;
    const uint8_t wanted = (uint8_t)(hundreds * 100 + tens * 10 + ones + trailer_sum);
    if (__builtin_expect(!is_trailer, 0) || __builtin_expect(hundreds * 100 + tens * 10 + ones > UINT8_MAX, 0) ||
        __builtin_expect(sum_of(bytes + at, trailer + FRAME_TRAILER - at, *separator, mask) != wanted, 0)) {
        return 0;
    }
    return trailer + FRAME_TRAILER;
}

/* What follows a message; false: rf_fix_entry_tail has to look. *version: of the message that follows at once, or 0. */
FRAME_INLINE bool frame_tail(const uint8_t *bytes, uint32_t at, uint32_t end, uint32_t *next, uint32_t *version)
{
    *next = at;
    *version = 0;
    if (at == end) {
        return true;
    }
    if (bytes[at] == '\n') {
        FRAME_BRANCH();
        *next = at + 1;
        return true;
    }
    *version = frame_begin_string(bytes + at);
    return (*version != 0) & (end - at > *version) && frame_is_separator(bytes[at + *version]) != 0;
}

/* The message of the entry at `at`; `end` when there is none of the usual kind. Prefixes of a log have one length mostly. */
FRAME_INLINE uint32_t frame_prefix(const uint8_t *bytes, uint32_t at, uint32_t end, uint32_t *prefix)
{
    uint32_t message = at + *prefix;
    const uint32_t found = bytes[at] == '8' && bytes[at + 1] == '=' ? at : prefix_skip(bytes, at, end);
    if (__builtin_expect(found != message, 0)) {
        *prefix = found - at;
        message = found;
    }
    __asm__ volatile("" : "+r"(message)); /* or it would be `found`, and waited for */
    return message;
}

/* What rows that are usual have in common. */
FRAME_INLINE void rows_fill(const struct rf_fix_frame *frame, const struct rf_rows *rows, uint32_t first, uint32_t count)
{
    memset(rows->status + first, RF_ROW_REJECTED, count);
    memset(frame->flags + first, 0, count);
    memset(frame->reason + first, RF_REASON_NONE, count);
    memset(frame->fault + first, 0, count * sizeof *frame->fault);
}

uint32_t FRAME_LEVEL(struct rf_fix_frame *frame, const struct rf_batch *batch, uint32_t at, uint32_t end,
                     enum rf_fix_run run, struct rf_rows *rows)
{
    const uint8_t *bytes = batch->bytes;
    const struct rf_fix_frame to = *frame; /* what is written through it might otherwise change it */
    const struct rf_rows out = *rows;
    uint32_t row = rows->rows;
    uint32_t prefix = 0;
    uint32_t version = 0; /* of the message at `at`, when that is known already */
    while (row < out.rows_max && at < end) {
        /* What is cut off by the limit of a record is left to the rule, and so is what the padding would be read for. */
        const uint32_t stop = end - at > to.record_bytes_max ? at + to.record_bytes_max : end;
        const uint32_t message = version != 0 ? at : frame_prefix(bytes, at, stop, &prefix);
        if (message >= stop || stop - message < FRAME_HEAD_MAX) {
            break;
        }
        if (version == 0) {
            version = frame_begin_string(bytes + message);
        }
        uint8_t separator;
        const uint32_t message_end = frame_message(bytes, message, version, stop, &separator,
                                                   to.mask + (size_t)row * RF_FIX_MASK_WORDS);
        if (__builtin_expect(message_end == 0, 0)) {
            break;
        }
        uint32_t next;
        uint32_t row_end = message_end;
        const bool is_cut = message_end == stop && (stop < end || run == RF_FIX_MORE);
        if (__builtin_expect(is_cut, 0) ||
            __builtin_expect(!frame_tail(bytes, message_end, stop, &next, &version), 0)) {
            struct rf_fix_entry entry = {.message = message, .message_end = message_end};
            if (rf_fix_entry_tail(bytes, at, end, to.record_bytes_max, run, &entry) == RF_FIX_NEED_MORE) {
                break;
            }
            next = (uint32_t)entry.next;
            row_end = (uint32_t)entry.end;
            version = 0;
        }
        out.begin[row] = at;
        out.end[row] = row_end;
        to.message[row] = message;
        to.message_end[row] = message_end;
        to.separator[row] = separator == 1 ? RF_FIX_SOH : RF_FIX_PIPE;
        row++;
        at = next;
    }
    rows_fill(&to, &out, rows->rows, row - rows->rows);
    rows->rows = row;
    return at;
}
