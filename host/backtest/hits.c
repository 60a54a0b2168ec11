#include "hits.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct hits_file {
    struct rf_text text; /* not yet written */
    bool has_begun;      /* the file is ours: append */
};

struct rf_hits {
    const struct rf_rules *rules;
    int folder; /* descriptor */
    const char *folder_name;
    const char *extension;
    bool are_numbers;
    struct hits_file *file; /* [rules] */
    size_t buffered;
};

/* Files of another run would look like hits of this one. */
static enum rf_status folder_check(const char *folder, struct rf_error *err)
{
    DIR *list = opendir(folder);
    if (list == NULL) {
        RF_FAIL(err, RF_E_IO, "%s: %s", folder, strerror(errno));
    }
    const char *found = NULL;
    for (const struct dirent *entry = readdir(list); entry != NULL && found == NULL; entry = readdir(list)) {
        found = strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 ? entry->d_name : NULL;
    }
    const enum rf_status status =
        found == NULL ? RF_OK
                      : rf_error_set(err, RF_E_IO, __FILE__, __LINE__,
                                     "%s: there is '%.100s' in it; hits go to a folder that is empty or not yet there", folder, found);
    (void)closedir(list);
    return status;
}

enum rf_status rf_hits_open(struct rf_hits **out, const char *folder, const struct rf_rules *rules,
                            const char *extension, bool are_numbers, struct rf_error *err)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        RF_FAIL(err, RF_E_IO, "%s: %s", folder, strerror(errno));
    }
    RF_TRY(folder_check(folder, err));
    const int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) {
        RF_FAIL(err, RF_E_IO, "%s: %s", folder, strerror(errno));
    }
    struct rf_hits *hits = calloc(1, sizeof *hits);
    struct hits_file *file = calloc((size_t)rules->rules + 1, sizeof *file);
    if (hits == NULL || file == NULL) {
        free(hits);
        free(file);
        (void)close(descriptor);
        RF_FAIL(err, RF_E_MEMORY, "out of memory for the hits of %u rules", rules->rules);
    }
    *hits = (struct rf_hits){.rules = rules,
                             .folder = descriptor,
                             .folder_name = folder,
                             .extension = extension,
                             .are_numbers = are_numbers,
                             .file = file};
    *out = hits;
    return RF_OK;
}

void rf_hits_close(struct rf_hits *hits)
{
    if (hits == NULL) {
        return;
    }
    for (uint32_t r = 0; r < hits->rules->rules; r++) {
        rf_text_free(&hits->file[r].text);
    }
    free(hits->file);
    (void)close(hits->folder);
    free(hits);
}

/* RF_RULE_NAME_MAX bytes, each as %XX, may be longer than file systems allow: then the number of the rule makes it one of its
 * own. */
static void name_make(const struct rf_hits *hits, uint32_t rule, char name[RF_HITS_NAME_MAX + 32])
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-{}=,+";
    const struct rf_str text = hits->rules->rule[rule].name;
    size_t used = 0;
    bool is_cut = false;
    for (size_t i = 0; i < text.count && !is_cut; i++) {
        const char c = text.data[i];
        const bool is_plain = c != '\0' && strchr(plain, c) != NULL && !(i == 0 && c == '.');
        is_cut = used + 3 > RF_HITS_NAME_MAX - 20;
        if (!is_cut) {
            used += (size_t)snprintf(name + used, 4, is_plain ? "%c" : "%%%02X", (unsigned char)c);
        }
    }
    if (is_cut) {
        used += (size_t)snprintf(name + used, 16, "~%" PRIu32, rule);
    }
    (void)snprintf(name + used, 16, ".%s", hits->are_numbers ? "csv" : hits->extension);
}

static enum rf_status file_flush(struct rf_hits *hits, uint32_t rule, struct rf_error *err)
{
    struct hits_file *file = &hits->file[rule];
    char name[RF_HITS_NAME_MAX + 32];
    if (file->text.count == 0) {
        return RF_OK;
    }
    name_make(hits, rule, name);
    const int descriptor =
        openat(hits->folder, name, O_WRONLY | O_CREAT | O_CLOEXEC | (file->has_begun ? O_APPEND : O_TRUNC), 0666);
    if (descriptor < 0) {
        RF_FAIL(err, RF_E_IO, "%s/%s: %s", hits->folder_name, name, strerror(errno));
    }
    file->has_begun = true;
    int problem = 0;
    for (size_t at = 0; at < file->text.count && problem == 0;) {
        const ssize_t count = write(descriptor, file->text.data + at, file->text.count - at);
        at += count > 0 ? (size_t)count : 0;
        problem = count < 0 && errno != EINTR ? errno : 0;
    }
    if (close(descriptor) != 0 && problem == 0) {
        problem = errno;
    }
    if (problem != 0) {
        RF_FAIL(err, RF_E_IO, "%s/%s: %s", hits->folder_name, name, strerror(problem));
    }
    hits->buffered -= file->text.count;
    rf_text_free(&file->text); /* thousands of buffers that are half used would be most of the memory */
    return RF_OK;
}

enum rf_status rf_hits_finish(struct rf_hits *hits, struct rf_error *err)
{
    for (uint32_t r = 0; r < hits->rules->rules; r++) {
        RF_TRY(file_flush(hits, r, err));
    }
    return RF_OK;
}

static enum rf_status place_write(struct rf_text *text, bool is_first, struct rf_where where, struct rf_error *err)
{
    if (is_first) {
        RF_TRY(rf_text_append(text, RF_STR("file,record,offset\r\n"), err));
    }
    RF_TRY(rf_value_write_csv(text, rf_value_string(rf_str_of(where.input_name)), err));
    return rf_text_printf(text, err, ",%" PRIu64 ",%" PRIu64 "\r\n", where.number, where.offset);
}

static enum rf_status record_write(struct rf_text *text, struct rf_str line, bool is_fix, struct rf_error *err)
{
    RF_TRY(rf_text_append(text, line, err));
    const bool has_end = line.count != 0 && line.data[line.count - 1] == '\n';
    return has_end || is_fix ? RF_OK : rf_text_append_char(text, '\n', err);
}

enum rf_status rf_hits_write(struct rf_hits *hits, struct rf_worker *worker, uint32_t first, const uint64_t *truth,
                             uint32_t words, struct rf_error *err)
{
    for (uint32_t r = 0; r < hits->rules->rules; r++, truth += RF_EVAL_BLOCK_WORDS) {
        struct hits_file *file = &hits->file[r];
        const size_t before = file->text.count;
        for (uint32_t w = 0; w < words; w++) {
            for (uint64_t left = truth[w]; left != 0; left &= left - 1) {
                const uint32_t row = first + 64 * w + (uint32_t)__builtin_ctzll(left);
                RF_TRY(hits->are_numbers
                           ? place_write(&file->text, !file->has_begun && file->text.count == 0,
                                         rf_row_where(&worker->batch, &worker->rows, row), err)
                           : record_write(&file->text, rf_row_line(&worker->batch, &worker->rows, row), worker->is_fix,
                                          err));
            }
        }
        hits->buffered += file->text.count - before;
    }
    return hits->buffered < RF_HITS_BUFFER_BYTES ? RF_OK : rf_hits_finish(hits, err);
}
