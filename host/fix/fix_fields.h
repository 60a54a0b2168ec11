/* fix_fields.h: the fields of one message, in plain code: the definition that every faster reader must agree with.
 *
 * Data       field i: tag, and the span of its value in the message. A field is a tag from 1 to 999999999 and `=`, up to the
 *            next separator; the value of a data field is as long as the length field just before it says. Where a field
 *            has no tag, or the length of data leads to no separator or behind the trailer, the message is malformed: reason and
 *            fault, and the fields before it.
 * Flags      of enum rf_fix_flag: RF_FIX_DUPLICATE (any tag twice, entries of groups too) and RF_FIX_EMPTY.
 * Ownership  the fields live in the arena.
 * Threads    pure, apart from the arena.
 * Errors     false: the arena is full.
 */
#ifndef RF_FIX_FIELDS_H
#define RF_FIX_FIELDS_H

#include "arena.h"
#include "fix_entry.h"
#include "fix_view.h"

struct rf_fix_span {
    uint32_t tag;
    uint32_t begin; /* of the value, in the message */
    uint32_t count;
};

struct rf_fix_fields {
    struct rf_str message;
    const struct rf_fix_span *field;
    uint32_t fields;
    uint8_t flags;
    enum rf_reason reason; /* RF_REASON_NONE: a message without fault */
    uint32_t fault;        /* offset in the message */
};

/* message: `8=` up to and including the last separator, or without it when a line end stood there. Below 4 GiB. is_cut: it has no
 * trailer (RF_REASON_FIX_CUT). */
bool rf_fix_fields_read(struct rf_str message, enum rf_fix_separator separator, bool is_cut, struct rf_arena *arena,
                        struct rf_fix_fields *out);

static inline struct rf_str rf_fix_field_text(const struct rf_fix_fields *fields, const struct rf_fix_span *field)
{
    return (struct rf_str){fields->message.data + field->begin, field->count};
}

/* The same as arrays, in the arena. False: it is full. */
bool rf_fix_fields_view(const struct rf_fix_fields *fields, struct rf_arena *arena, struct rf_fix_view *view);

/* The first field of a tag from field `from` on, or NULL. */
const struct rf_fix_span *rf_fix_fields_find(const struct rf_fix_fields *fields, uint32_t tag, uint32_t from);

#endif
