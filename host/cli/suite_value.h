/* suite_value.h: CEL values as case files write them: with the type of each part beside it.
 *
 * Data       {"null":null} {"bool":true} {"int":"-5"} {"uint":"5"} {"double":0.5} {"double":"NaN"} ("Infinity",
 *            "-Infinity") {"string":"text"} {"bytes":"base64"} {"list":[V...]} {"map":[[K,V]...]} {"type":"int"}
 *            {"timestamp":{"seconds":"-1","nanos":5}} {"duration":{"seconds":"1","nanos":5}}, and, of our own,
 *            {"optional":V}, {"optional":null}, {"ip":"::1"}, {"cidr":"10.0.0.0/8"}. Integers are decimal strings, since
 *            readers of JSON round them otherwise. Doubles are the shortest digits that read back as the same double, with
 *            a point or an exponent; the sign of -0.0 stays.
 * Ownership  what is read lives in the arena, or in the JSON value that it was read from.
 * Threads    pure, apart from the arena.
 * Bounds     RF_SUITE_DEPTH_MAX levels are read; RF_SUITE_VALUE_BYTES_MAX of one value are written.
 * Errors     RF_E_FORMAT: no such value; RF_E_LIMIT: deeper or longer than the bounds; RF_E_MEMORY.
 * Source     the messages Value and Duration of the Common Expression Language's test suite.
 */
#ifndef RF_SUITE_VALUE_H
#define RF_SUITE_VALUE_H

#include "value.h"

enum { RF_SUITE_DEPTH_MAX = 256, RF_SUITE_VALUE_BYTES_MAX = 64 * 1024 * 1024 };

/* tagged: what json_value.h made of the JSON text. Where an integer is expected a JSON integer is taken, too. */
enum rf_status rf_suite_value_read(struct rf_value tagged, struct rf_arena *arena, struct rf_value *out,
                                   struct rf_error *err);
/* Appends it. An error value is a programmer error. After an error the text holds a part of it. */
enum rf_status rf_suite_value_write(struct rf_text *out, struct rf_value value, struct rf_error *err);

#endif
