/* fix_amount.h: exact decimals of quantities, prices and money.
 *
 * Purpose    Sums of money must not depend on the order in which they are added, nor show 0.30000000000000004. Doubles do
 *            both; scaled integers of 128 bits are exact, and as quick where numbers are small.
 * Data       an amount (quantity, price) counts billionths, money (their product) counts 10^-18.
 * Threads    pure functions.
 * Errors     false: no decimal, or beyond the bounds below.
 * Source     FIX float: an optional minus sign, digits, at most one point; zeros may stand in front and behind.
 */
#ifndef RF_FIX_AMOUNT_H
#define RF_FIX_AMOUNT_H

#include "str.h"

enum {
    RF_FIX_AMOUNT_DECIMALS = 9,
    RF_FIX_MONEY_DECIMALS = 18,
    RF_FIX_AMOUNT_DIGITS_MAX = 18, /* zeros in front, and behind the point at the end, are not counted */
    RF_FIX_AMOUNT_TEXT_MAX = 64
};

struct rf_fix_decimal { /* mantissa / 10^decimals */
    int64_t mantissa;
    uint32_t decimals; /* 0..RF_FIX_AMOUNT_DECIMALS */
};

bool rf_fix_decimal_from_text(struct rf_str text, struct rf_fix_decimal *out);
/* As billionths. */
__int128 rf_fix_decimal_amount(struct rf_fix_decimal decimal);
/* a * b; false when it is 2^126 or more in magnitude. */
bool rf_fix_amount_multiply(__int128 a, __int128 b, __int128 *out);
/* part / whole of the value, rounded to the nearest, ties to even; 0 <= part <= whole, 0 < whole < 2^126. */
__int128 rf_fix_amount_share(__int128 value, __int128 part, __int128 whole);
/* value / 10^decimals without zeros at the end. Returns bytes written; no zero byte. */
size_t rf_fix_amount_write(__int128 value, unsigned decimals, char out[RF_FIX_AMOUNT_TEXT_MAX]);

#endif
