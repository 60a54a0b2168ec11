#include "table.h"

#include <assert.h>

#include "cells.h"
#include "eval.h"
#include "interp.h"

/* ---- Copies: a value of the interpreter lives until its next row ---- */

/* A list, map or optional of the copy whose members are still those of the original. */
struct copy_frame {
    struct rf_value *item; /* or NULL: a map */
    struct rf_entry *entry;
    size_t count;
    size_t next;
};

static bool text_copy(struct rf_value *value, struct rf_arena *arena)
{
    value->text = value->text.count == 0 ? RF_STR("") : rf_arena_copy(arena, value->text);
    return value->text.data != NULL;
}

static bool list_copy(struct rf_value *value, struct rf_arena *arena, struct copy_frame *frame)
{
    const struct rf_list *from = value->list;
    struct rf_list *list = RF_PUSH(arena, struct rf_list, 1);
    frame->item = RF_PUSH(arena, struct rf_value, from->count);
    if (list == NULL || frame->item == NULL) {
        return false;
    }
    if (from->count > 0) {
        memcpy(frame->item, from->item, from->count * sizeof from->item[0]);
    }
    *list = (struct rf_list){.count = from->count, .item = frame->item};
    frame->count = from->count;
    value->list = list;
    return true;
}

static bool map_copy(struct rf_value *value, struct rf_arena *arena, struct copy_frame *frame)
{
    const struct rf_map *from = value->map;
    struct rf_map *map = RF_PUSH(arena, struct rf_map, 1);
    frame->entry = RF_PUSH(arena, struct rf_entry, from->count);
    if (map == NULL || frame->entry == NULL) {
        return false;
    }
    if (from->count > 0) {
        memcpy(frame->entry, from->entry, from->count * sizeof from->entry[0]);
    }
    *map = (struct rf_map){.count = from->count, .entry = frame->entry};
    if (from->by_key != NULL) {
        uint32_t *by_key = RF_PUSH(arena, uint32_t, from->count);
        if (by_key == NULL) {
            return false;
        }
        memcpy(by_key, from->by_key, from->count * sizeof from->by_key[0]);
        map->by_key = by_key;
    }
    frame->count = from->count;
    value->map = map;
    return true;
}

static bool inner_copy(struct rf_value *value, struct rf_arena *arena, struct copy_frame *frame)
{
    frame->item = RF_PUSH(arena, struct rf_value, 1);
    if (frame->item == NULL) {
        return false;
    }
    frame->item[0] = *value->inner;
    frame->count = 1;
    value->inner = frame->item;
    return true;
}

static bool net_copy(struct rf_value *value, struct rf_arena *arena)
{
    struct rf_cidr *net = RF_PUSH(arena, struct rf_cidr, 1);
    if (net == NULL) {
        return false;
    }
    *net = *value->net;
    value->net = net;
    return true;
}

/* Replaces what the value itself points to; *is_open when it has members to replace in their turn. */
static bool value_detach(struct rf_value *value, struct rf_arena *arena, struct copy_frame *frame, bool *is_open)
{
    *frame = (struct copy_frame){0};
    *is_open = false;
    switch (value->type) {
    case RF_TYPE_STRING:
    case RF_TYPE_BYTES:
    case RF_TYPE_TYPE:
    case RF_TYPE_ERROR:
    case RF_TYPE_DOUBLE:
        return text_copy(value, arena);
    case RF_TYPE_IP:
    case RF_TYPE_CIDR:
        return net_copy(value, arena);
    case RF_TYPE_LIST:
        *is_open = true;
        return list_copy(value, arena, frame);
    case RF_TYPE_MAP:
        *is_open = true;
        return map_copy(value, arena, frame);
    case RF_TYPE_OPTIONAL:
        *is_open = value->inner != NULL;
        return value->inner == NULL || inner_copy(value, arena, frame);
    default:
        return true;
    }
}

/* False when the arena is full, or the value is nested too deep. Time and memory are those of the value written out: a
 * value that holds another one twice is copied twice, and the arena bounds that. */
static bool value_copy(struct rf_value *value, struct rf_arena *arena)
{
    struct copy_frame stack[RF_VALUE_DEPTH_MAX];
    size_t depth = 0;
    bool is_open;
    if (!value_detach(value, arena, &stack[0], &is_open)) {
        return false;
    }
    depth += is_open ? 1 : 0;
    while (depth > 0) {
        struct copy_frame *frame = &stack[depth - 1];
        if (frame->next == frame->count) {
            depth--;
            continue;
        }
        const size_t i = frame->next++;
        struct rf_value *member = frame->item != NULL ? &frame->item[i] : &frame->entry[i].value;
        struct copy_frame unused;
        if (frame->item == NULL && !value_detach(&frame->entry[i].key, arena, &unused, &is_open)) {
            return false;
        }
        if (depth == RF_VALUE_DEPTH_MAX || !value_detach(member, arena, &stack[depth], &is_open)) {
            return false;
        }
        depth += is_open ? 1 : 0;
    }
    return true;
}

/* ---- Columns ---- */

struct table {
    const struct rf_compiled *compiled;
    const struct rf_value *binding;
    size_t variables;
    uint32_t rows;
    struct rf_arena *arena;
    struct rf_value *out;
    bool *asks; /* [rows] the interpreter must be asked */
    struct rf_batch batch;
    struct rf_columns columns;
    struct rf_rows records;
    struct rf_eval eval;
};

static const struct rf_value *row_binding(const struct table *table, uint32_t row)
{
    return table->binding + row * table->variables;
}

static enum rf_status texts_reserve(struct table *table, struct rf_error *err)
{
    size_t bytes = 1;
    for (size_t i = 0; i < table->rows * table->variables; i++) {
        bytes += table->binding[i].text.count;
    }
    return rf_batch_reserve(&table->batch, bytes, err);
}

/* A cell of a column has its text in the batch, or as the cells that its payload points to. */
static enum rf_status cell_store(struct table *table, struct rf_column *column, uint32_t row, struct rf_value value,
                                 struct rf_error *err)
{
    struct rf_batch *batch = &table->batch;
    struct rf_cell cell;
    if (!rf_cell_from_value(value, table->arena, &cell)) {
        RF_FAIL(err, RF_E_LIMIT, "the variables need more memory than their bound allows");
    }
    column->tag[row] = (uint8_t)cell.tag;
    column->payload[row] = cell.payload;
    column->length[row] = cell.length;
    column->begin[row] = batch->bytes_used;
    if (cell.tag == RF_TAG_STRING_RAW || cell.tag == RF_TAG_BYTES || cell.tag == RF_TAG_TYPE) {
        if (cell.length != 0) {
            memcpy(batch->owned + batch->bytes_used, cell.text, cell.length);
        }
        batch->bytes_used += cell.length;
    }
    return RF_OK;
}

static enum rf_status columns_fill(struct table *table, struct rf_error *err)
{
    const struct rf_program *program = &table->compiled->program;
    RF_TRY(texts_reserve(table, err));
    table->batch.bytes = table->batch.owned;
    for (uint32_t s = 0; s < program->slots; s++) {
        const struct rf_slot *slot = &program->slot[s];
        for (uint32_t row = 0; row < table->rows; row++) {
            const struct rf_value none = {.type = RF_TYPE_DYN};
            const struct rf_value value = slot->root == RF_ROOT_BINDING ? row_binding(table, row)[slot->binding] : none;
            RF_TRY(cell_store(table, &table->columns.slot[s], row, value, err));
        }
    }
    table->records.rows = table->records.lines = table->rows;
    memset(table->records.begin, 0, table->rows * sizeof table->records.begin[0]);
    memset(table->records.end, 0, table->rows * sizeof table->records.end[0]);
    memset(table->records.status, RF_ROW_REJECTED, table->rows);
    return RF_OK;
}

/* ---- Values ---- */

/* What the block has for each row; the texts of its cells live no longer. */
static void block_read(void *context, const struct rf_eval *eval, uint32_t first, uint32_t rows,
                       const struct rf_eval_block *block)
{
    struct table *table = context;
    for (uint32_t i = 0; i < rows; i++) {
        const struct rf_cell cell = rf_eval_value(eval, block, 0, i);
        table->asks[first + i] =
            cell.tag == RF_TAG_HOST || !rf_cell_to_value(&cell, table->arena, &table->out[first + i]);
    }
}

/* The interpreter's value of the rows that ask for it, and its words for errors: both engines must find one. */
static enum rf_status rows_ask(struct table *table, uint64_t *host_rows, struct rf_error *err)
{
    struct rf_interp *interp = NULL;
    RF_TRY(rf_interp_open(&interp, table->compiled, (struct rf_interp_options){0}, err));
    for (uint32_t row = 0; row < table->rows; row++) {
        struct rf_value *out = &table->out[row];
        if (!table->asks[row] && out->type != RF_TYPE_ERROR) {
            continue;
        }
        const struct rf_record record = {.binding = row_binding(table, row)};
        rf_interp_bind(interp, &record);
        const struct rf_value value = rf_interp_project(interp, 0);
        if (!table->asks[row] && value.type != RF_TYPE_ERROR) {
            continue; /* a difference that the caller must see */
        }
        *host_rows += table->asks[row];
        const struct rf_arena_mark mark = rf_arena_mark(table->arena);
        *out = value;
        if (!value_copy(out, table->arena)) {
            rf_arena_rewind(table->arena, mark);
            *out = rf_value_error(RF_ERROR_TOO_LARGE);
        }
    }
    rf_interp_close(interp);
    return RF_OK;
}

static enum rf_status table_run(struct table *table, enum rf_isa isa, uint64_t *host_rows, struct rf_error *err)
{
    const struct rf_program *program = &table->compiled->program;
    RF_TRY(rf_columns_open(&table->columns, program->slots, table->rows, err));
    RF_TRY(rf_rows_open(&table->records, table->rows, err));
    RF_TRY(rf_eval_open(&table->eval, program, table->rows, err));
    RF_TRY(columns_fill(table, err));
    const struct rf_eval_reader reader = {.context = table, .read = block_read};
    rf_eval_read(&table->eval, isa, &table->batch, &table->records, &table->columns, NULL, &reader);
    return rows_ask(table, host_rows, err);
}

enum rf_status rf_table_eval(const struct rf_compiled *compiled, enum rf_isa isa, const struct rf_value *binding,
                             uint32_t rows, struct rf_arena *arena, struct rf_value *out, uint64_t *host_rows,
                             struct rf_error *err)
{
    const struct rf_env *env = compiled->options.env == NULL ? &rf_env_filter : compiled->options.env;
    struct table table = {.compiled = compiled,
                          .binding = binding,
                          .variables = (size_t)env->declarations + compiled->lifted_count,
                          .rows = rows,
                          .arena = arena,
                          .out = out,
                          .asks = RF_PUSH(arena, bool, rows)};
    assert(compiled->program.values == compiled->projections);
    *host_rows = 0;
    if (table.asks == NULL) {
        RF_FAIL(err, RF_E_LIMIT, "no room for %u rows", rows);
    }
    const enum rf_status status = table_run(&table, isa, host_rows, err);
    rf_eval_close(&table.eval);
    rf_rows_close(&table.records);
    rf_columns_close(&table.columns);
    rf_batch_close(&table.batch);
    return status;
}
