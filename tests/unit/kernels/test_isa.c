/* The instruction-set level: what the machine has, and what RIFFLE_ISA may ask for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "isa.h"

static void test_isa_name(void **state)
{
    (void)state;
    assert_string_equal(rf_isa_name(RF_ISA_SCALAR), "scalar");
    assert_string_equal(rf_isa_name(RF_ISA_AVX2), "avx2");
    assert_string_equal(rf_isa_name(RF_ISA_AVX512), "avx512");
}

static void test_isa_best(void **state)
{
    (void)state;
    const enum rf_isa best = rf_isa_best();
    assert_true(best < RF_ISA_COUNT);
    assert_int_equal(rf_isa_best(), best);
#if defined(__AVX2__)
    assert_true(best >= RF_ISA_AVX2);
#endif
}

static void test_isa_select(void **state)
{
    (void)state;
    struct rf_error err;
    enum rf_isa isa = RF_ISA_COUNT;
    unsetenv("RIFFLE_ISA");
    assert_int_equal(rf_isa_select(&isa, &err), RF_OK);
    assert_int_equal(isa, rf_isa_best());
    setenv("RIFFLE_ISA", "", 1);
    assert_int_equal(rf_isa_select(&isa, &err), RF_OK);
    assert_int_equal(isa, rf_isa_best());
    for (int level = 0; level < RF_ISA_COUNT; level++) {
        setenv("RIFFLE_ISA", rf_isa_name((enum rf_isa)level), 1);
        const enum rf_status status = rf_isa_select(&isa, &err);
        if (level <= (int)rf_isa_best()) {
            assert_int_equal(status, RF_OK);
            assert_int_equal(isa, level);
        } else {
            assert_int_equal(status, RF_E_USAGE);
            assert_non_null(strstr(err.text, rf_isa_name((enum rf_isa)level)));
        }
    }
    setenv("RIFFLE_ISA", "avx1024", 1);
    assert_int_equal(rf_isa_select(&isa, &err), RF_E_USAGE);
    assert_non_null(strstr(err.text, "avx1024"));
    unsetenv("RIFFLE_ISA");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_isa_name),
        cmocka_unit_test(test_isa_best),
        cmocka_unit_test(test_isa_select),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
