// eval_combine.cu: the boolean program over bitmaps T and F: a thread has one word of 32 rows and runs all instructions.
//
// All threads are at the same instruction, so its reading is one broadcast, and neighbouring threads read neighbouring words.
#include "device_parts.h"

namespace riffle {
namespace {

enum { THREADS = 128 };

struct pair {
    uint32_t truth, falsity;
};

__device__ pair load(const combine_args &args, uint32_t reg, uint32_t word)
{
    const size_t at = (size_t)reg * args.words + word;
    return {args.truth[at], args.falsity[at]};
}

// CEL's logic: what is neither is an error.
__device__ pair combine(const combine_args &args, const rf_device_code &code, uint32_t word)
{
    switch (code.op) {
    case RF_BOOL_TRUE:
        return {~0u, 0};
    case RF_BOOL_FALSE:
        return {0, ~0u};
    case RF_BOOL_NOT: {
        const pair a = load(args, code.a, word);
        return {a.falsity, a.truth};
    }
    case RF_BOOL_AND: {
        const pair a = load(args, code.a, word);
        const pair b = load(args, code.b, word);
        return {a.truth & b.truth, a.falsity | b.falsity};
    }
    case RF_BOOL_OR: {
        const pair a = load(args, code.a, word);
        const pair b = load(args, code.b, word);
        return {a.truth | b.truth, a.falsity & b.falsity};
    }
    case RF_BOOL_SELECT: {
        const pair a = load(args, code.a, word);
        const pair b = load(args, code.b, word);
        const pair c = load(args, code.c, word);
        return {(a.truth & b.truth) | (a.falsity & c.truth), (a.truth & b.falsity) | (a.falsity & c.falsity)};
    }
    default: // RF_BOOL_ERROR
        return {0, 0};
    }
}

__global__ void __launch_bounds__(THREADS) combine_kernel(const combine_args args)
{
    const uint32_t word = blockIdx.x * THREADS + threadIdx.x;
    if (word >= args.words) {
        return;
    }
    for (uint32_t i = 0; i < args.codes; i++) {
        const rf_device_code code = args.code[i];
        const pair out = combine(args, code, word);
        args.truth[(size_t)code.out * args.words + word] = out.truth;
        args.falsity[(size_t)code.out * args.words + word] = out.falsity;
    }
    uint32_t decided = ~0u;
    for (uint32_t p = 0; p < args.predicates; p++) {
        const pair out = load(args, args.output[p], word);
        decided &= out.truth | out.falsity;
        args.result_truth[(size_t)p * args.words + word] = out.truth;
        args.result_falsity[(size_t)p * args.words + word] = out.falsity;
    }
    // Answers that are still to come only ever decide what is undecided: Kleene's logic is monotone.
    args.redo[word] &= ~decided;
}

} // namespace

void combine_start(const struct combine_args &args, cudaStream_t stream)
{
    if (args.words != 0) {
        combine_kernel<<<(args.words + THREADS - 1) / THREADS, THREADS, 0, stream>>>(args);
    }
}

} // namespace riffle
