/* test_summary.c: what a run says about itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "summary.h"

static struct rf_error err;
static struct rf_text text;
static struct rf_pipeline_result result;
static struct rf_policy drop = {.kind = RF_POLICY_DROP};

static struct rf_summary summary_make(void)
{
    result = (struct rf_pipeline_result){0};
    result.counts.of[RF_ROW_SELECTED] = 47;
    result.counts.of[RF_ROW_REJECTED] = 950;
    result.counts.of[RF_ROW_ERROR] = 1;
    result.counts.of[RF_ROW_MALFORMED] = 2;
    result.counts.bytes = 123000000;
    result.examples = 3;
    result.example[0] = (struct rf_example){
        .where = {"day.ndjson", 17, 1000}, .is_malformed = true, .offset = 1011, .reason = "unterminated string"};
    result.example[1] = (struct rf_example){.where = {"day.ndjson", 18, 1100},
                                            .offset = 1100,
                                            .reason = "no such field \"a\x1b[2J\"",
                                            .place = {.line = 1, .column = 5, .part = "b.a * 2"}};
    result.example[2] =
        (struct rf_example){.where = {"\xff\n.ndjson", 1, 0}, .is_malformed = true, .reason = "bad number"};
    rf_text_clear(&text);
    return (struct rf_summary){.result = &result,
                               .seconds = 0.05,
                               .threads = 2,
                               .backend = "cpu",
                               .isa = "avx2",
                               .on_error = &drop,
                               .on_malformed = &drop};
}

static const char *content(void)
{
    assert_int_equal(rf_text_append_char(&text, '\0', &err), RF_OK);
    return text.data;
}

static void test_write_bad(void **state)
{
    (void)state;
    struct rf_summary summary = summary_make();
    assert_int_equal(rf_summary_write_bad(&text, &summary, &err), RF_OK);
    assert_string_equal(content(), "riffle: 2 malformed records and 1 evaluation error of 1,000 records were dropped\n"
                                   "  day.ndjson:17: malformed at byte 12: unterminated string\n"
                                   "  day.ndjson:18: error: no such field \"a?[2J\" (1:5: b.a * 2)\n"
                                   "  \xff?.ndjson:1: malformed at byte 1: bad number\n");
    summary = summary_make();
    const struct rf_policy file = {.kind = RF_POLICY_FILE};
    const struct rf_policy pass = {.kind = RF_POLICY_PASS};
    summary.on_malformed = &file;
    summary.malformed_file = "bad.jsonl";
    summary.on_error = &pass;
    assert_int_equal(rf_summary_write_bad(&text, &summary, &err), RF_OK);
    assert_string_equal(content(), "riffle: 2 malformed records were written to bad.jsonl\n");
    summary = summary_make();
    result.counts.of[RF_ROW_MALFORMED] = 0;
    result.counts.of[RF_ROW_ERROR] = 0;
    result.examples = 0;
    assert_int_equal(rf_summary_write_bad(&text, &summary, &err), RF_OK);
    assert_int_equal(text.count, 0);
    summary = summary_make();
    summary.on_malformed = &pass;
    summary.has_color = true;
    assert_int_equal(rf_summary_write_bad(&text, &summary, &err), RF_OK);
    assert_string_equal(content(), "\033[33mriffle:\033[0m 1 evaluation error of 1,000 records was dropped\n"
                                   "  \033[35mday.ndjson:18\033[0m: error: no such field \"a?[2J\" (1:5: b.a * 2)\n");
}

/* One record is no plural; what is not shown is counted, with the options that write it to a file. */
static void test_write_bad_counts(void **state)
{
    (void)state;
    struct rf_summary summary = summary_make();
    memset(result.counts.of, 0, sizeof result.counts.of);
    result.counts.of[RF_ROW_MALFORMED] = 1;
    result.examples = 1;
    assert_int_equal(rf_summary_write_bad(&text, &summary, &err), RF_OK);
    assert_string_equal(content(), "riffle: 1 malformed record of 1 record was dropped\n"
                                   "  day.ndjson:17: malformed at byte 12: unterminated string\n");
    summary = summary_make();
    result.counts.of[RF_ROW_MALFORMED] = 2000;
    assert_int_equal(rf_summary_write_bad(&text, &summary, &err), RF_OK);
    assert_non_null(strstr(content(), "\n  and 1,998 more; to see them all: --on-malformed FILE --on-error FILE\n"));
    summary = summary_make();
    result.counts.of[RF_ROW_MALFORMED] = 0;
    result.counts.of[RF_ROW_ERROR] = 4;
    assert_int_equal(rf_summary_write_bad(&text, &summary, &err), RF_OK);
    assert_non_null(strstr(content(), "\n  and 3 more; to see them all: --on-error FILE\n"));
}

static void test_write_line(void **state)
{
    (void)state;
    struct rf_summary summary = summary_make();
    assert_int_equal(rf_summary_write_line(&text, &summary, &err), RF_OK);
    assert_string_equal(content(),
                        "riffle: read 1,000 records (123 MB): 47 selected, 950 rejected, 1 error, 2 malformed, 0 "
                        "blank; 0.050 s, 2.46 GB/s, 2 threads, cpu avx2\n");
    summary = summary_make();
    result = (struct rf_pipeline_result){.was_prefiltered = true};
    summary.seconds = 0;
    summary.threads = 1;
    assert_int_equal(rf_summary_write_line(&text, &summary, &err), RF_OK);
    assert_string_equal(content(),
                        "riffle: read 0 records (0 B): 0 selected, 0 rejected, 0 error, 0 malformed, 0 blank; "
                        "0.000 s, 0.00 GB/s, 1 thread, cpu avx2, prefilter\n");
}

static void test_write_json(void **state)
{
    (void)state;
    const struct rf_summary summary = summary_make();
    assert_int_equal(rf_summary_write_json(&text, &summary, &err), RF_OK);
    assert_string_equal(
        content(),
        "{\"read\":1000,\"selected\":47,\"rejected\":950,\"error\":1,\"malformed\":2,\"blank\":0,"
        "\"bytes\":123000000,\"seconds\":0.050000,\"backend\":\"cpu\",\"isa\":\"avx2\",\"prefilter\":false,"
        "\"errors\":[{\"input\":\"day.ndjson\",\"record\":17,\"offset\":1011,\"kind\":\"malformed\",\"reason\":"
        "\"unterminated string\"},{\"input\":\"day.ndjson\",\"record\":18,\"offset\":1100,\"kind\":\"error\","
        "\"reason\":\"no such field \\\"a\\u001b[2J\\\"\",\"line\":1,\"column\":5,\"part\":\"b.a * "
        "2\"},{\"input\":\"\xef\xbf\xbd\\n.ndjson\",\"record\":1,"
        "\"offset\":0,\"kind\":\"malformed\",\"reason\":\"bad number\"}]}\n");
}

static int suite_close(void **state)
{
    (void)state;
    rf_text_free(&text);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_write_bad),
        cmocka_unit_test(test_write_bad_counts),
        cmocka_unit_test(test_write_line),
        cmocka_unit_test(test_write_json),
    };
    return cmocka_run_group_tests_name("summary", tests, NULL, suite_close);
}
