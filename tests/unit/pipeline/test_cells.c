/* test_cells.c: values as cells and back. */
#include "cell_pool.h"
#include "cells.h"

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

static bool value_holds_range(struct rf_value value)
{
    if (value.type == RF_TYPE_LIST) {
        for (size_t i = 0; i < value.list->count; i++) {
            if (value_holds_range(value.list->item[i])) {
                return true;
            }
        }
    } else if (value.type == RF_TYPE_MAP) {
        for (size_t i = 0; i < value.map->count; i++) {
            if (value_holds_range(value.map->entry[i].value)) {
                return true;
            }
        }
    }
    return rf_value_is_beyond_range(value);
}

/* rf_cell_from_value, rf_cell_to_value: every value of the pools comes back in type, kind and text. */
static void test_there_and_back(void **state)
{
    (void)state;
    uint32_t values = 0;
    for (int p = 0; p < CELL_POOLS; p++) {
        for (uint32_t i = 0; i < fixture.pool[p].count; i++) {
            const struct rf_value value = fixture.pool[p].pair[i].value;
            struct rf_cell cell;
            struct rf_value back;
            assert_true(rf_cell_from_value(value, &fixture.scratch, &cell));
            if (value_holds_range(value)) { /* only the interpreter has its token */
                assert_false(rf_cell_to_value(&cell, &fixture.trial, &back));
                continue;
            }
            assert_true(rf_cell_to_value(&cell, &fixture.trial, &back));
            /* What was made does not rely on what it was made of. */
            rf_arena_reset(&fixture.scratch);
            const struct rf_cell again = cell_of_value(back, &fixture.trial);
            assert_int_equal(back.type, value.type);
            assert_int_equal(back.is_message, value.is_message);
            struct rf_value wanted = value;
            wanted.text = value.type == RF_TYPE_DOUBLE ? RF_STR("") : value.text; /* the token is not kept */
            if (value.type != RF_TYPE_LIST && value.type != RF_TYPE_MAP && value.type != RF_TYPE_OPTIONAL) {
                assert_true(cell_is_value(&again, wanted, &fixture.trial));
            } else {
                assert_int_not_equal(rf_value_match(back, value), RF_EQUALITY_ERROR);
                assert_true(rf_str_equal(cell_json(back, &fixture.trial), cell_json(value, &fixture.trial)) ||
                            value.type == RF_TYPE_OPTIONAL);
            }
            rf_arena_reset(&fixture.trial);
            values++;
        }
    }
    assert_true(values > 200);
}

/* A cell that was made of text, or computed: also as a value. */
static void test_cells_of_text(void **state)
{
    (void)state;
    struct rf_value value;
    const struct rf_cell list = rf_cell_of_text(RF_STR("[1,{\"a\":\"\\u00e9\"}]"), RF_TAG_LIST);
    assert_true(rf_cell_to_value(&list, &fixture.trial, &value));
    assert_true(rf_str_equal(cell_json(value, &fixture.trial), RF_STR("[1,{\"a\":\"\xc3\xa9\"}]")));
    static const enum rf_tag missing[] = {RF_TAG_NOPARENT, RF_TAG_ABSENT, RF_TAG_ERROR};
    for (size_t i = 0; i < sizeof missing / sizeof missing[0]; i++) {
        const struct rf_cell cell = {.tag = missing[i], .text = ""};
        assert_true(rf_cell_to_value(&cell, &fixture.trial, &value));
        assert_int_equal(value.type, RF_TYPE_ERROR);
    }
    const struct rf_cell host = {.tag = RF_TAG_HOST, .text = ""};
    assert_false(rf_cell_to_value(&host, &fixture.trial, &value));
    struct rf_cell cell;
    assert_true(rf_cell_from_value((struct rf_value){.type = RF_TYPE_DYN}, &fixture.trial, &cell));
    assert_int_equal(cell.tag, RF_TAG_ABSENT);
    assert_true(rf_cell_from_value(rf_value_error("why"), &fixture.trial, &cell));
    assert_int_equal(cell.tag, RF_TAG_ERROR);
}

static void test_depth(void **state)
{
    (void)state;
    static struct rf_list list[RF_CELLS_DEPTH_MAX + 2];
    static struct rf_value value[RF_CELLS_DEPTH_MAX + 2];
    value[0] = rf_value_int(1);
    for (uint32_t i = 0; i <= RF_CELLS_DEPTH_MAX; i++) {
        list[i] = (struct rf_list){.count = 1, .item = &value[i]};
        value[i + 1] = (struct rf_value){.type = RF_TYPE_LIST, .list = &list[i]};
    }
    struct rf_cell cell;
    struct rf_value back;
    assert_true(rf_cell_from_value(value[RF_CELLS_DEPTH_MAX], &fixture.trial, &cell));
    assert_true(rf_cell_to_value(&cell, &fixture.trial, &back));
    assert_int_equal(rf_value_match(back, value[RF_CELLS_DEPTH_MAX]), RF_EQUALITY_SAME);
    /* One level more: what is too deep is left to the interpreter. */
    assert_true(rf_cell_from_value(value[RF_CELLS_DEPTH_MAX + 1], &fixture.trial, &cell));
    assert_false(rf_cell_to_value(&cell, &fixture.trial, &back));
}

static void test_without_room(void **state)
{
    (void)state;
    struct rf_arena small;
    rf_arena_init(&small, 8);
    const struct rf_cidr net = {.prefix = 8};
    const struct rf_value one = rf_value_int(1);
    const struct rf_list list = {.count = 1, .item = &one};
    const struct rf_value value[] = {{.type = RF_TYPE_CIDR, .net = &net},
                                     rf_value_string(RF_STR("longer than the arena")),
                                     {.type = RF_TYPE_LIST, .list = &list},
                                     rf_value_optional(&one)};
    for (size_t i = 0; i < sizeof value / sizeof value[0]; i++) {
        struct rf_cell cell;
        struct rf_value back;
        const bool is_borrowed = value[i].type == RF_TYPE_CIDR || value[i].type == RF_TYPE_STRING;
        assert_int_equal(rf_cell_from_value(value[i], &small, &cell), is_borrowed);
        assert_true(rf_cell_from_value(value[i], &fixture.trial, &cell));
        assert_false(rf_cell_to_value(&cell, &small, &back));
    }
    rf_arena_free(&small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_there_and_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_cells_of_text, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_depth, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_without_room, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
