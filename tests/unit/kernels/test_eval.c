/* The eval stage: each instruction-set level against rf_eval_row and a plain three-valued evaluator, row by row. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "eval_fixture.h"
#include "eval_kernels.h"
#include "eval_plan.h"
#include "eval_rank.h"
#include "eval_set.h"
#include "utf8.h"

struct oracle {
    uint32_t asked;
};

static int oracle_answer(uint32_t row, uint32_t host)
{
    return (int)((row * 2654435761u + host * 40503u) >> 7) % 3;
}

static int oracle_decide(void *context, const struct rf_batch *batch, const struct rf_rows *rows, uint32_t row,
                         uint32_t host)
{
    struct oracle *oracle = context;
    assert_non_null(batch);
    assert_true(row < rows->rows);
    assert_true(rows->status[row] == RF_ROW_REJECTED);
    oracle->asked++;
    return oracle_answer(row, host);
}

/* 0 false, 1 true, 2 error, of every instruction in one row. */
static void evaluate_row(const struct eval_fixture *fixture, uint32_t row, struct rf_arena *scratch, int *value)
{
    for (uint32_t i = 0; i < fixture->program.code_count; i++) {
        const struct rf_bool *code = &fixture->program.code[i];
        switch (code->op) {
        case RF_BOOL_TRUE:
            value[i] = 1;
            break;
        case RF_BOOL_FALSE:
            value[i] = 0;
            break;
        case RF_BOOL_ERROR:
            value[i] = 2;
            break;
        case RF_BOOL_ATOM: {
            const struct rf_atom *atom = &fixture->program.atom[code->a];
            const enum rf_answer answer = rf_eval_row(atom, &fixture->columns, &fixture->batch, row, scratch);
            value[i] = answer == RF_ANSWER_HOST ? oracle_answer(row, atom->host) : (int)answer;
            break;
        }
        case RF_BOOL_NOT:
            value[i] = value[code->a] == 2 ? 2 : 1 - value[code->a];
            break;
        case RF_BOOL_AND:
            value[i] = value[code->a] == 0 || value[code->b] == 0   ? 0
                       : value[code->a] == 1 && value[code->b] == 1 ? 1
                                                                    : 2;
            break;
        case RF_BOOL_OR:
            value[i] = value[code->a] == 1 || value[code->b] == 1   ? 1
                       : value[code->a] == 0 && value[code->b] == 0 ? 0
                                                                    : 2;
            break;
        case RF_BOOL_SELECT:
            value[i] = value[code->a] == 2 ? 2 : value[value[code->a] == 1 ? code->b : code->c];
            break;
        }
    }
}

static void compare_results(const struct eval_fixture *fixture, const struct rf_eval *eval, enum rf_isa isa)
{
    int value[FIXTURE_CODE];
    struct rf_arena scratch;
    rf_arena_init(&scratch, 1 << 20);
    const uint32_t rows = fixture->rows.rows;
    for (uint32_t row = 0; row < rows; row++) {
        const bool is_live = fixture->rows.status[row] == RF_ROW_REJECTED;
        if (is_live) {
            rf_arena_reset(&scratch);
            evaluate_row(fixture, row, &scratch, value);
        }
        for (uint32_t p = 0; p < fixture->program.predicates; p++) {
            const int got = rf_bit_get(eval->truth[p], row) ? 1 : rf_bit_get(eval->falsity[p], row) ? 0 : 2;
            const uint32_t code = fixture->output[p];
            const int wanted = is_live ? value[code] : 2;
            if (got != wanted || (rf_bit_get(eval->truth[p], row) && rf_bit_get(eval->falsity[p], row))) {
                fail_msg("%s: row %u of %u, register %u (op %d, atom kind %d): %d instead of %d", rf_isa_name(isa), row,
                         rows, code, (int)fixture->code[code].op,
                         code < fixture->program.atoms ? (int)fixture->atom[code].kind : -1, got, wanted);
            }
        }
    }
    if (rows % 64 != 0) {
        for (uint32_t p = 0; p < fixture->program.predicates; p++) {
            assert_int_equal((eval->truth[p][rows / 64] | eval->falsity[p][rows / 64]) >> (rows % 64), 0);
        }
    }
    rf_arena_free(&scratch);
}

struct tally_fixture {
    const struct rf_eval *kept;
    uint32_t rows;      /* that blocks have come for */
    uint32_t decided;   /* predicates of the block */
    uint8_t *has_come;  /* [P] of the block */
};

/* Tiles must say of each predicate, once a block, what the results do that are kept. */
static void tile_compare(void *context, const struct rf_eval_tile *tile)
{
    struct tally_fixture *tally = context;
    const uint32_t predicates = tally->kept->program->predicates;
    assert_true(tile->count <= RF_EVAL_TILE_PREDICATES);
    if (tally->decided == predicates || tally->rows == 0) {
        assert_int_equal(tile->first, tally->rows);
        tally->rows += tile->rows;
        tally->decided = 0;
        memset(tally->has_come, 0, predicates);
    }
    for (uint32_t i = 0; i < tile->count; i++) {
        const uint32_t p = tile->predicate[i];
        uint64_t truth[RF_EVAL_BLOCK_WORDS];
        uint64_t falsity[RF_EVAL_BLOCK_WORDS];
        uint32_t hits = 0;
        uint32_t errors = 0;
        assert_false(tally->has_come[p]);
        tally->has_come[p] = true;
        tally->decided++;
        rf_eval_tile_truth(tile, i, truth);
        rf_eval_tile_falsity(tile, i, falsity);
        assert_memory_equal(truth, tally->kept->truth[p] + tile->first / 64, tile->words * sizeof *truth);
        assert_memory_equal(falsity, tally->kept->falsity[p] + tile->first / 64, tile->words * sizeof *falsity);
        for (uint32_t w = 0; w < tile->words; w++) {
            hits += (uint32_t)__builtin_popcountll(truth[w]);
            errors += (uint32_t)__builtin_popcountll(tile->live[w] & ~(truth[w] | falsity[w]));
        }
        assert_int_equal(tile->hits[i].hits, hits);
        assert_int_equal(tile->hits[i].errors, errors);
        for (uint32_t row = 0, seen = 0; row < tile->rows; row++) {
            if (rf_bit_get(truth, row)) {
                assert_true(seen != 0 || tile->hits[i].first == row);
                assert_true(++seen != hits || tile->hits[i].last == row);
            }
        }
    }
}

static void compare_tally(struct eval_fixture *fixture, const struct rf_eval *eval, enum rf_isa isa)
{
    struct rf_eval tallied;
    struct rf_error err;
    struct oracle oracle = {0};
    uint8_t has_come[FIXTURE_CODE];
    struct tally_fixture tally = {.kept = eval, .has_come = has_come};
    const struct rf_host host = {&oracle, oracle_decide};
    const struct rf_eval_reader reader = {.context = &tally, .tally = tile_compare};
    assert_int_equal(rf_eval_open_tally(&tallied, &fixture->program, eval->rows_max, &err), RF_OK);
    rf_eval_read(&tallied, isa, &fixture->batch, &fixture->rows, &fixture->columns, &host, &reader);
    assert_int_equal(tally.rows, fixture->rows.rows);
    assert_int_equal(tally.decided, fixture->rows.rows == 0 ? 0 : fixture->program.predicates);
    rf_eval_close(&tallied);
}

/* Every level of the machine against the oracle. */
static void compare_levels(struct eval_fixture *fixture, struct rf_eval *eval)
{
    for (int isa = 0; isa <= (int)rf_isa_best(); isa++) {
        struct oracle oracle = {0};
        const struct rf_host host = {&oracle, oracle_decide};
        rf_eval_run(eval, (enum rf_isa)isa, &fixture->batch, &fixture->rows, &fixture->columns, &host);
        compare_results(fixture, eval, (enum rf_isa)isa);
        compare_tally(fixture, eval, (enum rf_isa)isa);
    }
}

/* is_narrow: few predicates, so that the host is asked for some rows and atoms only. */
static void check_rounds(uint64_t seed, uint32_t rows_max, const uint32_t *sizes, size_t count, bool is_narrow)
{
    static struct eval_fixture fixture;
    struct rf_error err;
    fixture_eval_open(&fixture, seed, rows_max);
    fixture_program(&fixture, FIXTURE_ATOMS, is_narrow ? 200 : 40);
    if (is_narrow) {
        fixture.program.predicates = 12;
        for (uint32_t p = 0; p < 12; p++) {
            fixture.output[p] = fixture.program.code_count - 1 - p;
        }
    }
    struct rf_eval eval;
    assert_int_equal(rf_eval_open(&eval, &fixture.program, rows_max, &err), RF_OK);
    for (size_t i = 0; i < count; i++) {
        fixture_rows(&fixture, sizes[i]);
        fixture.rows.is_sparse = fixture_random(&fixture, 3) == 0;
        compare_levels(&fixture, &eval);
    }
    rf_eval_close(&eval);
    fixture_eval_close(&fixture);
}

static void test_eval_run(void **state)
{
    (void)state;
    static const uint32_t tails[] = {0, 1, 2, 63, 64, 65, 100, 127, 128, 129, 200};
    for (uint64_t seed = 1; seed <= 12; seed++) {
        check_rounds(seed, 200, tails, sizeof(tails) / sizeof(tails[0]), false);
        check_rounds(seed + 100, 200, tails, sizeof(tails) / sizeof(tails[0]), true);
    }
}

/* Every comparison with every constant over every kind of number. */
static void test_eval_run_numbers(void **state)
{
    (void)state;
    static struct eval_fixture fixture;
    struct rf_error err;
    fixture_eval_open(&fixture, 21, 640);
    for (int compare = RF_EQ; compare <= RF_GE; compare++) {
        fixture_program(&fixture, 0, 0);
        uint32_t atoms = 0;
        for (uint32_t slot = 0; slot <= 2; slot += 2) {
            const struct rf_atom atom = {
                .kind = RF_ATOM_CMP_NUM, .compare = (enum rf_compare)compare, .slot = slot, .host = RF_NONE};
            for (size_t i = 0; i < sizeof(fixture_int) / sizeof(fixture_int[0]); i++) {
                fixture.atom[atoms] = atom;
                fixture.atom[atoms++].number = (struct rf_number){.kind = RF_NUMBER_INT, .as.i = fixture_int[i]};
            }
            for (size_t i = 0; i < sizeof(fixture_uint) / sizeof(fixture_uint[0]); i++) {
                fixture.atom[atoms] = atom;
                fixture.atom[atoms++].number = (struct rf_number){.kind = RF_NUMBER_UINT, .as.u = fixture_uint[i]};
            }
            for (size_t i = 0; i < sizeof(fixture_double) / sizeof(fixture_double[0]); i++) {
                fixture.atom[atoms] = atom;
                fixture.atom[atoms++].number = (struct rf_number){.kind = RF_NUMBER_DOUBLE, .as.d = fixture_double[i]};
            }
        }
        assert_true(atoms <= FIXTURE_ATOMS);
        fixture.program.atoms = atoms;
        fixture.program.code_count = atoms;
        fixture.program.predicates = atoms;
        for (uint32_t i = 0; i < atoms; i++) {
            fixture.code[i] = (struct rf_bool){.op = RF_BOOL_ATOM, .a = i};
            fixture.output[i] = i;
        }
        struct rf_eval eval;
        assert_int_equal(rf_eval_open(&eval, &fixture.program, 640, &err), RF_OK);
        fixture_rows(&fixture, 640);
        for (int isa = 0; isa <= (int)rf_isa_best(); isa++) {
            rf_eval_run(&eval, (enum rf_isa)isa, &fixture.batch, &fixture.rows, &fixture.columns, NULL);
            compare_results(&fixture, &eval, (enum rf_isa)isa);
        }
        rf_eval_close(&eval);
    }
    fixture_eval_close(&fixture);
}

/* Without a host registers are shared: several tiles, values that live over many of them, results that are atoms, twice the
 * same result. */
static void test_eval_tiles(void **state)
{
    (void)state;
    enum { ATOMS = 20, PREDICATES = 300, ROWS = 1100 };
    static struct eval_fixture fixture;
    struct rf_error err;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        fixture_eval_open(&fixture, seed, ROWS);
        fixture_program(&fixture, FIXTURE_ATOMS, FIXTURE_CODE - FIXTURE_ATOMS);
        for (uint32_t a = 0; a < ATOMS; a++) {
            fixture.atom[a] = (struct rf_atom){.kind = RF_ATOM_CMP_NUM,
                                               .compare = (enum rf_compare)(a % 5),
                                               .slot = a % 3,
                                               .number = fixture_number(&fixture, true),
                                               .host = RF_NONE};
        }
        uint32_t code = 0;
        for (uint32_t i = 0; i < fixture.program.code_count; i++) {
            struct rf_bool *to = &fixture.code[i];
            if (i < ATOMS) {
                *to = (struct rf_bool){.op = RF_BOOL_ATOM, .a = i};
                continue;
            }
            static const enum rf_bool_op op[] = {RF_BOOL_NOT, RF_BOOL_AND, RF_BOOL_OR, RF_BOOL_SELECT, RF_BOOL_TRUE};
            /* Near ones and far ones. */
            const uint32_t near = i < 8 ? i : 8;
            *to = (struct rf_bool){.op = op[fixture_random(&fixture, i % 50 == 0 ? 5 : 4)],
                                   .a = fixture_random(&fixture, i),
                                   .b = i - 1 - fixture_random(&fixture, near),
                                   .c = fixture_random(&fixture, i)};
            code = i + 1;
        }
        fixture.program.atoms = ATOMS;
        fixture.program.code_count = code;
        fixture.program.predicates = PREDICATES;
        for (uint32_t p = 0; p < PREDICATES; p++) {
            fixture.output[p] = seed % 2 == 0 ? code - 1 - p % code : fixture_random(&fixture, code);
        }
        struct rf_eval eval;
        assert_int_equal(rf_eval_open(&eval, &fixture.program, ROWS, &err), RF_OK);
        fixture_rows(&fixture, seed % 4 == 0 ? ROWS : 130);
        compare_levels(&fixture, &eval);
        struct rf_eval tallied;
        assert_int_equal(rf_eval_open_tally(&tallied, &fixture.program, ROWS, &err), RF_OK);
        assert_true(tallied.plan->tiles == (PREDICATES + RF_EVAL_TILE_PREDICATES - 1) / RF_EVAL_TILE_PREDICATES);
        assert_true(tallied.plan->registers < eval.plan->registers);
        rf_eval_close(&tallied);
        rf_eval_close(&eval);
        fixture_eval_close(&fixture);
    }
}

/* Many comparisons of a column go by ranks: with every operator and constant over every kind of number, NaN among them. */
static void test_eval_ranks(void **state)
{
    (void)state;
    static struct eval_fixture fixture;
    struct rf_error err;
    for (uint64_t seed = 1; seed <= 24; seed++) {
        fixture_eval_open(&fixture, seed, 1100);
        fixture_program(&fixture, 0, 0);
        const uint32_t atoms = seed % 3 == 0 ? RF_EVAL_RANK_MIN - 1 : FIXTURE_ATOMS;
        for (uint32_t a = 0; a < atoms; a++) {
            fixture.atom[a] = (struct rf_atom){.kind = RF_ATOM_CMP_NUM,
                                               .compare = (enum rf_compare)fixture_random(&fixture, 5),
                                               .slot = seed % 2 == 0 ? 0 : 2,
                                               .number = fixture_number(&fixture, seed % 4 < 2),
                                               .host = RF_NONE};
            if (seed % 4 == 3) { /* at even distances, so that buckets hold few */
                fixture.atom[a].number =
                    (struct rf_number){.kind = RF_NUMBER_DOUBLE, .as.d = (double)fixture_random(&fixture, 60) / 8 - 2};
            }
            fixture.code[a] = (struct rf_bool){.op = RF_BOOL_ATOM, .a = a};
            fixture.output[a] = a;
        }
        fixture.program.atoms = fixture.program.code_count = fixture.program.predicates = atoms;
        struct rf_eval eval;
        assert_int_equal(rf_eval_open(&eval, &fixture.program, 1100, &err), RF_OK);
        bool has_rank = false;
        for (uint32_t s = 0; s < eval.plan->steps; s++) {
            has_rank = has_rank || eval.plan->step[s].rank != NULL;
        }
        assert_int_equal(has_rank, atoms >= RF_EVAL_RANK_MIN);
        fixture_rows(&fixture, seed % 4 == 0 ? 1100 : 200);
        compare_levels(&fixture, &eval);
        rf_eval_close(&eval);
        fixture_eval_close(&fixture);
    }
}

static void test_eval_run_blocks(void **state)
{
    (void)state;
    static const uint32_t blocks[] = {RF_EVAL_BLOCK_ROWS - 1, RF_EVAL_BLOCK_ROWS, RF_EVAL_BLOCK_ROWS + 1, 2100};
    check_rounds(77, 2100, blocks, sizeof(blocks) / sizeof(blocks[0]), false);
}

/* Raw records whose table does not adjoin must be searched one by one. */
static void test_eval_run_gaps(void **state)
{
    (void)state;
    static struct eval_fixture fixture;
    struct rf_error err;
    fixture_eval_open(&fixture, 5, 64);
    fixture_program(&fixture, FIXTURE_ATOMS, 0);
    struct rf_eval eval;
    assert_int_equal(rf_eval_open(&eval, &fixture.program, 64, &err), RF_OK);
    for (uint32_t skipped = 0; skipped < 10; skipped++) {
        fixture_rows(&fixture, 40);
        /* Drop one row of the table but leave its line in the batch, without saying so. */
        const uint32_t at = 3 * skipped;
        struct rf_column *raw = &fixture.columns.slot[FIXTURE_RAW];
        for (uint32_t row = at; row + 1 < 40; row++) {
            fixture.rows.begin[row] = raw->begin[row] = fixture.rows.begin[row + 1];
            fixture.rows.end[row] = fixture.rows.end[row + 1];
            raw->length[row] = raw->length[row + 1];
            raw->payload[row] = raw->payload[row + 1];
        }
        fixture.rows.rows = 39;
        compare_levels(&fixture, &eval);
    }
    rf_eval_close(&eval);
    fixture_eval_close(&fixture);
}

/* a && host: only rows where a is true or an error are asked; without a host they stay errors. */
static void test_eval_host(void **state)
{
    (void)state;
    static struct eval_fixture fixture;
    struct rf_error err;
    fixture_eval_open(&fixture, 9, 64);
    fixture_program(&fixture, 1, 0);
    fixture.atom[0] = (struct rf_atom){.kind = RF_ATOM_TRUTH, .slot = 3, .host = RF_NONE};
    fixture.atom[1] = (struct rf_atom){.kind = RF_ATOM_HOST, .slot = RF_NONE, .host = 5};
    fixture.program.atoms = 2;
    fixture.code[0] = (struct rf_bool){.op = RF_BOOL_ATOM, .a = 0};
    fixture.code[1] = (struct rf_bool){.op = RF_BOOL_ATOM, .a = 1};
    fixture.code[2] = (struct rf_bool){.op = RF_BOOL_AND, .a = 0, .b = 1};
    fixture.program.code_count = 3;
    fixture.program.predicates = 1;
    fixture.output[0] = 2;
    fixture_rows(&fixture, 60);
    uint32_t wanted = 0;
    for (uint32_t row = 0; row < 60; row++) {
        wanted += fixture.rows.status[row] == RF_ROW_REJECTED && fixture.columns.slot[3].tag[row] != RF_TAG_FALSE;
    }
    struct rf_eval eval;
    assert_int_equal(rf_eval_open(&eval, &fixture.program, 64, &err), RF_OK);
    for (int isa = 0; isa <= (int)rf_isa_best(); isa++) {
        struct oracle oracle = {0};
        const struct rf_host host = {&oracle, oracle_decide};
        rf_eval_run(&eval, (enum rf_isa)isa, &fixture.batch, &fixture.rows, &fixture.columns, &host);
        assert_int_equal(oracle.asked, wanted);
        assert_int_equal(eval.host_rows, ((uint64_t)isa + 1) * wanted);
        rf_eval_run(&eval, (enum rf_isa)isa, &fixture.batch, &fixture.rows, &fixture.columns, NULL);
        assert_int_equal(eval.truth[0][0], 0);
    }
    rf_eval_close(&eval);
    fixture_eval_close(&fixture);
}

struct row_case {
    enum rf_tag tag;
    struct rf_number number; /* of the cell, as its payload */
    struct rf_atom atom;
    enum rf_answer answer;
};

/* The definition itself, by hand. */
static void test_eval_row(void **state)
{
    (void)state;
#define INT(value)                                                                                                     \
    {                                                                                                                  \
        .kind = RF_NUMBER_INT, .as.i = (value)                                                                         \
    }
#define DBL(value)                                                                                                     \
    {                                                                                                                  \
        .kind = RF_NUMBER_DOUBLE, .as.d = (value)                                                                      \
    }
    static const struct rf_number two[] = {INT(1), INT(9007199254740993)};
    static const struct row_case cases[] = {
        {RF_TAG_TRUE, INT(1), {.kind = RF_ATOM_TRUTH}, RF_ANSWER_TRUE},
        {RF_TAG_FALSE, INT(0), {.kind = RF_ATOM_TRUTH}, RF_ANSWER_FALSE},
        {RF_TAG_NUMBER, DBL(1), {.kind = RF_ATOM_TRUTH}, RF_ANSWER_ERROR},
        {RF_TAG_NOPARENT, INT(0), {.kind = RF_ATOM_HAS}, RF_ANSWER_ERROR},
        {RF_TAG_ABSENT, INT(0), {.kind = RF_ATOM_HAS}, RF_ANSWER_FALSE},
        {RF_TAG_NULL, INT(0), {.kind = RF_ATOM_HAS}, RF_ANSWER_TRUE},
        {RF_TAG_RANGE, INT(0), {.kind = RF_ATOM_HAS}, RF_ANSWER_TRUE},
        {RF_TAG_NULL, INT(0), {.kind = RF_ATOM_EQ_NULL}, RF_ANSWER_TRUE},
        {RF_TAG_OBJECT, INT(0), {.kind = RF_ATOM_EQ_NULL}, RF_ANSWER_FALSE},
        {RF_TAG_ABSENT, INT(0), {.kind = RF_ATOM_EQ_NULL}, RF_ANSWER_ERROR},
        {RF_TAG_FALSE, INT(0), {.kind = RF_ATOM_CMP_BOOL, .compare = RF_LT, .number = INT(1)}, RF_ANSWER_TRUE},
        {RF_TAG_NULL, INT(0), {.kind = RF_ATOM_CMP_BOOL, .compare = RF_LT, .number = INT(1)}, RF_ANSWER_ERROR},
        {RF_TAG_NULL, INT(0), {.kind = RF_ATOM_CMP_BOOL, .number = INT(1)}, RF_ANSWER_FALSE},
        {RF_TAG_NUMBER, DBL(2.5), {.kind = RF_ATOM_CMP_NUM, .compare = RF_GT, .number = INT(2)}, RF_ANSWER_TRUE},
        {RF_TAG_BIGINT,
         INT(9007199254740993),
         {.kind = RF_ATOM_CMP_NUM, .compare = RF_EQ, .number = DBL(9007199254740992.0)},
         RF_ANSWER_FALSE},
        {RF_TAG_BIGINT,
         INT(9007199254740993),
         {.kind = RF_ATOM_CMP_NUM, .compare = RF_GT, .number = DBL(9007199254740992.0)},
         RF_ANSWER_TRUE},
        {RF_TAG_RANGE, INT(0), {.kind = RF_ATOM_CMP_NUM, .compare = RF_GT, .number = INT(2)}, RF_ANSWER_ERROR},
        {RF_TAG_TRUE, INT(1), {.kind = RF_ATOM_CMP_NUM, .compare = RF_EQ, .number = INT(1)}, RF_ANSWER_FALSE},
        {RF_TAG_DOUBLE, DBL(NAN), {.kind = RF_ATOM_CMP_NUM, .compare = RF_LE, .number = INT(1)}, RF_ANSWER_FALSE},
        {RF_TAG_BIGINT,
         INT(9007199254740993),
         {.kind = RF_ATOM_IN, .set = {.number = two, .numbers = 2}},
         RF_ANSWER_TRUE},
        {RF_TAG_NUMBER,
         DBL(9007199254740992.0),
         {.kind = RF_ATOM_IN, .set = {.number = two, .numbers = 2}},
         RF_ANSWER_FALSE},
        {RF_TAG_LIST, INT(0), {.kind = RF_ATOM_IN, .set = {.number = two, .numbers = 2}}, RF_ANSWER_FALSE},
        {RF_TAG_NULL, INT(0), {.kind = RF_ATOM_IN, .set = {.has_null = true}}, RF_ANSWER_TRUE},
        {RF_TAG_NUMBER, DBL(1), {.kind = RF_ATOM_CONTAINS}, RF_ANSWER_ERROR},
        {RF_TAG_LIST, INT(0), {.kind = RF_ATOM_SIZE, .number = INT(1)}, RF_ANSWER_HOST},
        {RF_TAG_NULL, INT(0), {.kind = RF_ATOM_SIZE, .number = INT(1)}, RF_ANSWER_ERROR},
        {RF_TAG_LIST, INT(0), {.kind = RF_ATOM_CMP_SLOT}, RF_ANSWER_HOST},
        {RF_TAG_NULL, INT(0), {.kind = RF_ATOM_CMP_SLOT}, RF_ANSWER_TRUE},
        {RF_TAG_NULL, INT(0), {.kind = RF_ATOM_CMP_SLOT, .compare = RF_LE}, RF_ANSWER_ERROR},
        {RF_TAG_NUMBER, DBL(4), {.kind = RF_ATOM_CMP_SLOT, .compare = RF_GE}, RF_ANSWER_TRUE},
        {RF_TAG_NUMBER, DBL(4), {.kind = RF_ATOM_HOST}, RF_ANSWER_HOST},
    };
    struct rf_error err;
    struct rf_columns columns;
    struct rf_batch batch = {.bytes = (const uint8_t *)"", .bytes_used = 0};
    assert_int_equal(rf_columns_open(&columns, 1, 64, &err), RF_OK);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        columns.slot[0].tag[0] = (uint8_t)cases[i].tag;
        memcpy(&columns.slot[0].payload[0], &cases[i].number.as, sizeof(uint64_t));
        columns.slot[0].begin[0] = 0;
        columns.slot[0].length[0] = 0;
        const enum rf_answer answer = rf_eval_row(&cases[i].atom, &columns, &batch, 0, NULL);
        if (answer != cases[i].answer) {
            fail_msg("case %zu: %d instead of %d", i, (int)answer, (int)cases[i].answer);
        }
    }
    rf_columns_close(&columns);
}

static void test_eval_row_text(void **state)
{
    (void)state;
    static const char bytes[128] = "abcdefghij\xc3\xa9";
    struct rf_batch batch = {.bytes = (const uint8_t *)bytes, .bytes_used = 12};
    struct rf_error err;
    struct rf_columns columns;
    assert_int_equal(rf_columns_open(&columns, 1, 64, &err), RF_OK);
    columns.slot[0].tag[0] = RF_TAG_STRING_RAW;
    columns.slot[0].payload[0] = rf_str_prefix((struct rf_str){bytes, 12});
    columns.slot[0].begin[0] = 0;
    columns.slot[0].length[0] = 12;
    static const struct {
        enum rf_atom_kind kind;
        enum rf_compare compare;
        const char *text;
        enum rf_answer answer;
    } cases[] = {
        {RF_ATOM_CMP_STR, RF_EQ, "abcdefghij\xc3\xa9", RF_ANSWER_TRUE},
        {RF_ATOM_CMP_STR, RF_EQ, "abcdefgh", RF_ANSWER_FALSE},
        {RF_ATOM_CMP_STR, RF_GT, "abcdefgh", RF_ANSWER_TRUE},
        {RF_ATOM_CMP_STR, RF_LT, "abcdefgi", RF_ANSWER_TRUE},
        {RF_ATOM_STARTS, RF_EQ, "abcdefghi", RF_ANSWER_TRUE},
        {RF_ATOM_STARTS, RF_EQ, "b", RF_ANSWER_FALSE},
        {RF_ATOM_ENDS, RF_EQ, "j\xc3\xa9", RF_ANSWER_TRUE},
        {RF_ATOM_ENDS, RF_EQ, "j", RF_ANSWER_FALSE},
        {RF_ATOM_CONTAINS, RF_EQ, "fgh", RF_ANSWER_TRUE},
        {RF_ATOM_CONTAINS, RF_EQ, "fh", RF_ANSWER_FALSE},
        {RF_ATOM_CONTAINS, RF_EQ, "", RF_ANSWER_TRUE},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct rf_atom atom = {
            .kind = cases[i].kind, .compare = cases[i].compare, .string = rf_str_of(cases[i].text)};
        assert_int_equal(rf_eval_row(&atom, &columns, &batch, 0, NULL), cases[i].answer);
    }
    const struct rf_atom size = {.kind = RF_ATOM_SIZE, .number = {.kind = RF_NUMBER_INT, .as.i = 11}};
    assert_int_equal(rf_eval_row(&size, &columns, &batch, 0, NULL), RF_ANSWER_TRUE);
    rf_columns_close(&columns);
}

static const struct rf_eval_kernels *const tables[RF_ISA_COUNT] = {
    &rf_eval_kernels_scalar,
#if defined(__x86_64__)
    &rf_eval_kernels_avx2,
    &rf_eval_kernels_avx512,
#endif
};

/* Texts over two letters: most places are candidates. */
static void test_contains(void **state)
{
    (void)state;
    uint64_t random = 3;
    char text[300 + RF_BATCH_PADDING];
    char part[80];
    for (int round = 0; round < 20000; round++) {
        random = random * 6364136223846793005ull + 1442695040888963407ull;
        const size_t text_count = (random >> 33) % 200;
        const size_t part_count = 1 + (random >> 45) % (round % 2 == 0 ? 4 : 70);
        for (size_t i = 0; i < sizeof(text); i++) {
            random = random * 6364136223846793005ull + 1442695040888963407ull;
            text[i] = (random >> 40) % 16 < (round % 3 == 0 ? 8 : 1) ? 'b' : 'a';
        }
        const size_t from = (random >> 33) % 220;
        memcpy(part, text + from, part_count);
        const struct rf_str needle = {part, part_count};
        const bool wanted = rf_str_contains((struct rf_str){text, text_count}, needle);
        for (int isa = 0; isa <= (int)rf_isa_best(); isa++) {
            assert_int_equal(
                tables[isa]->contains((struct rf_str){text, text_count}, text_count + RF_BATCH_PADDING, needle),
                wanted);
            assert_int_equal(tables[isa]->contains((struct rf_str){text, text_count}, text_count, needle), wanted);
        }
    }
}

/* A search that compares every place in full would take minutes. */
static void test_contains_hostile(void **state)
{
    (void)state;
    enum { COUNT = 8 * 1024 * 1024, PART = 64 * 1024 };
    char *text = malloc(COUNT + RF_BATCH_PADDING);
    char *part = malloc(PART);
    assert_non_null(text);
    assert_non_null(part);
    memset(text, 'a', COUNT + RF_BATCH_PADDING);
    memset(part, 'a', PART);
    part[PART - 2] = 'b';
    for (int isa = 0; isa <= (int)rf_isa_best(); isa++) {
        assert_false(
            tables[isa]->contains((struct rf_str){text, COUNT}, COUNT + RF_BATCH_PADDING, (struct rf_str){part, PART}));
    }
    free(part);
    free(text);
}

/* Every text against every part, at each level; what a kernel leaves undecided must be long, or not ASCII for sizes. */
static void test_short_texts(void **state)
{
    (void)state;
    enum { ROWS = 128, WORDS = ROWS / 64, EXTRA = 6 };
    static const struct rf_str extra[EXTRA] = {RF_STR("a\0b"),     RF_STR("\0"),   RF_STR("ab\0"),
                                               RF_STR("12345678"), RF_STR("5678"), RF_STR("\xc3\xa9t\xc3\xa9")};
    struct rf_str text[ROWS];
    uint64_t payload[ROWS];
    uint32_t length[ROWS];
    const uint64_t among[WORDS] = {~1ull, 0x7fffffffffffffffull};
    for (uint32_t row = 0; row < ROWS; row++) {
        text[row] = row % 7 == 6 ? extra[row / 7 % EXTRA] : rf_str_of(fixture_text[row % FIXTURE_POOL]);
        payload[row] = rf_str_prefix(text[row]);
        length[row] = (uint32_t)text[row].count;
    }
    uint64_t out[3][WORDS];
    uint64_t rest[3][WORDS];
    for (uint32_t p = 0; p < ROWS; p++) {
        const struct rf_str part = text[p];
        if (part.count == 0 || part.count > 8 || memchr(part.data, 0, part.count) != NULL) {
            continue;
        }
        const uint32_t unused = 64 - 8 * (uint32_t)part.count;
        const struct rf_eval_part wanted = {rf_str_prefix(part) >> unused, ~0ull >> unused, (uint32_t)part.count};
        const uint64_t sizes = 1ull << part.count | 1;
        for (int isa = 0; isa <= (int)rf_isa_best(); isa++) {
            tables[isa]->short_ends(payload, length, among, WORDS, wanted, out[0], rest[0]);
            tables[isa]->short_contains(payload, length, among, WORDS, wanted, out[1], rest[1]);
            tables[isa]->short_sizes(payload, length, among, WORDS, sizes, out[2], rest[2]);
            for (uint32_t row = 0; row < ROWS; row++) {
                const bool is_among = rf_bit_get(among, row);
                const bool is_long = text[row].count > 8;
                const size_t size = rf_utf8_length(text[row]);
                const bool is_ascii = size == text[row].count;
                const bool holds[3] = {rf_str_ends(text[row], part), rf_str_contains(text[row], part),
                                       size == 0 || size == part.count};
                for (int k = 0; k < 3; k++) {
                    const bool is_left = is_among && (is_long || (k == 2 && !is_ascii));
                    assert_int_equal(rf_bit_get(rest[k], row), is_left);
                    assert_int_equal(rf_bit_get(out[k], row), is_among && !is_left && holds[k]);
                }
            }
        }
    }
}

static void test_eval_set_make(void **state)
{
    (void)state;
    struct rf_error err;
    struct rf_arena arena;
    struct rf_eval_set set;
    uint64_t keys[1000];
    rf_arena_init(&arena, 1 << 20);
    for (uint32_t count = 0; count <= 1000; count += 125) {
        for (uint32_t i = 0; i < count; i++) {
            keys[i] = (uint64_t)(i / 2) * 0x100000000ull; /* each twice */
        }
        assert_int_equal(rf_eval_set_make(&set, keys, count, &arena, &err), RF_OK);
        for (uint32_t i = 0; i < 1000; i++) {
            assert_int_equal(rf_eval_set_has(&set, (uint64_t)i * 0x100000000ull), i < (count + 1) / 2);
            assert_false(rf_eval_set_has(&set, (uint64_t)i * 0x100000000ull + 1));
        }
    }
    rf_arena_free(&arena);
}

static void test_eval_open(void **state)
{
    (void)state;
    static struct eval_fixture fixture;
    struct rf_error err;
    struct rf_eval eval;
    fixture_eval_open(&fixture, 1, 64);
    fixture_program(&fixture, 0, 0);
    assert_int_equal(rf_eval_open(&eval, &fixture.program, 64, &err), RF_OK);
    fixture_rows(&fixture, 10);
    rf_eval_run(&eval, RF_ISA_SCALAR, &fixture.batch, &fixture.rows, &fixture.columns, NULL);
    assert_int_equal(eval.host_rows, 0);
    rf_eval_close(&eval);
    assert_null(eval.plan);
    rf_eval_close(&eval);
    fixture_eval_close(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_eval_open),        cmocka_unit_test(test_eval_row),
        cmocka_unit_test(test_eval_row_text),    cmocka_unit_test(test_eval_set_make),
        cmocka_unit_test(test_contains),         cmocka_unit_test(test_contains_hostile),
        cmocka_unit_test(test_eval_host),        cmocka_unit_test(test_eval_run),
        cmocka_unit_test(test_eval_run_blocks),
        cmocka_unit_test(test_eval_tiles),
        cmocka_unit_test(test_eval_ranks),
        cmocka_unit_test(test_eval_run_gaps),
        cmocka_unit_test(test_eval_run_numbers), cmocka_unit_test(test_short_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
