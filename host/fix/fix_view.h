/* fix_view.h: the fields of one message as arrays, whoever has read them.
 *
 * Data       fields i < fields: tag[i], and the value as the span [begin[i], begin[i] + count[i]) of bytes
 * Ownership  borrows all of it.
 */
#ifndef RF_FIX_VIEW_H
#define RF_FIX_VIEW_H

#include <stdint.h>

#include "str.h"

struct rf_fix_view {
    const uint8_t *bytes;
    const uint32_t *tag;
    const uint32_t *begin;
    const uint32_t *count;
    uint32_t fields;
    uint8_t flags; /* enum rf_fix_flag: without RF_FIX_DUPLICATE no tag is looked for twice */
};

static inline struct rf_str rf_fix_view_text(const struct rf_fix_view *view, uint32_t i)
{
    return (struct rf_str){(const char *)view->bytes + view->begin[i], view->count[i]};
}

#endif
