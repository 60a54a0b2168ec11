/* What is said of a plan: by hand, comparisons that are too few for a search and just enough, and a list. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "eval_explain.h"
#include "eval_rank.h"

static void check(uint32_t comparisons, const char *wanted)
{
    static struct rf_atom atom[RF_EVAL_RANK_MIN + 1];
    static struct rf_bool code[2 * RF_EVAL_RANK_MIN + 1]; /* all of them together: what nobody reads is not evaluated */
    static struct rf_number number[9];
    static struct rf_slot slot[] = {{.text = {"msg.price", 9}}, {.text = {"msg.venue", 9}}};
    uint32_t output[] = {2 * comparisons};
    for (uint32_t i = 0; i < comparisons; i++) {
        atom[i] = (struct rf_atom){.kind = RF_ATOM_CMP_NUM,
                                   .compare = RF_GT,
                                   .host = RF_NONE,
                                   .number = {.kind = RF_NUMBER_INT, .as.i = (int64_t)i}};
        code[i] = (struct rf_bool){.op = RF_BOOL_ATOM, .a = i};
    }
    for (uint32_t i = 0; i < 9; i++) {
        number[i] = (struct rf_number){.kind = RF_NUMBER_INT, .as.i = (int64_t)i};
    }
    atom[comparisons] = (struct rf_atom){.kind = RF_ATOM_IN, .slot = 1, .host = RF_NONE, .set = {.number = number, .numbers = 9}};
    code[comparisons] = (struct rf_bool){.op = RF_BOOL_ATOM, .a = comparisons};
    for (uint32_t i = 0; i < comparisons; i++) {
        code[comparisons + 1 + i] =
            (struct rf_bool){.op = RF_BOOL_AND, .a = i == 0 ? comparisons : comparisons + i, .b = i};
    }
    const struct rf_program program = {.slot = slot,
                                       .slots = 2,
                                       .atom = atom,
                                       .atoms = comparisons + 1,
                                       .code = code,
                                       .code_count = 2 * comparisons + 1,
                                       .output = output,
                                       .predicates = 1};
    struct rf_text text = {0};
    struct rf_error err;
    assert_int_equal(rf_eval_explain(&program, &text, &err), RF_OK);
    assert_int_equal(rf_text_append_char(&text, '\0', &err), RF_OK);
    const char *const lines = strchr(text.data, '\n') + 1;
    assert_string_equal(lines, wanted);
    rf_text_free(&text);
}

static void test_rf_eval_explain(void **state)
{
    (void)state;
    check(1, "  msg.price                 1 comparison with a number, by itself\n"
             "  msg.venue                 1 list, by hash\n");
    check(RF_EVAL_RANK_MIN - 1, "  msg.price                 47 comparisons with numbers, each by itself\n"
                                "  msg.venue                 1 list, by hash\n");
    check(RF_EVAL_RANK_MIN,
          "  msg.price                 48 comparisons with numbers, by one search of a record's value among them all\n"
          "  msg.venue                 1 list, by hash\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rf_eval_explain)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
