#include "fix_label.h"

#include <stdio.h>
#include <stdlib.h>

#include "json_text.h"

enum { TAG_CHECK_SUM = 10, LABEL_MAX = RF_FIX_TEXT_MAX + sizeof "(999999999)" };

/* `name(tag)`, or a part of it: name is empty, tag 0. */
static enum rf_status label_put(struct rf_fix_labels *labels, struct rf_str name, uint32_t tag,
                                struct rf_fix_label *label, struct rf_error *err)
{
    char plain[LABEL_MAX + 1];
    int count = 0;
    if (name.count == 0) {
        count = snprintf(plain, sizeof plain, "%u", tag);
    } else if (tag == 0) {
        count = snprintf(plain, sizeof plain, "%.*s", RF_STR_ARG(name));
    } else {
        count = snprintf(plain, sizeof plain, "%.*s(%u)", RF_STR_ARG(name), tag);
    }
    label->begin = (uint32_t)labels->pool.count;
    RF_TRY(rf_text_append_char(&labels->pool, ',', err));
    RF_TRY(rf_json_quote(&labels->pool, (struct rf_str){plain, (size_t)count}, err));
    RF_TRY(rf_text_append_char(&labels->pool, ':', err));
    label->count = (uint16_t)(labels->pool.count - label->begin);
    return RF_OK;
}

static enum rf_fix_json_kind kind_of(const struct rf_fix_field *field)
{
    if (field->tag == TAG_CHECK_SUM) { /* three digits, not a number, whatever the dictionary calls it */
        return RF_FIX_JSON_TEXT;
    }
    switch (rf_fix_field_class(field)) {
    case RF_FIX_CLASS_INT:
    case RF_FIX_CLASS_DOUBLE:
        return RF_FIX_JSON_NUMBER;
    case RF_FIX_CLASS_BOOL:
        return RF_FIX_JSON_BOOL;
    default:
        return RF_FIX_JSON_TEXT;
    }
}

static enum rf_status labels_put(struct rf_fix_labels *labels, const struct rf_fix_dict *dict, enum rf_fix_keys keys,
                                 struct rf_error *err)
{
    for (uint32_t f = 0; f < dict->fields; f++) {
        const struct rf_fix_field *field = &dict->field[f];
        const bool has_name = keys != RF_FIX_KEYS_TAG && rf_fix_field_owns_name(dict, field);
        const struct rf_str name = has_name ? rf_fix_field_name(dict, field) : (struct rf_str){"", 0};
        const bool has_tag = keys != RF_FIX_KEYS_NAME || !has_name;
        labels->field[f].kind = (uint8_t)kind_of(field);
        RF_TRY(label_put(labels, name, has_tag ? field->tag : 0, &labels->field[f], err));
    }
    for (uint32_t g = 0; g < dict->groups; g++) {
        const struct rf_fix_field *count = &dict->field[dict->group[g].count_field];
        const struct rf_str name = rf_fix_text(dict, dict->group[g].list_name);
        const bool is_clear =
            name.count != 0 && rf_fix_field_owns_name(dict, count) && rf_fix_field_of_name(dict, name) == NULL;
        const bool has_tag = keys != RF_FIX_KEYS_NAME || !is_clear;
        labels->list[g].kind = RF_FIX_JSON_TEXT;
        RF_TRY(label_put(labels, name.count == 0 ? RF_STR("Group") : name, has_tag ? count->tag : 0, &labels->list[g],
                         err));
    }
    return RF_OK;
}

static enum rf_status labels_make(struct rf_fix_labels *labels, const struct rf_fix_dict *dict, enum rf_fix_keys keys,
                                  struct rf_error *err)
{
    labels->field = calloc((size_t)dict->fields + 1, sizeof *labels->field);
    labels->list = calloc((size_t)dict->groups + 1, sizeof *labels->list);
    if (labels->field == NULL || labels->list == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for the names of %u fields", dict->fields);
    }
    RF_TRY(labels_put(labels, dict, keys, err));
    /* Copies of a whole width read behind the last label. */
    RF_TRY(rf_text_reserve(&labels->pool, RF_FIX_LABEL_COPY, err));
    memset(labels->pool.data + labels->pool.count, 0, RF_FIX_LABEL_COPY);
    return RF_OK;
}

enum rf_status rf_fix_labels_open(struct rf_fix_labels *labels, const struct rf_fix_dict *dict, enum rf_fix_keys keys,
                                  struct rf_error *err)
{
    *labels = (struct rf_fix_labels){0};
    const enum rf_status status = labels_make(labels, dict, keys, err);
    if (status != RF_OK) {
        rf_fix_labels_close(labels);
    }
    return status;
}

void rf_fix_labels_close(struct rf_fix_labels *labels)
{
    rf_text_free(&labels->pool);
    free(labels->field);
    free(labels->list);
    *labels = (struct rf_fix_labels){0};
}
