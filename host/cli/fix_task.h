/* fix_task.h: what `riffle fix encode` and `riffle fix positions` do alike: inputs, output, messages, exit status.
 *
 * Purpose    One thread, batches in order. The output is written as --output says; an output that was not completed keeps the
 *            name that says so (sink.h).
 * Data       A bad record is told on standard error when it is among the first RF_FIX_TOLD_MAX; all are counted.
 * Ownership  rf_fix_task_close takes all.
 * Threads    the main thread.
 * Errors     rf_fix_task_open: RF_E_USAGE, RF_E_IO, RF_E_MEMORY. Inputs that cannot be read are told about, and the next is
 *            read; the exit status is then RF_EXIT_FAILURE.
 */
#ifndef RF_FIX_TASK_H
#define RF_FIX_TASK_H

#include "flag.h"
#include "sink.h"
#include "source.h"

enum { RF_FIX_TOLD_MAX = 10 };

struct rf_fix_task {
    const struct rf_flags *flags;
    struct rf_source *source;
    struct rf_sink *sink;
    struct rf_batch batch;
    uint64_t bad;
};

/* Bytes of --output, or of standard output where that is not given, go to a terminal. */
bool rf_fix_task_is_terminal(const struct rf_flags *flags);

/* options: the kind of records; the rest comes from the flags. */
enum rf_status rf_fix_task_open(struct rf_fix_task *task, const struct rf_flags *flags,
                                struct rf_source_options options, struct rf_error *err);
void rf_fix_task_close(struct rf_fix_task *task);

/* Counts a bad record and perhaps tells of it; byte: in the record, from 1. */
void rf_fix_task_tell(struct rf_fix_task *task, struct rf_where where, uint64_t byte, const char *reason);
/* Finishes the output when status is RF_OK or RF_END; tells err otherwise. Gives the exit status. */
int rf_fix_task_end(struct rf_fix_task *task, enum rf_status status, struct rf_error *err);

#endif
