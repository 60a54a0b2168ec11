#include "problem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "caret.h"
#include "visible_text.h"

void rf_problems_open(struct rf_problems *problems, struct rf_str file, struct rf_str source)
{
    problems->file = file;
    problems->source = source;
    problems->items = 0;
    problems->more = 0;
}

void rf_problem_add(struct rf_problems *problems, uint32_t begin, uint32_t end, const char *format, ...)
{
    if (problems->items == RF_PROBLEMS_MAX) {
        problems->more++;
        return;
    }
    struct rf_problem *problem = &problems->item[problems->items++];
    const uint32_t count = (uint32_t)problems->source.count;
    problem->begin = begin < count ? begin : count;
    problem->end = end < problem->begin ? problem->begin : end < count ? end : count;
    rf_caret_place(problems->source, problem->begin, &problem->line, &problem->column);
    va_list list;
    va_start(list, format);
    const int wanted = vsnprintf(problem->text, sizeof problem->text, format, list);
    va_end(list);
    rf_caret_clean(problem->text, sizeof problem->text, wanted);
}

struct order {
    const struct rf_problem *problem;
    uint32_t found; /* problems of one place stay in the order found */
};

static int order_compare(const void *left, const void *right)
{
    const struct order *a = left;
    const struct order *b = right;
    if (a->problem->begin != b->problem->begin) {
        return a->problem->begin < b->problem->begin ? -1 : 1;
    }
    return a->found < b->found ? -1 : a->found > b->found;
}

static void order_make(const struct rf_problems *problems, struct order order[RF_PROBLEMS_MAX])
{
    for (uint32_t i = 0; i < problems->items; i++) {
        order[i] = (struct order){&problems->item[i], i};
    }
    qsort(order, problems->items, sizeof order[0], order_compare);
}

enum rf_status rf_problems_print(const struct rf_problems *problems, struct rf_text *out, struct rf_error *err)
{
    struct order order[RF_PROBLEMS_MAX];
    order_make(problems, order);
    for (uint32_t i = 0; i < problems->items; i++) {
        const struct rf_problem *problem = order[i].problem;
        RF_TRY(rf_text_append(out, RF_STR("error: "), err));
        RF_TRY(rf_visible_append(out, rf_str_of(problem->text), err));
        RF_TRY(rf_text_append(out, RF_STR("\n --> "), err));
        RF_TRY(rf_visible_append(out, problems->file, err));
        RF_TRY(rf_text_printf(out, err, ":%u:%u\n", problem->line, problem->column));
        RF_TRY(rf_caret_append(out, problems->source, problem->begin, problem->end, err));
    }
    if (problems->more > 0) {
        RF_TRY(rf_text_printf(out, err, "and %u more\n", problems->more));
    }
    return RF_OK;
}

enum rf_status rf_problems_status(const struct rf_problems *problems, struct rf_error *err)
{
    struct order order[RF_PROBLEMS_MAX];
    if (problems->items == 0) {
        return RF_OK;
    }
    order_make(problems, order);
    const struct rf_problem *first = order[0].problem;
    const uint32_t others = problems->items - 1 + problems->more;
    char more[32] = "";
    if (others > 0) {
        (void)snprintf(more, sizeof more, " (and %u more)", others);
    }
    RF_FAIL(err, RF_E_CONFIG, "%.*s:%u:%u: %.300s%s", (int)(problems->file.count < 100 ? problems->file.count : 100),
            problems->file.data, first->line, first->column, first->text, more);
}
