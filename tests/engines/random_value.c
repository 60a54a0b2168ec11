/* random_value.c: values of declared variables. */
#include <stdio.h>
#include <stdlib.h>

#include "ip.h"
#include "lab.h"

enum { VALUE_NEST_MAX = 3 };

static struct rf_value make(struct choice *choice, uint32_t type, enum flavour flavour, struct rf_arena *arena,
                            uint32_t depth);

static void *take(struct rf_arena *arena, size_t count, size_t size)
{
    void *piece = rf_arena_push_zero(arena, count, size, 16);
    if (piece == NULL) {
        abort();
    }
    return piece;
}

/* As if a message had held it. */
static struct rf_value message_number(struct choice *choice, bool is_small, struct rf_arena *arena)
{
    struct rf_text text = {0};
    struct rf_value value = {.type = RF_TYPE_DOUBLE, .is_message = true};
    put_json_number(choice, is_small, &text);
    if (rf_number_from_json(rf_text_str(&text), &value.exact) != RF_NUMBER_OK) {
        value = rf_value_double(1e308);
    }
    value.text = value.is_message ? rf_arena_copy(arena, rf_text_str(&text)) : value.text;
    rf_text_free(&text);
    return value;
}

static struct rf_value make_number(struct choice *choice, struct rf_arena *arena)
{
    const bool is_small = choose(choice, 2) == 0;
    switch (choose(choice, 4)) {
    case 0:
        return rf_value_int(is_small ? (int64_t)choose(choice, 4) : *CHOOSE(choice, sample_ints));
    case 1:
        return rf_value_uint(is_small ? choose(choice, 4) : *CHOOSE(choice, sample_uints));
    case 2:
        return rf_value_double(*CHOOSE(choice, sample_doubles));
    default:
        return message_number(choice, is_small, arena);
    }
}

static struct rf_value make_text(struct choice *choice, enum flavour flavour, enum rf_type type, struct rf_arena *arena)
{
    struct rf_text text = {0};
    put_sample(choice, flavour, &text);
    if (type == RF_TYPE_BYTES && choose_rarely(choice, 64)) {
        put(&text, "\xff");
    }
    struct rf_value value = {.type = type, .text = RF_STR("")};
    value.text = text.count == 0 ? value.text : rf_arena_copy(arena, rf_text_str(&text));
    rf_text_free(&text);
    return value;
}

static struct rf_value make_list(struct choice *choice, uint32_t inner, enum flavour flavour, struct rf_arena *arena,
                                 uint32_t depth)
{
    const uint32_t most = depth == 0 && choose_rarely(choice, 24) ? 60 : 4;
    const uint32_t count = choose(choice, most);
    struct rf_list *list = take(arena, 1, sizeof *list);
    struct rf_value *item = take(arena, count, sizeof *item);
    for (uint32_t i = 0; i < count; i++) {
        item[i] = make(choice, inner, flavour, arena, depth + 1);
    }
    *list = (struct rf_list){.count = count, .item = item};
    return (struct rf_value){.type = RF_TYPE_LIST, .list = list};
}

static struct rf_value make_key(struct choice *choice, struct rf_arena *arena)
{
    static const char *const key[] = {"a", "b", "ab", "n", "s", "l"};
    switch (choose(choice, 8)) {
    case 0:
        return rf_value_int(choose(choice, 3));
    case 1:
        return rf_value_uint(choose(choice, 3));
    case 2:
        return rf_value_bool(choose(choice, 2) == 0);
    case 3:
        return make_text(choice, FLAVOUR_PLAIN, RF_TYPE_STRING, arena);
    default:
        return rf_value_string(rf_str_of(*CHOOSE(choice, key)));
    }
}

static struct rf_value make_map(struct choice *choice, uint32_t inner, struct rf_arena *arena, uint32_t depth)
{
    const uint32_t count = choose(choice, 5);
    struct rf_entry *entry = take(arena, count, sizeof *entry);
    bool has_twins;
    for (uint32_t i = 0; i < count; i++) {
        entry[i] = (struct rf_entry){make_key(choice, arena), make(choice, inner, FLAVOUR_PLAIN, arena, depth + 1)};
    }
    const struct rf_map *map = rf_map_make(arena, entry, count, RF_TWINS_LAST, &has_twins);
    if (map == NULL) {
        abort();
    }
    return (struct rf_value){.type = RF_TYPE_MAP, .map = map};
}

static struct rf_value make_optional(struct choice *choice, uint32_t inner, struct rf_arena *arena, uint32_t depth)
{
    struct rf_value *held = NULL;
    if (choose(choice, 3) != 0) {
        held = take(arena, 1, sizeof *held);
        *held = make(choice, inner, FLAVOUR_PLAIN, arena, depth + 1);
    }
    return rf_value_optional(held);
}

static struct rf_value make_instant(struct choice *choice)
{
    static const int64_t seconds[] = {0, -1, 1776504600, 1711846800, 253402300799, -62135596800, 951782400, 4102444800};
    static const uint32_t nanos[] = {0, 0, 1, 250000000, 999999999};
    return rf_value_instant((struct rf_instant){*CHOOSE(choice, seconds), *CHOOSE(choice, nanos)});
}

static struct rf_value make_net(struct choice *choice, enum kind kind, struct rf_arena *arena)
{
    static const char *const address[] = {"10.1.2.3", "::1", "127.0.0.1", "2001:db8::1"};
    static const char *const network[] = {"10.0.0.0/8", "::/0", "10.1.2.3/16"};
    struct rf_cidr *net = take(arena, 1, sizeof *net);
    const struct rf_str text = rf_str_of(kind == KIND_IP ? *CHOOSE(choice, address) : *CHOOSE(choice, network));
    const bool is_read =
        kind == KIND_IP ? rf_ip_parse(text, &net->ip) == RF_IP_OK : rf_cidr_parse(text, net) == RF_IP_OK;
    if (!is_read) {
        abort();
    }
    return (struct rf_value){.type = kind == KIND_IP ? RF_TYPE_IP : RF_TYPE_CIDR, .net = net};
}

static struct rf_value make(struct choice *choice, uint32_t type, enum flavour flavour, struct rf_arena *arena,
                            uint32_t depth)
{
    static const enum rf_type types[] = {RF_TYPE_INT, RF_TYPE_STRING, RF_TYPE_LIST, RF_TYPE_TIMESTAMP, RF_TYPE_TYPE};
    if (choose_rarely(choice, 14) || type_kind(type) == KIND_ANY) {
        type = random_type(choice);
        type = type_kind(type) == KIND_ANY ? KIND_INT : type;
    }
    const uint32_t inner = depth >= VALUE_NEST_MAX ? KIND_INT : type_inner(type);
    switch (type_kind(type)) {
    case KIND_BOOL:
        return rf_value_bool(choose(choice, 2) == 0);
    case KIND_INT:
        return rf_value_int(*CHOOSE(choice, sample_ints));
    case KIND_UINT:
        return rf_value_uint(*CHOOSE(choice, sample_uints));
    case KIND_DOUBLE:
        return rf_value_double(*CHOOSE(choice, sample_doubles));
    case KIND_NUMBER:
        return make_number(choice, arena);
    case KIND_STRING:
        return make_text(choice, flavour, RF_TYPE_STRING, arena);
    case KIND_BYTES:
        return make_text(choice, flavour, RF_TYPE_BYTES, arena);
    case KIND_LIST:
        return make_list(choice, inner, flavour, arena, depth);
    case KIND_MAP:
        return make_map(choice, inner, arena, depth);
    case KIND_TIMESTAMP:
        return make_instant(choice);
    case KIND_DURATION:
        return rf_value_duration(*CHOOSE(choice, sample_ints));
    case KIND_TYPE:
        return rf_value_type(*CHOOSE(choice, types));
    case KIND_OPTIONAL:
        return make_optional(choice, inner, arena, depth);
    case KIND_IP:
    case KIND_CIDR:
        return make_net(choice, type_kind(type), arena);
    default:
        return rf_value_null();
    }
}

struct rf_value random_binding(struct choice *choice, const struct random_field *field, struct rf_arena *arena)
{
    if (choose_rarely(choice, 10)) {
        return (struct rf_value){.type = RF_TYPE_DYN};
    }
    if (field == &random_field_table[FIELD_I] && choose(choice, 2) == 0) {
        return choose(choice, 2) == 0 ? rf_value_int(choose(choice, 5)) : message_number(choice, true, arena);
    }
    if (choose_rarely(choice, 24)) { /* what its text stands for */
        const enum kind kind = field->flavour == FLAVOUR_TIME      ? KIND_TIMESTAMP
                               : field->flavour == FLAVOUR_SPAN    ? KIND_DURATION
                               : field->flavour == FLAVOUR_ADDRESS ? KIND_IP
                               : field->flavour == FLAVOUR_NETWORK ? KIND_CIDR
                                                                   : KIND_BYTES;
        return make(choice, type_kind(field->type) == KIND_STRING ? (uint32_t)kind : field->type, field->flavour, arena,
                    0);
    }
    return make(choice, field->type, field->flavour, arena, 0);
}
