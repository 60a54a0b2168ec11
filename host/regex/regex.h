/* regex.h: regular expressions in RE2's syntax, compiled to a table; the answer is whether a text has a match.
 *
 * Purpose    Search without anchors in many short texts, in time linear in the text for every pattern. A pattern
 *            becomes a minimised deterministic automaton over classes of bytes; where that would grow beyond its
 *            bounds, the nondeterministic one is simulated instead.
 * Syntax     All of RE2's with its defaults (^ and $ only at the ends of the text, a dot is no newline, Unicode, case
 *            as written); groups may be named, (?P<n>...) or (?<n>...), but what they match is not told. \C is one
 *            byte. \b and \B are of ASCII words. Refused like there: backreferences, looking around, \Z, a** and its
 *            like.
 * Data       texts are well-formed UTF-8. Other texts are safe, but what they match is not defined: the tables rely on
 *            bytes that follow each other as UTF-8 has it.
 *            DFA: state' = next[state << class_shift | class_of[byte]]. States are numbered so that one compare tells
 *            what matters, in this order:
 *                [0, end_begin)          no match so far
 *                [end_begin, match)      a match if the text ends here
 *                match                   a match whatever follows: it leads only to itself
 *                dead = match + 1        no match whatever follows: it leads only to itself
 *            NFA: node[nodes] and range[ranges], see below; indices instead of pointers. Both forms may be copied to
 *            another memory as they are.
 * Ownership  struct rf_regex and its tables live in the arena of the caller; compiling takes and frees memory of its
 *            own besides. Matching takes none (the NFA: some 35 KiB of stack).
 * Threads    a compiled pattern never changes: any number of threads may match with it.
 * Errors     RF_E_EXPR for a pattern that is wrong, RF_E_LIMIT for one beyond a bound below or when the arena is full;
 *            the text says which. *error_at is the byte offset of the fault in the pattern, 0 when it is the whole.
 *            Too large a DFA is no error: kind is RF_REGEX_NFA then.
 * Source     https://github.com/google/re2/wiki/Syntax; Unicode 15.0. Thompson, Regular Expression Search Algorithm,
 *            1968, for the NFA; Rabin and Scott, Finite Automata and Their Decision Problems, 1959, for the states that
 *            are sets; Hopcroft, An n log n Algorithm for Minimizing States in a Finite Automaton, 1971.
 */
#ifndef RF_REGEX_H
#define RF_REGEX_H

#include "arena.h"
#include "status.h"

enum {
    RF_REGEX_PATTERN_BYTES_MAX = 65536,
    RF_REGEX_NESTING_MAX = 200, /* groups in groups */
    RF_REGEX_REPEAT_MAX = 1000, /* of one {n,m}, and of the product of nested ones */
    RF_REGEX_NODES_MAX = 65535, /* of the NFA, from which either form is made; over it RF_E_LIMIT */
    RF_REGEX_RANGES_MAX = 1 << 18,
    RF_REGEX_STATES_MAX = 8192,   /* of the DFA before it is minimised; over this and the next two the NFA is taken */
    RF_REGEX_CELLS_MAX = 1 << 20, /* of its table then: states x classes */
    RF_REGEX_WORK_MAX = 1 << 25,  /* steps of building it: about 0.1 s */
    RF_REGEX_LITERAL_BYTES_MAX = 64, /* of a required literal */
    RF_REGEX_SKIP_BYTES_MAX = 3
};

enum rf_regex_kind { RF_REGEX_DFA, RF_REGEX_NFA };

enum rf_regex_op {
    RF_REGEX_RANGES, /* one byte of range[first, first + count), ascending and apart: goes to the node named there */
    RF_REGEX_SPLIT,  /* goes to first and to second, without a byte */
    RF_REGEX_ASSERT, /* goes to first, without a byte, where the assertion holds */
    RF_REGEX_MATCH
};

enum rf_regex_assert { /* bits, so that sets of them can be written */
                       RF_ASSERT_TEXT_BEGIN = 1,
                       RF_ASSERT_TEXT_END = 2,
                       RF_ASSERT_LINE_BEGIN = 4,
                       RF_ASSERT_LINE_END = 8,
                       RF_ASSERT_WORD_EDGE = 16,
                       RF_ASSERT_WORD_INSIDE = 32 /* \B: no edge of a word */
};

struct rf_regex_node {
    uint8_t op;        /* enum rf_regex_op */
    uint8_t assertion; /* ASSERT: one enum rf_regex_assert */
    uint16_t count;    /* RANGES */
    uint32_t first;
    uint32_t second;
};

struct rf_regex_range {
    uint8_t low, high; /* both inclusive */
    uint16_t next;     /* node */
};

struct rf_regex_literal { /* a pattern that is nothing but a text */
    struct rf_str text;
    bool is_at_begin; /* ^abc */
    bool is_at_end;   /* abc$; with both the whole text must be equal */
};

struct rf_regex {
    enum rf_regex_kind kind;

    /* DFA; zero for the NFA */
    uint8_t class_of[256];
    uint32_t classes;
    uint32_t class_shift; /* a row of next has 1 << class_shift cells, those behind classes are unused */
    uint32_t states;
    uint32_t start;
    uint32_t end_begin, match, dead;
    const uint16_t *next; /* [states << class_shift], aligned to 64 bytes */
    /* When there are few, the bytes that lead out of the start state: all others may be skipped there. */
    uint8_t skip_byte[RF_REGEX_SKIP_BYTES_MAX];
    uint8_t skip_bytes;

    /* NFA; zero for the DFA */
    const struct rf_regex_node *node;
    uint32_t nodes;
    uint32_t first; /* node */
    const struct rf_regex_range *range;
    uint32_t ranges;
    bool has_first_byte; /* every match has a byte, and the first one is of these: bit b % 64 of word b / 64 */
    uint64_t first_byte[4];

    struct rf_str required;          /* empty when there is none */
    struct rf_regex_literal literal; /* text.data is NULL when the pattern is more than a literal */
};

struct rf_regex_options {
    bool is_nfa;         /* no DFA is tried */
    uint32_t states_max; /* at most RF_REGEX_STATES_MAX */
};

/* A pattern and where its compiled form goes. */
enum rf_status rf_regex_compile(struct rf_str pattern, struct rf_arena *arena, struct rf_regex **out, size_t *error_at,
                                struct rf_error *err);
enum rf_status rf_regex_compile_with(struct rf_str pattern, const struct rf_regex_options *options,
                                     struct rf_arena *arena, struct rf_regex **out, size_t *error_at,
                                     struct rf_error *err);

/* Whether the text has a match anywhere. */
bool rf_regex_match(const struct rf_regex *regex, struct rf_str text);
/* The same for count texts: bit i of bits[(count + 63) / 64] is the answer for text[i]; the bits behind are zero. Some
 * texts are looked at by turns, so that the loads of one hide behind those of the others. */
void rf_regex_match_many(const struct rf_regex *regex, const struct rf_str *text, uint32_t count, uint64_t *bits);

/* The longest text found, of 2 to RF_REGEX_LITERAL_BYTES_MAX bytes and whole code points, that stands in every text
 * with a match; false when none is known. */
bool rf_regex_required_literal(const struct rf_regex *regex, struct rf_str *literal);
/* Whether the pattern is just a literal: a search for it, or one at an end of the text, gives the same answer. The
 * literal may be empty. */
bool rf_regex_is_literal(const struct rf_regex *regex, struct rf_regex_literal *literal);

#endif
