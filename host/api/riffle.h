/* riffle.h: the C API of riffle: compile expressions once, run them over buffers of records.
 *
 * Purpose    Filter and extract from JSON lines, FIX messages or plain lines inside another program.
 *
 *                struct riffle_program *program;
 *                struct riffle_spec spec = {.predicate = (const char *[]){"price > 410 && symbol == \"MSFT\""},
 *                                           .predicates = 1};
 *                riffle_program_open(&program, &spec, &error);
 *                riffle_runner_open(&runner, program, &error);
 *                riffle_runner_scan(runner, bytes, count, on_batch, context, &error);
 *
 * Data       A scan cuts the buffer into batches of whole records. For each batch on_batch sees R rows and, for each
 *            predicate, two bitmaps of R bits (bit r of word r / 64): truth and falsity; neither set = evaluation
 *            error, or a row that is malformed or blank (see status).
 * Ownership  what *_open gives, *_close takes. A batch and everything reached through it lives until on_batch
 *            returns. The buffer is never changed nor copied (its last batch is, to be padded).
 * Threads    a program is immutable: any number of threads may use it. A runner belongs to one thread at a time.
 * Errors     functions return RIFFLE_OK or fill *error (never NULL). Bad records are rows with a status, never errors.
 * ABI        structs given by the caller may grow at their end; set them with designated initialisers, so that new
 *            members are zero, which always means the default.
 */
#ifndef RIFFLE_H
#define RIFFLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RIFFLE_API __attribute__((visibility("default")))

enum riffle_status {
    RIFFLE_OK,
    RIFFLE_STOPPED,       /* on_batch returned false */
    RIFFLE_E_EXPRESSION,  /* error.expression, .line, .column say where */
    RIFFLE_E_USAGE,
    RIFFLE_E_LIMIT,
    RIFFLE_E_MEMORY,
    RIFFLE_E_IO
};

struct riffle_error {
    enum riffle_status status;
    uint32_t expression;   /* index: predicates first, then projections */
    uint32_t line, column; /* 1-based, in that expression; column in code points */
    char text[512];
};

enum riffle_format { RIFFLE_NDJSON, RIFFLE_TEXT, RIFFLE_FIX /* a stream, or the lines of a log */ };
enum riffle_engine { RIFFLE_CPU, RIFFLE_INTERP };

struct riffle_spec {
    const char *const *predicate;  /* [predicates] CEL expressions of type bool */
    uint32_t predicates;           /* at least 1 */
    const char *const *projection; /* [projections] CEL expressions of any type */
    uint32_t projections;
    enum riffle_format format;
    enum riffle_engine engine;     /* RIFFLE_INTERP: the reference engine, slow */
    bool is_strict_cel;            /* no promotion of int literals beside message numbers */
    bool is_validating;            /* whole records against RFC 8259 and UTF-8 */
    bool has_prefilter;            /* records that cannot match may be left out of the batches: one predicate only */
    uint32_t depth_max;            /* 0 = 1024 */
    uint32_t batch_bytes;          /* 0 = 256 KiB */
    uint32_t record_bytes_max;     /* 0 = 16 MiB */
    const char *fix_dict;          /* FIX: dictionaries and XML files with commas between them, each over those before;
                                      NULL = "FIX.4.2,FIX.4.4,FIXT.1.1" */
    bool is_fix_lenient;           /* FIX: a wrong BodyLength or CheckSum makes no malformed row */
};

struct riffle_program;
struct riffle_runner;
struct riffle_batch;

RIFFLE_API const char *riffle_version(void);

RIFFLE_API enum riffle_status riffle_program_open(struct riffle_program **out, const struct riffle_spec *spec,
                                                  struct riffle_error *error);
/* NULL is allowed. No runner of the program may be open. */
RIFFLE_API void riffle_program_close(struct riffle_program *program);

RIFFLE_API enum riffle_status riffle_runner_open(struct riffle_runner **out, const struct riffle_program *program,
                                                 struct riffle_error *error);
RIFFLE_API void riffle_runner_close(struct riffle_runner *runner); /* NULL is allowed */

/* Called for each batch, in order. false ends the scan with RIFFLE_STOPPED. */
typedef bool (*riffle_batch_function)(void *context, const struct riffle_batch *batch);

RIFFLE_API enum riffle_status riffle_runner_scan(struct riffle_runner *runner, const void *bytes, size_t count,
                                                 riffle_batch_function on_batch, void *context,
                                                 struct riffle_error *error);

/* ---- a batch, inside on_batch ---- */

enum riffle_row_status { RIFFLE_ROW_READ, RIFFLE_ROW_MALFORMED, RIFFLE_ROW_BLANK };

RIFFLE_API uint32_t riffle_batch_rows(const struct riffle_batch *batch);
/* Records that the batch stands for; more than its rows only with has_prefilter. */
RIFFLE_API uint32_t riffle_batch_records(const struct riffle_batch *batch);
/* The record's bytes, line end excluded; of FIX in a log with what stands before and behind the message in its line. */
RIFFLE_API const char *riffle_batch_record(const struct riffle_batch *batch, uint32_t row, size_t *count);
/* Offset of the record in the buffer, and its number in it, from 0. */
RIFFLE_API uint64_t riffle_batch_offset(const struct riffle_batch *batch, uint32_t row);
RIFFLE_API uint64_t riffle_batch_number(const struct riffle_batch *batch, uint32_t row);
RIFFLE_API enum riffle_row_status riffle_batch_status(const struct riffle_batch *batch, uint32_t row);
/* Bitmaps of riffle_batch_rows bits in 64-bit words; bits behind the last row are zero. */
RIFFLE_API const uint64_t *riffle_batch_truth(const struct riffle_batch *batch, uint32_t predicate);
RIFFLE_API const uint64_t *riffle_batch_falsity(const struct riffle_batch *batch, uint32_t predicate);
/* Rows for which the predicate is true: all are counted; the first rows_max are written, ascending. */
RIFFLE_API uint32_t riffle_batch_selected(const struct riffle_batch *batch, uint32_t predicate, uint32_t *rows,
                                          uint32_t rows_max);

enum riffle_type {
    RIFFLE_ABSENT, /* a path that leads to nothing */
    RIFFLE_ERROR,  /* evaluation error; text says which */
    RIFFLE_NULL,
    RIFFLE_BOOL,   /* integer 0 or 1 */
    RIFFLE_INT,
    RIFFLE_UINT,
    RIFFLE_DOUBLE,
    RIFFLE_NUMBER, /* a number of the message: real is the double, text the token as written */
    RIFFLE_STRING,
    RIFFLE_BYTES,
    RIFFLE_LIST,   /* text is JSON */
    RIFFLE_MAP,    /* text is JSON */
    RIFFLE_TIMESTAMP, /* integer: seconds since 1970; natural: nanoseconds of the second; text: RFC 3339 */
    RIFFLE_DURATION   /* integer: nanoseconds; text: "1.5s" */
};

struct riffle_value {
    enum riffle_type type;
    int64_t integer;   /* BOOL, INT, TIMESTAMP, DURATION */
    uint64_t natural;  /* UINT, TIMESTAMP */
    double real;       /* DOUBLE, NUMBER */
    const char *text;  /* not zero-terminated; lives until the next riffle_batch_value or the end of on_batch */
    size_t text_count;
};

/* The value of a projection for one row that is neither malformed nor blank. */
RIFFLE_API enum riffle_status riffle_batch_value(const struct riffle_batch *batch, uint32_t projection, uint32_t row,
                                                 struct riffle_value *value, struct riffle_error *error);

/* A projection that is a plain path, as arrays over the rows; false when the projection is computed (then
 * riffle_batch_value is the way). kind[r]: enum riffle_type; it is made when asked: one pass over R bytes.
 * payload[r]: bits of the double (NUMBER, exact up to 2^53), 0 or 1 (BOOL), else unspecified. Rows that are malformed
 * or blank have unspecified cells. */
struct riffle_column {
    const uint8_t *kind;
    const uint64_t *payload;
};
RIFFLE_API bool riffle_batch_column(const struct riffle_batch *batch, uint32_t projection, struct riffle_column *column);

#ifdef __cplusplus
}
#endif

#endif
