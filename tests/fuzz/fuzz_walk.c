/* Arbitrary bytes as a record: the walker, its verdict-only form and the reference reader must agree on the verdict
 * (reason and offset) and on every cell. The first byte chooses the program and the options. */
#include "../unit/kernels/trie_fixture.h"

#include "arena.h"
#include "json_text.h"
#include "json_tree.h"
#include "walk.h"

enum { RECORD_MAX = 1 << 16, MARGIN = 7 };

static void check(bool is_good)
{
    if (!is_good) {
        abort();
    }
}

static const char *const paths[4][6] = {
    {"a", "b", "price", NULL},
    {"a.b.c", "a.b", "a.d", "x[1].y", NULL},
    {"[0]", "[2].a", "[1][1]", "a", NULL},
    {"a.a.a", "a[0]", "a.b", "\xc3\xa9", NULL},
};

/* The reference reader's node at the path of a trie node, or RF_NONE. */
static uint32_t tree_at(const struct rf_tree *tree, const struct trie_fixture *fixture, uint32_t node,
                        struct rf_arena *arena)
{
    uint32_t chain[16];
    uint32_t depth = 0;
    for (uint32_t at = node; at != 0; at = fixture->node[at].parent) {
        chain[depth++] = at;
    }
    uint32_t place = 0;
    while (depth > 0 && place != RF_NONE) {
        const struct rf_step *step = &fixture->node[chain[--depth]].step;
        place =
            step->is_index ? rf_tree_element(tree, place, step->index) : rf_tree_member(tree, place, step->key, arena);
    }
    return place;
}

static bool holds_member(const struct rf_tree *tree, uint32_t place, const struct rf_step *step)
{
    return place != RF_NONE && tree->node[place].kind == (step->is_index ? RF_TREE_LIST : RF_TREE_OBJECT);
}

static void check_cell(const struct rf_tree *tree, const struct trie_fixture *fixture, const struct rf_columns *columns,
                       const struct rf_batch *batch, uint32_t slot, struct rf_arena *arena)
{
    const uint32_t node = fixture->slot[slot].node;
    const uint32_t place = tree_at(tree, fixture, node, arena);
    const enum rf_tag tag = (enum rf_tag)columns->slot[slot].tag[0];
    if (place == RF_NONE) {
        const uint32_t parent = tree_at(tree, fixture, fixture->node[node].parent, arena);
        check(tag == (holds_member(tree, parent, &fixture->node[node].step) ? RF_TAG_ABSENT : RF_TAG_NOPARENT));
        return;
    }
    const struct rf_str text = rf_column_text(columns, batch, slot, 0);
    switch (tree->node[place].kind) {
    case RF_TREE_STRING: {
        const struct rf_str inside = rf_tree_inside(tree, place);
        char *decoded = rf_arena_push(arena, inside.count, 1, 1);
        size_t count = 0;
        size_t at = 0;
        check(decoded != NULL && rf_json_decode(inside, decoded, &count, &at) == RF_JSON_OK);
        check(tag == RF_TAG_STRING_RAW || tag == RF_TAG_STRING_ESCAPED);
        check(rf_str_equal(text, (struct rf_str){decoded, count}));
        check(columns->slot[slot].payload[0] == rf_str_prefix(text));
        break;
    }
    case RF_TREE_SCALAR: {
        struct rf_number wanted;
        struct rf_number got;
        check(rf_str_equal(text, rf_tree_text(tree, place)));
        if (rf_number_from_json(text, &wanted) == RF_NUMBER_OK) {
            check(rf_cell_number(tag, columns->slot[slot].payload[0], &got));
            check(got.kind == wanted.kind && memcmp(&got.as, &wanted.as, sizeof(got.as)) == 0);
        } else {
            check(tag == (text.data[0] == 't'   ? RF_TAG_TRUE
                          : text.data[0] == 'f' ? RF_TAG_FALSE
                          : text.data[0] == 'n' ? RF_TAG_NULL
                                                : RF_TAG_RANGE));
        }
        break;
    }
    default:
        check(tag == (tree->node[place].kind == RF_TREE_LIST ? RF_TAG_LIST : RF_TAG_OBJECT));
        check(rf_str_equal(text, rf_tree_text(tree, place)));
        break;
    }
}

static void compare_readers(struct trie_fixture *fixture, struct rf_columns *columns, const struct rf_batch *batch,
                            uint32_t begin, struct rf_walk_options options, struct rf_arena *arena)
{
    struct rf_error err;
    struct rf_tree tree;
    struct rf_malformed wanted;
    const struct rf_str record = {(const char *)batch->bytes + begin, batch->bytes_used - begin};
    const struct rf_malformed walked =
        rf_walk_row(&fixture->program, batch, begin, batch->bytes_used, options, columns, 0);
    const struct rf_malformed verdict =
        rf_walk_row(&fixture->program, batch, begin, batch->bytes_used, options, NULL, 0);
    check(walked.reason == verdict.reason && walked.offset == verdict.offset);
    check(walked.offset <= record.count && columns->side_used <= record.count);
    check(rf_tree_read(&tree, record, options.depth_max, arena, &wanted, &err) == RF_OK);
    const bool has_tree = wanted.reason == RF_REASON_NONE;
    if (has_tree && options.is_validating) {
        rf_tree_check(&tree, 0, true, &wanted);
    }
    if (has_tree) {
        check(rf_tree_check_paths(&tree, &fixture->program, arena, &wanted, &err) == RF_OK);
    }
    check(walked.reason == wanted.reason && walked.offset == wanted.offset);
    if (walked.reason == RF_REASON_NONE) {
        for (uint32_t slot = 0; slot < fixture->program.slots; slot++) {
            check_cell(&tree, fixture, columns, batch, slot, arena);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct trie_fixture fixture;
    if (size < 1 || size > RECORD_MAX) {
        return 0;
    }
    const uint8_t choice = data[0];
    struct rf_error err;
    struct rf_arena arena;
    struct rf_columns columns;
    rf_arena_init(&arena, 64 << 20);
    fixture_open(&fixture, (choice & 4) != 0);
    for (const char *const *path = paths[choice & 3]; *path != NULL; path++) {
        fixture.slot[fixture_path(&fixture, *path)].is_deep = (choice & 8) != 0;
    }
    const struct rf_walk_options options = {(choice & 16) != 0 ? 3 : RF_DEPTH_MAX_DEFAULT, (choice & 32) != 0};
    /* The record stands behind a margin, in a block of exactly the promised size. */
    const size_t used = MARGIN + size - 1;
    uint8_t *bytes = malloc(used + RF_BATCH_PADDING);
    check(bytes != NULL && rf_columns_open(&columns, fixture.program.slots, 1, &err) == RF_OK &&
          rf_columns_reserve_side(&columns, used, &err) == RF_OK);
    memset(bytes, '"', MARGIN);
    memcpy(bytes + MARGIN, data + 1, size - 1);
    memset(bytes + used, '"', RF_BATCH_PADDING);
    const struct rf_batch batch = {.bytes = bytes, .bytes_used = (uint32_t)used};
    compare_readers(&fixture, &columns, &batch, MARGIN, options, &arena);
    rf_columns_close(&columns);
    rf_arena_free(&arena);
    free(bytes);
    return 0;
}
