/* fix_peer.h: what the sides of the FIX benchmarks give, so that they can be seen to do the same work.
 *
 * Data       FX-dec    every tag and the span of every value of every message: their counts and sums
 *            FX-pick7  seven typed columns of BENCH_FIX_ROWS rows, filled again and again; when they are full they are folded
 *                      into the sums, by the same function on every side
 */
#ifndef BENCH_FIX_PEER_H
#define BENCH_FIX_PEER_H

#include <string.h>

#include "peers.h"

enum { BENCH_FIX_ROWS = 1024 };

struct bench_fix_sums {
    uint64_t messages;
    uint64_t fields;
    uint64_t tags;
    uint64_t lengths;
    uint64_t bad;
    uint64_t fold;
};

struct bench_fix_text {
    const char *data;
    uint32_t count;
};

struct bench_fix_columns {
    struct bench_fix_text symbol[BENCH_FIX_ROWS];
    char side[BENCH_FIX_ROWS];
    int64_t quantity[BENCH_FIX_ROWS];
    int64_t last_quantity[BENCH_FIX_ROWS];
    int64_t sum_quantity[BENCH_FIX_ROWS];
    double last_price[BENCH_FIX_ROWS];
    double average_price[BENCH_FIX_ROWS];
};

/* Prices as their bits: a compiler may fuse a multiplication with an addition, and the sides must agree to the last one. */
static inline void bench_fix_fold(const struct bench_fix_columns *columns, uint64_t rows, struct bench_fix_sums *sums)
{
    uint64_t prices = 0;
    int64_t quantities = 0;
    uint64_t texts = 0;
    for (uint64_t row = 0; row < rows; row++) {
        quantities += columns->quantity[row] + 3 * columns->last_quantity[row] + 7 * columns->sum_quantity[row];
    }
    for (uint64_t row = 0; row < rows; row++) {
        texts += columns->symbol[row].count * (uint64_t)(uint8_t)columns->side[row];
    }
    for (uint64_t row = 0; row < rows; row++) {
        uint64_t last;
        uint64_t average;
        memcpy(&last, &columns->last_price[row], sizeof last);
        memcpy(&average, &columns->average_price[row], sizeof average);
        prices += last * 5 + average;
    }
    sums->fold += (uint64_t)quantities + texts + prices;
}

#endif
