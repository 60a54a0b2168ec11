/* prefilter_impl.h: the loop of the prefilter; compiled once for each level.
 *
 * The including file defines word_candidates(p, prefilter, escapes, line_ends), which may read 96 bytes at p, and
 * PREFILTER_RUN, the name of the function.
 */

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

uint32_t PREFILTER_RUN(const struct rf_prefilter *prefilter, const struct rf_batch *batch, uint32_t begin,
                       struct rf_span32 *span, uint32_t *lines)
{
    const uint8_t *bytes = batch->bytes;
    const uint32_t stop = batch->bytes_used;
    uint32_t spans = 0;
    uint32_t kept = 0;      /* bytes in spans */
    uint32_t done = begin;  /* records before it are decided */
    uint32_t current = begin; /* where the record at hand begins */
    uint32_t count = 0;
    for (uint32_t at = begin; at < stop; at += 64) {
        uint64_t escapes;
        uint64_t line_ends;
        uint64_t candidates;
        if (__builtin_expect(stop - at < 96, 0)) {
            uint8_t copy[64 + 64];
            const uint32_t left = stop - at;
            memset(copy, 0, sizeof(copy));
            memcpy(copy, bytes + at, left);
            candidates = word_candidates(copy, prefilter, &escapes, &line_ends);
        } else {
            __builtin_prefetch(bytes + at + 4096);
            candidates = word_candidates(bytes + at, prefilter, &escapes, &line_ends);
        }
        uint64_t bits = candidates | escapes;
        while (__builtin_expect(bits != 0, 0)) {
            const uint64_t bit = bits & (0 - bits);
            const uint32_t here = at + (uint32_t)__builtin_ctzll(bits);
            bits &= bits - 1;
            if (here < done || !candidate_is_real(prefilter, batch, begin, here, (escapes & bit) != 0)) {
                continue;
            }
            const uint64_t before = line_ends & (bit - 1);
            const uint64_t behind = line_ends & ~(bit - 1);
            const uint32_t from = before != 0 ? at + 64 - (uint32_t)__builtin_clzll(before) : current;
            uint32_t upto;
            if (behind != 0) {
                upto = at + (uint32_t)__builtin_ctzll(behind) + 1;
            } else {
                const uint32_t next = stop - at > 64 ? at + 64 : stop;
                const uint8_t *end = memchr(bytes + next, '\n', stop - next);
                upto = end == NULL ? stop : (uint32_t)(end - bytes) + 1;
            }
            if (spans != 0 && span[spans - 1].end == from) {
                span[spans - 1].end = upto;
            } else if (spans == RF_PREFILTER_SPANS_MAX) {
                return RF_NONE;
            } else {
                span[spans++] = (struct rf_span32){from, upto};
            }
            kept += upto - from;
            done = upto;
        }
        if (line_ends != 0) {
            current = at + 64 - (uint32_t)__builtin_clzll(line_ends);
            count += (uint32_t)__builtin_popcountll(line_ends);
        }
    }
    *lines = count + (bytes[stop - 1] != '\n');
    return kept > (stop - begin) / 2 ? RF_NONE : spans;
}
