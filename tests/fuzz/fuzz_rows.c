/* Arbitrary bytes as records, under one of a few fixed programs: what becomes of every row (status, and for bad ones
 * the reason and the place) must be the same for the interpreter and for the vector stages at every level, in one batch
 * and in many small ones, with rounds of 128 rows. The first byte chooses the program, the second the options.
 *
 * fuzz_engines writes expressions and records by a grammar and compares outputs; here the records are anything at all,
 * and rows are compared before any output is made of them. */
#include "row_fates.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BYTES_MAX = 1 << 16 };

static const char *const program_table[] = {
    "a > 1",
    "a == \"x\" || b == \"abcdefgh\" || abcdefgh == 1 || abcdefghi == 2 || abcdefg == 3",
    "a.b.c == null || a.b == {} || a[1] == 2 || a[0].b == [1]",
    "msg[\"\"] == 1 || msg[\"k\\\"k\"] == 2 || msg[\"\\u00e9\"] == 3 || l == 4 || ll == 5",
    "has(a) && !has(a.b) && (has(b) ? b < a : c in [1, 2.5, \"x\", true, null])",
    "symbol == \"needle\" && a.startsWith(\"ab\")",
    "raw.contains(\"\\\\u00\") || size(a) > 2",
    "msg == 1 || msg == \"needle\" || msg == [1]",
    "price * qty / 2 > 10 && name.contains(\"x\") && record.number % 2 == 1",
};
enum { PROGRAMS = sizeof(program_table) / sizeof(program_table[0]) };

static const struct engine engine_table[] = {
    {"interp", RF_BACKEND_INTERP, RF_ISA_SCALAR, 0, false},
    {"scalar", RF_BACKEND_CPU, RF_ISA_SCALAR, 0, false},
    {"avx2", RF_BACKEND_CPU, RF_ISA_AVX2, 0, false},
    {"avx512", RF_BACKEND_CPU, RF_ISA_AVX512, 0, false},
    {"interp, small batches", RF_BACKEND_INTERP, RF_ISA_SCALAR, 64, false},
    {"avx2, small batches", RF_BACKEND_CPU, RF_ISA_AVX2, 64, false},
    {"avx512, small batches", RF_BACKEND_CPU, RF_ISA_AVX512, 64, false},
    {"scalar, prefilter", RF_BACKEND_CPU, RF_ISA_SCALAR, 0, true},
    {"avx2, prefilter", RF_BACKEND_CPU, RF_ISA_AVX2, 0, true},
    {"avx512, prefilter", RF_BACKEND_CPU, RF_ISA_AVX512, 0, true},
};
enum { ENGINES = sizeof(engine_table) / sizeof(engine_table[0]) };

static struct rf_compiled compiled_table[PROGRAMS];

static void compile_all(void)
{
    static bool is_done;
    for (uint32_t p = 0; p < PROGRAMS && !is_done; p++) {
        struct rf_error err;
        struct rf_diagnostic diagnostic;
        uint32_t failed;
        const struct rf_str source = rf_str_of(program_table[p]);
        const struct rf_compile_options options = {.is_strict_cel = false};
        if (rf_compile(&source, 1, NULL, 0, options, &compiled_table[p], &diagnostic, &failed, &err) != RF_OK) {
            fprintf(stderr, "fuzz_rows: %s: %s\n", program_table[p], err.text);
            abort();
        }
    }
    is_done = true;
}

static void engine_run(const struct engine *engine, uint32_t program, uint8_t choices, const uint8_t *bytes,
                       size_t count, struct fates *fates)
{
    const struct rf_pipeline_options options = {
        .compiled = &compiled_table[program],
        .emit = RF_EMIT_NONE,
        .depth_max = (choices & 2) != 0 ? 3 : 300,
        .is_validating = (choices & 1) != 0,
        .is_inverted = (choices & 8) != 0,
        .is_prefilter_allowed = engine->is_prefiltering,
        .record_bytes_max = (choices & 4) != 0 ? 100 : RF_RECORD_BYTES_DEFAULT,
    };
    fates_run(fates, engine, (struct rf_str){(const char *)bytes, count}, false, options);
}

static void fail(const char *what, const struct engine *engine, uint32_t program, const struct fate *expected,
                 const struct fate *found)
{
    fprintf(stderr, "fuzz_rows: %s: %s: %s\n", program_table[program], engine->name, what);
    if (expected != NULL && found != NULL) {
        fate_print("interp", expected);
        fate_print(engine->name, found);
    }
    abort();
}

static void compare(const struct fates *expected, const struct fates *found, const struct engine *engine,
                    uint32_t program)
{
    if (rf_counts_read(&expected->counts) != rf_counts_read(&found->counts) ||
        expected->counts.bytes != found->counts.bytes ||
        expected->counts.of[RF_ROW_SELECTED] != found->counts.of[RF_ROW_SELECTED]) {
        fail("other counts", engine, program, NULL, NULL);
    }
    uint32_t next = 0;
    for (uint32_t row = 0; row < expected->rows; row++) {
        if (engine->is_prefiltering) {
            while (next < found->rows && found->row[next].offset < expected->row[row].offset) {
                next++;
            }
            const bool is_there = next < found->rows && found->row[next].offset == expected->row[row].offset;
            if (!is_there && expected->row[row].status != RF_ROW_SELECTED) {
                continue;
            }
            if (!is_there) {
                fail("a selected row is passed over", engine, program, NULL, NULL);
            }
        } else {
            next = row;
        }
        if (next >= found->rows || memcmp(&expected->row[row], &found->row[next], sizeof(struct fate)) != 0) {
            fail("another fate", engine, program, &expected->row[row], &found->row[next < found->rows ? next : 0]);
        }
    }
    if (!engine->is_prefiltering && found->rows != expected->rows) {
        fail("other rows", engine, program, NULL, NULL);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct fates expected, found;
    compile_all();
    fates_open(&expected, BYTES_MAX);
    fates_open(&found, BYTES_MAX);
    if (size < 2 || size - 2 > BYTES_MAX ||
        (size >= 4 && ((data[2] == 0xff && data[3] == 0xfe) || (data[2] == 0xfe && data[3] == 0xff)))) {
        return 0; /* UTF-16 is no input */
    }
    const uint32_t program = data[0] % PROGRAMS;
    engine_run(&engine_table[0], program, data[1], data + 2, size - 2, &expected);
    for (uint32_t e = 1; e < ENGINES; e++) {
        if (engine_table[e].isa <= rf_isa_best()) {
            engine_run(&engine_table[e], program, data[1], data + 2, size - 2, &found);
            compare(&expected, &found, &engine_table[e], program);
        }
    }
    return 0;
}
