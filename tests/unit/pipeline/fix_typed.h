/* fix_typed.h: streams of FIX messages whose fields have every type, at its borders and beyond them; for holding engines
 * against each other. fix_samples.h makes the frames and their damage. */
#ifndef RF_TEST_FIX_TYPED_H
#define RF_TEST_FIX_TYPED_H

#include "../fix/fix_samples.h"

#define FIX_LONG "3141592653589793238462643383279502884197169399375105820974944592307816406286208998628034825342117067"

static const char *const fix_typed_plain[] = {
    "55=AAA",
    "31=99.5",
    "273=09:59:59",
    "9702=8",
    "99=7",
    "44=10",
    "38=99",
    "60=20260102-11:00:00",
    "55=BBB",
    "54=1",
    "54=2",
    "38=100",
    "44=12.50",
    "31=100.25",
    "58=text",
    "43=Y",
    "43=N",
    "60=20260102-10:00:00",
    "60=20260102-10:00:00.250",
    "15=EUR",
    "1=ACC",
    "9702=7",
    "100000001=x",
    "18=1 6",
    "18=6",
    "273=10:00:01.5",
    "272=20260101",
    "99=0.1",
    "95=3\00196=abc",
    "34=7",
    "453=2\001448=X\001447=D\001452=1\001448=Y\001447=D\001452=3",
    "453=1\001448=X\001447=D\001452=1\001802=1\001523=sub\001803=2",
    "268=2\001269=0\001270=1.10\001269=1\001270=1.20",
};

/* What no careful sender writes, at the borders of the types and beyond them. */
static const char *const fix_typed_border[] = {
    /* double */
    "44=0",
    "44=-0",
    "44=007",
    "44=.5",
    "44=5.",
    "44=.",
    "44=-",
    "44=",
    "44=1e5",
    "44=+1",
    "44=1.2.3",
    "44=-12.5",
    "44=12.50 ",
    "44=0.1",
    "44=123456789012345",
    "44=1234567890123456",
    "44=12345678901234567890.5",
    "44=9007199254740993",
    "44=0000000000000000000000000001",
    "44=" FIX_LONG FIX_LONG FIX_LONG FIX_LONG,
    "44=0." FIX_LONG FIX_LONG FIX_LONG FIX_LONG,
    "44=" FIX_LONG,
    "38=100.00",
    "38=-1",
    "38=\xd9\xa1",
    "31=NaN",
    "99=0.10",
    "99=1234567890.12345",
    "99=12345678901.12345",
    "99=-.",
    "99=1,5",
    /* int */
    "34=000004",
    "34=-1",
    "34=9223372036854775807",
    "34=9223372036854775808",
    "34=-9223372036854775808",
    "34=-9223372036854775809",
    "34=1234567890123456",
    "34=12345678901234567",
    "34=",
    "34=1.0",
    "34=--1",
    "34=4 ",
    "34=0000000000000000000000000000000000000004",
    /* bool */
    "43=",
    "43=y",
    "43=YN",
    "43=1",
    /* times */
    "60=20260102-10:00:00.123456",
    "60=20260102-10:00:00.123456789",
    "60=20260102-10:00:00.123456789012",
    "60=20260102-10:00:00.1234567890123",
    "60=20260102-23:59:60",
    "60=20260102-10:00:60",
    "60=20260230-10:00:00",
    "60=00000101-00:00:00",
    "60=00010101-00:00:00",
    "60=99991231-23:59:59.999999999",
    "60=99991231-23:59:60",
    "60=20260102",
    "60=",
    "60=20260102-10:00",
    "60=20260102-24:00:00",
    "60=20260102-10:00:00.",
    "60=20260102 10:00:00",
    "52=19700101-00:00:00",
    "273=23:59:60",
    "273=24:00:00",
    "273=10:00",
    "273=10:00:00.000000001",
    "273=",
    "272=",
    "272=2026",
    /* lists and text */
    "18=",
    "18= ",
    "18=  6 ",
    "18=1  6",
    "18=\xff",
    "58=",
    "58=a=b=c",
    "58==",
    "58=f\xc3\xa9",
    "58=\xff\xfe",
    "58=\xc3",
    "58=\xed\xa0\x80",
    "58=\xf4\x90\x80\x80",
    "58=\xf0\x9f\x98\x80",
    "55=",
    "55=AA\xff"
    "A",
    "55=\"quoted\\",
    "58=a|b",
    "58=x^Ay",
    "58=\\x01",
    "58= end ",
    "54=",
    "54=12",
    "54=\xc3\xa9",
    "15=",
    "58=8=FIX.4.4",
    /* data */
    "95=0\00196=",
    "95=5\00196=a\001b=c",
    "95=14\00196=AB\00110=000\001CD=9",
    "95=2\00196=\xff\xfe",
    "95=3\00196=abcd",
    "95=9999\00196=abc",
    "96=abc",
    "95=\00196=abc",
    "95=x\00196=abc",
    "95=3",
    "95=3\00158=x",
    "95=3\00196=abc\00196=abc",
    "95=12\00196=8=FIX.4.4\0019=5",
    /* groups: other counts than entries, foreign tags, twins within an entry, values that are none of their type */
    "453=0",
    "453=",
    "453=x",
    "453=9\001448=X",
    "453=1\001448=X\001448=Y",
    "453=2\001447=D\001448=X",
    "453=2\001448=X\00158=foreign\001448=Y",
    "453=1\001448=X\001447=D\001447=E",
    "453=1\001448=X\001452=role",
    "453=1\001448=\xff",
    "453=2\001448=X\001802=2\001523=a\001523=b\001448=Y",
    "453=1\001448=X\001453=1\001448=Y",
    "268=1\001269=1\001270=abc",
    "268=1\001270=1.20\001269=1",
    "448=Y",
    "269=1\001270=9.9",
    /* tags */
    "055=EVIL",
    "0=1",
    "-5=x",
    "=y",
    "abc=1",
    "+55=x",
    " 55=x",
    "4294967351=Z",
    "58",
    "",
    "999999999=top",
    "1234567890=5",
    "58=a\nb",
    "10=000",
    "8=FIX.4.4",
};

/* A body of some fields behind the head of a message. */
static inline size_t fix_typed_body(struct sample_random *random, char *body, bool is_damaged)
{
    static const char *const heads[] = {"35=8", "35=D", "35=W", "35=8", "35=0", "35=", "35=zz"};
    const char *head = heads[sample_draw(random, is_damaged ? 7 : 5)];
    static const char *const rests[] = {
        "\00149=BUY1\00156=SELL1\00134=5\00152=20260102-10:00:00.000\001",
        "\00149=BUY1\00156=SELL1\00134=6\00152=20260102-08:59:59.999\001",
        "\00149=BUY1\00156=SELL1\00134=7\00152=20260102-10:00:00\001",
    };
    const char *rest = rests[sample_draw(random, 3)];
    size_t count = 0;
    memcpy(body, head, strlen(head));
    count += strlen(head);
    /* Now and then SendingTime and MsgSeqNum come later, or not at all. */
    const size_t kept = sample_draw(random, 4) == 0 ? sizeof("\00149=BUY1\00156=SELL1\001") - 1 : strlen(rest);
    memcpy(body + count, rest, kept);
    count += kept;
    const uint32_t fields = sample_draw(random, 12);
    for (uint32_t f = 0; f < fields && count < SAMPLE_MAX - 1024; f++) {
        const bool is_border = sample_draw(random, 4) == 0;
        const char *text =
            is_border ? fix_typed_border[sample_draw(random, sizeof fix_typed_border / sizeof fix_typed_border[0])]
                      : fix_typed_plain[sample_draw(random, sizeof fix_typed_plain / sizeof fix_typed_plain[0])];
        memcpy(body + count, text, strlen(text));
        count += strlen(text);
        body[count++] = '\001';
    }
    return count;
}

/* A stream of messages with one separator or several, in a log or one behind the other. */
static inline size_t fix_typed_stream(struct sample_random *random, uint8_t *out, uint32_t messages, bool is_damaged)
{
    static const char *const between[] = {"\n",           "\r\n",       "",     "garbage", "\n\n",
                                          " \t\n",        "x\001y",     "\001", "8=FIX",   "no message here\n",
                                          "\xff\xfe IN ", "10=000\001", "|",    "9=5|",    "\r"};
    static const char *const version[] = {"FIX.4.4", "FIX.4.2", "FIXT.1.1"};
    const bool is_log = sample_draw(random, 2) == 0;
    enum rf_fix_separator separator = (enum rf_fix_separator)sample_draw(random, RF_FIX_SEPARATOR_COUNT);
    size_t count = 0;
    for (uint32_t m = 0; m < messages && count < STREAM_MAX - 3 * SAMPLE_MAX; m++) {
        char body[SAMPLE_MAX];
        if (sample_draw(random, 10) == 0) {
            separator = (enum rf_fix_separator)sample_draw(random, RF_FIX_SEPARATOR_COUNT);
        }
        if (is_log && sample_draw(random, 3) != 0) {
            count += (size_t)snprintf((char *)out + count, 64, "2026-01-02 10:00:00.%03u IN A->B ", m % 1000);
        }
        const bool is_bad = is_damaged && sample_draw(random, 4) == 0;
        const size_t begin = count;
        const size_t body_bytes = fix_typed_body(random, body, is_damaged);
        const struct sample_options options = {
            .version = version[sample_draw(random, 3)],
            .separator = separator,
            .length_off = is_bad && sample_draw(random, 4) == 0 ? (int)sample_draw(random, 300) - 60 : 0,
            .sum_off = is_bad && sample_draw(random, 4) == 0 ? 1 : 0,
        };
        count += sample_put(out + count, body, body_bytes, options);
        if (is_bad && sample_draw(random, 4) == 0) { /* broke off */
            count = begin + sample_draw(random, (uint32_t)(count - begin));
        }
        if (is_bad && sample_draw(random, 4) == 0) { /* a line end in place of the last separator */
            count -= rf_fix_separator_bytes(separator) < count - begin ? rf_fix_separator_bytes(separator) : 0;
        }
        const bool is_odd = is_damaged && sample_draw(random, 6) == 0;
        const char *text = is_odd   ? between[sample_draw(random, sizeof between / sizeof between[0])]
                           : is_log ? "\n"
                                    : "";
        memcpy(out + count, text, strlen(text));
        count += strlen(text);
    }
    return count;
}

#endif
