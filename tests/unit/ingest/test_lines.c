#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lines.h"

#include <fcntl.h>
#include <unistd.h>

#include "chunks.h"
#include "clock.h"
#include "packed.h"
#include "records.h"

/* One of each for all tests, as in a source: buffers and state are reused from input to input. */
static struct rf_decompress stream;
static struct rf_batch batch;

struct limits {
    size_t batch_bytes;
    size_t record_bytes_max;
    bool is_line_buffered;
    bool is_text;
};

static struct rf_lines lines_of(struct limits limits)
{
    struct rf_error err;
    struct rf_lines lines = {.batch_bytes = limits.batch_bytes,
                             .record_bytes_max = limits.record_bytes_max,
                             .is_line_buffered = limits.is_line_buffered,
                             .is_text = limits.is_text};
    assert_int_equal(rf_lines_open(&lines, &err), RF_OK);
    return lines;
}

static struct records read_all(struct rf_lines *lines, struct chunks chunks)
{
    struct rf_error err;
    struct rf_reader reader = {0};
    struct records out = {0};
    rf_reader_open_call(&reader, chunks_read, &chunks);
    assert_int_equal(rf_lines_begin(lines, &stream, &reader, &err), RF_OK);
    enum rf_status status;
    while ((status = rf_lines_fill(lines, &batch, &err)) == RF_OK) {
        records_add(&out, &batch, lines->batch_bytes, lines->record_bytes_max);
    }
    assert_int_equal(status, RF_END);
    assert_int_equal(rf_lines_fill(lines, &batch, &err), RF_END);
    return out;
}

/* Every cut point, one byte at a time, with pauses, and all at once. */
static void check(const void *bytes, size_t count, struct limits limits)
{
    struct rf_lines lines = lines_of(limits);
    struct records expected = {0};
    records_expect(&expected, bytes, count, limits.record_bytes_max, limits.is_text);
    for (size_t cut = 0; cut <= count + 1; cut++) {
        struct chunks chunks = {.bytes = bytes, .count = count, .first = cut, .rest = 0};
        if (cut == count || cut == count + 1) {
            chunks.first = 0;
            chunks.rest = cut - count + 1; /* 1 and 2 bytes */
            chunks.pause_every = 5;
        }
        struct records out = read_all(&lines, chunks);
        assert_true(records_equal(&out, &expected));
        assert_int_equal(lines.problem.status, RF_OK);
        records_free(&out);
    }
    records_free(&expected);
    rf_lines_close(&lines);
}

static void check_text(const char *text, size_t record_bytes_max)
{
    for (int is_text = 0; is_text < 2; is_text++) {
        check(text, strlen(text),
              (struct limits){.batch_bytes = 64, .record_bytes_max = record_bytes_max, .is_text = is_text});
    }
}

static void test_small_inputs(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "a",
        "\n",
        "\r\n",
        "\r",
        "a\n",
        "a\r\n",
        "a\nb",
        "\n\n",
        "a\n\nb",
        "\na",
        "a\r\n\r\nb\r",
        "\xef\xbb\xbf",
        "\xef\xbb\xbf\n",
        "\xef\xbb\xbf{}\n{}\n",
        "\xef\xbb\n",
        "\xef",
        "\xef\n",
        "\xff",
        "\xff\n",
        "\xfe",
        "\n\xef\xbb\xbf",
        "\xef\xbb\xbf\xef\xbb\xbf",
        "1\n2\n3\n4\n5",
    };
    for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++) {
        check_text(texts[t], 1000);
        check_text(texts[t], 1);
        check_text(texts[t], 2);
    }
}

/* One record of each length around the batch size and the record limit, between neighbours that must stay intact; LF,
 * CRLF and no line end at all. */
static void test_limits(void **state)
{
    (void)state;
    static const char *const ends[] = {"\n", "\r\n", "", "\r", "\r\r\n"};
    static const size_t limits[] = {1, 10, 62, 63, 64, 65, 66, 126, 127, 128, 129};
    static const char *const heads[] = {"", "x\n", "some record\r\n", "\xef\xbb\xbf"};
    for (size_t l = 0; l < sizeof limits / sizeof limits[0]; l++) {
        for (size_t e = 0; e < 5; e++) {
            for (size_t h = 0; h < 4; h++) {
                for (size_t delta = 0; delta < 5; delta++) {
                    char text[400];
                    const size_t count = limits[l] + delta > 2 ? limits[l] + delta - 2 : 0; /* n-2 .. n+2 */
                    size_t used = (size_t)snprintf(text, sizeof text, "%s", heads[h]);
                    memset(text + used, 'a', count);
                    used += count;
                    used += (size_t)snprintf(text + used, sizeof text - used, "%s", ends[e]);
                    if (ends[e][0] != '\0' && ends[e][strlen(ends[e]) - 1] == '\n') {
                        used += (size_t)snprintf(text + used, sizeof text - used, "next\nlast");
                    }
                    check(text, used, (struct limits){.batch_bytes = 64, .record_bytes_max = limits[l]});
                }
            }
        }
    }
}

/* Mixed lengths, so that line ends, CRs and oversize records fall on every position of a block. */
static void test_mixed_lengths(void **state)
{
    (void)state;
    uint32_t random = 12345;
    for (int round = 0; round < 60; round++) {
        uint8_t text[600];
        for (size_t i = 0; i < sizeof text; i++) {
            random = random * 1664525u + 1013904223u;
            const uint32_t die = random >> 16;
            /* Line ends become rarer from round to round. */
            text[i] = die % (unsigned)(3 + round) == 0 ? '\n' : die % 5 == 0 ? '\r' : 'x';
        }
        static const size_t limits[] = {3, 20, 63, 64, 100, 250, 5000};
        check(text, sizeof text, (struct limits){.batch_bytes = 64, .record_bytes_max = limits[round % 7]});
        check(text, sizeof text, (struct limits){.batch_bytes = 200, .record_bytes_max = limits[round % 7]});
    }
}

static void test_utf16_is_refused(void **state)
{
    (void)state;
    struct rf_error err;
    struct rf_reader reader = {0};
    struct rf_lines lines = lines_of((struct limits){.batch_bytes = 64, .record_bytes_max = 100});
    static const char *const texts[] = {"\xff\xfe{\0}\0\n\0", "\xfe\xff\0{\0}\0\n"};
    for (size_t t = 0; t < 2; t++) {
        struct chunks chunks = {.bytes = (const uint8_t *)texts[t], .count = 8, .rest = 1};
        rf_reader_open_call(&reader, chunks_read, &chunks);
        assert_int_equal(rf_lines_begin(&lines, &stream, &reader, &err), RF_E_FORMAT);
        assert_string_equal(err.text, "UTF-16 text is not supported; convert it to UTF-8");
        check(texts[t], 8, (struct limits){.batch_bytes = 64, .record_bytes_max = 100, .is_text = true});
    }
    rf_lines_close(&lines);
}

/* A gigabyte without a line end, and two short records behind it. */
struct flood {
    uint64_t left;
    size_t tail_at;
};

static const char flood_tail[] = "\r\nb\nc";

static ssize_t flood_read(void *context, void *out, size_t room)
{
    struct flood *flood = context;
    if (flood->left == 0) {
        if (flood->tail_at == sizeof flood_tail - 1) {
            return 0;
        }
        memcpy(out, &flood_tail[flood->tail_at], 1);
        flood->tail_at++;
        return 1;
    }
    const size_t count = flood->left < room ? (size_t)flood->left : room;
    memset(out, 'a', count);
    flood->left -= count;
    return (ssize_t)count;
}

/* It passes in a buffer no longer than the limit. */
static void test_long_record_in_bounded_memory(void **state)
{
    (void)state;
    struct rf_error err;
    struct flood flood = {.left = (uint64_t)1 << 30};
    struct rf_reader reader = {0};
    struct rf_batch own = {0};
    struct rf_lines lines = lines_of((struct limits){.batch_bytes = 65536, .record_bytes_max = 1 << 20});
    rf_reader_open_call(&reader, flood_read, &flood);
    assert_int_equal(rf_lines_begin(&lines, &stream, &reader, &err), RF_OK);
    assert_int_equal(rf_lines_fill(&lines, &own, &err), RF_OK);
    assert_true(own.is_oversize);
    assert_true(own.record_bytes == (uint64_t)1 << 30);
    assert_int_equal(own.bytes_used, RF_OVERSIZE_KEPT);
    assert_true(own.owned_bytes <= 2 << 20);
    assert_int_equal(rf_lines_fill(&lines, &own, &err), RF_OK);
    assert_false(own.is_oversize);
    assert_true(own.offset == ((uint64_t)1 << 30) + 2);
    assert_int_equal(own.bytes_used, 3);
    assert_memory_equal(own.bytes, "b\nc", 3);
    assert_int_equal(rf_lines_fill(&lines, &own, &err), RF_END);
    rf_batch_close(&own);
    rf_lines_close(&lines);
}

/* The buffer keeps its size until one record needs more, and is kept then. */
static void test_buffer_grows_for_long_records_only(void **state)
{
    (void)state;
    enum { LONG = 1000, COUNT = 3 * LONG };
    char text[COUNT];
    memset(text, 'a', COUNT);
    for (size_t i = 0; i < LONG; i += 10) {
        text[i] = '\n';
    }
    text[2 * LONG] = '\n';
    text[COUNT - 1] = '\n';
    struct rf_error err;
    struct rf_reader reader = {0};
    struct rf_batch own = {0};
    struct chunks chunks = {.bytes = (const uint8_t *)text, .count = COUNT};
    struct rf_lines lines = lines_of((struct limits){.batch_bytes = 64, .record_bytes_max = 2 * LONG});
    rf_reader_open_call(&reader, chunks_read, &chunks);
    assert_int_equal(rf_lines_begin(&lines, &stream, &reader, &err), RF_OK);
    while (lines.offset < LONG - 100) {
        assert_int_equal(rf_lines_fill(&lines, &own, &err), RF_OK);
        assert_int_equal(own.owned_bytes, 64);
    }
    while (rf_lines_fill(&lines, &own, &err) == RF_OK) {
    }
    assert_in_range(own.owned_bytes, LONG, 2 * LONG + 2);
    rf_batch_close(&own);
    rf_lines_close(&lines);
}

static void test_damage_ends_the_input(void **state)
{
    (void)state;
    struct rf_lines lines = lines_of((struct limits){.batch_bytes = 64, .record_bytes_max = 20});
    static const char text[] = "first\nsecond, which is over the limit\nthird\npart";
    struct records expected = {0};
    records_expect(&expected, (const uint8_t *)text, sizeof text - 1, 20, false);
    for (size_t piece = 0; piece < 3; piece++) {
        struct records out = read_all(
            &lines,
            (struct chunks){.bytes = (const uint8_t *)text, .count = sizeof text - 1, .rest = piece, .error = EIO});
        assert_true(records_equal(&out, &expected));
        assert_int_equal(lines.problem.status, RF_E_IO);
        assert_string_equal(lines.problem.text, "cannot read: Input/output error");
        records_free(&out);
    }
    records_free(&expected);
    struct packed packed = {0};
    packed_add(&packed, PACKED_GZIP, text, sizeof text - 1);
    records_expect(&expected, (const uint8_t *)text, sizeof text - 1, 20, false);
    packed.count -= 8; /* the trailer only: all the text is there */
    struct records out = read_all(&lines, (struct chunks){.bytes = packed.data, .count = packed.count});
    assert_true(records_equal(&out, &expected));
    assert_string_equal(lines.problem.text, "the gzip data is truncated");
    records_free(&out);
    records_free(&expected);
    packed_free(&packed);
    rf_lines_close(&lines);
}

static int pipe_of(struct rf_reader *reader)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    *reader = (struct rf_reader){.fd = ends[0], .is_open = true, .is_owned = true, .can_wait = true};
    return ends[1];
}

static void put(int fd, const char *text)
{
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
}

static void expect_batch(struct rf_lines *lines, const char *text)
{
    struct rf_error err;
    assert_int_equal(rf_lines_fill(lines, &batch, &err), RF_OK);
    assert_int_equal(batch.bytes_used, strlen(text));
    assert_memory_equal(batch.bytes, text, strlen(text));
}

/* A writer that stops in the middle of a line must not hold back the lines before. */
static void test_slow_pipe(void **state)
{
    (void)state;
    for (int is_line_buffered = 0; is_line_buffered < 2; is_line_buffered++) {
        struct rf_error err;
        struct rf_reader reader;
        struct rf_lines lines = lines_of(
            (struct limits){.batch_bytes = 4096, .record_bytes_max = 1000, .is_line_buffered = is_line_buffered});
        const int out = pipe_of(&reader);
        put(out, "one\ntwo\nthr");
        assert_int_equal(rf_lines_begin(&lines, &stream, &reader, &err), RF_OK);
        const uint64_t begin_ns = rf_clock_ns();
        expect_batch(&lines, "one\ntwo\n");
        const uint64_t waited_ms = (rf_clock_ns() - begin_ns) / RF_NS_PER_MS;
        if (is_line_buffered) {
            assert_true(waited_ms < RF_LINES_LINGER_MS - 10);
        } else {
            assert_true(waited_ms >= RF_LINES_LINGER_MS - 10);
        }
        put(out, "ee\n");
        expect_batch(&lines, "three\n");
        put(out, "four");
        close(out);
        expect_batch(&lines, "four");
        assert_int_equal(rf_lines_fill(&lines, &batch, &err), RF_END);
        rf_reader_close(&reader);
        rf_lines_close(&lines);
    }
}

/* A writer that is never quiet for long must not hold them back either. */
static void test_trickling_pipe(void **state)
{
    (void)state;
    struct rf_error err;
    struct rf_reader reader;
    struct rf_lines lines = lines_of((struct limits){.batch_bytes = 4096, .record_bytes_max = 1000});
    const int out = pipe_of(&reader);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        for (int i = 0; i < 60; i++) {
            if (write(out, "x\n", 2) != 2) {
                _exit(1);
            }
            usleep(5000);
        }
        _exit(0);
    }
    close(out);
    assert_int_equal(rf_lines_begin(&lines, &stream, &reader, &err), RF_OK);
    size_t batches = 0;
    size_t bytes = 0;
    while (rf_lines_fill(&lines, &batch, &err) == RF_OK) {
        batches++;
        bytes += batch.bytes_used;
    }
    assert_int_equal(bytes, 120);
    assert_true(batches >= 3); /* 300 ms in lingers of 50 ms */
    rf_reader_close(&reader);
    rf_lines_close(&lines);
}

static int tear_down(void **state)
{
    (void)state;
    rf_decompress_close(&stream);
    rf_batch_close(&batch);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_inputs),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_mixed_lengths),
        cmocka_unit_test(test_utf16_is_refused),
        cmocka_unit_test(test_long_record_in_bounded_memory),
        cmocka_unit_test(test_buffer_grows_for_long_records_only),
        cmocka_unit_test(test_damage_ends_the_input),
        cmocka_unit_test(test_slow_pipe),
        cmocka_unit_test(test_trickling_pipe),
    };
    return cmocka_run_group_tests(tests, NULL, tear_down);
}
