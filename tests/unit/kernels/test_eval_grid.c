/* Predicates that grids count: their hits, errors, first and last rows, and their truth where it is asked for, against bitmaps of
 * the same program at each instruction-set level, whatever blocks join. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "eval_fixture.h"
#include "eval_grid.h"
#include "eval_plan.h"
#include "eval_rank.h"

enum { AXIS_MAX = 46, ROWS_MAX = 3300, ALWAYS = 1 << 30 };

struct seen {
    const struct rf_eval *kept;
    struct eval_fixture *fixture;
    uint32_t rows[FIXTURE_CODE]; /* of each predicate: so many have come */
    uint32_t joined;             /* tiles of several blocks */
    uint32_t join_of;            /* one block in so many, about, does not; 0: none does */
};

static void block_cut(void *context, uint32_t first, uint32_t rows, const uint64_t *live, struct rf_eval_spans *spans)
{
    struct seen *seen = context;
    const bool is_always = seen->join_of == ALWAYS;
    (void)first;
    (void)live;
    if (seen->join_of == 0 || (!is_always && fixture_random(seen->fixture, seen->join_of) == 0)) {
        return;
    }
    spans->goes_on = is_always || fixture_random(seen->fixture, 3) != 0;
    for (uint32_t end = 0; end != rows && spans->count < RF_EVAL_SPANS_MAX - 1 && !is_always;) {
        end += 1 + fixture_random(seen->fixture, rows - end);
        spans->end[spans->count++] = end;
    }
    spans->count += is_always;
    spans->end[spans->count - 1] = rows;
}

/* The plain count of a predicate over the tile's rows. */
static struct rf_eval_hits hits_of(const struct rf_eval *kept, const struct rf_rows *rows,
                                   const struct rf_eval_tile *tile, uint32_t predicate)
{
    struct rf_eval_hits hits = {0};
    for (uint32_t i = 0; i < tile->rows; i++) {
        const uint32_t row = tile->first + i;
        const bool is_true = rf_bit_get(kept->truth[predicate], row);
        if (is_true) {
            hits.first = hits.hits == 0 ? (uint16_t)i : hits.first;
            hits.last = (uint16_t)i;
            hits.hits++;
        }
        hits.errors += rows->status[row] == RF_ROW_REJECTED && !is_true && !rf_bit_get(kept->falsity[predicate], row);
    }
    return hits;
}

static void tile_check(void *context, const struct rf_eval_tile *tile)
{
    struct seen *seen = context;
    seen->joined += tile->live == NULL && tile->rows > RF_EVAL_BLOCK_ROWS;
    for (uint32_t i = 0; i < tile->count; i++) {
        const uint32_t p = tile->predicate[i];
        const struct rf_eval_hits hits = hits_of(seen->kept, &seen->fixture->rows, tile, p);
        assert_int_equal(tile->first, seen->rows[p]);
        seen->rows[p] += tile->rows;
        assert_int_equal(tile->hits[i].hits, hits.hits);
        assert_int_equal(tile->hits[i].errors, hits.errors);
        assert_int_equal(tile->hits[i].first, hits.first);
        assert_int_equal(tile->hits[i].last, hits.last);
        /* Not of every predicate, so that sides are made at different times. */
        if (tile->live != NULL && fixture_random(seen->fixture, 3) == 0) {
            uint64_t bits[RF_EVAL_BLOCK_WORDS];
            rf_eval_tile_truth(tile, i, bits);
            assert_memory_equal(bits, seen->kept->truth[p] + tile->first / 64, tile->words * sizeof *bits);
            rf_eval_tile_falsity(tile, i, bits);
            assert_memory_equal(bits, seen->kept->falsity[p] + tile->first / 64, tile->words * sizeof *bits);
        }
    }
}

static int row_decide(void *context, const struct rf_batch *batch, const struct rf_rows *rows, uint32_t row,
                      uint32_t host)
{
    (void)context;
    (void)batch;
    (void)rows;
    return (int)((row * 2654435761u + host * 40503u) >> 7) % 3;
}

static void levels_check(struct eval_fixture *fixture, struct rf_eval *kept, struct rf_eval *tallied, uint32_t join_of)
{
    for (int isa = 0; isa <= (int)rf_isa_best(); isa++) {
        struct seen seen = {.kept = kept, .fixture = fixture, .join_of = join_of};
        const struct rf_eval_reader reader = {.context = &seen, .cut = block_cut, .tally = tile_check};
        const struct rf_host host = {NULL, row_decide};
        rf_eval_run(kept, (enum rf_isa)isa, &fixture->batch, &fixture->rows, &fixture->columns, &host);
        rf_eval_read(tallied, (enum rf_isa)isa, &fixture->batch, &fixture->rows, &fixture->columns, &host, &reader);
        for (uint32_t p = 0; p < fixture->program.predicates; p++) {
            assert_int_equal(seen.rows[p], fixture->rows.rows);
        }
        assert_true(join_of != ALWAYS || fixture->rows.rows <= RF_EVAL_BLOCK_ROWS || seen.joined != 0);
    }
}

/* ---- Programs ---- */

static uint32_t code_add(struct eval_fixture *fixture, enum rf_bool_op op, uint32_t a, uint32_t b)
{
    assert_true(fixture->program.code_count < FIXTURE_CODE);
    fixture->code[fixture->program.code_count] = (struct rf_bool){.op = op, .a = a, .b = b};
    return fixture->program.code_count++;
}

/* direction: 0 < <=, 1 > >=, 2 ==. Gives the first of its instructions. */
static uint32_t axis_add(struct eval_fixture *fixture, uint32_t slot, uint32_t direction, uint32_t sides, bool has_odd)
{
    static const enum rf_compare compare[][2] = {{RF_LT, RF_LE}, {RF_GT, RF_GE}, {RF_EQ, RF_EQ}};
    const uint32_t first = fixture->program.code_count;
    for (uint32_t i = 0; i < sides; i++) {
        const uint32_t atom = fixture->program.atoms++;
        assert_true(atom < FIXTURE_ATOMS);
        fixture->atom[atom] = (struct rf_atom){.kind = RF_ATOM_CMP_NUM,
                                               .compare = compare[direction][fixture_random(fixture, 2)],
                                               .slot = slot,
                                               .number = fixture_number(fixture, has_odd),
                                               .host = RF_NONE};
        if (fixture_random(fixture, 3) == 0) {
            fixture->atom[atom].number =
                (struct rf_number){.kind = RF_NUMBER_DOUBLE, .as.d = (double)fixture_random(fixture, 60) / 8 - 2};
        }
        (void)code_add(fixture, RF_BOOL_ATOM, atom, 0);
    }
    return first;
}

static void output_add(struct eval_fixture *fixture, uint32_t code)
{
    fixture->output[fixture->program.predicates++] = code;
}

static uint32_t counted(const struct rf_eval *eval)
{
    uint32_t count = 0;
    for (uint32_t p = 0; eval->plan->grids != NULL && p < eval->program->predicates; p++) {
        count += eval->plan->grids->is_counted[p];
    }
    return count;
}

static void program_check(struct eval_fixture *fixture, uint32_t counted_min)
{
    static const uint32_t sizes[] = {0, 1, 63, 64, 65, 1023, 1024, 1025, 2500, ROWS_MAX};
    struct rf_eval kept;
    struct rf_eval tallied;
    struct rf_error err;
    assert_int_equal(rf_eval_open(&kept, &fixture->program, ROWS_MAX, &err), RF_OK);
    assert_int_equal(rf_eval_open_tally(&tallied, &fixture->program, ROWS_MAX, &err), RF_OK);
    assert_null(kept.plan->grids);
    assert_true(counted(&tallied) >= counted_min);
    for (uint32_t i = 0; i < 4; i++) {
        fixture_rows(fixture, i == 0 ? ROWS_MAX : FIXTURE_PICK(fixture, sizes));
        levels_check(fixture, &kept, &tallied, i == 0 ? ALWAYS : i == 1 ? 0 : 1 + fixture_random(fixture, 4));
    }
    rf_eval_close(&tallied);
    rf_eval_close(&kept);
}

static void program_begin(struct eval_fixture *fixture)
{
    fixture_program(fixture, 0, 0);
    fixture->program.has_host = false;
}

/* One axis: each comparison a predicate, some of them two of its comparisons. */
static void test_one_axis(void **state)
{
    (void)state;
    static struct eval_fixture fixture;
    for (uint64_t seed = 1; seed <= 24; seed++) {
        static const uint32_t slot[] = {0, 2, 4};
        fixture_eval_open(&fixture, seed, ROWS_MAX);
        program_begin(&fixture);
        const uint32_t direction = (uint32_t)(seed % 3);
        (void)axis_add(&fixture, FIXTURE_PICK(&fixture, slot), direction, FIXTURE_ATOMS, seed % 2 == 0);
        for (uint32_t a = 0; a < FIXTURE_ATOMS; a++) {
            output_add(&fixture, a);
        }
        for (uint32_t i = 0; i < 100; i++) {
            output_add(&fixture, code_add(&fixture, RF_BOOL_AND, fixture_random(&fixture, FIXTURE_ATOMS),
                                          fixture_random(&fixture, FIXTURE_ATOMS)));
        }
        program_check(&fixture, direction == 2 ? 70 : 100); /* two equalities are not counted */
        fixture_eval_close(&fixture);
    }
}

/* Two axes, of two slots or of one, by all directions; other predicates that read the same comparisons beside them. */
static void test_two_axes(void **state)
{
    (void)state;
    static struct eval_fixture fixture;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        static const uint32_t slot[] = {0, 2, 4, 5};
        fixture_eval_open(&fixture, seed, ROWS_MAX);
        program_begin(&fixture);
        const uint32_t a_slot = FIXTURE_PICK(&fixture, slot);
        const uint32_t a_direction = fixture_random(&fixture, 3);
        uint32_t b_slot = FIXTURE_PICK(&fixture, slot);
        const uint32_t b_direction = fixture_random(&fixture, 3);
        b_slot = a_slot == b_slot && a_direction == b_direction ? (a_slot == 0 ? 2 : 0) : b_slot;
        const uint32_t a_sides = 4 + fixture_random(&fixture, AXIS_MAX - 4);
        const uint32_t b_sides = 4 + fixture_random(&fixture, AXIS_MAX - 4);
        const uint32_t a = axis_add(&fixture, a_slot, a_direction, a_sides, false);
        const uint32_t b = axis_add(&fixture, b_slot, b_direction, b_sides, false);
        for (uint32_t i = 0; i < 230; i++) {
            const uint32_t left = a + fixture_random(&fixture, a_sides);
            const uint32_t right = b + fixture_random(&fixture, b_sides);
            const bool is_turned = fixture_random(&fixture, 2) == 0;
            const uint32_t both = code_add(&fixture, RF_BOOL_AND, is_turned ? right : left, is_turned ? left : right);
            output_add(&fixture, both);
        }
        for (uint32_t i = 0; i < 30 && fixture.program.code_count < FIXTURE_CODE; i++) {
            static const enum rf_bool_op op[] = {RF_BOOL_NOT, RF_BOOL_OR, RF_BOOL_AND};
            const uint32_t last = fixture.program.code_count;
            output_add(&fixture, code_add(&fixture, FIXTURE_PICK(&fixture, op), fixture_random(&fixture, last),
                                          fixture_random(&fixture, last)));
        }
        program_check(&fixture, 200);
        fixture_eval_close(&fixture);
    }
}

/* Grids of several shapes over the same columns, and rules that no grid can count. */
static void test_grids_side_by_side(void **state)
{
    (void)state;
    static struct eval_fixture fixture;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        fixture_eval_open(&fixture, 500 + seed, ROWS_MAX);
        program_begin(&fixture);
        const uint32_t a = axis_add(&fixture, 0, 0, 12, false);
        const uint32_t b = axis_add(&fixture, 0, 1, 12, false);
        const uint32_t c = axis_add(&fixture, 2, (uint32_t)(seed % 3), 12, false);
        for (uint32_t i = 0; i < 270; i++) {
            const uint32_t left = i % 2 == 0 ? a : b;
            output_add(&fixture, code_add(&fixture, RF_BOOL_AND, left + fixture_random(&fixture, 12),
                                          (i % 4 == 0 ? b : c) + fixture_random(&fixture, 12)));
        }
        for (uint32_t i = 0; i < 20; i++) { /* three axes */
            output_add(&fixture, code_add(&fixture, RF_BOOL_AND, a + i % 12,
                                          code_add(&fixture, RF_BOOL_AND, b + i % 12, c + i % 12)));
        }
        program_check(&fixture, 130);
        fixture_eval_close(&fixture);
    }
}

/* An atom that is no comparison with a number and never asks. */
static uint32_t other_add(struct eval_fixture *fixture)
{
    static const enum rf_atom_kind kind[] = {RF_ATOM_TRUTH, RF_ATOM_HAS, RF_ATOM_EQ_NULL, RF_ATOM_CMP_STR,
                                             RF_ATOM_STARTS};
    const uint32_t atom = fixture->program.atoms++;
    fixture->atom[atom] = (struct rf_atom){.kind = FIXTURE_PICK(fixture, kind),
                                           .compare = RF_LE,
                                           .slot = fixture_random(fixture, FIXTURE_RAW),
                                           .string = fixture_string(fixture),
                                           .host = RF_NONE};
    return code_add(fixture, RF_BOOL_ATOM, atom, 0);
}

/* Sweeps below conditions of any kind, alone and several of them, and of three parameters; with results that are decided, and
 * asked for, beside them. */
static void test_guards(void **state)
{
    (void)state;
    static struct eval_fixture fixture;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        uint32_t guard[6];
        fixture_eval_open(&fixture, 1500 + seed, ROWS_MAX);
        program_begin(&fixture);
        const uint32_t a = axis_add(&fixture, 0, fixture_random(&fixture, 3), 20, false);
        const uint32_t b = axis_add(&fixture, 2, fixture_random(&fixture, 3), 20, false);
        const uint32_t c = axis_add(&fixture, 4, fixture_random(&fixture, 3), 3, false);
        guard[0] = other_add(&fixture);
        guard[1] = other_add(&fixture);
        guard[2] = code_add(&fixture, RF_BOOL_OR, guard[0], other_add(&fixture));
        guard[3] = code_add(&fixture, RF_BOOL_NOT, guard[1], 0);
        guard[4] = code_add(&fixture, seed % 4 == 0 ? RF_BOOL_ERROR : RF_BOOL_OR, guard[3], c);
        guard[5] = c + 1;
        const uint32_t first = fixture_random(&fixture, 6);
        const uint32_t second = seed % 3 == 0 ? fixture_random(&fixture, 6) : first;
        if (seed % 5 == 0) {
            const uint32_t atom = fixture.program.atoms++;
            fixture.atom[atom] = (struct rf_atom){.kind = RF_ATOM_HOST, .slot = RF_NONE, .host = 5};
            output_add(&fixture, code_add(&fixture, RF_BOOL_AND, code_add(&fixture, RF_BOOL_ATOM, atom, 0), guard[2]));
        }
        for (uint32_t i = 0; fixture.program.code_count + 8 < FIXTURE_CODE; i++) {
            const uint32_t left = a + fixture_random(&fixture, 20);
            const uint32_t right = b + fixture_random(&fixture, 20);
            uint32_t code = code_add(&fixture, RF_BOOL_AND, left, i % 2 == 0 ? guard[first] : right);
            if (second != first) {
                code = code_add(&fixture, RF_BOOL_AND, code, guard[second]);
            }
            output_add(&fixture, code_add(&fixture, RF_BOOL_AND, code, i % 2 == 0 ? right : guard[first]));
        }
        output_add(&fixture, code_add(&fixture, RF_BOOL_NOT, guard[first], 0));
        output_add(&fixture, guard[second]);
        program_check(&fixture, 90);
        fixture_eval_close(&fixture);
    }
}

/* A condition that asks is decided rule by rule, for the rows that need it. */
static void test_guard_that_asks(void **state)
{
    (void)state;
    static struct eval_fixture fixture;
    struct rf_eval tallied;
    struct rf_error err;
    fixture_eval_open(&fixture, 3, 64);
    program_begin(&fixture);
    (void)axis_add(&fixture, 0, 0, FIXTURE_ATOMS - 1, false);
    fixture.atom[FIXTURE_ATOMS - 1] = (struct rf_atom){.kind = RF_ATOM_HOST, .slot = RF_NONE, .host = 5};
    fixture.program.atoms++;
    const uint32_t guard = code_add(&fixture, RF_BOOL_ATOM, FIXTURE_ATOMS - 1, 0);
    for (uint32_t i = 0; i < FIXTURE_ATOMS - 1; i++) {
        output_add(&fixture, code_add(&fixture, RF_BOOL_AND, i, guard));
    }
    assert_int_equal(rf_eval_open_tally(&tallied, &fixture.program, 64, &err), RF_OK);
    assert_null(tallied.plan->grids);
    rf_eval_close(&tallied);
    fixture_eval_close(&fixture);
}

/* What grids leave alone: few predicates, constants that are NaN, columns that may ask the host, other connectives. */
static void test_not_counted(void **state)
{
    (void)state;
    static struct eval_fixture fixture;
    for (uint32_t kind = 0; kind < 4; kind++) {
        struct rf_eval tallied;
        struct rf_error err;
        fixture_eval_open(&fixture, 900 + kind, 64);
        program_begin(&fixture);
        const uint32_t sides = kind == 0 ? 30 : FIXTURE_ATOMS;
        (void)axis_add(&fixture, 0, 0, sides, false);
        for (uint32_t a = 0; a < sides; a++) {
            fixture.atom[a].number.kind = kind == 1 ? RF_NUMBER_DOUBLE : fixture.atom[a].number.kind;
            fixture.atom[a].number.as.d = kind == 1 ? NAN : fixture.atom[a].number.as.d;
            output_add(&fixture, kind == 3 ? code_add(&fixture, RF_BOOL_NOT, a, 0) : a);
        }
        fixture.slot[0].root = kind == 2 ? RF_ROOT_BINDING : RF_ROOT_MSG;
        assert_int_equal(rf_eval_open_tally(&tallied, &fixture.program, 64, &err), RF_OK);
        assert_null(tallied.plan->grids);
        rf_eval_close(&tallied);
        fixture_eval_close(&fixture);
    }
}

/* More blocks than a span holds are handed over in between. */
static void test_long_span(void **state)
{
    (void)state;
    enum { ROWS = (RF_EVAL_GRID_BLOCKS_MAX + 2) * RF_EVAL_BLOCK_ROWS + 5, SIDES = 80 };
    static struct eval_fixture fixture;
    struct rf_error err;
    struct rf_eval kept;
    struct rf_eval tallied;
    fixture_eval_open(&fixture, 7, ROWS);
    program_begin(&fixture);
    (void)axis_add(&fixture, 0, 1, SIDES, false);
    for (uint32_t a = 0; a < SIDES; a++) {
        output_add(&fixture, a);
    }
    fixture_rows(&fixture, 0);
    fixture.rows.rows = fixture.rows.lines = ROWS;
    memset(fixture.rows.status, RF_ROW_REJECTED, ROWS);
    memset(fixture.columns.slot[0].tag, RF_TAG_NUMBER, ROWS);
    for (uint32_t row = 0; row < ROWS; row++) {
        const double value = row % 7 == 0 ? 1e301 : -1e301; /* all or none */
        memcpy(&fixture.columns.slot[0].payload[row], &value, sizeof value);
    }
    assert_int_equal(rf_eval_open(&kept, &fixture.program, ROWS, &err), RF_OK);
    assert_int_equal(rf_eval_open_tally(&tallied, &fixture.program, ROWS, &err), RF_OK);
    assert_int_equal(counted(&tallied), SIDES);
    levels_check(&fixture, &kept, &tallied, ALWAYS);
    rf_eval_close(&tallied);
    rf_eval_close(&kept);
    fixture_eval_close(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_axis),           cmocka_unit_test(test_two_axes),
                                       cmocka_unit_test(test_grids_side_by_side), cmocka_unit_test(test_guards),
                                       cmocka_unit_test(test_guard_that_asks),    cmocka_unit_test(test_not_counted),
                                       cmocka_unit_test(test_long_span)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
