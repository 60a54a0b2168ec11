#include "infer.h"

#include "function.h"
#include "record.h"

enum {
    SET_NULL = 1 << RF_TYPE_NULL,
    SET_BOOL = 1 << RF_TYPE_BOOL,
    SET_INT = 1 << RF_TYPE_INT,
    SET_UINT = 1 << RF_TYPE_UINT,
    SET_DOUBLE = 1 << RF_TYPE_DOUBLE,
    SET_STRING = 1 << RF_TYPE_STRING,
    SET_BYTES = 1 << RF_TYPE_BYTES,
    SET_LIST = 1 << RF_TYPE_LIST,
    SET_MAP = 1 << RF_TYPE_MAP,
    SET_MESSAGE = 1 << RF_TYPE_DYN, /* a message number */
    SET_JSON = SET_NULL | SET_BOOL | SET_MESSAGE | SET_STRING | SET_LIST | SET_MAP,
    SET_ANY = SET_JSON | SET_INT | SET_UINT | SET_DOUBLE | SET_BYTES,
    SET_NUMBER = SET_INT | SET_UINT | SET_DOUBLE | SET_MESSAGE,
    SET_TEXT_MAX = 64
};

struct infer {
    struct rf_str source;
    struct rf_infer_options options;
    struct rf_diagnostic *diagnostic;
    struct rf_error *err;
    enum rf_status status;
};

#define INFER_FAIL(in, at, ...)                                                                                        \
    ((in)->status = rf_diagnostic_fail((in)->diagnostic, (in)->source, (at).begin, (at).end, (in)->err, __VA_ARGS__))

/* ---- Sets ---- */

static bool set_has_one(uint32_t set)
{
    return (set & (set - 1)) == 0;
}

static enum rf_type set_type(uint32_t set)
{
    if ((set & ~(uint32_t)(SET_DOUBLE | SET_MESSAGE)) == 0 && set != 0) {
        return RF_TYPE_DOUBLE;
    }
    return set != 0 && set_has_one(set) ? (enum rf_type)__builtin_ctz(set) : RF_TYPE_DYN;
}

/* What a message calls it. */
static const char *set_name(uint32_t set)
{
    return set == SET_MESSAGE ? "message number" : rf_type_name(set_type(set));
}

/* ---- Operators ---- */

static uint32_t sum_set(uint32_t a, uint32_t b, uint32_t numbers, bool is_strict)
{
    uint32_t result = a & b & numbers;
    if ((a & SET_MESSAGE) != 0 && (b & (SET_DOUBLE | (is_strict ? 0 : SET_INT | SET_UINT))) != 0) {
        result |= SET_MESSAGE;
    }
    if ((b & SET_MESSAGE) != 0 && (a & (SET_DOUBLE | (is_strict ? 0 : SET_INT | SET_UINT))) != 0) {
        result |= SET_MESSAGE;
    }
    return result;
}

static uint32_t order_set(uint32_t a, uint32_t b)
{
    const uint32_t same = a & b & (SET_BOOL | SET_STRING | SET_BYTES);
    return same != 0 || ((a & SET_NUMBER) != 0 && (b & SET_NUMBER) != 0) ? SET_BOOL : 0;
}

static uint32_t member_set(uint32_t element, uint32_t container)
{
    const uint32_t keys = SET_BOOL | SET_STRING | SET_NUMBER;
    return (container & SET_LIST) != 0 || ((container & SET_MAP) != 0 && (element & keys) != 0) ? SET_BOOL : 0;
}

/* The types that the call can give; 0 when no choice of operand types has a result. */
static uint32_t call_set(enum rf_function function, const uint32_t *arg, bool is_strict)
{
    const uint32_t numbers = SET_INT | SET_UINT | SET_DOUBLE | SET_MESSAGE;
    switch (function) {
    case RF_FN_NOT:
        return arg[0] & SET_BOOL;
    case RF_FN_NEG:
        return arg[0] & (SET_INT | SET_DOUBLE | SET_MESSAGE);
    case RF_FN_MUL:
    case RF_FN_DIV:
    case RF_FN_SUB:
        return sum_set(arg[0], arg[1], numbers, is_strict);
    case RF_FN_MOD: {
        const uint32_t result = sum_set(arg[0], arg[1], SET_INT | SET_UINT | (is_strict ? 0 : SET_MESSAGE), is_strict);
        return is_strict ? result & ~(uint32_t)SET_MESSAGE : result;
    }
    case RF_FN_ADD:
        return sum_set(arg[0], arg[1], numbers | SET_STRING | SET_BYTES | SET_LIST, is_strict);
    case RF_FN_EQ:
    case RF_FN_NE:
        return SET_BOOL;
    case RF_FN_LT:
    case RF_FN_LE:
    case RF_FN_GT:
    case RF_FN_GE:
        return order_set(arg[0], arg[1]);
    case RF_FN_IN:
        return member_set(arg[0], arg[1]);
    case RF_FN_AND:
    case RF_FN_OR:
        /* `5 && false` is false: one side that can be a bool is enough. */
        return (arg[0] | arg[1]) & SET_BOOL;
    case RF_FN_SELECT:
        return (arg[0] & SET_BOOL) != 0 ? arg[1] | arg[2] : 0;
    case RF_FN_SIZE:
        return (arg[0] & (SET_STRING | SET_BYTES | SET_LIST | SET_MAP)) != 0 ? SET_INT : 0;
    case RF_FN_STARTS:
    case RF_FN_ENDS:
    case RF_FN_CONTAINS:
        return arg[0] & arg[1] & SET_STRING ? SET_BOOL : 0;
    case RF_FUNCTION_COUNT:
        break;
    }
    return 0;
}

static uint32_t call_fail(struct infer *in, const struct rf_node *node, const uint32_t *arg)
{
    const struct rf_function_info *info = rf_function_info(node->function);
    const bool is_arithmetic = node->function >= RF_FN_MUL && node->function <= RF_FN_SUB;
    const char *hint = "";
    if (node->args == 2 && is_arithmetic && ((arg[0] | arg[1]) & SET_MESSAGE) != 0) {
        if (node->function == RF_FN_MOD) {
            hint = "; '%' works on integers";
        } else if (in->options.is_strict_cel && ((arg[0] | arg[1]) & (SET_INT | SET_UINT)) != 0) {
            hint = "; with --strict-cel a message number is a double: write 2.0 instead of 2";
        }
    } else if (node->args == 2 && is_arithmetic && arg[0] != arg[1] && (arg[0] & SET_NUMBER) != 0 &&
               (arg[1] & SET_NUMBER) != 0) {
        hint = "; number types do not mix in arithmetic: write 2.0 or 2u instead of 2";
    }
    switch (info->kind) {
    case RF_FUNCTION_UNARY:
        INFER_FAIL(in, node->span, "no such operator: %s%s", info->text, set_name(arg[0]));
        break;
    case RF_FUNCTION_BINARY:
        INFER_FAIL(in, node->span, "no such operator: %s %s %s%s", set_name(arg[0]), info->text, set_name(arg[1]),
                   hint);
        break;
    case RF_FUNCTION_TERNARY:
        INFER_FAIL(in, node->arg[0]->span, "the condition of ?: must be a bool, not %s", set_name(arg[0]));
        break;
    default:
        if (node->args == 2) {
            INFER_FAIL(in, node->span, "no such method: %s.%s(%s)", set_name(arg[0]), info->text, set_name(arg[1]));
        } else {
            INFER_FAIL(in, node->span, "no such function: %s(%s)", info->text, set_name(arg[0]));
        }
        break;
    }
    return 0;
}

/* ---- Names ---- */

static bool ident_is(const struct rf_node *node, const char *name)
{
    return node->kind == RF_NODE_IDENT && rf_str_equal(node->name, rf_str_of(name));
}

/* Does the value come out of the message by selects and indexes alone? Its parts are JSON then. */
static bool node_is_message(const struct rf_node *node)
{
    while (node->kind == RF_NODE_SELECT || node->kind == RF_NODE_INDEX) {
        node = node->arg[0];
    }
    return ident_is(node, "msg");
}

static uint32_t infer_ident(struct infer *in, const struct rf_node *node)
{
    if (ident_is(node, "raw")) {
        return SET_STRING;
    }
    if (ident_is(node, "record")) {
        INFER_FAIL(in, node->span, "'record' is no value: name a member, such as record.number or record.file");
        return 0;
    }
    if (in->options.is_text) {
        INFER_FAIL(in, node->span, "-f text has no fields; use raw.contains(...)");
        return 0;
    }
    return SET_JSON;
}

static uint32_t infer_record(struct infer *in, const struct rf_node *node)
{
    const struct rf_record_member *member = rf_record_member(node->name);
    if (member != NULL) {
        return member->root == RF_ROOT_RECORD_ABSENT ? SET_ANY : (uint32_t)1 << member->type;
    }
    const char *near = rf_record_suggest(node->name);
    const int shown = node->name.count < 48 ? (int)node->name.count : 48;
    if (near != NULL) {
        INFER_FAIL(in, node->span, "record has no member '%.*s' (did you mean '%s'?)", shown, node->name.data, near);
    } else {
        INFER_FAIL(in, node->span, "record has no member '%.*s' (a field of the message is written msg.record.%.*s)",
                   shown, node->name.data, shown, node->name.data);
    }
    return 0;
}

/* ---- The walk ---- */

static uint32_t infer_node(struct infer *in, struct rf_node *node);

static uint32_t infer_select(struct infer *in, struct rf_node *node)
{
    const bool is_has = node->kind == RF_NODE_HAS;
    struct rf_node *operand = node->arg[0];
    if (ident_is(operand, "record")) {
        const uint32_t set = infer_record(in, node);
        return is_has && set != 0 ? SET_BOOL : set;
    }
    const uint32_t set = infer_node(in, operand);
    if (set == 0) {
        return 0;
    }
    if ((set & SET_MAP) == 0) {
        INFER_FAIL(in, node->span, "%s has no fields", set_name(set));
        return 0;
    }
    return is_has ? SET_BOOL : node_is_message(operand) ? SET_JSON : SET_ANY;
}

static uint32_t infer_index(struct infer *in, struct rf_node *node)
{
    const uint32_t container = infer_node(in, node->arg[0]);
    const uint32_t key = container == 0 ? 0 : infer_node(in, node->arg[1]);
    if (key == 0) {
        return 0;
    }
    const bool is_list = (container & SET_LIST) != 0 && (key & SET_NUMBER) != 0;
    const bool is_map = (container & SET_MAP) != 0 && (key & (SET_BOOL | SET_STRING | SET_NUMBER)) != 0;
    if (!is_list && !is_map) {
        INFER_FAIL(in, node->span, "no such operator: %s[%s]", set_name(container), set_name(key));
        return 0;
    }
    return node_is_message(node->arg[0]) ? SET_JSON : SET_ANY;
}

static uint32_t infer_call(struct infer *in, struct rf_node *node)
{
    uint32_t arg[3] = {0};
    for (uint32_t i = 0; i < node->args; i++) {
        arg[i] = infer_node(in, node->arg[i]);
        if (arg[i] == 0) {
            return 0;
        }
    }
    const uint32_t result = call_set(node->function, arg, in->options.is_strict_cel);
    return result != 0 ? result : call_fail(in, node, arg);
}

static uint32_t infer_items(struct infer *in, struct rf_node *node)
{
    for (uint32_t i = 0; i < node->args; i++) {
        const uint32_t set = infer_node(in, node->arg[i]);
        if (set == 0) {
            return 0;
        }
        const bool is_key = node->kind == RF_NODE_MAP && i % 2 == 0;
        if (is_key && (set & (SET_BOOL | SET_INT | SET_UINT | SET_STRING)) == 0) {
            INFER_FAIL(in, node->arg[i]->span, "a map key is an int, uint, bool or string, not %s", set_name(set));
            return 0;
        }
    }
    return node->kind == RF_NODE_MAP ? SET_MAP : SET_LIST;
}

/* 0 when it failed. */
static uint32_t infer_node(struct infer *in, struct rf_node *node)
{
    uint32_t set = 0;
    switch (node->kind) {
    case RF_NODE_LITERAL:
        set = (uint32_t)1 << node->literal.type;
        break;
    case RF_NODE_IDENT:
        set = infer_ident(in, node);
        break;
    case RF_NODE_SELECT:
    case RF_NODE_HAS:
        set = infer_select(in, node);
        break;
    case RF_NODE_INDEX:
        set = infer_index(in, node);
        break;
    case RF_NODE_CALL:
        set = infer_call(in, node);
        break;
    case RF_NODE_LIST:
    case RF_NODE_MAP:
        set = infer_items(in, node);
        break;
    }
    node->type = set_type(set);
    return set;
}

enum rf_status rf_infer(struct rf_node *root, struct rf_str source, struct rf_infer_options options,
                        struct rf_diagnostic *diagnostic, struct rf_error *err)
{
    struct infer in = {.source = source, .options = options, .diagnostic = diagnostic, .err = err};
    const uint32_t set = infer_node(&in, root);
    if (set == 0) {
        return in.status;
    }
    if (options.is_predicate && (set & SET_BOOL) == 0) {
        return rf_diagnostic_fail(diagnostic, source, root->span.begin, root->span.end, err,
                                  "a predicate must be a bool, not %s: compare it with something", set_name(set));
    }
    return RF_OK;
}
