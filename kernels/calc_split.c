/* split() and join(): strings to lists of them and back (calc.h; host/expr/operate_text.c is the definition). */
#include "calc_list.h"
#include "chars.h"

enum { TEXT_BYTES_MAX = 1024 * 1024 /* of a joined text; the interpreter is asked about longer ones */ };

static const struct rf_cell cell_host = {.tag = RF_TAG_HOST, .text = ""};

/* The argument as an int; message numbers that are whole count. */
static bool cell_is_int(const struct rf_calc *calc, const struct rf_cell *cell, int64_t *value)
{
    struct rf_cell whole = *cell;
    if (cell->tag != RF_TAG_INT && (calc->is_strict_cel || !rf_cell_whole(cell, &whole))) {
        return false;
    }
    *value = (int64_t)whole.payload;
    return whole.tag == RF_TAG_INT;
}

static void op_split(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    int64_t limit = -1;
    if (!rf_cell_is_string(&arg[0]) || !rf_cell_is_string(&arg[1]) ||
        (run->calc->args == 3 && !cell_is_int(run->calc, &arg[2], &limit))) {
        return;
    }
    struct rf_str piece;
    uint32_t count = 0;
    struct rf_chars_split split = rf_chars_split_begin(rf_cell_text(&arg[0]), rf_cell_text(&arg[1]), limit);
    while (rf_chars_split_next(&split, &piece)) {
        count++;
    }
    struct rf_cell *item = RF_PUSH(run->scratch, struct rf_cell, count);
    if (item == NULL) {
        *out = cell_host;
        return;
    }
    split = rf_chars_split_begin(rf_cell_text(&arg[0]), rf_cell_text(&arg[1]), limit);
    for (uint32_t i = 0; rf_chars_split_next(&split, &piece); i++) {
        item[i] = rf_cell_of_text(piece, RF_TAG_STRING_RAW);
    }
    *out = rf_cell_of_items(item, count, RF_TAG_ITEMS);
}

static void op_join(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    const struct rf_str separator = run->calc->args == 2 ? rf_cell_text(&arg[1]) : RF_STR("");
    const struct rf_cell *item;
    uint32_t count;
    if ((arg[0].tag != RF_TAG_LIST && arg[0].tag != RF_TAG_ITEMS) ||
        (run->calc->args == 2 && !rf_cell_is_string(&arg[1]))) {
        return;
    }
    if (!rf_cell_items(&arg[0], run->scratch, &item, &count)) {
        *out = cell_host;
        return;
    }
    size_t bytes = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!rf_cell_is_string(&item[i])) {
            return;
        }
        bytes += item[i].length + (i == 0 ? 0 : separator.count);
    }
    char *text = bytes > TEXT_BYTES_MAX ? NULL : rf_arena_push(run->scratch, bytes, 1, 1);
    if (text == NULL) {
        *out = cell_host;
        return;
    }
    size_t at = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (i != 0 && separator.count != 0) {
            memcpy(text + at, separator.data, separator.count);
            at += separator.count;
        }
        if (item[i].length != 0) {
            memcpy(text + at, item[i].text, item[i].length);
        }
        at += item[i].length;
    }
    *out = rf_cell_of_text((struct rf_str){text, at}, RF_TAG_STRING_RAW);
}

rf_calc_op rf_calc_split_op(enum rf_function function)
{
    return function == RF_FN_SPLIT ? op_split : function == RF_FN_JOIN ? op_join : NULL;
}
