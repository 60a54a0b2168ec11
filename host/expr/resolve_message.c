/* resolve_message.c: google.protobuf.Int32Value{value: 1} and the other well-known messages that are plain values to
 * CEL (language definition, "Protocol Buffer Data Conversion"). */
#include <stdio.h>

#include "function.h"
#include "names.h"
#include "resolve_state.h"

enum { FIELDS_MAX = 2 };

#define VALUE_NAME "google.protobuf.Value"

/* The fields of google.protobuf.Value, of which at most one is set, and the message that takes the same. */
static const struct {
    const char *field;
    enum rf_function function; /* RF_FUNCTION_COUNT: null */
} value_field[] = {
    {"null_value", RF_FUNCTION_COUNT}, {"number_value", RF_FN_MSG_DOUBLE}, {"string_value", RF_FN_MSG_STRING},
    {"bool_value", RF_FN_MSG_BOOL},    {"struct_value", RF_FN_MSG_STRUCT}, {"list_value", RF_FN_MSG_LIST},
};

static bool message_name(struct rf_node *node, struct rf_chain *chain)
{
    uint32_t names = 1;
    for (const struct rf_node *at = node; at->kind == RF_NODE_SELECT; at = at->arg[0]) {
        names++;
    }
    if (names > RF_CHAIN_MAX) {
        return false;
    }
    chain->names = names;
    for (; names > 0; names--) {
        chain->node[names - 1] = node;
        node = names > 1 ? node->arg[0] : node;
    }
    return true;
}

/* What a field holds that is not named. */
static struct rf_value field_default(enum rf_function function)
{
    static const struct rf_list no_list = {0};
    static const struct rf_map no_map = {0};
    switch (function) {
    case RF_FN_MSG_BOOL:
        return rf_value_bool(false);
    case RF_FN_MSG_BYTES:
    case RF_FN_MSG_ANY:
        return (struct rf_value){.type = RF_TYPE_BYTES, .text = RF_STR("")};
    case RF_FN_MSG_DOUBLE:
    case RF_FN_MSG_FLOAT:
        return rf_value_double(0);
    case RF_FN_MSG_STRING:
        return rf_value_string(RF_STR(""));
    case RF_FN_MSG_UINT32:
    case RF_FN_MSG_UINT64:
        return rf_value_uint(0);
    case RF_FN_MSG_STRUCT:
        return (struct rf_value){.type = RF_TYPE_MAP, .map = &no_map};
    case RF_FN_MSG_LIST:
        return (struct rf_value){.type = RF_TYPE_LIST, .list = &no_list};
    default:
        return rf_value_int(0);
    }
}

static struct rf_node *literal_node(struct rf_resolver *r, struct rf_span span, struct rf_value value)
{
    struct rf_node *node = rf_resolver_node(r, RF_NODE_LITERAL, span, 0);
    if (node != NULL) {
        node->literal = value;
        node->type = value.type;
    }
    return node;
}

/* The value of an entry; of an optional one the default when the optional holds nothing. */
static struct rf_node *entry_value(struct rf_resolver *r, struct rf_node *entry, struct rf_value otherwise)
{
    struct rf_node *value = rf_resolve_node(r, entry->arg[0], false);
    if (value == NULL || !entry->is_optional) {
        return value;
    }
    struct rf_node *call = rf_resolver_node(r, RF_NODE_CALL, entry->span, 2);
    struct rf_node *literal = literal_node(r, entry->span, otherwise);
    if (call == NULL || literal == NULL) {
        return NULL;
    }
    call->function = RF_FN_OR_VALUE;
    call->name_span = entry->name_span;
    call->arg[0] = value;
    call->arg[1] = literal;
    call->depth = value->depth + 1;
    return call;
}

static struct rf_node *fail_field(struct rf_resolver *r, const struct rf_node *entry, const char *message)
{
    RF_RESOLVER_FAIL(r, entry->name_span, "%s has no field '%.*s'", message, rf_resolver_shown(entry->name),
                     entry->name.data);
    return NULL;
}

/* Place of a field among the words of the message's meaning, or -1. */
static int field_place(enum rf_function function, struct rf_str name)
{
    int place = 0;
    for (const char *at = rf_function_info(function)->meaning; *at != '\0'; place++) {
        const size_t count = strcspn(at, " ");
        if (rf_str_equal(name, (struct rf_str){at, count})) {
            return place;
        }
        at += count + (at[count] == ' ' ? 1 : 0);
    }
    return -1;
}

static struct rf_node *message_call(struct rf_resolver *r, struct rf_node *node, enum rf_function function)
{
    const struct rf_function_info *info = rf_function_info(function);
    struct rf_node *field[FIELDS_MAX] = {0};
    for (uint32_t i = 1; i < node->args; i++) {
        struct rf_node *entry = node->arg[i];
        const int place = field_place(function, entry->name);
        if (place < 0) {
            return fail_field(r, entry, info->text);
        }
        if (field[place] != NULL) {
            RF_RESOLVER_FAIL(r, entry->name_span, "the field stands twice");
            return NULL;
        }
        const bool is_text = function == RF_FN_MSG_ANY && place == 0;
        field[place] = entry_value(r, entry, is_text ? rf_value_string(RF_STR("")) : field_default(function));
        if (field[place] == NULL) {
            return NULL;
        }
    }
    struct rf_node *call = rf_resolver_node(r, RF_NODE_CALL, node->span, info->args_min);
    if (call == NULL) {
        return NULL;
    }
    call->function = function;
    call->name_span = node->arg[0]->span;
    for (uint32_t i = 0; i < info->args_min; i++) {
        if (field[i] == NULL) {
            const bool is_text = function == RF_FN_MSG_ANY && i == 0;
            field[i] =
                literal_node(r, node->span, is_text ? rf_value_string(RF_STR("")) : field_default(function));
        }
        if (field[i] == NULL) {
            return NULL;
        }
        call->arg[i] = field[i];
        call->depth = field[i]->depth >= call->depth ? field[i]->depth + 1 : call->depth;
    }
    return call;
}

/* google.protobuf.Value{...}: one field at most, no field is null. */
static struct rf_node *message_value(struct rf_resolver *r, struct rf_node *node)
{
    if (node->args == 1) {
        return literal_node(r, node->span, rf_value_null());
    }
    if (node->args > 2) {
        RF_RESOLVER_FAIL(r, node->arg[2]->name_span, VALUE_NAME " holds one of its fields only");
        return NULL;
    }
    struct rf_node *entry = node->arg[1];
    for (size_t i = 0; i < sizeof value_field / sizeof value_field[0]; i++) {
        if (!rf_str_equal(entry->name, rf_str_of(value_field[i].field))) {
            continue;
        }
        if (value_field[i].function == RF_FUNCTION_COUNT) {
            return literal_node(r, node->span, rf_value_null());
        }
        struct rf_node *call = rf_resolver_node(r, RF_NODE_CALL, node->span, 1);
        if (call == NULL) {
            return NULL;
        }
        call->function = value_field[i].function;
        call->name_span = node->arg[0]->span;
        call->arg[0] = entry_value(r, entry, field_default(call->function));
        if (call->arg[0] == NULL) {
            return NULL;
        }
        call->depth = call->arg[0]->depth + 1;
        return call;
    }
    return fail_field(r, entry, VALUE_NAME);
}

struct rf_node *rf_resolve_message(struct rf_resolver *r, struct rf_node *node)
{
    struct rf_chain chain;
    char text[RF_NAME_MAX];
    if (message_name(node->arg[0], &chain)) {
        struct rf_str container = chain.node[0]->has_leading_dot ? RF_STR("") : r->env->container;
        for (;;) {
            const struct rf_str name = rf_chain_text(&chain, chain.names, container, text);
            const enum rf_function function = rf_function_find_message(name);
            if (function != RF_FUNCTION_COUNT) {
                return message_call(r, node, function);
            }
            if (rf_str_equal(name, RF_STR(VALUE_NAME))) {
                return message_value(r, node);
            }
            if (container.count == 0) {
                break;
            }
            container = rf_container_outer(container);
        }
    }
    const struct rf_str written = {r->source.data + node->arg[0]->span.begin,
                                   node->arg[0]->span.end - node->arg[0]->span.begin};
    char why[160];
    snprintf(why, sizeof why, "unknown message type '%.*s'; a map is written {\"key\": value}",
             rf_resolver_shown(written), written.data);
    if (r->env->is_unchecked) {
        return rf_resolver_become_error(r, node, why);
    }
    RF_RESOLVER_FAIL(r, node->arg[0]->span, "%s", why);
    return NULL;
}
