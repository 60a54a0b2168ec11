/* device_abi.h: what the program and the plug-in of a device, riffle_cuda.so, know of each other. Plain C, also for C++.
 *
 * Purpose    The program has no CUDA in it: it loads the plug-in when it runs, asks for this table, and uses nothing else of it.
 * Data       Numbers are of fixed width, texts are offsets into one run of bytes, so that a program or a batch is copied to the
 *            device as it lies. R rows, P predicates, A atoms, C columns, W = (R + 31) / 32 words.
 * Ownership  The plug-in owns what its functions return, until the function that closes it. What it is given may go once the
 *            call returns.
 * Threads    probe, self_test: one at a time. A program may be used by many threads, a slot by one at a time.
 * Errors     A function that can fail returns false, or NULL, and writes why[RF_DEVICE_WHY], a text for people. After a failed run
 *            nothing of the result is valid, and the slot may be used again unless `is_lost` is set.
 */
#ifndef RF_DEVICE_ABI_H
#define RF_DEVICE_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RF_DEVICE_ABI_VERSION 1u
#define RF_DEVICE_ENTRY "rf_device_plugin"

enum { RF_DEVICE_WHY = 256, RF_DEVICE_NAME = 128, RF_DEVICE_NONE = -1 };

struct rf_device_info {
    char name[RF_DEVICE_NAME];
    uint32_t major, minor;     /* compute capability */
    uint32_t multiprocessors;
    uint64_t memory_bytes;
    uint32_t driver, runtime;  /* CUDA versions: 1000 major + 10 minor */
};

enum { RF_DEVICE_TEXT_NONE = UINT32_MAX };

/* One atom (struct rf_atom) with its constants as the kernels compare them. */
struct rf_device_atom {
    uint32_t kind;     /* enum rf_atom_kind */
    uint32_t compare;  /* enum rf_compare */
    uint32_t column;   /* of program.column */
    uint32_t other;    /* CMP_SLOT: a column */
    uint64_t double_bits, integer_bits, natural_bits; /* CMP_NUM: the constant for payloads of that kind, and its */
    uint32_t double_compare, integer_compare, natural_compare; /* operator, as in struct rf_eval_constant */
    uint32_t text, text_bytes; /* CMP_STR, STARTS, ENDS, CONTAINS: in program.text */
    uint64_t head;             /* rf_str_prefix of it */
    uint32_t first_double, doubles;   /* IN: of program.number, ascending as doubles; no -0 */
    uint32_t first_integer, integers; /* ascending as int64 */
    uint32_t first_natural, naturals; /* ascending as uint64; only above INT64_MAX */
    uint32_t first_string, strings;   /* of program.string, in byte order */
    uint32_t tags;                    /* IN: 1 null, 2 false, 4 true; CMP_BOOL: 1 false holds, 2 true holds */
    uint32_t first_code, codes;       /* ARITH: of program.arith */
    uint32_t out; /* register */
};

struct rf_device_string {
    uint64_t head;
    uint32_t text, bytes;
};

struct rf_device_arith {
    uint32_t op;     /* enum rf_arith_op */
    uint32_t column; /* SLOT */
    double constant;
};

struct rf_device_code { /* of the boolean program: registers 0 .. A - 1 are the atoms' */
    uint32_t op;        /* enum rf_bool_op; never ATOM */
    uint32_t out, a, b, c;
};

struct rf_device_program {
    uint32_t struct_size;
    uint32_t columns;
    const uint32_t *column_has_text; /* [C] 1: begin and length are read, and with needs_bytes the text */
    const struct rf_device_atom *atom;
    uint32_t atoms;
    uint32_t needs_bytes; /* some atom looks behind the first eight bytes of a text */
    const uint64_t *number;
    uint32_t numbers;
    uint32_t strings;
    const struct rf_device_string *string;
    const struct rf_device_arith *arith;
    uint32_t ariths;
    uint32_t text_bytes;
    const char *text;
    const struct rf_device_code *code;
    uint32_t codes;
    uint32_t registers;
    const uint32_t *output; /* [P] registers */
    uint32_t predicates;
};

struct rf_device_column {
    const uint8_t *tag;      /* [R] enum rf_tag */
    const uint64_t *payload; /* [R] */
    const uint32_t *begin;   /* [R] as in struct rf_column; only of a column that has text */
    const uint32_t *length;
};

struct rf_device_batch {
    uint32_t struct_size;
    uint32_t rows;
    const struct rf_device_column *column; /* [C] */
    const uint8_t *bytes;
    const uint8_t *side;
    uint32_t bytes_used;
    uint32_t side_used;
    uint64_t id; /* for profilers: the batch's number in the run */
};

struct rf_device_result {
    uint32_t struct_size;
    bool is_lost; /* the device is gone: no slot will work again */
    /* Written by the plug-in, which owns them until the slot's next run. Bit r % 32 of word r / 32 is row r; bits behind R are
     * garbage. */
    const uint32_t *truth;   /* [P][W] */
    const uint32_t *falsity; /* [P][W] neither: an error */
    const uint32_t *redo;    /* [W] rows that some atom cannot decide here: the program must decide them anew */
    uint64_t bytes_sent, bytes_received;
};

struct rf_device_api {
    uint32_t abi_version;
    uint32_t struct_size;
    bool (*probe)(struct rf_device_info *info, char *why);
    bool (*self_test)(char *why); /* a small kernel against the same on the CPU */
    void *(*program_make)(const struct rf_device_program *program, char *why);
    void (*program_free)(void *program);
    void *(*slot_open)(const void *program, uint32_t rows_max, char *why);
    bool (*slot_run)(void *slot, const struct rf_device_batch *batch, struct rf_device_result *result, char *why);
    void (*slot_close)(void *slot);
};

typedef const struct rf_device_api *(*rf_device_entry)(void);

#endif
