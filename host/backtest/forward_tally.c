#include "forward_tally.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const char *const rf_forward_without_name[RF_FORWARD_WITHOUTS] = {
#define RF_FORWARD_WITHOUT(id, name, what) name,
#include "forward_without.def"
#undef RF_FORWARD_WITHOUT
};

const char *const rf_forward_without_what[RF_FORWARD_WITHOUTS] = {
#define RF_FORWARD_WITHOUT(id, name, what) what,
#include "forward_without.def"
#undef RF_FORWARD_WITHOUT
};

enum rf_status rf_forward_tally_open(struct rf_forward_tally *tally, struct rf_forward_settings settings,
                                     uint32_t rules, struct rf_error *err)
{
    const size_t room = (size_t)rules + 1;
    *tally = (struct rf_forward_tally){.settings = settings,
                                       .rules = rules,
                                       .moments = calloc(room, sizeof(struct rf_moments)),
                                       .least = malloc(room * sizeof(double)),
                                       .most = malloc(room * sizeof(double))};
    bool has_room = tally->moments != NULL && tally->least != NULL && tally->most != NULL;
    for (int kind = 0; kind < RF_FORWARD_WITHOUTS; kind++) {
        tally->without[kind] = calloc(room, sizeof(uint64_t));
        has_room = has_room && tally->without[kind] != NULL;
    }
    for (uint32_t r = 0; has_room && r < rules; r++) {
        tally->least[r] = INFINITY;
        tally->most[r] = -INFINITY;
    }
    const enum rf_status status = has_room ? rf_sketch_open(&tally->sketch, rules, err)
                                           : rf_error_set(err, RF_E_MEMORY, __FILE__, __LINE__,
                                                          "out of memory for the forward values of %u rules", rules);
    if (status != RF_OK) {
        rf_forward_tally_close(tally);
    }
    return status;
}

void rf_forward_tally_close(struct rf_forward_tally *tally)
{
    rf_sketch_close(&tally->sketch);
    free(tally->moments);
    free(tally->least);
    free(tally->most);
    for (int kind = 0; kind < RF_FORWARD_WITHOUTS; kind++) {
        free(tally->without[kind]);
    }
    *tally = (struct rf_forward_tally){0};
}

/* Of a change of 16 and more, which is seldom. */
static void moments_add(struct rf_forward_tally *tally, const struct rf_rule_word *word, uint32_t words,
                        const struct rf_moments *moments)
{
    for (uint32_t w = 0; w < words; w++) {
        for (uint64_t left = word[w].bits; left != 0; left &= left - 1) {
            rf_moments_add(&tally->moments[64 * word[w].word + (uint32_t)__builtin_ctzll(left)], moments);
        }
    }
}

enum rf_status rf_forward_tally_add(struct rf_forward_tally *tally, const struct rf_rule_word *word, uint32_t words,
                                    rf_steps change, struct rf_error *err)
{
    uint64_t *count;
    const struct rf_moments moments = rf_moments_of(change);
    const double number = rf_steps_to_double(change);
    RF_TRY(rf_sketch_at(&tally->sketch, change, &count, err));
    if (moments.squares_middle != 0) {
        moments_add(tally, word, words, &moments);
    }
    for (uint32_t w = 0; w < words; w++) {
        for (uint64_t left = word[w].bits; left != 0; left &= left - 1) {
            const uint32_t rule = 64 * word[w].word + (uint32_t)__builtin_ctzll(left);
            count[rule]++;
            if (moments.squares_middle == 0) {
                rf_moments_add_small(&tally->moments[rule], change, moments.squares);
            }
            tally->least[rule] = number < tally->least[rule] ? number : tally->least[rule];
            tally->most[rule] = number > tally->most[rule] ? number : tally->most[rule];
        }
    }
    return RF_OK;
}

void rf_forward_tally_miss(struct rf_forward_tally *tally, const struct rf_rule_word *word, uint32_t words,
                           enum rf_forward_without why)
{
    for (uint32_t w = 0; w < words; w++) {
        for (uint64_t left = word[w].bits; left != 0; left &= left - 1) {
            tally->without[why][64 * word[w].word + (uint32_t)__builtin_ctzll(left)]++;
        }
    }
}

enum rf_status rf_forward_tally_merge(struct rf_forward_tally *tally, const struct rf_forward_tally *from,
                                      struct rf_error *err)
{
    assert(tally->rules == from->rules);
    tally->values.missing += from->values.missing;
    tally->values.wrong += from->values.wrong;
    for (uint32_t r = 0; r < tally->rules; r++) {
        rf_moments_add(&tally->moments[r], &from->moments[r]);
        tally->least[r] = from->least[r] < tally->least[r] ? from->least[r] : tally->least[r];
        tally->most[r] = from->most[r] > tally->most[r] ? from->most[r] : tally->most[r];
        for (int kind = 0; kind < RF_FORWARD_WITHOUTS; kind++) {
            tally->without[kind][r] += from->without[kind][r];
        }
    }
    return rf_sketch_merge(&tally->sketch, &from->sketch, err);
}

struct rf_forward_figures rf_forward_figures_of(const struct rf_forward_tally *tally, uint32_t rule)
{
    const struct rf_sketch_rule spread = rf_sketch_rule(&tally->sketch, rule);
    struct rf_forward_figures figures = {.count = spread.count, .deviation = NAN};
    if (spread.count == 0) {
        return figures;
    }
    figures.mean = rf_moments_mean(&tally->moments[rule], spread.count);
    if (spread.count > 1) {
        figures.deviation = rf_moments_deviation(&tally->moments[rule], spread.count);
    }
    figures.least = tally->least[rule];
    figures.most = tally->most[rule];
    figures.up = (double)spread.above / (double)spread.count;
    for (unsigned q = 0; q < RF_SKETCH_QUANTILES; q++) {
        const double middle = rf_steps_to_double(spread.quantile[q]);
        figures.quantile[q] = middle < figures.least ? figures.least : middle > figures.most ? figures.most : middle;
    }
    return figures;
}

size_t rf_change_text(double change, bool is_absolute, char out[RF_CHANGE_TEXT_MAX])
{
    /* No exponent where people compare digits, and none of the digits that would only fill a column. */
    const double shown = is_absolute ? change : 100 * change;
    const char *unit = is_absolute ? "" : "%";
    const double magnitude = fabs(shown);
    const bool is_plain = magnitude == 0 || (magnitude >= 1e-4 && magnitude < 1e6);
    const int digits = magnitude < 1 ? 5 : magnitude < 10 ? 4 : magnitude < 1000 ? 3 : 1;
    const int length = is_plain ? snprintf(out, RF_CHANGE_TEXT_MAX, "%.*f%s", magnitude == 0 ? 0 : digits, shown, unit)
                                : snprintf(out, RF_CHANGE_TEXT_MAX, "%.2e%s", shown, unit);
    return (size_t)length;
}
