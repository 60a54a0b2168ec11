/* fuzz_expr.c: arbitrary text as an expression.
 *
 * The first byte chooses options and use; the rest is the source. Parsing and planning never crash and end in one of
 * three ways; a diagnostic lies in the source and can be printed; a compiled program has consistent indices, and the
 * text of its folded tree, when it compiles, folds to the same text.
 */
#include <stdlib.h>

#include "compile.h"
#include "node_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
    if (!holds) {
        abort();
    }
}

static void check_diagnostic(const struct rf_diagnostic *diagnostic, struct rf_str source)
{
    struct rf_text out = {0};
    struct rf_error err = {0};
    check(diagnostic->begin <= diagnostic->end && diagnostic->end <= source.count);
    check(diagnostic->line >= 1 && diagnostic->column >= 1 && diagnostic->text[0] != '\0');
    check(rf_diagnostic_print(diagnostic, source, &out, &err) == RF_OK);
    rf_text_free(&out);
}

static void check_trie(const struct rf_program *program)
{
    check(program->nodes >= 1 && program->node[0].parent == RF_NONE);
    for (uint32_t n = 0; n < program->nodes; n++) {
        const struct rf_trie_node *node = &program->node[n];
        check(n == 0 || (node->parent < n && node->depth == program->node[node->parent].depth + 1));
        check(node->depth <= program->depth_max);
        check(node->slot < program->slots || (n == 0 && node->slot == RF_NONE));
        check(node->slot == RF_NONE || program->slot[node->slot].node == n);
        for (uint32_t child = node->first_child; child != RF_NONE; child = program->node[child].next_sibling) {
            check(child < program->nodes && program->node[child].parent == n);
        }
    }
    for (uint32_t s = 0; s < program->slots; s++) {
        const struct rf_slot *slot = &program->slot[s];
        check(slot->root != RF_ROOT_MSG || program->node[slot->node].slot == s);
    }
}

/* What terms may name in one program: a child of a macro has its own numbers. */
struct terms {
    uint32_t slots;
    uint32_t constants;
    uint32_t calcs; /* computed columns that stand before */
};

static void check_term(const struct terms *terms, uint32_t term)
{
    const uint32_t number = term & RF_TERM_NUMBER;
    check((term & RF_TERM_CONSTANT) == 0 || (term & RF_TERM_COMPUTED) == 0);
    if (rf_term_is_slot(term)) {
        check(number < terms->slots);
    } else {
        check(number < ((term & RF_TERM_CONSTANT) != 0 ? terms->constants : terms->calcs));
    }
}

static void check_calcs(const struct rf_calc *calc, uint32_t calcs, uint32_t slots, uint32_t constants);

static void check_child(const struct rf_child *child, const struct terms *around)
{
    check(child->variables == 1 || child->variables == 2);
    for (uint32_t i = 0; i < child->captures; i++) {
        check_term(around, child->capture[i]);
    }
    const struct terms inside = {child->variables + child->captures, child->constants, child->calcs};
    check_calcs(child->calc, child->calcs, inside.slots, inside.constants);
    check_term(&inside, child->body);
    if (child->condition != RF_NONE) {
        check_term(&inside, child->condition);
    }
}

static void check_calcs(const struct rf_calc *calc, uint32_t calcs, uint32_t slots, uint32_t constants)
{
    for (uint32_t c = 0; c < calcs; c++) {
        const struct terms before = {slots, constants, c};
        check(calc[c].function < RF_FUNCTION_COUNT && calc[c].args <= RF_CALC_ARGS_MAX);
        for (uint32_t i = 0; i < calc[c].args; i++) {
            check_term(&before, calc[c].arg[i]);
        }
        if (calc[c].child != NULL) {
            check_child(calc[c].child, &before);
        }
    }
}

static void check_atom(const struct rf_compiled *compiled, const struct rf_atom *atom)
{
    const struct rf_program *program = &compiled->program;
    const struct terms terms = {program->slots, program->constants, program->calcs};
    const bool has_term = atom->kind != RF_ATOM_ARITH && atom->kind != RF_ATOM_HOST;
    check(has_term == (atom->slot != RF_NONE));
    if (has_term) {
        check_term(&terms, atom->slot);
    }
    if (atom->kind == RF_ATOM_CMP_SLOT) {
        check_term(&terms, atom->other_slot);
    }
    check(atom->host == RF_NONE || atom->host < compiled->hosts);
    check(has_term || atom->host != RF_NONE);
    for (uint32_t i = 1; i < atom->set.numbers; i++) {
        check(rf_number_compare(atom->set.number[i - 1], atom->set.number[i]) == RF_ORDER_LESS);
    }
    for (uint32_t i = 1; i < atom->set.strings; i++) {
        check(rf_str_compare(atom->set.string[i - 1], atom->set.string[i]) < 0);
    }
    uint32_t top = 0;
    for (uint32_t i = 0; i < atom->code_count; i++) {
        const enum rf_arith_op op = atom->code[i].op;
        if (op == RF_ARITH_SLOT || op == RF_ARITH_CONST) {
            check(op == RF_ARITH_CONST || atom->code[i].slot < program->slots);
            top++;
        } else if (op != RF_ARITH_NEG) {
            check(top >= 2);
            top--;
        }
        check(top >= 1 && top <= RF_ARITH_STACK_MAX);
    }
    check(atom->kind != RF_ATOM_ARITH || top == 2);
}

static void check_program(const struct rf_compiled *compiled)
{
    const struct rf_program *program = &compiled->program;
    check_trie(program);
    check_calcs(program->calc, program->calcs, program->slots, program->constants);
    for (uint32_t i = 0; i < program->values; i++) {
        const struct terms terms = {program->slots, program->constants, program->calcs};
        if (program->value[i] != RF_NONE) {
            check_term(&terms, program->value[i]);
        }
    }
    for (uint32_t a = 0; a < program->atoms; a++) {
        check_atom(compiled, &program->atom[a]);
    }
    for (uint32_t i = 0; i < program->code_count; i++) {
        const struct rf_bool *code = &program->code[i];
        check(code->op != RF_BOOL_ATOM || code->a < program->atoms);
        check(code->op < RF_BOOL_NOT || code->a < i);
        check(code->op < RF_BOOL_AND || code->b < i);
        check(code->op < RF_BOOL_SELECT || code->c < i);
    }
    for (uint32_t p = 0; p < program->predicates; p++) {
        check(program->output[p] < program->code_count);
    }
    for (uint32_t g = 0; g < program->groups; g++) {
        check(program->group[g].literals >= 1 && program->group[g].literals <= 16);
        for (uint32_t i = 0; i < program->group[g].literals; i++) {
            check(program->group[g].literal[i].count >= 2 && program->group[g].literal[i].count <= 64);
        }
    }
}

/* NaN and Infinity have no literal: they would be read as fields. A refused text is no failure either: folding may
 * leave what inference then knows to be an error, and a tree may be deeper as text than it was. */
static void check_text(const struct rf_compiled *compiled, struct rf_str text)
{
    struct rf_compiled again;
    struct rf_diagnostic diagnostic;
    struct rf_error err = {0};
    uint32_t failed;
    if (rf_str_contains(text, RF_STR("NaN")) || rf_str_contains(text, RF_STR("Infinity")) ||
        rf_compile(&text, 1, NULL, 0, compiled->options, &again, &diagnostic, &failed, &err) != RF_OK) {
        return;
    }
    struct rf_text out = {0};
    check_program(&again);
    check(rf_node_write(&out, again.predicate[0], &err) == RF_OK);
    check(rf_str_equal(rf_text_str(&out), text));
    rf_text_free(&out);
    rf_compiled_close(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    const struct rf_compile_options options = {.is_strict_cel = (data[0] & 1) != 0, .is_text = (data[0] & 2) != 0};
    const bool is_projection = (data[0] & 4) != 0;
    const struct rf_str source = {(const char *)data + 1, size - 1};
    struct rf_compiled compiled;
    struct rf_diagnostic diagnostic;
    struct rf_error err = {0};
    uint32_t failed;
    const enum rf_status status =
        rf_compile(&source, !is_projection, &source, is_projection, options, &compiled, &diagnostic, &failed, &err);
    if (status == RF_E_EXPR) {
        check_diagnostic(&diagnostic, source);
        return 0;
    }
    check(status == RF_OK || status == RF_E_LIMIT);
    if (status != RF_OK) {
        return 0;
    }
    check_program(&compiled);
    struct rf_text out = {0};
    check(rf_explain(&compiled, &out, &err) == RF_OK);
    if (!is_projection) {
        rf_text_clear(&out);
        check(rf_node_write(&out, compiled.predicate[0], &err) == RF_OK);
        check_text(&compiled, rf_text_str(&out));
    }
    rf_text_free(&out);
    rf_compiled_close(&compiled);
    return 0;
}
