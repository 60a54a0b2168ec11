/* fix_encode.c: begin and end of a message, and fields that are text; numbers are in fix_encode_number.c, groups in
 * fix_encode_group.c. */
#include "fix_encode.h"

#include <assert.h>
#include <string.h>

#include "fix_digits.h"
#include "fix_encode_value.h"
#include "fix_sum.h"

enum {
    TRAILER_BYTES = sizeof("10=000|") - 1,
    WIDTH_FIRST = 3, /* most messages have a body of 100 to 999 bytes */
    WIDTH_MAX = 9,
    WIDTH_KEPT_MAX = 4, /* so that no message lacks room only because the last one was huge: the trailer is longer */
    COPY_BYTES = 32     /* the texts of a template are copied in steps of it */
};

const char *rf_fix_problem_sentence(enum rf_fix_problem problem)
{
    static const char *const sentence[] = {
#define RF_FIX_PROBLEM(name, text) text,
#include "fix_problem.def"
#undef RF_FIX_PROBLEM
    };
    assert((size_t)problem < sizeof(sentence) / sizeof(sentence[0]));
    return sentence[problem];
}

void rf_fix_encoder_init(struct rf_fix_encoder *encoder)
{
    *encoder = (struct rf_fix_encoder){.day = INT32_MIN,
                                       .sequence_base = 1000, /* any that is right */
                                       .sequence_text = '1',
                                       .sequence_count = 1,
                                       .sequence_sum = '1',
                                       .problem = RF_FIX_PROBLEM_ORDER};
    memset(encoder->width, WIDTH_FIRST, sizeof(encoder->width));
    (void)rf_fix_keep_second(encoder, 0);
}

void rf_fix_fail(struct rf_fix_encoder *encoder, enum rf_fix_problem problem, uint32_t tag)
{
    if (encoder->problem == RF_FIX_PROBLEM_NONE) {
        encoder->problem = problem;
        encoder->problem_tag = tag;
        encoder->limit = encoder->at;
    }
}

uint32_t rf_fix_head_tag(uint64_t head)
{
    const unsigned count = (unsigned)(head >> 56);
    if (count == 0) {
        return (uint32_t)head;
    }
    uint32_t tag = 0;
    for (unsigned i = 0; i + 1 < count; i++) {
        tag = tag * 10 + ((uint32_t)(head >> (8 * i)) & 15);
    }
    return tag;
}

/* The quick ways are functions that call nothing, so that they need not save registers; what calls is on its own. */
static __attribute__((noinline)) void begin_exactly(struct rf_fix_encoder *encoder, size_t bytes)
{
    const struct rf_fix_template *const header = encoder->header;
    char *const buffer = encoder->begin;
    const size_t fixed_at = header->head_bytes + encoder->room_digits;
    encoder->at = buffer;
    if (bytes < fixed_at + header->fixed_bytes) {
        rf_fix_fail(encoder, RF_FIX_PROBLEM_ROOM, 0);
        return;
    }
    memcpy(buffer, header->head, header->head_bytes);
    memcpy(buffer + fixed_at, header->fixed, header->fixed_bytes);
    encoder->body = buffer + fixed_at + 1;
    encoder->at = buffer + fixed_at + header->fixed_bytes;
    encoder->unsummed = encoder->at;
}

void rf_fix_begin(struct rf_fix_encoder *encoder, const struct rf_fix_template *header, char *buffer, size_t bytes)
{
    const size_t width = encoder->width[header->slot];
    encoder->begin = buffer;
    encoder->limit = buffer + bytes;
    encoder->header = header;
    encoder->room_digits = (uint32_t)width;
    encoder->depth = 0;
    encoder->problem = RF_FIX_PROBLEM_NONE;
    encoder->problem_tag = 0;
    encoder->sum = header->sum;
    if (__builtin_expect(bytes < RF_FIX_HEAD_BYTES + WIDTH_MAX + RF_FIX_FIXED_BYTES, 0)) {
        begin_exactly(encoder, bytes);
        return;
    }
    char *const fixed = buffer + header->head_bytes + width;
    encoder->body = fixed + 1;
    encoder->at = fixed + header->fixed_bytes;
    encoder->unsummed = encoder->at;
    memcpy(buffer, header->head, COPY_BYTES);
    if (__builtin_expect(header->head_bytes > COPY_BYTES, 0)) {
        memcpy(buffer + COPY_BYTES, header->head + COPY_BYTES, COPY_BYTES);
    }
    for (size_t i = 0; i < header->fixed_bytes; i += 2 * COPY_BYTES) {
        memcpy(fixed + i, header->fixed + i, (size_t)2 * COPY_BYTES);
    }
}

void rf_fix_append_raw(struct rf_fix_encoder *encoder, uint64_t head, const char *value, size_t count)
{
    char text[RF_FIX_DIGITS_ROOM];
    size_t text_count = (size_t)(head >> 56);
    if (encoder->problem != RF_FIX_PROBLEM_NONE) {
        return;
    }
    if (text_count != 0) {
        rf_fix_word_store(text, head);
    } else if (rf_fix_tag_is_free((uint32_t)head)) {
        char *const end = rf_fix_digits_write(text, head);
        *end = '=';
        text_count = (size_t)(end + 1 - text);
    } else {
        rf_fix_fail(encoder, RF_FIX_PROBLEM_TAG, (uint32_t)head);
        return;
    }
    const size_t room = (size_t)(encoder->limit - encoder->at);
    if (count >= room || text_count >= room - count) {
        rf_fix_fail(encoder, RF_FIX_PROBLEM_ROOM, rf_fix_head_tag(head));
        return;
    }
    memcpy(encoder->at, text, text_count);
    memcpy(encoder->at + text_count, value, count);
    encoder->at[text_count + count] = RF_FIX_SOH_BYTE;
    encoder->at += text_count + count + 1;
}

/* ---- Text ---- */

static inline uint64_t word_load(const char *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof(word));
    return word;
}

static inline uint32_t half_load(const char *at)
{
    uint32_t half;
    memcpy(&half, at, sizeof(half));
    return half;
}

/* Not 0 when a byte of the word is SOH. */
static inline uint64_t word_separators(uint64_t word)
{
    const uint64_t ones = 0x0101010101010101ull;
    const uint64_t differs = word ^ (ones * RF_FIX_SOH_BYTE);
    return (differs - ones) & ~differs & (ones << 7);
}

/* Copies 1 to 32 bytes, reading and writing no other: long ones by words that overlap in the middle. Not 0 when there is a
 * SOH among them. */
static inline uint64_t text_copy(char *to, const char *from, size_t count)
{
    if (count >= 8) {
        const uint64_t first = word_load(from);
        const uint64_t last = word_load(from + count - 8);
        uint64_t found = word_separators(first) | word_separators(last);
        if (count > 16) {
            const uint64_t second = word_load(from + 8);
            const uint64_t third = word_load(from + count - 16);
            found |= word_separators(second) | word_separators(third);
            memcpy(to + 8, &second, 8);
            memcpy(to + count - 16, &third, 8);
        }
        memcpy(to, &first, 8);
        memcpy(to + count - 8, &last, 8);
        return found;
    }
    if (count >= 4) {
        const uint32_t first = half_load(from);
        const uint32_t last = half_load(from + count - 4);
        memcpy(to, &first, 4);
        memcpy(to + count - 4, &last, 4);
        return word_separators(first | (uint64_t)last << 32);
    }
    const char middle = from[count / 2];
    const char last = from[count - 1];
    const bool is_found = from[0] == RF_FIX_SOH_BYTE || middle == RF_FIX_SOH_BYTE || last == RF_FIX_SOH_BYTE;
    to[0] = from[0];
    to[count / 2] = middle;
    to[count - 1] = last;
    return is_found;
}

static void text_append_any(struct rf_fix_encoder *encoder, uint64_t head, const char *text, size_t count)
{
    if (count == 0) {
        rf_fix_fail(encoder, RF_FIX_PROBLEM_EMPTY, rf_fix_head_tag(head));
    } else if (memchr(text, RF_FIX_SOH_BYTE, count) != NULL) {
        rf_fix_fail(encoder, RF_FIX_PROBLEM_SEPARATOR, rf_fix_head_tag(head));
    } else {
        rf_fix_append_raw(encoder, head, text, count);
    }
}

void rf_fix_append_text(struct rf_fix_encoder *encoder, uint64_t head, const char *text, size_t count)
{
    enum { SHORT_MAX = 32 };
    char *const value = fix_value_begin(encoder, head, NULL);
    if (value == NULL || count - 1 >= SHORT_MAX) {
        text_append_any(encoder, head, text, count);
        return;
    }
    const uint64_t separators = text_copy(value, text, count);
    if (__builtin_expect(separators != 0, 0)) {
        rf_fix_fail(encoder, RF_FIX_PROBLEM_SEPARATOR, rf_fix_head_tag(head));
        return;
    }
    value[count] = RF_FIX_SOH_BYTE;
    encoder->at = value + count + 1;
}

void rf_fix_append_char(struct rf_fix_encoder *encoder, uint64_t head, char value)
{
    char *const at = fix_value_begin(encoder, head, NULL);
    if (at == NULL || value == RF_FIX_SOH_BYTE) {
        text_append_any(encoder, head, &value, 1);
        return;
    }
    at[0] = value;
    at[1] = RF_FIX_SOH_BYTE;
    encoder->at = at + 2;
}

/* ---- Data ---- */

static bool pair_is_known(uint32_t length_tag, uint32_t data_tag)
{
    switch (length_tag) {
#define RF_FIX_DATA(length, data)                                                                                      \
    case length:                                                                                                       \
        return data_tag == (data);
#include "fix_data.def"
#undef RF_FIX_DATA
    default:
        return false;
    }
}

void rf_fix_put_data(struct rf_fix_encoder *encoder, uint32_t length_tag, uint32_t data_tag, struct rf_str value)
{
    if (value.count == 0) {
        rf_fix_fail(encoder, RF_FIX_PROBLEM_EMPTY, data_tag);
        return;
    }
    if (!pair_is_known(length_tag, data_tag) && memchr(value.data, RF_FIX_SOH_BYTE, value.count) != NULL) {
        rf_fix_fail(encoder, RF_FIX_PROBLEM_SEPARATOR, data_tag);
        return;
    }
    rf_fix_put_uint(encoder, length_tag, value.count);
    rf_fix_append_raw(encoder, rf_fix_head(data_tag), value.data, value.count);
}

/* ---- The end ---- */

static size_t width_of(size_t body_bytes)
{
    size_t width = 1;
    for (size_t power = 10; body_bytes >= power && width < WIDTH_MAX; power *= 10) {
        width++;
    }
    return width;
}

/* BodyLength has another count of digits than there is room for. */
static __attribute__((noinline)) bool body_move(struct rf_fix_encoder *encoder, size_t width)
{
    char *const from = encoder->body - 1; /* the separator behind the digits moves too */
    char *const to = from - encoder->room_digits + width;
    if (to > from && to - from > encoder->limit - encoder->at) {
        return false;
    }
    memmove(to, from, (size_t)(encoder->at - from));
    encoder->at += to - from;
    encoder->body += to - from;
    encoder->unsummed += to - from;
    encoder->room_digits = (uint32_t)width;
    encoder->width[encoder->header->slot] = (uint8_t)(width < WIDTH_KEPT_MAX ? width : WIDTH_KEPT_MAX);
    return true;
}

static __attribute__((noinline)) uint32_t length_write_long(char *end, size_t width, uint32_t body_bytes)
{
    uint32_t sum = 0;
    for (size_t i = 1; i <= width; i++) {
        const uint32_t digit = '0' + body_bytes % 10;
        end[-(ptrdiff_t)i] = (char)digit;
        sum += digit;
        body_bytes /= 10;
    }
    return sum;
}

/* The digits of BodyLength in front of its separator at `end`; returns their sum. */
static inline uint32_t length_write(char *end, size_t width, uint32_t body_bytes)
{
    if (__builtin_expect(width <= 3, 1)) {
        const uint32_t three = rf_fix_three[body_bytes];
        end[-1] = (char)(three >> 16);
        if (width >= 2) {
            end[-2] = (char)(three >> 8);
        }
        if (width == 3) {
            end[-3] = (char)three;
        }
        return (three >> 24) + '0' * (uint32_t)width;
    }
    return length_write_long(end, width, body_bytes);
}

static __attribute__((noinline, cold)) enum rf_status problem_tell(struct rf_fix_encoder *encoder,
                                                                   struct rf_str *message, struct rf_error *err)
{
    if (encoder->depth != 0) {
        rf_fix_fail(encoder, RF_FIX_PROBLEM_GROUP, 0);
    }
    const enum rf_status status = encoder->problem == RF_FIX_PROBLEM_ROOM ? RF_E_LIMIT : RF_E_USAGE;
    const char *const sentence = rf_fix_problem_sentence(encoder->problem);
    *message = (struct rf_str){0};
    if (encoder->problem_tag == 0) {
        RF_FAIL(err, status, "FIX message: %s", sentence);
    }
    RF_FAIL(err, status, "FIX message, tag %u: %s", encoder->problem_tag, sentence);
}

/* The frame around a body for which there is room: BodyLength, CheckSum. */
static inline enum rf_status frame_write(struct rf_fix_encoder *encoder, struct rf_str *message, size_t width,
                                         uint32_t sum)
{
    char *const end = encoder->at;
    char *const body = encoder->body;
    sum += length_write(body - 1, width, (uint32_t)(end - body));
    const uint64_t text =
        '1' | '0' << 8 | '=' << 16 | (uint64_t)(rf_fix_three[sum & 255] & 0xffffff) << 24 | (uint64_t)RF_FIX_SOH_BYTE << 48;
    if (__builtin_expect(encoder->limit - end > TRAILER_BYTES, 1)) {
        rf_fix_word_store(end, text);
    } else {
        char word[8];
        rf_fix_word_store(word, text);
        memcpy(end, word, TRAILER_BYTES);
    }
    message->data = encoder->begin;
    message->count = (size_t)(end + TRAILER_BYTES - encoder->begin);
    encoder->problem = RF_FIX_PROBLEM_ORDER; /* until the next begin */
    encoder->limit = end;
    return RF_OK;
}

static __attribute__((noinline)) enum rf_status end_with_care(struct rf_fix_encoder *encoder, struct rf_str *message,
                                                              struct rf_error *err)
{
    if (((uint32_t)encoder->problem | encoder->depth) != 0) {
        return problem_tell(encoder, message, err);
    }
    const size_t body_bytes = (size_t)(encoder->at - encoder->body);
    if (body_bytes > RF_FIX_BYTES_MAX) {
        rf_fix_fail(encoder, RF_FIX_PROBLEM_LENGTH, 0);
        return problem_tell(encoder, message, err);
    }
    const size_t width = width_of(body_bytes);
    if ((width != encoder->room_digits && !body_move(encoder, width)) || encoder->limit - encoder->at < TRAILER_BYTES) {
        rf_fix_fail(encoder, RF_FIX_PROBLEM_ROOM, 0);
        return problem_tell(encoder, message, err);
    }
    const uint32_t sum = rf_fix_text_sum(encoder->unsummed, (size_t)(encoder->at - encoder->unsummed));
    return frame_write(encoder, message, width, encoder->sum + sum);
}

enum rf_status rf_fix_end(struct rf_fix_encoder *encoder, struct rf_str *message, struct rf_error *err)
{
    /* Of a message that has failed this is some number or other. */
    const size_t body_bytes = (size_t)((uintptr_t)encoder->at - (uintptr_t)encoder->body);
    const size_t width = 1 + (size_t)(body_bytes > 9) + (size_t)(body_bytes > 99);
    if (__builtin_expect(((uint32_t)encoder->problem | encoder->depth) != 0 || body_bytes > 999 ||
                             width != encoder->room_digits || encoder->limit - encoder->at < TRAILER_BYTES ||
                             encoder->at != encoder->unsummed,
                         0)) {
        return end_with_care(encoder, message, err);
    }
    return frame_write(encoder, message, width, encoder->sum);
}
