/* The tables of regex.h: equal states once, in the order that one compare can tell apart, and equal columns once. */
#include "regex_dfa.h"

enum { BYTE_VALUES = 256, TABLE_ALIGN = 64, NONE = UINT16_MAX };

struct table {
    const struct rf_dfa *dfa;
    const uint16_t *block; /* state -> block */
    uint32_t blocks;
    uint16_t *state_of;  /* block -> one of its states */
    uint16_t *order;     /* blocks as they are met from the start */
    uint16_t *number;    /* block -> its final number */
    uint8_t *is_met;     /* block */
    uint64_t *column;    /* interval -> hash */
    uint16_t *class_row; /* class -> one of its intervals */
};

static uint32_t block_next(const struct table *table, uint32_t block, uint32_t interval)
{
    const size_t row = (size_t)table->state_of[block] * table->dfa->intervals;
    return table->block[table->dfa->next[row + interval]];
}

static bool block_is_final(const struct table *table, uint32_t block)
{
    for (uint32_t k = 0; k < table->dfa->intervals; k++) {
        if (block_next(table, block, k) != block) {
            return false;
        }
    }
    return true;
}

/* Breadth first: states that follow each other lie near each other. */
static void blocks_order(struct table *table)
{
    uint32_t count = 0;
    table->order[count++] = table->block[table->dfa->start];
    table->is_met[table->order[0]] = true;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < table->dfa->intervals; k++) {
            const uint32_t next = block_next(table, table->order[i], k);
            if (!table->is_met[next]) {
                table->is_met[next] = true;
                table->order[count++] = (uint16_t)next;
            }
        }
    }
    table->blocks = count;
}

/* Numbers as regex.h has them. There is always a match and a dead state, needed or not. */
static void blocks_number(struct table *table, struct rf_regex *regex)
{
    uint32_t numbers = 0;
    uint32_t match = NONE;
    uint32_t dead = NONE;
    for (uint32_t pass = 0; pass < 2; pass++) {
        const bool is_accepting = pass == 1;
        regex->end_begin = numbers;
        for (uint32_t i = 0; i < table->blocks; i++) {
            const uint32_t block = table->order[i];
            if ((table->dfa->accepts[table->state_of[block]] != 0) != is_accepting) {
                continue;
            }
            if (block_is_final(table, block)) {
                match = is_accepting ? block : match;
                dead = is_accepting ? dead : block;
            } else {
                table->number[block] = (uint16_t)numbers++;
            }
        }
    }
    regex->match = numbers++;
    regex->dead = numbers++;
    regex->states = numbers;
    if (match != NONE) {
        table->number[match] = (uint16_t)regex->match;
    }
    if (dead != NONE) {
        table->number[dead] = (uint16_t)regex->dead;
    }
    regex->start = table->number[table->block[table->dfa->start]];
}

static bool columns_equal(const struct table *table, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < table->blocks && table->column[a] == table->column[b]; i++) {
        if (block_next(table, table->order[i], a) != block_next(table, table->order[i], b)) {
            return false;
        }
    }
    return table->column[a] == table->column[b];
}

static void classes_find(struct table *table, struct rf_regex *regex)
{
    uint8_t class_of[BYTE_VALUES]; /* interval -> class */
    for (uint32_t k = 0; k < table->dfa->intervals; k++) {
        uint64_t hash = 0;
        for (uint32_t i = 0; i < table->blocks; i++) {
            hash = (hash ^ block_next(table, table->order[i], k)) * UINT64_C(0x9E3779B97F4A7C15);
            hash ^= hash >> 29;
        }
        table->column[k] = hash;
        uint32_t class = 0;
        while (class < regex->classes && !columns_equal(table, table->class_row[class], k)) {
            class ++;
        }
        if (class == regex->classes) {
            table->class_row[regex->classes++] = (uint16_t)k;
        }
        class_of[k] = (uint8_t) class;
    }
    for (uint32_t byte = 0; byte < BYTE_VALUES; byte++) {
        regex->class_of[byte] = class_of[table->dfa->interval_of[byte]];
    }
    while ((1U << regex->class_shift) < regex->classes) {
        regex->class_shift++;
    }
}

static bool cells_fill(const struct table *table, struct rf_arena *arena, struct rf_regex *regex)
{
    const size_t row = (size_t)1 << regex->class_shift;
    uint16_t *const next = rf_arena_push_zero(arena, regex->states * row, sizeof *next, TABLE_ALIGN);
    if (next == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < table->blocks; i++) {
        const uint32_t block = table->order[i];
        for (uint32_t class = 0; class < regex->classes; class ++) {
            next[table->number[block] * row + class] = table->number[block_next(table, block, table->class_row[class])];
        }
    }
    for (uint32_t class = 0; class < regex->classes; class ++) {
        next[regex->match * row + class] = (uint16_t)regex->match;
        next[regex->dead * row + class] = (uint16_t)regex->dead;
    }
    regex->next = next;
    return true;
}

static void skip_find(struct rf_regex *regex)
{
    uint32_t count = 0;
    if (regex->start >= regex->match) {
        return;
    }
    for (uint32_t byte = 0; byte < BYTE_VALUES; byte++) {
        if (regex->next[(regex->start << regex->class_shift) + regex->class_of[byte]] != regex->start) {
            if (count == RF_REGEX_SKIP_BYTES_MAX) {
                return;
            }
            regex->skip_byte[count++] = (uint8_t)byte;
        }
    }
    regex->skip_bytes = (uint8_t)count;
}

bool rf_dfa_finish(const struct rf_dfa *dfa, const uint16_t *block, uint32_t blocks, struct rf_arena *scratch,
                   struct rf_arena *arena, struct rf_regex *regex)
{
    struct table table = {
        .dfa = dfa,
        .block = block,
        .blocks = blocks,
        .state_of = RF_PUSH(scratch, uint16_t, blocks),
        .order = RF_PUSH(scratch, uint16_t, blocks),
        .number = RF_PUSH(scratch, uint16_t, blocks),
        .is_met = RF_PUSH(scratch, uint8_t, blocks),
        .column = RF_PUSH(scratch, uint64_t, dfa->intervals),
        .class_row = RF_PUSH(scratch, uint16_t, dfa->intervals),
    };
    if (table.state_of == NULL || table.order == NULL || table.number == NULL || table.is_met == NULL ||
        table.column == NULL || table.class_row == NULL) {
        return false;
    }
    for (uint32_t state = 0; state < dfa->states; state++) {
        table.state_of[block[state]] = (uint16_t)state;
    }
    regex->kind = RF_REGEX_DFA;
    blocks_order(&table);
    blocks_number(&table, regex);
    classes_find(&table, regex);
    if (!cells_fill(&table, arena, regex)) {
        return false;
    }
    skip_find(regex);
    return true;
}
