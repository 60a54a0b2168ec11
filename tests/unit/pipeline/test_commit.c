/* test_commit.c: how rounds become output, counts, examples and dead letters, in the order of the input. */
#include "commit.h"
#include "stages.h"
#include "stream.h"

/* rf_commit_begin, rf_commit_round, rf_commit_end over all rounds of one worker. */
struct committed {
    enum rf_status status;
    struct rf_pipeline_result result;
    struct rf_text output;
    struct rf_error err;
    uint64_t next_number;
};

static void commit_all(const struct trial *trial, struct committed *committed)
{
    memset(committed, 0, sizeof(*committed));
    struct stages stages;
    struct kept kept = kept_open();
    struct trial copy = *trial;
    copy.options.sink = kept.sink;
    stages_open(&stages, &copy);
    struct rf_commit commit;
    struct rf_error *err = &committed->err;
    assert_int_equal(rf_commit_begin(&commit, &stages.options, &committed->result, err), RF_OK);
    while (committed->status == RF_OK && stages_fill(&stages)) {
        do {
            stages_run(&stages);
            committed->status = rf_commit_round(&commit, &stages.worker, err);
        } while (committed->status == RF_OK && stages_move(&stages));
    }
    committed->next_number = commit.next_number;
    rf_commit_end(&commit);
    stages_close(&stages);
    kept_close(&kept, &committed->output);
}

/* The numbers go on from round to round and batch to batch, and max_count cuts between rounds too. */
static void test_commit_round(void **state)
{
    (void)state;
    struct stream stream;
    stream_make(&stream, 5000, "RRRRRRRRRRRRRRSEMB", 6, false);
    for (int has_prefilter = 0; has_prefilter < 2; has_prefilter++) {
        for (uint64_t max_count = 1; max_count < 400; max_count = max_count * 3 + 1) {
            for (uint32_t batch_bytes = 300; batch_bytes <= 300000; batch_bytes *= 10) {
                struct trial trial = trial_make(STREAM_PREDICATE, rf_text_str(&stream.text));
                trial.source.batch_bytes = batch_bytes;
                trial.options.max_count = max_count > 300 ? UINT64_MAX : max_count;
                trial.options.is_prefilter_allowed = has_prefilter != 0;
                trial.options.has_number_prefix = true;
                trial.options.prefix_begin = "<";
                trial.options.prefix_end = ">";
                struct model model = {0};
                model_run(&model, &stream, &trial.options, "input.0");
                struct committed committed;
                commit_all(&trial, &committed);
                assert_int_equal(committed.status, trial.options.max_count == UINT64_MAX ? RF_OK : RF_STOP);
                assert_text(&committed.output, rf_text_str(&model.output), "output");
                assert_counts(&committed.result.counts, &model.counts, has_prefilter != 0);
                assert_int_equal(committed.next_number, 1 + rf_counts_read(&model.counts));
                rf_text_free(&committed.output);
                model_free(&model);
            }
        }
    }
    stream_free(&stream);
}

/* rf_commit_begin: the csv header, once, before any record. */
static void test_commit_begin(void **state)
{
    (void)state;
    static const struct rf_str names[] = {{"b", 1}};
    struct trial trial = trial_make("a > 1", RF_STR(""));
    trial.projection[0] = "a";
    trial.options.emit = RF_EMIT_CSV;
    trial.options.column = names;
    struct committed committed;
    commit_all(&trial, &committed);
    assert_text(&committed.output, RF_STR("b\r\n"), "header");
    rf_text_free(&committed.output);
}

/* A stop counts what went out before it, and the record that was the reason; nothing behind it. */
static void test_stop_counts(void **state)
{
    (void)state;
    struct trial trial = trial_make("a > 1", RF_STR("{\"a\":2}\n{\"a\":0}\n\n{\"b\":1}\n{\"a\":3}\n"));
    trial.options.on_error.kind = RF_POLICY_STOP;
    struct committed committed;
    commit_all(&trial, &committed);
    assert_int_equal(committed.status, RF_E_DATA);
    assert_text(&committed.output, RF_STR("{\"a\":2}\n"), "before the stop");
    assert_int_equal(committed.result.counts.of[RF_ROW_SELECTED], 1);
    assert_int_equal(committed.result.counts.of[RF_ROW_REJECTED], 1);
    assert_int_equal(committed.result.counts.of[RF_ROW_BLANK], 1);
    assert_int_equal(committed.result.counts.of[RF_ROW_ERROR], 1);
    assert_int_equal(committed.result.counts.bytes, 25);
    assert_false(committed.result.was_stopped);
    rf_text_free(&committed.output);
}

static void test_prefixes(void **state)
{
    (void)state;
    struct trial trial = trial_make("a > 1", RF_STR("{\"a\":0}\n{\"a\":2}\r\n{\"a\":\n{\"b\":0}\n{\"a\":3}"));
    trial.options.prefix_begin = "\x1b[1m";
    trial.options.prefix_end = "\x1b[0m";
    trial.options.has_file_prefix = true;
    struct committed committed;
    commit_all(&trial, &committed);
    assert_text(&committed.output, RF_STR("\x1b[1minput.0\x1b[0m:{\"a\":2}\r\n\x1b[1minput.0\x1b[0m:{\"a\":3}\n"),
                "-H");
    rf_text_free(&committed.output);
    trial.options.prefix_begin = trial.options.prefix_end = "";
    trial.options.has_number_prefix = true;
    trial.options.on_malformed.kind = trial.options.on_error.kind = RF_POLICY_PASS;
    commit_all(&trial, &committed);
    assert_text(&committed.output,
                RF_STR("input.0:2:{\"a\":2}\r\ninput.0:3:{\"a\":\ninput.0:4:{\"b\":0}\ninput.0:5:{\"a\":3}\n"),
                "-Hn, all passed");
    rf_text_free(&committed.output);
}

/* The first ten bad records, in the order of the input, whatever the threads; the dead letters are all of them. */
static void test_examples(void **state)
{
    (void)state;
    struct stream stream;
    stream_make(&stream, 300, "SSREM", 8, true);
    uint32_t bad[RF_EXAMPLES_MAX];
    uint32_t count = 0;
    uint32_t letters[2] = {0, 0};
    for (uint32_t row = 0; row < stream.rows; row++) {
        const bool is_error = stream.kind[row] == STREAM_ERROR;
        if (is_error || stream.kind[row] == STREAM_MALFORMED) {
            letters[is_error ? 0 : 1]++;
            if (count < RF_EXAMPLES_MAX) {
                bad[count++] = row;
            }
        }
    }
    for (int policy = RF_POLICY_DROP; policy <= RF_POLICY_FILE; policy++) {
        for (uint32_t threads = 1; threads <= 4 && policy != RF_POLICY_STOP; threads++) {
            struct trial trial = trial_make(STREAM_PREDICATE, rf_text_str(&stream.text));
            trial.source.batch_bytes = 200;
            trial.options.threads = threads;
            trial.options.on_error.kind = trial.options.on_malformed.kind = (enum rf_policy_kind)policy;
            struct outcome outcome;
            trial_run(&trial, &outcome);
            assert_int_equal(outcome.result.examples, RF_EXAMPLES_MAX);
            for (uint32_t i = 0; i < RF_EXAMPLES_MAX; i++) {
                const struct rf_example *example = &outcome.result.example[i];
                assert_int_equal(example->where.number, bad[i] + 1);
                assert_int_equal(example->where.offset, stream.begin[bad[i]]);
                assert_int_equal(example->is_malformed, stream.kind[bad[i]] == STREAM_MALFORMED);
            }
            const uint32_t factor = policy == RF_POLICY_FILE ? 1 : 0;
            assert_int_equal(rf_lines_count((const uint8_t *)outcome.errors.data, outcome.errors.count),
                             factor * letters[0]);
            assert_int_equal(rf_lines_count((const uint8_t *)outcome.malformed.data, outcome.malformed.count),
                             factor * letters[1]);
            outcome_free(&outcome);
        }
    }
    stream_free(&stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commit_round), cmocka_unit_test(test_commit_begin), cmocka_unit_test(test_stop_counts),
        cmocka_unit_test(test_prefixes),     cmocka_unit_test(test_examples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
