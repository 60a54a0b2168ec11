/* fix_encode_command.c: riffle fix encode: JSON lines to FIX messages. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "aside_file.h"
#include "command.h"
#include "example.h"
#include "figure.h"
#include "fix_choice.h"
#include "fix_from_json.h"
#include "fix_task.h"
#include "log.h"
#include "terminal.h"
#include "reason.h"

enum { OUTPUT_BYTES = 64 * 1024 }; /* handed on when so many are there */

struct encode {
    struct rf_fix_task task;
    struct rf_fix_from_json converter;
    struct rf_arena arena; /* of the dictionary */
    struct rf_text out;
    struct rf_sink *aside; /* --on-malformed FILE */
    struct rf_text aside_line;
    uint64_t offset; /* in the input, of the line at hand */
    struct rf_fix_refusal refusal;
    enum rf_fix_separator separator;
    bool has_line_ends;
    uint32_t input;
    uint64_t number;   /* of the last line, in its input */
    uint64_t messages; /* lines that are not blank */
};

static bool is_blank(struct rf_str line)
{
    for (size_t i = 0; i < line.count; i++) {
        if (line.data[i] != ' ' && line.data[i] != '\t' && line.data[i] != '\r') {
            return false;
        }
    }
    return true;
}

static enum rf_status aside_write(struct encode *encode, struct rf_where where, struct rf_str line, uint64_t byte,
                                  const char *reason, struct rf_error *err)
{
    struct rf_example example = {.where = where, .is_malformed = true, .offset = encode->offset + byte - 1};
    (void)snprintf(example.reason, sizeof example.reason, "%s", reason);
    rf_text_clear(&encode->aside_line);
    RF_TRY(rf_example_write_line(&example, line, encode->task.batch.is_oversize, &encode->aside_line, err));
    return rf_sink_write(encode->aside, rf_text_str(&encode->aside_line), err);
}

/* By policy. RF_E_DATA: the run ends. */
static enum rf_status refused(struct encode *encode, struct rf_str line, uint64_t byte, const char *reason,
                              struct rf_error *err)
{
    const struct rf_where where = {
        .input_name = encode->task.batch.input_name, .number = encode->number, .offset = encode->offset};
    if (encode->aside != NULL) {
        encode->task.bad++;
        return aside_write(encode, where, line, byte, reason, err);
    }
    rf_fix_task_tell(&encode->task, where, byte, reason);
    if (encode->task.flags->value[RF_FLAG_ON_REFUSED].number == RF_REFUSED_STOP) {
        RF_FAIL(err, RF_E_DATA, "stopped at line %" PRIu64 " of %.200s: it describes no message (--on-malformed stop)",
                encode->number, where.input_name);
    }
    return RF_OK;
}

static enum rf_status out_write(struct encode *encode, struct rf_error *err)
{
    const enum rf_status status = rf_sink_write(encode->task.sink, rf_text_str(&encode->out), err);
    rf_text_clear(&encode->out);
    return status;
}

static enum rf_status line_encode(struct encode *encode, struct rf_str line, struct rf_error *err)
{
    encode->number++;
    if (is_blank(line)) {
        return RF_OK;
    }
    encode->messages++;
    RF_TRY(rf_fix_from_json(&encode->converter, line, encode->separator, &encode->out, &encode->refusal, err));
    if (encode->refusal.is_refused) {
        return refused(encode, line, encode->refusal.offset + 1, encode->refusal.text, err);
    }
    if (encode->has_line_ends) {
        RF_TRY(rf_text_append_char(&encode->out, '\n', err));
    }
    return encode->out.count < OUTPUT_BYTES ? RF_OK : out_write(encode, err);
}

static enum rf_status batch_encode(struct encode *encode, struct rf_error *err)
{
    const struct rf_batch *batch = &encode->task.batch;
    if (batch->input != encode->input) {
        encode->input = batch->input;
        encode->number = 0;
    }
    if (batch->is_oversize) {
        encode->number++;
        encode->messages++;
        encode->offset = batch->offset;
        return refused(encode, (struct rf_str){(const char *)batch->bytes, batch->bytes_used},
                       encode->task.flags->value[RF_FLAG_MAX_RECORD].number + 1, rf_reason_text(RF_REASON_LONG), err);
    }
    struct rf_str rest = {(const char *)batch->bytes, batch->bytes_used};
    while (rest.count > 0) {
        const char *const end = memchr(rest.data, '\n', rest.count);
        const size_t count = end == NULL ? rest.count : (size_t)(end - rest.data);
        encode->offset = batch->offset + (uint64_t)(rest.data - (const char *)batch->bytes);
        RF_TRY(line_encode(encode, (struct rf_str){rest.data, count}, err));
        rest.data += count + (end != NULL);
        rest.count -= count + (end != NULL);
    }
    return out_write(encode, err);
}

static void summary_tell(const struct encode *encode)
{
    char bad[RF_FIGURE_BYTES];
    char all[RF_FIGURE_BYTES];
    const uint64_t count = encode->task.bad;
    if (count > 0) {
        const bool is_aside = encode->aside != NULL;
        rf_log(RF_LOG_WARNING, "%s malformed %s of %s %s %s%s", rf_figure_exact(bad, count), count == 1 ? "line" : "lines",
               rf_figure_exact(all, encode->messages), count == 1 ? "was" : "were",
               is_aside ? "written to " : "dropped",
               is_aside ? encode->task.flags->value[RF_FLAG_ON_REFUSED].text : "");
    }
}

static int encode_run(struct encode *encode)
{
    struct rf_error err;
    enum rf_status status = RF_OK;
    while (status == RF_OK) {
        status = rf_source_fill(encode->task.source, &encode->task.batch, &err);
        if (status == RF_OK) {
            status = batch_encode(encode, &err);
        }
    }
    if (status == RF_E_DATA) { /* the messages before it */
        struct rf_error later;
        (void)out_write(encode, &later);
    }
    struct rf_error aside_err;
    if (encode->aside != NULL && status == RF_END && rf_sink_finish(encode->aside, &aside_err) != RF_OK) {
        err = aside_err;
        status = err.status;
    }
    const int code = rf_fix_task_end(&encode->task, status, &err);
    if (status == RF_END) {
        summary_tell(encode);
    }
    return code;
}

static enum rf_status encode_open(struct encode *encode, const struct rf_flags *flags, struct rf_error *err)
{
    static const enum rf_fix_separator separators[] = {
        [RF_MARK_SOH] = RF_FIX_SOH, [RF_MARK_PIPE] = RF_FIX_PIPE, [RF_MARK_CARET] = RF_FIX_CARET};
    const struct rf_flag_value *mark = &flags->value[RF_FLAG_FIX_SEPARATOR];
    const struct rf_flag_value *dictionaries = &flags->value[RF_FLAG_FIX_DICT];
    const bool is_terminal = rf_fix_task_is_terminal(flags);
    const struct rf_fix_dict *dict;
    encode->separator = is_terminal && !mark->is_set ? RF_FIX_PIPE : separators[mark->number];
    encode->has_line_ends = is_terminal || encode->separator != RF_FIX_SOH || flags->value[RF_FLAG_ONE_PER_LINE].is_set;
    encode->input = UINT32_MAX;
    rf_arena_init(&encode->arena, RF_FIX_CHOICE_BYTES_MAX);
    RF_TRY(rf_fix_choose(&encode->arena, rf_str_of(dictionaries->is_set ? dictionaries->text : ""), &dict, err));
    RF_TRY(rf_fix_from_json_open(&encode->converter, dict, err));
    const struct rf_source_options options = {0};
    if (strcmp(flags->value[RF_FLAG_ON_REFUSED].text, "pass") == 0) {
        RF_FAIL(err, RF_E_USAGE, "--on-malformed pass: a line of JSON among messages would be none; drop, stop or a FILE");
    }
    RF_TRY(rf_aside_open(flags, RF_FLAG_ON_REFUSED, &encode->aside, err));
    return rf_fix_task_open(&encode->task, flags, options, err);
}

int rf_command_fix_encode(const struct rf_flags *flags)
{
    struct rf_error err;
    struct encode encode = {0};
    const int code = encode_open(&encode, flags, &err) == RF_OK ? encode_run(&encode) : rf_terminal_fail(&err);
    rf_fix_task_close(&encode.task);
    rf_fix_from_json_close(&encode.converter);
    rf_text_free(&encode.out);
    rf_text_free(&encode.aside_line);
    rf_sink_close(encode.aside);
    rf_arena_free(&encode.arena);
    return code;
}
