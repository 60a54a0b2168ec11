/* random_leaf.c: literals and paths. */
#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "random_part.h"

/* ---- Literals ---- */

void put_text_literal(struct random_expr *expr, enum flavour flavour)
{
    static struct rf_text text;
    rf_text_clear(&text);
    put_sample(expr->choice, flavour, &text);
    put_cel_string(expr->choice, rf_text_str(&text), &expr->out);
}

static void put_double(struct random_expr *expr)
{
    char text[RF_NUMBER_TEXT_MAX];
    const double value = *CHOOSE(expr->choice, sample_doubles);
    if (!isfinite(value)) {
        put(&expr->out, isnan(value) ? "(0.0 / 0.0)" : value > 0 ? "(1.0 / 0.0)" : "(-1.0 / 0.0)");
        return;
    }
    const struct rf_str digits = {text, rf_double_to_text(value, text)};
    put_str(&expr->out, digits);
    put(&expr->out, rf_str_contains(digits, RF_STR(".")) || rf_str_contains(digits, RF_STR("e")) ? "" : ".0");
}

static void put_int(struct random_expr *expr)
{
    const int64_t value =
        choose(expr->choice, 4) != 0 ? (int64_t)choose(expr->choice, 4) : *CHOOSE(expr->choice, sample_ints);
    put_format(&expr->out, choose_rarely(expr->choice, 8) && value >= 0 ? "0x%llx" : "%lld", (long long)value);
}

static void put_key(struct random_expr *expr, uint32_t number)
{
    static const char *const key[] = {"a", "b", "ab", "", "n", "s"};
    switch (choose(expr->choice, 12)) {
    case 0:
        put_format(&expr->out, "%u", number);
        break;
    case 1:
        put(&expr->out, number % 2 == 0 ? "true" : "false");
        break;
    case 2:
        put_format(&expr->out, "%uu", number);
        break;
    case 3:
        put_expr(expr, KIND_STRING);
        break;
    case 4:
        put_expr(expr, KIND_INT);
        break;
    default: /* mostly distinct */
        put_format(&expr->out, "\"%s\"", key[(number + choose(expr->choice, 2)) % (sizeof key / sizeof key[0])]);
        break;
    }
}

static void put_list_literal(struct random_expr *expr, uint32_t inner)
{
    uint32_t count = choose(expr->choice, 4);
    if (choose_rarely(expr->choice, 6)) {
        count = choose(expr->choice, 80);
    }
    const bool is_plain = count > 8 || choose(expr->choice, 2) == 0;
    put(&expr->out, "[");
    for (uint32_t i = 0; i < count; i++) {
        put(&expr->out, i == 0 ? "" : ", ");
        if (is_plain) {
            put_literal(expr, inner);
        } else if (choose_rarely(expr->choice, 24)) {
            put(&expr->out, "?");
            put_optional(expr, inner);
        } else {
            put_expr(expr, inner);
        }
    }
    put(&expr->out, "]");
}

static void put_map_literal(struct random_expr *expr, uint32_t inner)
{
    const uint32_t count = choose(expr->choice, 4);
    put(&expr->out, "{");
    for (uint32_t i = 0; i < count; i++) {
        const bool is_optional = choose_rarely(expr->choice, 16);
        put(&expr->out, i == 0 ? "" : ", ");
        put(&expr->out, is_optional ? "?" : "");
        put_key(expr, i);
        put(&expr->out, ": ");
        if (is_optional) {
            put_optional(expr, inner);
        } else {
            put_expr(expr, inner);
        }
    }
    put(&expr->out, "}");
}

static void put_call_of_text(struct random_expr *expr, const char *function, enum flavour flavour)
{
    put_format(&expr->out, "%s(", function);
    put_text_literal(expr, flavour);
    put(&expr->out, ")");
}

void put_literal(struct random_expr *expr, uint32_t type)
{
    static const char *const type_name[] = {"1", "1u", "1.5", "\"a\"", "b\"a\"", "[]", "{}", "null", "true", "type(1)"};
    static struct rf_text bytes;
    switch (type_kind(type)) {
    case KIND_NULL:
        put(&expr->out, "null");
        break;
    case KIND_BOOL:
        put(&expr->out, choose(expr->choice, 2) == 0 ? "false" : "true");
        break;
    case KIND_INT:
        put_int(expr);
        break;
    case KIND_UINT:
        put_format(&expr->out, "%lluu", (unsigned long long)*CHOOSE(expr->choice, sample_uints));
        break;
    case KIND_DOUBLE:
        put_double(expr);
        break;
    case KIND_NUMBER:
        put_literal(expr, KIND_INT + choose(expr->choice, 3));
        break;
    case KIND_STRING:
        put_text_literal(expr, FLAVOUR_PLAIN);
        break;
    case KIND_BYTES:
        rf_text_clear(&bytes);
        put_sample(expr->choice, FLAVOUR_PLAIN, &bytes);
        put(&bytes, choose_rarely(expr->choice, 64) ? "\xff" : "");
        put_cel_bytes(rf_text_str(&bytes), &expr->out);
        break;
    case KIND_LIST:
        put_list_literal(expr, type_inner(type));
        break;
    case KIND_MAP:
        put_map_literal(expr, type_inner(type));
        break;
    case KIND_TIMESTAMP:
        put_call_of_text(expr, "timestamp", FLAVOUR_TIME);
        break;
    case KIND_DURATION:
        put_call_of_text(expr, "duration", FLAVOUR_SPAN);
        break;
    case KIND_TYPE:
        put_format(&expr->out, "type(%s)", *CHOOSE(expr->choice, type_name));
        break;
    case KIND_OPTIONAL:
        put_optional(expr, type_inner(type));
        break;
    case KIND_IP:
        put_call_of_text(expr, "ip", FLAVOUR_ADDRESS);
        break;
    case KIND_CIDR:
        put_call_of_text(expr, "cidr", FLAVOUR_NETWORK);
        break;
    default:
        put_literal(expr, KIND_NULL + choose(expr->choice, KIND_LIST - KIND_NULL));
        break;
    }
}

/* ---- Paths ---- */

static bool types_fit(uint32_t field, uint32_t type)
{
    const enum kind have = type_kind(field);
    const enum kind want = type_kind(type);
    if (want == KIND_ANY) {
        return true;
    }
    if (have == KIND_NUMBER) {
        return want == KIND_NUMBER || want == KIND_DOUBLE || want == KIND_INT || want == KIND_UINT;
    }
    if (have == KIND_ANY) {
        return want != KIND_NULL;
    }
    if (have != want) {
        return false;
    }
    return (have != KIND_LIST && have != KIND_MAP && have != KIND_OPTIONAL) || type_inner(field) == KIND_ANY ||
           types_fit(type_inner(field), type_inner(type));
}

/* One more step of a path by name, in one of its spellings. */
static void put_step(struct random_expr *expr, const char *name)
{
    const bool is_plain = name[1] == '\0' && name[0] != '\0';
    const uint32_t luck = choose(expr->choice, 16);
    put_format(&expr->out, luck == 0 ? "[\"%s\"]" : !is_plain || luck == 1 ? ".`%s`" : ".%s", name);
}

static void put_index(struct random_expr *expr)
{
    switch (choose(expr->choice, 8)) {
    case 0:
        put(&expr->out, "[");
        put_expr(expr, KIND_INT);
        put(&expr->out, "]");
        break;
    case 1:
        put(&expr->out, expr->has_payload ? "[i]" : "[i - 1]");
        break;
    case 2:
        put(&expr->out, "[1.0]");
        break;
    default:
        put_format(&expr->out, "[%u]", choose(expr->choice, 3));
        break;
    }
}

/* What the fields of a path stand in: nothing (the message), or an object in it. True: the caller goes on with a step. */
static bool put_base(struct random_expr *expr, uint32_t depth)
{
    for (uint32_t s = 0; s < expr->scopes; s++) {
        if (type_kind(expr->scope[s].type) == KIND_MAP && choose(expr->choice, 2) == 0) {
            put(&expr->out, expr->scope[s].name);
            return true;
        }
    }
    switch (choose(expr->choice, depth > 1 ? 4 : 14)) {
    case 4:
    case 5:
        if (put_base(expr, depth + 1)) {
            put_step(expr, "o");
        } else {
            put(&expr->out, "o");
        }
        return true;
    case 6:
        if (put_base(expr, depth + 1)) {
            put_step(expr, "q");
        } else {
            put(&expr->out, "q");
        }
        put_index(expr);
        return true;
    case 7:
        if (expr->has_payload) {
            put(&expr->out, "msg");
        }
        return expr->has_payload;
    default:
        return false;
    }
}

static void put_field(struct random_expr *expr, const char *name)
{
    if (put_base(expr, 0)) {
        put_step(expr, name);
    } else if (name[1] != '\0') {
        put_format(&expr->out, expr->has_payload ? "msg.`%s`" : "s", name);
    } else {
        put_format(&expr->out, choose_rarely(expr->choice, 6) ? ".%s" : "%s", name);
    }
}

static bool put_root(struct random_expr *expr, uint32_t type)
{
    if (!expr->has_payload) {
        return false;
    }
    switch (type_kind(type)) {
    case KIND_STRING:
        put(&expr->out, choose_rarely(expr->choice, 32) ? "record.file" : "raw");
        return true;
    case KIND_INT:
        put(&expr->out, choose(expr->choice, 2) == 0 ? "record.number" : "record.offset");
        return true;
    case KIND_TIMESTAMP:
        put(&expr->out, "now");
        return true;
    case KIND_MAP:
    case KIND_ANY:
        put(&expr->out, choose_rarely(expr->choice, 32) ? "record.key" : "msg");
        return true;
    default:
        return false;
    }
}

/* x[i], x.key of a list or map whose elements are of the type. */
static bool put_element(struct random_expr *expr, uint32_t type)
{
    static const char *const key[] = {"a", "b", "ab", "n"};
    const bool is_list = choose(expr->choice, 4) != 0;
    const uint32_t container = type_of(is_list ? KIND_LIST : KIND_MAP, type);
    bool has_field = false;
    for (uint32_t f = 0; f < FIELDS; f++) {
        has_field = has_field || (type_kind(random_field_table[f].type) == type_kind(container) &&
                                  types_fit(random_field_table[f].type, container));
    }
    if (!has_field || !put_path(expr, container)) {
        return false;
    }
    if (is_list) {
        put_index(expr);
    } else if (choose_rarely(expr->choice, 32)) {
        put(&expr->out, "[");
        put_expr(expr, KIND_STRING);
        put(&expr->out, "]");
    } else {
        put_step(expr, *CHOOSE(expr->choice, key));
    }
    return true;
}

bool put_path(struct random_expr *expr, uint32_t type)
{
    uint32_t fit[FIELDS];
    uint32_t fits = 0;
    if (choose_rarely(expr->choice, 12) && put_root(expr, type)) {
        return true;
    }
    if (choose_rarely(expr->choice, 40) && type_kind(type) != KIND_LIST && type_kind(type) != KIND_MAP &&
        put_element(expr, type)) {
        return true;
    }
    if ((type_kind(type) == KIND_INT || type_kind(type) == KIND_UINT) && choose(expr->choice, 4) != 0) {
        put_field(expr, "i");
        return true;
    }
    const bool takes_any = choose(expr->choice, 8) == 0; /* fields that hold anything */
    for (uint32_t f = 0; f < FIELDS; f++) {
        const uint32_t field = random_field_table[f].type;
        if (types_fit(field, type) && (type_kind(field) != KIND_ANY || takes_any)) {
            fit[fits++] = f;
        }
    }
    if (fits == 0) {
        return false;
    }
    put_field(expr, random_field_table[fit[choose(expr->choice, fits)]].name);
    return true;
}

static bool put_variable(struct random_expr *expr, uint32_t type)
{
    for (uint32_t s = expr->scopes; s > 0; s--) {
        if (types_fit(expr->scope[s - 1].type, type) && choose(expr->choice, 3) != 0) {
            put(&expr->out, expr->scope[s - 1].name);
            return true;
        }
    }
    return false;
}

void put_leaf(struct random_expr *expr, uint32_t type)
{
    static const struct {
        enum kind kind;
        const char *function;
        char field;
    } made[] = {{KIND_TIMESTAMP, "timestamp", 't'},
                {KIND_DURATION, "duration", 'd'},
                {KIND_IP, "ip", 'h'},
                {KIND_CIDR, "cidr", 'w'},
                {KIND_BYTES, "bytes", 's'},
                {KIND_UINT, "uint", 'i'},
                {KIND_INT, "int", 'n'},
                {KIND_UINT, "uint", 'p'},
                {KIND_DOUBLE, "double", 'p'},
                {KIND_TYPE, "type", 'v'},
                {KIND_TIMESTAMP, "timestamp", 'i'},
                {KIND_INT, "size", 'l'},
                {KIND_INT, "size", 's'}};
    if (put_variable(expr, type)) {
        return;
    }
    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++) {
        if (made[i].kind == type_kind(type) && choose(expr->choice, 3) == 0) {
            const char name[2] = {made[i].field, '\0'};
            put_format(&expr->out, "%s(", made[i].function);
            put_field(expr, name);
            put(&expr->out, ")");
            return;
        }
    }
    if (choose(expr->choice, 5) < 3 && put_path(expr, type)) {
        return;
    }
    put_literal(expr, type);
}
