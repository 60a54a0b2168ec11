#include "fix_extract.h"

#include <stdlib.h>
#include <string.h>

#include "fix_cells.h"
#include "fix_type.h"
#include "utf8.h"

enum rf_status rf_fix_extract_open(struct rf_fix_extract *extract, const struct rf_program *program, uint32_t rows_max,
                                   struct rf_error *err)
{
    *extract = (struct rf_fix_extract){.program = program};
    extract->wanted = calloc((size_t)program->slots + 1, sizeof extract->wanted[0]);
    if (extract->wanted == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for %u columns", program->slots);
    }
    for (uint32_t s = 0; s < program->slots; s++) {
        if (program->slot[s].root != RF_ROOT_BINDING) {
            continue;
        }
        const struct rf_fix_access *access = &program->fix[program->slot[s].binding];
        const bool is_first = access->form == RF_FIX_FORM_VALUE || access->form == RF_FIX_FORM_RAW ||
                              access->form == RF_FIX_FORM_HAS;
        extract->wanted[s] = is_first ? access->tag : 0;
    }
    RF_TRY(rf_fix_index_open(&extract->index, rows_max, extract->wanted, program->slots, err));
    return rf_fix_lists_open(&extract->lists, program, rows_max, err);
}

enum rf_status rf_fix_extract_reserve(struct rf_fix_extract *extract, size_t batch_bytes, struct rf_error *err)
{
    RF_TRY(rf_fix_index_reserve(&extract->index, batch_bytes, err));
    return rf_fix_lists_reserve(&extract->lists, batch_bytes, err);
}

void rf_fix_extract_close(struct rf_fix_extract *extract)
{
    rf_fix_lists_close(&extract->lists);
    rf_fix_index_close(&extract->index);
    free(extract->wanted);
    *extract = (struct rf_fix_extract){0};
}

/* ---- Cells of one column ---- */

struct column_run {
    const struct rf_batch *batch;
    const struct rf_rows *rows;
    const struct rf_fix_frame *frame;
    struct rf_column *column;
    bool has_high;
};

static void cells_text(const struct column_run *run)
{
    rf_fix_cells_text(run->batch, run->rows->rows, run->column);
    for (uint32_t row = 0; run->has_high && row < run->rows->rows; row++) {
        const struct rf_str text = {(const char *)run->batch->bytes + run->column->begin[row],
                                    run->column->length[row]};
        if (run->column->tag[row] == RF_TAG_STRING_RAW && !rf_utf8_is_valid(text)) {
            run->column->tag[row] = RF_TAG_ERROR;
        }
    }
}

static void cells_double(const struct column_run *run, enum rf_isa isa)
{
    rf_fix_cells_double(isa, run->batch, run->rows->rows, run->column);
    for (uint32_t row = 0; row < run->rows->rows; row++) { /* a number of the message, as in JSON */
        uint8_t *tag = &run->column->tag[row];
        *tag = *tag == RF_TAG_DOUBLE ? RF_TAG_NUMBER : *tag;
    }
}

static void cells_bytes(const struct column_run *run)
{
    rf_fix_cells_text(run->batch, run->rows->rows, run->column);
    for (uint32_t row = 0; row < run->rows->rows; row++) {
        uint8_t *tag = &run->column->tag[row];
        *tag = *tag == RF_TAG_STRING_RAW ? RF_TAG_BYTES : *tag;
    }
}

static void cell_set(struct rf_column *column, uint32_t row, const struct rf_fix_value *value)
{
    switch (value->kind) {
    case RF_FIX_CLASS_BOOL:
        column->tag[row] = value->as.truth ? RF_TAG_TRUE : RF_TAG_FALSE;
        column->payload[row] = value->as.truth;
        return;
    case RF_FIX_CLASS_INSTANT:
        column->tag[row] = RF_TAG_TIMESTAMP;
        column->payload[row] = (uint64_t)value->as.instant.seconds;
        column->length[row] = value->as.instant.nanos;
        return;
    case RF_FIX_CLASS_DURATION:
        column->tag[row] = RF_TAG_DURATION;
        column->payload[row] = (uint64_t)value->as.nanoseconds;
        return;
    case RF_FIX_CLASS_INT: /* cells of their own */
    case RF_FIX_CLASS_DOUBLE:
    case RF_FIX_CLASS_TEXT:
    case RF_FIX_CLASS_LIST:
    case RF_FIX_CLASS_BYTES:
        break;
    }
    column->tag[row] = RF_TAG_ERROR;
}

/* Booleans and times. */
static void cells_value(const struct column_run *run, enum rf_fix_type type)
{
    struct rf_column *column = run->column;
    for (uint32_t row = 0; row < run->rows->rows; row++) {
        const struct rf_str text = {(const char *)run->batch->bytes + column->begin[row], column->length[row]};
        struct rf_fix_value value;
        if (column->tag[row] != RF_TAG_STRING_RAW) {
            continue;
        }
        if (rf_fix_value(type, text, &value)) {
            cell_set(column, row, &value);
        } else {
            column->tag[row] = RF_TAG_ERROR;
        }
    }
}

static void cells_all(const struct column_run *run, enum rf_tag tag)
{
    memset(run->column->tag, (int)tag, run->rows->rows);
}

static void cells_has(const struct column_run *run)
{
    for (uint32_t row = 0; row < run->rows->rows; row++) {
        const bool is_there = run->column->tag[row] == RF_TAG_STRING_RAW;
        run->column->tag[row] = is_there ? RF_TAG_TRUE : RF_TAG_FALSE;
        run->column->payload[row] = is_there;
    }
}

static void cells_flag(const struct column_run *run, uint8_t flag, bool value_of_flag)
{
    for (uint32_t row = 0; row < run->rows->rows; row++) {
        const bool value = ((run->frame->flags[row] & flag) != 0) == value_of_flag;
        run->column->tag[row] = value ? RF_TAG_TRUE : RF_TAG_FALSE;
        run->column->payload[row] = value;
    }
}

static void cells_prefix(const struct column_run *run)
{
    for (uint32_t row = 0; row < run->rows->rows; row++) {
        const uint32_t begin = run->rows->begin[row];
        run->column->tag[row] = RF_TAG_STRING_RAW;
        run->column->begin[row] = begin;
        run->column->length[row] = run->frame->message[row] < begin ? 0 : run->frame->message[row] - begin;
    }
    cells_text(run);
}

static void cells_typed(const struct column_run *run, enum rf_isa isa, enum rf_fix_type type)
{
    switch (rf_fix_type_class(type)) {
    case RF_FIX_CLASS_INT:
        rf_fix_cells_int(isa, run->batch, run->rows->rows, run->column);
        return;
    case RF_FIX_CLASS_DOUBLE:
        cells_double(run, isa);
        return;
    case RF_FIX_CLASS_TEXT:
        cells_text(run);
        return;
    case RF_FIX_CLASS_BYTES:
        cells_bytes(run);
        return;
    case RF_FIX_CLASS_LIST: /* fix_lists.h */
        return;
    case RF_FIX_CLASS_BOOL:
    case RF_FIX_CLASS_INSTANT:
    case RF_FIX_CLASS_DURATION:
        cells_value(run, type);
        return;
    }
}

static void access_fill(const struct rf_fix_access *access, const struct column_run *run, enum rf_isa isa)
{
    switch (access->form) {
    case RF_FIX_FORM_VALUE:
        cells_typed(run, isa, (enum rf_fix_type)access->type);
        return;
    case RF_FIX_FORM_RAW:
        cells_text(run);
        return;
    case RF_FIX_FORM_HAS:
        cells_has(run);
        return;
    case RF_FIX_FORM_PREFIX:
        cells_prefix(run);
        return;
    case RF_FIX_FORM_LENGTH_OK:
        cells_flag(run, RF_FIX_WRONG_LENGTH, false);
        return;
    case RF_FIX_FORM_SUM_OK:
        cells_flag(run, RF_FIX_WRONG_SUM, false);
        return;
    case RF_FIX_FORM_BARE_END:
        cells_flag(run, RF_FIX_BARE_END, true);
        return;
    case RF_FIX_FORM_DUPLICATE:
        cells_flag(run, RF_FIX_DUPLICATE, true);
        return;
    case RF_FIX_FORM_EMPTY:
        cells_flag(run, RF_FIX_EMPTY, true);
        return;
    case RF_FIX_FORM_ALL: /* fix_lists.h */
    case RF_FIX_FORM_GROUP:
    case RF_FIX_FORM_FOREIGN:
    case RF_FIX_FORM_COUNTS_OK:
        return;
    case RF_FIX_FORM_WHOLE:
    case RF_FIX_FORM_SEPARATOR:
    case RF_FIX_FORM_COUNT:
        break;
    }
    cells_all(run, RF_TAG_HOST);
}

void rf_fix_extract_run(struct rf_fix_extract *extract, enum rf_isa isa, const struct rf_batch *batch, bool has_high,
                        struct rf_rows *rows, struct rf_fix_frame *frame, struct rf_columns *columns)
{
    const struct rf_program *program = extract->program;
    rf_fix_index_wanted(&extract->index, isa, batch, rows, frame, columns);
    rf_fix_lists_run(&extract->lists, isa, batch, rows, frame, columns);
    for (uint32_t s = 0; s < program->slots; s++) {
        if (program->slot[s].root == RF_ROOT_BINDING) {
            const struct column_run run = {batch, rows, frame, &columns->slot[s], has_high};
            access_fill(&program->fix[program->slot[s].binding], &run, isa);
        }
    }
}
