#include "rules_fixture.h"

static void problems_are(const char *source, const char *wanted)
{
    struct fixture_rules f;
    fixture_read(&f, source);
    fixture_rules_are(&f, wanted);
    fixture_close(&f);
}

static void names_are(const char *source, const char *wanted)
{
    struct fixture_rules f;
    struct rf_text all = {0};
    struct rf_error err;
    fixture_read(&f, source);
    fixture_rules_are(&f, "");
    for (uint32_t r = 0; r < f.rules->rules; r++) {
        assert_int_equal(rf_text_printf(&all, &err, "%.*s ", RF_STR_ARG(f.rules->rule[r].name)), RF_OK);
        assert_int_equal(rf_rules_find(f.rules, f.rules->rule[r].name), r);
    }
    fixture_text_is(rf_text_str(&all), wanted);
    rf_text_free(&all);
    fixture_close(&f);
}

static void test_rf_rules_read(void **state)
{
    struct fixture_rules f;
    (void)state;
    fixture_read(&f, "rules:\n"
                     "  - name: a\n"
                     "    when: x > 1\n"
                     "  - name: b\n"
                     "    when: x > t\n"
                     "    sweep: {t: [1, 2.50], u: {from: 0.1, to: 0.3, step: 0.1}}\n"
                     "    tags: [equities, eu]\n"
                     "    per: symbol\n"
                     "    cooldown: 5s\n"
                     "    first: true\n"
                     "    every: 3\n"
                     "    changed: true\n"
                     "    count: {more_than: 3, within: 10s, window: tumbling}\n");
    fixture_rules_are(&f, "");
    const struct rf_rules *rules = f.rules;
    assert_int_equal(rules->sources, 2);
    assert_int_equal(rules->rules, 7);
    assert_true(rules->needs_state);
    assert_int_equal(rules->source[0].rule_end, 1);
    assert_int_equal(rules->source[0].state.cooldown_ns, 0);
    assert_int_equal(rules->source[1].rule_begin, 1);
    assert_int_equal(rules->source[1].rule_end, 7);
    assert_int_equal(rules->source[1].tags, 2);
    fixture_text_is(rules->source[1].tag[1], "eu");
    fixture_text_is(rules->source[1].per.text, "symbol");
    const struct rf_rule_state *s = &rules->source[1].state;
    assert_int_equal(s->cooldown_ns, 5000000000);
    assert_true(s->is_first && s->is_changed && s->has_count);
    assert_int_equal(s->every, 3);
    assert_int_equal(s->count_more_than, 3);
    assert_int_equal(s->count_within_ns, 10000000000);
    assert_int_equal(s->count_window, RF_WINDOW_TUMBLING);
    fixture_text_is(rules->rule[3].name, "b{t=1,u=0.3}");
    fixture_text_is(rules->rule[4].name, "b{t=2.50,u=0.1}");
    assert_int_equal(rules->rule[4].source, 1);
    const struct rf_rule_value *t = rf_rules_value(rules, 4, 0);
    const struct rf_rule_value *u = rf_rules_value(rules, 3, 1);
    assert_int_equal(t->value.type, RF_TYPE_DOUBLE);
    assert_true(t->value.exact.as.d == 2.5);
    assert_int_equal(u->value.type, RF_TYPE_DOUBLE);
    assert_true(u->value.exact.as.d == 0.3);
    assert_int_equal(rf_rules_value(rules, 1, 0)->value.type, RF_TYPE_INT);
    assert_int_equal(rf_rules_find(rules, RF_STR("b")), RF_NONE);
    assert_int_equal(rf_rules_find(rules, RF_STR("c")), RF_NONE);
    fixture_close(&f);
}

#define SWEEP(text) "rules: [{name: a, when: x, sweep: " text "}]"

static void test_rf_sweep_values(void **state)
{
    (void)state;
    names_are(SWEEP("{t: [1, -2, 0.10, 1e3, true, x, 'a b', '5', \"q\\\"\", 'x{y,z=1}']}"),
              "a{t=1} a{t=-2} a{t=0.10} a{t=1e3} a{t=true} a{t=x} a{t=\"a b\"} a{t=\"5\"} a{t=\"q\\\"\"} a{t=\"x{y,z=1}\"} ");
    names_are(SWEEP("{t: {from: 0.1, to: 1.1, step: 0.1}}"),
              "a{t=0.1} a{t=0.2} a{t=0.3} a{t=0.4} a{t=0.5} a{t=0.6} a{t=0.7} a{t=0.8} a{t=0.9} a{t=1} a{t=1.1} ");
    names_are(SWEEP("{t: {from: 5, to: 1, step: -2}}"), "a{t=5} a{t=3} a{t=1} ");
    names_are(SWEEP("{t: {from: 1, to: 4}}"), "a{t=1} a{t=2} a{t=3} a{t=4} ");
    names_are(SWEEP("{t: {from: 1, to: 4.9, step: 2}}"), "a{t=1} a{t=3} ");
    names_are(SWEEP("{t: {from: 1, to: 1, step: -3}}"), "a{t=1} ");
    names_are(SWEEP("{t: {from: -0.5, to: 0.5, step: 0.5}}"), "a{t=-0.5} a{t=0} a{t=0.5} ");
    names_are(SWEEP("{t: {values: [1, 2]}, u: [x, y]}"), "a{t=1,u=x} a{t=1,u=y} a{t=2,u=x} a{t=2,u=y} ");
    names_are(SWEEP("{t: {from: 0.000000001, to: 0.000000002, step: 0.000000001}}"), "a{t=0.000000001} a{t=0.000000002} ");
}

static void test_rf_sweep_values_refused(void **state)
{
    (void)state;
    problems_are(SWEEP("{}"), "1:35 'sweep' has 0 entries: 1 to 32 are allowed\n");
    problems_are(SWEEP("{t: []}"), "1:39 'values' has 0 entries: 1 to 1000000 are allowed\n");
    problems_are(SWEEP("{t: {}}"), "1:39 a sweep parameter needs 'values', or 'from' and 'to'\n");
    problems_are(SWEEP("{t: {from: 1}}"), "1:39 a sweep parameter needs 'values', or 'from' and 'to'\n");
    problems_are(SWEEP("{t: {from: 1, to: 2, values: [1]}}"),
                 "1:39 a sweep parameter has either values, or from, to and step\n");
    problems_are(SWEEP("{t: {from: 1, to: 2, step: 0}}"), "1:62 'step' is 0: the range would never end\n");
    problems_are(SWEEP("{t: {from: 1, to: 2, step: -1}}"), "1:62 from 1 the step -1 never comes to 2\n");
    problems_are(SWEEP("{t: {from: 2, to: 1}}"), "1:39 from 2 the step 1 never comes to 1\n");
    problems_are(SWEEP("{t: {from: 1, to: x}}"),
                 "1:53 'to' is a decimal such as 0.1, with at most 9 digits behind the point and 18 in all\n");
    problems_are(SWEEP("{t: {from: 1e3, to: 2000}}"),
                 "1:46 'from' is a decimal such as 0.1, with at most 9 digits behind the point and 18 in all\n");
    problems_are(SWEEP("{t: {from: 1, to: 2, step: 0.0000000001}}"),
                 "1:62 'step' is a decimal such as 0.1, with at most 9 digits behind the point and 18 in all\n");
    problems_are(SWEEP("{t: [1, 2, 1]}"), "1:46 the value 1 is there twice\n");
    problems_are(SWEEP("{t: [x, 'x']}"), "1:44 the value x is there twice\n");
    problems_are(SWEEP("{t: [null]}"), "1:40 a value of a sweep is a number, true, false or a text, not nothing\n");
    problems_are(SWEEP("{t: [[1]]}"), "1:40 a value of a sweep is a number, true, false or a text, not a list\n");
    problems_are(SWEEP("{t: [9223372036854775808]}"), "1:40 the number is beyond 64 bits\n");
    problems_are(SWEEP("{t: [1e999]}"), "1:40 the number is beyond 64 bits\n");
    problems_are(SWEEP("{msg: [1]}"), "1:36 'msg' cannot be defined: expressions have it already\n");
    problems_are(SWEEP("{in: [1]}"),
                 "1:36 'in' is no name: letters, digits and _, a letter first, and no reserved word\n");
    problems_are(SWEEP("{a.b: [1]}"),
                 "1:36 'a.b' is no name: letters, digits and _, a letter first, and no reserved word\n");
    problems_are(SWEEP("{math: [1]}"), "1:36 'math' cannot be defined: functions begin with it\n");
    problems_are("let: {t: x}\nrules: [{name: a, when: x, sweep: {t: [1]}}]",
                 "2:36 the parameter 't' has the name of a let or subject set\n");
}

static void test_rf_rules_read_names(void **state)
{
    (void)state;
    problems_are("rules: [{name: a, when: x}, {name: b, when: x}, {name: a, when: x}]", "1:56 there is a rule 'a' already, at 1:16\n");
    problems_are("rules: [{name: 'a{t=1}', when: x}]",
                 "1:17 a name has no braces (those of a sweep are added to it) and no control characters\n");
    problems_are("rules: [{name: \"a\\nb\", when: x}]",
                 "1:17 a name has no braces (those of a sweep are added to it) and no control characters\n");
    problems_are("let: {fix: x, '': y, true: z}\nrules: [{name: a, when: x}]",
                 "1:7 'fix' cannot be defined: expressions have it already\n"
                 "1:16 '' is no name: letters, digits and _, a letter first, and no reserved word\n"
                 "1:22 'true' is no name: letters, digits and _, a letter first, and no reserved word\n");
    problems_are("let: {eu: x}\nsubjects: {eu: [a]}\nrules: [{name: a, when: x}]", "1:7 'eu' is a subject set too\n");
    problems_are("subjects: {eu: {of: x}}\nrules: [{name: a, when: x}]", "1:16 a subject set needs 'match'\n");
}

/* A whole file of problems is told at once. */
static void test_rf_rules_read_all(void **state)
{
    (void)state;
    problems_are("lets: {}\n"
                 "rules:\n"
                 "  - name: a\n"
                 "  - whn: x\n"
                 "    name: b\n"
                 "  - name: c\n"
                 "    when: [x]\n"
                 "    cooldown: soon\n"
                 "  - name: d\n"
                 "    when: x\n"
                 "    sweep: {t: {from: 2, to: 1}}\n",
                 "1:1 unknown key 'lets' of a rules file (did you mean 'let'?)\n"
                 "3:5 a rule needs 'when'\n"
                 "4:5 unknown key 'whn' of a rule (did you mean 'when'?)\n"
                 "4:5 a rule needs 'when'\n"
                 "7:11 'when' is an expression, not a list\n"
                 "8:15 'cooldown' is a duration such as 5s, 10ms or 1h30m, not 'soon'\n"
                 "11:16 from 2 the step 1 never comes to 1\n");
}

static void test_rf_rules_read_bounds(void **state)
{
    struct fixture_rules f;
    (void)state;
    fixture_read(&f, SWEEP("{t: {from: 1, to: 999}, u: {from: 1, to: 1001}}")); /* 999,999 */
    fixture_rules_are(&f, "");
    assert_int_equal(f.rules->rules, 999999);
    fixture_text_is(f.rules->rule[999998].name, "a{t=999,u=1001}");
    fixture_close(&f);
    fixture_read(&f, SWEEP("{t: {from: 1, to: 1000000}}"));
    fixture_rules_are(&f, "");
    assert_int_equal(f.rules->rules, RF_RULES_MAX);
    fixture_close(&f);
    problems_are(SWEEP("{t: {from: 0, to: 1000000}}"), "1:39 the range has more than 1000000 values\n");
    problems_are("rules:\n- {name: b, when: x}\n- {name: a, when: x, sweep: {t: {from: 1, to: 1000000}}}\n",
                 "3:10 with rule 'a' there are more than 1000000 rules and variants\n");
    /* 10^42 variants: no product of these overflows. */
    problems_are(SWEEP("{t: {from: 1, to: 1000000}, u: {from: 1, to: 1000000}, v: {from: 1, to: 1000000}, w: {from: 1, to: "
                       "1000000}, x: {from: 1, to: 1000000}, y: {from: 1, to: 1000000}, z: {from: 1, to: 1000000}}"),
                 "1:63 with 'u' the rule has more than 1000000 variants\n"
                 "1:90 with 'v' the rule has more than 1000000 variants\n"
                 "1:117 with 'w' the rule has more than 1000000 variants\n"
                 "1:144 with 'x' the rule has more than 1000000 variants\n"
                 "1:171 with 'y' the rule has more than 1000000 variants\n"
                 "1:198 with 'z' the rule has more than 1000000 variants\n");
    problems_are(SWEEP("{t: {from: 1, to: 1000}, u: {from: 1, to: 1000}, v: [1], w: [x, y]}"),
                 "1:92 with 'w' the rule has more than 1000000 variants\n");
}

static void test_rf_rules_tests_read(void **state)
{
    struct fixture_rules f;
    (void)state;
    fixture_read(&f, "rules:\n"
                     "- {name: a, when: x}\n"
                     "- {name: b, when: x > t, sweep: {t: [1, 2]}}\n"
                     "tests:\n"
                     "- name: one\n"
                     "  record: {x: 1, y: [a, null]}\n"
                     "  fires: [a, 'b{t=2}']\n"
                     "- {name: two, lines: ['{}', '{\"x\":1}'], fires: [], only: [b]}\n"
                     "- {name: three, lines: ['{}', '{}', '{}'], fires_at: {3: [a], 1: ['b{t=1}', 'b{t=2}'], 2: []}}\n");
    fixture_rules_are(&f, "");
    assert_int_equal(f.rules->tests, 3);
    const struct rf_rules_test *test = f.rules->test;
    fixture_text_is(test[0].name, "one");
    assert_int_equal(test[0].records, 1);
    assert_true(test[0].is_json);
    fixture_text_is(test[0].record[0], "{\"x\":1,\"y\":[\"a\",null]}");
    assert_int_equal(test[0].fire_count, 2);
    assert_int_equal(test[0].fires[1], 2);
    assert_int_equal(test[0].only_count, 0);
    assert_int_equal(test[1].records, 2);
    assert_false(test[1].is_json);
    fixture_text_is(test[1].record[1], "{\"x\":1}");
    assert_int_equal(test[1].fire_count, 0);
    assert_int_equal(test[1].only[0], 1);
    assert_true(test[1].has_fires);
    assert_false(test[2].has_fires);
    assert_int_equal(test[2].at_count, 3);
    static const uint32_t rules[] = {2, 0, 1};
    for (uint32_t i = 0; i < 3; i++) { /* in the order of the records */
        assert_int_equal(test[2].at[i].record, i + 1);
        assert_int_equal(test[2].at[i].rules, rules[i]);
    }
    assert_int_equal(test[2].at[0].rule[1], 2);
    assert_int_equal(test[2].at[2].rule[0], 0);
    fixture_close(&f);
    problems_are("rules:\n"
                 "- {name: spike, when: x}\n"
                 "- {name: b, when: x > t, sweep: {t: [1, 2]}}\n"
                 "tests:\n"
                 "- {name: one, fires: [spik, b, 'b{t=3}', 'spike{t=1}']}\n"
                 "- {name: two, record: {}, line: x, fires: []}\n"
                 "- {name: three, record: {}}\n"
                 "- {name: four, record: {}, fires_at: {0: [], 2: [], x: [], 1: {}, 01: [b]}}\n",
                 "5:3 a test has one of 'record', 'records', 'line' and 'lines'\n"
                 "5:23 there is no rule 'spik' (did you mean 'spike'?)\n"
                 "5:29 rule 'b' has 2 variants, none of them 'b': they are named like 'b{t=1}'\n"
                 "5:33 rule 'b' has 2 variants, none of them 'b{t=3}': they are named like 'b{t=1}'\n"
                 "5:43 rule 'spike' has no sweep: its name is all\n"
                 "6:3 a test has one of 'record', 'records', 'line' and 'lines'\n"
                 "7:3 a test needs 'fires' or 'fires_at'\n"
                 "8:39 '0' is no record of this test: 'fires_at' names them by number, 1 to 1\n"
                 "8:46 '2' is no record of this test: 'fires_at' names them by number, 1 to 1\n"
                 "8:53 'x' is no record of this test: 'fires_at' names them by number, 1 to 1\n"
                 "8:63 a record of a test needs 'rules'\n"
                 "8:67 '01' is no record of this test: 'fires_at' names them by number, 1 to 1\n"
                 "8:72 rule 'b' has 2 variants, none of them 'b': they are named like 'b{t=1}'\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_rules_read),       cmocka_unit_test(test_rf_sweep_values),
        cmocka_unit_test(test_rf_sweep_values_refused), cmocka_unit_test(test_rf_rules_read_names),
        cmocka_unit_test(test_rf_rules_read_all),   cmocka_unit_test(test_rf_rules_read_bounds),
        cmocka_unit_test(test_rf_rules_tests_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
