/* forward.h: the change of a value from each hit to its horizon.
 *
 * Purpose    Follows a value of each key (a price of a symbol) through the stream in input order, and gives the tally for every hit
 *            how it had changed when the horizon was over.
 * Data       The value of a key at an instant is that of its latest record not behind it, by event time; of those with one time
 *            the one read last. At a hit of time t: as of t, which is the record's own value where it has one. Later: as of
 *            t + horizon, among what was read before the first record, of any key, whose time is beyond t + horizon. Such a
 *            record closes the horizon; in a stream in order nothing can come behind it that would still matter.
 *            At the end horizons are over that the latest record has reached, t + horizon <= its time. Other hits are without
 *            a change, as are those of forward_without.def.
 *            A hit out of order whose horizon is closed when it is read is late. A value that is older than that known of its
 *            key changes nothing.
 * Bounds     bytes_max: half of it for keys, of which the one not met for longest is forgotten with the hits that wait for it;
 *            half for records that wait, with the rules that hit them: a record that finds no room does not wait.
 * Ownership  rf_forward_close frees.
 * Threads    one at a time, in input order.
 * Errors     RF_E_MEMORY.
 * Cost       of a record: a look-up of its key; of a hit: two additions of 128 bits and a count, when its horizon is over.
 */
#ifndef RF_FORWARD_H
#define RF_FORWARD_H

#include "forward_tally.h"
#include "key_memory.h"
#include "tally.h"

enum rf_forward_kind { RF_FORWARD_NUMBER, RF_FORWARD_MISSING, RF_FORWARD_NOT_NUMBER, RF_FORWARD_NOT_FINITE };

/* Rows of a round from `first` on, at most RF_EVAL_BLOCK_ROWS. Arrays begin with the round, but live and truth with the block. */
struct rf_forward_rows {
    uint32_t first, rows;
    const int64_t *time_ns; /* of all rows, live or not; RF_TALLY_UNTIMED */
    const double *value;
    const uint8_t *kind;            /* rf_forward_kind of the value */
    const struct rf_state_key *key; /* NULL: all records have one key */
    const uint64_t *has_key;        /* bits */
    const uint64_t *live;           /* bits: rows whose values and hits count */
    const uint64_t *truth;          /* [rules][RF_EVAL_BLOCK_WORDS] bits */
    const uint32_t *begin;          /* of the record in its batch */
    uint64_t offset;                /* of the batch */
    uint32_t input;
};

struct rf_forward_entry;
struct rf_forward_wait;

struct rf_forward {
    struct rf_forward_tally tally;
    int64_t latest_ns; /* of the records so far; RF_TALLY_NEVER */
    struct rf_key_memory keys;
    size_t wait_bytes, wait_bytes_max;
    struct rf_forward_wait *first, *last; /* those that came in order, by due time */
    struct rf_forward_wait **heap;        /* [heaped] the others: the least due first */
    size_t heaped, heap_room;
    struct rf_tally_place wrong_at; /* the first value that is no number */
    enum rf_forward_kind wrong_kind;
    uint64_t *row_word;       /* [64][rule words] scratch: rules that hit each of 64 rows */
    uint32_t *active;         /* [rule words] that have any */
    struct rf_rule_word *hit; /* [rule words] scratch: of one row */
};

enum rf_status rf_forward_open(struct rf_forward *forward, struct rf_forward_settings settings, uint32_t rules,
                               size_t bytes_max, struct rf_error *err);
void rf_forward_close(struct rf_forward *forward);
enum rf_status rf_forward_block(struct rf_forward *forward, const struct rf_forward_rows *rows, struct rf_error *err);
/* The stream has ended: from here on the tally is whole. */
enum rf_status rf_forward_finish(struct rf_forward *forward, struct rf_error *err);

#endif
