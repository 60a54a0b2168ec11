#include "record.h"

enum { DISTANCE_NEAR = 2 };

static const struct rf_record_member member_table[] = {
#define RF_RECORD(name, root, type) {name, root, type},
#include "record.def"
#undef RF_RECORD
};

enum { MEMBERS = sizeof member_table / sizeof member_table[0] };

const struct rf_record_member *rf_record_member(struct rf_str name)
{
    for (size_t i = 0; i < MEMBERS; i++) {
        if (rf_str_equal(name, rf_str_of(member_table[i].name))) {
            return &member_table[i];
        }
    }
    return NULL;
}

const char *rf_record_suggest(struct rf_str name)
{
    const char *best = NULL;
    size_t best_distance = DISTANCE_NEAR + 1;
    for (size_t i = 0; i < MEMBERS; i++) {
        const size_t distance = rf_str_distance(name, rf_str_of(member_table[i].name));
        if (distance < best_distance) {
            best = member_table[i].name;
            best_distance = distance;
        }
    }
    return best;
}
