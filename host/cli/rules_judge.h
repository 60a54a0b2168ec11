/* rules_judge.h: which rules the records of a test hit, by two engines.
 *
 * Purpose    The records of a test go through the stages of a run, at this machine's level; then the interpreter is asked about
 *            each of them and each rule. Both must agree.
 * Data       hit[rules]: 1 where `when` was true for at least one record. What state makes of hits (struct rf_rule_state) is not
 *            looked at: whoever keeps it would come between truth and hit in rows_judge.
 * Ownership  rf_rules_judge_close frees; the input is borrowed.
 * Threads    one judge, one thread.
 * Errors     RF_E_MEMORY; what is wrong with a test is in `failure`.
 */
#ifndef RF_RULES_JUDGE_H
#define RF_RULES_JUDGE_H

#include "rules_input.h"
#include "worker.h"

struct rf_rules_judge {
    const struct rf_rules_input *input;
    struct rf_pipeline_options options;
    struct rf_worker worker;
    struct rf_text records;
    uint8_t *hit;      /* [rules] */
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
