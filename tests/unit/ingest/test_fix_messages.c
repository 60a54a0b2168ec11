/* test_fix_messages.c: FIX batches of inputs that are read in any pieces, with pauses, under any limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../fix/fix_samples.h"
#include "fix_batches.h"

static uint8_t stream[STREAM_MAX];
static struct fix_fates expected, found;
static struct rf_batch batch;
static struct rf_fix_messages messages;

static int buffers_free(void **state)
{
    (void)state;
    rf_fix_messages_close(&messages);
    assert_null(messages.carry);
    rf_batch_close(&batch);
    free(expected.fate);
    free(found.fate);
    return 0;
}

static void expect(size_t count, struct fix_limits limits)
{
    fates_stream(&expected, stream, count, limits.record_bytes_max, count, NULL, false);
}

/* rf_fix_messages_fill and rf_memory_fill: the entries of the stream, whatever the pieces and batches. */
static void test_random_streams(void **state)
{
    (void)state;
    static const size_t pieces[] = {1, 7, 64, 1000, 0};
    struct sample_random random = {.state = 77};
    for (uint32_t i = 0; i < 300; i++) {
        const size_t count = sample_stream(&random, stream, 1 + sample_draw(&random, 12), i % 4 != 0);
        const struct fix_limits limits = {.batch_bytes = 64 + sample_draw(&random, 2000),
                                          .record_bytes_max = i % 2 == 0 ? 1 << 20 : 20 + sample_draw(&random, 600)};
        expect(count, limits);
        fix_batches_view(&found, &batch, stream, count, limits);
        assert_true(fates_equal(&found, &expected));
        for (size_t p = 0; p < sizeof pieces / sizeof pieces[0]; p++) {
            fix_batches_read(&found, &messages, &batch,
                             (struct chunks){.bytes = stream, .count = count, .rest = pieces[p]}, limits);
            assert_true(fates_equal(&found, &expected));
        }
    }
}

/* A pause hands over what is whole; no message is lost by it, cut, or seen twice. */
static void test_pauses(void **state)
{
    (void)state;
    struct sample_random random = {.state = 5};
    for (uint32_t i = 0; i < 200; i++) {
        const size_t count = sample_stream(&random, stream, 1 + sample_draw(&random, 12), i % 2 != 0);
        const struct fix_limits limits = {
            .batch_bytes = 64 + sample_draw(&random, 2000), .record_bytes_max = 1 << 20, .is_line_buffered = true};
        expect(count, limits);
        fix_batches_read(&found, &messages, &batch,
                         (struct chunks){.bytes = stream,
                                         .count = count,
                                         .rest = 1 + sample_draw(&random, 300),
                                         .pause_every = 1 + sample_draw(&random, 5)},
                         limits);
        assert_true(fix_fates_refine(&found, &expected));
    }
}

/* Two parts with a pause between them, however they are asked for. */
struct parts {
    size_t first, count, cursor;
    bool was_paused;
};

static ssize_t parts_read(void *context, void *out, size_t room)
{
    struct parts *parts = context;
    if (parts->cursor == parts->first && !parts->was_paused) {
        parts->was_paused = true;
        errno = EAGAIN;
        return -1;
    }
    const size_t end = parts->cursor < parts->first ? parts->first : parts->count;
    const size_t count = room < end - parts->cursor ? room : end - parts->cursor;
    memcpy(out, stream + parts->cursor, count);
    parts->cursor += count;
    return (ssize_t)count;
}

/* Of a message that comes in two parts with a pause between, the first part waits; a whole one does not, unless a few bytes
 * follow that may be more of its line or the next message. */
static void test_pause_in_message(void **state)
{
    (void)state;
    const size_t one = SAMPLE_PUT(stream, SAMPLE_BODY);
    const size_t two = one + SAMPLE_PUT(stream + one, SAMPLE_BODY);
    const struct fix_limits limits = {.batch_bytes = 4096, .record_bytes_max = 1 << 20, .is_line_buffered = true};
    static struct rf_decompress stream_state;
    for (size_t first = 1; first < two; first++) {
        const bool is_waiting = first < one || (first > one && first < one + sizeof("8=FIX.4.4|") - 1);
        struct parts parts = {.first = first, .count = two};
        struct rf_reader reader = {0};
        struct rf_error err;
        messages.batch_bytes = limits.batch_bytes;
        messages.record_bytes_max = limits.record_bytes_max;
        messages.is_line_buffered = true;
        rf_reader_open_call(&reader, parts_read, &parts);
        rf_fix_messages_begin(&messages, &stream_state, &reader);
        assert_int_equal(rf_fix_messages_fill(&messages, &batch, &err), RF_OK);
        assert_int_equal(batch.bytes_used, is_waiting ? two : one);
        assert_int_equal(messages.entries, is_waiting ? 2 : 1);
        if (!is_waiting) {
            assert_int_equal(rf_fix_messages_fill(&messages, &batch, &err), RF_OK);
            assert_int_equal(batch.offset, one);
            assert_int_equal(batch.bytes_used, two - one);
        }
        assert_int_equal(rf_fix_messages_fill(&messages, &batch, &err), RF_END);
        rf_decompress_close(&stream_state);
    }
}

/* An entry at the limit passes, one byte more is oversize; what is kept of it does not depend on the reads. */
/* The line end of a log comes later than its message: both go out together, wherever the pause is. */
static void test_pause_in_line(void **state)
{
    (void)state;
    static const char line[] = "10:00 IN 8=FIX.4.4|9=12|35=D|55=AAA|10=080| more\n";
    static struct rf_decompress stream_state;
    const size_t two = 2 * (sizeof line - 1);
    memcpy(stream, line, sizeof line - 1);
    memcpy(stream + sizeof line - 1, line, sizeof line - 1);
    for (size_t first = 1; first < two; first++) {
        struct parts parts = {.first = first, .count = two};
        struct rf_reader reader = {0};
        struct rf_error err;
        messages.batch_bytes = 4096;
        messages.record_bytes_max = 1 << 20;
        messages.is_line_buffered = true;
        rf_reader_open_call(&reader, parts_read, &parts);
        rf_fix_messages_begin(&messages, &stream_state, &reader);
        size_t got = 0;
        while (rf_fix_messages_fill(&messages, &batch, &err) == RF_OK) {
            assert_int_equal(batch.bytes_used % (sizeof line - 1), 0);
            got += batch.bytes_used;
        }
        assert_int_equal(got, two);
        rf_decompress_close(&stream_state);
    }
}

static void test_limits(void **state)
{
    (void)state;
    const size_t one = SAMPLE_PUT(stream, SAMPLE_BODY);
    const size_t two = one + SAMPLE_PUT(stream + one, SAMPLE_BODY);
    for (size_t limit = one - 1; limit <= one + 1; limit++) {
        const struct fix_limits limits = {.batch_bytes = 64, .record_bytes_max = limit};
        for (size_t piece = 1; piece < two; piece += 13) {
            fix_batches_read(&found, &messages, &batch, (struct chunks){.bytes = stream, .count = two, .rest = piece},
                             limits);
            assert_int_equal(found.count, 2);
            assert_int_equal(found.fate[0].kind, limit < one ? -1 : RF_FIX_MESSAGE);
            assert_int_equal(found.fate[1].begin, one);
        }
    }
    /* 40 KB without a separator or a line end, then a message. */
    enum { JUNK = 40000 };
    memset(stream, 'x', JUNK);
    stream[JUNK] = '\n';
    const size_t count = JUNK + 1 + SAMPLE_PUT(stream + JUNK + 1, SAMPLE_BODY);
    for (size_t piece = 50; piece < JUNK; piece = piece * 3 + 1) {
        const struct fix_limits limits = {.batch_bytes = 1000, .record_bytes_max = 2000};
        fix_batches_read(&found, &messages, &batch, (struct chunks){.bytes = stream, .count = count, .rest = piece},
                         limits);
        assert_int_equal(found.count, 2);
        assert_int_equal(found.fate[0].kind, -1);
        assert_int_equal(found.fate[0].next, JUNK + 1);
        assert_int_equal(found.fate[1].kind, RF_FIX_MESSAGE);
    }
}

/* Long entries in small batches: the buffer grows with the longest, not with every read. */
static void test_buffer(void **state)
{
    (void)state;
    char body[3000];
    size_t count = 0;
    memcpy(body, SAMPLE_HEAD "58=", sizeof SAMPLE_HEAD + 2);
    memset(body + sizeof SAMPLE_HEAD + 2, 'a', sizeof body - sizeof SAMPLE_HEAD - 2);
    body[sizeof body - 1] = '\001';
    while (count < STREAM_MAX - SAMPLE_MAX) {
        count += sample_put(stream + count, body, sizeof body, (struct sample_options){.separator = RF_FIX_PIPE});
        stream[count++] = '\n';
    }
    rf_batch_close(&batch);
    const struct fix_limits limits = {.batch_bytes = 64, .record_bytes_max = 1 << 24};
    expect(count, limits);
    fix_batches_read(&found, &messages, &batch, (struct chunks){.bytes = stream, .count = count, .rest = 64}, limits);
    assert_true(fates_equal(&found, &expected));
    assert_true(batch.owned_bytes < 3 * sizeof body);
}

/* What was read before an error is handed over, and the problem is named. */
static void test_problem(void **state)
{
    (void)state;
    const size_t one = SAMPLE_PUT(stream, SAMPLE_BODY);
    struct chunks chunks = {.bytes = stream, .count = one + 20, .rest = 50, .error = EIO};
    static struct rf_decompress stream_state;
    struct rf_reader reader = {0};
    struct rf_error err;
    memcpy(stream + one, stream, 20); /* the next one has begun */
    messages.batch_bytes = 4096;
    messages.record_bytes_max = 1 << 20;
    rf_reader_open_call(&reader, chunks_read, &chunks);
    rf_fix_messages_begin(&messages, &stream_state, &reader);
    assert_int_equal(rf_fix_messages_fill(&messages, &batch, &err), RF_OK);
    assert_int_equal(batch.bytes_used, one + 20);
    assert_int_equal(messages.problem.status, RF_E_IO);
    assert_int_equal(rf_fix_messages_fill(&messages, &batch, &err), RF_END);
    rf_decompress_close(&stream_state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_streams), cmocka_unit_test(test_pauses), cmocka_unit_test(test_pause_in_message),
        cmocka_unit_test(test_pause_in_line),
        cmocka_unit_test(test_limits),         cmocka_unit_test(test_buffer), cmocka_unit_test(test_problem),
    };
    return cmocka_run_group_tests(tests, NULL, buffers_free);
}
