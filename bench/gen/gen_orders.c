/* Order events in nested envelopes. */
#include "gen_text.h"

static const char *const status_name[4] = {"completed", "pending", "failed", "refunded"};
static const char *const tier_name[3] = {"gold", "silver", "new"};
static const char *const region_name[3] = {"eu", "us", "apac"};

enum { ENVELOPES = 4 };

static void text_hex(struct gen_text *text, uint64_t value, int width)
{
    for (int i = width - 1; i >= 0; i--) {
        *text->at++ = "0123456789abcdef"[(value >> (4 * i)) & 15];
    }
}

static void text_message(struct gen_text *text, struct rf_gen *gen)
{
    text_string(text, "\"message\":{\"siteId\":");
    text_number(text, gen_below(gen, 20000));
    text_string(text, ",\"confId\":");
    text_number(text, gen->number * 3);
    text_string(text, ",\"type\":\"order\",\"version\":");
    text_number(text, gen_below(gen, 4));
    text_string(text, "}");
}

static void text_user(struct gen_text *text, struct rf_gen *gen)
{
    text_string(text, "\"user\":{\"id\":\"user-");
    text_number(text, gen_below(gen, 1000000));
    text_string(text, "\",\"email\":\"u");
    text_number(text, gen_below(gen, 1000000));
    text_string(text, "@example.com\",\"age\":");
    text_number(text, 16 + gen_below(gen, 60));
    text_string(text, gen_below(gen, 10) < 7 ? ",\"active\":true,\"tags\":[\"" : ",\"active\":false,\"tags\":[\"");
    text_string(text, tier_name[gen_below(gen, 3)]);
    text_string(text, "\",\"");
    text_string(text, region_name[gen_below(gen, 3)]);
    text_string(text, "\"]}");
}

static void text_order(struct gen_text *text, struct rf_gen *gen)
{
    text_string(text, "\"order\":{\"id\":\"order-");
    text_number(text, gen->number);
    text_string(text, "\",\"amount\":");
    text_fixed(text, gen_below(gen, 30000), 2);
    text_string(text, ",\"status\":\"");
    text_string(text, status_name[gen_below(gen, 4)]);
    text_string(text, "\",\"items\":[");
    const uint32_t items = 1 + gen_below(gen, 4);
    for (uint32_t i = 0; i < items; i++) {
        text_string(text, i == 0 ? "{\"sku\":\"SKU-" : ",{\"sku\":\"SKU-");
        text_padded(text, gen_below(gen, 9999), 4);
        text_string(text, "\",\"n\":");
        text_number(text, 1 + gen_below(gen, 5));
        text_string(text, "}");
    }
    text_string(text, "]}");
}

static void text_meta(struct gen_text *text, struct rf_gen *gen)
{
    text_string(text, "\"meta\":{\"trace\":\"");
    text_hex(text, gen_random(gen) >> 4, 16);
    text_string(text, "\",\"host\":\"ingest-");
    text_padded(text, gen_below(gen, 30), 2);
    text_string(text, "\",\"note\":\"");
    text_string(text, gen_note(gen));
    text_string(text, gen_below(gen, 2) == 0 ? "\",\"ok\":true}" : "\",\"ok\":null}");
}

size_t gen_order(struct rf_gen *gen, char *out)
{
    static void (*const envelope[ENVELOPES])(struct gen_text *, struct rf_gen *) = {text_message, text_user, text_order,
                                                                                    text_meta};
    uint32_t order[ENVELOPES] = {0, 1, 2, 3};
    if (gen->shuffle != 0 && gen_random32(gen) <= gen->shuffle) {
        for (uint32_t i = ENVELOPES - 1; i > 0; i--) {
            const uint32_t j = gen_below(gen, i + 1);
            const uint32_t kept = order[i];
            order[i] = order[j];
            order[j] = kept;
        }
    }
    struct gen_text line = {out};
    for (uint32_t i = 0; i < ENVELOPES; i++) {
        text_bytes(&line, i == 0 ? "{" : ",", 1);
        envelope[order[i]](&line, gen);
    }
    text_bytes(&line, "}\n", 2);
    return (size_t)(line.at - out);
}
