/* The orders of the cases about FIX. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_fix.h"

enum { TEXT_MAX = 16, TEXTS = 3 };

static uint64_t random_next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

static struct rf_str text_make(char *at, uint64_t *random, const char *alphabet, size_t count)
{
    const size_t letters = strlen(alphabet);
    for (size_t i = 0; i < count; i++) {
        at[i] = alphabet[random_next(random) % letters];
    }
    return (struct rf_str){at, count};
}

static struct fix_order order_make(char *text, uint64_t *random, uint64_t number)
{
    static const char *const digits = "0123456789";
    static const char *const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    static const uint64_t quantity_max[] = {9, 99, 999, 9999, 99999};
    const int64_t first_ns = 1767348000000000000; /* 2026-01-02 10:00 */
    return (struct fix_order){
        .id = text_make(text, random, digits, 8 + random_next(random) % 7),
        .account = text_make(text + TEXT_MAX, random, letters, 5 + random_next(random) % 4),
        .symbol = text_make(text + 2 * TEXT_MAX, random, letters, 3 + random_next(random) % 5),
        .side = (char)('1' + random_next(random) % 2),
        .type = (char)('1' + random_next(random) % 2),
        .sequence = 90000 + number,
        .quantity = 1 + random_next(random) % quantity_max[random_next(random) % 5],
        .price = 10000 + (int64_t)(random_next(random) % 90000000),
        .time_ns = first_ns + (int64_t)number * 137911,
    };
}

bool fix_orders_open(struct fix_orders *orders, bool is_fixed)
{
    uint64_t random = 1;
    orders->order = calloc(FIX_MESSAGES, sizeof(orders->order[0]));
    orders->text = calloc(FIX_MESSAGES, TEXTS * TEXT_MAX);
    if (orders->order == NULL || orders->text == NULL) {
        fprintf(stderr, "riffle-bench: no memory for orders\n");
        fix_orders_close(orders);
        return false;
    }
    for (uint64_t i = 0; i < FIX_MESSAGES; i++) {
        orders->order[i] =
            is_fixed && i != 0 ? orders->order[0] : order_make(orders->text + i * TEXTS * TEXT_MAX, &random, i);
    }
    return true;
}

void fix_orders_close(struct fix_orders *orders)
{
    free(orders->order);
    free(orders->text);
    *orders = (struct fix_orders){0};
}
