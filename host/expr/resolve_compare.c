/* Fields of FIX messages, and members of entries of their groups, beside constants (resolve_state.h). */
#include <stdio.h>

#include "fix_dict.h"
#include "resolve_state.h"

static const struct rf_value *parameter_value(const struct rf_parameter *parameter, uint32_t i)
{
    return (const void *)((const char *)parameter->value + i * parameter->stride);
}

static bool parameter_is_text(const struct rf_parameter *parameter)
{
    for (uint32_t i = 0; i < parameter->values; i++) {
        if (parameter_value(parameter, i)->type != RF_TYPE_STRING) {
            return false;
        }
    }
    return parameter->values != 0;
}

/* A text, or a list of texts. */
static bool node_is_text(const struct rf_resolver *r, const struct rf_node *node)
{
    if (node->kind == RF_NODE_PARAMETER) {
        return parameter_is_text(&r->env->parameter[node->local]);
    }
    if (node->kind != RF_NODE_LIST) {
        return node->kind == RF_NODE_LITERAL && node->literal.type == RF_TYPE_STRING;
    }
    for (uint32_t i = 0; i < node->args; i++) {
        if (node->arg[i]->kind == RF_NODE_LIST || !node_is_text(r, node->arg[i])) {
            return false;
        }
    }
    return node->args != 0;
}

/* A field that is no string to the dictionary, beside a text in quotes: its text is meant. Which of two is less is asked of
 * texts only where they are in order as the values are: times. */
static struct rf_node *text_of(struct rf_resolver *r, struct rf_node *node, const struct rf_node *other, bool is_order)
{
    if (node->kind != RF_NODE_BINDING || !node_is_text(r, other)) {
        return node;
    }
    const struct rf_fix_access access = r->accesses->access[node->local];
    const enum rf_fix_class is = rf_fix_type_class((enum rf_fix_type)access.type);
    if (access.form != RF_FIX_FORM_VALUE || is == RF_FIX_CLASS_TEXT ||
        (is_order && is != RF_FIX_CLASS_INSTANT && is != RF_FIX_CLASS_DURATION)) {
        return node;
    }
    char text[RF_FIX_NAME_BYTES];
    const int count = snprintf(text, sizeof text, "fix.raw(%u)", access.tag);
    return rf_resolver_become_access(
        r, node,
        (struct rf_fix_access){
            .form = RF_FIX_FORM_RAW, .tag = access.tag, .type = RF_FIX_TYPE_STRING, .name = {text, (size_t)count}});
}

/* ---- Constants of another kind ---- */

/* A field of the message, or a member of an entry. */
struct operand {
    struct rf_str name;
    enum rf_fix_type type;
    uint32_t tag;
    bool is_member;
};

static bool operand_of(const struct rf_resolver *r, const struct rf_node *node, struct operand *out)
{
    const struct rf_fix_field *member = rf_resolver_member(r, node);
    if (member != NULL) {
        *out = (struct operand){.name = rf_fix_field_name(r->env->fix, member),
                                .type = (enum rf_fix_type)member->type,
                                .tag = member->tag,
                                .is_member = true};
        return true;
    }
    if (node->kind != RF_NODE_BINDING || r->accesses->access[node->local].form != RF_FIX_FORM_VALUE) {
        return false;
    }
    const struct rf_fix_access *access = &r->accesses->access[node->local];
    *out = (struct operand){.name = access->name, .type = (enum rf_fix_type)access->type, .tag = access->tag};
    return true;
}

static bool class_fits(enum rf_fix_class is, enum rf_type type, bool is_member)
{
    const bool is_number = type == RF_TYPE_INT || type == RF_TYPE_UINT || type == RF_TYPE_DOUBLE;
    if (is_member && type == RF_TYPE_STRING) { /* of a member there is no text besides its value */
        return is == RF_FIX_CLASS_TEXT;
    }
    if (!is_number && type != RF_TYPE_BOOL) {
        return true; /* of others a comparison says enough */
    }
    switch (is) {
    case RF_FIX_CLASS_INT:
    case RF_FIX_CLASS_DOUBLE:
        return is_number;
    case RF_FIX_CLASS_BOOL:
        return type == RF_TYPE_BOOL;
    default:
        return false;
    }
}

static const char *class_name(enum rf_fix_class is)
{
    static const char *const name[] = {[RF_FIX_CLASS_INT] = "an int",
                                       [RF_FIX_CLASS_DOUBLE] = "a number",
                                       [RF_FIX_CLASS_BOOL] = "a bool",
                                       [RF_FIX_CLASS_INSTANT] = "a timestamp",
                                       [RF_FIX_CLASS_DURATION] = "a duration",
                                       [RF_FIX_CLASS_TEXT] = "a string",
                                       [RF_FIX_CLASS_LIST] = "a list of strings",
                                       [RF_FIX_CLASS_BYTES] = "bytes"};
    return name[is];
}

/* What to write instead. */
static const char *class_hint(enum rf_fix_class is, enum rf_type type)
{
    return is == RF_FIX_CLASS_TEXT                               ? ": a text stands in quotes"
           : type != RF_TYPE_STRING                              ? ""
           : is == RF_FIX_CLASS_INT || is == RF_FIX_CLASS_DOUBLE ? ": a number stands without quotes"
           : is == RF_FIX_CLASS_INSTANT                          ? ": write timestamp(\"2026-01-31T10:00:00Z\")"
           : is == RF_FIX_CLASS_DURATION                         ? ": write duration(\"10h\")"
           : is == RF_FIX_CLASS_LIST                             ? ": ask whether it has it, \"A\" in x"
           : is == RF_FIX_CLASS_BYTES                            ? ": bytes are written b\"...\""
                                                                 : "";
}

/* A literal beside a field: false, and the diagnostic is set, when the two can never be equal. */
static bool literal_fits(struct rf_resolver *r, const struct operand *operand, const struct rf_node *literal)
{
    const struct rf_fix_dict *dict = r->env->fix;
    const enum rf_fix_class is = rf_fix_type_class(operand->type);
    struct rf_str value;
    if (!class_fits(is, literal->literal.type, operand->is_member)) {
        RF_RESOLVER_FAIL(r, literal->span, "%.*s is %s, and no comparison with %s holds%s", RF_STR_ARG(operand->name),
                         class_name(is), rf_type_name(literal->literal.type), class_hint(is, literal->literal.type));
        return false;
    }
    const struct rf_fix_field *field = rf_fix_field_of_tag(dict, operand->tag);
    if (is != RF_FIX_CLASS_TEXT || literal->literal.type != RF_TYPE_STRING || field == NULL ||
        rf_fix_code_name(dict, field, literal->literal.text, &value) ||
        !rf_fix_code_value(dict, field, literal->literal.text, &value)) {
        return true;
    }
    const struct rf_str owner = rf_fix_field_name(dict, field);
    const int shown = rf_resolver_shown(literal->literal.text);
    char way_out[96] = "";
    if (!operand->is_member) {
        (void)snprintf(way_out, sizeof way_out, " (fix.raw(%u) == \"%.*s\" asks for the text)", operand->tag, shown,
                       literal->literal.text.data);
    }
    RF_RESOLVER_FAIL(r, literal->span, "that is the name of a constant: write %.*s.%.*s, or \"%.*s\"%s",
                     RF_STR_ARG(owner), shown, literal->literal.text.data, RF_STR_ARG(value), way_out);
    return false;
}

/* The same for a literal, or for each value of a parameter. Of anything else nothing is known. */
static bool constant_fits(struct rf_resolver *r, const struct operand *operand, const struct rf_node *node)
{
    if (node->kind != RF_NODE_PARAMETER) {
        return node->kind != RF_NODE_LITERAL || literal_fits(r, operand, node);
    }
    const struct rf_parameter *parameter = &r->env->parameter[node->local];
    struct rf_node literal = {.kind = RF_NODE_LITERAL, .span = node->span};
    for (uint32_t i = 0; i < parameter->values; i++) {
        literal.literal = *parameter_value(parameter, i);
        if (!literal_fits(r, operand, &literal)) {
            return false;
        }
    }
    return true;
}

/* The same for one of them or a list of them. */
static bool operand_fits(struct rf_resolver *r, const struct rf_node *node, const struct rf_node *other)
{
    struct operand operand;
    if (!operand_of(r, node, &operand)) {
        return true;
    }
    if (other->kind != RF_NODE_LIST) {
        return constant_fits(r, &operand, other);
    }
    for (uint32_t i = 0; i < other->args; i++) {
        if (!constant_fits(r, &operand, other->arg[i])) {
            return false;
        }
    }
    return true;
}

struct rf_node *rf_resolve_fix_compare(struct rf_resolver *r, struct rf_node *node)
{
    const bool is_order = node->function != RF_FN_EQ && node->function != RF_FN_NE;
    switch (node->function) {
    case RF_FN_EQ:
    case RF_FN_NE:
    case RF_FN_LT:
    case RF_FN_LE:
    case RF_FN_GT:
    case RF_FN_GE:
        node->arg[0] = text_of(r, node->arg[0], node->arg[1], is_order);
        node->arg[1] = node->arg[0] == NULL ? NULL : text_of(r, node->arg[1], node->arg[0], is_order);
        return node->arg[1] != NULL && operand_fits(r, node->arg[0], node->arg[1]) &&
                       operand_fits(r, node->arg[1], node->arg[0])
                   ? node
                   : NULL;
    case RF_FN_IN:
        if (node->arg[1]->kind == RF_NODE_LIST) {
            node->arg[0] = text_of(r, node->arg[0], node->arg[1], false);
        }
        return node->arg[0] != NULL &&
                       (node->arg[1]->kind != RF_NODE_LIST || operand_fits(r, node->arg[0], node->arg[1]))
                   ? node
                   : NULL;
    default:
        return node;
    }
}
