/* prefilter.h: which records can match at all, from their raw bytes.
 *
 * Purpose    A record can only be selected when a literal of the plan occurs in its bytes, or an escape in it may
 *            spell a part of one. All other records are passed over without being looked at, so they are not
 *            validated either: only for the policy `drop` (host/pipeline).
 * Data       in   batch.bytes[begin, bytes_used)
 *            out  span[S]: records that stay, neighbours merged, and their bytes; lines: all records passed over or
 *                 kept
 * Ownership  nothing is allocated; the plan points into the program.
 * Threads    rf_prefilter is immutable after rf_prefilter_make.
 * Cost       reads each byte once; about 8 vector instructions for 64 bytes and literal.
 * Source     the idea of a raw filter ahead of parsing: Palkar et al., Filter Before You Parse, 2018. Here it is
 *            exact: a literal without '"', '\' and control bytes is spelled either as its bytes, or with \u escapes
 *            of its own characters, or with "\/" for a slash.
 */
#ifndef RF_PREFILTER_H
#define RF_PREFILTER_H

#include "index.h"

enum { RF_PREFILTER_LITERALS_MAX = 16, RF_PREFILTER_SPANS_MAX = 16384 };

struct rf_prefilter_probe { /* two bytes of a literal, the rarest of it */
    uint8_t first, second;
    uint32_t first_at; /* offset of `first` in the literal */
    uint32_t distance; /* of `second` behind `first` */
    struct rf_str literal;
};

struct rf_prefilter {
    uint32_t probes; /* 0: there is no prefilter */
    struct rf_prefilter_probe probe[RF_PREFILTER_LITERALS_MAX];
    uint64_t spelled[2]; /* ASCII characters of the literals */
    bool spells_wide;    /* a literal has other characters */
    bool has_slash;
};

/* Takes the program's best group. */
void rf_prefilter_make(struct rf_prefilter *prefilter, const struct rf_program *program);

/* Number of spans; RF_NONE when most bytes would stay, so that the whole batch should be looked at. sieved: room for half
 * of the bytes looked at; gets the bytes of the spans, one behind the other. */
uint32_t rf_prefilter_run(const struct rf_prefilter *prefilter, enum rf_isa isa, const struct rf_batch *batch,
                          uint32_t begin, struct rf_span32 span[RF_PREFILTER_SPANS_MAX], uint8_t *sieved,
                          uint32_t *lines);

#endif
