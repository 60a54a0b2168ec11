/* Trade events. Prices are integers in units of 10^-5, so that no compiler rounds them differently. */
#include <assert.h>

#include "gen_text.h"

enum {
    SYMBOLS = 50,
    SYMBOL_WEIGHTS = 1070,                   /* sum of symbol_weight */
    MEMBERS_MAX = 16,                        /* ten that are always there, and up to six others */
    MEMBER_TEXT_MAX = 2 * RF_GEN_RECORD_MAX, /* trade_widen writes every member again */
    PRICE_FIRST = 40 * 100000,
    PRICE_STEP = 13 * 100000 + 70000,
    PRICE_MSFT = 410 * 100000
};

static const char symbol_name[SYMBOLS][6] = {
    "MSFT", "AAPL", "NVDA", "AMZN", "META", "GOOGL", "TSLA", "BRK.B", "JPM", "V",     "UNH",  "XOM", "MA",
    "PG",   "JNJ",  "HD",   "COST", "ABBV", "MRK",   "CVX",  "CRM",   "BAC", "NFLX",  "AMD",  "PEP", "KO",
    "TMO",  "LIN",  "WMT",  "ADBE", "DIS",  "MCD",   "CSCO", "ABT",   "ACN", "INTC",  "QCOM", "TXN", "INTU",
    "IBM",  "GE",   "AMGN", "CAT",  "PM",   "UBER",  "NOW",  "ISRG",  "VZ",  "CMCSA", "GS"};
static const char *const mic_name[6] = {"XNAS", "XNYS", "ARCX", "BATS", "EDGX", "IEXG"};
static const char *const type_name[6] = {"trade", "trade", "trade", "trade", "cancel", "correct"};
static const char *const flag_name[5] = {"odd", "late", "iso", "cross", "ext"};

/* The members of one record: spans of a scratch text, in the order in which they will be written. */
struct trade {
    struct gen_text text;
    const char *begin[MEMBERS_MAX];
    size_t bytes[MEMBERS_MAX];
    uint32_t members;
    uint32_t symbol_member;
    uint32_t price_member;
    char scratch[MEMBER_TEXT_MAX];
};

static void member_begin(struct trade *trade, uint32_t at)
{
    assert(trade->members < MEMBERS_MAX && at <= trade->members);
    for (uint32_t i = trade->members; i > at; i--) {
        trade->begin[i] = trade->begin[i - 1];
        trade->bytes[i] = trade->bytes[i - 1];
    }
    trade->members++;
    trade->begin[at] = trade->text.at;
    trade->symbol_member += trade->symbol_member >= at;
    trade->price_member += trade->price_member >= at;
}

static void member_end(struct trade *trade, uint32_t at)
{
    trade->bytes[at] = (size_t)(trade->text.at - trade->begin[at]);
}

static void member_literal(struct trade *trade, uint32_t at, const char *text)
{
    member_begin(trade, at);
    text_string(&trade->text, text);
    member_end(trade, at);
}

/* "key":"value" as the last member. */
static void member_string(struct trade *trade, const char *key, const char *value)
{
    const uint32_t at = trade->members;
    member_begin(trade, at);
    text_string(&trade->text, key);
    text_string(&trade->text, value);
    text_bytes(&trade->text, "\"", 1);
    member_end(trade, at);
}

/* Symbol s has the weight 400 / (s + 4): MSFT is drawn in about 9 % of the records, the last ones in under 1 %. */
static uint32_t symbol_weight(uint32_t symbol)
{
    return 400 / (symbol + 4);
}

static uint32_t symbol_draw(struct rf_gen *gen)
{
    uint32_t drawn = gen_below(gen, SYMBOL_WEIGHTS);
    uint32_t symbol = 0;
    while (symbol < SYMBOLS - 1 && drawn >= symbol_weight(symbol)) {
        drawn -= symbol_weight(symbol);
        symbol++;
    }
    return symbol;
}

static uint64_t price_draw(struct rf_gen *gen, uint32_t symbol)
{
    const uint64_t base = symbol == 0 ? PRICE_MSFT : PRICE_FIRST + (uint64_t)PRICE_STEP * symbol;
    return base / 10 * 9 + ((base / 5 * gen_random32(gen)) >> 32);
}

static void text_clock(struct gen_text *text, uint64_t time_us)
{
    const uint64_t second = time_us / 1000000 % 86400;
    text_padded(text, second / 3600, 2);
    text_bytes(text, ":", 1);
    text_padded(text, second / 60 % 60, 2);
    text_bytes(text, ":", 1);
    text_padded(text, second % 60, 2);
    text_bytes(text, ".", 1);
    text_padded(text, time_us % 1000000, 6);
}

static void trade_add_head(struct trade *trade, struct rf_gen *gen, uint32_t symbol, uint64_t price)
{
    struct gen_text *text = &trade->text;
    member_begin(trade, 0);
    text_string(text, "\"id\":");
    text_number(text, 900000000 + gen->number);
    member_end(trade, 0);

    member_begin(trade, 1);
    text_string(text, "\"ts\":\"2026-04-18T");
    text_clock(text, gen->time_us);
    text_string(text, "Z\"");
    member_end(trade, 1);

    member_string(trade, "\"type\":\"", type_name[gen_below(gen, 6)]);
    const uint32_t symbol_at = trade->members;
    member_string(trade, "\"symbol\":\"", symbol_name[symbol]);

    const uint32_t price_at = trade->members;
    member_begin(trade, price_at);
    text_string(text, "\"price\":");
    if (gen_below(gen, 10) < 8) {
        text_fixed(text, (price + 500) / 1000, 2);
    } else {
        text_fixed(text, (price + 5) / 10, 4);
    }
    member_end(trade, price_at);
    trade->symbol_member = symbol_at;
    trade->price_member = price_at;

    const uint32_t at = trade->members;
    member_begin(trade, at);
    text_string(text, "\"qty\":");
    text_number(text, gen_skewed(gen, 20) * 100 + gen_below(gen, 2) * 37 + 1);
    member_end(trade, at);
}

static void trade_add_tail(struct trade *trade, struct rf_gen *gen)
{
    struct gen_text *text = &trade->text;
    member_string(trade, "\"side\":\"", gen_below(gen, 2) == 0 ? "buy" : "sell");

    uint32_t at = trade->members;
    member_begin(trade, at);
    text_string(text, "\"acct\":\"A-");
    text_padded(text, gen_below(gen, 20000), 5);
    text_bytes(text, "\"", 1);
    member_end(trade, at);

    at = trade->members;
    member_begin(trade, at);
    text_string(text, "\"venue\":{\"mic\":\"");
    text_string(text, mic_name[gen_below(gen, 6)]);
    text_string(text, "\",\"seq\":");
    text_number(text, gen->number * 7 + 13);
    text_string(text, ",\"lat\":{\"ms\":");
    text_fixed(text, gen_below(gen, 9000), 3);
    text_string(text, ",\"hops\":");
    text_number(text, gen_below(gen, 4));
    text_string(text, "}}");
    member_end(trade, at);

    member_literal(trade, trade->members, gen_below(gen, 10) < 9 ? "\"active\":true" : "\"active\":false");
}

static void trade_add_optional(struct trade *trade, struct rf_gen *gen)
{
    struct gen_text *text = &trade->text;
    const uint32_t draw = gen_below(gen, 100);
    if (draw < 35) {
        member_string(trade, "\"note\":\"", gen_note(gen));
    }
    if (draw >= 30 && draw < 70) {
        enum { FLAGS_AT = 7 };
        member_begin(trade, FLAGS_AT);
        text_string(text, "\"flags\":[");
        const uint32_t flags = gen_below(gen, 4);
        for (uint32_t i = 0; i < flags; i++) {
            text_string(text, i == 0 ? "\"" : ",\"");
            text_string(text, flag_name[i]);
            text_bytes(text, "\"", 1);
        }
        text_bytes(text, "]", 1);
        member_end(trade, FLAGS_AT);
    }
    if (draw >= 80) {
        member_literal(trade, 2, "\"ref\":null");
    }
    if (draw >= 60 && draw < 90) {
        const uint32_t at = trade->members;
        const uint32_t bps = 10 + gen_below(gen, 300); /* hundredths */
        member_begin(trade, at);
        text_string(text, "\"fee\":{\"ccy\":\"USD\",\"amt\":");
        text_fixed(text, gen_below(gen, 100000), 5);
        text_string(text, ",\"bps\":");
        text_fixed(text, bps < 100 ? bps : bps / 10, 1);
        text_string(text, bps < 100 ? "e-01}" : "e+00}");
        member_end(trade, at);
    }
}

/* "key" : value, by the first colon, which is the one behind the key. */
static void trade_widen(struct trade *trade)
{
    for (uint32_t i = 0; i < trade->members; i++) {
        const char *begin = trade->text.at;
        const char *colon = memchr(trade->begin[i], ':', trade->bytes[i]);
        const size_t head = (size_t)(colon - trade->begin[i]);
        text_bytes(&trade->text, trade->begin[i], head);
        text_string(&trade->text, " : ");
        text_bytes(&trade->text, colon + 1, trade->bytes[i] - head - 1);
        trade->begin[i] = begin;
        trade->bytes[i] = (size_t)(trade->text.at - begin);
    }
}

static void trade_trap(struct trade *trade, struct rf_gen *gen, uint64_t price)
{
    struct gen_text *text = &trade->text;
    switch (gen_below(gen, 5)) {
    case 0: /* the wanted pair at the wrong depth */
        member_literal(trade, 1, "\"hedge\":{\"symbol\":\"MSFT\",\"price\":999.5}");
        break;
    case 1: /* inside a string */
        member_literal(trade, 2, "\"raw\":\"{\\\"symbol\\\":\\\"MSFT\\\",\\\"price\\\":999.5}\"");
        break;
    case 2: /* equal to MSFT only after decoding */
        trade->begin[trade->symbol_member] = text->at;
        text_string(text, "\"symbol\":\"M\\u0053FT\"");
        member_end(trade, trade->symbol_member);
        break;
    case 3:
        trade_widen(trade);
        break;
    default: { /* the same price as d.dddddde+0d: prices lie between 36 and 800, that is 7 or 8 digits */
        const bool is_long = price >= 10000000;
        trade->begin[trade->price_member] = text->at;
        text_string(text, "\"price\":");
        text_fixed(text, is_long ? (price + 5) / 10 : price, 6);
        text_string(text, is_long ? "e+02" : "e+01");
        member_end(trade, trade->price_member);
        break;
    }
    }
}

static void trade_shuffle(struct trade *trade, struct rf_gen *gen)
{
    for (uint32_t i = trade->members - 1; i > 0; i--) {
        const uint32_t j = gen_below(gen, i + 1);
        const char *begin = trade->begin[i];
        const size_t bytes = trade->bytes[i];
        trade->begin[i] = trade->begin[j];
        trade->bytes[i] = trade->bytes[j];
        trade->begin[j] = begin;
        trade->bytes[j] = bytes;
    }
}

size_t gen_trade(struct rf_gen *gen, char *out)
{
    struct trade trade;
    trade.text.at = trade.scratch;
    trade.members = 0;
    trade.symbol_member = 0; /* set by trade_add_head */
    trade.price_member = 0;

    gen->time_us += gen_below(gen, 900) + 1;
    const uint32_t symbol = symbol_draw(gen);
    const uint64_t price = price_draw(gen, symbol);
    trade_add_head(&trade, gen, symbol, price);
    trade_add_tail(&trade, gen);
    trade_add_optional(&trade, gen);
    if (gen->traps != 0 && gen_random32(gen) <= gen->traps) {
        trade_trap(&trade, gen, price);
    }
    if (gen->shuffle != 0 && gen_random32(gen) <= gen->shuffle) {
        trade_shuffle(&trade, gen);
    }

    struct gen_text line = {out};
    for (uint32_t i = 0; i < trade.members; i++) {
        text_bytes(&line, i == 0 ? "{" : ",", 1);
        text_bytes(&line, trade.begin[i], trade.bytes[i]);
    }
    text_bytes(&line, "}\n", 2);
    return (size_t)(line.at - out);
}
