/* Results that are read back (riffle merge): any bytes. What is read is written and read again to the same text, and merges with
 * itself. */
#include <stdlib.h>

#include "outcome.h"

static void must_be(bool is_true)
{
    if (!is_true) {
        abort();
    }
}

static bool read_back(struct rf_outcome *outcome, const struct rf_text *text)
{
    struct rf_error err;
    return rf_outcome_read(outcome, rf_text_str(text), "again", &err) == RF_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t count);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t count)
{
    struct rf_outcome outcome;
    struct rf_outcome again;
    struct rf_error err;
    struct rf_text first = {0};
    struct rf_text second = {0};
    if (rf_outcome_read(&outcome, (struct rf_str){(const char *)data, count}, "input", &err) != RF_OK) {
        return 0;
    }
    if (rf_outcome_write_json(&outcome, &first, &err) == RF_OK) {
        must_be(read_back(&again, &first));
        must_be(rf_outcome_write_json(&again, &second, &err) == RF_OK);
        must_be(rf_str_equal(rf_text_str(&first), rf_text_str(&second)));
        const enum rf_status status = rf_outcome_merge(&outcome, &again, &err);
        must_be(status == RF_OK || status == RF_E_LIMIT);
        rf_outcome_close(&again);
        const struct rf_outcome_table table = {.top = 5, .columns = 80, .overlap = 3};
        rf_text_clear(&second);
        must_be(rf_outcome_write_table(&outcome, table, &second, &err) == RF_OK);
        must_be(rf_outcome_write_csv(&outcome, &second, &err) == RF_OK);
    }
    rf_outcome_close(&outcome);
    rf_text_free(&first);
    rf_text_free(&second);
    return 0;
}
