/* atoms.h: boolean leaves to atoms: one column against one constant where there is such a form, else a tree for the
 * host.
 *
 * Purpose    rf_atoms_add looks at a leaf of the boolean structure (anything but && || ! ?: and !=, which the planner
 *            takes apart), uses its slots and gives the number of its atom. Equal leaves share an atom: `5 < x` and `x
 *            > 5.0` are one.
 * Data       atom[A], host[H] as compile.h has them; host_reason[H] says why a row may have to ask the interpreter.
 * Bounds     RF_ATOMS_MAX atoms.
 * Ownership  everything lives in the arena; trees are borrowed and get their slots.
 * Threads    one thread.
 * Errors     RF_E_LIMIT: too many atoms or slots, or the arena is full; RF_E_MEMORY.
 */
#ifndef RF_ATOMS_H
#define RF_ATOMS_H

#include "calc_plan.h"
#include "intern.h"
#include "slots.h"

enum { RF_ATOMS_MAX = 1024 * 1024 };

struct rf_atoms {
    struct rf_arena *arena;
    struct rf_slots *slots;
    struct rf_calcs calcs;
    struct rf_atom *atom;
    uint32_t atoms;
    uint32_t atoms_capacity;
    struct rf_node **host;
    const char **host_reason;
    uint32_t hosts;
    uint32_t hosts_capacity;
    uint32_t reasons_capacity;
    struct rf_intern known; /* key text to atom */
    struct rf_text key;     /* scratch */
};

void rf_atoms_open(struct rf_atoms *atoms, struct rf_arena *arena, struct rf_slots *slots, bool is_strict_cel);
void rf_atoms_close(struct rf_atoms *atoms); /* the scratch only */
/* RF_NONE in *number: an error for every record (a member of the envelope that this input has not). */
enum rf_status rf_atoms_add(struct rf_atoms *atoms, struct rf_node *leaf, uint32_t *number, struct rf_error *err);
/* Gives every path below a tree its slot, for the interpreter: projections, and leaves that go to the host. */
enum rf_status rf_atoms_use_tree(struct rf_atoms *atoms, struct rf_node *tree, struct rf_error *err);

#endif
