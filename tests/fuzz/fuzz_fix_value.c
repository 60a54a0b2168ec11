/* rf_fix_value against plain readings of the same grammars: strtod and strtoll behind a check of the bytes, timegm, and
 * pieces that are compared character by character. The first byte chooses the type. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "fix_type.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool is_true)
{
    if (!is_true) {
        abort();
    }
}

/* 'd' stands for a digit, everything else for itself. */
static bool looks_like(const char *text, const char *shape)
{
    for (; *shape != '\0'; text++, shape++) {
        if (*shape == 'd' ? !isdigit((unsigned char)*text) : *text != *shape) {
            return false;
        }
    }
    return true;
}

static bool plain_int(const char *text, long long *value)
{
    const char *const digits = text + (*text == '-');
    char *end;
    errno = 0;
    *value = strtoll(text, &end, 10);
    return isdigit((unsigned char)*digits) && *end == '\0' && errno == 0;
}

static bool plain_double(const char *text, double *value)
{
    size_t digits = 0;
    size_t points = 0;
    for (const char *c = text + (*text == '-'); *c != '\0'; c++) {
        digits += isdigit((unsigned char)*c) != 0;
        points += *c == '.';
        if (!isdigit((unsigned char)*c) && *c != '.') {
            return false;
        }
    }
    *value = strtod(text, NULL);
    return digits != 0 && points <= 1 && !isinf(*value);
}

/* ".123456": nanoseconds; moves *text behind it. */
static bool plain_fraction(const char **text, uint32_t *nanos)
{
    char padded[10] = "000000000";
    size_t count = 0;
    *nanos = 0;
    if (**text != '.') {
        return true;
    }
    for ((*text)++; isdigit((unsigned char)**text); (*text)++, count++) {
        if (count < 9) {
            padded[count] = **text;
        }
    }
    *nanos = (uint32_t)strtoul(padded, NULL, 10);
    return count >= 1 && count <= 12;
}

/* "HH:MM:SS" with a fraction, or "HH:MM": seconds with 60 allowed; moves *text behind it. */
static bool plain_time(const char **text, bool may_be_short, int *seconds, bool *is_leap, uint32_t *nanos)
{
    int hour;
    int minute;
    int second = 0;
    *nanos = 0;
    if (looks_like(*text, "dd:dd:dd")) {
        sscanf(*text, "%2d:%2d:%2d", &hour, &minute, &second);
        *text += 8;
        if (!plain_fraction(text, nanos)) {
            return false;
        }
    } else if (may_be_short && looks_like(*text, "dd:dd")) {
        sscanf(*text, "%2d:%2d", &hour, &minute);
        *text += 5;
    } else {
        return false;
    }
    *is_leap = second == 60;
    *seconds = hour * 3600 + minute * 60 + second;
    return hour < 24 && minute < 60 && second <= 60;
}

static bool plain_instant(const char *text, bool has_zone, struct rf_instant *out)
{
    struct tm parts = {.tm_isdst = 0};
    int seconds;
    int offset = 0;
    bool is_leap;
    if (!looks_like(text, "dddddddd-")) {
        return false;
    }
    sscanf(text, "%4d%2d%2d", &parts.tm_year, &parts.tm_mon, &parts.tm_mday);
    text += 9;
    if (!plain_time(&text, has_zone, &seconds, &is_leap, &out->nanos)) {
        return false;
    }
    if (has_zone) {
        int hours = 0;
        int minutes = 0;
        const int sign = *text == '-' ? -1 : 1;
        if (strcmp(text, "Z") != 0) {
            if (*text != '+' && *text != '-') {
                return false;
            }
            text++;
            if (looks_like(text, "dd:dd") && strlen(text) == 5) {
                sscanf(text, "%2d:%2d", &hours, &minutes);
            } else if (looks_like(text, "dd") && strlen(text) == 2) {
                sscanf(text, "%2d", &hours);
            } else {
                return false;
            }
        }
        if (hours > 23 || minutes > 59) {
            return false;
        }
        offset = sign * (hours * 3600 + minutes * 60);
    } else if (*text != '\0') {
        return false;
    }
    const struct tm wanted = parts;
    parts.tm_year -= 1900;
    parts.tm_mon -= 1;
    const time_t day = timegm(&parts);
    if (parts.tm_year + 1900 != wanted.tm_year || parts.tm_mon + 1 != wanted.tm_mon ||
        parts.tm_mday != wanted.tm_mday) {
        return false; /* timegm has made another day of it */
    }
    out->seconds = (int64_t)day + seconds - offset;
    const int64_t second_of_day = ((out->seconds % 86400) + 86400) % 86400;
    return (!is_leap || second_of_day == 0) && rf_instant_is_in_range(*out);
}

static bool plain_time_of_day(const char *text, int64_t *nanoseconds)
{
    int seconds;
    bool is_leap;
    uint32_t nanos;
    if (!plain_time(&text, false, &seconds, &is_leap, &nanos) || *text != '\0' || (is_leap && seconds != 86400)) {
        return false;
    }
    *nanoseconds = (int64_t)seconds * 1000000000 + nanos;
    return true;
}

static void compare(enum rf_fix_type type, struct rf_str text, const char *copy, bool is_terminated)
{
    struct rf_fix_value value;
    long long integer;
    double number;
    struct rf_instant instant = {0, 0};
    int64_t nanoseconds;
    const bool is_good = rf_fix_value(type, text, &value);
    require(!is_good || value.kind == rf_fix_type_class(type));
    switch (rf_fix_type_class(type)) {
    case RF_FIX_CLASS_INT:
        require(is_good == (is_terminated && plain_int(copy, &integer)));
        require(!is_good || value.as.integer == integer);
        break;
    case RF_FIX_CLASS_DOUBLE:
        require(is_good == (is_terminated && plain_double(copy, &number)));
        require(!is_good || memcmp(&value.as.number, &number, sizeof number) == 0);
        break;
    case RF_FIX_CLASS_BOOL:
        require(is_good == (is_terminated && (strcmp(copy, "Y") == 0 || strcmp(copy, "N") == 0)));
        break;
    case RF_FIX_CLASS_INSTANT:
        require(is_good == (is_terminated && plain_instant(copy, type == RF_FIX_TYPE_TZ_TIMESTAMP, &instant)));
        require(!is_good || rf_instant_compare(value.as.instant, instant) == 0);
        break;
    case RF_FIX_CLASS_DURATION:
        require(is_good == (is_terminated && plain_time_of_day(copy, &nanoseconds)));
        require(!is_good || value.as.nanoseconds == nanoseconds);
        break;
    case RF_FIX_CLASS_TEXT:
    case RF_FIX_CLASS_LIST:
    case RF_FIX_CLASS_BYTES:
        require(is_good && rf_str_equal(value.as.text, text));
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    const enum rf_fix_type type = (enum rf_fix_type)(data[0] % RF_FIX_TYPE_COUNT);
    const size_t count = size - 1;
    /* An exact heap copy for the function under test, and a terminated one for the library. */
    char *const exact = malloc(count == 0 ? 1 : count);
    char *const copy = malloc(count + 1);
    require(exact != NULL && copy != NULL);
    if (count != 0) {
        memcpy(exact, data + 1, count);
        memcpy(copy, data + 1, count);
    }
    copy[count] = '\0';
    compare(type, (struct rf_str){exact, count}, copy, strlen(copy) == count);

    struct rf_str rest = {exact, count};
    struct rf_str item;
    size_t taken = 0;
    while (rf_fix_list_next(&rest, &item)) {
        require(item.count != 0 && memchr(item.data, ' ', item.count) == NULL);
        taken += item.count;
    }
    require(taken <= count);
    free(copy);
    free(exact);
    return 0;
}
