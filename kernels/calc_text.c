/* The functions of strings on cells (calc.h): what their arguments may be and where their results live. The work itself
 * is done in host/scalar and host/regex, which the interpreter uses too.
 *
 * Data       Places are counted in code points. Parts of a string (charAt, substring, trim) point into it; what is
 *            really new is in the scratch of the run. *out is an error already when a function is called: what is not
 *            defined leaves it alone.
 * Source     host/expr/operate_text.c says the same of values; tests/unit/pipeline/test_calc_operate_text.c compares.
 */
#include "calc_text.h"

#include "chars.h"
#include "chars_edit.h"
#include "glob.h"

static bool cells_are_strings(const struct rf_cell *arg, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!rf_cell_is_string(&arg[i])) {
            return false;
        }
    }
    return true;
}

/* An int, or a message number that is one. */
static bool cell_int(const struct rf_calc_run *run, const struct rf_cell *cell, int64_t *value)
{
    struct rf_cell whole = *cell;
    if (cell->tag != RF_TAG_INT && (run->calc->is_strict_cel || !rf_cell_whole(cell, &whole))) {
        return false;
    }
    *value = (int64_t)whole.payload;
    return whole.tag == RF_TAG_INT;
}

/* ---- Tests of a string ---- */

static void text_starts(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    (void)run;
    if (cells_are_strings(arg, 2)) {
        *out = rf_cell_of_bool(rf_str_starts(rf_cell_text(&arg[0]), rf_cell_text(&arg[1])));
    }
}

static void text_ends(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    (void)run;
    if (cells_are_strings(arg, 2)) {
        *out = rf_cell_of_bool(rf_str_ends(rf_cell_text(&arg[0]), rf_cell_text(&arg[1])));
    }
}

/* memmem of glibc fills a table before it looks for three bytes or more, which takes longer than to look at a short
 * text place by place. */
static bool text_has(struct rf_str text, struct rf_str part)
{
    enum { SHORT_BYTES = 64 };
    if (part.count == 0 || part.count > text.count || text.count > SHORT_BYTES) {
        return rf_str_contains(text, part);
    }
    const char *const end = text.data + (text.count - part.count) + 1; /* of the places where part may begin */
    for (const char *at = text.data; (at = memchr(at, part.data[0], (size_t)(end - at))) != NULL; at++) {
        if (memcmp(at, part.data, part.count) == 0) {
            return true;
        }
    }
    return false;
}

static void text_contains(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    (void)run;
    if (cells_are_strings(arg, 2)) {
        *out = rf_cell_of_bool(text_has(rf_cell_text(&arg[0]), rf_cell_text(&arg[1])));
    }
}

/* A pattern that is known only now has to be compiled, which takes memory and time that belong to the interpreter. */
static void text_matches(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    if (!cells_are_strings(arg, run->calc->args)) {
        return;
    }
    if (run->calc->regex == NULL) {
        out->tag = RF_TAG_HOST;
        return;
    }
    *out = rf_cell_of_bool(rf_regex_match(run->calc->regex, rf_cell_text(&arg[0])));
}

static uint64_t word_at(const char *text)
{
    uint64_t word;
    memcpy(&word, text, sizeof word);
    return word;
}

/* rf_chars_equal_ascii by words. The payloads are the first eight bytes: they decide most pairs without a look at the
 * texts, and short ones entirely. The last word overlaps the one before it. */
static bool cells_equal_ascii(const struct rf_cell *a, const struct rf_cell *b)
{
    enum { WORD_BYTES = sizeof(uint64_t) };
    if (a->length != b->length || rf_word_lower(a->payload) != rf_word_lower(b->payload)) {
        return false;
    }
    for (size_t at = WORD_BYTES; at < a->length; at += WORD_BYTES) {
        const size_t from = at + WORD_BYTES <= a->length ? at : a->length - WORD_BYTES;
        if (rf_word_lower(word_at(a->text + from)) != rf_word_lower(word_at(b->text + from))) {
            return false;
        }
    }
    return true;
}

static void text_iequals(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    (void)run;
    if (cells_are_strings(arg, 2)) {
        *out = rf_cell_of_bool(cells_equal_ascii(&arg[0], &arg[1]));
    }
}

static void text_glob(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    (void)run;
    if (cells_are_strings(arg, 2)) {
        *out = rf_cell_of_bool(rf_glob_match(rf_cell_text(&arg[0]), rf_cell_text(&arg[1])));
    }
}

/* ---- Places ---- */

static void text_index_of(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    int64_t from = 0;
    int64_t place;
    if (!cells_are_strings(arg, 2) || (run->calc->args == 3 && !cell_int(run, &arg[2], &from))) {
        return;
    }
    if (rf_chars_find(rf_cell_text(&arg[0]), rf_cell_text(&arg[1]), from, &place)) {
        *out = rf_cell_of_int(place);
    }
}

static void text_last_index_of(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    int64_t from;
    int64_t place;
    if (!cells_are_strings(arg, 2)) {
        return;
    }
    if (run->calc->args == 2) {
        *out = rf_cell_of_int(rf_chars_find_last_any(rf_cell_text(&arg[0]), rf_cell_text(&arg[1])));
        return;
    }
    if (cell_int(run, &arg[2], &from) &&
        rf_chars_find_last(rf_cell_text(&arg[0]), rf_cell_text(&arg[1]), from, &place)) {
        *out = rf_cell_of_int(place);
    }
}

/* ---- Parts of a string ---- */

static void text_char_at(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    int64_t index;
    struct rf_str part;
    if (cells_are_strings(arg, 1) && cell_int(run, &arg[1], &index) &&
        rf_chars_at(rf_cell_text(&arg[0]), index, &part)) {
        *out = rf_cell_of_text(part, RF_TAG_STRING_RAW);
    }
}

/* All from a code point on. The one pass to the place is enough: the end need not be found by its number. */
static bool chars_from(struct rf_str text, int64_t begin, struct rf_str *part)
{
    if (!rf_chars_at(text, begin, part)) {
        return false;
    }
    if (part->count != 0) {
        part->count = text.count - (size_t)(part->data - text.data);
    }
    return true;
}

static void text_substring(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    int64_t begin;
    int64_t end;
    struct rf_str part;
    if (!cells_are_strings(arg, 1) || !cell_int(run, &arg[1], &begin)) {
        return;
    }
    const struct rf_str text = rf_cell_text(&arg[0]);
    const bool is_part = run->calc->args == 2 ? chars_from(text, begin, &part)
                                              : cell_int(run, &arg[2], &end) && rf_chars_slice(text, begin, end, &part);
    if (is_part) {
        *out = rf_cell_of_text(part, RF_TAG_STRING_RAW);
    }
}

static void text_trim(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    (void)run;
    if (cells_are_strings(arg, 1)) {
        *out = rf_cell_of_text(rf_chars_trim(rf_cell_text(&arg[0])), RF_TAG_STRING_RAW);
    }
}

/* ---- New strings ---- */

static void text_edit(size_t (*edit)(struct rf_str, char *, size_t), const struct rf_calc_run *run,
                      const struct rf_cell *arg, struct rf_cell *out)
{
    if (!cells_are_strings(arg, 1)) {
        return;
    }
    const struct rf_str text = rf_cell_text(&arg[0]);
    const size_t bytes = edit(text, NULL, 0);
    char *const data = rf_calc_room(run, bytes, out);
    if (data != NULL) {
        edit(text, data, bytes);
        *out = rf_cell_of_text((struct rf_str){data, bytes}, RF_TAG_STRING_RAW);
    }
}

static void text_lower(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    text_edit(rf_chars_lower_ascii, run, arg, out);
}

static void text_upper(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    text_edit(rf_chars_upper_ascii, run, arg, out);
}

static void text_reverse(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    text_edit(rf_chars_reverse, run, arg, out);
}

static void text_quote(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    text_edit(rf_chars_quote, run, arg, out);
}

static void text_replace(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    /* A short result is found and written at once; only a longer one is searched for its places twice. */
    char small[256];
    int64_t limit = -1;
    if (!cells_are_strings(arg, 3) || (run->calc->args == 4 && !cell_int(run, &arg[3], &limit))) {
        return;
    }
    const struct rf_str text = rf_cell_text(&arg[0]);
    const struct rf_str from = rf_cell_text(&arg[1]);
    const struct rf_str to = rf_cell_text(&arg[2]);
    const size_t bytes = rf_chars_replace(text, from, to, limit, small, sizeof small);
    char *const data = rf_calc_room(run, bytes, out);
    if (data == NULL) {
        return;
    }
    if (bytes <= sizeof small) {
        memcpy(data, small, bytes);
    } else {
        rf_chars_replace(text, from, to, limit, data, bytes);
    }
    *out = rf_cell_of_text((struct rf_str){data, bytes}, RF_TAG_STRING_RAW);
}

void rf_calc_concat(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    const size_t bytes = (size_t)arg[0].length + arg[1].length;
    char *const data = rf_calc_room(run, bytes, out);
    if (data == NULL) {
        return;
    }
    size_t at = 0;
    for (uint32_t i = 0; i < 2; i++) {
        if (arg[i].length != 0) {
            memcpy(data + at, arg[i].text, arg[i].length);
        }
        at += arg[i].length;
    }
    *out = rf_cell_of_text((struct rf_str){data, bytes}, arg[0].tag == RF_TAG_BYTES ? RF_TAG_BYTES : RF_TAG_STRING_RAW);
}

/* ---- Table ---- */

rf_calc_op rf_calc_text_op(enum rf_function function)
{
    static const rf_calc_op text_op[RF_FUNCTION_COUNT] = {
        [RF_FN_STARTS] = text_starts,
        [RF_FN_ENDS] = text_ends,
        [RF_FN_CONTAINS] = text_contains,
        [RF_FN_MATCHES] = text_matches,
        [RF_FN_CHAR_AT] = text_char_at,
        [RF_FN_INDEX_OF] = text_index_of,
        [RF_FN_LAST_INDEX_OF] = text_last_index_of,
        [RF_FN_LOWER] = text_lower,
        [RF_FN_UPPER] = text_upper,
        [RF_FN_REPLACE] = text_replace,
        [RF_FN_SUBSTRING] = text_substring,
        [RF_FN_TRIM] = text_trim,
        [RF_FN_REVERSE] = text_reverse,
        [RF_FN_QUOTE] = text_quote,
        [RF_FN_IEQUALS] = text_iequals,
        [RF_FN_GLOB] = text_glob,
    };
    return text_op[function];
}
