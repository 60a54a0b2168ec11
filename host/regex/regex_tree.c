#include "regex_tree.h"

static struct rf_tree *tree_make(struct rf_tree_maker *maker, enum rf_tree_kind kind)
{
    struct rf_tree *const tree = RF_PUSH(maker->arena, struct rf_tree, 1);
    if (tree != NULL) {
        tree->kind = (uint8_t)kind;
        tree->depth = 1;
        tree->repeats = 1;
        tree->serial = maker->nodes++;
    }
    return tree;
}

struct rf_tree *rf_tree_empty(struct rf_tree_maker *maker)
{
    return tree_make(maker, RF_TREE_EMPTY);
}

struct rf_tree *rf_tree_byte(struct rf_tree_maker *maker)
{
    maker->has_byte = true;
    return tree_make(maker, RF_TREE_BYTE);
}

struct rf_tree *rf_tree_code(struct rf_tree_maker *maker, uint32_t code)
{
    struct rf_tree *const tree = tree_make(maker, RF_TREE_CODE);
    if (tree != NULL) {
        tree->code = code;
    }
    return tree;
}

struct rf_tree *rf_tree_class(struct rf_tree_maker *maker, const struct rf_code_set *set)
{
    if (set->count == 1 && set->range[0].low == set->range[0].high) {
        return rf_tree_code(maker, set->range[0].low);
    }
    struct rf_tree *const tree = tree_make(maker, RF_TREE_CLASS);
    if (tree != NULL) {
        tree->range = set->range;
        tree->count = set->count;
    }
    return tree;
}

struct rf_tree *rf_tree_assert(struct rf_tree_maker *maker, enum rf_regex_assert assertion)
{
    struct rf_tree *const tree = tree_make(maker, RF_TREE_ASSERT);
    if (tree != NULL) {
        tree->assertion = (uint8_t)assertion;
        maker->asserts |= assertion;
    }
    return tree;
}

/* A node above others. */
static struct rf_tree *tree_above(struct rf_tree_maker *maker, enum rf_tree_kind kind, struct rf_tree *const *child,
                                  uint32_t count)
{
    uint16_t depth = 0;
    uint32_t repeats = 1;
    for (uint32_t i = 0; i < count; i++) {
        depth = child[i]->depth > depth ? child[i]->depth : depth;
        repeats = child[i]->repeats > repeats ? child[i]->repeats : repeats;
    }
    if (depth >= RF_TREE_DEPTH_MAX) {
        return NULL;
    }
    struct rf_tree *const tree = tree_make(maker, kind);
    struct rf_tree **const copy = RF_PUSH(maker->arena, struct rf_tree *, count);
    if (tree == NULL || copy == NULL) {
        return NULL;
    }
    memcpy(copy, child, count * sizeof(struct rf_tree *));
    tree->child = copy;
    tree->count = count;
    tree->depth = (uint16_t)(depth + 1);
    tree->repeats = repeats;
    return tree;
}

struct rf_tree *rf_tree_concat(struct rf_tree_maker *maker, struct rf_tree *const *item, uint32_t count)
{
    uint32_t kept = 0;
    uint32_t repeats = 1;
    struct rf_tree **const keep = RF_PUSH(maker->arena, struct rf_tree *, count);
    if (keep == NULL) {
        return NULL;
    }
    for (uint32_t i = 0; i < count; i++) {
        repeats = item[i]->repeats > repeats ? item[i]->repeats : repeats;
        if (item[i]->kind != RF_TREE_EMPTY) {
            keep[kept++] = item[i];
        }
    }
    struct rf_tree *tree;
    if (kept == 0) {
        tree = rf_tree_empty(maker);
    } else {
        tree = kept == 1 ? keep[0] : tree_above(maker, RF_TREE_CONCAT, keep, kept);
    }
    return tree == NULL ? NULL : rf_tree_counted(maker, tree, repeats);
}

struct rf_tree *rf_tree_counted(struct rf_tree_maker *maker, struct rf_tree *tree, uint32_t repeats)
{
    if (tree->repeats == repeats) {
        return tree;
    }
    struct rf_tree *const above = tree_above(maker, RF_TREE_CONCAT, &tree, 1);
    if (above != NULL) {
        above->repeats = repeats;
    }
    return above;
}

struct rf_tree *rf_tree_choice(struct rf_tree_maker *maker, struct rf_tree *const *branch, uint32_t count)
{
    return count == 1 ? branch[0] : tree_above(maker, RF_TREE_ALTERNATE, branch, count);
}

static bool repeat_is_simple(int32_t min, int32_t max)
{
    return min <= 1 && (max == 1 || max == RF_TREE_ENDLESS);
}

struct rf_tree *rf_tree_repeat(struct rf_tree_maker *maker, struct rf_tree *item, int32_t min, int32_t max)
{
    const int32_t times = max == RF_TREE_ENDLESS ? min : max;
    const uint32_t repeats = times > 0 ? item->repeats * (uint32_t)times : item->repeats;
    struct rf_tree *tree;
    if (min == 1 && max == 1) {
        return item;
    }
    if (max == 0 || item->kind == RF_TREE_EMPTY) {
        tree = rf_tree_empty(maker);
    } else if (item->kind == RF_TREE_REPEAT && repeat_is_simple(min, max) && repeat_is_simple(item->min, item->max)) {
        /* (x*)? and its like: any two of * + ? give one of them. Stacks of them would be as deep as the pattern is
         * long. */
        tree = tree_above(maker, RF_TREE_REPEAT, item->child, 1);
        min = min < item->min ? min : item->min;
        max = max == 1 ? item->max : max;
    } else {
        tree = tree_above(maker, RF_TREE_REPEAT, &item, 1);
    }
    if (tree != NULL) {
        tree->repeats = repeats;
        tree->min = min;
        tree->max = max;
    }
    return tree;
}
