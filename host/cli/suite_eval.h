/* suite_eval.h: one line of a case file to its line of the result.
 *
 * Purpose    {"line":L,"ok":OUTCOME,"engine":"interp|cpu","fallback":BOOL,"lifted":N}, where OUTCOME is {"value":V} or
 *            {"error":TEXT,"phase":"parse|check|eval"}, {"type":T} where only that was asked for, {"rows":[OUTCOME...]}
 *            for a line with rows. "type":T stands beside "value" where the line wants it and the expression type-checks.
 * Phases     parse: the line or the expression cannot be read; check: a name is unknown, or no values of any kind could
 *            make the expression succeed; eval: the value is an error. An expression that does not type-check is
 *            evaluated all the same: checking beforehand never changes a value.
 * Lifting    with is_lifting literals are columns (lift.h). Behind the rows of the line come further ones, with values near
 *            the first row's, of other types, and missing ones. The engine and the interpreter must agree about all of
 *            them: in type and value, or that it is an error.
 * Ownership  rf_suite_close frees. Texts are appended to the caller's.
 * Threads    one suite, one thread.
 * Bounds     RF_SUITE_TABLE_CELLS_MAX values in one table; suite_case.h for the line, interp.h for an evaluation.
 * Errors     RF_E_MEMORY: there is no line then. Whatever the line itself may hold is an outcome.
 */
#ifndef RF_SUITE_EVAL_H
#define RF_SUITE_EVAL_H

#include "suite_case.h"
#include "table.h"

enum { RF_SUITE_NEAR_ROWS_MAX = 64, RF_SUITE_TABLE_CELLS_MAX = 1024 * 1024 };

/* As rf_table_eval; a test has another one. */
typedef enum rf_status rf_suite_engine(const struct rf_compiled *compiled, enum rf_isa isa,
                                       const struct rf_value *binding, uint32_t rows, struct rf_arena *arena,
                                       struct rf_value *out, uint64_t *host_rows, struct rf_error *err);

struct rf_suite_options {
    rf_suite_engine *engine; /* NULL: the interpreter alone */
    const char *engine_name; /* as the result names it */
    enum rf_isa isa;
    bool is_lifting;
    bool is_unchecked; /* of every line, as disable_check is of one */
    bool is_strict_cel;
};

struct rf_suite_counts {
    uint64_t lines;
    uint64_t lifted;    /* literals */
    uint64_t fallbacks; /* lines */
    uint64_t disagreements;
};

struct rf_suite {
    struct rf_suite_options options;
    struct rf_suite_counts counts;
    struct rf_arena line;   /* what the line holds, and its table */
    struct rf_arena tree;   /* for checking */
    struct rf_arena values; /* of the engine */
    struct rf_text type;
    struct rf_text side[2]; /* two values that are compared, as text */
};

void rf_suite_open(struct rf_suite *suite, struct rf_suite_options options);
void rf_suite_close(struct rf_suite *suite);

/* Appends the result of a line, its line feed included. */
enum rf_status rf_suite_eval(struct rf_suite *suite, struct rf_str line, struct rf_text *out, struct rf_error *err);
/* The same for a line that cannot be read, for that reason. */
enum rf_status rf_suite_refuse(struct rf_suite *suite, const char *why, struct rf_text *out, struct rf_error *err);

#endif
