#include "set_plan.h"

#include <stdlib.h>

/* NaN never gets here, so that the order is total. */
static int number_order(const void *a, const void *b)
{
    const struct rf_number *left = a;
    const struct rf_number *right = b;
    return (int)rf_number_compare(*left, *right);
}

static int string_order(const void *a, const void *b)
{
    const struct rf_str *left = a;
    const struct rf_str *right = b;
    return rf_str_compare(*left, *right);
}

static uint32_t numbers_sort(struct rf_number *number, uint32_t count)
{
    if (count == 0) {
        return 0;
    }
    qsort(number, count, sizeof number[0], number_order);
    uint32_t kept = 1;
    for (uint32_t i = 1; i < count; i++) {
        if (rf_number_compare(number[i], number[kept - 1]) != RF_ORDER_EQUAL) {
            number[kept++] = number[i];
        }
    }
    return kept;
}

static uint32_t strings_sort(struct rf_str *string, uint32_t count)
{
    if (count == 0) {
        return 0;
    }
    qsort(string, count, sizeof string[0], string_order);
    uint32_t kept = 1;
    for (uint32_t i = 1; i < count; i++) {
        if (!rf_str_equal(string[i], string[kept - 1])) {
            string[kept++] = string[i];
        }
    }
    return kept;
}

enum rf_status rf_set_plan(struct rf_arena *arena, const struct rf_list *list, struct rf_set *set, bool *is_plain,
                           struct rf_error *err)
{
    *set = (struct rf_set){0};
    *is_plain = true;
    struct rf_number *number = RF_PUSH(arena, struct rf_number, list->count);
    struct rf_str *string = RF_PUSH(arena, struct rf_str, list->count);
    if (number == NULL || string == NULL) {
        RF_FAIL(err, RF_E_LIMIT, "the expressions need more memory than their bound allows");
    }
    struct rf_set made = {.number = number, .string = string};
    for (size_t i = 0; i < list->count; i++) {
        const struct rf_value item = list->item[i];
        if (item.type == RF_TYPE_NULL) {
            made.has_null = true;
        } else if (item.type == RF_TYPE_BOOL) {
            made.has_true = made.has_true || item.boolean;
            made.has_false = made.has_false || !item.boolean;
        } else if (item.type == RF_TYPE_STRING) {
            string[made.strings++] = item.text;
        } else if (!rf_value_is_number(item)) {
            *is_plain = false;
            return RF_OK;
        } else if (rf_number_compare(item.exact, item.exact) == RF_ORDER_EQUAL) {
            number[made.numbers++] = item.exact;
        }
    }
    made.numbers = numbers_sort(number, made.numbers);
    made.strings = strings_sort(string, made.strings);
    *set = made;
    return RF_OK;
}
