#include "regex_program.h"

enum { PROGRAM_ITEMS_MIN = 64, PROGRAM_STEPS_MAX = 1 << 20, WORD_BITS = 64, BYTE_WORDS = 4 };

/* Room for `more` further items; the array moved when it was full, NULL for a bound. */
static void *items_grow(struct rf_arena *arena, void *items, uint32_t count, uint32_t more, uint32_t max,
                        uint32_t *capacity, size_t size_bytes)
{
    if (count > max || more > max - count) {
        return NULL;
    }
    if (*capacity != 0 && count + more <= *capacity) {
        return items;
    }
    uint32_t wider = *capacity == 0 ? PROGRAM_ITEMS_MIN : *capacity * 2;
    while (wider < count + more) {
        wider *= 2;
    }
    void *const moved = rf_arena_push(arena, wider, size_bytes, sizeof(uint64_t));
    if (moved != NULL) {
        if (count != 0) {
            memcpy(moved, items, count * size_bytes);
        }
        *capacity = wider;
    }
    return moved;
}

static uint32_t node_add(struct rf_program *program, struct rf_regex_node node)
{
    uint32_t role_capacity = program->node_capacity;
    struct rf_regex_node *const nodes = items_grow(program->arena, program->node, program->nodes, 1, RF_REGEX_NODES_MAX,
                                                   &program->node_capacity, sizeof *nodes);
    struct rf_program_role *const roles =
        items_grow(program->arena, program->role, program->nodes, 1, RF_REGEX_NODES_MAX, &role_capacity, sizeof *roles);
    if (nodes == NULL || roles == NULL) {
        return RF_PROGRAM_NONE;
    }
    program->node = nodes;
    program->role = roles;
    program->node[program->nodes] = node;
    program->role[program->nodes] = (struct rf_program_role){0};
    return program->nodes++;
}

static uint32_t ranges_hash(const struct rf_regex_range *range, uint32_t count)
{
    uint32_t hash = count;
    for (uint32_t i = 0; i < count; i++) {
        hash = (hash ^ ((uint32_t)range[i].low << 24 | (uint32_t)range[i].high << 16 | range[i].next)) * 0x9E3779B1u;
        hash ^= hash >> 15;
    }
    return hash;
}

static bool node_holds(const struct rf_program *program, uint32_t at, const struct rf_regex_range *range,
                       uint32_t count)
{
    const struct rf_regex_node node = program->node[at];
    for (uint32_t i = 0; i < count && node.count == count; i++) {
        const struct rf_regex_range held = program->range[node.first + i];
        if (held.low != range[i].low || held.high != range[i].high || held.next != range[i].next) {
            return false;
        }
    }
    return node.count == count;
}

/* The cell of a node with these ranges, or the empty one where it belongs. */
static uint32_t *cell_find(const struct rf_program *program, const struct rf_regex_range *range, uint32_t count)
{
    uint32_t at = ranges_hash(range, count) & (program->cells - 1);
    while (program->cell[at] != RF_PROGRAM_NONE && !node_holds(program, program->cell[at], range, count)) {
        at = (at + 1) & (program->cells - 1);
    }
    return &program->cell[at];
}

static bool cells_grow(struct rf_program *program)
{
    const struct rf_program old = *program;
    program->cells = old.cells == 0 ? PROGRAM_ITEMS_MIN : old.cells * 2;
    program->cell = rf_arena_push(program->arena, program->cells, sizeof *program->cell, _Alignof(uint32_t));
    if (program->cell == NULL) {
        return false;
    }
    memset(program->cell, 0xFF, program->cells * sizeof *program->cell);
    for (uint32_t i = 0; i < old.cells; i++) {
        if (old.cell[i] != RF_PROGRAM_NONE) {
            const struct rf_regex_node node = program->node[old.cell[i]];
            *cell_find(program, program->range + node.first, node.count) = old.cell[i];
        }
    }
    return true;
}

static uint32_t ranges_join(struct rf_regex_range *range, uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (kept != 0 && range[kept - 1].next == range[i].next && range[kept - 1].high + 1 == range[i].low) {
            range[kept - 1].high = range[i].high;
        } else {
            range[kept++] = range[i];
        }
    }
    return kept;
}

uint32_t rf_program_ranges(struct rf_program *program, struct rf_regex_range *range, uint32_t count)
{
    count = ranges_join(range, count);
    if (program->steps++ > PROGRAM_STEPS_MAX || (program->cells_used * 2 >= program->cells && !cells_grow(program))) {
        return RF_PROGRAM_NONE;
    }
    uint32_t *const cell = cell_find(program, range, count);
    if (*cell != RF_PROGRAM_NONE) {
        return *cell;
    }
    struct rf_regex_range *const ranges = items_grow(program->arena, program->range, program->ranges, count,
                                                     RF_REGEX_RANGES_MAX, &program->range_capacity, sizeof *ranges);
    if (ranges == NULL) {
        return RF_PROGRAM_NONE;
    }
    program->range = ranges;
    if (count != 0) {
        memcpy(program->range + program->ranges, range, count * sizeof *range);
    }
    const uint32_t at = node_add(program, (struct rf_regex_node){
                                              .op = RF_REGEX_RANGES,
                                              .count = (uint16_t)count,
                                              .first = program->ranges,
                                          });
    if (at != RF_PROGRAM_NONE) {
        program->ranges += count;
        program->cells_used++;
        *cell = at;
    }
    return at;
}

static bool is_dead_end(const struct rf_program *program, uint32_t at)
{
    return program->node[at].op == RF_REGEX_RANGES && program->node[at].count == 0;
}

uint32_t rf_program_split(struct rf_program *program, uint32_t first, uint32_t second)
{
    if (first == RF_PROGRAM_NONE || second == RF_PROGRAM_NONE) {
        return RF_PROGRAM_NONE;
    }
    /* A match is final: what else might match does not matter beside it. */
    if (first == second || is_dead_end(program, second) || rf_program_is_match(program, first)) {
        return first;
    }
    if (is_dead_end(program, first) || rf_program_is_match(program, second)) {
        return second;
    }
    return node_add(program, (struct rf_regex_node){.op = RF_REGEX_SPLIT, .first = first, .second = second});
}

uint32_t rf_program_loop(struct rf_program *program, uint32_t second)
{
    if (second == RF_PROGRAM_NONE) {
        return RF_PROGRAM_NONE;
    }
    return node_add(program, (struct rf_regex_node){.op = RF_REGEX_SPLIT, .first = second, .second = second});
}

uint32_t rf_program_loop_body(struct rf_program *program, uint32_t loop, uint32_t body)
{
    if (loop == RF_PROGRAM_NONE || body == RF_PROGRAM_NONE) {
        return RF_PROGRAM_NONE;
    }
    program->node[loop].first = body;
    return loop;
}

uint32_t rf_program_assert(struct rf_program *program, enum rf_regex_assert assertion, uint32_t next)
{
    if (next == RF_PROGRAM_NONE) {
        return RF_PROGRAM_NONE;
    }
    program->asserts |= assertion;
    return node_add(program,
                    (struct rf_regex_node){.op = RF_REGEX_ASSERT, .assertion = (uint8_t)assertion, .first = next});
}

uint32_t rf_program_match(struct rf_program *program)
{
    return node_add(program, (struct rf_regex_node){.op = RF_REGEX_MATCH});
}

/* The new number of a node; it is put on the stack when it is met first. */
static uint32_t pack_visit(uint32_t *number, uint32_t *stack, uint32_t *depth, uint32_t *nodes, uint32_t at)
{
    if (number[at] == RF_PROGRAM_NONE) {
        number[at] = (*nodes)++;
        stack[(*depth)++] = at;
    }
    return number[at];
}

bool rf_program_pack(const struct rf_program *program, struct rf_arena *arena, struct rf_program *packed)
{
    uint32_t *const number = RF_PUSH(program->arena, uint32_t, program->nodes);
    uint32_t *const stack = RF_PUSH(program->arena, uint32_t, program->nodes);
    struct rf_regex_node *const node = RF_PUSH(arena, struct rf_regex_node, program->nodes);
    struct rf_regex_range *const range = RF_PUSH(arena, struct rf_regex_range, program->ranges);
    struct rf_program_role *const role = RF_PUSH(arena, struct rf_program_role, program->nodes);
    if (number == NULL || stack == NULL || node == NULL || range == NULL || role == NULL) {
        return false;
    }
    memset(number, 0xFF, program->nodes * sizeof *number);
    uint32_t depth = 0;
    uint32_t nodes = 0;
    uint32_t ranges = 0;
    pack_visit(number, stack, &depth, &nodes, program->first);
    while (depth != 0) {
        const uint32_t at = stack[--depth];
        struct rf_regex_node copy = program->node[at];
        switch ((enum rf_regex_op)copy.op) {
        case RF_REGEX_RANGES:
            for (uint32_t i = 0; i < copy.count; i++) {
                struct rf_regex_range held = program->range[copy.first + i];
                held.next = (uint16_t)pack_visit(number, stack, &depth, &nodes, held.next);
                range[ranges + i] = held;
            }
            copy.first = ranges;
            ranges += copy.count;
            break;
        case RF_REGEX_SPLIT:
            copy.second = pack_visit(number, stack, &depth, &nodes, copy.second);
            copy.first = pack_visit(number, stack, &depth, &nodes, copy.first);
            break;
        case RF_REGEX_ASSERT:
            copy.first = pack_visit(number, stack, &depth, &nodes, copy.first);
            break;
        case RF_REGEX_MATCH:
            break;
        }
        node[number[at]] = copy;
        role[number[at]] = program->role[at];
    }
    *packed = *program;
    packed->node = node;
    packed->role = role;
    packed->nodes = nodes;
    packed->range = range;
    packed->ranges = ranges;
    packed->first = 0;
    packed->cell = NULL;
    packed->cells = 0;
    return true;
}

bool rf_program_first_bytes(const struct rf_program *program, uint64_t first_byte[BYTE_WORDS])
{
    uint32_t *const number = RF_PUSH(program->arena, uint32_t, program->nodes);
    uint32_t *const stack = RF_PUSH(program->arena, uint32_t, program->nodes);
    uint32_t depth = 0;
    uint32_t nodes = 0;
    if (number == NULL || stack == NULL) {
        return false;
    }
    memset(number, 0xFF, program->nodes * sizeof *number);
    memset(first_byte, 0, BYTE_WORDS * sizeof *first_byte);
    pack_visit(number, stack, &depth, &nodes, program->first);
    while (depth != 0) {
        const struct rf_regex_node node = program->node[stack[--depth]];
        switch ((enum rf_regex_op)node.op) {
        case RF_REGEX_RANGES:
            for (uint32_t i = 0; i < node.count; i++) {
                const struct rf_regex_range range = program->range[node.first + i];
                for (uint32_t byte = range.low; byte <= range.high; byte++) {
                    first_byte[byte / WORD_BITS] |= UINT64_C(1) << byte % WORD_BITS;
                }
            }
            break;
        case RF_REGEX_SPLIT:
            pack_visit(number, stack, &depth, &nodes, node.second);
            pack_visit(number, stack, &depth, &nodes, node.first);
            break;
        case RF_REGEX_ASSERT:
            /* It may hold. */
            pack_visit(number, stack, &depth, &nodes, node.first);
            break;
        case RF_REGEX_MATCH:
            return false;
        }
    }
    return true;
}
