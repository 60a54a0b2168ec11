#include "fix_names.h"

#include <stdlib.h>

static int list_compare(const void *a, const void *b)
{
    const struct rf_fix_list_name *const x = a;
    const struct rf_fix_list_name *const y = b;
    const int order = rf_str_compare(x->name, y->name);
    return order != 0 ? order : (x->count_tag > y->count_tag) - (x->count_tag < y->count_tag);
}

enum rf_status rf_fix_names_open(struct rf_fix_names *names, const struct rf_fix_dict *dict, struct rf_arena *arena,
                                 struct rf_error *err)
{
    *names = (struct rf_fix_names){.dict = dict, .list = RF_PUSH(arena, struct rf_fix_list_name, dict->groups)};
    if (names->list == NULL) {
        RF_FAIL(err, RF_E_LIMIT, "no memory for the names of %u groups", dict->groups);
    }
    for (uint32_t i = 0; i < dict->groups; i++) {
        const struct rf_fix_group *const group = &dict->group[i];
        names->list[i] = (struct rf_fix_list_name){.name = rf_fix_text(dict, group->list_name),
                                                   .count_tag = dict->field[group->count_field].tag};
    }
    if (dict->groups != 0) {
        qsort(names->list, dict->groups, sizeof names->list[0], list_compare);
    }
    /* Groups of several messages share a name and its count. */
    for (uint32_t i = 0; i < dict->groups; i++) {
        if (names->lists == 0 || list_compare(&names->list[names->lists - 1], &names->list[i]) != 0) {
            names->list[names->lists++] = names->list[i];
        }
    }
    return RF_OK;
}

static bool tag_read(struct rf_str text, uint32_t *tag)
{
    uint32_t value = 0;
    if (text.count == 0 || text.count > 9 || text.data[0] == '0') {
        return false;
    }
    for (size_t i = 0; i < text.count; i++) {
        if (text.data[i] < '0' || text.data[i] > '9') {
            return false;
        }
        value = value * 10 + (uint32_t)(text.data[i] - '0');
    }
    *tag = value;
    return true;
}

static bool list_find(const struct rf_fix_names *names, struct rf_str text, uint32_t *count_tag)
{
    uint32_t begin = 0;
    uint32_t end = names->lists;
    while (begin < end) {
        const uint32_t middle = begin + (end - begin) / 2;
        const int order = rf_str_compare(names->list[middle].name, text);
        if (order == 0) {
            *count_tag = names->list[middle].count_tag;
            return true;
        }
        if (order < 0) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    return false;
}

/* Whether some group's list has that name and that count. */
static bool list_has(const struct rf_fix_names *names, struct rf_str text, uint32_t count_tag)
{
    const struct rf_fix_list_name wanted = {.name = text, .count_tag = count_tag};
    return names->lists != 0 &&
           bsearch(&wanted, names->list, names->lists, sizeof names->list[0], list_compare) != NULL;
}

static bool name_find(const struct rf_fix_names *names, struct rf_str text, struct rf_fix_key *out)
{
    const struct rf_fix_field *const field = rf_fix_field_of_name(names->dict, text);
    uint32_t tag = 0;
    if (field != NULL) {
        *out = (struct rf_fix_key){.tag = field->tag};
        return true;
    }
    if (text.count != 0 && list_find(names, text, &tag)) {
        *out = (struct rf_fix_key){.tag = tag, .is_list = true};
        return true;
    }
    return false;
}

bool rf_fix_names_find(const struct rf_fix_names *names, struct rf_str text, struct rf_fix_key *out)
{
    uint32_t tag = 0;
    if (tag_read(text, &tag)) {
        *out = (struct rf_fix_key){.tag = tag};
        return true;
    }
    const char *const open = text.count == 0 ? NULL : memchr(text.data, '(', text.count);
    if (open == NULL || text.data[text.count - 1] != ')') {
        return name_find(names, text, out);
    }
    const struct rf_str name = {text.data, (size_t)(open - text.data)};
    const struct rf_str digits = {open + 1, text.count - name.count - 2};
    if (!tag_read(digits, &tag)) {
        return false;
    }
    struct rf_fix_key known;
    if (name_find(names, name, &known)) {
        *out = known;
        if (known.tag == tag) {
            return true;
        }
        /* Two tags may have one name, of which the search by name knows the newer; so may two lists. */
        const struct rf_fix_field *const field = rf_fix_field_of_tag(names->dict, tag);
        *out = (struct rf_fix_key){.tag = tag, .is_list = list_has(names, name, tag)};
        return out->is_list || (field != NULL && rf_str_equal(rf_fix_field_name(names->dict, field), name));
    }
    /* The writer's dictionary knew a name for a tag that this one has not. */
    *out = (struct rf_fix_key){.tag = tag};
    return rf_fix_field_of_tag(names->dict, tag) == NULL;
}

struct rf_str rf_fix_names_nearest(const struct rf_fix_names *names, struct rf_str text)
{
    const struct rf_fix_dict *const dict = names->dict;
    struct rf_str best = {NULL, 0};
    /* Up to a third of the letters may differ, two at most, as for options. */
    size_t best_distance = text.count >= 6 ? 3 : text.count >= 2 ? 2 : 1;
    for (uint32_t i = 0; i < dict->fields + names->lists; i++) {
        const struct rf_str name =
            i < dict->fields ? rf_fix_field_name(dict, &dict->field[i]) : names->list[i - dict->fields].name;
        const size_t more = name.count > text.count ? name.count - text.count : text.count - name.count;
        if (more >= best_distance) { /* most names: so many letters would have to be added */
            continue;
        }
        const size_t distance = rf_str_distance(text, name);
        if (distance < best_distance) {
            best = name;
            best_distance = distance;
        }
    }
    return best;
}
