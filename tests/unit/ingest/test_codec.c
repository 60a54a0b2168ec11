#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "codec.h"

#include "packed.h"

static enum rf_magic magic_of(const char *text, size_t count)
{
    return rf_codec_magic((const uint8_t *)text, count);
}

static void test_rf_codec_magic(void **state)
{
    (void)state;
    assert_int_equal(magic_of("", 0), RF_MAGIC_SHORT);
    assert_int_equal(magic_of("\x1f", 1), RF_MAGIC_SHORT);
    assert_int_equal(magic_of("\x1f\x8b", 2), RF_MAGIC_GZIP);
    assert_int_equal(magic_of("\x1f\x8c", 2), RF_MAGIC_NONE);
    assert_int_equal(magic_of("\x28\xb5\x2f", 3), RF_MAGIC_SHORT);
    assert_int_equal(magic_of("\x28\xb5\x2f\xfd", 4), RF_MAGIC_ZSTD);
    assert_int_equal(magic_of("\x04\x22\x4d\x18", 4), RF_MAGIC_LZ4);
    assert_int_equal(magic_of("\x50\x2a\x4d\x18", 4), RF_MAGIC_SKIPPABLE);
    assert_int_equal(magic_of("\x5f\x2a\x4d\x18", 4), RF_MAGIC_SKIPPABLE);
    assert_int_equal(magic_of("\x60\x2a\x4d\x18", 4), RF_MAGIC_NONE);
    /* '[' is a first byte of a skippable magic and of many a JSON line. */
    assert_int_equal(magic_of("[", 1), RF_MAGIC_SHORT);
    assert_int_equal(magic_of("[1", 2), RF_MAGIC_NONE);
    assert_int_equal(magic_of("{", 1), RF_MAGIC_NONE);
    assert_int_equal(magic_of("\xfd\x37zXZ", 5), RF_MAGIC_SHORT);
    assert_int_equal(magic_of("\xfd\x37zXZ\0\0", 7), RF_MAGIC_XZ);
    assert_int_equal(magic_of("\xfd\x37zXY\0", 6), RF_MAGIC_NONE);
    assert_int_equal(magic_of("BZh1\x31\x41\x59\x26\x53", 9), RF_MAGIC_SHORT);
    assert_int_equal(magic_of("BZh1\x31\x41\x59\x26\x53\x59", 10), RF_MAGIC_BZIP2);
    assert_int_equal(magic_of("BZh9\x31\x41\x59\x26\x53\x59 more", 15), RF_MAGIC_BZIP2);
    assert_int_equal(magic_of("BZh0", 4), RF_MAGIC_NONE);
    assert_int_equal(magic_of("BZh9 is text", 12), RF_MAGIC_NONE);
}

static void test_rf_codec_name(void **state)
{
    (void)state;
    assert_string_equal(rf_codec_name(RF_CODEC_NONE), "plain");
    assert_string_equal(rf_codec_name(RF_CODEC_GZIP), "gzip");
    assert_string_equal(rf_codec_name(RF_CODEC_ZSTD), "zstd");
    assert_string_equal(rf_codec_name(RF_CODEC_LZ4), "lz4");
}

/* Steps through one member with `room` bytes of room at a time; how it ended. */
static enum rf_status decode(struct rf_codecs *codecs, enum rf_codec codec, const struct packed *packed, uint8_t *out,
                             size_t out_count, size_t room, size_t *made, struct rf_error *err)
{
    size_t in_at = 0;
    *made = 0;
    assert_int_equal(rf_codec_begin(codecs, codec, err), RF_OK);
    for (;;) {
        const size_t left = out_count - *made;
        struct rf_codec_step step = {.in = packed->data + in_at,
                                     .in_count = packed->count - in_at,
                                     .out = out + *made,
                                     .out_room = left < room ? left : room};
        const enum rf_status status = rf_codec_step(codecs, codec, &step, err);
        in_at += step.consumed;
        *made += step.produced;
        if (status != RF_OK) {
            return status;
        }
        if (step.is_done) {
            assert_int_equal(in_at, packed->count);
            return RF_OK;
        }
        if (step.consumed == 0 && step.produced == 0) {
            return RF_AGAIN;
        }
    }
}

static void test_rf_codec_step(void **state)
{
    (void)state;
    enum { COUNT = 300000 };
    struct rf_error err;
    struct rf_codecs codecs = {0};
    uint8_t *bytes = malloc(COUNT);
    uint8_t *out = malloc(COUNT + 1);
    assert_non_null(bytes);
    assert_non_null(out);
    uint32_t random = 1;
    for (size_t i = 0; i < COUNT; i++) {
        random = random * 1664525u + 1013904223u;
        bytes[i] = (uint8_t)(0x61 + (random >> 29));
    }
    static const enum packing kinds[] = {
        [RF_CODEC_GZIP] = PACKED_GZIP, [RF_CODEC_ZSTD] = PACKED_ZSTD, [RF_CODEC_LZ4] = PACKED_LZ4};
    for (int codec = RF_CODEC_GZIP; codec <= RF_CODEC_LZ4; codec++) {
        struct packed packed = {0};
        size_t made = 0;
        packed_add(&packed, kinds[codec], bytes, COUNT);
        static const size_t rooms[] = {1000, 70000, COUNT + 1};
        for (size_t r = 0; r < 3; r++) {
            assert_int_equal(decode(&codecs, (enum rf_codec)codec, &packed, out, COUNT + 1, rooms[r], &made, &err),
                             RF_OK);
            assert_int_equal(made, COUNT);
            assert_memory_equal(out, bytes, COUNT);
        }
        /* Damage in the middle: what was decoded before it is right. */
        packed.data[packed.count / 2] ^= 0x10;
        packed.data[packed.count / 2 + 1] ^= 0xff;
        assert_int_equal(decode(&codecs, (enum rf_codec)codec, &packed, out, COUNT + 1, 70000, &made, &err),
                         RF_E_FORMAT);
        assert_non_null(strstr(err.text, rf_codec_name((enum rf_codec)codec)));
        packed.data[packed.count / 2] ^= 0x10;
        packed.data[packed.count / 2 + 1] ^= 0xff;
        /* A wrong checksum is noticed, behind all the bytes. */
        const size_t sum_at = packed.count - (codec == RF_CODEC_GZIP ? 5 : 1);
        packed.data[sum_at] ^= 1;
        assert_int_equal(decode(&codecs, (enum rf_codec)codec, &packed, out, COUNT + 1, COUNT + 1, &made, &err),
                         RF_E_FORMAT);
        assert_int_equal(made, COUNT);
        packed.data[sum_at] ^= 1;
        /* The codec can be used again after an error. */
        assert_int_equal(decode(&codecs, (enum rf_codec)codec, &packed, out, COUNT + 1, COUNT + 1, &made, &err), RF_OK);
        assert_int_equal(made, COUNT);
        packed.count -= 3;
        assert_int_equal(decode(&codecs, (enum rf_codec)codec, &packed, out, COUNT + 1, 70000, &made, &err), RF_AGAIN);
        packed_free(&packed);
    }
    rf_codecs_close(&codecs);
    free(bytes);
    free(out);
}

/* A frame of one raw byte that claims a window of 2^27 and 2^28 bytes. */
static void test_zstd_window_limit(void **state)
{
    (void)state;
    struct rf_error err;
    struct rf_codecs codecs = {0};
    uint8_t frame[] = {0x28, 0xb5, 0x2f, 0xfd, 0x00, (27 - 10) << 3, 0x09, 0x00, 0x00, 'x'};
    const struct packed packed = {.data = frame, .count = sizeof frame};
    uint8_t out[8];
    size_t made = 0;
    assert_int_equal(decode(&codecs, RF_CODEC_ZSTD, &packed, out, sizeof out, 8, &made, &err), RF_OK);
    assert_int_equal(made, 1);
    frame[5] = (28 - 10) << 3;
    assert_int_equal(decode(&codecs, RF_CODEC_ZSTD, &packed, out, sizeof out, 8, &made, &err), RF_E_FORMAT);
    assert_string_equal(err.text, "zstd data with a window over 128 MiB (--long=28 or more) is not supported");
    rf_codecs_close(&codecs);
}

static void test_rf_codec_begin_and_rf_codecs_close(void **state)
{
    (void)state;
    struct rf_error err;
    struct rf_codecs codecs = {0};
    rf_codecs_close(&codecs);
    for (int codec = RF_CODEC_GZIP; codec <= RF_CODEC_LZ4; codec++) {
        assert_int_equal(rf_codec_begin(&codecs, (enum rf_codec)codec, &err), RF_OK);
        assert_int_equal(rf_codec_begin(&codecs, (enum rf_codec)codec, &err), RF_OK);
    }
    rf_codecs_close(&codecs);
    assert_null(codecs.gzip);
    assert_null(codecs.zstd);
    assert_null(codecs.lz4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_codec_magic),
        cmocka_unit_test(test_rf_codec_name),
        cmocka_unit_test(test_rf_codec_step),
        cmocka_unit_test(test_zstd_window_limit),
        cmocka_unit_test(test_rf_codec_begin_and_rf_codecs_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
