/* fix_names.h: what a key of a JSON object means in a message: a field, or the list of a group's entries.
 *
 * Purpose    The way back from the keys that `riffle filter --emit json` writes to tags.
 * Data       A key is one of
 *              Symbol        the name of a field in the dictionary
 *              PartyIDs      the name of a group's list; it stands for the field that counts the entries
 *              55            a tag in digits, known to the dictionary or not
 *              Symbol(55)    both; when the dictionary knows either, they must belong together
 * Ownership  the index lives in the arena; the dictionary must outlive it.
 * Threads    immutable once made.
 * Errors     rf_fix_names_open: RF_E_LIMIT when the arena is full.
 * Cost       a look-up is a binary search; rf_fix_names_nearest looks at every name, and is for messages to people.
 */
#ifndef RF_FIX_NAMES_H
#define RF_FIX_NAMES_H

#include "arena.h"
#include "fix_dict.h"
#include "status.h"

struct rf_fix_list_name {
    struct rf_str name;
    uint32_t count_tag;
};

struct rf_fix_names {
    const struct rf_fix_dict *dict;
    struct rf_fix_list_name *list; /* ascending by name */
    uint32_t lists;
};

struct rf_fix_key {
    uint32_t tag;
    bool is_list; /* the name of a list; tag is that of the count */
};

enum rf_status rf_fix_names_open(struct rf_fix_names *names, const struct rf_fix_dict *dict, struct rf_arena *arena,
                                 struct rf_error *err);

/* False: nothing has that name, or the two halves of "name(tag)" do not belong together. */
bool rf_fix_names_find(const struct rf_fix_names *names, struct rf_str text, struct rf_fix_key *out);
/* The name that was probably meant; data NULL when none is near. */
struct rf_str rf_fix_names_nearest(const struct rf_fix_names *names, struct rf_str text);

#endif
