/* round.h: what one worker of a backtest has read and counted: of the round at hand, and in all.
 *
 * Purpose    The parts of the watch that run in the worker's thread: event times, labels, values and keys of each block, then the truth
 *            of the rules. Rules without state are counted at once; those with state are kept for the turn (backtest.c).
 * Data       R rows of the round, K keys: time_ns[R], key[K][R], has_key[K] bitmaps of R bits. Of the rules that are kept, those
 *            with state or all, the truth block by block: rf_round_kept.
 * Ownership  rf_round_close frees. The worker and the options are borrowed.
 * Threads    the worker's; in its turn, whoever holds the turn.
 * Errors     RF_E_MEMORY; of blocks and tiles in status, until the turn.
 */
#ifndef RF_ROUND_H
#define RF_ROUND_H

#include "event_time.h"
#include "forward.h"
#include "label_tally.h"
#include "mishap.h"
#include "rule_state.h"
#include "tally.h"
#include "watch.h"
#include "worker.h"

struct rf_round_options {
    uint32_t rules;
    const struct rf_rules_program *program;
    uint32_t time, label; /* projections; RF_NONE: none */
    uint32_t value, value_per; /* projections; RF_NONE: none is followed, and all records have one key */
    enum rf_time_unit time_unit;
    int64_t by_ns;
    const uint32_t *kept_of;  /* [rules] number among those that are kept for the turn; RF_NONE: not */
    uint32_t kept;
    const bool *has_state;    /* [rules] tallied in the turn, not before */
    uint32_t shard_by;        /* projection: only records whose key falls to the shard count; RF_NONE: all do */
    struct rf_shard shard;
};

struct rf_round {
    const struct rf_round_options *options;
    struct rf_worker *worker;
    struct rf_tally tally;
    struct rf_label_tally label;
    struct rf_mishaps mishaps;
    enum rf_status status; /* of a block or tile; told in the turn */
    struct rf_error err;
    /* Of the round: */
    int64_t *time_ns; /* [R]; NULL: records have no time */
    int64_t first_time, last_time;
    uint64_t disorder;
    uint64_t *live, *label_true, *label_false; /* [R] bits */
    uint64_t *mine; /* [R] bits: records of the shard; NULL: all are */
    uint64_t *kept; /* [blocks][kept][RF_EVAL_BLOCK_WORDS] */
    struct rf_state_key **key;
    uint64_t **has_key;
    double *value;                  /* [R] the value that is followed; NULL: none is */
    uint8_t *value_kind;            /* [R] rf_forward_kind */
    struct rf_state_key *value_key; /* [R] NULL: all records have one key */
    uint64_t *has_value_key;        /* [R] bits */
    /* Of the block: */
    struct rf_tally_block block;
    bool has_begun; /* it has been cut, or its first tile has come */
};

enum rf_status rf_round_open(struct rf_round **out, const struct rf_round_options *options, struct rf_worker *worker,
                             struct rf_error *err);
void rf_round_close(struct rf_round *round);
void rf_round_begin(struct rf_round *round);
void rf_round_end(void *round); /* its rows are all decided */
struct rf_tally_round rf_round_tally(const struct rf_round *round);

/* Truth of what is kept as number `number`, in the block that begins at row first; [RF_EVAL_BLOCK_WORDS]. */
static inline uint64_t *rf_round_kept(const struct rf_round *round, uint32_t number, uint32_t first)
{
    return round->kept +
           ((size_t)(first / RF_EVAL_BLOCK_ROWS) * round->options->kept + number) * RF_EVAL_BLOCK_WORDS;
}

/* Of struct rf_watch. */
void rf_round_block(void *round, const struct rf_watch_block *block);
void rf_round_cut(void *round, uint32_t first, uint32_t rows, const uint64_t *live, struct rf_eval_spans *spans);
void rf_round_tile(void *round, const struct rf_eval_tile *tile);

#endif
