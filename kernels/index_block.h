/* index_block.h: eight words of plain JSON at once, for AVX-512; included by index_avx512.c.
 *
 * Purpose    Decides blocks of 512 bytes of compact JSON, which are most blocks of most streams: no white space (in the
 *            spaced form: but for one space behind a colon or comma) and no byte above 127 outside strings, no list or object inside a list, no empty object. Everything else is
 *            word_step's (index_word.h), to the same verdict; the caller hands it the whole block then.
 * Data       first every word's characters become masks, stored word by word; then eight words are one vector of 64-bit
 *            lanes, and each step of the grammar is one instruction for all of them. What crosses from word to word
 *            goes through valignq (shifts), a small mask addition (sums) or a prefix over eight bits (parities).
 * Grammar    1. Values. A string, a scalar or an opening bracket begins behind each of { [ : , and the line end, and
 *               nowhere else, but for an empty list; white space and other bytes up to ' ' or above 127 are outside
 *               strings nowhere.
 *            2. Items. What stands behind { or , outside lists is a string, and a colon stands behind it and nowhere
 *               else. A record begins with { and ends with a closing bracket.
 *            3. Depth. Lists and the brackets around a line end ("}\n{") are left out, so that the depth is at least
 *               1 from record to record and 1 at each line end; inside a word it is bounded from below by counts of
 *               brackets.
 * Cost       about 75 instructions for 64 bytes; figures in docs/performance.md, "index".
 */
#ifndef RF_INDEX_BLOCK_H
#define RF_INDEX_BLOCK_H

#include <immintrin.h>
#include <stdalign.h>

#include "index.h"
#include "index_word.h"
#include "prefetch.h"

enum { BLOCK_WORDS = 8, BLOCK_BYTES = 64 * BLOCK_WORDS };
/* One level takes at least the four bytes of {"": so that no block that begins at this depth goes beyond the limit. */
enum { BLOCK_DEPTH_MAX = RF_INDEX_DEPTH_MAX - BLOCK_BYTES / 4 - 1 };

/* rf_key_filter: for the low six bits of a byte, one bit for each wanted key that ends with such a byte, or has it before
 * its last one. Letters of one case differ in these bits; a look-up by seven would take three instructions for one. */
struct block_tables {
    __m512i last, before;
    __m512i quote, backslash, comma, colon, end, open, close; /* one byte everywhere */
    __m512i fold;                                             /* '[' to '{', ']' to '}' */
    __m512i low;                                              /* the first byte that is not low */
    __m512i space;
    __m512i one; /* 1 in each lane */
};

struct block_carry {
    uint64_t string;      /* 1: the next block begins inside a string */
    uint64_t list;        /* 1: inside a list */
    uint64_t item_string; /* 1: that string is an item */
    int64_t depth;        /* of objects, brackets around line ends left out: at least 1 */
    /* The last word's masks in lane 7. escape: a run of backslashes that escapes the byte behind it ends here. */
    __m512i escape, items, item_end, separator, scalar, list_open, end, key_end;
    __m512i divider, space, item_space; /* spaced form: colons and commas; the spaces behind them; those before items */
};

struct block_masks {
    alignas(64) __mmask64 quote[BLOCK_WORDS], backslash[BLOCK_WORDS], open[BLOCK_WORDS], close[BLOCK_WORDS],
        comma[BLOCK_WORDS], colon[BLOCK_WORDS], end[BLOCK_WORDS];
    __mmask64 low[BLOCK_WORDS];     /* white space, control bytes, and all above 127 */
    __mmask64 curly[BLOCK_WORDS];   /* of brackets: not square */
    __mmask64 key_end[BLOCK_WORDS]; /* last bytes of what may be wanted keys */
    __mmask64 space[BLOCK_WORDS];   /* only for the spaced form */
};

struct block_tokens {
    __m512i quote, open, close, colon, depth; /* colon: those behind keys that may be wanted, when filtered */
    __m512i line_at;                          /* position in the word of each lane's line end */
    __mmask8 lines;                           /* lanes that have one */
    bool has_space;                           /* spaced form: there are some */
};

/* A constant that the compiler must keep: made anew from a general register, as gcc does with constants that it knows, it
 * would take a turn of the port that compares. */
WORD_INLINE __m512i block_opaque(__m512i constant)
{
    __asm__("" : "+v"(constant));
    return constant;
}

WORD_INLINE __m512i block_byte(char byte)
{
    return block_opaque(_mm512_set1_epi8(byte));
}

WORD_INLINE struct block_tables block_tables_load(const struct rf_index *index)
{
    const struct rf_key_filter *filter = &index->filter;
    return (struct block_tables){
        .last = _mm512_or_si512(_mm512_loadu_si512(filter->last), _mm512_loadu_si512(filter->last + 64)),
        .before =
            _mm512_or_si512(_mm512_loadu_si512(filter->before_last), _mm512_loadu_si512(filter->before_last + 64)),
        .quote = block_byte('"'),
        .backslash = block_byte('\\'),
        .comma = block_byte(','),
        .colon = block_byte(':'),
        .end = block_byte('\n'),
        .open = block_byte('{'),
        .close = block_byte('}'),
        .fold = block_byte(0x20),
        .low = block_byte(' ' + 1),
        .space = block_byte(' '),
        .one = block_opaque(_mm512_set1_epi64(1)),
    };
}

WORD_INLINE __mmask64 block_key_ends(const uint8_t *p, const struct block_tables *tables)
{
    return _mm512_test_epi8_mask(_mm512_permutexvar_epi8(_mm512_loadu_si512(p), tables->last),
                                 _mm512_permutexvar_epi8(_mm512_loadu_si512(p - 1), tables->before));
}

/* A mask of bytes is made by one instruction that only one of the two vector ports takes, by a comparison, or by two
 * that only the other takes, through the sign bit. The ports are the limit of the whole index, so both are used. */
#define BYTES_EQUAL(bytes, value) _mm512_cmpeq_epi8_mask((bytes), (value))
/* Signed: bytes above 127 count as small; the subtraction saturates. */
#define BYTES_BIT_5(bytes) _mm512_movepi8_mask(_mm512_slli_epi16((bytes), 2))
#define BYTES_BELOW(bytes, value) _mm512_movepi8_mask(_mm512_subs_epi8((bytes), (value)))

/* What is fixed in an instance of the block loop. */
struct block_form {
    bool is_filtered; /* some keys are not wanted */
    bool is_spaced;   /* colons and commas may have one space behind them, as many programs write JSON */
};

/* Words i and i + 1 of the block at p. Two at a time, since two stores to one cache line retire together and two to
 * different lines do not. */
WORD_INLINE void block_load_pair(const uint8_t *p, const struct block_tables *tables, const struct block_form form,
                                 int i, struct block_masks *masks)
{
    p += 64 * i;
    rf_prefetch_line(p);
    rf_prefetch_line(p + 64);
    const __m512i a = _mm512_loadu_si512(p);
    const __m512i b = _mm512_loadu_si512(p + 64);
    const __m512i folded_a = _mm512_or_si512(a, tables->fold);
    const __m512i folded_b = _mm512_or_si512(b, tables->fold);
    masks->quote[i] = BYTES_EQUAL(a, tables->quote);
    masks->quote[i + 1] = BYTES_EQUAL(b, tables->quote);
    masks->backslash[i] = BYTES_EQUAL(a, tables->backslash);
    masks->backslash[i + 1] = BYTES_EQUAL(b, tables->backslash);
    masks->low[i] = BYTES_BELOW(a, tables->low);
    masks->low[i + 1] = BYTES_BELOW(b, tables->low);
    masks->open[i] = BYTES_EQUAL(folded_a, tables->open);
    masks->open[i + 1] = BYTES_EQUAL(folded_b, tables->open);
    masks->close[i] = BYTES_EQUAL(folded_a, tables->close);
    masks->close[i + 1] = BYTES_EQUAL(folded_b, tables->close);
    masks->curly[i] = BYTES_BIT_5(a);
    masks->curly[i + 1] = BYTES_BIT_5(b);
    masks->comma[i] = BYTES_EQUAL(a, tables->comma);
    masks->comma[i + 1] = BYTES_EQUAL(b, tables->comma);
    masks->colon[i] = BYTES_EQUAL(a, tables->colon);
    masks->colon[i + 1] = BYTES_EQUAL(b, tables->colon);
    masks->end[i] = BYTES_EQUAL(a, tables->end);
    masks->end[i + 1] = BYTES_EQUAL(b, tables->end);
    if (form.is_spaced) {
        masks->space[i] = BYTES_EQUAL(a, tables->space);
        masks->space[i + 1] = BYTES_EQUAL(b, tables->space);
    }
    if (form.is_filtered) {
        masks->key_end[i] = block_key_ends(p, tables);
        masks->key_end[i + 1] = block_key_ends(p + 64, tables);
    }
}

WORD_INLINE void block_load(const uint8_t *p, const struct block_tables *tables, const struct block_form form,
                            struct block_masks *masks)
{
    for (int i = 0; i < BLOCK_WORDS; i += 2) {
        block_load_pair(p, tables, form, i, masks);
    }
}

/* The block whose masks are made while another one is checked. Checking is one long chain of instructions that wait
 * for each other; making masks is many short ones. Done one after the other, the chain fills the core's queue of
 * waiting instructions; woven into each other, both go on. */
struct block_ahead {
    const uint8_t *p;
    struct block_masks *masks;
};

/* The word before each: `before` brings the one of lane 0 in its lane 7. */
WORD_INLINE __m512i block_shift(__m512i bits, __m512i before)
{
    return _mm512_alignr_epi64(bits, before, 7);
}

/* All bits moved up by one. */
WORD_INLINE __m512i block_next(__m512i bits, __m512i before)
{
    return _mm512_shldi_epi64(bits, block_shift(bits, before), 1);
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
WORD_INLINE bool block_unescape(__m512i backslash, __m512i *quote, __m512i *run_out)
{
    const __m512i out = _mm512_and_si512(block_run_ends(backslash), backslash);
    const __m512i in = _mm512_srli_epi64(block_shift(out, *run_out), 63);
    const __m512i ends = block_run_ends(_mm512_andnot_si512(in, backslash));
    const __m512i escaped = _mm512_xor_si512(ends, _mm512_or_si512(backslash, in));
    *quote = _mm512_andnot_si512(escaped, *quote);
    *run_out = out;
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

/* The bytes of a block that belong to the span: [from, upto). */
struct block_cut {
    uint32_t from;
    uint32_t upto;
};

/* Ones there. */
WORD_INLINE __m512i block_valid(const struct block_cut *cut)
{
    const __m512i ones = _mm512_set1_epi64(-1);
    const __m512i zero = _mm512_setzero_si512();
    const __m512i lane = _mm512_set_epi64(448, 384, 320, 256, 192, 128, 64, 0);
    const __m512i low = _mm512_max_epi64(_mm512_sub_epi64(_mm512_set1_epi64(cut->from), lane), zero);
    const __m512i high = _mm512_max_epi64(_mm512_sub_epi64(_mm512_set1_epi64(cut->upto), lane), zero);
    return _mm512_andnot_si512(_mm512_sllv_epi64(ones, high), _mm512_sllv_epi64(ones, low));
}

/* What a block carries in that begins with a record. */
WORD_INLINE struct block_carry block_carry_begin(void)
{
    const __m512i zero = _mm512_setzero_si512();
    return (struct block_carry){.depth = 1,
                                .escape = zero,
                                .items = zero,
                                .item_end = zero,
                                .separator = zero,
                                .scalar = zero,
                                .list_open = zero,
                                .end = zero,
                                .key_end = zero,
                                .divider = zero,
                                .space = zero,
                                .item_space = zero};
}

/* One block; false leaves *carry as it was. cut: NULL for all of it. record_at: where in the block the first record of a
 * span begins, whose bracket is left out like one behind a line end; or RECORD_GOES_ON. */
enum { RECORD_GOES_ON = -1 };

WORD_INLINE bool block_check(const struct block_masks *masks, struct block_carry *carry, const struct block_cut *cut,
                             const int32_t record_at, const struct block_form form, bool keeps_containers,
                             const struct block_tables *tables, const struct block_ahead *ahead,
                             struct block_tokens *tokens)
{
#define BLOCK_AHEAD(i)                                                                                                 \
    if (ahead != NULL) {                                                                                               \
        block_load_pair(ahead->p, tables, form, (i), ahead->masks);                                                    \
    }
    const __m512i ones = _mm512_set1_epi64(-1);
    const __m512i one = tables->one;
    const __m512i valid = cut == NULL ? ones : block_valid(cut);
    /* Field by field: copied as a whole, gcc 12 reads 64 bytes back from memory that were just written in pieces of 8,
     * which waits, and lets each block wait for all of the one before it. */
    uint64_t string = carry->string;
    uint64_t listed = carry->list;
    __m512i escape = carry->escape;
    uint64_t item_string = carry->item_string;
    __m512i backslash = _mm512_load_si512(masks->backslash);
    __m512i quote = _mm512_load_si512(masks->quote);
    __m512i end = _mm512_load_si512(masks->end);
    if (cut != NULL) {
        backslash = _mm512_and_si512(backslash, valid);
        quote = _mm512_and_si512(quote, valid);
        end = _mm512_and_si512(end, valid);
    }
    const bool is_clear = block_unescape(backslash, &quote, &escape);
    __mmask8 in_string;
    __mmask8 in_list;
    BLOCK_AHEAD(0)
    const __m512i inside = block_prefix_xor(quote, &string, &in_string);
    const __m512i hidden = cut == NULL ? inside : _mm512_ternarylogic_epi64(inside, valid, valid, 0xf3); /* | ~valid */
    const __m512i comma_raw = _mm512_load_si512(masks->comma);
    const __m512i open_raw = _mm512_load_si512(masks->open);
    const __m512i colon_raw = _mm512_load_si512(masks->colon);
    const __m512i close_raw = _mm512_load_si512(masks->close);
    const __m512i open = _mm512_andnot_si512(hidden, open_raw);
    const __m512i close = _mm512_andnot_si512(hidden, close_raw);
    const __m512i colon = _mm512_andnot_si512(hidden, colon_raw);
    const __m512i low = _mm512_load_si512(masks->low);
    const __m512i item_raw = _mm512_or_si512(comma_raw, open_raw);
    __m512i bad = _mm512_and_si512(end, inside);
    const __m512i white = _mm512_ternarylogic_epi64(hidden, end, low, 0x02); /* low & ~hidden & ~end */
    /* The spaces that may be: one behind each colon or comma. */
    const __m512i divider = _mm512_andnot_si512(hidden, _mm512_or_si512(comma_raw, colon_raw));
    const __m512i space = form.is_spaced
                              ? _mm512_and_si512(_mm512_load_si512(masks->space), block_next(divider, carry->divider))
                              : _mm512_setzero_si512();
    bad = form.is_spaced ? OR_ANDNOT(bad, space, white) : _mm512_or_si512(bad, white);

    /* Lists, from the opening bracket up to the closing one, which is outside; nothing else is open or closed in
     * there. */
    const __m512i brackets = _mm512_or_si512(open, close);
    const __m512i squares = _mm512_andnot_si512(_mm512_load_si512(masks->curly), brackets);
    BLOCK_AHEAD(2)
    const __m512i list = block_prefix_xor(squares, &listed, &in_list);
    const __m512i list_open = _mm512_and_si512(squares, open);
    bad = _mm512_or_si512(bad, _mm512_ternarylogic_epi64(brackets, list, list_open, 0x6a)); /* (a & b) ^ c */

    /* Items: an addition carries from the opening quote of each to its closing one. */
    const __m512i items = _mm512_ternarylogic_epi64(hidden, list, item_raw, 0x02);
    __m512i item_place = block_next(items, carry->items);
    __m512i item_space = _mm512_setzero_si512();
    if (form.is_spaced) {
        item_space = _mm512_and_si512(item_place, space);
        item_place = _mm512_ternarylogic_epi64(block_next(item_space, carry->item_space), item_place, item_space,
                                               0xf4); /* a | (b & ~c) */
    }
    const __m512i string_open = _mm512_and_si512(quote, inside);
    bad = OR_ANDNOT(bad, string_open, item_place);
    BLOCK_AHEAD(4)
    const __m512i run = block_add(_mm512_and_si512(item_place, string_open), inside, &item_string);
    const __m512i item_end = _mm512_andnot_si512(inside, run);
    bad = _mm512_or_si512(bad, _mm512_xor_si512(colon, block_next(item_end, carry->item_end)));
    /* An escape in an item may spell a wanted key: the carry has cleared the bits of items. */
    bad = OR_ANDNOT(bad, _mm512_and_si512(inside, run), backslash);

    /* Values: one begins just behind each separator and nowhere else, but for an empty list. */
    const __m512i end_before = block_shift(end, carry->end);
    __m512i behind_end = _mm512_shldi_epi64(end, end_before, 1);
    const __m512i lane = _mm512_set_epi64(448, 384, 320, 256, 192, 128, 64, 0);
    const __m512i separator_raw = _mm512_or_si512(item_raw, colon_raw);
    const __m512i separator = _mm512_ternarylogic_epi64(hidden, separator_raw, end, 0x0e); /* ~a & (b | c) */
    const __m512i other = _mm512_ternarylogic_epi64(close_raw, low, quote, 0xfe);          /* a | b | c */
    const __m512i scalar = _mm512_ternarylogic_epi64(hidden, separator_raw, other, 0x01);  /* none of them */
    __m512i place = block_next(separator, carry->separator);
    if (form.is_spaced) {
        place = _mm512_ternarylogic_epi64(block_next(space, carry->space), place, space, 0xf4);
    }
    if (record_at != RECORD_GOES_ON) {
        /* Shifts by a negative number, which counts as a large one, or by more than 63 give nothing. */
        const __m512i first = _mm512_sllv_epi64(one, _mm512_sub_epi64(_mm512_set1_epi64(record_at), lane));
        behind_end = _mm512_or_si512(behind_end, first);
        place = _mm512_or_si512(place, first);
    }
    if (cut != NULL) {
        behind_end = _mm512_and_si512(behind_end, valid);
        place = _mm512_and_si512(place, valid);
    }
    const __m512i begin = _mm512_ternarylogic_epi64(_mm512_or_si512(string_open, open), scalar,
                                                    block_next(scalar, carry->scalar), 0xf4); /* a | (b & ~c) */
    const __m512i empty = _mm512_and_si512(block_next(list_open, carry->list_open), close);
    bad = _mm512_or_si512(bad, _mm512_ternarylogic_epi64(empty, begin, place, 0x06)); /* ~a & (b ^ c) */
    bad = OR_ANDNOT(bad, open, behind_end);

    /* Depth. A line end stands behind a closing bracket. */
    const __m512i ahead_of_end = _mm512_shrdi_epi64(end, _mm512_alignr_epi64(_mm512_setzero_si512(), end, 1), 1);
    bad = OR_ANDNOT(bad, close, ahead_of_end);
    /* The block before can't know that its last bracket stands before a line end: whether that closed the record or was one
     * too few is decided word by word. */
    const uint64_t bad_first = record_at == RECORD_GOES_ON ? masks->end[0] & 1 : 0;
    const __m512i around = _mm512_or_si512(behind_end, ahead_of_end);
    const __m512i inner_open = _mm512_ternarylogic_epi64(around, squares, open, 0x02);
    const __m512i inner_close = _mm512_ternarylogic_epi64(around, squares, close, 0x02);
    bad = OR_AND(bad, around, squares);
    const __m512i change = _mm512_sub_epi64(_mm512_popcnt_epi64(inner_open), _mm512_popcnt_epi64(inner_close));
    BLOCK_AHEAD(6)
#undef BLOCK_AHEAD
    int64_t total;
    const __m512i depth = _mm512_add_epi64(_mm512_set1_epi64(carry->depth), block_sums(change, &total));
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
    bad = OR_AND(bad, end, before); /* two line ends in a word */
    bad = _mm512_or_si512(bad, _mm512_maskz_sub_epi64(tokens->lines, depth_at_end, one));
    const uint64_t bad_lanes = _mm512_test_epi64_mask(bad, bad);
    if (__builtin_expect((bad_lanes | bad_first) != 0 || carry->depth > BLOCK_DEPTH_MAX || !is_clear, 0)) {
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
    if (form.is_filtered) {
        const __m512i key_end = _mm512_load_si512(masks->key_end);
        /* Two further: past the closing quote. */
        __m512i wanted = _mm512_shldi_epi64(key_end, block_shift(key_end, carry->key_end), 2);
        if (keeps_containers) {
            wanted = _mm512_or_si512(wanted, _mm512_srli_epi64(open, 1));
            wanted = _mm512_or_si512(wanted, _mm512_set1_epi64(INT64_MIN)); /* the bracket is in the next word */
            if (form.is_spaced) {
                wanted = _mm512_or_si512(wanted, _mm512_srli_epi64(open, 2));
                wanted = _mm512_or_si512(wanted, _mm512_set1_epi64(INT64_MIN >> 1));
            }
        }
        tokens->colon = _mm512_and_si512(colon, wanted);
        carry->key_end = key_end;
    }
    /* The true depth counts lists, and is 0 just behind a line end and just before one. */
    tokens->depth =
        _mm512_sub_epi64(_mm512_sub_epi64(depth, _mm512_srli_epi64(end_before, 63)), _mm512_and_si512(end, one));
    tokens->depth = _mm512_mask_add_epi64(tokens->depth, in_list, tokens->depth, one);
    if (record_at != RECORD_GOES_ON) {
        const __mmask8 upto_record = _mm512_cmple_epi64_mask(lane, _mm512_set1_epi64(record_at));
        tokens->depth = _mm512_mask_sub_epi64(tokens->depth, upto_record, tokens->depth, one);
    }
    tokens->line_at = _mm512_popcnt_epi64(before);
    carry->string = string;
    carry->list = listed;
    carry->escape = escape;
    carry->item_string = item_string;
    carry->depth += total;
    carry->items = items;
    carry->item_end = item_end;
    carry->separator = separator;
    carry->scalar = scalar;
    carry->list_open = list_open;
    carry->end = end;
    if (form.is_spaced) {
        carry->divider = divider;
        carry->space = space;
        carry->item_space = item_space;
        tokens->has_space = _mm512_test_epi64_mask(space, space) != 0;
    }
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
        .escape = (uint64_t)(_mm512_movepi64_mask(carry->escape) >> 7),
        .string = 0 - carry->string,
        .item_string = carry->item_string,
        .list = 0 - carry->list,
        .depth = (int32_t)carry->depth - (byte == '\n'),
    };
    if (carry->string == 0) {
        wide.item_place = byte == ',' || byte == '{' || _mm512_movepi64_mask(carry->item_space) >> 7 != 0;
        wide.after_open = byte == '{' || byte == '[';
        wide.after_line_end = byte == '\n';
        wide.value_place = byte == ':' || byte == ' ' || wide.item_place || wide.after_open || wide.after_line_end;
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
    carry->escape = block_bit(wide->escape);
    carry->item_string = wide->item_string & in_object;
    carry->depth = wide->depth + (wide->depth == 0);
    carry->items = block_bit(wide->item_place & in_object);
    carry->item_end = block_bit(wide->after_item & in_object);
    carry->separator = block_bit(wide->value_place);
    carry->scalar = block_bit(wide->scalar);
    carry->divider = block_bit(is_outside && (byte == ',' || byte == ':'));
    carry->space = carry->item_space = block_bit(0);
    carry->list_open = block_bit(is_outside && byte == '[');
    carry->end = block_bit(byte == '\n');
    carry->key_end = _mm512_set1_epi64(-1); /* not known: the first two colons stay */
    return true;
}

#endif
