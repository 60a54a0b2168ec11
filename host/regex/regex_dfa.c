/* States as sets of nodes.
 *
 * Assertions. Those that look behind (^ and \A) are decided when a node is reached, because the byte before is known
 * then. Those that look ahead stay in the set and are decided with the next byte, or with the end of the text; for \b
 * the state remembers what the byte before was. So a state is its nodes that wait for a byte or for an assertion,
 * and that memory, which is dropped when nobody asks for it. */
#include "regex_dfa.h"
#include "regex_side.h"

enum {
    BYTE_VALUES = 256,
    WORD_BITS = 64,
    POOL_MIN = 1024,
    STATES_MIN = 64,
    CELLS_MIN = 256,
    HITS_MIN = 256,
    POOL_MAX = 1 << 22 /* nodes in all sets */
};

struct state {
    uint32_t begin; /* in the pool */
    uint32_t count;
    uint32_t before; /* enum rf_regex_side */
};

struct builder {
    const struct rf_program *program;
    struct rf_arena *arena;
    struct rf_dfa *dfa;
    uint32_t states_max, states_capacity;
    uint32_t work;
    bool is_restarting; /* whether a search may begin behind the first byte at all */

    uint8_t side_of[BYTE_VALUES]; /* interval -> enum rf_regex_side */

    struct state *state;
    uint16_t *pool;
    uint32_t pool_used, pool_capacity;
    uint32_t *cell; /* states by what they are; 0 is free, for the match is never looked up */
    uint32_t cells;

    uint64_t *seen, *member; /* bitmaps of nodes */
    uint16_t *stack;
    uint32_t *highest; /* group -> rank; zero between uses */
    uint16_t *set;     /* the result of a closure, ascending */
    uint32_t set_count;

    /* Of the state in work: its nodes once the next byte's side is known, and what each interval leads to. */
    uint16_t *held_buffer[RF_SIDES];
    const uint16_t *held[RF_SIDES];
    uint32_t held_count[RF_SIDES];
    bool is_match[RF_SIDES];
    uint16_t *hit;
    uint32_t hit_capacity;
    uint32_t hit_begin[BYTE_VALUES], hit_end[BYTE_VALUES];
};

static void intervals_make(struct builder *builder)
{
    const struct rf_program *const program = builder->program;
    bool begins[BYTE_VALUES + 1] = {true};
    for (uint32_t i = 0; i < program->ranges; i++) {
        begins[program->range[i].low] = true;
        begins[program->range[i].high + 1] = true;
    }
    const bool has_words = (program->asserts & (RF_ASSERT_WORD_EDGE | RF_ASSERT_WORD_INSIDE)) != 0;
    const bool has_lines = (program->asserts & (RF_ASSERT_LINE_BEGIN | RF_ASSERT_LINE_END)) != 0;
    uint32_t intervals = 0;
    enum rf_regex_side last = RF_SIDE_UNKNOWN;
    for (uint32_t byte = 0; byte < BYTE_VALUES; byte++) {
        enum rf_regex_side side = rf_regex_side_of((unsigned char)byte);
        if ((side == RF_SIDE_WORD && !has_words) || (side == RF_SIDE_NEWLINE && !has_lines)) {
            side = RF_SIDE_OTHER;
        }
        if (begins[byte] || side != last) {
            builder->side_of[intervals] = (uint8_t)side;
            intervals++;
        }
        last = side;
        builder->dfa->interval_of[byte] = (uint8_t)(intervals - 1);
    }
    builder->dfa->intervals = intervals;
}

static uint32_t stack_push(struct builder *builder, uint32_t depth, uint32_t at)
{
    const uint64_t bit = UINT64_C(1) << at % WORD_BITS;
    if ((builder->seen[at / WORD_BITS] & bit) == 0) {
        builder->seen[at / WORD_BITS] |= bit;
        builder->stack[depth++] = (uint16_t)at;
    }
    return depth;
}

/* Of nodes that stand for each other, only the highest stay in builder->set. */
static void set_prune(struct builder *builder)
{
    const struct rf_program_role *const role = builder->program->role;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < builder->set_count; i++) {
        const struct rf_program_role own = role[builder->set[i]];
        if (own.rank > builder->highest[own.group]) {
            builder->highest[own.group] = own.rank;
        }
    }
    for (uint32_t i = 0; i < builder->set_count; i++) {
        const struct rf_program_role own = role[builder->set[i]];
        if (own.group == 0 || own.rank == builder->highest[own.group]) {
            builder->set[kept++] = builder->set[i];
        }
    }
    builder->set_count = kept;
    for (uint32_t i = 0; i < kept; i++) {
        builder->highest[role[builder->set[i]].group] = 0;
    }
}

/* From what is on the stack to builder->set: all nodes that are reached without a byte and wait for something. Gives
 * whether the match is among those reached. */
static bool stack_close(struct builder *builder, uint32_t depth, enum rf_regex_side before, enum rf_regex_side ahead)
{
    const struct rf_program *const program = builder->program;
    const uint32_t words = (program->nodes + WORD_BITS - 1) / WORD_BITS;
    uint32_t low = words;
    uint32_t high = 0;
    bool is_match = false;
    while (depth != 0) {
        const uint32_t at = builder->stack[--depth];
        const struct rf_regex_node node = program->node[at];
        bool is_waiting = false;
        builder->work++;
        low = at / WORD_BITS < low ? at / WORD_BITS : low;
        high = at / WORD_BITS > high ? at / WORD_BITS : high;
        switch ((enum rf_regex_op)node.op) {
        case RF_REGEX_RANGES:
            is_waiting = node.count != 0;
            break;
        case RF_REGEX_SPLIT:
            depth = stack_push(builder, depth, node.first);
            depth = stack_push(builder, depth, node.second);
            break;
        case RF_REGEX_ASSERT: {
            const int holds = rf_regex_assert_holds((enum rf_regex_assert)node.assertion, before, ahead);
            is_waiting = holds < 0;
            if (holds > 0) {
                depth = stack_push(builder, depth, node.first);
            }
            break;
        }
        case RF_REGEX_MATCH:
            is_match = true;
            break;
        }
        if (is_waiting) {
            builder->member[at / WORD_BITS] |= UINT64_C(1) << at % WORD_BITS;
        }
    }
    builder->set_count = 0;
    for (uint32_t word = low; word <= high && word < words; word++) {
        for (uint64_t bits = builder->member[word]; bits != 0; bits &= bits - 1) {
            builder->set[builder->set_count++] = (uint16_t)(word * WORD_BITS + (uint32_t)__builtin_ctzll(bits));
        }
        builder->member[word] = 0;
        builder->seen[word] = 0;
        builder->work++;
    }
    if (builder->program->groups != 0) {
        set_prune(builder);
    }
    return is_match;
}

static bool pool_grow(struct builder *builder, uint32_t more)
{
    if (builder->pool_used + more > POOL_MAX) {
        return false;
    }
    if (builder->pool_used + more <= builder->pool_capacity) {
        return true;
    }
    uint32_t capacity = builder->pool_capacity == 0 ? POOL_MIN : builder->pool_capacity * 2;
    while (capacity < builder->pool_used + more) {
        capacity *= 2;
    }
    uint16_t *const pool = RF_PUSH(builder->arena, uint16_t, capacity);
    if (pool == NULL) {
        return false;
    }
    if (builder->pool_used != 0) {
        memcpy(pool, builder->pool, builder->pool_used * sizeof *pool);
    }
    builder->pool = pool;
    builder->pool_capacity = capacity;
    return true;
}

static uint32_t set_hash(const uint16_t *set, uint32_t count, uint32_t before)
{
    uint32_t hash = before + 1;
    for (uint32_t i = 0; i < count; i++) {
        hash = (hash ^ set[i]) * 0x9E3779B1u;
        hash ^= hash >> 15;
    }
    return hash;
}

static uint32_t *cell_find(struct builder *builder, const uint16_t *set, uint32_t count, uint32_t before)
{
    uint32_t at = set_hash(set, count, before) & (builder->cells - 1);
    builder->work += count;
    for (; builder->cell[at] != 0; at = (at + 1) & (builder->cells - 1)) {
        const struct state *const state = &builder->state[builder->cell[at]];
        if (state->count == count && state->before == before &&
            (count == 0 || memcmp(builder->pool + state->begin, set, count * sizeof *set) == 0)) {
            break;
        }
    }
    return &builder->cell[at];
}

static bool states_grow(struct builder *builder)
{
    const uint32_t states = builder->dfa->states;
    const uint32_t capacity = builder->states_capacity == 0 ? STATES_MIN : builder->states_capacity * 2;
    const uint32_t cells = builder->cells == 0 ? CELLS_MIN : builder->cells * 2;
    struct state *const state = RF_PUSH(builder->arena, struct state, capacity);
    uint16_t *const next = RF_PUSH(builder->arena, uint16_t, (size_t)capacity * builder->dfa->intervals);
    uint8_t *const accepts = RF_PUSH(builder->arena, uint8_t, capacity);
    uint32_t *const cell = RF_PUSH(builder->arena, uint32_t, cells);
    if (state == NULL || next == NULL || accepts == NULL || cell == NULL) {
        return false;
    }
    if (states != 0) {
        memcpy(state, builder->state, states * sizeof *state);
        memcpy(next, builder->dfa->next, (size_t)states * builder->dfa->intervals * sizeof *next);
        memcpy(accepts, builder->dfa->accepts, states);
    }
    builder->state = state;
    builder->states_capacity = capacity;
    builder->dfa->next = next;
    builder->dfa->accepts = accepts;
    builder->cell = cell;
    builder->cells = cells;
    for (uint32_t i = 1; i < states; i++) {
        *cell_find(builder, builder->pool + state[i].begin, state[i].count, state[i].before) = i;
    }
    return true;
}

/* The state of builder->set, a new one when there is none; UINT32_MAX for a bound. */
static uint32_t state_of_set(struct builder *builder, enum rf_regex_side before)
{
    bool is_remembered = false;
    for (uint32_t i = 0; i < builder->set_count && !is_remembered; i++) {
        is_remembered = builder->program->node[builder->set[i]].op == RF_REGEX_ASSERT;
    }
    const uint32_t memory = is_remembered ? before : RF_SIDE_OTHER;
    const uint32_t known = *cell_find(builder, builder->set, builder->set_count, memory);
    if (known != 0) {
        return known;
    }
    const uint32_t at = builder->dfa->states;
    if (at == builder->states_max || (at + 1) * builder->dfa->intervals > RF_REGEX_CELLS_MAX ||
        !pool_grow(builder, builder->set_count) || (at == builder->states_capacity && !states_grow(builder))) {
        return UINT32_MAX;
    }
    builder->state[at] = (struct state){builder->pool_used, builder->set_count, memory};
    if (builder->set_count != 0) {
        memcpy(builder->pool + builder->pool_used, builder->set, builder->set_count * sizeof *builder->set);
    }
    builder->pool_used += builder->set_count;
    *cell_find(builder, builder->set, builder->set_count, memory) = at;
    return builder->dfa->states++;
}

/* What the state in work holds once it is known what is ahead. Without an assertion that is what it always holds. */
static void state_hold(struct builder *builder, const struct state *state, bool has_asserts, enum rf_regex_side ahead)
{
    uint32_t depth = 0;
    builder->is_match[ahead] = false;
    builder->held[ahead] = builder->pool + state->begin;
    builder->held_count[ahead] = state->count;
    if (!has_asserts) {
        return;
    }
    for (uint32_t i = 0; i < state->count; i++) {
        depth = stack_push(builder, depth, builder->pool[state->begin + i]);
    }
    builder->is_match[ahead] = stack_close(builder, depth, (enum rf_regex_side)state->before, ahead);
    builder->held[ahead] = builder->held_buffer[ahead];
    builder->held_count[ahead] = builder->set_count;
    if (builder->set_count != 0) {
        memcpy(builder->held_buffer[ahead], builder->set, builder->set_count * sizeof *builder->set);
    }
}

/* For each interval of a side, the nodes that its bytes lead to: counts them, or puts them where they belong. */
static void hits_pass(struct builder *builder, enum rf_regex_side side, bool is_filling)
{
    const struct rf_program *const program = builder->program;
    const uint8_t *const interval_of = builder->dfa->interval_of;
    for (uint32_t i = 0; i < builder->held_count[side]; i++) {
        const struct rf_regex_node node = program->node[builder->held[side][i]];
        for (uint32_t r = 0; r < node.count; r++) {
            const struct rf_regex_range range = program->range[node.first + r];
            const uint32_t last = interval_of[range.high];
            for (uint32_t k = interval_of[range.low]; k <= last; k++) {
                if (builder->side_of[k] != side) {
                    continue;
                }
                if (is_filling) {
                    builder->hit[builder->hit_end[k]] = range.next;
                }
                builder->hit_end[k]++;
                builder->work++;
            }
        }
        builder->work += 1U + node.count;
    }
}

/* hit[hit_begin[k] ... hit_end[k]) for all intervals k. False for a bound. */
static bool hits_collect(struct builder *builder)
{
    uint32_t sum = 0;
    memset(builder->hit_end, 0, sizeof builder->hit_end);
    for (uint32_t side = 0; side < RF_SIDE_EDGE; side++) {
        hits_pass(builder, (enum rf_regex_side)side, false);
    }
    for (uint32_t k = 0; k < builder->dfa->intervals; k++) {
        builder->hit_begin[k] = sum;
        sum += builder->hit_end[k];
        builder->hit_end[k] = builder->hit_begin[k];
    }
    if (builder->work > RF_REGEX_WORK_MAX) {
        return false;
    }
    if (sum > builder->hit_capacity) {
        builder->hit_capacity = 2 * sum;
        builder->hit = rf_arena_push(builder->arena, builder->hit_capacity, sizeof *builder->hit, sizeof *builder->hit);
    }
    for (uint32_t side = 0; side < RF_SIDE_EDGE && builder->hit != NULL; side++) {
        hits_pass(builder, (enum rf_regex_side)side, true);
    }
    return builder->hit != NULL;
}

static bool hits_equal(const struct builder *builder, uint32_t a, uint32_t b)
{
    const uint32_t count = builder->hit_end[a] - builder->hit_begin[a];
    return builder->side_of[a] == builder->side_of[b] && count == builder->hit_end[b] - builder->hit_begin[b] &&
           (count == 0 || memcmp(builder->hit + builder->hit_begin[a], builder->hit + builder->hit_begin[b],
                                 count * sizeof *builder->hit) == 0);
}

/* The state that an interval of bytes leads to; UINT32_MAX for a bound. */
static uint32_t interval_follow(struct builder *builder, uint32_t k)
{
    const enum rf_regex_side side = (enum rf_regex_side)builder->side_of[k];
    uint32_t depth = 0;
    if (builder->is_match[side]) {
        return RF_DFA_MATCH;
    }
    for (uint32_t i = builder->hit_begin[k]; i < builder->hit_end[k]; i++) {
        depth = stack_push(builder, depth, builder->hit[i]);
    }
    if (builder->is_restarting) {
        depth = stack_push(builder, depth, builder->program->first);
    }
    return stack_close(builder, depth, side, RF_SIDE_UNKNOWN) ? RF_DFA_MATCH : state_of_set(builder, side);
}

/* The states that a state leads to. False for a bound. */
static bool state_expand(struct builder *builder, uint32_t from)
{
    const uint32_t intervals = builder->dfa->intervals;
    const struct state state = builder->state[from];
    bool has_asserts = false;
    for (uint32_t i = 0; i < state.count && !has_asserts; i++) {
        has_asserts = builder->program->node[builder->pool[state.begin + i]].op == RF_REGEX_ASSERT;
    }
    for (uint32_t side = 0; side <= RF_SIDE_EDGE; side++) {
        state_hold(builder, &state, has_asserts, (enum rf_regex_side)side);
    }
    builder->dfa->accepts[from] = builder->is_match[RF_SIDE_EDGE];
    if (!hits_collect(builder)) {
        return false;
    }
    uint32_t to = RF_DFA_MATCH;
    for (uint32_t k = 0; k < intervals; k++) {
        if (k == 0 || !hits_equal(builder, k - 1, k)) {
            to = interval_follow(builder, k);
        }
        if (to == UINT32_MAX || builder->work > RF_REGEX_WORK_MAX) {
            return false;
        }
        builder->dfa->next[(size_t)from * intervals + k] = (uint16_t)to;
    }
    return true;
}

static bool builder_make(struct builder *builder)
{
    const uint32_t nodes = builder->program->nodes;
    const uint32_t words = (nodes + WORD_BITS - 1) / WORD_BITS;
    builder->seen = RF_PUSH(builder->arena, uint64_t, words);
    builder->member = RF_PUSH(builder->arena, uint64_t, words);
    builder->stack = RF_PUSH(builder->arena, uint16_t, nodes);
    builder->set = RF_PUSH(builder->arena, uint16_t, nodes);
    builder->highest = RF_PUSH(builder->arena, uint32_t, builder->program->groups + 1);
    bool is_done = builder->seen != NULL && builder->member != NULL && builder->stack != NULL && builder->set != NULL &&
                   builder->highest != NULL;
    builder->hit_capacity = HITS_MIN;
    builder->hit = RF_PUSH(builder->arena, uint16_t, HITS_MIN);
    is_done = is_done && builder->hit != NULL;
    for (uint32_t side = 0; side < RF_SIDES; side++) {
        builder->held_buffer[side] = RF_PUSH(builder->arena, uint16_t, builder->program->asserts != 0 ? nodes : 0);
        is_done = is_done && builder->held_buffer[side] != NULL;
    }
    return is_done && pool_grow(builder, 1) && states_grow(builder);
}

bool rf_dfa_build(const struct rf_program *program, uint32_t states_max, struct rf_arena *arena, struct rf_dfa *dfa)
{
    struct builder *const builder = RF_PUSH(arena, struct builder, 1);
    if (builder == NULL) {
        return false;
    }
    *dfa = (struct rf_dfa){0};
    builder->program = program;
    builder->arena = arena;
    builder->dfa = dfa;
    builder->states_max = states_max;
    intervals_make(builder);
    if (!builder_make(builder)) {
        return false;
    }
    /* State 0, the match: all rows are zero already. */
    builder->dfa->accepts[RF_DFA_MATCH] = true;
    builder->dfa->states = 1;
    const enum rf_regex_side behind[] = {RF_SIDE_OTHER, RF_SIDE_WORD, RF_SIDE_NEWLINE};
    for (size_t i = 0; i < sizeof behind / sizeof behind[0]; i++) {
        const bool is_match = stack_close(builder, stack_push(builder, 0, program->first), behind[i], RF_SIDE_UNKNOWN);
        builder->is_restarting = builder->is_restarting || is_match || builder->set_count != 0;
    }
    dfa->start = RF_DFA_MATCH;
    if (!stack_close(builder, stack_push(builder, 0, program->first), RF_SIDE_EDGE, RF_SIDE_UNKNOWN)) {
        dfa->start = state_of_set(builder, RF_SIDE_EDGE);
    }
    if (dfa->start == UINT32_MAX) {
        return false;
    }
    for (uint32_t state = 1; state < dfa->states; state++) {
        if (!state_expand(builder, state)) {
            return false;
        }
    }
    return true;
}
