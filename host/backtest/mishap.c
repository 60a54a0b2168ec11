#include "mishap.h"

#include <stdio.h>

#include "round.h"

const struct rf_mishap *rf_mishaps_find(const struct rf_mishaps *mishaps, uint32_t subject)
{
    for (uint32_t i = 0; i < mishaps->items; i++) {
        if (mishaps->item[i].subject == subject) {
            return &mishaps->item[i];
        }
    }
    return NULL;
}

static void item_add(struct rf_mishaps *mishaps, const struct rf_round *round, uint32_t subject, uint32_t row,
                     struct rf_str reason)
{
    const struct rf_worker *worker = round->worker;
    const struct rf_where where = rf_row_where(&worker->batch, &worker->rows, row);
    struct rf_mishap *item = &mishaps->item[mishaps->items++];
    *item = (struct rf_mishap){
        .subject = subject, .input = worker->batch.input, .offset = where.offset, .number = where.number};
    (void)snprintf(item->name, sizeof item->name, "%s", where.input_name);
    (void)snprintf(item->reason, sizeof item->reason, "%.*s",
                   (int)(reason.count < sizeof item->reason ? reason.count : sizeof item->reason - 1), reason.data);
}

/* The interpreter with the row in it. False: it is not to be asked any more. */
static bool row_ask(struct rf_mishaps *mishaps, const struct rf_round *round, uint32_t row)
{
    struct rf_malformed malformed;
    struct rf_error err;
    return mishaps->looks++ < RF_MISHAP_LOOKS_MAX &&
           rf_worker_read_row(round->worker, row, &malformed, &err) == RF_OK && malformed.reason == RF_REASON_NONE;
}

static void rule_look(struct rf_mishaps *mishaps, const struct rf_round *round, uint32_t rule)
{
    for (uint32_t row = 0; row < round->worker->rows.rows; row++) {
        if (!rf_bit_get(round->live, row)) {
            continue;
        }
        if (!row_ask(mishaps, round, row)) {
            return;
        }
        if (rf_interp_predicate(round->worker->interp, rule) == RF_TRUTH_ERROR) {
            item_add(mishaps, round, rule, row, rf_interp_error(round->worker->interp));
            return;
        }
    }
}

/* Of a row without it: an error, or a value that is none. */
static void projection_look(struct rf_mishaps *mishaps, const struct rf_round *round, uint32_t subject, uint32_t projection,
                            uint32_t row)
{
    char text[RF_MISHAP_TEXT_MAX];
    if (!row_ask(mishaps, round, row)) {
        return;
    }
    const struct rf_value value = rf_interp_project(round->worker->interp, projection);
    if (value.type == RF_TYPE_ERROR) {
        item_add(mishaps, round, subject, row, value.text);
        return;
    }
    const bool is_time = subject == RF_MISHAP_TIME;
    const int count = snprintf(text, sizeof text, "it is of type %s%s", rf_type_name(value.type),
                               !is_time                        ? ", and a label is true or false"
                               : value.type == RF_TYPE_STRING  ? ", and no such text as 2026-01-31T12:00:00Z"
                               : rf_value_is_number(value)     ? ", and no time in that unit"
                                                               : "");
    item_add(mishaps, round, subject, row, (struct rf_str){text, (size_t)count});
}

static void time_look(struct rf_mishaps *mishaps, const struct rf_round *round)
{
    for (uint32_t row = 0; row < round->worker->rows.rows; row++) {
        if (rf_bit_get(round->live, row) && round->time_ns[row] == RF_TALLY_UNTIMED) {
            projection_look(mishaps, round, RF_MISHAP_TIME, round->options->time, row);
            return;
        }
    }
}

static void label_look(struct rf_mishaps *mishaps, const struct rf_round *round)
{
    for (uint32_t row = 0; row < round->worker->rows.rows; row++) {
        if (rf_bit_get(round->live, row) && !rf_bit_get(round->label_true, row) && !rf_bit_get(round->label_false, row)) {
            projection_look(mishaps, round, RF_MISHAP_LABEL, round->options->label, row);
            return;
        }
    }
}

void rf_mishaps_look(struct rf_mishaps *mishaps, const struct rf_round *round)
{
    const struct rf_round_options *options = round->options;
    if (options->rules == 0 || mishaps->items == RF_MISHAPS_MAX || mishaps->looks >= RF_MISHAP_LOOKS_MAX || round->worker->batch.is_oversize) {
        return;
    }
    if (round->time_ns != NULL && round->tally.timeless != 0 && rf_mishaps_find(mishaps, RF_MISHAP_TIME) == NULL) {
        time_look(mishaps, round);
    }
    if (options->label != RF_NONE && mishaps->items < RF_MISHAPS_MAX && rf_mishaps_find(mishaps, RF_MISHAP_LABEL) == NULL) {
        label_look(mishaps, round);
    }
    for (uint32_t r = 0; r < options->rules && mishaps->items < RF_MISHAPS_MAX; r++) {
        if (round->tally.errors[r] != 0 && rf_mishaps_find(mishaps, r) == NULL) {
            rule_look(mishaps, round, r);
        }
    }
}

static bool is_before(const struct rf_mishap *a, const struct rf_mishap *b)
{
    return a->input != b->input ? a->input < b->input : a->offset < b->offset;
}

void rf_mishaps_merge(struct rf_mishaps *mishaps, const struct rf_mishaps *from)
{
    for (uint32_t i = 0; i < from->items; i++) {
        const struct rf_mishap *item = &from->item[i];
        uint32_t at = 0;
        while (at < mishaps->items && mishaps->item[at].subject != item->subject) {
            at++;
        }
        if (at == RF_MISHAPS_MAX || (at < mishaps->items && is_before(&mishaps->item[at], item))) {
            continue;
        }
        mishaps->item[at] = *item;
        mishaps->items += at == mishaps->items;
    }
}
