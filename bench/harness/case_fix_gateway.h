/* case_fix_gateway.h: what the cases about a FIX gateway share.
 *
 * Purpose    The work of an order gateway in parts: orders come in, go out as NewOrderSingle, are answered by ExecutionReports,
 *            and are stored. Each part is there twice: by riffle, and as careful plain C to compare with.
 * Data       requests    FIX_MESSAGES orders as a client sends them: u32 length of the rest, then i64 quantity, price (of
 *                        ten-thousandths) and time, side, type, and three texts with a length byte each; native byte order
 *            executions  FIX_MESSAGES ExecutionReports of about 245 bytes, back to back: 8 9 35 49 56 34 52 37 11 17 150 39 1 55
 *                        54 38 32 31 151 14 6 60 10. They answer the orders, or (FIX_BOOKED) are of 20 accounts and 50
 *                        symbols. Every ExecID is different unless the orders are one and the same.
 *            row         what is stored: texts with a length byte each, numbers of 8 bytes
 * Ownership  what is opened is closed by the function of the same noun; texts point into what they were read from.
 * Errors     false, and a line on stderr.
 */
#ifndef BENCH_CASE_FIX_GATEWAY_H
#define BENCH_CASE_FIX_GATEWAY_H

#include "case_fix.h"
#include "column.h"
#include "fix_encode.h"
#include "fix_index.h"

/* ---- Messages ---- */

enum { FIX_REQUEST_MAX = 128, FIX_EXECUTION_MAX = 384 };
enum fix_owner { FIX_ANSWER, FIX_BOOKED };

struct fix_texts { /* text i: bytes[begin[i], begin[i + 1]), readable padding behind the last one */
    char *bytes;
    uint32_t *begin; /* [FIX_MESSAGES + 1] */
};

bool fix_requests_open(struct fix_texts *requests, const struct fix_orders *orders);
bool fix_executions_open(struct fix_texts *executions, const struct fix_orders *orders, enum fix_owner owner);
/* The orders themselves, as plain C encodes them. */
bool fix_order_messages_open(struct fix_texts *messages, const struct fix_orders *orders, bool is_heartbeat);
void fix_texts_close(struct fix_texts *texts);
static inline struct rf_str fix_text(const struct fix_texts *texts, uint32_t i)
{
    return (struct rf_str){texts->bytes + texts->begin[i], texts->begin[i + 1] - texts->begin[i]};
}

/* An order without a number; its texts are those of the request. */
bool fix_request_read(struct rf_str request, struct fix_order *order);

/* ---- What is wanted of an ExecutionReport ---- */

enum fix_wanted {
    FIX_WANTED_TYPE,
    FIX_WANTED_SENDER,
    FIX_WANTED_ORDER_ID,
    FIX_WANTED_EXEC_ID,
    FIX_WANTED_EXEC_REF_ID,
    FIX_WANTED_EXEC_TYPE,
    FIX_WANTED_TRANS_TYPE,
    FIX_WANTED_ACCOUNT,
    FIX_WANTED_SYMBOL,
    FIX_WANTED_SIDE,
    FIX_WANTED_LAST_QUANTITY,
    FIX_WANTED_LAST_PRICE,
    FIX_WANTED
};
extern const uint32_t fix_wanted_tag[FIX_WANTED];

/* By riffle: framed, both checks, the wanted fields as spans; up to rows_max messages at a time. */
struct fix_decoder {
    enum rf_isa isa;
    struct rf_batch batch;
    struct rf_rows rows;
    struct rf_fix_frame frame;
    struct rf_fix_index index;
    struct rf_columns columns;
};
bool fix_decoder_open(struct fix_decoder *decoder, const uint32_t *tags, uint32_t slots, uint32_t rows_max);
void fix_decoder_close(struct fix_decoder *decoder);
/* False, told: not `messages` good ones. RF_BATCH_PADDING bytes behind them are readable. */
bool fix_decoder_run(struct fix_decoder *decoder, struct rf_str bytes, uint32_t messages);
static inline struct rf_str fix_decoder_text(const struct fix_decoder *decoder, enum fix_wanted wanted, uint32_t row)
{
    const struct rf_column *const column = &decoder->columns.slot[wanted];
    return (struct rf_str){(const char *)decoder->batch.bytes + column->begin[row], column->length[row]};
}
static inline char fix_first_char(struct rf_str text)
{
    return text.count == 0 ? 0 : text.data[0];
}

/* Plain C: one pass over the fields, both checks; the first field of each wanted tag. */
struct fix_plain_report {
    struct rf_str text[FIX_WANTED]; /* absent: count 0 */
    size_t bytes;                   /* of the message */
};
bool fix_plain_decode(const char *bytes, size_t count, struct fix_plain_report *report);
/* Digits with up to four behind a point, in ten-thousandths. */
bool fix_plain_decimal(struct rf_str text, int64_t *out);
bool fix_plain_number(struct rf_str text, int64_t *out);
uint32_t fix_plain_sum(const char *bytes, size_t count);
/* The value of the first field of a tag ("31=") by going from field to field; count 0 when there is none. */
struct rf_str fix_plain_find(struct rf_str message, struct rf_str head);
/* The same by memmem for SOH and head, which raw data misleads. */
struct rf_str fix_plain_search(struct rf_str message, struct rf_str separator_and_head);

/* ---- Rows ---- */

enum { FIX_ROW_TEXT_MAX = 48, FIX_ROW_MAX = 320 };

struct fix_row {
    struct rf_str order_id, exec_id, account, symbol; /* at most FIX_ROW_TEXT_MAX bytes each */
    char side;
    int64_t quantity;
    int64_t price;
    int64_t last_quantity;
    double last_price;
};
/* Bytes written. */
size_t fix_row_write(const struct fix_row *row, char out[FIX_ROW_MAX]);
/* The sum of its bytes, without writing it. */
uint32_t fix_plain_row_sum(const struct fix_row *row);

/* ---- The path of an order ---- */

struct fix_path {
    const struct fix_texts *requests;
    bool is_plain;
    struct rf_fix_template header;
    struct rf_fix_encoder encoder;
    struct fix_plain plain;
    struct fix_decoder decoder;
    struct fix_order order; /* the one that was sent last */
    char row[FIX_ROW_MAX];
    size_t row_bytes;
};
bool fix_path_open(struct fix_path *path, const struct fix_texts *requests, bool is_plain);
void fix_path_close(struct fix_path *path);
/* Reads request i and encodes it somewhere in out[FIX_MESSAGE_BYTES]. */
bool fix_path_send(struct fix_path *path, uint32_t i, uint64_t sequence, char *out, struct rf_str *message);
/* Decodes one report, which must answer `order`, and leaves the row in path->row. */
bool fix_path_receive(struct fix_path *path, const struct fix_order *order, struct rf_str report);
/* By riffle, the same for row `at` of what path->decoder has decoded. */
bool fix_path_take(struct fix_path *path, const struct fix_order *order, uint32_t at);
/* What a report says of a row; the order's quantity and price are left 0. */
bool fix_plain_row(const struct fix_plain_report *report, struct fix_row *row);
/* CheckSum's sum of path->row. */
uint32_t fix_path_row_sum(const struct fix_path *path);

/* ---- A log that is only appended to ---- */

struct fix_log {
    int fd;
    char *path;
    char *block; /* [FIX_LOG_BLOCK] */
    size_t used;
};
enum { FIX_LOG_BLOCK = 1 << 20 };
/* A new file in the folder, which is removed when it is closed. */
bool fix_log_open(struct fix_log *log, const char *folder);
void fix_log_close(struct fix_log *log);
bool fix_log_append(struct fix_log *log, const char *bytes, size_t count);
/* What was appended is on the disk (fdatasync). */
bool fix_log_sync(struct fix_log *log);
/* "ext4", "tmpfs", ...: what an fsync costs depends on it. */
const char *fix_log_system(const struct fix_log *log);

/* ---- Percentiles of single times ---- */

/* Sorts them, and prints the line. */
void fix_times_print(const char *name, uint64_t *time_ns, size_t count);

#endif
