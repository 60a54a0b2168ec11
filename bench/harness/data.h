/* data.h: the streams that the benchmarks read, made by the generator of bench/gen.
 *
 * Data       T  trades, seed 1: 2 % of the lines with their members in any order, 1 % traps
 *            H  trades, seed 7: every line in any order, 10 % traps; half the size of T
 *            X  FIX ExecutionReports, seed 1: 5 MiB, about 20,000 that differ
 *            L  a mixed FIX log, seed 1
 *            W  100,000 words
 *            In memory: huge pages where the system gives them, BENCH_PADDING bytes behind the last line.
 * Ownership  data_close gives the memory back. Files stay in the folder, for the whole commands and for the next run.
 */
#ifndef BENCH_DATA_H
#define BENCH_DATA_H

#include <stdbool.h>

#include "gen.h"
#include "peers.h"

struct data {
    const char *name;
    enum rf_gen_kind kind;
    uint64_t seed;
    double shuffle;
    double traps;
    size_t mib;
    char *bytes; /* NULL until data_load */
    size_t count;
    size_t mapped;
    uint64_t records;
};

/* Makes the stream in memory, once. */
bool data_load(struct data *data);
void data_close(struct data *data);
static inline struct bench_input data_input(const struct data *data)
{
    return (struct bench_input){data->bytes, data->count};
}
/* Writes the first count bytes of the stream to FOLDER/NAME unless a file of that size is there; *path is the caller's
 * to free. */
bool data_write(const struct data *data, const char *folder, const char *name, size_t count, char **path);
/* The bytes of as many whole lines as fit into `bytes`. */
size_t data_lines_within(const struct data *data, size_t bytes);

#endif
