/* The decoder of case_fix_gateway.h: the stages of the pipeline as a worker calls them, on messages that lie in memory. */
#include <inttypes.h>
#include <stdio.h>

#include "case_fix_gateway.h"

enum { RECORD_BYTES_MAX = 1 << 20 };

const uint32_t fix_wanted_tag[FIX_WANTED] = {
    [FIX_WANTED_TYPE] = 35,       [FIX_WANTED_SENDER] = 49,        [FIX_WANTED_ORDER_ID] = 11,
    [FIX_WANTED_EXEC_ID] = 17,    [FIX_WANTED_EXEC_REF_ID] = 19,   [FIX_WANTED_EXEC_TYPE] = 150,
    [FIX_WANTED_TRANS_TYPE] = 20, [FIX_WANTED_ACCOUNT] = 1,        [FIX_WANTED_SYMBOL] = 55,
    [FIX_WANTED_SIDE] = 54,       [FIX_WANTED_LAST_QUANTITY] = 32, [FIX_WANTED_LAST_PRICE] = 31,
};

static enum rf_status parts_open(struct fix_decoder *decoder, const uint32_t *tags, uint32_t slots, uint32_t rows_max,
                                 struct rf_error *err)
{
    RF_TRY(rf_isa_select(&decoder->isa, err));
    RF_TRY(rf_rows_open(&decoder->rows, rows_max, err));
    RF_TRY(rf_fix_frame_open(&decoder->frame, rows_max, RECORD_BYTES_MAX, false, err));
    RF_TRY(rf_fix_index_open(&decoder->index, rows_max, tags, slots, err));
    RF_TRY(rf_fix_index_reserve(&decoder->index, (size_t)rows_max * FIX_EXECUTION_MAX, err));
    return rf_columns_open(&decoder->columns, slots, rows_max, err);
}

bool fix_decoder_open(struct fix_decoder *decoder, const uint32_t *tags, uint32_t slots, uint32_t rows_max)
{
    struct rf_error err;
    *decoder = (struct fix_decoder){0};
    if (parts_open(decoder, tags, slots, rows_max, &err) != RF_OK) {
        fprintf(stderr, "riffle-bench: %s\n", err.text);
        fix_decoder_close(decoder);
        return false;
    }
    return true;
}

void fix_decoder_close(struct fix_decoder *decoder)
{
    rf_columns_close(&decoder->columns);
    rf_fix_index_close(&decoder->index);
    rf_fix_frame_close(&decoder->frame);
    rf_rows_close(&decoder->rows);
    *decoder = (struct fix_decoder){0};
}

bool fix_decoder_run(struct fix_decoder *decoder, struct rf_str bytes, uint32_t messages)
{
    struct rf_rows *const rows = &decoder->rows;
    decoder->batch.bytes = (const uint8_t *)bytes.data;
    decoder->batch.bytes_used = (uint32_t)bytes.count;
    rf_fix_frame_run(&decoder->frame, decoder->isa, &decoder->batch, (struct rf_span32){0, decoder->batch.bytes_used},
                     rows);
    rf_fix_index_wanted(&decoder->index, decoder->isa, &decoder->batch, rows, &decoder->frame, &decoder->columns);
    uint32_t good = 0;
    for (uint32_t row = 0; row < rows->rows; row++) {
        good += rows->status[row] == RF_ROW_REJECTED;
    }
    if (rows->rows != messages || good != messages) {
        fprintf(stderr, "riffle-bench: FIX: %" PRIu32 " entries, %" PRIu32 " of them good messages, not %" PRIu32 "\n",
                rows->rows, good, messages);
        return false;
    }
    return true;
}
