/* fix_positions_command.c: riffle fix positions: ExecutionReports to positions.
 *
 * The vector path: a batch is framed, the wanted tags of all its messages are found in one pass, and only reports are looked
 * at row by row.
 */
#include <inttypes.h>
#include <string.h>

#include "base64.h"
#include "command.h"
#include "figure.h"
#include "fix_index.h"
#include "fix_position.h"
#include "fix_task.h"
#include "json_text.h"
#include "log.h"
#include "terminal.h"
#include "utf8.h"
#include "visible_text.h"

enum { ROWS_MAX = 16 * 1024 };

/* The trades of a run stay in memory, 50 bytes and their ids each: some 300 million of them. */
static const size_t positions_bytes_max = (size_t)32 << 30;

enum {
    SLOT_TYPE,
    SLOT_SENDER,
    SLOT_EXEC_ID,
    SLOT_REF_ID,
    SLOT_ACCOUNT,
    SLOT_SYMBOL,
    SLOT_QUANTITY,
    SLOT_PRICE,
    SLOT_EXEC_TYPE,
    SLOT_TRANS_TYPE,
    SLOT_SIDE,
    SLOTS
};

static const uint32_t wanted[SLOTS] = {
    [SLOT_TYPE] = 35,       [SLOT_SENDER] = 49,     [SLOT_EXEC_ID] = 17,  [SLOT_REF_ID] = 19,
    [SLOT_ACCOUNT] = 1,     [SLOT_SYMBOL] = 55,     [SLOT_QUANTITY] = 32, [SLOT_PRICE] = 31,
    [SLOT_EXEC_TYPE] = 150, [SLOT_TRANS_TYPE] = 20, [SLOT_SIDE] = 54};

enum { ID_SHOWN_BYTES = 64 };

/* The first report that had an effect. */
struct first_report {
    const char *input;
    uint64_t number; /* 0: none had it */
    char exec_id[ID_SHOWN_BYTES];
    size_t exec_id_count;
};

struct command {
    struct rf_fix_task task;
    struct first_report first[RF_FIX_EFFECT_COUNT];
    struct rf_fix_positions positions;
    struct rf_rows rows;
    struct rf_fix_frame frame;
    struct rf_fix_index index;
    struct rf_columns columns;
    struct rf_text out;
    enum rf_isa isa;
    uint32_t input;
    uint64_t number;   /* of the entries of this input that are passed */
    uint64_t messages; /* with malformed ones */
    uint64_t reports;
};

/* ---- Reading ---- */

/* Absent: of no bytes. */
static struct rf_str field_text(const struct command *command, unsigned slot, uint32_t row)
{
    return command->columns.slot[slot].tag[row] == RF_TAG_ABSENT
               ? (struct rf_str){"", 0}
               : rf_column_text(&command->columns, &command->task.batch, slot, row);
}

/* A character; a text of several is none that means anything. */
static char field_char(const struct command *command, unsigned slot, uint32_t row)
{
    const struct rf_str text = field_text(command, slot, row);
    return text.count == 1 ? text.data[0] : text.count == 0 ? '\0' : '?';
}

static enum rf_status report_apply(struct command *command, uint32_t row, struct rf_error *err)
{
    enum rf_fix_effect effect;
    const struct rf_fix_report report = {.sender = field_text(command, SLOT_SENDER, row),
                                         .exec_id = field_text(command, SLOT_EXEC_ID, row),
                                         .exec_ref_id = field_text(command, SLOT_REF_ID, row),
                                         .account = field_text(command, SLOT_ACCOUNT, row),
                                         .symbol = field_text(command, SLOT_SYMBOL, row),
                                         .last_quantity = field_text(command, SLOT_QUANTITY, row),
                                         .last_price = field_text(command, SLOT_PRICE, row),
                                         .exec_type = field_char(command, SLOT_EXEC_TYPE, row),
                                         .exec_trans_type = field_char(command, SLOT_TRANS_TYPE, row),
                                         .side = field_char(command, SLOT_SIDE, row)};
    command->reports++;
    RF_TRY(rf_fix_positions_apply(&command->positions, &report, &effect, err));
    struct first_report *first = &command->first[effect];
    if (first->number == 0) {
        first->input = command->task.batch.input_name;
        first->number = command->number + row + 1;
        first->exec_id_count = report.exec_id.count < ID_SHOWN_BYTES ? report.exec_id.count : ID_SHOWN_BYTES;
        memcpy(first->exec_id, report.exec_id.data, first->exec_id_count);
    }
    return RF_OK;
}

static void malformed_tell(struct command *command, uint32_t row)
{
    const struct rf_malformed malformed = rf_fix_frame_malformed(&command->frame, &command->rows, row);
    const struct rf_where where = {.input_name = command->task.batch.input_name, .number = command->number + row + 1};
    rf_fix_task_tell(&command->task, where, (uint64_t)malformed.offset + 1, rf_reason_text(malformed.reason));
}

static enum rf_status rows_apply(struct command *command, struct rf_error *err)
{
    const struct rf_rows *const rows = &command->rows;
    for (uint32_t row = 0; row < rows->rows; row++) {
        if (rows->status[row] == RF_ROW_BLANK) {
            continue;
        }
        command->messages++;
        if (rows->status[row] == RF_ROW_MALFORMED) {
            malformed_tell(command, row);
        } else if (field_char(command, SLOT_TYPE, row) == '8') {
            RF_TRY(report_apply(command, row, err));
        }
    }
    command->number += rows->rows;
    return RF_OK;
}

static enum rf_status batch_apply(struct command *command, struct rf_error *err)
{
    struct rf_batch *const batch = &command->task.batch;
    if (batch->input != command->input) {
        command->input = batch->input;
        command->number = 0;
    }
    if (batch->is_oversize) {
        const struct rf_where where = {.input_name = batch->input_name, .number = ++command->number};
        command->messages++;
        rf_fix_task_tell(&command->task, where, command->task.flags->value[RF_FLAG_MAX_RECORD].number + 1,
                         rf_reason_text(RF_REASON_LONG));
        return RF_OK;
    }
    RF_TRY(rf_fix_index_reserve(&command->index, batch->bytes_used, err));
    while (batch->cursor < batch->bytes_used) {
        rf_fix_frame_run(&command->frame, command->isa, batch, (struct rf_span32){batch->cursor, batch->bytes_used},
                         RF_FIX_LAST, &command->rows);
        rf_fix_index_wanted(&command->index, command->isa, batch, &command->rows, &command->frame, &command->columns);
        RF_TRY(rows_apply(command, err));
        batch->cursor = command->rows.cursor;
    }
    return RF_OK;
}

/* ---- Writing ---- */

static enum rf_status number_write(struct rf_text *out, __int128 value, unsigned decimals, struct rf_error *err)
{
    char text[RF_FIX_AMOUNT_TEXT_MAX];
    return rf_text_append(out, (struct rf_str){text, rf_fix_amount_write(value, decimals, text)}, err);
}

/* Absent is null; bytes that are no UTF-8 as in messages. */
static enum rf_status json_text_write(struct rf_text *out, struct rf_str text, struct rf_error *err)
{
    if (text.count == 0) {
        return rf_text_append(out, RF_STR("null"), err);
    }
    if (rf_utf8_is_valid(text)) {
        return rf_json_quote(out, text, err);
    }
    RF_TRY(rf_text_append(out, RF_STR("{\"base64\":\""), err));
    RF_TRY(rf_base64_append(out, text, err));
    return rf_text_append(out, RF_STR("\"}"), err);
}

static enum rf_status csv_text_write(struct rf_text *out, struct rf_str text, struct rf_error *err)
{
    bool is_plain = true;
    for (size_t i = 0; i < text.count; i++) {
        is_plain = is_plain && strchr(",\"\r\n", text.data[i]) == NULL;
    }
    if (is_plain) {
        return rf_text_append(out, text, err);
    }
    RF_TRY(rf_text_append_char(out, '"', err));
    for (size_t i = 0; i < text.count; i++) {
        RF_TRY(text.data[i] == '"' ? rf_text_append(out, RF_STR("\"\""), err)
                                   : rf_text_append_char(out, text.data[i], err));
    }
    return rf_text_append_char(out, '"', err);
}

/* A number, in csv behind a comma, in json behind its name. Nothing or null when the position is beyond all bounds. */
static enum rf_status amount_write(struct rf_text *out, bool is_csv, const char *name, bool is_known, __int128 value,
                                   unsigned decimals, struct rf_error *err)
{
    RF_TRY(is_csv ? rf_text_append_char(out, ',', err) : rf_text_printf(out, err, ",\"%s\":", name));
    if (!is_known) {
        return is_csv ? RF_OK : rf_text_append(out, RF_STR("null"), err);
    }
    return number_write(out, value, decimals, err);
}

static enum rf_status position_write(struct rf_text *out, bool is_csv, const struct rf_fix_position *position,
                                     struct rf_error *err)
{
    const bool is_known = !position->is_overflow;
    if (is_csv) {
        RF_TRY(csv_text_write(out, position->account, err));
        RF_TRY(rf_text_append_char(out, ',', err));
        RF_TRY(csv_text_write(out, position->symbol, err));
    } else {
        RF_TRY(rf_text_append(out, RF_STR("{\"account\":"), err));
        RF_TRY(json_text_write(out, position->account, err));
        RF_TRY(rf_text_append(out, RF_STR(",\"symbol\":"), err));
        RF_TRY(json_text_write(out, position->symbol, err));
    }
    RF_TRY(amount_write(out, is_csv, "quantity", is_known, position->quantity, RF_FIX_AMOUNT_DECIMALS, err));
    RF_TRY(amount_write(out, is_csv, "averagePrice", is_known && position->quantity != 0,
                        rf_fix_position_average(position), RF_FIX_AMOUNT_DECIMALS, err));
    RF_TRY(amount_write(out, is_csv, "realised", is_known, position->realised, RF_FIX_MONEY_DECIMALS, err));
    return rf_text_printf(out, err,
                          is_csv ? ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\r\n"
                                 : ",\"trades\":%" PRIu64 ",\"corrections\":%" PRIu64 ",\"cancels\":%" PRIu64 "}\n",
                          position->trades, position->corrections, position->cancels);
}

static enum rf_status positions_write(struct command *command, struct rf_error *err)
{
    const bool is_csv = command->task.flags->value[RF_FLAG_EMIT_TABLE].number == RF_TABLE_CSV;
    const struct rf_fix_position **sorted;
    size_t count;
    RF_TRY(rf_fix_positions_list(&command->positions, &sorted, &count, err));
    if (is_csv) {
        RF_TRY(rf_text_append(&command->out,
                              RF_STR("account,symbol,quantity,averagePrice,realised,trades,corrections,cancels\r\n"),
                              err));
    }
    uint64_t overflows = 0;
    for (size_t i = 0; i < count; i++) {
        overflows += sorted[i]->is_overflow;
        RF_TRY(position_write(&command->out, is_csv, sorted[i], err));
        RF_TRY(rf_sink_write(command->task.sink, rf_text_str(&command->out), err));
        rf_text_clear(&command->out);
    }
    if (overflows != 0) {
        rf_log(RF_LOG_WARNING, "%" PRIu64 " position%s grew beyond what its numbers hold (about 10^20), and %s null",
               overflows, overflows == 1 ? "" : "s", overflows == 1 ? "is" : "are");
    }
    return rf_sink_write(command->task.sink, rf_text_str(&command->out), err);
}

/* Where to look: the first one's input, number and ExecID. */
static enum rf_status first_write(const struct first_report *first, struct rf_text *out, struct rf_error *err)
{
    RF_TRY(rf_text_printf(out, err, "%12s%s %s:%" PRIu64, "", "first at", first->input, first->number));
    if (first->exec_id_count != 0) {
        RF_TRY(rf_text_append(out, RF_STR(", ExecID "), err));
        RF_TRY(rf_visible_append(out, (struct rf_str){first->exec_id, first->exec_id_count}, err));
    }
    return rf_text_append_char(out, '\n', err);
}

/* What could not be used, and what was not used although it could have been expected to be. */
static enum rf_status summary_write(const struct command *command, struct rf_text *out, struct rf_error *err)
{
    char one[RF_FIGURE_BYTES];
    char all[RF_FIGURE_BYTES];
    if (command->task.bad > 0) {
        RF_TRY(rf_text_printf(out, err, "riffle: %s malformed of %s messages were not read\n",
                              rf_figure_exact(one, command->task.bad), rf_figure_exact(all, command->messages)));
    }
    bool has_head = false;
    for (unsigned i = 0; i < RF_FIX_EFFECT_COUNT; i++) {
        const enum rf_fix_effect effect = (enum rf_fix_effect)i;
        /* Orders that were accepted are no news, unless there is nothing else. */
        const bool is_news = effect != RF_FIX_EFFECT_NO_TRADE || command->positions.count[RF_FIX_EFFECT_TRADE] == 0;
        if (effect == RF_FIX_EFFECT_TRADE || effect == RF_FIX_EFFECT_CORRECTED || effect == RF_FIX_EFFECT_CANCELLED ||
            !is_news || command->positions.count[i] == 0) {
            continue;
        }
        if (!has_head) {
            RF_TRY(
                rf_text_printf(out, err, "riffle: of %s execution reports\n", rf_figure_exact(all, command->reports)));
            has_head = true;
        }
        RF_TRY(rf_text_printf(out, err, "%10s  %s\n", rf_figure_exact(one, command->positions.count[i]),
                              rf_fix_effect_sentence(effect)));
        RF_TRY(first_write(&command->first[i], out, err));
    }
    return RF_OK;
}

static void summary_tell(const struct command *command)
{
    struct rf_error err;
    struct rf_text text = {0};
    if (summary_write(command, &text, &err) == RF_OK) {
        rf_terminal_tell(rf_text_str(&text));
    } else {
        rf_log(RF_LOG_ERROR, "%s", err.text);
    }
    rf_text_free(&text);
}

/* ---- The command ---- */

static int positions_run(struct command *command)
{
    struct rf_error err;
    enum rf_status status = RF_OK;
    while (status == RF_OK) {
        status = rf_source_fill(command->task.source, &command->task.batch, &err);
        if (status == RF_OK) {
            status = batch_apply(command, &err);
        }
    }
    const bool is_read = status == RF_END;
    if (is_read) {
        status = positions_write(command, &err);
    }
    const int code = rf_fix_task_end(&command->task, status, &err);
    if (is_read) {
        summary_tell(command);
    }
    return code;
}

static enum rf_status command_open(struct command *command, const struct rf_flags *flags, struct rf_error *err)
{
    const uint32_t record_bytes_max = (uint32_t)flags->value[RF_FLAG_MAX_RECORD].number;
    const struct rf_source_options options = {.is_fix = true};
    command->input = UINT32_MAX;
    rf_fix_positions_open(&command->positions, positions_bytes_max);
    RF_TRY(rf_isa_select(&command->isa, err));
    RF_TRY(rf_rows_open(&command->rows, ROWS_MAX, err));
    RF_TRY(rf_columns_open(&command->columns, SLOTS, ROWS_MAX, err));
    RF_TRY(
        rf_fix_frame_open(&command->frame, ROWS_MAX, record_bytes_max, flags->value[RF_FLAG_FIX_LENIENT].is_set, err));
    RF_TRY(rf_fix_index_open(&command->index, ROWS_MAX, wanted, SLOTS, err));
    return rf_fix_task_open(&command->task, flags, options, err);
}

int rf_command_fix_positions(const struct rf_flags *flags)
{
    struct rf_error err;
    struct command command = {0};
    const int code = command_open(&command, flags, &err) == RF_OK ? positions_run(&command) : rf_terminal_fail(&err);
    rf_fix_task_close(&command.task);
    rf_fix_index_close(&command.index);
    rf_fix_frame_close(&command.frame);
    rf_columns_close(&command.columns);
    rf_rows_close(&command.rows);
    rf_fix_positions_close(&command.positions);
    rf_text_free(&command.out);
    return code;
}
