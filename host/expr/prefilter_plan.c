#include "prefilter_plan.h"

#include "regex.h"

/* The groups of one register. */
struct group_list {
    struct rf_prefilter_group *group;
    uint32_t count;
};

static bool literal_cut(struct rf_str text, struct rf_str *literal)
{
    if (text.count < RF_LITERAL_BYTES_MIN) {
        return false;
    }
    *literal = (struct rf_str){text.data, text.count < RF_LITERAL_BYTES_MAX ? text.count : RF_LITERAL_BYTES_MAX};
    for (size_t i = 0; i < literal->count; i++) {
        const unsigned char c = (unsigned char)literal->data[i];
        if (c < 0x20 || c == '"' || c == '\\' || c == 0x7f) {
            return false;
        }
    }
    return true;
}

/* Joins the literals of two groups, each once; false when there are too many. */
static bool group_join(struct rf_str *literal, uint32_t *count, const struct rf_str *more, uint32_t more_count)
{
    for (uint32_t i = 0; i < more_count; i++) {
        uint32_t k = 0;
        while (k < *count && !rf_str_equal(literal[k], more[i])) {
            k++;
        }
        if (k < *count) {
            continue;
        }
        if (*count == RF_LITERALS_MAX) {
            return false;
        }
        literal[(*count)++] = more[i];
    }
    return true;
}

static enum rf_status list_of_one(struct rf_arena *arena, const struct rf_str *literal, uint32_t count,
                                  struct group_list *list, struct rf_error *err)
{
    struct rf_prefilter_group *group = RF_PUSH(arena, struct rf_prefilter_group, 1);
    struct rf_str *kept = RF_PUSH(arena, struct rf_str, count);
    if (group == NULL || kept == NULL) {
        RF_FAIL(err, RF_E_LIMIT, "the expressions need more memory than their bound allows");
    }
    for (uint32_t i = 0; i < count; i++) {
        kept[i] = literal[i];
        group->has_slash = group->has_slash || rf_str_contains(literal[i], RF_STR("/"));
    }
    group->literal = kept;
    group->literals = count;
    *list = (struct group_list){group, 1};
    return RF_OK;
}

static size_t group_bytes_min(const struct rf_prefilter_group *group)
{
    size_t least = SIZE_MAX;
    for (uint32_t i = 0; i < group->literals; i++) {
        least = group->literal[i].count < least ? group->literal[i].count : least;
    }
    return least;
}

/* Is a row less likely to hold a than b? Long literals are rare, and few alternatives rarer than many. */
static bool group_is_rarer(const struct rf_prefilter_group *a, const struct rf_prefilter_group *b)
{
    const size_t a_bytes = group_bytes_min(a);
    const size_t b_bytes = group_bytes_min(b);
    return a_bytes != b_bytes ? a_bytes > b_bytes : a->literals < b->literals;
}

static bool group_equal(const struct rf_prefilter_group *a, const struct rf_prefilter_group *b)
{
    bool is_equal = a->literals == b->literals;
    for (uint32_t i = 0; is_equal && i < a->literals; i++) {
        is_equal = rf_str_equal(a->literal[i], b->literal[i]);
    }
    return is_equal;
}

/* Is the text of the term spelt in the record's bytes? The name of the file is not; computed text may not be. */
static bool term_is_in_record(const struct rf_program *program, uint32_t term)
{
    return rf_term_is_slot(term) &&
           (program->slot[term].root == RF_ROOT_MSG || program->slot[term].root == RF_ROOT_RAW);
}

/* What a regular expression asks for in every text that it matches. */
static enum rf_status regex_groups(struct rf_arena *arena, const struct rf_program *program, const struct rf_calc *calc,
                                   struct group_list *list, struct rf_error *err)
{
    struct rf_str literal;
    if (calc->function != RF_FN_MATCHES || !term_is_in_record(program, calc->arg[0]) ||
        !literal_cut(calc->regex->required, &literal)) {
        return RF_OK;
    }
    return list_of_one(arena, &literal, 1, list, err);
}

static enum rf_status atom_groups(struct rf_arena *arena, const struct rf_program *program, const struct rf_atom *atom,
                                  struct group_list *list, struct rf_error *err)
{
    struct rf_str literal[RF_LITERALS_MAX];
    uint32_t count = 0;
    const bool is_text = (atom->kind == RF_ATOM_CMP_STR && atom->compare == RF_EQ) || atom->kind == RF_ATOM_STARTS ||
                         atom->kind == RF_ATOM_ENDS || atom->kind == RF_ATOM_CONTAINS;
    const bool is_set = atom->kind == RF_ATOM_IN && atom->set.numbers == 0 && !atom->set.has_null &&
                        !atom->set.has_true && !atom->set.has_false && atom->set.strings != 0;
    if (atom->kind == RF_ATOM_TRUTH && (atom->slot & RF_TERM_COMPUTED) != 0) {
        return regex_groups(arena, program, &program->calc[atom->slot & RF_TERM_NUMBER], list, err);
    }
    if (!is_text && !is_set) {
        return RF_OK;
    }
    if (!term_is_in_record(program, atom->slot)) {
        return RF_OK;
    }
    const struct rf_str *text = is_set ? atom->set.string : &atom->string;
    const uint32_t texts = is_set ? atom->set.strings : 1;
    for (uint32_t i = 0; i < texts; i++) {
        struct rf_str cut;
        if (!literal_cut(text[i], &cut) || !group_join(literal, &count, &cut, 1)) {
            return RF_OK;
        }
    }
    return list_of_one(arena, literal, count, list, err);
}

/* Both sides hold: the groups of both, the rarest first, each once. */
static enum rf_status and_groups(struct rf_arena *arena, const struct group_list *a, const struct group_list *b,
                                 struct group_list *list, struct rf_error *err)
{
    if (a->count == 0 || b->count == 0) {
        *list = a->count == 0 ? *b : *a;
        return RF_OK;
    }
    struct rf_prefilter_group *group = RF_PUSH(arena, struct rf_prefilter_group, RF_GROUPS_MAX);
    if (group == NULL) {
        RF_FAIL(err, RF_E_LIMIT, "the expressions need more memory than their bound allows");
    }
    uint32_t count = 0;
    uint32_t i = 0;
    uint32_t k = 0;
    while (count < RF_GROUPS_MAX && (i < a->count || k < b->count)) {
        const bool is_left = k == b->count || (i < a->count && !group_is_rarer(&b->group[k], &a->group[i]));
        const struct rf_prefilter_group *next = is_left ? &a->group[i++] : &b->group[k++];
        bool is_known = false;
        for (uint32_t g = 0; g < count; g++) {
            is_known = is_known || group_equal(&group[g], next);
        }
        if (!is_known) {
            group[count++] = *next;
        }
    }
    *list = (struct group_list){group, count};
    return RF_OK;
}

/* One side holds: the rarest group of each, joined. */
static enum rf_status or_groups(struct rf_arena *arena, const struct group_list *a, const struct group_list *b,
                                struct group_list *list, struct rf_error *err)
{
    if (a->count == 0 || b->count == 0) {
        return RF_OK;
    }
    struct rf_str literal[RF_LITERALS_MAX];
    uint32_t count = 0;
    if (!group_join(literal, &count, a->group[0].literal, a->group[0].literals) ||
        !group_join(literal, &count, b->group[0].literal, b->group[0].literals)) {
        return RF_OK;
    }
    return list_of_one(arena, literal, count, list, err);
}

enum rf_status rf_prefilter_plan(struct rf_arena *arena, struct rf_program *program, struct rf_error *err)
{
    program->group = NULL;
    program->groups = 0;
    if (program->predicates != 1) {
        return RF_OK;
    }
    /* Instructions only read registers before them, so one pass in order sees every operand first. */
    struct group_list *list = RF_PUSH(arena, struct group_list, program->code_count);
    if (list == NULL) {
        RF_FAIL(err, RF_E_LIMIT, "the expressions need more memory than their bound allows");
    }
    for (uint32_t i = 0; i < program->code_count; i++) {
        const struct rf_bool *code = &program->code[i];
        if (code->op == RF_BOOL_ATOM) {
            RF_TRY(atom_groups(arena, program, &program->atom[code->a], &list[i], err));
        } else if (code->op == RF_BOOL_AND) {
            RF_TRY(and_groups(arena, &list[code->a], &list[code->b], &list[i], err));
        } else if (code->op == RF_BOOL_OR) {
            RF_TRY(or_groups(arena, &list[code->a], &list[code->b], &list[i], err));
        }
    }
    program->group = list[program->output[0]].group;
    program->groups = list[program->output[0]].count;
    return RF_OK;
}
