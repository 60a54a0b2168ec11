/* worker.h: everything one thread needs to take a batch from bytes to decided rows, made once and reused.
 *
 * Purpose    The stages between source and sink. A worker runs one batch at a time, in one or more rounds (a round
 *            takes at most rows_max records).
 * Ownership  rf_worker_open/close own all scratch memory; the batch's buffer too.
 * Threads    a worker belongs to one thread at a time (pipeline.c); options and program are shared and read only.
 * Errors     RF_E_MEMORY when a longer record needs larger scratch.
 */
#ifndef RF_WORKER_H
#define RF_WORKER_H

#include "emit_fix.h"
#include "eval.h"
#include "extract.h"
#include "fix_extract.h"
#include "index.h"
#include "interp.h"
#include "offload.h"
#include "pipeline.h"
#include "prefilter.h"
#include "select.h"
#include "watch.h"

struct rf_worker {
    const struct rf_pipeline_options *options;
    const struct rf_program *program;
    bool is_prefiltering; /* it is allowed and sound, and the program has literals */
    bool was_prefiltered;
    struct rf_batch batch;
    struct rf_rows rows;
    struct rf_prefilter prefilter;
    struct rf_span32 *span; /* what the prefilter has left of the batch, and its bytes, one behind the other */
    uint32_t spans;
    uint32_t lines; /* records that it has passed over or left */
    struct rf_batch sieved;
    const struct rf_batch *view;    /* the batch or what is left of it: what columns are offsets into */
    const struct rf_batch *records; /* what rows.begin and rows.end are: the view, and the batch behind rf_worker_eval */
    struct rf_index index;
    struct rf_extract extract;
    bool is_fix; /* records are FIX messages */
    struct rf_fix_frame fix_frame;
    struct rf_fix_extract fix_extract;
    struct rf_emit_fix emit_fix;
    struct rf_columns columns;
    struct rf_eval eval;
    struct rf_offload offload; /* of eval, to a device */
    struct rf_selection selection;
    void *watched; /* state of options->watch for this worker */
    struct rf_eval_register *watch_truth; /* [P] of a block, when the interpreter runs for a watch; else NULL */
    struct rf_interp *interp; /* made when first asked */
    uint32_t interp_row;      /* the row it has read in this round, or RF_NONE */
    struct rf_counts counts;  /* of this round */
    struct rf_text text;      /* formatted output of this round (json, csv) */
    size_t *text_end;         /* [S] end of each selected row's part in text */
};

enum rf_status rf_worker_open(struct rf_worker *worker, const struct rf_pipeline_options *options,
                              struct rf_error *err);
void rf_worker_close(struct rf_worker *worker);

/* Says of worker->batch, which has just been filled, what `now` is for all of its records. */
void rf_worker_date(struct rf_worker *worker);
/* The stages, in order. Each works on one round of worker->batch. */
enum rf_status rf_worker_index(struct rf_worker *worker, struct rf_error *err);
void rf_worker_extract(struct rf_worker *worker);
enum rf_status rf_worker_eval(struct rf_worker *worker, struct rf_error *err);
void rf_worker_select(struct rf_worker *worker);

/* struct rf_host: what a vector engine asks about one row; context is the worker. A record that the interpreter cannot read is
 * an error. */
int rf_worker_decide(void *context, const struct rf_batch *batch, const struct rf_rows *rows, uint32_t row,
                     uint32_t host);
/* The interpreter with the row read into it. */
enum rf_status rf_worker_read_row(struct rf_worker *worker, uint32_t row, struct rf_malformed *malformed,
                                  struct rf_error *err);

#endif
