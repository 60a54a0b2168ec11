/* calc_list.h: lists, maps and optionals of cells.
 *
 * Purpose    rf_calc_list_op has the functions on them; the others are what the macros need too.
 * Data       see tag.def: LIST and OBJECT are JSON text, ITEMS, ENTRIES and OPTIONAL point to cells. An element may be
 *            RF_TAG_RANGE, as a message wrote it; it is an error when it is used.
 * Ownership  cells made anew are in the scratch arena.
 * Threads    pure, apart from the scratch.
 */
#ifndef RF_CALC_LIST_H
#define RF_CALC_LIST_H

#include "calc.h"

/* Of a comparison; the interpreter is asked beyond them. A list may hold another one many times. */
enum { RF_CALC_DEPTH_MAX = 64, RF_CALC_STEPS_MAX = 1024 * 1024 };

/* tag: ITEMS (count cells) or ENTRIES (2 x count). */
struct rf_cell rf_cell_of_items(const struct rf_cell *item, uint32_t count, enum rf_tag tag);
struct rf_cell rf_cell_of_optional(const struct rf_cell *inner); /* NULL: holds nothing */
const struct rf_cell *rf_cell_inner(const struct rf_cell *optional);
/* Of LIST or ITEMS; of OBJECT or ENTRIES: key, value, key, value ... False: the interpreter must be asked. */
bool rf_cell_items(const struct rf_cell *list, struct rf_arena *scratch, const struct rf_cell **item, uint32_t *count);
bool rf_cell_entries(const struct rf_cell *map, struct rf_arena *scratch, const struct rf_cell **entry,
                     uint32_t *count);
bool rf_cell_entries_are_distinct(const struct rf_cell *entry, uint32_t count);

/* Tags of cells that hold bytes or cells. */
static inline bool rf_tag_has_work(enum rf_tag tag)
{
    const uint64_t with = (uint64_t)1 << RF_TAG_STRING_RAW | (uint64_t)1 << RF_TAG_STRING_ESCAPED |
                          (uint64_t)1 << RF_TAG_BYTES | (uint64_t)1 << RF_TAG_LIST | (uint64_t)1 << RF_TAG_OBJECT |
                          (uint64_t)1 << RF_TAG_ITEMS | (uint64_t)1 << RF_TAG_ENTRIES | (uint64_t)1 << RF_TAG_OPTIONAL;
    return (with >> tag & 1) != 0;
}
/* Work that a cell stands for (RF_WORK_MAX): at least what the interpreter counts that reads the value, hands it to a
 * function, and takes it as its result. */
uint64_t rf_cell_work(const struct rf_cell *cell);

/* Equality, `in`, size and sums of anything; indexes, literals, optionals. */
rf_calc_op rf_calc_list_op(enum rf_function function);
rf_calc_op rf_calc_split_op(enum rf_function function); /* calc_split.c: split(), join() */

#endif
