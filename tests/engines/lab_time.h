/* lab_time.h: how long one expression may take for one record. */
#ifndef RF_TEST_LAB_TIME_H
#define RF_TEST_LAB_TIME_H

#include <stdint.h>

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
