/* rules_judge.h: which rules the records of a test hit, by two engines.
 *
 * Purpose    The records of a test go through the stages of a run, at this machine's level; then the interpreter is asked about
 *            each of them and each rule. Both must agree whether `when` is true; then the state of the rule, which begins anew
 *            with each test, decides as in a backtest whether it fires.
 * Data       hit[rules]: the first record that hit the rule, from 1; 0: none did. fired[rules]: 1 where the record at hand
 *            did, for on_record.
 * Ownership  rf_rules_judge_close frees; the input is borrowed.
 * Threads    one judge, one thread.
 * Errors     RF_E_MEMORY; RF_E_USAGE: a rule goes by event time, and there is none. What is wrong with a test is in `failure`.
 */
#ifndef RF_RULES_JUDGE_H
#define RF_RULES_JUDGE_H

#include "event_time.h"
#include "rule_state.h"
#include "rules_input.h"
#include "worker.h"

struct rf_rules_judge {
    const struct rf_rules_input *input;
    struct rf_pipeline_options options;
    struct rf_worker worker;
    struct rf_text records;
    uint32_t *hit;     /* [rules] */
    uint8_t *fired;    /* [rules] */
    enum rf_time_unit time_unit;
    struct rf_key_memory states;
    struct rf_state_key *key; /* [keys] of the record at hand */
    bool *has_key;
    struct rf_text scratch;
    /* After each record of a test that could be judged; NULL: nobody asks. */
    enum rf_status (*on_record)(void *context, uint32_t record, struct rf_error *err);
    void *context;
    bool is_different; /* the engines were, in the test judged last */
    char failure[320]; /* why the test could not be judged; "" when it was */
    uint32_t failed_rule; /* the first rule without a value for some record; RF_NONE: none */
    char error[200];      /* why */
};

enum rf_status rf_rules_judge_open(struct rf_rules_judge *judge, const struct rf_rules_input *input,
                                   const struct rf_flags *flags, struct rf_error *err);
enum rf_status rf_rules_judge_run(struct rf_rules_judge *judge, const struct rf_rules_test *test, struct rf_error *err);
void rf_rules_judge_close(struct rf_rules_judge *judge);

#endif
