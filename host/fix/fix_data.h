/* fix_data.h: which fields hold raw data, and which field before them tells their length. */
#ifndef RF_FIX_DATA_H
#define RF_FIX_DATA_H

#include <stdint.h>

/* The data tag that belongs to a length tag; 0 when the tag is no length tag. */
static inline uint32_t rf_fix_data_of(uint32_t length_tag)
{
    switch (length_tag) {
#define RF_FIX_DATA(length, data)                                                                                      \
    case length:                                                                                                       \
        return data;
#include "fix_data.def"
#undef RF_FIX_DATA
    default:
        return 0;
    }
}

#endif
