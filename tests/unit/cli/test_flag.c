/* test_flag.c: command lines, good and bad. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "flag.h"

enum { WORDS_MAX = 16 };

static struct rf_error err;
static struct rf_flags flags;
static char word_space[WORDS_MAX][256];
static char *words[WORDS_MAX + 1];

/* Parses a command line of riffle filter; words end with NULL. */
static enum rf_status parse(enum rf_command_id command, const char *const *line)
{
    int count = 1;
    words[0] = word_space[0];
    strcpy(words[0], "filter");
    for (; *line != NULL; line++) {
        assert_true(count < WORDS_MAX);
        assert_true(strlen(*line) < sizeof word_space[0]);
        words[count] = word_space[count];
        strcpy(words[count++], *line);
    }
    words[count] = NULL;
    err.text[0] = '\0';
    return rf_flags_parse(&flags, command, count, words, &err);
}

#define FILTER(...) parse(RF_COMMAND_FILTER, (const char *const[]){__VA_ARGS__, NULL})

static void assert_usage(enum rf_status status, const char *part)
{
    assert_int_equal(status, RF_E_USAGE);
    if (strstr(err.text, part) == NULL) {
        fail_msg("'%s' lacks '%s'", err.text, part);
    }
    rf_flags_free(&flags);
}

static void test_defaults(void **state)
{
    (void)state;
    assert_int_equal(FILTER("true"), RF_OK);
    for (int i = 0; i < RF_FLAGS; i++) {
        assert_false(flags.value[i].is_set);
    }
    assert_int_equal(flags.args, 1);
    assert_string_equal(flags.arg[0], "true");
    assert_int_equal(flags.value[RF_FLAG_MAX_RECORD].number, 16 << 20);
    assert_int_equal(flags.value[RF_FLAG_BATCH_BYTES].number, 256 << 10);
    assert_int_equal(flags.value[RF_FLAG_MAX_DEPTH].number, 1024);
    assert_int_equal(flags.value[RF_FLAG_ON_ERROR].number, RF_BAD_DROP);
    assert_int_equal(flags.value[RF_FLAG_EMIT].number, RF_FORM_LINES);
    rf_flags_free(&flags);
}

/* rf_flags_parse: options may stand anywhere, short ones together, values apart or attached. */
static void test_forms(void **state)
{
    (void)state;
    assert_int_equal(FILTER("-cv", "x > 1", "-m3", "a.json", "--color=always", "--threads", "4", "b.json"), RF_OK);
    assert_true(flags.value[RF_FLAG_COUNT].is_set);
    assert_true(flags.value[RF_FLAG_INVERT].is_set);
    assert_int_equal(flags.value[RF_FLAG_MAX_COUNT].number, 3);
    assert_int_equal(flags.value[RF_FLAG_COLOR].number, RF_WHEN_ALWAYS);
    assert_int_equal(flags.value[RF_FLAG_THREADS].number, 4);
    assert_int_equal(flags.args, 3);
    assert_string_equal(flags.arg[0], "x > 1");
    assert_string_equal(flags.arg[2], "b.json");
    rf_flags_free(&flags);
    assert_int_equal(FILTER("-c", "--", "-x > 1", "-m"), RF_OK);
    assert_int_equal(flags.args, 2);
    assert_string_equal(flags.arg[0], "-x > 1");
    assert_false(flags.value[RF_FLAG_MAX_COUNT].is_set);
    rf_flags_free(&flags);
}

static void test_stats_forms(void **state)
{
    (void)state;
    assert_int_equal(FILTER("--stats", "json", "true"), RF_OK);
    assert_int_equal(flags.value[RF_FLAG_STATS].number, RF_STATS_JSON);
    assert_int_equal(flags.args, 1);
    rf_flags_free(&flags);
    assert_int_equal(FILTER("true", "--stats=json"), RF_OK);
    assert_int_equal(flags.value[RF_FLAG_STATS].number, RF_STATS_JSON);
    rf_flags_free(&flags);
    assert_int_equal(FILTER("--stats", "true", "json"), RF_OK);
    assert_true(flags.value[RF_FLAG_STATS].is_set);
    assert_int_equal(flags.value[RF_FLAG_STATS].number, RF_STATS_TEXT);
    assert_int_equal(flags.args, 2);
    rf_flags_free(&flags);
    assert_int_equal(FILTER("true", "--stats"), RF_OK);
    assert_int_equal(flags.value[RF_FLAG_STATS].number, RF_STATS_TEXT);
    rf_flags_free(&flags);
    assert_usage(FILTER("--stats=jsn", "true"), "did you mean 'json'?");
}

static void test_list(void **state)
{
    (void)state;
    assert_int_equal(FILTER("-s", "a", "true", "--select=b", "-sc"), RF_OK);
    assert_int_equal(flags.list_count, 3);
    assert_string_equal(flags.list[0], "a");
    assert_string_equal(flags.list[1], "b");
    assert_string_equal(flags.list[2], "c");
    rf_flags_free(&flags);
    rf_flags_free(&flags); /* twice is harmless */
}

/* Every bound of the table at n-1, n, n+1. */
static void test_numbers(void **state)
{
    (void)state;
    assert_int_equal(FILTER("--max-depth", "65536", "true"), RF_OK);
    assert_int_equal(flags.value[RF_FLAG_MAX_DEPTH].number, 65536);
    rf_flags_free(&flags);
    assert_int_equal(FILTER("--max-depth", "1", "true"), RF_OK);
    rf_flags_free(&flags);
    assert_usage(FILTER("--max-depth", "65537", "true"), "from 1 to 65536");
    assert_usage(FILTER("--max-depth", "0", "true"), "--max-depth '0'");
    assert_int_equal(FILTER("--max-record", "2147418047", "true"), RF_OK);
    rf_flags_free(&flags);
    assert_usage(FILTER("--max-record", "2147418048", "true"), "2147418047");
    assert_usage(FILTER("--max-record", "2G", "true"), "2147418047");
    assert_int_equal(FILTER("--max-record", "1G", "true"), RF_OK);
    assert_int_equal(flags.value[RF_FLAG_MAX_RECORD].number, 1 << 30);
    rf_flags_free(&flags);
    assert_int_equal(FILTER("--max-record", "7k", "true"), RF_OK);
    assert_int_equal(flags.value[RF_FLAG_MAX_RECORD].number, 7 << 10);
    rf_flags_free(&flags);
    static const char *const bad[] = {
        "",  " 1", "+1", "-1", "1.5", "0x10", "1KB", "K", "1 ", "99999999999999999999999", "18446744073709551615G",
        "1T"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_usage(FILTER("--max-record", bad[i], "true"), "is not a number");
    }
    assert_usage(FILTER("--threads", "1K", "true"), "is not a number");
    assert_int_equal(FILTER("-m", "0", "true"), RF_OK);
    rf_flags_free(&flags);
    assert_usage(FILTER("-m", "18446744073709551615", "true"), "is not a number");
}

static void test_policies(void **state)
{
    (void)state;
    assert_int_equal(FILTER("--on-error", "stop", "--on-malformed=bad.jsonl", "true"), RF_OK);
    assert_int_equal(flags.value[RF_FLAG_ON_ERROR].number, RF_BAD_STOP);
    assert_int_equal(flags.value[RF_FLAG_ON_MALFORMED].number, RF_BAD_FILE);
    assert_string_equal(flags.value[RF_FLAG_ON_MALFORMED].text, "bad.jsonl");
    rf_flags_free(&flags);
    assert_int_equal(FILTER("--on-error", "./stopp", "true"), RF_OK);
    rf_flags_free(&flags);
    assert_usage(FILTER("--on-error", "stopp", "true"),
                 "did you mean 'stop'? (a file of that name is written ./stopp)");
    assert_usage(FILTER("--on-error", "", "true"), "is empty");
    assert_usage(FILTER("-o", "", "true"), "--output needs the name of a file");
}

static void test_refusals(void **state)
{
    (void)state;
    assert_usage(FILTER("--cuont", "true"), "unknown option --cuont, did you mean --count?");
    assert_usage(FILTER("--zzzzzzzz", "true"), "unknown option --zzzzzzzz");
    assert_null(strstr(err.text, "did you mean"));
    assert_usage(FILTER("-x", "true"), "unknown option -x; put -- before an expression");
    assert_usage(FILTER("-1 < x", "true"), "put -- before an expression");
    assert_usage(FILTER("--count=3", "true"), "takes no value");
    assert_usage(FILTER("true", "--max-count"), "--max-count needs a value: NUM");
    assert_usage(FILTER("true", "-m"), "--max-count needs a value: NUM");
    assert_usage(FILTER("--max", "3", "true"), "short for several");
    assert_usage(FILTER("--color", "alwys", "true"), "did you mean 'always'?");
    assert_usage(FILTER("--man", "true"), "--man is no option here, but of 'riffle'");
    assert_usage(FILTER("-c"), "an expression is missing");
    assert_usage(parse(RF_COMMAND_EXPLAIN, (const char *const[]){"a", "b", NULL}), "one argument too many: 'b'");
    assert_usage(parse(RF_COMMAND_EXPLAIN, (const char *const[]){"--count", "a", NULL}), "but of 'riffle filter'");
    assert_usage(parse(RF_COMMAND_BACKENDS, (const char *const[]){"a", NULL}), "one argument too many");
}

static void test_help_needs_nothing(void **state)
{
    (void)state;
    for (int c = 0; c < RF_COMMAND_COUNT; c++) {
        assert_int_equal(parse((enum rf_command_id)c, (const char *const[]){"--help", NULL}), RF_OK);
        assert_true(flags.value[RF_FLAG_HELP].is_set);
        rf_flags_free(&flags);
    }
}

static void test_choice(void **state)
{
    (void)state;
    assert_true(rf_str_equal(rf_flag_choice("a|bc|d", 0), RF_STR("a")));
    assert_true(rf_str_equal(rf_flag_choice("a|bc|d", 1), RF_STR("bc")));
    assert_true(rf_str_equal(rf_flag_choice("a|bc|d", 2), RF_STR("d")));
    assert_null(rf_flag_choice("a|bc|d", 3).data);
}

static void test_nearest(void **state)
{
    (void)state;
    static const char *const names[] = {"filter", "explain", "backends"};
    assert_string_equal(rf_flag_nearest("fliter", names, 3), "filter");
    assert_string_equal(rf_flag_nearest("explian", names, 3), "explain");
    assert_string_equal(rf_flag_nearest("backend", names, 3), "backends");
    assert_null(rf_flag_nearest("count", names, 3));
    assert_null(rf_flag_nearest("", names, 3));
    assert_null(rf_flag_nearest("filter", names, 0));
}

/* The table itself: names and letters are unique within a command, choices have a default among them, texts are there.
 */
static void test_table(void **state)
{
    (void)state;
    for (int i = 0; i < RF_FLAGS; i++) {
        const struct rf_flag *flag = &rf_flag_table[i];
        assert_true(flag->commands != 0 && flag->help[0] != '\0' && flag->section[0] != '\0');
        assert_true((flag->kind == RF_FLAG_KIND_NONE) == (flag->argument[0] == '\0'));
        assert_true(strlen(flag->name) < 24);
        for (int j = 0; j < i; j++) {
            if ((flag->commands & rf_flag_table[j].commands) != 0) {
                assert_string_not_equal(flag->name, rf_flag_table[j].name);
                assert_true(flag->letter == 0 || flag->letter != rf_flag_table[j].letter);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),    cmocka_unit_test(test_forms),
        cmocka_unit_test(test_stats_forms), cmocka_unit_test(test_list),
        cmocka_unit_test(test_numbers),     cmocka_unit_test(test_policies),
        cmocka_unit_test(test_refusals),    cmocka_unit_test(test_help_needs_nothing),
        cmocka_unit_test(test_choice),      cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_table),
    };
    return cmocka_run_group_tests_name("flag", tests, NULL, NULL);
}
