/* pipeline.h: the way of a batch from source to sink.
 *
 * Purpose    rf_pipeline_run reads the source to its end (or until max_count, a policy stop or an error) and hands
 *            selected records to the sink in input order.
 * Ownership  borrows everything in the options; they must outlive the run.
 * Threads    threads - 1 workers are started beside the caller's thread; none when threads == 1. Callbacks are made
 *            one at a time, in input order.
 * Errors     RF_OK: the stream was read to its end or enough was found. RF_E_DATA: a policy `stop` met a bad record
 *            (err names it). RF_E_PIPE, RF_E_IO from the sink. RF_E_MEMORY. Unreadable inputs: see
 *            rf_source_problems.
 */
#ifndef RF_PIPELINE_H
#define RF_PIPELINE_H

#include <stdatomic.h>

#include "compile.h"
#include "counts.h"
#include "device_abi.h"
#include "fix_label.h"
#include "isa.h"
#include "sink.h"
#include "source.h"

enum rf_backend { RF_BACKEND_CPU, RF_BACKEND_INTERP };
enum rf_policy_kind { RF_POLICY_DROP, RF_POLICY_PASS, RF_POLICY_STOP, RF_POLICY_FILE };
enum rf_emit { RF_EMIT_NONE, RF_EMIT_LINES, RF_EMIT_JSON, RF_EMIT_CSV, RF_EMIT_PRETTY };

struct rf_policy {
    enum rf_policy_kind kind;
    struct rf_sink *file; /* RF_POLICY_FILE: JSON lines of struct rf_example */
};

enum { RF_EXAMPLES_MAX = 10, RF_EXAMPLE_TEXT_MAX = 200, RF_EXAMPLE_PART_MAX = 64 };

struct rf_place {                   /* where in an expression */
    uint32_t line, column;          /* 1-based, the column in code points; 0: not known */
    bool is_projection;             /* else the predicate's */
    struct rf_str name;             /* of the projection, as in the options; empty when it has none */
    char part[RF_EXAMPLE_PART_MAX]; /* the source there, on one line, cut when it is long */
};

struct rf_example { /* a bad record, for people */
    struct rf_where where;
    bool is_malformed; /* else an evaluation error */
    bool holds_fix;    /* malformed as something else, and a FIX message stands in it */
    uint64_t offset;   /* of the problem, in the input */
    char reason[RF_EXAMPLE_TEXT_MAX];
    struct rf_place place; /* of an evaluation error */
};

struct rf_watch;

struct rf_pipeline_options {
    const struct rf_compiled *compiled; /* predicate 0 selects */
    const struct rf_watch *watch; /* sees all predicates; then nothing is selected and emit is RF_EMIT_NONE. Or NULL */
    struct rf_source *source;
    struct rf_sink *sink; /* may be NULL with RF_EMIT_NONE */
    enum rf_emit emit;
    const struct rf_str
        *column; /* [compiled->projections] names of the csv header and json members (NULL: one projection
                                           is written as it is in json) */
    enum rf_backend backend;
    enum rf_isa isa;
    const struct rf_device_api *device; /* RF_BACKEND_CPU: the eval stage runs there where it can. Or NULL */
    bool is_device_strict;              /* the CPU must not take over */
    uint32_t threads;     /* >= 1 */
    uint32_t batch_bytes; /* of the source: what a worker gets ready for */
    uint32_t rows_max;    /* records a round, at least 128; 0 = RF_ROWS_MAX_DEFAULT, fewer with many fields */
    uint32_t depth_max;
    bool is_validating, is_inverted, is_prefilter_allowed, is_text;
    bool is_fix_lenient; /* a FIX message with a wrong BodyLength or CheckSum is no malformed record */
    enum rf_fix_keys fix_keys; /* members of a FIX message in json without projections */
    bool is_colored;           /* RF_EMIT_PRETTY, which is for FIX alone: for a terminal with colours */
    bool has_file_prefix, has_number_prefix; /* -H, -n: "name:line:" before each line */
    const char *prefix_begin, *prefix_end;   /* colour codes around the prefix, or "" */
    uint64_t max_count;                      /* UINT64_MAX = all */
    struct rf_policy on_error, on_malformed;
    uint32_t record_bytes_max; /* of the source: where an oversize record went wrong */
    bool has_now;              /* `now` is that instant; else that at which a record's batch was read */
    struct rf_instant now;
    const atomic_bool *is_interrupted; /* set by a signal: no further batch is read, those that were are finished. Or NULL */
    void (*on_progress)(void *context, const struct rf_counts *counts); /* about every 50 ms; may be NULL */
    void *context;
};

struct rf_device_counts { /* what a device had of the run; all zero without one */
    uint64_t batches, rows;
    uint64_t redone_rows;    /* of these: left open, and decided by the interpreter */
    uint64_t failed_batches; /* evaluated by the CPU */
    uint64_t bytes_sent, bytes_received;
    char why[RF_DEVICE_WHY]; /* the CPU took over because of this; empty: it never did */
};

struct rf_pipeline_result {
    struct rf_counts counts;
    struct rf_example example[RF_EXAMPLES_MAX]; /* the first ones, in input order */
    uint32_t examples;
    uint64_t host_rows;   /* rows that were asked from the interpreter */
    struct rf_device_counts device;
    bool was_prefiltered; /* the prefilter ran on at least one batch */
    bool was_stopped;     /* by max_count */
};

enum rf_status rf_pipeline_run(const struct rf_pipeline_options *options, struct rf_pipeline_result *result,
                               struct rf_error *err);

#endif
