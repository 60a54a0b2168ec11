/* Many literals and expressions of one column by one search: against each by itself, at each instruction-set level. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "eval_fixture.h"
#include "eval_needles.h"
#include "eval_plan.h"
#include "needles.h"
#include "regex.h"

enum { TESTS_MAX = 300, TEXT_MAX = 40, ROWS_MAX = 3000 };

struct needles {
    struct rf_atom atom[TESTS_MAX];
    struct rf_bool code[TESTS_MAX];
    uint32_t output[TESTS_MAX];
    struct rf_calc calc[TESTS_MAX];
    uint32_t arg[TESTS_MAX][2];
    uint32_t calcs;
    struct rf_constant constant;
    char text[TESTS_MAX][TEXT_MAX];
    struct rf_arena arena;
};

static struct eval_fixture fixture;
static struct needles needles;

/* A part of a row's text, now and then with a byte changed. */
static struct rf_str literal_make(char *out)
{
    const struct rf_str text = fixture_string(&fixture);
    const uint32_t begin = fixture_random(&fixture, (uint32_t)text.count + 1);
    size_t count = fixture_random(&fixture, (uint32_t)text.count - begin + 1);
    count = count < TEXT_MAX ? count : TEXT_MAX;
    memcpy(out, text.data + begin, count);
    if (count != 0 && fixture_random(&fixture, 5) == 0) {
        out[fixture_random(&fixture, (uint32_t)count)] = 'q';
    }
    return (struct rf_str){out, count};
}

static struct rf_regex *regex_make(void)
{
    static const char *const pattern[] = {
        "^a",       "ab+c",      "MSFT",      "^MS.*T$",      "[A-Z]{3}",   "e{2}d",    "needle.*needle",
        "",         "^$",        "\\d",       "(abc|MSF|zz)", "[^a-z]",     "\xc3\xa9", ".\xc3\xa9$",
        "(?i)msft", "a[a-h]*X$", "word(s)?$", "\\bword\\b",   "long.*with", "0|1",      "[ab]*a[ab]{14}c",
        "a{60}"};
    const struct rf_regex_options options = {.is_nfa = fixture_random(&fixture, 8) == 0,
                                             .states_max = RF_REGEX_STATES_MAX};
    struct rf_regex *regex = NULL;
    size_t error_at = 0;
    struct rf_error err;
    assert_int_equal(rf_regex_compile_with(rf_str_of(FIXTURE_PICK(&fixture, pattern)), &options, &needles.arena, &regex,
                                           &error_at, &err),
                     RF_OK);
    return regex;
}

static void test_make(uint32_t i, uint32_t slot, bool is_regex)
{
    struct rf_atom *atom = &needles.atom[i];
    needles.code[i] = (struct rf_bool){.op = RF_BOOL_ATOM, .a = i};
    needles.output[i] = i;
    if (!is_regex) {
        const enum rf_atom_kind kind = fixture_random(&fixture, 3) == 0 ? RF_ATOM_ENDS : RF_ATOM_CONTAINS;
        *atom = (struct rf_atom){.kind = kind, .slot = slot, .host = RF_NONE, .string = literal_make(needles.text[i])};
        return;
    }
    const uint32_t c = needles.calcs++;
    needles.arg[c][0] = slot;
    needles.arg[c][1] = RF_TERM_CONSTANT | 0;
    needles.calc[c] = (struct rf_calc){
        .function = RF_FN_MATCHES, .times = 1, .args = 2, .arg = needles.arg[c], .regex = regex_make()};
    *atom = (struct rf_atom){.kind = RF_ATOM_TRUTH, .slot = RF_TERM_COMPUTED | c, .host = i};
}

static void program_make(uint32_t slot, uint32_t literals, uint32_t regexes)
{
    const uint32_t tests = literals + regexes;
    fixture_program(&fixture, 0, 0);
    rf_arena_init(&needles.arena, (size_t)512 << 20);
    needles.calcs = 0;
    needles.constant = (struct rf_constant){.kind = RF_CONSTANT_STRING, .text = RF_STR("the pattern")};
    for (uint32_t i = 0; i < tests; i++) {
        test_make(i, slot, i % 2 == 0 ? i / 2 < regexes : i / 2 >= literals);
    }
    fixture.program.atom = needles.atom;
    fixture.program.code = needles.code;
    fixture.program.output = needles.output;
    fixture.program.atoms = fixture.program.code_count = fixture.program.predicates = tests;
    fixture.program.calc = needles.calc;
    fixture.program.calcs = needles.calcs;
    fixture.program.constant = &needles.constant;
    fixture.program.constants = 1;
}

static enum rf_answer answer_of(const struct rf_atom *atom, uint32_t row, struct rf_arena *scratch)
{
    const struct rf_calc *calc = rf_eval_needles_regex(&fixture.program, atom);
    if (calc == NULL) {
        return rf_eval_row(atom, &fixture.columns, &fixture.batch, row, scratch);
    }
    const uint8_t tag = fixture.columns.slot[calc->arg[0]].tag[row];
    if (tag != RF_TAG_STRING_RAW && tag != RF_TAG_STRING_ESCAPED) {
        return RF_ANSWER_ERROR;
    }
    const struct rf_str text = rf_column_text(&fixture.columns, &fixture.batch, calc->arg[0], row);
    return rf_regex_match(calc->regex, text) ? RF_ANSWER_TRUE : RF_ANSWER_FALSE;
}

static void rows_compare(const struct rf_eval *eval, enum rf_isa isa)
{
    struct rf_arena scratch;
    rf_arena_init(&scratch, 1 << 20);
    for (uint32_t row = 0; row < fixture.rows.rows; row++) {
        const bool is_live = fixture.rows.status[row] == RF_ROW_REJECTED;
        for (uint32_t a = 0; a < fixture.program.atoms; a++) {
            const struct rf_atom *atom = &fixture.program.atom[a];
            const enum rf_answer wanted = is_live ? answer_of(atom, row, &scratch) : RF_ANSWER_ERROR;
            const bool is_true = rf_bit_get(eval->truth[a], row);
            const bool is_false = rf_bit_get(eval->falsity[a], row);
            if (is_true != (wanted == RF_ANSWER_TRUE) || is_false != (wanted == RF_ANSWER_FALSE)) {
                fail_msg("%s: row %u of %u, atom %u of %u, kind %d: true %d, false %d, wanted %d", rf_isa_name(isa),
                         row, fixture.rows.rows, a, fixture.program.atoms, (int)atom->kind, is_true, is_false,
                         (int)wanted);
            }
        }
    }
    rf_arena_free(&scratch);
}

static uint32_t joined_steps(const struct rf_eval *eval)
{
    uint32_t joined = 0;
    for (uint32_t s = 0; s < eval->plan->steps; s++) {
        joined += eval->plan->step[s].needles != NULL;
    }
    return joined;
}

static void test_rf_eval_needles_run(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {0, 1, 63, 64, 65, 200, 1023, 1024, 1025, ROWS_MAX};
    static const uint32_t slots[] = {1, 4, 5, FIXTURE_RAW};
    static const struct {
        uint32_t literals, regexes;
    } tests[] = {{200, 0}, {0, 1}, {0, 30}, {120, 60}, {2, 3}, {20, 2}};
    for (uint64_t seed = 1; seed <= 96; seed++) {
        struct rf_error err;
        struct rf_eval eval;
        fixture_eval_open(&fixture, seed, ROWS_MAX);
        program_make(slots[seed % 4], tests[seed % 6].literals, tests[seed % 6].regexes);
        assert_int_equal(rf_eval_open(&eval, &fixture.program, ROWS_MAX, &err), RF_OK);
        assert_int_equal(joined_steps(&eval), 1);
        fixture_rows(&fixture, sizes[seed / 4 % (sizeof sizes / sizeof sizes[0])]);
        for (int isa = 0; isa <= (int)rf_isa_best(); isa++) {
            rf_eval_run(&eval, (enum rf_isa)isa, &fixture.batch, &fixture.rows, &fixture.columns, NULL);
            rows_compare(&eval, (enum rf_isa)isa);
        }
        rf_eval_close(&eval);
        rf_arena_free(&needles.arena);
        fixture_eval_close(&fixture);
    }
}

/* Literals of one byte or none, which no search holds, and those that too many share are evaluated by themselves. */
static void test_left(void **state)
{
    (void)state;
    static char text[TESTS_MAX][TEXT_MAX];
    struct rf_error err;
    struct rf_eval eval;
    fixture_eval_open(&fixture, 7, ROWS_MAX);
    program_make(1, TESTS_MAX, 0);
    for (uint32_t i = 0; i < TESTS_MAX; i++) {
        memset(text[i], 'a', TEXT_MAX);
        needles.atom[i].string = (struct rf_str){text[i], i % TEXT_MAX};
        text[i][i % TEXT_MAX / 2] = i % 3 == 0 ? 'b' : 'a';
    }
    assert_int_equal(rf_eval_open(&eval, &fixture.program, ROWS_MAX, &err), RF_OK);
    uint32_t taken = 0;
    for (uint32_t s = 0; s < eval.plan->steps; s++) {
        taken += eval.plan->step[s].taken;
    }
    assert_in_range(taken, RF_NEEDLES_ALIKE_MAX, TESTS_MAX - 2 * TESTS_MAX / TEXT_MAX - 1);
    fixture_rows(&fixture, ROWS_MAX);
    for (int isa = 0; isa <= (int)rf_isa_best(); isa++) {
        rf_eval_run(&eval, (enum rf_isa)isa, &fixture.batch, &fixture.rows, &fixture.columns, NULL);
        rows_compare(&eval, (enum rf_isa)isa);
    }
    rf_eval_close(&eval);
    rf_arena_free(&needles.arena);
    fixture_eval_close(&fixture);
}

/* Costs one below the least and just that; one expression less than those that nothing waits for, and as many. */
static void test_rf_eval_needles_make(void **state)
{
    (void)state;
    for (uint32_t count = RF_EVAL_NEEDLES_MIN - 1; count <= RF_EVAL_NEEDLES_MIN; count++) {
        struct rf_error err;
        struct rf_eval eval;
        fixture_eval_open(&fixture, count, 100);
        program_make(1, count, 0);
        for (uint32_t i = 0; i < count; i++) {
            needles.atom[i].kind = RF_ATOM_ENDS;
            needles.atom[i].string = RF_STR("word");
        }
        assert_int_equal(rf_eval_open(&eval, &fixture.program, 100, &err), RF_OK);
        assert_int_equal(joined_steps(&eval), count >= RF_EVAL_NEEDLES_MIN);
        rf_eval_close(&eval);
        rf_arena_free(&needles.arena);
        fixture_eval_close(&fixture);
    }
    for (uint32_t count = RF_EVAL_NEEDLES_EAGER - 1; count <= RF_EVAL_NEEDLES_EAGER; count++) {
        struct rf_error err;
        struct rf_eval eval;
        fixture_eval_open(&fixture, count, 100);
        program_make(1, 0, count);
        assert_int_equal(rf_eval_open(&eval, &fixture.program, 100, &err), RF_OK);
        assert_int_equal(joined_steps(&eval), 1);
        assert_int_equal(eval.plan->late, count >= RF_EVAL_NEEDLES_EAGER);
        rf_eval_close(&eval);
        rf_arena_free(&needles.arena);
        fixture_eval_close(&fixture);
    }
}

static void test_rf_eval_needles_cost(void **state)
{
    (void)state;
    fixture_eval_open(&fixture, 1, 100);
    program_make(1, 1, 1);
    const struct rf_program *program = &fixture.program;
    struct rf_atom atom = {.kind = RF_ATOM_CONTAINS, .slot = 1, .host = RF_NONE, .string = RF_STR("ab")};
    assert_int_equal(rf_eval_needles_cost(program, &atom), 4);
    atom.kind = RF_ATOM_ENDS;
    assert_int_equal(rf_eval_needles_cost(program, &atom), 1);
    atom.string.count = 1;
    assert_int_equal(rf_eval_needles_cost(program, &atom), 0);
    atom = (struct rf_atom){.kind = RF_ATOM_STARTS, .slot = 1, .host = RF_NONE, .string = RF_STR("ab")};
    assert_int_equal(rf_eval_needles_cost(program, &atom), 0);
    assert_int_equal(rf_eval_needles_cost(program, &needles.atom[0]), 8);
    rf_arena_free(&needles.arena);
    fixture_eval_close(&fixture);
}

static void test_rf_eval_needles_regex(void **state)
{
    (void)state;
    fixture_eval_open(&fixture, 1, 100);
    program_make(1, 0, 1);
    const struct rf_atom *atom = &needles.atom[0];
    assert_ptr_equal(rf_eval_needles_regex(&fixture.program, atom), &needles.calc[0]);
    fixture.slot[1].root = RF_ROOT_BINDING; /* rows of which may have to be asked for */
    assert_null(rf_eval_needles_regex(&fixture.program, atom));
    fixture.slot[1].root = RF_ROOT_MSG;
    needles.calc[0].regex = NULL;
    assert_null(rf_eval_needles_regex(&fixture.program, atom));
    needles.calc[0].function = RF_FN_LOWER;
    assert_null(rf_eval_needles_regex(&fixture.program, atom));
    rf_arena_free(&needles.arena);
    fixture_eval_close(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_eval_needles_regex), cmocka_unit_test(test_rf_eval_needles_cost),
        cmocka_unit_test(test_rf_eval_needles_make),  cmocka_unit_test(test_left),
        cmocka_unit_test(test_rf_eval_needles_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
