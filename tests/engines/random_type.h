/* random_type.h: types as the expression generator knows them, and the overloads of function.def in them.
 *
 * Data       a type is a run of kinds, the outermost in the lowest byte: a list of lists of ints is KIND_LIST |
 *            KIND_LIST << 8 | KIND_INT << 16. Of a map only the type of its values is told. What is cut off is KIND_ANY.
 *            KIND_A and KIND_B stand for the type parameters of an overload.
 * Threads    overloads_open once before any other call; constant then.
 */
#ifndef RF_TEST_RANDOM_TYPE_H
#define RF_TEST_RANDOM_TYPE_H

#include "choice.h"
#include "program.h"

enum kind {
    KIND_ANY,
    KIND_NULL,
    KIND_BOOL,
    KIND_INT,
    KIND_UINT,
    KIND_DOUBLE,
    KIND_NUMBER, /* a message number, or any of the three */
    KIND_STRING,
    KIND_BYTES,
    KIND_LIST,
    KIND_MAP,
    KIND_TIMESTAMP,
    KIND_DURATION,
    KIND_TYPE,
    KIND_OPTIONAL,
    KIND_IP,
    KIND_CIDR,
    KIND_A,
    KIND_B,
    KINDS
};

static inline enum kind type_kind(uint32_t type)
{
    return (enum kind)(type & 0xff);
}

static inline uint32_t type_inner(uint32_t type)
{
    return type >> 8;
}

/* The constant form. */
#define RF_TYPE_PAIR(kind, inner) ((uint32_t)(kind) | (uint32_t)(inner) << 8)

static inline uint32_t type_of(enum kind kind, uint32_t inner)
{
    return RF_TYPE_PAIR(kind, inner);
}

/* Any type, lists and maps not too deep. */
uint32_t random_type(struct choice *choice);

enum { OVERLOAD_ARGS_MAX = 4 };

struct overload {
    enum rf_function function;
    uint32_t arg[OVERLOAD_ARGS_MAX];
    uint32_t args;
    uint32_t result;
};

void overloads_open(void);
/* One whose result can be `type`; its parameters A and B are replaced. False when no function gives such a type. */
bool random_overload(struct choice *choice, uint32_t type, struct overload *out);

#endif
