/* case_fix.h: what the cases about FIX share: the messages, and a plain encoder to compare with.
 *
 * Data       FIX_MESSAGES distinct orders, made from a seed: texts of 3 to 14 bytes, quantities of 1 to 5 digits, prices of 5
 *            to 8 digits, times some microseconds apart. `fixed` repeats the first of them.
 * Ownership  what is opened is closed by the function of the same noun.
 */
#ifndef BENCH_CASE_FIX_H
#define BENCH_CASE_FIX_H

#include "bench.h"
#include "str.h"

enum { FIX_MESSAGES = 16384, FIX_MESSAGE_BYTES = 512 };

struct fix_order {
    struct rf_str id; /* 11 */
    struct rf_str account;
    struct rf_str symbol;
    char side;
    char type;
    uint64_t sequence;
    uint64_t quantity;
    int64_t price; /* of ten-thousandths */
    int64_t time_ns;
};

struct fix_orders {
    struct fix_order *order; /* [FIX_MESSAGES] */
    char *text;              /* that they point to */
};

bool fix_orders_open(struct fix_orders *orders, bool is_fixed);
void fix_orders_close(struct fix_orders *orders);

/* The careful encoder in plain C that riffle is compared with: memcpy, loops over digits, the date kept from message to
 * message, the header written backwards in front of the body. It trusts its texts and the size of the buffer. */
struct fix_plain {
    int64_t day;
    char date[8];
};
/* Writes somewhere in out[FIX_MESSAGE_BYTES]. */
struct rf_str fix_plain_order(struct fix_plain *plain, const struct fix_order *order, char *out);
struct rf_str fix_plain_heartbeat(struct fix_plain *plain, const struct fix_order *order, char *out);

#endif
