#include "caret.h"

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

void rf_caret_clean(char *text, size_t room_bytes, int wanted)
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

void rf_caret_place(struct rf_str source, uint32_t begin, uint32_t *line, uint32_t *column)
{
    *line = 1;
    *column = 1;
    for (uint32_t i = 0; i < begin && i < source.count; i++) {
        if (source.data[i] == '\n') {
            ++*line;
            *column = 1;
        } else if (!byte_continues(source.data[i])) {
            ++*column;
        }
    }
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
static enum rf_status marks_append(struct rf_text *out, struct rf_str source, size_t from, size_t to, size_t begin,
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

enum rf_status rf_caret_append(struct rf_text *out, struct rf_str source, uint32_t begin, uint32_t end,
                               struct rf_error *err)
{
    size_t from;
    size_t to;
    begin = begin <= source.count ? begin : (uint32_t)source.count;
    window_find(source, begin, &from, &to);
    const bool is_cut_left = from > 0 && source.data[from - 1] != '\n';
    const bool is_cut_right = to < source.count && source.data[to] != '\n';
    RF_TRY(rf_text_printf(out, err, "  | %s", is_cut_left ? "..." : ""));
    RF_TRY(source_append(out, source, from, to, err));
    RF_TRY(rf_text_printf(out, err, "%s\n  | %s", is_cut_right ? "..." : "", is_cut_left ? "   " : ""));
    RF_TRY(marks_append(out, source, from, to, begin, end, err));
    return rf_text_append_char(out, '\n', err);
}
