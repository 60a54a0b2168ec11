/* Copies of a repeated part. In a search for foo.{0,50}bar each new foo begins a run of copies of its own, and the sets
 * of all copies that may be reached at once would be exponentially many. But from a copy with more of them behind it
 * everything is matched that is matched from one with less, so that only the one with the most needs to be kept. */
#include "regex_program.h"

enum { RANK_MIDDLE = 1 << 20 }; /* above the number of copies of anything */

/* Whether the ways to two targets are the same within their copies. */
static bool targets_alike(const struct rf_program_copy *a, uint32_t a_target, const struct rf_program_copy *b,
                          uint32_t b_target)
{
    const bool is_inside = a_target >= a->begin && a_target < a->end;
    if (is_inside != (b_target >= b->begin && b_target < b->end)) {
        return false;
    }
    if (is_inside) {
        return a_target - a->begin == b_target - b->begin;
    }
    return a_target == b_target || (a_target == a->exit && b_target == b->exit);
}

static bool nodes_alike(const struct rf_program *program, const struct rf_program_copy *a,
                        const struct rf_program_copy *b, uint32_t offset)
{
    const struct rf_regex_node *const left = &program->node[a->begin + offset];
    const struct rf_regex_node *const right = &program->node[b->begin + offset];
    if (left->op != right->op || left->assertion != right->assertion || left->count != right->count) {
        return false;
    }
    switch ((enum rf_regex_op)left->op) {
    case RF_REGEX_RANGES:
        for (uint32_t i = 0; i < left->count; i++) {
            const struct rf_regex_range x = program->range[left->first + i];
            const struct rf_regex_range y = program->range[right->first + i];
            if (x.low != y.low || x.high != y.high || !targets_alike(a, x.next, b, y.next)) {
                return false;
            }
        }
        return true;
    case RF_REGEX_SPLIT:
        return targets_alike(a, left->first, b, right->first) && targets_alike(a, left->second, b, right->second);
    case RF_REGEX_ASSERT:
        return targets_alike(a, left->first, b, right->first);
    case RF_REGEX_MATCH:
        break;
    }
    return false;
}

void rf_program_rank_copies(struct rf_program *program, const struct rf_program_copy *lower,
                            const struct rf_program_copy *higher)
{
    const uint32_t count = lower->end - lower->begin;
    if (higher->end - higher->begin != count) {
        return;
    }
    for (uint32_t offset = 0; offset < count; offset++) {
        if (!nodes_alike(program, lower, higher, offset)) {
            return;
        }
    }
    const bool is_rising = lower->begin < higher->begin;
    for (uint32_t offset = 0; offset < count; offset++) {
        struct rf_program_role *const older = &program->role[(is_rising ? lower : higher)->begin + offset];
        struct rf_program_role *const newer = &program->role[(is_rising ? higher : lower)->begin + offset];
        /* Parts within the copy that are repeated themselves may have roles of their own: ranks of two chains cannot be
         * compared. */
        if (newer->group != 0 || (older->group != 0 && older->chain != lower->chain)) {
            continue;
        }
        if (older->group == 0) {
            *older = (struct rf_program_role){++program->groups, RANK_MIDDLE, lower->chain};
        }
        *newer = (struct rf_program_role){older->group, is_rising ? older->rank + 1 : older->rank - 1, lower->chain};
    }
}
