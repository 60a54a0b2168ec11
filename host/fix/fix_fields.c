#include "fix_fields.h"

#include <stdlib.h>

#include "fix_data.h"
#include "fix_dict.h"
#include "fix_walk.h"

struct reader {
    struct rf_fix_window window; /* the message */
    enum rf_fix_separator separator;
    uint8_t flags;
};

/* The end of the value at `at`: the next separator, or the end of the message. */
static size_t value_end(const struct reader *reader, size_t at)
{
    const char *text = rf_fix_separator_text(reader->separator);
    const size_t text_bytes = rf_fix_separator_bytes(reader->separator);
    while (at < reader->window.end && rf_fix_match(&reader->window, at, text, text_bytes) != RF_FIX_YES) {
        at++;
    }
    return at;
}

/* Digits and `=`; false when that is no tag. *value: behind the `=`. */
static bool tag_read(const struct reader *reader, size_t at, uint32_t *tag, size_t *value)
{
    if (reader->window.bytes[at] == '0' || rf_fix_digits(&reader->window, at, tag, value) != RF_FIX_YES ||
        reader->window.bytes[*value] != '=') {
        return false;
    }
    ++*value;
    return true;
}

/* What a length field says; false when it says nothing. */
static bool length_read(const struct reader *reader, size_t begin, size_t end, uint32_t *count)
{
    size_t digits_end = 0;
    return end < reader->window.end && rf_fix_digits(&reader->window, begin, count, &digits_end) == RF_FIX_YES &&
           digits_end == end;
}

/* The end of data whose length is known, or of the plain value that it is when the length is wrong. */
static size_t data_end(struct reader *reader, size_t begin, uint32_t count)
{
    size_t end = 0;
    size_t needed = 0;
    if (reader->window.end - begin == count && rf_fix_separator_bytes(reader->separator) == 1) {
        return reader->window.end; /* a bare end */
    }
    if (rf_fix_data_end(&reader->window, reader->separator, begin, count, &end, &needed) == RF_FIX_YES) {
        return end;
    }
    reader->flags |= RF_FIX_BAD_DATA;
    return value_end(reader, begin);
}

static int tags_compare(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a;
    const uint32_t y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Does some tag occur twice? False also when the arena is full: *is_full says so. */
static bool has_twins(const struct rf_fix_span *field, uint32_t fields, struct rf_arena *arena, bool *is_full)
{
    const struct rf_arena_mark mark = rf_arena_mark(arena);
    uint32_t *tag = RF_PUSH(arena, uint32_t, fields);
    bool found = false;
    *is_full = tag == NULL;
    if (tag != NULL) {
        for (uint32_t i = 0; i < fields; i++) {
            tag[i] = field[i].tag;
        }
        qsort(tag, fields, sizeof tag[0], tags_compare);
        for (uint32_t i = 1; i < fields; i++) {
            found = found || tag[i] == tag[i - 1];
        }
    }
    rf_arena_rewind(arena, mark);
    return found;
}

bool rf_fix_fields_read(struct rf_str message, enum rf_fix_separator separator, struct rf_arena *arena,
                        struct rf_fix_fields *out)
{
    struct reader reader = {.window = {.bytes = (const uint8_t *)message.data, .end = message.count},
                            .separator = separator};
    const size_t text_bytes = rf_fix_separator_bytes(separator);
    size_t most = 1;
    for (size_t at = 0; (at = value_end(&reader, at)) < message.count; at += text_bytes) {
        most++;
    }
    struct rf_fix_span *field = RF_PUSH(arena, struct rf_fix_span, most);
    uint32_t fields = 0;
    uint32_t data_tag = 0; /* of the field that the last one told the length of */
    uint32_t data_count = 0;
    for (size_t at = 0; field != NULL && at < message.count;) {
        uint32_t tag = 0;
        size_t begin = at;
        size_t end = value_end(&reader, at);
        const bool has_tag = tag_read(&reader, at, &tag, &begin) && begin <= end;
        if (has_tag) {
            end = tag == data_tag ? data_end(&reader, begin, data_count) : end;
            field[fields++] = (struct rf_fix_span){tag, (uint32_t)begin, (uint32_t)(end - begin)};
            reader.flags |= end == begin ? RF_FIX_EMPTY : 0;
        } else {
            reader.flags |= RF_FIX_BAD_TAG;
        }
        data_tag = has_tag ? rf_fix_data_of(tag) : 0;
        if (data_tag != 0 && !length_read(&reader, begin, end, &data_count)) {
            data_tag = 0;
            /* Only the data field itself shows that the length is wrong. */
        }
        at = end < message.count ? end + text_bytes : end;
    }
    bool is_full = field == NULL;
    if (!is_full && has_twins(field, fields, arena, &is_full)) {
        reader.flags |= RF_FIX_DUPLICATE;
    }
    *out = (struct rf_fix_fields){.message = message, .field = field, .fields = fields, .flags = reader.flags};
    return !is_full;
}

const struct rf_fix_span *rf_fix_fields_find(const struct rf_fix_fields *fields, uint32_t tag, uint32_t from)
{
    for (uint32_t i = from; i < fields->fields; i++) {
        if (fields->field[i].tag == tag) {
            return &fields->field[i];
        }
    }
    return NULL;
}
