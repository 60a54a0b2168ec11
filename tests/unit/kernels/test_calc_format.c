/* calc_format.c: format() on cells. That all of it is as on values: tests/unit/pipeline/test_calc_operate_format.c. */
#include <stdlib.h>

#include "calc_fixture.h"
#include "calc_json.h"
#include "calc_text.h"
#include "text.h"

static struct rf_cell format_items(const char *template, const struct rf_cell *item, uint32_t count)
{
    return call_two(RF_FN_FORMAT, str(template), items(item, count));
}

static struct rf_cell format_one(const char *template, struct rf_cell value)
{
    return format_items(template, &value, 1);
}

static void test_plain_values(void **state)
{
    (void)state;
    expect_str(format_one("<%s>", null_cell()), "<null>");
    expect_str(format_one("%s", rf_cell_of_bool(true)), "true");
    expect_str(format_one("%s", rf_cell_of_int(-5)), "-5");
    expect_str(format_one("%s", rf_cell_of_uint(5)), "5");
    expect_str(format_one("%s", real(1e21)), "1000000000000000000000");
    expect_str(format_one("%s", number(1.5)), "1.5");
    expect_str(format_one("%s", big((INT64_C(1) << 53) + 1)), "9007199254740993");
    expect_str(format_one("%s", big_uint(UINT64_MAX)), "18446744073709551615");
    expect_str(format_one("%s", escaped("a\"b")), "a\"b");
    expect_str(format_one("%s", bytes("a\xff")), "a\xef\xbf\xbd");
    expect_str(format_one("%s", type_cell("int")), "int");
    expect_str(format_one("%s", instant(0, 500000000)), "1970-01-01T00:00:00.5Z");
    expect_str(format_one("%s", duration(1500000000)), "1.5s");
    expect_error(format_one("%s", net_cell("::1")));
    expect_error(format_one("%s", optional(NULL)));
    expect_error(format_one("%s", (struct rf_cell){.tag = RF_TAG_RANGE, .text = "1e400", .length = 5}));
    expect_error(format_one("%s", (struct rf_cell){.tag = RF_TAG_ERROR, .text = ""}));
    expect_host(format_one("%s", (struct rf_cell){.tag = RF_TAG_HOST, .text = ""}));
}

static void test_clauses(void **state)
{
    (void)state;
    expect_str(format_one("%d", rf_cell_of_int(INT64_MIN)), "-9223372036854775808");
    expect_str(format_one("%d", number(7)), "7");
    expect_str(format_one("%d", real(3.5)), "3.5");
    expect_str(format_one("%d", real(NAN)), "NaN");
    expect_error(format_one("%d", str("7")));
    expect_str(format_one("%.2f|", rf_cell_of_int(7)), "7.00|");
    expect_str(format_one("%.1e", big((INT64_C(1) << 53) + 1)), "9.0e+15");
    expect_error(format_one("%f", str("7")));
    expect_str(format_one("%b", rf_cell_of_bool(false)), "0");
    expect_str(format_one("%b", rf_cell_of_int(-5)), "-101");
    expect_str(format_one("%o", rf_cell_of_uint(8)), "10");
    expect_error(format_one("%o", rf_cell_of_bool(true)));
    expect_str(format_one("%x", number(255)), "ff");
    expect_error(format_one("%x", real(255)));
    expect_str(format_one("%X", str("\xc3\xa9")), "C3A9");
    expect_str(format_one("%x", bytes("\x01")), "01");
    for (const char *letter = "sdfebxXo"; *letter != '\0'; letter++) {
        const char template[] = {'%', *letter, '\0'};
        expect_error(format_one(template, (struct rf_cell){.tag = RF_TAG_RANGE, .text = ""}));
        expect_host(format_one(template, (struct rf_cell){.tag = RF_TAG_HOST, .text = ""}));
    }
}

static void test_templates(void **state)
{
    (void)state;
    const struct rf_cell value[2] = {rf_cell_of_int(1), str("b")};
    expect_str(format_items("", value, 2), "");
    expect_str(format_items("%d%%-%s", value, 2), "1%-b");
    expect_error(format_items("%d%s%s", value, 2));
    expect_error(format_items("%q", value, 2));
    expect_error(format_items("%.101f", value, 2));
    expect_error(format_items("%", value, 2));
    expect_error(call_two(RF_FN_FORMAT, bytes("%d"), items(value, 2)));
    expect_error(call_two(RF_FN_FORMAT, str("%d"), value[0]));
    expect_error(call_two(RF_FN_FORMAT, str("%d"), entries(value, 1)));
    expect_str(call_two(RF_FN_FORMAT, str("%s %s"), list("[1.0,\"\\u00e9\"]")), "1 \xc3\xa9");
}

static void test_lists_and_maps(void **state)
{
    (void)state;
    const struct rf_cell pair[6] = {rf_cell_of_int(9), str("nine"), rf_cell_of_uint(10),
                                    str("ten"),        str("9"),    rf_cell_of_bool(true)};
    expect_str(format_one("%s", list("[1, [\"a\",{}],null]")), "[1, [a, {}], null]");
    expect_str(format_one("%s", object("{\"b\":[1e2],\"a\":{\"z\":1,\"y\":2}}")), "{a: {y: 2, z: 1}, b: [100]}");
    expect_str(format_one("%s", entries(pair, 3)), "{10: ten, 9: nine, 9: true}");
    expect_str(format_one("%s", items(NULL, 0)), "[]");
    expect_str(format_one("%s", entries(NULL, 0)), "{}");
    expect_error(format_one("%s", list("[1,1e400]")));
    expect_error(format_one("%d", list("[1]")));
}

/* Levels beyond the bound are the interpreter's, and so are maps of more members than are looked through for twins. */
static void test_bounds(void **state)
{
    (void)state;
    struct rf_cell nested[RF_CALC_DEPTH_MAX + 1];
    nested[0] = rf_cell_of_int(1);
    for (uint32_t i = 0; i < RF_CALC_DEPTH_MAX; i++) {
        nested[i + 1] = items(&nested[i], 1);
    }
    const struct rf_cell good = format_one("%s", nested[RF_CALC_DEPTH_MAX]);
    assert_int_equal(good.length, 2 * RF_CALC_DEPTH_MAX + 1);
    expect_host(format_one("%s", items(&nested[RF_CALC_DEPTH_MAX], 1)));
    struct rf_text wide = {0};
    struct rf_error err;
    for (int i = 0; i <= RF_JSON_ENTRIES_MAX; i++) {
        assert_int_equal(rf_text_printf(&wide, &err, "%s\"%d\":0", i == 0 ? "{" : ",", i), RF_OK);
    }
    assert_int_equal(rf_text_append_char(&wide, '}', &err), RF_OK);
    expect_host(format_one("%s", rf_cell_of_text(rf_text_str(&wide), RF_TAG_OBJECT)));
    rf_text_free(&wide);
}

/* Texts that are made a second time, and those that are too long. */
static void test_long_texts(void **state)
{
    (void)state;
    static const size_t count[] = {250, 255, 256, 257, 400, RF_CALC_TEXT_MAX / 2, RF_CALC_TEXT_MAX / 2 + 1};
    rf_arena_init(&scratch, 8 << 20);
    char *const data = malloc(RF_CALC_TEXT_MAX);
    assert_non_null(data);
    memset(data, 'a', RF_CALC_TEXT_MAX);
    for (size_t i = 0; i < sizeof count / sizeof count[0]; i++) {
        const struct rf_cell half = rf_cell_of_text((struct rf_str){data, count[i]}, RF_TAG_STRING_RAW);
        const struct rf_cell both[2] = {half, half};
        const struct rf_cell text = format_items("%s%s", both, 2);
        if (2 * count[i] > RF_CALC_TEXT_MAX) {
            expect_host(text);
        } else {
            expect_octets(text, RF_TAG_STRING_RAW, (struct rf_str){data, 2 * count[i]});
        }
        rf_arena_reset(&scratch);
    }
    free(data);
}

/* What lists need for a while is given back; without room the interpreter is asked. */
static void test_little_scratch(void **state)
{
    (void)state;
    uint32_t hosts = 0;
    const struct rf_cell value = list("[[1,2],{\"b\":\"\\n\",\"a\":[true]}]");
    const struct rf_cell wanted = format_one("%s", value);
    char text[64];
    assert_true(wanted.length < sizeof text);
    memcpy(text, wanted.text, wanted.length);
    for (size_t bytes_max = 0; bytes_max < 2000; bytes_max += 8) {
        rf_arena_reset(&scratch);
        scratch.bytes_max = bytes_max;
        const struct rf_cell out = format_one("%s", value);
        hosts += out.tag == RF_TAG_HOST ? 1 : 0;
        if (out.tag != RF_TAG_HOST) {
            expect_octets(out, RF_TAG_STRING_RAW, (struct rf_str){text, wanted.length});
            /* The cells of the list around it, and the text. */
            assert_true(scratch.bytes_used < wanted.length + 64);
        }
    }
    assert_true(hosts > 10 && hosts < 200);
}

static void test_functions_of_others(void **state)
{
    (void)state;
    assert_null(rf_calc_format_op(RF_FN_JOIN));
    assert_null(rf_calc_text_op(RF_FN_FORMAT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_plain_values, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_clauses, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_templates, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_lists_and_maps, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bounds, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_long_texts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_little_scratch, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_functions_of_others, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
