/* merge_command.c: riffle merge: results of parts to that of the whole. */
#include "command.h"
#include "log.h"
#include "result_output.h"
#include "whole_file.h"

/* Results are as large as rules times buckets, not as streams. */
static const size_t result_bytes_max = (size_t)4 << 30;

static enum rf_status part_add(struct rf_outcome *whole, bool is_first, const char *name, struct rf_error *err)
{
    struct rf_text text = {0};
    struct rf_outcome part;
    enum rf_status status = rf_whole_file_read(name, result_bytes_max, &text, err);
    if (status == RF_OK) {
        status = rf_outcome_read(is_first ? whole : &part, rf_text_str(&text), name, err);
    }
    rf_text_free(&text); /* everything that is kept was copied */
    if (status != RF_OK || is_first) {
        return status;
    }
    struct rf_error why;
    status = rf_outcome_merge(whole, &part, &why);
    rf_outcome_close(&part);
    if (status != RF_OK) {
        RF_FAIL(err, status, "%s: %s", name, why.text);
    }
    return RF_OK;
}

int rf_command_merge(const struct rf_flags *flags)
{
    struct rf_error err;
    struct rf_outcome whole = {0};
    enum rf_status status = RF_OK;
    for (size_t i = 0; status == RF_OK && i < flags->args; i++) {
        status = part_add(&whole, i == 0, flags->arg[i], &err);
    }
    if (status == RF_OK) {
        status = rf_result_write(&whole, flags, &err);
    }
    rf_outcome_close(&whole);
    if (status != RF_OK && status != RF_E_PIPE) {
        rf_log(RF_LOG_ERROR, "%s", err.text);
        return RF_EXIT_FAILURE;
    }
    return RF_EXIT_DONE;
}
