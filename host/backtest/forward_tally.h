/* forward_tally.h: how a value changed after the hits of each rule.
 *
 * Purpose    Beside the tally, when a value is followed (--value): mean, standard deviation, quantiles and the share of hits after
 *            which it rose, in a form that adds up exactly: whatever the order or the parts, the figures are the same.
 * Data       R rules. A change is a whole number of steps (moments.h), absolute or relative. least[R], most[R]: without meaning
 *            where the sketch has no change of the rule. without[kind][R]: hits that have none, by reason.
 * Ownership  rf_forward_tally_close frees; texts of the settings are borrowed.
 * Threads    one at a time; rf_forward_tally_merge in the end.
 * Errors     RF_E_MEMORY.
 */
#ifndef RF_FORWARD_TALLY_H
#define RF_FORWARD_TALLY_H

#include "sketch.h"

enum rf_forward_without {
#define RF_FORWARD_WITHOUT(id, name, what) RF_WITHOUT_##id,
#include "forward_without.def"
#undef RF_FORWARD_WITHOUT
    RF_FORWARD_WITHOUTS
};

extern const char *const rf_forward_without_name[RF_FORWARD_WITHOUTS];
extern const char *const rf_forward_without_what[RF_FORWARD_WITHOUTS];

struct rf_forward_settings {
    struct rf_str value, per; /* expressions; per "": all records have one key */
    int64_t horizon_ns;
    bool is_absolute; /* the change is later - now; else (later - now) / |now| */
};

/* What records give as the value. */
struct rf_forward_values {
    uint64_t missing; /* records that have none, or null */
    uint64_t wrong;   /* what is no number, or no finite one */
};

struct rf_forward_tally {
    struct rf_forward_settings settings;
    struct rf_forward_values values;
    uint32_t rules;
    struct rf_sketch sketch;
    struct rf_moments *moments; /* NULL: no value is followed */
    double *least, *most;       /* exact: a change has as many digits as a double */
    uint64_t *without[RF_FORWARD_WITHOUTS];
};

/* Rules that hit one record: bit b of `bits` is rule 64 * word + b. */
struct rf_rule_word {
    uint64_t bits;
    uint32_t word;
};

enum rf_status rf_forward_tally_open(struct rf_forward_tally *tally, struct rf_forward_settings settings,
                                     uint32_t rules, struct rf_error *err);
void rf_forward_tally_close(struct rf_forward_tally *tally);
/* The change after a record that these rules hit. */
enum rf_status rf_forward_tally_add(struct rf_forward_tally *tally, const struct rf_rule_word *word, uint32_t words,
                                    rf_steps change, struct rf_error *err);
void rf_forward_tally_miss(struct rf_forward_tally *tally, const struct rf_rule_word *word, uint32_t words,
                           enum rf_forward_without why);
enum rf_status rf_forward_tally_merge(struct rf_forward_tally *tally, const struct rf_forward_tally *from,
                                      struct rf_error *err);

/* Of a rule, for people and programs. */
struct rf_forward_figures {
    uint64_t count;         /* hits with a change; 0: the rest means nothing */
    double mean, deviation; /* NaN: of one hit there is none */
    double least, most;
    double quantile[RF_SKETCH_QUANTILES]; /* between least and most */
    double up;                            /* the share of changes above 0 */
};
struct rf_forward_figures rf_forward_figures_of(const struct rf_forward_tally *tally, uint32_t rule);

enum { RF_CHANGE_TEXT_MAX = 32 };
/* For people: a relative change in percent. Returns the bytes written. */
size_t rf_change_text(double change, bool is_absolute, char out[RF_CHANGE_TEXT_MAX]);

#endif
