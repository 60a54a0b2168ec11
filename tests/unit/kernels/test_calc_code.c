/* rf_calc_code_op: base64 and digests on cells. Known answers: RFC 4648 section 10, FIPS 180-2 appendix B, the xxHash
 * specification. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "calc_text.h"

static struct rf_arena scratch;

static int set_up(void **state)
{
    (void)state;
    rf_arena_init(&scratch, 16 << 20);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    rf_arena_free(&scratch);
    return 0;
}

static struct rf_cell apply(enum rf_function function, struct rf_cell arg)
{
    const struct rf_calc calc = {.function = function, .args = 1};
    const struct rf_calc_run run = {.calc = &calc, .scratch = &scratch};
    const rf_calc_op op = rf_calc_code_op(function);
    struct rf_cell out = {.tag = RF_TAG_ERROR, .text = ""};
    assert_non_null(op);
    op(&run, &arg, &out);
    return out;
}

static struct rf_cell string(struct rf_str text)
{
    return rf_cell_of_text(text, RF_TAG_STRING_RAW);
}

static struct rf_cell bytes(struct rf_str text)
{
    return rf_cell_of_text(text, RF_TAG_BYTES);
}

static void expect_octets(struct rf_cell cell, enum rf_tag tag, struct rf_str text)
{
    assert_int_equal(cell.tag, tag);
    assert_int_equal(cell.length, text.count);
    assert_memory_equal(cell.text, text.data, text.count);
    assert_true(cell.payload == rf_str_prefix(text));
}

static void test_base64(void **state)
{
    static const char *const row[][2] = {
        {"", ""},
        {"f", "Zg=="},
        {"fo", "Zm8="},
        {"foo", "Zm9v"},
        {"foob", "Zm9vYg=="},
        {"fooba", "Zm9vYmE="},
        {"foobar", "Zm9vYmFy"},
        {"\xfb\xff\xbf", "+/+/"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        const struct rf_str octets = rf_str_of(row[i][0]);
        struct rf_str text = rf_str_of(row[i][1]);
        expect_octets(apply(RF_FN_BASE64_ENCODE, bytes(octets)), RF_TAG_STRING_RAW, text);
        expect_octets(apply(RF_FN_BASE64_DECODE, string(text)), RF_TAG_BYTES, octets);
        while (text.count != 0 && text.data[text.count - 1] == '=') {
            text.count--; /* without its padding */
        }
        expect_octets(apply(RF_FN_BASE64_DECODE, rf_cell_of_text(text, RF_TAG_STRING_ESCAPED)), RF_TAG_BYTES, octets);
    }
}

static void test_not_base64(void **state)
{
    static const char *const text[] = {"Z", "Zm9v!", "Zm 9v", "=", "Zg=", "====", "Zm9v\n"};
    (void)state;
    for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) {
        assert_int_equal(apply(RF_FN_BASE64_DECODE, string(rf_str_of(text[i]))).tag, RF_TAG_ERROR);
    }
    assert_int_equal(scratch.bytes_used, 0); /* what is no base64 takes no room */
}

static void test_digests(void **state)
{
    (void)state;
    const struct rf_str sum = RF_STR("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect_octets(apply(RF_FN_SHA256, string(RF_STR("abc"))), RF_TAG_STRING_RAW, sum);
    expect_octets(apply(RF_FN_SHA256, bytes(RF_STR("abc"))), RF_TAG_STRING_RAW, sum);
    const struct rf_cell hash = apply(RF_FN_XXH64, string(RF_STR("")));
    assert_int_equal(hash.tag, RF_TAG_UINT);
    assert_true(hash.payload == 0xEF46DB3751D8E999u);
    const struct rf_cell other = apply(RF_FN_XXH64, bytes(RF_STR("abc")));
    assert_int_equal(other.tag, RF_TAG_UINT);
    assert_true(other.payload == 0x44BC2CF5AD770999u);
}

static void test_types(void **state)
{
    (void)state;
    static const enum rf_function function[] = {RF_FN_BASE64_ENCODE, RF_FN_BASE64_DECODE, RF_FN_XXH64, RF_FN_SHA256};
    static const enum rf_tag tag[] = {RF_TAG_NULL, RF_TAG_TRUE, RF_TAG_NUMBER, RF_TAG_BIGINT,
                                      RF_TAG_INT,  RF_TAG_LIST, RF_TAG_OBJECT, RF_TAG_TIMESTAMP,
                                      RF_TAG_TYPE, RF_TAG_UINT, RF_TAG_DOUBLE, RF_TAG_DURATION};
    for (size_t i = 0; i < sizeof function / sizeof function[0]; i++) {
        for (size_t j = 0; j < sizeof tag / sizeof tag[0]; j++) {
            const struct rf_cell cell = {.tag = tag[j], .length = 2, .text = "[]"};
            assert_int_equal(apply(function[i], cell).tag, RF_TAG_ERROR);
        }
    }
    assert_int_equal(apply(RF_FN_BASE64_ENCODE, string(RF_STR("f"))).tag, RF_TAG_ERROR);
    assert_int_equal(apply(RF_FN_BASE64_DECODE, bytes(RF_STR("Zg=="))).tag, RF_TAG_ERROR);
}

static void test_bounds(void **state)
{
    (void)state;
    enum { ENCODED_MAX = (RF_CALC_TEXT_MAX - 4) / 4 * 3 }; /* the most that is encoded here */
    char *const octets = calloc(RF_CALC_TEXT_MAX * 2, 1);
    assert_non_null(octets);
    const struct rf_cell text = apply(RF_FN_BASE64_ENCODE, bytes((struct rf_str){octets, ENCODED_MAX}));
    assert_int_equal(text.tag, RF_TAG_STRING_RAW);
    assert_int_equal(text.length, ENCODED_MAX / 3 * 4);
    expect_octets(apply(RF_FN_BASE64_DECODE, text), RF_TAG_BYTES, (struct rf_str){octets, ENCODED_MAX});
    const size_t more = ENCODED_MAX + 3;
    assert_int_equal(apply(RF_FN_BASE64_ENCODE, bytes((struct rf_str){octets, more})).tag, RF_TAG_HOST);
    memset(octets, 'A', RF_CALC_TEXT_MAX * 2);
    const size_t long_text = RF_CALC_TEXT_MAX * 2;
    assert_int_equal(apply(RF_FN_BASE64_DECODE, string((struct rf_str){octets, long_text})).tag, RF_TAG_HOST);
    assert_int_equal(apply(RF_FN_SHA256, string((struct rf_str){octets, long_text})).tag, RF_TAG_STRING_RAW);

    rf_arena_free(&scratch);
    rf_arena_init(&scratch, 63);
    assert_int_equal(apply(RF_FN_SHA256, string(RF_STR("abc"))).tag, RF_TAG_HOST);
    assert_int_equal(apply(RF_FN_XXH64, string(RF_STR("abc"))).tag, RF_TAG_UINT);
    free(octets);
}

static void test_rf_calc_code_op(void **state)
{
    (void)state;
    assert_null(rf_calc_code_op(RF_FN_ADD));
    assert_null(rf_calc_code_op(RF_FN_LOWER));
    assert_non_null(rf_calc_code_op(RF_FN_SHA256));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_base64, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_not_base64, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_digests, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_types, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bounds, set_up, tear_down),
        cmocka_unit_test(test_rf_calc_code_op),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
