#include "expr_fixture.h"

#include "compiler.h"
#include "substitute.h"

enum { ARENA_BYTES = 64 << 20 };

struct fixture {
    struct rf_compiler compiler;
    struct rf_compiled compiled;
    struct rf_diagnostic diagnostic;
    struct rf_error err;
};

static void fixture_open(struct fixture *f, uint32_t predicates, uint32_t projections)
{
    *f = (struct fixture){0};
    fixture_ok(rf_compiler_open(&f->compiler, predicates, projections, ARENA_BYTES, (struct rf_compile_options){0}, &f->compiled,
                                &f->diagnostic, &f->err),
               &f->err);
}

static void fixture_close(struct fixture *f)
{
    rf_compiler_close(&f->compiler);
    rf_compiled_close(&f->compiled);
}

/* One text, many predicates: what they share is there once, and each tree is its own. */
static void test_rf_compiler_predicate(void **state)
{
    static const struct rf_parameter parameter[] = {{.name = {"t", 1}}};
    const struct rf_env env = {.has_payload = true, .parameter = parameter, .parameters = 1};
    struct fixture f;
    struct rf_parsed when;
    struct rf_parsed key;
    (void)state;
    fixture_open(&f, 3, 2);
    fixture_ok(rf_compiler_parse(&f.compiler, RF_STR("price > t && big"), &env, &when), &f.err);
    fixture_ok(rf_compiler_parse(&f.compiler, RF_STR("symbol"), NULL, &key), &f.err);
    for (int i = 0; i < 3; i++) {
        const struct rf_value value = rf_value_int(i / 2); /* 0, 0, 1 */
        fixture_ok(rf_compiler_predicate(&f.compiler, &when, rf_tree_substitute(when.tree, &value, &f.compiled.arena)),
                   &f.err);
    }
    fixture_ok(rf_compiler_projection(&f.compiler, &key, key.tree), &f.err);
    fixture_ok(rf_compiler_finish(&f.compiler), &f.err);
    const struct rf_program *program = &f.compiled.program;
    assert_int_equal(program->predicates, 3);
    assert_int_equal(program->atoms, 3);
    assert_int_equal(program->output[0], program->output[1]);
    assert_int_not_equal(program->output[0], program->output[2]);
    assert_int_equal(f.compiled.projections, 1); /* fewer than announced */
    assert_string_equal(fixture_text(f.compiled.predicate[2]), "msg.price > 1 && msg.big");
    assert_ptr_equal(f.compiled.source[0].data, f.compiled.source[2].data);
    assert_true(rf_str_equal(f.compiled.source[3], RF_STR("symbol")));
    assert_int_equal(f.compiled.written[0].end, 16);
    fixture_close(&f);
}

/* After an expression that is wrong one goes on with the next. */
static void test_rf_compiler_goes_on(void **state)
{
    struct fixture f;
    struct rf_parsed parsed;
    (void)state;
    fixture_open(&f, 1, 0);
    assert_int_equal(rf_compiler_parse(&f.compiler, RF_STR("a >"), NULL, &parsed), RF_E_EXPR);
    assert_int_equal(f.diagnostic.column, 4);
    fixture_ok(rf_compiler_parse(&f.compiler, RF_STR("1 + 'a' == 2"), NULL, &parsed), &f.err);
    assert_int_equal(rf_compiler_predicate(&f.compiler, &parsed, parsed.tree), RF_E_EXPR);
    fixture_ok(rf_compiler_parse(&f.compiler, RF_STR("5"), NULL, &parsed), &f.err);
    assert_int_equal(rf_compiler_check(&f.compiler, &parsed, true, &parsed.tree), RF_E_EXPR);
    assert_int_equal(rf_compiler_check(&f.compiler, &parsed, false, &parsed.tree), RF_OK);
    fixture_ok(rf_compiler_parse(&f.compiler, RF_STR("a > 1"), NULL, &parsed), &f.err);
    fixture_ok(rf_compiler_predicate(&f.compiler, &parsed, parsed.tree), &f.err);
    fixture_ok(rf_compiler_finish(&f.compiler), &f.err);
    assert_int_equal(f.compiled.program.atoms, 1);
    fixture_close(&f);
}

static void test_rf_compiler_open_bounds(void **state)
{
    static const uint32_t count[] = {RF_PREDICATES_MAX - 1, RF_PREDICATES_MAX, RF_PREDICATES_MAX + 1};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        for (int is_projection = 0; is_projection < 2; is_projection++) {
            struct fixture f = {0};
            const uint32_t predicates = is_projection ? 0 : count[i];
            const uint32_t projections = is_projection ? count[i] : 0;
            assert_int_equal(rf_compiler_open(&f.compiler, predicates, projections, (size_t)1 << 30,
                                              (struct rf_compile_options){0}, &f.compiled, &f.diagnostic, &f.err),
                             count[i] <= RF_PREDICATES_MAX ? RF_OK : RF_E_LIMIT);
            fixture_close(&f);
        }
    }
    struct fixture f = {0};
    assert_int_equal(rf_compiler_open(&f.compiler, 1000, 0, 1000, (struct rf_compile_options){0}, &f.compiled, &f.diagnostic,
                                      &f.err),
                     RF_E_LIMIT);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rf_compiler_predicate),
        cmocka_unit_test(test_rf_compiler_goes_on),
        cmocka_unit_test(test_rf_compiler_open_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
