/* rules_digest.c: what tells the rules of one run from those of another: names, conditions, state and event time; not comments, tags or tests. */
#include "digest.h"
#include "rules.h"

static enum rf_status text_add(struct rf_text *out, struct rf_str text, struct rf_error *err)
{
    RF_TRY(rf_text_append_number(out, text.count, err)); /* so that no two lists of texts look alike */
    RF_TRY(rf_text_append_char(out, ':', err));
    return rf_text_append(out, text, err);
}

static enum rf_status state_add(struct rf_text *out, const struct rf_rule_state *state, struct rf_error *err)
{
    const uint64_t number[] = {(uint64_t)state->cooldown_ns, state->is_first,        state->every,
                               state->is_changed,            state->has_count,       state->count_more_than,
                               (uint64_t)state->count_within_ns, (uint64_t)state->count_window};
    for (size_t i = 0; i < sizeof number / sizeof number[0]; i++) {
        RF_TRY(rf_text_append_number(out, number[i], err));
        RF_TRY(rf_text_append_char(out, ',', err));
    }
    return RF_OK;
}

static enum rf_status let_add(struct rf_text *out, const struct rf_rule_let *let, struct rf_error *err)
{
    RF_TRY(text_add(out, let->name, err));
    RF_TRY(text_add(out, let->expression.text, err));
    for (size_t i = 0; let->patterns != NULL && i < let->patterns->count; i++) {
        RF_TRY(text_add(out, let->patterns->item[i].text, err));
    }
    return rf_text_append_char(out, ';', err);
}

static enum rf_status rules_add(struct rf_text *out, const struct rf_rules *rules, struct rf_error *err)
{
    for (uint32_t i = 0; i < rules->lets; i++) {
        RF_TRY(let_add(out, &rules->let[i], err));
    }
    if (rules->time.node != NULL) {
        RF_TRY(text_add(out, rules->time.text, err));
        RF_TRY(rf_text_append_char(out, ';', err));
    }
    for (uint32_t s = 0; s < rules->sources; s++) {
        const struct rf_rule_source *source = &rules->source[s];
        RF_TRY(text_add(out, source->when.text, err));
        RF_TRY(text_add(out, source->per.text, err));
        RF_TRY(state_add(out, &source->state, err));
        for (uint32_t r = source->rule_begin; r < source->rule_end; r++) { /* values of sweeps are in the names */
            RF_TRY(text_add(out, rules->rule[r].name, err));
        }
    }
    return RF_OK;
}

enum rf_status rf_rules_digest(const struct rf_rules *rules, struct rf_str asked, uint64_t *digest, struct rf_error *err)
{
    struct rf_text text = {0};
    enum rf_status status = text_add(&text, asked, err);
    if (status == RF_OK) {
        status = rules_add(&text, rules, err);
    }
    if (status == RF_OK) {
        *digest = rf_digest_xxh64(rf_text_str(&text));
        *digest = *digest == 0 ? 1 : *digest;
    }
    rf_text_free(&text);
    return status;
}
