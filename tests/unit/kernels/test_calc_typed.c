/* calc_typed.c: whatever the mixture of cells in a word, each row has what the function on its own cells gives. One live row
 * alone is always done by that function, so rf_calc_run is its own reference. */
#include "calc_fixture.h"

#include "calc_typed.h"

enum { ROWS = 192, WORDS = ROWS / 64, ROUNDS = 60 };

static uint64_t random_state;

static uint32_t random_below(uint32_t limit)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33) % limit;
}

static struct rf_cell random_number(void)
{
    static const double real_value[] = {0,         -0.0, 1,      -1,     0.5,    7,       1e10,   -1e300,   INFINITY,
                                        -INFINITY, NAN,  0x1p53, 0x1p62, 0x1p63, -0x1p63, 300.25, 0x1.8p62, 1e-310};
    static const int64_t whole[] = {
        0, 1, -1, 7, -7, 10, 1000000007, INT64_MAX, INT64_MIN, (1ll << 53) - 1, 1ll << 53, (1ll << 53) + 1};
    const double value = real_value[random_below(sizeof real_value / sizeof real_value[0])];
    const int64_t number_whole = whole[random_below(sizeof whole / sizeof whole[0])];
    switch (random_below(5)) {
    case 0:
        return rf_cell_of_int(random_below(2) == 0 ? number_whole : (int64_t)random_below(1000));
    case 1:
        return random_below(3) == 0 ? rf_cell_of_uint((uint64_t)number_whole) : real(value);
    case 2:
        return random_below(8) == 0 ? big((1ll << 53) + 3) : number(random_below(1000));
    default:
        return random_below(2) == 0 ? number(value) : real(random_below(100) / 4.0);
    }
}

static struct rf_cell random_text(void)
{
    static const char *const text[] = {"",
                                       "a",
                                       "A",
                                       "aB",
                                       "MSFT",
                                       "msft",
                                       "Zz@[`{",
                                       "12345678",
                                       "ABCDEFGH",
                                       "abcdefghi",
                                       "ABCDEFGHI",
                                       "abcdefgh",
                                       "\xc3\xa9",
                                       "\xc3\x89"
                                       "A",
                                       "a longer TEXT than eight"};
    const char *one = text[random_below(sizeof text / sizeof text[0])];
    return random_below(4) == 0 ? escaped(one) : str(one);
}

static struct rf_cell random_other(void)
{
    static const enum rf_tag missing[] = {RF_TAG_NOPARENT, RF_TAG_ABSENT, RF_TAG_ERROR, RF_TAG_RANGE, RF_TAG_HOST};
    switch (random_below(4)) {
    case 0:
        return (struct rf_cell){.tag = missing[random_below(5)], .text = ""};
    case 1:
        return null_cell();
    case 2:
        return instant(random_below(3), random_below(2));
    default:
        return duration(random_below(3));
    }
}

enum mixture { NUMBERS, WHOLES, TEXTS, BOOLS, ANYTHING, MIXTURES };

static struct rf_cell random_cell(enum mixture mixture)
{
    if (mixture == ANYTHING || random_below(24) == 0) {
        mixture = (enum mixture)random_below(ANYTHING + 1);
    }
    switch (mixture) {
    case NUMBERS:
        return random_number();
    case WHOLES:
        return rf_cell_of_int((int64_t)random_below(2000) - 1000);
    case TEXTS:
        return random_text();
    case BOOLS:
        return rf_cell_of_bool(random_below(2) == 0);
    default:
        return random_other();
    }
}

static void column_fill(struct rf_calc_column *column, enum mixture mixture)
{
    const bool is_one_kind = random_below(3) == 0;
    const struct rf_cell kind = random_cell(mixture);
    for (uint32_t row = 0; row < RF_EVAL_BLOCK_ROWS; row++) {
        struct rf_cell cell = random_cell(mixture);
        for (int i = 0; is_one_kind && cell.tag != kind.tag && i < 40; i++) {
            cell = random_cell(mixture);
        }
        column->tag[row] = (uint8_t)cell.tag;
        column->payload[row] = cell.payload;
        column->length[row] = cell.length;
        column->text[row] = cell.text;
    }
}

static struct rf_calc_view view_of(const struct rf_calc_column *column, bool is_constant)
{
    return (struct rf_calc_view){.tag = column->tag,
                                 .payload = column->payload,
                                 .length = column->length,
                                 .text = column->text,
                                 .stride = is_constant ? 0 : 1};
}

/* NaN is like NaN: the sign of one that was computed is not told. */
static bool cells_are_same(const struct rf_cell *a, const struct rf_cell *b)
{
    const bool is_double = a->tag == RF_TAG_DOUBLE || a->tag == RF_TAG_NUMBER;
    const bool is_nan = is_double && isnan(rf_cell_double(a)) && isnan(rf_cell_double(b));
    const bool has_payload = a->tag != RF_TAG_ERROR && a->tag != RF_TAG_HOST && a->tag != RF_TAG_NULL;
    return a->tag == b->tag && (!has_payload || is_nan || a->payload == b->payload) && a->length == b->length &&
           (!rf_cell_is_string(a) || memcmp(a->text, b->text, a->length) == 0);
}

static void function_compare(enum rf_function function, uint32_t args, enum mixture first, enum mixture mixture)
{
    static struct rf_calc_column in[3];
    static struct rf_calc_column typed;
    static struct rf_calc_column alone;
    const uint32_t terms[3] = {0, 1, 2};
    const struct rf_calc calc = {
        .function = function, .is_strict_cel = random_below(3) == 0, .args = args, .arg = terms};
    struct rf_calc_view arg[3];
    for (uint32_t i = 0; i < args; i++) {
        column_fill(&in[i], i == 0 ? first : mixture);
        arg[i] = view_of(&in[i], random_below(4) == 0);
    }
    uint64_t live[WORDS] = {~0ull, 0x0123456789abcdefull, random_below(2) == 0 ? 0xff : ~0ull};
    memset(&typed, 0xee, sizeof typed);
    rf_calc_run(&calc, arg, live, WORDS, &scratch, &typed);
    for (uint32_t row = 0; row < ROWS; row++) {
        if ((live[row / 64] >> (row % 64) & 1) == 0) {
            continue;
        }
        uint64_t only[WORDS] = {0};
        only[row / 64] = 1ull << (row % 64);
        rf_calc_run(&calc, arg, only, WORDS, &scratch, &alone);
        const struct rf_calc_view got = view_of(&typed, false);
        const struct rf_calc_view wanted = view_of(&alone, false);
        const struct rf_cell a = rf_calc_cell(&got, row);
        const struct rf_cell b = rf_calc_cell(&wanted, row);
        if (!cells_are_same(&a, &b)) {
            fail_msg("function %d, row %u: tag %d in place of %d, payload %llx of %llx", (int)function, row, (int)a.tag,
                     (int)b.tag, (unsigned long long)a.payload, (unsigned long long)b.payload);
        }
    }
    rf_arena_reset(&scratch);
}

static void test_calc_typed_run(void **state)
{
    (void)state;
    static const struct {
        enum rf_function function;
        uint32_t args;
    } each[] = {{RF_FN_ADD, 2},    {RF_FN_SUB, 2},      {RF_FN_MUL, 2},  {RF_FN_DIV, 2},   {RF_FN_MOD, 2},
                {RF_FN_NEG, 1},    {RF_FN_EQ, 2},       {RF_FN_NE, 2},   {RF_FN_LT, 2},    {RF_FN_LE, 2},
                {RF_FN_GT, 2},     {RF_FN_GE, 2},       {RF_FN_NOT, 1},  {RF_FN_AND, 2},   {RF_FN_OR, 2},
                {RF_FN_HAS, 1},    {RF_FN_SELECT, 3},   {RF_FN_SIZE, 1}, {RF_FN_LOWER, 1}, {RF_FN_UPPER, 1},
                {RF_FN_TO_INT, 1}, {RF_FN_TO_DOUBLE, 1}};
    random_state = 1;
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t f = 0; f < sizeof each / sizeof each[0]; f++) {
            const enum mixture mixture = (enum mixture)random_below(MIXTURES);
            const enum mixture first = each[f].function == RF_FN_SELECT ? BOOLS : mixture;
            function_compare(each[f].function, each[f].args, first, mixture);
        }
    }
}

/* The loops do the work at all: of rows of one kind nothing is left. */
static void test_nothing_is_left(void **state)
{
    (void)state;
    static struct rf_calc_column in;
    static struct rf_calc_column out;
    const uint32_t terms[2] = {0, 0};
    const struct rf_calc calc = {.function = RF_FN_MUL, .args = 2, .arg = terms};
    for (uint32_t row = 0; row < RF_EVAL_BLOCK_ROWS; row++) {
        const struct rf_cell cell = number(row);
        in.tag[row] = (uint8_t)cell.tag;
        in.payload[row] = cell.payload;
        in.text[row] = "";
    }
    const struct rf_calc_view arg[2] = {view_of(&in, false), view_of(&in, false)};
    const uint64_t live[1] = {~0ull};
    uint64_t left[1];
    rf_calc_typed_run(&calc, arg, live, 1, &scratch, &out, left);
    assert_true(left[0] == 0);
    const struct rf_calc_view got = view_of(&out, false);
    expect_number(rf_calc_cell(&got, 63), 63 * 63);
}

/* Without room for texts the rows are left. */
static void test_no_room(void **state)
{
    (void)state;
    static struct rf_calc_column in;
    static struct rf_calc_column out;
    const uint32_t terms[1] = {0};
    const struct rf_calc calc = {.function = RF_FN_LOWER, .args = 1, .arg = terms};
    struct rf_arena none;
    rf_arena_init(&none, 0);
    for (uint32_t row = 0; row < RF_EVAL_BLOCK_ROWS; row++) {
        const struct rf_cell cell = str("AB");
        in.tag[row] = (uint8_t)cell.tag;
        in.payload[row] = cell.payload;
        in.length[row] = cell.length;
        in.text[row] = cell.text;
    }
    const struct rf_calc_view arg[1] = {view_of(&in, false)};
    const uint64_t live[1] = {~0ull};
    uint64_t left[1];
    rf_calc_typed_run(&calc, arg, live, 1, &none, &out, left);
    assert_true(left[0] == ~0ull);
    rf_arena_free(&none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calc_typed_run),
        cmocka_unit_test(test_nothing_is_left),
        cmocka_unit_test(test_no_room),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
