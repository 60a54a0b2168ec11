#include "column.h"

#include <stdlib.h>

enum { COLUMN_ALIGN = 64, COLUMN_SLACK = 64, ROW_GROUP = 64 };

/* More than any machine in sight has; only sizes that come from a mistake are above it. */
static const size_t columns_bytes_max = (size_t)1 << 38;

/* All arrays lie in one block, one behind the other with a cache line between them. Power-of-two strides would
 * put row r of every array of every slot into the same set of the first-level cache, which one walk of a
 * record then writes in turn; the line between shifts them apart. */
enum rf_status rf_columns_open(struct rf_columns *columns, uint32_t slots, uint32_t rows_max, struct rf_error *err)
{
    const size_t rows = ((size_t)rows_max + ROW_GROUP - 1) / ROW_GROUP * ROW_GROUP;
    const size_t row_bytes = sizeof(uint8_t) + sizeof(uint64_t) + 2 * sizeof(uint32_t);
    const size_t slot_bytes = rows * row_bytes + 4 * COLUMN_SLACK;

    *columns = (struct rf_columns){.slots = slots, .rows_max = rows_max};
    if (slots == 0) {
        return RF_OK;
    }
    void *block = NULL;
    columns->slot = calloc(slots, sizeof *columns->slot);
    if (columns->slot == NULL || slot_bytes > columns_bytes_max / slots ||
        posix_memalign(&block, COLUMN_ALIGN, slot_bytes * slots) != 0) {
        free(columns->slot);
        *columns = (struct rf_columns){0};
        RF_FAIL(err, RF_E_MEMORY, "no memory for %u columns of %u rows", slots, rows_max);
    }
    uint8_t *bytes = block;
    for (uint32_t s = 0; s < slots; s++) {
        struct rf_column *const column = &columns->slot[s];
        column->tag = bytes;
        bytes += rows * sizeof *column->tag + COLUMN_SLACK;
        column->payload = (void *)bytes;
        bytes += rows * sizeof *column->payload + COLUMN_SLACK;
        column->begin = (void *)bytes;
        bytes += rows * sizeof *column->begin + COLUMN_SLACK;
        column->length = (void *)bytes;
        bytes += rows * sizeof *column->length + COLUMN_SLACK;
    }
    return RF_OK;
}

enum rf_status rf_columns_reserve_side(struct rf_columns *columns, size_t bytes, struct rf_error *err)
{
    columns->side_used = 0;
    if (columns->side != NULL && bytes <= columns->side_bytes) {
        return RF_OK;
    }
    if (bytes >= RF_SIDE_BIT) {
        RF_FAIL(err, RF_E_LIMIT, "a side text of %zu bytes exceeds the limit of %u bytes", bytes, RF_SIDE_BIT - 1);
    }
    void *memory = NULL;
    if (posix_memalign(&memory, COLUMN_ALIGN, bytes + COLUMN_SLACK) != 0) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for a side text of %zu bytes", bytes);
    }
    free(columns->side);
    columns->side = memory;
    columns->side_bytes = bytes;
    return RF_OK;
}

void rf_columns_close(struct rf_columns *columns)
{
    if (columns->slot != NULL) {
        free(columns->slot[0].tag); /* the block of all arrays begins there */
    }
    free(columns->slot);
    free(columns->side);
    *columns = (struct rf_columns){0};
}

bool rf_cell_number(enum rf_tag tag, uint64_t payload, struct rf_number *out)
{
    switch (tag) {
    case RF_TAG_NUMBER:
    case RF_TAG_DOUBLE:
        out->kind = RF_NUMBER_DOUBLE;
        memcpy(&out->as.d, &payload, sizeof payload);
        return true;
    case RF_TAG_BIGINT:
    case RF_TAG_INT:
        out->kind = RF_NUMBER_INT;
        memcpy(&out->as.i, &payload, sizeof payload);
        return true;
    case RF_TAG_BIGUINT:
    case RF_TAG_UINT:
        out->kind = RF_NUMBER_UINT;
        out->as.u = payload;
        return true;
    default:
        return false;
    }
}
