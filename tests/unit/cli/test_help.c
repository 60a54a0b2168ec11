/* test_help.c: every option, command and status is in every text that is made from the tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "flag.h"
#include "help.h"

static struct rf_error err;
static struct rf_text text;

static const char *content(enum rf_status status)
{
    assert_int_equal(status, RF_OK);
    assert_int_equal(rf_text_append_char(&text, '\0', &err), RF_OK);
    rf_text_clear(&text);
    return text.data;
}

static void assert_has(const char *whole, const char *part)
{
    if (strstr(whole, part) == NULL) {
        fail_msg("'%s' is not in the text", part);
    }
}

/* rf_help_write: the options of a command and no others, within 80 columns but for the examples. */
static void test_help(void **state)
{
    (void)state;
    for (int c = 0; c < RF_COMMAND_COUNT; c++) {
        const char *help = content(rf_help_write(&text, (enum rf_command_id)c, &err));
        assert_has(help, rf_command_table[c].summary);
        assert_has(help, "Exit status:");
        for (int i = 0; i < RF_FLAGS; i++) {
            char name[64];
            (void)snprintf(name, sizeof name, "--%s", rf_flag_table[i].name);
            if (rf_flag_belongs((enum rf_flag_id)i, (enum rf_command_id)c)) {
                assert_has(help, name);
            }
        }
        for (const char *line = help; *line != '\0';) {
            const size_t width = strcspn(line, "\n");
            if (strncmp(line, "  riffle", 8) != 0 && strncmp(line, "riffle COMMAND", 14) != 0) {
                assert_true(width <= 80);
            }
            assert_true(width == 0 || line[width - 1] != ' ');
            line += width + (line[width] == '\n' ? 1 : 0);
        }
    }
    assert_null(strstr(content(rf_help_write(&text, RF_COMMAND_EXPLAIN, &err)), "--count"));
    assert_null(strstr(content(rf_help_write(&text, RF_COMMAND_EXPLAIN, &err)), "nothing was selected"));
    assert_null(strstr(content(rf_help_write(&text, RF_COMMAND_BACKENDS, &err)), "the expression is wrong"));
    assert_has(content(rf_help_write(&text, RF_COMMAND_FILTER, &err)), "nothing was selected");
}

static void test_version(void **state)
{
    (void)state;
    const char *version = content(rf_version_write(&text, &err));
    assert_int_equal(strncmp(version, "riffle ", 7), 0);
    assert_has(version, "\nbuild: ");
    assert_has(version, "\ncpu: ");
    assert_has(version, "\ncuda: ");
}

static void test_manual(void **state)
{
    (void)state;
    const char *manual = content(rf_manual_write(&text, &err));
    assert_int_equal(strncmp(manual, ".TH RIFFLE 1", 12), 0);
    assert_has(manual, "\\fB\\-\\-max\\-count\\fR=\\fINUM\\fR\n");
    assert_has(manual, "\\fB\\-c\\fR, \\fB\\-\\-count\\fR\n");
    assert_has(manual, ".SH \"EXIT STATUS\"");
    assert_has(manual, "\\fBRIFFLE_ISA\\fR");
}

static void test_reference(void **state)
{
    (void)state;
    const char *reference = content(rf_reference_write(&text, &err));
    for (int i = 0; i < RF_FLAGS; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "`--%s", rf_flag_table[i].name);
        assert_has(reference, name);
    }
    assert_has(reference, "| 64 |");
}

static void test_completion(void **state)
{
    (void)state;
    static const char *const form[] = {"--%s", "--%s", "-l %s"}; /* bash, zsh, fish */
    for (unsigned shell = RF_SHELL_BASH; shell <= RF_SHELL_FISH; shell++) {
        const char *completion = content(rf_completion_write(&text, shell, &err));
        for (int i = 0; i < RF_FLAGS; i++) {
            char name[64] = "";
            const size_t head = strcspn(form[shell], "%");
            memcpy(name, form[shell], head);
            memcpy(name + head, rf_flag_table[i].name, strlen(rf_flag_table[i].name) + 1);
            assert_has(completion, name);
        }
        for (int c = RF_COMMAND_TOP + 1; c < RF_COMMAND_COUNT; c++) {
            const char *space = strchr(rf_command_table[c].name, ' ');
            assert_has(completion, space == NULL ? rf_command_table[c].name : space + 1);
        }
    }
}

static int suite_close(void **state)
{
    (void)state;
    rf_text_free(&text);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_help),      cmocka_unit_test(test_version),    cmocka_unit_test(test_manual),
        cmocka_unit_test(test_reference), cmocka_unit_test(test_completion),
    };
    return cmocka_run_group_tests_name("help", tests, NULL, suite_close);
}
