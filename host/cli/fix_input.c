#include "fix_input.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fix_start.h"
#include "json_tree.h"
#include "source.h"

enum {
    LOOK_BYTES = RF_AHEAD_PLAIN_BYTES,
    LOOK_DEPTH_MAX = 512,
    LOOK_ARENA_BYTES =
        8 * 1024 * 1024 /* for the values of a line of LOOK_BYTES: some 48 bytes for each two of its bytes */
};

enum verdict { VERDICT_OPEN, VERDICT_FIX, VERDICT_OTHER };

/* Lines that say nothing are passed for good: bytes that come one by one are looked at once. */
struct look {
    size_t line; /* where the present line begins */
    size_t at;   /* in it no message begins before this */
};

static bool is_space(uint8_t byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

/* A number, a list, true, false or null, as whole lines. */
static bool line_is_json(const uint8_t *line, size_t count)
{
    struct rf_arena arena;
    struct rf_tree tree;
    struct rf_error err;
    struct rf_malformed malformed = {.reason = RF_REASON_NONE};
    if (memchr("[-0123456789tfn", line[0], 15) == NULL) {
        return false;
    }
    rf_arena_init(&arena, LOOK_ARENA_BYTES);
    const struct rf_str text = {(const char *)line, count};
    bool is_json = rf_tree_read(&tree, text, LOOK_DEPTH_MAX, &arena, &malformed, &err) == RF_OK &&
                   malformed.reason == RF_REASON_NONE;
    if (is_json) {
        rf_tree_check(&tree, 0, true, &malformed);
        is_json = malformed.reason == RF_REASON_NONE;
    }
    rf_arena_free(&arena);
    return is_json;
}

/* Does a message begin in [look->at, end)? VERDICT_OPEN: perhaps at look->at; VERDICT_OTHER: no. */
static enum verdict message_look(struct look *look, const struct rf_fix_window *window, size_t end)
{
    while (look->at < end) {
        const uint8_t *eight = memchr(window->bytes + look->at, '8', end - look->at);
        look->at = eight == NULL ? end : (size_t)(eight - window->bytes);
        if (eight == NULL) {
            break;
        }
        struct rf_fix_start start;
        switch (rf_fix_start_at(window, look->at, true, &start)) {
        case RF_FIX_YES:
            return VERDICT_FIX;
        case RF_FIX_OPEN:
            return VERDICT_OPEN;
        case RF_FIX_NO:
            look->at++;
            break;
        }
    }
    return VERDICT_OTHER;
}

/* is_all: no more bytes will be looked at; then the verdict is not open. */
static enum verdict bytes_look(struct look *look, const uint8_t *bytes, size_t count, bool is_all)
{
    static const uint8_t mark[] = {0xef, 0xbb, 0xbf};
    const struct rf_fix_window window = {.bytes = bytes, .end = count, .is_open = !is_all};
    for (;;) {
        if (look->line == 0 && count >= sizeof mark && memcmp(bytes, mark, sizeof mark) == 0) {
            look->line = sizeof mark;
        }
        while (look->line < count && is_space(bytes[look->line])) {
            look->line++;
        }
        if (look->line == count) {
            return is_all ? VERDICT_OTHER : VERDICT_OPEN;
        }
        if (bytes[look->line] == '{' || bytes[look->line] == '"') { /* a list would be [: so may be a prefix */
            return VERDICT_OTHER;
        }
        look->at = look->at < look->line ? look->line : look->at;
        const uint8_t *line_end = memchr(bytes + look->line, '\n', count - look->line);
        const size_t end = line_end == NULL ? count : (size_t)(line_end - bytes);
        const enum verdict verdict = message_look(look, &window, end);
        if (verdict != VERDICT_OTHER) {
            return verdict;
        }
        if (line_end == NULL) {
            return is_all ? VERDICT_OTHER : VERDICT_OPEN;
        }
        if (line_is_json(bytes + look->line, end - look->line)) {
            return VERDICT_OTHER;
        }
        look->line = end + 1;
    }
}

static bool file_is_fix(const char *name)
{
    struct stat info;
    struct rf_source *source;
    struct rf_error err;
    struct rf_batch batch = {0};
    struct look look = {0};
    if (stat(name, &info) != 0 || !S_ISREG(info.st_mode)) {
        return false;
    }
    const struct rf_source_options options = {.batch_bytes = LOOK_BYTES, .is_text = true};
    if (rf_source_open_files(&source, &name, 1, options, &err) != RF_OK) {
        return false;
    }
    const bool is_fix = rf_source_fill(source, &batch, &err) == RF_OK &&
                        bytes_look(&look, batch.bytes, batch.bytes_used, true) == VERDICT_FIX;
    rf_source_close(source);
    rf_batch_close(&batch);
    return is_fix;
}

/* Standard input is read until it is known. At a terminal nobody would know what is waited for, and names in the expression
 * would be found wrong only after the first line was typed. */
static bool stdin_is_fix(struct rf_ahead *ahead)
{
    struct rf_error err;
    struct look look = {0};
    if (isatty(STDIN_FILENO) == 1 || rf_ahead_open(ahead, &err) != RF_OK) {
        return false;
    }
    enum verdict verdict = VERDICT_OPEN;
    while (verdict == VERDICT_OPEN) {
        const bool is_all = ahead->plain_count >= LOOK_BYTES || !rf_ahead_more(ahead);
        verdict = bytes_look(&look, ahead->plain, ahead->plain_count, is_all);
    }
    rf_ahead_rest(ahead);
    return verdict == VERDICT_FIX;
}

/* An empty file says nothing about those behind it. */
static bool file_is_empty(const char *name)
{
    struct stat info;
    return stat(name, &info) == 0 && S_ISREG(info.st_mode) && info.st_size == 0;
}

/* Not read by a command that only shows what it would do, unless it is a file, which can be put back. */
static bool may_read_stdin(const struct rf_flags *flags)
{
    struct stat info;
    return flags->command == RF_COMMAND_FILTER || flags->command == RF_COMMAND_BACKTEST || (fstat(STDIN_FILENO, &info) == 0 && S_ISREG(info.st_mode));
}

unsigned rf_format_choose(const struct rf_flags *flags, size_t first, struct rf_ahead *ahead)
{
    const unsigned format = (unsigned)flags->value[RF_FLAG_FORMAT].number;
    *ahead = (struct rf_ahead){0};
    if (format != RF_FORMAT_AUTO) {
        return format;
    }
    if (flags->value[RF_FLAG_FIX_DICT].is_set || flags->value[RF_FLAG_FIX_LENIENT].is_set ||
        flags->value[RF_FLAG_FIX_MATCH].is_set || flags->value[RF_FLAG_PRETTY].is_set ||
        flags->value[RF_FLAG_FIX_KEYS].is_set) {
        return RF_FORMAT_FIX;
    }
    while (first < flags->args && file_is_empty(flags->arg[first])) {
        first++;
    }
    const bool is_stdin = first >= flags->args || strcmp(flags->arg[first], "-") == 0;
    const bool is_fix = is_stdin ? may_read_stdin(flags) && stdin_is_fix(ahead) : file_is_fix(flags->arg[first]);
    return is_fix ? RF_FORMAT_FIX : RF_FORMAT_NDJSON;
}
