#include <stdlib.h>

#include "subject_forms.h"

/* ---- Making ---- */

struct sorted { /* a pattern as it is sorted */
    uint64_t stars; /* the highest bit: of the first token */
    struct rf_str text;
    uint32_t number;
};

static uint64_t stars_of(struct rf_str pattern)
{
    uint64_t stars = 0;
    struct rf_str token;
    for (uint32_t level = 0; level < 64 && subject_token_take(&pattern, &token); level++) {
        stars |= (uint64_t)(subject_token_is(token, '*') || subject_token_is(token, '>')) << (63 - level);
    }
    return stars;
}

/* Those that take any token at the same levels are together, and among them those of the same tokens. */
static int sorted_compare(const void *left, const void *right)
{
    const struct sorted *a = left;
    const struct sorted *b = right;
    if (a->stars != b->stars) {
        return a->stars < b->stars ? -1 : 1;
    }
    const int order = rf_str_compare(a->text, b->text);
    return order != 0 ? order : a->number < b->number ? -1 : 1;
}

static uint64_t *row_of(const struct subject_bits *bits, uint64_t *rows, uint32_t i)
{
    return rows + (size_t)i * bits->stride;
}

/* Bit p of row i. */
static void row_mark(const struct subject_bits *bits, uint64_t *rows, uint32_t i, uint32_t p)
{
    uint64_t *row = row_of(bits, rows, i);
    row[0] |= 1ull << (p / 64);
    row[1 + p / 64] |= 1ull << (p % 64);
}

static void pattern_mark(const struct subject_bits *bits, const struct sorted *pattern, uint32_t p)
{
    struct rf_str rest = pattern->text;
    struct rf_str token;
    uint32_t level = 0;
    for (; subject_token_take(&rest, &token); level++) {
        if (subject_token_is(token, '>')) {
            for (uint32_t l = level; l < bits->levels; l++) {
                row_mark(bits, bits->tail_row, l, p);
                row_mark(bits, bits->any_row, l, p);
            }
            for (uint32_t length = level + 1; length <= bits->levels + 1; length++) {
                row_mark(bits, bits->length_row, length, p);
            }
            return;
        }
        if (subject_token_is(token, '*')) {
            row_mark(bits, bits->any_row, level, p);
        } else {
            const struct subject_token known = subject_token_of(token);
            row_mark(bits, bits->token_row, subject_table_find(&bits->table, level, &known), p);
        }
    }
    row_mark(bits, bits->length_row, level, p);
}

static bool table_make(struct subject_bits *bits, const struct subject_source *source)
{
    if (!subject_table_open(&bits->table, source->texts, source->tokens, source->arena)) {
        return false;
    }
    for (uint32_t p = 0; p < source->patterns; p++) {
        struct rf_str rest = source->pattern[p];
        struct rf_str token;
        for (uint32_t level = 0; subject_token_take(&rest, &token); level++) {
            if (!subject_token_is(token, '*') && !subject_token_is(token, '>')) {
                (void)subject_table_add(&bits->table, level, token);
            }
        }
    }
    return subject_table_seal(&bits->table, source->arena);
}

static bool rows_make(struct subject_bits *bits, const struct sorted *sorted, const struct subject_source *source)
{
    uint32_t *number = RF_PUSH(source->arena, uint32_t, source->patterns);
    const size_t stride = bits->stride;
    bits->token_row = RF_PUSH(source->arena, uint64_t, stride * bits->table.entries);
    bits->any_row = RF_PUSH(source->arena, uint64_t, stride * bits->levels);
    bits->tail_row = RF_PUSH(source->arena, uint64_t, stride * bits->levels);
    bits->length_row = RF_PUSH(source->arena, uint64_t, stride * (bits->levels + 2));
    bits->number = number;
    if (number == NULL || bits->token_row == NULL || bits->any_row == NULL || bits->tail_row == NULL ||
        bits->length_row == NULL) {
        return false;
    }
    for (uint32_t p = 0; p < source->patterns; p++) {
        number[p] = sorted[p].number;
        pattern_mark(bits, &sorted[p], p);
    }
    for (uint32_t entry = 1; entry < bits->table.entries; entry++) {
        uint64_t *row = row_of(bits, bits->token_row, entry);
        const uint64_t *any = row_of(bits, bits->any_row, bits->table.entry[entry].from);
        for (size_t w = 0; w < stride; w++) {
            row[w] |= any[w];
        }
    }
    return true;
}

bool subject_bits_make(struct subject_bits *bits, const struct subject_source *source)
{
    *bits = (struct subject_bits){.levels = source->levels, .stride = 1 + (source->patterns + 63) / 64};
    if (!table_make(bits, source)) {
        subject_table_drop(&bits->table);
        return false;
    }
    struct sorted *sorted = malloc((source->patterns + 1) * sizeof *sorted);
    if (sorted == NULL) {
        return false;
    }
    for (uint32_t p = 0; p < source->patterns; p++) {
        sorted[p] = (struct sorted){stars_of(source->pattern[p]), source->pattern[p], p};
    }
    qsort(sorted, source->patterns, sizeof *sorted, sorted_compare);
    const bool is_made = rows_make(bits, sorted, source);
    free(sorted);
    return is_made;
}

/* ---- Matching ---- */

static uint32_t word_numbers(const struct subject_bits *bits, uint32_t w, uint64_t word, uint32_t *match)
{
    uint32_t count = 0;
    for (; word != 0; word &= word - 1) {
        match[count++] = bits->number[64 * w + (uint32_t)__builtin_ctzll(word)];
    }
    return count;
}

/* The patterns that all rows have. words: which words may be other than zero. */
static uint32_t rows_match(const struct subject_bits *bits, const uint64_t *const *row, uint32_t rows, uint64_t words,
                           uint32_t *match)
{
    uint32_t count = 0;
    for (; words != 0; words &= words - 1) {
        const uint32_t w = (uint32_t)__builtin_ctzll(words);
        uint64_t word = row[0][1 + w];
        for (uint32_t i = 1; i < rows && word != 0; i++) {
            word &= row[i][1 + w];
        }
        if (word != 0 && match == NULL) {
            return 1;
        }
        count += word == 0 ? 0 : word_numbers(bits, w, word, match + count);
    }
    return count;
}

uint32_t subject_bits_match(const struct subject_bits *bits, struct rf_str subject, uint32_t *match)
{
    const uint64_t *row[SUBJECT_LEVELS_MAX + 1];
    uint32_t rows = 0;
    uint64_t words = ~0ull;
    char copy[SUBJECT_COPY_BYTES];
    struct subject_walk walk;
    struct subject_token token;
    subject_walk_begin(&walk, copy, subject);
    /* How many tokens there are rules out most patterns before one is looked at. Of a long subject it is known last. */
    const bool is_counted = walk.is_whole;
    if (is_counted) {
        const uint32_t tokens = subject_walk_tokens(&walk);
        row[rows] = row_of(bits, bits->length_row, tokens <= bits->levels ? tokens : bits->levels + 1);
        words = row[rows++][0];
    }
    uint32_t level = 0;
    for (; words != 0 && level < bits->levels && subject_walk_next(&walk, &token); level++) {
        if (token.count == 0) {
            row[rows] = row_of(bits, bits->tail_row, level);
        } else {
            const uint32_t entry = subject_table_find(&bits->table, level, &token);
            row[rows] = entry != 0 ? row_of(bits, bits->token_row, entry) : row_of(bits, bits->any_row, level);
        }
        words &= row[rows++][0];
    }
    if (words == 0) {
        return 0;
    }
    if (!is_counted) {
        row[rows] = row_of(bits, bits->length_row, walk.is_done ? level : bits->levels + 1);
        words &= row[rows++][0];
    }
    return rows_match(bits, row, rows, words, match);
}
