/* format_value.h: texts of values of every kind, nested ones, and texts that do not fit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "arena_fixture.h"
#include "format_value.h"
#include "operate.h"
#include "value_fixture.h"

enum { DATA_MAX = 1 << 16 };
static char data[DATA_MAX];

static struct rf_format_out begin(void)
{
    return rf_format_begin(data, sizeof data, &arena);
}

static void expect_str(struct rf_str text, const char *expected)
{
    if (!rf_str_equal(text, rf_str_of(expected))) {
        fail_msg("\"%.*s\" instead of \"%s\"", RF_STR_ARG(text), expected);
    }
}

static void expect_written(struct rf_value value, const char *expected)
{
    struct rf_format_out out = begin();
    const size_t bytes_used = arena.bytes_used;
    assert_true(rf_format_append_value(&out, value));
    expect_str((struct rf_str){data, out.text.count}, expected);
    assert_int_equal(arena.bytes_used, bytes_used); /* what the order of keys took is given back */
}

static void expect_error(struct rf_value value, const char *part)
{
    struct rf_format_out out = begin();
    assert_false(rf_format_append_value(&out, value));
    assert_int_equal(out.error.type, RF_TYPE_ERROR);
    if (!rf_str_contains(out.error.text, rf_str_of(part))) {
        fail_msg("no \"%s\" in \"%.*s\"", part, RF_STR_ARG(out.error.text));
    }
}

static struct rf_value list_of(const struct rf_value *item, size_t count)
{
    struct rf_value *copy = RF_PUSH(&arena, struct rf_value, count);
    struct rf_list *list = RF_PUSH(&arena, struct rf_list, 1);
    for (size_t i = 0; i < count; i++) {
        copy[i] = item[i];
    }
    *list = (struct rf_list){.count = count, .item = copy};
    return (struct rf_value){.type = RF_TYPE_LIST, .list = list};
}

/* Keys and values in turn. */
static struct rf_value map_of(const struct rf_value *item, size_t count)
{
    struct rf_entry *entry = RF_PUSH(&arena, struct rf_entry, count / 2);
    for (size_t i = 0; i < count / 2; i++) {
        entry[i] = (struct rf_entry){.key = item[2 * i], .value = item[2 * i + 1]};
    }
    bool has_twins = false;
    const struct rf_map *map = rf_map_make(&arena, entry, count / 2, RF_TWINS_REFUSED, &has_twins);
    assert_non_null(map);
    return (struct rf_value){.type = RF_TYPE_MAP, .map = map};
}

#define ITEMS(...)                                                                                                     \
    (const struct rf_value[]){__VA_ARGS__}, sizeof((struct rf_value[]){__VA_ARGS__}) / sizeof(struct rf_value)

static void test_rf_format_fail(void **state)
{
    (void)state;
    struct rf_format_out out = begin();
    assert_false(rf_format_fail(&out, rf_value_error("why")));
    expect_str(out.error.text, "why");
}

static void test_rf_format_took(void **state)
{
    (void)state;
    struct rf_arena small;
    rf_arena_init(&small, 3);
    struct rf_format_out out = rf_format_begin(data, sizeof data, &small);
    assert_true(rf_format_took(&out, rf_format_append(&out.text, RF_STR("abc"))));
    assert_int_equal(out.error.type, RF_TYPE_ERROR); /* of nobody so far: it has no text */
    assert_int_equal(out.error.text.count, 0);
    assert_false(rf_format_took(&out, rf_format_append(&out.text, RF_STR("d"))));
    expect_str(out.error.text, RF_ERROR_TOO_LARGE);
    rf_arena_free(&small);
}

static void test_rf_format_append_value(void **state)
{
    (void)state;
    const struct rf_value inner = rf_value_int(1);
    const struct rf_cidr net = {0};
    expect_written(rf_value_null(), "null");
    expect_written(rf_value_bool(true), "true");
    expect_written(rf_value_bool(false), "false");
    expect_written(rf_value_int(-5), "-5");
    expect_written(rf_value_uint(5), "5");
    expect_written(rf_value_double(1e16), "10000000000000000");
    expect_written(str("h\xc3\xa9 \"x\""), "h\xc3\xa9 \"x\"");
    expect_written(str(""), "");
    expect_written(rf_value_type(RF_TYPE_DURATION), "google.protobuf.Duration");
    expect_written(rf_value_type_named(RF_STR("com.example.T")), "com.example.T");
    expect_written(rf_value_instant((struct rf_instant){1257894000, 0}), "2009-11-10T23:00:00Z");
    expect_written(rf_value_instant((struct rf_instant){-1, 500000000}), "1969-12-31T23:59:59.5Z");
    expect_written(rf_value_duration(422000000000), "422s");
    expect_written(rf_value_duration(-1500000000), "-1.5s");
    expect_written(rf_value_duration(2), "0.000000002s");
    expect_written(rf_value_duration(0), "0s");
    expect_written(rf_value_duration(INT64_MAX), "9223372036.854775807s");
    expect_written(message("100"), "100");
    expect_written(message("1e2"), "100");
    expect_written(message("1.50"), "1.5");
    expect_written(message("9007199254740993"), "9007199254740993");
    expect_error(message("1e400"), "beyond the double range");
    expect_error(rf_value_error("lost"), "lost");
    expect_error(rf_value_optional(&inner), "a value of type optional_type");
    expect_error((struct rf_value){.type = RF_TYPE_IP, .net = &net}, "a value of type net.IP");
    expect_error((struct rf_value){.type = RF_TYPE_CIDR, .net = &net}, "a value of type net.CIDR");
}

static struct rf_value octets(const char *text, size_t count)
{
    return (struct rf_value){.type = RF_TYPE_BYTES, .text = {text, count}};
}

static void test_bytes(void **state)
{
    (void)state;
    expect_written(bytes(""), "");
    expect_written(bytes("h\xc3\xa9"), "h\xc3\xa9");
    expect_written(bytes("\xff"), "\xef\xbf\xbd");
    expect_written(bytes("\xff\xfe\xc3"), "\xef\xbf\xbd"); /* neighbours become one */
    expect_written(bytes("a\xff\xfe"
                         "b\xe2\x82"
                         "c"),
                   "a\xef\xbf\xbd"
                   "b\xef\xbf\xbd"
                   "c");
    expect_written(bytes("\xed\xa0\x80\xce\xb1\xf0\x9f"), "\xef\xbf\xbd\xce\xb1\xef\xbf\xbd");
    struct rf_format_out out = begin();
    assert_true(rf_format_append_value(&out, octets("a\0b", 3)));
    assert_true(rf_str_equal((struct rf_str){data, out.text.count}, (struct rf_str){"a\0b", 3}));
}

static void test_lists(void **state)
{
    (void)state;
    const struct rf_value empty = list_of(NULL, 0);
    expect_written(empty, "[]");
    expect_written(list_of(ITEMS(str("x"))), "[x]");
    expect_written(list_of(ITEMS(rf_value_int(6), rf_value_double(4.2), str("a string"), rf_value_null(), bytes("b"))),
                   "[6, 4.2, a string, null, b]");
    expect_written(list_of(ITEMS(rf_value_double(NAN), rf_value_double(INFINITY), rf_value_double(-INFINITY))),
                   "[NaN, Infinity, -Infinity]");
    expect_written(list_of(ITEMS(str(""), str(""))), "[, ]");
    expect_written(list_of(ITEMS(empty, list_of(ITEMS(empty, rf_value_int(1))), empty)), "[[], [[], 1], []]");
    expect_error(list_of(ITEMS(rf_value_int(1), message("-1e400"))), "beyond the double range: -1e400");
    expect_error(list_of(ITEMS(rf_value_int(1), rf_value_optional(NULL))), "optional_type");
    expect_error(list_of(ITEMS(list_of(ITEMS(rf_value_error("lost"))))), "lost");
}

static void test_maps(void **state)
{
    (void)state;
    expect_written(map_of(NULL, 0), "{}");
    expect_written(map_of(ITEMS(str("k"), map_of(NULL, 0))), "{k: {}}");
    expect_written(map_of(ITEMS(str("key1"), bytes("xyz"), str("key5"), rf_value_null(), str("key2"),
                                rf_value_duration(7200000000000), str("key4"), rf_value_bool(true), str("key3"),
                                rf_value_double(2.71828))),
                   "{key1: xyz, key2: 7200s, key3: 2.71828, key4: true, key5: null}");
    expect_written(map_of(ITEMS(str("strKey"), str("x"), rf_value_bool(true), rf_value_int(42), rf_value_int(6),
                                rf_value_duration(422000000000))),
                   "{6: 422s, strKey: x, true: 42}");
    /* By text, not by number; a minus is before every digit. */
    expect_written(map_of(ITEMS(rf_value_int(9), str("a"), rf_value_uint(10), str("b"), rf_value_int(-1), str("c"))),
                   "{-1: c, 10: b, 9: a}");
    /* Keys of the same text stay in the order of the map. */
    expect_written(map_of(ITEMS(rf_value_int(1), str("a"), str("1"), str("b"), str("true"), str("c"),
                                rf_value_bool(true), str("d"))),
                   "{1: a, 1: b, true: c, true: d}");
    expect_written(
        map_of(ITEMS(rf_value_bool(false), list_of(ITEMS(map_of(ITEMS(str("b"), str("2"), str("a"), str("1"))))),
                     str("\xc3\xa9"), str("x"), str("z"), str("y"))),
        "{false: [{a: 1, b: 2}], z: y, \xc3\xa9: x}");
    expect_error(map_of(ITEMS(str("a"), rf_value_int(1), str("b"), rf_value_optional(NULL))), "optional_type");
}

enum { KEY_MIN = 100, KEYS = 71 };

/* Since 37 and 71 have no common divisor, no key is there twice. All have three digits: text order is number order. */
static int shuffled_key(size_t i)
{
    return KEY_MIN + (int)(i * 37 % KEYS);
}

/* Maps of many sizes, with string keys and with others, against keys that are in order by construction. */
static void test_order_of_keys(void **state)
{
    (void)state;
    enum { COUNT_MAX = 70 };
    for (int is_int = 0; is_int < 2; is_int++) {
        for (size_t count = 0; count <= COUNT_MAX; count++) {
            struct rf_value item[2 * COUNT_MAX];
            char expected[COUNT_MAX * 16] = "{";
            for (size_t i = 0; i < count; i++) {
                char digits[8];
                snprintf(digits, sizeof digits, "%d", shuffled_key(i));
                const struct rf_str text = rf_arena_copy(&arena, rf_str_of(digits));
                item[2 * i] = is_int != 0 ? rf_value_int(shuffled_key(i)) : rf_value_string(text);
                item[2 * i + 1] = rf_value_bool(true);
            }
            size_t written = 0;
            for (int key = KEY_MIN; key < KEY_MIN + KEYS; key++) {
                for (size_t i = 0; i < count; i++) {
                    if (shuffled_key(i) == key) {
                        char part[32];
                        snprintf(part, sizeof part, "%s%d: true", written++ == 0 ? "" : ", ", key);
                        strcat(expected, part);
                    }
                }
            }
            strcat(expected, "}");
            expect_written(map_of(item, 2 * count), expected);
        }
    }
}

static struct rf_value nest(struct rf_value value, size_t levels)
{
    for (size_t i = 0; i < levels; i++) {
        value = i % 2 == 0 ? list_of(&value, 1) : map_of(ITEMS(str("k"), value));
    }
    return value;
}

static void test_depth(void **state)
{
    (void)state;
    struct rf_format_out out = begin();
    assert_true(rf_format_append_value(&out, nest(rf_value_int(1), RF_VALUE_DEPTH_MAX)));
    assert_int_equal(out.text.count, 1 + RF_VALUE_DEPTH_MAX * 2 + RF_VALUE_DEPTH_MAX / 2 * 3);
    expect_error(nest(rf_value_int(1), RF_VALUE_DEPTH_MAX + 1), RF_ERROR_TOO_DEEP);
    expect_error(nest(list_of(NULL, 0), RF_VALUE_DEPTH_MAX), RF_ERROR_TOO_DEEP);
}

/* A small value that is written 2^64 times: the bound of the arena ends it. */
static void test_shared_values(void **state)
{
    (void)state;
    struct rf_arena small;
    rf_arena_init(&small, 100000);
    struct rf_value list = list_of(NULL, 0);
    struct rf_value map = rf_value_int(1);
    for (int i = 0; i < 64; i++) {
        list = list_of(ITEMS(list, list));
        map = map_of(ITEMS(str("a"), map, rf_value_int(1), map));
    }
    const struct rf_value value[] = {list, map};
    for (size_t i = 0; i < 2; i++) {
        struct rf_format_out out = rf_format_begin(data, sizeof data, &small);
        assert_false(rf_format_append_value(&out, value[i]));
        expect_str(out.error.text, RF_ERROR_TOO_LARGE);
    }
    rf_arena_free(&small);
}

static void test_order_without_room(void **state)
{
    (void)state;
    const struct rf_value map = map_of(ITEMS(rf_value_int(1), rf_value_int(2), rf_value_int(3), rf_value_int(4)));
    struct rf_arena small;
    rf_arena_init(&small, 15);
    struct rf_format_out out = rf_format_begin(data, sizeof data, &small);
    assert_false(rf_format_append_value(&out, map));
    expect_str(out.error.text, RF_ERROR_TOO_LARGE);
    rf_arena_reset(&small);
    small.bytes_max = 16;
    out = rf_format_begin(data, sizeof data, &small);
    assert_true(rf_format_append_value(&out, map));
    expect_str((struct rf_str){data, out.text.count}, "{1: 2, 3: 4}");
    rf_arena_free(&small);
}

/* Wherever the bound is met, the call says so. */
static void test_every_bound(void **state)
{
    (void)state;
    const struct rf_value value = list_of(ITEMS(bytes("a\xff\xc3\xa9\xff"), rf_value_null(), list_of(NULL, 0)));
    const char *const expected = "[a\xef\xbf\xbd\xc3\xa9\xef\xbf\xbd, null, []]";
    struct rf_arena small;
    rf_arena_init(&small, 0);
    for (; small.bytes_max < strlen(expected); small.bytes_max++) {
        struct rf_format_out out = rf_format_begin(data, sizeof data, &small);
        assert_false(rf_format_append_value(&out, value));
        expect_str(out.error.text, RF_ERROR_TOO_LARGE);
        assert_true(out.text.count <= small.bytes_max);
    }
    struct rf_format_out out = rf_format_begin(data, sizeof data, &small);
    assert_true(rf_format_append_value(&out, value));
    expect_str((struct rf_str){data, out.text.count}, expected);
    rf_arena_free(&small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_format_fail),
        cmocka_unit_test(test_rf_format_took),
        cmocka_unit_test(test_rf_format_append_value),
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_maps),
        cmocka_unit_test(test_order_of_keys),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_shared_values),
        cmocka_unit_test(test_order_without_room),
        cmocka_unit_test(test_every_bound),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
