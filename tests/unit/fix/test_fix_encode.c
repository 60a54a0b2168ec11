/* test_fix_encode.c: messages against those that an encoder made of printf builds, and read back. */
#include <float.h>
#include <math.h>

#include "fix_encode_fixture.h"

/* ---- Template, begin, end ---- */

static void test_rf_fix_template_open(void **state)
{
    (void)state;
    struct rf_fix_template order;
    const struct rf_fix_fixed_field field[] = {{49, RF_STR("SENDER")}, {56, RF_STR("TARGET")}, {1128, RF_STR("9")}};
    assert_int_equal(rf_fix_template_open(&order, RF_STR("FIXT.1.1"), RF_STR("AE"), field, 3, &err), RF_OK);
    rf_fix_begin(&encoder, &order, buffer, sizeof(buffer));
    assert_int_equal(rf_fix_end(&encoder, &message, &err), RF_OK);
    writer.body_bytes = 0;
    writer_print(&writer, "35=AE|49=SENDER|56=TARGET|1128=9|");
    writer_end(&writer, "FIXT.1.1");
    assert_int_equal(message.count, writer.count);
    assert_memory_equal(message.data, writer.message, message.count);

    const struct rf_fix_fixed_field wrong[] = {{0, RF_STR("x")},     {8, RF_STR("x")},         {9, RF_STR("x")},
                                         {10, RF_STR("x")},    {35, RF_STR("x")},        {49, RF_STR("")},
                                         {49, RF_STR("a\1b")}, {1000000000, RF_STR("x")}};
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        assert_int_equal(rf_fix_template_open(&order, RF_STR("FIX.4.4"), RF_STR("D"), wrong + i, 1, &err), RF_E_USAGE);
    }
    assert_int_equal(rf_fix_template_open(&order, RF_STR(""), RF_STR("D"), NULL, 0, &err), RF_E_USAGE);
    assert_int_equal(rf_fix_template_open(&order, RF_STR("FIX\1.4"), RF_STR("D"), NULL, 0, &err), RF_E_USAGE);
    assert_int_equal(rf_fix_template_open(&order, RF_STR("FIX.4.4"), RF_STR(""), NULL, 0, &err), RF_E_USAGE);
    assert_int_equal(rf_fix_template_open(&order, RF_STR("123456789012345678901234567"), RF_STR("D"), NULL, 0, &err),
                     RF_OK);
    assert_int_equal(rf_fix_template_open(&order, RF_STR("1234567890123456789012345678"), RF_STR("D"), NULL, 0, &err),
                     RF_E_USAGE);
}

static void test_template_bounds(void **state)
{
    (void)state;
    struct rf_fix_template order;
    char long_text[300];
    memset(long_text, 'x', sizeof(long_text));
    const size_t fits = RF_FIX_FIXED_BYTES - strlen("|35=D|49=|");
    struct rf_fix_fixed_field field = {49, {long_text, fits}};
    assert_int_equal(rf_fix_template_open(&order, RF_STR("FIX.4.4"), RF_STR("D"), &field, 1, &err), RF_OK);
    assert_int_equal(order.fixed_bytes, RF_FIX_FIXED_BYTES);
    rf_fix_begin(&encoder, &order, buffer, sizeof(buffer));
    assert_int_equal(rf_fix_end(&encoder, &message, &err), RF_OK);
    assert_true(reader_read(&reader, message));
    field.value.count = fits + 1;
    assert_int_equal(rf_fix_template_open(&order, RF_STR("FIX.4.4"), RF_STR("D"), &field, 1, &err), RF_E_LIMIT);
}

static void test_rf_fix_end_without_begin(void **state)
{
    (void)state;
    rf_fix_encoder_init(&encoder);
    rf_fix_put_text(&encoder, 55, RF_STR("MSFT"));
    rf_fix_put_int(&encoder, 38, -1);
    rf_fix_put_time(&encoder, 60, 0, RF_FIX_SECONDS);
    rf_fix_group_open(&encoder, 453);
    rf_fix_group_next(&encoder);
    rf_fix_group_shut(&encoder);
    refused(RF_FIX_PROBLEM_ORDER, 0);
    begin();
    end_both();
    rf_fix_put_text(&encoder, 55, RF_STR("MSFT"));
    refused(RF_FIX_PROBLEM_ORDER, 0);
    begin();
    end_both();
}

/* BodyLength at each change of its count of digits, after each other count of digits. */
static void test_body_length(void **state)
{
    (void)state;
    static char text[WRITER_BYTES];
    memset(text, 'x', sizeof(text));
    static const size_t border[] = {10, 100, 1000, 10000, 100000};
    for (size_t first = 0; first < 5; first++) {
        for (size_t b = 0; b < 5; b++) {
            for (size_t body = border[b] - 2; body <= border[b] + 2; body++) {
                begin();
                const size_t before = border[first] + 3;
                if (before > strlen("35=D|58=x|")) {
                    rf_fix_put_text(&encoder, 58, (struct rf_str){text, before - strlen("35=D|58=|")});
                    writer_add(&writer, 58, text, before - strlen("35=D|58=|"));
                }
                end_both();
                begin();
                if (body >= strlen("35=D|58=x|")) {
                    rf_fix_put_text(&encoder, 58, (struct rf_str){text, body - strlen("35=D|58=|")});
                    writer_add(&writer, 58, text, body - strlen("35=D|58=|"));
                    assert_int_equal(writer.body_bytes, body);
                }
                end_both();
            }
        }
    }
}

/* ---- Values ---- */

static void test_rf_fix_put_text(void **state)
{
    (void)state;
    static char text[300];
    for (size_t count = 1; count < sizeof(text); count++) {
        memset(text, 'a', sizeof(text));
        char *const exact = malloc(count); /* a byte read beyond it is found */
        assert_non_null(exact);
        for (size_t i = 0; i < count; i++) {
            exact[i] = (char)(i % 255 + 2);
        }
        begin();
        rf_fix_put_text(&encoder, 58, (struct rf_str){exact, count});
        writer_add(&writer, 58, exact, count);
        end_both();
        for (size_t i = 0; i < count; i++) {
            const char kept = exact[i];
            exact[i] = RF_FIX_SOH_BYTE;
            begin();
            rf_fix_put_text(&encoder, 58, (struct rf_str){exact, count});
            rf_fix_put_uint(&encoder, 38, 1);
            refused(RF_FIX_PROBLEM_SEPARATOR, 58);
            exact[i] = kept;
        }
        free(exact);
    }
    begin();
    rf_fix_put_text(&encoder, 58, (struct rf_str){0});
    refused(RF_FIX_PROBLEM_EMPTY, 58);
}

static void test_rf_fix_put_char(void **state)
{
    (void)state;
    begin();
    rf_fix_put_char(&encoder, 54, '1');
    rf_fix_put_bool(&encoder, 43, true);
    rf_fix_put_bool(&encoder, 114, false);
    rf_fix_put_char(&encoder, 1234567, (char)0xff);
    writer_print(&writer, "54=1|43=Y|114=N|1234567=\xff|");
    end_both();
    begin();
    rf_fix_put_char(&encoder, 54, RF_FIX_SOH_BYTE);
    refused(RF_FIX_PROBLEM_SEPARATOR, 54);
}

static void test_tags(void **state)
{
    (void)state;
    static const uint32_t good[] = {1,      2,       7,       11,       34,       36,        99,
                                    100,    999,     1000,    9999,     10000,    99999,     100000,
                                    999999, 1000000, 9999999, 10000000, 99999999, 100000000, RF_FIX_PUT_TAG_MAX};
    static const uint32_t bad[] = {0, 8, 9, 10, 35, RF_FIX_PUT_TAG_MAX + 1, 1u << 31, UINT32_MAX};
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        begin();
        rf_fix_put_uint(&encoder, good[i], 17);
        rf_fix_put_text(&encoder, good[i], RF_STR("text"));
        rf_fix_put_char(&encoder, good[i], 'c');
        writer_print(&writer, "%u=17|%u=text|%u=c|", good[i], good[i], good[i]);
        end_both();
        assert_int_equal(rf_fix_head_tag(rf_fix_head(good[i])), good[i]);
    }
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        begin();
        rf_fix_put_uint(&encoder, bad[i], 17);
        rf_fix_put_text(&encoder, 0, RF_STR("")); /* the first problem is told */
        refused(RF_FIX_PROBLEM_TAG, bad[i]);
        begin();
        rf_fix_put_text(&encoder, bad[i], RF_STR("17"));
        refused(RF_FIX_PROBLEM_TAG, bad[i]);
    }
}

static void test_rf_fix_heads(void **state)
{
    (void)state;
    for (uint32_t tag = 0; tag < RF_FIX_HEADS; tag++) {
        char expected[16];
        char text[8];
        const int count = snprintf(expected, sizeof(expected), "%u=", tag);
        if (!rf_fix_tag_is_free(tag)) {
            assert_true(rf_fix_heads[tag] == tag);
            continue;
        }
        rf_fix_word_store(text, rf_fix_heads[tag]);
        assert_memory_equal(text, expected, (size_t)count);
        assert_int_equal(rf_fix_heads[tag] >> 56, count);
        assert_true((rf_fix_heads[tag] & 0xffffffffffffff) >> (8 * count) == 0);
    }
    assert_true(rf_fix_head(55) == rf_fix_heads[55]); /* constants are made otherwise */
    assert_true(rf_fix_head(7) == rf_fix_heads[7]);
    assert_true(rf_fix_head(453) == rf_fix_heads[453]);
    assert_true(rf_fix_head(35) == rf_fix_heads[35]);
}

static void test_rf_fix_put_int(void **state)
{
    (void)state;
    begin();
    for (unsigned shift = 0; shift < 64; shift++) {
        for (uint64_t off = 0; off < 3; off++) {
            const uint64_t value = ((uint64_t)1 << shift) - 1 + off;
            rf_fix_put_uint(&encoder, 38, value);
            rf_fix_put_int(&encoder, 38, (int64_t)value);
            rf_fix_put_int(&encoder, 38, -(int64_t)(value & INT64_MAX));
            writer_print(&writer, "38=%" PRIu64 "|38=%" PRId64 "|38=%" PRId64 "|", value, (int64_t)value,
                         -(int64_t)(value & INT64_MAX));
        }
    }
    rf_fix_put_int(&encoder, 38, INT64_MIN);
    writer_print(&writer, "38=%" PRId64 "|", INT64_MIN);
    end_both();
}

static void test_rf_fix_put_decimal(void **state)
{
    (void)state;
    char expected[128];
    uint64_t random = 5;
    for (int exponent = -RF_FIX_EXPONENT_MAX; exponent <= RF_FIX_EXPONENT_MAX; exponent++) {
        begin();
        for (int i = 0; i < 200; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            const int64_t mantissa = i == 0   ? 0
                                     : i == 1 ? INT64_MIN
                                     : i == 2 ? INT64_MAX
                                     : i < 40 ? i - 20
                                              : (int64_t)random >> (random >> 10 & 63);
            rf_fix_put_decimal(&encoder, 44, mantissa, exponent);
            decimal_print(expected, mantissa, exponent);
            writer_print(&writer, "44=%s|", expected);
        }
        end_both();
    }
    begin();
    rf_fix_put_decimal(&encoder, 44, 1, RF_FIX_EXPONENT_MAX + 1);
    refused(RF_FIX_PROBLEM_EXPONENT, 44);
    begin();
    rf_fix_put_decimal(&encoder, 44, 1, INT32_MIN);
    refused(RF_FIX_PROBLEM_EXPONENT, 44);
}

static const char *double_text(double value)
{
    begin();
    rf_fix_put_double(&encoder, 44, value);
    assert_int_equal(rf_fix_end(&encoder, &message, &err), RF_OK);
    assert_true(reader_read(&reader, message));
    assert_int_equal(reader.fields, 5);
    static char text[512];
    assert_true(reader.field[3].value.count < sizeof(text));
    memcpy(text, reader.field[3].value.data, reader.field[3].value.count);
    text[reader.field[3].value.count] = 0;
    return text;
}

static size_t significant_digits(const char *text)
{
    size_t digits = 0;
    size_t zeros = 0;
    for (; *text != 0; text++) {
        if (*text == '0') {
            zeros += digits != 0;
        } else if (*text >= '1' && *text <= '9') {
            digits += zeros + 1;
            zeros = 0;
        }
    }
    return digits;
}

/* Reads back, is plain, and no text of fewer digits would do. */
static void check_double(double value)
{
    const char *const text = double_text(value);
    assert_true(strtod(text, NULL) == value);
    assert_int_equal(strspn(text, "-0123456789."), strlen(text));
    assert_true(text[0] != '.' && text[strlen(text) - 1] != '.');
    const size_t digits = significant_digits(text);
    if (digits > 1) {
        char shorter[64];
        snprintf(shorter, sizeof(shorter), "%.*e", (int)digits - 2, value);
        assert_true(strtod(shorter, NULL) != value);
    }
}

static void test_rf_fix_put_double(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } known[] = {
        {0, "0"},
        {-0.0, "0"},
        {1, "1"},
        {-1, "-1"},
        {410.5, "410.5"},
        {0.1, "0.1"},
        {-0.25, "-0.25"},
        {1e15, "1000000000000000"},
        {1e-9, "0.000000001"},
        {1.5e-10, "0.00000000015"},
        {1e22, "10000000000000000000000"},
        {1.0 / 3, "0.3333333333333333"},
        {123456789.987654321, "123456789.98765433"},
    };
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        assert_string_equal(double_text(known[i].value), known[i].text);
    }
    static const double hard[] = {5e-324,     DBL_MIN, DBL_MAX, -DBL_MAX, 9007199254740993.0, 0x1p50,
                                  0x1p50 - 1, 5e-9,    0.3,     2.5e-8,   1125899906842623.9, 112589990684262.35};
    for (size_t i = 0; i < sizeof(hard) / sizeof(hard[0]); i++) {
        check_double(hard[i]);
    }
    uint64_t random = 5;
    for (int i = 0; i < 20000; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        double value;
        if (i % 2 == 0) {
            value = (double)(int64_t)(random >> 20) / pow(10, (double)(random & 15));
        } else {
            memcpy(&value, &random, sizeof(value));
        }
        if (isfinite(value) && value != 0) {
            check_double(value);
        }
    }
    static const double none[] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < 3; i++) {
        begin();
        rf_fix_put_double(&encoder, 44, none[i]);
        refused(RF_FIX_PROBLEM_NUMBER, 44);
    }
}

static void time_check(int64_t nanoseconds)
{
    int64_t second = nanoseconds / 1000000000;
    int64_t fraction = nanoseconds % 1000000000;
    if (fraction < 0) {
        fraction += 1000000000;
        second--;
    }
    const time_t when = (time_t)second;
    struct tm parts;
    char text[64];
    assert_non_null(gmtime_r(&when, &parts));
    assert_true(strftime(text, sizeof(text), "%Y%m%d-%H:%M:%S", &parts) != 0);
    begin();
    rf_fix_put_time(&encoder, 60, nanoseconds, RF_FIX_SECONDS);
    rf_fix_put_time(&encoder, 60, nanoseconds, RF_FIX_MILLISECONDS);
    rf_fix_put_time(&encoder, 60, nanoseconds, RF_FIX_MICROSECONDS);
    rf_fix_put_time(&encoder, 60, nanoseconds, RF_FIX_NANOSECONDS);
    writer_print(&writer, "60=%s|60=%s.%03d|60=%s.%06d|60=%s.%09d|", text, text, (int)(fraction / 1000000), text,
                 (int)(fraction / 1000), text, (int)fraction);
    end_both();
}

static void test_rf_fix_put_time(void **state)
{
    (void)state;
    static const int64_t known[] = {
        0, 1, -1, 999999999, 1000000000, -1000000000, -9223372036000000000, 9223372035999999999};
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        time_check(known[i]);
    }
    uint64_t random = 5;
    for (int i = 0; i < 20000; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        time_check((int64_t)random % 9223372036000000000);
        /* The next second, minute, day after it, which use what is kept. */
        time_check(1767347999999999999 + (int64_t)(random % 3) * 1000000000);
    }
    begin();
    rf_fix_put_time(&encoder, 60, 9223372036000000000, RF_FIX_MILLISECONDS);
    refused(RF_FIX_PROBLEM_TIME, 0);
    begin();
    rf_fix_put_header(&encoder, 5000, INT64_MAX, RF_FIX_MILLISECONDS);
    refused(RF_FIX_PROBLEM_TIME, 0);
    begin();
    rf_fix_put_time(&encoder, 60, 9223372035000000000, RF_FIX_MILLISECONDS);
    rf_fix_put_time(&encoder, 60, INT64_MIN, RF_FIX_MILLISECONDS);
    rf_fix_put_text(&encoder, 58, RF_STR("x"));
    refused(RF_FIX_PROBLEM_TIME, 0);
    begin();
    rf_fix_put_time(&encoder, 60, -9223372036000000001, RF_FIX_NANOSECONDS);
    refused(RF_FIX_PROBLEM_TIME, 0);
}

static void test_rf_fix_put_header(void **state)
{
    (void)state;
    uint64_t random = 5;
    for (int i = 0; i < 20000; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        const uint64_t sequence = i < 200 ? (uint64_t)i : random >> (random >> 58);
        const int64_t nanoseconds = 1767347999000000000 + (int64_t)(random >> 31);
        const enum rf_fix_precision precision =
            i % 8 == 7 ? (enum rf_fix_precision)(random >> 62) : RF_FIX_MILLISECONDS;
        static char expected[512];
        rf_fix_begin(&encoder, &plain, buffer, sizeof(buffer));
        if (i % 16 == 15) {
            rf_fix_put_char(&encoder, 54, '1'); /* not as the first fields */
        }
        rf_fix_put_uint(&encoder, 34, sequence);
        rf_fix_put_time(&encoder, 52, nanoseconds, precision);
        assert_int_equal(rf_fix_end(&encoder, &message, &err), RF_OK);
        const size_t count = message.count;
        memcpy(expected, message.data, count);
        /* In rooms with which it goes the quick way and the exact way. */
        for (size_t room = count - 1; room < count + 200; room += 50) {
            rf_fix_begin(&encoder, &plain, buffer, room);
            if (i % 16 == 15) {
                rf_fix_put_char(&encoder, 54, '1');
            }
            rf_fix_put_header(&encoder, sequence, nanoseconds, precision);
            if (room < count) {
                refused(RF_FIX_PROBLEM_ROOM, encoder.problem_tag);
                continue;
            }
            assert_int_equal(rf_fix_end(&encoder, &message, &err), RF_OK);
            assert_int_equal(message.count, count);
            assert_memory_equal(message.data, expected, count);
            assert_true(reader_read(&reader, message));
        }
    }
}

static void test_rf_fix_put_data(void **state)
{
    (void)state;
    const struct rf_str inner = RF_STR("8=FIX.4.4\0019=5\00135=0\00110=000\001");
    begin();
    rf_fix_put_data(&encoder, 95, 96, inner);
    rf_fix_put_data(&encoder, 354, 355, RF_STR("\1"));
    rf_fix_put_data(&encoder, 5001, 5002, RF_STR("no separator = none"));
    writer_print(&writer, "95=%zu|", inner.count);
    writer_add(&writer, 96, inner.data, inner.count);
    writer_print(&writer, "354=1|355=\1|5001=19|5002=no separator = none|");
    end_both();
    begin();
    rf_fix_put_data(&encoder, 95, 96, RF_STR(""));
    refused(RF_FIX_PROBLEM_EMPTY, 96);
    begin();
    rf_fix_put_data(&encoder, 95, 91, RF_STR("a\1b")); /* no pair */
    refused(RF_FIX_PROBLEM_SEPARATOR, 91);
    begin();
    rf_fix_put_data(&encoder, 0, 91, RF_STR("a"));
    refused(RF_FIX_PROBLEM_TAG, 0);
}

/* ---- Groups ---- */

static void group_check(unsigned outer, unsigned inner)
{
    begin();
    rf_fix_group_open(&encoder, 453);
    if (outer != 0) {
        writer_print(&writer, "453=%u|", outer);
    }
    for (unsigned i = 0; i < outer; i++) {
        rf_fix_group_next(&encoder);
        rf_fix_put_uint(&encoder, 448, i);
        writer_print(&writer, "448=%u|", i);
        rf_fix_group_open(&encoder, 802);
        if (inner != 0) {
            writer_print(&writer, "802=%u|", inner);
        }
        for (unsigned j = 0; j < inner; j++) {
            rf_fix_group_next(&encoder);
            rf_fix_put_uint(&encoder, 523, j);
            writer_print(&writer, "523=%u|", j);
        }
        rf_fix_group_shut(&encoder);
    }
    rf_fix_group_shut(&encoder);
    rf_fix_put_char(&encoder, 54, '1');
    writer_print(&writer, "54=1|");
    end_both();
}

static void test_rf_fix_group_open(void **state)
{
    (void)state;
    static const unsigned count[] = {0, 1, 2, 9, 10, 11, 99, 100, 101};
    for (size_t i = 0; i < 9; i++) {
        for (size_t j = 0; j < 6; j++) {
            group_check(count[i], count[j]);
        }
    }
    group_check(1, 1001);
}

static void test_rf_fix_group_next(void **state)
{
    (void)state;
    begin();
    rf_fix_group_next(&encoder); /* of nothing */
    refused(RF_FIX_PROBLEM_GROUP, 0);
    begin();
    rf_fix_group_open(&encoder, 453);
    rf_fix_group_next(&encoder);
    rf_fix_group_next(&encoder); /* an empty entry */
    refused(RF_FIX_PROBLEM_GROUP, 0);
    begin();
    rf_fix_group_open(&encoder, 453);
    rf_fix_put_char(&encoder, 54, '1'); /* in no entry */
    rf_fix_group_next(&encoder);
    refused(RF_FIX_PROBLEM_GROUP, 0);
}

static void test_rf_fix_group_shut(void **state)
{
    (void)state;
    begin();
    rf_fix_group_shut(&encoder); /* nothing is open */
    refused(RF_FIX_PROBLEM_GROUP, 0);
    begin();
    rf_fix_group_open(&encoder, 453);
    refused(RF_FIX_PROBLEM_GROUP, 0); /* still open */
    begin();
    rf_fix_group_open(&encoder, 453);
    rf_fix_put_char(&encoder, 54, '1');
    rf_fix_group_shut(&encoder);
    refused(RF_FIX_PROBLEM_GROUP, 0);
    begin();
    rf_fix_group_open(&encoder, 453);
    rf_fix_group_next(&encoder);
    rf_fix_group_shut(&encoder);
    refused(RF_FIX_PROBLEM_GROUP, 0);
    for (unsigned depth = RF_FIX_PUT_DEPTH_MAX - 1; depth <= RF_FIX_PUT_DEPTH_MAX + 1; depth++) {
        begin();
        for (unsigned i = 0; i < depth; i++) {
            rf_fix_group_open(&encoder, 1000 + i);
            rf_fix_group_next(&encoder);
            rf_fix_put_char(&encoder, 54, '1');
            writer_print(&writer, "%u=1|54=1|", 1000 + i);
        }
        for (unsigned i = 0; i < depth; i++) {
            rf_fix_group_shut(&encoder);
        }
        if (depth <= RF_FIX_PUT_DEPTH_MAX) {
            end_both();
        } else {
            refused(RF_FIX_PROBLEM_GROUP, 1000 + RF_FIX_PUT_DEPTH_MAX);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_rf_fix_template_open, prepare),
        cmocka_unit_test_setup(test_template_bounds, prepare),
        cmocka_unit_test_setup(test_rf_fix_end_without_begin, prepare),
        cmocka_unit_test_setup(test_body_length, prepare),
        cmocka_unit_test_setup(test_rf_fix_put_text, prepare),
        cmocka_unit_test_setup(test_rf_fix_put_char, prepare),
        cmocka_unit_test_setup(test_tags, prepare),
        cmocka_unit_test_setup(test_rf_fix_heads, prepare),
        cmocka_unit_test_setup(test_rf_fix_put_int, prepare),
        cmocka_unit_test_setup(test_rf_fix_put_decimal, prepare),
        cmocka_unit_test_setup(test_rf_fix_put_double, prepare),
        cmocka_unit_test_setup(test_rf_fix_put_time, prepare),
        cmocka_unit_test_setup(test_rf_fix_put_header, prepare),
        cmocka_unit_test_setup(test_rf_fix_put_data, prepare),
        cmocka_unit_test_setup(test_rf_fix_group_open, prepare),
        cmocka_unit_test_setup(test_rf_fix_group_next, prepare),
        cmocka_unit_test_setup(test_rf_fix_group_shut, prepare),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
