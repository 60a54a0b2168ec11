/* suite_case.h: one line of a case file: an expression, what is declared, what is bound.
 *
 * Data       a JSON object of which these members are read: line expr container disable_check disable_macros check_only
 *            want_type type_env bindings rows. A member that is null is as good as absent.
 *              type_env  [{"name":N,"type":T}, {"name":F,"overloads":[{"params":[T...],"result":T,"receiver":BOOL}...]}...]
 *              bindings  {N:{"value":V}...}, V as in suite_value.h; V itself is taken, too
 *              rows      a list of such objects, in the place of bindings: one evaluation each
 *            A name that is bound is declared, whether type_env has it or not.
 * Ownership  everything is in the arena, or points into the line.
 * Threads    pure, apart from the arena.
 * Bounds     RF_SUITE_NAMES_MAX variables, RF_SUITE_CELLS_MAX values in all rows together.
 * Errors     RF_E_FORMAT: no such line; RF_E_LIMIT: beyond the bounds, or the arena is full. `number` is set even then.
 */
#ifndef RF_SUITE_CASE_H
#define RF_SUITE_CASE_H

#include "check.h"
#include "env.h"
#include "value.h"

enum { RF_SUITE_NAMES_MAX = 1024, RF_SUITE_CELLS_MAX = 256 * 1024 };

struct rf_suite_case {
    struct rf_str number; /* "line" as it is written, or "null" */
    struct rf_str source;
    struct rf_env env;
    struct rf_check_functions functions;
    bool is_check_only;
    bool wants_type;
    bool has_rows;
    uint32_t rows;                  /* 1 without has_rows */
    const struct rf_value *binding; /* [rows][env.declarations]; RF_TYPE_DYN: not bound */
};

enum rf_status rf_suite_case_read(struct rf_suite_case *out, struct rf_str line, struct rf_arena *arena,
                                  struct rf_error *err);

#endif
