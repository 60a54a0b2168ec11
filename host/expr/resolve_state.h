/* resolve_state.h: what the files of the resolver share: the variables in scope, and how nodes are made.
 *
 * Purpose    resolve.c has names and calls, resolve_macro.c the macros, resolve_message.c the message constructors,
 *            resolve_fix.c the names of FIX, resolve_entry.c those within its groups, resolve_compare.c both beside constants.
 * Threads    one resolver, one thread.
 * Errors     functions that give a node give NULL when they failed: status, diagnostic and err say how.
 */
#ifndef RF_RESOLVE_STATE_H
#define RF_RESOLVE_STATE_H

#include "fix_dict.h"
#include "resolve.h"

enum { RF_SCOPE_MAX = RF_LOCALS_MAX, RF_FIX_NAME_BYTES = RF_FIX_TEXT_MAX + 32 };

struct rf_variable {
    struct rf_str name; /* empty: a value of a block, which only cel.index() reaches */
    uint32_t local;
    const struct rf_fix_entries *entries; /* what it holds; NULL: not known to be entries */
};

struct rf_resolver {
    struct rf_str source;
    const struct rf_env *env;
    struct rf_arena *arena;
    struct rf_fix_accesses *accesses; /* where env->fix is set */
    struct rf_diagnostic *diagnostic;
    struct rf_error *err;
    enum rf_status status;
    struct rf_variable *scope; /* the innermost last */
    uint32_t scopes;
    uint32_t scopes_capacity;
    uint32_t locals;     /* in use */
    uint32_t locals_max; /* at once */
    uint32_t copied;     /* nodes of definitions */
    bool is_in_block;
    uint32_t block_first; /* locals of the values of the innermost block that are known already */
    uint32_t block_count;
};

#define RF_RESOLVER_FAIL(r, at, ...)                                                                                   \
    ((r)->status =                                                                                                     \
         rf_diagnostic_fail((r)->diagnostic, (r)->source, (at).begin, (at).end, (r)->err, __VA_ARGS__))

static inline struct rf_span rf_resolver_span(uint32_t begin, uint32_t end)
{
    return (struct rf_span){begin, end};
}

/* resolve_scope.c */
bool rf_resolver_local(const struct rf_resolver *r, struct rf_str name, uint32_t *local);
/* Puts a variable into scope and gives its place; false when there are too many. */
bool rf_resolver_enter(struct rf_resolver *r, struct rf_str name, struct rf_span at, uint32_t *local);
/* Takes the last `count` variables out of scope. */
void rf_resolver_leave(struct rf_resolver *r, uint32_t count);
struct rf_node *rf_resolver_node(struct rf_resolver *r, enum rf_node_kind kind, struct rf_span span, uint32_t args);
int rf_resolver_shown(struct rf_str name); /* bytes of a name that a message repeats */

/* resolve_definition.c */
bool rf_resolver_is_defined(const struct rf_resolver *r, struct rf_str name);
/* What the name `node`, which is defined, stands for. */
struct rf_node *rf_resolve_definition(struct rf_resolver *r, const struct rf_node *node);

/* resolve.c */
struct rf_node *rf_resolver_fail_full(struct rf_resolver *r); /* always NULL: the arena is full */
struct rf_node *rf_resolver_become_error(struct rf_resolver *r, struct rf_node *node, const char *text);
struct rf_node *rf_resolve_node(struct rf_resolver *r, struct rf_node *node, bool is_type_meant);
/* resolve_macro.c: node->function is a macro, the number of its arguments is right. */
struct rf_node *rf_resolve_macro(struct rf_resolver *r, struct rf_node *node);
/* resolve_fix.c: where env->fix is set. The last of a chain of names whose first is no variable. */
struct rf_chain;
struct rf_node *rf_resolve_fix_chain(struct rf_resolver *r, struct rf_node *node, const struct rf_chain *chain);
/* fix[55], fix.?Symbol; fix.raw(44), fix.all(448), 44 in fix. False: the node is none of these. */
bool rf_resolve_fix_step(struct rf_resolver *r, struct rf_node *node, struct rf_node **out);
bool rf_resolve_fix_call(struct rf_resolver *r, struct rf_node *node, struct rf_node **out);
/* has() of a leaf that one of the others made. */
struct rf_node *rf_resolve_fix_has(struct rf_resolver *r, struct rf_node *leaf);
/* The node becomes a leaf that stands for the access, or for the group of that tag. */
struct rf_node *rf_resolver_become_access(struct rf_resolver *r, struct rf_node *node, struct rf_fix_access access);
struct rf_node *rf_resolver_become_group(struct rf_resolver *r, struct rf_node *node, struct rf_str name, uint32_t tag);
/* A constant tag, or the name of a field. */
bool rf_resolver_tag(const struct rf_resolver *r, const struct rf_node *node, uint32_t *tag);
/* A name that an older version has for a tag which the dictionary knows under another one: LastShares is LastQty. */
bool rf_fix_older_name(const struct rf_fix_dict *dict, struct rf_str name, uint32_t *tag);

/* What was meant by a name: the nearest of those that are tried. */
struct rf_guess {
    struct rf_str name; /* wanted */
    struct rf_str best;
    size_t distance;
};

struct rf_guess rf_guess_begin(struct rf_str name);
void rf_guess_try(struct rf_guess *guess, struct rf_str known);
/* Always NULL: "WHAT 'name' (did you mean 'best'?)". */
struct rf_node *rf_resolver_fail_guess(struct rf_resolver *r, struct rf_span at, const struct rf_guess *guess,
                                       const char *what);

/* resolve_entry.c, where env->fix is set: a node whose parts are resolved. Members of entries are looked up and checked, and
 * node->entries is set. */
struct rf_node *rf_resolve_entry(struct rf_resolver *r, struct rf_node *node);
/* e.group(802). False: not of an entry. */
bool rf_resolve_entry_group(struct rf_resolver *r, struct rf_node *node, struct rf_node **out);
/* What a macro runs over, or an index takes from: the count of a group stands for its entries there. */
struct rf_node *rf_resolve_counted(struct rf_resolver *r, struct rf_node *node);
/* Says what the variables of a macro hold, which are in scope. */
void rf_resolver_set_entries(struct rf_resolver *r, enum rf_function function, const struct rf_fix_entries *range,
                             uint32_t local, uint32_t variables);
/* The field that a node reads of an entry; NULL: it is no such member, or one of several fields. */
const struct rf_fix_field *rf_resolver_member(const struct rf_resolver *r, const struct rf_node *node);
/* resolve_compare.c: an operator whose operands are resolved. */
struct rf_node *rf_resolve_fix_compare(struct rf_resolver *r, struct rf_node *node);
/* resolve_message.c */
struct rf_node *rf_resolve_message(struct rf_resolver *r, struct rf_node *node);

#endif
