#include <immintrin.h>
#include <string.h>

#include "fix_index_levels.h"

static inline bool text_equal(const uint8_t *a, const uint8_t *b, uint32_t count)
{
    return memcmp(a, b, count) == 0;
}

static inline __attribute__((always_inline)) void fields_write(const uint32_t *pair, uint32_t count, uint32_t message,
                                                               const uint32_t *tags, uint32_t *tag, uint32_t *begin,
                                                               uint32_t *length)
{
    const __m256i value = _mm256_set1_epi32((int)message + 1);
    for (uint32_t f = 0; f < count; f += 8) {
        const __m256i both = _mm256_loadu_si256((const __m256i *)(const void *)(pair + f));
        const __m256i equals = _mm256_and_si256(both, _mm256_set1_epi32(0xffff));
        const __m256i bytes = _mm256_sub_epi32(_mm256_srli_epi32(both, 16), equals);
        const __m256i known = _mm256_loadu_si256((const __m256i *)(const void *)(tags + f));
        _mm256_storeu_si256((__m256i *)(void *)(tag + f), known);
        _mm256_storeu_si256((__m256i *)(void *)(begin + f), _mm256_add_epi32(equals, value));
        _mm256_storeu_si256((__m256i *)(void *)(length + f), _mm256_sub_epi32(bytes, _mm256_set1_epi32(1)));
    }
}

#include "fix_index_group.h"

GROUP_INLINE uint64_t equal_mask(__m256i low, __m256i high, char byte)
{
    const __m256i wanted = _mm256_set1_epi8(byte);
    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, wanted)) |
           (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, wanted)) << 32;
}

/* Eight at a time, whatever the count. */
GROUP_INLINE void places_emit(uint16_t *out, uint64_t bits, uint32_t base)
{
    while (bits != 0) {
        for (uint32_t i = 0; i < 8; i++) {
            out[i] = (uint16_t)(base + (uint32_t)_tzcnt_u64(bits));
            bits = _blsr_u64(bits);
        }
        out += 8;
    }
}

/* Without a compressing instruction the tags are copied one by one; most are shorter than eight bytes. */
GROUP_INLINE uint32_t tags_copy(uint8_t *text, const uint8_t *message, const uint32_t *pair, uint32_t fields)
{
    uint32_t start = 0;
    uint32_t text_bytes = 0;
    for (uint32_t f = 0; f < fields; f++) {
        const uint32_t count = (pair[f] & 0xffff) + 1 - start;
        uint64_t word;
        memcpy(&word, message + start, sizeof word);
        memcpy(text + text_bytes, &word, sizeof word);
        if (__builtin_expect(count > sizeof word, 0)) {
            memcpy(text + text_bytes, message + start, count);
        }
        text_bytes += count;
        start = (pair[f] >> 16) + 1;
    }
    return text_bytes;
}

/* The pairs of a message and the text of its tags. */
GROUP_INLINE void message_scan(const uint8_t *message, uint32_t count, uint8_t separator, uint32_t *pair, uint8_t *text,
                               struct scan *scan)
{
    uint16_t *mark = (uint16_t *)(void *)pair;
    uint64_t borrow = 0;
    uint64_t start_carry = 1;
    uint64_t first_carry = 0;
    uint64_t empties = 0;
    uint32_t marks = 0;
    uint32_t ends = 0;
    for (uint32_t at = 0; at < count; at += 64) {
        const uint32_t left = count - at;
        const uint64_t valid = left < 64 ? (1ull << left) - 1 : ~0ull;
        const __m256i low = _mm256_loadu_si256((const __m256i *)(const void *)(message + at));
        const __m256i high = _mm256_loadu_si256((const __m256i *)(const void *)(message + at + 32));
        const uint64_t separators = equal_mask(low, high, (char)separator) & valid;
        const uint64_t equals = equal_mask(low, high, '=') & valid;
        const uint64_t starts = (separators << 1 | start_carry) & valid;
        const uint64_t difference = equals - starts;
        const uint64_t runs = difference - borrow;
        borrow = (uint64_t)(equals < starts) | (uint64_t)(difference < borrow);
        const uint64_t firsts = equals & ~runs;
        empties |= (firsts << 1 | first_carry) & separators;
        start_carry = separators >> 63;
        first_carry = firsts >> 63;
        places_emit(mark + marks, firsts | separators, at);
        marks += (uint32_t)__builtin_popcountll(firsts | separators);
        ends += (uint32_t)__builtin_popcountll(separators);
    }
    scan->fields = ends;
    scan->is_empty = empties != 0;
    scan->is_usual = (marks == 2 * ends) & (borrow == 0) & (message[count - 1] == separator);
    scan->text_bytes = scan->is_usual ? tags_copy(text, message, pair, ends) : 0;
}

/* The rows from `row` on, as many as there is room for. */
static void group_read(struct rf_fix_index *index, const struct rf_batch *batch, const struct rf_rows *rows,
                       struct rf_fix_frame *frame, uint32_t row, struct group *group)
{
    uint32_t pairs = 0;
    uint32_t text_bytes = 0;
    uint32_t i = 0;
    for (; row + i < rows->rows && i < RF_FIX_GROUP_ROWS; i++) {
        const uint32_t bytes = frame->message_end[row + i] - frame->message[row + i];
        struct scan *scan = &group->scan[i];
        *scan = (struct scan){.pair = pairs, .text = text_bytes};
        if (!row_may_be_usual(rows, frame, row + i)) {
            continue;
        }
        if (pairs + bytes > FIX_PAIRS_MAX || text_bytes + bytes > FIX_TEXT_MAX) {
            break;
        }
        message_scan(batch->bytes + frame->message[row + i], bytes, row_separator(frame, row + i), index->pair + pairs,
                     index->text + text_bytes, scan);
        pairs += scan->is_usual ? scan->fields : 0;
        text_bytes += scan->text_bytes;
    }
    group->rows = i;
    group_look_up(index, frame, row, group);
}

void rf_fix_index_all_avx2(struct rf_fix_index *index, const struct rf_batch *batch, struct rf_rows *rows,
                           struct rf_fix_frame *frame)
{
    struct group group;
    uint32_t at = 0;
    for (uint32_t row = 0; row < rows->rows; row += group.rows) {
        group_read(index, batch, rows, frame, row, &group);
        at = group_write(index, batch, rows, frame, row, &group, at);
    }
    index->first[rows->rows] = at;
}

/* Whether a field is there cannot be predicted in a mixed stream. */
GROUP_INLINE void slots_write(const struct rf_column *slot, uint32_t slots, const struct rf_fix_layout *layout,
                              const uint32_t *pair, uint32_t message, uint32_t row)
{
    for (uint32_t s = 0; s < slots; s++) {
        const uint32_t place = layout->place[s];
        const uint32_t mask = place == RF_FIX_NOWHERE ? 0 : ~0u;
        const uint32_t both = pair[place & mask];
        const uint32_t equals = both & 0xffff;
        slot[s].tag[row] = (uint8_t)(RF_TAG_ABSENT + (mask & (RF_TAG_STRING_RAW - RF_TAG_ABSENT)));
        slot[s].begin[row] = (message + equals + 1) & mask;
        slot[s].length[row] = ((both >> 16) - equals - 1) & mask;
    }
}

void rf_fix_index_wanted_avx2(struct rf_fix_index *index, const struct rf_batch *batch, struct rf_rows *rows,
                              struct rf_fix_frame *frame, struct rf_columns *columns)
{
    struct group group;
    for (uint32_t row = 0; row < rows->rows; row += group.rows) {
        group_read(index, batch, rows, frame, row, &group);
        for (uint32_t i = 0; i < group.rows; i++) {
            if (__builtin_expect(group.layout[i] != NULL, 1)) {
                slots_write(columns->slot, index->layouts.slots, group.layout[i], index->pair + group.scan[i].pair,
                            frame->message[row + i], row + i);
            } else {
                row_pick(index, batch, rows, frame, row + i, columns);
            }
        }
    }
}
