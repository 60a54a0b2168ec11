#include "intern.h"
#include "resolve_state.h"

enum { NAME_SHOWN = 48 };

int rf_resolver_shown(struct rf_str name)
{
    size_t count = name.count <= NAME_SHOWN ? name.count : NAME_SHOWN;
    while (count > 0 && count < name.count && ((unsigned char)name.data[count] & 0xc0) == 0x80) {
        count--;
    }
    return (int)count;
}

struct rf_node *rf_resolver_node(struct rf_resolver *r, enum rf_node_kind kind, struct rf_span span, uint32_t args)
{
    struct rf_node *node = RF_PUSH(r->arena, struct rf_node, 1);
    struct rf_node **arg = args == 0 ? NULL : RF_PUSH(r->arena, struct rf_node *, args);
    if (node == NULL || (args != 0 && arg == NULL)) {
        return rf_resolver_fail_full(r);
    }
    *node = (struct rf_node){.kind = kind,
                             .function = RF_FUNCTION_COUNT,
                             .type = RF_TYPE_DYN,
                             .span = span,
                             .arg = arg,
                             .args = args,
                             .slot = RF_NONE,
                             .depth = 1};
    return node;
}

/* The innermost variable of a name hides those around it. */
bool rf_resolver_local(const struct rf_resolver *r, struct rf_str name, uint32_t *local)
{
    for (uint32_t i = r->scopes; i-- > 0;) {
        if (r->scope[i].name.count != 0 && rf_str_equal(r->scope[i].name, name)) {
            *local = r->scope[i].local;
            return true;
        }
    }
    return false;
}

bool rf_resolver_enter(struct rf_resolver *r, struct rf_str name, struct rf_span at, uint32_t *local)
{
    if (r->scopes == RF_SCOPE_MAX) {
        RF_RESOLVER_FAIL(r, at, "more than %d variables at once", RF_SCOPE_MAX);
        return false;
    }
    if (rf_resolver_is_defined(r, name)) {
        RF_RESOLVER_FAIL(r, at, "the variable '%.*s' would hide what this name is defined as; rename it",
                         rf_resolver_shown(name), name.data);
        return false;
    }
    struct rf_variable *grown =
        rf_array_grow(r->arena, r->scope, r->scopes, &r->scopes_capacity, sizeof r->scope[0]);
    if (grown == NULL) {
        rf_resolver_fail_full(r);
        return false;
    }
    r->scope = grown;
    *local = r->locals++;
    r->locals_max = r->locals > r->locals_max ? r->locals : r->locals_max;
    r->scope[r->scopes++] = (struct rf_variable){.name = name, .local = *local};
    return true;
}

void rf_resolver_leave(struct rf_resolver *r, uint32_t count)
{
    r->scopes -= count;
    r->locals -= count;
}
