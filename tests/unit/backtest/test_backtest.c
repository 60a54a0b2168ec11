/* Random rules over random streams: every engine, number of threads and size of batches gives the same outcome, which is
 * that of the interpreter run rule by rule; and what state makes of it is that of a plain model. */
#include <stdlib.h>

#include "../rules/rules_fixture.h"
#include "backtest.h"

/* Sanitizers look at the same code in fewer rounds: a thread's is ten and more times as slow. */
#if defined(__SANITIZE_THREAD__)
enum { ROUNDS_PART = 6 };
#elif defined(__SANITIZE_ADDRESS__)
enum { ROUNDS_PART = 2 };
#else
enum { ROUNDS_PART = 1 };
#endif

enum { RECORDS = 700, SWEPT_RECORDS = 2600, RULES_MAX = 400, STREAM_BYTES = 512 * 1024, FILE_BYTES = 64 * 1024 };

static uint64_t state = 88172645463325252u;

static uint32_t below(uint32_t limit)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 11) % limit;
}

/* ---- Streams and rules ---- */

static size_t value_make(char *out, size_t room, unsigned kind)
{
    static const char *const text[] = {"\"MSFT\"", "\"IBM\"", "\"X\\u004fM\"", "\"\"", "\"A-1\"", "\"A-12\""};
    switch (kind) {
    case 0:
        return (size_t)snprintf(out, room, "%u", below(20));
    case 1:
        return (size_t)snprintf(out, room, "%u.%u", below(20), below(10));
    case 2:
        return (size_t)snprintf(out, room, "%s", text[below(6)]);
    case 3:
        return (size_t)snprintf(out, room, "%s", below(2) == 0 ? "true" : "null");
    case 5: {
        static const char *const odd[] = {"9007199254740993", "-9007199254740993", "18446744073709551615", "1e400",
                                          "9223372036854775807", "-0.0", "1e300", "5e0"};
        return (size_t)snprintf(out, room, "%s", odd[below(8)]);
    }
    default:
        return (size_t)snprintf(out, room, "[%u]", below(3));
    }
}

/* is_ordered: time never goes back. */
static size_t stream_make(char *out, uint32_t records, bool is_ordered)
{
    static const char *const field[] = {"a", "b", "s", "t"};
    size_t used = 0;
    long now = 1769860800;
    for (uint32_t i = 0; i < records; i++) {
        if (below(60) == 0) {
            used += (size_t)snprintf(out + used, STREAM_BYTES - used, "%s\n", below(2) == 0 ? "" : "{\"a\":");
            continue;
        }
        now += below(4) == 0 && !is_ordered ? -(long)below(5) : (long)below(5);
        used += (size_t)snprintf(out + used, STREAM_BYTES - used, "{\"k\":\"k%u\"", below(5));
        if (is_ordered || below(20) != 0) {
            used += (size_t)snprintf(out + used, STREAM_BYTES - used, ",\"ts\":%ld", now);
        }
        for (unsigned f = 0; f < 4; f++) {
            if (below(12) != 0) {
                used += (size_t)snprintf(out + used, STREAM_BYTES - used, ",\"%s\":", field[f]);
                used += value_make(out + used, STREAM_BYTES - used,
                                   below(8) != 0 ? (f < 2 ? f : 2) : below(6));
            }
        }
        used += (size_t)snprintf(out + used, STREAM_BYTES - used, "}\n");
    }
    return used;
}

static size_t atom_make(char *out, size_t room)
{
    static const char *const order[] = {"<", "<=", ">", ">=", "==", "!="};
    switch (below(9)) {
    case 0:
    case 1:
    case 2:
        return (size_t)snprintf(out, room, "%c %s %u%s", "ab"[below(2)], order[below(6)], below(22),
                                below(2) == 0 ? "" : ".5");
    case 3:
        return (size_t)snprintf(out, room, "s == \"%s\"", below(2) == 0 ? "MSFT" : "IBM");
    case 4:
        return (size_t)snprintf(out, room, "t.startsWith(\"A-%s\")", below(2) == 0 ? "1" : "");
    case 5:
        return (size_t)snprintf(out, room, "s in [\"IBM\", \"XOM\"]");
    case 6:
        return (size_t)snprintf(out, room, "has(msg.%c)", "abst"[below(4)]);
    case 7:
        return (size_t)snprintf(out, room, "a * 2 > b");
    default:
        return (size_t)snprintf(out, room, "s.matches(\"M.*T\")");
    }
}

static size_t file_make(char *out, bool has_state)
{
    static const char *const kind[] = {"first: true",
                                       "every: 3",
                                       "changed: true",
                                       "cooldown: 7s",
                                       "count: {more_than: 2, within: 20s}",
                                       "count: {more_than: 1, within: 10s, window: tumbling}"};
    size_t used = (size_t)snprintf(out, FILE_BYTES, "rules:\n");
    const uint32_t rules = 1 + below(has_state ? 12 : 150);
    for (uint32_t r = 0; r < rules; r++) {
        used += (size_t)snprintf(out + used, FILE_BYTES - used, "  - name: r%u\n    when: '", r);
        for (uint32_t a = below(4) + 1; a > 0; a--) {
            used += (size_t)snprintf(out + used, FILE_BYTES - used, "%s", below(8) == 0 ? "!(" : "(");
            used += atom_make(out + used, FILE_BYTES - used);
            used += (size_t)snprintf(out + used, FILE_BYTES - used, a > 1 ? ") %s " : ")", below(2) == 0 ? "&&" : "||");
        }
        used += (size_t)snprintf(out + used, FILE_BYTES - used, "'\n");
        if (has_state && below(4) != 0) {
            if (below(4) != 0) {
                used += (size_t)snprintf(out + used, FILE_BYTES - used, "    per: %s\n", below(3) == 0 ? "a" : "k");
            }
            const uint32_t first = below(6);
            used += (size_t)snprintf(out + used, FILE_BYTES - used, "    %s\n", kind[first]);
            const uint32_t second = below(6);
            if (second != first && (first < 4 || second < 4)) {
                used += (size_t)snprintf(out + used, FILE_BYTES - used, "    %s\n", kind[second]);
            }
        }
        if (below(5) == 0) {
            used += (size_t)snprintf(out + used, FILE_BYTES - used, "    tags: [x]\n");
        }
    }
    return used;
}

/* Sweeps of one and two parameters, whose rules are counted together, and a few others. */
static size_t sweep_make(char *out)
{
    static const char *const order[] = {"<", "<=", ">", ">=", "=="};
    static const char *const guard[] = {"", "", "s == \"MSFT\" && ", "a < 15 && b != 3 && ", "(t.startsWith(\"A\") || has(msg.s)) && ",
                                        "!(a > 12) && s != \"IBM\" && "};
    size_t used = (size_t)snprintf(out, FILE_BYTES, "rules:\n");
    for (uint32_t s = 1 + below(3); s > 0; s--) {
        const char *field = below(2) == 0 ? "ab" : below(2) == 0 ? "ba" : "aa";
        used += (size_t)snprintf(out + used, FILE_BYTES - used, "  - name: two%u\n    when: '%s%c %s x && %c %s y'\n", s,
                                 guard[below(6)], field[0], order[below(5)], field[1], order[below(5)]);
        used += (size_t)snprintf(out + used, FILE_BYTES - used,
                                 "    sweep: {x: {from: -1, to: %u, step: 1.5}, y: [0, 3, 5.5, 9, 9007199254740992, "
                                 "9007199254740993, 12, 14.5, 20, 18446744073709551615u]}\n",
                                 15 + below(20));
    }
    used += (size_t)snprintf(out + used, FILE_BYTES - used, "  - name: one\n    when: '%c %s x'\n", "ab"[below(2)],
                             order[below(5)]);
    used += (size_t)snprintf(out + used, FILE_BYTES - used, "    sweep: {x: {from: 0, to: %u, step: 0.2}}\n",
                             11 + below(20));
    for (uint32_t r = below(4); r > 0; r--) {
        used += (size_t)snprintf(out + used, FILE_BYTES - used, "  - name: r%u\n    when: '", r);
        used += atom_make(out + used, FILE_BYTES - used);
        used += (size_t)snprintf(out + used, FILE_BYTES - used, " || ");
        used += atom_make(out + used, FILE_BYTES - used);
        used += (size_t)snprintf(out + used, FILE_BYTES - used, "'\n");
    }
    return used;
}

/* ---- Runs ---- */

struct setting {
    enum rf_backend backend;
    enum rf_isa isa;
    uint32_t threads, batch_bytes, rows_max;
};

struct work {
    struct fixture_rules rules;
    const char *stream;
    size_t bytes;
    int64_t by_ns;
    bool has_label, has_overlap, has_no_time;
    const char *value; /* that is followed; NULL: none is */
    struct rf_shard shard; /* by key; count 0: all */
};

static void must(enum rf_status status, const struct rf_error *err)
{
    if (status != RF_OK) {
        fail_msg("%s", err->text);
    }
}

/* The outcome as JSON, with everything in it. */
static void run(const struct work *work, struct setting setting, struct rf_text *out)
{
    static const char *const input[] = {"stream"};
    struct rf_error err;
    struct rf_backtest *backtest;
    struct rf_source *source;
    struct rf_overlap overlap;
    struct rf_outcome outcome;
    struct rf_pipeline_result result;
    const struct rf_source_options source_options = {.batch_bytes = setting.batch_bytes};
    must(rf_overlap_open(&overlap, work->rules.program.rules, setting.isa, &err), &err);
    const struct rf_backtest_options options = {.rules = work->rules.rules,
                                                .program = &work->rules.program,
                                                .time = work->has_no_time ? RF_NONE : 0,
                                                .label = work->has_label ? 1 : RF_NONE,
                                                .value = work->value != NULL ? (uint32_t)work->has_label + 1 : RF_NONE,
                                                .value_per = work->value != NULL ? (uint32_t)work->has_label + 2 : RF_NONE,
                                                .forward = {.value = RF_STR("v"), .horizon_ns = 7000000000},
                                                .shard_by = work->shard.count != 0 ? (uint32_t)work->has_label + 2 : RF_NONE,
                                                .shard = work->shard,
                                                .by_ns = work->by_ns,
                                                .isa = setting.isa,
                                                .overlap = work->has_overlap ? &overlap : NULL,
                                                .state_bytes_max = 1 << 20};
    must(rf_backtest_open(&backtest, options, &err), &err);
    must(rf_source_open_memory(&source, work->stream, work->bytes, "stream", source_options, &err), &err);
    const struct rf_pipeline_options pipeline = {.compiled = &work->rules.program.compiled,
                                                 .watch = rf_backtest_watch(backtest),
                                                 .source = source,
                                                 .emit = RF_EMIT_NONE,
                                                 .backend = setting.backend,
                                                 .isa = setting.isa,
                                                 .threads = setting.threads,
                                                 .batch_bytes = setting.batch_bytes,
                                                 .rows_max = setting.rows_max,
                                                 .depth_max = 64,
                                                 .prefix_begin = "",
                                                 .prefix_end = "",
                                                 .max_count = UINT64_MAX};
    must(rf_pipeline_run(&pipeline, &result, &err), &err);
    must(rf_backtest_finish(backtest, &result, input, 1, &outcome, &err), &err);
    must(rf_outcome_write_json(&outcome, out, &err), &err);
    rf_outcome_close(&outcome);
    rf_source_close(source);
    rf_backtest_close(backtest);
    rf_overlap_close(&overlap);
}

/* file ends with a zero byte. */
static void compile(struct work *work, struct rf_str file)
{
    struct rf_str projection[4] = {{"ts", 2}, {"a > 5", 5}};
    struct rf_rules_extra extra = {.projection = projection, .projections = work->has_label ? 2 : 1};
    if (work->value != NULL) {
        projection[extra.projections++] = rf_str_of(work->value);
        projection[extra.projections++] = RF_STR("k");
    }
    fixture_compile(&work->rules, file.data, &extra);
    fixture_rules_are(&work->rules, "");
}

static void check_same(const struct rf_text *wanted, const struct rf_text *found, struct setting setting,
                       struct rf_str file)
{
    size_t at = 0;
    while (at < wanted->count && at < found->count && wanted->data[at] == found->data[at]) {
        at++;
    }
    if (at < wanted->count || at < found->count) {
        const size_t from = at < 200 ? 0 : at - 200;
        fail_msg("backend %d isa %d threads %u batch %u rows %u: ...%.*s\ninstead of ...%.*s\nby\n%.*s", (int)setting.backend,
                 (int)setting.isa, setting.threads, setting.batch_bytes, setting.rows_max,
                 (int)(found->count - from < 300 ? found->count - from : 300), found->data + from,
                 (int)(wanted->count - from < 300 ? wanted->count - from : 300), wanted->data + from, (int)file.count,
                 file.data);
    }
}

enum kind { MIXED, WITH_STATE, SWEEPS };

static void check_engines(unsigned rounds, enum kind kind)
{
    static char stream[STREAM_BYTES];
    static char file[FILE_BYTES];
    for (unsigned round = 0; round < (rounds + ROUNDS_PART - 1) / ROUNDS_PART; round++) {
        /* Sweeps are counted over several blocks at once, where time lets them. */
        struct work work = {.stream = stream,
                            .bytes = kind == SWEEPS ? stream_make(stream, SWEPT_RECORDS, round % 3 != 2)
                                                    : stream_make(stream, RECORDS, false),
                            .by_ns = round % 3 == 0   ? 0
                                     : round % 3 == 1 ? 60000000000 * (kind == SWEEPS ? 60 : 1)
                                                      : 1000000000,
                            .has_label = round % 2 == 0,
                            .has_overlap = round % 4 < 2,
                            .value = kind == SWEEPS || round % 4 < 2 ? NULL
                                     : round % 4 == 2                ? "b"
                                                                     : "b / (a - 5.0)",
                            .has_no_time = kind == SWEEPS && round % 7 == 1};
        const struct rf_str text = {file, kind == SWEEPS ? sweep_make(file) : file_make(file, kind == WITH_STATE)};
        struct rf_text wanted = {0};
        struct rf_text found = {0};
        compile(&work, text);
        run(&work, (struct setting){RF_BACKEND_INTERP, RF_ISA_SCALAR, 1, 1 << 20, 0}, &wanted);
        const struct setting settings[] = {{RF_BACKEND_CPU, rf_isa_best(), 1, 1 << 20, 0},
                                           {RF_BACKEND_CPU, rf_isa_best(), 1 + below(4), 64 + below(20000), 0},
                                           {RF_BACKEND_CPU, RF_ISA_SCALAR, 1 + below(4), 64 + below(2000), 0},
                                           {RF_BACKEND_CPU, rf_isa_best(), 2, 8192, 128},
                                           {RF_BACKEND_INTERP, RF_ISA_SCALAR, 3, 64 + below(4000), 0}};
        for (size_t s = 0; s < sizeof settings / sizeof settings[0]; s++) {
            rf_text_clear(&found);
            run(&work, settings[s], &found);
            check_same(&wanted, &found, settings[s], text);
        }
        rf_text_free(&wanted);
        rf_text_free(&found);
        fixture_close(&work.rules);
    }
}

static void test_engines(void **unused)
{
    (void)unused;
    check_engines(25, MIXED);
}

static void test_engines_with_state(void **unused)
{
    (void)unused;
    check_engines(40, WITH_STATE);
}

static void test_engines_with_sweeps(void **unused)
{
    (void)unused;
    check_engines(14, SWEEPS);
}

/* Parts by key: what they add up to is byte for byte what one run gives. */
static void test_parts_by_key(void **unused)
{
    (void)unused;
    static char stream[STREAM_BYTES];
    static char file[FILE_BYTES];
    for (unsigned round = 0; round < 12; round++) {
        struct work work = {.stream = stream, .bytes = stream_make(stream, RECORDS, false), .value = round % 2 == 0 ? "b" : "a * b"};
        const struct rf_str text = {file, file_make(file, false)};
        struct rf_text wanted = {0};
        struct rf_text found = {0};
        struct rf_outcome whole = {0};
        struct rf_error err;
        const struct setting setting = {RF_BACKEND_CPU, rf_isa_best(), 1 + below(3), 64 + below(20000), 0};
        compile(&work, text);
        run(&work, setting, &wanted);
        work.shard.count = 1 + round % 4;
        for (; work.shard.number < work.shard.count; work.shard.number++) {
            struct rf_outcome part;
            rf_text_clear(&found);
            run(&work, setting, &found);
            must(rf_outcome_read(work.shard.number == 0 ? &whole : &part, rf_text_str(&found), "part", &err), &err);
            if (work.shard.number != 0) {
                must(rf_outcome_merge(&whole, &part, &err), &err);
                rf_outcome_close(&part);
            }
        }
        rf_text_clear(&found);
        must(rf_outcome_write_json(&whole, &found, &err), &err);
        check_same(&wanted, &found, setting, text);
        rf_outcome_close(&whole);
        rf_text_free(&wanted);
        rf_text_free(&found);
        fixture_close(&work.rules);
    }
}

/* The hits of rules one at a time, as a filter would find them. */
static void test_rule_by_rule(void **unused)
{
    (void)unused;
    static char stream[STREAM_BYTES];
    static char file[FILE_BYTES];
    struct work work = {.stream = stream, .bytes = stream_make(stream, RECORDS, false)};
    const struct rf_str text = {file, file_make(file, false)};
    struct rf_text json = {0};
    compile(&work, text);
    run(&work, (struct setting){RF_BACKEND_CPU, rf_isa_best(), 2, 5000, 0}, &json);
    struct rf_outcome outcome;
    struct rf_error err;
    must(rf_outcome_read(&outcome, rf_text_str(&json), "json", &err), &err);
    assert_int_equal(outcome.rules, work.rules.rules->rules);
    for (uint32_t r = 0; r < outcome.rules; r++) {
        const struct rf_str when = work.rules.rules->source[work.rules.rules->rule[r].source].when.text;
        struct rf_compiled compiled;
        struct rf_diagnostic diagnostic;
        struct rf_pipeline_result result;
        struct rf_source *source;
        uint32_t failed;
        must(rf_compile(&when, 1, NULL, 0, (struct rf_compile_options){0}, &compiled, &diagnostic, &failed, &err), &err);
        must(rf_source_open_memory(&source, stream, work.bytes, "stream", (struct rf_source_options){0}, &err), &err);
        const struct rf_pipeline_options options = {.compiled = &compiled,
                                                    .source = source,
                                                    .emit = RF_EMIT_NONE,
                                                    .backend = RF_BACKEND_INTERP,
                                                    .threads = 1,
                                                    .depth_max = 64,
                                                    .prefix_begin = "",
                                                    .prefix_end = "",
                                                    .max_count = UINT64_MAX};
        must(rf_pipeline_run(&options, &result, &err), &err);
        assert_int_equal(rf_tally_hits(&outcome.tally, r), result.counts.of[RF_ROW_SELECTED]);
        assert_int_equal(outcome.tally.errors[r], result.counts.of[RF_ROW_ERROR]);
        /* A filter whose expression reads no field of a record does not see that it is malformed later than one that does. */
        assert_int_equal(outcome.read, rf_counts_read(&result.counts));
        rf_source_close(source);
        rf_compiled_close(&compiled);
    }
    rf_outcome_close(&outcome);
    rf_text_free(&json);
    fixture_close(&work.rules);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_engines), cmocka_unit_test(test_engines_with_state),
                                       cmocka_unit_test(test_engines_with_sweeps),
                                       cmocka_unit_test(test_parts_by_key), cmocka_unit_test(test_rule_by_rule)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
