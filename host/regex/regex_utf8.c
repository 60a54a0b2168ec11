/* Code points to the bytes of UTF-8. The sequences of bytes come in ascending order, so that only the last branch of
 * the tree of their bytes is open at any time; what is behind it is finished and, where it occurred before, shared.
 * Source: Unicode 15.0, table 3-6; Daciuk and others, Incremental Construction of Minimal Acyclic Finite-State
 * Automata, 2000, for sorted input. */
#include "regex_program.h"

enum { UTF8_BYTES_MAX = 4, BYTE_VALUES = 256, CONTINUATION_BITS = 6 };

struct byte_range {
    uint8_t low, high;
};

struct level {
    struct rf_regex_range range[BYTE_VALUES]; /* the last one's `next` is not known yet, but at the deepest level */
    uint32_t count;
};

struct class_builder {
    struct rf_program *program;
    uint32_t next;
    struct level level[UTF8_BYTES_MAX];
    uint32_t depth; /* bytes of the last sequence */
    bool is_over;
};

/* Levels from the deepest to `kept` become nodes. */
static void builder_shut(struct class_builder *builder, uint32_t kept)
{
    while (builder->depth > kept) {
        struct level *const level = &builder->level[builder->depth - 1];
        struct level *const above = &builder->level[builder->depth - 2];
        const uint32_t node = rf_program_ranges(builder->program, level->range, level->count);
        builder->is_over = builder->is_over || node == RF_PROGRAM_NONE;
        above->range[above->count - 1].next = (uint16_t)node;
        level->count = 0;
        builder->depth--;
    }
}

static void builder_add(struct class_builder *builder, const struct byte_range *byte, uint32_t bytes)
{
    uint32_t common = 0;
    while (common + 1 < bytes && common + 1 < builder->depth) {
        const struct level *const level = &builder->level[common];
        const struct rf_regex_range last = level->range[level->count - 1];
        if (last.low != byte[common].low || last.high != byte[common].high) {
            break;
        }
        common++;
    }
    if (builder->depth != 0) {
        builder_shut(builder, common + 1);
    }
    for (uint32_t i = common; i < bytes; i++) {
        struct level *const level = &builder->level[i];
        level->range[level->count++] = (struct rf_regex_range){byte[i].low, byte[i].high, (uint16_t)builder->next};
    }
    builder->depth = bytes;
}

/* A range whose sequences have equally many bytes and differ so that each byte has a range of its own. */
static void sequence_add(struct class_builder *builder, struct rf_code_range range, uint32_t bytes)
{
    static const uint8_t lead[UTF8_BYTES_MAX + 1] = {0, 0, 0xC0, 0xE0, 0xF0};
    struct byte_range byte[UTF8_BYTES_MAX];
    for (uint32_t i = bytes; i-- > 1;) {
        byte[i] = (struct byte_range){(uint8_t)(0x80 | (range.low & 0x3F)), (uint8_t)(0x80 | (range.high & 0x3F))};
        range.low >>= CONTINUATION_BITS;
        range.high >>= CONTINUATION_BITS;
    }
    byte[0] = (struct byte_range){(uint8_t)(lead[bytes] | range.low), (uint8_t)(lead[bytes] | range.high)};
    builder_add(builder, byte, bytes);
}

/* Where a range must be cut in two: the last code point of its first part; its own last one when it is whole. */
static uint32_t range_cut(struct rf_code_range range, uint32_t bytes)
{
    static const uint32_t last_of[UTF8_BYTES_MAX + 1] = {0, 0x7F, 0x7FF, 0xFFFF, RF_CODE_MAX};
    if (range.high > last_of[bytes]) {
        return last_of[bytes];
    }
    for (uint32_t i = 1; i < bytes; i++) {
        const uint32_t mask = (1U << (CONTINUATION_BITS * i)) - 1;
        if ((range.low & ~mask) == (range.high & ~mask)) {
            continue;
        }
        /* The bytes behind may be any: cut the parts off where they may not. */
        if ((range.low & mask) != 0) {
            return range.low | mask;
        }
        if ((range.high & mask) != mask) {
            return (range.high & ~mask) - 1;
        }
    }
    return range.high;
}

static void range_add(struct class_builder *builder, struct rf_code_range range)
{
    while (range.low <= range.high) {
        const uint32_t bytes = range.low < 0x80 ? 1 : range.low < 0x800 ? 2 : range.low < 0x10000 ? 3 : 4;
        struct rf_code_range part = range;
        /* At most twice for each byte. */
        for (uint32_t cut; (cut = range_cut(part, bytes)) != part.high;) {
            part.high = cut;
        }
        sequence_add(builder, part, bytes);
        range.low = part.high + 1;
    }
}

uint32_t rf_program_class(struct rf_program *program, const struct rf_code_range *range, uint32_t count, uint32_t next)
{
    if (next == RF_PROGRAM_NONE) {
        return RF_PROGRAM_NONE;
    }
    struct class_builder builder;
    builder.program = program;
    builder.next = next;
    builder.depth = 0;
    builder.is_over = false;
    for (uint32_t i = 0; i < UTF8_BYTES_MAX; i++) {
        builder.level[i].count = 0;
    }
    for (uint32_t i = 0; i < count && !builder.is_over; i++) {
        const struct rf_code_range whole = range[i];
        const struct rf_code_range below = {whole.low,
                                            whole.high < RF_SURROGATE_FIRST ? whole.high : RF_SURROGATE_FIRST - 1};
        const struct rf_code_range above = {whole.low > RF_SURROGATE_LAST ? whole.low : RF_SURROGATE_LAST + 1,
                                            whole.high};
        range_add(&builder, below);
        range_add(&builder, above);
    }
    if (builder.depth != 0) {
        builder_shut(&builder, 1);
    }
    return builder.is_over ? RF_PROGRAM_NONE
                           : rf_program_ranges(program, builder.level[0].range, builder.level[0].count);
}
