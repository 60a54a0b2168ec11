/* fix_data.h: which fields of FIX hold raw data, and which field says their length, where no dictionary is at hand.
 *
 * Data       tags; the pairs are those of fix_data.def. A dictionary knows these and its own: struct rf_fix_field.
 * Threads    pure functions.
 */
#ifndef RF_FIX_DATA_H
#define RF_FIX_DATA_H

#include <stdint.h>

/* The tag of the data field whose length the field `tag` says; 0 when it says none. */
static inline uint32_t rf_fix_data_of(uint32_t tag)
{
    switch (tag) {
#define RF_FIX_DATA(length_tag, data_tag)                                                                              \
    case length_tag:                                                                                                   \
        return data_tag;
#include "fix_data.def"
#undef RF_FIX_DATA
    default:
        return 0;
    }
}

/* The tag of the field that says the length of the data field `tag`; 0 when it is no data field. */
static inline uint32_t rf_fix_length_of_data(uint32_t tag)
{
    switch (tag) {
#define RF_FIX_DATA(length_tag, data_tag)                                                                              \
    case data_tag:                                                                                                     \
        return length_tag;
#include "fix_data.def"
#undef RF_FIX_DATA
    default:
        return 0;
    }
}

#endif
