/* cell_fixture.h: calls of a function on values and on cells, which must agree: for the tests that compare the functions
 * on cells (calc.h) with those on values (operate.h).
 *
 * Use        cell_fixture_open, more values of one's own with cell_fixture_add (cell_pool.h), then cell_compare_random
 *            for a function, or cell_compare for one call.
 */
#ifndef CELL_FIXTURE_H
#define CELL_FIXTURE_H

#include "cell_pool.h"
#include "function.h"
#include "operate.h"

enum {
    CELL_ARGS_MAX = 8, /* of one call */
    CELL_TEXT_MAX = 64 /* bytes of a random text */
};

static inline uint64_t cell_random_bits(struct cell_fixture *fixture)
{
    fixture->random ^= fixture->random << 13;
    fixture->random ^= fixture->random >> 7;
    fixture->random ^= fixture->random << 17;
    return fixture->random;
}

static inline uint32_t cell_random(struct cell_fixture *fixture, uint32_t below)
{
    return (uint32_t)((cell_random_bits(fixture) >> 33) % below);
}

/* ---- Random arguments ---- */

/* Bits of any magnitude. */
static inline uint64_t cell_random_magnitude(struct cell_fixture *fixture)
{
    return cell_random_bits(fixture) >> cell_random(fixture, 64);
}

static inline double cell_random_double(struct cell_fixture *fixture)
{
    double number;
    const uint64_t bits = cell_random_bits(fixture);
    if (cell_random(fixture, 2) == 0) {
        return (double)(int64_t)cell_random_magnitude(fixture) / (double)(1u << cell_random(fixture, 8));
    }
    memcpy(&number, &bits, sizeof number);
    return isnan(number) ? 0.75 : number;
}

/* Pieces of the texts in the pool, cut between characters. */
static inline struct rf_value cell_random_text(struct cell_fixture *fixture)
{
    const struct cell_pool *const pool = &fixture->pool[RF_TYPE_STRING];
    char text[CELL_TEXT_MAX];
    size_t count = 0;
    for (uint32_t pieces = cell_random(fixture, 5); pieces != 0; pieces--) {
        const struct rf_str piece = pool->pair[cell_random(fixture, pool->count)].value.text;
        if (piece.count <= sizeof text - count) {
            memcpy(text + count, piece.data, piece.count);
            count += piece.count;
        }
    }
    if (count != 0 && cell_random(fixture, 2) == 0) {
        count = cell_random(fixture, (uint32_t)count);
        while (((unsigned char)text[count] & 0xC0) == 0x80) {
            count--;
        }
    }
    return rf_value_string(cell_text_copy((struct rf_str){text, count}, &fixture->trial));
}

static inline struct rf_value cell_random_message(struct cell_fixture *fixture)
{
    char token[RF_NUMBER_TEXT_MAX];
    size_t count = 0;
    switch (cell_random(fixture, 3)) {
    case 0:
        count =
            rf_int_to_text((int64_t)cell_random_magnitude(fixture) * (cell_random(fixture, 2) == 0 ? 1 : -1), token);
        break;
    case 1:
        count = rf_uint_to_text(cell_random_magnitude(fixture), token);
        break;
    default: {
        const double number = cell_random_double(fixture);
        count = rf_double_to_text(isfinite(number) ? number : 1.5, token);
        break;
    }
    }
    return cell_message(cell_text_copy((struct rf_str){token, count}, &fixture->trial));
}

/* A value of that pool's kind that is in no pool, where there are such. */
static inline bool cell_random_value(struct cell_fixture *fixture, int pool, struct rf_value *value)
{
    switch (pool) {
    case RF_TYPE_INT:
        *value = rf_value_int((int64_t)cell_random_magnitude(fixture) * (cell_random(fixture, 2) == 0 ? 1 : -1));
        return true;
    case RF_TYPE_UINT:
        *value = rf_value_uint(cell_random_magnitude(fixture));
        return true;
    case RF_TYPE_DOUBLE:
        *value = rf_value_double(cell_random_double(fixture));
        return true;
    case CELL_MESSAGE:
        *value = cell_random_message(fixture);
        return true;
    case RF_TYPE_STRING:
        *value = cell_random_text(fixture);
        return true;
    case RF_TYPE_TIMESTAMP: {
        const uint64_t range = (uint64_t)(RF_INSTANT_SECONDS_MAX - RF_INSTANT_SECONDS_MIN) + 1;
        *value =
            rf_value_instant((struct rf_instant){RF_INSTANT_SECONDS_MIN + (int64_t)(cell_random_bits(fixture) % range),
                                                 cell_random(fixture, RF_NANOSECONDS_PER_SECOND)});
        return true;
    }
    case RF_TYPE_DURATION:
        *value = rf_value_duration((int64_t)cell_random_magnitude(fixture) * (cell_random(fixture, 2) == 0 ? 1 : -1));
        return true;
    default:
        return false;
    }
}

/* Lives until the next call is compared. */
static inline struct cell_pair cell_random_pair(struct cell_fixture *fixture, int pool)
{
    struct rf_value value;
    if (cell_random(fixture, 3) == 0 && cell_random_value(fixture, pool, &value)) {
        struct cell_pair pair = {value, cell_of_value(value, &fixture->trial)};
        if (pool == RF_TYPE_STRING && cell_random(fixture, 2) == 0) {
            pair.cell.tag = RF_TAG_STRING_ESCAPED;
        }
        return pair;
    }
    return fixture->pool[pool].pair[cell_random(fixture, fixture->pool[pool].count)];
}

/* A pool that has something, with numbers and strings more often than the others. */
static inline int cell_random_pool(struct cell_fixture *fixture)
{
    static const int often[] = {RF_TYPE_INT, RF_TYPE_UINT, RF_TYPE_DOUBLE, CELL_MESSAGE, RF_TYPE_STRING};
    if (cell_random(fixture, 2) == 0) {
        return often[cell_random(fixture, sizeof often / sizeof often[0])];
    }
    int pool;
    do {
        pool = (int)cell_random(fixture, CELL_POOLS);
    } while (fixture->pool[pool].count == 0);
    return pool;
}

/* A pool with values of a type as function.def writes it. Message numbers are doubles, and whole ones may be ints. */
static inline int cell_pool_of(struct cell_fixture *fixture, struct rf_str type)
{
    static const struct {
        const char *name;
        int pool;
    } known[] = {{"bool", RF_TYPE_BOOL}, {"string", RF_TYPE_STRING},     {"bytes", RF_TYPE_BYTES},
                 {"list", RF_TYPE_LIST}, {"map", RF_TYPE_MAP},           {"timestamp", RF_TYPE_TIMESTAMP},
                 {"uint", RF_TYPE_UINT}, {"optional", RF_TYPE_OPTIONAL}, {"duration", RF_TYPE_DURATION},
                 {"ip", RF_TYPE_IP},     {"cidr", RF_TYPE_CIDR}};
    const uint32_t turn = cell_random(fixture, 4);
    if (rf_str_equal(type, RF_STR("number"))) {
        return turn == 0 ? RF_TYPE_INT : turn == 1 ? RF_TYPE_UINT : turn == 2 ? RF_TYPE_DOUBLE : CELL_MESSAGE;
    }
    if (rf_str_equal(type, RF_STR("int"))) {
        return turn == 0 ? CELL_MESSAGE : RF_TYPE_INT;
    }
    if (rf_str_equal(type, RF_STR("double"))) {
        return turn < 2 ? CELL_MESSAGE : RF_TYPE_DOUBLE;
    }
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (rf_str_starts(type, rf_str_of(known[i].name))) {
            return known[i].pool;
        }
    }
    return cell_random_pool(fixture);
}

/* Pools for the arguments of one of the function's signatures; returns how many it has. Arguments of one letter are of one
 * type. */
static inline uint32_t cell_random_signature(struct cell_fixture *fixture, enum rf_function function,
                                             int pool[CELL_ARGS_MAX])
{
    const char *at = rf_function_info(function)->signatures;
    assert_true(*at != '\0');
    uint32_t overloads = 1;
    for (const char *c = at; *c != '\0'; c++) {
        overloads += *c == ';';
    }
    for (uint32_t skipped = cell_random(fixture, overloads); skipped != 0; skipped--) {
        at = strchr(at, ';') + 1;
        at += strspn(at, " ");
    }
    int pool_of_letter = -1;
    uint32_t args = 0;
    while (*at != '>') {
        int depth = 0;
        size_t count = 0;
        while (depth != 0 || (at[count] != ',' && at[count] != '>')) {
            depth += (at[count] == '(') - (at[count] == ')');
            count++;
        }
        assert_true(args < CELL_ARGS_MAX);
        pool[args] =
            count == 1 && pool_of_letter >= 0 ? pool_of_letter : cell_pool_of(fixture, (struct rf_str){at, count});
        pool_of_letter = count == 1 ? pool[args] : pool_of_letter;
        args++;
        at += count + (at[count] == ',');
    }
    return args;
}

/* Arguments that mostly fit the function; returns how many. */
static inline uint32_t cell_random_args(struct cell_fixture *fixture, enum rf_function function,
                                        struct cell_pair arg[CELL_ARGS_MAX])
{
    int pool[CELL_ARGS_MAX];
    const uint32_t args_max = rf_function_info(function)->args_max;
    uint32_t args = cell_random_signature(fixture, function, pool);
    while (args > 1 && args < args_max && args < CELL_ARGS_MAX && cell_random(fixture, 2) == 0) {
        pool[args] = cell_pool_of(fixture, RF_STR("number"));
        args++;
    }
    const uint32_t turn = cell_random(fixture, 8);
    for (uint32_t i = 0; i < args; i++) {
        const bool is_any = turn == 0 || (turn == 1 && i == args - 1) || (turn == 2 && i == 0);
        arg[i] = cell_random_pair(fixture, is_any ? cell_random_pool(fixture) : pool[i]);
    }
    return args;
}

/* ---- Comparison ---- */

/* As calc.c has it: functions on lists pass on what is none. */
static inline rf_calc_op cell_op_of(enum rf_function function)
{
    rf_calc_op (*const family[])(enum rf_function) = {rf_calc_list_op,    rf_calc_split_op, rf_calc_number_op,
                                                      rf_calc_convert_op, rf_calc_text_op,  rf_calc_time_op,
                                                      rf_calc_code_op,    rf_calc_net_op,   rf_calc_format_op};
    rf_calc_op op = NULL;
    for (size_t i = 0; i < sizeof family / sizeof family[0] && op == NULL; i++) {
        op = family[i](function);
    }
    return op;
}

struct cell_counts {
    uint32_t calls, errors, hosts;
};

/* One call on values and on cells, which must agree. is_host: there is no form for these cells, and they must say so. */
static inline void cell_compare(struct cell_fixture *fixture, const struct rf_calc *calc, const struct cell_pair *arg,
                                bool is_host, struct cell_counts *counts)
{
    struct rf_value value[CELL_ARGS_MAX];
    struct rf_cell cell[CELL_ARGS_MAX];
    struct rf_cell out = {.tag = RF_TAG_ERROR, .text = ""};
    assert_true(calc->args <= CELL_ARGS_MAX);
    for (uint32_t i = 0; i < calc->args; i++) {
        value[i] = arg[i].value;
        cell[i] = arg[i].cell;
    }
    const struct rf_value wanted = rf_operate(calc->function, value, calc->args, calc->is_strict_cel, &fixture->trial);
    const rf_calc_op op = cell_op_of(calc->function);
    assert_non_null(op);
    op(&(struct rf_calc_run){.calc = calc, .scratch = &fixture->scratch}, cell, &out);
    if (is_host ? out.tag != RF_TAG_HOST : !cell_is_value(&out, wanted, &fixture->trial)) {
        char shown[CELL_SHOWN_MAX];
        print_error("%s%s\n", rf_function_info(calc->function)->text, calc->is_strict_cel ? ", strict" : "");
        for (uint32_t i = 0; i < calc->args; i++) {
            print_error("argument  %s\n", cell_show(&cell[i], shown));
        }
        print_error("gives     %s\n", cell_show(&out, shown));
        if (is_host) {
            fail_msg("the interpreter should have been asked");
        }
        fail_msg("not of type %s: %.*s", rf_type_name(wanted.type), RF_STR_ARG(wanted.text));
    }
    counts->calls++;
    counts->errors += out.tag == RF_TAG_ERROR;
    counts->hosts += out.tag == RF_TAG_HOST;
    rf_arena_reset(&fixture->trial);
    rf_arena_reset(&fixture->scratch);
}

/* Whether the cells of these arguments are beyond the function on cells. */
typedef bool cell_host_rule(enum rf_function function, const struct cell_pair *arg, uint32_t args);

static inline struct cell_counts cell_compare_random(struct cell_fixture *fixture, enum rf_function function,
                                                     uint32_t calls, cell_host_rule *is_host)
{
    struct cell_counts counts = {0};
    for (uint32_t i = 0; i < calls; i++) {
        struct cell_pair arg[CELL_ARGS_MAX] = {{.cell = {.text = ""}}};
        struct rf_calc calc = {.function = function, .is_strict_cel = cell_random(fixture, 4) == 0};
        calc.args = cell_random_args(fixture, function, arg);
        cell_compare(fixture, &calc, arg, is_host(function, arg, calc.args), &counts);
    }
    return counts;
}

#endif
