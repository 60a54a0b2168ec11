/* The scalar walker: cells, structure verdicts, touched values, and the two ways to reach a verdict. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "token.h"
#include "trie_fixture.h"
#include "walk.h"
#include "walk_value.h"

static const struct rf_walk_options usual = {RF_DEPTH_MAX_DEFAULT, false};
static const struct rf_walk_options strict = {RF_DEPTH_MAX_DEFAULT, true};

struct walked {
    struct trie_fixture fixture;
    struct rf_columns columns;
    struct rf_batch batch;
    uint8_t bytes[8192];
};

static void walked_open(struct walked *walked, bool has_message_slot, const char *const *paths)
{
    struct rf_error err;
    fixture_open(&walked->fixture, has_message_slot);
    for (; *paths != NULL; paths++) {
        fixture_path(&walked->fixture, *paths);
    }
    memset(&walked->columns, 0, sizeof(walked->columns));
    assert_int_equal(rf_columns_open(&walked->columns, walked->fixture.program.slots, 64, &err), RF_OK);
    assert_int_equal(rf_columns_reserve_side(&walked->columns, sizeof(walked->bytes), &err), RF_OK);
    memset(&walked->batch, 0, sizeof(walked->batch));
    walked->batch.bytes = walked->bytes;
}

/* Walks the text in the middle of a batch full of quotes; both forms of the verdict must agree. */
static struct rf_malformed walk_bytes(struct walked *walked, const char *text, size_t count,
                                      struct rf_walk_options options)
{
    const uint32_t begin = 11;
    assert_true(count + 11 + RF_BATCH_PADDING <= sizeof(walked->bytes));
    memset(walked->bytes, '"', sizeof(walked->bytes));
    memcpy(walked->bytes + begin, text, count);
    const uint32_t end = begin + (uint32_t)count;
    walked->batch.bytes_used = end;
    walked->columns.side_used = 0;
    const struct rf_malformed bad =
        rf_walk_row(&walked->fixture.program, &walked->batch, begin, end, options, &walked->columns, 3);
    const struct rf_malformed again =
        rf_walk_row(&walked->fixture.program, &walked->batch, begin, end, options, NULL, 0);
    assert_int_equal(bad.reason, again.reason);
    assert_int_equal(bad.offset, again.offset);
    return bad;
}

static void walk_good(struct walked *walked, const char *text)
{
    assert_int_equal(walk_bytes(walked, text, strlen(text), usual).reason, RF_REASON_NONE);
}

static enum rf_tag cell_tag(struct walked *walked, const char *path)
{
    return (enum rf_tag)walked->columns.slot[fixture_path(&walked->fixture, path)].tag[3];
}

static double cell_double(struct walked *walked, const char *path)
{
    double value;
    memcpy(&value, &walked->columns.slot[fixture_path(&walked->fixture, path)].payload[3], sizeof(value));
    return value;
}

static void assert_text(struct walked *walked, const char *path, const char *wanted)
{
    const struct rf_str text =
        rf_column_text(&walked->columns, &walked->batch, fixture_path(&walked->fixture, path), 3);
    assert_int_equal(text.count, strlen(wanted));
    assert_memory_equal(text.data, wanted, text.count);
}

static void test_cells(void **state)
{
    (void)state;
    struct walked walked;
    walked_open(&walked, true, (const char *const[]){"a", "b.c", "b.d[1]", "b.d[2].x", "e", NULL});
    walk_good(&walked,
              " {\"e\" : null,\t\"a\":1.5,\"z\":[{\"a\":2}],\"b\":{\"d\":[true,\"s\",{\"x\":false}],\"c\":7}} \r");
    assert_int_equal(cell_tag(&walked, ""), RF_TAG_OBJECT);
    assert_int_equal(cell_tag(&walked, "a"), RF_TAG_NUMBER);
    assert_true(cell_double(&walked, "a") == 1.5);
    assert_text(&walked, "a", "1.5");
    assert_int_equal(cell_tag(&walked, "b"), RF_TAG_OBJECT);
    assert_text(&walked, "b", "{\"d\":[true,\"s\",{\"x\":false}],\"c\":7}");
    assert_int_equal(cell_tag(&walked, "b.c"), RF_TAG_NUMBER);
    assert_int_equal(cell_tag(&walked, "b.d"), RF_TAG_LIST);
    assert_int_equal(cell_tag(&walked, "b.d[1]"), RF_TAG_STRING_RAW);
    assert_text(&walked, "b.d[1]", "s");
    assert_true(walked.columns.slot[fixture_path(&walked.fixture, "b.d[1]")].payload[3] == (uint64_t)'s' << 56);
    assert_int_equal(cell_tag(&walked, "b.d[2].x"), RF_TAG_FALSE);
    assert_int_equal(cell_tag(&walked, "e"), RF_TAG_NULL);
    rf_columns_close(&walked.columns);
}

static void test_missing(void **state)
{
    (void)state;
    struct walked walked;
    walked_open(&walked, false, (const char *const[]){"a.b.c", "l[1].k", NULL});
    walk_good(&walked, "{}");
    assert_int_equal(cell_tag(&walked, "a"), RF_TAG_ABSENT);
    assert_int_equal(cell_tag(&walked, "a.b"), RF_TAG_NOPARENT);
    assert_int_equal(cell_tag(&walked, "a.b.c"), RF_TAG_NOPARENT);
    walk_good(&walked, "{\"a\":{\"b\":5},\"l\":[0]}");
    assert_int_equal(cell_tag(&walked, "a.b"), RF_TAG_NUMBER);
    assert_int_equal(cell_tag(&walked, "a.b.c"), RF_TAG_NOPARENT);
    assert_int_equal(cell_tag(&walked, "l[1]"), RF_TAG_ABSENT);
    assert_int_equal(cell_tag(&walked, "l[1].k"), RF_TAG_NOPARENT);
    /* A key step on a list and an index step on an object find no parent. */
    walk_good(&walked, "{\"a\":[1,2],\"l\":{\"1\":{\"k\":1}}}");
    assert_int_equal(cell_tag(&walked, "a"), RF_TAG_LIST);
    assert_int_equal(cell_tag(&walked, "a.b"), RF_TAG_NOPARENT);
    assert_int_equal(cell_tag(&walked, "l[1]"), RF_TAG_NOPARENT);
    /* A top-level scalar has no members. */
    walk_good(&walked, "12");
    assert_int_equal(cell_tag(&walked, "a"), RF_TAG_NOPARENT);
    rf_columns_close(&walked.columns);
}

static void test_lists(void **state)
{
    (void)state;
    struct walked walked;
    walked_open(&walked, false, (const char *const[]){"[0]", "[2][1]", "[3]", "[5]", NULL});
    walk_good(&walked, "[10,[[],[1]],[1,22,[3]],33,{\"a\":[1,2]},55]");
    assert_true(cell_double(&walked, "[0]") == 10);
    assert_true(cell_double(&walked, "[2][1]") == 22);
    assert_true(cell_double(&walked, "[3]") == 33);
    assert_true(cell_double(&walked, "[5]") == 55);
    rf_columns_close(&walked.columns);
}

static void test_duplicate_keys(void **state)
{
    (void)state;
    struct walked walked;
    walked_open(&walked, false, (const char *const[]){"a.b.c", "a.d", NULL});
    walk_good(&walked, "{\"a\":{\"b\":{\"c\":1},\"d\":2},\"a\":{\"b\":3}}");
    assert_int_equal(cell_tag(&walked, "a"), RF_TAG_OBJECT);
    assert_text(&walked, "a", "{\"b\":3}");
    assert_true(cell_double(&walked, "a.b") == 3);
    assert_int_equal(cell_tag(&walked, "a.b.c"), RF_TAG_NOPARENT);
    assert_int_equal(cell_tag(&walked, "a.d"), RF_TAG_ABSENT);
    walk_good(&walked, "{\"a\":{\"b\":{\"c\":1}},\"a\":7}");
    assert_int_equal(cell_tag(&walked, "a.b"), RF_TAG_NOPARENT);
    /* An earlier duplicate is not looked into; the last one is, also when it is spelled with an escape. */
    walk_good(&walked, "{\"a\":bad,\"\\u0061\":{\"d\":4}}");
    assert_true(cell_double(&walked, "a.d") == 4);
    const char *late = "{\"a\":1,\"\\u0061\":bad}";
    const struct rf_malformed bad = walk_bytes(&walked, late, strlen(late), usual);
    assert_int_equal(bad.reason, RF_REASON_LITERAL);
    assert_int_equal(bad.offset, strstr(late, "bad") - late);
    rf_columns_close(&walked.columns);
}

static void test_strings(void **state)
{
    (void)state;
    struct walked walked;
    walked_open(&walked, false, (const char *const[]){"a", "b", NULL});
    walk_good(&walked, "{\"a\":\"x\\n\\u00e9\\ud83d\\ude00\",\"b\":\"caf\xc3\xa9 and more\"}");
    assert_int_equal(cell_tag(&walked, "a"), RF_TAG_STRING_ESCAPED);
    assert_text(&walked, "a", "x\n\xc3\xa9\xf0\x9f\x98\x80");
    assert_true(walked.columns.slot[fixture_path(&walked.fixture, "a")].payload[3] == 0x780ac3a9f09f9880ull);
    assert_int_equal(cell_tag(&walked, "b"), RF_TAG_STRING_RAW);
    assert_text(&walked, "b", "caf\xc3\xa9 and more");
    walk_good(&walked, "{\"a\":\"\",\"b\":\"\\\\\"}");
    assert_text(&walked, "a", "");
    assert_text(&walked, "b", "\\");
    rf_columns_close(&walked.columns);
}

static void test_numbers(void **state)
{
    (void)state;
    struct walked walked;
    walked_open(&walked, false, (const char *const[]){"a", "b", "c", "d", NULL});
    walk_good(&walked, "{\"a\":9007199254740993,\"b\":-9223372036854775808,\"c\":18446744073709551615,\"d\":1e999}");
    assert_int_equal(cell_tag(&walked, "a"), RF_TAG_BIGINT);
    assert_true(walked.columns.slot[fixture_path(&walked.fixture, "a")].payload[3] == 9007199254740993ull);
    assert_int_equal(cell_tag(&walked, "b"), RF_TAG_BIGINT);
    assert_int_equal(cell_tag(&walked, "c"), RF_TAG_BIGUINT);
    assert_true(walked.columns.slot[fixture_path(&walked.fixture, "c")].payload[3] == UINT64_MAX);
    assert_int_equal(cell_tag(&walked, "d"), RF_TAG_RANGE);
    assert_text(&walked, "d", "1e999");
    rf_columns_close(&walked.columns);
}

struct verdict {
    const char *text;
    enum rf_reason reason;
    unsigned offset;
};

static void test_verdicts(void **state)
{
    (void)state;
    static const struct verdict verdicts[] = {
        {"", RF_REASON_UNFINISHED, 0},
        {"  ", RF_REASON_UNFINISHED, 2},
        {"{\"a\":1", RF_REASON_UNFINISHED, 6},
        {"{\"a\":", RF_REASON_UNFINISHED, 5},
        {"[1,", RF_REASON_UNFINISHED, 3},
        {"{\"a\":1}}", RF_REASON_EXTRA, 7},
        {"{} {}", RF_REASON_EXTRA, 3},
        {"{},", RF_REASON_EXTRA, 2},
        {"{}\"", RF_REASON_EXTRA, 2},
        {"1 2", RF_REASON_EXTRA, 2},
        {"{\"a\":1]", RF_REASON_BRACKET, 6},
        {"[1}", RF_REASON_BRACKET, 2},
        {"[}", RF_REASON_BRACKET, 1},
        {"[1,}", RF_REASON_UNEXPECTED, 3},
        {"{\"a\":]", RF_REASON_UNEXPECTED, 5},
        {"[\n1\n]\n", RF_REASON_NONE, 0},
        {"]", RF_REASON_UNEXPECTED, 0},
        {"[1,]", RF_REASON_UNEXPECTED, 3},
        {"{\"a\":1,}", RF_REASON_UNEXPECTED, 7},
        {"{,}", RF_REASON_UNEXPECTED, 1},
        {"{1:2}", RF_REASON_UNEXPECTED, 1},
        {"{\"a\" 1}", RF_REASON_UNEXPECTED, 5},
        {"{\"a\":1 \"b\":2}", RF_REASON_UNEXPECTED, 7},
        {"[1 2]", RF_REASON_UNEXPECTED, 3},
        {"[1:2]", RF_REASON_UNEXPECTED, 2},
        {"{\"a\"}", RF_REASON_UNEXPECTED, 4},
        {"{\"a\"::1}", RF_REASON_UNEXPECTED, 5},
        {"{\"a\":\"x}", RF_REASON_OPEN_STRING, 5},
        {"{\"a\":\"x\\\"}", RF_REASON_OPEN_STRING, 5},
        {"{\"a", RF_REASON_OPEN_STRING, 1},
        {"{\"a\":01}", RF_REASON_NUMBER, 5},
        {"{\"a\":-}", RF_REASON_NUMBER, 5},
        {"{\"a\":tru}", RF_REASON_LITERAL, 5},
        {"{\"a\":\"x\\q\"}", RF_REASON_ESCAPE, 7},
        {"{\"a\":\"\\ud800\"}", RF_REASON_SURROGATE, 6},
        {"{\"a\":\"\xff\"}", RF_REASON_UTF8, 6},
        {"{\"a\":\"x\ty\"}", RF_REASON_CONTROL, 7},
        /* Structure comes before values, and the first touched value before the second. */
        {"{\"a\":bad,\"b\":1", RF_REASON_UNFINISHED, 14},
        {"{\"b\":worse,\"a\":bad}", RF_REASON_LITERAL, 5},
        /* Nobody looks at z. */
        {"{\"z\":bad,\"a\":1}", RF_REASON_NONE, 0},
    };
    struct walked walked;
    walked_open(&walked, false, (const char *const[]){"a", "b", NULL});
    for (size_t i = 0; i < sizeof(verdicts) / sizeof(verdicts[0]); i++) {
        const struct rf_malformed bad = walk_bytes(&walked, verdicts[i].text, strlen(verdicts[i].text), usual);
        if (bad.reason != verdicts[i].reason || bad.offset != verdicts[i].offset) {
            fail_msg("%s: reason %d at %u", verdicts[i].text, (int)bad.reason, bad.offset);
        }
    }
    rf_columns_close(&walked.columns);
}

static void test_depth(void **state)
{
    (void)state;
    struct walked walked;
    walked_open(&walked, false, (const char *const[]){"a", NULL});
    char text[2 * RF_DEPTH_MAX_DEFAULT + 3];
    for (uint32_t depth = RF_DEPTH_MAX_DEFAULT - 1; depth <= RF_DEPTH_MAX_DEFAULT + 1; depth++) {
        memset(text, '[', depth);
        memset(text + depth, ']', depth);
        const struct rf_malformed bad = walk_bytes(&walked, text, 2 * (size_t)depth, usual);
        const bool is_deep = depth > RF_DEPTH_MAX_DEFAULT;
        assert_int_equal(bad.reason, is_deep ? RF_REASON_DEEP : RF_REASON_NONE);
        assert_int_equal(bad.offset, is_deep ? RF_DEPTH_MAX_DEFAULT : 0);
    }
    const struct rf_walk_options flat = {0, false};
    assert_int_equal(walk_bytes(&walked, "{}", 2, flat).reason, RF_REASON_DEEP);
    assert_int_equal(walk_bytes(&walked, "1", 1, flat).reason, RF_REASON_NONE);
    rf_columns_close(&walked.columns);
}

static void test_validating_and_deep(void **state)
{
    (void)state;
    struct walked walked;
    walked_open(&walked, false, (const char *const[]){"a", NULL});
    const char *elsewhere = "{\"z\":[1,{\"k\":bad}],\"a\":1}";
    assert_int_equal(walk_bytes(&walked, elsewhere, strlen(elsewhere), usual).reason, RF_REASON_NONE);
    struct rf_malformed bad = walk_bytes(&walked, elsewhere, strlen(elsewhere), strict);
    assert_int_equal(bad.reason, RF_REASON_LITERAL);
    assert_int_equal(bad.offset, strstr(elsewhere, "bad") - elsewhere);
    const char *key = "{\"z\\x\":1}";
    assert_int_equal(walk_bytes(&walked, key, strlen(key), usual).reason, RF_REASON_NONE);
    bad = walk_bytes(&walked, key, strlen(key), strict);
    assert_int_equal(bad.reason, RF_REASON_ESCAPE);
    const char *inside = "{\"a\":[1,[\"\\ud800\"]]}";
    assert_int_equal(walk_bytes(&walked, inside, strlen(inside), usual).reason, RF_REASON_NONE);
    walked.fixture.slot[fixture_path(&walked.fixture, "a")].is_deep = true;
    bad = walk_bytes(&walked, inside, strlen(inside), usual);
    assert_int_equal(bad.reason, RF_REASON_SURROGATE);
    assert_int_equal(bad.offset, strstr(inside, "\\ud800") - inside);
    rf_columns_close(&walked.columns);
}

static void test_scalar(void **state)
{
    (void)state;
    struct walked walked;
    walked_open(&walked, false, (const char *const[]){"a", NULL});
    static const struct {
        const char *text;
        enum rf_tag tag;
        enum rf_reason reason;
        unsigned offset;
    } cases[] = {
        {"\"abc\"", RF_TAG_STRING_RAW, RF_REASON_NONE, 0}, {"\"a\\tc\"", RF_TAG_STRING_ESCAPED, RF_REASON_NONE, 0},
        {"\"\"", RF_TAG_STRING_RAW, RF_REASON_NONE, 0},    {"\"ab\\x\"", RF_TAG_COUNT, RF_REASON_ESCAPE, 3},
        {"\"\x01\"", RF_TAG_COUNT, RF_REASON_CONTROL, 1},  {"true", RF_TAG_TRUE, RF_REASON_NONE, 0},
        {"null", RF_TAG_NULL, RF_REASON_NONE, 0},          {"-0.5e1", RF_TAG_NUMBER, RF_REASON_NONE, 0},
        {"+1", RF_TAG_COUNT, RF_REASON_LITERAL, 0},        {"1x", RF_TAG_COUNT, RF_REASON_NUMBER, 0},
        {"", RF_TAG_COUNT, RF_REASON_LITERAL, 0},          {"{}", RF_TAG_OBJECT, RF_REASON_NONE, 0},
        {"[1]", RF_TAG_LIST, RF_REASON_NONE, 0},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const size_t count = strlen(cases[i].text);
        memcpy(walked.bytes + 5, cases[i].text, count);
        const struct rf_malformed bad = rf_walk_scalar(&walked.batch, 5, 5 + (uint32_t)count, &walked.columns, 0, 3);
        assert_int_equal(bad.reason, cases[i].reason);
        assert_int_equal(bad.offset, cases[i].offset);
        if (cases[i].tag != RF_TAG_COUNT) {
            assert_int_equal(walked.columns.slot[0].tag[3], cases[i].tag);
        }
    }
    rf_columns_close(&walked.columns);
}

/* A list or object in the middle of a row: where it ends, and what is in it. */
static void test_value_whole(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned count; /* of its bytes; 0: not good */
    } cases[] = {
        {"{}", 2},
        {"[]", 2},
        {"[1,{\"a\":[true,null]},\"]}\"] ,\"b\":2}", 26},
        {"{\"a\\\"}\":1e400}}", 14},
        {"[ 1 , -2.5e-3 ]", 15},
        {"[01]", 0},
        {"[1,nul]", 0},
        {"[\"\\x\"]", 0},
        {"{\"\\ud800\":1}", 0},
        {"[[1]", 0}, /* the row ends before it does */
        {"[\"", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t bytes[128] = {0};
        const size_t count = strlen(cases[i].text);
        memcpy(bytes + 3, cases[i].text, count);
        const struct rf_batch batch = {.bytes = bytes, .bytes_used = 3 + (uint32_t)count};
        uint32_t end = 0;
        assert_int_equal(rf_walk_value_whole(&batch, 3, 3 + (uint32_t)count, &end), cases[i].count != 0);
        assert_int_equal(end, cases[i].count == 0 ? 0 : 3 + cases[i].count);
    }
}

static void test_key_equal(void **state)
{
    (void)state;
    assert_true(rf_token_key_equal(RF_STR("\\u0061\\\"\\/"), RF_STR("a\"/")));
    assert_true(rf_token_key_equal(RF_STR("\\ud83d\\ude00!"), RF_STR("\xf0\x9f\x98\x80!")));
    assert_false(rf_token_key_equal(RF_STR("\\u0061"), RF_STR("ab")));
    assert_false(rf_token_key_equal(RF_STR("\\u0061b"), RF_STR("a")));
    assert_false(rf_token_key_equal(RF_STR("a\\q"), RF_STR("a")));
    assert_false(rf_token_key_equal(RF_STR("a\\q"), RF_STR("aq")));
    assert_false(rf_token_key_equal(RF_STR("a\\u00"), RF_STR("a")));
    assert_false(rf_token_key_equal(RF_STR("\\ud800"), RF_STR("\xed\xa0\x80")));
    assert_false(rf_token_key_equal(RF_STR("\\u0061\t"), RF_STR("a\t")));
    assert_false(rf_token_key_equal(RF_STR("\\"), RF_STR("\\")));
}

static void test_token_words(void **state)
{
    (void)state;
    /* Every byte at every place of a string that crosses words. */
    uint8_t bytes[40];
    for (int value = 0; value < 256; value++) {
        for (uint32_t at = 0; at < 19; at++) {
            memset(bytes, 'x', sizeof(bytes));
            bytes[19] = 0;
            bytes[at] = (uint8_t)value;
            assert_int_equal(rf_token_is_plain(bytes, 19), value >= 0x20 && value < 0x80 && value != '\\');
            bool has_escape = false;
            const uint32_t end = rf_token_string_end(bytes, 0, 19, &has_escape);
            assert_int_equal(end, value == '"' ? at : 19);
            assert_int_equal(has_escape, value == '\\');
        }
    }
    for (uint32_t count = 0; count <= 12; count++) {
        assert_true(rf_token_prefix((const uint8_t *)"abcdefghijklmnop", count) ==
                    rf_str_prefix((struct rf_str){"abcdefghijklmnop", count}));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cells),
        cmocka_unit_test(test_missing),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_duplicate_keys),
        cmocka_unit_test(test_strings),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_validating_and_deep),
        cmocka_unit_test(test_scalar),
        cmocka_unit_test(test_value_whole),
        cmocka_unit_test(test_key_equal),
        cmocka_unit_test(test_token_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
