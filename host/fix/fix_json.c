#include "fix_json.h"

#include "base64.h"
#include "json_text.h"
#include "utf8.h"

enum rf_status rf_fix_json_open(struct rf_fix_json *json, const struct rf_fix_dict *dict, enum rf_fix_keys keys,
                                struct rf_error *err)
{
    *json = (struct rf_fix_json){0};
    RF_TRY(rf_fix_labels_open(&json->labels, dict, keys, err));
    const enum rf_status status = rf_fix_tree_open(&json->tree, dict, err);
    if (status != RF_OK) {
        rf_fix_labels_close(&json->labels);
    }
    return status;
}

void rf_fix_json_close(struct rf_fix_json *json)
{
    rf_fix_labels_close(&json->labels);
    rf_fix_tree_close(&json->tree);
}

/* ---- Values ---- */

/* A byte that a JSON string cannot hold as it is, or that is not ASCII. False hits are above true ones only. */
static inline bool word_is_special(uint64_t word)
{
    const uint64_t ones = 0x0101010101010101u;
    const uint64_t quotes = word ^ (ones * '"');
    const uint64_t slashes = word ^ (ones * '\\');
    return ((word | (word - ones * 0x20) | (quotes - ones) | (slashes - ones)) & (ones * 0x80)) != 0;
}

/* Copies the text, eight bytes at a time, the last of which overlap; true when nothing in it is special. Never reads outside
 * of the text: a message may end where its bytes do. */
static inline bool plain_copy(char *out, const char *text, size_t count)
{
    uint64_t word = 0x2020202020202020u;
    if (count >= sizeof word) {
        bool is_special = false;
        for (size_t at = 0; at + sizeof word <= count; at += sizeof word) {
            memcpy(&word, text + at, sizeof word);
            memcpy(out + at, &word, sizeof word);
            is_special |= word_is_special(word);
        }
        memcpy(&word, text + count - sizeof word, sizeof word);
        memcpy(out + count - sizeof word, &word, sizeof word);
        return !(is_special | word_is_special(word));
    }
    if (count >= 4) {
        uint32_t low;
        uint32_t high;
        memcpy(&low, text, sizeof low);
        memcpy(&high, text + count - sizeof high, sizeof high);
        memcpy(out, &low, sizeof low);
        memcpy(out + count - sizeof high, &high, sizeof high);
        return !word_is_special((uint64_t)high << 32 | low);
    }
    for (size_t i = 0; i < count; i++) {
        out[i] = text[i];
        word = word << 8 | (unsigned char)text[i];
    }
    return !word_is_special(word);
}

static inline bool is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

/* A number of FIX that JSON writes just so: no exponent, no zero before other digits, digits around a point. */
static bool text_is_number(const char *text, size_t count)
{
    size_t at = count != 0 && text[0] == '-';
    if (at == count || !is_digit(text[at]) || (text[at] == '0' && at + 1 < count && text[at + 1] != '.')) {
        return false;
    }
    while (at < count && is_digit(text[at])) {
        at++;
    }
    if (at == count) {
        return true;
    }
    if (text[at++] != '.' || at == count) {
        return false;
    }
    while (at < count && is_digit(text[at])) {
        at++;
    }
    return at == count;
}

/* Behind a label; out has room for the text and two quotes. */
static enum rf_status value_write(struct rf_text *out, struct rf_str text, unsigned kind, struct rf_error *err)
{
    char *at = out->data + out->count;
    if (kind == RF_FIX_JSON_NUMBER && text_is_number(text.data, text.count)) {
        (void)plain_copy(at, text.data, text.count);
        out->count += text.count;
        return RF_OK;
    }
    if (kind == RF_FIX_JSON_BOOL && text.count == 1 && (text.data[0] == 'Y' || text.data[0] == 'N')) {
        return rf_text_append(out, text.data[0] == 'Y' ? RF_STR("true") : RF_STR("false"), err);
    }
    *at = '"';
    if (plain_copy(at + 1, text.data, text.count)) {
        at[text.count + 1] = '"';
        out->count += text.count + 2;
        return RF_OK;
    }
    if (rf_utf8_is_valid(text)) {
        return rf_json_quote(out, text, err);
    }
    RF_TRY(rf_text_append(out, RF_STR("{\"base64\":\""), err));
    RF_TRY(rf_base64_append(out, text, err));
    return rf_text_append(out, RF_STR("\"}"), err);
}

/* ---- Members ---- */

struct run {
    struct rf_fix_json *json;
    const struct rf_fix_view *view;
    struct rf_text *out;
    struct rf_error *err;
};

static inline enum rf_status room_make(struct rf_text *out, size_t more, struct rf_error *err)
{
    return more <= out->capacity - out->count ? RF_OK : rf_text_reserve(out, more, err);
}

/* The label of field i; there is room for `more` behind it. */
static inline enum rf_status label_write(const struct run *run, uint32_t i, size_t more)
{
    struct rf_text *out = run->out;
    const uint16_t field = run->json->tree.field[i];
    if (field == RF_FIX_NONE) {
        RF_TRY(rf_text_append(out, RF_STR(",\""), run->err));
        RF_TRY(rf_text_append_number(out, run->view->tag[i], run->err));
        RF_TRY(rf_text_append(out, RF_STR("\":"), run->err));
        return room_make(out, more, run->err);
    }
    const struct rf_fix_label *label = &run->json->labels.field[field];
    const char *text = run->json->labels.pool.data + label->begin;
    RF_TRY(room_make(out, label->count + RF_FIX_LABEL_COPY + more, run->err));
    if (label->count <= RF_FIX_LABEL_COPY) {
        memcpy(out->data + out->count, text, RF_FIX_LABEL_COPY);
    } else {
        memcpy(out->data + out->count, text, label->count);
    }
    out->count += label->count;
    return RF_OK;
}

static inline unsigned kind_of(const struct run *run, uint32_t i)
{
    const uint16_t field = run->json->tree.field[i];
    return field == RF_FIX_NONE ? RF_FIX_JSON_TEXT : run->json->labels.field[field].kind;
}

/* A field that stands alone. */
static inline enum rf_status field_write(const struct run *run, uint32_t i)
{
    const struct rf_str text = rf_fix_view_text(run->view, i);
    RF_TRY(label_write(run, i, text.count + 2));
    return value_write(run->out, text, kind_of(run, i), run->err);
}

static enum rf_status repeats_write(const struct run *run, uint32_t first)
{
    RF_TRY(label_write(run, first, 1));
    for (uint32_t i = first;; i = run->json->tree.next[i]) {
        const struct rf_str text = rf_fix_view_text(run->view, i);
        RF_TRY(rf_text_append_char(run->out, i == first ? '[' : ',', run->err));
        RF_TRY(room_make(run->out, text.count + 2, run->err));
        RF_TRY(value_write(run->out, text, kind_of(run, i), run->err));
        if (run->json->tree.next[i] == 0) {
            break;
        }
    }
    return rf_text_append_char(run->out, ']', run->err);
}

static enum rf_status members_write(const struct run *run, uint32_t begin, uint32_t end);

/* An object of the fields in [begin, end). */
static enum rf_status object_write(const struct run *run, uint32_t begin, uint32_t end)
{
    struct rf_text *out = run->out;
    const size_t at = out->count;
    RF_TRY(members_write(run, begin, end));
    if (out->count == at) {
        return rf_text_append(out, RF_STR("{}"), run->err);
    }
    out->data[at] = '{'; /* in place of the first label's comma */
    return rf_text_append_char(out, '}', run->err);
}

/* The entries that follow field i. */
static enum rf_status entries_write(const struct run *run, uint32_t i, bool *has_entries)
{
    const struct rf_fix_tree *tree = &run->json->tree;
    const uint32_t end = rf_fix_tree_list_end(tree, run->view->fields, i);
    const unsigned first = (tree->mark[i] & RF_FIX_TREE_LEVEL) + 1u;
    for (uint32_t begin = i + 1; begin < end;) {
        uint32_t next = begin + 1;
        while (next < end &&
               !((tree->mark[next] & RF_FIX_TREE_FIRST) != 0 && (tree->mark[next] & RF_FIX_TREE_LEVEL) == first)) {
            next++;
        }
        if (*has_entries) {
            RF_TRY(rf_text_append_char(run->out, ',', run->err));
        }
        *has_entries = true;
        RF_TRY(object_write(run, begin, next));
        begin = next;
    }
    return RF_OK;
}

/* The list behind a count, and behind those of the same tag that come later in the same place. */
static enum rf_status list_write(const struct run *run, uint32_t first)
{
    const struct rf_fix_tree *tree = &run->json->tree;
    uint32_t i = first;
    while (tree->list[i] == RF_FIX_NONE && tree->next[i] != 0) {
        i = tree->next[i];
    }
    if (tree->list[i] == RF_FIX_NONE) {
        return RF_OK;
    }
    const struct rf_fix_label *label = &run->json->labels.list[tree->list[i]];
    RF_TRY(
        rf_text_append(run->out, (struct rf_str){run->json->labels.pool.data + label->begin, label->count}, run->err));
    RF_TRY(rf_text_append_char(run->out, '[', run->err));
    bool has_entries = false;
    for (;; i = tree->next[i]) {
        RF_TRY(entries_write(run, i, &has_entries));
        if (tree->next[i] == 0) {
            break;
        }
    }
    return rf_text_append_char(run->out, ']', run->err);
}

/* Each with its comma before it. Recursion is as deep as groups nest. */
static enum rf_status members_write(const struct run *run, uint32_t begin, uint32_t end)
{
    const struct rf_fix_tree *tree = &run->json->tree;
    if (!tree->has_lists && !tree->has_repeats) {
        for (uint32_t i = begin; i < end; i++) {
            RF_TRY(field_write(run, i));
        }
        return RF_OK;
    }
    for (uint32_t i = begin; i < end; i = rf_fix_tree_list_end(tree, run->view->fields, i)) {
        if ((tree->mark[i] & RF_FIX_TREE_REPEAT) != 0) {
            continue;
        }
        RF_TRY(tree->next[i] == 0 ? field_write(run, i) : repeats_write(run, i));
        RF_TRY(list_write(run, i));
    }
    return RF_OK;
}

enum rf_status rf_fix_json_write(struct rf_fix_json *json, const struct rf_fix_view *view, struct rf_text *out,
                                 struct rf_error *err)
{
    RF_TRY(rf_fix_tree_read(&json->tree, view, err));
    const struct run run = {json, view, out, err};
    return object_write(&run, 0, view->fields);
}
