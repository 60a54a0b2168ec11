#include "fix_start.h"

static const struct {
    const char *text;
    size_t bytes;
} separators[RF_FIX_SEPARATOR_COUNT] = {
#define RF_FIX_SEPARATOR(name, text, bytes) [name] = {text, bytes},
#include "fix_separator.def"
#undef RF_FIX_SEPARATOR
};

const char *rf_fix_separator_text(enum rf_fix_separator separator)
{
    return separators[separator].text;
}

size_t rf_fix_separator_bytes(enum rf_fix_separator separator)
{
    return separators[separator].bytes;
}

static bool version_may_hold(uint8_t byte)
{
    return rf_fix_is_digit(byte) || byte == '.' || (uint8_t)((byte | 0x20) - 'a') < 26;
}

static enum rf_fix_answer separator_find(const struct rf_fix_window *window, size_t at, struct rf_fix_start *out)
{
    enum rf_fix_answer answer = RF_FIX_NO;
    for (int s = 0; s < RF_FIX_SEPARATOR_COUNT && answer == RF_FIX_NO; s++) {
        answer = rf_fix_match(window, at, separators[s].text, separators[s].bytes);
        out->separator = (enum rf_fix_separator)s;
        out->second = at + separators[s].bytes;
    }
    return answer;
}

enum rf_fix_answer rf_fix_start_at(const struct rf_fix_window *window, size_t at, bool is_strict,
                                   struct rf_fix_start *out)
{
    static const char head[] = "8=FIX";
    enum rf_fix_answer answer = rf_fix_match(window, at, head, sizeof head - 1);
    if (answer != RF_FIX_YES) {
        return answer;
    }
    size_t version = at + sizeof head - 1;
    const size_t version_end = version + RF_FIX_VERSION_MAX;
    while (version < window->end && version < version_end && version_may_hold(window->bytes[version])) {
        version++;
    }
    answer = separator_find(window, version, out);
    if (answer != RF_FIX_YES) {
        return answer;
    }
    out->message = at;
    if (at == window->begin || !rf_fix_is_digit(window->bytes[at - 1])) {
        answer = is_strict ? rf_fix_match(window, out->second, "35=", 3) : RF_FIX_YES;
        if (answer != RF_FIX_NO) {
            return answer;
        }
    }
    answer = rf_fix_match(window, out->second, "9=", 2);
    if (answer != RF_FIX_YES) {
        return answer;
    }
    const size_t digit = out->second + 2;
    if (digit == window->end) {
        return rf_fix_edge(window);
    }
    if (window->bytes[digit] != '8') {
        return rf_fix_is_digit(window->bytes[digit]) ? RF_FIX_YES : RF_FIX_NO;
    }
    /* The 8 may be that of the next message, which may lie in the next batch. */
    if (digit + 1 == window->end && !window->is_near) {
        return window->is_open ? RF_FIX_OPEN : RF_FIX_YES;
    }
    return window->bytes[digit + 1] != '=' ? RF_FIX_YES : RF_FIX_NO;
}
