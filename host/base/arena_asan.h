/* arena_asan.h: whether the arena's twin for AddressSanitizer is the one that is built. */
#ifndef RF_ARENA_ASAN_H
#define RF_ARENA_ASAN_H

#if defined(__SANITIZE_ADDRESS__)
#define RF_ARENA_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define RF_ARENA_ASAN 1
#endif
#endif
#ifndef RF_ARENA_ASAN
#define RF_ARENA_ASAN 0
#endif

#endif
