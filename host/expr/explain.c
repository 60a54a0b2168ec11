#include "compile.h"

#include <stdlib.h>

#include "calc_plan.h"
#include "explain_calc.h"
#include "node_text.h"

enum {
    USERS_SHOWN = 8,  /* atoms named beside a slot */
    ITEMS_SHOWN = 12, /* members of a set */
    PART_BYTES = 48   /* of source, cut */
};

struct explain {
    const struct rf_compiled *compiled;
    const struct rf_program *program;
    struct rf_text *out;
    struct rf_error *err;
    bool *is_host_slot;       /* [slots] a tree that the interpreter runs reads it */
    bool *is_projection_slot; /* [slots] */
};

static const char *const compare_text[] = {
    [RF_EQ] = "==", [RF_LT] = "<", [RF_LE] = "<=", [RF_GT] = ">", [RF_GE] = ">="};

static const char *const atom_text[] = {
#define RF_ATOM(name, text, constants, meaning) [name] = text,
#define RF_BOOL_OP(name, text, operands)
#define RF_ARITH_OP(name, text, operands)
#include "op.def"
#undef RF_ATOM
#undef RF_BOOL_OP
#undef RF_ARITH_OP
};

struct bool_op_info {
    const char *text;
    unsigned operands;
};

static const struct bool_op_info bool_op_info[] = {
#define RF_ATOM(name, text, constants, meaning)
#define RF_BOOL_OP(name, text, operands) [name] = {text, operands},
#define RF_ARITH_OP(name, text, operands)
#include "op.def"
#undef RF_ATOM
#undef RF_BOOL_OP
#undef RF_ARITH_OP
};

#define SAY(x, ...) RF_TRY(rf_text_printf((x)->out, (x)->err, __VA_ARGS__))

/* ---- Expressions ---- */

/* at: of the predicates and projections. */
static enum rf_status expression_write(struct explain *x, const char *what, uint32_t number, uint32_t at,
                                       const struct rf_node *tree)
{
    SAY(x, "  %s %u: ", what, number);
    RF_TRY(rf_node_write(x->out, tree, x->err));
    SAY(x, "\n    type     %s\n    written  ", rf_type_name(tree->type));
    const struct rf_span written = x->compiled->written[at];
    for (uint32_t i = written.begin; i < written.end; i++) {
        const char c = x->compiled->source[at].data[i];
        RF_TRY(rf_text_append_char(x->out, (unsigned char)c < 0x20 || c == 0x7f ? ' ' : c, x->err));
    }
    SAY(x, "\n");
    return RF_OK;
}

/* Who makes the value of a selected record. */
static enum rf_status projection_write(struct explain *x, uint32_t number)
{
    const struct rf_node *tree = x->compiled->projection[number];
    RF_TRY(expression_write(x, "projection", number, x->program->predicates + number, tree));
    if (tree->slot == RF_NONE) {
        SAY(x, "    made     by the host, for selected records\n");
    } else {
        SAY(x, "    made     from s%u, for selected records; lists and maps by the host\n", tree->slot);
    }
    return RF_OK;
}

static enum rf_status expressions_write(struct explain *x)
{
    SAY(x, "expressions\n");
    for (uint32_t p = 0; p < x->program->predicates; p++) {
        RF_TRY(expression_write(x, "predicate", p, p, x->compiled->predicate[p]));
    }
    for (uint32_t p = 0; p < x->compiled->projections; p++) {
        RF_TRY(projection_write(x, p));
    }
    return RF_OK;
}

/* ---- Slots ---- */

static void tree_mark(const struct rf_node *node, bool *is_used)
{
    if (node->slot != RF_NONE) {
        is_used[node->slot] = true;
        return;
    }
    for (uint32_t i = 0; i < node->args; i++) {
        tree_mark(node->arg[i], is_used);
    }
}

static bool atom_reads(const struct rf_atom *atom, uint32_t slot)
{
    if (atom->slot == slot || (atom->kind == RF_ATOM_CMP_SLOT && atom->other_slot == slot)) {
        return true;
    }
    for (uint32_t i = 0; i < atom->code_count; i++) {
        if (atom->code[i].op == RF_ARITH_SLOT && atom->code[i].slot == slot) {
            return true;
        }
    }
    return false;
}

static bool calc_reads(const struct rf_calc *calc, uint32_t slot)
{
    for (uint32_t i = 0; i < calc->args; i++) {
        if (calc->arg[i] == slot) {
            return true;
        }
    }
    return false;
}

static const char *slot_type(const struct rf_slot *slot, bool has_fix)
{
    switch (slot->root) {
    case RF_ROOT_MSG:
        return slot->is_hidden ? "step only" : "any JSON value";
    case RF_ROOT_RAW:
    case RF_ROOT_RECORD_FILE:
        return "string";
    case RF_ROOT_RECORD_NUMBER:
    case RF_ROOT_RECORD_OFFSET:
        return "int";
    case RF_ROOT_NOW:
        return "timestamp";
    case RF_ROOT_BINDING:
        return has_fix ? "of the FIX message" : "declared variable";
    case RF_ROOT_RECORD_ABSENT:
        break;
    }
    return "absent in this input: an error when used";
}

static enum rf_status slot_write(struct explain *x, uint32_t number)
{
    const struct rf_slot *slot = &x->program->slot[number];
    const size_t line_begin = x->out->count;
    SAY(x, "  s%-3u ", number);
    RF_TRY(rf_text_append(x->out, slot->text, x->err));
    RF_TRY(rf_explain_column(x->out, line_begin, x->err));
    SAY(x, "%s%s", slot_type(slot, x->program->fix_dict != NULL), slot->is_deep && slot->root != RF_ROOT_BINDING ? ", checked to the bottom" : "");
    uint32_t users = 0;
    for (uint32_t i = 0; i < x->program->atoms + x->program->calcs; i++) {
        const bool is_atom = i < x->program->atoms;
        const uint32_t user = is_atom ? i : i - x->program->atoms;
        if (!(is_atom ? atom_reads(&x->program->atom[user], number) : calc_reads(&x->program->calc[user], number))) {
            continue;
        }
        if (users < USERS_SHOWN) {
            SAY(x, "%s%c%u", users == 0 ? "; read by " : ", ", is_atom ? 'a' : 'c', user);
        }
        users++;
    }
    if (users > USERS_SHOWN) {
        SAY(x, " and %u more", users - USERS_SHOWN);
    }
    SAY(x, "%s%s\n", x->is_host_slot[number] ? "; by the host" : "",
        x->is_projection_slot[number] ? "; by projections" : "");
    return RF_OK;
}

static enum rf_status slots_write(struct explain *x)
{
    for (uint32_t h = 0; h < x->compiled->hosts; h++) {
        tree_mark(x->compiled->host[h], x->is_host_slot);
    }
    for (uint32_t p = 0; p < x->compiled->projections; p++) {
        tree_mark(x->compiled->projection[p], x->is_projection_slot);
    }
    SAY(x, "slots: what is read from each record\n");
    for (uint32_t s = 0; s < x->program->slots; s++) {
        RF_TRY(slot_write(x, s));
    }
    if (x->program->slots == 0) {
        SAY(x, "  none\n");
    }
    return RF_OK;
}

/* ---- Atoms ---- */

static enum rf_status number_write(struct explain *x, struct rf_number number)
{
    const enum rf_type type = number.kind == RF_NUMBER_INT    ? RF_TYPE_INT
                              : number.kind == RF_NUMBER_UINT ? RF_TYPE_UINT
                                                              : RF_TYPE_DOUBLE;
    return rf_literal_write(x->out, (struct rf_value){.type = type, .exact = number}, x->err);
}

static enum rf_status set_write(struct explain *x, const struct rf_set *set)
{
    const char *comma = "";
    SAY(x, "[");
    if (set->has_null) {
        SAY(x, "null");
        comma = ", ";
    }
    if (set->has_false) {
        SAY(x, "%sfalse", comma);
        comma = ", ";
    }
    if (set->has_true) {
        SAY(x, "%strue", comma);
        comma = ", ";
    }
    const uint32_t items = set->numbers + set->strings;
    for (uint32_t i = 0; i < items && i < ITEMS_SHOWN; i++) {
        SAY(x, "%s", comma);
        comma = ", ";
        RF_TRY(i < set->numbers ? number_write(x, set->number[i])
                                : rf_quoted_write(x->out, set->string[i - set->numbers], x->err));
    }
    if (items > ITEMS_SHOWN) {
        SAY(x, ", and %u more", items - ITEMS_SHOWN);
    }
    SAY(x, "]");
    return RF_OK;
}

/* A slot by its path, everything else by its number or as a literal. */
static enum rf_status term_write(struct explain *x, uint32_t term)
{
    return rf_term_is_slot(term) ? rf_text_append(x->out, x->program->slot[term].text, x->err)
                                 : rf_explain_term(x->out, x->program, term, x->err);
}

static enum rf_status atom_test_write(struct explain *x, const struct rf_atom *atom)
{
    if (atom->kind == RF_ATOM_HOST || atom->kind == RF_ATOM_ARITH) {
        return rf_node_write(x->out, x->compiled->host[atom->host], x->err);
    }
    if (atom->kind == RF_ATOM_HAS || atom->kind == RF_ATOM_SIZE) {
        SAY(x, "%s(", atom_text[atom->kind]);
    }
    RF_TRY(term_write(x, atom->slot));
    switch (atom->kind) {
    case RF_ATOM_HAS:
        return rf_text_append_char(x->out, ')', x->err);
    case RF_ATOM_SIZE:
        SAY(x, ") %s ", compare_text[atom->compare]);
        return number_write(x, atom->number);
    case RF_ATOM_STARTS:
    case RF_ATOM_ENDS:
    case RF_ATOM_CONTAINS:
        SAY(x, ".%s(", atom_text[atom->kind]);
        RF_TRY(rf_quoted_write(x->out, atom->string, x->err));
        return rf_text_append_char(x->out, ')', x->err);
    case RF_ATOM_EQ_NULL:
        SAY(x, " == null");
        return RF_OK;
    case RF_ATOM_CMP_BOOL:
        SAY(x, " %s %s", compare_text[atom->compare], atom->number.as.i != 0 ? "true" : "false");
        return RF_OK;
    case RF_ATOM_CMP_NUM:
        SAY(x, " %s ", compare_text[atom->compare]);
        return number_write(x, atom->number);
    case RF_ATOM_CMP_STR:
        SAY(x, " %s ", compare_text[atom->compare]);
        return rf_quoted_write(x->out, atom->string, x->err);
    case RF_ATOM_CMP_SLOT:
        SAY(x, " %s ", compare_text[atom->compare]);
        return term_write(x, atom->other_slot);
    case RF_ATOM_IN:
        SAY(x, " in ");
        return set_write(x, &atom->set);
    default:
        return RF_OK; /* TRUTH: the column itself */
    }
}

/* What in the leaf has no form over columns, and where: asked again, since plans need not remember it. */
static enum rf_status obstacle_write(struct explain *x, uint32_t host)
{
    const struct rf_node *leaf = x->compiled->host[host];
    if (rf_calcs_can(leaf)) {
        SAY(x, "host: %s\n", x->compiled->host_reason[host]);
        return RF_OK;
    }
    const struct rf_node *node = rf_calcs_obstacle_node(leaf);
    uint32_t p = 0;
    while (x->compiled->host_end[p] <= host) {
        p++;
    }
    const struct rf_str source = x->compiled->source[p];
    struct rf_diagnostic place;
    char part[PART_BYTES];
    rf_diagnostic_place(&place, source, node->span.begin, node->span.end);
    rf_diagnostic_cut((struct rf_str){source.data + place.begin, place.end - place.begin}, part, sizeof part);
    SAY(x, "host: %s, at ", rf_calcs_obstacle(node));
    if (x->program->predicates > 1) {
        SAY(x, "predicate %u, ", p);
    }
    SAY(x, "%u:%u %s\n", place.line, place.column, part);
    return RF_OK;
}

static enum rf_status atoms_write(struct explain *x)
{
    SAY(x, "atoms: what is tested, once for all predicates\n");
    for (uint32_t a = 0; a < x->program->atoms; a++) {
        const struct rf_atom *atom = &x->program->atom[a];
        const size_t line_begin = x->out->count;
        SAY(x, "  a%-3u ", a);
        RF_TRY(atom_test_write(x, atom));
        RF_TRY(rf_explain_column(x->out, line_begin, x->err));
        if (atom->kind == RF_ATOM_HOST) {
            RF_TRY(obstacle_write(x, atom->host));
        } else if (atom->host != RF_NONE) {
            SAY(x, "vector (%s); host: %s\n", atom_text[atom->kind], x->compiled->host_reason[atom->host]);
        } else {
            SAY(x, "vector (%s)\n", atom_text[atom->kind]);
        }
    }
    if (x->program->atoms == 0) {
        SAY(x, "  none\n");
    }
    return RF_OK;
}

/* ---- Program and prefilter ---- */

static enum rf_status program_write(struct explain *x)
{
    SAY(x, "program: true, false or error for 64 records at a time\n");
    for (uint32_t i = 0; i < x->program->code_count; i++) {
        const struct rf_bool *code = &x->program->code[i];
        const uint32_t operand[3] = {code->a, code->b, code->c};
        SAY(x, "  r%-3u = %s", i, bool_op_info[code->op].text);
        for (unsigned k = 0; k < bool_op_info[code->op].operands; k++) {
            SAY(x, " %c%u", code->op == RF_BOOL_ATOM ? 'a' : 'r', operand[k]);
        }
        SAY(x, "\n");
    }
    for (uint32_t p = 0; p < x->program->predicates; p++) {
        SAY(x, "  predicate %u is r%u\n", p, x->program->output[p]);
    }
    return RF_OK;
}

static enum rf_status prefilter_write(struct explain *x)
{
    SAY(x, "prefilter\n");
    if (x->program->groups == 0) {
        SAY(x, "  none: %s\n",
            x->program->predicates > 1 ? "several predicates share the pass"
            : x->program->needs_place  ? "record.number or record.offset is asked for, so no record is passed over"
                                       : "no text must stand in every selected record");
        return RF_OK;
    }
    for (uint32_t g = 0; g < x->program->groups; g++) {
        const struct rf_prefilter_group *group = &x->program->group[g];
        SAY(x, "  %s", g == 0 ? "a selected record holds " : "and holds ");
        for (uint32_t i = 0; i < group->literals; i++) {
            SAY(x, "%s", i == 0 ? "" : " or ");
            RF_TRY(rf_quoted_write(x->out, group->literal[i], x->err));
        }
        SAY(x, "\n");
    }
    SAY(x, "  other records are skipped unread, unless an escape could spell the text; used when both --on-error and\n"
           "  --on-malformed are drop, without -v and --validate, and not with --no-prefilter\n");
    return RF_OK;
}

static enum rf_status explain_write(struct explain *x)
{
    RF_TRY(expressions_write(x));
    SAY(x, "\n");
    RF_TRY(slots_write(x));
    if (x->program->predicates == 0) {
        return RF_OK;
    }
    SAY(x, "\n");
    if (x->program->calcs != 0) {
        SAY(x, "computed: columns that functions make, before the atoms that read them\n");
        RF_TRY(rf_explain_calcs(x->out, x->program, x->err));
        SAY(x, "\n");
    }
    RF_TRY(atoms_write(x));
    SAY(x, "\n");
    RF_TRY(program_write(x));
    SAY(x, "\n");
    return prefilter_write(x);
}

enum rf_status rf_explain(const struct rf_compiled *compiled, struct rf_text *out, struct rf_error *err)
{
    const size_t slots = compiled->program.slots;
    struct explain x = {.compiled = compiled, .program = &compiled->program, .out = out, .err = err};
    x.is_host_slot = calloc(2 * slots + 1, sizeof x.is_host_slot[0]);
    if (x.is_host_slot == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "out of memory while explaining %zu slots", slots);
    }
    x.is_projection_slot = x.is_host_slot + slots;
    const enum rf_status status = explain_write(&x);
    free(x.is_host_slot);
    return status;
}
