/* NA-*: subjects against many patterns, after the benchmark that NATS publishes for filtered consumers: groups of six
 * patterns of five tokens, one literal and five with one *, and a subject of eight tokens that matches none. The published
 * figures are of one cold call each; here every side is warm. NA-batch has a million distinct subjects. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "bench.h"
#include "gen_text.h"
#include "subject_set.h"

enum {
    SUBJECTS = 4096, /* of NA; all that is asked stays in the cache */
    CALLS = 1 << 16, /* of NA: subjects are asked again and again */
    BATCH_SUBJECTS = 1000000,
    TEXT_BYTES = 64,
    TOKENS_MAX = 8,
    FRONT_MAX = 1 << TOKENS_MAX, /* nodes of a trie that a subject of so many tokens can be at */
    LINEAR_CALLS = 1000          /* of the million, for the count alone: a lap of all would take minutes */
};

/* What the subjects of a work are. */
enum shape { SHAPE_PUBLISHED, SHAPE_EIGHTH, SHAPE_BATCH };

struct token {
    const char *data;
    uint32_t count;
    bool is_star;
};

struct pattern {
    uint32_t tokens;
    struct token token[TOKENS_MAX];
};

/* A trie whose children are found by the hash of a token: how a server keeps many subscriptions. */
struct trie_node {
    uint64_t hash; /* of the token that leads here; with the parent the key */
    uint32_t parent;
    uint32_t star;
    uint32_t end; /* 1 + the last pattern; those before through next */
};

struct work {
    uint32_t patterns;
    char (*text)[TEXT_BYTES];
    struct rf_str *pattern;
    char (*subject_text)[TEXT_BYTES];
    struct rf_str *subject;
    uint32_t subjects; /* a power of two, or as many as calls */
    uint32_t calls;
    struct rf_arena arena;
    struct rf_subject_set *set;
    void *scratch;
    uint32_t *match;
    struct pattern *split;     /* the linear peer */
    struct trie_node *node;    /* [nodes] the trie peer */
    uint32_t *cell;            /* [cells] node + 1, by hash */
    uint32_t nodes, cells;
    uint32_t *next; /* [patterns] of the same node */
};

static struct rf_str subject_of(const struct work *work, uint32_t call)
{
    return work->subject[work->calls == work->subjects ? call : call & (work->subjects - 1)];
}

static void id_make(struct rf_gen *random, char *out)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    for (int i = 0; i < 22; i++) {
        out[i] = letters[gen_below(random, sizeof letters - 1)];
    }
    out[22] = '\0';
}

static uint32_t split(struct rf_str text, struct token *token)
{
    uint32_t tokens = 0;
    const char *begin = text.data;
    const char *end = text.data + text.count;
    while (tokens < TOKENS_MAX) {
        const char *dot = memchr(begin, '.', (size_t)(end - begin));
        const char *stop = dot == NULL ? end : dot;
        token[tokens++] = (struct token){begin, (uint32_t)(stop - begin), stop - begin == 1 && *begin == '*'};
        if (dot == NULL) {
            break;
        }
        begin = dot + 1;
    }
    return tokens;
}

/* ---- The linear peer: the subject is split once, then each pattern token by token ---- */

static bool linear_is_match(const struct pattern *pattern, const struct token *token, uint32_t tokens)
{
    /* As the published loop, which finds a difference in length last. */
    const uint32_t common = pattern->tokens < tokens ? pattern->tokens : tokens;
    for (uint32_t t = 0; t < common; t++) {
        const struct token *wanted = &pattern->token[t];
        if (!wanted->is_star &&
            (wanted->count != token[t].count || memcmp(wanted->data, token[t].data, wanted->count) != 0)) {
            return false;
        }
    }
    return pattern->tokens == tokens;
}

static bool linear_calls(const struct work *work, uint32_t calls, struct outcome *outcome)
{
    for (uint32_t call = 0; call < calls; call++) {
        struct token token[TOKENS_MAX];
        const uint32_t tokens = split(subject_of(work, call), token);
        for (uint32_t p = 0; p < work->patterns; p++) {
            if (linear_is_match(&work->split[p], token, tokens)) {
                outcome->selected++;
                outcome->digest += p;
            }
        }
    }
    return true;
}

static bool linear_run(void *context, struct outcome *outcome)
{
    const struct work *work = context;
    return linear_calls(work, work->calls, outcome);
}

/* ---- The trie peer ---- */

static uint64_t token_hash(const struct token *token)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (uint32_t i = 0; i < token->count; i++) {
        hash = (hash ^ (uint8_t)token->data[i]) * 0x100000001b3u;
    }
    return hash;
}

static uint32_t *trie_cell(const struct work *work, uint32_t parent, uint64_t hash)
{
    uint32_t at = (uint32_t)((hash ^ parent * 0x9e3779b97f4a7c15u) >> 20) & (work->cells - 1);
    while (work->cell[at] != 0 &&
           (work->node[work->cell[at] - 1].parent != parent || work->node[work->cell[at] - 1].hash != hash)) {
        at = (at + 1) & (work->cells - 1);
    }
    return &work->cell[at];
}

static void trie_add(struct work *work, uint32_t p)
{
    uint32_t at = 0;
    for (uint32_t t = 0; t < work->split[p].tokens; t++) {
        const struct token *token = &work->split[p].token[t];
        if (token->is_star) {
            if (work->node[at].star == 0) {
                work->node[work->nodes] = (struct trie_node){.parent = UINT32_MAX};
                work->node[at].star = work->nodes++;
            }
            at = work->node[at].star;
            continue;
        }
        uint32_t *cell = trie_cell(work, at, token_hash(token));
        if (*cell == 0) {
            work->node[work->nodes] = (struct trie_node){.hash = token_hash(token), .parent = at};
            *cell = ++work->nodes;
        }
        at = *cell - 1;
    }
    work->next[p] = work->node[at].end;
    work->node[at].end = p + 1;
}

static bool trie_run(void *context, struct outcome *outcome)
{
    const struct work *work = context;
    for (uint32_t call = 0; call < work->calls; call++) {
        struct token token[TOKENS_MAX];
        const uint32_t tokens = split(subject_of(work, call), token);
        uint32_t now[2][FRONT_MAX];
        uint32_t nows = 1;
        uint32_t turn = 0;
        now[0][0] = 0;
        for (uint32_t t = 0; t < tokens && nows != 0; t++, turn ^= 1) {
            const uint64_t hash = token_hash(&token[t]);
            uint32_t thens = 0;
            for (uint32_t i = 0; i < nows; i++) {
                const uint32_t at = now[turn][i];
                const uint32_t child = *trie_cell(work, at, hash);
                if (work->node[at].star != 0) {
                    now[turn ^ 1][thens++] = work->node[at].star;
                }
                if (child != 0) {
                    now[turn ^ 1][thens++] = child - 1;
                }
            }
            nows = thens;
        }
        for (uint32_t i = 0; i < nows; i++) {
            for (uint32_t p = work->node[now[turn][i]].end; p != 0; p = work->next[p - 1]) {
                outcome->selected++;
                outcome->digest += p - 1;
            }
        }
    }
    return true;
}

/* ---- riffle ---- */

static bool set_calls(const struct work *work, uint32_t calls, struct outcome *outcome)
{
    for (uint32_t call = 0; call < calls; call++) {
        const uint32_t count =
            rf_subject_set_all(work->set, subject_of(work, call), work->scratch, work->match);
        outcome->selected += count;
        for (uint32_t i = 0; i < count; i++) {
            outcome->digest += work->match[i];
        }
    }
    return true;
}

static bool set_run(void *context, struct outcome *outcome)
{
    const struct work *work = context;
    return set_calls(work, work->calls, outcome);
}

/* ---- Work ---- */

static void patterns_make(struct work *work, enum shape shape, struct rf_gen *random)
{
    char id[32] = "";
    for (uint32_t p = 0; p < work->patterns; p++) {
        const char *token[5] = {"foo", "bar", id, "xyz", "abcdef"};
        if (p % 6 == 0) {
            id_make(random, id);
        } else {
            token[p % 6 - 1] = "*";
            /* Without the id the pattern is the same in each group: where matches are named, one subject would have a sixth
             * of all. */
            token[0] = shape != SHAPE_PUBLISHED && p % 6 == 3 ? id : token[0];
        }
        const int count = snprintf(work->text[p], TEXT_BYTES, "%s.%s.%s.%s.%s", token[0], token[1], token[2], token[3],
                                   token[4]);
        work->pattern[p] = (struct rf_str){work->text[p], (size_t)count};
        work->split[p].tokens = split(work->pattern[p], work->split[p].token);
        trie_add(work, p);
    }
}

/* A subject of its own for each number; one in eight matches a pattern. Most have as many tokens as the patterns, so that their
 * count alone rules out few. */
static int batch_subject_make(const struct work *work, uint32_t s, struct rf_gen *random, char *out)
{
    const uint32_t like = gen_below(random, work->patterns) / 6 * 6;
    const struct token *id = &work->split[like].token[2];
    char other[32];
    switch (s % 8) {
    case 0:
        return snprintf(out, TEXT_BYTES, "foo.bar.%.*s.%" PRIu32 ".abcdef", (int)id->count, id->data, s);
    case 1: /* far along with a pattern, and then not */
        return snprintf(out, TEXT_BYTES, "foo.bar.%.*s.%" PRIu32 ".no", (int)id->count, id->data, s);
    case 2:
    case 3:
        id_make(random, other);
        return snprintf(out, TEXT_BYTES, "foo.bar.%s.xyz.%" PRIu32, other, s);
    case 4:
    case 5:
        return snprintf(out, TEXT_BYTES, "foo.bar.do.not.%" PRIu32, s);
    default:
        return snprintf(out, TEXT_BYTES, "orders.%" PRIu32 ".filled", s);
    }
}

static void subjects_make(struct work *work, enum shape shape, struct rf_gen *random)
{
    for (uint32_t s = 0; s < work->subjects; s++) {
        char *out = work->subject_text[s];
        int count;
        if (shape == SHAPE_BATCH) {
            count = batch_subject_make(work, s, random, out);
        } else {
            const uint32_t like = gen_below(random, work->patterns) / 6 * 6; /* the literal one of its group */
            const bool is_match = shape == SHAPE_EIGHTH && s % 8 == 7;
            /* Without a match half have as many tokens as the patterns: the published one is ruled out by its count. */
            const char *other = shape == SHAPE_EIGHTH && s % 2 == 0 ? "foo.bar.do.not.match"
                                                                    : "foo.bar.do.not.match.any.filter.subject";
            count = snprintf(out, TEXT_BYTES, "%s", is_match ? work->text[like] : other);
        }
        work->subject[s] = (struct rf_str){out, (size_t)count};
    }
}

static struct work *work_make(uint32_t patterns, enum shape shape)
{
    struct rf_gen random;
    struct rf_error err;
    uint32_t failed;
    struct work *work = calloc(1, sizeof *work);
    if (work == NULL) {
        return NULL;
    }
    rf_gen_open(&random, RF_GEN_TRADES, 21, 0, 0);
    work->patterns = patterns;
    work->cells = 16;
    while (work->cells < 16 * patterns) {
        work->cells *= 2;
    }
    work->subjects = shape == SHAPE_BATCH ? BATCH_SUBJECTS : shape == SHAPE_EIGHTH ? SUBJECTS : 1;
    work->calls = shape == SHAPE_BATCH ? BATCH_SUBJECTS : CALLS;
    work->text = calloc(patterns, sizeof *work->text);
    work->pattern = calloc(patterns, sizeof *work->pattern);
    work->match = calloc(patterns, sizeof *work->match);
    work->next = calloc(patterns, sizeof *work->next);
    work->split = calloc(patterns, sizeof *work->split);
    work->node = calloc((size_t)patterns * 5 + 1, sizeof *work->node);
    work->cell = calloc(work->cells, sizeof *work->cell);
    work->subject = calloc(work->subjects, sizeof *work->subject);
    work->subject_text = calloc(work->subjects, sizeof *work->subject_text);
    if (work->text == NULL || work->pattern == NULL || work->match == NULL || work->next == NULL || work->split == NULL ||
        work->node == NULL || work->cell == NULL || work->subject == NULL || work->subject_text == NULL) {
        return NULL;
    }
    work->nodes = 1;
    work->node[0].parent = UINT32_MAX;
    patterns_make(work, shape, &random);
    subjects_make(work, shape, &random);
    rf_arena_init(&work->arena, SIZE_MAX / 4);
    if (rf_subject_set_make(&work->set, work->pattern, patterns, &work->arena, &failed, &err) != RF_OK) {
        fprintf(stderr, "riffle-bench: subjects: %s\n", err.text);
        return NULL;
    }
    work->scratch = aligned_alloc(64, (rf_subject_set_scratch(work->set) + 63) / 64 * 64);
    return work->scratch == NULL ? NULL : work;
}

/* ---- Cases ---- */

static bool size_measure(struct measurement *m, struct work *work, enum shape shape, uint32_t laps)
{
    char title[200];
    (void)snprintf(title, sizeof title, "NA-%" PRIu32 "%s  a subject against %" PRIu32 " patterns, all that match named%s",
                   work->patterns, shape == SHAPE_EIGHTH ? "m" : "", work->patterns,
                   shape == SHAPE_EIGHTH ? "; one subject in eight matches"
                                         : "; the published subject, which matches none");
    measurement_open(m, title, 0, work->calls, laps);
    m->baseline = "linear";
    measurement_add(m, "riffle", "riffle, rf_subject_set_all", set_run, work);
    measurement_add(m, "linear", "linear: split once, each pattern by token", linear_run, work);
    measurement_add(m, "trie", "trie on hashed tokens", trie_run, work);
    if (work->patterns == 1024) {
        measurement_add_goal(m, "riffle", "linear", 100, 300);
        measurement_add_goal(m, "riffle", "trie", 1.8, 2.2);
    }
    return measurement_run(m);
}

bool case_subject(struct bench *bench)
{
    enum { SIZES = 11, SIZE_FLAT = 4 /* 16 patterns */ };
    static struct measurement m;
    for (enum shape shape = SHAPE_PUBLISHED; shape <= SHAPE_EIGHTH; shape++) {
        struct work *work[SIZES];
        for (uint32_t i = 0; i < SIZES; i++) {
            work[i] = work_make(1u << i, shape);
            if (work[i] == NULL || !size_measure(&m, work[i], shape, bench->laps)) {
                return false;
            }
        }
        measurement_open(&m, "NA-flat  16 patterns against 1,024", 0, CALLS, bench->laps);
        measurement_add_other(&m, "16", "riffle, 16 patterns", set_run, work[SIZE_FLAT]);
        measurement_add_other(&m, "1024", "riffle, 1,024 patterns", set_run, work[SIZES - 1]);
        measurement_add_ceiling(&m, "1024", "16", 2, 1.5);
        if (!measurement_run(&m)) {
            return false;
        }
    }
    return true;
}

bool case_subject_batch(struct bench *bench)
{
    enum { SIZES = 3 };
    static const uint32_t sizes[SIZES] = {1000, 10000, 100000};
    static const char *const name[SIZES] = {"riffle, 1,000 patterns", "riffle, 10,000 patterns", "riffle, 100,000 patterns"};
    static const char *const trie_name[SIZES] = {"trie, 1,000 patterns", "trie, 10,000 patterns", "trie, 100,000 patterns"};
    static struct measurement m;
    static struct work *work[SIZES];
    for (int i = 0; i < SIZES; i++) {
        struct outcome mine = {0}, linear = {0}, all = {0}, trie = {0};
        if (work[i] == NULL && (work[i] = work_make(sizes[i], SHAPE_BATCH)) == NULL) {
            return false;
        }
        if (!set_calls(work[i], LINEAR_CALLS, &mine) || !linear_calls(work[i], LINEAR_CALLS, &linear) ||
            !set_run(work[i], &all) || !trie_run(work[i], &trie)) {
            return false;
        }
        if (mine.selected != linear.selected || mine.digest != linear.digest || all.selected != trie.selected ||
            all.digest != trie.digest) {
            printf("NA-batch  DIFFERENT: %s finds %" PRIu64 ", linear %" PRIu64 "; of all subjects %" PRIu64
                   ", the trie %" PRIu64 "\n",
                   name[i], mine.selected, linear.selected, all.selected, trie.selected);
            return false;
        }
    }
    measurement_open(&m, "NA-batch  a million distinct subjects, one in eight of which matches, against 1,000 to 100,000 patterns",
                     0, BATCH_SUBJECTS, bench->laps);
    m.baseline = name[0];
    for (int i = 0; i < SIZES; i++) {
        measurement_add_other(&m, name[i], name[i], set_run, work[i]);
        measurement_add_other(&m, trie_name[i], trie_name[i], trie_run, work[i]);
    }
    measurement_add_ceiling(&m, name[2], name[0], 4, 3);
    return measurement_run(&m);
}
