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
    *encoder = (struct rf_fix_encoder){.second = INT64_MIN, .day = INT32_MIN, .problem = RF_FIX_PROBLEM_ORDER};
    memset(encoder->width, WIDTH_FIRST, sizeof(encoder->width));
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

void rf_fix_begin(struct rf_fix_encoder *encoder, const struct rf_fix_template *header, char *buffer, size_t bytes)
{
    const size_t width = encoder->width[header->slot];
    const size_t head_bytes = header->head_bytes;
    const size_t fixed_bytes = header->fixed_bytes;
    encoder->begin = buffer;
    encoder->header = header;
    encoder->depth = 0;
    encoder->problem = RF_FIX_PROBLEM_NONE;
    encoder->problem_tag = 0;
    encoder->limit = buffer + bytes;
    if (__builtin_expect(bytes < RF_FIX_HEAD_BYTES + WIDTH_MAX + RF_FIX_FIXED_BYTES, 0)) {
        encoder->at = buffer;
        encoder->body = buffer;
        if (bytes < head_bytes + width + fixed_bytes) {
            rf_fix_fail(encoder, RF_FIX_PROBLEM_ROOM, 0);
            return;
        }
        memcpy(buffer, header->head, head_bytes);
        memcpy(buffer + head_bytes + width, header->fixed, fixed_bytes);
    } else {
        memcpy(buffer, header->head, RF_FIX_HEAD_BYTES);
        for (size_t i = 0; i < fixed_bytes; i += COPY_BYTES) {
            memcpy(buffer + head_bytes + width + i, header->fixed + i, COPY_BYTES);
        }
    }
    encoder->body = buffer + head_bytes + width + 1;
    encoder->at = buffer + head_bytes + width + fixed_bytes;
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
    encoder->at[text_count + count] = RF_FIX_SOH;
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
    const uint64_t differs = word ^ (ones * RF_FIX_SOH);
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
    const bool is_found = from[0] == RF_FIX_SOH || middle == RF_FIX_SOH || last == RF_FIX_SOH;
    to[0] = from[0];
    to[count / 2] = middle;
    to[count - 1] = last;
    return is_found;
}

static void text_append_any(struct rf_fix_encoder *encoder, uint64_t head, const char *text, size_t count)
{
    if (count == 0) {
        rf_fix_fail(encoder, RF_FIX_PROBLEM_EMPTY, rf_fix_head_tag(head));
    } else if (memchr(text, RF_FIX_SOH, count) != NULL) {
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
    value[count] = RF_FIX_SOH;
    encoder->at = value + count + 1;
}

void rf_fix_append_char(struct rf_fix_encoder *encoder, uint64_t head, char value)
{
    char *const at = fix_value_begin(encoder, head, NULL);
    if (at == NULL || value == RF_FIX_SOH) {
        text_append_any(encoder, head, &value, 1);
        return;
    }
    at[0] = value;
    at[1] = RF_FIX_SOH;
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
    if (!pair_is_known(length_tag, data_tag) && memchr(value.data, RF_FIX_SOH, value.count) != NULL) {
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
static bool body_move(struct rf_fix_encoder *encoder, size_t width)
{
    char *const digits = encoder->begin + encoder->header->head_bytes;
    char *const from = encoder->body - 1; /* the separator behind the digits moves too */
    char *const to = digits + width;
    if (to > from && to - from > encoder->limit - encoder->at) {
        return false;
    }
    memmove(to, from, (size_t)(encoder->at - from));
    encoder->at += to - from;
    encoder->body += to - from;
    encoder->width[encoder->header->slot] = (uint8_t)(width < WIDTH_KEPT_MAX ? width : WIDTH_KEPT_MAX);
    return true;
}

/* The digits of BodyLength; returns their sum. */
static uint32_t length_write(char *at, size_t width, uint32_t body_bytes)
{
    if (__builtin_expect(width > 4, 0)) {
        char text[RF_FIX_DIGITS_ROOM];
        rf_fix_digits_write(text, body_bytes);
        memcpy(at, text, width);
        return rf_fix_sum(text, width);
    }
    const uint64_t digits = rf_fix_digits_of(body_bytes);
    const uint64_t shown = (digits + RF_FIX_ASCII_DIGITS) >> (8 * (8 - width));
    for (size_t i = 0; i < width; i++) {
        at[i] = (char)(shown >> (8 * i));
    }
    return (uint32_t)(digits * 0x0101010101010101ull >> 56) + '0' * (uint32_t)width;
}

static void trailer_write(struct rf_fix_encoder *encoder, uint32_t sum)
{
    const uint64_t digits = rf_fix_digits_of(sum & 255) + RF_FIX_ASCII_DIGITS;
    const uint64_t text = '1' | '0' << 8 | '=' << 16 | (digits >> 40) << 24 | (uint64_t)RF_FIX_SOH << 48;
    char *const at = encoder->at;
    if (encoder->limit - at >= 8) {
        rf_fix_word_store(at, text);
    } else {
        char word[8];
        rf_fix_word_store(word, text);
        memcpy(at, word, TRAILER_BYTES);
    }
    encoder->at = at + TRAILER_BYTES;
}

static enum rf_status problem_tell(const struct rf_fix_encoder *encoder, struct rf_error *err)
{
    const enum rf_status status = encoder->problem == RF_FIX_PROBLEM_ROOM ? RF_E_LIMIT : RF_E_USAGE;
    const char *const sentence = rf_fix_problem_sentence(encoder->problem);
    if (encoder->problem_tag == 0) {
        RF_FAIL(err, status, "FIX message: %s", sentence);
    }
    RF_FAIL(err, status, "FIX message, tag %u: %s", encoder->problem_tag, sentence);
}

enum rf_status rf_fix_end(struct rf_fix_encoder *encoder, struct rf_str *message, struct rf_error *err)
{
    *message = (struct rf_str){0};
    if (encoder->depth != 0) {
        rf_fix_fail(encoder, RF_FIX_PROBLEM_GROUP, 0);
    }
    if (__builtin_expect(encoder->problem != RF_FIX_PROBLEM_NONE, 0)) {
        return problem_tell(encoder, err);
    }
    const struct rf_fix_template *const header = encoder->header;
    const size_t body_bytes = (size_t)(encoder->at - encoder->body);
    const size_t width = width_of(body_bytes);
    if (body_bytes > RF_FIX_BYTES_MAX) {
        rf_fix_fail(encoder, RF_FIX_PROBLEM_LENGTH, 0);
        return problem_tell(encoder, err);
    }
    char *const digits = encoder->begin + header->head_bytes;
    if (width != (size_t)(encoder->body - 1 - digits) && !body_move(encoder, width)) {
        rf_fix_fail(encoder, RF_FIX_PROBLEM_ROOM, 0);
    } else if (encoder->limit - encoder->at < TRAILER_BYTES) {
        rf_fix_fail(encoder, RF_FIX_PROBLEM_ROOM, 0);
    }
    if (__builtin_expect(encoder->problem != RF_FIX_PROBLEM_NONE, 0)) {
        return problem_tell(encoder, err);
    }
    const char *const varied = digits + width + header->fixed_bytes;
    const uint32_t sum = header->sum + length_write(digits, width, (uint32_t)body_bytes) +
                         rf_fix_sum(varied, (size_t)(encoder->at - varied));
    trailer_write(encoder, sum);
    *message = (struct rf_str){encoder->begin, (size_t)(encoder->at - encoder->begin)};
    encoder->problem = RF_FIX_PROBLEM_ORDER; /* until the next begin */
    encoder->limit = encoder->at;
    return RF_OK;
}
