/* test_fix_input.c: whether an input is FIX. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "fix_input.h"

static char folder[] = "/tmp/rf_test_fix_input.XXXXXX";
static char path[64];
static struct rf_error err;

static void file_write(struct rf_str text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text.data, 1, text.count, file), text.count);
    assert_int_equal(fclose(file), 0);
}

/* A command line of riffle filter. */
static void parse(struct rf_flags *flags, const char *const *line)
{
    static char word[8][128];
    static char *words[9];
    int count = 0;
    for (; *line != NULL; line++) {
        assert_true(count < 8);
        (void)snprintf(word[count], sizeof word[count], "%s", *line);
        words[count] = word[count];
        count++;
    }
    words[count] = NULL;
    assert_int_equal(rf_flags_parse(flags, RF_COMMAND_FILTER, count, words, &err), RF_OK);
}

static unsigned chosen(const char *const *line)
{
    struct rf_flags flags;
    parse(&flags, line);
    const unsigned format = rf_format_choose(&flags, 1);
    rf_flags_free(&flags);
    return format;
}

#define CHOSEN(...) chosen((const char *const[]){"filter", __VA_ARGS__, NULL})

static unsigned chosen_for(struct rf_str text)
{
    file_write(text);
    return CHOSEN("true", path);
}

#define assert_is_fix(text) assert_int_equal(chosen_for(RF_STR(text)), RF_FORMAT_FIX)
#define assert_is_json(text) assert_int_equal(chosen_for(RF_STR(text)), RF_FORMAT_NDJSON)

static void test_looks(void **state)
{
    (void)state;
    assert_is_fix("8=FIX.4.4\0019=5\00135=0\00110=163\001");
    assert_is_fix("8=FIXT.1.1|9=5|35=0|10=163|\n");
    assert_is_fix("8=FIX.4.2^A9=5^A35=0^A10=163^A\n");
    assert_is_fix("8=FIX.4.2\\x019=5\\x0135=0\\x0110=163\\x01\n");
    assert_is_fix("\n\n  20260102 IN 8=FIX.4.4|9=5|35=0|10=163|\n");
    assert_is_fix("[10:00] 8=FIX.4.4|9=5|35=0|10=163|\n"); /* a bracket begins prefixes too */
    assert_is_fix("started\nlogged on\n8=FIX.4.4|9=5|35=0|10=163|\n");
    assert_is_json("{\"raw\":\"8=FIX.4.4|9=5|35=0|10=163|\"}\n");
    assert_is_json("  \n{\"raw\":\"8=FIX.4.4|9=5|35=0|10=163|\"}\n");
    assert_is_json("\"8=FIX.4.4|9=5|35=0|10=163|\"\n");
    assert_is_json("[1,2]\n");
    assert_is_json("");
    assert_is_json(" \r\n\t");
    assert_is_json("58=FIX\n");
    assert_is_json("8=FIX.4.4\n"); /* nothing follows */
    assert_is_json("8=FIX.4.4|35=0|\n");
}

/* What is said goes before what is seen; what cannot be looked at without taking from it is not. */
static void test_rf_format_choose(void **state)
{
    (void)state;
    file_write(RF_STR("8=FIX.4.4|9=5|35=0|10=163|\n"));
    assert_int_equal(CHOSEN("true", path), RF_FORMAT_FIX);
    assert_int_equal(CHOSEN("-f", "ndjson", "true", path), RF_FORMAT_NDJSON);
    assert_int_equal(CHOSEN("-f", "text", "true", path), RF_FORMAT_TEXT);
    assert_int_equal(CHOSEN("-f", "fix", "true", "-"), RF_FORMAT_FIX);
    assert_int_equal(CHOSEN("--fix-lenient", "true"), RF_FORMAT_FIX);
    assert_int_equal(CHOSEN("--fix-dict", "FIX.4.2", "true"), RF_FORMAT_FIX);
    assert_int_equal(CHOSEN("true"), RF_FORMAT_NDJSON);
    assert_int_equal(CHOSEN("true", "-"), RF_FORMAT_NDJSON);
    assert_int_equal(CHOSEN("true", folder), RF_FORMAT_NDJSON);
    assert_int_equal(CHOSEN("true", "/tmp/rf_test_fix_input.none"), RF_FORMAT_NDJSON);
    char fifo[80];
    (void)snprintf(fifo, sizeof fifo, "%s/fifo", folder);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    assert_int_equal(CHOSEN("true", fifo), RF_FORMAT_NDJSON); /* and does not wait for a writer */
    assert_int_equal(unlink(fifo), 0);
}

static int set_up(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/input", folder);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    unlink(path);
    rmdir(folder);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_looks),
        cmocka_unit_test(test_rf_format_choose),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
