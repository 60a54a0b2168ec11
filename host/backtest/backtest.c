#include "backtest.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "json_text.h"
#include "round.h"

struct rf_backtest {
    struct rf_backtest_options options;
    struct rf_round_options round;
    struct rf_watch watch;
    uint32_t rules;
    pthread_mutex_t lock; /* of what workers add when they end */
    struct rf_tally tally;
    struct rf_label_tally label;
    struct rf_mishaps mishaps;
    enum rf_status status; /* of adding */
    struct rf_error err;
    /* Of turns: */
    int64_t first_time, last_time;
    uint64_t disorder;
    bool *has_state;   /* [rules] */
    uint32_t *kept_of; /* [rules] */
    uint32_t *kept;    /* [kepts] rules */
    uint32_t kepts;
    uint32_t states;   /* rules with state, all of them kept */
    struct rf_key_memory memory;
    struct rf_forward forward; /* of a value that is followed */
    struct rf_tally state_tally; /* of rules with state; its records are those of the workers' tallies again */
};

/* ---- Workers ---- */

static enum rf_status watch_open(void *context, struct rf_worker *worker, void **state, struct rf_error *err)
{
    const struct rf_backtest *backtest = context;
    struct rf_round *round;
    RF_TRY(rf_round_open(&round, &backtest->round, worker, err));
    *state = round;
    return RF_OK;
}

/* What a worker has counted joins the rest. */
static void watch_close(void *context, void *state)
{
    struct rf_backtest *backtest = context;
    struct rf_round *round = state;
    pthread_mutex_lock(&backtest->lock);
    if (backtest->status == RF_OK) {
        backtest->status = rf_tally_merge(&backtest->tally, &round->tally, &backtest->err);
        rf_label_tally_merge(&backtest->label, &round->label);
        rf_mishaps_merge(&backtest->mishaps, &round->mishaps);
    }
    pthread_mutex_unlock(&backtest->lock);
    rf_round_close(round);
}

static enum rf_status watch_begin(void *state, struct rf_worker *worker, struct rf_error *err)
{
    (void)worker;
    (void)err;
    rf_round_begin(state);
    return RF_OK;
}

/* ---- Turns ---- */

static const struct rf_rule_state *state_of(const struct rf_backtest *backtest, uint32_t rule)
{
    return &backtest->options.rules->source[backtest->options.rules->rule[rule].source].state;
}

/* One rule with state over a block: its truth becomes what fires. */
static enum rf_status rule_decide(struct rf_backtest *backtest, struct rf_round *round, uint32_t rule, uint32_t first,
                                  uint64_t *truth, uint32_t words, struct rf_error *err)
{
    const struct rf_rules_program *program = backtest->options.program;
    const struct rf_rule_state *state = state_of(backtest, rule);
    const uint32_t projection = program->per[rule];
    const uint32_t key = projection - program->key_begin;
    const struct rf_state_key no_key = {0, 0};
    for (uint32_t w = 0; w < words; w++) {
        /* `changed` looks at what was not true too. */
        uint64_t left = state->is_changed ? round->live[first / 64 + w] : truth[w];
        for (; left != 0; left &= left - 1) {
            const uint64_t bit = left & (0 - left);
            const uint32_t row = first + 64 * w + (uint32_t)__builtin_ctzll(left);
            const int64_t ns = round->time_ns == NULL ? RF_TALLY_UNTIMED : round->time_ns[row];
            const struct rf_state_record record = {
                .is_true = (truth[w] & bit) != 0,
                .has_time = ns != RF_TALLY_UNTIMED,
                .has_key = projection == RF_NONE || rf_bit_get(round->has_key[key], row),
                .ns = ns,
                .key = projection == RF_NONE ? no_key : round->key[key][row]};
            enum rf_state_answer answer;
            RF_TRY(rf_rule_state_answer(&backtest->memory, state, rule, &record, &answer, err));
            backtest->state_tally.errors[rule] += answer == RF_STATE_ERROR;
            truth[w] = answer == RF_STATE_FIRES ? truth[w] | bit : truth[w] & ~bit;
        }
    }
    return RF_OK;
}

static void rule_tally(struct rf_backtest *backtest, struct rf_round *round, const struct rf_tally_block *block,
                       uint32_t rule, uint64_t *truth)
{
    uint64_t live[RF_EVAL_BLOCK_WORDS] = {0};
    struct rf_eval_register reg = {{0}, {0}};
    struct rf_eval_hits hits;
    const uint32_t place = 0;
    memcpy(live, block->live, block->words * sizeof *live);
    memcpy(reg.truth, truth, block->words * sizeof *truth);
    rf_eval_kernels_of(backtest->options.isa)->tally(&reg, &place, 1, live, true, &hits);
    if (hits.hits == 0) {
        return;
    }
    rf_tally_rule(&backtest->state_tally, block, rule, hits, truth);
    if (backtest->options.label != RF_NONE) { /* the turn has this worker for itself */
        const uint32_t word = block->first / 64;
        rf_label_tally_rule(&round->label, rule, truth, round->label_true + word, round->label_false + word,
                            block->words);
    }
}

static enum rf_status block_follow(struct rf_backtest *backtest, const struct rf_round *round,
                                   const struct rf_tally_block *block, const uint64_t *fired, struct rf_error *err)
{
    const struct rf_forward_rows rows = {.first = block->first,
                                         .rows = block->rows,
                                         .time_ns = round->time_ns,
                                         .value = round->value,
                                         .kind = round->value_kind,
                                         .key = round->value_key,
                                         .has_key = round->has_value_key,
                                         .live = block->live,
                                         .truth = fired,
                                         .begin = round->worker->rows.begin,
                                         .offset = round->worker->batch.offset,
                                         .input = round->worker->batch.input};
    return rf_forward_block(&backtest->forward, &rows, err);
}

/* What depends on the order, block by block. */
static enum rf_status block_decide(struct rf_backtest *backtest, struct rf_round *round, uint32_t first, uint32_t rows,
                                   struct rf_error *err)
{
    struct rf_tally_block block = {.first = first, .rows = rows, .live = round->live + first / 64};
    block.words = rf_bitmap_words(rows);
    if (backtest->states != 0) {
        RF_TRY(rf_tally_block_begin(&backtest->state_tally, &block, err));
    }
    for (uint32_t k = 0; backtest->states != 0 && k < backtest->kepts; k++) {
        const uint32_t rule = backtest->kept[k];
        uint64_t *truth = rf_round_kept(round, k, first);
        if (backtest->has_state[rule]) {
            RF_TRY(rule_decide(backtest, round, rule, first, truth, block.words, err));
            rule_tally(backtest, round, &block, rule, truth);
        }
    }
    const uint64_t *const fired = rf_round_kept(round, 0, first);
    if (backtest->options.overlap != NULL) {
        rf_overlap_add(backtest->options.overlap, fired, block.words);
    }
    if (backtest->options.value != RF_NONE) {
        RF_TRY(block_follow(backtest, round, &block, fired, err));
    }
    return backtest->options.hits == NULL
               ? RF_OK
               : rf_hits_write(backtest->options.hits, round->worker, first, fired, block.words, err);
}

static enum rf_status round_decide(struct rf_backtest *backtest, struct rf_round *round, struct rf_error *err)
{
    const uint32_t rows = round->worker->rows.rows;
    rf_tally_round_begin(&backtest->state_tally, rf_round_tally(round));
    for (uint32_t first = 0; first < rows; first += RF_EVAL_BLOCK_ROWS) {
        const uint32_t left = rows - first;
        RF_TRY(block_decide(backtest, round, first, left < RF_EVAL_BLOCK_ROWS ? left : RF_EVAL_BLOCK_ROWS, err));
    }
    if (backtest->states != 0) {
        rf_tally_flush(&backtest->state_tally);
    }
    return RF_OK;
}

static enum rf_status watch_commit(void *context, void *state, struct rf_worker *worker, struct rf_error *err)
{
    struct rf_backtest *backtest = context;
    struct rf_round *round = state;
    if (round->status != RF_OK) {
        *err = round->err;
        return round->status;
    }
    if (round->first_time != RF_TALLY_NEVER) {
        backtest->disorder +=
            round->disorder + (backtest->last_time != RF_TALLY_NEVER && round->first_time < backtest->last_time);
        backtest->first_time = backtest->first_time == RF_TALLY_NEVER ? round->first_time : backtest->first_time;
        backtest->last_time = round->last_time;
    }
    return backtest->kepts == 0 || worker->batch.is_oversize ? RF_OK : round_decide(backtest, round, err);
}

/* ---- The whole ---- */

/* Somebody wants to know which records each rule hit. */
static bool keeps_all(const struct rf_backtest *backtest)
{
    return backtest->options.hits != NULL || backtest->options.overlap != NULL || backtest->options.value != RF_NONE;
}

static enum rf_status states_find(struct rf_backtest *backtest, struct rf_error *err)
{
    RF_TRY(rf_rule_states_check(backtest->options.rules, backtest->options.time != RF_NONE, err));
    backtest->kept_of = malloc((backtest->rules + 1) * sizeof *backtest->kept_of);
    backtest->kept = malloc((backtest->rules + 1) * sizeof *backtest->kept);
    backtest->has_state = calloc(backtest->rules + 1, sizeof *backtest->has_state);
    if (backtest->kept_of == NULL || backtest->kept == NULL || backtest->has_state == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "out of memory for %u rules", backtest->rules);
    }
    for (uint32_t r = 0; r < backtest->rules; r++) {
        backtest->has_state[r] = !rf_rule_state_is_none(state_of(backtest, r));
        backtest->kept_of[r] = RF_NONE;
        if (!backtest->has_state[r] && !keeps_all(backtest)) {
            continue;
        }
        backtest->kept_of[r] = backtest->kepts;
        backtest->kept[backtest->kepts++] = r;
        backtest->states += backtest->has_state[r];
    }
    if (backtest->states == 0) {
        return RF_OK;
    }
    const bool has_time = backtest->options.time != RF_NONE;
    RF_TRY(rf_tally_open(&backtest->state_tally, backtest->rules, has_time, backtest->options.by_ns, backtest->options.isa, err));
    return rf_key_memory_open(&backtest->memory, backtest->options.state_bytes_max, err);
}

static enum rf_status backtest_make(struct rf_backtest *backtest, struct rf_error *err)
{
    const struct rf_backtest_options *options = &backtest->options;
    RF_TRY(rf_tally_open(&backtest->tally, backtest->rules, options->time != RF_NONE, options->by_ns, options->isa, err));
    if (options->label != RF_NONE) {
        RF_TRY(rf_label_tally_open(&backtest->label, backtest->rules, options->isa, err));
    }
    RF_TRY(states_find(backtest, err));
    if (options->value != RF_NONE && options->time == RF_NONE) {
        RF_FAIL(err, RF_E_USAGE, "a value is followed to a horizon, which needs the time of each record: --time EXPR");
    }
    if (options->value != RF_NONE) {
        RF_TRY(rf_forward_open(&backtest->forward, options->forward, backtest->rules, options->state_bytes_max, err));
    }
    backtest->round = (struct rf_round_options){.rules = backtest->rules,
                                                .program = options->program,
                                                .time = options->time,
                                                .label = options->label,
                                                .value = options->value,
                                                .value_per = options->value_per,
                                                .time_unit = options->time_unit,
                                                .by_ns = options->by_ns,
                                                .kept_of = backtest->kept_of,
                                                .kept = backtest->kepts,
                                                .has_state = backtest->has_state,
                                                .shard_by = options->shard_by,
                                                .shard = options->shard};
    return RF_OK;
}

enum rf_status rf_backtest_open(struct rf_backtest **out, struct rf_backtest_options options, struct rf_error *err)
{
    struct rf_backtest *backtest = calloc(1, sizeof *backtest);
    if (backtest == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "out of memory for a backtest");
    }
    backtest->options = options;
    backtest->rules = options.program->rules;
    assert(options.program->compiled.program.predicates == backtest->rules); /* rounds tally all of them */
    backtest->first_time = backtest->last_time = RF_TALLY_NEVER;
    backtest->watch = (struct rf_watch){.context = backtest,
                                        .open = watch_open,
                                        .begin = watch_begin,
                                        .block = rf_round_block,
                                        .cut = rf_round_cut,
                                        .tile = rf_round_tile,
                                        .end = rf_round_end,
                                        .commit = watch_commit,
                                        .close = watch_close};
    pthread_mutex_init(&backtest->lock, NULL);
    const enum rf_status status = backtest_make(backtest, err);
    if (status != RF_OK) {
        rf_backtest_close(backtest);
        return status;
    }
    *out = backtest;
    return RF_OK;
}

void rf_backtest_close(struct rf_backtest *backtest)
{
    if (backtest == NULL) {
        return;
    }
    rf_key_memory_close(&backtest->memory);
    rf_forward_close(&backtest->forward);
    rf_tally_close(&backtest->state_tally);
    rf_tally_close(&backtest->tally);
    rf_label_tally_close(&backtest->label);
    free(backtest->kept_of);
    free(backtest->kept);
    free(backtest->has_state);
    pthread_mutex_destroy(&backtest->lock);
    free(backtest);
}

const struct rf_watch *rf_backtest_watch(const struct rf_backtest *backtest)
{
    return &backtest->watch;
}

const struct rf_mishaps *rf_backtest_mishaps(const struct rf_backtest *backtest)
{
    return &backtest->mishaps;
}

uint64_t rf_backtest_evicted(const struct rf_backtest *backtest)
{
    return backtest->memory.evicted + backtest->forward.keys.evicted;
}

enum rf_forward_kind rf_backtest_wrong_value(const struct rf_backtest *backtest, struct rf_tally_place *place)
{
    *place = backtest->forward.wrong_at;
    return backtest->forward.wrong_kind;
}

/* Tags and parameters as members of a line of json. */
static enum rf_status about_write(const struct rf_rules *rules, uint32_t rule, struct rf_text *out, struct rf_error *err)
{
    const struct rf_rule_source *source = &rules->source[rules->rule[rule].source];
    rf_text_clear(out);
    if (source->tags != 0) {
        RF_TRY(rf_text_append(out, RF_STR("\"tags\":["), err));
        for (uint32_t t = 0; t < source->tags; t++) {
            RF_TRY(t == 0 ? RF_OK : rf_text_append_char(out, ',', err));
            RF_TRY(rf_json_quote(out, source->tag[t], err));
        }
        RF_TRY(rf_text_append_char(out, ']', err));
    }
    for (uint32_t p = 0; p < source->parameters; p++) {
        const bool has_tags = source->tags != 0;
        RF_TRY(rf_text_append(out, p != 0 ? RF_STR(",") : has_tags ? RF_STR(",\"params\":{") : RF_STR("\"params\":{"),
                              err));
        RF_TRY(rf_json_quote(out, source->parameter[p].name, err));
        RF_TRY(rf_text_append_char(out, ':', err));
        RF_TRY(rf_value_write_json(out, rf_rules_value(rules, rule, p)->value, err));
    }
    return source->parameters == 0 ? RF_OK : rf_text_append_char(out, '}', err);
}

static enum rf_status names_fill(const struct rf_backtest *backtest, const char *const *input, uint32_t inputs,
                                 struct rf_outcome *outcome, struct rf_error *err)
{
    struct rf_outcome_rule *rule = RF_PUSH(&outcome->arena, struct rf_outcome_rule, backtest->rules);
    outcome->input = RF_PUSH(&outcome->arena, struct rf_str, inputs);
    if (rule == NULL || outcome->input == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "out of memory for the names of %u rules", backtest->rules);
    }
    outcome->rule = rule;
    outcome->rules = backtest->rules;
    outcome->inputs = outcome->input_count = inputs;
    for (uint32_t i = 0; i < inputs; i++) {
        outcome->input[i] = rf_str_of(input[i]);
    }
    struct rf_text about = {0};
    enum rf_status status = RF_OK;
    for (uint32_t r = 0; status == RF_OK && r < backtest->rules; r++) {
        rule[r].name = backtest->options.rules->rule[r].name;
        status = about_write(backtest->options.rules, r, &about, err);
        if (status == RF_OK) {
            rule[r].about = rf_arena_copy(&outcome->arena, rf_text_str(&about));
            if (rule[r].about.data == NULL) {
                status = rf_error_set(err, RF_E_MEMORY, __FILE__, __LINE__, "out of memory for the names of %u rules",
                                      backtest->rules);
            }
        }
    }
    rf_text_free(&about);
    return status;
}

enum rf_status rf_backtest_finish(struct rf_backtest *backtest, const struct rf_pipeline_result *result,
                                  const char *const *input, uint32_t inputs, struct rf_outcome *outcome,
                                  struct rf_error *err)
{
    *outcome = (struct rf_outcome){0};
    rf_arena_init(&outcome->arena, SIZE_MAX / 4);
    if (backtest->status != RF_OK) {
        *err = backtest->err;
        return backtest->status;
    }
    if (backtest->states != 0) {
        rf_tally_forget_records(&backtest->state_tally);
        RF_TRY(rf_tally_merge(&backtest->tally, &backtest->state_tally, err));
    }
    RF_TRY(names_fill(backtest, input, inputs, outcome, err));
    outcome->tally = backtest->tally;
    outcome->label = backtest->label;
    if (backtest->options.value != RF_NONE) {
        RF_TRY(rf_forward_finish(&backtest->forward, err));
        outcome->forward = backtest->forward.tally;
        backtest->forward.tally = (struct rf_forward_tally){0};
    }
    if (backtest->options.overlap != NULL) {
        outcome->overlap = *backtest->options.overlap;
        *backtest->options.overlap = (struct rf_overlap){0};
    }
    backtest->tally = (struct rf_tally){0};
    backtest->label = (struct rf_label_tally){0};
    /* Records that cannot be read have no key: they are the first shard's. */
    const bool has_all = backtest->options.shard_by == RF_NONE || backtest->options.shard.number == 0;
    outcome->malformed = has_all ? result->counts.of[RF_ROW_MALFORMED] : 0;
    outcome->blank = has_all ? result->counts.of[RF_ROW_BLANK] : 0;
    outcome->read = outcome->tally.records + outcome->malformed + outcome->blank;
    outcome->part = (struct rf_outcome_part){.first = backtest->options.shard.number,
                                             .last = backtest->options.shard.number,
                                             .of = backtest->options.shard.count > 1 ? backtest->options.shard.count : 0,
                                             .digest = backtest->options.digest,
                                             .cut = backtest->options.cut};
    outcome->disorder = backtest->disorder;
    outcome->first_time = backtest->first_time;
    outcome->last_time = backtest->last_time;
    return RF_OK;
}
