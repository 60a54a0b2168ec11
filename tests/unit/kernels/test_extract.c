/* The vector index and extract stages against the walker: the same verdict and the same cells for every row. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "extract.h"
#include "random_json.h"
#include "trie_fixture.h"

enum { ROWS_MAX = 4096, BYTES_MAX = 64 * 1024 };

struct stages {
    struct rf_rows rows;
    struct rf_index index;
    struct rf_extract extract;
    struct rf_columns columns;
};

static void stages_open(struct stages *s, const struct trie_fixture *trie, struct rf_walk_options options)
{
    struct rf_error err;
    assert_int_equal(rf_rows_open(&s->rows, ROWS_MAX, &err), RF_OK);
    assert_int_equal(rf_index_open(&s->index, &trie->program, ROWS_MAX, options.depth_max, &err), RF_OK);
    assert_int_equal(rf_index_reserve(&s->index, BYTES_MAX, &err), RF_OK);
    assert_int_equal(rf_extract_open(&s->extract, &trie->program, ROWS_MAX, options, &err), RF_OK);
    assert_int_equal(rf_columns_open(&s->columns, trie->program.slots, ROWS_MAX, &err), RF_OK);
    assert_int_equal(rf_columns_reserve_side(&s->columns, 3 * BYTES_MAX, &err), RF_OK);
}

static void stages_close(struct stages *s)
{
    rf_columns_close(&s->columns);
    rf_extract_close(&s->extract);
    rf_index_close(&s->index);
    rf_rows_close(&s->rows);
}

static void stages_run(struct stages *s, enum rf_isa isa, const struct rf_batch *batch, struct rf_span32 span)
{
    rf_index_json(&s->index, isa, batch, span, &s->rows);
    rf_extract_json(&s->extract, isa, batch, &s->index, &s->rows, &s->columns);
}

static void cell_compare(const struct trie_fixture *trie, const struct rf_batch *batch, const struct stages *a,
                         const struct stages *b, uint32_t slot, uint32_t row)
{
    const struct rf_column *ca = &a->columns.slot[slot];
    const struct rf_column *cb = &b->columns.slot[slot];
    if (ca->tag[row] != cb->tag[row]) {
        const struct rf_str text = rf_row_text(batch, &a->rows, row);
        fail_msg("slot %u (%.*s): tags %d and %d in row %u: %.*s", slot,
                 RF_STR_ARG(trie->node[trie->slot[slot].node].step.key), ca->tag[row], cb->tag[row], row,
                 RF_STR_ARG(text));
    }
    switch (ca->tag[row]) {
    case RF_TAG_NUMBER:
    case RF_TAG_BIGINT:
    case RF_TAG_BIGUINT:
    case RF_TAG_STRING_RAW:
    case RF_TAG_STRING_ESCAPED: {
        assert_int_equal(ca->payload[row], cb->payload[row]);
        const struct rf_str ta = rf_column_text(&a->columns, batch, slot, row);
        const struct rf_str tb = rf_column_text(&b->columns, batch, slot, row);
        assert_int_equal(ta.count, tb.count);
        assert_memory_equal(ta.data, tb.data, ta.count);
        break;
    }
    case RF_TAG_LIST:
    case RF_TAG_OBJECT:
        if (trie->slot[slot].is_deep) { /* nobody asked for the text of others */
            assert_int_equal(ca->begin[row], cb->begin[row]);
            assert_int_equal(ca->length[row], cb->length[row]);
        }
        break;
    default:
        break;
    }
}

static void stages_compare(const struct trie_fixture *trie, const struct rf_batch *batch, const struct stages *a,
                           const struct stages *b)
{
    assert_int_equal(a->rows.rows, b->rows.rows);
    for (uint32_t row = 0; row < a->rows.rows; row++) {
        assert_int_equal(a->rows.begin[row], b->rows.begin[row]);
        assert_int_equal(a->rows.end[row], b->rows.end[row]);
        if (a->rows.status[row] != b->rows.status[row]) {
            const struct rf_str text = rf_row_text(batch, &a->rows, row);
            fail_msg("status %d and %d of row %.*s", a->rows.status[row], b->rows.status[row], RF_STR_ARG(text));
        }
        if (a->rows.status[row] == RF_ROW_MALFORMED || a->rows.status[row] == RF_ROW_BLANK) {
            continue;
        }
        for (uint32_t slot = 0; slot < trie->program.slots; slot++) {
            cell_compare(trie, batch, a, b, slot, row);
        }
    }
}

static const char *const paths_flat[] = {"symbol", "price"};
static const char *const paths_one[] = {"a"};
static const char *const paths_nested[] = {"a.b", "venue.mic", "a.b.c"};
static const char *const paths_many[] = {"a",
                                         "b",
                                         "c",
                                         "ab",
                                         "abc",
                                         "price",
                                         "~",
                                         "symbol",
                                         "venue.mic",
                                         "venue.lat.a",
                                         "averyverylongkeyname",
                                         "!lat",
                                         "a.b.c.ab",
                                         "x_a",
                                         "\xc3\xa9"};
/* Keys that all differ, so that they are matched eight at once; some longer than what is compared at once. */
static const char *const paths_match[] = {
    "price", "symbol", "venue.mic", "venue.lat.c", "ab", "abc", "averyverylongkeyname", "averyverylongkeynamf"};
static const char *const paths_long[] = {"averyverylongkeyname", "b", "averyverylongkeynamf"};
static const char *const paths_quote[] = {"x\"a", "b"};
static const char *const paths_deep[] = {"!venue", "venue.mic", "!a", "!lat"};
static const char *const paths_index[] = {"a[1]", "b[0].a", "c"};

static const struct {
    const char *const *path;
    size_t paths;
} programs[] = {{paths_flat, 2}, {paths_one, 1},   {paths_nested, 3}, {paths_many, 15}, {paths_index, 3},
                {paths_one, 0},  {paths_match, 8}, {paths_long, 3},   {paths_quote, 2}, {paths_deep, 4}};

/* `lines` random lines; every other batch ends without a line end. */
static size_t batch_make(struct maker *m, uint32_t lines, bool has_last_end)
{
    m->count = 0;
    m->is_spaced = maker_next(m, 3) == 0;
    for (uint32_t l = 0; l < lines && m->count + 4096 < m->capacity; l++) {
        maker_line(m);
        maker_text(m, maker_next(m, 50) == 0 ? "\r\n" : "\n");
    }
    if (!has_last_end && m->count > 1) {
        m->count--;
    }
    return m->count;
}

static void levels_compare(uint64_t seed, struct rf_walk_options options, uint32_t rounds)
{
    static char bytes[BYTES_MAX + RF_BATCH_PADDING];
    struct maker m = {.state = seed, .out = bytes, .capacity = BYTES_MAX};
    for (size_t p = 0; p < sizeof(programs) / sizeof(*programs); p++) {
        struct trie_fixture trie;
        fixture_make(&trie, programs[p].path, programs[p].paths);
        struct stages scalar;
        struct stages vector;
        stages_open(&scalar, &trie, options);
        stages_open(&vector, &trie, options);
        for (uint32_t round = 0; round < rounds; round++) {
            const size_t count = batch_make(&m, 1 + maker_next(&m, 60), maker_next(&m, 2) == 0);
            if (count == 0) {
                continue;
            }
            const struct rf_batch batch = {
                .bytes = (const uint8_t *)bytes, .bytes_used = (uint32_t)count, .input_name = "test"};
            const struct rf_span32 whole = {0, (uint32_t)count};
            stages_run(&scalar, RF_ISA_SCALAR, &batch, whole);
            for (enum rf_isa isa = RF_ISA_AVX2; isa <= rf_isa_best(); isa++) {
                stages_run(&vector, isa, &batch, whole);
                stages_compare(&trie, &batch, &scalar, &vector);
            }
        }
        stages_close(&scalar);
        stages_close(&vector);
    }
}

static void test_extract_json_levels(void **state)
{
    (void)state;
    const struct rf_walk_options options = {RF_DEPTH_MAX_DEFAULT, false};
    levels_compare(0x9e3779b97f4a7c15ull, options, 400);
    levels_compare(0x1234567, options, 400);
}

static void test_extract_json_shallow(void **state)
{
    (void)state;
    levels_compare(77, (struct rf_walk_options){3, false}, 100);
}

static void test_extract_json_validating(void **state)
{
    (void)state;
    levels_compare(78, (struct rf_walk_options){RF_DEPTH_MAX_DEFAULT, true}, 50);
}

/* A record that ends, or fails to end, at every place of a block: its last bracket in one, its line end in the next. The
 * others are longer than a word, so that no word has two line ends. */
static void test_index_json_borders(void **state)
{
    (void)state;
    enum { COUNT_MAX = 4096, LONG = 150, FROM = 400, UPTO = 1300 };
    static const char *const last[] = {"{\"a\":1,\"b\":[1]}",      "{\"a\":1,\"b\":[1]",
                                       "{\"a\":1,\"b\":{\"c\":1}", "{\"a\":1,\"b\":{\"c\":1}}}",
                                       "{\"a\":1,\"b\":[1}}",      "{\"a\":1,\"b\":{\"c\": 1}}"};
    static char bytes[COUNT_MAX + RF_BATCH_PADDING];
    struct trie_fixture trie;
    fixture_make(&trie, paths_nested, 3);
    const struct rf_walk_options options = {RF_DEPTH_MAX_DEFAULT, false};
    struct stages scalar;
    struct stages vector;
    stages_open(&scalar, &trie, options);
    stages_open(&vector, &trie, options);
    for (size_t l = 0; l < sizeof(last) / sizeof(last[0]); l++) {
        for (int at = FROM; at < UPTO; at++) {
            const int filling = at - LONG - (int)strlen(last[l]);
            int count = snprintf(bytes, COUNT_MAX, "{\"a\":1,\"x\":\"%0*d\"}\n", LONG, 0);
            count += snprintf(bytes + count, (size_t)(COUNT_MAX - count), "{\"a\":2,\"x\":\"%0*d\"}\n%s\n", filling, 0,
                              last[l]);
            for (int i = 0; i < 8; i++) {
                count +=
                    snprintf(bytes + count, (size_t)(COUNT_MAX - count), "{\"a\":{\"b\":3},\"x\":\"%0*d\"}\n", LONG, 0);
            }
            const struct rf_batch batch = {
                .bytes = (const uint8_t *)bytes, .bytes_used = (uint32_t)count, .input_name = "test"};
            const struct rf_span32 whole = {0, (uint32_t)count};
            stages_run(&scalar, RF_ISA_SCALAR, &batch, whole);
            for (enum rf_isa isa = RF_ISA_AVX2; isa <= rf_isa_best(); isa++) {
                stages_run(&vector, isa, &batch, whole);
                stages_compare(&trie, &batch, &scalar, &vector);
            }
        }
    }
    stages_close(&scalar);
    stages_close(&vector);
}

/* Spans that begin anywhere in the batch, also behind its last record. */
static void test_extract_json_spans(void **state)
{
    (void)state;
    static char bytes[BYTES_MAX + RF_BATCH_PADDING];
    struct maker m = {.state = 4711, .out = bytes, .capacity = BYTES_MAX};
    struct trie_fixture trie;
    fixture_make(&trie, paths_many, 15);
    struct stages scalar;
    struct stages vector;
    const struct rf_walk_options options = {RF_DEPTH_MAX_DEFAULT, false};
    stages_open(&scalar, &trie, options);
    stages_open(&vector, &trie, options);
    for (uint32_t round = 0; round < 300; round++) {
        const size_t count = batch_make(&m, 50, true);
        const struct rf_batch batch = {
            .bytes = (const uint8_t *)bytes, .bytes_used = (uint32_t)count, .input_name = "test"};
        uint32_t begin = 0;
        for (uint32_t skipped = maker_next(&m, 50); skipped != 0 && begin < count; skipped--) {
            begin = (uint32_t)((const char *)memchr(bytes + begin, '\n', count - begin) - bytes) + 1;
        }
        const struct rf_span32 span = {begin, (uint32_t)count};
        stages_run(&scalar, RF_ISA_SCALAR, &batch, span);
        for (enum rf_isa isa = RF_ISA_AVX2; isa <= rf_isa_best(); isa++) {
            stages_run(&vector, isa, &batch, span);
            stages_compare(&trie, &batch, &scalar, &vector);
        }
    }
    stages_close(&scalar);
    stages_close(&vector);
}

/* More rows than the table takes: rounds pick up where the last one ended. */
static void test_index_json_rounds(void **state)
{
    (void)state;
    static char bytes[BYTES_MAX + RF_BATCH_PADDING];
    struct maker m = {.state = 99, .out = bytes, .capacity = BYTES_MAX};
    struct trie_fixture trie;
    fixture_make(&trie, paths_flat, 2);
    const size_t count = batch_make(&m, 700, true);
    const struct rf_batch batch = {
        .bytes = (const uint8_t *)bytes, .bytes_used = (uint32_t)count, .input_name = "test"};
    struct rf_error err;
    for (enum rf_isa isa = RF_ISA_SCALAR; isa <= rf_isa_best(); isa++) {
        struct rf_rows rows;
        struct rf_index index;
        assert_int_equal(rf_rows_open(&rows, 128, &err), RF_OK);
        assert_int_equal(rf_index_open(&index, &trie.program, 128, 1024, &err), RF_OK);
        assert_int_equal(rf_index_reserve(&index, BYTES_MAX, &err), RF_OK);
        uint32_t begin = 0;
        uint32_t total = 0;
        while (begin < count) {
            const struct rf_span32 span = {begin, (uint32_t)count};
            rf_index_json(&index, isa, &batch, span, &rows);
            assert_true(rows.rows > 0 && rows.rows <= 128);
            assert_int_equal(rows.begin[0], begin);
            assert_true(rows.cursor > begin);
            begin = rows.cursor;
            total += rows.rows;
        }
        assert_int_equal(total, rf_lines_count((const uint8_t *)bytes, count));
        rf_index_close(&index);
        rf_rows_close(&rows);
    }
}

static void test_index_text_lines(void **state)
{
    (void)state;
    static const char text[] = "one\n\ntwo\r\n\xc3\xa9\nlast";
    char bytes[sizeof(text) + RF_BATCH_PADDING] = {0};
    memcpy(bytes, text, sizeof(text));
    struct trie_fixture trie;
    fixture_make(&trie, NULL, 0);
    const struct rf_batch batch = {
        .bytes = (const uint8_t *)bytes, .bytes_used = sizeof(text) - 1, .input_name = "test"};
    const struct rf_span32 whole = {0, sizeof(text) - 1};
    struct rf_error err;
    for (enum rf_isa isa = RF_ISA_SCALAR; isa <= rf_isa_best(); isa++) {
        struct rf_rows rows;
        struct rf_index index;
        assert_int_equal(rf_rows_open(&rows, 128, &err), RF_OK);
        assert_int_equal(rf_index_open(&index, &trie.program, 128, 1024, &err), RF_OK);
        assert_int_equal(rf_index_reserve(&index, sizeof(text), &err), RF_OK);
        rf_index_text(&index, isa, &batch, whole, &rows);
        assert_int_equal(rows.rows, 5);
        assert_int_equal(rows.lines, 5);
        assert_true(index.has_high);
        static const char *const line[] = {"one", "", "two", "\xc3\xa9", "last"};
        for (uint32_t row = 0; row < 5; row++) {
            const struct rf_str got = rf_row_text(&batch, &rows, row);
            assert_true(rf_str_equal(got, rf_str_of(line[row])));
            assert_int_equal(rows.status[row], RF_ROW_REJECTED);
        }
        rf_index_close(&index);
        rf_rows_close(&rows);
    }
}

/* now: the batch's instant in every row, of JSON lines and of text. */
static void test_now(void **state)
{
    (void)state;
    static const char text[] = "{\"a\":1}\n{\"a\":2}\n{}\n";
    char bytes[sizeof(text) + RF_BATCH_PADDING] = {0};
    memcpy(bytes, text, sizeof(text));
    struct trie_fixture trie;
    static const char *const path[] = {"a"};
    fixture_make(&trie, path, 1);
    const uint32_t slot = trie.program.slots++;
    trie.slot[slot] = (struct rf_slot){.root = RF_ROOT_NOW, .node = RF_NONE};
    const struct rf_batch batch = {.bytes = (const uint8_t *)bytes,
                                   .bytes_used = sizeof(text) - 1,
                                   .input_name = "test",
                                   .now_seconds = -62135596800,
                                   .now_nanos = 999999999};
    const struct rf_span32 whole = {0, sizeof(text) - 1};
    for (enum rf_isa isa = RF_ISA_SCALAR; isa <= rf_isa_best(); isa++) {
        for (int is_text = 0; is_text < 2; is_text++) {
            struct stages stages;
            stages_open(&stages, &trie, (struct rf_walk_options){.depth_max = 1024});
            if (is_text != 0) {
                rf_index_text(&stages.index, isa, &batch, whole, &stages.rows);
                rf_extract_text(&stages.extract, &batch, &stages.index, &stages.rows, &stages.columns);
            } else {
                stages_run(&stages, isa, &batch, whole);
            }
            assert_int_equal(stages.rows.rows, 3);
            const struct rf_column *column = &stages.columns.slot[slot];
            for (uint32_t row = 0; row < 3; row++) {
                assert_int_equal(column->tag[row], RF_TAG_TIMESTAMP);
                assert_true((int64_t)column->payload[row] == -62135596800);
                assert_int_equal(column->length[row], 999999999);
            }
            stages_close(&stages);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_extract_json_levels),     cmocka_unit_test(test_extract_json_shallow),
        cmocka_unit_test(test_extract_json_validating), cmocka_unit_test(test_extract_json_spans),
        cmocka_unit_test(test_index_json_borders),      cmocka_unit_test(test_index_json_rounds),
        cmocka_unit_test(test_index_text_lines),        cmocka_unit_test(test_now),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
