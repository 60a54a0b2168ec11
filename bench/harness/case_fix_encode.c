/* FX-enc and FX-hb: orders and heartbeats, beside a plain encoder and the figures of a published gateway. */
#include <stdio.h>

#include "case_fix.h"
#include "fix_encode.h"
#include "riffle_fix.h"

enum { ROUNDS = 8, RING_BYTES = 64 * 1024 };

struct encode_side {
    const struct fix_orders *orders;
    bool is_heartbeat;
    bool is_looked_at; /* the first run hashes what it wrote; those that are timed do not */
    struct rf_fix_template header;
    struct rf_fix_encoder encoder;
    struct riffle_fix_template public_header; /* the same through the C API, whose tags are no constants inside */
    struct riffle_fix_encoder public_encoder;
    struct fix_plain plain;
    char ring[RING_BYTES]; /* as a buffer to be sent is: messages follow each other, then it is begun anew */
};

static enum rf_status order_write(struct encode_side *side, const struct fix_order *order, char *out,
                                  struct rf_str *message, struct rf_error *err)
{
    struct rf_fix_encoder *const encoder = &side->encoder;
    rf_fix_begin(encoder, &side->header, out, FIX_MESSAGE_BYTES);
    rf_fix_put_header(encoder, order->sequence, order->time_ns, RF_FIX_MILLISECONDS);
    if (!side->is_heartbeat) {
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
    }
    return rf_fix_end(encoder, message, err);
}

static void message_count(struct encode_side *side, struct rf_str message, struct outcome *outcome)
{
    outcome->selected += message.count;
    if (!side->is_looked_at) {
        outcome->digest = bench_hash(outcome->digest, message.data, message.count);
    }
}

static bool riffle_run(void *context, struct outcome *outcome)
{
    struct encode_side *const side = context;
    struct rf_error err;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        size_t used = 0;
        for (uint32_t i = 0; i < FIX_MESSAGES; i++) {
            struct rf_str message;
            if (order_write(side, &side->orders->order[i], side->ring + used, &message, &err) != RF_OK) {
                fprintf(stderr, "riffle-bench: %s\n", err.text);
                return false;
            }
            message_count(side, message, outcome);
            used = used + message.count > RING_BYTES - FIX_MESSAGE_BYTES ? 0 : used + message.count;
        }
    }
    side->is_looked_at = true;
    return true;
}

static bool public_write(struct encode_side *side, const struct fix_order *order, char *out, struct rf_str *message,
                         struct riffle_error *error)
{
    struct riffle_fix_encoder *const encoder = &side->public_encoder;
    riffle_fix_begin(encoder, &side->public_header, out, FIX_MESSAGE_BYTES);
    riffle_fix_put_header(encoder, order->sequence, order->time_ns, RIFFLE_FIX_MILLISECONDS);
    if (!side->is_heartbeat) {
        riffle_fix_put_text(encoder, 11, order->id.data, order->id.count);
        riffle_fix_put_text(encoder, 1, order->account.data, order->account.count);
        riffle_fix_put_text(encoder, 55, order->symbol.data, order->symbol.count);
        riffle_fix_put_char(encoder, 54, order->side);
        riffle_fix_put_uint(encoder, 38, order->quantity);
        riffle_fix_put_char(encoder, 40, order->type);
        riffle_fix_put_decimal(encoder, 44, order->price, -4);
        riffle_fix_put_char(encoder, 59, '0');
        riffle_fix_put_time(encoder, 60, order->time_ns, RIFFLE_FIX_MILLISECONDS);
        riffle_fix_put_char(encoder, 21, '1');
    }
    message->data = out;
    return riffle_fix_end(encoder, &message->count, error) == RIFFLE_OK;
}

static bool public_run(void *context, struct outcome *outcome)
{
    struct encode_side *const side = context;
    struct riffle_error error;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        size_t used = 0;
        for (uint32_t i = 0; i < FIX_MESSAGES; i++) {
            struct rf_str message;
            if (!public_write(side, &side->orders->order[i], side->ring + used, &message, &error)) {
                fprintf(stderr, "riffle-bench: %s\n", error.text);
                return false;
            }
            message_count(side, message, outcome);
            used = used + message.count > RING_BYTES - FIX_MESSAGE_BYTES ? 0 : used + message.count;
        }
    }
    side->is_looked_at = true;
    return true;
}

static bool plain_run(void *context, struct outcome *outcome)
{
    struct encode_side *const side = context;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        size_t used = 0;
        for (uint32_t i = 0; i < FIX_MESSAGES; i++) {
            const struct fix_order *const order = &side->orders->order[i];
            const struct rf_str message = side->is_heartbeat
                                              ? fix_plain_heartbeat(&side->plain, order, side->ring + used)
                                              : fix_plain_order(&side->plain, order, side->ring + used);
            message_count(side, message, outcome);
            used = used + FIX_MESSAGE_BYTES > RING_BYTES - FIX_MESSAGE_BYTES ? 0 : used + message.count;
        }
    }
    side->is_looked_at = true;
    return true;
}

static bool side_open(struct encode_side *side, const struct fix_orders *orders, bool is_heartbeat)
{
    struct rf_error err;
    const struct rf_fix_fixed_field field[] = {{49, RF_STR("SENDER")}, {56, RF_STR("TARGET")}};
    side->orders = orders;
    side->is_heartbeat = is_heartbeat;
    side->is_looked_at = false;
    side->plain.day = -1;
    rf_fix_encoder_init(&side->encoder);
    struct riffle_error error;
    const struct riffle_fix_field public_field[] = {{49, "SENDER", 6}, {56, "TARGET", 6}};
    riffle_fix_encoder_init(&side->public_encoder);
    if (riffle_fix_template_init(&side->public_header, "FIX.4.4", is_heartbeat ? "0" : "D", public_field, 2, &error) !=
        RIFFLE_OK) {
        fprintf(stderr, "riffle-bench: %s\n", error.text);
        return false;
    }
    if (rf_fix_template_open(&side->header, RF_STR("FIX.4.4"), is_heartbeat ? RF_STR("0") : RF_STR("D"), field, 2,
                             &err) != RF_OK) {
        fprintf(stderr, "riffle-bench: %s\n", err.text);
        return false;
    }
    return true;
}

static bool encode_measure(struct bench *bench, bool is_heartbeat, bool is_fixed, const char *title)
{
    static struct measurement m;
    static struct encode_side ours, public, plain;
    struct fix_orders orders;
    struct outcome seen = {0};
    if (!fix_orders_open(&orders, is_fixed)) {
        return false;
    }
    bool is_good = side_open(&ours, &orders, is_heartbeat) && side_open(&public, &orders, is_heartbeat) &&
                   side_open(&plain, &orders, is_heartbeat) && riffle_run(&ours, &seen);
    if (is_good) {
        ours.is_looked_at = false;
        measurement_open(&m, title, (size_t)seen.selected, (uint64_t)ROUNDS * FIX_MESSAGES, bench->laps);
        measurement_add(&m, "riffle", "riffle", riffle_run, &ours);
        measurement_add(&m, "riffle_fix.h", "riffle_fix.h", public_run, &public);
        measurement_add(&m, "plain C", "plain C: memcpy, digit by digit", plain_run, &plain);
        m.baseline = "plain C";
        is_good = measurement_run(&m);
    }
    fix_orders_close(&orders);
    return is_good;
}

bool case_fix_encode(struct bench *bench)
{
    const bool is_good =
        encode_measure(bench, false, false, "FX-enc  NewOrderSingle, 18 fields, 16,384 distinct orders; goal 60 ns") &&
        encode_measure(bench, false, true, "FX-enc  the same, one order again and again");
    printf("  published, another machine: a Rust gateway, 214 ns\n\n");
    return is_good;
}

bool case_fix_heartbeat(struct bench *bench)
{
    const bool is_good =
        encode_measure(bench, true, false, "FX-hb   Heartbeat, 8 fields, 16,384 distinct; goal 15 ns") &&
        encode_measure(bench, true, true, "FX-hb   the same, one heartbeat again and again");
    printf("  published, another machine: a Rust gateway, 24.4 ns\n\n");
    return is_good;
}
