/* needles.h: many literals searched in many short texts at once.
 *
 * Purpose    A literal is known by two to four of its bytes, its mark. Where none of the marks stands, no literal can: a filter
 *            over all places of all texts, which lie one behind the other, leaves few places, whose marks are looked up and
 *            whose literals are compared. Marks are chosen where literals differ: of "ACCOUNT-1" .. "ACCOUNT-9" the ends.
 * Data       rf_packed_texts: texts back to back; text t is bytes[begin[t] .. begin[t + 1]), of row row[t].
 *            Filter by hash: a place's mark, hashed, is a byte of seen[]: one table for each width of marks. Filter by bytes
 *            (where there are shuffles of bytes): marks in order are cut into 16 groups; of[g / 8][k][b] has the bit of g
 *            when byte k of one of its marks is b (of which 7 bits are looked at), so that four look-ups and three ANDs tell
 *            the groups that may begin at a place.
 * Ownership  the arena's; texts of literals are the caller's.
 * Threads    immutable once made.
 * Errors     RF_E_MEMORY.
 * Cost       about 250 bytes and a microsecond a literal to make. A place costs 0.1 to 2 ns, each left one a look-up: literals that
 *            share a mark are compared one by one, of which there are RF_NEEDLES_ALIKE_MAX.
 * Source     the filter by bytes has its idea from Hyperscan's Teddy (Wang et al., Hyperscan: A Fast Multi-pattern Regex Matcher
 *            for Modern CPUs, 2019), that by hash from Wu and Manber, A Fast Algorithm for Multi-Pattern Searching, 1994.
 */
#ifndef RF_NEEDLES_H
#define RF_NEEDLES_H

#include "arena.h"
#include "isa.h"
#include "status.h"
#include "str.h"

enum {
    RF_NEEDLE_BYTES_MIN = 2,
    RF_NEEDLE_MARK_BYTES = 4,
    RF_NEEDLE_WIDTHS = RF_NEEDLE_MARK_BYTES - RF_NEEDLE_BYTES_MIN + 1,
    RF_NEEDLES_ALIKE_MAX = 64,
    RF_PACKED_TEXTS_MAX = 1024,
    RF_PACKED_TEXT_BYTES_MAX = 1024, /* longer ones are searched where they are */
    RF_PACKED_BYTES = 32 * 1024,
    RF_PACKED_PADDING = 128 /* behind the last text, zero: filters look at 64 places at a time */
};

struct rf_packed_texts {
    uint32_t texts;
    uint32_t begin[RF_PACKED_TEXTS_MAX + 1];
    uint16_t row[RF_PACKED_TEXTS_MAX];
    uint8_t bytes[RF_PACKED_BYTES + RF_PACKED_PADDING];
};

struct rf_needle {
    struct rf_str text; /* at least RF_NEEDLE_BYTES_MIN, below 2^31 */
    uint32_t test;      /* whose bit is set where it is found */
    bool is_at_end;     /* it counts at the end of the text alone */
};

struct rf_needle_hashes { /* marks of one width */
    uint32_t marks;
    uint32_t mask;       /* of their bytes */
    uint32_t shift;      /* of a hash, to a place in seen */
    const uint8_t *seen; /* 0 or 1 */
};

struct rf_needle_filter {
    struct rf_needle_hashes width[RF_NEEDLE_WIDTHS];
    uint32_t halves; /* of the 16 groups of marks: 1 or 2 are in use */
    uint8_t of[2][RF_NEEDLE_MARK_BYTES][128];
};

struct rf_needles;

/* is_left[needles]: those that the set does not hold, because too many others have the same marks. */
enum rf_status rf_needles_make(struct rf_needles **out, const struct rf_needle *needle, uint32_t needles, bool *is_left,
                               struct rf_arena *arena, struct rf_error *err);

/* Adds a text to those packed. False when it does not fit: they must be searched first, or it is too long. */
static inline bool rf_packed_texts_can(const struct rf_packed_texts *packed, size_t count)
{
    return packed->texts < RF_PACKED_TEXTS_MAX && count <= RF_PACKED_BYTES - packed->begin[packed->texts];
}
void rf_packed_texts_add(struct rf_packed_texts *packed, struct rf_str text, uint32_t row);
static inline void rf_packed_texts_clear(struct rf_packed_texts *packed)
{
    packed->texts = 0;
    packed->begin[0] = 0;
}

/* Where a needle is found in the text of row r, bit r of the bitmap at bits + test * stride (in words) is set. */
void rf_needles_find(const struct rf_needles *needles, enum rf_isa isa, struct rf_packed_texts *packed, uint64_t *bits,
                     size_t stride);
/* The same for one text of any length. */
void rf_needles_find_in(const struct rf_needles *needles, enum rf_isa isa, struct rf_str text, uint32_t row,
                        uint64_t *bits, size_t stride);

/* The filter alone: bit i of out[words] is 0 only when no mark begins at bytes[i]; 64 words + 3 bytes are read. */
typedef void rf_needle_filter_fn(const struct rf_needle_filter *filter, const uint8_t *bytes, uint32_t words,
                                 uint64_t *out);
rf_needle_filter_fn rf_needle_filter_scalar, rf_needle_filter_avx512;

static inline uint32_t rf_needle_load(const uint8_t *at)
{
    uint32_t bytes;
    memcpy(&bytes, at, sizeof bytes);
    return bytes;
}

static inline uint32_t rf_needle_hash(uint32_t mark)
{
    return mark * 0x9e3779b1u;
}

#endif
