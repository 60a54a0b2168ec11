#include "atoms.h"

#include <assert.h>
#include <math.h>

#include "arith_plan.h"
#include "function.h"
#include "node_text.h"
#include "record.h"
#include "set_plan.h"

#define MEMORY_TEXT "the expressions need more memory than their bound allows"

void rf_atoms_open(struct rf_atoms *atoms, struct rf_arena *arena, struct rf_slots *slots, bool is_strict_cel)
{
    *atoms = (struct rf_atoms){.arena = arena, .slots = slots, .known = {.arena = arena}};
    rf_calcs_open(&atoms->calcs, arena, is_strict_cel);
}

void rf_atoms_close(struct rf_atoms *atoms)
{
    rf_calcs_close(&atoms->calcs);
    rf_text_free(&atoms->key);
}

/* ---- What a leaf is made of ---- */

static bool node_is_path(const struct rf_node *node)
{
    return node->kind != RF_NODE_HAS && rf_slots_is_path(node);
}

static bool node_is_literal(const struct rf_node *node)
{
    return node->kind == RF_NODE_LITERAL;
}

/* A member of record that this input has not: every use of its value is an error. */
static bool path_is_absent(const struct rf_node *node)
{
    if (node->kind != RF_NODE_SELECT || node->is_optional || node->arg[0]->kind != RF_NODE_IDENT ||
        !rf_str_equal(node->arg[0]->name, RF_STR("record"))) {
        return false;
    }
    const struct rf_record_member *member = rf_record_member(node->name);
    return member != NULL && member->root == RF_ROOT_RECORD_ABSENT;
}

static bool function_compares(enum rf_function function, enum rf_compare *compare)
{
    switch (function) {
    case RF_FN_EQ:
        *compare = RF_EQ;
        return true;
    case RF_FN_LT:
        *compare = RF_LT;
        return true;
    case RF_FN_LE:
        *compare = RF_LE;
        return true;
    case RF_FN_GT:
        *compare = RF_GT;
        return true;
    case RF_FN_GE:
        *compare = RF_GE;
        return true;
    default:
        return false;
    }
}

static enum rf_compare compare_turned(enum rf_compare compare)
{
    static const enum rf_compare turned[] = {
        [RF_EQ] = RF_EQ, [RF_LT] = RF_GT, [RF_LE] = RF_GE, [RF_GT] = RF_LT, [RF_GE] = RF_LE};
    return turned[compare];
}

/* ---- Making atoms ---- */

/* The number of the atom with the key in atoms->key; *is_new when the caller must fill it. */
static enum rf_status atom_at(struct rf_atoms *atoms, struct rf_atom atom, uint32_t *number, bool *is_new,
                              struct rf_error *err)
{
    uint32_t *known = rf_intern_at(&atoms->known, rf_text_str(&atoms->key));
    if (known == NULL) {
        RF_FAIL(err, RF_E_LIMIT, MEMORY_TEXT);
    }
    *is_new = *known == RF_NONE;
    if (!*is_new) {
        *number = *known;
        return RF_OK;
    }
    if (atoms->atoms == RF_ATOMS_MAX) {
        RF_FAIL(err, RF_E_LIMIT, "the expressions have more than %d different comparisons", RF_ATOMS_MAX);
    }
    struct rf_atom *grown =
        rf_array_grow(atoms->arena, atoms->atom, atoms->atoms, &atoms->atoms_capacity, sizeof atoms->atom[0]);
    if (grown == NULL) {
        RF_FAIL(err, RF_E_LIMIT, MEMORY_TEXT);
    }
    atoms->atom = grown;
    *number = *known = atoms->atoms;
    atoms->atom[atoms->atoms++] = atom;
    return RF_OK;
}

static enum rf_status host_add(struct rf_atoms *atoms, struct rf_node *tree, const char *reason, uint32_t *host,
                               struct rf_error *err)
{
    struct rf_node **trees =
        rf_array_grow(atoms->arena, atoms->host, atoms->hosts, &atoms->hosts_capacity, sizeof atoms->host[0]);
    const char **reasons = trees == NULL ? NULL
                                         : rf_array_grow(atoms->arena, atoms->host_reason, atoms->hosts,
                                                         &atoms->reasons_capacity, sizeof atoms->host_reason[0]);
    if (reasons == NULL) {
        RF_FAIL(err, RF_E_LIMIT, MEMORY_TEXT);
    }
    atoms->host = trees;
    atoms->host_reason = reasons;
    atoms->host[atoms->hosts] = tree;
    atoms->host_reason[atoms->hosts] = reason;
    *host = atoms->hosts++;
    return RF_OK;
}

static enum rf_status key_begin(struct rf_atoms *atoms, const struct rf_atom *atom, struct rf_error *err)
{
    rf_text_clear(&atoms->key);
    return rf_text_printf(&atoms->key, err, "%d %d %u ", (int)atom->kind, (int)atom->compare, atom->slot);
}

static struct rf_atom atom_of(enum rf_atom_kind kind, enum rf_compare compare, uint32_t slot)
{
    return (struct rf_atom){.kind = kind, .compare = compare, .slot = slot, .other_slot = RF_NONE, .host = RF_NONE};
}

/* One name for each place on the number line, so that 5, 5u and 5.0 are one constant. */
static enum rf_status number_key(struct rf_text *key, struct rf_number number, struct rf_error *err)
{
    const double value = number.as.d;
    if (number.kind == RF_NUMBER_DOUBLE && value >= -0x1p63 && value < 0x1p63 && value == trunc(value)) {
        number = (struct rf_number){.kind = RF_NUMBER_INT, .as.i = (int64_t)value};
    } else if (number.kind == RF_NUMBER_UINT && number.as.u <= (uint64_t)INT64_MAX) {
        number = (struct rf_number){.kind = RF_NUMBER_INT, .as.i = (int64_t)number.as.u};
    } else if (number.kind == RF_NUMBER_DOUBLE && value >= 0x1p63 && value < 0x1p64) {
        number = (struct rf_number){.kind = RF_NUMBER_UINT, .as.u = (uint64_t)value};
    }
    switch (number.kind) {
    case RF_NUMBER_INT:
        return rf_text_printf(key, err, "%lld", (long long)number.as.i);
    case RF_NUMBER_UINT:
        return rf_text_printf(key, err, "%llu", (unsigned long long)number.as.u);
    case RF_NUMBER_DOUBLE:
        break;
    }
    return rf_text_printf(key, err, "%a", number.as.d);
}

/* A leaf for the interpreter. */
static enum rf_status host_atom(struct rf_atoms *atoms, struct rf_node *leaf, const char *reason, uint32_t *number,
                                struct rf_error *err)
{
    RF_TRY(rf_atoms_use_tree(atoms, leaf, err));
    const struct rf_atom atom = atom_of(RF_ATOM_HOST, RF_EQ, RF_NONE);
    RF_TRY(key_begin(atoms, &atom, err));
    RF_TRY(rf_node_write(&atoms->key, leaf, err));
    bool is_new;
    RF_TRY(atom_at(atoms, atom, number, &is_new, err));
    return is_new ? host_add(atoms, leaf, reason, &atoms->atom[*number].host, err) : RF_OK;
}

/* An atom whose odd rows are asked from the interpreter. The key is complete. */
static enum rf_status asking_atom(struct rf_atoms *atoms, struct rf_atom atom, struct rf_node *leaf, const char *reason,
                                  uint32_t *number, struct rf_error *err)
{
    bool is_new;
    RF_TRY(atom_at(atoms, atom, number, &is_new, err));
    return is_new ? host_add(atoms, leaf, reason, &atoms->atom[*number].host, err) : RF_OK;
}

/* ---- Comparisons ---- */

/* As the leaf has it, whatever side is looked at first. */
static enum rf_compare compare_written(const struct rf_node *leaf)
{
    enum rf_compare compare = RF_EQ;
    function_compares(leaf->function, &compare);
    return compare;
}

/* A column: a path, or what functions make of columns. */
static bool node_is_column(const struct rf_node *node)
{
    return node_is_path(node) || (!node_is_literal(node) && rf_calcs_can(node));
}

/* Its term. *asks: cells may be such that only the interpreter can tell the value. */
static enum rf_status column_use(struct rf_atoms *atoms, struct rf_node *node, bool is_deep, uint32_t *term, bool *asks,
                                 struct rf_error *err)
{
    if (node_is_path(node)) {
        *asks = *asks || node->kind == RF_NODE_BINDING;
        RF_TRY(rf_slots_use(atoms->slots, node, is_deep, err));
        *term = node->slot;
        return RF_OK;
    }
    *asks = *asks || !node_is_literal(node);
    RF_TRY(rf_atoms_use_tree(atoms, node, err));
    return rf_calcs_plan(&atoms->calcs, node, term, err);
}

/* The key is complete. */
static enum rf_status column_atom(struct rf_atoms *atoms, struct rf_atom atom, struct rf_node *leaf, bool asks,
                                  uint32_t *number, struct rf_error *err)
{
    bool is_new;
    return asks ? asking_atom(atoms, atom, leaf, "only rows where a value has no vector form", number, err)
                : atom_at(atoms, atom, number, &is_new, err);
}

static enum rf_status columns_atom(struct rf_atoms *atoms, struct rf_node *leaf, enum rf_compare compare,
                                   uint32_t *number, struct rf_error *err)
{
    const bool is_equality = compare == RF_EQ;
    bool asks = false;
    struct rf_atom atom = atom_of(RF_ATOM_CMP_SLOT, compare, RF_NONE);
    RF_TRY(column_use(atoms, leaf->arg[0], is_equality, &atom.slot, &asks, err));
    RF_TRY(column_use(atoms, leaf->arg[1], is_equality, &atom.other_slot, &asks, err));
    const bool is_turned = is_equality ? atom.slot > atom.other_slot : compare == RF_GT || compare == RF_GE;
    if (is_turned) {
        const uint32_t slot = atom.slot;
        atom.slot = atom.other_slot;
        atom.other_slot = slot;
        atom.compare = compare_turned(compare);
    }
    RF_TRY(key_begin(atoms, &atom, err));
    RF_TRY(rf_text_printf(&atoms->key, err, "%u", atom.other_slot));
    if (is_equality && !asks) {
        return asking_atom(atoms, atom, leaf, "only rows where both sides are lists or both are maps", number, err);
    }
    return column_atom(atoms, atom, leaf, asks, number, err);
}

static enum rf_status constant_atom(struct rf_atoms *atoms, struct rf_node *leaf, struct rf_node *column,
                                    struct rf_value constant, enum rf_compare compare, uint32_t *number,
                                    struct rf_error *err)
{
    enum rf_atom_kind kind = RF_ATOM_CMP_SLOT;
    switch (constant.type) {
    case RF_TYPE_NULL:
        kind = compare == RF_EQ ? RF_ATOM_EQ_NULL : RF_ATOM_CMP_SLOT;
        break;
    case RF_TYPE_BOOL:
        kind = RF_ATOM_CMP_BOOL;
        break;
    case RF_TYPE_INT:
    case RF_TYPE_UINT:
    case RF_TYPE_DOUBLE:
        kind = RF_ATOM_CMP_NUM;
        break;
    case RF_TYPE_STRING:
        kind = RF_ATOM_CMP_STR;
        break;
    default:
        break;
    }
    if (kind == RF_ATOM_CMP_SLOT) { /* a time, a type, bytes: its cell stands for a whole column */
        return columns_atom(atoms, leaf, compare_written(leaf), number, err);
    }
    bool asks = false;
    struct rf_atom atom = atom_of(kind, compare, RF_NONE);
    RF_TRY(column_use(atoms, column, false, &atom.slot, &asks, err));
    RF_TRY(key_begin(atoms, &atom, err));
    if (kind == RF_ATOM_CMP_NUM) {
        atom.number = constant.exact;
        RF_TRY(number_key(&atoms->key, constant.exact, err));
    } else if (kind == RF_ATOM_CMP_BOOL) {
        atom.number = (struct rf_number){.kind = RF_NUMBER_INT, .as.i = constant.boolean};
        RF_TRY(number_key(&atoms->key, atom.number, err));
    } else if (kind == RF_ATOM_CMP_STR) {
        atom.string = constant.text;
        RF_TRY(rf_text_append(&atoms->key, constant.text, err));
    }
    return column_atom(atoms, atom, leaf, asks, number, err);
}

static enum rf_status size_atom(struct rf_atoms *atoms, struct rf_node *leaf, struct rf_node *path,
                                struct rf_value constant, enum rf_compare compare, uint32_t *number,
                                struct rf_error *err)
{
    RF_TRY(rf_slots_use(atoms->slots, path, true, err));
    struct rf_atom atom = atom_of(RF_ATOM_SIZE, compare, path->slot);
    atom.number = constant.exact;
    RF_TRY(key_begin(atoms, &atom, err));
    RF_TRY(number_key(&atoms->key, constant.exact, err));
    return asking_atom(atoms, atom, leaf, "only rows where a value has no vector form", number, err);
}

static enum rf_status arith_atom(struct rf_atoms *atoms, struct rf_node *leaf, enum rf_compare compare,
                                 uint32_t *number, struct rf_error *err)
{
    struct rf_atom atom = atom_of(RF_ATOM_ARITH, compare, RF_NONE);
    RF_TRY(rf_arith_plan(atoms->slots, leaf->arg[0], leaf->arg[1], &atom, err));
    RF_TRY(key_begin(atoms, &atom, err));
    RF_TRY(rf_node_write(&atoms->key, leaf, err));
    return asking_atom(atoms, atom, leaf, "only rows where an operand is no plain number", number, err);
}

static bool node_is_size(const struct rf_node *node)
{
    return node->kind == RF_NODE_CALL && node->function == RF_FN_SIZE && node_is_path(node->arg[0]);
}

/* A whole leaf that functions make: its column of bools. */
static enum rf_status truth_atom(struct rf_atoms *atoms, struct rf_node *leaf, uint32_t *number, struct rf_error *err)
{
    bool asks = true;
    struct rf_atom atom = atom_of(RF_ATOM_TRUTH, RF_EQ, RF_NONE);
    RF_TRY(column_use(atoms, leaf, true, &atom.slot, &asks, err));
    RF_TRY(key_begin(atoms, &atom, err));
    return column_atom(atoms, atom, leaf, asks, number, err);
}

/* By its columns where there is a form, else by the interpreter. */
static enum rf_status other_atom(struct rf_atoms *atoms, struct rf_node *leaf, uint32_t *number, struct rf_error *err)
{
    const char *why = rf_calcs_obstacle(leaf);
    return why == NULL ? truth_atom(atoms, leaf, number, err) : host_atom(atoms, leaf, why, number, err);
}

static enum rf_status compare_atom(struct rf_atoms *atoms, struct rf_node *leaf, enum rf_compare compare,
                                   uint32_t *number, struct rf_error *err)
{
    struct rf_node *left = leaf->arg[0];
    struct rf_node *right = leaf->arg[1];
    if (rf_arith_is_plannable(left, right)) {
        return arith_atom(atoms, leaf, compare, number, err);
    }
    if (node_is_literal(left)) {
        left = leaf->arg[1];
        right = leaf->arg[0];
        compare = compare_turned(compare);
    }
    if (node_is_size(left) && node_is_literal(right) && rf_value_is_number(right->literal)) {
        return size_atom(atoms, leaf, left->arg[0], right->literal, compare, number, err);
    }
    if (node_is_column(left) && node_is_literal(right) && rf_calcs_can(right)) {
        return constant_atom(atoms, leaf, left, right->literal, compare, number, err);
    }
    if (node_is_column(left) && node_is_column(right)) {
        return columns_atom(atoms, leaf, compare_written(leaf), number, err);
    }
    return other_atom(atoms, leaf, number, err);
}

/* ---- Other leaves ---- */

static enum rf_status in_atom(struct rf_atoms *atoms, struct rf_node *leaf, uint32_t *number, struct rf_error *err)
{
    struct rf_node *column = leaf->arg[0];
    const struct rf_node *list = leaf->arg[1];
    struct rf_set set;
    bool is_plain = false;
    if (node_is_column(column) && node_is_literal(list) && list->literal.type == RF_TYPE_LIST) {
        RF_TRY(rf_set_plan(atoms->arena, list->literal.list, &set, &is_plain, err));
    }
    if (!is_plain) {
        return other_atom(atoms, leaf, number, err);
    }
    bool asks = false;
    struct rf_atom atom = atom_of(RF_ATOM_IN, RF_EQ, RF_NONE);
    RF_TRY(column_use(atoms, column, false, &atom.slot, &asks, err));
    atom.set = set;
    RF_TRY(key_begin(atoms, &atom, err));
    RF_TRY(rf_text_printf(&atoms->key, err, "%d%d%d", set.has_null, set.has_false, set.has_true));
    for (uint32_t i = 0; i < set.numbers; i++) {
        RF_TRY(rf_text_append_char(&atoms->key, ' ', err));
        RF_TRY(number_key(&atoms->key, set.number[i], err));
    }
    for (uint32_t i = 0; i < set.strings; i++) {
        RF_TRY(rf_quoted_write(&atoms->key, set.string[i], err));
    }
    return column_atom(atoms, atom, leaf, asks, number, err);
}

static enum rf_status text_atom(struct rf_atoms *atoms, struct rf_node *leaf, uint32_t *number, struct rf_error *err)
{
    struct rf_node *column = leaf->arg[0];
    const struct rf_node *part = leaf->arg[1];
    if (!node_is_column(column) || !node_is_literal(part) || part->literal.type != RF_TYPE_STRING) {
        return other_atom(atoms, leaf, number, err);
    }
    const enum rf_atom_kind kind = leaf->function == RF_FN_STARTS ? RF_ATOM_STARTS
                                   : leaf->function == RF_FN_ENDS ? RF_ATOM_ENDS
                                                                  : RF_ATOM_CONTAINS;
    bool asks = false;
    struct rf_atom atom = atom_of(kind, RF_EQ, RF_NONE);
    RF_TRY(column_use(atoms, column, false, &atom.slot, &asks, err));
    atom.string = part->literal.text;
    RF_TRY(key_begin(atoms, &atom, err));
    RF_TRY(rf_text_append(&atoms->key, atom.string, err));
    return column_atom(atoms, atom, leaf, asks, number, err);
}

static enum rf_status slot_atom(struct rf_atoms *atoms, struct rf_node *leaf, uint32_t *number, struct rf_error *err)
{
    RF_TRY(rf_slots_use(atoms->slots, leaf, false, err));
    const struct rf_atom atom = atom_of(leaf->kind == RF_NODE_HAS ? RF_ATOM_HAS : RF_ATOM_TRUTH, RF_EQ, leaf->slot);
    RF_TRY(key_begin(atoms, &atom, err));
    return column_atom(atoms, atom, leaf, leaf->kind == RF_NODE_BINDING, number, err);
}

/* A strict call with an operand that is an error in every record. */
static bool leaf_is_error(const struct rf_node *leaf)
{
    if (path_is_absent(leaf)) {
        return true;
    }
    if (leaf->kind != RF_NODE_CALL || leaf->function == RF_FUNCTION_COUNT ||
        rf_function_info(leaf->function)->family == RF_FAMILY_LOGIC) {
        return false;
    }
    for (uint32_t i = 0; i < leaf->args; i++) {
        if (leaf_is_error(leaf->arg[i])) {
            return true;
        }
    }
    return false;
}

enum rf_status rf_atoms_add(struct rf_atoms *atoms, struct rf_node *leaf, uint32_t *number, struct rf_error *err)
{
    *number = RF_NONE;
    if (leaf_is_error(leaf)) {
        return rf_atoms_use_tree(atoms, leaf, err);
    }
    if (rf_slots_is_path(leaf)) {
        return slot_atom(atoms, leaf, number, err);
    }
    if (leaf->kind != RF_NODE_CALL) {
        return other_atom(atoms, leaf, number, err);
    }
    enum rf_compare compare;
    if (function_compares(leaf->function, &compare)) {
        return compare_atom(atoms, leaf, compare, number, err);
    }
    switch (leaf->function) {
    case RF_FN_IN:
        return in_atom(atoms, leaf, number, err);
    case RF_FN_STARTS:
    case RF_FN_ENDS:
    case RF_FN_CONTAINS:
        return text_atom(atoms, leaf, number, err);
    default:
        return other_atom(atoms, leaf, number, err);
    }
}

/* ---- Trees for the interpreter ---- */

/* May the operand be taken by its whole value, so that a list or map in it is looked into? */
static bool operand_is_deep(const struct rf_node *parent, uint32_t i)
{
    if (parent->kind != RF_NODE_CALL) {
        return true;
    }
    switch (parent->function) {
    case RF_FN_EQ:
    case RF_FN_NE: {
        const struct rf_node *other = parent->arg[1 - i];
        return other->kind != RF_NODE_LITERAL || other->literal.type == RF_TYPE_LIST ||
               other->literal.type == RF_TYPE_MAP;
    }
    case RF_FN_ADD:
    case RF_FN_IN:
    case RF_FN_SIZE:
        return true;
    case RF_FN_SELECT:
        return i != 0;
    case RF_FN_JOIN:
    case RF_FN_FORMAT:
    case RF_FN_TO_DYN:
    case RF_FN_TYPE:
    case RF_FN_GREATEST:
    case RF_FN_LEAST:
    case RF_FN_MSG_STRUCT:
    case RF_FN_MSG_LIST:
    case RF_FN_OPTIONAL_OR:
    case RF_FN_OR_VALUE:
        return true;
    default:
        return parent->function == RF_FUNCTION_COUNT ||
               rf_function_info(parent->function)->family == RF_FAMILY_OPTIONAL;
    }
}

static enum rf_status use_node(struct rf_atoms *atoms, struct rf_node *node, bool is_deep, struct rf_error *err)
{
    if (rf_slots_is_path(node)) {
        return rf_slots_use(atoms->slots, node, is_deep && node->kind != RF_NODE_HAS, err);
    }
    if (rf_slots_is_optional_step(node)) { /* what it holds is made a value */
        return rf_slots_use(atoms->slots, node, true, err);
    }
    for (uint32_t i = 0; i < node->args; i++) {
        RF_TRY(use_node(atoms, node->arg[i], operand_is_deep(node, i), err));
    }
    return RF_OK;
}

enum rf_status rf_atoms_use_tree(struct rf_atoms *atoms, struct rf_node *tree, struct rf_error *err)
{
    return use_node(atoms, tree, true, err);
}
