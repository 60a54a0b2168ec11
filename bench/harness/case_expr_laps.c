#include <stdlib.h>

#include "case_expr.h"

/* Long enough for the clock and for a lap to be more than a hiccup of the machine, short enough for many sides. */
enum { LAP_NS = 2000000, REPEATS_MAX = 1 << 20 };

static int compare_samples(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* One run tells how many make a lap; the first is cold, so the second counts. */
static bool side_calibrate(struct expr_side *side)
{
    uint64_t ns;
    if (!side->run(side->context, 1, &ns) || !side->run(side->context, 1, &ns)) {
        return false;
    }
    const uint64_t repeats = LAP_NS / (ns == 0 ? 1 : ns) + 1;
    side->repeats = repeats > REPEATS_MAX ? REPEATS_MAX : (uint32_t)repeats;
    return true;
}

bool expr_laps_run(struct expr_side *side, uint32_t sides, uint32_t laps)
{
    for (uint32_t s = 0; s < sides; s++) {
        if (side[s].run != NULL && !side_calibrate(&side[s])) {
            return false;
        }
    }
    for (uint32_t lap = 0; lap < laps; lap++) {
        for (uint32_t i = 0; i < sides; i++) {
            struct expr_side *one = &side[(i + lap) % sides];
            uint64_t ns;
            if (one->run == NULL) {
                continue;
            }
            if (!one->run(one->context, one->repeats, &ns)) {
                return false;
            }
            one->sample[lap] = (double)ns / one->repeats / one->rows;
        }
    }
    for (uint32_t s = 0; s < sides; s++) {
        if (side[s].run != NULL) {
            qsort(side[s].sample, laps, sizeof(side[s].sample[0]), compare_samples);
            side[s].best = side[s].sample[0];
            side[s].median = side[s].sample[laps / 2];
        }
    }
    return true;
}
