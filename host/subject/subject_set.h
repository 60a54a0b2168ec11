/* subject_set.h: many patterns over dotted subjects (subject.h), asked at once.
 *
 * Purpose    Which of n patterns match a subject, in time that hardly grows with n.
 * Data       Two forms, by n:
 *              bits  up to RF_SUBJECT_BITS_MAX patterns, unless they are of very many tokens: for each level and token the patterns
 *                    that it does not rule out; what the subject's tokens and their count leave is the answer
 *              trie  beyond: one walk over the subject's tokens with all nodes that are still possible
 *            Patterns may overlap and be there twice: each has its number, that of its place in the list.
 * Ownership  everything lives in the arena given to rf_subject_set_make. Patterns are copied.
 * Threads    immutable once made. Matching needs scratch memory of the caller's, one for each thread.
 * Bounds     RF_SUBJECT_PATTERNS_MAX patterns of RF_SUBJECT_TOKENS_MAX tokens. Subjects are of any length; scratch does not
 *            depend on them.
 * Errors     RF_E_EXPR: pattern number *failed is none; RF_E_LIMIT; RF_E_MEMORY.
 * Cost       for each token of the subject one look into a hash table (trie: for each node that is still possible one). What no
 *            pattern can care for is not looked at: tokens behind the longest pattern, and those behind a dead end.
 *            docs/performance.md, cases NA and NA-batch.
 */
#ifndef RF_SUBJECT_SET_H
#define RF_SUBJECT_SET_H

#include <stdint.h>

#include "arena.h"
#include "status.h"
#include "str.h"

enum { RF_SUBJECT_PATTERNS_MAX = 4 * 1024 * 1024, RF_SUBJECT_TOKENS_MAX = 128, RF_SUBJECT_BITS_MAX = 4096 };

struct rf_subject_set;

enum rf_status rf_subject_set_make(struct rf_subject_set **out, const struct rf_str *pattern, uint32_t count,
                                   struct rf_arena *arena, uint32_t *failed, struct rf_error *err);

/* Bytes that matching needs, aligned to 64. */
size_t rf_subject_set_scratch(const struct rf_subject_set *set);
/* Does any pattern match? */
bool rf_subject_set_any(const struct rf_subject_set *set, struct rf_str subject, void *scratch);
/* Numbers of all patterns that match, ascending; match[] has room for all patterns. Returns how many. */
uint32_t rf_subject_set_all(const struct rf_subject_set *set, struct rf_str subject, void *scratch, uint32_t *match);

#endif
