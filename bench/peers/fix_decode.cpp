/* A careful decoder of FIX in plain C style: one pass over a message, memchr for the end of each value, BodyLength and CheckSum
 * verified, raw data passed over by its length. About what hand-written engines do. The CheckSum is a loop of its own over the
 * message, which the compiler turns into vectors; summing field by field was slower. */
#include <cstdlib>
#include <cstring>

#include "peer_functions.hpp"

namespace
{

enum { FIELDS_MAX = 256, SOH = 1 };

struct field {
    uint32_t tag;
    uint32_t length;
    const char *value;
};

struct message {
    uint32_t fields;
    field at[FIELDS_MAX];
};

/* The data tag that belongs to a length tag. */
uint32_t data_tag_of(uint32_t tag)
{
    switch (tag) {
    case 93:
        return 89;
    case 90:
        return 91;
    case 95:
        return 96;
    case 212:
        return 213;
    case 348:
    case 350:
    case 352:
    case 354:
    case 356:
    case 358:
    case 360:
    case 362:
    case 364:
    case 445:
    case 618:
    case 621:
        return tag + 1;
    default:
        return 0;
    }
}

bool number_read(const char *at, uint32_t count, uint64_t *value)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        const unsigned digit = static_cast<unsigned>(at[i] - '0');
        if (digit > 9) {
            return false;
        }
        sum = sum * 10 + digit;
    }
    *value = sum;
    return count > 0 && count < 19;
}

uint8_t bytes_sum(const char *from, const char *to)
{
    uint8_t sum = 0;
    for (const char *at = from; at < to; at++) {
        sum = static_cast<uint8_t>(sum + static_cast<uint8_t>(*at));
    }
    return sum;
}

/* The end of the message that begins at `at`, or null: it is not right. */
const char *message_read(const char *at, const char *end, message *out)
{
    const char *const begin = at;
    const char *body = nullptr;
    uint64_t length = 0;
    uint32_t fields = 0;
    while (fields < FIELDS_MAX) {
        uint32_t tag = 0;
        const char *const first = at;
        while (at < end && *at >= '0' && *at <= '9' && at - first < 9) {
            tag = tag * 10 + static_cast<uint32_t>(*at++ - '0');
        }
        if (at == end || *at != '=' || *first == '0' || at == first) {
            return nullptr;
        }
        const char *const value = ++at;
        const char *stop = static_cast<const char *>(memchr(value, SOH, static_cast<size_t>(end - value)));
        if (stop == nullptr) {
            return nullptr;
        }
        if (fields > 0 && data_tag_of(out->at[fields - 1].tag) == tag) {
            uint64_t bytes;
            if (!number_read(out->at[fields - 1].value, out->at[fields - 1].length, &bytes) ||
                bytes >= static_cast<uint64_t>(end - value) || value[bytes] != SOH) {
                return nullptr;
            }
            stop = value + bytes;
        }
        out->at[fields++] = {tag, static_cast<uint32_t>(stop - value), value};
        at = stop + 1;
        if (tag == 9 && fields == 2) {
            if (!number_read(value, static_cast<uint32_t>(stop - value), &length)) {
                return nullptr;
            }
            body = at;
        }
        if (tag == 10) {
            uint64_t sum;
            if (body == nullptr || static_cast<uint64_t>(first - body) != length || stop - value != 3 ||
                !number_read(value, 3, &sum) || bytes_sum(begin, first) != sum) {
                return nullptr;
            }
            out->fields = fields;
            return at;
        }
    }
    return nullptr;
}

/* Digits with a dot among them; the rest is left to strtod. */
double price_read(const char *at, uint32_t count)
{
    static const double power[16] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                     1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    uint64_t sum = 0;
    uint32_t fraction = 0;
    bool has_dot = false;
    const bool is_negative = count > 0 && *at == '-';
    if (count > 16) {
        return strtod(at, nullptr); /* a separator follows */
    }
    for (uint32_t i = is_negative; i < count; i++) {
        if (at[i] == '.') {
            has_dot = true;
            continue;
        }
        sum = sum * 10 + static_cast<uint64_t>(at[i] - '0');
        fraction += has_dot;
    }
    const double magnitude = static_cast<double>(sum) / power[fraction];
    return is_negative ? -magnitude : magnitude;
}

} // namespace

struct bench_fix_sums fix_decode(struct bench_input input)
{
    static thread_local message one;
    struct bench_fix_sums sums = {};
    const char *at = input.bytes;
    const char *const end = at + input.count;
    while (at < end) {
        const char *next = message_read(at, end, &one);
        if (next == nullptr) {
            sums.bad++;
            return sums;
        }
        for (uint32_t f = 0; f < one.fields; f++) {
            sums.tags += one.at[f].tag;
            sums.lengths += one.at[f].length;
        }
        sums.messages++;
        sums.fields += one.fields;
        at = next;
    }
    return sums;
}

struct bench_fix_sums fix_pick7(struct bench_input input, struct bench_fix_columns *columns)
{
    static thread_local message one;
    struct bench_fix_sums sums = {};
    const char *at = input.bytes;
    const char *const end = at + input.count;
    while (at < end) {
        const char *next = message_read(at, end, &one);
        if (next == nullptr) {
            sums.bad++;
            return sums;
        }
        const uint64_t row = sums.messages % BENCH_FIX_ROWS;
        for (uint32_t f = 0; f < one.fields; f++) {
            const field *from = &one.at[f];
            uint64_t number = 0;
            switch (from->tag) {
            case 55:
                columns->symbol[row] = {from->value, from->length};
                break;
            case 54:
                columns->side[row] = *from->value;
                break;
            case 38:
                number_read(from->value, from->length, &number);
                columns->quantity[row] = static_cast<int64_t>(number);
                break;
            case 32:
                number_read(from->value, from->length, &number);
                columns->last_quantity[row] = static_cast<int64_t>(number);
                break;
            case 14:
                number_read(from->value, from->length, &number);
                columns->sum_quantity[row] = static_cast<int64_t>(number);
                break;
            case 31:
                columns->last_price[row] = price_read(from->value, from->length);
                break;
            case 6:
                columns->average_price[row] = price_read(from->value, from->length);
                break;
            default:
                break;
            }
        }
        sums.messages++;
        if (sums.messages % BENCH_FIX_ROWS == 0) {
            bench_fix_fold(columns, BENCH_FIX_ROWS, &sums);
        }
        at = next;
    }
    bench_fix_fold(columns, sums.messages % BENCH_FIX_ROWS, &sums);
    return sums;
}

/* A log: a line is a prefix, a message, and nothing behind it. */
struct bench_selection fix_filter(struct bench_input input, double above)
{
    static thread_local message one;
    struct bench_selection selection = {};
    const char *at = input.bytes;
    const char *const end = at + input.count;
    while (at < end) {
        const char *line = static_cast<const char *>(memchr(at, '\n', static_cast<size_t>(end - at)));
        const char *stop = line == nullptr ? end : line;
        const char *begin = static_cast<const char *>(memmem(at, static_cast<size_t>(stop - at), "8=FIX", 5));
        selection.records++;
        if (begin == nullptr || message_read(begin, stop, &one) != stop) {
            selection.bad++;
        } else if (one.fields > 2 && one.at[2].tag == 35 && one.at[2].length == 1 && *one.at[2].value == '8') {
            for (uint32_t f = 3; f < one.fields; f++) {
                if (one.at[f].tag == 31) {
                    selection.selected += price_read(one.at[f].value, one.at[f].length) > above;
                    break;
                }
            }
        }
        at = line == nullptr ? end : line + 1;
    }
    return selection;
}
