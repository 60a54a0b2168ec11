#include "names.h"

#include <assert.h>

struct named {
    const char *name;
    enum rf_type type; /* RF_TYPE_ERROR: no type, but the constant null */
};

static const struct named type_table[] = {
    {"bool", RF_TYPE_BOOL},
    {"bytes", RF_TYPE_BYTES},
    {"double", RF_TYPE_DOUBLE},
    {"google.protobuf.Duration", RF_TYPE_DURATION},
    {"google.protobuf.Timestamp", RF_TYPE_TIMESTAMP},
    {"int", RF_TYPE_INT},
    {"list", RF_TYPE_LIST},
    {"map", RF_TYPE_MAP},
    {"net.CIDR", RF_TYPE_CIDR},
    {"net.IP", RF_TYPE_IP},
    {"null_type", RF_TYPE_NULL},
    {"optional_type", RF_TYPE_OPTIONAL},
    {"string", RF_TYPE_STRING},
    {"type", RF_TYPE_TYPE},
    {"uint", RF_TYPE_UINT},
    {"google.protobuf.NullValue.NULL_VALUE", RF_TYPE_ERROR},
};

enum { TYPES = sizeof type_table / sizeof type_table[0] };

struct rf_str rf_chain_text(const struct rf_chain *chain, uint32_t count, struct rf_str container,
                            char text[RF_NAME_MAX])
{
    size_t used = 0;
    for (uint32_t i = 0; i <= count; i++) {
        const struct rf_str part = i == 0 ? container : chain->node[i - 1]->name;
        const size_t dot = used != 0 && part.count != 0 ? 1 : 0;
        if (used + dot + part.count > RF_NAME_MAX) {
            return (struct rf_str){text, 0};
        }
        if (dot != 0) {
            text[used++] = '.';
        }
        if (part.count != 0) {
            memcpy(text + used, part.data, part.count);
        }
        used += part.count;
    }
    return (struct rf_str){text, used};
}

struct rf_str rf_container_outer(struct rf_str container)
{
    size_t count = container.count;
    while (count > 0 && container.data[count - 1] != '.') {
        count--;
    }
    return (struct rf_str){container.data, count == 0 ? 0 : count - 1};
}

bool rf_type_by_name(struct rf_str name, uint32_t *number)
{
    for (uint32_t i = 0; i < TYPES; i++) {
        if (rf_str_equal(name, rf_str_of(type_table[i].name))) {
            *number = i;
            return true;
        }
    }
    return false;
}

struct rf_value rf_type_value(uint32_t number)
{
    assert(number < TYPES);
    const enum rf_type type = type_table[number].type;
    return type == RF_TYPE_ERROR ? rf_value_null() : rf_value_type(type);
}
