/* The path of one order through a gateway, by riffle and by plain C: request to message, report to row. */
#include <inttypes.h>
#include <stdio.h>

#include "case_fix_gateway.h"
#include "fix_cells.h"
#include "fix_sum.h"

static bool path_tell(const char *what)
{
    fprintf(stderr, "riffle-bench: FIX: %s\n", what);
    return false;
}

bool fix_path_open(struct fix_path *path, const struct fix_texts *requests, bool is_plain)
{
    struct rf_error err;
    const struct rf_fix_fixed_field field[] = {{49, RF_STR("SENDER")}, {56, RF_STR("TARGET")}};
    path->requests = requests;
    path->is_plain = is_plain;
    path->plain.day = -1;
    rf_fix_encoder_init(&path->encoder);
    if (rf_fix_template_open(&path->header, RF_STR("FIX.4.4"), RF_STR("D"), field, 2, &err) != RF_OK) {
        return path_tell(err.text);
    }
    return fix_decoder_open(&path->decoder, fix_wanted_tag, FIX_WANTED, 128);
}

void fix_path_close(struct fix_path *path)
{
    fix_decoder_close(&path->decoder);
}

static bool order_encode(struct fix_path *path, char *out, struct rf_str *message)
{
    struct rf_error err;
    struct rf_fix_encoder *const encoder = &path->encoder;
    const struct fix_order *const order = &path->order;
    rf_fix_begin(encoder, &path->header, out, FIX_MESSAGE_BYTES);
    rf_fix_put_header(encoder, order->sequence, order->time_ns, RF_FIX_MILLISECONDS);
    rf_fix_put_text(encoder, 11, order->id);
    rf_fix_put_text(encoder, 1, order->account);
    rf_fix_put_text(encoder, 55, order->symbol);
    rf_fix_put_char(encoder, 54, order->side);
    rf_fix_put_uint(encoder, 38, order->quantity);
    rf_fix_put_char(encoder, 40, order->type);
    rf_fix_put_decimal(encoder, 44, order->price, -4);
    rf_fix_put_char(encoder, 59, '0');
    rf_fix_put_time(encoder, 60, order->time_ns, RF_FIX_MILLISECONDS);
    rf_fix_put_char(encoder, 21, '1');
    return rf_fix_end(encoder, message, &err) == RF_OK || path_tell(err.text);
}

bool fix_path_send(struct fix_path *path, uint32_t i, uint64_t sequence, char *out, struct rf_str *message)
{
    if (!fix_request_read(fix_text(path->requests, i), &path->order)) {
        return path_tell("a request that is none");
    }
    path->order.sequence = sequence;
    if (path->is_plain) {
        *message = fix_plain_order(&path->plain, &path->order, out);
        return true;
    }
    return order_encode(path, out, message);
}

/* ---- Reports ---- */

static bool row_finish(struct fix_path *path, struct fix_row *row, const struct fix_order *order, char type)
{
    if (type != '8' || !rf_str_equal(row->order_id, order->id)) {
        return path_tell("a report that does not answer the order");
    }
    row->quantity = (int64_t)order->quantity;
    row->price = order->price;
    path->row_bytes = fix_row_write(row, path->row);
    return true;
}

static bool row_numbers(struct fix_row *row, struct rf_str quantity, struct rf_str price)
{
    return (rf_fix_cell_int(quantity, &row->last_quantity) && rf_fix_cell_double(price, &row->last_price)) ||
           path_tell("a report without LastQty or LastPx");
}

bool fix_path_take(struct fix_path *path, const struct fix_order *order, uint32_t at)
{
    const struct fix_decoder *const decoder = &path->decoder;
    struct fix_row row = {
        .order_id = fix_decoder_text(decoder, FIX_WANTED_ORDER_ID, at),
        .exec_id = fix_decoder_text(decoder, FIX_WANTED_EXEC_ID, at),
        .account = fix_decoder_text(decoder, FIX_WANTED_ACCOUNT, at),
        .symbol = fix_decoder_text(decoder, FIX_WANTED_SYMBOL, at),
        .side = fix_first_char(fix_decoder_text(decoder, FIX_WANTED_SIDE, at)),
    };
    return row_numbers(&row, fix_decoder_text(decoder, FIX_WANTED_LAST_QUANTITY, at),
                       fix_decoder_text(decoder, FIX_WANTED_LAST_PRICE, at)) &&
           row_finish(path, &row, order, fix_first_char(fix_decoder_text(decoder, FIX_WANTED_TYPE, at)));
}

bool fix_plain_row(const struct fix_plain_report *report, struct fix_row *row)
{
    int64_t price;
    *row = (struct fix_row){
        .order_id = report->text[FIX_WANTED_ORDER_ID],
        .exec_id = report->text[FIX_WANTED_EXEC_ID],
        .account = report->text[FIX_WANTED_ACCOUNT],
        .symbol = report->text[FIX_WANTED_SYMBOL],
        .side = fix_first_char(report->text[FIX_WANTED_SIDE]),
    };
    if (!fix_plain_number(report->text[FIX_WANTED_LAST_QUANTITY], &row->last_quantity) ||
        !fix_plain_decimal(report->text[FIX_WANTED_LAST_PRICE], &price)) {
        return path_tell("a report without LastQty or LastPx");
    }
    row->last_price = (double)price / 10000;
    return true;
}

bool fix_path_receive(struct fix_path *path, const struct fix_order *order, struct rf_str report)
{
    if (!path->is_plain) {
        return fix_decoder_run(&path->decoder, report, 1) && fix_path_take(path, order, 0);
    }
    struct fix_plain_report plain;
    struct fix_row row;
    if (!fix_plain_decode(report.data, report.count, &plain) || plain.bytes != report.count) {
        return path_tell("plain C: no good message");
    }
    return fix_plain_row(&plain, &row) && row_finish(path, &row, order, fix_first_char(plain.text[FIX_WANTED_TYPE]));
}

uint32_t fix_path_row_sum(const struct fix_path *path)
{
    return path->is_plain ? fix_plain_sum(path->row, path->row_bytes) : rf_fix_text_sum(path->row, path->row_bytes);
}
