/* Repeating groups that are counted while they are written. */
#include <string.h>

#include "fix_encode.h"
#include "fix_encode_value.h"

static size_t place_of(const struct rf_fix_encoder *encoder)
{
    return (size_t)(encoder->at - encoder->begin);
}

void rf_fix_append_group(struct rf_fix_encoder *encoder, uint64_t head)
{
    const uint32_t tag = rf_fix_head_tag(head);
    if (encoder->problem != RF_FIX_PROBLEM_NONE) {
        return;
    }
    if (encoder->depth == RF_FIX_PUT_DEPTH_MAX) {
        rf_fix_fail(encoder, RF_FIX_PROBLEM_GROUP, tag);
        return;
    }
    const size_t field_begin = place_of(encoder);
    rf_fix_append_uint(encoder, head, 0);
    if (encoder->problem == RF_FIX_PROBLEM_NONE) {
        encoder->group[encoder->depth++] = (struct rf_fix_open_group){
            .field_begin = field_begin, .digit = place_of(encoder) - 2, .entry_begin = place_of(encoder)};
    }
}

/* An entry (or, before the first, what stands in front of it) ends: an entry has a field, and nothing stands in front. */
static bool entry_is_right(const struct rf_fix_encoder *encoder, const struct rf_fix_open_group *group)
{
    return (group->entries != 0) == (place_of(encoder) != group->entry_begin);
}

void rf_fix_group_next(struct rf_fix_encoder *encoder)
{
    if (encoder->problem != RF_FIX_PROBLEM_NONE) {
        return;
    }
    if (encoder->depth == 0 || !entry_is_right(encoder, &encoder->group[encoder->depth - 1])) {
        rf_fix_fail(encoder, RF_FIX_PROBLEM_GROUP, 0);
        return;
    }
    struct rf_fix_open_group *const group = &encoder->group[encoder->depth - 1];
    group->entries++;
    group->entry_begin = place_of(encoder);
}

void rf_fix_group_shut(struct rf_fix_encoder *encoder)
{
    if (encoder->problem != RF_FIX_PROBLEM_NONE) {
        return;
    }
    if (encoder->depth == 0 || !entry_is_right(encoder, &encoder->group[encoder->depth - 1])) {
        rf_fix_fail(encoder, RF_FIX_PROBLEM_GROUP, 0);
        return;
    }
    const struct rf_fix_open_group *const group = &encoder->group[--encoder->depth];
    if (group->entries == 0) {
        encoder->at = encoder->begin + group->field_begin;
        return;
    }
    char digits[RF_FIX_DIGITS_ROOM];
    const size_t count = (size_t)(rf_fix_digits_write(digits, group->entries) - digits);
    if (count - 1 > (size_t)(encoder->limit - encoder->at)) {
        rf_fix_fail(encoder, RF_FIX_PROBLEM_ROOM, 0);
        return;
    }
    char *const at = encoder->begin + group->digit;
    if (count > 1) {
        memmove(at + count, at + 1, (size_t)(encoder->at - at - 1));
        encoder->at += count - 1;
    }
    memcpy(at, digits, count);
}
