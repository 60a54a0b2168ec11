#include "needles.h"

#include <stdlib.h>

enum {
    WIDTH_MIN = RF_NEEDLE_BYTES_MIN,
    WIDTH_MAX = RF_NEEDLE_MARK_BYTES,
    WIDTHS = RF_NEEDLE_WIDTHS,
    GROUPS_EACH = 8,
    ONE_HALF_MAX = 64,  /* marks for which 8 groups do */
    PLACES_MAX = 32,    /* of a literal where its mark may be */
    SEEN_BITS_MIN = 10, /* a kibibyte */
    SEEN_BITS_MAX = 18,
    SEEN_BITS_MORE = 6, /* one byte in 64 is set */
    CHUNK_BYTES = 4096  /* filtered at a time */
};

struct needle_entry {
    struct rf_str text;
    uint64_t head; /* its first 8 bytes, and the mask of those that it has */
    uint64_t head_mask;
    uint32_t test;
    uint32_t place; /* of the mark in the text */
    bool is_at_end;
};

struct needle_cell { /* a mark */
    uint32_t mark;
    uint32_t first; /* of entry[] */
    uint32_t count; /* 0: free */
};

struct needle_marks { /* of one width: open addressing, at most half full */
    struct needle_cell *cell;
    uint32_t shift; /* of a hash */
    uint32_t mask;
};

struct rf_needles {
    struct rf_needle_filter filter;
    struct needle_marks width[WIDTHS];
    struct needle_entry *entry;
};

/* What is needed while a set is made. */
struct needle_draft {
    const struct rf_needle *needle;
    uint32_t mark;
    uint32_t width; /* 0 .. WIDTHS - 1 */
    uint32_t place;
};

static uint32_t mark_of(const char *at, uint32_t bytes)
{
    uint32_t mark = 0;
    memcpy(&mark, at, bytes);
    return mark;
}

static uint32_t width_mask(uint32_t width)
{
    return width + WIDTH_MIN == WIDTH_MAX ? ~0u : (1u << 8 * (width + WIDTH_MIN)) - 1;
}

static struct needle_cell *cell_find(const struct needle_marks *marks, uint32_t mark)
{
    uint32_t at = rf_needle_hash(mark) >> marks->shift;
    while (marks->cell[at].count != 0 && marks->cell[at].mark != mark) {
        at = (at + 1) & marks->mask;
    }
    return &marks->cell[at];
}

static uint32_t text_width(struct rf_str text)
{
    return (text.count < WIDTH_MAX ? (uint32_t)text.count : WIDTH_MAX) - WIDTH_MIN;
}

/* Places of a text where its mark may be, counted from the last one. */
static uint32_t text_places(struct rf_str text)
{
    const uint32_t places = (uint32_t)text.count - (text_width(text) + WIDTH_MIN) + 1;
    return places < PLACES_MAX ? places : PLACES_MAX;
}

static uint32_t text_mark(struct rf_str text, uint32_t place)
{
    const uint32_t bytes = text_width(text) + WIDTH_MIN;
    return mark_of(text.data + text.count - bytes - place, bytes);
}

static void marks_count(struct needle_marks *marks, struct rf_str text)
{
    for (uint32_t i = 0; i < text_places(text); i++) {
        const uint32_t mark = text_mark(text, i);
        struct needle_cell *cell = cell_find(&marks[text_width(text)], mark);
        cell->mark = mark;
        cell->count++;
    }
}

/* The place whose mark stands in the fewest literals: what many are made of is in many texts too. Of equal ones that which
 * the fewest have taken. */
static bool place_choose(const struct needle_marks *known, struct needle_marks *taken, struct needle_draft *draft)
{
    const struct rf_str text = draft->needle->text;
    struct needle_cell *best = NULL;
    uint32_t least = 0;
    draft->width = text_width(text);
    for (uint32_t i = 0; i < text_places(text); i++) {
        const uint32_t mark = text_mark(text, i);
        const uint32_t count = cell_find(&known[draft->width], mark)->count;
        struct needle_cell *cell = cell_find(&taken[draft->width], mark);
        const bool is_full = cell->count == RF_NEEDLES_ALIKE_MAX;
        if (!is_full && (best == NULL || count < least || (count == least && cell->count < best->count))) {
            best = cell;
            least = count;
            draft->mark = mark;
            draft->place = (uint32_t)text.count - (draft->width + WIDTH_MIN) - i;
        }
    }
    if (best == NULL) {
        return false;
    }
    best->mark = draft->mark;
    best->count++;
    return true;
}

/* By the bytes of their marks, the first one first. */
static int draft_compare(const void *left, const void *right)
{
    const struct needle_draft *a = left;
    const struct needle_draft *b = right;
    const uint32_t x = __builtin_bswap32(a->mark);
    const uint32_t y = __builtin_bswap32(b->mark);
    if (x != y) {
        return x < y ? -1 : 1;
    }
    if (a->width != b->width) {
        return a->width < b->width ? -1 : 1;
    }
    return (a->needle > b->needle) - (a->needle < b->needle);
}

static uint32_t bits_for(uint32_t count, uint32_t least, uint32_t most)
{
    uint32_t bits = least;
    while (bits < most && (1u << bits) < count) {
        bits++;
    }
    return bits;
}

static bool marks_open(struct needle_marks *marks, uint32_t count, struct rf_arena *arena)
{
    enum { BITS_MIN = 4, BITS_MAX = 30 };
    const uint32_t bits = bits_for(2 * count, BITS_MIN, BITS_MAX);
    marks->shift = 32 - bits;
    marks->mask = (1u << bits) - 1;
    marks->cell = rf_arena_push_zero(arena, (size_t)1 << bits, sizeof *marks->cell, _Alignof(struct needle_cell));
    return marks->cell != NULL;
}

static bool seen_fill(struct rf_needle_hashes *hashes, const struct needle_marks *marks, struct rf_arena *arena)
{
    const uint32_t bits = bits_for(hashes->marks << SEEN_BITS_MORE, SEEN_BITS_MIN, SEEN_BITS_MAX);
    uint8_t *seen = rf_arena_push_zero(arena, (size_t)1 << bits, 1, 64);
    hashes->shift = 32 - bits;
    hashes->seen = seen;
    for (uint32_t i = 0; seen != NULL && i <= marks->mask; i++) {
        if (marks->cell[i].count != 0) {
            seen[rf_needle_hash(marks->cell[i].mark) >> hashes->shift] = 1;
        }
    }
    return seen != NULL;
}

/* Number `group` of the groups may begin with the mark. */
static void filter_add(struct rf_needle_filter *filter, uint32_t group, uint32_t mark, uint32_t bytes)
{
    const uint8_t bit = (uint8_t)(1u << group % GROUPS_EACH);
    for (uint32_t k = 0; k < WIDTH_MAX; k++) {
        uint8_t *of = filter->of[group / GROUPS_EACH][k];
        for (uint32_t b = 0; k >= bytes && b < 128; b++) {
            of[b] |= bit;
        }
        if (k < bytes) {
            of[(mark >> 8 * k) & 0x7f] |= bit;
        }
    }
}

/* drafts are in order. */
static void set_fill(struct rf_needles *needles, const struct needle_draft *draft, uint32_t drafts)
{
    needles->filter.halves = drafts > ONE_HALF_MAX ? 2 : 1;
    const uint32_t groups = needles->filter.halves * GROUPS_EACH;
    for (uint32_t i = 0; i < drafts; i++) {
        const uint32_t w = draft[i].width;
        struct needle_cell *cell = cell_find(&needles->width[w], draft[i].mark);
        const struct rf_str text = draft[i].needle->text;
        const size_t head_bytes = text.count < sizeof(uint64_t) ? text.count : sizeof(uint64_t);
        uint64_t head = 0;
        memcpy(&head, text.data, head_bytes);
        needles->entry[i] = (struct needle_entry){.text = text,
                                                  .head = head,
                                                  .head_mask = ~0ull >> (64 - 8 * head_bytes),
                                                  .test = draft[i].needle->test,
                                                  .place = draft[i].place,
                                                  .is_at_end = draft[i].needle->is_at_end};
        if (i == 0 || draft[i - 1].mark != draft[i].mark || draft[i - 1].width != w) {
            cell->first = i;
            needles->filter.width[w].marks++;
            filter_add(&needles->filter, (uint32_t)((uint64_t)i * groups / drafts), draft[i].mark, w + WIDTH_MIN);
        }
    }
}

/* Chooses marks. Gives how many literals have one. */
static uint32_t drafts_make(struct rf_needles *set, const struct rf_needle *needle, uint32_t needles, bool *is_left,
                            struct needle_draft *draft, struct needle_marks *known)
{
    uint32_t drafts = 0;
    for (uint32_t i = 0; i < needles; i++) {
        marks_count(known, needle[i].text);
    }
    for (uint32_t i = 0; i < needles; i++) {
        draft[drafts].needle = &needle[i];
        is_left[i] = !place_choose(known, set->width, &draft[drafts]);
        drafts += !is_left[i];
    }
    if (drafts != 0) {
        qsort(draft, drafts, sizeof *draft, draft_compare);
    }
    return drafts;
}

static bool set_make(struct rf_needles *set, const struct rf_needle *needle, uint32_t needles, bool *is_left,
                     struct rf_arena *scratch, struct rf_arena *arena)
{
    struct needle_marks known[WIDTHS];
    uint32_t places[WIDTHS] = {0};
    uint32_t count[WIDTHS] = {0};
    struct needle_draft *draft = RF_PUSH(scratch, struct needle_draft, needles);
    bool is_complete = draft != NULL;
    for (uint32_t i = 0; i < needles; i++) {
        places[text_width(needle[i].text)] += text_places(needle[i].text);
        count[text_width(needle[i].text)]++;
    }
    for (uint32_t w = 0; is_complete && w < WIDTHS; w++) {
        set->filter.width[w].mask = width_mask(w);
        is_complete = marks_open(&known[w], places[w], scratch) && marks_open(&set->width[w], count[w], arena);
    }
    if (!is_complete) {
        return false;
    }
    const uint32_t drafts = drafts_make(set, needle, needles, is_left, draft, known);
    set->entry = RF_PUSH(arena, struct needle_entry, drafts);
    if (set->entry == NULL) {
        return false;
    }
    set_fill(set, draft, drafts);
    for (uint32_t w = 0; is_complete && w < WIDTHS; w++) {
        is_complete = seen_fill(&set->filter.width[w], &set->width[w], arena);
    }
    return is_complete;
}

enum rf_status rf_needles_make(struct rf_needles **out, const struct rf_needle *needle, uint32_t needles, bool *is_left,
                               struct rf_arena *arena, struct rf_error *err)
{
    struct rf_arena scratch;
    rf_arena_init(&scratch, SIZE_MAX / 4);
    *out = rf_arena_push_zero(arena, 1, sizeof **out, 64);
    const bool is_complete = *out != NULL && set_make(*out, needle, needles, is_left, &scratch, arena);
    rf_arena_free(&scratch);
    if (!is_complete) {
        RF_FAIL(err, RF_E_MEMORY, "no memory to search %u literals at once", needles);
    }
    return RF_OK;
}

void rf_packed_texts_add(struct rf_packed_texts *packed, struct rf_str text, uint32_t row)
{
    enum { WIDE = 16, HALF = 8 };
    const uint32_t t = packed->texts++;
    uint8_t *to = packed->bytes + packed->begin[t];
    /* A call of memcpy for each text costs more than the search in it. */
    if (text.count >= WIDE) {
        for (size_t at = 0; at + WIDE < text.count; at += WIDE) {
            memcpy(to + at, text.data + at, WIDE);
        }
        memcpy(to + text.count - WIDE, text.data + text.count - WIDE, WIDE);
    } else if (text.count >= HALF) {
        memcpy(to, text.data, HALF);
        memcpy(to + text.count - HALF, text.data + text.count - HALF, HALF);
    } else {
        for (size_t at = 0; at < text.count; at++) {
            to[at] = (uint8_t)text.data[at];
        }
    }
    packed->row[t] = (uint16_t)row;
    packed->begin[t + 1] = packed->begin[t] + (uint32_t)text.count;
}

void rf_needle_filter_scalar(const struct rf_needle_filter *filter, const uint8_t *bytes, uint32_t words, uint64_t *out)
{
    memset(out, 0, words * sizeof *out);
    for (uint32_t w = 0; w < WIDTHS; w++) {
        const struct rf_needle_hashes *hashes = &filter->width[w];
        if (hashes->marks == 0) {
            continue;
        }
        const uint8_t *seen = hashes->seen;
        const uint32_t mask = hashes->mask;
        const uint32_t shift = hashes->shift;
        for (uint32_t i = 0; i < words; i++) {
            uint64_t word = 0;
            for (uint32_t k = 0; k < 64; k++) {
                const uint32_t mark = rf_needle_load(bytes + 64 * (size_t)i + k) & mask;
                word |= (uint64_t)seen[rf_needle_hash(mark) >> shift] << k;
            }
            out[i] |= word;
        }
    }
}

static rf_needle_filter_fn *filter_of(enum rf_isa isa)
{
#if defined(__x86_64__)
    if (isa == RF_ISA_AVX512) {
        return rf_needle_filter_avx512;
    }
#endif
    (void)isa;
    return rf_needle_filter_scalar;
}

/* A text, and where its bits go. */
struct needle_target {
    struct rf_str text;
    bool is_padded; /* 8 bytes from any place in it on may be read */
    uint32_t row;
    uint64_t *bits;
    size_t stride;
};

static inline bool entry_equals(const struct needle_entry *entry, const char *at, bool is_padded)
{
    uint64_t head;
    if (!is_padded) {
        return memcmp(at, entry->text.data, entry->text.count) == 0;
    }
    memcpy(&head, at, sizeof head);
    return ((head ^ entry->head) & entry->head_mask) == 0 &&
           (entry->text.count <= sizeof head ||
            memcmp(at + sizeof head, entry->text.data + sizeof head, entry->text.count - sizeof head) == 0);
}

static inline void entry_try(const struct needle_entry *entry, const struct needle_target *target, size_t at)
{
    const struct rf_str text = target->text;
    if (entry->place > at || entry->text.count > text.count - (at - entry->place)) {
        return;
    }
    const size_t begin = at - entry->place;
    if ((!entry->is_at_end || begin + entry->text.count == text.count) &&
        entry_equals(entry, text.data + begin, target->is_padded)) {
        target->bits[entry->test * target->stride + target->row / 64] |= 1ull << target->row % 64;
    }
}

/* A mark may stand at place `at`; what lies behind the text is no part of a literal in it. */
static inline void place_try(const struct rf_needles *needles, uint32_t bytes, const struct needle_target *target,
                             size_t at)
{
    for (uint32_t w = 0; w < WIDTHS; w++) {
        if (needles->filter.width[w].marks == 0) {
            continue;
        }
        const struct needle_cell *cell = cell_find(&needles->width[w], bytes & needles->filter.width[w].mask);
        for (uint32_t i = cell->first; i < cell->first + cell->count; i++) {
            entry_try(&needles->entry[i], target, at);
        }
    }
}

/* Of the places that the filter left in 64 words at most, those whose mark is one by its hash: without a branch on that,
 * which nobody can guess. Gives how many. */
static uint32_t places_list(const struct rf_needle_filter *filter, const uint8_t *bytes, const uint64_t *left,
                            uint32_t words, uint16_t *place)
{
    uint32_t places = 0;
    for (uint32_t w = 0; w < words; w++) {
        for (uint64_t word = left[w]; word != 0; word &= word - 1) {
            const uint32_t at = 64 * w + (uint32_t)__builtin_ctzll(word);
            const uint32_t mark = rf_needle_load(bytes + at);
            uint32_t is_seen = 0;
            for (uint32_t k = 0; k < WIDTHS; k++) {
                const struct rf_needle_hashes *hashes = &filter->width[k];
                is_seen |= hashes->seen[rf_needle_hash(mark & hashes->mask) >> hashes->shift];
            }
            place[places] = (uint16_t)at;
            places += is_seen;
        }
    }
    return places;
}

/* Places of packed texts, ascending. *t: the text of the place before. */
static void places_try(const struct rf_needles *needles, const struct rf_packed_texts *packed, uint32_t first,
                       const uint16_t *place, uint32_t places, uint32_t *t, struct needle_target *target)
{
    const uint32_t count = packed->begin[packed->texts];
    for (uint32_t i = 0; i < places; i++) {
        const uint32_t at = first + place[i];
        if (at >= count) {
            return;
        }
        while (packed->begin[*t + 1] <= at) {
            ++*t;
        }
        const uint32_t begin = packed->begin[*t];
        target->text = (struct rf_str){(const char *)packed->bytes + begin, packed->begin[*t + 1] - begin};
        target->row = packed->row[*t];
        place_try(needles, rf_needle_load(packed->bytes + at), target, at - begin);
    }
}

void rf_needles_find(const struct rf_needles *needles, enum rf_isa isa, struct rf_packed_texts *packed, uint64_t *bits,
                     size_t stride)
{
    uint64_t left[CHUNK_BYTES / 64];
    uint16_t place[CHUNK_BYTES];
    struct needle_target target = {.is_padded = true, .bits = bits, .stride = stride};
    const uint32_t count = packed->begin[packed->texts];
    uint32_t t = 0;
    memset(packed->bytes + count, 0, RF_PACKED_PADDING);
    for (uint32_t first = 0; first < count; first += CHUNK_BYTES) {
        const uint32_t rest = count - first < CHUNK_BYTES ? count - first : CHUNK_BYTES;
        const uint32_t words = (rest + 63) / 64;
        filter_of(isa)(&needles->filter, packed->bytes + first, words, left);
        const uint32_t places = places_list(&needles->filter, packed->bytes + first, left, words, place);
        places_try(needles, packed, first, place, places, &t, &target);
    }
}

void rf_needles_find_in(const struct rf_needles *needles, enum rf_isa isa, struct rf_str text, uint32_t row,
                        uint64_t *bits, size_t stride)
{
    uint8_t chunk[CHUNK_BYTES + RF_PACKED_PADDING] = {0};
    uint64_t left[CHUNK_BYTES / 64];
    uint16_t place[CHUNK_BYTES];
    const struct needle_target target = {.text = text, .row = row, .bits = bits, .stride = stride};
    for (size_t first = 0; first < text.count; first += CHUNK_BYTES) {
        const size_t rest = text.count - first;
        const size_t kept = rest < CHUNK_BYTES + WIDTH_MAX ? rest : CHUNK_BYTES + WIDTH_MAX;
        const uint32_t words = (uint32_t)((rest < CHUNK_BYTES ? rest : CHUNK_BYTES) + 63) / 64;
        memcpy(chunk, text.data + first, kept);
        memset(chunk + kept, 0, 64 + WIDTH_MAX);
        filter_of(isa)(&needles->filter, chunk, words, left);
        const uint32_t places = places_list(&needles->filter, chunk, left, words, place);
        for (uint32_t i = 0; i < places && first + place[i] < text.count; i++) {
            place_try(needles, rf_needle_load(chunk + place[i]), &target, first + place[i]);
        }
    }
}
