/* config.h: YAML nodes to structs by one table of fields, and the table as JSON Schema and as documentation.
 *
 * Purpose    A kind of file is a .def table of objects and fields (rules_field.def is one). From it come the reader with its
 *            messages, `riffle schema`, and the tables in docs/.
 * Data       An object of a file is a C struct that begins with struct rf_config_object; each field is a member of the type
 *            that its kind has:
 *              TEXT, EXPRESSION   struct rf_config_text
 *              INTEGER            int64_t              low..high
 *              DOUBLE             double
 *              BOOL               bool
 *              DURATION           int64_t              nanoseconds, written 5s, 10ms, 1h30m
 *              CHOICE             uint32_t             number of one of "one|other"
 *              LIST, MAP          struct rf_config_list of what `of` says: the types above, or structs of an object
 *              OBJECT             const STRUCT *       NULL: not given
 *              ANY                const struct rf_yaml_node *   read by whoever needs it
 *            An object with a short form may be given as the value of one of its fields alone.
 * Ownership  everything read lives in the arena, and borrows from the YAML tree.
 * Threads    the tables are constant; one reader, one thread.
 * Bounds     those of the YAML tree; low..high of a field also bound the count of a LIST or MAP.
 * Errors     RF_E_LIMIT when the arena is full; what is wrong with the file is a problem.
 * Source     JSON Schema 2020-12.
 */
#ifndef RF_CONFIG_H
#define RF_CONFIG_H

#include "yaml.h"

enum rf_config_kind {
    RF_CONFIG_TEXT,
    RF_CONFIG_EXPRESSION,
    RF_CONFIG_INTEGER,
    RF_CONFIG_DOUBLE,
    RF_CONFIG_BOOL,
    RF_CONFIG_DURATION,
    RF_CONFIG_CHOICE,
    RF_CONFIG_LIST,
    RF_CONFIG_MAP,
    RF_CONFIG_OBJECT,
    RF_CONFIG_ANY
};

struct rf_config_text {
    struct rf_str text;
    const struct rf_yaml_node *node; /* where it stands */
};

struct rf_config_object { /* first member of every struct that is read */
    const struct rf_yaml_node *node;
    uint64_t given; /* bit i: field i of the object was in the file */
};

struct rf_config_list { /* of a LIST or MAP */
    const void *item; /* [count] of the type of the kind; a const STRUCT array for objects */
    uint32_t count;
    const struct rf_yaml_node *const *node; /* [count] each one's value, with its key in a MAP */
};

struct rf_config_table;

struct rf_config_field {
    const char *key;
    enum rf_config_kind kind;
    enum rf_config_kind of;   /* LIST, MAP: of their items */
    uint32_t object;          /* OBJECT: which, in the table */
    size_t offset;            /* of the member in the struct */
    bool is_required;
    bool is_short;            /* the object may be given as this value alone */
    const char *choices;      /* CHOICE: "one|other" */
    int64_t low, high;        /* INTEGER; DOUBLE; DURATION in nanoseconds; LIST, MAP: of the count; TEXT, EXPRESSION: of the
                                 bytes */
    const char *standard;     /* the value when it is not given, as documentation has it; "" for none */
    const char *help;
};

struct rf_config_shape { /* an object */
    const char *name; /* "rule", as messages have it: "of a rule" */
    const char *help;
    size_t size_bytes, align_bytes;
    uint32_t field_begin, field_end; /* in the table */
};

struct rf_config_table {
    const char *name; /* "rules": riffle schema rules */
    const char *title;
    const struct rf_config_shape *shape; /* [shapes] the first is the file */
    uint32_t shapes;
    const struct rf_config_field *field;
    uint32_t fields;
};

/* Fills *out, a zeroed struct of the table's first object, with all that can be read; problems has the rest. */
enum rf_status rf_config_read(const struct rf_config_table *table, const struct rf_yaml_node *root,
                              struct rf_problems *problems, struct rf_arena *arena, void *out, struct rf_error *err);
/* The one of the texts that was probably meant; NULL when none is near. */
const char *rf_config_nearest(struct rf_str given, const char *const *known, size_t count);

enum rf_status rf_config_schema(const struct rf_config_table *table, struct rf_text *out, struct rf_error *err);
/* Markdown: a heading and a table for each object. */
enum rf_status rf_config_document(const struct rf_config_table *table, struct rf_text *out, struct rf_error *err);

#endif
