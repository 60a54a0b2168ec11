/* number.h: one exact number line for int, uint and double; decimal text to and from it.
 *
 * Source     RFC 8259 section 6 for the text; "Eisel-Lemire" (Lemire, Number Parsing at a Gigabyte per
 *            Second, 2021) with strtod for the undecided rest, so that every double is correctly rounded.
 * Threads    pure functions.
 */
#ifndef RF_NUMBER_H
#define RF_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "str.h"

enum rf_number_kind { RF_NUMBER_DOUBLE, RF_NUMBER_INT, RF_NUMBER_UINT };

struct rf_number {
    enum rf_number_kind kind;
    union {
        double d;
        int64_t i;
        uint64_t u;
    } as;
};

enum rf_order { RF_ORDER_LESS = -1, RF_ORDER_EQUAL = 0, RF_ORDER_GREATER = 1, RF_ORDER_NONE = 2 };

/* Exact: no operand is rounded. RF_ORDER_NONE when either side is NaN. */
enum rf_order rf_number_compare(struct rf_number a, struct rf_number b);
/* The nearest double (ties to even). */
double rf_number_to_double(struct rf_number n);

enum rf_number_verdict {
    RF_NUMBER_OK,
    RF_NUMBER_BAD,  /* not a JSON number: "007", "1.", "+1", "0x1", "" */
    RF_NUMBER_RANGE /* a JSON number beyond the double range, such as 1e400 */
};

/* Reads one whole JSON number token. An integer token (no '.', no exponent) with |v| > 2^53 that fits 64
 * bits gives RF_NUMBER_INT (or RF_NUMBER_UINT above INT64_MAX); every other token gives the correctly
 * rounded double. Underflow gives a (signed) zero. Time linear in count. */
enum rf_number_verdict rf_number_from_json(struct rf_str text, struct rf_number *out);

/* Whether it is one, without reading its value. */
bool rf_number_is_json(struct rf_str text);

/* mantissa * 10^exponent, correctly rounded. When is_truncated, digits beyond the first 19 were dropped from
 * mantissa, and `text` (the whole token; its sign is ignored) decides close calls, in time linear in it; else
 * text is not read. Never negative; infinite when beyond the double range. */
double rf_double_from_decimal(uint64_t mantissa, int64_t exponent, bool is_truncated, struct rf_str text);

enum { RF_NUMBER_TEXT_MAX = 32 };
/* Shortest decimal text that reads back as the same double: "0.1", "100", "1e+300"; finite only.
 * Returns bytes written; no zero byte is written. */
size_t rf_double_to_text(double value, char text[RF_NUMBER_TEXT_MAX]);
size_t rf_int_to_text(int64_t value, char text[RF_NUMBER_TEXT_MAX]);
size_t rf_uint_to_text(uint64_t value, char text[RF_NUMBER_TEXT_MAX]);

#endif
