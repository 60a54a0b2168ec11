/* test_sink.c: what goes in comes out, in order, and failures are told. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "log.h"
#include "sink.h"

static char folder[] = "/tmp/rf_test_sink.XXXXXX";
static char path[4096];

static const char *path_of(const char *name)
{
    assert_true(snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path);
    return path;
}

static void file_write(const char *name, const char *text)
{
    FILE *file = fopen(path_of(name), "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* The whole file as text; the caller frees. NULL when there is none. */
static char *file_read(const char *name, size_t *count)
{
    FILE *file = fopen(path_of(name), "r");
    if (file == NULL) {
        return NULL;
    }
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    const long bytes = ftell(file);
    assert_true(bytes >= 0);
    rewind(file);
    char *text = malloc((size_t)bytes + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)bytes, file), (size_t)bytes);
    text[bytes] = '\0';
    assert_int_equal(fclose(file), 0);
    if (count != NULL) {
        *count = (size_t)bytes;
    }
    return text;
}

static void assert_file(const char *name, const char *expected)
{
    char *text = file_read(name, NULL);
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

static bool has_file(const char *name)
{
    return access(path_of(name), F_OK) == 0;
}

static void write_text(struct rf_sink *sink, const char *text)
{
    struct rf_error err;
    assert_int_equal(rf_sink_write(sink, rf_str_of(text), &err), RF_OK);
}

static struct rf_sink_options plain(void)
{
    return (struct rf_sink_options){.buffer_bytes = 16};
}

/* rf_sink_open_file, rf_sink_finish: the name appears only when everything is in it. */
static void test_open_file(void **state)
{
    (void)state;
    struct rf_error err;
    struct rf_sink *sink = NULL;
    assert_int_equal(rf_sink_open_file(&sink, path_of("new"), plain(), &err), RF_OK);
    write_text(sink, "one\n");
    write_text(sink, "a line that is longer than the buffer\n");
    write_text(sink, "two\n");
    assert_int_equal(rf_sink_bytes(sink), 4 + 38 + 4);
    assert_false(has_file("new"));
    assert_true(has_file("new.part"));
    assert_string_equal(rf_sink_part_name(sink), path_of("new.part"));
    assert_int_equal(rf_sink_finish(sink, &err), RF_OK);
    assert_false(has_file("new.part"));
    assert_null(rf_sink_part_name(sink));
    rf_sink_close(sink);
    assert_file("new", "one\na line that is longer than the buffer\ntwo\n");
}

static void test_open_file_replaces(void **state)
{
    (void)state;
    struct rf_error err;
    struct rf_sink *sink = NULL;
    file_write("old", "before\n");
    file_write("old.part", "rest of a failure that was longer than this\n");
    assert_int_equal(chmod(path_of("old"), 0640), 0);
    assert_int_equal(rf_sink_open_file(&sink, path_of("old"), plain(), &err), RF_OK);
    write_text(sink, "after\n");
    assert_file("old", "before\n");
    assert_int_equal(rf_sink_finish(sink, &err), RF_OK);
    rf_sink_close(sink);
    assert_file("old", "after\n");
    struct stat now;
    assert_int_equal(stat(path_of("old"), &now), 0);
    assert_int_equal(now.st_mode & 0777, 0640);
}

/* Two sinks of one name, the second under another spelling: only one of them gets the file, and keeps it. */
static void test_open_file_twice(void **state)
{
    (void)state;
    struct rf_error err;
    struct rf_sink *first = NULL;
    struct rf_sink *second = NULL;
    assert_int_equal(rf_sink_open_file(&first, path_of("once"), plain(), &err), RF_OK);
    write_text(first, "the first\n");
    assert_int_equal(rf_sink_open_file(&second, path_of("./once"), plain(), &err), RF_E_IO);
    assert_non_null(strstr(err.text, "is being written already"));
    assert_true(has_file("once.part"));
    assert_int_equal(rf_sink_finish(first, &err), RF_OK);
    rf_sink_close(first);
    assert_file("once", "the first\n");
    assert_int_equal(rf_sink_open_file(&second, path_of("once"), plain(), &err), RF_OK);
    assert_int_equal(rf_sink_finish(second, &err), RF_OK);
    rf_sink_close(second);
    assert_file("once", "");
}

static void test_open_file_follows_link(void **state)
{
    (void)state;
    struct rf_error err;
    struct rf_sink *sink = NULL;
    file_write("real", "before\n");
    assert_int_equal(symlink("real", path_of("link")), 0);
    assert_int_equal(rf_sink_open_file(&sink, path_of("link"), plain(), &err), RF_OK);
    write_text(sink, "after\n");
    assert_int_equal(rf_sink_finish(sink, &err), RF_OK);
    rf_sink_close(sink);
    assert_file("real", "after\n");
    struct stat now;
    assert_int_equal(lstat(path_of("link"), &now), 0);
    assert_true(S_ISLNK(now.st_mode));
}

/* A link planted under the temporary name is replaced, never written through. */
static void test_open_file_planted_part(void **state)
{
    (void)state;
    struct rf_error err;
    struct rf_sink *sink = NULL;
    file_write("victim", "precious\n");
    assert_int_equal(symlink("victim", path_of("out.part")), 0);
    assert_int_equal(rf_sink_open_file(&sink, path_of("out"), plain(), &err), RF_OK);
    write_text(sink, "text\n");
    assert_int_equal(rf_sink_finish(sink, &err), RF_OK);
    rf_sink_close(sink);
    assert_file("victim", "precious\n");
    assert_file("out", "text\n");
}

/* rf_sink_close without finish: the old file stays, the rest keeps its telling name. */
static void test_close_without_finish(void **state)
{
    (void)state;
    struct rf_error err;
    struct rf_sink *sink = NULL;
    file_write("kept", "before\n");
    assert_int_equal(rf_sink_open_file(&sink, path_of("kept"), plain(), &err), RF_OK);
    write_text(sink, "half");
    assert_int_equal(rf_sink_flush(sink, &err), RF_OK);
    rf_sink_close(sink);
    assert_file("kept", "before\n");
    assert_file("kept.part", "half");
    rf_sink_close(NULL);
}

static void test_open_file_refused(void **state)
{
    (void)state;
    struct rf_error err;
    struct rf_sink *sink = NULL;
    assert_int_equal(rf_sink_open_file(&sink, path_of("no/such/folder"), plain(), &err), RF_E_IO);
    assert_non_null(strstr(err.text, "no/such/folder"));
    assert_non_null(strstr(err.text, "No such file"));
    assert_int_equal(rf_sink_open_file(&sink, folder, plain(), &err), RF_E_IO);
    assert_non_null(strstr(err.text, "Is a directory"));
    assert_int_equal(rf_sink_open_file(&sink, "/dev/fd/987", plain(), &err), RF_E_IO);
    assert_non_null(strstr(err.text, "Bad file descriptor"));
    if (geteuid() != 0) {
        file_write("locked", "before\n");
        assert_int_equal(chmod(path_of("locked"), 0444), 0);
        assert_int_equal(rf_sink_open_file(&sink, path_of("locked"), plain(), &err), RF_E_IO);
        assert_non_null(strstr(err.text, "Permission denied"));
        assert_false(has_file("locked.part"));
    }
    assert_null(sink);
}

/* Devices are written as they are: no name beside them, and a full one is an error at the latest in finish. */
static void test_full_device(void **state)
{
    (void)state;
    struct rf_error err;
    struct rf_sink *sink = NULL;
    assert_int_equal(rf_sink_open_file(&sink, "/dev/full", plain(), &err), RF_OK);
    write_text(sink, "short\n");
    assert_int_equal(rf_sink_finish(sink, &err), RF_E_IO);
    assert_string_equal(err.text, "write to /dev/full: No space left on device");
    assert_int_equal(rf_sink_write(sink, RF_STR("more"), &err), RF_E_IO);
    assert_int_equal(rf_sink_flush(sink, &err), RF_E_IO);
    assert_int_equal(rf_sink_finish(sink, &err), RF_E_IO);
    rf_sink_close(sink);
    assert_int_not_equal(access("/dev/full.part", F_OK), 0);

    assert_int_equal(rf_sink_open_file(&sink, "/dev/full", plain(), &err), RF_OK);
    assert_int_equal(rf_sink_write(sink, RF_STR("longer than the buffer of 16 bytes\n"), &err), RF_E_IO);
    rf_sink_close(sink);
}

/* rf_sink_open_fd: the descriptor stays open; a reader that has gone is a status of its own. */
static void test_closed_pipe(void **state)
{
    (void)state;
    struct rf_error err;
    struct rf_sink *sink = NULL;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(rf_sink_open_fd(&sink, ends[1], "standard output", plain(), &err), RF_OK);
    write_text(sink, "x");
    assert_int_equal(close(ends[0]), 0);
    assert_int_equal(rf_sink_flush(sink, &err), RF_E_PIPE);
    assert_non_null(strstr(err.text, "standard output"));
    rf_sink_close(sink);
    assert_int_equal(close(ends[1]), 0);
}

static void test_line_buffered(void **state)
{
    (void)state;
    struct rf_error err;
    struct rf_sink *sink = NULL;
    int ends[2];
    char text[8];
    assert_int_equal(pipe(ends), 0);
    struct rf_sink_options options = plain();
    options.is_line_buffered = true;
    assert_int_equal(rf_sink_open_fd(&sink, ends[1], "pipe", options, &err), RF_OK);
    write_text(sink, "now\n");
    assert_int_equal(read(ends[0], text, sizeof text), 4);
    assert_int_equal(rf_sink_finish(sink, &err), RF_OK);
    rf_sink_close(sink);
    assert_int_equal(fcntl(ends[1], F_GETFD) >= 0, 1);
    assert_int_equal(close(ends[0]), 0);
    assert_int_equal(close(ends[1]), 0);
}

struct drain { /* reads a pipe slowly, in odd steps, and remembers everything */
    int fd;
    char *text;
    size_t count, capacity;
};

static void *drain_run(void *context)
{
    struct drain *drain = context;
    for (;;) {
        const size_t room = drain->capacity - drain->count;
        const ssize_t got = read(drain->fd, drain->text + drain->count, room < 4099 ? room : 4099);
        if (got <= 0) {
            return NULL;
        }
        drain->count += (size_t)got;
    }
}

/* rf_sink_write: small and large parts keep their order through short writes of a full, non-blocking pipe. */
static void test_write_order(void **state)
{
    (void)state;
    enum { PARTS = 400, LARGE = 100 * 1000 };
    struct rf_error err;
    struct rf_sink *sink = NULL;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
    char *large = malloc(LARGE);
    assert_non_null(large);
    for (int i = 0; i < LARGE; i++) {
        large[i] = (char)('a' + i % 23);
    }
    const size_t capacity = (size_t)PARTS * LARGE;
    struct drain drain = {.fd = ends[0], .text = malloc(capacity), .capacity = capacity};
    char *expected = malloc(capacity);
    assert_non_null(drain.text);
    assert_non_null(expected);
    pthread_t reader;
    assert_int_equal(pthread_create(&reader, NULL, drain_run, &drain), 0);
    struct rf_sink_options options = {.buffer_bytes = 1000};
    assert_int_equal(rf_sink_open_fd(&sink, ends[1], "pipe", options, &err), RF_OK);
    size_t count = 0;
    for (int i = 0; i < PARTS; i++) {
        const size_t bytes = i % 40 == 39 ? LARGE : (size_t)(i * 7 % 1500);
        assert_int_equal(rf_sink_write(sink, (struct rf_str){large, bytes}, &err), RF_OK);
        memcpy(expected + count, large, bytes);
        count += bytes;
    }
    assert_int_equal(rf_sink_finish(sink, &err), RF_OK);
    assert_int_equal(rf_sink_bytes(sink), count);
    rf_sink_close(sink);
    assert_int_equal(close(ends[1]), 0);
    assert_int_equal(pthread_join(reader, NULL), 0);
    assert_int_equal(close(ends[0]), 0);
    assert_int_equal(drain.count, count);
    assert_memory_equal(drain.text, expected, count);
    free(drain.text);
    free(expected);
    free(large);
}

/* /dev/fd/N is the open descriptor itself: its offset is shared, nothing is truncated. */
static void test_open_descriptor_name(void **state)
{
    (void)state;
    struct rf_error err;
    struct rf_sink *sink = NULL;
    const int fd = open(path_of("shared"), O_WRONLY | O_CREAT, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "head\n", 5), 5);
    char name[64];
    assert_true(snprintf(name, sizeof name, "/dev/fd/%d", fd) < (int)sizeof name);
    assert_int_equal(rf_sink_open_file(&sink, name, plain(), &err), RF_OK);
    write_text(sink, "tail\n");
    assert_int_equal(rf_sink_finish(sink, &err), RF_OK);
    rf_sink_close(sink);
    assert_int_equal(close(fd), 0);
    assert_file("shared", "head\ntail\n");
}

static void test_open_null(void **state)
{
    (void)state;
    struct rf_error err;
    struct rf_sink *sink = NULL;
    assert_int_equal(rf_sink_open_null(&sink, &err), RF_OK);
    write_text(sink, "dropped");
    assert_int_equal(rf_sink_flush(sink, &err), RF_OK);
    assert_int_equal(rf_sink_finish(sink, &err), RF_OK);
    assert_int_equal(rf_sink_bytes(sink), 7);
    rf_sink_close(sink);
}

static int suite_open(void **state)
{
    (void)state;
    rf_log_set_level(RF_LOG_ERROR);
    return signal(SIGPIPE, SIG_IGN) == SIG_ERR || mkdtemp(folder) == NULL ? -1 : 0;
}

static int suite_close(void **state)
{
    (void)state;
    static const char *const names[] = {"new", "old",  "once",      "real",   "link",  "victim",
                                        "out", "kept", "kept.part", "locked", "shared"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        (void)unlink(path_of(names[i]));
    }
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_open_file),
        cmocka_unit_test(test_open_file_replaces),
        cmocka_unit_test(test_open_file_twice),
        cmocka_unit_test(test_open_file_follows_link),
        cmocka_unit_test(test_open_file_planted_part),
        cmocka_unit_test(test_close_without_finish),
        cmocka_unit_test(test_open_file_refused),
        cmocka_unit_test(test_full_device),
        cmocka_unit_test(test_closed_pipe),
        cmocka_unit_test(test_line_buffered),
        cmocka_unit_test(test_write_order),
        cmocka_unit_test(test_open_descriptor_name),
        cmocka_unit_test(test_open_null),
    };
    return cmocka_run_group_tests_name("sink", tests, suite_open, suite_close);
}
