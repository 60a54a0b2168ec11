/* The family TIME of operate.h: parts of timestamps and durations; and for operate.c sums, differences and negation of
 * them. Every result is exact; what is beyond the range (years 1 to 9999, 64 bits of nanoseconds) is an error.
 *
 * Source     CEL language definition, "Date/Time Functions" and "Arithmetic". One case differs from cel-go, which
 *            subtracts a duration by adding its negative and so refuses to subtract the least one: here the difference
 *            is what it is.
 */
#include <assert.h>

#include "calendar.h"
#include "operate.h"
#include "utf8.h"
#include "zone.h"

enum { SHOWN_MAX = 60 /* bytes of a text from a message in the text of an error */ };

static const enum rf_time_part part_of_function[RF_FUNCTION_COUNT] = {
    [RF_FN_FULL_YEAR] = RF_PART_FULL_YEAR,
    [RF_FN_MONTH] = RF_PART_MONTH,
    [RF_FN_DATE] = RF_PART_DATE,
    [RF_FN_DAY_OF_MONTH] = RF_PART_DAY_OF_MONTH,
    [RF_FN_DAY_OF_WEEK] = RF_PART_DAY_OF_WEEK,
    [RF_FN_DAY_OF_YEAR] = RF_PART_DAY_OF_YEAR,
    [RF_FN_HOURS] = RF_PART_HOURS,
    [RF_FN_MINUTES] = RF_PART_MINUTES,
    [RF_FN_SECONDS] = RF_PART_SECONDS,
    [RF_FN_MILLISECONDS] = RF_PART_MILLISECONDS,
};

/* ---- Arithmetic ---- */

static struct rf_value instant_or_error(bool is_in_range, struct rf_instant instant)
{
    return is_in_range ? rf_value_instant(instant) : rf_value_error("timestamp out of range: years are 1 to 9999");
}

static struct rf_value duration_or_error(bool is_in_range, int64_t nanoseconds)
{
    return is_in_range ? rf_value_duration(nanoseconds) : rf_value_error("duration out of range: 292 years at most");
}

static struct rf_value instant_add(struct rf_value instant, struct rf_value duration)
{
    struct rf_instant sum = {.nanos = 0};
    const bool is_in_range = rf_instant_add(rf_value_to_instant(instant), duration.exact.as.i, &sum);
    return instant_or_error(is_in_range, sum);
}

/* The least duration has no negative: it is added as the greatest one and a nanosecond. Both steps go up, so that the
 * first is in range whenever the second is. */
static struct rf_value instant_subtract_duration(struct rf_value instant, struct rf_value duration)
{
    struct rf_instant result = rf_value_to_instant(instant);
    const bool is_least = duration.exact.as.i == INT64_MIN;
    bool is_in_range = rf_instant_add(result, is_least ? INT64_MAX : -duration.exact.as.i, &result);
    if (is_least) {
        is_in_range = is_in_range && rf_instant_add(result, 1, &result);
    }
    return instant_or_error(is_in_range, result);
}

static struct rf_value instant_subtract(struct rf_value a, struct rf_value b)
{
    int64_t nanoseconds = 0;
    const bool is_in_range = rf_instant_subtract(rf_value_to_instant(a), rf_value_to_instant(b), &nanoseconds);
    return duration_or_error(is_in_range, nanoseconds);
}

static struct rf_value time_add(const struct rf_value *args, struct rf_arena *arena)
{
    const struct rf_value a = args[0];
    const struct rf_value b = args[1];
    if (a.type == RF_TYPE_TIMESTAMP && b.type == RF_TYPE_DURATION) {
        return instant_add(a, b);
    }
    if (a.type == RF_TYPE_DURATION && b.type == RF_TYPE_TIMESTAMP) {
        return instant_add(b, a);
    }
    if (a.type == RF_TYPE_DURATION && b.type == RF_TYPE_DURATION) {
        int64_t sum;
        const bool is_overflow = __builtin_add_overflow(a.exact.as.i, b.exact.as.i, &sum);
        return duration_or_error(!is_overflow, sum);
    }
    return rf_operate_no_overload(RF_FN_ADD, args, 2, arena);
}

static struct rf_value time_subtract(const struct rf_value *args, struct rf_arena *arena)
{
    const struct rf_value a = args[0];
    const struct rf_value b = args[1];
    if (a.type == RF_TYPE_TIMESTAMP && b.type == RF_TYPE_TIMESTAMP) {
        return instant_subtract(a, b);
    }
    if (a.type == RF_TYPE_TIMESTAMP && b.type == RF_TYPE_DURATION) {
        return instant_subtract_duration(a, b);
    }
    if (a.type == RF_TYPE_DURATION && b.type == RF_TYPE_DURATION) {
        int64_t difference;
        const bool is_overflow = __builtin_sub_overflow(a.exact.as.i, b.exact.as.i, &difference);
        return duration_or_error(!is_overflow, difference);
    }
    return rf_operate_no_overload(RF_FN_SUB, args, 2, arena);
}

static struct rf_value time_negate(const struct rf_value *args, struct rf_arena *arena)
{
    if (args[0].type != RF_TYPE_DURATION) {
        return rf_operate_no_overload(RF_FN_NEG, args, 1, arena);
    }
    int64_t negative;
    const bool is_overflow = __builtin_sub_overflow((int64_t)0, args[0].exact.as.i, &negative);
    return duration_or_error(!is_overflow, negative);
}

/* ---- Parts ---- */

static struct rf_value instant_part(enum rf_time_part part, struct rf_instant instant, struct rf_str zone_name,
                                    struct rf_arena *arena)
{
    struct rf_zone zone;
    if (!rf_zone_find(zone_name, &zone)) {
        struct rf_str shown = {zone_name.data, zone_name.count < SHOWN_MAX ? zone_name.count : SHOWN_MAX};
        shown.count = rf_utf8_valid_count(shown);
        return rf_operate_error(arena, "unknown time zone '%.*s': names are such as Europe/Paris, UTC or +05:30",
                                RF_STR_ARG(shown));
    }
    instant.seconds += rf_zone_offset(&zone, instant.seconds);
    return rf_value_int(rf_instant_part(instant, part));
}

static struct rf_value time_part(enum rf_function function, const struct rf_value *args, uint32_t count,
                                 struct rf_arena *arena)
{
    assert(function >= RF_FN_FULL_YEAR && function <= RF_FN_MILLISECONDS);
    const enum rf_time_part part = part_of_function[function];
    if (args[0].type == RF_TYPE_TIMESTAMP && count == 1) {
        return rf_value_int(rf_instant_part(rf_value_to_instant(args[0]), part));
    }
    if (args[0].type == RF_TYPE_TIMESTAMP && args[1].type == RF_TYPE_STRING) {
        return instant_part(part, rf_value_to_instant(args[0]), args[1].text, arena);
    }
    /* A duration has no calendar: only the four functions that count units of fixed length. */
    if (args[0].type == RF_TYPE_DURATION && count == 1 && function >= RF_FN_HOURS) {
        return rf_value_int(rf_duration_part(args[0].exact.as.i, part));
    }
    return rf_operate_no_overload(function, args, count, arena);
}

struct rf_value rf_operate_time(enum rf_function function, const struct rf_value *args, uint32_t count,
                                struct rf_arena *arena)
{
    switch (function) {
    case RF_FN_ADD:
        return time_add(args, arena);
    case RF_FN_SUB:
        return time_subtract(args, arena);
    case RF_FN_NEG:
        return time_negate(args, arena);
    default:
        return time_part(function, args, count, arena);
    }
}
