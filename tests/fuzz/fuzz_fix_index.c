/* The input as the body of a message, framed rightly, a few times over with other messages between: fields, flags, verdicts and
 * wanted columns of every level are those of the reference decoder. The first byte chooses the separator. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/fix/fix_samples.h"
#include "../unit/kernels/fix_reference.h"
#include "fix_cells.h"
#include "fix_type.h"
#include "fix_index.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BODY_MAX = 3000, COPIES = 3, ROWS_MAX = 64, BATCH_MAX = 1 << 16, WANTED = 6, LIMIT = 1 << 20 };

static const uint32_t wanted[WANTED] = {35, 55, 44, 10, 448, 1};

struct stages {
    struct rf_rows rows;
    struct rf_fix_frame frame;
    struct rf_fix_index index;
    struct rf_columns columns;
};

static void require(bool is_good, const char *what, enum rf_isa isa)
{
    if (!is_good) {
        fprintf(stderr, "fuzz_fix_index: %s: %s\n", rf_isa_name(isa), what);
        abort();
    }
}

static struct stages *stages_open(void)
{
    static struct stages stages;
    struct rf_error err;
    if (stages.rows.begin == NULL && (rf_rows_open(&stages.rows, ROWS_MAX, &err) != RF_OK ||
                                      rf_fix_frame_open(&stages.frame, ROWS_MAX, LIMIT, true, &err) != RF_OK ||
                                      rf_fix_index_open(&stages.index, ROWS_MAX, wanted, WANTED, &err) != RF_OK ||
                                      rf_fix_index_reserve(&stages.index, BATCH_MAX, &err) != RF_OK ||
                                      rf_columns_open(&stages.columns, WANTED, ROWS_MAX, &err) != RF_OK)) {
        abort();
    }
    return &stages;
}

/* The reference for a row. False: it is malformed, or was no message before. */
static bool row_decode(const struct stages *stages, const struct rf_batch *batch, uint32_t row, uint8_t status,
                       uint8_t flags, uint8_t reason, enum rf_isa isa, struct reference *reference)
{
    const struct rf_fix_frame *frame = &stages->frame;
    if (status != RF_ROW_REJECTED) {
        require(stages->rows.status[row] == status, "a verdict of framing is lost", isa);
        return false;
    }
    reference_decode(batch->bytes, frame->message[row], frame->message_end[row],
                     (enum rf_fix_separator)frame->separator[row], reason == RF_REASON_FIX_CUT, reference);
    const bool is_bad = (reference->flags & (RF_FIX_BAD_TAG | RF_FIX_BAD_DATA)) != 0;
    reference->flags &= is_bad ? (uint8_t)~RF_FIX_DUPLICATE : 0xff;
    require(frame->flags[row] == (flags | reference->flags), "other flags", isa);
    require((stages->rows.status[row] == RF_ROW_MALFORMED) == is_bad, "another verdict", isa);
    require(!is_bad || frame->fault[row] == reference->fault, "another place", isa);
    return !is_bad;
}

static void check_all(const struct stages *stages, const struct reference *reference, uint32_t row, bool is_good,
                      enum rf_isa isa)
{
    const struct rf_fix_index *index = &stages->index;
    const uint32_t first = index->first[row];
    require(index->first[row + 1] - first == (is_good ? reference->count : 0), "another count of fields", isa);
    for (uint32_t f = 0; is_good && f < reference->count; f++) {
        require(index->tag[first + f] == reference->tag[f] && index->begin[first + f] == reference->begin[f] &&
                    index->length[first + f] == reference->end[f] - reference->begin[f],
                "another field", isa);
    }
}

static void check_wanted(const struct stages *stages, const struct reference *reference, uint32_t row, bool is_good,
                         enum rf_isa isa)
{
    for (uint32_t s = 0; s < WANTED; s++) {
        const struct rf_column *column = &stages->columns.slot[s];
        uint32_t f = 0;
        while (is_good && f < reference->count && reference->tag[f] != wanted[s]) {
            f++;
        }
        const bool is_there = is_good && f < reference->count;
        require(column->tag[row] == (is_there ? RF_TAG_STRING_RAW : RF_TAG_ABSENT), "another presence", isa);
        require(!is_there || (column->begin[row] == reference->begin[f] &&
                              column->length[row] == reference->end[f] - reference->begin[f]),
                "another span", isa);
    }
}

/* Typed cells of a column: the vector forms against the rule. */
static void check_cells(struct stages *stages, const struct rf_batch *batch, enum rf_isa isa)
{
    struct rf_column *column = &stages->columns.slot[2];
    uint8_t was[ROWS_MAX];
    memcpy(was, column->tag, stages->rows.rows);
    rf_fix_cells_double(isa, batch, stages->rows.rows, column);
    for (uint32_t row = 0; row < stages->rows.rows; row++) {
        const struct rf_str text = {(const char *)batch->bytes + column->begin[row], column->length[row]};
        double value = 0;
        const bool is_there = was[row] == RF_TAG_STRING_RAW;
        const bool is_number = is_there && rf_fix_double(text, &value);
        require(!is_there || column->tag[row] == (is_number ? RF_TAG_DOUBLE : RF_TAG_ERROR), "another type", isa);
        require(!is_number || memcmp(&column->payload[row], &value, sizeof value) == 0, "another number", isa);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct reference reference;
    static uint8_t bytes[BATCH_MAX];
    static uint8_t status[ROWS_MAX], flags[ROWS_MAX], reason[ROWS_MAX];
    char body[BODY_MAX + 64] = "35=8\001";
    if (size < 2 || size > BODY_MAX) {
        return 0;
    }
    const struct sample_options options = {.separator = (enum rf_fix_separator)(data[0] % RF_FIX_SEPARATOR_COUNT),
                                           .sum_off = (data[0] & 0x40) != 0,
                                           .lack = (enum sample_lack)(data[0] / 4 % 8)};
    memcpy(body + 5, data + 1, size - 1);
    size_t body_bytes = 5 + size - 1;
    if (body[body_bytes - 1] != 1) {
        body[body_bytes++] = 1;
    }
    size_t count = 0;
    for (int copy = 0; copy < COPIES; copy++) { /* the later ones are known sequences of tags */
        count += sample_put(bytes + count, body, body_bytes, options);
        bytes[count++] = '\n';
        count += SAMPLE_PUT(bytes + count, SAMPLE_BODY, .separator = RF_FIX_SOH);
    }
    uint8_t *copy = malloc(count + RF_BATCH_PADDING);
    if (copy == NULL) {
        abort();
    }
    memcpy(copy, bytes, count);
    memset(copy + count, '=', RF_BATCH_PADDING);
    const struct rf_batch batch = {.bytes = copy, .bytes_used = (uint32_t)count};
    struct stages *stages = stages_open();
    for (int isa = RF_ISA_SCALAR; isa <= (int)rf_isa_best(); isa++) {
        for (int is_all = 0; is_all < 2; is_all++) {
            const enum rf_isa level = (enum rf_isa)isa;
            const struct rf_span32 span = {0, batch.bytes_used};
            rf_fix_frame_run(&stages->frame, level, &batch, span, RF_FIX_LAST, &stages->rows);
            memcpy(status, stages->rows.status, stages->rows.rows);
            memcpy(flags, stages->frame.flags, stages->rows.rows);
            memcpy(reason, stages->frame.reason, stages->rows.rows);
            if (is_all) {
                rf_fix_index_all(&stages->index, level, &batch, &stages->rows, &stages->frame);
            } else {
                rf_fix_index_wanted(&stages->index, level, &batch, &stages->rows, &stages->frame, &stages->columns);
            }
            for (uint32_t row = 0; row < stages->rows.rows; row++) {
                const bool is_good = row_decode(stages, &batch, row, status[row], flags[row], reason[row], level, &reference);
                (is_all ? check_all : check_wanted)(stages, &reference, row, is_good, level);
            }
            if (!is_all) {
                check_cells(stages, &batch, level);
            }
        }
    }
    free(copy);
    return 0;
}
