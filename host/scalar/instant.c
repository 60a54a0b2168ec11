#include "instant.h"

#include <assert.h>

#include "calendar.h"

enum {
    HEAD_BYTES = 19,                 /* "2009-02-13T23:31:30" */
    TEXT_BYTES_MIN = HEAD_BYTES + 1, /* and a Z at least */
    OFFSET_BYTES = 6,                /* "+05:45" */
    FRACTION_DIGITS = 9
};

static const uint32_t power_of_ten[FRACTION_DIGITS + 1] = {1,      10,      100,      1000,      10000,
                                                           100000, 1000000, 10000000, 100000000, 1000000000};

bool rf_instant_is_in_range(struct rf_instant t)
{
    return t.seconds >= RF_INSTANT_SECONDS_MIN && t.seconds <= RF_INSTANT_SECONDS_MAX &&
           t.nanos < RF_NANOSECONDS_PER_SECOND;
}

static uint32_t digit_of(char c)
{
    return (uint32_t)(unsigned char)c - '0';
}

/* A number of two digits. Faults are gathered, not branched on: texts are nearly always good. */
static int32_t pair_read(const char *at, uint32_t *faults)
{
    const uint32_t tens = digit_of(at[0]);
    const uint32_t ones = digit_of(at[1]);
    *faults |= (uint32_t)(tens > 9) | (uint32_t)(ones > 9);
    return (int32_t)(tens * 10 + ones);
}

/* Date and time of day without offset, as seconds; false when there is no such date. */
static bool head_read(const char *at, int64_t *seconds)
{
    uint32_t faults = (uint32_t)(at[4] != '-') | (uint32_t)(at[7] != '-') | (uint32_t)(at[10] != 'T') |
                      (uint32_t)(at[13] != ':') | (uint32_t)(at[16] != ':');
    const int32_t century = pair_read(at, &faults);
    const int32_t year = century * 100 + pair_read(at + 2, &faults);
    const int32_t month = pair_read(at + 5, &faults);
    const int32_t day = pair_read(at + 8, &faults);
    const int32_t hour = pair_read(at + 11, &faults);
    const int32_t minute = pair_read(at + 14, &faults);
    const int32_t second = pair_read(at + 17, &faults);
    faults |= (uint32_t)(hour > 23) | (uint32_t)(minute > 59) | (uint32_t)(second > 59);
    if (faults != 0 || month < 1 || month > 12 || day < 1 || day > rf_month_days(year, month)) {
        return false;
    }
    *seconds = (int64_t)rf_date_to_days(year, month, day) * RF_SECONDS_PER_DAY + hour * 3600 + minute * 60 + second;
    return true;
}

/* Digits behind a point; returns where they end, or NULL when there is none. */
static const char *fraction_read(const char *at, const char *end, uint32_t *nanos)
{
    const char *const begin = at;
    uint32_t value = 0;
    int taken = 0;
    for (; at < end && digit_of(*at) <= 9; at++) {
        if (taken < FRACTION_DIGITS) {
            value = value * 10 + digit_of(*at);
            taken++;
        }
    }
    *nanos = value * power_of_ten[FRACTION_DIGITS - taken];
    return at == begin ? NULL : at;
}

/* The rest of the text: "Z" or "+05:45", as seconds east. */
static bool offset_read(const char *at, size_t count, int64_t *offset_seconds)
{
    *offset_seconds = 0;
    if (count == 1) {
        return *at == 'Z';
    }
    if (count != OFFSET_BYTES) {
        return false;
    }
    uint32_t faults = (uint32_t)(at[0] != '+' && at[0] != '-') | (uint32_t)(at[3] != ':');
    const int32_t hours = pair_read(at + 1, &faults);
    const int32_t minutes = pair_read(at + 4, &faults);
    const int32_t seconds = hours * 3600 + minutes * 60;
    *offset_seconds = at[0] == '-' ? -seconds : seconds;
    return faults == 0 && hours <= 23 && minutes <= 59;
}

bool rf_instant_parse(struct rf_str text, struct rf_instant *out)
{
    if (text.count < TEXT_BYTES_MIN) {
        return false;
    }
    const char *const end = text.data + text.count;
    const char *at = text.data + HEAD_BYTES;
    struct rf_instant t = {.nanos = 0};
    int64_t offset_seconds;
    if (!head_read(text.data, &t.seconds)) {
        return false;
    }
    if (*at == '.') {
        at = fraction_read(at + 1, end, &t.nanos);
        if (at == NULL) {
            return false;
        }
    }
    if (!offset_read(at, (size_t)(end - at), &offset_seconds)) {
        return false;
    }
    t.seconds -= offset_seconds;
    if (!rf_instant_is_in_range(t)) {
        return false;
    }
    *out = t;
    return true;
}

/* Two digits and the byte behind them. */
static void pair_write(char *to, uint32_t value, char behind)
{
    to[0] = (char)('0' + value / 10);
    to[1] = (char)('0' + value % 10);
    to[2] = behind;
}

size_t rf_instant_write(struct rf_instant t, char *out)
{
    assert(rf_instant_is_in_range(t));
    uint32_t second_of_day;
    const struct rf_date date = rf_date_from_days(rf_days_from_seconds(t.seconds, &second_of_day));
    pair_write(out, (uint32_t)date.year / 100, 0);
    pair_write(out + 2, (uint32_t)date.year % 100, '-');
    pair_write(out + 5, (uint32_t)date.month, '-');
    pair_write(out + 8, (uint32_t)date.day, 'T');
    pair_write(out + 11, second_of_day / 3600, ':');
    pair_write(out + 14, second_of_day / 60 % 60, ':');
    pair_write(out + 17, second_of_day % 60, '.');
    char *end = out + HEAD_BYTES;
    if (t.nanos != 0) {
        end++;
        uint32_t left = t.nanos;
        for (int place = FRACTION_DIGITS - 1; left != 0; place--) {
            *end++ = (char)('0' + left / power_of_ten[place]);
            left %= power_of_ten[place];
        }
    }
    *end = 'Z';
    return (size_t)(end + 1 - out);
}

bool rf_instant_add(struct rf_instant t, int64_t nanoseconds, struct rf_instant *out)
{
    /* Rounded down, so that what remains is never negative. */
    int64_t seconds = nanoseconds / RF_NANOSECONDS_PER_SECOND;
    int64_t rest = nanoseconds % RF_NANOSECONDS_PER_SECOND;
    if (rest < 0) {
        rest += RF_NANOSECONDS_PER_SECOND;
        seconds--;
    }
    rest += t.nanos;
    if (rest >= RF_NANOSECONDS_PER_SECOND) {
        rest -= RF_NANOSECONDS_PER_SECOND;
        seconds++;
    }
    struct rf_instant sum;
    if (__builtin_add_overflow(t.seconds, seconds, &sum.seconds)) {
        return false;
    }
    sum.nanos = (uint32_t)rest;
    if (!rf_instant_is_in_range(sum)) {
        return false;
    }
    *out = sum;
    return true;
}

bool rf_instant_subtract(struct rf_instant a, struct rf_instant b, int64_t *nanoseconds)
{
    /* Wide: seconds alone may be too many while the nanoseconds bring them back. */
    __extension__ typedef __int128 int128;
    const int128 difference = ((int128)a.seconds - b.seconds) * RF_NANOSECONDS_PER_SECOND + a.nanos - b.nanos;
    if (difference < INT64_MIN || difference > INT64_MAX) {
        return false;
    }
    *nanoseconds = (int64_t)difference;
    return true;
}

int rf_instant_compare(struct rf_instant a, struct rf_instant b)
{
    if (a.seconds != b.seconds) {
        return a.seconds < b.seconds ? -1 : 1;
    }
    return (a.nanos > b.nanos) - (a.nanos < b.nanos);
}
