#include "extract.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "bitmap.h"
#include "extract_levels.h"
#include "utf8.h"

enum { EXTRACT_LEVELS_MAX = 16 };

static bool is_vector_form(const struct rf_program *program)
{
    for (uint32_t n = 1; n < program->nodes; n++) {
        assert(program->node[n].parent < n);
        const struct rf_step *step = &program->node[n].step;
        if (step->is_index || step->key.count == 0) {
            return false;
        }
        for (size_t i = 0; i < step->key.count; i++) {
            const uint8_t byte = (uint8_t)step->key.data[i];
            if (byte == '"' || byte == '\\' || byte < 0x20) {
                return false; /* only spelled by escapes; as raw bytes it would run over a quote into what is before it */
            }
        }
    }
    /* The record as a whole (msg itself) and its kind are the walker's. */
    return program->depth_max <= EXTRACT_LEVELS_MAX && (program->nodes == 0 || program->node[0].slot == RF_NONE);
}

static void match_make(struct rf_key_match *match, const struct rf_program *program)
{
    if (program->nodes < 2 || program->nodes - 1 > RF_MATCH_NODES_MAX || program->depth_max > RF_MATCH_DEPTH_MAX) {
        return;
    }
    match->parent[0] = RF_MATCH_PARENT_NONE;
    for (uint32_t n = 1; n < program->nodes; n++) {
        const struct rf_str key = program->node[n].step.key;
        for (uint32_t other = 1; other < n; other++) {
            if (rf_str_equal(key, program->node[other].step.key)) {
                return;
            }
        }
        match->parent[n] = (uint8_t)program->node[n].parent;
        match->opened[n] = (~0xffull | n) << (8 * program->node[n].depth) << 8;
        match->tail[n] = rf_key_tail(key, &match->mask[n]);
        match->long_key[n] = key.count > 7 ? key : (struct rf_str){0};
        match->has_long |= key.count > 7;
    }
    match->nodes = program->nodes - 1;
}

enum rf_status rf_extract_open(struct rf_extract *extract, const struct rf_program *program, uint32_t rows_max,
                               struct rf_walk_options options, struct rf_error *err)
{
    memset(extract, 0, sizeof(*extract));
    extract->program = program;
    extract->options = options;
    extract->rows_max = rows_max;
    extract->is_vector = is_vector_form(program) && !options.is_validating;
    if (extract->is_vector) {
        match_make(&extract->match, program);
    }
    RF_TRY(rf_key_table_open(&extract->keys, program, err));
    /* One block, a few cache lines between the arrays: at a power of two from each other, the cells of one row would all
     * want the same place in the first-level cache. */
    enum { STRIDE_LINES = 5, LINE_CELLS = 64 / sizeof(uint32_t) };
    const size_t stride = ((size_t)rows_max + LINE_CELLS - 1) / LINE_CELLS * LINE_CELLS + STRIDE_LINES * LINE_CELLS;
    const size_t arrays = 2 * ((size_t)program->nodes + 1);
    extract->walks = malloc(rows_max);
    extract->position = calloc(arrays, sizeof(*extract->position));
    extract->nowhere =
        stride <= SIZE_MAX / sizeof(uint32_t) / arrays ? malloc(arrays * stride * sizeof(uint32_t)) : NULL;
    if (extract->walks == NULL || extract->position == NULL || extract->nowhere == NULL) {
        rf_extract_close(extract);
        RF_FAIL(err, RF_E_MEMORY, "no memory for the positions of %u keys in %u rows", program->nodes, rows_max);
    }
    extract->list = extract->position + program->nodes + 1;
    for (uint32_t n = 1; n < program->nodes; n++) {
        extract->position[n] = extract->nowhere + n * stride;
        extract->list[n] = extract->nowhere + (program->nodes + n) * stride;
    }
    rf_key_table_place(&extract->keys, extract->position, extract->nowhere);
    return RF_OK;
}

void rf_extract_close(struct rf_extract *extract)
{
    free(extract->position);
    free(extract->walks);
    free(extract->nowhere);
    rf_key_table_close(&extract->keys);
    memset(extract, 0, sizeof(*extract));
}

/* The record's bytes and its envelope. A record whose bytes are used as text must be UTF-8. */
void rf_extract_envelope(const struct rf_extract *extract, const struct rf_batch *batch, bool has_high,
                         struct rf_rows *rows, struct rf_columns *columns)
{
    for (uint32_t s = 0; s < extract->program->slots; s++) {
        const struct rf_slot *slot = &extract->program->slot[s];
        const struct rf_column *column = &columns->slot[s];
        if (slot->root == RF_ROOT_MSG || slot->root == RF_ROOT_BINDING) {
            continue;
        }
        struct rf_str file = {0};
        uint32_t file_begin = 0;
        if (slot->root == RF_ROOT_RECORD_FILE && rows->rows != 0) {
            file = rf_str_of(batch->input_name);
            file_begin = RF_SIDE_BIT | (uint32_t)columns->side_used;
            memcpy(columns->side + columns->side_used, file.data, file.count);
            columns->side_used += file.count;
        }
        const uint64_t file_prefix = rf_str_prefix(file);
        for (uint32_t row = 0; row < rows->rows; row++) {
            const uint32_t begin = rows->begin[row];
            const uint32_t count = rows->end[row] - begin;
            column->begin[row] = begin;
            column->length[row] = count;
            column->tag[row] = RF_TAG_INT;
            switch (slot->root) {
            case RF_ROOT_RAW:
                column->tag[row] = RF_TAG_STRING_RAW;
                column->payload[row] = rf_token_prefix(batch->bytes + begin, count);
                if (has_high && !rf_utf8_is_valid(rf_row_text(batch, rows, row))) {
                    rows->status[row] = RF_ROW_MALFORMED;
                }
                break;
            case RF_ROOT_RECORD_NUMBER:
                column->payload[row] = batch->first_number + rows->lines_before + row;
                break;
            case RF_ROOT_RECORD_OFFSET:
                column->payload[row] = batch->offset + begin;
                break;
            case RF_ROOT_RECORD_FILE:
                column->tag[row] = RF_TAG_STRING_RAW;
                column->payload[row] = file_prefix;
                column->begin[row] = file_begin;
                column->length[row] = (uint32_t)file.count;
                break;
            case RF_ROOT_NOW:
                column->tag[row] = RF_TAG_TIMESTAMP;
                column->payload[row] = (uint64_t)batch->now_seconds;
                column->length[row] = batch->now_nanos;
                break;
            case RF_ROOT_RECORD_ABSENT:
            case RF_ROOT_MSG:
            case RF_ROOT_BINDING:
                column->tag[row] = RF_TAG_ABSENT;
                column->payload[row] = 0;
                break;
            }
        }
    }
}

void rf_extract_json(struct rf_extract *extract, enum rf_isa isa, const struct rf_batch *batch,
                     const struct rf_index *index, struct rf_rows *rows, struct rf_columns *columns)
{
    columns->side_used = 0;
    const bool is_vector =
        extract->is_vector && isa != RF_ISA_SCALAR && batch->bytes_used <= RF_EXTRACT_VECTOR_BYTES_MAX;
    if (is_vector) {
        memset(extract->walks, 0, rows->rows);
        for (uint32_t w = 0; w < rf_bitmap_words(rows->rows); w++) {
            for (uint64_t bits = index->suspect[w]; bits != 0; bits &= bits - 1) {
                const uint32_t row = w * 64 + (uint32_t)__builtin_ctzll(bits);
                if (row < rows->rows) {
                    extract->walks[row] = 1;
                }
            }
        }
    } else {
        memset(extract->walks, 1, rows->rows);
    }
#if defined(__x86_64__)
    if (is_vector && isa == RF_ISA_AVX512) {
        rf_extract_json_avx512(extract, batch, index, rows, columns);
    } else if (is_vector) {
        rf_extract_json_avx2(extract, batch, index, rows, columns);
    }
#endif
    for (uint32_t row = 0; row < rows->rows; row++) {
        if (__builtin_expect(extract->walks[row] != 0, 0) && rows->status[row] != RF_ROW_BLANK) {
            const struct rf_malformed malformed =
                rf_walk_row(extract->program, batch, rows->begin[row], rows->end[row], extract->options, columns, row);
            if (malformed.reason != RF_REASON_NONE) {
                rows->status[row] = RF_ROW_MALFORMED;
            }
        }
    }
    rf_extract_envelope(extract, batch, true, rows, columns);
}

void rf_extract_text(struct rf_extract *extract, const struct rf_batch *batch, const struct rf_index *index,
                     struct rf_rows *rows, struct rf_columns *columns)
{
    columns->side_used = 0;
    rf_extract_envelope(extract, batch, index->has_high, rows, columns);
}
