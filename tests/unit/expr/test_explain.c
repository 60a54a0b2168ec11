#include "expr_fixture.h"

static void explains(const char *const *predicates, uint32_t count, const struct rf_str *projections,
                     uint32_t projection_count, const char *wanted)
{
    struct rf_str source[4];
    struct rf_compiled compiled;
    struct rf_diagnostic diagnostic;
    struct rf_error err = {0};
    struct rf_text out = {0};
    uint32_t failed;
    for (uint32_t i = 0; i < count; i++) {
        source[i] = rf_str_of(predicates[i]);
    }
    fixture_ok(rf_compile(source, count, projections, projection_count, (struct rf_compile_options){0}, &compiled,
                          &diagnostic, &failed, &err),
               &err);
    fixture_ok(rf_explain(&compiled, &out, &err), &err);
    fixture_ok(rf_text_append_char(&out, '\0', &err), &err);
    assert_string_equal(out.data, wanted);
    rf_text_free(&out);
    rf_compiled_close(&compiled);
}

static void test_rf_explain(void **state)
{
    static const char *const predicates[] = {
        "price > 400 + 10 && symbol in ['MSFT', 'A/B'] || lower == tag.lowerAscii() + symbol || (tag.matches(lower))"};
    (void)state;
    explains(predicates, 1, NULL, 0,
             "expressions\n"
             "  predicate 0: msg.price > 410 && msg.symbol in [\"MSFT\", \"A/B\"] || "
             "msg.lower == msg.tag.lowerAscii() + msg.symbol || matches(msg.tag, msg.lower)\n"
             "    type     bool\n"
             "    written  price > 400 + 10 && symbol in ['MSFT', 'A/B'] || lower == tag.lowerAscii() + symbol || "
             "(tag.matches(lower))\n"
             "\n"
             "slots: what is read from each record\n"
             "  s0   msg.price                    any JSON value; read by a0\n"
             "  s1   msg.symbol                   any JSON value, checked to the bottom; read by a1, c1; by the host\n"
             "  s2   msg.lower                    any JSON value, checked to the bottom; read by a2; by the host\n"
             "  s3   msg.tag                      any JSON value; read by c0; by the host\n"
             "\n"
             "computed: columns that functions make, before the atoms that read them\n"
             "  c0   lowerAscii(s3)               vector\n"
             "  c1   c0 + s1                      vector\n"
             "\n"
             "atoms: what is tested, once for all predicates\n"
             "  a0   msg.price > 410              vector (number)\n"
             "  a1   msg.symbol in [\"A/B\", \"MSFT\"] vector (in)\n"
             "  a2   msg.lower == c1              vector (slots); host: only rows where a value has no vector form\n"
             "  a3   matches(msg.tag, msg.lower)  host: the pattern is no constant, at 1:88 (tag.matches(lower))\n"
             "\n"
             "program: true, false or error for 64 records at a time\n"
             "  r0   = atom a0\n"
             "  r1   = atom a1\n"
             "  r2   = and r0 r1\n"
             "  r3   = atom a2\n"
             "  r4   = or r2 r3\n"
             "  r5   = atom a3\n"
             "  r6   = or r4 r5\n"
             "  predicate 0 is r6\n"
             "\n"
             "prefilter\n"
             "  none: no text must stand in every selected record\n");
}

static void test_every_atom(void **state)
{
    static const char *const predicates[] = {
        "ok && has(a.b) && x == null && y == true && s < 'm' && bid >= ask && s.startsWith('ab') && s.endsWith('c') "
        "&& s.contains('d') && size(s) > 3 && price * qty > 5 && z in [null, false, 1.5, 'q']",
        "!ok", "record.key == 'x' || raw.contains('\\n')"};
    const struct rf_str projections[] = {RF_STR("{'id': id}")};
    (void)state;
    explains(predicates, 3, projections, 1,
             "expressions\n"
             "  predicate 0: msg.ok && has(msg.a.b) && msg.x == null && msg.y == true && msg.s < \"m\" && msg.bid >= "
             "msg.ask && msg.s.startsWith(\"ab\") && msg.s.endsWith(\"c\") && msg.s.contains(\"d\") && size(msg.s) > 3 "
             "&& msg.price * msg.qty > 5 && msg.z in [null, false, 1.5, \"q\"]\n"
             "    type     bool\n"
             "    written  ok && has(a.b) && x == null && y == true && s < 'm' && bid >= ask && s.startsWith('ab') && "
             "s.endsWith('c') && s.contains('d') && size(s) > 3 && price * qty > 5 && z in [null, false, 1.5, 'q']\n"
             "  predicate 1: !msg.ok\n"
             "    type     bool\n"
             "    written  !ok\n"
             "  predicate 2: record.key == \"x\" || raw.contains(\"\\x0a\")\n"
             "    type     bool\n"
             "    written  record.key == 'x' || raw.contains('\\n')\n"
             "  projection 0: {\"id\": msg.id}\n"
             "    type     map\n"
             "    written  {'id': id}\n"
             "    made     by the host, for selected records\n"
             "\n"
             "slots: what is read from each record\n"
             "  s0   msg.ok                       any JSON value; read by a0\n"
             "  s1   msg.a                        step only\n"
             "  s2   msg.a.b                      any JSON value; read by a1\n"
             "  s3   msg.x                        any JSON value; read by a2\n"
             "  s4   msg.y                        any JSON value; read by a3\n"
             "  s5   msg.s                        any JSON value, checked to the bottom; read by a4, a6, a7, a8, a9; "
             "by the host\n"
             "  s6   msg.bid                      any JSON value; read by a5\n"
             "  s7   msg.ask                      any JSON value; read by a5\n"
             "  s8   msg.price                    any JSON value; read by a10; by the host\n"
             "  s9   msg.qty                      any JSON value; read by a10; by the host\n"
             "  s10  msg.z                        any JSON value; read by a11\n"
             "  s11  record.key                   absent in this input: an error when used\n"
             "  s12  raw                          string; read by a12\n"
             "  s13  msg.id                       any JSON value, checked to the bottom; by projections\n"
             "\n"
             "atoms: what is tested, once for all predicates\n"
             "  a0   msg.ok                       vector (truth)\n"
             "  a1   has(msg.a.b)                 vector (has)\n"
             "  a2   msg.x == null                vector (== null)\n"
             "  a3   msg.y == true                vector (bool)\n"
             "  a4   msg.s < \"m\"                  vector (string)\n"
             "  a5   msg.ask <= msg.bid           vector (slots)\n"
             "  a6   msg.s.startsWith(\"ab\")       vector (startsWith)\n"
             "  a7   msg.s.endsWith(\"c\")          vector (endsWith)\n"
             "  a8   msg.s.contains(\"d\")          vector (contains)\n"
             "  a9   size(msg.s) > 3              vector (size); host: only rows where a value has no vector form\n"
             "  a10  msg.price * msg.qty > 5      vector (arithmetic); host: only rows where an operand is no plain "
             "number\n"
             "  a11  msg.z in [null, false, 1.5, \"q\"] vector (in)\n"
             "  a12  raw.contains(\"\\x0a\")         vector (contains)\n"
             "\n"
             "program: true, false or error for 64 records at a time\n"
             "  r0   = atom a0\n"
             "  r1   = atom a1\n"
             "  r2   = and r0 r1\n"
             "  r3   = atom a2\n"
             "  r4   = atom a3\n"
             "  r5   = and r3 r4\n"
             "  r6   = and r2 r5\n"
             "  r7   = atom a4\n"
             "  r8   = atom a5\n"
             "  r9   = and r7 r8\n"
             "  r10  = atom a6\n"
             "  r11  = atom a7\n"
             "  r12  = and r10 r11\n"
             "  r13  = and r9 r12\n"
             "  r14  = and r6 r13\n"
             "  r15  = atom a8\n"
             "  r16  = atom a9\n"
             "  r17  = and r15 r16\n"
             "  r18  = atom a10\n"
             "  r19  = atom a11\n"
             "  r20  = and r18 r19\n"
             "  r21  = and r17 r20\n"
             "  r22  = and r14 r21\n"
             "  r23  = not r0\n"
             "  r24  = error\n"
             "  r25  = atom a12\n"
             "  r26  = or r24 r25\n"
             "  predicate 0 is r22\n"
             "  predicate 1 is r23\n"
             "  predicate 2 is r26\n"
             "\n"
             "prefilter\n"
             "  none: several predicates share the pass\n");
}

static const char *explained(const char *const *predicates, uint32_t count, const char *projection)
{
    static char text[8192];
    const struct rf_str source[] = {rf_str_of(predicates[0]), count > 1 ? rf_str_of(predicates[1]) : RF_STR("")};
    const struct rf_str selected = rf_str_of(projection == NULL ? "" : projection);
    struct rf_compiled compiled;
    struct rf_diagnostic diagnostic;
    struct rf_error err = {0};
    struct rf_text out = {0};
    uint32_t failed;
    fixture_ok(rf_compile(source, count, &selected, projection != NULL, (struct rf_compile_options){0}, &compiled,
                          &diagnostic, &failed, &err),
               &err);
    fixture_ok(rf_explain(&compiled, &out, &err), &err);
    assert_true(out.count < sizeof text);
    memcpy(text, out.data, out.count);
    text[out.count] = '\0';
    rf_text_free(&out);
    rf_compiled_close(&compiled);
    return text;
}

static void assert_says(const char *text, const char *line)
{
    if (strstr(text, line) == NULL) {
        fail_msg("no %s in\n%s", line, text);
    }
}

/* The innermost node without a form is named, where it stands, in the source of its own predicate. */
static void test_obstacles(void **state)
{
    (void)state;
    static const char *const nested[] = {"a > 1 ||\n  !['x', b + string(c.matches(d   + 'y'))].exists(q, q == 'x')"};
    assert_says(explained(nested, 1, NULL), "host: the pattern is no constant, at 2:21 c.matches(d + 'y')\n");
    static const char *const two[] = {"a.matches(b) || c > 1",
                                      "c > 1 && (d != e.replace(f.matches(g) ? 'x' : 'y', '') || a.matches(b))"};
    const char *text = explained(two, 2, NULL);
    assert_says(
        text,
        "  a0   matches(msg.a, msg.b)        host: the pattern is no constant, at predicate 0, 1:1 a.matches(b)\n");
    assert_says(text, "host: the pattern is no constant, at predicate 1, 1:26 f.matches(g)\n");
    static const char *const unequal[] = {"true && (a.matches(b)) != (c.matches(d))"};
    assert_says(explained(unequal, 1, NULL), "host: the pattern is no constant, at 1:9 (a.matches(b))\n");
    static const char *const long_one[] = {"a.matches('xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' + b)"};
    assert_says(explained(long_one, 1, NULL), ", at 1:1 a.matches('xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...\n");
}

/* Who makes a selected value; the source as written, whatever was folded away. */
static void test_projections(void **state)
{
    (void)state;
    static const char *const predicate[] = {"true && (a\n > 1)"};
    const char *text = explained(predicate, 1, "(true ? b : c)");
    assert_says(text, "    written  true && (a  > 1)\n");
    assert_says(text, "  projection 0: msg.b\n    type     dyn\n    written  (true ? b : c)\n"
                      "    made     from s1, for selected records; lists and maps by the host\n");
    assert_says(explained(predicate, 1, "b + 1"), "    made     by the host, for selected records\n");
}

/* Where a record stands can't be told of what is left when others are passed over: explain says that none is. */
static void test_prefilter_place(void **state)
{
    static const char *const source[] = {"record.number > 1 && b == 'longer'", "record.offset > 1 && b == 'longer'"};
    (void)state;
    for (size_t i = 0; i < sizeof(source) / sizeof(source[0]); i++) {
        struct rf_compiled compiled;
        struct rf_error err = {0};
        struct rf_text out = {0};
        fixture_compile(&compiled, source[i]);
        assert_int_equal(compiled.program.groups, 0);
        fixture_ok(rf_explain(&compiled, &out, &err), &err);
        fixture_ok(rf_text_append_char(&out, '\0', &err), &err);
        assert_non_null(strstr(out.data, "prefilter\n  none: record.number or record.offset is asked for"));
        rf_text_free(&out);
        rf_compiled_close(&compiled);
    }
}

static void test_prefilter_text(void **state)
{
    struct rf_compiled compiled;
    struct rf_error err = {0};
    struct rf_text out = {0};
    (void)state;
    fixture_compile(&compiled, "a in ['xy', 'z\\u00e9'] && b == 'longer'");
    fixture_ok(rf_explain(&compiled, &out, &err), &err);
    fixture_ok(rf_text_append_char(&out, '\0', &err), &err);
    assert_non_null(strstr(out.data, "prefilter\n  a selected record holds \"longer\"\n  and holds \"xy\" or "
                                     "\"z\xc3\xa9\"\n  other records are skipped unread"));
    rf_text_free(&out);
    rf_compiled_close(&compiled);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_explain),     cmocka_unit_test(test_every_atom),
        cmocka_unit_test(test_obstacles),      cmocka_unit_test(test_projections),
        cmocka_unit_test(test_prefilter_text), cmocka_unit_test(test_prefilter_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
