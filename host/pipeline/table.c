#include "table.h"

#include "interp.h"

/* ---- Copies: a value of the interpreter lives until its next row ---- */

/* A list, map or optional of the copy whose members are still those of the original. */
struct copy_frame {
    struct rf_value *item; /* or NULL: a map */
    struct rf_entry *entry;
    size_t count;
    size_t next;
};

static bool text_copy(struct rf_value *value, struct rf_arena *arena)
{
    value->text = value->text.count == 0 ? RF_STR("") : rf_arena_copy(arena, value->text);
    return value->text.data != NULL;
}

static bool list_copy(struct rf_value *value, struct rf_arena *arena, struct copy_frame *frame)
{
    const struct rf_list *from = value->list;
    struct rf_list *list = RF_PUSH(arena, struct rf_list, 1);
    frame->item = RF_PUSH(arena, struct rf_value, from->count);
    if (list == NULL || frame->item == NULL) {
        return false;
    }
    if (from->count > 0) {
        memcpy(frame->item, from->item, from->count * sizeof from->item[0]);
    }
    *list = (struct rf_list){.count = from->count, .item = frame->item};
    frame->count = from->count;
    value->list = list;
    return true;
}

static bool map_copy(struct rf_value *value, struct rf_arena *arena, struct copy_frame *frame)
{
    const struct rf_map *from = value->map;
    struct rf_map *map = RF_PUSH(arena, struct rf_map, 1);
    frame->entry = RF_PUSH(arena, struct rf_entry, from->count);
    if (map == NULL || frame->entry == NULL) {
        return false;
    }
    if (from->count > 0) {
        memcpy(frame->entry, from->entry, from->count * sizeof from->entry[0]);
    }
    *map = (struct rf_map){.count = from->count, .entry = frame->entry};
    if (from->by_key != NULL) {
        uint32_t *by_key = RF_PUSH(arena, uint32_t, from->count);
        if (by_key == NULL) {
            return false;
        }
        memcpy(by_key, from->by_key, from->count * sizeof from->by_key[0]);
        map->by_key = by_key;
    }
    frame->count = from->count;
    value->map = map;
    return true;
}

static bool inner_copy(struct rf_value *value, struct rf_arena *arena, struct copy_frame *frame)
{
    frame->item = RF_PUSH(arena, struct rf_value, 1);
    if (frame->item == NULL) {
        return false;
    }
    frame->item[0] = *value->inner;
    frame->count = 1;
    value->inner = frame->item;
    return true;
}

static bool net_copy(struct rf_value *value, struct rf_arena *arena)
{
    struct rf_cidr *net = RF_PUSH(arena, struct rf_cidr, 1);
    if (net == NULL) {
        return false;
    }
    *net = *value->net;
    value->net = net;
    return true;
}

/* Replaces what the value itself points to; *is_open when it has members to replace in their turn. */
static bool value_detach(struct rf_value *value, struct rf_arena *arena, struct copy_frame *frame, bool *is_open)
{
    *frame = (struct copy_frame){0};
    *is_open = false;
    switch (value->type) {
    case RF_TYPE_STRING:
    case RF_TYPE_BYTES:
    case RF_TYPE_TYPE:
    case RF_TYPE_ERROR:
    case RF_TYPE_DOUBLE:
        return text_copy(value, arena);
    case RF_TYPE_IP:
    case RF_TYPE_CIDR:
        return net_copy(value, arena);
    case RF_TYPE_LIST:
        *is_open = true;
        return list_copy(value, arena, frame);
    case RF_TYPE_MAP:
        *is_open = true;
        return map_copy(value, arena, frame);
    case RF_TYPE_OPTIONAL:
        *is_open = value->inner != NULL;
        return value->inner == NULL || inner_copy(value, arena, frame);
    default:
        return true;
    }
}

/* False when the arena is full, or the value is nested too deep. Time and memory are those of the value written out: a
 * value that holds another one twice is copied twice, and the arena bounds that. */
static bool value_copy(struct rf_value *value, struct rf_arena *arena)
{
    struct copy_frame stack[RF_VALUE_DEPTH_MAX];
    size_t depth = 0;
    bool is_open;
    if (!value_detach(value, arena, &stack[0], &is_open)) {
        return false;
    }
    depth += is_open ? 1 : 0;
    while (depth > 0) {
        struct copy_frame *frame = &stack[depth - 1];
        if (frame->next == frame->count) {
            depth--;
            continue;
        }
        const size_t i = frame->next++;
        struct rf_value *member = frame->item != NULL ? &frame->item[i] : &frame->entry[i].value;
        struct copy_frame unused;
        if (frame->item == NULL && !value_detach(&frame->entry[i].key, arena, &unused, &is_open)) {
            return false;
        }
        if (depth == RF_VALUE_DEPTH_MAX || !value_detach(member, arena, &stack[depth], &is_open)) {
            return false;
        }
        depth += is_open ? 1 : 0;
    }
    return true;
}

/* ---- Rows ---- */

enum rf_status rf_table_eval(const struct rf_compiled *compiled, enum rf_isa isa, const struct rf_value *binding,
                             uint32_t rows, struct rf_arena *arena, struct rf_value *out, uint64_t *host_rows,
                             struct rf_error *err)
{
    (void)isa; /* every row is the interpreter's */
    const struct rf_env *env = compiled->options.env == NULL ? &rf_env_filter : compiled->options.env;
    const size_t columns = (size_t)env->declarations + compiled->lifted_count;
    struct rf_interp *interp = NULL;
    RF_TRY(rf_interp_open(&interp, compiled, (struct rf_interp_options){0}, err));
    for (uint32_t row = 0; row < rows; row++) {
        const struct rf_record record = {.binding = binding + row * columns};
        rf_interp_bind(interp, &record);
        out[row] = rf_interp_project(interp, 0);
        const struct rf_arena_mark mark = rf_arena_mark(arena);
        if (!value_copy(&out[row], arena)) {
            rf_arena_rewind(arena, mark);
            out[row] = rf_value_error(RF_ERROR_TOO_LARGE);
        }
    }
    rf_interp_close(interp);
    *host_rows = rows;
    return RF_OK;
}
