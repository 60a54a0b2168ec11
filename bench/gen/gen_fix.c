/* FIX 4.4: ExecutionReports back to back, and a mixed log of a session with a prefix and a line end for each message. */
#include "gen_text.h"

static const char *const symbol_name[12] = {"AAPL", "MSFT", "XOM",  "EUR/USD", "AUD/USD", "BRK.B",
                                            "VOD",  "GOOG", "NVDA", "T",       "ESZ6",    "USD/JPY"};

enum { BODY_MAX = RF_GEN_RECORD_MAX - 128, CENTS_MIN = 5000, CENTS_RANGE = 20000 };

static void text_tag(struct gen_text *text, const char *tag)
{
    text_string(text, tag);
    text_bytes(text, "=", 1);
}

static void text_end(struct gen_text *text)
{
    text_bytes(text, "\001", 1);
}

static void field_text(struct gen_text *text, const char *tag, const char *value)
{
    text_tag(text, tag);
    text_string(text, value);
    text_end(text);
}

static void field_number(struct gen_text *text, const char *tag, uint64_t value)
{
    text_tag(text, tag);
    text_number(text, value);
    text_end(text);
}

static void field_fixed(struct gen_text *text, const char *tag, uint64_t value, int decimals)
{
    text_tag(text, tag);
    text_fixed(text, value, decimals);
    text_end(text);
}

static void text_time(struct gen_text *text, const struct rf_gen *gen)
{
    const uint64_t seconds = gen->time_us / 1000000;
    text_string(text, "20260102-");
    text_padded(text, seconds / 3600 % 24, 2);
    text_bytes(text, ":", 1);
    text_padded(text, seconds / 60 % 60, 2);
    text_bytes(text, ":", 1);
    text_padded(text, seconds % 60, 2);
    text_bytes(text, ".", 1);
    text_padded(text, gen->time_us / 1000 % 1000, 3);
}

static void field_time(struct gen_text *text, const char *tag, const struct rf_gen *gen)
{
    text_tag(text, tag);
    text_time(text, gen);
    text_end(text);
}

static void field_id(struct gen_text *text, const char *tag, const char *head, uint64_t number, int width)
{
    text_tag(text, tag);
    text_string(text, head);
    text_padded(text, number, width);
    text_end(text);
}

static void fields_head(struct gen_text *text, const struct rf_gen *gen, const char *type, bool is_out)
{
    field_text(text, "35", type);
    field_text(text, "49", is_out ? "TRADER01" : "BROKER01");
    field_text(text, "56", is_out ? "BROKER01" : "TRADER01");
    field_number(text, "34", gen->number);
    field_time(text, "52", gen);
}

static void body_report(struct gen_text *text, struct rf_gen *gen, bool is_varied)
{
    const uint32_t quantity = 100 * (1 + gen_below(gen, 99));
    const uint32_t last = 1 + gen_below(gen, quantity);
    const uint32_t sum = last + gen_below(gen, quantity - last + 1);
    const uint32_t cents = CENTS_MIN + gen_below(gen, CENTS_RANGE);
    fields_head(text, gen, "8", false);
    field_id(text, "37", "ORD-20260102-", gen_below(gen, 10000000), 12);
    field_id(text, "11", "CL", gen_random(gen) % 100000000000ull, 11);
    field_id(text, "17", "EXEC-", gen_random(gen) % 1000000000000ull, 14);
    field_text(text, "150", "F");
    field_text(text, "39", sum == quantity ? "2" : "1");
    if (is_varied && gen_below(gen, 4) == 0) {
        field_id(text, "1", "ACC", gen_below(gen, 50), 3);
    }
    field_text(text, "55", symbol_name[gen_below(gen, 12)]);
    field_text(text, "54", gen_below(gen, 2) == 0 ? "1" : "2");
    field_number(text, "38", quantity);
    field_number(text, "32", last);
    field_fixed(text, "31", cents, 2);
    field_number(text, "151", quantity - sum);
    field_number(text, "14", sum);
    field_fixed(text, "6", (uint64_t)cents * 100 + gen_below(gen, 100), 4);
    field_time(text, "60", gen);
    if (is_varied && gen_below(gen, 8) == 0) {
        field_text(text, "58", "partial fill, rest stays in the book");
    }
}

static void body_order(struct gen_text *text, struct rf_gen *gen)
{
    fields_head(text, gen, "D", true);
    field_id(text, "11", "CL", gen_random(gen) % 100000000000ull, 11);
    field_id(text, "1", "ACC", gen_below(gen, 50), 3);
    field_text(text, "55", symbol_name[gen_below(gen, 12)]);
    field_text(text, "54", gen_below(gen, 2) == 0 ? "1" : "2");
    field_number(text, "38", 100 * (1 + gen_below(gen, 99)));
    field_text(text, "40", "2");
    field_fixed(text, "44", CENTS_MIN + gen_below(gen, CENTS_RANGE), 2);
    field_text(text, "59", "0");
    field_time(text, "60", gen);
    field_text(text, "21", "1");
}

static void body_cancel(struct gen_text *text, struct rf_gen *gen)
{
    fields_head(text, gen, "F", true);
    field_id(text, "41", "CL", gen_random(gen) % 100000000000ull, 11);
    field_id(text, "11", "CL", gen_random(gen) % 100000000000ull, 11);
    field_text(text, "55", symbol_name[gen_below(gen, 12)]);
    field_text(text, "54", "1");
    field_time(text, "60", gen);
}

/* The frame around the body. */
static void text_message(struct gen_text *text, const struct gen_text *body_end, const char *body)
{
    char *const begin = text->at;
    const size_t body_bytes = (size_t)(body_end->at - body);
    field_text(text, "8", "FIX.4.4");
    field_number(text, "9", body_bytes);
    text_bytes(text, body, body_bytes);
    uint32_t sum = 0;
    for (const char *at = begin; at < text->at; at++) {
        sum += (uint8_t)*at;
    }
    text_tag(text, "10");
    text_padded(text, sum % 256, 3);
    text_end(text);
}

static void time_pass(struct rf_gen *gen)
{
    gen->time_us += 1 + gen_below(gen, 2000);
}

size_t gen_fix_report(struct rf_gen *gen, char *out)
{
    char body[BODY_MAX];
    struct gen_text body_end = {body};
    struct gen_text text = {out};
    time_pass(gen);
    body_report(&body_end, gen, false);
    text_message(&text, &body_end, body);
    return (size_t)(text.at - out);
}

size_t gen_fix_log(struct rf_gen *gen, char *out)
{
    char body[BODY_MAX];
    struct gen_text body_end = {body};
    struct gen_text text = {out};
    const uint32_t kind = gen_below(gen, 100);
    time_pass(gen);
    text_time(&text, gen);
    if (kind < 60) {
        text_string(&text, " IN  FIX.4.4:TRADER01->BROKER01: ");
        body_report(&body_end, gen, true);
    } else if (kind < 85) {
        text_string(&text, " OUT FIX.4.4:TRADER01->BROKER01: ");
        body_order(&body_end, gen);
    } else if (kind < 90) {
        text_string(&text, " OUT FIX.4.4:TRADER01->BROKER01: ");
        body_cancel(&body_end, gen);
    } else {
        text_string(&text, " IN  FIX.4.4:TRADER01->BROKER01: ");
        fields_head(&body_end, gen, "0", false);
    }
    text_message(&text, &body_end, body);
    text_bytes(&text, "\n", 1);
    return (size_t)(text.at - out);
}
