#include "rules_file.h"

#include <stddef.h>

#define OBJECT_STRUCT_FILE struct rules_file
#define OBJECT_STRUCT_SUBJECTS struct rules_subjects
#define OBJECT_STRUCT_RULE struct rules_entry
#define OBJECT_STRUCT_PARAMETER struct rules_parameter
#define OBJECT_STRUCT_COUNT struct rules_count
#define OBJECT_STRUCT_TEST struct rules_test_entry
#define OBJECT_STRUCT_FIRED struct rules_test_fired

/* A member must have the type that the reader writes for its kind. */
#define TYPE_TEXT struct rf_config_text
#define TYPE_EXPRESSION struct rf_config_text
#define TYPE_INTEGER int64_t
#define TYPE_DURATION int64_t
#define TYPE_BOOL bool
#define TYPE_CHOICE uint32_t
#define TYPE_LIST struct rf_config_list
#define TYPE_MAP struct rf_config_list
#define TYPE_ANY const struct rf_yaml_node *
#define TYPE_OBJECT const struct rules_count *

#define RF_OBJECT(id, type, name, help)
#define RF_OBJECT_END(id)
#define RF_FIELD(object, member, key, kind, of, target, need, choices, low, high, standard, help)                      \
    _Static_assert(__builtin_types_compatible_p(__typeof__(((OBJECT_STRUCT_##object *)0)->member), TYPE_##kind),       \
                   "the member " #member " has not the type of its kind");
#include "rules_field.def"
#undef RF_OBJECT
#undef RF_FIELD
#undef RF_OBJECT_END

enum { NEEDED = 1, OPTIONAL = 0, SHORT = 2 };

static const struct rf_config_field field_table[] = {
#define RF_OBJECT(id, type, name, help)
#define RF_OBJECT_END(id)
#define RF_FIELD(object_id, member, key_text, kind_id, of_id, target, need, choices_text, low_bound, high_bound,        \
                 standard_text, help_text)                                                                             \
    {.key = key_text,                                                                                                  \
     .kind = RF_CONFIG_##kind_id,                                                                                      \
     .of = RF_CONFIG_##of_id,                                                                                          \
     .object = RULES_OBJECT_##target,                                                                                  \
     .offset = offsetof(OBJECT_STRUCT_##object_id, member),                                                            \
     .is_required = (need) == NEEDED,                                                                                  \
     .is_short = (need) == SHORT,                                                                                      \
     .choices = choices_text,                                                                                          \
     .low = low_bound,                                                                                                 \
     .high = high_bound,                                                                                               \
     .standard = standard_text,                                                                                        \
     .help = help_text},
#include "rules_field.def"
#undef RF_OBJECT
#undef RF_FIELD
#undef RF_OBJECT_END
};

/* Where the fields of each object begin and end in the table. */
enum {
#define RF_OBJECT(id, type, name, help) FIELD_BEGIN_##id, FIELD_BEFORE_##id = FIELD_BEGIN_##id - 1,
#define RF_FIELD(object, member, key, kind, of, target, need, choices, low, high, standard, help) FIELD_##object##_##member,
#define RF_OBJECT_END(id) FIELD_END_##id, FIELD_BEHIND_##id = FIELD_END_##id - 1,
#include "rules_field.def"
#undef RF_OBJECT
#undef RF_FIELD
#undef RF_OBJECT_END
};

static const struct rf_config_shape shape_table[RULES_OBJECTS] = {
#define RF_OBJECT(id, type, name_text, help_text)                                                                      \
    {.name = name_text,                                                                                                \
     .help = help_text,                                                                                                \
     .size_bytes = sizeof(struct type),                                                                                \
     .align_bytes = _Alignof(struct type),                                                                             \
     .field_begin = FIELD_BEGIN_##id,                                                                                  \
     .field_end = FIELD_END_##id},
#define RF_FIELD(object, member, key, kind, of, target, need, choices, low, high, standard, help)
#define RF_OBJECT_END(id)
#include "rules_field.def"
#undef RF_OBJECT
#undef RF_FIELD
#undef RF_OBJECT_END
};

const struct rf_config_table rf_rules_table = {.name = "rules",
                                               .title = "riffle rules file",
                                               .shape = shape_table,
                                               .shapes = RULES_OBJECTS,
                                               .field = field_table,
                                               .fields = sizeof field_table / sizeof field_table[0]};
