/* fuzz_subject.c: sets of subject patterns in both forms against the plain matcher, pattern by pattern.
 *
 * The first byte chooses whether lines before the empty one go round as subjects too. Lines of the rest: patterns up to an empty
 * line, subjects behind it. A line that is no pattern must be refused, by number; it is left out then.
 */
#include <stdlib.h>

#include "subject.h"
#include "subject_forms.h"
#include "subject_set.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LINES_MAX = 256 };

static struct rf_str line[LINES_MAX];
static struct rf_str pattern[LINES_MAX];

struct forms {
    struct rf_subject_set *set;
    void *scratch;
    struct subject_trie trie; /* so few patterns have it only here */
    uint32_t *nodes;
    uint32_t patterns;
};

static void require(bool is_true)
{
    if (!is_true) {
        abort();
    }
}

static uint32_t lines_split(const char *at, const char *end)
{
    uint32_t lines = 0;
    while (at < end && lines < LINES_MAX) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop == NULL ? end : stop;
        line[lines++] = (struct rf_str){at, (size_t)(stop - at)};
        at = stop + 1;
    }
    return lines;
}

static void forms_make(struct forms *forms, uint32_t patterns, struct rf_arena *arena)
{
    static struct rf_str copy[LINES_MAX];
    struct rf_error err;
    uint32_t failed;
    size_t bytes = 0;
    for (uint32_t p = 0; p < patterns; p++) {
        bytes += pattern[p].count;
    }
    char *texts = rf_arena_push(arena, bytes, 1, 1);
    require(texts != NULL);
    struct subject_source source = {.pattern = copy, .texts = texts, .patterns = patterns, .arena = arena};
    for (uint32_t p = 0; p < patterns; p++) {
        uint32_t tokens = 1;
        for (size_t i = 0; i < pattern[p].count; i++) {
            tokens += pattern[p].data[i] == '.';
        }
        memcpy(texts, pattern[p].data, pattern[p].count);
        copy[p] = (struct rf_str){texts, pattern[p].count};
        texts += pattern[p].count;
        source.tokens += tokens;
        source.levels = tokens > source.levels ? tokens : source.levels;
    }
    forms->patterns = patterns;
    require(subject_trie_make(&forms->trie, &source));
    require(rf_subject_set_make(&forms->set, pattern, patterns, arena, &failed, &err) == RF_OK);
    forms->scratch = rf_arena_push(arena, rf_subject_set_scratch(forms->set), 1, 64);
    forms->nodes = rf_arena_push(arena, 2 * (size_t)forms->trie.widest, sizeof *forms->nodes, 64);
    require(forms->scratch != NULL && forms->nodes != NULL);
}

/* A heap block as long as the text, so that a read behind it is seen. */
static void subject_check(const struct forms *forms, struct rf_str text)
{
    uint32_t found[LINES_MAX];
    uint32_t of_trie[LINES_MAX];
    bool is_match[LINES_MAX] = {false};
    char *copy = malloc(text.count == 0 ? 1 : text.count);
    require(copy != NULL);
    memcpy(copy, text.data, text.count);
    const struct rf_str subject = {copy, text.count};
    const uint32_t founds = rf_subject_set_all(forms->set, subject, forms->scratch, found);
    require(rf_subject_set_any(forms->set, subject, forms->scratch) == (founds != 0));
    require(subject_trie_match(&forms->trie, subject, forms->nodes, of_trie) == founds);
    require((subject_trie_match(&forms->trie, subject, forms->nodes, NULL) != 0) == (founds != 0));
    for (uint32_t i = 0; i < founds; i++) {
        require(!is_match[of_trie[i]]);
        is_match[of_trie[i]] = true;
    }
    uint32_t at = 0;
    for (uint32_t p = 0; p < forms->patterns; p++) {
        const bool is_found = at < founds && found[at] == p;
        require(rf_subject_match(pattern[p], subject) == is_found && is_match[p] == is_found);
        at += is_found;
    }
    require(at == founds);
    free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2) {
        return 0;
    }
    const bool goes_round = (data[0] & 1) != 0;
    const uint32_t lines = lines_split((const char *)data + 1, (const char *)data + size);
    struct rf_arena arena;
    struct rf_error err;
    struct rf_subject_set *set;
    uint32_t failed;
    uint32_t distinct = 0;
    uint32_t behind = 0;
    rf_arena_init(&arena, 256 << 20);
    for (; behind < lines && line[behind].count != 0; behind++) {
        pattern[distinct] = line[behind];
        size_t at;
        const bool is_good = rf_subject_pattern_check(line[behind], &at) == RF_SUBJECT_GOOD;
        const enum rf_status status = rf_subject_set_make(&set, &pattern[distinct], 1, &arena, &failed, &err);
        require(is_good ? status == RF_OK || status == RF_E_LIMIT : status == RF_E_EXPR && failed == 0);
        require(is_good || at <= line[behind].count);
        distinct += status == RF_OK;
        rf_arena_reset(&arena);
    }
    if (distinct != 0) {
        struct forms forms;
        forms_make(&forms, distinct, &arena);
        for (uint32_t i = goes_round ? 0 : behind; i < lines; i++) {
            subject_check(&forms, line[i]);
        }
    }
    rf_arena_free(&arena);
    return 0;
}
