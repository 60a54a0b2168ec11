/* report_html.h: pieces of a page of HTML with SVG in it.
 *
 * Threads    one thread.
 * Errors     RF_E_MEMORY.
 */
#ifndef RF_REPORT_HTML_H
#define RF_REPORT_HTML_H

#include <stdint.h>

#include "text.h"

/* & < > and quotes as entities; what no browser should obey as visible escapes. */
enum rf_status rf_html_text(struct rf_text *out, struct rf_str text, struct rf_error *err);
/* 1,234,567 */
enum rf_status rf_html_count(struct rf_text *out, uint64_t count, struct rf_error *err);
enum rf_status rf_html_begin(struct rf_text *out, struct rf_str title, struct rf_error *err);
enum rf_status rf_html_end(struct rf_text *out, struct rf_error *err);

/* A rectangle; the title that follows is the caller's: then rf_svg_mark_end. opacity 0..1. */
struct rf_svg_mark {
    double x, y, width, height, opacity;
    const char *kind; /* class */
};
enum rf_status rf_svg_mark(struct rf_text *out, struct rf_svg_mark mark, struct rf_error *err);
enum rf_status rf_svg_mark_end(struct rf_text *out, struct rf_error *err);
/* anchor: start, middle, end. */
enum rf_status rf_svg_label(struct rf_text *out, double x, double y, const char *anchor, struct rf_str text,
                            struct rf_error *err);

/* The least of 1, 2, 5, 10, 20 ... with which `most` has at most four steps. */
uint64_t rf_axis_step(uint64_t most);

#endif
