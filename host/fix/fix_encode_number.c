/* Fields that are numbers and times. */
#include <math.h>

#include "calendar.h"
#include "fix_encode.h"
#include "fix_encode_value.h"
#include "fix_sum.h"
#include "number.h"

static const uint64_t power_of_ten[RF_FIX_EXPONENT_MAX + 1] = {1ull,
                                                               10ull,
                                                               100ull,
                                                               1000ull,
                                                               10000ull,
                                                               100000ull,
                                                               1000000ull,
                                                               10000000ull,
                                                               100000000ull,
                                                               1000000000ull,
                                                               10000000000ull,
                                                               100000000000ull,
                                                               1000000000000ull,
                                                               10000000000000ull,
                                                               100000000000000ull,
                                                               1000000000000000ull,
                                                               10000000000000000ull,
                                                               100000000000000000ull,
                                                               1000000000000000000ull};

static uint64_t magnitude_of(int64_t value)
{
    return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

void rf_fix_append_uint(struct rf_fix_encoder *encoder, uint64_t head, uint64_t value)
{
    char scratch[FIX_VALUE_ROOM];
    char *const at = fix_value_begin(encoder, head, scratch);
    fix_value_end(encoder, head, scratch, at, rf_fix_digits_write(at, value));
}

void rf_fix_append_int(struct rf_fix_encoder *encoder, uint64_t head, int64_t value)
{
    char scratch[FIX_VALUE_ROOM];
    char *const at = fix_value_begin(encoder, head, scratch);
    at[0] = '-';
    fix_value_end(encoder, head, scratch, at, rf_fix_digits_write(at + (value < 0), magnitude_of(value)));
}

/* ---- Decimals ---- */

/* `decimals` digits of a fraction below 10^decimals, zeros in front. */
static char *fraction_write(char *at, uint64_t fraction, unsigned decimals)
{
    enum { EIGHT_DIGITS = 100000000, EIGHT = 8, SIXTEEN = 16 };
    if (decimals <= EIGHT) {
        rf_fix_digits_pad(at, (uint32_t)(fraction * power_of_ten[EIGHT - decimals]));
        return at + decimals;
    }
    if (decimals > SIXTEEN) {
        const uint64_t lead = fraction / power_of_ten[SIXTEEN];
        at[0] = (char)('0' + lead / 10);
        at += decimals - SIXTEEN == 2;
        at[0] = (char)('0' + lead % 10);
        at++;
        fraction %= power_of_ten[SIXTEEN];
        decimals = SIXTEEN;
    }
    fraction *= power_of_ten[SIXTEEN - decimals];
    rf_fix_digits_pad(at, (uint32_t)(fraction / EIGHT_DIGITS));
    rf_fix_digits_pad(at + EIGHT, (uint32_t)(fraction % EIGHT_DIGITS));
    return at + decimals;
}

/* Up to eight digits with 1 to 7 decimals, which nearly all prices are: the digits are made once, and those behind the point
 * are stored again one further on. A division by the power of ten and two writers of digits took twice as long. */
static inline char *price_write(char *at, uint32_t magnitude, unsigned decimals)
{
    const uint64_t digits = rf_fix_digits_of(magnitude);
    /* A digit stays in front of the point, also a zero. */
    const unsigned zero_bits = (unsigned)__builtin_ctzll(digits | (uint64_t)1 << (56 - 8 * decimals)) & ~7u;
    const uint64_t shown = (digits + RF_FIX_ASCII_DIGITS) >> zero_bits;
    const unsigned whole_bits = 64 - zero_bits - 8 * decimals; /* 8 to 56 */
    char *const point = at + whole_bits / 8;
    rf_fix_word_store(at, shown);
    point[0] = '.';
    rf_fix_word_store(point + 1, shown >> whole_bits);
    return point + 1 + decimals;
}

/* At most a sign, 19 digits and 18 zeros, or a sign, 20 digits and a point. */
static char *decimal_write(char *at, int64_t mantissa, int32_t exponent)
{
    const uint64_t magnitude = magnitude_of(mantissa);
    at[0] = '-';
    at += mantissa < 0;
    if (exponent < 0 && exponent >= -7 && magnitude < 100000000) {
        return price_write(at, (uint32_t)magnitude, (unsigned)-exponent);
    }
    if (exponent < 0) {
        const uint64_t whole = magnitude / power_of_ten[-exponent];
        at = rf_fix_digits_write(at, whole);
        *at++ = '.';
        return fraction_write(at, magnitude - whole * power_of_ten[-exponent], (unsigned)-exponent);
    }
    at = rf_fix_digits_write(at, magnitude);
    for (int32_t i = magnitude == 0 ? exponent : 0; i < exponent; i++) {
        *at++ = '0';
    }
    return at;
}

void rf_fix_append_decimal(struct rf_fix_encoder *encoder, uint64_t head, int64_t mantissa, int32_t exponent)
{
    char scratch[FIX_VALUE_ROOM];
    if (exponent < -RF_FIX_EXPONENT_MAX || exponent > RF_FIX_EXPONENT_MAX) {
        rf_fix_fail(encoder, RF_FIX_PROBLEM_EXPONENT, rf_fix_head_tag(head));
        return;
    }
    char *const at = fix_value_begin(encoder, head, scratch);
    fix_value_end(encoder, head, scratch, at, decimal_write(at, mantissa, exponent));
}

/* ---- Doubles ---- */

/* Prices: the fewest decimals with which the double is the nearest one to a whole number of them. That number has less than
 * 2^50, so the product is off by less than a half, and the quotient of two exact doubles is rounded correctly: no other text
 * is as short. False: not with so few digits. */
static bool double_to_decimal(double value, int64_t *mantissa, int32_t *exponent)
{
    enum { DECIMALS_MAX = 9 };
    const double magnitude_max = 0x1p50;
    for (int32_t decimals = 0; decimals <= DECIMALS_MAX; decimals++) {
        const double scaled = value * (double)power_of_ten[decimals];
        if (!(fabs(scaled) < magnitude_max)) {
            return false;
        }
        const double whole = (double)(int64_t)(scaled + (scaled < 0 ? -0.5 : 0.5));
        if (whole / (double)power_of_ten[decimals] == value) {
            *mantissa = (int64_t)whole;
            *exponent = -decimals;
            return true;
        }
    }
    return false;
}

enum {
    PLAIN_ROOM = 400
}; /* of 5e-324 the last of 324 decimals, of 1.8e308 309 digits; 17 digits, sign and point besides */

/* "-1.25e-07" as rf_double_to_text writes it to "-0.000000125". */
static size_t plain_write(char out[PLAIN_ROOM], const char *text, size_t count)
{
    char digits[RF_NUMBER_TEXT_MAX];
    int digit_count = 0;
    int point = -1; /* digits in front of it */
    int exponent = 0;
    size_t i = 0;
    size_t at = 0;
    if (text[0] == '-') {
        out[at++] = '-';
        i = 1;
    }
    for (; i < count && text[i] != 'e'; i++) {
        if (text[i] >= '0' && text[i] <= '9') {
            digits[digit_count++] = text[i];
        } else if (point < 0) {
            point = digit_count;
        }
    }
    if (i < count) {
        const bool is_negative = text[i + 1] == '-';
        for (i += 2; i < count; i++) {
            exponent = exponent * 10 + (text[i] - '0');
        }
        exponent = is_negative ? -exponent : exponent;
    }
    point = (point < 0 ? digit_count : point) + exponent;
    if (point <= 0) {
        out[at++] = '0';
        out[at++] = '.';
        for (int zero = point; zero < 0; zero++) {
            out[at++] = '0';
        }
    }
    for (int digit = 0; digit < digit_count || digit < point; digit++) {
        if (digit == point && digit != 0) {
            out[at++] = '.';
        }
        out[at++] = digit < digit_count ? digits[digit] : '0';
    }
    return at;
}

void rf_fix_append_double(struct rf_fix_encoder *encoder, uint64_t head, double value)
{
    int64_t mantissa;
    int32_t exponent;
    if (!isfinite(value)) {
        rf_fix_fail(encoder, RF_FIX_PROBLEM_NUMBER, rf_fix_head_tag(head));
        return;
    }
    if (double_to_decimal(value, &mantissa, &exponent)) {
        rf_fix_append_decimal(encoder, head, mantissa, exponent);
        return;
    }
    char shortest[RF_NUMBER_TEXT_MAX];
    char plain[PLAIN_ROOM];
    const size_t count = plain_write(plain, shortest, rf_double_to_text(value, shortest));
    rf_fix_append_raw(encoder, head, plain, count);
}

/* ---- Times ---- */

enum { SECOND_CHARS = 17, NS_PER_MS = 1000000 };

/* Two digits. */
static void pair_write(char *at, int32_t value)
{
    at[0] = (char)('0' + value / 10);
    at[1] = (char)('0' + value % 10);
}

bool rf_fix_keep_second(struct rf_fix_encoder *encoder, int64_t nanoseconds)
{
    /* The seconds at both ends of what 64 bits hold are not whole, and modulo 2^64 they overlap. */
    const int64_t first_ns = -9223372036 * (int64_t)RF_NANOSECONDS_PER_SECOND;
    int64_t second = nanoseconds / RF_NANOSECONDS_PER_SECOND;
    uint32_t second_of_day;
    if (nanoseconds < first_ns || nanoseconds >= -first_ns) {
        rf_fix_fail(encoder, RF_FIX_PROBLEM_TIME, 0);
        return false;
    }
    second -= nanoseconds % RF_NANOSECONDS_PER_SECOND < 0;
    const int32_t day = rf_days_from_seconds(second, &second_of_day);
    char *const text = encoder->second_text;
    if (day != encoder->day) {
        const struct rf_date date = rf_date_from_days(day);
        rf_fix_digits_pad(text, (uint32_t)(date.year * 10000 + date.month * 100 + date.day));
        text[8] = '-';
        text[11] = ':';
        text[14] = ':';
        encoder->day = day;
    }
    pair_write(text + 9, (int32_t)second_of_day / 3600);
    pair_write(text + 12, (int32_t)second_of_day / 60 % 60);
    pair_write(text + 15, (int32_t)second_of_day % 60);
    encoder->second_ns = (uint64_t)second * RF_NANOSECONDS_PER_SECOND;
    encoder->second_sum = rf_fix_text_sum(text, SECOND_CHARS);
    return true;
}

/* Nanoseconds of the second, whose text is kept then. Most messages are of the second of the one before, the others nearly
 * always of its day. */
static inline uint32_t time_split(struct rf_fix_encoder *encoder, int64_t nanoseconds)
{
    if (__builtin_expect((uint64_t)nanoseconds - encoder->second_ns >= RF_NANOSECONDS_PER_SECOND, 0) &&
        !rf_fix_keep_second(encoder, nanoseconds)) {
        return 0; /* of a message that has failed */
    }
    return (uint32_t)((uint64_t)nanoseconds - encoder->second_ns);
}

/* Writes up to RF_FIX_SECOND_BYTES + 8 bytes. */
static inline char *time_write(struct rf_fix_encoder *encoder, char *at, int64_t nanoseconds,
                               enum rf_fix_precision precision)
{
    static const uint8_t chars[] = {[RF_FIX_SECONDS] = SECOND_CHARS,
                                    [RF_FIX_MILLISECONDS] = SECOND_CHARS + 4,
                                    [RF_FIX_MICROSECONDS] = SECOND_CHARS + 7,
                                    [RF_FIX_NANOSECONDS] = SECOND_CHARS + 10};
    const uint32_t fraction = time_split(encoder, nanoseconds);
    memcpy(at, encoder->second_text, RF_FIX_SECOND_BYTES);
    if (__builtin_expect(precision == RF_FIX_MILLISECONDS, 1)) {
        /* The sum above the digits is overwritten by what follows. */
        rf_fix_word_store(at + SECOND_CHARS, '.' | (uint64_t)rf_fix_three[fraction / NS_PER_MS] << 8);
        return at + SECOND_CHARS + 4;
    }
    at[SECOND_CHARS] = '.';
    rf_fix_digits_pad(at + SECOND_CHARS + 1, fraction / 10);
    at[SECOND_CHARS + 9] = (char)('0' + fraction % 10);
    return at + chars[(unsigned)precision & 3];
}

void rf_fix_append_time(struct rf_fix_encoder *encoder, uint64_t head, int64_t nanoseconds,
                        enum rf_fix_precision precision)
{
    char scratch[FIX_VALUE_ROOM];
    char *const at = fix_value_begin(encoder, head, scratch);
    fix_value_end(encoder, head, scratch, at, time_write(encoder, at, nanoseconds, precision));
}

/* The digits in front of the last three, which stay for a thousand messages. False: there are none, or too many. */
static __attribute__((noinline)) bool sequence_keep(struct rf_fix_encoder *encoder, uint64_t sequence)
{
    enum { SEQUENCE_FIRST = 1000 };
    const uint64_t sequence_end = 100000000000; /* eight digits and the three */
    if (sequence < SEQUENCE_FIRST || sequence >= sequence_end) {
        return false;
    }
    const uint64_t digits = rf_fix_digits_of((uint32_t)(sequence / 1000));
    const unsigned zero_bits = (unsigned)__builtin_ctzll(digits) & ~7u;
    encoder->sequence_base = sequence - sequence % 1000;
    encoder->sequence_text = (digits + RF_FIX_ASCII_DIGITS) >> zero_bits;
    encoder->sequence_count = 8 - zero_bits / 8;
    encoder->sequence_sum = (uint32_t)(digits * 0x0101010101010101ull >> 56) + '0' * encoder->sequence_count;
    return true;
}

/* The fields as they always are: summed from the registers that they are made in. To load what was stored a moment ago by
 * other words has to wait until the stores have left the core; of a heartbeat that was a third of the time. */
static inline char *header_write(struct rf_fix_encoder *encoder, char *at, uint32_t last_three, uint32_t milliseconds)
{
    enum { MARKS_SUM = '3' + '4' + '=' + RF_FIX_SOH_BYTE + '5' + '2' + '=' + '.' + RF_FIX_SOH_BYTE + 6 * '0' };
    const uint32_t number = rf_fix_three[last_three];
    const uint32_t fraction = rf_fix_three[milliseconds];
    const uint64_t time_head = (rf_fix_head(52) << 8 | RF_FIX_SOH_BYTE) & 0xffffffff;
    rf_fix_word_store(at, rf_fix_head(34));
    rf_fix_word_store(at + 3, encoder->sequence_text);
    at += 3 + encoder->sequence_count;
    rf_fix_word_store(at, (number & 0xffffff) | time_head << 24);
    memcpy(at + 7, encoder->second_text, RF_FIX_SECOND_BYTES);
    at += 7 + SECOND_CHARS;
    rf_fix_word_store(at, '.' | (uint64_t)(fraction & 0xffffff) << 8 | (uint64_t)RF_FIX_SOH_BYTE << 32);
    encoder->sum +=
        (uint32_t)MARKS_SUM + encoder->sequence_sum + (number >> 24) + encoder->second_sum + (fraction >> 24);
    return at + 5;
}

void rf_fix_put_header(struct rf_fix_encoder *encoder, uint64_t sequence, int64_t nanoseconds,
                       enum rf_fix_precision precision)
{
    char *const at = encoder->at;
    if (__builtin_expect(encoder->limit - at < 2 * RF_FIX_FIELD_ROOM || at != encoder->unsummed ||
                             precision != RF_FIX_MILLISECONDS ||
                             (sequence - encoder->sequence_base >= 1000 && !sequence_keep(encoder, sequence)),
                         0)) {
        rf_fix_append_uint(encoder, rf_fix_head(34), sequence);
        rf_fix_append_time(encoder, rf_fix_head(52), nanoseconds, precision);
        return;
    }
    const uint32_t fraction = time_split(encoder, nanoseconds);
    encoder->at = header_write(encoder, at, (uint32_t)(sequence - encoder->sequence_base), fraction / NS_PER_MS);
    encoder->unsummed = encoder->at;
}
