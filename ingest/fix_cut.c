#include "fix_cut.h"

struct rf_fix_cut rf_fix_cut(const uint8_t *bytes, size_t begin, size_t count, size_t batch_bytes,
                             size_t record_bytes_max, enum rf_fix_run run)
{
    struct rf_fix_cut cut = {.whole = begin, .needed = count + 1};
    while (cut.whole < count) {
        struct rf_fix_entry entry;
        const enum rf_fix_step step =
            rf_fix_entry_next(bytes, cut.whole, count, record_bytes_max, run, &entry, &cut.needed);
        if (step != RF_FIX_ENTRY) {
            cut.is_oversize = step == RF_FIX_OVERSIZE;
            return cut;
        }
        if (cut.whole > 0 && entry.next > batch_bytes) { /* for the next batch */
            return cut;
        }
        cut.whole = entry.next;
        cut.entries++;
        cut.needed = count + 1;
    }
    return cut;
}

struct rf_fix_place rf_fix_cut_resync(const uint8_t *bytes, size_t from, size_t count, enum rf_fix_run run)
{
    struct rf_fix_place place;
    place.is_found = rf_fix_resync(bytes, from, count, run, &place.at);
    return place;
}
