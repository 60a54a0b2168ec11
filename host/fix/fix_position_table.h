/* fix_position_table.h: the memory of the positions: trades, reports by their ids, positions by account and symbol.
 *
 * Purpose    Look-ups and growth for fix_position.c; nobody else needs it.
 * Data       A table holds 32 bits of the hash of a key beside the number of its item, so that a look-up that misses reads no
 *            item. The hash is seeded, because the texts come from outside.
 * Errors     as fix_position.h. rf_fix_positions_reserve makes room for all that one report can add; what is called behind it
 *            only takes texts, and no array moves.
 */
#ifndef RF_FIX_POSITION_TABLE_H
#define RF_FIX_POSITION_TABLE_H

#include "fix_position.h"

#define RF_FIX_NONE UINT32_MAX

enum { RF_FIX_KEY_BYTES = 512 }; /* both texts of a key together; each has at most half */

enum fix_trade_state {
    FIX_TRADE_LIVE,
    FIX_TRADE_DEAD, /* cancelled */
    FIX_TRADE_MOVED /* `position` is the number of the trade that it has become */
};

struct rf_fix_trade {
    int64_t quantity; /* signed, /10^quantity_decimals */
    int64_t price;
    uint32_t position;
    uint32_t next; /* of this position */
    uint8_t quantity_decimals, price_decimals;
    uint8_t state;
};

struct rf_fix_exec {  /* a report that came, or was named */
    const char *text; /* ExecID, then SenderCompID, then zero bytes up to a whole word */
    uint16_t id_count, sender_count;
    bool is_named_only; /* has not come itself */
    uint32_t trade;
};

struct rf_fix_cell {
    uint32_t hash;
    uint32_t item_plus_one; /* 0: the cell is empty */
};

enum rf_status rf_fix_positions_reserve(struct rf_fix_positions *positions, struct rf_error *err);
enum rf_status rf_fix_positions_reserve_sorted(struct rf_fix_positions *positions, struct rf_error *err);

/* Two texts as one, behind each other, zero bytes up to a whole word; their counts are compared besides. */
struct rf_fix_key {
    char text[RF_FIX_KEY_BYTES + 8];
    size_t first, second; /* bytes, each at most half of RF_FIX_KEY_BYTES */
    uint32_t hash;
};

/* Making a key also fetches its cell, which is seldom in the first cache: make keys early. */
void rf_fix_exec_key(const struct rf_fix_positions *positions, struct rf_str id, struct rf_str sender,
                     struct rf_fix_key *key);
void rf_fix_position_key(const struct rf_fix_positions *positions, struct rf_str account, struct rf_str symbol,
                         struct rf_fix_key *key);
/* The report of that id; a new one has trade RF_FIX_NONE. */
enum rf_status rf_fix_exec_take(struct rf_fix_positions *positions, const struct rf_fix_key *key, uint32_t *exec,
                                bool *is_new, struct rf_error *err);
bool rf_fix_exec_is_known(const struct rf_fix_positions *positions, const struct rf_fix_key *key);
/* The position of that account and symbol, perhaps a new one. */
enum rf_status rf_fix_position_take(struct rf_fix_positions *positions, const struct rf_fix_key *key, uint32_t *place,
                                    struct rf_error *err);
/* NULL when there is none. */
struct rf_fix_position *rf_fix_position_seek(struct rf_fix_positions *positions, struct rf_str account,
                                             struct rf_str symbol);

#endif
