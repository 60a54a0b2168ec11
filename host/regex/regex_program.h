/* regex_program.h: the nondeterministic automaton, built backwards from its end.
 *
 * Purpose    Each node is made when the nodes it leads to are there (only loops are closed later), so that equal nodes
 *            can be made once: the classes of a script have many common ends in UTF-8.
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

/* Nodes of one group stand for each other: whatever is matched from one of them is also matched from one of a higher
 * rank, so that of a set of nodes only the highest is needed (regex_copies.c). Group 0 is none. */
struct rf_program_role {
    uint32_t group, rank;
    uint32_t chain; /* of the copies that it was given for */
};

struct rf_program {
    struct rf_arena *arena;
    struct rf_regex_node *node;
    struct rf_program_role *role; /* [nodes] */
    uint32_t groups, chains;      /* the highest numbers of one */
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

/* A copy of a repeated part: the nodes that were made for it, and the node behind it. */
struct rf_program_copy {
    uint32_t begin, end;
    uint32_t exit;
    uint32_t chain; /* a number that all copies of one repetition have, and no others */
};

static inline bool rf_program_is_match(const struct rf_program *program, uint32_t at)
{
    return at != RF_PROGRAM_NONE && program->node[at].op == RF_REGEX_MATCH;
}
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

/* Gives the nodes of two copies that were made one after the other their roles, if the copies are alike. What is
 * matched from the exit of the lower one must also be matched from that of the other. */
void rf_program_rank_copies(struct rf_program *program, const struct rf_program_copy *lower,
                            const struct rf_program_copy *higher);

/* A whole tree: fills a program that is zero but for its arena (regex_emit.c). False for a bound. */
bool rf_program_emit(struct rf_program *program, const struct rf_tree *tree, const struct rf_tree_maker *maker);
/* The bytes that a match may begin with, as in regex.h; false when a match may be empty or the arena is full. */
bool rf_program_first_bytes(const struct rf_program *program, uint64_t first_byte[4]);
/* Leaves out nodes that cannot be reached, in new arrays in the given arena. */
bool rf_program_pack(const struct rf_program *program, struct rf_arena *arena, struct rf_program *packed);

#endif
