/* Arbitrary bytes as one record: the reference reader's verdict on the whole record against a recursive-descent reading
 * of the RFC 8259 grammar, and every accepted record out as a value, to JSON text and back. */
#include <stdio.h>
#include <stdlib.h>

#include "json_tree.h"
#include "json_value.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { DEPTH_MAX = 64 };

/* The oracle: each function returns the offset behind what it takes, or FAILED. */

static const size_t FAILED = SIZE_MAX;

struct oracle {
    const uint8_t *text;
    size_t count;
};

static int oracle_byte(const struct oracle *o, size_t at)
{
    return at < o->count ? o->text[at] : -1;
}

static size_t oracle_space(const struct oracle *o, size_t at)
{
    while (oracle_byte(o, at) == ' ' || oracle_byte(o, at) == '\t' || oracle_byte(o, at) == '\r' ||
           oracle_byte(o, at) == '\n') {
        at++;
    }
    return at;
}

static int oracle_hex(const struct oracle *o, size_t at)
{
    int value = 0;
    for (size_t i = 0; i < 4; i++) {
        const int c = oracle_byte(o, at + i);
        const int digit = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                 : -1;
        if (digit < 0) {
            return -1;
        }
        value = value * 16 + digit;
    }
    return value;
}

static size_t oracle_escape(const struct oracle *o, size_t at) /* behind the backslash */
{
    const int c = oracle_byte(o, at);
    if (c != 'u') {
        return c > 0 && strchr("\"\\/bfnrt", c) != NULL ? at + 1 : FAILED;
    }
    const int first = oracle_hex(o, at + 1);
    if (first < 0 || (first >= 0xdc00 && first <= 0xdfff)) {
        return FAILED;
    }
    if (first < 0xd800 || first > 0xdbff) {
        return at + 5;
    }
    const int second = oracle_byte(o, at + 5) == '\\' && oracle_byte(o, at + 6) == 'u' ? oracle_hex(o, at + 7) : -1;
    return second >= 0xdc00 && second <= 0xdfff ? at + 11 : FAILED;
}

/* One code point in the shortest form, no surrogate. */
static size_t oracle_utf8(const struct oracle *o, size_t at)
{
    const int lead = oracle_byte(o, at);
    const size_t more = lead < 0x80 ? 0 : lead >= 0xc0 && lead < 0xe0 ? 1 : lead >= 0xe0 && lead < 0xf0 ? 2 : 3;
    if (lead < 0 || (lead >= 0x80 && lead < 0xc0) || lead >= 0xf8) {
        return FAILED;
    }
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    uint32_t point = more == 0 ? (uint32_t)lead : (uint32_t)lead & (0x3fu >> more);
    for (size_t i = 1; i <= more; i++) {
        const int c = oracle_byte(o, at + i);
        if (c < 0x80 || c > 0xbf) {
            return FAILED;
        }
        point = point << 6 | ((uint32_t)c & 0x3f);
    }
    const bool is_surrogate = point >= 0xd800 && point <= 0xdfff;
    return point < least[more] || point > 0x10ffff || is_surrogate ? FAILED : at + more + 1;
}

static size_t oracle_string(const struct oracle *o, size_t at) /* at the quote */
{
    at++;
    while (at != FAILED && oracle_byte(o, at) != '"') {
        const int c = oracle_byte(o, at);
        if (c < 0x20) {
            return FAILED;
        }
        at = c == '\\' ? oracle_escape(o, at + 1) : oracle_utf8(o, at);
    }
    return at == FAILED ? FAILED : at + 1;
}

static size_t oracle_digits(const struct oracle *o, size_t at)
{
    const size_t begin = at;
    while (oracle_byte(o, at) >= '0' && oracle_byte(o, at) <= '9') {
        at++;
    }
    return at == begin ? FAILED : at;
}

static size_t oracle_number(const struct oracle *o, size_t at)
{
    at += oracle_byte(o, at) == '-' ? 1 : 0;
    const bool is_zero = oracle_byte(o, at) == '0';
    at = is_zero ? at + 1 : oracle_digits(o, at);
    if (at != FAILED && oracle_byte(o, at) == '.') {
        at = oracle_digits(o, at + 1);
    }
    if (at != FAILED && (oracle_byte(o, at) == 'e' || oracle_byte(o, at) == 'E')) {
        at++;
        at += oracle_byte(o, at) == '+' || oracle_byte(o, at) == '-' ? 1 : 0;
        at = oracle_digits(o, at);
    }
    return at;
}

static size_t oracle_word(const struct oracle *o, size_t at, const char *word)
{
    const size_t count = strlen(word);
    return o->count - at >= count && memcmp(o->text + at, word, count) == 0 ? at + count : FAILED;
}

static size_t oracle_value(const struct oracle *o, size_t at, int depth);

static size_t oracle_container(const struct oracle *o, size_t at, int depth)
{
    const bool is_list = oracle_byte(o, at) == '[';
    const int right = is_list ? ']' : '}';
    if (depth == DEPTH_MAX) {
        return FAILED;
    }
    at = oracle_space(o, at + 1);
    if (oracle_byte(o, at) == right) {
        return at + 1;
    }
    for (;;) {
        if (!is_list) {
            at = oracle_byte(o, at) == '"' ? oracle_string(o, at) : FAILED;
            at = at == FAILED ? FAILED : oracle_space(o, at);
            if (at == FAILED || oracle_byte(o, at) != ':') {
                return FAILED;
            }
            at++;
        }
        at = oracle_value(o, at, depth + 1);
        if (at == FAILED) {
            return FAILED;
        }
        at = oracle_space(o, at);
        if (oracle_byte(o, at) == right) {
            return at + 1;
        }
        if (oracle_byte(o, at) != ',') {
            return FAILED;
        }
        at = oracle_space(o, at + 1);
    }
}

static size_t oracle_value(const struct oracle *o, size_t at, int depth)
{
    at = oracle_space(o, at);
    switch (oracle_byte(o, at)) {
    case '{':
    case '[':
        return oracle_container(o, at, depth);
    case '"':
        return oracle_string(o, at);
    case 't':
        return oracle_word(o, at, "true");
    case 'f':
        return oracle_word(o, at, "false");
    case 'n':
        return oracle_word(o, at, "null");
    default:
        return oracle_number(o, at);
    }
}

static bool oracle_accepts(const uint8_t *data, size_t size)
{
    const struct oracle o = {data, size};
    const size_t at = oracle_value(&o, 0, 0);
    return at != FAILED && oracle_space(&o, at) == size;
}

static void fail(const char *what)
{
    fprintf(stderr, "fuzz_json_tree: %s\n", what);
    abort();
}

/* Structure, then everything in it. */
static struct rf_malformed read_whole(struct rf_tree *tree, struct rf_str text, struct rf_arena *arena)
{
    struct rf_malformed malformed;
    struct rf_error err;
    if (rf_tree_read(tree, text, DEPTH_MAX, arena, &malformed, &err) != RF_OK) {
        fail(err.text);
    }
    if (malformed.reason == RF_REASON_NONE) {
        rf_tree_check(tree, 0, true, &malformed);
    }
    if (malformed.reason != RF_REASON_NONE && malformed.offset > text.count) {
        fail("the offset of a problem lies outside the record");
    }
    return malformed;
}

static void check_round_trip(const struct rf_tree *tree, struct rf_arena *arena)
{
    const struct rf_value value = rf_json_value(tree, 0, arena);
    if (rf_value_find_error(&value) != NULL) {
        fail("a valid record has a value with an error");
    }
    struct rf_text out = {0};
    struct rf_error err;
    if (rf_value_write_json(&out, value, &err) != RF_OK) {
        fail(err.text);
    }
    if (!oracle_accepts((const uint8_t *)out.data, out.count)) {
        fail("a value is written as something that is no JSON");
    }
    struct rf_tree again;
    if (read_whole(&again, rf_text_str(&out), arena).reason != RF_REASON_NONE) {
        fail("a value that was written is malformed");
    }
    /* Numbers beyond range are equal to nothing. */
    if (rf_value_match(value, rf_json_value(&again, 0, arena)) == RF_EQUALITY_DIFFERENT) {
        fail("a value differs from what was written");
    }
    struct rf_text csv = {0};
    if (rf_value_write_csv(&csv, value, &err) != RF_OK) {
        fail(err.text);
    }
    rf_text_free(&csv);
    rf_text_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct rf_arena arena;
    if (size > 1 << 16) {
        return 0;
    }
    rf_arena_init(&arena, 64 << 20);
    struct rf_tree tree;
    const struct rf_str text = {(const char *)data, size};
    const struct rf_malformed malformed = read_whole(&tree, text, &arena);
    if ((malformed.reason == RF_REASON_NONE) != oracle_accepts(data, size)) {
        fail(malformed.reason == RF_REASON_NONE ? "an invalid record is accepted" : rf_reason_text(malformed.reason));
    }
    if (malformed.reason == RF_REASON_NONE) {
        check_round_trip(&tree, &arena);
    }
    rf_arena_free(&arena);
    return 0;
}
