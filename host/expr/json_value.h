/* json_value.h: a part of a JSON record as a CEL value.
 *
 * Purpose    null, bool and string as themselves; every number a message double (value.h) with its token; lists and
 * objects with everything in them. Of equal keys the last counts. Ownership  lists, maps and decoded strings are in the
 * arena; other texts point into the record. Errors     a token that is no JSON, and a list or object nested deeper than
 * RF_JSON_VALUE_DEPTH_MAX inside the value, become error values in their place. A full arena makes the whole value an
 * error. Cost       about 64 bytes for each element, 130 for each member.
 */
#ifndef RF_JSON_VALUE_H
#define RF_JSON_VALUE_H

#include "json_tree.h"
#include "value.h"

enum { RF_JSON_VALUE_DEPTH_MAX = 1792 };

struct rf_value rf_json_value(const struct rf_tree *tree, uint32_t node, struct rf_arena *arena);
/* The type it will have: RF_TYPE_ERROR for a token that is no JSON. */
enum rf_type rf_json_type(const struct rf_tree *tree, uint32_t node);

#endif
