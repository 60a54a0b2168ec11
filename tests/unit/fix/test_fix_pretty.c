#include "fix_view_fixture.h"

#include "fix_entry.h"
#include "fix_pretty.h"
#include "utf8.h"

static struct rf_text pretty_of(const struct rf_fix_view *view, const struct rf_fix_pretty *pretty)
{
    struct rf_error err;
    struct rf_fix_tree tree;
    struct rf_text out = {0};
    assert_int_equal(rf_fix_tree_open(&tree, view_dict, &err), RF_OK);
    assert_int_equal(rf_fix_pretty_write(&tree, view, pretty, &out, &err), RF_OK);
    assert_int_equal(rf_text_append_char(&out, '\0', &err), RF_OK);
    out.count--;
    rf_fix_tree_close(&tree);
    return out;
}

static void assert_pretty(const char *body, uint8_t flags, struct rf_fix_pretty pretty, const char *expected)
{
    struct view view = view_of(body);
    view.view.flags |= flags;
    struct rf_text out = pretty_of(&view.view, &pretty);
    assert_string_equal(out.data, expected);
    rf_text_free(&out);
    view_free(&view);
}

static void test_fields(void **state)
{
    (void)state;
    assert_pretty("35=8|54=2|44=102.50|9702=x|58=|", 0, (struct rf_fix_pretty){0},
                  "ExecutionReport\n"
                  "     8 BeginString  FIX.4.4\n"
                  "     9 BodyLength   5\n"
                  "    35 MsgType      8 (ExecutionReport)\n"
                  "    54 Side         2 (Sell)\n"
                  "    44 Price        102.50\n"
                  "  9702 ?            x\n"
                  "    58 Text         ! empty\n"
                  "    10 CheckSum     007\n"
                  "\n");
    /* Lists of constants, values that are none, repeats. */
    assert_pretty("35=D|18=1 G|18=1 *|44=1e5|54=?|44=1|", 0, (struct rf_fix_pretty){0},
                  "NewOrderSingle\n"
                  "   8 BeginString  FIX.4.4\n"
                  "   9 BodyLength   5\n"
                  "  35 MsgType      D (NewOrderSingle)\n"
                  "  18 ExecInst     1 G (NotHeld, AllOrNone)\n"
                  "  18 ExecInst     1 *  ! again\n"
                  "  44 Price        1e5  ! no Price\n"
                  "  54 Side         ?\n"
                  "  44 Price        1  ! again\n"
                  "  10 CheckSum     007\n"
                  "\n");
}

static void test_groups(void **state)
{
    (void)state;
    assert_pretty("35=D|453=2|448=A|802=2|523=x|523=y|452=1|448=B|55=X|", 0, (struct rf_fix_pretty){0},
                  "NewOrderSingle\n"
                  "    8 BeginString    FIX.4.4\n"
                  "    9 BodyLength     5\n"
                  "   35 MsgType        D (NewOrderSingle)\n"
                  "  453 NoPartyIDs     2\n"
                  "      PartyIDs[0]\n"
                  "        448 PartyID        A\n"
                  "        802 NoPartySubIDs  2\n"
                  "            PartySubIDs[0]\n"
                  "              523 PartySubID     x\n"
                  "            PartySubIDs[1]\n"
                  "              523 PartySubID     y\n"
                  "        452 PartyRole      1 (ExecutingFirm)\n"
                  "      PartyIDs[1]\n"
                  "        448 PartyID        B\n"
                  "   55 Symbol         X\n"
                  "   10 CheckSum       007\n"
                  "\n");
}

static void test_faults(void **state)
{
    (void)state;
    assert_pretty("35=D|453=2|448=A|9702=x|55=X|", 0, (struct rf_fix_pretty){0},
                  "NewOrderSingle\n"
                  "     8 BeginString  FIX.4.4\n"
                  "     9 BodyLength   5\n"
                  "    35 MsgType      D (NewOrderSingle)\n"
                  "   453 NoPartyIDs   2  ! wrong count\n"
                  "       PartyIDs[0]\n"
                  "          448 PartyID      A\n"
                  "  9702 ?            x  ! foreign to the group\n"
                  "    55 Symbol       X\n"
                  "    10 CheckSum     007\n"
                  "\n");
}

static void test_head(void **state)
{
    (void)state;
    const struct rf_fix_pretty pretty = {.input_name = RF_STR("day\033.log"),
                                         .number = 18446744073709551615u,
                                         .before = RF_STR(" 2026-01-02\t10:00 IN  "),
                                         .behind = RF_STR(" rest\r")};
    assert_pretty("35=zz|", RF_FIX_WRONG_SUM | RF_FIX_WRONG_LENGTH | RF_FIX_BARE_END, pretty,
                  "day\\x1b.log:18446744073709551615: MsgType zz  2026-01-02\\x0910:00 IN\n"
                  "  ! BodyLength is absent or wrong\n"
                  "  ! CheckSum is absent or wrong\n"
                  "  ! a line end in place of the last separator\n"
                  "   8 BeginString  FIX.4.4\n"
                  "   9 BodyLength   5\n"
                  "  35 MsgType      zz\n"
                  "  10 CheckSum     007\n"
                  "  behind it: rest\\x0d\n"
                  "\n");
    assert_pretty("58=a\001|", 0, (struct rf_fix_pretty){.number = 1},
                  "1: no MsgType\n"
                  "   8 BeginString  FIX.4.4\n"
                  "   9 BodyLength   5\n"
                  "  58 Text         a\\x01\n"
                  "  10 CheckSum     007\n"
                  "\n");
}

static void test_color(void **state)
{
    (void)state;
    assert_pretty("35=8|58=|", RF_FIX_WRONG_SUM, (struct rf_fix_pretty){.has_color = true, .number = 3},
                  "\033[35m3\033[0m: \033[1mExecutionReport\033[0m\n"
                  "  \033[1;31m! CheckSum is absent or wrong\033[0m\n"
                  "   \033[36m8\033[0m BeginString  FIX.4.4\n"
                  "   \033[36m9\033[0m BodyLength   5\n"
                  "  \033[36m35\033[0m MsgType      8 (\033[32mExecutionReport\033[0m)\n"
                  "  \033[36m58\033[0m Text         \033[1;31m! empty\033[0m\n"
                  "  \033[36m10\033[0m CheckSum     007\n"
                  "\n");
}

/* Whatever is in the message and around it: a line for each field, no byte that a terminal obeys, and without the colours
 * the same text. */
static void test_hostile(void **state)
{
    uint32_t random = 9;
    (void)state;
    for (uint32_t round = 0; round < 3000; round++) {
        static const uint32_t tags[] = {35, 54, 44, 18, 58, 453, 448, 447, 9702, 52};
        char body[2048];
        char around[16];
        size_t count = 0;
        uint32_t fields = (random >> 20) % 30;
        for (uint32_t f = 0; f < fields; f++) {
            random = random * 1664525 + 1013904223;
            count += (size_t)sprintf(body + count, "%u=", tags[(random >> 16) % (sizeof tags / sizeof tags[0])]);
            for (uint32_t n = (random >> 8) % 12; n > 0; n--) {
                random = random * 1664525 + 1013904223;
                const char byte =
                    (random >> 16) % 3 == 0 ? (char)(random >> 24) : "0128 DY.\033\x9b\xc2"[(random >> 24) % 11];
                body[count++] = byte == '|' || byte == 0 ? '_' : byte;
            }
            body[count++] = '|';
        }
        body[count] = '\0';
        for (size_t i = 0; i < sizeof around; i++) {
            random = random * 1664525 + 1013904223;
            around[i] = (char)(random >> 24);
        }
        struct view view = view_of(body);
        const struct rf_fix_pretty pretty = {.number = 1, .before = {around, 8}, .behind = {around + 8, 8}};
        struct rf_text out = pretty_of(&view.view, &pretty);
        assert_true(rf_utf8_is_valid(rf_text_str(&out)));
        size_t lines = 0;
        size_t entries = 0;
        for (size_t i = 0; i < out.count; i++) {
            const uint8_t byte = (uint8_t)out.data[i];
            lines += byte == '\n';
            entries += byte == '\n' && strncmp(out.data + i + 1, "       PartyIDs[", 16) == 0;
            entries += byte == '\n' && strncmp(out.data + i + 1, "      PartyIDs[", 15) == 0;
            assert_true(byte == '\n' || (byte >= 0x20 && byte != 0x7f));
        }
        assert_in_range(lines, 2 + view.view.fields + entries, 3 + view.view.fields + entries);
        rf_text_free(&out);
        view_free(&view);
        random = random * 1664525 + 1013904223;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields), cmocka_unit_test(test_groups), cmocka_unit_test(test_faults),
        cmocka_unit_test(test_head),   cmocka_unit_test(test_color),  cmocka_unit_test(test_hostile),
    };
    return cmocka_run_group_tests(tests, view_dict_open, view_dict_close);
}
