#include "peer_functions.hpp"

#if defined(__clang__)
#define COMPILER_TEXT "clang " __clang_version__
#else
#define COMPILER_TEXT "gcc " __VERSION__
#endif

extern "C" __attribute__((visibility("default"))) const struct bench_peers *bench_peers_get(void)
{
    static const struct bench_peers peers = {
        COMPILER_TEXT, simdjson_text(), w1_line, w1_many,        w1_prefilter,   w1c_line,
        w1c_many,      w2_line,         w2_many, floor_newlines, floor_byte_sum, floor_w6_count,
        floor_predicates_count, floor_texts_count,
        fix_decode,    fix_pick7,       fix_filter,
#ifdef BENCH_RE2
        re2_open,      re2_count,       re2_close,
#else
        nullptr,       nullptr,         nullptr,
#endif
#ifdef BENCH_VECTORSCAN
        vectorscan_open, vectorscan_count, vectorscan_close,
#else
        nullptr,       nullptr,         nullptr,
#endif
    };
    return &peers;
}
