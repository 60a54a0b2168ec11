/* lab_shrink.c: a difference made small enough to be read. */
#include <stdio.h>
#include <stdlib.h>

#include "lab.h"

enum { TRIES_MAX = 60000, PIECE_MAX = 64, PRINT_MAX = 4000 };

struct shrink {
    struct lab_case *lab;
    struct lab_report *report; /* of the smallest case so far */
    uint32_t tries;
};

static bool is_still_different(struct shrink *shrink)
{
    struct lab_report report = {.source = 0};
    if (shrink->tries++ >= TRIES_MAX || lab_run(shrink->lab, &report) != LAB_DIFFERENT) {
        return false;
    }
    *shrink->report = report;
    return true;
}

/* ---- Sources ---- */

/* One predicate or projection alone, which is the one that differs. */
static void sources_shrink(struct shrink *shrink)
{
    struct lab_case *lab = shrink->lab;
    const struct lab_case whole = *lab;
    const uint32_t source = shrink->report->source;
    const bool is_predicate = source < lab->predicates;
    lab->source[0] = whole.source[source];
    lab->source[source] = whole.source[0];
    lab->predicates = is_predicate ? 1 : 0;
    lab->projections = is_predicate ? 0 : 1;
    if (!is_still_different(shrink)) {
        *lab = whole;
    }
}

/* ---- Texts ---- */

/* Takes away what can go, piece by piece: halves first, single characters last. */
static bool text_shrink(struct shrink *shrink, struct rf_text *text)
{
    bool is_smaller = false;
    struct rf_text before = {0};
    size_t piece = text->count / 2;
    while (piece > 0) {
        for (size_t at = 0; at + piece <= text->count;) {
            rf_text_clear(&before);
            put_str(&before, rf_text_str(text));
            memmove(text->data + at, text->data + at + piece, text->count - at - piece);
            text->count -= piece;
            if (is_still_different(shrink)) {
                is_smaller = true;
                continue;
            }
            rf_text_clear(text);
            put_str(text, rf_text_str(&before));
            at += piece > 4 ? piece / 2 : 1;
        }
        piece = piece > PIECE_MAX ? piece / 2 : piece - 1;
    }
    rf_text_free(&before);
    return is_smaller;
}

/* Parts in brackets become constants. */
static bool brackets_shrink(struct shrink *shrink, struct rf_text *text)
{
    static const char *const constant[] = {"0", "1", "\"\"", "true", "null", "[]", "{}", "n", "s", "l"};
    bool is_smaller = false;
    struct rf_text before = {0};
    for (size_t at = 0; at < text->count; at++) {
        if (text->data[at] != '(' && text->data[at] != '[' && text->data[at] != '{') {
            continue;
        }
        size_t end = at;
        uint32_t open = 0;
        do {
            open += text->data[end] == '(' || text->data[end] == '[' || text->data[end] == '{';
            open -= text->data[end] == ')' || text->data[end] == ']' || text->data[end] == '}';
            end++;
        } while (open != 0 && end < text->count);
        for (size_t i = 0; i < 2 * sizeof constant / sizeof constant[0] && end - at > 3; i++) {
            size_t begin = at;
            while (i % 2 == 1 && begin > 0 &&
                   strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ._", text->data[begin - 1]) != NULL) {
                begin--;
            }
            rf_text_clear(&before);
            put_str(&before, rf_text_str(text));
            text->count = begin;
            put(text, constant[i / 2]);
            put_str(text, (struct rf_str){before.data + end, before.count - end});
            if (text->count < before.count && is_still_different(shrink)) {
                is_smaller = true;
                break;
            }
            rf_text_clear(text);
            put_str(text, rf_text_str(&before));
        }
    }
    rf_text_free(&before);
    return is_smaller;
}

/* ---- Rows ---- */

static void line_keep(struct shrink *shrink)
{
    struct rf_text *records = &shrink->lab->records;
    struct rf_text before = {0};
    size_t begin = 0;
    put_str(&before, rf_text_str(records));
    for (uint32_t row = 0; row < shrink->report->row && begin < before.count; row++) {
        const char *newline = memchr(before.data + begin, '\n', before.count - begin);
        begin = newline == NULL ? before.count : (size_t)(newline - before.data) + 1;
    }
    const char *newline = begin < before.count ? memchr(before.data + begin, '\n', before.count - begin) : NULL;
    const size_t end = newline == NULL ? before.count : (size_t)(newline - before.data) + 1;
    rf_text_clear(records);
    put_str(records, (struct rf_str){before.data + begin, end - begin});
    if (!is_still_different(shrink)) {
        rf_text_clear(records);
        put_str(records, rf_text_str(&before));
    }
    rf_text_free(&before);
}

/* The row alone, and then as few variables as it needs. */
static void table_shrink(struct shrink *shrink)
{
    struct lab_case *lab = shrink->lab;
    const uint32_t rows = lab->rows;
    const uint32_t row = shrink->report->row;
    struct rf_value *binding = lab->binding;
    lab->binding += (size_t)row * FIELDS;
    lab->rows = 1;
    if (!is_still_different(shrink)) {
        lab->binding = binding;
        lab->rows = rows;
    }
    for (uint32_t f = 0; f < lab->rows * FIELDS; f++) {
        const struct rf_value before = lab->binding[f];
        lab->binding[f] = (struct rf_value){.type = RF_TYPE_DYN};
        if (before.type != RF_TYPE_DYN && !is_still_different(shrink)) {
            lab->binding[f] = before;
        }
    }
}

static void flag_shrink(struct shrink *shrink, bool *flag)
{
    if (*flag) {
        *flag = false;
        *flag = !is_still_different(shrink);
    }
}

void lab_shrink(struct lab_case *lab, struct lab_report *report)
{
    struct shrink shrink = {.lab = lab, .report = report};
    sources_shrink(&shrink);
    flag_shrink(&shrink, &lab->is_lifting);
    flag_shrink(&shrink, &lab->is_strict_cel);
    flag_shrink(&shrink, &lab->is_validating);
    flag_shrink(&shrink, &lab->is_unchecked);
    if (lab->is_table) {
        table_shrink(&shrink);
    } else {
        line_keep(&shrink);
    }
    bool is_smaller = true;
    while (is_smaller) {
        is_smaller = false;
        for (uint32_t i = 0; i < lab->predicates + lab->projections; i++) {
            is_smaller = brackets_shrink(&shrink, &lab->source[i]) || is_smaller;
            is_smaller = text_shrink(&shrink, &lab->source[i]) || is_smaller;
        }
        is_smaller = (!lab->is_table && text_shrink(&shrink, &lab->records)) || is_smaller;
    }
    if (lab->is_table) {
        table_shrink(&shrink);
    }
    /* The report is that of the last success. */
    (void)is_still_different(&shrink);
}

/* ---- For people ---- */

static void binding_print(const struct lab_case *lab, uint32_t row)
{
    for (uint32_t f = 0; f < FIELDS; f++) {
        const struct rf_value value = lab->binding[(size_t)row * FIELDS + f];
        struct rf_text json = {0};
        struct rf_error err;
        if (value.type == RF_TYPE_DYN) {
            continue;
        }
        if (rf_value_write_json(&json, value, &err) == RF_OK) {
            fprintf(stderr, "    %s = %s%s %.*s\n", random_field_table[f].name, value.is_message ? "message " : "",
                    rf_type_name(value.type), (int)json.count, json.data);
        }
        rf_text_free(&json);
    }
}

void lab_print(const struct lab_case *lab, const struct lab_report *report)
{
    for (uint32_t i = 0; i < lab->predicates + lab->projections; i++) {
        fprintf(stderr, "  %s %.*s\n", i < lab->predicates ? "expr" : "value", (int)lab->source[i].count,
                lab->source[i].data);
    }
    if (lab->is_table) {
        fprintf(stderr, "  %u rows; row %u:\n", lab->rows, report->row);
        if (report->row < lab->rows) {
            binding_print(lab, report->row);
        }
    } else {
        const size_t shown = lab->records.count < PRINT_MAX ? lab->records.count : PRINT_MAX;
        fprintf(stderr, "  records, %zu bytes:\n%.*s\n", lab->records.count, (int)shown, lab->records.data);
    }
    fprintf(stderr, "  flags:%s%s%s%s%s\n  source %u, row %u: %s\n", lab->is_table ? " table" : "",
            lab->is_strict_cel ? " --strict-cel" : "", lab->is_validating ? " --validate" : "",
            lab->is_lifting ? " lifting" : "", lab->is_unchecked ? " unchecked" : "", report->source, report->row,
            report->what);
}
