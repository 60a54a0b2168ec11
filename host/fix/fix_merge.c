/* fix_merge.c: rf_fix_dict_merge (fix_read.h): one dictionary laid over another. */
#include <stdlib.h>

#include "fix_build.h"
#include "fix_read.h"

struct merge {
    struct rf_fix_build build; /* the base, which the overlay is added to */
    const struct rf_fix_dict *overlay;
    /* From an index in the overlay to one in the build; UINT32_MAX = not yet known. Only groups that have a name of
     * their own have one meaning everywhere; the others are those of whoever holds them. */
    uint32_t *field, *group, *component;
};

/* Header, trailer and messages are not moved when others are made, groups and components are: so a chain is named. */
enum owner_kind { OWNER_MESSAGE, OWNER_COMPONENT, OWNER_GROUP, OWNER_HEADER, OWNER_TRAILER };

struct owner {
    enum owner_kind kind;
    uint32_t at;
};

static struct rf_fix_chain *chain_of(struct merge *merge, struct owner owner)
{
    switch (owner.kind) {
    case OWNER_MESSAGE:
        return &merge->build.message[owner.at].items;
    case OWNER_COMPONENT:
        return &merge->build.component[owner.at].items;
    case OWNER_GROUP:
        return &merge->build.group[owner.at].items;
    case OWNER_HEADER:
        return &merge->build.header;
    case OWNER_TRAILER:
        break;
    }
    return &merge->build.trailer;
}

/* --- fields --- */

/* Gives a field a set of constants that is its own, with those that it had. */
static enum rf_status codes_own(struct merge *merge, uint32_t field, struct rf_error *err)
{
    struct rf_fix_build *const build = &merge->build;
    const int32_t old = build->field[field].code_set;
    uint32_t new;
    if (build->field[field].owns_codes) {
        return RF_OK;
    }
    RF_TRY(rf_fix_build_code_set(build, &new, err));
    for (int32_t i = old == RF_FIX_NOWHERE ? RF_FIX_NOWHERE : build->code_set[old].first; i != RF_FIX_NOWHERE;
         i = build->code[i].next) {
        const struct rf_fix_build_code code = build->code[i];
        RF_TRY(rf_fix_build_code(build, new, code.value, code.name, err));
    }
    build->field[field].code_set = (int32_t) new;
    build->field[field].owns_codes = true;
    return RF_OK;
}

/* A constant of the overlay: the name of its value, when there is one, or a new one. */
static enum rf_status code_merge(struct merge *merge, uint32_t field, struct rf_str value, struct rf_str name,
                                 struct rf_error *err)
{
    struct rf_fix_build *const build = &merge->build;
    const struct rf_fix_chain *const chain = &build->code_set[build->field[field].code_set];
    uint32_t steps = 1;
    for (int32_t i = chain->first; i != RF_FIX_NOWHERE; i = build->code[i].next, steps++) {
        if (rf_str_equal(build->code[i].value, value)) {
            build->code[i].name = name; /* lives in the overlay, which outlives the build */
            return rf_fix_build_work(build, steps, err);
        }
    }
    RF_TRY(rf_fix_build_work(build, steps, err));
    return rf_fix_build_code(build, (uint32_t)build->field[field].code_set, value, name, err);
}

static enum rf_status fields_merge(struct merge *merge, struct rf_error *err)
{
    const struct rf_fix_dict *const overlay = merge->overlay;
    struct rf_fix_build *const build = &merge->build;
    for (uint32_t i = 0; i < overlay->fields; i++) {
        const struct rf_fix_field *const from = &overlay->field[i];
        const struct rf_fix_range codes = rf_fix_codes(overlay, from);
        RF_TRY(rf_fix_build_field(build, from->tag, rf_fix_field_name(overlay, from), (enum rf_fix_type)from->type,
                                  &merge->field[i], err));
        struct rf_fix_build_field *const field = &build->field[merge->field[i]];
        field->length_tag = rf_fix_field_class(from) == RF_FIX_CLASS_BYTES ? from->pair_tag : 0;
        if (codes.count != 0) {
            RF_TRY(codes_own(merge, merge->field[i], err));
        }
        for (uint32_t c = codes.begin; c < codes.begin + codes.count; c++) {
            RF_TRY(code_merge(merge, merge->field[i], rf_fix_text(overlay, overlay->code[c].value),
                              rf_fix_text(overlay, overlay->code[c].name), err));
        }
    }
    for (uint32_t i = 0; i < overlay->names; i++) {
        RF_TRY(rf_fix_build_name(build, merge->field[overlay->field_by_name[i]], err));
    }
    return RF_OK;
}

/* --- groups --- */

/* The group that a chain of the build holds directly for a count; UINT32_MAX when none. */
static enum rf_status group_find(struct merge *merge, const struct rf_fix_chain *chain, uint32_t count_field,
                                 uint32_t *group, struct rf_error *err)
{
    const struct rf_fix_build *const build = &merge->build;
    uint32_t steps = 1;
    *group = UINT32_MAX;
    for (int32_t i = chain->first; i != RF_FIX_NOWHERE && *group == UINT32_MAX; i = build->item[i].next, steps++) {
        const struct rf_fix_build_item item = build->item[i];
        if (item.kind == RF_FIX_ITEM_GROUP && build->group[item.at].count_field == count_field) {
            *group = item.at;
        }
    }
    return rf_fix_build_work(&merge->build, steps, err);
}

/* The same, within the components of the chain too. Base and overlay together may make a circle, which is refused when
 * the tables are laid out; here it is only not followed for ever. */
static enum rf_status group_find_deep(struct merge *merge, struct rf_fix_chain chain, uint32_t count_field,
                                      uint32_t depth, uint32_t *group, struct rf_error *err)
{
    struct rf_fix_build *const build = &merge->build;
    RF_TRY(group_find(merge, &chain, count_field, group, err));
    for (int32_t i = chain.first; i != RF_FIX_NOWHERE && *group == UINT32_MAX; i = build->item[i].next) {
        if (build->item[i].kind == RF_FIX_ITEM_COMPONENT && depth < RF_FIX_NEST_MAX) {
            const struct rf_fix_chain inner = build->component[build->item[i].at].items;
            RF_TRY(group_find_deep(merge, inner, count_field, depth + 1, group, err));
        }
    }
    return RF_OK;
}

/* A copy of a group, which its owner holds from now on in its stead. */
static enum rf_status group_copy(struct merge *merge, struct owner owner, uint32_t group, uint32_t *copy,
                                 struct rf_error *err)
{
    struct rf_fix_build *const build = &merge->build;
    RF_TRY(rf_fix_build_group(build, RF_STR(""), 0, build->group[group].count_field, copy, err));
    for (int32_t i = build->group[group].items.first; i != RF_FIX_NOWHERE; i = build->item[i].next) {
        const struct rf_fix_build_item item = build->item[i];
        RF_TRY(rf_fix_build_item(build, &build->group[*copy].items, item.kind, item.at, err));
    }
    for (int32_t i = chain_of(merge, owner)->first; i != RF_FIX_NOWHERE; i = build->item[i].next) {
        if (build->item[i].kind == RF_FIX_ITEM_GROUP && build->item[i].at == group) {
            build->item[i].at = *copy;
            return RF_OK;
        }
    }
    return rf_fix_build_item(build, chain_of(merge, owner), RF_FIX_ITEM_GROUP, *copy, err);
}

static enum rf_status items_merge(struct merge *merge, struct owner owner, struct rf_fix_range items,
                                  struct rf_error *err);

/* What the overlay says of a group is added to one of the build. The base's first field stays the first unless the
 * overlay lists it too: then the overlay speaks of the whole group, not of additions, and its order counts. */
static enum rf_status group_merge(struct merge *merge, uint32_t group, const struct rf_fix_group *from,
                                  struct rf_error *err)
{
    struct rf_fix_build *const build = &merge->build;
    const struct rf_fix_chain old = build->group[group].items;
    const struct owner owner = {OWNER_GROUP, group};
    bool is_whole = old.first == RF_FIX_NOWHERE;
    for (uint32_t i = from->item.begin; i < from->item.begin + from->item.count && !is_whole; i++) {
        const struct rf_fix_item item = merge->overlay->item[i];
        const struct rf_fix_build_item first = build->item[old.first];
        is_whole = item.kind == (uint16_t)first.kind &&
                   ((item.kind == RF_FIX_ITEM_FIELD && merge->field[item.at] == first.at) ||
                    (item.kind == RF_FIX_ITEM_COMPONENT && merge->component[item.at] == first.at));
    }
    if (!is_whole) {
        return items_merge(merge, owner, from->item, err);
    }
    /* Nested groups are found by what the group had, so those come first; the overlay's order is made afterwards. */
    RF_TRY(items_merge(merge, owner, from->item, err));
    const struct rf_fix_chain merged = build->group[group].items;
    struct rf_fix_chain ordered = {RF_FIX_NOWHERE, RF_FIX_NOWHERE};
    for (uint32_t i = from->item.begin; i < from->item.begin + from->item.count; i++) {
        const struct rf_fix_item item = merge->overlay->item[i];
        if (item.kind == RF_FIX_ITEM_FIELD) {
            RF_TRY(rf_fix_build_item(build, &ordered, RF_FIX_ITEM_FIELD, merge->field[item.at], err));
        } else if (item.kind == RF_FIX_ITEM_COMPONENT) {
            RF_TRY(rf_fix_build_item(build, &ordered, RF_FIX_ITEM_COMPONENT, merge->component[item.at], err));
        } else {
            uint32_t nested;
            const uint32_t count_field = merge->field[merge->overlay->group[item.at].count_field];
            RF_TRY(group_find(merge, &merged, count_field, &nested, err));
            if (nested != UINT32_MAX) {
                RF_TRY(rf_fix_build_item(build, &ordered, RF_FIX_ITEM_GROUP, nested, err));
            }
        }
    }
    for (int32_t i = merged.first; i != RF_FIX_NOWHERE; i = build->item[i].next) {
        const struct rf_fix_build_item item = build->item[i];
        RF_TRY(rf_fix_build_item(build, &ordered, item.kind, item.at, err));
    }
    build->group[group].items = ordered;
    return RF_OK;
}

/* A group without a name of its own, in a certain owner. */
static enum rf_status owned_group_merge(struct merge *merge, struct owner owner, uint32_t at, struct rf_error *err)
{
    struct rf_fix_build *const build = &merge->build;
    const struct rf_fix_group *const from = &merge->overlay->group[at];
    const uint32_t count_field = merge->field[from->count_field];
    uint32_t old;
    uint32_t new;
    RF_TRY(group_find_deep(merge, *chain_of(merge, owner), count_field, 0, &old, err));
    if (old == UINT32_MAX) {
        RF_TRY(rf_fix_build_group(build, RF_STR(""), 0, count_field, &new, err));
        RF_TRY(rf_fix_build_item(build, chain_of(merge, owner), RF_FIX_ITEM_GROUP, new, err));
    } else {
        RF_TRY(group_copy(merge, owner, old, &new, err));
    }
    return group_merge(merge, new, from, err);
}

/* Nested owners are groups, which have RF_FIX_GROUP_DEPTH_MAX levels at most: this recursion is bounded. */
static enum rf_status items_merge(struct merge *merge, struct owner owner, struct rf_fix_range items,
                                  struct rf_error *err)
{
    for (uint32_t i = items.begin; i < items.begin + items.count; i++) {
        const struct rf_fix_item item = merge->overlay->item[i];
        struct rf_fix_chain *const chain = chain_of(merge, owner);
        if (item.kind == RF_FIX_ITEM_FIELD) {
            RF_TRY(rf_fix_build_item(&merge->build, chain, RF_FIX_ITEM_FIELD, merge->field[item.at], err));
        } else if (item.kind == RF_FIX_ITEM_COMPONENT) {
            RF_TRY(rf_fix_build_item(&merge->build, chain, RF_FIX_ITEM_COMPONENT, merge->component[item.at], err));
        } else if (merge->group[item.at] != UINT32_MAX) {
            RF_TRY(rf_fix_build_item(&merge->build, chain, RF_FIX_ITEM_GROUP, merge->group[item.at], err));
        } else {
            RF_TRY(owned_group_merge(merge, owner, item.at, err));
        }
    }
    return RF_OK;
}

/* --- definitions that have a name --- */

/* The group of the build that a definition with this name (and id) means, if its count is the same. */
static uint32_t group_match(struct merge *merge, struct rf_str name, uint32_t id, uint32_t count_field)
{
    const struct rf_fix_build *const build = &merge->build;
    const uint32_t *const cell = name.count == 0 ? NULL : rf_intern_at(&merge->build.group_of_name, name);
    if (cell != NULL && *cell != UINT32_MAX && build->group[*cell].count_field == count_field) {
        return *cell;
    }
    for (uint32_t i = 0; i < build->groups && id != 0; i++) {
        if (build->group[i].id == id && build->group[i].count_field == count_field) {
            return i;
        }
    }
    return UINT32_MAX;
}

/* QuickFIX says "component Parties, which holds the group NoPartyIDs" where Orchestra says "group Parties": an overlay
 * in the one manner over a base in the other means the same definition, which everybody uses. */
static enum rf_status groups_find(struct merge *merge, struct rf_error *err)
{
    const struct rf_fix_dict *const overlay = merge->overlay;
    for (uint32_t i = 0; i < overlay->groups; i++) {
        const struct rf_fix_group *const from = &overlay->group[i];
        const struct rf_str name = rf_fix_text(overlay, from->name);
        const uint32_t count_field = merge->field[from->count_field];
        RF_TRY(rf_fix_build_work(&merge->build, from->id == 0 ? 1 : merge->build.groups, err));
        merge->group[i] = group_match(merge, name, from->id, count_field);
        if (merge->group[i] == UINT32_MAX && name.count != 0) {
            const uint32_t *const component = rf_intern_at(&merge->build.component_of_name, name);
            if (component != NULL && *component != UINT32_MAX) {
                RF_TRY(
                    group_find(merge, &merge->build.component[*component].items, count_field, &merge->group[i], err));
            }
        }
        if (merge->group[i] == UINT32_MAX && name.count != 0) {
            RF_TRY(rf_fix_build_group(&merge->build, name, from->id, count_field, &merge->group[i], err));
        }
    }
    for (uint32_t i = 0; i < overlay->components; i++) {
        const struct rf_fix_component *const from = &overlay->component[i];
        for (uint32_t k = from->item.begin; k < from->item.begin + from->item.count; k++) {
            const struct rf_fix_item item = overlay->item[k];
            if (item.kind == RF_FIX_ITEM_GROUP && merge->group[item.at] == UINT32_MAX) {
                merge->group[item.at] = group_match(merge, rf_fix_text(overlay, from->name), 0,
                                                    merge->field[overlay->group[item.at].count_field]);
            }
        }
    }
    return RF_OK;
}

static enum rf_status components_find(struct merge *merge, struct rf_error *err)
{
    const struct rf_fix_dict *const overlay = merge->overlay;
    struct rf_fix_build *const build = &merge->build;
    for (uint32_t i = 0; i < overlay->components; i++) {
        const struct rf_fix_component *const from = &overlay->component[i];
        const struct rf_str name = rf_fix_text(overlay, from->name);
        const uint32_t *const cell = rf_intern_at(&build->component_of_name, name);
        merge->component[i] = cell == NULL ? UINT32_MAX : *cell;
        for (uint32_t c = 0; c < build->components && from->id != 0 && merge->component[i] == UINT32_MAX; c++) {
            RF_TRY(rf_fix_build_work(build, 1, err));
            if (build->component[c].id == from->id) {
                merge->component[i] = c;
            }
        }
        if (merge->component[i] == UINT32_MAX) {
            RF_TRY(rf_fix_build_component(build, name, from->id, &merge->component[i], err));
        }
    }
    return RF_OK;
}

static enum rf_status merge_run(struct merge *merge, struct rf_error *err)
{
    const struct rf_fix_dict *const overlay = merge->overlay;
    uint32_t at;
    RF_TRY(fields_merge(merge, err));
    RF_TRY(components_find(merge, err));
    RF_TRY(groups_find(merge, err));
    for (uint32_t i = 0; i < overlay->groups; i++) {
        if (merge->group[i] != UINT32_MAX) {
            RF_TRY(group_merge(merge, merge->group[i], &overlay->group[i], err));
        }
    }
    for (uint32_t i = 0; i < overlay->components; i++) {
        const struct owner owner = {OWNER_COMPONENT, merge->component[i]};
        RF_TRY(items_merge(merge, owner, overlay->component[i].item, err));
    }
    for (uint32_t i = 0; i < overlay->messages; i++) {
        const struct rf_fix_message *const from = &overlay->message[i];
        RF_TRY(rf_fix_build_message(&merge->build, rf_fix_text(overlay, from->type), rf_fix_text(overlay, from->name),
                                    &at, err));
        RF_TRY(items_merge(merge, (struct owner){OWNER_MESSAGE, at}, from->item, err));
    }
    RF_TRY(items_merge(merge, (struct owner){OWNER_HEADER, 0}, overlay->header_item, err));
    return items_merge(merge, (struct owner){OWNER_TRAILER, 0}, overlay->trailer_item, err);
}

static uint32_t *map_make(struct rf_arena *arena, uint32_t count)
{
    uint32_t *const map = rf_arena_push(arena, (size_t)count + 1, sizeof *map, _Alignof(uint32_t));
    if (map != NULL) {
        memset(map, 0xff, ((size_t)count + 1) * sizeof *map);
    }
    return map;
}

enum rf_status rf_fix_dict_merge(struct rf_arena *arena, const struct rf_fix_dict *base,
                                 const struct rf_fix_dict *overlay, const struct rf_fix_dict **out,
                                 struct rf_error *err)
{
    struct rf_arena scratch;
    struct merge merge = {.overlay = overlay};
    enum rf_status status;
    rf_arena_init(&scratch, RF_FIX_DICT_BYTES_MAX);
    rf_fix_build_init(&merge.build, &scratch);
    merge.field = map_make(&scratch, overlay->fields);
    merge.group = map_make(&scratch, overlay->groups);
    merge.component = map_make(&scratch, overlay->components);
    if (merge.field == NULL || merge.group == NULL || merge.component == NULL) {
        status = rf_error_set(err, RF_E_MEMORY, __FILE__, __LINE__, "no memory for a dictionary");
    } else {
        status = rf_fix_build_load(&merge.build, base, err);
    }
    if (status == RF_OK) {
        status = merge_run(&merge, err);
    }
    if (status == RF_OK) {
        status = rf_fix_build_finish(&merge.build, arena, rf_str_of(base->name), out, err);
    }
    rf_arena_free(&scratch);
    return status;
}
