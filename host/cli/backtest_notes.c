#include "backtest_notes.h"

#include <inttypes.h>

#include "duration.h"
#include "figure.h"
#include "visible_text.h"

/* Values that are no numbers, with the first of them, and hits without a change. */
static enum rf_status forward_notes(const struct rf_backtest *backtest, const struct rf_outcome *outcome, struct rf_text *out,
                                    struct rf_error *err)
{
    char figure[RF_FIGURE_BYTES];
    struct rf_tally_place place;
    const struct rf_forward_tally *forward = &outcome->forward;
    const enum rf_forward_kind kind = rf_backtest_wrong_value(backtest, &place);
    if (kind != RF_FORWARD_NUMBER) {
        RF_TRY(rf_text_printf(out, err, "riffle: %s record%s a --value that is no number; the first is %s, of the record at byte %" PRIu64 " of ",
                              rf_figure_exact(figure, forward->values.wrong), forward->values.wrong == 1 ? " has" : "s have",
                              kind == RF_FORWARD_NOT_FINITE ? "not finite" : "of another type", place.offset));
        RF_TRY(rf_visible_append(out, outcome->input[place.input], err));
        RF_TRY(rf_text_append_char(out, '\n', err));
    }
    for (int why = 0; why < RF_FORWARD_WITHOUTS; why++) {
        uint64_t hits = 0;
        for (uint32_t r = 0; r < outcome->rules; r++) {
            hits += forward->without[why][r];
        }
        if (hits != 0) {
            RF_TRY(rf_text_printf(out, err, "riffle: %s hit%s without a change of --value: %s\n", rf_figure_exact(figure, hits),
                                  hits == 1 ? "" : "s", rf_forward_without_what[why]));
        }
    }
    return RF_OK;
}

/* Text from records and their names reaches a terminal. */
static enum rf_status mishap_write(const struct rf_mishap *mishap, struct rf_text *out, struct rf_error *err)
{
    RF_TRY(rf_visible_append(out, rf_str_of(mishap->name), err));
    RF_TRY(mishap->number != 0 ? rf_text_printf(out, err, ":%" PRIu64 ": ", mishap->number)
                               : rf_text_printf(out, err, " at byte %" PRIu64 ": ", mishap->offset));
    RF_TRY(rf_visible_append(out, rf_str_of(mishap->reason), err));
    return rf_text_append_char(out, '\n', err);
}

/* Why rules were errors: those that were so most often, of which there is an example. */
static enum rf_status errors_write(const struct rf_backtest *backtest, const struct rf_outcome *outcome, struct rf_text *out,
                                   struct rf_error *err)
{
    enum { SHOWN = 3 };
    const struct rf_mishaps *mishaps = rf_backtest_mishaps(backtest);
    const uint64_t *errors = outcome->tally.errors;
    bool is_told[RF_MISHAPS_MAX] = {false};
    char figure[RF_FIGURE_BYTES];
    for (int shown = 0; shown < SHOWN; shown++) {
        uint32_t most = RF_MISHAPS_MAX;
        for (uint32_t i = 0; i < mishaps->items; i++) {
            const uint32_t rule = mishaps->item[i].subject;
            if (rule < outcome->rules && !is_told[i] &&
                (most == RF_MISHAPS_MAX || errors[rule] > errors[mishaps->item[most].subject] ||
                 (errors[rule] == errors[mishaps->item[most].subject] && rule < mishaps->item[most].subject))) {
                most = i;
            }
        }
        if (most == RF_MISHAPS_MAX) {
            return RF_OK;
        }
        const struct rf_mishap *mishap = &mishaps->item[most];
        is_told[most] = true;
        RF_TRY(rf_text_append(out, RF_STR("riffle: rule '"), err));
        RF_TRY(rf_visible_append(out, outcome->rule[mishap->subject].name, err));
        RF_TRY(rf_text_printf(out, err, "' is an error in %s record%s, as in ", rf_figure_exact(figure, errors[mishap->subject]),
                              errors[mishap->subject] == 1 ? "" : "s"));
        RF_TRY(mishap_write(mishap, out, err));
    }
    return RF_OK;
}

static enum rf_status projection_write(const struct rf_backtest *backtest, uint32_t subject, const char *what, struct rf_text *out,
                                       struct rf_error *err)
{
    const struct rf_mishap *mishap = rf_mishaps_find(rf_backtest_mishaps(backtest), subject);
    if (mishap == NULL) {
        return RF_OK;
    }
    RF_TRY(rf_text_printf(out, err, "  %s in ", what));
    return mishap_write(mishap, out, err);
}

enum rf_status rf_backtest_notes_write(const struct rf_backtest *backtest, const struct rf_outcome *outcome, struct rf_text *out,
                                  struct rf_error *err)
{
    char figure[RF_FIGURE_BYTES];
    const struct rf_tally *tally = &outcome->tally;
    if (tally->has_time && tally->timeless != 0) {
        RF_TRY(rf_text_printf(out, err, "riffle: %s record%s no event time: hits of such are in no bucket\n",
                              rf_figure_exact(figure, tally->timeless), tally->timeless == 1 ? " has" : "s have"));
        RF_TRY(projection_write(backtest, RF_MISHAP_TIME, "--time", out, err));
    }
    const struct rf_label_tally *label = &outcome->label;
    if (label->hits_true != NULL && label->records_true + label->records_false == 0 && tally->records != 0) {
        RF_TRY(rf_text_append(out, RF_STR("riffle: --label is neither true nor false in any record\n"), err));
        RF_TRY(projection_write(backtest, RF_MISHAP_LABEL, "--label", out, err));
    }
    RF_TRY(errors_write(backtest, outcome, out, err));
    if (outcome->disorder != 0) {
        RF_TRY(rf_text_printf(out, err, "riffle: %s record%s earlier than the record before\n",
                              rf_figure_exact(figure, outcome->disorder), outcome->disorder == 1 ? " is" : "s are"));
    }
    if (tally->by_ns != 0 && tally->timeline.width_ns != tally->by_ns) {
        char width[RF_DURATION_TEXT_MAX];
        RF_TRY(rf_text_printf(out, err, "riffle: --by made too many buckets: they are %.*s wide\n",
                              (int)rf_duration_write(tally->timeline.width_ns, width), width));
    }
    const uint64_t evicted = rf_backtest_evicted(backtest);
    if (evicted != 0) {
        RF_TRY(rf_text_printf(out, err,
                              "riffle: %s keys were forgotten for want of memory (--state-memory): their rules began anew\n",
                              rf_figure_exact(figure, evicted)));
    }
    return outcome->forward.moments == NULL ? RF_OK : forward_notes(backtest, outcome, out, err);
}
