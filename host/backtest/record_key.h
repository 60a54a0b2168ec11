/* record_key.h: what the state of rules goes by: the key and the event time of a record.
 *
 * Purpose    From the value of a projection in a row, whichever engine gives it.
 * Data       A key is what JSON would show of the value, texts apart from the rest: 1 and "1" are two keys, 1 and 1.0 are one.
 * Threads    those of the block.
 * Errors     without a value there is no key, and no time (RF_TALLY_UNTIMED).
 */
#ifndef RF_RECORD_KEY_H
#define RF_RECORD_KEY_H

#include "event_time.h"
#include "rule_state.h"
#include "watch.h"

/* row: counted from block->first. scratch: any text, overwritten. */
bool rf_record_key(const struct rf_watch_block *block, uint32_t projection, uint32_t row, struct rf_text *scratch,
                   struct rf_state_key *key);
int64_t rf_record_time(const struct rf_watch_block *block, uint32_t projection, uint32_t row, enum rf_time_unit unit);

#endif
