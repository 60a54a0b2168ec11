/* tally.h: how often, when and where each rule was true.
 *
 * Purpose    Takes the truth of rules block by block and keeps what does not grow with the stream. Tallies of parts of a
 *            stream, made by threads or by other machines, add up to that of the whole.
 * Data       R rules. untimed[R] hits of records without an event time; timeline: R + 1 columns, the hits of each rule with
 *            one and, in the last, such records. errors[R]; first_ns[R], last_ns[R]: earliest and latest hit, RF_TALLY_NEVER
 *            without one; first_at[R], last_at[R]: the same in the order of the input.
 *            Event time is in nanoseconds since 1970; RF_TALLY_UNTIMED is none.
 * Ownership  rf_tally_close frees. Blocks borrow what they point to.
 * Threads    one tally for each thread; rf_tally_merge in the end, in any order.
 * Errors     RF_E_MEMORY. rf_tally_rule never fails: it runs for each rule and block.
 */
#ifndef RF_TALLY_H
#define RF_TALLY_H

#include "eval.h"
#include "timeline.h"

#define RF_TALLY_UNTIMED INT64_MIN
#define RF_TALLY_NEVER INT64_MIN

enum { RF_TALLY_SEGMENTS_MAX = RF_EVAL_SPANS_MAX };

struct rf_tally_place { /* of a record in its input */
    uint32_t input;     /* from 0, in the order of the command line; UINT32_MAX: nowhere */
    uint64_t offset;    /* bytes */
};

/* The rows of a round; what it points to must stay until rf_tally_flush. */
struct rf_tally_round {
    const int64_t *time_ns; /* [R]; of rows that are not live anything. NULL: no record has a time */
    const uint32_t *begin;  /* [R] of the record in its batch */
    uint64_t offset;        /* of the batch */
    uint32_t input;
};

struct rf_tally {
    uint32_t rules;
    const struct rf_eval_kernels *kernels; /* that count */
    bool has_time;
    int64_t by_ns; /* width of the buckets as asked for; 0: chosen */
    uint64_t *untimed;
    uint64_t *errors;
    int64_t *first_ns, *last_ns;
    struct rf_tally_place *first_at, *last_at;
    struct rf_timeline timeline;
    int64_t begin_ns, end_ns; /* earliest and latest record; RF_TALLY_NEVER without one */
    uint64_t records;         /* evaluated */
    uint64_t timeless;        /* of them without an event time */
    struct rf_tally_round round;
    int64_t round_ns;         /* latest time of the blocks since the last flush; RF_TALLY_NEVER without */
    uint32_t *recent_first, *recent_last; /* [R] 1 + row of the round of hits since the last flush; 0: none */
};

/* Rows of a round, the same for all rules. */
struct rf_tally_block {
    uint32_t first, rows;
    const uint64_t *live; /* [words] rows that are evaluated */
    /* Filled by rf_tally_block_begin: */
    uint32_t words;
    int64_t before_ns; /* latest time of the blocks before since the last flush; RF_TALLY_NEVER without */
    bool needs_truth; /* rf_tally_rule has to look at the hits one by one */
    uint64_t *bucket; /* all live rows have a time and fall into it; else NULL */
    uint32_t segments; /* all live rows have a time, in ascending order, and fall into so many buckets one after the other; 0:
                          not so, or more than RF_TALLY_SEGMENTS_MAX */
    uint64_t *segment_bucket[RF_TALLY_SEGMENTS_MAX];
    uint64_t segment_rows[RF_TALLY_SEGMENTS_MAX][RF_EVAL_BLOCK_WORDS];
    uint64_t timed[RF_EVAL_BLOCK_WORDS];
    uint32_t bucket_of[RF_EVAL_BLOCK_ROWS]; /* of timed rows, when there are several */
};

/* by_ns: width of the buckets, 0 to choose. */
enum rf_status rf_tally_open(struct rf_tally *tally, uint32_t rules, bool has_time, int64_t by_ns, enum rf_isa isa,
                             struct rf_error *err);
void rf_tally_close(struct rf_tally *tally);

/* A round begins: rf_tally_flush has been called for the one before. */
void rf_tally_round_begin(struct rf_tally *tally, struct rf_tally_round round);
/* Before it begins: has every record a time, none before that of the one before? Then first and last hits are found in the order
 * of rows. Without times: always. */
bool rf_tally_block_goes_on(const struct rf_tally *tally, const struct rf_tally_block *block);
/* Counts the records and gets their buckets ready. Blocks of a round come in their order. */
enum rf_status rf_tally_block_begin(struct rf_tally *tally, struct rf_tally_block *block, struct rf_error *err);
/* Of one that goes on and has begun: its spans, each of one bucket; none where there are too many. */
void rf_tally_block_cut(const struct rf_tally *tally, const struct rf_tally_block *block, struct rf_eval_spans *spans);
/* hits of one rule, more than 0. truth[words], without bits of rows that are not live, is read when block->needs_truth. */
void rf_tally_rule(struct rf_tally *tally, const struct rf_tally_block *block, uint32_t rule, struct rf_eval_hits hits,
                   const uint64_t *truth);
/* The same for a tile of rules, whose hits are all in one bucket: of a block that has !needs_truth, or of a span. Their errors too. */
void rf_tally_rules(struct rf_tally *tally, const struct rf_eval_tile *tile);
/* First and last hits of the round are looked up once for all its blocks: they are most of the work of a rule that is true
 * often. */
void rf_tally_flush(struct rf_tally *tally);

enum rf_status rf_tally_merge(struct rf_tally *tally, const struct rf_tally *from, struct rf_error *err);
/* Leaves the counts of rules alone: for a tally of other rules over records that another one counts. */
void rf_tally_forget_records(struct rf_tally *tally);
/* All hits of a rule. */
uint64_t rf_tally_hits(const struct rf_tally *tally, uint32_t rule);

#endif
