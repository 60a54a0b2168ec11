#include "code_group.h"

#include "unicode_tables.h"

enum { CATEGORY_NAME_BYTES = 2 };

/* RE2's \s has no vertical tab, but [:space:] has. */
static const struct rf_code_group group_perl[] = {
    {"d", "09", 1},
    {"s", "\t\n\f\r  ", 3},
    {"w", "09AZ__az", 4},
};

static const struct rf_code_group group_posix[] = {
    {"alnum", "09AZaz", 3},
    {"alpha", "AZaz", 2},
    {"ascii", "\0\x7F", 1},
    {"blank", "\t\t  ", 2},
    {"cntrl", "\0\x1F\x7F\x7F", 2},
    {"digit", "09", 1},
    {"graph", "!~", 1},
    {"lower", "az", 1},
    {"print", " ~", 1},
    {"punct", "!/:@[`{~", 4},
    {"space", "\t\r  ", 2},
    {"upper", "AZ", 1},
    {"word", "09AZ__az", 4},
    {"xdigit", "09AFaf", 3},
};

const struct rf_code_group *rf_code_group_perl(char letter)
{
    for (size_t i = 0; i < sizeof group_perl / sizeof group_perl[0]; i++) {
        if (group_perl[i].name[0] == letter) {
            return &group_perl[i];
        }
    }
    return NULL;
}

const struct rf_code_group *rf_code_group_posix(struct rf_str name)
{
    for (size_t i = 0; i < sizeof group_posix / sizeof group_posix[0]; i++) {
        if (rf_str_equal(name, rf_str_of(group_posix[i].name))) {
            return &group_posix[i];
        }
    }
    return NULL;
}

bool rf_code_group_add(const struct rf_code_group *group, struct rf_code_set *set)
{
    for (size_t i = 0; i < group->ranges; i++) {
        const unsigned char low = (unsigned char)group->pairs[2 * i];
        const unsigned char high = (unsigned char)group->pairs[2 * i + 1];
        if (!rf_code_set_add(set, low, high)) {
            return false;
        }
    }
    return true;
}

/* Adds the runs whose name is wanted[name]. */
static bool runs_add(const uint32_t *runs, uint32_t run_count, const bool *wanted, struct rf_code_set *set)
{
    for (uint32_t i = 0; i < run_count; i++) {
        const uint32_t low = runs[i] >> RF_UNICODE_RUN_SHIFT;
        const uint32_t high = i + 1 < run_count ? (runs[i + 1] >> RF_UNICODE_RUN_SHIFT) - 1 : RF_UNICODE_MAX;
        if (wanted[runs[i] & RF_UNICODE_NO_NAME] && !rf_code_set_add(set, low, high)) {
            return false;
        }
    }
    return true;
}

bool rf_code_group_add_unicode(struct rf_str name, struct rf_code_set *set, bool *is_full)
{
    *is_full = false;
    if (rf_str_equal(name, RF_STR("Any"))) {
        *is_full = !rf_code_set_add(set, 0, RF_CODE_MAX);
        return true;
    }
    bool wanted[RF_UNICODE_NO_NAME + 1] = {false};
    bool is_known = false;
    for (uint32_t i = 0; i < rf_unicode_category_name_count; i++) {
        const struct rf_str category = {rf_unicode_category_names[i], CATEGORY_NAME_BYTES};
        /* "L" stands for all categories that begin with it. */
        wanted[i] = rf_str_equal(name, category) || (name.count == 1 && name.data[0] == category.data[0]);
        is_known = is_known || wanted[i];
    }
    if (is_known) {
        *is_full = !runs_add(rf_unicode_category_runs, rf_unicode_category_run_count, wanted, set);
        return true;
    }
    for (uint32_t i = 0; i < rf_unicode_script_name_count; i++) {
        wanted[i] = rf_str_equal(name, rf_str_of(rf_unicode_script_names[i]));
        is_known = is_known || wanted[i];
    }
    if (is_known) {
        *is_full = !runs_add(rf_unicode_script_runs, rf_unicode_script_run_count, wanted, set);
    }
    return is_known;
}

bool rf_code_group_is_name(uint32_t code)
{
    static const char *const allowed[] = {"Ll", "Lm", "Lo", "Lt", "Lu", "Mc", "Mn", "Nd", "Nl", "Pc"};
    uint32_t low = 0;
    uint32_t high = rf_unicode_category_run_count;
    /* The last run that begins at code or before it. */
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (rf_unicode_category_runs[middle] >> RF_UNICODE_RUN_SHIFT <= code) {
            low = middle;
        } else {
            high = middle;
        }
    }
    const uint32_t name = rf_unicode_category_runs[low] & RF_UNICODE_NO_NAME;
    for (size_t i = 0; i < sizeof allowed / sizeof allowed[0] && name != RF_UNICODE_NO_NAME; i++) {
        if (memcmp(allowed[i], rf_unicode_category_names[name], CATEGORY_NAME_BYTES) == 0) {
            return true;
        }
    }
    return false;
}
