/* test_pipeline.c: whole runs against a plain model of what a filter does, over threads, batch sizes and engines. */
#include <fcntl.h>
#include <signal.h>

#include "stream.h"

static const uint32_t thread_counts[] = {1, 2, 4};
static const uint32_t batch_sizes[] = {64, 300, 1024, 0};

/* One run of the stream; everything is compared with the model. */
static void assert_run(const struct trial *trial, const struct stream *stream)
{
    struct model model = {0};
    model_run(&model, stream, &trial->options, "input.0");
    struct outcome outcome;
    trial_run(trial, &outcome);
    assert_int_equal(outcome.status, model.is_stopped ? RF_E_DATA : RF_OK);
    assert_text(&outcome.output, rf_text_str(&model.output), "output");
    assert_counts(&outcome.result.counts, &model.counts, trial->options.is_prefilter_allowed);
    assert_int_equal(outcome.result.was_stopped, model.counts.of[RF_ROW_SELECTED] == trial->options.max_count);
    outcome_free(&outcome);
    model_free(&model);
}

/* The same on threads, batch sizes, and both kinds of source. */
static void assert_runs(struct trial trial, const struct stream *stream)
{
    for (size_t t = 0; t < sizeof(thread_counts) / sizeof(thread_counts[0]); t++) {
        for (size_t b = 0; b < sizeof(batch_sizes) / sizeof(batch_sizes[0]); b++) {
            trial.options.threads = thread_counts[t];
            trial.source.batch_bytes = batch_sizes[b];
            trial.is_file = false;
            assert_run(&trial, stream);
            trial.is_file = !trial.options.has_file_prefix; /* or its name would be a path */
            assert_run(&trial, stream);
        }
    }
}

static void test_order_and_counts(void **state)
{
    (void)state;
    static const char *const kinds[] = {"SREMB", "SSSSSSSSR", "RRRRRRRRRRRRRRRS", "S", "R", "B", "M", "E"};
    for (uint32_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
        struct stream stream;
        stream_make(&stream, 500, kinds[k], k, k % 2 == 0);
        struct trial trial = trial_make(STREAM_PREDICATE, rf_text_str(&stream.text));
        assert_runs(trial, &stream);
        trial.options.is_inverted = true;
        assert_runs(trial, &stream);
        trial.options.is_inverted = false;
        trial.options.emit = RF_EMIT_NONE;
        assert_runs(trial, &stream);
        stream_free(&stream);
    }
}

static void test_engines(void **state)
{
    (void)state;
    struct stream stream;
    stream_make(&stream, 700, "SREMB", 41, true);
    struct trial trial = trial_make(STREAM_PREDICATE, rf_text_str(&stream.text));
    for (int isa = RF_ISA_SCALAR; isa <= (int)rf_isa_best(); isa++) {
        trial.options.isa = (enum rf_isa)isa;
        assert_runs(trial, &stream);
    }
    trial.options.backend = RF_BACKEND_INTERP;
    assert_runs(trial, &stream);
    stream_free(&stream);
}

/* The output of `now` for every record, over batches of a few records each: it never goes back. */
static void assert_nows(const struct trial *trial, bool is_fixed)
{
    struct outcome outcome;
    trial_run(trial, &outcome);
    assert_int_equal(outcome.status, RF_OK);
    struct rf_instant last = {0};
    uint32_t lines = 0;
    uint32_t instants = 0;
    const char *at = outcome.output.data;
    const char *const end = at + outcome.output.count;
    while (at < end) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        assert_non_null(line_end);
        struct rf_instant now;
        assert_true(at[0] == '"' && line_end[-1] == '"');
        assert_true(rf_instant_parse((struct rf_str){at + 1, (size_t)(line_end - at) - 2}, &now));
        assert_true(rf_instant_compare(last, now) <= 0);
        instants += rf_instant_compare(last, now) < 0 ? 1 : 0;
        last = now;
        lines++;
        at = line_end + 1;
    }
    assert_int_equal(lines, 2000);
    assert_true(is_fixed ? instants == 1 : instants > 10);
    if (is_fixed) {
        assert_int_equal(rf_instant_compare(last, trial->options.now), 0);
    }
    outcome_free(&outcome);
}

static void test_now(void **state)
{
    (void)state;
    struct stream stream;
    stream_make(&stream, 2000, "S", 5, true);
    struct trial trial = trial_make("now > timestamp(0)", rf_text_str(&stream.text));
    trial.projection[0] = "now";
    trial.options.emit = RF_EMIT_JSON;
    trial.options.now = (struct rf_instant){1, 999999999};
    trial.source.batch_bytes = 1024;
    for (int turn = 0; turn < 4; turn++) {
        trial.options.backend = turn % 2 == 0 ? RF_BACKEND_CPU : RF_BACKEND_INTERP;
        trial.options.has_now = turn / 2 != 0;
        for (size_t t = 0; t < sizeof(thread_counts) / sizeof(thread_counts[0]); t++) {
            trial.options.threads = thread_counts[t];
            assert_nows(&trial, trial.options.has_now);
        }
    }
    stream_free(&stream);
}

static void test_prefilter(void **state)
{
    (void)state;
    struct stream stream;
    stream_make(&stream, 3000, "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRSEMB", 5, false);
    struct trial trial = trial_make(STREAM_PREDICATE, rf_text_str(&stream.text));
    trial.options.is_prefilter_allowed = true;
    for (int isa = RF_ISA_SCALAR; isa <= (int)rf_isa_best(); isa++) {
        trial.options.isa = (enum rf_isa)isa;
        assert_runs(trial, &stream);
        trial.options.has_file_prefix = trial.options.has_number_prefix = true;
        assert_runs(trial, &stream);
        trial.options.has_file_prefix = trial.options.has_number_prefix = false;
    }
    struct outcome outcome;
    trial_run(&trial, &outcome);
    assert_true(outcome.result.was_prefiltered);
    outcome_free(&outcome);
    trial.options.on_error.kind = RF_POLICY_PASS; /* then every record must be looked at */
    trial_run(&trial, &outcome);
    assert_false(outcome.result.was_prefiltered);
    outcome_free(&outcome);
    assert_runs(trial, &stream);
    stream_free(&stream);
}

/* More records in a batch than a round takes: tables of 128 rows, dense and sparse. */
static void test_rounds(void **state)
{
    (void)state;
    static const char *const kinds[] = {"SREMB", "RRRRRRRRRS", "RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRSSME", "S", "B"};
    for (uint32_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
        for (uint32_t rows = 127; rows <= 129; rows++) {
            struct stream stream;
            stream_make(&stream, rows + (k == 2 ? 10000 : 0), kinds[k], k, rows != 128);
            struct trial trial = trial_make(STREAM_PREDICATE, rf_text_str(&stream.text));
            trial.options.has_number_prefix = true;
            assert_run(&trial, &stream);
            trial.options.is_prefilter_allowed = true;
            for (int isa = RF_ISA_SCALAR; isa <= (int)rf_isa_best(); isa++) {
                trial.options.isa = (enum rf_isa)isa;
                assert_run(&trial, &stream);
            }
            trial.options.max_count = 200;
            assert_run(&trial, &stream);
            stream_free(&stream);
        }
    }
}

static void test_policies(void **state)
{
    (void)state;
    struct stream stream;
    stream_make(&stream, 400, "SSRRRRREMB", 17, true);
    static const enum rf_policy_kind policies[] = {RF_POLICY_DROP, RF_POLICY_PASS, RF_POLICY_STOP, RF_POLICY_FILE};
    for (int e = 0; e < 4; e++) {
        for (int m = 0; m < 4; m++) {
            struct trial trial = trial_make(STREAM_PREDICATE, rf_text_str(&stream.text));
            trial.options.on_error.kind = policies[e];
            trial.options.on_malformed.kind = policies[m];
            assert_runs(trial, &stream);
            trial.options.backend = RF_BACKEND_INTERP;
            assert_runs(trial, &stream);
        }
    }
    stream_free(&stream);
}

/* A stop names the record; without bad records the policy changes nothing. */
static void test_policy_stop(void **state)
{
    (void)state;
    struct trial trial = trial_make("a > 1", RF_STR("{\"a\":2}\n{\"a\":0}\n{\"b\":2}\n{\"a\":3}\n{\"a\":\n"));
    struct outcome outcome;
    trial.options.on_error.kind = trial.options.on_malformed.kind = RF_POLICY_STOP;
    trial_run(&trial, &outcome);
    assert_int_equal(outcome.status, RF_E_DATA);
    assert_non_null(strstr(outcome.err.text, "input.0:3: error: "));
    assert_text(&outcome.output, RF_STR("{\"a\":2}\n"), "before the error");
    outcome_free(&outcome);

    trial.options.on_error.kind = RF_POLICY_DROP;
    trial_run(&trial, &outcome);
    assert_int_equal(outcome.status, RF_E_DATA);
    assert_non_null(strstr(outcome.err.text, "input.0:5: malformed at byte "));
    assert_text(&outcome.output, RF_STR("{\"a\":2}\n{\"a\":3}\n"), "before the malformed one");
    outcome_free(&outcome);

    trial.input[0] = RF_STR("{\"a\":2}\n{\"a\":0}\n");
    trial_run(&trial, &outcome);
    assert_int_equal(outcome.status, RF_OK);
    outcome_free(&outcome);
}

static void test_max_count(void **state)
{
    (void)state;
    struct stream stream;
    stream_make(&stream, 1200, "RRRRRRRRRRRRRRRRRRSSEMB", 23, false);
    uint64_t selected = 0;
    for (uint32_t row = 0; row < stream.rows; row++) {
        selected += stream.kind[row] == STREAM_SELECTED;
    }
    const uint64_t wanted[] = {1, 2, 3, 7, 50, selected - 1, selected, selected + 1};
    for (size_t w = 0; w < sizeof(wanted) / sizeof(wanted[0]); w++) {
        struct trial trial = trial_make(STREAM_PREDICATE, rf_text_str(&stream.text));
        trial.options.max_count = wanted[w];
        trial.options.has_number_prefix = w % 2 == 0;
        assert_runs(trial, &stream);
        trial.options.is_prefilter_allowed = true;
        assert_runs(trial, &stream);
        trial.options.is_prefilter_allowed = false;
        trial.options.on_error.kind = trial.options.on_malformed.kind = RF_POLICY_PASS;
        assert_runs(trial, &stream);
        trial.options.is_inverted = true;
        assert_runs(trial, &stream);
    }
    struct trial trial = trial_make(STREAM_PREDICATE, rf_text_str(&stream.text));
    trial.options.max_count = 0;
    struct outcome outcome;
    trial_run(&trial, &outcome);
    assert_int_equal(outcome.status, RF_OK);
    assert_int_equal(rf_counts_read(&outcome.result.counts), 0);
    assert_int_equal(outcome.output.count, 0);
    outcome_free(&outcome);
    stream_free(&stream);
}

/* Enough is found while other threads wait for more from a pipe that stays open: the run ends all the same. */
static void test_max_count_pipe(void **state)
{
    (void)state;
    enum { TRIES = 20 };
    struct trial trial = trial_make("a == 1", RF_STR("")); /* for its options */
    struct rf_compiled compiled;
    trial_compile(&trial, &compiled);
    for (int i = 0; i < TRIES; i++) {
        int ends[2];
        char name[32];
        struct rf_error err;
        assert_int_equal(pipe(ends), 0);
        assert_int_equal(write(ends[1], "{\"a\":1}\n", 8), 8);
        (void)snprintf(name, sizeof(name), "/dev/fd/%d", ends[0]);
        const char *names[] = {name};
        struct rf_source *source;
        const struct rf_source_options source_options = {.is_line_buffered = true};
        assert_int_equal(rf_source_open_files(&source, names, 1, source_options, &err), RF_OK);
        struct kept output = kept_open();
        struct rf_pipeline_options options = trial.options;
        struct rf_pipeline_result result;
        options.compiled = &compiled;
        options.source = source;
        options.sink = output.sink;
        options.threads = 4;
        options.max_count = 1;
        assert_int_equal(rf_pipeline_run(&options, &result, &err), RF_OK);
        struct rf_text text;
        kept_close(&output, &text);
        assert_string_equal(text.data, "{\"a\":1}\n");
        rf_text_free(&text);
        rf_source_close(source);
        close(ends[0]);
        close(ends[1]);
    }
    rf_compiled_close(&compiled);
}

/* Names and numbers over several inputs: each begins at 1 again. */
static void test_several_inputs(void **state)
{
    (void)state;
    struct stream stream[3];
    stream_make(&stream[0], 400, "RRRRRRRRRRRRRRRRRSEMB", 1, false);
    stream_make(&stream[1], 1, "S", 2, true);
    stream_make(&stream[2], 300, "RRRRRRRRRRRRRRRRRSS", 3, true);
    for (int has_prefilter = 0; has_prefilter < 2; has_prefilter++) {
        for (size_t t = 0; t < 3; t++) {
            for (size_t b = 0; b < 4; b++) {
                struct trial trial = trial_make(STREAM_PREDICATE, rf_text_str(&stream[0].text));
                trial.input[1] = rf_text_str(&stream[1].text);
                trial.input[2] = rf_text_str(&stream[2].text);
                trial.is_file = true;
                trial.options.threads = thread_counts[t];
                trial.source.batch_bytes = batch_sizes[b];
                trial.options.is_prefilter_allowed = has_prefilter != 0;
                trial.options.has_number_prefix = true;
                struct model model = {0};
                for (int i = 0; i < 3; i++) {
                    model_run(&model, &stream[i], &trial.options, "");
                }
                struct outcome outcome;
                trial_run(&trial, &outcome);
                assert_int_equal(outcome.status, RF_OK);
                assert_text(&outcome.output, rf_text_str(&model.output), "several inputs");
                assert_counts(&outcome.result.counts, &model.counts, has_prefilter != 0);
                outcome_free(&outcome);
                model_free(&model);
            }
        }
    }
    for (int i = 0; i < 3; i++) {
        stream_free(&stream[i]);
    }
}

/* A record beyond the limit is one malformed row, whatever stands around it. */
static void test_oversize(void **state)
{
    (void)state;
    struct rf_error err;
    struct rf_text text = {0};
    assert_int_equal(rf_text_append(&text, RF_STR("{\"a\":1}\n{\"a\":2}\n{\"a\":3,\"b\":\""), &err), RF_OK);
    for (int i = 0; i < 9000; i++) {
        assert_int_equal(rf_text_append_char(&text, 'x', &err), RF_OK);
    }
    assert_int_equal(rf_text_append(&text, RF_STR("\"}\n{\"a\":4}\n{\"b\":5}\n{\"a\":6}"), &err), RF_OK);
    for (size_t t = 0; t < 3; t++) {
        for (int is_file = 0; is_file < 2; is_file++) {
            for (int policy = RF_POLICY_DROP; policy <= RF_POLICY_FILE; policy++) {
                struct trial trial = trial_make("a > 1", rf_text_str(&text));
                trial.is_file = is_file != 0;
                trial.source.batch_bytes = 64;
                trial.source.record_bytes_max = trial.options.record_bytes_max = 100;
                trial.options.threads = thread_counts[t];
                trial.options.has_number_prefix = true;
                trial.options.on_malformed.kind = (enum rf_policy_kind)policy;
                struct outcome outcome;
                trial_run(&trial, &outcome);
                if (policy == RF_POLICY_STOP) {
                    assert_int_equal(outcome.status, RF_E_DATA);
                    assert_text(&outcome.output, RF_STR("2:{\"a\":2}\n"), "stopped");
                } else {
                    assert_int_equal(outcome.status, RF_OK);
                    assert_text(&outcome.output, RF_STR("2:{\"a\":2}\n4:{\"a\":4}\n6:{\"a\":6}\n"), "oversize");
                    assert_int_equal(outcome.result.counts.of[RF_ROW_MALFORMED], 1);
                    assert_int_equal(outcome.result.counts.of[RF_ROW_ERROR], 1);
                    assert_int_equal(rf_counts_read(&outcome.result.counts), 6);
                    assert_int_equal(outcome.result.counts.bytes, text.count);
                    assert_int_equal(outcome.result.examples, 2);
                    assert_int_equal(outcome.result.example[0].where.number, 3);
                    assert_string_equal(outcome.result.example[0].reason, "longer than --max-record");
                }
                outcome_free(&outcome);
            }
        }
    }
    rf_text_free(&text);
}

static void test_text_and_empty(void **state)
{
    (void)state;
    struct outcome outcome;
    struct trial trial = trial_make("raw.contains(\"b\")", RF_STR("abc\n\nxyz\nb\r\n\xff\n b"));
    trial.options.is_text = true;
    for (int has_prefilter = 0; has_prefilter < 2; has_prefilter++) {
        trial.options.is_prefilter_allowed = has_prefilter != 0;
        trial_run(&trial, &outcome);
        assert_int_equal(outcome.status, RF_OK);
        assert_text(&outcome.output, RF_STR("abc\nb\r\n b\n"), "text");
        assert_int_equal(outcome.result.counts.of[RF_ROW_BLANK], 0);
        assert_int_equal(rf_counts_read(&outcome.result.counts), 6);
        outcome_free(&outcome);
    }
    for (int is_file = 0; is_file < 2; is_file++) {
        trial = trial_make("a > 1", RF_STR(""));
        trial.is_file = is_file != 0;
        trial.options.threads = 4;
        trial_run(&trial, &outcome);
        assert_int_equal(outcome.status, RF_OK);
        assert_int_equal(rf_counts_read(&outcome.result.counts), 0);
        assert_int_equal(outcome.output.count, 0);
        outcome_free(&outcome);
    }
}

/* An input that cannot be read is told to on_problem; the others are read. */
static void problem_count(void *context, const char *input_name, const char *text)
{
    assert_non_null(strstr(input_name, "input.1"));
    assert_true(text[0] != '\0');
    (*(int *)context)++;
}

static void test_problem(void **state)
{
    (void)state;
    int problems = 0;
    struct trial trial = trial_make("a > 1", RF_STR("{\"a\":2}"));
    trial.input[1] = RF_STR("\xff\xfe{\0\"\0"); /* UTF-16 */
    trial.input[2] = RF_STR("{\"a\":3}\n");
    trial.is_file = true;
    trial.source.on_problem = problem_count;
    trial.source.context = &problems;
    struct outcome outcome;
    trial_run(&trial, &outcome);
    assert_int_equal(outcome.status, RF_OK);
    assert_int_equal(problems, 1);
    assert_text(&outcome.output, RF_STR("{\"a\":2}\n{\"a\":3}\n"), "around the bad input");
    outcome_free(&outcome);
}

/* A sink that fails ends the run with its status; no thread is left waiting (or the alarm ends the test). */
static void assert_failing_sink(int fd, enum rf_status expected)
{
    struct stream stream;
    stream_make(&stream, 20000, "S", 1, true);
    for (size_t t = 0; t < 3; t++) {
        for (int emit = RF_EMIT_LINES; emit <= RF_EMIT_CSV; emit++) {
            struct rf_error err;
            struct rf_sink *sink = NULL;
            const struct rf_sink_options sink_options = {.buffer_bytes = 512};
            assert_int_equal(rf_sink_open_fd(&sink, fd, "broken", sink_options, &err), RF_OK);
            struct trial trial = trial_make(STREAM_PREDICATE, rf_text_str(&stream.text));
            trial.projection[0] = emit == RF_EMIT_LINES ? NULL : "id";
            trial.source.batch_bytes = 512;
            trial.options.emit = (enum rf_emit)emit;
            trial.options.threads = thread_counts[t];
            trial.options.sink = sink;
            struct outcome outcome;
            trial_run(&trial, &outcome);
            assert_int_equal(outcome.status, expected);
            assert_int_equal(outcome.err.status, expected);
            assert_non_null(strstr(outcome.err.text, "broken"));
            assert_true(outcome.result.counts.of[RF_ROW_SELECTED] < stream.rows);
            outcome_free(&outcome);
            rf_sink_close(sink);
        }
    }
    stream_free(&stream);
}

static void test_sink_pipe(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    close(ends[0]);
    alarm(120);
    assert_failing_sink(ends[1], RF_E_PIPE);
    alarm(0);
    close(ends[1]);
}

static void test_sink_full(void **state)
{
    (void)state;
    const int fd = open("/dev/full", O_WRONLY);
    assert_true(fd >= 0);
    alarm(120);
    assert_failing_sink(fd, RF_E_IO);
    alarm(0);
    close(fd);
}

/* Progress is told in the order of the input: the counts never go back, and end below the result. */
struct progress {
    uint64_t read;
    uint32_t calls;
};

static void progress_note(void *context, const struct rf_counts *counts)
{
    struct progress *progress = context;
    assert_true(rf_counts_read(counts) >= progress->read);
    progress->read = rf_counts_read(counts);
    progress->calls++;
}

static void test_progress(void **state)
{
    (void)state;
    struct stream stream;
    stream_make(&stream, 5000, "SR", 1, true);
    struct progress progress = {0, 0};
    struct trial trial = trial_make(STREAM_PREDICATE, rf_text_str(&stream.text));
    trial.source.batch_bytes = 64;
    trial.options.threads = 4;
    trial.options.on_progress = progress_note;
    trial.options.context = &progress;
    assert_run(&trial, &stream);
    assert_true(progress.calls >= 1);
    assert_true(progress.read <= stream.rows);
    stream_free(&stream);
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_and_counts),
        cmocka_unit_test(test_engines),
        cmocka_unit_test(test_now),
        cmocka_unit_test(test_prefilter),
        cmocka_unit_test(test_rounds),
        cmocka_unit_test(test_policies),
        cmocka_unit_test(test_policy_stop),
        cmocka_unit_test(test_max_count),
        cmocka_unit_test(test_max_count_pipe),
        cmocka_unit_test(test_several_inputs),
        cmocka_unit_test(test_oversize),
        cmocka_unit_test(test_text_and_empty),
        cmocka_unit_test(test_problem),
        cmocka_unit_test(test_sink_pipe),
        cmocka_unit_test(test_sink_full),
        cmocka_unit_test(test_progress),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
