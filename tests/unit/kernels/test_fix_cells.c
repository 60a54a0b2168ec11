/* test_fix_cells.c: the vector forms against the rule, and the rule against strtod. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "fix_cells.h"
#include "fix_type.h"

enum { ROWS = 4096, TEXT_MAX = 40 };

static uint64_t random_state = 1;

static uint32_t draw(uint32_t below)
{
    random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)(random_state >> 33) % below;
}

static struct rf_columns columns;
static uint8_t bytes[ROWS * TEXT_MAX + RF_BATCH_PADDING];
static struct rf_batch batch = {.bytes = bytes};

static void put(uint32_t row, const char *text)
{
    struct rf_column *column = columns.slot;
    column->tag[row] = RF_TAG_STRING_RAW;
    column->begin[row] = row * TEXT_MAX;
    column->length[row] = (uint32_t)strlen(text);
    column->payload[row] = 77;
    memcpy(bytes + row * TEXT_MAX, text, strlen(text));
    memset(bytes + row * TEXT_MAX + strlen(text), draw(2) == 0 ? 1 : '9', TEXT_MAX - strlen(text));
}

static void random_number(char *text)
{
    size_t count = 0;
    const uint32_t digits = draw(8) == 0 ? draw(30) : 1 + draw(12);
    const uint32_t dot = draw(40) < 20 ? draw(digits + 1) : UINT32_MAX;
    if (draw(4) == 0) {
        text[count++] = '-';
    }
    for (uint32_t i = 0; i <= digits; i++) {
        if (i == dot) {
            text[count++] = '.';
        }
        if (i < digits) {
            text[count++] = draw(50) == 0 ? "+-.e xX/:\x80"[draw(10)] : (char)('0' + draw(10));
        }
    }
    text[count] = '\0';
}

static bool is_fix_float(const char *text)
{
    text += *text == '-';
    const size_t digits = strspn(text, "0123456789");
    const size_t dot = text[digits] == '.';
    const size_t fraction = dot ? strspn(text + digits + 1, "0123456789") : 0;
    return digits + fraction > 0 && text[digits + dot + fraction] == '\0';
}

static void test_rf_fix_cells_double(void **state)
{
    (void)state;
    static char text[ROWS][TEXT_MAX];
    for (int isa = RF_ISA_SCALAR; isa <= (int)rf_isa_best(); isa++) {
        for (int round = 0; round < 30; round++) {
            for (uint32_t row = 0; row < ROWS; row++) {
                random_number(text[row]);
                put(row, text[row]);
                if (row % 16 == 15) {
                    columns.slot->tag[row] = RF_TAG_ABSENT;
                }
            }
            rf_fix_cells_double((enum rf_isa)isa, &batch, ROWS, columns.slot);
            for (uint32_t row = 0; row < ROWS; row++) {
                double value;
                memcpy(&value, &columns.slot->payload[row], sizeof value);
                if (row % 16 == 15) {
                    assert_int_equal(columns.slot->tag[row], RF_TAG_ABSENT);
                } else if (!is_fix_float(text[row])) {
                    assert_int_equal(columns.slot->tag[row], RF_TAG_ERROR);
                } else {
                    const double expected = strtod(text[row], NULL);
                    assert_int_equal(columns.slot->tag[row], RF_TAG_DOUBLE);
                    assert_memory_equal(&value, &expected, sizeof value);
                }
            }
        }
    }
}

static void test_rf_fix_cells_int(void **state)
{
    (void)state;
    static char text[ROWS][TEXT_MAX];
    for (int isa = RF_ISA_SCALAR; isa <= (int)rf_isa_best(); isa++) {
        for (int round = 0; round < 30; round++) {
            for (uint32_t row = 0; row < ROWS; row++) {
                random_number(text[row]);
                put(row, text[row]);
            }
            rf_fix_cells_int((enum rf_isa)isa, &batch, ROWS, columns.slot);
            for (uint32_t row = 0; row < ROWS; row++) {
                int64_t expected;
                const bool is_int = rf_fix_int(rf_str_of(text[row]), &expected);
                assert_int_equal(columns.slot->tag[row], is_int ? RF_TAG_INT : RF_TAG_ERROR);
                if (is_int) {
                    assert_int_equal((int64_t)columns.slot->payload[row], expected);
                    assert_int_equal(expected, strtoll(text[row], NULL, 10));
                }
            }
        }
    }
}

static void test_rf_fix_int(void **state)
{
    (void)state;
    int64_t value = 0;
    assert_true(rf_fix_int(RF_STR("000004"), &value) && value == 4);
    assert_true(rf_fix_int(RF_STR("9223372036854775807"), &value) && value == INT64_MAX);
    assert_true(rf_fix_int(RF_STR("-9223372036854775808"), &value) && value == INT64_MIN);
    assert_false(rf_fix_int(RF_STR("9223372036854775808"), &value));
    assert_false(rf_fix_int(RF_STR("18446744073709551671"), &value));
    assert_false(rf_fix_int(RF_STR(""), &value));
    assert_false(rf_fix_int(RF_STR("-"), &value));
    assert_false(rf_fix_int(RF_STR("+1"), &value));
    assert_false(rf_fix_int(RF_STR("1.0"), &value));
}

static void test_rf_fix_double(void **state)
{
    (void)state;
    double value = 0;
    assert_true(rf_fix_double(RF_STR("00023.230"), &value) && value == 23.23);
    assert_true(rf_fix_double(RF_STR("-.5"), &value) && value == -0.5);
    assert_true(rf_fix_double(RF_STR("5."), &value) && value == 5);
    assert_true(rf_fix_double(RF_STR("0.1000000000000000055511151231257827021181583404541015625"), &value));
    assert_true(value == 0.1);
    assert_false(rf_fix_double(RF_STR("."), &value));
    assert_false(rf_fix_double(RF_STR("1e5"), &value));
    assert_false(rf_fix_double(RF_STR(""), &value));
}

static void test_rf_fix_cells_text(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "a", "abcdefg", "abcdefgh", "abcdefghi", "\xff\xfe"};
    for (uint32_t row = 0; row < 6; row++) {
        put(row, texts[row]);
    }
    rf_fix_cells_text(&batch, 6, columns.slot);
    for (uint32_t row = 0; row < 6; row++) {
        assert_int_equal(columns.slot->payload[row], rf_str_prefix(rf_str_of(texts[row])));
    }
}

static int set_up(void **state)
{
    struct rf_error err;
    (void)state;
    return rf_columns_open(&columns, 1, ROWS, &err) == RF_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    rf_columns_close(&columns);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_fix_cells_double), cmocka_unit_test(test_rf_fix_cells_int),
        cmocka_unit_test(test_rf_fix_int),     cmocka_unit_test(test_rf_fix_double),
        cmocka_unit_test(test_rf_fix_cells_text),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
