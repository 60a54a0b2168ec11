/* outcome_write.c: an outcome as JSON lines and as csv. */
#include <inttypes.h>
#include <math.h>

#include "duration.h"
#include "event_time.h"
#include "forward_json.h"
#include "json_text.h"
#include "number.h"
#include "outcome.h"
#include "value.h"

static enum rf_status duration_append(struct rf_text *out, int64_t ns, struct rf_error *err)
{
    char text[RF_DURATION_TEXT_MAX];
    return rf_text_append(out, (struct rf_str){text, rf_duration_write(ns, text)}, err);
}

static enum rf_status time_append(struct rf_text *out, int64_t ns, struct rf_error *err)
{
    char text[RF_EVENT_TIME_TEXT_MAX];
    return rf_text_append(out, (struct rf_str){text, rf_event_time_write(ns, text)}, err);
}

/* ,"name":"2026-01-31T12:00:00Z", or null. */
static enum rf_status time_member(struct rf_text *out, const char *name, int64_t ns, struct rf_error *err)
{
    RF_TRY(rf_text_printf(out, err, ",\"%s\":", name));
    if (ns == RF_TALLY_NEVER) {
        return rf_text_append(out, RF_STR("null"), err);
    }
    RF_TRY(rf_text_append_char(out, '"', err));
    RF_TRY(time_append(out, ns, err));
    return rf_text_append_char(out, '"', err);
}

static enum rf_status place_member(const struct rf_outcome *outcome, struct rf_text *out, const char *name,
                                   struct rf_tally_place place, struct rf_error *err)
{
    RF_TRY(rf_text_printf(out, err, ",\"%s\":", name));
    if (place.input == UINT32_MAX) {
        return rf_text_append(out, RF_STR("null"), err);
    }
    RF_TRY(rf_text_printf(out, err, "{\"input\":%" PRIu32 ",\"file\":", place.input));
    RF_TRY(rf_json_quote(out, outcome->input[place.input], err));
    return rf_text_printf(out, err, ",\"offset\":%" PRIu64 "}", place.offset);
}

static enum rf_status timeline_member(const struct rf_timeline *timeline, int64_t by_ns, uint32_t rule, struct rf_text *out,
                                      struct rf_error *err)
{
    RF_TRY(rf_text_append(out, RF_STR(",\"by\":\""), err));
    RF_TRY(duration_append(out, timeline->width_ns, err));
    RF_TRY(rf_text_append(out, RF_STR("\",\"by_asked\":\""), err));
    RF_TRY(by_ns == 0 ? rf_text_append(out, RF_STR("auto"), err) : duration_append(out, by_ns, err));
    RF_TRY(rf_text_append(out, RF_STR("\",\"timeline\":["), err));
    bool is_first = true;
    for (uint32_t i = 0; i < timeline->buckets; i++) {
        const uint64_t hits = timeline->count[i] != NULL ? timeline->count[i][rule] : 0;
        if (hits == 0) {
            continue;
        }
        RF_TRY(rf_text_append(out, is_first ? RF_STR("[\"") : RF_STR(",[\""), err));
        RF_TRY(time_append(out, rf_timeline_begin(timeline, i), err));
        RF_TRY(rf_text_printf(out, err, "\",%" PRIu64 "]", hits));
        is_first = false;
    }
    return rf_text_append_char(out, ']', err);
}

static enum rf_status ratio_member(struct rf_text *out, const char *name, bool has_value, double value,
                                   struct rf_error *err)
{
    char text[RF_NUMBER_TEXT_MAX];
    RF_TRY(rf_text_printf(out, err, ",\"%s\":", name));
    return has_value ? rf_text_append(out, (struct rf_str){text, rf_double_to_text(value, text)}, err)
                     : rf_text_append(out, RF_STR("null"), err);
}

static enum rf_status label_members(const struct rf_label_tally *label, uint32_t rule, struct rf_text *out,
                                    struct rf_error *err)
{
    double value = 0;
    const bool has_precision = rf_label_precision(label, rule, &value);
    RF_TRY(ratio_member(out, "precision", has_precision, value, err));
    const bool has_recall = rf_label_recall(label, rule, &value);
    RF_TRY(ratio_member(out, "recall", has_recall, value, err));
    return rf_text_printf(out, err,
                          ",\"label\":{\"hits_true\":%" PRIu64 ",\"hits_false\":%" PRIu64 ",\"records_true\":%" PRIu64
                          ",\"records_false\":%" PRIu64 "}",
                          label->hits_true[rule], label->hits_false[rule], label->records_true, label->records_false);
}

static enum rf_status overlap_member(const struct rf_overlap *overlap, uint32_t rule, struct rf_text *out,
                                     struct rf_error *err)
{
    RF_TRY(rf_text_append(out, RF_STR(",\"overlap\":["), err));
    for (uint32_t r = 0; r < rule; r++) {
        RF_TRY(r == 0 ? RF_OK : rf_text_append_char(out, ',', err));
        RF_TRY(rf_text_append_number(out, *rf_overlap_at(overlap, rule, r), err));
    }
    return rf_text_append_char(out, ']', err);
}

/* What the run saw, the same in each line. */
static enum rf_status run_members(const struct rf_outcome *outcome, struct rf_text *out, struct rf_error *err)
{
    RF_TRY(rf_text_printf(out, err, ",\"read\":%" PRIu64 ",\"malformed\":%" PRIu64 ",\"blank\":%" PRIu64, outcome->read,
                          outcome->malformed, outcome->blank));
    RF_TRY(outcome->input_count == 0 ? RF_OK : rf_text_printf(out, err, ",\"inputs\":%" PRIu32, outcome->input_count));
    RF_TRY(rf_outcome_part_write(&outcome->part, out, err));
    if (!outcome->tally.has_time) {
        return RF_OK;
    }
    RF_TRY(rf_text_printf(out, err, ",\"timeless\":%" PRIu64 ",\"disorder\":%" PRIu64, outcome->tally.timeless,
                          outcome->disorder));
    RF_TRY(time_member(out, "begin", outcome->tally.begin_ns, err));
    RF_TRY(time_member(out, "end", outcome->tally.end_ns, err));
    RF_TRY(time_member(out, "head", outcome->first_time, err));
    return time_member(out, "tail", outcome->last_time, err);
}

static enum rf_status rule_write(const struct rf_outcome *outcome, uint32_t rule, struct rf_text *out,
                                 struct rf_error *err)
{
    const struct rf_tally *tally = &outcome->tally;
    const struct rf_outcome_rule *about = &outcome->rule[rule];
    RF_TRY(rf_text_append(out, RF_STR("{\"rule\":"), err));
    RF_TRY(rf_json_quote(out, about->name, err));
    RF_TRY(rf_text_printf(out, err, ",\"hits\":%" PRIu64 ",\"errors\":%" PRIu64, rf_tally_hits(tally, rule),
                          tally->errors[rule]));
    RF_TRY(time_member(out, "first", tally->first_ns[rule], err));
    RF_TRY(time_member(out, "last", tally->last_ns[rule], err));
    RF_TRY(place_member(outcome, out, "first_at", tally->first_at[rule], err));
    RF_TRY(place_member(outcome, out, "last_at", tally->last_at[rule], err));
    if (about->about.count != 0) {
        RF_TRY(rf_text_append_char(out, ',', err));
        RF_TRY(rf_text_append(out, about->about, err));
    }
    if (outcome->label.hits_true != NULL) {
        RF_TRY(label_members(&outcome->label, rule, out, err));
    }
    if (outcome->overlap.both != NULL) {
        RF_TRY(overlap_member(&outcome->overlap, rule, out, err));
    }
    if (outcome->forward.moments != NULL) {
        RF_TRY(rf_forward_write_json(&outcome->forward, rule, out, err));
    }
    if (tally->has_time) {
        RF_TRY(timeline_member(&tally->timeline, tally->by_ns, rule, out, err));
    }
    RF_TRY(run_members(outcome, out, err));
    return rf_text_append(out, RF_STR("}\n"), err);
}

enum rf_status rf_outcome_write_json(const struct rf_outcome *outcome, struct rf_text *out, struct rf_error *err)
{
    for (uint32_t r = 0; r < outcome->rules; r++) {
        RF_TRY(rule_write(outcome, r, out, err));
    }
    return RF_OK;
}

static enum rf_status csv_time(struct rf_text *out, int64_t ns, struct rf_error *err)
{
    RF_TRY(rf_text_append_char(out, ',', err));
    return ns == RF_TALLY_NEVER ? RF_OK : time_append(out, ns, err);
}

static enum rf_status csv_number(struct rf_text *out, bool has_value, double value, struct rf_error *err)
{
    char text[RF_NUMBER_TEXT_MAX];
    RF_TRY(rf_text_append_char(out, ',', err));
    return has_value ? rf_text_append(out, (struct rf_str){text, rf_double_to_text(value, text)}, err) : RF_OK;
}

static enum rf_status forward_head(struct rf_text *out, struct rf_error *err)
{
    RF_TRY(rf_text_append(out, RF_STR(",evaluated"), err));
    for (int kind = 0; kind < RF_FORWARD_WITHOUTS; kind++) {
        RF_TRY(rf_text_printf(out, err, ",%s", rf_forward_without_name[kind]));
    }
    RF_TRY(rf_text_append(out, RF_STR(",mean,std,min"), err));
    for (unsigned q = 0; q < RF_SKETCH_QUANTILES; q++) {
        RF_TRY(rf_text_printf(out, err, ",p%u", rf_sketch_percent[q]));
    }
    return rf_text_append(out, RF_STR(",max,hit_rate"), err);
}

static enum rf_status forward_row(const struct rf_forward_tally *tally, uint32_t rule, struct rf_text *out, struct rf_error *err)
{
    const struct rf_forward_figures figures = rf_forward_figures_of(tally, rule);
    const bool has_any = figures.count != 0;
    RF_TRY(rf_text_printf(out, err, ",%" PRIu64, figures.count));
    for (int kind = 0; kind < RF_FORWARD_WITHOUTS; kind++) {
        RF_TRY(rf_text_printf(out, err, ",%" PRIu64, tally->without[kind][rule]));
    }
    RF_TRY(csv_number(out, has_any, figures.mean, err));
    RF_TRY(csv_number(out, has_any && !isnan(figures.deviation), figures.deviation, err));
    RF_TRY(csv_number(out, has_any, figures.least, err));
    for (unsigned q = 0; q < RF_SKETCH_QUANTILES; q++) {
        RF_TRY(csv_number(out, has_any, figures.quantile[q], err));
    }
    RF_TRY(csv_number(out, has_any, figures.most, err));
    return csv_number(out, has_any, figures.up, err);
}

enum rf_status rf_outcome_write_csv(const struct rf_outcome *outcome, struct rf_text *out, struct rf_error *err)
{
    const struct rf_tally *tally = &outcome->tally;
    const bool has_label = outcome->label.hits_true != NULL;
    RF_TRY(rf_text_append(out, RF_STR("rule,hits,errors,first,last,read,malformed"), err));
    RF_TRY(rf_text_append(out, has_label ? RF_STR(",precision,recall") : RF_STR(""), err));
    RF_TRY(outcome->forward.moments == NULL ? RF_OK : forward_head(out, err));
    RF_TRY(rf_text_append(out, RF_STR("\r\n"), err));
    for (uint32_t r = 0; r < outcome->rules; r++) {
        double value = 0;
        RF_TRY(rf_value_write_csv(out, rf_value_string(outcome->rule[r].name), err));
        RF_TRY(rf_text_printf(out, err, ",%" PRIu64 ",%" PRIu64, rf_tally_hits(tally, r), tally->errors[r]));
        RF_TRY(csv_time(out, tally->first_ns[r], err));
        RF_TRY(csv_time(out, tally->last_ns[r], err));
        RF_TRY(rf_text_printf(out, err, ",%" PRIu64 ",%" PRIu64, outcome->read, outcome->malformed));
        if (has_label) {
            const bool has_precision = rf_label_precision(&outcome->label, r, &value);
            RF_TRY(csv_number(out, has_precision, value, err));
            const bool has_recall = rf_label_recall(&outcome->label, r, &value);
            RF_TRY(csv_number(out, has_recall, value, err));
        }
        RF_TRY(outcome->forward.moments == NULL ? RF_OK : forward_row(&outcome->forward, r, out, err));
        RF_TRY(rf_text_append(out, RF_STR("\r\n"), err));
    }
    return RF_OK;
}
