/* test_suite.c: whole case files: one line for each line. */
#include "suite_fixture.h"

#include <stdlib.h>
#include <unistd.h>

#include "suite.h"

/* Runs a file with that content; the result, in a text of the caller. */
static void runs(const char *content, size_t count, struct rf_text *out)
{
    char name[] = "/tmp/riffle-suite-XXXXXX";
    char result[] = "/tmp/riffle-suite-XXXXXX";
    char buffer[4096];
    const int fd = mkstemp(name);
    const int result_fd = mkstemp(result);
    assert_true(fd >= 0 && result_fd >= 0);
    for (size_t done = 0; done < count;) {
        const ssize_t written = write(fd, content + done, count - done);
        assert_true(written > 0);
        done += (size_t)written;
    }
    struct rf_suite suite;
    struct rf_sink *sink = NULL;
    bool has_problem = true;
    rf_suite_open(&suite, (struct rf_suite_options){.engine_name = "interp"});
    fixture_ok(rf_sink_open_fd(&sink, result_fd, "result", (struct rf_sink_options){0}, &err));
    fixture_ok(rf_suite_run(&suite, name, sink, &has_problem, &err));
    fixture_ok(rf_sink_finish(sink, &err));
    rf_sink_close(sink);
    rf_suite_close(&suite);
    assert_false(has_problem);
    assert_int_equal(lseek(result_fd, 0, SEEK_SET), 0);
    ssize_t got;
    while ((got = read(result_fd, buffer, sizeof buffer)) > 0) {
        fixture_ok(rf_text_append(out, (struct rf_str){buffer, (size_t)got}, &err));
    }
    (void)close(fd);
    (void)close(result_fd);
    (void)unlink(name);
    (void)unlink(result);
}

static void gives(const char *content, const char *wanted)
{
    struct rf_text text = {0};
    runs(content, strlen(content), &text);
    fixture_text_is(&text, wanted);
}

#define TAIL ",\"engine\":\"interp\",\"fallback\":false,\"lifted\":0}\n"
#define ONE "{\"line\":1,\"ok\":{\"value\":{\"int\":\"1\"}}" TAIL
#define TWO "{\"line\":2,\"ok\":{\"value\":{\"int\":\"2\"}}" TAIL

static void test_lines(void **state)
{
    (void)state;
    gives("", "");
    gives("{\"line\":1,\"expr\":\"1\"}\n{\"line\":2,\"expr\":\"2\"}\n", ONE TWO);
    gives("{\"line\":1,\"expr\":\"1\"}\r\n{\"line\":2,\"expr\":\"2\"}", ONE TWO);
    gives("\xEF\xBB\xBF{\"line\":1,\"expr\":\"1\"}\n", ONE);
    gives("{\"line\":1,\"expr\":\"1\"}\n\n{\"line\":2,\"expr\":\"2\"}\n",
          ONE "{\"line\":null,\"ok\":{\"error\":\"no JSON: the record ends in the middle of a value (byte 0)\","
              "\"phase\":\"parse\"}" TAIL TWO);
}

static void test_long_lines(void **state)
{
    (void)state;
    enum { LONG = 16 * 1024 * 1024 + 1 };
    static const char last[] = "\n{\"line\":2,\"expr\":\"2\"}\n";
    char *content = malloc(LONG + sizeof last);
    assert_non_null(content);
    memset(content, ' ', LONG);
    memcpy(content + LONG, last, sizeof last);
    struct rf_text text = {0};
    runs(content, LONG + sizeof last - 1, &text);
    fixture_text_is(
        &text, "{\"line\":null,\"ok\":{\"error\":\"the line is longer than 16 MiB\",\"phase\":\"parse\"}" TAIL TWO);
    /* One byte less is a line like any other. */
    static const char first[] = "{\"line\":1,\"expr\":\"1\"}";
    memcpy(content, first, sizeof first - 1);
    memcpy(content + LONG - 1, last, sizeof last);
    runs(content, LONG + sizeof last - 2, &text);
    fixture_text_is(&text, ONE TWO);
    free(content);
}

static void test_missing_file(void **state)
{
    (void)state;
    struct rf_suite suite;
    struct rf_sink *sink = NULL;
    bool has_problem = false;
    rf_suite_open(&suite, (struct rf_suite_options){.engine_name = "interp"});
    fixture_ok(rf_sink_open_null(&sink, &err));
    fixture_ok(rf_suite_run(&suite, "/nonexistent/cases.jsonl", sink, &has_problem, &err));
    assert_true(has_problem);
    assert_int_equal(suite.counts.lines, 0);
    rf_sink_close(sink);
    rf_suite_close(&suite);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_long_lines),
        cmocka_unit_test(test_missing_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
