#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "digest.h"

static const struct rf_str nothing = {NULL, 0};

/* The vectors of the library's own self-test (xsum_sanity_check.c of xxHash 0.8), over the bytes it makes for them, and
 * those that are published everywhere. */
static void test_rf_digest_xxh64(void **state)
{
    static const struct {
        size_t count;
        uint64_t digest;
    } rows[] = {
        {0, 0xEF46DB3751D8E999u},   {1, 0xE934A84ADB052768u},   {2, 0x5D48CD60A77E23FFu},   {3, 0xFF7E1959CB50794Au},
        {4, 0x9136A0DCA57457EEu},   {8, 0xCDBCF538E71D1348u},   {9, 0x554B1AE991EDA6B6u},   {14, 0x8282DCC4994E35C8u},
        {16, 0x98C90B57FDFCB55Cu},  {17, 0x0D39A2D051A30C2Cu},  {64, 0xEF558F8ACAC2B5CDu},  {128, 0x90CA021457D96DC5u},
        {129, 0x41C280132D697ABAu}, {222, 0xB641AE8CB691C174u}, {240, 0xB81838D483BAEE53u},
    };
    char bytes[256];
    uint64_t generator = 2654435761u;
    (void)state;
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (char)(generator >> 56);
        generator *= 11400714785074694797u;
    }
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        /* A block of just the bytes, at each alignment. */
        for (size_t shift = 0; shift < 8; shift++) {
            char *const block = malloc(rows[r].count + shift + 1);
            assert_non_null(block);
            char *const at = block + shift + 1;
            memcpy(at, bytes, rows[r].count);
            assert_true(rf_digest_xxh64((struct rf_str){at, rows[r].count}) == rows[r].digest);
            free(block);
        }
    }
    assert_true(rf_digest_xxh64(nothing) == 0xEF46DB3751D8E999u);
    assert_true(rf_digest_xxh64(RF_STR("a")) == 0xD24EC4F1A98C6E5Bu);
    assert_true(rf_digest_xxh64(RF_STR("abc")) == 0x44BC2CF5AD770999u);
}

static void assert_sha256(struct rf_str bytes, const char *expected)
{
    uint8_t digest[RF_SHA256_BYTES];
    char text[2 * RF_SHA256_BYTES + 1];
    rf_digest_sha256(bytes, digest);
    for (size_t i = 0; i < sizeof digest; i++) {
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
    }
    assert_string_equal(text, expected);
}

/* The examples of FIPS 180-4 (NIST, Secure Hash Algorithm examples), and lengths around the block and its padding,
 * whose digests come from another implementation (OpenSSL). */
static void test_rf_digest_sha256(void **state)
{
    static const struct {
        size_t count;
        const char *digest;
    } runs[] = {
        {1, "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"},
        {55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"},
        {56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"},
        {63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"},
        {64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"},
        {65, "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0"},
        {119, "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"},
        {120, "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c"},
        {1000, "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"},
        {1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
    };
    (void)state;
    assert_sha256(nothing, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_sha256(RF_STR("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_sha256(RF_STR("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
                  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    for (size_t r = 0; r < sizeof runs / sizeof runs[0]; r++) {
        char *const bytes = malloc(runs[r].count);
        assert_non_null(bytes);
        memset(bytes, 'a', runs[r].count);
        assert_sha256((struct rf_str){bytes, runs[r].count}, runs[r].digest);
        free(bytes);
    }
}

static void test_rf_digest_seeded(void **state)
{
    (void)state;
    /* The vectors of xxHash 0.8: XXH3 of no byte, and of one "a", without a seed. */
    assert_true(rf_digest_seeded(nothing, 0) == 0x2d06800538d394c2u);
    assert_true(rf_digest_seeded(RF_STR("a"), 0) == 0xe6c632b61e964e1fu);
    assert_true(rf_digest_seeded(RF_STR("a"), 1) != rf_digest_seeded(RF_STR("a"), 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_digest_xxh64),
        cmocka_unit_test(test_rf_digest_seeded),
        cmocka_unit_test(test_rf_digest_sha256),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
