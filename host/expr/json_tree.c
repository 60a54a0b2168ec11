#include "json_tree.h"

#include <assert.h>

#include "json_text.h"
#include "number.h"

/* What the grammar can take next. */
enum expect {
    EXPECT_VALUE,          /* at the start, behind ':' and behind ',' in a list */
    EXPECT_VALUE_OR_CLOSE, /* behind '[' */
    EXPECT_KEY,            /* behind ',' in an object */
    EXPECT_KEY_OR_CLOSE,   /* behind '{' */
    EXPECT_COLON,
    EXPECT_COMMA_OR_CLOSE, /* behind an element or member */
    EXPECT_END             /* behind the record's value */
};

struct reader {
    struct rf_tree *tree;
    uint32_t depth_max;
    uint32_t depth;
    uint32_t parent; /* innermost open list or object, or RF_NONE */
    enum expect expect;
    uint32_t key_begin, key_end; /* of the member whose value is expected */
    bool has_key_escape;
    struct rf_malformed *malformed;
};

static bool byte_is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool byte_ends_scalar(char c)
{
    return byte_is_space(c) || c == '{' || c == '}' || c == '[' || c == ']' || c == ':' || c == ',' || c == '"';
}

/* Ends the reading: false for the caller to return. */
static bool reader_fail(struct reader *reader, enum rf_reason reason, size_t offset)
{
    *reader->malformed = (struct rf_malformed){.reason = reason, .offset = (unsigned)offset};
    return false;
}

static bool reader_takes_value(const struct reader *reader)
{
    return reader->expect == EXPECT_VALUE || reader->expect == EXPECT_VALUE_OR_CLOSE;
}

static enum rf_reason reader_unexpected(const struct reader *reader)
{
    return reader->expect == EXPECT_END ? RF_REASON_EXTRA : RF_REASON_UNEXPECTED;
}

/* Behind a whole value: what comes next depends on where it stands. */
static void reader_end_value(struct reader *reader)
{
    reader->expect = reader->parent == RF_NONE ? EXPECT_END : EXPECT_COMMA_OR_CLOSE;
}

static uint32_t reader_add(struct reader *reader, enum rf_tree_kind kind, size_t begin, size_t end)
{
    struct rf_tree *tree = reader->tree;
    const uint32_t i = tree->nodes++;
    const bool has_key = reader->parent != RF_NONE && tree->node[reader->parent].kind == RF_TREE_OBJECT;
    tree->node[i] = (struct rf_tree_node){
        .kind = (uint8_t)kind,
        .has_key = has_key,
        .has_key_escape = has_key && reader->has_key_escape,
        .begin = (uint32_t)begin,
        .end = (uint32_t)end,
        .key_begin = has_key ? reader->key_begin : 0,
        .key_end = has_key ? reader->key_end : 0,
        .parent = reader->parent,
        .next = i + 1,
    };
    if (reader->parent != RF_NONE) {
        tree->node[reader->parent].count++;
    }
    return i;
}

static bool reader_open(struct reader *reader, size_t at)
{
    if (!reader_takes_value(reader)) {
        return reader_fail(reader, reader_unexpected(reader), at);
    }
    if (reader->depth == reader->depth_max) {
        return reader_fail(reader, RF_REASON_DEEP, at);
    }
    const bool is_list = reader->tree->text.data[at] == '[';
    reader->parent = reader_add(reader, is_list ? RF_TREE_LIST : RF_TREE_OBJECT, at, at);
    reader->depth++;
    reader->expect = is_list ? EXPECT_VALUE_OR_CLOSE : EXPECT_KEY_OR_CLOSE;
    return true;
}

static bool reader_close(struct reader *reader, size_t at)
{
    const bool takes_close = reader->expect == EXPECT_VALUE_OR_CLOSE || reader->expect == EXPECT_KEY_OR_CLOSE ||
                             reader->expect == EXPECT_COMMA_OR_CLOSE;
    if (!takes_close) {
        return reader_fail(reader, reader_unexpected(reader), at);
    }
    struct rf_tree_node *node = &reader->tree->node[reader->parent];
    const char right = node->kind == RF_TREE_LIST ? ']' : '}';
    if (reader->tree->text.data[at] != right) {
        return reader_fail(reader, RF_REASON_BRACKET, at);
    }
    node->end = (uint32_t)at + 1;
    node->next = reader->tree->nodes;
    reader->parent = node->parent;
    reader->depth--;
    reader_end_value(reader);
    return true;
}

static bool reader_punctuation(struct reader *reader, size_t at)
{
    const bool is_comma = reader->tree->text.data[at] == ',';
    if (reader->expect != (is_comma ? EXPECT_COMMA_OR_CLOSE : EXPECT_COLON)) {
        return reader_fail(reader, reader_unexpected(reader), at);
    }
    const bool is_list = reader->tree->node[reader->parent].kind == RF_TREE_LIST;
    reader->expect = !is_comma || is_list ? EXPECT_VALUE : EXPECT_KEY;
    return true;
}

/* *at: of the opening quote, then behind the closing one. */
static bool reader_string(struct reader *reader, size_t *at)
{
    const struct rf_str text = reader->tree->text;
    const size_t begin = *at;
    const bool is_key = reader->expect == EXPECT_KEY || reader->expect == EXPECT_KEY_OR_CLOSE;
    if (!is_key && !reader_takes_value(reader)) {
        return reader_fail(reader, reader_unexpected(reader), begin);
    }
    size_t end = begin + 1;
    bool has_escape = false;
    while (end < text.count && text.data[end] != '"') {
        const bool is_escape = text.data[end] == '\\';
        has_escape = has_escape || is_escape;
        end += is_escape ? 2 : 1; /* the byte behind a backslash is never the closing quote */
    }
    if (end >= text.count) {
        return reader_fail(reader, RF_REASON_OPEN_STRING, begin);
    }
    *at = end + 1;
    if (is_key) {
        reader->key_begin = (uint32_t)begin + 1;
        reader->key_end = (uint32_t)end;
        reader->has_key_escape = has_escape;
        reader->expect = EXPECT_COLON;
    } else {
        (void)reader_add(reader, RF_TREE_STRING, begin, end + 1);
        reader_end_value(reader);
    }
    return true;
}

static bool reader_scalar(struct reader *reader, size_t *at)
{
    const struct rf_str text = reader->tree->text;
    const size_t begin = *at;
    if (!reader_takes_value(reader)) {
        return reader_fail(reader, reader_unexpected(reader), begin);
    }
    while (*at < text.count && !byte_ends_scalar(text.data[*at])) {
        (*at)++;
    }
    (void)reader_add(reader, RF_TREE_SCALAR, begin, *at);
    reader_end_value(reader);
    return true;
}

static bool reader_run(struct reader *reader)
{
    const struct rf_str text = reader->tree->text;
    size_t at = 0;
    while (at < text.count) {
        bool is_good = true;
        switch (text.data[at]) {
        case ' ':
        case '\t':
        case '\r':
        case '\n':
            at++;
            break;
        case '{':
        case '[':
            is_good = reader_open(reader, at++);
            break;
        case '}':
        case ']':
            is_good = reader_close(reader, at++);
            break;
        case ',':
        case ':':
            is_good = reader_punctuation(reader, at++);
            break;
        case '"':
            is_good = reader_string(reader, &at);
            break;
        default:
            is_good = reader_scalar(reader, &at);
            break;
        }
        if (!is_good) {
            return false;
        }
    }
    return reader->expect == EXPECT_END || reader_fail(reader, RF_REASON_UNFINISHED, text.count);
}

enum rf_status rf_tree_read(struct rf_tree *tree, struct rf_str text, uint32_t depth_max, struct rf_arena *arena,
                            struct rf_malformed *malformed, struct rf_error *err)
{
    *malformed = (struct rf_malformed){.reason = RF_REASON_NONE};
    *tree = (struct rf_tree){.text = text};
    if (text.count >= UINT32_MAX) {
        RF_FAIL(err, RF_E_LIMIT, "a record of %zu bytes is longer than any reader takes", text.count);
    }
    /* Every value but the first has a comma or an opening bracket of its own before it (before its key in an object).
     */
    size_t nodes_max = 1;
    for (size_t i = 0; i < text.count; i++) {
        nodes_max += text.data[i] == ',' || text.data[i] == '[' || text.data[i] == '{' ? 1 : 0;
    }
    tree->node = rf_arena_push(arena, nodes_max, sizeof *tree->node, _Alignof(struct rf_tree_node));
    if (tree->node == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no room for the %zu values of a record", nodes_max);
    }
    struct reader reader = {
        .tree = tree, .depth_max = depth_max, .parent = RF_NONE, .expect = EXPECT_VALUE, .malformed = malformed};
    if (reader_run(&reader)) {
        assert(tree->nodes <= nodes_max);
    }
    return RF_OK;
}

struct rf_str rf_tree_text(const struct rf_tree *tree, uint32_t node)
{
    const struct rf_tree_node *n = &tree->node[node];
    return (struct rf_str){tree->text.data + n->begin, n->end - n->begin};
}

struct rf_str rf_tree_inside(const struct rf_tree *tree, uint32_t node)
{
    const struct rf_tree_node *n = &tree->node[node];
    assert(n->kind == RF_TREE_STRING);
    return (struct rf_str){tree->text.data + n->begin + 1, n->end - n->begin - 2};
}

static struct rf_str tree_key(const struct rf_tree *tree, uint32_t node)
{
    const struct rf_tree_node *n = &tree->node[node];
    return (struct rf_str){tree->text.data + n->key_begin, n->key_end - n->key_begin};
}

/* A key that holds a backslash. */
static bool key_decodes_to(struct rf_str key, struct rf_str name, struct rf_arena *arena)
{
    if (key.count < name.count || key.count / 6 > name.count) {
        return false; /* escapes make text longer, by a factor of 6 at most */
    }
    const struct rf_arena_mark mark = rf_arena_mark(arena);
    char *text = rf_arena_push(arena, key.count, 1, 1);
    size_t count = 0;
    size_t at = 0;
    const bool is_equal = text != NULL && rf_json_decode(key, text, &count, &at) == RF_JSON_OK &&
                          rf_str_equal((struct rf_str){text, count}, name);
    rf_arena_rewind(arena, mark);
    return is_equal;
}

uint32_t rf_tree_member(const struct rf_tree *tree, uint32_t node, struct rf_str name, struct rf_arena *arena)
{
    uint32_t found = RF_NONE;
    if (tree->node[node].kind == RF_TREE_OBJECT) {
        for (uint32_t i = node + 1; i < tree->node[node].next; i = tree->node[i].next) {
            const struct rf_str key = tree_key(tree, i);
            if (tree->node[i].has_key_escape ? key_decodes_to(key, name, arena) : rf_str_equal(key, name)) {
                found = i;
            }
        }
    }
    return found;
}

uint32_t rf_tree_element(const struct rf_tree *tree, uint32_t node, size_t index)
{
    if (tree->node[node].kind != RF_TREE_LIST || index >= tree->node[node].count) {
        return RF_NONE;
    }
    uint32_t i = node + 1;
    for (; index > 0; index--) {
        i = tree->node[i].next;
    }
    return i;
}

static void malformed_note(struct rf_malformed *malformed, enum rf_reason reason, size_t offset)
{
    if (malformed->reason == RF_REASON_NONE || offset < malformed->offset) {
        *malformed = (struct rf_malformed){.reason = reason, .offset = (unsigned)offset};
    }
}

/* begin: of the text between the quotes, in the record. */
static void check_string(struct rf_str inside, size_t begin, struct rf_malformed *malformed)
{
    static const enum rf_reason reason[] = {
        [RF_JSON_BAD_ESCAPE] = RF_REASON_ESCAPE,
        [RF_JSON_LONE_SURROGATE] = RF_REASON_SURROGATE,
        [RF_JSON_BAD_UTF8] = RF_REASON_UTF8,
        [RF_JSON_CONTROL] = RF_REASON_CONTROL,
    };
    size_t at = 0;
    const enum rf_json_verdict verdict = rf_json_check(inside, &at);
    if (verdict != RF_JSON_OK) {
        malformed_note(malformed, reason[verdict], begin + at);
    }
}

static void check_scalar(struct rf_str text, size_t begin, struct rf_malformed *malformed)
{
    const char first = text.data[0];
    if (first == '-' || (first >= '0' && first <= '9')) {
        struct rf_number number;
        if (rf_number_from_json(text, &number) == RF_NUMBER_BAD) {
            malformed_note(malformed, RF_REASON_NUMBER, begin);
        }
    } else if (!rf_str_equal(text, RF_STR("true")) && !rf_str_equal(text, RF_STR("false")) &&
               !rf_str_equal(text, RF_STR("null"))) {
        malformed_note(malformed, RF_REASON_LITERAL, begin);
    }
}

void rf_tree_check(const struct rf_tree *tree, uint32_t node, bool is_deep, struct rf_malformed *malformed)
{
    const uint32_t end = is_deep ? tree->node[node].next : node + 1;
    for (uint32_t i = node; i < end; i++) {
        const struct rf_tree_node *n = &tree->node[i];
        if (i != node && n->has_key) {
            check_string(tree_key(tree, i), n->key_begin, malformed);
        }
        if (n->kind == RF_TREE_STRING) {
            check_string(rf_tree_inside(tree, i), (size_t)n->begin + 1, malformed);
        } else if (n->kind == RF_TREE_SCALAR) {
            check_scalar(rf_tree_text(tree, i), n->begin, malformed);
        }
    }
}

void rf_tree_place_paths(const struct rf_tree *tree, const struct rf_program *program, uint32_t *place,
                         struct rf_arena *arena, struct rf_malformed *malformed)
{
    for (uint32_t i = 0; i < program->nodes; i++) {
        const struct rf_trie_node *path = &program->node[i];
        if (i == 0) {
            place[i] = 0;
        } else {
            assert(path->parent < i); /* a trie grows from its root */
            const uint32_t parent = place[path->parent];
            place[i] = parent == RF_NONE     ? RF_NONE
                       : path->step.is_index ? rf_tree_element(tree, parent, path->step.index)
                                             : rf_tree_member(tree, parent, path->step.key, arena);
        }
        if (place[i] != RF_NONE && path->slot != RF_NONE) {
            rf_tree_check(tree, place[i], program->slot[path->slot].is_deep, malformed);
        }
    }
}

enum rf_status rf_tree_check_paths(const struct rf_tree *tree, const struct rf_program *program, struct rf_arena *arena,
                                   struct rf_malformed *malformed, struct rf_error *err)
{
    const struct rf_arena_mark mark = rf_arena_mark(arena);
    uint32_t *place = RF_PUSH(arena, uint32_t, program->nodes);
    if (place == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no room for %u paths", program->nodes);
    }
    rf_tree_place_paths(tree, program, place, arena, malformed);
    rf_arena_rewind(arena, mark);
    return RF_OK;
}
