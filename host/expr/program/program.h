/* program.h: the plan that every engine runs: slots to extract, atoms to test, a boolean program to combine.
 *
 * Purpose    The only header of host/expr that the kernels know. Plain data, no pointers to syntax trees.
 * Data       P predicates, F slots, A atoms (deduplicated over all predicates), N trie nodes.
 *            slot[F]        distinct paths, each extracted once
 *            node[N]        trie of all message paths; node 0 is the message itself. Every node but node 0
 *                           has a slot (is_hidden when no expression names it): extraction needs it to tell ABSENT
 *                           from NOPARENT.
 *            calc[C]        computed columns, each of slots, constants and computed columns before it
 *            atom[A]        one column against one constant, mostly
 *            code[C]        boolean program in SSA form: instruction i writes register i
 *            output[P]      register of each predicate
 * Ownership  everything lives in one arena owned by the program's maker (host/expr/planner.h).
 * Threads    immutable after it is made: any number of threads.
 * Source     three-valued logic as two bitmaps: CEL's commutative && and || (language definition, "Logical Operators").
 */
#ifndef RF_PROGRAM_H
#define RF_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "number.h"
#include "str.h"

enum { RF_NONE = 0xffffffffu }; /* no slot, node, atom or register */

enum rf_root {
    RF_ROOT_MSG,           /* the decoded payload and paths below it */
    RF_ROOT_RAW,           /* the record's bytes as text */
    RF_ROOT_RECORD_NUMBER, /* int, 1-based in its input */
    RF_ROOT_RECORD_OFFSET, /* int, bytes */
    RF_ROOT_RECORD_FILE,   /* string */
    RF_ROOT_NOW,           /* timestamp: one instant for the batch */
    RF_ROOT_RECORD_ABSENT, /* an envelope field that this input has not (record.key of a file) */
    RF_ROOT_BINDING        /* a declared variable, or what is read of a FIX message: its column is filled by whoever runs
                              the program */
};

/* A term is where an atom or a computation finds its column: a slot (its number), a constant or a computed column. */
enum { RF_TERM_CONSTANT = 0x40000000u, RF_TERM_COMPUTED = 0x80000000u, RF_TERM_NUMBER = 0x3fffffffu };

static inline bool rf_term_is_slot(uint32_t term)
{
    return (term & (RF_TERM_CONSTANT | RF_TERM_COMPUTED)) == 0;
}

struct rf_step { /* one step of a path: .key, ["key"] or [index] */
    bool is_index;
    uint32_t index;
    struct rf_str key; /* decoded text */
};

struct rf_trie_node {
    struct rf_step step;   /* from the parent; unused in node 0 */
    uint32_t parent;       /* RF_NONE for node 0 */
    uint32_t first_child;  /* RF_NONE at a leaf */
    uint32_t next_sibling; /* RF_NONE at the last */
    uint32_t depth;        /* 0 for node 0 */
    uint32_t slot;         /* RF_NONE only for node 0 when the message as a whole is not used */
};

struct rf_slot {
    enum rf_root root;
    uint32_t node;      /* for RF_ROOT_MSG */
    bool is_hidden;     /* an inner step only: its tag is needed, its value is not */
    bool is_deep;       /* used as a whole value: a list or object in it is validated to the bottom */
    uint32_t binding;   /* for RF_ROOT_BINDING: number of the declared variable, or of the access */
    struct rf_str text; /* as people write it: msg.venue["mic"] */
};

enum rf_function { /* operators, functions and macros of the language: one list for trees and for programs */
#define RF_FUNCTION(name, text, kind, family, form, args_min, args_max, signatures, meaning) name,
#include "function.def"
#undef RF_FUNCTION
                   RF_FUNCTION_COUNT
};

enum rf_compare { RF_EQ, RF_LT, RF_LE, RF_GT, RF_GE };

enum rf_atom_kind {
#define RF_ATOM(name, text, constants, meaning) name,
#define RF_BOOL_OP(name, text, operands)
#define RF_ARITH_OP(name, text, operands)
#include "op.def"
#undef RF_ATOM
#undef RF_BOOL_OP
#undef RF_ARITH_OP
};

enum rf_bool_op {
#define RF_ATOM(name, text, constants, meaning)
#define RF_BOOL_OP(name, text, operands) name,
#define RF_ARITH_OP(name, text, operands)
#include "op.def"
#undef RF_ATOM
#undef RF_BOOL_OP
#undef RF_ARITH_OP
};

enum rf_arith_op {
#define RF_ATOM(name, text, constants, meaning)
#define RF_BOOL_OP(name, text, operands)
#define RF_ARITH_OP(name, text, operands) name,
#include "op.def"
#undef RF_ATOM
#undef RF_BOOL_OP
#undef RF_ARITH_OP
};

struct rf_set {                     /* constants of an IN atom, by type */
    const struct rf_number *number; /* ascending, distinct on the number line; no NaN */
    uint32_t numbers;
    const struct rf_str *string; /* ascending byte order, distinct */
    uint32_t strings;
    bool has_null, has_false, has_true;
};

/* Something else than strings is in it. */
static inline bool rf_set_is_mixed(const struct rf_set *set)
{
    return set->numbers != 0 || set->has_null || set->has_false || set->has_true;
}

struct rf_arith { /* one postfix instruction */
    enum rf_arith_op op;
    uint32_t slot;   /* SLOT */
    double constant; /* CONST */
};

enum { RF_ARITH_STACK_MAX = 16 };

struct rf_atom {
    enum rf_atom_kind kind;
    enum rf_compare compare;
    uint32_t slot;       /* a term; RF_NONE for ARITH and HOST */
    uint32_t other_slot; /* CMP_SLOT: a term */
    struct rf_number number;
    struct rf_str string;
    struct rf_set set;
    const struct rf_arith *code; /* ARITH: left operand, then right operand, then the comparison */
    uint32_t code_count;
    uint32_t host; /* HOST, ARITH, SIZE, CMP_SLOT with RF_EQ, and all over computed columns: number of the syntax tree
                              that the interpreter runs for a row; else RF_NONE */
};

enum rf_constant_kind {
    RF_CONSTANT_ERROR, /* a name that nobody knows, where that is an error of the evaluation */
    RF_CONSTANT_NULL,
    RF_CONSTANT_BOOL,      /* number: 0 or 1 */
    RF_CONSTANT_NUMBER,    /* number: INT, UINT or DOUBLE */
    RF_CONSTANT_STRING,    /* text */
    RF_CONSTANT_BYTES,     /* text */
    RF_CONSTANT_TIMESTAMP, /* number: seconds; nanos */
    RF_CONSTANT_DURATION,  /* number: nanoseconds */
    RF_CONSTANT_TYPE,      /* text: its name */
    RF_CONSTANT_IP,        /* net, whose prefix is unused */
    RF_CONSTANT_CIDR,      /* net */
    RF_CONSTANT_LIST,      /* item[items] */
    RF_CONSTANT_MAP,       /* item[2 * items]: key, value, key, value ... */
    RF_CONSTANT_OPTIONAL   /* item[items]: one, or none */
};

struct rf_cidr;

struct rf_constant {
    enum rf_constant_kind kind;
    uint32_t nanos;
    struct rf_number number;
    struct rf_str text;
    const struct rf_cidr *net;
    const struct rf_constant *item;
    uint32_t items;
};

struct rf_regex;
struct rf_subject_set;
struct rf_zone;

enum { RF_CALC_ARGS_MAX = 64 };

/* What one evaluation of a macro may take, macros within it and all, before it ends as an error: a step for each run of a
 * body, and one for each byte or element that the body looks at or makes. A vector program counts at least what the
 * interpreter does, and asks it about rows that take more: the interpreter has the last word. */
enum { RF_WORK_MAX = 32 * 1024 * 1024, RF_WORK_STEP = 16 };

/* What a macro runs for each element: a program of its own over the elements of many rows at once. Its slots are its
 * variables, then what it takes from the program around it; constants and computed columns are its own. */
struct rf_child {
    uint32_t variables; /* 1: the element, or the key of a map; 2: index and element, or key and value */
    uint32_t captures;
    const uint32_t *capture; /* [captures] terms of the program around it */
    const struct rf_constant *constant;
    uint32_t constants;
    const struct rf_calc *calc;
    uint32_t calcs;
    uint32_t condition; /* term; RF_NONE: every element is taken */
    uint32_t body;      /* term */
    uint32_t items_max; /* of one row; the interpreter is asked about rows with more */
};

/* One computed column: a strict function, && || ?: over cells, or a macro, of its terms. */
struct rf_calc {
    enum rf_function function;
    bool is_strict_cel; /* message numbers are plain doubles */
    uint32_t times;     /* how often the tree has it: computed once, as work it counts so often */
    uint32_t args;
    const uint32_t *arg; /* [args] terms; computed ones stand before */
    uint64_t optional;   /* LIST, MAP: bit i: argument i is left out when the optional that it is holds nothing */
    const struct rf_regex *regex; /* MATCHES: of the constant pattern */
    const struct rf_subject_set *subjects; /* SUBJECT: of the constant patterns */
    const struct rf_zone *zone;   /* parts of a time: of the constant name; NULL: there is none, or it is unknown */
    const struct rf_child *child; /* macros: arg[0] is what they run over, then the captures */
};

struct rf_bool {
    enum rf_bool_op op;
    uint32_t a, b, c; /* registers; ATOM: a = atom number; SELECT: a ? b : c */
};

/* Raw-byte prefilter: a row can only be selected when, for each group, one of its literals occurs in the row's bytes or an
 * escape could spell it. Groups are conjunctive; literals within a group are alternatives. */
struct rf_prefilter_group {
    const struct rf_str *literal; /* 2..64 bytes each, no '"', '\\', control byte */
    uint32_t literals;
    bool has_slash; /* a literal holds '/', which JSON may write as \/ */
};

enum rf_fix_form {
#define RF_FIX_FORM(name, text, meaning) name,
#include "fix_form.def"
#undef RF_FIX_FORM
    RF_FIX_FORM_COUNT
};

/* What expressions read of a FIX message: each distinct access once. */
struct rf_fix_access {
    enum rf_fix_form form;
    uint32_t tag;  /* VALUE, RAW, HAS, ALL; of a group that which counts its entries; else 0 */
    uint32_t type; /* VALUE, ALL: enum rf_fix_type */
    struct rf_str name; /* as people write it: fix.Symbol, fix[9702], fix.raw(44) */
};

struct rf_fix_dict;

struct rf_program {
    struct rf_slot *slot;
    uint32_t slots;
    struct rf_trie_node *node;
    uint32_t nodes;
    uint32_t depth_max; /* of the trie */
    struct rf_atom *atom;
    uint32_t atoms;
    struct rf_constant *constant;
    uint32_t constants;
    struct rf_calc *calc; /* computed column i */
    uint32_t calcs;
    uint32_t *value; /* [values] terms that the program's user reads besides the predicates; RF_NONE: only the
                             interpreter has it */
    uint32_t values;
    const struct rf_fix_dict *fix_dict; /* records are FIX messages; else NULL */
    const struct rf_fix_access *fix;    /* [fixes] bindings 0 .. of such a program */
    uint32_t fixes;
    struct rf_bool *code;
    uint32_t code_count;
    uint32_t *output; /* [predicates] registers */
    uint32_t predicates;
    bool has_host;      /* some atom is HOST, or may ask the host for single rows */
    bool needs_message; /* some slot is RF_ROOT_MSG (false for -f text and raw-only programs) */
    bool needs_number;  /* some slot is RF_ROOT_RECORD_NUMBER */
    bool needs_place;   /* that, or RF_ROOT_RECORD_OFFSET: there are no groups, since no record may be passed over */
    struct rf_prefilter_group *group; /* none = no prefilter is sound */
    uint32_t groups;
};

#endif
