/* test_steady.c: after its first batches a worker takes no memory, whatever the output is.
 *
 * The program is linked with --wrap for the functions below, so calls from our code (and from the compression
 * libraries, which are linked statically) come here first. Each thread counts its own batches: how the scheduler
 * shares them out says nothing about the pipeline.
 */
#include <stdatomic.h>

#include "../fix/fix_samples.h"
#include "arena_asan.h"
#include "stream.h"
#include "worker.h"

enum { WARM_BATCHES = 10, BATCH_BYTES = 8192 };

static _Thread_local uint32_t batches; /* taken by this thread in this run */
static _Thread_local bool is_in_run;
static atomic_uint late_calls;   /* of an allocator, by a thread that has had its first batches */
static atomic_uint late_batches; /* that were watched */
static atomic_uint all_calls;

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
int __real_posix_memalign(void **out, size_t align, size_t bytes);
enum rf_status __real_rf_source_fill(struct rf_source *source, struct rf_batch *batch, struct rf_error *err);
void __real_rf_worker_close(struct rf_worker *worker);

void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);
int __wrap_posix_memalign(void **out, size_t align, size_t bytes);
enum rf_status __wrap_rf_source_fill(struct rf_source *source, struct rf_batch *batch, struct rf_error *err);
void __wrap_rf_worker_close(struct rf_worker *worker);

static void note(void)
{
    atomic_fetch_add(&all_calls, 1);
    if (is_in_run && batches > WARM_BATCHES) {
        atomic_fetch_add(&late_calls, 1);
    }
}

void *__wrap_malloc(size_t bytes)
{
    note();
    return __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    note();
    return __real_calloc(count, bytes);
}

void *__wrap_realloc(void *memory, size_t bytes)
{
    note();
    return __real_realloc(memory, bytes);
}

int __wrap_posix_memalign(void **out, size_t align, size_t bytes)
{
    note();
    return __real_posix_memalign(out, align, bytes);
}

/* The end of a batch is the fill of the next one, or the end of the worker. */
enum rf_status __wrap_rf_source_fill(struct rf_source *source, struct rf_batch *batch, struct rf_error *err)
{
    is_in_run = true;
    batches++;
    if (batches > WARM_BATCHES) {
        atomic_fetch_add(&late_batches, 1);
    }
    return __real_rf_source_fill(source, batch, err);
}

void __wrap_rf_worker_close(struct rf_worker *worker)
{
    is_in_run = false;
    batches = 0;
    __real_rf_worker_close(worker);
}

static void assert_steady(const struct trial *trial)
{
    atomic_store(&late_calls, 0);
    atomic_store(&late_batches, 0);
    atomic_store(&all_calls, 0);
    struct outcome outcome;
    trial_run(trial, &outcome);
    assert_int_equal(outcome.status, RF_OK);
    assert_true(outcome.result.counts.of[RF_ROW_SELECTED] > 0);
    outcome_free(&outcome);
    assert_true(atomic_load(&all_calls) > 0);      /* the functions are really wrapped */
    assert_true(atomic_load(&late_batches) > 150); /* and there was something to see */
    if (atomic_load(&late_calls) != 0) {
        fail_msg("%u allocations in %u batches after the first %d (%s, %u threads)", atomic_load(&late_calls),
                 atomic_load(&late_batches), WARM_BATCHES, trial->predicate, trial->options.threads);
    }
}

/* About 300 batches; the sizes of records, and so of batches and of output, change all the time. */
static void assert_steady_runs(const char *predicate, enum rf_emit emit, const char *projection,
                               enum rf_backend backend)
{
    struct stream stream;
    stream_make(&stream, 45000, "SRRRREMB", 77, true);
    static const struct rf_str names[] = {{"x", 1}};
    for (uint32_t threads = 1; threads <= 2; threads++) {
        for (int has_prefilter = 0; has_prefilter < 2; has_prefilter++) {
            struct trial trial = trial_make(predicate, rf_text_str(&stream.text));
            trial.is_file = true;
            trial.source.batch_bytes = BATCH_BYTES;
            trial.options.rows_max = 0;
            trial.options.threads = threads;
            trial.options.emit = emit;
            trial.options.backend = backend;
            trial.options.is_prefilter_allowed = has_prefilter != 0;
            trial.projection[0] = projection;
            trial.options.column = names;
            assert_steady(&trial);
        }
    }
    stream_free(&stream);
}

static void test_count(void **state)
{
    (void)state;
    assert_steady_runs(STREAM_PREDICATE, RF_EMIT_NONE, NULL, RF_BACKEND_CPU);
}

static void test_lines(void **state)
{
    (void)state;
    assert_steady_runs(STREAM_PREDICATE, RF_EMIT_LINES, NULL, RF_BACKEND_CPU);
}

static void test_json(void **state)
{
    (void)state;
    assert_steady_runs(STREAM_PREDICATE, RF_EMIT_JSON, "id", RF_BACKEND_CPU);
}

/* Rows that the interpreter is asked about: a computed projection, and an atom without a vector form. */
static void test_asked(void **state)
{
    (void)state;
    assert_steady_runs(STREAM_PREDICATE, RF_EMIT_JSON, "{\"n\": price * qty, \"t\": tag + \"!\"}", RF_BACKEND_CPU);
    assert_steady_runs(STREAM_PREDICATE " && tag + \"7\" == \"needle7\"", RF_EMIT_CSV, "tag", RF_BACKEND_CPU);
}

static void test_interp(void **state)
{
    (void)state;
    assert_steady_runs(STREAM_PREDICATE, RF_EMIT_LINES, NULL, RF_BACKEND_INTERP);
}

/* Dead letters and examples. */
static void test_letters(void **state)
{
    (void)state;
    struct stream stream;
    stream_make(&stream, 45000, "SRRRREMB", 78, true);
    struct trial trial = trial_make(STREAM_PREDICATE, rf_text_str(&stream.text));
    trial.is_file = true;
    trial.source.batch_bytes = BATCH_BYTES;
    trial.options.has_file_prefix = trial.options.has_number_prefix = true;
    trial.options.on_error.kind = trial.options.on_malformed.kind = RF_POLICY_FILE;
    assert_steady(&trial);
    stream_free(&stream);
}

/* Whole FIX messages, with groups and repeats, whose numbers of fields change all the time. */
static void test_fix(void **state)
{
    (void)state;
    struct rf_error err;
    struct rf_text stream = {0};
    struct sample_random random = {5};
    while (stream.count < 300 * BATCH_BYTES) {
        uint8_t message[SAMPLE_MAX];
        const size_t bytes = sample_random_message(&random, message, RF_FIX_SOH, false);
        assert_int_equal(rf_text_append(&stream, (struct rf_str){(const char *)message, bytes}, &err), RF_OK);
    }
    for (uint32_t run = 0; run < 4; run++) {
        struct trial trial = trial_make("MsgSeqNum > 0", rf_text_str(&stream));
        trial.is_file = trial.is_fix = true;
        trial.source.batch_bytes = BATCH_BYTES;
        trial.options.rows_max = 0;
        trial.options.threads = 1 + run % 2;
        trial.options.emit = run < 2 ? RF_EMIT_JSON : RF_EMIT_PRETTY;
        assert_steady(&trial);
    }
    rf_text_free(&stream);
}

/* A view of memory: only its tail is copied, once, to be padded. */
static void test_memory(void **state)
{
    (void)state;
    struct stream stream;
    stream_make(&stream, 45000, "SRRRREMB", 79, true);
    struct trial trial = trial_make(STREAM_PREDICATE, rf_text_str(&stream.text));
    trial.source.batch_bytes = BATCH_BYTES;
    atomic_store(&late_calls, 0);
    atomic_store(&late_batches, 0);
    struct outcome outcome;
    trial_run(&trial, &outcome);
    assert_int_equal(outcome.status, RF_OK);
    outcome_free(&outcome);
    assert_true(atomic_load(&late_batches) > 150);
    assert_int_equal(atomic_load(&late_calls), 1);
    stream_free(&stream);
}

int main(void)
{
    if (RF_ARENA_ASAN) {
        (void)puts("test_steady: the arena's twin takes every piece from the heap: nothing to see here");
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_count),  cmocka_unit_test(test_lines),  cmocka_unit_test(test_json),
        cmocka_unit_test(test_asked),  cmocka_unit_test(test_interp), cmocka_unit_test(test_letters),
        cmocka_unit_test(test_memory), cmocka_unit_test(test_fix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
