/* lab_make.c: random cases. */
#include <stdlib.h>

#include "lab.h"
#include "random_expr.h"
#include "random_record.h"

enum { WIDE_ROWS_MAX = 3000, TABLE_ROWS_MAX = 80, LAB_ROUND_MIN = 128 };

static void source_add(struct lab_case *lab, uint32_t i, struct random_expr *expr)
{
    rf_text_clear(&lab->source[i]);
    put_str(&lab->source[i], rf_text_str(&expr->out));
}

static void sources_make(struct choice *choice, struct lab_case *lab)
{
    struct random_expr expr = random_expr_open(choice, !lab->is_table);
    const bool has_values = lab->is_table || choose(choice, 2) == 0;
    lab->predicates = has_values ? 0 : 1 + choose(choice, 6);
    lab->projections = lab->is_table ? 1 : has_values ? 1 + choose(choice, 5) : 0;
    for (uint32_t i = 0; i < lab->predicates; i++) {
        random_predicate(&expr);
        source_add(lab, i, &expr);
    }
    for (uint32_t i = 0; i < lab->projections; i++) {
        random_value_expr(&expr);
        source_add(lab, lab->predicates + i, &expr);
    }
    random_expr_close(&expr);
}

static void records_make(struct choice *choice, struct lab_case *lab)
{
    const enum record_width width = choose_rarely(choice, 3)   ? RECORDS_WIDE
                                    : choose_rarely(choice, 3) ? RECORDS_EXTREME
                                                               : RECORDS_PLAIN;
    const struct record_shape shape = random_shape(choice, width);
    const uint32_t rows_max = width == RECORDS_WIDE      ? WIDE_ROWS_MAX
                              : width == RECORDS_EXTREME ? 6
                              : choose(choice, 8) == 0   ? 200
                                                         : 48;
    const uint32_t rows = 1 + choose(choice, rows_max);
    lab->rows_max = choose(choice, 2) == 0 ? LAB_ROUND_MIN : 4096;
    rf_text_clear(&lab->records);
    for (uint32_t row = 0; row < rows; row++) {
        put_record(choice, shape, &lab->records);
        put(&lab->records, choose_rarely(choice, 4) ? "\r\n" : "\n");
    }
    if (choose_rarely(choice, 32)) {
        lab->records.count--;
    }
}

static void table_make(struct choice *choice, struct lab_case *lab)
{
    lab->is_lifting = choose(choice, 2) == 0;
    lab->is_unchecked = choose_rarely(choice, 64);
    lab->rows = 1 + choose(choice, TABLE_ROWS_MAX);
    rf_arena_reset(&lab->arena);
    lab->binding = RF_PUSH(&lab->arena, struct rf_value, lab->rows * FIELDS);
    if (lab->binding == NULL) {
        abort();
    }
    for (uint32_t i = 0; i < lab->rows * FIELDS; i++) {
        lab->binding[i] = random_binding(choice, &random_field_table[i % FIELDS], &lab->arena);
    }
}

void lab_make(struct choice *choice, struct lab_case *lab)
{
    lab->is_strict_cel = choose(choice, 4) == 0;
    lab->is_validating = choose(choice, 4) == 0;
    lab->is_lifting = lab->is_unchecked = false;
    lab->is_table = choose(choice, 3) == 0;
    sources_make(choice, lab);
    if (lab->is_table) {
        table_make(choice, lab);
    } else {
        records_make(choice, lab);
    }
}
