/* test_worker.c: one thread's stages, round by round. */
#include <time.h>

#include "emit.h"
#include "stages.h"
#include "stream.h"

/* Each round continues where the one before ended; together they are the whole batch, once. */
static void assert_rounds(const struct trial *trial, const struct stream *stream, bool is_sparse)
{
    struct stages stages;
    stages_open(&stages, trial);
    struct rf_worker *worker = &stages.worker;
    struct rf_counts counts = {{0}, 0};
    uint32_t batches = 0;
    uint32_t rounds = 0;
    uint32_t lines = 0;
    while (stages_fill(&stages)) {
        batches++;
        do {
            stages_run(&stages);
            rounds++;
            assert_true(worker->rows.rows <= worker->rows.rows_max);
            assert_true(worker->rows.cursor > worker->batch.cursor);
            assert_true(worker->rows.lines >= worker->rows.rows);
            assert_int_equal(worker->rows.is_sparse, is_sparse);
            assert_int_equal(worker->counts.bytes, worker->rows.cursor - worker->batch.cursor);
            assert_int_equal(rf_counts_read(&worker->counts), worker->rows.lines);
            assert_int_equal(worker->selection.count, worker->counts.of[RF_ROW_SELECTED]);
            for (uint32_t i = 0; i < worker->selection.count; i++) {
                const uint32_t row = worker->selection.row[i];
                const size_t at = worker->batch.offset + worker->rows.begin[row];
                const struct rf_where where = rf_row_where(&worker->batch, &worker->rows, row);
                assert_int_equal(where.offset, at);
                uint32_t number = lines;
                while (stream->begin[number] < at) {
                    number++;
                }
                assert_int_equal(stream->begin[number], at);
                assert_int_equal(stream->kind[number], STREAM_SELECTED);
                assert_int_equal(worker->rows.status[row], RF_ROW_SELECTED);
            }
            lines += worker->rows.lines;
            for (int s = 0; s < RF_ROW_STATUS_COUNT; s++) {
                counts.of[s] += worker->counts.of[s];
            }
            counts.bytes += worker->counts.bytes;
        } while (stages_move(&stages));
        assert_int_equal(worker->batch.cursor, worker->batch.bytes_used);
    }
    assert_int_equal(batches, 1);
    assert_true(rounds > 2);
    assert_int_equal(worker->was_prefiltered, is_sparse);
    struct model model = {0};
    model_run(&model, stream, &stages.options, "");
    assert_counts(&counts, &model.counts, is_sparse);
    model_free(&model);
    stages_close(&stages);
}

/* rf_worker_index, rf_worker_extract, rf_worker_eval, rf_worker_select */
static void test_rounds_dense(void **state)
{
    (void)state;
    struct stream stream;
    stream_make(&stream, 1000, "SREMB", 3, false);
    struct trial trial = trial_make(STREAM_PREDICATE, rf_text_str(&stream.text));
    for (int isa = RF_ISA_SCALAR; isa <= (int)rf_isa_best(); isa++) {
        trial.options.isa = (enum rf_isa)isa;
        assert_rounds(&trial, &stream, false);
    }
    trial.options.backend = RF_BACKEND_INTERP;
    assert_rounds(&trial, &stream, false);
    stream_free(&stream);
}

static void test_rounds_sparse(void **state)
{
    (void)state;
    struct stream stream;
    stream_make(&stream, 4000, "RRRRRRRRRRRRSSEM", 3, false);
    struct trial trial = trial_make(STREAM_PREDICATE, rf_text_str(&stream.text));
    trial.options.is_prefilter_allowed = true;
    for (int isa = RF_ISA_SCALAR; isa <= (int)rf_isa_best(); isa++) {
        trial.options.isa = (enum rf_isa)isa;
        assert_rounds(&trial, &stream, true);
    }
    stream_free(&stream);
}

/* rf_worker_open: the prefilter is on only where nobody can tell. */
static bool is_prefiltering(const struct trial *trial)
{
    struct stages stages;
    stages_open(&stages, trial);
    const bool result = stages.worker.is_prefiltering;
    stages_close(&stages);
    return result;
}

static void test_open(void **state)
{
    (void)state;
    struct trial trial = trial_make("tag == \"needle\"", RF_STR("{}"));
    assert_false(is_prefiltering(&trial));
    trial.options.is_prefilter_allowed = true;
    assert_true(is_prefiltering(&trial));
    struct trial other = trial;
    other.options.is_inverted = true;
    assert_false(is_prefiltering(&other));
    other = trial;
    other.options.is_validating = true;
    assert_false(is_prefiltering(&other));
    other = trial;
    other.options.backend = RF_BACKEND_INTERP;
    assert_false(is_prefiltering(&other));
    other = trial;
    other.predicate = "tag == \"needle\" && record.number > 1";
    assert_false(is_prefiltering(&other));
    other = trial;
    other.predicate = "price > 1";
    assert_false(is_prefiltering(&other));
    for (int policy = RF_POLICY_PASS; policy <= RF_POLICY_FILE; policy++) {
        other = trial;
        other.options.on_error.kind = (enum rf_policy_kind)policy;
        assert_false(is_prefiltering(&other));
        other = trial;
        other.options.on_malformed.kind = (enum rf_policy_kind)policy;
        assert_false(is_prefiltering(&other));
    }
}

/* rf_worker_close: also what was never opened, and twice. */
static void test_close(void **state)
{
    (void)state;
    struct rf_worker worker;
    memset(&worker, 0, sizeof(worker));
    rf_worker_close(&worker);
    struct trial trial = trial_make("a > 1", RF_STR("{\"a\":2}\n"));
    struct stages stages;
    stages_open(&stages, &trial);
    assert_true(stages_fill(&stages));
    stages_run(&stages);
    stages_close(&stages);
}

/* rf_worker_read_row: the record's own text, number and place; a malformed one says why. */
static void test_read_row(void **state)
{
    (void)state;
    struct trial trial =
        trial_make("record.number == 2 && record.offset == 8", RF_STR("{\"a\":1}\n{\"a\":2}\n{\"a\":\n\n[1]"));
    trial.options.backend = RF_BACKEND_INTERP;
    trial.projection[0] = "raw";
    struct stages stages;
    stages_open(&stages, &trial);
    assert_true(stages_fill(&stages));
    stages_run(&stages);
    struct rf_worker *worker = &stages.worker;
    assert_int_equal(worker->rows.rows, 5);
    assert_int_equal(worker->selection.count, 1);
    assert_int_equal(worker->selection.row[0], 1);
    struct rf_error err;
    struct rf_malformed malformed;
    static const char *const text[] = {"{\"a\":1}", "{\"a\":2}", NULL, NULL, "[1]"};
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t row = 0; row < 5; row++) {
            if (text[row] != NULL) {
                assert_int_equal(rf_worker_read_row(worker, row, &malformed, &err), RF_OK);
                assert_int_equal(malformed.reason, RF_REASON_NONE);
                assert_int_equal(rf_interp_predicate(worker->interp, 0), row == 1 ? RF_TRUTH_TRUE : RF_TRUTH_FALSE);
                assert_true(rf_str_equal(rf_interp_project(worker->interp, 0).text, rf_str_of(text[row])));
            }
        }
        assert_int_equal(rf_worker_read_row(worker, 2, &malformed, &err), RF_OK);
        assert_int_equal(malformed.reason, RF_REASON_UNFINISHED);
        assert_int_equal(malformed.offset, 5);
    }
    stages_close(&stages);
}

static void assert_now(const struct trial *trial, struct rf_instant least, struct rf_instant most)
{
    struct stages stages;
    struct rf_error err;
    struct rf_malformed malformed;
    stages_open(&stages, trial);
    assert_true(stages_fill(&stages));
    struct rf_worker *worker = &stages.worker;
    const struct rf_instant now = {worker->batch.now_seconds, worker->batch.now_nanos};
    assert_true(rf_instant_compare(least, now) <= 0 && rf_instant_compare(now, most) <= 0);
    uint32_t selected = 0;
    do {
        stages_run(&stages);
        for (uint32_t i = 0; i < worker->selection.count; i++) {
            struct rf_value value;
            assert_int_equal(rf_emit_value(worker, worker->selection.row[i], 0, &value, &err), RF_OK);
            assert_int_equal(value.type, RF_TYPE_TIMESTAMP);
            assert_int_equal(rf_instant_compare(rf_value_to_instant(value), now), 0);
            /* The interpreter, asked about the row, has the same. */
            assert_int_equal(rf_worker_read_row(worker, worker->selection.row[i], &malformed, &err), RF_OK);
            assert_int_equal(rf_instant_compare(rf_value_to_instant(rf_interp_project(worker->interp, 0)), now), 0);
            selected++;
        }
    } while (stages_move(&stages));
    assert_int_equal(selected, 300);
    stages_close(&stages);
}

/* rf_worker_date: one instant for every record of a batch, in each round and on each engine, of what the prefilter has left
 * too; the clock's, or that of the options. */
static void test_now(void **state)
{
    (void)state;
    struct rf_text text = {0};
    struct rf_error err;
    for (int i = 0; i < 3000; i++) {
        const char *tag = i % 10 == 0 ? "needle" : "some hay that is passed over";
        assert_int_equal(rf_text_printf(&text, &err, "{\"id\":%d,\"tag\":\"%s\"}\n", i, tag), RF_OK);
    }
    struct trial trial = trial_make("tag == \"needle\" && now > timestamp(946684800) && now - duration(\"1s\") < now",
                                    rf_text_str(&text));
    trial.projection[0] = "now";
    const struct rf_instant fixed = {1769860800, 500000000}; /* 2026-01-31T12:00:00.5Z */
    for (int turn = 0; turn < 6; turn++) {
        struct timespec begin;
        struct timespec end;
        trial.options.backend = turn / 2 == 2 ? RF_BACKEND_INTERP : RF_BACKEND_CPU;
        trial.options.is_prefilter_allowed = turn / 2 == 1;
        trial.options.has_now = turn % 2 != 0;
        trial.options.now = fixed;
        (void)clock_gettime(CLOCK_REALTIME, &begin);
        end = begin;
        end.tv_sec += 60;
        assert_now(&trial, turn % 2 != 0 ? fixed : (struct rf_instant){begin.tv_sec, (uint32_t)begin.tv_nsec},
                   turn % 2 != 0 ? fixed : (struct rf_instant){end.tv_sec, (uint32_t)end.tv_nsec});
    }
    rf_text_free(&text);
}

/* An oversize record is one malformed row that stands for all of its bytes. */
static void test_oversize(void **state)
{
    (void)state;
    char line[301];
    memset(line, 'x', 300);
    line[299] = '\n';
    struct trial trial = trial_make("a > 1", (struct rf_str){line, 300});
    trial.source.record_bytes_max = trial.options.record_bytes_max = 100;
    struct stages stages;
    stages_open(&stages, &trial);
    assert_true(stages_fill(&stages));
    assert_true(stages.worker.batch.is_oversize);
    stages_run(&stages);
    assert_int_equal(stages.worker.rows.rows, 1);
    assert_int_equal(stages.worker.rows.status[0], RF_ROW_MALFORMED);
    assert_int_equal(stages.worker.counts.of[RF_ROW_MALFORMED], 1);
    assert_int_equal(stages.worker.counts.bytes, 300);
    assert_false(stages_move(&stages));
    assert_false(stages_fill(&stages));
    stages_close(&stages);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rounds_dense), cmocka_unit_test(test_rounds_sparse), cmocka_unit_test(test_open),
        cmocka_unit_test(test_close),        cmocka_unit_test(test_read_row),      cmocka_unit_test(test_oversize),
        cmocka_unit_test(test_now),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
