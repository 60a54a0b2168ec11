/* Rows, as they are stored for orders and executions, and percentiles of single times. */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_fix_gateway.h"

static char *text_put(char *at, struct rf_str text)
{
    assert(text.count <= FIX_ROW_TEXT_MAX);
    *at++ = (char)(uint8_t)text.count;
    if (text.count > 0) { /* else data may be NULL, which memcpy must not get */
        memcpy(at, text.data, text.count);
    }
    return at + text.count;
}

static char *word_put(char *at, const void *word)
{
    memcpy(at, word, 8);
    return at + 8;
}

size_t fix_row_write(const struct fix_row *row, char out[FIX_ROW_MAX])
{
    char *at = out;
    at = text_put(at, row->order_id);
    at = text_put(at, row->exec_id);
    at = text_put(at, row->account);
    at = text_put(at, row->symbol);
    *at++ = row->side;
    at = word_put(at, &row->quantity);
    at = word_put(at, &row->price);
    at = word_put(at, &row->last_quantity);
    at = word_put(at, &row->last_price);
    return (size_t)(at - out);
}

static int compare_times(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a;
    const uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

void fix_times_print(const char *name, uint64_t *time_ns, size_t count)
{
    assert(count > 0);
    qsort(time_ns, count, sizeof(time_ns[0]), compare_times);
    printf("  %-46s p50 %" PRIu64 ", p95 %" PRIu64 ", p99 %" PRIu64 ", most %" PRIu64 " ns of %zu\n", name,
           time_ns[count / 2], time_ns[count - 1 - count / 20], time_ns[count - 1 - count / 100], time_ns[count - 1],
           count);
}
