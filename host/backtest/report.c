#include "report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "event_time.h"
#include "report_forward.h"
#include "report_html.h"
#include "report_label.h"
#include "report_page.h"
#include "report_sweep.h"

enum { WIDTH = RF_PAGE_WIDTH, LEFT = RF_PAGE_LEFT, RIGHT = RF_PAGE_RIGHT, FOOT = RF_PAGE_FOOT };
enum { BAR = 20, STRIP = 44, MAP_LEFT = 110, MAP_HEIGHT = 420, MAP_FOOT = 44, LEGEND_HEIGHT = 20, PAIR = 34, NUMBER = 20 };

/* ---- The run ---- */

static enum rf_status run_write(struct rf_page *r, struct rf_str title)
{
    const struct rf_outcome *outcome = r->outcome;
    RF_TRY(rf_page_put(r, "<h1>"));
    RF_TRY(rf_html_text(r->out, title, r->err));
    RF_TRY(rf_page_put(r, "</h1>\n<p>"));
    RF_TRY(rf_html_count(r->out, outcome->rules, r->err));
    RF_TRY(rf_page_put(r, " rules over "));
    RF_TRY(rf_html_count(r->out, outcome->read, r->err));
    RF_TRY(rf_page_put(r, " records, "));
    RF_TRY(rf_html_count(r->out, outcome->malformed, r->err));
    RF_TRY(rf_page_put(r, " malformed"));
    if (outcome->tally.has_time) {
        RF_TRY(rf_page_put(r, "; from "));
        RF_TRY(rf_page_time_text(r, outcome->tally.begin_ns));
        RF_TRY(rf_page_put(r, " to "));
        RF_TRY(rf_page_time_text(r, outcome->tally.end_ns));
        RF_TRY(rf_page_put(r, "; "));
        RF_TRY(rf_html_count(r->out, outcome->disorder, r->err));
        RF_TRY(rf_page_put(r, " out of order, "));
        RF_TRY(rf_html_count(r->out, outcome->tally.timeless, r->err));
        RF_TRY(rf_page_put(r, " without a time"));
    }
    return rf_page_put(r, ".</p>\n");
}

/* ---- Rules with the most hits ---- */

static enum rf_status top_picture(struct rf_page *r)
{
    const uint64_t most = r->top == 0 || r->by_hits[0].hits == 0 ? 1 : r->by_hits[0].hits;
    const double room = WIDTH - LEFT - RIGHT;
    const double height = r->top * BAR;
    const uint64_t step = rf_axis_step(most);
    RF_TRY(rf_page_svg_begin(r, height + FOOT, "rules with the most hits"));
    for (uint64_t line_of = 0; line_of <= most / step; line_of++) {
        const uint64_t at = line_of * step;
        const double x = LEFT + room * (double)at / (double)most;
        struct rf_text number = {0};
        RF_TRY(rf_page_line(r, x, 0, x, height));
        enum rf_status status = rf_html_count(&number, at, r->err);
        if (status == RF_OK) {
            status = rf_svg_label(r->out, x, height + 16, "middle", rf_text_str(&number), r->err);
        }
        rf_text_free(&number);
        RF_TRY(status);
    }
    for (uint32_t i = 0; i < r->top; i++) {
        const double y = i * BAR;
        RF_TRY(rf_page_name_label(r, LEFT - 8, y + 14, rf_page_name_of(r, r->by_hits[i].rule)));
        RF_TRY(rf_svg_mark(r->out,
                           (struct rf_svg_mark){LEFT, y + 3, room * (double)r->by_hits[i].hits / (double)most, BAR - 6, 1, "bar"},
                           r->err));
        RF_TRY(rf_html_text(r->out, rf_page_name_of(r, r->by_hits[i].rule), r->err));
        RF_TRY(rf_page_put(r, ": "));
        RF_TRY(rf_html_count(r->out, r->by_hits[i].hits, r->err));
        RF_TRY(rf_page_put(r, r->by_hits[i].hits == 1 ? " hit" : " hits"));
        RF_TRY(rf_svg_mark_end(r->out, r->err));
    }
    return rf_page_put(r, "</svg>\n");
}

/* Every rule: the table is what the pictures leave out. */
static enum rf_status rules_table(struct rf_page *r)
{
    const struct rf_tally *tally = &r->outcome->tally;
    const bool has_label = r->outcome->label.hits_true != NULL;
    RF_TRY(rf_page_table_begin(r, has_label ? RF_STR("<th>rule</th><th>hits</th><th>errors</th><th>precision</th><th>recall</th><th>first</th><th>last</th>")
                                            : RF_STR("<th>rule</th><th>hits</th><th>errors</th><th>first</th><th>last</th>")));
    for (uint32_t i = 0; i < r->outcome->rules; i++) {
        const uint32_t rule = r->by_hits[i].rule;
        RF_TRY(rf_page_name_cell(r, rf_page_name_of(r, rule)));
        RF_TRY(rf_page_count_cell(r, r->by_hits[i].hits));
        RF_TRY(rf_page_count_cell(r, tally->errors[rule]));
        if (has_label) {
            double value = 0;
            const bool has_precision = rf_label_precision(&r->outcome->label, rule, &value);
            RF_TRY(rf_page_ratio_cell(r, has_precision, value));
            const bool has_recall = rf_label_recall(&r->outcome->label, rule, &value);
            RF_TRY(rf_page_ratio_cell(r, has_recall, value));
        }
        RF_TRY(rf_page_put(r, "<td>"));
        RF_TRY(rf_page_time_text(r, tally->first_ns[rule]));
        RF_TRY(rf_page_put(r, "</td><td>"));
        RF_TRY(rf_page_time_text(r, tally->last_ns[rule]));
        RF_TRY(rf_page_put(r, "</td></tr>\n"));
    }
    return rf_page_table_end(r);
}

static enum rf_status top_write(struct rf_page *r)
{
    RF_TRY(rf_page_put(r, "<h2>Rules with the most hits</h2>\n"));
    RF_TRY(top_picture(r));
    return rules_table(r);
}

/* ---- Hits over time ---- */

static uint64_t bucket_hits(const struct rf_page *r, uint32_t bucket, uint32_t rule)
{
    const struct rf_timeline *timeline = &r->outcome->tally.timeline;
    return timeline->count[bucket] == NULL ? 0 : timeline->count[bucket][rule];
}

/* A strip of bars for a rule, the highest as high as the strip. */
static enum rf_status strip_write(struct rf_page *r, uint32_t rule, double y)
{
    const struct rf_timeline *timeline = &r->outcome->tally.timeline;
    const double room = WIDTH - LEFT - RIGHT;
    const double width = room / timeline->buckets;
    uint64_t most = 0;
    for (uint32_t b = 0; b < timeline->buckets; b++) {
        most = bucket_hits(r, b, rule) > most ? bucket_hits(r, b, rule) : most;
    }
    RF_TRY(rf_page_name_label(r, LEFT - 8, y + STRIP / 2.0 + 4, rf_page_name_of(r, rule)));
    RF_TRY(rf_page_line(r, LEFT, y + STRIP - 4, WIDTH - RIGHT, y + STRIP - 4));
    RF_TRY(rf_text_printf(r->out, r->err, "<text x=\"%d\" y=\"%.2f\">", WIDTH - RIGHT + 8, y + 14));
    RF_TRY(rf_html_count(r->out, most, r->err));
    RF_TRY(rf_page_put(r, "</text>\n"));
    for (uint32_t b = 0; b < timeline->buckets; b++) {
        const uint64_t hits = bucket_hits(r, b, rule);
        if (hits == 0) {
            continue;
        }
        const double height = (STRIP - 10) * (double)hits / (double)most;
        RF_TRY(rf_svg_mark(r->out,
                           (struct rf_svg_mark){LEFT + b * width, y + STRIP - 4 - height, width > 3 ? width - 1 : width, height, 1,
                                                "bar"},
                           r->err));
        RF_TRY(rf_page_time_text(r, rf_timeline_begin(timeline, b)));
        RF_TRY(rf_page_put(r, ": "));
        RF_TRY(rf_html_count(r->out, hits, r->err));
        RF_TRY(rf_page_put(r, hits == 1 ? " hit" : " hits"));
        RF_TRY(rf_svg_mark_end(r->out, r->err));
    }
    return RF_OK;
}

/* The first has the date, the others what changes: the time, or the day where the whole is longer than one. */
static enum rf_status tick_write(struct rf_page *r, double x, uint32_t bucket, const char *anchor)
{
    enum { DATE = 10, MINUTES = 16, SECONDS = 19, DAYS_FROM = 5 };
    const int64_t day_ns = INT64_C(86400000000000);
    const struct rf_timeline *timeline = &r->outcome->tally.timeline;
    char text[RF_EVENT_TIME_TEXT_MAX];
    const bool is_long = timeline->width_ns > day_ns / timeline->buckets;
    (void)rf_event_time_write(rf_timeline_begin(timeline, bucket), text);
    text[DATE] = ' ';
    const size_t from = bucket == 0 ? 0 : is_long ? DAYS_FROM : DATE + 1;
    const size_t end = is_long ? MINUTES : SECONDS;
    RF_TRY(rf_page_line(r, x, 0, x, r->top * STRIP));
    return rf_svg_label(r->out, x, r->top * STRIP + 16, anchor, (struct rf_str){text + from, end - from}, r->err);
}

static enum rf_status timeline_write(struct rf_page *r)
{
    enum { TICKS = 4 };
    const struct rf_timeline *timeline = &r->outcome->tally.timeline;
    const double room = WIDTH - LEFT - RIGHT;
    if (!r->outcome->tally.has_time || timeline->buckets == 0) {
        return RF_OK;
    }
    RF_TRY(rf_page_put(r, "<h2>Hits over time</h2>\n<p class=\"dim\">Each strip has its own scale; its highest bar stands at the right.</p>\n"));
    RF_TRY(rf_page_svg_begin(r, r->top * STRIP + FOOT, "hits over time"));
    for (uint32_t t = 0; t <= TICKS; t++) {
        const uint32_t bucket = (uint32_t)((uint64_t)timeline->buckets * t / TICKS);
        RF_TRY(tick_write(r, LEFT + room * bucket / timeline->buckets, bucket, t == 0 ? "start" : t == TICKS ? "end" : "middle"));
    }
    for (uint32_t i = 0; i < r->top; i++) {
        RF_TRY(strip_write(r, r->by_hits[i].rule, i * STRIP));
    }
    RF_TRY(rf_page_put(r, "</svg>\n"));
    RF_TRY(rf_page_table_begin(r, RF_STR("<th>begin</th><th>rule</th><th>hits</th>")));
    for (uint32_t b = 0; b < timeline->buckets; b++) {
        for (uint32_t i = 0; i < r->top; i++) {
            if (bucket_hits(r, b, r->by_hits[i].rule) == 0) {
                continue;
            }
            RF_TRY(rf_page_put(r, "<tr><td>"));
            RF_TRY(rf_page_time_text(r, rf_timeline_begin(timeline, b)));
            RF_TRY(rf_page_put(r, "</td><td>"));
            RF_TRY(rf_html_text(r->out, rf_page_name_of(r, r->by_hits[i].rule), r->err));
            RF_TRY(rf_page_put(r, "</td>"));
            RF_TRY(rf_page_count_cell(r, bucket_hits(r, b, r->by_hits[i].rule)));
            RF_TRY(rf_page_put(r, "</tr>\n"));
        }
    }
    return rf_page_table_end(r);
}

/* ---- Sweeps ---- */

/* Values beside an axis: as many as have room. */
static enum rf_status map_axes(struct rf_page *r, const struct rf_sweep_map *map, double width, double height)
{
    const uint32_t every_row = 1 + map->rows * 16 / MAP_HEIGHT;
    const uint32_t every_column = 1 + map->columns * 70 / (WIDTH - MAP_LEFT);
    for (uint32_t y = 0; y < map->rows; y += every_row) {
        RF_TRY(rf_svg_label(r->out, MAP_LEFT - 8, y * height + height / 2 + 4, "end", map->row[y], r->err));
    }
    for (uint32_t x = 0; x < map->columns; x += every_column) {
        RF_TRY(rf_svg_label(r->out, MAP_LEFT + x * width + width / 2, map->rows * height + 16, "middle", map->column[x], r->err));
    }
    RF_TRY(rf_svg_label(r->out, 0, map->rows * height / 2, "start", map->parameter[0], r->err));
    return rf_svg_label(r->out, MAP_LEFT + map->columns * width / 2, map->rows * height + 34, "middle", map->parameter[1],
                        r->err);
}

/* What colours stand for: from none to the most. */
static enum rf_status map_legend(struct rf_page *r, uint64_t most, double y)
{
    enum { STEPS = 5, STEP_WIDTH = 90, SWATCH = 14 };
    for (int i = 0; i < STEPS; i++) {
        const double part = (double)i / (STEPS - 1);
        const uint64_t hits = (uint64_t)(part * part * (double)most + 0.5);
        const double x = MAP_LEFT + i * STEP_WIDTH;
        struct rf_text number = {0};
        RF_TRY(rf_svg_mark(r->out, (struct rf_svg_mark){x, y, SWATCH, SWATCH, part, "heat"}, r->err));
        RF_TRY(rf_html_count(r->out, hits, r->err));
        RF_TRY(rf_svg_mark_end(r->out, r->err));
        enum rf_status status = rf_html_count(&number, hits, r->err);
        if (status == RF_OK) {
            status = rf_svg_label(r->out, x + SWATCH + 6, y + 12, "start", rf_text_str(&number), r->err);
        }
        rf_text_free(&number);
        RF_TRY(status);
    }
    return RF_OK;
}

static enum rf_status map_write(struct rf_page *r, const struct rf_sweep_map *map)
{
    const double width = (double)(WIDTH - MAP_LEFT) / map->columns;
    const double fit = (double)MAP_HEIGHT / map->rows;
    const double height = fit > 40 ? 40 : fit;
    uint64_t most = 1;
    for (uint32_t rule = map->first; rule < map->end; rule++) {
        const uint64_t hits = rf_tally_hits(&r->outcome->tally, rule);
        most = hits > most ? hits : most;
    }
    RF_TRY(rf_page_put(r, "<h2>Sweep: "));
    RF_TRY(rf_html_text(r->out, map->name, r->err));
    RF_TRY(rf_page_put(r, "</h2>\n<p class=\"dim\">Hits: the stronger the colour the more, by their square root; at most "));
    RF_TRY(rf_html_count(r->out, most, r->err));
    RF_TRY(rf_page_put(r, ".</p>\n"));
    RF_TRY(rf_page_svg_begin(r, map->rows * height + MAP_FOOT + LEGEND_HEIGHT, "hits of a sweep of two parameters"));
    for (uint32_t y = 0; y < map->rows; y++) {
        for (uint32_t x = 0; x < map->columns; x++) {
            const uint32_t rule = map->cell[(size_t)y * map->columns + x];
            const uint64_t hits = rule == 0 ? 0 : rf_tally_hits(&r->outcome->tally, rule - 1);
            RF_TRY(rf_svg_mark(r->out,
                               (struct rf_svg_mark){MAP_LEFT + x * width, y * height, width, height,
                                                    sqrt((double)hits / (double)most), "heat"},
                               r->err));
            RF_TRY(rf_html_text(r->out, rule == 0 ? RF_STR("no rule") : rf_page_name_of(r, rule - 1), r->err));
            RF_TRY(rf_page_put(r, ": "));
            RF_TRY(rf_html_count(r->out, hits, r->err));
            RF_TRY(rf_svg_mark_end(r->out, r->err));
        }
    }
    RF_TRY(map_axes(r, map, width, height));
    RF_TRY(map_legend(r, most, map->rows * height + MAP_FOOT));
    RF_TRY(rf_page_put(r, "</svg>\n<details><summary>Table</summary><div class=\"wide\"><table>\n<tr><th></th>"));
    for (uint32_t x = 0; x < map->columns; x++) {
        RF_TRY(rf_page_put(r, "<th>"));
        RF_TRY(rf_html_text(r->out, map->column[x], r->err));
        RF_TRY(rf_page_put(r, "</th>"));
    }
    RF_TRY(rf_page_put(r, "</tr>\n"));
    for (uint32_t y = 0; y < map->rows; y++) {
        RF_TRY(rf_page_name_cell(r, map->row[y]));
        for (uint32_t x = 0; x < map->columns; x++) {
            const uint32_t rule = map->cell[(size_t)y * map->columns + x];
            RF_TRY(rf_page_count_cell(r, rule == 0 ? 0 : rf_tally_hits(&r->outcome->tally, rule - 1)));
        }
        RF_TRY(rf_page_put(r, "</tr>\n"));
    }
    return rf_page_table_end(r);
}

static enum rf_status sweeps_write(struct rf_page *r)
{
    struct rf_arena arena;
    enum rf_status status = RF_OK;
    uint32_t drawn = 0;
    uint32_t left_out = 0;
    rf_arena_init(&arena, (size_t)1 << 30);
    for (uint32_t rule = 0; status == RF_OK && rule < r->outcome->rules;) {
        struct rf_sweep_map map;
        rf_arena_reset(&arena);
        status = rf_sweep_map_read(r->outcome, rule, RF_REPORT_CELLS_MAX, &arena, &map, r->err);
        if (status == RF_OK && map.rows > 1 && map.columns > 1 && drawn < RF_REPORT_SWEEPS_MAX) {
            status = map_write(r, &map);
            drawn++;
        } else {
            left_out += map.end - rule > RF_REPORT_CELLS_MAX || drawn == RF_REPORT_SWEEPS_MAX;
        }
        rule = map.end;
    }
    rf_arena_free(&arena);
    RF_TRY(status);
    return left_out == 0 ? RF_OK
                         : rf_text_printf(r->out, r->err, "<p class=\"dim\">%" PRIu32 " sweeps are too large or too many to be drawn.</p>\n",
                                          left_out);
}

/* ---- Pairs ---- */

/* Rules have numbers, so that columns can be told apart: at the name of the row and below the column. */
static enum rf_status pairs_labels(struct rf_page *r, uint32_t rules, double size)
{
    for (uint32_t i = 0; i < rules; i++) {
        char number[16];
        const struct rf_str text = {number, (size_t)snprintf(number, sizeof number, "%" PRIu32, i + 1)};
        const double middle = i * size + size / 2;
        RF_TRY(rf_page_name_label(r, LEFT - NUMBER - 8, middle + 4, rf_page_name_of(r, r->by_hits[i].rule)));
        RF_TRY(rf_svg_label(r->out, LEFT - 8, middle + 4, "end", text, r->err));
        RF_TRY(rf_svg_label(r->out, LEFT + middle, rules * size + 16, "middle", text, r->err));
    }
    return RF_OK;
}

static uint64_t pair_both(const struct rf_page *r, uint32_t y, uint32_t x)
{
    return x == y ? r->by_hits[y].hits : *rf_overlap_at(&r->outcome->overlap, r->by_hits[y].rule, r->by_hits[x].rule);
}

static enum rf_status pair_mark(struct rf_page *r, uint32_t y, uint32_t x, double size)
{
    const struct rf_rule_rank *row = &r->by_hits[y];
    const uint64_t both = pair_both(r, y, x);
    const double part = row->hits == 0 ? 0 : (double)both / (double)row->hits;
    RF_TRY(rf_svg_mark(r->out, (struct rf_svg_mark){LEFT + x * size, y * size, size - 1, size - 1, part, "heat"}, r->err));
    RF_TRY(rf_html_text(r->out, rf_page_name_of(r, row->rule), r->err));
    RF_TRY(rf_page_put(r, " and "));
    RF_TRY(rf_html_text(r->out, rf_page_name_of(r, r->by_hits[x].rule), r->err));
    RF_TRY(rf_page_put(r, ": "));
    RF_TRY(rf_html_count(r->out, both, r->err));
    return rf_svg_mark_end(r->out, r->err);
}

static enum rf_status pairs_table(struct rf_page *r, uint32_t rules)
{
    RF_TRY(rf_page_table_begin(r, RF_STR("<th>rule</th><th class=\"name\">and</th><th>both</th><th>of the first</th>"
                                         "<th>of the second</th>")));
    for (uint32_t y = 1; y < rules; y++) {
        for (uint32_t x = 0; x < y; x++) {
            const uint64_t both = pair_both(r, y, x);
            RF_TRY(rf_page_name_cell(r, rf_page_name_of(r, r->by_hits[y].rule)));
            RF_TRY(rf_page_put(r, "<td class=\"name\">"));
            RF_TRY(rf_html_text(r->out, rf_page_name_of(r, r->by_hits[x].rule), r->err));
            RF_TRY(rf_page_put(r, "</td>"));
            RF_TRY(rf_page_count_cell(r, both));
            RF_TRY(rf_page_ratio_cell(r, r->by_hits[y].hits != 0, (double)both / (double)r->by_hits[y].hits));
            RF_TRY(rf_page_ratio_cell(r, r->by_hits[x].hits != 0, (double)both / (double)r->by_hits[x].hits));
            RF_TRY(rf_page_put(r, "</tr>\n"));
        }
    }
    return rf_page_table_end(r);
}

static enum rf_status pairs_write(struct rf_page *r)
{
    const uint32_t rules = r->outcome->rules < RF_REPORT_PAIRS_MAX ? r->outcome->rules : RF_REPORT_PAIRS_MAX;
    if (r->outcome->overlap.both == NULL || rules < 2) {
        return RF_OK;
    }
    const double fit = (double)(WIDTH - LEFT - RIGHT) / rules;
    const double size = fit < PAIR ? fit : PAIR;
    RF_TRY(rf_page_put(r, "<h2>Records that two rules hit both</h2>\n<p class=\"dim\">As a part of the rule of the row.</p>\n"));
    RF_TRY(rf_page_svg_begin(r, rules * size + FOOT, "records that two rules hit both"));
    RF_TRY(pairs_labels(r, rules, size));
    for (uint32_t y = 0; y < rules; y++) {
        for (uint32_t x = 0; x < rules; x++) {
            RF_TRY(pair_mark(r, y, x, size));
        }
    }
    RF_TRY(rf_page_put(r, "</svg>\n"));
    return pairs_table(r, rules);
}

static enum rf_status page_write(struct rf_page *r, struct rf_str title)
{
    RF_TRY(rf_html_begin(r->out, title, r->err));
    RF_TRY(run_write(r, title));
    if (r->outcome->rules != 0) {
        RF_TRY(top_write(r));
        RF_TRY(timeline_write(r));
        RF_TRY(sweeps_write(r));
        RF_TRY(rf_report_forward(r));
        RF_TRY(rf_report_label(r));
        RF_TRY(pairs_write(r));
    }
    return rf_html_end(r->out, r->err);
}

enum rf_status rf_report_write(const struct rf_outcome *outcome, struct rf_str title, struct rf_text *out,
                               struct rf_error *err)
{
    struct rf_rule_rank *by_hits;
    RF_TRY(rf_rule_ranks(outcome, &by_hits, err));
    struct rf_page page = {.outcome = outcome,
                            .by_hits = by_hits,
                            .top = outcome->rules < RF_REPORT_RULES_MAX ? outcome->rules : RF_REPORT_RULES_MAX,
                            .out = out,
                            .err = err};
    const enum rf_status status = page_write(&page, title);
    free(by_hits);
    return status;
}
