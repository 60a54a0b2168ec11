#include "arith_plan.h"

#include <assert.h>

static bool node_is_operation(const struct rf_node *node)
{
    return node->kind == RF_NODE_CALL && node->function >= RF_FN_NEG && node->function <= RF_FN_SUB;
}

static bool node_is_message_path(const struct rf_node *node)
{
    if (!rf_slots_is_path(node) || node->kind == RF_NODE_HAS) {
        return false;
    }
    while (node->kind != RF_NODE_IDENT && node->kind != RF_NODE_BINDING) {
        node = node->arg[0];
    }
    return node->kind == RF_NODE_IDENT && rf_str_equal(node->name, RF_STR("msg"));
}

static bool node_is_number(const struct rf_node *node)
{
    return node->kind == RF_NODE_LITERAL && rf_value_is_number(node->literal);
}

struct shape {      /* of an operand */
    uint32_t stack; /* values at once */
    uint32_t code;  /* instructions */
    bool has_path;
};

/* false when the operand has no form over doubles. */
static bool shape_of(const struct rf_node *node, struct shape *shape)
{
    if (node_is_number(node) || node_is_message_path(node)) {
        *shape = (struct shape){.stack = 1, .code = 1, .has_path = !node_is_number(node)};
        return true;
    }
    if (!node_is_operation(node)) {
        return false;
    }
    struct shape left;
    struct shape right = {0};
    if (!shape_of(node->arg[0], &left) || (node->args == 2 && !shape_of(node->arg[1], &right))) {
        return false;
    }
    shape->stack = right.stack + 1 > left.stack ? right.stack + 1 : left.stack;
    shape->code = left.code + right.code + 1;
    shape->has_path = left.has_path || right.has_path;
    return shape->has_path && shape->code <= RF_ARITH_CODE_MAX;
}

/* A constant that stands alone on its side is compared, not computed with: it must be a double exactly. */
static bool side_is_exact(const struct rf_node *node)
{
    if (!node_is_number(node)) {
        return true;
    }
    const struct rf_number rounded = {.kind = RF_NUMBER_DOUBLE, .as.d = rf_number_to_double(node->literal.exact)};
    return rf_number_compare(node->literal.exact, rounded) == RF_ORDER_EQUAL;
}

bool rf_arith_is_plannable(const struct rf_node *left, const struct rf_node *right)
{
    struct shape a;
    struct shape b;
    if ((!node_is_operation(left) && !node_is_operation(right)) || !shape_of(left, &a) || !shape_of(right, &b)) {
        return false;
    }
    return a.stack <= RF_ARITH_STACK_MAX && b.stack + 1 <= RF_ARITH_STACK_MAX && a.code + b.code <= RF_ARITH_CODE_MAX &&
           side_is_exact(left) && side_is_exact(right);
}

static enum rf_arith_op operation_op(enum rf_function function)
{
    switch (function) {
    case RF_FN_NEG:
        return RF_ARITH_NEG;
    case RF_FN_MUL:
        return RF_ARITH_MUL;
    case RF_FN_DIV:
        return RF_ARITH_DIV;
    case RF_FN_MOD:
        return RF_ARITH_MOD;
    case RF_FN_ADD:
        return RF_ARITH_ADD;
    default:
        assert(function == RF_FN_SUB);
        return RF_ARITH_SUB;
    }
}

static enum rf_status operand_plan(struct rf_slots *slots, struct rf_node *node, bool is_deep, struct rf_arith *code,
                                   uint32_t *count, struct rf_error *err)
{
    if (node_is_number(node)) {
        code[(*count)++] = (struct rf_arith){
            .op = RF_ARITH_CONST, .slot = RF_NONE, .constant = rf_number_to_double(node->literal.exact)};
        return RF_OK;
    }
    if (!node_is_operation(node)) {
        RF_TRY(rf_slots_use(slots, node, is_deep, err));
        code[(*count)++] = (struct rf_arith){.op = RF_ARITH_SLOT, .slot = node->slot};
        return RF_OK;
    }
    /* `+` joins lists too: the host then needs them whole. */
    const bool is_sum = node->function == RF_FN_ADD;
    for (uint32_t i = 0; i < node->args; i++) {
        RF_TRY(operand_plan(slots, node->arg[i], is_sum, code, count, err));
    }
    code[(*count)++] = (struct rf_arith){.op = operation_op(node->function), .slot = RF_NONE};
    return RF_OK;
}

enum rf_status rf_arith_plan(struct rf_slots *slots, struct rf_node *left, struct rf_node *right, struct rf_atom *atom,
                             struct rf_error *err)
{
    assert(rf_arith_is_plannable(left, right));
    struct shape a;
    struct shape b;
    const bool has_shape = shape_of(left, &a) && shape_of(right, &b);
    assert(has_shape);
    struct rf_arith *code = has_shape ? RF_PUSH(slots->arena, struct rf_arith, a.code + b.code) : NULL;
    if (code == NULL) {
        RF_FAIL(err, RF_E_LIMIT, "the expressions need more memory than their bound allows");
    }
    atom->code = code;
    atom->code_count = 0;
    /* A path that stands alone is compared: == may meet a list on both sides. */
    const bool is_deep = atom->compare == RF_EQ;
    RF_TRY(operand_plan(slots, left, is_deep, code, &atom->code_count, err));
    return operand_plan(slots, right, is_deep, code, &atom->code_count, err);
}
