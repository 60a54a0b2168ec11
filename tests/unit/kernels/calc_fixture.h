/* calc_fixture.h: for the tests of functions on cells: short ways to make cells, to call a function, and to say what it
 * must give. */
#ifndef CALC_FIXTURE_H
#define CALC_FIXTURE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "calc_list.h"

static struct rf_arena scratch;

static int set_up(void **state)
{
    (void)state;
    rf_arena_init(&scratch, 1 << 20);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    rf_arena_free(&scratch);
    return 0;
}

/* ---- Cells ---- */

static inline struct rf_cell null_cell(void)
{
    return (struct rf_cell){.tag = RF_TAG_NULL, .text = ""};
}

static inline struct rf_cell str(const char *text)
{
    return rf_cell_of_text(rf_str_of(text), RF_TAG_STRING_RAW);
}

static inline struct rf_cell escaped(const char *text)
{
    return rf_cell_of_text(rf_str_of(text), RF_TAG_STRING_ESCAPED);
}

static inline struct rf_cell bytes(const char *text)
{
    return rf_cell_of_text(rf_str_of(text), RF_TAG_BYTES);
}

static inline struct rf_cell type_cell(const char *name)
{
    return rf_cell_of_text(rf_str_of(name), RF_TAG_TYPE);
}

static inline struct rf_cell list(const char *json)
{
    return rf_cell_of_text(rf_str_of(json), RF_TAG_LIST);
}

static inline struct rf_cell object(const char *json)
{
    return rf_cell_of_text(rf_str_of(json), RF_TAG_OBJECT);
}

static inline struct rf_cell real(double value)
{
    return rf_cell_of_double(value, RF_TAG_DOUBLE);
}

static inline struct rf_cell items(const struct rf_cell *item, uint32_t count)
{
    return rf_cell_of_items(item, count, RF_TAG_ITEMS);
}

static inline struct rf_cell entries(const struct rf_cell *entry, uint32_t count)
{
    return rf_cell_of_items(entry, count, RF_TAG_ENTRIES);
}

static inline struct rf_cell optional(const struct rf_cell *inner)
{
    return rf_cell_of_optional(inner);
}

/* A message number within the doubles. */
static inline struct rf_cell number(double value)
{
    return rf_cell_of_double(value, RF_TAG_NUMBER);
}

static inline struct rf_cell big(int64_t value)
{
    struct rf_cell cell = rf_cell_of_int(value);
    cell.tag = RF_TAG_BIGINT;
    return cell;
}

static inline struct rf_cell big_uint(uint64_t value)
{
    struct rf_cell cell = rf_cell_of_uint(value);
    cell.tag = RF_TAG_BIGUINT;
    return cell;
}

static inline struct rf_cell instant(int64_t seconds, uint32_t nanos)
{
    return rf_cell_of_instant((struct rf_instant){seconds, nanos});
}

static inline struct rf_cell duration(int64_t nanoseconds)
{
    return (struct rf_cell){.tag = RF_TAG_DURATION, .payload = (uint64_t)nanoseconds, .text = ""};
}

/* An address or network by its text. */
static inline struct rf_cell net_cell(const char *text)
{
    struct rf_cidr *net = RF_PUSH(&scratch, struct rf_cidr, 1);
    assert_non_null(net);
    const bool is_cidr = strchr(text, '/') != NULL;
    assert_int_equal(is_cidr ? rf_cidr_parse(rf_str_of(text), net) : rf_ip_parse(rf_str_of(text), &net->ip), RF_IP_OK);
    return rf_cell_of_net(net, is_cidr ? RF_TAG_CIDR : RF_TAG_IP);
}

/* ---- Calls ---- */

static inline struct rf_cell call_cells(enum rf_function function, bool is_strict_cel, uint32_t args,
                                        const struct rf_cell *arg)
{
    rf_calc_op (*const family[])(enum rf_function) = {rf_calc_number_op, rf_calc_convert_op, rf_calc_time_op,
                                                      rf_calc_net_op, rf_calc_format_op};
    rf_calc_op op = NULL;
    for (size_t i = 0; i < sizeof family / sizeof family[0] && op == NULL; i++) {
        op = family[i](function);
    }
    assert_non_null(op);
    const struct rf_calc calc = {.function = function, .is_strict_cel = is_strict_cel, .args = args};
    struct rf_cell out = {.tag = RF_TAG_ERROR, .text = ""};
    op(&(struct rf_calc_run){.calc = &calc, .scratch = &scratch}, arg, &out);
    return out;
}

static inline struct rf_cell call_one(enum rf_function function, struct rf_cell a)
{
    return call_cells(function, false, 1, &a);
}

static inline struct rf_cell call_two(enum rf_function function, struct rf_cell a, struct rf_cell b)
{
    return call_cells(function, false, 2, (struct rf_cell[]){a, b});
}

/* With message numbers taken as plain doubles. */
static inline struct rf_cell strict_one(enum rf_function function, struct rf_cell a)
{
    return call_cells(function, true, 1, &a);
}

static inline struct rf_cell strict_two(enum rf_function function, struct rf_cell a, struct rf_cell b)
{
    return call_cells(function, true, 2, (struct rf_cell[]){a, b});
}

/* ---- What they give ---- */

static inline void expect_tag(struct rf_cell cell, enum rf_tag tag)
{
    assert_int_equal(cell.tag, tag);
}

static inline void expect_error(struct rf_cell cell)
{
    expect_tag(cell, RF_TAG_ERROR);
}

static inline void expect_host(struct rf_cell cell)
{
    expect_tag(cell, RF_TAG_HOST);
}

static inline void expect_bool(struct rf_cell cell, bool value)
{
    expect_tag(cell, value ? RF_TAG_TRUE : RF_TAG_FALSE);
    assert_true(cell.payload == value);
}

static inline void expect_int(struct rf_cell cell, int64_t value)
{
    expect_tag(cell, RF_TAG_INT);
    assert_true((int64_t)cell.payload == value);
}

static inline void expect_uint(struct rf_cell cell, uint64_t value)
{
    expect_tag(cell, RF_TAG_UINT);
    assert_true(cell.payload == value);
}

/* tag: DOUBLE or NUMBER. NaN is like NaN, -0 is not like 0. */
static inline void expect_double(struct rf_cell cell, double value, enum rf_tag tag)
{
    expect_tag(cell, tag);
    const double got = rf_cell_double(&cell);
    assert_true(isnan(value) ? isnan(got) : got == value && !signbit(got) == !signbit(value));
}

static inline void expect_real(struct rf_cell cell, double value)
{
    expect_double(cell, value, RF_TAG_DOUBLE);
}

static inline void expect_number(struct rf_cell cell, double value)
{
    expect_double(cell, value, RF_TAG_NUMBER);
}

static inline void expect_octets(struct rf_cell cell, enum rf_tag tag, struct rf_str text)
{
    expect_tag(cell, tag);
    assert_int_equal(cell.length, text.count);
    assert_memory_equal(cell.text, text.data, text.count);
    assert_true(cell.payload == rf_str_prefix(text));
}

static inline void expect_str(struct rf_cell cell, const char *text)
{
    expect_octets(cell, RF_TAG_STRING_RAW, rf_str_of(text));
}

static inline void expect_instant(struct rf_cell cell, int64_t seconds, uint32_t nanos)
{
    expect_tag(cell, RF_TAG_TIMESTAMP);
    assert_true((int64_t)cell.payload == seconds);
    assert_int_equal(cell.length, nanos);
}

static inline void expect_duration(struct rf_cell cell, int64_t nanoseconds)
{
    expect_tag(cell, RF_TAG_DURATION);
    assert_true((int64_t)cell.payload == nanoseconds);
}

/* Each cell of another tag than those (a bit for each) makes the function of one argument an error. */
static inline void expect_only(enum rf_function function, uint32_t tags)
{
    const struct rf_cell every[] = {null_cell(),
                                    rf_cell_of_bool(false),
                                    rf_cell_of_bool(true),
                                    number(1),
                                    big((INT64_C(1) << 53) + 1),
                                    big_uint((UINT64_C(1) << 63) + 1),
                                    str("1"),
                                    escaped("1"),
                                    rf_cell_of_int(1),
                                    rf_cell_of_uint(1),
                                    real(1),
                                    bytes("1"),
                                    list("[]"),
                                    items(NULL, 0),
                                    object("{}"),
                                    entries(NULL, 0),
                                    optional(NULL),
                                    instant(0, 0),
                                    duration(1),
                                    type_cell("int"),
                                    net_cell("127.0.0.1"),
                                    net_cell("10.0.0.0/8")};
    for (size_t i = 0; i < sizeof every / sizeof every[0]; i++) {
        const bool is_taken = call_one(function, every[i]).tag != RF_TAG_ERROR;
        if (is_taken != ((tags >> every[i].tag & 1) != 0)) {
            fail_msg("a cell of tag %d is %s", (int)every[i].tag, is_taken ? "taken" : "refused");
        }
    }
}

enum {
    TAGS_MESSAGE = 1u << RF_TAG_NUMBER | 1u << RF_TAG_BIGINT | 1u << RF_TAG_BIGUINT,
    TAGS_DOUBLE = TAGS_MESSAGE | 1u << RF_TAG_DOUBLE,
    TAGS_WHOLE = 1u << RF_TAG_INT | 1u << RF_TAG_UINT,
    TAGS_LIST = 1u << RF_TAG_LIST | 1u << RF_TAG_ITEMS,
    TAGS_MAP = 1u << RF_TAG_OBJECT | 1u << RF_TAG_ENTRIES,
    TAGS_STRING = 1u << RF_TAG_STRING_RAW | 1u << RF_TAG_STRING_ESCAPED,
    TAGS_BOOL = 1u << RF_TAG_FALSE | 1u << RF_TAG_TRUE
};

#endif
