#include "chars.h"

#include "utf8.h"

enum { WORD_BYTES = 8 };

static const uint64_t low_bits = 0x0101010101010101u;

/* NULL has no part but itself: not even 0 may be added to it. */
static struct rf_str text_part(struct rf_str text, size_t begin, size_t end)
{
    return text.count == 0 ? text : (struct rf_str){text.data + begin, end - begin};
}

/* Continuation bytes among the eight of a word: bit 7 is set, bit 6 is not. */
static uint64_t word_continuations(uint64_t word)
{
    return (((word >> 7) & (~word >> 6) & low_bits) * low_bits) >> 56;
}

/* Byte offset of a code point; the length has the offset text.count. False when the index is out of range. */
static bool chars_offset(struct rf_str text, int64_t index, size_t *offset)
{
    size_t at = 0;
    if (index < 0 || (uint64_t)index > text.count) {
        return false;
    }
    uint64_t left = (uint64_t)index;
    while (text.count - at >= WORD_BYTES) {
        uint64_t word;
        memcpy(&word, text.data + at, sizeof word);
        const uint64_t leads = WORD_BYTES - word_continuations(word);
        if (leads > left) {
            break;
        }
        left -= leads;
        at += WORD_BYTES;
    }
    for (; at < text.count; at++) {
        if (((unsigned char)text.data[at] & 0xC0) != 0x80 && left-- == 0) {
            *offset = at;
            return true;
        }
    }
    *offset = at;
    return left == 0;
}

bool rf_chars_at(struct rf_str text, int64_t index, struct rf_str *out)
{
    size_t at;
    if (!chars_offset(text, index, &at)) {
        return false;
    }
    *out = text_part(text, at, at == text.count ? at : at + rf_chars_step(text, at));
    return true;
}

bool rf_chars_slice(struct rf_str text, int64_t begin, int64_t end, struct rf_str *out)
{
    size_t begin_at;
    size_t end_at;
    if (begin > end || !chars_offset(text, begin, &begin_at)) {
        return false;
    }
    const struct rf_str tail = text_part(text, begin_at, text.count);
    if (!chars_offset(tail, end - begin, &end_at)) {
        return false;
    }
    *out = text_part(tail, 0, end_at);
    return true;
}

bool rf_chars_find(struct rf_str text, struct rf_str part, int64_t from, int64_t *out)
{
    size_t from_at;
    size_t at;
    if (!chars_offset(text, from, &from_at)) {
        return false;
    }
    const struct rf_str tail = text_part(text, from_at, text.count);
    *out = -1;
    if (rf_str_find(tail, part, &at)) {
        *out = from + (int64_t)rf_utf8_length(text_part(tail, 0, at));
    }
    return true;
}

/* The search from behind is the two-way search on both strings read backwards: byte i of a reversed string is byte
 * count - 1 - i. glibc has memmem but no memrmem; asking memmem again behind each place would be quadratic. */
static unsigned char byte_from_end(struct rf_str text, size_t i)
{
    return (unsigned char)text.data[text.count - 1 - i];
}

/* Where the largest suffix of the reversed part begins, in byte order or in its opposite, and its period. */
static size_t part_largest_suffix(struct rf_str part, bool is_opposite, size_t *period)
{
    size_t best = 0;      /* begin of the largest suffix so far */
    size_t candidate = 1; /* begin of the one that is compared with it */
    size_t same = 0;      /* bytes in which they agree */
    *period = 1;
    while (candidate + same < part.count) {
        const unsigned char a = byte_from_end(part, candidate + same);
        const unsigned char b = byte_from_end(part, best + same);
        if (a == b) {
            same++;
            if (same == *period) {
                candidate += *period;
                same = 0;
            }
        } else if ((a < b) != is_opposite) {
            candidate += same + 1;
            same = 0;
            *period = candidate - best;
        } else {
            best = candidate;
            candidate++;
            same = 0;
            *period = 1;
        }
    }
    return best;
}

/* The last place of part, which has two bytes or more and is not longer than text. */
static bool text_find_last(struct rf_str text, struct rf_str part, size_t *at)
{
    size_t period;
    size_t opposite_period;
    size_t cut = part_largest_suffix(part, false, &period);
    const size_t opposite_cut = part_largest_suffix(part, true, &opposite_period);
    if (opposite_cut > cut) {
        cut = opposite_cut;
        period = opposite_period;
    }
    /* When the piece before the cut recurs one period on, the whole part has that period, and what a full match has
     * shown need not be compared again. Otherwise the period is longer than either piece. */
    const bool is_periodic = memcmp(part.data + (part.count - cut), part.data + (part.count - period - cut), cut) == 0;
    if (!is_periodic) {
        period = (cut > part.count - cut ? cut : part.count - cut) + 1;
    }
    size_t shift = 0; /* from the end of text */
    size_t known = 0; /* bytes of the reversed part that are known to agree */
    while (shift <= text.count - part.count) {
        size_t i = cut > known ? cut : known;
        while (i < part.count && byte_from_end(part, i) == byte_from_end(text, shift + i)) {
            i++;
        }
        if (i < part.count) {
            shift += i - cut + 1;
            known = 0;
            continue;
        }
        i = cut;
        while (i > known && byte_from_end(part, i - 1) == byte_from_end(text, shift + i - 1)) {
            i--;
        }
        if (i <= known) {
            *at = text.count - part.count - shift;
            return true;
        }
        shift += period;
        known = is_periodic ? part.count - period : 0;
    }
    return false;
}

/* Index of the last place of part, which is not empty, in text. */
static int64_t chars_find_last(struct rf_str text, struct rf_str part)
{
    size_t at;
    if (part.count > text.count) {
        return -1;
    }
    if (part.count == 1) {
        const char *const found = memrchr(text.data, part.data[0], text.count);
        if (found == NULL) {
            return -1;
        }
        at = (size_t)(found - text.data);
    } else if (!text_find_last(text, part, &at)) {
        return -1;
    }
    return (int64_t)rf_utf8_length(text_part(text, 0, at));
}

bool rf_chars_find_last(struct rf_str text, struct rf_str part, int64_t from, int64_t *out)
{
    size_t from_at;
    if (!chars_offset(text, from, &from_at)) {
        return false;
    }
    if (part.count == 0) {
        *out = from;
        return true;
    }
    /* What begins at or before from_at ends part.count bytes later at most. */
    const size_t end = part.count < text.count - from_at ? from_at + part.count : text.count;
    *out = chars_find_last(text_part(text, 0, end), part);
    return true;
}

int64_t rf_chars_find_last_any(struct rf_str text, struct rf_str part)
{
    return part.count == 0 ? (int64_t)rf_utf8_length(text) : chars_find_last(text, part);
}

/* Bytes of the white space that text begins with, 0 when it does not. The code points are U+0009..000D, 0020, 0085,
 * 00A0, 1680, 2000..200A, 2028, 2029, 202F, 205F and 3000. */
static size_t space_bytes(const unsigned char *text, size_t count)
{
    if (count >= 1 && text[0] < 0x80) {
        return text[0] == ' ' || (text[0] >= '\t' && text[0] <= '\r') ? 1 : 0;
    }
    if (count >= 2 && text[0] == 0xC2) {
        return text[1] == 0x85 || text[1] == 0xA0 ? 2 : 0;
    }
    if (count < 3 || text[0] < 0xE1 || text[0] > 0xE3) {
        return 0;
    }
    const unsigned char last = text[2];
    bool is_space;
    if (text[0] == 0xE2 && text[1] == 0x80) {
        is_space = (last >= 0x80 && last <= 0x8A) || last == 0xA8 || last == 0xA9 || last == 0xAF;
    } else if (text[0] == 0xE2) {
        is_space = text[1] == 0x81 && last == 0x9F;
    } else if (text[0] == 0xE1) {
        is_space = text[1] == 0x9A && last == 0x80;
    } else {
        is_space = text[1] == 0x80 && last == 0x80;
    }
    return is_space ? 3 : 0;
}

/* Bytes of the white space that text ends with. */
static size_t space_bytes_at_end(const unsigned char *text, size_t count)
{
    for (size_t bytes = 1; bytes <= 3 && bytes <= count; bytes++) {
        if (space_bytes(text + (count - bytes), bytes) == bytes) {
            return bytes;
        }
    }
    return 0;
}

struct rf_str rf_chars_trim(struct rf_str text)
{
    const unsigned char *const bytes = (const unsigned char *)text.data;
    size_t begin = 0;
    size_t end = text.count;
    size_t space = 1;
    while (begin < end && space != 0) {
        space = space_bytes(bytes + begin, end - begin);
        begin += space;
    }
    space = 1;
    while (end > begin && space != 0) {
        space = space_bytes_at_end(bytes + begin, end - begin);
        end -= space;
    }
    return text_part(text, begin, end);
}

static unsigned char byte_lower(char c)
{
    const unsigned char byte = (unsigned char)c;
    return (unsigned char)(byte - 'A') < 26 ? byte | 0x20 : byte;
}

bool rf_chars_equal_ascii(struct rf_str a, struct rf_str b)
{
    if (a.count != b.count) {
        return false;
    }
    for (size_t i = 0; i < a.count; i++) {
        if (byte_lower(a.data[i]) != byte_lower(b.data[i])) {
            return false;
        }
    }
    return true;
}

struct rf_chars_split rf_chars_split_begin(struct rf_str text, struct rf_str separator, int64_t limit)
{
    uint64_t pieces = limit < 0 ? UINT64_MAX : (uint64_t)limit;
    if (text.count == 0 && separator.count == 0) {
        pieces = 0;
    }
    return (struct rf_chars_split){.rest = text, .separator = separator, .pieces_left = pieces};
}

bool rf_chars_split_next(struct rf_chars_split *split, struct rf_str *piece)
{
    const struct rf_str rest = split->rest;
    size_t at;
    bool has_more; /* a separator, or a code point, behind this piece */
    if (split->pieces_left == 0) {
        return false;
    }
    split->pieces_left--;
    if (split->separator.count == 0) {
        at = rf_chars_step(rest, 0);
        has_more = at < rest.count;
    } else {
        has_more = rf_str_find(rest, split->separator, &at);
    }
    if (!has_more || split->pieces_left == 0) {
        *piece = rest;
        split->pieces_left = 0;
        return true;
    }
    *piece = text_part(rest, 0, at);
    split->rest = text_part(rest, at + split->separator.count, rest.count);
    return true;
}
