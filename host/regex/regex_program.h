/* regex_program.h: the nondeterministic automaton, built backwards from its end.
 *
 * Purpose    Each node is made when the nodes it leads to are there (only loops are closed later), so that equal nodes can
 *            be made once: the classes of a script have many common ends in UTF-8.
 * Data       node[nodes] and range[ranges] as in regex.h.
 * Ownership  the arena of the caller; outgrown arrays stay there until it is freed.
 * Threads    one thread at a time.
 * Errors     RF_PROGRAM_NONE when a bound of regex.h is exceeded or the arena is full; every function that is given it
 *            gives it back, so that only the last result needs a look.
 */
#ifndef RF_REGEX_PROGRAM_H
#define RF_REGEX_PROGRAM_H

#include "regex.h"
#include "regex_tree.h"

#define RF_PROGRAM_NONE UINT32_MAX

struct rf_program {
    struct rf_arena *arena;
    struct rf_regex_node *node;
    uint32_t nodes, node_capacity;
    struct rf_regex_range *range;
    uint32_t ranges, range_capacity;
    uint32_t *cell; /* open addressing: RANGES nodes by what they hold, RF_PROGRAM_NONE where there is none */
    uint32_t cells, cells_used;
    uint32_t steps;   /* bounds the work where no node is added because it is there */
    uint32_t first;   /* node */
    uint32_t asserts; /* all that occur, enum rf_regex_assert */
    /* Whether a class with all that is not ASCII may be entered and left inside a code point, see regex_emit.c. */
    bool is_loose;
};

/* Ascending ranges that do not overlap; they are joined where they lead to the same node. count 0 is a dead end. */
uint32_t rf_program_ranges(struct rf_program *program, struct rf_regex_range *range, uint32_t count);
uint32_t rf_program_split(struct rf_program *program, uint32_t first, uint32_t second);
/* A split that is made before its first target is there, which rf_program_loop_body names later; gives the loop. */
uint32_t rf_program_loop(struct rf_program *program, uint32_t second);
uint32_t rf_program_loop_body(struct rf_program *program, uint32_t loop, uint32_t body);
uint32_t rf_program_assert(struct rf_program *program, enum rf_regex_assert assertion, uint32_t next);
uint32_t rf_program_match(struct rf_program *program);
/* Code points of tidy ranges, as the bytes of UTF-8, then next (regex_utf8.c). Surrogates are left out. */
uint32_t rf_program_class(struct rf_program *program, const struct rf_code_range *range, uint32_t count, uint32_t next);

/* A whole tree: fills a program that is zero but for its arena (regex_emit.c). False for a bound. */
bool rf_program_emit(struct rf_program *program, const struct rf_tree *tree, const struct rf_tree_maker *maker);
/* Leaves out nodes that cannot be reached, in new arrays in the given arena. */
bool rf_program_pack(const struct rf_program *program, struct rf_arena *arena, struct rf_program *packed);

#endif
