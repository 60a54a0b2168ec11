/* FX-hostile: streams that are made to be framed slowly, one head again and again. No input may hold a program up.
 *
 * Sides   cut            the stream is cut into batches of whole entries (rf_memory_fill), as a source does
 *         cut and frame  and the batches are framed, as a worker does
 * A shape counts by its slower limit of a record; what counts is the slowest shape.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"
#include "fix_frame.h"
#include "memory.h"

enum { STREAM_MIB = 1, FULL_MIB = 256, ROWS = 4096, PIECE_BYTES = 1024, SHOWN = 8, MUST_MB_S = 20, SHAPES_MAX = 256 };

static const size_t limits[] = {64 << 10, 16 << 20};
enum { LIMITS = sizeof limits / sizeof limits[0] };

/* `|` stands for each of the four separators in turn. */
static const struct shape {
    const char *name;
    const char *first; /* once */
    const char *again; /* as often as the stream has room */
    uint32_t far; /* %u: a BodyLength that leads to the trailer of the message that begins about so many bytes behind */
} shapes[] = {
    {"empty lines", "", "\n", 0},
    {"lines of a blank", "", " \n", 0},
    {"lines of a letter", "", "x\n", 0},
    {"no message, no line end", "", "x", 0},
    {"separators", "", "|", 0},
    {"eights", "", "8", 0},
    {"heads without version", "", "8=", 0},
    {"heads without separator", "", "8=FIX", 0},
    {"versions", "", "8=FIX.4.4", 0},
    {"first fields", "", "8=FIX|", 0},
    {"first fields of a log", "", "8=FIX.4.4| ", 0},
    {"lengths without digits", "", "8=FIX.4.4|9=", 0},
    {"lengths of one digit", "", "8=FIX.4.4|9=8", 0},
    {"lengths beyond the limit", "", "8=FIX.4.4|9=999999999|35=D|", 0},
    {"lengths of 16 KB", "", "8=FIX.4.4|9=16000|35=D|", 0},
    {"lengths of 60 KB", "", "8=FIX.4.4|9=60000|35=D|", 0},
    {"lengths that lead to a near trailer", "", "8=FIX.4.4|9=%05u|35=D|34=1|10=000|", 100},
    {"lengths that lead to a trailer 16 KB away", "", "8=FIX.4.4|9=%05u|35=D|34=1|10=000|", 16000},
    {"lengths that lead to a trailer 60 KB away", "", "8=FIX.4.4|9=%05u|35=D|34=1|10=000|", 60000},
    {"the same with line ends", "", "8=FIX.4.4|9=%05u|35=D|58=a\nb|10=000|", 60000},
    {"the same in texts", "", "8=FIX.4.4|9=%05u|35=D|58=a 8=FIX.4.4|10=000|", 60000},
    {"the same behind no field", "", "8=FIX.4.4|9=%05u|x8=FIX.4.4|\n10=000|", 60000},
    {"messages with a wrong sum", "", "8=FIX.4.4|9=10|35=D|34=1|10=000|", 0},
    {"the same in lines", "", "10:00 8=FIX.4.4|9=10|35=D|34=1|10=000| x\r\n", 0},
    {"trailers", "", "10=000|", 0},
    {"trailers and heads", "", "10=000|8=FIX.4.4|", 0},
    {"cut lines", "", "8=FIX.4.4|35=D|55=X\n", 0},
    {"cut lines with a remark", "", "8=FIX.4.4|35=D|x 8=FIX\n", 0},
    {"cut messages in one line", "", "8=FIX.4.4|35=D|55=X ", 0},
    {"messages in the middle of fields", "", "8=FIX.4.4|35=D|58=x", 0},
    {"one message of empty fields", "8=FIX.4.4|35=D|", "1=|", 0},
    {"one message of no fields", "8=FIX.4.4|35=D|", "|", 0},
    {"one message with a long field", "8=FIX.4.4|9=999999999|35=D|58=", "x", 0},
    {"one message with a long tag", "8=FIX.4.4|9=999999999|35=D|", "1", 0},
    {"one message with heads in a text", "8=FIX.4.4|9=999999999|35=D|58=", "8=FIX.4.4|", 0},
    {"one message with halves of heads", "8=FIX.4.4|9=999999999|35=D|58=", "8=FIX ", 0},
    {"data without end", "", "8=FIX|95=9000|96=", 0},
    {"data of no bytes", "", "8=FIX.4.4|9=50|35=D|95=0|96=|", 0},
    {"data that ends in a head", "", "8=FIX.4.4|9=50|35=D|95=17|96=|", 0},
    {"data of 16 KB", "", "8=FIX.4.4|9=50|35=D|95=16000|96=x|", 0},
    {"data of 60 KB", "", "8=FIX.4.4|9=50|35=D|95=60000|96=x|", 0},
    {"data of 60 KB in a message of 64", "", "8=FIX.4.4|9=64000|35=D|95=60000|96=x|10=000|", 0},
    {"data again and again", "8=FIX.4.4|9=50|35=D|", "95=100|96=x|", 0},
    {"data within data", "", "8=FIX.4.4|35=D|95=40|96=95=40|96=95=40|96=|", 0},
    {"data in halves of separators", "", "8=FIX|95=9000|96=^\\x0", 0},
    {"cut lines of data", "", "8=FIX.4.4|35=B|95=9000|96=abc\n", 0},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

struct stream {
    const struct shape *shape;
    enum rf_fix_separator separator;
    char *bytes;
    size_t count;
    size_t room;
};

struct speed {
    double cut_mb_s;
    double all_mb_s;
    size_t limit;
};

struct sides {
    struct rf_fix_frame frame;
    struct rf_rows rows;
    struct rf_batch batch;
};

static void piece_put(struct stream *stream, const char *piece)
{
    for (; *piece != '\0'; piece++) {
        const bool is_separator = *piece == '|';
        const char *text = is_separator ? rf_fix_separator_text(stream->separator) : piece;
        const size_t bytes = is_separator ? rf_fix_separator_bytes(stream->separator) : 1;
        if (bytes > stream->room - stream->count) {
            stream->room = stream->count; /* full */
            return;
        }
        memcpy(stream->bytes + stream->count, text, bytes);
        stream->count += bytes;
    }
}

/* Behind which byte of the repeated piece BodyLength begins to count, and where its trailer begins. */
static void piece_measure(const struct stream *stream, const char *piece, size_t *body, size_t *trailer, size_t *bytes)
{
    char text[PIECE_BYTES];
    struct stream whole = {.separator = stream->separator, .bytes = text, .room = sizeof text};
    piece_put(&whole, piece);
    text[whole.count] = '\0';
    const char *separator = rf_fix_separator_text(stream->separator);
    *body = (size_t)(strstr(strstr(text, "9="), separator) - text) + rf_fix_separator_bytes(stream->separator);
    *trailer = (size_t)(strstr(text, "10=000") - text);
    *bytes = whole.count;
}

static void stream_fill(struct stream *stream, size_t room)
{
    const struct shape *shape = stream->shape;
    char piece[PIECE_BYTES];
    size_t body, trailer, bytes;
    snprintf(piece, sizeof piece, "%s", shape->again);
    if (shape->far != 0) {
        const char *at = strstr(shape->again, "%05u");
        const int before = (int)(at - shape->again);
        snprintf(piece, sizeof piece, "%.*s%05u%s", before, shape->again, 0u, at + 4);
        piece_measure(stream, piece, &body, &trailer, &bytes);
        const size_t length = shape->far / bytes * bytes + trailer - body;
        snprintf(piece, sizeof piece, "%.*s%05u%s", before, shape->again, (unsigned)length, at + 4);
    }
    stream->count = 0;
    stream->room = room;
    piece_put(stream, shape->first);
    while (stream->count < stream->room) {
        piece_put(stream, piece);
    }
}

static uint64_t batch_frame(struct sides *sides, size_t limit)
{
    uint64_t rows = 0;
    sides->frame.record_bytes_max = (uint32_t)limit;
    for (uint32_t at = 0; at < sides->batch.bytes_used; at = sides->rows.cursor) {
        rf_fix_frame_run(&sides->frame, rf_isa_best(), &sides->batch, (struct rf_span32){at, sides->batch.bytes_used},
                         RF_FIX_LAST, &sides->rows);
        rows += sides->rows.rows;
    }
    return rows;
}

/* Of this thread: the bound holds for the work that a shape causes, whoever else has the processor. */
static uint64_t work_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* The stream once. False: an entry or a byte is lost. */
static bool stream_run(struct sides *sides, const struct stream *stream, size_t limit, bool has_frames, uint64_t *ns)
{
    struct rf_error err;
    struct rf_memory memory = {.bytes = (const uint8_t *)stream->bytes,
                               .count = stream->count,
                               .batch_bytes = RF_BATCH_BYTES_DEFAULT,
                               .record_bytes_max = limit,
                               .is_fix = true};
    uint64_t entries = 0;
    uint64_t rows = 0;
    const uint64_t begin_ns = work_ns();
    enum rf_status status = rf_memory_begin(&memory, true, &err);
    while (status == RF_OK && (status = rf_memory_fill(&memory, &sides->batch, &err)) == RF_OK) {
        if (!sides->batch.is_oversize) {
            entries += memory.entries;
            rows += has_frames ? batch_frame(sides, limit) : memory.entries;
        }
    }
    *ns = work_ns() - begin_ns;
    if (status != RF_END || memory.cursor != stream->count || rows != entries) {
        fprintf(stderr, "riffle-bench: FX-hostile: %s: %" PRIu64 " entries, %" PRIu64 " rows, %zu bytes of %zu\n",
                stream->shape->name, entries, rows, memory.cursor, stream->count);
        return false;
    }
    return true;
}

/* MB/s by the best of the laps. */
static bool stream_time(struct sides *sides, const struct stream *stream, size_t limit, bool has_frames, uint32_t laps,
                        double *mb_s)
{
    uint64_t best_ns = UINT64_MAX;
    for (uint32_t lap = 0; lap < laps; lap++) {
        uint64_t ns;
        if (!stream_run(sides, stream, limit, has_frames, &ns)) {
            return false;
        }
        best_ns = ns < best_ns ? ns : best_ns;
    }
    *mb_s = (double)stream->count * 1e3 / (double)best_ns;
    return true;
}

static bool shape_time(struct sides *sides, const struct stream *stream, uint32_t laps, struct speed *speed)
{
    for (size_t i = 0; i < LIMITS; i++) {
        struct speed one = {.limit = limits[i]};
        if (!stream_time(sides, stream, limits[i], false, laps, &one.cut_mb_s) ||
            !stream_time(sides, stream, limits[i], true, laps, &one.all_mb_s)) {
            return false;
        }
        *speed = i == 0 || one.all_mb_s < speed->all_mb_s ? one : *speed;
    }
    return true;
}

struct result {
    const struct shape *shape;
    enum rf_fix_separator separator;
    struct speed speed;
};

static int results_compare(const void *a, const void *b)
{
    const struct result *x = a;
    const struct result *y = b;
    return (x->speed.all_mb_s > y->speed.all_mb_s) - (x->speed.all_mb_s < y->speed.all_mb_s);
}

static void results_print(struct result *result, uint32_t results)
{
    static const char *const separator[] = {"SOH", "|", "^A", "\\x01"};
    qsort(result, results, sizeof result[0], results_compare);
    printf("  %-46s %-10s %10s %10s %14s\n", "the slowest of them", "separator", "limit KiB", "cut MB/s", "and framed");
    for (uint32_t i = 0; i < results && i < SHOWN; i++) {
        const bool has_separator =
            strchr(result[i].shape->again, '|') != NULL || strchr(result[i].shape->first, '|') != NULL;
        printf("  %-46s %-10s %10zu %10.1f %14.1f\n", result[i].shape->name,
               has_separator ? separator[result[i].separator] : "", result[i].speed.limit >> 10,
               result[i].speed.cut_mb_s, result[i].speed.all_mb_s);
    }
    if (results > 0) {
        const double worst = result[0].speed.all_mb_s;
        printf("  %" PRIu32 " shapes, the slowest %.1f MB/s (must be >= %d): %s\n\n", results, worst, MUST_MB_S,
               worst >= MUST_MB_S ? "must met" : "MUST MISSED");
    }
}

static bool shapes_run(struct bench *bench, struct sides *sides, char *bytes, size_t room)
{
    static struct result result[SHAPES_MAX];
    uint32_t results = 0;
    for (uint32_t s = 0; s < SHAPES; s++) {
        const struct shape *shape = &shapes[s];
        const bool has_separator = strchr(shape->again, '|') != NULL || strchr(shape->first, '|') != NULL;
        if (bench->shape != NULL && strstr(shape->name, bench->shape) == NULL) {
            continue;
        }
        for (int separator = 0; separator < (has_separator ? RF_FIX_SEPARATOR_COUNT : 1); separator++) {
            struct stream stream = {.shape = shape, .separator = (enum rf_fix_separator)separator, .bytes = bytes};
            stream_fill(&stream, room);
            result[results] = (struct result){.shape = shape, .separator = stream.separator};
            if (!shape_time(sides, &stream, bench->laps, &result[results++].speed)) {
                return false;
            }
        }
    }
    results_print(result, results);
    return true;
}

bool case_fix_hostile(struct bench *bench)
{
    struct sides sides = {0};
    struct rf_error err;
    const size_t room = ((size_t)STREAM_MIB << 20) * bench->fix_log.mib / FULL_MIB;
    char *bytes = malloc(room + 1);
    bool is_good = false;
    printf("FX-hostile  heads again and again, cut into batches of entries, then framed besides; %.2f MiB each\n"
           "  timed: processor time, the best of %" PRIu32 " laps; by the slower of the limits of a record\n",
           (double)room / (1 << 20), bench->laps);
    if (bytes == NULL || rf_rows_open(&sides.rows, ROWS, &err) != RF_OK ||
        rf_fix_frame_open(&sides.frame, ROWS, (uint32_t)limits[0], false, &err) != RF_OK) {
        fprintf(stderr, "riffle-bench: FX-hostile: no memory\n");
    } else {
        is_good = shapes_run(bench, &sides, bytes, room);
    }
    rf_fix_frame_close(&sides.frame);
    rf_rows_close(&sides.rows);
    rf_batch_close(&sides.batch);
    free(bytes);
    return is_good;
}
