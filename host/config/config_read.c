/* config_read.c: rf_config_read of config.h. */
#include <inttypes.h>
#include <stdio.h>

#include "config.h"
#include "duration.h"
#include "intern.h"
#include "number.h"

enum { SHOWN_BYTES = 48, WORDS_MAX = 64, WHAT_BYTES = 128 };

struct reader {
    const struct rf_config_table *table;
    struct rf_problems *problems;
    struct rf_arena *arena;
    struct rf_error *err;
};

static enum rf_status fail_full(const struct reader *r)
{
    RF_FAIL(r->err, RF_E_LIMIT, "the file needs more memory than its bound allows");
}

static int shown(struct rf_str text)
{
    size_t count = text.count < SHOWN_BYTES ? text.count : SHOWN_BYTES;
    while (count > 0 && count < text.count && ((unsigned char)text.data[count] & 0xc0) == 0x80) {
        count--;
    }
    return (int)count;
}

const char *rf_config_nearest(struct rf_str given, const char *const *known, size_t count)
{
    const char *nearest = NULL;
    size_t least = 3; /* letters that differ, at most two */
    for (size_t i = 0; i < count; i++) {
        const struct rf_str word = rf_str_of(known[i]);
        const size_t distance = rf_str_distance(given, word);
        /* Of a short word everything is near. */
        if (distance < least && distance * 2 < word.count) {
            nearest = known[i];
            least = distance;
        }
    }
    return nearest;
}

/* ---- Scalars ---- */

static const char *kind_noun(enum rf_config_kind kind)
{
    switch (kind) {
    case RF_CONFIG_TEXT:
        return "a text";
    case RF_CONFIG_EXPRESSION:
        return "an expression";
    case RF_CONFIG_INTEGER:
        return "a whole number";
    case RF_CONFIG_DOUBLE:
        return "a number";
    case RF_CONFIG_BOOL:
        return "true or false";
    case RF_CONFIG_DURATION:
        return "a duration such as 5s, 10ms or 1h30m";
    case RF_CONFIG_LIST:
        return "a list";
    default:
        return "a mapping";
    }
}

static void type_tell(const struct reader *r, const struct rf_yaml_node *node, const char *what,
                      enum rf_config_kind kind)
{
    /* A text is quoted as it stands; of what is nested, only the beginning is marked. */
    const bool is_text = node->kind == RF_YAML_SCALAR && !rf_yaml_is_null(node);
    const uint32_t end = node->kind == RF_YAML_SCALAR ? node->end : node->begin + 1;
    if (is_text) {
        rf_problem_add(r->problems, node->begin, end, "%s is %s, not '%.*s'", what, kind_noun(kind), shown(node->text),
                       node->text.data);
    } else {
        rf_problem_add(r->problems, node->begin, end, "%s is %s, not %s", what, kind_noun(kind), rf_yaml_noun(node));
    }
}

static void bounds_tell(const struct reader *r, const struct rf_yaml_node *node, const char *what,
                        const struct rf_config_field *field)
{
    char low[32];
    char high[32];
    if (field->kind == RF_CONFIG_DURATION || (field->kind == RF_CONFIG_LIST && field->of == RF_CONFIG_DURATION)) {
        low[rf_duration_write(field->low, low)] = '\0';
        high[rf_duration_write(field->high, high)] = '\0';
    } else {
        (void)snprintf(low, sizeof low, "%" PRId64, field->low);
        (void)snprintf(high, sizeof high, "%" PRId64, field->high);
    }
    rf_problem_add(r->problems, node->begin, node->end, "%s must be %s to %s, not %.*s", what, low, high,
                   shown(node->text), node->text.data);
}

static bool integer_of(const struct rf_yaml_node *node, int64_t *value)
{
    struct rf_number number;
    if (!rf_yaml_is_number(node) || rf_number_from_json(node->text, &number) != RF_NUMBER_OK) {
        return false;
    }
    if (number.kind == RF_NUMBER_INT) {
        *value = number.as.i;
        return true;
    }
    /* 2^53 and below are doubles (number.h); 5.0 is as whole as 5. */
    if (number.kind != RF_NUMBER_DOUBLE || number.as.d != (double)(int64_t)(number.as.d > -9e15 && number.as.d < 9e15 ? number.as.d : 0.5)) {
        return false;
    }
    *value = (int64_t)number.as.d;
    return true;
}

static void text_read(const struct reader *r, const struct rf_config_field *field, const struct rf_yaml_node *node,
                      const char *what, enum rf_config_kind kind, struct rf_config_text *out)
{
    if (node->kind != RF_YAML_SCALAR || rf_yaml_is_null(node)) {
        type_tell(r, node, what, kind);
        return;
    }
    const bool is_bounded = field->kind == kind;
    if (is_bounded && (int64_t)node->text.count < field->low) {
        rf_problem_add(r->problems, node->begin, node->end, "%s is empty", what);
    } else if (is_bounded && (int64_t)node->text.count > field->high) {
        rf_problem_add(r->problems, node->begin, node->end, "%s is longer than %" PRId64 " bytes", what, field->high);
    } else {
        *out = (struct rf_config_text){node->text, node};
    }
}

static void choice_read(const struct reader *r, const struct rf_config_field *field, const struct rf_yaml_node *node,
                        const char *what, uint32_t *out)
{
    char words[WHAT_BYTES];
    const char *word[WORDS_MAX];
    size_t count = 0;
    (void)snprintf(words, sizeof words, "%s", field->choices);
    for (char *at = words; at != NULL && count < WORDS_MAX;) {
        char *bar = strchr(at, '|');
        word[count++] = at;
        if (bar != NULL) {
            *bar++ = '\0';
        }
        at = bar;
    }
    for (size_t i = 0; i < count && node->kind == RF_YAML_SCALAR; i++) {
        if (rf_str_equal(node->text, rf_str_of(word[i]))) {
            *out = (uint32_t)i;
            return;
        }
    }
    const char *nearest = node->kind == RF_YAML_SCALAR ? rf_config_nearest(node->text, word, count) : NULL;
    rf_problem_add(r->problems, node->begin, node->kind == RF_YAML_SCALAR ? node->end : node->begin + 1,
                   "%s is one of %s, not %s%.*s%s%s%s%s", what, field->choices,
                   node->kind == RF_YAML_SCALAR ? "'" : rf_yaml_noun(node), shown(node->text), node->text.data,
                   node->kind == RF_YAML_SCALAR ? "'" : "", nearest != NULL ? " (did you mean '" : "",
                   nearest != NULL ? nearest : "", nearest != NULL ? "'?)" : "");
}

static void number_read(const struct reader *r, const struct rf_config_field *field, const struct rf_yaml_node *node,
                        const char *what, enum rf_config_kind kind, void *out)
{
    struct rf_number number;
    int64_t value = 0;
    double real = 0;
    bool is_right = false;
    switch (kind) {
    case RF_CONFIG_INTEGER:
        is_right = integer_of(node, &value);
        real = (double)value;
        break;
    case RF_CONFIG_DURATION:
        is_right = node->kind == RF_YAML_SCALAR && rf_duration_parse_setting(node->text, &value);
        real = (double)value;
        break;
    default:
        is_right = rf_yaml_is_number(node) && rf_number_from_json(node->text, &number) == RF_NUMBER_OK;
        real = is_right ? rf_number_to_double(number) : 0;
        break;
    }
    if (!is_right) {
        type_tell(r, node, what, kind);
        return;
    }
    const bool is_within = kind == RF_CONFIG_DOUBLE ? real >= (double)field->low && real <= (double)field->high
                                                    : value >= field->low && value <= field->high;
    if (field->kind == kind && !is_within) {
        bounds_tell(r, node, what, field);
    } else if (kind == RF_CONFIG_DOUBLE) {
        *(double *)out = real;
    } else {
        *(int64_t *)out = value;
    }
}

/* ---- Values of every kind ---- */

static enum rf_status object_read(const struct reader *r, uint32_t shape, const struct rf_yaml_node *node, void *out);

static enum rf_status value_read(const struct reader *r, const struct rf_config_field *field, enum rf_config_kind kind,
                                 const struct rf_yaml_node *node, const char *what, void *out)
{
    bool value;
    switch (kind) {
    case RF_CONFIG_TEXT:
    case RF_CONFIG_EXPRESSION:
        text_read(r, field, node, what, kind, out);
        return RF_OK;
    case RF_CONFIG_INTEGER:
    case RF_CONFIG_DOUBLE:
    case RF_CONFIG_DURATION:
        number_read(r, field, node, what, kind, out);
        return RF_OK;
    case RF_CONFIG_BOOL:
        if (rf_yaml_bool(node, &value)) {
            *(bool *)out = value;
        } else {
            type_tell(r, node, what, kind);
        }
        return RF_OK;
    case RF_CONFIG_CHOICE:
        choice_read(r, field, node, what, out);
        return RF_OK;
    case RF_CONFIG_OBJECT:
        return object_read(r, field->object, node, out);
    default:
        *(const struct rf_yaml_node **)out = node;
        return RF_OK;
    }
}

static void item_size(const struct reader *r, const struct rf_config_field *field, size_t *size, size_t *align)
{
    switch (field->of) {
    case RF_CONFIG_TEXT:
    case RF_CONFIG_EXPRESSION:
        *size = sizeof(struct rf_config_text);
        *align = _Alignof(struct rf_config_text);
        break;
    case RF_CONFIG_BOOL:
        *size = *align = sizeof(bool);
        break;
    case RF_CONFIG_CHOICE:
        *size = *align = sizeof(uint32_t);
        break;
    case RF_CONFIG_OBJECT:
        *size = r->table->shape[field->object].size_bytes;
        *align = r->table->shape[field->object].align_bytes;
        break;
    case RF_CONFIG_ANY:
        *size = *align = sizeof(const struct rf_yaml_node *);
        break;
    default:
        *size = *align = sizeof(int64_t);
        break;
    }
}

static enum rf_status list_read(const struct reader *r, const struct rf_config_field *field,
                                const struct rf_yaml_node *node, const char *what, struct rf_config_list *out)
{
    const enum rf_yaml_kind wanted = field->kind == RF_CONFIG_MAP ? RF_YAML_MAPPING : RF_YAML_SEQUENCE;
    if (node->kind != wanted) {
        type_tell(r, node, what, field->kind);
        return RF_OK;
    }
    if ((int64_t)node->children < field->low || (int64_t)node->children > field->high) {
        rf_problem_add(r->problems, node->begin, node->begin + 1, "%s has %" PRIu32 " %s: %" PRId64 " to %" PRId64 " are allowed",
                       what, node->children, node->children == 1 ? "entry" : "entries", field->low, field->high);
        return RF_OK;
    }
    size_t size;
    size_t align;
    item_size(r, field, &size, &align);
    char *item = rf_arena_push_zero(r->arena, node->children, size, align);
    const struct rf_yaml_node **place = RF_PUSH(r->arena, const struct rf_yaml_node *, node->children);
    if (item == NULL || place == NULL) {
        return fail_full(r);
    }
    uint32_t count = 0;
    for (const struct rf_yaml_node *child = node->first_child; child != NULL; child = child->next, count++) {
        char entry[2 * WHAT_BYTES];
        if (field->kind == RF_CONFIG_MAP) {
            (void)snprintf(entry, sizeof entry, "'%.*s' of %s", shown(child->key), child->key.data, what);
        } else {
            (void)snprintf(entry, sizeof entry, "each entry of %s", what);
        }
        place[count] = child;
        RF_TRY(value_read(r, field, field->of, child, entry, item + count * size));
    }
    *out = (struct rf_config_list){.item = item, .count = count, .node = place};
    return RF_OK;
}

static enum rf_status field_read(const struct reader *r, const struct rf_config_field *field,
                                 const struct rf_yaml_node *node, void *object)
{
    char what[WHAT_BYTES];
    void *member = (char *)object + field->offset;
    (void)snprintf(what, sizeof what, "'%s'", field->key);
    if (field->kind == RF_CONFIG_LIST || field->kind == RF_CONFIG_MAP) {
        return list_read(r, field, node, what, member);
    }
    if (field->kind == RF_CONFIG_OBJECT) {
        const struct rf_config_shape *shape = &r->table->shape[field->object];
        void *inner = rf_arena_push_zero(r->arena, 1, shape->size_bytes, shape->align_bytes);
        if (inner == NULL) {
            return fail_full(r);
        }
        *(const void **)member = inner;
        return object_read(r, field->object, node, inner);
    }
    return value_read(r, field, field->kind, node, what, member);
}

static const char *article(const char *name)
{
    return strchr("aeiou", name[0]) != NULL ? "an" : "a";
}

static void unknown_tell(const struct reader *r, const struct rf_config_shape *shape, const struct rf_yaml_node *child)
{
    const char *known[WORDS_MAX];
    char all[256] = "";
    size_t count = 0;
    for (uint32_t f = shape->field_begin; f < shape->field_end && count < WORDS_MAX; f++) {
        known[count++] = r->table->field[f].key;
        const size_t used = strlen(all);
        (void)snprintf(all + used, sizeof all - used, "%s%s", used == 0 ? "" : ", ", r->table->field[f].key);
    }
    const char *nearest = rf_config_nearest(child->key, known, count);
    if (nearest != NULL) {
        rf_problem_add(r->problems, child->key_begin, child->key_end, "unknown key '%.*s' of %s %s (did you mean '%s'?)",
                       shown(child->key), child->key.data, article(shape->name), shape->name, nearest);
    } else {
        rf_problem_add(r->problems, child->key_begin, child->key_end, "unknown key '%.*s' of %s %s, which has: %s",
                       shown(child->key), child->key.data, article(shape->name), shape->name, all);
    }
}

/* A value that is given in place of the object is that of its short field. */
static const struct rf_config_field *short_field(const struct reader *r, const struct rf_config_shape *shape)
{
    for (uint32_t f = shape->field_begin; f < shape->field_end; f++) {
        if (r->table->field[f].is_short) {
            return &r->table->field[f];
        }
    }
    return NULL;
}

static enum rf_status fields_read(const struct reader *r, const struct rf_config_shape *shape,
                                  const struct rf_yaml_node *node, void *out)
{
    struct rf_config_object *object = out;
    for (const struct rf_yaml_node *child = node->first_child; child != NULL; child = child->next) {
        uint32_t f = shape->field_begin;
        while (f < shape->field_end && !rf_str_equal(child->key, rf_str_of(r->table->field[f].key))) {
            f++;
        }
        if (f == shape->field_end) {
            unknown_tell(r, shape, child);
            continue;
        }
        /* A key without value is as good as none: what was under it may be commented out. */
        if (rf_yaml_is_null(child) && r->table->field[f].kind != RF_CONFIG_ANY) {
            continue;
        }
        object->given |= UINT64_C(1) << (f - shape->field_begin);
        RF_TRY(field_read(r, &r->table->field[f], child, out));
    }
    return RF_OK;
}

/* Recursion is bounded by the depth of the YAML tree. */
static enum rf_status object_read(const struct reader *r, uint32_t number, const struct rf_yaml_node *node, void *out)
{
    const struct rf_config_shape *shape = &r->table->shape[number];
    const struct rf_config_field *only = short_field(r, shape);
    struct rf_config_object *object = out;
    object->node = node;
    if (node->kind == RF_YAML_MAPPING) {
        RF_TRY(fields_read(r, shape, node, out));
    } else if (only != NULL) {
        object->given |= UINT64_C(1) << (uint32_t)(only - &r->table->field[shape->field_begin]);
        RF_TRY(field_read(r, only, node, out));
    } else {
        rf_problem_add(r->problems, node->begin, node->kind == RF_YAML_SCALAR ? node->end : node->begin + 1,
                       "%s %s is a mapping, not %s", article(shape->name), shape->name, rf_yaml_noun(node));
        return RF_OK;
    }
    for (uint32_t f = shape->field_begin; f < shape->field_end; f++) {
        const struct rf_config_field *field = &r->table->field[f];
        if (field->is_required && (object->given >> (f - shape->field_begin) & 1) == 0) {
            rf_problem_add(r->problems, node->begin, node->begin + 1, "%s %s needs '%s'", article(shape->name),
                           shape->name, field->key);
        }
    }
    return RF_OK;
}

enum rf_status rf_config_read(const struct rf_config_table *table, const struct rf_yaml_node *root,
                              struct rf_problems *problems, struct rf_arena *arena, void *out, struct rf_error *err)
{
    const struct reader r = {table, problems, arena, err};
    if (root == NULL || rf_yaml_is_null(root)) {
        rf_problem_add(problems, 0, 0, "the file is empty: %s %s is a mapping", article(table->shape[0].name),
                       table->shape[0].name);
        return RF_OK;
    }
    return object_read(&r, 0, root, out);
}
