/* calc.h against operate.h: format() on cells gives what it gives on values. */
#include "cell_fixture.h"

enum { ITEMS_MAX = 6, TEMPLATE_MAX = 96 };

static struct cell_fixture fixture;

static int set_up(void **state)
{
    (void)state;
    cell_fixture_open(&fixture, 1);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    cell_fixture_close(&fixture);
    return 0;
}

/* A list of those values and cells, in the arena of the call. */
static struct cell_pair list_of_pairs(const struct cell_pair *item, uint32_t count)
{
    struct rf_value *value = RF_PUSH(&fixture.trial, struct rf_value, count);
    struct rf_cell *cell = RF_PUSH(&fixture.trial, struct rf_cell, count);
    struct rf_list *list = RF_PUSH(&fixture.trial, struct rf_list, 1);
    assert_true(value != NULL && cell != NULL && list != NULL);
    for (uint32_t i = 0; i < count; i++) {
        value[i] = item[i].value;
        cell[i] = item[i].cell;
    }
    *list = (struct rf_list){.count = count, .item = value};
    return (struct cell_pair){.value = {.type = RF_TYPE_LIST, .list = list},
                              .cell = rf_cell_of_items(cell, count, RF_TAG_ITEMS)};
}

/* A map with keys of all types, some of the same text. */
static struct cell_pair map_of_pairs(const struct cell_pair *item, uint32_t count)
{
    static const struct rf_str name[] = {{"1", 1}, {"true", 4}, {"z", 1}};
    struct rf_entry *entry = RF_PUSH(&fixture.trial, struct rf_entry, count);
    struct rf_cell *cell = RF_PUSH(&fixture.trial, struct rf_cell, 2 * (size_t)count);
    assert_true(entry != NULL && cell != NULL);
    for (uint32_t i = 0; i < count; i++) {
        const struct rf_value key[] = {rf_value_string(name[i % 3]), rf_value_int((int64_t)i - 2),
                                       rf_value_uint(10 + i), rf_value_bool(true), rf_value_bool(false)};
        entry[i] = (struct rf_entry){.key = key[i % 5], .value = item[i].value};
        cell[2 * i] = cell_of_value(entry[i].key, &fixture.trial);
        cell[2 * i + 1] = item[i].cell;
    }
    bool has_twins = false;
    const struct rf_map *map = rf_map_make(&fixture.trial, entry, count, RF_TWINS_REFUSED, &has_twins);
    assert_non_null(map);
    return (struct cell_pair){.value = {.type = RF_TYPE_MAP, .map = map},
                              .cell = rf_cell_of_items(cell, count, RF_TAG_ENTRIES)};
}

static struct cell_pair random_item(uint32_t depth)
{
    struct cell_pair item[ITEMS_MAX - 1];
    const uint32_t turn = cell_random(&fixture, 12);
    if (depth != 0 && turn < 2) {
        const uint32_t count = cell_random(&fixture, sizeof item / sizeof item[0] + 1);
        for (uint32_t i = 0; i < count; i++) {
            item[i] = random_item(depth - 1);
        }
        return turn == 0 ? list_of_pairs(item, count) : map_of_pairs(item, count);
    }
    return cell_random_pair(&fixture, cell_random_pool(&fixture));
}

static struct rf_value random_template(void)
{
    static const char *const piece[] = {"%s", "%s", "%d", "%d", "%f", "%.0f", "%.3f",     "%e", "%.10e", "%b",
                                        "%o", "%x", "%X", "%%", "a",  " ",    "\xc3\xa9", ", ", "%.2s",  "%.1d"};
    static const char *const rare[] = {"%", "%q", "%.", "%.101f", "%.100f", "%.x5", "%.2%"};
    char text[TEMPLATE_MAX];
    size_t count = 0;
    for (uint32_t pieces = cell_random(&fixture, 8); pieces != 0; pieces--) {
        const bool is_rare = cell_random(&fixture, 60) == 0;
        const struct rf_str part = rf_str_of(is_rare ? rare[cell_random(&fixture, sizeof rare / sizeof rare[0])]
                                                     : piece[cell_random(&fixture, sizeof piece / sizeof piece[0])]);
        memcpy(text + count, part.data, part.count);
        count += part.count;
    }
    return rf_value_string(cell_text_copy((struct rf_str){text, count}, &fixture.trial));
}

static void test_random_calls(void **state)
{
    enum { CALLS = 60000 };
    (void)state;
    struct cell_counts counts = {0};
    for (uint32_t i = 0; i < CALLS; i++) {
        struct cell_pair item[ITEMS_MAX];
        const struct rf_calc calc = {
            .function = RF_FN_FORMAT, .args = 2, .is_strict_cel = cell_random(&fixture, 4) == 0};
        const uint32_t items = cell_random(&fixture, ITEMS_MAX + 1);
        for (uint32_t k = 0; k < items; k++) {
            item[k] = random_item(3);
        }
        struct cell_pair arg[2] = {{.value = random_template()}, list_of_pairs(item, items)};
        arg[0].cell = cell_of_value(arg[0].value, &fixture.trial);
        if (cell_random(&fixture, 20) == 0) {
            arg[cell_random(&fixture, 2)] = cell_random_pair(&fixture, cell_random_pool(&fixture));
        }
        cell_compare(&fixture, &calc, arg, false, &counts);
    }
    assert_true(counts.errors > CALLS / 20 && counts.errors < CALLS / 20 * 17);
    assert_int_equal(counts.hosts, 0);
}

/* Every clause of every value of the pools. */
static void test_each_value(void **state)
{
    static const char *const template[] = {"<%s>", "<%d>", "<%.2f>", "<%.3e>", "<%b>", "<%o>", "<%x>", "<%X>"};
    (void)state;
    struct cell_counts counts = {0};
    const struct rf_calc calc = {.function = RF_FN_FORMAT, .args = 2};
    for (size_t t = 0; t < sizeof template / sizeof template[0]; t++) {
        const struct rf_value text = rf_value_string(rf_str_of(template[t]));
        for (int p = 0; p < CELL_POOLS; p++) {
            for (uint32_t i = 0; i < fixture.pool[p].count; i++) {
                const struct cell_pair arg[2] = {{text, cell_of_value(text, &fixture.trial)},
                                                 list_of_pairs(&fixture.pool[p].pair[i], 1)};
                cell_compare(&fixture, &calc, arg, false, &counts);
            }
        }
    }
    assert_true(counts.calls > 2000 && counts.errors < counts.calls / 4 * 3);
    assert_int_equal(counts.hosts, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_random_calls, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_each_value, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
