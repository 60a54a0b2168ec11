/* eval_loops.h: the functions of struct rf_eval_kernels, made from the primitives of the file that includes this one.
 *
 * Purpose    One text for three instruction sets. The including file has defined, all static inline:
 *              struct lanes                                      eight 64-bit values
 *              lanes_load(const void *)  lanes_fill(uint64_t)  lanes_and(a, b)
 *              lanes_lengths(const uint32_t *)                   eight lengths
 *              lanes_unused(lengths)                             64 - 8 x length
 *              lanes_shift(a, b)                                 a >> b; zero where b is 64 and more
 *              lanes_double, lanes_integer, lanes_natural(a, b, compare)    one bit a lane, lane 0 first
 *              bytes_equal(const uint8_t *, uint8_t)             64 bytes, one bit each
 *              bytes_class(const uint8_t *, uint64_t out[5])     64 tags; bit c of class_of_tag[tag] goes to out[c]
 *              lengths_hold(const uint32_t *, count, is_open)    64 lengths: == count, or >= count
 *              bits_gather(bits, mask)                           the bits under mask, packed downwards
 *            and RF_EVAL_TABLE, the name of the table. Eight-bit results are stored one byte at a time: that costs one
 *            store each where joining eight masks into a word costs seven instructions.
 * Threads    pure functions.
 */
#ifndef RF_EVAL_LOOPS_H
#define RF_EVAL_LOOPS_H

#include <math.h>

#define EVAL_INLINE static inline __attribute__((always_inline))

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "bitmaps are written byte by byte");

enum lanes_kind { LANES_DOUBLE, LANES_INTEGER, LANES_NATURAL };

EVAL_INLINE uint8_t lanes_compare(enum lanes_kind kind, struct lanes a, struct lanes b, enum rf_compare compare)
{
    return kind == LANES_DOUBLE    ? lanes_double(a, b, compare)
           : kind == LANES_INTEGER ? lanes_integer(a, b, compare)
                                   : lanes_natural(a, b, compare);
}

/* `count` (1 or 4) constants against one load of the payloads. */
EVAL_INLINE void compare_group(enum lanes_kind kind, const uint64_t *payload, uint32_t words, enum rf_compare compare,
                               const uint64_t *constant, uint64_t *const *out, uint32_t count)
{
    struct lanes against[4];
    uint8_t *bits[4];
    for (uint32_t i = 0; i < count; i++) {
        against[i] = lanes_fill(constant[i]);
        bits[i] = (uint8_t *)out[i];
    }
    for (uint32_t g = 0; g < words * 8; g++) {
        /* The next block of the column, and one further ahead for the second-level cache: hardware prefetchers start anew
         * at each block. */
        __builtin_prefetch((const void *)((uintptr_t)payload + 64 * (uintptr_t)(g + RF_EVAL_BLOCK_ROWS / 8)));
        __builtin_prefetch((const void *)((uintptr_t)payload + 64 * (uintptr_t)(g + 4 * RF_EVAL_BLOCK_ROWS / 8)), 0, 2);
        const struct lanes value = lanes_load(payload + 8 * (size_t)g);
        for (uint32_t i = 0; i < count; i++) {
            bits[i][g] = lanes_compare(kind, value, against[i], compare);
        }
    }
}

EVAL_INLINE void compare_all(enum lanes_kind kind, const uint64_t *payload, uint32_t words, enum rf_compare compare,
                             const uint64_t *constant, uint32_t count, uint64_t *const *out)
{
    uint32_t i = 0;
    for (; i + 4 <= count; i += 4) {
        compare_group(kind, payload, words, compare, constant + i, out + i, 4);
    }
    for (; i < count; i++) {
        compare_group(kind, payload, words, compare, constant + i, out + i, 1);
    }
}

/* One loop for each comparison, so that none asks which one it is. */
EVAL_INLINE void compare_any(enum lanes_kind kind, const uint64_t *payload, uint32_t words, enum rf_compare compare,
                             const uint64_t *constant, uint32_t count, uint64_t *const *out)
{
    switch (compare) {
    case RF_EQ:
        compare_all(kind, payload, words, RF_EQ, constant, count, out);
        break;
    case RF_LT:
        compare_all(kind, payload, words, RF_LT, constant, count, out);
        break;
    case RF_LE:
        compare_all(kind, payload, words, RF_LE, constant, count, out);
        break;
    case RF_GT:
        compare_all(kind, payload, words, RF_GT, constant, count, out);
        break;
    case RF_GE:
        compare_all(kind, payload, words, RF_GE, constant, count, out);
        break;
    }
}

static void loop_compare_double(const uint64_t *payload, uint32_t words, enum rf_compare compare,
                                const uint64_t *constant, uint32_t count, uint64_t *const *out)
{
    compare_any(LANES_DOUBLE, payload, words, compare, constant, count, out);
}

static void loop_compare_integer(const uint64_t *payload, uint32_t words, enum rf_compare compare,
                                 const uint64_t *constant, uint32_t count, uint64_t *const *out)
{
    compare_any(LANES_INTEGER, payload, words, compare, constant, count, out);
}

static void loop_compare_natural(const uint64_t *payload, uint32_t words, enum rf_compare compare,
                                 const uint64_t *constant, uint32_t count, uint64_t *const *out)
{
    compare_any(LANES_NATURAL, payload, words, compare, constant, count, out);
}

/* Four groups of eight rows by turns: each step waits for the one before. */
static void loop_rank_doubles(const uint64_t *payload, uint32_t words, const struct rf_eval_rank *rank, uint16_t *code,
                              uint64_t *ordered)
{
    for (uint32_t w = 0; w < words; w++) {
        ordered[w] = rank_word(payload + 64 * (size_t)w, rank, code + 64 * (size_t)w);
    }
}

static void loop_compare_codes(const uint16_t *code, const uint64_t *among, const uint64_t *domain, uint32_t words,
                               struct rf_eval_code_test test, struct rf_eval_register *out)
{
    switch (test.compare) {
    case RF_EVAL_CODE_LESS:
        for (uint32_t w = 0; w < words; w++) {
            out->truth[w] = codes_less(code + 64 * (size_t)w, test.code) & among[w];
        }
        break;
    case RF_EVAL_CODE_NOT_LESS:
        for (uint32_t w = 0; w < words; w++) {
            out->truth[w] = ~codes_less(code + 64 * (size_t)w, test.code) & among[w];
        }
        break;
    case RF_EVAL_CODE_EQUAL:
        for (uint32_t w = 0; w < words; w++) {
            out->truth[w] = codes_equal(code + 64 * (size_t)w, test.code) & among[w];
        }
        break;
    }
    for (uint32_t w = 0; w < words; w++) {
        out->falsity[w] = domain[w] & ~out->truth[w];
    }
}

EVAL_INLINE void compare_pairs(const void *a, const void *b, uint32_t groups, enum rf_compare compare, uint8_t *bits)
{
    for (uint32_t g = 0; g < groups; g++) {
        const size_t at = 64 * (size_t)g;
        bits[g] = lanes_double(lanes_load((const uint8_t *)a + at), lanes_load((const uint8_t *)b + at), compare);
    }
}

static void pairs_dispatch(const void *a, const void *b, uint32_t groups, enum rf_compare compare, uint8_t *bits)
{
    switch (compare) {
    case RF_EQ:
        compare_pairs(a, b, groups, RF_EQ, bits);
        break;
    case RF_LT:
        compare_pairs(a, b, groups, RF_LT, bits);
        break;
    case RF_LE:
        compare_pairs(a, b, groups, RF_LE, bits);
        break;
    case RF_GT:
        compare_pairs(a, b, groups, RF_GT, bits);
        break;
    case RF_GE:
        compare_pairs(a, b, groups, RF_GE, bits);
        break;
    }
}

static void loop_compare_doubles(const uint64_t *a, const uint64_t *b, uint32_t words, enum rf_compare compare,
                                 uint64_t *out)
{
    pairs_dispatch(a, b, words * 8, compare, (uint8_t *)out);
}

static void loop_classes(const uint8_t *tag, uint32_t words, struct rf_eval_classes *out)
{
    for (uint32_t w = 0; w < words; w++) {
        uint64_t of[5];
        bytes_class(tag + 64 * (size_t)w, of);
        out->number[w] = of[0];
        out->integer[w] = of[1];
        out->natural[w] = of[2];
        out->string[w] = of[3];
        out->missing[w] = of[4];
    }
}

static void loop_tag_equal(const uint8_t *tag, uint32_t words, uint8_t tag_wanted, uint64_t *out)
{
    for (uint32_t w = 0; w < words; w++) {
        out[w] = bytes_equal(tag + 64 * (size_t)w, tag_wanted);
    }
}

static void loop_head_equal(const uint64_t *payload, const uint32_t *length, const uint64_t *among, uint32_t words,
                            uint64_t mask, uint64_t head, uint32_t count, bool is_open, uint64_t *out)
{
    const struct lanes keep = lanes_fill(mask);
    const struct lanes wanted = lanes_fill(head);
    uint8_t *bits = (uint8_t *)out;
    for (uint32_t g = 0; g < words * 8; g++) {
        bits[g] = lanes_natural(lanes_and(lanes_load(payload + 8 * (size_t)g), keep), wanted, RF_EQ);
    }
    for (uint32_t w = 0; w < words; w++) {
        out[w] &= among[w];
        if (out[w] != 0) {
            out[w] &= lengths_hold(length + 64 * (size_t)w, count, is_open);
        }
    }
}

/* Both results of eight texts at a time, and in the end only those of rows in `among`. */
EVAL_INLINE void rows_keep(const uint64_t *among, uint32_t words, uint64_t *out, uint64_t *rest)
{
    for (uint32_t w = 0; w < words; w++) {
        out[w] &= among[w];
        rest[w] &= among[w];
    }
}

EVAL_INLINE uint8_t lanes_are_long(struct lanes lengths)
{
    return lanes_natural(lengths, lanes_fill(8), RF_GT);
}

static void loop_short_ends(const uint64_t *payload, const uint32_t *length, const uint64_t *among, uint32_t words,
                            struct rf_eval_part part, uint64_t *out, uint64_t *rest)
{
    const struct lanes mask = lanes_fill(part.mask);
    const struct lanes wanted = lanes_fill(part.bytes);
    for (uint32_t g = 0; g < words * 8; g++) {
        const struct lanes lengths = lanes_lengths(length + 8 * (size_t)g);
        const struct lanes text = lanes_shift(lanes_load(payload + 8 * (size_t)g), lanes_unused(lengths));
        const uint8_t is_long = lanes_are_long(lengths);
        ((uint8_t *)out)[g] = (uint8_t)(lanes_natural(lanes_and(text, mask), wanted, RF_EQ) &
                                        lanes_natural(lengths, lanes_fill(part.count), RF_GE) & ~is_long);
        ((uint8_t *)rest)[g] = is_long;
    }
    rows_keep(among, words, out, rest);
}

/* Behind the text a payload is zero, and so nothing that could be the part. */
static void loop_short_contains(const uint64_t *payload, const uint32_t *length, const uint64_t *among, uint32_t words,
                                struct rf_eval_part part, uint64_t *out, uint64_t *rest)
{
    const struct lanes mask = lanes_fill(part.mask);
    const struct lanes wanted = lanes_fill(part.bytes);
    for (uint32_t g = 0; g < words * 8; g++) {
        const struct lanes text = lanes_load(payload + 8 * (size_t)g);
        const uint8_t is_long = lanes_are_long(lanes_lengths(length + 8 * (size_t)g));
        unsigned holds = 0;
        for (uint32_t behind = 0; behind + part.count <= 8; behind++) {
            holds |= lanes_natural(lanes_and(lanes_shift(text, lanes_fill(8 * (uint64_t)behind)), mask), wanted, RF_EQ);
        }
        ((uint8_t *)out)[g] = (uint8_t)(holds & ~is_long);
        ((uint8_t *)rest)[g] = is_long;
    }
    rows_keep(among, words, out, rest);
}

static void loop_short_sizes(const uint64_t *payload, const uint32_t *length, const uint64_t *among, uint32_t words,
                             uint64_t sizes, uint64_t *out, uint64_t *rest)
{
    const struct lanes tops = lanes_fill(0x8080808080808080u);
    const struct lanes one = lanes_fill(1);
    for (uint32_t g = 0; g < words * 8; g++) {
        const struct lanes lengths = lanes_lengths(length + 8 * (size_t)g);
        const struct lanes high = lanes_and(lanes_load(payload + 8 * (size_t)g), tops);
        const uint8_t is_other = (uint8_t)(lanes_are_long(lengths) | ~lanes_natural(high, lanes_fill(0), RF_EQ));
        const struct lanes bit = lanes_and(lanes_shift(lanes_fill(sizes), lengths), one);
        ((uint8_t *)out)[g] = (uint8_t)(lanes_natural(bit, one, RF_EQ) & ~is_other);
        ((uint8_t *)rest)[g] = is_other;
    }
    rows_keep(among, words, out, rest);
}

/* a[i] = a[i] <op> b[i]; gives the rows whose result is defined. */
static uint64_t arith_step(enum rf_arith_op op, double a[64], const double b[64])
{
    uint64_t valid = ~0ull;
    switch (op) {
    case RF_ARITH_ADD:
        for (int i = 0; i < 64; i++) {
            a[i] += b[i];
        }
        break;
    case RF_ARITH_SUB:
        for (int i = 0; i < 64; i++) {
            a[i] -= b[i];
        }
        break;
    case RF_ARITH_MUL:
        for (int i = 0; i < 64; i++) {
            a[i] *= b[i];
        }
        break;
    case RF_ARITH_DIV:
        for (int i = 0; i < 64; i++) {
            a[i] /= b[i];
        }
        break;
    case RF_ARITH_NEG:
        for (int i = 0; i < 64; i++) {
            a[i] = -a[i];
        }
        break;
    case RF_ARITH_MOD:
        for (int i = 0; i < 64; i++) {
            const double limit = 9007199254740992.0; /* 2^53 */
            const bool is_defined =
                fabs(a[i]) <= limit && fabs(b[i]) <= limit && trunc(a[i]) == a[i] && trunc(b[i]) == b[i] && b[i] != 0;
            a[i] = is_defined ? fmod(a[i], b[i]) : 0;
            valid &= ~((uint64_t)!is_defined << i);
        }
        break;
    case RF_ARITH_SLOT:
    case RF_ARITH_CONST:
        break;
    }
    return valid;
}

static void loop_arith(const struct rf_atom *atom, const struct rf_columns *columns, uint32_t row, uint32_t words,
                       uint64_t *valid, uint64_t *out)
{
    double stack[RF_ARITH_STACK_MAX][64];
    for (uint32_t w = 0; w < words; w++) {
        uint32_t top = 0;
        valid[w] = ~0ull;
        for (uint32_t i = 0; i < atom->code_count; i++) {
            const struct rf_arith *code = &atom->code[i];
            if (code->op == RF_ARITH_SLOT) {
                memcpy(stack[top++], columns->slot[code->slot].payload + row + 64 * (size_t)w, sizeof(stack[0]));
            } else if (code->op == RF_ARITH_CONST) {
                for (int lane = 0; lane < 64; lane++) {
                    stack[top][lane] = code->constant;
                }
                top++;
            } else {
                top -= code->op != RF_ARITH_NEG;
                valid[w] &= arith_step(code->op, stack[top - 1], stack[code->op != RF_ARITH_NEG ? top : top - 1]);
            }
        }
        pairs_dispatch(stack[0], stack[1], 8, atom->compare, (uint8_t *)&out[w]);
    }
}

/* Places among the 64 from `at` on where part may begin: its first and its last byte are there. */
EVAL_INLINE uint64_t part_candidates(const uint8_t *at, struct rf_str part)
{
    const uint64_t first = bytes_equal(at, (uint8_t)part.data[0]);
    return part.count == 1 ? first : first & bytes_equal(at + part.count - 1, (uint8_t)part.data[part.count - 1]);
}

/* Drops the candidates whose middle differs. `failures` counts them: a hostile text can make most places candidates. */
EVAL_INLINE uint64_t part_verify(const uint8_t *at, uint64_t candidates, struct rf_str part, size_t *failures)
{
    if (part.count <= 2) {
        return candidates;
    }
    for (uint64_t left = candidates; left != 0; left &= left - 1) {
        const int bit = __builtin_ctzll(left);
        if (memcmp(at + bit + 1, part.data + 1, part.count - 2) != 0) {
            candidates &= ~(1ull << bit);
            (*failures)++;
        }
    }
    return candidates;
}

/* Comparing middles has cost more than a linear search of the whole text would. */
EVAL_INLINE bool part_is_hostile(size_t failures, struct rf_str part, size_t text_count)
{
    return failures > (4096 + 8 * text_count) / part.count;
}

static bool loop_contains(struct rf_str text, size_t readable, struct rf_str part)
{
    if (part.count > text.count) {
        return false;
    }
    const uint8_t *bytes = (const uint8_t *)text.data;
    const size_t places = text.count - part.count + 1;
    size_t failures = 0;
    size_t at = 0;
    for (; at < places && at + part.count - 1 + 64 <= readable; at += 64) {
        uint64_t candidates = part_candidates(bytes + at, part);
        if (places - at < 64) {
            candidates &= (1ull << (places - at)) - 1;
        }
        if (part_verify(bytes + at, candidates, part, &failures) != 0) {
            return true;
        }
        if (part_is_hostile(failures, part, text.count)) {
            break;
        }
    }
    return at < places && rf_str_contains((struct rf_str){text.data + at, text.count - at}, part);
}

/* Appends the low `count` (0..64) bits to a bitmap; bits from `count` on are zero. */
EVAL_INLINE void bits_append(uint64_t *out, uint32_t *used, uint64_t bits, uint32_t count)
{
    if (count == 0) {
        return; /* out may end here */
    }
    const uint32_t shift = *used & 63;
    uint64_t *word = &out[*used >> 6];
    *word = (shift == 0 ? 0 : *word) | bits << shift;
    if (shift + count > 64) {
        word[1] = bits >> (64 - shift);
    }
    *used += count;
}

/* Matches as bits m, line ends as bits nl: in ~nl + m each match carries through the rest of its line into the line's
 * end, and the carry out of the word is a match of the line that goes on. The bits under nl, packed, are the rows. */
static bool loop_lines_contain(struct rf_eval_lines lines, struct rf_str part, uint64_t *out)
{
    const size_t places = lines.count >= part.count ? lines.count - part.count + 1 : 0;
    size_t failures = 0;
    uint32_t rows = 0;
    uint64_t carry = 0;
    /* One step more than whole words: the end of the text is the last row's end. */
    for (size_t at = 0; at <= lines.count; at += 64) {
        uint64_t match = 0;
        if (at < places) {
            const uint64_t inside = places - at < 64 ? (1ull << (places - at)) - 1 : ~0ull;
            match = part_candidates(lines.bytes + at, part) & inside;
            match = part_verify(lines.bytes + at, match, part, &failures);
        }
        uint64_t ends = bytes_equal(lines.bytes + at, '\n');
        if (lines.count - at < 64) {
            const uint64_t last = 1ull << (lines.count - at);
            ends = (ends & (last - 1)) | last;
        }
        uint64_t sum;
        uint64_t next = __builtin_add_overflow(~ends, match, &sum);
        next |= __builtin_add_overflow(sum, carry, &sum);
        carry = next;
        const uint32_t count = (uint32_t)__builtin_popcountll(ends);
        if (count > lines.rows - rows || part_is_hostile(failures, part, lines.count)) {
            return false;
        }
        bits_append(out, &rows, bits_gather(sum, ends), count);
    }
    return rows == lines.rows;
}

EVAL_INLINE void combine_and(const struct rf_eval_register *restrict a, const struct rf_eval_register *restrict b,
                             struct rf_eval_register *restrict out)
{
    for (int w = 0; w < RF_EVAL_BLOCK_WORDS; w++) {
        out->truth[w] = a->truth[w] & b->truth[w];
        out->falsity[w] = a->falsity[w] | b->falsity[w];
    }
}

EVAL_INLINE void combine_or(const struct rf_eval_register *restrict a, const struct rf_eval_register *restrict b,
                            struct rf_eval_register *restrict out)
{
    for (int w = 0; w < RF_EVAL_BLOCK_WORDS; w++) {
        out->truth[w] = a->truth[w] | b->truth[w];
        out->falsity[w] = a->falsity[w] & b->falsity[w];
    }
}

EVAL_INLINE void combine_select(const struct rf_eval_register *restrict a, const struct rf_eval_register *restrict b,
                                const struct rf_eval_register *restrict c, struct rf_eval_register *restrict out)
{
    for (int w = 0; w < RF_EVAL_BLOCK_WORDS; w++) {
        out->truth[w] = (a->truth[w] & b->truth[w]) | (a->falsity[w] & c->truth[w]);
        out->falsity[w] = (a->truth[w] & b->falsity[w]) | (a->falsity[w] & c->falsity[w]);
    }
}

static void loop_combine(const struct rf_eval_code *code, uint32_t code_count, struct rf_eval_register *registers)
{
    for (uint32_t i = 0; i < code_count; i++) {
        struct rf_eval_register *out = &registers[code[i].out];
        const struct rf_eval_register *a = &registers[code[i].a];
        const struct rf_eval_register *b = &registers[code[i].b];
        switch (code[i].op) {
        case RF_BOOL_TRUE:
        case RF_BOOL_FALSE:
        case RF_BOOL_ERROR:
            memset(out->truth, code[i].op == RF_BOOL_TRUE ? 0xff : 0, sizeof(out->truth));
            memset(out->falsity, code[i].op == RF_BOOL_FALSE ? 0xff : 0, sizeof(out->falsity));
            break;
        case RF_BOOL_NOT:
            memcpy(out->truth, a->falsity, sizeof(out->truth));
            memcpy(out->falsity, a->truth, sizeof(out->falsity));
            break;
        case RF_BOOL_AND:
            combine_and(a, b, out);
            break;
        case RF_BOOL_OR:
            combine_or(a, b, out);
            break;
        case RF_BOOL_SELECT:
            combine_select(a, b, &registers[code[i].c], out);
            break;
        case RF_BOOL_ATOM:
            break;
        }
    }
}

static uint32_t loop_count_both(const uint64_t *a, const uint64_t *b, uint32_t words)
{
    uint64_t sum = 0;
    for (uint32_t w = 0; w < words; w++) {
        sum += (uint64_t)__builtin_popcountll(a[w] & b[w]);
    }
    return (uint32_t)sum;
}

/* Eight words of rows: the compiler makes what the level has of it. */
typedef uint64_t rows_eight __attribute__((vector_size(64), aligned(8), may_alias));

/* A macro: a function that gives one has another ABI at each level. */
#define ROWS_AT(rows, half) (((rows_eight *)(uintptr_t)(rows))[half])

enum { ROWS_HALVES = RF_EVAL_BLOCK_WORDS / 8 };

static bool loop_has_errors(const struct rf_eval_register *registers, const uint32_t *place, uint32_t count,
                            const uint64_t *live)
{
    rows_eight any[ROWS_HALVES] = {{0}};
    for (uint32_t i = 0; i < count; i++) {
        for (int h = 0; h < ROWS_HALVES; h++) {
            any[h] |= ~(ROWS_AT(registers[place[i]].truth, h) | ROWS_AT(registers[place[i]].falsity, h));
        }
    }
    uint64_t all = 0;
    for (int w = 0; w < RF_EVAL_BLOCK_WORDS; w++) {
        all |= any[w / 8][w % 8] & live[w];
    }
    return all != 0;
}

static void loop_combine_sure(const struct rf_eval_code *code, uint32_t code_count, struct rf_eval_register *registers,
                              const uint64_t *live)
{
/* Both halves of a register by one expression over the halves of others. */
#define ROWS_SET(expression)                     \
    for (int h = 0; h < ROWS_HALVES; h++) {      \
        ROWS_AT(out, h) = (expression);          \
    }                                            \
    break
    for (uint32_t i = 0; i < code_count; i++) {
        uint64_t *out = registers[code[i].out].truth;
        const uint64_t *a = registers[code[i].a].truth;
        const uint64_t *b = registers[code[i].b].truth;
        const uint64_t *c = registers[code[i].c].truth;
        switch (code[i].op) {
        case RF_BOOL_AND:
            ROWS_SET(ROWS_AT(a, h) & ROWS_AT(b, h));
        case RF_BOOL_OR:
            ROWS_SET(ROWS_AT(a, h) | ROWS_AT(b, h));
        case RF_BOOL_NOT:
            ROWS_SET(ROWS_AT(live, h) & ~ROWS_AT(a, h));
        case RF_BOOL_SELECT:
            ROWS_SET((ROWS_AT(a, h) & ROWS_AT(b, h)) | (~ROWS_AT(a, h) & ROWS_AT(c, h)));
        case RF_BOOL_TRUE:
            ROWS_SET(ROWS_AT(live, h));
        case RF_BOOL_FALSE:
        case RF_BOOL_ERROR: /* a program that has it is never sure */
        case RF_BOOL_ATOM:
            ROWS_SET((rows_eight){0});
        }
    }
#undef ROWS_SET
}

static void loop_tally(const struct rf_eval_register *registers, const uint32_t *place, uint32_t count,
                       const uint64_t *live, bool is_sure, struct rf_eval_hits *out)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct rf_eval_register *reg = &registers[place[i]];
        struct rows_summary hits = rows_summarise(reg->truth, live);
        out[i] = (struct rf_eval_hits){.hits = hits.count};
        if (hits.count != 0) {
            const uint32_t low = (uint32_t)__builtin_ctz(hits.words);
            const uint32_t high = 31 - (uint32_t)__builtin_clz(hits.words);
            out[i].first = (uint16_t)(64 * low + (uint32_t)__builtin_ctzll(reg->truth[low] & live[low]));
            out[i].last = (uint16_t)(64 * high + 63 - (uint32_t)__builtin_clzll(reg->truth[high] & live[high]));
        }
        if (!is_sure) {
            uint64_t missing[RF_EVAL_BLOCK_WORDS];
            for (int h = 0; h < ROWS_HALVES; h++) {
                ROWS_AT(missing, h) = ~(ROWS_AT(reg->truth, h) | ROWS_AT(reg->falsity, h));
            }
            out[i].errors = rows_summarise(missing, live).count;
        }
    }
}

/* cells `to` take in cells `from`. */
EVAL_INLINE void cells_take(const struct rf_eval_cells *cells, size_t to, size_t from, uint32_t count)
{
    uint16_t *restrict sum = cells->count + to;
    uint16_t *restrict low = cells->low + to;
    uint16_t *restrict high = cells->high + to;
    const uint16_t *restrict from_count = cells->count + from;
    const uint16_t *restrict from_low = cells->low + from;
    const uint16_t *restrict from_high = cells->high + from;
    for (uint32_t i = 0; i < count; i++) {
        sum[i] = (uint16_t)(sum[i] + from_count[i]);
    }
    for (uint32_t i = 0; i < count; i++) {
        low[i] = from_low[i] < low[i] ? from_low[i] : low[i];
    }
    for (uint32_t i = 0; i < count; i++) {
        high[i] = from_high[i] > high[i] ? from_high[i] : high[i];
    }
}

/* Cells from column 1 on take in the one before. */
EVAL_INLINE void cells_run(uint16_t *restrict count, uint16_t *restrict low, uint16_t *restrict high, uint32_t columns)
{
    uint16_t sum = 0;
    uint16_t least = UINT16_MAX;
    uint16_t most = 0;
    for (uint32_t i = 1; i < columns; i++) {
        sum = (uint16_t)(sum + count[i]);
        least = low[i] < least ? low[i] : least;
        most = high[i] > most ? high[i] : most;
        count[i] = sum;
        low[i] = least;
        high[i] = most;
    }
}

static void loop_add_cells(const struct rf_eval_cells *cells)
{
    const size_t stride = cells->stride;
    for (size_t row = 1; cells->adds_columns && row < cells->rows; row++) {
        cells_run(cells->count + row * stride, cells->low + row * stride, cells->high + row * stride, cells->columns);
    }
    for (size_t row = 2; cells->adds_rows && row < cells->rows; row++) {
        cells_take(cells, row * stride, (row - 1) * stride, cells->stride);
    }
}

const struct rf_eval_kernels RF_EVAL_TABLE = {
    .classes = loop_classes,
    .tag_equal = loop_tag_equal,
    .compare_double = loop_compare_double,
    .compare_integer = loop_compare_integer,
    .compare_natural = loop_compare_natural,
    .rank_doubles = loop_rank_doubles,
    .compare_codes = loop_compare_codes,
    .compare_doubles = loop_compare_doubles,
    .head_equal = loop_head_equal,
    .short_ends = loop_short_ends,
    .short_contains = loop_short_contains,
    .short_sizes = loop_short_sizes,
    .arith = loop_arith,
    .contains = loop_contains,
    .lines_contain = loop_lines_contain,
    .combine = loop_combine,
    .count_both = loop_count_both,
    .has_errors = loop_has_errors,
    .combine_sure = loop_combine_sure,
    .tally = loop_tally,
    .add_cells = loop_add_cells,
};

#endif
