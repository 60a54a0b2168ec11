/* Many tests of one column of texts by one search: against rf_eval_row, row by row, at each instruction-set level. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "eval_compare.h"
#include "eval_plan.h"
#include "eval_text.h"

enum { TESTS_MAX = 400, TEXT_MAX = 64, ROWS_MAX = 3000 };

#define WHOLE(value) {.kind = RF_NUMBER_INT, .as.i = (value)}
/* More than RF_EVAL_SMALL_SET, some of which no double holds. */
static struct rf_number numbers[] = {WHOLE(INT64_MIN), WHOLE(-1), WHOLE(0), WHOLE(1), WHOLE(2), WHOLE(3), WHOLE(410),
                                     WHOLE(9007199254740991), WHOLE(9007199254740992), WHOLE(9007199254740993),
                                     WHOLE(INT64_MAX - 1), WHOLE(INT64_MAX)};
enum { NUMBERS = sizeof numbers / sizeof numbers[0] };

struct texts {
    struct rf_atom atom[TESTS_MAX];
    struct rf_bool code[TESTS_MAX];
    uint32_t output[TESTS_MAX];
    struct rf_str list[TESTS_MAX][4];
    char text[TESTS_MAX][TEXT_MAX];
};

/* Beginnings of the texts of rows, these with a byte changed or added, and texts of two letters: chains of constants of
 * which each begins the next, and many with the same first 8 bytes. */
static struct rf_str constant_make(struct eval_fixture *fixture, char *out)
{
    struct rf_str text = fixture_string(fixture);
    size_t count = text.count < TEXT_MAX - 1 ? text.count : TEXT_MAX - 1;
    memcpy(out, text.data, count);
    switch (fixture_random(fixture, 5)) {
    case 0:
        break;
    case 1:
    case 2:
        count = fixture_random(fixture, (uint32_t)count + 1);
        break;
    case 3:
        out[count++] = (char)fixture_random(fixture, 3);
        break;
    default:
        if (count != 0) {
            out[fixture_random(fixture, (uint32_t)count)] = (char)(fixture_random(fixture, 2) == 0 ? 'b' : 0xff);
        }
        break;
    }
    return (struct rf_str){out, count};
}

static void atom_make(struct eval_fixture *fixture, struct texts *texts, uint32_t i, uint32_t slot)
{
    static const struct {
        enum rf_atom_kind kind;
        enum rf_compare compare;
    } form[] = {{RF_ATOM_CMP_STR, RF_EQ}, {RF_ATOM_CMP_STR, RF_LT}, {RF_ATOM_CMP_STR, RF_LE},
                {RF_ATOM_CMP_STR, RF_GT}, {RF_ATOM_CMP_STR, RF_GE}, {RF_ATOM_STARTS, RF_EQ},
                {RF_ATOM_STARTS, RF_EQ},  {RF_ATOM_CMP_STR, RF_EQ}, {RF_ATOM_IN, RF_EQ}};
    const uint32_t f = fixture_random(fixture, sizeof form / sizeof form[0]);
    struct rf_atom *atom = &texts->atom[i];
    *atom = (struct rf_atom){.kind = form[f].kind, .compare = form[f].compare, .slot = slot, .host = RF_NONE};
    atom->string = constant_make(fixture, texts->text[i]);
    if (atom->kind == RF_ATOM_IN) { /* a constant of its own and the next few of the pool, in order */
        const uint32_t wanted = fixture_random(fixture, 5);
        uint32_t strings = 0;
        for (uint32_t k = 0; k < wanted; k++) {
            const struct rf_str text = k == 0 ? atom->string : fixture_string(fixture);
            uint32_t at = strings;
            while (at > 0 && rf_str_compare(text, texts->list[i][at - 1]) < 0) {
                at--;
            }
            if (at == 0 || rf_str_compare(text, texts->list[i][at - 1]) != 0) {
                memmove(texts->list[i] + at + 1, texts->list[i] + at, (strings++ - at) * sizeof text);
                texts->list[i][at] = text;
            }
        }
        atom->set = (struct rf_set){.string = texts->list[i], .strings = strings};
        /* Some have other members too; a list without texts is not joined with the others then. */
        atom->set.has_null = fixture_random(fixture, 8) == 0;
        atom->set.has_true = fixture_random(fixture, 8) == 0;
        atom->set.has_false = fixture_random(fixture, 8) == 0;
        const uint32_t from = fixture_random(fixture, NUMBERS);
        atom->set.number = numbers + from;
        atom->set.numbers = fixture_random(fixture, 3) == 0 ? fixture_random(fixture, NUMBERS - from) + 1 : 0;
    }
}

static uint32_t joined_steps(const struct rf_eval *eval)
{
    uint32_t joined = 0;
    for (uint32_t s = 0; s < eval->plan->steps; s++) {
        joined += eval->plan->step[s].texts != NULL;
    }
    return joined;
}

static void test_eval_texts_run(void **state)
{
    (void)state;
    static struct eval_fixture fixture;
    static struct texts texts;
    static const uint32_t sizes[] = {0, 1, 63, 64, 65, 200, 1023, 1024, 1025, ROWS_MAX};
    static const uint32_t slots[] = {1, 4, 5, FIXTURE_RAW};
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct rf_error err;
        struct rf_eval eval;
        fixture_eval_open(&fixture, seed, ROWS_MAX);
        fixture_program(&fixture, 0, 0);
        const uint32_t slot = slots[seed % 4];
        for (uint32_t i = 0; i < TESTS_MAX; i++) {
            atom_make(&fixture, &texts, i, seed % 5 == 0 && i % 10 == 0 ? 1 : slot);
            texts.code[i] = (struct rf_bool){.op = RF_BOOL_ATOM, .a = i};
            texts.output[i] = i;
        }
        fixture.program.atom = texts.atom;
        fixture.program.code = texts.code;
        fixture.program.output = texts.output;
        fixture.program.atoms = fixture.program.code_count = fixture.program.predicates = TESTS_MAX;
        assert_int_equal(rf_eval_open(&eval, &fixture.program, ROWS_MAX, &err), RF_OK);
        assert_int_equal(joined_steps(&eval), 2); /* one of orders, one of the others */
        fixture_rows(&fixture, sizes[seed / 4 % (sizeof sizes / sizeof sizes[0])]);
        for (int isa = 0; isa <= (int)rf_isa_best(); isa++) {
            rf_eval_run(&eval, (enum rf_isa)isa, &fixture.batch, &fixture.rows, &fixture.columns, NULL);
            fixture_rows_compare(&fixture, &eval, (enum rf_isa)isa);
        }
        rf_eval_close(&eval);
        fixture_eval_close(&fixture);
    }
}

/* Tests that together cost one less than a search, and just as much. Lists that are empty cost nothing. */
static void test_eval_texts_make(void **state)
{
    (void)state;
    static struct eval_fixture fixture;
    static struct texts texts;
    for (uint32_t count = RF_EVAL_TEXTS_MIN - 1; count <= RF_EVAL_TEXTS_MIN; count++) {
        for (int kind = 0; kind < 2; kind++) {
            struct rf_error err;
            struct rf_eval eval;
            fixture_eval_open(&fixture, count, 100);
            fixture_program(&fixture, 0, 0);
            for (uint32_t i = 0; i < count; i++) {
                texts.atom[i] =
                    (struct rf_atom){.kind = kind == 0 ? RF_ATOM_CMP_STR : RF_ATOM_IN, .slot = 1, .host = RF_NONE};
                texts.atom[i].string = constant_make(&fixture, texts.text[i]);
                texts.atom[i].string.count = texts.atom[i].string.count > 8 ? 8 : texts.atom[i].string.count;
                texts.code[i] = (struct rf_bool){.op = RF_BOOL_ATOM, .a = i};
                texts.output[i] = i;
            }
            fixture.program.atom = texts.atom;
            fixture.program.code = texts.code;
            fixture.program.output = texts.output;
            fixture.program.atoms = fixture.program.code_count = fixture.program.predicates = count;
            assert_int_equal(rf_eval_open(&eval, &fixture.program, 100, &err), RF_OK);
            assert_int_equal(joined_steps(&eval), kind == 0 && count >= RF_EVAL_TEXTS_MIN);
            fixture_rows(&fixture, 100);
            rf_eval_run(&eval, rf_isa_best(), &fixture.batch, &fixture.rows, &fixture.columns, NULL);
            fixture_rows_compare(&fixture, &eval, rf_isa_best());
            rf_eval_close(&eval);
            fixture_eval_close(&fixture);
        }
    }
}

static void test_eval_texts_cost(void **state)
{
    (void)state;
    const struct rf_str list[RF_EVAL_SMALL_SET + 1] = {RF_STR("12345678"), RF_STR("123456789")};
    struct rf_atom atom = {.kind = RF_ATOM_CMP_STR, .compare = RF_EQ, .string = list[0]};
    assert_int_equal(rf_eval_texts_cost(&atom), 1);
    atom.string = list[1];
    assert_int_equal(rf_eval_texts_cost(&atom), 4);
    atom.compare = RF_LT;
    assert_int_equal(rf_eval_texts_cost(&atom), 5);
    atom = (struct rf_atom){.kind = RF_ATOM_IN, .set = {.string = list}};
    assert_int_equal(rf_eval_texts_cost(&atom), 0);
    atom.set.strings = 2;
    assert_int_equal(rf_eval_texts_cost(&atom), 5);
    atom.set.strings = RF_EVAL_SMALL_SET + 1;
    assert_int_equal(rf_eval_texts_cost(&atom), 64);
}

static void test_eval_texts_kind(void **state)
{
    (void)state;
    struct rf_atom atom = {.kind = RF_ATOM_CMP_STR, .compare = RF_EQ};
    assert_int_equal(rf_eval_texts_kind(&atom), RF_EVAL_TEXTS_PARTS);
    atom.compare = RF_GE;
    assert_int_equal(rf_eval_texts_kind(&atom), RF_EVAL_TEXTS_ORDER);
    atom.kind = RF_ATOM_ENDS;
    assert_int_equal(rf_eval_texts_kind(&atom), RF_EVAL_TEXTS_NONE);
    for (uint32_t strings = RF_EVAL_TEXTS_SET_MAX - 1; strings <= RF_EVAL_TEXTS_SET_MAX + 1; strings++) {
        atom = (struct rf_atom){.kind = RF_ATOM_IN, .set = {.strings = strings}};
        assert_int_equal(rf_eval_texts_kind(&atom),
                         strings <= RF_EVAL_TEXTS_SET_MAX ? RF_EVAL_TEXTS_PARTS : RF_EVAL_TEXTS_NONE);
        atom.set.numbers = 1;
        assert_int_equal(rf_eval_texts_kind(&atom),
                         strings <= RF_EVAL_TEXTS_SET_MAX ? RF_EVAL_TEXTS_PARTS : RF_EVAL_TEXTS_NONE);
    }
    for (int member = 0; member < 4; member++) { /* without texts there is nothing to look for together */
        atom.set = (struct rf_set){.numbers = member == 0, .has_null = member == 1, .has_false = member == 2, .has_true = member == 3};
        assert_int_equal(rf_eval_texts_kind(&atom), RF_EVAL_TEXTS_NONE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_eval_texts_kind),
        cmocka_unit_test(test_eval_texts_cost),
        cmocka_unit_test(test_eval_texts_make),
        cmocka_unit_test(test_eval_texts_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
