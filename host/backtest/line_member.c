#include "line_member.h"

const struct rf_value *rf_line_member(const struct rf_value *map, const char *name)
{
    if (map->type != RF_TYPE_MAP) {
        return NULL;
    }
    const struct rf_entry *entry = rf_map_find(map->map, rf_value_string(rf_str_of(name)));
    return entry == NULL ? NULL : &entry->value;
}

bool rf_line_count(const struct rf_value *value, uint64_t *out)
{
    if (value == NULL || value->type != RF_TYPE_DOUBLE) {
        return false;
    }
    switch (value->exact.kind) {
    case RF_NUMBER_UINT:
        *out = value->exact.as.u;
        return true;
    case RF_NUMBER_INT:
        *out = (uint64_t)value->exact.as.i;
        return value->exact.as.i >= 0;
    case RF_NUMBER_DOUBLE:
        break;
    }
    const double number = value->exact.as.d;
    if (!(number >= 0 && number <= 9007199254740992.0) || (double)(uint64_t)number != number) {
        return false;
    }
    *out = (uint64_t)number;
    return true;
}

bool rf_line_count_of(const struct rf_value *map, const char *name, uint64_t *out)
{
    return rf_line_count(rf_line_member(map, name), out);
}
