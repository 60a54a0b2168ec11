/* test_progress.c: the bar at every width, and when it is drawn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "flag.h"
#include "progress.h"

static const struct rf_progress_state half = {.bytes_read = 1350000000,
                                              .bytes_total = 2700000000,
                                              .rows = 12345678,
                                              .selected = 45100,
                                              .bytes_done = 1.35e9,
                                              .seconds = 0.5};

static void test_line(void **state)
{
    (void)state;
    char line[RF_PROGRESS_LINE_BYTES];
    rf_progress_line(line, half, 200);
    assert_string_equal(line, "[====================>                   ]   50%  1.35 GB of 2.70 GB  12.3M rows  "
                              "45.1k selected  2.70 GB/s  ETA 0:01");
    struct rf_progress_state pipe = half;
    pipe.bytes_total = 0;
    rf_progress_line(line, pipe, 200);
    assert_string_equal(line, "1.35 GB  12.3M rows  45.1k selected  2.70 GB/s  0:01");
    struct rf_progress_state none = {.bytes_total = 10};
    rf_progress_line(line, none, 200);
    assert_non_null(strstr(line, "ETA -:--"));
    struct rf_progress_state grown = half;
    grown.bytes_read = 5000000000;
    rf_progress_line(line, grown, 200);
    assert_non_null(strstr(line, "100%"));
    struct rf_progress_state nearly = half;
    nearly.bytes_read = 2699999999;
    rf_progress_line(line, nearly, 200);
    assert_non_null(strstr(line, " 99%")); /* 100 is said when it is true */
}

/* Never wider than the terminal, never empty while three letters fit, and the percentage is the last to go. */
static void test_line_widths(void **state)
{
    (void)state;
    char line[RF_PROGRESS_LINE_BYTES];
    size_t before = 0;
    for (unsigned columns = 0; columns <= 2000; columns++) {
        rf_progress_line(line, half, columns);
        const size_t width = strlen(line);
        assert_true(columns == 0 ? width == 0 : width <= columns - 1);
        if (columns >= 5) {
            assert_non_null(strstr(line, "50%"));
        }
        assert_true(width >= before || columns < 100); /* with room enough nothing shrinks */
        before = width;
    }
}

/* What update writes to standard error, which is a pipe here. */
static size_t capture(void (*work)(struct rf_progress *progress), unsigned when, char *text, size_t room)
{
    int ends[2];
    struct rf_error err;
    struct rf_source *source = NULL;
    struct rf_progress progress;
    assert_int_equal(rf_source_open_memory(&source, "{}\n", 3, "memory", (struct rf_source_options){0}, &err), RF_OK);
    const int kept = dup(STDERR_FILENO);
    assert_int_equal(pipe(ends), 0);
    assert_true(dup2(ends[1], STDERR_FILENO) >= 0);
    rf_progress_open(&progress, source, when, false);
    work(&progress);
    rf_progress_close(&progress);
    assert_true(dup2(kept, STDERR_FILENO) >= 0);
    assert_int_equal(close(kept), 0);
    assert_int_equal(close(ends[1]), 0);
    size_t count = 0;
    for (;;) {
        const ssize_t got = read(ends[0], text + count, room - 1 - count);
        if (got <= 0) {
            break;
        }
        count += (size_t)got;
    }
    text[count] = '\0';
    assert_int_equal(close(ends[0]), 0);
    rf_source_close(source);
    return count;
}

static void work_update(struct rf_progress *progress)
{
    const struct rf_counts counts = {.of = {[RF_ROW_SELECTED] = 7}, .bytes = 3};
    for (int i = 0; i < 1000; i++) {
        rf_progress_update(progress, &counts);
    }
    rf_progress_clear(progress);
    rf_progress_clear(progress);
}

static void test_update(void **state)
{
    (void)state;
    char text[4096];
    assert_int_equal(capture(work_update, RF_WHEN_NEVER, text, sizeof text), 0);
    assert_int_equal(capture(work_update, RF_WHEN_AUTO, text, sizeof text), 0); /* no terminal */
    assert_true(capture(work_update, RF_WHEN_ALWAYS, text, sizeof text) > 0);
    assert_non_null(strstr(text, "7 rows  7 selected"));
    /* A thousand calls, far less than 100 ms: one line, one at the end, each taken away again. */
    size_t redraws = 0;
    for (const char *at = text; (at = strstr(at, "selected")) != NULL; at++) {
        redraws++;
    }
    assert_true(redraws == 2 || redraws == 3);
    const size_t count = strlen(text);
    assert_true(count > 4);
    assert_string_equal(text + count - 4, "\r\033[K");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_line),
        cmocka_unit_test(test_line_widths),
        cmocka_unit_test(test_update),
    };
    return cmocka_run_group_tests_name("progress", tests, NULL, NULL);
}
