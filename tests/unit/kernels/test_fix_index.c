/* test_fix_index.c: at every level the fields are those of the reference decoder, for good and for damaged messages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../fix/fix_samples.h"
#include "fix_index.h"
#include "fix_reference.h"

enum { ROWS_MAX = 4096, LIMIT = 1 << 20, WANTED = 9 };

static const uint32_t wanted[WANTED] = {35, 55, 44, 10, 8, 448, 96, 100000001, 58};
static uint8_t stream[STREAM_MAX];
static struct reference reference;

/* The stages, with arrays of exactly the promised sizes. */
struct stages {
    struct rf_batch batch;
    struct rf_rows rows;
    struct rf_fix_frame frame;
    struct rf_fix_index index;
    struct rf_columns columns;
};

static void stages_open(struct stages *stages, const uint8_t *bytes, size_t count, bool is_lenient)
{
    struct rf_error err;
    uint8_t *copy = malloc(count + RF_BATCH_PADDING);
    assert_non_null(copy);
    memcpy(copy, bytes, count);
    for (size_t i = 0; i < RF_BATCH_PADDING; i++) {
        copy[count + i] = (uint8_t) "1=\001|="[i % 5];
    }
    stages->batch = (struct rf_batch){.bytes = copy, .bytes_used = (uint32_t)count, .owned = copy};
    assert_int_equal(rf_rows_open(&stages->rows, ROWS_MAX, &err), RF_OK);
    assert_int_equal(rf_fix_frame_open(&stages->frame, ROWS_MAX, LIMIT, is_lenient, &err), RF_OK);
    assert_int_equal(rf_fix_index_open(&stages->index, ROWS_MAX, wanted, WANTED, &err), RF_OK);
    assert_int_equal(rf_fix_index_reserve(&stages->index, count, &err), RF_OK);
    assert_int_equal(rf_columns_open(&stages->columns, WANTED, ROWS_MAX, &err), RF_OK);
}

static void stages_close(struct stages *stages)
{
    rf_columns_close(&stages->columns);
    rf_fix_index_close(&stages->index);
    rf_fix_frame_close(&stages->frame);
    rf_rows_close(&stages->rows);
    free(stages->batch.owned);
}

static void stages_frame(struct stages *stages, enum rf_isa isa)
{
    rf_fix_frame_run(&stages->frame, isa, &stages->batch, (struct rf_span32){0, stages->batch.bytes_used}, RF_FIX_LAST,
                     &stages->rows);
}

/* What framing said of a row. */
struct framed {
    uint8_t status, flags, reason;
};

static bool row_decode(const struct stages *stages, uint32_t row, struct framed framed)
{
    const struct rf_fix_frame *frame = &stages->frame;
    if (framed.status != RF_ROW_REJECTED) {
        assert_int_equal(stages->rows.status[row], framed.status);
        assert_int_equal(frame->flags[row], framed.flags);
        return false;
    }
    reference_decode(stages->batch.bytes, frame->message[row], frame->message_end[row],
                     (enum rf_fix_separator)frame->separator[row], framed.reason == RF_REASON_FIX_CUT, &reference);
    if ((reference.flags & (RF_FIX_BAD_TAG | RF_FIX_BAD_DATA)) != 0) {
        reference.flags &= (uint8_t)~RF_FIX_DUPLICATE; /* said of whole messages only */
    }
    assert_int_equal(frame->flags[row], framed.flags | reference.flags);
    if ((reference.flags & (RF_FIX_BAD_TAG | RF_FIX_BAD_DATA)) == 0) {
        assert_int_equal(stages->rows.status[row], RF_ROW_REJECTED);
        return true;
    }
    assert_int_equal(stages->rows.status[row], RF_ROW_MALFORMED);
    assert_int_equal(frame->fault[row], reference.fault);
    assert_int_equal(frame->reason[row],
                     (reference.flags & RF_FIX_BAD_TAG) != 0 ? RF_REASON_FIX_TAG : RF_REASON_FIX_DATA);
    return false;
}

static void check_all(struct stages *stages, enum rf_isa isa, const struct framed *framed)
{
    struct rf_fix_index *index = &stages->index;
    rf_fix_index_all(index, isa, &stages->batch, &stages->rows, &stages->frame);
    uint32_t at = 0;
    for (uint32_t row = 0; row < stages->rows.rows; row++) {
        assert_int_equal(index->first[row], at);
        if (!row_decode(stages, row, framed[row])) {
            continue;
        }
        for (uint32_t f = 0; f < reference.count; f++, at++) {
            assert_int_equal(index->tag[at], reference.tag[f]);
            assert_int_equal(index->begin[at], reference.begin[f]);
            assert_int_equal(index->length[at], reference.end[f] - reference.begin[f]);
        }
    }
    assert_int_equal(index->first[stages->rows.rows], at);
}

static void check_wanted(struct stages *stages, enum rf_isa isa, const struct framed *framed)
{
    rf_fix_index_wanted(&stages->index, isa, &stages->batch, &stages->rows, &stages->frame, &stages->columns);
    for (uint32_t row = 0; row < stages->rows.rows; row++) {
        const bool is_good = row_decode(stages, row, framed[row]);
        for (uint32_t s = 0; s < WANTED; s++) {
            const struct rf_column *column = &stages->columns.slot[s];
            uint32_t f = 0;
            while (is_good && f < reference.count && reference.tag[f] != wanted[s]) {
                f++;
            }
            if (!is_good || f == reference.count) {
                assert_int_equal(column->tag[row], RF_TAG_ABSENT);
                continue;
            }
            assert_int_equal(column->tag[row], RF_TAG_STRING_RAW);
            assert_int_equal(column->begin[row], reference.begin[f]);
            assert_int_equal(column->length[row], reference.end[f] - reference.begin[f]);
        }
    }
}

static void check(size_t count, bool is_lenient)
{
    static struct framed framed[ROWS_MAX];
    struct stages stages;
    stages_open(&stages, stream, count, is_lenient);
    for (int isa = RF_ISA_SCALAR; isa <= (int)rf_isa_best(); isa++) {
        for (int is_all = 0; is_all < 2; is_all++) {
            stages_frame(&stages, (enum rf_isa)isa);
            for (uint32_t row = 0; row < stages.rows.rows; row++) {
                framed[row] = (struct framed){stages.rows.status[row], stages.frame.flags[row], stages.frame.reason[row]};
            }
            if (is_all) {
                check_all(&stages, (enum rf_isa)isa, framed);
            } else {
                check_wanted(&stages, (enum rf_isa)isa, framed);
            }
        }
    }
    stages_close(&stages);
}

static void test_random_streams(void **state)
{
    (void)state;
    struct sample_random random = {.state = 3};
    for (int i = 0; i < 1500; i++) {
        const size_t count = sample_stream(&random, stream, 1 + sample_draw(&random, 20), i % 3 != 0);
        check(count, i % 2 == 0);
    }
}

static void expect_fields(const char *body, size_t body_bytes, const uint32_t *tags, uint32_t count, uint8_t flags)
{
    for (int s = 0; s < RF_FIX_SEPARATOR_COUNT; s++) {
        struct stages stages;
        const size_t bytes =
            sample_put(stream, body, body_bytes, (struct sample_options){.separator = (enum rf_fix_separator)s});
        stages_open(&stages, stream, bytes, false);
        for (int isa = RF_ISA_SCALAR; isa <= (int)rf_isa_best(); isa++) {
            stages_frame(&stages, (enum rf_isa)isa);
            assert_int_equal(stages.rows.rows, 1);
            rf_fix_index_all(&stages.index, (enum rf_isa)isa, &stages.batch, &stages.rows, &stages.frame);
            assert_int_equal(stages.frame.flags[0], flags);
            assert_int_equal(stages.index.first[1], count);
            for (uint32_t f = 0; f < count; f++) {
                assert_int_equal(stages.index.tag[f], tags[f]);
            }
        }
        stages_close(&stages);
        check(bytes, false);
    }
}

#define EXPECT_FIELDS(body, flags, ...)                                                                                \
    do {                                                                                                               \
        static const uint32_t tags[] = {__VA_ARGS__};                                                                  \
        expect_fields(body, sizeof(body) - 1, tags, sizeof tags / sizeof tags[0], flags);                              \
    } while (0)
#define EXPECT_BAD(body, flags) expect_fields(body, sizeof(body) - 1, NULL, 0, flags)

static void test_fields(void **state)
{
    (void)state;
    EXPECT_FIELDS("35=0\001", 0, 8, 9, 35, 10);
    EXPECT_FIELDS("35=D\00158=a=b=c\0011=ACC\001", 0, 8, 9, 35, 58, 1, 10);
    EXPECT_FIELDS("35=D\00158=\00160=20260102-10:00:00\001", RF_FIX_EMPTY, 8, 9, 35, 58, 60, 10);
    EXPECT_FIELDS("35=D\00158==\001", 0, 8, 9, 35, 58, 10);
    EXPECT_FIELDS("35=W\001268=2\001269=0\001270=1.1\001269=1\001270=1.2\001", RF_FIX_DUPLICATE, 8, 9, 35, 268, 269,
                  270, 269, 270, 10);
    EXPECT_FIELDS("35=D\00195=14\00196=AB\00110=000\001CD=9\00158=tail\001", 0, 8, 9, 35, 95, 96, 58, 10);
    EXPECT_FIELDS("35=D\00195=0\00196=\00158=tail\001", RF_FIX_EMPTY, 8, 9, 35, 95, 96, 58, 10);
    EXPECT_FIELDS("35=D\00196=a\00195=3\001", 0, 8, 9, 35, 96, 95, 10);
    EXPECT_FIELDS("35=D\001999999999=x\00158=f\xc3\xa9\001", 0, 8, 9, 35, 999999999, 58, 10);
    EXPECT_BAD("35=D\00195=9999\00196=abc\001", RF_FIX_BAD_DATA);
    EXPECT_BAD("35=D\00195=2\00196=abc\001", RF_FIX_BAD_DATA);
    EXPECT_BAD("35=D\00195=x\00196=abc\001", RF_FIX_BAD_DATA);
    EXPECT_BAD("35=D\00195=99999999999\00196=abc\001", RF_FIX_BAD_DATA);
    EXPECT_BAD("35=D\001055=EVIL\001", RF_FIX_BAD_TAG);
    EXPECT_BAD("35=D\0010=1\001", RF_FIX_BAD_TAG);
    EXPECT_BAD("35=D\001-5=x\001", RF_FIX_BAD_TAG);
    EXPECT_BAD("35=D\001=y\001", RF_FIX_BAD_TAG);
    EXPECT_BAD("35=D\001abc=1\001", RF_FIX_BAD_TAG);
    EXPECT_BAD("35=D\001+55=x\001", RF_FIX_BAD_TAG);
    EXPECT_BAD("35=D\001 55=x\001", RF_FIX_BAD_TAG);
    EXPECT_BAD("35=D\001\00155=x\001", RF_FIX_BAD_TAG);
    EXPECT_BAD("35=D\00155\001", RF_FIX_BAD_TAG);
    EXPECT_BAD("35=D\0014294967351=ZZZ\001", RF_FIX_BAD_TAG);
    EXPECT_BAD("35=D\00118446744073709551671=YYY\001", RF_FIX_BAD_TAG);
}

/* Fields of every length at every place of the 64-byte words, and many fields. */
static void test_lengths(void **state)
{
    (void)state;
    char body[SAMPLE_MAX];
    for (uint32_t length = 0; length < 200; length++) {
        size_t count = (size_t)snprintf(body, sizeof body, "35=8\00158=");
        memset(body + count, 'x', length);
        count += length;
        memcpy(body + count, "\001123456789=y\00144=1.5\001", 21);
        count += 21;
        const size_t bytes = sample_put(stream, body, count, (struct sample_options){.separator = length % 2});
        check(bytes, false);
    }
    for (uint32_t fields = 1; fields < 400; fields += 7) {
        size_t count = (size_t)snprintf(body, sizeof body, "35=8\001");
        for (uint32_t f = 0; f < fields; f++) {
            count += (size_t)snprintf(body + count, sizeof body - count, "%u=%s\001",
                                      1000 + f % (fields - (fields > 1 && fields % 2 == 0)), f % 5 == 0 ? "" : "v");
        }
        check(sample_put(stream, body, count, (struct sample_options){.separator = RF_FIX_SOH}), false);
    }
}

/* Layouts that differ in one digit only, whatever its place. */
static void test_near_layouts(void **state)
{
    (void)state;
    static const char *const tags[] = {
        "5",      "6",      "51",      "52",      "551",      "552",      "5551",      "5552",      "55551",   "55552",
        "555551", "555552", "5555551", "5555552", "55555551", "55555552", "555555551", "555555552", "15555551"};
    size_t count = 0;
    for (int round = 0; round < 3; round++) {
        for (size_t t = 0; t < sizeof tags / sizeof tags[0]; t++) {
            char body[64];
            const int bytes = snprintf(body, sizeof body, "35=8\001%s=55\00155=A\001", tags[t]);
            count += sample_put(stream + count, body, (size_t)bytes, (struct sample_options){.separator = t % 2});
        }
    }
    check(count, false);
}

/* More layouts than the table holds. */
static void test_layouts(void **state)
{
    (void)state;
    size_t count = 0;
    for (uint32_t m = 0; m < 1000; m++) { /* the second half has messages that are known */
        char body[64];
        const int bytes = snprintf(body, sizeof body, "35=8\001%u=x\00155=A\001", 5000 + m % 500);
        count += sample_put(stream + count, body, (size_t)bytes, (struct sample_options){.separator = RF_FIX_SOH});
    }
    check(count, false);
}

static void test_rf_fix_layout_make(void **state)
{
    (void)state;
    enum { KEY = 5, LONG = RF_FIX_LAYOUT_FIELDS_MAX + 1 };
    struct rf_error err;
    struct rf_fix_layouts layouts;
    static const uint32_t slots[] = {35, 99};
    static const uint32_t tags[] = {8, 9, 35, 1234567, 35, 10};
    static const uint32_t data[] = {8, 9, 35, 95, 96, 10};
    static const uint32_t longest[] = {8, 9, 35, 12345678, 10};
    static uint32_t many[LONG];
    assert_int_equal(rf_fix_layouts_open(&layouts, slots, 2, &err), RF_OK);
    assert_null(rf_fix_layout_first(&layouts, KEY));
    rf_fix_layout_make(&layouts, KEY, tags, 6, true);
    const struct rf_fix_layout *layout = rf_fix_layout_first(&layouts, KEY);
    assert_int_equal(layout->key, KEY);
    assert_int_equal(layout->fields, 6);
    assert_int_equal(layout->block[0].tag[3], 1234567);
    assert_int_equal(layout->block[0].head[3], 8);
    assert_memory_equal(&layout->block[0].text[3], "1234", 4);
    assert_memory_equal(&layout->block[0].more[3], "567=", 4);
    assert_memory_equal(&layout->block[0].text[5], "10=\0", 4);
    assert_memory_equal(&layout->block[0].text_mask[5], "\xff\xff\xff\0", 4);
    assert_int_equal(layout->block[0].more_mask[5], 0);
    assert_int_equal(layout->place[0], 2);
    assert_int_equal(layout->place[1], RF_FIX_NOWHERE);
    assert_int_equal(layout->flags, RF_FIX_DUPLICATE);
    rf_fix_layout_make(&layouts, KEY, tags, 5, false);
    assert_int_equal(rf_fix_layout_first(&layouts, KEY)->fields, 5);
    assert_int_equal(rf_fix_layout_first(&layouts, KEY)->next, 1);
    rf_fix_layout_make(&layouts, KEY, data, 6, false);
    rf_fix_layout_make(&layouts, KEY, longest, 5, false);
    for (uint32_t f = 0; f < LONG; f++) {
        many[f] = f + 1000;
    }
    rf_fix_layout_make(&layouts, KEY, many, LONG, false);
    assert_int_equal(layouts.made, 2);
    rf_fix_layout_make(&layouts, KEY, many, LONG - 1, false);
    assert_int_equal(layouts.made, 3);
    rf_fix_layouts_close(&layouts);
}

/* A full table is emptied, but only after a while. */
static void test_rf_fix_layouts_begin(void **state)
{
    (void)state;
    struct rf_error err;
    struct rf_fix_layouts layouts;
    static const uint32_t tags[] = {8, 9, 35, 10};
    assert_int_equal(rf_fix_layouts_open(&layouts, NULL, 0, &err), RF_OK);
    for (uint32_t key = 0; key < RF_FIX_LAYOUTS_MAX + 10; key++) {
        rf_fix_layouts_begin(&layouts, 1);
        rf_fix_layout_make(&layouts, key, tags, 4, false);
    }
    assert_int_equal(layouts.made, RF_FIX_LAYOUTS_MAX);
    rf_fix_layouts_begin(&layouts, RF_FIX_LAYOUT_PATIENCE);
    assert_int_equal(layouts.used, 0);
    assert_null(rf_fix_layout_first(&layouts, 1));
    rf_fix_layouts_close(&layouts);
}

static void test_rf_fix_tag_read(void **state)
{
    (void)state;
    assert_int_equal(rf_fix_tag_read((const uint8_t *)"999999999", 9), 999999999);
    assert_int_equal(rf_fix_tag_read((const uint8_t *)"1000000000", 10), 0);
    assert_int_equal(rf_fix_tag_read((const uint8_t *)"1", 1), 1);
    assert_int_equal(rf_fix_tag_read((const uint8_t *)"01", 2), 0);
    assert_int_equal(rf_fix_tag_read((const uint8_t *)"1x", 2), 0);
    assert_int_equal(rf_fix_tag_read((const uint8_t *)"", 0), 0);
}

static void test_rf_fix_tags_repeat(void **state)
{
    (void)state;
    enum { COUNT = 1000 };
    uint32_t tag[COUNT];
    uint32_t seen[COUNT];
    for (uint32_t f = 0; f < COUNT; f++) {
        tag[f] = 1 + f * 512; /* all in one cell of a hash that looked at the low bits */
    }
    for (uint32_t count = 1; count < COUNT; count += 37) {
        assert_false(rf_fix_tags_repeat(tag, count, seen));
        const uint32_t was = tag[count - 1];
        tag[count - 1] = tag[count / 2];
        assert_int_equal(rf_fix_tags_repeat(tag, count, seen), count > 1);
        tag[count - 1] = was;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_streams),
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_layouts),
        cmocka_unit_test(test_near_layouts),
        cmocka_unit_test(test_rf_fix_layout_make),
        cmocka_unit_test(test_rf_fix_layouts_begin),
        cmocka_unit_test(test_rf_fix_tag_read),
        cmocka_unit_test(test_rf_fix_tags_repeat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
