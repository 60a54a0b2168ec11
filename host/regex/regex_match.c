#include "regex.h"
#include "regex_machine.h"
#include "regex_simulate.h"

enum {
    SKIPS_TRIED = 16, /* after so many, skipping must have been worth it */
    SKIP_BYTES_WORTH = 8
};

struct skip_block { /* compared at once */
    uint8_t byte __attribute__((vector_size(16)));
};

/* The next byte that leads out of the start state, at `from` or behind it; text.count when there is none. */
static size_t skip_find(const struct rf_regex *regex, struct rf_str text, size_t from)
{
    const unsigned char *const data = (const unsigned char *)text.data;
    const unsigned char a = regex->skip_byte[0];
    const unsigned char b = regex->skip_byte[regex->skip_bytes > 1 ? 1 : 0];
    const unsigned char c = regex->skip_byte[regex->skip_bytes > 2 ? 2 : 0];
    if (regex->skip_bytes == 1) {
        const unsigned char *const found = memchr(data + from, a, text.count - from);
        return found == NULL ? text.count : (size_t)(found - data);
    }
    for (; text.count - from >= sizeof(struct skip_block); from += sizeof(struct skip_block)) {
        struct skip_block block;
        uint64_t hit[2];
        memcpy(&block, data + from, sizeof block);
        block.byte = (block.byte == a) | (block.byte == b) | (block.byte == c);
        memcpy(hit, &block, sizeof hit);
        if ((hit[0] | hit[1]) != 0) {
            break;
        }
    }
    while (from < text.count && data[from] != a && data[from] != b && data[from] != c) {
        from++;
    }
    return from;
}

/* The rest of a long text: what the start state ignores is skipped, as long as that is worth it. */
static __attribute__((noinline)) bool long_match(const struct rf_regex *regex, struct rf_str text, size_t at,
                                                 uint32_t reached)
{
    uint16_t cells[RF_MACHINE_CELLS];
    const struct rf_machine machine = rf_machine_of(regex, cells);
    bool is_skipping = regex->skip_bytes != 0;
    size_t skips = 0;
    size_t skipped = 0;
    size_t state = (size_t)reached << (regex->class_shift - machine.shift);
    while (at < text.count && state < machine.match) {
        if (is_skipping && state == machine.start) {
            const size_t from = at;
            at = skip_find(regex, text, from);
            skipped += at - from;
            is_skipping = ++skips < SKIPS_TRIED || skipped / skips >= SKIP_BYTES_WORTH;
        }
        const size_t pause = is_skipping ? machine.start : SIZE_MAX;
        while (at < text.count) {
            state = machine.next[(state << machine.shift) + machine.class_of[(unsigned char)text.data[at++]]];
            if (state >= machine.match || state == pause) {
                break;
            }
        }
    }
    return rf_machine_accepts(&machine, state);
}

bool rf_regex_match(const struct rf_regex *regex, struct rf_str text)
{
    if (regex->kind == RF_REGEX_NFA) {
        return rf_regex_simulate(regex, text);
    }
    const uint16_t *const next = regex->next;
    const uint32_t shift = regex->class_shift;
    const uint32_t final = regex->match;
    const size_t count = text.count < RF_MACHINE_LONG_BYTES ? text.count : RF_MACHINE_LONG_BYTES / 2;
    uint32_t state = regex->start;
    for (size_t i = 0; i < count; i++) {
        state = next[(state << shift) + regex->class_of[(unsigned char)text.data[i]]];
        if (state >= final) {
            return state == final;
        }
    }
    if (count < text.count) {
        return long_match(regex, text, count, state);
    }
    /* The start may be dead. */
    return state - regex->end_begin < regex->dead - regex->end_begin;
}
