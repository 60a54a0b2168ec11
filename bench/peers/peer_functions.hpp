// peer_functions.hpp: the functions behind the table of peers.h, one file each group.
#pragma once

#include "fix_peer.h"
#include "peers.h"

bench_filter_fn w1_line, w1_many, w1_prefilter, w1c_line, w1c_many;
bench_counts_fn w2_line, w2_many;
uint64_t floor_newlines(struct bench_input input);
uint64_t floor_byte_sum(const void *bytes, size_t count);
uint64_t floor_w6_count(const double *a, const double *b, size_t rows, double above, double below);
void floor_predicates_count(const double *a, const double *b, size_t rows, const double *above, const double *below,
                            size_t predicates, uint64_t *count);
void floor_texts_count(const bench_text *text, size_t rows, const bench_text *constant, size_t first_start,
                       size_t constants, bool has_table, uint64_t *count);
bench_fix_decode_fn fix_decode;
bench_fix_pick7_fn fix_pick7;
bench_fix_filter_fn fix_filter;
const char *simdjson_text(void);
#ifdef BENCH_RE2
void *re2_open(const char *pattern);
uint64_t re2_count(const void *search, const struct bench_text *text, size_t count);
void re2_close(void *search);
#endif
#ifdef BENCH_VECTORSCAN
void *vectorscan_open(const struct bench_text *pattern, size_t patterns, bool is_literal);
void vectorscan_count(void *search, const struct bench_text *text, size_t rows, uint64_t *count);
void vectorscan_close(void *search);
#endif
