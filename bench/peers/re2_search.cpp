// RE2 as C++ programs use it: a pattern is compiled once, each text is searched without captures.
#include "peer_functions.hpp"

#ifdef BENCH_RE2

#include <re2/re2.h>

void *re2_open(const char *pattern)
{
    return new re2::RE2(pattern, re2::RE2::Quiet);
}

void re2_close(void *search)
{
    delete static_cast<re2::RE2 *>(search);
}

uint64_t re2_count(const void *search, const struct bench_text *text, size_t count)
{
    const re2::RE2 &pattern = *static_cast<const re2::RE2 *>(search);
    uint64_t matches = 0;
    for (size_t i = 0; i < count; i++) {
        const re2::StringPiece piece(text[i].data, text[i].count);
        matches += pattern.Match(piece, 0, piece.size(), re2::RE2::UNANCHORED, nullptr, 0);
    }
    return matches;
}

#endif
