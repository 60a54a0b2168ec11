#include "fix_task.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "interrupt.h"
#include "log.h"
#include "stream_options.h"
#include "terminal.h"
#include "text.h"

static const char *output_name(const struct rf_flags *flags)
{
    const char *name = flags->value[RF_FLAG_OUTPUT].text;
    return name != NULL && strcmp(name, "-") == 0 ? NULL : name;
}

bool rf_fix_task_is_terminal(const struct rf_flags *flags)
{
    return output_name(flags) == NULL && isatty(STDOUT_FILENO) == 1;
}

/* Text from inputs reaches a terminal: control bytes could steer it. */
static void plain(const char *text, char *out, size_t room)
{
    size_t i = 0;
    for (; text[i] != '\0' && i + 1 < room; i++) {
        const unsigned char byte = (unsigned char)text[i];
        out[i] = byte < 0x20 || byte == 0x7f ? '?' : text[i];
    }
    out[i] = '\0';
}

/* An interrupted run says where the part of its output is that it has written. */
static enum rf_status interrupt_watch(const struct rf_fix_task *task, struct rf_error *err)
{
    const char *part_name = rf_sink_part_name(task->sink);
    struct rf_text text = {0};
    if (part_name == NULL) {
        return RF_OK;
    }
    enum rf_status status = rf_text_printf(&text, err, "riffle: %s was not completed; what was written is in %s\n",
                                           output_name(task->flags), part_name);
    if (status == RF_OK) {
        status = rf_interrupt_watch(rf_text_str(&text), err);
    }
    rf_text_free(&text);
    return status;
}

enum rf_status rf_fix_task_open(struct rf_fix_task *task, const struct rf_flags *flags,
                                struct rf_source_options options, struct rf_error *err)
{
    const struct rf_sink_options sink = {.is_line_buffered = flags->value[RF_FLAG_LINE_BUFFERED].is_set ||
                                                             rf_fix_task_is_terminal(flags)};
    *task = (struct rf_fix_task){.flags = flags};
    options.record_bytes_max = (uint32_t)flags->value[RF_FLAG_MAX_RECORD].number;
    options.is_line_buffered = sink.is_line_buffered;
    options.on_problem = rf_stream_problem;
    RF_TRY(rf_source_open_files(&task->source, flags->arg, flags->args, options, err));
    RF_TRY(output_name(flags) == NULL ? rf_sink_open_fd(&task->sink, STDOUT_FILENO, "standard output", sink, err)
                                      : rf_sink_open_file(&task->sink, output_name(flags), sink, err));
    return interrupt_watch(task, err);
}

void rf_fix_task_close(struct rf_fix_task *task)
{
    rf_interrupt_release();
    rf_sink_close(task->sink);
    rf_source_close(task->source);
    rf_batch_close(&task->batch);
}

void rf_fix_task_tell(struct rf_fix_task *task, struct rf_where where, uint64_t byte, const char *reason)
{
    char name[256];
    char text[512];
    if (task->bad++ < RF_FIX_TOLD_MAX) {
        plain(where.input_name, name, sizeof name);
        plain(reason, text, sizeof text);
        rf_log(RF_LOG_WARNING, "%s:%" PRIu64 ": malformed at byte %" PRIu64 ": %s", name, where.number, byte, text);
    }
}

int rf_fix_task_end(struct rf_fix_task *task, enum rf_status status, struct rf_error *err)
{
    struct rf_error later;
    if (status == RF_OK || status == RF_END) {
        status = rf_sink_flush(task->sink, err);
    } else if (status == RF_E_DATA) { /* what came before the bad record is right */
        (void)rf_sink_flush(task->sink, &later);
    }
    rf_interrupt_release();
    if (status == RF_OK) {
        status = rf_sink_finish(task->sink, err);
    }
    if (status == RF_E_PIPE) {
        return RF_EXIT_DONE;
    }
    if (status != RF_OK) {
        return rf_terminal_fail(err);
    }
    return rf_source_problems(task->source) > 0 ? RF_EXIT_FAILURE : RF_EXIT_DONE;
}
