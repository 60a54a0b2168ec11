/* example.h: bad records, told to people and to dead-letter files.
 *
 * Purpose    rf_example_make finds out what is wrong with a row (reason, place); rf_example_write puts it with the
 *            record's bytes on one JSON line
 *            {"input","record","offset","kind","reason","text"|"base64"[,"truncated"]}; of an evaluation error behind
 *            the reason [,"select"],"line","column","part".
 * Cost       a walk or an interpretation of the record: for the few rows that are shown or filed.
 */
#ifndef RF_EXAMPLE_H
#define RF_EXAMPLE_H

#include "worker.h"

enum rf_status rf_example_make(struct rf_worker *worker, uint32_t row, struct rf_where where,
                               struct rf_example *example, struct rf_error *err);
/* "input" to "reason" or "part", without the braces: the part that needs no record. */
enum rf_status rf_example_write_members(const struct rf_example *example, struct rf_text *out, struct rf_error *err);
/* Of an evaluation error: " (1:5: qty / lots)", " (column total, 1:1: qty / lots)"; nothing when the place is not
 * known. */
enum rf_status rf_example_write_place(const struct rf_example *example, struct rf_text *out, struct rf_error *err);
/* The line of a dead-letter file for a record, of which is_truncated says that only the beginning is there. */
enum rf_status rf_example_write_line(const struct rf_example *example, struct rf_str record, bool is_truncated,
                                     struct rf_text *out, struct rf_error *err);
enum rf_status rf_example_write(const struct rf_worker *worker, uint32_t row, const struct rf_example *example,
                                struct rf_text *out, struct rf_error *err);

#endif
