// W1 and W1c by simdjson On-Demand: line by line, as one stream, and behind a substring search.
#include <simdjson.h>

#include <cstring>
#include <string>

#include "line_writer.hpp"
#include "peer_functions.hpp"
#include "substring_search.hpp"

using namespace simdjson;

namespace
{

constexpr char wanted_symbol[] = "MSFT";
constexpr double wanted_price = 410;
constexpr size_t many_batch_bytes = 1000000; // the default of iterate_many
constexpr size_t line_bytes_max = 1 << 16;

// The raw text is compared where it stands; only a value that differs at a backslash is decoded. This is exact and
// faster than get_string on every record.
bool symbol_matches(ondemand::parser &parser, ondemand::raw_json_string raw)
{
    const char *text = raw.raw();
    size_t i = 0;
    while (i < sizeof wanted_symbol - 1 && text[i] == wanted_symbol[i]) {
        i++;
    }
    if (text[i] == '"') {
        return i == sizeof wanted_symbol - 1;
    }
    if (text[i] != '\\') {
        return false;
    }
    uint8_t decoded[line_bytes_max + SIMDJSON_PADDING];
    uint8_t *end = decoded;
    std::string_view value;
    return !parser.unescape(raw, end).get(value) && value == wanted_symbol;
}

struct w1_predicate {
    // Symbol first: it is the more selective one, and it stands before the price.
    template <typename document> static error_code test(ondemand::parser &parser, document &doc, bool &is_selected)
    {
        ondemand::raw_json_string symbol;
        SIMDJSON_TRY(doc["symbol"].get_raw_json_string().get(symbol));
        if (!symbol_matches(parser, symbol)) {
            is_selected = false;
            return SUCCESS;
        }
        double price;
        SIMDJSON_TRY(doc["price"].get_double().get(price));
        is_selected = price > wanted_price;
        return SUCCESS;
    }
};

struct w1c_predicate {
    template <typename document> static error_code test(ondemand::parser &, document &doc, bool &is_selected)
    {
        double price;
        SIMDJSON_TRY(doc["price"].get_double().get(price));
        is_selected = price > wanted_price;
        return SUCCESS;
    }
};

// One record, which ends before `end` (a line end): everything behind it in the buffer is its padding.
template <typename predicate>
void test_line(ondemand::parser &parser, const char *begin, const char *end, size_t padding, line_writer &out,
               struct bench_selection &selection)
{
    const size_t count = static_cast<size_t>(end - begin);
    ondemand::document doc;
    bool is_selected = false;
    selection.records++;
    if (parser.iterate(begin, count, count + padding).get(doc) || predicate::test(parser, doc, is_selected)) {
        selection.bad++;
        return;
    }
    if (is_selected) {
        selection.selected++;
        out.write({begin, count + 1});
    }
}

template <typename predicate> struct bench_selection filter_lines(struct bench_input input, int out_fd)
{
    struct bench_selection selection = {0, 0, 0};
    ondemand::parser parser;
    line_writer out(out_fd);
    if (parser.allocate(line_bytes_max)) {
        selection.bad++;
        return selection;
    }
    const char *const input_end = input.bytes + input.count;
    for (const char *begin = input.bytes; begin < input_end;) {
        const char *end = static_cast<const char *>(std::memchr(begin, '\n', static_cast<size_t>(input_end - begin)));
        test_line<predicate>(parser, begin, end, SIMDJSON_PADDING, out, selection);
        begin = end + 1;
    }
    return selection;
}

template <typename predicate> struct bench_selection filter_many(struct bench_input input, int out_fd)
{
    struct bench_selection selection = {0, 0, 0};
    ondemand::parser parser;
    line_writer out(out_fd);
    ondemand::document_stream stream;
    if (parser.iterate_many(input.bytes, input.count, many_batch_bytes).get(stream)) {
        selection.bad++;
        return selection;
    }
    for (auto it = stream.begin(); it != stream.end(); ++it) {
        auto doc = *it;
        bool is_selected = false;
        selection.records++;
        if (doc.error() || predicate::test(parser, doc, is_selected)) {
            selection.bad++;
        } else if (is_selected) {
            selection.selected++;
            if (out_fd >= 0) {
                const char *begin = input.bytes + it.current_index();
                const char *end = static_cast<const char *>(
                    std::memchr(begin, '\n', static_cast<size_t>(input.bytes + input.count - begin)));
                out.write({begin, static_cast<size_t>(end + 1 - begin)});
            }
        }
    }
    return selection;
}

} // namespace

const char *simdjson_text(void)
{
    static const std::string text = std::string(SIMDJSON_STRINGIFY(SIMDJSON_VERSION)) + ", stage 1 " +
                                    std::string(get_active_implementation()->name()) + ", On-Demand " +
                                    SIMDJSON_STRINGIFY(SIMDJSON_BUILTIN_IMPLEMENTATION);
    return text.c_str();
}

struct bench_selection w1_line(struct bench_input input, int out_fd)
{
    return filter_lines<w1_predicate>(input, out_fd);
}

struct bench_selection w1_many(struct bench_input input, int out_fd)
{
    return filter_many<w1_predicate>(input, out_fd);
}

struct bench_selection w1c_line(struct bench_input input, int out_fd)
{
    return filter_lines<w1c_predicate>(input, out_fd);
}

struct bench_selection w1c_many(struct bench_input input, int out_fd)
{
    return filter_many<w1c_predicate>(input, out_fd);
}

// The honest bar for a selective string filter: a line that holds neither the bytes of the constant nor a \u escape
// cannot match; only the others are parsed.
struct bench_selection w1_prefilter(struct bench_input input, int out_fd)
{
    struct bench_selection selection = {0, 0, 0};
    ondemand::parser parser;
    line_writer out(out_fd);
    if (parser.allocate(line_bytes_max)) {
        selection.bad++;
        return selection;
    }
    const char *done = input.bytes; // everything before it is decided
    const char *const input_end = input.bytes + input.count;
    substring_search(input.bytes, input.count, wanted_symbol, [&](const char *hit) {
        if (hit < done) {
            return;
        }
        const char *begin = static_cast<const char *>(memrchr(done, '\n', static_cast<size_t>(hit - done)));
        begin = begin == nullptr ? done : begin + 1;
        const char *end = static_cast<const char *>(std::memchr(hit, '\n', static_cast<size_t>(input_end - hit)));
        test_line<w1_predicate>(parser, begin, end, SIMDJSON_PADDING, out, selection);
        done = end + 1;
    });
    return selection;
}
