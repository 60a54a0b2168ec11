#include "fix_record.h"

#include <stdlib.h>

#include "fix_dict.h"
#include "fix_entry.h"
#include "fix_fields.h"
#include "fix_groups.h"
#include "fix_value.h"
#include "operate.h"

enum { TAG_MSG_TYPE = 35 };

struct reader {
    const struct rf_program *program;
    const struct rf_fix_dict *dict;
    struct rf_arena *arena;
    struct rf_fix_entry entry;
    struct rf_str text;
    struct rf_fix_fields fields;
    uint8_t flags;
};

static struct rf_value too_large(void)
{
    return rf_value_error(RF_ERROR_TOO_LARGE);
}

/* ---- Values of fields ---- */

/* An error says where in the record its field is, as for a malformed one, counted from 1. */
static struct rf_value placed(const struct reader *reader, const struct rf_fix_span *span, struct rf_value value)
{
    if (value.type != RF_TYPE_ERROR || rf_value_is_bound_error(value)) {
        return value;
    }
    const size_t at = (size_t)(rf_fix_field_text(&reader->fields, span).data - reader->text.data) + 1;
    return rf_operate_error(reader->arena, "%.*s at byte %zu", RF_STR_ARG(value.text), at);
}

static struct rf_value typed_value(const struct reader *reader, const struct rf_fix_span *span, enum rf_fix_type type,
                                   struct rf_str name)
{
    const struct rf_str text = rf_fix_field_text(&reader->fields, span);
    return placed(reader, span, rf_fix_text_value(type, text, name, reader->arena));
}

/* ---- Lists of values ---- */

static struct rf_value all_value(const struct reader *reader, const struct rf_fix_access *access)
{
    struct rf_list *list = RF_PUSH(reader->arena, struct rf_list, 1);
    struct rf_value *item = RF_PUSH(reader->arena, struct rf_value, reader->fields.fields);
    size_t count = 0;
    if (list == NULL || item == NULL) {
        return too_large();
    }
    for (uint32_t i = 0; i < reader->fields.fields; i++) {
        const struct rf_fix_span *field = &reader->fields.field[i];
        if (field->tag != access->tag) {
            continue;
        }
        item[count] = typed_value(reader, field, (enum rf_fix_type)access->type, access->name);
        if (item[count].type == RF_TYPE_ERROR) { /* of a list, one is the error of all */
            return item[count];
        }
        count++;
    }
    *list = (struct rf_list){.count = count, .item = item};
    return (struct rf_value){.type = RF_TYPE_LIST, .list = list};
}

/* The value of any field, by the dictionary. */
static struct rf_value field_value(const struct reader *reader, const struct rf_fix_span *span)
{
    const struct rf_fix_field *field = rf_fix_field_of_tag(reader->dict, span->tag);
    return typed_value(reader, span, field == NULL ? RF_FIX_TYPE_STRING : (enum rf_fix_type)field->type,
                       field == NULL ? RF_STR("a field") : rf_fix_field_name(reader->dict, field));
}

static struct rf_value map_value(struct rf_entry *entry, size_t count, struct rf_arena *arena)
{
    bool has_twins = false;
    const struct rf_map *map = rf_map_make(arena, entry, count, RF_TWINS_REFUSED, &has_twins);
    return map == NULL ? too_large() : (struct rf_value){.type = RF_TYPE_MAP, .map = map};
}

struct tag_place {
    uint32_t tag;
    uint32_t field;
};

static int places_compare(const void *a, const void *b)
{
    const struct tag_place *x = a;
    const struct tag_place *y = b;
    return x->tag != y->tag ? (x->tag > y->tag) - (x->tag < y->tag) : (x->field > y->field) - (x->field < y->field);
}

/* [fields] the number of a field that is the first of its tag; RF_NONE for the others. NULL: the arena is full. */
static const uint32_t *firsts_find(const struct reader *reader)
{
    const uint32_t fields = reader->fields.fields;
    struct tag_place *place = RF_PUSH(reader->arena, struct tag_place, fields);
    uint32_t *first = RF_PUSH(reader->arena, uint32_t, fields);
    if (place == NULL || first == NULL) {
        return NULL;
    }
    for (uint32_t i = 0; i < fields; i++) {
        place[i] = (struct tag_place){reader->fields.field[i].tag, i};
    }
    qsort(place, fields, sizeof place[0], places_compare);
    for (uint32_t i = 0; i < fields; i++) {
        const bool is_first = i == 0 || place[i].tag != place[i - 1].tag;
        first[place[i].field] = is_first ? place[i].field : RF_NONE;
    }
    return first;
}

/* From tag to value, the first of each tag. A value that is none of its type stays an error in the map. */
static struct rf_value whole_value(const struct reader *reader)
{
    struct rf_entry *entry = RF_PUSH(reader->arena, struct rf_entry, reader->fields.fields);
    size_t count = 0;
    if (entry == NULL) {
        return too_large();
    }
    const uint32_t *first = firsts_find(reader);
    if (first == NULL) {
        return too_large();
    }
    for (uint32_t i = 0; i < reader->fields.fields; i++) {
        if (first[i] != RF_NONE) {
            entry[count].key = rf_value_int(reader->fields.field[i].tag);
            entry[count++].value = field_value(reader, &reader->fields.field[i]);
        }
    }
    return map_value(entry, count, reader->arena);
}

/* ---- Groups ---- */

static struct rf_value group_value(const struct reader *reader, const struct rf_fix_group *group, uint32_t *at,
                                   uint32_t depth);

static bool entry_has(const struct rf_entry *entry, size_t count, struct rf_str name)
{
    for (size_t i = 0; i < count; i++) {
        if (rf_str_equal(entry[i].key.text, name)) {
            return true;
        }
    }
    return false;
}

/* Where the fields from `from` on that belong to one entry of the group end, nested groups taken as they come: no more
 * than there are fields. */
static struct rf_value entry_value(const struct reader *reader, const struct rf_fix_group *group, uint32_t *at,
                                   uint32_t depth)
{
    const struct rf_fix_dict *dict = reader->dict;
    const uint32_t delimiter = rf_fix_group_delimiter(dict, group);
    const uint32_t begin = *at;
    size_t capacity = 8;
    size_t count = 0;
    struct rf_entry *entry = RF_PUSH(reader->arena, struct rf_entry, capacity);
    while (entry != NULL && *at < reader->fields.fields) {
        const struct rf_fix_span *span = &reader->fields.field[*at];
        const struct rf_fix_member *member = rf_fix_group_member(dict, group, span->tag);
        if (member == NULL || (span->tag == delimiter && *at != begin)) {
            break;
        }
        if (count + 2 > capacity) {
            capacity *= 2;
            struct rf_entry *grown = RF_PUSH(reader->arena, struct rf_entry, capacity);
            if (grown != NULL) {
                memcpy(grown, entry, count * sizeof entry[0]);
            }
            entry = grown;
            if (entry == NULL) {
                break;
            }
        }
        char digits[RF_FIX_DIGITS_BYTES];
        struct rf_str name = rf_fix_member_key(dict, &dict->field[member->field], digits);
        name = name.data == digits ? rf_arena_copy(reader->arena, name) : name;
        if (name.data == NULL) {
            return too_large();
        }
        const bool is_new = !entry_has(entry, count, name);
        if (is_new) {
            entry[count].key = rf_value_string(name);
            entry[count++].value = field_value(reader, span);
        }
        ++*at;
        if (member->group != RF_FIX_NONE && depth < RF_FIX_GROUP_DEPTH_MAX) {
            const struct rf_fix_group *inner = &dict->group[member->group];
            const struct rf_value list = group_value(reader, inner, at, depth + 1);
            if (is_new) {
                entry[count].key = rf_value_string(rf_fix_text(dict, inner->list_name));
                entry[count++].value = list;
            }
        }
    }
    return entry == NULL ? too_large() : map_value(entry, count, reader->arena);
}

/* The entries that begin at field *at, which goes to the first field behind them. */
static struct rf_value group_value(const struct reader *reader, const struct rf_fix_group *group, uint32_t *at,
                                   uint32_t depth)
{
    const uint32_t delimiter = rf_fix_group_delimiter(reader->dict, group);
    size_t capacity = 4;
    size_t count = 0;
    struct rf_list *list = RF_PUSH(reader->arena, struct rf_list, 1);
    struct rf_value *item = RF_PUSH(reader->arena, struct rf_value, capacity);
    while (list != NULL && item != NULL && *at < reader->fields.fields &&
           reader->fields.field[*at].tag == delimiter) {
        if (count == capacity) {
            capacity *= 2;
            struct rf_value *grown = RF_PUSH(reader->arena, struct rf_value, capacity);
            if (grown != NULL) {
                memcpy(grown, item, count * sizeof item[0]);
            }
            item = grown;
            if (item == NULL) {
                break;
            }
        }
        item[count] = entry_value(reader, group, at, depth);
        if (item[count].type == RF_TYPE_ERROR) {
            return item[count];
        }
        count++;
    }
    if (list == NULL || item == NULL) {
        return too_large();
    }
    *list = (struct rf_list){.count = count, .item = item};
    return (struct rf_value){.type = RF_TYPE_LIST, .list = list};
}

static struct rf_value group_of_tag(const struct reader *reader, const struct rf_fix_access *access)
{
    const struct rf_fix_span *type = rf_fix_fields_find(&reader->fields, TAG_MSG_TYPE, 0);
    const struct rf_fix_span *count = rf_fix_fields_find(&reader->fields, access->tag, 0);
    const struct rf_fix_message *message =
        type == NULL ? NULL : rf_fix_message_of_type(reader->dict, rf_fix_field_text(&reader->fields, type));
    const struct rf_fix_group *group = rf_fix_group_of_message(reader->dict, message, access->tag);
    if (count == NULL || group == NULL) { /* has() tells */
        return rf_operate_list(NULL, 0, reader->arena);
    }
    uint32_t at = (uint32_t)(count - reader->fields.field) + 1;
    return group_value(reader, group, &at, 1);
}

/* What is wrong with the groups of the message. */
static struct rf_value groups_value(const struct reader *reader, enum rf_fix_form form)
{
    struct rf_fix_view view;
    if (!rf_fix_fields_view(&reader->fields, reader->arena, &view)) {
        return too_large();
    }
    struct rf_fix_groups groups = {
        .dict = reader->dict, .view = &view, .message = rf_fix_view_message(reader->dict, &view)};
    rf_fix_groups_walk(&groups);
    return form == RF_FIX_FORM_FOREIGN ? rf_value_int(groups.foreign) : rf_value_bool(groups.miscounts == 0);
}

/* ---- Accesses ---- */

static struct rf_value access_value(const struct reader *reader, const struct rf_fix_access *access)
{
    const struct rf_fix_span *field =
        access->tag == 0 ? NULL : rf_fix_fields_find(&reader->fields, access->tag, 0);
    const struct rf_value missing = {.type = RF_TYPE_DYN};
    switch (access->form) {
    case RF_FIX_FORM_VALUE:
        return field == NULL ? missing : typed_value(reader, field, (enum rf_fix_type)access->type, access->name);
    case RF_FIX_FORM_RAW:
        return field == NULL
                   ? missing
                   : placed(reader, field,
                            rf_fix_raw_value(rf_fix_field_text(&reader->fields, field), access->name, reader->arena));
    case RF_FIX_FORM_HAS:
        return rf_value_bool(field != NULL);
    case RF_FIX_FORM_ALL:
        return all_value(reader, access);
    case RF_FIX_FORM_GROUP:
        return group_of_tag(reader, access);
    case RF_FIX_FORM_WHOLE:
        return whole_value(reader);
    case RF_FIX_FORM_PREFIX:
        return rf_fix_raw_value((struct rf_str){reader->text.data, reader->entry.message}, access->name,
                                reader->arena);
    case RF_FIX_FORM_LENGTH_OK:
        return rf_value_bool((reader->flags & RF_FIX_WRONG_LENGTH) == 0);
    case RF_FIX_FORM_SUM_OK:
        return rf_value_bool((reader->flags & RF_FIX_WRONG_SUM) == 0);
    case RF_FIX_FORM_BARE_END:
        return rf_value_bool((reader->flags & RF_FIX_BARE_END) != 0);
    case RF_FIX_FORM_DUPLICATE:
        return rf_value_bool((reader->flags & RF_FIX_DUPLICATE) != 0);
    case RF_FIX_FORM_EMPTY:
        return rf_value_bool((reader->flags & RF_FIX_EMPTY) != 0);
    case RF_FIX_FORM_FOREIGN:
    case RF_FIX_FORM_COUNTS_OK:
        return groups_value(reader, access->form);
    case RF_FIX_FORM_SEPARATOR:
        return rf_value_string(rf_str_of(rf_fix_separator_text(reader->entry.separator)));
    case RF_FIX_FORM_COUNT:
        break;
    }
    return missing;
}

enum rf_status rf_fix_record_read(const struct rf_program *program, struct rf_str text, size_t line_end_bytes,
                                  bool is_lenient, struct rf_arena *arena, struct rf_value *value,
                                  struct rf_malformed *malformed, struct rf_error *err)
{
    struct reader reader = {.program = program, .dict = program->fix_dict, .arena = arena, .text = text};
    struct rf_fix_entry *entry = &reader.entry;
    const size_t line_bytes = text.count + line_end_bytes;
    size_t needed = 0;
    const enum rf_fix_step step = text.count == 0 ? RF_FIX_NEED_MORE
                                                  : rf_fix_entry_next((const uint8_t *)text.data, 0, line_bytes,
                                                                      SIZE_MAX, RF_FIX_LAST, entry, &needed);
    if (step != RF_FIX_ENTRY || entry->kind != RF_FIX_MESSAGE) {
        *malformed = (struct rf_malformed){.reason = RF_REASON_FIX_NONE};
        return RF_OK;
    }
    if (entry->reason != RF_REASON_NONE && !(is_lenient && rf_fix_reason_is_lenient(entry->reason))) {
        *malformed = (struct rf_malformed){.reason = entry->reason, .offset = (unsigned)entry->reason_at};
        return RF_OK;
    }
    const struct rf_str message = {text.data + entry->message, entry->message_end - entry->message};
    if (!rf_fix_fields_read(message, entry->separator, entry->reason == RF_REASON_FIX_CUT, arena, &reader.fields)) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for the fields of a message of %zu bytes", message.count);
    }
    if (reader.fields.reason != RF_REASON_NONE) {
        *malformed = (struct rf_malformed){.reason = reader.fields.reason,
                                           .offset = (unsigned)(entry->message + reader.fields.fault)};
        return RF_OK;
    }
    reader.flags = (uint8_t)(entry->flags | reader.fields.flags);
    for (uint32_t i = 0; i < program->fixes; i++) {
        value[i] = access_value(&reader, &program->fix[i]);
    }
    return RF_OK;
}
