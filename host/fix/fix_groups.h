/* fix_groups.h: the repeating groups of a message: which fields are in them, and whether they are what the message and the
 * dictionary say.
 *
 * Purpose    One walk, for who wants the structure (fix_tree.h) and for who wants its faults (fix.meta.foreignTags).
 * Data       An entry begins with the group's first field, and a group ends at the first field that is no member of it.
 *            in   dict, view, message; field[i] u16: index in dict.field or RF_FIX_NONE, when that is known already
 *            out  when they are not NULL, and cleared before (0, RF_FIX_NONE):
 *                 mark[i] u16  enum rf_fix_mark
 *                 list[i] u16  the group whose entries follow the field. Also where there are none, if the field says "0"
 *                 foreign      fields that end a group although its count promises another entry, or that the dictionary lists
 *                              neither in the group nor in what is around it: what a member looks like that it does not know.
 *                              The trailer is none of them. A field that ends several groups counts once
 *                 miscounts    counts that are not the number of entries behind them
 * Threads    pure. Recursion is as deep as groups nest (RF_FIX_GROUP_DEPTH_MAX).
 * Cost       linear in the fields, times log of a group's members.
 */
#ifndef RF_FIX_GROUPS_H
#define RF_FIX_GROUPS_H

#include "fix_dict.h"
#include "fix_view.h"

enum rf_fix_mark {
    RF_FIX_TREE_LEVEL = 0x1f,     /* how many groups the field is in */
    RF_FIX_TREE_REPEAT = 0x40,    /* its place had its tag before */
    RF_FIX_TREE_FIRST = 0x80,     /* an entry begins with it */
    RF_FIX_TREE_MISCOUNT = 0x100, /* it counts other entries than there are */
    RF_FIX_TREE_FOREIGN = 0x200   /* a group ends at it that should not */
};

struct rf_fix_groups {
    const struct rf_fix_dict *dict;
    const struct rf_fix_view *view;
    const struct rf_fix_message *message; /* NULL: the dictionary lacks it */
    const uint16_t *field;
    uint16_t *mark;
    uint16_t *list;
    uint32_t foreign;
    uint32_t miscounts;
    uint32_t lists;   /* outside of others */
    uint32_t counted; /* one past the field that was counted as foreign last */
};

void rf_fix_groups_walk(struct rf_fix_groups *groups);

/* The definition of a message by its first field 35; NULL: it has none, or one that the dictionary lacks. */
const struct rf_fix_message *rf_fix_view_message(const struct rf_fix_dict *dict, const struct rf_fix_view *view);

#endif
