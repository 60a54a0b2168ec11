/* str.h: a borrowed run of bytes, usually UTF-8. Never zero-terminated by contract.
 *
 * Ownership  whoever made the bytes; a struct rf_str is passed by value.
 */
#ifndef RF_STR_H
#define RF_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct rf_str {
    const char *data; /* may be NULL only when count is 0 */
    size_t count;     /* bytes */
};

#define RF_STR(literal) ((struct rf_str){(literal), sizeof(literal) - 1})
/* For printf("%.*s"). */
#define RF_STR_ARG(s) (int)(s).count, (s).data

static inline struct rf_str rf_str_of(const char *text)
{
    return (struct rf_str){text, strlen(text)};
}

static inline bool rf_str_equal(struct rf_str a, struct rf_str b)
{
    return a.count == b.count && (a.count == 0 || memcmp(a.data, b.data, a.count) == 0);
}

/* Byte order, which for UTF-8 is code point order: negative, 0 or positive. */
int rf_str_compare(struct rf_str a, struct rf_str b);
bool rf_str_starts(struct rf_str text, struct rf_str head);
bool rf_str_ends(struct rf_str text, struct rf_str tail);
bool rf_str_contains(struct rf_str text, struct rf_str part);
/* The first place of part in text, in linear time; an empty part is at 0. *at is set only when it is found. */
bool rf_str_find(struct rf_str text, struct rf_str part, size_t *at);
/* First 8 bytes as a big-endian integer, zero-padded: its order is the byte order of the heads. */
uint64_t rf_str_prefix(struct rf_str text);
/* Edit distance (optimal string alignment), for "did you mean". Texts over 64 bytes count as far. */
size_t rf_str_distance(struct rf_str a, struct rf_str b);

#endif
