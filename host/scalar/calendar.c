#include "calendar.h"

#include <assert.h>

enum { SECONDS_PER_MINUTE = 60, SECONDS_PER_HOUR = 3600, NANOSECONDS_PER_MILLISECOND = 1000000 };

int64_t rf_instant_part(struct rf_instant local, enum rf_time_part part)
{
    uint32_t second_of_day;
    const int32_t days = rf_days_from_seconds(local.seconds, &second_of_day);
    switch (part) {
    case RF_PART_FULL_YEAR:
        return rf_date_from_days(days).year;
    case RF_PART_MONTH:
        return rf_date_from_days(days).month - 1;
    case RF_PART_DATE:
        return rf_date_from_days(days).day;
    case RF_PART_DAY_OF_MONTH:
        return rf_date_from_days(days).day - 1;
    case RF_PART_DAY_OF_WEEK:
        return rf_days_weekday(days);
    case RF_PART_DAY_OF_YEAR:
        return rf_date_from_days(days).day_of_year;
    case RF_PART_HOURS:
        return second_of_day / SECONDS_PER_HOUR;
    case RF_PART_MINUTES:
        return second_of_day / SECONDS_PER_MINUTE % 60;
    case RF_PART_SECONDS:
        return second_of_day % SECONDS_PER_MINUTE;
    case RF_PART_MILLISECONDS:
        break;
    }
    assert(part == RF_PART_MILLISECONDS);
    return local.nanos / NANOSECONDS_PER_MILLISECOND;
}

int64_t rf_duration_part(int64_t nanoseconds, enum rf_time_part part)
{
    const int64_t seconds = nanoseconds / RF_NANOSECONDS_PER_SECOND;
    switch (part) {
    case RF_PART_HOURS:
        return seconds / SECONDS_PER_HOUR;
    case RF_PART_MINUTES:
        return seconds / SECONDS_PER_MINUTE;
    case RF_PART_SECONDS:
        return seconds;
    default:
        assert(part == RF_PART_MILLISECONDS);
        return nanoseconds % RF_NANOSECONDS_PER_SECOND / NANOSECONDS_PER_MILLISECOND;
    }
}
