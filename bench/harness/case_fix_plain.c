/* The plain encoder of case_fix.h. */
#include <string.h>

#include "calendar.h"
#include "case_fix.h"

enum { HEAD_ROOM = 32, SOH = 1 };

#define PUT(at, literal) (memcpy((at), (literal), sizeof(literal) - 1), (at) + sizeof(literal) - 1)

static char *text_put(char *at, struct rf_str text)
{
    memcpy(at, text.data, text.count);
    at[text.count] = SOH;
    return at + text.count + 1;
}

static char *digits_put(char *at, uint64_t value)
{
    char digits[20];
    char *first = digits + sizeof(digits);
    do {
        *--first = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    const size_t count = (size_t)(digits + sizeof(digits) - first);
    memcpy(at, first, count);
    return at + count;
}

static char *padded_put(char *at, uint32_t value, unsigned count)
{
    for (unsigned i = count; i-- > 0;) {
        at[i] = (char)('0' + value % 10);
        value /= 10;
    }
    return at + count;
}

static char *time_put(struct fix_plain *plain, char *at, int64_t time_ns)
{
    const int64_t ms = time_ns / 1000000;
    const int64_t day = ms / 86400000;
    const uint32_t ms_of_day = (uint32_t)(ms % 86400000);
    if (day != plain->day) {
        const struct rf_date date = rf_date_from_days((int32_t)day);
        padded_put(plain->date, (uint32_t)(date.year * 10000 + date.month * 100 + date.day), 8);
        plain->day = day;
    }
    memcpy(at, plain->date, 8);
    at[8] = '-';
    at = padded_put(at + 9, ms_of_day / 3600000, 2);
    *at++ = ':';
    at = padded_put(at, ms_of_day / 60000 % 60, 2);
    *at++ = ':';
    at = padded_put(at, ms_of_day / 1000 % 60, 2);
    *at++ = '.';
    at = padded_put(at, ms_of_day % 1000, 3);
    *at++ = SOH;
    return at;
}

static struct rf_str frame_put(char *body, char *end)
{
    char digits[20];
    const size_t count = (size_t)(digits_put(digits, (uint64_t)(end - body)) - digits);
    char *begin = body - 1 - count;
    memcpy(begin, digits, count);
    begin[count] = SOH;
    begin -= sizeof("8=FIX.4.4\0019=") - 1;
    memcpy(begin, "8=FIX.4.4\0019=", sizeof("8=FIX.4.4\0019=") - 1);
    uint32_t sum = 0;
    for (const char *at = begin; at < end; at++) {
        sum += (uint8_t)*at;
    }
    end = PUT(end, "10=");
    end = padded_put(end, sum % 256, 3);
    *end++ = SOH;
    return (struct rf_str){begin, (size_t)(end - begin)};
}

struct rf_str fix_plain_order(struct fix_plain *plain, const struct fix_order *order, char *out)
{
    char *const body = out + HEAD_ROOM;
    char *at = PUT(body, "35=D\00149=SENDER\00156=TARGET\00134=");
    at = digits_put(at, order->sequence);
    at = time_put(plain, PUT(at, "\00152="), order->time_ns);
    at = text_put(PUT(at, "11="), order->id);
    at = text_put(PUT(at, "1="), order->account);
    at = text_put(PUT(at, "55="), order->symbol);
    at = PUT(at, "54=");
    *at++ = order->side;
    at = digits_put(PUT(at, "\00138="), order->quantity);
    at = PUT(at, "\00140=");
    *at++ = order->type;
    at = digits_put(PUT(at, "\00144="), (uint64_t)order->price / 10000);
    *at++ = '.';
    at = padded_put(at, (uint32_t)(order->price % 10000), 4);
    at = PUT(at, "\00159=0\00160=");
    at = time_put(plain, at, order->time_ns);
    at = PUT(at, "21=1\001");
    return frame_put(body, at);
}

struct rf_str fix_plain_heartbeat(struct fix_plain *plain, const struct fix_order *order, char *out)
{
    char *const body = out + HEAD_ROOM;
    char *at = PUT(body, "35=0\00149=SENDER\00156=TARGET\00134=");
    at = digits_put(at, order->sequence);
    at = time_put(plain, PUT(at, "\00152="), order->time_ns);
    return frame_put(body, at);
}
