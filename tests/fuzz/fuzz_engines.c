/* One expression over a few records, on every engine: the input's bytes choose both. Half of them come from the grammar
 * here, which knows each kind of atom and each kind of trouble a record can have; the others from that of tests/engines,
 * which knows all of the language. All engines must write the same selected lines, the same dead letters (reason and
 * offset included) and the same counts. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "pipeline.h"
#include "random_expr.h"
#include "random_record.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { DEPTH_MAX = 12, NEST_MAX = 4, RECORDS_MAX = 40, OUTPUTS = 3 };

static void fail(const char *what, const char *engine, const struct rf_text *expression, const struct rf_text *records)
{
    fprintf(stderr, "fuzz_engines: %s: %s\nexpression: %.*s\nrecords:\n%.*s\n", engine, what, (int)expression->count,
            expression->data, (int)records->count, records->data);
    abort();
}

#define PICK(c, table) (*CHOOSE((c), (table)))

/* ---- Expressions ---- */

static const char *const path_table[] = {"a",
                                         "b",
                                         "c",
                                         "a.b",
                                         "a.b.c",
                                         "a.c",
                                         "l[0]",
                                         "l[1].a",
                                         "l[2]",
                                         "msg",
                                         "msg[\"k k\"]",
                                         "l",
                                         "m[b]",
                                         "l[a]",
                                         "raw",
                                         "record.number",
                                         "record.key",
                                         "m.a",
                                         "m",
                                         "msg[1]",
                                         "msg[\"\"]",
                                         "d",
                                         "e.f.g.h",
                                         "d[0][0]"};
static const char *const number_table[] = {"0",
                                           "1",
                                           "-1",
                                           "2",
                                           "1.0",
                                           "0.5",
                                           "-0.0",
                                           "10",
                                           "1u",
                                           "100",
                                           "1e308",
                                           "5e-324",
                                           "9007199254740993",
                                           "9007199254740992.0",
                                           "9223372036854775807",
                                           "18446744073709551615u"};
static const char *const string_table[] = {"\"\"",         "\"a\"",         "\"ab\"",
                                           "\"abcdefgh\"", "\"abcdefghi\"", "\"\\u00e9\"",
                                           "\"x\\\"y\"",   "\"\\u0000\"",   "\"zzzzzzzzzzzzzzzzzzzzzz\"",
                                           "\"b\""};
static const char *const plain_table[] = {"true", "false", "null", "[]", "{}", "[1]", "{\"a\": 1}", "b\"a\""};

static void put_operand(struct choice *c, struct rf_text *out, int depth);

static void put_literal(struct choice *c, struct rf_text *out)
{
    switch (choose(c, 4)) {
    case 0:
        put(out, PICK(c, string_table));
        break;
    case 1:
        put(out, PICK(c, plain_table));
        break;
    default:
        put(out, PICK(c, number_table));
        break;
    }
}

static void put_operand(struct choice *c, struct rf_text *out, int depth)
{
    static const char *const arithmetic[] = {" + ", " - ", " * ", " / ", " % "};
    switch (depth >= NEST_MAX ? choose(c, 5) : choose(c, 8)) {
    case 5:
        put(out, "(");
        put_operand(c, out, depth + 1);
        put(out, PICK(c, arithmetic));
        put_operand(c, out, depth + 1);
        put(out, ")");
        break;
    case 6:
        put(out, "size(");
        put_operand(c, out, depth + 1);
        put(out, ")");
        break;
    case 7:
        put(out, "-");
        put(out, PICK(c, path_table));
        break;
    case 4:
        put_literal(c, out);
        break;
    default:
        put(out, PICK(c, path_table));
        break;
    }
}

static void put_list(struct choice *c, struct rf_text *out)
{
    put(out, "[");
    for (uint32_t left = choose(c, 6); left > 0; left--) {
        put_literal(c, out);
        put(out, left > 1 ? ", " : "");
    }
    put(out, "]");
}

static void put_truth(struct choice *c, struct rf_text *out, int depth)
{
    static const char *const relation[] = {" == ", " != ", " < ", " <= ", " > ", " >= "};
    static const char *const method[] = {".startsWith(", ".endsWith(", ".contains("};
    static const char *const has[] = {"has(a)",   "has(a.b)",        "has(a.b.c)",
                                      "has(m.a)", "has(record.key)", "has(e.f.g.h)"};
    switch (depth >= NEST_MAX ? choose(c, 7) : choose(c, 12)) {
    case 0:
        put(out, PICK(c, path_table));
        put(out, " in ");
        put_list(c, out);
        break;
    case 1:
        put(out, PICK(c, has));
        break;
    case 2:
        put(out, PICK(c, path_table));
        put(out, PICK(c, method));
        put(out, PICK(c, string_table));
        put(out, ")");
        break;
    case 3:
        put(out, PICK(c, path_table));
        break;
    case 4:
        put_literal(c, out);
        put(out, " in ");
        put(out, PICK(c, path_table));
        break;
    case 7:
        put(out, "!(");
        put_truth(c, out, depth + 1);
        put(out, ")");
        break;
    case 8:
        put(out, "(");
        put_truth(c, out, depth + 1);
        put(out, " ? ");
        put_truth(c, out, depth + 1);
        put(out, " : ");
        put_truth(c, out, depth + 1);
        put(out, ")");
        break;
    case 9:
    case 10:
        put(out, "(");
        put_truth(c, out, depth + 1);
        put(out, choose(c, 2) == 0 ? " && " : " || ");
        put_truth(c, out, depth + 1);
        put(out, ")");
        break;
    default:
        put_operand(c, out, depth + 1);
        put(out, PICK(c, relation));
        put_operand(c, out, depth + 1);
        break;
    }
}

/* ---- Records ---- */

static const char *const key_table[] = {
    "\"a\"",   "\"b\"",       "\"c\"",       "\"l\"",    "\"m\"",
    "\"d\"",   "\"e\"",       "\"f\"",       "\"g\"",    "\"h\"",
    "\"\"",    "\"k k\"",     "\"\\u0061\"", "\"x\"",    "\"\\q\"",
    "\"a.b\"", "\"\\ud800\"", "\"a\\\"\"",   "\"\xff\"", "\"abcdefghijklmnopqrstuvwxyz0123456789\""};
static const char *const value_table[] = {
    "0", "1", "-1", "2", "1.0", "0.5", "-0", "10", "1e0", "100", "9007199254740993", "9007199254740992",
    "18446744073709551615", "18446744073709551616", "-9223372036854775808", "1e400", "-1e400", "1e-400", "5e-324",
    "123456789012345678901234567890", "0.1000000000000000055511151231257827021181583404541015625", "true", "false",
    "null", "\"\"", "\"a\"", "\"ab\"", "\"abcdefgh\"", "\"abcdefghi\"", "\"\\u0061b\"", "\"\xc3\xa9\"", "\"\\u00e9\"",
    "\"x\\\"y\"", "\"\\u0000\"", "\"\\ud83d\\ude80\"", "\"zzzzzzzzzzzzzzzzzzzzzz\"", "\"\\\\\\\\\"",
    "\"{\\\"a\\\":1}\"", "\"0123456789012345678901234567890123456789012345678901234567890123456789\"",
    /* and what is no value */
    "nul", "01", "1.", "\"\\q\"", "\"\\ud800\"", "\"\xff\"", "\"\x01\"", "+1", "tru e", "\"a", "\xef\xbb\xbf", "1e",
    "\x00"};
static const char *const space_table[] = {"", "", "", "", "", " ", "\t", "\r", "  "};

/* Mostly little or none; now and then more than a whole word of the index. */
static void put_space(struct choice *c, struct rf_text *out)
{
    if (choose(c, 4) != 0) {
        return; /* mostly nothing, so that whole blocks of the index are without */
    }
    put(out, PICK(c, space_table));
    if (choose(c, 64) == 0) {
        for (uint32_t left = choose(c, 256); left > 0; left--) {
            put(out, " ");
        }
    }
}

/* is_spaced: one space behind each colon and comma. */
static void put_value(struct choice *c, struct rf_text *out, int depth, bool is_spaced)
{
    put_space(c, out);
    const uint32_t kind = depth >= 6 ? 3 : choose(c, 8);
    if (kind == 0) {
        put(out, "[");
        for (uint32_t left = choose(c, 4); left > 0; left--) {
            put_value(c, out, depth + 1, is_spaced);
            put(out, left <= 1 ? "" : is_spaced ? ", " : ",");
        }
        put(out, "]");
    } else if (kind == 1 || (depth == 0 && kind < 7)) {
        put(out, "{");
        for (uint32_t left = choose(c, 7); left > 0; left--) {
            put(out, PICK(c, key_table));
            put_space(c, out);
            put(out, is_spaced ? ": " : ":");
            put_value(c, out, depth + 1, is_spaced);
            put(out, left <= 1 ? "" : is_spaced ? ", " : ",");
        }
        put(out, "}");
    } else {
        put(out, PICK(c, value_table));
    }
    put_space(c, out);
}

/* Now and then a byte is replaced by one that has a meaning, or the record is cut. */
static void damage(struct choice *c, struct rf_text *records, size_t begin)
{
    static const char bytes[] = "{}[]:,\"\\ \t\r-0e.x\xff\x01";
    const size_t count = records->count - begin;
    const uint32_t kind = choose(c, 8);
    if (count == 0 || kind > 1) {
        return;
    }
    const size_t at = begin + (choose(c, 256) * 256u + choose(c, 256)) % count;
    if (kind == 0) {
        records->data[at] = bytes[choose(c, sizeof bytes - 1)];
    } else {
        records->count = at;
    }
}

static void put_records(struct choice *c, struct rf_text *records)
{
    const bool is_spaced = choose(c, 3) == 0;
    for (uint32_t left = 1 + choose(c, RECORDS_MAX); left > 0; left--) {
        const size_t begin = records->count;
        put_value(c, records, 0, is_spaced);
        damage(c, records, begin);
        put(records, choose(c, 8) == 0 ? "\r\n" : "\n");
    }
    if (choose(c, 4) == 0 && records->count != 0) {
        records->count--;
    }
}

/* ---- All of the language ---- */

static void put_any_truth(struct choice *c, struct rf_text *expression, struct rf_text *projection)
{
    struct random_expr expr = random_expr_open(c, true);
    random_predicate(&expr);
    put_str(expression, rf_text_str(&expr.out));
    random_value_expr(&expr);
    put_str(projection, rf_text_str(&expr.out));
    random_expr_close(&expr);
}

static void put_any_records(struct choice *c, struct rf_text *records)
{
    const struct record_shape shape = random_shape(c, choose_rarely(c, 16) ? RECORDS_EXTREME : RECORDS_PLAIN);
    for (uint32_t left = 1 + choose(c, shape.is_extreme ? 3 : RECORDS_MAX); left > 0; left--) {
        put_record(c, shape, records);
        put(records, choose(c, 8) == 0 ? "\r\n" : "\n");
    }
}

/* ---- Engines ---- */

struct engine {
    const char *name;
    enum rf_backend backend;
    enum rf_isa isa; /* RF_ISA_COUNT: the best of this machine */
    uint32_t batch_bytes;
    bool is_prefiltering; /* then only selected lines are compared: other records may be skipped unread */
};

static const struct engine engine_table[] = {
    {"interp", RF_BACKEND_INTERP, RF_ISA_SCALAR, RF_BATCH_BYTES_DEFAULT, false},
    {"cpu scalar", RF_BACKEND_CPU, RF_ISA_SCALAR, RF_BATCH_BYTES_DEFAULT, false},
    {"cpu avx2", RF_BACKEND_CPU, RF_ISA_AVX2, RF_BATCH_BYTES_DEFAULT, false},
    {"cpu avx512", RF_BACKEND_CPU, RF_ISA_AVX512, RF_BATCH_BYTES_DEFAULT, false},
    {"cpu best, small batches", RF_BACKEND_CPU, RF_ISA_COUNT, 1, false},
    {"cpu best, prefilter", RF_BACKEND_CPU, RF_ISA_COUNT, RF_BATCH_BYTES_DEFAULT, true},
};

struct output {
    struct rf_text text[OUTPUTS]; /* selected lines, errors, malformed */
    struct rf_counts counts;
};

static enum rf_status run_pipeline(const struct engine *engine, const struct rf_compiled *compiled, bool is_validating,
                                   const struct rf_text *records, struct rf_sink *const sink[OUTPUTS],
                                   struct rf_counts *counts, struct rf_error *err)
{
    struct rf_source *source = NULL;
    const struct rf_source_options source_options = {.batch_bytes = engine->batch_bytes,
                                                     .counts_records = compiled->program.needs_number};
    RF_TRY(rf_source_open_memory(&source, records->data, records->count, "input", source_options, err));
    const struct rf_pipeline_options options = {
        .compiled = compiled,
        .source = source,
        .sink = sink[0],
        .emit = compiled->projections == 0 ? RF_EMIT_LINES : RF_EMIT_JSON,
        .backend = engine->backend,
        .isa = engine->isa == RF_ISA_COUNT ? rf_isa_best() : engine->isa,
        .threads = 1,
        .batch_bytes = engine->batch_bytes,
        .rows_max = 128,
        .depth_max = DEPTH_MAX,
        .is_validating = is_validating,
        .has_number_prefix = true,
        .prefix_begin = "",
        .prefix_end = "",
        .max_count = UINT64_MAX,
        .is_prefilter_allowed = engine->is_prefiltering,
        .on_error = {engine->is_prefiltering ? RF_POLICY_DROP : RF_POLICY_FILE, sink[1]},
        .on_malformed = {engine->is_prefiltering ? RF_POLICY_DROP : RF_POLICY_FILE, sink[2]},
        .record_bytes_max = RF_RECORD_BYTES_DEFAULT,
    };
    struct rf_pipeline_result result = {0};
    const enum rf_status status = rf_pipeline_run(&options, &result, err);
    *counts = result.counts;
    rf_source_close(source);
    return status;
}

static enum rf_status run_engine(const struct engine *engine, const struct rf_compiled *compiled, bool is_validating,
                                 const struct rf_text *records, struct output *output, struct rf_error *err)
{
    int fd[OUTPUTS];
    struct rf_sink *sink[OUTPUTS] = {NULL};
    const struct rf_sink_options options = {.buffer_bytes = 4096};
    enum rf_status status = RF_OK;
    for (int i = 0; i < OUTPUTS; i++) {
        fd[i] = memfd_create("output", MFD_CLOEXEC);
        if (fd[i] < 0 || rf_sink_open_fd(&sink[i], fd[i], "memory", options, err) != RF_OK) {
            abort();
        }
    }
    status = run_pipeline(engine, compiled, is_validating, records, sink, &output->counts, err);
    for (int i = 0; i < OUTPUTS; i++) {
        if (status == RF_OK && rf_sink_finish(sink[i], err) != RF_OK) {
            abort();
        }
        rf_sink_close(sink[i]);
        const off_t count = lseek(fd[i], 0, SEEK_END);
        rf_text_clear(&output->text[i]);
        if (count < 0 || rf_text_reserve(&output->text[i], (size_t)count + 1, err) != RF_OK ||
            pread(fd[i], output->text[i].data, (size_t)count, 0) != count) {
            abort();
        }
        output->text[i].count = (size_t)count;
        close(fd[i]);
    }
    return status;
}

static void compare(const struct output *reference, const struct output *output, const struct engine *engine,
                    const struct rf_text *expression, const struct rf_text *records)
{
    static const char *const what[OUTPUTS] = {"other selected lines than the interpreter",
                                              "other evaluation errors than the interpreter",
                                              "other malformed records than the interpreter"};
    for (int i = 0; i < (engine->is_prefiltering ? 1 : OUTPUTS); i++) {
        if (!rf_str_equal(rf_text_str(&reference->text[i]), rf_text_str(&output->text[i]))) {
            fprintf(stderr, "interp:\n%.*s\n%s:\n%.*s\n", (int)reference->text[i].count, reference->text[i].data,
                    engine->name, (int)output->text[i].count, output->text[i].data);
            fail(what[i], engine->name, expression, records);
        }
    }
    if (!engine->is_prefiltering && memcmp(&reference->counts, &output->counts, sizeof output->counts) != 0) {
        fail("other counts than the interpreter", engine->name, expression, records);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct rf_text expression, projection, records;
    static struct output reference, output;
    struct choice c = choice_of_bytes(data, size);
    rf_text_clear(&expression);
    rf_text_clear(&projection);
    rf_text_clear(&records);
    const uint32_t mode = choose(&c, 16);
    const bool is_any = choose(&c, 2) == 0;
    if (is_any) {
        put_any_truth(&c, &expression, &projection);
    } else {
        put_truth(&c, &expression, 0);
        put_operand(&c, &projection, 1);
    }
    const struct rf_str source = rf_text_str(&expression);
    const struct rf_str select = rf_text_str(&projection);
    const struct rf_compile_options options = {.is_strict_cel = (mode & 1) != 0};
    struct rf_compiled compiled;
    struct rf_diagnostic diagnostic;
    struct rf_error err;
    uint32_t failed = 0;
    if (rf_compile(&source, 1, &select, (mode & 12) == 12 ? 1 : 0, options, &compiled, &diagnostic, &failed, &err) !=
        RF_OK) {
        return -1; /* the types cannot match: try another one */
    }
    if (is_any) {
        put_any_records(&c, &records);
    } else {
        put_records(&c, &records);
    }
    for (size_t e = 0; e < sizeof engine_table / sizeof engine_table[0]; e++) {
        const struct engine *engine = &engine_table[e];
        if (engine->isa != RF_ISA_COUNT && engine->isa > rf_isa_best()) {
            continue;
        }
        if (run_engine(engine, &compiled, (mode & 2) != 0, &records, e == 0 ? &reference : &output, &err) != RF_OK) {
            fail(err.text, engine->name, &expression, &records);
        }
        if (e != 0) {
            compare(&reference, &output, engine, &expression, &records);
        }
    }
    rf_compiled_close(&compiled);
    return 0;
}
