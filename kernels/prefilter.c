#include "prefilter.h"

#include <string.h>

#include "prefilter_levels.h"

/* How common a byte is in JSON text, from rare (0) to everywhere. Only the order matters: a wrong guess costs time. */
static uint32_t byte_rank(uint8_t byte)
{
    static const char by_rank[] = "etaoinsrdlcumpghbyfwvkxjqz";
    if (byte >= 0x80) {
        return 2;
    }
    if (byte >= 'a' && byte <= 'z') {
        return 40u - (uint32_t)(strchr(by_rank, byte) - by_rank);
    }
    if (byte >= '0' && byte <= '9') {
        return byte == '0' ? 44 : 42;
    }
    if (byte >= 'A' && byte <= 'Z') {
        return 8;
    }
    switch (byte) {
    case ' ':
    case ':':
    case ',':
        return 60;
    case '-':
    case '.':
    case '_':
        return 20;
    default:
        return 4;
    }
}

static void probe_make(struct rf_prefilter_probe *probe, struct rf_str literal)
{
    uint32_t best = 0;
    uint32_t second = 1;
    uint32_t best_cost = UINT32_MAX;
    for (uint32_t i = 0; i + 1 < literal.count; i++) {
        for (uint32_t j = i + 1; j < literal.count && j - i < 32; j++) {
            const uint32_t cost = byte_rank((uint8_t)literal.data[i]) + byte_rank((uint8_t)literal.data[j]);
            if (cost < best_cost) {
                best_cost = cost;
                best = i;
                second = j;
            }
        }
    }
    probe->first = (uint8_t)literal.data[best];
    probe->second = (uint8_t)literal.data[second];
    probe->first_at = best;
    probe->distance = second - best;
    probe->literal = literal;
}

void rf_prefilter_make(struct rf_prefilter *prefilter, const struct rf_program *program)
{
    memset(prefilter, 0, sizeof(*prefilter));
    if (program->groups == 0 || program->group[0].literals > RF_PREFILTER_LITERALS_MAX) {
        return;
    }
    const struct rf_prefilter_group *group = &program->group[0];
    for (uint32_t i = 0; i < group->literals; i++) {
        const struct rf_str literal = group->literal[i];
        if (literal.count < 2) {
            prefilter->probes = 0;
            return;
        }
        probe_make(&prefilter->probe[prefilter->probes++], literal);
        for (size_t b = 0; b < literal.count; b++) {
            const uint8_t byte = (uint8_t)literal.data[b];
            if (byte < 128) {
                prefilter->spelled[byte >> 6] |= 1ull << (byte & 63);
            } else {
                prefilter->spells_wide = true;
            }
        }
    }
    prefilter->has_slash = group->has_slash;
}

bool rf_prefilter_is_literal(const struct rf_prefilter_probe *probe, const struct rf_batch *batch, uint32_t begin,
                             uint32_t at)
{
    if (at - begin < probe->first_at) {
        return false;
    }
    const uint32_t from = at - probe->first_at;
    return probe->literal.count <= batch->bytes_used - from &&
           memcmp(batch->bytes + from, probe->literal.data, probe->literal.count) == 0;
}

static int hex_value(uint8_t byte)
{
    if (byte >= '0' && byte <= '9') {
        return byte - '0';
    }
    const uint8_t letter = byte | 0x20;
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

bool rf_prefilter_may_spell(const struct rf_prefilter *prefilter, const struct rf_batch *batch, uint32_t at)
{
    if (batch->bytes_used - at < 2) {
        return false;
    }
    const uint8_t *bytes = batch->bytes + at + 1;
    if (bytes[0] == '/') {
        return prefilter->has_slash;
    }
    if (bytes[0] != 'u' || batch->bytes_used - at < 6) {
        return false;
    }
    uint32_t code = 0;
    for (int i = 1; i <= 4; i++) {
        const int value = hex_value(bytes[i]);
        if (value < 0) {
            return false; /* no escape at all: such a record is not selected */
        }
        code = code * 16 + (uint32_t)value;
    }
    return code < 128 ? ((prefilter->spelled[code >> 6] >> (code & 63)) & 1) != 0 : prefilter->spells_wide;
}

struct scan_probe {
    uint8_t first, second;
    uint32_t distance;
};

static struct scan_probe scan_probe_make(const struct rf_prefilter_probe *probe)
{
    return (struct scan_probe){probe->first, probe->second, probe->distance};
}

/* Candidates of 64 bytes, byte by byte. */
static uint64_t word_scan(const uint8_t *p, const struct scan_probe *probe, uint32_t probes, bool has_slash,
                          uint64_t *escapes, uint64_t *line_ends)
{
    uint64_t candidates = 0;
    *escapes = *line_ends = 0;
    for (uint32_t i = 0; i < 64; i++) {
        const uint64_t bit = 1ull << i;
        for (uint32_t k = 0; k < probes; k++) {
            candidates |= p[i] == probe[k].first && p[i + probe[k].distance] == probe[k].second ? bit : 0;
        }
        *escapes |= p[i] == '\\' && (p[i + 1] == 'u' || (has_slash && p[i + 1] == '/')) ? bit : 0;
        *line_ends |= p[i] == '\n' ? bit : 0;
    }
    return candidates | *escapes;
}

#define SCAN_WORDS 0
#define PREFILTER_RUN rf_prefilter_run_scalar
#include "prefilter_impl.h"

uint32_t rf_prefilter_run(const struct rf_prefilter *prefilter, enum rf_isa isa, const struct rf_batch *batch,
                          uint32_t begin, struct rf_span32 span[RF_PREFILTER_SPANS_MAX], uint8_t *sieved,
                          uint32_t *lines)
{
    switch (isa) {
#if defined(__x86_64__)
    case RF_ISA_AVX512:
        return rf_prefilter_run_avx512(prefilter, batch, begin, span, sieved, lines);
    case RF_ISA_AVX2:
        return rf_prefilter_run_avx2(prefilter, batch, begin, span, sieved, lines);
#endif
    default:
        return rf_prefilter_run_scalar(prefilter, batch, begin, span, sieved, lines);
    }
}
