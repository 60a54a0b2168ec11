#include "index.h"

#include <stdlib.h>
#include <string.h>

#include "bitmap.h"
#include "index_levels.h"

/* Each cell array has room for the scribbling of word_emit behind its last cell. */
enum { INDEX_SLACK = 64 };

static void filter_make(struct rf_key_filter *filter, const struct rf_program *program)
{
    memset(filter, 0, sizeof(*filter));
    const uint32_t keys = program->nodes == 0 ? 0 : program->nodes - 1;
    if (keys > RF_FILTER_KEYS_MAX) {
        return; /* nearly every key would stay */
    }
    for (uint32_t n = 1; n < program->nodes; n++) {
        const struct rf_step *step = &program->node[n].step;
        const size_t count = step->key.count;
        if (step->is_index || count == 0) {
            return; /* such rows are walked */
        }
        const uint8_t last = (uint8_t)step->key.data[count - 1];
        const uint8_t before = count > 1 ? (uint8_t)step->key.data[count - 2] : (uint8_t)'"';
        const uint8_t bit = (uint8_t)(1u << (filter->keys % 8));
        filter->last[last & 127] |= bit;
        filter->before_last[before & 127] |= bit;
        filter->key_last[filter->keys] = last;
        filter->key_before[filter->keys] = before;
        filter->keys++;
        filter->keeps_containers |= program->node[n].depth > 1;
    }
    filter->is_on = true;
}

enum rf_status rf_index_open(struct rf_index *index, const struct rf_program *program, uint32_t rows_max,
                             uint32_t depth_max, struct rf_error *err)
{
    memset(index, 0, sizeof(*index));
    index->rows_max = rows_max;
    index->depth_limit = depth_max < RF_INDEX_DEPTH_MAX ? depth_max : RF_INDEX_DEPTH_MAX;
    filter_make(&index->filter, program);
    const size_t words = rf_bitmap_words(rows_max) + 2; /* a row behind the last can be marked */
    index->suspect = calloc(words, sizeof(uint64_t));
    index->blank = calloc(words, sizeof(uint64_t));
    if (index->suspect == NULL || index->blank == NULL) {
        rf_index_close(index);
        RF_FAIL(err, RF_E_MEMORY, "no memory for the row marks of %u rows", rows_max);
    }
    return RF_OK;
}

void rf_index_close(struct rf_index *index)
{
    free(index->quote);
    free(index->open);
    free(index->close);
    free(index->depth);
    free(index->key);
    free(index->suspect);
    free(index->blank);
    memset(index, 0, sizeof(*index));
}

/* Blocks of eight words are stored at once: each in one cache line. */
static void *words_array(size_t count, size_t size_bytes)
{
    void *memory = NULL;
    return posix_memalign(&memory, 64, count * size_bytes) == 0 ? memory : NULL;
}

enum rf_status rf_index_reserve(struct rf_index *index, size_t batch_bytes, struct rf_error *err)
{
    const size_t words = batch_bytes / 64 + 10; /* a block of eight may begin in the last one */
    if (words <= index->words_max) {
        return RF_OK;
    }
    free(index->quote);
    free(index->open);
    free(index->close);
    free(index->depth);
    free(index->key);
    index->words_max = 0;
    index->quote = words_array(words, sizeof(uint64_t));
    index->open = words_array(words, sizeof(uint64_t));
    index->close = words_array(words, sizeof(uint64_t));
    index->depth = words_array(words, sizeof(uint16_t));
    /* Every byte may be a colon; memory that is not written is not used. */
    index->key = words_array(words * 64 + INDEX_SLACK, sizeof(uint32_t));
    if (index->quote == NULL || index->open == NULL || index->close == NULL || index->depth == NULL ||
        index->key == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for the index of a batch of %zu bytes", batch_bytes);
    }
    index->words_max = words;
    return RF_OK;
}

/* The record table alone, for machines without a vector level. */
static void index_lines(struct rf_index *index, const struct rf_batch *batch, struct rf_span32 span,
                        struct rf_rows *rows, bool is_json)
{
    const char *bytes = (const char *)batch->bytes;
    uint32_t at = span.begin;
    while (at < span.end && rows->rows + 1 < rows->rows_max) {
        const char *found = memchr(bytes + at, '\n', span.end - at);
        const uint32_t end = found == NULL ? span.end : (uint32_t)(found - bytes);
        uint32_t first = at;
        while (is_json && first < end && (bytes[first] == ' ' || bytes[first] == '\t' || bytes[first] == '\r')) {
            first++;
        }
        if (is_json && first == end) {
            rf_bit_set(index->blank, rows->rows);
            index->has_blank = true;
        }
        rows->begin[rows->rows] = at;
        rows->end[rows->rows] = end;
        rows->rows++;
        at = end < span.end ? end + 1 : end;
        rows->begin[rows->rows] = at;
    }
    rows->cursor = at;
    if (!is_json) {
        for (uint32_t i = span.begin; i < at; i++) {
            index->has_high |= (bytes[i] & 0x80) != 0;
        }
    }
}

/* The vector pass takes any control byte for white space when it looks for blank rows. */
static bool row_is_blank(const struct rf_batch *batch, const struct rf_rows *rows, uint32_t row)
{
    for (uint32_t at = rows->begin[row]; at < rows->end[row]; at++) {
        if (batch->bytes[at] != ' ' && batch->bytes[at] != '\t' && batch->bytes[at] != '\r') {
            return false;
        }
    }
    return true;
}

static void rows_finish(struct rf_index *index, const struct rf_batch *batch, struct rf_rows *rows, bool has_return)
{
    memset(rows->status, RF_ROW_REJECTED, rows->rows);
    for (uint32_t row = 0; has_return && row < rows->rows; row++) {
        const uint32_t end = rows->end[row];
        /* A CR at the end of the input without a line feed is the record's own. */
        rows->end[row] -= end > rows->begin[row] && end < batch->bytes_used && batch->bytes[end - 1] == '\r';
    }
    for (uint32_t w = 0; index->has_blank && w < rf_bitmap_words(rows->rows); w++) {
        for (uint64_t bits = index->blank[w]; bits != 0; bits &= bits - 1) {
            const uint32_t row = w * 64 + (uint32_t)__builtin_ctzll(bits);
            if (row < rows->rows && row_is_blank(batch, rows, row)) {
                rows->status[row] = RF_ROW_BLANK;
            }
        }
    }
    rows->lines = rows->rows;
}

static void index_begin(struct rf_index *index, struct rf_rows *rows)
{
    const size_t words = rf_bitmap_words(index->rows_max) + 2;
    memset(index->suspect, 0, words * sizeof(uint64_t));
    if (index->has_blank) {
        memset(index->blank, 0, words * sizeof(uint64_t));
        index->has_blank = false;
    }
    index->has_high = false;
    index->keys = 0;
    index->has_loose_colon = false;
    rows->rows = 0;
    rows->is_sparse = false;
}

void rf_index_json(struct rf_index *index, enum rf_isa isa, const struct rf_batch *batch, struct rf_span32 span,
                   struct rf_rows *rows)
{
    index_begin(index, rows);
    bool has_return = isa == RF_ISA_SCALAR;
    if (span.begin < span.end) {
        switch (isa) {
#if defined(__x86_64__)
        case RF_ISA_AVX512:
            rf_index_json_avx512(index, batch, span, rows, &has_return);
            break;
        case RF_ISA_AVX2:
            rf_index_json_avx2(index, batch, span, rows, &has_return);
            break;
#endif
        default:
            index_lines(index, batch, span, rows, true);
            break;
        }
    }
    if (isa == RF_ISA_SCALAR) {
        memset(index->suspect, 0xff, rf_bitmap_words(rows->rows) * sizeof(uint64_t));
    }
    rows_finish(index, batch, rows, has_return);
}

void rf_index_text(struct rf_index *index, enum rf_isa isa, const struct rf_batch *batch, struct rf_span32 span,
                   struct rf_rows *rows)
{
    index_begin(index, rows);
    bool has_return = isa == RF_ISA_SCALAR;
    if (span.begin < span.end) {
        switch (isa) {
#if defined(__x86_64__)
        case RF_ISA_AVX512:
            rf_index_text_avx512(index, batch, span, rows, &has_return);
            break;
        case RF_ISA_AVX2:
            rf_index_text_avx2(index, batch, span, rows, &has_return);
            break;
#endif
        default:
            index_lines(index, batch, span, rows, false);
            break;
        }
    }
    rows_finish(index, batch, rows, has_return);
}
