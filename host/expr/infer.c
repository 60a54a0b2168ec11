#include "infer.h"

#include <assert.h>
#include <stdio.h>

#include "function.h"
#include "operate.h"
#include "record.h"
#include "resolve.h"

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
    SET_TIMESTAMP = 1 << RF_TYPE_TIMESTAMP,
    SET_DURATION = 1 << RF_TYPE_DURATION,
    SET_TYPE = 1 << RF_TYPE_TYPE,
    SET_OPTIONAL = 1 << RF_TYPE_OPTIONAL,
    SET_IP = 1 << RF_TYPE_IP,
    SET_CIDR = 1 << RF_TYPE_CIDR,
    SET_MESSAGE = 1 << RF_TYPE_DYN, /* a message number */
    SET_JSON = SET_NULL | SET_BOOL | SET_MESSAGE | SET_STRING | SET_LIST | SET_MAP,
    SET_ANY = SET_JSON | SET_INT | SET_UINT | SET_DOUBLE | SET_BYTES | SET_TIMESTAMP | SET_DURATION | SET_TYPE |
              SET_OPTIONAL | SET_IP | SET_CIDR,
    SET_NUMBER = SET_INT | SET_UINT | SET_DOUBLE | SET_MESSAGE,
    ARGS_MAX = RF_ARGS_MAX
};

struct infer {
    struct rf_str source;
    struct rf_infer_options options;
    struct rf_diagnostic *diagnostic;
    struct rf_error *err;
    enum rf_status status;
    bool *is_json; /* [RF_LOCALS_MAX] the variable is a part of the message */
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
    switch (set) {
    case SET_MESSAGE:
        return "message number";
    case SET_TIMESTAMP:
        return "timestamp";
    case SET_DURATION:
        return "duration";
    default:
        return rf_type_name(set_type(set));
    }
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

/* ---- Signatures ---- */

/* The types that a word of a signature stands for; *variable is the letter of a type that any other may take. */
static uint32_t word_set(struct rf_str word, char *variable)
{
    static const struct {
        const char *word;
        uint32_t set;
    } table[] = {
        {"bool", SET_BOOL},           {"int", SET_INT},           {"uint", SET_UINT},
        {"double", SET_DOUBLE},       {"string", SET_STRING},     {"bytes", SET_BYTES},
        {"list", SET_LIST},           {"map", SET_MAP},           {"timestamp", SET_TIMESTAMP},
        {"duration", SET_DURATION},   {"type", SET_TYPE},         {"optional", SET_OPTIONAL},
        {"ip", SET_IP},               {"cidr", SET_CIDR},         {"number", SET_NUMBER},
        {"dyn", SET_ANY},
    };
    *variable = '\0';
    if (word.count == 1) {
        *variable = word.data[0];
        return SET_ANY;
    }
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (rf_str_equal(word, rf_str_of(table[i].word))) {
            return table[i].set;
        }
    }
    return 0;
}

/* Reads a type of a signature, its parameters in parentheses passed over. */
static uint32_t signature_type(const char **at, char *variable)
{
    while (**at == ' ' || **at == ';' || **at == ',') {
        (*at)++;
    }
    const size_t count = strspn(*at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_");
    const uint32_t set = word_set((struct rf_str){*at, count}, variable);
    *at += count;
    uint32_t nesting = 0;
    while (nesting != 0 || **at == '(') {
        nesting += **at == '(' ? 1 : 0;
        nesting -= **at == ')' ? 1 : 0;
        (*at)++;
    }
    return set;
}

/* What the parameter takes of what the argument may be: a message number where a double is asked for, and where an int
 * is (it may be whole: operate.h). */
static uint32_t parameter_takes(uint32_t parameter, uint32_t argument, bool is_strict)
{
    uint32_t takes = parameter & argument;
    if ((argument & SET_MESSAGE) != 0 &&
        (parameter & (is_strict ? SET_DOUBLE : SET_DOUBLE | SET_INT | SET_UINT)) != 0) {
        takes |= SET_MESSAGE;
    }
    return takes;
}

/* The types that a strict function can give by its signatures; 0 when none fits the arguments. */
static uint32_t signature_set(const char *at, const uint32_t *arg, uint32_t args, bool is_strict)
{
    uint32_t result = 0;
    while (*at != '\0') {
        bool fits = true;
        uint32_t i = 0;
        uint32_t any = 0; /* what the variables have taken */
        char variable;
        for (; *at != '>'; i++) {
            const uint32_t parameter = signature_type(&at, &variable);
            const uint32_t takes = i < args ? parameter_takes(parameter, arg[i], is_strict) : 0;
            fits = fits && takes != 0;
            any |= variable != '\0' ? takes : 0;
            at += strspn(at, " ");
        }
        at++;
        const uint32_t gives = signature_type(&at, &variable);
        at += strspn(at, " ;");
        if (fits && i == args) {
            result |= variable == '\0' ? gives : any != 0 ? any : SET_ANY;
        }
    }
    return result;
}

/* ---- Functions ---- */

static uint32_t order_set(uint32_t a, uint32_t b)
{
    const uint32_t same = a & b & (SET_BOOL | SET_STRING | SET_BYTES | SET_TIMESTAMP | SET_DURATION);
    return same != 0 || ((a & SET_NUMBER) != 0 && (b & SET_NUMBER) != 0) ? SET_BOOL : 0;
}

static uint32_t member_set(uint32_t element, uint32_t container)
{
    (void)element; /* of another type than the keys it is in no map, which is no error */
    return (container & (SET_LIST | SET_MAP)) != 0 ? SET_BOOL : 0;
}

static uint32_t time_sum_set(enum rf_function function, uint32_t a, uint32_t b)
{
    uint32_t result = a & b & SET_DURATION;
    const bool is_after = (a & SET_TIMESTAMP) != 0 && (b & SET_DURATION) != 0;
    if (is_after || (function == RF_FN_ADD && (a & SET_DURATION) != 0 && (b & SET_TIMESTAMP) != 0)) {
        result |= SET_TIMESTAMP;
    }
    if (function == RF_FN_SUB && (a & b & SET_TIMESTAMP) != 0) {
        result |= SET_DURATION;
    }
    return result;
}

/* The types that the call can give; 0 when no choice of operand types has a result. */
static uint32_t call_set(enum rf_function function, const uint32_t *arg, uint32_t args, bool is_strict)
{
    const uint32_t numbers = SET_INT | SET_UINT | SET_DOUBLE | SET_MESSAGE;
    switch (function) {
    case RF_FN_NEG:
        return arg[0] & (SET_INT | SET_DOUBLE | SET_MESSAGE | SET_DURATION);
    case RF_FN_MUL:
    case RF_FN_DIV:
        return sum_set(arg[0], arg[1], numbers, is_strict);
    case RF_FN_SUB:
        return sum_set(arg[0], arg[1], numbers, is_strict) | time_sum_set(function, arg[0], arg[1]);
    case RF_FN_MOD: {
        const uint32_t result = sum_set(arg[0], arg[1], SET_INT | SET_UINT | (is_strict ? 0 : SET_MESSAGE), is_strict);
        return is_strict ? result & ~(uint32_t)SET_MESSAGE : result;
    }
    case RF_FN_ADD:
        return sum_set(arg[0], arg[1], numbers | SET_STRING | SET_BYTES | SET_LIST, is_strict) |
               time_sum_set(function, arg[0], arg[1]);
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
    case RF_FN_VALUE:
    case RF_FN_OR_VALUE:
        return (arg[0] & SET_OPTIONAL) != 0 ? SET_ANY : 0;
    case RF_FN_GREATEST:
    case RF_FN_LEAST: {
        uint32_t result = args == 1 && (arg[0] & SET_LIST) != 0 ? (uint32_t)SET_NUMBER : 0;
        for (uint32_t i = 0; i < args; i++) {
            if ((arg[i] & (SET_NUMBER | (args == 1 ? SET_LIST : 0))) == 0) {
                return 0;
            }
            result |= arg[i] & SET_NUMBER;
        }
        return result;
    }
    case RF_FN_TO_DOUBLE: /* of a message number it stays one */
    case RF_FN_MSG_DOUBLE:
    case RF_FN_MSG_FLOAT:
    case RF_FN_CEIL:
    case RF_FN_FLOOR:
    case RF_FN_ROUND:
    case RF_FN_TRUNC:
    case RF_FN_SQRT:
    case RF_FN_ABS:
    case RF_FN_SIGN:
        return signature_set(rf_function_info(function)->signatures, arg, args, is_strict) | (arg[0] & SET_MESSAGE);
    default:
        return signature_set(rf_function_info(function)->signatures, arg, args, is_strict);
    }
}

/* A message has neither times nor addresses. */
static const char *method_hint(enum rf_family family, uint32_t receiver)
{
    if ((receiver & SET_STRING) == 0) {
        return "";
    }
    return family == RF_FAMILY_TIME  ? "; write timestamp(x) or duration(x) around the text"
           : family == RF_FAMILY_NET ? "; write ip(x) or cidr(x) around the text"
                                     : "";
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
    default: {
        char text[128] = "";
        size_t used = 0;
        const uint32_t first = info->kind == RF_FUNCTION_METHOD ? 1 : 0;
        for (uint32_t i = first; i < node->args && used < sizeof text - 1; i++) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i > first ? ", " : "", set_name(arg[i]));
        }
        if (first == 1) {
            INFER_FAIL(in, node->span, "no such method: %s.%s(%s)%s", set_name(arg[0]), info->text, text,
                       method_hint(info->family, arg[0]));
        } else {
            INFER_FAIL(in, node->span, "%s() does not take (%s)", info->text, text);
        }
        break;
    }
    }
    return 0;
}

/* ---- Names ---- */

static bool ident_is(const struct rf_node *node, const char *name)
{
    return node->kind == RF_NODE_IDENT && rf_str_equal(node->name, rf_str_of(name));
}

/* Does the value come out of the message by selects and indexes alone? Its parts are JSON then. */
static bool node_is_message(const struct infer *in, const struct rf_node *node)
{
    while ((node->kind == RF_NODE_SELECT || node->kind == RF_NODE_INDEX) && !node->is_optional) {
        node = node->arg[0];
    }
    return ident_is(node, "msg") || (node->kind == RF_NODE_LOCAL && in->is_json[node->local]);
}

static uint32_t infer_ident(struct infer *in, const struct rf_node *node)
{
    if (ident_is(node, "raw")) {
        return SET_STRING;
    }
    if (ident_is(node, "now")) {
        return SET_TIMESTAMP;
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
        return set == 0 ? 0 : is_has ? SET_BOOL : node->is_optional ? SET_OPTIONAL : set;
    }
    const uint32_t set = infer_node(in, operand);
    if (set == 0) {
        return 0;
    }
    if ((set & (SET_MAP | SET_OPTIONAL)) == 0 && !in->options.is_unchecked) {
        INFER_FAIL(in, node->span, "%s has no fields", set_name(set));
        return 0;
    }
    return is_has                            ? SET_BOOL
           : node->is_optional               ? SET_OPTIONAL
           : (set & SET_MAP) == 0            ? SET_OPTIONAL
           : node_is_message(in, operand)    ? SET_JSON
                                             : SET_ANY;
}

static uint32_t infer_index(struct infer *in, struct rf_node *node)
{
    const uint32_t container = infer_node(in, node->arg[0]);
    const uint32_t key = container == 0 ? 0 : infer_node(in, node->arg[1]);
    if (key == 0) {
        return 0;
    }
    const bool is_list = (container & SET_LIST) != 0 && (key & SET_NUMBER) != 0;
    const bool is_map = (container & SET_OPTIONAL) != 0 ||
                        ((container & SET_MAP) != 0 && (key & (SET_BOOL | SET_STRING | SET_NUMBER)) != 0);
    if (!is_list && !is_map && !in->options.is_unchecked) {
        INFER_FAIL(in, node->span, "no such operator: %s[%s]", set_name(container), set_name(key));
        return 0;
    }
    return node->is_optional                    ? SET_OPTIONAL
           : node_is_message(in, node->arg[0]) ? SET_JSON
                                               : SET_ANY;
}

static uint32_t infer_call(struct infer *in, struct rf_node *node)
{
    uint32_t arg[ARGS_MAX] = {0};
    assert(node->args <= ARGS_MAX);
    for (uint32_t i = 0; i < node->args; i++) {
        arg[i] = infer_node(in, node->arg[i]);
        if (arg[i] == 0) {
            return 0;
        }
    }
    if (node->function == RF_FUNCTION_COUNT) { /* of a name that only rf_check knows */
        return SET_ANY;
    }
    const uint32_t result = call_set(node->function, arg, node->args, in->options.is_strict_cel);
    return result != 0 ? result : in->options.is_unchecked ? SET_ANY : call_fail(in, node, arg);
}

static uint32_t infer_items(struct infer *in, struct rf_node *node)
{
    for (uint32_t i = 0; i < node->args; i++) {
        const uint32_t set = infer_node(in, node->arg[i]);
        if (set == 0) {
            return 0;
        }
        const bool is_key = node->kind == RF_NODE_MAP && i % 2 == 0;
        if (is_key && !in->options.is_unchecked && (set & (SET_BOOL | SET_INT | SET_UINT | SET_STRING)) == 0) {
            INFER_FAIL(in, node->arg[i]->span, "a map key is an int, uint, bool or string, not %s", set_name(set));
            return 0;
        }
    }
    return node->kind == RF_NODE_MAP ? SET_MAP : SET_LIST;
}

static uint32_t infer_macro(struct infer *in, struct rf_node *node)
{
    const enum rf_function function = node->function;
    uint32_t set = infer_node(in, node->arg[0]);
    const bool is_bound = function == RF_FN_BIND || function == RF_FN_BLOCK;
    const bool is_optional = function == RF_FN_OPT_MAP || function == RF_FN_OPT_FLAT_MAP;
    if (set == 0) {
        return 0;
    }
    if (!is_bound && (set & (is_optional ? SET_OPTIONAL : SET_LIST | SET_MAP)) == 0 && !in->options.is_unchecked) {
        INFER_FAIL(in, node->arg[0]->span, "%s() runs over %s, not %s", rf_function_info(function)->text,
                   is_optional ? "an optional" : "a list or map", set_name(set));
        return 0;
    }
    for (uint32_t v = 0; v < node->variables; v++) {
        /* The first of two variables over a list is an int. */
        in->is_json[node->local + v] = !is_optional && node_is_message(in, node->arg[0]) &&
                                       (node->variables == 1 || v == 1);
    }
    for (uint32_t i = 1; i < node->args; i++) {
        if (function == RF_FN_BLOCK) {
            in->is_json[node->local + i - 1] = node_is_message(in, node->arg[i - 1]);
        }
        set = infer_node(in, node->arg[i]);
        const bool is_condition = (i == 1 && node->args == 3 && !is_bound) || function == RF_FN_ALL ||
                                  function == RF_FN_EXISTS || function == RF_FN_EXISTS_ONE || function == RF_FN_FILTER;
        if (set != 0 && is_condition && (set & SET_BOOL) == 0 && !in->options.is_unchecked) {
            INFER_FAIL(in, node->arg[i]->span, "the condition of %s() must be a bool, not %s",
                       rf_function_info(function)->text, set_name(set));
            return 0;
        }
        if (set == 0) {
            return 0;
        }
    }
    switch (function) {
    case RF_FN_ALL:
    case RF_FN_EXISTS:
    case RF_FN_EXISTS_ONE:
        return SET_BOOL;
    case RF_FN_MAP:
    case RF_FN_FILTER:
    case RF_FN_TRANSFORM_LIST:
        return SET_LIST;
    case RF_FN_TRANSFORM_MAP:
    case RF_FN_TRANSFORM_MAP_ENTRY:
        return SET_MAP;
    case RF_FN_OPT_MAP:
    case RF_FN_OPT_FLAT_MAP:
        return SET_OPTIONAL;
    default:
        return set;
    }
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
    case RF_NODE_ENTRY:
        set = infer_node(in, node->arg[0]);
        if (set != 0 && (set & SET_OPTIONAL) == 0 && !in->options.is_unchecked) {
            INFER_FAIL(in, node->span, "an element marked with ? is an optional, not %s", set_name(set));
            return 0;
        }
        set = set == 0 ? 0 : SET_ANY;
        break;
    case RF_NODE_MACRO:
        set = infer_macro(in, node);
        break;
    case RF_NODE_LOCAL:
        set = in->is_json[node->local] ? SET_JSON : SET_ANY;
        break;
    case RF_NODE_BINDING:
    case RF_NODE_FAILURE:
    case RF_NODE_PARAMETER: /* only before rf_tree_substitute */
    case RF_NODE_MESSAGE:
        set = SET_ANY;
        break;
    }
    node->type = set_type(set);
    return set;
}

enum rf_status rf_infer(struct rf_node *root, struct rf_str source, struct rf_infer_options options,
                        struct rf_diagnostic *diagnostic, struct rf_error *err)
{
    bool is_json[RF_LOCALS_MAX];
    struct infer in = {
        .source = source, .options = options, .diagnostic = diagnostic, .err = err, .is_json = is_json};
    const uint32_t set = infer_node(&in, root);
    if (set == 0) {
        return in.status;
    }
    if (options.is_predicate && !options.is_unchecked && (set & SET_BOOL) == 0) {
        return rf_diagnostic_fail(diagnostic, source, root->span.begin, root->span.end, err,
                                  "a predicate must be a bool, not %s: compare it with something", set_name(set));
    }
    return RF_OK;
}
