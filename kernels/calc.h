/* calc.h: computed columns: what functions make of slots, constants and other computed columns.
 *
 * Purpose    rf_calc_run fills one computed column for the live rows of a block, by a function on the cells of each
 *            row (struct rf_calc_op). The columns are terms of atoms like any slot.
 * Data       a cell is a tag with what belongs to it (tag.def): payload; text and length of STRING, BYTES, TYPE, LIST and
 *            OBJECT; nanoseconds in length of a TIMESTAMP. payload of a string is rf_str_prefix of its text. STRING_RAW
 *            and STRING_ESCAPED are the same to functions; computed strings are STRING_RAW.
 *            Column: tag[R] u8, payload[R] u64, length[R] u32, text[R] pointer, R = RF_EVAL_BLOCK_ROWS; rows that are
 *            not live are garbage.
 * Semantics  those of the interpreter (host/expr/operate.h) for the same function, cell by cell; RF_TAG_ERROR where it
 *            gives an error value. A cell that a function has no form for (a text beyond the bound, a list too deep) is
 *            RF_TAG_HOST: the interpreter is asked about the row.
 * Ownership  columns and scratch texts belong to the eval plan; texts live until the next block.
 * Threads    one for each worker.
 */
#ifndef RF_CALC_H
#define RF_CALC_H

#include "arena.h"
#include "column.h"
#include "eval_kernels.h"
#include "instant.h"
#include "ip.h"
#include "program.h"
#include "regex.h"

struct rf_cell {
    enum rf_tag tag;
    uint32_t length;
    uint64_t payload;
    const char *text;
};

struct rf_calc_column {
    uint8_t tag[RF_EVAL_BLOCK_ROWS];
    uint64_t payload[RF_EVAL_BLOCK_ROWS];
    uint32_t length[RF_EVAL_BLOCK_ROWS];
    const char *text[RF_EVAL_BLOCK_ROWS];
};

/* Where the cells of a term are, for the rows of one block. */
struct rf_calc_view {
    const uint8_t *tag; /* of the block's first row, as the next */
    const uint64_t *payload;
    const uint32_t *length;
    const uint32_t *begin;    /* of a slot; else NULL */
    const char *const *text;  /* of a computed column or constant; else NULL */
    const uint8_t *bytes;     /* of the batch, and the side text: bases of begin */
    const uint8_t *side;
    uint32_t stride;          /* 1; 0 of a constant: one cell for all rows */
};

static inline struct rf_cell rf_calc_cell(const struct rf_calc_view *view, uint32_t row)
{
    const size_t i = (size_t)row * view->stride;
    struct rf_cell cell = {.tag = (enum rf_tag)view->tag[i], .payload = view->payload[i], .length = view->length[i]};
    if (view->text != NULL) {
        cell.text = view->text[i];
    } else {
        const uint32_t begin = view->begin[i];
        cell.text = (const char *)((begin & RF_SIDE_BIT) != 0 ? view->side : view->bytes) + (begin & ~RF_SIDE_BIT);
    }
    return cell;
}

/* What functions need beside their cells. */
struct rf_calc_run {
    const struct rf_calc *calc;
    struct rf_arena *scratch; /* of texts; full: the cell is RF_TAG_HOST */
};

/* arg[calc->args]: usable cells: neither missing, nor RANGE, ERROR or HOST. *out is RF_TAG_ERROR when it is called. */
typedef void (*rf_calc_op)(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out);

/* The function on cells; NULL when it has none. calc_number.c, calc_text.c, calc_time.c ...: one for each family. */
rf_calc_op rf_calc_number_op(enum rf_function function);  /* arithmetic, comparison, math */
rf_calc_op rf_calc_convert_op(enum rf_function function);
rf_calc_op rf_calc_text_op(enum rf_function function);
rf_calc_op rf_calc_time_op(enum rf_function function);
rf_calc_op rf_calc_code_op(enum rf_function function);    /* base64, hashes */
rf_calc_op rf_calc_net_op(enum rf_function function);
rf_calc_op rf_calc_format_op(enum rf_function function); /* format() alone */
/* calc_list.h has that of lists, maps and optionals; calc_macro.h the macros. */

static inline struct rf_str rf_cell_text(const struct rf_cell *cell)
{
    return (struct rf_str){cell->text, cell->length};
}

static inline bool rf_cell_is_string(const struct rf_cell *cell)
{
    return cell->tag == RF_TAG_STRING_RAW || cell->tag == RF_TAG_STRING_ESCAPED;
}

static inline struct rf_cell rf_cell_of_bool(bool value)
{
    return (struct rf_cell){.tag = value ? RF_TAG_TRUE : RF_TAG_FALSE, .payload = value, .text = ""};
}

static inline struct rf_cell rf_cell_of_int(int64_t value)
{
    return (struct rf_cell){.tag = RF_TAG_INT, .payload = (uint64_t)value, .text = ""};
}

static inline struct rf_cell rf_cell_of_uint(uint64_t value)
{
    return (struct rf_cell){.tag = RF_TAG_UINT, .payload = value, .text = ""};
}

/* tag: DOUBLE, or NUMBER for a message number. */
static inline struct rf_cell rf_cell_of_double(double value, enum rf_tag tag)
{
    struct rf_cell cell = {.tag = tag, .text = ""};
    memcpy(&cell.payload, &value, sizeof value);
    return cell;
}

static inline double rf_cell_double(const struct rf_cell *cell)
{
    double value;
    memcpy(&value, &cell->payload, sizeof value);
    return value;
}

static inline struct rf_cell rf_cell_of_instant(struct rf_instant instant)
{
    return (struct rf_cell){
        .tag = RF_TAG_TIMESTAMP, .payload = (uint64_t)instant.seconds, .length = instant.nanos, .text = ""};
}

static inline struct rf_instant rf_cell_instant(const struct rf_cell *cell)
{
    return (struct rf_instant){(int64_t)cell->payload, cell->length};
}

/* tag: IP or CIDR. The address must outlive the block: a constant, a part of an argument, or scratch. */
static inline struct rf_cell rf_cell_of_net(const struct rf_cidr *net, enum rf_tag tag)
{
    return (struct rf_cell){.tag = tag, .payload = (uint64_t)(uintptr_t)net, .text = ""};
}

static inline const struct rf_cidr *rf_cell_net(const struct rf_cell *cell)
{
    return (const struct rf_cidr *)(uintptr_t)cell->payload;
}

/* tag: STRING_RAW, BYTES or TYPE. The text must outlive the block: a part of an argument's text, static, or scratch. */
static inline struct rf_cell rf_cell_of_text(struct rf_str text, enum rf_tag tag)
{
    return (struct rf_cell){
        .tag = tag, .length = (uint32_t)text.count, .payload = rf_str_prefix(text), .text = text.data};
}

/* A message number whose value is whole (NUMBER within 2^53, BIGINT, BIGUINT) as the INT or UINT that it is: what functions
 * do that ask for an int, unless is_strict_cel (rf_operate_whole). */
bool rf_cell_whole(const struct rf_cell *cell, struct rf_cell *whole);
/* NUMBER, BIGINT or BIGUINT. */
static inline bool rf_cell_is_message(const struct rf_cell *cell)
{
    return cell->tag == RF_TAG_NUMBER || cell->tag == RF_TAG_BIGINT || cell->tag == RF_TAG_BIGUINT;
}

/* Fills column `out` for the rows in live[words]. */
void rf_calc_run(const struct rf_calc *calc, const struct rf_calc_view *arg, const uint64_t *live, uint32_t words,
                 struct rf_arena *scratch, struct rf_calc_column *out);
/* The same for subjectMatches() of constant patterns (calc_subject.c). */
void rf_calc_run_subject(const struct rf_calc *calc, const struct rf_calc_view *arg, const uint64_t *live,
                         uint32_t words, struct rf_arena *scratch, struct rf_calc_column *out);
/* The same for matches() of a constant pattern: the texts of all rows at once (calc_regex.c). */
void rf_calc_run_matches(const struct rf_calc *calc, const struct rf_calc_view *arg, const uint64_t *live,
                         uint32_t words, struct rf_calc_column *out);

#endif
