/* summary.c: what a run says about itself when it is over. */
#include "summary.h"

#include <inttypes.h>

#include "example.h"
#include "figure.h"

enum { EXAMPLES_SHOWN = 3 };

/* Text from files and their names reaches a terminal: control bytes are shown as '?', they could steer it. */
static enum rf_status plain(struct rf_text *out, const char *text, struct rf_error *err)
{
    for (; *text != '\0'; text++) {
        const unsigned char byte = (unsigned char)*text;
        RF_TRY(rf_text_append_char(out, byte < 0x20 || byte == 0x7f ? '?' : *text, err));
    }
    return RF_OK;
}

static const char *color(const struct rf_summary *summary, const char *code)
{
    return summary->has_color ? code : "";
}

static enum rf_status count_write(struct rf_text *out, uint64_t count, const char *one, const char *many,
                                  struct rf_error *err)
{
    char figure[RF_FIGURE_BYTES];
    return rf_text_printf(out, err, "%s %s", rf_figure_exact(figure, count), count == 1 ? one : many);
}

static enum rf_status example_write(struct rf_text *out, const struct rf_summary *summary,
                                    const struct rf_example *example, struct rf_error *err)
{
    RF_TRY(rf_text_append(out, RF_STR("  "), err));
    RF_TRY(rf_text_append(out, rf_str_of(color(summary, "\033[35m")), err));
    RF_TRY(plain(out, example->where.input_name, err));
    RF_TRY(rf_text_printf(out, err, ":%" PRIu64 "%s: ", example->where.number, color(summary, "\033[0m")));
    if (example->is_malformed) {
        /* Counted from 1 in the record, like columns in an editor. */
        const uint64_t at = example->offset >= example->where.offset ? example->offset - example->where.offset : 0;
        RF_TRY(rf_text_printf(out, err, "malformed at byte %" PRIu64 ": ", at + 1));
    } else {
        RF_TRY(rf_text_append(out, RF_STR("error: "), err));
    }
    RF_TRY(plain(out, example->reason, err));
    RF_TRY(rf_example_write_place(example, out, err));
    return rf_text_append_char(out, '\n', err);
}

static enum rf_status dropped_write(struct rf_text *out, const struct rf_summary *summary, uint64_t malformed,
                                    uint64_t errors, struct rf_error *err)
{
    if (malformed + errors == 0) {
        return RF_OK;
    }
    char figure[RF_FIGURE_BYTES];
    RF_TRY(rf_text_printf(out, err, "%sriffle:%s ", color(summary, "\033[33m"), color(summary, "\033[0m")));
    if (malformed > 0) {
        RF_TRY(count_write(out, malformed, "malformed record", "malformed records", err));
    }
    if (errors > 0) {
        RF_TRY(rf_text_append(out, malformed > 0 ? RF_STR(" and ") : RF_STR(""), err));
        RF_TRY(count_write(out, errors, "evaluation error", "evaluation errors", err));
    }
    const uint64_t read = rf_counts_read(&summary->result->counts);
    RF_TRY(rf_text_printf(out, err, " of %s record%s %s dropped\n", rf_figure_exact(figure, read), read == 1 ? "" : "s",
                          malformed + errors == 1 ? "was" : "were"));
    uint64_t shown = 0;
    bool holds_fix = false;
    for (uint32_t i = 0; i < summary->result->examples && shown < EXAMPLES_SHOWN; i++) {
        const struct rf_example *example = &summary->result->example[i];
        if ((example->is_malformed ? malformed : errors) > 0) {
            RF_TRY(example_write(out, summary, example, err));
            holds_fix = holds_fix || example->holds_fix;
            shown++;
        }
    }
    if (holds_fix) {
        RF_TRY(rf_text_append(out, RF_STR("  this looks like FIX messages: -f fix reads them\n"), err));
    }
    if (malformed + errors == shown) {
        return RF_OK;
    }
    return rf_text_printf(out, err, "  and %s more; to see them all: %s%s%s\n",
                          rf_figure_exact(figure, malformed + errors - shown),
                          malformed > 0 ? "--on-malformed FILE" : "", malformed > 0 && errors > 0 ? " " : "",
                          errors > 0 ? "--on-error FILE" : "");
}

static enum rf_status aside_write(struct rf_text *out, const struct rf_summary *summary, uint64_t count,
                                  bool is_malformed, const char *name, struct rf_error *err)
{
    if (count == 0) {
        return RF_OK;
    }
    RF_TRY(rf_text_printf(out, err, "%sriffle:%s ", color(summary, "\033[33m"), color(summary, "\033[0m")));
    RF_TRY(is_malformed ? count_write(out, count, "malformed record", "malformed records", err)
                        : count_write(out, count, "evaluation error", "evaluation errors", err));
    RF_TRY(rf_text_append(out, count == 1 ? RF_STR(" was written to ") : RF_STR(" were written to "), err));
    RF_TRY(plain(out, name, err));
    return rf_text_append_char(out, '\n', err);
}

enum rf_status rf_summary_write_bad(struct rf_text *out, const struct rf_summary *summary, struct rf_error *err)
{
    const uint64_t malformed = summary->result->counts.of[RF_ROW_MALFORMED];
    const uint64_t errors = summary->result->counts.of[RF_ROW_ERROR];
    RF_TRY(dropped_write(out, summary, summary->on_malformed->kind == RF_POLICY_DROP ? malformed : 0,
                         summary->on_error->kind == RF_POLICY_DROP ? errors : 0, err));
    if (summary->on_malformed->kind == RF_POLICY_FILE) {
        RF_TRY(aside_write(out, summary, malformed, true, summary->malformed_file, err));
    }
    if (summary->on_error->kind == RF_POLICY_FILE) {
        RF_TRY(aside_write(out, summary, errors, false, summary->error_file, err));
    }
    return RF_OK;
}

enum rf_status rf_summary_write_line(struct rf_text *out, const struct rf_summary *summary, struct rf_error *err)
{
    const struct rf_counts *counts = &summary->result->counts;
    char figure[RF_FIGURE_BYTES];
    RF_TRY(rf_text_printf(out, err, "%sriffle:%s read ", color(summary, "\033[32m"), color(summary, "\033[0m")));
    RF_TRY(count_write(out, rf_counts_read(counts), "record", "records", err));
    RF_TRY(rf_text_printf(out, err, " (%s): ", rf_figure_bytes(figure, (double)counts->bytes)));
    RF_TRY(rf_text_printf(out, err, "%s selected", rf_figure_exact(figure, counts->of[RF_ROW_SELECTED])));
    RF_TRY(rf_text_printf(out, err, ", %s rejected", rf_figure_exact(figure, counts->of[RF_ROW_REJECTED])));
    RF_TRY(rf_text_printf(out, err, ", %s error", rf_figure_exact(figure, counts->of[RF_ROW_ERROR])));
    RF_TRY(rf_text_printf(out, err, ", %s malformed", rf_figure_exact(figure, counts->of[RF_ROW_MALFORMED])));
    RF_TRY(rf_text_printf(out, err, ", %s blank", rf_figure_exact(figure, counts->of[RF_ROW_BLANK])));
    const double seconds = summary->seconds > 1e-9 ? summary->seconds : 1e-9;
    RF_TRY(rf_text_printf(out, err, "; %.3f s, %.2f GB/s, %u thread%s, %s", summary->seconds,
                          (double)counts->bytes / seconds / 1e9, summary->threads, summary->threads == 1 ? "" : "s",
                          summary->backend));
    if (strcmp(summary->backend, "cpu") == 0) {
        RF_TRY(rf_text_printf(out, err, " %s", summary->isa));
    }
    const struct rf_device_counts *device = &summary->result->device;
    if (device->batches != 0) {
        RF_TRY(rf_text_printf(out, err, ": %s records there", rf_figure_exact(figure, device->rows)));
        RF_TRY(rf_text_printf(out, err, ", %s of them left to interp", rf_figure_exact(figure, device->redone_rows)));
    }
    return rf_text_append(out, summary->result->was_prefiltered ? RF_STR(", prefilter\n") : RF_STR("\n"), err);
}

enum rf_status rf_summary_write_json(struct rf_text *out, const struct rf_summary *summary, struct rf_error *err)
{
    const struct rf_pipeline_result *result = summary->result;
    RF_TRY(rf_text_printf(out, err, "{\"read\":%" PRIu64, rf_counts_read(&result->counts)));
    static const enum rf_row_status order[] = {RF_ROW_SELECTED, RF_ROW_REJECTED, RF_ROW_ERROR, RF_ROW_MALFORMED,
                                               RF_ROW_BLANK};
    _Static_assert(sizeof order / sizeof order[0] == RF_ROW_STATUS_COUNT, "every status is told");
    for (int i = 0; i < RF_ROW_STATUS_COUNT; i++) {
        RF_TRY(rf_text_printf(out, err, ",\"%s\":%" PRIu64, rf_row_status_key(order[i]), result->counts.of[order[i]]));
    }
    RF_TRY(rf_text_printf(out, err,
                          ",\"bytes\":%" PRIu64 ",\"seconds\":%.6f,\"backend\":\"%s\",\"isa\":\"%s\",\"prefilter\":%s",
                          result->counts.bytes, summary->seconds, summary->backend, summary->isa,
                          result->was_prefiltered ? "true" : "false"));
    const struct rf_device_counts *device = &result->device;
    if (device->batches + device->failed_batches != 0) {
        RF_TRY(rf_text_printf(out, err,
                              ",\"device\":{\"batches\":%" PRIu64 ",\"rows\":%" PRIu64 ",\"redone_rows\":%" PRIu64
                              ",\"failed_batches\":%" PRIu64 ",\"bytes_sent\":%" PRIu64 ",\"bytes_received\":%" PRIu64 "}",
                              device->batches, device->rows, device->redone_rows, device->failed_batches, device->bytes_sent,
                              device->bytes_received));
    }
    RF_TRY(rf_text_append(out, RF_STR(",\"errors\":["), err));
    for (uint32_t i = 0; i < result->examples; i++) {
        RF_TRY(rf_text_append(out, i > 0 ? RF_STR(",{") : RF_STR("{"), err));
        RF_TRY(rf_example_write_members(&result->example[i], out, err));
        RF_TRY(rf_text_append_char(out, '}', err));
    }
    return rf_text_append(out, RF_STR("]}\n"), err);
}
