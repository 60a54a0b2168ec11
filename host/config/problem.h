/* problem.h: what is wrong with a configuration file, each problem with its place, many at once.
 *
 * Purpose    One run tells all that is wrong. Whoever finds a problem adds it and goes on as far as that makes sense.
 * Data       item[items], in the order found; rf_problems_print sorts by place. Shown as
 *
 *                error: unknown key 'whn' of a rule (did you mean 'when'?)
 *                 --> rules.yaml:12:9
 *                  |   - whn: price > 5
 *                  |     ^^^
 *
 * Ownership  file and source are borrowed; texts are held in place.
 * Threads    one thread.
 * Bounds     RF_PROBLEMS_MAX are kept, the others counted: "and 17 more".
 * Errors     rf_problems_print: RF_E_MEMORY; adding cannot fail.
 */
#ifndef RF_PROBLEM_H
#define RF_PROBLEM_H

#include "status.h"
#include "str.h"
#include "text.h"

enum { RF_PROBLEMS_MAX = 50, RF_PROBLEM_BYTES = 480 };

struct rf_problem {
    char text[RF_PROBLEM_BYTES]; /* one line */
    uint32_t begin, end;         /* bytes of the source */
    uint32_t line, column;       /* 1-based; column in code points */
};

struct rf_problems {
    struct rf_str file; /* as messages name it */
    struct rf_str source;
    struct rf_problem item[RF_PROBLEMS_MAX];
    uint32_t items;
    uint32_t more; /* found, not kept */
};

void rf_problems_open(struct rf_problems *problems, struct rf_str file, struct rf_str source);
/* source bytes [begin, end) */
void rf_problem_add(struct rf_problems *problems, uint32_t begin, uint32_t end, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static inline bool rf_problems_none(const struct rf_problems *problems)
{
    return problems->items == 0;
}
/* All of them, sorted by place, and how many more. */
enum rf_status rf_problems_print(const struct rf_problems *problems, struct rf_text *out, struct rf_error *err);
/* RF_OK, or RF_E_CONFIG with "FILE:LINE:COLUMN: text (and N more)" of the first. */
enum rf_status rf_problems_status(const struct rf_problems *problems, struct rf_error *err);

#endif
