#include "report_page.h"

#include <stdio.h>

#include "event_time.h"
#include "report_html.h"

enum { NAME_SHOWN = 34 };

enum rf_status rf_page_put(struct rf_page *page, const char *text)
{
    return rf_text_append(page->out, rf_str_of(text), page->err);
}

enum rf_status rf_page_count_cell(struct rf_page *page, uint64_t count)
{
    RF_TRY(rf_page_put(page, "<td>"));
    RF_TRY(rf_html_count(page->out, count, page->err));
    return rf_page_put(page, "</td>");
}

/* At the left of a picture: cut in the middle of no character. */
enum rf_status rf_page_name_label(struct rf_page *page, double x, double y, struct rf_str name)
{
    char shown[4 * NAME_SHOWN + 8];
    size_t at = 0;
    size_t characters = 0;
    while (at < name.count && characters < NAME_SHOWN) {
        at++;
        while (at < name.count && ((unsigned char)name.data[at] & 0xc0) == 0x80) {
            at++;
        }
        characters++;
    }
    const int count = at < sizeof shown - 8
                          ? snprintf(shown, sizeof shown, "%.*s%s", (int)at, name.data, at < name.count ? "…" : "")
                          : snprintf(shown, sizeof shown, "…");
    return rf_svg_label(page->out, x, y, "end", (struct rf_str){shown, (size_t)count}, page->err);
}

enum rf_status rf_page_svg_begin(struct rf_page *page, double height, const char *what)
{
    return rf_text_printf(page->out, page->err, "<svg viewBox=\"0 0 %d %.0f\" role=\"img\" aria-label=\"%s\">\n",
                          RF_PAGE_WIDTH, height, what);
}

enum rf_status rf_page_line(struct rf_page *page, double x1, double y1, double x2, double y2)
{
    return rf_text_printf(page->out, page->err,
                          "<line class=\"axis\" x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\"/>\n", x1, y1, x2, y2);
}

enum rf_status rf_page_table_begin(struct rf_page *page, struct rf_str head)
{
    RF_TRY(rf_page_put(page, "<details><summary>Table</summary><div class=\"wide\"><table>\n<tr>"));
    RF_TRY(rf_text_append(page->out, head, page->err));
    return rf_page_put(page, "</tr>\n");
}

enum rf_status rf_page_table_end(struct rf_page *page)
{
    return rf_page_put(page, "</table></div></details>\n");
}

enum rf_status rf_page_name_cell(struct rf_page *page, struct rf_str name)
{
    RF_TRY(rf_page_put(page, "<tr><td>"));
    RF_TRY(rf_html_text(page->out, name, page->err));
    return rf_page_put(page, "</td>");
}

enum rf_status rf_page_time_text(struct rf_page *page, int64_t ns)
{
    char text[RF_EVENT_TIME_TEXT_MAX];
    return ns == RF_TALLY_NEVER
               ? rf_page_put(page, "-")
               : rf_text_append(page->out, (struct rf_str){text, rf_event_time_write(ns, text)}, page->err);
}

enum rf_status rf_page_ratio_cell(struct rf_page *page, bool has_value, double value)
{
    return has_value ? rf_text_printf(page->out, page->err, "<td>%.4f</td>", value) : rf_page_put(page, "<td>-</td>");
}
