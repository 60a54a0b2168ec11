/* samples.h: texts and numbers worth trying, for expressions and for records.
 *
 * Purpose    Both sides of a comparison come from the same tables, so that they are often equal, or nearly so.
 * Threads    constant tables.
 */
#ifndef RF_TEST_SAMPLES_H
#define RF_TEST_SAMPLES_H

#include "choice.h"

enum flavour { /* of a text */
               FLAVOUR_PLAIN,
               FLAVOUR_NUMBER, /* what int(), uint() and double() may take */
               FLAVOUR_BOOL,
               FLAVOUR_TIME, /* RFC 3339, nearly */
               FLAVOUR_SPAN, /* durations */
               FLAVOUR_ZONE,
               FLAVOUR_ADDRESS,
               FLAVOUR_NETWORK,
               FLAVOUR_BASE64,
               FLAVOUR_SEPARATOR, /* parts of the plain ones */
               FLAVOUR_REGEX,
               FLAVOUR_GLOB,
               FLAVOUR_FORMAT,
               FLAVOURS
};

/* One of the table, or now and then of another one, or made of several. */
void put_sample(struct choice *choice, enum flavour flavour, struct rf_text *out);

/* Appends the text as a literal of CEL, of JSON. Some characters are escaped that need not be. The JSON is not valid
 * where the text is no UTF-8. */
void put_cel_string(struct choice *choice, struct rf_str text, struct rf_text *out);
void put_cel_bytes(struct rf_str bytes, struct rf_text *out);
void put_json_string(struct choice *choice, struct rf_str text, struct rf_text *out);

/* A JSON number. is_small: whole, 0 to 60. */
void put_json_number(struct choice *choice, bool is_small, struct rf_text *out);

enum { SAMPLE_INTS = 28, SAMPLE_UINTS = 16, SAMPLE_DOUBLES = 32 };

extern const int64_t sample_ints[SAMPLE_INTS];
extern const uint64_t sample_uints[SAMPLE_UINTS];
extern const double sample_doubles[SAMPLE_DOUBLES]; /* NaN and infinities among them */

#endif
