// device_slot.cu: one batch at a time over the bus, through the kernels and back.
//
// A slot has pinned memory of the host and as much of the device, laid out alike, and a stream. Memory grows to the largest batch and
// is then kept. Copies are of what the batch has, not of what there is room for.
#include "device_parts.h"

extern "C" {
#include "trace.h"
}

#if defined(RF_HAS_NVTX)
#include <nvtx3/nvToolsExtCudaRt.h>
#endif

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace riffle {
namespace {

enum { ALIGN = 256 }; // so that copies and lanes begin where memory likes it

size_t aligned(size_t bytes)
{
    return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

struct slot {
    const program *of;
    uint32_t rows_max;
    cudaStream_t stream;
    bool has_stream;
    uint8_t *in_host; // pinned
    uint8_t *in_device;
    size_t in_bytes;
    uint32_t *registers;  // [2][registers][words_max]
    uint32_t *out_device; // truth[P][W] falsity[P][W] redo[W]
    uint32_t *out_host;   // pinned
};

size_t out_words(const slot *slot, uint32_t words)
{
    return (2 * (size_t)slot->of->on_device.predicates + 1) * words;
}

uint32_t words_of(uint32_t rows)
{
    return (rows + ROWS_PER_WORD - 1) / ROWS_PER_WORD;
}

bool slot_allocate(slot *made, char *why)
{
    const size_t words = words_of(made->rows_max);
    const size_t registers = 2 * (size_t)made->of->on_device.registers * words;
    cudaError_t error = cudaStreamCreateWithFlags(&made->stream, cudaStreamNonBlocking);
    made->has_stream = error == cudaSuccess;
#if defined(RF_HAS_NVTX)
    if (made->has_stream) {
        nvtxNameCudaStreamA(made->stream, "riffle slot");
    }
#endif
    if (error == cudaSuccess) {
        error = cudaMalloc(reinterpret_cast<void **>(&made->registers), registers * sizeof(uint32_t) + ALIGN);
    }
    if (error == cudaSuccess) {
        error = cudaMalloc(reinterpret_cast<void **>(&made->out_device), out_words(made, words) * sizeof(uint32_t));
    }
    if (error == cudaSuccess) {
        error = cudaHostAlloc(reinterpret_cast<void **>(&made->out_host), out_words(made, words) * sizeof(uint32_t), cudaHostAllocDefault);
    }
    return error == cudaSuccess || say(why, "no memory for batches on the device", error);
}

void input_free(slot *slot)
{
    (void)cudaFreeHost(slot->in_host);
    (void)cudaFree(slot->in_device);
    slot->in_host = slot->in_device = nullptr;
    slot->in_bytes = 0;
}

cudaError_t input_reserve(slot *slot, size_t bytes)
{
    if (bytes <= slot->in_bytes) {
        return cudaSuccess;
    }
    input_free(slot);
    const size_t room = aligned(bytes + bytes / 4);
    cudaError_t error = cudaHostAlloc(reinterpret_cast<void **>(&slot->in_host), room, cudaHostAllocDefault);
    if (error == cudaSuccess) {
        error = cudaMalloc(reinterpret_cast<void **>(&slot->in_device), room);
    }
    slot->in_bytes = error == cudaSuccess ? room : 0;
    return error;
}

// The places of a batch in the slot's memory, the same on both sides.
struct places {
    size_t used;

    size_t take(size_t bytes)
    {
        const size_t at = used;
        used += aligned(bytes);
        return at;
    }
};

size_t input_bytes(const slot *slot, const rf_device_batch &batch)
{
    const size_t rows = batch.rows;
    places at = {0};
    at.take(slot->of->on_device.columns * sizeof(rf_device_column));
    for (uint32_t c = 0; c < slot->of->on_device.columns; c++) {
        at.take(rows);
        at.take(rows * sizeof(uint64_t));
        if (slot->of->column_has_text[c] != 0) {
            at.take(rows * sizeof(uint32_t));
            at.take(rows * sizeof(uint32_t));
        }
    }
    if (slot->of->on_device.needs_bytes != 0) {
        at.take(batch.bytes_used);
        at.take(batch.side_used);
    }
    return at.used;
}

// Copies to the pinned side; gives where it will be on the device.
template <class T> const T *put(slot *slot, places &at, const T *from, size_t count)
{
    const size_t place = at.take(count * sizeof(T));
    if (count != 0) {
        memcpy(slot->in_host + place, from, count * sizeof(T));
    }
    return reinterpret_cast<const T *>(slot->in_device + place);
}

void input_fill(slot *slot, const rf_device_batch &batch, eval_args &args)
{
    const rf_device_program &program = slot->of->on_device;
    places at = {0};
    const size_t table = at.take(program.columns * sizeof(rf_device_column));
    rf_device_column *column = reinterpret_cast<rf_device_column *>(slot->in_host + table);
    for (uint32_t c = 0; c < program.columns; c++) {
        const rf_device_column &from = batch.column[c];
        column[c] = {put(slot, at, from.tag, batch.rows), put(slot, at, from.payload, batch.rows), nullptr, nullptr};
        if (slot->of->column_has_text[c] != 0) {
            column[c].begin = put(slot, at, from.begin, batch.rows);
            column[c].length = put(slot, at, from.length, batch.rows);
        }
    }
    args.column = reinterpret_cast<const rf_device_column *>(slot->in_device + table);
    if (program.needs_bytes != 0) {
        args.bytes = put(slot, at, batch.bytes, batch.bytes_used);
        args.side = put(slot, at, batch.side, batch.side_used);
    }
}

cudaError_t kernels_start(slot *slot, const eval_args &args, uint64_t id)
{
    const rf_device_program &program = slot->of->on_device;
    rf_trace_begin(RF_TRACE_PRED_ATOMS, id);
    eval_atoms_start(args, slot->stream);
    rf_trace_end();
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) {
        return error; // there are no bitmaps to combine
    }
    combine_args combine = {};
    combine.code = program.code;
    combine.codes = program.codes;
    combine.output = program.output;
    combine.predicates = program.predicates;
    combine.words = args.words;
    combine.truth = args.truth;
    combine.falsity = args.falsity;
    combine.result_truth = slot->out_device;
    combine.result_falsity = slot->out_device + (size_t)program.predicates * args.words;
    combine.redo = args.redo;
    rf_trace_begin(RF_TRACE_PRED_BOOL, id);
    combine_start(combine, slot->stream);
    rf_trace_end();
    return cudaGetLastError();
}

cudaError_t batch_run(slot *slot, const rf_device_batch &batch, size_t in_bytes)
{
    const rf_device_program &program = slot->of->on_device;
    const uint32_t words = words_of(batch.rows);
    const size_t out_bytes = out_words(slot, words) * sizeof(uint32_t);
    eval_args args = {};
    rf_trace_begin(RF_TRACE_H2D_COPY, batch.id);
    input_fill(slot, batch, args);
    args.atom = program.atom;
    args.atoms = program.atoms;
    args.number = program.number;
    args.string = program.string;
    args.arith = program.arith;
    args.text = program.text;
    args.rows = batch.rows;
    args.words = words;
    args.truth = slot->registers;
    args.falsity = slot->registers + (size_t)program.registers * words;
    args.redo = slot->out_device + 2 * (size_t)program.predicates * words;
    cudaError_t error = in_bytes == 0 // a program of constants
                            ? cudaSuccess
                            : cudaMemcpyAsync(slot->in_device, slot->in_host, in_bytes, cudaMemcpyHostToDevice, slot->stream);
    rf_trace_end();
    if (error == cudaSuccess) {
        error = cudaMemsetAsync(args.redo, 0, words * sizeof(uint32_t), slot->stream);
    }
    if (error == cudaSuccess) {
        error = kernels_start(slot, args, batch.id);
    }
    if (error == cudaSuccess) {
        error = cudaMemcpyAsync(slot->out_host, slot->out_device, out_bytes, cudaMemcpyDeviceToHost, slot->stream);
    }
    rf_trace_begin(RF_TRACE_D2H_COPY, batch.id); // and what is still running before it
    const cudaError_t waited = cudaStreamSynchronize(slot->stream);
    rf_trace_end();
    return error != cudaSuccess ? error : waited;
}

} // namespace

void *slot_open(const void *of, uint32_t rows_max, char *why)
{
    slot *made = static_cast<slot *>(calloc(1, sizeof *made));
    if (made == nullptr) {
        snprintf(why, RF_DEVICE_WHY, "no memory for a slot");
        return nullptr;
    }
    made->of = static_cast<const program *>(of);
    made->rows_max = rows_max;
    if (!slot_allocate(made, why)) {
        slot_close(made);
        return nullptr;
    }
    return made;
}

bool slot_run(void *slot_, const struct rf_device_batch *batch, struct rf_device_result *result, char *why)
{
    slot *slot = static_cast<struct slot *>(slot_);
    const size_t in_bytes = input_bytes(slot, *batch);
    const uint32_t words = words_of(batch->rows);
    result->is_lost = false;
    if (batch->rows > slot->rows_max || batch->struct_size != sizeof *batch || result->struct_size != sizeof *result) {
        snprintf(why, RF_DEVICE_WHY, "a batch of %u rows in a slot for %u", batch->rows, slot->rows_max);
        return false;
    }
    cudaError_t error = input_reserve(slot, in_bytes);
    if (error != cudaSuccess) {
        return say(why, "no memory for a batch on the device", error);
    }
    error = batch->rows == 0 ? cudaSuccess : batch_run(slot, *batch, in_bytes);
    if (error != cudaSuccess) {
        result->is_lost = error != cudaErrorMemoryAllocation;
        return say(why, "a batch failed on the device", error);
    }
    const size_t predicates = slot->of->on_device.predicates;
    result->truth = slot->out_host;
    result->falsity = slot->out_host + predicates * words;
    result->redo = slot->out_host + 2 * predicates * words;
    result->bytes_sent = in_bytes;
    result->bytes_received = out_words(slot, words) * sizeof(uint32_t);
    return true;
}

void slot_close(void *slot_)
{
    slot *slot = static_cast<struct slot *>(slot_);
    if (slot->has_stream) {
        (void)cudaStreamSynchronize(slot->stream);
        (void)cudaStreamDestroy(slot->stream);
    }
    input_free(slot);
    (void)cudaFree(slot->registers);
    (void)cudaFree(slot->out_device);
    (void)cudaFreeHost(slot->out_host);
    free(slot);
}

} // namespace riffle
