#include "report_sweep.h"

#include <string.h>

#include "intern.h"
#include "json_value.h"

enum { DEPTH_MAX = 64 };

/* spike{t=1,q=2}: spike. */
static struct rf_str stem_of(struct rf_str name)
{
    const char *brace = name.count == 0 ? NULL : memchr(name.data, '{', name.count);
    return brace == NULL ? name : (struct rf_str){name.data, (size_t)(brace - name.data)};
}

static enum rf_status value_text(struct rf_value value, struct rf_arena *arena, struct rf_str *out, struct rf_error *err)
{
    struct rf_text text = {0};
    enum rf_status status = value.type == RF_TYPE_STRING ? rf_text_append(&text, value.text, err)
                                                         : rf_value_write_json(&text, value, err);
    if (status == RF_OK) {
        *out = rf_arena_copy(arena, rf_text_str(&text));
        status = out->data != NULL ? RF_OK
                                   : rf_error_set(err, RF_E_MEMORY, __FILE__, __LINE__, "out of memory for a sweep");
    }
    rf_text_free(&text);
    return status;
}

/* Names and values of a rule's two parameters; false: it has another number of them. */
static enum rf_status parameters_read(struct rf_str about, struct rf_arena *arena, struct rf_str name[2],
                                      struct rf_str value[2], bool *are_two, struct rf_error *err)
{
    struct rf_text json = {0};
    struct rf_tree tree;
    struct rf_malformed malformed = {0};
    *are_two = false;
    enum rf_status status = rf_text_printf(&json, err, "{%.*s}", RF_STR_ARG(about));
    struct rf_str kept = {0};
    if (status == RF_OK) {
        kept = rf_arena_copy(arena, rf_text_str(&json));
    }
    rf_text_free(&json);
    RF_TRY(status);
    if (kept.data == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "out of memory for a sweep");
    }
    RF_TRY(rf_tree_read(&tree, kept, DEPTH_MAX, arena, &malformed, err));
    const struct rf_value whole =
        malformed.reason == RF_REASON_NONE ? rf_json_value(&tree, 0, arena) : rf_value_null();
    const struct rf_entry *params =
        whole.type != RF_TYPE_MAP ? NULL : rf_map_find(whole.map, rf_value_string(RF_STR("params")));
    if (params == NULL || params->value.type != RF_TYPE_MAP || params->value.map->count != 2 ||
        rf_value_find_error(&params->value) != NULL) {
        return RF_OK;
    }
    for (int i = 0; i < 2; i++) {
        name[i] = params->value.map->entry[i].key.text;
        RF_TRY(value_text(params->value.map->entry[i].value, arena, &value[i], err));
    }
    *are_two = true;
    return RF_OK;
}

/* The number of a text among those met so far. */
static enum rf_status place_of(struct rf_intern *known, struct rf_str text, struct rf_str *list, uint32_t *count,
                               uint32_t *place, struct rf_error *err)
{
    uint32_t *at = rf_intern_at(known, text);
    if (at == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "out of memory for a sweep");
    }
    if (*at == UINT32_MAX) {
        *at = *count;
        list[(*count)++] = text;
    }
    *place = *at;
    return RF_OK;
}

enum rf_status rf_sweep_map_read(const struct rf_outcome *outcome, uint32_t first, uint32_t cells_max,
                                 struct rf_arena *arena, struct rf_sweep_map *map, struct rf_error *err)
{
    *map = (struct rf_sweep_map){.name = stem_of(outcome->rule[first].name), .first = first, .end = first};
    while (map->end < outcome->rules && rf_str_equal(stem_of(outcome->rule[map->end].name), map->name)) {
        map->end++;
    }
    const uint32_t rules = map->end - first;
    if (rules < 2 || rules > cells_max) {
        return RF_OK;
    }
    struct rf_intern known[2] = {{.arena = arena}, {.arena = arena}};
    struct rf_str *list[2] = {RF_PUSH(arena, struct rf_str, rules), RF_PUSH(arena, struct rf_str, rules)};
    uint32_t *place = RF_PUSH(arena, uint32_t, 2 * (size_t)rules);
    uint32_t count[2] = {0, 0};
    if (list[0] == NULL || list[1] == NULL || place == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "out of memory for a sweep of %u rules", rules);
    }
    for (uint32_t i = 0; i < rules; i++) {
        struct rf_str name[2];
        struct rf_str value[2];
        bool are_two;
        RF_TRY(parameters_read(outcome->rule[first + i].about, arena, name, value, &are_two, err));
        if (!are_two) {
            return RF_OK;
        }
        for (int p = 0; p < 2; p++) {
            map->parameter[p] = name[p];
            RF_TRY(place_of(&known[p], value[p], list[p], &count[p], &place[2 * i + (uint32_t)p], err));
        }
    }
    if ((uint64_t)count[0] * count[1] > cells_max) {
        return RF_OK;
    }
    map->cell = RF_PUSH(arena, uint32_t, (size_t)count[0] * count[1]);
    if (map->cell == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "out of memory for a sweep of %u rules", rules);
    }
    map->row = list[0];
    map->column = list[1];
    map->rows = count[0];
    map->columns = count[1];
    for (uint32_t i = 0; i < rules; i++) {
        map->cell[(size_t)place[2 * i] * map->columns + place[2 * i + 1]] = first + i + 1;
    }
    return RF_OK;
}
