/* random_json.h: lines of JSON, right and wrong, made from a seed: keys from a small alphabet so that paths are hit. */
#ifndef RF_TEST_RANDOM_JSON_H
#define RF_TEST_RANDOM_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct maker {
    uint64_t state;
    char *out;
    size_t count, capacity;
    bool is_spaced; /* one space behind each colon and comma, as many programs write JSON */
};

static inline uint32_t maker_next(struct maker *m, uint32_t below)
{
    m->state ^= m->state << 13;
    m->state ^= m->state >> 7;
    m->state ^= m->state << 17;
    return (uint32_t)((m->state >> 11) % below);
}

static inline void maker_text(struct maker *m, const char *text)
{
    const size_t count = strlen(text);
    if (m->count + count < m->capacity) {
        memcpy(m->out + m->count, text, count);
        m->count += count;
    }
}

static inline const char *maker_pick(struct maker *m, const char *const *text, uint32_t count)
{
    return text[maker_next(m, count)];
}

static inline void maker_space(struct maker *m)
{
    static const char *const space[] = {" ", "  ", "\t", "\r", " \t "};
    if (maker_next(m, 24) == 0) {
        maker_text(m, maker_pick(m, space, 5));
        /* Now and then more than whole words of the index. */
        for (uint32_t left = maker_next(m, 8) == 0 ? maker_next(m, 200) : 0; left != 0; left--) {
            maker_text(m, " ");
        }
    }
}

static inline void maker_key(struct maker *m)
{
    static const char *const key[] = {"a", "b", "c", "ab", "abc", "price", "symbol", "venue", "mic", "lat", "",
                                      "averyverylongkeyname", "averyverylongkeynamf", "x\\\"a", "\\u0061", "pric\\u0065",
                                      "\xc3\xa9", "\\q", "ymbol",
                                      "a key of more than sixty-four bytes, so that its quotes are two words apart ....."};
    maker_text(m, "\"");
    maker_text(m, maker_pick(m, key, maker_next(m, 4) == 0 ? 20 : 13));
    maker_text(m, "\"");
}

static inline void maker_scalar(struct maker *m)
{
    static const char *const good[] = {"0", "-0", "1", "12.5", "-3.25", "410.01", "1e3", "1E-2", "123456789012345",
                                       "9007199254740993", "18446744073709551615", "18446744073709551616", "1e400",
                                       "0.1", "100000.000001", "true", "false", "null", "\"MSFT\"", "\"\"", "\"abcdefgh\"",
                                       "\"abcdefghi\"", "\"a \\\" quote\"", "\"M\\u0053FT\"", "\"\\ud83d\\ude80\"",
                                       "\"caf\xc3\xa9\"", "\"{[,:]}\"", "\"\\\\\"", "\"tab\\tand more text than thirty-one bytes\"",
                                       "\"plain text of more than thirty-two bytes in one string\"", "-123.4567", "7.0"};
    static const char *const bad[] = {"007", "-", "1.", ".5", "+1", "tru", "nul", "True", "1e", "0x10", "\"\\q\"",
                                      "\"\\ud800\"", "\"\\u12\"", "\"\xff\"", "\"\x01\"", "1\xc3", "NaN", "--1", "1.2.3", "\x02"};
    if (maker_next(m, 40) == 0) {
        maker_text(m, maker_pick(m, bad, 20));
    } else {
        maker_text(m, maker_pick(m, good, 32));
    }
}

static inline void maker_value(struct maker *m, uint32_t depth);

static inline void maker_object(struct maker *m, uint32_t depth)
{
    const uint32_t members = maker_next(m, 6);
    maker_text(m, "{");
    for (uint32_t i = 0; i < members; i++) {
        if (i != 0) {
            maker_text(m, m->is_spaced ? ", " : ",");
        }
        maker_space(m);
        maker_key(m);
        maker_space(m);
        maker_text(m, m->is_spaced ? ": " : ":");
        maker_space(m);
        maker_value(m, depth + 1);
        maker_space(m);
    }
    maker_text(m, "}");
}

static inline void maker_value(struct maker *m, uint32_t depth)
{
    const uint32_t kind = depth > 5 ? 9 : maker_next(m, 10);
    if (kind < 2) {
        maker_object(m, depth);
    } else if (kind == 2) {
        const uint32_t items = maker_next(m, 4);
        maker_text(m, "[");
        for (uint32_t i = 0; i < items; i++) {
            maker_text(m, i == 0 ? "" : m->is_spaced ? ", " : ",");
            maker_space(m);
            maker_value(m, depth + 1);
        }
        maker_text(m, "]");
    } else {
        maker_scalar(m);
    }
}

/* One line without its end; now and then broken by a stray byte, a missing one or a cut. */
static inline void maker_line(struct maker *m)
{
    static const char *const stray[] = {"{", "}", "[", "]", ",", ":", "\"", "\\", " ", "x", "1", "\r"};
    const size_t begin = m->count;
    const uint32_t kind = maker_next(m, 30);
    if (kind == 0) {
        maker_value(m, 0);
    } else if (kind == 1) {
        maker_space(m);
    } else {
        maker_space(m);
        maker_object(m, 0);
        maker_space(m);
    }
    const size_t count = m->count - begin;
    if (count > 2 && maker_next(m, 5) == 0) {
        const size_t at = begin + maker_next(m, (uint32_t)count);
        switch (maker_next(m, 4)) {
        case 0:
            m->out[at] = maker_pick(m, stray, 12)[0];
            break;
        case 1:
            memmove(m->out + at, m->out + at + 1, m->count - at - 1);
            m->count--;
            break;
        case 2:
            m->count = at;
            break;
        default:
            if (m->count + 1 < m->capacity) {
                memmove(m->out + at + 1, m->out + at, m->count - at);
                m->out[at] = maker_pick(m, stray, 12)[0];
                m->count++;
            }
            break;
        }
    }
}

#endif
