/* test_riffle.c: the public API, each function by name, seen from a program that knows nothing but riffle.h. */
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "riffle.h"

static struct riffle_program *program_open(const struct riffle_spec *spec)
{
    struct riffle_program *program = NULL;
    struct riffle_error error;
    if (riffle_program_open(&program, spec, &error) != RIFFLE_OK) {
        fail_msg("program: %s", error.text);
    }
    assert_non_null(program);
    assert_int_equal(error.status, RIFFLE_OK);
    return program;
}

/* A program, one scan, and both closed again. */
static enum riffle_status scan(const struct riffle_spec *spec, const char *bytes, size_t count,
                               riffle_batch_function on_batch, void *context)
{
    struct riffle_program *program = program_open(spec);
    struct riffle_runner *runner = NULL;
    struct riffle_error error;
    assert_int_equal(riffle_runner_open(&runner, program, &error), RIFFLE_OK);
    const enum riffle_status status = riffle_runner_scan(runner, bytes, count, on_batch, context, &error);
    assert_int_equal(error.status, status == RIFFLE_STOPPED ? RIFFLE_OK : status);
    riffle_runner_close(runner);
    riffle_program_close(program);
    return status;
}

static bool bit(const uint64_t *words, uint32_t at)
{
    return (words[at / 64] >> (at % 64) & 1) != 0;
}

static void test_version(void **state)
{
    (void)state;
    assert_non_null(riffle_version());
    unsigned major, minor, patch;
    assert_int_equal(sscanf(riffle_version(), "%u.%u.%u", &major, &minor, &patch), 3);
}

/* ---- Errors ---- */

static void assert_refused(const struct riffle_spec *spec, enum riffle_status status, uint32_t expression,
                           uint32_t line, uint32_t column)
{
    struct riffle_error error;
    struct riffle_program *program = (struct riffle_program *)&error; /* anything but NULL */
    assert_int_equal(riffle_program_open(&program, spec, &error), status);
    assert_null(program);
    assert_int_equal(error.status, status);
    assert_true(error.text[0] != '\0');
    if (status == RIFFLE_E_EXPRESSION) {
        assert_int_equal(error.expression, expression);
        assert_int_equal(error.line, line);
        assert_int_equal(error.column, column);
    }
}

static void test_program_open(void **state)
{
    (void)state;
    const char *const predicate[] = {"a > 1", "b ==\n  * 2"};
    const char *const projection[] = {"a", "\"\xc3\xa9\" + nosuch(1)"};
    struct riffle_spec spec = {.predicate = predicate, .predicates = 2};
    assert_refused(&spec, RIFFLE_E_EXPRESSION, 1, 2, 3);
    spec.predicates = 1;
    spec.projection = projection;
    spec.projections = 2;
    assert_refused(&spec, RIFFLE_E_EXPRESSION, 2, 1, 7); /* in code points */
    spec.projections = 1;
    spec.predicates = 0;
    assert_refused(&spec, RIFFLE_E_USAGE, 0, 0, 0);
    spec.predicates = 1;
    spec.depth_max = 65537;
    assert_refused(&spec, RIFFLE_E_USAGE, 0, 0, 0);
    spec.depth_max = 65536;
    riffle_program_close(program_open(&spec));
    spec.format = RIFFLE_TEXT; /* there is no field `a` in plain text */
    assert_refused(&spec, RIFFLE_E_EXPRESSION, 0, 1, 1);
    setenv("RIFFLE_ISA", "abacus", 1);
    spec.format = RIFFLE_NDJSON;
    assert_refused(&spec, RIFFLE_E_USAGE, 0, 0, 0);
    unsetenv("RIFFLE_ISA");
    riffle_program_close(NULL);
    riffle_runner_close(NULL);
}

/* int beside a message number is promoted; strict CEL has no such overload. */
static bool count_true(void *context, const struct riffle_batch *batch)
{
    *(uint32_t *)context += riffle_batch_selected(batch, 0, NULL, 0);
    return true;
}

static void test_strict_cel(void **state)
{
    (void)state;
    const char *const predicate[] = {"a * 2 == 4.0"};
    struct riffle_spec spec = {.predicate = predicate, .predicates = 1};
    uint32_t selected = 0;
    assert_int_equal(scan(&spec, "{\"a\":2}", 7, count_true, &selected), RIFFLE_OK);
    assert_int_equal(selected, 1);
    spec.is_strict_cel = true;
    struct riffle_program *program = NULL;
    struct riffle_error error;
    if (riffle_program_open(&program, &spec, &error) == RIFFLE_OK) {
        riffle_program_close(program);
        selected = 0;
        assert_int_equal(scan(&spec, "{\"a\":2}", 7, count_true, &selected), RIFFLE_OK);
        assert_int_equal(selected, 0);
    }
}

/* ---- Rows, truth, statuses, places ---- */

static const char records[] = "{\"a\":1,\"b\":\"x\"}\n"
                              "\n"
                              "{\"a\":5,\"b\":\"y\"}\r\n"
                              "{\"b\":\"x\"}\n"
                              "{\"a\":\n"
                              "{\"a\":\"s\",\"b\":7}\n"
                              "{\"a\":9}";
enum { RECORDS = 7 };

static const struct {
    const char *text;
    enum riffle_row_status status;
    char truth[3]; /* of each predicate: t, f, e, or - for a row that is not read */
} expected[RECORDS] = {
    {"{\"a\":1,\"b\":\"x\"}", RIFFLE_ROW_READ, {'f', 't', 't'}},
    {"", RIFFLE_ROW_BLANK, {'-', '-', '-'}},
    {"{\"a\":5,\"b\":\"y\"}", RIFFLE_ROW_READ, {'t', 'f', 'f'}},
    {"{\"b\":\"x\"}", RIFFLE_ROW_READ, {'e', 't', 't'}},
    {"{\"a\":", RIFFLE_ROW_MALFORMED, {'-', '-', '-'}},
    {"{\"a\":\"s\",\"b\":7}", RIFFLE_ROW_READ, {'e', 'f', 'e'}},
    {"{\"a\":9}", RIFFLE_ROW_READ, {'t', 'e', 't'}},
};

struct seen {
    uint32_t records; /* before the batch */
    uint32_t batches;
};

static bool check_rows(void *context, const struct riffle_batch *batch)
{
    struct seen *seen = context;
    const uint32_t rows = riffle_batch_rows(batch);
    assert_int_equal(riffle_batch_records(batch), rows);
    for (uint32_t p = 0; p < 3; p++) {
        const uint64_t *truth = riffle_batch_truth(batch, p);
        const uint64_t *falsity = riffle_batch_falsity(batch, p);
        uint32_t trues = 0;
        for (uint32_t row = 0; row < rows; row++) {
            const char mark = expected[seen->records + row].truth[p];
            assert_int_equal(bit(truth, row), mark == 't');
            assert_int_equal(bit(falsity, row), mark == 'f');
            trues += mark == 't';
        }
        for (uint32_t row = rows; row % 64 != 0; row++) {
            assert_false(bit(truth, row));
            assert_false(bit(falsity, row));
        }
        uint32_t selected[RECORDS] = {99, 99, 99, 99, 99, 99, 99};
        assert_int_equal(riffle_batch_selected(batch, p, NULL, 0), trues);
        assert_int_equal(riffle_batch_selected(batch, p, selected, 1), trues);
        assert_int_equal(selected[1], 99);
        assert_int_equal(riffle_batch_selected(batch, p, selected, RECORDS), trues);
        for (uint32_t i = 0; i < trues; i++) {
            assert_true(bit(truth, selected[i]));
            assert_true(i == 0 || selected[i] > selected[i - 1]);
        }
    }
    for (uint32_t row = 0; row < rows; row++) {
        const uint32_t record = seen->records + row;
        size_t count = 0;
        const char *text = riffle_batch_record(batch, row, &count);
        assert_int_equal(count, strlen(expected[record].text));
        assert_memory_equal(text, expected[record].text, count);
        assert_int_equal(riffle_batch_status(batch, row), expected[record].status);
        assert_int_equal(riffle_batch_number(batch, row), record);
        assert_memory_equal(records + riffle_batch_offset(batch, row), text, count);
    }
    seen->records += rows;
    seen->batches++;
    return true;
}

static const char *const three[] = {"a > 1", "b == \"x\"", "b == \"x\" || a > 8"};

static void test_runner_scan(void **state)
{
    (void)state;
    for (int engine = RIFFLE_CPU; engine <= RIFFLE_INTERP; engine++) {
        for (uint32_t batch_bytes = 0; batch_bytes <= 64; batch_bytes += 64) {
            struct riffle_spec spec = {.predicate = three,
                                       .predicates = 3,
                                       .engine = (enum riffle_engine)engine,
                                       .batch_bytes = batch_bytes,
                                       .has_prefilter = true}; /* not with three predicates */
            struct seen seen = {0, 0};
            assert_int_equal(scan(&spec, records, sizeof(records) - 1, check_rows, &seen), RIFFLE_OK);
            assert_int_equal(seen.records, RECORDS);
            assert_true(batch_bytes == 0 ? seen.batches == 1 : seen.batches > 1);
        }
    }
}

/* A runner is reused: nothing of a scan is left in the next one. */
static void test_runner_open(void **state)
{
    (void)state;
    struct riffle_spec spec = {.predicate = three, .predicates = 3, .batch_bytes = 64};
    struct riffle_program *program = program_open(&spec);
    struct riffle_runner *runner = NULL;
    struct riffle_error error;
    assert_int_equal(riffle_runner_open(&runner, program, &error), RIFFLE_OK);
    for (int i = 0; i < 3; i++) {
        struct seen seen = {0, 0};
        assert_int_equal(riffle_runner_scan(runner, records, sizeof(records) - 1, check_rows, &seen, &error),
                         RIFFLE_OK);
        assert_int_equal(seen.records, RECORDS);
    }
    struct seen seen = {0, 0};
    assert_int_equal(riffle_runner_scan(runner, "", 0, check_rows, &seen, &error), RIFFLE_OK);
    assert_int_equal(seen.batches, 0);
    /* UTF-16 is refused, and the runner goes on living. */
    assert_int_not_equal(riffle_runner_scan(runner, "\xff\xfe{\0", 4, check_rows, &seen, &error), RIFFLE_OK);
    assert_true(error.text[0] != '\0');
    assert_int_equal(riffle_runner_scan(runner, records, sizeof(records) - 1, check_rows, &seen, &error), RIFFLE_OK);
    riffle_runner_close(runner);
    riffle_program_close(program);
}

static bool stop_at_second(void *context, const struct riffle_batch *batch)
{
    (void)batch;
    return ++*(uint32_t *)context < 2;
}

static void test_early_stop(void **state)
{
    (void)state;
    struct riffle_spec spec = {.predicate = three, .predicates = 3, .batch_bytes = 64};
    uint32_t batches = 0;
    char many[2000];
    for (int i = 0; i < 250; i++) {
        memcpy(many + 8 * i, "{\"a\":1}\n", 8);
    }
    assert_int_equal(scan(&spec, many, sizeof(many), stop_at_second, &batches), RIFFLE_STOPPED);
    assert_int_equal(batches, 2);
}

/* ---- The prefilter, and more records than one round takes ---- */

enum { MANY = 200000 };

struct many {
    uint64_t records; /* passed over */
    uint64_t rows;
    uint64_t selected;
};

static bool check_many(void *context, const struct riffle_batch *batch)
{
    struct many *many = context;
    assert_true(riffle_batch_records(batch) >= riffle_batch_rows(batch));
    static uint32_t rows[MANY];
    const uint32_t count = riffle_batch_selected(batch, 0, rows, MANY);
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t number = riffle_batch_number(batch, rows[i]);
        assert_int_equal(number % 1000, 7);
        assert_int_equal(riffle_batch_offset(batch, rows[i]), number * 16);
        assert_true(number >= many->records && number < many->records + riffle_batch_records(batch));
    }
    many->records += riffle_batch_records(batch);
    many->rows += riffle_batch_rows(batch);
    many->selected += count;
    return true;
}

static void test_prefilter(void **state)
{
    (void)state;
    char *bytes = malloc((size_t)MANY * 16 + 1);
    assert_non_null(bytes);
    for (int i = 0; i < MANY; i++) {
        memcpy(bytes + (size_t)i * 16, i % 1000 == 7 ? "{\"k\":\"needles\"}\n" : "{\"k\":\"nothing\"}\n", 16);
    }
    const char *const predicate[] = {"k == \"needles\""};
    for (int has_prefilter = 0; has_prefilter < 2; has_prefilter++) {
        for (uint32_t batch_bytes = 1000; batch_bytes <= 100000000; batch_bytes *= 100) {
            struct riffle_spec spec = {.predicate = predicate,
                                       .predicates = 1,
                                       .has_prefilter = has_prefilter != 0,
                                       .batch_bytes = batch_bytes};
            struct many many = {0, 0, 0};
            assert_int_equal(scan(&spec, bytes, (size_t)MANY * 16, check_many, &many), RIFFLE_OK);
            assert_int_equal(many.records, MANY);
            assert_int_equal(many.selected, MANY / 1000);
            if (has_prefilter) {
                assert_true(many.rows < MANY);
            } else {
                assert_int_equal(many.rows, MANY);
            }
        }
    }
    free(bytes);
}

/* ---- Values ---- */

static const char values[] =
    "{\"v\":null}\n{\"v\":true}\n{\"v\":false}\n{\"v\":-1.50}\n{\"v\":9007199254740993}\n"
    "{\"v\":\"a\\u0062\"}\n{\"v\":\"\"}\n{\"v\":[1, 2]}\n{\"v\":{\"k\": null}}\n{}\n{\"v\":1e400}\n7\n\n";

static const struct {
    enum riffle_type type;
    const char *text; /* or NULL */
    double real;
} value_expected[] = {
    {RIFFLE_NULL, NULL, 0},
    {RIFFLE_BOOL, NULL, 0},
    {RIFFLE_BOOL, NULL, 0},
    {RIFFLE_NUMBER, "-1.50", -1.5},
    {RIFFLE_NUMBER, "9007199254740993", 9007199254740992.0},
    {RIFFLE_STRING, "ab", 0},
    {RIFFLE_STRING, "", 0},
    {RIFFLE_LIST, "[1,2]", 0},
    {RIFFLE_MAP, "{\"k\":null}", 0},
    {RIFFLE_ABSENT, NULL, 0},
    {RIFFLE_ERROR, "number beyond the double range", 0},
    {RIFFLE_ABSENT, NULL, 0},
};
enum { VALUES = sizeof(value_expected) / sizeof(value_expected[0]) };

static void assert_value_text(const struct riffle_value *value, const char *text)
{
    assert_int_equal(value->text_count, strlen(text));
    assert_memory_equal(value->text, text, value->text_count);
}

enum { P_PATH, P_INT, P_UINT, P_DOUBLE, P_BYTES, P_STRING, P_LIST, P_ERROR, P_BOOL, PROJECTIONS };

static const char *const value_projection[PROJECTIONS] = {
    "v", "record.number", "3u", "0.25", "b\"\\x00\\xff\"", "\"x\" + \"y\"", "[v == null]", "v * 2", "has(msg.v)"};

/* A path to a list too deep to be a value has found something: an error, not absent. */
static bool check_deep(void *context, const struct riffle_batch *batch)
{
    struct riffle_value value;
    struct riffle_error error;
    assert_int_equal(riffle_batch_status(batch, 0), RIFFLE_ROW_READ);
    assert_int_equal(riffle_batch_value(batch, 0, 0, &value, &error), RIFFLE_OK);
    assert_int_equal(value.type, RIFFLE_ERROR);
    assert_true(value.text_count > 0);
    ++*(uint32_t *)context;
    return true;
}

static void test_value_too_deep(void **state)
{
    (void)state;
    enum { DEEP = 3000 };
    static char record[2 * DEEP + 16];
    const int head = snprintf(record, sizeof record, "{\"v\":");
    memset(record + head, '[', DEEP);
    memset(record + head + DEEP, ']', DEEP);
    record[head + 2 * DEEP] = '}';
    for (int engine = RIFFLE_CPU; engine <= RIFFLE_INTERP; engine++) {
        const struct riffle_spec spec = {.predicate = (const char *const[]){"true"},
                                         .predicates = 1,
                                         .projection = (const char *const[]){"v"},
                                         .projections = 1,
                                         .depth_max = 2 * DEEP,
                                         .engine = (enum riffle_engine)engine};
        uint32_t batches = 0;
        assert_int_equal(scan(&spec, record, strlen(record), check_deep, &batches), RIFFLE_OK);
        assert_int_equal(batches, 1);
    }
}

static bool check_values(void *context, const struct riffle_batch *batch)
{
    struct riffle_value value;
    struct riffle_error error;
    assert_int_equal(riffle_batch_rows(batch), VALUES + 1);
    for (uint32_t row = 0; row < VALUES; row++) {
        assert_int_equal(riffle_batch_value(batch, P_PATH, row, &value, &error), RIFFLE_OK);
        const enum riffle_type type = value_expected[row].type;
        assert_int_equal(value.type, type);
        assert_true(value.real == value_expected[row].real);
        if (value_expected[row].text != NULL) {
            assert_value_text(&value, value_expected[row].text);
        }
        assert_int_equal(value.integer, row == 1);
    }
    assert_int_equal(riffle_batch_value(batch, P_INT, 4, &value, &error), RIFFLE_OK);
    assert_int_equal(value.type, RIFFLE_INT);
    assert_int_equal(value.integer, 5);
    assert_int_equal(riffle_batch_value(batch, P_UINT, 0, &value, &error), RIFFLE_OK);
    assert_int_equal(value.type, RIFFLE_UINT);
    assert_int_equal(value.natural, 3);
    assert_int_equal(riffle_batch_value(batch, P_DOUBLE, 0, &value, &error), RIFFLE_OK);
    assert_int_equal(value.type, RIFFLE_DOUBLE);
    assert_true(value.real == 0.25);
    assert_int_equal(riffle_batch_value(batch, P_BYTES, 0, &value, &error), RIFFLE_OK);
    assert_int_equal(value.type, RIFFLE_BYTES);
    assert_int_equal(value.text_count, 2);
    assert_memory_equal(value.text, "\0\xff", 2);
    assert_int_equal(riffle_batch_value(batch, P_STRING, 0, &value, &error), RIFFLE_OK);
    assert_int_equal(value.type, RIFFLE_STRING);
    assert_value_text(&value, "xy");
    assert_int_equal(riffle_batch_value(batch, P_LIST, 0, &value, &error), RIFFLE_OK);
    assert_int_equal(value.type, RIFFLE_LIST);
    assert_value_text(&value, "[true]");
    assert_int_equal(riffle_batch_value(batch, P_ERROR, 1, &value, &error), RIFFLE_OK);
    assert_int_equal(value.type, RIFFLE_ERROR);
    assert_true(value.text_count > 0);
    assert_int_equal(riffle_batch_value(batch, P_BOOL, 0, &value, &error), RIFFLE_OK);
    assert_int_equal(value.type, RIFFLE_BOOL);
    assert_int_equal(value.integer, 1);
    /* The blank row, a row behind the last, a projection behind the last. */
    assert_int_equal(riffle_batch_value(batch, 0, VALUES, &value, &error), RIFFLE_E_USAGE);
    assert_int_equal(riffle_batch_value(batch, 0, VALUES + 1, &value, &error), RIFFLE_E_USAGE);
    assert_int_equal(riffle_batch_value(batch, PROJECTIONS, 0, &value, &error), RIFFLE_E_USAGE);
    assert_true(error.text[0] != '\0');
    ++*(uint32_t *)context;
    return true;
}

static void test_batch_value(void **state)
{
    (void)state;
    const char *const predicate[] = {"true"};
    for (int engine = RIFFLE_CPU; engine <= RIFFLE_INTERP; engine++) {
        struct riffle_spec spec = {.predicate = predicate,
                                   .predicates = 1,
                                   .projection = value_projection,
                                   .projections = PROJECTIONS,
                                   .engine = (enum riffle_engine)engine};
        uint32_t batches = 0;
        assert_int_equal(scan(&spec, values, sizeof(values) - 1, check_values, &batches), RIFFLE_OK);
        assert_int_equal(batches, 1);
    }
}

static bool check_column(void *context, const struct riffle_batch *batch)
{
    const bool is_cpu = *(const bool *)context;
    struct riffle_column column;
    assert_int_equal(riffle_batch_column(batch, P_PATH, &column), is_cpu);
    for (uint32_t p = P_INT + 1; p <= PROJECTIONS; p++) {
        assert_false(riffle_batch_column(batch, p, &column));
    }
    if (!is_cpu) {
        return true;
    }
    assert_true(riffle_batch_column(batch, P_PATH, &column));
    for (uint32_t row = 0; row < VALUES; row++) {
        assert_int_equal(column.kind[row], value_expected[row].type);
    }
    assert_int_equal(column.payload[1], 1);
    assert_int_equal(column.payload[2], 0);
    double real;
    memcpy(&real, &column.payload[3], sizeof(real));
    assert_true(real == -1.5);
    return true;
}

static void test_batch_column(void **state)
{
    (void)state;
    const char *const predicate[] = {"true"};
    for (int engine = RIFFLE_CPU; engine <= RIFFLE_INTERP; engine++) {
        struct riffle_spec spec = {.predicate = predicate,
                                   .predicates = 1,
                                   .projection = value_projection,
                                   .projections = PROJECTIONS,
                                   .engine = (enum riffle_engine)engine};
        bool is_cpu = engine == RIFFLE_CPU;
        assert_int_equal(scan(&spec, values, sizeof(values) - 1, check_column, &is_cpu), RIFFLE_OK);
    }
}

/* now is a column too: one instant for all records of a batch. */
static bool check_now(void *context, const struct riffle_batch *batch)
{
    struct riffle_column column;
    struct riffle_value value;
    struct riffle_error error;
    int64_t seconds = 0;
    assert_int_equal(riffle_batch_rows(batch), 3);
    const bool is_cpu = riffle_batch_column(batch, 0, &column);
    for (uint32_t row = 0; row < 3; row++) {
        assert_true(bit(riffle_batch_truth(batch, 0), row));
        assert_int_equal(riffle_batch_value(batch, 0, row, &value, &error), RIFFLE_OK);
        assert_int_equal(value.type, RIFFLE_TIMESTAMP);
        assert_true(!is_cpu || column.kind[row] == RIFFLE_TIMESTAMP);
        assert_true(row == 0 || value.integer == seconds);
        seconds = value.integer;
    }
    ++*(uint32_t *)context;
    return true;
}

static void test_now(void **state)
{
    (void)state;
    static const char empty_records[] = "{}\n{}\n{}\n";
    for (int engine = RIFFLE_CPU; engine <= RIFFLE_INTERP; engine++) {
        const struct riffle_spec spec = {.predicate =
                                             (const char *const[]){"now > timestamp(\"2026-01-01T00:00:00Z\")"},
                                         .predicates = 1,
                                         .projection = (const char *const[]){"now"},
                                         .projections = 1,
                                         .engine = (enum riffle_engine)engine};
        uint32_t batches = 0;
        assert_int_equal(scan(&spec, empty_records, sizeof(empty_records) - 1, check_now, &batches), RIFFLE_OK);
        assert_int_equal(batches, 1);
    }
}

/* ---- Formats, limits ---- */

static bool check_text(void *context, const struct riffle_batch *batch)
{
    assert_int_equal(riffle_batch_rows(batch), 4);
    static const bool wanted[] = {true, false, false, false};
    static const enum riffle_row_status status[] = {RIFFLE_ROW_READ, RIFFLE_ROW_READ, RIFFLE_ROW_READ,
                                                    RIFFLE_ROW_MALFORMED};
    for (uint32_t row = 0; row < 4; row++) {
        assert_int_equal(bit(riffle_batch_truth(batch, 0), row), wanted[row]);
        assert_int_equal(riffle_batch_status(batch, row), status[row]);
    }
    ++*(uint32_t *)context;
    return true;
}

static void test_format_text(void **state)
{
    (void)state;
    const char *const predicate[] = {"raw.contains(\"b\")"};
    for (int engine = RIFFLE_CPU; engine <= RIFFLE_INTERP; engine++) {
        struct riffle_spec spec = {
            .predicate = predicate, .predicates = 1, .format = RIFFLE_TEXT, .engine = (enum riffle_engine)engine};
        uint32_t batches = 0;
        assert_int_equal(scan(&spec, "abc\n\nxyz\nb\xff\n", 12, check_text, &batches), RIFFLE_OK);
        assert_int_equal(batches, 1);
    }
}

#define SOH "\x01"

/* Two messages, the second with a wrong CheckSum, which --lenient keeps. */
static const char fix_log[] =
    "10:00 OUT 8=FIX.4.4|9=48|35=8|49=A|56=B|34=1|55=MSFT|54=2|31=101.50|32=7|10=235|\n"
    "8=FIX.4.4" SOH "9=5" SOH "35=0" SOH "10=000" SOH "\n";

static bool check_fix(void *context, const struct riffle_batch *batch)
{
    struct riffle_error error;
    struct riffle_value value;
    const bool is_lenient = *(const bool *)context;
    assert_int_equal(riffle_batch_rows(batch), 2);
    assert_int_equal(riffle_batch_status(batch, 0), RIFFLE_ROW_READ);
    assert_int_equal(riffle_batch_status(batch, 1), is_lenient ? RIFFLE_ROW_READ : RIFFLE_ROW_MALFORMED);
    assert_true(bit(riffle_batch_truth(batch, 0), 0));
    assert_int_equal(riffle_batch_value(batch, 0, 0, &value, &error), RIFFLE_OK);
    assert_int_equal(value.type, RIFFLE_NUMBER);
    assert_true(value.real == 101.5);
    assert_int_equal(value.text_count, 6);
    assert_memory_equal(value.text, "101.50", 6);
    assert_int_equal(riffle_batch_value(batch, 1, 0, &value, &error), RIFFLE_OK);
    assert_int_equal(value.type, RIFFLE_ABSENT);
    return true;
}

static void test_format_fix(void **state)
{
    (void)state;
    const char *const predicate[] = {"Symbol == \"MSFT\" && Side == Side.SELL && LastPx > 101"};
    const char *const projection[] = {"LastPx", "Text"};
    for (int i = 0; i < 4; i++) {
        bool is_lenient = i % 2 != 0;
        const struct riffle_spec spec = {.predicate = predicate,
                                         .predicates = 1,
                                         .projection = projection,
                                         .projections = 2,
                                         .format = RIFFLE_FIX,
                                         .fix_dict = i < 2 ? "FIX.4.4" : NULL,
                                         .is_fix_lenient = is_lenient,
                                         .engine = i < 2 ? RIFFLE_CPU : RIFFLE_INTERP};
        assert_int_equal(scan(&spec, fix_log, sizeof(fix_log) - 1, check_fix, &is_lenient), RIFFLE_OK);
    }
    struct riffle_program *program;
    struct riffle_error error;
    const struct riffle_spec spec = {
        .predicate = predicate, .predicates = 1, .format = RIFFLE_FIX, .fix_dict = "no such dictionary"};
    assert_int_equal(riffle_program_open(&program, &spec, &error), RIFFLE_E_IO);
}

struct statuses {
    uint32_t of[3];
};

static bool count_statuses(void *context, const struct riffle_batch *batch)
{
    struct statuses *statuses = context;
    for (uint32_t row = 0; row < riffle_batch_rows(batch); row++) {
        statuses->of[riffle_batch_status(batch, row)]++;
    }
    return true;
}

static void assert_statuses(const struct riffle_spec *spec, const char *text, uint32_t read, uint32_t malformed)
{
    struct statuses statuses = {{0}};
    assert_int_equal(scan(spec, text, strlen(text), count_statuses, &statuses), RIFFLE_OK);
    assert_int_equal(statuses.of[RIFFLE_ROW_READ], read);
    assert_int_equal(statuses.of[RIFFLE_ROW_MALFORMED], malformed);
}

static void test_limits(void **state)
{
    (void)state;
    const char *const predicate[] = {"a > 1"};
    for (int engine = RIFFLE_CPU; engine <= RIFFLE_INTERP; engine++) {
        struct riffle_spec spec = {.predicate = predicate, .predicates = 1, .engine = (enum riffle_engine)engine};
        const char *deep = "{\"a\":1,\"b\":[[0]]}\n{\"a\":1,\"b\":[0]}\n{\"a\":1,\"b\":01}\n";
        assert_statuses(&spec, deep, 3, 0);
        spec.depth_max = 2;
        assert_statuses(&spec, deep, 2, 1);
        spec.depth_max = 0;
        spec.is_validating = true;
        assert_statuses(&spec, deep, 2, 1);
        spec.is_validating = false;
        spec.record_bytes_max = 16;
        assert_statuses(&spec, deep, 2, 1);
    }
}

/* ---- Threads: one program, a runner for each ---- */

struct shared {
    const struct riffle_program *program;
    uint32_t scans;
    bool is_right;
};

static bool sum_rows(void *context, const struct riffle_batch *batch)
{
    uint32_t *sums = context;
    for (uint32_t p = 0; p < 3; p++) {
        sums[p] += riffle_batch_selected(batch, p, NULL, 0);
    }
    return true;
}

static void *thread_main(void *context)
{
    struct shared *shared = context;
    struct riffle_runner *runner = NULL;
    struct riffle_error error;
    shared->is_right = riffle_runner_open(&runner, shared->program, &error) == RIFFLE_OK;
    for (uint32_t i = 0; i < shared->scans && shared->is_right; i++) {
        uint32_t sums[3] = {0, 0, 0};
        shared->is_right =
            riffle_runner_scan(runner, records, sizeof(records) - 1, sum_rows, sums, &error) == RIFFLE_OK &&
            sums[0] == 2 && sums[1] == 2 && sums[2] == 3;
    }
    riffle_runner_close(runner);
    return NULL;
}

static void test_threads(void **state)
{
    (void)state;
    struct riffle_spec spec = {.predicate = three, .predicates = 3, .batch_bytes = 64};
    struct riffle_program *program = program_open(&spec);
    pthread_t thread[2];
    struct shared shared[2];
    for (int i = 0; i < 2; i++) {
        shared[i] = (struct shared){program, 500, false};
        assert_int_equal(pthread_create(&thread[i], NULL, thread_main, &shared[i]), 0);
    }
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pthread_join(thread[i], NULL), 0);
        assert_true(shared[i].is_right);
    }
    riffle_program_close(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_version),        cmocka_unit_test(test_program_open), cmocka_unit_test(test_strict_cel),
        cmocka_unit_test(test_runner_scan),    cmocka_unit_test(test_runner_open),  cmocka_unit_test(test_early_stop),
        cmocka_unit_test(test_prefilter),      cmocka_unit_test(test_batch_value),  cmocka_unit_test(test_batch_column),
        cmocka_unit_test(test_value_too_deep), cmocka_unit_test(test_format_text), cmocka_unit_test(test_format_fix),  cmocka_unit_test(test_limits),
        cmocka_unit_test(test_threads),        cmocka_unit_test(test_now),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
