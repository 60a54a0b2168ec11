#include "rules_fixture.h"

#include "interp.h"
#include "node_text.h"

/* The folded trees of all rules, one on a line. */
static void trees_are(const char *source, const char *wanted)
{
    struct fixture_rules f;
    struct rf_text all = {0};
    struct rf_error err;
    fixture_compile(&f, source, NULL);
    fixture_rules_are(&f, "");
    assert_int_equal(f.program.rules, f.rules->rules);
    assert_int_equal(f.program.compiled.program.predicates, f.rules->rules);
    for (uint32_t r = 0; r < f.rules->rules; r++) {
        assert_int_equal(rf_node_write(&all, f.program.compiled.predicate[r], &err), RF_OK);
        assert_int_equal(rf_text_append_char(&all, '\n', &err), RF_OK);
    }
    fixture_text_is(rf_text_str(&all), wanted);
    rf_text_free(&all);
    fixture_close(&f);
}

static void test_rf_rules_compile(void **state)
{
    (void)state;
    trees_are("rules: [{name: a, when: x > 1}, {name: b, when: y == 'z'}]", "msg.x > 1\nmsg.y == \"z\"\n");
    trees_are("let: {big: qty > 1 + 1, both: 'big && price > 1'}\nrules: [{name: a, when: '!both || big'}]",
              "!(msg.qty > 2 && msg.price > 1) || msg.qty > 2\n");
    trees_are("rules: [{name: a, when: x > t + t && y == s, sweep: {t: [1, 2.5], s: [u, true]}}]",
              "msg.x > 2 && msg.y == \"u\"\nmsg.x > 2 && msg.y == true\nmsg.x > 5.0 && msg.y == \"u\"\nmsg.x > 5.0 && msg.y == true\n");
    trees_are("rules: [{name: a, when: 'on && x > 1', sweep: {on: [true, false]}}]", "msg.x > 1\nfalse\n");
    trees_are("rules: [{name: a, when: s.matches(p), sweep: {p: ['a+', 'b+']}}]",
              "matches(msg.s, \"a+\")\nmatches(msg.s, \"b+\")\n");
    trees_are("rules: [{name: a, when: 'items.exists(i, i > t && has(msg.x))', sweep: {t: [1]}}]",
              "msg.items.exists(i, i > 1 && has(msg.x))\n");
    trees_are("rules: [{name: a, when: 'duration(d) > duration(\"1s\") && x', sweep: {d: [5s]}}]", "true && msg.x\n");
}

/* Variants share what they have in common: each threshold is one comparison, `big` is one. */
static void test_rf_rules_compile_shares(void **state)
{
    struct fixture_rules f;
    (void)state;
    fixture_compile(&f, "let: {big: qty > 500}\nrules: [{name: a, when: 'price > t && size >= q && big', sweep: {t: {from: 1, to: 100}, "
                        "q: {from: 1, to: 100}}}]",
                    NULL);
    fixture_rules_are(&f, "");
    assert_int_equal(f.program.rules, 10000);
    assert_int_equal(f.program.compiled.program.atoms, 201);
    assert_int_equal(f.program.compiled.program.slots, 3);
    fixture_close(&f);
}

/* A subject set is one computation, however many rules use it, alone and in a let. */
static void test_rf_rules_compile_shares_subjects(void **state)
{
    struct fixture_rules f;
    (void)state;
    fixture_compile(&f,
                    "subjects: {eu: {of: topic, match: ['ord.eu.>', 'ord.*.eu']}}\n"
                    "let: {mine: eu && qty > 5}\n"
                    "rules:\n"
                    "- {name: a, when: 'eu && price > t', sweep: {t: {from: 1, to: 1000}}}\n"
                    "- {name: b, when: 'mine || price > t', sweep: {t: {from: 1, to: 1000}}}\n",
                    NULL);
    fixture_rules_are(&f, "");
    assert_int_equal(f.program.rules, 2000);
    assert_int_equal(f.program.compiled.program.calcs, 1);
    assert_int_equal(f.program.compiled.program.atoms, 1002); /* thresholds, qty and the set */
    fixture_close(&f);
}

static void test_rf_rules_compile_keys(void **state)
{
    static const struct rf_str projection[] = {{"ts", 2}, {"price * 2", 9}};
    static const struct rf_str predicate[] = {{"symbol == 'X'", 13}};
    static const struct rf_rules_extra extra = {
        .predicate = predicate, .predicates = 1, .projection = projection, .projections = 2};
    struct fixture_rules f;
    (void)state;
    fixture_compile(&f, "rules:\n"
                        "- {name: a, when: x > 1, per: symbol}\n"
                        "- {name: b, when: x > 2}\n"
                        "- {name: c, when: x > t, per: 'symbol + s', sweep: {t: [1, 2], s: [u, v]}}\n"
                        "- {name: d, when: x > 1, per: msg.symbol}\n",
                    &extra);
    fixture_rules_are(&f, "");
    const uint32_t wanted[] = {2, RF_NONE, 3, 4, 3, 4, 2};
    assert_int_equal(f.program.rules, 7);
    assert_memory_equal(f.program.per, wanted, sizeof wanted);
    assert_int_equal(f.program.keys, 3);
    assert_int_equal(f.program.key_begin, 2);
    assert_int_equal(f.program.time, RF_NONE);
    assert_int_equal(f.program.compiled.projections, 5);
    assert_int_equal(f.program.compiled.program.predicates, 8);
    fixture_text_is(f.program.compiled.source[7], "symbol == 'X'");
    fixture_text_is(f.program.compiled.source[8], "ts");
    fixture_text_is(f.program.compiled.source[10], "symbol");
    fixture_close(&f);
}

/* The event time stands before the keys: what the caller gives, else what the file says, else the caller's standard. */
static void test_rf_rules_compile_time(void **state)
{
    static const char with_time[] = "let: {at: ts + 1}\ntime: at\nrules: [{name: a, when: x > 1, per: symbol}]";
    static const char without[] = "rules: [{name: a, when: x > 1, per: symbol}]";
    static const struct {
        const char *file;
        struct rf_rules_extra extra;
        const char *time;
    } cases[] = {
        {with_time, {.is_time_standard = false}, "at"},
        {with_time, {.time = {"sent", 4}}, "sent"},
        {with_time, {.time = {"sent", 4}, .is_time_standard = true}, "at"},
        {without, {.time = {"sent", 4}, .is_time_standard = true}, "sent"},
        {without, {.is_time_standard = false}, NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fixture_rules f;
        fixture_compile(&f, cases[i].file, &cases[i].extra);
        fixture_rules_are(&f, "");
        assert_int_equal(f.program.time, cases[i].time == NULL ? RF_NONE : 0);
        assert_int_equal(f.program.key_begin, cases[i].time != NULL);
        assert_int_equal(f.program.per[0], f.program.key_begin);
        assert_int_equal(f.program.keys, 1);
        if (cases[i].time != NULL) {
            fixture_text_is(f.program.compiled.source[1], cases[i].time);
        }
        fixture_close(&f);
    }
    const struct rf_rules_extra given = {.time = {"sent", 4}};
    const struct rf_rules_extra wrong = {.time = {"sent +", 6}};
    struct fixture_rules f;
    fixture_compile(&f, "time: size(1)\nrules: [{name: a, when: x > 1}]", &given);
    fixture_rules_are(&f, "1:7 key 'time': size() does not take (int)\n");
    fixture_close(&f);
    fixture_compile(&f, without, &wrong);
    assert_int_equal(f.status, RF_E_EXPR);
    assert_int_equal(f.failed, 0);
    fixture_close(&f);
}

static void test_rf_rules_compile_extra_fails(void **state)
{
    static const struct rf_str projection[] = {{"ts", 2}, {"ts +", 4}};
    static const struct rf_str predicate[] = {{"x", 1}, {"5", 1}};
    static const struct rf_rules_extra bad_projection = {
        .predicate = predicate, .predicates = 1, .projection = projection, .projections = 2};
    static const struct rf_rules_extra bad_predicate = {
        .predicate = predicate, .predicates = 2, .projection = projection, .projections = 1};
    struct fixture_rules f;
    (void)state;
    fixture_compile(&f, "rules: [{name: a, when: x > 1}]", &bad_projection);
    assert_int_equal(f.status, RF_E_EXPR);
    assert_int_equal(f.failed, 2);
    fixture_close(&f);
    fixture_compile(&f, "rules: [{name: a, when: x > 1}]", &bad_predicate);
    assert_int_equal(f.status, RF_E_EXPR);
    assert_int_equal(f.failed, 1);
    fixture_close(&f);
}

/* Each variant gives what its text would give by itself, as the interpreter has it. */
static void test_rf_rules_compile_values(void **state)
{
    static const char *const record[] = {"{\"x\":1,\"l\":[1,2]}", "{\"x\":2.5}", "{\"x\":\"a\",\"l\":[\"a\"]}", "{\"l\":[]}"};
    static const enum rf_truth wanted[4][6] = {
        /* x > 1 || l.exists(...) for t = 1, 2.5, a; then the same negated */
        {RF_TRUTH_TRUE, RF_TRUTH_ERROR, RF_TRUTH_ERROR, RF_TRUTH_FALSE, RF_TRUTH_ERROR, RF_TRUTH_ERROR},
        {RF_TRUTH_TRUE, RF_TRUTH_ERROR, RF_TRUTH_ERROR, RF_TRUTH_FALSE, RF_TRUTH_ERROR, RF_TRUTH_ERROR},
        {RF_TRUTH_ERROR, RF_TRUTH_ERROR, RF_TRUTH_TRUE, RF_TRUTH_ERROR, RF_TRUTH_ERROR, RF_TRUTH_FALSE},
        {RF_TRUTH_ERROR, RF_TRUTH_ERROR, RF_TRUTH_ERROR, RF_TRUTH_ERROR, RF_TRUTH_ERROR, RF_TRUTH_ERROR},
    };
    struct fixture_rules f;
    struct rf_interp *interp;
    struct rf_malformed malformed;
    (void)state;
    fixture_compile(&f, "let: {some: 'l.exists(i, i == 1)'}\n"
                        "rules:\n"
                        "- {name: a, when: 'x > t || l.exists(i, i == t)', sweep: {t: [1, 2.5, a]}}\n"
                        "- {name: b, when: '!(x > t || l.exists(i, i == t))', sweep: {t: [1, 2.5, a]}}\n",
                    NULL);
    fixture_rules_are(&f, "");
    assert_int_equal(rf_interp_open(&interp, &f.program.compiled, (struct rf_interp_options){.depth_max = 10}, &f.err), RF_OK);
    for (size_t i = 0; i < 4; i++) {
        const struct rf_record input = {.text = rf_str_of(record[i])};
        assert_int_equal(rf_interp_read(interp, &input, &malformed, &f.err), RF_OK);
        for (uint32_t r = 0; r < 6; r++) {
            struct rf_compiled alone;
            struct rf_interp *other;
            char text[128];
            const struct rf_str t = rf_rules_value(f.rules, r, 0)->text;
            const char *quote = r % 3 == 2 ? "'" : "";
            (void)snprintf(text, sizeof text, "%s(x > %s%.*s%s || l.exists(i, i == %s%.*s%s))", r < 3 ? "" : "!", quote,
                           RF_STR_ARG(t), quote, quote, RF_STR_ARG(t), quote);
            const struct rf_str source = rf_str_of(text);
            assert_int_equal(rf_compile(&source, 1, NULL, 0, (struct rf_compile_options){0}, &alone, &f.diagnostic,
                                        &f.failed, &f.err),
                             RF_OK);
            assert_int_equal(rf_interp_open(&other, &alone, (struct rf_interp_options){.depth_max = 10}, &f.err), RF_OK);
            assert_int_equal(rf_interp_read(other, &input, &malformed, &f.err), RF_OK);
            const enum rf_truth truth = rf_interp_predicate(interp, r);
            assert_int_equal(truth, rf_interp_predicate(other, 0));
            if (i == 0 && r % 3 == 0) {
                assert_int_equal(truth, wanted[i][r]);
            }
            rf_interp_close(other);
            rf_compiled_close(&alone);
        }
    }
    rf_interp_close(interp);
    fixture_close(&f);
}

static void problems_are(const char *source, const char *wanted)
{
    struct fixture_rules f;
    fixture_compile(&f, source, NULL);
    fixture_rules_are(&f, wanted);
    fixture_close(&f);
}

static void test_rf_rules_compile_problems(void **state)
{
    (void)state;
    problems_are("rules:\n- name: a\n  when: x > 1 && startswith(y)\n- name: b\n  when: |\n    x > 1 &&\n      y >>\n- name: c\n  when: \"x == \\\"a\\\" ! y\"\n"
                 "- name: d\n  when: 5\n- name: e\n  when: x\n  per: symbol +\n",
                 "3:18 rule 'a': undeclared function 'startswith' (did you mean 'startsWith'?)\n"
                 "7:10 rule 'b': expected a value, found '>'\n"
                 "9:21 rule 'c': expected an operator, found '!'\n"
                 "11:9 rule 'd': a predicate must be a bool, not int: compare it with something\n"
                 "14:16 rule 'e': expected a value, found the end of the expression\n");
    /* One problem of a sweep is told once, for the first variant that has it. */
    problems_are("rules:\n- {name: a, when: '1 < t', sweep: {t: [1, 2, x, y]}}\n",
                 "2:20 rule 'a{t=x}': no such operator: int < string\n");
    problems_are("rules:\n- {name: a, when: 's.matches(p)', sweep: {p: [a, '(', ')']}}\n",
                 "2:30 rule 'a{p=\"(\"}': bad regular expression: missing closing ) (byte 1 of the pattern)\n");
    problems_are("rules:\n- {name: a, when: x > t, sweep: {t: [1], u: [1], v: [2]}, per: v}\n",
                 "2:42 rule 'a': neither 'when' nor 'per' uses the parameter 'u'\n");
    problems_are("rules:\n- {name: a, when: 'l.exists(t, t > 1)', sweep: {t: [1]}}\n",
                 "2:29 rule 'a': the variable 't' would hide what this name is defined as; rename it\n");
    /* Problems of the file and of its expressions together. */
    problems_are("rules:\n- {name: a, when: x >, cooldwn: 5s}\n- {name: b, when: y >, sweep: {t: []}}\n",
                 "2:24 unknown key 'cooldwn' of a rule (did you mean 'cooldown'?)\n"
                 "3:35 'values' has 0 entries: 1 to 1000000 are allowed\n"
                 "2:22 rule 'a': expected a value, found the end of the expression\n"
                 "3:22 rule 'b': expected a value, found the end of the expression\n");
}

static void test_rf_rules_compile_lets(void **state)
{
    (void)state;
    problems_are("let: {a: b > 1, b: 'b > 1 || a'}\nrules: [{name: r, when: a}]",
                 "1:10 let 'a': 'b' is defined here or behind this: a let uses only those before it, so that none is part of itself\n"
                 "1:21 let 'b': 'b' is defined here or behind this: a let uses only those before it, so that none is part of itself\n");
    /* Whoever uses what is wrong is not told about it once more. */
    problems_are("let: {a: 1 + 'x', b: 'a > 1'}\nrules: [{name: r, when: a && b}]", "1:10 let 'a': no such operator: int + string\n");
    problems_are("let: {a: '1 < 2', b: 'x && a'}\nrules: [{name: r, when: b + 1 > 2}]", "2:25 rule 'r': no such operator: bool + int\n");
    problems_are("let: {a: \"size(x) > 1\"}\nrules: [{name: r, when: 'a.b > 1'}]", "2:26 rule 'r': bool has no fields\n");
}

static enum rf_status rules_of(uint32_t count, struct fixture_rules *f)
{
    char source[160];
    (void)snprintf(source, sizeof source, "rules: [{name: a, when: x > t, sweep: {t: {from: 1, to: %u}}}]", count);
    fixture_compile(f, source, NULL);
    return f->status;
}

static void test_rf_rules_compile_many(void **state)
{
    struct fixture_rules f;
    (void)state;
    assert_int_equal(rules_of(100000, &f), RF_OK);
    assert_int_equal(f.program.compiled.program.atoms, 100000);
    assert_int_equal(f.program.compiled.program.predicates, 100000);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_rules_compile),        cmocka_unit_test(test_rf_rules_compile_shares),
        cmocka_unit_test(test_rf_rules_compile_shares_subjects), cmocka_unit_test(test_rf_rules_compile_keys), cmocka_unit_test(test_rf_rules_compile_time),   cmocka_unit_test(test_rf_rules_compile_extra_fails),
        cmocka_unit_test(test_rf_rules_compile_values), cmocka_unit_test(test_rf_rules_compile_problems),
        cmocka_unit_test(test_rf_rules_compile_lets),   cmocka_unit_test(test_rf_rules_compile_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
