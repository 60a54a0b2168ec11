/* fix_index_impl.h: the fields of usual messages, 64 bytes at a time; compiled once for each vector level.
 *
 * Of each 64 bytes there are two masks, of separators and of `=`. A field starts behind each separator; subtracting the starts
 * from the `=` lets a borrow run from each start to the first `=` behind it, so that
 *
 *     bytes     8=FIX.4.4|58=a=b|
 *     starts    1.........1......
 *     equals    .1..........1.1..
 *     runs      1.........11..1..   equals - starts
 *     firsts    .1..........1....   equals & ~runs: the `=` between tag and value
 *     text      11........111....   runs ^ equals: tags with their `=`
 *
 * with a borrow into the next 64 bytes where a tag lies across. When there are as many firsts as separators, every field has
 * its own. The text of the tags is looked up (fix_layout.h); where raw data or a bad tag shows in it, where separators are texts,
 * and in very long messages, rf_fix_index_message does the work.
 *
 * The including file defines
 *   masks_of(p, separator, &separators, &equals)
 *   places_emit(out, bits, base)   the numbers of the set bits, plus base; may write 64 whatever the count
 *   text_emit(out, p, bits)        the bytes of the set bits; may write 64
 *   text_equal(a, b, count)        64 bytes behind either may be read
 *   INDEX_ALL, INDEX_WANTED        the names of the functions made here
 */
#include <immintrin.h>

#include "fix_index_levels.h"
#include "fix_walk.h"

#define SCAN_INLINE static inline __attribute__((always_inline))

struct scan {
    uint32_t fields;
    uint32_t text_bytes;
    bool is_empty; /* a value is */
};

/* begin[] and end[] of the values of a message, and the text of its tags. */
SCAN_INLINE bool scan_message(const uint8_t *bytes, uint32_t begin, uint32_t end, uint8_t separator,
                              uint32_t *value_begin, uint32_t *value_end, uint8_t *text, struct scan *scan)
{
    uint64_t borrow = 0;
    uint64_t start_carry = 1;
    uint64_t first_carry = 0;
    uint64_t empties = 0;
    uint32_t begins = 0;
    uint32_t ends = 0;
    uint32_t text_bytes = 0;
    for (uint32_t at = begin; at < end; at += 64) {
        const uint32_t left = end - at;
        const uint64_t valid = _bzhi_u64(~0ull, left < 64 ? left : 64);
        uint64_t separators;
        uint64_t equals;
        masks_of(bytes + at, separator, &separators, &equals);
        separators &= valid;
        equals &= valid;
        const uint64_t starts = (separators << 1 | start_carry) & valid;
        const uint64_t difference = equals - starts;
        const uint64_t runs = difference - borrow;
        borrow = (equals < starts) | (difference < borrow);
        const uint64_t firsts = equals & ~runs;
        const uint64_t tags = (runs ^ equals) & valid;
        empties |= (firsts << 1 | first_carry) & separators;
        start_carry = separators >> 63;
        first_carry = firsts >> 63;
        places_emit(value_begin + begins, firsts, at + 1);
        places_emit(value_end + ends, separators, at);
        text_emit(text + text_bytes, bytes + at, tags);
        begins += (uint32_t)__builtin_popcountll(firsts);
        ends += (uint32_t)__builtin_popcountll(separators);
        text_bytes += (uint32_t)__builtin_popcountll(tags);
    }
    *scan = (struct scan){.fields = ends, .text_bytes = text_bytes, .is_empty = empties != 0};
    return (begins == ends) & (borrow == 0) & (bytes[end - 1] == separator);
}

SCAN_INLINE uint64_t text_word(const uint8_t *text)
{
    uint64_t word;
    memcpy(&word, text, sizeof word);
    return word;
}

/* The first 16 bytes are nearly always the same. */
SCAN_INLINE uint32_t text_hash(const uint8_t *text, uint32_t count)
{
    uint64_t hash = count;
    for (uint32_t at = 16; at + 8 <= count; at += 8) {
        hash = _mm_crc32_u64(hash, text_word(text + at));
    }
    return (uint32_t)_mm_crc32_u64(hash, text_word(text + (count < 8 ? 0 : count - 8)));
}

SCAN_INLINE const struct rf_fix_layout *layout_find(struct rf_fix_index *index, const struct scan *scan)
{
    struct rf_fix_layouts *layouts = &index->layouts;
    const uint32_t hash = text_hash(index->text, scan->text_bytes);
    for (uint32_t at = hash % RF_FIX_LAYOUT_BUCKETS; layouts->bucket[at] != 0; at = (at + 1) % RF_FIX_LAYOUT_BUCKETS) {
        const struct rf_fix_layout *layout = &layouts->layout[layouts->bucket[at] - 1];
        if (layout->text_bytes == scan->text_bytes && text_equal(layout->text, index->text, scan->text_bytes)) {
            return layout;
        }
    }
    return rf_fix_layout_make(layouts, hash, index->text, scan->text_bytes, scan->fields);
}

/* The layout of a row's message, whose values are then at `at` of the arrays; NULL: it is not usual. */
SCAN_INLINE const struct rf_fix_layout *row_scan(struct rf_fix_index *index, const struct rf_batch *batch,
                                                 struct rf_fix_frame *frame, uint32_t row, uint32_t at)
{
    const uint32_t begin = frame->message[row];
    const uint32_t end = frame->message_end[row];
    const uint8_t separator = frame->separator[row];
    struct scan scan;
    if (__builtin_expect((separator > RF_FIX_PIPE) | (end - begin > RF_FIX_SCAN_MAX), 0) ||
        __builtin_expect(!scan_message(batch->bytes, begin, end, separator == RF_FIX_SOH ? 1 : '|', index->begin + at,
                                       index->length + at, index->text, &scan),
                         0)) {
        return NULL;
    }
    const struct rf_fix_layout *layout = layout_find(index, &scan);
    if (layout == NULL || !layout->is_plain) {
        return NULL;
    }
    frame->flags[row] |= (uint8_t)(layout->flags | (scan.is_empty ? RF_FIX_EMPTY : 0));
    return layout;
}

void INDEX_ALL(struct rf_fix_index *index, const struct rf_batch *batch, struct rf_rows *rows,
               struct rf_fix_frame *frame)
{
    uint32_t at = 0;
    for (uint32_t row = 0; row < rows->rows; row++) {
        index->first[row] = at;
        if (rows->status[row] != RF_ROW_REJECTED) {
            continue;
        }
        const struct rf_fix_layout *layout = row_scan(index, batch, frame, row, at);
        if (__builtin_expect(layout == NULL, 0)) {
            at += rf_fix_index_message(index, batch, rows, frame, row, at);
            continue;
        }
        uint32_t *length = index->length + at;
        const uint32_t *begin = index->begin + at;
        uint32_t *tag = index->tag + at;
        for (uint32_t f = 0; f < layout->fields; f += 16) {
            for (uint32_t i = 0; i < 16; i++) {
                tag[f + i] = layout->tag[f + i];
                length[f + i] -= begin[f + i];
            }
        }
        at += layout->fields;
    }
    index->first[rows->rows] = at;
}

void INDEX_WANTED(struct rf_fix_index *index, const struct rf_batch *batch, struct rf_rows *rows,
                  struct rf_fix_frame *frame, struct rf_columns *columns)
{
    const uint32_t slots = index->layouts.slots;
    const struct rf_column *const slot = columns->slot;
    const uint32_t *const begin = index->begin;
    const uint32_t *const end = index->length;
    for (uint32_t row = 0; row < rows->rows; row++) {
        if (rows->status[row] != RF_ROW_REJECTED) {
            rf_fix_index_absent(index, row, columns);
            continue;
        }
        const struct rf_fix_layout *layout = row_scan(index, batch, frame, row, 0);
        if (__builtin_expect(layout == NULL, 0)) {
            const uint32_t count = rf_fix_index_message(index, batch, rows, frame, row, 0);
            rf_fix_index_pick(index, count, row, columns);
            continue;
        }
        for (uint32_t s = 0; s < slots; s++) {
            const uint32_t place = layout->place[s];
            const bool is_there = place != RF_FIX_NOWHERE;
            const uint32_t mask =
                0u - (uint32_t)is_there; /* whether it is there cannot be predicted in a mixed stream */
            const uint32_t first = begin[place & mask] & mask;
            slot[s].tag[row] = (uint8_t)(RF_TAG_ABSENT + (uint32_t)is_there * (RF_TAG_STRING_RAW - RF_TAG_ABSENT));
            slot[s].begin[row] = first;
            slot[s].length[row] = (end[place & mask] & mask) - first;
        }
    }
}
