/* names.h: qualified names, containers and the names of types.
 *
 * Ownership  texts are borrowed; rf_chain_text writes into the caller's buffer.
 * Threads    pure.
 * Source     CEL language definition, "Name Resolution", "Values": types.
 */
#ifndef RF_NAMES_H
#define RF_NAMES_H

#include "ast.h"

enum {
    RF_CHAIN_MAX = 256, /* = RF_EXPR_DEPTH_MAX */
    RF_NAME_MAX = 512   /* bytes of a qualified name that is looked up; longer ones name nothing */
};

struct rf_chain { /* a.b.c: node[0] is the name a, node[1] selects b of it ... */
    struct rf_node *node[RF_CHAIN_MAX];
    uint32_t names;
};

/* The first `count` names joined by dots, behind the container; empty when it is longer than RF_NAME_MAX. */
struct rf_str rf_chain_text(const struct rf_chain *chain, uint32_t count, struct rf_str container,
                            char text[RF_NAME_MAX]);
/* "a.b" of "a.b.c"; "" of "a". */
struct rf_str rf_container_outer(struct rf_str container);

/* Types and the one constant that CEL knows by name: int, google.protobuf.Timestamp, net.IP ... */
bool rf_type_by_name(struct rf_str name, uint32_t *number);
struct rf_value rf_type_value(uint32_t number);

#endif
