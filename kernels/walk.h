/* walk.h: one JSON record, exactly, one byte at a time.
 *
 * Purpose    The scalar engine's index and extract stage in one; the vector extract stage hands it every row that is
 *            not plain (escaped keys, a key twice, array steps, suspicious structure), and sampled malformed rows for
 *            their reason. One walk fills every slot of the program for one row.
 * Data       in   text, program.node[] (trie)
 *            out  column cells of `row` for every slot with RF_ROOT_MSG: tag, payload, begin, length
 * Semantics  interp.h steps 1 and 2, word for word (an independent implementation of the same rules):
 *            tokens: white space is space, TAB, CR (and LF, which a record of lines cannot hold); a string is from a
 *            quote to the next quote that is not behind an odd run of backslashes; a scalar is any other run of bytes
 *            outside { } [ ] : , " and white space.
 *            Without is_validating only the values at trie paths are looked into; is_deep slots and is_validating look
 *            into everything below.
 * Ownership  cells and side text belong to the columns; nothing is allocated (explicit stack of depth_max bits).
 * Side text  a row takes at most as many bytes as it has; rf_columns_reserve_side(batch bytes) is enough as long as
 * each value
 *            is looked at once.
 * Errors     none: the verdict is the result. On a malformed row the cells are unspecified.
 * Source     RFC 8259.
 */
#ifndef RF_WALK_H
#define RF_WALK_H

#include "column.h"
#include "program.h"
#include "reason.h"

enum { RF_DEPTH_MAX_DEFAULT = 1024, RF_DEPTH_MAX_LIMIT = 65536 };

struct rf_walk_options {
    uint32_t depth_max;
    bool is_validating;
};

/* text must lie inside batch->bytes (begin offsets are relative to it). columns == NULL: only the verdict is wanted
 * (then no side text is needed). */
struct rf_malformed rf_walk_row(const struct rf_program *program, const struct rf_batch *batch, uint32_t begin,
                                uint32_t end, struct rf_walk_options options, struct rf_columns *columns, uint32_t row);

/* Looks at one value whose text is [begin, end) of the batch (no white space around) and fills a cell; used by every
 * extract stage so that there is one definition of a touched value. RF_REASON_NONE, or why the token is bad: its
 * offset counts from `begin`. columns must not be NULL. */
struct rf_malformed rf_walk_scalar(const struct rf_batch *batch, uint32_t begin, uint32_t end,
                                   struct rf_columns *columns, uint32_t slot, uint32_t row);

#endif
