/* test_fix_extract.c: each form of an access as a column, at every level, against the values of the texts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../pipeline/fix_typed.h"
#include "calc.h"
#include "fix_dict.h"
#include "fix_extract.h"
#include "fix_fields.h"
#include "fix_groups.h"
#include "fix_type.h"
#include "utf8.h"

enum { ROWS_MAX = 1024, LIMIT = 1 << 20 };

/* Of each class of types one field; then other forms. */
static const struct rf_fix_access accesses[] = {
    {.form = RF_FIX_FORM_VALUE, .tag = 44, .type = RF_FIX_TYPE_PRICE},
    {.form = RF_FIX_FORM_VALUE, .tag = 34, .type = RF_FIX_TYPE_SEQ_NUM},
    {.form = RF_FIX_FORM_VALUE, .tag = 43, .type = RF_FIX_TYPE_BOOLEAN},
    {.form = RF_FIX_FORM_VALUE, .tag = 60, .type = RF_FIX_TYPE_UTC_TIMESTAMP},
    {.form = RF_FIX_FORM_VALUE, .tag = 60, .type = RF_FIX_TYPE_TZ_TIMESTAMP},
    {.form = RF_FIX_FORM_VALUE, .tag = 273, .type = RF_FIX_TYPE_UTC_TIME_ONLY},
    {.form = RF_FIX_FORM_VALUE, .tag = 58, .type = RF_FIX_TYPE_STRING},
    {.form = RF_FIX_FORM_VALUE, .tag = 96, .type = RF_FIX_TYPE_DATA},
    {.form = RF_FIX_FORM_VALUE, .tag = 18, .type = RF_FIX_TYPE_MULTIPLE_CHAR_VALUE},
    {.form = RF_FIX_FORM_VALUE, .tag = 99, .type = RF_FIX_TYPE_PRICE},
    {.form = RF_FIX_FORM_VALUE, .tag = 7777, .type = RF_FIX_TYPE_INT},
    {.form = RF_FIX_FORM_RAW, .tag = 44},
    {.form = RF_FIX_FORM_HAS, .tag = 44},
    {.form = RF_FIX_FORM_ALL, .tag = 58},
    {.form = RF_FIX_FORM_GROUP, .tag = 453},
    {.form = RF_FIX_FORM_WHOLE},
    {.form = RF_FIX_FORM_SEPARATOR},
    {.form = RF_FIX_FORM_PREFIX},
    {.form = RF_FIX_FORM_LENGTH_OK},
    {.form = RF_FIX_FORM_SUM_OK},
    {.form = RF_FIX_FORM_BARE_END},
    {.form = RF_FIX_FORM_DUPLICATE},
    {.form = RF_FIX_FORM_EMPTY},
    {.form = RF_FIX_FORM_FOREIGN},
    {.form = RF_FIX_FORM_COUNTS_OK},
};
enum { ACCESSES = sizeof accesses / sizeof accesses[0] };

static uint8_t stream[STREAM_MAX];
static struct rf_arena arena;

struct stages {
    struct rf_slot slot[ACCESSES + 1];
    struct rf_program program;
    struct rf_batch batch;
    struct rf_rows rows;
    struct rf_fix_frame frame;
    struct rf_fix_extract extract;
    struct rf_columns columns;
};

static void stages_open(struct stages *stages, size_t count)
{
    struct rf_error err;
    uint8_t *copy = malloc(count + RF_BATCH_PADDING);
    assert_non_null(copy);
    memcpy(copy, stream, count);
    for (size_t i = 0; i < RF_BATCH_PADDING; i++) { /* digits behind the last value would be seen */
        copy[count + i] = (uint8_t) "1-.9"[i % 4];
    }
    for (uint32_t s = 0; s < ACCESSES; s++) {
        stages->slot[s] = (struct rf_slot){.root = RF_ROOT_BINDING, .binding = s};
    }
    stages->slot[ACCESSES] = (struct rf_slot){.root = RF_ROOT_NOW}; /* another's business */
    stages->program = (struct rf_program){.slot = stages->slot,
                                          .slots = ACCESSES + 1,
                                          .fix = accesses,
                                          .fixes = ACCESSES,
                                          .fix_dict = rf_fix_dict_builtin(RF_STR("FIX.4.4"))};
    stages->batch = (struct rf_batch){.bytes = copy, .bytes_used = (uint32_t)count, .owned = copy};
    assert_int_equal(rf_rows_open(&stages->rows, ROWS_MAX, &err), RF_OK);
    assert_int_equal(rf_fix_frame_open(&stages->frame, ROWS_MAX, LIMIT, true, &err), RF_OK);
    assert_int_equal(rf_fix_extract_open(&stages->extract, &stages->program, ROWS_MAX, &err), RF_OK);
    assert_int_equal(rf_fix_extract_reserve(&stages->extract, count, &err), RF_OK);
    assert_int_equal(rf_columns_open(&stages->columns, ACCESSES + 1, ROWS_MAX, &err), RF_OK);
}

static void stages_close(struct stages *stages)
{
    rf_columns_close(&stages->columns);
    rf_fix_extract_close(&stages->extract);
    rf_fix_frame_close(&stages->frame);
    rf_rows_close(&stages->rows);
    free(stages->batch.owned);
}

static struct rf_str cell_text(const struct stages *stages, const struct rf_column *column, uint32_t row)
{
    return (struct rf_str){(const char *)stages->batch.bytes + column->begin[row], column->length[row]};
}

static void assert_text_cell(const struct stages *stages, const struct rf_column *column, uint32_t row,
                             struct rf_str text)
{
    assert_int_equal(column->tag[row], rf_utf8_is_valid(text) ? RF_TAG_STRING_RAW : RF_TAG_ERROR);
    assert_true(rf_str_equal(cell_text(stages, column, row), text));
    assert_true(column->payload[row] == rf_str_prefix(text));
}

/* A list of texts; the interpreter is asked when one of them is no UTF-8. */
static void assert_list_cell(const struct rf_column *column, uint32_t row, const struct rf_str *item, uint32_t items)
{
    bool is_good = true;
    for (uint32_t i = 0; i < items; i++) {
        is_good = is_good && rf_utf8_is_valid(item[i]);
    }
    assert_int_equal(column->tag[row], is_good ? RF_TAG_ITEMS : RF_TAG_HOST);
    const struct rf_cell *cell;
    memcpy(&cell, &column->payload[row], sizeof cell);
    if (is_good) {
        assert_int_equal(column->length[row], items);
    }
    for (uint32_t i = 0; is_good && i < items; i++) {
        assert_int_equal(cell[i].tag, RF_TAG_STRING_RAW);
        assert_true(rf_str_equal((struct rf_str){cell[i].text, cell[i].length}, item[i]));
    }
}

/* The cell of a typed field is what rf_fix_value makes of its text. */
static void assert_typed_cell(const struct stages *stages, const struct rf_fix_access *access,
                              const struct rf_column *column, uint32_t row, struct rf_str text)
{
    struct rf_fix_value value;
    double number;
    if (!rf_fix_value((enum rf_fix_type)access->type, text, &value)) {
        assert_int_equal(column->tag[row], RF_TAG_ERROR);
        return;
    }
    switch (value.kind) {
    case RF_FIX_CLASS_INT:
        assert_int_equal(column->tag[row], RF_TAG_INT);
        assert_true((int64_t)column->payload[row] == value.as.integer);
        return;
    case RF_FIX_CLASS_DOUBLE:
        assert_int_equal(column->tag[row], RF_TAG_NUMBER);
        memcpy(&number, &column->payload[row], sizeof number);
        assert_memory_equal(&number, &value.as.number, sizeof number);
        return;
    case RF_FIX_CLASS_BOOL:
        assert_int_equal(column->tag[row], value.as.truth ? RF_TAG_TRUE : RF_TAG_FALSE);
        return;
    case RF_FIX_CLASS_INSTANT:
        assert_int_equal(column->tag[row], RF_TAG_TIMESTAMP);
        assert_true((int64_t)column->payload[row] == value.as.instant.seconds);
        assert_int_equal(column->length[row], value.as.instant.nanos);
        return;
    case RF_FIX_CLASS_DURATION:
        assert_int_equal(column->tag[row], RF_TAG_DURATION);
        assert_true((int64_t)column->payload[row] == value.as.nanoseconds);
        return;
    case RF_FIX_CLASS_TEXT:
        assert_text_cell(stages, column, row, text);
        return;
    case RF_FIX_CLASS_BYTES:
        assert_int_equal(column->tag[row], RF_TAG_BYTES);
        assert_true(rf_str_equal(cell_text(stages, column, row), text));
        return;
    case RF_FIX_CLASS_LIST:
        break;
    }
    static struct rf_str item[SAMPLE_MAX];
    uint32_t items = 0;
    for (struct rf_str rest = text; rf_fix_list_next(&rest, &item[items]);) {
        items++;
    }
    if (!rf_utf8_is_valid(text)) {
        assert_int_equal(column->tag[row], RF_TAG_HOST);
        return;
    }
    assert_list_cell(column, row, item, items);
}

static void assert_all_cell(const struct rf_fix_access *access, const struct rf_column *column, uint32_t row,
                            const struct rf_fix_fields *fields)
{
    static struct rf_str item[SAMPLE_MAX];
    uint32_t items = 0;
    for (uint32_t f = 0; f < fields->fields; f++) {
        if (fields->field[f].tag == access->tag) {
            item[items++] = rf_fix_field_text(fields, &fields->field[f]);
        }
    }
    assert_list_cell(column, row, item, items);
}

static void assert_truth_cell(const struct rf_column *column, uint32_t row, bool truth)
{
    assert_int_equal(column->tag[row], truth ? RF_TAG_TRUE : RF_TAG_FALSE);
    assert_int_equal(column->payload[row], truth);
}

static void assert_groups_cell(const struct rf_fix_access *access, const struct rf_column *column, uint32_t row,
                               const struct rf_fix_fields *fields)
{
    struct rf_fix_view view;
    struct rf_fix_groups groups = {.dict = rf_fix_dict_builtin(RF_STR("FIX.4.4")), .view = &view};
    assert_true(rf_fix_fields_view(fields, &arena, &view));
    groups.message = rf_fix_view_message(groups.dict, &view);
    rf_fix_groups_walk(&groups);
    if (access->form == RF_FIX_FORM_FOREIGN) {
        assert_int_equal(column->tag[row], RF_TAG_INT);
        assert_int_equal(column->payload[row], groups.foreign);
    } else {
        assert_truth_cell(column, row, groups.miscounts == 0);
    }
}

static void assert_cell(const struct stages *stages, uint32_t s, uint32_t row, const struct rf_fix_fields *fields,
                        uint8_t flags)
{
    const struct rf_fix_access *access = &accesses[s];
    const struct rf_column *column = &stages->columns.slot[s];
    const struct rf_fix_span *field = access->tag == 0 ? NULL : rf_fix_fields_find(fields, access->tag, 0);
    const uint32_t begin = stages->rows.begin[row];
    switch (access->form) {
    case RF_FIX_FORM_VALUE:
    case RF_FIX_FORM_RAW:
        if (field == NULL) {
            assert_int_equal(column->tag[row], RF_TAG_ABSENT);
        } else if (access->form == RF_FIX_FORM_RAW) {
            assert_text_cell(stages, column, row, rf_fix_field_text(fields, field));
        } else {
            assert_typed_cell(stages, access, column, row, rf_fix_field_text(fields, field));
        }
        return;
    case RF_FIX_FORM_HAS:
        assert_truth_cell(column, row, field != NULL);
        return;
    case RF_FIX_FORM_PREFIX:
        assert_text_cell(
            stages, column, row,
            (struct rf_str){(const char *)stages->batch.bytes + begin, stages->frame.message[row] - begin});
        return;
    case RF_FIX_FORM_LENGTH_OK:
        assert_truth_cell(column, row, (flags & RF_FIX_WRONG_LENGTH) == 0);
        return;
    case RF_FIX_FORM_SUM_OK:
        assert_truth_cell(column, row, (flags & RF_FIX_WRONG_SUM) == 0);
        return;
    case RF_FIX_FORM_BARE_END:
        assert_truth_cell(column, row, (flags & RF_FIX_BARE_END) != 0);
        return;
    case RF_FIX_FORM_DUPLICATE:
        assert_truth_cell(column, row, (flags & RF_FIX_DUPLICATE) != 0);
        return;
    case RF_FIX_FORM_EMPTY:
        assert_truth_cell(column, row, (flags & RF_FIX_EMPTY) != 0);
        return;
    case RF_FIX_FORM_FOREIGN:
    case RF_FIX_FORM_COUNTS_OK:
        assert_groups_cell(access, column, row, fields);
        return;
    case RF_FIX_FORM_ALL:
        assert_all_cell(access, column, row, fields);
        return;
    case RF_FIX_FORM_GROUP:
        assert_true(column->tag[row] == RF_TAG_ITEMS || (field != NULL && column->tag[row] == RF_TAG_HOST));
        assert_true(field != NULL || column->length[row] == 0);
        return;
    default:
        assert_int_equal(column->tag[row], RF_TAG_HOST);
        return;
    }
}

/* Rows of the stream by the plain reader; returns how many could be read. */
static uint32_t assert_rows(const struct stages *stages)
{
    uint32_t good = 0;
    for (uint32_t row = 0; row < stages->rows.rows; row++) {
        const uint32_t message = stages->frame.message[row];
        const struct rf_str text = {(const char *)stages->batch.bytes + message,
                                    stages->frame.message_end[row] - message};
        struct rf_fix_fields fields;
        if (stages->frame.reason[row] != RF_REASON_NONE && !rf_fix_reason_is_lenient(stages->frame.reason[row])) {
            assert_int_equal(stages->rows.status[row], RF_ROW_MALFORMED);
            continue;
        }
        if (stages->rows.status[row] == RF_ROW_BLANK) {
            continue;
        }
        rf_arena_reset(&arena);
        assert_true(rf_fix_fields_read(text, (enum rf_fix_separator)stages->frame.separator[row],
                                       stages->frame.reason[row] == RF_REASON_FIX_CUT, &arena, &fields));
        assert_int_equal(stages->rows.status[row],
                         fields.reason == RF_REASON_NONE ? RF_ROW_REJECTED : RF_ROW_MALFORMED);
        const uint8_t framed = RF_FIX_WRONG_LENGTH | RF_FIX_WRONG_SUM | RF_FIX_BARE_END;
        const uint8_t flags = (uint8_t)((stages->frame.flags[row] & framed) | fields.flags);
        assert_int_equal(stages->frame.flags[row], flags);
        for (uint32_t s = 0; s < ACCESSES; s++) {
            assert_cell(stages, s, row, &fields, flags);
        }
        good++;
    }
    return good;
}

static void test_rf_fix_extract_run(void **state)
{
    (void)state;
    struct sample_random random = {.state = 3};
    for (uint32_t i = 0; i < 60; i++) {
        const size_t count = fix_typed_stream(&random, stream, 1 + sample_draw(&random, 150), i % 3 == 0);
        struct stages stages;
        stages_open(&stages, count);
        for (int isa = RF_ISA_SCALAR; isa <= (int)rf_isa_best(); isa++) {
            const struct rf_span32 all = {0, stages.batch.bytes_used};
            rf_fix_frame_run(&stages.frame, (enum rf_isa)isa, &stages.batch, all, RF_FIX_LAST, &stages.rows);
            assert_true(stages.rows.cursor == count);
            rf_fix_extract_run(&stages.extract, (enum rf_isa)isa, &stages.batch, true, &stages.rows, &stages.frame,
                               &stages.columns);
            const uint32_t good = assert_rows(&stages);
            assert_true(good > 0 || stages.rows.rows < 10);
        }
        stages_close(&stages);
    }
}

/* Every border of a type as the last bytes of the batch. */
static void test_borders(void **state)
{
    (void)state;
    for (size_t b = 0; b < sizeof fix_typed_border / sizeof fix_typed_border[0]; b++) {
        char body[SAMPLE_MAX];
        const int bytes = snprintf(body, sizeof body, SAMPLE_HEAD "%s\001", fix_typed_border[b]);
        const size_t count = sample_put(stream, body, (size_t)bytes, (struct sample_options){.separator = RF_FIX_SOH});
        struct stages stages;
        stages_open(&stages, count);
        for (int isa = RF_ISA_SCALAR; isa <= (int)rf_isa_best(); isa++) {
            const struct rf_span32 all = {0, stages.batch.bytes_used};
            rf_fix_frame_run(&stages.frame, (enum rf_isa)isa, &stages.batch, all, RF_FIX_LAST, &stages.rows);
            rf_fix_extract_run(&stages.extract, (enum rf_isa)isa, &stages.batch, true, &stages.rows, &stages.frame,
                               &stages.columns);
            (void)assert_rows(&stages);
        }
        stages_close(&stages);
    }
}

static int set_up(void **state)
{
    (void)state;
    rf_arena_init(&arena, 64 << 20);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    rf_arena_free(&arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rf_fix_extract_run), cmocka_unit_test(test_borders)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
