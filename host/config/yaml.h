/* yaml.h: a YAML file as a tree of nodes that know their places.
 *
 * Purpose    The strict part of YAML 1.2 that configuration needs: one document; scalars, sequences, mappings with scalar
 *            keys; anchors and aliases. Refused: tags other than !!str, duplicate keys, keys that are no scalars, a second
 *            document. What a plain scalar is (number, bool, null) follows the core schema.
 * Data       source[B] bytes; a node is source bytes [begin, end). The children of a node are linked; a mapping's
 *            children are its values, each with its key.
 * Ownership  nodes and texts live in the arena; the source is borrowed and must outlive them.
 * Threads    immutable once read.
 * Bounds     RF_YAML_BYTES_MAX, RF_YAML_DEPTH_MAX, RF_YAML_NODES_MAX where an alias counts as often as what it stands
 *            for, so that aliases of aliases do not multiply. No recursion.
 * Errors     RF_E_LIMIT, RF_E_MEMORY; what is wrong with the file is a problem, and RF_E_CONFIG.
 * Source     YAML 1.2.2; its text is read by libfyaml, event by event.
 */
#ifndef RF_YAML_H
#define RF_YAML_H

#include "arena.h"
#include "problem.h"

enum {
    RF_YAML_BYTES_MAX = 64 * 1024 * 1024,
    RF_YAML_DEPTH_MAX = 32,
    RF_YAML_NODES_MAX = 4 * 1024 * 1024,
    RF_YAML_ANCHORS_MAX = 1024
};

enum rf_yaml_kind { RF_YAML_SCALAR, RF_YAML_SEQUENCE, RF_YAML_MAPPING };

enum rf_yaml_style {
    RF_YAML_PLAIN,
    RF_YAML_TAGGED, /* plain behind !!str: a text, whatever it looks like */
    RF_YAML_SINGLE_QUOTED,
    RF_YAML_DOUBLE_QUOTED,
    RF_YAML_LITERAL, /* | */
    RF_YAML_FOLDED   /* > */
};

struct rf_yaml_node {
    enum rf_yaml_kind kind;
    enum rf_yaml_style style;   /* SCALAR */
    uint32_t begin, end;        /* bytes of the source; of a block scalar from its first line of text on */
    struct rf_str text;         /* SCALAR: decoded */
    struct rf_str key;          /* in a mapping: decoded */
    uint32_t key_begin, key_end;
    uint32_t children;
    uint32_t size;              /* nodes below and this one, aliases counted in full */
    uint32_t depth;             /* of what is below: 1 for a scalar; at most RF_YAML_DEPTH_MAX */
    const struct rf_yaml_node *first_child; /* of an alias: those of what it stands for */
    const struct rf_yaml_node *next;        /* sibling */
};

struct rf_yaml_limits { /* 0: the defaults above */
    uint32_t bytes_max, depth_max, nodes_max, anchors_max;
};

/* *out is NULL for a file without content, and for one that could not be read to its end. problems must be open, with the
 * source. RF_E_CONFIG with a tree: what the tree has no place for is wrong, such as a key that is there twice. */
enum rf_status rf_yaml_read(struct rf_problems *problems, const struct rf_yaml_limits *limits, struct rf_arena *arena,
                            const struct rf_yaml_node **out, struct rf_error *err);
/* The value under a key, or NULL. */
const struct rf_yaml_node *rf_yaml_find(const struct rf_yaml_node *mapping, struct rf_str key);
/* What people call it: "a list", "a mapping", "a number", "null" ... */
const char *rf_yaml_noun(const struct rf_yaml_node *node);
/* Core schema, plain scalars only. */
bool rf_yaml_is_null(const struct rf_yaml_node *node);
bool rf_yaml_bool(const struct rf_yaml_node *node, bool *value);
/* A number as JSON writes it. What else the core schema takes for one (+1, .5, 007, 0x1f, .inf) is a text here. */
bool rf_yaml_is_number(const struct rf_yaml_node *node);
/* What is said then, of the text as %.*s. */
#define RF_YAML_DOUBT "'%.*s' is no number here (write it as 1000 or 0.5), and a text stands in quotes"

/* A plain text that other readers of YAML take for a number, or people do: .5, 1_000, 0x10, 007. Whoever takes texts and numbers
 * alike must ask which is meant. */
bool rf_yaml_is_doubtful(const struct rf_yaml_node *node);

/* Which source bytes a byte of the decoded text comes from. Exact where the text stands as it is in the file: plain and
 * quoted scalars on one line, block scalars of style |. Where lines are folded (style >, scalars over several lines) every
 * byte that is no white space is exact, and white space is near. An offset behind the text, or in white space that ends it,
 * is behind its last other byte. */
uint32_t rf_yaml_place(struct rf_str source, const struct rf_yaml_node *scalar, size_t offset);

/* A mapping, sequence or scalar as JSON: plain numbers, bools and null as such, with their digits as written; all else
 * are strings. Aliases are written out. */
enum rf_status rf_yaml_write_json(const struct rf_yaml_node *node, struct rf_text *out, struct rf_error *err);

#endif
