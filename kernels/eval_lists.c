#include "eval_lists.h"

#include <stdlib.h>

struct rf_eval_lists {
    const uint32_t *list; /* [lists] all atoms */
    uint32_t lists;
    struct rf_eval_set set; /* index: the value */
    uint32_t *begin;        /* [V + 1] */
    uint32_t *atom;
};

struct member {
    uint64_t bits;
    uint32_t atom;
};

uint32_t rf_eval_lists_cost(const struct rf_program *program, const struct rf_atom *atom)
{
    enum { LOOK_UP = 64 };
    if (atom->kind != RF_ATOM_IN || atom->set.numbers == 0 || atom->set.strings != 0 || atom->host != RF_NONE ||
        !rf_term_is_slot(atom->slot) || program->slot[atom->slot].root == RF_ROOT_BINDING) {
        return 0;
    }
    return atom->set.numbers <= RF_EVAL_SMALL_SET ? atom->set.numbers : LOOK_UP;
}

static int member_compare(const void *left, const void *right)
{
    const struct member *a = left;
    const struct member *b = right;
    if (a->bits != b->bits) {
        return a->bits < b->bits ? -1 : 1;
    }
    return a->atom < b->atom ? -1 : a->atom > b->atom;
}

/* member[members] in the order of their values. */
static enum rf_status table_make(struct rf_eval_lists *lists, const struct member *member, uint32_t members,
                                 struct rf_arena *arena, struct rf_error *err)
{
    uint64_t *value = RF_PUSH(arena, uint64_t, members);
    lists->begin = RF_PUSH(arena, uint32_t, (size_t)members + 1);
    lists->atom = RF_PUSH(arena, uint32_t, members);
    if (value == NULL || lists->begin == NULL || lists->atom == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for lists of %u members", members);
    }
    uint32_t values = 0;
    for (uint32_t i = 0; i < members; i++) {
        if (i == 0 || member[i].bits != member[i - 1].bits) {
            value[values] = member[i].bits;
            lists->begin[values++] = i;
        }
        lists->atom[i] = member[i].atom;
    }
    lists->begin[values] = members;
    return rf_eval_set_make(&lists->set, value, values, arena, err);
}

enum rf_status rf_eval_lists_make(struct rf_eval_lists **out, const struct rf_eval_constant *constant, const uint32_t *atom,
                                  uint32_t count, struct rf_arena *arena, struct rf_error *err)
{
    uint64_t members = 0;
    for (uint32_t i = 0; i < count; i++) {
        members += constant[atom[i]].doubles;
    }
    struct rf_eval_lists *lists = RF_PUSH(arena, struct rf_eval_lists, 1);
    struct member *member = members < UINT32_MAX ? malloc((members + 1) * sizeof *member) : NULL;
    if (lists == NULL || member == NULL) {
        free(member);
        RF_FAIL(err, RF_E_MEMORY, "no memory for %u lists", count);
    }
    uint32_t used = 0;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < constant[atom[i]].doubles; k++) {
            member[used++] = (struct member){constant[atom[i]].double_of[k], atom[i]};
        }
    }
    if (used != 0) {
        qsort(member, used, sizeof *member, member_compare);
    }
    *lists = (struct rf_eval_lists){.list = atom, .lists = count};
    const enum rf_status status = table_make(lists, member, used, arena, err);
    free(member);
    *out = lists;
    return status;
}

void rf_eval_lists_run(const struct rf_eval_lists *lists, const struct rf_eval_block *block, const uint64_t *payload)
{
    struct rf_eval_register *reg = block->plan->reg;
    for (uint32_t i = 0; i < lists->lists; i++) {
        memset(reg[lists->list[i]].truth, 0, sizeof reg->truth);
    }
    for (uint32_t w = 0; w < block->words; w++) {
        for (uint64_t left = block->classes.number[w] & block->live[w]; left != 0; left &= left - 1) {
            const uint64_t bits = payload[64 * w + (uint32_t)__builtin_ctzll(left)];
            const uint32_t value = rf_eval_set_find(&lists->set, bits == 1ull << 63 ? 0 : bits)->index;
            if (value == RF_NONE) {
                continue;
            }
            for (uint32_t i = lists->begin[value]; i < lists->begin[value + 1]; i++) {
                reg[lists->atom[i]].truth[w] |= left & (0 - left);
            }
        }
    }
}
