/* The plain C of case_fix_gateway.h: what a careful programmer writes without vectors. Built with -O3 -march=native. */
#include <assert.h>
#include <string.h>

#include "case_fix_gateway.h"

enum { SOH = 1, TRAILER_BYTES = 7, TAGS = 256, LENGTH_MAX = 100000000 };

uint32_t fix_plain_sum(const char *bytes, size_t count)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += (uint8_t)bytes[i];
    }
    return sum;
}

bool fix_plain_number(struct rf_str text, int64_t *out)
{
    int64_t value = 0;
    if (text.count == 0 || text.count > 15) {
        return false;
    }
    for (size_t i = 0; i < text.count; i++) {
        const unsigned digit = (uint8_t)text.data[i] - (unsigned)'0';
        if (digit > 9) {
            return false;
        }
        value = value * 10 + digit;
    }
    *out = value;
    return true;
}

bool fix_plain_decimal(struct rf_str text, int64_t *out)
{
    static const int64_t scale[5] = {10000, 1000, 100, 10, 1};
    int64_t value = 0;
    size_t decimals = 0;
    bool has_point = false;
    if (text.count == 0 || text.count > 15) {
        return false;
    }
    for (size_t i = 0; i < text.count; i++) {
        const unsigned digit = (uint8_t)text.data[i] - (unsigned)'0';
        if (digit <= 9) {
            value = value * 10 + digit;
            decimals += has_point;
        } else if (text.data[i] == '.' && !has_point) {
            has_point = true;
        } else {
            return false;
        }
    }
    if (decimals > 4) {
        return false;
    }
    *out = value * scale[decimals];
    return true;
}

/* From a tag to 1 + enum fix_wanted. None of them is of raw data, which this decoder does not know. */
static const uint8_t wanted_of_tag[TAGS] = {
    [35] = 1 + FIX_WANTED_TYPE,       [49] = 1 + FIX_WANTED_SENDER,        [11] = 1 + FIX_WANTED_ORDER_ID,
    [17] = 1 + FIX_WANTED_EXEC_ID,    [19] = 1 + FIX_WANTED_EXEC_REF_ID,   [150] = 1 + FIX_WANTED_EXEC_TYPE,
    [20] = 1 + FIX_WANTED_TRANS_TYPE, [1] = 1 + FIX_WANTED_ACCOUNT,        [55] = 1 + FIX_WANTED_SYMBOL,
    [54] = 1 + FIX_WANTED_SIDE,       [32] = 1 + FIX_WANTED_LAST_QUANTITY, [31] = 1 + FIX_WANTED_LAST_PRICE,
};

/* `8=FIX.x.y|9=digits|`: where the body begins, and its length. NULL: none. */
static const char *head_read(const char *at, const char *end, size_t *body_bytes)
{
    if (end - at < 16 || memcmp(at, "8=FIX", 5) != 0) {
        return NULL;
    }
    at = memchr(at, SOH, (size_t)(end - at));
    if (at == NULL || end - at < 4 || at[1] != '9' || at[2] != '=') {
        return NULL;
    }
    size_t length = 0;
    for (at += 3; at < end && *at != SOH; at++) {
        const unsigned digit = (uint8_t)*at - (unsigned)'0';
        if (digit > 9 || length > LENGTH_MAX) {
            return NULL;
        }
        length = length * 10 + digit;
    }
    *body_bytes = length;
    return at < end ? at + 1 : NULL;
}

static bool trailer_is_right(const char *begin, const char *trailer)
{
    const uint32_t sum = fix_plain_sum(begin, (size_t)(trailer - begin)) % 256;
    const char right[TRAILER_BYTES] = {
        '1', '0', '=', (char)('0' + sum / 100), (char)('0' + sum / 10 % 10), (char)('0' + sum % 10), SOH};
    return memcmp(trailer, right, sizeof(right)) == 0;
}

bool fix_plain_decode(const char *bytes, size_t count, struct fix_plain_report *report)
{
    const char *const end = bytes + count;
    size_t body_bytes;
    const char *at = head_read(bytes, end, &body_bytes);
    if (at == NULL || (size_t)(end - at) < body_bytes || (size_t)(end - at) - body_bytes < TRAILER_BYTES) {
        return false;
    }
    const char *const trailer = at + body_bytes;
    if (body_bytes == 0 || trailer[-1] != SOH || !trailer_is_right(bytes, trailer)) {
        return false;
    }
    *report = (struct fix_plain_report){.bytes = (size_t)(trailer - bytes) + TRAILER_BYTES};
    while (at < trailer) {
        unsigned tag = 0;
        const char *const field = at;
        for (; *at != '='; at++) { /* the separator in front of the trailer ends it at the latest */
            const unsigned digit = (uint8_t)*at - (unsigned)'0';
            if (digit > 9 || at - field > 8) {
                return false;
            }
            tag = tag * 10 + digit;
        }
        const char *const value = ++at;
        while (*at != SOH) {
            at++;
        }
        const unsigned wanted = tag < TAGS ? wanted_of_tag[tag] : 0;
        if (wanted != 0 && report->text[wanted - 1].data == NULL) {
            report->text[wanted - 1] = (struct rf_str){value, (size_t)(at - value)};
        }
        at++;
    }
    return at == trailer;
}

struct rf_str fix_plain_find(struct rf_str message, struct rf_str head)
{
    const char *at = message.data;
    const char *const end = message.data + message.count;
    while (at < end) {
        const char *const separator = memchr(at, SOH, (size_t)(end - at));
        if (separator == NULL) {
            break;
        }
        if ((size_t)(separator - at) >= head.count && memcmp(at, head.data, head.count) == 0) {
            return (struct rf_str){at + head.count, (size_t)(separator - at) - head.count};
        }
        at = separator + 1;
    }
    return (struct rf_str){message.data, 0};
}

struct rf_str fix_plain_search(struct rf_str message, struct rf_str separator_and_head)
{
    const char *const end = message.data + message.count;
    const char *at = message.data;
    /* The first field has no separator in front. */
    if (message.count >= separator_and_head.count &&
        memcmp(at, separator_and_head.data + 1, separator_and_head.count - 1) == 0) {
        at += separator_and_head.count - 1;
    } else {
        at = memmem(at, message.count, separator_and_head.data, separator_and_head.count);
        if (at == NULL) {
            return (struct rf_str){message.data, 0};
        }
        at += separator_and_head.count;
    }
    const char *const separator = memchr(at, SOH, (size_t)(end - at));
    return (struct rf_str){at, separator == NULL ? 0 : (size_t)(separator - at)};
}

static uint32_t text_sum(struct rf_str text)
{
    assert(text.count <= FIX_ROW_TEXT_MAX);
    return (uint32_t)text.count + fix_plain_sum(text.data, text.count);
}

static uint32_t number_sum(uint64_t number)
{
    uint32_t sum = 0;
    for (; number != 0; number >>= 8) {
        sum += (uint32_t)(number & 255);
    }
    return sum;
}

uint32_t fix_plain_row_sum(const struct fix_row *row)
{
    uint64_t price_bits;
    memcpy(&price_bits, &row->last_price, sizeof(price_bits));
    return text_sum(row->order_id) + text_sum(row->exec_id) + text_sum(row->account) + text_sum(row->symbol) +
           (uint8_t)row->side + number_sum((uint64_t)row->quantity) + number_sum((uint64_t)row->price) +
           number_sum((uint64_t)row->last_quantity) + number_sum(price_bits);
}
