#include "report_label.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "report_html.h"

enum {
    LEFT = 60,
    TOP = 24,
    ROOM = RF_PAGE_WIDTH - LEFT - RF_PAGE_RIGHT - 60,
    HEIGHT = 400,
    STEPS = 5,
    NAMED_MAX = 8,
    TRIED_MAX = 64,
    NAME_HEIGHT = 14,
    NAME_WIDTH = 240
};

/* Both are there: a rule without hits, or a label without records, has no point. */
static bool point_of(const struct rf_page *page, uint32_t rule, double *precision, double *recall)
{
    const bool has_precision = rf_label_precision(&page->outcome->label, rule, precision);
    return rf_label_recall(&page->outcome->label, rule, recall) && has_precision;
}

static double x_of(double recall)
{
    return LEFT + ROOM * recall;
}

static double y_of(double precision)
{
    return TOP + HEIGHT * (1 - precision);
}

/* Their harmonic mean. */
static double f1_of(double precision, double recall)
{
    return precision + recall == 0 ? 0 : 2 * precision * recall / (precision + recall);
}

static enum rf_status axes_write(struct rf_page *page)
{
    for (int i = 0; i <= STEPS; i++) {
        const double part = (double)i / STEPS;
        char text[16];
        const struct rf_str label = {text, (size_t)snprintf(text, sizeof text, "%.1f", part)};
        RF_TRY(rf_page_line(page, x_of(part), TOP, x_of(part), TOP + HEIGHT));
        RF_TRY(rf_page_line(page, LEFT, y_of(part), LEFT + ROOM, y_of(part)));
        RF_TRY(rf_svg_label(page->out, x_of(part), TOP + HEIGHT + 16, "middle", label, page->err));
        RF_TRY(rf_svg_label(page->out, LEFT - 8, y_of(part) + 4, "end", label, page->err));
    }
    RF_TRY(rf_svg_label(page->out, LEFT + ROOM / 2.0, TOP + HEIGHT + 34, "middle", RF_STR("recall"), page->err));
    return rf_text_printf(
        page->out, page->err,
        "<text transform=\"translate(14 %.2f) rotate(-90)\" text-anchor=\"middle\">precision</text>\n",
        TOP + HEIGHT / 2.0);
}

static enum rf_status dot_write(struct rf_page *page, uint32_t rule)
{
    double precision;
    double recall;
    if (!point_of(page, rule, &precision, &recall)) {
        return RF_OK;
    }
    RF_TRY(rf_text_printf(page->out, page->err, "<circle class=\"point\" cx=\"%.2f\" cy=\"%.2f\" r=\"5\"><title>",
                          x_of(recall), y_of(precision)));
    RF_TRY(rf_html_text(page->out, rf_page_name_of(page, rule), page->err));
    return rf_text_printf(page->out, page->err, ": precision %.4f, recall %.4f</title></circle>\n", precision, recall);
}

struct named {
    uint32_t rule;
    double f1, x, y;
};

/* The best by F1, best first; of equal ones those with more hits. */
static uint32_t best_find(const struct rf_page *page, uint32_t points, struct named best[TRIED_MAX])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < points; i++) {
        struct named point = {.rule = page->by_hits[i].rule};
        double precision;
        double recall;
        if (!point_of(page, point.rule, &precision, &recall)) {
            continue;
        }
        point = (struct named){point.rule, f1_of(precision, recall), x_of(recall), y_of(precision)};
        uint32_t at = count;
        count += count < TRIED_MAX;
        for (; at > 0 && best[at - 1].f1 < point.f1; at--) {
            if (at < TRIED_MAX) {
                best[at] = best[at - 1];
            }
        }
        if (at < TRIED_MAX) {
            best[at] = point;
        }
    }
    return count;
}

/* Names of the best where they do not lie upon each other, above their points and within the picture. */
static enum rf_status names_write(struct rf_page *page, uint32_t points)
{
    struct named best[TRIED_MAX];
    const uint32_t count = best_find(page, points, best);
    uint32_t named = 0;
    for (uint32_t i = 0; i < count && named < NAMED_MAX; i++) {
        const struct named *point = &best[i];
        const struct rf_str name = rf_page_name_of(page, point->rule);
        bool is_free = true;
        for (uint32_t n = 0; n < named; n++) {
            is_free = is_free && (fabs(best[n].y - point->y) > NAME_HEIGHT || fabs(best[n].x - point->x) > NAME_WIDTH);
        }
        if (!is_free) {
            continue;
        }
        RF_TRY(rf_svg_label(page->out, point->x, point->y - 9,
                            point->x < LEFT + NAME_WIDTH          ? "start"
                            : point->x > LEFT + ROOM - NAME_WIDTH ? "end"
                                                                  : "middle",
                            name, page->err));
        best[named++] = *point;
    }
    return RF_OK;
}

static enum rf_status table_write(struct rf_page *page, uint32_t points)
{
    const struct rf_label_tally *label = &page->outcome->label;
    RF_TRY(rf_page_table_begin(
        page, RF_STR("<th>rule</th><th>precision</th><th>recall</th><th>F1</th><th>hits with the label</th>"
                     "<th>hits without</th>")));
    for (uint32_t i = 0; i < points; i++) {
        const uint32_t rule = page->by_hits[i].rule;
        double precision = 0;
        double recall = 0;
        const bool has_precision = rf_label_precision(label, rule, &precision);
        const bool has_recall = rf_label_recall(label, rule, &recall);
        RF_TRY(rf_page_name_cell(page, rf_page_name_of(page, rule)));
        RF_TRY(rf_page_ratio_cell(page, has_precision, precision));
        RF_TRY(rf_page_ratio_cell(page, has_recall, recall));
        RF_TRY(rf_page_ratio_cell(page, has_precision && has_recall, f1_of(precision, recall)));
        RF_TRY(rf_page_count_cell(page, label->hits_true[rule]));
        RF_TRY(rf_page_count_cell(page, label->hits_false[rule]));
        RF_TRY(rf_page_put(page, "</tr>\n"));
    }
    return rf_page_table_end(page);
}

enum rf_status rf_report_label(struct rf_page *page)
{
    const struct rf_outcome *outcome = page->outcome;
    if (outcome->label.hits_true == NULL) {
        return RF_OK;
    }
    const uint32_t points = outcome->rules < RF_REPORT_POINTS_MAX ? outcome->rules : RF_REPORT_POINTS_MAX;
    RF_TRY(rf_page_put(page, "<h2>Precision and recall</h2>\n<p class=\"dim\">A point for each rule"));
    if (points < outcome->rules) {
        RF_TRY(rf_text_printf(page->out, page->err, " of the %" PRIu32 " with the most hits", points));
    }
    RF_TRY(rf_page_put(page, ". Precision is the part of its hits that have the label, recall the part of the "));
    RF_TRY(rf_html_count(page->out, outcome->label.records_true, page->err));
    RF_TRY(rf_page_put(page, " records with the label that it hits.</p>\n"));
    RF_TRY(rf_page_svg_begin(page, TOP + HEIGHT + 44, "precision and recall of rules"));
    RF_TRY(axes_write(page));
    for (uint32_t i = points; i > 0; i--) { /* those with the most hits on top */
        RF_TRY(dot_write(page, page->by_hits[i - 1].rule));
    }
    RF_TRY(names_write(page, points));
    RF_TRY(rf_page_put(page, "</svg>\n"));
    return table_write(page, points);
}
