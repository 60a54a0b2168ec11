/* yaml_place.c: rf_yaml_place of yaml.h: the decoded text of a scalar beside its source.
 *
 * The two are walked side by side. Bytes that are no white space come in the same order in both, whatever lines are folded
 * to; white space of the source that the text has not is passed over, and of the text that the source has not stays where it
 * is. Escapes of quoted scalars are read here once more: they alone make bytes that do not stand in the source. */
#include "utf8.h"
#include "yaml.h"

struct walk {
    struct rf_str source;
    uint32_t at;
    uint32_t end;
};

static bool byte_is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static uint32_t hex_value(struct rf_str digits)
{
    uint32_t value = 0;
    for (size_t i = 0; i < digits.count; i++) {
        const char c = digits.data[i];
        value = value * 16 + (uint32_t)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    return value;
}

/* Source bytes of an escape, its backslash first, and how many bytes of text it makes. */
static void escape_measure(const struct walk *w, uint32_t *source_bytes, uint32_t *text_bytes)
{
    const char c = w->at + 1 < w->end ? w->source.data[w->at + 1] : '\\';
    const uint32_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
    char text[4];
    *source_bytes = 2 + digits;
    *text_bytes = 1;
    if (digits > 0 && w->at + 2 + digits <= w->end) {
        const uint32_t value = hex_value((struct rf_str){w->source.data + w->at + 2, digits});
        const bool is_scalar = value <= 0x10FFFF && (value < 0xD800 || value > 0xDFFF);
        *text_bytes = is_scalar ? (uint32_t)rf_utf8_write(value, text) : 3;
    } else if (c == 'N' || c == '_') { /* next line, no-break space */
        *text_bytes = 2;
    } else if (c == 'L' || c == 'P') { /* line and paragraph separator */
        *text_bytes = 3;
    } else if (c == '\n' || c == '\r') { /* the line goes on */
        *text_bytes = 0;
    }
}

/* Over the source of the text bytes from `offset` on; gives how many of them. w->at is then behind, *from where it began. */
static size_t step(struct walk *w, const struct rf_yaml_node *scalar, size_t offset, uint32_t *from)
{
    const char wanted = scalar->text.data[offset];
    if (scalar->style == RF_YAML_DOUBLE_QUOTED) {
        while (w->at < w->end && w->source.data[w->at] == '\\') {
            uint32_t source_bytes;
            uint32_t text_bytes;
            escape_measure(w, &source_bytes, &text_bytes);
            *from = w->at;
            w->at += source_bytes;
            if (text_bytes > 0) {
                return text_bytes;
            }
            while (w->at < w->end && byte_is_space(w->source.data[w->at])) {
                w->at++;
            }
        }
    }
    if (byte_is_space(wanted)) {
        *from = w->at;
        w->at += w->at < w->end && w->source.data[w->at] == wanted;
        return 1;
    }
    while (w->at < w->end && byte_is_space(w->source.data[w->at])) {
        w->at++;
    }
    if (scalar->style == RF_YAML_DOUBLE_QUOTED && w->at < w->end && w->source.data[w->at] == '\\') {
        return 0; /* once more: an escape stands behind the white space */
    }
    *from = w->at;
    w->at += w->at < w->end;
    if (scalar->style == RF_YAML_SINGLE_QUOTED && wanted == '\'') {
        w->at += w->at < w->end;
    }
    return 1;
}

uint32_t rf_yaml_place(struct rf_str source, const struct rf_yaml_node *scalar, size_t offset)
{
    struct walk walk = {source, scalar->begin, scalar->end};
    uint32_t from = walk.at;
    /* What is missing at the end is missed behind the last byte, not on the line below a block scalar. */
    size_t count = scalar->text.count;
    while (count > 0 && byte_is_space(scalar->text.data[count - 1])) {
        count--;
    }
    size_t at = 0;
    while (at < count && at < offset) {
        at += step(&walk, scalar, at, &from);
    }
    if (offset >= count) {
        return walk.at;
    }
    if (at > offset) { /* one of the bytes that the last escape makes */
        return from;
    }
    /* Where the byte itself is, behind white space of the source that the text has not. */
    struct walk next = walk;
    while (step(&next, scalar, offset, &from) == 0) {
    }
    return from;
}
