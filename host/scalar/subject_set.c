#include "subject_set.h"

#include <stdlib.h>

#include "subject.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum {
    TOKEN_NONE = 0, /* a token that no pattern has */
    NODE_NONE = 0,
    WORDS_MAX = RF_SUBJECT_BITS_MAX / 64,
    BITS_TOKENS_MAX = 32 * 1024,       /* sets of 256 bytes: 8 MiB */
    BITS_PLACES_MAX = 1024 * 1024      /* of set_of: 4 MiB */
};

struct token_cell {
    uint64_t hash; /* 0: free */
    uint64_t head;
    const char *data;
    uint32_t token;
    uint32_t count;
}; /* two of them are a line of the cache */

struct edge_cell { /* of the trie: from a node by a token */
    uint32_t node;  /* NODE_NONE: free */
    uint32_t token;
    uint32_t to;
};

struct node {
    uint32_t star;   /* NODE_NONE: none */
    uint32_t ends;   /* 1 + the first pattern that ends here; others follow in `next` */
    uint32_t tails;  /* the same for patterns that go on with > */
    uint32_t edges;  /* how many children by token */
};

struct rf_subject_set {
    struct rf_arena *arena;
    uint32_t patterns;
    uint32_t levels; /* tokens of the longest pattern, > not counted */
    struct token_cell *token;
    uint32_t token_cells; /* a power of two */
    uint32_t tokens;      /* with TOKEN_NONE */
    bool is_trie;
    /* bits */
    uint32_t words;
    uint32_t *set_of;    /* [levels][tokens] number of the set; 0: that of any other token */
    uint64_t *sets;      /* [..][words] */
    uint64_t *any_token; /* [levels][words] patterns that take any token there */
    uint64_t *tail;      /* [levels + 1][words] patterns whose > stands at this level or before */
    uint64_t *length;    /* [levels + 2][words] patterns that take so many tokens; the last: more */
    /* trie */
    struct node *node;
    uint32_t nodes;
    struct edge_cell *edge;
    uint32_t edge_cells;
    uint32_t *next;  /* [patterns] 1 + the next of its list */
    uint32_t widest; /* most nodes of one level */
};

/* ---- Tokens ---- */

/* A token as it is looked up: its first eight bytes as a number, zero behind its end. */
struct token {
    const char *data;
    size_t count;
    uint64_t head;
};

static uint64_t head_of(const char *data, size_t count)
{
    uint64_t head = 0;
    memcpy(&head, data, count < sizeof head ? count : sizeof head);
    return head;
}

/* Tokens come from outside, but a search that grows long only costs time in the one set whose patterns were made for it. */
static uint64_t token_hash(const struct token *token)
{
    uint64_t hash = (token->head ^ token->count) * 0x9e3779b97f4a7c15u;
    for (size_t at = 8; at < token->count; at += 8) {
        hash = (hash ^ hash >> 32 ^ head_of(token->data + at, token->count - at)) * 0xff51afd7ed558ccdu;
    }
    return (hash ^ hash >> 29) | 1;
}

/* The cell of a token, or the free one where it would be. */
static struct token_cell *token_cell(const struct rf_subject_set *set, const struct token *token, uint64_t hash)
{
    uint32_t at = (uint32_t)(hash >> 20) & (set->token_cells - 1);
    for (;; at = (at + 1) & (set->token_cells - 1)) {
        struct token_cell *cell = &set->token[at];
        if (cell->hash == 0 ||
            (cell->hash == hash && cell->head == token->head && cell->count == token->count &&
             (token->count <= 8 || memcmp(cell->data, token->data, token->count) == 0))) {
            return cell;
        }
    }
}

static inline uint32_t token_find(const struct rf_subject_set *set, const struct token *token)
{
    return token_cell(set, token, token_hash(token))->token;
}

static struct token token_of(struct rf_str text)
{
    return (struct token){text.data, text.count, head_of(text.data, text.count)};
}

/* What is left of a subject. Most are short: their dots are marked at once. */
enum { SHORT_BYTES = 64, CHUNK_BYTES = 16 };

struct walk {
    const char *begin; /* of the subject */
    const char *at;    /* of the next token */
    const char *end;
    uint64_t dots; /* of a short one: bit i is byte i */
    bool is_short, is_done;
};

/* Bit i: byte i of sixteen is a dot. */
static inline uint64_t dots_of(const char *chunk)
{
#ifdef __SSE2__
    const __m128i bytes = _mm_loadu_si128((const void *)chunk);
    return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('.')));
#else
    uint64_t dots = 0;
    for (int i = 0; i < CHUNK_BYTES; i++) {
        dots |= (uint64_t)(chunk[i] == '.') << i;
    }
    return dots;
#endif
}

static void walk_begin(struct walk *walk, struct rf_str subject)
{
    *walk = (struct walk){.begin = subject.data,
                          .at = subject.data,
                          .end = subject.data + subject.count,
                          .is_short = subject.count >= CHUNK_BYTES && subject.count <= SHORT_BYTES};
    if (!walk->is_short) {
        return;
    }
    /* The last chunk ends with the subject and may look at some bytes again. */
    const size_t last = subject.count - CHUNK_BYTES;
    for (size_t i = 0; i < last; i += CHUNK_BYTES) {
        walk->dots |= dots_of(subject.data + i) << i;
    }
    walk->dots |= dots_of(subject.data + last) << last;
}

/* Takes the token before the next dot; false behind the last one. */
static inline bool walk_next(struct walk *walk, struct token *token)
{
    if (walk->is_done) {
        return false;
    }
    if (!walk->is_short) {
        const char *dot = walk->at == walk->end ? NULL : memchr(walk->at, '.', (size_t)(walk->end - walk->at));
        walk->is_done = dot == NULL;
        *token = token_of((struct rf_str){walk->at, (size_t)((dot == NULL ? walk->end : dot) - walk->at)});
        walk->at = dot == NULL ? walk->end : dot + 1;
        return true;
    }
    walk->is_done = walk->dots == 0;
    const char *stop = walk->is_done ? walk->end : walk->begin + __builtin_ctzll(walk->dots);
    const size_t count = (size_t)(stop - walk->at);
    const size_t left = (size_t)(walk->end - walk->at);
    uint64_t head;
    /* Eight bytes that are all of the subject's: near its end the last eight, of which those before the token are shifted out. */
    memcpy(&head, left >= 8 ? walk->at : walk->end - 8, sizeof head);
    head >>= left >= 8 ? 0 : 8 * (8 - left) & 63;
    head &= count >= 8 ? ~0ull : (1ull << (8 * count)) - 1;
    *token = (struct token){walk->at, count, head};
    walk->dots &= walk->dots - 1;
    walk->at = stop + 1;
    return true;
}

static uint32_t token_add(struct rf_subject_set *set, struct rf_str text)
{
    const struct token token = token_of(text);
    const uint64_t hash = token_hash(&token);
    struct token_cell *cell = token_cell(set, &token, hash);
    if (cell->hash == 0) {
        *cell = (struct token_cell){.hash = hash,
                                    .token = set->tokens++,
                                    .count = (uint32_t)text.count,
                                    .head = token.head,
                                    .data = text.data};
    }
    return cell->token;
}

/* Of a pattern: takes the token before the next dot; false behind the last one, whose end is marked by rest->data == NULL. */
static inline bool token_take(struct rf_str *rest, struct rf_str *token)
{
    if (rest->data == NULL) {
        return false;
    }
    size_t count = 0;
    while (count < rest->count && rest->data[count] != '.') {
        count++;
    }
    *token = (struct rf_str){rest->data, count};
    *rest = count == rest->count ? (struct rf_str){NULL, 0}
                                 : (struct rf_str){rest->data + count + 1, rest->count - count - 1};
    return true;
}

static bool is_mark(struct rf_str token, char mark)
{
    return token.count == 1 && token.data[0] == mark;
}

/* ---- Bits ---- */

static void bit_set(uint64_t *bits, uint32_t i)
{
    bits[i / 64] |= 1ull << (i % 64);
}

static uint64_t *row(uint64_t *bits, const struct rf_subject_set *set, uint32_t i)
{
    return bits + (size_t)i * set->words;
}

static enum rf_status bits_make(struct rf_subject_set *set, const struct rf_str *pattern, uint32_t total,
                                struct rf_error *err)
{
    set->words = (set->patterns + 63) / 64;
    set->set_of = RF_PUSH(set->arena, uint32_t, (size_t)set->levels * set->tokens);
    set->any_token = RF_PUSH(set->arena, uint64_t, (size_t)set->levels * set->words);
    set->tail = RF_PUSH(set->arena, uint64_t, (size_t)(set->levels + 1) * set->words);
    set->length = RF_PUSH(set->arena, uint64_t, (size_t)(set->levels + 2) * set->words);
    set->sets = RF_PUSH(set->arena, uint64_t, (size_t)(total + 1) * set->words);
    if (set->set_of == NULL || set->any_token == NULL || set->tail == NULL || set->length == NULL ||
        set->sets == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "out of memory for %u subject patterns", set->patterns);
    }
    uint32_t sets = 1;
    for (uint32_t p = 0; p < set->patterns; p++) {
        struct rf_str rest = pattern[p];
        struct rf_str token;
        uint32_t level = 0;
        bool has_tail = false;
        for (; token_take(&rest, &token) && !has_tail; level += !has_tail) {
            has_tail = is_mark(token, '>');
            if (has_tail) {
                continue;
            }
            if (is_mark(token, '*')) {
                bit_set(row(set->any_token, set, level), p);
                continue;
            }
            const struct token known = token_of(token);
            uint32_t *number = &set->set_of[(size_t)level * set->tokens + token_find(set, &known)];
            *number = *number != 0 ? *number : sets++;
            bit_set(row(set->sets, set, *number), p);
        }
        for (uint32_t l = level; has_tail && l <= set->levels; l++) {
            bit_set(row(set->tail, set, l), p);
            bit_set(row(set->length, set, l + 1), p);
            if (l < set->levels) {
                bit_set(row(set->any_token, set, l), p);
            }
        }
        if (!has_tail) {
            bit_set(row(set->length, set, level), p);
        }
    }
    /* A token takes what it is named by, and what takes any. */
    for (uint32_t l = 0; l < set->levels; l++) {
        for (uint32_t t = 0; t < set->tokens; t++) {
            const uint32_t number = set->set_of[(size_t)l * set->tokens + t];
            for (uint32_t w = 0; number != 0 && w < set->words; w++) {
                row(set->sets, set, number)[w] |= row(set->any_token, set, l)[w];
            }
        }
    }
    return RF_OK;
}

/* found = so_far & with; is anything left? */
static inline uint64_t bits_and(uint64_t *found, const uint64_t *so_far, const uint64_t *with, uint32_t words)
{
    uint64_t any = 0;
    for (uint32_t w = 0; w < words; w++) {
        found[w] = so_far[w] & with[w];
        any |= found[w];
    }
    return any;
}

/* The patterns left at the end; false: none, and found[] is not whole. */
static bool bits_match(const struct rf_subject_set *set, struct rf_str subject, uint64_t *found)
{
    struct walk walk;
    struct token token;
    const uint64_t *so_far = NULL;
    uint32_t level = 0;
    walk_begin(&walk, subject);
    for (; level < set->levels && walk_next(&walk, &token); level++) {
        const uint64_t *with;
        if (token.count == 0) {
            with = row(set->tail, set, level);
        } else {
            const uint32_t number = set->set_of[(size_t)level * set->tokens + token_find(set, &token)];
            with = number != 0 ? row(set->sets, set, number) : row(set->any_token, set, level);
        }
        if (so_far != NULL) {
            if (bits_and(found, so_far, with, set->words) == 0) {
                return false;
            }
            with = found;
        }
        so_far = with;
    }
    /* Behind the last level only a > goes on. An empty token is nothing to it. */
    return so_far != NULL && bits_and(found, so_far, row(set->length, set, level + !walk.is_done), set->words) != 0;
}

/* ---- Trie ---- */

static struct edge_cell *edge_cell(const struct rf_subject_set *set, uint32_t node, uint32_t token)
{
    uint64_t hash = ((uint64_t)node << 32 | token) * 0x9e3779b97f4a7c15u;
    uint32_t at = (uint32_t)(hash >> 32) & (set->edge_cells - 1);
    while (set->edge[at].node != NODE_NONE && (set->edge[at].node != node || set->edge[at].token != token)) {
        at = (at + 1) & (set->edge_cells - 1);
    }
    return &set->edge[at];
}

static uint32_t node_child(struct rf_subject_set *set, uint32_t node, struct rf_str token)
{
    if (is_mark(token, '*')) {
        if (set->node[node].star == NODE_NONE) {
            set->node[node].star = set->nodes++;
        }
        return set->node[node].star;
    }
    const struct token known = token_of(token);
    const uint32_t number = token_find(set, &known);
    struct edge_cell *cell = edge_cell(set, node, number);
    if (cell->node == NODE_NONE) {
        *cell = (struct edge_cell){node, number, set->nodes++};
        set->node[node].edges++;
    }
    return cell->to;
}

static enum rf_status trie_make(struct rf_subject_set *set, const struct rf_str *pattern, uint32_t total,
                                struct rf_error *err)
{
    set->is_trie = true;
    set->edge_cells = 16;
    while (set->edge_cells < 2 * (uint64_t)total) {
        set->edge_cells *= 2;
    }
    set->node = RF_PUSH(set->arena, struct node, (size_t)total + 2);
    set->edge = RF_PUSH(set->arena, struct edge_cell, set->edge_cells);
    set->next = RF_PUSH(set->arena, uint32_t, set->patterns);
    uint32_t *width = RF_PUSH(set->arena, uint32_t, set->levels + 1);
    if (set->node == NULL || set->edge == NULL || set->next == NULL || width == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "out of memory for %u subject patterns", set->patterns);
    }
    set->nodes = 2; /* NODE_NONE and the root */
    width[0] = 1;
    /* From the last to the first, so that lists are ascending. */
    for (uint32_t p = set->patterns; p-- > 0;) {
        struct rf_str rest = pattern[p];
        struct rf_str token;
        uint32_t node = 1;
        bool has_tail = false;
        for (uint32_t level = 1; !has_tail && token_take(&rest, &token); level++) {
            has_tail = is_mark(token, '>');
            if (!has_tail) {
                const uint32_t before = set->nodes;
                node = node_child(set, node, token);
                width[level] += set->nodes - before;
            }
        }
        uint32_t *list = has_tail ? &set->node[node].tails : &set->node[node].ends;
        set->next[p] = *list;
        *list = p + 1;
    }
    for (uint32_t l = 0; l <= set->levels; l++) {
        set->widest = width[l] > set->widest ? width[l] : set->widest;
    }
    return RF_OK;
}

static uint32_t list_take(const struct rf_subject_set *set, uint32_t list, uint32_t *match, uint32_t count)
{
    for (uint32_t p = list; p != 0; p = set->next[p - 1]) {
        match[count++] = p - 1;
    }
    return count;
}

/* match NULL: one is enough. */
static uint32_t trie_match(const struct rf_subject_set *set, struct rf_str subject, uint32_t *scratch, uint32_t *match)
{
    uint32_t *now = scratch;
    uint32_t *then = scratch + set->widest;
    uint32_t nows = 1;
    uint32_t count = 0;
    struct walk walk;
    struct token token;
    walk_begin(&walk, subject);
    now[0] = 1;
    while (nows != 0 && walk_next(&walk, &token)) {
        const uint32_t number = token.count == 0 ? TOKEN_NONE : token_find(set, &token);
        uint32_t thens = 0;
        for (uint32_t i = 0; i < nows; i++) {
            const struct node *node = &set->node[now[i]];
            if (node->tails != 0) {
                if (match == NULL) {
                    return 1;
                }
                count = list_take(set, node->tails, match, count);
            }
            if (node->star != NODE_NONE && token.count != 0) {
                then[thens++] = node->star;
            }
            if (number != TOKEN_NONE && node->edges != 0) {
                const struct edge_cell *cell = edge_cell(set, now[i], number);
                if (cell->node != NODE_NONE) {
                    then[thens++] = cell->to;
                }
            }
        }
        uint32_t *swap = now;
        now = then;
        then = swap;
        nows = thens;
    }
    for (uint32_t i = 0; walk.is_done && i < nows; i++) {
        if (match == NULL && set->node[now[i]].ends != 0) {
            return 1;
        }
        count = match == NULL ? 0 : list_take(set, set->node[now[i]].ends, match, count);
    }
    return count;
}

/* ---- Both ---- */

static enum rf_status patterns_take(struct rf_subject_set *set, const struct rf_str *pattern, struct rf_str *copy,
                                    uint32_t *total, uint32_t *failed, struct rf_error *err)
{
    for (uint32_t p = 0; p < set->patterns; p++) {
        size_t at;
        const enum rf_subject_problem problem = rf_subject_pattern_check(pattern[p], &at);
        *failed = p;
        if (problem != RF_SUBJECT_GOOD) {
            RF_FAIL(err, RF_E_EXPR, "%s (byte %zu of '%.*s')", rf_subject_problem_text(problem), at + 1,
                    pattern[p].count < 100 ? (int)pattern[p].count : 100, pattern[p].data);
        }
        uint32_t tokens = 1;
        for (size_t i = 0; i < pattern[p].count; i++) {
            tokens += pattern[p].data[i] == '.';
        }
        if (tokens > RF_SUBJECT_TOKENS_MAX) {
            RF_FAIL(err, RF_E_LIMIT, "a subject pattern has at most %d tokens", RF_SUBJECT_TOKENS_MAX);
        }
        copy[p] = rf_arena_copy(set->arena, pattern[p]);
        if (copy[p].data == NULL) {
            RF_FAIL(err, RF_E_MEMORY, "out of memory for %u subject patterns", set->patterns);
        }
        *total += tokens;
        set->levels = tokens > set->levels ? tokens : set->levels;
    }
    return RF_OK;
}

static enum rf_status set_make(struct rf_subject_set *set, const struct rf_str *pattern, uint32_t *failed,
                               struct rf_error *err)
{
    uint32_t total = 0;
    struct rf_str *copy = RF_PUSH(set->arena, struct rf_str, set->patterns);
    if (copy == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "out of memory for %u subject patterns", set->patterns);
    }
    RF_TRY(patterns_take(set, pattern, copy, &total, failed, err));
    set->token_cells = 16;
    while (set->token_cells < 2 * (uint64_t)total) {
        set->token_cells *= 2;
    }
    set->token = rf_arena_push_zero(set->arena, set->token_cells, sizeof *set->token, 64);
    if (set->token == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "out of memory for the tokens of %u subject patterns", set->patterns);
    }
    set->tokens = TOKEN_NONE + 1;
    for (uint32_t p = 0; p < set->patterns; p++) {
        struct rf_str rest = copy[p];
        struct rf_str token;
        while (token_take(&rest, &token)) {
            if (!is_mark(token, '*') && !is_mark(token, '>')) {
                (void)token_add(set, token);
            }
        }
    }
    const bool is_small = set->patterns <= RF_SUBJECT_BITS_MAX && total <= BITS_TOKENS_MAX &&
                          (uint64_t)set->levels * set->tokens <= BITS_PLACES_MAX;
    return is_small ? bits_make(set, copy, total, err) : trie_make(set, copy, total, err);
}

enum rf_status rf_subject_set_make(struct rf_subject_set **out, const struct rf_str *pattern, uint32_t count,
                                   struct rf_arena *arena, uint32_t *failed, struct rf_error *err)
{
    if (count > RF_SUBJECT_PATTERNS_MAX) {
        RF_FAIL(err, RF_E_LIMIT, "%u subject patterns are more than %d", count, RF_SUBJECT_PATTERNS_MAX);
    }
    struct rf_subject_set *set = RF_PUSH(arena, struct rf_subject_set, 1);
    if (set == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "out of memory for a set of subject patterns");
    }
    set->arena = arena;
    set->patterns = count;
    RF_TRY(set_make(set, pattern, failed, err));
    *out = set;
    return RF_OK;
}

size_t rf_subject_set_scratch(const struct rf_subject_set *set)
{
    return set->is_trie ? 2 * (size_t)set->widest * sizeof(uint32_t) + 64 : WORDS_MAX * sizeof(uint64_t);
}

bool rf_subject_set_any(const struct rf_subject_set *set, struct rf_str subject, void *scratch)
{
    subject.data = subject.data == NULL ? "" : subject.data;
    return set->is_trie ? trie_match(set, subject, scratch, NULL) != 0 : bits_match(set, subject, scratch);
}

static int number_compare(const void *left, const void *right)
{
    const uint32_t a = *(const uint32_t *)left;
    const uint32_t b = *(const uint32_t *)right;
    return a < b ? -1 : a > b;
}

uint32_t rf_subject_set_all(const struct rf_subject_set *set, struct rf_str subject, void *scratch, uint32_t *match)
{
    subject.data = subject.data == NULL ? "" : subject.data;
    uint32_t count = 0;
    if (set->is_trie) {
        count = trie_match(set, subject, scratch, match);
        if (count > 1) {
            qsort(match, count, sizeof *match, number_compare);
        }
        return count;
    }
    const uint64_t *found = scratch;
    if (!bits_match(set, subject, scratch)) {
        return 0;
    }
    for (uint32_t w = 0; w < set->words; w++) {
        for (uint64_t left = found[w]; left != 0; left &= left - 1) {
            match[count++] = 64 * w + (uint32_t)__builtin_ctzll(left);
        }
    }
    return count;
}
