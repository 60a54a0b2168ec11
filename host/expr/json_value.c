#include "json_value.h"

#include <assert.h>
#include <math.h>

#include "json_text.h"

static struct rf_value error_no_room(void)
{
    return rf_value_error(RF_ERROR_TOO_LARGE);
}

static struct rf_value number_value(struct rf_str text)
{
    struct rf_value value = {.type = RF_TYPE_DOUBLE, .is_message = true, .text = text};
    switch (rf_number_from_json(text, &value.exact)) {
    case RF_NUMBER_OK:
        return value;
    case RF_NUMBER_RANGE: /* rf_value_is_beyond_range knows it by the infinity beside a token */
        value.exact = (struct rf_number){.kind = RF_NUMBER_DOUBLE, .as.d = text.data[0] == '-' ? -INFINITY : INFINITY};
        return value;
    default:
        return rf_value_error("bad number");
    }
}

static struct rf_value scalar_value(struct rf_str text)
{
    if (text.data[0] == '-' || (text.data[0] >= '0' && text.data[0] <= '9')) {
        return number_value(text);
    }
    if (rf_str_equal(text, RF_STR("true"))) {
        return rf_value_bool(true);
    }
    if (rf_str_equal(text, RF_STR("false"))) {
        return rf_value_bool(false);
    }
    if (rf_str_equal(text, RF_STR("null"))) {
        return rf_value_null();
    }
    return rf_value_error("bad literal");
}

static struct rf_value string_value(struct rf_str inside, struct rf_arena *arena)
{
    size_t at = 0;
    if (inside.count == 0 || memchr(inside.data, '\\', inside.count) == NULL) {
        return rf_json_check(inside, &at) == RF_JSON_OK ? rf_value_string(inside) : rf_value_error("bad string");
    }
    char *text = rf_arena_push(arena, inside.count, 1, 1);
    if (text == NULL) {
        return error_no_room();
    }
    size_t count = 0;
    if (rf_json_decode(inside, text, &count, &at) != RF_JSON_OK) {
        return rf_value_error("bad string");
    }
    return rf_value_string((struct rf_str){text, count});
}

static struct rf_value plain_value(const struct rf_tree *tree, uint32_t node, struct rf_arena *arena)
{
    return tree->node[node].kind == RF_TREE_STRING ? string_value(rf_tree_inside(tree, node), arena)
                                                   : scalar_value(rf_tree_text(tree, node));
}

/* A list or object under construction: item or entry holds room for all its members. */
struct build_frame {
    uint32_t node;
    struct rf_value *item; /* or NULL: an object */
    struct rf_entry *entry;
    uint32_t filled;
};

static bool frame_open(struct build_frame *frame, const struct rf_tree *tree, uint32_t node, struct rf_arena *arena)
{
    *frame = (struct build_frame){.node = node};
    if (tree->node[node].kind == RF_TREE_LIST) {
        frame->item = RF_PUSH(arena, struct rf_value, tree->node[node].count);
        return frame->item != NULL;
    }
    frame->entry = RF_PUSH(arena, struct rf_entry, tree->node[node].count);
    return frame->entry != NULL;
}

static struct rf_value frame_close(const struct build_frame *frame, struct rf_arena *arena)
{
    if (frame->item != NULL) {
        struct rf_list *list = RF_PUSH(arena, struct rf_list, 1);
        if (list == NULL) {
            return error_no_room();
        }
        *list = (struct rf_list){.count = frame->filled, .item = frame->item};
        return (struct rf_value){.type = RF_TYPE_LIST, .list = list};
    }
    bool has_twins = false;
    const struct rf_map *map = rf_map_make(arena, frame->entry, frame->filled, RF_TWINS_LAST, &has_twins);
    return map == NULL ? error_no_room() : (struct rf_value){.type = RF_TYPE_MAP, .map = map};
}

static struct rf_str key_text(const struct rf_tree *tree, uint32_t node)
{
    const struct rf_tree_node *n = &tree->node[node];
    return (struct rf_str){tree->text.data + n->key_begin, n->key_end - n->key_begin};
}

/* Puts a finished value into its list or object; false when its key cannot be read, and *value is the error. */
static bool frame_take(struct build_frame *frame, const struct rf_tree *tree, uint32_t node, struct rf_value *value,
                       struct rf_arena *arena)
{
    if (frame->item != NULL) {
        frame->item[frame->filled++] = *value;
        return true;
    }
    const struct rf_value key = string_value(key_text(tree, node), arena);
    if (key.type != RF_TYPE_STRING) {
        *value = key;
        return false;
    }
    frame->entry[frame->filled++] = (struct rf_entry){.key = key, .value = *value};
    return true;
}

static struct rf_value container_value(const struct rf_tree *tree, uint32_t root, struct rf_arena *arena)
{
    struct build_frame stack[RF_JSON_VALUE_DEPTH_MAX];
    uint32_t depth = 0;
    uint32_t node = root; /* the next one to look at */
    for (;;) {
        uint32_t done = node; /* the node whose value is ready */
        struct rf_value value;
        const bool is_container = tree->node[node].kind == RF_TREE_LIST || tree->node[node].kind == RF_TREE_OBJECT;
        if (is_container && depth < RF_JSON_VALUE_DEPTH_MAX) {
            if (!frame_open(&stack[depth], tree, node, arena)) {
                return error_no_room();
            }
            depth++;
            node++;
            if (tree->node[done].count != 0) {
                continue;
            }
            value = frame_close(&stack[--depth], arena);
        } else {
            value = is_container ? rf_value_error(RF_ERROR_TOO_DEEP)
                                 : plain_value(tree, node, arena);
            node = tree->node[node].next;
        }
        /* A value that completes its list or object makes that one ready, and so on outwards. */
        while (depth > 0) {
            struct build_frame *frame = &stack[depth - 1];
            if (!frame_take(frame, tree, done, &value, arena)) {
                return value;
            }
            if (frame->filled != tree->node[frame->node].count) {
                break;
            }
            done = frame->node;
            value = frame_close(frame, arena);
            depth--;
        }
        if (depth == 0) {
            assert(node == tree->node[root].next);
            return value;
        }
    }
}

struct rf_value rf_json_value(const struct rf_tree *tree, uint32_t node, struct rf_arena *arena)
{
    const uint8_t kind = tree->node[node].kind;
    return kind == RF_TREE_LIST || kind == RF_TREE_OBJECT ? container_value(tree, node, arena)
                                                          : plain_value(tree, node, arena);
}

enum rf_type rf_json_type(const struct rf_tree *tree, uint32_t node)
{
    switch (tree->node[node].kind) {
    case RF_TREE_LIST:
        return RF_TYPE_LIST;
    case RF_TREE_OBJECT:
        return RF_TYPE_MAP;
    case RF_TREE_STRING:
        return RF_TYPE_STRING;
    default:
        return scalar_value(rf_tree_text(tree, node)).type;
    }
}
