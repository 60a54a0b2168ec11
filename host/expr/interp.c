#include "interp.h"

#include <assert.h>
#include <stdlib.h>

#include "json_tree.h"
#include "json_value.h"
#include "operate.h"
#include "utf8.h"

enum { ARENA_BYTES_MIN = 64 * 1024 * 1024, ARENA_BYTES_FACTOR = 64, ERROR_TEXT_MAX = 192 };

struct rf_interp {
    const struct rf_compiled *compiled;
    struct rf_interp_options options;
    bool uses_raw;
    struct rf_arena arena; /* tree and values of one record */
    struct rf_record record;
    struct rf_tree tree;
    char error[ERROR_TEXT_MAX];
    size_t error_count;
};

/* A value, or the place in the record's tree where it stands: a path is followed without making values of what it
 * passes. */
struct operand {
    bool is_place;
    uint32_t node; /* of the tree */
    struct rf_value value;
};

/* Recursion is as deep as the expression, which the parser bounds (RF_EXPR_DEPTH_MAX). */
static struct rf_value eval(struct rf_interp *interp, const struct rf_node *node);
static struct operand eval_operand(struct rf_interp *interp, const struct rf_node *node);

static struct operand operand_value(struct rf_value value)
{
    return (struct operand){.value = value};
}

static struct operand operand_place(uint32_t node)
{
    return (struct operand){.is_place = true, .node = node};
}

static enum rf_type operand_type(const struct rf_interp *interp, const struct operand *operand)
{
    return operand->is_place ? rf_json_type(&interp->tree, operand->node) : operand->value.type;
}

static struct rf_value operand_read(struct rf_interp *interp, const struct operand *operand)
{
    return operand->is_place ? rf_json_value(&interp->tree, operand->node, &interp->arena) : operand->value;
}

/* A value that is only passed on, into a list, a map or the output: a number beyond range may pass as it is written. */
static struct rf_value eval_passed(struct rf_interp *interp, const struct rf_node *node)
{
    const struct operand operand = eval_operand(interp, node);
    return operand_read(interp, &operand);
}

/* ---- The envelope ---- */

static bool node_is_record(const struct rf_node *node)
{
    return node->kind == RF_NODE_IDENT && rf_str_equal(node->name, RF_STR("record"));
}

/* A field of the envelope; false when the input has no such field. */
static bool record_field(const struct rf_interp *interp, struct rf_str name, struct rf_value *value)
{
    if (rf_str_equal(name, RF_STR("number"))) {
        *value = rf_value_int((int64_t)interp->record.number);
    } else if (rf_str_equal(name, RF_STR("offset"))) {
        *value = rf_value_int((int64_t)interp->record.offset);
    } else if (rf_str_equal(name, RF_STR("file"))) {
        *value = rf_value_string(interp->record.file);
    } else {
        return false;
    }
    return true;
}

static struct rf_value record_select(struct rf_interp *interp, struct rf_str name)
{
    struct rf_value value;
    if (record_field(interp, name, &value)) {
        return value;
    }
    return rf_operate_error(&interp->arena, "this input has no record.%.*s", (int)(name.count < 100 ? name.count : 100),
                            name.data);
}

static struct rf_value eval_ident(struct rf_interp *interp, const struct rf_node *node)
{
    if (rf_str_equal(node->name, RF_STR("raw"))) {
        return rf_value_string(interp->record.text);
    }
    return rf_operate_error(&interp->arena, "no such variable: %.*s",
                            (int)(node->name.count < 100 ? node->name.count : 100), node->name.data);
}

/* ---- Paths ---- */

static struct operand place_member(struct rf_interp *interp, uint32_t node, struct rf_str name)
{
    const enum rf_type type = rf_json_type(&interp->tree, node);
    if (type != RF_TYPE_MAP) {
        return operand_value(rf_operate_no_index(type, RF_TYPE_STRING, &interp->arena));
    }
    const uint32_t member = rf_tree_member(&interp->tree, node, name, &interp->arena);
    return member == RF_NONE ? operand_value(rf_operate_no_key(rf_value_string(name), &interp->arena))
                             : operand_place(member);
}

static struct operand place_index(struct rf_interp *interp, uint32_t node, struct rf_value key)
{
    if (key.type == RF_TYPE_ERROR) {
        return operand_value(key);
    }
    if (key.type == RF_TYPE_STRING) {
        return place_member(interp, node, key.text);
    }
    const enum rf_type type = rf_json_type(&interp->tree, node);
    if (type == RF_TYPE_LIST && rf_value_is_number(key)) {
        size_t i = 0;
        const uint32_t element =
            rf_operate_to_index(key, &i) ? rf_tree_element(&interp->tree, node, i) : (uint32_t)RF_NONE;
        return element == RF_NONE ? operand_value(rf_operate_no_element(interp->tree.node[node].count, &interp->arena))
                                  : operand_place(element);
    }
    return operand_value(type == RF_TYPE_MAP ? rf_operate_no_key(key, &interp->arena)
                                             : rf_operate_no_index(type, key.type, &interp->arena));
}

static struct operand eval_select(struct rf_interp *interp, const struct rf_node *node)
{
    if (node_is_record(node->arg[0])) {
        return operand_value(record_select(interp, node->name));
    }
    const struct operand from = eval_operand(interp, node->arg[0]);
    if (from.is_place) {
        return place_member(interp, from.node, node->name);
    }
    return operand_value(rf_operate_index(from.value, rf_value_string(node->name), &interp->arena));
}

static struct operand eval_index(struct rf_interp *interp, const struct rf_node *node)
{
    if (node_is_record(node->arg[0])) {
        const struct rf_value key = eval(interp, node->arg[1]);
        if (key.type == RF_TYPE_ERROR) {
            return operand_value(key);
        }
        return operand_value(key.type == RF_TYPE_STRING ? record_select(interp, key.text)
                                                        : rf_operate_no_key(key, &interp->arena));
    }
    const struct operand from = eval_operand(interp, node->arg[0]);
    const struct rf_value key = eval(interp, node->arg[1]);
    if (from.is_place) {
        return place_index(interp, from.node, key);
    }
    return operand_value(rf_operate_index(from.value, key, &interp->arena));
}

static struct operand eval_operand(struct rf_interp *interp, const struct rf_node *node)
{
    switch (node->kind) {
    case RF_NODE_IDENT:
        if (rf_str_equal(node->name, RF_STR("msg")) && !interp->compiled->options.is_text) {
            /* A record may be one bad token that no path reads: then it is the error that every path gives. */
            return rf_json_type(&interp->tree, 0) == RF_TYPE_ERROR
                       ? operand_value(rf_json_value(&interp->tree, 0, &interp->arena))
                       : operand_place(0);
        }
        return operand_value(eval_ident(interp, node));
    case RF_NODE_SELECT:
        return eval_select(interp, node);
    case RF_NODE_INDEX:
        return eval_index(interp, node);
    default:
        return operand_value(eval(interp, node));
    }
}

static struct rf_value eval_has(struct rf_interp *interp, const struct rf_node *node)
{
    if (node_is_record(node->arg[0])) {
        struct rf_value value;
        return rf_value_bool(record_field(interp, node->name, &value));
    }
    const struct operand from = eval_operand(interp, node->arg[0]);
    if (!from.is_place) {
        return rf_operate_has(from.value, node->name, &interp->arena);
    }
    const enum rf_type type = rf_json_type(&interp->tree, from.node);
    if (type != RF_TYPE_MAP) {
        return rf_operate_no_has(type, &interp->arena);
    }
    return rf_value_bool(rf_tree_member(&interp->tree, from.node, node->name, &interp->arena) != RF_NONE);
}

/* ---- Logic ---- */

static struct rf_value error_no_bool(struct rf_interp *interp, struct rf_value value)
{
    if (value.type == RF_TYPE_ERROR) {
        return value;
    }
    return rf_operate_error(&interp->arena, "%s where a bool is needed", rf_type_name(value.type));
}

/* Takes one operand of && (decisive: false) or || (decisive: true) into *result; true when it decides the whole. */
static bool chain_take(struct rf_interp *interp, const struct rf_node *node, bool decisive, struct rf_value *result)
{
    const struct rf_value value = eval(interp, node);
    if (value.type != RF_TYPE_BOOL) {
        *result = error_no_bool(interp, value);
        return false;
    }
    if (value.boolean == decisive) {
        *result = value;
        return true;
    }
    return false;
}

/* The deciding value wins over errors and values of other types on either side. Chains lean to the left, so they are
 * walked from the last operand to the first, without recursion along the chain; the error that is reported is the
 * leftmost. */
static struct rf_value eval_chain(struct rf_interp *interp, const struct rf_node *node)
{
    const enum rf_function function = node->function;
    const bool decisive = function == RF_FN_OR;
    struct rf_value result = rf_value_bool(!decisive);
    for (; node->kind == RF_NODE_CALL && node->function == function; node = node->arg[0]) {
        for (uint32_t i = node->args - 1; i > 0; i--) {
            if (chain_take(interp, node->arg[i], decisive, &result)) {
                return result;
            }
        }
    }
    (void)chain_take(interp, node, decisive, &result);
    return result;
}

static struct rf_value eval_choice(struct rf_interp *interp, const struct rf_node *node)
{
    for (;;) { /* a chain of ?: leans to the right */
        const struct rf_value condition = eval(interp, node->arg[0]);
        if (condition.type != RF_TYPE_BOOL) {
            return error_no_bool(interp, condition);
        }
        node = node->arg[condition.boolean ? 1 : 2];
        if (node->kind != RF_NODE_CALL || node->function != RF_FN_SELECT) {
            return eval(interp, node);
        }
    }
}

/* ---- Strict calls ---- */

static bool type_is_container(enum rf_type type)
{
    return type == RF_TYPE_LIST || type == RF_TYPE_MAP;
}

/* `x in list` compares x with the elements, and looks into it only when one of them is of its type. */
static bool list_has_type(struct rf_value list, enum rf_type type)
{
    for (size_t i = 0; list.type == RF_TYPE_LIST && i < list.list->count; i++) {
        if (list.list->item[i].type == type) {
            return true;
        }
    }
    return false;
}

/* Whether the result depends on what is in argument i, a list or map, or on its type alone. The arguments behind it
 * have been read. */
static bool call_looks_inside(enum rf_function function, uint32_t i, const enum rf_type *type,
                              const struct rf_value *value)
{
    switch (function) {
    case RF_FN_EQ:
    case RF_FN_NE:
        return type[0] == type[1];
    case RF_FN_IN:
        return i == 1 || list_has_type(value[1], type[0]);
    case RF_FN_ADD:
        return type[0] == RF_TYPE_LIST && type[1] == RF_TYPE_LIST;
    case RF_FN_SIZE:
        return true;
    default:
        return false;
    }
}

static struct rf_value eval_strict(struct rf_interp *interp, const struct rf_node *node)
{
    static const struct rf_list no_list = {0};
    static const struct rf_map no_map = {0};
    enum { ARGS_MAX = 2 };
    struct operand operand[ARGS_MAX];
    enum rf_type type[ARGS_MAX] = {RF_TYPE_ERROR, RF_TYPE_ERROR};
    struct rf_value value[ARGS_MAX];
    assert(node->args >= 1 && node->args <= ARGS_MAX);
    for (uint32_t i = 0; i < node->args; i++) {
        operand[i] = eval_operand(interp, node->arg[i]);
        type[i] = operand_type(interp, &operand[i]);
    }
    for (uint32_t i = node->args; i-- > 0;) {
        /* An empty list or map stands for one that nobody looks into, and that may hold tokens nobody has checked. */
        if (operand[i].is_place && type_is_container(type[i]) && !call_looks_inside(node->function, i, type, value)) {
            value[i] = (struct rf_value){.type = type[i], .list = &no_list, .map = &no_map};
        } else {
            value[i] = operand_read(interp, &operand[i]);
        }
    }
    return rf_operate(node->function, value, node->args, interp->compiled->options.is_strict_cel, &interp->arena);
}

static struct rf_value eval_literal_container(struct rf_interp *interp, const struct rf_node *node)
{
    struct rf_value *value = RF_PUSH(&interp->arena, struct rf_value, node->args);
    if (value == NULL) {
        return rf_value_error(RF_ERROR_TOO_LARGE);
    }
    for (uint32_t i = 0; i < node->args; i++) {
        value[i] = eval_passed(interp, node->arg[i]);
    }
    return node->kind == RF_NODE_LIST ? rf_operate_list(value, node->args, &interp->arena)
                                      : rf_operate_map(value, node->args, &interp->arena);
}

static struct rf_value eval(struct rf_interp *interp, const struct rf_node *node)
{
    switch (node->kind) {
    case RF_NODE_LITERAL:
        return node->literal;
    case RF_NODE_IDENT:
    case RF_NODE_SELECT:
    case RF_NODE_INDEX:
        return rf_operate_usable(eval_passed(interp, node), &interp->arena);
    case RF_NODE_HAS:
        return eval_has(interp, node);
    case RF_NODE_LIST:
    case RF_NODE_MAP:
        return eval_literal_container(interp, node);
    case RF_NODE_CALL:
        break;
    }
    switch (node->function) {
    case RF_FN_AND:
    case RF_FN_OR:
        return eval_chain(interp, node);
    case RF_FN_SELECT:
        return eval_choice(interp, node);
    default:
        return eval_strict(interp, node);
    }
}

/* ---- Entry points ---- */

enum rf_status rf_interp_open(struct rf_interp **out, const struct rf_compiled *compiled,
                              struct rf_interp_options options, struct rf_error *err)
{
    *out = NULL;
    struct rf_interp *interp = calloc(1, sizeof *interp);
    if (interp == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for the interpreter");
    }
    interp->compiled = compiled;
    interp->options = options;
    for (uint32_t i = 0; i < compiled->program.slots; i++) {
        interp->uses_raw = interp->uses_raw || compiled->program.slot[i].root == RF_ROOT_RAW;
    }
    rf_arena_init(&interp->arena, ARENA_BYTES_MIN);
    *out = interp;
    return RF_OK;
}

void rf_interp_close(struct rf_interp *interp)
{
    if (interp != NULL) {
        rf_arena_free(&interp->arena);
        free(interp);
    }
}

/* `raw` is text like any other string: it must be UTF-8. */
static void check_raw(struct rf_str text, struct rf_malformed *malformed)
{
    const size_t valid = rf_utf8_valid_count(text);
    if (valid != text.count && (malformed->reason == RF_REASON_NONE || valid < malformed->offset)) {
        *malformed = (struct rf_malformed){.reason = RF_REASON_UTF8, .offset = (unsigned)valid};
    }
}

enum rf_status rf_interp_read(struct rf_interp *interp, const struct rf_record *record, struct rf_malformed *malformed,
                              struct rf_error *err)
{
    *malformed = (struct rf_malformed){.reason = RF_REASON_NONE};
    interp->record = *record;
    interp->error_count = 0;
    rf_arena_reset(&interp->arena);
    interp->arena.bytes_max = ARENA_BYTES_MIN + ARENA_BYTES_FACTOR * record->text.count;
    if (!interp->compiled->options.is_text) {
        RF_TRY(rf_tree_read(&interp->tree, record->text, interp->options.depth_max, &interp->arena, malformed, err));
        if (malformed->reason != RF_REASON_NONE) {
            return RF_OK;
        }
        if (interp->options.is_validating) {
            rf_tree_check(&interp->tree, 0, true, malformed);
        } else {
            RF_TRY(rf_tree_check_paths(&interp->tree, &interp->compiled->program, &interp->arena, malformed, err));
        }
    }
    if (interp->uses_raw) {
        check_raw(record->text, malformed);
    }
    return RF_OK;
}

static void interp_note_error(struct rf_interp *interp, struct rf_value value)
{
    interp->error_count = 0;
    if (value.type == RF_TYPE_ERROR) {
        interp->error_count = value.text.count < ERROR_TEXT_MAX ? value.text.count : ERROR_TEXT_MAX;
        memcpy(interp->error, value.text.data, interp->error_count);
    }
}

static enum rf_truth interp_decide(struct rf_interp *interp, const struct rf_node *tree)
{
    /* Each decision starts from the same arena, so that none depends on those before it. */
    const struct rf_arena_mark mark = rf_arena_mark(&interp->arena);
    struct rf_value value = eval(interp, tree);
    if (value.type != RF_TYPE_BOOL) {
        value = error_no_bool(interp, value);
    }
    interp_note_error(interp, value);
    rf_arena_rewind(&interp->arena, mark);
    if (value.type == RF_TYPE_ERROR) {
        return RF_TRUTH_ERROR;
    }
    return value.boolean ? RF_TRUTH_TRUE : RF_TRUTH_FALSE;
}

enum rf_truth rf_interp_predicate(struct rf_interp *interp, uint32_t predicate)
{
    assert(predicate < interp->compiled->program.predicates);
    return interp_decide(interp, interp->compiled->predicate[predicate]);
}

enum rf_truth rf_interp_host(struct rf_interp *interp, uint32_t host)
{
    assert(host < interp->compiled->hosts);
    return interp_decide(interp, interp->compiled->host[host]);
}

struct rf_value rf_interp_project(struct rf_interp *interp, uint32_t projection)
{
    assert(projection < interp->compiled->projections);
    struct rf_value value = eval_passed(interp, interp->compiled->projection[projection]);
    if (type_is_container(value.type)) {
        const struct rf_value *error = rf_value_find_error(&value);
        value = error != NULL ? *error : value;
    }
    interp_note_error(interp, value);
    return value;
}

struct rf_str rf_interp_error(const struct rf_interp *interp)
{
    return (struct rf_str){interp->error, interp->error_count};
}
