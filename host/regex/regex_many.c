/* Many texts with the deterministic automaton.
 *
 * One text is a chain of loads, each waiting for the one before. So four texts are taken by turns, and to make that
 * last, texts of a block are sorted by their bytes first: four of the same length end together. Measured with
 * regex_laps (tests/oracle) on texts of 5 to 40 bytes: half the time of one after the other, sorting included. */
#include "regex.h"
#include "regex_machine.h"

enum {
    WORD_BITS = 64,
    LANES = 4,
    STRIDE = 4,       /* bytes between two looks at whether all lanes are done */
    BLOCK = 256,      /* texts that are sorted at once; their numbers fit a byte */
    EXACT_BYTES = 64, /* texts below have a bucket for each length */
    COARSE_SHIFT = 4, /* longer ones share one for each 16 bytes */
    BUCKETS = 80,
    BUCKET_ALONE = BUCKETS - 1 /* texts that are better searched one by one */
};

static size_t lanes_common(const struct rf_str *text, const uint8_t *order)
{
    size_t common = text[order[0]].count;
    for (uint32_t lane = 1; lane < LANES; lane++) {
        common = text[order[lane]].count < common ? text[order[lane]].count : common;
    }
    return common;
}

/* Four texts by turns as far as the shortest goes, then what is left of each. shift is the machine's, a constant where
 * this is inlined. */
static inline __attribute__((always_inline)) void lanes_run(const struct rf_machine *machine, uint32_t shift,
                                                            const struct rf_str *text, const uint8_t *order,
                                                            uint64_t *bits)
{
    const uint8_t *const class_of = machine->class_of;
    const uint16_t *const next = machine->next;
    const size_t final = machine->match;
    const size_t common = lanes_common(text, order);
    const unsigned char *byte[LANES];
    size_t state[LANES];
    bool is_done = false;
    size_t at = 0;
    for (uint32_t lane = 0; lane < LANES; lane++) {
        byte[lane] = (const unsigned char *)text[order[lane]].data;
        state[lane] = machine->start;
    }
    for (; common - at >= STRIDE && !is_done; at += STRIDE) {
        for (size_t i = at; i < at + STRIDE; i++) {
            for (uint32_t lane = 0; lane < LANES; lane++) {
                state[lane] = next[(state[lane] << shift) + class_of[byte[lane][i]]];
            }
        }
        is_done = state[0] >= final && state[1] >= final && state[2] >= final && state[3] >= final;
    }
    for (; at < common && !is_done; at++) {
        for (uint32_t lane = 0; lane < LANES; lane++) {
            state[lane] = next[(state[lane] << shift) + class_of[byte[lane][at]]];
        }
    }
    for (uint32_t lane = 0; lane < LANES; lane++) {
        const size_t count = text[order[lane]].count;
        for (size_t i = at; i < count && state[lane] < final; i++) {
            state[lane] = next[(state[lane] << shift) + class_of[byte[lane][i]]];
        }
        bits[order[lane] / WORD_BITS] |= (uint64_t)rf_machine_accepts(machine, state[lane]) << order[lane] % WORD_BITS;
    }
}

/* Numbers of texts by their bytes, those that are better alone at the end. Gives how many come before these. */
static uint32_t block_order(const struct rf_str *text, uint32_t count, size_t alone_bytes, uint8_t *order)
{
    uint16_t place[BUCKETS] = {0};
    uint8_t bucket[BLOCK];
    uint32_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        const size_t bytes = text[i].count;
        size_t own = bytes < EXACT_BYTES ? bytes : EXACT_BYTES + ((bytes - EXACT_BYTES) >> COARSE_SHIFT);
        own = own < BUCKET_ALONE ? own : BUCKET_ALONE - 1;
        bucket[i] = (uint8_t)(bytes < alone_bytes ? own : BUCKET_ALONE);
        place[bucket[i]]++;
    }
    for (uint32_t i = 0; i < BUCKETS; i++) {
        const uint32_t own = place[i];
        place[i] = (uint16_t)sum;
        sum += own;
    }
    const uint32_t sorted = place[BUCKET_ALONE];
    for (uint32_t i = 0; i < count; i++) {
        order[place[bucket[i]]++] = (uint8_t)i;
    }
    return sorted;
}

static void block_match(const struct rf_regex *regex, const struct rf_machine *machine, const struct rf_str *text,
                        uint32_t count, uint64_t *bits)
{
    uint8_t order[BLOCK];
    const size_t alone_bytes = regex->skip_bytes != 0 ? RF_MACHINE_LONG_BYTES : SIZE_MAX;
    const uint32_t sorted = block_order(text, count, alone_bytes, order);
    uint32_t i = 0;
    if (machine->shift == 0) {
        for (; i + LANES <= sorted; i += LANES) {
            lanes_run(machine, 0, text, order + i, bits);
        }
    } else {
        for (; i + LANES <= sorted; i += LANES) {
            lanes_run(machine, machine->shift, text, order + i, bits);
        }
    }
    for (; i < count; i++) {
        bits[order[i] / WORD_BITS] |= (uint64_t)rf_regex_match(regex, text[order[i]]) << order[i] % WORD_BITS;
    }
}

void rf_regex_match_many(const struct rf_regex *regex, const struct rf_str *text, uint32_t count, uint64_t *bits)
{
    uint16_t cells[RF_MACHINE_CELLS];
    const size_t words = ((size_t)count + WORD_BITS - 1) / WORD_BITS;
    if (words != 0) {
        memset(bits, 0, words * sizeof *bits);
    }
    if (regex->kind == RF_REGEX_NFA || count < WORD_BITS) {
        for (uint32_t i = 0; i < count; i++) {
            bits[i / WORD_BITS] |= (uint64_t)rf_regex_match(regex, text[i]) << i % WORD_BITS;
        }
        return;
    }
    const struct rf_machine machine = rf_machine_of(regex, cells);
    for (uint32_t done = 0; done < count;) {
        const uint32_t take = count - done < BLOCK ? count - done : BLOCK;
        block_match(regex, &machine, text + done, take, bits + done / WORD_BITS);
        done += take;
    }
}
