/* rule_state.h: what rules remember from one record to the next, for each key.
 *
 * Purpose    Decides, record by record in input order, whether a rule that is true also fires: `changed`, `count`, `first`,
 *            `every`, `cooldown` (struct rf_rule_state), in that order, each seeing what those before it let through.
 * Data       One entry for each (rule, key) that was met, in a key_memory.h.
 *              changed   the record of that key before was not true
 *              count     sliding: the latest n + 1 true records of the key, in input order, lie within less than the window of
 *                        each other; tumbling: more than n true records so far in this record's window, which begins at a multiple of
 *                        its length since 1970. The newest window and the one with records before it are known: a record of an
 *                        earlier one comes too late and does not pass.
 *              cooldown  since the last that fired at least so long; one that is earlier by event time does not fire
 * Bounds     those of the memory. Results depend on the order of the input alone.
 * Threads    one at a time.
 * Errors     RF_E_MEMORY.
 */
#ifndef RF_RULE_STATE_H
#define RF_RULE_STATE_H

#include "key_memory.h"
#include "rules.h"

#define RF_RULE_STATE_BYTES_DEFAULT ((size_t)256 << 20)

/* One record of a rule, in order; rules with `changed` need those that are not true too. ns: event time, read by count and
 * cooldown only. */
enum rf_status rf_rule_state_apply(struct rf_key_memory *memory, const struct rf_rule_state *state, uint32_t rule,
                                   struct rf_state_key key, int64_t ns, bool is_true, bool *fires, struct rf_error *err);

/* What a rule is told of a record. */
struct rf_state_record {
    bool is_true;
    bool has_time, has_key;
    int64_t ns; /* event time */
    struct rf_state_key key;
};

enum rf_state_answer { RF_STATE_SUPPRESSED, RF_STATE_FIRES, RF_STATE_ERROR };

/* RF_E_USAGE: a rule goes by event time, and records have none. */
enum rf_status rf_rule_states_check(const struct rf_rules *rules, bool has_time, struct rf_error *err);
/* As above. ERROR: the record is true, and has no key, or no time where the rule goes by it. */
enum rf_status rf_rule_state_answer(struct rf_key_memory *memory, const struct rf_rule_state *state, uint32_t rule,
                                    const struct rf_state_record *record, enum rf_state_answer *answer,
                                    struct rf_error *err);

static inline bool rf_rule_state_is_none(const struct rf_rule_state *state)
{
    return state->cooldown_ns == 0 && !state->is_first && state->every == 0 && !state->is_changed && !state->has_count;
}
/* It needs an event time. */
static inline bool rf_rule_state_is_timed(const struct rf_rule_state *state)
{
    return state->cooldown_ns != 0 || state->has_count;
}

#endif
