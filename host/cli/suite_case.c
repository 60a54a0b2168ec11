#include "suite_case.h"

#include "intern.h"
#include "json_tree.h"
#include "json_value.h"
#include "suite_value.h"

#define FAIL_FULL(err) RF_FAIL((err), RF_E_LIMIT, "this line needs more memory than its bound allows")

struct reader {
    struct rf_suite_case *out;
    struct rf_arena *arena;
    struct rf_error *err;
    struct rf_intern names; /* of variables: their numbers */
    struct rf_declaration *declaration;
    uint32_t declarations;
    uint32_t declarations_capacity;
    struct rf_check_overload *overload;
    uint32_t overloads;
    uint32_t overloads_capacity;
};

/* ---- Members ---- */

/* A member that is there and not null; NULL otherwise. */
static const struct rf_value *member(struct rf_value object, const char *name)
{
    const struct rf_entry *entry = rf_map_find(object.map, rf_value_string(rf_str_of(name)));
    return entry == NULL || entry->value.type == RF_TYPE_NULL ? NULL : &entry->value;
}

static enum rf_status member_text(struct rf_value object, const char *name, struct rf_str *out, struct rf_error *err)
{
    const struct rf_value *value = member(object, name);
    if (value == NULL) {
        return RF_OK;
    }
    if (value->type != RF_TYPE_STRING) {
        RF_FAIL(err, RF_E_FORMAT, "\"%s\" is no string", name);
    }
    *out = value->text;
    return RF_OK;
}

static enum rf_status member_bool(struct rf_value object, const char *name, bool *out, struct rf_error *err)
{
    const struct rf_value *value = member(object, name);
    if (value == NULL) {
        return RF_OK;
    }
    if (value->type != RF_TYPE_BOOL) {
        RF_FAIL(err, RF_E_FORMAT, "\"%s\" is neither true nor false", name);
    }
    *out = value->boolean;
    return RF_OK;
}

/* A list; empty when there is no such member. */
static enum rf_status member_list(struct rf_value object, const char *name, struct rf_list *out, struct rf_error *err)
{
    const struct rf_value *value = member(object, name);
    *out = (struct rf_list){0};
    if (value == NULL) {
        return RF_OK;
    }
    if (value->type != RF_TYPE_LIST) {
        RF_FAIL(err, RF_E_FORMAT, "\"%s\" is no list", name);
    }
    *out = *value->list;
    return RF_OK;
}

static enum rf_status object_check(struct rf_value value, const char *what, struct rf_error *err)
{
    if (value.type != RF_TYPE_MAP) {
        RF_FAIL(err, RF_E_FORMAT, "%s is no object", what);
    }
    return RF_OK;
}

/* ---- Declarations ---- */

static enum rf_status name_declare(struct reader *r, struct rf_str name, struct rf_str type)
{
    uint32_t *number = rf_intern_at(&r->names, name);
    if (number == NULL) {
        FAIL_FULL(r->err);
    }
    if (*number != RF_NONE) {
        return RF_OK;
    }
    if (r->declarations == RF_SUITE_NAMES_MAX) {
        RF_FAIL(r->err, RF_E_LIMIT, "more than %d variables", RF_SUITE_NAMES_MAX);
    }
    struct rf_declaration *grown =
        rf_array_grow(r->arena, r->declaration, r->declarations, &r->declarations_capacity, sizeof r->declaration[0]);
    /* Messages show names as zero-terminated text. */
    const struct rf_str copy = rf_arena_copy(r->arena, name);
    if (grown == NULL || copy.data == NULL) {
        FAIL_FULL(r->err);
    }
    r->declaration = grown;
    r->declaration[r->declarations] = (struct rf_declaration){.name = copy, .type = type};
    *number = r->declarations++;
    return RF_OK;
}

static enum rf_status overload_read(struct reader *r, struct rf_str name, struct rf_value value)
{
    struct rf_check_overload overload = {.function = name};
    struct rf_list params;
    RF_TRY(object_check(value, "an overload", r->err));
    RF_TRY(member_list(value, "params", &params, r->err));
    RF_TRY(member_text(value, "result", &overload.result, r->err));
    RF_TRY(member_bool(value, "receiver", &overload.is_receiver, r->err));
    struct rf_str *type = RF_PUSH(r->arena, struct rf_str, params.count);
    struct rf_check_overload *grown =
        rf_array_grow(r->arena, r->overload, r->overloads, &r->overloads_capacity, sizeof r->overload[0]);
    if (type == NULL || grown == NULL) {
        FAIL_FULL(r->err);
    }
    for (size_t i = 0; i < params.count; i++) {
        if (params.item[i].type != RF_TYPE_STRING) {
            RF_FAIL(r->err, RF_E_FORMAT, "a parameter of an overload is no string");
        }
        type[i] = params.item[i].text;
    }
    overload.params = type;
    overload.params_count = (uint32_t)params.count;
    r->overload = grown;
    r->overload[r->overloads++] = overload;
    return RF_OK;
}

static enum rf_status type_env_read(struct reader *r, struct rf_value line)
{
    struct rf_list list;
    RF_TRY(member_list(line, "type_env", &list, r->err));
    for (size_t i = 0; i < list.count; i++) {
        const struct rf_value item = list.item[i];
        struct rf_str name = {0};
        struct rf_str type = {0};
        struct rf_list overloads;
        RF_TRY(object_check(item, "an element of \"type_env\"", r->err));
        RF_TRY(member_text(item, "name", &name, r->err));
        RF_TRY(member_text(item, "type", &type, r->err));
        RF_TRY(member_list(item, "overloads", &overloads, r->err));
        if (name.count == 0) {
            RF_FAIL(r->err, RF_E_FORMAT, "an element of \"type_env\" has no name");
        }
        for (size_t k = 0; k < overloads.count; k++) {
            RF_TRY(overload_read(r, name, overloads.item[k]));
        }
        if (overloads.count == 0) {
            RF_TRY(name_declare(r, name, type));
        }
    }
    return RF_OK;
}

/* ---- Bindings ---- */

static enum rf_status bindings_declare(struct reader *r, struct rf_value bindings)
{
    RF_TRY(object_check(bindings, "a set of bindings", r->err));
    for (size_t i = 0; i < bindings.map->count; i++) {
        RF_TRY(name_declare(r, bindings.map->entry[i].key.text, RF_STR("")));
    }
    return RF_OK;
}

/* {"value":V}, or V. */
static enum rf_status binding_read(struct reader *r, struct rf_value value, struct rf_value *out)
{
    if (value.type == RF_TYPE_MAP && value.map->count == 1 &&
        rf_str_equal(value.map->entry[0].key.text, RF_STR("value"))) {
        value = value.map->entry[0].value;
    }
    return rf_suite_value_read(value, r->arena, out, r->err);
}

static enum rf_status bindings_read(struct reader *r, struct rf_value bindings, struct rf_value *row)
{
    for (size_t i = 0; i < bindings.map->count; i++) {
        const uint32_t *number = rf_intern_at(&r->names, bindings.map->entry[i].key.text);
        if (number == NULL) {
            FAIL_FULL(r->err);
        }
        const enum rf_status status = binding_read(r, bindings.map->entry[i].value, &row[*number]);
        if (status != RF_OK) {
            const struct rf_error why = *r->err;
            const struct rf_str name = r->declaration[*number].name;
            RF_FAIL(r->err, status, "binding '%.*s': %.300s", name.count < 64 ? (int)name.count : 64, name.data,
                    why.text);
        }
    }
    return RF_OK;
}

/* All rows: the names of all of them are declared before the first value is put into its place. */
static enum rf_status rows_read(struct reader *r, const struct rf_value *set, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        RF_TRY(bindings_declare(r, set[i]));
    }
    if (count > RF_SUITE_CELLS_MAX || count * r->declarations > RF_SUITE_CELLS_MAX) {
        RF_FAIL(r->err, RF_E_LIMIT, "%zu rows of %u variables are more than %d values", count, r->declarations,
                RF_SUITE_CELLS_MAX);
    }
    struct rf_value *binding = RF_PUSH(r->arena, struct rf_value, count * r->declarations);
    if (binding == NULL) {
        FAIL_FULL(r->err);
    }
    for (size_t i = 0; i < count * r->declarations; i++) {
        binding[i].type = RF_TYPE_DYN;
    }
    for (size_t i = 0; i < count; i++) {
        RF_TRY(bindings_read(r, set[i], binding + i * r->declarations));
    }
    r->out->binding = binding;
    r->out->rows = (uint32_t)count;
    return RF_OK;
}

/* ---- The line ---- */

static enum rf_status line_parse(struct rf_str line, struct rf_arena *arena, struct rf_value *out, struct rf_error *err)
{
    struct rf_tree tree;
    struct rf_malformed malformed;
    RF_TRY(rf_tree_read(&tree, line, RF_JSON_VALUE_DEPTH_MAX, arena, &malformed, err));
    if (malformed.reason != RF_REASON_NONE) {
        RF_FAIL(err, RF_E_FORMAT, "no JSON: %s (byte %u)", rf_reason_text(malformed.reason), malformed.offset);
    }
    *out = rf_json_value(&tree, 0, arena);
    if (out->type == RF_TYPE_ERROR) {
        RF_FAIL(err, RF_E_FORMAT, "no JSON: %.*s", out->text.count < 64 ? (int)out->text.count : 64, out->text.data);
    }
    return object_check(*out, "the line", err);
}

static enum rf_status line_read(struct reader *r, struct rf_value line)
{
    static const struct rf_map no_bindings = {0};
    struct rf_suite_case *out = r->out;
    struct rf_list rows;
    RF_TRY(member_text(line, "expr", &out->source, r->err));
    if (member(line, "expr") == NULL) {
        RF_FAIL(r->err, RF_E_FORMAT, "the line has no \"expr\"");
    }
    RF_TRY(member_text(line, "container", &out->env.container, r->err));
    RF_TRY(member_bool(line, "disable_check", &out->env.is_unchecked, r->err));
    RF_TRY(member_bool(line, "disable_macros", &out->env.has_no_macros, r->err));
    RF_TRY(member_bool(line, "check_only", &out->is_check_only, r->err));
    RF_TRY(member_bool(line, "want_type", &out->wants_type, r->err));
    RF_TRY(type_env_read(r, line));
    const struct rf_value *bindings = member(line, "bindings");
    const struct rf_value none = {.type = RF_TYPE_MAP, .map = &no_bindings};
    out->has_rows = member(line, "rows") != NULL;
    RF_TRY(member_list(line, "rows", &rows, r->err));
    if (out->has_rows && bindings != NULL) {
        RF_TRY(bindings_declare(r, *bindings));
    }
    RF_TRY(out->has_rows ? rows_read(r, rows.item, rows.count) : rows_read(r, bindings != NULL ? bindings : &none, 1));
    out->env.declaration = r->declaration;
    out->env.declarations = r->declarations;
    out->functions = (struct rf_check_functions){.overload = r->overload, .overloads = r->overloads};
    return RF_OK;
}

enum rf_status rf_suite_case_read(struct rf_suite_case *out, struct rf_str line, struct rf_arena *arena,
                                  struct rf_error *err)
{
    struct reader r = {.out = out, .arena = arena, .err = err, .names = {.arena = arena}};
    struct rf_value object;
    *out = (struct rf_suite_case){.number = RF_STR("null")};
    RF_TRY(line_parse(line, arena, &object, err));
    const struct rf_value *number = member(object, "line");
    if (number != NULL && number->type == RF_TYPE_DOUBLE) {
        out->number = number->text;
    }
    return line_read(&r, object);
}
