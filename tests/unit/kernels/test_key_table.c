/* test_key_table.c: every key leads to its node and nothing else does, however the keys are chosen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "key_table.h"

enum { KEY_BYTES_MAX = 400 };

/* Keys under parents; node n + 1 is key n. Keys of one parent are distinct. */
struct keys {
    struct rf_program program;
    struct rf_key_table table;
    char (*text)[KEY_BYTES_MAX];
};

static void keys_begin(struct keys *keys, uint32_t count)
{
    memset(keys, 0, sizeof(*keys));
    keys->text = calloc(count, sizeof(*keys->text));
    keys->program.node = calloc(count + 1, sizeof(*keys->program.node));
    assert_non_null(keys->text);
    assert_non_null(keys->program.node);
    keys->program.nodes = 1;
}

static void keys_add(struct keys *keys, uint32_t parent, const char *text, size_t count)
{
    assert_true(count < KEY_BYTES_MAX);
    const uint32_t n = keys->program.nodes++;
    memcpy(keys->text[n - 1], text, count);
    keys->program.node[n] = (struct rf_trie_node){.parent = parent, .step = {.key = {keys->text[n - 1], count}}};
}

static void keys_open(struct keys *keys)
{
    struct rf_error err;
    assert_int_equal(rf_key_table_open(&keys->table, &keys->program, &err), RF_OK);
}

static void keys_close(struct keys *keys)
{
    rf_key_table_close(&keys->table);
    assert_null(keys->table.cell);
    free(keys->text);
    free(keys->program.node);
}

/* The node that a key in quotes is found to lead to. It stands at the end of a heap block, behind as few bytes as are
 * promised, so that a sanitizer sees a read that goes too far. */
static uint32_t find(const struct keys *keys, uint32_t parent, const char *text, size_t count)
{
    const size_t pad = count + 1 < 8 ? 7 - count : 0;
    const size_t before = pad + 1 + count;
    char *frame = malloc(before + 1);
    assert_non_null(frame);
    memset(frame, '{', pad);
    frame[pad] = '"';
    memcpy(frame + pad + 1, text, count);
    frame[before] = '"';
    const uint8_t *quote = (const uint8_t *)frame + before;
    const struct rf_key_cell *cell = rf_key_find(&keys->table, quote, before, parent);
    const uint32_t node = cell == NULL ? RF_NONE : cell->node;
    bool is_tail;
    const struct rf_key_cell *guess = rf_key_guess(&keys->table, quote, &is_tail);
    if (rf_key_is_decided(guess)) { /* the short way says the same */
        assert_int_equal(is_tail && guess->parent == parent ? guess->node : RF_NONE, node);
    }
    free(frame);
    return node;
}

/* What a plain search says. */
static uint32_t find_plainly(const struct keys *keys, uint32_t parent, const char *text, size_t count)
{
    for (uint32_t n = 1; n < keys->program.nodes; n++) {
        const struct rf_trie_node *node = &keys->program.node[n];
        if (!node->step.is_index && node->parent == parent &&
            rf_str_equal(node->step.key, (struct rf_str){text, count})) {
            return n;
        }
    }
    return RF_NONE;
}

static void assert_finds(const struct keys *keys, uint32_t parent, const char *text, size_t count)
{
    assert_int_equal(find(keys, parent, text, count), find_plainly(keys, parent, text, count));
}

/* All keys, with other parents, a byte more, less, or other. */
static void assert_finds_all(const struct keys *keys)
{
    for (uint32_t n = 1; n < keys->program.nodes; n++) {
        const struct rf_str key = keys->program.node[n].step.key;
        const uint32_t parent = keys->program.node[n].parent;
        char other[KEY_BYTES_MAX + 2];
        assert_int_equal(find(keys, parent, key.data, key.count), n);
        assert_finds(keys, parent + 1, key.data, key.count);
        memcpy(other + 1, key.data, key.count);
        other[0] = 'x';
        other[key.count + 1] = 'x';
        assert_finds(keys, parent, other, key.count + 1);
        assert_finds(keys, parent, other + 1, key.count + 1);
        if (key.count > 1) {
            assert_finds(keys, parent, key.data, key.count - 1);
            assert_finds(keys, parent, key.data + 1, key.count - 1);
        }
        for (size_t at = 0; at < key.count; at += 1 + key.count / 9) {
            other[1 + at] ^= 1;
            assert_finds(keys, parent, other + 1, key.count);
            other[1 + at] ^= 1;
        }
    }
}

static void test_few(void **state)
{
    (void)state;
    static const char *const text[] = {"a",        "b",      "ab",         "ba",       "price",     "rice",
                                       "ice",      "symbol", "1234567",    "12345678", "123456789", "x12345678",
                                       "\xc3\xa9", "a\x01",  "with space", "0",        "00"};
    struct keys keys;
    keys_begin(&keys, sizeof(text) / sizeof(text[0]));
    for (size_t i = 0; i < sizeof(text) / sizeof(text[0]); i++) {
        keys_add(&keys, 0, text[i], strlen(text[i]));
    }
    keys_open(&keys);
    assert_finds_all(&keys);
    keys_close(&keys);
}

static void test_none(void **state)
{
    (void)state;
    struct keys keys;
    keys_begin(&keys, 1);
    keys_open(&keys);
    assert_int_equal(find(&keys, 0, "a", 1), RF_NONE);
    assert_int_equal(find(&keys, 0, "", 0), RF_NONE);
    keys_close(&keys);
}

/* Thousands of keys; the last bytes of many are the same, so cells are shared whatever the multiplier is. */
static void test_many(void **state)
{
    (void)state;
    enum { COUNT = 3000 };
    struct keys keys;
    keys_begin(&keys, COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        char text[40];
        const int count = snprintf(text, sizeof(text), i % 3 == 0 ? "field_%u" : i % 3 == 1 ? "%u" : "%u_last", i);
        keys_add(&keys, 0, text, (size_t)count);
    }
    keys_open(&keys);
    for (uint32_t n = 1; n < keys.program.nodes; n++) {
        const struct rf_str key = keys.program.node[n].step.key;
        assert_int_equal(find(&keys, 0, key.data, key.count), n);
        assert_int_equal(find(&keys, 1, key.data, key.count), RF_NONE);
    }
    for (uint32_t i = COUNT; i < 2 * COUNT; i++) {
        char text[40];
        const int count = snprintf(text, sizeof(text), "field_%u", i);
        assert_int_equal(find(&keys, 0, text, (size_t)count), RF_NONE);
    }
    keys_close(&keys);
}

/* Long keys that differ in one byte: at the head, in the middle, at the end; and the same key under many parents. */
static void test_long(void **state)
{
    (void)state;
    struct keys keys;
    keys_begin(&keys, 64);
    for (size_t count = 6; count <= 390; count = count < 12 ? count + 1 : count * 3) {
        for (int place = 0; place < 3; place++) {
            char text[KEY_BYTES_MAX];
            memset(text, 'k', count);
            text[place == 0 ? 0 : place == 1 ? count / 2 : count - 1] = 'z';
            keys_add(&keys, 0, text, count);
        }
    }
    keys_open(&keys);
    assert_finds_all(&keys);
    keys_close(&keys);

    keys_begin(&keys, 50);
    for (uint32_t parent = 0; parent < 50; parent++) {
        keys_add(&keys, parent, "name", 4);
    }
    keys_open(&keys);
    assert_finds_all(&keys);
    keys_close(&keys);
}

/* A key at the very start of the batch: the bytes before its quote end there. */
static void test_before(void **state)
{
    (void)state;
    struct keys keys;
    keys_begin(&keys, 1);
    keys_add(&keys, 0, "0123456789abcdef", 16);
    keys_open(&keys);
    static const char text[] = "\"0123456789abcdef\"";
    const uint8_t *quote = (const uint8_t *)text + 17;
    assert_int_equal(rf_key_find(&keys.table, quote, 17, 0)->node, 1);
    for (size_t before = 8; before < 17; before++) { /* then the rest of the key is not there */
        assert_null(rf_key_find(&keys.table, quote, before, 0));
    }
    keys_close(&keys);
}

/* Array indexes are no keys. */
static void test_index(void **state)
{
    (void)state;
    struct keys keys;
    keys_begin(&keys, 2);
    keys_add(&keys, 0, "5", 1);
    keys.program.node[keys.program.nodes++] =
        (struct rf_trie_node){.parent = 0, .step = {.is_index = true, .index = 7}};
    keys_open(&keys);
    assert_int_equal(find(&keys, 0, "5", 1), 1);
    assert_int_equal(find(&keys, 0, "7", 1), RF_NONE);
    keys_close(&keys);
}

/* rf_key_table_place: the cell of a key holds the place of its node. */
static void test_place(void **state)
{
    (void)state;
    struct keys keys;
    keys_begin(&keys, 100);
    for (uint32_t i = 0; i < 100; i++) {
        char text[16];
        const int count = snprintf(text, sizeof(text), "%u0", i); /* shared last bytes */
        keys_add(&keys, 0, text, (size_t)count);
    }
    keys_open(&keys);
    uint32_t places[101];
    uint32_t *place[101];
    uint32_t nowhere;
    for (uint32_t n = 0; n <= 100; n++) {
        place[n] = &places[n];
    }
    rf_key_table_place(&keys.table, place, &nowhere);
    uint32_t found = 0;
    for (uint32_t c = 0; c < keys.table.cells; c++) {
        const struct rf_key_cell *cell = &keys.table.cell[c];
        assert_ptr_equal(cell->place, cell->node == RF_NONE ? &nowhere : &places[cell->node]);
        found += cell->node != RF_NONE;
    }
    assert_int_equal(found, 100);
    keys_close(&keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_few),   cmocka_unit_test(test_none),   cmocka_unit_test(test_many),
        cmocka_unit_test(test_long),  cmocka_unit_test(test_before), cmocka_unit_test(test_index),
        cmocka_unit_test(test_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
