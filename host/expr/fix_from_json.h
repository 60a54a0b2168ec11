/* fix_from_json.h: a JSON object to the FIX message that it describes: the inverse of how messages are written as JSON.
 *
 * Purpose    `riffle fix encode`. An object that came from a valid message whose tags do not repeat outside groups gives that
 *            message again, byte for byte.
 * Data       Members stand for fields in their order, under the keys of fix_names.h. BeginString and MsgType must be there;
 *            8, 9, 35 and 10 go where FIX wants them; BodyLength and CheckSum are computed, and theirs ignored.
 *              number          its text as it stands; no exponent in a field of a number
 *              text            its bytes
 *              true, false     Y, N
 *              {"base64":T}    any bytes
 *              null            no field
 *              [values]        one field for each
 *              [objects]       the entries of a group, under the name of its list or of the field that counts them. The count
 *                              is written before the first entry: the member that says it, which must be right, or what it is.
 *                              The first field of an entry is written first, wherever it stands in the object
 *            The length field in front of a data field likewise.
 *            What a reader would take for another structure is refused: an entry without its first field, a field in an
 *            entry that is no member of the group, a member of the group right behind the last entry.
 * Ownership  rf_fix_from_json_close frees; the dictionary must outlive it.
 * Threads    one thread at a time. Recursion is as deep as groups nest (RF_FIX_GROUP_DEPTH_MAX).
 * Errors     RF_E_MEMORY. A text that describes no message is no error: the refusal says why, and nothing is appended.
 * Cost       linear in the text, but for sorting the members of each object.
 */
#ifndef RF_FIX_FROM_JSON_H
#define RF_FIX_FROM_JSON_H

#include "arena.h"
#include "fix_names.h"
#include "fix_wire.h"

enum { RF_FIX_REFUSAL_BYTES = 320 };

struct rf_fix_refusal {
    bool is_refused;
    size_t offset;                   /* in the text */
    char text[RF_FIX_REFUSAL_BYTES]; /* UTF-8; may hold anything that the text holds, control bytes too */
};

struct rf_fix_from_json {
    struct rf_fix_names names;
    struct rf_fix_wire wire;
    struct rf_arena arena;   /* of the names */
    struct rf_arena scratch; /* of one text */
};

enum rf_status rf_fix_from_json_open(struct rf_fix_from_json *converter, const struct rf_fix_dict *dict,
                                     struct rf_error *err);
void rf_fix_from_json_close(struct rf_fix_from_json *converter);

enum rf_status rf_fix_from_json(struct rf_fix_from_json *converter, struct rf_str text, enum rf_fix_separator separator,
                                struct rf_text *out, struct rf_fix_refusal *refusal, struct rf_error *err);

#endif
