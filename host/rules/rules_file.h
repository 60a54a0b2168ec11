/* rules_file.h: a rules file as it is written: what rules_field.def reads (config.h).
 *
 * Ownership  the arena of the rules.
 * Threads    constant tables.
 */
#ifndef RF_RULES_FILE_H
#define RF_RULES_FILE_H

#include "config.h"

enum rules_object {
#define RF_OBJECT(id, type, name, help) RULES_OBJECT_##id,
#define RF_FIELD(object, member, key, kind, of, target, need, choices, low, high, standard, help)
#define RF_OBJECT_END(id)
#include "rules_field.def"
#undef RF_OBJECT
#undef RF_FIELD
#undef RF_OBJECT_END
    RULES_OBJECTS
};

enum rules_given { /* bits of struct rf_config_object.given: RULES_GIVEN_PARAMETER_from is the place of that bit */
#define RF_OBJECT(id, type, name, help) RULES_GIVEN_##id##_NONE = -1,
#define RF_FIELD(object, member, key, kind, of, target, need, choices, low, high, standard, help)                      \
    RULES_GIVEN_##object##_##member,
#define RF_OBJECT_END(id)
#include "rules_field.def"
#undef RF_OBJECT
#undef RF_FIELD
#undef RF_OBJECT_END
};

struct rules_file {
    struct rf_config_object object;
    struct rf_config_list let;      /* struct rf_config_text */
    struct rf_config_list subjects; /* struct rules_subjects */
    struct rf_config_text time;
    struct rf_config_list rules;    /* struct rules_entry */
    struct rf_config_list tests;    /* struct rules_test_entry */
};

struct rules_subjects {
    struct rf_config_object object;
    struct rf_config_text of;
    struct rf_config_list match; /* struct rf_config_text */
};

struct rules_parameter {
    struct rf_config_object object;
    struct rf_config_list values; /* const struct rf_yaml_node * */
    const struct rf_yaml_node *from, *to, *step;
};

struct rules_count {
    struct rf_config_object object;
    int64_t more_than;
    int64_t within;
    uint32_t window; /* enum rf_rule_window */
};

struct rules_entry {
    struct rf_config_object object;
    struct rf_config_text name;
    struct rf_config_text when;
    struct rf_config_list sweep; /* struct rules_parameter */
    struct rf_config_list tags;  /* struct rf_config_text */
    struct rf_config_text per;
    int64_t cooldown;
    bool first;
    int64_t every;
    bool changed;
    const struct rules_count *count;
};

struct rules_test_entry {
    struct rf_config_object object;
    struct rf_config_text name;
    const struct rf_yaml_node *record;
    struct rf_config_list records; /* const struct rf_yaml_node * */
    struct rf_config_text line;
    struct rf_config_list lines; /* struct rf_config_text */
    struct rf_config_list fires; /* struct rf_config_text */
    struct rf_config_list fires_at; /* struct rules_test_fired */
    struct rf_config_list only;  /* struct rf_config_text */
};

struct rules_test_fired {
    struct rf_config_object object;
    struct rf_config_list rules; /* struct rf_config_text */
};

extern const struct rf_config_table rf_rules_table;

static inline bool rules_given(const struct rf_config_object *object, int field)
{
    return (object->given >> field & 1) != 0;
}

#endif
