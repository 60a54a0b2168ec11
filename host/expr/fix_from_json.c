#include "fix_from_json.h"

#include <stdio.h>
#include <string.h>

#include "fix_data.h"
#include "fix_object.h"

enum {
    TAG_BEGIN_STRING = 8,
    TAG_BODY_LENGTH = 9,
    TAG_CHECK_SUM = 10,
    TAG_MSG_TYPE = 35,
    /* The message, and for each group a list and its entries; bytes are an object. */
    DEPTH_MAX = 2 + 2 * RF_FIX_GROUP_DEPTH_MAX,
    NAMES_BYTES_MAX = 64 << 20
};

static const size_t scratch_bytes_max = (size_t)64 << 30; /* texts are bounded by those who read them */

struct writing {
    struct rf_fix_reading reading;
    struct rf_fix_wire *wire;
    const struct rf_fix_message *message; /* what the dictionary knows of its type; or NULL */
    /* tail[d], d < tails: groups whose last entry was just written; their members would be taken for its fields.
     * NULL: a group that the dictionary does not know. */
    const struct rf_fix_group *tail[RF_FIX_GROUP_DEPTH_MAX + 1];
    uint32_t tails;
};

static bool entries_write(struct writing *writing, const struct rf_fix_object *object,
                          const struct rf_fix_member_node *member, const struct rf_fix_group *outer, uint32_t depth);

enum rf_status rf_fix_from_json_open(struct rf_fix_from_json *converter, const struct rf_fix_dict *dict,
                                     struct rf_error *err)
{
    memset(converter, 0, sizeof *converter);
    rf_arena_init(&converter->arena, NAMES_BYTES_MAX);
    rf_arena_init(&converter->scratch, scratch_bytes_max);
    return rf_fix_names_open(&converter->names, dict, &converter->arena, err);
}

void rf_fix_from_json_close(struct rf_fix_from_json *converter)
{
    rf_fix_wire_close(&converter->wire);
    rf_arena_free(&converter->scratch);
    rf_arena_free(&converter->arena);
}

/* ---- Fields ---- */

static bool text_put(struct writing *writing, uint32_t node, uint32_t tag, struct rf_str text, bool is_data)
{
    struct rf_fix_reading *const reading = &writing->reading;
    const char *problem = NULL;
    const enum rf_status status = rf_fix_wire_put(writing->wire, tag, text, is_data, &problem, writing->reading.err);
    if (status != RF_OK) {
        reading->status = status;
        return false;
    }
    return problem == NULL ||
           rf_fix_refuse(reading, node, "%.*s: %s", RF_STR_ARG(rf_fix_key_shown(reading, node)), problem);
}

static bool value_put(struct writing *writing, uint32_t node, uint32_t tag)
{
    struct rf_str text;
    return rf_fix_node_text(&writing->reading, node, tag, &text) && text_put(writing, node, tag, text, false);
}

/* length: the node that says it, or RF_NONE. */
static bool data_put(struct writing *writing, uint32_t node, uint32_t tag, uint32_t length)
{
    struct rf_fix_reading *const reading = &writing->reading;
    const uint32_t length_tag = rf_fix_length_tag(reading->names->dict, tag);
    struct rf_str data;
    struct rf_str text;
    char digits[24];
    if (!rf_fix_node_text(reading, node, tag, &data)) {
        return false;
    }
    text = (struct rf_str){digits, (size_t)snprintf(digits, sizeof digits, "%zu", data.count)};
    if (length != RF_NONE && !rf_fix_node_says(reading, length, length_tag, data.count, "bytes", &text)) {
        return false;
    }
    /* Only of the built-in pairs do readers know that separators may follow. */
    return text_put(writing, length == RF_NONE ? node : length, length_tag, text, false) &&
           text_put(writing, node, tag, data, rf_fix_length_of_data(tag) != 0);
}

static bool data_member_put(struct writing *writing, const struct rf_fix_object *object,
                            const struct rf_fix_member_node *member)
{
    const struct rf_tree *const tree = &writing->reading.tree;
    const uint32_t said = member->said == RF_NONE ? RF_NONE : object->member[member->said].node;
    if (member->shape == RF_FIX_SHAPE_VALUE) {
        return data_put(writing, member->node, member->tag, said);
    }
    uint32_t length = said == RF_NONE ? RF_NONE : said + 1;
    for (uint32_t i = member->node + 1; i < tree->node[member->node].next; i = tree->node[i].next) {
        if (!data_put(writing, i, member->tag, length)) {
            return false;
        }
        length = length == RF_NONE ? RF_NONE : tree->node[length].next;
    }
    return true;
}

/* Would a reader take the field for one of the entry that was written last? */
static bool tail_check(struct writing *writing, const struct rf_fix_member_node *member, uint32_t depth)
{
    struct rf_fix_reading *const reading = &writing->reading;
    const struct rf_fix_dict *const dict = reading->names->dict;
    for (uint32_t i = depth; i < writing->tails; i++) {
        const struct rf_fix_group *const group = writing->tail[i];
        if (group != NULL && rf_fix_group_member(dict, group, member->tag) != NULL) {
            return rf_fix_refuse(
                reading, member->node, "%.*s stands right behind %.*s, so that it would be a field of the last entry",
                RF_STR_ARG(rf_fix_key_shown(reading, member->node)), RF_STR_ARG(rf_fix_text(dict, group->list_name)));
        }
    }
    writing->tails = depth;
    return true;
}

static bool member_write(struct writing *writing, struct rf_fix_object *object, struct rf_fix_member_node *member,
                         const struct rf_fix_group *group, uint32_t depth)
{
    const struct rf_tree *const tree = &writing->reading.tree;
    member->is_done = true;
    if (member->shape == RF_FIX_SHAPE_NOTHING) {
        return true;
    }
    if (!tail_check(writing, member, depth)) {
        return false;
    }
    if (member->shape == RF_FIX_SHAPE_ENTRIES) {
        return entries_write(writing, object, member, group, depth);
    }
    if (rf_fix_length_tag(writing->reading.names->dict, member->tag) != 0) {
        return data_member_put(writing, object, member);
    }
    if (member->shape == RF_FIX_SHAPE_VALUE) {
        return value_put(writing, member->node, member->tag);
    }
    for (uint32_t i = member->node + 1; i < tree->node[member->node].next; i = tree->node[i].next) {
        if (!value_put(writing, i, member->tag)) {
            return false;
        }
    }
    return true;
}

/* ---- Groups ---- */

/* The group that a field counts; *out NULL when the dictionary does not know it. */
static bool group_find(struct writing *writing, const struct rf_fix_member_node *member,
                       const struct rf_fix_group *outer, const struct rf_fix_group **out)
{
    struct rf_fix_reading *const reading = &writing->reading;
    const struct rf_fix_dict *const dict = reading->names->dict;
    if (outer != NULL) {
        const struct rf_fix_member *const inner = rf_fix_group_member(dict, outer, member->tag);
        *out = inner == NULL || inner->group == RF_FIX_NONE ? NULL : &dict->group[inner->group];
    } else {
        *out = rf_fix_group_of_message(dict, writing->message, member->tag);
    }
    const struct rf_fix_field *const field = rf_fix_field_of_tag(dict, member->tag);
    return *out != NULL || field == NULL || rf_fix_field_class(field) == RF_FIX_CLASS_INT ||
           rf_fix_refuse(reading, member->node, "%.*s counts no group; a list of objects is one",
                         RF_STR_ARG(rf_fix_key_shown(reading, member->node)));
}

/* The field that an entry begins with, which readers know entries by. */
static bool first_write(struct writing *writing, struct rf_fix_object *entry, uint32_t first_tag,
                        const struct rf_fix_group *group, uint32_t depth)
{
    struct rf_fix_reading *const reading = &writing->reading;
    char digits[16];
    uint32_t begin;
    const uint32_t end = rf_fix_object_find(entry, first_tag, &begin);
    struct rf_fix_member_node *first = NULL;
    uint32_t found = 0;
    for (uint32_t i = begin; i < end; i++) {
        struct rf_fix_member_node *const member = &entry->member[entry->by_tag[i]];
        if (!member->is_done && member->shape != RF_FIX_SHAPE_NOTHING) {
            first = member;
            found++;
        }
    }
    if (found != 1 || first->shape == RF_FIX_SHAPE_VALUES) {
        return rf_fix_refuse(reading, entry->node, "%.*s: each entry has one %.*s, with which it begins",
                             RF_STR_ARG(rf_fix_key_shown(reading, entry->node)),
                             RF_STR_ARG(rf_fix_name_shown(reading, first_tag, digits)));
    }
    return member_write(writing, entry, first, group, depth);
}

static bool entry_write(struct writing *writing, struct rf_fix_object *entry, const struct rf_fix_group *group,
                        uint32_t depth)
{
    struct rf_fix_reading *const reading = &writing->reading;
    for (uint32_t i = 0; i < entry->members; i++) {
        struct rf_fix_member_node *const member = &entry->member[i];
        if ((member->tag >= TAG_BEGIN_STRING && member->tag <= TAG_CHECK_SUM) || member->tag == TAG_MSG_TYPE ||
            (group != NULL && rf_fix_group_member(reading->names->dict, group, member->tag) == NULL)) {
            return rf_fix_refuse(reading, member->node,
                                 "%.*s is no member of the group, so that it would end it; --fix-dict can add members",
                                 RF_STR_ARG(rf_fix_key_shown(reading, member->node)));
        }
        if (!member->is_done && !member_write(writing, entry, member, group, depth)) {
            return false;
        }
    }
    return true;
}

/* Of a group that the dictionary does not know the first entry says with which field entries begin. */
static uint32_t first_tag_of(const struct writing *writing, const struct rf_fix_object *entry,
                             const struct rf_fix_group *group)
{
    if (group != NULL) {
        return rf_fix_group_delimiter(writing->reading.names->dict, group);
    }
    for (uint32_t i = 0; i < entry->members; i++) {
        if (!entry->member[i].is_done && entry->member[i].shape != RF_FIX_SHAPE_NOTHING) {
            return entry->member[i].tag;
        }
    }
    return 0;
}

static bool count_put(struct writing *writing, const struct rf_fix_object *object,
                      const struct rf_fix_member_node *list)
{
    if (list->said != RF_NONE) { /* it was compared with the entries */
        return value_put(writing, object->member[list->said].node, list->tag);
    }
    char digits[16];
    const int count = snprintf(digits, sizeof digits, "%u", writing->reading.tree.node[list->node].count);
    return text_put(writing, list->node, list->tag, (struct rf_str){digits, (size_t)count}, false);
}

static bool entries_write(struct writing *writing, const struct rf_fix_object *object,
                          const struct rf_fix_member_node *member, const struct rf_fix_group *outer, uint32_t depth)
{
    struct rf_fix_reading *const reading = &writing->reading;
    const struct rf_tree *const tree = &reading->tree;
    const struct rf_fix_group *group = NULL;
    uint32_t first_tag = 0;
    if (!group_find(writing, member, outer, &group) || !count_put(writing, object, member)) {
        return false;
    }
    for (uint32_t i = member->node + 1; i < tree->node[member->node].next; i = tree->node[i].next) {
        struct rf_fix_object entry;
        if (!rf_fix_object_read(reading, i, &entry)) {
            return false;
        }
        first_tag = i == member->node + 1 ? first_tag_of(writing, &entry, group) : first_tag;
        if (entry.members == 0) {
            return rf_fix_refuse(reading, i, "%.*s: an entry without fields", RF_STR_ARG(rf_fix_key_shown(reading, i)));
        }
        if (!first_write(writing, &entry, first_tag, group, depth + 1) ||
            !entry_write(writing, &entry, group, depth + 1)) {
            return false;
        }
    }
    writing->tail[depth] = group;
    writing->tails = writing->tails > depth ? writing->tails : depth + 1;
    return true;
}

/* ---- Messages ---- */

/* The one value of a header field that the message cannot do without. */
static bool header_take(struct writing *writing, struct rf_fix_object *object, uint32_t tag, uint32_t *node,
                        struct rf_str *text)
{
    struct rf_fix_reading *const reading = &writing->reading;
    char digits[16];
    uint32_t begin;
    const uint32_t end = rf_fix_object_find(object, tag, &begin);
    if (end - begin != 1 || object->member[object->by_tag[begin]].shape != RF_FIX_SHAPE_VALUE) {
        return rf_fix_refuse(reading, object->node, "a message has one %.*s",
                             RF_STR_ARG(rf_fix_name_shown(reading, tag, digits)));
    }
    struct rf_fix_member_node *const member = &object->member[object->by_tag[begin]];
    member->is_done = true;
    *node = member->node;
    return rf_fix_node_text(reading, member->node, tag, text);
}

/* What is computed is not read. */
static void computed_skip(struct rf_fix_object *object, uint32_t tag)
{
    uint32_t begin;
    const uint32_t end = rf_fix_object_find(object, tag, &begin);
    for (uint32_t i = begin; i < end; i++) {
        object->member[object->by_tag[i]].is_done = true;
    }
}

static bool message_write(struct writing *writing, struct rf_text *out)
{
    struct rf_fix_reading *const reading = &writing->reading;
    struct rf_fix_object object;
    struct rf_str begin_string;
    struct rf_str type;
    uint32_t begin_node;
    uint32_t type_node;
    const char *problem = NULL;
    if (!rf_fix_object_read(reading, 0, &object) ||
        !header_take(writing, &object, TAG_BEGIN_STRING, &begin_node, &begin_string) ||
        !header_take(writing, &object, TAG_MSG_TYPE, &type_node, &type) ||
        !text_put(writing, type_node, TAG_MSG_TYPE, type, false)) {
        return false;
    }
    computed_skip(&object, TAG_BODY_LENGTH);
    computed_skip(&object, TAG_CHECK_SUM);
    writing->message = rf_fix_message_of_type(reading->names->dict, type);
    for (uint32_t i = 0; i < object.members; i++) {
        if (!object.member[i].is_done && !member_write(writing, &object, &object.member[i], NULL, 0)) {
            return false;
        }
    }
    const enum rf_status status = rf_fix_wire_end(writing->wire, begin_string, out, &problem, writing->reading.err);
    if (status != RF_OK) {
        reading->status = status;
        return false;
    }
    return problem == NULL || rf_fix_refuse(reading, begin_node, "%s", problem);
}

static void malformed_refuse(const struct rf_malformed *malformed, struct rf_fix_refusal *refusal)
{
    refusal->is_refused = true;
    refusal->offset = malformed->offset;
    (void)snprintf(refusal->text, sizeof refusal->text, "%s",
                   malformed->reason == RF_REASON_DEEP ? "nested deeper than groups of FIX are"
                                                       : rf_reason_text(malformed->reason));
}

enum rf_status rf_fix_from_json(struct rf_fix_from_json *converter, struct rf_str text, enum rf_fix_separator separator,
                                struct rf_text *out, struct rf_fix_refusal *refusal, struct rf_error *err)
{
    struct writing writing = {
        .reading = {.names = &converter->names, .arena = &converter->scratch, .refusal = refusal, .err = err},
        .wire = &converter->wire};
    struct rf_tree *const tree = &writing.reading.tree;
    struct rf_malformed malformed;
    refusal->is_refused = false;
    rf_arena_reset(&converter->scratch);
    RF_TRY(rf_tree_read(tree, text, DEPTH_MAX, &converter->scratch, &malformed, err));
    if (malformed.reason == RF_REASON_NONE) {
        rf_tree_check(tree, 0, true, &malformed);
    }
    if (malformed.reason != RF_REASON_NONE) {
        malformed_refuse(&malformed, refusal);
        return RF_OK;
    }
    if (tree->node[0].kind != RF_TREE_OBJECT) {
        (void)rf_fix_refuse(&writing.reading, 0, "a message is a JSON object");
        return RF_OK;
    }
    rf_fix_wire_begin(&converter->wire, separator);
    (void)message_write(&writing, out);
    return writing.reading.status;
}
