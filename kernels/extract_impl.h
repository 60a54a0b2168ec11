/* extract_impl.h: the vector extract stage; compiled once for each vector level. EXTRACT_JSON names the function. */
#include "extract_keys.h"
#include "extract_values.h"

/* One past the last byte of the token that begins at `at`. */
static uint32_t token_end(const struct rf_batch *batch, const struct rf_index *index, uint32_t at, uint32_t row_end)
{
    if (batch->bytes[at] == '"') {
        uint32_t w = (at + 1) >> 6;
        uint64_t bits = index->quote[w] & (~0ull << ((at + 1) & 63));
        while (bits == 0 && (w + 1) * 64 < row_end) {
            bits = index->quote[++w];
        }
        const uint32_t end = bits == 0 ? row_end : w * 64 + (uint32_t)__builtin_ctzll(bits) + 1;
        return end < row_end ? end : row_end;
    }
    while (at < row_end && !rf_token_is_end(batch->bytes[at])) {
        at++;
    }
    return at;
}

/* A value that is not of a plain form. */
static __attribute__((noinline)) void value_exact(struct rf_extract *extract, const struct rf_batch *batch,
                                                  const struct rf_index *index, const struct rf_rows *rows,
                                                  struct rf_columns *columns, uint32_t slot, uint32_t row, uint32_t at)
{
    const uint32_t row_end = rows->end[row];
    if (at >= row_end || extract->walks[row] != 0) {
        extract->walks[row] = 1;
        return;
    }
    const uint32_t end = token_end(batch, index, at, row_end);
    if (end == at || rf_walk_scalar(batch, at, end, columns, slot, row).reason != RF_REASON_NONE) {
        extract->walks[row] = 1; /* the walk gives the verdict on the row */
    }
}

/* The cell of a slot whose key was not there. */
VALUES_INLINE void cell_missing(const struct rf_extract *extract, const struct rf_batch *batch,
                                const struct rf_rows *rows, struct rf_columns *columns, uint32_t node, uint32_t row)
{
    const struct rf_trie_node *trie = extract->program->node;
    const uint32_t parent = trie[node].parent;
    bool has_parent;
    if (parent == 0) {
        uint32_t at = rows->begin[row];
        while (at < rows->end[row] && rf_token_is_space(batch->bytes[at])) {
            at++;
        }
        has_parent = at < rows->end[row] && batch->bytes[at] == '{';
    } else {
        has_parent = columns->slot[trie[parent].slot].tag[row] == RF_TAG_OBJECT;
    }
    columns->slot[trie[node].slot].tag[row] = has_parent ? RF_TAG_ABSENT : RF_TAG_NOPARENT;
    columns->slot[trie[node].slot].payload[row] = 0;
}

/* One slot, all rows. */
static void column_decode(struct rf_extract *extract, const struct rf_batch *batch, const struct rf_index *index,
                          const struct rf_rows *rows, struct rf_columns *columns, uint32_t node)
{
    const uint32_t slot = extract->program->node[node].slot;
    const bool is_deep = extract->program->slot[slot].is_deep;
    const uint32_t *position = extract->position[node];
    const struct rf_column column = columns->slot[slot];
    const uint8_t *bytes = batch->bytes;
    for (uint32_t row = 0; row < rows->rows; row++) {
        if (__builtin_expect(position[row] == RF_NONE, 0)) {
            cell_missing(extract, batch, rows, columns, node, row);
            continue;
        }
        uint32_t at = position[row] + 1;
        while (__builtin_expect(rf_token_is_space(bytes[at]), 0)) {
            at++;
        }
        const uint8_t first = bytes[at];
        column.begin[row] = at;
        if (first == '"') {
            uint32_t count;
            if (__builtin_expect(string_plain(bytes + at + 1, &count), 1)) {
                column.tag[row] = RF_TAG_STRING_RAW;
                column.payload[row] = rf_token_prefix(bytes + at + 1, count);
                column.begin[row] = at + 1;
                column.length[row] = count;
                continue;
            }
        } else if (first <= '9') {
            double value;
            uint32_t count;
            if (__builtin_expect(number_plain(bytes + at, &value, &count), 1)) {
                column.tag[row] = RF_TAG_NUMBER;
                memcpy(&column.payload[row], &value, sizeof(value));
                column.length[row] = count;
                continue;
            }
        } else if (first == '{' || first == '[') {
            column.tag[row] = first == '{' ? RF_TAG_OBJECT : RF_TAG_LIST;
            column.payload[row] = 0;
            column.length[row] = 0;
            extract->walks[row] |= (uint8_t)is_deep;
            continue;
        }
        value_exact(extract, batch, index, rows, columns, slot, row, at);
    }
}

void EXTRACT_JSON(struct rf_extract *extract, const struct rf_batch *batch, const struct rf_index *index,
                  const struct rf_rows *rows, struct rf_columns *columns)
{
    const struct rf_program *program = extract->program;
    for (uint32_t n = 1; n < program->nodes; n++) {
        memset(extract->position[n], 0xff, rows->rows * sizeof(uint32_t));
    }
    if (program->depth_max <= 1) {
        keys_place(extract, batch, index, rows, true);
    } else {
        keys_place(extract, batch, index, rows, false);
    }
    for (uint32_t n = 1; n < program->nodes; n++) {
        column_decode(extract, batch, index, rows, columns, n);
    }
}
