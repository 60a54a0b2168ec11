/* peers.h: what the other side of the benchmarks can do, as a table of functions.
 *
 * Purpose    The peers are C++ and are built twice, by g++ and by clang++, because mask-heavy code differs by up to a
 * half between the two: riffle is compared with the faster one. Each build is a shared object whose only symbol is
 * bench_peers_get. Data       bench_input: whole JSON lines; BENCH_PADDING readable bytes follow the last one. w1
 * records whose symbol is "MSFT" and whose price is above 410, exact on escapes and depth w1c   records whose price is
 * above 410 w2    the 100 predicates of w2_predicates.h, one count each w6    two columns of doubles out_fd >= 0: the
 * selected lines are also written there, through a buffer of 1 MiB. Errors     records that the peer could not read are
 * counted in `bad`; the harness demands 0. Threads    none of the functions starts one; calls from several threads at a
 * time are allowed.
 */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { BENCH_PADDING = 256, BENCH_W2_PREDICATES = 100 };

struct bench_input {
    const char *bytes;
    size_t count;
};

struct bench_text {
    const char *data;
    size_t count;
};

struct bench_selection {
    uint64_t records; /* looked at; for a prefilter the records that passed it */
    uint64_t selected;
    uint64_t bad;
};

typedef struct bench_selection bench_filter_fn(struct bench_input input, int out_fd);
typedef struct bench_selection bench_counts_fn(struct bench_input input, uint64_t *counts);

/* FIX: fix_peer.h says what the three do. */
struct bench_fix_sums;
struct bench_fix_columns;
typedef struct bench_fix_sums bench_fix_decode_fn(struct bench_input input);
typedef struct bench_fix_sums bench_fix_pick7_fn(struct bench_input input, struct bench_fix_columns *columns);
typedef struct bench_selection bench_fix_filter_fn(struct bench_input input, double above);

struct bench_peers {
    const char *compiler;
    const char *simdjson; /* version and kernel */
    bench_filter_fn *w1_line;
    bench_filter_fn *w1_many;
    bench_filter_fn *w1_prefilter;
    bench_filter_fn *w1c_line;
    bench_filter_fn *w1c_many;
    bench_counts_fn *w2_line;
    bench_counts_fn *w2_many;
    uint64_t (*newlines)(struct bench_input input);
    uint64_t (*byte_sum)(const void *bytes, size_t count); /* as u64 words; a tail of under 256 bytes is left out */
    uint64_t (*w6_count)(const double *a, const double *b, size_t rows, double above, double below);
    /* count[p] += rows with a > above[p] and, unless b is NULL, b < below[p] */
    void (*predicates_count)(const double *a, const double *b, size_t rows, const double *above, const double *below,
                             size_t predicates, uint64_t *count);
    /* count[p] += texts equal to constant[p] or, from first_start on, begun by it; constants that begin texts are of one
     * length. has_table: one look-up in a hash table for each text and kind; else constant by constant. */
    void (*texts_count)(const struct bench_text *text, size_t rows, const struct bench_text *constant, size_t first_start,
                        size_t constants, bool has_table, uint64_t *count);
    bench_fix_decode_fn *fix_decode;
    bench_fix_pick7_fn *fix_pick7;
    bench_fix_filter_fn *fix_filter;
    void *(*re2_open)(const char *pattern); /* NULL, as the next two: built without RE2 */
    uint64_t (*re2_count)(const void *search, const struct bench_text *text, size_t count); /* texts with a match */
    void (*re2_close)(void *search);
    /* All patterns in one database; NULL, as the next two: built without Vectorscan. */
    void *(*vectorscan_open)(const struct bench_text *pattern, size_t patterns, bool is_literal);
    /* One call for each text: count[p] += texts with a match of pattern p. */
    void (*vectorscan_count)(void *search, const struct bench_text *text, size_t rows, uint64_t *count);
    void (*vectorscan_close)(void *search);
};

typedef const struct bench_peers *bench_peers_fn(void);
const struct bench_peers *bench_peers_get(void);

#ifdef __cplusplus
}
#endif
#endif
