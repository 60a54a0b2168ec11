// device_program.cu: a program goes to the device once, in one run of bytes.
#include "device_parts.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace riffle {
namespace {

enum { ALIGN = 16 };

// Lays arrays one behind the other: first to know how much there is, then to copy.
struct layout {
    uint8_t *host; // nullptr: only counts
    uint8_t *device;
    size_t used;

    template <class T> const T *place(const T *from, size_t count)
    {
        const size_t at = used;
        used += (count * sizeof(T) + ALIGN - 1) / ALIGN * ALIGN;
        if (host != nullptr && count != 0) {
            memcpy(host + at, from, count * sizeof(T));
        }
        return reinterpret_cast<const T *>(device + at);
    }
};

void arrays_place(layout &to, const rf_device_program &from, rf_device_program &out)
{
    out.atom = to.place(from.atom, from.atoms);
    out.number = to.place(from.number, from.numbers);
    out.string = to.place(from.string, from.strings);
    out.arith = to.place(from.arith, from.ariths);
    out.text = to.place(from.text, from.text_bytes);
    out.code = to.place(from.code, from.codes);
    out.output = to.place(from.output, from.predicates);
    out.column_has_text = nullptr; // of the host alone
}

bool program_copy(program *made, const rf_device_program &from, char *why)
{
    layout count = {nullptr, nullptr, 0};
    rf_device_program ignored = from;
    arrays_place(count, from, ignored);
    const size_t bytes = count.used + ALIGN;
    const cudaError_t error = cudaMalloc(&made->memory, bytes);
    if (error != cudaSuccess) {
        return say(why, "no memory for a program on the device", error);
    }
    uint8_t *staging = static_cast<uint8_t *>(calloc(bytes, 1));
    if (staging == nullptr) {
        snprintf(why, RF_DEVICE_WHY, "no memory for a program of %zu bytes", bytes);
        return false;
    }
    layout copy = {staging, static_cast<uint8_t *>(made->memory), 0};
    made->on_device = from;
    arrays_place(copy, from, made->on_device);
    const cudaError_t copied = cudaMemcpy(made->memory, staging, bytes, cudaMemcpyHostToDevice);
    free(staging);
    return copied == cudaSuccess || say(why, "a program cannot be copied to the device", copied);
}

} // namespace

bool say(char *why, const char *what, cudaError_t error)
{
    (void)cudaGetLastError(); // so that it is not told again
    snprintf(why, RF_DEVICE_WHY, "%.100s: %.100s", what, cudaGetErrorString(error));
    return false;
}

void *program_make(const struct rf_device_program *from, char *why)
{
    if (from->struct_size != sizeof *from) {
        snprintf(why, RF_DEVICE_WHY, "a program of another version of riffle");
        return nullptr;
    }
    program *made = static_cast<program *>(calloc(1, sizeof *made));
    uint32_t *has_text = static_cast<uint32_t *>(calloc(from->columns + 1, sizeof *has_text));
    if (made == nullptr || has_text == nullptr) {
        free(made);
        free(has_text);
        snprintf(why, RF_DEVICE_WHY, "no memory for a program");
        return nullptr;
    }
    if (from->columns != 0) {
        memcpy(has_text, from->column_has_text, from->columns * sizeof *has_text);
    }
    made->column_has_text = has_text;
    if (!program_copy(made, *from, why)) {
        program_free(made);
        return nullptr;
    }
    return made;
}

void program_free(void *program_)
{
    program *made = static_cast<program *>(program_);
    (void)cudaFree(made->memory);
    free(made->column_has_text);
    free(made);
}

} // namespace riffle
