/* index_block.h: eight words of plain JSON at once, for AVX-512; included by index_avx512.c.
 *
 * Purpose    Decides blocks of 512 bytes of compact JSON, which are most blocks of most streams: no white space and
 *            no byte above 127 outside strings, no list or object inside a list, no empty object. Everything else is
 *            word_step's (index_word.h), to the same verdict; the caller hands it the whole block then.
 * Data       first every word's characters become masks, stored word by word; then eight words are one vector of 64-bit
 *            lanes, and each step of the grammar is one instruction for all of them. What crosses from word to word
 *            goes through valignq (shifts), a small mask addition (sums) or a prefix over eight bits (parities).
 * Grammar    1. Pairs. Each byte outside strings must be allowed behind the byte before it: a table gives the class
 *            of a byte
 *               (a bit), another the set of classes that may follow.
 *            2. Items. What stands behind { or , outside lists is a string, and a colon stands behind it and nowhere
 *            else.
 *            3. Depth. Lists and the brackets around a line end ("}\n{") are left out, so that the depth is at least
 *            1 from record to
 *               record and 1 at each line end; inside a word it is bounded from below by counts of brackets.
 * Cost       about 60 instructions for 64 bytes; figures in docs/performance.md, "index".
 */
#ifndef RF_INDEX_BLOCK_H
#define RF_INDEX_BLOCK_H

#include <immintrin.h>
#include <stdalign.h>

#include "index.h"
#include "index_word.h"

enum { BLOCK_WORDS = 8, BLOCK_BYTES = 64 * BLOCK_WORDS, BLOCK_DEPTH_MAX = 190, BLOCK_PREFETCH = 4096 };

struct block_tables { /* rf_index_tables in registers: bytes 0-63 and 64-127 */
    __m512i class_low, class_high;
    __m512i follow_low, follow_high;
    /* rf_key_filter: for each byte, one bit for each wanted key that ends with it, or has it before its last one */
    __m512i last_low, last_high;
    __m512i before_low, before_high;
};

struct block_carry {
    uint64_t string;                              /* 1: the next block begins inside a string */
    uint64_t list;                                /* 1: inside a list */
    uint64_t escape;                              /* 1: its first byte is escaped */
    uint64_t item_string;                         /* 1: that string is an item */
    int64_t depth;                                /* of objects, brackets around line ends left out: at least 1 */
    __m512i items, item_end, close, end, key_end; /* the last word's masks in lane 7 */
};

struct block_masks {
    alignas(64) __mmask64 quote[BLOCK_WORDS], backslash[BLOCK_WORDS], open[BLOCK_WORDS], close[BLOCK_WORDS],
        items[BLOCK_WORDS], colon[BLOCK_WORDS], end[BLOCK_WORDS], square[BLOCK_WORDS], pair[BLOCK_WORDS],
        key_end[BLOCK_WORDS]; /* last bytes of what may be wanted keys */
};

struct block_tokens {
    __m512i quote, open, close, colon, depth; /* colon: those behind keys that may be wanted, when filtered */
    __m512i line_at;                          /* position in the word of each lane's line end */
    __mmask8 lines;                           /* lanes that have one */
};

WORD_INLINE struct block_tables block_tables_load(const struct rf_index *index)
{
    const struct rf_index_tables *tables = &index->tables;
    const struct rf_key_filter *filter = &index->filter;
    return (struct block_tables){_mm512_loadu_si512(tables->byte_class),  _mm512_loadu_si512(tables->byte_class + 64),
                                 _mm512_loadu_si512(tables->follow),      _mm512_loadu_si512(tables->follow + 64),
                                 _mm512_loadu_si512(filter->last),        _mm512_loadu_si512(filter->last + 64),
                                 _mm512_loadu_si512(filter->before_last), _mm512_loadu_si512(filter->before_last + 64)};
}

struct block_word { /* one word while its masks are made */
    __m512i bytes, before, class, follow;
};

WORD_INLINE struct block_word block_word_load(const uint8_t *p, const struct block_tables *tables)
{
    struct block_word word;
    word.bytes = _mm512_loadu_si512(p);
    word.before = _mm512_loadu_si512(p - 1);
    word.follow = _mm512_permutex2var_epi8(tables->follow_low, word.before, tables->follow_high);
    /* Bytes above 127 take the place of NUL, which has no class. */
    const __m512i ascii = _mm512_min_epu8(word.bytes, _mm512_set1_epi8((char)0x80));
    word.class = _mm512_permutex2var_epi8(tables->class_low, ascii, tables->class_high);
    return word;
}

/* A class bit through a shift into the sign bit: this runs on the port that the other tests leave free. */
#define CLASS_SIGN(class, shift) _mm512_movepi8_mask(_mm512_slli_epi16((class), (shift)))
#define CLASS_TEST(class, bits) _mm512_test_epi8_mask((class), _mm512_set1_epi8(bits))

WORD_INLINE __mmask64 block_key_ends(const struct block_word *word, const struct block_tables *tables)
{
    return _mm512_test_epi8_mask(_mm512_permutex2var_epi8(tables->last_low, word->bytes, tables->last_high),
                                 _mm512_permutex2var_epi8(tables->before_low, word->before, tables->before_high));
}

/* Words i and i + 1 of the block at p. Two at a time, since two stores to one cache line retire together and two to
 * different lines do not. */
WORD_INLINE void block_load_pair(const uint8_t *p, const struct block_tables *tables, bool is_filtered, int i,
                                 struct block_masks *masks)
{
    const __m512i backslash = _mm512_set1_epi8('\\');
    p += 64 * i;
    __builtin_prefetch(p + BLOCK_PREFETCH);
    __builtin_prefetch(p + BLOCK_PREFETCH + 64);
    const struct block_word a = block_word_load(p, tables);
    const struct block_word b = block_word_load(p + 64, tables);
    masks->quote[i] = CLASS_SIGN(a.class, 7);
    masks->quote[i + 1] = CLASS_SIGN(b.class, 7);
    masks->backslash[i] = _mm512_cmpeq_epi8_mask(a.bytes, backslash);
    masks->backslash[i + 1] = _mm512_cmpeq_epi8_mask(b.bytes, backslash);
    masks->open[i] = CLASS_TEST(a.class, RF_CLASS_OPEN);
    masks->open[i + 1] = CLASS_TEST(b.class, RF_CLASS_OPEN);
    masks->close[i] = CLASS_TEST(a.class, RF_CLASS_CLOSE);
    masks->close[i + 1] = CLASS_TEST(b.class, RF_CLASS_CLOSE);
    masks->items[i] = CLASS_TEST(a.class, RF_CLASS_COMMA | RF_CLASS_OPEN);
    masks->items[i + 1] = CLASS_TEST(b.class, RF_CLASS_COMMA | RF_CLASS_OPEN);
    masks->colon[i] = CLASS_SIGN(a.class, 2);
    masks->colon[i + 1] = CLASS_SIGN(b.class, 2);
    masks->end[i] = CLASS_SIGN(a.class, 1);
    masks->end[i + 1] = CLASS_SIGN(b.class, 1);
    masks->square[i] = _mm512_movepi8_mask(a.class);
    masks->square[i + 1] = _mm512_movepi8_mask(b.class);
    masks->pair[i] = _mm512_testn_epi8_mask(a.class, a.follow);
    masks->pair[i + 1] = _mm512_testn_epi8_mask(b.class, b.follow);
    if (is_filtered) {
        masks->key_end[i] = block_key_ends(&a, tables);
        masks->key_end[i + 1] = block_key_ends(&b, tables);
    }
}

WORD_INLINE void block_load(const uint8_t *p, const struct block_tables *tables, bool is_filtered,
                            struct block_masks *masks)
{
    for (int i = 0; i < BLOCK_WORDS; i += 2) {
        block_load_pair(p, tables, is_filtered, i, masks);
    }
}

/* The block whose masks are made while another one is checked. Checking is one long chain of instructions that wait
 * for each other; making masks is many short ones. Done one after the other, the chain fills the core's queue of
 * waiting instructions; woven into each other, both go on. */
struct block_ahead {
    const uint8_t *p;
    const struct block_tables *tables;
    struct block_masks *masks;
};

/* All bits moved up by one; `before` brings the bit below lane 0. */
WORD_INLINE __m512i block_next(__m512i bits, __m512i before)
{
    return _mm512_or_si512(_mm512_slli_epi64(bits, 1), _mm512_srli_epi64(_mm512_alignr_epi64(bits, before, 7), 63));
}

/* Ends of odd runs of backslashes, as in word_unescaped, in each lane on its own. */
WORD_INLINE __m512i block_run_ends(__m512i starts)
{
    const __m512i odd_bits = _mm512_set1_epi8((char)0xaa);
    const __m512i maybe = _mm512_or_si512(_mm512_slli_epi64(starts, 1), odd_bits);
    return _mm512_xor_si512(_mm512_sub_epi64(maybe, starts), odd_bits);
}

/* Quotes that are not escaped. Whether a lane begins escaped is seen from the run at the end of the lane before it,
 * which no lane further back can change unless the whole lane is backslashes: false then. */
WORD_INLINE bool block_unescape(__m512i backslash, __m512i *quote, uint64_t *escape)
{
    const __m512i out = _mm512_and_si512(block_run_ends(backslash), backslash);
    const __m512i before = _mm512_set1_epi64((long long)(*escape << 63));
    const __m512i in = _mm512_srli_epi64(_mm512_alignr_epi64(out, before, 7), 63);
    const __m512i ends = block_run_ends(_mm512_andnot_si512(in, backslash));
    const __m512i escaped = _mm512_xor_si512(ends, _mm512_or_si512(backslash, in));
    *quote = _mm512_andnot_si512(escaped, *quote);
    *escape = (uint64_t)_mm512_movepi64_mask(out) >> 7;
    return _mm512_cmpeq_epi64_mask(backslash, _mm512_set1_epi64(-1)) == 0;
}

/* Prefix-xor over all 512 bits. *begun: lanes whose first bit has an odd number of bits before it. */
WORD_INLINE __m512i block_prefix_xor(__m512i bits, uint64_t *carry, __mmask8 *begun)
{
    const __m512i ones = _mm512_set1_epi64(-1);
    const __m512i even = _mm512_clmulepi64_epi128(bits, ones, 0x00);
    const __m512i odd = _mm512_clmulepi64_epi128(bits, ones, 0x01);
    const __m512i words = _mm512_unpacklo_epi64(even, odd);
    uint32_t parity = _mm512_movepi64_mask(words);
    parity ^= parity << 1;
    parity ^= parity << 2;
    parity ^= parity << 4;
    parity ^= (uint32_t)(0 - *carry); /* bit i: lanes 0 to i together */
    *begun = (__mmask8)(parity << 1 | (uint32_t)*carry);
    *carry = (parity >> 7) & 1;
    return _mm512_mask_xor_epi64(words, *begun, words, ones);
}

/* a + b over all 512 bits. */
WORD_INLINE __m512i block_add(__m512i a, __m512i b, uint64_t *carry)
{
    const __m512i sum = _mm512_add_epi64(a, b);
    const uint32_t makes = _mm512_cmplt_epu64_mask(sum, b);
    const uint32_t passes = _mm512_cmpeq_epi64_mask(sum, _mm512_set1_epi64(-1));
    const uint32_t total = (makes << 1 | (uint32_t)*carry) + passes;
    *carry = (total >> 8) & 1;
    return _mm512_mask_sub_epi64(sum, (__mmask8)(total ^ passes), sum, _mm512_set1_epi64(-1));
}

/* Sums of the lanes before each lane, and *total of all. */
WORD_INLINE __m512i block_sums(__m512i values, int64_t *total)
{
    const __m512i zero = _mm512_setzero_si512();
    __m512i sums = _mm512_add_epi64(values, _mm512_alignr_epi64(values, zero, 7));
    sums = _mm512_add_epi64(sums, _mm512_alignr_epi64(sums, zero, 6));
    sums = _mm512_add_epi64(sums, _mm512_alignr_epi64(sums, zero, 4));
    *total = _mm_extract_epi64(_mm512_extracti64x2_epi64(sums, 3), 1);
    return _mm512_sub_epi64(sums, values);
}

/* Does the depth stay above 0 in these lanes? Bracket by bracket. */
static __attribute__((noinline)) bool block_stays_open(uint32_t lanes, __m512i depth, __m512i open, __m512i close)
{
    alignas(64) int64_t depths[BLOCK_WORDS];
    alignas(64) uint64_t opens[BLOCK_WORDS];
    alignas(64) uint64_t closes[BLOCK_WORDS];
    _mm512_store_si512(depths, depth);
    _mm512_store_si512(opens, open);
    _mm512_store_si512(closes, close);
    for (; lanes != 0; lanes &= lanes - 1) {
        const int i = __builtin_ctz(lanes);
        int64_t now = depths[i];
        for (uint64_t brackets = opens[i] | closes[i]; brackets != 0; brackets &= brackets - 1) {
            now += (opens[i] & brackets & (0 - brackets)) != 0 ? 1 : -1;
            if (now < 1) {
                return false;
            }
        }
    }
    return true;
}

/* a | (b & c) and a | (~b & c), which compilers do not always find. */
#define OR_AND(a, b, c) _mm512_ternarylogic_epi64((a), (b), (c), 0xf8)
#define OR_ANDNOT(a, b, c) _mm512_ternarylogic_epi64((a), (b), (c), 0xf2)

/* Clears what lies outside bytes [from, upto) of the block. */
static __attribute__((noinline)) void block_trim(struct block_masks *masks, uint32_t from, uint32_t upto)
{
    const __m512i ones = _mm512_set1_epi64(-1);
    const __m512i zero = _mm512_setzero_si512();
    const __m512i lane = _mm512_set_epi64(448, 384, 320, 256, 192, 128, 64, 0);
    const __m512i low = _mm512_max_epi64(_mm512_sub_epi64(_mm512_set1_epi64(from), lane), zero);
    const __m512i high = _mm512_max_epi64(_mm512_sub_epi64(_mm512_set1_epi64(upto), lane), zero);
    const __m512i valid = _mm512_andnot_si512(_mm512_sllv_epi64(ones, high), _mm512_sllv_epi64(ones, low));
    __mmask64 *const trimmed[] = {masks->quote, masks->backslash, masks->open, masks->close,
                                  masks->items, masks->colon,     masks->end,  masks->pair};
    for (size_t i = 0; i < sizeof(trimmed) / sizeof(*trimmed); i++) {
        _mm512_store_si512(trimmed[i], _mm512_and_si512(valid, _mm512_load_si512(trimmed[i])));
    }
}

/* What a block carries in that begins with a record. */
WORD_INLINE struct block_carry block_carry_begin(void)
{
    const __m512i zero = _mm512_setzero_si512();
    return (struct block_carry){
        .depth = 1, .items = zero, .item_end = zero, .close = zero, .end = zero, .key_end = zero};
}

/* One block; false leaves *carry as it was. record_at: where in the block the first
 * record of a span begins, whose bracket is left out like one behind a line end; or RECORD_GOES_ON. */
enum { RECORD_GOES_ON = -1 };

WORD_INLINE bool block_check(const struct block_masks *masks, struct block_carry *carry, const int32_t record_at,
                             const bool is_filtered, bool keeps_containers, const struct block_ahead *ahead,
                             struct block_tokens *tokens)
{
#define BLOCK_AHEAD(i)                                                                                                 \
    if (ahead != NULL) {                                                                                               \
        block_load_pair(ahead->p, ahead->tables, is_filtered, (i), ahead->masks);                                      \
    }
    const __m512i ones = _mm512_set1_epi64(-1);
    const __m512i one = _mm512_set1_epi64(1);
    struct block_carry next = *carry;
    const __m512i backslash = _mm512_load_si512(masks->backslash);
    __m512i quote = _mm512_load_si512(masks->quote);
    const bool is_clear = block_unescape(backslash, &quote, &next.escape);
    __mmask8 in_string;
    __mmask8 in_list;
    BLOCK_AHEAD(0)
    const __m512i inside = block_prefix_xor(quote, &next.string, &in_string);
    const __m512i open = _mm512_andnot_si512(inside, _mm512_load_si512(masks->open));
    const __m512i close = _mm512_andnot_si512(inside, _mm512_load_si512(masks->close));
    const __m512i colon = _mm512_andnot_si512(inside, _mm512_load_si512(masks->colon));
    const __m512i end = _mm512_load_si512(masks->end);

    /* Pairs are looked at outside strings, but for closing quotes, and at opening quotes: pair & ~(inside ^ quote). */
    __m512i bad = _mm512_ternarylogic_epi64(_mm512_load_si512(masks->pair), inside, quote, 0x90);
    bad = OR_AND(bad, end, inside);

    /* Lists, from the opening bracket up to the closing one, which is outside; nothing else is open or closed in
     * there. */
    const __m512i brackets = _mm512_or_si512(open, close);
    const __m512i squares = _mm512_and_si512(brackets, _mm512_load_si512(masks->square));
    BLOCK_AHEAD(2)
    const __m512i list = block_prefix_xor(squares, &next.list, &in_list);
    bad = _mm512_or_si512(bad, _mm512_xor_si512(_mm512_and_si512(brackets, list), _mm512_and_si512(squares, open)));

    /* Items: an addition carries from the opening quote of each to its closing one. */
    next.items = _mm512_ternarylogic_epi64(inside, list, _mm512_load_si512(masks->items), 0x02); /* ~a & ~b & c */
    const __m512i item_place = block_next(next.items, carry->items);
    const __m512i string_open = _mm512_and_si512(quote, inside);
    bad = OR_ANDNOT(bad, string_open, item_place);
    BLOCK_AHEAD(4)
    const __m512i run = block_add(_mm512_and_si512(item_place, string_open), inside, &next.item_string);
    next.item_end = _mm512_andnot_si512(inside, run);
    bad = _mm512_or_si512(bad, _mm512_xor_si512(colon, block_next(next.item_end, carry->item_end)));
    /* An escape in an item may spell a wanted key: the carry has cleared the bits of items. */
    bad = OR_ANDNOT(bad, _mm512_and_si512(inside, run), backslash);

    /* Depth. */
    next.close = close;
    next.end = end;
    const __m512i end_before = _mm512_srli_epi64(_mm512_alignr_epi64(end, carry->end, 7), 63);
    const __m512i behind_end = _mm512_or_si512(_mm512_slli_epi64(end, 1), end_before);
    const __m512i ahead_of_end = _mm512_or_si512(
        _mm512_srli_epi64(end, 1), _mm512_slli_epi64(_mm512_alignr_epi64(_mm512_setzero_si512(), end, 1), 63));
    const __m512i lane = _mm512_set_epi64(448, 384, 320, 256, 192, 128, 64, 0);
    __m512i around = _mm512_or_si512(behind_end, ahead_of_end);
    if (record_at != RECORD_GOES_ON) {
        /* Shifts by a negative number, which counts as a large one, or by more than 63 give nothing. */
        around = _mm512_or_si512(around, _mm512_sllv_epi64(one, _mm512_sub_epi64(_mm512_set1_epi64(record_at), lane)));
    }
    const __m512i inner_open = _mm512_ternarylogic_epi64(around, squares, open, 0x02);
    const __m512i inner_close = _mm512_ternarylogic_epi64(around, squares, close, 0x02);
    bad = OR_AND(bad, around, squares);
    bad = OR_ANDNOT(bad, block_next(close, carry->close), end);
    const __m512i change = _mm512_sub_epi64(_mm512_popcnt_epi64(inner_open), _mm512_popcnt_epi64(inner_close));
    BLOCK_AHEAD(6)
#undef BLOCK_AHEAD
    int64_t total;
    const __m512i depth = _mm512_add_epi64(_mm512_set1_epi64(carry->depth), block_sums(change, &total));
    next.depth = carry->depth + total;
    const __m512i before = _mm512_add_epi64(end, ones);
    const __m512i depth_at_end =
        _mm512_add_epi64(depth, _mm512_sub_epi64(_mm512_popcnt_epi64(_mm512_and_si512(inner_open, before)),
                                                 _mm512_popcnt_epi64(_mm512_and_si512(inner_close, before))));
    /* The least depth in a word is at its end, or before its last opening bracket and then no lower than this. */
    const __m512i upto_open = _mm512_srlv_epi64(ones, _mm512_lzcnt_epi64(inner_open));
    const __m512i least =
        _mm512_min_epi64(_mm512_add_epi64(depth, change),
                         _mm512_sub_epi64(depth, _mm512_popcnt_epi64(_mm512_and_si512(inner_close, upto_open))));
    tokens->lines = _mm512_test_epi64_mask(end, end);
    const uint32_t bad_lanes = (uint32_t)_mm512_test_epi64_mask(bad, bad) | _mm512_test_epi64_mask(end, before) |
                               _mm512_mask_cmpneq_epi64_mask(tokens->lines, depth_at_end, one) |
                               _mm512_cmpgt_epi64_mask(depth, _mm512_set1_epi64(BLOCK_DEPTH_MAX));
    if (__builtin_expect((bad_lanes != 0) | !is_clear, 0)) {
        return false;
    }
    const uint32_t unsure = _mm512_cmplt_epi64_mask(least, one);
    if (__builtin_expect(unsure != 0, 0) && !block_stays_open(unsure, depth, inner_open, inner_close)) {
        return false;
    }
    tokens->quote = quote;
    tokens->open = open;
    tokens->close = close;
    tokens->colon = colon;
    if (is_filtered) {
        next.key_end = _mm512_load_si512(masks->key_end);
        /* Two further: past the closing quote. */
        __m512i wanted = _mm512_or_si512(_mm512_slli_epi64(next.key_end, 2),
                                         _mm512_srli_epi64(_mm512_alignr_epi64(next.key_end, carry->key_end, 7), 62));
        if (keeps_containers) {
            wanted = _mm512_or_si512(wanted, _mm512_srli_epi64(open, 1));
            wanted = _mm512_or_si512(wanted, _mm512_set1_epi64(INT64_MIN)); /* the bracket is in the next word */
        }
        tokens->colon = _mm512_and_si512(colon, wanted);
    }
    /* The true depth counts lists, and is 0 just behind a line end and just before one. */
    tokens->depth = _mm512_sub_epi64(_mm512_sub_epi64(depth, end_before), _mm512_and_si512(end, one));
    tokens->depth = _mm512_mask_add_epi64(tokens->depth, in_list, tokens->depth, one);
    if (record_at != RECORD_GOES_ON) {
        const __mmask8 upto_record = _mm512_cmple_epi64_mask(lane, _mm512_set1_epi64(record_at));
        tokens->depth = _mm512_mask_sub_epi64(tokens->depth, upto_record, tokens->depth, one);
    }
    tokens->line_at = _mm512_popcnt_epi64(before);
    *carry = next;
    return true;
}

/* The bit that block_next takes from the word before. */
WORD_INLINE __m512i block_bit(uint64_t bit)
{
    return _mm512_set1_epi64((long long)(bit << 63));
}

/* What word_step needs, from what block_check carries and the byte before the word. */
static struct word_carry block_widen(const struct block_carry *carry, const uint8_t *p)
{
    const uint8_t byte = p[-1];
    struct word_carry wide = {
        .escape = carry->escape,
        .string = 0 - carry->string,
        .item_string = carry->item_string,
        .list = 0 - carry->list,
        .depth = (int32_t)carry->depth - (byte == '\n'),
    };
    if (carry->string == 0) {
        wide.item_place = byte == ',' || byte == '{';
        wide.after_open = byte == '{' || byte == '[';
        wide.after_line_end = byte == '\n';
        wide.value_place = byte == ':' || wide.item_place || wide.after_open || wide.after_line_end;
        wide.after_item = (uint64_t)(_mm512_movepi64_mask(carry->item_end) >> 7);
        wide.scalar = byte != '"' && byte != '}' && byte != ']' && wide.value_place == 0;
    }
    return wide;
}

/* The way back, behind a word that word_step did and whose last byte is p[-1]. False when the next word cannot begin
 * a block: it stands behind white space, in nested lists, or behind a record that has ended without its line end. */
static bool block_narrow(const struct word_carry *wide, const uint8_t *p, int32_t arrays_open,
                         struct block_carry *carry)
{
    const uint8_t byte = p[-1];
    const bool is_outside = wide->string == 0;
    if (is_outside && byte != '\n' && (byte <= ' ' || byte >= 0x80)) {
        return false;
    }
    if (arrays_open != 0 || (wide->depth <= 0 && byte != '\n')) {
        return false;
    }
    carry->list = wide->list & 1;
    const uint64_t in_object = 1 - carry->list;
    carry->string = wide->string & 1;
    carry->escape = wide->escape;
    carry->item_string = wide->item_string & in_object;
    carry->depth = wide->depth + (wide->depth == 0);
    carry->items = block_bit(wide->item_place & in_object);
    carry->item_end = block_bit(wide->after_item & in_object);
    carry->close = block_bit(is_outside && (byte == '}' || byte == ']'));
    carry->end = block_bit(byte == '\n');
    carry->key_end = _mm512_set1_epi64(-1); /* not known: the first two colons stay */
    return true;
}

#endif
