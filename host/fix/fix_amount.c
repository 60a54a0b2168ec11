#include "fix_amount.h"

#include <assert.h>

static const int64_t power_of_ten[RF_FIX_AMOUNT_DECIMALS + 1] = {1,      10,      100,      1000,      10000,
                                                                 100000, 1000000, 10000000, 100000000, 1000000000};

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

static inline unsigned digit_at(const char *at)
{
    return (unsigned)(unsigned char)*at - '0';
}

/* The number of eight digits, zeros in front, as their values: the first is the lowest byte. */
static inline uint64_t eight_digits(uint64_t values)
{
    const uint64_t pairs = (values * 10 + (values >> 8)) & 0x00ff00ff00ff00ffull;
    const uint64_t fours = (pairs * 100 + (pairs >> 16)) & 0x0000ffff0000ffffull;
    return (fours * 10000 + (fours >> 32)) & 0xffffffff;
}

/* The bytes of a text of 1 to 8 in a word, the first lowest, zero bytes above; no other byte is read. */
static inline uint64_t short_load(const char *at, size_t count)
{
    if (count >= 4) {
        const uint64_t first = half_load(at);
        const uint64_t last = half_load(at + count - 4);
        return first | last << (8 * (count - 4));
    }
    const uint64_t first = (uint8_t)at[0];
    const uint64_t middle = (uint8_t)at[count / 2];
    const uint64_t last = (uint8_t)at[count - 1];
    return first | middle << (8 * (count / 2)) | last << (8 * (count - 1));
}

/* Up to eight characters, digits and perhaps a point, which nearly all quantities and prices are: the point is taken out of
 * the word, and eight digits become a number in three multiplications. False: it is something else, or a point alone. */
static inline bool short_decimal(struct rf_str text, struct rf_fix_decimal *out)
{
    const uint64_t ones = 0x0101010101010101ull;
    const uint64_t highs = ones << 7;
    const uint64_t word = short_load(text.data, text.count);
    const uint64_t differs = word ^ (ones * '.');
    const uint64_t points = (differs - ones) & ~differs & highs; /* the lowest is exact, and another one is no digit */
    uint64_t digits = word;
    unsigned count = (unsigned)text.count;
    out->decimals = 0;
    if (points != 0) {
        const unsigned place = (unsigned)__builtin_ctzll(points) / 8;
        const uint64_t before = ((uint64_t)1 << (8 * place)) - 1;
        digits = (word & before) | (word >> 8 & ~before);
        count--;
        out->decimals = count - place;
    }
    if (count == 0) {
        return false;
    }
    /* Zeros in front, so that the last digit is the highest byte. */
    const unsigned zero_bits = 64 - 8 * count;
    const uint64_t zeros = 0x3030303030303030ull;
    const uint64_t full = digits << zero_bits | (zeros & ~(~(uint64_t)0 << zero_bits));
    const uint64_t values = full ^ zeros;
    if (((values | (values + 0x76 * ones)) & highs) != 0) {
        return false;
    }
    out->mantissa = (int64_t)eight_digits(values);
    return true;
}

/* The same for 9 to 16 characters: 1234.5678 has nine. False also: more places behind the point than there may be, of which
 * the last may be zeros. */
static inline bool wide_decimal(struct rf_str text, struct rf_fix_decimal *out)
{
    const uint64_t ones = 0x0101010101010101ull;
    const uint64_t highs = ones << 7;
    const uint64_t first = word_load(text.data);
    const uint64_t last = word_load(text.data + text.count - 8) >> 8 * (16 - text.count);
    const unsigned __int128 word = (unsigned __int128)last << 64 | first;
    const uint64_t differs_first = first ^ (ones * '.');
    const uint64_t differs_last = last ^ (ones * '.'); /* zero bytes above the text are none */
    const uint64_t points_first = (differs_first - ones) & ~differs_first & highs;
    const uint64_t points_last = (differs_last - ones) & ~differs_last & highs;
    unsigned __int128 digits = word;
    unsigned count = (unsigned)text.count;
    out->decimals = 0;
    if ((points_first | points_last) != 0) {
        const unsigned place = points_first != 0 ? (unsigned)__builtin_ctzll(points_first) / 8
                                                 : 8 + (unsigned)__builtin_ctzll(points_last) / 8;
        const unsigned __int128 before = ((unsigned __int128)1 << 8 * place) - 1;
        digits = (word & before) | (word >> 8 & ~before);
        count--;
        out->decimals = count - place;
    }
    const unsigned zero_bits = 128 - 8 * count;
    const uint64_t zeros = 0x3030303030303030ull;
    const unsigned __int128 all_zeros = (unsigned __int128)zeros << 64 | zeros;
    const unsigned __int128 full = digits << zero_bits | (all_zeros & ~(~(unsigned __int128)0 << zero_bits));
    const uint64_t high = (uint64_t)full ^ zeros;
    const uint64_t low = (uint64_t)(full >> 64) ^ zeros;
    if (((high | (high + 0x76 * ones) | low | (low + 0x76 * ones)) & highs) != 0 ||
        out->decimals > RF_FIX_AMOUNT_DECIMALS) {
        return false;
    }
    out->mantissa = (int64_t)(eight_digits(high) * 100000000 + eight_digits(low));
    return true;
}

bool rf_fix_decimal_from_text(struct rf_str text, struct rf_fix_decimal *out)
{
    if (text.count == 0) {
        return false;
    }
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (text.count <= 8 ? short_decimal(text, out) : text.count <= 16 && wide_decimal(text, out)) {
        return true;
    }
#endif
    const char *at = text.data;
    const char *const end = at + text.count;
    const bool is_negative = *at == '-';
    at += is_negative;
    const char *const first = at;
    const char *point = NULL;
    uint64_t mantissa = 0; /* of at most 18 digits, so that it does not overflow */
    unsigned digits = 0;
    unsigned zeros = 0; /* behind the point, not yet followed by a digit: they count only then */
    uint32_t decimals = 0;
    for (; at < end; at++) {
        const unsigned digit = digit_at(at);
        if (digit > 9) {
            if (*at != '.' || point != NULL) {
                return false;
            }
            point = at;
            continue;
        }
        if (point != NULL && digit == 0) {
            zeros++;
            continue;
        }
        for (; zeros != 0; zeros--) {
            digits += mantissa != 0;
            decimals++;
            if (digits >= RF_FIX_AMOUNT_DIGITS_MAX || decimals >= RF_FIX_AMOUNT_DECIMALS) {
                return false;
            }
            mantissa *= 10;
        }
        mantissa = mantissa * 10 + digit;
        digits += mantissa != 0;
        decimals += point != NULL;
        if (digits > RF_FIX_AMOUNT_DIGITS_MAX || decimals > RF_FIX_AMOUNT_DECIMALS) {
            return false;
        }
    }
    if (end - first - (point != NULL) < 1) {
        return false; /* no digit */
    }
    out->mantissa = is_negative ? -(int64_t)mantissa : (int64_t)mantissa;
    out->decimals = decimals;
    return true;
}

__int128 rf_fix_decimal_amount(struct rf_fix_decimal decimal)
{
    assert(decimal.decimals <= RF_FIX_AMOUNT_DECIMALS);
    return (__int128)decimal.mantissa * power_of_ten[RF_FIX_AMOUNT_DECIMALS - decimal.decimals];
}

static unsigned __int128 magnitude_of(__int128 value)
{
    return value < 0 ? 0 - (unsigned __int128)value : (unsigned __int128)value;
}

bool rf_fix_amount_multiply(__int128 a, __int128 b, __int128 *out)
{
    if (a == (int64_t)a && b == (int64_t)b) {
        *out = (__int128)(int64_t)a * (int64_t)b;
        return true;
    }
    const unsigned __int128 max = ~(unsigned __int128)0 >> 2;
    const unsigned __int128 x = magnitude_of(a);
    const unsigned __int128 y = magnitude_of(b);
    if (y != 0 && x > max / y) {
        return false;
    }
    const __int128 product = (__int128)(x * y);
    *out = (a < 0) != (b < 0) ? -product : product;
    return true;
}

/* value * part / whole for value, part < whole, whose product has more than 128 bits: bit by bit. */
static unsigned __int128 share_of_many(unsigned __int128 value, unsigned __int128 part, unsigned __int128 whole,
                                       unsigned __int128 *rest)
{
    unsigned __int128 quotient = 0;
    unsigned __int128 left = 0;
    for (int bit = 127; bit >= 0; bit--) {
        quotient <<= 1;
        left = (left << 1) + ((part >> bit & 1) != 0 ? value : 0);
        for (; left >= whole; left -= whole) {
            quotient++;
        }
    }
    *rest = left;
    return quotient;
}

__int128 rf_fix_amount_share(__int128 value, __int128 part, __int128 whole)
{
    const unsigned __int128 w = (unsigned __int128)whole;
    const unsigned __int128 p = (unsigned __int128)part;
    const unsigned __int128 magnitude = magnitude_of(value);
    if (p == w) {
        return value;
    }
    /* value = each * whole + over, and over * part has 128 bits where whole has 64. */
    const unsigned __int128 each = magnitude / w;
    const unsigned __int128 over = magnitude - each * w;
    unsigned __int128 quotient;
    unsigned __int128 rest;
    if (w >> 64 == 0) {
        quotient = over * p / w;
        rest = over * p - quotient * w;
    } else {
        quotient = share_of_many(over, p, w, &rest);
    }
    quotient += each * p;
    quotient += rest > w - rest || (rest == w - rest && (quotient & 1) != 0);
    return value < 0 ? -(__int128)quotient : (__int128)quotient;
}

size_t rf_fix_amount_write(__int128 value, unsigned decimals, char out[RF_FIX_AMOUNT_TEXT_MAX])
{
    assert(decimals <= RF_FIX_MONEY_DECIMALS);
    char digits[RF_FIX_AMOUNT_TEXT_MAX];
    unsigned __int128 magnitude = magnitude_of(value);
    size_t count = 0; /* of digits, last first */
    size_t at = 0;
    for (; decimals != 0 && magnitude % 10 == 0; decimals--) {
        magnitude /= 10;
    }
    do {
        digits[count++] = (char)('0' + (unsigned)(magnitude % 10));
        magnitude /= 10;
    } while (magnitude != 0 || count <= decimals);
    if (value < 0) {
        out[at++] = '-';
    }
    while (count != 0) {
        out[at++] = digits[--count];
        if (count == decimals && count != 0) {
            out[at++] = '.';
        }
    }
    return at;
}
