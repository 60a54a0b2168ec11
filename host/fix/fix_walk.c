#include "fix_walk.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "fix_data.h"

enum { TAG_TEXT_MAX = 12, BLOCK_BYTES = 16 };

/* What ends a field. */
enum field_stop { FIELD_SEPARATOR, FIELD_LINE, FIELD_START, FIELD_EDGE };

enum rf_fix_answer rf_fix_digits(const struct rf_fix_window *window, size_t at, uint32_t *value, size_t *end)
{
    const size_t first = at;
    uint32_t sum = 0;
    while (at < window->end && at - first < RF_FIX_LENGTH_DIGITS_MAX && rf_fix_is_digit(window->bytes[at])) {
        sum = sum * 10 + (uint32_t)(window->bytes[at++] - '0');
    }
    if (at == window->end) {
        return rf_fix_edge(window);
    }
    *value = sum;
    *end = at;
    return at > first && !rf_fix_is_digit(window->bytes[at]) ? RF_FIX_YES : RF_FIX_NO;
}

/* Does a tag and `=` stand at `at`? */
static bool tag_is_there(const uint8_t *bytes, size_t at, size_t end)
{
    size_t equals = at;
    while (equals < end && rf_fix_is_digit(bytes[equals])) {
        equals++;
    }
    return equals > at && equals < end && bytes[equals] == '=';
}

/* The end of the field at `at`; line ends before lines_from belong to it. A message that begins in the middle of a field was
 * written behind one that broke off; what is no field holds none of the texts in which the beginning alone says little. */
static enum rf_fix_answer field_find(const struct rf_fix_window *window, enum rf_fix_separator separator, size_t at,
                                     size_t lines_from, enum field_stop *stop, size_t *end)
{
    const char *text = rf_fix_separator_text(separator);
    const size_t text_bytes = rf_fix_separator_bytes(separator);
    const uint8_t *bytes = window->bytes;
    const bool is_field = tag_is_there(bytes, at, window->end);
    for (size_t i = at; i < window->end; i++) {
        enum rf_fix_answer answer = RF_FIX_NO;
        if (bytes[i] == (uint8_t)text[0]) {
            answer = rf_fix_match(window, i, text, text_bytes);
            *stop = FIELD_SEPARATOR;
        } else if (bytes[i] == '\n' && i >= lines_from) {
            answer = RF_FIX_YES;
            *stop = FIELD_LINE;
        } else if (bytes[i] == '8' && i > at) {
            struct rf_fix_start start;
            answer = rf_fix_start_at(window, i, is_field, &start);
            *stop = FIELD_START;
        }
        if (answer != RF_FIX_NO) {
            *end = i;
            return answer;
        }
    }
    *stop = FIELD_EDGE;
    *end = window->end;
    return window->is_open ? RF_FIX_OPEN : RF_FIX_YES;
}

#if defined(__SSE2__)
static inline __m128i bytes_equal(const uint8_t *at, __m128i wanted)
{
    return _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(const void *)at), wanted);
}

/* How often the text of a separator begins in `blocks` blocks of sixteen bytes; it has two or four bytes and cannot overlap
 * itself. */
static uint32_t blocks_count(const uint8_t *at, uint32_t blocks, const char *text, size_t text_bytes)
{
    const bool is_long = text_bytes > 2;
    const size_t last = text_bytes - 1;
    const __m128i one = _mm_set1_epi8(1);
    const __m128i byte0 = _mm_set1_epi8(text[0]);
    const __m128i byte1 = _mm_set1_epi8(text[1]);
    const __m128i byte2 = _mm_set1_epi8(text[last - is_long]);
    const __m128i byte3 = _mm_set1_epi8(text[last]);
    __m128i all = _mm_setzero_si128();
    for (uint32_t b = 0; b < blocks; b++, at += BLOCK_BYTES) {
        __m128i begins = _mm_and_si128(bytes_equal(at, byte0), bytes_equal(at + 1, byte1));
        if (is_long) {
            begins =
                _mm_and_si128(begins, _mm_and_si128(bytes_equal(at + last - 1, byte2), bytes_equal(at + last, byte3)));
        }
        all = _mm_add_epi64(all, _mm_sad_epu8(_mm_and_si128(begins, one), _mm_setzero_si128()));
    }
    return (uint32_t)_mm_cvtsi128_si32(all) + (uint32_t)_mm_cvtsi128_si32(_mm_srli_si128(all, 8));
}
#endif

/* Most of the way over raw data of `count` bytes at `at`, behind a `=`, in a message whose separators are texts. Returns where it
 * is, never in the middle of such a text, and sets *left to the bytes that remain. Byte by byte, a message of thirty bytes that
 * promises thousands took 10 us. */
static size_t wide_skip(const struct rf_fix_window *window, const char *text, size_t text_bytes, size_t at,
                        uint32_t count, uint32_t *left)
{
    *left = count;
#if defined(__SSE2__)
    for (;;) {
        /* A byte counts once at most, and a text once, so that so many blocks do not lead too far. */
        const size_t room = window->end - at > 2 * BLOCK_BYTES ? window->end - at - 2 * BLOCK_BYTES : 0;
        const uint32_t blocks = (uint32_t)((*left < room ? *left : room) / BLOCK_BYTES);
        if (at >= window->end || blocks == 0) {
            break;
        }
        const uint32_t texts = blocks_count(window->bytes + at, blocks, text, text_bytes);
        size_t next = at + (size_t)blocks * BLOCK_BYTES;
        for (size_t i = 1; i < text_bytes; i++) { /* the last of them may reach beyond the blocks */
            if (memcmp(window->bytes + next - i, text, text_bytes) == 0) {
                next += text_bytes - i;
                break;
            }
        }
        *left -= (uint32_t)(next - at) - texts * (uint32_t)(text_bytes - 1);
        at = next;
    }
#else
    (void)window;
    (void)text;
    (void)text_bytes;
#endif
    return at;
}

enum rf_fix_answer rf_fix_data_end(const struct rf_fix_window *window, enum rf_fix_separator separator, size_t at,
                                   uint32_t count, size_t *end, size_t *needed)
{
    const char *text = rf_fix_separator_text(separator);
    const size_t text_bytes = rf_fix_separator_bytes(separator);
    size_t land = at + count;
    if (text_bytes > 1) {
        if (count > RF_FIX_WIDE_DATA_MAX) {
            return RF_FIX_NO;
        }
        uint32_t left;
        land = wide_skip(window, text, text_bytes, at, count, &left);
        for (uint32_t i = 0; i < left; i++) {
            if (land >= window->end) {
                return rf_fix_edge(window);
            }
            size_t step = 1;
            if (window->bytes[land] == (uint8_t)text[0]) {
                const enum rf_fix_answer answer = rf_fix_match(window, land, text, text_bytes);
                if (answer == RF_FIX_OPEN) {
                    return answer;
                }
                step = answer == RF_FIX_YES ? text_bytes : 1;
            }
            land += step;
        }
    }
    if (land == window->end && window->is_cut) {
        *end = land;
        return RF_FIX_YES;
    }
    if (land >= window->end) {
        *needed = window->is_open && land + text_bytes > *needed ? land + text_bytes : *needed;
        return rf_fix_edge(window);
    }
    *end = land;
    return rf_fix_match(window, land, text, text_bytes);
}

/* When the field [at, end) tells the length of a data field that follows: jumps behind that one. */
static enum rf_fix_answer data_jump(const struct rf_fix_window *window, enum rf_fix_separator separator, size_t at,
                                    size_t end, size_t *next, size_t *needed)
{
    uint32_t tag = 0;
    uint32_t count = 0;
    size_t equals = 0;
    size_t count_end = 0;
    if (window->bytes[at] == '0' || rf_fix_digits(window, at, &tag, &equals) != RF_FIX_YES ||
        window->bytes[equals] != '=' || rf_fix_data_of(tag) == 0 ||
        rf_fix_digits(window, equals + 1, &count, &count_end) != RF_FIX_YES || count_end != end) {
        return RF_FIX_NO;
    }
    char text[TAG_TEXT_MAX] = "";
    size_t text_bytes = 0;
    const uint32_t data_tag = rf_fix_data_of(tag);
    for (uint32_t scale = 100; scale > 0; scale /= 10) { /* no data tag has more than three digits */
        if (text_bytes > 0 || data_tag >= scale) {
            text[text_bytes++] = (char)('0' + data_tag / scale % 10);
        }
    }
    text[text_bytes++] = '=';
    const size_t data = end + rf_fix_separator_bytes(separator);
    const enum rf_fix_answer answer = rf_fix_match(window, data, text, text_bytes);
    if (answer != RF_FIX_YES) {
        return answer;
    }
    return rf_fix_data_end(window, separator, data + text_bytes, count, next, needed);
}

static void trailer_read(const struct rf_fix_window *window, enum rf_fix_separator separator, size_t at, size_t end,
                         bool is_bare, struct rf_fix_walk *walk)
{
    const uint8_t *digit = window->bytes + at + 3;
    const size_t line_end = end;
    end -= is_bare && end > at + 3 && window->bytes[end - 1] == '\r';
    walk->stop = RF_FIX_STOP_TRAILER;
    walk->at = at;
    walk->end = is_bare ? end : line_end + rf_fix_separator_bytes(separator);
    walk->is_bare = is_bare;
    if (end - at == 6 && rf_fix_is_digit(digit[0]) && rf_fix_is_digit(digit[1]) && rf_fix_is_digit(digit[2])) {
        walk->sum = (digit[0] - '0') * 100 + (digit[1] - '0') * 10 + (digit[2] - '0');
    }
}

/* The message ends at the line end at `end`, or before what stands there and is no field. */
static void line_read(const struct rf_fix_window *window, size_t at, size_t end, struct rf_fix_walk *walk)
{
    walk->is_bare = tag_is_there(window->bytes, at, end);
    walk->stop = RF_FIX_STOP_LINE;
    walk->at = end;
    walk->end = walk->is_bare ? end : at;
}

static enum rf_fix_answer walk_stopped(struct rf_fix_walk *walk, enum rf_fix_stop stop, size_t at)
{
    walk->stop = stop;
    walk->at = at;
    walk->end = at;
    return RF_FIX_YES;
}

enum rf_fix_answer rf_fix_walk(const struct rf_fix_window *window, const struct rf_fix_start *start,
                               bool trusts_lengths, size_t lines_from, struct rf_fix_walk *walk, size_t *needed)
{
    const enum rf_fix_separator separator = start->separator;
    struct rf_fix_window near = *window; /* ends where patience does */
    size_t patience = RF_FIX_HINT_MAX;
    size_t at = start->second;
    *walk = (struct rf_fix_walk){.separators = 1, .sum = -1};
    for (;;) {
        enum field_stop stop;
        struct rf_fix_start other;
        size_t end;
        near.begin = at; /* a separator may end with a digit */
        enum rf_fix_answer answer = rf_fix_start_at(&near, at, false, &other);
        if (answer != RF_FIX_NO) {
            return answer == RF_FIX_OPEN ? answer : walk_stopped(walk, RF_FIX_STOP_START, at);
        }
        if (field_find(&near, separator, at, lines_from, &stop, &end) == RF_FIX_OPEN) {
            return RF_FIX_OPEN;
        }
        const bool is_trailer = rf_fix_match(&near, at, "10=", 3) == RF_FIX_YES && end >= at + 3;
        if (is_trailer && (stop == FIELD_SEPARATOR || stop == FIELD_LINE)) {
            trailer_read(&near, separator, at, end, stop == FIELD_LINE, walk);
            return RF_FIX_YES;
        }
        walk->has_length = walk->has_length || rf_fix_match(&near, at, "9=", 2) == RF_FIX_YES;
        if (stop == FIELD_LINE) {
            line_read(&near, at, end, walk);
            return RF_FIX_YES;
        }
        if (stop != FIELD_SEPARATOR) {
            return walk_stopped(walk, stop == FIELD_START ? RF_FIX_STOP_START : RF_FIX_STOP_EDGE, end);
        }
        size_t data_end;
        answer = trusts_lengths ? data_jump(window, separator, at, end, &data_end, needed) : RF_FIX_NO;
        if (answer == RF_FIX_OPEN) {
            return answer;
        }
        if (walk->has_jumped) {
            patience -= end - at < patience ? end - at : patience;
        }
        if (answer == RF_FIX_YES) {
            walk->has_jumped = true;
            walk->separators++;
            end = data_end;
        }
        walk->separators++;
        at = end + rf_fix_separator_bytes(separator);
        if (walk->has_jumped && window->end - at > patience) {
            near.end = at + patience;
            near.is_open = false;
            near.is_near = true;
        } else {
            near = *window;
        }
    }
}
