/* fix_samples.h: FIX messages, and streams of them with all kinds of damage, for the tests of several layers.
 *
 * Data       A message is made with SOH, BodyLength and CheckSum are those of that form, and only then its separators become
 *            what the log prints.
 */
#ifndef FIX_SAMPLES_H
#define FIX_SAMPLES_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "fix_start.h"

enum { SAMPLE_MAX = 4096, STREAM_MAX = 1 << 16 };

#define SAMPLE_HEAD "35=D\00149=BUY1\00156=SELL1\00134=5\00152=20260102-10:00:00.000\001"
#define SAMPLE_BODY SAMPLE_HEAD "55=AAA\00154=1\00138=100\00144=12.50\001"

/* What a message of a log has not: bits. */
enum sample_lack { LACKS_NOTHING, LACKS_LENGTH = 1, LACKS_TRAILER = 2, LACKS_END = 4 /* the last separator */ };

struct sample_options {
    const char *version; /* NULL: FIX.4.4 */
    enum rf_fix_separator separator;
    int length_off;  /* added to BodyLength */
    int sum_off;     /* added to CheckSum, modulo 256 */
    bool keeps_data; /* only the separators of `fields` become texts, not what is between data_begin and end */
    size_t data_begin, data_end; /* in the body */
    enum sample_lack lack;
};

/* Appends a message around the body. Returns its bytes. */
static inline size_t sample_put(uint8_t *out, const char *body, size_t body_bytes, struct sample_options options)
{
    char text[SAMPLE_MAX];
    const char *version = options.version == NULL ? "FIX.4.4" : options.version;
    size_t count =
        (size_t)snprintf(text, sizeof text, "8=%s\0019=%d\001", version, (int)body_bytes + options.length_off);
    const size_t head = count;
    const size_t data_begin = count + options.data_begin;
    const size_t data_end = count + options.data_end;
    memcpy(text + count, body, body_bytes);
    count += body_bytes;
    unsigned sum = (unsigned)(options.sum_off + 256);
    for (size_t i = 0; i < count; i++) {
        sum += (uint8_t)text[i];
    }
    count += (size_t)snprintf(text + count, sizeof text - count, "10=%03u\001", sum % 256);
    count -= (options.lack & LACKS_TRAILER) != 0 ? sizeof "10=000" : 0;
    size_t bytes = 0;
    for (size_t i = 0; i < count; i++) {
        if ((options.lack & LACKS_LENGTH) != 0 && i >= strlen("8=") + strlen(version) + 1 && i < head) {
            continue;
        }
        if (text[i] == 1 && !(options.keeps_data && i >= data_begin && i < data_end)) {
            memcpy(out + bytes, rf_fix_separator_text(options.separator), rf_fix_separator_bytes(options.separator));
            bytes += rf_fix_separator_bytes(options.separator);
        } else {
            out[bytes++] = (uint8_t)text[i];
        }
    }
    return bytes - ((options.lack & LACKS_END) != 0 ? rf_fix_separator_bytes(options.separator) : 0);
}

#define SAMPLE_PUT(out, body, ...) sample_put((out), (body), sizeof(body) - 1, (struct sample_options){__VA_ARGS__})

/* ---- Random streams ---- */

struct sample_random {
    uint64_t state;
};

static inline uint32_t sample_draw(struct sample_random *random, uint32_t below)
{
    random->state = random->state * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)(random->state >> 33) % below;
}

static inline size_t sample_field(struct sample_random *random, char *out, bool is_hostile)
{
    static const char *const plain[] = {"55=AAA\001",       "54=1\001",
                                        "38=100\001",       "44=12.50\001",
                                        "58=a=b=c\001",     "1=ACC\001",
                                        "31=100.25\001",    "453=2\001448=X\001448=Y\001",
                                        "9702=7\001",       "100000001=x\001",
                                        "58=f\xc3\xa9\001", "58=a long text with words in it, longer than others\001"};
    static const char *const hostile[] = {"58=\001",
                                          "055=EVIL\001",
                                          "0=1\001",
                                          "-5=x\001",
                                          "=y\001",
                                          "abc=1\001",
                                          "+55=x\001",
                                          " 55=x\001",
                                          "4294967351=Z\001",
                                          "58\001",
                                          "\001",
                                          "58=a|b\001",
                                          "58=x^Ay\001",
                                          "58=8=FIX\001",
                                          "95=3\00196=abcd\001",
                                          "95=9999\00196=abc\001",
                                          "96=abc\001",
                                          "95=5\00158=x\001",
                                          "58=a\nb\001",
                                          "58=\\x01\001",
                                          "95=0\00196=\001",
                                          "10=000\001",
                                          "8=FIX.4.4\001",
                                          "1234567890=5\001"};
    const char *text = plain[sample_draw(random, sizeof plain / sizeof plain[0])];
    if (is_hostile) {
        text = hostile[sample_draw(random, sizeof hostile / sizeof hostile[0])];
    }
    memcpy(out, text, strlen(text));
    return strlen(text);
}

/* A raw data field that may hold anything, such as a whole message. */
static inline size_t sample_data(struct sample_random *random, char *out)
{
    uint8_t data[SAMPLE_MAX];
    size_t bytes = 0;
    switch (sample_draw(random, 3)) {
    case 0:
        bytes = SAMPLE_PUT(data, SAMPLE_BODY, .separator = RF_FIX_SOH);
        break;
    case 1:
        bytes = 1 + sample_draw(random, 40);
        for (size_t i = 0; i < bytes; i++) {
            data[i] = (uint8_t) "\001=8\n1|0abc\xff"[sample_draw(random, 11)];
        }
        break;
    default:
        bytes = 14;
        memcpy(data, "AB\00110=000\001CD=9", bytes);
        break;
    }
    static const int pair[3][2] = {{95, 96}, {212, 213}, {354, 355}};
    const int *tag = pair[sample_draw(random, 3)];
    size_t count = (size_t)snprintf(out, SAMPLE_MAX, "%d=%zu\001%d=", tag[0], bytes, tag[1]);
    memcpy(out + count, data, bytes);
    out[count + bytes] = 1;
    return count + bytes + 1;
}

static inline size_t sample_random_message(struct sample_random *random, uint8_t *out, enum rf_fix_separator separator,
                                           bool is_damaged)
{
    char body[SAMPLE_MAX];
    size_t count = sizeof SAMPLE_HEAD - 1;
    memcpy(body, SAMPLE_HEAD, count);
    body[3] = "D8W0"[sample_draw(random, 4)];
    const uint32_t fields = sample_draw(random, 8) == 0 ? sample_draw(random, 60) : sample_draw(random, 16);
    for (uint32_t f = 0; f < fields; f++) {
        count += sample_field(random, body + count, is_damaged && sample_draw(random, 12) == 0);
    }
    if (sample_draw(random, 6) == 0) {
        count += sample_data(random, body + count);
        count += sample_field(random, body + count, false);
    }
    static const char *const versions[] = {"FIX.4.4", "FIX.4.2", "FIXT.1.1"};
    const struct sample_options options = {
        .version = versions[sample_draw(random, 3)],
        .separator = separator,
        .length_off = is_damaged && sample_draw(random, 8) == 0 ? (int)sample_draw(random, 600) - 60 : 0,
        .sum_off = is_damaged && sample_draw(random, 8) == 0 ? (int)sample_draw(random, 256) : 0,
        .lack = is_damaged && sample_draw(random, 4) == 0 ? (enum sample_lack)sample_draw(random, 8) : LACKS_NOTHING,
    };
    return sample_put(out, body, count, options);
}

/* A stream of about `messages` messages; every so often something is wrong with it. */
static inline size_t sample_stream(struct sample_random *random, uint8_t *out, uint32_t messages, bool is_damaged)
{
    static const char *const between[] = {"\n",
                                          "\r\n",
                                          "",
                                          "garbage",
                                          "\n\n",
                                          " \t\n",
                                          "x\001y",
                                          "\001",
                                          "8=FIX",
                                          "8=FIX.4.4",
                                          "no message here\n",
                                          "2026-01-02 10:00:00.123 IN ",
                                          "10=000\001",
                                          "|",
                                          "9=5|",
                                          "\r"};
    size_t count = 0;
    const bool is_log = sample_draw(random, 2) == 0;
    enum rf_fix_separator separator = (enum rf_fix_separator)sample_draw(random, RF_FIX_SEPARATOR_COUNT);
    for (uint32_t m = 0; m < messages && count < STREAM_MAX - 2 * SAMPLE_MAX; m++) {
        const bool is_bad = is_damaged && sample_draw(random, 3) == 0;
        if (sample_draw(random, 10) == 0) {
            separator = (enum rf_fix_separator)sample_draw(random, RF_FIX_SEPARATOR_COUNT);
        }
        if (is_log && sample_draw(random, 3) > 0) {
            count += (size_t)snprintf((char *)out + count, 64, "2026-01-02 10:00:00.%03u FIX.4.4:A->B ",
                                      sample_draw(random, 1000));
        }
        const size_t begin = count;
        count += sample_random_message(random, out + count, separator, is_bad);
        if (is_bad && sample_draw(random, 3) == 0) { /* broke off */
            count = begin + sample_draw(random, (uint32_t)(count - begin));
        }
        if (is_bad && count > begin && sample_draw(random, 3) == 0) { /* a byte was hit */
            out[begin + sample_draw(random, (uint32_t)(count - begin))] =
                (uint8_t) "\001\n=8|1^\0"[sample_draw(random, 8)];
        }
        const char *text = is_log ? "\n" : "";
        if (is_damaged && sample_draw(random, 6) == 0) {
            text = between[sample_draw(random, sizeof between / sizeof between[0])];
        }
        memcpy(out + count, text, strlen(text));
        count += strlen(text);
    }
    return count;
}

#endif
