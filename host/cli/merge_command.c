/* merge_command.c: riffle merge: results of parts to that of the whole. */
#include <stdlib.h>

#include "command.h"
#include "log.h"
#include "result_output.h"
#include "whole_file.h"

/* Results are as large as rules times buckets, not as streams. */
static const size_t result_bytes_max = (size_t)4 << 30;

struct part {
    struct rf_outcome outcome;
    const char *name;
    size_t place; /* on the command line */
};

/* Parts of one run in their order, whatever that of the arguments is: file names sort 10 before 2. */
static int part_compare(const void *left, const void *right)
{
    const struct part *a = left;
    const struct part *b = right;
    if (a->outcome.part.of != 0 && b->outcome.part.of != 0 && a->outcome.part.first != b->outcome.part.first) {
        return a->outcome.part.first < b->outcome.part.first ? -1 : 1;
    }
    return a->place < b->place ? -1 : a->place > b->place;
}

static enum rf_status part_read(struct part *part, struct rf_error *err)
{
    struct rf_text text = {0};
    enum rf_status status = rf_whole_file_read(part->name, result_bytes_max, &text, err);
    if (status == RF_OK) {
        status = rf_outcome_read(&part->outcome, rf_text_str(&text), part->name, err);
    }
    rf_text_free(&text); /* everything that is kept was copied */
    if (status == RF_OK && part->outcome.part.is_interrupted) {
        rf_log(RF_LOG_WARNING, "%s: of a run that was interrupted: it has the records read until then", part->name);
    }
    return status;
}

/* All of them into the first. */
static enum rf_status parts_merge(struct part *part, size_t parts, struct rf_error *err)
{
    for (size_t i = 0; i < parts; i++) {
        RF_TRY(part_read(&part[i], err));
    }
    bool are_parts = true;
    for (size_t i = 0; i < parts; i++) {
        are_parts = are_parts && part[i].outcome.part.of != 0;
    }
    if (are_parts) {
        qsort(part, parts, sizeof *part, part_compare);
    }
    for (size_t i = 1; i < parts; i++) {
        struct rf_error why;
        const enum rf_status status = rf_outcome_merge(&part[0].outcome, &part[i].outcome, &why);
        rf_outcome_close(&part[i].outcome);
        if (status != RF_OK) {
            RF_FAIL(err, status, "%s: %s", part[i].name, why.text);
        }
    }
    return RF_OK;
}

static enum rf_status whole_check(const struct rf_outcome_part *part, const struct rf_flags *flags, struct rf_error *err)
{
    if (part->of == 0) {
        return RF_OK;
    }
    if (flags->value[RF_FLAG_PARTIAL].is_set) {
        rf_log(RF_LOG_WARNING, "these are parts %u to %u of %u", part->first + 1, part->last + 1, part->of);
        return RF_OK;
    }
    RF_FAIL(err, RF_E_DATA, "there are parts %u to %u of %u, and the others are missing; --partial writes what there is",
            part->first + 1, part->last + 1, part->of);
}

int rf_command_merge(const struct rf_flags *flags)
{
    struct rf_error err;
    struct part *part = calloc(flags->args + 1, sizeof *part);
    if (part == NULL) {
        rf_log(RF_LOG_ERROR, "out of memory for %zu results", flags->args);
        return RF_EXIT_FAILURE;
    }
    for (size_t i = 0; i < flags->args; i++) {
        part[i] = (struct part){.name = flags->arg[i], .place = i};
    }
    enum rf_status status = rf_result_check(flags, &err);
    if (status == RF_OK) {
        status = parts_merge(part, flags->args, &err);
    }
    if (status == RF_OK) {
        status = whole_check(&part[0].outcome.part, flags, &err);
    }
    if (status == RF_OK) {
        status = rf_result_write(&part[0].outcome, flags, &err);
    }
    for (size_t i = 0; i < flags->args; i++) {
        rf_outcome_close(&part[i].outcome);
    }
    free(part);
    if (status != RF_OK && status != RF_E_PIPE) {
        rf_log(RF_LOG_ERROR, "%s", err.text);
        return status == RF_E_USAGE ? RF_EXIT_USAGE : RF_EXIT_FAILURE;
    }
    return RF_EXIT_DONE;
}
