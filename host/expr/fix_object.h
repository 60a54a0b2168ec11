/* fix_object.h: one object of a JSON text as fields: a message, or an entry of a group.
 *
 * Purpose    Keys to tags, values to kinds and texts, and which member says the count or length of which other: what
 *            fix_from_json.c then writes in order.
 * Data       member[members] in the order of the text, without those that are null; by_tag[members] the same, ascending by tag
 *            and then in that order.
 * Ownership  everything lives in the scratch arena.
 * Errors     false: refused (rf_fix_refuse has said why), or an operating error (status, err).
 */
#ifndef RF_FIX_OBJECT_H
#define RF_FIX_OBJECT_H

#include "fix_from_json.h"
#include "json_tree.h"

enum rf_fix_shape {
    RF_FIX_SHAPE_VALUE,
    RF_FIX_SHAPE_VALUES,  /* a list of them */
    RF_FIX_SHAPE_ENTRIES, /* a list of objects */
    RF_FIX_SHAPE_NOTHING, /* an empty list */
    RF_FIX_SHAPE_NULL,
    RF_FIX_SHAPE_WRONG
};

struct rf_fix_member_node {
    uint32_t node;
    uint32_t tag;
    uint32_t said; /* the member that says the count of entries, or the length of data; RF_NONE */
    uint8_t shape; /* enum rf_fix_shape */
    bool is_list;  /* the key is the name of a list */
    bool is_done;  /* written, or not to be written where it stands */
};

struct rf_fix_object {
    uint32_t node;
    struct rf_fix_member_node *member;
    uint32_t *by_tag;
    uint32_t members;
};

struct rf_fix_reading {
    const struct rf_fix_names *names;
    struct rf_tree tree;
    struct rf_arena *arena;
    struct rf_fix_refusal *refusal;
    struct rf_error *err;
    enum rf_status status; /* RF_OK: refused */
};

/* Always false. */
bool rf_fix_refuse(struct rf_fix_reading *reading, uint32_t node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A key or name for a message, cut when it is long. */
struct rf_str rf_fix_key_shown(const struct rf_fix_reading *reading, uint32_t node);
struct rf_str rf_fix_name_shown(const struct rf_fix_reading *reading, uint32_t tag, char digits[16]);

/* The members of an object, with `said` found out. */
bool rf_fix_object_read(struct rf_fix_reading *reading, uint32_t node, struct rf_fix_object *out);
/* The members of a tag: by_tag[*begin, result). */
uint32_t rf_fix_object_find(const struct rf_fix_object *object, uint32_t tag, uint32_t *begin);

/* A VALUE, or an element of VALUES, as the text of a field with that tag. */
bool rf_fix_node_text(struct rf_fix_reading *reading, uint32_t node, uint32_t tag, struct rf_str *out);
/* A number that says how many: its text as *out. */
bool rf_fix_node_says(struct rf_fix_reading *reading, uint32_t node, uint32_t tag, uint64_t count, const char *what,
                      struct rf_str *out);

/* The tag that says the length of the data of this one; 0: it is no data. */
uint32_t rf_fix_length_tag(const struct rf_fix_dict *dict, uint32_t tag);

#endif
