#include "zone_rule.h"

#include "calendar.h"

enum {
    SECONDS_PER_HOUR = 3600,
    OFFSET_HOURS_MAX = 24,
    MOMENT_HOURS_MAX = 167,
    MOMENT_DEFAULT_SECONDS = 2 * SECONDS_PER_HOUR,
    NAME_BYTES_MIN = 3,
    WEEK_DAYS = 7,
    YEAR_DAYS = 365
};

enum moment_form {
    MOMENT_JULIAN,  /* Jn: day 1..365, February 29 is never counted */
    MOMENT_ORDINAL, /* n: day 0..365 */
    MOMENT_WEEKDAY  /* Mm.w.d: the w-th weekday d of month m, week 5 being the last */
};

/* One end of daylight saving time, in local time. */
struct moment {
    enum moment_form form;
    int32_t day; /* of the year, or of the week */
    int32_t week;
    int32_t month;
    int32_t seconds; /* since the local midnight of that day */
};

/* What is left of the text. */
struct rule_text {
    const char *at;
    const char *end;
};

static bool rule_has(const struct rule_text *text, char c)
{
    return text->at < text->end && *text->at == c;
}

static bool rule_take(struct rule_text *text, char c)
{
    const bool is_there = rule_has(text, c);
    text->at += is_there;
    return is_there;
}

/* Digits without sign, at most max. */
static bool rule_number(struct rule_text *text, int32_t max, int32_t *value)
{
    const char *const begin = text->at;
    int32_t number = 0;
    for (; text->at < text->end && (unsigned char)(*text->at - '0') < 10; text->at++) {
        number = number * 10 + (*text->at - '0');
        if (number > max) {
            return false;
        }
    }
    *value = number;
    return text->at > begin;
}

/* "h", "h:mm" or "h:mm:ss" with an optional sign, as seconds. */
static bool rule_seconds(struct rule_text *text, int32_t hours_max, int32_t *seconds)
{
    int32_t hours = 0;
    int32_t minutes = 0;
    int32_t rest = 0;
    const bool is_negative = rule_take(text, '-');
    if (!is_negative) {
        (void)rule_take(text, '+');
    }
    if (!rule_number(text, hours_max, &hours)) {
        return false;
    }
    if (rule_take(text, ':')) {
        if (!rule_number(text, 59, &minutes) || (rule_take(text, ':') && !rule_number(text, 59, &rest))) {
            return false;
        }
    }
    const int32_t magnitude = hours * SECONDS_PER_HOUR + minutes * 60 + rest;
    *seconds = is_negative ? -magnitude : magnitude;
    return true;
}

static bool is_letter(char c)
{
    return (unsigned char)((c | 0x20) - 'a') < 26;
}

static bool is_quoted_byte(char c)
{
    return is_letter(c) || (unsigned char)(c - '0') < 10 || c == '+' || c == '-';
}

/* "CET" or "<+0530>"; what it says does not matter. */
static bool rule_name(struct rule_text *text)
{
    const bool is_quoted = rule_take(text, '<');
    const char *const begin = text->at;
    while (text->at < text->end && (is_quoted ? is_quoted_byte(*text->at) : is_letter(*text->at))) {
        text->at++;
    }
    return text->at - begin >= NAME_BYTES_MIN && (!is_quoted || rule_take(text, '>'));
}

/* ",M3.5.0/3" */
static bool rule_moment(struct rule_text *text, struct moment *out)
{
    bool is_good;
    if (!rule_take(text, ',')) {
        return false;
    }
    *out = (struct moment){.seconds = MOMENT_DEFAULT_SECONDS};
    if (rule_take(text, 'M')) {
        out->form = MOMENT_WEEKDAY;
        is_good = rule_number(text, 12, &out->month) && out->month >= 1 && rule_take(text, '.') &&
                  rule_number(text, 5, &out->week) && out->week >= 1 && rule_take(text, '.') &&
                  rule_number(text, WEEK_DAYS - 1, &out->day);
    } else if (rule_take(text, 'J')) {
        out->form = MOMENT_JULIAN;
        is_good = rule_number(text, YEAR_DAYS, &out->day) && out->day >= 1;
    } else {
        out->form = MOMENT_ORDINAL;
        is_good = rule_number(text, YEAR_DAYS, &out->day);
    }
    return is_good && (!rule_take(text, '/') || rule_seconds(text, MOMENT_HOURS_MAX, &out->seconds));
}

/* Days from the first of January of a year that begins on that weekday. */
static int32_t moment_day(const struct moment *moment, int32_t first_weekday, bool is_leap)
{
    /* Any years of their kind; only their lengths of months are read. */
    const int32_t year = is_leap ? 2000 : 2001;
    int32_t day = moment->day;
    if (moment->form == MOMENT_ORDINAL) {
        return day;
    }
    if (moment->form == MOMENT_JULIAN) {
        return day - 1 + (is_leap && day > 31 + 28);
    }
    int32_t month_begin = 0;
    for (int32_t month = 1; month < moment->month; month++) {
        month_begin += rf_month_days(year, month);
    }
    const int32_t month_weekday = (first_weekday + month_begin) % WEEK_DAYS;
    day = (moment->day - month_weekday + WEEK_DAYS) % WEEK_DAYS + WEEK_DAYS * (moment->week - 1);
    if (day >= rf_month_days(year, moment->month)) {
        day -= WEEK_DAYS;
    }
    return month_begin + day;
}

/* Weekdays of January 1 in years of common length first, then those of leap years. */
static int32_t year_kind(int32_t first_weekday, bool is_leap)
{
    return first_weekday + (is_leap ? WEEK_DAYS : 0);
}

static int32_t year_seconds(bool is_leap)
{
    return (YEAR_DAYS + is_leap) * RF_SECONDS_PER_DAY;
}

static void rule_expand(struct rf_zone_rule *rule, const struct moment *begin, const struct moment *end)
{
    bool is_always_saving = true;
    rule->is_within_year = true;
    for (int32_t kind = 0; kind < RF_ZONE_YEAR_KINDS; kind++) {
        const bool is_leap = kind >= WEEK_DAYS;
        const int32_t weekday = kind % WEEK_DAYS;
        /* Each moment is told in the time that it ends. */
        const int32_t from =
            moment_day(begin, weekday, is_leap) * RF_SECONDS_PER_DAY + begin->seconds - rule->standard_offset;
        const int32_t to = moment_day(end, weekday, is_leap) * RF_SECONDS_PER_DAY + end->seconds - rule->saving_offset;
        const int32_t limit = year_seconds(is_leap);
        rule->saving_begin[kind] = from;
        rule->saving_end[kind] = to;
        rule->is_within_year = rule->is_within_year && from >= 0 && from < limit && to >= 0 && to < limit &&
                               from != to && (from < to) == (rule->saving_begin[0] < rule->saving_end[0]);
        is_always_saving = is_always_saving && to - from >= limit;
    }
    /* "XXX3EDT4,0/0,J365/23": the way of RFC 9636 to say that daylight saving time never ends. */
    if (is_always_saving) {
        rule->has_saving = false;
        rule->standard_offset = rule->saving_offset;
    }
}

bool rf_zone_rule_parse(struct rf_str text, struct rf_zone_rule *out)
{
    struct rf_zone_rule rule = {.has_saving = false};
    struct moment begin;
    struct moment end;
    int32_t seconds_west;
    if (text.count == 0) {
        return false;
    }
    struct rule_text left = {text.data, text.data + text.count};
    if (!rule_name(&left) || !rule_seconds(&left, OFFSET_HOURS_MAX, &seconds_west)) {
        return false;
    }
    rule.standard_offset = -seconds_west;
    rule.saving_offset = rule.standard_offset + SECONDS_PER_HOUR;
    if (left.at < left.end) {
        if (!rule_name(&left)) {
            return false;
        }
        if (!rule_has(&left, ',')) {
            if (!rule_seconds(&left, OFFSET_HOURS_MAX, &seconds_west)) {
                return false;
            }
            rule.saving_offset = -seconds_west;
        }
        if (!rule_moment(&left, &begin) || !rule_moment(&left, &end) || left.at != left.end) {
            return false;
        }
        rule.has_saving = true;
        rule_expand(&rule, &begin, &end);
    }
    *out = rule;
    return true;
}

/* The rule whose moments may lie in a neighbouring year: the last moment before the instant decides, out of those of
 * three years. `seconds` counts from the beginning of `year`. Two moments at once: the later one of the rule wins. */
static bool saving_holds_anywhere(const struct rf_zone_rule *rule, int32_t year, int32_t seconds)
{
    const int32_t year_begin = rf_date_to_days(year, 1, 1);
    int32_t latest = INT32_MIN;
    bool holds = false;
    for (int32_t y = year - 1; y <= year + 1; y++) {
        const int32_t days = rf_date_to_days(y, 1, 1);
        const int32_t kind = year_kind(rf_days_weekday(days), rf_year_is_leap(y));
        const int32_t base = (days - year_begin) * RF_SECONDS_PER_DAY;
        const int32_t from = base + rule->saving_begin[kind];
        const int32_t to = base + rule->saving_end[kind];
        if (from <= seconds && from >= latest) {
            latest = from;
            holds = true;
        }
        if (to <= seconds && to >= latest) {
            latest = to;
            holds = false;
        }
    }
    return holds;
}

int32_t rf_zone_rule_offset(const struct rf_zone_rule *rule, int64_t seconds)
{
    if (!rule->has_saving) {
        return rule->standard_offset;
    }
    /* Instants lie in this range; the others are not worth more than being harmless. */
    seconds = seconds < RF_INSTANT_SECONDS_MIN ? RF_INSTANT_SECONDS_MIN : seconds;
    seconds = seconds > RF_INSTANT_SECONDS_MAX ? RF_INSTANT_SECONDS_MAX : seconds;
    uint32_t second_of_day;
    const int32_t days = rf_days_from_seconds(seconds, &second_of_day);
    const struct rf_date date = rf_date_from_days(days);
    const int32_t kind = year_kind(rf_days_weekday(days - date.day_of_year), rf_year_is_leap(date.year));
    const int32_t second_of_year = date.day_of_year * RF_SECONDS_PER_DAY + (int32_t)second_of_day;
    bool holds;
    if (rule->is_within_year) {
        const int32_t begin = rule->saving_begin[kind];
        const int32_t end = rule->saving_end[kind];
        const int is_begun = second_of_year >= begin;
        const int is_ended = second_of_year >= end;
        /* Begun and not ended; or, where it ends in the year first, as south of the equator, begun or not ended.
         * Without a branch, because the instants of a column lie on either side. */
        holds = is_begun - is_ended + (begin > end) > 0;
    } else {
        holds = saving_holds_anywhere(rule, date.year, second_of_year);
    }
    return holds ? rule->saving_offset : rule->standard_offset;
}
