/* test_fix_frame.c: at every level the rows are the entries that rf_fix_entry_next gives, one after the other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../fix/fix_samples.h"
#include "fix_frame.h"

enum { ROWS_MAX = 4096, LIMIT = 1 << 20 };

static uint8_t stream[STREAM_MAX];

/* The bytes at the end of a heap block with exactly the promised padding, of another content each time. */
static struct rf_batch batch_make(const uint8_t *bytes, size_t count, struct sample_random *random)
{
    uint8_t *copy = malloc(count + RF_BATCH_PADDING);
    assert_non_null(copy);
    memcpy(copy, bytes, count);
    for (size_t i = 0; i < RF_BATCH_PADDING; i++) {
        copy[count + i] = (uint8_t) "8=FIX.4.4\00110=|\n"[sample_draw(random, 16)];
    }
    return (struct rf_batch){.bytes = copy, .bytes_used = (uint32_t)count, .owned = copy};
}

static uint64_t masked_rows;

/* The masks of a row that has some say of each byte of its message whether it is a separator, and nothing of what follows. */
static void check_masks(const struct rf_fix_frame *frame, const struct rf_batch *batch, uint32_t row)
{
    const uint64_t *mask = frame->mask + (size_t)row * RF_FIX_MASK_WORDS;
    const uint8_t *message = batch->bytes + frame->message[row];
    const uint32_t count = frame->message_end[row] - frame->message[row];
    if (mask[0] == 0) {
        return;
    }
    masked_rows++;
    assert_int_equal(frame->reason[row], RF_REASON_NONE);
    assert_in_range(count, 1, 64 * RF_FIX_MASK_WORDS - 1);
    for (uint32_t at = 0; at < 64 * RF_FIX_MASK_WORDS; at++) {
        const bool is_separator = at < count && message[at] == (frame->separator[row] == RF_FIX_SOH ? 1 : '|');
        assert_int_equal(mask[at / 64] >> at % 64 & 1, is_separator);
    }
}

/* Rounds of rows_max rows over the batch from `begin` on, against the rule. */
static void check_level(enum rf_isa isa, const struct rf_batch *batch, uint32_t begin, uint32_t rows_max,
                        uint32_t limit, bool is_lenient)
{
    struct rf_error err;
    struct rf_rows rows;
    struct rf_fix_frame frame;
    assert_int_equal(rf_rows_open(&rows, rows_max, &err), RF_OK);
    assert_int_equal(rf_fix_frame_open(&frame, rows_max, limit, is_lenient, &err), RF_OK);
    size_t at = begin;
    struct rf_span32 span = {begin, batch->bytes_used};
    while (span.begin < span.end) {
        rf_fix_frame_run(&frame, isa, batch, span, RF_FIX_LAST, &rows);
        assert_true(rows.rows > 0);
        for (uint32_t row = 0; row < rows.rows; row++) {
            struct rf_fix_entry entry;
            size_t needed;
            if (rf_fix_entry_next(batch->bytes, at, span.end, limit, RF_FIX_LAST, &entry, &needed) == RF_FIX_OVERSIZE) {
                (void)rf_fix_resync(batch->bytes, rf_fix_resync_from(at, limit), span.end, RF_FIX_LAST, &entry.next);
                entry.end = entry.next;
            }
            assert_int_equal(rows.begin[row], at);
            assert_int_equal(rows.end[row], entry.end);
            assert_int_equal(frame.reason[row], entry.reason);
            assert_int_equal(frame.flags[row], entry.flags);
            assert_int_equal(frame.message[row], entry.message);
            assert_int_equal(frame.message_end[row], entry.message_end);
            const bool is_pardoned = entry.reason == RF_REASON_FIX_LENGTH || entry.reason == RF_REASON_FIX_SUM ||
                                     entry.reason == RF_REASON_FIX_CUT;
            const int status = entry.kind == RF_FIX_BLANK                                      ? RF_ROW_BLANK
                               : entry.reason == RF_REASON_NONE || (is_lenient && is_pardoned) ? RF_ROW_REJECTED
                                                                                               : RF_ROW_MALFORMED;
            assert_int_equal(rows.status[row], status);
            if (entry.kind == RF_FIX_MESSAGE) {
                assert_int_equal(frame.separator[row], entry.separator);
            }
            if (entry.reason != RF_REASON_NONE) {
                assert_int_equal(frame.fault[row], entry.reason_at);
                assert_int_equal(rf_fix_frame_malformed(&frame, &rows, row).reason, entry.reason);
                assert_int_equal(rf_fix_frame_malformed(&frame, &rows, row).offset, entry.reason_at - at);
            }
            check_masks(&frame, batch, row);
            at = entry.next;
        }
        assert_int_equal(rows.cursor, at);
        assert_int_equal(rows.lines, rows.rows);
        span.begin = rows.cursor;
    }
    assert_int_equal(at, span.end);
    rf_fix_frame_close(&frame);
    rf_rows_close(&rows);
}

static void check(size_t count, struct sample_random *random)
{
    const struct rf_batch batch = batch_make(stream, count, random);
    for (int isa = RF_ISA_SCALAR; isa <= (int)rf_isa_best(); isa++) {
        check_level((enum rf_isa)isa, &batch, 0, ROWS_MAX, LIMIT, false);
        check_level((enum rf_isa)isa, &batch, sample_draw(random, (uint32_t)count), 1 + sample_draw(random, 4), LIMIT,
                    true);
        check_level((enum rf_isa)isa, &batch, 0, ROWS_MAX, 20 + sample_draw(random, 600), false);
    }
    free(batch.owned);
}

static void test_random_streams(void **state)
{
    (void)state;
    struct sample_random random = {.state = 7};
    for (int i = 0; i < 1500; i++) {
        const size_t count = sample_stream(&random, stream, 1 + sample_draw(&random, 20), i % 3 != 0);
        if (count > 0) {
            check(count, &random);
        }
    }
    assert_true((masked_rows > 0) == (rf_isa_best() > RF_ISA_SCALAR));
}

/* A usual message whose every byte is replaced by every byte that could matter. */
static void test_hits(void **state)
{
    (void)state;
    static const uint8_t bytes[] = {0, 1, '\n', '0', '1', '8', '9', '=', '|', 'F', 0xff};
    struct sample_random random = {.state = 7};
    for (int s = 0; s < 2; s++) {
        const size_t first = SAMPLE_PUT(stream, SAMPLE_BODY, .separator = (enum rf_fix_separator)s);
        size_t count = first + SAMPLE_PUT(stream + first, SAMPLE_BODY, .separator = (enum rf_fix_separator)s);
        for (size_t at = first - 10; at < count; at++) {
            const uint8_t was = stream[at];
            for (size_t b = 0; b < sizeof bytes; b++) {
                stream[at] = bytes[b];
                const struct rf_batch batch = batch_make(stream, count, &random);
                for (int isa = RF_ISA_SCALAR; isa <= (int)rf_isa_best(); isa++) {
                    check_level((enum rf_isa)isa, &batch, 0, ROWS_MAX, LIMIT, false);
                }
                free(batch.owned);
            }
            stream[at] = was;
        }
    }
}

static void test_rf_fix_frame_run(void **state)
{
    (void)state;
    struct rf_error err;
    struct rf_rows rows;
    struct rf_fix_frame frame;
    struct sample_random random = {.state = 7};
    size_t count = (size_t)snprintf((char *)stream, 64, "10:00:00 IN ");
    const size_t message = count;
    count += SAMPLE_PUT(stream + count, SAMPLE_BODY, .separator = RF_FIX_PIPE, .sum_off = 1);
    const size_t message_end = count;
    count += (size_t)snprintf((char *)stream + count, 64, "\r\n\n");
    const struct rf_batch batch = batch_make(stream, count, &random);
    assert_int_equal(rf_rows_open(&rows, 16, &err), RF_OK);
    assert_int_equal(rf_fix_frame_open(&frame, 16, LIMIT, false, &err), RF_OK);
    for (int is_lenient = 0; is_lenient < 2; is_lenient++) {
        frame.is_lenient = is_lenient != 0;
        for (int isa = RF_ISA_SCALAR; isa <= (int)rf_isa_best(); isa++) {
            rf_fix_frame_run(&frame, (enum rf_isa)isa, &batch, (struct rf_span32){0, batch.bytes_used}, RF_FIX_LAST,
                             &rows);
            assert_int_equal(rows.rows, 2);
            assert_int_equal(rows.status[0], is_lenient ? RF_ROW_REJECTED : RF_ROW_MALFORMED);
            assert_int_equal(rows.status[1], RF_ROW_BLANK);
            assert_int_equal(frame.flags[0], RF_FIX_WRONG_SUM);
            assert_int_equal(frame.message[0], message);
            assert_int_equal(frame.message_end[0], message_end);
            const struct rf_str line = rf_row_line(&batch, &rows, 0);
            assert_int_equal(line.count, message_end + 2);
        }
    }
    rf_fix_frame_close(&frame);
    rf_rows_close(&rows);
    free(batch.owned);
}

/* A batch that ends anywhere: framing stops where rf_fix_entry_next first asks for more, and what it took is the same. */
static void test_more(void **state)
{
    (void)state;
    struct rf_error err;
    struct rf_rows rows;
    struct rf_fix_frame frame;
    struct sample_random random = {.state = 11};
    assert_int_equal(rf_rows_open(&rows, ROWS_MAX, &err), RF_OK);
    for (int i = 0; i < 600; i++) {
        const size_t whole = sample_stream(&random, stream, 1 + sample_draw(&random, 8), i % 3 != 0);
        const size_t count = 1 + sample_draw(&random, (uint32_t)whole);
        const uint32_t limit = i % 5 == 0 ? 20 + sample_draw(&random, 400) : LIMIT;
        const enum rf_fix_run run = i % 2 == 0 ? RF_FIX_MORE : RF_FIX_PAUSE;
        const struct rf_batch batch = batch_make(stream, whole < count ? whole : count, &random);
        assert_int_equal(rf_fix_frame_open(&frame, ROWS_MAX, limit, false, &err), RF_OK);
        for (int isa = RF_ISA_SCALAR; isa <= (int)rf_isa_best(); isa++) {
            const struct rf_span32 span = {0, batch.bytes_used};
            size_t at = 0;
            rf_fix_frame_run(&frame, (enum rf_isa)isa, &batch, span, run, &rows);
            for (uint32_t row = 0; row < rows.rows; row++) {
                struct rf_fix_entry entry;
                size_t needed;
                assert_int_equal(rf_fix_entry_next(batch.bytes, at, span.end, limit, run, &entry, &needed),
                                 RF_FIX_ENTRY);
                assert_int_equal(rows.begin[row], at);
                assert_int_equal(rows.end[row], entry.end);
                assert_int_equal(frame.message_end[row], entry.message_end);
                at = entry.next;
            }
            assert_int_equal(rows.cursor, at);
            assert_int_equal(frame.is_whole, at == span.end);
            if (!frame.is_whole) {
                struct rf_fix_entry entry;
                size_t needed = frame.needed;
                const enum rf_fix_step step = rf_fix_entry_next(batch.bytes, at, span.end, limit, run, &entry, &needed);
                assert_int_equal(step, frame.is_oversize ? RF_FIX_OVERSIZE : RF_FIX_NEED_MORE);
                assert_int_equal(needed, frame.needed);
            }
        }
        rf_fix_frame_close(&frame);
        free(batch.owned);
    }
    rf_rows_close(&rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_streams),
        cmocka_unit_test(test_hits),
        cmocka_unit_test(test_more),
        cmocka_unit_test(test_rf_fix_frame_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
