/* fix_pretty.h: one FIX message for people to read.
 *
 * Data       a line that says which message it is, what is wrong with it, and a line for each field: tag, name, value, and in
 *            parentheses what the dictionary calls the value; the entries of groups indented under a line with their number,
 *            which counts from 0 as in expressions; an empty line at the end.
 *              day.log:3: ExecutionReport  2026-01-02 10:00:03 IN
 *                ! CheckSum is absent or wrong
 *                  8 BeginString   FIX.4.4
 *                 54 Side          2 (Sell)
 *                453 NoPartyIDs    1
 *                    PartyIDs[0]
 *                      448 PartyID       A
 *                 44 Price         1e5  ! no Price
 *            Everything that comes from the input or a dictionary is made visible (visible_text.h).
 * Threads    one tree for each thread.
 * Errors     RF_E_MEMORY.
 */
#ifndef RF_FIX_PRETTY_H
#define RF_FIX_PRETTY_H

#include "fix_tree.h"
#include "text.h"

struct rf_fix_pretty {
    bool has_color;
    struct rf_str input_name; /* empty: not shown */
    uint64_t number;          /* of the record; 0: not shown */
    struct rf_str before;     /* what the record has around the message */
    struct rf_str behind;
};

enum rf_status rf_fix_pretty_write(struct rf_fix_tree *tree, const struct rf_fix_view *view,
                                   const struct rf_fix_pretty *pretty, struct rf_text *out, struct rf_error *err);

#endif
