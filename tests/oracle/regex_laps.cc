// regex_laps: how fast short texts are searched, against RE2.
//
// Each pattern is searched for in 4096 texts of 5 to 40 bytes, of which some match. RE2::Match without captures, our
// search of one text, and our search of many take turns in laps of one run, so that all meet the same machine; the best
// and the median lap of each are printed, in nanoseconds for a text, and how many times faster than RE2 the medians
// are. Results are compared on the way.
//
// Usage: regex_laps [--laps N] [--long]     --long: texts of 2000 to 6000 bytes instead
#include <re2/re2.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

extern "C" {
#include "regex.h"
}

namespace
{

struct Case {
    const char *name;
    const char *pattern;
    std::vector<const char *> near; // texts that match or nearly do
};

const std::vector<Case> kCases = {
    {"literal", "timeout", {"connection timeout", "request timed out", "time", "timeou"}},
    {"words", "error|warning|fatal|critical", {"fatal: disk", "an error occured", "warn", "all is well", "errors"}},
    {"words, any case", "(?i)error|warning|fatal|critical", {"FATAL", "Error: 5", "Warned", "criticaL!"}},
    {"prefix", "^/api/v[0-9]+/", {"/api/v1/users/77", "/api/v22/x", "/app/v1/", "/api/"}},
    {"date", "^\\d{4}-\\d{2}-\\d{2}", {"2024-05-06T10:11:12Z", "2024-5-06", "06.05.2024", "1999-12-31"}},
    {"address",
     "^[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,}$",
     {"jane.doe@example.com", "a@b", "root@localhost", "x.y+z@mail.example.org"}},
    {"address inside",
     "[a-z0-9._%+-]+@[a-z0-9.-]+\\.[a-z]{2,}",
     {"mail to jane@example.com now", "a@b.c", "at 5 @ home"}},
    {"numbers", "[0-9]+\\.[0-9]+", {"price 12.50", "12 50", "v1.2", "1..2"}},
    {"quad", "^(\\d{1,3}\\.){3}\\d{1,3}$", {"192.168.0.1", "10.0.0", "127.0.0.1", "1.2.3.4.5", "999.1.1.1"}},
    {"gap", "foo.*bar", {"foo and bar", "foo", "barfoo", "a foo b bar c"}},
    {"words apart", "\\berror\\b", {"an error here", "errors", "terror", "error"}},
    {"letters",
     "^\\p{L}+$",
     {"Stra\xC3\x9F"
      "e",
      "hello", "a b", "\xCE\xB1\xCE\xB2\xCE\xB3"}},
    {"suffix", "\\.(jpg|png|gif)$", {"photo.jpg", "image.png.txt", "a.gif", "photo.jpeg"}},
    {"wide gap (NFA)", "foo.{20}bar", {"foo 12345678901234567890bar", "foo12345678901234567890bar", "foofoo", "bar"}},
};

uint64_t random_next(uint64_t *state, uint64_t below)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (*state >> 11) % below;
}

std::vector<std::string> make_texts(const Case &item, bool is_long)
{
    static const char letters[] = "etaoinshrdlucmfwypvbgkjqxz 0123456789-_./:@ETAOIN";
    uint64_t state = 88172645463325252u;
    std::vector<std::string> texts;
    for (size_t i = 0; i < 4096; i++) {
        const size_t bytes = is_long ? 2000 + random_next(&state, 4000) : 5 + random_next(&state, 36);
        std::string text;
        const bool is_near = random_next(&state, 3) == 0;
        if (is_near && !is_long) {
            text = item.near[random_next(&state, item.near.size())];
        }
        while (text.size() < bytes && (!is_near || is_long)) {
            text += letters[random_next(&state, is_long ? 27 : sizeof letters - 1)];
        }
        texts.push_back(text);
    }
    return texts;
}

// Of this thread alone: others may be busy on the same machine.
double seconds_now()
{
    timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Laps {
    std::vector<double> seconds;
    double best() const { return *std::min_element(seconds.begin(), seconds.end()); }
    double median() const
    {
        std::vector<double> sorted = seconds;
        std::sort(sorted.begin(), sorted.end());
        return sorted[sorted.size() / 2];
    }
};

bool run_case(const Case &item, bool is_long, int laps)
{
    const std::vector<std::string> texts = make_texts(item, is_long);
    std::vector<rf_str> views;
    for (const std::string &text : texts) {
        views.push_back({text.data(), text.size()});
    }
    rf_arena arena;
    rf_arena_init(&arena, size_t{64} << 20);
    rf_regex *regex;
    rf_error error;
    size_t error_at;
    if (rf_regex_compile(rf_str_of(item.pattern), &arena, &regex, &error_at, &error) != RF_OK) {
        std::printf("%s: %s\n", item.name, error.text);
        return false;
    }
    const RE2 peer(item.pattern);
    Laps of_peer;
    Laps of_one;
    Laps of_many;
    const int rounds = is_long ? 1 : 8;
    std::vector<uint64_t> bits(texts.size() / 64);
    size_t peer_matches = 0;
    size_t one_matches = 0;
    size_t many_matches = 0;
    for (int lap = 0; lap < laps; lap++) {
        const double begin = seconds_now();
        for (int round = 0; round < rounds; round++) {
            peer_matches = 0;
            for (const rf_str &view : views) {
                peer_matches +=
                    peer.Match(re2::StringPiece(view.data, view.count), 0, view.count, RE2::UNANCHORED, nullptr, 0);
            }
        }
        const double middle = seconds_now();
        for (int round = 0; round < rounds; round++) {
            one_matches = 0;
            for (const rf_str &view : views) {
                one_matches += rf_regex_match(regex, view);
            }
        }
        const double late = seconds_now();
        for (int round = 0; round < rounds; round++) {
            rf_regex_match_many(regex, views.data(), static_cast<uint32_t>(views.size()), bits.data());
        }
        const double end = seconds_now();
        of_peer.seconds.push_back(middle - begin);
        of_one.seconds.push_back(late - middle);
        of_many.seconds.push_back(end - late);
        many_matches = 0;
        for (const uint64_t word : bits) {
            many_matches += static_cast<size_t>(__builtin_popcountll(word));
        }
    }
    const double scale = 1e9 / rounds / static_cast<double>(texts.size());
    std::printf("%-16s %4.0f%%  RE2 %7.1f %7.1f   one %7.1f %7.1f  %5.2fx   many %7.1f %7.1f  %5.2fx\n", item.name,
                100.0 * static_cast<double>(peer_matches) / static_cast<double>(texts.size()), of_peer.best() * scale,
                of_peer.median() * scale, of_one.best() * scale, of_one.median() * scale,
                of_peer.median() / of_one.median(), of_many.best() * scale, of_many.median() * scale,
                of_peer.median() / of_many.median());
    std::fflush(stdout);
    rf_arena_free(&arena);
    return peer_matches == one_matches && peer_matches == many_matches;
}

} // namespace

int main(int argc, char **argv)
{
    int laps = 21;
    bool is_long = false;
    for (int i = 1; i < argc; i++) {
        if (std::strcmp(argv[i], "--long") == 0) {
            is_long = true;
        } else if (std::strcmp(argv[i], "--laps") == 0 && i + 1 < argc) {
            laps = std::max(1, std::atoi(argv[++i]));
        } else {
            std::fprintf(stderr, "usage: regex_laps [--laps N] [--long]\n");
            return 64;
        }
    }
    std::printf("ns for a text, best and median lap of %d; matches; times as fast as RE2 by the medians\n", laps);
    bool is_right = true;
    for (const Case &item : kCases) {
        is_right = run_case(item, is_long, laps) && is_right;
    }
    if (!is_right) {
        std::printf("the counts of matches differ\n");
    }
    return is_right ? 0 : 1;
}
