/* The messages of the cases about a FIX gateway: orders as a client sends them, and the reports that answer them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_fix_gateway.h"

enum { HASH_SHIFT = 17, ACCOUNTS = 20, SYMBOLS = 50, BODY_MAX = FIX_EXECUTION_MAX - 64 };

static bool texts_open(struct fix_texts *texts, size_t text_max)
{
    texts->bytes = calloc(1, (size_t)FIX_MESSAGES * text_max + RF_BATCH_PADDING);
    texts->begin = calloc(FIX_MESSAGES + 1, sizeof(texts->begin[0]));
    if (texts->bytes == NULL || texts->begin == NULL) {
        fprintf(stderr, "riffle-bench: no memory for messages\n");
        fix_texts_close(texts);
        return false;
    }
    return true;
}

void fix_texts_close(struct fix_texts *texts)
{
    free(texts->bytes);
    free(texts->begin);
    *texts = (struct fix_texts){0};
}

/* ---- Requests ---- */

static char *text_put(char *at, struct rf_str text)
{
    *at++ = (char)(uint8_t)text.count;
    memcpy(at, text.data, text.count);
    return at + text.count;
}

static char *number_put(char *at, int64_t number)
{
    memcpy(at, &number, sizeof(number));
    return at + sizeof(number);
}

static size_t request_write(const struct fix_order *order, char *out)
{
    char *at = out + sizeof(uint32_t);
    at = number_put(at, (int64_t)order->quantity);
    at = number_put(at, order->price);
    at = number_put(at, order->time_ns);
    *at++ = order->side;
    *at++ = order->type;
    at = text_put(at, order->id);
    at = text_put(at, order->account);
    at = text_put(at, order->symbol);
    const uint32_t length = (uint32_t)(at - out - (ptrdiff_t)sizeof(uint32_t));
    memcpy(out, &length, sizeof(length));
    return (size_t)(at - out);
}

bool fix_requests_open(struct fix_texts *requests, const struct fix_orders *orders)
{
    if (!texts_open(requests, FIX_REQUEST_MAX)) {
        return false;
    }
    for (uint32_t i = 0; i < FIX_MESSAGES; i++) {
        const size_t count = request_write(&orders->order[i], requests->bytes + requests->begin[i]);
        requests->begin[i + 1] = requests->begin[i] + (uint32_t)count;
    }
    return true;
}

static bool text_take(const char **at, const char *end, struct rf_str *text)
{
    if (*at == end || (size_t)(end - *at - 1) < (uint8_t) * *at) {
        return false;
    }
    *text = (struct rf_str){*at + 1, (uint8_t) * *at};
    *at += 1 + text->count;
    return true;
}

bool fix_request_read(struct rf_str request, struct fix_order *order)
{
    enum { FIXED_BYTES = sizeof(uint32_t) + 3 * sizeof(int64_t) + 2 };
    uint32_t length;
    if (request.count < FIXED_BYTES) {
        return false;
    }
    memcpy(&length, request.data, sizeof(length));
    if (length != request.count - sizeof(length)) {
        return false;
    }
    const char *at = request.data + sizeof(length);
    const char *const end = request.data + request.count;
    memcpy(&order->quantity, at, 8);
    memcpy(&order->price, at + 8, 8);
    memcpy(&order->time_ns, at + 16, 8);
    order->side = at[24];
    order->type = at[25];
    at = request.data + FIXED_BYTES;
    return text_take(&at, end, &order->id) && text_take(&at, end, &order->account) &&
           text_take(&at, end, &order->symbol) && at == end;
}

/* ---- Reports ---- */

/* Depends on the order alone, so that one order has one answer. */
static uint64_t order_random(const struct fix_order *order, uint64_t salt)
{
    return ((order->sequence + salt) * 0x9e3779b97f4a7c15ull) >> HASH_SHIFT;
}

static int body_write(const struct fix_order *order, enum fix_owner owner, char *out)
{
    char account[16];
    char symbol[16];
    char time[24];
    const unsigned number = (unsigned)order->sequence;
    const unsigned quantity = (unsigned)order->quantity;
    const unsigned last = 1 + (unsigned)(order_random(order, 1) % quantity);
    const unsigned whole = (unsigned)(order->price / 10000);
    const unsigned part = (unsigned)(order->price % 10000);
    const unsigned ms = (unsigned)(order->time_ns / 1000000 % 3600000);
    snprintf(time, sizeof(time), "20260102-10:%02u:%02u.%03u", ms / 60000 % 60, ms / 1000 % 60, ms % 1000);
    if (owner == FIX_BOOKED) {
        snprintf(account, sizeof(account), "ACCT%03u", (unsigned)(order_random(order, 2) % ACCOUNTS));
        snprintf(symbol, sizeof(symbol), "SYM%02u", (unsigned)(order_random(order, 3) % SYMBOLS));
    } else {
        snprintf(account, sizeof(account), "%.*s", RF_STR_ARG(order->account));
        snprintf(symbol, sizeof(symbol), "%.*s", RF_STR_ARG(order->symbol));
    }
    return snprintf(out, BODY_MAX,
                    "35=8\00149=TARGET\00156=SENDER\00134=%u\00152=%s\00137=ORD-20260102-%012u\00111=%.*s\001"
                    "17=EXEC-%014u\001150=F\00139=%c\0011=%s\00155=%s\00154=%c\00138=%u\00132=%u\00131=%u.%04u\001"
                    "151=%u\00114=%u\0016=%u.%04u\00160=%s\001",
                    number, time, number * 7, RF_STR_ARG(order->id), number * 13, last == quantity ? '2' : '1', account,
                    symbol, order->side, quantity, last, whole, part, quantity - last, last, whole, part, time);
}

static size_t execution_write(const struct fix_order *order, enum fix_owner owner, char *out)
{
    char body[BODY_MAX];
    const int body_bytes = body_write(order, owner, body);
    int count = snprintf(out, FIX_EXECUTION_MAX, "8=FIX.4.4\0019=%d\001", body_bytes);
    memcpy(out + count, body, (size_t)body_bytes);
    count += body_bytes;
    unsigned sum = 0;
    for (int i = 0; i < count; i++) {
        sum += (uint8_t)out[i];
    }
    return (size_t)count + (size_t)snprintf(out + count, 8, "10=%03u\001", sum % 256);
}

bool fix_executions_open(struct fix_texts *executions, const struct fix_orders *orders, enum fix_owner owner)
{
    if (!texts_open(executions, FIX_EXECUTION_MAX)) {
        return false;
    }
    for (uint32_t i = 0; i < FIX_MESSAGES; i++) {
        const size_t count = execution_write(&orders->order[i], owner, executions->bytes + executions->begin[i]);
        executions->begin[i + 1] = executions->begin[i] + (uint32_t)count;
    }
    return true;
}

bool fix_order_messages_open(struct fix_texts *messages, const struct fix_orders *orders, bool is_heartbeat)
{
    struct fix_plain plain = {.day = -1};
    if (!texts_open(messages, FIX_EXECUTION_MAX)) {
        return false;
    }
    for (uint32_t i = 0; i < FIX_MESSAGES; i++) {
        char buffer[FIX_MESSAGE_BYTES];
        const struct rf_str message = is_heartbeat ? fix_plain_heartbeat(&plain, &orders->order[i], buffer)
                                                   : fix_plain_order(&plain, &orders->order[i], buffer);
        memcpy(messages->bytes + messages->begin[i], message.data, message.count);
        messages->begin[i + 1] = messages->begin[i] + (uint32_t)message.count;
    }
    return true;
}
