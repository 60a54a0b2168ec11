#include "event_time.h"

#include <math.h>

#include "fix_type.h"

enum { NS_PER_S = 1000000000, TEXT_MAX = 64 };

static int64_t of_instant(struct rf_instant t)
{
    int64_t ns;
    /* Before 1970 from the second behind: the first one of 64 bits is not whole. */
    const int64_t before = t.seconds < 0;
    if (__builtin_mul_overflow(t.seconds + before, (int64_t)NS_PER_S, &ns) ||
        __builtin_add_overflow(ns, (int64_t)t.nanos - before * NS_PER_S, &ns)) {
        return RF_TALLY_UNTIMED;
    }
    return ns;
}

static int64_t ns_per(enum rf_time_unit unit)
{
    switch (unit) {
    case RF_TIME_S:
        return NS_PER_S;
    case RF_TIME_MS:
        return 1000000;
    case RF_TIME_US:
        return 1000;
    case RF_TIME_NS:
    case RF_TIME_AUTO:
        break;
    }
    return 1;
}

static enum rf_time_unit unit_of(double magnitude, enum rf_time_unit unit)
{
    return unit != RF_TIME_AUTO ? unit
           : magnitude < 1e11   ? RF_TIME_S
           : magnitude < 1e14   ? RF_TIME_MS
           : magnitude < 1e17   ? RF_TIME_US
                                : RF_TIME_NS;
}

static int64_t of_integer(int64_t value, enum rf_time_unit unit)
{
    int64_t ns;
    return __builtin_mul_overflow(value, ns_per(unit_of(fabs((double)value), unit)), &ns) ? RF_TALLY_UNTIMED : ns;
}

/* A double holds the seconds of our days to a quarter of a microsecond: digits below it would be noise. */
static int64_t of_double(double value, enum rf_time_unit unit)
{
    const enum rf_time_unit as = unit_of(fabs(value), unit);
    const double whole = floor(value);
    if (!(fabs(whole) < 9.3e18)) { /* also NaN */
        return RF_TALLY_UNTIMED;
    }
    const double steps = (double)ns_per(as) > 1000 ? 1000 : (double)ns_per(as);
    const double part = rint((value - whole) * ((double)ns_per(as) / steps)) * steps;
    int64_t ns;
    if (!(fabs(whole) < 9223372036854775807.0) || __builtin_mul_overflow((int64_t)whole, ns_per(as), &ns) ||
        __builtin_add_overflow(ns, (int64_t)part, &ns)) {
        return RF_TALLY_UNTIMED;
    }
    return ns;
}

static int64_t of_number(struct rf_number number, enum rf_time_unit unit)
{
    switch (number.kind) {
    case RF_NUMBER_INT:
        return of_integer(number.as.i, unit);
    case RF_NUMBER_UINT:
        return number.as.u > INT64_MAX ? RF_TALLY_UNTIMED : of_integer((int64_t)number.as.u, unit);
    case RF_NUMBER_DOUBLE:
        break;
    }
    return number.as.d == floor(number.as.d) && fabs(number.as.d) < 9e18 ? of_integer((int64_t)number.as.d, unit)
                                                                        : of_double(number.as.d, unit);
}

/* "2026-01-31 12:00:00.5" with and without a zone: what RFC 3339 allows and databases write. */
static bool instant_read(struct rf_str text, struct rf_instant *out)
{
    enum { DATE_BYTES = 10, SECONDS_BYTES = 19 };
    if (rf_instant_parse(text, out)) {
        return true;
    }
    char whole[TEXT_MAX + 1];
    if (text.count < SECONDS_BYTES || text.count > TEXT_MAX) {
        return false;
    }
    memcpy(whole, text.data, text.count);
    size_t count = text.count;
    whole[DATE_BYTES] = whole[DATE_BYTES] == ' ' || whole[DATE_BYTES] == 't' ? 'T' : whole[DATE_BYTES];
    size_t end = SECONDS_BYTES;
    while (end < count && (whole[end] == '.' || (whole[end] >= '0' && whole[end] <= '9'))) {
        end++;
    }
    if (end == count) {
        whole[count++] = 'Z';
    } else if (end + 1 == count && whole[end] == 'z') {
        whole[end] = 'Z';
    }
    return rf_instant_parse((struct rf_str){whole, count}, out);
}

int64_t rf_event_time_of_text(struct rf_str text, enum rf_time_unit unit)
{
    enum { DIGITS_MAX = 19 };
    struct rf_instant instant;
    if (instant_read(text, &instant) || rf_fix_utc_timestamp(text, &instant)) {
        return of_instant(instant);
    }
    int64_t value = 0;
    if (text.count == 0 || text.count > DIGITS_MAX) {
        return RF_TALLY_UNTIMED;
    }
    for (size_t i = 0; i < text.count; i++) {
        if (text.data[i] < '0' || text.data[i] > '9' || __builtin_mul_overflow(value, (int64_t)10, &value) ||
            __builtin_add_overflow(value, (int64_t)(text.data[i] - '0'), &value)) {
            return RF_TALLY_UNTIMED;
        }
    }
    return of_integer(value, unit);
}

int64_t rf_event_time_of_cell(const struct rf_cell *cell, enum rf_time_unit unit)
{
    struct rf_number number;
    if (cell->tag == RF_TAG_TIMESTAMP) {
        return of_instant((struct rf_instant){(int64_t)cell->payload, cell->length});
    }
    if (rf_cell_is_string(cell)) {
        return rf_event_time_of_text(rf_cell_text(cell), unit);
    }
    return rf_cell_number(cell->tag, cell->payload, &number) ? of_number(number, unit) : RF_TALLY_UNTIMED;
}

int64_t rf_event_time_of_value(const struct rf_value *value, enum rf_time_unit unit)
{
    if (value->type == RF_TYPE_TIMESTAMP) {
        return of_instant(rf_value_to_instant(*value));
    }
    if (value->type == RF_TYPE_STRING) {
        return rf_event_time_of_text(value->text, unit);
    }
    return rf_value_is_number(*value) && !rf_value_is_beyond_range(*value) ? of_number(value->exact, unit)
                                                                          : RF_TALLY_UNTIMED;
}

size_t rf_event_time_write(int64_t ns, char *out)
{
    const int64_t part = ns % NS_PER_S;
    const struct rf_instant instant = {ns / NS_PER_S - (part < 0), (uint32_t)(part < 0 ? part + NS_PER_S : part)};
    return rf_instant_write(instant, out);
}

bool rf_event_time_parse(struct rf_str text, int64_t *ns)
{
    struct rf_instant instant;
    if (!rf_instant_parse(text, &instant)) {
        return false;
    }
    *ns = of_instant(instant);
    return *ns != RF_TALLY_UNTIMED;
}
