/* Dictionaries from any bytes, alone and laid over FIX 4.4: what is accepted has tables whose every index is good, and
 * everything in it is found again. */
#include <stdlib.h>

#include "fix_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool is_true)
{
    if (!is_true) {
        abort();
    }
}

static void check_members(const struct rf_fix_dict *dict, struct rf_fix_range range)
{
    require(range.begin <= dict->members && range.count <= dict->members - range.begin);
    for (uint32_t i = range.begin; i < range.begin + range.count; i++) {
        require(dict->member[i].field < dict->fields);
        require(i == range.begin || dict->member[i - 1].field < dict->member[i].field);
        require(dict->member[i].group == RF_FIX_NONE ||
                (dict->member[i].group < dict->groups &&
                 dict->group[dict->member[i].group].count_field == dict->member[i].field));
    }
}

static void check_items(const struct rf_fix_dict *dict, struct rf_fix_range range)
{
    const uint32_t counts[] = {dict->fields, dict->groups, dict->components};
    require(range.begin <= dict->items && range.count <= dict->items - range.begin);
    for (uint32_t i = range.begin; i < range.begin + range.count; i++) {
        require(dict->item[i].kind <= RF_FIX_ITEM_COMPONENT && dict->item[i].at < counts[dict->item[i].kind]);
    }
}

static void check_text(const struct rf_fix_dict *dict, uint32_t text)
{
    require(text < dict->pool_bytes && rf_fix_text(dict, text).count < dict->pool_bytes - text);
}

static void check_fields(const struct rf_fix_dict *dict)
{
    for (uint32_t i = 0; i < dict->fields; i++) {
        const struct rf_fix_field *const field = &dict->field[i];
        struct rf_str text;
        check_text(dict, field->name);
        require(i == 0 || dict->field[i - 1].tag < field->tag);
        require(field->type < RF_FIX_TYPE_COUNT && field->place <= RF_FIX_IN_TRAILER);
        require(rf_fix_field_of_tag(dict, field->tag) == field);
        require(rf_fix_field_of_name(dict, rf_fix_field_name(dict, field)) != NULL);
        require(field->pair_tag == 0 || rf_fix_field_of_tag(dict, field->pair_tag) != NULL);
        require(field->group == RF_FIX_NONE || dict->group[field->group].count_field == i);
        const struct rf_fix_range codes = rf_fix_codes(dict, field);
        require(codes.begin <= dict->codes && codes.count <= dict->codes - codes.begin);
        for (uint32_t c = codes.begin; c < codes.begin + codes.count; c++) {
            check_text(dict, dict->code[c].value);
            check_text(dict, dict->code[c].name);
            require(rf_fix_code_name(dict, field, rf_fix_text(dict, dict->code[c].value), &text));
            require(rf_fix_code_value(dict, field, rf_fix_text(dict, dict->code[c].name), &text));
        }
    }
    for (uint32_t i = 0; i < dict->names; i++) {
        const struct rf_fix_field *const field = &dict->field[dict->field_by_name[i]];
        require(rf_fix_field_of_name(dict, rf_fix_field_name(dict, field)) == field);
    }
}

static void check_dict(const struct rf_fix_dict *dict)
{
    check_fields(dict);
    for (uint32_t i = 0; i < dict->groups; i++) {
        const struct rf_fix_group *const group = &dict->group[i];
        check_text(dict, group->name);
        check_text(dict, group->list_name);
        check_members(dict, group->member);
        check_items(dict, group->item);
        require(rf_fix_group_member(dict, group, rf_fix_group_delimiter(dict, group)) != NULL);
    }
    for (uint32_t i = 0; i < dict->components; i++) {
        check_items(dict, dict->component[i].item);
    }
    for (uint32_t i = 0; i < dict->messages; i++) {
        const struct rf_fix_message *const message = &dict->message[i];
        check_members(dict, message->member);
        check_items(dict, message->item);
        require(rf_fix_message_of_type(dict, rf_fix_text(dict, message->type)) == message);
    }
    check_members(dict, dict->header_member);
    check_members(dict, dict->trailer_member);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rf_arena arena;
    struct rf_error error = {.status = RF_OK};
    const struct rf_fix_dict *dict;
    const struct rf_fix_dict *const base = rf_fix_dict_builtin(RF_STR("FIX.4.4"));
    char *const copy = malloc(size == 0 ? 1 : size);
    require(copy != NULL);
    if (size != 0) {
        memcpy(copy, data, size);
    }
    const struct rf_str text = {copy, size};
    rf_arena_init(&arena, 64 << 20);
    if (rf_fix_dict_read(&arena, text, RF_STR("d"), NULL, &dict, &error) == RF_OK) {
        check_dict(dict);
        const struct rf_fix_dict *twice;
        require(rf_fix_dict_merge(&arena, dict, dict, &twice, &error) == RF_OK);
        check_dict(twice);
        require(twice->fields == dict->fields && twice->messages == dict->messages);
    } else {
        require(rf_status_is_error(error.status));
    }
    if (rf_fix_dict_read(&arena, text, RF_STR("d"), base, &dict, &error) == RF_OK) {
        check_dict(dict);
        require(dict->fields >= base->fields);
    }
    rf_arena_free(&arena);
    free(copy);
    return 0;
}
