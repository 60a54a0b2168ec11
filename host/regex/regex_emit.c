/* The tree to nodes: each part is told the node it leads to, and gives the one it begins with.
 *
 * Loose classes. A class that has all code points beyond ASCII (a dot, [^"], \S) would cost seven nodes and the states
 * for all beginnings of code points. Texts are well-formed, so it may be simpler:
 *     one of the class = (a byte of ASCII in the class | any byte of 0xC0..0xFF), then any number of 0x80..0xBF
 * This may also be left inside a code point. But what comes next begins with no byte of 0x80..0xBF, so that only this
 * class itself can go on there; a match that is found there is found at the end of the code point as well; and of the
 * assertions only \B holds between two bytes of a code point. For the same reasons any number of the class may be any
 * number of its bytes in any order. With \B or \C in the pattern classes are exact instead. */
#include "regex_program.h"

enum {
    ASCII_LAST = 0x7F,
    CONTINUATION_FIRST = 0x80,
    CONTINUATION_LAST = 0xBF,
    LEAD_FIRST = 0xC0,
    BYTE_LAST = 0xFF,
    BYTE_VALUES = 256
};

static uint32_t emit_tree(struct rf_program *program, const struct rf_tree *tree, uint32_t next);

static bool class_is_loose(const struct rf_program *program, const struct rf_tree *tree)
{
    return program->is_loose && tree->kind == RF_TREE_CLASS &&
           rf_code_set_covers(tree->range, tree->count, ASCII_LAST + 1, RF_SURROGATE_FIRST - 1) &&
           rf_code_set_covers(tree->range, tree->count, RF_SURROGATE_LAST + 1, RF_CODE_MAX);
}

/* The ASCII part of a class, and all bytes from `beyond` on. */
static uint32_t emit_loose_bytes(struct rf_program *program, const struct rf_tree *tree, uint8_t beyond, uint32_t next)
{
    struct rf_regex_range byte[BYTE_VALUES];
    uint32_t count = 0;
    if (next == RF_PROGRAM_NONE) {
        return RF_PROGRAM_NONE;
    }
    for (uint32_t i = 0; i < tree->count && tree->range[i].low <= ASCII_LAST; i++) {
        const uint32_t high = tree->range[i].high < ASCII_LAST ? tree->range[i].high : ASCII_LAST;
        byte[count++] = (struct rf_regex_range){(uint8_t)tree->range[i].low, (uint8_t)high, (uint16_t)next};
    }
    byte[count++] = (struct rf_regex_range){beyond, BYTE_LAST, (uint16_t)next};
    return rf_program_ranges(program, byte, count);
}

static uint32_t emit_class(struct rf_program *program, const struct rf_tree *tree, uint32_t next)
{
    if (!class_is_loose(program, tree)) {
        return rf_program_class(program, tree->range, tree->count, next);
    }
    const uint32_t loop = rf_program_loop(program, next);
    struct rf_regex_range rest = {CONTINUATION_FIRST, CONTINUATION_LAST, (uint16_t)loop};
    const uint32_t body = loop == RF_PROGRAM_NONE ? RF_PROGRAM_NONE : rf_program_ranges(program, &rest, 1);
    return emit_loose_bytes(program, tree, LEAD_FIRST, rf_program_loop_body(program, loop, body));
}

static uint32_t emit_code(struct rf_program *program, uint32_t code, uint32_t next)
{
    const struct rf_code_range range = {code, code};
    return rf_program_class(program, &range, 1, next);
}

static uint32_t emit_byte(struct rf_program *program, uint32_t next)
{
    struct rf_regex_range any = {0, BYTE_LAST, (uint16_t)next};
    return next == RF_PROGRAM_NONE ? RF_PROGRAM_NONE : rf_program_ranges(program, &any, 1);
}

/* A copy of a repeated part in front of `next`. *last is the copy of the chain that was made before, or only the number
 * of the chain. */
static uint32_t emit_copy(struct rf_program *program, const struct rf_tree *item, uint32_t next, bool is_rising,
                          struct rf_program_copy *last)
{
    struct rf_program_copy copy = {.begin = program->nodes, .exit = next, .chain = last->chain};
    const uint32_t at = emit_tree(program, item, next);
    copy.end = program->nodes;
    /* Without new nodes it is the last copy itself. */
    if (at != RF_PROGRAM_NONE && copy.end != copy.begin) {
        if (last->end != 0) {
            rf_program_rank_copies(program, is_rising ? last : &copy, is_rising ? &copy : last);
        }
        *last = copy;
    }
    return at;
}

/* Any number of a tree. */
static uint32_t emit_loop(struct rf_program *program, const struct rf_tree *tree, uint32_t next,
                          struct rf_program_copy *last)
{
    const uint32_t loop = rf_program_loop(program, next);
    if (class_is_loose(program, tree)) {
        return rf_program_loop_body(program, loop, emit_loose_bytes(program, tree, CONTINUATION_FIRST, loop));
    }
    return rf_program_loop_body(program, loop, emit_copy(program, tree, loop, false, last));
}

static uint32_t emit_repeat(struct rf_program *program, const struct rf_tree *tree, uint32_t next)
{
    const struct rf_tree *const item = tree->child[0];
    const bool is_last = rf_program_is_match(program, next);
    const bool is_endless = tree->max == RF_TREE_ENDLESS;
    struct rf_program_copy rising = {.chain = ++program->chains};
    struct rf_program_copy falling = {.chain = ++program->chains};
    uint32_t at = next;
    if (is_endless && !is_last) {
        at = emit_loop(program, item, next, &falling);
    }
    /* x{0,2} is (x(x)?)?: each may leave for what follows. From one with more of them behind it more is matched. Behind
     * the last one is the match: there it is there without any of them. */
    for (int32_t i = tree->min; i < tree->max && at != RF_PROGRAM_NONE && !is_last; i++) {
        at = rf_program_split(program, emit_copy(program, item, at, true, &rising), next);
    }
    /* Of the copies that must be there, the ones nearer to the end match more, if any number of further ones may follow
     * or anything at all. */
    for (int32_t i = 0; i < tree->min && at != RF_PROGRAM_NONE; i++) {
        at = is_endless || is_last ? emit_copy(program, item, at, false, &falling) : emit_tree(program, item, at);
    }
    return at;
}

struct joined { /* alternatives whose first bytes differ, as one node */
    struct rf_regex_range range[BYTE_VALUES];
    uint32_t count;
    uint64_t taken[BYTE_VALUES / 64];
};

/* Takes the ranges of a node in, in ascending order, unless one of them is taken. */
static bool joined_add(struct joined *joined, const struct rf_program *program, uint32_t at)
{
    const struct rf_regex_node node = program->node[at];
    if (node.op != RF_REGEX_RANGES) {
        return false;
    }
    const struct rf_regex_range *const range = program->range + node.first;
    for (uint32_t i = 0; i < node.count; i++) {
        for (uint32_t byte = range[i].low; byte <= range[i].high; byte++) {
            if ((joined->taken[byte / 64] >> byte % 64 & 1) != 0) {
                return false;
            }
        }
    }
    for (uint32_t i = 0; i < node.count; i++) {
        for (uint32_t byte = range[i].low; byte <= range[i].high; byte++) {
            joined->taken[byte / 64] |= UINT64_C(1) << byte % 64;
        }
        uint32_t place = joined->count++;
        for (; place > 0 && joined->range[place - 1].low > range[i].low; place--) {
            joined->range[place] = joined->range[place - 1];
        }
        joined->range[place] = range[i];
    }
    return true;
}

/* Not part of emit_alternate, whose frames are on the stack as often as alternatives are nested. */
static __attribute__((noinline)) uint32_t join_heads(struct rf_program *program, const uint32_t *head, uint32_t count)
{
    struct joined joined;
    uint32_t rest = RF_PROGRAM_NONE;
    memset(&joined, 0, sizeof joined);
    for (uint32_t i = count; i-- > 0;) {
        if (!joined_add(&joined, program, head[i])) {
            rest = rest == RF_PROGRAM_NONE ? head[i] : rf_program_split(program, head[i], rest);
            if (rest == RF_PROGRAM_NONE) {
                return RF_PROGRAM_NONE;
            }
        }
    }
    const uint32_t node = rf_program_ranges(program, joined.range, joined.count);
    return rest == RF_PROGRAM_NONE ? node : rf_program_split(program, node, rest);
}

static uint32_t emit_alternate(struct rf_program *program, const struct rf_tree *tree, uint32_t next)
{
    uint32_t *const head = RF_PUSH(program->arena, uint32_t, tree->count);
    if (head == NULL) {
        return RF_PROGRAM_NONE;
    }
    for (uint32_t i = 0; i < tree->count; i++) {
        head[i] = emit_tree(program, tree->child[i], next);
        if (head[i] == RF_PROGRAM_NONE) {
            return RF_PROGRAM_NONE;
        }
    }
    return join_heads(program, head, tree->count);
}

/* The recursion is bounded by RF_TREE_DEPTH_MAX. */
static uint32_t emit_tree(struct rf_program *program, const struct rf_tree *tree, uint32_t next)
{
    if (next == RF_PROGRAM_NONE) {
        return RF_PROGRAM_NONE;
    }
    switch ((enum rf_tree_kind)tree->kind) {
    case RF_TREE_EMPTY:
        return next;
    case RF_TREE_CODE:
        return emit_code(program, tree->code, next);
    case RF_TREE_CLASS:
        return emit_class(program, tree, next);
    case RF_TREE_BYTE:
        return emit_byte(program, next);
    case RF_TREE_ASSERT:
        return rf_program_assert(program, (enum rf_regex_assert)tree->assertion, next);
    case RF_TREE_CONCAT:
        for (uint32_t i = tree->count; i-- > 0;) {
            next = emit_tree(program, tree->child[i], next);
        }
        return next;
    case RF_TREE_ALTERNATE:
        return emit_alternate(program, tree, next);
    case RF_TREE_REPEAT:
        return emit_repeat(program, tree, next);
    }
    return RF_PROGRAM_NONE;
}

bool rf_program_emit(struct rf_program *program, const struct rf_tree *tree, const struct rf_tree_maker *maker)
{
    program->is_loose = !maker->has_byte && (maker->asserts & RF_ASSERT_WORD_INSIDE) == 0;
    program->first = emit_tree(program, tree, rf_program_match(program));
    return program->first != RF_PROGRAM_NONE;
}
