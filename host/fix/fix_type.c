#include "fix_type.h"

#include <assert.h>
#include <math.h>

#include "calendar.h"
#include "number.h"

enum {
    DATE_BYTES = 9,   /* "20260102-" */
    TIME_BYTES = 8,   /* "10:00:00" */
    MINUTE_BYTES = 5, /* "10:00" */
    NANO_DIGITS = 9,
    FRACTION_DIGITS_MAX = 12, /* picoseconds, the finest that the standard speaks of */
    MANTISSA_DIGITS = 19,     /* fit 64 bits */
    NAME_BYTES_MAX = 32       /* of a type */
};

struct type_name {
    const char *name;
    enum rf_fix_type type;
};

static const struct type_name type_names[] = {
#define RF_FIX_TYPE(id, name, class) {name, RF_FIX_TYPE_##id},
#define RF_FIX_TYPE_ALIAS(id, name) {name, RF_FIX_TYPE_##id},
#include "fix_type.def"
#undef RF_FIX_TYPE
#undef RF_FIX_TYPE_ALIAS
};

static const uint8_t type_class[RF_FIX_TYPE_COUNT] = {
#define RF_FIX_TYPE(id, name, class) RF_FIX_CLASS_##class,
#define RF_FIX_TYPE_ALIAS(id, name)
#include "fix_type.def"
#undef RF_FIX_TYPE
#undef RF_FIX_TYPE_ALIAS
};

const char *rf_fix_type_name(enum rf_fix_type type)
{
    assert((unsigned)type < RF_FIX_TYPE_COUNT);
    /* Types and their own names have one order, and aliases follow. */
    return type_names[type].name;
}

enum rf_fix_class rf_fix_type_class(enum rf_fix_type type)
{
    assert((unsigned)type < RF_FIX_TYPE_COUNT);
    return (enum rf_fix_class)type_class[type];
}

/* Lower-case letters and digits of a name; 0 when they are too many for a type. */
static size_t name_fold(struct rf_str name, char folded[NAME_BYTES_MAX])
{
    size_t count = 0;
    for (size_t i = 0; i < name.count; i++) {
        const char c = name.data[i];
        if (c == '_' || c == '-') {
            continue;
        }
        if (count == NAME_BYTES_MAX) {
            return 0;
        }
        folded[count++] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
    return count;
}

bool rf_fix_type_of_name(struct rf_str name, enum rf_fix_type *out)
{
    char wanted[NAME_BYTES_MAX];
    char known[NAME_BYTES_MAX];
    const size_t count = name_fold(name, wanted);
    for (size_t i = 0; count != 0 && i < sizeof type_names / sizeof type_names[0]; i++) {
        if (name_fold(rf_str_of(type_names[i].name), known) == count && memcmp(wanted, known, count) == 0) {
            *out = type_names[i].type;
            return true;
        }
    }
    return false;
}

static uint32_t digit_of(char c)
{
    return (uint32_t)(unsigned char)c - '0';
}

bool rf_fix_int(struct rf_str text, int64_t *out)
{
    const bool is_negative = text.count != 0 && text.data[0] == '-';
    const uint64_t max = is_negative ? (uint64_t)INT64_MAX + 1 : INT64_MAX;
    uint64_t value = 0;
    if (text.count == is_negative) {
        return false;
    }
    for (size_t i = is_negative; i < text.count; i++) {
        const uint32_t digit = digit_of(text.data[i]);
        if (digit > 9 || value > (max - digit) / 10) {
            return false;
        }
        value = value * 10 + digit;
    }
    *out = is_negative ? (int64_t)(0 - value) : (int64_t)value;
    return true;
}

bool rf_fix_double(struct rf_str text, double *out)
{
    const bool is_negative = text.count != 0 && text.data[0] == '-';
    uint64_t mantissa = 0;
    int64_t exponent = 0;
    uint32_t significant = 0; /* digits of the mantissa, without zeros before them */
    bool has_digit = false;
    bool has_point = false;
    bool is_truncated = false;
    for (size_t i = is_negative; i < text.count; i++) {
        const uint32_t digit = digit_of(text.data[i]);
        if (digit > 9) {
            if (text.data[i] != '.' || has_point) {
                return false;
            }
            has_point = true;
            continue;
        }
        has_digit = true;
        if (significant < MANTISSA_DIGITS) {
            mantissa = mantissa * 10 + digit;
            significant += mantissa != 0;
            exponent -= has_point;
        } else {
            is_truncated |= digit != 0;
            exponent += !has_point;
        }
    }
    if (!has_digit) {
        return false;
    }
    const double value = rf_double_from_decimal(mantissa, exponent, is_truncated, text);
    if (isinf(value)) {
        return false;
    }
    *out = is_negative ? -value : value;
    return true;
}

bool rf_fix_bool(struct rf_str text, bool *out)
{
    if (text.count != 1 || (text.data[0] != 'Y' && text.data[0] != 'N')) {
        return false;
    }
    *out = text.data[0] == 'Y';
    return true;
}

/* A number of two digits. Faults are gathered, not branched on: texts are nearly always good. */
static int32_t pair_read(const char *at, uint32_t *faults)
{
    const uint32_t tens = digit_of(at[0]);
    const uint32_t ones = digit_of(at[1]);
    *faults |= (uint32_t)(tens > 9) | (uint32_t)(ones > 9);
    return (int32_t)(tens * 10 + ones);
}

struct time_of_day {
    int32_t seconds; /* since midnight; of a leap second those of the second before it */
    bool is_leap;
    uint32_t nanos;
};

/* "20260102-" as days; false when there is no such date. */
static bool date_read(const char *at, int32_t *days)
{
    uint32_t faults = (uint32_t)(at[8] != '-');
    const int32_t century = pair_read(at, &faults);
    const int32_t year = century * 100 + pair_read(at + 2, &faults);
    const int32_t month = pair_read(at + 4, &faults);
    const int32_t day = pair_read(at + 6, &faults);
    if (faults != 0 || month < 1 || month > 12 || day < 1 || day > rf_month_days(year, month)) {
        return false;
    }
    *days = rf_date_to_days(year, month, day);
    return true;
}

/* ".123": takes it off the text, which may have none. False for a point without digits and for too many of them. */
static bool fraction_take(struct rf_str *text, uint32_t *nanos)
{
    size_t count = 0;
    uint32_t value = 0;
    *nanos = 0;
    if (text->count == 0 || text->data[0] != '.') {
        return true;
    }
    const char *const digits = text->data + 1;
    for (; count < text->count - 1 && digit_of(digits[count]) <= 9; count++) {
        if (count < NANO_DIGITS) {
            value = value * 10 + digit_of(digits[count]);
        }
    }
    if (count == 0 || count > FRACTION_DIGITS_MAX) {
        return false;
    }
    for (size_t i = count; i < NANO_DIGITS; i++) {
        value *= 10;
    }
    *nanos = value;
    text->data += count + 1;
    text->count -= count + 1;
    return true;
}

/* "10:00:00.123", and "10:00" where has_seconds allows it: takes it off the text. */
static bool time_take(struct rf_str *text, bool must_have_seconds, struct time_of_day *out)
{
    if (text->count < MINUTE_BYTES) {
        return false;
    }
    const char *const at = text->data;
    const bool has_seconds = text->count >= TIME_BYTES && at[MINUTE_BYTES] == ':';
    uint32_t faults = (uint32_t)(at[2] != ':') | (uint32_t)(must_have_seconds && !has_seconds);
    const int32_t hour = pair_read(at, &faults);
    const int32_t minute = pair_read(at + 3, &faults);
    const int32_t second = has_seconds ? pair_read(at + 6, &faults) : 0;
    if (faults != 0 || hour > 23 || minute > 59 || second > 60) {
        return false;
    }
    out->is_leap = second == 60;
    out->seconds = hour * 3600 + minute * 60 + second - out->is_leap;
    out->nanos = 0;
    text->data += has_seconds ? TIME_BYTES : MINUTE_BYTES;
    text->count -= has_seconds ? TIME_BYTES : MINUTE_BYTES;
    return !has_seconds || fraction_take(text, &out->nanos);
}

/* Nothing but "Z", "+hh", "-hh", "+hh:mm" or "-hh:mm" is left, as seconds east. */
static bool zone_read(struct rf_str text, int32_t *offset_seconds)
{
    *offset_seconds = 0;
    if (text.count == 1) {
        return text.data[0] == 'Z';
    }
    if ((text.count != 3 && text.count != 6) || (text.data[0] != '+' && text.data[0] != '-')) {
        return false;
    }
    const bool has_minutes = text.count == 6;
    uint32_t faults = has_minutes && text.data[3] != ':';
    const int32_t hours = pair_read(text.data + 1, &faults);
    const int32_t minutes = has_minutes ? pair_read(text.data + 4, &faults) : 0;
    const int32_t seconds = hours * 3600 + minutes * 60;
    *offset_seconds = text.data[0] == '-' ? -seconds : seconds;
    return faults == 0 && hours <= 23 && minutes <= 59;
}

/* Puts a moment together; false when it is out of the range, or a leap second where there can be none. */
static bool instant_make(int32_t days, const struct time_of_day *time, int32_t offset_seconds, struct rf_instant *out)
{
    struct rf_instant t;
    t.seconds = (int64_t)days * RF_SECONDS_PER_DAY + time->seconds - offset_seconds;
    t.nanos = time->nanos;
    if (time->is_leap) {
        uint32_t second_of_day;
        rf_days_from_seconds(t.seconds, &second_of_day);
        if (second_of_day != RF_SECONDS_PER_DAY - 1) {
            return false;
        }
        t.seconds++;
    }
    if (!rf_instant_is_in_range(t)) {
        return false;
    }
    *out = t;
    return true;
}

bool rf_fix_utc_timestamp(struct rf_str text, struct rf_instant *out)
{
    int32_t days;
    struct time_of_day time;
    if (text.count < DATE_BYTES + TIME_BYTES || !date_read(text.data, &days)) {
        return false;
    }
    struct rf_str rest = {text.data + DATE_BYTES, text.count - DATE_BYTES};
    return time_take(&rest, true, &time) && rest.count == 0 && instant_make(days, &time, 0, out);
}

bool rf_fix_tz_timestamp(struct rf_str text, struct rf_instant *out)
{
    int32_t days;
    int32_t offset_seconds;
    struct time_of_day time;
    if (text.count < DATE_BYTES + MINUTE_BYTES || !date_read(text.data, &days)) {
        return false;
    }
    struct rf_str rest = {text.data + DATE_BYTES, text.count - DATE_BYTES};
    return time_take(&rest, false, &time) && zone_read(rest, &offset_seconds) &&
           instant_make(days, &time, offset_seconds, out);
}

bool rf_fix_time_of_day(struct rf_str text, int64_t *nanoseconds)
{
    struct time_of_day time;
    if (!time_take(&text, true, &time) || text.count != 0) {
        return false;
    }
    if (time.is_leap && time.seconds != RF_SECONDS_PER_DAY - 1) {
        return false;
    }
    *nanoseconds = (int64_t)(time.seconds + time.is_leap) * RF_NANOSECONDS_PER_SECOND + time.nanos;
    return true;
}

bool rf_fix_list_next(struct rf_str *rest, struct rf_str *item)
{
    size_t begin = 0;
    while (begin < rest->count && rest->data[begin] == ' ') {
        begin++;
    }
    size_t end = begin;
    while (end < rest->count && rest->data[end] != ' ') {
        end++;
    }
    if (begin == end) {
        return false;
    }
    *item = (struct rf_str){rest->data + begin, end - begin};
    *rest = (struct rf_str){rest->data + end, rest->count - end};
    return true;
}

bool rf_fix_value(enum rf_fix_type type, struct rf_str text, struct rf_fix_value *out)
{
    struct rf_fix_value value = {.kind = rf_fix_type_class(type)};
    bool is_good = true;
    switch (value.kind) {
    case RF_FIX_CLASS_INT:
        is_good = rf_fix_int(text, &value.as.integer);
        break;
    case RF_FIX_CLASS_DOUBLE:
        is_good = rf_fix_double(text, &value.as.number);
        break;
    case RF_FIX_CLASS_BOOL:
        is_good = rf_fix_bool(text, &value.as.truth);
        break;
    case RF_FIX_CLASS_INSTANT:
        is_good = type == RF_FIX_TYPE_TZ_TIMESTAMP ? rf_fix_tz_timestamp(text, &value.as.instant)
                                                   : rf_fix_utc_timestamp(text, &value.as.instant);
        break;
    case RF_FIX_CLASS_DURATION:
        is_good = rf_fix_time_of_day(text, &value.as.nanoseconds);
        break;
    case RF_FIX_CLASS_TEXT:
    case RF_FIX_CLASS_LIST:
    case RF_FIX_CLASS_BYTES:
        value.as.text = text;
        break;
    }
    if (is_good) {
        *out = value;
    }
    return is_good;
}
