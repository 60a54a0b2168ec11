/* slots.h: which values of a record the program reads, each once.
 *
 * Purpose    Turns paths (msg.a["b"][2], raw, now, record.number) into slots and grows the trie of message paths. Part of
 *            the planner.
 * Data       as program.h has it: slot[F], node[N]; node 0 is the message; every other node has a slot.
 * Bounds     RF_SLOTS_MAX slots, hidden ones included.
 * Ownership  everything lives in the arena.
 * Threads    one thread.
 * Errors     RF_E_LIMIT: too many slots, or the arena is full.
 */
#ifndef RF_SLOTS_H
#define RF_SLOTS_H

#include "ast.h"

enum { RF_SLOTS_MAX = 4096 };

struct rf_slots {
    struct rf_arena *arena;
    struct rf_slot *slot;
    uint32_t slots;
    uint32_t slots_capacity;
    struct rf_trie_node *node;
    uint32_t nodes;
    uint32_t nodes_capacity;
    uint32_t depth_max;
    uint32_t root_slot[RF_ROOT_RECORD_ABSENT]; /* of RAW .. NOW, RF_NONE until used */
};

enum rf_status rf_slots_open(struct rf_slots *slots, struct rf_arena *arena, struct rf_error *err);
/* Is the node (of a folded tree) a path? For RF_NODE_HAS: is the tested field one? */
bool rf_slots_is_path(const struct rf_node *node);
/* msg.a.?b: a path whose last step is optional. It reads the slot of msg.a.b, but is another value. */
bool rf_slots_is_optional_step(const struct rf_node *node);
/* Sets node->slot of a path or optional step; the slot is no longer hidden. is_deep is only ever added. Members that a file has not
 * (RF_ROOT_RECORD_ABSENT) get a slot each. */
enum rf_status rf_slots_use(struct rf_slots *slots, struct rf_node *path, bool is_deep, struct rf_error *err);

#endif
