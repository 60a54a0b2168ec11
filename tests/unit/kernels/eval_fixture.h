/* eval_fixture.h: random columns with every tag, and random programs over them, for tests of the eval stage. */
#ifndef RF_EVAL_FIXTURE_H
#define RF_EVAL_FIXTURE_H

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "column.h"
#include "eval.h"
#include "eval_row.h"
#include "rows.h"

enum {
    FIXTURE_SLOTS = 7, /* six of the message, and raw */
    FIXTURE_RAW = 6,
    FIXTURE_ATOMS = 96,
    FIXTURE_CODE = 400,
    FIXTURE_POOL = 48, /* strings */
    FIXTURE_BATCH_BYTES = 512 * 1024
};

struct eval_fixture {
    uint64_t random;
    struct rf_program program;
    struct rf_slot slot[FIXTURE_SLOTS];
    struct rf_atom atom[FIXTURE_ATOMS];
    struct rf_arith arith[FIXTURE_ATOMS][8];
    struct rf_number number[FIXTURE_ATOMS][40];
    struct rf_str string[FIXTURE_ATOMS][40];
    struct rf_bool code[FIXTURE_CODE];
    uint32_t output[FIXTURE_CODE];
    struct rf_batch batch;
    struct rf_rows rows;
    struct rf_columns columns;
    uint8_t *bytes;
};

static inline uint32_t fixture_random(struct eval_fixture *fixture, uint32_t below)
{
    fixture->random = fixture->random * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)(fixture->random >> 33) % below;
}

static const char *const fixture_text[FIXTURE_POOL] = {
    "",
    "a",
    "b",
    "ab",
    "abc",
    "abcd",
    "abcdefg",
    "abcdefgh",
    "abcdefghi",
    "abcdefghij",
    "abcdefgX",
    "abcdefghX",
    "zzz",
    "MSFT",
    "AAPL",
    "GOOG",
    "IBM",
    "MS",
    "MSF",
    "MSFT1",
    "MSFTMSFT",
    "MSFTMSFTMSFT",
    "a longer text with words",
    "a longer text with word",
    "needle in a haystack of more than sixty-four bytes, so that two steps are needed: needle",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab",
    "caf\xc3\xa9",
    "\xc3\xa9\xc3\xa9\xc3\xa9",
    "\xf0\x9f\x98\x80\xf0\x9f\x98\x80",
    "a\tb",
    " ",
    "  ",
    "0",
    "1",
    "10",
    "100",
    "true",
    "null",
    "words",
    "word",
    "needle",
    "eed",
    "ee",
    "e",
    "x",
    "y",
    "yz",
    "z"};

static const double fixture_double[] = {0,
                                        -0.0,
                                        1,
                                        -1,
                                        2,
                                        2.5,
                                        410,
                                        410.5,
                                        1e300,
                                        -1e300,
                                        9007199254740992.0,
                                        9007199254740994.0,
                                        9223372036854775808.0,
                                        18446744073709551616.0,
                                        0.1,
                                        3,
                                        7};
static const int64_t fixture_int[] = {
    INT64_MIN,        INT64_MIN + 1,    -9007199254740993, -1,       0, 1, 2, 3, 410, 9007199254740991,
    9007199254740992, 9007199254740993, INT64_MAX - 1,     INT64_MAX};
static const uint64_t fixture_uint[] = {
    0, 1, 410, 9007199254740993u, INT64_MAX, INT64_MAX + 1ull, UINT64_MAX - 1, UINT64_MAX};

#define FIXTURE_PICK(fixture, table) ((table)[fixture_random((fixture), sizeof(table) / sizeof((table)[0]))])

static inline struct rf_number fixture_number(struct eval_fixture *fixture, bool has_odd)
{
    static const double odd[] = {NAN, INFINITY, -INFINITY};
    switch (fixture_random(fixture, has_odd ? 7 : 6)) {
    case 0:
    case 1:
        return (struct rf_number){.kind = RF_NUMBER_INT, .as.i = FIXTURE_PICK(fixture, fixture_int)};
    case 2:
        return (struct rf_number){.kind = RF_NUMBER_UINT, .as.u = FIXTURE_PICK(fixture, fixture_uint)};
    case 6:
        return (struct rf_number){.kind = RF_NUMBER_DOUBLE, .as.d = FIXTURE_PICK(fixture, odd)};
    default:
        return (struct rf_number){.kind = RF_NUMBER_DOUBLE, .as.d = FIXTURE_PICK(fixture, fixture_double)};
    }
}

static inline struct rf_str fixture_string(struct eval_fixture *fixture)
{
    return rf_str_of(FIXTURE_PICK(fixture, fixture_text));
}

static inline uint32_t fixture_place(struct eval_fixture *fixture, struct rf_str text)
{
    const uint32_t at = fixture->batch.bytes_used;
    assert(at + text.count <= FIXTURE_BATCH_BYTES);
    memcpy(fixture->bytes + at, text.data, text.count);
    fixture->batch.bytes_used += (uint32_t)text.count;
    return at;
}

static inline void fixture_cell(struct eval_fixture *fixture, uint32_t s, uint32_t row, enum rf_tag tag)
{
    struct rf_column *column = &fixture->columns.slot[s];
    const double message[] = {FIXTURE_PICK(fixture, fixture_double)};
    struct rf_number any = fixture_number(fixture, true);
    column->tag[row] = (uint8_t)tag;
    column->payload[row] = 0;
    column->begin[row] = 0;
    column->length[row] = 0;
    switch (tag) {
    case RF_TAG_NUMBER:
        memcpy(&column->payload[row], message, sizeof(message));
        break;
    case RF_TAG_DOUBLE:
        any.as.d = any.kind == RF_NUMBER_DOUBLE ? any.as.d : 0.5;
        memcpy(&column->payload[row], &any.as.d, sizeof(any.as.d));
        break;
    case RF_TAG_BIGINT:
    case RF_TAG_INT:
        column->payload[row] = (uint64_t)FIXTURE_PICK(fixture, fixture_int);
        break;
    case RF_TAG_BIGUINT:
    case RF_TAG_UINT:
        column->payload[row] = FIXTURE_PICK(fixture, fixture_uint);
        break;
    case RF_TAG_STRING_RAW:
    case RF_TAG_BYTES: {
        const struct rf_str text = fixture_string(fixture);
        column->begin[row] = fixture_place(fixture, text);
        column->length[row] = (uint32_t)text.count;
        column->payload[row] = rf_str_prefix(text);
        break;
    }
    case RF_TAG_STRING_ESCAPED: {
        const struct rf_str text = fixture_string(fixture);
        struct rf_columns *columns = &fixture->columns;
        assert(columns->side_used + text.count <= columns->side_bytes);
        memcpy(columns->side + columns->side_used, text.data, text.count);
        column->begin[row] = (uint32_t)columns->side_used | RF_SIDE_BIT;
        column->length[row] = (uint32_t)text.count;
        column->payload[row] = rf_str_prefix(text);
        columns->side_used += text.count;
        break;
    }
    case RF_TAG_TRUE:
        column->payload[row] = 1;
        break;
    case RF_TAG_LIST:
    case RF_TAG_OBJECT: {
        static const char *const lists[] = {"[]", "[1]", "[1,\"a\"]", "[[1],{}]"};
        static const char *const objects[] = {"{}", "{\"a\":1}", "{\"b\":[]}"};
        const struct rf_str text =
            rf_str_of(tag == RF_TAG_LIST ? FIXTURE_PICK(fixture, lists) : FIXTURE_PICK(fixture, objects));
        column->begin[row] = fixture_place(fixture, text);
        column->length[row] = (uint32_t)text.count;
        break;
    }
    default:
        break;
    }
}

/* Slot 0 mostly numbers, 1 mostly strings, 2 integers, 3 bools and nulls, 4 and 5 any tag. */
static inline enum rf_tag fixture_tag(struct eval_fixture *fixture, uint32_t s)
{
    static const enum rf_tag integers[] = {RF_TAG_BIGINT, RF_TAG_INT, RF_TAG_BIGUINT, RF_TAG_NUMBER, RF_TAG_UINT};
    static const enum rf_tag bools[] = {RF_TAG_TRUE, RF_TAG_FALSE, RF_TAG_NULL};
    if (s == 4 || s == 5 || fixture_random(fixture, 20) == 0) {
        return (enum rf_tag)fixture_random(fixture, RF_TAG_HOST); /* slots of records have no HOST */
    }
    return s == 0   ? RF_TAG_NUMBER
           : s == 1 ? RF_TAG_STRING_RAW
           : s == 2 ? FIXTURE_PICK(fixture, integers)
                    : FIXTURE_PICK(fixture, bools);
}

static inline void fixture_rows(struct eval_fixture *fixture, uint32_t rows)
{
    fixture->batch.bytes_used = 0;
    fixture->columns.side_used = 0;
    fixture->rows.rows = rows;
    fixture->rows.lines = rows;
    struct rf_column *raw = &fixture->columns.slot[FIXTURE_RAW];
    const bool has_crlf = fixture_random(fixture, 4) == 0;
    for (uint32_t row = 0; row < rows; row++) {
        const struct rf_str text = fixture_string(fixture);
        const uint32_t begin = fixture_place(fixture, text);
        raw->tag[row] = fixture_random(fixture, 50) == 0 ? RF_TAG_BYTES : RF_TAG_STRING_RAW;
        raw->begin[row] = begin;
        raw->length[row] = (uint32_t)text.count;
        raw->payload[row] = rf_str_prefix(text);
        fixture->rows.begin[row] = begin;
        fixture->rows.end[row] = begin + (uint32_t)text.count;
        static const uint8_t odd[] = {RF_ROW_MALFORMED, RF_ROW_BLANK};
        fixture->rows.status[row] = fixture_random(fixture, 30) == 0 ? FIXTURE_PICK(fixture, odd) : RF_ROW_REJECTED;
        (void)fixture_place(fixture, rf_str_of(has_crlf ? "\r\n" : "\n"));
    }
    for (uint32_t s = 0; s < FIXTURE_RAW; s++) {
        for (uint32_t row = 0; row < rows; row++) {
            fixture_cell(fixture, s, row, fixture_tag(fixture, s));
        }
    }
    memset(fixture->bytes + fixture->batch.bytes_used, 'a', RF_BATCH_PADDING);
}

static inline void fixture_set(struct eval_fixture *fixture, struct rf_atom *atom, uint32_t i)
{
    struct rf_number *number = fixture->number[i];
    struct rf_str *string = fixture->string[i];
    const uint32_t wanted = FIXTURE_PICK(fixture, ((const uint32_t[]){0, 1, 3, 7, 40}));
    uint32_t numbers = 0;
    uint32_t strings = 0;
    for (uint32_t k = 0; k < wanted; k++) { /* insertion keeps both lists sorted and distinct */
        const struct rf_number n = fixture_number(fixture, false);
        const struct rf_str text = fixture_string(fixture);
        uint32_t at = numbers;
        while (at > 0 && rf_number_compare(n, number[at - 1]) == RF_ORDER_LESS) {
            at--;
        }
        if (at == 0 || rf_number_compare(n, number[at - 1]) != RF_ORDER_EQUAL) {
            memmove(number + at + 1, number + at, (numbers++ - at) * sizeof(*number));
            number[at] = n;
        }
        for (at = strings; at > 0 && rf_str_compare(text, string[at - 1]) < 0;) {
            at--;
        }
        if (at == 0 || rf_str_compare(text, string[at - 1]) != 0) {
            memmove(string + at + 1, string + at, (strings++ - at) * sizeof(*string));
            string[at] = text;
        }
    }
    atom->set = (struct rf_set){.number = number,
                                .numbers = fixture_random(fixture, 3) == 0 ? 0 : numbers,
                                .string = string,
                                .strings = fixture_random(fixture, 3) == 0 ? 0 : strings,
                                .has_null = fixture_random(fixture, 4) == 0,
                                .has_false = fixture_random(fixture, 4) == 0,
                                .has_true = fixture_random(fixture, 4) == 0};
}

static inline void fixture_arith(struct eval_fixture *fixture, struct rf_atom *atom, uint32_t i)
{
    static const enum rf_arith_op ops[] = {RF_ARITH_ADD, RF_ARITH_SUB, RF_ARITH_MUL, RF_ARITH_DIV, RF_ARITH_MOD};
    struct rf_arith *code = fixture->arith[i];
    code[0] = (struct rf_arith){.op = RF_ARITH_SLOT, .slot = 0};
    code[1] = (struct rf_arith){.op = RF_ARITH_CONST, .constant = FIXTURE_PICK(fixture, fixture_double)};
    code[2] = (struct rf_arith){.op = FIXTURE_PICK(fixture, ops)};
    code[3] = (struct rf_arith){.op = RF_ARITH_SLOT, .slot = fixture_random(fixture, 2) == 0 ? 0 : 4};
    code[4] = (struct rf_arith){.op = RF_ARITH_NEG};
    atom->code = code;
    atom->code_count = fixture_random(fixture, 2) == 0 ? 4 : 5;
}

static inline void fixture_atom(struct eval_fixture *fixture, uint32_t i)
{
    struct rf_atom *atom = &fixture->atom[i];
    memset(atom, 0, sizeof(*atom));
    atom->kind = (enum rf_atom_kind)(i % (RF_ATOM_HOST + 1));
    atom->compare = (enum rf_compare)fixture_random(fixture, RF_GE + 1);
    atom->slot = fixture_random(fixture, FIXTURE_SLOTS);
    atom->other_slot = fixture_random(fixture, FIXTURE_SLOTS);
    atom->host = RF_NONE;
    atom->string = fixture_string(fixture);
    atom->number = fixture_number(fixture, true);
    switch (atom->kind) {
    case RF_ATOM_CMP_BOOL:
        atom->number = (struct rf_number){.kind = RF_NUMBER_INT, .as.i = fixture_random(fixture, 2)};
        break;
    case RF_ATOM_CMP_NUM:
        atom->slot = fixture_random(fixture, 4) == 0 ? 2 : 0;
        break;
    case RF_ATOM_CMP_STR:
    case RF_ATOM_STARTS:
    case RF_ATOM_ENDS:
        atom->slot = fixture_random(fixture, 2) == 0 ? 1 : atom->slot;
        break;
    case RF_ATOM_CONTAINS:
        atom->slot = fixture_random(fixture, 2) == 0 ? FIXTURE_RAW : 1;
        break;
    case RF_ATOM_SIZE:
        atom->number = (struct rf_number){.kind = RF_NUMBER_INT, .as.i = fixture_random(fixture, 12)};
        atom->host = i;
        break;
    case RF_ATOM_CMP_SLOT:
        atom->host = i;
        break;
    case RF_ATOM_IN:
        fixture_set(fixture, atom, i);
        break;
    case RF_ATOM_ARITH:
        fixture_arith(fixture, atom, i);
        atom->slot = RF_NONE;
        atom->host = i;
        break;
    case RF_ATOM_HOST:
        atom->slot = RF_NONE;
        atom->host = i;
        break;
    default:
        break;
    }
}

/* Every atom is a predicate of its own; behind them come random combinations, each a predicate too. */
static inline void fixture_program(struct eval_fixture *fixture, uint32_t atoms, uint32_t combinations)
{
    struct rf_program *program = &fixture->program;
    *program = (struct rf_program){.slot = fixture->slot,
                                   .slots = FIXTURE_SLOTS,
                                   .atom = fixture->atom,
                                   .atoms = atoms,
                                   .code = fixture->code,
                                   .output = fixture->output,
                                   .has_host = true};
    for (uint32_t s = 0; s < FIXTURE_SLOTS; s++) {
        fixture->slot[s].root = s == FIXTURE_RAW ? RF_ROOT_RAW : RF_ROOT_MSG;
    }
    for (uint32_t i = 0; i < atoms; i++) {
        fixture_atom(fixture, i);
        fixture->code[i] = (struct rf_bool){.op = RF_BOOL_ATOM, .a = i};
    }
    for (uint32_t i = atoms; i < atoms + combinations; i++) {
        const uint32_t kind = fixture_random(fixture, 12);
        fixture->code[i].op = kind < 3    ? (enum rf_bool_op)(RF_BOOL_TRUE + kind)
                              : kind < 5  ? RF_BOOL_NOT
                              : kind < 8  ? RF_BOOL_AND
                              : kind < 11 ? RF_BOOL_OR
                                          : RF_BOOL_SELECT;
        fixture->code[i].a = fixture_random(fixture, i);
        fixture->code[i].b = fixture_random(fixture, i);
        fixture->code[i].c = fixture_random(fixture, i);
    }
    program->code_count = atoms + combinations;
    program->predicates = program->code_count;
    for (uint32_t p = 0; p < program->predicates; p++) {
        fixture->output[p] = p;
    }
}

static inline void fixture_eval_open(struct eval_fixture *fixture, uint64_t seed, uint32_t rows_max)
{
    struct rf_error err;
    memset(fixture, 0, sizeof(*fixture));
    fixture->random = seed;
    fixture->bytes = malloc(FIXTURE_BATCH_BYTES + RF_BATCH_PADDING);
    fixture->batch.bytes = fixture->bytes;
    if (fixture->bytes == NULL || rf_rows_open(&fixture->rows, rows_max, &err) != RF_OK ||
        rf_columns_open(&fixture->columns, FIXTURE_SLOTS, rows_max, &err) != RF_OK ||
        rf_columns_reserve_side(&fixture->columns, FIXTURE_BATCH_BYTES, &err) != RF_OK) {
        abort();
    }
}

static inline void fixture_eval_close(struct eval_fixture *fixture)
{
    rf_columns_close(&fixture->columns);
    rf_rows_close(&fixture->rows);
    free(fixture->bytes);
}

#endif
