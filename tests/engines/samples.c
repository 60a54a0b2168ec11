#include "samples.h"

#include <math.h>
#include <stdlib.h>

#define TEXT(literal)                                                                                                  \
    {                                                                                                                  \
        (literal), sizeof(literal) - 1                                                                                 \
    }

static const struct rf_str plain_table[] = {
    TEXT(""),
    TEXT("a"),
    TEXT("b"),
    TEXT("ab"),
    TEXT("A"),
    TEXT("a,b,c"),
    TEXT("abcdefgh"),
    TEXT("abcdefghi"),
    TEXT("abcdefghj"),
    TEXT("ABCDEFGHJ"),
    TEXT("abcdefghijklmnopqr"),
    TEXT("abcdefghijklMNOPqs"),
    TEXT("MSFT"),
    TEXT("ERROR 42: it failed"),
    TEXT("n"),
    TEXT("s"),
    TEXT("k k"),
    TEXT(" \t a b \n"),
    TEXT("x\"y\\z"),
    TEXT("\xc3\xa9"),
    TEXT("e\xcc\x81t\xc3\xa9 caf\xc3\xa9"),
    TEXT("\xf0\x9f\x9a\x80\xf0\x9f\x9a\x80"),
    TEXT("\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e"),
    TEXT("\xc2\xa0nbsp\xe3\x80\x80"),
    TEXT("\0"),
    TEXT("a\0b"),
    TEXT("\x01\x1f\x7f"),
    TEXT("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"),
    TEXT("{\"a\":[1,2]}"),
    TEXT("int"),
    TEXT("true"),
    TEXT("\xef\xbf\xbd\xef\xbb\xbf"),
};
static const struct rf_str number_table[] = {
    TEXT("0"),
    TEXT("1"),
    TEXT("-1"),
    TEXT("42"),
    TEXT("007"),
    TEXT("1.5"),
    TEXT("-0"),
    TEXT("1e3"),
    TEXT("9007199254740993"),
    TEXT("9223372036854775807"),
    TEXT("0.1"),
    TEXT("+1"),
    TEXT("0x10"),
    TEXT("NaN"),
    TEXT("-Infinity"),
    TEXT("inf"),
    TEXT(" 1"),
    TEXT("1e400"),
    TEXT("1u"),
    TEXT(".5"),
    TEXT("5."),
    TEXT("9223372036854775808"),
    TEXT("-"),
    TEXT("1e"),
    TEXT("-9223372036854775808"),
    TEXT(""),
    TEXT("1_0"),
    TEXT("18446744073709551615"),
    TEXT("1e-400"),
    TEXT("18446744073709551616"),
};
static const struct rf_str bool_table[] = {
    TEXT("true"), TEXT("false"), TEXT("t"), TEXT("1"), TEXT("0"), TEXT("F"), TEXT("True"), TEXT("yes"),
};
static const struct rf_str time_table[] = {
    TEXT("2026-04-18T09:30:00Z"),           TEXT("2026-04-18T09:30:00.25+02:00"),
    TEXT("2024-02-29T23:59:59.999999999Z"), TEXT("1970-01-01T00:00:00Z"),
    TEXT("1969-12-31T23:59:59.5Z"),         TEXT("0001-01-01T00:00:00Z"),
    TEXT("9999-12-31T23:59:59.999999999Z"), TEXT("2026-03-29T00:59:59Z"),
    TEXT("2026-03-29T01:00:00Z"),           TEXT("2026-10-25T01:30:00Z"),
    TEXT("1900-01-01T00:00:00Z"),           TEXT("2400-07-01T12:00:00Z"),
    TEXT("2023-02-29T00:00:00Z"),           TEXT("9999-12-31T23:59:59-01:00"),
    TEXT("0001-01-01T00:00:00+01:00"),      TEXT("2026-04-18"),
    TEXT("2026-04-18 09:30:00Z"),           TEXT("2026-04-18T24:00:00Z"),
    TEXT("2016-12-31T23:59:60Z"),           TEXT("2026-04-18t09:30:00z"),
};
static const struct rf_str span_table[] = {
    TEXT("1h30m"),
    TEXT("0"),
    TEXT("1s"),
    TEXT("-1.5ms"),
    TEXT("90m"),
    TEXT("1us"),
    TEXT("1ns"),
    TEXT("-20ms"),
    TEXT("24h"),
    TEXT("2562047h47m16.854775807s"),
    TEXT("-2562047h47m16.854775808s"),
    TEXT("1m1m"),
    TEXT(".5s"),
    TEXT("0.5ns"),
    TEXT("1d"),
    TEXT("1h30"),
    TEXT("9223372037s"),
    TEXT("1.s"),
    TEXT("s"),
    TEXT("+1h"),
};
static const struct rf_str zone_table[] = {
    TEXT("UTC"),
    TEXT("Europe/Berlin"),
    TEXT("America/New_York"),
    TEXT("Asia/Kathmandu"),
    TEXT("+05:30"),
    TEXT("-02:00"),
    TEXT("+14:00"),
    TEXT("Pacific/Kiritimati"),
    TEXT("Australia/Lord_Howe"),
    TEXT("Mars/Base"),
    TEXT(""),
    TEXT("Local"),
    TEXT("../../etc/passwd"),
    TEXT("05:30"),
    TEXT("-00:30"),
    TEXT("+24:00"),
};
static const struct rf_str address_table[] = {
    TEXT("10.1.2.3"),   TEXT("127.0.0.1"),   TEXT("0.0.0.0"),         TEXT("255.255.255.255"), TEXT("::"),
    TEXT("::1"),        TEXT("2001:db8::1"), TEXT("2001:DB8::0:1"),   TEXT("fe80::1"),         TEXT("ff02::1"),
    TEXT("224.0.0.5"),  TEXT("169.254.1.1"), TEXT("1:2:3:4:5:6:7:8"), TEXT("fe80::1%eth0"),    TEXT("::ffff:1.2.3.4"),
    TEXT("10.0.0.256"), TEXT("10.0.0.01"),   TEXT("1.2.3"),           TEXT("::1::"),           TEXT(""),
};
static const struct rf_str network_table[] = {
    TEXT("10.0.0.0/8"),  TEXT("10.1.2.3/8"),  TEXT("0.0.0.0/0"), TEXT("::/0"),    TEXT("2001:db8::/32"),
    TEXT("10.1.0.0/16"), TEXT("10.1.2.3/32"), TEXT("fe80::/10"), TEXT("::1/128"), TEXT("10.0.0.0/33"),
    TEXT("10.0.0.0/08"), TEXT("10.0.0.0"),    TEXT("/8"),        TEXT("::/129"),
};
static const struct rf_str base64_table[] = {
    TEXT("aGVsbG8="), TEXT("aGVsbG8"), TEXT("////"), TEXT("YQ=="), TEXT("/w=="),
    TEXT("w6k="),     TEXT("a-_b"),    TEXT("a"),    TEXT("YQ=a"), TEXT(""),
};
static const struct rf_str separator_table[] = {TEXT(","),  TEXT(""),  TEXT("a"),        TEXT("b"),  TEXT(" "),
                                                TEXT("ab"), TEXT("-"), TEXT("\xc3\xa9"), TEXT("aa"), TEXT("\0")};
static const struct rf_str regex_table[] = {
    TEXT("^[A-Z]{1,5}$"),
    TEXT("a"),
    TEXT("^a"),
    TEXT("b$"),
    TEXT("(a|ab)(c|bcd)*"),
    TEXT("(?i)msft|error"),
    TEXT("\\d+"),
    TEXT("\\bab\\b"),
    TEXT("\\pL+"),
    TEXT("^\\p{Greek}"),
    TEXT(".*"),
    TEXT("(a*)*b"),
    TEXT(""),
    TEXT("[^a-z]"),
    TEXT("(?s)^.{2}$"),
    TEXT("(?m)^b"),
    TEXT("^$"),
    TEXT("\xc3\xa9|z"),
    TEXT("a{2,3}"),
    TEXT("\\w+\\s\\W"),
    TEXT("(?U)a+b"),
    TEXT("[[:alpha:]]+[[:digit:]]?"),
    TEXT("\\x{1F680}"),
    TEXT("\\Qa,b\\E"),
    TEXT("(x+x+)+y"),
};
static const struct rf_str glob_table[] = {
    TEXT("*"),   TEXT("a*"), TEXT("*b"),  TEXT("?"), TEXT("a?c*"), TEXT("[a-c]*"),    TEXT("[!a]*"), TEXT("*a*a*b"),
    TEXT("\\*"), TEXT("[a"), TEXT("*,*"), TEXT(""),  TEXT("M*T"),  TEXT("\xc3\xa9*"), TEXT("[]a]")};
static const struct rf_str format_table[] = {
    TEXT("%s"), TEXT("%f %e"), TEXT("%.3f"),  TEXT("%s-%s"), TEXT("%%"),     TEXT("plain"), TEXT("%.100f"),
    TEXT("%d"), TEXT("%x%X"),  TEXT("%b %o"), TEXT("%q"),    TEXT("%.101f"), TEXT("%"),     TEXT("%s %d %s"),
};

static const struct {
    const struct rf_str *text;
    uint32_t count;
    uint32_t good; /* the first of them are what they should be; the others spoil most calls */
} flavour_table[FLAVOURS] = {
#define FLAVOUR(table, good) (table), sizeof(table) / sizeof(table)[0], (good)
    [FLAVOUR_PLAIN] = {FLAVOUR(plain_table, 14)},     [FLAVOUR_NUMBER] = {FLAVOUR(number_table, 11)},
    [FLAVOUR_BOOL] = {FLAVOUR(bool_table, 5)},        [FLAVOUR_TIME] = {FLAVOUR(time_table, 12)},
    [FLAVOUR_SPAN] = {FLAVOUR(span_table, 13)},       [FLAVOUR_ZONE] = {FLAVOUR(zone_table, 9)},
    [FLAVOUR_ADDRESS] = {FLAVOUR(address_table, 13)}, [FLAVOUR_NETWORK] = {FLAVOUR(network_table, 9)},
    [FLAVOUR_BASE64] = {FLAVOUR(base64_table, 6)},    [FLAVOUR_SEPARATOR] = {FLAVOUR(separator_table, 10)},
    [FLAVOUR_REGEX] = {FLAVOUR(regex_table, 10)},     [FLAVOUR_GLOB] = {FLAVOUR(glob_table, 10)},
    [FLAVOUR_FORMAT] = {FLAVOUR(format_table, 7)},
#undef FLAVOUR
};

const int64_t sample_ints[SAMPLE_INTS] = {
    0,
    1,
    2,
    3,
    -1,
    -2,
    5,
    7,
    10,
    59,
    60,
    63,
    64,
    100,
    255,
    -128,
    1000,
    65536,
    INT32_MAX,
    INT32_MIN,
    4294967296,
    1776504600,
    253402300800,
    (INT64_C(1) << 53) - 1,
    INT64_C(1) << 53,
    (INT64_C(1) << 53) + 1,
    INT64_MAX,
    INT64_MIN,
};
const uint64_t sample_uints[SAMPLE_UINTS] = {
    0,
    1,
    2,
    3,
    7,
    10,
    64,
    100,
    255,
    UINT32_MAX,
    4294967296,
    (UINT64_C(1) << 53) + 1,
    INT64_MAX,
    (uint64_t)INT64_MAX + 1,
    UINT64_MAX - 1,
    UINT64_MAX,
};
const double sample_doubles[SAMPLE_DOUBLES] = {
    0.0,    -0.0,    1.0,    -1.0,          0.5,      1.5,       2.5,        -2.5,
    0.1,    0.3,     3.0,    10.0,          100.0,    1e15,      1e16,       1e21,
    1e300,  1e308,   -1e308, 5e-324,        1e-7,     0x1p53,    0x1p53 - 1, 0x1p53 + 2,
    0x1p63, -0x1p63, 0x1p64, 1776504600.25, INFINITY, -INFINITY, NAN,        4503599627370497.5,
};

static void put_random_text(struct choice *choice, struct rf_text *out)
{
    for (uint32_t left = choose(choice, 12); left > 0; left--) {
        const struct rf_str *part = CHOOSE(choice, plain_table);
        const size_t count = part->count == 0 || (part->data[0] & 0x80) != 0 ? part->count : 1;
        put_str(out, (struct rf_str){part->data, count});
    }
}

static void put_random_regex(struct choice *choice, struct rf_text *out)
{
    static const char *const part[] = {"a",        "b",   "[a-c]", ".", "\\d", "(?:a|b)", "x",   "\\w",  "[^,]",
                                       "\xc3\xa9", "(a)", "ab",    "^", "$",   "|",       "\\s", "\\pL", "(?i:M)"};
    static const char *const suffix[] = {"", "", "", "", "*", "+", "?", "{2}", "{1,3}", "*?"};
    for (uint32_t left = 1 + choose(choice, 6); left > 0; left--) {
        const char *text = *CHOOSE(choice, part);
        const bool is_atom = text[0] != '^' && text[0] != '$' && text[0] != '|' && text[1] != 'b';
        put(out, text);
        put(out, is_atom ? *CHOOSE(choice, suffix) : "");
    }
}

void put_sample(struct choice *choice, enum flavour flavour, struct rf_text *out)
{
    const uint32_t luck = choose(choice, 32);
    if (flavour == FLAVOUR_REGEX && choose(choice, 3) == 0) {
        put_random_regex(choice, out);
        return;
    }
    const bool is_pattern = flavour == FLAVOUR_REGEX || flavour == FLAVOUR_GLOB || flavour == FLAVOUR_FORMAT;
    if (luck == 31 && !is_pattern) {
        put_random_text(choice, out);
        return;
    }
    if (luck == 30 && !is_pattern) {
        flavour = (enum flavour)choose(choice, FLAVOURS);
    }
    const uint32_t count = luck < 24 ? flavour_table[flavour].good : flavour_table[flavour].count;
    put_str(out, flavour_table[flavour].text[choose(choice, count)]);
}

/* ---- Literals ---- */

static uint32_t utf8_bytes(uint8_t lead)
{
    return lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

/* The code point that begins at text.data[at], which is valid UTF-8. */
static uint32_t utf8_point(struct rf_str text, size_t at, uint32_t bytes)
{
    const uint8_t lead = (uint8_t)text.data[at];
    uint32_t point = bytes == 1 ? lead : lead & (0x7fu >> bytes);
    for (uint32_t i = 1; i < bytes; i++) {
        point = point << 6 | ((uint8_t)text.data[at + i] & 0x3fu);
    }
    return point;
}

void put_cel_string(struct choice *choice, struct rf_str text, struct rf_text *out)
{
    const bool is_escaped = choose_rarely(choice, 16);
    const char quote = choose_rarely(choice, 32) ? '\'' : '"';
    put_str(out, (struct rf_str){&quote, 1});
    for (size_t at = 0; at < text.count;) {
        const uint32_t bytes = utf8_bytes((uint8_t)text.data[at]);
        const uint32_t point = utf8_point(text, at, bytes);
        if (point == '"' || point == '\'' || point == '\\') {
            put_format(out, "\\%c", (int)point);
        } else if (point < 0x20 || point == 0x7f || (is_escaped && point < 0x10000)) {
            put_format(out, point < 0x100 && !is_escaped ? "\\x%02x" : "\\u%04x", point);
        } else {
            put_str(out, (struct rf_str){text.data + at, bytes});
        }
        at += bytes;
    }
    put_str(out, (struct rf_str){&quote, 1});
}

void put_cel_bytes(struct rf_str bytes, struct rf_text *out)
{
    put(out, "b\"");
    for (size_t at = 0; at < bytes.count; at++) {
        const uint8_t byte = (uint8_t)bytes.data[at];
        put_format(out, byte < 0x20 || byte > 0x7e || byte == '"' || byte == '\\' ? "\\x%02x" : "%c", byte);
    }
    put(out, "\"");
}

void put_json_string(struct choice *choice, struct rf_str text, struct rf_text *out)
{
    const bool is_escaped = choose_rarely(choice, 24);
    put(out, "\"");
    for (size_t at = 0; at < text.count;) {
        const uint32_t bytes = utf8_bytes((uint8_t)text.data[at]);
        const uint32_t point = utf8_point(text, at, bytes);
        if (point == '"' || point == '\\') {
            put_format(out, "\\%c", (int)point);
        } else if (point < 0x20 || (is_escaped && point < 0x10000)) {
            put_format(out, "\\u%04x", point);
        } else if (is_escaped) {
            put_format(out, "\\u%04X\\u%04X", 0xd800 + ((point - 0x10000) >> 10), 0xdc00 + (point & 0x3ff));
        } else {
            put_str(out, (struct rf_str){text.data + at, bytes});
        }
        at += bytes;
    }
    put(out, "\"");
}

void put_json_number(struct choice *choice, bool is_small, struct rf_text *out)
{
    static const char *const table[] = {"0",
                                        "1",
                                        "-1",
                                        "2",
                                        "3",
                                        "10",
                                        "100",
                                        "1.0",
                                        "0.5",
                                        "1.5",
                                        "-2.5",
                                        "-0",
                                        "-0.0",
                                        "1e0",
                                        "1E2",
                                        "0.1",
                                        "0.10",
                                        "1e15",
                                        "1e16",
                                        "1e21",
                                        "1e308",
                                        "5e-324",
                                        "1e400",
                                        "-1e400",
                                        "1e-400",
                                        "9007199254740991",
                                        "9007199254740992",
                                        "9007199254740993",
                                        "-9007199254740993",
                                        "9223372036854775807",
                                        "9223372036854775808",
                                        "-9223372036854775808",
                                        "-9223372036854775809",
                                        "18446744073709551615",
                                        "18446744073709551616",
                                        "9007199254740993.0",
                                        "9.007199254740993e15",
                                        "123456789012345678901234567890",
                                        "0.1000000000000000055511151231257827021181583404541015625",
                                        "1776504600",
                                        "1776504600.25",
                                        "4503599627370497.5",
                                        "253402300800",
                                        "0.30000000000000004",
                                        "1e19",
                                        "64",
                                        "60"};
    if ((is_small && !choose_rarely(choice, 16)) || choose_rarely(choice, 64)) {
        const uint32_t range = choose_rarely(choice, 200) ? 4 : 61;
        put_format(out, "%u", choose(choice, range));
    } else if (choose_rarely(choice, 40)) {
        put_format(out, "%d", (int)choose(choice, 65536) - 32768);
    } else if (choose_rarely(choice, 20)) {
        put_format(out, "%d.%u", (int)choose(choice, 256) - 128, choose(choice, 65536));
    } else {
        put(out, *CHOOSE(choice, table));
    }
}
