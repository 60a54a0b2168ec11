#include "regex_fixture.h"

#include "code_group.h"
#include "unicode_tables.h"

static bool set_has(const struct rf_code_set *set, uint32_t code)
{
    return rf_code_set_covers(set->range, set->count, code, code);
}

/* What ctype.h says in the C locale, which is what POSIX's classes are of ASCII. */
static void test_rf_code_group_posix(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        const char *has, *lacks;
    } cases[] = {
        {"alnum", "09azAZ", "_-@[`{"},
        {"alpha", "azAZ", "09_@[`{"},
        {"ascii", "\x01\x7f", ""},
        {"blank", " \t", "\n\v\f\r"},
        {"cntrl", "\x01\x1f\x7f", " ~"},
        {"digit", "0459", "/:a"},
        {"graph", "!~a0", " \x7f\x1f"},
        {"lower", "az", "AZ`{"},
        {"print", " ~", "\x7f\x1f\t"},
        {"punct", "!/:@[`{~_", "a0 \x7f"},
        {"space", " \t\n\v\f\r", "\x08\x0e"},
        {"upper", "AZ", "az@["},
        {"word", "azAZ09_", "-`@[{/:"},
        {"xdigit", "09afAF", "gG`@:/"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct rf_code_group *const group = rf_code_group_posix(rf_str_of(cases[i].name));
        struct rf_code_set set = {.arena = &arena};
        assert_non_null(group);
        assert_true(rf_code_group_add(group, &set));
        for (const char *c = cases[i].has; *c != '\0'; c++) {
            assert_true(set_has(&set, (unsigned char)*c));
        }
        for (const char *c = cases[i].lacks; *c != '\0'; c++) {
            assert_false(set_has(&set, (unsigned char)*c));
        }
        assert_false(set_has(&set, 0x80));
    }
    assert_null(rf_code_group_posix(RF_STR("Alpha")));
    assert_null(rf_code_group_posix(RF_STR("alph")));
    assert_null(rf_code_group_posix((struct rf_str){NULL, 0}));
}

static void test_rf_code_group_perl(void **state)
{
    (void)state;
    assert_string_equal(rf_code_group_perl('d')->name, "d");
    assert_string_equal(rf_code_group_perl('w')->name, "w");
    assert_null(rf_code_group_perl('x'));
    assert_null(rf_code_group_perl('D'));
    assert_null(rf_code_group_perl('\0'));
}

static void test_rf_code_group_add(void **state)
{
    (void)state;
    struct rf_code_set space = {.arena = &arena};
    assert_true(rf_code_group_add(rf_code_group_perl('s'), &space));
    rf_code_set_tidy(&space);
    assert_true(set_has(&space, '\t') && set_has(&space, '\r') && set_has(&space, ' '));
    assert_false(set_has(&space, '\v')); /* other than [:space:] */
    assert_int_equal(space.count, 3);
    struct rf_arena none;
    rf_arena_init(&none, 0);
    struct rf_code_set full = {.arena = &none};
    assert_false(rf_code_group_add(rf_code_group_perl('d'), &full));
}

static void test_rf_code_group_add_unicode(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t has, lacks;
    } cases[] = {
        {"L", 0xE9, '0'},          {"Lu", 'A', 'a'},
        {"Ll", 0xDF, 'A'},         {"Lt", 0x1C5, 'A'},
        {"Lo", 0x4E2D, 'a'},       {"Lm", 0x2B0, 'a'},
        {"M", 0x301, 'a'},         {"Nd", 0x663, 0xB2},
        {"No", 0xB2, '2'},         {"N", 0x2160, 'x'},
        {"P", '!', '+'},           {"Pc", '_', '-'},
        {"Sc", 0x20AC, 'E'},       {"Sm", '+', '-'},
        {"Zs", 0xA0, '\t'},        {"C", 0, ' '},
        {"Cc", 0x7F, 0xAD},        {"Cf", 0xAD, 0x7F},
        {"Co", 0xE000, 0xFFFF},    {"Greek", 0x3B1, 'a'},
        {"Cyrillic", 0x416, 'a'},  {"Han", 0x4E2D, 0x3042},
        {"Latin", 'z', 0x3B1},     {"Common", '1', 'a'},
        {"Inherited", 0x301, 'a'}, {"Old_Italic", 0x10300, 'a'},
        {"Kawi", 0x11F02, 'a'},    {"Any", 0x10FFFF, 0x110000},
    };
    bool is_full;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct rf_code_set set = {.arena = &arena};
        assert_true(rf_code_group_add_unicode(rf_str_of(cases[i].name), &set, &is_full));
        assert_false(is_full);
        assert_true(set_has(&set, cases[i].has));
        assert_false(set_has(&set, cases[i].lacks));
    }
    static const char *const unknown[] = {"", "l", "Xx", "LU", "greek", "Gree", "Greekk", "Cn", "LC", "Unknown", "any"};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        struct rf_code_set set = {.arena = &arena};
        assert_false(rf_code_group_add_unicode(rf_str_of(unknown[i]), &set, &is_full));
    }
    struct rf_arena none;
    rf_arena_init(&none, 0);
    struct rf_code_set full = {.arena = &none};
    assert_true(rf_code_group_add_unicode(RF_STR("Greek"), &full, &is_full));
    assert_true(is_full);
}

static void test_rf_code_group_is_name(void **state)
{
    (void)state;
    static const uint32_t allowed[] = {'a', 'Z', '0', '9', '_', 0xE9, 0x301, 0x4E2D, 0x2160, 0x663, 0x203F};
    static const uint32_t others[] = {0, ' ', '-', '>', '<', '$', 0x20AC, 0xB2, 0xAD, 0xE000, 0x10FFFF, 0x378};
    for (size_t i = 0; i < sizeof allowed / sizeof allowed[0]; i++) {
        assert_true(rf_code_group_is_name(allowed[i]));
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        assert_false(rf_code_group_is_name(others[i]));
    }
}

static void runs_check(const uint32_t *runs, uint32_t run_count, const char *const *names, uint32_t name_count)
{
    assert_int_equal(runs[0] >> RF_UNICODE_RUN_SHIFT, 0);
    for (uint32_t i = 0; i < run_count; i++) {
        assert_true((runs[i] & RF_UNICODE_NO_NAME) < name_count ||
                    (runs[i] & RF_UNICODE_NO_NAME) == RF_UNICODE_NO_NAME);
        if (i != 0) {
            assert_true(runs[i] >> RF_UNICODE_RUN_SHIFT > runs[i - 1] >> RF_UNICODE_RUN_SHIFT);
            assert_true((runs[i] & RF_UNICODE_NO_NAME) != (runs[i - 1] & RF_UNICODE_NO_NAME));
        }
    }
    assert_true(runs[run_count - 1] >> RF_UNICODE_RUN_SHIFT <= RF_UNICODE_MAX);
    for (uint32_t i = 1; i < name_count; i++) {
        assert_true(strcmp(names[i - 1], names[i]) < 0);
    }
}

/* The tables are what their header says; how many code points a category has is told by DerivedGeneralCategory.txt. */
static void test_unicode_tables(void **state)
{
    (void)state;
    runs_check(rf_unicode_category_runs, rf_unicode_category_run_count, rf_unicode_category_names,
               rf_unicode_category_name_count);
    runs_check(rf_unicode_script_runs, rf_unicode_script_run_count, rf_unicode_script_names,
               rf_unicode_script_name_count);
    for (uint32_t i = 0; i < rf_unicode_fold_count; i++) {
        const struct rf_unicode_fold fold = rf_unicode_folds[i];
        assert_true(fold.first <= fold.last && (fold.step != 0 || ((fold.last - fold.first) & 1) == 1));
        assert_true(i == 0 || fold.first > rf_unicode_folds[i - 1].last);
    }
    static const struct {
        const char *name;
        uint32_t code_points;
    } counts[] = {{"Lu", 1831}, {"Ll", 2233}, {"Nd", 680}, {"Mn", 1985}, {"Sc", 63}, {"Zs", 17}, {"Co", 137468}};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        struct rf_code_set set = {.arena = &arena};
        uint32_t sum = 0;
        bool is_full;
        assert_true(rf_code_group_add_unicode(rf_str_of(counts[i].name), &set, &is_full));
        for (uint32_t r = 0; r < set.count; r++) {
            sum += set.range[r].high - set.range[r].low + 1;
        }
        assert_int_equal(sum, counts[i].code_points);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_ARENA(test_rf_code_group_perl),    WITH_ARENA(test_rf_code_group_posix),
        WITH_ARENA(test_rf_code_group_add),     WITH_ARENA(test_rf_code_group_add_unicode),
        WITH_ARENA(test_rf_code_group_is_name), WITH_ARENA(test_unicode_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
