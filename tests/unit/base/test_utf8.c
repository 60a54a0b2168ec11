#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "utf8.h"

/* Table 3-7 written as a decoder: the slow, obvious way. */
static size_t sequence_of_reference(const unsigned char *t, size_t count)
{
    uint32_t value;
    size_t bytes;
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    if (t[0] < 0x80) {
        return 1;
    }
    if ((t[0] & 0xE0) == 0xC0) {
        bytes = 2;
        value = t[0] & 0x1F;
    } else if ((t[0] & 0xF0) == 0xE0) {
        bytes = 3;
        value = t[0] & 0x0F;
    } else if ((t[0] & 0xF8) == 0xF0) {
        bytes = 4;
        value = t[0] & 0x07;
    } else {
        return 0;
    }
    if (bytes > count) {
        return 0;
    }
    for (size_t i = 1; i < bytes; i++) {
        if ((t[i] & 0xC0) != 0x80) {
            return 0;
        }
        value = value << 6 | (t[i] & 0x3F);
    }
    return value < smallest[bytes] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF) ? 0 : bytes;
}

static size_t valid_count_of_reference(const unsigned char *text, size_t count)
{
    size_t at = 0;
    while (at < count) {
        const size_t bytes = sequence_of_reference(text + at, count - at);
        if (bytes == 0) {
            break;
        }
        at += bytes;
    }
    return at;
}

/* Every lead byte with every second byte, and edge values behind them, cut at every length. */
static void test_rf_utf8_valid_count(void **state)
{
    static const unsigned char edges[] = {0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF};
    enum { EDGES = sizeof edges / sizeof edges[0] };
    unsigned char text[4];
    (void)state;
    for (unsigned lead = 0; lead < 256; lead++) {
        for (unsigned second = 0; second < 256; second++) {
            for (size_t rest = 0; rest < EDGES * EDGES; rest++) {
                text[0] = (unsigned char)lead;
                text[1] = (unsigned char)second;
                text[2] = edges[rest / EDGES];
                text[3] = edges[rest % EDGES];
                for (size_t count = 1; count <= 4; count++) {
                    const struct rf_str part = {(const char *)text, count};
                    if (rf_utf8_valid_count(part) != valid_count_of_reference(text, count)) {
                        fail_msg("%02x %02x %02x %02x cut at %zu", text[0], text[1], text[2], text[3], count);
                    }
                }
            }
        }
    }
    assert_int_equal(rf_utf8_valid_count((struct rf_str){NULL, 0}), 0);
}

/* A bad byte at every position of a longer text. */
static void test_bad_byte_is_found(void **state)
{
    char text[64];
    (void)state;
    for (size_t count = 1; count <= sizeof text; count++) {
        for (size_t bad = 0; bad < count; bad++) {
            memset(text, 'a', count);
            assert_true(rf_utf8_is_valid((struct rf_str){text, count}));
            text[bad] = '\x80';
            assert_int_equal(rf_utf8_valid_count((struct rf_str){text, count}), bad);
            assert_false(rf_utf8_is_valid((struct rf_str){text, count}));
        }
    }
}

static void test_rf_utf8_length(void **state)
{
    (void)state;
    assert_int_equal(rf_utf8_length((struct rf_str){NULL, 0}), 0);
    assert_int_equal(rf_utf8_length(RF_STR("abc")), 3);
    assert_int_equal(rf_utf8_length(RF_STR("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80")), 4);
}

static void test_rf_utf8_write(void **state)
{
    char text[4];
    (void)state;
    for (uint32_t code_point = 0; code_point <= 0x10FFFF; code_point++) {
        if (code_point >= 0xD800 && code_point <= 0xDFFF) {
            continue;
        }
        const size_t count = rf_utf8_write(code_point, text);
        const size_t expected = code_point < 0x80 ? 1 : code_point < 0x800 ? 2 : code_point < 0x10000 ? 3 : 4;
        assert_int_equal(count, expected);
        assert_true(rf_utf8_is_valid((struct rf_str){text, count}));
        assert_int_equal(rf_utf8_length((struct rf_str){text, count}), 1);
    }
    assert_int_equal(rf_utf8_write(0x20AC, text), 3);
    assert_memory_equal(text, "\xe2\x82\xac", 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_utf8_valid_count),
        cmocka_unit_test(test_bad_byte_is_found),
        cmocka_unit_test(test_rf_utf8_length),
        cmocka_unit_test(test_rf_utf8_write),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
