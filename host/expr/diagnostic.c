#include "diagnostic.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "caret.h"

static bool byte_continues(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

static bool byte_is_control(char c)
{
    return (unsigned char)c < 0x20 || c == 0x7f;
}

void rf_diagnostic_place(struct rf_diagnostic *diagnostic, struct rf_str source, uint32_t begin, uint32_t end)
{
    if (begin > source.count) {
        begin = (uint32_t)source.count;
    }
    if (end > source.count) {
        end = (uint32_t)source.count;
    }
    *diagnostic = (struct rf_diagnostic){.begin = begin, .end = end < begin ? begin : end};
    rf_caret_place(source, begin, &diagnostic->line, &diagnostic->column);
}

enum rf_status rf_diagnostic_fail(struct rf_diagnostic *diagnostic, struct rf_str source, uint32_t begin, uint32_t end,
                                  struct rf_error *err, const char *format, ...)
{
    rf_diagnostic_place(diagnostic, source, begin, end);
    va_list list;
    va_start(list, format);
    const int wanted = vsnprintf(diagnostic->text, sizeof diagnostic->text, format, list);
    va_end(list);
    rf_caret_clean(diagnostic->text, sizeof diagnostic->text, wanted);
    RF_FAIL(err, RF_E_EXPR, "%u:%u: %s", diagnostic->line, diagnostic->column, diagnostic->text);
}

void rf_diagnostic_cut(struct rf_str source, char *out, size_t room_bytes)
{
    static const char dots[] = "...";
    size_t count = 0;
    size_t kept = 0; /* whole code points that leave room for the dots */
    for (size_t i = 0; i < source.count; i++) {
        char c = source.data[i];
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f') {
            if (count > 0 && out[count - 1] == ' ') {
                continue;
            }
            c = ' ';
        } else if (byte_is_control(c)) {
            c = '?';
        }
        if (!byte_continues(c) && count <= room_bytes - sizeof dots) {
            kept = count;
        }
        if (count == room_bytes - 1) {
            memcpy(out + kept, dots, sizeof dots);
            return;
        }
        out[count++] = c;
    }
    out[count] = '\0';
}

enum rf_status rf_diagnostic_print(const struct rf_diagnostic *diagnostic, struct rf_str source, struct rf_text *out,
                                   struct rf_error *err)
{
    RF_TRY(rf_text_printf(out, err, "error: %s\n --> %u:%u\n", diagnostic->text, diagnostic->line, diagnostic->column));
    return rf_caret_append(out, source, diagnostic->begin, diagnostic->end, err);
}
