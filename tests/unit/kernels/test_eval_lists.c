/* Many lists of numbers over one column by one look-up: against rf_eval_row, row by row, at each instruction-set level. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "eval_compare.h"
#include "eval_lists.h"
#include "eval_plan.h"

enum { LISTS_MAX = 120, MEMBERS_MAX = 24, ROWS_MAX = 3000 };

struct lists {
    struct rf_atom atom[LISTS_MAX];
    struct rf_bool code[LISTS_MAX];
    uint32_t output[LISTS_MAX];
    struct rf_number number[LISTS_MAX][MEMBERS_MAX];
};

static int number_order(const void *left, const void *right)
{
    return rf_number_compare(*(const struct rf_number *)left, *(const struct rf_number *)right) == RF_ORDER_LESS ? -1 : 1;
}

/* Ascending and distinct. */
static uint32_t members_make(struct eval_fixture *fixture, struct rf_number *out, uint32_t wanted)
{
    uint32_t members = 0;
    for (uint32_t i = 0; i < wanted; i++) {
        const struct rf_number number = fixture_number(fixture, true);
        bool is_new = number.kind != RF_NUMBER_DOUBLE || number.as.d == number.as.d;
        for (uint32_t k = 0; k < members && is_new; k++) {
            is_new = rf_number_compare(out[k], number) != RF_ORDER_EQUAL;
        }
        if (is_new) {
            out[members++] = number;
            qsort(out, members, sizeof *out, number_order);
        }
    }
    return members;
}

static void atom_make(struct eval_fixture *fixture, struct lists *lists, uint32_t i, uint32_t slot)
{
    const uint32_t wanted = 1 + fixture_random(fixture, fixture_random(fixture, 2) == 0 ? 4 : MEMBERS_MAX - 1);
    struct rf_atom *atom = &lists->atom[i];
    *atom = (struct rf_atom){.kind = RF_ATOM_IN, .slot = slot, .host = RF_NONE};
    atom->set.number = lists->number[i];
    atom->set.numbers = members_make(fixture, lists->number[i], wanted);
    atom->set.has_null = fixture_random(fixture, 8) == 0;
    atom->set.has_true = fixture_random(fixture, 8) == 0;
    atom->set.has_false = fixture_random(fixture, 8) == 0;
}

static uint32_t joined_steps(const struct rf_eval *eval)
{
    uint32_t joined = 0;
    for (uint32_t s = 0; s < eval->plan->steps; s++) {
        joined += eval->plan->step[s].lists != NULL;
    }
    return joined;
}

static void test_eval_lists_run(void **state)
{
    (void)state;
    static struct eval_fixture fixture;
    static struct lists lists;
    static const uint32_t sizes[] = {0, 1, 63, 64, 65, 200, 1023, 1024, 1025, ROWS_MAX};
    uint64_t hits = 0;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        struct rf_error err;
        struct rf_eval eval;
        fixture_eval_open(&fixture, seed, ROWS_MAX);
        fixture_program(&fixture, 0, 0);
        const uint32_t slot = (uint32_t)(seed % 4);
        const uint32_t count = seed % 7 == 0 ? 1 : LISTS_MAX; /* one alone is not joined */
        for (uint32_t i = 0; i < count; i++) {
            atom_make(&fixture, &lists, i, seed % 5 == 0 && i % 10 == 0 ? 1 : slot);
            lists.code[i] = (struct rf_bool){.op = RF_BOOL_ATOM, .a = i};
            lists.output[i] = i;
        }
        fixture.program.atom = lists.atom;
        fixture.program.code = lists.code;
        fixture.program.output = lists.output;
        fixture.program.atoms = fixture.program.code_count = fixture.program.predicates = count;
        assert_int_equal(rf_eval_open(&eval, &fixture.program, ROWS_MAX, &err), RF_OK);
        assert_true(joined_steps(&eval) >= (count == 1 ? 0u : 1u));
        assert_true(count != 1 || joined_steps(&eval) == 0);
        fixture_rows(&fixture, sizes[seed / 4 % (sizeof sizes / sizeof sizes[0])]);
        for (int isa = 0; isa <= (int)rf_isa_best(); isa++) {
            rf_eval_run(&eval, (enum rf_isa)isa, &fixture.batch, &fixture.rows, &fixture.columns, NULL);
            fixture_rows_compare(&fixture, &eval, (enum rf_isa)isa);
        }
        for (uint32_t row = 0; row < fixture.rows.rows; row++) {
            hits += rf_bit_get(eval.truth[0], row);
        }
        rf_eval_close(&eval);
        fixture_eval_close(&fixture);
    }
    assert_true(hits > 100);
}

static void test_eval_lists_cost(void **state)
{
    (void)state;
    struct rf_slot slot[] = {{.root = RF_ROOT_MSG}, {.root = RF_ROOT_BINDING}};
    const struct rf_program program = {.slot = slot, .slots = 2};
    struct rf_atom atom = {.kind = RF_ATOM_IN, .host = RF_NONE, .set = {.numbers = 3}};
    assert_int_equal(rf_eval_lists_cost(&program, &atom), 3);
    atom.set.numbers = RF_EVAL_SMALL_SET + 1;
    assert_int_equal(rf_eval_lists_cost(&program, &atom), 64);
    atom.slot = 1;
    assert_int_equal(rf_eval_lists_cost(&program, &atom), 0);
    atom.slot = 0;
    atom.set.strings = 1;
    assert_int_equal(rf_eval_lists_cost(&program, &atom), 0);
    atom.set = (struct rf_set){.has_null = true};
    assert_int_equal(rf_eval_lists_cost(&program, &atom), 0);
    atom = (struct rf_atom){.kind = RF_ATOM_CMP_NUM, .host = RF_NONE, .set = {.numbers = 3}};
    assert_int_equal(rf_eval_lists_cost(&program, &atom), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_eval_lists_cost),
        cmocka_unit_test(test_eval_lists_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
