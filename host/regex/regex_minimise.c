/* Which states are equal. Hopcroft's way: blocks of states are split by what leads into a block, and of the two halves
 * only the smaller one has to be looked at again, so that no state is looked at more than log S times per interval. */
#include "regex_dfa.h"

struct partition {
    uint32_t states, intervals;
    /* Predecessors: for interval k and state s they are
     * source[k * states + begin[k * (states + 1) + s] ...], up to the begin of s + 1. */
    uint16_t *begin;
    uint16_t *source;
    /* Blocks are runs of `element`; marked ones stand first in their block. */
    uint16_t *element;
    uint16_t *place; /* state -> where it stands in element */
    uint16_t *block; /* state -> block */
    uint16_t *block_begin, *block_end, *block_marked;
    uint32_t blocks;
    uint16_t *waiting; /* a stack of blocks to split by */
    uint32_t waiting_count;
    uint8_t *is_waiting;
    uint16_t *touched; /* blocks with marks */
    uint32_t touched_count;
    uint16_t *splitter; /* the states of the block in work, which may be split itself meanwhile */
};

static uint16_t *push_numbers(struct rf_arena *arena, size_t count, bool *is_done)
{
    uint16_t *const numbers = RF_PUSH(arena, uint16_t, count);
    *is_done = *is_done && numbers != NULL;
    return numbers;
}

static void sources_fill(struct partition *p, const struct rf_dfa *dfa)
{
    for (uint32_t k = 0; k < p->intervals; k++) {
        uint16_t *const begin = p->begin + (size_t)k * (p->states + 1);
        uint16_t *const source = p->source + (size_t)k * p->states;
        for (uint32_t s = 0; s < p->states; s++) {
            begin[dfa->next[(size_t)s * p->intervals + k]]++;
        }
        uint32_t sum = 0;
        for (uint32_t s = 0; s <= p->states; s++) {
            sum += begin[s];
            begin[s] = (uint16_t)sum;
        }
        /* Filled from behind, each begin arrives at where its run begins. */
        for (uint32_t s = p->states; s-- > 0;) {
            source[--begin[dfa->next[(size_t)s * p->intervals + k]]] = (uint16_t)s;
        }
    }
}

static void wait_for(struct partition *p, uint32_t block)
{
    p->waiting[p->waiting_count++] = (uint16_t)block;
    p->is_waiting[block] = true;
}

/* The blocks at the beginning: states with a match at the end of the text, and the others. */
static void blocks_begin(struct partition *p, const struct rf_dfa *dfa)
{
    uint32_t low = 0;
    uint32_t high = p->states;
    for (uint32_t s = 0; s < p->states; s++) {
        const uint32_t place = dfa->accepts[s] ? low++ : --high;
        p->element[place] = (uint16_t)s;
        p->place[s] = (uint16_t)place;
    }
    for (uint32_t s = 0; s < p->states; s++) {
        p->block[s] = low != 0 && p->place[s] >= low;
    }
    p->block_end[0] = (uint16_t)p->states;
    p->blocks = 1;
    if (low != 0 && low != p->states) {
        p->block_end[0] = (uint16_t)low;
        p->block_begin[1] = (uint16_t)low;
        p->block_end[1] = (uint16_t)p->states;
        p->blocks = 2;
    }
    /* One of two would do, too. */
    for (uint32_t block = 0; block < p->blocks; block++) {
        wait_for(p, block);
    }
}

static void state_mark(struct partition *p, uint32_t state)
{
    const uint32_t block = p->block[state];
    const uint32_t front = (uint32_t)p->block_begin[block] + p->block_marked[block];
    const uint32_t place = p->place[state];
    if (place < front) {
        return;
    }
    if (p->block_marked[block]++ == 0) {
        p->touched[p->touched_count++] = (uint16_t)block;
    }
    const uint16_t other = p->element[front];
    p->element[front] = (uint16_t)state;
    p->place[state] = (uint16_t)front;
    p->element[place] = other;
    p->place[other] = (uint16_t)place;
}

/* The marked states of a block become a block of their own, unless that is all of them. */
static void block_split(struct partition *p, uint32_t block)
{
    const uint32_t begin = p->block_begin[block];
    const uint32_t middle = begin + p->block_marked[block];
    const uint32_t end = p->block_end[block];
    p->block_marked[block] = 0;
    if (middle == end) {
        return;
    }
    const uint32_t fresh = p->blocks++;
    p->block_begin[fresh] = (uint16_t)begin;
    p->block_end[fresh] = (uint16_t)middle;
    p->block_begin[block] = (uint16_t)middle;
    for (uint32_t i = begin; i < middle; i++) {
        p->block[p->element[i]] = (uint16_t)fresh;
    }
    /* Where the whole still waits, both parts must; else the smaller one is enough. */
    wait_for(p, p->is_waiting[block] || middle - begin <= end - middle ? fresh : block);
}

static void partition_refine(struct partition *p)
{
    while (p->waiting_count != 0) {
        const uint32_t block = p->waiting[--p->waiting_count];
        p->is_waiting[block] = false;
        const uint32_t count = (uint32_t)p->block_end[block] - p->block_begin[block];
        memcpy(p->splitter, p->element + p->block_begin[block], count * sizeof *p->splitter);
        for (uint32_t k = 0; k < p->intervals; k++) {
            const uint16_t *const begin = p->begin + (size_t)k * (p->states + 1);
            const uint16_t *const source = p->source + (size_t)k * p->states;
            for (uint32_t i = 0; i < count; i++) {
                for (uint32_t at = begin[p->splitter[i]]; at < begin[p->splitter[i] + 1]; at++) {
                    state_mark(p, source[at]);
                }
            }
            while (p->touched_count != 0) {
                block_split(p, p->touched[--p->touched_count]);
            }
        }
    }
}

bool rf_dfa_minimise(const struct rf_dfa *dfa, struct rf_arena *arena, uint16_t *block, uint32_t *blocks)
{
    const size_t states = dfa->states;
    bool is_done = true;
    struct partition p = {
        .states = dfa->states,
        .intervals = dfa->intervals,
        .begin = push_numbers(arena, (states + 1) * dfa->intervals, &is_done),
        .source = push_numbers(arena, states * dfa->intervals, &is_done),
        .element = push_numbers(arena, states, &is_done),
        .place = push_numbers(arena, states, &is_done),
        .block = push_numbers(arena, states, &is_done),
        .block_begin = push_numbers(arena, states, &is_done),
        .block_end = push_numbers(arena, states, &is_done),
        .block_marked = push_numbers(arena, states, &is_done),
        .waiting = push_numbers(arena, states, &is_done),
        .is_waiting = RF_PUSH(arena, uint8_t, states),
        .touched = push_numbers(arena, states, &is_done),
        .splitter = push_numbers(arena, states, &is_done),
    };
    if (!is_done || p.is_waiting == NULL) {
        return false;
    }
    sources_fill(&p, dfa);
    blocks_begin(&p, dfa);
    partition_refine(&p);
    memcpy(block, p.block, states * sizeof *block);
    *blocks = p.blocks;
    return true;
}
