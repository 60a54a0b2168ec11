/* family_fixture.h: for the tests of operate_<family>.c: calls of a family's function, and what they must give. */
#ifndef FAMILY_FIXTURE_H
#define FAMILY_FIXTURE_H

#include "arena_fixture.h"
#include "operate.h"
#include "value_fixture.h"

typedef struct rf_value family_operate(enum rf_function function, const struct rf_value *args, uint32_t count,
                                       struct rf_arena *in);

static inline struct rf_value call_one(family_operate *operate, enum rf_function function, struct rf_value a)
{
    return operate(function, &a, 1, &arena);
}

static inline struct rf_value call_two(family_operate *operate, enum rf_function function, struct rf_value a,
                                       struct rf_value b)
{
    const struct rf_value args[] = {a, b};
    return operate(function, args, 2, &arena);
}

static inline struct rf_value list_of(const struct rf_value *item, size_t count)
{
    struct rf_list *list = RF_PUSH(&arena, struct rf_list, 1);
    assert_non_null(list);
    *list = (struct rf_list){.count = count, .item = item};
    return (struct rf_value){.type = RF_TYPE_LIST, .list = list};
}

static inline struct rf_value map_of(const struct rf_entry *entry, size_t count)
{
    struct rf_map *map = RF_PUSH(&arena, struct rf_map, 1);
    assert_non_null(map);
    *map = (struct rf_map){.count = count, .entry = entry};
    return (struct rf_value){.type = RF_TYPE_MAP, .map = map};
}

static inline struct rf_value net_of(enum rf_type type, struct rf_cidr cidr)
{
    struct rf_cidr *net = RF_PUSH(&arena, struct rf_cidr, 1);
    assert_non_null(net);
    *net = cidr;
    return (struct rf_value){.type = type, .net = net};
}

static inline struct rf_value instant(int64_t seconds, uint32_t nanos)
{
    return rf_value_instant((struct rf_instant){seconds, nanos});
}

static inline void expect_type(struct rf_value value, enum rf_type type)
{
    if (value.type != type) {
        fail_msg("%s '%.*s' where %s is wanted", rf_type_name(value.type), RF_STR_ARG(value.text), rf_type_name(type));
    }
}

static inline void expect_int(struct rf_value value, int64_t number)
{
    expect_type(value, RF_TYPE_INT);
    assert_int_equal(value.exact.kind, RF_NUMBER_INT);
    assert_true(value.exact.as.i == number);
}

static inline void expect_uint(struct rf_value value, uint64_t number)
{
    expect_type(value, RF_TYPE_UINT);
    assert_int_equal(value.exact.kind, RF_NUMBER_UINT);
    assert_true(value.exact.as.u == number);
}

/* Of that value and that sign, NaN among them; nothing is left of a token. */
static inline void expect_double(struct rf_value value, double number, bool is_message)
{
    expect_type(value, RF_TYPE_DOUBLE);
    assert_int_equal(value.exact.kind, RF_NUMBER_DOUBLE);
    if (isnan(number)) {
        assert_true(isnan(value.exact.as.d));
    } else {
        assert_true(value.exact.as.d == number && !signbit(value.exact.as.d) == !signbit(number));
    }
    assert_int_equal(value.is_message, is_message);
    assert_int_equal(value.text.count, 0);
}

static inline void expect_bool(struct rf_value value, bool truth)
{
    expect_type(value, RF_TYPE_BOOL);
    assert_int_equal(value.boolean, truth);
}

static inline void expect_text(struct rf_value value, enum rf_type type, struct rf_str text)
{
    expect_type(value, type);
    if (!rf_str_equal(value.text, text)) {
        fail_msg("'%.*s' where '%.*s' is wanted", RF_STR_ARG(value.text), RF_STR_ARG(text));
    }
}

static inline void expect_str(struct rf_value value, const char *text)
{
    expect_text(value, RF_TYPE_STRING, rf_str_of(text));
}

static inline void expect_instant(struct rf_value value, int64_t seconds, uint32_t nanos)
{
    expect_type(value, RF_TYPE_TIMESTAMP);
    assert_true(value.exact.as.i == seconds && value.nanos == nanos);
}

static inline void expect_duration(struct rf_value value, int64_t nanoseconds)
{
    expect_type(value, RF_TYPE_DURATION);
    assert_true(value.exact.as.i == nanoseconds && value.nanos == 0);
}

/* The text of the error holds that part. */
static inline void expect_error(struct rf_value value, const char *part)
{
    expect_type(value, RF_TYPE_ERROR);
    if (!rf_str_contains(value.text, rf_str_of(part))) {
        fail_msg("the error '%.*s' does not say '%s'", RF_STR_ARG(value.text), part);
    }
}

/* Each value of another type than those (a bit for each) is no overload of the function of one argument. */
static inline void expect_overloads(family_operate *operate, enum rf_function function, uint32_t types)
{
    const struct rf_cidr cidr = {.prefix = 8};
    const struct rf_value every[] = {
        rf_value_null(),
        rf_value_bool(true),
        rf_value_int(1),
        rf_value_uint(1),
        rf_value_double(1),
        str("1"),
        bytes("1"),
        list_of(NULL, 0),
        map_of(NULL, 0),
        instant(0, 0),
        rf_value_duration(1),
        rf_value_type(RF_TYPE_INT),
        rf_value_optional(NULL),
        net_of(RF_TYPE_IP, cidr),
        net_of(RF_TYPE_CIDR, cidr),
    };
    for (size_t i = 0; i < sizeof every / sizeof every[0]; i++) {
        const struct rf_value result = call_one(operate, function, every[i]);
        const bool is_overload = (types >> every[i].type & 1) != 0;
        const bool is_refused =
            result.type == RF_TYPE_ERROR && rf_str_contains(result.text, RF_STR("no such overload"));
        if (is_overload == is_refused) {
            fail_msg("%s of function %d is %s", rf_type_name(every[i].type), (int)function,
                     is_refused ? "refused" : "taken");
        }
    }
}

#endif
