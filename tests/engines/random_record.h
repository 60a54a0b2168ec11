/* random_record.h: records for the fields of random_field.def.
 *
 * Purpose    JSON objects, mostly; now and then another value, white space, twins of keys, or bytes that are no JSON.
 * Threads    as the choice.
 */
#ifndef RF_TEST_RANDOM_RECORD_H
#define RF_TEST_RANDOM_RECORD_H

#include "random_field.h"

struct record_shape {
    uint32_t items_max; /* of a list */
    bool is_extreme;    /* long texts, objects of many members, deep values: what engines have bounds for */
    bool is_damaged;    /* some of the records are */
    bool is_spaced;
};

/* Of few records with more in them, or of many. */
enum record_width { RECORDS_PLAIN, RECORDS_WIDE, RECORDS_EXTREME };
struct record_shape random_shape(struct choice *choice, enum record_width width);
/* One record without its line end, and without any line end in it. */
void put_record(struct choice *choice, struct record_shape shape, struct rf_text *out);

#endif
