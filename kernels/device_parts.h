/* device_parts.h: what the files of the plug-in riffle_cuda.so share. C++, included by .cu files alone.
 *
 * Data       Everything of a program lies on the device as device_abi.h has it, its pointers turned into the device's. A slot has
 *            one run of bytes on each side, laid out alike, so that a batch goes over in one copy:
 *              table[C] of columns, the columns, batch bytes, side text
 * Threads    a slot has a stream of its own; slots of several threads overlap: one copies while another computes.
 */
#ifndef RF_DEVICE_PARTS_H
#define RF_DEVICE_PARTS_H

#include <cuda_runtime.h>

extern "C" {
#include "column.h"
#include "device_abi.h"
#include "program.h"
}

namespace riffle {

enum { ROWS_PER_WORD = 32, ATOMS_PER_TILE = 64, WORDS_PER_BLOCK = 8 };

struct program { /* host: pointers to the device */
    struct rf_device_program on_device;
    uint32_t *column_has_text; /* [C] on the host */
    void *memory;
};

struct eval_args { /* of the kernels, by value */
    const struct rf_device_atom *atom;
    uint32_t atoms;
    const struct rf_device_column *column;
    const uint8_t *bytes;
    const uint8_t *side;
    const uint64_t *number;
    const struct rf_device_string *string;
    const struct rf_device_arith *arith;
    const char *text;
    uint32_t rows;
    uint32_t words;      /* (rows + 31) / 32 */
    uint32_t *truth;     /* [registers][words] */
    uint32_t *falsity;
    uint32_t *redo;      /* [words] zero before */
};

struct combine_args {
    const struct rf_device_code *code;
    uint32_t codes;
    const uint32_t *output;
    uint32_t predicates;
    uint32_t words;
    uint32_t *truth; /* [registers][words] */
    uint32_t *falsity;
    uint32_t *result_truth; /* [predicates][words] */
    uint32_t *result_falsity;
    uint32_t *redo; /* [words] rows that some atom left open; becomes those where that matters */
};

/* Start kernels; cudaGetLastError tells. */
void eval_atoms_start(const struct eval_args &args, cudaStream_t stream);
void combine_start(const struct combine_args &args, cudaStream_t stream);

void *program_make(const struct rf_device_program *program, char *why);
void program_free(void *program);
void *slot_open(const void *program, uint32_t rows_max, char *why);
bool slot_run(void *slot, const struct rf_device_batch *batch, struct rf_device_result *result, char *why);
void slot_close(void *slot);

/* False, with the sentence in why: "WHAT: what CUDA says". */
bool say(char *why, const char *what, cudaError_t error);

} // namespace riffle

#endif
