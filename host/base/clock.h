/* clock.h: monotonic time in nanoseconds. */
#ifndef RF_CLOCK_H
#define RF_CLOCK_H

#include <stdint.h>
#include <time.h>

enum { RF_NS_PER_MS = 1000000, RF_NS_PER_S = 1000000000 };

static inline uint64_t rf_clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * RF_NS_PER_S + (uint64_t)now.tv_nsec;
}

#endif
