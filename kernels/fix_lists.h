/* fix_lists.h: lists of FIX messages as cells: repeating groups, every field of a tag, values between blanks.
 *
 * Purpose    The slots of a program that hold lists, or say what is wrong with the groups of the message. An entry of a group is
 *            a map from names to values.
 * Data       in   batch, rows and frame behind rf_fix_index_wanted
 *            out  columns.slot[]: RF_TAG_ITEMS, cells in the arena; RF_TAG_ABSENT; RF_TAG_HOST where a value in the list is none
 *                 of its type or no UTF-8, or the arena is full: the interpreter says what that gives.
 * Semantics  host/expr/fix_record.h, which is the definition.
 * Ownership  cells live until the next run.
 * Threads    one struct for each worker. Recursion is as deep as groups nest (RF_FIX_GROUP_DEPTH_MAX).
 * Errors     rf_fix_lists_open, rf_fix_lists_reserve: RF_E_MEMORY. A run cannot fail.
 * Cost       one more pass over the fields of all messages, then about 20 ns for each field of a list.
 */
#ifndef RF_FIX_LISTS_H
#define RF_FIX_LISTS_H

#include "arena.h"
#include "fix_index.h"
#include "program.h"

struct rf_fix_lists {
    const struct rf_program *program;
    bool is_needed; /* some slot is one of these */
    struct rf_fix_index index;
    struct rf_arena arena;
};

/* What takes all fields of the message. */
bool rf_fix_access_needs_fields(const struct rf_fix_access *access);

enum rf_status rf_fix_lists_open(struct rf_fix_lists *lists, const struct rf_program *program, uint32_t rows_max,
                                 struct rf_error *err);
enum rf_status rf_fix_lists_reserve(struct rf_fix_lists *lists, size_t batch_bytes, struct rf_error *err);
void rf_fix_lists_close(struct rf_fix_lists *lists);

void rf_fix_lists_run(struct rf_fix_lists *lists, enum rf_isa isa, const struct rf_batch *batch, struct rf_rows *rows,
                      struct rf_fix_frame *frame, struct rf_columns *columns);

#endif
