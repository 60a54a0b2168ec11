#include "device_plan.h"

#include <math.h>

#include "eval_row.h"

struct maker {
    const struct rf_program *program;
    const struct rf_eval_plan *plan;
    struct rf_device_program *out;
    uint32_t *column_of; /* [slots] */
    uint32_t *column;    /* [C] */
    uint32_t *has_text;  /* [C] */
    struct rf_device_atom *atom;
    uint64_t *number;
    struct rf_device_string *string;
    struct rf_device_arith *arith;
    char *text;
};

/* ---- What a device can run ---- */

static const char *atom_why_not(const struct rf_program *program, const struct rf_atom *atom)
{
    if (atom->kind == RF_ATOM_HOST || atom->kind == RF_ATOM_ARITH) {
        return NULL;
    }
    if (!rf_term_is_slot(atom->slot) || (atom->kind == RF_ATOM_CMP_SLOT && !rf_term_is_slot(atom->other_slot))) {
        return program->calcs != 0 ? "it has computed values" : "it compares with a constant that has no form there";
    }
    return NULL;
}

static const char *program_why_not(const struct rf_program *program)
{
    for (uint32_t a = 0; a < program->atoms; a++) {
        const char *why = atom_why_not(program, &program->atom[a]);
        if (why != NULL) {
            return why;
        }
    }
    return program->values != 0 ? "it has values for other readers" : NULL;
}

/* ---- Sizes ---- */

static size_t atom_text_bytes(const struct rf_atom *atom)
{
    size_t bytes = 0;
    switch (atom->kind) {
    case RF_ATOM_CMP_STR:
    case RF_ATOM_STARTS:
    case RF_ATOM_ENDS:
    case RF_ATOM_CONTAINS:
        return atom->string.count;
    case RF_ATOM_IN:
        for (uint32_t i = 0; i < atom->set.strings; i++) {
            bytes += atom->set.string[i].count;
        }
        return bytes;
    default:
        return 0;
    }
}

static enum rf_status arrays_make(struct maker *maker, struct rf_arena *arena, struct rf_error *err)
{
    const struct rf_program *program = maker->program;
    size_t numbers = 0;
    size_t strings = 0;
    size_t ariths = 0;
    size_t text = 0;
    for (uint32_t a = 0; a < program->atoms; a++) {
        const struct rf_atom *atom = &program->atom[a];
        numbers += atom->kind == RF_ATOM_IN ? 2 * (size_t)atom->set.numbers : 0; /* as doubles, and as integers */
        strings += atom->kind == RF_ATOM_IN ? atom->set.strings : 0;
        ariths += atom->kind == RF_ATOM_ARITH ? atom->code_count : 0;
        text += atom_text_bytes(atom);
    }
    if (numbers > UINT32_MAX || strings > UINT32_MAX || text > UINT32_MAX) {
        RF_FAIL(err, RF_E_LIMIT, "constants of %zu bytes are too many for a device", text);
    }
    maker->column_of = RF_PUSH(arena, uint32_t, program->slots);
    maker->column = RF_PUSH(arena, uint32_t, program->slots);
    maker->has_text = RF_PUSH(arena, uint32_t, program->slots);
    maker->atom = RF_PUSH(arena, struct rf_device_atom, program->atoms);
    maker->number = RF_PUSH(arena, uint64_t, numbers);
    maker->string = RF_PUSH(arena, struct rf_device_string, strings);
    maker->arith = RF_PUSH(arena, struct rf_device_arith, ariths);
    maker->text = RF_PUSH(arena, char, text);
    if (maker->column_of == NULL || maker->column == NULL || maker->has_text == NULL || maker->atom == NULL ||
        maker->number == NULL || maker->string == NULL || maker->arith == NULL || maker->text == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for a program of %u atoms on a device", program->atoms);
    }
    for (uint32_t s = 0; s < program->slots; s++) {
        maker->column_of[s] = RF_NONE;
    }
    return RF_OK;
}

/* ---- Atoms ---- */

static uint32_t column_add(struct maker *maker, uint32_t slot)
{
    if (maker->column_of[slot] == RF_NONE) {
        maker->column_of[slot] = maker->out->columns;
        maker->has_text[maker->out->columns] = 0;
        maker->column[maker->out->columns++] = slot;
    }
    return maker->column_of[slot];
}

/* Texts of the column are looked at; with needs_bytes also behind their first eight bytes. */
static void column_text(struct maker *maker, uint32_t column, bool needs_bytes)
{
    maker->has_text[column] = 1;
    maker->out->needs_bytes |= needs_bytes;
}

static uint32_t text_add(struct maker *maker, struct rf_str text)
{
    const uint32_t at = maker->out->text_bytes;
    if (text.count != 0) {
        memcpy(maker->text + at, text.data, text.count);
    }
    maker->out->text_bytes += (uint32_t)text.count;
    return at;
}

/* x <compare> number for every uint64 x. Beyond the range on one side: true for all or for none. */
static void constant_for_naturals(struct rf_device_atom *out, enum rf_compare compare, struct rf_number number)
{
    const struct rf_number low = {.kind = RF_NUMBER_UINT, .as.u = 0};
    const struct rf_number high = {.kind = RF_NUMBER_UINT, .as.u = UINT64_MAX};
    const enum rf_order to_low = rf_number_compare(number, low);
    const enum rf_order to_high = rf_number_compare(number, high);
    const bool is_lower = compare == RF_LT || compare == RF_LE;
    const bool is_above = to_high == RF_ORDER_GREATER;
    bool is_always = compare != RF_EQ && to_low != RF_ORDER_NONE && is_lower == is_above;
    if (to_low != RF_ORDER_NONE && to_low != RF_ORDER_LESS && !is_above) {
        const double whole = number.kind == RF_NUMBER_DOUBLE ? floor(number.as.d) : 0;
        const bool is_whole = number.kind != RF_NUMBER_DOUBLE || whole == number.as.d;
        out->natural_compare = is_whole ? (uint32_t)compare : is_lower ? RF_LE : RF_GT;
        out->natural_bits = number.kind == RF_NUMBER_DOUBLE ? (uint64_t)whole : number.as.u;
        if (is_whole || compare != RF_EQ) {
            return;
        }
        is_always = false;
    }
    out->natural_compare = is_always ? RF_LE : RF_GT;
    out->natural_bits = UINT64_MAX;
}

static void number_atom(struct rf_device_atom *out, const struct rf_atom *atom, const struct rf_eval_constant *constant)
{
    out->double_bits = constant->double_bits;
    out->double_compare = (uint32_t)constant->double_compare;
    out->integer_bits = constant->integer_bits;
    out->integer_compare = (uint32_t)constant->integer_compare;
    if (atom->kind == RF_ATOM_CMP_NUM) {
        constant_for_naturals(out, atom->compare, atom->number);
    }
}

static void text_atom(struct maker *maker, struct rf_device_atom *out, const struct rf_atom *atom)
{
    const bool is_search = atom->kind == RF_ATOM_ENDS || atom->kind == RF_ATOM_CONTAINS;
    column_text(maker, out->column, is_search || atom->string.count > sizeof out->head);
    out->head = rf_str_prefix(atom->string);
    out->text = text_add(maker, atom->string);
    out->text_bytes = (uint32_t)atom->string.count;
}

static void bool_atom(struct rf_device_atom *out, const struct rf_atom *atom)
{
    const bool constant = atom->number.as.i != 0;
    out->tags = (rf_order_holds(atom->compare, constant ? RF_ORDER_LESS : RF_ORDER_EQUAL) ? 1u : 0) |
                (rf_order_holds(atom->compare, constant ? RF_ORDER_EQUAL : RF_ORDER_GREATER) ? 2u : 0);
}

/* The number as a whole one. False: it is none of 64 bits. */
static bool number_whole(struct rf_number number, uint64_t *bits, bool *is_natural)
{
    *bits = number.as.u;
    *is_natural = number.kind == RF_NUMBER_UINT && number.as.u > (uint64_t)INT64_MAX;
    if (number.kind != RF_NUMBER_DOUBLE) {
        return true;
    }
    const double limit = 9223372036854775808.0; /* 2^63 */
    if (!(number.as.d >= -limit && number.as.d < 2 * limit) || floor(number.as.d) != number.as.d) {
        return false;
    }
    *is_natural = number.as.d >= limit;
    *bits = *is_natural ? (uint64_t)number.as.d : (uint64_t)(int64_t)number.as.d;
    return true;
}

static void set_numbers(struct maker *maker, struct rf_device_atom *out, const struct rf_set *set,
                        const struct rf_eval_constant *constant)
{
    uint32_t *numbers = &maker->out->numbers;
    out->first_double = *numbers;
    out->doubles = constant->doubles;
    for (uint32_t i = 0; i < constant->doubles; i++) {
        maker->number[(*numbers)++] = constant->double_of[i];
    }
    /* They ascend, so those above INT64_MAX come last. */
    out->first_integer = *numbers;
    for (uint32_t i = 0; i < set->numbers; i++) {
        uint64_t bits;
        bool is_natural;
        if (!number_whole(set->number[i], &bits, &is_natural)) {
            continue;
        }
        maker->number[(*numbers)++] = bits;
        out->integers += !is_natural;
        out->naturals += is_natural;
    }
    out->first_natural = out->first_integer + out->integers;
}

static void set_atom(struct maker *maker, struct rf_device_atom *out, const struct rf_atom *atom,
                     const struct rf_eval_constant *constant)
{
    const struct rf_set *set = &atom->set;
    out->tags = (set->has_null ? 1u : 0) | (set->has_false ? 2u : 0) | (set->has_true ? 4u : 0);
    if (set->numbers != 0) {
        set_numbers(maker, out, set, constant);
    }
    out->first_string = maker->out->strings;
    out->strings = set->strings;
    for (uint32_t i = 0; i < set->strings; i++) {
        const struct rf_str text = set->string[i];
        column_text(maker, out->column, text.count > sizeof out->head);
        maker->string[maker->out->strings++] =
            (struct rf_device_string){rf_str_prefix(text), text_add(maker, text), (uint32_t)text.count};
    }
}

static void arith_atom(struct maker *maker, struct rf_device_atom *out, const struct rf_atom *atom)
{
    out->column = RF_NONE;
    out->first_code = maker->out->ariths;
    out->codes = atom->code_count;
    for (uint32_t i = 0; i < atom->code_count; i++) {
        const struct rf_arith *code = &atom->code[i];
        maker->arith[maker->out->ariths++] =
            (struct rf_device_arith){.op = (uint32_t)code->op,
                                     .column = code->op == RF_ARITH_SLOT ? column_add(maker, code->slot) : 0,
                                     .constant = code->op == RF_ARITH_CONST ? code->constant : 0};
    }
}

static void atom_make(struct maker *maker, struct rf_device_atom *out, uint32_t number)
{
    const struct rf_atom *atom = &maker->program->atom[number];
    const struct rf_eval_constant *constant = &maker->plan->constant[number];
    *out = (struct rf_device_atom){.kind = (uint32_t)atom->kind, .compare = (uint32_t)atom->compare, .out = number};
    out->column = atom->kind == RF_ATOM_ARITH || atom->kind == RF_ATOM_HOST ? RF_NONE : column_add(maker, atom->slot);
    switch (atom->kind) {
    case RF_ATOM_CMP_NUM:
        number_atom(out, atom, constant);
        break;
    case RF_ATOM_SIZE:
        number_atom(out, atom, constant);
        column_text(maker, out->column, true);
        break;
    case RF_ATOM_CMP_BOOL:
        bool_atom(out, atom);
        break;
    case RF_ATOM_CMP_STR:
    case RF_ATOM_STARTS:
    case RF_ATOM_ENDS:
    case RF_ATOM_CONTAINS:
        text_atom(maker, out, atom);
        break;
    case RF_ATOM_CMP_SLOT:
        out->other = column_add(maker, atom->other_slot);
        column_text(maker, out->column, true);
        column_text(maker, out->other, true);
        break;
    case RF_ATOM_IN:
        set_atom(maker, out, atom, constant);
        break;
    case RF_ATOM_ARITH:
        arith_atom(maker, out, atom);
        break;
    case RF_ATOM_TRUTH:
    case RF_ATOM_HAS:
    case RF_ATOM_EQ_NULL:
    case RF_ATOM_HOST:
        break;
    }
}

/* ---- The boolean program ---- */

static enum rf_status code_make(struct maker *maker, struct rf_arena *arena, struct rf_error *err)
{
    const struct rf_eval_plan *plan = maker->plan;
    struct rf_device_code *code = RF_PUSH(arena, struct rf_device_code, plan->code_count);
    if (code == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for %u instructions on a device", plan->code_count);
    }
    for (uint32_t i = 0; i < plan->code_count; i++) {
        const struct rf_eval_code *from = &plan->code[i];
        code[i] = (struct rf_device_code){(uint32_t)from->op, from->out, from->a, from->b, from->c};
    }
    maker->out->code = code;
    maker->out->codes = plan->code_count;
    maker->out->registers = plan->registers;
    maker->out->output = plan->output;
    maker->out->predicates = maker->program->predicates;
    return RF_OK;
}

enum rf_status rf_device_plan_make(struct rf_device_plan *out, const struct rf_program *program,
                                   const struct rf_eval_plan *plan, struct rf_arena *arena, struct rf_error *err)
{
    *out = (struct rf_device_plan){.why_not = program_why_not(program)};
    if (out->why_not != NULL) {
        return RF_OK;
    }
    struct maker maker = {.program = program, .plan = plan, .out = &out->program};
    RF_TRY(arrays_make(&maker, arena, err));
    out->program.struct_size = sizeof out->program;
    for (uint32_t i = 0; i < plan->ordered; i++) { /* those that somebody reads */
        atom_make(&maker, &maker.atom[i], plan->order[i]);
    }
    out->column = maker.column;
    out->program.column_has_text = maker.has_text;
    out->program.atom = maker.atom;
    out->program.atoms = plan->ordered;
    out->program.number = maker.number;
    out->program.string = maker.string;
    out->program.arith = maker.arith;
    out->program.text = maker.text;
    return code_make(&maker, arena, err);
}
