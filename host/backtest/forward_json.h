/* forward_json.h: forward values as members of a line of json, and back.
 *
 * Purpose    Of each rule "forward": figures for people and programs, and behind them what they come from: the sums and the
 *            buckets, so that what is read back is what was written. "followed": the settings, the same in each line.
 * Threads    one thread.
 * Errors     RF_E_MEMORY; RF_E_LIMIT of the arena.
 */
#ifndef RF_FORWARD_JSON_H
#define RF_FORWARD_JSON_H

#include "arena.h"
#include "forward_tally.h"
#include "value.h"

/* ,"forward":{...},"followed":{...} */
enum rf_status rf_forward_write_json(const struct rf_forward_tally *tally, uint32_t rule, struct rf_text *out,
                                     struct rf_error *err);
/* From the map of a line into a tally that is zeros before the first; texts go into the arena. Of a line without such members nothing
 * is read. False in *is_good: the members are wrong, or do not fit the hits of the rule. */
enum rf_status rf_forward_read_json(struct rf_forward_tally *tally, const struct rf_value *map, uint32_t rules,
                                    uint32_t rule, uint64_t hits, struct rf_arena *arena, bool *is_good,
                                    struct rf_error *err);

#endif
