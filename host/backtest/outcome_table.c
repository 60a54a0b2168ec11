/* outcome_table.c: an outcome as a table for people. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "event_time.h"
#include "outcome.h"
#include "rule_rank.h"
#include "visible_text.h"

enum {
    NAME_MIN = 16,     /* columns that the name of a rule gets at least */
    NAME_MAX = 60,     /* and at most when the width is not known */
    SPARK_COLUMNS = 24,
    GAP = 2,
    TIME_COLUMNS = 19, /* 2026-01-31 12:00:00 */
    COUNT_COLUMNS = 13,
    NUMBER_COLUMNS = 4,
    RATIO_COLUMNS = 9,
    FORWARD_COLUMNS = 10,
    FORWARD_CELLS = 7
};

static const char *const forward_title[FORWARD_CELLS] = {"EVALUATED", "MEAN", "STD", "P5", "P50", "P95", "HIT RATE"};

struct layout {
    const struct rf_outcome *outcome;
    size_t name_columns;
    bool has_errors, has_time, has_label, has_forward, has_color;
    uint32_t sparks;      /* columns of the sparkline */
    uint64_t per_spark;   /* buckets in each */
    struct rf_text cell;  /* scratch */
};

static enum rf_status blanks(struct rf_text *out, size_t count, struct rf_error *err)
{
    for (size_t i = 0; i < count; i++) {
        RF_TRY(rf_text_append_char(out, ' ', err));
    }
    return RF_OK;
}

static enum rf_status right(struct rf_text *out, struct rf_str text, size_t columns, struct rf_error *err)
{
    RF_TRY(blanks(out, GAP + (columns > text.count ? columns - text.count : 0), err));
    return rf_text_append(out, text, err);
}

static enum rf_status count_cell_of(struct rf_text *out, uint64_t count, size_t columns, struct rf_error *err)
{
    char digits[32];
    char text[48];
    const int length = snprintf(digits, sizeof digits, "%" PRIu64, count);
    size_t used = 0;
    for (int i = 0; i < length; i++) {
        if (i != 0 && (length - i) % 3 == 0) {
            text[used++] = ',';
        }
        text[used++] = digits[i];
    }
    return right(out, (struct rf_str){text, used}, columns, err);
}

static enum rf_status count_cell(struct rf_text *out, uint64_t count, struct rf_error *err)
{
    return count_cell_of(out, count, COUNT_COLUMNS, err);
}

static enum rf_status ratio_cell(struct rf_text *out, bool has_value, double value, const char *unit,
                                 struct rf_error *err)
{
    char text[32] = "-";
    const int length = has_value ? snprintf(text, sizeof text, "%.*f%s", unit[0] == '%' ? 2 : 4, value, unit) : 1;
    return right(out, (struct rf_str){text, (size_t)length}, RATIO_COLUMNS, err);
}

/* 2026-01-31 12:00:00: without fraction and zone, which the json form has. */
static enum rf_status time_cell(struct rf_text *out, int64_t ns, struct rf_error *err)
{
    char text[RF_EVENT_TIME_TEXT_MAX] = "-";
    size_t count = 1;
    if (ns != RF_TALLY_NEVER) {
        count = rf_event_time_write(ns, text);
        count = count < TIME_COLUMNS ? count : TIME_COLUMNS;
        text[10] = ' ';
    }
    return right(out, (struct rf_str){text, count}, TIME_COLUMNS, err);
}

/* Code points stand for columns. */
static size_t columns_of(struct rf_str text)
{
    size_t columns = 0;
    for (size_t i = 0; i < text.count; i++) {
        columns += ((unsigned char)text.data[i] & 0xc0) != 0x80;
    }
    return columns;
}

static enum rf_status name_cell(struct layout *layout, struct rf_str name, struct rf_text *out, struct rf_error *err)
{
    rf_text_clear(&layout->cell);
    RF_TRY(rf_visible_append(&layout->cell, name, err));
    struct rf_str text = rf_text_str(&layout->cell);
    const size_t columns = columns_of(text);
    if (columns <= layout->name_columns) {
        RF_TRY(rf_text_append(out, text, err));
        return blanks(out, layout->name_columns - columns, err);
    }
    size_t at = 0;
    for (size_t kept = 0; at < text.count; at++) {
        kept += ((unsigned char)text.data[at] & 0xc0) != 0x80;
        if (kept == layout->name_columns) {
            break;
        }
    }
    RF_TRY(rf_text_append(out, (struct rf_str){text.data, at}, err));
    return rf_text_append(out, RF_STR("…"), err);
}

/* Hits of the buckets in each column, eight heights by the highest of the rule. */
static enum rf_status spark_cell(const struct layout *layout, uint32_t rule, struct rf_text *out, struct rf_error *err)
{
    static const char *const height[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    enum { HEIGHTS = sizeof height / sizeof height[0] - 1 };
    const struct rf_timeline *timeline = &layout->outcome->tally.timeline;
    uint64_t sum[SPARK_COLUMNS] = {0};
    uint64_t most = 0;
    for (uint32_t i = 0; i < timeline->buckets; i++) {
        const uint64_t column = i / layout->per_spark;
        sum[column] += timeline->count[i] != NULL ? timeline->count[i][rule] : 0;
        most = sum[column] > most ? sum[column] : most;
    }
    RF_TRY(blanks(out, GAP, err));
    for (uint32_t c = 0; c < layout->sparks; c++) {
        const double part = most == 0 ? 0 : (double)sum[c] / (double)most * HEIGHTS;
        const unsigned level = sum[c] == 0 ? 0 : part < 1 ? 1 : (unsigned)part;
        RF_TRY(rf_text_append(out, rf_str_of(height[level]), err));
    }
    return RF_OK;
}

/* What a change was: of relative ones percent. */
static enum rf_status change_cell(const struct rf_forward_tally *tally, bool has_value, double value, struct rf_text *out,
                                  struct rf_error *err)
{
    char text[RF_CHANGE_TEXT_MAX] = "-";
    const size_t count = has_value && !isnan(value) ? rf_change_text(value, tally->settings.is_absolute, text) : 1;
    return right(out, (struct rf_str){text, count}, FORWARD_COLUMNS, err);
}

static enum rf_status forward_cells(const struct rf_forward_tally *tally, uint32_t rule, struct rf_text *out, struct rf_error *err)
{
    const struct rf_forward_figures figures = rf_forward_figures_of(tally, rule);
    const bool has_any = figures.count != 0;
    char text[32] = "-";
    RF_TRY(count_cell_of(out, figures.count, FORWARD_COLUMNS, err));
    RF_TRY(change_cell(tally, has_any, figures.mean, out, err));
    RF_TRY(change_cell(tally, has_any, figures.deviation, out, err));
    RF_TRY(change_cell(tally, has_any, figures.quantile[0], out, err));
    RF_TRY(change_cell(tally, has_any, figures.quantile[RF_SKETCH_QUANTILES / 2], out, err));
    RF_TRY(change_cell(tally, has_any, figures.quantile[RF_SKETCH_QUANTILES - 1], out, err));
    const int length = has_any ? snprintf(text, sizeof text, "%.2f%%", 100 * figures.up) : 1;
    return right(out, (struct rf_str){text, (size_t)length}, FORWARD_COLUMNS, err);
}

static enum rf_status head_write(struct layout *layout, struct rf_text *out, struct rf_error *err)
{
    if (layout->has_color) {
        RF_TRY(rf_text_append(out, RF_STR("\033[1m"), err));
    }
    RF_TRY(name_cell(layout, RF_STR("RULE"), out, err));
    RF_TRY(right(out, RF_STR("HITS"), COUNT_COLUMNS, err));
    RF_TRY(right(out, RF_STR("OF ALL"), RATIO_COLUMNS, err));
    if (layout->has_errors) {
        RF_TRY(right(out, RF_STR("ERRORS"), COUNT_COLUMNS, err));
    }
    if (layout->has_label) {
        RF_TRY(right(out, RF_STR("PRECISION"), RATIO_COLUMNS, err));
        RF_TRY(right(out, RF_STR("RECALL"), RATIO_COLUMNS, err));
    }
    for (unsigned c = 0; layout->has_forward && c < FORWARD_CELLS; c++) {
        RF_TRY(right(out, rf_str_of(forward_title[c]), FORWARD_COLUMNS, err));
    }
    if (layout->has_time) {
        RF_TRY(right(out, RF_STR("FIRST"), TIME_COLUMNS, err));
        RF_TRY(right(out, RF_STR("LAST"), TIME_COLUMNS, err));
        if (layout->sparks != 0) {
            RF_TRY(blanks(out, GAP, err));
            RF_TRY(rf_text_append(out, RF_STR("HITS OVER TIME"), err));
        }
    }
    return rf_text_append(out, layout->has_color ? RF_STR("\033[0m\n") : RF_STR("\n"), err);
}

static enum rf_status row_write(struct layout *layout, const struct rf_rule_rank *shown, struct rf_text *out,
                                struct rf_error *err)
{
    const struct rf_outcome *outcome = layout->outcome;
    const struct rf_tally *tally = &outcome->tally;
    double value = 0;
    RF_TRY(name_cell(layout, outcome->rule[shown->rule].name, out, err));
    RF_TRY(count_cell(out, shown->hits, err));
    RF_TRY(ratio_cell(out, tally->records != 0, 100.0 * (double)shown->hits / (double)tally->records, "%", err));
    if (layout->has_errors) {
        RF_TRY(count_cell(out, tally->errors[shown->rule], err));
    }
    if (layout->has_label) {
        const bool has_precision = rf_label_precision(&outcome->label, shown->rule, &value);
        RF_TRY(ratio_cell(out, has_precision, value, "", err));
        const bool has_recall = rf_label_recall(&outcome->label, shown->rule, &value);
        RF_TRY(ratio_cell(out, has_recall, value, "", err));
    }
    if (layout->has_forward) {
        RF_TRY(forward_cells(&outcome->forward, shown->rule, out, err));
    }
    if (layout->has_time) {
        RF_TRY(time_cell(out, tally->first_ns[shown->rule], err));
        RF_TRY(time_cell(out, tally->last_ns[shown->rule], err));
        if (layout->sparks != 0) {
            RF_TRY(spark_cell(layout, shown->rule, out, err));
        }
    }
    while (out->count != 0 && out->data[out->count - 1] == ' ') {
        out->count--;
    }
    return rf_text_append_char(out, '\n', err);
}

/* Of all columns but the name. */
static size_t others_columns(const struct layout *layout)
{
    return GAP + COUNT_COLUMNS + GAP + RATIO_COLUMNS + (layout->has_errors ? GAP + COUNT_COLUMNS : 0u) +
           (layout->has_label ? 2u * (GAP + RATIO_COLUMNS) : 0u) +
           (layout->has_forward ? FORWARD_CELLS * (GAP + FORWARD_COLUMNS) : 0u) +
           (layout->has_time ? 2u * (GAP + TIME_COLUMNS) : 0u) + (layout->sparks != 0 ? GAP + layout->sparks : 0u);
}

static void layout_fill(struct layout *layout, const struct rf_rule_rank *shown, uint32_t count,
                        struct rf_outcome_table table)
{
    const struct rf_outcome *outcome = layout->outcome;
    const uint32_t buckets = outcome->tally.timeline.buckets;
    size_t longest = NAME_MIN;
    for (uint32_t i = 0; i < count; i++) {
        const size_t columns = columns_of(outcome->rule[shown[i].rule].name);
        longest = columns > longest ? columns : longest;
        layout->has_errors = layout->has_errors || outcome->tally.errors[shown[i].rule] != 0;
    }
    layout->has_color = table.has_color;
    layout->has_time = outcome->tally.has_time;
    layout->has_label = outcome->label.hits_true != NULL;
    layout->has_forward = outcome->forward.moments != NULL;
    layout->sparks = buckets < 2 ? 0 : buckets < SPARK_COLUMNS ? buckets : SPARK_COLUMNS;
    if (layout->sparks != 0) {
        layout->per_spark = (buckets + layout->sparks - 1) / layout->sparks;
        layout->sparks = (uint32_t)((buckets + layout->per_spark - 1) / layout->per_spark);
    }
    /* Names tell variants apart, so on a narrow terminal other columns go first. */
    const size_t wanted = longest < NAME_MAX ? longest : NAME_MAX;
    if (table.columns != 0 && others_columns(layout) + wanted > table.columns) {
        layout->sparks = 0;
    }
    if (table.columns != 0 && others_columns(layout) + wanted > table.columns) {
        layout->has_time = false;
    }
    const size_t others = others_columns(layout);
    const size_t room = table.columns == 0           ? NAME_MAX
                        : table.columns > others + NAME_MIN ? table.columns - others
                                                            : NAME_MIN;
    layout->name_columns = longest < room ? longest : room;
}

/* The rules with the most hits against each other, by their numbers in the table. */
static enum rf_status pairs_write(struct layout *layout, const struct rf_rule_rank *shown, uint32_t count,
                                  struct rf_text *out, struct rf_error *err)
{
    RF_TRY(rf_text_append(out, RF_STR("\nRecords that two rules hit both\n"), err));
    RF_TRY(blanks(out, NUMBER_COLUMNS + layout->name_columns, err));
    for (uint32_t c = 0; c < count; c++) {
        char number[16];
        const int length = snprintf(number, sizeof number, "%" PRIu32, c + 1);
        RF_TRY(right(out, (struct rf_str){number, (size_t)length}, COUNT_COLUMNS, err));
    }
    RF_TRY(rf_text_append_char(out, '\n', err));
    for (uint32_t r = 0; r < count; r++) {
        RF_TRY(rf_text_printf(out, err, "%*" PRIu32 " ", NUMBER_COLUMNS - 1, r + 1));
        RF_TRY(name_cell(layout, layout->outcome->rule[shown[r].rule].name, out, err));
        for (uint32_t c = 0; c <= r; c++) {
            RF_TRY(count_cell(out, c == r ? shown[r].hits
                                          : *rf_overlap_at(&layout->outcome->overlap, shown[r].rule, shown[c].rule),
                              err));
        }
        RF_TRY(rf_text_append_char(out, '\n', err));
    }
    return RF_OK;
}

enum rf_status rf_outcome_write_table(const struct rf_outcome *outcome, struct rf_outcome_table table,
                                      struct rf_text *out, struct rf_error *err)
{
    struct rf_rule_rank *shown;
    RF_TRY(rf_rule_ranks(outcome, &shown, err));
    const uint32_t count = table.top == 0 || table.top > outcome->rules ? outcome->rules : table.top;
    struct layout layout = {.outcome = outcome};
    layout_fill(&layout, shown, count, table);
    enum rf_status status = head_write(&layout, out, err);
    for (uint32_t i = 0; status == RF_OK && i < count; i++) {
        status = row_write(&layout, &shown[i], out, err);
    }
    if (status == RF_OK && count < outcome->rules) {
        status = rf_text_printf(out, err, "... and %" PRIu32 " rule%s with fewer hits (--top 0 shows all)\n",
                                outcome->rules - count, outcome->rules - count == 1 ? "" : "s");
    }
    if (status == RF_OK && outcome->overlap.both != NULL) {
        status = pairs_write(&layout, shown, table.overlap < outcome->rules ? table.overlap : outcome->rules, out, err);
    }
    free(shown);
    rf_text_free(&layout.cell);
    return status;
}
