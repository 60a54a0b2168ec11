#include "random_record.h"

enum { NEST_MAX = 3 };

const struct random_field random_field_table[FIELDS] = {
#define RF_FIELD(name, type, flavour) {(name), (type), (flavour)},
#include "random_field.def"
#undef RF_FIELD
};

struct writer {
    struct choice *choice;
    struct record_shape shape;
    struct rf_text *out;
};

static void put_typed(struct writer *w, uint32_t type, enum flavour flavour, bool is_small, uint32_t depth);

struct record_shape random_shape(struct choice *choice, enum record_width width)
{
    static const uint32_t items[] = {[RECORDS_PLAIN] = 4, [RECORDS_WIDE] = 50, [RECORDS_EXTREME] = 700};
    return (struct record_shape){.items_max = items[width],
                                 .is_extreme = width == RECORDS_EXTREME,
                                 .is_damaged = choose_rarely(choice, 64),
                                 .is_spaced = choose_rarely(choice, 64)};
}

static void put_space(struct writer *w)
{
    static const char *const table[] = {" ", " ", " ", "\t", "  ", "\r"};
    if (w->shape.is_spaced && choose_rarely(w->choice, 80)) {
        put(w->out, *CHOOSE(w->choice, table));
    }
}

static void put_text(struct writer *w, enum flavour flavour)
{
    static struct rf_text text;
    rf_text_clear(&text);
    put_sample(w->choice, flavour, &text);
    put_json_string(w->choice, rf_text_str(&text), w->out);
}

static void put_list(struct writer *w, uint32_t inner, enum flavour flavour, uint32_t depth)
{
    const uint32_t most = depth != 1 ? 3 : !w->shape.is_extreme || choose(w->choice, 4) == 0 ? w->shape.items_max : 20;
    const uint32_t count = choose_rarely(w->choice, 24) ? 0 : choose(w->choice, most + 1);
    put(w->out, "[");
    for (uint32_t i = 0; i < count; i++) {
        put(w->out, i == 0 ? "" : ",");
        put_space(w);
        put_typed(w, inner, flavour, choose_rarely(w->choice, 128), depth + 1);
        put_space(w);
    }
    put(w->out, "]");
}

/* A text beyond what engines hold in one piece, a list in a list in a list. */
static void put_extreme(struct writer *w, bool is_text)
{
    static const char *const part[] = {"a", "\xc3\xa9 ", "ab,", "0123456789abcdef"};
    const char *const text = *CHOOSE(w->choice, part);
    const uint32_t times = is_text ? choose(w->choice, 20000) : choose(w->choice, 150);
    put(w->out, is_text ? "\"" : "");
    for (uint32_t i = 0; i < times; i++) {
        put(w->out, is_text ? text : "[");
    }
    for (uint32_t i = 0; i < times && !is_text; i++) {
        put(w->out, "]");
    }
    put(w->out, is_text ? "\"" : times == 0 ? "null" : "");
}

/* An object of numbers, or of anything, under short keys. */
static void put_map(struct writer *w, uint32_t inner, uint32_t depth)
{
    static const char *const key[] = {"a", "b", "ab", "", "1", "A", "true", "n", "\xc3\xa9"};
    const bool is_large = w->shape.is_extreme && depth == 1 && choose(w->choice, 4) == 0;
    put(w->out, "{");
    for (uint32_t left = choose(w->choice, is_large ? 600 : 5); left > 0; left--) {
        if (is_large) {
            put_format(w->out, "\"k%u\"", choose(w->choice, 2) == 0 ? left : choose(w->choice, 10));
        } else {
            put_json_string(w->choice, rf_str_of(*CHOOSE(w->choice, key)), w->out);
        }
        put(w->out, ":");
        put_space(w);
        put_typed(w, inner, FLAVOUR_PLAIN, false, depth + 1);
        put(w->out, left > 1 ? "," : "");
    }
    put(w->out, "}");
}

/* An object with some of the fields, in any order; at the top with most of them. */
static void put_object(struct writer *w, uint32_t depth)
{
    const uint32_t share = depth == 0 ? 240 : depth == 1 ? 160 : depth == 2 ? 90 : 40;
    const uint32_t first = choose(w->choice, FIELDS);
    bool is_first = true;
    put(w->out, "{");
    for (uint32_t i = 0; i < FIELDS; i++) {
        const struct random_field *field = &random_field_table[(first + i) % FIELDS];
        const bool is_rare = type_kind(field->type) == KIND_ANY || field->name[1] != '\0';
        if (!choose_rarely(w->choice, is_rare ? share / 2 : share)) {
            continue;
        }
        const uint32_t times = choose_rarely(w->choice, 4) ? 2 : 1;
        for (uint32_t k = 0; k < times; k++) {
            put(w->out, is_first ? "" : ",");
            is_first = false;
            put_space(w);
            put_json_string(w->choice, rf_str_of(field->name), w->out);
            put_space(w);
            put(w->out, ":");
            put_space(w);
            put_typed(w, field->type, field->flavour, field == &random_field_table[FIELD_I], depth + 1);
            put_space(w);
        }
    }
    put(w->out, "}");
}

static void put_typed(struct writer *w, uint32_t type, enum flavour flavour, bool is_small, uint32_t depth)
{
    if (choose_rarely(w->choice, depth == 0 ? 2 : 8) || type_kind(type) == KIND_ANY) {
        static const uint8_t kinds[] = {KIND_NULL, KIND_BOOL, KIND_NUMBER, KIND_STRING, KIND_LIST, KIND_MAP, KIND_NULL};
        const enum kind kind = *CHOOSE(w->choice, kinds);
        type = type_of(kind, kind == KIND_LIST || kind == KIND_MAP ? *CHOOSE(w->choice, kinds) : 0);
        is_small = choose_rarely(w->choice, 128);
    }
    const uint32_t inner = type_inner(type);
    if (w->shape.is_extreme && depth == 1 && choose_rarely(w->choice, 8)) {
        put_extreme(w, type_kind(type) == KIND_STRING);
        return;
    }
    switch (type_kind(type)) {
    case KIND_BOOL:
        put(w->out, choose(w->choice, 2) == 0 ? "false" : "true");
        break;
    case KIND_NUMBER:
        put_json_number(w->choice, is_small, w->out);
        break;
    case KIND_STRING:
        put_text(w, flavour);
        break;
    case KIND_LIST:
        if (depth > NEST_MAX) {
            put(w->out, "[]");
        } else {
            put_list(w, inner, flavour, depth);
        }
        break;
    case KIND_MAP:
        if (depth > NEST_MAX) {
            put(w->out, "{}");
        } else if (type_kind(inner) == KIND_ANY) {
            put_object(w, depth);
        } else {
            put_map(w, inner, depth);
        }
        break;
    default:
        put(w->out, "null");
        break;
    }
}

/* A byte is replaced by one that has a meaning, or the record is cut, or a token is spoiled. */
static void damage(struct writer *w, size_t begin)
{
    static const char bytes[] = "{}[]:,\"\\ \t\r-0e.x\xff\x01";
    static const char *const token[] = {"nul", "01", "\"\\q\"", "\"\\ud800\"", "\"\xff\"", "+1", "1e", "tru e"};
    struct rf_text *out = w->out;
    const size_t count = out->count - begin;
    if (count == 0) {
        return;
    }
    const size_t at = begin + choose(w->choice, 65536) % count;
    switch (choose(w->choice, 4)) {
    case 0:
        out->data[at] = bytes[choose(w->choice, sizeof bytes - 1)];
        break;
    case 1:
        out->count = at;
        break;
    case 2:
        out->count = begin;
        put_format(out, "{\"%s\":%s}", CHOOSE(w->choice, random_field_table)->name, *CHOOSE(w->choice, token));
        break;
    default:
        out->count = begin;
        put(out, choose(w->choice, 2) == 0 ? "" : " \t");
        break;
    }
}

void put_record(struct choice *choice, struct record_shape shape, struct rf_text *out)
{
    struct writer w = {choice, shape, out};
    const size_t begin = out->count;
    put_space(&w);
    put_typed(&w, type_of(KIND_MAP, KIND_ANY), FLAVOUR_PLAIN, false, 0);
    put_space(&w);
    if (shape.is_damaged && choose_rarely(choice, 40)) {
        damage(&w, begin);
    }
}
