#include "fix_value.h"

#include "operate.h"
#include "utf8.h"

enum { SHOWN_MAX = 40 };

static struct rf_value no_utf8(struct rf_str name, struct rf_arena *arena)
{
    return rf_operate_error(arena, "%.*s is no UTF-8", (int)(name.count < 100 ? name.count : 100), name.data);
}

struct rf_value rf_fix_raw_value(struct rf_str text, struct rf_str name, struct rf_arena *arena)
{
    return rf_utf8_valid_count(text) == text.count ? rf_value_string(text) : no_utf8(name, arena);
}

static struct rf_value list_value(struct rf_str text, struct rf_str name, struct rf_arena *arena)
{
    struct rf_str rest = text;
    struct rf_str part;
    size_t count = 0;
    if (rf_utf8_valid_count(text) != text.count) {
        return no_utf8(name, arena);
    }
    while (rf_fix_list_next(&rest, &part)) {
        count++;
    }
    struct rf_list *list = RF_PUSH(arena, struct rf_list, 1);
    struct rf_value *item = RF_PUSH(arena, struct rf_value, count);
    if (list == NULL || item == NULL) {
        return rf_value_error(RF_ERROR_TOO_LARGE);
    }
    rest = text;
    for (size_t i = 0; i < count && rf_fix_list_next(&rest, &part); i++) {
        item[i] = rf_value_string(part);
    }
    *list = (struct rf_list){.count = count, .item = item};
    return (struct rf_value){.type = RF_TYPE_LIST, .list = list};
}

struct rf_str rf_fix_number_text(struct rf_str text)
{
    struct rf_number number;
    return rf_number_from_json(text, &number) == RF_NUMBER_OK ? text : (struct rf_str){text.data, 0};
}

struct rf_value rf_fix_text_value(enum rf_fix_type type, struct rf_str text, struct rf_str name,
                                  struct rf_arena *arena)
{
    struct rf_fix_value value;
    if (!rf_fix_value(type, text, &value)) {
        return rf_operate_error(arena, "%.*s is no %s: '%.*s'", (int)(name.count < 100 ? name.count : 100), name.data,
                                rf_fix_type_name(type), (int)(text.count < SHOWN_MAX ? text.count : SHOWN_MAX),
                                text.data);
    }
    struct rf_value out;
    switch (value.kind) {
    case RF_FIX_CLASS_INT:
        return rf_value_int(value.as.integer);
    case RF_FIX_CLASS_DOUBLE:
        out = rf_value_double(value.as.number);
        out.is_message = true;
        out.text = rf_fix_number_text(text);
        return out;
    case RF_FIX_CLASS_BOOL:
        return rf_value_bool(value.as.truth);
    case RF_FIX_CLASS_INSTANT:
        return rf_value_instant(value.as.instant);
    case RF_FIX_CLASS_DURATION:
        return rf_value_duration(value.as.nanoseconds);
    case RF_FIX_CLASS_TEXT:
        return rf_fix_raw_value(text, name, arena);
    case RF_FIX_CLASS_LIST:
        return list_value(text, name, arena);
    case RF_FIX_CLASS_BYTES:
        break;
    }
    out = rf_value_string(text);
    out.type = RF_TYPE_BYTES;
    return out;
}
