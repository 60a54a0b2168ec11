/* prefetch.h: memory ahead of a pass that reads a batch once, line by line.
 *
 * Cost       Two requests a line, one into the second-level cache long before it is read and one into the first-level
 *            cache shortly before. A core keeps 16 requests of its first level in flight and 48 of its second: with the
 *            near one alone these 16, at about 120 ns each, are the limit (docs/performance.md, "index").
 */
#ifndef RF_PREFETCH_H
#define RF_PREFETCH_H

#include <stdint.h>

enum { RF_PREFETCH_NEAR = 512, RF_PREFETCH_FAR = 16384 };

/* For the line at p. Addresses behind the end of the memory do no harm. Not by __builtin_prefetch: in the large functions
 * of the index gcc 12 leaves that out. */
static inline void rf_prefetch_line(const uint8_t *p)
{
#if defined(__x86_64__)
    __asm__ volatile("prefetcht1 %0" : : "m"(p[RF_PREFETCH_FAR]));
    __asm__ volatile("prefetcht0 %0" : : "m"(p[RF_PREFETCH_NEAR]));
#else
    __builtin_prefetch(p + RF_PREFETCH_FAR, 0, 2);
    __builtin_prefetch(p + RF_PREFETCH_NEAR, 0, 3);
#endif
}

#endif
