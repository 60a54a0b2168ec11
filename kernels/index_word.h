/* index_word.h: the grammar of JSON lines on 64 bytes at a time; included by index_avx2.c and index_avx512.c.
 *
 * Purpose    The caller turns 64 bytes into masks of single characters; this file turns the masks into tokens and
 *            checks that the tokens of each record can stand where they stand.
 * Data       bit i = byte i of the word. What the next word must know is in struct word_carry; which open brackets
 *            are square is
 *            in struct word_stack.
 * Grammar    Every token has exactly one token before it, found by a shift by one, or, where white space stands
 *            between, by an addition that carries through the run of white space. With that:
 *              1. a value (string, scalar, opening bracket) stands just after one of { [ : , or a line end, and only
 *              there
 *                 (exceptions: an empty container, an empty line);
 *              2. a colon stands just after an item string: a string that itself stands after { or ,
 *              3. in an object every item is such a string, and a colon follows it; in an array no colon stands;
 *              4. brackets match in kind; a comma or colon never stands outside all brackets; depth is 0 at a line end.
 *            1 and 2 need no context. 3 and 4 are masks where only objects and a flat list are open.
 * Paths      block_check (index_block.h, AVX-512 only) decides most blocks of compact JSON. word_plain decides the
 *            words of plain records: no list in a list, no object in a list, no exception, nothing wrong; it is
 *            straight code and says no to everything else. word_exact decides any word, bracket by bracket where it
 *            must, and names the wrong places. Figures in docs/performance.md, "index".
 * Errors     the row that holds a wrong place is suspect. No error is missed; a right row may be suspected (next to a
 *            broken one, or very deep).
 */
#ifndef RF_INDEX_WORD_H
#define RF_INDEX_WORD_H

#include <stdbool.h>
#include <stdint.h>

#define WORD_INLINE static inline __attribute__((always_inline))

enum { WORD_DEPTH_STACK = 1024 }; /* levels with a known bracket kind; deeper rows are suspect */

struct word_masks { /* what single bytes are, strings not yet taken into account */
    uint64_t backslash, quote, colon, comma, open, close, line_end;
    uint64_t low;    /* byte <= 0x20, line ends included */
    uint64_t square; /* among open and close: '[' or ']' */
};

struct word_carry {
    uint64_t escape;      /* 1: the first byte of the next word is escaped */
    uint64_t string;      /* all ones: the next word begins inside a string */
    uint64_t item_string; /* 1: that string is an item */
    uint64_t scalar;      /* 1: the last byte was part of a scalar */
    /* 1: the next token stands just after ... */
    uint64_t value_place, item_place, after_open, after_item, after_line_end;
    uint64_t list; /* all ones: the next word begins inside a list that holds no list and no object so far */
    int32_t depth; /* without that list */
};

struct word_stack {
    int32_t arrays_open;                      /* the list of word_carry not counted */
    uint64_t is_array[WORD_DEPTH_STACK / 64]; /* bit d: the container that is open at depth d + 1 is an array */
};

struct word_tokens { /* strings taken into account */
    uint64_t quote, open, close, colon, comma, white;
};

struct word_verdict {
    uint64_t error;    /* places that are wrong */
    uint64_t blank;    /* line ends of blank rows */
    uint64_t bad_ends; /* line ends at which the depth or the string state was wrong */
};

static const struct word_carry word_carry_begin = {.value_place = 1, .after_line_end = 1};

/* The place of the next token for each token end in `ends`: one further, past white space. */
WORD_INLINE uint64_t word_next(uint64_t ends, uint64_t *carry, uint64_t white)
{
    const uint64_t first = (ends << 1) | *carry;
    uint64_t sum;
    const bool overflow = __builtin_add_overflow(first & white, white, &sum);
    *carry = (ends >> 63) | (uint64_t)overflow;
    return (sum | first) & ~white;
}

/* Quotes that are not escaped: odd runs of backslashes escape the byte behind them (add and look where the carry
 * ends). */
WORD_INLINE uint64_t word_unescaped(const struct word_masks *masks, uint64_t *escape)
{
    const uint64_t odd_bits = 0xaaaaaaaaaaaaaaaaull;
    const uint64_t starts = masks->backslash & ~*escape;
    const uint64_t maybe = starts << 1;
    const uint64_t ends = ((maybe | odd_bits) - starts) ^ odd_bits;
    const uint64_t escaped = ends ^ (masks->backslash | *escape);
    *escape = (ends & masks->backslash) >> 63;
    return masks->quote & ~escaped;
}

/* Plain words only; false leaves everything to word_exact. `white` is zero where has_white is false. */
WORD_INLINE bool word_plain(struct word_carry *carry, const struct word_masks *masks, uint64_t quote, uint64_t inside,
                            uint64_t prefix_xor(uint64_t), bool has_backslash, const bool has_white,
                            int32_t arrays_open, struct word_tokens *tokens)
{
    const uint64_t outside = ~inside;
    const uint64_t colon = masks->colon & outside;
    const uint64_t comma = masks->comma & outside;
    const uint64_t open = masks->open & outside;
    const uint64_t close = masks->close & outside;
    const uint64_t end = masks->line_end;
    const uint64_t white = has_white ? masks->low & outside & ~end : 0;
    const uint64_t string_open = quote & inside;
    const uint64_t scalar = ~(inside | quote | colon | comma | open | close | masks->low);
    const uint64_t values = string_open | open | (scalar & ~((scalar << 1) | carry->scalar));
    uint64_t bad = 0;

    struct word_carry next = *carry;
    const uint64_t separators = colon | comma | open | end;
    /* Lists, from the opening bracket up to the closing one, which is outside; nothing else opens or closes in there. */
    const uint64_t brackets = open | close;
    const uint64_t squares = masks->square & brackets;
    const uint64_t list = prefix_xor(squares) ^ carry->list;
    bad |= (brackets & list) ^ (squares & open);
    const uint64_t items = (comma | open) & ~list;
    uint64_t value_place = (separators << 1) | carry->value_place;
    uint64_t item_place = (items << 1) | carry->item_place;
    uint64_t after_line_end = (end << 1) | carry->after_line_end;
    uint64_t after_close = close << 1;
    next.value_place = separators >> 63;
    next.item_place = items >> 63;
    next.after_line_end = end >> 63;
    next.after_open = open >> 63;
    if (has_white) {
        uint64_t none = 0;
        next = *carry;
        value_place = word_next(separators, &next.value_place, white);
        item_place = word_next(items, &next.item_place, white);
        after_line_end = word_next(end, &next.after_line_end, white);
        after_close = word_next(close, &none, white);
        (void)word_next(open, &next.after_open, white);
    }
    bad |= values ^ value_place;
    bad |= item_place & ~string_open;

    uint64_t run;
    bool overflow = __builtin_add_overflow(item_place & string_open, inside, &run);
    overflow |= __builtin_add_overflow(run, carry->item_string, &run);
    next.item_string = (uint64_t)overflow;
    const uint64_t item_end = run & outside & quote;
    uint64_t after_item = (item_end << 1) | carry->after_item;
    next.after_item = item_end >> 63;
    if (has_white) {
        next.after_item = carry->after_item;
        after_item = word_next(item_end, &next.after_item, white);
    }
    bad |= colon ^ after_item;
    if (__builtin_expect(has_backslash, 0)) {
        bad |= masks->backslash & (outside | ~run);
    }
    next.scalar = scalar >> 63;
    next.string = (uint64_t)((int64_t)inside >> 63);
    next.list = (uint64_t)((int64_t)list >> 63);

    /* At most one line end. The brackets on both sides of it ("}\n{") do not count, so that the depth is at least 1
     * from record to record and 1 at a line end. A word that begins at depth 0 must begin with a line end or with a
     * record. */
    const uint64_t before = end - 1;
    const uint64_t ahead = end == 0 ? 0 : close & before;
    const uint64_t closing = ahead == 0 ? 0 : (1ull << 63) >> __builtin_clzll(ahead);
    const uint64_t opening = after_line_end & open;
    const uint64_t inner_open = open & ~(opening | squares);
    const uint64_t inner_close = close & ~(closing | squares);
    const bool is_at_zero = carry->depth == 0;
    const int32_t depth = carry->depth + is_at_zero;
    const int32_t depth_after = depth + __builtin_popcountll(inner_open) - __builtin_popcountll(inner_close);
    const int32_t depth_at_end =
        depth + __builtin_popcountll(inner_open & before) - __builtin_popcountll(inner_close & before);
    /* The least depth is at the end of the word, or before its last opening bracket and then no lower than this. */
    const uint64_t upto_open = inner_open == 0 ? 0 : ~0ull >> __builtin_clzll(inner_open);
    const int32_t least = depth - __builtin_popcountll(inner_close & upto_open);
    bad |= end & before;
    bad |= end & (inside | ~(after_close | (uint64_t)is_at_zero));
    bad |= after_line_end & ~open;
    bad |= squares & (opening | closing);
    bad |= (uint64_t)((least < 1) | (depth_after < 1) | ((end != 0) & (depth_at_end != 1)) | (arrays_open != 0) |
                      (is_at_zero & ((carry->after_line_end | (end & 1)) == 0)));
    /* No record is open behind a line end without one, nor behind nothing but white space between two records. */
    const bool is_between = end != 0 ? (opening & ~(end | before)) == 0 : has_white && is_at_zero && opening == 0;
    next.depth = is_between ? 0 : depth_after;

    tokens->quote = quote;
    tokens->open = open;
    tokens->close = close;
    tokens->colon = colon;
    tokens->comma = comma;
    tokens->white = white;
    if (__builtin_expect(bad != 0, 0)) {
        return false;
    }
    *carry = next;
    return true;
}

static inline bool stack_is_array(const struct word_stack *stack, int32_t depth)
{
    const uint32_t d = (uint32_t)(depth - 1);
    return d < WORD_DEPTH_STACK && ((stack->is_array[d >> 6] >> (d & 63)) & 1) != 0;
}

static void stack_clear(struct word_stack *stack)
{
    for (int i = 0; stack->arrays_open != 0 && i < WORD_DEPTH_STACK / 64; i++) {
        stack->is_array[i] = 0;
    }
    stack->arrays_open = 0;
}

/* The list of word_carry becomes one of the stack, and back. */
static void stack_take_list(struct word_stack *stack, struct word_carry *carry)
{
    if (carry->list != 0) {
        const uint32_t d = (uint32_t)carry->depth;
        carry->list = 0;
        carry->depth++;
        stack->arrays_open = 1;
        stack->is_array[d >> 6] |= 1ull << (d & 63);
    }
}

static void stack_give_list(struct word_stack *stack, struct word_carry *carry)
{
    if (stack->arrays_open == 1 && stack_is_array(stack, carry->depth)) {
        stack_clear(stack);
        carry->list = ~0ull;
        carry->depth--;
    }
}

/* Rules 3 and 4, bracket by bracket and line end by line end. */
static void word_brackets(struct word_carry *carry, struct word_stack *stack, uint64_t square,
                          const struct word_tokens *tokens, uint64_t line_end, uint64_t object_error,
                          uint64_t separators, struct word_verdict *verdict)
{
    uint64_t events = tokens->open | tokens->close | line_end;
    uint64_t done = 0; /* bits up to and including the last event */
    uint64_t error = 0;
    int32_t depth = carry->depth;
    for (;;) {
        const uint64_t event = events & (0 - events);
        const uint64_t upto = events == 0 ? ~0ull : (event << 1) - 1;
        const uint64_t range = upto & ~done;
        if (depth <= 0) {
            error |= separators & range;
        } else {
            error |= (stack_is_array(stack, depth) ? tokens->colon : object_error) & range;
        }
        if (events == 0) {
            break;
        }
        done = upto;
        events &= events - 1;
        if ((event & tokens->open) != 0) {
            const uint32_t d = (uint32_t)depth;
            depth++;
            if (d < WORD_DEPTH_STACK && (event & square) != 0) {
                stack->is_array[d >> 6] |= 1ull << (d & 63);
                stack->arrays_open++;
            }
            error |= d >= WORD_DEPTH_STACK ? event : 0;
        } else if ((event & tokens->close) != 0) {
            const bool is_array = stack_is_array(stack, depth);
            if (depth <= 0) {
                error |= event;
                verdict->bad_ends |= line_end & ~(event - 1); /* bits and depth no longer agree */
                continue;
            }
            error |= is_array != ((event & square) != 0) ? event : 0;
            depth--;
            if (is_array) {
                stack->is_array[depth >> 6] &= ~(1ull << (depth & 63));
                stack->arrays_open--;
            }
        } else if (depth != 0) {
            error |= event;
            verdict->bad_ends |= event;
            depth = 0;
            stack_clear(stack);
        }
    }
    carry->depth = depth;
    verdict->error |= error;
}

/* Any word. */
static __attribute__((noinline)) void word_exact(struct word_carry *carry, struct word_stack *stack,
                                                 const struct word_masks *masks, uint64_t prefix_xor_quotes(uint64_t),
                                                 struct word_tokens *tokens, struct word_verdict *verdict)
{
    const bool has_backslash = (masks->backslash | carry->escape) != 0;
    const uint64_t quote = has_backslash ? word_unescaped(masks, &carry->escape) : masks->quote;
    uint64_t inside = prefix_xor_quotes(quote) ^ carry->string;
    uint64_t error = 0;
    uint64_t broken = masks->line_end & inside;
    *verdict = (struct word_verdict){0};
    while (broken != 0) {
        /* A line end inside a string: that record is broken, the next one begins outside. */
        const uint64_t end = broken & (0 - broken);
        error |= end;
        verdict->bad_ends |= end;
        inside ^= 0 - end;
        broken = masks->line_end & inside;
    }
    carry->string = (uint64_t)((int64_t)inside >> 63);
    const uint64_t outside = ~inside;
    const uint64_t comma = masks->comma & outside;
    const uint64_t line_end = masks->line_end;
    const uint64_t white = masks->low & outside & ~line_end;
    tokens->quote = quote;
    tokens->open = masks->open & outside;
    tokens->close = masks->close & outside;
    tokens->colon = masks->colon & outside;
    tokens->comma = comma;
    tokens->white = white;

    const uint64_t string_open = quote & inside;
    const uint64_t scalar = ~(inside | quote | tokens->colon | comma | tokens->open | tokens->close | masks->low);
    const uint64_t values = string_open | tokens->open | (scalar & ~((scalar << 1) | carry->scalar));
    carry->scalar = scalar >> 63;

    const uint64_t value_place = word_next(tokens->colon | comma | tokens->open | line_end, &carry->value_place, white);
    const uint64_t after_open = word_next(tokens->open, &carry->after_open, white);
    const uint64_t after_line_end = word_next(line_end, &carry->after_line_end, white);
    const uint64_t empty = after_open & tokens->close;
    verdict->blank = after_line_end & line_end;
    error |= (values ^ value_place) & ~empty & ~verdict->blank;

    /* Item strings: after '{' or ','. An addition carries from the opening quote to the closing one. */
    const uint64_t item_place = word_next(comma | (tokens->open & ~masks->square), &carry->item_place, white);
    uint64_t run;
    bool overflow = __builtin_add_overflow(item_place & string_open, inside, &run);
    overflow |= __builtin_add_overflow(run, carry->item_string, &run);
    carry->item_string = (uint64_t)overflow & carry->string;
    const uint64_t item_end = run & outside & quote;
    if (has_backslash) {
        /* An escape in an item string may spell a wanted key: those bytes are what the carry cleared of the runs. */
        error |= masks->backslash & (outside | ~run);
    }
    const uint64_t after_item = word_next(item_end, &carry->after_item, white);
    error |= tokens->colon & ~after_item;
    const uint64_t object_error = (after_item & ~tokens->colon) | (item_place & ~string_open & ~empty);

    /* A list as the whole record: keys in it have no outer path, which the extract stage does not track. */
    verdict->error = error | (after_line_end & tokens->open & masks->square);
    word_brackets(carry, stack, masks->square, tokens, line_end, object_error, tokens->colon | comma, verdict);
}

/* One word; true when it was plain (then there is no verdict to look at). */
WORD_INLINE bool word_step(struct word_carry *carry, struct word_stack *stack, const struct word_masks *masks,
                           uint64_t prefix_xor_quotes(uint64_t), struct word_tokens *tokens,
                           struct word_verdict *verdict)
{
    const bool has_backslash = (masks->backslash | carry->escape) != 0;
    struct word_carry next = *carry;
    uint64_t quote = masks->quote;
    if (__builtin_expect(has_backslash, 0)) {
        quote = word_unescaped(masks, &next.escape);
    }
    const uint64_t inside = prefix_xor_quotes(quote) ^ carry->string;
    bool is_plain;
    if (__builtin_expect((masks->low & ~inside & ~masks->line_end) == 0, 1)) {
        is_plain = word_plain(&next, masks, quote, inside, prefix_xor_quotes, has_backslash, false, stack->arrays_open,
                              tokens);
    } else {
        is_plain =
            word_plain(&next, masks, quote, inside, prefix_xor_quotes, has_backslash, true, stack->arrays_open, tokens);
    }
    if (__builtin_expect(is_plain, 1)) {
        *carry = next;
        return true;
    }
    /* Copies, so that the loop's own state stays in registers. */
    struct word_carry exact_carry = *carry;
    struct word_masks exact_masks = *masks;
    struct word_tokens exact_tokens;
    struct word_verdict exact_verdict;
    stack_take_list(stack, &exact_carry);
    word_exact(&exact_carry, stack, &exact_masks, prefix_xor_quotes, &exact_tokens, &exact_verdict);
    stack_give_list(stack, &exact_carry);
    *carry = exact_carry;
    *tokens = exact_tokens;
    *verdict = exact_verdict;
    return false;
}

#endif
