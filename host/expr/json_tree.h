/* json_tree.h: one JSON record as a tree of spans: the reference reader.
 *
 * Purpose    Steps 1 and 2 of interp.h in plain code: structure of the whole record, then the tokens of touched values.
 * Data       node[N], N <= commas and opening brackets + 1, in document order: the children of a list or object follow
 * it, and next[i] is the node behind its whole subtree, so that a subtree is a run of nodes. Tokens     white space is
 * space, TAB, CR, LF. A string goes from a quote to the next quote that does not stand behind an odd run of
 * backslashes. A scalar is any other run of bytes outside { } [ ] : , " and white space. Nothing else is asked of
 * tokens while the tree is made. Problems   of the structure, the first in byte order: UNEXPECTED   a token that the
 * grammar has no place for, at its first byte BRACKET      a closing bracket of the wrong kind where one of the right
 * kind could stand OPEN_STRING  at the opening quote DEEP         at the bracket that opens level depth_max + 1 EXTRA
 * a token behind the value, at its first byte UNFINISHED   at the record's end of values: NUMBER (begins with - or a
 * digit) and LITERAL at the token; ESCAPE, SURROGATE, UTF8, CONTROL at the byte in the string that is wrong. Ownership
 * nodes live in the arena given to rf_tree_read; spans are offsets in the record's text, which must outlive it. Threads
 * immutable once read. Errors     RF_E_MEMORY when the arena is full; RF_E_LIMIT for texts of 4 GiB and more. Source
 * RFC 8259.
 */
#ifndef RF_JSON_TREE_H
#define RF_JSON_TREE_H

#include "arena.h"
#include "program.h"
#include "reason.h"
#include "status.h"

enum rf_tree_kind { RF_TREE_SCALAR, RF_TREE_STRING, RF_TREE_LIST, RF_TREE_OBJECT };

struct rf_tree_node {
    uint8_t kind;                /* enum rf_tree_kind */
    bool has_key;                /* a member of an object */
    bool has_key_escape;         /* its key holds a backslash */
    uint32_t begin, end;         /* quotes and brackets included */
    uint32_t key_begin, key_end; /* of the text between the key's quotes */
    uint32_t parent;             /* RF_NONE for the record's value */
    uint32_t next;               /* the node behind this one and everything in it */
    uint32_t count;              /* elements or members */
};

struct rf_tree {
    struct rf_str text;
    struct rf_tree_node *node;
    uint32_t nodes;
};

/* Step 1. On a malformed record (malformed->reason != 0) the tree must not be used. */
enum rf_status rf_tree_read(struct rf_tree *tree, struct rf_str text, uint32_t depth_max, struct rf_arena *arena,
                            struct rf_malformed *malformed, struct rf_error *err);

static inline bool rf_tree_is_container(const struct rf_tree *tree, uint32_t node)
{
    return tree->node[node].kind == RF_TREE_LIST || tree->node[node].kind == RF_TREE_OBJECT;
}

/* Text of a node as written, and of a string between its quotes. */
struct rf_str rf_tree_text(const struct rf_tree *tree, uint32_t node);
struct rf_str rf_tree_inside(const struct rf_tree *tree, uint32_t node);

/* The last member of an object under that name, or RF_NONE; also for nodes that are no objects. Keys compare by decoded
 * text; a key whose escapes are bad equals no name. The arena is scratch for keys with escapes. */
uint32_t rf_tree_member(const struct rf_tree *tree, uint32_t node, struct rf_str name, struct rf_arena *arena);
/* Element `index` of a list, or RF_NONE. */
uint32_t rf_tree_element(const struct rf_tree *tree, uint32_t node, size_t index);

/* Checks one scalar or string token (nothing of a list or object); with is_deep everything in it, keys included. The
 * first problem in byte order goes to *malformed unless that holds one at a smaller offset. */
void rf_tree_check(const struct rf_tree *tree, uint32_t node, bool is_deep, struct rf_malformed *malformed);
/* Step 2: finds where every path of the program leads, place[program->nodes], RF_NONE where it ends early, and does
 * rf_tree_check there. The arena is scratch. */
void rf_tree_place_paths(const struct rf_tree *tree, const struct rf_program *program, uint32_t *place,
                         struct rf_arena *arena, struct rf_malformed *malformed);
/* The same for those who do not ask for the places. */
enum rf_status rf_tree_check_paths(const struct rf_tree *tree, const struct rf_program *program, struct rf_arena *arena,
                                   struct rf_malformed *malformed, struct rf_error *err);

#endif
