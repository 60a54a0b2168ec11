// Vectorscan as its manual has it: all patterns in one database in block mode, one scratch, one scan for each text. Each
// pattern is wanted once in a text, and a search for a single one ends with its match.
#include "peer_functions.hpp"

#ifdef BENCH_VECTORSCAN

#include <hs/hs.h>

#include <cstdio>
#include <string>
#include <vector>

namespace
{

struct search {
    hs_database_t *database = nullptr;
    hs_scratch_t *scratch = nullptr;
    bool is_single = false;
};

int match_count(unsigned id, unsigned long long, unsigned long long, unsigned, void *context)
{
    static_cast<uint64_t *>(context)[id]++;
    return 0;
}

int match_count_and_stop(unsigned, unsigned long long, unsigned long long, unsigned, void *context)
{
    static_cast<uint64_t *>(context)[0]++;
    return 1;
}

} // namespace

void *vectorscan_open(const struct bench_text *pattern, size_t patterns, bool is_literal)
{
    std::vector<std::string> text;
    std::vector<const char *> expression;
    std::vector<size_t> length;
    std::vector<unsigned> id;
    const std::vector<unsigned> flags(patterns, HS_FLAG_SINGLEMATCH);
    text.reserve(patterns);
    for (size_t p = 0; p < patterns; p++) {
        text.emplace_back(pattern[p].data, pattern[p].count);
        expression.push_back(text.back().c_str());
        length.push_back(pattern[p].count);
        id.push_back(static_cast<unsigned>(p));
    }
    search *made = new search;
    hs_compile_error_t *error = nullptr;
    const unsigned count = static_cast<unsigned>(patterns);
    const hs_error_t status = is_literal
                                  ? hs_compile_lit_multi(expression.data(), flags.data(), id.data(), length.data(),
                                                         count, HS_MODE_BLOCK, nullptr, &made->database, &error)
                                  : hs_compile_multi(expression.data(), flags.data(), id.data(), count, HS_MODE_BLOCK,
                                                     nullptr, &made->database, &error);
    made->is_single = patterns == 1;
    if (status != HS_SUCCESS || hs_alloc_scratch(made->database, &made->scratch) != HS_SUCCESS) {
        std::fprintf(stderr, "riffle-bench: Vectorscan: %s\n", error != nullptr ? error->message : "no memory");
        hs_free_compile_error(error);
        vectorscan_close(made);
        return nullptr;
    }
    return made;
}

void vectorscan_close(void *made)
{
    search *const of = static_cast<search *>(made);
    hs_free_scratch(of->scratch);
    hs_free_database(of->database);
    delete of;
}

void vectorscan_count(void *made, const struct bench_text *text, size_t rows, uint64_t *count)
{
    const search *const of = static_cast<const search *>(made);
    const match_event_handler on_match = of->is_single ? match_count_and_stop : match_count;
    for (size_t i = 0; i < rows; i++) {
        hs_scan(of->database, text[i].data, static_cast<unsigned>(text[i].count), 0, of->scratch, on_match, count);
    }
}

#endif
