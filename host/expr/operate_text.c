/* The functions of strings (operate.h): what their operands may be, where their results live and how they fail. The
 * work itself is done in host/scalar and host/regex.
 *
 * Data       Places are counted in code points. Parts of a string (charAt, substring, trim, the pieces of split) point
 *            into it; what is really new is sized first and then written into the arena once.
 * Source     the strings extension of CEL as its conformance suite (string, string_ext) shows it; where cel-go has left
 *            the suite meanwhile (a place behind the end gives -1 there), the suite holds.
 */
#include "operate.h"

#include <assert.h>
#include <inttypes.h>

#include "chars.h"
#include "chars_edit.h"
#include "glob.h"
#include "regex.h"
#include "subject.h"
#include "utf8.h"

static struct rf_value error_too_large(void)
{
    return rf_value_error(RF_ERROR_TOO_LARGE);
}

static struct rf_value error_place(struct rf_str text, int64_t place, struct rf_arena *arena)
{
    return rf_operate_error(arena, "index out of range: %" PRId64 ", in a text of %zu characters", place,
                            rf_utf8_length(text));
}

/* ---- Parts of a string ---- */

static struct rf_value text_char_at(const struct rf_value *args, uint32_t count, struct rf_arena *arena)
{
    (void)count;
    struct rf_str part;
    if (!rf_chars_at(args[0].text, args[1].exact.as.i, &part)) {
        return error_place(args[0].text, args[1].exact.as.i, arena);
    }
    return rf_value_string(part);
}

static struct rf_value text_index_of(const struct rf_value *args, uint32_t count, struct rf_arena *arena)
{
    const int64_t from = count == 3 ? args[2].exact.as.i : 0;
    int64_t place = 0;
    if (!rf_chars_find(args[0].text, args[1].text, from, &place)) {
        return error_place(args[0].text, from, arena);
    }
    return rf_value_int(place);
}

static struct rf_value text_last_index_of(const struct rf_value *args, uint32_t count, struct rf_arena *arena)
{
    if (count == 2) {
        return rf_value_int(rf_chars_find_last_any(args[0].text, args[1].text));
    }
    int64_t place = 0;
    if (!rf_chars_find_last(args[0].text, args[1].text, args[2].exact.as.i, &place)) {
        return error_place(args[0].text, args[2].exact.as.i, arena);
    }
    return rf_value_int(place);
}

static struct rf_value text_substring(const struct rf_value *args, uint32_t count, struct rf_arena *arena)
{
    const struct rf_str text = args[0].text;
    const int64_t begin = args[1].exact.as.i;
    const int64_t end = count == 3 ? args[2].exact.as.i : (int64_t)rf_utf8_length(text);
    struct rf_str part;
    if (rf_chars_slice(text, begin, end, &part)) {
        return rf_value_string(part);
    }
    if (count == 3 && begin > end) {
        return rf_operate_error(arena, "a substring cannot begin at %" PRId64 " and end at %" PRId64, begin, end);
    }
    /* One of the two is wrong; end is at least begin here. */
    return error_place(text, begin < 0 || count == 2 ? begin : end, arena);
}

static struct rf_value text_trim(const struct rf_value *args, uint32_t count, struct rf_arena *arena)
{
    (void)count;
    (void)arena;
    return rf_value_string(rf_chars_trim(args[0].text));
}

/* ---- New strings ---- */

static struct rf_value text_edit(size_t (*edit)(struct rf_str, char *, size_t), struct rf_str text,
                                 struct rf_arena *arena)
{
    const size_t bytes = edit(text, NULL, 0);
    char *data = rf_arena_push(arena, bytes, 1, 1);
    if (data == NULL) {
        return error_too_large();
    }
    edit(text, data, bytes);
    return rf_value_string((struct rf_str){data, bytes});
}

static struct rf_value text_lower(const struct rf_value *args, uint32_t count, struct rf_arena *arena)
{
    (void)count;
    return text_edit(rf_chars_lower_ascii, args[0].text, arena);
}

static struct rf_value text_upper(const struct rf_value *args, uint32_t count, struct rf_arena *arena)
{
    (void)count;
    return text_edit(rf_chars_upper_ascii, args[0].text, arena);
}

static struct rf_value text_reverse(const struct rf_value *args, uint32_t count, struct rf_arena *arena)
{
    (void)count;
    return text_edit(rf_chars_reverse, args[0].text, arena);
}

static struct rf_value text_quote(const struct rf_value *args, uint32_t count, struct rf_arena *arena)
{
    (void)count;
    return text_edit(rf_chars_quote, args[0].text, arena);
}

static struct rf_value text_replace(const struct rf_value *args, uint32_t count, struct rf_arena *arena)
{
    const int64_t limit = count == 4 ? args[3].exact.as.i : -1;
    const size_t bytes = rf_chars_replace(args[0].text, args[1].text, args[2].text, limit, NULL, 0);
    char *data = rf_arena_push(arena, bytes, 1, 1); /* SIZE_MAX, which stands for still more, never fits */
    if (data == NULL) {
        return error_too_large();
    }
    rf_chars_replace(args[0].text, args[1].text, args[2].text, limit, data, bytes);
    return rf_value_string((struct rf_str){data, bytes});
}

/* ---- Strings and lists ---- */

static struct rf_value text_split(const struct rf_value *args, uint32_t count, struct rf_arena *arena)
{
    const int64_t limit = count == 3 ? args[2].exact.as.i : -1;
    const struct rf_chars_split begin = rf_chars_split_begin(args[0].text, args[1].text, limit);
    struct rf_str piece;
    size_t pieces = 0;
    for (struct rf_chars_split split = begin; rf_chars_split_next(&split, &piece);) {
        pieces++;
    }
    struct rf_list *list = RF_PUSH(arena, struct rf_list, 1);
    struct rf_value *item = rf_arena_push(arena, pieces, sizeof *item, _Alignof(struct rf_value));
    if (list == NULL || item == NULL) {
        return error_too_large();
    }
    size_t filled = 0;
    for (struct rf_chars_split split = begin; rf_chars_split_next(&split, &piece);) {
        item[filled++] = rf_value_string(piece);
    }
    assert(filled == pieces);
    *list = (struct rf_list){.count = pieces, .item = item};
    return (struct rf_value){.type = RF_TYPE_LIST, .list = list};
}

/* Bytes of the list's strings and the separators between them; false with *error set. */
static bool join_size(const struct rf_list *list, struct rf_str separator, struct rf_arena *arena, size_t *bytes,
                      struct rf_value *error)
{
    size_t sum = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct rf_value item = rf_operate_usable(list->item[i], arena);
        if (item.type != RF_TYPE_STRING) {
            *error = item.type == RF_TYPE_ERROR
                         ? item
                         : rf_operate_error(arena, "join() takes a list of strings, and element %zu is of type %s", i,
                                            rf_type_name(item.type));
            return false;
        }
        const size_t gap = i == 0 ? 0 : separator.count;
        if (gap > SIZE_MAX - item.text.count || item.text.count + gap > SIZE_MAX - sum) {
            *error = error_too_large();
            return false;
        }
        sum += item.text.count + gap;
    }
    *bytes = sum;
    return true;
}

static char *text_append(char *at, struct rf_str part)
{
    if (part.count != 0) {
        memcpy(at, part.data, part.count);
    }
    return at + part.count;
}

static struct rf_value text_join(const struct rf_value *args, uint32_t count, struct rf_arena *arena)
{
    const struct rf_list *list = args[0].list;
    const struct rf_str separator = count == 2 ? args[1].text : (struct rf_str){NULL, 0};
    size_t bytes = 0;
    struct rf_value error;
    if (!join_size(list, separator, arena, &bytes, &error)) {
        return error;
    }
    char *data = rf_arena_push(arena, bytes, 1, 1);
    if (data == NULL) {
        return error_too_large();
    }
    char *at = data;
    for (size_t i = 0; i < list->count; i++) {
        at = text_append(at, i == 0 ? (struct rf_str){NULL, 0} : separator);
        at = text_append(at, list->item[i].text);
    }
    assert(at == data + bytes);
    return rf_value_string((struct rf_str){data, bytes});
}

static struct rf_value text_format(const struct rf_value *args, uint32_t count, struct rf_arena *arena)
{
    (void)count;
    return rf_operate_format(args[0], args[1].list, arena);
}

/* ---- Tests of a string ---- */

static struct rf_value text_starts(const struct rf_value *args, uint32_t count, struct rf_arena *arena)
{
    (void)count;
    (void)arena;
    return rf_value_bool(rf_str_starts(args[0].text, args[1].text));
}

static struct rf_value text_ends(const struct rf_value *args, uint32_t count, struct rf_arena *arena)
{
    (void)count;
    (void)arena;
    return rf_value_bool(rf_str_ends(args[0].text, args[1].text));
}

static struct rf_value text_contains(const struct rf_value *args, uint32_t count, struct rf_arena *arena)
{
    (void)count;
    (void)arena;
    return rf_value_bool(rf_str_contains(args[0].text, args[1].text));
}

static struct rf_value text_iequals(const struct rf_value *args, uint32_t count, struct rf_arena *arena)
{
    (void)count;
    (void)arena;
    return rf_value_bool(rf_chars_equal_ascii(args[0].text, args[1].text));
}

static struct rf_value text_glob(const struct rf_value *args, uint32_t count, struct rf_arena *arena)
{
    (void)count;
    (void)arena;
    return rf_value_bool(rf_glob_match(args[0].text, args[1].text));
}

/* Making a DFA takes 4 to 100 times as long as the NFA alone (6 to 110 us against 2 to 30 us for usual patterns, 5 ms
 * against 0.1 ms with \p{L}), which then takes 0.1 us for a byte of the text: one match of a short text doesn't pay. */
enum { MATCHES_NFA_BYTES_MAX = 1024, MATCHES_STATES_MAX = 1024, MATCHES_WORK = 1024, MATCHES_DFA_WORK = 16384 };

uint64_t rf_operate_matches_work(struct rf_str text, struct rf_str pattern)
{
    return text.count + MATCHES_WORK + 64 * pattern.count + (text.count > MATCHES_NFA_BYTES_MAX ? MATCHES_DFA_WORK : 0);
}

/* The pattern is known only now: it is compiled for this one match, and what that took is given back, so that a macro
 * over a long list doesn't fill the arena. Constant patterns never come here (struct rf_node, regex). */
static struct rf_value text_matches(const struct rf_value *args, uint32_t count, struct rf_arena *arena)
{
    (void)count;
    const struct rf_regex_options options = {
        .is_nfa = args[0].text.count <= MATCHES_NFA_BYTES_MAX,
        .states_max = MATCHES_STATES_MAX, /* one text does not see more */
    };
    const struct rf_arena_mark mark = rf_arena_mark(arena);
    struct rf_regex *regex = NULL;
    size_t error_at = 0;
    struct rf_error err;
    const enum rf_status status = rf_regex_compile_with(args[1].text, &options, arena, &regex, &error_at, &err);
    const bool is_match = status == RF_OK && rf_regex_match(regex, args[0].text);
    rf_arena_rewind(arena, mark);
    if (status == RF_E_EXPR) {
        return rf_operate_error(arena, "%.120s, at byte %zu", err.text, error_at);
    }
    return status == RF_OK ? rf_value_bool(is_match) : error_too_large();
}

static struct rf_value subject_error(struct rf_str pattern, enum rf_subject_problem problem, size_t at,
                                     struct rf_arena *arena)
{
    return rf_operate_error(arena, "%s (byte %zu of '%.*s')", rf_subject_problem_text(problem), at + 1,
                            pattern.count < 100 ? (int)pattern.count : 100, pattern.data);
}

/* All patterns are looked at, whether the subject needs them or not: an error in a list does not depend on the record. */
static struct rf_value text_subject(const struct rf_value *args, uint32_t count, struct rf_arena *arena)
{
    const bool is_list = args[1].type == RF_TYPE_LIST;
    const size_t patterns = is_list ? args[1].list->count : 1;
    bool is_match = false;
    if (!is_list && args[1].type != RF_TYPE_STRING) {
        return rf_operate_no_overload(RF_FN_SUBJECT, args, count, arena);
    }
    for (size_t i = 0; i < patterns; i++) {
        const struct rf_value *pattern = is_list ? &args[1].list->item[i] : &args[1];
        size_t at = 0;
        if (pattern->type != RF_TYPE_STRING) {
            return rf_operate_no_overload(RF_FN_SUBJECT, args, count, arena);
        }
        const enum rf_subject_problem problem = rf_subject_pattern_check(pattern->text, &at);
        if (problem != RF_SUBJECT_GOOD) {
            return subject_error(pattern->text, problem, at, arena);
        }
        is_match = is_match || rf_subject_match(pattern->text, args[0].text);
    }
    return rf_value_bool(is_match);
}

/* ---- Entry point ---- */

struct text_function {
    const char *types; /* of the operands, a letter each: s string, i int, l list, a any */
    uint32_t args_min; /* the operands behind may be left out */
    struct rf_value (*compute)(const struct rf_value *args, uint32_t count, struct rf_arena *arena);
};

static const struct text_function text_function[RF_FUNCTION_COUNT] = {
    [RF_FN_STARTS] = {"ss", 2, text_starts},
    [RF_FN_ENDS] = {"ss", 2, text_ends},
    [RF_FN_CONTAINS] = {"ss", 2, text_contains},
    [RF_FN_MATCHES] = {"ss", 2, text_matches},
    [RF_FN_SUBJECT] = {"sa", 2, text_subject},
    [RF_FN_CHAR_AT] = {"si", 2, text_char_at},
    [RF_FN_INDEX_OF] = {"ssi", 2, text_index_of},
    [RF_FN_LAST_INDEX_OF] = {"ssi", 2, text_last_index_of},
    [RF_FN_LOWER] = {"s", 1, text_lower},
    [RF_FN_UPPER] = {"s", 1, text_upper},
    [RF_FN_REPLACE] = {"sssi", 3, text_replace},
    [RF_FN_SPLIT] = {"ssi", 2, text_split},
    [RF_FN_SUBSTRING] = {"sii", 2, text_substring},
    [RF_FN_TRIM] = {"s", 1, text_trim},
    [RF_FN_JOIN] = {"ls", 1, text_join},
    [RF_FN_REVERSE] = {"s", 1, text_reverse},
    [RF_FN_FORMAT] = {"sl", 2, text_format},
    [RF_FN_QUOTE] = {"s", 1, text_quote},
    [RF_FN_IEQUALS] = {"ss", 2, text_iequals},
    [RF_FN_GLOB] = {"ss", 2, text_glob},
};

static enum rf_type type_of_letter(char letter)
{
    switch (letter) {
    case 's':
        return RF_TYPE_STRING;
    case 'i':
        return RF_TYPE_INT;
    default:
        return RF_TYPE_LIST;
    }
}

struct rf_value rf_operate_text(enum rf_function function, const struct rf_value *args, uint32_t count,
                                struct rf_arena *arena)
{
    const struct text_function *entry = &text_function[function];
    assert(entry->compute != NULL);
    bool is_known = count >= entry->args_min && count <= strlen(entry->types);
    for (uint32_t i = 0; is_known && i < count; i++) {
        is_known = entry->types[i] == 'a' || args[i].type == type_of_letter(entry->types[i]);
    }
    return is_known ? entry->compute(args, count, arena) : rf_operate_no_overload(function, args, count, arena);
}
