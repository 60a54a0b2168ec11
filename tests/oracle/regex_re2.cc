// regex_re2: host/regex against RE2 itself, on random patterns and texts.
//
// Patterns come from a grammar that has all of the syntax, and from random pieces of it that are mostly wrong: both
// sides must accept and refuse the same ones. Texts are made from the pattern, so that most of them nearly match, and
// then changed at random. For each pair these must agree with RE2: the DFA, the NFA, many texts at once, and, where
// they exist, the literal a pattern is and the literal it requires.
//
// Left out, because the other side is older or bounded elsewhere:
//   - code points that Unicode 15.0 added or changed, in texts: RE2 of 2022 has Unicode 14;
//   - (?<name>...), which RE2 knows since 2023;
//   - patterns that either side finds too large, or nested too deeply.
//
// Usage: regex_re2 [--seconds S] [--seed N] [--code-points]
//   --code-points: instead of random patterns, every category and script with every code point (some minutes)
#include <re2/re2.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

extern "C" {
#include "regex.h"
#include "unicode_tables.h"
#include "utf8.h"
}

namespace
{

// --- chance ---

class Chance
{
  public:
    explicit Chance(uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15u + 1) {}
    uint32_t below(uint32_t bound)
    {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 7;
        state_ ^= state_ << 17;
        return static_cast<uint32_t>((state_ >> 11) % bound);
    }
    bool once_in(uint32_t times) { return below(times) == 0; }
    template <typename T, size_t N> const T &pick(const T (&items)[N]) { return items[below(N)]; }

  private:
    uint64_t state_;
};

// --- code points ---

struct Span {
    uint32_t low, high;
};

// DerivedAge.txt, 15.0.
const Span kNewIn15[] = {
    {0x0CF3, 0x0CF3},   {0x0ECE, 0x0ECE},   {0x10EFD, 0x10EFF}, {0x1123F, 0x11241}, {0x11B00, 0x11B09},
    {0x11F00, 0x11F10}, {0x11F12, 0x11F3A}, {0x11F3E, 0x11F59}, {0x1342F, 0x1342F}, {0x13439, 0x13455},
    {0x1B132, 0x1B132}, {0x1B155, 0x1B155}, {0x1D2C0, 0x1D2D3}, {0x1DF25, 0x1DF2A}, {0x1E030, 0x1E06D},
    {0x1E08F, 0x1E08F}, {0x1E4D0, 0x1E4F9}, {0x1F6DC, 0x1F6DC}, {0x1F774, 0x1F776}, {0x1F77B, 0x1F77F},
    {0x1F7D9, 0x1F7D9}, {0x1FA75, 0x1FA77}, {0x1FA87, 0x1FA88}, {0x1FAAD, 0x1FAAF}, {0x1FABB, 0x1FABD},
    {0x1FABF, 0x1FABF}, {0x1FACE, 0x1FACF}, {0x1FADA, 0x1FADB}, {0x1FAE8, 0x1FAE8}, {0x1FAF7, 0x1FAF8},
    {0x2B739, 0x2B739}, {0x31350, 0x323AF},
};

bool is_left_out(uint32_t code)
{
    for (const Span &span : kNewIn15) {
        if (code >= span.low && code <= span.high) {
            return true;
        }
    }
    return code >= 0xD800 && code <= 0xDFFF;
}

std::string utf8(uint32_t code)
{
    char bytes[4];
    return std::string(bytes, rf_utf8_write(code, bytes));
}

uint32_t random_code(Chance &chance)
{
    static const uint32_t common[] = {'a',    'b',     'c',     'A',     'B',      'k',    's',    'S',    'z',
                                      '0',    '1',     '9',     '_',     '-',      '.',    ' ',    '\n',   '@',
                                      ']',    '^',     0x00,    0x7F,    0x80,     0xDF,   0xE9,   0xC9,   0x17F,
                                      0x212A, 0x3B8,   0x3D1,   0x7FF,   0x800,    0x1E9E, 0x20AC, 0xD7FF, 0xE000,
                                      0xFFFF, 0x10000, 0x1F600, 0x10428, 0x10FFFF, 0x4E2D};
    for (;;) {
        uint32_t code = chance.pick(common);
        switch (chance.below(12)) {
        case 0:
            code = chance.below(0x80);
            break;
        case 1:
            code = chance.below(0x3000);
            break;
        case 2:
            code = chance.below(0x110000);
            break;
        default:
            break;
        }
        if (!is_left_out(code)) {
            return code;
        }
    }
}

std::vector<std::string> split_codes(const std::string &text)
{
    std::vector<std::string> codes;
    for (size_t i = 0; i < text.size();) {
        size_t count = 1;
        while (i + count < text.size() && (text[i + count] & 0xC0) == 0x80) {
            count++;
        }
        codes.push_back(text.substr(i, count));
        i += count;
    }
    return codes;
}

// --- patterns that are mostly right: a pattern and, beside it, texts that should nearly match ---

// What was written of a pattern, with the parts from which texts are put together again.
struct Part {
    enum Kind { kText, kAny, kSequence, kChoice, kRepeat } kind = kText;
    std::string text;        // kText
    std::vector<Part> parts; // the others
    uint32_t min = 1, max = 1;
};

class Grammar
{
  public:
    explicit Grammar(Chance &chance) : chance_(chance) {}

    std::string make(Part *part)
    {
        pattern_.clear();
        budget_ = 4 + chance_.below(24);
        if (chance_.once_in(6)) {
            pattern_ += chance_.pick(kFlags);
        }
        *part = alternatives(0);
        return pattern_;
    }

    std::string sample(const Part &part)
    {
        std::string text;
        sample_into(part, &text, 0);
        return text;
    }

  private:
    static constexpr const char *kFlags[] = {"(?i)",   "(?m)",  "(?s)",  "(?U)", "(?im)",
                                             "(?i-s)", "(?ms)", "(?-i)", "(?)"};
    static constexpr const char *kGroups[] = {"(", "(?:", "(?P<n>", "(?i:", "(?m:", "(?s:", "(?-i:", "(?im-s:", "(?U:"};
    static constexpr const char *kAsserts[] = {"^", "$", "\\A", "\\z", "\\b", "\\B", "(?m:^)", "(?m:$)"};
    static constexpr const char *kRepeats[] = {"*",   "+",     "?",      "*?",   "+?",   "??",
                                               "{2}", "{0,1}", "{1,3}",  "{2,}", "{0}",  "{0,}",
                                               "{1}", "{3}?",  "{0,2}?", "{1,}", "{12}", "{3,17}"};
    static constexpr const char *kGroupsOfCodes[] = {
        "\\d",  "\\D",     "\\s",        "\\S",     "\\w",        "\\W",          "\\pL",
        "\\PL", "\\p{Lu}", "\\p{^Lu}",   "\\P{Ll}", "\\p{Greek}", "\\P{Han}",     "\\p{Any}",
        "\\pN", "\\p{Zs}", "\\p{Latin}", "\\pC",    "\\p{Sc}",    "\\p{Deseret}", "\\p{Lt}"};
    static constexpr const char *kPosix[] = {"[:alpha:]", "[:^alpha:]", "[:digit:]",  "[:word:]",   "[:^word:]",
                                             "[:space:]", "[:upper:]",  "[:lower:]",  "[:punct:]",  "[:print:]",
                                             "[:graph:]", "[:cntrl:]",  "[:ascii:]",  "[:^ascii:]", "[:blank:]",
                                             "[:alnum:]", "[:xdigit:]", "[:^xdigit:]"};
    static constexpr const char *kEscapes[] = {
        "\\n",   "\\t",   "\\a", "\\f",  "\\r", "\\v", "\\x41",        "\\x{e9}", "\\x7F",    "\\x{10FFFF}", "\\0",
        "\\101", "\\012", "\\.", "\\\\", "\\-", "\\]", "\\x{0000061}", "\\_",     "\\x{17f}", "\\08"};

    static Part text_part(const std::string &text)
    {
        Part part;
        part.text = text;
        return part;
    }
    static Part any_part()
    {
        Part part;
        part.kind = Part::kAny;
        return part;
    }

    std::string literal_code(uint32_t code)
    {
        std::string text = utf8(code);
        if (code < 0x80 && std::strchr("\\.+*?()|[]{}^$", static_cast<int>(code)) != nullptr && code != 0) {
            text.insert(0, "\\");
        }
        return text;
    }

    Part literal()
    {
        const uint32_t code = random_code(chance_);
        char hex[32];
        switch (chance_.below(10)) {
        case 0:
            std::snprintf(hex, sizeof hex, "\\x{%x}", code);
            pattern_ += hex;
            break;
        case 1: {
            const std::string quoted = utf8(code) + "*" + utf8(random_code(chance_));
            pattern_ += "\\Q" + quoted + "\\E";
            return text_part(quoted);
        }
        case 2:
            pattern_ += chance_.pick(kEscapes);
            return any_part();
        default:
            pattern_ += literal_code(code);
        }
        return text_part(utf8(code));
    }

    std::string class_member(uint32_t *code)
    {
        *code = random_code(chance_);
        std::string text = utf8(*code);
        if (*code < 0x80 && std::strchr("\\]^-[", static_cast<int>(*code)) != nullptr && *code != 0) {
            text.insert(0, "\\");
        }
        return text;
    }

    Part bracket()
    {
        Part part = any_part();
        pattern_ += chance_.once_in(3) ? "[^" : "[";
        if (chance_.once_in(12)) {
            pattern_ += chance_.once_in(2) ? "]" : "-";
        }
        for (uint32_t left = 1 + chance_.below(3); left != 0; left--) {
            uint32_t low;
            uint32_t high;
            const std::string first = class_member(&low);
            const std::string last = class_member(&high);
            switch (chance_.below(8)) {
            case 0:
                pattern_ += chance_.pick(kPosix);
                break;
            case 1:
                pattern_ += chance_.pick(kGroupsOfCodes);
                break;
            case 2:
                pattern_ += chance_.pick(kEscapes);
                break;
            case 3:
            case 4:
                pattern_ += low <= high ? first + "-" + last : last + "-" + first;
                break;
            default:
                pattern_ += first;
                part = text_part(utf8(low));
            }
        }
        pattern_ += chance_.once_in(12) ? "-]" : "]";
        return part;
    }

    Part group(uint32_t depth)
    {
        pattern_ += chance_.pick(kGroups);
        if (chance_.once_in(12)) {
            pattern_ += chance_.pick(kFlags);
        }
        const Part part = alternatives(depth + 1);
        pattern_ += ")";
        return part;
    }

    Part atom(uint32_t depth)
    {
        switch (chance_.below(16)) {
        case 0:
        case 1:
            pattern_ += ".";
            return any_part();
        case 2:
            pattern_ += chance_.pick(kAsserts);
            return text_part("");
        case 3:
            pattern_ += chance_.pick(kGroupsOfCodes);
            return any_part();
        case 4:
        case 5:
            return bracket();
        case 6:
        case 7:
        case 8:
            return depth < 6 ? group(depth) : literal();
        case 9:
            if (chance_.once_in(8)) {
                pattern_ += "\\C";
                return any_part();
            }
            return literal();
        default:
            return literal();
        }
    }

    Part sequence(uint32_t depth)
    {
        Part whole;
        whole.kind = Part::kSequence;
        for (uint32_t left = chance_.below(5); left != 0 && budget_ != 0; left--) {
            budget_--;
            Part part = atom(depth);
            if (chance_.once_in(3)) {
                const std::string repeat = chance_.pick(kRepeats);
                pattern_ += repeat;
                Part repeated;
                repeated.kind = Part::kRepeat;
                repeated.min = repeat[0] == '+' ? 1 : 0;
                repeated.max = repeat[0] == '?' ? 1 : 3;
                if (repeat[0] == '{') {
                    repeated.min = static_cast<uint32_t>(std::atoi(repeat.c_str() + 1));
                    const size_t comma = repeat.find(',');
                    repeated.max = repeated.min;
                    if (comma != std::string::npos) {
                        repeated.max =
                            std::max(repeated.min, static_cast<uint32_t>(std::atoi(repeat.c_str() + comma + 1)));
                    }
                }
                repeated.parts.push_back(part);
                part = repeated;
            }
            whole.parts.push_back(part);
        }
        return whole;
    }

    Part alternatives(uint32_t depth)
    {
        Part whole;
        whole.kind = Part::kChoice;
        whole.parts.push_back(sequence(depth));
        while (chance_.once_in(3)) {
            pattern_ += "|";
            whole.parts.push_back(sequence(depth));
        }
        return whole;
    }

    void sample_into(const Part &part, std::string *text, uint32_t depth)
    {
        if (text->size() > 200) {
            return;
        }
        switch (part.kind) {
        case Part::kText:
            *text += part.text;
            break;
        case Part::kAny:
            *text += utf8(random_code(chance_));
            break;
        case Part::kSequence:
            for (const Part &item : part.parts) {
                sample_into(item, text, depth + 1);
            }
            break;
        case Part::kChoice:
            sample_into(part.parts[chance_.below(static_cast<uint32_t>(part.parts.size()))], text, depth + 1);
            break;
        case Part::kRepeat: {
            uint32_t times = part.min + chance_.below(part.max - part.min + 1);
            times += chance_.once_in(8);
            times -= times != 0 && chance_.once_in(8);
            for (; times != 0; times--) {
                sample_into(part.parts[0], text, depth + 1);
            }
            break;
        }
        }
    }

    Chance &chance_;
    std::string pattern_;
    uint32_t budget_ = 0;
};

constexpr const char *Grammar::kFlags[];
constexpr const char *Grammar::kGroups[];
constexpr const char *Grammar::kAsserts[];
constexpr const char *Grammar::kRepeats[];
constexpr const char *Grammar::kGroupsOfCodes[];
constexpr const char *Grammar::kPosix[];
constexpr const char *Grammar::kEscapes[];

// --- patterns that are mostly wrong ---

std::string scramble(Chance &chance)
{
    static const char *const pieces[] = {"a",
                                         "b",
                                         "(",
                                         ")",
                                         "(?",
                                         "(?:",
                                         "(?i",
                                         "(?P<",
                                         "(?P<n>",
                                         "(?P<\xC3\xA9_1>",
                                         "n>",
                                         "(?P=n)",
                                         "(?#",
                                         "(?=",
                                         "(?!",
                                         "(?<=",
                                         ")",
                                         "[",
                                         "]",
                                         "[^",
                                         "[:",
                                         ":]",
                                         "[:alpha:]",
                                         "[:foo:]",
                                         "[[:^",
                                         "^",
                                         "$",
                                         "|",
                                         "||",
                                         "*",
                                         "+",
                                         "?",
                                         "{",
                                         "}",
                                         "{2}",
                                         "{2,",
                                         "{,2}",
                                         "{2,1}",
                                         "{01}",
                                         "{1001}",
                                         "{1000}",
                                         "{100}",
                                         "{11}",
                                         "{999999999999}",
                                         ",",
                                         "-",
                                         "--",
                                         "\\",
                                         "\\\\",
                                         "\\Q",
                                         "\\E",
                                         "\\p",
                                         "\\P",
                                         "\\pL",
                                         "\\p{",
                                         "\\p{L",
                                         "\\p{Lu}",
                                         "\\p{Foo}",
                                         "\\p{^",
                                         "\\p{}",
                                         "\\p{Cn}",
                                         "\\x",
                                         "\\x{",
                                         "\\x4",
                                         "\\x41",
                                         "\\x{110000}",
                                         "\\x{10ffff}",
                                         "\\x{}",
                                         "\\x{D800}",
                                         "\\0",
                                         "\\1",
                                         "\\12",
                                         "\\8",
                                         "\\400",
                                         "\\777",
                                         "\\Z",
                                         "\\z",
                                         "\\A",
                                         "\\b",
                                         "\\B",
                                         "\\C",
                                         "\\G",
                                         "\\K",
                                         "\\R",
                                         "\\X",
                                         "\\d",
                                         "\\D",
                                         "\\h",
                                         "\\c",
                                         "\\e",
                                         "\\_",
                                         "\\\xC3\xA9",
                                         "i",
                                         "m",
                                         "s",
                                         "U",
                                         "x",
                                         ":",
                                         "i)",
                                         "-i)",
                                         "-",
                                         "--i)",
                                         "<n>",
                                         ".",
                                         "\xC3\xA9",
                                         "\xF0\x9F\x98\x80",
                                         " ",
                                         "\n",
                                         "0",
                                         "9",
                                         "a-z",
                                         "z-a",
                                         "\\d-z",
                                         "a-\\d",
                                         "#"};
    std::string pattern;
    for (uint32_t left = 1 + chance.below(9); left != 0; left--) {
        pattern += chance.pick(pieces);
    }
    return pattern;
}

// A pattern that is nearly right: one of the grammar with a piece lost, doubled or put elsewhere.
std::string damage(Chance &chance, const std::string &pattern)
{
    std::vector<std::string> codes = split_codes(pattern);
    if (codes.empty()) {
        return pattern;
    }
    const uint32_t at = chance.below(static_cast<uint32_t>(codes.size()));
    const uint32_t other = chance.below(static_cast<uint32_t>(codes.size()));
    switch (chance.below(3)) {
    case 0:
        codes.erase(codes.begin() + at);
        break;
    case 1:
        codes.insert(codes.begin() + at, codes[other]);
        break;
    default:
        std::swap(codes[at], codes[other]);
    }
    std::string text;
    for (const std::string &code : codes) {
        text += code;
    }
    return text;
}

std::string mutate(Chance &chance, const std::string &text)
{
    std::vector<std::string> codes = split_codes(text);
    for (uint32_t left = chance.below(4); left != 0; left--) {
        const uint32_t at = chance.below(static_cast<uint32_t>(codes.size()) + 1);
        switch (chance.below(5)) {
        case 0:
            if (at < codes.size()) {
                codes.erase(codes.begin() + at);
            }
            break;
        case 1:
            if (at < codes.size() && codes[at].size() == 1 &&
                std::isalpha(static_cast<unsigned char>(codes[at][0])) != 0) {
                codes[at][0] = static_cast<char>(codes[at][0] ^ 0x20);
            }
            break;
        case 2:
            if (at < codes.size()) {
                codes[at] = utf8(random_code(chance));
            }
            break;
        default:
            codes.insert(codes.begin() + at, utf8(random_code(chance)));
        }
    }
    std::string changed;
    for (const std::string &code : codes) {
        changed += code;
    }
    return changed;
}

// --- the comparison ---

struct Tally {
    uint64_t passed = 0, failed = 0;
    uint64_t patterns = 0, refused = 0, too_large = 0, matches = 0, simulated = 0, literals = 0, required = 0;

    void check(bool is_right, const char *what, const std::string &pattern, const std::string &text)
    {
        if (is_right) {
            passed++;
            return;
        }
        if (failed++ < 20) {
            std::printf("FAILED %s\n  pattern ", what);
            print(pattern);
            std::printf("\n  text    ");
            print(text);
            std::printf("\n");
        }
    }
    static void print(const std::string &text)
    {
        for (const char c : text) {
            if (c >= ' ' && c < 0x7F) {
                std::putchar(c);
            } else {
                std::printf("<%02x>", static_cast<unsigned char>(c));
            }
        }
    }
};

bool literal_holds(const rf_regex_literal &literal, const std::string &text)
{
    const rf_str whole = {text.data(), text.size()};
    if (literal.is_at_begin && literal.is_at_end) {
        return rf_str_equal(whole, literal.text);
    }
    if (literal.is_at_begin) {
        return rf_str_starts(whole, literal.text);
    }
    return literal.is_at_end ? rf_str_ends(whole, literal.text)
                             : text.find(std::string(literal.text.data, literal.text.count)) != std::string::npos;
}

class Comparison
{
  public:
    Comparison()
    {
        rf_arena_init(&arena_, size_t{256} << 20);
        options_.set_log_errors(false);
    }
    ~Comparison() { rf_arena_free(&arena_); }
    Comparison(const Comparison &) = delete;
    Comparison &operator=(const Comparison &) = delete;

    // Whether both accept the pattern; then texts may follow.
    bool open(const std::string &pattern)
    {
        rf_error error;
        size_t error_at;
        rf_arena_reset(&arena_);
        pattern_ = pattern;
        peer_ = std::make_unique<RE2>(pattern, options_);
        const rf_str text = {pattern.data(), pattern.size()};
        const rf_status status = rf_regex_compile(text, &arena_, &regex_, &error_at, &error);
        tally.patterns++;
        const bool is_peer_too_large = peer_->error_code() == RE2::ErrorPatternTooLarge;
        // Counts above 1000 are wrong for both sides; other bounds are our own.
        const bool is_too_large = status == RF_E_LIMIT && std::strstr(error.text, "a repetition of") == nullptr &&
                                  std::strstr(error.text, "nested repetitions") == nullptr;
        if (is_peer_too_large || is_too_large || pattern.find("(?<") != std::string::npos) {
            tally.too_large++;
            return false;
        }
        tally.check(peer_->ok() == (status == RF_OK), peer_->ok() ? error.text : peer_->error().c_str(), pattern, "");
        if (!peer_->ok() || status != RF_OK) {
            tally.refused++;
            tally.check(status == RF_OK || error_at <= pattern.size(), "offset of an error", pattern, "");
            return false;
        }
        rf_regex_options nfa = {};
        nfa.is_nfa = true;
        nfa.states_max = 0;
        if (rf_regex_compile_with(text, &nfa, &arena_, &simulated_, &error_at, &error) != RF_OK) {
            tally.check(false, error.text, pattern, "");
            return false;
        }
        tally.simulated += regex_->kind == RF_REGEX_NFA;
        tally.literals += rf_regex_is_literal(regex_, &literal_);
        tally.required += rf_regex_required_literal(regex_, &required_);
        return true;
    }

    void compare(const std::vector<std::string> &texts)
    {
        std::vector<rf_str> many;
        for (const std::string &text : texts) {
            many.push_back({text.data(), text.size()});
        }
        std::vector<uint64_t> bits((texts.size() + 63) / 64 + 1, ~uint64_t{0});
        rf_regex_match_many(regex_, many.data(), static_cast<uint32_t>(many.size()), bits.data());
        for (size_t i = 0; i < texts.size(); i++) {
            const bool is_match = peer_->Match(texts[i], 0, texts[i].size(), RE2::UNANCHORED, nullptr, 0);
            const bool is_many = (bits[i / 64] >> i % 64 & 1) != 0;
            const bool is_ours = rf_regex_match(regex_, many[i]);
            const bool is_simulated = rf_regex_match(simulated_, many[i]);
            tally.matches += is_match;
            tally.check(is_ours == is_match && is_many == is_match && is_simulated == is_match,
                        is_match ? "a match is missed" : "a match that is none", pattern_, texts[i]);
            if (literal_.text.data != nullptr && literal_holds(literal_, texts[i]) != is_match) {
                tally.check(false, "the pattern is not this literal", pattern_, texts[i]);
            }
            if (is_match && required_.count != 0 && !rf_str_contains(many[i], required_)) {
                tally.check(false, "the required literal is not", pattern_, texts[i]);
            }
        }
    }

    Tally tally;

  private:
    RE2::Options options_;
    std::unique_ptr<RE2> peer_;
    std::string pattern_;
    rf_arena arena_;
    rf_regex *regex_ = nullptr;
    rf_regex *simulated_ = nullptr;
    rf_regex_literal literal_ = {};
    rf_str required_ = {};
};

void compare_random(Comparison &comparison, uint64_t seed, double seconds)
{
    enum { kTexts = 40 };
    Chance chance(seed);
    Grammar grammar(chance);
    std::string older_text;
    const auto begin = std::chrono::steady_clock::now();
    while (std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() < seconds) {
        Part part;
        std::string pattern = grammar.make(&part);
        switch (chance.below(16)) {
        case 0:
            pattern = scramble(chance);
            break;
        case 1:
            pattern = damage(chance, pattern);
            break;
        default:
            break;
        }
        if (!comparison.open(pattern)) {
            continue;
        }
        std::vector<std::string> texts = {"", older_text};
        while (texts.size() < kTexts) {
            std::string text = grammar.sample(part);
            if (chance.once_in(3)) {
                text = grammar.sample(part) + (chance.once_in(2) ? "\n" : "") + text;
            }
            texts.push_back(chance.once_in(3) ? text : mutate(chance, text));
        }
        older_text = texts.back();
        comparison.compare(texts);
    }
}

void compare_code_points(Comparison &comparison)
{
    std::vector<std::string> names = {"\\p{Any}", "(?i)\\p{Lu}", "(?i)\\P{Ll}", "(?i)\\w", "(?i)\\W", "(?i)[a-z]", "."};
    for (const char *const name : {"L", "M", "N", "P", "S", "Z", "C"}) {
        names.push_back(std::string("\\p") + name);
    }
    for (uint32_t i = 0; i < rf_unicode_category_name_count; i++) {
        names.push_back("\\p{" + std::string(rf_unicode_category_names[i]) + "}");
    }
    for (uint32_t i = 0; i < rf_unicode_script_name_count; i++) {
        const std::string name = rf_unicode_script_names[i];
        if (name != "Kawi" && name != "Nag_Mundari") {
            names.push_back("\\p{" + name + "}");
        }
    }
    std::vector<std::string> texts;
    for (uint32_t code = 0; code < 0x110000; code++) {
        if (!is_left_out(code)) {
            texts.push_back(utf8(code));
        }
    }
    for (const std::string &name : names) {
        if (comparison.open(name)) {
            comparison.compare(texts);
        }
    }
    // Each code point that has case for one of the two, against all of them.
    std::vector<std::string> cased;
    for (uint32_t i = 0; i < rf_unicode_fold_count; i++) {
        for (uint32_t code = rf_unicode_folds[i].first; code <= rf_unicode_folds[i].last; code++) {
            cased.push_back(utf8(code));
        }
    }
    for (const std::string &text : texts) {
        const RE2 plain(RE2::QuoteMeta(text));
        const RE2 folded("(?i)" + RE2::QuoteMeta(text));
        if (folded.ProgramSize() > plain.ProgramSize()) {
            cased.push_back(text);
        }
    }
    std::sort(cased.begin(), cased.end());
    cased.erase(std::unique(cased.begin(), cased.end()), cased.end());
    std::printf("%zu code points with case\n", cased.size());
    for (const std::string &text : cased) {
        if (comparison.open("(?i)" + RE2::QuoteMeta(text))) {
            comparison.compare(cased);
        }
    }
}

} // namespace

int main(int argc, char **argv)
{
    double seconds = 10;
    uint64_t seed = 1;
    bool has_code_points = false;
    for (int i = 1; i < argc; i++) {
        if (std::strcmp(argv[i], "--code-points") == 0) {
            has_code_points = true;
        } else if (std::strcmp(argv[i], "--seconds") == 0 && i + 1 < argc) {
            seconds = std::atof(argv[++i]);
        } else if (std::strcmp(argv[i], "--seed") == 0 && i + 1 < argc) {
            seed = std::strtoull(argv[++i], nullptr, 10);
        } else {
            std::fprintf(stderr, "usage: regex_re2 [--seconds S] [--seed N] [--code-points]\n");
            return 64;
        }
    }
    Comparison comparison;
    if (has_code_points) {
        compare_code_points(comparison);
    } else {
        compare_random(comparison, seed, seconds);
    }
    const Tally &tally = comparison.tally;
    std::printf("seed %llu: %llu patterns, of them %llu refused by both, %llu too large for one, %llu simulated, %llu "
                "literals, "
                "%llu with a required literal; %llu matches\n",
                static_cast<unsigned long long>(seed), static_cast<unsigned long long>(tally.patterns),
                static_cast<unsigned long long>(tally.refused), static_cast<unsigned long long>(tally.too_large),
                static_cast<unsigned long long>(tally.simulated), static_cast<unsigned long long>(tally.literals),
                static_cast<unsigned long long>(tally.required), static_cast<unsigned long long>(tally.matches));
    std::printf("%llu passed, %llu failed\n", static_cast<unsigned long long>(tally.passed),
                static_cast<unsigned long long>(tally.failed));
    return tally.failed == 0 ? 0 : 1;
}
