/* test_fix_choice.c: lists of dictionaries, built in and from files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "fix_choice.h"

static char path[] = "/tmp/rf_test_fix_choice.XXXXXX";
static struct rf_arena arena;
static struct rf_error err;

static void file_write(struct rf_str text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text.data, 1, text.count, file), text.count);
    assert_int_equal(fclose(file), 0);
}

static enum rf_status chosen(const char *names, const struct rf_fix_dict **dict)
{
    *dict = NULL;
    return rf_fix_choose(&arena, rf_str_of(names), dict, &err);
}

static bool has_field(const struct rf_fix_dict *dict, const char *name)
{
    return rf_fix_field_of_name(dict, rf_str_of(name)) != NULL;
}

static void test_rf_fix_choose(void **state)
{
    (void)state;
    const struct rf_fix_dict *dict;
    assert_int_equal(chosen("", &dict), RF_OK);
    assert_true(has_field(dict, "PartyID"));   /* since 4.3 */
    assert_true(has_field(dict, "ClientID"));  /* up to 4.2 */
    assert_true(has_field(dict, "ApplVerID")); /* of the session layer of 5.0 */
    assert_int_equal(chosen("FIX.4.2", &dict), RF_OK);
    assert_ptr_equal(dict, rf_fix_dict_builtin(RF_STR("FIX.4.2")));
    assert_false(has_field(dict, "PartyID"));
    assert_int_equal(chosen(",fix44,", &dict), RF_OK);
    assert_ptr_equal(dict, rf_fix_dict_builtin(RF_STR("FIX.4.4")));
}

/* A file is laid over what stands before it. */
static void test_file(void **state)
{
    (void)state;
    const struct rf_fix_dict *dict;
    char names[128];
    file_write(RF_STR("<fix major='4' minor='4'><header/><trailer/><messages/><components/><fields>"
                      "<field number='9702' name='VenueFee' type='PRICE'/></fields></fix>"));
    (void)snprintf(names, sizeof names, "FIX.4.4,%s", path);
    if (chosen(names, &dict) != RF_OK) {
        fail_msg("%s", err.text);
    }
    assert_true(has_field(dict, "VenueFee"));
    assert_true(has_field(dict, "PartyID"));
    assert_int_equal(rf_fix_field_of_tag(dict, 9702)->type, RF_FIX_TYPE_PRICE);
}

static void test_bad_lists(void **state)
{
    (void)state;
    const struct rf_fix_dict *dict;
    assert_int_equal(chosen(",", &dict), RF_E_USAGE);
    assert_int_equal(chosen(",,", &dict), RF_E_USAGE);
    assert_true(rf_status_is_error(chosen("FIX.9.9", &dict)));
    assert_non_null(strstr(err.text, "FIX.9.9"));
    file_write(RF_STR("<fix>"));
    assert_int_equal(chosen(path, &dict), RF_E_CONFIG);
    struct rf_arena none;
    rf_arena_init(&none, 4);
    assert_int_equal(rf_fix_choose(&none, RF_STR("FIX.4.4"), &dict, &err), RF_E_MEMORY);
    rf_arena_free(&none);
}

static int set_up(void **state)
{
    (void)state;
    rf_arena_init(&arena, RF_FIX_CHOICE_BYTES_MAX);
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    unlink(path);
    rf_arena_free(&arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_fix_choose),
        cmocka_unit_test(test_file),
        cmocka_unit_test(test_bad_lists),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
