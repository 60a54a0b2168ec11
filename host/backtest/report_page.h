/* report_page.h: what the sections of a report have in common: the page being written, labels, axes, tables.
 *
 * Data       Pictures are RF_PAGE_WIDTH units wide; browsers scale them to the page. Names stand in the RF_PAGE_LEFT units at the
 *            left, figures in the RF_PAGE_RIGHT at the right.
 * Ownership  everything is borrowed from whoever writes the report.
 * Threads    one thread.
 * Errors     RF_E_MEMORY, in the page's err.
 */
#ifndef RF_REPORT_PAGE_H
#define RF_REPORT_PAGE_H

#include "rule_rank.h"

enum { RF_PAGE_WIDTH = 960, RF_PAGE_LEFT = 230, RF_PAGE_RIGHT = 90, RF_PAGE_FOOT = 34 };

struct rf_page {
    const struct rf_outcome *outcome;
    const struct rf_rule_rank *by_hits; /* [rules] most first */
    uint32_t top;                       /* of them in pictures */
    struct rf_text *out;
    struct rf_error *err;
};

static inline struct rf_str rf_page_name_of(const struct rf_page *page, uint32_t rule)
{
    return page->outcome->rule[rule].name;
}

enum rf_status rf_page_put(struct rf_page *page, const char *text);
/* RFC 3339, or -. */
enum rf_status rf_page_time_text(struct rf_page *page, int64_t ns);

enum rf_status rf_page_svg_begin(struct rf_page *page, double height, const char *what);
enum rf_status rf_page_line(struct rf_page *page, double x1, double y1, double x2, double y2);
/* At the left of a picture: of a long one its beginning. */
enum rf_status rf_page_name_label(struct rf_page *page, double x, double y, struct rf_str name);

/* A table that opens below a picture; head: its <th> cells. Rows begin with a name cell, and end with </tr>. */
enum rf_status rf_page_table_begin(struct rf_page *page, struct rf_str head);
enum rf_status rf_page_table_end(struct rf_page *page);
enum rf_status rf_page_name_cell(struct rf_page *page, struct rf_str name);
enum rf_status rf_page_count_cell(struct rf_page *page, uint64_t count);
enum rf_status rf_page_ratio_cell(struct rf_page *page, bool has_value, double value);

#endif
