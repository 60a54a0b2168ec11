#include "check.h"

#include <assert.h>

#include "check_state.h"
#include "function.h"
#include "record.h"

enum {
    TYPES_SHOWN = 150, /* bytes of types in a message, which has 256 */
    NAME_SHOWN = 48
};

#define MEMORY_TEXT "the types need more memory than the bound allows"

/* What an index does; it is no function of function.def. */
#define INDEX_TEXT "list(A),int>A; map(A,B),A>B; optional(list(A)),int>optional(A); optional(map(A,B)),A>optional(B)"
#define INDEX_OPTIONAL_TEXT                                                                                            \
    "list(A),int>optional(A); map(A,B),A>optional(B); optional(list(A)),int>optional(A); "                             \
    "optional(map(A,B)),A>optional(B)"

/* ---- Messages. All of them give NULL ---- */

#define CHECK_FAIL(checker, at, ...)                                                                                   \
    ((checker)->unifier.status = rf_diagnostic_fail((checker)->diagnostic, (checker)->source, (at).begin, (at).end,    \
                                                    (checker)->unifier.err, __VA_ARGS__))

static const struct rf_check_type *fail_full(struct rf_checker *checker)
{
    checker->unifier.status = rf_error_set(checker->unifier.err, RF_E_LIMIT, __FILE__, __LINE__, MEMORY_TEXT);
    return NULL;
}

/* Nothing is said when something else went wrong before: a bound that was met. */
const struct rf_check_type *rf_checker_fail_type(struct rf_checker *checker, struct rf_span at, const char *before,
                                                 const struct rf_check_type *type, const char *after)
{
    struct rf_text text = {0};
    if (checker->unifier.status == RF_OK) {
        checker->unifier.status = rf_check_type_write(&text, type, checker->unifier.err);
    }
    if (checker->unifier.status == RF_OK) {
        const bool is_cut = text.count > TYPES_SHOWN;
        CHECK_FAIL(checker, at, "%s'%.*s%s'%s", before, is_cut ? TYPES_SHOWN : (int)text.count, text.data,
                   is_cut ? "..." : "", after);
    }
    rf_text_free(&text);
    return NULL;
}

static enum rf_status types_write(struct rf_text *text, const struct rf_check_type *const *type, uint32_t count,
                                  bool has_receiver, struct rf_error *err)
{
    uint32_t i = 0;
    if (has_receiver && count > 0) {
        RF_TRY(rf_check_type_write(text, type[i++], err));
        RF_TRY(rf_text_append_char(text, '.', err));
    }
    RF_TRY(rf_text_append_char(text, '(', err));
    /* What is not shown is not written: a call may have thousands of arguments. */
    for (bool is_first = true; i < count && text->count <= TYPES_SHOWN; i++, is_first = false) {
        RF_TRY(rf_text_append(text, is_first ? RF_STR("") : RF_STR(", "), err));
        RF_TRY(rf_check_type_write(text, type[i], err));
    }
    return rf_text_append_char(text, ')', err);
}

const struct rf_check_type *rf_checker_fail_overload(struct rf_checker *checker, const struct rf_node *node,
                                                     struct rf_str name, bool is_method,
                                                     const struct rf_check_type *const *given, uint32_t count)
{
    struct rf_text text = {0};
    if (checker->unifier.status == RF_OK) {
        checker->unifier.status = types_write(&text, given, count, is_method, checker->unifier.err);
    }
    if (checker->unifier.status == RF_OK) {
        const bool is_cut = text.count > TYPES_SHOWN;
        CHECK_FAIL(checker, node->span, "found no matching overload for '%.*s' applied to '%.*s%s'",
                   name.count <= NAME_SHOWN ? (int)name.count : NAME_SHOWN, name.data,
                   is_cut ? TYPES_SHOWN : (int)text.count, text.data, is_cut ? "..." : "");
    }
    rf_text_free(&text);
    return NULL;
}

/* ---- Small steps ---- */

static const struct rf_check_type *plain(enum rf_check_kind kind)
{
    return rf_check_type_plain(kind);
}

bool rf_checker_fits(struct rf_checker *checker, const struct rf_check_type *given, const struct rf_check_type *wanted)
{
    return rf_unifier_fits(&checker->unifier, &given, &wanted, 1);
}

const struct rf_check_type *rf_checker_open(struct rf_checker *checker, const struct rf_check_type *type)
{
    const struct rf_check_type *head = rf_check_type_head(type);
    if (head->kind == RF_CHECK_VARIABLE) {
        const struct rf_check_type *dyn = plain(RF_CHECK_DYN);
        return rf_checker_fits(checker, dyn, head) ? dyn : NULL;
    }
    return head;
}

/* ---- Leaves ---- */

static const struct rf_check_type *check_literal(struct rf_checker *checker, const struct rf_value *value)
{
    const struct rf_check_type *const dyn = plain(RF_CHECK_DYN);
    if (value->type == RF_TYPE_TYPE) {
        const struct rf_check_type *named = rf_check_type_read(&checker->unifier, value->text);
        return named == NULL ? NULL : rf_unifier_type(&checker->unifier, RF_CHECK_TYPE, (struct rf_str){0}, &named, 1);
    }
    if (value->type == RF_TYPE_DYN || value->type == RF_TYPE_ERROR) {
        return dyn;
    }
    /* A list or map that is a literal already comes from a message: its elements are JSON. */
    if (value->type == RF_TYPE_MAP) {
        return rf_unifier_map(&checker->unifier, plain(RF_CHECK_STRING), dyn);
    }
    return rf_check_type_read(&checker->unifier, rf_str_of(rf_type_name(value->type)));
}

static const struct rf_check_type *check_binding(struct rf_checker *checker, uint32_t number)
{
    assert(number < checker->env->declarations);
    if (checker->binding == NULL) {
        checker->binding = RF_PUSH(checker->unifier.arena, const struct rf_check_type *, checker->env->declarations);
        if (checker->binding == NULL) {
            return fail_full(checker);
        }
    }
    if (checker->binding[number] == NULL) {
        checker->binding[number] = rf_check_type_read(&checker->unifier, checker->env->declaration[number].type);
    }
    return checker->binding[number];
}

static const struct rf_check_type *check_ident(enum rf_ident root)
{
    switch (root) {
    case RF_IDENT_RAW:
        return plain(RF_CHECK_STRING);
    case RF_IDENT_NOW:
        return plain(RF_CHECK_TIMESTAMP);
    default:
        return plain(RF_CHECK_DYN);
    }
}

static const struct rf_check_type *check_record(struct rf_checker *checker, const struct rf_node *node)
{
    const struct rf_record_member *member = rf_record_member(node->name);
    const int shown = node->name.count <= NAME_SHOWN ? (int)node->name.count : NAME_SHOWN;
    if (member == NULL) {
        CHECK_FAIL(checker, node->span, "record has no member '%.*s'", shown, node->name.data);
        return NULL;
    }
    return rf_check_type_read(&checker->unifier, rf_str_of(rf_type_name(member->type)));
}

/* ---- Select ---- */

static const struct rf_check_type *check_select(struct rf_checker *checker, const struct rf_node *node)
{
    const bool is_has = node->kind == RF_NODE_HAS;
    bool is_optional = node->is_optional;
    const struct rf_check_type *field;
    if (node->arg[0]->kind == RF_NODE_IDENT && node->arg[0]->root == RF_IDENT_RECORD) {
        field = check_record(checker, node);
    } else {
        const struct rf_check_type *operand = rf_check_node(checker, node->arg[0]);
        field = operand == NULL ? NULL : rf_checker_open(checker, operand);
        if (field != NULL && rf_check_type_is_optional(field)) {
            is_optional = true;
            field = rf_checker_open(checker, field->arg[0]);
        }
        if (field != NULL && field->kind == RF_CHECK_MAP) {
            field = field->arg[1];
        } else if (field != NULL && field->kind != RF_CHECK_DYN) {
            return rf_checker_fail_type(checker, node->span, "type ", field, " does not support field selection");
        }
    }
    if (field == NULL || is_has) {
        return field == NULL ? NULL : plain(RF_CHECK_BOOL);
    }
    field = rf_unifier_substitute(&checker->unifier, field);
    return field == NULL || !is_optional ? field : rf_unifier_optional(&checker->unifier, field);
}

/* ---- Calls ---- */

/* Tries one overload. False: it does not fit, or the unifier's status says what went wrong. *result: NULL, or the type
 * by the overloads before. */
static bool overload_try(struct rf_checker *checker, const struct rf_signature *signature,
                         const struct rf_check_type *const *given, uint32_t count, const struct rf_check_type **result)
{
    if (signature->args != count) {
        return false;
    }
    struct rf_unifier *unifier = &checker->unifier;
    const struct rf_arena_mark mark = rf_arena_mark(unifier->arena);
    const struct rf_check_type *variable[RF_SIGNATURE_VARIABLES_MAX];
    const struct rf_check_type *wanted[RF_SIGNATURE_ARGS_MAX];
    for (uint32_t v = 0; v < signature->variables; v++) {
        variable[v] = rf_unifier_variable(unifier);
        if (variable[v] == NULL) {
            return false;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        wanted[i] = rf_unifier_instantiate(unifier, signature->arg[i], variable);
        if (wanted[i] == NULL) {
            return false;
        }
    }
    if (!rf_unifier_fits(unifier, given, wanted, count)) {
        rf_arena_rewind(unifier->arena, mark);
        return false;
    }
    const struct rf_check_type *type = rf_unifier_instantiate(unifier, signature->result, variable);
    type = type == NULL ? NULL : rf_unifier_substitute(unifier, type);
    if (type == NULL) {
        return false;
    }
    if (*result == NULL) {
        *result = type;
    } else if ((*result)->kind != RF_CHECK_DYN && !rf_unifier_is_same(unifier, type, *result)) {
        *result = plain(RF_CHECK_DYN);
    }
    return true;
}

/* Is the declared function meant by a name in this container? "com.example.f" is by f and example.f, and by
 * com.example.f. */
static bool function_is_named(struct rf_str declared, struct rf_str name, struct rf_str container)
{
    if (rf_str_equal(declared, name)) {
        return true;
    }
    if (declared.count <= name.count || !rf_str_ends(declared, name) ||
        declared.data[declared.count - name.count - 1] != '.') {
        return false;
    }
    const struct rf_str outer = {declared.data, declared.count - name.count - 1};
    return rf_str_starts(container, outer) && (container.count == outer.count || container.data[outer.count] == '.');
}

static const struct rf_signature *function_signature(struct rf_checker *checker, uint32_t number)
{
    const struct rf_check_overload *overload = &checker->functions->overload[number];
    if (checker->function_signature == NULL) {
        checker->function_signature =
            RF_PUSH(checker->unifier.arena, const struct rf_signature *, checker->functions->overloads);
        if (checker->function_signature == NULL) {
            fail_full(checker);
            return NULL;
        }
    }
    if (checker->function_signature[number] == NULL) {
        checker->function_signature[number] =
            rf_signature_declare(&checker->unifier, overload->params, overload->params_count, overload->result);
    }
    return checker->function_signature[number];
}

/* Among what the caller declared. The function in the innermost container counts: the longest name. */
static void functions_try(struct rf_checker *checker, const struct rf_node *node, struct rf_str name, bool is_method,
                          const struct rf_check_type *const *given, const struct rf_check_type **result,
                          bool *is_declared)
{
    const struct rf_str container = node->has_leading_dot ? RF_STR("") : checker->env->container;
    const uint32_t overloads = checker->functions == NULL ? 0 : checker->functions->overloads;
    struct rf_str found = {NULL, 0};
    for (uint32_t i = 0; i < overloads; i++) {
        const struct rf_check_overload *overload = &checker->functions->overload[i];
        if (overload->function.count > found.count && function_is_named(overload->function, name, container)) {
            found = overload->function;
        }
    }
    for (uint32_t i = 0; i < overloads && found.count != 0; i++) {
        const struct rf_check_overload *overload = &checker->functions->overload[i];
        if (!rf_str_equal(overload->function, found)) {
            continue;
        }
        *is_declared = true;
        if (overload->is_receiver == is_method && overload->params_count == node->args) {
            const struct rf_signature *signature = function_signature(checker, i);
            if (signature == NULL ||
                (!overload_try(checker, signature, given, node->args, result) && checker->unifier.status != RF_OK)) {
                return;
            }
        }
    }
}

/* The types of a node's arguments; NULL when one does not check. */
static const struct rf_check_type **check_args(struct rf_checker *checker, const struct rf_node *node)
{
    const struct rf_check_type **given = RF_PUSH(checker->unifier.arena, const struct rf_check_type *, node->args);
    if (given == NULL) {
        fail_full(checker);
        return NULL;
    }
    for (uint32_t i = 0; i < node->args; i++) {
        given[i] = rf_check_node(checker, node->arg[i]);
        if (given[i] == NULL) {
            return NULL;
        }
    }
    return given;
}

static const struct rf_check_type *signatures_try(struct rf_checker *checker, const struct rf_signature *signature,
                                                  const struct rf_check_type *const *given, uint32_t count)
{
    const struct rf_check_type *result = NULL;
    for (; signature != NULL && checker->unifier.status == RF_OK; signature = signature->next) {
        overload_try(checker, signature, given, count, &result);
    }
    return result;
}

static const struct rf_check_type *check_index(struct rf_checker *checker, const struct rf_node *node)
{
    const struct rf_signature **signature = &checker->index_signatures[node->is_optional ? 1 : 0];
    if (*signature == NULL) {
        *signature =
            rf_signature_read(&checker->unifier, node->is_optional ? RF_STR(INDEX_OPTIONAL_TEXT) : RF_STR(INDEX_TEXT));
    }
    const struct rf_check_type **given = check_args(checker, node);
    if (given == NULL || checker->unifier.status != RF_OK) {
        return NULL;
    }
    const struct rf_check_type *result = signatures_try(checker, *signature, given, 2);
    if (result == NULL || checker->unifier.status != RF_OK) {
        return rf_checker_fail_overload(checker, node, node->is_optional ? RF_STR("[?]") : RF_STR("[]"), false, given,
                                        2);
    }
    return result;
}

/* math.greatest and math.least take any number of numbers of any types, or a list of such, which no signature says:
 * the type is theirs when they agree, else dyn. NULL: one of them is no number. */
static const struct rf_check_type *check_extremum(struct rf_checker *checker, const struct rf_check_type *const *given,
                                                  uint32_t count)
{
    const struct rf_check_type *only = count == 1 ? rf_check_type_head(given[0]) : NULL;
    if (only != NULL && only->kind == RF_CHECK_LIST) {
        given = &only->arg[0];
    }
    const struct rf_check_type *result = NULL;
    for (uint32_t i = 0; i < count; i++) {
        const struct rf_check_type *number = rf_checker_open(checker, given[i]);
        if (number != NULL && number->kind == RF_CHECK_WRAPPER) {
            number = number->arg[0];
        }
        if (number == NULL || (number->kind != RF_CHECK_DYN && number->kind != RF_CHECK_INT &&
                               number->kind != RF_CHECK_UINT && number->kind != RF_CHECK_DOUBLE)) {
            return NULL;
        }
        result = result == NULL || result == number ? number : plain(RF_CHECK_DYN);
    }
    return result;
}

static const struct rf_check_type *check_call(struct rf_checker *checker, const struct rf_node *node)
{
    const bool is_known = node->function != RF_FUNCTION_COUNT;
    const struct rf_function_info *info = is_known ? rf_function_info(node->function) : NULL;
    const struct rf_str name = is_known ? rf_str_of(info->text) : node->name;
    const bool is_method = node->has_receiver || (is_known && info->kind == RF_FUNCTION_METHOD);
    const struct rf_check_type **given = check_args(checker, node);
    if (given == NULL) {
        return NULL;
    }
    const struct rf_check_type *result = NULL;
    bool is_declared = is_known;
    if (node->function == RF_FN_GREATEST || node->function == RF_FN_LEAST) {
        result = check_extremum(checker, given, node->args);
    } else if (is_known) {
        if (checker->signatures[node->function] == NULL) {
            checker->signatures[node->function] = rf_signature_read(&checker->unifier, rf_str_of(info->signatures));
        }
        result = signatures_try(checker, checker->signatures[node->function], given, node->args);
    }
    if (!is_known || !rf_function_is_operator(node->function)) {
        functions_try(checker, node, name, node->has_receiver, given, &result, &is_declared);
    }
    if (result != NULL && checker->unifier.status == RF_OK) {
        return result;
    }
    if (!is_declared && checker->unifier.status == RF_OK) {
        CHECK_FAIL(checker, node->span, "undeclared function '%.*s'",
                   name.count <= NAME_SHOWN ? (int)name.count : NAME_SHOWN, name.data);
        return NULL;
    }
    return rf_checker_fail_overload(checker, node, name, is_method, given, node->args);
}

/* ---- List and map literals ---- */

/* The type that an element or value adds: that of [?a] is what a holds. */
static const struct rf_check_type *check_item(struct rf_checker *checker, const struct rf_node *node)
{
    if (node->kind != RF_NODE_ENTRY) {
        return rf_check_node(checker, node);
    }
    const struct rf_check_type *type = rf_check_node(checker, node->arg[0]);
    const struct rf_check_type *head = type == NULL ? NULL : rf_check_type_head(type);
    if (head == NULL || head->kind == RF_CHECK_DYN) {
        return head;
    }
    if (rf_check_type_is_optional(head)) {
        return head->arg[0];
    }
    const struct rf_check_type *inner = rf_unifier_variable(&checker->unifier);
    const struct rf_check_type *optional = inner == NULL ? NULL : rf_unifier_optional(&checker->unifier, inner);
    if (optional == NULL) {
        return NULL;
    }
    if (head->kind == RF_CHECK_VARIABLE && rf_checker_fits(checker, head, optional)) {
        return inner;
    }
    return rf_checker_fail_type(checker, node->span, "an optional element takes an optional_type, not ", head, "");
}

/* Of no elements nothing is known yet. */
static const struct rf_check_type *join_variable(struct rf_checker *checker, const struct rf_check_type *joined)
{
    return joined != NULL ? joined : rf_unifier_variable(&checker->unifier);
}

static const struct rf_check_type *check_list(struct rf_checker *checker, const struct rf_node *node)
{
    const struct rf_check_type *element = NULL;
    for (uint32_t i = 0; i < node->args; i++) {
        const struct rf_check_type *type = check_item(checker, node->arg[i]);
        element = type == NULL ? NULL : rf_unifier_join(&checker->unifier, element, type);
        if (element == NULL) {
            return NULL;
        }
    }
    element = join_variable(checker, element);
    return element == NULL ? NULL : rf_unifier_list(&checker->unifier, element);
}

static const struct rf_check_type *check_map(struct rf_checker *checker, const struct rf_node *node)
{
    const struct rf_check_type *part[2] = {NULL, NULL}; /* key, value */
    for (uint32_t i = 0; i < node->args; i++) {
        const struct rf_check_type *type = check_item(checker, node->arg[i]);
        part[i % 2] = type == NULL ? NULL : rf_unifier_join(&checker->unifier, part[i % 2], type);
        if (part[i % 2] == NULL) {
            return NULL;
        }
    }
    part[0] = join_variable(checker, part[0]);
    part[1] = part[0] == NULL ? NULL : join_variable(checker, part[1]);
    return part[1] == NULL ? NULL : rf_unifier_map(&checker->unifier, part[0], part[1]);
}

/* ---- The walk ---- */

/* Recursion is as deep as the tree, at most RF_EXPR_DEPTH_MAX. */
const struct rf_check_type *rf_check_node(struct rf_checker *checker, const struct rf_node *node)
{
    switch (node->kind) {
    case RF_NODE_LITERAL:
        return check_literal(checker, &node->literal);
    case RF_NODE_IDENT:
        return check_ident(node->root);
    case RF_NODE_SELECT:
    case RF_NODE_HAS:
        return check_select(checker, node);
    case RF_NODE_INDEX:
        return check_index(checker, node);
    case RF_NODE_CALL:
        return check_call(checker, node);
    case RF_NODE_LIST:
        return check_list(checker, node);
    case RF_NODE_MAP:
        return check_map(checker, node);
    case RF_NODE_LOCAL:
        assert(node->local < RF_LOCALS_MAX && checker->local[node->local] != NULL);
        return checker->local[node->local];
    case RF_NODE_BINDING:
        return check_binding(checker, node->local);
    case RF_NODE_MACRO:
        return rf_check_macro(checker, node);
    case RF_NODE_FAILURE:
        return plain(RF_CHECK_DYN);
    case RF_NODE_PARAMETER: /* only before rf_tree_substitute */
    case RF_NODE_ENTRY:   /* only in lists and maps */
    case RF_NODE_MESSAGE: /* only before rf_resolve */
        break;
    }
    assert(false);
    return NULL;
}

enum rf_status rf_check(const struct rf_node *root, struct rf_str source, const struct rf_env *env,
                        const struct rf_check_functions *functions, struct rf_arena *arena, struct rf_text *type_out,
                        struct rf_diagnostic *diagnostic, struct rf_error *err)
{
    const struct rf_arena_mark mark = rf_arena_mark(arena);
    struct rf_checker *checker = RF_PUSH(arena, struct rf_checker, 1);
    if (checker == NULL) {
        RF_FAIL(err, RF_E_LIMIT, MEMORY_TEXT);
    }
    rf_unifier_init(&checker->unifier, arena, err);
    checker->source = source;
    checker->env = env;
    checker->functions = functions;
    checker->diagnostic = diagnostic;
    const struct rf_check_type *type = rf_check_node(checker, root);
    const enum rf_status status = type == NULL ? checker->unifier.status : rf_check_type_write(type_out, type, err);
    rf_arena_rewind(arena, mark);
    return status;
}
