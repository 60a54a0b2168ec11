#include "record_key.h"

#include "worker.h"

/* Numbers are one line, whatever their type or token: as a double where that is the same number, else the integer that it is. */
static enum rf_status key_write_number(struct rf_text *out, struct rf_number number, struct rf_error *err)
{
    const struct rf_number nearest = {.kind = RF_NUMBER_DOUBLE, .as.d = rf_number_to_double(number)};
    const bool is_double = number.kind == RF_NUMBER_DOUBLE || rf_number_compare(nearest, number) == RF_ORDER_EQUAL;
    return rf_value_write_json(out,
                               is_double                       ? rf_value_double(nearest.as.d + 0.0) /* -0 is 0 */
                               : number.kind == RF_NUMBER_INT ? rf_value_int(number.as.i)
                                                               : rf_value_uint(number.as.u),
                               err);
}

/* As JSON, with its numbers like that. Recursion is as deep as the value, which is bounded. */
static enum rf_status key_write(struct rf_text *out, struct rf_value value, struct rf_error *err)
{
    if (rf_value_is_number(value)) {
        return key_write_number(out, value.exact, err);
    }
    if (value.type != RF_TYPE_LIST) {
        return rf_value_write_json(out, value, err);
    }
    RF_TRY(rf_text_append_char(out, '[', err));
    for (size_t i = 0; i < value.list->count; i++) {
        RF_TRY(key_write(out, value.list->item[i], err));
        RF_TRY(rf_text_append_char(out, ',', err));
    }
    return rf_text_append_char(out, ']', err);
}

bool rf_record_key(const struct rf_watch_block *block, uint32_t projection, uint32_t row, struct rf_text *scratch,
                   struct rf_state_key *key)
{
    struct rf_cell cell;
    struct rf_value value;
    struct rf_error err;
    rf_text_clear(scratch);
    if (rf_watch_cell(block, projection, row, &cell, &value)) {
        if (rf_cell_is_string(&cell)) {
            *key = rf_state_key_of(rf_cell_text(&cell));
            key->high ^= RF_TYPE_STRING;
            return true;
        }
        struct rf_number number;
        if (rf_cell_number(cell.tag, cell.payload, &number)) {
            value = number.kind == RF_NUMBER_DOUBLE ? rf_value_double(number.as.d)
                    : number.kind == RF_NUMBER_INT  ? rf_value_int(number.as.i)
                                                    : rf_value_uint(number.as.u);
        } else {
            struct rf_worker *worker = block->worker;
            struct rf_malformed malformed;
            if (rf_worker_read_row(worker, block->first + row, &malformed, &err) != RF_OK ||
                malformed.reason != RF_REASON_NONE) {
                return false;
            }
            value = rf_interp_project(worker->interp, projection);
        }
    }
    if (rf_value_find_error(&value) != NULL) {
        return false;
    }
    if (value.type == RF_TYPE_STRING) {
        *key = rf_state_key_of(value.text);
        key->high ^= RF_TYPE_STRING;
        return true;
    }
    if (key_write(scratch, value, &err) != RF_OK) {
        return false;
    }
    *key = rf_state_key_of(rf_text_str(scratch));
    return true;
}

int64_t rf_record_time(const struct rf_watch_block *block, uint32_t projection, uint32_t row, enum rf_time_unit unit)
{
    struct rf_cell cell;
    struct rf_value value;
    return rf_watch_cell(block, projection, row, &cell, &value) ? rf_event_time_of_cell(&cell, unit)
                                                                : rf_event_time_of_value(&value, unit);
}
