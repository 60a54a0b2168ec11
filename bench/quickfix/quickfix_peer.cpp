/* FX-pick7 by QuickFIX, as its users write it: one FIX::Message, set from the text of each message in turn. */
#include <quickfix/FixFields.h>
#include <quickfix/Message.h>

#include <cstring>
#include <string>

#include "fix_peer.h"

/* The end of the message at `at`, by its BodyLength as FIX::Parser does it; null: none. */
static const char *message_end(const char *at, const char *end)
{
    const char *body = static_cast<const char *>(memmem(at, static_cast<size_t>(end - at), "\0019=", 3));
    if (body == nullptr) {
        return nullptr;
    }
    size_t length = 0;
    for (body += 3; body < end && *body != 1; body++) {
        length = length * 10 + static_cast<size_t>(*body - '0');
    }
    return body + 1 + length + 7 <= end ? body + 1 + length + 7 : nullptr;
}

extern "C" __attribute__((visibility("default"))) struct bench_fix_sums
bench_quickfix_pick7(struct bench_input input, struct bench_fix_columns *columns)
{
    static FIX::Message message;
    static std::string text;
    static std::string symbols[BENCH_FIX_ROWS];
    struct bench_fix_sums sums = {};
    const char *at = input.bytes;
    const char *const end = at + input.count;
    while (at < end) {
        const char *next = message_end(at, end);
        if (next == nullptr) {
            sums.bad++;
            return sums;
        }
        text.assign(at, static_cast<size_t>(next - at));
        const size_t row = sums.messages % BENCH_FIX_ROWS;
        try {
            message.setString(text, true);
            symbols[row] = message.getField(FIX::FIELD::Symbol);
            columns->symbol[row].data = symbols[row].data();
            columns->symbol[row].count = static_cast<uint32_t>(symbols[row].size());
            columns->side[row] = message.getField(FIX::FIELD::Side)[0];
            columns->quantity[row] = FIX::IntConvertor::convert(message.getField(FIX::FIELD::OrderQty));
            columns->last_quantity[row] = FIX::IntConvertor::convert(message.getField(FIX::FIELD::LastQty));
            columns->sum_quantity[row] = FIX::IntConvertor::convert(message.getField(FIX::FIELD::CumQty));
            columns->last_price[row] = FIX::DoubleConvertor::convert(message.getField(FIX::FIELD::LastPx));
            columns->average_price[row] = FIX::DoubleConvertor::convert(message.getField(FIX::FIELD::AvgPx));
        } catch (...) {
            sums.bad++;
            return sums;
        }
        sums.messages++;
        if (sums.messages % BENCH_FIX_ROWS == 0) {
            bench_fix_fold(columns, BENCH_FIX_ROWS, &sums);
        }
        at = next;
    }
    bench_fix_fold(columns, sums.messages % BENCH_FIX_ROWS, &sums);
    return sums;
}
