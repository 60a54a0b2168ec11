/* regex_lanes_avx512.c: 64 texts turned over, and the automaton on them (regex_lanes.h). */
#include <immintrin.h>

#include "regex_lanes.h"

enum { PART = 16, PARTS = RF_LANES_BYTES / PART };

/* Texts one below the other, padded; what is odd, and the longest one. */
static uint32_t texts_stage(struct rf_text_lanes *texts, const struct rf_str *text, uint8_t (*stage)[RF_LANES_BYTES])
{
    const __m512i end = _mm512_set1_epi8(RF_LANES_END);
    size_t longest = 0;
    uint64_t odd = 0;
    for (uint32_t r = 0; r < RF_LANES; r++) {
        const size_t count = text[r].count;
        const bool is_long = count > RF_LANES_BYTES;
        const __mmask64 own = is_long ? 0 : _bzhi_u64(~0ull, (unsigned)count);
        /* Bytes outside the mask are not read. */
        const __m512i bytes = _mm512_mask_loadu_epi8(end, own, text[r].data);
        const __mmask64 other = _mm512_mask_cmpge_epu8_mask(own, bytes, end);
        const bool is_odd = is_long || other != 0;
        odd |= (uint64_t)is_odd << r;
        longest = !is_odd && count > longest ? count : longest;
        _mm512_storeu_si512(stage[r], is_odd ? end : bytes);
    }
    texts->odd = odd;
    return (uint32_t)longest;
}

/* The 16 vectors hold 16 x 16 bytes in each of their quarters, which are turned over. */
static inline void quarters_turn(__m512i *v)
{
    __m512i t[PART];
    /* Each round puts the bytes of vectors i and i + 8 by turns: after four of them the place of a byte in its quarter and
     * the number of its vector have changed their parts. */
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < PART / 2; i++) {
            t[2 * i] = _mm512_unpacklo_epi8(v[i], v[i + PART / 2]);
            t[2 * i + 1] = _mm512_unpackhi_epi8(v[i], v[i + PART / 2]);
        }
        for (int i = 0; i < PART; i++) {
            v[i] = t[i];
        }
    }
}

static void texts_turn(struct rf_text_lanes *texts, uint8_t (*stage)[RF_LANES_BYTES])
{
    for (uint32_t part = 0; part < PARTS && part * PART < texts->places; part++) {
        __m512i v[PART];
        for (uint32_t i = 0; i < PART; i++) {
            const uint8_t *at = stage[i] + part * PART;
            const size_t quarter = (size_t)PART * RF_LANES_BYTES;
            __m512i all = _mm512_castsi128_si512(_mm_loadu_si128((const void *)at));
            all = _mm512_mask_broadcast_i32x4(all, 0x00f0, _mm_loadu_si128((const void *)(at + quarter)));
            all = _mm512_mask_broadcast_i32x4(all, 0x0f00, _mm_loadu_si128((const void *)(at + 2 * quarter)));
            v[i] = _mm512_mask_broadcast_i32x4(all, 0xf000, _mm_loadu_si128((const void *)(at + 3 * quarter)));
        }
        quarters_turn(v);
        for (uint32_t i = 0; i < PART; i++) {
            _mm512_storeu_si512(texts->byte[part * PART + i], v[i]);
        }
    }
}

static void texts_fill(struct rf_text_lanes *texts, const struct rf_str *text)
{
    uint8_t stage[RF_LANES_GROUPS][RF_LANES][RF_LANES_BYTES] __attribute__((aligned(64)));
    uint32_t longest = 0;
    for (int g = 0; g < RF_LANES_GROUPS; g++) {
        const uint32_t own = texts_stage(&texts[g], text + g * RF_LANES, stage[g]);
        longest = own > longest ? own : longest;
    }
    for (int g = 0; g < RF_LANES_GROUPS; g++) {
        texts[g].places = longest;
        texts_turn(&texts[g], stage[g]);
    }
}

struct lanes_tables {
    __m512i of[2];
    __m512i next[4];
};

/* quarters: of next[] that are in use: 1, 2 or 4. A constant where this is inlined. */
static inline __attribute__((always_inline)) __m512i lanes_step(const struct lanes_tables *tables, int quarters,
                                                                __m512i state, __m512i bytes)
{
    const __m512i at = _mm512_add_epi8(state, _mm512_permutex2var_epi8(tables->of[0], bytes, tables->of[1]));
    if (quarters == 1) {
        return _mm512_permutexvar_epi8(at, tables->next[0]);
    }
    const __m512i low = _mm512_permutex2var_epi8(tables->next[0], at, tables->next[1]);
    if (quarters == 2) {
        return low;
    }
    const __m512i high = _mm512_permutex2var_epi8(tables->next[2], at, tables->next[3]);
    return _mm512_mask_blend_epi8(_mm512_movepi8_mask(at), low, high);
}

static inline __attribute__((always_inline)) void lanes_run(const struct rf_regex_lanes *lanes, int quarters,
                                                            const struct rf_text_lanes *texts, __m512i *state)
{
    enum { STRIDE = 4 }; /* places between two looks at whether all texts are done */
    struct lanes_tables tables;
    for (int i = 0; i < 2; i++) {
        tables.of[i] = _mm512_loadu_si512(lanes->of + 64 * i);
    }
    for (int i = 0; i < quarters; i++) {
        tables.next[i] = _mm512_loadu_si512(lanes->next + 64 * i);
    }
    const __m512i final = _mm512_set1_epi8((char)lanes->final);
    __m512i a = _mm512_set1_epi8((char)lanes->start);
    __m512i b = a;
    /* Strides are whole: behind the longest text stands the end, which changes nothing. */
    for (uint32_t p = 0; p < texts->places; p += STRIDE) {
        for (uint32_t i = 0; i < STRIDE; i++) {
            a = lanes_step(&tables, quarters, a, _mm512_loadu_si512(texts[0].byte[p + i]));
            b = lanes_step(&tables, quarters, b, _mm512_loadu_si512(texts[1].byte[p + i]));
        }
        if (lanes->has_final && (_mm512_cmpge_epu8_mask(a, final) & _mm512_cmpge_epu8_mask(b, final)) == ~0ull) {
            break;
        }
    }
    state[0] = a;
    state[1] = b;
}

static void lanes_match(const struct rf_regex_lanes *lanes, const struct rf_text_lanes *texts, uint64_t *match)
{
    __m512i state[RF_LANES_GROUPS];
    if (!lanes->has_accept) {
        memset(match, 0, RF_LANES_GROUPS * sizeof *match);
        return;
    }
    if (lanes->cells <= 64) {
        lanes_run(lanes, 1, texts, state);
    } else if (lanes->cells <= 128) {
        lanes_run(lanes, 2, texts, state);
    } else {
        lanes_run(lanes, 4, texts, state);
    }
    const __m512i low = _mm512_set1_epi8((char)lanes->accept_low);
    const __m512i high = _mm512_set1_epi8((char)lanes->accept_high);
    for (int g = 0; g < RF_LANES_GROUPS; g++) {
        match[g] = _mm512_cmpge_epu8_mask(state[g], low) & _mm512_cmple_epu8_mask(state[g], high);
    }
}

const struct rf_lanes_kernels rf_lanes_kernels_avx512 = {texts_fill, lanes_match};
