#include "subject_set.h"

#include "subject.h"
#include "subject_forms.h"

enum {
    TEXTS_MAX = 1u << 31,              /* bytes of all patterns: entries refer to them by 32 bits */
    ROW_WORDS_MAX = 4 * 1024 * 1024,   /* of the bits form: 32 MiB */
    SORT_PLAIN_MAX = 16
};
_Static_assert((int)RF_SUBJECT_BITS_MAX <= (int)SUBJECT_BITS_MAX, "the word before a row has a bit for each of its words");
_Static_assert((int)RF_SUBJECT_TOKENS_MAX == (int)SUBJECT_LEVELS_MAX, "rows of a subject have room on the stack");

struct rf_subject_set {
    uint32_t patterns;
    bool is_trie;
    union {
        struct subject_bits bits;
        struct subject_trie trie;
    } as;
};

/* ---- Making ---- */

static enum rf_status pattern_measure(struct subject_source *source, struct rf_str pattern, size_t *bytes,
                                      struct rf_error *err)
{
    size_t at;
    const enum rf_subject_problem problem = rf_subject_pattern_check(pattern, &at);
    if (problem != RF_SUBJECT_GOOD) {
        RF_FAIL(err, RF_E_EXPR, "%s (byte %zu of '%.*s')", rf_subject_problem_text(problem), at + 1,
                pattern.count < 100 ? (int)pattern.count : 100, pattern.data);
    }
    uint32_t tokens = 1;
    for (size_t i = 0; i < pattern.count && tokens <= RF_SUBJECT_TOKENS_MAX; i++) {
        tokens += pattern.data[i] == '.';
    }
    if (tokens > RF_SUBJECT_TOKENS_MAX) {
        RF_FAIL(err, RF_E_LIMIT, "a subject pattern has at most %d tokens", RF_SUBJECT_TOKENS_MAX);
    }
    if (pattern.count > TEXTS_MAX - *bytes) {
        RF_FAIL(err, RF_E_LIMIT, "the subject patterns have more than %u bytes", TEXTS_MAX);
    }
    *bytes += pattern.count;
    source->tokens += tokens;
    source->levels = tokens > source->levels ? tokens : source->levels;
    return RF_OK;
}

/* Checks the patterns, and copies them one behind another. */
static enum rf_status patterns_take(struct subject_source *source, const struct rf_str *pattern, uint32_t *failed,
                                    struct rf_error *err)
{
    size_t bytes = 0;
    for (uint32_t p = 0; p < source->patterns; p++) {
        *failed = p;
        RF_TRY(pattern_measure(source, pattern[p], &bytes, err));
    }
    char *texts = rf_arena_push(source->arena, bytes, 1, 1);
    struct rf_str *copy = RF_PUSH(source->arena, struct rf_str, source->patterns);
    if (texts == NULL || copy == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "out of memory for %u subject patterns", source->patterns);
    }
    source->texts = texts;
    source->pattern = copy;
    for (uint32_t p = 0; p < source->patterns; p++) {
        memcpy(texts, pattern[p].data, pattern[p].count);
        copy[p] = (struct rf_str){texts, pattern[p].count};
        texts += pattern[p].count;
    }
    return RF_OK;
}

enum rf_status rf_subject_set_make(struct rf_subject_set **out, const struct rf_str *pattern, uint32_t count,
                                   struct rf_arena *arena, uint32_t *failed, struct rf_error *err)
{
    if (count > RF_SUBJECT_PATTERNS_MAX) {
        RF_FAIL(err, RF_E_LIMIT, "%u subject patterns are more than %d", count, RF_SUBJECT_PATTERNS_MAX);
    }
    struct subject_source source = {.patterns = count, .arena = arena};
    RF_TRY(patterns_take(&source, pattern, failed, err));
    struct rf_subject_set *set = RF_PUSH(arena, struct rf_subject_set, 1);
    if (set == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "out of memory for a set of subject patterns");
    }
    set->patterns = count;
    const uint64_t rows = (uint64_t)source.tokens + 3 * (uint64_t)source.levels + 2;
    set->is_trie = count > RF_SUBJECT_BITS_MAX || rows * (1 + (count + 63) / 64) > ROW_WORDS_MAX;
    if (set->is_trie ? !subject_trie_make(&set->as.trie, &source) : !subject_bits_make(&set->as.bits, &source)) {
        RF_FAIL(err, RF_E_MEMORY, "out of memory for %u subject patterns", count);
    }
    *out = set;
    return RF_OK;
}

/* ---- Matching ---- */

static size_t bitmap_bytes(const struct rf_subject_set *set)
{
    return ((size_t)set->patterns + 63) / 64 * sizeof(uint64_t);
}

size_t rf_subject_set_scratch(const struct rf_subject_set *set)
{
    return bitmap_bytes(set) + (set->is_trie ? 2 * (size_t)set->as.trie.widest * sizeof(uint32_t) : 0) + 64;
}

static uint32_t set_match(const struct rf_subject_set *set, struct rf_str subject, void *scratch, uint32_t *match)
{
    subject.data = subject.data == NULL ? "" : subject.data;
    return set->is_trie ? subject_trie_match(&set->as.trie, subject, (uint32_t *)((char *)scratch + bitmap_bytes(set)), match)
                        : subject_bits_match(&set->as.bits, subject, match);
}

bool rf_subject_set_any(const struct rf_subject_set *set, struct rf_str subject, void *scratch)
{
    return set_match(set, subject, scratch, NULL) != 0;
}

/* Few are sorted by insertion. Many are marked and read off again, since qsort may take memory and that of a hundred thousand time. */
static void numbers_sort(uint32_t *match, uint32_t count, uint64_t *bitmap, size_t words)
{
    if (count <= SORT_PLAIN_MAX) {
        for (uint32_t i = 1; i < count; i++) {
            const uint32_t number = match[i];
            uint32_t at = i;
            for (; at > 0 && match[at - 1] > number; at--) {
                match[at] = match[at - 1];
            }
            match[at] = number;
        }
        return;
    }
    memset(bitmap, 0, words * sizeof *bitmap);
    for (uint32_t i = 0; i < count; i++) {
        bitmap[match[i] / 64] |= 1ull << (match[i] % 64);
    }
    uint32_t at = 0;
    for (size_t w = 0; w < words; w++) {
        for (uint64_t left = bitmap[w]; left != 0; left &= left - 1) {
            match[at++] = 64 * (uint32_t)w + (uint32_t)__builtin_ctzll(left);
        }
    }
}

uint32_t rf_subject_set_all(const struct rf_subject_set *set, struct rf_str subject, void *scratch, uint32_t *match)
{
    const uint32_t count = set_match(set, subject, scratch, match);
    numbers_sort(match, count, scratch, bitmap_bytes(set) / sizeof(uint64_t));
    return count;
}
