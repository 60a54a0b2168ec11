#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "log.h"

enum { CAPTURE_BYTES = 32768 };

/* stderr is a pipe while a test runs; a pipe holds 64 KiB, so nothing blocks. */
static int saved_stderr;
static int pipe_ends[2];

static int capture_begin(void **state)
{
    (void)state;
    saved_stderr = dup(STDERR_FILENO);
    return saved_stderr < 0 || pipe(pipe_ends) != 0 || dup2(pipe_ends[1], STDERR_FILENO) < 0;
}

static int capture_end(void **state)
{
    (void)state;
    close(pipe_ends[0]);
    const int restored = dup2(saved_stderr, STDERR_FILENO);
    close(saved_stderr);
    rf_log_set_level(RF_LOG_INFO);
    return restored < 0;
}

static size_t captured(char text[CAPTURE_BYTES])
{
    size_t count = 0;
    ssize_t got;
    close(pipe_ends[1]);
    dup2(saved_stderr, STDERR_FILENO); /* the last writer closes */
    while ((got = read(pipe_ends[0], text + count, CAPTURE_BYTES - 1 - count)) > 0) {
        count += (size_t)got;
    }
    text[count] = '\0';
    return count;
}

static void test_rf_log(void **state)
{
    char text[CAPTURE_BYTES];
    (void)state;
    rf_log(RF_LOG_ERROR, "error: %d", 7);
    rf_log(RF_LOG_DEBUG, "not shown");
    rf_log(RF_LOG_INFO, "%s", "");
    captured(text);
    assert_string_equal(text, "riffle: error: 7\nriffle: \n");
}

static void test_rf_log_raw(void **state)
{
    char text[CAPTURE_BYTES];
    (void)state;
    rf_log_raw(RF_LOG_INFO, "  %s", "^");
    captured(text);
    assert_string_equal(text, "  ^\n");
}

static void test_rf_log_set_level(void **state)
{
    char text[CAPTURE_BYTES];
    (void)state;
    rf_log_set_level(RF_LOG_ERROR);
    rf_log(RF_LOG_WARNING, "hidden");
    rf_log(RF_LOG_ERROR, "shown");
    rf_log_set_level(RF_LOG_DEBUG);
    rf_log(RF_LOG_DEBUG, "shown too");
    captured(text);
    assert_string_equal(text, "riffle: shown\nriffle: shown too\n");
}

/* Lengths around the fixed buffer, and far beyond it. */
static void test_long_lines(void **state)
{
    static const int lengths[] = {4085, 4086, 4087, 4088, 4089, 10000};
    char text[CAPTURE_BYTES];
    size_t at = 0;
    (void)state;
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        rf_log(RF_LOG_INFO, "%*d", lengths[i], 5);
    }
    const size_t count = captured(text);
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        const size_t line = strlen("riffle: ") + (size_t)lengths[i] + 1;
        assert_memory_equal(text + at, "riffle:  ", 9);
        assert_memory_equal(text + at + line - 2, "5\n", 2);
        at += line;
    }
    assert_int_equal(count, at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_rf_log, capture_begin, capture_end),
        cmocka_unit_test_setup_teardown(test_rf_log_raw, capture_begin, capture_end),
        cmocka_unit_test_setup_teardown(test_rf_log_set_level, capture_begin, capture_end),
        cmocka_unit_test_setup_teardown(test_long_lines, capture_begin, capture_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
