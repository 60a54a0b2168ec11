#include "diagnostic.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "utf8.h"

enum {
    WINDOW_BEFORE = 60, /* source bytes shown left of the caret when the line is long */
    WINDOW_BYTES = 120
};

static bool byte_continues(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

static bool byte_is_control(char c)
{
    return (unsigned char)c < 0x20 || c == 0x7f;
}

/* Ends the text on a code point boundary, and keeps it on one printable line. */
static void text_clean(char *text, size_t room_bytes, int wanted)
{
    if (wanted >= 0 && (size_t)wanted >= room_bytes) {
        size_t end = room_bytes - 1;
        while (end > 0 && byte_continues(text[end - 1])) {
            end--;
        }
        if (end > 0 && (unsigned char)text[end - 1] >= 0xc0) {
            end--;
        }
        text[end] = '\0';
    }
    for (char *c = text; *c != '\0'; c++) {
        if (byte_is_control(*c)) {
            *c = ' ';
        }
    }
}

void rf_diagnostic_place(struct rf_diagnostic *diagnostic, struct rf_str source, uint32_t begin, uint32_t end)
{
    if (begin > source.count) {
        begin = (uint32_t)source.count;
    }
    if (end > source.count) {
        end = (uint32_t)source.count;
    }
    *diagnostic = (struct rf_diagnostic){.begin = begin, .end = end < begin ? begin : end, .line = 1, .column = 1};
    for (uint32_t i = 0; i < begin; i++) {
        if (source.data[i] == '\n') {
            diagnostic->line++;
            diagnostic->column = 1;
        } else if (!byte_continues(source.data[i])) {
            diagnostic->column++;
        }
    }
}

enum rf_status rf_diagnostic_fail(struct rf_diagnostic *diagnostic, struct rf_str source, uint32_t begin, uint32_t end,
                                  struct rf_error *err, const char *format, ...)
{
    rf_diagnostic_place(diagnostic, source, begin, end);
    va_list list;
    va_start(list, format);
    const int wanted = vsnprintf(diagnostic->text, sizeof diagnostic->text, format, list);
    va_end(list);
    text_clean(diagnostic->text, sizeof diagnostic->text, wanted);
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

/* The bytes of the source that are shown: one line, or a window of it. */
static void window_find(struct rf_str source, uint32_t begin, size_t *from, size_t *to)
{
    size_t line_begin = begin;
    while (line_begin > 0 && source.data[line_begin - 1] != '\n') {
        line_begin--;
    }
    size_t line_end = begin;
    while (line_end < source.count && source.data[line_end] != '\n') {
        line_end++;
    }
    *from = line_begin;
    *to = line_end;
    if (line_end - line_begin <= WINDOW_BYTES) {
        return;
    }
    if (begin - line_begin > WINDOW_BEFORE) {
        *from = begin - WINDOW_BEFORE;
        while (*from < begin && byte_continues(source.data[*from])) {
            (*from)++;
        }
    }
    if (line_end - *from > WINDOW_BYTES) {
        *to = *from + WINDOW_BYTES;
        while (*to > begin && byte_continues(source.data[*to])) {
            (*to)--;
        }
    }
}

/* A source that is no UTF-8 must not reach a terminal as it is. */
static enum rf_status source_append(struct rf_text *out, struct rf_str source, size_t from, size_t to,
                                    struct rf_error *err)
{
    const bool is_utf8 = rf_utf8_is_valid(source);
    for (size_t i = from; i < to; i++) {
        char c = source.data[i];
        if (byte_is_control(c) && c != '\t') {
            c = ' ';
        } else if (!is_utf8 && (unsigned char)c >= 0x80) {
            if (byte_continues(c) && i > from && (unsigned char)source.data[i - 1] >= 0x80) {
                continue;
            }
            c = '?';
        }
        RF_TRY(rf_text_append_char(out, c, err));
    }
    return RF_OK;
}

/* One column for each code point before `begin`, tabs kept so that the caret stands below its place. */
static enum rf_status caret_append(struct rf_text *out, struct rf_str source, size_t from, size_t to, size_t begin,
                                   size_t end, struct rf_error *err)
{
    for (size_t i = from; i < begin; i++) {
        if (!byte_continues(source.data[i])) {
            RF_TRY(rf_text_append_char(out, source.data[i] == '\t' ? '\t' : ' ', err));
        }
    }
    RF_TRY(rf_text_append_char(out, '^', err));
    for (size_t i = begin + 1; i < end && i < to; i++) {
        if (!byte_continues(source.data[i])) {
            RF_TRY(rf_text_append_char(out, '^', err));
        }
    }
    return RF_OK;
}

enum rf_status rf_diagnostic_print(const struct rf_diagnostic *diagnostic, struct rf_str source, struct rf_text *out,
                                   struct rf_error *err)
{
    const uint32_t begin = diagnostic->begin <= source.count ? diagnostic->begin : (uint32_t)source.count;
    size_t from;
    size_t to;
    window_find(source, begin, &from, &to);
    const bool is_cut_left = from > 0 && source.data[from - 1] != '\n';
    const bool is_cut_right = to < source.count && source.data[to] != '\n';
    RF_TRY(rf_text_printf(out, err, "error: %s\n --> %u:%u\n  | %s", diagnostic->text, diagnostic->line,
                          diagnostic->column, is_cut_left ? "..." : ""));
    RF_TRY(source_append(out, source, from, to, err));
    RF_TRY(rf_text_printf(out, err, "%s\n  | %s", is_cut_right ? "..." : "", is_cut_left ? "   " : ""));
    RF_TRY(caret_append(out, source, from, to, begin, diagnostic->end, err));
    return rf_text_append_char(out, '\n', err);
}
