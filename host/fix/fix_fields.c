#include "fix_fields.h"

#include <stdlib.h>

#include "fix_data.h"
#include "fix_dict.h"
#include "fix_walk.h"

struct reader {
    struct rf_fix_window window; /* the message */
    enum rf_fix_separator separator;
};

enum { TAG_SUM = 10 };

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

/* Digits and `=` before `end`; false when that is no tag. *value: behind the `=`. */
static bool tag_read(const struct reader *reader, size_t at, size_t end, uint32_t *tag, size_t *value)
{
    if (reader->window.bytes[at] == '0' || rf_fix_digits(&reader->window, at, tag, value) != RF_FIX_YES ||
        *value >= end || reader->window.bytes[*value] != '=') {
        return false;
    }
    ++*value;
    return true;
}

/* The end of the data at `begin`, whose length is the value of the field before; false when that leads nowhere. */
static bool data_end(const struct reader *reader, const struct rf_fix_span *length, size_t begin, size_t *end)
{
    uint32_t count = 0;
    size_t digits_end = 0;
    size_t needed = 0;
    return rf_fix_digits(&reader->window, length->begin, &count, &digits_end) == RF_FIX_YES &&
           digits_end == length->begin + length->count &&
           rf_fix_data_end(&reader->window, reader->separator, begin, count, end, &needed) == RF_FIX_YES;
}

static bool fields_fail(struct rf_fix_fields *out, enum rf_reason reason, size_t fault)
{
    out->reason = reason;
    out->fault = (uint32_t)fault;
    return false;
}

/* The field at *at, which goes behind it; false when it is broken. */
static bool field_read(const struct reader *reader, size_t *at, struct rf_fix_span *field, struct rf_fix_fields *out)
{
    uint32_t tag = 0;
    size_t begin = 0;
    size_t end = value_end(reader, *at);
    if (!tag_read(reader, *at, end, &tag, &begin)) {
        return fields_fail(out, RF_REASON_FIX_TAG, *at);
    }
    const struct rf_fix_span *last = out->fields == 0 ? NULL : &field[-1];
    if (last != NULL && rf_fix_data_of(last->tag) == tag && !data_end(reader, last, begin, &end)) {
        return fields_fail(out, RF_REASON_FIX_DATA, last->begin);
    }
    *field = (struct rf_fix_span){tag, (uint32_t)begin, (uint32_t)(end - begin)};
    out->flags |= end == begin ? RF_FIX_EMPTY : 0;
    out->fields++;
    *at = end + rf_fix_separator_bytes(reader->separator);
    return true;
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

bool rf_fix_fields_read(struct rf_str message, enum rf_fix_separator separator, bool is_cut, struct rf_arena *arena,
                        struct rf_fix_fields *out)
{
    const struct reader reader = {.window = {.bytes = (const uint8_t *)message.data, .end = message.count, .is_cut = is_cut},
                                  .separator = separator};
    *out = (struct rf_fix_fields){.message = message};
    size_t most = 1;
    for (size_t at = 0; (at = value_end(&reader, at)) < message.count; at += rf_fix_separator_bytes(separator)) {
        most++;
    }
    struct rf_fix_span *field = RF_PUSH(arena, struct rf_fix_span, most);
    if (field == NULL) {
        return false;
    }
    out->field = field;
    for (size_t at = 0; at < message.count;) {
        if (!field_read(&reader, &at, &field[out->fields], out)) {
            return true;
        }
    }
    if (out->fields == 0 || (!is_cut && field[out->fields - 1].tag != TAG_SUM)) { /* data has swallowed the trailer */
        (void)fields_fail(out, RF_REASON_FIX_DATA, out->fields == 0 ? 0 : field[out->fields - 1].begin);
        return true;
    }
    bool is_full = false;
    if (has_twins(field, out->fields, arena, &is_full)) {
        out->flags |= RF_FIX_DUPLICATE;
    }
    return !is_full;
}

bool rf_fix_fields_view(const struct rf_fix_fields *fields, struct rf_arena *arena, struct rf_fix_view *view)
{
    const uint32_t count = fields->fields;
    uint32_t *tag = RF_PUSH(arena, uint32_t, 3 * (size_t)count);
    if (tag == NULL) {
        return false;
    }
    uint32_t *begin = tag + count;
    uint32_t *bytes = begin + count;
    for (uint32_t i = 0; i < count; i++) {
        tag[i] = fields->field[i].tag;
        begin[i] = fields->field[i].begin;
        bytes[i] = fields->field[i].count;
    }
    *view = (struct rf_fix_view){(const uint8_t *)fields->message.data, tag, begin, bytes, count, fields->flags};
    return true;
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
