#include "report_html.h"

#include <inttypes.h>
#include <stdio.h>

#include "visible_text.h"

enum rf_status rf_html_text(struct rf_text *out, struct rf_str text, struct rf_error *err)
{
    struct rf_text visible = {0};
    enum rf_status status = rf_visible_append(&visible, text, err);
    for (size_t i = 0; status == RF_OK && i < visible.count; i++) {
        switch (visible.data[i]) {
        case '&':
            status = rf_text_append(out, RF_STR("&amp;"), err);
            break;
        case '<':
            status = rf_text_append(out, RF_STR("&lt;"), err);
            break;
        case '>':
            status = rf_text_append(out, RF_STR("&gt;"), err);
            break;
        case '"':
            status = rf_text_append(out, RF_STR("&quot;"), err);
            break;
        case '\'':
            status = rf_text_append(out, RF_STR("&#39;"), err);
            break;
        default:
            status = rf_text_append_char(out, visible.data[i], err);
            break;
        }
    }
    rf_text_free(&visible);
    return status;
}

enum rf_status rf_html_count(struct rf_text *out, uint64_t count, struct rf_error *err)
{
    char digits[24];
    const int length = snprintf(digits, sizeof digits, "%" PRIu64, count);
    for (int i = 0; i < length; i++) {
        if (i != 0 && (length - i) % 3 == 0) {
            RF_TRY(rf_text_append_char(out, ',', err));
        }
        RF_TRY(rf_text_append_char(out, digits[i], err));
    }
    return RF_OK;
}

enum rf_status rf_html_begin(struct rf_text *out, struct rf_str title, struct rf_error *err)
{
    RF_TRY(rf_text_append(out, RF_STR("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                                      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>"),
                          err));
    RF_TRY(rf_html_text(out, title, err));
    return rf_text_append(
        out,
        RF_STR("</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n"
               ":root{color-scheme:light dark;--back:#fff;--ink:#1c2430;--dim:#667085;--line:#d8dee8;--mark:#2463b4;--box:#c5d8f1;--warm:#c2410c}\n"
               "@media (prefers-color-scheme:dark){:root{--back:#12161c;--ink:#e6eaf0;--dim:#98a2b3;--line:#333c49;"
               "--mark:#6ea8fe;--box:#27456f;--warm:#fb923c}}\n"
               "body{background:var(--back);color:var(--ink);font:15px/1.5 system-ui,sans-serif;max-width:1000px;margin:2em auto;"
               "padding:0 1em}\n"
               "h1{font-size:1.5em}h2{font-size:1.15em;margin-top:2em}\n"
               "p.dim{color:var(--dim)}\n"
               "svg{display:block;width:100%;min-width:640px;height:auto;overflow:visible}\n"
               "svg text{fill:var(--ink);font-size:12px}\n"
               "svg .axis{stroke:var(--line)}svg .bar{fill:var(--mark)}svg .heat{fill:var(--warm)}\n"
               "svg .cell{fill:none;stroke:var(--line)}svg .zero{stroke:var(--dim)}svg .hover{fill:transparent}\n"
               "svg .whisker{fill:none;stroke:var(--ink)}svg .box{fill:var(--box);stroke:var(--mark)}\n"
               "svg .median{stroke:var(--ink);stroke-width:2}svg .dot{fill:var(--warm)}svg .point{fill:var(--mark);fill-opacity:.6}\n"
               "table{border-collapse:collapse;font-variant-numeric:tabular-nums}\n"
               "td,th{white-space:nowrap;padding:.15em .8em;border-bottom:1px solid var(--line);text-align:right}\n"
               "td:first-child,th:first-child,td.name,th.name{text-align:left}\n"
               "details{margin:.5em 0}summary{cursor:pointer;color:var(--dim)}div.wide{overflow-x:auto}\n"
               "</style>\n</head>\n<body>\n"),
        err);
}

enum rf_status rf_html_end(struct rf_text *out, struct rf_error *err)
{
    return rf_text_append(out, RF_STR("</body>\n</html>\n"), err);
}

enum rf_status rf_svg_mark(struct rf_text *out, struct rf_svg_mark mark, struct rf_error *err)
{
    return rf_text_printf(out, err,
                          "<rect class=\"%s\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill-opacity=\"%.3f\"><title>",
                          mark.kind, mark.x, mark.y, mark.width, mark.height, mark.opacity);
}

enum rf_status rf_svg_mark_end(struct rf_text *out, struct rf_error *err)
{
    return rf_text_append(out, RF_STR("</title></rect>\n"), err);
}

enum rf_status rf_svg_label(struct rf_text *out, double x, double y, const char *anchor, struct rf_str text,
                            struct rf_error *err)
{
    RF_TRY(rf_text_printf(out, err, "<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"%s\">", x, y, anchor));
    RF_TRY(rf_html_text(out, text, err));
    return rf_text_append(out, RF_STR("</text>\n"), err);
}

uint64_t rf_axis_step(uint64_t most)
{
    uint64_t ten = 1;
    for (;;) {
        for (uint64_t of = 1; of <= 5; of = of == 1 ? 2 : of == 2 ? 5 : 10) {
            if (most / (of * ten) <= 4) {
                return of * ten;
            }
        }
        if (ten > UINT64_MAX / 50) {
            return ten;
        }
        ten *= 10;
    }
}
