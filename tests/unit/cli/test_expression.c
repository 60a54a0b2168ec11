/* test_expression.c: EXPR and --select to one compiled program with named columns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "expression.h"

enum { WORDS_MAX = 16 };

static struct rf_flags flags;
static struct rf_expression expression;
static char word_space[WORDS_MAX][256];
static char *words[WORDS_MAX + 1];

static int open_line(const char *const *line)
{
    struct rf_error err;
    int count = 1;
    words[0] = word_space[0];
    strcpy(words[0], "filter");
    for (; *line != NULL; line++) {
        assert_true(count < WORDS_MAX && strlen(*line) < sizeof word_space[0]);
        words[count] = word_space[count];
        strcpy(words[count++], *line);
    }
    words[count] = NULL;
    assert_int_equal(rf_flags_parse(&flags, RF_COMMAND_FILTER, count, words, &err), RF_OK);
    const int code = rf_expression_open(&expression, &flags);
    rf_flags_free(&flags);
    return code;
}

#define OPEN(...) open_line((const char *const[]){__VA_ARGS__, NULL})

static void assert_columns(const char *names)
{
    char text[256] = "";
    size_t used = 0;
    for (uint32_t i = 0; expression.column != NULL && i < expression.compiled.projections; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%.*s", i > 0 ? "|" : "",
                                 RF_STR_ARG(expression.column[i]));
    }
    assert_string_equal(text, names);
    for (uint32_t i = 0; i < expression.compiled.projections; i++) {
        assert_non_null(expression.compiled.projection[i]);
    }
    rf_expression_close(&expression);
}

static void test_open(void **state)
{
    (void)state;
    assert_int_equal(OPEN("a > 1"), RF_EXIT_DONE);
    assert_int_equal(expression.form, RF_FORM_LINES);
    assert_int_equal(expression.compiled.program.predicates, 1);
    assert_int_equal(expression.compiled.projections, 0);
    assert_null(expression.column);
    rf_expression_close(&expression);
}

static void test_columns(void **state)
{
    (void)state;
    assert_int_equal(OPEN("a > 1", "-s", "b"), RF_EXIT_DONE);
    assert_int_equal(expression.form, RF_FORM_JSON);
    assert_int_equal(expression.compiled.projections, 1);
    assert_columns("");
    assert_int_equal(OPEN("a > 1", "-s", " b ", "-s", "c + 1"), RF_EXIT_DONE);
    assert_columns("b|c + 1");
    assert_int_equal(OPEN("a > 1", "-s", "b", "--emit", "csv"), RF_EXIT_DONE);
    assert_int_equal(expression.form, RF_FORM_CSV);
    assert_columns("b");
    assert_int_equal(OPEN("a > 1", "-s", "{'x': b, \"y z\": (c + d) * 2, 'k': 1}"), RF_EXIT_DONE);
    assert_int_equal(expression.compiled.projections, 3);
    assert_columns("x|y z|k");
    assert_int_equal(OPEN("a > 1", "-s", "{'x': b}", "-s", "c", "-s", "{'n': 1, 'm': {'deep': 2}}", "--emit=csv"),
                     RF_EXIT_DONE);
    assert_columns("x|c|n|m");
    /* Keys that are no texts cannot be names: the map stays one value. */
    assert_int_equal(OPEN("a > 1", "-s", "{1: b}"), RF_EXIT_DONE);
    assert_int_equal(expression.compiled.projections, 1);
    assert_columns("");
    assert_int_equal(OPEN("a > 1", "-s", "{}", "--emit=csv"), RF_EXIT_DONE);
    assert_columns("{}");
    assert_int_equal(OPEN("true", "-f", "text", "--emit", "json"), RF_EXIT_DONE);
    assert_int_equal(expression.compiled.projections, 1);
    assert_columns("");
}

/* The source that a column's spans are places in, and its own part of it. */
static void test_written(void **state)
{
    (void)state;
    static const char *const wanted[][2] = {
        {" a > 1", " a > 1"}, {"{'x': b, 'y': (c + d) * 2}", "b"},      {"{'x': b, 'y': (c + d) * 2}", "(c + d) * 2"},
        {" e ", " e "},       {"{'n': 1, 'm': 2}", "{'n': 1, 'm': 2}"}, {"{'n': 1, 'm': 2}", "{'n': 1, 'm': 2}"}};
    assert_int_equal(OPEN(" a > 1", "-s", wanted[1][0], "-s", wanted[3][0], "-s", wanted[4][0]), RF_EXIT_DONE);
    const struct rf_compiled *compiled = &expression.compiled;
    assert_int_equal(compiled->projections, 5);
    for (size_t i = 0; i < 6; i++) {
        const struct rf_str source = compiled->source[i];
        const struct rf_span span = compiled->written[i];
        assert_true(rf_str_equal(source, rf_str_of(wanted[i][0])));
        assert_true(
            rf_str_equal((struct rf_str){source.data + span.begin, span.end - span.begin}, rf_str_of(wanted[i][1])));
    }
    rf_expression_close(&expression);
}

static void test_refusals(void **state)
{
    (void)state;
    assert_int_equal(OPEN("a >"), RF_EXIT_EXPRESSION);
    assert_int_equal(OPEN("a > 1", "-s", "b +"), RF_EXIT_EXPRESSION);
    assert_int_equal(OPEN("a > 1", "-s", "b", "-s", "b "), RF_EXIT_USAGE);
    assert_int_equal(OPEN("a > 1", "-s", "{'b': 1}", "-s", "b"), RF_EXIT_USAGE);
    assert_int_equal(OPEN("a > 1", "--emit", "csv"), RF_EXIT_USAGE);
    assert_int_equal(OPEN("a > 1", "--emit", "lines", "-s", "b"), RF_EXIT_USAGE);
    assert_int_equal(OPEN("a > 1", "-f", "fix"), RF_EXIT_EXPRESSION);
}

/* rf_expression_now */
static void test_now(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool is_good;
        int64_t seconds;
    } row[] = {{"2026-01-31T12:00:00Z", true, 1769860800},
               {"2026-01-31T13:00:00.25+01:00", true, 1769860800},
               {"2026-01-31", false, 0},
               {"2026-01-31T12:00:00", false, 0},
               {"1769860800", false, 0},
               {"", false, 0}};
    struct rf_error err;
    bool has_now = true;
    struct rf_instant now = {7, 7};
    memset(&flags, 0, sizeof flags);
    assert_int_equal(rf_expression_now(&flags, &has_now, &now, &err), RF_OK);
    assert_false(has_now);
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        flags.value[RF_FLAG_NOW] = (struct rf_flag_value){.is_set = true, .text = row[i].text};
        assert_int_equal(rf_expression_now(&flags, &has_now, &now, &err), row[i].is_good ? RF_OK : RF_E_USAGE);
        assert_true(!row[i].is_good || (has_now && now.seconds == row[i].seconds));
    }
    assert_non_null(strstr(err.text, "--now is a time such as"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_open),     cmocka_unit_test(test_columns), cmocka_unit_test(test_written),
        cmocka_unit_test(test_refusals), cmocka_unit_test(test_now),
    };
    return cmocka_run_group_tests_name("expression", tests, NULL, NULL);
}
