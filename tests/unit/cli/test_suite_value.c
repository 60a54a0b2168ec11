/* test_suite_value.c: values as case files write them, there and back. */
#include "suite_fixture.h"

#include <math.h>

#include "suite_value.h"

/* Reads a value and writes it again. */
static void becomes(const char *json, const char *wanted)
{
    struct rf_value value;
    struct rf_text text = {0};
    fixture_arena();
    fixture_ok(rf_suite_value_read(fixture_json(json), &arena, &value, &err));
    fixture_ok(rf_suite_value_write(&text, value, &err));
    fixture_text_is(&text, wanted);
}

static void stays(const char *json)
{
    becomes(json, json);
}

static void refused(const char *json, const char *part)
{
    struct rf_value value;
    fixture_arena();
    assert_int_equal(rf_suite_value_read(fixture_json(json), &arena, &value, &err), RF_E_FORMAT);
    fixture_error_has(part);
}

static void test_scalars(void **state)
{
    (void)state;
    stays("{\"null\":null}");
    stays("{\"bool\":true}");
    stays("{\"bool\":false}");
    stays("{\"int\":\"-9223372036854775808\"}");
    stays("{\"int\":\"9223372036854775807\"}");
    stays("{\"uint\":\"18446744073709551615\"}");
    stays("{\"string\":\"caf\xC3\xA9\\n\\\"\"}");
    stays("{\"string\":\"\"}");
    stays("{\"bytes\":\"/wA=\"}");
    stays("{\"bytes\":\"\"}");
    stays("{\"type\":\"google.protobuf.Timestamp\"}");
    becomes("{\"int\":5}", "{\"int\":\"5\"}");
    becomes("{\"uint\":9223372036854775808}", "{\"uint\":\"9223372036854775808\"}");
    becomes("{\"string\":\"\\u0041\"}", "{\"string\":\"A\"}");
}

static void test_doubles(void **state)
{
    (void)state;
    stays("{\"double\":0.5}");
    stays("{\"double\":-0.0}");
    stays("{\"double\":1e+300}");
    stays("{\"double\":\"NaN\"}");
    stays("{\"double\":\"Infinity\"}");
    stays("{\"double\":\"-Infinity\"}");
    becomes("{\"double\":1}", "{\"double\":1.0}");
    becomes("{\"double\":0}", "{\"double\":0.0}");
    becomes("{\"double\":9007199254740993}", "{\"double\":9007199254740992.0}");
    struct rf_value value;
    fixture_arena();
    fixture_ok(rf_suite_value_read(fixture_json("{\"double\":2}"), &arena, &value, &err));
    assert_int_equal(value.type, RF_TYPE_DOUBLE);
    assert_false(value.is_message); /* no promotion: the case file says what it is */
}

static void test_containers(void **state)
{
    (void)state;
    stays("{\"list\":[]}");
    stays("{\"list\":[{\"int\":\"1\"},{\"list\":[{\"null\":null}]}]}");
    stays("{\"map\":[]}");
    stays("{\"map\":[[{\"string\":\"c\"},{\"int\":\"1\"}],[{\"bool\":true},{\"map\":[[{\"uint\":\"1\"},{\"list\":[]}]]}"
          "]]}");
    stays("{\"optional\":null}");
    stays("{\"optional\":{\"optional\":{\"int\":\"1\"}}}");
}

static void test_times_and_nets(void **state)
{
    (void)state;
    stays("{\"timestamp\":{\"seconds\":\"-62135596800\",\"nanos\":0}}");
    stays("{\"timestamp\":{\"seconds\":\"253402300799\",\"nanos\":999999999}}");
    stays("{\"duration\":{\"seconds\":\"123\",\"nanos\":321456789}}");
    stays("{\"duration\":{\"seconds\":\"-1\",\"nanos\":-5}}");
    stays("{\"duration\":{\"seconds\":\"-9223372036\",\"nanos\":-854775808}}");
    becomes("{\"duration\":{\"nanos\":5}}", "{\"duration\":{\"seconds\":\"0\",\"nanos\":5}}");
    becomes("{\"timestamp\":{\"seconds\":3}}", "{\"timestamp\":{\"seconds\":\"3\",\"nanos\":0}}");
    stays("{\"ip\":\"::1\"}");
    stays("{\"cidr\":\"10.0.0.0/8\"}");
}

static void test_refused(void **state)
{
    (void)state;
    refused("5", "an object with one member");
    refused("{}", "an object with one member");
    refused("{\"int\":\"1\",\"uint\":\"1\"}", "an object with one member");
    refused("{\"integer\":\"1\"}", "\"integer\" is no type of value");
    refused("{\"null\":0}", "no such value");
    refused("{\"bool\":\"true\"}", "no such value");
    refused("{\"int\":\"9223372036854775808\"}", "no such value");
    refused("{\"int\":\"-9223372036854775809\"}", "no such value");
    refused("{\"int\":\"1.0\"}", "no such value");
    refused("{\"int\":1.0}", "no such value");
    refused("{\"int\":\"\"}", "no such value");
    refused("{\"int\":\"-\"}", "no such value");
    refused("{\"int\":true}", "no such value");
    refused("{\"uint\":\"-1\"}", "no such value");
    refused("{\"uint\":\"18446744073709551616\"}", "no such value");
    refused("{\"double\":\"nan\"}", "no such value");
    refused("{\"double\":1e400}", "no such value");
    refused("{\"double\":01}", "no such value");
    refused("{\"string\":\"\\ud800\"}", "no such value");
    refused("{\"bytes\":\"A\"}", "base64");
    refused("{\"bytes\":1}", "base64");
    refused("{\"list\":{}}", "\"list\"");
    refused("{\"map\":{}}", "\"map\"");
    refused("{\"map\":[[{\"int\":\"1\"}]]}", "no pair");
    refused("{\"map\":[[{\"double\":1},{\"int\":\"1\"}]]}", "a map key is");
    refused("{\"map\":[[{\"int\":\"1\"},{\"int\":\"1\"}],[{\"uint\":\"1\"},{\"int\":\"1\"}]]}", "one key");
    refused("{\"timestamp\":{\"seconds\":\"253402300800\"}}", "out of range");
    refused("{\"timestamp\":{\"nanos\":-1}}", "out of range");
    refused("{\"timestamp\":{\"nanos\":1000000000}}", "out of range");
    refused("{\"timestamp\":\"2020-01-01T00:00:00Z\"}", "a time is");
    refused("{\"duration\":{\"seconds\":\"9223372037\"}}", "out of range");
    refused("{\"duration\":{\"seconds\":1.5}}", "a time is");
    refused("{\"ip\":\"10.0.0\"}", "\"ip\"");
    refused("{\"cidr\":\"10.0.0.0/33\"}", "\"cidr\"");
}

/* {"list":[...]}, that many around an int. */
static char *nested(int levels)
{
    static char text[16 * (RF_SUITE_DEPTH_MAX + 2) + 32];
    char *at = text;
    for (int i = 0; i < levels; i++) {
        at = stpcpy(at, "{\"list\":[");
    }
    at = stpcpy(at, "{\"int\":\"1\"}");
    for (int i = 0; i < levels; i++) {
        at = stpcpy(at, "]}");
    }
    return text;
}

static void test_bounds(void **state)
{
    (void)state;
    struct rf_value value;
    stays(nested(RF_SUITE_DEPTH_MAX - 1));
    fixture_arena();
    assert_int_equal(rf_suite_value_read(fixture_json(nested(RF_SUITE_DEPTH_MAX)), &arena, &value, &err), RF_E_LIMIT);
    fixture_error_has("nested deeper");
    /* An arena that is full. */
    fixture_arena();
    const struct rf_value json = fixture_json("{\"list\":[{\"bytes\":\"AAAA\"}]}");
    struct rf_arena small;
    rf_arena_init(&small, 16);
    assert_int_equal(rf_suite_value_read(json, &small, &value, &err), RF_E_LIMIT);
    rf_arena_free(&small);
}

/* Lists in lists, as deep as values go and one level more. */
static void test_write_depth(void **state)
{
    (void)state;
    enum { LEVELS = RF_VALUE_DEPTH_MAX + 1 };
    static struct rf_list list[LEVELS];
    static struct rf_value item[LEVELS];
    for (int i = 0; i < LEVELS; i++) {
        item[i] = i == 0 ? rf_value_int(1) : (struct rf_value){.type = RF_TYPE_LIST, .list = &list[i - 1]};
        list[i] = (struct rf_list){.count = 1, .item = &item[i]};
    }
    struct rf_text text = {0};
    const struct rf_value value = {.type = RF_TYPE_LIST, .list = &list[LEVELS - 1]};
    fixture_ok(rf_suite_value_write(&text, item[LEVELS - 1], &err));
    assert_int_equal(text.count, RF_VALUE_DEPTH_MAX * strlen("{\"list\":[]}") + strlen("{\"int\":\"1\"}"));
    assert_int_equal(rf_suite_value_write(&text, value, &err), RF_E_LIMIT);
    rf_text_free(&text);
}

/* Each list holds the one before it twice: 2^30 items as text, 30 lists in memory. */
static void test_write_bound(void **state)
{
    (void)state;
    enum { LISTS = 30 };
    struct rf_list list[LISTS];
    struct rf_value item[LISTS][2];
    for (int i = 0; i < LISTS; i++) {
        for (int k = 0; k < 2; k++) {
            item[i][k] = i == 0 ? rf_value_int(1) : (struct rf_value){.type = RF_TYPE_LIST, .list = &list[i - 1]};
        }
        list[i] = (struct rf_list){.count = 2, .item = item[i]};
    }
    struct rf_text text = {0};
    const struct rf_value value = {.type = RF_TYPE_LIST, .list = &list[LISTS - 1]};
    assert_int_equal(rf_suite_value_write(&text, value, &err), RF_E_LIMIT);
    assert_in_range(text.count, RF_SUITE_VALUE_BYTES_MAX, RF_SUITE_VALUE_BYTES_MAX + 1024);
    rf_text_free(&text);
    rf_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scalars),        cmocka_unit_test(test_doubles),     cmocka_unit_test(test_containers),
        cmocka_unit_test(test_times_and_nets), cmocka_unit_test(test_refused),     cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_write_depth),    cmocka_unit_test(test_write_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
