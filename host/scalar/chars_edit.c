#include "chars_edit.h"

/* Text that is written, or only measured when data is NULL. */
struct edit {
    char *data;
    size_t count;
};

static void edit_append(struct edit *edit, const char *data, size_t count)
{
    if (edit->data != NULL && count != 0) {
        memcpy(edit->data + edit->count, data, count);
    }
    if (__builtin_add_overflow(edit->count, count, &edit->count)) {
        edit->count = SIZE_MAX;
    }
}

size_t rf_chars_lower_ascii(struct rf_str text, char *out, size_t out_max)
{
    if (text.count <= out_max) {
        for (size_t i = 0; i < text.count; i++) {
            const unsigned char byte = (unsigned char)text.data[i];
            out[i] = (char)((unsigned char)(byte - 'A') < 26 ? byte + 0x20 : byte);
        }
    }
    return text.count;
}

size_t rf_chars_upper_ascii(struct rf_str text, char *out, size_t out_max)
{
    if (text.count <= out_max) {
        for (size_t i = 0; i < text.count; i++) {
            const unsigned char byte = (unsigned char)text.data[i];
            out[i] = (char)((unsigned char)(byte - 'a') < 26 ? byte - 0x20 : byte);
        }
    }
    return text.count;
}

size_t rf_chars_reverse(struct rf_str text, char *out, size_t out_max)
{
    if (text.count <= out_max) {
        size_t at = 0;
        while (at < text.count) {
            const size_t bytes = rf_chars_step(text, at);
            memcpy(out + (text.count - at - bytes), text.data + at, bytes);
            at += bytes;
        }
    }
    return text.count;
}

static void replace_parts(struct rf_str text, struct rf_str from, struct rf_str to, uint64_t places_max,
                          struct edit *edit)
{
    size_t at = 0;
    for (uint64_t places = 0; places < places_max && at < text.count; places++) {
        const struct rf_str rest = {text.data + at, text.count - at};
        size_t found;
        if (!rf_str_find(rest, from, &found)) {
            break;
        }
        edit_append(edit, rest.data, found);
        edit_append(edit, to.data, to.count);
        at += found + from.count;
    }
    if (at < text.count) {
        edit_append(edit, text.data + at, text.count - at);
    }
}

static void replace_gaps(struct rf_str text, struct rf_str to, uint64_t places_max, struct edit *edit)
{
    size_t at = 0;
    for (uint64_t places = 0; places < places_max; places++) {
        edit_append(edit, to.data, to.count);
        if (at == text.count) {
            return;
        }
        const size_t bytes = rf_chars_step(text, at);
        edit_append(edit, text.data + at, bytes);
        at += bytes;
    }
    if (at < text.count) {
        edit_append(edit, text.data + at, text.count - at);
    }
}

static size_t chars_replace(struct rf_str text, struct rf_str from, struct rf_str to, int64_t limit, struct edit edit)
{
    const uint64_t places_max = limit < 0 ? UINT64_MAX : (uint64_t)limit;
    if (from.count == 0) {
        replace_gaps(text, to, places_max, &edit);
    } else {
        replace_parts(text, from, to, places_max, &edit);
    }
    return edit.count;
}

size_t rf_chars_replace(struct rf_str text, struct rf_str from, struct rf_str to, int64_t limit, char *out,
                        size_t out_max)
{
    struct edit edit = {.data = NULL};
    /* What cannot become longer and fits need not be measured first. */
    if (to.count > from.count || text.count > out_max) {
        const size_t count = chars_replace(text, from, to, limit, edit);
        if (count > out_max) {
            return count;
        }
    }
    edit.data = out;
    return chars_replace(text, from, to, limit, edit);
}

/* What stands behind the backslash for a byte that is escaped, 0 for every other. */
static char byte_escape(char c)
{
    if (c >= '\a' && c <= '\r') {
        return "abtnvfr"[c - '\a'];
    }
    if (c == '"' || c == '\\') {
        return c;
    }
    return '\0';
}

size_t rf_chars_quote(struct rf_str text, char *out, size_t out_max)
{
    size_t count = text.count + 2;
    for (size_t i = 0; i < text.count; i++) {
        count += byte_escape(text.data[i]) != '\0';
    }
    if (count > out_max) {
        return count;
    }
    size_t at = 0;
    out[at++] = '"';
    for (size_t i = 0; i < text.count; i++) {
        const char escape = byte_escape(text.data[i]);
        if (escape == '\0') {
            out[at++] = text.data[i];
        } else {
            out[at++] = '\\';
            out[at++] = escape;
        }
    }
    out[at] = '"';
    return count;
}
