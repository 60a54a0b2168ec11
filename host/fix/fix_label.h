/* fix_label.h: what the fields and groups of a dictionary are called as members of JSON objects.
 *
 * Purpose    A name is quoted once, not for each message.
 * Data       keys     a field    a field without a name    the list of a group
 *            NAME     Symbol     9702                      PartyIDs
 *            TAG      55         9702                      PartyIDs(453)
 *            BOTH     Symbol(55) 9702                      PartyIDs(453)
 *            No two fields have one label: of two fields of one name in a merged dictionary the name leads to one
 *            (rf_fix_field_of_name), and the other is labelled by its tag. A list whose name could be taken for another has its
 *            tag too.
 *            The text of a label is `,"Symbol":` with its comma. RF_FIX_LABEL_COPY bytes from a label on may be read.
 * Ownership  rf_fix_labels_open/close. The dictionary must live as long.
 * Threads    immutable once made.
 * Errors     RF_E_MEMORY.
 */
#ifndef RF_FIX_LABEL_H
#define RF_FIX_LABEL_H

#include "fix_dict.h"
#include "text.h"

enum { RF_FIX_LABEL_COPY = 32 };

enum rf_fix_keys { RF_FIX_KEYS_NAME, RF_FIX_KEYS_TAG, RF_FIX_KEYS_BOTH };

/* How values of a field are written in JSON. */
enum rf_fix_json_kind { RF_FIX_JSON_TEXT, RF_FIX_JSON_NUMBER, RF_FIX_JSON_BOOL };

struct rf_fix_label {
    uint32_t begin; /* in the pool */
    uint16_t count;
    uint8_t kind; /* enum rf_fix_json_kind */
};

struct rf_fix_labels {
    struct rf_text pool;
    struct rf_fix_label *field; /* [dict.fields] */
    struct rf_fix_label *list;  /* [dict.groups] */
};

enum rf_status rf_fix_labels_open(struct rf_fix_labels *labels, const struct rf_fix_dict *dict, enum rf_fix_keys keys,
                                  struct rf_error *err);
void rf_fix_labels_close(struct rf_fix_labels *labels);

#endif
