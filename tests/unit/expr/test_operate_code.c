/* operate.h, family CODE. Known answers: RFC 4648 section 10, FIPS 180-2 appendix B, the xxHash specification. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "family_fixture.h"

enum { STRING = 1u << RF_TYPE_STRING, BYTES = 1u << RF_TYPE_BYTES };

static struct rf_value apply(enum rf_function function, struct rf_value a)
{
    return call_one(rf_operate_code, function, a);
}

static const char *const base64_row[][2] = {
    {"", ""},
    {"f", "Zg=="},
    {"fo", "Zm8="},
    {"foo", "Zm9v"},
    {"foob", "Zm9vYg=="},
    {"fooba", "Zm9vYmE="},
    {"foobar", "Zm9vYmFy"},
    {"\xfb\xff\xbf", "+/+/"},
};

static void test_base64_encode(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof base64_row / sizeof base64_row[0]; i++) {
        expect_str(apply(RF_FN_BASE64_ENCODE, bytes(base64_row[i][0])), base64_row[i][1]);
    }
    expect_overloads(rf_operate_code, RF_FN_BASE64_ENCODE, BYTES);
}

static void test_base64_decode(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof base64_row / sizeof base64_row[0]; i++) {
        struct rf_str text = rf_str_of(base64_row[i][1]);
        expect_text(apply(RF_FN_BASE64_DECODE, rf_value_string(text)), RF_TYPE_BYTES, rf_str_of(base64_row[i][0]));
        while (text.count != 0 && text.data[text.count - 1] == '=') {
            text.count--; /* without its padding */
        }
        expect_text(apply(RF_FN_BASE64_DECODE, rf_value_string(text)), RF_TYPE_BYTES, rf_str_of(base64_row[i][0]));
    }
    expect_error(apply(RF_FN_BASE64_DECODE, str("Z")), "'Z' is not base64");
    expect_error(apply(RF_FN_BASE64_DECODE, str("Zm9v!")), "is not base64");
    expect_error(apply(RF_FN_BASE64_DECODE, str("Zm 9v")), "is not base64");
    expect_error(apply(RF_FN_BASE64_DECODE, str("=")), "is not base64");
    expect_error(apply(RF_FN_BASE64_DECODE, str("Zg=")), "is not base64");
    expect_overloads(rf_operate_code, RF_FN_BASE64_DECODE, STRING);
}

static void test_base64_of_every_length(void **state)
{
    (void)state;
    char octets[300];
    for (size_t i = 0; i < sizeof octets; i++) {
        octets[i] = (char)(i * 7);
    }
    for (size_t count = 0; count <= sizeof octets; count++) {
        struct rf_value value = bytes("");
        value.text = (struct rf_str){octets, count};
        const struct rf_value text = apply(RF_FN_BASE64_ENCODE, value);
        assert_int_equal(text.text.count, (count + 2) / 3 * 4);
        expect_text(apply(RF_FN_BASE64_DECODE, text), RF_TYPE_BYTES, value.text);
    }
}

static void test_long_text_in_an_error(void **state)
{
    (void)state;
    char text[3 + 3 * 100 + 1] = "xxx";
    for (size_t skip = 0; skip < 3; skip++) {
        for (size_t i = 0; i < 100; i++) {
            memcpy(text + skip + 3 * i, "\xe2\x82\xac", 4);
        }
        expect_error(apply(RF_FN_BASE64_DECODE, str(text)), "\xe2\x82\xac' is not base64");
        memset(text, 'x', 3);
    }
}

static void test_xxh64(void **state)
{
    (void)state;
    expect_uint(apply(RF_FN_XXH64, str("")), 0xef46db3751d8e999u);
    expect_uint(apply(RF_FN_XXH64, bytes("")), 0xef46db3751d8e999u);
    expect_uint(apply(RF_FN_XXH64, str("abc")), 0x44bc2cf5ad770999u);
    expect_uint(apply(RF_FN_XXH64, bytes("abc")), 0x44bc2cf5ad770999u);
    expect_overloads(rf_operate_code, RF_FN_XXH64, STRING | BYTES);
}

static void test_sha256(void **state)
{
    (void)state;
    expect_str(apply(RF_FN_SHA256, str("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect_str(apply(RF_FN_SHA256, str("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect_str(apply(RF_FN_SHA256, bytes("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect_str(apply(RF_FN_SHA256, str("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
               "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    expect_overloads(rf_operate_code, RF_FN_SHA256, STRING | BYTES);
}

static void test_without_room(void **state)
{
    (void)state;
    struct rf_arena small;
    rf_arena_init(&small, 8);
    const struct rf_value octets = bytes("foob");
    const struct rf_value text = str("Zm9vYmFyZm9v");
    assert_true(rf_value_is_bound_error(rf_operate_code(RF_FN_SHA256, &octets, 1, &small)));
    assert_true(rf_value_is_bound_error(rf_operate_code(RF_FN_BASE64_DECODE, &text, 1, &small)));
    expect_str(rf_operate_code(RF_FN_BASE64_ENCODE, &octets, 1, &small), "Zm9vYg==");
    assert_true(rf_value_is_bound_error(rf_operate_code(RF_FN_BASE64_ENCODE, &octets, 1, &small)));
    rf_arena_free(&small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_base64_encode),
        cmocka_unit_test(test_base64_decode),
        cmocka_unit_test(test_base64_of_every_length),
        cmocka_unit_test(test_long_text_in_an_error),
        cmocka_unit_test(test_xxh64),
        cmocka_unit_test(test_sha256),
        cmocka_unit_test(test_without_room),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
