/* Names where records are FIX messages: fix.Symbol, Symbol, fix[55], fix.raw(44), fix.all(448), fix.PartyIDs, fix.meta.x,
 * prefix, Side.BUY (resolve_state.h). */
#include <stdio.h>

#include "fix_dict.h"
#include "fix_value.h"
#include "names.h"
#include "resolve_state.h"

enum { DISTANCE_MAX = 2 };

/* The node becomes a leaf that stands for the access. */
struct rf_node *rf_resolver_become_access(struct rf_resolver *r, struct rf_node *node, struct rf_fix_access access)
{
    uint32_t number;
    r->status = rf_fix_access_use(r->accesses, access, &number, r->err);
    if (r->status != RF_OK) {
        return NULL;
    }
    node->kind = RF_NODE_BINDING;
    node->local = number;
    node->name = r->accesses->access[number].name;
    node->args = 0;
    node->depth = 1;
    return node;
}

/* fix.Symbol where the dictionary has a name for the tag, else fix[9702]. */
static struct rf_str tag_name(const struct rf_fix_dict *dict, uint32_t tag, char text[RF_FIX_NAME_BYTES])
{
    const struct rf_fix_field *field = rf_fix_field_of_tag(dict, tag);
    int count;
    if (field == NULL) {
        count = snprintf(text, RF_FIX_NAME_BYTES, "fix[%u]", tag);
    } else {
        const struct rf_str name = rf_fix_field_name(dict, field);
        count = snprintf(text, RF_FIX_NAME_BYTES, "fix.%.*s", (int)name.count, name.data);
    }
    return (struct rf_str){text, (size_t)count};
}

static struct rf_node *become_value(struct rf_resolver *r, struct rf_node *node, uint32_t tag)
{
    char text[RF_FIX_NAME_BYTES];
    const struct rf_fix_field *field = rf_fix_field_of_tag(r->env->fix, tag);
    return rf_resolver_become_access(r, node,
                         (struct rf_fix_access){.form = RF_FIX_FORM_VALUE,
                                                .tag = tag,
                                                .type = field == NULL ? RF_FIX_TYPE_STRING : field->type,
                                                .name = tag_name(r->env->fix, tag, text)});
}

struct rf_node *rf_resolver_become_group(struct rf_resolver *r, struct rf_node *node, struct rf_str name, uint32_t tag)
{
    char text[RF_FIX_NAME_BYTES];
    const int count = snprintf(text, sizeof text, "fix.%.*s", (int)name.count, name.data);
    return rf_resolver_become_access(
        r, node, (struct rf_fix_access){.form = RF_FIX_FORM_GROUP, .tag = tag, .name = {text, (size_t)count}});
}

/* Groups go by what their lists are called; the tag is that of the field which counts the entries. */
static bool group_of_name(const struct rf_fix_dict *dict, struct rf_str name, uint32_t *tag)
{
    for (uint32_t g = 0; g < dict->groups; g++) {
        if (rf_str_equal(rf_fix_text(dict, dict->group[g].list_name), name)) {
            *tag = dict->field[dict->group[g].count_field].tag;
            return true;
        }
    }
    return false;
}

/* ---- What was meant ---- */

/* Names are written PARTIALLY_FILLED and PartiallyFilled, and by hand in any case. */
static struct rf_str name_fold(struct rf_str name, char text[RF_FIX_NAME_BYTES])
{
    size_t count = 0;
    for (size_t i = 0; i < name.count && count < RF_FIX_NAME_BYTES; i++) {
        const char c = name.data[i];
        if (c != '_') {
            text[count++] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
        }
    }
    return (struct rf_str){text, count};
}

struct rf_guess rf_guess_begin(struct rf_str name)
{
    return (struct rf_guess){.name = name, .distance = DISTANCE_MAX + 1};
}

void rf_guess_try(struct rf_guess *guess, struct rf_str known)
{
    char wanted[RF_FIX_NAME_BYTES];
    char text[RF_FIX_NAME_BYTES];
    const size_t distance = rf_str_distance(name_fold(guess->name, wanted), name_fold(known, text));
    if (distance < guess->distance && distance * 2 < known.count) {
        guess->best = known;
        guess->distance = distance;
    }
}

struct rf_node *rf_resolver_fail_guess(struct rf_resolver *r, struct rf_span at, const struct rf_guess *guess,
                                       const char *what)
{
    const int shown = rf_resolver_shown(guess->name);
    if (guess->best.count != 0) {
        RF_RESOLVER_FAIL(r, at, "%s '%.*s' (did you mean '%.*s'?)", what, shown, guess->name.data,
                         (int)guess->best.count, guess->best.data);
    } else {
        RF_RESOLVER_FAIL(r, at, "%s '%.*s'", what, shown, guess->name.data);
    }
    return NULL;
}

static struct rf_node *fail_field(struct rf_resolver *r, struct rf_span at, struct rf_str name)
{
    const struct rf_fix_dict *dict = r->env->fix;
    struct rf_guess guess = rf_guess_begin(name);
    if (rf_str_equal(name, RF_STR("msg"))) {
        RF_RESOLVER_FAIL(r, at, "FIX input has no msg: write fix.Symbol, or just Symbol");
        return NULL;
    }
    for (uint32_t i = 0; i < dict->fields; i++) {
        rf_guess_try(&guess, rf_fix_field_name(dict, &dict->field[i]));
    }
    for (uint32_t i = 0; i < dict->groups; i++) {
        rf_guess_try(&guess, rf_fix_text(dict, dict->group[i].list_name));
    }
    return rf_resolver_fail_guess(r, at, &guess, "the FIX dictionary has no field");
}

static struct rf_node *fail_constant(struct rf_resolver *r, struct rf_span at, const struct rf_fix_field *field,
                                     struct rf_str name)
{
    const struct rf_fix_dict *dict = r->env->fix;
    struct rf_guess guess = rf_guess_begin(name);
    const struct rf_fix_range codes = rf_fix_codes(dict, field);
    for (uint32_t i = 0; i < codes.count; i++) {
        rf_guess_try(&guess, rf_fix_text(dict, dict->code[codes.begin + i].name));
    }
    char what[RF_FIX_NAME_BYTES + 32];
    const struct rf_str owner = rf_fix_field_name(dict, field);
    (void)snprintf(what, sizeof what, "%.*s has no constant", (int)owner.count, owner.data);
    return rf_resolver_fail_guess(r, at, &guess, what);
}

/* ---- fix.meta ---- */

static const char *const meta_text[] = {
#define RF_FIX_FORM(form_name, form_text, meaning) form_text,
#include "fix_form.def"
#undef RF_FIX_FORM
};

static bool meta_form(struct rf_str name, enum rf_fix_form *form)
{
    for (uint32_t i = 0; i < RF_FIX_FORM_COUNT; i++) {
        if (meta_text[i] != NULL && rf_str_equal(name, rf_str_of(meta_text[i]))) {
            *form = (enum rf_fix_form)i;
            return true;
        }
    }
    return false;
}

enum { META_NAMES_BYTES = 256 };

/* All of them, with commas between. */
static void meta_names(char names[META_NAMES_BYTES])
{
    size_t count = 0;
    for (uint32_t i = 0; i < RF_FIX_FORM_COUNT; i++) {
        if (meta_text[i] != NULL && count < META_NAMES_BYTES) {
            const int more =
                snprintf(names + count, META_NAMES_BYTES - count, "%s%s", count == 0 ? "" : ", ", meta_text[i]);
            count += more > 0 ? (size_t)more : 0;
        }
    }
}

static struct rf_node *become_meta(struct rf_resolver *r, struct rf_node *node)
{
    enum rf_fix_form form;
    char text[RF_FIX_NAME_BYTES];
    if (!meta_form(node->name, &form)) {
        char names[META_NAMES_BYTES];
        meta_names(names);
        RF_RESOLVER_FAIL(r, node->name_span, "fix.meta has no '%.*s'; it has %s", rf_resolver_shown(node->name),
                         node->name.data, names);
        return NULL;
    }
    const int count = snprintf(text, sizeof text, "fix.meta.%.*s", (int)node->name.count, node->name.data);
    return rf_resolver_become_access(r, node, (struct rf_fix_access){.form = form, .name = {text, (size_t)count}});
}

/* ---- Names ---- */

/* A name that an older version has for a tag which the dictionary knows under another one: LastShares is LastQty. */
bool rf_fix_older_name(const struct rf_fix_dict *dict, struct rf_str name, uint32_t *tag)
{
    for (const struct rf_fix_dict *const *known = rf_fix_dict_builtins(); *known != NULL; known++) {
        const struct rf_fix_field *field = rf_fix_field_of_name(*known, name);
        if (field != NULL && rf_fix_field_of_tag(dict, field->tag) != NULL) {
            *tag = field->tag;
            return true;
        }
    }
    return false;
}

/* A field or a group by name. */
static struct rf_node *become_named(struct rf_resolver *r, struct rf_node *node, struct rf_str name, struct rf_span at)
{
    uint32_t tag;
    const struct rf_fix_field *field = rf_fix_field_of_name(r->env->fix, name);
    if (field != NULL) {
        return become_value(r, node, field->tag);
    }
    if (rf_fix_older_name(r->env->fix, name, &tag)) {
        return become_value(r, node, tag);
    }
    return group_of_name(r->env->fix, name, &tag) ? rf_resolver_become_group(r, node, name, tag) : fail_field(r, at, name);
}

/* Side.BUY as a literal of the field's type. */
static struct rf_node *become_constant(struct rf_resolver *r, struct rf_node *node, const struct rf_fix_field *field)
{
    struct rf_str text;
    if (!rf_fix_code_value(r->env->fix, field, node->name, &text)) {
        const struct rf_fix_message *message =
            field->tag == 35 ? rf_fix_message_of_name(r->env->fix, node->name) : NULL;
        if (message == NULL) {
            return fail_constant(r, node->name_span, field, node->name);
        }
        text = rf_fix_text(r->env->fix, message->type);
    }
    enum rf_fix_type type = (enum rf_fix_type)field->type;
    if (rf_fix_type_class(type) == RF_FIX_CLASS_LIST) { /* one of its items */
        type = RF_FIX_TYPE_STRING;
    }
    const struct rf_value value = rf_fix_text_value(type, text, rf_fix_field_name(r->env->fix, field), r->arena);
    if (value.type == RF_TYPE_ERROR) {
        return rf_resolver_fail_full(r);
    }
    node->kind = RF_NODE_LITERAL;
    node->literal = value;
    node->type = value.type;
    node->args = 0;
    node->depth = 1;
    return node;
}

/* node: the last of a chain of names whose first is no variable. The part of the chain that is an access or a constant
 * becomes a leaf; what follows are members of it. */
struct rf_node *rf_resolve_fix_chain(struct rf_resolver *r, struct rf_node *node, const struct rf_chain *chain)
{
    struct rf_node *head = chain->node[0];
    const bool is_fix = rf_str_equal(head->name, RF_STR("fix"));
    struct rf_node *leaf = chain->names > 1 ? chain->node[1] : head;
    struct rf_node *made;
    if (is_fix && chain->names == 1) {
        made = rf_resolver_become_access(r, head, (struct rf_fix_access){.form = RF_FIX_FORM_WHOLE, .name = RF_STR("fix")});
    } else if (is_fix && chain->names > 2 && rf_str_equal(leaf->name, RF_STR("meta"))) {
        made = become_meta(r, chain->node[2]);
    } else if (is_fix) {
        made = become_named(r, leaf, leaf->name, leaf->name_span);
    } else {
        const struct rf_fix_field *field = rf_fix_field_of_name(r->env->fix, head->name);
        if (field != NULL && chain->names > 1 && rf_fix_codes(r->env->fix, field).count != 0) {
            made = become_constant(r, leaf, field);
        } else if (field == NULL && rf_str_equal(head->name, RF_STR("prefix"))) {
            made = rf_resolver_become_access(r, head, (struct rf_fix_access){.form = RF_FIX_FORM_PREFIX, .name = RF_STR("prefix")});
        } else {
            made = become_named(r, head, head->name, head->span);
        }
    }
    return made == NULL ? NULL : node;
}

/* ---- fix[55], fix.raw(44), fix.all(448), 44 in fix ---- */

static bool node_is_fix(const struct rf_resolver *r, const struct rf_node *node)
{
    uint32_t local;
    return r->env->fix != NULL && node->kind == RF_NODE_IDENT && rf_str_equal(node->name, RF_STR("fix")) &&
           !rf_resolver_local(r, node->name, &local);
}

/* A constant tag, or the name of a field. */
bool rf_resolver_tag(const struct rf_resolver *r, const struct rf_node *node, uint32_t *tag)
{
    if (node->kind != RF_NODE_LITERAL) {
        return false;
    }
    int64_t number;
    if (node->literal.type == RF_TYPE_STRING && !rf_fix_int(node->literal.text, &number)) {
        const struct rf_fix_field *field = rf_fix_field_of_name(r->env->fix, node->literal.text);
        *tag = field == NULL ? 0 : field->tag;
        return field != NULL;
    }
    if (node->literal.type == RF_TYPE_STRING && number >= 1 && number <= RF_FIX_TAG_MAX) { /* fix["55"] */
        *tag = (uint32_t)number;
        return true;
    }
    if (node->literal.type != RF_TYPE_INT || node->literal.exact.as.i < 1 ||
        node->literal.exact.as.i > RF_FIX_TAG_MAX) {
        return false;
    }
    *tag = (uint32_t)node->literal.exact.as.i;
    return true;
}

/* has ? optional.of(value) : optional.none() */
static struct rf_node *optional_of(struct rf_resolver *r, struct rf_node *node, struct rf_node *value)
{
    struct rf_node *has = rf_resolver_node(r, RF_NODE_CALL, node->span, 0);
    struct rf_node *some = rf_resolver_node(r, RF_NODE_CALL, node->span, 1);
    struct rf_node *none = rf_resolver_node(r, RF_NODE_CALL, node->span, 0);
    struct rf_node *choice = rf_resolver_node(r, RF_NODE_CALL, node->span, 3);
    if (has == NULL || some == NULL || none == NULL || choice == NULL) {
        return NULL;
    }
    *has = *value;
    some->function = RF_FN_OPTIONAL_OF;
    some->arg[0] = value;
    some->depth = 2;
    none->function = RF_FN_OPTIONAL_NONE;
    choice->function = RF_FN_SELECT;
    choice->arg[0] = rf_resolve_fix_has(r, has);
    choice->arg[1] = some;
    choice->arg[2] = none;
    choice->depth = 3;
    some->arg[0] = rf_resolve_entry(r, value);
    choice->arg[1] = some->arg[0] == NULL ? NULL : rf_resolve_entry(r, some);
    return choice->arg[0] == NULL || choice->arg[1] == NULL ? NULL : choice;
}

bool rf_resolve_fix_step(struct rf_resolver *r, struct rf_node *node, struct rf_node **out)
{
    uint32_t tag;
    if (!node_is_fix(r, node->arg[0])) {
        return false;
    }
    const bool is_optional = node->is_optional;
    if (node->kind == RF_NODE_INDEX && rf_resolver_tag(r, node->arg[1], &tag)) {
        *out = become_value(r, node, tag);
    } else if (node->kind == RF_NODE_INDEX && node->arg[1]->kind == RF_NODE_LITERAL &&
               node->arg[1]->literal.type == RF_TYPE_STRING) {
        *out = become_named(r, node, node->arg[1]->literal.text, node->arg[1]->span);
    } else if (node->kind == RF_NODE_SELECT) {
        *out = become_named(r, node, node->name, node->name_span);
    } else {
        return false;
    }
    node->is_optional = false;
    *out = is_optional && *out != NULL ? optional_of(r, node, *out) : *out;
    return true;
}

struct rf_node *rf_resolve_fix_has(struct rf_resolver *r, struct rf_node *leaf)
{
    struct rf_fix_access access = r->accesses->access[leaf->local];
    if (access.form != RF_FIX_FORM_VALUE && access.form != RF_FIX_FORM_GROUP) {
        RF_RESOLVER_FAIL(r, leaf->span, "has() takes a field, such as has(fix.Symbol)");
        return NULL;
    }
    char text[RF_FIX_NAME_BYTES + 8];
    const int count = snprintf(text, sizeof text, "has(%.*s)", (int)access.name.count, access.name.data);
    return rf_resolver_become_access(
        r, leaf, (struct rf_fix_access){.form = RF_FIX_FORM_HAS, .tag = access.tag, .name = {text, (size_t)count}});
}

bool rf_resolve_fix_call(struct rf_resolver *r, struct rf_node *node, struct rf_node **out)
{
    uint32_t tag;
    char text[RF_FIX_NAME_BYTES];
    if (node->function == RF_FN_IN && node_is_fix(r, node->arg[1]) && rf_resolver_tag(r, node->arg[0], &tag)) {
        *out = become_value(r, node, tag);
        *out = *out == NULL ? NULL : rf_resolve_fix_has(r, *out);
        return true;
    }
    if (node->function != RF_FUNCTION_COUNT || !node->has_receiver) {
        return false;
    }
    if (!node_is_fix(r, node->arg[0])) {
        return rf_resolve_entry_group(r, node, out);
    }
    static const struct {
        const char *name;
        enum rf_fix_form form;
    } call[] = {{"raw", RF_FIX_FORM_RAW}, {"all", RF_FIX_FORM_ALL}, {"group", RF_FIX_FORM_GROUP}};
    uint32_t which = 0;
    while (which < sizeof call / sizeof call[0] && !rf_str_equal(node->name, rf_str_of(call[which].name))) {
        which++;
    }
    if (which == sizeof call / sizeof call[0]) {
        return false;
    }
    const char *name = call[which].name;
    if (node->args != 2 || !rf_resolver_tag(r, node->arg[1], &tag)) {
        RF_RESOLVER_FAIL(r, node->span, "fix.%s() takes a tag or the name of a field, as a constant: fix.%s(453)", name,
                         name);
        *out = NULL;
        return true;
    }
    const struct rf_fix_field *field = rf_fix_field_of_tag(r->env->fix, tag);
    const bool is_typed = call[which].form == RF_FIX_FORM_ALL && field != NULL;
    const int count = snprintf(text, sizeof text, "fix.%s(%u)", name, tag);
    *out = rf_resolver_become_access(r, node,
                         (struct rf_fix_access){.form = call[which].form,
                                                .tag = tag,
                                                .type = is_typed ? field->type
                                                        : call[which].form == RF_FIX_FORM_GROUP
                                                            ? 0u
                                                            : (uint32_t)RF_FIX_TYPE_STRING,
                                                .name = {text, (size_t)count}});
    return true;
}
