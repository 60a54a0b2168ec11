/* lab_time.h: how long one expression may take for one record. */
#ifndef RF_TEST_LAB_TIME_H
#define RF_TEST_LAB_TIME_H

#include <stdint.h>
#include <time.h>

/* Of this process: what others on the machine do doesn't count. */
static inline uint64_t lab_cpu_ns(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

/* A sanitizer makes everything slower, by more than ten. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LAB_SLOWER 20
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define LAB_SLOWER 20
#endif
#endif
#ifndef LAB_SLOWER
#define LAB_SLOWER 1
#endif

#define LAB_PAIR_NS_MAX (LAB_SLOWER * UINT64_C(5000000000))

#endif
