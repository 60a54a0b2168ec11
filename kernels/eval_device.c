#include "eval_device.h"

#include "eval_plan.h"

enum rf_status rf_eval_device_open(struct rf_eval_device *device, const struct rf_device_api *api, struct rf_eval *eval,
                                   struct rf_error *err)
{
    *device = (struct rf_eval_device){0};
    RF_TRY(rf_device_plan_make(&device->plan, eval->program, eval->plan, &eval->arena, err));
    if (device->plan.why_not != NULL) {
        RF_FAIL(err, RF_E_DEVICE, "%s", device->plan.why_not);
    }
    device->column = RF_PUSH(&eval->arena, struct rf_device_column, device->plan.program.columns);
    device->redo = RF_PUSH(&eval->arena, uint64_t, rf_bitmap_words(eval->rows_max));
    if (device->column == NULL || device->redo == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for the columns of a device");
    }
    char why[RF_DEVICE_WHY];
    device->api = api;
    device->program = api->program_make(&device->plan.program, why);
    device->slot = device->program == NULL ? NULL : api->slot_open(device->program, eval->rows_max, why);
    if (device->slot == NULL) {
        rf_eval_device_close(device);
        RF_FAIL(err, RF_E_DEVICE, "%s", why);
    }
    return RF_OK;
}

void rf_eval_device_close(struct rf_eval_device *device)
{
    if (device->slot != NULL) {
        device->api->slot_close(device->slot);
    }
    if (device->program != NULL) {
        device->api->program_free(device->program);
    }
    *device = (struct rf_eval_device){0};
}

/* Two words of 32 rows are one of 64, on machines whose lowest byte comes first. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "bitmaps are copied as they are");

/* Rows that are decided: live ones, and not those to be done anew. */
static void results_take(const struct rf_eval_device *device, struct rf_eval *eval, const struct rf_rows *rows,
                         const struct rf_device_result *result)
{
    const size_t words = (rows->rows + 31) / 32;
    for (uint32_t w = 0; w < rf_bitmap_words(rows->rows); w++) {
        const size_t have = 2 * (size_t)w + 1 < words ? 2 : 1;
        uint64_t live = rf_bitmap_tail(rows->rows, w);
        for (uint32_t row = 64 * w; row < rows->rows && row < 64 * w + 64; row++) {
            const bool is_dead = rows->status[row] == RF_ROW_MALFORMED || rows->status[row] == RF_ROW_BLANK;
            live &= ~((uint64_t)is_dead << (row & 63));
        }
        uint64_t redo = 0;
        memcpy(&redo, result->redo + 2 * (size_t)w, have * sizeof(uint32_t));
        device->redo[w] = redo & live;
        for (uint32_t p = 0; p < eval->program->predicates; p++) {
            uint64_t truth = 0;
            uint64_t falsity = 0;
            memcpy(&truth, result->truth + p * words + 2 * (size_t)w, have * sizeof(uint32_t));
            memcpy(&falsity, result->falsity + p * words + 2 * (size_t)w, have * sizeof(uint32_t));
            eval->truth[p][w] = truth & live & ~redo;
            eval->falsity[p][w] = falsity & live & ~redo;
        }
    }
}

enum rf_status rf_eval_device_run(struct rf_eval_device *device, struct rf_eval *eval, const struct rf_batch *batch,
                                  const struct rf_rows *rows, const struct rf_columns *columns, struct rf_error *err)
{
    for (uint32_t c = 0; c < device->plan.program.columns; c++) {
        const struct rf_column *from = &columns->slot[device->plan.column[c]];
        device->column[c] = (struct rf_device_column){from->tag, from->payload, from->begin, from->length};
    }
    const struct rf_device_batch input = {.struct_size = sizeof input,
                                          .rows = rows->rows,
                                          .column = device->column,
                                          .bytes = batch->bytes,
                                          .side = columns->side,
                                          .bytes_used = batch->bytes_used,
                                          .side_used = (uint32_t)columns->side_used,
                                          .id = batch->sequence};
    struct rf_device_result result = {.struct_size = sizeof result};
    char why[RF_DEVICE_WHY];
    if (device->is_lost || !device->api->slot_run(device->slot, &input, &result, why)) {
        device->is_lost |= result.is_lost;
        RF_FAIL(err, RF_E_DEVICE, "%s", device->is_lost ? "the device is lost" : why);
    }
    results_take(device, eval, rows, &result);
    device->batches++;
    device->rows += rows->rows;
    device->bytes_sent += result.bytes_sent;
    device->bytes_received += result.bytes_received;
    return RF_OK;
}
