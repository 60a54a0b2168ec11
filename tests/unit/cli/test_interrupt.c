/* test_interrupt.c: what a signal makes the program say, and how it ends. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "interrupt.h"

enum { SURVIVED = 7 };

static void setup_watch(void)
{
    struct rf_error err;
    (void)rf_interrupt_watch(RF_STR("before\n"), &err);
    (void)rf_interrupt_watch(RF_STR("word\n"), &err);
}

static void setup_release(void)
{
    setup_watch();
    rf_interrupt_release();
}

static void setup_ignored(void)
{
    (void)signal(SIGHUP, SIG_IGN);
    setup_watch();
}

/* A child raises the signal after setup; gives how it ended and what it said. */
static int child(void (*setup)(void), int number, char text[32])
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        (void)signal(SIGINT, SIG_DFL);
        (void)signal(SIGHUP, SIG_DFL);
        (void)dup2(ends[1], STDERR_FILENO);
        setup();
        (void)raise(number);
        _exit(SURVIVED);
    }
    assert_int_equal(close(ends[1]), 0);
    int status = 0;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    const ssize_t count = read(ends[0], text, 31);
    assert_true(count >= 0);
    text[count] = '\0';
    assert_int_equal(close(ends[0]), 0);
    return status;
}

/* rf_interrupt_watch: the latest text, then the end that the signal means. */
static void test_watch(void **state)
{
    (void)state;
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    char text[32];
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        const int status = child(setup_watch, signals[i], text);
        assert_true(WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), signals[i]);
        assert_string_equal(text, "word\n");
    }
}

static void test_watch_ignored(void **state)
{
    (void)state;
    char text[32];
    const int status = child(setup_ignored, SIGHUP, text);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), SURVIVED);
    assert_string_equal(text, "");
}

/* rf_interrupt_release: the signal ends the process without a word. */
static void test_release(void **state)
{
    (void)state;
    char text[32];
    const int status = child(setup_release, SIGTERM, text);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGTERM);
    assert_string_equal(text, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_watch),
        cmocka_unit_test(test_watch_ignored),
        cmocka_unit_test(test_release),
    };
    return cmocka_run_group_tests_name("interrupt", tests, NULL, NULL);
}
