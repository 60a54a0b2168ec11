#include <math.h>
#include <stdlib.h>

#include "eval_grid.h"
#include "eval_rank.h"
#include "eval_row.h"

enum { AXES_MAX = 2, LEAVES_MAX = 32, GUARD_MAX = 6 };
enum direction { BELOW, ABOVE, EQUAL };

/* In the time of a cell: what the rows of a batch of the usual size cost, and a bitmap of a comparison or predicate. */
enum { ROWS_COST = 6000, MEMBER_COST = 80 };
/* So few predicates and their sides are never worth a grid. */
enum { MEMBERS_MIN = ROWS_COST / (MEMBER_COST * (1 + AXES_MAX)) };

/* A comparison that may be a side. */
struct side {
    uint32_t slot;
    enum direction direction;
    bool is_strict;
    struct rf_number number;
    uint32_t atom;
};

/* A predicate that may be counted, by its sides. */
struct member {
    uint32_t axis[AXES_MAX];   /* ascending; RF_NONE first when there is one */
    uint32_t side[AXES_MAX];   /* places among all sides */
    uint32_t guard[GUARD_MAX]; /* the rest of the conjunction: registers of the program, ascending, then RF_NONE */
    uint32_t predicate;
};

/* The operands of a conjunction. */
struct leaves {
    uint32_t sides, rests;
    uint32_t side[LEAVES_MAX]; /* one for each axis */
    uint32_t code[LEAVES_MAX]; /* [sides] their registers */
    uint32_t rest[LEAVES_MAX]; /* registers of what is no side */
};

struct maker {
    const struct rf_program *program;
    const struct rf_eval_constant *constant;
    struct rf_eval_grids *grids;
    struct rf_arena *arena;
    struct rf_arena *scratch; /* what is needed until the grids are made */
    struct side *side;        /* [sides] in the order of their axes, the hardest of each first */
    uint32_t sides;
    uint32_t *axis_of; /* [sides] */
    uint32_t *side_of; /* [A]; RF_NONE: it is none */
    struct member *member;
    uint32_t members;
    uint32_t *constants_of; /* [slots] sides of grids over the slot */
    uint32_t *place_of;     /* [sides] number among those; RF_NONE: no grid has it */
    uint32_t *uses;         /* [sides] predicates that have it */
    bool *asks;             /* [code] the host may be asked about it */
};

/* Equal ones of the same axis are as hard as each other. */
static int hardness_compare(const struct side *a, const struct side *b)
{
    const enum rf_order order = rf_number_compare(a->number, b->number);
    if (order != RF_ORDER_EQUAL) {
        return a->direction == ABOVE ? -(int)order : (int)order;
    }
    return (int)b->is_strict - (int)a->is_strict;
}

static int side_compare(const void *left, const void *right)
{
    const struct side *a = left;
    const struct side *b = right;
    if (a->slot != b->slot) {
        return a->slot < b->slot ? -1 : 1;
    }
    if (a->direction != b->direction) {
        return a->direction < b->direction ? -1 : 1;
    }
    const int order = hardness_compare(a, b);
    return order != 0 ? order : (a->atom > b->atom) - (a->atom < b->atom);
}

static int member_compare(const void *left, const void *right)
{
    const struct member *a = left;
    const struct member *b = right;
    for (int i = 0; i < AXES_MAX; i++) {
        if (a->axis[i] != b->axis[i]) {
            return a->axis[i] < b->axis[i] ? -1 : 1;
        }
    }
    for (int i = 0; i < GUARD_MAX; i++) {
        if (a->guard[i] != b->guard[i]) {
            return a->guard[i] < b->guard[i] ? -1 : 1;
        }
    }
    return (a->predicate > b->predicate) - (a->predicate < b->predicate);
}

static bool members_are_alike(const struct member *a, const struct member *b)
{
    return memcmp(a->axis, b->axis, sizeof a->axis) == 0 && memcmp(a->guard, b->guard, sizeof a->guard) == 0;
}

static int place_compare(const void *left, const void *right)
{
    const uint32_t a = *(const uint32_t *)left;
    const uint32_t b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

/* The column of some bindings has cells that only the host can tell; that of a field of a FIX message has none
 * (fix_extract.h). */
static bool slot_never_asks(const struct rf_program *program, const struct rf_slot *slot)
{
    return slot->root != RF_ROOT_BINDING ||
           (program->fix_dict != NULL && program->fix[slot->binding].form == RF_FIX_FORM_VALUE);
}

/* A constant that is NaN has no place among the others. */
static bool atom_is_side(const struct rf_program *program, const struct rf_atom *atom)
{
    return atom->kind == RF_ATOM_CMP_NUM && rf_term_is_slot(atom->slot) &&
           slot_never_asks(program, &program->slot[atom->slot]) &&
           !(atom->number.kind == RF_NUMBER_DOUBLE && isnan(atom->number.as.d));
}

/* What a guard is made of must not ask: it would be asked about every row, where a predicate asks about those that its
 * comparisons leave. */
static bool atom_never_asks(const struct rf_program *program, const struct rf_atom *atom)
{
    return !rf_eval_kind_may_ask(atom->kind) && rf_term_is_slot(atom->slot) &&
           slot_never_asks(program, &program->slot[atom->slot]);
}

static enum rf_status asks_find(struct maker *maker, struct rf_error *err)
{
    const struct rf_program *program = maker->program;
    maker->asks = RF_PUSH(maker->scratch, bool, program->code_count);
    if (maker->asks == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for %u instructions", program->code_count);
    }
    for (uint32_t i = 0; i < program->code_count; i++) {
        const struct rf_bool *code = &program->code[i];
        if (code->op == RF_BOOL_ATOM) {
            maker->asks[i] = !atom_never_asks(program, &program->atom[code->a]);
            continue;
        }
        const uint32_t of[] = {code->a, code->b, code->c};
        maker->asks[i] = false;
        for (uint32_t o = 0; o < rf_eval_operands(code->op); o++) {
            maker->asks[i] = maker->asks[i] || maker->asks[of[o]];
        }
    }
    return RF_OK;
}

static enum rf_status sides_find(struct maker *maker, struct rf_error *err)
{
    const struct rf_program *program = maker->program;
    maker->uses = RF_PUSH(maker->scratch, uint32_t, program->atoms);
    maker->place_of = RF_PUSH(maker->scratch, uint32_t, program->atoms);
    maker->side = RF_PUSH(maker->scratch, struct side, program->atoms);
    maker->axis_of = RF_PUSH(maker->scratch, uint32_t, program->atoms);
    maker->side_of = RF_PUSH(maker->scratch, uint32_t, program->atoms);
    maker->member = RF_PUSH(maker->scratch, struct member, program->predicates);
    maker->constants_of = RF_PUSH(maker->scratch, uint32_t, program->slots);
    if (maker->side == NULL || maker->axis_of == NULL || maker->side_of == NULL || maker->member == NULL ||
        maker->constants_of == NULL || maker->uses == NULL || maker->place_of == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory to order %u comparisons", program->atoms);
    }
    for (uint32_t a = 0; a < program->atoms; a++) {
        const struct rf_atom *atom = &program->atom[a];
        maker->side_of[a] = RF_NONE;
        if (atom_is_side(program, atom)) {
            const bool is_below = atom->compare == RF_LT || atom->compare == RF_LE;
            maker->side[maker->sides++] = (struct side){.slot = atom->slot,
                                                        .direction = atom->compare == RF_EQ ? EQUAL
                                                                     : is_below             ? BELOW
                                                                                            : ABOVE,
                                                        .is_strict = atom->compare == RF_LT || atom->compare == RF_GT,
                                                        .number = atom->number,
                                                        .atom = a};
        }
    }
    if (maker->sides != 0) {
        qsort(maker->side, maker->sides, sizeof *maker->side, side_compare);
    }
    for (uint32_t i = 0; i < maker->sides; i++) {
        const struct side *side = &maker->side[i];
        const bool is_same = i != 0 && side[-1].slot == side->slot && side[-1].direction == side->direction;
        maker->axis_of[i] = i == 0 ? 0 : maker->axis_of[i - 1] + !is_same;
        maker->side_of[side->atom] = i;
        maker->place_of[i] = RF_NONE;
    }
    for (uint32_t s = 0; s < program->slots; s++) {
        maker->constants_of[s] = 0;
    }
    return RF_OK;
}

/* One more comparison of the conjunction: of two on an axis the harder one says it all. */
static bool leaves_add(const struct maker *maker, struct leaves *leaves, uint32_t side, uint32_t code)
{
    for (uint32_t i = 0; i < leaves->sides; i++) {
        const uint32_t old = leaves->side[i];
        if (maker->axis_of[old] != maker->axis_of[side]) {
            continue;
        }
        if (side < old) {
            leaves->side[i] = side;
            leaves->code[i] = code;
        }
        return maker->side[side].direction != EQUAL || hardness_compare(&maker->side[side], &maker->side[old]) == 0;
    }
    leaves->side[leaves->sides] = side;
    leaves->code[leaves->sides++] = code;
    return true;
}

/* Takes a predicate apart, if it is a conjunction with some comparison in it. */
static bool leaves_read(const struct maker *maker, uint32_t predicate, struct leaves *leaves)
{
    const struct rf_program *program = maker->program;
    uint32_t left[LEAVES_MAX] = {program->output[predicate]};
    uint32_t lefts = 1;
    uint32_t all = 0;
    leaves->sides = leaves->rests = 0;
    while (lefts != 0) {
        const uint32_t at = left[--lefts];
        const struct rf_bool *code = &program->code[at];
        if (code->op == RF_BOOL_AND && lefts + 2 <= LEAVES_MAX) {
            left[lefts++] = code->a;
            left[lefts++] = code->b;
            continue;
        }
        if (++all > LEAVES_MAX) {
            return false;
        }
        const uint32_t side = code->op == RF_BOOL_ATOM ? maker->side_of[code->a] : RF_NONE;
        if (side == RF_NONE) {
            leaves->rest[leaves->rests++] = at;
        } else if (!leaves_add(maker, leaves, side, at)) {
            return false;
        }
    }
    return leaves->sides != 0;
}

/* The two sides that the fewest predicates have come first: these are what differs from one to the next. */
static void sides_choose(const struct maker *maker, struct leaves *leaves)
{
    for (uint32_t i = 0; i < AXES_MAX && i < leaves->sides; i++) {
        uint32_t least = i;
        for (uint32_t k = i + 1; k < leaves->sides; k++) {
            const uint32_t uses = maker->uses[leaves->side[k]];
            const uint32_t least_uses = maker->uses[leaves->side[least]];
            const bool is_before = maker->axis_of[leaves->side[k]] < maker->axis_of[leaves->side[least]];
            least = uses < least_uses || (uses == least_uses && is_before) ? k : least;
        }
        const struct leaves old = *leaves;
        leaves->side[i] = old.side[least];
        leaves->code[i] = old.code[least];
        leaves->side[least] = old.side[i];
        leaves->code[least] = old.code[i];
    }
}

/* Ascending, each once. */
static bool guard_add(struct member *member, uint32_t code)
{
    uint32_t at = 0;
    while (at < GUARD_MAX && member->guard[at] < code) {
        at++;
    }
    if (at < GUARD_MAX && member->guard[at] == code) {
        return true;
    }
    if (member->guard[GUARD_MAX - 1] != RF_NONE) {
        return false;
    }
    memmove(member->guard + at + 1, member->guard + at, (GUARD_MAX - 1 - at) * sizeof code);
    member->guard[at] = code;
    return true;
}

static bool member_read(const struct maker *maker, uint32_t predicate, struct member *member)
{
    struct leaves leaves;
    if (!leaves_read(maker, predicate, &leaves)) {
        return false;
    }
    sides_choose(maker, &leaves);
    *member = (struct member){.axis = {RF_NONE, RF_NONE}, .predicate = predicate};
    memset(member->guard, 0xff, sizeof member->guard);
    for (uint32_t i = 0; i < AXES_MAX && i < leaves.sides; i++) {
        member->axis[i] = maker->axis_of[leaves.side[i]];
        member->side[i] = leaves.side[i];
    }
    if (member->axis[1] == RF_NONE || member->axis[0] > member->axis[1]) {
        const struct member old = *member;
        for (int i = 0; i < AXES_MAX; i++) {
            member->axis[i] = old.axis[AXES_MAX - 1 - i];
            member->side[i] = old.side[AXES_MAX - 1 - i];
        }
    }
    for (uint32_t i = 0; i < leaves.rests; i++) {
        if (maker->asks[leaves.rest[i]] || !guard_add(member, leaves.rest[i])) {
            return false;
        }
    }
    for (uint32_t i = AXES_MAX; i < leaves.sides; i++) {
        if (!guard_add(member, leaves.code[i])) {
            return false;
        }
    }
    return true;
}

static void uses_count(struct maker *maker)
{
    struct leaves leaves;
    memset(maker->uses, 0, maker->sides * sizeof *maker->uses);
    for (uint32_t p = 0; p < maker->program->predicates; p++) {
        const uint32_t sides = leaves_read(maker, p, &leaves) ? leaves.sides : 0;
        for (uint32_t i = 0; i < sides; i++) {
            maker->uses[leaves.side[i]]++;
        }
    }
}

/* The sides that members [first, end) have on axis number `which` of theirs: distinct, the hardest first. */
static uint32_t sides_collect(const struct maker *maker, uint32_t first, uint32_t end, int which, uint32_t *out)
{
    uint32_t count = 0;
    uint32_t kept = 0;
    for (uint32_t m = first; m < end; m++) {
        out[count++] = maker->member[m].side[which];
    }
    qsort(out, count, sizeof *out, place_compare);
    for (uint32_t i = 0; i < count; i++) {
        if (kept == 0 || hardness_compare(&maker->side[out[kept - 1]], &maker->side[out[i]]) != 0) {
            out[kept++] = out[i];
        }
    }
    return kept;
}

/* What a grid of so many cells costs for a batch of the usual size, and what bitmaps do, in the time of a cell. */
static bool grid_is_worth(uint64_t cells, uint32_t members, uint32_t sides)
{
    return cells <= RF_EVAL_GRID_CELLS_MAX && cells + ROWS_COST <= (uint64_t)MEMBER_COST * (members + sides);
}

/* Classes in which some side is true, and that of the undecided. Without an outer axis all rows are in class 1. */
static uint32_t rows_of(uint32_t outer_sides)
{
    return (outer_sides == 0 ? 1 : outer_sides) + 1;
}

static uint32_t stride_of(uint32_t sides)
{
    enum { LANES = 32 }; /* of 16 bits in a vector */
    return (sides + 2 + LANES - 1) / LANES * LANES;
}

static struct rf_eval_grid_column *column_of(struct rf_eval_grids *grids, uint32_t slot)
{
    uint32_t c = 0;
    while (c < grids->columns && grids->column[c].slot != slot) {
        c++;
    }
    if (c == grids->columns) {
        grids->column[grids->columns++] = (struct rf_eval_grid_column){.slot = slot};
    }
    return &grids->column[c];
}

static struct rf_eval_axis *axis_make(struct maker *maker, const uint32_t *side, uint32_t sides)
{
    struct rf_eval_axis *axis = rf_arena_push_zero(maker->arena, 1, sizeof *axis, 64);
    uint32_t *atom = RF_PUSH(maker->arena, uint32_t, sides);
    if (axis == NULL || atom == NULL) {
        return NULL;
    }
    for (uint32_t i = 0; i < sides; i++) {
        atom[i] = maker->side[side[i]].atom;
    }
    axis->column = column_of(maker->grids, maker->side[side[0]].slot);
    axis->is_equality = maker->side[side[0]].direction == EQUAL;
    axis->sides = sides;
    axis->atom = atom;
    axis->reg = rf_arena_push(maker->arena, sides, sizeof *axis->reg, 64);
    axis->reg_stamp = rf_arena_push_zero(maker->arena, sides, sizeof *axis->reg_stamp, 8);
    return axis->reg == NULL || axis->reg_stamp == NULL ? NULL : axis;
}

/* 1 + the place of the side among those collected. */
static uint16_t class_find(const struct maker *maker, const uint32_t *side, uint32_t sides, uint32_t wanted)
{
    uint32_t low = 0;
    while (sides > 1) {
        const uint32_t half = sides / 2;
        const bool is_before = hardness_compare(&maker->side[side[low + half - 1]], &maker->side[wanted]) < 0;
        low += is_before ? half : 0;
        sides -= half;
    }
    return (uint16_t)(low + 1);
}

static enum rf_status guard_make(struct maker *maker, struct rf_eval_grid *grid, const uint32_t *guard, size_t cells,
                                 struct rf_error *err)
{
    grid->guard = RF_PUSH(maker->arena, uint32_t, grid->guards);
    grid->doubts = grid->cells;
    grid->doubts.count = rf_arena_push_zero(maker->arena, cells, sizeof(uint16_t), 64);
    grid->doubts.low = rf_arena_push_zero(maker->arena, cells, sizeof(uint16_t), 64);
    grid->doubts.high = rf_arena_push_zero(maker->arena, cells, sizeof(uint16_t), 64);
    if (grid->guard == NULL || grid->doubts.count == NULL || grid->doubts.low == NULL || grid->doubts.high == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for a grid of %zu cells", cells);
    }
    memcpy(grid->guard, guard, grid->guards * sizeof *guard);
    return RF_OK;
}

static enum rf_status grid_make(struct maker *maker, struct rf_eval_grid *grid, uint32_t first, uint32_t end,
                                const uint32_t *const side[AXES_MAX], const uint32_t sides[AXES_MAX],
                                struct rf_error *err)
{
    const int inner = sides[0] > sides[1] ? 0 : 1; /* the longer one */
    const int outer = 1 - inner;
    const uint32_t members = end - first;
    const uint32_t rows = rows_of(sides[outer]);
    const uint32_t stride = stride_of(sides[inner]);
    const size_t cells = (size_t)(rows + 1) * stride;
    grid->all = maker->grids;
    grid->inner = axis_make(maker, side[inner], sides[inner]);
    grid->outer = sides[outer] == 0 ? NULL : axis_make(maker, side[outer], sides[outer]);
    grid->cells = (struct rf_eval_cells){.count = rf_arena_push_zero(maker->arena, cells, sizeof(uint16_t), 64),
                                         .low = rf_arena_push(maker->arena, cells, sizeof(uint16_t), 64),
                                         .high = rf_arena_push_zero(maker->arena, cells, sizeof(uint16_t), 64),
                                         .rows = rows,
                                         .columns = sides[inner] + 1,
                                         .stride = stride};
    grid->errors_outer = RF_PUSH(maker->arena, uint32_t, rows);
    grid->errors_inner = RF_PUSH(maker->arena, uint32_t, sides[inner] + 1);
    grid->predicate = RF_PUSH(maker->arena, uint32_t, members);
    grid->outer_class = RF_PUSH(maker->arena, uint16_t, members);
    grid->inner_class = RF_PUSH(maker->arena, uint16_t, members);
    if (grid->inner == NULL || (sides[outer] != 0 && grid->outer == NULL) || grid->cells.count == NULL ||
        grid->cells.low == NULL || grid->cells.high == NULL || grid->errors_outer == NULL ||
        grid->errors_inner == NULL || grid->predicate == NULL || grid->outer_class == NULL ||
        grid->inner_class == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for a grid of %zu cells", cells);
    }
    memset(grid->cells.low, 0xff, cells * sizeof(uint16_t));
    grid->cells.adds_columns = !grid->inner->is_equality;
    grid->cells.adds_rows = grid->outer != NULL && !grid->outer->is_equality;
    grid->members = members;
    grid->guard_register = RF_NONE;
    while (grid->guards < GUARD_MAX && maker->member[first].guard[grid->guards] != RF_NONE) {
        grid->guards++;
    }
    if (grid->guards != 0) {
        RF_TRY(guard_make(maker, grid, maker->member[first].guard, cells, err));
    }
    for (uint32_t m = 0; m < members; m++) {
        const struct member *member = &maker->member[first + m];
        grid->predicate[m] = member->predicate;
        maker->grids->is_counted[member->predicate] = true;
        grid->inner_class[m] = class_find(maker, side[inner], sides[inner], member->side[inner]);
        grid->outer_class[m] =
            grid->outer == NULL ? 1 : class_find(maker, side[outer], sides[outer], member->side[outer]);
    }
    return RF_OK;
}

/* Gives the sides their places among the constants of their slots, which grids have in common. False: there are too many. */
static bool sides_place(struct maker *maker, uint32_t *const side[AXES_MAX], const uint32_t sides[AXES_MAX])
{
    for (int i = 0; i < AXES_MAX; i++) {
        uint32_t used = sides[i] == 0 ? 0 : maker->constants_of[maker->side[side[i][0]].slot];
        for (int k = 0; k < AXES_MAX; k++) { /* both axes may be of one slot */
            used += sides[i] == 0 ? 0 : sides[k];
        }
        if (used > RF_EVAL_RANK_MAX) {
            return false;
        }
    }
    for (int i = 0; i < AXES_MAX; i++) {
        for (uint32_t s = 0; s < sides[i]; s++) {
            if (maker->place_of[side[i][s]] == RF_NONE) {
                maker->place_of[side[i][s]] = maker->constants_of[maker->side[side[i][s]].slot]++;
            }
        }
    }
    return true;
}

/* The grid of members [first, end), which have their axes in common, if it is worth it. */
static enum rf_status grid_try(struct maker *maker, uint32_t first, uint32_t end, struct rf_error *err)
{
    const struct rf_arena_mark mark = rf_arena_mark(maker->scratch);
    uint32_t *side[AXES_MAX];
    uint32_t sides[AXES_MAX];
    for (int i = 0; i < AXES_MAX; i++) {
        const bool has_axis = maker->member[first].axis[i] != RF_NONE;
        side[i] = RF_PUSH(maker->scratch, uint32_t, end - first);
        if (side[i] == NULL) {
            RF_FAIL(err, RF_E_MEMORY, "no memory to order the constants of %u predicates", end - first);
        }
        sides[i] = has_axis ? sides_collect(maker, first, end, i, side[i]) : 0;
    }
    const uint32_t longer = sides[0] > sides[1] ? sides[0] : sides[1];
    const uint32_t shorter = sides[0] > sides[1] ? sides[1] : sides[0];
    const uint64_t cells = (uint64_t)(rows_of(shorter) + 1) * stride_of(longer);
    if (!grid_is_worth(cells, end - first, sides[0] + sides[1]) || !sides_place(maker, side, sides)) {
        rf_arena_rewind(maker->scratch, mark);
        return RF_OK;
    }
    return grid_make(maker, &maker->grids->grid[maker->grids->grids++], first, end,
                     (const uint32_t *const[AXES_MAX]){side[0], side[1]}, sides, err);
}

/* ---- Places of values ---- */

/* Is the side true for doubles of that code? */
static bool code_holds(struct rf_eval_code_test test, uint32_t code)
{
    switch (test.compare) {
    case RF_EVAL_CODE_LESS:
        return code < test.code;
    case RF_EVAL_CODE_NOT_LESS:
        return code >= test.code;
    case RF_EVAL_CODE_EQUAL:
        break;
    }
    return code == test.code;
}

/* test[sides]: of the axis. */
static enum rf_status classes_make(struct rf_eval_axis *axis, const struct rf_eval_code_test *test,
                                   struct rf_arena *arena, struct rf_error *err)
{
    const uint32_t codes = axis->column->codes;
    const uint16_t none = (uint16_t)(axis->sides + 1);
    axis->class_of = RF_PUSH(arena, uint16_t, codes + RF_EVAL_GRID_CODES);
    if (axis->class_of == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for the classes of %u constants", axis->sides);
    }
    for (uint32_t code = 0; code < codes; code++) {
        uint32_t low = 0; /* sides before are false, those from high on true */
        uint32_t high = axis->is_equality ? 0 : axis->sides;
        while (low < high) {
            const uint32_t middle = low + (high - low) / 2;
            if (code_holds(test[middle], code)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        axis->class_of[code] = axis->is_equality ? none : (uint16_t)(low + 1);
    }
    for (uint32_t s = 0; axis->is_equality && s < axis->sides; s++) {
        if (test[s].compare == RF_EVAL_CODE_EQUAL) { /* else the constant is no double */
            axis->class_of[test[s].code] = (uint16_t)(s + 1);
        }
    }
    axis->class_of[codes + RF_EVAL_GRID_UNEQUAL] = none;
    axis->class_of[codes + RF_EVAL_GRID_OTHER] = axis->is_equality ? none : 0;
    axis->class_of[codes + RF_EVAL_GRID_MISSING] = 0;
    return RF_OK;
}

static struct rf_eval_axis *axis_at(const struct rf_eval_grids *grids, uint32_t i)
{
    return i % 2 == 0 ? grids->grid[i / 2].inner : grids->grid[i / 2].outer;
}

/* The order of all constants of a column, and the classes that its axes make of it. */
static enum rf_status column_make(struct maker *maker, struct rf_eval_grid_column *column, struct rf_error *err)
{
    const struct rf_eval_grids *grids = maker->grids;
    const uint32_t constants = maker->constants_of[column->slot];
    uint64_t *bits = RF_PUSH(maker->scratch, uint64_t, constants);
    enum rf_compare *compare = RF_PUSH(maker->scratch, enum rf_compare, constants);
    struct rf_eval_code_test *test = RF_PUSH(maker->scratch, struct rf_eval_code_test, constants);
    if (bits == NULL || compare == NULL || test == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory to order %u constants", constants);
    }
    for (uint32_t i = 0; i < maker->sides; i++) {
        if (maker->side[i].slot == column->slot && maker->place_of[i] != RF_NONE) {
            bits[maker->place_of[i]] = maker->constant[maker->side[i].atom].double_bits;
            compare[maker->place_of[i]] = maker->constant[maker->side[i].atom].double_compare;
        }
    }
    struct rf_eval_rank *rank;
    RF_TRY(rf_eval_rank_make(&rank, bits, compare, constants, maker->arena, err));
    column->rank = rank;
    column->codes = 2 * constants + 1;
    for (uint32_t i = 0; i < 2 * grids->grids; i++) {
        struct rf_eval_axis *axis = axis_at(grids, i);
        if (axis == NULL || axis->column != column) {
            continue;
        }
        for (uint32_t s = 0; s < axis->sides; s++) {
            test[s] = rank->test[maker->place_of[maker->side_of[axis->atom[s]]]];
        }
        RF_TRY(classes_make(axis, test, maker->arena, err));
    }
    return RF_OK;
}

/* Cells of the outer classes, so that a row is looked up in two tables and added. */
static enum rf_status outer_make(struct maker *maker, struct rf_eval_grid *grid, struct rf_error *err)
{
    const struct rf_eval_grid_column *column = grid->outer == NULL ? grid->inner->column : grid->outer->column;
    const uint32_t codes = column->codes + RF_EVAL_GRID_CODES;
    grid->outer_of = RF_PUSH(maker->arena, uint32_t, codes);
    if (grid->outer_of == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for the classes of %u codes", codes);
    }
    for (uint32_t code = 0; code < codes; code++) {
        grid->outer_of[code] = grid->cells.stride * (grid->outer == NULL ? 1 : grid->outer->class_of[code]);
    }
    return RF_OK;
}

static enum rf_status grids_make(struct maker *maker, struct rf_error *err)
{
    const struct rf_program *program = maker->program;
    struct rf_eval_grids *grids = maker->grids;
    RF_TRY(sides_find(maker, err));
    if (maker->sides == 0) {
        return RF_OK;
    }
    RF_TRY(asks_find(maker, err));
    uses_count(maker);
    for (uint32_t p = 0; p < program->predicates; p++) {
        maker->members += member_read(maker, p, &maker->member[maker->members]);
    }
    if (maker->members == 0) {
        return RF_OK;
    }
    qsort(maker->member, maker->members, sizeof *maker->member, member_compare);
    grids->program = program;
    grids->is_counted = RF_PUSH(maker->arena, bool, program->predicates);
    grids->grid = RF_PUSH(maker->arena, struct rf_eval_grid, maker->members / MEMBERS_MIN + 1);
    grids->column = rf_arena_push_zero(maker->arena, program->slots, sizeof *grids->column, 64);
    if (grids->is_counted == NULL || grids->grid == NULL || grids->column == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for the grids of %u predicates", maker->members);
    }
    for (uint32_t first = 0, end = 1; first < maker->members; first = end++) {
        while (end < maker->members && members_are_alike(&maker->member[first], &maker->member[end])) {
            end++;
        }
        RF_TRY(grid_try(maker, first, end, err));
    }
    for (uint32_t c = 0; c < grids->columns; c++) {
        RF_TRY(column_make(maker, &grids->column[c], err));
    }
    for (uint32_t g = 0; g < grids->grids; g++) {
        RF_TRY(outer_make(maker, &grids->grid[g], err));
    }
    return RF_OK;
}

enum rf_status rf_eval_grids_make(struct rf_eval_grids **out, const struct rf_program *program,
                                  const struct rf_eval_constant *constant, struct rf_arena *arena, struct rf_error *err)
{
    struct rf_arena scratch;
    struct rf_eval_grids *grids = RF_PUSH(arena, struct rf_eval_grids, 1);
    *out = NULL;
    if (grids == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for grids");
    }
    rf_arena_init(&scratch, SIZE_MAX / 4);
    struct maker maker = {
        .program = program, .constant = constant, .grids = grids, .arena = arena, .scratch = &scratch};
    const enum rf_status status = grids_make(&maker, err);
    rf_arena_free(&scratch);
    *out = status != RF_OK || grids->grids == 0 ? NULL : grids;
    return status;
}
