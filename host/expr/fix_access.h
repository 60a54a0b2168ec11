/* fix_access.h: what the expressions of a program read of a FIX message, each thing once.
 *
 * Data       access[count]: number i is declared variable i to the planner and the engines (RF_NODE_BINDING).
 * Ownership  the arena's.
 * Threads    one thread.
 * Errors     RF_E_LIMIT: more than RF_FIX_ACCESSES_MAX, or the arena is full.
 */
#ifndef RF_FIX_ACCESS_H
#define RF_FIX_ACCESS_H

#include "arena.h"
#include "program.h"
#include "status.h"

enum { RF_FIX_ACCESSES_MAX = 4096 };

struct rf_fix_accesses {
    struct rf_arena *arena;
    struct rf_fix_access *access;
    uint32_t count;
    uint32_t capacity;
};

/* The number of an access, made when it is new. The name is copied. */
enum rf_status rf_fix_access_use(struct rf_fix_accesses *accesses, struct rf_fix_access access, uint32_t *number,
                                 struct rf_error *err);

#endif
