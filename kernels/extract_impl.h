/* extract_impl.h: the vector extract stage; compiled once for each vector level.
 *
 * The including file defines EXTRACT_JSON, the name of the function; column_group(bytes, position, column, row, rows,
 * is_deep, wide_from), which decodes some rows from `row` on and says how many, perhaps none; and keys_group(extract, batch, index,
 * rows), which may place all keys or say no.
 */
#include "extract_keys.h"
#include "extract_values.h"
#include "walk_value.h"

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
    const uint8_t first = batch->bytes[at];
    uint32_t end;
    if (first == '{' || first == '[') { /* a deep one */
        if (rf_walk_value_whole(batch, at, row_end, &end)) {
            rf_cell_set(&columns->slot[slot], row, first == '{' ? RF_TAG_OBJECT : RF_TAG_LIST, 0, at, end - at);
        } else {
            extract->walks[row] = 1;
        }
        return;
    }
    end = token_end(batch, index, at, row_end);
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

/* One value of a column whose key was there: false when it is not of a plain form. */
VALUES_INLINE bool value_plain(const uint8_t *bytes, uint32_t at, const struct rf_column *column, uint32_t row,
                               bool is_deep)
{
    const uint8_t first = bytes[at];
    uint32_t begin = at;
    uint32_t count = 0;
    uint64_t payload = 0;
    uint8_t tag;
    if (first == '"') {
        begin = at + 1;
        tag = RF_TAG_STRING_RAW;
        if (__builtin_expect(!string_plain(bytes + begin, &count), 0)) {
            return false;
        }
        payload = rf_token_prefix(bytes + begin, count);
    } else if (first <= '9') {
        tag = RF_TAG_NUMBER;
        if (__builtin_expect(!number_plain(bytes + at, &payload, &count), 0)) {
            return false;
        }
    } else if ((first == '{' || first == '[') && !is_deep) {
        tag = first == '{' ? RF_TAG_OBJECT : RF_TAG_LIST;
    } else {
        return false;
    }
    column->tag[row] = tag;
    column->payload[row] = payload;
    column->begin[row] = begin;
    column->length[row] = count;
    return true;
}

enum { SINGLE_ROWS = 8 }; /* rows that go one by one before it is tried again with more */

/* One slot, all rows. */
static void column_decode(struct rf_extract *extract, const struct rf_batch *batch, const struct rf_index *index,
                          const struct rf_rows *rows, struct rf_columns *columns, uint32_t node)
{
    const uint32_t slot = extract->program->node[node].slot;
    const bool is_deep = extract->program->slot[slot].is_deep;
    const uint32_t *position = extract->position[node];
    const struct rf_column column = columns->slot[slot];
    const uint8_t *bytes = batch->bytes;
    uint32_t singly = 0;    /* rows before it go one by one */
    uint32_t wide_from = 0; /* column_group's own */
    for (uint32_t row = 0; row < rows->rows; row++) {
        if (row >= singly) {
            const uint32_t alike = column_group(bytes, position, &column, row, rows->rows, is_deep, &wide_from);
            if (__builtin_expect(alike != 0, 1)) {
                row += alike - 1;
                continue;
            }
            singly = row + SINGLE_ROWS;
        }
        if (__builtin_expect(position[row] == RF_NONE, 0)) {
            cell_missing(extract, batch, rows, columns, node, row);
            continue;
        }
        uint32_t at = position[row] + 1;
        if (__builtin_expect(bytes[at] <= ' ', 0)) {
            while (at < rows->end[row] && rf_token_is_space(bytes[at])) {
                at++;
            }
        }
        if (__builtin_expect(!value_plain(bytes, at, &column, row, is_deep), 0)) {
            value_exact(extract, batch, index, rows, columns, slot, row, at);
        }
    }
}

void EXTRACT_JSON(struct rf_extract *extract, const struct rf_batch *batch, const struct rf_index *index,
                  const struct rf_rows *rows, struct rf_columns *columns)
{
    const struct rf_program *program = extract->program;
    for (uint32_t n = 1; n < program->nodes; n++) {
        memset(extract->position[n], 0xff, rows->rows * sizeof(uint32_t));
    }
    memset(extract->nowhere, 0xff, rows->rows * sizeof(uint32_t));
    if (keys_group(extract, batch, index, rows)) {
        /* all of them are placed */
    } else if (program->depth_max <= 1) {
        keys_place(extract, batch, index, rows, KEYS_FLAT);
    } else if (program->depth_max <= PACKED_LEVELS_MAX && program->nodes <= PACKED_NODES_MAX) {
        keys_place(extract, batch, index, rows, KEYS_PACKED);
    } else {
        keys_place(extract, batch, index, rows, KEYS_DEEP);
    }
    for (uint32_t n = 1; n < program->nodes; n++) {
        column_decode(extract, batch, index, rows, columns, n);
    }
}
