/* any_value.h: messages in the wire format, good ones and broken ones. The bytes were written by hand after Protocol
 * Buffers, "Encoding". */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "any_value.h"
#include "family_fixture.h"

#define ANY(name, octets) any("google.protobuf." name, RF_STR(octets))

static struct rf_value any(const char *name, struct rf_str octets)
{
    return rf_any_value(rf_str_of(name), octets, &arena);
}

static void test_type_url(void **state)
{
    (void)state;
    expect_int(any("google.protobuf.Int32Value", RF_STR("\x08\x01")), 1);
    expect_int(any("/google.protobuf.Int32Value", RF_STR("\x08\x01")), 1);
    expect_int(any("type.googleapis.com/google.protobuf.Int32Value", RF_STR("\x08\x01")), 1);
    expect_int(any("http://a/b/c/google.protobuf.Int32Value", RF_STR("\x08\x01")), 1);
    expect_error(any("", RF_STR("")), "unknown message type: ''");
    expect_error(any("type.googleapis.com/", RF_STR("")), "unknown message type: ''");
    expect_error(any("a/Int32Value", RF_STR("")), "unknown message type: 'Int32Value'");
    expect_error(any("size", RF_STR("")), "unknown message type: 'size'"); /* a function, but no message */
    expect_error(rf_any_value((struct rf_str){NULL, 0}, (struct rf_str){NULL, 0}, &arena), "unknown message type");
}

static void test_wrappers(void **state)
{
    (void)state;
    expect_bool(ANY("BoolValue", "\x08\x01"), true);
    expect_bool(ANY("BoolValue", ""), false);
    expect_int(ANY("Int32Value", "\x08\x96\x01"), 150);
    expect_int(ANY("Int32Value", "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), -1);
    expect_int(ANY("Int32Value", "\x08\xff\xff\xff\xff\x0f"), -1);
    expect_int(ANY("Int64Value", "\x08\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01"), INT64_MIN);
    expect_int(ANY("Int64Value", ""), 0);
    expect_uint(ANY("UInt32Value", "\x08\xff\xff\xff\xff\x0f"), UINT32_MAX);
    expect_uint(ANY("UInt64Value", "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), UINT64_MAX);
    expect_double(ANY("DoubleValue", "\x09\x00\x00\x00\x00\x00\x00\xf8\xbf"), -1.5, false);
    expect_double(ANY("DoubleValue", ""), 0, false);
    expect_double(ANY("FloatValue", "\x0d\xcd\xcc\xcc\x3d"), 0x1.99999ap-4, false);
    expect_str(ANY("StringValue", "\x0a\x03"
                                  "abc"),
               "abc");
    expect_str(ANY("StringValue", ""), "");
    expect_error(ANY("StringValue", "\x0a\x01\xff"), "no google.protobuf.StringValue");
    expect_text(ANY("BytesValue", "\x0a\x01\xff"), RF_TYPE_BYTES, RF_STR("\xff"));
}

static void test_times(void **state)
{
    (void)state;
    expect_duration(ANY("Duration", "\x08\x01\x10\x05"), 1000000005);
    expect_duration(ANY("Duration", ""), 0);
    expect_duration(ANY("Duration", "\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), -1);
    expect_instant(ANY("Timestamp", "\x08\xd2\x85\xd8\xcc\x04\x10\x01"), 1234567890, 1);
    expect_error(ANY("Timestamp", "\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), "Timestamp out of range");
    expect_error(ANY("Duration", "\x08\x01\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), "Duration out of range");
}

/* Of several the last counts; other numbers and other wire types are passed over. */
static void test_fields(void **state)
{
    (void)state;
    expect_int(ANY("Int64Value", "\x08\x01\x08\x02"), 2);
    expect_int(ANY("Int64Value", "\x08\x01\x10\x02\x1a\x01x\x25\x00\x00\x00\x00\x29\x00\x00\x00\x00\x00\x00\x00\x00"),
               1);
    expect_int(ANY("Int64Value", "\x0a\x01x"), 0);
    expect_int(ANY("Int64Value", "\xf8\xff\xff\xff\x0f\x02"), 0); /* field 2^29 - 1 */
}

static void test_broken_bytes(void **state)
{
    (void)state;
    static const struct rf_str row[] = {
        {"\x08", 1},                                              /* no value */
        {"\x80", 1},                                              /* half a key */
        {"\x08\x80", 2},                                          /* half a value */
        {"\x08\x80\x80\x80\x80\x80\x80\x80\x80\x80\x02", 11},     /* beyond 64 bits */
        {"\x08\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", 12}, /* eleven bytes */
        {"\x00\x01", 2},                                          /* field 0 */
        {"\x80\x80\x80\x80\x10\x01", 6},                          /* field 2^29 */
        {"\x0b", 1},                                              /* a group */
        {"\x0f\x01", 2},                                          /* wire type 7 */
        {"\x0a\x02x", 3},                                         /* fewer bytes than said */
        {"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11},     /* as many as there can be */
        {"\x09\x00\x00\x00\x00\x00\x00\x00", 8},                  /* seven of eight */
        {"\x0d\x00\x00\x00", 4},                                  /* three of four */
    };
    static const char *const name[] = {"BoolValue",  "BytesValue",  "DoubleValue", "FloatValue",  "Int32Value",
                                       "Int64Value", "StringValue", "UInt32Value", "UInt64Value", "Duration",
                                       "Timestamp",  "Struct",      "ListValue",   "Value",       "Any"};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        for (size_t n = 0; n < sizeof name / sizeof name[0]; n++) {
            char full[64];
            char error[128];
            snprintf(full, sizeof full, "google.protobuf.%s", name[n]);
            snprintf(error, sizeof error, "are no %s", full);
            /* From the heap, so that a sanitizer sees a byte read behind the end. */
            char *octets = test_malloc(row[i].count);
            memcpy(octets, row[i].data, row[i].count);
            expect_error(any(full, (struct rf_str){octets, row[i].count}), error);
            test_free(octets);
        }
    }
}

static void test_value(void **state)
{
    (void)state;
    expect_type(ANY("Value", ""), RF_TYPE_NULL);
    expect_type(ANY("Value", "\x08\x00"), RF_TYPE_NULL);
    expect_double(ANY("Value", "\x11\x00\x00\x00\x00\x00\x00\xf8\x3f"), 1.5, false);
    expect_str(ANY("Value", "\x1a\x01x"), "x");
    expect_error(ANY("Value", "\x1a\x01\xff"), "are no google.protobuf.Value");
    expect_bool(ANY("Value", "\x20\x01"), true);
    assert_int_equal(ANY("Value", "\x2a\x00").map->count, 0);
    assert_int_equal(ANY("Value", "\x32\x00").list->count, 0);
    expect_bool(ANY("Value", "\x1a\x01x\x20\x01"), true); /* one of them: the last */
    expect_bool(ANY("Value", "\x20\x01\x38\x05\x1d\x00\x00\x00\x00"), true);
}

static void test_list(void **state)
{
    (void)state;
    /* [true, "x", null, [false]], with a field 2 among them */
    const struct rf_value list = ANY("ListValue", "\x0a\x02\x20\x01\x0a\x03\x1a\x01x\x10\x07\x0a\x02\x08\x00"
                                                  "\x0a\x06\x32\x04\x0a\x02\x20\x00");
    expect_type(list, RF_TYPE_LIST);
    assert_int_equal(list.list->count, 4);
    expect_bool(list.list->item[0], true);
    expect_str(list.list->item[1], "x");
    expect_type(list.list->item[2], RF_TYPE_NULL);
    expect_bool(list.list->item[3].list->item[0], false);
    expect_error(ANY("ListValue", "\x0a\x01\x80"), "are no google.protobuf.Value");
}

static void test_struct(void **state)
{
    (void)state;
    /* {"a": true, "b": {"c": "x"}}, a field 2, and an "a" more, which counts */
    const struct rf_value map = ANY("Struct", "\x0a\x07\x0a\x01"
                                              "a\x12\x02\x20\x01"
                                              "\x0a\x11\x0a\x01"
                                              "b\x12\x0c\x2a\x0a\x0a\x08\x0a\x01"
                                              "c\x12\x03\x1a\x01x"
                                              "\x10\x07\x0a\x07\x0a\x01"
                                              "a\x12\x02\x20\x00");
    expect_type(map, RF_TYPE_MAP);
    assert_int_equal(map.map->count, 2);
    expect_bool(rf_map_find(map.map, str("a"))->value, false);
    const struct rf_value inner = rf_map_find(map.map, str("b"))->value;
    expect_str(rf_map_find(inner.map, str("c"))->value, "x");
    expect_error(ANY("Struct", "\x0a\x03\x0a\x01\xff"), "are no google.protobuf.Struct");
    expect_error(ANY("Struct", "\x0a\x01\x80"), "are no google.protobuf.Struct");
    expect_error(ANY("Struct", "\x0a\x05\x12\x03\x1a\x01\xff"), "are no google.protobuf.Value");
}

/* Bytes written from their end to their begin. */
struct backwards {
    size_t begin;
    char octets[8192];
};

static struct rf_str written(const struct backwards *w)
{
    return (struct rf_str){w->octets + w->begin, sizeof w->octets - w->begin};
}

/* Makes all that is written the contents of one field. */
static void wrap(struct backwards *w, char key)
{
    const size_t count = written(w).count;
    if (count >= 128) {
        w->octets[--w->begin] = (char)(count >> 7);
    }
    w->octets[--w->begin] = (char)(count >= 128 ? (count & 127) | 128 : count);
    w->octets[--w->begin] = key;
}

static void test_any_in_any(void **state)
{
    (void)state;
    const char *const name = "/google.protobuf.Any";
    struct backwards w = {.begin = sizeof w.octets};
    const struct rf_str innermost = RF_STR("\x0a\x1b/google.protobuf.Int32Value\x12\x02\x08\x07");
    w.begin -= innermost.count;
    memcpy(w.octets + w.begin, innermost.data, innermost.count);
    expect_int(any(name, written(&w)), 7);
    for (int depth = 1; depth < RF_ANY_DEPTH_MAX; depth++) {
        wrap(&w, 0x12);
        w.begin -= strlen(name);
        memcpy(w.octets + w.begin, name, strlen(name));
        w.octets[--w.begin] = (char)strlen(name);
        w.octets[--w.begin] = 0x0a;
        expect_int(any(name, written(&w)), 7);
    }
    expect_error(any("/google.protobuf.Any", RF_STR("\x0a\x01x")), "unknown message type: 'x'");
    wrap(&w, 0x12);
    w.begin -= strlen(name);
    memcpy(w.octets + w.begin, name, strlen(name));
    w.octets[--w.begin] = (char)strlen(name);
    w.octets[--w.begin] = 0x0a;
    expect_error(any(name, written(&w)), RF_ERROR_TOO_DEEP);
}

/* Lists in lists, and maps in maps. */
static void test_depth(void **state)
{
    (void)state;
    struct backwards lists = {.begin = sizeof lists.octets};
    struct backwards maps = {.begin = sizeof maps.octets};
    for (int depth = 0; depth < RF_ANY_DEPTH_MAX; depth++) {
        wrap(&lists, 0x32); /* a Value */
        wrap(&lists, 0x0a); /* in a ListValue */
        wrap(&maps, 0x2a);
        wrap(&maps, 0x12); /* with the key "" */
        wrap(&maps, 0x0a);
    }
    struct rf_value value = any("google.protobuf.ListValue", written(&lists));
    for (int depth = 0; depth < RF_ANY_DEPTH_MAX; depth++) {
        expect_type(value, RF_TYPE_LIST);
        value = value.list->item[0];
    }
    assert_int_equal(value.list->count, 0);
    value = any("google.protobuf.Struct", written(&maps));
    for (int depth = 0; depth < RF_ANY_DEPTH_MAX; depth++) {
        expect_type(value, RF_TYPE_MAP);
        value = value.map->entry[0].value;
    }
    assert_int_equal(value.map->count, 0);
    wrap(&lists, 0x32);
    wrap(&lists, 0x0a);
    expect_error(any("google.protobuf.ListValue", written(&lists)), RF_ERROR_TOO_DEEP);
    wrap(&maps, 0x2a);
    wrap(&maps, 0x12);
    wrap(&maps, 0x0a);
    expect_error(any("google.protobuf.Struct", written(&maps)), RF_ERROR_TOO_DEEP);
}

/* From an arena of no bytes on until the value fits: an error that says so each time. */
static void test_without_room(void **state)
{
    (void)state;
    const struct {
        const char *name;
        struct rf_str octets;
    } row[] = {
        {"google.protobuf.ListValue", RF_STR("\x0a\x02\x20\x01\x0a\x02\x08\x00")},
        {"google.protobuf.Struct", RF_STR("\x0a\x07\x0a\x01"
                                          "a\x12\x02\x20\x00")},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        size_t room = 0;
        for (bool is_made = false; !is_made; room++) {
            struct rf_arena small;
            rf_arena_init(&small, room);
            const struct rf_value value = rf_any_value(rf_str_of(row[i].name), row[i].octets, &small);
            is_made = value.type != RF_TYPE_ERROR;
            assert_true(is_made || rf_value_is_bound_error(value));
            rf_arena_free(&small);
        }
        assert_true(room > sizeof(struct rf_value));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_type_url), cmocka_unit_test(test_wrappers),     cmocka_unit_test(test_times),
        cmocka_unit_test(test_fields),   cmocka_unit_test(test_broken_bytes), cmocka_unit_test(test_value),
        cmocka_unit_test(test_list),     cmocka_unit_test(test_struct),       cmocka_unit_test(test_any_in_any),
        cmocka_unit_test(test_depth),    cmocka_unit_test(test_without_room),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
