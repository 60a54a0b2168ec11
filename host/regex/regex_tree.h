/* regex_tree.h: the syntax tree of a regular expression, made simple while it is built.
 *
 * Purpose    Only whether a text has a match is asked. So groups, their names and laziness leave no trace here, and
 *            the order of alternatives means nothing.
 * Data       nodes never change once they are made and may have several parents. depth counts nodes from here to the
 *            farthest leaf; repeats is the largest product of counts {n} on such a way.
 * Ownership  everything lives in the arena that the parser was given.
 * Threads    one thread at a time.
 * Errors     NULL when the arena is full or the tree would be deeper than RF_TREE_DEPTH_MAX.
 */
#ifndef RF_REGEX_TREE_H
#define RF_REGEX_TREE_H

#include "code_set.h"
#include "regex.h"

enum {
    /* Bounds the recursion of everything that walks a tree. Each of RF_REGEX_NESTING_MAX groups adds five levels at
     * most (alternatives, items, repetition, two that carry a count), so that none is refused for this. */
    RF_TREE_DEPTH_MAX = 1600,
    /* Common heads of alternatives are taken out only up to here, for each adds two levels of its own. */
    RF_TREE_FACTOR_DEPTH_MAX = 500,
    RF_TREE_ENDLESS = -1
};

enum rf_tree_kind {
    RF_TREE_EMPTY,     /* the empty text */
    RF_TREE_CODE,      /* one code point */
    RF_TREE_CLASS,     /* one of a set of code points; the empty set matches nowhere */
    RF_TREE_BYTE,      /* \C */
    RF_TREE_ASSERT,    /* the empty text at certain places */
    RF_TREE_CONCAT,    /* children one after the other; at least one */
    RF_TREE_ALTERNATE, /* one of the children; at least two */
    RF_TREE_REPEAT     /* the child min to max times */
};

struct rf_tree {
    uint8_t kind;      /* enum rf_tree_kind */
    uint8_t assertion; /* ASSERT: one enum rf_regex_assert */
    uint16_t depth;
    uint32_t serial; /* numbers nodes in the order they are made */
    uint32_t repeats;
    uint32_t count;   /* CLASS: ranges. CONCAT, ALTERNATE: children */
    uint32_t code;    /* CODE */
    int32_t min, max; /* REPEAT: max may be RF_TREE_ENDLESS */
    union {
        const struct rf_code_range *range; /* CLASS: tidy */
        struct rf_tree **child;            /* REPEAT has one */
    };
};

struct rf_tree_maker {
    struct rf_arena *arena;
    uint32_t nodes;
    uint32_t asserts; /* all that were made, enum rf_regex_assert */
    bool has_byte;    /* a BYTE was made */
};

struct rf_tree *rf_tree_empty(struct rf_tree_maker *maker);
struct rf_tree *rf_tree_code(struct rf_tree_maker *maker, uint32_t code);
/* A tidy set. One code point gives a CODE. */
struct rf_tree *rf_tree_class(struct rf_tree_maker *maker, const struct rf_code_set *set);
struct rf_tree *rf_tree_byte(struct rf_tree_maker *maker);
struct rf_tree *rf_tree_assert(struct rf_tree_maker *maker, enum rf_regex_assert assertion);
/* The arrays are copied. No item gives EMPTY, one item gives itself. */
struct rf_tree *rf_tree_concat(struct rf_tree_maker *maker, struct rf_tree *const *item, uint32_t count);
/* The node for alternatives as they are; rf_tree_alternate is what makes few of them. */
struct rf_tree *rf_tree_choice(struct rf_tree_maker *maker, struct rf_tree *const *branch, uint32_t count);
struct rf_tree *rf_tree_repeat(struct rf_tree_maker *maker, struct rf_tree *item, int32_t min, int32_t max);
/* The same with a higher count of repeats: whether a pattern is refused must not depend on what was simplified away. */
struct rf_tree *rf_tree_counted(struct rf_tree_maker *maker, struct rf_tree *tree, uint32_t repeats);
/* Takes out the common heads of branches and joins branches of one code point to a class (regex_factor.c). The array
 * is sorted in the course of it. */
struct rf_tree *rf_tree_alternate(struct rf_tree_maker *maker, struct rf_tree **branch, uint32_t count);

#endif
