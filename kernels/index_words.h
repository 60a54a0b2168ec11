/* index_words.h: the index pass word by word; compiled once for each vector level.
 *
 * The including file defines
 *     word_load(p, masks)                 64 bytes to masks
 *     word_white_exact(p)                 mask of space, TAB and CR
 *     key_probe_make(filter)              struct key_probe, what word_key_ends needs in registers
 *     word_key_ends(p, probe)             mask of positions two behind a wanted key's last byte (a colon stands there)
 *     word_lines(p, high)                 mask of line ends; *high |= bytes >= 0x80
 *     word_emit(out, bits, base)          writes the positions of bits (+ base), up to 63 further cells are scribbled
 *     on word_prefix_xor(bits) struct word_flow                    what is carried from word to word: wide, stack,
 *     perhaps more flow_words(flow, p)                 makes wide and stack ready for a word at p
 */

/* What of the word at `at` belongs to [begin, end): ones there. */
WORD_INLINE uint64_t span_mask(uint32_t at, uint32_t begin, uint32_t end)
{
    uint64_t mask = ~0ull;
    if (at < begin) {
        mask &= ~0ull << (begin - at);
    }
    if (end - at < 64) {
        mask &= (1ull << (end - at)) - 1;
    }
    return mask;
}

/* Marks the rows that hold the bits; `row` is the row at the word's first byte. */
static __attribute__((noinline)) void rows_mark(uint64_t *bitmap, uint32_t row, uint64_t line_ends, uint64_t bits,
                                                uint32_t further)
{
    while (bits != 0) {
        const uint64_t bit = bits & (0 - bits);
        const uint32_t r = row + (uint32_t)__builtin_popcountll(line_ends & (bit - 1)) + further;
        bitmap[r >> 6] |= 1ull << (r & 63);
        bits &= bits - 1;
    }
}

/* A table that can take the ends of one more word. */
WORD_INLINE bool rows_have_room(const struct rf_rows *rows)
{
    return rows->rows + 64 <= rows->rows_max;
}

/* Blank, suspect and control bytes of a word that did not go the fast way. */
static __attribute__((noinline)) void word_report(struct rf_index *index, uint32_t row, const uint8_t *p,
                                                  uint64_t white, struct word_verdict verdict, uint64_t line_end,
                                                  bool *has_return)
{
    if (white != 0) {
        bool has_cr = false;
        verdict.error |= white & ~word_white_exact(p, &has_cr);
        *has_return |= has_cr;
    }
    if (verdict.error != 0) {
        *has_return = true; /* perhaps inside an open string */
        rows_mark(index->suspect, row, line_end, verdict.error, 0);
        if (verdict.bad_ends != 0) {
            /* Depths inside this word are wrong from there on, for every record that begins in it. */
            const uint64_t first = verdict.bad_ends & (0 - verdict.bad_ends);
            rows_mark(index->suspect, row, line_end, line_end & ~(first - 1), 1);
        }
    }
    if (verdict.blank != 0) {
        rows_mark(index->blank, row, line_end, verdict.blank, 0);
        index->has_blank = true;
    }
}

/* The first and the last word of a span: what lies outside it becomes white space, and a record without a line end,
 * which is the last one of its input, gets one. */
static __attribute__((noinline)) uint64_t word_load_partial(const uint8_t *bytes, uint32_t at, struct rf_span32 span,
                                                            bool is_open_ended, struct word_masks *masks)
{
    uint8_t copy[64];
    const uint32_t count = at >= span.end ? 0 : (span.end - at < 64 ? span.end - at : 64);
    memset(copy, ' ', sizeof(copy));
    memcpy(copy, bytes + at, count);
    word_load(copy, masks);
    const uint64_t valid = at >= span.end ? 0 : span_mask(at, span.begin, span.end);
    masks->backslash &= valid;
    masks->quote &= valid;
    masks->colon &= valid;
    masks->comma &= valid;
    masks->open &= valid;
    masks->close &= valid;
    masks->line_end &= valid;
    if (is_open_ended && span.end - at < 64) {
        masks->line_end |= 1ull << (span.end - at);
    }
    masks->low |= ~valid;
    return valid;
}

/* One span on its way. */
struct span_run {
    struct rf_index *index;
    const struct rf_batch *batch;
    struct rf_span32 span;
    struct rf_rows *rows;
    struct word_flow flow;
    struct key_probe probe;
    uint32_t *key;      /* where the next key goes */
    uint32_t at;        /* next word */
    bool is_open_ended; /* its last record has no line end */
    bool *has_return;
};

/* Word by word up to `upto`; stops early when the row table is full. */
static __attribute__((noinline)) void span_words(struct span_run *run, uint32_t upto)
{
    struct rf_index *index = run->index;
    struct rf_rows *rows = run->rows;
    const struct rf_span32 span = run->span;
    flow_words(&run->flow, run->batch->bytes + run->at);
    struct word_carry carry = run->flow.wide; /* nobody else has its address: it stays in registers */
    for (; run->at < upto && rows_have_room(rows); run->at += 64) {
        const uint32_t at = run->at;
        const uint8_t *p = run->batch->bytes + at;
        struct word_masks masks;
        struct word_tokens tokens;
        struct word_verdict verdict = {0};
        uint64_t valid = ~0ull;
        const uint32_t w = at >> 6;
        const int32_t depth = carry.depth + (int32_t)(carry.list & 1);
        if ((at < span.begin) | (span.end - at < 64) | (at >= span.end)) {
            valid = word_load_partial(run->batch->bytes, at, span, run->is_open_ended, &masks);
        } else {
            word_load(p, &masks);
        }
        (void)word_step(&carry, &run->flow.stack, &masks, word_prefix_xor, &tokens, &verdict);
        if ((verdict.error | verdict.blank | tokens.white) != 0) {
            word_report(index, rows->rows, p, tokens.white & valid, verdict, masks.line_end, run->has_return);
        }
        if (depth + __builtin_popcountll(tokens.open) > (int32_t)index->depth_limit) {
            rows_mark(index->suspect, rows->rows, masks.line_end, tokens.open, 0);
        }
        index->quote[w] = tokens.quote;
        index->open[w] = tokens.open;
        index->close[w] = tokens.close;
        index->depth[w] = (uint16_t)(depth > 0xffff ? 0xffff : depth);
        const uint64_t loose = tokens.colon & ~(tokens.quote << 1);
        if (loose != 0 && (loose != 1 || at == 0 || p[-1] != '"')) {
            index->has_loose_colon = true;
        }
        uint64_t keep = tokens.colon;
        if (index->filter.is_on && at >= 64) {
            /* White space before a colon hides the key's last byte; bit 0 looks across the word's edge. */
            uint64_t wanted = word_key_ends(p, &run->probe) | ~(tokens.quote << 1);
            if (index->filter.keeps_containers) {
                wanted |= (tokens.open >> 1) | (tokens.white >> 1) | (1ull << 63);
            }
            keep &= wanted;
        }
        word_emit(run->key, keep, at);
        run->key += __builtin_popcountll(keep);
        word_emit(rows->end + rows->rows, masks.line_end, at);
        rows->rows += (uint32_t)__builtin_popcountll(masks.line_end);
    }
    run->flow.wide = carry;
}
