/* hostile: expressions and records that are made to take long, to nest deep or to grow: each ends within its time, in an
 * answer that all engines share or in a clear refusal.
 *
 * hostile [NAME]: those whose name begins so; without NAME all, or under a sanitizer those that end soon there. The last line
 * is "N passed, N failed"; exit code 1 when one failed. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "lab.h"
#include "lab_time.h"

enum ending { ENDS_REFUSED, ENDS_SAME };

struct hostile {
    const char *name;
    enum ending ending;
    const char *text; /* what the refusal says, or NULL */
    void (*write)(struct rf_text *expression, struct rf_text *record);
};

static void put_times(struct rf_text *out, const char *text, uint32_t times)
{
    for (uint32_t i = 0; i < times; i++) {
        put(out, text);
    }
}

/* ---- Sources ---- */

enum { DEEP = 10000, SOURCE_BYTES = 1024 * 1024 };

#define NESTED(function, opening, core, closing)                                                                       \
    static void function(struct rf_text *expression, struct rf_text *record)                                           \
    {                                                                                                                  \
        (void)record;                                                                                                  \
        put_times(expression, opening, DEEP);                                                                          \
        put(expression, core);                                                                                         \
        put_times(expression, closing, DEEP);                                                                          \
    }

NESTED(write_parentheses, "(", "true", ")")
NESTED(write_open, "(", "", "")
NESTED(write_lists, "[", "", "]")
NESTED(write_maps, "{1:", "1", "}")
NESTED(write_nots, "!", "true", "")
NESTED(write_minuses, "-", "n", "")
NESTED(write_members, "", "n", ".a")
NESTED(write_indexes, "n[", "0", "]")
NESTED(write_sizes, "size(", "s", ")")
NESTED(write_choices, "b ? b : ", "b", "")
NESTED(write_macros, "l.all(x, ", "true", ")")
NESTED(write_binds, "cel.bind(x, 1, ", "true", ")")
NESTED(write_has, "has(", "n.a", ")")
NESTED(write_sums, "1 + ", "1", "")
NESTED(write_optionals, "optional.of(", "1", ")")
NESTED(write_messages, "google.protobuf.Struct{fields: ", "{}", "}")

static void write_megabyte(struct rf_text *expression, struct rf_text *record)
{
    (void)record;
    put_times(expression, "n == 1 || ", SOURCE_BYTES / 10);
    put(expression, "true");
}

static void write_megabyte_text(struct rf_text *expression, struct rf_text *record)
{
    (void)record;
    put(expression, "s == \"");
    put_times(expression, "aaaaaaaa", SOURCE_BYTES / 8);
    put(expression, "\"");
}

static void write_alternatives(struct rf_text *expression, struct rf_text *record)
{
    put(record, "{\"n\":-1,\"s\":\"x\"}");
    for (uint32_t i = 0; i < 2000; i++) {
        put_format(expression, "n == %u || s == \"t%u\" && ", i, i);
    }
    put(expression, "false");
}

static void write_set(struct rf_text *expression, struct rf_text *record)
{
    put(record, "{\"n\":30000}");
    put(expression, "n in [");
    for (uint32_t i = 0; i < 9000; i++) {
        put_format(expression, "%u, ", i * 3);
    }
    put(expression, "1]");
}

static void write_big_map(struct rf_text *expression, struct rf_text *record)
{
    put(record, "{\"s\":\"k77\"}");
    put(expression, "{");
    for (uint32_t i = 0; i < 4000; i++) {
        put_format(expression, "\"k%u\": %u, ", i, i);
    }
    put(expression, "\"z\": n}[s] == 77");
}

static void write_twins(struct rf_text *expression, struct rf_text *record)
{
    put(record, "{\"n\":1}");
    put(expression, "size({");
    for (uint32_t i = 0; i < 5000; i++) {
        put_format(expression, "%u: n, ", i);
    }
    put(expression, "}) > 1");
}

/* ---- Growth ---- */

static void write_texts(struct rf_text *expression, struct rf_text *record)
{
    put(record, "{\"s\":\"abc\"}");
    put(expression, "size(s");
    for (uint32_t i = 0; i < 40; i++) {
        put(expression, ".replace(\"\", \"aaaaaaaa\")");
    }
    put(expression, ") > 1");
}

static void write_constant_texts(struct rf_text *expression, struct rf_text *record)
{
    put(record, "{}");
    put(expression, "size(\"a\"");
    for (uint32_t i = 0; i < 40; i++) {
        put(expression, ".replace(\"a\", \"aaaaaaaa\")");
    }
    put(expression, ") > 1");
}

static void put_doubling(struct rf_text *expression, const char *first, const char *each, uint32_t times)
{
    put_format(expression, "cel.bind(v0, %s, ", first);
    for (uint32_t i = 1; i <= times; i++) {
        put_format(expression, "cel.bind(v%u, ", i);
        for (const char *at = each; *at != '\0'; at++) {
            put_format(expression, *at == '@' ? "v%u" : "%c", *at == '@' ? i - 1 : (uint32_t)*at);
        }
        put(expression, ", ");
    }
}

static void write_doubled_texts(struct rf_text *expression, struct rf_text *record)
{
    put(record, "{\"s\":\"abc\"}");
    put_doubling(expression, "s", "@ + @", 60);
    put(expression, "size(v60) > 1");
    put_times(expression, ")", 61);
}

static void write_doubled_lists(struct rf_text *expression, struct rf_text *record)
{
    put(record, "{\"n\":1}");
    put_doubling(expression, "[n]", "@ + @", 60);
    put(expression, "size(v60) > 1");
    put_times(expression, ")", 61);
}

/* A list that holds another one twice, sixty times over: 2^60 elements when it is written out. */
static void write_shared(struct rf_text *expression, struct rf_text *record, const char *question)
{
    put(record, "{\"n\":1}");
    put_doubling(expression, "[n]", "[@, @]", 60);
    put(expression, question);
    put_times(expression, ")", 61);
}

static void write_shared_equal(struct rf_text *expression, struct rf_text *record)
{
    write_shared(expression, record, "v60 == [v59, v59]");
}

static void write_shared_in(struct rf_text *expression, struct rf_text *record)
{
    write_shared(expression, record, "v59 in [1, v59]");
}

static void write_shared_format(struct rf_text *expression, struct rf_text *record)
{
    write_shared(expression, record, "size(\"%s\".format([v60])) > 1");
}

static void write_shared_type(struct rf_text *expression, struct rf_text *record)
{
    write_shared(expression, record, "type(v60) == list");
}

static void write_shared_optional(struct rf_text *expression, struct rf_text *record)
{
    put(record, "{\"n\":1}");
    put_doubling(expression, "[n]", "[optional.of(@), {\"a\": @}]", 60);
    put(expression, "v60 != v59");
    put_times(expression, ")", 61);
}

/* ---- Loops ---- */

static void put_loops(struct rf_text *expression, const char *range, uint32_t deep, const char *body)
{
    for (uint32_t i = 0; i < deep; i++) {
        put_format(expression, "%s.all(x%u, ", range, i);
    }
    put(expression, body);
    put_times(expression, ")", deep);
}

static void write_constant_loops(struct rf_text *expression, struct rf_text *record)
{
    put(record, "{}");
    put_loops(expression, "[0,1,2,3,4,5,6,7,8,9]", 9, "x0 + x8 < 100");
}

static void put_numbers(struct rf_text *record, uint32_t count)
{
    put(record, "{\"s\":\"abc\",\"l\":[");
    for (uint32_t i = 0; i < count; i++) {
        put_format(record, "%s%u", i == 0 ? "" : ",", i % 100);
    }
    put(record, "]}");
}

static void write_loops(struct rf_text *expression, struct rf_text *record)
{
    put_numbers(record, 500);
    put_loops(expression, "l", 4, "x0 + x3 < 1000");
}

static void write_loops_wide(struct rf_text *expression, struct rf_text *record)
{
    put_numbers(record, 100000);
    put_loops(expression, "l", 2, "x0 + x1 < 1000");
}

static void write_loops_in(struct rf_text *expression, struct rf_text *record)
{
    put_numbers(record, 100000);
    put(expression, "l.all(x, !(x + 1000 in l))");
}

static void write_loops_equal(struct rf_text *expression, struct rf_text *record)
{
    put_numbers(record, 100000);
    put(expression, "l.all(x, l == l)");
}

static void write_loops_sum(struct rf_text *expression, struct rf_text *record)
{
    put_numbers(record, 100000);
    put(expression, "l.all(x, size(l + [x]) > 1)");
}

static void write_loops_size(struct rf_text *expression, struct rf_text *record)
{
    put_numbers(record, 100000);
    put(expression, "l.all(x, size(l) > 1)");
}

static void write_loops_index(struct rf_text *expression, struct rf_text *record)
{
    put_numbers(record, 100000);
    put(expression, "l.all(i, x, l[i] == x)");
}

static void put_long_text(struct rf_text *record, uint32_t count)
{
    put_numbers(record, 20000);
    record->count--;
    put(record, ",\"t\":\"");
    put_times(record, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa ", count / 64);
    put(record, "\"}");
}

static void write_loops_contains(struct rf_text *expression, struct rf_text *record)
{
    put_long_text(record, 256 * 1024);
    put(expression, "l.all(x, !t.contains(\"b\" + string(x)))");
}

static void write_loops_matches(struct rf_text *expression, struct rf_text *record)
{
    put_long_text(record, 256 * 1024);
    put(expression, "l.all(x, !t.matches(\"[^a ]+$\"))");
}

static void write_loops_patterns(struct rf_text *expression, struct rf_text *record)
{
    put_numbers(record, 20000);
    put(expression, "l.all(i, x, !s.matches(\"(a|b|c){500}x{400}\" + string(i)))");
}

static void write_loops_split(struct rf_text *expression, struct rf_text *record)
{
    put_long_text(record, 256 * 1024);
    put(expression, "l.all(x, size(t.split(\"a\")) > 1)");
}

static void write_loops_hash(struct rf_text *expression, struct rf_text *record)
{
    put_long_text(record, 256 * 1024);
    put(expression, "l.all(x, hash.sha256(t) != \"\")");
}

static void write_loops_substring(struct rf_text *expression, struct rf_text *record)
{
    put_long_text(record, 256 * 1024);
    put(expression, "l.all(x, t.charAt(200000) != \"z\")");
}

static void write_loops_map(struct rf_text *expression, struct rf_text *record)
{
    put_numbers(record, 100000);
    put(expression, "size(l.transformMapEntry(i, x, {i: x})) > 1");
}

static void write_loops_text_map(struct rf_text *expression, struct rf_text *record)
{
    put_numbers(record, 100000);
    put(expression, "size(l.transformMapEntry(i, x, {string(i): x})) > 1");
}

/* ---- Patterns ---- */

static void put_text_record(struct rf_text *record, const char *text, uint32_t times, const char *end)
{
    put(record, "{\"s\":\"");
    put_times(record, text, times);
    put(record, end);
    put(record, "\"}");
}

static void write_regex_stars(struct rf_text *expression, struct rf_text *record)
{
    put_text_record(record, "a", 100000, "");
    put(expression, "s.matches(\"^(a*)*b$\") || s.matches(\"^(a|aa)+$b\") || s.matches(\"(x+x+)+y\")");
}

static void write_regex_counts(struct rf_text *expression, struct rf_text *record)
{
    put_text_record(record, "ab", 50000, "");
    put(expression,
        "s.matches(\"(a|b){1000}c\") || s.matches(\"[ab]*a[ab]{16}c\") || s.matches(\"(a?){500}(a){500}c\")");
}

static void write_regex_nested(struct rf_text *expression, struct rf_text *record)
{
    (void)record;
    put(expression, "s.matches(\"(((a{30}){30}){30}){30}\")");
}

static void write_regex_groups(struct rf_text *expression, struct rf_text *record)
{
    (void)record;
    put(expression, "s.matches(\"");
    put_times(expression, "(", DEEP);
    put_times(expression, ")", DEEP);
    put(expression, "\")");
}

static void write_regex_long(struct rf_text *expression, struct rf_text *record)
{
    put_text_record(record, "ab", 1000, "");
    put(expression, "s.matches(\"");
    put_times(expression, "[a-z]?", 9000);
    put(expression, "$\")");
}

static void write_regex_unicode(struct rf_text *expression, struct rf_text *record)
{
    put_text_record(record, "\xc3\xa9z", 20000, "");
    put(expression, "s.matches(\"(\\\\pL|\\\\PN|\\\\p{Greek}){900}9\")");
}

static void write_regex_computed(struct rf_text *expression, struct rf_text *record)
{
    put_text_record(record, "(a{0,100}){0,10}", 2000, "");
    put(expression, "s.matches(s)");
}

static void write_globs(struct rf_text *expression, struct rf_text *record)
{
    put_text_record(record, "a", 100000, "");
    put(expression, "glob(s, \"*a*a*a*a*a*a*a*a*a*a*a*a*a*b\")");
}

static void write_searches(struct rf_text *expression, struct rf_text *record)
{
    put_text_record(record, "a", 200000, "");
    put(expression, "s.contains(s + \"b\") || s.indexOf(s.substring(100000) + \"b\") >= 0 || s.lastIndexOf(\"b\" + "
                    "s.substring(100000)) >= 0");
}

static void write_replaces(struct rf_text *expression, struct rf_text *record)
{
    put_text_record(record, "a", 200000, "");
    put(expression, "s.replace(\"a\", s).size() > 0 || s.split(\"\").size() > 0 || s.reverse() == s");
}

static void write_formats(struct rf_text *expression, struct rf_text *record)
{
    put(record, "{\"n\":1e308}");
    put(expression, "size(\"");
    put_times(expression, "%.100f", 4000);
    put(expression, "\".format([");
    put_times(expression, "n, ", 4000);
    put(expression, "n])) > 1");
}

/* ---- Records ---- */

static void write_deep_record(struct rf_text *expression, struct rf_text *record)
{
    put_times(record, "[", 100000);
    put(expression, "msg == [] || size(msg) > 1 || msg.exists(x, x == msg)");
}

static void write_long_number(struct rf_text *expression, struct rf_text *record)
{
    put(record, "{\"n\":0.");
    put_times(record, "1234567890", 100000);
    put(record, "}");
    put(expression, "n > 0.5 || int(n) > 1 || string(n) == s");
}

static void write_number_text(struct rf_text *expression, struct rf_text *record)
{
    put_text_record(record, "1234567890", 100000, "e5");
    put(expression, "double(s) > 1.0 || int(s) > 1 || duration(s) > duration(\"1s\") || timestamp(s) > now");
}

static void write_many_members(struct rf_text *expression, struct rf_text *record)
{
    put(record, "{\"o\":{");
    for (uint32_t i = 0; i < 50000; i++) {
        put_format(record, "%s\"k%u\":%u", i == 0 ? "" : ",", i % 25000, i);
    }
    put(record, "}}");
    put(expression, "o.all(k, v, o[k] == v) && size(o) == 25000 && o == o");
}

static const struct hostile hostile_table[] = {
    {"a megabyte of operators", ENDS_REFUSED, "at most", write_megabyte},
    {"a megabyte of text", ENDS_REFUSED, "at most", write_megabyte_text},
    {"parentheses", ENDS_REFUSED, "nested deeper", write_parentheses},
    {"open parentheses", ENDS_REFUSED, "nested deeper", write_open},
    {"lists", ENDS_REFUSED, "nested deeper", write_lists},
    {"maps", ENDS_REFUSED, "nested deeper", write_maps},
    {"!", ENDS_REFUSED, "nested deeper", write_nots},
    {"-", ENDS_REFUSED, "nested deeper", write_minuses},
    {"members", ENDS_REFUSED, "nested deeper", write_members},
    {"indexes", ENDS_REFUSED, "nested deeper", write_indexes},
    {"calls", ENDS_REFUSED, "nested deeper", write_sizes},
    {"choices", ENDS_REFUSED, NULL, write_choices},
    {"macros", ENDS_REFUSED, NULL, write_macros},
    {"bindings", ENDS_REFUSED, NULL, write_binds},
    {"has()", ENDS_REFUSED, NULL, write_has},
    {"sums", ENDS_REFUSED, NULL, write_sums},
    {"optionals", ENDS_REFUSED, NULL, write_optionals},
    {"messages", ENDS_REFUSED, NULL, write_messages},
    {"alternatives", ENDS_SAME, NULL, write_alternatives},
    {"set", ENDS_SAME, NULL, write_set},
    {"big map", ENDS_SAME, NULL, write_big_map},
    {"keys", ENDS_SAME, NULL, write_twins},
    {"texts", ENDS_SAME, NULL, write_texts},
    {"constant texts", ENDS_SAME, NULL, write_constant_texts},
    {"doubled texts", ENDS_SAME, NULL, write_doubled_texts},
    {"doubled lists", ENDS_SAME, NULL, write_doubled_lists},
    {"shared: ==", ENDS_SAME, NULL, write_shared_equal},
    {"shared: in", ENDS_SAME, NULL, write_shared_in},
    {"shared: format()", ENDS_SAME, NULL, write_shared_format},
    {"shared: type()", ENDS_SAME, NULL, write_shared_type},
    {"shared: optionals", ENDS_SAME, NULL, write_shared_optional},
    {"slow: constant loops", ENDS_SAME, NULL, write_constant_loops},
    {"slow: loops", ENDS_SAME, NULL, write_loops},
    {"slow: wide loops", ENDS_SAME, NULL, write_loops_wide},
    {"slow: loops: in", ENDS_SAME, NULL, write_loops_in},
    {"slow: loops: ==", ENDS_SAME, NULL, write_loops_equal},
    {"slow: loops: +", ENDS_SAME, NULL, write_loops_sum},
    {"slow: loops: size()", ENDS_SAME, NULL, write_loops_size},
    {"slow: loops: []", ENDS_SAME, NULL, write_loops_index},
    {"slow: loops: contains()", ENDS_SAME, NULL, write_loops_contains},
    {"slow: loops: matches()", ENDS_SAME, NULL, write_loops_matches},
    {"slow: loops: patterns", ENDS_SAME, NULL, write_loops_patterns},
    {"slow: loops: split()", ENDS_SAME, NULL, write_loops_split},
    {"slow: loops: sha256()", ENDS_SAME, NULL, write_loops_hash},
    {"slow: loops: charAt()", ENDS_SAME, NULL, write_loops_substring},
    {"slow: loops: entries", ENDS_SAME, NULL, write_loops_map},
    {"slow: loops: entries of texts", ENDS_SAME, NULL, write_loops_text_map},
    {"regex: stars", ENDS_SAME, NULL, write_regex_stars},
    {"regex: counts", ENDS_SAME, NULL, write_regex_counts},
    {"regex: nested counts", ENDS_REFUSED, "regular expression", write_regex_nested},
    {"regex: groups", ENDS_REFUSED, "regular expression", write_regex_groups},
    {"regex: long", ENDS_SAME, NULL, write_regex_long},
    {"regex: Unicode", ENDS_REFUSED, "regular expression", write_regex_unicode},
    {"regex: computed", ENDS_SAME, NULL, write_regex_computed},
    {"glob", ENDS_SAME, NULL, write_globs},
    {"searches", ENDS_SAME, NULL, write_searches},
    {"replaces", ENDS_SAME, NULL, write_replaces},
    {"formats", ENDS_SAME, NULL, write_formats},
    {"deep record", ENDS_SAME, NULL, write_deep_record},
    {"long number", ENDS_SAME, NULL, write_long_number},
    {"long number as text", ENDS_SAME, NULL, write_number_text},
    {"slow: many members", ENDS_SAME, NULL, write_many_members},
};

/* An answer for each engine takes no longer than this in all. */
#define HOSTILE_NS_MAX (20 * LAB_PAIR_NS_MAX)

static bool hostile_run(const struct hostile *hostile)
{
    struct lab_case lab = {.predicates = 1, .rows_max = 128};
    struct lab_report report = {.source = 0};
    hostile->write(&lab.source[0], &lab.records);
    put(&lab.records, "\n");
    const uint64_t begin_ns = lab_cpu_ns();
    const enum lab_verdict verdict = lab_run(&lab, &report);
    const uint64_t ns = lab_cpu_ns() - begin_ns;
    const enum lab_verdict wanted = hostile->ending == ENDS_REFUSED ? LAB_REFUSED : LAB_SAME;
    const bool is_told = hostile->text == NULL || strstr(report.what, hostile->text) != NULL;
    const bool passed = verdict == wanted && is_told && ns <= HOSTILE_NS_MAX;
    printf("%s %s: %" PRIu64 " ms, interp %" PRIu64 " ms; false %" PRIu64 ", true %" PRIu64 ", error %" PRIu64 "%s%s\n",
           passed ? "ok    " : "FAILED", hostile->name, ns / 1000000, report.slowest_ns / 1000000, report.of[0],
           report.of[1], report.of[2], report.what[0] == '\0' ? "" : ": ", report.what);
    (void)fflush(stdout);
    lab_case_free(&lab);
    return passed;
}

static bool name_begins(const char *name, const char *begin)
{
    return strncmp(name, begin, strlen(begin)) == 0;
}

/* What takes a second without a sanitizer takes most of a minute with one: there it is run by its name only. */
static bool hostile_is_slow(const char *name)
{
    return LAB_SLOWER > 1 &&
           (name_begins(name, "slow") || name_begins(name, "shared") || name_begins(name, "constant texts"));
}

int main(int argc, char **argv)
{
    uint32_t passed = 0;
    uint32_t failed = 0;
    uint32_t slow = 0;
    for (size_t i = 0; i < sizeof hostile_table / sizeof hostile_table[0]; i++) {
        if (argc > 1 && !name_begins(hostile_table[i].name, argv[1])) {
            continue;
        }
        if (argc < 2 && hostile_is_slow(hostile_table[i].name)) {
            slow++;
            continue;
        }
        if (hostile_run(&hostile_table[i])) {
            passed++;
        } else {
            failed++;
        }
    }
    if (slow != 0) {
        printf("not run: %u that take too long with sanitizers: hostile NAME\n", slow);
    }
    printf("%u passed, %u failed\n", passed, failed);
    return failed == 0 ? 0 : 1;
}
