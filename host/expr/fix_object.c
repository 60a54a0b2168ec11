#include "fix_object.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base64.h"
#include "fix_data.h"
#include "json_text.h"

enum { KEY_SHOWN_BYTES = 60 };

bool rf_fix_refuse(struct rf_fix_reading *reading, uint32_t node, const char *format, ...)
{
    struct rf_fix_refusal *const refusal = reading->refusal;
    va_list arguments;
    va_start(arguments, format);
    refusal->is_refused = true;
    refusal->offset =
        reading->tree.node[node].has_key ? reading->tree.node[node].key_begin - 1 : reading->tree.node[node].begin;
    (void)vsnprintf(refusal->text, sizeof refusal->text, format, arguments);
    va_end(arguments);
    return false;
}

static bool memory_fail(struct rf_fix_reading *reading)
{
    reading->status =
        rf_error_set(reading->err, RF_E_MEMORY, __FILE__, __LINE__, "no memory for the members of a message");
    return false;
}

/* Not within a character. */
static struct rf_str cut(struct rf_str text)
{
    if (text.count > KEY_SHOWN_BYTES) {
        text.count = KEY_SHOWN_BYTES;
        while (text.count > 0 && ((unsigned char)text.data[text.count] & 0xc0) == 0x80) {
            text.count--;
        }
    }
    return text;
}

struct rf_str rf_fix_key_shown(const struct rf_fix_reading *reading, uint32_t node)
{
    const struct rf_tree *const tree = &reading->tree;
    while (!tree->node[node].has_key && tree->node[node].parent != RF_NONE) {
        node = tree->node[node].parent; /* an element has the name of its list */
    }
    const struct rf_tree_node *const n = &tree->node[node];
    return n->has_key ? cut((struct rf_str){tree->text.data + n->key_begin, n->key_end - n->key_begin})
                      : RF_STR("the message");
}

struct rf_str rf_fix_name_shown(const struct rf_fix_reading *reading, uint32_t tag, char digits[16])
{
    const struct rf_fix_field *const field = rf_fix_field_of_tag(reading->names->dict, tag);
    if (field != NULL) {
        return cut(rf_fix_field_name(reading->names->dict, field));
    }
    (void)snprintf(digits, 16, "%" PRIu32, tag);
    return rf_str_of(digits);
}

uint32_t rf_fix_length_tag(const struct rf_fix_dict *dict, uint32_t tag)
{
    const struct rf_fix_field *const field = rf_fix_field_of_tag(dict, tag);
    const uint32_t length = rf_fix_length_of_data(tag);
    return length != 0                                                        ? length
           : field != NULL && rf_fix_field_class(field) == RF_FIX_CLASS_BYTES ? field->pair_tag
                                                                              : 0;
}

/* ---- Texts ---- */

/* What a string says; its escapes are known to be right. */
static bool string_decode(struct rf_fix_reading *reading, struct rf_str inside, struct rf_str *out)
{
    *out = inside;
    if (inside.count == 0 || memchr(inside.data, '\\', inside.count) == NULL) {
        return true;
    }
    char *const text = rf_arena_push(reading->arena, inside.count, 1, 1);
    size_t at;
    if (text == NULL) {
        return memory_fail(reading);
    }
    out->data = text;
    return rf_json_decode(inside, text, &out->count, &at) == RF_JSON_OK;
}

static bool key_decode(struct rf_fix_reading *reading, uint32_t node, struct rf_str *out)
{
    const struct rf_tree_node *const n = &reading->tree.node[node];
    return string_decode(reading, (struct rf_str){reading->tree.text.data + n->key_begin, n->key_end - n->key_begin},
                         out);
}

/* {"base64":"..."} */
static bool node_is_bytes(const struct rf_tree *tree, uint32_t node)
{
    const struct rf_tree_node *const n = &tree->node[node];
    static const char name[] = "base64";
    return n->kind == RF_TREE_OBJECT && n->count == 1 && tree->node[node + 1].kind == RF_TREE_STRING &&
           tree->node[node + 1].key_end - tree->node[node + 1].key_begin == sizeof name - 1 &&
           memcmp(tree->text.data + tree->node[node + 1].key_begin, name, sizeof name - 1) == 0;
}

static bool bytes_decode(struct rf_fix_reading *reading, uint32_t node, struct rf_str *out)
{
    struct rf_str symbols;
    if (!string_decode(reading, rf_tree_inside(&reading->tree, node), &symbols)) {
        return false;
    }
    char *const bytes = rf_arena_push(reading->arena, 3 * (symbols.count / 4 + 1), 1, 1);
    if (bytes == NULL) {
        return memory_fail(reading);
    }
    out->data = bytes;
    out->count = 0;
    return rf_base64_decode(symbols, bytes, &out->count) || rf_fix_refuse(reading, node, "the text is no base64");
}

/* true, false or a number. */
static bool scalar_text(struct rf_fix_reading *reading, uint32_t node, uint32_t tag, struct rf_str *out)
{
    const struct rf_fix_field *const field = rf_fix_field_of_tag(reading->names->dict, tag);
    const struct rf_str text = rf_tree_text(&reading->tree, node);
    if (text.data[0] == 't' || text.data[0] == 'f') {
        *out = text.data[0] == 't' ? RF_STR("Y") : RF_STR("N");
        return field == NULL || rf_fix_field_class(field) == RF_FIX_CLASS_BOOL ||
               rf_fix_refuse(reading, node, "%.*s is no field of true and false",
                             RF_STR_ARG(rf_fix_key_shown(reading, node)));
    }
    const bool is_number = field != NULL && (rf_fix_field_class(field) == RF_FIX_CLASS_INT ||
                                             rf_fix_field_class(field) == RF_FIX_CLASS_DOUBLE);
    *out = text;
    return !is_number || (!rf_str_contains(text, RF_STR("e")) && !rf_str_contains(text, RF_STR("E"))) ||
           rf_fix_refuse(reading, node, "%.*s: numbers of FIX have no exponent: write the decimals, as in 0.00001",
                         RF_STR_ARG(rf_fix_key_shown(reading, node)));
}

bool rf_fix_node_text(struct rf_fix_reading *reading, uint32_t node, uint32_t tag, struct rf_str *out)
{
    switch (reading->tree.node[node].kind) {
    case RF_TREE_STRING:
        return string_decode(reading, rf_tree_inside(&reading->tree, node), out);
    case RF_TREE_SCALAR:
        return scalar_text(reading, node, tag, out);
    default: /* its shape was found out */
        return bytes_decode(reading, node + 1, out);
    }
}

bool rf_fix_node_says(struct rf_fix_reading *reading, uint32_t node, uint32_t tag, uint64_t count, const char *what,
                      struct rf_str *out)
{
    int64_t said = 0;
    if (!rf_fix_node_text(reading, node, tag, out)) {
        return false;
    }
    return (rf_fix_int(*out, &said) && said >= 0 && (uint64_t)said == count) ||
           rf_fix_refuse(reading, node, "%.*s says %.*s, but there are %" PRIu64 " %s",
                         RF_STR_ARG(rf_fix_key_shown(reading, node)), RF_STR_ARG(cut(*out)), count, what);
}

/* ---- Shapes ---- */

static enum rf_fix_shape element_shape(const struct rf_tree *tree, uint32_t node)
{
    switch (tree->node[node].kind) {
    case RF_TREE_STRING:
        return RF_FIX_SHAPE_VALUE;
    case RF_TREE_SCALAR:
        return tree->text.data[tree->node[node].begin] == 'n' ? RF_FIX_SHAPE_NULL : RF_FIX_SHAPE_VALUE;
    case RF_TREE_OBJECT:
        return node_is_bytes(tree, node) ? RF_FIX_SHAPE_VALUE : RF_FIX_SHAPE_ENTRIES;
    default:
        return RF_FIX_SHAPE_WRONG;
    }
}

static enum rf_fix_shape shape_of(struct rf_fix_reading *reading, uint32_t node)
{
    const struct rf_tree *const tree = &reading->tree;
    if (tree->node[node].kind != RF_TREE_LIST) {
        const enum rf_fix_shape shape = element_shape(tree, node);
        if (shape == RF_FIX_SHAPE_ENTRIES) {
            (void)rf_fix_refuse(
                reading, node,
                "%.*s: an object is no value; a list of objects is a group, {\"base64\":\"...\"} are bytes",
                RF_STR_ARG(rf_fix_key_shown(reading, node)));
            return RF_FIX_SHAPE_WRONG;
        }
        return shape;
    }
    if (tree->node[node].count == 0) {
        return RF_FIX_SHAPE_NOTHING;
    }
    const enum rf_fix_shape first = element_shape(tree, node + 1);
    for (uint32_t i = node + 1; i < tree->node[node].next; i = tree->node[i].next) {
        const enum rf_fix_shape shape = element_shape(tree, i);
        if (shape != first || (shape != RF_FIX_SHAPE_VALUE && shape != RF_FIX_SHAPE_ENTRIES)) {
            (void)rf_fix_refuse(reading, i,
                                "%.*s: a list holds the entries of a group, or values: not both, no null, no list",
                                RF_STR_ARG(rf_fix_key_shown(reading, node)));
            return RF_FIX_SHAPE_WRONG;
        }
    }
    return first == RF_FIX_SHAPE_VALUE ? RF_FIX_SHAPE_VALUES : RF_FIX_SHAPE_ENTRIES;
}

/* ---- Members ---- */

static bool key_refuse(struct rf_fix_reading *reading, uint32_t node, struct rf_str key)
{
    const struct rf_str nearest = rf_fix_names_nearest(reading->names, key);
    const struct rf_str shown = cut(key);
    if (nearest.data != NULL) {
        return rf_fix_refuse(reading, node, "no field is called '%.*s', did you mean '%.*s'?", RF_STR_ARG(shown),
                             RF_STR_ARG(nearest));
    }
    return rf_fix_refuse(
        reading, node, "no field is called '%.*s'; --fix-dict reads other dictionaries, and a tag in digits needs none",
        RF_STR_ARG(shown));
}

static bool member_read(struct rf_fix_reading *reading, uint32_t node, struct rf_fix_object *object)
{
    struct rf_str key;
    struct rf_fix_key found;
    if (!key_decode(reading, node, &key)) {
        return false;
    }
    if (!rf_fix_names_find(reading->names, key, &found)) {
        return key_refuse(reading, node, key);
    }
    const enum rf_fix_shape shape = shape_of(reading, node);
    if (shape == RF_FIX_SHAPE_WRONG) {
        return false;
    }
    if (found.is_list && (shape == RF_FIX_SHAPE_VALUE || shape == RF_FIX_SHAPE_VALUES)) {
        return rf_fix_refuse(reading, node, "%.*s is a list of entries, each of them an object",
                             RF_STR_ARG(rf_fix_key_shown(reading, node)));
    }
    if (shape != RF_FIX_SHAPE_NULL) {
        object->member[object->members] = (struct rf_fix_member_node){
            .node = node, .tag = found.tag, .said = RF_NONE, .shape = (uint8_t)shape, .is_list = found.is_list};
        object->members++;
    }
    return true;
}

static int tag_compare(const void *a, const void *b, void *context)
{
    const struct rf_fix_object *const object = context;
    const uint32_t x = *(const uint32_t *)a;
    const uint32_t y = *(const uint32_t *)b;
    const uint32_t tag_x = object->member[x].tag;
    const uint32_t tag_y = object->member[y].tag;
    return tag_x != tag_y ? (tag_x > tag_y ? 1 : -1) : (x > y) - (x < y);
}

uint32_t rf_fix_object_find(const struct rf_fix_object *object, uint32_t tag, uint32_t *begin)
{
    uint32_t low = 0;
    uint32_t high = object->members;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (object->member[object->by_tag[middle]].tag < tag) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    *begin = low;
    while (low < object->members && object->member[object->by_tag[low]].tag == tag) {
        low++;
    }
    return low;
}

static bool twice_refuse(struct rf_fix_reading *reading, const struct rf_fix_member_node *member)
{
    return rf_fix_refuse(reading, member->node, "%.*s stands in the object more than once",
                         RF_STR_ARG(rf_fix_key_shown(reading, member->node)));
}

/* The count beside a list, which is written with the list. That of an empty list stays where it stands. */
static bool count_take(struct rf_fix_reading *reading, struct rf_fix_object *object, uint32_t number)
{
    struct rf_fix_member_node *const list = &object->member[number];
    uint32_t begin;
    const uint32_t end = rf_fix_object_find(object, list->tag, &begin);
    struct rf_str text;
    if (end - begin > 2) {
        return twice_refuse(reading, list);
    }
    for (uint32_t i = begin; i < end; i++) {
        struct rf_fix_member_node *const other = &object->member[object->by_tag[i]];
        if (other == list) {
            continue;
        }
        if (other->shape != RF_FIX_SHAPE_VALUE) {
            return twice_refuse(reading, list);
        }
        if (!rf_fix_node_says(reading, other->node, other->tag, reading->tree.node[list->node].count, "entries",
                              &text)) {
            return false;
        }
        if (list->shape == RF_FIX_SHAPE_ENTRIES) {
            list->said = object->by_tag[i];
            other->is_done = true;
        }
    }
    return true;
}

/* The length beside data, which is written with the data. */
static bool length_take(struct rf_fix_reading *reading, struct rf_fix_object *object, uint32_t number)
{
    struct rf_fix_member_node *const data = &object->member[number];
    const uint32_t length_tag = rf_fix_length_tag(reading->names->dict, data->tag);
    uint32_t begin;
    const uint32_t end = length_tag == 0 ? 0 : rf_fix_object_find(object, length_tag, &begin);
    if (length_tag == 0 || begin == end) {
        return true;
    }
    struct rf_fix_member_node *const length = &object->member[object->by_tag[begin]];
    if (end - begin > 1 || length->is_done) {
        return twice_refuse(reading, length->is_done ? data : length);
    }
    const bool is_many = data->shape == RF_FIX_SHAPE_VALUES;
    if (length->shape != data->shape ||
        (is_many && reading->tree.node[length->node].count != reading->tree.node[data->node].count)) {
        return rf_fix_refuse(reading, length->node, "%.*s and %.*s do not have the same number of values",
                             RF_STR_ARG(rf_fix_key_shown(reading, length->node)),
                             RF_STR_ARG(rf_fix_key_shown(reading, data->node)));
    }
    data->said = object->by_tag[begin];
    length->is_done = true;
    return true;
}

static bool relations_find(struct rf_fix_reading *reading, struct rf_fix_object *object)
{
    for (uint32_t i = 0; i < object->members; i++) {
        const struct rf_fix_member_node *const member = &object->member[i];
        const bool is_list =
            member->shape == RF_FIX_SHAPE_ENTRIES || (member->shape == RF_FIX_SHAPE_NOTHING && member->is_list);
        const bool has_values = member->shape == RF_FIX_SHAPE_VALUE || member->shape == RF_FIX_SHAPE_VALUES;
        if ((is_list && !count_take(reading, object, i)) || (has_values && !length_take(reading, object, i))) {
            return false;
        }
    }
    return true;
}

bool rf_fix_object_read(struct rf_fix_reading *reading, uint32_t node, struct rf_fix_object *out)
{
    const struct rf_tree *const tree = &reading->tree;
    const uint32_t count = tree->node[node].count;
    *out = (struct rf_fix_object){.node = node,
                                  .member = RF_PUSH(reading->arena, struct rf_fix_member_node, count),
                                  .by_tag = RF_PUSH(reading->arena, uint32_t, count)};
    if (out->member == NULL || out->by_tag == NULL) {
        return memory_fail(reading);
    }
    for (uint32_t i = node + 1; i < tree->node[node].next; i = tree->node[i].next) {
        if (!member_read(reading, i, out)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < out->members; i++) {
        out->by_tag[i] = i;
    }
    if (out->members > 1) {
        qsort_r(out->by_tag, out->members, sizeof out->by_tag[0], tag_compare, out);
    }
    return relations_find(reading, out);
}
