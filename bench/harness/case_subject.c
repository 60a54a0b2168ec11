/* NA-*: subjects against many patterns, after the benchmark that NATS publishes for filtered consumers: groups of six
 * patterns of five tokens, one literal and five with one *, and a subject of eight tokens that matches none. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "bench.h"
#include "gen_text.h"
#include "subject_set.h"

enum { SUBJECTS = 4096, TEXT_BYTES = 64, TOKENS_MAX = 8, SET_MAX = 100000, CALLS = 1 << 16 };

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
    struct rf_str subject[SUBJECTS];
    char subject_text[SUBJECTS][TEXT_BYTES];
    uint32_t subjects;
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

static bool linear_run(void *context, struct outcome *outcome)
{
    const struct work *work = context;
    for (uint32_t call = 0; call < CALLS; call++) {
        struct token token[TOKENS_MAX];
        const uint32_t tokens = split(work->subject[call % work->subjects], token);
        for (uint32_t p = 0; p < work->patterns; p++) {
            const struct pattern *pattern = &work->split[p];
            uint32_t t = 0;
            if (pattern->tokens != tokens) {
                /* As the published loop does, which finds the difference in length last. */
                const uint32_t common = pattern->tokens < tokens ? pattern->tokens : tokens;
                while (t < common && (pattern->token[t].is_star ||
                                      (pattern->token[t].count == token[t].count &&
                                       memcmp(pattern->token[t].data, token[t].data, token[t].count) == 0))) {
                    t++;
                }
                __asm__ volatile("" : : "r"(t)); /* it has been looked at */
                continue;
            }
            while (t < tokens && (pattern->token[t].is_star ||
                                  (pattern->token[t].count == token[t].count &&
                                   memcmp(pattern->token[t].data, token[t].data, token[t].count) == 0))) {
                t++;
            }
            if (t == tokens) {
                outcome->selected++;
                outcome->digest += p;
            }
        }
    }
    return true;
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
    for (uint32_t call = 0; call < CALLS; call++) {
        struct token token[TOKENS_MAX];
        const uint32_t tokens = split(work->subject[call % work->subjects], token);
        uint32_t now[2][512];
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

static bool set_run(void *context, struct outcome *outcome)
{
    const struct work *work = context;
    for (uint32_t call = 0; call < CALLS; call++) {
        const uint32_t count =
            rf_subject_set_all(work->set, work->subject[call % work->subjects], work->scratch, work->match);
        outcome->selected += count;
        for (uint32_t i = 0; i < count; i++) {
            outcome->digest += work->match[i];
        }
    }
    return true;
}

/* ---- Work ---- */

/* matches: one subject of eight matches a pattern; else the published one alone. */
static struct work *work_make(uint32_t patterns, bool has_matches)
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
    work->text = calloc(patterns, sizeof *work->text);
    work->pattern = calloc(patterns, sizeof *work->pattern);
    work->match = calloc(patterns, sizeof *work->match);
    work->next = calloc(patterns, sizeof *work->next);
    work->split = calloc(patterns, sizeof *work->split);
    work->node = calloc((size_t)patterns * 5 + 1, sizeof *work->node);
    work->cell = calloc(work->cells, sizeof *work->cell);
    if (work->text == NULL || work->pattern == NULL || work->match == NULL || work->next == NULL || work->split == NULL ||
        work->node == NULL || work->cell == NULL) {
        return NULL;
    }
    work->nodes = 1;
    work->node[0].parent = UINT32_MAX;
    char id[32] = "";
    for (uint32_t p = 0; p < patterns; p++) {
        const char *token[5] = {"foo", "bar", id, "xyz", "abcdef"};
        if (p % 6 == 0) {
            id_make(&random, id);
        } else {
            token[p % 6 - 1] = "*";
            /* Without the id the pattern is the same in each group: where matches are named, one subject would have a sixth
             * of all. */
            token[0] = has_matches && p % 6 == 3 ? id : token[0];
        }
        const int count = snprintf(work->text[p], TEXT_BYTES, "%s.%s.%s.%s.%s", token[0], token[1], token[2], token[3],
                                   token[4]);
        work->pattern[p] = (struct rf_str){work->text[p], (size_t)count};
        work->split[p].tokens = split(work->pattern[p], work->split[p].token);
        trie_add(work, p);
    }
    work->subjects = has_matches ? SUBJECTS : 1;
    for (uint32_t s = 0; s < work->subjects; s++) {
        const uint32_t like = gen_below(&random, patterns) / 6 * 6; /* the literal one of its group */
        const char *text = s % 8 == 7 ? work->text[like] : "foo.bar.do.not.match.any.filter.subject";
        const int count = snprintf(work->subject_text[s], TEXT_BYTES, "%s", text);
        work->subject[s] = (struct rf_str){work->subject_text[s], (size_t)count};
    }
    rf_arena_init(&work->arena, SIZE_MAX / 4);
    if (rf_subject_set_make(&work->set, work->pattern, patterns, &work->arena, &failed, &err) != RF_OK) {
        fprintf(stderr, "riffle-bench: subjects: %s\n", err.text);
        return NULL;
    }
    work->scratch = aligned_alloc(64, (rf_subject_set_scratch(work->set) + 63) / 64 * 64);
    return work->scratch == NULL ? NULL : work;
}

bool case_subject(struct bench *bench)
{
    static const uint32_t sizes[] = {1, 16, 128, 1024};
    static struct measurement m;
    bool is_good = true;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (int has_matches = 0; has_matches < 2; has_matches++) {
            struct work *work = work_make(sizes[i], has_matches != 0);
            char title[200];
            if (work == NULL) {
                return false;
            }
            (void)snprintf(title, sizeof title, "NA-%" PRIu32 "%s  a subject against %" PRIu32 " patterns, all that match named%s",
                           sizes[i], has_matches ? "m" : "", sizes[i],
                           has_matches ? "; one subject in eight matches" : "; the published subject, which matches none");
            measurement_open(&m, title, 0, CALLS, bench->laps);
            m.baseline = "linear";
            measurement_add(&m, "riffle", "riffle, rf_subject_set_all", set_run, work);
            measurement_add(&m, "linear", "linear: split once, each pattern by token", linear_run, work);
            measurement_add(&m, "trie", "trie on hashed tokens", trie_run, work);
            if (sizes[i] == 1024) {
                measurement_add_goal(&m, "riffle", "linear", 100, 300);
                measurement_add_goal(&m, "riffle", "trie", 1.8, 2.2);
            }
            is_good = measurement_run(&m) && is_good;
        }
    }
    return is_good;
}

bool case_subject_batch(struct bench *bench)
{
    static struct measurement m;
    static struct work *work[3];
    static const uint32_t sizes[] = {1000, 10000, SET_MAX};
    static const char *const name[] = {"1,000 patterns", "10,000 patterns", "100,000 patterns"};
    for (int i = 0; i < 3; i++) {
        if (work[i] == NULL && (work[i] = work_make(sizes[i], true)) == NULL) {
            return false;
        }
    }
    measurement_open(&m, "NA-batch  subjects, one in eight of which matches, against 1,000 to 100,000 patterns", 0, CALLS,
                     bench->laps);
    m.baseline = name[0];
    for (int i = 0; i < 3; i++) {
        measurement_add_other(&m, name[i], name[i], set_run, work[i]);
    }
    measurement_add_ceiling(&m, name[2], name[0], 4, 3);
    return measurement_run(&m);
}
