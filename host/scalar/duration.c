#include "duration.h"

static const uint64_t nanoseconds_per_second = 1000000000;
/* The magnitude of INT64_MIN: one more than a positive duration may have. */
static const uint64_t magnitude_max = (uint64_t)1 << 63;

static bool is_digit(const char *at, const char *end)
{
    return at < end && (unsigned char)(*at - '0') < 10;
}

/* Returns where the digits end; NULL when they are beyond magnitude_max. */
static const char *whole_read(const char *at, const char *end, uint64_t *value)
{
    uint64_t whole = 0;
    for (; is_digit(at, end); at++) {
        if (whole > magnitude_max / 10) {
            return NULL;
        }
        whole = whole * 10 + (uint64_t)(*at - '0');
    }
    *value = whole;
    return whole > magnitude_max ? NULL : at;
}

/* Moves *at behind a unit and returns its nanoseconds; 0 when there is none. */
static uint64_t unit_read(const char **at, const char *end)
{
    const char *const unit = *at;
    const size_t left = (size_t)(end - unit);
    if (left >= 2 && unit[1] == 's' && (unit[0] == 'm' || unit[0] == 'u' || unit[0] == 'n')) {
        *at += 2;
        return unit[0] == 'm' ? 1000000 : unit[0] == 'u' ? 1000 : 1;
    }
    if (left >= 1 && (unit[0] == 's' || unit[0] == 'm' || unit[0] == 'h')) {
        *at += 1;
        return nanoseconds_per_second * (unit[0] == 's' ? 1 : unit[0] == 'm' ? 60 : 3600);
    }
    if (left >= 3 && (memcmp(unit, "\u00b5s", 3) == 0 || memcmp(unit, "\u03bcs", 3) == 0)) {
        *at += 3;
        return 1000;
    }
    return 0;
}

/* 0.DIGITS * unit, rounded down. From the last digit to the first: (digit * unit + rest) / 10 loses nothing that a
 * later step needs, because dividing rounded numbers by whole ones rounds as the exact ones would. So any number of
 * digits fits 64 bits, where the digits as one integer would not. */
static uint64_t fraction_of_unit(const char *begin, const char *end, uint64_t unit)
{
    uint64_t rest = 0;
    for (const char *at = end; at > begin; at--) {
        rest = ((uint64_t)(at[-1] - '0') * unit + rest) / 10;
    }
    return rest;
}

/* One number with its unit, added to *total; returns where it ends, or NULL. */
static const char *term_read(const char *at, const char *end, uint64_t *total)
{
    uint64_t whole;
    const char *const begin = at;
    at = whole_read(at, end, &whole);
    if (at == NULL) {
        return NULL;
    }
    bool has_digits = at > begin;
    const char *fraction_begin = at;
    const char *fraction_end = at;
    if (at < end && *at == '.') {
        fraction_begin = ++at;
        while (is_digit(at, end)) {
            at++;
        }
        fraction_end = at;
        has_digits = has_digits || fraction_end > fraction_begin;
    }
    const uint64_t unit = unit_read(&at, end);
    if (!has_digits || unit == 0 || whole > magnitude_max / unit) {
        return NULL;
    }
    /* At most 2^63 and a fraction of an hour: nothing wraps. */
    const uint64_t term = whole * unit + fraction_of_unit(fraction_begin, fraction_end, unit);
    if (term > magnitude_max - *total) {
        return NULL;
    }
    *total += term;
    return at;
}

bool rf_duration_parse(struct rf_str text, int64_t *nanoseconds)
{
    if (text.count == 0) {
        return false;
    }
    const char *at = text.data;
    const char *const end = at + text.count;
    const bool is_negative = *at == '-';
    if (is_negative || *at == '+') {
        at++;
    }
    if (end - at == 1 && *at == '0') {
        *nanoseconds = 0;
        return true;
    }
    if (at == end) {
        return false;
    }
    uint64_t total = 0;
    while (at < end) {
        at = term_read(at, end, &total);
        if (at == NULL) {
            return false;
        }
    }
    if (total > INT64_MAX && !is_negative) {
        return false;
    }
    /* The unsigned negation of 2^63 is the bits of INT64_MIN. */
    *nanoseconds = (int64_t)(is_negative ? -total : total);
    return true;
}

bool rf_duration_parse_setting(struct rf_str text, int64_t *nanoseconds)
{
    enum { DIGITS_MAX = 6 };
    const int64_t day = 24 * 3600 * (int64_t)nanoseconds_per_second;
    int64_t value = 0;
    if (text.count < 2 || text.count > DIGITS_MAX + 1 || text.data[text.count - 1] != 'd') {
        if (!rf_duration_parse(text, &value) || value < 0) {
            return false;
        }
        *nanoseconds = value;
        return true;
    }
    for (size_t i = 0; i + 1 < text.count; i++) {
        if (text.data[i] < '0' || text.data[i] > '9') {
            return false;
        }
        value = value * 10 + (text.data[i] - '0');
    }
    return !__builtin_mul_overflow(value, day, nanoseconds);
}

size_t rf_duration_write(int64_t nanoseconds, char *out)
{
    const uint64_t magnitude = nanoseconds < 0 ? -(uint64_t)nanoseconds : (uint64_t)nanoseconds;
    uint64_t seconds = magnitude / nanoseconds_per_second;
    uint32_t left = (uint32_t)(magnitude % nanoseconds_per_second);
    char digits[RF_DURATION_TEXT_MAX];
    char *first = digits + sizeof digits;
    char *to = out;
    if (nanoseconds < 0) {
        *to++ = '-';
    }
    do {
        *--first = (char)('0' + seconds % 10);
        seconds /= 10;
    } while (seconds != 0);
    const size_t count = (size_t)(digits + sizeof digits - first);
    memcpy(to, first, count);
    to += count;
    if (left != 0) {
        *to++ = '.';
        for (uint32_t place = (uint32_t)nanoseconds_per_second / 10; left != 0; place /= 10) {
            *to++ = (char)('0' + left / place);
            left %= place;
        }
    }
    *to++ = 's';
    return (size_t)(to - out);
}
