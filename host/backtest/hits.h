/* hits.h: the records that each rule hit, in files of their own.
 *
 * Purpose    --hits FOLDER: for each rule that has a hit a file NAME.EXTENSION with its records as they stand in the input, or
 *            NAME.csv with where they stand: file, record number, offset in bytes. In input order.
 * Data       In names all but letters, digits and . _ - { } = , + becomes %XX; they end with %2E.. for a leading dot. What is
 *            written is gathered in memory and appended when RF_HITS_BUFFER_BYTES of it are together, so that thousands of
 *            rules need no thousands of open files.
 * Ownership  rf_hits_close frees; rf_hits_finish must come before it, else the last lines are missing.
 * Threads    one at a time, in input order.
 * Errors     RF_E_IO with the name of the file; RF_E_MEMORY.
 */
#ifndef RF_HITS_H
#define RF_HITS_H

#include "rules.h"
#include "worker.h"

enum { RF_HITS_BUFFER_BYTES = 32 * 1024 * 1024, RF_HITS_NAME_MAX = 200 };

struct rf_hits;

/* extension: of records: "ndjson". are_numbers: places instead of records. The folder is made, or has no file in it: RF_E_IO
 * otherwise, so that all that lies there is of this run. */
enum rf_status rf_hits_open(struct rf_hits **out, const char *folder, const struct rf_rules *rules,
                            const char *extension, bool are_numbers, struct rf_error *err);
void rf_hits_close(struct rf_hits *hits);
/* truth[rules][RF_EVAL_BLOCK_WORDS] of the rows of the worker's round from `first` on. */
enum rf_status rf_hits_write(struct rf_hits *hits, struct rf_worker *worker, uint32_t first, const uint64_t *truth,
                             uint32_t words, struct rf_error *err);
enum rf_status rf_hits_finish(struct rf_hits *hits, struct rf_error *err);

#endif
