#include "fix_groups.h"

enum { TAG_MSG_TYPE = 35 };

const struct rf_fix_message *rf_fix_view_message(const struct rf_fix_dict *dict, const struct rf_fix_view *view)
{
    for (uint32_t i = 0; i < view->fields; i++) {
        if (view->tag[i] == TAG_MSG_TYPE) {
            return rf_fix_message_of_type(dict, rf_fix_view_text(view, i));
        }
    }
    return NULL;
}

/* What a reader sees is a list: it has entries, or says that it has none. */
static bool list_is_there(const struct rf_fix_view *view, uint32_t i, uint32_t end)
{
    return end > i + 1 || (view->count[i] == 1 && view->bytes[view->begin[i]] == '0');
}

/* Is the tag of no place outside of groups that the dictionary knows? Of a message that it lacks every known field may be part. */
static bool tag_is_unlisted(const struct rf_fix_groups *groups, const struct rf_fix_field *field)
{
    return field == NULL || (groups->message != NULL && field->place == RF_FIX_IN_BODY &&
                             !rf_fix_message_has(groups->dict, groups->message, field->tag));
}

/* Holds the count of a group against its entries, and looks at the field where it ended. An unlisted field ends all groups that
 * it stands in: only the outermost asks about it. */
static void group_judge(struct rf_fix_groups *groups, const struct rf_fix_group *group, uint32_t count_at,
                        uint32_t entries, uint32_t end, unsigned level)
{
    const struct rf_fix_view *view = groups->view;
    struct rf_fix_value value;
    const bool is_number = rf_fix_value(RF_FIX_TYPE_NUM_IN_GROUP, rf_fix_view_text(view, count_at), &value);
    const int64_t promised = is_number ? value.as.integer : -1;
    if (promised != (int64_t)entries) {
        groups->miscounts++;
        if (groups->mark != NULL) {
            groups->mark[count_at] |= RF_FIX_TREE_MISCOUNT;
        }
    }
    if (end == view->fields || (entries == 0 && promised == 0) || groups->counted == end + 1 ||
        rf_fix_group_member(groups->dict, group, view->tag[end]) != NULL) {
        return;
    }
    const struct rf_fix_field *field = rf_fix_field_of_tag(groups->dict, view->tag[end]);
    const bool is_trailer = field != NULL && field->place == RF_FIX_IN_TRAILER;
    if (!is_trailer && (promised > (int64_t)entries || (level == 1 && tag_is_unlisted(groups, field)))) {
        groups->foreign++;
        groups->counted = end + 1;
        if (groups->mark != NULL) {
            groups->mark[end] |= RF_FIX_TREE_FOREIGN;
        }
    }
}

/* The entries behind field count_at, and those within them. Returns where they end. */
static uint32_t entries_walk(struct rf_fix_groups *groups, const struct rf_fix_group *group, uint32_t count_at,
                             unsigned level)
{
    const struct rf_fix_dict *dict = groups->dict;
    const struct rf_fix_view *view = groups->view;
    const uint32_t delimiter = rf_fix_group_delimiter(dict, group);
    uint32_t at = count_at + 1;
    uint32_t entries = 0;
    while (at < view->fields && view->tag[at] == delimiter) {
        const uint32_t begin = at;
        while (at < view->fields && (view->tag[at] != delimiter || at == begin)) {
            const struct rf_fix_member *member = rf_fix_group_member(dict, group, view->tag[at]);
            if (member == NULL) {
                break;
            }
            const uint32_t i = at++;
            if (groups->mark != NULL) { /* what it may have is that a group within the entry before it ended there */
                groups->mark[i] |= (uint16_t)(level | (i == begin ? RF_FIX_TREE_FIRST : 0));
            }
            if (member->group != RF_FIX_NONE && level < RF_FIX_GROUP_DEPTH_MAX) {
                at = entries_walk(groups, &dict->group[member->group], i, level + 1);
                if (groups->list != NULL && list_is_there(view, i, at)) {
                    groups->list[i] = member->group;
                }
            }
        }
        if (at == begin) { /* a dictionary whose group does not list its own first field */
            break;
        }
        entries++;
    }
    group_judge(groups, group, count_at, entries, at, level);
    return at;
}

static bool counts_entries(const struct rf_fix_groups *groups, uint32_t i)
{
    if (groups->field != NULL) {
        return groups->field[i] != RF_FIX_NONE && groups->dict->field[groups->field[i]].group != RF_FIX_NONE;
    }
    const struct rf_fix_field *field = rf_fix_field_of_tag(groups->dict, groups->view->tag[i]);
    return field != NULL && field->group != RF_FIX_NONE;
}

void rf_fix_groups_walk(struct rf_fix_groups *groups)
{
    const struct rf_fix_dict *dict = groups->dict;
    const struct rf_fix_view *view = groups->view;
    groups->foreign = groups->miscounts = groups->lists = groups->counted = 0;
    for (uint32_t at = 0; at < view->fields;) {
        const uint32_t i = at++;
        const struct rf_fix_group *group =
            counts_entries(groups, i) ? rf_fix_group_of_message(dict, groups->message, view->tag[i]) : NULL;
        if (group == NULL) {
            continue;
        }
        at = entries_walk(groups, group, i, 1);
        if (list_is_there(view, i, at)) {
            groups->lists++;
            if (groups->list != NULL) {
                groups->list[i] = (uint16_t)(group - dict->group);
            }
        }
    }
}
