/* progress.c: the bar. */
#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "figure.h"
#include "flag.h"
#include "terminal.h"

enum {
    REDRAW_MS = 100,
    JSON_MS = 500,
    FIRST_DRAW_MS = 250, /* a bar that is gone before it can be read only flickers */
    BAR_CELLS_MIN = 10,
    BAR_CELLS_MAX = 40,
    GAP = 2
};

enum part_id { PART_PERCENT, PART_BYTES, PART_ROWS, PART_SELECTED, PART_SPEED, PART_TIME, PART_COUNT };

/* Shown from left to right in the order of the enum; left out in this order when the line is too narrow. */
static const enum part_id part_sacrifice[PART_COUNT] = {PART_BYTES, PART_ROWS,  PART_SELECTED,
                                                        PART_TIME,  PART_SPEED, PART_PERCENT};

struct parts {
    char text[PART_COUNT][96];
};

static void parts_make(struct parts *parts, const struct rf_progress_state *state, double share)
{
    char a[RF_FIGURE_BYTES];
    char b[RF_FIGURE_BYTES];
    const size_t room = sizeof parts->text[0];
    const bool is_known = state->bytes_total > 0;
    memset(parts, 0, sizeof *parts);
    if (is_known) {
        (void)snprintf(parts->text[PART_PERCENT], room, "%3.0f%%",
                       share * 100 > 99.4 && share < 1 ? 99.0 : share * 100);
        (void)snprintf(parts->text[PART_BYTES], room, "%s of %s", rf_figure_bytes(a, (double)state->bytes_read),
                       rf_figure_bytes(b, (double)state->bytes_total));
    } else {
        (void)snprintf(parts->text[PART_BYTES], room, "%s", rf_figure_bytes(a, (double)state->bytes_read));
    }
    (void)snprintf(parts->text[PART_ROWS], room, "%s rows", rf_figure_short(a, (double)state->rows));
    const double seconds = state->seconds > 1e-6 ? state->seconds : 1e-6;
    if (state->rules == 0) {
        (void)snprintf(parts->text[PART_SELECTED], room, "%s selected", rf_figure_short(a, (double)state->selected));
    } else {
        (void)snprintf(parts->text[PART_SELECTED], room, "%s rules x rows/s",
                       rf_figure_short(a, (double)state->rows * state->rules / seconds));
    }
    (void)snprintf(parts->text[PART_SPEED], room, "%.2f GB/s", state->bytes_done / seconds / 1e9);
    if (!is_known) {
        (void)snprintf(parts->text[PART_TIME], room, "%s", rf_figure_time(a, state->seconds));
    } else if (share > 0) {
        (void)snprintf(parts->text[PART_TIME], room, "ETA %s", rf_figure_time(a, seconds * (1 - share) / share));
    } else {
        (void)snprintf(parts->text[PART_TIME], room, "ETA -:--");
    }
}

static size_t parts_width(const struct parts *parts)
{
    size_t width = 0;
    for (int i = 0; i < PART_COUNT; i++) {
        const size_t count = strlen(parts->text[i]);
        width += count > 0 ? count + (width > 0 ? GAP : 0) : 0;
    }
    return width;
}

/* "[====>     ]" of `cells` inner cells; returns bytes written. */
static size_t bar_draw(char *line, size_t cells, double share)
{
    const size_t full = (size_t)(share * (double)cells);
    size_t used = 0;
    line[used++] = '[';
    for (size_t i = 0; i < cells; i++) {
        line[used++] = i < full ? '=' : i == full ? '>' : ' ';
    }
    line[used++] = ']';
    return used;
}

void rf_progress_line(char line[RF_PROGRESS_LINE_BYTES], struct rf_progress_state state, unsigned columns)
{
    double share = 0;
    if (state.bytes_total > 0) {
        share = (double)state.bytes_read / (double)state.bytes_total;
        share = share > 1 ? 1 : share; /* the file has grown since its size was asked */
    }
    struct parts parts;
    parts_make(&parts, &state, share);
    size_t room = columns > 1 ? columns - 1 : 0;
    room = room < RF_PROGRESS_LINE_BYTES - 1 ? room : RF_PROGRESS_LINE_BYTES - 1;
    for (int i = 0; i < PART_COUNT && parts_width(&parts) > room; i++) {
        parts.text[part_sacrifice[i]][0] = '\0';
    }
    size_t used = 0;
    const size_t width = parts_width(&parts);
    if (state.bytes_total > 0 && width > 0 && room >= width + GAP + 2 + BAR_CELLS_MIN) {
        const size_t cells = room - width - GAP - 2;
        used = bar_draw(line, cells < BAR_CELLS_MAX ? cells : BAR_CELLS_MAX, share);
    }
    for (int i = 0; i < PART_COUNT; i++) {
        const size_t count = strlen(parts.text[i]);
        if (count > 0) {
            memset(line + used, ' ', used > 0 ? GAP : 0);
            used += used > 0 ? GAP : 0;
            memcpy(line + used, parts.text[i], count);
            used += count;
        }
    }
    line[used] = '\0';
}

void rf_progress_open(struct rf_progress *progress, const struct rf_source *source, unsigned when, bool has_records)
{
    *progress = (struct rf_progress){.source = source, .begin_ns = rf_clock_ns()};
    progress->is_eager = when == RF_WHEN_ALWAYS;
    progress->is_json = when == RF_WHEN_JSON;
    progress->is_on = progress->is_eager || progress->is_json || (when == RF_WHEN_AUTO && rf_terminal_is_live(STDERR_FILENO) &&
                                             !(has_records && rf_terminal_may_show(STDOUT_FILENO)));
    (void)pthread_mutex_init(&progress->lock, NULL);
}

static void progress_draw(struct rf_progress *progress, uint64_t now_ns)
{
    char line[RF_PROGRESS_LINE_BYTES];
    char out[RF_PROGRESS_LINE_BYTES + 8];
    const uint64_t total = rf_source_bytes_total(progress->source);
    rf_progress_line(line,
                     (struct rf_progress_state){.bytes_read = rf_source_bytes_read(progress->source),
                                                .bytes_total = total == RF_BYTES_UNKNOWN ? 0 : total,
                                                .rows = rf_counts_read(&progress->counts),
                                                .selected = progress->counts.of[RF_ROW_SELECTED],
                                                .rules = progress->rules,
                                                .bytes_done = (double)progress->counts.bytes,
                                                .seconds = (double)(now_ns - progress->begin_ns) / (double)RF_NS_PER_S},
                     rf_terminal_columns(STDERR_FILENO));
    /* Written over the old line, the rest of which is erased: erasing first would flicker. */
    const int count = snprintf(out, sizeof out, "\r%s\033[K", line);
    rf_terminal_tell((struct rf_str){out, (size_t)count});
    progress->is_drawn = true;
    progress->drawn_ns = now_ns;
}

/* One object on a line of its own. */
static void progress_tell(struct rf_progress *progress, uint64_t now_ns, bool is_end)
{
    char out[RF_PROGRESS_LINE_BYTES];
    char total[32] = "null";
    const uint64_t bytes = rf_source_bytes_total(progress->source);
    const double seconds = (double)(now_ns - progress->begin_ns) / (double)RF_NS_PER_S;
    const uint64_t rows = rf_counts_read(&progress->counts);
    if (bytes != RF_BYTES_UNKNOWN) {
        (void)snprintf(total, sizeof total, "%" PRIu64, bytes);
    }
    const int count = snprintf(out, sizeof out,
                               "{\"bytes\":%" PRIu64 ",\"bytes_total\":%s,\"records\":%" PRIu64 ",\"rules\":%" PRIu32
                               ",\"seconds\":%.3f,\"rules_x_records_per_second\":%.0f,\"done\":%s}\n",
                               rf_source_bytes_read(progress->source), total, rows, progress->rules, seconds,
                               (double)rows * progress->rules / (seconds > 1e-6 ? seconds : 1e-6), is_end ? "true" : "false");
    rf_terminal_tell((struct rf_str){out, (size_t)count});
    progress->drawn_ns = now_ns;
}

void rf_progress_update(void *context, const struct rf_counts *counts)
{
    struct rf_progress *progress = context;
    if (!progress->is_on) {
        return;
    }
    (void)pthread_mutex_lock(&progress->lock);
    progress->counts = *counts;
    const uint64_t now_ns = rf_clock_ns();
    if (progress->is_json) {
        if (now_ns - (progress->drawn_ns == 0 ? progress->begin_ns : progress->drawn_ns) >= (uint64_t)JSON_MS * RF_NS_PER_MS) {
            progress_tell(progress, now_ns, false);
        }
        (void)pthread_mutex_unlock(&progress->lock);
        return;
    }
    const uint64_t first_ns = progress->is_eager ? 0 : (uint64_t)FIRST_DRAW_MS * RF_NS_PER_MS;
    if (now_ns - progress->begin_ns >= first_ns && now_ns - progress->drawn_ns >= (uint64_t)REDRAW_MS * RF_NS_PER_MS) {
        progress_draw(progress, now_ns);
    }
    (void)pthread_mutex_unlock(&progress->lock);
}

static void progress_erase(struct rf_progress *progress)
{
    if (progress->is_drawn) {
        rf_terminal_tell(RF_STR(RF_PROGRESS_ERASE));
        progress->is_drawn = false;
    }
}

void rf_progress_clear(struct rf_progress *progress)
{
    if (!progress->is_on) {
        return;
    }
    (void)pthread_mutex_lock(&progress->lock);
    progress_erase(progress);
    (void)pthread_mutex_unlock(&progress->lock);
}

void rf_progress_close(struct rf_progress *progress)
{
    if (progress->is_json && progress->is_on) {
        progress_tell(progress, rf_clock_ns(), true);
    }
    if (progress->is_eager) {
        progress_draw(progress, rf_clock_ns());
    }
    progress_erase(progress);
    (void)pthread_mutex_destroy(&progress->lock);
    progress->is_on = false;
}
