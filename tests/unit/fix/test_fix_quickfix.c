/* The built-in dictionaries against the headers of QuickFIX (Debian's libquickfix-dev): a second source for numbers,
 * names, types and constants. It knows all versions at once, so that a field has the name and type of its newest one:
 * what differs for that reason is listed here, and nothing else may. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "fix_dict.h"
#include "intern.h"

#ifndef RF_QUICKFIX_FOLDER
#define RF_QUICKFIX_FOLDER "/usr/include/quickfix/"
#endif

enum { NAME_MAX_BYTES = 400, FIELDS_MAX = 4096 };

struct peer {
    struct rf_arena arena;
    struct rf_intern tag_of_name;
    struct rf_str name[FIELDS_MAX]; /* by tag */
    struct rf_str type[FIELDS_MAX];
};

static struct peer peer;

static FILE *header_open(const char *name)
{
    char path[256];
    snprintf(path, sizeof path, RF_QUICKFIX_FOLDER "%s", name);
    FILE *const file = fopen(path, "r");
    if (file == NULL) {
        fail_msg("cannot open %s: ./dev install-deps installs libquickfix-dev", path);
    }
    return file;
}

static int peer_load(void **state)
{
    (void)state;
    char line[1024];
    char name[NAME_MAX_BYTES + 1];
    char type[NAME_MAX_BYTES + 1];
    unsigned tag;
    rf_arena_init(&peer.arena, 64 << 20);
    peer.tag_of_name.arena = &peer.arena;
    FILE *file = header_open("FixFieldNumbers.h");
    while (fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, " const int %400[A-Za-z0-9_] = %u;", name, &tag) == 2 && tag < FIELDS_MAX) {
            *rf_intern_at(&peer.tag_of_name, rf_str_of(name)) = tag;
            peer.name[tag] = rf_arena_copy(&peer.arena, rf_str_of(name));
        }
    }
    fclose(file);
    file = header_open("FixFields.h");
    while (fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, " DEFINE_%400[A-Z](%400[A-Za-z0-9_])", type, name) == 2) {
            tag = *rf_intern_at(&peer.tag_of_name, rf_str_of(name));
            if (tag < FIELDS_MAX) {
                peer.type[tag] = rf_arena_copy(&peer.arena, rf_str_of(type));
            }
        }
    }
    fclose(file);
    return 0;
}

static int peer_free(void **state)
{
    (void)state;
    rf_arena_free(&peer.arena);
    return 0;
}

/* Fields whose class of values is another one in the newest version, or in the standard's own file. */
static bool type_may_differ(const struct rf_fix_dict *dict, uint32_t tag)
{
    static const struct {
        const char *dict;
        uint32_t tag;
    } known[] = {
        {"FIX.4.2", 286}, /* OpenCloseSettleFlag, later a list */
        {"FIX.4.2", 291}, /* FinancialStatus, later a list */
        {"FIX.4.2", 292}, /* CorporateAction, later a list */
        {"FIX.4.2", 327}, /* HaltReason, later a number */
        {"FIX.4.4", 327},
        {"FIX.4.4", 674}, /* LegAllocAcctIDSource has the constants of AcctIDSource, which are numbers */
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(known[i].dict, dict->name) == 0 && known[i].tag == tag) {
            return true;
        }
    }
    return false;
}

static void test_types(void **state)
{
    (void)state;
    static const uint32_t compared_min[] = {405, 912, 74};
    int which = 0;
    for (const struct rf_fix_dict *const *all = rf_fix_dict_builtins(); *all != NULL; all++, which++) {
        uint32_t compared = 0;
        for (uint32_t i = 0; i < (*all)->fields; i++) {
            const struct rf_fix_field *const field = &(*all)->field[i];
            enum rf_fix_type type;
            if (field->tag >= FIELDS_MAX || peer.type[field->tag].count == 0) {
                continue;
            }
            compared++;
            if (!rf_fix_type_of_name(peer.type[field->tag], &type)) {
                fail_msg("unknown type %.*s", RF_STR_ARG(peer.type[field->tag]));
            }
            if ((rf_fix_type_class(type) == rf_fix_field_class(field)) == type_may_differ(*all, field->tag)) {
                fail_msg("%s %u: %s, QuickFIX says %.*s", (*all)->name, field->tag,
                         rf_fix_type_name((enum rf_fix_type)field->type), RF_STR_ARG(peer.type[field->tag]));
            }
        }
        print_message("%s: %u types compared\n", (*all)->name, compared);
        assert_true(compared >= compared_min[which]);
    }
}

/* FIX 4.4 is the version whose names QuickFIX has; 4.2 had others for 22 of its fields. */
static void test_names(void **state)
{
    (void)state;
    static const uint32_t differing[] = {22, 1, 0};
    int which = 0;
    for (const struct rf_fix_dict *const *all = rf_fix_dict_builtins(); *all != NULL; all++, which++) {
        uint32_t differ = 0;
        for (uint32_t i = 0; i < (*all)->fields; i++) {
            const struct rf_fix_field *const field = &(*all)->field[i];
            if (field->tag < FIELDS_MAX && peer.name[field->tag].count != 0) {
                differ += !rf_str_equal(peer.name[field->tag], rf_fix_field_name(*all, field));
            }
        }
        assert_int_equal(differ, differing[which]);
    }
}

struct tally {
    uint32_t same;
    uint32_t unknown; /* QuickFIX has another name for the value */
    uint32_t other;   /* the same name means another value here */
};

/* One line of FixValues.h: const char Side_BUY = '1'; const int X_Y = 3; const char MsgType_Logon[] = "A"; */
static void constant_compare(const struct rf_fix_dict *dict, const char *line, struct tally *tally)
{
    char kind[16];
    char name[NAME_MAX_BYTES + 1];
    char text[NAME_MAX_BYTES + 1];
    struct rf_str known;
    struct rf_str value;
    if (sscanf(line, " const %15[a-z] %400[A-Za-z0-9_]", kind, name) != 2 || strchr(line, '=') == NULL ||
        sscanf(strchr(line, '=') + 1, " %400[^;]", text) != 1) {
        return;
    }
    char *const constant = strchr(name, '_');
    if (constant == NULL) {
        return;
    }
    const struct rf_str field_name = {name, (size_t)(constant - name)};
    const uint32_t tag = *rf_intern_at(&peer.tag_of_name, field_name);
    const struct rf_fix_field *const field = tag == UINT32_MAX ? NULL : rf_fix_field_of_tag(dict, tag);
    struct rf_str expected = rf_str_of(text);
    if (expected.count >= 2 && (expected.data[0] == '\'' || expected.data[0] == '"')) {
        expected = (struct rf_str){expected.data + 1, expected.count - 2};
    }
    if (field == NULL || !rf_fix_code_name(dict, field, expected, &known)) {
        return; /* a field or a value of a later version */
    }
    if (!rf_fix_code_value(dict, field, rf_str_of(constant + 1), &value)) {
        tally->unknown++;
    } else if (rf_str_equal(value, expected)) {
        tally->same++;
    } else {
        tally->other++;
        print_message("%s %s: %.*s here, %.*s in QuickFIX\n", dict->name, name, RF_STR_ARG(value),
                      RF_STR_ARG(expected));
    }
}

/* A constant that both know has one value. Where QuickFIX took longer texts of the standard for names, ours are unknown
 * by them; how many that may be is written down, so that a change of the rules is noticed. */
static void test_constants(void **state)
{
    (void)state;
    /* The other one: US_TREASURY_BILL is TBILL in FIX 4.4, and USTB, which it calls the old name, in QuickFIX. */
    static const struct tally expected[] = {{622, 0, 0}, {1648, 0, 1}, {64, 0, 0}};
    int which = 0;
    for (const struct rf_fix_dict *const *all = rf_fix_dict_builtins(); *all != NULL; all++, which++) {
        struct tally tally = {0, 0, 0};
        char line[1024];
        FILE *const file = header_open("FixValues.h");
        while (fgets(line, sizeof line, file) != NULL) {
            constant_compare(*all, line, &tally);
        }
        fclose(file);
        print_message("%s: %u constants alike, %u by other names\n", (*all)->name, tally.same, tally.unknown);
        assert_true(tally.same >= expected[which].same);
        assert_int_equal(tally.other, expected[which].other);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_constants),
    };
    return cmocka_run_group_tests(tests, peer_load, peer_free);
}
