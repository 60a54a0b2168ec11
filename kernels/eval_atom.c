/* eval_atom.c: each kind of atom as bit masks over a block. Loops over words are short and branch-free; rows whose tag
 * a vector form does not cover go through rf_eval_row one by one. */
#include "eval_atom.h"
#include "eval_lists.h"
#include "eval_needles.h"
#include "eval_number.h"

#include "eval_row.h"
#include "eval_text.h"
#include "token.h"
#include "utf8.h"

/* An atom on a block, with what every form needs at hand. */
struct atom_view {
    struct rf_eval_block *block;
    const struct rf_atom *atom;
    const struct rf_eval_constant *constant;
    struct rf_eval_register *out;
    uint32_t number; /* of the atom */
    uint32_t words;
    struct rf_calc_view in; /* of the atom's term */
};

struct rf_calc_view rf_eval_block_view(const struct rf_eval_block *block, uint32_t term)
{
    return rf_eval_term_view(&block->plan->terms, block->columns, block->batch, term, block->row);
}

static struct rf_str view_text(const struct atom_view *view, uint32_t w, uint64_t bits)
{
    const struct rf_cell cell = rf_calc_cell(&view->in, 64 * w + (uint32_t)__builtin_ctzll(bits));
    return rf_cell_text(&cell);
}

/* Decides the rows in `rows` (a word of bits) one by one. */
static void rows_decide(const struct atom_view *view, uint32_t w, uint64_t rows)
{
    const struct rf_eval_block *block = view->block;
    if ((rows & block->live[w]) == 0) {
        return; /* as in most words */
    }
    const struct rf_calc_view other =
        view->atom->kind == RF_ATOM_CMP_SLOT ? rf_eval_block_view(block, view->atom->other_slot) : view->in;
    for (uint64_t left = rows & block->live[w]; left != 0; left &= left - 1) {
        const uint64_t bit = left & (0 - left);
        const uint32_t row = 64 * w + (uint32_t)__builtin_ctzll(left);
        const struct rf_cell a = rf_calc_cell(&view->in, row);
        const struct rf_cell b = rf_calc_cell(&other, row);
        view->out->truth[w] &= ~bit;
        view->out->falsity[w] &= ~bit;
        switch (rf_eval_cells(view->atom, &a, &b, &block->plan->terms.scratch)) {
        case RF_ANSWER_TRUE:
            view->out->truth[w] |= bit;
            break;
        case RF_ANSWER_FALSE:
            view->out->falsity[w] |= bit;
            break;
        case RF_ANSWER_HOST:
            (*block->plan->host[view->number])[w] |= bit;
            break;
        case RF_ANSWER_ERROR:
            break;
        }
    }
}

/* truth is complete: every other value is unequal, but a missing one is an error. */
static void falsity_of_equality(const struct atom_view *view)
{
    const uint64_t *missing = view->block->classes.missing;
    for (uint32_t w = 0; w < view->words; w++) {
        view->out->falsity[w] = ~(view->out->truth[w] | missing[w]);
    }
}

/* truth is complete: values outside the domain are errors. */
static void falsity_within(const struct atom_view *view, const uint64_t *domain)
{
    for (uint32_t w = 0; w < view->words; w++) {
        view->out->truth[w] &= domain[w];
        view->out->falsity[w] = domain[w] & ~view->out->truth[w];
    }
}

static void tag_atom(const struct atom_view *view)
{
    const struct rf_eval_kernels *kernels = view->block->kernels;
    struct rf_eval_register *out = view->out;
    uint64_t other[RF_EVAL_BLOCK_WORDS];
    switch (view->atom->kind) {
    case RF_ATOM_TRUTH:
        kernels->tag_equal(view->in.tag, view->words, RF_TAG_TRUE, out->truth);
        kernels->tag_equal(view->in.tag, view->words, RF_TAG_FALSE, out->falsity);
        break;
    case RF_ATOM_HAS:
        kernels->tag_equal(view->in.tag, view->words, RF_TAG_NOPARENT, other);
        kernels->tag_equal(view->in.tag, view->words, RF_TAG_ABSENT, out->falsity);
        for (uint32_t w = 0; w < view->words; w++) {
            out->truth[w] = ~(out->falsity[w] | other[w]);
        }
        break;
    default: /* RF_ATOM_EQ_NULL */
        kernels->tag_equal(view->in.tag, view->words, RF_TAG_NULL, out->truth);
        falsity_of_equality(view);
        break;
    }
}

static void bool_atom(const struct atom_view *view)
{
    const struct rf_eval_kernels *kernels = view->block->kernels;
    const bool constant = view->atom->number.as.i != 0;
    const enum rf_compare compare = view->atom->compare;
    const uint64_t true_holds = rf_order_holds(compare, constant ? RF_ORDER_EQUAL : RF_ORDER_GREATER) ? ~0ull : 0;
    const uint64_t false_holds = rf_order_holds(compare, constant ? RF_ORDER_LESS : RF_ORDER_EQUAL) ? ~0ull : 0;
    uint64_t yes[RF_EVAL_BLOCK_WORDS];
    uint64_t no[RF_EVAL_BLOCK_WORDS];
    kernels->tag_equal(view->in.tag, view->words, RF_TAG_TRUE, yes);
    kernels->tag_equal(view->in.tag, view->words, RF_TAG_FALSE, no);
    for (uint32_t w = 0; w < view->words; w++) {
        view->out->truth[w] = (yes[w] & true_holds) | (no[w] & false_holds);
        view->out->falsity[w] = (yes[w] | no[w]) & ~view->out->truth[w];
    }
    if (compare == RF_EQ) {
        falsity_of_equality(view);
    }
}

/* out->truth has the result of the comparison as doubles: brings in the integers. */
static void number_finish(const struct atom_view *view)
{
    const struct rf_eval_classes *classes = &view->block->classes;
    struct rf_eval_register *out = view->out;
    uint64_t integers = 0;
    uint64_t naturals = 0;
    for (uint32_t w = 0; w < view->words; w++) {
        out->truth[w] &= classes->number[w];
        integers |= classes->integer[w];
        naturals |= classes->natural[w];
    }
    if (integers != 0) {
        uint64_t holds[RF_EVAL_BLOCK_WORDS];
        uint64_t *const to = holds;
        view->block->kernels->compare_integer(view->in.payload, view->words, view->constant->integer_compare,
                                              &view->constant->integer_bits, 1, &to);
        for (uint32_t w = 0; w < view->words; w++) {
            out->truth[w] |= holds[w] & classes->integer[w];
        }
    }
    for (uint32_t w = 0; w < view->words; w++) {
        const uint64_t domain =
            view->atom->compare == RF_EQ ? ~classes->missing[w] : classes->number[w] | classes->integer[w];
        out->falsity[w] = domain & ~out->truth[w];
    }
    if (naturals != 0) {
        for (uint32_t w = 0; w < view->words; w++) {
            rows_decide(view, w, classes->natural[w]);
        }
    }
}

/* Candidates in out->truth agree in their first 8 bytes and their length: compares what is behind. */
static void tails_verify(const struct atom_view *view, struct rf_str part)
{
    for (uint32_t w = 0; w < view->words; w++) {
        for (uint64_t left = view->out->truth[w] & view->block->live[w]; left != 0; left &= left - 1) {
            const struct rf_str text = view_text(view, w, left);
            if (memcmp(text.data + 8, part.data + 8, part.count - 8) != 0) {
                view->out->truth[w] &= ~(left & (0 - left));
            }
        }
    }
}

static void text_equal(const struct atom_view *view, struct rf_str part, uint64_t head, uint64_t mask, bool is_open)
{
    view->block->kernels->head_equal(view->in.payload, view->in.length, view->block->classes.string, view->words, mask,
                                     head, (uint32_t)part.count, is_open, view->out->truth);
    if (part.count > 8) {
        tails_verify(view, part);
    }
}

/* No text in a batch is that long, so the constant's length fits the kernels' 32 bits otherwise. */
static bool text_is_too_long(struct rf_str part)
{
    return part.count >= RF_BATCH_BYTES_LIMIT;
}

static int text_order(struct rf_str text, struct rf_str part)
{
    if (text.count <= 8 && part.count <= 8) { /* the heads were equal: the shorter text is a prefix of the longer */
        return (text.count > part.count) - (text.count < part.count);
    }
    return rf_str_compare(text, part);
}

static void string_atom(const struct atom_view *view)
{
    const struct rf_eval_kernels *kernels = view->block->kernels;
    const struct rf_str part = view->atom->string;
    const enum rf_compare compare = view->atom->compare;
    struct rf_eval_register *out = view->out;
    if (compare == RF_EQ) {
        if (text_is_too_long(part)) {
            memset(out->truth, 0, sizeof(out->truth));
        } else {
            text_equal(view, part, view->constant->head, ~0ull, false);
        }
        falsity_of_equality(view);
        return;
    }
    uint64_t equal[RF_EVAL_BLOCK_WORDS];
    uint64_t *const to_truth = out->truth;
    uint64_t *const to_equal = equal;
    const bool is_less = compare == RF_LT || compare == RF_LE;
    kernels->compare_natural(view->in.payload, view->words, is_less ? RF_LT : RF_GT, &view->constant->head, 1,
                             &to_truth);
    kernels->compare_natural(view->in.payload, view->words, RF_EQ, &view->constant->head, 1, &to_equal);
    const uint64_t *string = view->block->classes.string;
    for (uint32_t w = 0; w < view->words; w++) {
        for (uint64_t left = equal[w] & string[w] & view->block->live[w]; left != 0; left &= left - 1) {
            const int sign = text_order(view_text(view, w, left), part);
            const enum rf_order order = sign < 0 ? RF_ORDER_LESS : sign > 0 ? RF_ORDER_GREATER : RF_ORDER_EQUAL;
            out->truth[w] |= rf_order_holds(compare, order) ? left & (0 - left) : 0;
        }
    }
    falsity_within(view, string);
}

static bool text_holds(const struct atom_view *view, struct rf_str text)
{
    const struct rf_str part = view->atom->string;
    if (view->atom->kind == RF_ATOM_ENDS) {
        return text.count >= part.count && memcmp(text.data + (text.count - part.count), part.data, part.count) == 0;
    }
    const struct rf_batch *batch = view->block->batch;
    const struct rf_columns *columns = view->block->columns;
    const uintptr_t at = (uintptr_t)text.data;
    const uintptr_t bytes = (uintptr_t)batch->bytes;
    const uintptr_t side = (uintptr_t)columns->side;
    /* The batch has padding to read on in; side text counts as ending with its last string, computed text with itself. */
    const size_t readable = at >= bytes && at - bytes <= batch->bytes_used
                                ? batch->bytes_used + RF_BATCH_PADDING - (at - bytes)
                            : at >= side && at - side <= columns->side_used ? columns->side_used - (at - side)
                                                                            : text.count;
    return view->block->kernels->contains(text, readable, part);
}

/* endsWith, contains: short texts by their payloads, the others one by one. */
static void part_search(const struct atom_view *view)
{
    enum { SHORT_BYTES = 8 };
    const struct rf_str part = view->atom->string;
    const struct rf_eval_block *block = view->block;
    const struct rf_eval_kernels *kernels = block->kernels;
    const bool is_end = view->atom->kind == RF_ATOM_ENDS;
    uint64_t *truth = view->out->truth;
    uint64_t rest[RF_EVAL_BLOCK_WORDS];
    if (part.count <= SHORT_BYTES && memchr(part.data, 0, part.count) == NULL) {
        const uint32_t unused = 64 - 8 * (uint32_t)part.count;
        const struct rf_eval_part wanted = {rf_str_prefix(part) >> unused, ~0ull >> unused, (uint32_t)part.count};
        (is_end ? kernels->short_ends : kernels->short_contains)(view->in.payload, view->in.length, block->classes.string,
                                                                 view->words, wanted, truth, rest);
    } else {
        memset(truth, 0, view->words * sizeof(truth[0]));
        memcpy(rest, block->classes.string, sizeof(rest));
    }
    for (uint32_t w = 0; w < view->words; w++) {
        for (uint64_t left = rest[w] & block->live[w]; left != 0; left &= left - 1) {
            truth[w] |= text_holds(view, view_text(view, w, left)) ? left & (0 - left) : 0;
        }
    }
}

/* startsWith, endsWith, contains. */
static void part_atom(const struct atom_view *view)
{
    const struct rf_str part = view->atom->string;
    const struct rf_eval_block *block = view->block;
    const uint64_t *string = block->classes.string;
    struct rf_eval_register *out = view->out;
    if (part.count == 0) {
        memcpy(out->truth, string, sizeof(out->truth));
    } else if (text_is_too_long(part)) {
        memset(out->truth, 0, sizeof(out->truth));
    } else if (view->atom->kind == RF_ATOM_STARTS) {
        text_equal(view, part, view->constant->head, view->constant->head_mask, true);
    } else if (block->has_lines && block->plan->lines[view->number] != NULL) {
        memcpy(out->truth, block->plan->lines[view->number] + block->row / 64, view->words * sizeof(uint64_t));
    } else {
        part_search(view);
    }
    falsity_within(view, string);
}

static void set_numbers(const struct atom_view *view, uint64_t *truth)
{
    const struct rf_eval_constant *constant = view->constant;
    if (constant->doubles <= RF_EVAL_SMALL_SET) {
        uint64_t equal[RF_EVAL_SMALL_SET][RF_EVAL_BLOCK_WORDS];
        uint64_t *to[RF_EVAL_SMALL_SET];
        for (uint32_t i = 0; i < constant->doubles; i++) {
            to[i] = equal[i];
        }
        view->block->kernels->compare_double(view->in.payload, view->words, RF_EQ, constant->double_of,
                                             constant->doubles, to);
        for (uint32_t i = 0; i < constant->doubles; i++) {
            for (uint32_t w = 0; w < view->words; w++) {
                truth[w] |= equal[i][w] & view->block->classes.number[w];
            }
        }
        return;
    }
    for (uint32_t w = 0; w < view->words; w++) {
        for (uint64_t left = view->block->classes.number[w] & view->block->live[w]; left != 0; left &= left - 1) {
            const uint64_t bits = view->in.payload[64 * w + (uint32_t)__builtin_ctzll(left)];
            const uint64_t key = bits == 1ull << 63 ? 0 : bits; /* -0 */
            truth[w] |= rf_eval_set_has(&constant->number_set, key) ? left & (0 - left) : 0;
        }
    }
}

/* Mostly the first place tells, and without a branch on the answer, which nobody can guess. */
static inline bool text_is_in(const struct atom_view *view, uint32_t row)
{
    const struct rf_eval_set *set = &view->constant->string_set;
    const uint64_t head = view->in.payload[row];
    const uint32_t length = view->in.length[row];
    const struct rf_eval_place *place = &set->place[rf_eval_set_place(set, head)];
    const bool is_free = place->index == RF_NONE;
    const bool is_whole = (place->key == head) & (place->length != RF_NONE);
    if (__builtin_expect(is_free | is_whole, 1)) {
        return is_whole & (place->length == length);
    }
    if (!rf_eval_set_has(set, head)) {
        return false;
    }
    const struct rf_cell cell = rf_calc_cell(&view->in, row);
    return rf_set_has_string(&view->atom->set, rf_cell_text(&cell));
}

static void set_strings(const struct atom_view *view, uint64_t *truth)
{
    const struct rf_set *set = &view->atom->set;
    if (set->strings <= RF_EVAL_SMALL_SET) {
        for (uint32_t i = 0; i < set->strings; i++) {
            if (text_is_too_long(set->string[i])) {
                continue;
            }
            text_equal(view, set->string[i], rf_str_prefix(set->string[i]), ~0ull, false);
            for (uint32_t w = 0; w < view->words; w++) {
                truth[w] |= view->out->truth[w];
            }
        }
        return;
    }
    for (uint32_t w = 0; w < view->words; w++) {
        for (uint64_t left = view->block->classes.string[w] & view->block->live[w]; left != 0; left &= left - 1) {
            const uint32_t bit = (uint32_t)__builtin_ctzll(left);
            truth[w] |= (uint64_t)text_is_in(view, 64 * w + bit) << bit;
        }
    }
}

static void set_tag(const struct atom_view *view, enum rf_tag tag, uint64_t *truth)
{
    uint64_t equal[RF_EVAL_BLOCK_WORDS];
    view->block->kernels->tag_equal(view->in.tag, view->words, (uint8_t)tag, equal);
    for (uint32_t w = 0; w < view->words; w++) {
        truth[w] |= equal[w];
    }
}

/* Finishes what texts and doubles have begun: the other members of the list, falsity, and integers row by row. */
static void set_others(const struct atom_view *view)
{
    const struct rf_set *set = &view->atom->set;
    const struct rf_eval_classes *classes = &view->block->classes;
    uint64_t *truth = view->out->truth;
    if (set->has_null) {
        set_tag(view, RF_TAG_NULL, truth);
    }
    if (set->has_false) {
        set_tag(view, RF_TAG_FALSE, truth);
    }
    if (set->has_true) {
        set_tag(view, RF_TAG_TRUE, truth);
    }
    falsity_of_equality(view);
    if (set->numbers != 0) {
        for (uint32_t w = 0; w < view->words; w++) {
            rows_decide(view, w, classes->integer[w] | classes->natural[w]);
        }
    }
}

/* Numbers, and all that is neither a number nor a text; truth has what texts have decided. */
static void set_rest(const struct atom_view *view)
{
    if (view->atom->set.numbers != 0) {
        set_numbers(view, view->out->truth);
    }
    set_others(view);
}

static void set_atom(const struct atom_view *view)
{
    uint64_t truth[RF_EVAL_BLOCK_WORDS] = {0};
    if (view->atom->set.strings != 0) {
        set_strings(view, truth);
    }
    memcpy(view->out->truth, truth, sizeof(truth));
    set_rest(view);
}

/* A column against a constant time or duration: by the seconds, or the nanoseconds of durations. Rows where these are equal
 * and all others are decided one by one. */
static void times_atom(const struct atom_view *view, const struct rf_calc_view *column, const struct rf_cell *constant,
                       enum rf_compare compare)
{
    const struct rf_eval_kernels *kernels = view->block->kernels;
    struct rf_eval_register *out = view->out;
    uint64_t same[RF_EVAL_BLOCK_WORDS];
    uint64_t equal[RF_EVAL_BLOCK_WORDS];
    uint64_t holds[RF_EVAL_BLOCK_WORDS] = {0};
    uint64_t *const to_equal = equal;
    uint64_t *const to_holds = holds;
    kernels->tag_equal(column->tag, view->words, (uint8_t)constant->tag, same);
    kernels->compare_integer(column->payload, view->words, RF_EQ, &constant->payload, 1, &to_equal);
    if (compare != RF_EQ) {
        const enum rf_compare strict = compare == RF_LT || compare == RF_LE ? RF_LT : RF_GT;
        kernels->compare_integer(column->payload, view->words, strict, &constant->payload, 1, &to_holds);
    }
    for (uint32_t w = 0; w < view->words; w++) {
        const uint64_t decided = same[w] & ~equal[w];
        out->truth[w] = holds[w] & decided;
        out->falsity[w] = decided & ~holds[w];
        rows_decide(view, w, ~decided);
    }
}

/* False when it is no such comparison. */
static bool times_compare(const struct atom_view *view, const struct rf_calc_view *other)
{
    static const enum rf_compare turned[] = {
        [RF_EQ] = RF_EQ, [RF_LT] = RF_GT, [RF_LE] = RF_GE, [RF_GT] = RF_LT, [RF_GE] = RF_LE};
    const struct rf_atom *atom = view->atom;
    const bool is_left = (atom->slot & (RF_TERM_CONSTANT | RF_TERM_COMPUTED)) == RF_TERM_CONSTANT;
    const bool is_right = (atom->other_slot & (RF_TERM_CONSTANT | RF_TERM_COMPUTED)) == RF_TERM_CONSTANT;
    if (is_left == is_right) {
        return false;
    }
    const struct rf_cell constant = rf_calc_cell(is_left ? &view->in : other, 0);
    if (constant.tag != RF_TAG_TIMESTAMP && constant.tag != RF_TAG_DURATION) {
        return false;
    }
    times_atom(view, is_left ? other : &view->in, &constant, is_left ? turned[atom->compare] : atom->compare);
    return true;
}

static void slots_atom(const struct atom_view *view)
{
    const struct rf_eval_block *block = view->block;
    const struct rf_calc_view other = rf_eval_block_view(block, view->atom->other_slot);
    struct rf_eval_classes others;
    if (times_compare(view, &other)) {
        return;
    }
    if (view->in.stride == 0 || other.stride == 0) { /* a constant of a type that has no atom of its own: a time */
        memset(view->out, 0, sizeof(*view->out));
        for (uint32_t w = 0; w < view->words; w++) {
            rows_decide(view, w, ~0ull);
        }
        return;
    }
    block->kernels->classes(other.tag, view->words, &others);
    block->kernels->compare_doubles(view->in.payload, other.payload, view->words, view->atom->compare,
                                    view->out->truth);
    for (uint32_t w = 0; w < view->words; w++) {
        const uint64_t both = block->classes.number[w] & others.number[w];
        view->out->truth[w] &= both;
        view->out->falsity[w] = both & ~view->out->truth[w];
        rows_decide(view, w, ~(both | block->classes.missing[w] | others.missing[w]));
    }
}

/* -1: more than `count` bytes could decide; else whether a string of `count` bytes holds the comparison. Code points
 * lie between a quarter of the bytes and all of them. */
static int size_from_bytes(const struct rf_atom *atom, size_t count)
{
    const struct rf_number most = {.kind = RF_NUMBER_INT, .as.i = (int64_t)count};
    const struct rf_number least = {.kind = RF_NUMBER_INT, .as.i = (int64_t)((count + 3) / 4)};
    const enum rf_order to_most = rf_number_compare(most, atom->number);
    const enum rf_order to_least = rf_number_compare(least, atom->number);
    return to_most == to_least ? rf_order_holds(atom->compare, to_most) : -1;
}

/* Bit n: a size of n holds; for the sizes of short texts. */
static uint64_t sizes_that_hold(const struct rf_atom *atom)
{
    uint64_t sizes = 0;
    for (unsigned n = 0; n <= sizeof(uint64_t); n++) {
        const struct rf_number size = {.kind = RF_NUMBER_INT, .as.i = (int64_t)n};
        sizes |= (uint64_t)rf_order_holds(atom->compare, rf_number_compare(size, atom->number)) << n;
    }
    return sizes;
}

static void size_atom(const struct atom_view *view)
{
    const struct rf_eval_block *block = view->block;
    uint64_t rest[RF_EVAL_BLOCK_WORDS];
    block->kernels->short_sizes(view->in.payload, view->in.length, block->classes.string, view->words,
                                sizes_that_hold(view->atom), view->out->truth, rest);
    for (uint32_t w = 0; w < view->words; w++) {
        uint64_t truth = view->out->truth[w];
        for (uint64_t left = rest[w] & block->live[w]; left != 0; left &= left - 1) {
            const uint64_t bit = left & (0 - left);
            const struct rf_str text = view_text(view, w, left);
            const int holds = size_from_bytes(view->atom, text.count);
            if (holds >= 0) {
                truth |= holds != 0 ? bit : 0;
                rest[w] &= ~bit;
            }
        }
        view->out->truth[w] = truth;
        view->out->falsity[w] = block->classes.string[w] & ~(truth | rest[w]);
        rows_decide(view, w, rest[w] | ~(block->classes.string[w] | block->classes.missing[w]));
    }
}

static void arith_atom(const struct atom_view *view)
{
    struct rf_eval_block *block = view->block;
    const struct rf_atom *atom = view->atom;
    uint64_t numbers[RF_EVAL_BLOCK_WORDS];
    uint64_t missing[RF_EVAL_BLOCK_WORDS] = {0};
    uint64_t valid[RF_EVAL_BLOCK_WORDS];
    memset(numbers, 0xff, sizeof(numbers));
    for (uint32_t i = 0; i < atom->code_count; i++) {
        if (atom->code[i].op != RF_ARITH_SLOT) {
            continue;
        }
        const uint8_t *tag = block->columns->slot[atom->code[i].slot].tag + block->row;
        struct rf_eval_classes of;
        uint64_t is_number[RF_EVAL_BLOCK_WORDS];
        block->kernels->classes(tag, view->words, &of);
        block->kernels->tag_equal(tag, view->words, RF_TAG_NUMBER, is_number);
        for (uint32_t w = 0; w < view->words; w++) {
            numbers[w] &= is_number[w];
            missing[w] |= of.missing[w];
        }
    }
    block->kernels->arith(atom, block->columns, block->row, view->words, valid, view->out->truth);
    for (uint32_t w = 0; w < view->words; w++) {
        const uint64_t decided = numbers[w] & valid[w];
        view->out->truth[w] &= decided;
        view->out->falsity[w] = decided & ~view->out->truth[w];
        (*block->plan->host[view->number])[w] = block->live[w] & ~(numbers[w] | missing[w]);
    }
}

static void host_atom(const struct atom_view *view)
{
    for (uint32_t w = 0; w < view->words; w++) {
        view->out->truth[w] = 0;
        view->out->falsity[w] = 0;
        (*view->block->plan->host[view->number])[w] = view->block->live[w];
    }
}

static void atom_run(const struct atom_view *view)
{
    switch (view->atom->kind) {
    case RF_ATOM_TRUTH:
    case RF_ATOM_HAS:
    case RF_ATOM_EQ_NULL:
        tag_atom(view);
        break;
    case RF_ATOM_CMP_BOOL:
        bool_atom(view);
        break;
    case RF_ATOM_CMP_NUM:
        number_finish(view);
        break;
    case RF_ATOM_CMP_STR:
        string_atom(view);
        break;
    case RF_ATOM_CMP_SLOT:
        slots_atom(view);
        break;
    case RF_ATOM_IN:
        set_atom(view);
        break;
    case RF_ATOM_STARTS:
    case RF_ATOM_ENDS:
    case RF_ATOM_CONTAINS:
        part_atom(view);
        break;
    case RF_ATOM_SIZE:
        size_atom(view);
        break;
    case RF_ATOM_ARITH:
        arith_atom(view);
        break;
    case RF_ATOM_HOST:
        host_atom(view);
        break;
    }
}

static bool term_may_ask(const struct rf_eval_block *block, uint32_t term)
{
    return rf_term_is_slot(term) ? block->program->slot[term].root == RF_ROOT_BINDING : (term & RF_TERM_COMPUTED) != 0;
}

/* Rows of a computed column, or of a declared variable, that only the interpreter can tell are neither true nor false
 * yet. */
static void host_rows_ask(const struct atom_view *view, uint32_t term)
{
    if (!term_may_ask(view->block, term)) {
        return;
    }
    uint64_t asks[RF_EVAL_BLOCK_WORDS];
    const struct rf_calc_view in = rf_eval_block_view(view->block, term);
    view->block->kernels->tag_equal(in.tag, view->words, RF_TAG_HOST, asks);
    for (uint32_t w = 0; w < view->words; w++) {
        view->out->truth[w] &= ~asks[w];
        view->out->falsity[w] &= ~asks[w];
        (*view->block->plan->host[view->number])[w] |= asks[w] & view->block->live[w];
    }
}

/* The kernels read whole vectors of cells. */
static struct rf_calc_view constant_spread(const struct rf_eval_block *block, const struct rf_calc_view *constant)
{
    struct rf_calc_column *column = block->plan->spread;
    const struct rf_cell cell = rf_calc_cell(constant, 0);
    for (uint32_t row = 0; row < RF_EVAL_BLOCK_ROWS; row++) {
        column->tag[row] = (uint8_t)cell.tag;
        column->payload[row] = cell.payload;
        column->length[row] = cell.length;
        column->text[row] = cell.text;
    }
    return (struct rf_calc_view){.tag = column->tag,
                                 .payload = column->payload,
                                 .length = column->length,
                                 .text = column->text,
                                 .stride = 1};
}

void rf_eval_step_atoms(struct rf_eval_block *block, const struct rf_eval_step *step)
{
    struct rf_eval_plan *plan = block->plan;
    struct atom_view view = {.block = block, .words = block->words};
    if (step->slot != RF_NONE) {
        view.in = rf_eval_block_view(block, step->slot);
        if (view.in.stride == 0) { /* rare: true && dyn(1) == x */
            view.in = constant_spread(block, &view.in);
        }
        if (step->slot != block->slot) {
            block->slot = step->slot;
            block->kernels->classes(view.in.tag, block->words, &block->classes);
            uint64_t any = 0;
            for (uint32_t w = 0; w < block->words; w++) {
                any |= block->classes.integer[w] | block->classes.natural[w];
            }
            block->has_integers = any != 0;
        }
        if (step->is_number) {
            rf_eval_numbers(block, step, view.in.payload);
        }
        if (step->texts != NULL) {
            rf_eval_texts_run(step->texts, block, &view.in);
            if (!step->is_mixed) {
                return;
            }
        }
        if (step->needles != NULL) {
            rf_eval_needles_run(step->needles, block, &view.in);
        }
        if (step->lists != NULL) {
            rf_eval_lists_run(step->lists, block, view.in.payload);
        }
        if (step->rank != NULL && !block->has_integers && !term_may_ask(block, step->slot)) {
            return;
        }
    }
    for (uint32_t i = step->first + step->taken; i < step->first + step->count; i++) {
        view.number = plan->order[i];
        view.atom = &block->program->atom[view.number];
        view.constant = &plan->constant[view.number];
        view.out = &plan->reg[view.number];
        if (step->lists != NULL) {
            set_others(&view);
            continue;
        }
        if (step->texts != NULL) {
            if (view.atom->kind == RF_ATOM_IN && rf_set_is_mixed(&view.atom->set)) {
                set_rest(&view);
            }
            continue;
        }
        if (plan->host[view.number] != NULL) {
            memset(*plan->host[view.number], 0, sizeof(*plan->host[view.number]));
        }
        atom_run(&view);
        if (step->slot != RF_NONE) {
            host_rows_ask(&view, step->slot);
        }
    }
}

void rf_eval_atoms(struct rf_eval_block *block)
{
    struct rf_eval_plan *plan = block->plan;
    block->slot = RF_NONE;
    for (uint32_t s = 0; s < plan->late; s++) {
        rf_eval_step_atoms(block, &plan->step[s]);
    }
    for (uint32_t s = plan->late; s < plan->steps; s++) {
        const struct rf_eval_step *step = &plan->step[s];
        for (uint32_t i = step->first; i < step->first + step->count; i++) {
            memset(&plan->reg[plan->order[i]], 0, sizeof(plan->reg[0]));
            if (plan->host[plan->order[i]] != NULL) {
                memset(*plan->host[plan->order[i]], 0, sizeof(*plan->host[0]));
            }
        }
    }
}
