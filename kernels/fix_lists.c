#include "fix_lists.h"

#include "calc_list.h"
#include "fix_groups.h"
#include "utf8.h"

enum { ARENA_BYTES_MAX = 64 * 1024 * 1024, TAG_MSG_TYPE = 35, ENTRIES_FIRST = 8, ITEMS_FIRST = 4 };

/* The fields of one message, and where its lists are made. */
struct message {
    const struct rf_fix_dict *dict;
    const struct rf_fix_index *index;
    const uint8_t *bytes;
    uint32_t at; /* fields [at, end) of the index */
    uint32_t end;
    struct rf_arena *arena;
};

static const struct rf_cell cell_host = {.tag = RF_TAG_HOST, .text = ""};

bool rf_fix_access_needs_fields(const struct rf_fix_access *access)
{
    return access->form == RF_FIX_FORM_ALL || access->form == RF_FIX_FORM_GROUP ||
           access->form == RF_FIX_FORM_FOREIGN || access->form == RF_FIX_FORM_COUNTS_OK ||
           (access->form == RF_FIX_FORM_VALUE &&
            rf_fix_type_class((enum rf_fix_type)access->type) == RF_FIX_CLASS_LIST);
}

enum rf_status rf_fix_lists_open(struct rf_fix_lists *lists, const struct rf_program *program, uint32_t rows_max,
                                 struct rf_error *err)
{
    *lists = (struct rf_fix_lists){.program = program};
    for (uint32_t s = 0; s < program->slots; s++) {
        lists->is_needed = lists->is_needed || (program->slot[s].root == RF_ROOT_BINDING &&
                                                rf_fix_access_needs_fields(&program->fix[program->slot[s].binding]));
    }
    if (!lists->is_needed) {
        return RF_OK;
    }
    rf_arena_init(&lists->arena, ARENA_BYTES_MAX);
    return rf_fix_index_open(&lists->index, rows_max, NULL, 0, err);
}

enum rf_status rf_fix_lists_reserve(struct rf_fix_lists *lists, size_t batch_bytes, struct rf_error *err)
{
    return lists->is_needed ? rf_fix_index_reserve(&lists->index, batch_bytes, err) : RF_OK;
}

void rf_fix_lists_close(struct rf_fix_lists *lists)
{
    if (lists->is_needed) {
        rf_fix_index_close(&lists->index);
        rf_arena_free(&lists->arena);
    }
    *lists = (struct rf_fix_lists){0};
}

/* ---- Values ---- */

static struct rf_str field_text(const struct message *message, uint32_t field)
{
    return (struct rf_str){(const char *)message->bytes + message->index->begin[field], message->index->length[field]};
}

/* Texts between blanks; false: the interpreter must be asked. */
static bool words_cell(struct rf_str text, struct rf_arena *arena, struct rf_cell *out)
{
    struct rf_str rest = text;
    struct rf_str part;
    uint32_t count = 0;
    while (rf_fix_list_next(&rest, &part)) {
        count++;
    }
    struct rf_cell *item = RF_PUSH(arena, struct rf_cell, count);
    if (item == NULL || !rf_utf8_is_valid(text)) {
        return false;
    }
    rest = text;
    for (uint32_t i = 0; i < count && rf_fix_list_next(&rest, &part); i++) {
        item[i] = rf_cell_of_text(part, RF_TAG_STRING_RAW);
    }
    *out = rf_cell_of_items(item, count, RF_TAG_ITEMS);
    return true;
}

/* A value of its type; false: the interpreter must be asked. */
static bool value_cell(enum rf_fix_type type, struct rf_str text, struct rf_arena *arena, struct rf_cell *out)
{
    struct rf_fix_value value;
    if (!rf_fix_value(type, text, &value)) {
        return false;
    }
    switch (value.kind) {
    case RF_FIX_CLASS_INT:
        *out = rf_cell_of_int(value.as.integer);
        return true;
    case RF_FIX_CLASS_DOUBLE:
        *out = rf_cell_of_double(value.as.number, RF_TAG_NUMBER);
        return true;
    case RF_FIX_CLASS_BOOL:
        *out = rf_cell_of_bool(value.as.truth);
        return true;
    case RF_FIX_CLASS_INSTANT:
        *out = rf_cell_of_instant(value.as.instant);
        return true;
    case RF_FIX_CLASS_DURATION:
        *out = rf_cell_of_int(value.as.nanoseconds);
        out->tag = RF_TAG_DURATION;
        return true;
    case RF_FIX_CLASS_TEXT:
        *out = rf_cell_of_text(text, RF_TAG_STRING_RAW);
        return rf_utf8_is_valid(text);
    case RF_FIX_CLASS_LIST:
        return words_cell(text, arena, out);
    case RF_FIX_CLASS_BYTES:
        *out = rf_cell_of_text(text, RF_TAG_BYTES);
        return true;
    }
    return false;
}

static uint32_t field_find(const struct message *message, uint32_t tag)
{
    uint32_t field = message->at;
    while (field < message->end && message->index->tag[field] != tag) {
        field++;
    }
    return field;
}

static struct rf_cell all_cell(const struct message *message, const struct rf_fix_access *access)
{
    uint32_t count = 0;
    for (uint32_t field = message->at; field < message->end; field++) {
        count += message->index->tag[field] == access->tag;
    }
    struct rf_cell *item = RF_PUSH(message->arena, struct rf_cell, count);
    if (item == NULL) {
        return cell_host;
    }
    count = 0;
    for (uint32_t field = message->at; field < message->end; field++) {
        if (message->index->tag[field] == access->tag &&
            !value_cell((enum rf_fix_type)access->type, field_text(message, field), message->arena, &item[count++])) {
            return cell_host;
        }
    }
    return rf_cell_of_items(item, count, RF_TAG_ITEMS);
}

/* ---- Groups ---- */

/* Room for one more of `size` cells each in an array that doubles; NULL: the arena is full. */
static struct rf_cell *cells_room(struct rf_arena *arena, struct rf_cell *cell, uint32_t count, uint32_t *capacity,
                                  uint32_t size)
{
    if (count < *capacity) {
        return cell;
    }
    struct rf_cell *grown = RF_PUSH(arena, struct rf_cell, 2 * (size_t)*capacity * size);
    if (grown != NULL) {
        memcpy(grown, cell, (size_t)count * size * sizeof cell[0]);
        *capacity *= 2;
    }
    return grown;
}

static bool group_cell(const struct message *message, const struct rf_fix_group *group, uint32_t *at, uint32_t depth,
                       struct rf_cell *out);

static bool entry_has(const struct rf_cell *entry, uint32_t count, struct rf_str name)
{
    for (uint32_t i = 0; i < count; i++) {
        if (rf_str_equal(rf_cell_text(&entry[2 * i]), name)) {
            return true;
        }
    }
    return false;
}

/* A member of an entry and, when it counts the entries of a group within, the list of these. */
static bool member_take(const struct message *message, const struct rf_fix_member *member, uint32_t *at, uint32_t depth,
                        struct rf_cell *entry, uint32_t *count)
{
    const struct rf_fix_dict *dict = message->dict;
    const struct rf_fix_field *field = &dict->field[member->field];
    char digits[RF_FIX_DIGITS_BYTES];
    struct rf_str name = rf_fix_member_key(dict, field, digits);
    name = name.data == digits ? rf_arena_copy(message->arena, name) : name;
    if (name.data == NULL) {
        return false;
    }
    const bool is_new = !entry_has(entry, *count, name);
    if (is_new) {
        entry[2 * *count] = rf_cell_of_text(name, RF_TAG_STRING_RAW);
        if (!value_cell((enum rf_fix_type)field->type, field_text(message, *at), message->arena,
                        &entry[2 * *count + 1])) {
            return false;
        }
        ++*count;
    }
    ++*at;
    if (member->group == RF_FIX_NONE || depth >= RF_FIX_GROUP_DEPTH_MAX) {
        return true;
    }
    const struct rf_fix_group *inner = &dict->group[member->group];
    struct rf_cell list;
    if (!group_cell(message, inner, at, depth + 1, &list)) {
        return false;
    }
    if (is_new) {
        entry[2 * *count] = rf_cell_of_text(rf_fix_text(dict, inner->list_name), RF_TAG_STRING_RAW);
        entry[2 * *count + 1] = list;
        ++*count;
    }
    return true;
}

static bool entry_cell(const struct message *message, const struct rf_fix_group *group, uint32_t *at, uint32_t depth,
                       struct rf_cell *out)
{
    const uint32_t delimiter = rf_fix_group_delimiter(message->dict, group);
    const uint32_t begin = *at;
    uint32_t capacity = ENTRIES_FIRST;
    uint32_t count = 0;
    struct rf_cell *entry = RF_PUSH(message->arena, struct rf_cell, 2 * (size_t)capacity);
    while (entry != NULL && *at < message->end) {
        const uint32_t tag = message->index->tag[*at];
        const struct rf_fix_member *member = rf_fix_group_member(message->dict, group, tag);
        if (member == NULL || (tag == delimiter && *at != begin)) {
            break;
        }
        entry = cells_room(message->arena, entry, count + 1, &capacity, 2); /* a list may come with it */
        if (entry == NULL || !member_take(message, member, at, depth, entry, &count)) {
            return false;
        }
    }
    if (entry == NULL) {
        return false;
    }
    *out = rf_cell_of_items(entry, count, RF_TAG_ENTRIES);
    return true;
}

static bool group_cell(const struct message *message, const struct rf_fix_group *group, uint32_t *at, uint32_t depth,
                       struct rf_cell *out)
{
    const uint32_t delimiter = rf_fix_group_delimiter(message->dict, group);
    uint32_t capacity = ITEMS_FIRST;
    uint32_t count = 0;
    struct rf_cell *item = RF_PUSH(message->arena, struct rf_cell, capacity);
    while (item != NULL && *at < message->end && message->index->tag[*at] == delimiter) {
        item = cells_room(message->arena, item, count, &capacity, 1);
        if (item == NULL || !entry_cell(message, group, at, depth, &item[count++])) {
            return false;
        }
    }
    if (item == NULL) {
        return false;
    }
    *out = rf_cell_of_items(item, count, RF_TAG_ITEMS);
    return true;
}

/* ---- Rows ---- */

static struct rf_cell group_of_row(const struct message *message, const struct rf_fix_access *access)
{
    const struct rf_cell none = rf_cell_of_items(NULL, 0, RF_TAG_ITEMS); /* has() tells */
    uint32_t at = field_find(message, access->tag);
    if (at == message->end) {
        return none;
    }
    const uint32_t type = field_find(message, TAG_MSG_TYPE);
    const struct rf_fix_message *of =
        type == message->end ? NULL : rf_fix_message_of_type(message->dict, field_text(message, type));
    const struct rf_fix_group *group = rf_fix_group_of_message(message->dict, of, access->tag);
    struct rf_cell cell;
    at++;
    return group == NULL ? none : group_cell(message, group, &at, 1, &cell) ? cell : cell_host;
}

static struct rf_cell words_of_row(const struct message *message, const struct rf_fix_access *access)
{
    struct rf_cell cell = {.tag = RF_TAG_ABSENT, .text = ""};
    const uint32_t field = field_find(message, access->tag);
    if (field != message->end && !words_cell(field_text(message, field), message->arena, &cell)) {
        return cell_host;
    }
    return cell;
}

/* What is wrong with the groups of the message. */
static struct rf_cell groups_cell(const struct message *message, enum rf_fix_form form)
{
    const struct rf_fix_index *index = message->index;
    const struct rf_fix_view view = {.bytes = message->bytes,
                                     .tag = index->tag + message->at,
                                     .begin = index->begin + message->at,
                                     .count = index->length + message->at,
                                     .fields = message->end - message->at};
    struct rf_fix_groups groups = {
        .dict = message->dict, .view = &view, .message = rf_fix_view_message(message->dict, &view)};
    rf_fix_groups_walk(&groups);
    return form == RF_FIX_FORM_FOREIGN ? rf_cell_of_int(groups.foreign) : rf_cell_of_bool(groups.miscounts == 0);
}

static struct rf_cell access_cell(const struct message *message, const struct rf_fix_access *access)
{
    switch (access->form) {
    case RF_FIX_FORM_ALL:
        return all_cell(message, access);
    case RF_FIX_FORM_GROUP:
        return group_of_row(message, access);
    case RF_FIX_FORM_FOREIGN:
    case RF_FIX_FORM_COUNTS_OK:
        return groups_cell(message, access->form);
    default:
        return words_of_row(message, access);
    }
}

void rf_fix_lists_run(struct rf_fix_lists *lists, enum rf_isa isa, const struct rf_batch *batch, struct rf_rows *rows,
                      struct rf_fix_frame *frame, struct rf_columns *columns)
{
    const struct rf_program *program = lists->program;
    if (!lists->is_needed) {
        return;
    }
    rf_arena_reset(&lists->arena);
    rf_fix_index_all(&lists->index, isa, batch, rows, frame);
    for (uint32_t s = 0; s < program->slots; s++) {
        const struct rf_fix_access *access =
            program->slot[s].root == RF_ROOT_BINDING ? &program->fix[program->slot[s].binding] : NULL;
        if (access == NULL || !rf_fix_access_needs_fields(access)) {
            continue;
        }
        struct rf_column *column = &columns->slot[s];
        for (uint32_t row = 0; row < rows->rows; row++) {
            const struct message message = {.dict = program->fix_dict,
                                            .index = &lists->index,
                                            .bytes = batch->bytes,
                                            .at = lists->index.first[row],
                                            .end = lists->index.first[row + 1],
                                            .arena = &lists->arena};
            const struct rf_cell cell = rows->status[row] == RF_ROW_REJECTED
                                            ? access_cell(&message, access)
                                            : (struct rf_cell){.tag = RF_TAG_ABSENT, .text = ""};
            column->tag[row] = (uint8_t)cell.tag;
            column->payload[row] = cell.payload;
            column->length[row] = cell.length;
            column->begin[row] = 0;
        }
    }
}
