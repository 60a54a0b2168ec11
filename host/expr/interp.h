/* interp.h: the reference engine: complete, one record at a time, plain code. Every other engine must agree with it.
 *
 * Purpose    rf_interp_read reads one record; then rf_interp_predicate decides predicates, rf_interp_host single
 *            trees for the vector engines, and rf_interp_project gives projected values.
 * Data       A record is read in three steps, and the verdict of each is final:
 *              1. structure: the whole record must be one JSON value by tokens and brackets (scalars outside the used
 *                 paths are not looked into; with is_validating they are, RFC 8259 and UTF-8);
 *              2. touched values: the value at each slot's path (inner steps too) must be a valid token; a slot with
 *                 is_deep is validated to the bottom. Duplicate keys: the last one counts, earlier ones are not looked
 *                 into. A key whose escapes are bad equals no name;
 *              3. evaluation.
 * Ownership  struct rf_interp belongs to one thread; values point into its arena and live until the next
 *            evaluation.
 * Threads    one interp for each thread; the compiled program is shared.
 * Errors     RF_E_MEMORY only (arena bound: 64 MiB + 64 x record bytes).
 */
#ifndef RF_INTERP_H
#define RF_INTERP_H

#include "compile.h"
#include "reason.h"

/* The batch layer is not in reach here: the envelope comes as plain values. */
struct rf_record {
    struct rf_str text; /* the record, line end excluded */
    size_t line_end_bytes; /* of the line end that stands behind the text in memory, for FIX, whose last separator it may
                              be; 0: none */
    struct rf_str file;
    uint64_t number, offset;
    struct rf_instant now;          /* of the batch */
    const struct rf_value *binding; /* [env->declarations] declared variables; RF_TYPE_DYN: no value. NULL: none has */
};

struct rf_interp_options {
    uint32_t depth_max; /* nesting of a record: deeper is malformed */
    bool is_validating; /* --validate */
    bool is_lenient;    /* a FIX message with a wrong BodyLength or CheckSum is no malformed record */
};

enum rf_truth { RF_TRUTH_FALSE, RF_TRUTH_TRUE, RF_TRUTH_ERROR };

struct rf_interp;

enum rf_status rf_interp_open(struct rf_interp **out, const struct rf_compiled *compiled,
                              struct rf_interp_options options, struct rf_error *err);
void rf_interp_close(struct rf_interp *interp);

/* Reads a record: steps 1 and 2. malformed->reason == 0 when it is well formed. Blank records are the caller's
 * business. */
enum rf_status rf_interp_read(struct rf_interp *interp, const struct rf_record *record, struct rf_malformed *malformed,
                              struct rf_error *err);
/* Step 3, of the record read last. */
enum rf_truth rf_interp_predicate(struct rf_interp *interp, uint32_t predicate);
enum rf_truth rf_interp_host(struct rf_interp *interp, uint32_t host);
/* The value holds no errors, or is one. A number beyond the double range passes through paths, lists and maps as
 * written. */
struct rf_value rf_interp_project(struct rf_interp *interp, uint32_t projection);
/* Reads nothing: for expressions over declared variables alone. Then rf_interp_predicate and _project as above. */
void rf_interp_bind(struct rf_interp *interp, const struct rf_record *record);
/* Text of the error that the last evaluation gave, for samples; "" when it gave none. */
struct rf_str rf_interp_error(const struct rf_interp *interp);
/* Where in the source of its expression: the innermost part whose evaluation gave that error. False when there is none.
 * rf_diagnostic_fail makes a picture of both. */
bool rf_interp_error_span(const struct rf_interp *interp, struct rf_span *span);

#endif
