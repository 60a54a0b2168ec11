#include "fix_dict.h"

#include <stdio.h>

#include "fix_tables.h"

static const struct rf_fix_dict *const builtin[] = {&rf_fix_table_42, &rf_fix_table_44, &rf_fix_table_fixt11, NULL};

const struct rf_fix_dict *const *rf_fix_dict_builtins(void)
{
    return builtin;
}

static char lower_of(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static char upper_of(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

/* The next byte that counts, from *at on; 0 at the end. */
static char byte_next(struct rf_str text, char skipped, size_t *at)
{
    while (*at < text.count && text.data[*at] == skipped) {
        (*at)++;
    }
    return *at < text.count ? text.data[(*at)++] : '\0';
}

/* Equal but for case and for the bytes `skipped`. Zero bytes never are in names. */
static bool text_is_like(struct rf_str a, struct rf_str b, char skipped)
{
    size_t at_a = 0;
    size_t at_b = 0;
    char c;
    do {
        c = lower_of(byte_next(a, skipped, &at_a));
        if (c != lower_of(byte_next(b, skipped, &at_b))) {
            return false;
        }
    } while (c != '\0');
    return at_a == a.count && at_b == b.count;
}

const struct rf_fix_dict *rf_fix_dict_builtin(struct rf_str name)
{
    for (size_t i = 0; builtin[i] != NULL; i++) {
        if (text_is_like(name, rf_str_of(builtin[i]->name), '.')) {
            return builtin[i];
        }
    }
    return NULL;
}

const struct rf_fix_field *rf_fix_field_of_tag(const struct rf_fix_dict *dict, uint32_t tag)
{
    if (tag < dict->tags_indexed) {
        const uint16_t at = dict->field_of_tag[tag];
        return at == RF_FIX_NONE ? NULL : &dict->field[at];
    }
    uint32_t begin = 0;
    uint32_t end = dict->fields;
    while (begin < end) {
        const uint32_t middle = begin + (end - begin) / 2;
        if (dict->field[middle].tag < tag) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    return begin < dict->fields && dict->field[begin].tag == tag ? &dict->field[begin] : NULL;
}

const struct rf_fix_field *rf_fix_field_of_name(const struct rf_fix_dict *dict, struct rf_str name)
{
    uint32_t begin = 0;
    uint32_t end = dict->names;
    while (begin < end) {
        const uint32_t middle = begin + (end - begin) / 2;
        const struct rf_fix_field *const field = &dict->field[dict->field_by_name[middle]];
        const int order = rf_str_compare(rf_fix_field_name(dict, field), name);
        if (order == 0) {
            return field;
        }
        if (order < 0) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    return NULL;
}

struct rf_fix_range rf_fix_codes(const struct rf_fix_dict *dict, const struct rf_fix_field *field)
{
    return field->code_set == RF_FIX_NONE ? (struct rf_fix_range){0, 0} : dict->code_set[field->code_set];
}

/* A name in one of the two manners: capital letters with '_' between words, or words that begin with capitals. Names
 * that are neither ("Partially_filled") are slips, and meant literally. */
static bool name_has_manner(struct rf_str name)
{
    bool has_lower = false;
    bool has_line = false;
    for (size_t i = 0; i < name.count; i++) {
        has_lower |= name.data[i] >= 'a' && name.data[i] <= 'z';
        has_line |= name.data[i] == '_';
    }
    return name.count != 0 && !(has_lower && has_line) && upper_of(name.data[0]) == name.data[0];
}

bool rf_fix_code_value(const struct rf_fix_dict *dict, const struct rf_fix_field *field, struct rf_str name,
                       struct rf_str *value)
{
    const struct rf_fix_range codes = rf_fix_codes(dict, field);
    const bool has_manner = name_has_manner(name);
    struct rf_str found = {NULL, 0};
    bool is_ambiguous = false;
    for (uint32_t i = codes.begin; i < codes.begin + codes.count; i++) {
        const struct rf_str known = rf_fix_text(dict, dict->code[i].name);
        const struct rf_str its_value = rf_fix_text(dict, dict->code[i].value);
        if (rf_str_equal(known, name)) {
            *value = its_value;
            return true;
        }
        if (has_manner && text_is_like(known, name, '_')) {
            is_ambiguous |= found.data != NULL && !rf_str_equal(found, its_value);
            found = its_value;
        }
    }
    if (found.data == NULL && field->type == RF_FIX_TYPE_BOOLEAN) {
        found = rf_str_equal(name, RF_STR("YES"))  ? RF_STR("Y")
                : rf_str_equal(name, RF_STR("NO")) ? RF_STR("N")
                                                   : found;
    }
    if (found.data == NULL || is_ambiguous) {
        return false;
    }
    *value = found;
    return true;
}

bool rf_fix_code_name(const struct rf_fix_dict *dict, const struct rf_fix_field *field, struct rf_str value,
                      struct rf_str *name)
{
    const struct rf_fix_range codes = rf_fix_codes(dict, field);
    uint32_t begin = codes.begin;
    uint32_t end = codes.begin + codes.count;
    while (begin < end) {
        const uint32_t middle = begin + (end - begin) / 2;
        if (rf_str_compare(rf_fix_text(dict, dict->code[middle].value), value) < 0) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    if (begin == codes.begin + codes.count || !rf_str_equal(rf_fix_text(dict, dict->code[begin].value), value)) {
        return false;
    }
    *name = rf_fix_text(dict, dict->code[begin].name);
    return true;
}

const struct rf_fix_message *rf_fix_message_of_type(const struct rf_fix_dict *dict, struct rf_str type)
{
    uint32_t begin = 0;
    uint32_t end = dict->messages;
    while (begin < end) {
        const uint32_t middle = begin + (end - begin) / 2;
        const int order = rf_str_compare(rf_fix_text(dict, dict->message[middle].type), type);
        if (order == 0) {
            return &dict->message[middle];
        }
        if (order < 0) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    return NULL;
}

const struct rf_fix_message *rf_fix_message_of_name(const struct rf_fix_dict *dict, struct rf_str name)
{
    enum { MSG_TYPE = 35 };
    struct rf_str type;
    for (uint32_t i = 0; i < dict->messages; i++) {
        if (rf_str_equal(rf_fix_text(dict, dict->message[i].name), name)) {
            return &dict->message[i];
        }
    }
    const struct rf_fix_field *const field = rf_fix_field_of_tag(dict, MSG_TYPE);
    return field != NULL && rf_fix_code_value(dict, field, name, &type) ? rf_fix_message_of_type(dict, type) : NULL;
}

static const struct rf_fix_member *member_of(const struct rf_fix_dict *dict, struct rf_fix_range members,
                                             uint16_t field)
{
    uint32_t begin = members.begin;
    uint32_t end = members.begin + members.count;
    while (begin < end) {
        const uint32_t middle = begin + (end - begin) / 2;
        if (dict->member[middle].field < field) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    return begin < members.begin + members.count && dict->member[begin].field == field ? &dict->member[begin] : NULL;
}

bool rf_fix_message_has(const struct rf_fix_dict *dict, const struct rf_fix_message *message, uint32_t tag)
{
    const struct rf_fix_field *const field = rf_fix_field_of_tag(dict, tag);
    return field != NULL && member_of(dict, message->member, (uint16_t)(field - dict->field)) != NULL;
}

bool rf_fix_field_owns_name(const struct rf_fix_dict *dict, const struct rf_fix_field *field)
{
    const struct rf_str name = rf_fix_field_name(dict, field);
    return name.count != 0 && !(name.data[0] >= '0' && name.data[0] <= '9') &&
           (dict->names == dict->fields || rf_fix_field_of_name(dict, name) == field);
}

struct rf_str rf_fix_member_key(const struct rf_fix_dict *dict, const struct rf_fix_field *field,
                                char digits[RF_FIX_DIGITS_BYTES])
{
    if (rf_fix_field_owns_name(dict, field)) {
        return rf_fix_field_name(dict, field);
    }
    return (struct rf_str){digits, (size_t)snprintf(digits, RF_FIX_DIGITS_BYTES, "%u", field->tag)};
}

const struct rf_fix_group *rf_fix_group_of_message(const struct rf_fix_dict *dict, const struct rf_fix_message *message,
                                                   uint32_t count_tag)
{
    const struct rf_fix_field *const field = rf_fix_field_of_tag(dict, count_tag);
    if (field == NULL || field->group == RF_FIX_NONE) {
        return NULL;
    }
    const uint16_t at = (uint16_t)(field - dict->field);
    const struct rf_fix_member *member = message == NULL ? NULL : member_of(dict, message->member, at);
    if (member == NULL || member->group == RF_FIX_NONE) {
        member = member_of(dict, dict->header_member, at);
    }
    return &dict->group[member == NULL || member->group == RF_FIX_NONE ? field->group : member->group];
}

const struct rf_fix_member *rf_fix_group_member(const struct rf_fix_dict *dict, const struct rf_fix_group *group,
                                                uint32_t tag)
{
    const struct rf_fix_field *const field = rf_fix_field_of_tag(dict, tag);
    return field == NULL ? NULL : member_of(dict, group->member, (uint16_t)(field - dict->field));
}
