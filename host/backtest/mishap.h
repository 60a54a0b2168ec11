/* mishap.h: why a rule is an error, why a record has no time or no label: one example of each, for people.
 *
 * Purpose    A misspelt field makes an error of every record, and a table of counts does not say why. The interpreter is asked about
 *            the first record where it happened; it does so for a few rules only, and not in many records.
 * Data       item[items]: each for another subject. Which rules have one may differ with the number of threads; results do not.
 * Threads    one for each worker; rf_mishaps_merge in the end.
 */
#ifndef RF_MISHAP_H
#define RF_MISHAP_H

#include "status.h"
#include "str.h"

enum { RF_MISHAPS_MAX = 8, RF_MISHAP_TEXT_MAX = 160, RF_MISHAP_LOOKS_MAX = 20000 };

/* What it is about: the number of a rule, or one of these. */
#define RF_MISHAP_TIME 0xfffffffeu
#define RF_MISHAP_LABEL 0xfffffffdu

struct rf_mishap {
    uint32_t subject;
    uint32_t input;                 /* of the record: number of its input, and the offset in it */
    uint64_t offset;
    uint64_t number;                /* 1-based in its input */
    char name[RF_MISHAP_TEXT_MAX];  /* of the input, cut when it is long */
    char reason[RF_MISHAP_TEXT_MAX];
};

struct rf_mishaps {
    struct rf_mishap item[RF_MISHAPS_MAX];
    uint32_t items;
    uint32_t looks; /* records that the interpreter was asked about */
};

struct rf_round;

/* At the end of a round, whose rows are still there. */
void rf_mishaps_look(struct rf_mishaps *mishaps, const struct rf_round *round);
/* Of two about one subject the earlier record stays. */
void rf_mishaps_merge(struct rf_mishaps *mishaps, const struct rf_mishaps *from);
/* NULL: there is none. */
const struct rf_mishap *rf_mishaps_find(const struct rf_mishaps *mishaps, uint32_t subject);

#endif
