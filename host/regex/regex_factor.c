/* Alternatives become a tree of their heads: abc|abd is ab[cd]. A list of words then costs the automaton one state for
 * each different head, where plain alternatives would keep one thread for each word. The order of branches is free
 * to change, because only whether there is a match is asked. */
#include <stdlib.h>

#include "regex_tree.h"

enum { LEVELS_FOR_A_HEAD = 2 };

/* A branch as the items it begins with. */
struct sequence {
    struct rf_tree **item;
    uint32_t count;
};

static int class_compare(const struct rf_tree *a, const struct rf_tree *b)
{
    if (a->count != b->count) {
        return a->count < b->count ? -1 : 1;
    }
    for (uint32_t i = 0; i < a->count; i++) {
        if (a->range[i].low != b->range[i].low) {
            return a->range[i].low < b->range[i].low ? -1 : 1;
        }
        if (a->range[i].high != b->range[i].high) {
            return a->range[i].high < b->range[i].high ? -1 : 1;
        }
    }
    return 0;
}

/* A total order in which items that match the same are equal, as far as one look tells. */
static int item_compare(const struct rf_tree *a, const struct rf_tree *b)
{
    if (a == b) {
        return 0;
    }
    if (a->kind != b->kind) {
        return a->kind < b->kind ? -1 : 1;
    }
    switch ((enum rf_tree_kind)a->kind) {
    case RF_TREE_EMPTY:
    case RF_TREE_BYTE:
        return 0;
    case RF_TREE_CODE:
        return (a->code > b->code) - (a->code < b->code);
    case RF_TREE_ASSERT:
        return (a->assertion > b->assertion) - (a->assertion < b->assertion);
    case RF_TREE_CLASS:
        return class_compare(a, b);
    case RF_TREE_CONCAT:
    case RF_TREE_ALTERNATE:
    case RF_TREE_REPEAT:
        break;
    }
    return (a->serial > b->serial) - (a->serial < b->serial);
}

static uint32_t head_count(const struct sequence *a, const struct sequence *b)
{
    uint32_t count = 0;
    while (count < a->count && count < b->count && item_compare(a->item[count], b->item[count]) == 0) {
        count++;
    }
    return count;
}

static int sequence_compare(const void *left, const void *right)
{
    const struct sequence *const a = left;
    const struct sequence *const b = right;
    const uint32_t count = head_count(a, b);
    if (count < a->count && count < b->count) {
        return item_compare(a->item[count], b->item[count]);
    }
    return (a->count > b->count) - (a->count < b->count);
}

/* All branches of one code point become one class, at the place of the first. */
static uint32_t classes_join(struct rf_tree_maker *maker, struct rf_tree **branch, uint32_t count, bool *is_full)
{
    struct rf_code_set set = {.arena = maker->arena};
    uint32_t kept = 0;
    uint32_t joined = 0;
    uint32_t at = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct rf_tree *const tree = branch[i];
        if (tree->kind != RF_TREE_CODE && tree->kind != RF_TREE_CLASS) {
            branch[kept++] = branch[i];
            continue;
        }
        if (joined++ == 0) {
            at = kept;
            branch[kept++] = branch[i];
        }
        if (tree->kind == RF_TREE_CODE) {
            *is_full = *is_full || !rf_code_set_add(&set, tree->code, tree->code);
        }
        for (uint32_t r = 0; r < tree->count; r++) {
            *is_full = *is_full || !rf_code_set_add(&set, tree->range[r].low, tree->range[r].high);
        }
    }
    if (joined > 1 && !*is_full) {
        rf_code_set_tidy(&set);
        branch[at] = rf_tree_class(maker, &set);
        *is_full = branch[at] == NULL;
    }
    return kept;
}

static struct rf_tree *sequences_choice(struct rf_tree_maker *maker, struct rf_tree **branch, uint32_t count)
{
    bool is_full = false;
    count = classes_join(maker, branch, count, &is_full);
    return is_full ? NULL : rf_tree_choice(maker, branch, count);
}

/* The end of the group that begins at `begin`: sequences with a common head, whose length goes to *heads, or empty
 * ones. */
static uint32_t group_end(const struct sequence *sequence, uint32_t begin, uint32_t count, uint32_t levels_left,
                          uint32_t *heads)
{
    const struct sequence *const first = &sequence[begin];
    uint32_t end = begin + 1;
    *heads = first->count;
    if (first->count == 0) {
        while (end < count && sequence[end].count == 0) {
            end++;
        }
        return end;
    }
    for (; end < count && levels_left != 0; end++) {
        const uint32_t common = head_count(first, &sequence[end]);
        if (common == 0) {
            break;
        }
        *heads = common < *heads ? common : *heads;
    }
    return end;
}

/* Sorted sequences to a tree. levels_left bounds the recursion. */
static struct rf_tree *sequences_factor(struct rf_tree_maker *maker, struct sequence *sequence, uint32_t count,
                                        uint32_t levels_left)
{
    struct rf_tree **const branch = RF_PUSH(maker->arena, struct rf_tree *, count);
    if (branch == NULL) {
        return NULL;
    }
    uint32_t branches = 0;
    for (uint32_t begin = 0, end = 0; begin < count; begin = end) {
        const struct sequence first = sequence[begin];
        uint32_t heads;
        end = group_end(sequence, begin, count, levels_left, &heads);
        struct rf_tree *tree;
        if (end - begin == 1 || first.count == 0) {
            tree = rf_tree_concat(maker, first.item, first.count);
        } else {
            for (uint32_t i = begin; i < end; i++) {
                sequence[i].item += heads;
                sequence[i].count -= heads;
            }
            struct rf_tree *const rest = sequences_factor(maker, sequence + begin, end - begin, levels_left - 1);
            struct rf_tree **const item = RF_PUSH(maker->arena, struct rf_tree *, heads + 1);
            if (rest == NULL || item == NULL) {
                return NULL;
            }
            memcpy(item, first.item, heads * sizeof(struct rf_tree *));
            item[heads] = rest;
            tree = rf_tree_concat(maker, item, heads + 1);
        }
        if (tree == NULL) {
            return NULL;
        }
        branch[branches++] = tree;
    }
    return sequences_choice(maker, branch, branches);
}

struct rf_tree *rf_tree_alternate(struct rf_tree_maker *maker, struct rf_tree **branch, uint32_t count)
{
    if (count == 1) {
        return branch[0];
    }
    struct sequence *const sequence = RF_PUSH(maker->arena, struct sequence, count);
    if (sequence == NULL) {
        return NULL;
    }
    uint32_t depth = 0;
    uint32_t repeats = 1;
    for (uint32_t i = 0; i < count; i++) {
        sequence[i] = (struct sequence){&branch[i], branch[i]->kind != RF_TREE_EMPTY};
        if (branch[i]->kind == RF_TREE_CONCAT) {
            sequence[i] = (struct sequence){branch[i]->child, branch[i]->count};
        }
        depth = branch[i]->depth > depth ? branch[i]->depth : depth;
        repeats = branch[i]->repeats > repeats ? branch[i]->repeats : repeats;
    }
    qsort(sequence, count, sizeof *sequence, sequence_compare);
    const uint32_t levels =
        depth < RF_TREE_FACTOR_DEPTH_MAX ? (RF_TREE_FACTOR_DEPTH_MAX - depth) / LEVELS_FOR_A_HEAD : 0;
    struct rf_tree *const tree = sequences_factor(maker, sequence, count, levels);
    return tree == NULL ? NULL : rf_tree_counted(maker, tree, repeats);
}
