/* fix_dict_layout.c: rf_fix_build_finish: the tables of fix_dict.h from what a build has gathered. */
#include <stdlib.h>

#include "fix_build.h"
#include "fix_data.h"

enum { TAGS_INDEXED_MAX = 1 << 16, GROUP_SUFFIX_BYTES = 3 };

struct layout {
    struct rf_fix_build *build;
    struct rf_arena *arena; /* of the result; everything else is in the build's */
    struct rf_fix_dict *dict;
    /* texts, each once, in the order of their places in the pool */
    struct rf_intern text;
    struct rf_str *texts;
    uint32_t texts_count, texts_capacity, pool_bytes;
    uint16_t *field_new; /* [fields of the build], the index in the table */
    uint32_t *field_old; /* [fields of the table], the index in the build */
    struct rf_fix_field *field;
    /* members gathered so far; seen[f] and seen_component[c] say in which run they were met last */
    struct rf_fix_member *member;
    uint32_t members, members_capacity, run;
    uint32_t *seen, *seen_component;
    struct rf_fix_item *item;
    uint32_t items;
    /* How many groups lie within each other below a node, itself included; UINT8_MAX = not known yet. */
    uint8_t *group_levels, *component_levels;
};

static enum rf_status memory_fail(const struct rf_arena *arena, struct rf_error *err)
{
    RF_FAIL(err, RF_E_LIMIT, "the dictionary takes more memory than %zu bytes", arena->bytes_max);
}

#define LAYOUT_PUSH(to, arena, count, err)                                                                             \
    do {                                                                                                               \
        (to) = rf_arena_push_zero((arena), (count) == 0 ? 1 : (count), sizeof *(to), _Alignof(max_align_t));           \
        if ((to) == NULL) {                                                                                            \
            return memory_fail((arena), (err));                                                                        \
        }                                                                                                              \
    } while (0)

/* The place of a text in the pool. */
static enum rf_status text_put(struct layout *layout, struct rf_str text, uint32_t *at, struct rf_error *err)
{
    uint32_t *const cell = rf_intern_at(&layout->text, text);
    struct rf_str *grown = rf_array_grow(layout->build->arena, layout->texts, layout->texts_count,
                                         &layout->texts_capacity, sizeof *layout->texts);
    if (cell == NULL || grown == NULL) {
        return memory_fail(layout->build->arena, err);
    }
    layout->texts = grown;
    if (*cell == UINT32_MAX) {
        *cell = layout->pool_bytes;
        layout->texts[layout->texts_count++] = text;
        layout->pool_bytes += 1 + (uint32_t)text.count;
    }
    *at = *cell;
    return RF_OK;
}

static enum rf_status pool_write(struct layout *layout, struct rf_error *err)
{
    char *pool;
    size_t at = 0;
    LAYOUT_PUSH(pool, layout->arena, (size_t)layout->pool_bytes, err);
    for (uint32_t i = 0; i < layout->texts_count; i++) {
        const struct rf_str text = layout->texts[i];
        pool[at++] = (char)text.count;
        if (text.count != 0) {
            memcpy(pool + at, text.data, text.count);
        }
        at += text.count;
    }
    layout->dict->pool = pool;
    layout->dict->pool_bytes = layout->pool_bytes;
    return RF_OK;
}

/* --- fields and constants --- */

static int tag_compare(const void *a, const void *b, void *context)
{
    const struct rf_fix_build *const build = context;
    const uint32_t tag_a = build->field[*(const uint32_t *)a].tag;
    const uint32_t tag_b = build->field[*(const uint32_t *)b].tag;
    return (tag_a > tag_b) - (tag_a < tag_b);
}

static int name_compare(const void *a, const void *b, void *context)
{
    const struct layout *const layout = context;
    return rf_str_compare(layout->build->field[layout->field_old[*(const uint16_t *)a]].name,
                          layout->build->field[layout->field_old[*(const uint16_t *)b]].name);
}

static enum rf_status fields_order(struct layout *layout, struct rf_error *err)
{
    struct rf_fix_build *const build = layout->build;
    uint16_t *by_name;
    uint16_t *of_tag;
    LAYOUT_PUSH(layout->field_old, build->arena, build->fields, err);
    LAYOUT_PUSH(layout->field_new, build->arena, build->fields, err);
    LAYOUT_PUSH(layout->field, layout->arena, build->fields, err);
    LAYOUT_PUSH(by_name, layout->arena, build->fields, err);
    for (uint32_t i = 0; i < build->fields; i++) {
        layout->field_old[i] = i;
    }
    qsort_r(layout->field_old, build->fields, sizeof *layout->field_old, tag_compare, build);
    for (uint32_t i = 0; i < build->fields; i++) {
        const struct rf_fix_build_field *const from = &build->field[layout->field_old[i]];
        layout->field_new[layout->field_old[i]] = (uint16_t)i;
        layout->field[i] = (struct rf_fix_field){
            .tag = from->tag, .code_set = RF_FIX_NONE, .group = RF_FIX_NONE, .type = (uint8_t)from->type};
        RF_TRY(text_put(layout, from->name, &layout->field[i].name, err));
        const uint32_t *const named = rf_intern_at(&build->field_of_name, from->name);
        if (named != NULL && *named == layout->field_old[i]) {
            by_name[layout->dict->names++] = (uint16_t)i;
        }
    }
    qsort_r(by_name, layout->dict->names, sizeof *by_name, name_compare, layout);

    const uint32_t tag_max = build->fields == 0 ? 0 : layout->field[build->fields - 1].tag;
    const uint32_t indexed = tag_max < TAGS_INDEXED_MAX ? tag_max + 1 : TAGS_INDEXED_MAX;
    LAYOUT_PUSH(of_tag, layout->arena, indexed, err);
    memset(of_tag, 0xff, indexed * sizeof *of_tag);
    for (uint32_t i = 0; i < build->fields && layout->field[i].tag < indexed; i++) {
        of_tag[layout->field[i].tag] = (uint16_t)i;
    }
    layout->dict->field = layout->field;
    layout->dict->fields = build->fields;
    layout->dict->field_by_name = by_name;
    layout->dict->field_of_tag = of_tag;
    layout->dict->tags_indexed = indexed;
    return RF_OK;
}

/* Ties are broken by the order of declaration. */
static int code_compare(const void *a, const void *b, void *context)
{
    const struct rf_fix_build *const build = context;
    const uint32_t at_a = *(const uint32_t *)a;
    const uint32_t at_b = *(const uint32_t *)b;
    const int order = rf_str_compare(build->code[at_a].value, build->code[at_b].value);
    return order != 0 ? order : (at_a > at_b) - (at_a < at_b);
}

/* order: scratch for all codes. */
static enum rf_status code_set_put(struct layout *layout, struct rf_fix_chain chain, uint32_t *order,
                                   struct rf_fix_code *code, struct rf_fix_range *out, struct rf_error *err)
{
    struct rf_fix_build *const build = layout->build;
    uint32_t count = 0;
    for (int32_t i = chain.first; i != RF_FIX_NOWHERE; i = build->code[i].next) {
        order[count++] = (uint32_t)i;
    }
    RF_TRY(rf_fix_build_work(build, count, err));
    qsort_r(order, count, sizeof *order, code_compare, build);
    *out = (struct rf_fix_range){layout->dict->codes, count};
    for (uint32_t i = 0; i < count; i++) {
        struct rf_fix_code *const to = &code[layout->dict->codes++];
        RF_TRY(text_put(layout, build->code[order[i]].value, &to->value, err));
        RF_TRY(text_put(layout, build->code[order[i]].name, &to->name, err));
    }
    return RF_OK;
}

/* Sets that no field has are left out. */
static enum rf_status codes_put(struct layout *layout, struct rf_error *err)
{
    struct rf_fix_build *const build = layout->build;
    uint16_t *set_new;
    struct rf_fix_range *set;
    struct rf_fix_code *code;
    uint32_t *order;
    LAYOUT_PUSH(order, build->arena, build->codes, err);
    LAYOUT_PUSH(set_new, build->arena, build->code_sets, err);
    LAYOUT_PUSH(set, layout->arena, build->code_sets, err);
    LAYOUT_PUSH(code, layout->arena, build->codes, err);
    memset(set_new, 0xff, build->code_sets * sizeof *set_new);
    for (uint32_t i = 0; i < build->fields; i++) {
        const int32_t old = build->field[layout->field_old[i]].code_set;
        if (old == RF_FIX_NOWHERE || build->code_set[old].first == RF_FIX_NOWHERE) {
            continue;
        }
        if (set_new[old] == RF_FIX_NONE) {
            set_new[old] = (uint16_t)layout->dict->code_sets;
            RF_TRY(code_set_put(layout, build->code_set[old], order, code, &set[layout->dict->code_sets], err));
            layout->dict->code_sets++;
        }
        layout->field[i].code_set = set_new[old];
    }
    layout->dict->code_set = set;
    layout->dict->code = code;
    return RF_OK;
}

static bool field_is_of(const struct rf_fix_field *field, enum rf_fix_class kind)
{
    return field != NULL && rf_fix_field_class(field) == kind;
}

/* The field that says the length of a data field: the one that the input names, the one that is known from the
 * standard, or the one whose name ends in Len or Length. What does not hold a number cannot be it: the length that the
 * Orchestra files of the session layers name is always field 1. */
static const struct rf_fix_field *length_of(const struct layout *layout, const struct rf_fix_field *data)
{
    static const char *const endings[] = {"Len", "Length"};
    const struct rf_fix_build_field *const from = &layout->build->field[layout->field_old[data - layout->field]];
    const uint32_t tags[] = {from->length_tag, rf_fix_length_of_data(from->tag)};
    char name[RF_FIX_TEXT_MAX + sizeof "Length"];
    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++) {
        const struct rf_fix_field *const length = rf_fix_field_of_tag(layout->dict, tags[i]);
        if (field_is_of(length, RF_FIX_CLASS_INT)) {
            return length;
        }
    }
    memcpy(name, from->name.data, from->name.count);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        const struct rf_str ending = rf_str_of(endings[i]);
        memcpy(name + from->name.count, ending.data, ending.count);
        const struct rf_fix_field *const length =
            rf_fix_field_of_name(layout->dict, (struct rf_str){name, from->name.count + ending.count});
        if (field_is_of(length, RF_FIX_CLASS_INT)) {
            return length;
        }
    }
    return NULL;
}

static void pairs_put(struct layout *layout)
{
    for (uint32_t i = 0; i < layout->dict->fields; i++) {
        struct rf_fix_field *const data = &layout->field[i];
        const struct rf_fix_field *const length =
            field_is_of(data, RF_FIX_CLASS_BYTES) ? length_of(layout, data) : NULL;
        if (length != NULL) {
            data->pair_tag = length->tag;
            layout->field[length - layout->field].pair_tag = data->tag;
        }
    }
}

/* --- structure --- */

static enum rf_status levels_of_chain(struct layout *layout, struct rf_fix_chain chain, uint32_t nest, uint8_t *levels,
                                      struct rf_error *err);

/* nest: how many components and groups lie around this one. */
static enum rf_status levels_of(struct layout *layout, enum rf_fix_item_kind kind, uint32_t at, uint32_t nest,
                                uint8_t *levels, struct rf_error *err)
{
    const struct rf_fix_build *const build = layout->build;
    const bool is_group = kind == RF_FIX_ITEM_GROUP;
    uint8_t *const known = is_group ? &layout->group_levels[at] : &layout->component_levels[at];
    const struct rf_str name = is_group ? build->field[build->group[at].count_field].name : build->component[at].name;
    if (*known == UINT8_MAX) {
        uint8_t below = 0;
        if (nest == RF_FIX_NEST_MAX) {
            RF_FAIL(err, RF_E_CONFIG,
                    "components and groups hold each other more than %d deep, or hold themselves: %.*s",
                    RF_FIX_NEST_MAX, RF_STR_ARG(name));
        }
        RF_TRY(levels_of_chain(layout, is_group ? build->group[at].items : build->component[at].items, nest + 1, &below,
                               err));
        *known = (uint8_t)(below + is_group);
        if (*known > RF_FIX_GROUP_DEPTH_MAX) {
            RF_FAIL(err, RF_E_CONFIG, "groups hold each other more than %d deep: %.*s", RF_FIX_GROUP_DEPTH_MAX,
                    RF_STR_ARG(name));
        }
    }
    *levels = *known > *levels ? *known : *levels;
    return RF_OK;
}

static enum rf_status levels_of_chain(struct layout *layout, struct rf_fix_chain chain, uint32_t nest, uint8_t *levels,
                                      struct rf_error *err)
{
    for (int32_t i = chain.first; i != RF_FIX_NOWHERE; i = layout->build->item[i].next) {
        const struct rf_fix_build_item item = layout->build->item[i];
        if (item.kind != RF_FIX_ITEM_FIELD) {
            RF_TRY(levels_of(layout, item.kind, item.at, nest, levels, err));
        }
    }
    return RF_OK;
}

/* Nothing below may walk into a circle: this comes first. */
static enum rf_status levels_check(struct layout *layout, struct rf_error *err)
{
    struct rf_fix_build *const build = layout->build;
    uint8_t levels = 0;
    LAYOUT_PUSH(layout->group_levels, build->arena, build->groups, err);
    LAYOUT_PUSH(layout->component_levels, build->arena, build->components, err);
    memset(layout->group_levels, UINT8_MAX, build->groups);
    memset(layout->component_levels, UINT8_MAX, build->components);
    for (uint32_t i = 0; i < build->components; i++) {
        RF_TRY(levels_of(layout, RF_FIX_ITEM_COMPONENT, i, 0, &levels, err));
    }
    for (uint32_t i = 0; i < build->groups; i++) {
        RF_TRY(levels_of(layout, RF_FIX_ITEM_GROUP, i, 0, &levels, err));
    }
    return RF_OK;
}

static enum rf_status member_put(struct layout *layout, uint32_t field, uint32_t group, struct rf_error *err)
{
    if (layout->seen[field] == layout->run) {
        return RF_OK;
    }
    layout->seen[field] = layout->run;
    struct rf_fix_member *grown = layout->members == RF_FIX_ITEMS_MAX
                                      ? NULL
                                      : rf_array_grow(layout->build->arena, layout->member, layout->members,
                                                      &layout->members_capacity, sizeof *layout->member);
    if (grown == NULL) {
        RF_FAIL(err, RF_E_LIMIT, "messages and groups have more than %u fields in all", layout->members);
    }
    layout->member = grown;
    layout->member[layout->members++] =
        (struct rf_fix_member){layout->field_new[field], group == UINT32_MAX ? RF_FIX_NONE : (uint16_t)group};
    return RF_OK;
}

/* What is listed directly goes before what components bring; each component counts once. Depth is checked already. */
static enum rf_status members_gather(struct layout *layout, struct rf_fix_chain chain, struct rf_error *err)
{
    struct rf_fix_build *const build = layout->build;
    for (int32_t i = chain.first; i != RF_FIX_NOWHERE; i = build->item[i].next) {
        const struct rf_fix_build_item item = build->item[i];
        RF_TRY(rf_fix_build_work(build, 1, err));
        if (item.kind == RF_FIX_ITEM_FIELD) {
            RF_TRY(member_put(layout, item.at, UINT32_MAX, err));
        } else if (item.kind == RF_FIX_ITEM_GROUP) {
            RF_TRY(member_put(layout, build->group[item.at].count_field, item.at, err));
        }
    }
    for (int32_t i = chain.first; i != RF_FIX_NOWHERE; i = build->item[i].next) {
        const struct rf_fix_build_item item = build->item[i];
        if (item.kind == RF_FIX_ITEM_COMPONENT && layout->seen_component[item.at] != layout->run) {
            layout->seen_component[item.at] = layout->run;
            RF_TRY(members_gather(layout, build->component[item.at].items, err));
        }
    }
    return RF_OK;
}

static int member_compare(const void *a, const void *b)
{
    return (int)((const struct rf_fix_member *)a)->field - (int)((const struct rf_fix_member *)b)->field;
}

/* Both tables of one chain. */
static enum rf_status chain_put(struct layout *layout, struct rf_fix_chain chain, struct rf_fix_range *items,
                                struct rf_fix_range *members, struct rf_error *err)
{
    struct rf_fix_build *const build = layout->build;
    items->begin = layout->items;
    for (int32_t i = chain.first; i != RF_FIX_NOWHERE; i = build->item[i].next) {
        const struct rf_fix_build_item item = build->item[i];
        layout->item[layout->items++] = (struct rf_fix_item){
            (uint16_t)item.kind, item.kind == RF_FIX_ITEM_FIELD ? layout->field_new[item.at] : (uint16_t)item.at};
    }
    items->count = layout->items - items->begin;
    if (members == NULL) {
        return RF_OK;
    }
    layout->run++;
    members->begin = layout->members;
    RF_TRY(members_gather(layout, chain, err));
    members->count = layout->members - members->begin;
    if (members->count != 0) {
        qsort(layout->member + members->begin, members->count, sizeof *layout->member, member_compare);
    }
    return RF_OK;
}

/* The first field of a chain, components resolved; UINT32_MAX when it has none. An empty component is passed over, and
 * is not looked into twice. */
static uint32_t first_field(struct layout *layout, struct rf_fix_chain chain)
{
    const struct rf_fix_build *const build = layout->build;
    for (int32_t i = chain.first; i != RF_FIX_NOWHERE; i = build->item[i].next) {
        const struct rf_fix_build_item item = build->item[i];
        if (item.kind == RF_FIX_ITEM_FIELD) {
            return item.at;
        }
        if (item.kind == RF_FIX_ITEM_GROUP) {
            return build->group[item.at].count_field;
        }
        if (layout->seen_component[item.at] != layout->run) {
            layout->seen_component[item.at] = layout->run;
            const uint32_t first = first_field(layout, build->component[item.at].items);
            if (first != UINT32_MAX) {
                return first;
            }
        }
    }
    return UINT32_MAX;
}

/* "PartyIDs" for NoPartyIDs. */
static enum rf_status list_name(struct layout *layout, struct rf_str count_name, uint32_t *at, struct rf_error *err)
{
    static const char suffix[GROUP_SUFFIX_BYTES + 1] = "Grp";
    const bool has_no = count_name.count > 2 && memcmp(count_name.data, "No", 2) == 0 &&
                        ((count_name.data[2] >= 'A' && count_name.data[2] <= 'Z') ||
                         (count_name.data[2] >= '0' && count_name.data[2] <= '9'));
    const struct rf_str name = {count_name.data + 2 * has_no, count_name.count - 2 * has_no};
    if (rf_fix_field_of_name(layout->dict, name) == NULL) {
        return text_put(layout, name, at, err);
    }
    if (name.count + GROUP_SUFFIX_BYTES > RF_FIX_TEXT_MAX) {
        RF_FAIL(err, RF_E_LIMIT, "the name of a group has %zu bytes; at most %d are taken", name.count,
                RF_FIX_TEXT_MAX - GROUP_SUFFIX_BYTES);
    }
    char *const text = rf_arena_push(layout->build->arena, name.count + GROUP_SUFFIX_BYTES, 1, 1);
    if (text == NULL) {
        return memory_fail(layout->build->arena, err);
    }
    memcpy(text, name.data, name.count);
    memcpy(text + name.count, suffix, GROUP_SUFFIX_BYTES);
    return text_put(layout, (struct rf_str){text, name.count + GROUP_SUFFIX_BYTES}, at, err);
}

static enum rf_status groups_put(struct layout *layout, struct rf_error *err)
{
    struct rf_fix_build *const build = layout->build;
    struct rf_fix_group *group;
    LAYOUT_PUSH(group, layout->arena, build->groups, err);
    for (uint32_t i = 0; i < build->groups; i++) {
        const struct rf_fix_build_group *const from = &build->group[i];
        const struct rf_str count_name = build->field[from->count_field].name;
        layout->run++;
        const uint32_t first = first_field(layout, from->items);
        if (first == UINT32_MAX) {
            RF_FAIL(err, RF_E_CONFIG, "the group of %.*s lists no field", RF_STR_ARG(count_name));
        }
        group[i].id = from->id;
        group[i].count_field = layout->field_new[from->count_field];
        group[i].first_field = layout->field_new[first];
        RF_TRY(text_put(layout, from->name, &group[i].name, err));
        RF_TRY(list_name(layout, count_name, &group[i].list_name, err));
        RF_TRY(chain_put(layout, from->items, &group[i].item, &group[i].member, err));
        struct rf_fix_field *const count = &layout->field[group[i].count_field];
        if (count->group == RF_FIX_NONE || group[i].member.count > group[count->group].member.count) {
            count->group = (uint16_t)i;
        }
    }
    layout->dict->group = group;
    layout->dict->groups = build->groups;
    return RF_OK;
}

static enum rf_status components_put(struct layout *layout, struct rf_error *err)
{
    struct rf_fix_build *const build = layout->build;
    struct rf_fix_component *component;
    LAYOUT_PUSH(component, layout->arena, build->components, err);
    for (uint32_t i = 0; i < build->components; i++) {
        component[i].id = build->component[i].id;
        RF_TRY(text_put(layout, build->component[i].name, &component[i].name, err));
        RF_TRY(chain_put(layout, build->component[i].items, &component[i].item, NULL, err));
    }
    layout->dict->component = component;
    layout->dict->components = build->components;
    return RF_OK;
}

static int type_compare(const void *a, const void *b, void *context)
{
    const struct rf_fix_build *const build = context;
    return rf_str_compare(build->message[*(const uint32_t *)a].type, build->message[*(const uint32_t *)b].type);
}

static enum rf_status messages_put(struct layout *layout, struct rf_error *err)
{
    struct rf_fix_build *const build = layout->build;
    struct rf_fix_message *message;
    uint32_t *order;
    LAYOUT_PUSH(message, layout->arena, build->messages, err);
    LAYOUT_PUSH(order, build->arena, build->messages, err);
    for (uint32_t i = 0; i < build->messages; i++) {
        order[i] = i;
    }
    qsort_r(order, build->messages, sizeof *order, type_compare, build);
    for (uint32_t i = 0; i < build->messages; i++) {
        const struct rf_fix_build_message *const from = &build->message[order[i]];
        RF_TRY(text_put(layout, from->type, &message[i].type, err));
        RF_TRY(text_put(layout, from->name, &message[i].name, err));
        RF_TRY(chain_put(layout, from->items, &message[i].item, &message[i].member, err));
    }
    layout->dict->message = message;
    layout->dict->messages = build->messages;
    return RF_OK;
}

/* Fields of header and trailer, those in their groups included; recursion is bounded by RF_FIX_GROUP_DEPTH_MAX. */
static enum rf_status place_mark(struct layout *layout, struct rf_fix_range members, enum rf_fix_place place,
                                 struct rf_error *err)
{
    RF_TRY(rf_fix_build_work(layout->build, members.count, err));
    for (uint32_t i = members.begin; i < members.begin + members.count; i++) {
        const struct rf_fix_member member = layout->member[i];
        layout->field[member.field].place = (uint8_t)place;
        if (member.group != RF_FIX_NONE) {
            RF_TRY(place_mark(layout, layout->dict->group[member.group].member, place, err));
        }
    }
    return RF_OK;
}

static enum rf_status structure_put(struct layout *layout, struct rf_error *err)
{
    struct rf_fix_build *const build = layout->build;
    struct rf_fix_dict *const dict = layout->dict;
    struct rf_fix_member *member;
    RF_TRY(levels_check(layout, err));
    LAYOUT_PUSH(layout->seen, build->arena, build->fields, err);
    LAYOUT_PUSH(layout->seen_component, build->arena, build->components, err);
    LAYOUT_PUSH(layout->item, layout->arena, build->items, err);
    RF_TRY(groups_put(layout, err));
    RF_TRY(components_put(layout, err));
    RF_TRY(messages_put(layout, err));
    RF_TRY(chain_put(layout, build->header, &dict->header_item, &dict->header_member, err));
    RF_TRY(chain_put(layout, build->trailer, &dict->trailer_item, &dict->trailer_member, err));
    RF_TRY(place_mark(layout, dict->header_member, RF_FIX_IN_HEADER, err));
    RF_TRY(place_mark(layout, dict->trailer_member, RF_FIX_IN_TRAILER, err));
    LAYOUT_PUSH(member, layout->arena, layout->members, err);
    if (layout->members != 0) {
        memcpy(member, layout->member, layout->members * sizeof *member);
    }
    dict->member = member;
    dict->members = layout->members;
    dict->item = layout->item;
    dict->items = layout->items;
    return RF_OK;
}

enum rf_status rf_fix_build_finish(struct rf_fix_build *build, struct rf_arena *arena, struct rf_str name,
                                   const struct rf_fix_dict **out, struct rf_error *err)
{
    struct layout layout = {.build = build, .arena = arena, .text = {.arena = build->arena}};
    const struct rf_str kept_name = rf_arena_copy(arena, name);
    LAYOUT_PUSH(layout.dict, arena, (size_t)1, err);
    if (kept_name.data == NULL) {
        return memory_fail(arena, err);
    }
    layout.dict->name = kept_name.data;
    RF_TRY(fields_order(&layout, err));
    /* Fields are looked up by name from here on, which needs a pool; the whole of it is written again at the end, with
     * the same places. */
    RF_TRY(pool_write(&layout, err));
    pairs_put(&layout);
    RF_TRY(codes_put(&layout, err));
    RF_TRY(structure_put(&layout, err));
    RF_TRY(pool_write(&layout, err));
    *out = layout.dict;
    return RF_OK;
}
