/* test_fix_pipeline.c: FIX through whole runs: every engine, number of threads, size of batches and kind of source gives the
 * same counts, the same bytes, the same dead letters and the same examples; and nothing of the input is lost. */
#include "fix_entry.h"
#include "fix_trial.h"

static const char *const expression_table[] = {
#define FIX_EXPRESSION(text) text,
#define FIX_VALUE(text)
#include "fix_expressions.def"
#undef FIX_EXPRESSION
#undef FIX_VALUE
};

static const char *const value_table[] = {
#define FIX_EXPRESSION(text)
#define FIX_VALUE(text) text,
#include "fix_expressions.def"
#undef FIX_EXPRESSION
#undef FIX_VALUE
};

enum {
    EXPRESSIONS = sizeof(expression_table) / sizeof(expression_table[0]),
    VALUES = sizeof(value_table) / sizeof(value_table[0])
};

/* The first is what all others are held against. */
static const struct way way_table[] = {
    {RF_BACKEND_INTERP, RF_ISA_SCALAR, 1, 0, 128, false}, {RF_BACKEND_INTERP, RF_ISA_SCALAR, 4, 300, 128, true},
    {RF_BACKEND_CPU, RF_ISA_SCALAR, 1, 0, 128, false},    {RF_BACKEND_CPU, RF_ISA_SCALAR, 4, 64, 128, false},
    {RF_BACKEND_CPU, RF_ISA_SCALAR, 1, 1000, 0, true},    {RF_BACKEND_CPU, RF_ISA_AVX2, 1, 0, 128, false},
    {RF_BACKEND_CPU, RF_ISA_AVX2, 4, 700, 128, false},    {RF_BACKEND_CPU, RF_ISA_AVX2, 1, 64, 0, true},
    {RF_BACKEND_CPU, RF_ISA_AVX512, 1, 0, 128, true},     {RF_BACKEND_CPU, RF_ISA_AVX512, 4, 5000, 128, false},
    {RF_BACKEND_CPU, RF_ISA_AVX512, 4, 64, 128, true},
};
enum { WAYS = sizeof(way_table) / sizeof(way_table[0]) };

static void assert_examples(const struct rf_pipeline_result *found, const struct rf_pipeline_result *expected)
{
    assert_int_equal(found->examples, expected->examples);
    for (uint32_t i = 0; i < expected->examples; i++) {
        const struct rf_example *a = &found->example[i];
        const struct rf_example *b = &expected->example[i];
        assert_int_equal(a->where.number, b->where.number);
        assert_int_equal(a->where.offset, b->where.offset);
        assert_int_equal(a->is_malformed, b->is_malformed);
        assert_int_equal(a->offset, b->offset);
        assert_string_equal(a->reason, b->reason);
        assert_string_equal(a->place.part, b->place.part);
    }
}

static void assert_outcome(const struct outcome *found, const struct outcome *expected, bool is_named_alike)
{
    if (found->status != RF_OK || expected->status != RF_OK) {
        fail_msg("%s, expected %s", found->err.text, expected->err.text);
    }
    assert_text(&found->output, rf_text_str(&expected->output), "output");
    if (is_named_alike) { /* dead letters hold the name of the input */
        assert_text(&found->errors, rf_text_str(&expected->errors), "errors");
        assert_text(&found->malformed, rf_text_str(&expected->malformed), "malformed");
    }
    for (int s = 0; s < RF_ROW_STATUS_COUNT; s++) {
        assert_int_equal(found->result.counts.of[s], expected->result.counts.of[s]);
    }
    assert_int_equal(found->result.counts.bytes, expected->result.counts.bytes);
    assert_examples(&found->result, &expected->result);
}

/* What a stream is told by when a test fails. */
static void assert_ways(struct trial trial, uint32_t first, uint32_t step)
{
    struct outcome expected;
    trial_way(&trial, &way_table[0]);
    trial_run(&trial, &expected);
    for (uint32_t w = first; w < WAYS; w += step) {
        if (way_table[w].isa > rf_isa_best()) {
            continue;
        }
        struct outcome found;
        trial_way(&trial, &way_table[w]);
        trial_run(&trial, &found);
        assert_outcome(&found, &expected, !trial.is_file);
        outcome_free(&found);
    }
    outcome_free(&expected);
}

/* The expressions tell messages apart: nearly each of them selects some of the streams' messages and rejects some. */
static void test_variety(void **state)
{
    (void)state;
    uint32_t telling = 0;
    uint64_t of[RF_ROW_STATUS_COUNT] = {0};
    for (uint32_t e = 0; e < EXPRESSIONS; e++) {
        bool has[RF_ROW_STATUS_COUNT] = {false};
        for (uint32_t s = 0; s < STREAMS; s++) {
            struct trial trial = trial_fix(expression_table[e], stream_of(s), RF_EMIT_LINES);
            trial.options.is_fix_lenient = true;
            struct outcome outcome;
            trial_run(&trial, &outcome);
            for (int status = 0; status < RF_ROW_STATUS_COUNT; status++) {
                of[status] += outcome.result.counts.of[status];
                has[status] |= outcome.result.counts.of[status] != 0;
            }
            outcome_free(&outcome);
        }
        telling += has[RF_ROW_SELECTED] && has[RF_ROW_REJECTED];
    }
    assert_true(telling >= EXPRESSIONS - 8);
    for (int status = 0; status < RF_ROW_STATUS_COUNT; status++) {
        assert_true(of[status] > EXPRESSIONS);
    }
}

/* Each expression on every way, over some of the streams. */
static void test_predicates(void **state)
{
    (void)state;
    for (uint32_t e = 0; e < EXPRESSIONS; e++) {
        for (uint32_t s = 0; s < 2; s++) {
            struct trial trial = trial_fix(expression_table[e], stream_of((e * 2 + s) % STREAMS), RF_EMIT_LINES);
            trial.options.on_error.kind = trial.options.on_malformed.kind = RF_POLICY_FILE;
            trial.options.is_fix_lenient = e % 3 == 0;
            trial.options.is_inverted = e % 5 == 4;
            trial.options.is_prefilter_allowed = true;
            assert_ways(trial, 1 + s, 1 + s);
        }
    }
}

static void test_projections(void **state)
{
    (void)state;
    for (uint32_t v = 0; v < VALUES; v++) {
        for (uint32_t s = 0; s < 2; s++) {
            struct trial trial = trial_fix("true", stream_of((v + s) % STREAMS), RF_EMIT_LINES);
            trial.projection[0] = value_table[v];
            trial.options.emit = v % 4 == 3 ? RF_EMIT_CSV : RF_EMIT_JSON;
            trial.options.on_error.kind = trial.options.on_malformed.kind = RF_POLICY_FILE;
            trial.options.is_fix_lenient = s == 1;
            assert_ways(trial, 1 + s, 1 + s);
        }
    }
}

/* Entries one after the other, as the rule has them, without blank lines. */
static void stream_without_blanks(struct rf_str stream, struct rf_text *out)
{
    struct rf_error err;
    for (size_t at = 0; at < stream.count;) {
        struct rf_fix_entry entry;
        size_t needed;
        assert_int_equal(rf_fix_entry_next((const uint8_t *)stream.data, at, stream.count, RF_RECORD_BYTES_DEFAULT,
                                           RF_FIX_LAST, &entry, &needed),
                         RF_FIX_ENTRY);
        if (entry.kind != RF_FIX_BLANK) {
            assert_int_equal(rf_text_append(out, (struct rf_str){stream.data + at, entry.next - at}, &err), RF_OK);
        }
        at = entry.next;
    }
}

/* What is passed on is the input, byte for byte, but for blank lines; with and without line ends. */
static void test_identity(void **state)
{
    (void)state;
    bool was_without_line_end = false;
    for (uint32_t seed = 0; seed < 4 * STREAMS; seed++) {
        struct rf_text expected = {0};
        struct trial trial = trial_fix("true", stream_of(seed), RF_EMIT_LINES);
        stream_without_blanks(trial.input[0], &expected);
        was_without_line_end |= memchr(expected.data, '\n', expected.count) == NULL;
        trial.options.on_malformed.kind = RF_POLICY_PASS;
        for (uint32_t w = 0; w < WAYS; w++) {
            if (way_table[w].isa <= rf_isa_best()) {
                struct outcome outcome;
                trial_way(&trial, &way_table[w]);
                trial_run(&trial, &outcome);
                if (outcome.status != RF_OK) {
                    fail_msg("%s", outcome.err.text);
                }
                assert_text(&outcome.output, rf_text_str(&expected), "everything");
                assert_int_equal(outcome.result.counts.bytes, trial.input[0].count);
                outcome_free(&outcome);
            }
        }
        rf_text_free(&expected);
    }
    assert_true(was_without_line_end);
}

/* A record that is longer than the limit is cut off the stream and takes nothing of its neighbours with it. */
static void test_small_records(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < 2 * STREAMS; seed++) {
        struct trial trial = trial_fix("Symbol == \"AAA\" || Price > 1", stream_of(seed), RF_EMIT_LINES);
        trial.source.record_bytes_max = trial.options.record_bytes_max = 90 + 20 * (seed % 5);
        trial.options.on_error.kind = RF_POLICY_FILE;
        trial.options.on_malformed.kind = seed % 2 == 0 ? RF_POLICY_FILE : RF_POLICY_DROP;
        assert_ways(trial, 1, 1);
    }
}

#define SOH "\001"

/* Two heartbeats, one behind the other. Returns the bytes of each. */
static size_t heartbeats_make(struct rf_text *out)
{
    struct rf_error err;
    uint8_t message[SAMPLE_MAX];
    size_t bytes = 0;
    for (int i = 1; i <= 2; i++) {
        char body[64];
        const int count = snprintf(body, sizeof body, "35=0" SOH "49=A" SOH "34=%d" SOH, i);
        bytes = sample_put(message, body, (size_t)count, (struct sample_options){.separator = RF_FIX_SOH});
        assert_int_equal(rf_text_append(out, (struct rf_str){(const char *)message, bytes}, &err), RF_OK);
    }
    return bytes;
}

/* Messages without line ends go out without them; with a prefix each is a line of its own. */
static void test_line_ends(void **state)
{
    (void)state;
    struct rf_text stream = {0};
    struct rf_text lines = {0};
    struct rf_error err;
    const size_t bytes = heartbeats_make(&stream);
    const struct rf_str first = {stream.data, bytes};
    const struct rf_str second = {stream.data + bytes, bytes};
    struct trial trial = trial_fix("MsgSeqNum > 0", rf_text_str(&stream), RF_EMIT_LINES);
    struct outcome outcome;
    trial_run(&trial, &outcome);
    assert_text(&outcome.output, rf_text_str(&stream), "as they stand");
    outcome_free(&outcome);

    trial.predicate = "MsgSeqNum == 1";
    trial_run(&trial, &outcome);
    assert_text(&outcome.output, first, "one of two");
    outcome_free(&outcome);

    trial.predicate = "MsgSeqNum > 0";
    trial.options.has_number_prefix = true;
    trial_run(&trial, &outcome);
    assert_int_equal(rf_text_printf(&lines, &err, "1:%.*s\n2:%.*s\n", RF_STR_ARG(first), RF_STR_ARG(second)), RF_OK);
    assert_text(&outcome.output, rf_text_str(&lines), "with -n");
    outcome_free(&outcome);
    trial.options.max_count = 1;
    trial_run(&trial, &outcome);
    assert_text(&outcome.output, (struct rf_str){lines.data, bytes + 3}, "with -n -m 1");
    assert_int_equal(outcome.result.counts.bytes, bytes);
    outcome_free(&outcome);

    /* Line ends that are there stay, CR included, and are not doubled. */
    trial.options.max_count = UINT64_MAX;
    rf_text_clear(&lines);
    assert_int_equal(rf_text_printf(&lines, &err, "%.*s\r\n", RF_STR_ARG(first)), RF_OK);
    trial.input[0] = rf_text_str(&lines);
    trial.options.has_number_prefix = false;
    trial_run(&trial, &outcome);
    assert_text(&outcome.output, rf_text_str(&lines), "a line");
    outcome_free(&outcome);
    rf_text_free(&stream);
    rf_text_free(&lines);
}

/* A stop names the message, and what went out before it is whole. */
/* Line ends in data are no line ends of records, also where there are as many of both. */
static void test_raw_lines(void **state)
{
    (void)state;
    static const char first[] = "8=FIX.4.4\0019=12\00135=D\00155=AAA\00110=080\001";
    static const char second[] = "8=FIX.4.4\0019=24\00135=D\00155=BBB\00195=3\00196=x\ny\00110=221\001";
    struct rf_text stream = {0};
    struct rf_error err;
    assert_int_equal(rf_text_printf(&stream, &err, "%s%s", first, second), RF_OK);
    for (int isa = RF_ISA_SCALAR; isa <= (int)rf_isa_best(); isa++) {
        struct trial trial = trial_fix("raw.contains(\"BBB\")", rf_text_str(&stream), RF_EMIT_LINES);
        struct outcome outcome;
        trial.options.isa = (enum rf_isa)isa;
        trial_run(&trial, &outcome);
        assert_text(&outcome.output, RF_STR(second), "the record that holds it");
        outcome_free(&outcome);
    }
    rf_text_free(&stream);
}

static void test_stop(void **state)
{
    (void)state;
    struct rf_text stream = {0};
    struct rf_error err;
    const size_t bytes = heartbeats_make(&stream);
    assert_int_equal(rf_text_append(&stream, RF_STR("junk\n"), &err), RF_OK);
    stream.data[2 * bytes - 2] ^= 1; /* the CheckSum of the second */
    struct trial trial = trial_fix("true", rf_text_str(&stream), RF_EMIT_LINES);
    trial.options.on_malformed.kind = RF_POLICY_STOP;
    for (int w = 0; w < WAYS; w++) {
        if (way_table[w].isa <= rf_isa_best()) {
            struct outcome outcome;
            trial_way(&trial, &way_table[w]);
            trial.is_file = false;
            trial_run(&trial, &outcome);
            assert_int_equal(outcome.status, RF_E_DATA);
            assert_text(&outcome.output, (struct rf_str){stream.data, bytes}, "before the stop");
            assert_int_equal(outcome.result.counts.of[RF_ROW_MALFORMED], 1);
            char text[128];
            (void)snprintf(text, sizeof text, "input.0:2: malformed at byte %zu: CheckSum is wrong", bytes - 6);
            assert_string_equal(outcome.err.text, text);
            outcome_free(&outcome);
        }
    }
    rf_text_free(&stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_variety),   cmocka_unit_test(test_predicates),    cmocka_unit_test(test_projections),
        cmocka_unit_test(test_identity),  cmocka_unit_test(test_small_records), cmocka_unit_test(test_line_ends),
        cmocka_unit_test(test_raw_lines), cmocka_unit_test(test_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
