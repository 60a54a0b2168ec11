/* prefilter_impl.h: the loop of the prefilter; compiled once for each level.
 *
 * The including file defines struct scan_probe, scan_probe_make(prefilter, k), word_scan(p, probe, probes, has_slash,
 * escapes, line_ends), which may read 96 bytes at p, and PREFILTER_RUN, the name of the function. SCAN_WORDS: so many
 * words can be looked at together by words_scan(p, probe, probes, has_slash, &count), which adds the line ends to count and
 * says whether one of the words has a candidate; 0 when there is no such function. Then nor are there line_before(batch,
 * at) and line_behind(batch, at): one past the line end nearest before `at`, and nearest at or behind it, or RF_NONE when
 * that is not near.
 */

#include "prefetch.h"

#define SCAN_INLINE static inline __attribute__((always_inline))

/* Looks at the candidates of one word in turn; true when one of a record that is not kept yet is real. */
static bool candidate_is_real(const struct rf_prefilter *prefilter, const struct rf_batch *batch, uint32_t begin,
                              uint32_t at, bool is_escape)
{
    if (is_escape) {
        return rf_prefilter_may_spell(prefilter, batch, at);
    }
    for (uint32_t k = 0; k < prefilter->probes; k++) {
        if (batch->bytes[at] == prefilter->probe[k].first &&
            rf_prefilter_is_literal(&prefilter->probe[k], batch, begin, at)) {
            return true;
        }
    }
    return false;
}

struct kept_spans {
    struct rf_span32 *span;
    uint32_t count;
    uint8_t *sieved;
    uint32_t room; /* of sieved */
    uint32_t bytes;
    uint32_t done; /* records before it are decided */
};

/* Keeps the records that hold one of the candidates `bits` of the word at `at`; false when they are more than half of all. */
static __attribute__((noinline)) bool candidates_keep(const struct rf_prefilter *prefilter,
                                                      const struct rf_batch *batch, uint32_t begin, uint32_t at,
                                                      uint64_t bits, uint64_t escapes, struct kept_spans *kept)
{
    const uint8_t *bytes = batch->bytes;
    const uint32_t stop = batch->bytes_used;
    for (; bits != 0; bits &= bits - 1) {
        const uint32_t here = at + (uint32_t)__builtin_ctzll(bits);
        const bool is_escape = ((escapes >> (here - at)) & 1) != 0;
        if (here < kept->done || !candidate_is_real(prefilter, batch, begin, here, is_escape)) {
            continue;
        }
#if SCAN_WORDS != 0
        uint32_t from = line_before(batch, here);
        uint32_t upto = line_behind(batch, here);
#else
        uint32_t from = RF_NONE;
        uint32_t upto = RF_NONE;
#endif
        if (__builtin_expect(from == RF_NONE, 0)) {
            const uint8_t *before = memrchr(bytes + kept->done, '\n', here - kept->done);
            from = before == NULL ? kept->done : (uint32_t)(before - bytes) + 1;
        }
        if (__builtin_expect(upto == RF_NONE, 0)) {
            const uint8_t *behind = memchr(bytes + here, '\n', stop - here);
            upto = behind == NULL ? stop : (uint32_t)(behind - bytes) + 1;
        }
        if (upto - from > kept->room - kept->bytes) {
            return false;
        }
        if (kept->count != 0 && kept->span[kept->count - 1].end == from) {
            kept->span[kept->count - 1].end = upto;
        } else if (kept->count == RF_PREFILTER_SPANS_MAX) {
            return false;
        } else {
            kept->span[kept->count++] = (struct rf_span32){from, upto};
        }
        memcpy(kept->sieved + kept->bytes, bytes + from, upto - from);
        kept->bytes += upto - from;
        kept->done = upto;
    }
    return true;
}

/* `probes` and `has_slash` are constants in the instance for a single literal. */
SCAN_INLINE uint32_t scan_batch(const struct rf_prefilter *prefilter, const struct rf_batch *batch, uint32_t begin,
                                struct rf_span32 *span, uint8_t *sieved, uint32_t *lines, const uint32_t probes,
                                const bool has_slash)
{
    const uint8_t *bytes = batch->bytes;
    const uint32_t stop = batch->bytes_used;
    struct kept_spans kept = {.span = span, .sieved = sieved, .room = (stop - begin) / 2, .done = begin};
    struct scan_probe probe[RF_PREFILTER_LITERALS_MAX];
    for (uint32_t k = 0; k < probes; k++) {
        probe[k] = scan_probe_make(&prefilter->probe[k]);
    }
    uint64_t count = 0;
    uint32_t at = begin;
#if SCAN_WORDS != 0
    for (; stop - at >= 64 * SCAN_WORDS + 32; at += 64 * SCAN_WORDS) {
        for (uint32_t w = 0; w < SCAN_WORDS; w++) {
            rf_prefetch_line(bytes + at + 64 * w);
        }
        if (__builtin_expect(!words_scan(bytes + at, probe, probes, has_slash, &count), 1)) {
            continue;
        }
        for (uint32_t w = 0; w < SCAN_WORDS; w++) {
            uint64_t escapes;
            uint64_t line_ends;
            const uint64_t bits = word_scan(bytes + at + 64 * w, probe, probes, has_slash, &escapes, &line_ends);
            if (bits != 0 && !candidates_keep(prefilter, batch, begin, at + 64 * w, bits, escapes, &kept)) {
                return RF_NONE;
            }
        }
    }
#endif
    for (; at < stop; at += 64) {
        uint64_t escapes;
        uint64_t line_ends;
        uint64_t bits;
        if (__builtin_expect(stop - at < 96, 0)) {
            uint8_t copy[64 + 64];
            memset(copy, 0, sizeof(copy));
            memcpy(copy, bytes + at, stop - at);
            bits = word_scan(copy, probe, probes, has_slash, &escapes, &line_ends);
        } else {
            rf_prefetch_line(bytes + at);
            bits = word_scan(bytes + at, probe, probes, has_slash, &escapes, &line_ends);
        }
        count += (uint64_t)__builtin_popcountll(line_ends);
        if (__builtin_expect(bits != 0, 0) && !candidates_keep(prefilter, batch, begin, at, bits, escapes, &kept)) {
            return RF_NONE;
        }
    }
    *lines = (uint32_t)count + (bytes[stop - 1] != '\n');
    return kept.count;
}

uint32_t PREFILTER_RUN(const struct rf_prefilter *prefilter, const struct rf_batch *batch, uint32_t begin,
                       struct rf_span32 *span, uint8_t *sieved, uint32_t *lines)
{
    if (prefilter->probes == 1 && !prefilter->has_slash) {
        return scan_batch(prefilter, batch, begin, span, sieved, lines, 1, false);
    }
    return scan_batch(prefilter, batch, begin, span, sieved, lines, prefilter->probes, prefilter->has_slash);
}
