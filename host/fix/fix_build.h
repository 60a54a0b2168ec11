/* fix_build.h: a dictionary in the making.
 *
 * Purpose    Readers of XML and the merging of two dictionaries fill one of these; rf_fix_build_finish lays out the
 *            tables of fix_dict.h.
 * Data       growing arrays; what a message, group or component lists is a chain of items. Indexes are 32 bits here and
 *            are checked when the tables are laid out.
 * Ownership  everything lives in the arena that rf_fix_build_init was given; texts are copied into it.
 * Threads    one thread.
 * Errors     RF_E_LIMIT when a bound is exceeded, RF_E_CONFIG when the dictionary makes no sense.
 */
#ifndef RF_FIX_BUILD_H
#define RF_FIX_BUILD_H

#include "arena.h"
#include "fix_dict.h"
#include "intern.h"
#include "status.h"

enum {
    RF_FIX_NOWHERE = -1,
    RF_FIX_ITEMS_MAX = 1 << 20, /* and so many codes, members */
    RF_FIX_WORK_MAX = 1 << 27,  /* steps along chains: about a second */
    RF_FIX_NEST_MAX = 32        /* components and groups within each other */
};

struct rf_fix_chain { /* of items or codes, by index; first is RF_FIX_NOWHERE when empty */
    int32_t first;
    int32_t last;
};

struct rf_fix_build_field {
    uint32_t tag;
    enum rf_fix_type type;
    struct rf_str name;
    int32_t code_set;    /* or RF_FIX_NOWHERE */
    uint32_t length_tag; /* of a data field, as far as the input says it; 0 = by its number or name */
    bool owns_codes;     /* the set is of this field alone and may be added to */
};

struct rf_fix_build_code {
    struct rf_str value;
    struct rf_str name;
    int32_t next;
};

struct rf_fix_build_item {
    enum rf_fix_item_kind kind;
    uint32_t at;
    int32_t next;
};

struct rf_fix_build_group {
    struct rf_str name;
    uint32_t id;
    uint32_t count_field;
    struct rf_fix_chain items;
};

struct rf_fix_build_component {
    struct rf_str name;
    uint32_t id;
    struct rf_fix_chain items;
};

struct rf_fix_build_message {
    struct rf_str type;
    struct rf_str name;
    struct rf_fix_chain items;
};

struct rf_fix_build {
    struct rf_arena *arena;
    uint64_t work;
    struct rf_fix_build_field *field;
    struct rf_fix_chain *code_set;
    struct rf_fix_build_code *code;
    struct rf_fix_build_item *item;
    struct rf_fix_build_group *group;
    struct rf_fix_build_component *component;
    struct rf_fix_build_message *message;
    struct rf_fix_chain header;
    struct rf_fix_chain trailer;
    uint32_t fields, code_sets, codes, items, groups, components, messages;
    uint32_t fields_capacity, code_sets_capacity, codes_capacity, items_capacity, groups_capacity, components_capacity,
        messages_capacity;
    struct rf_intern field_of_tag; /* 4 bytes of the tag */
    struct rf_intern field_of_name;
    struct rf_intern message_of_type;
    struct rf_intern component_of_name;
    struct rf_intern group_of_name; /* of groups that have a name */
};

void rf_fix_build_init(struct rf_fix_build *build, struct rf_arena *arena);
/* Takes a dictionary over into an empty build, indexes unchanged. */
enum rf_status rf_fix_build_load(struct rf_fix_build *build, const struct rf_fix_dict *dict, struct rf_error *err);

/* Each adds one thing and says its index. A field of a tag that is there already gets the new name and type, and keeps
 * its constants. */
enum rf_status rf_fix_build_field(struct rf_fix_build *build, uint32_t tag, struct rf_str name, enum rf_fix_type type,
                                  uint32_t *at, struct rf_error *err);
/* Of all fields of its name this one is meant. */
enum rf_status rf_fix_build_name(struct rf_fix_build *build, uint32_t field, struct rf_error *err);
enum rf_status rf_fix_build_code_set(struct rf_fix_build *build, uint32_t *at, struct rf_error *err);
enum rf_status rf_fix_build_code(struct rf_fix_build *build, uint32_t code_set, struct rf_str value, struct rf_str name,
                                 struct rf_error *err);
enum rf_status rf_fix_build_group(struct rf_fix_build *build, struct rf_str name, uint32_t id, uint32_t count_field,
                                  uint32_t *at, struct rf_error *err);
enum rf_status rf_fix_build_component(struct rf_fix_build *build, struct rf_str name, uint32_t id, uint32_t *at,
                                      struct rf_error *err);
/* The message of that type, with its new name; it is made when there is none. */
enum rf_status rf_fix_build_message(struct rf_fix_build *build, struct rf_str type, struct rf_str name, uint32_t *at,
                                    struct rf_error *err);
/* Appends unless the chain has it. The chain may be part of an array that grows meanwhile only if it is not moved. */
enum rf_status rf_fix_build_item(struct rf_fix_build *build, struct rf_fix_chain *chain, enum rf_fix_item_kind kind,
                                 uint32_t at, struct rf_error *err);
/* Counts steps; RF_E_LIMIT when there have been too many. */
enum rf_status rf_fix_build_work(struct rf_fix_build *build, uint32_t steps, struct rf_error *err);

/* UINT32_MAX when there is none. */
uint32_t rf_fix_build_find_field(struct rf_fix_build *build, uint32_t tag);

/* Lays out the tables in another arena. */
enum rf_status rf_fix_build_finish(struct rf_fix_build *build, struct rf_arena *arena, struct rf_str name,
                                   const struct rf_fix_dict **out, struct rf_error *err);

#endif
