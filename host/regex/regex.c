#include "regex.h"

#include "regex_dfa.h"
#include "regex_literal.h"
#include "regex_parser.h"

enum {
    TREE_BYTES_MAX = 32 << 20,    /* parsing and what is known about literals */
    PROGRAM_BYTES_MAX = 32 << 20, /* the bounds of regex.h stay below it but for odd patterns */
    DFA_BYTES_MAX = 64 << 20
};

/* False for a bound: then the NFA is the way. */
static bool regex_determine(const struct rf_program *program, uint32_t states_max, struct rf_arena *arena,
                            struct rf_regex *regex)
{
    struct rf_arena scratch;
    struct rf_dfa dfa;
    uint32_t blocks;
    rf_arena_init(&scratch, DFA_BYTES_MAX);
    bool is_done = rf_dfa_build(program, states_max, &scratch, &dfa);
    if (is_done) {
        uint16_t *const block = RF_PUSH(&scratch, uint16_t, dfa.states);
        is_done = block != NULL && rf_dfa_minimise(&dfa, &scratch, block, &blocks) &&
                  rf_dfa_finish(&dfa, block, blocks, &scratch, arena, regex);
    }
    rf_arena_free(&scratch);
    return is_done;
}

/* The automaton of a tree, in whichever form. */
static enum rf_status regex_build(const struct rf_tree *tree, const struct rf_tree_maker *maker,
                                  const struct rf_regex_options *options, struct rf_arena *scratch,
                                  struct rf_arena *arena, struct rf_regex *regex, struct rf_error *err)
{
    struct rf_program draft = {.arena = scratch};
    struct rf_program program;
    if (!rf_program_emit(&draft, tree, maker) || !rf_program_pack(&draft, scratch, &program)) {
        RF_FAIL(
            err, RF_E_LIMIT,
            "regular expression: the pattern is too large when its repetitions and classes are written out; at most %d "
            "nodes are allowed",
            RF_REGEX_NODES_MAX);
    }
    const struct rf_arena_mark mark = rf_arena_mark(arena);
    if (!options->is_nfa && regex_determine(&program, options->states_max, arena, regex)) {
        return RF_OK;
    }
    rf_arena_rewind(arena, mark);
    struct rf_regex_node *const node = RF_PUSH(arena, struct rf_regex_node, program.nodes);
    struct rf_regex_range *const range = RF_PUSH(arena, struct rf_regex_range, program.ranges);
    if (node == NULL || range == NULL) {
        RF_FAIL(err, RF_E_LIMIT, "regular expression: the arena has no room for %u nodes", program.nodes);
    }
    memcpy(node, program.node, program.nodes * sizeof *node);
    memcpy(range, program.range, program.ranges * sizeof *range);
    *regex = (struct rf_regex){
        .kind = RF_REGEX_NFA,
        .node = node,
        .nodes = program.nodes,
        .first = program.first,
        .range = range,
        .ranges = program.ranges,
    };
    regex->has_first_byte = rf_program_first_bytes(&program, regex->first_byte);
    return RF_OK;
}

static enum rf_status regex_make(struct rf_str pattern, const struct rf_regex_options *options,
                                 struct rf_arena *scratch, struct rf_arena *arena, struct rf_regex **out,
                                 size_t *error_at, struct rf_error *err)
{
    struct rf_tree_maker maker = {.arena = scratch};
    struct rf_tree *tree;
    RF_TRY(rf_regex_parse(pattern, &maker, &tree, error_at, err));
    struct rf_regex *const regex = RF_PUSH(arena, struct rf_regex, 1);
    if (regex == NULL) {
        RF_FAIL(err, RF_E_LIMIT, "regular expression: the arena is full");
    }
    struct rf_arena programs;
    rf_arena_init(&programs, PROGRAM_BYTES_MAX);
    const enum rf_status status = regex_build(tree, &maker, options, &programs, arena, regex, err);
    rf_arena_free(&programs);
    RF_TRY(status);
    if (!rf_regex_find_literals(tree, scratch, arena, regex)) {
        RF_FAIL(err, RF_E_LIMIT, "regular expression: the arena is full");
    }
    *out = regex;
    return RF_OK;
}

enum rf_status rf_regex_compile_with(struct rf_str pattern, const struct rf_regex_options *options,
                                     struct rf_arena *arena, struct rf_regex **out, size_t *error_at,
                                     struct rf_error *err)
{
    struct rf_arena scratch;
    const struct rf_arena_mark mark = rf_arena_mark(arena);
    rf_arena_init(&scratch, TREE_BYTES_MAX);
    *out = NULL;
    *error_at = 0;
    const enum rf_status status = regex_make(pattern, options, &scratch, arena, out, error_at, err);
    rf_arena_free(&scratch);
    if (status != RF_OK) {
        rf_arena_rewind(arena, mark);
    }
    return status;
}

enum rf_status rf_regex_compile(struct rf_str pattern, struct rf_arena *arena, struct rf_regex **out, size_t *error_at,
                                struct rf_error *err)
{
    const struct rf_regex_options options = {.states_max = RF_REGEX_STATES_MAX};
    return rf_regex_compile_with(pattern, &options, arena, out, error_at, err);
}
