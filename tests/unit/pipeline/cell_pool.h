/* cell_pool.h: pools of values with their cells: the edges of every type.
 *
 * Data       A pool holds pairs of a value and its cell: by type, message numbers in a pool of their own. Texts have
 *            exactly their bytes in the arena, so that reading beyond them is noticed with AddressSanitizer. Lists and
 *            maps of a message are there as JSON text and as cells, others as cells.
 */
#ifndef CELL_POOL_H
#define CELL_POOL_H

#include <float.h>

#include "cell_values.h"
#include "json_value.h"

enum {
    CELL_MESSAGE = RF_TYPE_DYN, /* the pool of message numbers; the others have the number of their type */
    CELL_POOLS,
    CELL_PAIRS_MAX = 128, /* of a pool */
    CELL_ARENA_BYTES = 16 << 20
};

struct cell_pair {
    struct rf_value value;
    struct rf_cell cell;
};

struct cell_pool {
    uint32_t count;
    struct cell_pair pair[CELL_PAIRS_MAX];
};

struct cell_fixture {
    uint64_t random;
    struct rf_arena arena;   /* of the pools */
    struct rf_arena trial;   /* of one call: new arguments, results */
    struct rf_arena scratch; /* of one call of a function on cells */
    struct cell_pool pool[CELL_POOLS];
};

static inline void cell_fixture_add_pair(struct cell_fixture *fixture, struct cell_pair pair)
{
    struct cell_pool *const pool = &fixture->pool[pair.value.is_message ? CELL_MESSAGE : (int)pair.value.type];
    assert_true(pool->count < CELL_PAIRS_MAX);
    pool->pair[pool->count++] = pair;
}

/* One more value that random calls take: its text is copied, what it holds must outlive the fixture. */
static inline void cell_fixture_add(struct cell_fixture *fixture, struct rf_value value)
{
    value.text = cell_text_copy(value.text, &fixture->arena);
    cell_fixture_add_pair(fixture, (struct cell_pair){value, cell_of_value(value, &fixture->arena)});
}

static inline void cell_fixture_add_text(struct cell_fixture *fixture, enum rf_type type, struct rf_str text)
{
    cell_fixture_add(fixture, (struct rf_value){.type = type, .text = text});
}

static inline struct rf_value cell_message(struct rf_str token)
{
    struct rf_value value = {.type = RF_TYPE_DOUBLE, .is_message = true, .text = token};
    assert_int_equal(rf_number_from_json(token, &value.exact), RF_NUMBER_OK);
    return value;
}

/* A message number that was computed. */
static inline struct rf_value cell_message_double(double number)
{
    struct rf_value value = rf_value_double(number);
    value.is_message = true;
    return value;
}

/* A list or map in both forms. */
static inline void cell_fixture_add_json(struct cell_fixture *fixture, const char *json)
{
    struct rf_tree tree;
    struct rf_malformed malformed = {0};
    struct rf_error err;
    const struct rf_str text = cell_text_copy(rf_str_of(json), &fixture->arena);
    assert_int_equal(rf_tree_read(&tree, text, 64, &fixture->arena, &malformed, &err), RF_OK);
    assert_int_equal(malformed.reason, 0);
    const struct rf_value value = rf_json_value(&tree, 0, &fixture->arena);
    const enum rf_tag tag = value.type == RF_TYPE_LIST ? RF_TAG_LIST : RF_TAG_OBJECT;
    cell_fixture_add(fixture, value);
    cell_fixture_add_pair(fixture, (struct cell_pair){value, rf_cell_of_text(text, tag)});
}

/* Addresses and networks that differ in one thing each. */
static inline void cell_fixture_fill_nets(struct cell_fixture *fixture)
{
    static const char *const ip[] = {"0.0.0.0",   "10.0.0.1",  "10.0.0.2",        "127.0.0.1",   "169.254.1.1",
                                     "224.0.0.5", "224.1.1.1", "255.255.255.255", "::",          "::1",
                                     "fe80::1",   "ff02::2",   "ff05::2",         "2001:db8::68"};
    static const char *const cidr[] = {"0.0.0.0/0",   "10.0.0.0/8", "10.0.0.1/8",    "10.0.0.0/9",
                                       "10.0.0.1/32", "::/0",       "2001:db8::/32", "2001:db8::68/128"};
    enum { IPS = sizeof ip / sizeof ip[0], CIDRS = sizeof cidr / sizeof cidr[0] };
    static struct rf_cidr net[IPS + CIDRS];
    for (size_t i = 0; i < IPS; i++) {
        net[i].prefix = (uint8_t)(i % 33); /* is unused */
        assert_int_equal(rf_ip_parse(rf_str_of(ip[i]), &net[i].ip), RF_IP_OK);
        cell_fixture_add(fixture, (struct rf_value){.type = RF_TYPE_IP, .net = &net[i]});
    }
    for (size_t i = 0; i < CIDRS; i++) {
        assert_int_equal(rf_cidr_parse(rf_str_of(cidr[i]), &net[IPS + i]), RF_IP_OK);
        cell_fixture_add(fixture, (struct rf_value){.type = RF_TYPE_CIDR, .net = &net[IPS + i]});
    }
}

/* A list of values that are no JSON, and optionals of everything. */
static inline void cell_fixture_fill_holders(struct cell_fixture *fixture)
{
    static const char *const json[] = {
        "[]",          "[1]", "[1,2.5,\"a\"]", "[3,9007199254740993,0.5]", "[[1],[2]]",           "[1e400]",
        "[null,true]", "{}",  "{\"a\":1}",     "{\"a\":1,\"b\":[2]}",      "{\"b\":[2],\"a\":1}", "{\"a\":1e400}"};
    static struct rf_value number[4];
    static struct rf_value time[2];
    static struct rf_list list[3];
    static struct rf_value inner[3];
    for (size_t i = 0; i < sizeof json / sizeof json[0]; i++) {
        cell_fixture_add_json(fixture, json[i]);
    }
    number[0] = rf_value_int(1);
    number[1] = rf_value_double(2.5);
    number[2] = rf_value_uint(UINT64_MAX);
    number[3] = rf_value_double(NAN);
    time[0] = rf_value_duration(1);
    time[1] = rf_value_instant((struct rf_instant){1, 2});
    list[0] = (struct rf_list){.count = 3, .item = number};
    list[1] = (struct rf_list){.count = 4, .item = number};
    list[2] = (struct rf_list){.count = 2, .item = time};
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        cell_fixture_add(fixture, (struct rf_value){.type = RF_TYPE_LIST, .list = &list[i]});
    }
    inner[0] = rf_value_int(1);
    inner[1] = cell_message(RF_STR("1.50"));
    inner[2] = (struct rf_value){.type = RF_TYPE_LIST, .list = &list[0]};
    cell_fixture_add(fixture, rf_value_optional(NULL));
    for (size_t i = 0; i < sizeof inner / sizeof inner[0]; i++) {
        cell_fixture_add(fixture, rf_value_optional(&inner[i]));
    }
}

static inline void cell_fixture_fill_numbers(struct cell_fixture *fixture)
{
    static const int64_t whole[] = {INT64_MIN,
                                    INT64_MIN + 1,
                                    -9007199254740993,
                                    -9007199254740992,
                                    -3037000500,
                                    RF_INSTANT_SECONDS_MIN - 1,
                                    -2147483649,
                                    RF_INSTANT_SECONDS_MIN,
                                    -65,
                                    -64,
                                    -7,
                                    -2,
                                    -1,
                                    0,
                                    1,
                                    2,
                                    3,
                                    7,
                                    63,
                                    64,
                                    65,
                                    86400,
                                    2147483648,
                                    3037000500,
                                    1700000000,
                                    RF_INSTANT_SECONDS_MAX,
                                    9007199254740991,
                                    RF_INSTANT_SECONDS_MAX + 1,
                                    9007199254740992,
                                    9007199254740993,
                                    INT64_MAX - 1,
                                    INT64_MAX};
    static const uint64_t natural[] = {0,
                                       1,
                                       2,
                                       3,
                                       63,
                                       64,
                                       4294967296,
                                       9007199254740991,
                                       9007199254740992,
                                       9007199254740993,
                                       INT64_MAX,
                                       INT64_MAX + 1ull,
                                       INT64_MAX + 2ull,
                                       UINT64_MAX - 1,
                                       UINT64_MAX};
    static const double real[] = {0.0,
                                  -0.0,
                                  1,
                                  -1,
                                  3,
                                  7,
                                  64,
                                  0.1,
                                  0.5,
                                  -0.5,
                                  1.5,
                                  2.5,
                                  -2.5,
                                  0.49999999999999994,
                                  4503599627370495.5,
                                  9007199254740991,
                                  9007199254740992,
                                  9007199254740994,
                                  0x1.fffffffffffffp62,
                                  0x1p63,
                                  -0x1p63,
                                  -0x1.0000000000001p63,
                                  0x1.fffffffffffffp63,
                                  0x1p64,
                                  1e21,
                                  1e300,
                                  -1e300,
                                  DBL_MAX,
                                  DBL_TRUE_MIN,
                                  -DBL_TRUE_MIN,
                                  INFINITY,
                                  -INFINITY,
                                  NAN};
    static const char *const token[] = {"0",
                                        "-0",
                                        "1",
                                        "-1",
                                        "1.0",
                                        "2",
                                        "0.5",
                                        "-2.5",
                                        "1e2",
                                        "63",
                                        "64",
                                        "1700000000",
                                        "1700000000.5",
                                        "253402300799",
                                        "253402300800",
                                        "9007199254740991",
                                        "9007199254740992",
                                        "9007199254740993",
                                        "-9007199254740993",
                                        "9007199254740994.0",
                                        "1e17",
                                        "9223372036854775807",
                                        "-9223372036854775808",
                                        "9223372036854775808",
                                        "18446744073709551615",
                                        "18446744073709551616",
                                        "1e300",
                                        "-1e300",
                                        "1e-400",
                                        "0.1"};
    static const double computed[] = {0, -0.0, 3, 0.25, 0x1p53, 0x1p53 + 2, 0x1p63, 0x1p64, INFINITY, -INFINITY, NAN};
    for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++) {
        cell_fixture_add(fixture, rf_value_int(whole[i]));
    }
    for (size_t i = 0; i < sizeof natural / sizeof natural[0]; i++) {
        cell_fixture_add(fixture, rf_value_uint(natural[i]));
    }
    for (size_t i = 0; i < sizeof real / sizeof real[0]; i++) {
        cell_fixture_add(fixture, rf_value_double(real[i]));
    }
    for (size_t i = 0; i < sizeof token / sizeof token[0]; i++) {
        cell_fixture_add(fixture, cell_message(rf_str_of(token[i])));
    }
    for (size_t i = 0; i < sizeof computed / sizeof computed[0]; i++) {
        cell_fixture_add(fixture, cell_message_double(computed[i]));
    }
}

static inline void cell_fixture_fill_texts(struct cell_fixture *fixture)
{
    static const struct rf_str text[] = {{"", 0},
                                         {"a", 1},
                                         {"b", 1},
                                         {"a\0", 2},
                                         {"ab", 2},
                                         {"Ab", 2},
                                         {"abcdefg", 7},
                                         {"abcdefgh", 8},
                                         {"abcdefgh\0", 9},
                                         {"abcdefghi", 9},
                                         {"abcdefghj", 9},
                                         {" a b ", 5},
                                         {"\xc3\xa9", 2},
                                         {"caf\xc3\xa9 cr\xc3\xa8me", 12},
                                         {"\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e", 9},
                                         {"\xf0\x9f\x98\x80\xf0\x9f\x98\x80", 8}};
    static const char *const readable[] = {"0",
                                           "1",
                                           "-1",
                                           "+7",
                                           "007",
                                           " 1",
                                           "1_000",
                                           "9223372036854775807",
                                           "9223372036854775808",
                                           "-9223372036854775808",
                                           "-9223372036854775809",
                                           "18446744073709551615",
                                           "18446744073709551616",
                                           "1.5",
                                           "-1e308",
                                           "1e400",
                                           "NaN",
                                           "inf",
                                           "-Infinity",
                                           "t",
                                           "true",
                                           "TRUE",
                                           "tRUE",
                                           "false",
                                           "F",
                                           "1h30m",
                                           "1.5s",
                                           "-20ms",
                                           "1d",
                                           "2562047h47m16.854775807s",
                                           "-2562047h47m16.854775808s",
                                           "2562047h47m16.854775808s",
                                           "2023-01-31T12:00:00Z",
                                           "2023-01-31T12:00:00.123456789+05:45",
                                           "2023-02-29T12:00:00Z",
                                           "2023-01-31T12:00:60Z",
                                           "0001-01-01T00:00:00Z",
                                           "0001-01-01T00:00:00+00:01",
                                           "9999-12-31T23:59:59.999999999Z",
                                           "9999-12-31T23:59:59-00:01",
                                           "UTC",
                                           "Europe/Berlin",
                                           "America/New_York",
                                           "Asia/Kathmandu",
                                           "Pacific/Kiritimati",
                                           "Africa/Monrovia",
                                           "Nowhere/Land",
                                           "../etc/passwd",
                                           "localtime",
                                           "+05:30",
                                           "-23:59",
                                           "02:00",
                                           "24:00",
                                           "+5:30"};
    static const struct rf_str octets[] = {{"", 0},          {"a", 1},        {"a\0", 2},  {"abcdefgh", 8},
                                           {"abcdefghi", 9}, {"\xc3\xa9", 2}, {"\xc3", 1}, {"\xff\xfe", 2}};
    for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) {
        cell_fixture_add_text(fixture, RF_TYPE_STRING, text[i]);
    }
    for (size_t i = 0; i < sizeof readable / sizeof readable[0]; i++) {
        cell_fixture_add_text(fixture, RF_TYPE_STRING, rf_str_of(readable[i]));
    }
    for (size_t i = 0; i < sizeof octets / sizeof octets[0]; i++) {
        cell_fixture_add_text(fixture, RF_TYPE_BYTES, octets[i]);
    }
    /* Those that had escapes are the same to functions. */
    for (uint32_t i = 0; i < fixture->pool[RF_TYPE_STRING].count; i += 3) {
        fixture->pool[RF_TYPE_STRING].pair[i].cell.tag = RF_TAG_STRING_ESCAPED;
    }
}

static inline void cell_fixture_fill_others(struct cell_fixture *fixture)
{
    /* The ends, the epoch, a leap day, both changes of the clock in Europe and in New York. */
    static const struct rf_instant instant[] = {{RF_INSTANT_SECONDS_MIN, 0},
                                                {RF_INSTANT_SECONDS_MIN, 1},
                                                {-86401, 1},
                                                {-1, 999999999},
                                                {0, 0},
                                                {0, 1},
                                                {951782400, 123456789},
                                                {1679792399, 0},
                                                {1679792400, 0},
                                                {1698541199, 500000000},
                                                {1698541200, 0},
                                                {1678604400, 0},
                                                {1699163999, 0},
                                                {RF_INSTANT_SECONDS_MAX, 0},
                                                {RF_INSTANT_SECONDS_MAX, 999999999}};
    static const int64_t span[] = {INT64_MIN,  INT64_MIN + 1,  -3600000000000, -1500000000,   -1,       0, 1, 999999999,
                                   1000000000, 61001002003000, 86400000000000, INT64_MAX - 1, INT64_MAX};
    cell_fixture_add(fixture, rf_value_null());
    cell_fixture_add(fixture, rf_value_bool(false));
    cell_fixture_add(fixture, rf_value_bool(true));
    for (size_t i = 0; i < sizeof instant / sizeof instant[0]; i++) {
        cell_fixture_add(fixture, rf_value_instant(instant[i]));
    }
    for (size_t i = 0; i < sizeof span / sizeof span[0]; i++) {
        cell_fixture_add(fixture, rf_value_duration(span[i]));
    }
    for (int type = RF_TYPE_NULL; type < RF_TYPE_DYN; type++) {
        cell_fixture_add(fixture, rf_value_type((enum rf_type)type));
    }
}

/* The fixture is large: it should be static. */
static inline void cell_fixture_open(struct cell_fixture *fixture, uint64_t seed)
{
    memset(fixture, 0, sizeof *fixture);
    fixture->random = seed * 0x9e3779b97f4a7c15u + 1;
    rf_arena_init(&fixture->arena, CELL_ARENA_BYTES);
    rf_arena_init(&fixture->trial, CELL_ARENA_BYTES);
    rf_arena_init(&fixture->scratch, CELL_ARENA_BYTES);
    cell_fixture_fill_numbers(fixture);
    cell_fixture_fill_texts(fixture);
    cell_fixture_fill_others(fixture);
    cell_fixture_fill_nets(fixture);
    cell_fixture_fill_holders(fixture);
}

static inline void cell_fixture_close(struct cell_fixture *fixture)
{
    rf_arena_free(&fixture->arena);
    rf_arena_free(&fixture->trial);
    rf_arena_free(&fixture->scratch);
}

#endif
