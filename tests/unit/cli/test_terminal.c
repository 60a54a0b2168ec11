/* test_terminal.c: standard streams that are there, closed, full or gone. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "command.h"
#include "flag.h"
#include "terminal.h"

/* Runs work in a child, whose exit status is the result. */
static int child(int (*work)(void))
{
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        _exit(work());
    }
    int status = 0;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static int work_guard(void)
{
    char byte = 0;
    (void)close(STDIN_FILENO);
    (void)close(STDOUT_FILENO);
    (void)close(STDERR_FILENO);
    rf_terminal_guard();
    if (read(STDIN_FILENO, &byte, 1) != -1 || errno != EBADF) {
        return 1;
    }
    if (write(STDOUT_FILENO, "x", 1) != -1 || errno != EBADF || write(STDERR_FILENO, "x", 1) != -1 || errno != EBADF) {
        return 2;
    }
    return open("/dev/null", O_RDONLY) > STDERR_FILENO ? 0 : 3;
}

static int work_guard_open(void)
{
    int ends[2];
    if (pipe(ends) != 0 || dup2(ends[1], STDOUT_FILENO) < 0) {
        return 1;
    }
    rf_terminal_guard();
    /* What is open stays as it is, and a reader that goes is an error, not the end of the process. */
    if (write(STDOUT_FILENO, "x", 1) != 1) {
        return 2;
    }
    (void)close(ends[0]);
    return write(STDOUT_FILENO, "x", 1) == -1 && errno == EPIPE ? 0 : 3;
}

static void test_guard(void **state)
{
    (void)state;
    assert_int_equal(child(work_guard), 0);
    assert_int_equal(child(work_guard_open), 0);
}

static void test_has_color(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_true(rf_terminal_has_color(ends[1], RF_WHEN_ALWAYS));
    assert_false(rf_terminal_has_color(ends[1], RF_WHEN_NEVER));
    assert_false(rf_terminal_has_color(ends[1], RF_WHEN_AUTO));
    assert_false(rf_terminal_is_live(ends[1]));
    assert_true(rf_terminal_may_show(ends[1]));
    const int null = open("/dev/null", O_WRONLY);
    assert_false(rf_terminal_may_show(null));
    assert_int_equal(close(null), 0);
    assert_false(rf_terminal_may_show(null));
    assert_int_equal(rf_terminal_columns(ends[1]), 80);
    assert_int_equal(close(ends[0]), 0);
    assert_int_equal(close(ends[1]), 0);
}

/* A pseudo terminal is one; NO_COLOR and TERM=dumb are heard. */
static void test_is_live(void **state)
{
    (void)state;
    const int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) {
        fail_msg("no pseudo terminal: is /dev/pts mounted?");
    }
    const int fd = open(ptsname(master), O_RDWR | O_NOCTTY);
    assert_true(fd >= 0);
    assert_int_equal(setenv("TERM", "xterm", 1), 0);
    assert_int_equal(unsetenv("NO_COLOR"), 0);
    assert_true(rf_terminal_is_live(fd));
    assert_true(rf_terminal_may_show(fd));
    assert_true(rf_terminal_has_color(fd, RF_WHEN_AUTO));
    assert_int_equal(setenv("NO_COLOR", "1", 1), 0);
    assert_false(rf_terminal_has_color(fd, RF_WHEN_AUTO));
    assert_true(rf_terminal_has_color(fd, RF_WHEN_ALWAYS));
    assert_int_equal(setenv("NO_COLOR", "", 1), 0);
    assert_true(rf_terminal_has_color(fd, RF_WHEN_AUTO));
    assert_int_equal(setenv("TERM", "dumb", 1), 0);
    assert_false(rf_terminal_is_live(fd));
    assert_false(rf_terminal_has_color(fd, RF_WHEN_AUTO));
    assert_int_equal(close(fd), 0);
    assert_int_equal(close(master), 0);
}

static int work_print_full(void)
{
    const int fd = open("/dev/full", O_WRONLY);
    (void)dup2(fd, STDOUT_FILENO);
    (void)close(STDERR_FILENO);
    return rf_terminal_print(RF_STR("text"));
}

static int work_print_gone(void)
{
    int ends[2];
    rf_terminal_guard();
    if (pipe(ends) != 0 || dup2(ends[1], STDOUT_FILENO) < 0) {
        return 99;
    }
    (void)close(ends[0]);
    return rf_terminal_print(RF_STR("text"));
}

static int work_print(void)
{
    int ends[2];
    char text[8] = "";
    if (pipe(ends) != 0 || dup2(ends[1], STDOUT_FILENO) < 0) {
        return 99;
    }
    const int code = rf_terminal_print(RF_STR("text"));
    return code == RF_EXIT_DONE && read(ends[0], text, sizeof text) == 4 && memcmp(text, "text", 4) == 0 ? 0 : 98;
}

static void test_print(void **state)
{
    (void)state;
    assert_int_equal(child(work_print), 0);
    assert_int_equal(child(work_print_full), RF_EXIT_FAILURE);
    assert_int_equal(child(work_print_gone), RF_EXIT_DONE);
}

static int work_tell(void)
{
    int ends[2];
    char text[8] = "";
    if (pipe(ends) != 0 || dup2(ends[1], STDERR_FILENO) < 0) {
        return 99;
    }
    rf_terminal_tell(RF_STR("text"));
    if (read(ends[0], text, sizeof text) != 4 || memcmp(text, "text", 4) != 0) {
        return 98;
    }
    (void)close(STDERR_FILENO);
    rf_terminal_tell(RF_STR("nobody hears this")); /* and nothing happens */
    return 0;
}

static void test_tell(void **state)
{
    (void)state;
    assert_int_equal(child(work_tell), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_guard), cmocka_unit_test(test_has_color), cmocka_unit_test(test_is_live),
        cmocka_unit_test(test_print), cmocka_unit_test(test_tell),
    };
    return cmocka_run_group_tests_name("terminal", tests, NULL, NULL);
}
