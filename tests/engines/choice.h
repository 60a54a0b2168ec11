/* choice.h: a source of decisions: the bytes of a fuzzer's input, and pseudo-random ones behind its end.
 *
 * Purpose    Generators (random_expr.h, random_record.h) ask it what to write. A fuzz target gives it the input, a plain
 *            test a seed: both walk through the same grammar.
 * Data       what comes behind the end depends on all bytes before it, so that a short input is a whole test of its own.
 * Threads    one thread.
 * Errors     a lack of memory aborts: these are tests.
 * Source     splitmix64: Steele, Lea, Flood, Fast Splittable Pseudorandom Number Generators (2014).
 */
#ifndef RF_TEST_CHOICE_H
#define RF_TEST_CHOICE_H

#include "text.h"

struct choice {
    const uint8_t *data;
    size_t size;
    size_t at;
    uint64_t state;
};

struct choice choice_of_seed(uint64_t seed);
struct choice choice_of_bytes(const uint8_t *data, size_t size);
uint64_t choose_bits(struct choice *choice);
/* Below count, which is 1 at least. Up to 256 take one byte of the input, others two. */
uint32_t choose(struct choice *choice, uint32_t count);
/* True in so many of 256 cases. */
bool choose_rarely(struct choice *choice, uint32_t of_256);

void put(struct rf_text *out, const char *text);
void put_str(struct rf_text *out, struct rf_str text);
void put_format(struct rf_text *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

#define CHOOSE(choice, table) (&(table)[choose((choice), sizeof(table) / sizeof(table)[0])])

#endif
