/* fix_tree.h: which fields of a message are entries of repeating groups, and which stand twice in one place.
 *
 * Purpose    What writes a whole message (fix_json.h, fix_pretty.h) must nest its groups and must lose none of its fields.
 *            Here the flat run of fields is given that structure, once, by the rule of the reader (host/expr/fix_record.h):
 *            an entry begins with the group's first field, a group ends at the first field that is no member of it.
 * Data       field[i] u16  index in dict.field, or RF_FIX_NONE
 *            With has_lists, has_repeats or has_faults besides, else they hold garbage:
 *            mark[i] u16   enum rf_fix_mark
 *            list[i] u16   the group whose entries follow the field; RF_FIX_NONE for none. Also where there are no entries, if
 *                          the field says "0"
 *            next[i] u32   the next field with its tag in the same place; 0 for none
 *            A place is an entry without the entries in it, or the message without groups.
 * Ownership  rf_fix_tree_open/close. Arrays grow and are kept.
 * Threads    one struct for each thread; the dictionary is shared.
 * Errors     RF_E_MEMORY.
 * Cost       linear in the fields, times log of a group's members; tags unknown to the dictionary n log n when they are
 *            several and some tag repeats. Plain messages: one look-up a field.
 */
#ifndef RF_FIX_TREE_H
#define RF_FIX_TREE_H

#include "fix_groups.h"
#include "status.h"

struct rf_fix_tree {
    const struct rf_fix_dict *dict;
    const struct rf_fix_message *message; /* of the last message asked about; a cache */
    bool has_lists;
    bool has_repeats;
    bool has_faults; /* of groups */
    uint32_t fields_max;
    uint16_t *field;
    uint16_t *list;
    uint16_t *mark;
    uint32_t *next;
    uint32_t repeats_max; /* of the scratch below */
    uint32_t *seen;       /* [dict.fields] 1 + the last field of the message that is this one; 0: none */
    uint64_t *undo;       /* what `seen` was: value << 16 | index in the dictionary */
    uint64_t *unknown;    /* tag << 32 | i */
};

enum rf_status rf_fix_tree_open(struct rf_fix_tree *tree, const struct rf_fix_dict *dict, struct rf_error *err);
void rf_fix_tree_close(struct rf_fix_tree *tree);

enum rf_status rf_fix_tree_read(struct rf_fix_tree *tree, const struct rf_fix_view *view, struct rf_error *err);

/* The message's definition; NULL when it has no MsgType, or one that the dictionary lacks. */
const struct rf_fix_message *rf_fix_tree_message(struct rf_fix_tree *tree, const struct rf_fix_view *view);

/* One past the last field of the entries behind field i; i + 1 when there are none. Of a tree with marks. */
static inline uint32_t rf_fix_tree_list_end(const struct rf_fix_tree *tree, uint32_t fields, uint32_t i)
{
    const unsigned level = tree->mark[i] & RF_FIX_TREE_LEVEL;
    uint32_t end = i + 1;
    while (end < fields && (tree->mark[end] & RF_FIX_TREE_LEVEL) > level) {
        end++;
    }
    return end;
}

#endif
