/* Arbitrary bytes as a FIX stream, under one of many programs: what becomes of every entry (its bytes, its status, and for
 * bad ones the reason and the place), and what is written for the selected ones, must be the same for the interpreter and for
 * the vector stages at every level, in one batch and in small ones, with rounds of 128 rows.
 *
 * Data[0] and data[1] choose the predicate and the projection, data[2] the options. A CheckSum cannot be guessed by mutation:
 * where data[2] says so the rest is a list of bodies, and messages are made around them. */
#include "fix_dict.h"
#include "row_fates.h"

#include "../unit/fix/fix_samples.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BYTES_MAX = 1 << 15, HEAD_BYTES = 3, MESSAGE_HEAD = 2 };

static const char *const predicate_table[] = {
#define FIX_EXPRESSION(text) text,
#define FIX_VALUE(text)
#include "../unit/pipeline/fix_expressions.def"
#undef FIX_EXPRESSION
#undef FIX_VALUE
};

static const char *const value_table[] = {
#define FIX_EXPRESSION(text)
#define FIX_VALUE(text) text,
#include "../unit/pipeline/fix_expressions.def"
#undef FIX_EXPRESSION
#undef FIX_VALUE
};

enum {
    PREDICATES = sizeof(predicate_table) / sizeof(predicate_table[0]),
    VALUES = sizeof(value_table) / sizeof(value_table[0])
};

/* What a byte of options means. */
enum choice { IS_LENIENT = 1, IS_MADE = 2, HAS_SMALL_RECORDS = 4, IS_INVERTED = 8, HAS_VALUE = 16 };

static const struct engine engine_table[] = {
    {"interp", RF_BACKEND_INTERP, RF_ISA_SCALAR, 0, false},
    {"scalar", RF_BACKEND_CPU, RF_ISA_SCALAR, 0, false},
    {"avx2", RF_BACKEND_CPU, RF_ISA_AVX2, 0, false},
    {"avx512", RF_BACKEND_CPU, RF_ISA_AVX512, 0, false},
    {"interp, small batches", RF_BACKEND_INTERP, RF_ISA_SCALAR, 64, false},
    {"scalar, small batches", RF_BACKEND_CPU, RF_ISA_SCALAR, 64, false},
    {"avx512, small batches", RF_BACKEND_CPU, RF_ISA_AVX512, 300, false},
};
enum { ENGINES = sizeof(engine_table) / sizeof(engine_table[0]) };

/* Programs are made when they are first wanted. */
static const struct rf_compiled *program_of(uint32_t predicate, uint32_t value, bool has_value)
{
    static struct rf_compiled compiled[PREDICATES][VALUES + 1];
    static bool is_done[PREDICATES][VALUES + 1];
    static struct rf_env env;
    const uint32_t column = has_value ? value : VALUES;
    if (!is_done[predicate][column]) {
        struct rf_error err;
        struct rf_diagnostic diagnostic;
        uint32_t failed;
        env = rf_env_filter;
        env.fix = rf_fix_dict_builtin(RF_STR("FIX.4.4"));
        const struct rf_str source = rf_str_of(predicate_table[predicate]);
        const struct rf_str projection = rf_str_of(value_table[value]);
        const struct rf_compile_options options = {.env = &env};
        fates_require(rf_compile(&source, 1, &projection, has_value ? 1 : 0, options, &compiled[predicate][column],
                                 &diagnostic, &failed, &err),
                      &err);
        is_done[predicate][column] = true;
    }
    return &compiled[predicate][column];
}

static void engine_run(const struct engine *engine, const struct rf_compiled *compiled, uint8_t choices,
                       const uint8_t *bytes, size_t count, struct fates *fates)
{
    const struct rf_pipeline_options options = {
        .compiled = compiled,
        .emit = compiled->projections != 0 ? RF_EMIT_JSON : RF_EMIT_NONE,
        .depth_max = 300,
        .is_inverted = (choices & IS_INVERTED) != 0,
        .is_fix_lenient = (choices & IS_LENIENT) != 0,
        .is_prefilter_allowed = true,
        .record_bytes_max = (choices & HAS_SMALL_RECORDS) != 0 ? 150 : RF_RECORD_BYTES_DEFAULT,
    };
    fates_run(fates, engine, (struct rf_str){(const char *)bytes, count}, true, options);
}

static void compare(const struct fates *expected, const struct fates *found, const struct engine *engine,
                    const struct rf_compiled *compiled)
{
    const char *what = NULL;
    for (uint32_t row = 0; row < expected->rows && row < found->rows && what == NULL; row++) {
        if (memcmp(&expected->row[row], &found->row[row], sizeof(struct fate)) != 0) {
            what = "another fate";
            fate_print("interp", &expected->row[row]);
            fate_print(engine->name, &found->row[row]);
        }
    }
    if (what == NULL && expected->rows != found->rows) {
        what = "other rows";
    }
    if (what == NULL && memcmp(&expected->counts, &found->counts, sizeof(expected->counts)) != 0) {
        what = "other counts";
    }
    if (what == NULL && !rf_str_equal(rf_text_str(&expected->output), rf_text_str(&found->output))) {
        what = "another output";
        fprintf(stderr, "  interp:\n%.*s  %s:\n%.*s", RF_STR_ARG(rf_text_str(&expected->output)), engine->name,
                RF_STR_ARG(rf_text_str(&found->output)));
    }
    if (what != NULL) {
        fprintf(stderr, "fuzz_fix_engines: %.*s: %s: %s\n", RF_STR_ARG(compiled->source[0]), engine->name, what);
        abort();
    }
}

/* Entries follow each other without a gap, from the first byte to the last. */
static void coverage_check(const struct fates *fates, size_t count)
{
    uint64_t at = 0;
    for (uint32_t row = 0; row < fates->rows; row++) {
        if (fates->row[row].offset != at && fates->row[row].status != RF_ROW_MALFORMED) {
            /* Only an oversize entry is shown by its head. */
            if (row == 0 || fates->row[row - 1].status != RF_ROW_MALFORMED || fates->row[row].offset < at) {
                fprintf(stderr, "fuzz_fix_engines: a gap at byte %llu\n", (unsigned long long)at);
                abort();
            }
        }
        at = fates->row[row].offset + fates->row[row].line_bytes;
    }
    if (fates->counts.bytes != count) {
        fprintf(stderr, "fuzz_fix_engines: %llu of %zu bytes\n", (unsigned long long)fates->counts.bytes, count);
        abort();
    }
}

/* Messages around bodies: parts that end with a byte of zero, with two bytes in front that say how. In a body a `|` is SOH. */
static size_t stream_make(const uint8_t *data, size_t size, uint8_t *out)
{
    static const char *const before[] = {"", "", "", "IN ", "2026-01-02 10:00:00 B->A : ", "x\001y ", "8=FIX", "\t"};
    static const char *const after[] = {"\n", "\n", "", "\r\n", " end\n", "\001", "\n\n", "\r"};
    static const enum sample_lack lack[] = {[3] = LACKS_END,
                                            [4] = LACKS_TRAILER,
                                            [5] = LACKS_TRAILER | LACKS_END,
                                            [6] = LACKS_LENGTH,
                                            [7] = LACKS_LENGTH | LACKS_TRAILER};
    static const char *const version[] = {"FIX.4.4", "FIX.4.2", "FIXT.1.1", "FIX.4.4"};
    char body[SAMPLE_MAX / 4];
    size_t bytes = 0;
    for (size_t at = 0; at + MESSAGE_HEAD < size && bytes < BYTES_MAX - SAMPLE_MAX;) {
        const uint8_t how = data[at];
        const uint8_t around = data[at + 1];
        size_t count = 0;
        at += MESSAGE_HEAD;
        if ((how & 0x80) == 0) {
            count = sizeof SAMPLE_HEAD - 1;
            memcpy(body, SAMPLE_HEAD, count);
        }
        for (; at < size && data[at] != 0; at++) {
            if (count < sizeof body - 1) {
                body[count++] = data[at] == '|' ? '\001' : (char)data[at];
            }
        }
        at++;
        if (count == 0 || body[count - 1] != '\001') {
            body[count++] = '\001';
        }
        const char *text = before[around % 8];
        memcpy(out + bytes, text, strlen(text));
        bytes += strlen(text);
        bytes += sample_put(out + bytes, body, count,
                            (struct sample_options){.version = version[how / 4 % 4],
                                                    .separator = (enum rf_fix_separator)(how % 4),
                                                    .length_off = (how & 0x70) == 0x10 ? 3 : 0,
                                                    .sum_off = (how & 0x70) == 0x20 ? 7 : 0,
                                                    .lack = lack[how >> 4 & 7]});
        text = after[around / 8 % 8];
        memcpy(out + bytes, text, strlen(text));
        bytes += strlen(text);
    }
    return bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct fates expected, found;
    static uint8_t made[BYTES_MAX + SAMPLE_MAX];
    fates_open(&expected, sizeof(made));
    fates_open(&found, sizeof(made));
    if (size < HEAD_BYTES || size - HEAD_BYTES > BYTES_MAX) {
        return 0;
    }
    const uint8_t choices = data[2];
    const struct rf_compiled *compiled = program_of(data[0] % PREDICATES, data[1] % VALUES, (choices & HAS_VALUE) != 0);
    const uint8_t *bytes = data + HEAD_BYTES;
    size_t count = size - HEAD_BYTES;
    if ((choices & IS_MADE) != 0) {
        count = stream_make(bytes, count, made);
        bytes = made;
    }
    engine_run(&engine_table[0], compiled, choices, bytes, count, &expected);
    coverage_check(&expected, count);
    for (uint32_t e = 1; e < ENGINES; e++) {
        if (engine_table[e].isa <= rf_isa_best()) {
            engine_run(&engine_table[e], compiled, choices, bytes, count, &found);
            compare(&expected, &found, &engine_table[e], compiled);
        }
    }
    return 0;
}
