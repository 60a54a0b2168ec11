/* The search of a regular expression in the texts of one member, without the engine around it: rf_regex_match_many and
 * RE2. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bitmap.h"
#include "case_expr.h"
#include "clock.h"
#include "regex.h"

static bool texts_collect(struct expr_regex *search, const struct expr_shape *shape, const struct expr_engines *engines)
{
    const struct rf_worker *worker = &engines->columns;
    const struct rf_program *program = &engines->compiled.program;
    for (uint32_t s = 0; s < program->slots; s++) {
        if (program->slot[s].is_hidden ||
            !rf_str_equal(program->node[program->slot[s].node].step.key, rf_str_of(shape->field))) {
            continue;
        }
        const struct rf_column *column = &worker->columns.slot[s];
        for (uint32_t row = 0; row < worker->rows.rows && search->texts < EXPR_TEXTS_MAX; row++) {
            if (column->tag[row] == RF_TAG_STRING_RAW || column->tag[row] == RF_TAG_STRING_ESCAPED) {
                search->text[search->texts++] = rf_column_text(&worker->columns, &worker->batch, s, row);
            }
        }
    }
    return search->texts != 0;
}

static bool searches_agree(struct expr_regex *search)
{
    rf_regex_match_many(search->regex, search->text, search->texts, search->bits);
    search->matches = rf_bitmap_count(search->bits, search->texts);
    uint64_t singly = 0;
    for (uint32_t i = 0; i < search->texts; i++) {
        singly += rf_regex_match(search->regex, search->text[i]);
    }
    bool is_same = singly == search->matches;
    for (uint32_t p = 0; p < search->peer_count; p++) {
        is_same = is_same && search->peers[p]->re2_count(search->re2[p], (const struct bench_text *)search->text,
                                                         search->texts) == search->matches;
    }
    if (!is_same) {
        fprintf(stderr, "riffle-bench: RE2 and riffle do not find the same\n");
    }
    return is_same;
}

bool expr_regex_open(struct expr_regex *search, const struct bench *bench, const struct expr_shape *shape,
                     const struct expr_engines *engines)
{
    _Static_assert(sizeof(struct bench_text) == sizeof(struct rf_str), "texts are handed to the peers as they are");
    struct rf_error err;
    size_t error_at;
    *search = (struct expr_regex){0};
    rf_arena_init(&search->arena, (size_t)64 << 20);
    search->text = malloc(EXPR_TEXTS_MAX * sizeof(search->text[0]));
    search->bits = malloc(rf_bitmap_words(EXPR_TEXTS_MAX) * sizeof(search->bits[0]));
    if (search->text == NULL || search->bits == NULL ||
        rf_regex_compile(rf_str_of(shape->pattern), &search->arena, &search->regex, &error_at, &err) != RF_OK ||
        !texts_collect(search, shape, engines)) {
        fprintf(stderr, "riffle-bench: %s: no texts for %s\n", shape->name, shape->pattern);
        return false;
    }
    for (uint32_t p = 0; p < bench->peer_count; p++) {
        if (bench->peers[p]->re2_open != NULL) {
            const uint32_t number = search->peer_count++;
            search->peers[number] = bench->peers[p];
            search->re2[number] = bench->peers[p]->re2_open(shape->pattern);
        }
    }
    return searches_agree(search);
}

void expr_regex_close(struct expr_regex *search)
{
    for (uint32_t p = 0; p < search->peer_count; p++) {
        search->peers[p]->re2_close(search->re2[p]);
    }
    rf_arena_free(&search->arena);
    free(search->text);
    free(search->bits);
    *search = (struct expr_regex){0};
}

bool expr_regex_run(void *context, uint32_t repeats, uint64_t *ns)
{
    struct expr_regex *search = context;
    const uint64_t begin_ns = rf_clock_ns();
    for (uint32_t i = 0; i < repeats; i++) {
        rf_regex_match_many(search->regex, search->text, search->texts, search->bits);
    }
    *ns = rf_clock_ns() - begin_ns;
    return rf_bitmap_count(search->bits, search->texts) == search->matches;
}

bool expr_re2_run(void *context, uint32_t repeats, uint64_t *ns)
{
    const struct expr_regex_peer *peer = context;
    const struct expr_regex *search = peer->search;
    const struct bench_text *text = (const struct bench_text *)search->text;
    uint64_t matches = 0;
    const uint64_t begin_ns = rf_clock_ns();
    for (uint32_t i = 0; i < repeats; i++) {
        matches += search->peers[peer->peer]->re2_count(search->re2[peer->peer], text, search->texts);
    }
    *ns = rf_clock_ns() - begin_ns;
    return matches == search->matches * repeats;
}
