/* fix_json.h: one FIX message as one JSON object, by name, with its groups nested.
 *
 * Purpose    What `riffle filter --emit json` writes and `riffle fix encode` reads.
 * Data       members in the order of the message, header and trailer included, named as fix_label.h says.
 *              {"BeginString":"FIX.4.4",...,"LastPx":102.00,"NoPartyIDs":1,"PartyIDs":[{"PartyID":"A",...}],"CheckSum":"049"}
 *            values  a number's text as it stands where FIX and JSON both know it as one (102.00, -5), else as a string
 *                    ("007", ".5", "1e3"); Y and N of a boolean as true and false; all else, CheckSum too, as a string of
 *                    exactly the text; what is no UTF-8 as {"base64":"..."}
 *            groups  the count under its own name, and behind it the list of the entries, where there are any or the count
 *                    is 0
 *            repeats a tag that comes again in the same place (rf_fix_tree) has an array of its values where it stood
 *                    first; the entries behind a count that comes again follow those of the first
 * Ownership  rf_fix_json_open/close.
 * Threads    one struct for each thread.
 * Errors     RF_E_MEMORY.
 * Cost       see rf_fix_tree; about 11 ns a field of usual length on one core with AVX-512, of which two thirds are the copying.
 * Source     RFC 8259; RFC 4648 for base64.
 */
#ifndef RF_FIX_JSON_H
#define RF_FIX_JSON_H

#include "fix_label.h"
#include "fix_tree.h"

struct rf_fix_json {
    struct rf_fix_labels labels;
    struct rf_fix_tree tree;
};

enum rf_status rf_fix_json_open(struct rf_fix_json *json, const struct rf_fix_dict *dict, enum rf_fix_keys keys,
                                struct rf_error *err);
void rf_fix_json_close(struct rf_fix_json *json);

/* Appends the object, without a line end. */
enum rf_status rf_fix_json_write(struct rf_fix_json *json, const struct rf_fix_view *view, struct rf_text *out,
                                 struct rf_error *err);

#endif
