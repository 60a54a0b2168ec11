/* isa.c: asks the machine (CPUID and XGETBV through the compiler's own run-time check) and RIFFLE_ISA. */
#include "isa.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static const char *const isa_name[RF_ISA_COUNT] = {"scalar", "avx2", "avx512"};

const char *rf_isa_name(enum rf_isa isa)
{
    return isa_name[isa];
}

#if defined(__x86_64__)
#include <cpuid.h>

/* Not every supported compiler knows "lzcnt" by name. */
static bool machine_has_lzcnt(void)
{
    unsigned eax = 0;
    unsigned ebx = 0;
    unsigned ecx = 0;
    unsigned edx = 0;
    return __get_cpuid(0x80000001u, &eax, &ebx, &ecx, &edx) != 0 && (ecx & (1u << 5)) != 0;
}

static enum rf_isa machine_level(void)
{
    __builtin_cpu_init();
    /* The AVX checks include XGETBV: the kernel must save the wide registers too. */
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi") || !__builtin_cpu_supports("bmi2") ||
        !__builtin_cpu_supports("popcnt") || !__builtin_cpu_supports("pclmul") || !machine_has_lzcnt()) {
        return RF_ISA_SCALAR;
    }
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
        !__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512vl") ||
        !__builtin_cpu_supports("avx512vbmi") || !__builtin_cpu_supports("avx512vbmi2") ||
        !__builtin_cpu_supports("avx512cd") || !__builtin_cpu_supports("avx512vpopcntdq") ||
        !__builtin_cpu_supports("vpclmulqdq")) {
        return RF_ISA_AVX2;
    }
    return RF_ISA_AVX512;
}
#else
static enum rf_isa machine_level(void)
{
    return RF_ISA_SCALAR;
}
#endif

enum rf_isa rf_isa_best(void)
{
    /* 0 = not asked yet; two threads that ask at once store the same answer. */
    static atomic_int level_plus_one;
    int known = atomic_load_explicit(&level_plus_one, memory_order_relaxed);
    if (known == 0) {
        known = (int)machine_level() + 1;
        atomic_store_explicit(&level_plus_one, known, memory_order_relaxed);
    }
    return (enum rf_isa)(known - 1);
}

enum rf_status rf_isa_select(enum rf_isa *out, struct rf_error *err)
{
    const enum rf_isa best = rf_isa_best();
    const char *wanted = getenv("RIFFLE_ISA");
    if (wanted == NULL || wanted[0] == '\0') {
        *out = best;
        return RF_OK;
    }
    for (int isa = 0; isa < RF_ISA_COUNT; isa++) {
        if (strcmp(wanted, isa_name[isa]) != 0) {
            continue;
        }
        if (isa > (int)best) {
            RF_FAIL(err, RF_E_USAGE, "RIFFLE_ISA=%s: this machine has no such level, its best is %s", wanted,
                    isa_name[best]);
        }
        *out = (enum rf_isa)isa;
        return RF_OK;
    }
    RF_FAIL(err, RF_E_USAGE, "RIFFLE_ISA=%.64s: no such level; known are scalar, avx2 and avx512", wanted);
}
