// What the memory allows: plain loops that the compiler turns into vector code.
#include <cstring>
#include <string_view>
#include <unordered_map>

#include "peer_functions.hpp"

static constexpr size_t ahead_bytes = 4096; // hardware prefetch is weak in virtual machines

// Blocks of 255 lines of 64 bytes: a count in a byte lane cannot overflow.
uint64_t floor_newlines(struct bench_input input)
{
    constexpr size_t lanes = 64;
    uint64_t total = 0;
    size_t at = 0;
    while (input.count - at >= lanes) {
        const size_t steps_left = (input.count - at) / lanes;
        const size_t steps = steps_left < 255 ? steps_left : 255;
        uint8_t lane[lanes] = {0};
        for (size_t s = 0; s < steps; s++) {
            const char *block = input.bytes + at + s * lanes;
            __builtin_prefetch(block + ahead_bytes);
            for (size_t i = 0; i < lanes; i++) {
                lane[i] = static_cast<uint8_t>(lane[i] + (block[i] == '\n'));
            }
        }
        for (size_t i = 0; i < lanes; i++) {
            total += lane[i];
        }
        at += steps * lanes;
    }
    for (; at < input.count; at++) {
        total += input.bytes[at] == '\n';
    }
    return total;
}

uint64_t floor_byte_sum(const void *bytes, size_t count)
{
    const char *at = static_cast<const char *>(bytes);
    uint64_t lane[32] = {0};
    for (size_t i = 0; i + sizeof lane <= count; i += sizeof lane) {
        uint64_t word[32];
        for (size_t line = 0; line < sizeof lane; line += 64) {
            __builtin_prefetch(at + i + ahead_bytes + line);
        }
        std::memcpy(word, at + i, sizeof word);
        for (int k = 0; k < 32; k++) {
            lane[k] += word[k];
        }
    }
    uint64_t total = 0;
    for (int k = 0; k < 32; k++) {
        total += lane[k];
    }
    return total;
}

uint64_t floor_w6_count(const double *a, const double *b, size_t rows, double above, double below)
{
    uint64_t total = 0;
    for (size_t i = 0; i < rows; i++) {
        total += static_cast<uint64_t>((a[i] > above) & (b[i] < below));
    }
    return total;
}

/* A block of both columns stays in the first-level cache while all predicates look at it. */
void floor_predicates_count(const double *a, const double *b, size_t rows, const double *above, const double *below,
                            size_t predicates, uint64_t *count)
{
    constexpr size_t block = 1024;
    for (size_t begin = 0; begin < rows; begin += block) {
        const size_t end = begin + block < rows ? begin + block : rows;
        for (size_t p = 0; p < predicates; p++) {
            uint64_t total = 0;
            const double low = above[p];
            const double high = below[p];
            if (b == nullptr) {
                for (size_t i = begin; i < end; i++) {
                    total += static_cast<uint64_t>(a[i] > low);
                }
            } else {
                for (size_t i = begin; i < end; i++) {
                    total += static_cast<uint64_t>((a[i] > low) & (b[i] < high));
                }
            }
            count[p] += total;
        }
    }
}

static void texts_count_table(const bench_text *text, size_t rows, const bench_text *constant, size_t first_start,
                              size_t constants, uint64_t *count)
{
    std::unordered_map<std::string_view, size_t> equal;
    std::unordered_map<std::string_view, size_t> start;
    for (size_t p = 0; p < constants; p++) {
        (p < first_start ? equal : start).emplace(std::string_view(constant[p].data, constant[p].count), p);
    }
    const size_t start_bytes = first_start < constants ? constant[first_start].count : 0;
    for (size_t r = 0; r < rows; r++) {
        const std::string_view row(text[r].data, text[r].count);
        const auto same = equal.find(row);
        if (same != equal.end()) {
            count[same->second]++;
        }
        const auto begun = row.size() >= start_bytes ? start.find(row.substr(0, start_bytes)) : start.end();
        if (begun != start.end()) {
            count[begun->second]++;
        }
    }
}

void floor_texts_count(const bench_text *text, size_t rows, const bench_text *constant, size_t first_start,
                       size_t constants, bool has_table, uint64_t *count)
{
    if (has_table) {
        texts_count_table(text, rows, constant, first_start, constants, count);
        return;
    }
    for (size_t r = 0; r < rows; r++) {
        for (size_t p = 0; p < constants; p++) {
            const bool fits = p < first_start ? text[r].count == constant[p].count : text[r].count >= constant[p].count;
            count[p] += fits && std::memcmp(text[r].data, constant[p].data, constant[p].count) == 0;
        }
    }
}
