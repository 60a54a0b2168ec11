/* subject_forms.h: the two forms of a set of patterns, for subject_set.c alone, which checks patterns and chooses.
 *
 * Data       bits: patterns are sorted so that like ones are neighbours. For each level and token there is a row of bits, the patterns
 *            that it does not rule out, and before it a word that says which words of the row are not zero. Those first words of
 *            the subject's rows, intersected, leave few words to look at; none of it needs vectors.
 *            trie: entries of the table are nodes; node 1 is the root.
 * Threads    immutable once made.
 * Errors     make: false when memory is out.
 */
#ifndef RF_SUBJECT_FORMS_H
#define RF_SUBJECT_FORMS_H

#include "subject_table.h"

enum {
    SUBJECT_LEVELS_MAX = 128,
    SUBJECT_BITS_MAX = 64 * 64 /* patterns: the word before a row says so much */
};

struct subject_source {
    const struct rf_str *pattern; /* [patterns] valid ones, in `texts` */
    const char *texts;
    uint32_t patterns;
    uint32_t tokens; /* of all together */
    uint32_t levels; /* tokens of the longest, > too */
    struct rf_arena *arena;
};

struct subject_bits {
    struct subject_table table;
    uint32_t levels;
    uint32_t stride;        /* words of a row, with the one before it */
    uint64_t *token_row;    /* [entries] what else is taken there is in it too */
    uint64_t *any_row;      /* [levels] patterns that take any token there */
    uint64_t *tail_row;     /* [levels] patterns whose > stands there or before */
    uint64_t *length_row;   /* [levels + 2] patterns that take so many tokens; the last: more */
    const uint32_t *number; /* [patterns] of the patterns as sorted */
};

struct subject_trie {
    struct subject_table table;
    uint32_t levels;
    uint32_t widest;     /* most nodes of one level */
    uint32_t *next;      /* [patterns] 1 + the next of the same list; 0: none */
    uint64_t *filter;    /* bit of (level, token), by its hash: some pattern may have it there */
    uint64_t filter_mask;
    bool takes[SUBJECT_LEVELS_MAX + 2]; /* does any pattern take so many tokens? At levels + 1: more than levels */
};

bool subject_bits_make(struct subject_bits *bits, const struct subject_source *source);
/* Numbers of the patterns that match, in no order; match NULL: 1 when there is any. */
uint32_t subject_bits_match(const struct subject_bits *bits, struct rf_str subject, uint32_t *match);

bool subject_trie_make(struct subject_trie *trie, const struct subject_source *source);
/* scratch[2 * widest] */
uint32_t subject_trie_match(const struct subject_trie *trie, struct rf_str subject, uint32_t *scratch, uint32_t *match);

/* Of a pattern: takes the token before the next dot; false behind the last one, whose end is marked by rest->data == NULL. */
static inline bool subject_token_take(struct rf_str *rest, struct rf_str *token)
{
    if (rest->data == NULL) {
        return false;
    }
    const char *dot = memchr(rest->data, '.', rest->count);
    const size_t count = dot == NULL ? rest->count : (size_t)(dot - rest->data);
    *token = (struct rf_str){rest->data, count};
    *rest = dot == NULL ? (struct rf_str){NULL, 0} : (struct rf_str){dot + 1, rest->count - count - 1};
    return true;
}

static inline bool subject_token_is(struct rf_str token, char mark)
{
    return token.count == 1 && token.data[0] == mark;
}

#endif
