/* progress.h: one line on standard error that says how far a run has come.
 *
 * Purpose    For programs a line of JSON instead, at most twice a second, and one at the end.
 *            rf_progress_update draws it at most every 100 ms; rf_progress_clear takes it away before a message is
 *            printed; it is drawn again with the next update.
 * Ownership  the struct is the caller's; the source is borrowed between open and close.
 * Threads    any thread may call update and clear between open and close.
 * Errors     none: a line that cannot be written is not written.
 */
#ifndef RF_PROGRESS_H
#define RF_PROGRESS_H

#include <pthread.h>

#include "counts.h"
#include "source.h"

struct rf_progress {
    bool is_on;
    bool is_eager; /* --progress always: drawn from the start, and once at the end */
    bool is_json;
    bool is_drawn;
    uint32_t rules; /* of a backtest: their rate takes the place of what was selected; 0: none */
    uint64_t begin_ns;
    uint64_t drawn_ns;
    const struct rf_source *source;
    struct rf_counts counts; /* of the last update */
    pthread_mutex_t lock;
};

/* What a line is made from. */
struct rf_progress_state {
    uint64_t bytes_read;  /* from the operating system */
    uint64_t bytes_total; /* 0: not known */
    uint64_t rows, selected;
    uint32_t rules;
    double bytes_done; /* decompressed, for the speed */
    double seconds;
};

enum { RF_PROGRESS_LINE_BYTES = 512 };
#define RF_PROGRESS_ERASE "\r\033[K"

/* The line, at most `columns` - 1 wide (the last column would make some terminals wrap): the bar shrinks, then parts
 * are left out, the least important first. */
void rf_progress_line(char line[RF_PROGRESS_LINE_BYTES], struct rf_progress_state state, unsigned columns);

/* when: RF_WHEN_* or RF_WHEN_JSON; auto = standard error is a terminal, and no records may show on it at the same time. has_records:
 * records go to standard output. */
void rf_progress_open(struct rf_progress *progress, const struct rf_source *source, unsigned when, bool has_records);
void rf_progress_update(void *progress, const struct rf_counts *counts);
/* Does nothing to one that is not open. */
void rf_progress_clear(struct rf_progress *progress);
void rf_progress_close(struct rf_progress *progress);

#endif
