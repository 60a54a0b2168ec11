/* fix_position.h: ExecutionReports to positions per account and symbol.
 *
 * Purpose    Signed quantity, average price and realised profit of each account and symbol, with corrections and cancels of
 *            earlier trades applied and repeated reports counted once.
 * Data       The result is that of the trades which are live in the end, in the order in which they first came: a trade of
 *            the side of the position adds to its cost, one of the other side realises the difference between its price and
 *            the average price, and one that goes beyond zero opens the rest at its own price.
 *            Reports are told apart by ExecID and SenderCompID. A correction or cancel names the report it changes by
 *            ExecRefID, which may be the trade or an earlier correction of it. It may come before what it changes (files
 *            are read in any order): then that has no effect when it comes. A correction to another account or symbol takes
 *            the trade out there and enters it, as the newest, here.
 * Money      Exact decimals (fix_amount.h): quantities and prices in billionths, cost and profit in 10^-18, all in integers
 *            of 128 bits. The one rounding is that of the cost which leaves with a part of a position, to the nearest 10^-18,
 *            ties to even; what it adds to one side it takes from the other, so that profit - cost is always exactly what was
 *            received less what was paid. (What lost: doubles, which give another sum for another order of the same trades.)
 * Ownership  rf_fix_positions_close takes everything; texts of reports are copied.
 * Threads    one thread at a time.
 * Errors     RF_E_MEMORY, and RF_E_LIMIT when bytes_max is exceeded; then only close is allowed. A report that cannot be used
 *            is no error: it has an effect (fix_effect.def), which is counted. A position beyond 10^20 is flagged.
 * Cost       two look-ups and one multiplication for a trade, two divisions more for one that closes. Corrections and
 *            cancels mark the position; its trades are gone through again when it is next asked for.
 * Source     FIX 4.2 and 4.4, Execution Report <8>: ExecTransType (20), ExecType (150), ExecRefID (19).
 */
#ifndef RF_FIX_POSITION_H
#define RF_FIX_POSITION_H

#include "arena.h"
#include "fix_amount.h"
#include "status.h"

struct rf_fix_report {           /* texts that are absent have count 0, characters are 0 */
    struct rf_str sender;        /* 49 */
    struct rf_str exec_id;       /* 17 */
    struct rf_str exec_ref_id;   /* 19 */
    struct rf_str account;       /* 1; may be absent */
    struct rf_str symbol;        /* 55 */
    struct rf_str last_quantity; /* 32 */
    struct rf_str last_price;    /* 31 */
    char exec_type;              /* 150 */
    char exec_trans_type;        /* 20: FIX 4.2 and before */
    char side;                   /* 54 */
};

enum rf_fix_effect {
#define RF_FIX_EFFECT(name, sentence) RF_FIX_EFFECT_##name,
#include "fix_effect.def"
#undef RF_FIX_EFFECT
    RF_FIX_EFFECT_COUNT
};

struct rf_fix_position {
    struct rf_str account;
    struct rf_str symbol;
    __int128 quantity;    /* billionths; below 0: short */
    __int128 cost;        /* of what is open, 10^-18; sign of the quantity (with prices above 0) */
    __int128 realised;    /* profit, 10^-18 */
    uint64_t trades;      /* live */
    uint64_t corrections; /* that changed a trade; when it moved, counted where it went */
    uint64_t cancels;     /* likewise */
    bool is_overflow;     /* the numbers are beyond 128 bits and mean nothing */
    bool is_stale;        /* for fix_position.c: trades changed that are already in the numbers */
    uint32_t first, last; /* its trades, likewise */
};

struct rf_fix_trade;
struct rf_fix_exec;

struct rf_fix_table { /* open addressing, capacity a power of two, at most half full */
    struct rf_fix_cell *cell;
    uint32_t capacity;
};

struct rf_fix_positions {
    struct rf_arena texts;
    struct rf_fix_position *position;
    struct rf_fix_trade *trade;
    struct rf_fix_exec *exec;
    const struct rf_fix_position **sorted;
    struct rf_fix_table exec_table, position_table;
    uint32_t positions, positions_max;
    uint32_t trades, trades_max;
    uint32_t execs, execs_max;
    uint32_t sorted_max;
    uint64_t seed[2]; /* nobody outside knows them */
    size_t bytes_used, bytes_max; /* of the arrays */
    uint64_t count[RF_FIX_EFFECT_COUNT];
};

const char *rf_fix_effect_sentence(enum rf_fix_effect effect);

/* bytes_max bounds the texts and, once more, the arrays. Takes no memory yet. */
void rf_fix_positions_open(struct rf_fix_positions *positions, size_t bytes_max);
void rf_fix_positions_close(struct rf_fix_positions *positions);
/* Empty again, as on another day; memory is kept. */
void rf_fix_positions_reset(struct rf_fix_positions *positions);
/* *effect says what the report did; positions->count counts it. */
enum rf_status rf_fix_positions_apply(struct rf_fix_positions *positions, const struct rf_fix_report *report,
                                      enum rf_fix_effect *effect, struct rf_error *err);
/* Up to date; NULL when there is none. Lives until the next apply. */
const struct rf_fix_position *rf_fix_positions_find(struct rf_fix_positions *positions, struct rf_str account,
                                                    struct rf_str symbol);
/* All that have a live trade, by account and then symbol in byte order. Lives until the next apply. */
enum rf_status rf_fix_positions_list(struct rf_fix_positions *positions, const struct rf_fix_position ***sorted,
                                     size_t *count, struct rf_error *err);
/* Billionths, rounded to the nearest, ties to even; 0 when nothing is open. */
__int128 rf_fix_position_average(const struct rf_fix_position *position);

#endif
