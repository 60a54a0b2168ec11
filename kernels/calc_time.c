/* The family TIME of calc.h: parts of timestamps and durations; and for calc_number.c sums, differences and negation of
 * them. What is beyond the range (years 1 to 9999, 64 bits of nanoseconds) is an error.
 *
 * Source     host/expr/operate_time.c, which is the definition; tests/unit/pipeline/test_calc_operate.c compares them.
 * Cost       a constant zone was looked up when the program was made (rf_calc.zone). Others are looked up by their name in
 *            each row, which costs about as much as the offset; names that are unknown cost a failed open() each (zone.h).
 */
#include "calc.h"

#include "calendar.h"
#include "zone.h"

/* ---- Arithmetic ---- */

static int64_t duration_of(const struct rf_cell *cell)
{
    return (int64_t)cell->payload;
}

static struct rf_cell cell_of_duration(int64_t nanoseconds)
{
    return (struct rf_cell){.tag = RF_TAG_DURATION, .payload = (uint64_t)nanoseconds, .text = ""};
}

static void instant_add(const struct rf_cell *instant, const struct rf_cell *duration, struct rf_cell *out)
{
    struct rf_instant sum;
    if (rf_instant_add(rf_cell_instant(instant), duration_of(duration), &sum)) {
        *out = rf_cell_of_instant(sum);
    }
}

/* The least duration has no negative: it is added as the greatest one and a nanosecond. Both steps go up, so that the
 * first is in range whenever the second is. */
static void instant_subtract_duration(const struct rf_cell *instant, const struct rf_cell *duration,
                                      struct rf_cell *out)
{
    const int64_t nanoseconds = duration_of(duration);
    const bool is_least = nanoseconds == INT64_MIN;
    struct rf_instant result;
    if (rf_instant_add(rf_cell_instant(instant), is_least ? INT64_MAX : -nanoseconds, &result) &&
        (!is_least || rf_instant_add(result, 1, &result))) {
        *out = rf_cell_of_instant(result);
    }
}

static void op_add(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    (void)run;
    int64_t sum;
    if (arg[0].tag == RF_TAG_TIMESTAMP && arg[1].tag == RF_TAG_DURATION) {
        instant_add(&arg[0], &arg[1], out);
    } else if (arg[0].tag == RF_TAG_DURATION && arg[1].tag == RF_TAG_TIMESTAMP) {
        instant_add(&arg[1], &arg[0], out);
    } else if (arg[0].tag == RF_TAG_DURATION && arg[1].tag == RF_TAG_DURATION &&
               !__builtin_add_overflow(duration_of(&arg[0]), duration_of(&arg[1]), &sum)) {
        *out = cell_of_duration(sum);
    }
}

static void op_subtract(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    (void)run;
    int64_t difference;
    if (arg[0].tag == RF_TAG_TIMESTAMP && arg[1].tag == RF_TAG_DURATION) {
        instant_subtract_duration(&arg[0], &arg[1], out);
    } else if (arg[0].tag == RF_TAG_TIMESTAMP && arg[1].tag == RF_TAG_TIMESTAMP) {
        if (rf_instant_subtract(rf_cell_instant(&arg[0]), rf_cell_instant(&arg[1]), &difference)) {
            *out = cell_of_duration(difference);
        }
    } else if (arg[0].tag == RF_TAG_DURATION && arg[1].tag == RF_TAG_DURATION &&
               !__builtin_sub_overflow(duration_of(&arg[0]), duration_of(&arg[1]), &difference)) {
        *out = cell_of_duration(difference);
    }
}

static void op_negate(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    (void)run;
    int64_t negative;
    if (arg[0].tag == RF_TAG_DURATION && !__builtin_sub_overflow((int64_t)0, duration_of(&arg[0]), &negative)) {
        *out = cell_of_duration(negative);
    }
}

/* ---- Parts ---- */

/* Functions and parts stand in one order. */
_Static_assert((int)RF_FN_MILLISECONDS - (int)RF_FN_FULL_YEAR == (int)RF_PART_MILLISECONDS,
               "a function for each part of a time");

static void op_part(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    const enum rf_function function = run->calc->function;
    const enum rf_time_part part = (enum rf_time_part)((int)function - (int)RF_FN_FULL_YEAR);
    const bool has_zone = run->calc->args == 2;
    if (arg[0].tag == RF_TAG_TIMESTAMP) {
        struct rf_instant instant = rf_cell_instant(&arg[0]);
        const struct rf_zone *zone = run->calc->zone;
        struct rf_zone found;
        if (has_zone && zone == NULL) {
            if (!rf_cell_is_string(&arg[1]) || !rf_zone_find(rf_cell_text(&arg[1]), &found)) {
                return;
            }
            zone = &found;
        }
        if (has_zone) {
            instant.seconds += rf_zone_offset(zone, instant.seconds);
        }
        *out = rf_cell_of_int(rf_instant_part(instant, part));
    } else if (arg[0].tag == RF_TAG_DURATION && !has_zone && function >= RF_FN_HOURS) {
        /* A duration has no calendar: only the four functions that count units of fixed length. */
        *out = rf_cell_of_int(rf_duration_part(duration_of(&arg[0]), part));
    }
}

/* Beside its family the operators of times, for calc_number.c: nobody else asks for those here. */
rf_calc_op rf_calc_time_op(enum rf_function function)
{
    switch (function) {
    case RF_FN_ADD:
        return op_add;
    case RF_FN_SUB:
        return op_subtract;
    case RF_FN_NEG:
        return op_negate;
    default:
        return function >= RF_FN_FULL_YEAR && function <= RF_FN_MILLISECONDS ? op_part : NULL;
    }
}
