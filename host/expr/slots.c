#include "slots.h"

#include <assert.h>

#include "intern.h"
#include "node_text.h"
#include "record.h"

enum { STEPS_MAX = 256 /* = RF_EXPR_DEPTH_MAX: a path is no longer than its tree is deep */ };

static bool ident_is(const struct rf_node *node, const char *name)
{
    return node->kind == RF_NODE_IDENT && rf_str_equal(node->name, rf_str_of(name));
}

static bool node_is_record_member(const struct rf_node *node)
{
    return node->kind == RF_NODE_SELECT && ident_is(node->arg[0], "record");
}

/* A constant key: text, or a number that is an element's index. */
static bool index_step(const struct rf_node *key, struct rf_step *step)
{
    *step = (struct rf_step){0};
    if (key->kind != RF_NODE_LITERAL) {
        return false;
    }
    if (key->literal.type == RF_TYPE_STRING) {
        step->key = key->literal.text;
        return true;
    }
    if (!rf_value_is_number(key->literal)) {
        return false;
    }
    const double value = rf_number_to_double(key->literal.exact);
    if (!(value >= 0 && value < (double)RF_NONE) || value != (double)(uint32_t)value) {
        return false;
    }
    step->is_index = true;
    step->index = (uint32_t)value;
    return true;
}

/* One step up the tree; false when the node is no step. */
static bool node_step(const struct rf_node *node, struct rf_step *step)
{
    if (node->kind == RF_NODE_SELECT || node->kind == RF_NODE_HAS) {
        *step = (struct rf_step){.key = node->name};
        return true;
    }
    return node->kind == RF_NODE_INDEX && index_step(node->arg[1], step);
}

/* What a record has beside its message. */
static bool node_is_envelope(const struct rf_node *node)
{
    return ident_is(node, "raw") || ident_is(node, "now") || node_is_record_member(node);
}

/* A path, or one with optional steps. */
static bool node_is_way(const struct rf_node *node)
{
    if (node_is_envelope(node) || node->kind == RF_NODE_BINDING) {
        return true;
    }
    struct rf_step step;
    while (node->kind != RF_NODE_IDENT) {
        if (!node_step(node, &step)) {
            return false;
        }
        node = node->arg[0];
    }
    return ident_is(node, "msg");
}

static bool node_has_optional(const struct rf_node *node)
{
    for (; node->kind != RF_NODE_IDENT && node->kind != RF_NODE_BINDING; node = node->arg[0]) {
        if (node->is_optional) {
            return true;
        }
    }
    return false;
}

/* Not x[?0]: its column would not tell an object, where there is no such key, from what is no container. */
bool rf_slots_is_optional_step(const struct rf_node *node)
{
    const bool is_member = node->kind == RF_NODE_SELECT ||
                           (node->kind == RF_NODE_INDEX && node->arg[1]->literal.type == RF_TYPE_STRING);
    return is_member && node->is_optional && node_is_way(node) &&
           (node->arg[0]->kind == RF_NODE_IDENT || rf_slots_is_path(node->arg[0]));
}

bool rf_slots_is_path(const struct rf_node *node)
{
    return node_is_way(node) && !node_has_optional(node);
}

enum rf_status rf_slots_open(struct rf_slots *slots, struct rf_arena *arena, struct rf_error *err)
{
    *slots = (struct rf_slots){.arena = arena};
    for (unsigned root = 0; root < RF_ROOT_RECORD_ABSENT; root++) {
        slots->root_slot[root] = RF_NONE;
    }
    slots->node = rf_array_grow(arena, NULL, 0, &slots->nodes_capacity, sizeof slots->node[0]);
    if (slots->node == NULL) {
        RF_FAIL(err, RF_E_LIMIT, "the expressions need more memory than their bound allows");
    }
    slots->node[slots->nodes++] =
        (struct rf_trie_node){.parent = RF_NONE, .first_child = RF_NONE, .next_sibling = RF_NONE, .slot = RF_NONE};
    return RF_OK;
}

static enum rf_status slot_add(struct rf_slots *slots, struct rf_slot slot, uint32_t *number, struct rf_error *err)
{
    if (slots->slots == RF_SLOTS_MAX) {
        RF_FAIL(err, RF_E_LIMIT, "the expressions read more than %d different paths", RF_SLOTS_MAX);
    }
    struct rf_slot *grown =
        rf_array_grow(slots->arena, slots->slot, slots->slots, &slots->slots_capacity, sizeof slots->slot[0]);
    if (grown == NULL) {
        RF_FAIL(err, RF_E_LIMIT, "the expressions need more memory than their bound allows");
    }
    slots->slot = grown;
    *number = slots->slots;
    slots->slot[slots->slots++] = slot;
    return RF_OK;
}

/* The path of a trie node as people write it. */
static enum rf_status path_write(const struct rf_slots *slots, uint32_t node, struct rf_text *out, struct rf_error *err)
{
    uint32_t way[STEPS_MAX + 1];
    uint32_t steps = 0;
    for (uint32_t at = node; at != 0; at = slots->node[at].parent) {
        assert(steps <= STEPS_MAX);
        way[steps++] = at;
    }
    RF_TRY(rf_text_append(out, RF_STR("msg"), err));
    while (steps-- > 0) {
        const struct rf_step *step = &slots->node[way[steps]].step;
        if (step->is_index) {
            RF_TRY(rf_text_printf(out, err, "[%u]", step->index));
        } else {
            RF_TRY(rf_member_write(out, step->key, err));
        }
    }
    return RF_OK;
}

static enum rf_status path_text(const struct rf_slots *slots, uint32_t node, struct rf_str *text, struct rf_error *err)
{
    struct rf_text out = {0};
    const enum rf_status status = path_write(slots, node, &out, err);
    *text = status == RF_OK ? rf_arena_copy(slots->arena, rf_text_str(&out)) : (struct rf_str){0};
    rf_text_free(&out);
    RF_TRY(status);
    if (text->data == NULL) {
        RF_FAIL(err, RF_E_LIMIT, "the expressions need more memory than their bound allows");
    }
    return RF_OK;
}

static bool step_equal(const struct rf_step *a, const struct rf_step *b)
{
    return a->is_index == b->is_index && a->index == b->index && rf_str_equal(a->key, b->key);
}

/* The child of a node, made with a hidden slot when it is new. Children stay in the order they were first named. */
static enum rf_status child_at(struct rf_slots *slots, uint32_t parent, struct rf_step step, uint32_t *child,
                               struct rf_error *err)
{
    uint32_t last = RF_NONE;
    for (uint32_t at = slots->node[parent].first_child; at != RF_NONE; at = slots->node[at].next_sibling) {
        if (step_equal(&slots->node[at].step, &step)) {
            *child = at;
            return RF_OK;
        }
        last = at;
    }
    struct rf_trie_node *grown =
        rf_array_grow(slots->arena, slots->node, slots->nodes, &slots->nodes_capacity, sizeof slots->node[0]);
    if (grown == NULL) {
        RF_FAIL(err, RF_E_LIMIT, "the expressions need more memory than their bound allows");
    }
    slots->node = grown;
    const uint32_t made = slots->nodes;
    const uint32_t depth = slots->node[parent].depth + 1;
    slots->node[made] = (struct rf_trie_node){
        .step = step, .parent = parent, .first_child = RF_NONE, .next_sibling = RF_NONE, .depth = depth};
    struct rf_slot slot = {.root = RF_ROOT_MSG, .node = made, .is_hidden = true};
    RF_TRY(path_text(slots, made, &slot.text, err));
    RF_TRY(slot_add(slots, slot, &slots->node[made].slot, err));
    slots->nodes++;
    slots->depth_max = depth > slots->depth_max ? depth : slots->depth_max;
    if (last == RF_NONE) {
        slots->node[parent].first_child = made;
    } else {
        slots->node[last].next_sibling = made;
    }
    *child = made;
    return RF_OK;
}

static enum rf_status use_message(struct rf_slots *slots, struct rf_node *path, struct rf_error *err)
{
    struct rf_step step[STEPS_MAX];
    uint32_t steps = 0;
    for (const struct rf_node *at = path; at->kind != RF_NODE_IDENT; at = at->arg[0]) {
        assert(steps < STEPS_MAX);
        const bool is_step = node_step(at, &step[steps++]);
        assert(is_step);
        (void)is_step;
    }
    uint32_t node = 0;
    while (steps-- > 0) {
        RF_TRY(child_at(slots, node, step[steps], &node, err));
    }
    if (slots->node[node].slot == RF_NONE) {
        const struct rf_slot slot = {.root = RF_ROOT_MSG, .node = 0, .text = RF_STR("msg")};
        RF_TRY(slot_add(slots, slot, &slots->node[node].slot, err));
    }
    path->slot = slots->node[node].slot;
    return RF_OK;
}

static enum rf_status use_absent(struct rf_slots *slots, struct rf_node *path, struct rf_str text, struct rf_error *err)
{
    for (uint32_t s = 0; s < slots->slots; s++) {
        if (slots->slot[s].root == RF_ROOT_RECORD_ABSENT && rf_str_equal(slots->slot[s].text, text)) {
            path->slot = s;
            return RF_OK;
        }
    }
    const struct rf_slot slot = {.root = RF_ROOT_RECORD_ABSENT, .node = RF_NONE, .text = text};
    return slot_add(slots, slot, &path->slot, err);
}

/* A declared variable. */
static enum rf_status use_binding(struct rf_slots *slots, struct rf_node *path, struct rf_error *err)
{
    for (uint32_t s = 0; s < slots->slots; s++) {
        if (slots->slot[s].root == RF_ROOT_BINDING && slots->slot[s].binding == path->local) {
            path->slot = s;
            return RF_OK;
        }
    }
    const struct rf_slot slot = {.root = RF_ROOT_BINDING, .node = RF_NONE, .binding = path->local, .text = path->name};
    return slot_add(slots, slot, &path->slot, err);
}

/* raw, now and the members of record. */
static enum rf_status use_envelope(struct rf_slots *slots, struct rf_node *path, struct rf_error *err)
{
    const bool is_now = ident_is(path, "now");
    enum rf_root root = is_now ? RF_ROOT_NOW : RF_ROOT_RAW;
    struct rf_str text = is_now ? RF_STR("now") : RF_STR("raw");
    if (path->kind == RF_NODE_SELECT) {
        const struct rf_record_member *member = rf_record_member(path->name);
        assert(member != NULL);
        root = member->root;
        char name[64];
        const size_t count = strlen(member->name);
        memcpy(name, "record.", 7);
        memcpy(name + 7, member->name, count);
        text = rf_arena_copy(slots->arena, (struct rf_str){name, 7 + count});
        if (text.data == NULL) {
            RF_FAIL(err, RF_E_LIMIT, "the expressions need more memory than their bound allows");
        }
    }
    if (root == RF_ROOT_RECORD_ABSENT) {
        return use_absent(slots, path, text, err);
    }
    if (slots->root_slot[root] == RF_NONE) {
        const struct rf_slot slot = {.root = root, .node = RF_NONE, .text = text};
        RF_TRY(slot_add(slots, slot, &slots->root_slot[root], err));
    }
    path->slot = slots->root_slot[root];
    return RF_OK;
}

enum rf_status rf_slots_use(struct rf_slots *slots, struct rf_node *path, bool is_deep, struct rf_error *err)
{
    assert(node_is_way(path));
    if (path->kind == RF_NODE_BINDING) {
        RF_TRY(use_binding(slots, path, err));
    } else if (node_is_envelope(path)) {
        RF_TRY(use_envelope(slots, path, err));
    } else {
        RF_TRY(use_message(slots, path, err));
    }
    slots->slot[path->slot].is_hidden = false;
    slots->slot[path->slot].is_deep = slots->slot[path->slot].is_deep || is_deep;
    return RF_OK;
}
