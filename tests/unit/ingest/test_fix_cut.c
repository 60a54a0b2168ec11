/* test_fix_cut.c: however a stream is cut into reads and batches, the entries are the same, and each byte is in one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../fix/fix_samples.h"
#include "fix_stream.h"

static uint8_t stream[STREAM_MAX];
static struct fix_fates expected, found;

static void show(const char *name, const struct fix_fates *fates)
{
    for (size_t i = 0; i < fates->count; i++) {
        const struct fix_fate *f = &fates->fate[i];
        print_error("%s %zu: %zu..%zu..%zu kind %d reason %d at %zu flags %d\n", name, i, f->begin, f->end, f->next,
                    f->kind, f->reason, f->reason_at, f->flags);
    }
}

static void check_one(size_t count, size_t limit, size_t piece, uint64_t *random, bool is_asking)
{
    fates_stream(&found, stream, count, limit, piece, random, is_asking);
    if (!fates_equal(&found, &expected)) {
        show("expected", &expected);
        show("found", &found);
        fail_msg("reads of %zu bytes of %zu, limit %zu: other entries", piece, count, limit);
    }
}

static void check(size_t count, size_t limit)
{
    uint64_t random = count;
    fates_stream(&expected, stream, count, limit, count, NULL, false);
    size_t at = 0;
    for (size_t i = 0; i < expected.count; i++) {
        assert_int_equal(expected.fate[i].begin, at);
        at = expected.fate[i].next;
    }
    assert_int_equal(at, count);
    check_one(count, limit, 1, NULL, false);
    check_one(count, limit, 1, NULL, true);
    check_one(count, limit, 7, NULL, false);
    check_one(count, limit, 64, &random, true);
    check_one(count, limit, 1000, &random, true);
    check_one(count, limit, 5000, &random, false);
}

/* Entries come out of a batch as they do from the whole stream, whichever of them the batch begins and ends with. */
static void check_batches(size_t count, size_t limit)
{
    fates_stream(&expected, stream, count, limit, count, NULL, false);
    for (size_t first = 0; first < expected.count; first++) {
        for (size_t last = first; last < expected.count && expected.fate[last].kind >= 0; last++) {
            const size_t begin = expected.fate[first].begin;
            const struct fix_fates some = {.fate = expected.fate + first, .count = last + 1 - first};
            found.count = 0;
            fates_frame(&found, stream + begin, expected.fate[last].next - begin, begin, limit);
            if (!fates_equal(&found, &some)) {
                show("expected", &some);
                show("found", &found);
                fail_msg("a batch of the entries %zu to %zu, limit %zu: other entries", first, last, limit);
            }
        }
    }
}

static void test_random_streams(void **state)
{
    (void)state;
    struct sample_random random = {.state = 1};
    for (int i = 0; i < 400; i++) {
        const size_t count = sample_stream(&random, stream, 1 + sample_draw(&random, 12), i % 4 != 0);
        check(count, 1 << 20);
        check_batches(count, 1 << 20);
        check(count, 20 + sample_draw(&random, 600));
    }
}

/* Two good messages in a stream that is cut at every place. */
static void test_every_split(void **state)
{
    (void)state;
    for (int s = 0; s < RF_FIX_SEPARATOR_COUNT; s++) {
        size_t count = SAMPLE_PUT(stream, SAMPLE_BODY "95=14\00196=AB\00110=000\001CD=9\00158=tail\001",
                                  .separator = (enum rf_fix_separator)s);
        count += SAMPLE_PUT(stream + count, SAMPLE_BODY, .separator = (enum rf_fix_separator)s);
        stream[count++] = '\n';
        for (size_t cut = 1; cut <= count; cut++) {
            fates_stream(&found, stream, count, 1 << 20, cut, NULL, false);
            assert_int_equal(found.count, 2);
            assert_int_equal(found.fate[0].reason, RF_REASON_NONE);
            assert_int_equal(found.fate[1].reason, RF_REASON_NONE);
            assert_int_equal(found.fate[1].next, count);
        }
    }
}

/* Lines of a log that somebody cut; the batch may end in front of any of them. */
static void test_cut_lines(void **state)
{
    (void)state;
    static const char text[] = "8=FIX.4.4|35=D|55=X|\n"
                               "IN 8=FIX.4.4|9=99|35=D|55=X\r\n"
                               "8=FIX.4.4|35=D|55=X| see 8=FIX.4.4\001 and 8=FIX.4.4|35=8|55=Y\n"
                               "8=FIX.4.4|35=D|55=X 8=FIX.4.4|35=8|95=3|96=a\nb|10=1|\n"
                               "8=FIX.4.4\0019=30\00135=B\00158=two\nlines\0011=ACCOUNT\00110=000\001"
                               "8=FIX.4.4|9=30|35=B|58=two\nlines|1=ACCOUNTS|10=000|\n"
                               "8=FIX.4.4|9x=1\\x01.\001more8=FIX.4.4\001 a remark\r\n"
                               "8=FIX.4.4\\x019=19\\x5=D\\x01\\x01more=F8=FIX.\001 another\r\n"
                               "8=FIX.4.4\\x0135=D\\x0155=X\\x018=FIX.4.4\\x0135=8\\x0155=Y\n"
                               "8=FIX.4.4|58=text8=FIX.4.4|9=8=FIX.4.4|9=34|58=text\n"
                               "8=FIX.4.4|35=D|55=X|";
    const size_t count = sizeof text - 1;
    memcpy(stream, text, count);
    check(count, 1 << 20);
    check_batches(count, 1 << 20);
    for (size_t limit = 1; limit < 80; limit++) {
        check(count, limit);
        check_batches(count, limit);
    }
    for (size_t end = 1; end < count; end++) { /* what is handed over is framed once more, alone */
        check(end, 1 << 20);
        uint64_t random = end;
        check_one(end, 1 << 20, end / 2 + 1, &random, true);
    }
}

static void test_rf_fix_cut(void **state)
{
    (void)state;
    const size_t one = SAMPLE_PUT(stream, SAMPLE_BODY);
    const size_t two = one + SAMPLE_PUT(stream + one, SAMPLE_BODY);
    struct rf_fix_cut cut = rf_fix_cut(stream, 0, two, SIZE_MAX, 1000, RF_FIX_MORE);
    assert_int_equal(cut.whole, one); /* a line end may follow the second one */
    assert_int_equal(cut.needed, two + 1);
    cut = rf_fix_cut(stream, 0, two, SIZE_MAX, 1000, RF_FIX_PAUSE);
    assert_int_equal(cut.whole, two);
    cut = rf_fix_cut(stream, 0, two - 1, SIZE_MAX, 1000, RF_FIX_PAUSE);
    assert_int_equal(cut.whole, one);
    assert_int_equal(cut.needed, two);
    cut = rf_fix_cut(stream, 0, one + 30, SIZE_MAX, 1000, RF_FIX_MORE);
    assert_int_equal(cut.needed, two); /* BodyLength says so */
    for (size_t limit = one - 1; limit <= one + 1; limit++) {
        cut = rf_fix_cut(stream, 0, two, SIZE_MAX, limit, RF_FIX_LAST);
        assert_int_equal(cut.is_oversize, limit < one);
        assert_int_equal(cut.whole, limit < one ? 0 : two);
    }
    /* A batch of what fits; one entry goes into it however long it is. */
    for (size_t batch_bytes = 1; batch_bytes <= two + 1; batch_bytes++) {
        cut = rf_fix_cut(stream, 0, two, batch_bytes, 1000, RF_FIX_LAST);
        assert_int_equal(cut.whole, batch_bytes < two ? one : two);
        assert_int_equal(cut.entries, batch_bytes < two ? 1 : 2);
        assert_false(cut.is_oversize);
    }
}

static void test_rf_fix_cut_resync(void **state)
{
    (void)state;
    const size_t one = SAMPLE_PUT(stream, SAMPLE_BODY);
    const size_t two = one + SAMPLE_PUT(stream + one, SAMPLE_BODY);
    struct rf_fix_place place = rf_fix_cut_resync(stream, 1, two, RF_FIX_MORE);
    assert_true(place.is_found);
    assert_int_equal(place.at, one);
    place = rf_fix_cut_resync(stream, 1, one + 5, RF_FIX_MORE);
    assert_false(place.is_found);
    assert_int_equal(place.at, one);
    place = rf_fix_cut_resync(stream, one + 1, two, RF_FIX_LAST);
    assert_true(place.is_found);
    assert_int_equal(place.at, two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_streams),
        cmocka_unit_test(test_every_split),
        cmocka_unit_test(test_cut_lines),
        cmocka_unit_test(test_rf_fix_cut),
        cmocka_unit_test(test_rf_fix_cut_resync),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(expected.fate);
    free(found.fate);
    return failed;
}
