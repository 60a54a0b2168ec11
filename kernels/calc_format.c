/* format() on cells (calc.h): the template and its values; what is written of each is in format_text.h.
 *
 * Size       a text is made on the stack; one that doesn't fit there is made a second time, into the scratch.
 * Bounds     the interpreter is asked about longer texts than RF_CALC_TEXT_MAX, and lists nested deeper than
 *            RF_CALC_DEPTH_MAX.
 * Source     host/expr/operate_format.c and format_value.c, which are the definition;
 *            tests/unit/pipeline/test_calc_operate_format.c compares them.
 */
#include <string.h>

#include "calc_list.h"
#include "calc_number.h"
#include "calc_text.h"
#include "format_text.h"

enum { BRIEF_BYTES = 512 };

struct writer {
    struct rf_format_text text;
    struct rf_arena *scratch;
    bool is_host; /* why a call gave false: the interpreter must be asked; else the value has no text */
};

static struct writer writer_of(char *data, size_t max, struct rf_arena *scratch)
{
    return (struct writer){.text = {.data = data, .max = max, .count_max = RF_CALC_TEXT_MAX}, .scratch = scratch};
}

/* Whether the text took what was appended to it. */
static bool took(struct writer *writer, bool is_taken)
{
    writer->is_host = writer->is_host || !is_taken;
    return is_taken;
}

static bool append(struct writer *writer, struct rf_str part)
{
    return took(writer, rf_format_append(&writer->text, part));
}

/* ---- %s ---- */

static bool append_plain(struct writer *writer, const struct rf_cell *cell)
{
    struct rf_format_text *text = &writer->text;
    if (rf_cell_is_number(cell)) {
        return took(writer, rf_format_append_number(text, rf_cell_exact(cell)));
    }
    switch (cell->tag) {
    case RF_TAG_NULL:
        return append(writer, RF_STR("null"));
    case RF_TAG_FALSE:
    case RF_TAG_TRUE:
        return append(writer, cell->tag == RF_TAG_TRUE ? RF_STR("true") : RF_STR("false"));
    case RF_TAG_STRING_RAW:
    case RF_TAG_STRING_ESCAPED:
    case RF_TAG_TYPE:
        return append(writer, rf_cell_text(cell));
    case RF_TAG_BYTES:
        return took(writer, rf_format_append_bytes(text, rf_cell_text(cell)));
    case RF_TAG_TIMESTAMP:
        return took(writer, rf_format_append_instant(text, rf_cell_instant(cell)));
    case RF_TAG_DURATION:
        return took(writer, rf_format_append_duration(text, (int64_t)cell->payload));
    case RF_TAG_HOST:
        return took(writer, false);
    default: /* beyond range, an error, an optional, an address */
        return false;
    }
}

/* Of a bool, int, uint or string. */
static struct rf_str key_text(const struct rf_cell *key, char digits[RF_NUMBER_TEXT_MAX])
{
    switch (key->tag) {
    case RF_TAG_FALSE:
    case RF_TAG_TRUE:
        return key->tag == RF_TAG_TRUE ? RF_STR("true") : RF_STR("false");
    case RF_TAG_INT:
        return (struct rf_str){digits, rf_int_to_text((int64_t)key->payload, digits)};
    case RF_TAG_UINT:
        return (struct rf_str){digits, rf_uint_to_text(key->payload, digits)};
    default:
        return rf_cell_text(key);
    }
}

static bool key_is_behind(const void *context, uint32_t a, uint32_t b)
{
    const struct rf_cell *entry = context;
    char digits[RF_NUMBER_TEXT_MAX];
    char other_digits[RF_NUMBER_TEXT_MAX];
    return rf_str_compare(key_text(&entry[2 * (size_t)a], digits), key_text(&entry[2 * (size_t)b], other_digits)) > 0;
}

static bool append_value(struct writer *writer, const struct rf_cell *cell, uint32_t depth);

static bool append_items(struct writer *writer, const struct rf_cell *list, uint32_t depth)
{
    const struct rf_cell *item;
    uint32_t count;
    if (!took(writer, rf_cell_items(list, writer->scratch, &item, &count)) || !append(writer, RF_STR("["))) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        if ((i != 0 && !append(writer, RF_STR(", "))) || !append_value(writer, &item[i], depth + 1)) {
            return false;
        }
    }
    return append(writer, RF_STR("]"));
}

/* In the order of the keys' texts. */
static bool append_entries(struct writer *writer, const struct rf_cell *map, uint32_t depth)
{
    const struct rf_cell *entry;
    uint32_t count;
    if (!took(writer, rf_cell_entries(map, writer->scratch, &entry, &count))) {
        return false;
    }
    uint32_t *order = RF_PUSH(writer->scratch, uint32_t, count);
    uint32_t *spare = RF_PUSH(writer->scratch, uint32_t, count);
    if (!took(writer, order != NULL && spare != NULL) || !append(writer, RF_STR("{"))) {
        return false;
    }
    const uint32_t *sorted = rf_format_order(count, key_is_behind, entry, order, spare);
    for (uint32_t i = 0; i < count; i++) {
        const struct rf_cell *key = &entry[2 * (size_t)sorted[i]];
        char digits[RF_NUMBER_TEXT_MAX];
        if ((i != 0 && !append(writer, RF_STR(", "))) || !append(writer, key_text(key, digits)) ||
            !append(writer, RF_STR(": ")) || !append_value(writer, key + 1, depth + 1)) {
            return false;
        }
    }
    return append(writer, RF_STR("}"));
}

/* Recursion is at most RF_CALC_DEPTH_MAX deep. */
static bool append_value(struct writer *writer, const struct rf_cell *cell, uint32_t depth)
{
    switch (cell->tag) {
    case RF_TAG_LIST:
    case RF_TAG_ITEMS:
        return took(writer, depth < RF_CALC_DEPTH_MAX) && append_items(writer, cell, depth);
    case RF_TAG_OBJECT:
    case RF_TAG_ENTRIES:
        return took(writer, depth < RF_CALC_DEPTH_MAX) && append_entries(writer, cell, depth);
    default:
        return append_plain(writer, cell);
    }
}

/* ---- The other clauses ---- */

/* An int, a uint or a whole number of a message; nothing else has digits. */
static bool append_integer(struct writer *writer, char letter, const struct rf_cell *cell)
{
    struct rf_cell whole;
    if (!rf_cell_whole(cell, &whole)) {
        whole = *cell;
    }
    if (whole.tag != RF_TAG_INT && whole.tag != RF_TAG_UINT) {
        return took(writer, whole.tag != RF_TAG_HOST) && false;
    }
    return took(writer, rf_format_append_based(&writer->text, letter, rf_cell_exact(&whole)));
}

static bool append_clause(struct writer *writer, const struct rf_format_clause *clause, const struct rf_cell *cell)
{
    struct rf_cell whole;
    switch (clause->letter) {
    case 's':
        return append_value(writer, cell, 0);
    case 'd':
        /* Doubles that are no whole number of a message are written as %s writes them: "3.14", "NaN". */
        return rf_cell_is_double(cell) && !rf_cell_whole(cell, &whole)
                   ? took(writer, rf_format_append_number(&writer->text, rf_cell_exact(cell)))
                   : append_integer(writer, clause->letter, cell);
    case 'f':
    case 'e':
        return rf_cell_is_number(cell)
                   ? took(writer, rf_format_append_rounded(&writer->text, clause, rf_cell_nearest(cell)))
                   : took(writer, cell->tag != RF_TAG_HOST) && false;
    case 'x':
    case 'X':
        return rf_cell_is_string(cell) || cell->tag == RF_TAG_BYTES
                   ? took(writer, rf_format_append_octets(&writer->text, clause->letter, rf_cell_text(cell)))
                   : append_integer(writer, clause->letter, cell);
    case 'b':
        if (cell->tag == RF_TAG_FALSE || cell->tag == RF_TAG_TRUE) {
            return append(writer, cell->tag == RF_TAG_TRUE ? RF_STR("1") : RF_STR("0"));
        }
        break;
    default:
        break;
    }
    return append_integer(writer, clause->letter, cell);
}

static bool template_write(struct writer *writer, struct rf_str template, const struct rf_cell *item, uint32_t count)
{
    struct rf_format_clause clause;
    size_t at = 0;
    for (uint32_t used = 0;; used++) {
        const enum rf_format_step step = rf_format_step(&writer->text, template, &at, &clause);
        if (step != RF_FORMAT_CLAUSE) {
            return step == RF_FORMAT_END || (took(writer, step != RF_FORMAT_TOO_LONG) && false);
        }
        if (used == count || !append_clause(writer, &clause, &item[used])) {
            return false;
        }
    }
}

/* What the cells of lists took from the scratch is given back. */
static bool text_write(struct writer *writer, struct rf_str template, const struct rf_cell *item, uint32_t count,
                       struct rf_cell *out)
{
    const struct rf_arena_mark mark = rf_arena_mark(writer->scratch);
    const bool is_written = template_write(writer, template, item, count);
    rf_arena_rewind(writer->scratch, mark);
    if (!is_written && writer->is_host) {
        *out = (struct rf_cell){.tag = RF_TAG_HOST, .text = ""};
    }
    return is_written;
}

static void op_format(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    char brief[BRIEF_BYTES];
    struct writer writer = writer_of(brief, sizeof brief, run->scratch);
    const struct rf_cell *item;
    uint32_t count;
    if (!rf_cell_is_string(&arg[0]) || (arg[1].tag != RF_TAG_LIST && arg[1].tag != RF_TAG_ITEMS)) {
        return;
    }
    if (!rf_cell_items(&arg[1], run->scratch, &item, &count)) {
        *out = (struct rf_cell){.tag = RF_TAG_HOST, .text = ""};
        return;
    }
    if (!text_write(&writer, rf_cell_text(&arg[0]), item, count, out)) {
        return;
    }
    const size_t bytes = writer.text.count;
    char *data = rf_calc_room(run, bytes, out);
    if (data == NULL) {
        return;
    }
    if (bytes <= sizeof brief) {
        memcpy(data, brief, bytes);
    } else {
        writer = writer_of(data, bytes, run->scratch);
        if (!text_write(&writer, rf_cell_text(&arg[0]), item, count, out)) { /* no room for lists beside the text */
            return;
        }
    }
    *out = rf_cell_of_text((struct rf_str){data, bytes}, RF_TAG_STRING_RAW);
}

rf_calc_op rf_calc_format_op(enum rf_function function)
{
    return function == RF_FN_FORMAT ? op_format : NULL;
}
