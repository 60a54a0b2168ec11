#include "case_file.h"

#include <stdio.h>
#include <stdlib.h>

struct reader {
    const char *name;
    struct rf_arena *arena;
    struct case_file *file;
    uint32_t line;
    bool is_in_group; /* an expression was read and no blank line since */
};

#define CASE_FAIL(reader, err, ...)                                                                                    \
    do {                                                                                                               \
        char text_[256];                                                                                               \
        (void)snprintf(text_, sizeof text_, __VA_ARGS__);                                                              \
        RF_FAIL((err), RF_E_FORMAT, "%s:%u: %s", (reader)->name, (reader)->line, text_);                               \
    } while (0)

static enum rf_status file_load(const char *name, struct rf_arena *arena, struct rf_str *out, struct rf_error *err)
{
    FILE *file = fopen(name, "rb");
    if (file == NULL) {
        RF_FAIL(err, RF_E_IO, "cannot open %s", name);
    }
    const size_t bytes_max = 8 * 1024 * 1024;
    char *text = rf_arena_push(arena, bytes_max, 1, 1);
    const size_t count = text == NULL ? 0 : fread(text, 1, bytes_max, file);
    const bool is_whole = text != NULL && feof(file) != 0;
    fclose(file);
    if (!is_whole) {
        RF_FAIL(err, RF_E_IO, "cannot read %s, or it is longer than %zu bytes", name, bytes_max);
    }
    *out = (struct rf_str){text, count};
    return RF_OK;
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* \xNN is a byte; every other backslash and the byte behind it stay as they are, so that JSON escapes need no care. */
static struct rf_str record_decode(struct rf_arena *arena, struct rf_str text)
{
    char *out = rf_arena_push(arena, text.count + 1, 1, 1);
    size_t count = 0;
    if (out == NULL) {
        return (struct rf_str){NULL, 0};
    }
    for (size_t i = 0; i < text.count; i++) {
        if (text.data[i] != '\\' || i + 1 == text.count) {
            out[count++] = text.data[i];
            continue;
        }
        const int high = text.data[i + 1] == 'x' && i + 3 < text.count ? hex_digit(text.data[i + 2]) : -1;
        const int low = high >= 0 ? hex_digit(text.data[i + 3]) : -1;
        if (low >= 0) {
            out[count++] = (char)(high * 16 + low);
            i += 3;
        } else {
            out[count++] = text.data[i++];
            out[count++] = text.data[i];
        }
    }
    return (struct rf_str){out, count};
}

static struct rf_str str_rest(struct rf_str line, size_t skip)
{
    return (struct rf_str){line.data + skip, line.count - skip};
}

static enum rf_status read_flag(struct reader *reader, struct case_group *group, struct rf_str flag,
                                struct rf_error *err)
{
    if (rf_str_equal(flag, RF_STR("--validate"))) {
        group->is_validating = true;
    } else if (rf_str_equal(flag, RF_STR("--strict-cel"))) {
        group->is_strict_cel = true;
    } else if (rf_str_equal(flag, RF_STR("-f text"))) {
        group->is_text = true;
    } else if (rf_str_equal(flag, RF_STR("-f fix"))) {
        group->is_fix = true;
    } else if (rf_str_equal(flag, RF_STR("--fix-lenient"))) {
        group->is_fix_lenient = true;
    } else if (rf_str_equal(flag, RF_STR("no-newlines"))) {
        group->is_joined = group->is_open = true;
    } else if (rf_str_equal(flag, RF_STR("--emit csv"))) {
        group->is_csv = true;
    } else if (rf_str_equal(flag, RF_STR("--invert-match"))) {
        group->is_inverted = true;
    } else if (rf_str_equal(flag, RF_STR("no-final-newline"))) {
        group->is_open = true;
    } else if (rf_str_starts(flag, RF_STR("--max-depth "))) {
        group->depth_max = (uint32_t)strtoul(flag.data + 12, NULL, 10);
    } else {
        CASE_FAIL(reader, err, "unknown flag '%.*s'", RF_STR_ARG(flag));
    }
    return RF_OK;
}

static enum rf_status read_record(struct reader *reader, struct case_group *group, struct rf_str line,
                                  struct rf_error *err)
{
    if (group->records == CASE_RECORDS_MAX) {
        CASE_FAIL(reader, err, "more than %d records in a group", CASE_RECORDS_MAX);
    }
    struct case_record *record = &group->record[group->records++];
    *record = (struct case_record){.line = reader->line, .mark = line.data[0]};
    if (line.count > 1) {
        if (line.data[1] != ' ') {
            CASE_FAIL(reader, err, "a mark is followed by one space");
        }
        record->text = record_decode(reader->arena, str_rest(line, 2));
    } else {
        record->text = RF_STR("");
    }
    if (record->text.data == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "%s is too large", reader->name);
    }
    if (memchr(record->text.data, '\n', record->text.count) != NULL) {
        CASE_FAIL(reader, err, "a record holds no line feed");
    }
    return RF_OK;
}

static enum rf_status read_expression(struct reader *reader, struct rf_str text, struct rf_error *err)
{
    if (reader->is_in_group) {
        CASE_FAIL(reader, err, "a group has one expression: leave a blank line before the next");
    }
    struct case_group *group = &reader->file->group[reader->file->groups++];
    *group = (struct case_group){.line = reader->line, .expression = text, .depth_max = 1024};
    group->record = RF_PUSH(reader->arena, struct case_record, CASE_RECORDS_MAX);
    if (group->record == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "%s is too large", reader->name);
    }
    reader->is_in_group = true;
    return RF_OK;
}

static enum rf_status read_line(struct reader *reader, struct rf_str line, struct rf_error *err)
{
    if (line.count == 0) {
        reader->is_in_group = false;
        return RF_OK;
    }
    if (line.data[0] == '#') {
        return RF_OK;
    }
    if (rf_str_starts(line, RF_STR("expr "))) {
        return read_expression(reader, str_rest(line, 5), err);
    }
    if (!reader->is_in_group) {
        CASE_FAIL(reader, err, "expected 'expr EXPRESSION' first");
    }
    struct case_group *group = &reader->file->group[reader->file->groups - 1];
    if (rf_str_starts(line, RF_STR("select "))) {
        if (group->selects == CASE_SELECTS_MAX) {
            CASE_FAIL(reader, err, "more than %d projections", CASE_SELECTS_MAX);
        }
        group->select[group->selects++] = str_rest(line, 7);
        return RF_OK;
    }
    if (rf_str_starts(line, RF_STR("flag "))) {
        return read_flag(reader, group, str_rest(line, 5), err);
    }
    if (rf_str_starts(line, RF_STR("> "))) {
        struct case_record *record = group->records == 0 ? NULL : &group->record[group->records - 1];
        if (record == NULL || record->mark != '+' || record->output.data != NULL || group->selects == 0) {
            CASE_FAIL(reader, err, "output belongs behind a selected record of a group with 'select'");
        }
        record->output = str_rest(line, 2);
        return RF_OK;
    }
    if (strchr("+-!x_", line.data[0]) != NULL) {
        return read_record(reader, group, line, err);
    }
    CASE_FAIL(reader, err, "neither 'expr', 'select', 'flag', '>' nor a mark: %.*s", RF_STR_ARG(line));
}

static enum rf_status check_groups(const char *name, const struct case_file *file, struct rf_error *err)
{
    for (uint32_t g = 0; g < file->groups; g++) {
        const struct case_group *group = &file->group[g];
        if (group->records == 0) {
            RF_FAIL(err, RF_E_FORMAT, "%s:%u: a group without records tests nothing", name, group->line);
        }
        for (uint32_t r = 0; r < group->records; r++) {
            if (group->selects != 0 && group->record[r].mark == '+' && group->record[r].output.data == NULL) {
                RF_FAIL(err, RF_E_FORMAT, "%s:%u: the output is missing", name, group->record[r].line);
            }
        }
    }
    return RF_OK;
}

enum rf_status case_file_read(const char *name, struct rf_arena *arena, struct case_file *out, struct rf_error *err)
{
    struct rf_str text = {NULL, 0};
    RF_TRY(file_load(name, arena, &text, err));
    size_t lines = 1;
    for (size_t i = 0; i < text.count; i++) {
        lines += text.data[i] == '\n' ? 1 : 0;
    }
    *out = (struct case_file){.group = RF_PUSH(arena, struct case_group, lines)};
    if (out->group == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "%s is too large", name);
    }
    struct reader reader = {.name = name, .arena = arena, .file = out};
    for (size_t begin = 0; begin < text.count;) {
        const char *newline = memchr(text.data + begin, '\n', text.count - begin);
        const size_t end = newline == NULL ? text.count : (size_t)(newline - text.data);
        reader.line++;
        RF_TRY(read_line(&reader, (struct rf_str){text.data + begin, end - begin}, err));
        begin = end + 1;
    }
    return check_groups(name, out, err);
}
