/* test_fix_entry.c: the situations that logs and streams of FIX were found in, each with the entries that it must give. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "fix_data.h"
#include "fix_entry.h"
#include "fix_samples.h"
#include "fix_walk.h"

enum { ENTRIES_MAX = 64, NO_LIMIT = 1 << 24 };

static uint8_t stream[STREAM_MAX];
static size_t stream_bytes;
static struct rf_fix_entry found[ENTRIES_MAX];
static uint32_t founds;

static void begin(void)
{
    stream_bytes = 0;
}

static void text(const char *bytes)
{
    memcpy(stream + stream_bytes, bytes, strlen(bytes));
    stream_bytes += strlen(bytes);
}

#define MESSAGE(body, ...) (stream_bytes += SAMPLE_PUT(stream + stream_bytes, body, __VA_ARGS__))

/* All entries; they follow each other without a gap. */
static void frame(void)
{
    founds = 0;
    /* An exact heap block, so that a byte too far is seen. */
    uint8_t *bytes = malloc(stream_bytes + 1);
    assert_non_null(bytes);
    memcpy(bytes, stream, stream_bytes);
    for (size_t at = 0; at < stream_bytes;) {
        size_t needed;
        assert_true(founds < ENTRIES_MAX);
        struct rf_fix_entry *entry = &found[founds++];
        assert_int_equal(rf_fix_entry_next(bytes, at, stream_bytes, NO_LIMIT, RF_FIX_LAST, entry, &needed),
                         RF_FIX_ENTRY);
        assert_true(entry->next > at && entry->next <= stream_bytes);
        assert_true(entry->end <= entry->next && entry->message_end <= entry->end &&
                    entry->message <= entry->message_end);
        assert_true(entry->message >= at);
        assert_true(entry->reason == RF_REASON_NONE || (entry->reason_at >= at && entry->reason_at <= entry->next));
        at = entry->next;
    }
    free(bytes);
}

/* What the entries are, one character each: `+` a good message, `l` a wrong BodyLength, `s` a wrong CheckSum, `h` a wrong
 * order of the first fields, `t` no trailer, `c` cut off by its line end, `x` debris, `_` blank. */
static void expect(const char *kinds)
{
    char seen[ENTRIES_MAX + 1];
    frame();
    for (uint32_t e = 0; e < founds; e++) {
        const struct rf_fix_entry *entry = &found[e];
        seen[e] = '?';
        if (entry->kind != RF_FIX_MESSAGE) {
            seen[e] = entry->kind == RF_FIX_BLANK ? '_' : 'x';
        } else if (entry->reason == RF_REASON_NONE) {
            seen[e] = (entry->flags & (RF_FIX_WRONG_LENGTH | RF_FIX_WRONG_SUM)) == 0 ? '+' : '?';
        } else if (entry->reason == RF_REASON_FIX_LENGTH) {
            seen[e] = 'l';
        } else if (entry->reason == RF_REASON_FIX_SUM) {
            seen[e] = 's';
        } else if (entry->reason == RF_REASON_FIX_HEADER) {
            seen[e] = 'h';
        } else if (entry->reason == RF_REASON_FIX_TRAILER) {
            seen[e] = 't';
        } else if (entry->reason == RF_REASON_FIX_CUT) {
            seen[e] = 'c';
        }
    }
    seen[founds] = '\0';
    assert_string_equal(seen, kinds);
}

static void test_good_messages(void **state)
{
    (void)state;
    for (int s = 0; s < RF_FIX_SEPARATOR_COUNT; s++) {
        const enum rf_fix_separator separator = (enum rf_fix_separator)s;
        begin();
        MESSAGE(SAMPLE_BODY, .separator = separator);
        const size_t bytes = stream_bytes;
        MESSAGE(SAMPLE_BODY, .separator = separator, .version = "FIXT.1.1");
        expect("++");
        assert_int_equal(found[0].separator, separator);
        assert_int_equal(found[0].message, 0);
        assert_int_equal(found[0].message_end, bytes);
        assert_int_equal(found[0].next, bytes);

        begin();
        text("2026-01-02 10:00:00 IN 8=FIX ");
        const size_t prefix = stream_bytes;
        MESSAGE(SAMPLE_BODY, .separator = separator);
        text(" behind it\r\n");
        MESSAGE(SAMPLE_BODY, .separator = separator);
        text("\n");
        expect("++");
        assert_int_equal(found[0].message, prefix);
        assert_int_equal(found[0].message_end, prefix + bytes);
        assert_int_equal(found[0].end, prefix + bytes + 10);
        assert_int_equal(found[0].next, prefix + bytes + 12);

        begin(); /* several on a line: what stands between belongs to the later one */
        text("a ");
        MESSAGE(SAMPLE_BODY, .separator = separator);
        text(" b ");
        MESSAGE(SAMPLE_BODY, .separator = separator);
        text("\n");
        expect("++");
        assert_int_equal(found[0].next, 2 + bytes);
        assert_int_equal(found[1].message, 2 + bytes + 3);
    }
}

static void test_raw_data(void **state)
{
    (void)state;
    begin(); /* RawData with SOH and `=` */
    MESSAGE(SAMPLE_BODY "95=14\00196=AB\00110=000\001CD=9\00158=tail\001");
    expect("+");
    begin(); /* a whole message in XmlData */
    uint8_t inner[SAMPLE_MAX];
    char body[SAMPLE_MAX];
    const size_t inner_bytes = SAMPLE_PUT(inner, SAMPLE_BODY, .separator = RF_FIX_SOH);
    size_t count = (size_t)snprintf(body, sizeof body, "%s212=%zu\001213=<W>", SAMPLE_HEAD, inner_bytes + 7);
    memcpy(body + count, inner, inner_bytes);
    count += inner_bytes;
    memcpy(body + count, "</W>\00158=after\001", 14);
    count += 14;
    for (int off = 0; off < 3; off++) {
        begin();
        const struct sample_options options = {.length_off = off == 1 ? -7 : 0, .sum_off = off == 2 ? 3 : 0};
        stream_bytes = sample_put(stream, body, count, options);
        MESSAGE(SAMPLE_BODY);
        expect(off == 0 ? "++" : off == 1 ? "l+" : "s+");
    }
    /* In a `|` log: the `|` in the data is the sender's own, or was SOH. */
    const size_t data = sizeof(SAMPLE_HEAD "95=3\00196=") - 1;
    begin();
    MESSAGE(SAMPLE_HEAD "95=3\00196=a|b\00158=t\001", .separator = RF_FIX_PIPE);
    text("\n");
    MESSAGE(SAMPLE_HEAD "95=3\00196=a\001b\00158=t\001", .separator = RF_FIX_PIPE);
    text("\n");
    MESSAGE(SAMPLE_HEAD "95=3\00196=a\001b\00158=t\001", .separator = RF_FIX_CARET);
    text("\n");
    MESSAGE(SAMPLE_HEAD "95=3\00196=a\nb\00158=t\001", .separator = RF_FIX_HEX);
    MESSAGE(SAMPLE_HEAD "95=3\00196=a\001b\00158=t\001", .separator = RF_FIX_PIPE, .keeps_data = true,
            .data_begin = data, .data_end = data + 3);
    expect("+++++");
}

static void test_lies(void **state)
{
    (void)state;
    for (int off = -70; off < 400; off++) { /* BodyLength leads anywhere; the neighbours stay */
        begin();
        MESSAGE(SAMPLE_BODY);
        MESSAGE(SAMPLE_BODY, .length_off = off);
        MESSAGE(SAMPLE_BODY);
        expect(off == 0 ? "+++" : "+l+");
        begin();
        MESSAGE(SAMPLE_BODY, .separator = RF_FIX_PIPE);
        text("\n");
        MESSAGE(SAMPLE_BODY, .separator = RF_FIX_PIPE, .length_off = off, .sum_off = 1);
        text("\n");
        MESSAGE(SAMPLE_BODY, .separator = RF_FIX_PIPE);
        expect(off == 0 ? "+s+" : "+l+");
    }
    for (int sum = 1; sum < 256; sum++) {
        begin();
        MESSAGE(SAMPLE_BODY);
        MESSAGE(SAMPLE_BODY, .sum_off = sum);
        MESSAGE(SAMPLE_BODY);
        expect("+s+");
    }
    for (int length = 0; length < 300; length++) { /* the length of data leads anywhere */
        char body[SAMPLE_MAX];
        const int count = snprintf(body, sizeof body, "%s95=%d\00196=abc\001", SAMPLE_BODY, length);
        for (int off = 0; off < 2; off++) {
            begin();
            stream_bytes = sample_put(stream, body, (size_t)count, (struct sample_options){.sum_off = off});
            MESSAGE(SAMPLE_BODY);
            expect(off == 0 ? "++" : "s+");
            begin();
            stream_bytes =
                sample_put(stream, body, (size_t)count, (struct sample_options){.sum_off = off, .length_off = 2});
            MESSAGE(SAMPLE_BODY);
            expect("l+");
        }
    }
}

static void test_broken(void **state)
{
    (void)state;
    begin();
    MESSAGE(SAMPLE_BODY);
    const size_t whole = stream_bytes;
    const size_t head = sizeof "8=FIX.4.4|9=70|35=" - 1;
    for (size_t left = 11; left < whole; left++) { /* broke off, and another one begins */
        begin();
        MESSAGE(SAMPLE_BODY);
        stream_bytes = left;
        const size_t cut = stream_bytes;
        MESSAGE(SAMPLE_BODY);
        frame();
        assert_int_equal(founds, 2);
        assert_true(found[0].kind == RF_FIX_MESSAGE && found[0].reason == RF_REASON_FIX_TRAILER);
        assert_int_equal(found[0].next, cut);
        assert_int_equal(found[1].reason, RF_REASON_NONE);
        begin(); /* the same in a log */
        MESSAGE(SAMPLE_BODY, .separator = RF_FIX_PIPE);
        stream_bytes = left;
        text("\r\nprefix ");
        MESSAGE(SAMPLE_BODY, .separator = RF_FIX_PIPE);
        frame();
        size_t field = left; /* what it broke off in */
        while (stream[field - 1] != '|') {
            field--;
        }
        const bool is_field = memchr(stream + field, '=', left - field) != NULL;
        /* Only its last separator is missing: a line end may stand in its place. */
        assert_int_equal(found[0].reason, left == whole - 1                                   ? RF_REASON_NONE
                                          : left < head || (is_field && stream[field] == '1' && left >= whole - 4)
                                              ? RF_REASON_FIX_TRAILER
                                              : RF_REASON_FIX_CUT);
        assert_int_equal(found[0].flags & RF_FIX_BARE_END, is_field ? RF_FIX_BARE_END : 0);
        assert_int_equal(found[0].message_end, is_field ? left : field);
        assert_int_equal(found[0].end, left);
        assert_int_equal(found[1].reason, RF_REASON_NONE);
        begin(); /* at the end of the input */
        MESSAGE(SAMPLE_BODY);
        MESSAGE(SAMPLE_BODY);
        stream_bytes = whole + left;
        expect("+t");
        assert_int_equal(found[1].reason_at, whole + left);
    }
    begin(); /* without BodyLength and CheckSum */
    text("8=FIX.4.4\00135=d\00155=ZZZ\001\n8=FIX.4.4\00135=d\00155=YYY\001\n");
    expect("cc");
    begin();
    text("8=FIX.4.4\00135=D\0019=8\00149=BUY1\00110=134\0018=FIX.4.4\0019=20\00149=BUY1\00135=D\00155=AAA\00110="
         "027\001");
    MESSAGE(SAMPLE_BODY);
    expect("hh+");
    begin();
    text("8=FIX.4.4\0019=5\00135=0\00110=1234\0018=FIX.4.4\0019=5\00135=0\00110=16\0018=FIX.4.4\0019=5\00135=0\00110="
         "\001");
    MESSAGE(SAMPLE_BODY);
    expect("ttt+");
    begin();
    MESSAGE("35=0\001", .length_off = 0);
    expect("+");
}

/* Messages of logs that somebody cut: a line end ends each, and no other one is part of it. */
static void test_cut(void **state)
{
    (void)state;
    for (int s = 0; s < RF_FIX_SEPARATOR_COUNT; s++) {
        for (int lack = 0; lack < 8; lack++) {
            const struct sample_options options = {.separator = (enum rf_fix_separator)s, .lack = (enum sample_lack)lack};
            const char *kind = (lack & LACKS_TRAILER) != 0 ? "c+" : (lack & LACKS_LENGTH) != 0 ? "l+" : "++";
            begin();
            text("IN ");
            stream_bytes += sample_put(stream + stream_bytes, SAMPLE_BODY, sizeof SAMPLE_BODY - 1, options);
            const size_t left = stream_bytes;
            text("\r\n");
            MESSAGE(SAMPLE_BODY);
            expect(kind);
            assert_int_equal(found[0].message, 3);
            assert_int_equal(found[0].message_end, left);
            assert_int_equal(found[0].flags & RF_FIX_BARE_END, (lack & LACKS_END) != 0 ? RF_FIX_BARE_END : 0);
        }
    }
    static const struct {
        const char *text, *kinds;
    } lines[] = {
        {"8=FIX.4.4|35=D|55=X|\n", "c"},
        {"8=FIX.4.4|35=D|55=X\n", "c"},
        {"8=FIX.4.4|35=D|55=X", "t"}, /* it broke off */
        {"8=FIX.4.4|35=D|55=X|10=1\n", "t"},
        {"8=FIX.4.4|35=D|55=X| took 3 ms\n", "c"},
        {"8=FIX.4.4|35=D|9=5|55=X|\n", "t"},
        {"8=FIX.4.4|9=5|55=X|35=D|\n", "t"},
        {"8=FIX.4.4|55=X|\n", "t"},
        {"8=FIX.4.4|35=D|55=X 8=FIX.4.4|35=8|55=Y\n", "tc"}, /* a neighbour on its line */
        {"8=FIX.4.4|35=D|55=X|8=FIX.4.4|35=8|55=Y\n", "tc"},
        {"8=FIX.4.4|35=D|55=X| see 8=FIX.4.4\001\n", "tt"}, /* and one within a remark */
        {"8=FIX.4.4|35=D|58=8=FIX.4.4|\n", "c"},
        {"8=FIX.4.4|35=D|95=9|96=abc\n8=FIX.4.4|35=8|55=Y\n", "cc"},
    };
    for (size_t l = 0; l < sizeof lines / sizeof lines[0]; l++) {
        begin();
        text(lines[l].text);
        expect(lines[l].kinds);
    }
    begin(); /* a remark is not part of the message */
    text("8=FIX.4.4|35=D|55=X| took 3 ms\n");
    expect("c");
    assert_int_equal(found[0].message_end, sizeof "8=FIX.4.4|35=D|55=X|" - 1);
    assert_int_equal(found[0].flags & RF_FIX_BARE_END, 0);
}

/* A line end in an ordinary field, in messages of every size. */
static void test_line_ends(void **state)
{
    enum { LARGE = 40000 };
    (void)state;
    static char body[SAMPLE_MAX / 2];
    static uint8_t message[2 * LARGE];
    for (int is_large = 0; is_large < 2; is_large++) {
        for (int off = 0; off < 4; off++) {
            size_t count = sizeof SAMPLE_HEAD - 1;
            memcpy(body, SAMPLE_HEAD "58=two\nlines\001", sizeof SAMPLE_HEAD "58=two\nlines\001");
            count += strlen("58=two\nlines\001");
            begin();
            if (is_large) {
                /* sample_put has not the room: the same by hand. */
                const size_t value = LARGE;
                size_t bytes = (size_t)snprintf((char *)message, sizeof message, "8=FIX.4.4\0019=%zu\001",
                                                count + 4 + value + (off == 1 ? 3 : 0));
                memcpy(message + bytes, body, count);
                bytes += count;
                memcpy(message + bytes, "1=\n", 3);
                memset(message + bytes + 3, 'x', value);
                bytes += 3 + value;
                message[bytes++] = 1;
                unsigned sum = off == 2 ? 1 : 0;
                for (size_t i = 0; i < bytes; i++) {
                    sum += message[i];
                }
                bytes += (size_t)snprintf((char *)message + bytes, 16, "10=%03u\001", sum % 256);
                memcpy(stream, message, bytes);
                stream_bytes = bytes;
            } else {
                const struct sample_options options = {.length_off = off == 1 ? 3 : 0, .sum_off = off == 2 ? 1 : 0};
                stream_bytes = sample_put(stream, body, count, options);
            }
            MESSAGE(SAMPLE_BODY);
            /* Where BodyLength does not lead to the trailer the first line end is the end. */
            frame();
            assert_int_equal(found[0].reason, off == 1   ? RF_REASON_FIX_CUT
                                              : off == 2 ? RF_REASON_FIX_SUM
                                                         : RF_REASON_NONE);
            assert_int_equal(found[founds - 1].reason, RF_REASON_NONE);
            assert_int_equal(founds > 2, off == 1);
        }
    }
    begin(); /* BodyLength leads to the trailer of a neighbour, which has a line of its own */
    text("8=FIX.4.4|9=129|35=D|55=X|\nprefix ");
    MESSAGE(SAMPLE_BODY, .separator = RF_FIX_PIPE);
    const size_t trailer = stream_bytes - sizeof "10=000";
    const int length = (int)(trailer - strlen("8=FIX.4.4|9=129|"));
    stream[12] = (uint8_t)('0' + length / 100);
    stream[13] = (uint8_t)('0' + length / 10 % 10);
    stream[14] = (uint8_t)('0' + length % 10);
    expect("c+");
}

static void test_debris(void **state)
{
    (void)state;
    begin();
    text("\n \t\r\nhello\n8=FIX\n8=FIX.4.4\n58=FIX.4.4|\n");
    expect("__xxxx");
    begin(); /* a prefix holds no SOH */
    text("9=5\00135=0\001");
    MESSAGE(SAMPLE_BODY);
    text("junk");
    MESSAGE(SAMPLE_BODY);
    text("junk\001");
    MESSAGE(SAMPLE_BODY);
    text("junk");
    expect("x++x+");
    assert_int_equal(found[2].message, found[1].next + 4);
    assert_int_equal(found[4].next, stream_bytes);
    begin();
    MESSAGE(SAMPLE_BODY);
    text("\n\n");
    MESSAGE(SAMPLE_BODY);
    expect("+_+");
    begin();
    text("\xff\xfe\x00 58=8=FIX.4.4");
    expect("x");
}

/* Many megabytes of one byte, or of one piece, in a few seconds at most. */
static void test_linear_time(void **state)
{
    (void)state;
    static const char *const pieces[] = {"x",
                                         "8",
                                         "8=FIX",
                                         "\001",
                                         "8=FIX.4.4|",
                                         "8=FIX.4.4|9=9999|95=9999|96=|",
                                         "10=000|",
                                         "8=FIX.4.4\0019=15000\00195=15000\00196=\001",
                                         "95=99\00196=",
                                         "8=FIX.4.4^A9=5^A95=8000^A96="};
    enum { BYTES = 4 << 20 };
    uint8_t *bytes = malloc(BYTES);
    assert_non_null(bytes);
    for (size_t p = 0; p < sizeof pieces / sizeof pieces[0]; p++) {
        const size_t piece = strlen(pieces[p]);
        for (size_t i = 0; i < BYTES; i++) {
            bytes[i] = (uint8_t)pieces[p][i % piece];
        }
        for (size_t at = 0; at < BYTES;) {
            struct rf_fix_entry entry;
            size_t needed;
            assert_int_equal(rf_fix_entry_next(bytes, at, BYTES, NO_LIMIT, RF_FIX_LAST, &entry, &needed), RF_FIX_ENTRY);
            at = entry.next;
        }
    }
    free(bytes);
}

/* Small messages whose data lengths all lead to the same far place, behind which nothing ends a walk. */
static void test_linear_time_behind_data(void **state)
{
    (void)state;
    enum { BYTES = 4 << 20, HEADS = 1 << 20, PIECE = 32 };
    uint8_t *bytes = malloc(BYTES);
    assert_non_null(bytes);
    memset(bytes, 'x', BYTES);
    for (size_t at = 0; at + PIECE <= HEADS; at += PIECE) {
        char piece[PIECE + 1];
        (void)snprintf(piece, sizeof piece, "8=FIX.4.4|9=1|95=%07zu|96=xxx", (size_t)HEADS - at - 28);
        memcpy(bytes + at, piece, PIECE);
        bytes[at + PIECE - 1] = '|';
    }
    bytes[HEADS] = '|';
    size_t entries = 0;
    for (size_t at = 0; at < BYTES; entries++) {
        struct rf_fix_entry entry;
        size_t needed;
        assert_int_equal(rf_fix_entry_next(bytes, at, BYTES, NO_LIMIT, RF_FIX_LAST, &entry, &needed), RF_FIX_ENTRY);
        at = entry.next;
    }
    assert_true(entries >= HEADS / PIECE);
    free(bytes);
}

/* Heads that each hold the next one, none of which ends: what is behind the limit is looked for behind it. */
static void test_linear_time_of_oversize(void **state)
{
    (void)state;
    enum { COUNT = 1 << 16, LIMIT = 4096 };
    static const char *const heads[] = {"8=FIX|95=9000|96=", "8=FIX^A95=8000^A96="};
    for (int h = 0; h < 2; h++) {
        uint8_t *bytes = malloc(COUNT);
        assert_non_null(bytes);
        for (size_t i = 0; i < COUNT; i++) {
            bytes[i] = (uint8_t)heads[h][i % strlen(heads[h])];
        }
        size_t entries = 0;
        for (size_t at = 0; at < COUNT; entries++) {
            struct rf_fix_entry entry;
            size_t needed;
            if (rf_fix_entry_next(bytes, at, COUNT, LIMIT, RF_FIX_LAST, &entry, &needed) == RF_FIX_OVERSIZE) {
                assert_true(rf_fix_resync(bytes, rf_fix_resync_from(at, LIMIT), COUNT, RF_FIX_LAST, &entry.next));
            }
            at = entry.next;
        }
        assert_in_range(entries, COUNT / LIMIT, COUNT / (LIMIT - RF_FIX_START_MAX) + 1);
        free(bytes);
    }
}

/* Raw data behind `96=` in messages whose separators are texts, by the definition: such a text counts as one byte. */
static enum rf_fix_answer data_end_plain(const struct rf_fix_window *window, const char *text, size_t at, uint32_t count,
                                         size_t *end)
{
    for (; count > 0; count--) {
        if (at >= window->end) {
            return rf_fix_edge(window);
        }
        const enum rf_fix_answer answer = rf_fix_match(window, at, text, strlen(text));
        if (answer == RF_FIX_OPEN) {
            return answer;
        }
        at += answer == RF_FIX_YES ? strlen(text) : 1;
    }
    *end = at;
    return at >= window->end ? rf_fix_edge(window) : rf_fix_match(window, at, text, strlen(text));
}

static void test_rf_fix_data_end(void **state)
{
    (void)state;
    enum { HEAD = 3, LONGEST = 400, ROUNDS = 20000 };
    struct sample_random random = {.state = 11};
    uint32_t answers[3] = {0};
    for (int round = 0; round < ROUNDS; round++) {
        const enum rf_fix_separator separator = round % 2 == 0 ? RF_FIX_CARET : RF_FIX_HEX;
        const char *text = rf_fix_separator_text(separator);
        const size_t count = HEAD + sample_draw(&random, LONGEST);
        const uint32_t dense = 1 + sample_draw(&random, 12);
        uint8_t *bytes = malloc(count); /* exactly, for the sanitizer */
        assert_non_null(bytes);
        memcpy(bytes, "96=", HEAD);
        for (size_t at = HEAD; at < count;) {
            const bool is_text = sample_draw(&random, dense) == 0;
            const char *part = is_text ? text : &"^A\\x01a"[sample_draw(&random, 7)];
            const size_t part_bytes = is_text ? strlen(text) : 1;
            for (size_t i = 0; i < part_bytes && at < count; i++) {
                bytes[at++] = (uint8_t)part[i];
            }
        }
        const struct rf_fix_window window = {.bytes = bytes, .end = count, .is_open = round % 3 == 0};
        const uint32_t length = sample_draw(&random, LONGEST);
        size_t needed = 0;
        size_t is = SIZE_MAX;
        size_t must = SIZE_MAX;
        const enum rf_fix_answer answer = rf_fix_data_end(&window, separator, HEAD, length, &is, &needed);
        assert_int_equal(answer, data_end_plain(&window, text, HEAD, length, &must));
        assert_int_equal(is, must >= count ? SIZE_MAX : must);
        answers[answer]++;
        free(bytes);
    }
    assert_true(answers[RF_FIX_NO] > 0 && answers[RF_FIX_YES] > 0 && answers[RF_FIX_OPEN] > 0);
}

static void test_rf_fix_resync(void **state)
{
    (void)state;
    static const uint8_t bytes[] = "x8=FIX\001 8=FIX.4.4|58=FIX.4.4|\ny";
    size_t at;
    assert_true(rf_fix_resync(bytes, 1, sizeof bytes - 1, RF_FIX_MORE, &at));
    assert_int_equal(at, 1);
    assert_true(rf_fix_resync(bytes, 2, sizeof bytes - 1, RF_FIX_MORE, &at));
    assert_int_equal(at, 8);
    assert_true(rf_fix_resync(bytes, 9, sizeof bytes - 1, RF_FIX_MORE, &at));
    assert_int_equal(at, 30);
    assert_false(rf_fix_resync(bytes, 9, 12, RF_FIX_MORE, &at));
    assert_int_equal(at, 12);
    assert_false(rf_fix_resync(bytes, 7, 12, RF_FIX_MORE, &at));
    assert_int_equal(at, 8);
    assert_true(rf_fix_resync(bytes, 7, 12, RF_FIX_LAST, &at));
    assert_int_equal(at, 12);
}

static void test_rf_fix_entry_tail(void **state)
{
    (void)state;
    static const uint8_t bytes[] = "8=FIX.4.4|\n";
    struct rf_fix_entry entry = {.message = 0, .message_end = 10};
    assert_int_equal(rf_fix_entry_tail(bytes, 0, 11, NO_LIMIT, RF_FIX_MORE, &entry), RF_FIX_ENTRY);
    assert_int_equal(entry.next, 11);
    assert_int_equal(rf_fix_entry_tail(bytes, 0, 10, NO_LIMIT, RF_FIX_MORE, &entry), RF_FIX_NEED_MORE);
    assert_int_equal(rf_fix_entry_tail(bytes, 0, 10, NO_LIMIT, RF_FIX_PAUSE, &entry), RF_FIX_ENTRY);
    assert_int_equal(entry.next, 10);
}

static void test_rf_fix_data_of(void **state)
{
    (void)state;
    assert_int_equal(rf_fix_data_of(93), 89);
    assert_int_equal(rf_fix_data_of(95), 96);
    assert_int_equal(rf_fix_data_of(621), 622);
    assert_int_equal(rf_fix_data_of(96), 0);
    assert_int_equal(rf_fix_data_of(0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good_messages),
        cmocka_unit_test(test_raw_data),
        cmocka_unit_test(test_lies),
        cmocka_unit_test(test_broken),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_line_ends),
        cmocka_unit_test(test_debris),
        cmocka_unit_test(test_linear_time),
        cmocka_unit_test(test_linear_time_behind_data),
        cmocka_unit_test(test_linear_time_of_oversize),
        cmocka_unit_test(test_rf_fix_data_end),
        cmocka_unit_test(test_rf_fix_resync),
        cmocka_unit_test(test_rf_fix_entry_tail),
        cmocka_unit_test(test_rf_fix_data_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
