/* fix_xml.h: a dictionary file as it is written, both dialects in one form, references not yet resolved.
 *
 * Data       arrays of what was defined and chains of what was listed; texts as they stand in the file.
 * Ownership  everything lives in the arena of the document.
 * Threads    one thread.
 * Errors     RF_E_CONFIG and RF_E_LIMIT, with "name:line:column: " before the text.
 */
#ifndef RF_FIX_XML_H
#define RF_FIX_XML_H

#include "arena.h"
#include "status.h"
#include "str.h"

enum { RF_FIX_XML_NONE = -1 };

struct rf_fix_xml_place {
    uint32_t line; /* from 1 */
    uint32_t column;
};

struct rf_fix_xml_chain {
    int32_t first;
    int32_t last;
};

/* A field's or a code set's constant. */
struct rf_fix_xml_code {
    struct rf_str value;
    struct rf_str name;
    int32_t next;
};

struct rf_fix_xml_code_set { /* Orchestra; in QuickFIX one for each field, without a name */
    struct rf_fix_xml_place place;
    struct rf_str name;
    struct rf_str type;
    struct rf_fix_xml_chain codes;
};

struct rf_fix_xml_datatype { /* Orchestra */
    struct rf_str name;
    struct rf_str base;
};

struct rf_fix_xml_field {
    struct rf_fix_xml_place place;
    uint32_t tag;
    uint32_t length_tag;
    struct rf_str name;
    struct rf_str type; /* of a datatype or a code set */
    int32_t code_set;   /* QuickFIX: its own; RF_FIX_XML_NONE = has none */
};

enum rf_fix_xml_kind { RF_FIX_XML_FIELD, RF_FIX_XML_COMPONENT, RF_FIX_XML_GROUP };

/* Something that is listed: by name in QuickFIX, by number in Orchestra. */
struct rf_fix_xml_item {
    struct rf_fix_xml_place place;
    enum rf_fix_xml_kind kind;
    struct rf_str name; /* empty = by number */
    uint32_t id;        /* of a field its tag */
    bool is_inline;     /* a group of QuickFIX: name is that of its count, and children are what it lists */
    struct rf_fix_xml_chain children;
    int32_t next;
};

enum rf_fix_xml_definition_kind {
    RF_FIX_XML_DEFINES_COMPONENT,
    RF_FIX_XML_DEFINES_GROUP,
    RF_FIX_XML_DEFINES_MESSAGE,
    RF_FIX_XML_DEFINES_HEADER,
    RF_FIX_XML_DEFINES_TRAILER
};

struct rf_fix_xml_definition {
    struct rf_fix_xml_place place;
    enum rf_fix_xml_definition_kind kind;
    struct rf_str name;
    struct rf_str msg_type;
    uint32_t id;
    uint32_t count_tag; /* of a group of Orchestra */
    struct rf_fix_xml_chain items;
};

struct rf_fix_xml {
    struct rf_arena *arena;
    struct rf_str name; /* said in errors */
    struct rf_fix_xml_field *field;
    struct rf_fix_xml_code_set *code_set;
    struct rf_fix_xml_code *code;
    struct rf_fix_xml_datatype *datatype;
    struct rf_fix_xml_item *item;
    struct rf_fix_xml_definition *definition;
    uint32_t fields, code_sets, codes, datatypes, items, definitions;
    uint32_t fields_capacity, code_sets_capacity, codes_capacity, datatypes_capacity, items_capacity,
        definitions_capacity;
};

/* Reads the whole text. document->arena and .name are set by the caller, the rest is zero. */
enum rf_status rf_fix_xml_parse(struct rf_fix_xml *document, struct rf_str text, struct rf_error *err);

/* Fails with the place before the text. */
#define RF_FIX_XML_FAIL(err, document, place_, status, format, ...)                                                    \
    RF_FAIL((err), (status), "%.*s:%u:%u: " format, RF_STR_ARG((document)->name), (place_).line, (place_).column,      \
            __VA_ARGS__)

#endif
