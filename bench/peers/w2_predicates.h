/* w2_predicates.h: the 100 predicates of W2, ten on each of ten fields: one table for both sides.
 *
 * Data       field f, predicate k (0 to 9) is predicate 10 f + k; its constant is computed or listed here.
 *            Numbers: price > 50 + 60 k; venue.lat.ms < 0.9 k; qty < 100 + 150 k; venue.seq > 700000 k.
 *            Strings: symbol, type, side, venue.mic == a name; acct < "A-ab000". active == true or false in turn.
 */
#ifndef BENCH_W2_PREDICATES_H
#define BENCH_W2_PREDICATES_H

#include <stdint.h>

enum w2_field { W2_PRICE, W2_MS, W2_QTY, W2_SEQ, W2_SYMBOL, W2_TYPE, W2_SIDE, W2_ACCT, W2_MIC, W2_ACTIVE, W2_FIELDS };
enum { W2_EACH = 10 };

static inline double w2_price(int k)
{
    return 50 + 60 * k;
}
static inline double w2_ms(int k)
{
    return 9 * k / 10.0;
}
static inline int64_t w2_qty(int k)
{
    return 100 + 150 * k;
}
static inline int64_t w2_seq(int k)
{
    return 700000 * (int64_t)k;
}
static inline int w2_active(int k)
{
    return k % 2 == 0;
}

/* The constant of a string field. All have at most 7 bytes, so that a peer may compare 8-byte words. */
static inline const char *w2_text(enum w2_field field, int k)
{
    static const char *const symbol[W2_EACH] = {"MSFT",  "AAPL", "NVDA", "AMZN", "META",
                                                "GOOGL", "TSLA", "JPM",  "XOM",  "GS"};
    static const char *const type[W2_EACH] = {"trade", "cancel", "correct", "quote", "order",
                                              "fill",  "halt",   "open",    "close", "reject"};
    static const char *const side[W2_EACH] = {"buy", "sell", "short", "cover", "bid",
                                              "ask", "both", "none",  "cross", "mid"};
    static const char *const acct[W2_EACH] = {"A-00000", "A-02000", "A-04000", "A-06000", "A-08000",
                                              "A-10000", "A-12000", "A-14000", "A-16000", "A-18000"};
    static const char *const mic[W2_EACH] = {"XNAS", "XNYS", "ARCX", "BATS", "EDGX",
                                             "IEXG", "XLON", "XPAR", "XETR", "XTKS"};
    switch (field) {
    case W2_SYMBOL:
        return symbol[k];
    case W2_TYPE:
        return type[k];
    case W2_SIDE:
        return side[k];
    case W2_ACCT:
        return acct[k];
    default:
        return mic[k];
    }
}

#endif
