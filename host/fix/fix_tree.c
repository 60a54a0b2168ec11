#include "fix_tree.h"

#include <stdlib.h>

#include "fix_entry.h"

enum { TAG_MSG_TYPE = 35, FIELDS_MIN = 256 };

enum rf_status rf_fix_tree_open(struct rf_fix_tree *tree, const struct rf_fix_dict *dict, struct rf_error *err)
{
    *tree = (struct rf_fix_tree){.dict = dict};
    tree->seen = calloc((size_t)dict->fields + 1, sizeof *tree->seen);
    if (tree->seen == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for the %u fields of the dictionary", dict->fields);
    }
    return RF_OK;
}

static void fields_free(struct rf_fix_tree *tree)
{
    free(tree->field);
    free(tree->list);
    free(tree->mark);
    free(tree->next);
    tree->field = tree->list = NULL;
    tree->mark = NULL;
    tree->next = NULL;
    tree->fields_max = 0;
}

static void repeats_free(struct rf_fix_tree *tree)
{
    free(tree->undo);
    free(tree->unknown);
    tree->undo = tree->unknown = NULL;
    tree->repeats_max = 0;
}

void rf_fix_tree_close(struct rf_fix_tree *tree)
{
    fields_free(tree);
    repeats_free(tree);
    free(tree->seen);
    *tree = (struct rf_fix_tree){0};
}

static uint32_t room_for(uint32_t fields)
{
    uint32_t room = FIELDS_MIN;
    while (room < fields) { /* a message has less than 2^31 bytes, and a field takes two */
        room *= 2;
    }
    return room;
}

static enum rf_status fields_reserve(struct rf_fix_tree *tree, uint32_t fields, struct rf_error *err)
{
    if (fields <= tree->fields_max) {
        return RF_OK;
    }
    fields_free(tree);
    const size_t room = room_for(fields);
    tree->field = malloc(room * sizeof *tree->field);
    tree->list = malloc(room * sizeof *tree->list);
    tree->mark = malloc(room * sizeof *tree->mark);
    tree->next = malloc(room * sizeof *tree->next);
    if (tree->field == NULL || tree->list == NULL || tree->mark == NULL || tree->next == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for the %u fields of a message", fields);
    }
    tree->fields_max = (uint32_t)room;
    return RF_OK;
}

static enum rf_status repeats_reserve(struct rf_fix_tree *tree, uint32_t fields, struct rf_error *err)
{
    if (fields <= tree->repeats_max) {
        return RF_OK;
    }
    repeats_free(tree);
    const size_t room = room_for(fields);
    tree->undo = malloc(room * sizeof *tree->undo);
    tree->unknown = malloc(room * sizeof *tree->unknown);
    if (tree->undo == NULL || tree->unknown == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for the %u fields of a message", fields);
    }
    tree->repeats_max = (uint32_t)room;
    return RF_OK;
}

const struct rf_fix_message *rf_fix_tree_message(struct rf_fix_tree *tree, const struct rf_fix_view *view)
{
    for (uint32_t i = 0; i < view->fields; i++) {
        if (view->tag[i] != TAG_MSG_TYPE) {
            continue;
        }
        const struct rf_str type = rf_fix_view_text(view, i);
        if (tree->message == NULL || !rf_str_equal(rf_fix_text(tree->dict, tree->message->type), type)) {
            tree->message = rf_fix_message_of_type(tree->dict, type);
        }
        return tree->message;
    }
    return NULL;
}

/* ---- Groups ---- */

static void marks_clear(struct rf_fix_tree *tree, uint32_t fields)
{
    memset(tree->mark, 0, fields * sizeof *tree->mark);
    memset(tree->list, 0xff, fields * sizeof *tree->list); /* RF_FIX_NONE */
    memset(tree->next, 0, fields * sizeof *tree->next);
}

static void lists_mark(struct rf_fix_tree *tree, const struct rf_fix_view *view)
{
    struct rf_fix_groups groups = {.dict = tree->dict,
                                   .view = view,
                                   .message = rf_fix_tree_message(tree, view),
                                   .field = tree->field,
                                   .mark = tree->mark,
                                   .list = tree->list};
    rf_fix_groups_walk(&groups);
    tree->has_lists = groups.lists != 0;
    tree->has_faults = groups.foreign + groups.miscounts != 0;
}

/* ---- Repeats ---- */

static void repeat_link(struct rf_fix_tree *tree, uint32_t first, uint32_t second)
{
    tree->next[first] = second;
    tree->mark[second] |= RF_FIX_TREE_REPEAT;
    tree->has_repeats = true;
}

/* Order of the heap below: swaps the key at `at` down to where it belongs. */
static void heap_sink(uint64_t *key, uint32_t at, uint32_t count)
{
    for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
        child += child + 1 < count && key[child + 1] > key[child];
        if (key[at] >= key[child]) {
            return;
        }
        const uint64_t swapped = key[at];
        key[at] = key[child];
        key[child] = swapped;
    }
}

/* A heap, since it takes neither memory nor quadratic time. */
static void keys_sort(uint64_t *key, uint32_t count)
{
    for (uint32_t at = count / 2; at > 0; at--) {
        heap_sink(key, at - 1, count);
    }
    for (uint32_t end = count; end > 1; end--) {
        const uint64_t swapped = key[0];
        key[0] = key[end - 1];
        key[end - 1] = swapped;
        heap_sink(key, 0, end - 1);
    }
}

/* Tags that the dictionary lacks are in no group: all of them are in one place. */
static void unknown_link(struct rf_fix_tree *tree, uint32_t count)
{
    keys_sort(tree->unknown, count);
    for (uint32_t k = 1; k < count; k++) {
        if (tree->unknown[k] >> 32 == tree->unknown[k - 1] >> 32) {
            repeat_link(tree, (uint32_t)tree->unknown[k - 1], (uint32_t)tree->unknown[k]);
        }
    }
}

/* Takes back what was seen, down to `kept` notes. */
static uint32_t seen_undo(struct rf_fix_tree *tree, uint32_t undos, uint32_t kept)
{
    while (undos > kept) {
        const uint64_t note = tree->undo[--undos];
        tree->seen[note & 0xffff] = (uint32_t)(note >> 16);
    }
    return undos;
}

/* Where an entry ends, what was seen in it is forgotten, so that what is left is of the places around it, and of this
 * one: that is what begins with the place or after it. */
static void repeats_mark(struct rf_fix_tree *tree, const struct rf_fix_view *view)
{
    struct {
        uint32_t begin; /* field */
        uint32_t undos;
    } place[RF_FIX_GROUP_DEPTH_MAX + 1] = {{0, 0}};
    unsigned level = 0;
    uint32_t undos = 0;
    uint32_t unknown = 0;
    for (uint32_t i = 0; i < view->fields; i++) {
        const unsigned its_level = tree->mark[i] & RF_FIX_TREE_LEVEL;
        const bool is_first = (tree->mark[i] & RF_FIX_TREE_FIRST) != 0;
        while (level > its_level || (is_first && level == its_level)) {
            undos = seen_undo(tree, undos, place[level--].undos);
        }
        if (is_first) {
            level = its_level;
            place[level].begin = i;
            place[level].undos = undos;
        }
        const uint16_t field = tree->field[i];
        if (field == RF_FIX_NONE) {
            tree->unknown[unknown++] = (uint64_t)view->tag[i] << 32 | i;
            continue;
        }
        const uint32_t seen = tree->seen[field];
        if (seen > place[level].begin) {
            repeat_link(tree, seen - 1, i);
        }
        tree->undo[undos++] = (uint64_t)seen << 16 | field;
        tree->seen[field] = i + 1;
    }
    (void)seen_undo(tree, undos, 0);
    unknown_link(tree, unknown);
}

enum rf_status rf_fix_tree_read(struct rf_fix_tree *tree, const struct rf_fix_view *view, struct rf_error *err)
{
    const struct rf_fix_dict *dict = tree->dict;
    bool has_counts = false;
    RF_TRY(fields_reserve(tree, view->fields, err));
    for (uint32_t i = 0; i < view->fields; i++) {
        const struct rf_fix_field *field = rf_fix_field_of_tag(dict, view->tag[i]);
        tree->field[i] = field == NULL ? (uint16_t)RF_FIX_NONE : (uint16_t)(field - dict->field);
        has_counts |= field != NULL && field->group != RF_FIX_NONE;
    }
    tree->has_lists = tree->has_repeats = tree->has_faults = false;
    const bool may_repeat = (view->flags & RF_FIX_DUPLICATE) != 0;
    if (!has_counts && !may_repeat) {
        return RF_OK;
    }
    marks_clear(tree, view->fields);
    if (has_counts) {
        lists_mark(tree, view);
    }
    if (may_repeat) {
        RF_TRY(repeats_reserve(tree, view->fields, err));
        repeats_mark(tree, view);
    }
    return RF_OK;
}
