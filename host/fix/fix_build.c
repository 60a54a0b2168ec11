#include "fix_build.h"

#include <assert.h>

/* Makes room for one more of a kind: RF_GROW(build, field). */
#define BUILD_GROW(build, noun, max, err)                                                                              \
    do {                                                                                                               \
        void *grown_ = (build)->noun##s >= (uint32_t)(max)                                                             \
                           ? NULL                                                                                      \
                           : rf_array_grow((build)->arena, (build)->noun, (build)->noun##s,                            \
                                           &(build)->noun##s_capacity, sizeof *(build)->noun);                         \
        if (grown_ == NULL) {                                                                                          \
            RF_FAIL((err), RF_E_LIMIT, "the dictionary has too many " #noun "s: more than %u, or than memory allows",  \
                    (build)->noun##s);                                                                                 \
        }                                                                                                              \
        (build)->noun = grown_;                                                                                        \
    } while (0)

static const struct rf_fix_chain empty_chain = {RF_FIX_NOWHERE, RF_FIX_NOWHERE};

void rf_fix_build_init(struct rf_fix_build *build, struct rf_arena *arena)
{
    *build = (struct rf_fix_build){.arena = arena, .header = empty_chain, .trailer = empty_chain};
    build->field_of_tag.arena = arena;
    build->field_of_name.arena = arena;
    build->message_of_type.arena = arena;
    build->component_of_name.arena = arena;
    build->group_of_name.arena = arena;
}

enum rf_status rf_fix_build_work(struct rf_fix_build *build, uint32_t steps, struct rf_error *err)
{
    build->work += steps;
    if (build->work > RF_FIX_WORK_MAX) {
        RF_FAIL(err, RF_E_LIMIT, "the dictionary is too intricate: its lists refer to each other too often");
    }
    return RF_OK;
}

/* Copies a text; every text of a dictionary goes through here. */
static enum rf_status text_copy(struct rf_fix_build *build, struct rf_str text, struct rf_str *out,
                                struct rf_error *err)
{
    if (text.count > RF_FIX_TEXT_MAX) {
        RF_FAIL(err, RF_E_LIMIT, "a name or value of %zu bytes; at most %d are taken", text.count, RF_FIX_TEXT_MAX);
    }
    *out = rf_arena_copy(build->arena, text);
    if (out->data == NULL) {
        RF_FAIL(err, RF_E_LIMIT, "the dictionary takes more memory than %zu bytes", build->arena->bytes_max);
    }
    return RF_OK;
}

static enum rf_status cell_of(struct rf_intern *intern, struct rf_str key, uint32_t **cell, struct rf_error *err)
{
    *cell = rf_intern_at(intern, key);
    if (*cell == NULL) {
        RF_FAIL(err, RF_E_LIMIT, "the dictionary takes more memory than %zu bytes", intern->arena->bytes_max);
    }
    return RF_OK;
}

static struct rf_str tag_key(const uint32_t *tag)
{
    return (struct rf_str){(const char *)tag, sizeof *tag};
}

uint32_t rf_fix_build_find_field(struct rf_fix_build *build, uint32_t tag)
{
    /* A key that is asked for stays in the table, which doubles what a hostile input can make of it, no more. */
    const uint32_t *const cell = rf_intern_at(&build->field_of_tag, tag_key(&tag));
    return cell == NULL ? UINT32_MAX : *cell;
}

enum rf_status rf_fix_build_field(struct rf_fix_build *build, uint32_t tag, struct rf_str name, enum rf_fix_type type,
                                  uint32_t *at, struct rf_error *err)
{
    uint32_t *by_tag;
    uint32_t *by_name;
    if (tag == 0 || tag > RF_FIX_TAG_MAX || name.count == 0) {
        RF_FAIL(err, RF_E_CONFIG, "a field needs a name, and a number from 1 to %d", RF_FIX_TAG_MAX);
    }
    RF_TRY(cell_of(&build->field_of_tag, tag_key(&tag), &by_tag, err));
    if (*by_tag == UINT32_MAX) {
        BUILD_GROW(build, field, RF_FIX_FIELDS_MAX, err);
        *by_tag = build->fields++;
        build->field[*by_tag] = (struct rf_fix_build_field){.tag = tag, .code_set = RF_FIX_NOWHERE};
    }
    *at = *by_tag;
    struct rf_fix_build_field *const field = &build->field[*at];
    field->type = type;
    if (!rf_str_equal(field->name, name)) {
        if (field->name.count != 0) {
            RF_TRY(cell_of(&build->field_of_name, field->name, &by_name, err));
            *by_name = *by_name == *at ? UINT32_MAX : *by_name;
        }
        RF_TRY(text_copy(build, name, &field->name, err));
    }
    /* The newer of two fields of one name is the one that the name means. */
    return rf_fix_build_name(build, *at, err);
}

enum rf_status rf_fix_build_name(struct rf_fix_build *build, uint32_t field, struct rf_error *err)
{
    uint32_t *cell;
    RF_TRY(cell_of(&build->field_of_name, build->field[field].name, &cell, err));
    *cell = field;
    return RF_OK;
}

enum rf_status rf_fix_build_code_set(struct rf_fix_build *build, uint32_t *at, struct rf_error *err)
{
    BUILD_GROW(build, code_set, RF_FIX_FIELDS_MAX, err);
    *at = build->code_sets++;
    build->code_set[*at] = empty_chain;
    return RF_OK;
}

enum rf_status rf_fix_build_code(struct rf_fix_build *build, uint32_t code_set, struct rf_str value, struct rf_str name,
                                 struct rf_error *err)
{
    if (value.count == 0) {
        RF_FAIL(err, RF_E_CONFIG, "the constant '%.*s' has no value", RF_STR_ARG(name));
    }
    BUILD_GROW(build, code, RF_FIX_ITEMS_MAX, err);
    struct rf_fix_build_code code = {.next = RF_FIX_NOWHERE};
    RF_TRY(text_copy(build, value, &code.value, err));
    RF_TRY(text_copy(build, name, &code.name, err));
    struct rf_fix_chain *const chain = &build->code_set[code_set];
    const int32_t at = (int32_t)build->codes++;
    build->code[at] = code;
    if (chain->last == RF_FIX_NOWHERE) {
        chain->first = at;
    } else {
        build->code[chain->last].next = at;
    }
    chain->last = at;
    return RF_OK;
}

enum rf_status rf_fix_build_group(struct rf_fix_build *build, struct rf_str name, uint32_t id, uint32_t count_field,
                                  uint32_t *at, struct rf_error *err)
{
    uint32_t *cell;
    BUILD_GROW(build, group, RF_FIX_FIELDS_MAX, err);
    struct rf_fix_build_group group = {.id = id, .count_field = count_field, .items = empty_chain};
    RF_TRY(text_copy(build, name, &group.name, err));
    *at = build->groups++;
    build->group[*at] = group;
    if (name.count != 0) {
        RF_TRY(cell_of(&build->group_of_name, name, &cell, err));
        *cell = *at;
    }
    return RF_OK;
}

enum rf_status rf_fix_build_component(struct rf_fix_build *build, struct rf_str name, uint32_t id, uint32_t *at,
                                      struct rf_error *err)
{
    uint32_t *cell;
    BUILD_GROW(build, component, RF_FIX_FIELDS_MAX, err);
    struct rf_fix_build_component component = {.id = id, .items = empty_chain};
    RF_TRY(text_copy(build, name, &component.name, err));
    *at = build->components++;
    build->component[*at] = component;
    RF_TRY(cell_of(&build->component_of_name, name, &cell, err));
    *cell = *at;
    return RF_OK;
}

enum rf_status rf_fix_build_message(struct rf_fix_build *build, struct rf_str type, struct rf_str name, uint32_t *at,
                                    struct rf_error *err)
{
    uint32_t *cell;
    if (type.count == 0) {
        RF_FAIL(err, RF_E_CONFIG, "the message '%.*s' has no type", RF_STR_ARG(name));
    }
    RF_TRY(cell_of(&build->message_of_type, type, &cell, err));
    if (*cell == UINT32_MAX) {
        BUILD_GROW(build, message, RF_FIX_FIELDS_MAX, err);
        *cell = build->messages++;
        build->message[*cell] = (struct rf_fix_build_message){.items = empty_chain};
        RF_TRY(text_copy(build, type, &build->message[*cell].type, err));
    }
    *at = *cell;
    return text_copy(build, name, &build->message[*at].name, err);
}

enum rf_status rf_fix_build_item(struct rf_fix_build *build, struct rf_fix_chain *chain, enum rf_fix_item_kind kind,
                                 uint32_t at, struct rf_error *err)
{
    uint32_t steps = 1;
    for (int32_t i = chain->first; i != RF_FIX_NOWHERE; i = build->item[i].next, steps++) {
        if (build->item[i].kind == kind && build->item[i].at == at) {
            return rf_fix_build_work(build, steps, err);
        }
    }
    RF_TRY(rf_fix_build_work(build, steps, err));
    BUILD_GROW(build, item, RF_FIX_ITEMS_MAX, err);
    const int32_t new = (int32_t)build->items++;
    build->item[new] = (struct rf_fix_build_item){.kind = kind, .at = at, .next = RF_FIX_NOWHERE};
    if (chain->last == RF_FIX_NOWHERE) {
        chain->first = new;
    } else {
        build->item[chain->last].next = new;
    }
    chain->last = new;
    return RF_OK;
}

/* --- a dictionary taken over --- */

static enum rf_status load_items(struct rf_fix_build *build, const struct rf_fix_dict *dict, struct rf_fix_range items,
                                 struct rf_fix_chain *chain, struct rf_error *err)
{
    for (uint32_t i = items.begin; i < items.begin + items.count; i++) {
        const struct rf_fix_item item = dict->item[i];
        RF_TRY(rf_fix_build_item(build, chain, (enum rf_fix_item_kind)item.kind, item.at, err));
    }
    return RF_OK;
}

static enum rf_status load_fields(struct rf_fix_build *build, const struct rf_fix_dict *dict, struct rf_error *err)
{
    uint32_t at;
    for (uint32_t i = 0; i < dict->code_sets; i++) {
        RF_TRY(rf_fix_build_code_set(build, &at, err));
        const struct rf_fix_range codes = dict->code_set[i];
        for (uint32_t c = codes.begin; c < codes.begin + codes.count; c++) {
            RF_TRY(rf_fix_build_code(build, at, rf_fix_text(dict, dict->code[c].value),
                                     rf_fix_text(dict, dict->code[c].name), err));
        }
    }
    for (uint32_t i = 0; i < dict->fields; i++) {
        const struct rf_fix_field *const field = &dict->field[i];
        RF_TRY(rf_fix_build_field(build, field->tag, rf_fix_field_name(dict, field), (enum rf_fix_type)field->type, &at,
                                  err));
        build->field[at].code_set = field->code_set == RF_FIX_NONE ? RF_FIX_NOWHERE : field->code_set;
        build->field[at].length_tag = rf_fix_field_class(field) == RF_FIX_CLASS_BYTES ? field->pair_tag : 0;
    }
    /* Of two fields of one name the dictionary says which one it means. */
    for (uint32_t i = 0; i < dict->names; i++) {
        RF_TRY(rf_fix_build_name(build, dict->field_by_name[i], err));
    }
    return RF_OK;
}

enum rf_status rf_fix_build_load(struct rf_fix_build *build, const struct rf_fix_dict *dict, struct rf_error *err)
{
    uint32_t at;
    assert(build->fields == 0 && build->groups == 0 && build->messages == 0);
    RF_TRY(load_fields(build, dict, err));
    for (uint32_t i = 0; i < dict->groups; i++) {
        const struct rf_fix_group *const group = &dict->group[i];
        RF_TRY(rf_fix_build_group(build, rf_fix_text(dict, group->name), group->id, group->count_field, &at, err));
        RF_TRY(load_items(build, dict, group->item, &build->group[at].items, err));
    }
    for (uint32_t i = 0; i < dict->components; i++) {
        const struct rf_fix_component *const component = &dict->component[i];
        RF_TRY(rf_fix_build_component(build, rf_fix_text(dict, component->name), component->id, &at, err));
        RF_TRY(load_items(build, dict, component->item, &build->component[at].items, err));
    }
    for (uint32_t i = 0; i < dict->messages; i++) {
        const struct rf_fix_message *const message = &dict->message[i];
        RF_TRY(
            rf_fix_build_message(build, rf_fix_text(dict, message->type), rf_fix_text(dict, message->name), &at, err));
        RF_TRY(load_items(build, dict, message->item, &build->message[at].items, err));
    }
    RF_TRY(load_items(build, dict, dict->header_item, &build->header, err));
    return load_items(build, dict, dict->trailer_item, &build->trailer, err);
}
