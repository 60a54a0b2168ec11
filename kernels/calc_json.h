/* calc_json.h: the elements of a JSON list or object as cells.
 *
 * Purpose    LIST and OBJECT cells are spans of text; functions on lists look into them here, one level at a time: lists
 *            and objects among the elements stay spans.
 * Data       the text has been checked to the bottom (is_deep slots), so it is valid JSON without white space around it.
 *            Of equal keys the last value counts, at the place of the first.
 * Ownership  cells and decoded texts are in the scratch arena; other texts point into the span.
 * Errors     false: the scratch is full, or there are too many elements (RF_JSON_ITEMS_MAX), or members to look for twins
 *            (RF_JSON_ENTRIES_MAX).
 */
#ifndef RF_CALC_JSON_H
#define RF_CALC_JSON_H

#include "calc.h"

/* The interpreter counts its steps and its memory: it is asked about longer lists. */
enum { RF_JSON_ITEMS_MAX = 65536, RF_JSON_ENTRIES_MAX = 256 };

uint32_t rf_json_count(const struct rf_cell *list); /* elements of a LIST */
bool rf_json_items(const struct rf_cell *list, struct rf_arena *scratch, const struct rf_cell **item, uint32_t *count);
/* key, value, key, value ... of an OBJECT, keys distinct. */
bool rf_json_entries(const struct rf_cell *object, struct rf_arena *scratch, const struct rf_cell **entry,
                     uint32_t *count);
/* One element or member; tag RF_TAG_ABSENT: there is none. */
bool rf_json_element(const struct rf_cell *list, uint64_t index, struct rf_arena *scratch, struct rf_cell *out);
bool rf_json_member(const struct rf_cell *object, struct rf_str key, struct rf_arena *scratch, struct rf_cell *out);

#endif
