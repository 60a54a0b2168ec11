/* gen.h: deterministic streams of messages for the demo, the tests and the benchmarks.
 *
 * Purpose    The same options give the same bytes on every machine and compiler: own random numbers, integer
 *            arithmetic only, no library formatting.
 * Data       rf_gen_next appends one record with its line end to out[RF_GEN_RECORD_MAX].
 *            trades  JSON lines, one trade event each, 220-300 bytes; nested objects, escapes, non-ASCII text, nulls,
 *                    arrays, optional members. `shuffle` of the lines have their members in any order; `traps` of
 *                    them hold a wanted pair at the wrong depth, inside a string, spelled with an escape, with white
 *                    space around the colons, or a number with an exponent.
 *            orders  JSON lines, nested envelopes message/user/order/meta, about 400 bytes
 *            fix-reports  FIX 4.4 ExecutionReports of about 260 bytes, separated by SOH, back to back without line ends
 *            fix-log      lines of a FIX 4.4 session: time, direction, message; 60 % ExecutionReports in some forms,
 *                         25 % NewOrderSingle, 5 % OrderCancelRequest, 10 % Heartbeat
 *            words   100,000 pseudo-words, one a line, then the end
 * Ownership  struct rf_gen is plain data; the caller's.
 * Threads    one for each struct.
 * Source     splitmix64: Steele, Lea, Flood, Fast Splittable Pseudorandom Number Generators (2014).
 */
#ifndef RF_GEN_H
#define RF_GEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum rf_gen_kind {
    RF_GEN_TRADES,
    RF_GEN_WORDS,
    RF_GEN_ORDERS,
    RF_GEN_FIX_REPORTS,
    RF_GEN_FIX_LOG,
    RF_GEN_KIND_COUNT
};

enum {
    RF_GEN_RECORD_MAX = 1024, /* a longest trade has under 600 bytes, an order under 500 */
    RF_GEN_WORDS_COUNT = 100000
};

struct rf_gen {
    enum rf_gen_kind kind;
    uint64_t random;
    uint32_t shuffle; /* probability in units of 2^-32 */
    uint32_t traps;
    uint64_t number;  /* records made so far */
    uint64_t time_us; /* of day, of the last trade */
};

const char *rf_gen_kind_name(enum rf_gen_kind kind);
/* shuffle and traps are shares of the lines, 0 to 1. */
void rf_gen_open(struct rf_gen *gen, enum rf_gen_kind kind, uint64_t seed, double shuffle, double traps);
/* Bytes written to out; 0 when there are no more records (words only). */
size_t rf_gen_next(struct rf_gen *gen, char *out);
/* Fills at most `bytes` bytes with whole records; *records (may be NULL) says how many. Less than `bytes` is the normal
 * case: the record that did not fit is lost, so a stream is filled by one call. */
size_t rf_gen_fill(struct rf_gen *gen, char *out, size_t bytes, uint64_t *records);

#endif
