/* fix_layout.h: sequences of tags, remembered.
 *
 * Purpose    A stream of FIX has few sequences of tags and repeats them all the time. When the sequence of a message is known
 *            beforehand, all that has to be found in it are its separators: the text of every tag is compared where it must
 *            stand, many at once, and the numbers, duplicates and the places of wanted tags need not be looked for. It
 *            replaces a position hint for each wanted tag, which would still have to look at all tags before it.
 * Data       A layout is known by the type of the message and the count of fields; several may share these.
 *            place[layout][slot] u32: which field is the first one with the wanted tag, or RF_FIX_NOWHERE
 *            At most RF_FIX_LAYOUTS_MAX. A full table is emptied, but not before many rows have passed, so that a stream that
 *            never repeats does not spend its time on layouts.
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
    RF_FIX_NO_LAYOUT = RF_FIX_LAYOUTS_MAX, /* a number whose places are all RF_FIX_NOWHERE */
    RF_FIX_LAYOUT_BUCKETS = 1024,
    RF_FIX_LAYOUT_FIELDS_MAX = 160,
    RF_FIX_LAYOUT_PATIENCE = 64 * 1024, /* rows between two times that the table is emptied */
    RF_FIX_LAYOUT_DIGITS_MAX = 7,       /* a tag and its `=` are compared as eight bytes */
    RF_FIX_TAG_DIGITS_MAX = 9
};
#define RF_FIX_NOWHERE 0xffffffffu

/* What is known of sixteen fields, together, so that one pointer leads through it. Behind the last field all is zero. */
enum { RF_FIX_BLOCK_FIELDS = 16, RF_FIX_LAYOUT_BLOCKS = RF_FIX_LAYOUT_FIELDS_MAX / RF_FIX_BLOCK_FIELDS };

struct rf_fix_layout_block {
    uint32_t tag[RF_FIX_BLOCK_FIELDS];
    uint32_t head[RF_FIX_BLOCK_FIELDS];      /* bytes of the tag's text with its `=` */
    uint32_t text[RF_FIX_BLOCK_FIELDS];      /* its first four bytes */
    uint32_t text_mask[RF_FIX_BLOCK_FIELDS]; /* which of them count */
    uint32_t more[RF_FIX_BLOCK_FIELDS];      /* the next four */
    uint32_t more_mask[RF_FIX_BLOCK_FIELDS];
};

struct rf_fix_layout {
    uint32_t key; /* of type and count of fields */
    uint32_t fields;
    uint32_t number;
    uint32_t next;         /* 1 + number of another one in the same bucket; 0: none */
    uint8_t flags;         /* RF_FIX_DUPLICATE */
    bool is_long;          /* some tag has more than three digits */
    const uint32_t *place; /* [slots] */
    struct rf_fix_layout_block block[RF_FIX_LAYOUT_BLOCKS];
};

struct rf_fix_layouts {
    const uint32_t *wanted; /* [slots] tags; the caller's */
    uint32_t slots;
    uint32_t used;
    uint64_t rows;    /* since the table was emptied */
    uint64_t made;    /* layouts altogether; for judging a stream */
    uint16_t *bucket; /* [RF_FIX_LAYOUT_BUCKETS] 1 + number of a layout; 0: none */
    uint32_t *head;   /* [slots] as in a layout */
    uint32_t *place;  /* [layout][slot] */
    struct rf_fix_layout *layout;
};

enum rf_status rf_fix_layouts_open(struct rf_fix_layouts *layouts, const uint32_t *wanted, uint32_t slots,
                                   struct rf_error *err);
void rf_fix_layouts_close(struct rf_fix_layouts *layouts);

/* Before `rows` rows are looked up; layouts stay where they are until the next call. */
void rf_fix_layouts_begin(struct rf_fix_layouts *layouts, uint32_t rows);

static inline uint32_t rf_fix_layout_bucket(uint32_t key)
{
    return (key * 2654435761u) >> 22;
}
static inline const struct rf_fix_layout *rf_fix_layout_first(const struct rf_fix_layouts *layouts, uint32_t key)
{
    const uint32_t number = layouts->bucket[rf_fix_layout_bucket(key)];
    return number == 0 ? NULL : &layouts->layout[number - 1];
}

/* Remembers the tags of a message, unless it has too many, very long ones, or raw data, or there is no room now. has_repeats: a
 * tag occurs twice. */
void rf_fix_layout_make(struct rf_fix_layouts *layouts, uint32_t key, const uint32_t *tag, uint32_t fields,
                        bool has_repeats);

/* The tag whose text, without the `=`, is [text, text + count); 0 when it is none. */
uint32_t rf_fix_tag_read(const uint8_t *text, size_t count);

/* Does a tag occur twice? `seen` has room for `fields` and is overwritten. Time n log n at most. */
bool rf_fix_tags_repeat(const uint32_t *tag, uint32_t fields, uint32_t *seen);

#endif
