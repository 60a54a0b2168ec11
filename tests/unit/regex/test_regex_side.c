#include "regex_fixture.h"

#include "regex_side.h"

static void test_rf_regex_side_of(void **state)
{
    (void)state;
    for (uint32_t byte = 0; byte < 256; byte++) {
        const bool is_word =
            byte < 0x80 && byte != 0 &&
            strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", (int)byte) != NULL;
        const enum rf_regex_side side = byte == '\n' ? RF_SIDE_NEWLINE : is_word ? RF_SIDE_WORD : RF_SIDE_OTHER;
        assert_int_equal(rf_regex_side_of((unsigned char)byte), side);
    }
}

static void test_rf_regex_assert_holds(void **state)
{
    /* Before: other, word, newline, edge. Ahead: the same, and unknown as ?. */
    static const struct {
        enum rf_regex_assert assertion;
        const char *holds; /* rows are before, columns ahead */
    } cases[] = {
        {RF_ASSERT_TEXT_BEGIN, "00000"
                               "00000"
                               "00000"
                               "11111"},
        {RF_ASSERT_LINE_BEGIN, "00000"
                               "00000"
                               "11111"
                               "11111"},
        {RF_ASSERT_TEXT_END, "0001?"
                             "0001?"
                             "0001?"
                             "0001?"},
        {RF_ASSERT_LINE_END, "0011?"
                             "0011?"
                             "0011?"
                             "0011?"},
        {RF_ASSERT_WORD_EDGE, "0100?"
                              "1011?"
                              "0100?"
                              "0100?"},
        {RF_ASSERT_WORD_INSIDE, "1011?"
                                "0100?"
                                "1011?"
                                "1011?"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (uint32_t before = 0; before < 4; before++) {
            for (uint32_t ahead = 0; ahead < 5; ahead++) {
                const char cell = cases[i].holds[5 * before + ahead];
                const int holds =
                    rf_regex_assert_holds(cases[i].assertion, (enum rf_regex_side)before, (enum rf_regex_side)ahead);
                assert_int_equal(holds, cell == '?' ? -1 : cell - '0');
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_regex_side_of),
        cmocka_unit_test(test_rf_regex_assert_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
