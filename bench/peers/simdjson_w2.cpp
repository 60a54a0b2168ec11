// W2 by simdjson On-Demand: every record is walked once, ten fields are copied to columns, and blocks of 1,024 rows are
// evaluated by loops that the compiler vectorises. Walking beats ten look-ups, and columns beat row by row.
#include <simdjson.h>

#include <cstring>

#include "peer_functions.hpp"
#include "w2_predicates.h"

using namespace simdjson;

namespace
{

constexpr size_t many_batch_bytes = 1000000;
constexpr size_t line_bytes_max = 1 << 16;
constexpr int block_rows = 1024;

struct block {
    double price[block_rows], ms[block_rows];
    int64_t qty[block_rows], seq[block_rows];
    uint64_t text[W2_FIELDS][block_rows]; // first 8 bytes, big-endian: equality and order of strings of under 8 bytes
    uint64_t active[block_rows];
    int rows = 0;
};

uint64_t word_of(std::string_view text)
{
    uint64_t word = 0;
    std::memcpy(&word, text.data(), text.size() < 8 ? text.size() : 8);
    return __builtin_bswap64(word);
}

template <typename type, typename compare>
void count_column(const type *column, int rows, type constant, compare is_true, uint64_t &count)
{
    uint64_t sum = 0;
    for (int i = 0; i < rows; i++) {
        sum += static_cast<uint64_t>(is_true(column[i], constant));
    }
    count += sum;
}

void evaluate(const block &b, uint64_t *counts)
{
    const auto above = [](auto value, auto constant) { return value > constant; };
    const auto below = [](auto value, auto constant) { return value < constant; };
    const auto equal = [](auto value, auto constant) { return value == constant; };
    for (int k = 0; k < W2_EACH; k++) {
        count_column(b.price, b.rows, w2_price(k), above, counts[W2_PRICE * W2_EACH + k]);
        count_column(b.ms, b.rows, w2_ms(k), below, counts[W2_MS * W2_EACH + k]);
        count_column(b.qty, b.rows, w2_qty(k), below, counts[W2_QTY * W2_EACH + k]);
        count_column(b.seq, b.rows, w2_seq(k), above, counts[W2_SEQ * W2_EACH + k]);
        for (const w2_field field : {W2_SYMBOL, W2_TYPE, W2_SIDE, W2_MIC}) {
            count_column(b.text[field], b.rows, word_of(w2_text(field, k)), equal, counts[field * W2_EACH + k]);
        }
        count_column(b.text[W2_ACCT], b.rows, word_of(w2_text(W2_ACCT, k)), below, counts[W2_ACCT * W2_EACH + k]);
        count_column(b.active, b.rows, static_cast<uint64_t>(w2_active(k)), equal, counts[W2_ACTIVE * W2_EACH + k]);
    }
}

template <typename value_type> error_code take_text(value_type &&value, block &b, w2_field field, unsigned &found)
{
    std::string_view text;
    SIMDJSON_TRY(value.get_string().get(text));
    b.text[field][b.rows] = word_of(text);
    found |= 1u << field;
    return SUCCESS;
}

error_code take_lat(ondemand::value value, block &b, unsigned &found)
{
    ondemand::object lat;
    SIMDJSON_TRY(value.get_object().get(lat));
    for (auto member : lat) {
        ondemand::field field;
        SIMDJSON_TRY(std::move(member).get(field));
        if (field.key() == "ms") {
            SIMDJSON_TRY(field.value().get_double().get(b.ms[b.rows]));
            found |= 1u << W2_MS;
        }
    }
    return SUCCESS;
}

error_code take_venue(ondemand::value value, block &b, unsigned &found)
{
    ondemand::object venue;
    SIMDJSON_TRY(value.get_object().get(venue));
    for (auto member : venue) {
        ondemand::field field;
        SIMDJSON_TRY(std::move(member).get(field));
        const auto key = field.key();
        if (key == "mic") {
            SIMDJSON_TRY(take_text(field.value(), b, W2_MIC, found));
        } else if (key == "seq") {
            SIMDJSON_TRY(field.value().get_int64().get(b.seq[b.rows]));
            found |= 1u << W2_SEQ;
        } else if (key == "lat") {
            SIMDJSON_TRY(take_lat(field.value(), b, found));
        }
    }
    return SUCCESS;
}

// A switch on the first byte of the key, then one comparison.
error_code take_member(ondemand::field &field, block &b, unsigned &found)
{
    const auto key = field.key();
    switch (key.raw()[0]) {
    case 'p':
        if (key == "price") {
            found |= 1u << W2_PRICE;
            return field.value().get_double().get(b.price[b.rows]);
        }
        break;
    case 'q':
        if (key == "qty") {
            found |= 1u << W2_QTY;
            return field.value().get_int64().get(b.qty[b.rows]);
        }
        break;
    case 's':
        if (key == "symbol") {
            return take_text(field.value(), b, W2_SYMBOL, found);
        }
        if (key == "side") {
            return take_text(field.value(), b, W2_SIDE, found);
        }
        break;
    case 't':
        if (key == "type") {
            return take_text(field.value(), b, W2_TYPE, found);
        }
        break;
    case 'a':
        if (key == "acct") {
            return take_text(field.value(), b, W2_ACCT, found);
        }
        if (key == "active") {
            bool is_active = false;
            SIMDJSON_TRY(field.value().get_bool().get(is_active));
            b.active[b.rows] = is_active;
            found |= 1u << W2_ACTIVE;
        }
        break;
    case 'v':
        if (key == "venue") {
            return take_venue(field.value(), b, found);
        }
        break;
    default:
        break;
    }
    return SUCCESS;
}

template <typename document> error_code take_record(document &doc, block &b)
{
    constexpr unsigned all = (1u << W2_FIELDS) - 1;
    unsigned found = 0;
    ondemand::object object;
    SIMDJSON_TRY(doc.get_object().get(object));
    for (auto member : object) {
        ondemand::field field;
        SIMDJSON_TRY(std::move(member).get(field));
        SIMDJSON_TRY(take_member(field, b, found));
    }
    return found == all ? SUCCESS : NO_SUCH_FIELD;
}

template <typename document>
void count_record(document &doc, block &b, struct bench_selection &selection, uint64_t *counts)
{
    selection.records++;
    if (take_record(doc, b)) {
        selection.bad++;
        return;
    }
    if (++b.rows == block_rows) {
        evaluate(b, counts);
        b.rows = 0;
    }
}

} // namespace

struct bench_selection w2_line(struct bench_input input, uint64_t *counts)
{
    struct bench_selection selection = {0, 0, 0};
    static thread_local block b;
    b.rows = 0;
    ondemand::parser parser;
    if (parser.allocate(line_bytes_max)) {
        selection.bad++;
        return selection;
    }
    const char *const input_end = input.bytes + input.count;
    for (const char *begin = input.bytes; begin < input_end;) {
        const char *end = static_cast<const char *>(std::memchr(begin, '\n', static_cast<size_t>(input_end - begin)));
        const size_t count = static_cast<size_t>(end - begin);
        ondemand::document doc;
        if (parser.iterate(begin, count, count + SIMDJSON_PADDING).get(doc)) {
            selection.records++;
            selection.bad++;
        } else {
            count_record(doc, b, selection, counts);
        }
        begin = end + 1;
    }
    evaluate(b, counts);
    return selection;
}

struct bench_selection w2_many(struct bench_input input, uint64_t *counts)
{
    struct bench_selection selection = {0, 0, 0};
    static thread_local block b;
    b.rows = 0;
    ondemand::parser parser;
    ondemand::document_stream stream;
    if (parser.iterate_many(input.bytes, input.count, many_batch_bytes).get(stream)) {
        selection.bad++;
        return selection;
    }
    for (auto it = stream.begin(); it != stream.end(); ++it) {
        auto doc = *it;
        count_record(doc, b, selection, counts);
    }
    evaluate(b, counts);
    return selection;
}
