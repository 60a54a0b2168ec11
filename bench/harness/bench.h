/* bench.h: what the cases share: options, data, peers.
 *
 * Errors     a case returns false when a side failed or found something else; a missed goal is a printed line only.
 */
#ifndef BENCH_H
#define BENCH_H

#include "data.h"
#include "measure.h"
#include "peers.h"

enum { PEERS_MAX = 2 };

struct bench {
    const char *riffle; /* the program, for whole commands */
    char *folder;       /* of the data files */
    const char *python; /* with the CEL engines of PyPI (case expr); NULL: none */
    const char *shape;  /* expr, FX-hostile: only shapes whose name holds it; NULL: all */
    uint32_t laps;
    uint32_t memory_gib;
    struct data trades; /* T */
    struct data hard;   /* H */
    struct data words;
    struct data fix_reports;
    struct data fix_log;
    const char *here; /* the folder of this program */
    const struct bench_peers *peers[PEERS_MAX]; /* one for each compiler */
    uint32_t peer_count;
};

/* What a case needs of the simdjson library and its friends: one function of one build, as a side. */
struct peer_filter {
    bench_filter_fn *run;
    struct bench_input input;
    int out_fd;
    char name[96];
};
side_run_fn peer_filter_run; /* context: struct peer_filter */

const char *bench_build_name(const struct bench_peers *peers); /* "g++" or "clang++" */

bool case_w1(struct bench *bench);
bool case_w1b(struct bench *bench);
bool case_w1c(struct bench *bench);
bool case_w1h(struct bench *bench);
bool case_w1ch(struct bench *bench);
bool case_w2(struct bench *bench);
bool case_w2h(struct bench *bench);
bool case_w6(struct bench *bench);
bool case_w7(struct bench *bench);
bool case_threads(struct bench *bench);
bool case_isa(struct bench *bench);
bool case_commands(struct bench *bench);
bool case_startup(struct bench *bench);
bool case_memory(struct bench *bench);
bool case_stages(struct bench *bench);
bool case_expr(struct bench *bench);
bool case_rules_mixed(struct bench *bench);
bool case_rules_sweep(struct bench *bench);
bool case_rules_memory(struct bench *bench);
bool case_predicates(struct bench *bench);
bool case_text_predicates(struct bench *bench);
bool case_regex(struct bench *bench);
bool case_regexes(struct bench *bench);
bool case_literals(struct bench *bench);
bool case_subject(struct bench *bench);
bool case_subject_batch(struct bench *bench);
bool case_fix_encode(struct bench *bench);
bool case_fix_heartbeat(struct bench *bench);
bool case_fix_position(struct bench *bench);
bool case_fix_dec(struct bench *bench);
bool case_fix_pick7(struct bench *bench);
bool case_fix_filter(struct bench *bench);
bool case_fix_hostile(struct bench *bench);
bool case_fix_reconcile(struct bench *bench);
bool case_fix_order(struct bench *bench);
bool case_fix_wire(struct bench *bench);
bool case_fix_durable(struct bench *bench);
bool case_fix_threads10(struct bench *bench);
bool case_fix_threads50(struct bench *bench);
bool case_fix_threads100(struct bench *bench);
bool case_fix_insert(struct bench *bench);
bool case_fix_update(struct bench *bench);
bool case_fix_checksum(struct bench *bench);
bool case_fix_tag8(struct bench *bench);
bool case_fix_tag10(struct bench *bench);
bool case_fix_sequence(struct bench *bench);

#endif
