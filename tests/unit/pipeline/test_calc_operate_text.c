/* calc.h against operate.h: functions of strings, base64 and digests on cells give what they give on values. The
 * arguments of a call are related: texts hold parts of each other or differ in case, numbers are places in the text. */
#include <stdlib.h>

#include "calc_text.h"
#include "cell_fixture.h"
#include "utf8.h"

enum {
    CALLS = 40000, /* of each function */
    PIECES_MAX = 80,
    PIECE_BYTES_MAX = 8,
    TEXT_MAX = PIECES_MAX * PIECE_BYTES_MAX /* so that not even replace comes near RF_CALC_TEXT_MAX */
};

static struct cell_fixture fixture;

static int set_up(void **state)
{
    (void)state;
    cell_fixture_open(&fixture, 1);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    cell_fixture_close(&fixture);
    return 0;
}

/* Those of lists of strings are not: lists have operations of their own. */
static bool function_is_mine(enum rf_function function)
{
    const struct rf_function_info *const info = rf_function_info(function);
    return info->has_vector && (info->family == RF_FAMILY_TEXT || info->family == RF_FAMILY_CODE) &&
           !rf_str_contains(rf_str_of(info->signatures), RF_STR("list"));
}

/* ---- Texts: in the arena of the call ---- */

static const char *const piece[] = {
    "a",
    "b",
    "A",
    "B",
    "ab",
    "aab",
    "z",
    "Z",
    "@",
    "[",
    "`",
    "{",
    "0",
    "7",
    "-",
    "\"",
    "\\",
    "\n",
    "\t",
    "\a",
    "\v",
    " ",
    "  ",
    "*",
    "?",
    "[a-z]",
    "[!b]",
    "order",
    "XNAS",
    "\x7f",
    "\xc3\xa4",
    "\xc3\x84",
    "\xce\xb1",
    "\xe2\x82\xac",
    "\xf0\x9f\x98\x80",
    "\xc2\xa0",
    "\xe3\x80\x80",
    "\xe2\x80\xa8",
    "\xe2\x80\x8b",
};
enum { PIECES = sizeof piece / sizeof piece[0], PIECES_OF_ASCII = 30, PIECES_OF_AB = 2 };

static struct rf_str text_of_pieces(uint32_t count, uint32_t pieces)
{
    char text[TEXT_MAX];
    size_t bytes = 0;
    assert_true(count <= PIECES_MAX);
    for (uint32_t i = 0; i < count; i++) {
        const struct rf_str part = rf_str_of(piece[cell_random(&fixture, pieces)]);
        assert_true(part.count <= PIECE_BYTES_MAX);
        memcpy(text + bytes, part.data, part.count);
        bytes += part.count;
    }
    return cell_text_copy((struct rf_str){text, bytes}, &fixture.trial);
}

/* Base64, mostly. */
static struct rf_str text_of_symbols(void)
{
    static const char symbol[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char text[64];
    const uint32_t count = cell_random(&fixture, sizeof text);
    for (uint32_t i = 0; i < count; i++) {
        text[i] = symbol[cell_random(&fixture, sizeof symbol - 1)];
    }
    for (uint32_t padding = cell_random(&fixture, 4); padding != 0 && count >= padding && count % 4 == 0; padding--) {
        text[count - padding] = '=';
    }
    return cell_text_copy((struct rf_str){text, count}, &fixture.trial);
}

/* The same text with the case of some ASCII letters turned, and now and then another byte changed likewise. */
static struct rf_str text_like(struct rf_str text)
{
    char like[TEXT_MAX];
    assert_true(text.count <= sizeof like);
    for (size_t i = 0; i < text.count; i++) {
        const unsigned char byte = (unsigned char)text.data[i];
        const bool is_letter = (unsigned char)((byte | 0x20) - 'a') < 26;
        const bool is_turned = byte < 0x80 && cell_random(&fixture, is_letter ? 2 : 60) == 0;
        like[i] = (char)(is_turned ? byte ^ 0x20 : byte);
    }
    return cell_text_copy((struct rf_str){like, text.count}, &fixture.trial);
}

static size_t text_boundary(struct rf_str text)
{
    size_t at = cell_random(&fixture, (uint32_t)text.count + 1);
    while (at < text.count && ((unsigned char)text.data[at] & 0xC0) == 0x80) {
        at++;
    }
    return at;
}

static struct rf_str text_part(struct rf_str text)
{
    size_t begin = cell_random(&fixture, 3) == 0 ? 0 : text_boundary(text);
    size_t end = cell_random(&fixture, 3) == 0 ? text.count : text_boundary(text);
    if (begin > end) {
        const size_t swapped = begin;
        begin = end;
        end = swapped;
    }
    return (struct rf_str){text.data + begin, end - begin};
}

/* Related, more often than not, to the first argument of the call. */
static struct rf_str random_text(struct rf_str first)
{
    switch (cell_random(&fixture, 16)) {
    case 0:
        return cell_text_copy((struct rf_str){"", 0}, &fixture.trial);
    case 1:
    case 2:
    case 3:
        return cell_text_copy(text_part(first), &fixture.trial);
    case 4:
        return text_like(first);
    case 5:
        return text_of_pieces(cell_random(&fixture, PIECES_MAX + 1), PIECES);
    case 6:
        return text_of_pieces(cell_random(&fixture, 30), PIECES_OF_AB);
    case 7:
        return text_of_pieces(cell_random(&fixture, 4), PIECES_OF_AB);
    case 8:
    case 9:
        return text_of_symbols();
    case 10:
    case 11:
    case 12:
        return text_of_pieces(cell_random(&fixture, 8), PIECES);
    default:
        return text_of_pieces(cell_random(&fixture, 14), PIECES_OF_ASCII);
    }
}

/* ---- Arguments ---- */

static struct cell_pair pair_of_text(struct rf_str text, enum rf_type type)
{
    struct cell_pair pair = {.value = {.type = type, .text = text}};
    pair.cell = cell_of_value(pair.value, &fixture.trial);
    if (type == RF_TYPE_STRING && cell_random(&fixture, 2) == 0) {
        pair.cell.tag = RF_TAG_STRING_ESCAPED;
    }
    return pair;
}

static struct cell_pair pair_of_number(struct rf_value value)
{
    return (struct cell_pair){value, cell_of_value(value, &fixture.trial)};
}

/* A place in the text or around its ends, and now and then far off. */
static int64_t random_place(struct rf_str text)
{
    static const int64_t far_off[] = {INT64_MIN, INT64_MAX, -2, TEXT_MAX + 1, 4294967296};
    const uint32_t length = (uint32_t)rf_utf8_length(text);
    switch (cell_random(&fixture, 8)) {
    case 0:
        return (int64_t)length - 2 + cell_random(&fixture, 5);
    case 1:
        return (int64_t)cell_random(&fixture, 4) - 1;
    case 2:
        return far_off[cell_random(&fixture, sizeof far_off / sizeof far_off[0])];
    default:
        return cell_random(&fixture, length + 1);
    }
}

/* An int, or a message number that is one or nearly one. */
static struct cell_pair random_int(struct rf_str text)
{
    const int64_t place = random_place(text);
    struct rf_value big = rf_value_int(place);
    switch (cell_random(&fixture, 12)) {
    case 0:
    case 1:
    case 2:
    case 3:
        return pair_of_number(cell_message_double((double)place));
    case 4:
        big.type = RF_TYPE_DOUBLE;
        big.is_message = true;
        return pair_of_number(big);
    case 5:
        return pair_of_number(cell_message_double((double)place + 0.5));
    default:
        return pair_of_number(rf_value_int(place));
    }
}

static struct cell_pair random_argument(struct rf_str type, struct rf_str first)
{
    if (cell_random(&fixture, 16) == 0) {
        return cell_random_pair(&fixture, cell_random_pool(&fixture));
    }
    if (rf_str_equal(type, RF_STR("int"))) {
        return random_int(first);
    }
    if (rf_str_equal(type, RF_STR("bytes"))) {
        return pair_of_text(random_text(first), RF_TYPE_BYTES);
    }
    assert_true(rf_str_equal(type, RF_STR("string")));
    return pair_of_text(random_text(first), RF_TYPE_STRING);
}

/* Arguments of one of the function's signatures, for a call that takes `calc->args` of them then. */
static void random_arguments(struct rf_calc *calc, struct cell_pair arg[RF_CALC_ARGS_MAX])
{
    const char *at = rf_function_info(calc->function)->signatures;
    uint32_t overloads = 1;
    for (const char *c = at; *c != '\0'; c++) {
        overloads += *c == ';';
    }
    for (uint32_t skipped = cell_random(&fixture, overloads); skipped != 0; skipped--) {
        at = strchr(at, ';') + 1;
        at += strspn(at, " ");
    }
    struct rf_str first = text_of_pieces(cell_random(&fixture, 8), PIECES);
    calc->args = 0;
    for (bool is_last = false; !is_last;) {
        const size_t bytes = strcspn(at, ",>");
        assert_true(calc->args < RF_CALC_ARGS_MAX && bytes != 0);
        arg[calc->args] = random_argument((struct rf_str){at, bytes}, first);
        if (calc->args == 0 && arg[0].value.type == RF_TYPE_STRING) {
            first = arg[0].value.text;
        }
        calc->args++;
        is_last = at[bytes] == '>';
        at += bytes + 1;
    }
}

/* ---- Tests ---- */

static bool is_never_host(enum rf_function function, const struct cell_pair *arg, uint32_t args)
{
    (void)function;
    (void)arg;
    (void)args;
    return false;
}

/* A pattern that is not constant has to be compiled. */
static bool is_host_pattern(const struct cell_pair *arg)
{
    return arg[0].value.type == RF_TYPE_STRING && arg[1].value.type == RF_TYPE_STRING;
}

/* What function.def says has a form over cells has one, and nothing else. */
static void test_each_function_has_a_form(void **state)
{
    (void)state;
    uint32_t functions = 0;
    for (int f = 0; f < RF_FUNCTION_COUNT; f++) {
        const enum rf_function function = (enum rf_function)f;
        const enum rf_family family = rf_function_info(function)->family;
        const bool is_mine = function_is_mine(function);
        assert_int_equal(rf_calc_text_op(function) != NULL, is_mine && family == RF_FAMILY_TEXT);
        assert_int_equal(rf_calc_code_op(function) != NULL, is_mine && family == RF_FAMILY_CODE);
        functions += is_mine;
    }
    assert_int_equal(functions, 20);
}

static void test_related_arguments(void **state)
{
    (void)state;
    for (int f = 0; f < RF_FUNCTION_COUNT; f++) {
        struct cell_counts counts = {0};
        struct cell_pair arg[RF_CALC_ARGS_MAX];
        struct rf_calc calc = {.function = (enum rf_function)f};
        if (!function_is_mine(calc.function) || calc.function == RF_FN_MATCHES) {
            continue;
        }
        for (uint32_t i = 0; i < CALLS; i++) {
            calc.is_strict_cel = cell_random(&fixture, 4) == 0;
            random_arguments(&calc, arg);
            cell_compare(&fixture, &calc, arg, false, &counts);
        }
        assert_true(counts.errors > CALLS / 50 && counts.errors < CALLS / 4 * 3);
    }
}

static void test_random_arguments(void **state)
{
    (void)state;
    for (int f = 0; f < RF_FUNCTION_COUNT; f++) {
        const enum rf_function function = (enum rf_function)f;
        if (function_is_mine(function) && function != RF_FN_MATCHES) {
            const struct cell_counts counts = cell_compare_random(&fixture, function, CALLS / 3, is_never_host);
            assert_int_equal(counts.hosts, 0);
        }
    }
}

/* Strings and bytes; what else + takes is not of this family. */
static void test_concat(void **state)
{
    (void)state;
    const struct rf_calc calc = {.function = RF_FN_ADD, .args = 2};
    struct cell_counts counts = {0};
    for (uint32_t i = 0; i < CALLS; i++) {
        const enum rf_type type = cell_random(&fixture, 2) == 0 ? RF_TYPE_STRING : RF_TYPE_BYTES;
        struct cell_pair arg[2];
        arg[0] = pair_of_text(random_text(RF_STR("first")), type);
        arg[1] = pair_of_text(random_text(RF_STR("second")), type);
        cell_compare(&fixture, &calc, arg, false, &counts);
    }
    assert_int_equal(counts.errors, 0);
}

static void test_matches(void **state)
{
    static const char *const pattern[] = {"a",  "^ab*",    "[A-Z]{2,4}$", "(a|b)+z", "\\d-",
                                          "^$", "\\x{e4}", "(?i)order",   "."};
    (void)state;
    struct cell_counts counts = {0};
    for (size_t p = 0; p < sizeof pattern / sizeof pattern[0]; p++) {
        struct rf_arena compiled;
        struct rf_regex *regex = NULL;
        size_t error_at = 0;
        struct rf_error err;
        rf_arena_init(&compiled, CELL_ARENA_BYTES);
        assert_int_equal(rf_regex_compile(rf_str_of(pattern[p]), &compiled, &regex, &error_at, &err), RF_OK);
        for (uint32_t i = 0; i < CALLS / 100; i++) {
            struct rf_calc calc = {.function = RF_FN_MATCHES, .args = 2, .regex = regex};
            struct cell_pair arg[2];
            calc.is_strict_cel = cell_random(&fixture, 4) == 0;
            arg[0] = random_argument(RF_STR("string"), RF_STR("first"));
            arg[1] = pair_of_text(rf_str_of(pattern[p]), RF_TYPE_STRING);
            cell_compare(&fixture, &calc, arg, false, &counts);
            calc.regex = NULL;
            arg[0] = random_argument(RF_STR("string"), RF_STR("first"));
            arg[1] = random_argument(RF_STR("string"), arg[0].value.text);
            cell_compare(&fixture, &calc, arg, is_host_pattern(arg), &counts);
        }
        rf_arena_free(&compiled);
    }
    assert_true(counts.errors > 0 && counts.hosts > counts.calls / 4 && counts.hosts < counts.calls / 2);
}

/* With little room a cell may be left to the interpreter, but is never another one. */
static void test_little_scratch(void **state)
{
    (void)state;
    uint32_t hosts = 0;
    fixture.scratch.bytes_max = 24;
    for (uint32_t i = 0; i < CALLS; i++) {
        struct rf_value value[RF_CALC_ARGS_MAX];
        struct rf_cell cell[RF_CALC_ARGS_MAX];
        struct cell_pair arg[RF_CALC_ARGS_MAX];
        struct rf_calc calc = {.function = (enum rf_function)cell_random(&fixture, RF_FUNCTION_COUNT)};
        if (!function_is_mine(calc.function) || calc.function == RF_FN_MATCHES) {
            continue;
        }
        random_arguments(&calc, arg);
        for (uint32_t a = 0; a < calc.args; a++) {
            value[a] = arg[a].value;
            cell[a] = arg[a].cell;
        }
        struct rf_cell out = {.tag = RF_TAG_ERROR, .text = ""};
        cell_op_of(calc.function)(&(struct rf_calc_run){.calc = &calc, .scratch = &fixture.scratch}, cell, &out);
        const struct rf_value wanted = rf_operate(calc.function, value, calc.args, false, &fixture.trial);
        assert_true(out.tag == RF_TAG_HOST || cell_is_value(&out, wanted, &fixture.trial));
        hosts += out.tag == RF_TAG_HOST;
        rf_arena_reset(&fixture.trial);
        rf_arena_reset(&fixture.scratch);
    }
    assert_true(hosts > 100);
}

/* Longer texts than cells have are the interpreter's, which still has room for them. */
static void test_long_results(void **state)
{
    static const enum rf_function function[] = {RF_FN_LOWER,   RF_FN_UPPER,         RF_FN_REVERSE,       RF_FN_QUOTE,
                                                RF_FN_REPLACE, RF_FN_BASE64_ENCODE, RF_FN_BASE64_DECODE, RF_FN_ADD};
    static const size_t count[] = {RF_CALC_TEXT_MAX / 4,     RF_CALC_TEXT_MAX / 2, RF_CALC_TEXT_MAX / 2 + 4,
                                   RF_CALC_TEXT_MAX / 4 * 3, RF_CALC_TEXT_MAX - 1, RF_CALC_TEXT_MAX,
                                   RF_CALC_TEXT_MAX + 1,     RF_CALC_TEXT_MAX * 2};
    (void)state;
    char *const data = malloc(RF_CALC_TEXT_MAX * 2);
    assert_non_null(data);
    memset(data, 'A', RF_CALC_TEXT_MAX * 2);
    for (size_t f = 0; f < sizeof function / sizeof function[0]; f++) {
        struct cell_counts counts = {0};
        struct rf_calc calc = {.function = function[f], .args = rf_function_info(function[f])->args_min};
        /* base64 asks for a little more room than it fills. */
        const size_t spare = function[f] == RF_FN_BASE64_ENCODE || function[f] == RF_FN_BASE64_DECODE ? 4 : 0;
        const enum rf_type type = function[f] == RF_FN_BASE64_ENCODE ? RF_TYPE_BYTES : RF_TYPE_STRING;
        for (size_t i = 0; i < sizeof count / sizeof count[0]; i++) {
            struct cell_pair arg[3];
            arg[0] = pair_of_text((struct rf_str){data, count[i]}, type);
            /* Long ones, so that the text is not searched too often. */
            arg[1] = pair_of_text((struct rf_str){data, function[f] == RF_FN_REPLACE ? 4096 : 1}, type);
            arg[2] = pair_of_text((struct rf_str){data, 8192}, type);
            struct rf_value value[3] = {arg[0].value, arg[1].value, arg[2].value};
            const struct rf_value wanted = rf_operate(calc.function, value, calc.args, false, &fixture.trial);
            const bool is_host = wanted.type != RF_TYPE_ERROR && wanted.text.count + spare > RF_CALC_TEXT_MAX;
            rf_arena_reset(&fixture.trial);
            if (wanted.type != RF_TYPE_ERROR) {
                cell_compare(&fixture, &calc, arg, is_host, &counts);
            }
        }
        assert_true(counts.hosts > 0 && counts.hosts < counts.calls);
    }
    free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_function_has_a_form),
        cmocka_unit_test_setup_teardown(test_related_arguments, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_random_arguments, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_concat, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_matches, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_little_scratch, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_long_results, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
