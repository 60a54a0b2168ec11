/* lab.h: one case of expressions and rows, on the interpreter and on the vector engine at each level.
 *
 * Purpose    lab_run says whether all engines give the same answers. Predicates: true, false or error. Projections: the
 *            same value to the bottom, of the same type, and nothing else than the vector engine itself gave (rows for
 *            which it asks the interpreter agree by definition, and are counted).
 * Data       records: lines of JSON; or, with is_table, rows of values for the fields of random_field.def as declared
 *            variables.
 * Ownership  struct lab_case owns its texts and values (lab_case_free).
 * Threads    one thread.
 * Errors     a lack of memory aborts: these are tests.
 */
#ifndef RF_TEST_LAB_H
#define RF_TEST_LAB_H

#include "compile.h"
#include "device_abi.h"
#include "isa.h"
#include "random_field.h"

enum { LAB_SOURCES_MAX = 8, LAB_TEXT_MAX = 400 };

struct lab_case {
    struct rf_text source[LAB_SOURCES_MAX]; /* predicates first */
    uint32_t predicates;
    uint32_t projections;
    struct rf_text records;
    bool is_table;
    struct rf_arena arena;    /* of the values */
    struct rf_value *binding; /* [rows][FIELDS] */
    uint32_t rows;            /* of a table */
    uint32_t rows_max;        /* records of a round: 128 at least */
    bool is_strict_cel;
    bool is_validating;
    bool is_lifting;   /* is_table only */
    bool is_unchecked; /* is_table only */
};

enum lab_verdict {
    LAB_SAME,
    LAB_REFUSED, /* an expression was refused: nothing was compared */
    LAB_DIFFERENT,
    LAB_SLOW /* an engine took longer than its bound */
};

struct lab_report {
    char what[LAB_TEXT_MAX]; /* the first difference */
    uint32_t source;         /* of this expression */
    uint32_t row;            /* in this row */
    uint64_t pairs;          /* of an expression and a row that were compared on every engine */
    uint64_t of[3];          /* of them: false, true, error (enum rf_truth) in the interpreter; values count as true */
    uint64_t host_rows;      /* asked from the interpreter */
    uint64_t device_rows;    /* decided by the device, but for redone_rows */
    uint64_t redone_rows;
    uint64_t slowest_ns;     /* one expression, one row, in the interpreter */
    bool uses[RF_FUNCTION_COUNT]; /* functions of the compiled trees, added up */
};

/* From now on the device is an engine too; values of projections are not planned then, since it has no form for them. */
void lab_use_device(const struct rf_device_api *api);
/* Another case in the place of the one at hand, whose texts are kept for reuse; its arena must be ready. */
void lab_make(struct choice *choice, struct lab_case *lab);
enum lab_verdict lab_run(const struct lab_case *lab, struct lab_report *report);
void lab_case_free(struct lab_case *lab);

/* Makes the case smaller as long as it stays LAB_DIFFERENT: fewer sources, fewer rows, shorter texts. */
void lab_shrink(struct lab_case *lab, struct lab_report *report);
/* As people read it. */
void lab_print(const struct lab_case *lab, const struct lab_report *report);

/* A value for field f as a declared variable; RF_TYPE_DYN: none. */
struct rf_value random_binding(struct choice *choice, const struct random_field *field, struct rf_arena *arena);

#endif
