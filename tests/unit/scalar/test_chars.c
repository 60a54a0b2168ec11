#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "chars.h"
#include "utf8.h"

static const struct rf_str nothing = {NULL, 0};

static void assert_text(struct rf_str text, const char *expected)
{
    if (!rf_str_equal(text, rf_str_of(expected))) {
        fail_msg("\"%.*s\" is not \"%s\"", RF_STR_ARG(text), expected);
    }
}

/* --- random texts, and the slow way: a table of where each code point begins --- */

enum { CHARS_MAX = 40 };

struct table {
    char *block;        /* of its own, so that reading beyond it is seen */
    struct rf_str text; /* the block */
    size_t length;      /* code points */
    size_t offset[CHARS_MAX + 1];
};

static uint32_t random_state = 1;

static uint32_t random_below(uint32_t limit)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)(random_state >> 4) * limit) >> 28);
}

/* Few different code points, so that parts are found. */
static struct table table_make(size_t length, uint32_t kinds)
{
    static const char *const kind[] = {"a",       "b", "\xc2\xa9", "\xce\xb1", "\xe2\x82\xac", "\xf0\x9f\x98\x80",
                                       "\xc2\xa0"};
    struct table table = {.length = length};
    char text[CHARS_MAX * 4];
    size_t count = 0;
    for (size_t i = 0; i < length; i++) {
        const char *const c = kind[random_below(kinds)];
        table.offset[i] = count;
        memcpy(text + count, c, strlen(c));
        count += strlen(c);
    }
    table.offset[length] = count;
    table.block = malloc(count != 0 ? count : 1);
    assert_non_null(table.block);
    memcpy(table.block, text, count);
    table.text = (struct rf_str){table.block, count};
    return table;
}

static bool table_has(const struct table *table, size_t index, struct rf_str part)
{
    const size_t at = table->offset[index];
    return part.count <= table->text.count - at && memcmp(table->text.data + at, part.data, part.count) == 0;
}

static void test_rf_chars_step(void **state)
{
    const struct rf_str text = RF_STR("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
    (void)state;
    assert_int_equal(rf_chars_step(text, 0), 1);
    assert_int_equal(rf_chars_step(text, 1), 2);
    assert_int_equal(rf_chars_step(text, 3), 3);
    assert_int_equal(rf_chars_step(text, 6), 4);
}

static void test_rf_chars_at(void **state)
{
    struct rf_str out = RF_STR("unchanged");
    (void)state;
    assert_true(rf_chars_at(RF_STR("tacocat"), 3, &out));
    assert_text(out, "o");
    assert_true(rf_chars_at(RF_STR("tacocat"), 7, &out));
    assert_text(out, "");
    assert_true(rf_chars_at(RF_STR("©αT"), 0, &out));
    assert_text(out, "©");
    assert_true(rf_chars_at(RF_STR("©αT"), 1, &out));
    assert_text(out, "α");
    assert_true(rf_chars_at(RF_STR("©αT"), 2, &out));
    assert_text(out, "T");
    assert_true(rf_chars_at(nothing, 0, &out));
    assert_int_equal(out.count, 0);
    out = RF_STR("unchanged");
    assert_false(rf_chars_at(RF_STR("tacocat"), 8, &out));
    assert_false(rf_chars_at(RF_STR("tacocat"), 30, &out));
    assert_false(rf_chars_at(RF_STR("tacocat"), -1, &out));
    assert_false(rf_chars_at(RF_STR("©αT"), 4, &out)); /* fewer than it has bytes */
    assert_false(rf_chars_at(nothing, 1, &out));
    assert_false(rf_chars_at(nothing, INT64_MIN, &out));
    assert_false(rf_chars_at(nothing, INT64_MAX, &out));
    assert_text(out, "unchanged");
}

/* Every index of texts of every length, beyond several words of eight bytes. */
static void test_places_of_random_texts(void **state)
{
    (void)state;
    for (int round = 0; round < 2000; round++) {
        struct table table = table_make((size_t)round % (CHARS_MAX + 1), round % 2 == 0 ? 6 : 2);
        for (size_t begin = 0; begin <= table.length; begin++) {
            struct rf_str out;
            assert_true(rf_chars_at(table.text, (int64_t)begin, &out));
            const size_t end = begin < table.length ? begin + 1 : begin;
            assert_ptr_equal(out.data, table.text.data + table.offset[begin]);
            assert_int_equal(out.count, table.offset[end] - table.offset[begin]);
            const size_t stop = begin + random_below((uint32_t)(table.length - begin + 1));
            assert_true(rf_chars_slice(table.text, (int64_t)begin, (int64_t)stop, &out));
            assert_ptr_equal(out.data, table.text.data + table.offset[begin]);
            assert_int_equal(out.count, table.offset[stop] - table.offset[begin]);
        }
        struct rf_str out;
        assert_false(rf_chars_at(table.text, (int64_t)table.length + 1, &out));
        assert_false(rf_chars_slice(table.text, 0, (int64_t)table.length + 1, &out));
        free(table.block);
    }
}

static void test_rf_chars_find(void **state)
{
    static const struct {
        const char *text, *part;
        int64_t from, place;
    } rows[] = {
        {"tacocat", "", 0, 0},
        {"tacocat", "", 3, 3},
        {"tacocat", "", 7, 7},
        {"tacocat", "ac", 0, 1},
        {"tacocat", "none", 0, -1},
        {"tacocat", "a", 3, 5},
        {"tacocat", "at", 3, 5},
        {"tacocat", "t", 7, -1},
        {"ta©o©αT", "©", 0, 2},
        {"ta©o©αT", "©", 3, 4},
        {"ta©o©αT", "©αT", 3, 4},
        {"ta©o©αT", "©α", 5, -1},
        {"ijk", "k", 0, 2},
        {"hello wello", "hello wello", 0, 0},
        {"hello wello", "ello", 6, 7},
        {"hello wello", "elbo room!!", 0, -1},
        {"", "", 0, 0},
        {"", "@@", 0, -1},
    };
    int64_t place = 77;
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        int64_t found = 77;
        assert_true(rf_chars_find(rf_str_of(rows[r].text), rf_str_of(rows[r].part), rows[r].from, &found));
        assert_int_equal(found, rows[r].place);
    }
    assert_false(rf_chars_find(RF_STR("tacocat"), RF_STR("a"), 30, &place));
    assert_false(rf_chars_find(RF_STR("tacocat"), RF_STR("a"), 8, &place));
    assert_false(rf_chars_find(RF_STR("tacocat"), RF_STR("a"), -1, &place));
    assert_false(rf_chars_find(RF_STR("ta©o©αT"), nothing, 8, &place));
    assert_false(rf_chars_find(nothing, nothing, 1, &place));
    assert_int_equal(place, 77);
    assert_true(rf_chars_find(nothing, nothing, 0, &place));
    assert_int_equal(place, 0);
}

static void test_rf_chars_find_last(void **state)
{
    static const struct {
        const char *text, *part;
        int64_t from, place;
    } rows[] = {
        {"tacocat", "", 3, 3},
        {"tacocat", "", 7, 7},
        {"tacocat", "a", 3, 1},
        {"tacocat", "a", 1, 1},
        {"tacocat", "a", 0, -1},
        {"tacocat", "tac", 0, 0},
        {"tacocat", "cat", 4, 4},
        {"tacocat", "cat", 3, -1},
        {"ta©o©αT", "©", 3, 2},
        {"ta©o©αT", "©α", 4, 4},
        {"ta©o©αT", "©α", 3, -1},
        {"hello wello", "ello", 6, 1},
        {"bananananana", "nana", 7, 6},
        {"bananananana", "nana", 12, 8},
        {"bananananana", "nana", 5, 4},
        {"", "", 0, 0},
        {"", "a", 0, -1},
    };
    int64_t place = 77;
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        int64_t found = 77;
        assert_true(rf_chars_find_last(rf_str_of(rows[r].text), rf_str_of(rows[r].part), rows[r].from, &found));
        if (found != rows[r].place) {
            fail_msg("row %zu: %lld", r, (long long)found);
        }
    }
    assert_false(rf_chars_find_last(RF_STR("tacocat"), RF_STR("a"), -1, &place));
    assert_false(rf_chars_find_last(RF_STR("tacocat"), RF_STR("a"), 30, &place));
    assert_false(rf_chars_find_last(RF_STR("tacocat"), nothing, 8, &place));
    assert_int_equal(place, 77);
}

static void test_rf_chars_find_last_any(void **state)
{
    (void)state;
    assert_int_equal(rf_chars_find_last_any(RF_STR(""), RF_STR("@@")), -1);
    assert_int_equal(rf_chars_find_last_any(nothing, RF_STR("@")), -1);
    assert_int_equal(rf_chars_find_last_any(nothing, nothing), 0);
    assert_int_equal(rf_chars_find_last_any(RF_STR("tacocat"), nothing), 7);
    assert_int_equal(rf_chars_find_last_any(RF_STR("tacocat"), RF_STR("at")), 5);
    assert_int_equal(rf_chars_find_last_any(RF_STR("tacocat"), RF_STR("none")), -1);
    assert_int_equal(rf_chars_find_last_any(RF_STR("ta©o©αT"), RF_STR("©")), 4);
    assert_int_equal(rf_chars_find_last_any(RF_STR("ta©o©αT"), nothing), 7);
    assert_int_equal(rf_chars_find_last_any(RF_STR("hello wello"), RF_STR("low")), -1);
    assert_int_equal(rf_chars_find_last_any(RF_STR("hello wello"), RF_STR("hello wello")), 0);
    assert_int_equal(rf_chars_find_last_any(RF_STR("hello wello"), RF_STR("elbo room!!")), -1);
}

/* Both searches, from every index, against comparing at every place. */
static void test_finds_in_random_texts(void **state)
{
    (void)state;
    for (int round = 0; round < 30000; round++) {
        const uint32_t kinds = 1 + random_below(4);
        struct table table = table_make(random_below(CHARS_MAX + 1), kinds);
        struct table part = table_make(random_below(random_below(CHARS_MAX / 2) + 1), kinds);
        int64_t last = -1;
        for (size_t from = 0; from <= table.length; from++) {
            int64_t first = -1;
            int64_t found;
            for (size_t i = from; i <= table.length && first < 0; i++) {
                first = table_has(&table, i, part.text) ? (int64_t)i : -1;
            }
            last = table_has(&table, from, part.text) ? (int64_t)from : last;
            assert_true(rf_chars_find(table.text, part.text, (int64_t)from, &found));
            assert_int_equal(found, first);
            assert_true(rf_chars_find_last(table.text, part.text, (int64_t)from, &found));
            assert_int_equal(found, last);
        }
        assert_int_equal(rf_chars_find_last_any(table.text, part.text), last);
        free(part.block);
        free(table.block);
    }
}

/* All words of two letters up to a length: the periods of parts are where such searches go wrong. */
static void test_find_last_of_all_words(void **state)
{
    enum { TEXT_BITS = 11, PART_BITS = 6 };
    (void)state;
    for (unsigned part_word = 2; part_word < 1u << (PART_BITS + 1); part_word++) {
        char part[PART_BITS];
        size_t part_count = 0;
        for (unsigned w = part_word; w > 1; w >>= 1) {
            part[part_count++] = w & 1 ? 'a' : 'b';
        }
        for (unsigned word = 0; word < 1u << TEXT_BITS; word++) {
            char text[TEXT_BITS];
            int64_t last = -1;
            for (size_t i = 0; i < TEXT_BITS; i++) {
                text[i] = word >> i & 1 ? 'a' : 'b';
            }
            for (size_t i = 0; i + part_count <= TEXT_BITS; i++) {
                last = memcmp(text + i, part, part_count) == 0 ? (int64_t)i : last;
            }
            if (rf_chars_find_last_any((struct rf_str){text, TEXT_BITS}, (struct rf_str){part, part_count}) != last) {
                fail_msg("%.*s in %.*s", (int)part_count, part, TEXT_BITS, text);
            }
        }
    }
}

/* A quadratic search would make 10^11 comparisons of each of these. */
static void test_finds_are_linear(void **state)
{
    enum { TEXT_BYTES = 1 << 20, PART_BYTES = 1 << 18 };
    char *const text = malloc(TEXT_BYTES);
    char *const part = malloc(PART_BYTES);
    int64_t place;
    (void)state;
    assert_non_null(text);
    assert_non_null(part);
    memset(text, 'a', TEXT_BYTES);
    const struct rf_str text_str = {text, TEXT_BYTES};
    const struct rf_str part_str = {part, PART_BYTES};
    for (int odd = 0; odd < 3; odd++) {
        memset(part, 'a', PART_BYTES);
        part[odd == 0 ? 0 : odd == 1 ? PART_BYTES / 2 : PART_BYTES - 1] = 'b';
        assert_true(rf_chars_find(text_str, part_str, 0, &place));
        assert_int_equal(place, -1);
        assert_int_equal(rf_chars_find_last_any(text_str, part_str), -1);
    }
    /* Twice a word of its own: many long partial matches. */
    for (size_t i = 0; i < TEXT_BYTES; i++) {
        text[i] = i % 1024 == 0 ? 'b' : 'a';
    }
    memcpy(part, text, PART_BYTES);
    part[0] = 'a';
    assert_int_equal(rf_chars_find_last_any(text_str, part_str), -1);
    part[0] = 'b';
    assert_int_equal(rf_chars_find_last_any(text_str, part_str), TEXT_BYTES - PART_BYTES);
    free(part);
    free(text);
}

static void test_rf_chars_slice(void **state)
{
    struct rf_str out = RF_STR("unchanged");
    (void)state;
    assert_false(rf_chars_slice(RF_STR("tacocat"), 40, 40, &out));
    assert_false(rf_chars_slice(RF_STR("tacocat"), -1, 7, &out));
    assert_false(rf_chars_slice(RF_STR("tacocat"), 1, 50, &out));
    assert_false(rf_chars_slice(RF_STR("tacocat"), 49, 50, &out));
    assert_false(rf_chars_slice(RF_STR("tacocat"), 4, 3, &out));
    assert_false(rf_chars_slice(RF_STR("tacocat"), INT64_MIN, INT64_MAX, &out));
    assert_false(rf_chars_slice(RF_STR("ta©o©αT"), 0, 8, &out));
    assert_text(out, "unchanged");
    assert_true(rf_chars_slice(RF_STR("tacocat"), 4, 7, &out));
    assert_text(out, "cat");
    assert_true(rf_chars_slice(RF_STR("tacocat"), 7, 7, &out));
    assert_text(out, "");
    assert_true(rf_chars_slice(RF_STR("tacocat"), 0, 4, &out));
    assert_text(out, "taco");
    assert_true(rf_chars_slice(RF_STR("tacocat"), 4, 4, &out));
    assert_text(out, "");
    assert_true(rf_chars_slice(RF_STR("ta©o©αT"), 2, 6, &out));
    assert_text(out, "©o©α");
    assert_true(rf_chars_slice(RF_STR("ta©o©αT"), 7, 7, &out));
    assert_text(out, "");
    assert_true(rf_chars_slice(nothing, 0, 0, &out));
    assert_int_equal(out.count, 0);
}

static bool is_white_space(uint32_t c)
{
    static const uint32_t spaces[] = {0x20, 0x85, 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000};
    for (size_t i = 0; i < sizeof spaces / sizeof spaces[0]; i++) {
        if (c == spaces[i]) {
            return true;
        }
    }
    return (c >= 0x09 && c <= 0x0D) || (c >= 0x2000 && c <= 0x200A);
}

/* Each code point alone, and on both sides of a word. */
static void test_rf_chars_trim(void **state)
{
    (void)state;
    assert_text(rf_chars_trim(RF_STR(" \f\n\r\t\vtext  ")), "text");
    assert_text(rf_chars_trim(RF_STR("\xc2\x85\u00a0\u1680text")), "text");
    assert_text(rf_chars_trim(RF_STR("text\u2000\u2001\u2002\u2003\u2004\u2004\u2006\u2007\u2008\u2009")), "text");
    assert_text(rf_chars_trim(RF_STR("\u200atext\u2028\u2029\u202F\u205F\u3000")), "text");
    assert_text(rf_chars_trim(RF_STR("\u180etext\u200b\u200c\u200d\u2060\ufeff")),
                "\u180etext\u200b\u200c\u200d\u2060\ufeff");
    assert_text(rf_chars_trim(RF_STR(" a b ")), "a b");
    assert_int_equal(rf_chars_trim(nothing).count, 0);
    for (uint32_t c = 0; c <= 0x10FFFF; c++) {
        char text[16];
        if (c >= 0xD800 && c <= 0xDFFF) {
            continue;
        }
        const size_t bytes = rf_utf8_write(c, text);
        text[bytes] = 'x';
        memcpy(text + bytes + 1, text, bytes);
        const struct rf_str alone = rf_chars_trim((struct rf_str){text, bytes});
        const struct rf_str around = rf_chars_trim((struct rf_str){text, 2 * bytes + 1});
        assert_int_equal(alone.count, is_white_space(c) ? 0 : bytes);
        assert_int_equal(around.count, is_white_space(c) ? 1 : 2 * bytes + 1);
        assert_ptr_equal(around.data, is_white_space(c) ? text + bytes : text);
    }
}

static void test_rf_chars_equal_ascii(void **state)
{
    (void)state;
    assert_true(rf_chars_equal_ascii(nothing, RF_STR("")));
    assert_true(rf_chars_equal_ascii(RF_STR("TacoCat"), RF_STR("tACOcAT")));
    assert_true(rf_chars_equal_ascii(RF_STR("CÆt"), RF_STR("cÆT")));
    assert_false(rf_chars_equal_ascii(RF_STR("Æ"), RF_STR("æ")));
    assert_false(rf_chars_equal_ascii(RF_STR("a"), RF_STR("aa")));
    assert_false(rf_chars_equal_ascii(RF_STR("a"), nothing));
    for (unsigned a = 0; a < 256; a++) {
        for (unsigned b = 0; b < 256; b++) {
            const char left = (char)a;
            const char right = (char)b;
            const bool are_letters = (a | 0x20) >= 'a' && (a | 0x20) <= 'z';
            const bool expected = a == b || (are_letters && (a ^ b) == 0x20);
            assert_int_equal(rf_chars_equal_ascii((struct rf_str){&left, 1}, (struct rf_str){&right, 1}), expected);
        }
    }
}

/* The pieces with a bar behind each. */
static void assert_split(const char *text, const char *separator, int64_t limit, const char *expected)
{
    struct rf_chars_split split = rf_chars_split_begin(rf_str_of(text), rf_str_of(separator), limit);
    struct rf_str piece;
    char joined[128];
    size_t count = 0;
    while (rf_chars_split_next(&split, &piece)) {
        memcpy(joined + count, piece.data, piece.count);
        count += piece.count;
        joined[count++] = '|';
    }
    assert_false(rf_chars_split_next(&split, &piece));
    assert_text((struct rf_str){joined, count}, expected);
}

static void test_rf_chars_split_begin(void **state)
{
    struct rf_str piece = RF_STR("unchanged");
    (void)state;
    struct rf_chars_split split = rf_chars_split_begin(nothing, nothing, -1);
    assert_false(rf_chars_split_next(&split, &piece));
    split = rf_chars_split_begin(RF_STR("a"), RF_STR("b"), 0);
    assert_false(rf_chars_split_next(&split, &piece));
    assert_text(piece, "unchanged");
    split = rf_chars_split_begin(nothing, RF_STR(","), -1);
    assert_true(rf_chars_split_next(&split, &piece));
    assert_int_equal(piece.count, 0);
    assert_false(rf_chars_split_next(&split, &piece));
}

static void test_rf_chars_split_next(void **state)
{
    (void)state;
    assert_split("hello world", " ", -1, "hello|world|");
    assert_split("hello world events!", " ", 0, "");
    assert_split("hello world events!", " ", 1, "hello world events!|");
    assert_split("hello world events!", " ", 2, "hello|world events!|");
    assert_split("hello world events!", " ", 3, "hello|world|events!|");
    assert_split("hello world events!", " ", 4, "hello|world|events!|");
    assert_split("o©o©o©o", "©", -1, "o|o|o|o|");
    assert_split("o©o©o©o", "©", INT64_MIN, "o|o|o|o|");
    assert_split(",a,,b,", ",", -1, "|a||b||");
    assert_split("aaa", "aa", -1, "|a|");
    assert_split("", ",", -1, "|");
    assert_split("", ",", 5, "|");
    assert_split("", "", -1, "");
    assert_split("", "", 1, "");
    assert_split("a©α", "", -1, "a|©|α|");
    assert_split("a©α", "", 1, "a©α|");
    assert_split("a©α", "", 2, "a|©α|");
    assert_split("a©α", "", 3, "a|©|α|");
    assert_split("a©α", "", 4, "a|©|α|");
}

/* Bytes that are no UTF-8 must not be read beyond their end; the sanitizers look. */
static void test_any_bytes(void **state)
{
    (void)state;
    for (int round = 0; round < 20000; round++) {
        const size_t count = random_below(20);
        char *const bytes = malloc(count + 1);
        assert_non_null(bytes);
        for (size_t i = 0; i < count; i++) {
            static const char edges[] = "\x80\xbf\xc2\xe1\xe2\xe3\xf0\xff\xa0\x85 a";
            bytes[i] = edges[random_below(sizeof edges - 1)];
        }
        /* The text ends with the block. */
        const struct rf_str text = {bytes + 1, count};
        memmove(bytes + 1, bytes, count);
        const struct rf_str part = {text.data, count / 3};
        struct rf_str out;
        int64_t place;
        size_t left = count;
        for (int64_t i = -1; i <= (int64_t)count + 1; i++) {
            if (rf_chars_at(text, i, &out)) {
                assert_in_range((size_t)(out.data - text.data) + out.count, 0, count);
            }
            if (rf_chars_slice(text, i, i + 2, &out)) {
                assert_in_range((size_t)(out.data - text.data) + out.count, 0, count);
            }
            if (rf_chars_find(text, part, i, &place) && rf_chars_find_last(text, part, i, &place)) {
                assert_in_range(place + 1, 0, count + 1);
            }
        }
        assert_in_range(rf_chars_trim(text).count, 0, count);
        assert_true(rf_chars_equal_ascii(text, text));
        struct rf_chars_split split = rf_chars_split_begin(text, nothing, -1);
        while (rf_chars_split_next(&split, &out)) {
            left -= out.count;
        }
        assert_int_equal(left, 0);
        free(bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_chars_step),
        cmocka_unit_test(test_rf_chars_at),
        cmocka_unit_test(test_places_of_random_texts),
        cmocka_unit_test(test_rf_chars_find),
        cmocka_unit_test(test_rf_chars_find_last),
        cmocka_unit_test(test_rf_chars_find_last_any),
        cmocka_unit_test(test_finds_in_random_texts),
        cmocka_unit_test(test_find_last_of_all_words),
        cmocka_unit_test(test_finds_are_linear),
        cmocka_unit_test(test_rf_chars_slice),
        cmocka_unit_test(test_rf_chars_trim),
        cmocka_unit_test(test_rf_chars_equal_ascii),
        cmocka_unit_test(test_rf_chars_split_begin),
        cmocka_unit_test(test_rf_chars_split_next),
        cmocka_unit_test(test_any_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
