#include "str.h"

enum { DISTANCE_BYTES_MAX = 64 };

int rf_str_compare(struct rf_str a, struct rf_str b)
{
    const size_t common = a.count < b.count ? a.count : b.count;
    const int order = common == 0 ? 0 : memcmp(a.data, b.data, common);
    if (order != 0) {
        return order;
    }
    return a.count < b.count ? -1 : a.count > b.count;
}

bool rf_str_starts(struct rf_str text, struct rf_str head)
{
    return head.count <= text.count && (head.count == 0 || memcmp(text.data, head.data, head.count) == 0);
}

bool rf_str_ends(struct rf_str text, struct rf_str tail)
{
    return tail.count <= text.count &&
           (tail.count == 0 || memcmp(text.data + (text.count - tail.count), tail.data, tail.count) == 0);
}

bool rf_str_contains(struct rf_str text, struct rf_str part)
{
    return part.count == 0 || (text.count != 0 && memmem(text.data, text.count, part.data, part.count) != NULL);
}

bool rf_str_find(struct rf_str text, struct rf_str part, size_t *at)
{
    if (part.count == 0) {
        *at = 0;
        return true;
    }
    const char *const found = text.count == 0 ? NULL : memmem(text.data, text.count, part.data, part.count);
    if (found == NULL) {
        return false;
    }
    *at = (size_t)(found - text.data);
    return true;
}

uint64_t rf_str_prefix(struct rf_str text)
{
    uint64_t prefix = 0;
    if (text.count >= sizeof prefix) {
        memcpy(&prefix, text.data, sizeof prefix);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        prefix = __builtin_bswap64(prefix);
#endif
        return prefix;
    }
    for (size_t i = 0; i < text.count; i++) {
        prefix |= (uint64_t)(unsigned char)text.data[i] << (56 - 8 * i);
    }
    return prefix;
}

static size_t size_min(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t rf_str_distance(struct rf_str a, struct rf_str b)
{
    /* Three rows of the table are enough: a transposition looks two rows back. */
    size_t rows[3][DISTANCE_BYTES_MAX + 1];
    size_t *before = rows[0];
    size_t *above = rows[1];
    size_t *row = rows[2];

    if (a.count > DISTANCE_BYTES_MAX || b.count > DISTANCE_BYTES_MAX) {
        return a.count > b.count ? a.count : b.count;
    }
    for (size_t j = 0; j <= b.count; j++) {
        above[j] = j;
    }
    for (size_t i = 1; i <= a.count; i++) {
        row[0] = i;
        for (size_t j = 1; j <= b.count; j++) {
            const bool is_same = a.data[i - 1] == b.data[j - 1];
            size_t best = size_min(above[j] + 1, row[j - 1] + 1);
            best = size_min(best, above[j - 1] + (is_same ? 0 : 1));
            if (i > 1 && j > 1 && a.data[i - 1] == b.data[j - 2] && a.data[i - 2] == b.data[j - 1]) {
                best = size_min(best, before[j - 2] + 1);
            }
            row[j] = best;
        }
        size_t *const spare = before;
        before = above;
        above = row;
        row = spare;
    }
    return above[b.count];
}
