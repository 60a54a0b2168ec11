#include "glob.h"

#include "chars.h"

struct glob {
    struct rf_str text;
    struct rf_str pattern;
    size_t last_bracket; /* offset of the last ] in pattern that is not escaped, or 0, where it would close nothing */
    size_t text_at;
    size_t pattern_at;
};

/* Known once, it tells in one step whether a [ has its ]: looking for it each time would multiply the cost. */
static size_t pattern_last_bracket(struct rf_str pattern)
{
    size_t last = 0;
    for (size_t i = 0; i < pattern.count; i++) {
        if (pattern.data[i] == '\\') {
            i++;
        } else if (pattern.data[i] == ']') {
            last = i;
        }
    }
    return last;
}

/* The code point at `at` as an integer: the order of UTF-8 bytes is the order of code points. */
static uint64_t char_key(struct rf_str text, size_t at)
{
    return rf_str_prefix((struct rf_str){text.data + at, rf_chars_step(text, at)});
}

/* The member of a class at *at, which is moved behind it. */
static uint64_t class_take(struct rf_str pattern, size_t *at)
{
    if (pattern.data[*at] == '\\' && *at + 1 < pattern.count) {
        ++*at;
    }
    const uint64_t key = char_key(pattern, *at);
    *at += rf_chars_step(pattern, *at);
    return key;
}

/* Offset of the first member of the class that begins at pattern_at, which is a [. */
static size_t class_begin(const struct glob *glob)
{
    const size_t at = glob->pattern_at + 1;
    return at < glob->pattern.count && glob->pattern.data[at] == '!' ? at + 1 : at;
}

/* Matches one code point with the class at pattern_at, which has its ], and moves behind both. */
static bool glob_match_class(struct glob *glob)
{
    const struct rf_str pattern = glob->pattern;
    const size_t begin = class_begin(glob);
    const bool is_listed_wanted = pattern.data[begin - 1] != '!';
    const uint64_t key = char_key(glob->text, glob->text_at);
    bool is_listed = false;
    size_t at = begin;
    while (at == begin || pattern.data[at] != ']') {
        const uint64_t low = class_take(pattern, &at);
        uint64_t high = low;
        /* The ] of this class lies at or behind `at`, so there is a byte behind a minus. */
        if (pattern.data[at] == '-' && pattern.data[at + 1] != ']') {
            at++;
            high = class_take(pattern, &at);
        }
        is_listed = is_listed || (low <= key && key <= high);
    }
    glob->pattern_at = at + 1;
    glob->text_at += rf_chars_step(glob->text, glob->text_at);
    return is_listed == is_listed_wanted;
}

/* Matches what stands at text_at with one element of the pattern that is no star, and moves behind both. A literal is
 * matched byte by byte. False, with both places undefined, when they do not match. */
static bool glob_match_one(struct glob *glob)
{
    if (glob->pattern_at == glob->pattern.count) {
        return false;
    }
    switch (glob->pattern.data[glob->pattern_at]) {
    case '?':
        glob->pattern_at++;
        glob->text_at += rf_chars_step(glob->text, glob->text_at);
        return true;
    case '[':
        if (glob->last_bracket > class_begin(glob)) {
            return glob_match_class(glob);
        }
        break;
    case '\\':
        if (glob->pattern_at + 1 < glob->pattern.count) {
            glob->pattern_at++;
        }
        break;
    default:
        break;
    }
    return glob->text.data[glob->text_at++] == glob->pattern.data[glob->pattern_at++];
}

/* The next place behind `at` at which what follows a star may match: a literal that it begins with is looked for. */
static size_t star_next(const struct glob *glob, size_t at, size_t pattern_at)
{
    const size_t next = at + rf_chars_step(glob->text, at);
    if (pattern_at == glob->pattern.count || next == glob->text.count) {
        return next;
    }
    const char c = glob->pattern.data[pattern_at];
    if (c == '*' || c == '?' || c == '[' || c == '\\') {
        return next;
    }
    const char *const found = memchr(glob->text.data + next, c, glob->text.count - next);
    return found == NULL ? glob->text.count : (size_t)(found - glob->text.data);
}

bool rf_glob_match(struct rf_str text, struct rf_str pattern)
{
    struct glob glob = {.text = text, .pattern = pattern, .last_bracket = pattern_last_bracket(pattern)};
    size_t star_text_at = 0;    /* where the run of the last star ends for now */
    size_t star_pattern_at = 0; /* behind that star; 0: there has been none */

    /* Only the last star is tried again: what a longer run of an earlier one would match, a run of the last one does.
     *  */
    while (glob.text_at < text.count) {
        if (glob.pattern_at < pattern.count && pattern.data[glob.pattern_at] == '*') {
            star_pattern_at = ++glob.pattern_at;
            star_text_at = glob.text_at;
        } else if (!glob_match_one(&glob)) {
            if (star_pattern_at == 0) {
                return false;
            }
            star_text_at = star_next(&glob, star_text_at, star_pattern_at);
            glob.text_at = star_text_at;
            glob.pattern_at = star_pattern_at;
        }
    }
    while (glob.pattern_at < pattern.count && pattern.data[glob.pattern_at] == '*') {
        glob.pattern_at++;
    }
    return glob.pattern_at == pattern.count;
}
