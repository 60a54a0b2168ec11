/* calc_text.h and rf_calc_text_op: the functions of strings on cells, what they refuse, and where their texts live.
 * That they are the interpreter's functions is for tests/unit/pipeline/test_calc_operate_text.c. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "calc_text.h"

enum { SCRATCH_BYTES = 16 << 20 };

static struct rf_arena scratch;

static int set_up(void **state)
{
    (void)state;
    rf_arena_init(&scratch, SCRATCH_BYTES);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    rf_arena_free(&scratch);
    return 0;
}

/* ---- Calls ---- */

static struct rf_cell str(const char *text)
{
    return rf_cell_of_text(rf_str_of(text), RF_TAG_STRING_RAW);
}

static struct rf_cell escaped(const char *text)
{
    return rf_cell_of_text(rf_str_of(text), RF_TAG_STRING_ESCAPED);
}

static struct rf_cell number(double value)
{
    return rf_cell_of_double(value, RF_TAG_NUMBER);
}

static struct rf_cell apply_calc(const struct rf_calc *calc, const struct rf_cell *arg)
{
    const struct rf_calc_run run = {.calc = calc, .scratch = &scratch};
    const rf_calc_op op = rf_calc_text_op(calc->function);
    struct rf_cell out = {.tag = RF_TAG_ERROR, .text = ""};
    assert_non_null(op);
    op(&run, arg, &out);
    return out;
}

static struct rf_cell apply(enum rf_function function, bool is_strict_cel, uint32_t args, const struct rf_cell *arg)
{
    const struct rf_calc calc = {.function = function, .is_strict_cel = is_strict_cel, .args = args};
    return apply_calc(&calc, arg);
}

#define CELLS(...)                                                                                                     \
    (uint32_t)(sizeof((struct rf_cell[]){__VA_ARGS__}) / sizeof(struct rf_cell)), (struct rf_cell[])                   \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }
#define APPLY(function, ...) apply((function), false, CELLS(__VA_ARGS__))
#define APPLY_STRICT(function, ...) apply((function), true, CELLS(__VA_ARGS__))

static void expect_octets(struct rf_cell cell, enum rf_tag tag, struct rf_str text)
{
    assert_int_equal(cell.tag, tag);
    assert_int_equal(cell.length, text.count);
    assert_memory_equal(cell.text, text.data, text.count);
    assert_true(cell.payload == rf_str_prefix(text));
}

static void expect_text(struct rf_cell cell, const char *text)
{
    expect_octets(cell, RF_TAG_STRING_RAW, rf_str_of(text));
}

static void expect_bool(struct rf_cell cell, bool truth)
{
    assert_int_equal(cell.tag, truth ? RF_TAG_TRUE : RF_TAG_FALSE);
    assert_true(cell.payload == truth);
}

static void expect_int(struct rf_cell cell, int64_t value)
{
    assert_int_equal(cell.tag, RF_TAG_INT);
    assert_true((int64_t)cell.payload == value);
}

static void expect_error(struct rf_cell cell)
{
    assert_int_equal(cell.tag, RF_TAG_ERROR);
}

static void expect_host(struct rf_cell cell)
{
    assert_int_equal(cell.tag, RF_TAG_HOST);
}

/* ---- Tests of a string ---- */

static void test_comparisons(void **state)
{
    static const struct {
        enum rf_function function;
        const char *text;
        const char *other;
        bool truth;
    } row[] = {
        {RF_FN_STARTS, "XNAS", "XN", true},
        {RF_FN_STARTS, "XNAS", "NA", false},
        {RF_FN_STARTS, "XNAS", "", true},
        {RF_FN_STARTS, "XN", "XNAS", false},
        {RF_FN_STARTS, "order-00012345", "order-0001", true},
        {RF_FN_STARTS, "order-00012345", "order-0002", false},
        {RF_FN_ENDS, "XNAS", "AS", true},
        {RF_FN_ENDS, "XNAS", "A", false},
        {RF_FN_ENDS, "XNAS", "", true},
        {RF_FN_ENDS, "", "S", false},
        {RF_FN_CONTAINS, "XNAS", "NA", true},
        {RF_FN_CONTAINS, "XNAS", "AN", false},
        {RF_FN_CONTAINS, "XNAS", "", true},
        {RF_FN_CONTAINS, "", "", true},
        {RF_FN_CONTAINS, "", "x", false},
        {RF_FN_IEQUALS, "Content-Type", "content-TYPE", true},
        {RF_FN_IEQUALS, "Content-Type", "content-typo", false},
        {RF_FN_IEQUALS, "a", "a ", false},
        {RF_FN_IEQUALS, "", "", true},
        {RF_FN_IEQUALS, "\xc3\x84", "\xc3\xa4", false}, /* only ASCII letters have a case here */
        {RF_FN_IEQUALS, "@[`{", "`{@[", false},         /* the neighbours of the letters */
        {RF_FN_IEQUALS, "\xc3x", "\xe3x", false},       /* not even where the bytes are no UTF-8 */
        {RF_FN_IEQUALS, "12345678abcdefgh9", "12345678ABCDEFGH9", true},
        {RF_FN_IEQUALS, "12345678abcdefgh9", "12345678ABCDEFGH8", false},
        {RF_FN_IEQUALS, "12345678abcdefgh", "12345678ABCDEFGi", false},
        {RF_FN_IEQUALS, "12345678abcdefghijklmnop", "12345678abcdeFGHIJKLMNO_", false},
        {RF_FN_GLOB, "AAPL240119C00150000", "AAPL*C*", true},
        {RF_FN_GLOB, "AAPL240119P00150000", "AAPL*C*", false},
        {RF_FN_GLOB, "x", "[a-w]", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        expect_bool(APPLY(row[i].function, str(row[i].text), str(row[i].other)), row[i].truth);
        expect_bool(APPLY(row[i].function, escaped(row[i].text), str(row[i].other)), row[i].truth);
        expect_error(APPLY(row[i].function, str(row[i].text), rf_cell_of_int(1)));
        expect_error(APPLY(row[i].function, rf_cell_of_text(RF_STR("x"), RF_TAG_BYTES), str(row[i].other)));
    }
}

static void test_matches(void **state)
{
    (void)state;
    struct rf_arena arena;
    struct rf_regex *regex = NULL;
    size_t error_at = 0;
    struct rf_error err;
    rf_arena_init(&arena, 1 << 20);
    assert_int_equal(rf_regex_compile(RF_STR("^a+b$"), &arena, &regex, &error_at, &err), RF_OK);
    const struct rf_calc constant = {.function = RF_FN_MATCHES, .args = 2, .regex = regex};
    expect_bool(apply_calc(&constant, (struct rf_cell[]){str("aaab"), str("^a+b$")}), true);
    expect_bool(apply_calc(&constant, (struct rf_cell[]){escaped("aaac"), str("^a+b$")}), false);
    expect_error(apply_calc(&constant, (struct rf_cell[]){rf_cell_of_int(1), str("^a+b$")}));
    /* A pattern out of a message is the interpreter's. */
    expect_host(APPLY(RF_FN_MATCHES, str("aaab"), str("^a+b$")));
    expect_host(APPLY(RF_FN_MATCHES, str("aaab"), str("(")));
    expect_error(APPLY(RF_FN_MATCHES, str("aaab"), rf_cell_of_int(1)));
    expect_error(APPLY(RF_FN_MATCHES, rf_cell_of_bool(true), str("a")));
    rf_arena_free(&arena);
}

/* ---- Places and parts ---- */

static void test_index_of(void **state)
{
    (void)state;
    expect_int(APPLY(RF_FN_INDEX_OF, str("tacocat"), str("ac")), 1);
    expect_int(APPLY(RF_FN_INDEX_OF, str("tacocat"), str("none")), -1);
    expect_int(APPLY(RF_FN_INDEX_OF, str("\xc2\xa9o\xc2\xa9"), str("o")), 1);
    expect_int(APPLY(RF_FN_INDEX_OF, str("tacocat"), str("a"), rf_cell_of_int(3)), 5);
    expect_int(APPLY(RF_FN_INDEX_OF, str("tacocat"), str("a"), number(3)), 5);
    expect_int(APPLY(RF_FN_INDEX_OF, str("tacocat"), str("a"), rf_cell_of_int(7)), -1);
    expect_error(APPLY(RF_FN_INDEX_OF, str("tacocat"), str("a"), rf_cell_of_int(8)));
    expect_error(APPLY(RF_FN_INDEX_OF, str("tacocat"), str("a"), rf_cell_of_int(-1)));
    expect_error(APPLY(RF_FN_INDEX_OF, str("tacocat"), rf_cell_of_int(1)));

    expect_int(APPLY(RF_FN_LAST_INDEX_OF, str("tacocat"), str("ac")), 1);
    expect_int(APPLY(RF_FN_LAST_INDEX_OF, str("tacocat"), str("a")), 5);
    expect_int(APPLY(RF_FN_LAST_INDEX_OF, str("tacocat"), str("")), 7);
    expect_int(APPLY(RF_FN_LAST_INDEX_OF, str("tacocat"), str("a"), rf_cell_of_int(3)), 1);
    expect_int(APPLY(RF_FN_LAST_INDEX_OF, str("tacocat"), str("a"), number(0)), -1);
    expect_error(APPLY(RF_FN_LAST_INDEX_OF, str("tacocat"), str("a"), rf_cell_of_int(8)));
    expect_error(APPLY(RF_FN_LAST_INDEX_OF, str("tacocat"), str("a"), rf_cell_of_uint(3)));
    expect_error(APPLY(RF_FN_LAST_INDEX_OF, rf_cell_of_int(1), str("a")));
}

/* Where an int is asked for: a message number too when it is whole, unless the cells are those of strict CEL. */
static void test_ints(void **state)
{
    static const int64_t big = INT64_C(1) << 60;
    (void)state;
    expect_text(APPLY(RF_FN_CHAR_AT, str("abc"), rf_cell_of_int(1)), "b");
    expect_text(APPLY(RF_FN_CHAR_AT, str("abc"), number(1)), "b");
    expect_text(APPLY(RF_FN_CHAR_AT, str("abc"), number(-0.0)), "a");
    expect_error(APPLY(RF_FN_CHAR_AT, str("abc"), number(1.5)));
    expect_error(APPLY(RF_FN_CHAR_AT, str("abc"), number((double)NAN)));
    expect_error(APPLY(RF_FN_CHAR_AT, str("abc"), number((double)INFINITY)));
    expect_error(APPLY(RF_FN_CHAR_AT, str("abc"), rf_cell_of_double(1, RF_TAG_DOUBLE)));
    expect_error(APPLY(RF_FN_CHAR_AT, str("abc"), rf_cell_of_uint(1)));
    expect_error(APPLY_STRICT(RF_FN_CHAR_AT, str("abc"), number(1)));
    expect_text(APPLY_STRICT(RF_FN_CHAR_AT, str("abc"), rf_cell_of_int(1)), "b");
    /* A BIGINT is an int, though behind every end; a BIGUINT is a uint. */
    struct rf_cell whole = rf_cell_of_int(big);
    whole.tag = RF_TAG_BIGINT;
    expect_text(APPLY(RF_FN_REPLACE, str("aa"), str("a"), str("b"), whole), "bb");
    expect_error(APPLY_STRICT(RF_FN_REPLACE, str("aa"), str("a"), str("b"), whole));
    expect_error(APPLY(RF_FN_CHAR_AT, str("abc"), whole));
    whole.tag = RF_TAG_BIGUINT;
    expect_error(APPLY(RF_FN_REPLACE, str("aa"), str("a"), str("b"), whole));
}

static void test_parts(void **state)
{
    (void)state;
    const struct rf_cell text = str("\xc2\xa9\xce\xb1Tail of a longer text");
    const size_t bytes_used = scratch.bytes_used;
    struct rf_cell part = APPLY(RF_FN_CHAR_AT, text, rf_cell_of_int(1));
    expect_text(part, "\xce\xb1");
    assert_ptr_equal(part.text, text.text + 2);
    expect_text(APPLY(RF_FN_CHAR_AT, str("ab"), rf_cell_of_int(2)), "");
    expect_error(APPLY(RF_FN_CHAR_AT, str("ab"), rf_cell_of_int(3)));
    expect_error(APPLY(RF_FN_CHAR_AT, rf_cell_of_int(1), rf_cell_of_int(1)));

    part = APPLY(RF_FN_SUBSTRING, text, rf_cell_of_int(2));
    expect_text(part, "Tail of a longer text");
    assert_ptr_equal(part.text, text.text + 4);
    expect_text(APPLY(RF_FN_SUBSTRING, text, number(1), number(6)), "\xce\xb1Tail");
    expect_text(APPLY(RF_FN_SUBSTRING, str("ab"), rf_cell_of_int(2)), "");
    expect_text(APPLY(RF_FN_SUBSTRING, str(""), rf_cell_of_int(0)), "");
    expect_text(APPLY(RF_FN_SUBSTRING, str("ab"), rf_cell_of_int(0), rf_cell_of_int(0)), "");
    expect_error(APPLY(RF_FN_SUBSTRING, str("ab"), rf_cell_of_int(3)));
    expect_error(APPLY(RF_FN_SUBSTRING, str("ab"), rf_cell_of_int(-1)));
    expect_error(APPLY(RF_FN_SUBSTRING, str("ab"), rf_cell_of_int(2), rf_cell_of_int(1)));
    expect_error(APPLY(RF_FN_SUBSTRING, str("ab"), rf_cell_of_int(0), rf_cell_of_int(3)));
    expect_error(APPLY(RF_FN_SUBSTRING, str("ab"), rf_cell_of_int(0), str("1")));

    const struct rf_cell spaced = str(" \t\xe2\x80\x83"
                                      "a b \n");
    part = APPLY(RF_FN_TRIM, spaced);
    expect_text(part, "a b");
    assert_ptr_equal(part.text, spaced.text + 5);
    expect_text(APPLY(RF_FN_TRIM, str(" \n")), "");
    expect_error(APPLY(RF_FN_TRIM, rf_cell_of_text(RF_STR(" "), RF_TAG_BYTES)));
    assert_int_equal(scratch.bytes_used, bytes_used);
}

/* ---- New strings ---- */

static void test_edits(void **state)
{
    (void)state;
    expect_text(APPLY(RF_FN_LOWER, str("TacoCat@[Z\xc3\x84")), "tacocat@[z\xc3\x84");
    expect_text(APPLY(RF_FN_UPPER, escaped("TacoCat`{z\xc3\xa4")), "TACOCAT`{Z\xc3\xa4");
    expect_text(APPLY(RF_FN_REVERSE, str("x\xf0\x9f\x98\x80\xc2\xa9")), "\xc2\xa9\xf0\x9f\x98\x80x");
    expect_text(APPLY(RF_FN_QUOTE, str("a\n\"\\")), "\"a\\n\\\"\\\\\"");
    static const enum rf_function edit[] = {RF_FN_LOWER, RF_FN_UPPER, RF_FN_REVERSE};
    for (size_t i = 0; i < sizeof edit / sizeof edit[0]; i++) {
        expect_text(APPLY(edit[i], str("")), "");
        expect_error(APPLY(edit[i], number(1)));
        expect_error(APPLY(edit[i], rf_cell_of_text(RF_STR("x"), RF_TAG_BYTES)));
    }
    expect_error(APPLY(RF_FN_QUOTE, rf_cell_of_bool(true)));
}

static void test_replace(void **state)
{
    (void)state;
    expect_text(APPLY(RF_FN_REPLACE, str("hello hello"), str("he"), str("we")), "wello wello");
    expect_text(APPLY(RF_FN_REPLACE, str("hello hello"), str("he"), str("we"), rf_cell_of_int(1)), "wello hello");
    expect_text(APPLY(RF_FN_REPLACE, str("hello hello"), str("he"), str("we"), number(0)), "hello hello");
    expect_text(APPLY(RF_FN_REPLACE, str("hello hello"), str("he"), str("we"), number(-1)), "wello wello");
    expect_text(APPLY(RF_FN_REPLACE, str("hello"), str("hello"), str("")), "");
    expect_text(APPLY(RF_FN_REPLACE, str("ab"), str(""), str("_")), "_a_b_");
    expect_error(APPLY(RF_FN_REPLACE, str("ab"), str(""), str("_"), number(0.5)));
    expect_error(APPLY(RF_FN_REPLACE, str("ab"), str(""), rf_cell_of_int(1)));
    /* Results on both sides of what is found at once. */
    char text[300];
    char wanted[600];
    memset(text, 'a', sizeof text);
    for (size_t i = 0; i < sizeof wanted; i++) {
        wanted[i] = i % 2 == 0 ? 'b' : 'c';
    }
    for (size_t count = 120; count <= sizeof text; count++) {
        const struct rf_cell cell = rf_cell_of_text((struct rf_str){text, count}, RF_TAG_STRING_RAW);
        expect_octets(APPLY(RF_FN_REPLACE, cell, str("a"), str("bc")), RF_TAG_STRING_RAW,
                      (struct rf_str){wanted, 2 * count});
    }
}

static void test_concat(void **state)
{
    (void)state;
    const struct rf_calc calc = {.function = RF_FN_ADD, .args = 2};
    const struct rf_calc_run run = {.calc = &calc, .scratch = &scratch};
    struct rf_cell out = {.tag = RF_TAG_ERROR, .text = ""};
    rf_calc_concat(&run, (struct rf_cell[]){str("ab"), escaped("cdefghijkl")}, &out);
    expect_text(out, "abcdefghijkl");
    rf_calc_concat(&run, (struct rf_cell[]){escaped(""), str("")}, &out);
    expect_text(out, "");
    const struct rf_str octets = {"\0\xff", 2};
    const struct rf_cell bytes = rf_cell_of_text(octets, RF_TAG_BYTES);
    rf_calc_concat(&run, (struct rf_cell[]){bytes, bytes}, &out);
    expect_octets(out, RF_TAG_BYTES, (struct rf_str){"\0\xff\0\xff", 4});
    const struct rf_cell nothing = {.tag = RF_TAG_BYTES, .text = NULL};
    rf_calc_concat(&run, (struct rf_cell[]){nothing, bytes}, &out);
    expect_octets(out, RF_TAG_BYTES, octets);
}

/* ---- Bounds ---- */

static void test_text_bound(void **state)
{
    (void)state;
    char *const text = malloc(RF_CALC_TEXT_MAX + 1);
    assert_non_null(text);
    memset(text, 'a', RF_CALC_TEXT_MAX + 1);
    const struct rf_calc calc = {.function = RF_FN_ADD, .args = 2};
    const struct rf_calc_run run = {.calc = &calc, .scratch = &scratch};
    for (size_t count = RF_CALC_TEXT_MAX - 1; count <= RF_CALC_TEXT_MAX + 1; count++) {
        const struct rf_cell cell = rf_cell_of_text((struct rf_str){text, count}, RF_TAG_STRING_RAW);
        const struct rf_cell tail = rf_cell_of_text((struct rf_str){text, count - 100}, RF_TAG_STRING_RAW);
        const struct rf_cell head = rf_cell_of_text((struct rf_str){text, 100}, RF_TAG_STRING_RAW);
        struct rf_cell sum = {.tag = RF_TAG_ERROR, .text = ""};
        rf_calc_concat(&run, (struct rf_cell[]){head, tail}, &sum);
        const struct rf_cell made[] = {
            sum,
            APPLY(RF_FN_LOWER, cell),
            APPLY(RF_FN_REVERSE, cell),
            APPLY(RF_FN_REPLACE, head, head, cell),
        };
        for (size_t i = 0; i < sizeof made / sizeof made[0]; i++) {
            if (count <= RF_CALC_TEXT_MAX) {
                expect_octets(made[i], RF_TAG_STRING_RAW, (struct rf_str){text, count});
            } else {
                expect_host(made[i]);
            }
        }
        /* Nothing new is made of a part. */
        expect_octets(APPLY(RF_FN_TRIM, cell), RF_TAG_STRING_RAW, (struct rf_str){text, count});
        /* The quotes count. */
        assert_int_equal(APPLY(RF_FN_QUOTE, cell).tag, RF_TAG_HOST);
        rf_arena_reset(&scratch);
    }
    free(text);
}

static void test_scratch_is_full(void **state)
{
    (void)state;
    rf_arena_init(&scratch, 8);
    expect_text(APPLY(RF_FN_UPPER, str("abcde")), "ABCDE");
    expect_host(APPLY(RF_FN_UPPER, str("abcde")));
    expect_host(APPLY(RF_FN_REPLACE, str("a"), str("a"), str("bcde")));
    expect_text(APPLY(RF_FN_TRIM, str(" abcde ")), "abcde");
    expect_text(APPLY(RF_FN_LOWER, str("ABC")), "abc");
}

static void test_rf_calc_text_op(void **state)
{
    (void)state;
    assert_null(rf_calc_text_op(RF_FN_ADD));
    assert_null(rf_calc_text_op(RF_FN_SPLIT));
    assert_null(rf_calc_text_op(RF_FN_JOIN));
    assert_null(rf_calc_text_op(RF_FN_FORMAT));
    assert_null(rf_calc_text_op(RF_FN_XXH64));
    assert_non_null(rf_calc_text_op(RF_FN_TRIM));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_comparisons, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_matches, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_index_of, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_ints, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_parts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_edits, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_replace, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_concat, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_text_bound, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_scratch_is_full, set_up, tear_down),
        cmocka_unit_test(test_rf_calc_text_op),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
