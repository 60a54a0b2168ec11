#include "report_forward.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "duration.h"
#include "report_html.h"

enum {
    LEFT = RF_PAGE_LEFT,
    ROOM = RF_PAGE_WIDTH - RF_PAGE_LEFT - RF_PAGE_RIGHT,
    ROW = 26,
    TICKS = 6,
    LAST = RF_SKETCH_QUANTILES - 1
};

/* Changes from `low` to `high`, over the width of the picture. */
struct scale {
    double low, high, step; /* of ticks, which are whole multiples of it */
    bool is_absolute;
};

static double place_of(const struct scale *scale, double change)
{
    return LEFT + ROOM * (change - scale->low) / (scale->high - scale->low);
}

/* 1, 2 or 5 times a power of ten, so that the axis has at most TICKS steps. */
static double step_of(double range)
{
    const double ten = pow(10, floor(log10(range / TICKS)));
    const double times = range / TICKS / ten;
    return ten * (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10);
}

/* All whiskers and 0. */
static struct scale scale_of(const struct rf_page *page)
{
    const struct rf_forward_tally *forward = &page->outcome->forward;
    struct scale scale = {.is_absolute = forward->settings.is_absolute};
    for (uint32_t i = 0; i < page->top; i++) {
        const struct rf_forward_figures figures = rf_forward_figures_of(forward, page->by_hits[i].rule);
        scale.low = figures.count != 0 ? fmin(scale.low, fmin(figures.quantile[0], figures.mean)) : scale.low;
        scale.high = figures.count != 0 ? fmax(scale.high, fmax(figures.quantile[LAST], figures.mean)) : scale.high;
    }
    if (scale.high - scale.low < 1e-17) { /* nothing has changed */
        scale.low = -1e-4;
        scale.high = 1e-4;
    }
    scale.step = step_of(scale.high - scale.low);
    scale.low = floor(scale.low / scale.step) * scale.step;
    scale.high = ceil(scale.high / scale.step) * scale.step;
    return scale;
}

static enum rf_status change_put(struct rf_page *page, double change)
{
    char text[RF_CHANGE_TEXT_MAX];
    const size_t count = rf_change_text(change, page->outcome->forward.settings.is_absolute, text);
    return rf_text_append(page->out, (struct rf_str){text, count}, page->err);
}

/* As short as it may be: ticks are round numbers. */
static enum rf_status tick_label(struct rf_page *page, double x, double y, double change, bool is_absolute)
{
    char text[RF_CHANGE_TEXT_MAX];
    const int count =
        is_absolute ? snprintf(text, sizeof text, "%.6g", change) : snprintf(text, sizeof text, "%.6g%%", 100 * change);
    return rf_svg_label(page->out, x, y, "middle", (struct rf_str){text, (size_t)count}, page->err);
}

static enum rf_status axis_write(struct rf_page *page, const struct scale *scale)
{
    const double height = page->top * ROW;
    const int steps = (int)rint((scale->high - scale->low) / scale->step); /* not many more than TICKS */
    for (int i = 0; i <= steps; i++) {
        const double number = rint(scale->low / scale->step) + i;
        const double change = number * scale->step;
        const double x = place_of(scale, change);
        RF_TRY(rf_text_printf(page->out, page->err,
                              "<line class=\"%s\" x1=\"%.2f\" y1=\"0\" x2=\"%.2f\" y2=\"%.2f\"/>\n",
                              number == 0 ? "zero" : "axis", x, x, height));
        RF_TRY(tick_label(page, x, height + 16, change, scale->is_absolute));
    }
    return RF_OK;
}

/* What a box says, for those who point at it. */
static enum rf_status title_write(struct rf_page *page, uint32_t rule, const struct rf_forward_figures *figures)
{
    RF_TRY(rf_page_put(page, "<title>"));
    RF_TRY(rf_html_text(page->out, rf_page_name_of(page, rule), page->err));
    RF_TRY(rf_page_put(page, ": mean "));
    RF_TRY(change_put(page, figures->mean));
    for (unsigned q = 0; q < RF_SKETCH_QUANTILES; q++) {
        RF_TRY(rf_text_printf(page->out, page->err, ", p%u ", rf_sketch_percent[q]));
        RF_TRY(change_put(page, figures->quantile[q]));
    }
    RF_TRY(rf_text_printf(page->out, page->err, ", hit rate %.2f%% of ", 100 * figures->up));
    RF_TRY(rf_html_count(page->out, figures->count, page->err));
    return rf_page_put(page, "</title>");
}

static enum rf_status box_write(struct rf_page *page, const struct scale *scale, uint32_t rule, double y)
{
    const struct rf_forward_figures figures = rf_forward_figures_of(&page->outcome->forward, rule);
    const double middle = y + ROW / 2.0;
    double x[RF_SKETCH_QUANTILES];
    RF_TRY(rf_page_name_label(page, LEFT - 8, middle + 4, rf_page_name_of(page, rule)));
    if (figures.count == 0) {
        return rf_svg_label(page->out, LEFT + ROOM + 8, middle + 4, "start", RF_STR("-"), page->err);
    }
    for (unsigned q = 0; q < RF_SKETCH_QUANTILES; q++) {
        x[q] = place_of(scale, figures.quantile[q]);
    }
    RF_TRY(rf_page_put(page, "<g>"));
    RF_TRY(title_write(page, rule, &figures));
    /* The whole row is to be pointed at, however thin the box. */
    RF_TRY(rf_text_printf(page->out, page->err, "<path class=\"hover\" d=\"M%d %.2fh%dv%dh-%dz\"/>", LEFT, y, ROOM, ROW,
                          ROOM));
    RF_TRY(rf_text_printf(page->out, page->err,
                          "<path class=\"whisker\" d=\"M%.2f %.2fH%.2fM%.2f %.2fv8M%.2f %.2fv8\"/>", x[0], middle,
                          x[LAST], x[0], middle - 4, x[LAST], middle - 4));
    RF_TRY(rf_text_printf(page->out, page->err, "<path class=\"box\" d=\"M%.2f %.2fH%.2fv14H%.2fz\"/>", x[1],
                          middle - 7, x[LAST - 1], x[1]));
    RF_TRY(
        rf_text_printf(page->out, page->err, "<path class=\"median\" d=\"M%.2f %.2fv14\"/>", x[LAST / 2], middle - 7));
    RF_TRY(rf_text_printf(page->out, page->err, "<circle class=\"dot\" cx=\"%.2f\" cy=\"%.2f\" r=\"3.5\"/></g>\n",
                          place_of(scale, figures.mean), middle));
    return rf_text_printf(page->out, page->err, "<text x=\"%d\" y=\"%.2f\">%.2f%%</text>\n", LEFT + ROOM + 8,
                          middle + 4, 100 * figures.up);
}

static enum rf_status change_cell(struct rf_page *page, bool has_value, double change)
{
    RF_TRY(rf_page_put(page, "<td>"));
    RF_TRY(has_value ? change_put(page, change) : rf_page_put(page, "-"));
    return rf_page_put(page, "</td>");
}

static enum rf_status row_write(struct rf_page *page, uint32_t rule)
{
    const struct rf_forward_tally *forward = &page->outcome->forward;
    const struct rf_forward_figures figures = rf_forward_figures_of(forward, rule);
    const bool has_any = figures.count != 0;
    RF_TRY(rf_page_name_cell(page, rf_page_name_of(page, rule)));
    RF_TRY(rf_page_count_cell(page, figures.count));
    for (int why = 0; why < RF_FORWARD_WITHOUTS; why++) {
        RF_TRY(rf_page_count_cell(page, forward->without[why][rule]));
    }
    RF_TRY(change_cell(page, has_any, figures.mean));
    RF_TRY(change_cell(page, has_any && !isnan(figures.deviation), figures.deviation));
    RF_TRY(change_cell(page, has_any, figures.least));
    for (unsigned q = 0; q < RF_SKETCH_QUANTILES; q++) {
        RF_TRY(change_cell(page, has_any, figures.quantile[q]));
    }
    RF_TRY(change_cell(page, has_any, figures.most));
    return has_any ? rf_text_printf(page->out, page->err, "<td>%.2f%%</td></tr>\n", 100 * figures.up)
                   : rf_page_put(page, "<td>-</td></tr>\n");
}

static enum rf_status table_write(struct rf_page *page)
{
    struct rf_text head = {0};
    enum rf_status status = rf_text_append(&head, RF_STR("<th>rule</th><th>evaluated</th>"), page->err);
    for (int why = 0; status == RF_OK && why < RF_FORWARD_WITHOUTS; why++) {
        status = rf_text_printf(&head, page->err, "<th title=\"%s\">%s</th>", rf_forward_without_what[why],
                                rf_forward_without_name[why]);
    }
    status =
        status == RF_OK ? rf_text_append(&head, RF_STR("<th>mean</th><th>std</th><th>min</th>"), page->err) : status;
    for (unsigned q = 0; status == RF_OK && q < RF_SKETCH_QUANTILES; q++) {
        status = rf_text_printf(&head, page->err, "<th>p%u</th>", rf_sketch_percent[q]);
    }
    status = status == RF_OK ? rf_text_append(&head, RF_STR("<th>max</th><th>hit rate</th>"), page->err) : status;
    status = status == RF_OK ? rf_page_table_begin(page, rf_text_str(&head)) : status;
    rf_text_free(&head);
    RF_TRY(status);
    for (uint32_t i = 0; i < page->outcome->rules; i++) {
        RF_TRY(row_write(page, page->by_hits[i].rule));
    }
    return rf_page_table_end(page);
}

static enum rf_status words_write(struct rf_page *page)
{
    const struct rf_forward_settings *settings = &page->outcome->forward.settings;
    char horizon[RF_DURATION_TEXT_MAX];
    RF_TRY(rf_page_put(page, "<h2>After hits: "));
    RF_TRY(rf_html_text(page->out, settings->value, page->err));
    RF_TRY(rf_page_put(page, " in "));
    RF_TRY(rf_text_append(page->out, (struct rf_str){horizon, rf_duration_write(settings->horizon_ns, horizon)},
                          page->err));
    if (settings->per.count != 0) {
        RF_TRY(rf_page_put(page, ", per "));
        RF_TRY(rf_html_text(page->out, settings->per, page->err));
    }
    RF_TRY(rf_page_put(page, "</h2>\n<p class=\"dim\">"));
    RF_TRY(rf_page_put(page, settings->is_absolute ? "Change" : "Relative change"));
    return rf_text_printf(
        page->out, page->err,
        " from the hit to the horizon: from p%u to p%u, the box from p%u to p%u with the median in it, and the mean as "
        "a dot. At the right the hit rate: the share of changes above 0.</p>\n",
        rf_sketch_percent[0], rf_sketch_percent[LAST], rf_sketch_percent[1], rf_sketch_percent[LAST - 1]);
}

enum rf_status rf_report_forward(struct rf_page *page)
{
    if (page->outcome->forward.moments == NULL) {
        return RF_OK;
    }
    const struct scale scale = scale_of(page);
    RF_TRY(words_write(page));
    RF_TRY(rf_page_svg_begin(page, page->top * ROW + RF_PAGE_FOOT, "change of a value after hits"));
    RF_TRY(axis_write(page, &scale));
    for (uint32_t i = 0; i < page->top; i++) {
        RF_TRY(box_write(page, &scale, page->by_hits[i].rule, i * ROW));
    }
    RF_TRY(rf_page_put(page, "</svg>\n"));
    return table_write(page);
}
