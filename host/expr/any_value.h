/* any_value.h: what a google.protobuf.Any holds, as a CEL value.
 *
 * Data       a type URL, of which only what follows its last '/' counts, and the message in the binary wire format. The
 *            messages are those that are plain values to CEL: the wrappers (Int32Value ...), Duration, Timestamp, Struct,
 *            ListValue, Value, and Any itself.
 * Ownership  strings and bytes point into `bytes`; lists, maps and error texts are in the arena.
 * Threads    pure, apart from the arena.
 * Errors     an error value: another message type, bytes that are no such message, a number out of range, an arena that is
 *            full, messages nested deeper than RF_ANY_DEPTH_MAX.
 * Source     Protocol Buffers, "Encoding"; google/protobuf/{any,wrappers,struct,duration,timestamp}.proto. As there, of a
 *            field that stands several times the last counts, and fields that are not known are passed over.
 * Cost       linear in the bytes.
 */
#ifndef RF_ANY_VALUE_H
#define RF_ANY_VALUE_H

#include "value.h"

enum { RF_ANY_DEPTH_MAX = 64 };

struct rf_value rf_any_value(struct rf_str type_url, struct rf_str bytes, struct rf_arena *arena);

#endif
