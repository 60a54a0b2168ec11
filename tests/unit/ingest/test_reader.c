#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "chunks.h"
#include "clock.h"

static char folder[] = "/tmp/rf_reader_XXXXXX";
static char path[64];

static int set_up(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL) {
        return -1;
    }
    snprintf(path, sizeof path, "%s/file", folder);
    FILE *file = fopen(path, "w");
    if (file == NULL || fputs("hello", file) < 0) {
        return -1;
    }
    return fclose(file);
}

static int tear_down(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder);
}

/* Bytes that were read already come first, whatever is waited for, and count. */
static void test_ahead(void **state)
{
    (void)state;
    struct rf_error err;
    _Atomic uint64_t bytes_read = 0;
    struct rf_reader reader = {.bytes_read = &bytes_read};
    assert_int_equal(rf_reader_open(&reader, path, &err), RF_OK);
    reader.ahead = RF_STR("say ");
    char bytes[16];
    size_t got = 0;
    assert_int_equal(rf_reader_read(&reader, bytes, 3, 0, &got, &err), RF_OK);
    assert_int_equal(got, 3);
    assert_int_equal(rf_reader_read(&reader, bytes + 3, 13, 0, &got, &err), RF_OK);
    assert_int_equal(got, 1);
    assert_int_equal(bytes_read, 4);
    assert_int_equal(rf_reader_read(&reader, bytes + 4, 12, RF_WAIT_FOREVER, &got, &err), RF_OK);
    assert_int_equal(got, 5);
    assert_memory_equal(bytes, "say hello", 9);
    assert_int_equal(rf_reader_read(&reader, bytes, 12, RF_WAIT_FOREVER, &got, &err), RF_END);
    assert_int_equal(bytes_read, 9);
    rf_reader_close(&reader);
}

static void test_rf_reader_open(void **state)
{
    (void)state;
    struct rf_error err;
    _Atomic uint64_t bytes_read = 0;
    struct rf_reader reader = {.bytes_read = &bytes_read};
    assert_int_equal(rf_reader_open(&reader, path, &err), RF_OK);
    assert_false(reader.can_wait);
    char bytes[16];
    size_t got = 0;
    assert_int_equal(rf_reader_read(&reader, bytes, 3, RF_WAIT_FOREVER, &got, &err), RF_OK);
    assert_int_equal(got, 3);
    assert_int_equal(rf_reader_read(&reader, bytes + 3, 13, 0, &got, &err), RF_OK);
    assert_int_equal(got, 2);
    assert_memory_equal(bytes, "hello", 5);
    assert_int_equal(rf_reader_read(&reader, bytes, 16, RF_WAIT_FOREVER, &got, &err), RF_END);
    assert_int_equal(bytes_read, 5);
    rf_reader_close(&reader);
    assert_false(reader.is_open);

    assert_int_equal(rf_reader_open(&reader, folder, &err), RF_E_IO);
    assert_string_equal(err.text, "is a folder");
    assert_int_equal(rf_reader_open(&reader, "/nonexistent/file", &err), RF_E_IO);
    assert_string_equal(err.text, "No such file or directory");
    assert_false(reader.is_open);
}

static void test_rf_reader_open_stdin(void **state)
{
    (void)state;
    struct rf_error err;
    struct rf_reader reader = {0};
    const int saved = dup(STDIN_FILENO);
    const int file = open(path, O_RDONLY);
    assert_true(file >= 0);
    assert_int_equal(dup2(file, STDIN_FILENO), STDIN_FILENO);
    close(file);
    assert_int_equal(rf_reader_open_stdin(&reader, &err), RF_OK);
    char bytes[16];
    size_t got = 0;
    assert_int_equal(rf_reader_read(&reader, bytes, sizeof bytes, RF_WAIT_FOREVER, &got, &err), RF_OK);
    assert_int_equal(got, 5);
    rf_reader_close(&reader);
    /* Stdin is not ours to close. */
    assert_true(fcntl(STDIN_FILENO, F_GETFD) >= 0);
    close(STDIN_FILENO);
    assert_int_equal(rf_reader_open_stdin(&reader, &err), RF_E_IO);
    assert_string_equal(err.text, strerror(EBADF));
    if (saved >= 0) {
        dup2(saved, STDIN_FILENO);
        close(saved);
    }
}

static void test_rf_reader_read_waits(void **state)
{
    (void)state;
    struct rf_error err;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    struct rf_reader reader = {.fd = ends[0], .is_open = true, .is_owned = true, .can_wait = true};
    char bytes[16];
    size_t got = 0;
    assert_int_equal(rf_reader_read(&reader, bytes, 16, 0, &got, &err), RF_AGAIN);
    const uint64_t begin_ns = rf_clock_ns();
    assert_int_equal(rf_reader_read(&reader, bytes, 16, 20, &got, &err), RF_AGAIN);
    assert_true(rf_clock_ns() - begin_ns >= 15u * RF_NS_PER_MS);
    assert_int_equal(write(ends[1], "ab", 2), 2);
    assert_int_equal(rf_reader_read(&reader, bytes, 16, 0, &got, &err), RF_OK);
    assert_int_equal(got, 2);
    /* A descriptor that somebody made non-blocking reads the same. */
    assert_int_equal(fcntl(ends[0], F_SETFL, O_NONBLOCK), 0);
    assert_int_equal(rf_reader_read(&reader, bytes, 16, 0, &got, &err), RF_AGAIN);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        usleep(20000);
        _exit(write(ends[1], "c", 1) == 1 ? 0 : 1);
    }
    assert_int_equal(rf_reader_read(&reader, bytes, 16, RF_WAIT_FOREVER, &got, &err), RF_OK);
    assert_int_equal(got, 1);
    close(ends[1]);
    assert_int_equal(rf_reader_read(&reader, bytes, 16, RF_WAIT_FOREVER, &got, &err), RF_END);
    rf_reader_close(&reader);
}

static ssize_t interrupted_read(void *context, void *out, size_t room)
{
    (void)room;
    int *calls = context;
    if ((*calls)++ < 3) {
        errno = EINTR;
        return -1;
    }
    memcpy(out, "z", 1);
    return 1;
}

/* A pipe that nothing comes from, and nobody wants anything from. */
static void test_rf_reader_read_stopped(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    atomic_bool is_stopped = true;
    struct rf_reader reader = {
        .fd = ends[0], .is_open = true, .is_owned = true, .can_wait = true, .is_stopped = &is_stopped};
    char out[8];
    size_t got = 0;
    struct rf_error err;
    assert_int_equal(rf_reader_read(&reader, out, sizeof out, RF_WAIT_FOREVER, &got, &err), RF_END);
    assert_int_equal(write(ends[1], "x", 1), 1); /* what is there is read all the same */
    assert_int_equal(rf_reader_read(&reader, out, sizeof out, RF_WAIT_FOREVER, &got, &err), RF_OK);
    assert_int_equal(got, 1);
    rf_reader_close(&reader);
    close(ends[1]);
}

static void test_rf_reader_open_call(void **state)
{
    (void)state;
    struct rf_error err;
    struct rf_reader reader = {0};
    char bytes[16];
    size_t got = 0;
    struct chunks chunks = {.bytes = (const uint8_t *)"abc", .count = 3, .rest = 2, .error = EIO};
    rf_reader_open_call(&reader, chunks_read, &chunks);
    assert_int_equal(rf_reader_read(&reader, bytes, 16, RF_WAIT_FOREVER, &got, &err), RF_OK);
    assert_int_equal(got, 2);
    assert_int_equal(rf_reader_read(&reader, bytes, 16, RF_WAIT_FOREVER, &got, &err), RF_OK);
    assert_int_equal(got, 1);
    assert_int_equal(rf_reader_read(&reader, bytes, 16, RF_WAIT_FOREVER, &got, &err), RF_E_IO);
    assert_string_equal(err.text, "cannot read: Input/output error");

    int calls = 0;
    rf_reader_open_call(&reader, interrupted_read, &calls);
    assert_int_equal(rf_reader_read(&reader, bytes, 16, RF_WAIT_FOREVER, &got, &err), RF_OK);
    assert_int_equal(calls, 4);
}

static void test_rf_reader_close(void **state)
{
    (void)state;
    struct rf_error err;
    struct rf_reader reader = {0};
    rf_reader_close(&reader);
    assert_int_equal(rf_reader_open(&reader, path, &err), RF_OK);
    const int fd = reader.fd;
    rf_reader_close(&reader);
    assert_int_equal(fcntl(fd, F_GETFD), -1);
    rf_reader_close(&reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ahead),
        cmocka_unit_test(test_rf_reader_open),       cmocka_unit_test(test_rf_reader_open_stdin),
        cmocka_unit_test(test_rf_reader_read_waits), cmocka_unit_test(test_rf_reader_open_call),
        cmocka_unit_test(test_rf_reader_close),      cmocka_unit_test(test_rf_reader_read_stopped),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
