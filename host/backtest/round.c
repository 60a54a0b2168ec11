#include "round.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "record_key.h"

/* ---- Memory ---- */

static enum rf_status bitmaps_open(uint64_t ***out, uint32_t count, uint32_t words, struct rf_error *err)
{
    *out = calloc(count == 0 ? 1 : count, sizeof **out);
    for (uint32_t i = 0; *out != NULL && i < count; i++) {
        (*out)[i] = calloc(words == 0 ? 1 : words, sizeof ***out);
        if ((*out)[i] == NULL) {
            RF_FAIL(err, RF_E_MEMORY, "out of memory for %u bitmaps of %u words", count, words);
        }
    }
    if (*out == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "out of memory for %u bitmaps", count);
    }
    return RF_OK;
}

static void bitmaps_close(uint64_t **bitmap, uint32_t count)
{
    for (uint32_t i = 0; bitmap != NULL && i < count; i++) {
        free(bitmap[i]);
    }
    free(bitmap);
}

/* What the turn needs of a round. */
static enum rf_status keeping_open(struct rf_round *round, uint32_t words, struct rf_error *err)
{
    const uint32_t rows_max = round->worker->rows.rows_max;
    const uint32_t keys = round->options->program->keys;
    const size_t blocks = words / RF_EVAL_BLOCK_WORDS + 1;
    /* Pages of blocks that never come are never touched. */
    round->kept = calloc(blocks * round->options->kept, RF_EVAL_BLOCK_WORDS * sizeof *round->kept);
    if (round->kept == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "out of memory for the hits of %u rules", round->options->kept);
    }
    RF_TRY(bitmaps_open(&round->has_key, keys, words, err));
    round->key = calloc(keys == 0 ? 1 : keys, sizeof *round->key);
    for (uint32_t k = 0; round->key != NULL && k < keys; k++) {
        round->key[k] = malloc((rows_max == 0 ? 1 : rows_max) * sizeof **round->key);
        if (round->key[k] == NULL) {
            RF_FAIL(err, RF_E_MEMORY, "out of memory for the keys of %u records", rows_max);
        }
    }
    if (round->key == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "out of memory for the keys of %u records", rows_max);
    }
    return RF_OK;
}

/* The value that is followed, and its key. */
static enum rf_status values_open(struct rf_round *round, uint32_t words, struct rf_error *err)
{
    const size_t rows_max = (size_t)round->worker->rows.rows_max + 1;
    const bool has_keys = round->options->value_per != RF_NONE;
    round->value = malloc(rows_max * sizeof *round->value);
    round->value_kind = malloc(rows_max * sizeof *round->value_kind);
    round->value_key = has_keys ? malloc(rows_max * sizeof *round->value_key) : NULL;
    round->has_value_key = has_keys ? calloc(words, sizeof *round->has_value_key) : NULL;
    if (round->value == NULL || round->value_kind == NULL ||
        (has_keys && (round->value_key == NULL || round->has_value_key == NULL))) {
        RF_FAIL(err, RF_E_MEMORY, "out of memory for the values of %zu records", rows_max);
    }
    return RF_OK;
}

static enum rf_status round_make(struct rf_round *round, struct rf_error *err)
{
    const struct rf_round_options *options = round->options;
    const uint32_t rows_max = round->worker->rows.rows_max;
    const uint32_t words = rf_bitmap_words(rows_max) + RF_EVAL_BLOCK_WORDS;
    RF_TRY(rf_tally_open(&round->tally, options->rules, options->time != RF_NONE, options->by_ns,
                         round->worker->options->isa, err));
    round->live = calloc(words, sizeof *round->live);
    if (options->label != RF_NONE) {
        RF_TRY(rf_label_tally_open(&round->label, options->rules, round->worker->options->isa, err));
        round->label_true = calloc(words, sizeof *round->label_true);
        round->label_false = calloc(words, sizeof *round->label_false);
    }
    if (options->shard_by != RF_NONE) {
        round->mine = calloc(words, sizeof *round->mine);
    }
    if (options->time != RF_NONE) {
        round->time_ns = malloc((rows_max + 1) * sizeof *round->time_ns);
    }
    if (round->live == NULL || (options->label != RF_NONE && (round->label_true == NULL || round->label_false == NULL)) ||
        (options->time != RF_NONE && round->time_ns == NULL) ||
        (options->shard_by != RF_NONE && round->mine == NULL)) {
        RF_FAIL(err, RF_E_MEMORY, "out of memory for the times and labels of %u records", rows_max);
    }
    RF_TRY(options->value == RF_NONE ? RF_OK : values_open(round, words, err));
    return options->kept == 0 ? RF_OK : keeping_open(round, words, err);
}

enum rf_status rf_round_open(struct rf_round **out, const struct rf_round_options *options, struct rf_worker *worker,
                             struct rf_error *err)
{
    struct rf_round *round = calloc(1, sizeof *round);
    if (round == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "out of memory for a worker");
    }
    round->options = options;
    round->worker = worker;
    const enum rf_status status = round_make(round, err);
    if (status != RF_OK) {
        rf_round_close(round);
        return status;
    }
    *out = round;
    return RF_OK;
}

void rf_round_close(struct rf_round *round)
{
    const uint32_t keys = round->options->program->keys;
    rf_tally_close(&round->tally);
    rf_label_tally_close(&round->label);
    free(round->time_ns);
    free(round->live);
    free(round->mine);
    free(round->label_true);
    free(round->label_false);
    free(round->kept);
    bitmaps_close(round->has_key, keys);
    for (uint32_t k = 0; round->key != NULL && k < keys; k++) {
        free(round->key[k]);
    }
    free(round->key);
    free(round->value);
    free(round->value_kind);
    free(round->value_key);
    free(round->has_value_key);
    free(round);
}

void rf_round_begin(struct rf_round *round)
{
    round->first_time = round->last_time = RF_TALLY_NEVER;
    round->disorder = 0;
    rf_tally_round_begin(&round->tally, rf_round_tally(round));
}

void rf_round_end(void *context)
{
    struct rf_round *round = context;
    rf_tally_flush(&round->tally);
    rf_mishaps_look(&round->mishaps, round);
}

struct rf_tally_round rf_round_tally(const struct rf_round *round)
{
    return (struct rf_tally_round){.time_ns = round->time_ns,
                                   .begin = round->worker->rows.begin,
                                   .offset = round->worker->batch.offset,
                                   .input = round->worker->batch.input};
}

/* ---- Blocks ---- */

static bool row_is_live(const struct rf_round *round, uint32_t row)
{
    const uint8_t status = round->worker->rows.status[row];
    return status != RF_ROW_MALFORMED && status != RF_ROW_BLANK;
}

/* It is looked at, and of this shard. */
static bool row_counts(const struct rf_round *round, uint32_t row)
{
    return row_is_live(round, row) && (round->mine == NULL || rf_bit_get(round->mine, row));
}

static void times_read(struct rf_round *round, const struct rf_watch_block *block)
{
    const struct rf_round_options *options = round->options;
    for (uint32_t i = 0; i < block->rows; i++) {
        if (!row_is_live(round, block->first + i)) {
            round->time_ns[block->first + i] = RF_TALLY_UNTIMED;
            continue;
        }
        const int64_t ns = rf_record_time(block, options->time, i, options->time_unit);
        round->time_ns[block->first + i] = ns;
        /* Order is that of all records: the first shard counts for all, since each sees them all. */
        if (ns != RF_TALLY_UNTIMED && (round->mine == NULL || options->shard.number == 0)) {
            round->disorder += round->last_time != RF_TALLY_NEVER && ns < round->last_time;
            round->first_time = round->first_time == RF_TALLY_NEVER ? ns : round->first_time;
            round->last_time = ns;
        }
    }
}

static void labels_read(struct rf_round *round, const struct rf_watch_block *block)
{
    memset(round->label_true + block->first / 64, 0, RF_EVAL_BLOCK_WORDS * sizeof(uint64_t));
    memset(round->label_false + block->first / 64, 0, RF_EVAL_BLOCK_WORDS * sizeof(uint64_t));
    for (uint32_t i = 0; i < block->rows; i++) {
        struct rf_cell cell;
        struct rf_value value;
        if (!row_counts(round, block->first + i)) {
            continue;
        }
        const bool is_cell = rf_watch_cell(block, round->options->label, i, &cell, &value);
        if (is_cell ? cell.tag == RF_TAG_TRUE : value.type == RF_TYPE_BOOL && value.boolean) {
            rf_bit_set(round->label_true, block->first + i);
        } else if (is_cell ? cell.tag == RF_TAG_FALSE : value.type == RF_TYPE_BOOL) {
            rf_bit_set(round->label_false, block->first + i);
        }
    }
}

static void keys_read(struct rf_round *round, const struct rf_watch_block *block)
{
    const struct rf_rules_program *program = round->options->program;
    const uint32_t first = program->key_begin;
    struct rf_text scratch = {0};
    for (uint32_t k = 0; k < program->keys; k++) {
        memset(round->has_key[k] + block->first / 64, 0, RF_EVAL_BLOCK_WORDS * sizeof(uint64_t));
        for (uint32_t i = 0; i < block->rows; i++) {
            const uint32_t row = block->first + i;
            if (row_counts(round, row) && rf_record_key(block, first + k, i, &scratch, &round->key[k][row])) {
                rf_bit_set(round->has_key[k], row);
            }
        }
    }
    rf_text_free(&scratch);
}

static enum rf_forward_kind number_kind(double number)
{
    return isfinite(number) ? RF_FORWARD_NUMBER : RF_FORWARD_NOT_FINITE;
}

static enum rf_forward_kind kind_of_cell(const struct rf_cell *cell, double *number)
{
    struct rf_number exact;
    if (rf_cell_number(cell->tag, cell->payload, &exact)) {
        *number = rf_number_to_double(exact);
        return number_kind(*number);
    }
    switch (cell->tag) {
    case RF_TAG_NOPARENT:
    case RF_TAG_ABSENT:
    case RF_TAG_ERROR:
    case RF_TAG_NULL:
        return RF_FORWARD_MISSING;
    case RF_TAG_RANGE:
        return RF_FORWARD_NOT_FINITE;
    default:
        return RF_FORWARD_NOT_NUMBER;
    }
}

static enum rf_forward_kind kind_of_value(const struct rf_value *value, double *number)
{
    if (rf_value_is_beyond_range(*value)) {
        return RF_FORWARD_NOT_FINITE;
    }
    if (rf_value_is_number(*value)) {
        *number = rf_number_to_double(value->exact);
        return number_kind(*number);
    }
    return value->type == RF_TYPE_ERROR || value->type == RF_TYPE_NULL ? RF_FORWARD_MISSING : RF_FORWARD_NOT_NUMBER;
}

static void values_read(struct rf_round *round, const struct rf_watch_block *block)
{
    const struct rf_round_options *options = round->options;
    struct rf_text scratch = {0};
    if (round->value_key != NULL) {
        memset(round->has_value_key + block->first / 64, 0, RF_EVAL_BLOCK_WORDS * sizeof(uint64_t));
    }
    for (uint32_t i = 0; i < block->rows; i++) {
        const uint32_t row = block->first + i;
        struct rf_cell cell;
        struct rf_value value;
        if (!row_counts(round, row)) {
            continue;
        }
        round->value_kind[row] = (uint8_t)(rf_watch_cell(block, options->value, i, &cell, &value)
                                               ? kind_of_cell(&cell, &round->value[row])
                                               : kind_of_value(&value, &round->value[row]));
        if (round->value_key != NULL && rf_record_key(block, options->value_per, i, &scratch, &round->value_key[row])) {
            rf_bit_set(round->has_value_key, row);
        }
    }
    rf_text_free(&scratch);
}

/* Records without a key are the first shard's. */
static void mine_read(struct rf_round *round, const struct rf_watch_block *block)
{
    const struct rf_round_options *options = round->options;
    struct rf_text scratch = {0};
    memset(round->mine + block->first / 64, 0, RF_EVAL_BLOCK_WORDS * sizeof(uint64_t));
    for (uint32_t i = 0; i < block->rows; i++) {
        struct rf_state_key key;
        if (!row_is_live(round, block->first + i)) {
            continue;
        }
        const bool has_key = rf_record_key(block, options->shard_by, i, &scratch, &key);
        if ((has_key ? key.low % options->shard.count : 0) == options->shard.number) {
            rf_bit_set(round->mine, block->first + i);
        }
    }
    rf_text_free(&scratch);
}

void rf_round_block(void *context, const struct rf_watch_block *block)
{
    struct rf_round *round = context;
    round->has_begun = false;
    if (round->mine != NULL) {
        mine_read(round, block);
    }
    if (round->time_ns != NULL) {
        times_read(round, block);
    }
    if (round->options->label != RF_NONE) {
        labels_read(round, block);
    }
    if (round->options->kept != 0) {
        keys_read(round, block);
    }
    if (round->value != NULL) {
        values_read(round, block);
    }
}

static void block_begin(struct rf_round *round, uint32_t first, uint32_t rows, const uint64_t *live)
{
    const uint32_t word = first / 64;
    const uint32_t words = rf_bitmap_words(rows);
    for (uint32_t w = 0; w < words; w++) {
        round->live[word + w] = live[w] & (round->mine == NULL ? ~0ull : round->mine[word + w]);
    }
    round->block = (struct rf_tally_block){.first = first, .rows = rows, .live = round->live + word};
    round->status = rf_tally_block_begin(&round->tally, &round->block, &round->err);
    if (round->options->label != RF_NONE) {
        rf_label_tally_block(&round->label, round->label_true + word, round->label_false + word, words);
    }
    round->has_begun = true;
}

/* The number of hits is all that is asked of rules, but for the first and the last. */
static bool counts_are_enough(const struct rf_round *round)
{
    return round->options->kept == 0 && round->options->label == RF_NONE && round->mine == NULL;
}

void rf_round_cut(void *context, uint32_t first, uint32_t rows, const uint64_t *live, struct rf_eval_spans *spans)
{
    struct rf_round *round = context;
    const struct rf_tally_block block = {.first = first, .rows = rows, .live = live};
    /* Where time goes back, the spans before must have been handed over when the block begins. */
    if (round->status != RF_OK || !counts_are_enough(round) || !rf_tally_block_goes_on(&round->tally, &block)) {
        return;
    }
    block_begin(round, first, rows, live);
    if (round->status == RF_OK) {
        rf_tally_block_cut(&round->tally, &round->block, spans);
    }
}

/* Counts of a rule over the rows of the shard; truth and falsity of other rows are cleared. */
static struct rf_eval_hits hits_of_shard(const struct rf_round *round, uint32_t word, uint32_t words,
                                         struct rf_eval_register *reg)
{
    uint64_t live[RF_EVAL_BLOCK_WORDS] = {0};
    struct rf_eval_hits hits;
    const uint32_t place = 0;
    memcpy(live, round->live + word, words * sizeof *live);
    for (uint32_t w = 0; w < RF_EVAL_BLOCK_WORDS; w++) {
        reg->truth[w] &= live[w];
    }
    round->tally.kernels->tally(reg, &place, 1, live, false, &hits);
    return hits;
}

/* One rule of a tile, where its truth is needed. */
static void tile_rule(struct rf_round *round, const struct rf_eval_tile *tile, uint32_t i)
{
    const struct rf_round_options *options = round->options;
    const uint32_t rule = tile->predicate[i];
    const uint32_t word = tile->first / 64;
    const uint32_t kept = options->kept == 0 ? RF_NONE : options->kept_of[rule];
    struct rf_eval_register reg = {{0}, {0}};
    struct rf_eval_hits hits = tile->hits[i];
    rf_eval_tile_truth(tile, i, reg.truth);
    if (round->mine != NULL) {
        rf_eval_tile_falsity(tile, i, reg.falsity);
        hits = hits_of_shard(round, word, tile->words, &reg);
    }
    round->tally.errors[rule] += hits.errors;
    if (kept != RF_NONE) {
        memcpy(rf_round_kept(round, kept, tile->first), reg.truth, tile->words * sizeof *reg.truth);
    }
    if (hits.hits == 0 || (kept != RF_NONE && options->has_state[rule])) {
        return;
    }
    rf_tally_rule(&round->tally, &round->block, rule, hits, reg.truth);
    if (options->label != RF_NONE) {
        rf_label_tally_rule(&round->label, rule, reg.truth, round->label_true + word, round->label_false + word,
                            tile->words);
    }
}

void rf_round_tile(void *context, const struct rf_eval_tile *tile)
{
    struct rf_round *round = context;
    const bool is_span = tile->live == NULL;
    if (!round->has_begun && !is_span && round->status == RF_OK) {
        block_begin(round, tile->first, tile->rows, tile->live);
    }
    if (round->status != RF_OK) {
        return;
    }
    if (is_span || (!round->block.needs_truth && counts_are_enough(round))) {
        rf_tally_rules(&round->tally, tile);
        return;
    }
    for (uint32_t i = 0; i < tile->count; i++) {
        tile_rule(round, tile, i);
    }
}
