#include "fix_index.h"

#include <stdlib.h>
#include <string.h>

#include "fix_index_levels.h"

/* Vectors are stored whole behind the last field. */
enum { FIELDS_SLACK = 96 };

enum rf_status rf_fix_index_open(struct rf_fix_index *index, uint32_t rows_max, const uint32_t *wanted, uint32_t slots,
                                 struct rf_error *err)
{
    *index = (struct rf_fix_index){.rows_max = rows_max};
    RF_TRY(rf_fix_layouts_open(&index->layouts, wanted, slots, err));
    index->first = calloc((size_t)rows_max + 1, sizeof *index->first);
    index->mark = calloc(FIX_MARKS_MAX + FIX_MARKS_SLACK, sizeof *index->mark);
    if (index->first == NULL || index->mark == NULL) {
        rf_fix_index_close(index);
        RF_FAIL(err, RF_E_MEMORY, "no memory for the index of %u messages", rows_max);
    }
    return RF_OK;
}

static void fields_free(struct rf_fix_index *index)
{
    free(index->tag);
    free(index->begin);
    free(index->length);
    free(index->scratch);
    index->tag = index->begin = index->length = index->scratch = NULL;
    index->fields_max = 0;
}

enum rf_status rf_fix_index_reserve(struct rf_fix_index *index, size_t batch_bytes, struct rf_error *err)
{
    /* Every byte may be a separator; memory that is not written is not used. */
    const size_t fields = batch_bytes + FIELDS_SLACK;
    if (fields <= index->fields_max) {
        return RF_OK;
    }
    fields_free(index);
    index->tag = malloc(fields * sizeof *index->tag);
    index->begin = malloc(fields * sizeof *index->begin);
    index->length = malloc(fields * sizeof *index->length);
    index->scratch = malloc(fields * sizeof *index->scratch);
    if (index->tag == NULL || index->begin == NULL || index->length == NULL || index->scratch == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for the fields of a batch of %zu bytes", batch_bytes);
    }
    index->fields_max = (uint32_t)fields;
    return RF_OK;
}

void rf_fix_index_close(struct rf_fix_index *index)
{
    fields_free(index);
    rf_fix_layouts_close(&index->layouts);
    free(index->first);
    free(index->mark);
    *index = (struct rf_fix_index){0};
}

/* A group of rows costs AVX-512 the same however few there are: for those of a gateway, which come one by one, the narrower
 * level takes half of the time. */
static enum rf_isa level_for(enum rf_isa isa, uint32_t rows)
{
    enum { FEW_ROWS = 8 };
#if defined(__x86_64__)
    return isa == RF_ISA_AVX512 && rows < FEW_ROWS ? RF_ISA_AVX2 : isa;
#else
    (void)rows;
    return isa;
#endif
}

void rf_fix_index_all(struct rf_fix_index *index, enum rf_isa isa, const struct rf_batch *batch, struct rf_rows *rows,
                      struct rf_fix_frame *frame)
{
    switch (level_for(isa, rows->rows)) {
#if defined(__x86_64__)
    case RF_ISA_AVX512:
        rf_fix_index_all_avx512(index, batch, rows, frame);
        break;
    case RF_ISA_AVX2:
        rf_fix_index_all_avx2(index, batch, rows, frame);
        break;
#endif
    default:
        rf_fix_index_all_scalar(index, batch, rows, frame);
        break;
    }
}

void rf_fix_index_wanted(struct rf_fix_index *index, enum rf_isa isa, const struct rf_batch *batch,
                         struct rf_rows *rows, struct rf_fix_frame *frame, struct rf_columns *columns)
{
    switch (level_for(isa, rows->rows)) {
#if defined(__x86_64__)
    case RF_ISA_AVX512:
        rf_fix_index_wanted_avx512(index, batch, rows, frame, columns);
        break;
    case RF_ISA_AVX2:
        rf_fix_index_wanted_avx2(index, batch, rows, frame, columns);
        break;
#endif
    default:
        rf_fix_index_wanted_scalar(index, batch, rows, frame, columns);
        break;
    }
}

void rf_fix_index_pick(const struct rf_fix_index *index, uint32_t count, uint32_t row, struct rf_columns *columns)
{
    rf_fix_index_absent(index, row, columns);
    for (uint32_t f = count; f > 0; f--) { /* from the last one on, so that the first one stays */
        const uint32_t tag = index->tag[f - 1];
        for (uint32_t s = 0; s < index->layouts.slots; s++) {
            if (index->layouts.wanted[s] == tag) {
                struct rf_column *column = &columns->slot[s];
                column->tag[row] = RF_TAG_STRING_RAW;
                column->begin[row] = index->begin[f - 1];
                column->length[row] = index->length[f - 1];
            }
        }
    }
}

void rf_fix_index_absent(const struct rf_fix_index *index, uint32_t row, struct rf_columns *columns)
{
    for (uint32_t s = 0; s < index->layouts.slots; s++) {
        struct rf_column *column = &columns->slot[s];
        column->tag[row] = RF_TAG_ABSENT;
        column->begin[row] = column->length[row] = 0;
    }
}
