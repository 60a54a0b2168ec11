/* Entries of FIX groups: which nodes give them, and their members by name and by tag: e.PartyID, e[448], e.group(802)
 * (resolve_state.h).
 *
 * An entry is a map from names to values, so a member by tag becomes the member of that name, which every engine reads. Where a
 * value is not known to be an entry nothing is looked up, and nothing is refused.
 */
#include <assert.h>
#include <stdio.h>

#include "resolve_state.h"

enum { WRAP_BITS = 2, WRAP_LIST = 1, WRAP_OPTIONAL = 2, WRAP_MASK = 3, WRAPS_MAX = 8 };

/* What a node gives: an entry of one of the groups, a list of them, an optional of a list ... */
struct rf_fix_entries {
    uint32_t wrapped; /* WRAP_*, the outermost lowest; 0: an entry itself */
    uint32_t groups;
    uint16_t *group; /* [groups] of the dictionary */
};

static bool has_failed(const struct rf_resolver *r)
{
    return r->status != RF_OK;
}

/* NULL, and has_failed: the arena is full. */
static struct rf_fix_entries *entries_make(struct rf_resolver *r, uint32_t wrapped, uint32_t groups_max)
{
    struct rf_fix_entries *made = RF_PUSH(r->arena, struct rf_fix_entries, 1);
    uint16_t *group = RF_PUSH(r->arena, uint16_t, groups_max);
    if (made == NULL || group == NULL) {
        rf_resolver_fail_full(r);
        return NULL;
    }
    *made = (struct rf_fix_entries){.wrapped = wrapped, .group = group};
    return made;
}

static void entries_add(struct rf_fix_entries *entries, uint16_t group)
{
    for (uint32_t i = 0; i < entries->groups; i++) {
        if (entries->group[i] == group) {
            return;
        }
    }
    entries->group[entries->groups++] = group;
}

static const struct rf_fix_entries *with_wrapped(struct rf_resolver *r, const struct rf_fix_entries *entries,
                                                 uint32_t wrapped)
{
    struct rf_fix_entries *made = RF_PUSH(r->arena, struct rf_fix_entries, 1);
    if (made == NULL) {
        rf_resolver_fail_full(r);
        return NULL;
    }
    *made = *entries;
    made->wrapped = wrapped;
    return made;
}

static const struct rf_fix_entries *wrap(struct rf_resolver *r, const struct rf_fix_entries *entries, uint32_t how)
{
    if (entries == NULL || entries->wrapped >> (WRAP_BITS * (WRAPS_MAX - 1)) != 0) {
        return NULL;
    }
    return with_wrapped(r, entries, entries->wrapped << WRAP_BITS | how);
}

static const struct rf_fix_entries *unwrap(struct rf_resolver *r, const struct rf_fix_entries *entries, uint32_t how)
{
    if (entries == NULL || (entries->wrapped & WRAP_MASK) != how) {
        return NULL;
    }
    return with_wrapped(r, entries, entries->wrapped >> WRAP_BITS);
}

/* An empty list or optional goes with any other. */
static bool node_is_empty(const struct rf_node *node)
{
    return (node->kind == RF_NODE_LIST && node->args == 0) ||
           (node->kind == RF_NODE_CALL && node->function == RF_FN_OPTIONAL_NONE);
}

/* What is one or the other. */
static const struct rf_fix_entries *either(struct rf_resolver *r, const struct rf_fix_entries *a,
                                           const struct rf_fix_entries *b)
{
    if (a == b || a == NULL || b == NULL || a->wrapped != b->wrapped) {
        return a == b ? a : NULL;
    }
    struct rf_fix_entries *made = entries_make(r, a->wrapped, a->groups + b->groups);
    for (uint32_t i = 0; made != NULL && i < a->groups + b->groups; i++) {
        entries_add(made, i < a->groups ? a->group[i] : b->group[i - a->groups]);
    }
    return made;
}

static const struct rf_fix_entries *either_node(struct rf_resolver *r, const struct rf_node *a, const struct rf_node *b)
{
    return node_is_empty(a) ? b->entries : node_is_empty(b) ? a->entries : either(r, a->entries, b->entries);
}

/* ---- Groups and members ---- */

/* Every group that a message may have behind this count. */
static const struct rf_fix_entries *entries_of_count(struct rf_resolver *r, uint32_t tag)
{
    const struct rf_fix_dict *dict = r->env->fix;
    uint32_t count = 0;
    for (uint32_t g = 0; g < dict->groups; g++) {
        count += dict->field[dict->group[g].count_field].tag == tag;
    }
    struct rf_fix_entries *made = count == 0 ? NULL : entries_make(r, WRAP_LIST, count);
    for (uint32_t g = 0; made != NULL && g < dict->groups; g++) {
        if (dict->field[dict->group[g].count_field].tag == tag) {
            entries_add(made, (uint16_t)g);
        }
    }
    return made;
}

/* Does the member count the entries of a group within, whose list has the name, or, when tag is not 0, whose count is that
 * field? */
static bool member_gives(const struct rf_fix_dict *dict, const struct rf_fix_member *member, struct rf_str list_name,
                         uint32_t tag)
{
    if (member->group == RF_FIX_NONE) {
        return false;
    }
    return tag != 0 ? dict->field[member->field].tag == tag
                    : rf_str_equal(rf_fix_text(dict, dict->group[member->group].list_name), list_name);
}

/* Adds the groups within; out NULL: says how many there are, some of them perhaps twice. */
static uint32_t within_add(const struct rf_fix_dict *dict, const struct rf_fix_entries *entries,
                           struct rf_str list_name, uint32_t tag, struct rf_fix_entries *out)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < entries->groups; i++) {
        const struct rf_fix_range range = dict->group[entries->group[i]].member;
        for (uint32_t m = range.begin; m < range.begin + range.count; m++) {
            if (member_gives(dict, &dict->member[m], list_name, tag)) {
                count++;
                if (out != NULL) {
                    entries_add(out, dict->member[m].group);
                }
            }
        }
    }
    return count;
}

/* The groups within, as a list; NULL when there is none. */
static const struct rf_fix_entries *entries_within(struct rf_resolver *r, const struct rf_fix_entries *entries,
                                                   struct rf_str list_name, uint32_t tag)
{
    const uint32_t count = within_add(r->env->fix, entries, list_name, tag, NULL);
    struct rf_fix_entries *made = count == 0 ? NULL : entries_make(r, WRAP_LIST, count);
    if (made != NULL) {
        (void)within_add(r->env->fix, entries, list_name, tag, made);
    }
    return made;
}

/* What an entry, or an optional of one, is asked for. */
static const struct rf_fix_entries *entries_asked(struct rf_resolver *r, const struct rf_node *operand)
{
    const struct rf_fix_entries *entries = operand->entries;
    if (entries == NULL || entries->wrapped == 0) {
        return entries;
    }
    return entries->wrapped == WRAP_OPTIONAL ? unwrap(r, entries, WRAP_OPTIONAL) : NULL;
}

static bool has_tag(const struct rf_resolver *r, const struct rf_fix_entries *entries, uint32_t tag)
{
    for (uint32_t i = 0; i < entries->groups; i++) {
        if (rf_fix_group_member(r->env->fix, &r->env->fix->group[entries->group[i]], tag) != NULL) {
            return true;
        }
    }
    return false;
}

/* How many fields of the entries have the name, two at most; *field: one of them. */
static uint32_t fields_named(const struct rf_resolver *r, const struct rf_fix_entries *entries, struct rf_str name,
                             const struct rf_fix_field **field)
{
    const struct rf_fix_dict *dict = r->env->fix;
    uint32_t count = 0;
    *field = NULL;
    for (uint32_t i = 0; i < entries->groups; i++) {
        const struct rf_fix_range range = dict->group[entries->group[i]].member;
        for (uint32_t m = range.begin; m < range.begin + range.count; m++) {
            const struct rf_fix_field *known = &dict->field[dict->member[m].field];
            char digits[RF_FIX_DIGITS_BYTES];
            if (known != *field && rf_str_equal(rf_fix_member_key(dict, known, digits), name)) {
                count += count < 2;
                *field = known;
            }
        }
    }
    return count;
}

const struct rf_fix_field *rf_resolver_member(const struct rf_resolver *r, const struct rf_node *node)
{
    const struct rf_fix_field *field;
    if (node->kind != RF_NODE_SELECT || node->is_optional || node->arg[0]->entries == NULL ||
        node->arg[0]->entries->wrapped != 0 || fields_named(r, node->arg[0]->entries, node->name, &field) != 1) {
        return NULL;
    }
    return field;
}

/* ---- Names and tags ---- */

static const char *entry_text(const struct rf_resolver *r, const struct rf_fix_entries *entries,
                              char text[RF_FIX_NAME_BYTES + 32])
{
    const struct rf_fix_dict *dict = r->env->fix;
    const struct rf_str list = rf_fix_text(dict, dict->group[entries->group[0]].list_name);
    (void)snprintf(text, RF_FIX_NAME_BYTES + 32, "an entry of %.*s has no member", RF_STR_ARG(list));
    return text;
}

static struct rf_node *fail_member(struct rf_resolver *r, struct rf_span at, const struct rf_fix_entries *entries,
                                   struct rf_str name)
{
    const struct rf_fix_dict *dict = r->env->fix;
    char text[RF_FIX_NAME_BYTES + 32];
    struct rf_guess guess = rf_guess_begin(name);
    for (uint32_t i = 0; i < entries->groups; i++) {
        const struct rf_fix_range range = dict->group[entries->group[i]].member;
        for (uint32_t m = range.begin; m < range.begin + range.count; m++) {
            const struct rf_fix_member *member = &dict->member[m];
            rf_guess_try(&guess, rf_fix_field_name(dict, &dict->field[member->field]));
            if (member->group != RF_FIX_NONE) {
                rf_guess_try(&guess, rf_fix_text(dict, dict->group[member->group].list_name));
            }
        }
    }
    return rf_resolver_fail_guess(r, at, &guess, entry_text(r, entries, text));
}

/* The name under which entries hold the tag. One that the dictionary lacks they never hold: no name has digits. */
static bool name_of_tag(struct rf_resolver *r, const struct rf_fix_entries *entries, struct rf_span at, uint32_t tag,
                        struct rf_str *name)
{
    const struct rf_fix_dict *dict = r->env->fix;
    const struct rf_fix_field *field = rf_fix_field_of_tag(dict, tag);
    char digits[RF_FIX_DIGITS_BYTES];
    if (field != NULL && !has_tag(r, entries, tag)) {
        char text[RF_FIX_NAME_BYTES + 32];
        RF_RESOLVER_FAIL(r, at, "%s %u (%.*s)", entry_text(r, entries, text), tag,
                         RF_STR_ARG(rf_fix_field_name(dict, field)));
        return false;
    }
    if (field != NULL) {
        *name = rf_fix_member_key(dict, field, digits);
    } else {
        *name = (struct rf_str){digits, (size_t)snprintf(digits, sizeof digits, "%u", tag)};
    }
    *name = rf_arena_copy(r->arena, *name);
    if (name->data == NULL) {
        rf_resolver_fail_full(r);
    }
    return name->data != NULL;
}

/* The member's name as entries have it; false: they never have it, and the diagnostic is set. */
static bool name_find(struct rf_resolver *r, const struct rf_fix_entries *entries, struct rf_span at,
                      struct rf_str *name)
{
    const struct rf_fix_field *field;
    uint32_t tag;
    if (fields_named(r, entries, *name, &field) != 0 || within_add(r->env->fix, entries, *name, 0, NULL) != 0) {
        return true;
    }
    if (rf_fix_older_name(r->env->fix, *name, &tag) && has_tag(r, entries, tag)) {
        return name_of_tag(r, entries, at, tag, name);
    }
    (void)fail_member(r, at, entries, *name);
    return false;
}

/* A constant in brackets, or before `in`. *is_member false: it is none that a member is asked for by. */
static bool key_find(struct rf_resolver *r, const struct rf_fix_entries *entries, const struct rf_node *key,
                     struct rf_str *name, bool *is_member)
{
    const bool is_text = key->kind == RF_NODE_LITERAL && key->literal.type == RF_TYPE_STRING;
    uint32_t tag;
    *is_member = true;
    if (is_text &&
        (key->literal.text.count == 0 || key->literal.text.data[0] < '0' || key->literal.text.data[0] > '9')) {
        *name = key->literal.text;
        return name_find(r, entries, key->span, name);
    }
    if (rf_resolver_tag(r, key, &tag)) {
        return name_of_tag(r, entries, key->span, tag, name);
    }
    *is_member = false;
    return true;
}

static struct rf_node *become_member(struct rf_node *node, enum rf_node_kind kind, struct rf_node *operand,
                                     struct rf_str name, struct rf_span at)
{
    node->kind = kind;
    node->function = RF_FUNCTION_COUNT;
    node->arg[0] = operand;
    node->args = 1;
    node->name = name;
    node->name_span = at;
    return node;
}

/* e[448], e["PartyID"] */
static struct rf_node *resolve_index(struct rf_resolver *r, struct rf_node *node)
{
    struct rf_str name;
    bool is_member;
    node->arg[0] = rf_resolve_counted(r, node->arg[0]);
    const struct rf_fix_entries *entries = node->arg[0] == NULL ? NULL : entries_asked(r, node->arg[0]);
    if (entries == NULL) {
        return has_failed(r) ? NULL : node;
    }
    if (!key_find(r, entries, node->arg[1], &name, &is_member)) {
        return NULL;
    }
    return is_member ? become_member(node, RF_NODE_SELECT, node->arg[0], name, node->arg[1]->span) : node;
}

/* 448 in e */
static struct rf_node *resolve_in(struct rf_resolver *r, struct rf_node *node)
{
    struct rf_str name;
    bool is_member;
    const struct rf_fix_entries *entries = node->arg[1]->entries;
    if (entries == NULL || entries->wrapped != 0) {
        return node;
    }
    if (!key_find(r, entries, node->arg[0], &name, &is_member)) {
        return NULL;
    }
    return is_member ? become_member(node, RF_NODE_HAS, node->arg[1], name, node->arg[0]->span) : node;
}

bool rf_resolve_entry_group(struct rf_resolver *r, struct rf_node *node, struct rf_node **out)
{
    uint32_t tag;
    if (node->args != 2 || !rf_str_equal(node->name, RF_STR("group"))) {
        return false;
    }
    node->arg[0] = rf_resolve_node(r, node->arg[0], false);
    *out = NULL;
    const struct rf_fix_entries *entries = node->arg[0] == NULL ? NULL : entries_asked(r, node->arg[0]);
    if (entries == NULL) {
        return has_failed(r); /* no other function has the name */
    }
    if (!rf_resolver_tag(r, node->arg[1], &tag)) {
        RF_RESOLVER_FAIL(r, node->span, "group() takes a tag or the name of a field, as a constant: %s",
                         "e.group(802)");
        return true;
    }
    const struct rf_fix_entries *within = entries_within(r, entries, RF_STR(""), tag);
    if (within == NULL) {
        char text[RF_FIX_NAME_BYTES + 32];
        if (!has_failed(r)) {
            RF_RESOLVER_FAIL(r, node->arg[1]->span, "%s that counts a group by tag %u", entry_text(r, entries, text),
                             tag);
        }
        return true;
    }
    const struct rf_fix_dict *dict = r->env->fix;
    *out = become_member(node, RF_NODE_SELECT, node->arg[0], rf_fix_text(dict, dict->group[within->group[0]].list_name),
                         node->name_span);
    return true;
}

struct rf_node *rf_resolve_counted(struct rf_resolver *r, struct rf_node *node)
{
    const struct rf_fix_dict *dict = r->env->fix;
    if (dict == NULL) {
        return node;
    }
    const struct rf_fix_field *member = rf_resolver_member(r, node);
    if (member != NULL) {
        const struct rf_fix_entries *within = entries_within(r, node->arg[0]->entries, RF_STR(""), member->tag);
        if (within == NULL) {
            return has_failed(r) ? NULL : node;
        }
        node->name = rf_fix_text(dict, dict->group[within->group[0]].list_name);
        return rf_resolve_entry(r, node);
    }
    if (node->kind != RF_NODE_BINDING || r->accesses->access[node->local].form != RF_FIX_FORM_VALUE) {
        return node;
    }
    const uint32_t tag = r->accesses->access[node->local].tag;
    const struct rf_fix_field *field = rf_fix_field_of_tag(dict, tag);
    if (field == NULL || field->group == RF_FIX_NONE) {
        return node;
    }
    node = rf_resolver_become_group(r, node, rf_fix_text(dict, dict->group[field->group].list_name), tag);
    return node == NULL ? NULL : rf_resolve_entry(r, node);
}

/* ---- What nodes give ---- */

static const struct rf_fix_entries *select_gives(struct rf_resolver *r, const struct rf_node *node)
{
    const struct rf_fix_entries *of = entries_asked(r, node->arg[0]);
    const struct rf_fix_entries *within = of == NULL ? NULL : entries_within(r, of, node->name, 0);
    const bool is_optional = node->is_optional || (of != NULL && node->arg[0]->entries->wrapped != 0);
    return is_optional ? wrap(r, within, WRAP_OPTIONAL) : within;
}

/* An element of a list. */
static const struct rf_fix_entries *index_gives(struct rf_resolver *r, const struct rf_node *node)
{
    const struct rf_fix_entries *list = node->arg[0]->entries;
    const bool is_chained = list != NULL && (list->wrapped & WRAP_MASK) == WRAP_OPTIONAL;
    const struct rf_fix_entries *item = unwrap(r, is_chained ? unwrap(r, list, WRAP_OPTIONAL) : list, WRAP_LIST);
    return node->is_optional || is_chained ? wrap(r, item, WRAP_OPTIONAL) : item;
}

static const struct rf_fix_entries *list_gives(struct rf_resolver *r, const struct rf_node *node)
{
    const struct rf_fix_entries *item = node->args == 0 ? NULL : node->arg[0]->entries;
    for (uint32_t i = 1; item != NULL && i < node->args; i++) {
        item = either(r, item, node->arg[i]->entries);
    }
    return wrap(r, item, WRAP_LIST);
}

static const struct rf_fix_entries *call_gives(struct rf_resolver *r, const struct rf_node *node)
{
    switch (node->function) {
    case RF_FN_SELECT:
        return either_node(r, node->arg[1], node->arg[2]);
    case RF_FN_ADD:
    case RF_FN_OPTIONAL_OR:
        return either_node(r, node->arg[0], node->arg[1]);
    case RF_FN_OR_VALUE: {
        const struct rf_fix_entries *held = unwrap(r, node->arg[0]->entries, WRAP_OPTIONAL);
        return node_is_empty(node->arg[1]) ? held : either(r, held, node->arg[1]->entries);
    }
    case RF_FN_VALUE:
        return unwrap(r, node->arg[0]->entries, WRAP_OPTIONAL);
    case RF_FN_OPTIONAL_OF:
    case RF_FN_OPTIONAL_OF_NON_ZERO:
        return wrap(r, node->arg[0]->entries, WRAP_OPTIONAL);
    default:
        return NULL;
    }
}

static const struct rf_fix_entries *macro_gives(struct rf_resolver *r, const struct rf_node *node)
{
    const struct rf_fix_entries *range = node->arg[0]->entries;
    const struct rf_fix_entries *body = node->arg[node->args - 1]->entries;
    switch (node->function) {
    case RF_FN_FILTER:
        return range != NULL && (range->wrapped & WRAP_MASK) == WRAP_LIST ? range : NULL;
    case RF_FN_MAP:
    case RF_FN_TRANSFORM_LIST:
        return wrap(r, body, WRAP_LIST);
    case RF_FN_OPT_MAP:
        return wrap(r, body, WRAP_OPTIONAL);
    case RF_FN_OPT_FLAT_MAP:
    case RF_FN_BIND:
    case RF_FN_BLOCK:
        return body;
    default:
        return NULL;
    }
}

static const struct rf_fix_entries *node_gives(struct rf_resolver *r, const struct rf_node *node)
{
    switch (node->kind) {
    case RF_NODE_LOCAL:
        assert(node->local < r->scopes && r->scope[node->local].local == node->local);
        return r->scope[node->local].entries;
    case RF_NODE_BINDING: {
        const struct rf_fix_access *access = &r->accesses->access[node->local];
        return access->form == RF_FIX_FORM_GROUP ? entries_of_count(r, access->tag) : NULL;
    }
    case RF_NODE_SELECT:
        return select_gives(r, node);
    case RF_NODE_INDEX:
        return index_gives(r, node);
    case RF_NODE_LIST:
        return list_gives(r, node);
    case RF_NODE_CALL:
        return call_gives(r, node);
    case RF_NODE_MACRO:
        return macro_gives(r, node);
    default:
        return NULL;
    }
}

void rf_resolver_set_entries(struct rf_resolver *r, enum rf_function function, const struct rf_fix_entries *range,
                             uint32_t local, uint32_t variables)
{
    const bool is_optional = function == RF_FN_OPT_MAP || function == RF_FN_OPT_FLAT_MAP;
    const bool is_bound = function == RF_FN_BIND || function == RF_FN_BLOCK;
    /* Of two variables over a list the second is the element; those over an entry are no entries. */
    r->scope[local + variables - 1].entries =
        is_bound ? range : unwrap(r, range, is_optional ? WRAP_OPTIONAL : WRAP_LIST);
}

struct rf_node *rf_resolve_entry(struct rf_resolver *r, struct rf_node *node)
{
    if (node->kind == RF_NODE_SELECT) {
        const struct rf_fix_entries *entries = entries_asked(r, node->arg[0]);
        if (entries != NULL && !(node->name.count != 0 && node->name.data[0] >= '0' && node->name.data[0] <= '9') &&
            !name_find(r, entries, node->name_span, &node->name)) {
            return NULL;
        }
    } else if (node->kind == RF_NODE_INDEX) {
        node = resolve_index(r, node);
    } else if (node->kind == RF_NODE_CALL && node->function == RF_FN_IN) {
        node = resolve_in(r, node);
    }
    if (node == NULL || has_failed(r)) {
        return NULL;
    }
    node->entries = node_gives(r, node);
    return has_failed(r) ? NULL : node;
}
