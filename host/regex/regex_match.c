#include "regex.h"
#include "regex_simulate.h"

enum { WORD_BITS = 64 };

static bool state_is_match(const struct rf_regex *regex, uint32_t state)
{
    return state - regex->end_begin < regex->dead - regex->end_begin;
}

bool rf_regex_match(const struct rf_regex *regex, struct rf_str text)
{
    if (regex->kind == RF_REGEX_NFA) {
        return rf_regex_simulate(regex, text);
    }
    uint32_t state = regex->start;
    for (size_t i = 0; i < text.count; i++) {
        state = regex->next[(state << regex->class_shift) + regex->class_of[(unsigned char)text.data[i]]];
        if (state >= regex->match) {
            break;
        }
    }
    return state_is_match(regex, state);
}

void rf_regex_match_many(const struct rf_regex *regex, const struct rf_str *text, uint32_t count, uint64_t *bits)
{
    memset(bits, 0, (count + WORD_BITS - 1) / WORD_BITS * sizeof *bits);
    for (uint32_t i = 0; i < count; i++) {
        bits[i / WORD_BITS] |= (uint64_t)rf_regex_match(regex, text[i]) << i % WORD_BITS;
    }
}
