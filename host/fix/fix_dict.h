/* fix_dict.h: what a dictionary knows about FIX: fields, their types and constants, messages, repeating groups.
 *
 * Purpose    Names, types and structure by tag number. Nothing here is needed to read a message by tag number alone.
 * Data       plain tables: texts are places in one pool (a byte that says how many, then the bytes), other references
 *            are indexes into the tables; RF_FIX_NONE is no index. Ranges are runs of items, members or codes.
 *              field[]      ascending by tag
 *              item[]       what a message, group or component lists, as it was declared
 *              member[]     the same with components resolved, ascending by tag
 *            Anybody may loop over the tables, say for "did you mean"; the functions below look things up.
 * Ownership  built-in dictionaries are constants of the program; others live in the arena that they were read into.
 *            Texts that are returned point into the dictionary.
 * Threads    immutable once made: any number of threads.
 * Errors     lookups say NULL or false. A dictionary that the program holds is consistent; that of a file is checked by
 *            whoever reads it (fix_read.h).
 * Source     FIX 4.2, FIX 4.4 and the FIXT 1.1 session layer as the FIX Trading Community publishes them in Orchestra
 *            (host/fix/tables); NOTICE has the attribution.
 */
#ifndef RF_FIX_DICT_H
#define RF_FIX_DICT_H

#include "fix_type.h"
#include "str.h"

enum {
    RF_FIX_NONE = 0xffff,
    RF_FIX_FIELDS_MAX = 0xfffe, /* and so many groups, components, messages */
    RF_FIX_TAG_MAX = 999999999, /* nine digits */
    RF_FIX_DIGITS_BYTES = 16,   /* room for a tag in digits */
    RF_FIX_TEXT_MAX = 255,      /* bytes of a name or of a constant's value */
    RF_FIX_GROUP_DEPTH_MAX = 16 /* groups within groups; no dictionary has more levels, nor a group that holds itself */
};

enum rf_fix_place { RF_FIX_IN_BODY, RF_FIX_IN_HEADER, RF_FIX_IN_TRAILER };

struct rf_fix_range {
    uint32_t begin;
    uint32_t count;
};

struct rf_fix_field {
    uint32_t tag;
    uint32_t name;     /* text */
    uint32_t pair_tag; /* of a data field the one that says its length, and the other way round; else 0 */
    uint16_t code_set; /* its constants */
    uint16_t group;    /* the group whose entries it counts: the largest of all those in the dictionary */
    uint8_t type;      /* enum rf_fix_type */
    uint8_t place;     /* enum rf_fix_place */
};

struct rf_fix_code { /* a constant; those of a set ascend by value */
    uint32_t value;  /* text */
    uint32_t name;   /* text */
};

enum rf_fix_item_kind { RF_FIX_ITEM_FIELD, RF_FIX_ITEM_GROUP, RF_FIX_ITEM_COMPONENT };

struct rf_fix_item {
    uint16_t kind; /* enum rf_fix_item_kind */
    uint16_t at;   /* field, group or component */
};

struct rf_fix_member {
    uint16_t field;
    uint16_t group; /* the field counts its entries; RF_FIX_NONE for a plain field */
};

struct rf_fix_group {
    uint32_t name;        /* text: of the definition, "Parties"; may be empty */
    uint32_t list_name;   /* text: what the list of its entries is called, "PartyIDs" for NoPartyIDs; with "Grp" behind
                             it where a field has that name already: "SecurityAltIDGrp", "LinesOfTextGrp" */
    uint32_t id;          /* in Orchestra; 0 = none */
    uint16_t count_field; /* NoPartyIDs */
    uint16_t first_field; /* the delimiter: each entry begins with it */
    struct rf_fix_range item;
    struct rf_fix_range member;
};

struct rf_fix_component {
    uint32_t name; /* text */
    uint32_t id;   /* in Orchestra; 0 = none */
    struct rf_fix_range item;
};

struct rf_fix_message {
    uint32_t type;            /* text: the value of MsgType, "D" */
    uint32_t name;            /* text: "NewOrderSingle" */
    struct rf_fix_range item; /* of the body */
    struct rf_fix_range member;
};

struct rf_fix_dict {
    const char *name; /* "FIX.4.4" */
    const char *pool;
    const struct rf_fix_field *field;
    const uint16_t *field_by_name; /* [fields], indexes ascending by name; the newer of two of one name alone counts */
    const uint16_t *field_of_tag;  /* [tags_indexed]; fields of higher tags are searched for */
    const struct rf_fix_range *code_set;
    const struct rf_fix_code *code;
    const struct rf_fix_group *group;
    const struct rf_fix_component *component;
    const struct rf_fix_message *message; /* ascending by type */
    const struct rf_fix_item *item;
    const struct rf_fix_member *member;
    struct rf_fix_range header_item;
    struct rf_fix_range header_member;
    struct rf_fix_range trailer_item;
    struct rf_fix_range trailer_member;
    uint32_t pool_bytes;
    uint32_t fields;
    uint32_t names; /* of field_by_name */
    uint32_t tags_indexed;
    uint32_t code_sets;
    uint32_t codes;
    uint32_t groups;
    uint32_t components;
    uint32_t messages;
    uint32_t items;
    uint32_t members;
};

/* The dictionary of a BeginString ("FIX.4.2", "FIX.4.4", "FIXT.1.1") in any case and with or without its points
 * ("fix44"); NULL for another one. FIXT.1.1 has the session layer only: its header, trailer and session messages. */
const struct rf_fix_dict *rf_fix_dict_builtin(struct rf_str name);
/* All of them, NULL behind the last. */
const struct rf_fix_dict *const *rf_fix_dict_builtins(void);

static inline struct rf_str rf_fix_text(const struct rf_fix_dict *dict, uint32_t text)
{
    return (struct rf_str){dict->pool + text + 1, (unsigned char)dict->pool[text]};
}

/* --- fields --- */

const struct rf_fix_field *rf_fix_field_of_tag(const struct rf_fix_dict *dict, uint32_t tag);
const struct rf_fix_field *rf_fix_field_of_name(const struct rf_fix_dict *dict, struct rf_str name);
static inline struct rf_str rf_fix_field_name(const struct rf_fix_dict *dict, const struct rf_fix_field *field)
{
    return rf_fix_text(dict, field->name);
}
static inline enum rf_fix_class rf_fix_field_class(const struct rf_fix_field *field)
{
    return rf_fix_type_class((enum rf_fix_type)field->type);
}

/* Looked up, the name is this field's; and it is no number, which would be some field's tag. */
bool rf_fix_field_owns_name(const struct rf_fix_dict *dict, const struct rf_fix_field *field);
/* What a field is called in an entry of a group: its name, or its tag in digits when the name is another field's: no two
 * fields have one key. */
struct rf_str rf_fix_member_key(const struct rf_fix_dict *dict, const struct rf_fix_field *field,
                                char digits[RF_FIX_DIGITS_BYTES]);

/* --- constants --- */

/* The value that a constant of the field stands for: Side and "BUY" give "1". The name is taken as the dictionary has
 * it; failing that in the two manners that are in use, whichever the dictionary has: "PartiallyFilled" and
 * "PARTIALLY_FILLED" are the same, and where words begin does not matter ("T_PLUS_2", "TPlus2"). Fields of type Boolean
 * know YES and NO besides. False when there is none, or when several values could be meant. */
bool rf_fix_code_value(const struct rf_fix_dict *dict, const struct rf_fix_field *field, struct rf_str name,
                       struct rf_str *value);
/* The name of a value, as the dictionary has it. */
bool rf_fix_code_name(const struct rf_fix_dict *dict, const struct rf_fix_field *field, struct rf_str value,
                      struct rf_str *name);
/* The constants of a field; an empty range when it has none. */
struct rf_fix_range rf_fix_codes(const struct rf_fix_dict *dict, const struct rf_fix_field *field);

/* --- messages and groups --- */

const struct rf_fix_message *rf_fix_message_of_type(const struct rf_fix_dict *dict, struct rf_str type);
/* By its own name, or by that of its constant of MsgType where they differ (OrderSingle, NewOrderSingle in FIX 4.2). */
const struct rf_fix_message *rf_fix_message_of_name(const struct rf_fix_dict *dict, struct rf_str name);
/* Whether the message lists the field in its body, outside groups. */
bool rf_fix_message_has(const struct rf_fix_dict *dict, const struct rf_fix_message *message, uint32_t tag);

/* The group that the field `count_tag` begins in a message outside other groups: in its body or in the header. Message
 * NULL (a type that the dictionary lacks), and a message that does not list the field, give the largest group of this
 * count, so that the parties of a message that was extended are read all the same. NULL when it counts none. */
const struct rf_fix_group *rf_fix_group_of_message(const struct rf_fix_dict *dict, const struct rf_fix_message *message,
                                                   uint32_t count_tag);
/* What a tag is in an entry of the group: NULL when it is foreign, which ends the group; otherwise a member, which may
 * itself count the entries of a group. O(log members). */
const struct rf_fix_member *rf_fix_group_member(const struct rf_fix_dict *dict, const struct rf_fix_group *group,
                                                uint32_t tag);
static inline uint32_t rf_fix_group_delimiter(const struct rf_fix_dict *dict, const struct rf_fix_group *group)
{
    return dict->field[group->first_field].tag;
}

#endif
