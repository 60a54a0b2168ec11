/* Arbitrary fields as JSON and for people. JSON: read back by a strict reader it gives every field, in order where no tag
 * comes again in a place, and no object has two members of one name. For people: UTF-8 without a control but line ends.
 *
 * Data[0] chooses the separator and the keys; the rest is the body of a message. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fix_fields.h"
#include "fix_json.h"
#include "fix_pretty.h"
#include "utf8.h"

#define assert_true(condition) ((condition) ? (void)0 : abort())
#define assert_false(condition) assert_true(!(condition))
#define assert_non_null(pointer) assert_true((pointer) != NULL)
#define assert_int_equal(a, b) assert_true((a) == (b))
#define assert_ptr_equal(a, b) assert_true((a) == (b))
#define assert_string_equal(a, b) assert_true(strcmp((a), (b)) == 0)
#define assert_string_not_equal(a, b) assert_true(strcmp((a), (b)) != 0)
#define fail_msg(...) ((void)fprintf(stderr, __VA_ARGS__), abort())

#include "../unit/fix/fix_json_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BODY_MAX = 1 << 13, ROOM = 128 };

static int field_compare(const void *a, const void *b)
{
    const struct read_field *x = a;
    const struct read_field *y = b;
    if (x->tag != y->tag) {
        return x->tag < y->tag ? -1 : 1;
    }
    return rf_str_compare((struct rf_str){x->text, x->count}, (struct rf_str){y->text, y->count});
}

static void json_check(const struct rf_fix_dict *dict, const struct rf_fix_view *view, enum rf_fix_keys keys,
                       struct rf_arena *arena)
{
    struct rf_error err;
    struct rf_text out = {0};
    static struct rf_fix_json json[3];
    if (json[keys].tree.dict == NULL) {
        assert_int_equal(rf_fix_json_open(&json[keys], dict, keys, &err), RF_OK);
    }
    assert_int_equal(rf_fix_json_write(&json[keys], view, &out, &err), RF_OK);
    struct read_fields read = read_json(dict, keys, rf_text_str(&out));
    struct read_field *expected = RF_PUSH(arena, struct read_field, view->fields);
    assert_non_null(expected);
    assert_int_equal(read.fields, view->fields);
    for (uint32_t i = 0; i < view->fields; i++) {
        const struct rf_str text = rf_arena_copy(arena, rf_fix_view_text(view, i));
        union {
            const char *given;
            char *kept;
        } place = {.given = text.data};
        expected[i] = (struct read_field){view->tag[i], place.kept, text.count};
    }
    if (json[keys].tree.has_repeats) {
        qsort(expected, view->fields, sizeof *expected, field_compare);
        qsort(read.field, read.fields, sizeof *read.field, field_compare);
    }
    for (uint32_t i = 0; i < view->fields; i++) {
        assert_int_equal(field_compare(&expected[i], &read.field[i]), 0);
    }
    read_free(&read);
    rf_text_free(&out);
}

static void pretty_check(const struct rf_fix_dict *dict, const struct rf_fix_view *view, struct rf_str around)
{
    struct rf_error err;
    struct rf_text out = {0};
    static struct rf_fix_tree tree;
    if (tree.dict == NULL) {
        assert_int_equal(rf_fix_tree_open(&tree, dict, &err), RF_OK);
    }
    const struct rf_fix_pretty pretty = {.input_name = around, .number = 1, .before = around, .behind = around};
    assert_int_equal(rf_fix_pretty_write(&tree, view, &pretty, &out, &err), RF_OK);
    assert_true(rf_utf8_is_valid(rf_text_str(&out)));
    for (size_t i = 0; i < out.count; i++) {
        const uint8_t byte = (uint8_t)out.data[i];
        assert_true(byte == '\n' || (byte >= 0x20 && byte != 0x7f));
    }
    rf_text_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char message[BODY_MAX + ROOM];
    const struct rf_fix_dict *dict = rf_fix_dict_builtin(RF_STR("FIX.4.4"));
    if (size < 1 || size > BODY_MAX) {
        return 0;
    }
    const enum rf_fix_separator separator = (enum rf_fix_separator)(data[0] % RF_FIX_SEPARATOR_COUNT);
    const char *text = rf_fix_separator_text(separator);
    size_t count = (size_t)snprintf(message, ROOM, "8=FIX.4.4%s9=5%s", text, text);
    memcpy(message + count, data + 1, size - 1);
    count += size - 1;
    count += (size_t)snprintf(message + count, ROOM / 2, "%s10=000%s", text, text);
    struct rf_arena arena;
    struct rf_fix_fields fields;
    rf_arena_init(&arena, 16 << 20);
    assert_true(rf_fix_fields_read((struct rf_str){message, count}, separator, false, &arena, &fields));
    if (fields.reason == RF_REASON_NONE) {
        struct rf_fix_view view;
        assert_true(rf_fix_fields_view(&fields, &arena, &view));
        json_check(dict, &view, (enum rf_fix_keys)(data[0] / 4 % 3), &arena);
        pretty_check(dict, &view, (struct rf_str){(const char *)data, size < 40 ? size : 40});
    }
    rf_arena_free(&arena);
    return 0;
}
