/* counts.h: how many records of each status; exact, merged batch by batch. */
#ifndef RF_COUNTS_H
#define RF_COUNTS_H

#include "rows.h"

struct rf_counts {
    uint64_t of[RF_ROW_STATUS_COUNT];
    uint64_t bytes; /* input bytes, after decompression, line ends included */
};

static inline uint64_t rf_counts_read(const struct rf_counts *counts)
{
    uint64_t sum = 0;
    for (int s = 0; s < RF_ROW_STATUS_COUNT; s++) {
        sum += counts->of[s];
    }
    return sum;
}

#endif
