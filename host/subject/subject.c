#include "subject.h"

enum rf_subject_problem rf_subject_pattern_check(struct rf_str pattern, size_t *at)
{
    *at = 0;
    if (pattern.count == 0) {
        return RF_SUBJECT_EMPTY;
    }
    size_t begin = 0;
    for (size_t i = 0; i <= pattern.count; i++) {
        *at = i;
        if (i < pattern.count && pattern.data[i] != '.') {
            if (memchr(" \t\r\n\f", pattern.data[i], 5) != NULL) {
                return RF_SUBJECT_BLANK;
            }
            continue;
        }
        if (i == begin) {
            return RF_SUBJECT_EMPTY_TOKEN;
        }
        if (i < pattern.count && i == begin + 1 && pattern.data[begin] == '>') {
            return RF_SUBJECT_BEHIND_TAIL;
        }
        begin = i + 1;
    }
    return RF_SUBJECT_GOOD;
}

const char *rf_subject_problem_text(enum rf_subject_problem problem)
{
    switch (problem) {
    case RF_SUBJECT_GOOD:
        break;
    case RF_SUBJECT_EMPTY:
        return "a pattern is empty";
    case RF_SUBJECT_EMPTY_TOKEN:
        return "a token of the pattern is empty";
    case RF_SUBJECT_BLANK:
        return "white space in the pattern";
    case RF_SUBJECT_BEHIND_TAIL:
        return "something behind the > of the pattern";
    }
    return "nothing is wrong";
}

/* Takes the token before the next dot; false behind the last. */
static bool token_next(struct rf_str *rest, bool *is_last, struct rf_str *token)
{
    if (*is_last) {
        return false;
    }
    const char *dot = rest->count == 0 ? NULL : memchr(rest->data, '.', rest->count);
    *is_last = dot == NULL;
    *token = (struct rf_str){rest->data, dot == NULL ? rest->count : (size_t)(dot - rest->data)};
    if (dot != NULL) {
        rest->count -= token->count + 1;
        rest->data = dot + 1;
    }
    return true;
}

bool rf_subject_match(struct rf_str pattern, struct rf_str subject)
{
    size_t at;
    if (rf_subject_pattern_check(pattern, &at) != RF_SUBJECT_GOOD) {
        return false;
    }
    bool is_pattern_done = false;
    bool is_subject_done = false;
    struct rf_str wanted;
    struct rf_str token;
    while (token_next(&pattern, &is_pattern_done, &wanted)) {
        if (!token_next(&subject, &is_subject_done, &token)) {
            return false;
        }
        const bool is_alone = wanted.count == 1;
        if (is_alone && wanted.data[0] == '>') {
            return true;
        }
        if (token.count == 0 || (!(is_alone && wanted.data[0] == '*') && !rf_str_equal(wanted, token))) {
            return false;
        }
    }
    return is_subject_done;
}
