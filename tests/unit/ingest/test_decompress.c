#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "decompress.h"

#include "chunks.h"
#include "packed.h"

struct decoded {
    uint8_t *data;
    size_t count;
    enum rf_status status; /* how it ended */
    struct rf_error err;
};

static struct rf_decompress stream; /* one for all, as in a source: state must not leak from input to input */

/* Reads a whole input that comes in pieces of `piece` bytes into rooms of `room` bytes. */
static struct decoded decode(const struct packed *packed, size_t piece, size_t room, int error)
{
    struct chunks chunks = {
        .bytes = packed->data, .count = packed->count, .rest = piece, .pause_every = 3, .error = error};
    struct rf_reader reader = {0};
    struct decoded out = {0};
    size_t capacity = 0;
    rf_reader_open_call(&reader, chunks_read, &chunks);
    out.status = rf_decompress_begin(&stream, &reader, &out.err);
    while (out.status == RF_OK || out.status == RF_AGAIN) {
        size_t got = 0;
        if (capacity < out.count + room) {
            capacity = (out.count + room) * 2;
            out.data = realloc(out.data, capacity);
            assert_non_null(out.data);
        }
        out.status = rf_decompress_read(&stream, out.data + out.count, room, 0, &got, &out.err);
        assert_true(out.status == RF_OK ? got > 0 && got <= room : got == 0);
        out.count += got;
    }
    size_t got = 0;
    uint8_t byte;
    assert_int_equal(rf_decompress_read(&stream, &byte, 1, 0, &got, &out.err), RF_END);
    return out;
}

static void check(const struct packed *packed, const void *bytes, size_t count, const char *problem)
{
    static const size_t pieces[] = {0, 1, 7, 5000};
    static const size_t rooms[] = {10000, 100, 3};
    for (size_t p = 0; p < 4; p++) {
        for (size_t r = 0; r < 3; r++) {
            struct decoded out = decode(packed, pieces[p], rooms[r], 0);
            assert_int_equal(out.count, count);
            if (count > 0) {
                assert_memory_equal(out.data, bytes, count);
            }
            if (problem == NULL) {
                assert_int_equal(out.status, RF_END);
            } else {
                assert_int_equal(out.status, RF_E_FORMAT);
                assert_string_equal(out.err.text, problem);
            }
            free(out.data);
        }
    }
}

static void test_plain(void **state)
{
    (void)state;
    static const char *const texts[] = {"",
                                        "a",
                                        "[",
                                        "[*",
                                        "(",
                                        "\x1f",
                                        "\x04\x22\x4d",
                                        "{\"a\":1}\n",
                                        "\n",
                                        "[1,2]\n",
                                        "(x)\n",
                                        "0123456789abcdef",
                                        "0123456789abcdefg"};
    for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++) {
        struct packed packed = {0};
        packed_add(&packed, PACKED_PLAIN, texts[t], strlen(texts[t]));
        check(&packed, texts[t], strlen(texts[t]), NULL);
        packed_free(&packed);
    }
}

static void test_members(void **state)
{
    (void)state;
    for (enum packing kind = PACKED_GZIP; kind < PACKED_KINDS; kind++) {
        struct packed packed = {0};
        packed_add(&packed, kind, "", 0);
        check(&packed, "", 0, NULL);
        packed_add(&packed, kind, "first ", 6);
        check(&packed, "first ", 6, NULL);
        packed_add(&packed, kind, "", 0);
        packed_add(&packed, kind, "second ", 7);
        check(&packed, "first second ", 13, NULL);
        /* Formats may even be mixed. */
        packed_add(&packed, PACKED_ZSTD, "third ", 6);
        packed_add(&packed, PACKED_LZ4, "fourth ", 7);
        packed_add(&packed, PACKED_GZIP, "fifth", 5);
        check(&packed, "first second third fourth fifth", 31, NULL);
        packed_free(&packed);
    }
}

static void test_skippable(void **state)
{
    (void)state;
    struct packed packed = {0};
    packed_add_skippable(&packed, 5);
    check(&packed, "", 0, NULL);
    packed_add_skippable(&packed, 0);
    packed_add(&packed, PACKED_LZ4, "a", 1);
    packed_add_skippable(&packed, 3000);
    packed_add(&packed, PACKED_ZSTD, "b", 1);
    packed_add_skippable(&packed, 12);
    check(&packed, "ab", 2, NULL);
    packed.count--;
    check(&packed, "ab", 2, "the zstd data is truncated");
    packed_free(&packed);

    packed_add_skippable(&packed, 4);
    packed.count -= 7;
    check(&packed, "", 0, "the compressed data is truncated");
    packed.count = 12;
    packed_add(&packed, PACKED_PLAIN, "text", 4);
    check(&packed, "", 0, "unknown data behind a skippable frame");
    packed_free(&packed);
}

static void test_garbage_and_padding(void **state)
{
    (void)state;
    static const char *const problems[] = {[PACKED_GZIP] = "garbage behind the gzip data is ignored",
                                           [PACKED_ZSTD] = "garbage behind the zstd data is ignored",
                                           [PACKED_LZ4] = "garbage behind the lz4 data is ignored"};
    for (enum packing kind = PACKED_GZIP; kind < PACKED_KINDS; kind++) {
        static const char *const garbage[] = {"x", "\x1f", "garbage that is longer than any header"};
        for (size_t g = 0; g < 3; g++) {
            struct packed packed = {0};
            packed_add(&packed, kind, "text", 4);
            packed_add(&packed, PACKED_PLAIN, garbage[g], strlen(garbage[g]));
            check(&packed, "text", 4, problems[kind]);
            packed_free(&packed);
        }
    }
    static const uint8_t zeros[600] = {0};
    struct packed packed = {0};
    packed_add(&packed, PACKED_GZIP, "text", 4);
    packed_add(&packed, PACKED_PLAIN, zeros, 1);
    check(&packed, "text", 4, NULL);
    packed_add(&packed, PACKED_PLAIN, zeros, sizeof zeros);
    check(&packed, "text", 4, NULL);
    packed_add(&packed, PACKED_PLAIN, "x", 1);
    check(&packed, "text", 4, problems[PACKED_GZIP]);
    packed_free(&packed);
}

/* Cut behind every byte: a proper prefix of the text and the word "truncated", always. */
static void test_truncated(void **state)
{
    (void)state;
    static const char *const problems[] = {[PACKED_GZIP] = "the gzip data is truncated",
                                           [PACKED_ZSTD] = "the zstd data is truncated",
                                           [PACKED_LZ4] = "the lz4 data is truncated"};
    static const char text[] = "{\"id\":1,\"name\":\"a\"}\n{\"id\":2,\"name\":\"b\"}\n{\"id\":3,\"name\":\"c\"}\n";
    for (enum packing kind = PACKED_GZIP; kind < PACKED_KINDS; kind++) {
        struct packed packed = {0};
        packed_add(&packed, kind, text, sizeof text - 1);
        const size_t whole = packed.count;
        for (size_t count = 4; count < whole; count++) {
            packed.count = count;
            for (size_t piece = 0; piece < 2; piece++) {
                struct decoded out = decode(&packed, piece, 50, 0);
                assert_int_equal(out.status, RF_E_FORMAT);
                assert_string_equal(out.err.text, problems[kind]);
                assert_true(out.count < sizeof text);
                assert_memory_equal(out.data, text, out.count);
                free(out.data);
            }
        }
        packed_free(&packed);
    }
}

/* Many blocks, damage in a late one: most of the text must have come out. */
static void test_damaged_late(void **state)
{
    (void)state;
    enum { COUNT = 2000000 };
    uint8_t *bytes = malloc(COUNT);
    assert_non_null(bytes);
    uint32_t random = 7;
    for (size_t i = 0; i < COUNT; i++) {
        random = random * 1664525u + 1013904223u;
        bytes[i] = (uint8_t)(0x61 + (random >> 28));
    }
    for (enum packing kind = PACKED_GZIP; kind < PACKED_KINDS; kind++) {
        struct packed packed = {0};
        packed_add(&packed, kind, bytes, COUNT);
        memset(packed.data + packed.count * 3 / 4, 0xff, 64);
        struct decoded out = decode(&packed, 0, 1 << 20, 0);
        assert_int_equal(out.status, RF_E_FORMAT);
        assert_non_null(strstr(out.err.text, "damaged"));
        /* gzip may decode nonsense for a while before it notices. */
        assert_true(out.count >= COUNT / 2);
        assert_memory_equal(out.data, bytes, COUNT / 2);
        free(out.data);
        packed_free(&packed);
    }
    free(bytes);
}

static void test_reading_fails(void **state)
{
    (void)state;
    for (enum packing kind = PACKED_PLAIN; kind < PACKED_KINDS; kind++) {
        struct packed packed = {0};
        packed_add(&packed, kind, "(some text", 10);
        for (size_t piece = 0; piece < 3; piece++) {
            struct decoded out = decode(&packed, piece, 4, EIO);
            assert_int_equal(out.status, RF_E_IO);
            assert_string_equal(out.err.text, "cannot read: Input/output error");
            assert_int_equal(out.count, 10);
            assert_memory_equal(out.data, "(some text", 10);
            free(out.data);
        }
        packed_free(&packed);
    }
    /* Bytes that were read in search of a magic number are not lost either. */
    struct packed packed = {0};
    packed_add(&packed, PACKED_PLAIN, "(", 1);
    struct decoded out = decode(&packed, 0, 4, EIO);
    assert_int_equal(out.status, RF_E_IO);
    assert_int_equal(out.count, 1);
    free(out.data);
    packed.count = 0;
    out = decode(&packed, 0, 4, EIO);
    assert_int_equal(out.status, RF_E_IO);
    assert_int_equal(out.count, 0);
    free(out.data);
    packed_free(&packed);
}

/* 16 MiB of zeros, a thousandth of that packed, pass through 4 KiB of room. */
static void test_bomb_is_a_long_stream(void **state)
{
    (void)state;
    enum { COUNT = 16 << 20 };
    void *zeros = calloc(1, COUNT);
    assert_non_null(zeros);
    for (enum packing kind = PACKED_GZIP; kind < PACKED_KINDS; kind++) {
        struct packed packed = {0};
        packed_add(&packed, kind, zeros, COUNT);
        struct chunks chunks = {.bytes = packed.data, .count = packed.count};
        struct rf_reader reader = {0};
        struct rf_error err;
        rf_reader_open_call(&reader, chunks_read, &chunks);
        assert_int_equal(rf_decompress_begin(&stream, &reader, &err), RF_OK);
        uint8_t room[4096];
        size_t total = 0;
        size_t got = 0;
        while (rf_decompress_read(&stream, room, sizeof room, RF_WAIT_FOREVER, &got, &err) == RF_OK) {
            total += got;
        }
        assert_int_equal(total, COUNT);
        packed_free(&packed);
    }
    free(zeros);
}

/* Other formats are refused by name; what only begins like them is plain. */
static void test_refused(void **state)
{
    (void)state;
    struct packed packed = {0};
    packed_add(&packed, PACKED_PLAIN, "\xfd\x37zXZ\0\0\4 and so on", 18);
    check(&packed, "", 0, "xz data is not supported; use `xz -dc`");
    packed_free(&packed);
    packed_add(&packed, PACKED_PLAIN, "BZh9\x31\x41\x59\x26\x53\x59 and so on", 20);
    check(&packed, "", 0, "bzip2 data is not supported; use `bzip2 -dc`");
    packed_free(&packed);
    packed_add(&packed, PACKED_PLAIN, "BZh9\x31\x41", 6);
    check(&packed, "BZh9\x31\x41", 6, NULL);
    packed_free(&packed);
}

static void test_rf_decompress_close(void **state)
{
    (void)state;
    rf_decompress_close(&stream);
    rf_decompress_close(&stream);
    struct packed packed = {0};
    packed_add(&packed, PACKED_ZSTD, "again", 5);
    check(&packed, "again", 5, NULL);
    packed_free(&packed);
    rf_decompress_close(&stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),         cmocka_unit_test(test_members),
        cmocka_unit_test(test_skippable),     cmocka_unit_test(test_garbage_and_padding),
        cmocka_unit_test(test_truncated),     cmocka_unit_test(test_damaged_late),
        cmocka_unit_test(test_reading_fails), cmocka_unit_test(test_bomb_is_a_long_stream),
        cmocka_unit_test(test_refused),       cmocka_unit_test(test_rf_decompress_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
