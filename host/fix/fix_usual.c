#include "fix_usual.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "fix_sum.h"
#include "fix_walk.h"

enum { SOH = 1, HEAD_MAX = 40, TRAILER_BYTES = 7, DIGITS_MAX = 6, BODY_MIN = 5 /* 35=x SEP */ };

size_t rf_fix_dull_skip(const struct rf_fix_window *window, size_t at)
{
#if defined(__SSE2__)
    enum { BLOCK = 16 };
    const __m128i line = _mm_set1_epi8('\n');
    const __m128i soh = _mm_set1_epi8(SOH);
    const __m128i eight = _mm_set1_epi8('8');
    const __m128i equals = _mm_set1_epi8('=');
    for (; window->end - at > BLOCK; at += BLOCK) {
        const __m128i here = _mm_loadu_si128((const __m128i *)(const void *)(window->bytes + at));
        const __m128i next = _mm_loadu_si128((const __m128i *)(const void *)(window->bytes + at + 1));
        const __m128i start = _mm_and_si128(_mm_cmpeq_epi8(here, eight), _mm_cmpeq_epi8(next, equals));
        const __m128i end = _mm_or_si128(_mm_cmpeq_epi8(here, line), _mm_cmpeq_epi8(here, soh));
        const int bits = _mm_movemask_epi8(_mm_or_si128(start, end));
        if (bits != 0) {
            return at + (size_t)__builtin_ctz((unsigned)bits);
        }
    }
#endif
    (void)window;
    return at;
}

/* Bytes of `8=FIX.4.n` or `8=FIXT.1.n` with a separator behind it; 0: neither. HEAD_MAX are readable. */
static size_t begin_string(const uint8_t *at)
{
    const bool is_plain = memcmp(at, "8=FIX.4.", 8) == 0;
    if (!is_plain && memcmp(at, "8=FIXT.1.", 9) != 0) {
        return 0;
    }
    const size_t bytes = is_plain ? 9 : 10;
    return rf_fix_is_digit(at[bytes - 1]) && (at[bytes] == SOH || at[bytes] == '|') ? bytes : 0;
}

/* `9=digits SEP`: how many bytes, and the length; 0: it is none, or of no usual body. */
static size_t body_length(const uint8_t *at, uint8_t separator, size_t *length)
{
    size_t count = 2;
    *length = 0;
    if (at[0] != '9' || at[1] != '=') {
        return 0;
    }
    for (; count < 2 + DIGITS_MAX && rf_fix_is_digit(at[count]); count++) {
        *length = *length * 10 + (size_t)(at[count] - '0');
    }
    return *length >= BODY_MIN && at[count] == separator ? count + 1 : 0;
}

/* `SEP 10=ddd SEP` around trailer; the sum that it says, or -1. */
static int trailer_sum(const uint8_t *at, uint8_t separator)
{
    const bool is_good = at[-1] == separator && at[0] == '1' && at[1] == '0' && at[2] == '=' && rf_fix_is_digit(at[3]) &&
                         rf_fix_is_digit(at[4]) && rf_fix_is_digit(at[5]) && at[6] == separator;
    return is_good ? (at[3] - '0') * 100 + (at[4] - '0') * 10 + (at[5] - '0') : -1;
}

bool rf_fix_usual(const struct rf_fix_window *window, struct rf_fix_entry *entry, size_t *wrong)
{
    *wrong = SIZE_MAX;
    const uint8_t *bytes = window->bytes;
    const size_t message = rf_fix_dull_skip(window, window->begin);
    if (window->end - message < HEAD_MAX || (message > window->begin && rf_fix_is_digit(bytes[message - 1]))) {
        return false;
    }
    const size_t version = begin_string(bytes + message);
    const uint8_t separator = bytes[message + version];
    size_t length = 0;
    const size_t head = version == 0 ? 0 : body_length(bytes + message + version + 1, separator, &length);
    const size_t body = message + version + 1 + head;
    if (head == 0 || memcmp(bytes + body, "35=", 3) != 0 || window->end - body < HEAD_MAX ||
        length > window->end - body - HEAD_MAX || body + length - message > RF_FIX_HINT_MAX) {
        return false;
    }
    const size_t trailer = body + length;
    const size_t end = trailer + TRAILER_BYTES;
    const bool is_line = bytes[end] == '\n';
    const int sum = trailer_sum(bytes + trailer, separator);
    if (sum < 0 || (!is_line && begin_string(bytes + end) == 0)) {
        return false;
    }
    if (sum != rf_fix_sum_as_soh((const char *)bytes + message, trailer - message, (char)separator)) {
        *wrong = message;
        return false;
    }
    *entry = (struct rf_fix_entry){.kind = RF_FIX_MESSAGE,
                                   .separator = separator == SOH ? RF_FIX_SOH : RF_FIX_PIPE,
                                   .reason = RF_REASON_NONE,
                                   .message = message,
                                   .message_end = end,
                                   .next = end + is_line,
                                   .end = end};
    return true;
}
