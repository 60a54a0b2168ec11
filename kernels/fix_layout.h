/* fix_layout.h: what is known about a sequence of tags, remembered by its text.
 *
 * Purpose    A stream of FIX has few sequences of tags and repeats them all the time. The vector levels cut the text of the
 *            tags, `8=9=35=49=...10=`, out of a message in a few instructions; when that text was seen before, all that has
 *            to do with tags is known: the numbers, whether one is bad or occurs twice, and where the wanted ones are.
 *            It replaces a position hint for each wanted tag, which would still have to look at all tags before it.
 * Data       LAYOUTS_MAX of them, found by a hash of the text with open addressing; a full table is emptied, so that a stream
 *            that never repeats costs a bounded time a message.
 *            place[layout][slot] u32: which field is the first one with the wanted tag, or RF_FIX_NOWHERE
 * Ownership  rf_fix_layouts_open/close.
 * Threads    one struct for each worker.
 * Errors     rf_fix_layouts_open: RF_E_MEMORY.
 */
#ifndef RF_FIX_LAYOUT_H
#define RF_FIX_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "status.h"

enum {
    RF_FIX_LAYOUTS_MAX = 256,
    RF_FIX_LAYOUT_BUCKETS = 1024,
    RF_FIX_LAYOUT_FIELDS_MAX = 160,
    RF_FIX_LAYOUT_TEXT_MAX = 512,
    RF_FIX_NO_LAYOUT = RF_FIX_LAYOUTS_MAX, /* a number whose places are all RF_FIX_NOWHERE */
    RF_FIX_TAG_DIGITS_MAX = 9
};

#define RF_FIX_NOWHERE 0xffffffffu

struct rf_fix_layout {
    uint32_t fields;
    uint32_t text_bytes;
    uint8_t flags; /* RF_FIX_DUPLICATE */
    bool is_plain; /* all tags are good, and there is no raw data */
    uint32_t number;
    const uint32_t *place;                       /* [slots] */
    uint8_t text[RF_FIX_LAYOUT_TEXT_MAX + 64];   /* 64 readable bytes behind it */
    uint32_t tag[RF_FIX_LAYOUT_FIELDS_MAX + 16]; /* 16 readable ones behind the last */
};

struct rf_fix_layouts {
    const uint32_t *wanted; /* [slots] tags; the caller's */
    uint32_t slots;
    uint32_t used;
    uint16_t *bucket; /* [RF_FIX_LAYOUT_BUCKETS] 1 + number of a layout; 0: free */
    uint32_t *place;  /* [layout][slot] */
    struct rf_fix_layout *layout;
    uint64_t made; /* how many were made; for the tests and for judging a stream */
};

enum rf_status rf_fix_layouts_open(struct rf_fix_layouts *layouts, const uint32_t *wanted, uint32_t slots,
                                   struct rf_error *err);
void rf_fix_layouts_close(struct rf_fix_layouts *layouts);

/* Makes room for `rows` more; pointers to layouts stay good until the next call. */
void rf_fix_layouts_reserve(struct rf_fix_layouts *layouts, uint32_t rows);

/* Remembers a text that is not known yet, when there is room. NULL: it has too many fields, or too long a text. */
const struct rf_fix_layout *rf_fix_layout_make(struct rf_fix_layouts *layouts, uint32_t hash, const uint8_t *text,
                                               uint32_t text_bytes, uint32_t fields);

/* The tag whose text, without the `=`, is [text, text + count); 0 when it is none. */
uint32_t rf_fix_tag_read(const uint8_t *text, size_t count);

/* Does a tag occur twice? `seen` has room for `fields` and is overwritten. Time n log n at most. */
bool rf_fix_tags_repeat(const uint32_t *tag, uint32_t fields, uint32_t *seen);

#endif
