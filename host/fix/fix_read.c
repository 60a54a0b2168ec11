#include "fix_read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "fix_build.h"
#include "fix_xml.h"

enum { BASE_TYPES_MAX = 8 /* datatypes that are based on each other */, FILE_CHUNK_BYTES = 1 << 16 };

struct resolve {
    struct rf_fix_build build;
    struct rf_fix_xml xml;
    const struct rf_fix_dict *base; /* or NULL */
    struct rf_intern tag_of_name;   /* fields of the document: name to index in the build */
    struct rf_intern place_of_name; /* and to the index in the document */
    struct rf_intern code_set_of_name;
    struct rf_intern component_of_id, group_of_id; /* key: 4 bytes */
    int32_t *code_set;                             /* [code_sets of the document], index in the build */
    /* What has been taken over from the base: index there to index in the build; UINT32_MAX = not yet. */
    uint32_t *base_component, *base_group;
    struct rf_error *err;
};

static enum rf_status cell_of(struct resolve *resolve, struct rf_intern *intern, struct rf_str key, uint32_t **cell)
{
    *cell = rf_intern_at(intern, key);
    if (*cell == NULL) {
        RF_FAIL(resolve->err, RF_E_LIMIT, "%.*s: the dictionary takes too much memory", RF_STR_ARG(resolve->xml.name));
    }
    return RF_OK;
}

static struct rf_str id_key(const uint32_t *id)
{
    return (struct rf_str){(const char *)id, sizeof *id};
}

/* Whether an error says already where it was. */
static bool error_has_place(const struct rf_error *err, struct rf_str name)
{
    const struct rf_str text = rf_str_of(err->text);
    return rf_str_starts(text, name) && text.count > name.count && text.data[name.count] == ':';
}

/* Puts "name:line:column: " before the text of an error that knew no place. */
static enum rf_status placed(struct resolve *resolve, struct rf_fix_xml_place place, enum rf_status status)
{
    if (status == RF_OK || error_has_place(resolve->err, resolve->xml.name)) {
        return status;
    }
    const struct rf_error before = *resolve->err;
    return rf_error_set(resolve->err, status, before.file, before.line, "%.*s:%u:%u: %.400s",
                        RF_STR_ARG(resolve->xml.name), place.line, place.column, before.text);
}

/* --- types, constants, fields --- */

static enum rf_status code_set_resolve(struct resolve *resolve, int32_t from, int32_t *at)
{
    struct rf_fix_xml *const xml = &resolve->xml;
    const struct rf_fix_xml_code_set *const set = &xml->code_set[from];
    if (resolve->code_set[from] == RF_FIX_NOWHERE) {
        uint32_t new;
        RF_TRY(placed(resolve, set->place, rf_fix_build_code_set(&resolve->build, &new, resolve->err)));
        for (int32_t i = set->codes.first; i != RF_FIX_XML_NONE; i = xml->code[i].next) {
            RF_TRY(
                placed(resolve, set->place,
                       rf_fix_build_code(&resolve->build, new, xml->code[i].value, xml->code[i].name, resolve->err)));
        }
        resolve->code_set[from] = (int32_t) new;
    }
    *at = resolve->code_set[from];
    return RF_OK;
}

/* "did you mean", for names of types. */
static const char *type_nearest(struct rf_str name)
{
    size_t best = 4; /* further away is no slip of the keyboard */
    const char *nearest = NULL;
    for (int i = 0; i < RF_FIX_TYPE_COUNT; i++) {
        const char *const known = rf_fix_type_name((enum rf_fix_type)i);
        const size_t distance = rf_str_distance(name, rf_str_of(known));
        if (distance < best) {
            best = distance;
            nearest = known;
        }
    }
    return nearest;
}

/* A type of FIX, or a datatype of the document that is based on one. */
static enum rf_status type_resolve(struct resolve *resolve, const struct rf_fix_xml_field *field, struct rf_str name,
                                   enum rf_fix_type *out)
{
    const struct rf_fix_xml *const xml = &resolve->xml;
    struct rf_str known = name;
    for (int level = 0; level < BASE_TYPES_MAX; level++) {
        if (rf_fix_type_of_name(known, out)) {
            return RF_OK;
        }
        struct rf_str base = {NULL, 0};
        RF_TRY(rf_fix_build_work(&resolve->build, xml->datatypes, resolve->err));
        for (uint32_t i = 0; i < xml->datatypes; i++) {
            base = rf_str_equal(xml->datatype[i].name, known) ? xml->datatype[i].base : base;
        }
        if (base.count == 0) {
            break;
        }
        known = base;
    }
    const char *const nearest = type_nearest(name);
    RF_FIX_XML_FAIL(resolve->err, xml, field->place, RF_E_CONFIG, "%.*s has the unknown type %.*s%s%s",
                    RF_STR_ARG(field->name), RF_STR_ARG(name), nearest == NULL ? "" : "; did you mean ",
                    nearest == NULL ? "" : nearest);
}

static enum rf_status field_resolve(struct resolve *resolve, uint32_t from)
{
    const struct rf_fix_xml_field *const field = &resolve->xml.field[from];
    enum rf_fix_type type;
    struct rf_str type_name = field->type;
    int32_t set = field->code_set;
    uint32_t *cell;
    uint32_t at;
    if (set == RF_FIX_XML_NONE) {
        RF_TRY(cell_of(resolve, &resolve->code_set_of_name, field->type, &cell));
        if (*cell != UINT32_MAX) {
            set = (int32_t)*cell;
            type_name = resolve->xml.code_set[set].type;
        }
    }
    RF_TRY(type_resolve(resolve, field, type_name, &type));
    RF_TRY(cell_of(resolve, &resolve->place_of_name, field->name, &cell));
    if (*cell != UINT32_MAX && resolve->xml.field[*cell].tag != field->tag) {
        const struct rf_fix_xml_field *const other = &resolve->xml.field[*cell];
        RF_FIX_XML_FAIL(resolve->err, &resolve->xml, field->place, RF_E_CONFIG,
                        "%.*s is field %u here, and field %u in line %u", RF_STR_ARG(field->name), field->tag,
                        other->tag, other->place.line);
    }
    *cell = from;
    RF_TRY(placed(resolve, field->place,
                  rf_fix_build_field(&resolve->build, field->tag, field->name, type, &at, resolve->err)));
    RF_TRY(cell_of(resolve, &resolve->tag_of_name, field->name, &cell));
    *cell = at;
    resolve->build.field[at].length_tag = field->length_tag;
    return set == RF_FIX_XML_NONE ? RF_OK : code_set_resolve(resolve, set, &resolve->build.field[at].code_set);
}

static enum rf_status fields_resolve(struct resolve *resolve)
{
    uint32_t *cell;
    for (uint32_t i = 0; i < resolve->xml.code_sets; i++) {
        resolve->code_set[i] = RF_FIX_NOWHERE;
        if (resolve->xml.code_set[i].name.count != 0) {
            RF_TRY(cell_of(resolve, &resolve->code_set_of_name, resolve->xml.code_set[i].name, &cell));
            *cell = i;
        }
    }
    for (uint32_t i = 0; i < resolve->xml.fields; i++) {
        RF_TRY(field_resolve(resolve, i));
    }
    return RF_OK;
}

/* --- what is taken over from the base --- */

static enum rf_status base_field(struct resolve *resolve, const struct rf_fix_field *from, uint32_t *at)
{
    *at = rf_fix_build_find_field(&resolve->build, from->tag);
    if (*at != UINT32_MAX) {
        return RF_OK;
    }
    RF_TRY(rf_fix_build_field(&resolve->build, from->tag, rf_fix_field_name(resolve->base, from),
                              (enum rf_fix_type)from->type, at, resolve->err));
    resolve->build.field[*at].length_tag = rf_fix_field_class(from) == RF_FIX_CLASS_BYTES ? from->pair_tag : 0;
    return RF_OK;
}

static enum rf_status base_component(struct resolve *resolve, uint32_t from, uint32_t *at);
static enum rf_status base_group(struct resolve *resolve, uint32_t from, uint32_t *at);

/* Components and groups of a dictionary hold no circle, and no more than RF_FIX_NEST_MAX levels. */
static enum rf_status base_item(struct resolve *resolve, const struct rf_fix_item item, uint32_t *at)
{
    switch ((enum rf_fix_item_kind)item.kind) {
    case RF_FIX_ITEM_FIELD:
        return base_field(resolve, &resolve->base->field[item.at], at);
    case RF_FIX_ITEM_GROUP:
        return base_group(resolve, item.at, at);
    case RF_FIX_ITEM_COMPONENT:
        break;
    }
    return base_component(resolve, item.at, at);
}

static enum rf_status base_component(struct resolve *resolve, uint32_t from, uint32_t *at)
{
    const struct rf_fix_component *const component = &resolve->base->component[from];
    uint32_t inner;
    uint32_t *named;
    RF_TRY(cell_of(resolve, &resolve->build.component_of_name, rf_fix_text(resolve->base, component->name), &named));
    if (resolve->base_component[from] == UINT32_MAX && *named != UINT32_MAX) {
        /* The document has one of that name, which will be laid over this one. */
        resolve->base_component[from] = *named;
    }
    if (resolve->base_component[from] == UINT32_MAX) {
        RF_TRY(rf_fix_build_component(&resolve->build, rf_fix_text(resolve->base, component->name), component->id,
                                      &resolve->base_component[from], resolve->err));
        for (uint32_t i = component->item.begin; i < component->item.begin + component->item.count; i++) {
            const struct rf_fix_item item = resolve->base->item[i];
            RF_TRY(base_item(resolve, item, &inner));
            RF_TRY(rf_fix_build_item(&resolve->build, &resolve->build.component[resolve->base_component[from]].items,
                                     (enum rf_fix_item_kind)item.kind, inner, resolve->err));
        }
    }
    *at = resolve->base_component[from];
    return RF_OK;
}

static enum rf_status base_group(struct resolve *resolve, uint32_t from, uint32_t *at)
{
    const struct rf_fix_group *const group = &resolve->base->group[from];
    const struct rf_str name = rf_fix_text(resolve->base, group->name);
    uint32_t inner;
    if (resolve->base_group[from] == UINT32_MAX) {
        uint32_t *named;
        RF_TRY(base_field(resolve, &resolve->base->field[group->count_field], &inner));
        RF_TRY(cell_of(resolve, &resolve->build.group_of_name, name, &named));
        if (name.count != 0 && *named != UINT32_MAX && resolve->build.group[*named].count_field == inner) {
            resolve->base_group[from] = *named;
        }
    }
    if (resolve->base_group[from] == UINT32_MAX) {
        RF_TRY(rf_fix_build_group(&resolve->build, name, group->id, inner, &resolve->base_group[from], resolve->err));
        for (uint32_t i = group->item.begin; i < group->item.begin + group->item.count; i++) {
            const struct rf_fix_item item = resolve->base->item[i];
            RF_TRY(base_item(resolve, item, &inner));
            RF_TRY(rf_fix_build_item(&resolve->build, &resolve->build.group[resolve->base_group[from]].items,
                                     (enum rf_fix_item_kind)item.kind, inner, resolve->err));
        }
    }
    *at = resolve->base_group[from];
    return RF_OK;
}

/* --- what is listed --- */

static enum rf_status unknown_fail(struct resolve *resolve, const struct rf_fix_xml_item *item, const char *what)
{
    const char *const hint = resolve->base == NULL ? "" : ", nor in the dictionary that this one is laid over";
    if (item->name.count != 0) {
        RF_FIX_XML_FAIL(resolve->err, &resolve->xml, item->place, RF_E_CONFIG, "%s %.*s is not defined in this file%s",
                        what, RF_STR_ARG(item->name), hint);
    }
    RF_FIX_XML_FAIL(resolve->err, &resolve->xml, item->place, RF_E_CONFIG, "%s %u is not defined in this file%s", what,
                    item->id, hint);
}

static enum rf_status field_find(struct resolve *resolve, const struct rf_fix_xml_item *item, uint32_t *at)
{
    const struct rf_fix_dict *const base = resolve->base;
    const struct rf_fix_field *from = NULL;
    if (item->name.count == 0) {
        *at = rf_fix_build_find_field(&resolve->build, item->id);
        from = base == NULL ? NULL : rf_fix_field_of_tag(base, item->id);
    } else {
        uint32_t *cell;
        RF_TRY(cell_of(resolve, &resolve->tag_of_name, item->name, &cell));
        *at = *cell;
        from = base == NULL ? NULL : rf_fix_field_of_name(base, item->name);
    }
    if (*at == UINT32_MAX && from == NULL) {
        return unknown_fail(resolve, item, "the field");
    }
    return *at != UINT32_MAX ? RF_OK : placed(resolve, item->place, base_field(resolve, from, at));
}

/* A component of the base by name or number; a group of that name does as well (fix_merge.c, groups_find). */
static enum rf_status component_of_base(struct resolve *resolve, const struct rf_fix_xml_item *item,
                                        enum rf_fix_item_kind *kind, uint32_t *at)
{
    const struct rf_fix_dict *const base = resolve->base;
    *at = UINT32_MAX;
    for (uint32_t i = 0; base != NULL && i < base->components; i++) {
        if (item->name.count != 0 ? rf_str_equal(rf_fix_text(base, base->component[i].name), item->name)
                                  : base->component[i].id == item->id) {
            return placed(resolve, item->place, base_component(resolve, i, at));
        }
    }
    for (uint32_t i = 0; base != NULL && item->name.count != 0 && i < base->groups; i++) {
        if (rf_str_equal(rf_fix_text(base, base->group[i].name), item->name)) {
            *kind = RF_FIX_ITEM_GROUP;
            return placed(resolve, item->place, base_group(resolve, i, at));
        }
    }
    return RF_OK;
}

/* *at stays UINT32_MAX for the header and the trailer, which every message of Orchestra names. */
static enum rf_status component_find(struct resolve *resolve, const struct rf_fix_xml_item *item,
                                     enum rf_fix_item_kind *kind, uint32_t *at)
{
    enum { HEADER_ID = 1024, TRAILER_ID = 1025 };
    uint32_t *cell;
    *kind = RF_FIX_ITEM_COMPONENT;
    if (item->name.count == 0) {
        RF_TRY(cell_of(resolve, &resolve->component_of_id, id_key(&item->id), &cell));
    } else {
        RF_TRY(cell_of(resolve, &resolve->build.component_of_name, item->name, &cell));
    }
    *at = *cell;
    if (*at == UINT32_MAX) {
        RF_TRY(component_of_base(resolve, item, kind, at));
    }
    if (*at != UINT32_MAX || (item->name.count == 0 && (item->id == HEADER_ID || item->id == TRAILER_ID))) {
        return RF_OK;
    }
    for (uint32_t i = 0; i < resolve->xml.definitions; i++) {
        const struct rf_fix_xml_definition *const other = &resolve->xml.definition[i];
        RF_TRY(rf_fix_build_work(&resolve->build, 1, resolve->err));
        if ((other->kind == RF_FIX_XML_DEFINES_HEADER || other->kind == RF_FIX_XML_DEFINES_TRAILER) &&
            item->name.count == 0 && other->id == item->id) {
            return RF_OK;
        }
    }
    return unknown_fail(resolve, item, "the component");
}

static enum rf_status group_find(struct resolve *resolve, const struct rf_fix_xml_item *item, uint32_t *at)
{
    const struct rf_fix_dict *const base = resolve->base;
    uint32_t *cell;
    RF_TRY(cell_of(resolve, &resolve->group_of_id, id_key(&item->id), &cell));
    *at = *cell;
    for (uint32_t i = 0; base != NULL && *at == UINT32_MAX && i < base->groups; i++) {
        if (base->group[i].id == item->id) {
            RF_TRY(placed(resolve, item->place, base_group(resolve, i, at)));
        }
    }
    return *at == UINT32_MAX ? unknown_fail(resolve, item, "the group") : RF_OK;
}

/* Which chain of the build is filled: arrays move while groups are made, so it is looked up each time. */
struct target {
    enum rf_fix_xml_definition_kind kind;
    uint32_t at;
};

static struct rf_fix_chain *chain_of(struct resolve *resolve, struct target target)
{
    switch (target.kind) {
    case RF_FIX_XML_DEFINES_COMPONENT:
        return &resolve->build.component[target.at].items;
    case RF_FIX_XML_DEFINES_GROUP:
        return &resolve->build.group[target.at].items;
    case RF_FIX_XML_DEFINES_MESSAGE:
        return &resolve->build.message[target.at].items;
    case RF_FIX_XML_DEFINES_HEADER:
        return &resolve->build.header;
    case RF_FIX_XML_DEFINES_TRAILER:
        break;
    }
    return &resolve->build.trailer;
}

/* Groups within groups: as deep as elements of the file may be. */
static enum rf_status items_resolve(struct resolve *resolve, struct rf_fix_xml_chain items, struct target target)
{
    for (int32_t i = items.first; i != RF_FIX_XML_NONE; i = resolve->xml.item[i].next) {
        const struct rf_fix_xml_item *const item = &resolve->xml.item[i];
        enum rf_fix_item_kind kind = RF_FIX_ITEM_FIELD;
        uint32_t at;
        if (item->kind == RF_FIX_XML_FIELD) {
            RF_TRY(field_find(resolve, item, &at));
        } else if (item->kind == RF_FIX_XML_COMPONENT) {
            RF_TRY(component_find(resolve, item, &kind, &at));
        } else if (!item->is_inline) {
            kind = RF_FIX_ITEM_GROUP;
            RF_TRY(group_find(resolve, item, &at));
        } else {
            uint32_t count_field;
            kind = RF_FIX_ITEM_GROUP;
            RF_TRY(field_find(resolve, item, &count_field));
            if (item->children.first == RF_FIX_XML_NONE) {
                RF_FIX_XML_FAIL(resolve->err, &resolve->xml, item->place, RF_E_CONFIG, "the group %.*s lists no field",
                                RF_STR_ARG(item->name));
            }
            RF_TRY(placed(resolve, item->place,
                          rf_fix_build_group(&resolve->build, RF_STR(""), 0, count_field, &at, resolve->err)));
            RF_TRY(items_resolve(resolve, item->children, (struct target){RF_FIX_XML_DEFINES_GROUP, at}));
        }
        if (at != UINT32_MAX) {
            RF_TRY(placed(resolve, item->place,
                          rf_fix_build_item(&resolve->build, chain_of(resolve, target), kind, at, resolve->err)));
        }
    }
    return RF_OK;
}

/* --- what is defined --- */

/* A group or component that is defined twice (in Orchestra for several scenarios) is one, with the fields of both. */
static enum rf_status definition_make(struct resolve *resolve, const struct rf_fix_xml_definition *definition,
                                      uint32_t *at)
{
    struct rf_fix_build *const build = &resolve->build;
    uint32_t *cell;
    *at = 0;
    switch (definition->kind) {
    case RF_FIX_XML_DEFINES_COMPONENT:
        if (definition->id == 0) {
            RF_TRY(cell_of(resolve, &build->component_of_name, definition->name, &cell));
        } else {
            RF_TRY(cell_of(resolve, &resolve->component_of_id, id_key(&definition->id), &cell));
        }
        *at = *cell;
        if (*at == UINT32_MAX) {
            RF_TRY(rf_fix_build_component(build, definition->name, definition->id, at, resolve->err));
        }
        if (definition->id != 0) {
            RF_TRY(cell_of(resolve, &resolve->component_of_id, id_key(&definition->id), &cell));
            *cell = *at;
        }
        return RF_OK;
    case RF_FIX_XML_DEFINES_GROUP: {
        const struct rf_fix_xml_item count = {.place = definition->place, .id = definition->count_tag};
        uint32_t count_field;
        if (definition->count_tag == 0) {
            RF_FIX_XML_FAIL(resolve->err, &resolve->xml, definition->place, RF_E_CONFIG,
                            "the group %.*s has no numInGroup", RF_STR_ARG(definition->name));
        }
        RF_TRY(field_find(resolve, &count, &count_field));
        RF_TRY(cell_of(resolve, &resolve->group_of_id, id_key(&definition->id), &cell));
        *at = *cell;
        if (*at == UINT32_MAX) {
            RF_TRY(rf_fix_build_group(build, definition->name, definition->id, count_field, at, resolve->err));
            *cell = *at;
        }
        return RF_OK;
    }
    case RF_FIX_XML_DEFINES_MESSAGE:
        return rf_fix_build_message(build, definition->msg_type, definition->name, at, resolve->err);
    case RF_FIX_XML_DEFINES_HEADER:
    case RF_FIX_XML_DEFINES_TRAILER:
        break;
    }
    return RF_OK;
}

/* First everything that has a name, then what it lists: files refer forwards. */
static enum rf_status definitions_resolve(struct resolve *resolve)
{
    struct rf_fix_xml *const xml = &resolve->xml;
    uint32_t *const at = rf_arena_push(xml->arena, (size_t)xml->definitions + 1, sizeof *at, _Alignof(uint32_t));
    if (at == NULL) {
        RF_FAIL(resolve->err, RF_E_LIMIT, "%.*s: the dictionary takes too much memory", RF_STR_ARG(xml->name));
    }
    for (uint32_t i = 0; i < xml->definitions; i++) {
        RF_TRY(placed(resolve, xml->definition[i].place, definition_make(resolve, &xml->definition[i], &at[i])));
    }
    for (uint32_t i = 0; i < xml->definitions; i++) {
        const struct rf_fix_xml_definition *const from = &xml->definition[i];
        RF_TRY(items_resolve(resolve, from->items, (struct target){from->kind, at[i]}));
    }
    return RF_OK;
}

/* --- the whole --- */

static enum rf_status resolve_init(struct resolve *resolve, struct rf_arena *scratch)
{
    const uint32_t components = resolve->base == NULL ? 0 : resolve->base->components;
    const uint32_t groups = resolve->base == NULL ? 0 : resolve->base->groups;
    rf_fix_build_init(&resolve->build, scratch);
    resolve->xml.arena = scratch;
    resolve->tag_of_name.arena = scratch;
    resolve->place_of_name.arena = scratch;
    resolve->code_set_of_name.arena = scratch;
    resolve->component_of_id.arena = scratch;
    resolve->group_of_id.arena = scratch;
    resolve->base_component = rf_arena_push(scratch, (size_t)components + 1, sizeof(uint32_t), _Alignof(uint32_t));
    resolve->base_group = rf_arena_push(scratch, (size_t)groups + 1, sizeof(uint32_t), _Alignof(uint32_t));
    if (resolve->base_component == NULL || resolve->base_group == NULL) {
        RF_FAIL(resolve->err, RF_E_MEMORY, "no memory for a dictionary");
    }
    memset(resolve->base_component, 0xff, components * sizeof(uint32_t));
    memset(resolve->base_group, 0xff, groups * sizeof(uint32_t));
    return RF_OK;
}

static enum rf_status read_into(struct resolve *resolve, struct rf_arena *scratch, struct rf_arena *arena,
                                struct rf_str text, const struct rf_fix_dict **out)
{
    const struct rf_fix_dict *overlay;
    RF_TRY(resolve_init(resolve, scratch));
    RF_TRY(rf_fix_xml_parse(&resolve->xml, text, resolve->err));
    resolve->code_set = rf_arena_push(scratch, (size_t)resolve->xml.code_sets + 1, sizeof(int32_t), _Alignof(int32_t));
    if (resolve->code_set == NULL) {
        RF_FAIL(resolve->err, RF_E_LIMIT, "%.*s: the dictionary takes too much memory", RF_STR_ARG(resolve->xml.name));
    }
    RF_TRY(fields_resolve(resolve));
    RF_TRY(definitions_resolve(resolve));
    if (resolve->base == NULL) {
        return rf_fix_build_finish(&resolve->build, arena, resolve->xml.name, out, resolve->err);
    }
    RF_TRY(rf_fix_build_finish(&resolve->build, scratch, resolve->xml.name, &overlay, resolve->err));
    return rf_fix_dict_merge(arena, resolve->base, overlay, out, resolve->err);
}

/* Errors of the structure as a whole have no line; the file they are about is said all the same. */
static enum rf_status named(struct rf_error *err, struct rf_str name, enum rf_status status)
{
    if (status != RF_OK && !error_has_place(err, name)) {
        const struct rf_error before = *err;
        return rf_error_set(err, status, before.file, before.line, "%.*s: %.400s", RF_STR_ARG(name), before.text);
    }
    return status;
}

enum rf_status rf_fix_dict_read(struct rf_arena *arena, struct rf_str text, struct rf_str name,
                                const struct rf_fix_dict *base, const struct rf_fix_dict **out, struct rf_error *err)
{
    enum { NAME_SHOWN_MAX = 64 };
    struct rf_arena scratch;
    struct resolve resolve = {.base = base, .err = err};
    /* Of a long path the end says more. */
    resolve.xml.name =
        name.count <= NAME_SHOWN_MAX ? name : (struct rf_str){name.data + name.count - NAME_SHOWN_MAX, NAME_SHOWN_MAX};
    rf_arena_init(&scratch, RF_FIX_DICT_BYTES_MAX);
    const enum rf_status status = read_into(&resolve, &scratch, arena, text, out);
    rf_arena_free(&scratch);
    return named(err, resolve.xml.name, status);
}

static enum rf_status file_read(FILE *file, const char *path, char **bytes, size_t *count, struct rf_error *err)
{
    size_t capacity = 0;
    for (*count = 0; !feof(file);) {
        if (capacity - *count < FILE_CHUNK_BYTES) {
            capacity = capacity * 2 + FILE_CHUNK_BYTES;
            char *const grown = realloc(*bytes, capacity);
            if (grown == NULL) {
                RF_FAIL(err, RF_E_MEMORY, "no memory to read %s", path);
            }
            *bytes = grown;
        }
        *count += fread(*bytes + *count, 1, FILE_CHUNK_BYTES, file);
        if (ferror(file)) {
            RF_FAIL(err, RF_E_IO, "cannot read %s: %s", path, strerror(errno));
        }
        if (*count > RF_FIX_XML_BYTES_MAX) {
            RF_FAIL(err, RF_E_LIMIT, "%s has more than %d bytes, which no dictionary has", path, RF_FIX_XML_BYTES_MAX);
        }
    }
    return RF_OK;
}

enum rf_status rf_fix_dict_read_file(struct rf_arena *arena, const char *path, const struct rf_fix_dict *base,
                                     const struct rf_fix_dict **out, struct rf_error *err)
{
    char *bytes = NULL;
    size_t count;
    FILE *const file = fopen(path, "rb");
    if (file == NULL) {
        RF_FAIL(err, RF_E_IO, "cannot open %s: %s", path, strerror(errno));
    }
    enum rf_status status = file_read(file, path, &bytes, &count, err);
    fclose(file);
    if (status == RF_OK) {
        status = rf_fix_dict_read(arena, (struct rf_str){bytes, count}, rf_str_of(path), base, out, err);
    }
    free(bytes);
    return status;
}
