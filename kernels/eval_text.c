#include "eval_text.h"

#include <stdlib.h>

#include "eval_rank.h"

struct text_node {
    struct rf_str text;
    uint32_t run; /* the first constant with the same first 8 bytes */
    uint32_t
        parent; /* the longest constant that begins this one, is not it, and is asked for by a startsWith; or RF_NONE */
    uint32_t first, starts,
        end; /* of atom[]: first .. starts hold where texts are equal, starts .. end where this begins them */
};

struct rf_eval_texts {
    enum rf_eval_texts_kind kind;
    const uint32_t *tested; /* [tests] all atoms */
    uint32_t tests;
    struct rf_eval_code_test *test; /* [tests] of ORDER */
    uint64_t *head;                 /* [nodes] */
    uint64_t *tail;                 /* [nodes] the 8 bytes behind them, or as many as there are, zero-padded */
    struct text_node *node;
    uint32_t nodes;
    uint32_t *atom;
};

/* A constant of an atom. */
struct member {
    struct rf_str text;
    uint32_t atom;
    bool is_start;
};

enum rf_eval_texts_kind rf_eval_texts_kind(const struct rf_atom *atom)
{
    const struct rf_set *set = &atom->set;
    switch (atom->kind) {
    case RF_ATOM_CMP_STR:
        return atom->compare == RF_EQ ? RF_EVAL_TEXTS_PARTS : RF_EVAL_TEXTS_ORDER;
    case RF_ATOM_STARTS:
        return RF_EVAL_TEXTS_PARTS;
    case RF_ATOM_IN:
        return set->strings <= RF_EVAL_TEXTS_SET_MAX && (set->strings != 0 || !rf_set_is_mixed(set)) ? RF_EVAL_TEXTS_PARTS
                                                                                                     : RF_EVAL_TEXTS_NONE;
    default:
        return RF_EVAL_TEXTS_NONE;
    }
}

/* Texts over 8 bytes may have to be compared where their heads agree: with accounts "ACCOUNT-000123" that is each of them. */
static uint32_t text_cost(struct rf_str text)
{
    return text.count > 8 ? 4 : 1;
}

uint32_t rf_eval_texts_cost(const struct rf_atom *atom)
{
    enum { LIST_COST = 64, ORDER_COST = 5 }; /* a look-up for each row; two comparisons, and texts where heads agree */
    if (rf_eval_texts_kind(atom) == RF_EVAL_TEXTS_ORDER) {
        return ORDER_COST;
    }
    if (atom->kind != RF_ATOM_IN) {
        return text_cost(atom->string);
    }
    uint32_t cost = 0;
    for (uint32_t i = 0; i < atom->set.strings && i < RF_EVAL_SMALL_SET; i++) {
        cost += text_cost(atom->set.string[i]);
    }
    return atom->set.strings > RF_EVAL_SMALL_SET ? LIST_COST : cost;
}

static int member_compare(const void *left, const void *right)
{
    const struct member *a = left;
    const struct member *b = right;
    const int order = rf_str_compare(a->text, b->text);
    if (order != 0) {
        return order;
    }
    return a->is_start != b->is_start ? (int)a->is_start - (int)b->is_start : (a->atom > b->atom) - (a->atom < b->atom);
}

static bool is_start_of(const struct text_node *node, struct rf_str text)
{
    return rf_str_starts(text, node->text);
}

static uint64_t text_tail(struct rf_str text)
{
    enum { HEAD_BYTES = 8 };
    return text.count <= HEAD_BYTES ? 0
                                    : rf_str_prefix((struct rf_str){text.data + HEAD_BYTES, text.count - HEAD_BYTES});
}

/* How many of the ascending keys are less than the key or, with has_equal, not greater. Without a branch on any. */
static inline uint32_t keys_below(const uint64_t *key_of, uint32_t keys, uint64_t key, bool has_equal)
{
    uint32_t place = 0;
    for (; keys > 1;) {
        const uint32_t half = keys / 2;
        const uint64_t other = key_of[place + half - 1];
        place += (other < key) | (has_equal & (other == key)) ? half : 0;
        keys -= half;
    }
    return place + (keys != 0 && ((key_of[place] < key) | (has_equal & (key_of[place] == key))));
}

/* members are in order. */
static void nodes_fill(struct rf_eval_texts *texts, const struct member *member, uint32_t members)
{
    for (uint32_t m = 0; m < members; m++) {
        const bool is_new = m == 0 || !rf_str_equal(member[m - 1].text, member[m].text);
        texts->atom[m] = member[m].atom;
        if (is_new) {
            const uint32_t n = texts->nodes++;
            struct text_node *node = &texts->node[n];
            texts->head[n] = rf_str_prefix(member[m].text);
            texts->tail[n] = text_tail(member[m].text);
            *node = (struct text_node){.text = member[m].text, .parent = RF_NONE, .first = m, .starts = m};
            node->run = n != 0 && texts->head[n - 1] == texts->head[n] ? texts->node[n - 1].run : n;
            if (n != 0) {
                /* What begins this one begins the one before too, or is it: each is left behind once. */
                const struct text_node *before = node - 1;
                node->parent = before->starts != before->end ? n - 1 : before->parent;
                while (node->parent != RF_NONE && !is_start_of(&texts->node[node->parent], node->text)) {
                    node->parent = texts->node[node->parent].parent;
                }
            }
        }
        struct text_node *node = &texts->node[texts->nodes - 1];
        node->starts += !member[m].is_start;
        node->end = m + 1;
    }
}

/* The last constant that is not greater than the text; RF_NONE: there is none. */
static inline uint32_t node_before(const struct rf_eval_texts *texts, uint64_t head, const struct rf_calc_view *in,
                                   uint32_t row)
{
    uint32_t place = keys_below(texts->head, texts->nodes, head, true);
    if (place == 0 || texts->head[place - 1] != head) {
        return place - 1; /* RF_NONE where it is 0 */
    }
    const uint32_t run = texts->node[place - 1].run;
    const uint32_t length = in->length[row];
    if (run + 1 == place && length <= sizeof head && texts->node[run].text.count <= sizeof head) {
        return texts->node[run].text.count <= length ? run : run - 1;
    }
    const struct rf_cell cell = rf_calc_cell(in, row);
    const struct rf_str text = rf_cell_text(&cell);
    /* Constants before low are less, those from place on greater; only where the tails are equal too texts are compared. */
    const uint64_t tail = text_tail(text);
    place = run + keys_below(texts->tail + run, place - run, tail, true);
    uint32_t low = place;
    if (place != run && texts->tail[place - 1] == tail) {
        low = run + keys_below(texts->tail + run, place - run, tail, false);
    }
    while (low < place) {
        const uint32_t middle = low + (place - low) / 2;
        if (rf_str_compare(texts->node[middle].text, text) <= 0) {
            low = middle + 1;
        } else {
            place = middle;
        }
    }
    return low - 1;
}

/* Is the constant, which is not greater, the beginning of the row's text? */
static inline bool node_begins(const struct text_node *node, uint64_t node_head, uint64_t head,
                               const struct rf_calc_view *in, uint32_t row)
{
    const size_t count = node->text.count;
    if (count > in->length[row]) {
        return false;
    }
    if (count <= sizeof head) {
        return count == 0 || ((node_head ^ head) >> (64 - 8 * count)) == 0;
    }
    const struct rf_cell cell = rf_calc_cell(in, row);
    return node_head == head &&
           memcmp(cell.text + sizeof head, node->text.data + sizeof head, count - sizeof head) == 0;
}

enum rf_status rf_eval_texts_make(struct rf_eval_texts **out, enum rf_eval_texts_kind kind,
                                  const struct rf_program *program, const uint32_t *atom, uint32_t count,
                                  struct rf_arena *arena, struct rf_error *err)
{
    size_t room = 1;
    for (uint32_t i = 0; i < count; i++) {
        room += program->atom[atom[i]].kind == RF_ATOM_IN ? program->atom[atom[i]].set.strings : 1;
    }
    struct rf_eval_texts *texts = RF_PUSH(arena, struct rf_eval_texts, 1);
    struct member *member = room < RF_NONE ? malloc(room * sizeof *member) : NULL;
    uint64_t *head = RF_PUSH(arena, uint64_t, room);
    uint64_t *tail = RF_PUSH(arena, uint64_t, room);
    struct text_node *node = RF_PUSH(arena, struct text_node, room);
    uint32_t *list = RF_PUSH(arena, uint32_t, room);
    struct rf_eval_code_test *test = RF_PUSH(arena, struct rf_eval_code_test, count);
    if (texts == NULL || member == NULL || head == NULL || tail == NULL || node == NULL || list == NULL ||
        test == NULL) {
        free(member);
        RF_FAIL(err, RF_E_MEMORY, "no memory to order %zu texts", room);
    }
    uint32_t members = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct rf_atom *of = &program->atom[atom[i]];
        if (of->kind != RF_ATOM_IN) {
            member[members++] = (struct member){of->string, atom[i], of->kind == RF_ATOM_STARTS};
        }
        for (uint32_t k = 0; of->kind == RF_ATOM_IN && k < of->set.strings; k++) {
            member[members++] = (struct member){of->set.string[k], atom[i], false};
        }
    }
    qsort(member, members, sizeof *member, member_compare);
    *texts = (struct rf_eval_texts){.kind = kind,
                                    .tested = atom,
                                    .tests = count,
                                    .test = test,
                                    .head = head,
                                    .tail = tail,
                                    .node = node,
                                    .atom = list};
    nodes_fill(texts, member, members);
    free(member);
    if (kind == RF_EVAL_TEXTS_ORDER) {
        for (uint32_t n = 0; n < texts->nodes; n++) {
            for (uint32_t m = node[n].first; m < node[n].end; m++) {
                /* Tests stand in the order of the constants from here on: the list is that of the atoms tested. */
                test[m] = rf_eval_code_test_make(program->atom[list[m]].compare, n);
            }
        }
        texts->tested = list;
    }
    *out = texts;
    return RF_OK;
}

static void orders_run(const struct rf_eval_texts *texts, const struct rf_eval_block *block,
                       const struct rf_calc_view *in)
{
    const uint64_t *string = block->classes.string;
    uint16_t code[RF_EVAL_BLOCK_ROWS] = {0};
    for (uint32_t w = 0; w < block->words; w++) {
        for (uint64_t left = string[w] & block->live[w]; left != 0; left &= left - 1) {
            const uint32_t row = 64 * w + (uint32_t)__builtin_ctzll(left);
            const uint64_t head = in->payload[row];
            const uint32_t n = node_before(texts, head, in, row);
            if (n == RF_NONE) {
                continue;
            }
            const struct text_node *node = &texts->node[n];
            const bool is_equal =
                node->text.count == in->length[row] && node_begins(node, texts->head[n], head, in, row);
            code[row] = (uint16_t)(is_equal ? 2 * n + 1 : 2 * n + 2);
        }
    }
    for (uint32_t i = 0; i < texts->tests; i++) {
        block->kernels->compare_codes(code, string, string, block->words, texts->test[i],
                                      &block->plan->reg[texts->tested[i]]);
    }
}

static void row_mark(const struct rf_eval_texts *texts, struct rf_eval_register *reg, const struct rf_calc_view *in,
                     uint32_t row)
{
    const uint64_t head = in->payload[row];
    const uint64_t bit = 1ull << row % 64;
    uint32_t n = node_before(texts, head, in, row);
    if (n != RF_NONE && texts->node[n].text.count == in->length[row] &&
        node_begins(&texts->node[n], texts->head[n], head, in, row)) {
        for (uint32_t m = texts->node[n].first; m < texts->node[n].starts; m++) {
            reg[texts->atom[m]].truth[row / 64] |= bit;
        }
    }
    while (n != RF_NONE && !node_begins(&texts->node[n], texts->head[n], head, in, row)) {
        n = texts->node[n].parent;
    }
    for (; n != RF_NONE; n = texts->node[n].parent) {
        for (uint32_t m = texts->node[n].starts; m < texts->node[n].end; m++) {
            reg[texts->atom[m]].truth[row / 64] |= bit;
        }
    }
}

static void parts_run(const struct rf_eval_texts *texts, const struct rf_eval_block *block,
                      const struct rf_calc_view *in)
{
    const struct rf_eval_classes *classes = &block->classes;
    struct rf_eval_register *reg = block->plan->reg;
    for (uint32_t i = 0; i < texts->tests; i++) {
        memset(reg[texts->tested[i]].truth, 0, sizeof reg->truth);
    }
    for (uint32_t w = 0; w < block->words; w++) {
        for (uint64_t left = classes->string[w] & block->live[w]; left != 0; left &= left - 1) {
            row_mark(texts, reg, in, 64 * w + (uint32_t)__builtin_ctzll(left));
        }
    }
    uint64_t present[RF_EVAL_BLOCK_WORDS] = {0}; /* what can be unequal to a text */
    for (uint32_t w = 0; w < block->words; w++) {
        present[w] = ~classes->missing[w];
    }
    for (uint32_t i = 0; i < texts->tests; i++) {
        struct rf_eval_register *out = &reg[texts->tested[i]];
        const bool is_start = block->program->atom[texts->tested[i]].kind == RF_ATOM_STARTS;
        const uint64_t *domain = is_start ? classes->string : present;
        for (uint32_t w = 0; w < block->words; w++) {
            out->falsity[w] = domain[w] & ~out->truth[w];
        }
    }
}

void rf_eval_texts_run(const struct rf_eval_texts *texts, const struct rf_eval_block *block,
                       const struct rf_calc_view *in)
{
    if (texts->kind == RF_EVAL_TEXTS_ORDER) {
        orders_run(texts, block, in);
    } else {
        parts_run(texts, block, in);
    }
}
