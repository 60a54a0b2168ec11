/* rules_compile.c: rf_rules_compile of rules.h.
 *
 * A text is parsed once, however many variants it has: names are put in as trees when it is resolved, and for each variant
 * the nodes above parameters are copied with its values. Types, constants and the planner then see each variant as if it had
 * been written so. */
#include <stdlib.h>

#include "compiler.h"
#include "intern.h"
#include "node_text.h"
#include "rules.h"
#include "substitute.h"
#include "sweep.h"

enum { SHOWN_BYTES = 48, PARAMETERS_MAX = RF_SWEEP_PARAMETERS_MAX };

/* Of 1,000,000 variants with some thousand bytes of nodes, atoms and instructions each. */
static const size_t arena_bytes = (size_t)8 * 1024 * 1024 * 1024;

struct compile {
    struct rf_rules *rules;
    const struct rf_rules_extra *extra;
    struct rf_rules_program *out;
    struct rf_compiler compiler;
    struct rf_diagnostic *diagnostic;
    struct rf_error *err;
    struct rf_env env;
    struct rf_definition *definition; /* [lets] by name */
    uint32_t *definition_of;          /* [lets] where let i is among them */
    uint32_t *per;                    /* [rules] */
    struct rf_intern keys;            /* text of an expression to projection */
    struct rf_text text;
};

static enum rf_status fail_full(struct compile *c)
{
    RF_FAIL(c->err, RF_E_LIMIT, "the rules need more memory than their bound allows");
}

static int shown(struct rf_str text)
{
    return (int)(text.count < SHOWN_BYTES ? text.count : SHOWN_BYTES);
}

/* ---- Problems ---- */

/* The diagnostic as a problem of the file. what: "rule", whose: its name. */
static void problem_tell(struct compile *c, const struct rf_config_text *expression, const struct rf_yaml_node *key,
                         const char *what, struct rf_str whose)
{
    struct rf_problems *problems = &c->rules->problems;
    const struct rf_diagnostic *diagnostic = c->diagnostic;
    uint32_t begin = key == NULL ? 0 : key->key_begin;
    uint32_t end = key == NULL ? 0 : key->key_end;
    if (expression->node != NULL) {
        begin = rf_yaml_place(problems->source, expression->node, diagnostic->begin);
        end = diagnostic->end > diagnostic->begin
                  ? rf_yaml_place(problems->source, expression->node, diagnostic->end - 1) + 1
                  : begin;
    }
    rf_problem_add(problems, begin, end, "%s '%.*s': %s", what, shown(whose), whose.data, diagnostic->text);
}

/* ---- Names ---- */

static int definition_compare(const void *left, const void *right)
{
    const struct rf_definition *a = left;
    const struct rf_definition *b = right;
    return rf_str_compare(a->name, b->name);
}

static enum rf_status definitions_open(struct compile *c)
{
    const struct rf_rules *rules = c->rules;
    struct rf_arena *arena = &c->out->compiled.arena;
    c->definition = RF_PUSH(arena, struct rf_definition, rules->lets);
    c->definition_of = RF_PUSH(arena, uint32_t, rules->lets);
    if (c->definition == NULL || c->definition_of == NULL) {
        return fail_full(c);
    }
    for (uint32_t i = 0; i < rules->lets; i++) {
        c->definition[i] = (struct rf_definition){
            .name = rules->let[i].name,
            .refusal = rules->let[i].expression.node == NULL
                           ? "is a subject set, and cannot be used in what they match"
                           : "is defined here or behind this: a let uses only those before it, so that none is part of itself",
            .nodes = i};
    }
    qsort(c->definition, rules->lets, sizeof c->definition[0], definition_compare);
    for (uint32_t i = 0; i < rules->lets; i++) {
        c->definition_of[c->definition[i].nodes] = i;
    }
    c->env.definition = c->definition;
    c->env.definitions = rules->lets;
    return RF_OK;
}

/* Of what is wrong itself: anything, so that no user of the name is told about it once more. */
static enum rf_status definition_fail(struct compile *c, struct rf_node **tree)
{
    *tree = RF_PUSH(&c->out->compiled.arena, struct rf_node, 1);
    if (*tree == NULL) {
        return fail_full(c);
    }
    **tree = (struct rf_node){.kind = RF_NODE_FAILURE,
                              .function = RF_FUNCTION_COUNT,
                              .type = RF_TYPE_DYN,
                              .literal = rf_value_error("a definition is wrong"),
                              .slot = RF_NONE,
                              .depth = 1};
    return RF_OK;
}

/* Puts the patterns of a subject set between the brackets of its call. False in *is_call: `of` is more than one expression, and
 * makes something else of the text. */
static enum rf_status patterns_set(struct compile *c, const struct rf_list *patterns, struct rf_node *tree, bool *is_call)
{
    struct rf_node *literal = RF_PUSH(&c->out->compiled.arena, struct rf_node, 1);
    if (literal == NULL) {
        return fail_full(c);
    }
    *is_call = tree->kind == RF_NODE_CALL && tree->function == RF_FN_SUBJECT && tree->args == 2 &&
               tree->arg[1]->kind == RF_NODE_LIST && tree->arg[1]->args == 0;
    if (!*is_call) {
        return RF_OK;
    }
    *literal = *tree->arg[1];
    literal->kind = RF_NODE_LITERAL;
    literal->args = 0;
    literal->arg = NULL;
    literal->depth = 1;
    literal->type = RF_TYPE_LIST;
    literal->literal = (struct rf_value){.type = RF_TYPE_LIST, .list = patterns};
    tree->arg[1] = literal;
    return RF_OK;
}

static enum rf_status let_compile(struct compile *c, uint32_t number)
{
    const struct rf_rule_let *let = &c->rules->let[number];
    struct rf_definition *definition = &c->definition[c->definition_of[number]];
    struct rf_parsed parsed;
    struct rf_node *tree = NULL;
    enum rf_status status = rf_compiler_parse(&c->compiler, let->expression.text, &c->env, &parsed);
    if (status == RF_OK) {
        tree = parsed.tree;
        bool is_call = true;
        RF_TRY(let->patterns == NULL ? RF_OK : patterns_set(c, let->patterns, tree, &is_call));
        if (!is_call) {
            rf_problem_add(&c->rules->problems, let->node->begin, let->node->end,
                           "subject set '%.*s': 'of' is not one expression", shown(let->name), let->name.data);
        }
        status = rf_compiler_check(&c->compiler, &parsed, false, &tree);
    }
    if (status == RF_E_EXPR) {
        problem_tell(c, &let->expression, let->node, let->expression.node == NULL ? "subject set" : "let", let->name);
        RF_TRY(definition_fail(c, &tree));
        parsed.locals = 0;
    } else {
        RF_TRY(status);
    }
    definition->tree = tree;
    definition->nodes = rf_tree_count(tree);
    definition->locals = parsed.locals;
    definition->refusal = NULL;
    return RF_OK;
}

/* ---- Rules ---- */

static void parameters_find(const struct rf_node *node, uint32_t *used)
{
    if (node->kind == RF_NODE_PARAMETER) {
        *used |= UINT32_C(1) << node->local;
    }
    for (uint32_t i = 0; i < node->args && node->has_parameter; i++) {
        parameters_find(node->arg[i], used);
    }
}

static void unused_tell(struct compile *c, const struct rf_rule_source *source, uint32_t used)
{
    for (uint32_t p = 0; p < source->parameters; p++) {
        const struct rf_rule_parameter *parameter = &source->parameter[p];
        if ((used >> p & 1) == 0) {
            rf_problem_add(&c->rules->problems, parameter->node->key_begin, parameter->node->key_end,
                           "rule '%.*s': neither 'when' nor 'per' uses the parameter '%.*s'", shown(source->name),
                           source->name.data, shown(parameter->name), parameter->name.data);
        }
    }
}

static enum rf_status variant_tree(struct compile *c, const struct rf_rule_source *source, uint32_t i,
                                   const struct rf_parsed *parsed, struct rf_node **tree)
{
    struct rf_value value[PARAMETERS_MAX];
    *tree = parsed->tree;
    if (!parsed->tree->has_parameter) {
        return RF_OK;
    }
    for (uint32_t p = 0; p < source->parameters; p++) {
        value[p] = source->parameter[p].value[rf_sweep_choice(source, i, p)].value;
    }
    *tree = rf_tree_substitute(parsed->tree, value, &c->out->compiled.arena);
    return *tree == NULL ? fail_full(c) : RF_OK;
}

/* The projection of a key, made when no equal one is there. */
static enum rf_status key_add(struct compile *c, const struct rf_parsed *parsed, struct rf_node *tree, uint32_t *number)
{
    RF_TRY(rf_compiler_check(&c->compiler, parsed, false, &tree));
    if (!rf_problems_none(&c->rules->problems)) {
        return RF_OK;
    }
    c->text.count = 0;
    RF_TRY(rf_node_write(&c->text, tree, c->err));
    uint32_t *known = rf_intern_at(&c->keys, rf_text_str(&c->text));
    if (known == NULL) {
        return fail_full(c);
    }
    if (*known == UINT32_MAX) {
        *known = c->compiler.projections;
        RF_TRY(rf_compiler_projection(&c->compiler, parsed, tree));
    }
    *number = *known;
    return RF_OK;
}

static enum rf_status predicate_add(struct compile *c, const struct rf_parsed *parsed, struct rf_node *tree)
{
    /* Once something is wrong there will be no program, and the rest is only looked at. */
    return rf_problems_none(&c->rules->problems) ? rf_compiler_predicate(&c->compiler, parsed, tree)
                                                 : rf_compiler_check(&c->compiler, parsed, true, &tree);
}

static enum rf_status variants_add(struct compile *c, const struct rf_rule_source *source, const struct rf_parsed *when,
                                   const struct rf_parsed *per)
{
    for (uint32_t r = source->rule_begin; r < source->rule_end; r++) {
        const uint32_t i = r - source->rule_begin;
        const struct rf_config_text *expression = &source->when;
        struct rf_node *tree;
        RF_TRY(variant_tree(c, source, i, when, &tree));
        enum rf_status status = predicate_add(c, when, tree);
        if (status == RF_OK && per->tree != NULL) {
            if (i > 0 && !per->tree->has_parameter) {
                c->per[r] = c->per[r - 1];
                continue;
            }
            expression = &source->per;
            RF_TRY(variant_tree(c, source, i, per, &tree));
            status = key_add(c, per, tree, &c->per[r]);
        }
        if (status == RF_E_EXPR) { /* the other variants have it too, or one like it */
            problem_tell(c, expression, NULL, "rule", c->rules->rule[r].name);
            return RF_OK;
        }
        RF_TRY(status);
    }
    return RF_OK;
}

static enum rf_status expression_parse(struct compile *c, const struct rf_rule_source *source,
                                       const struct rf_config_text *expression, struct rf_parsed *parsed, uint32_t *used,
                                       bool *is_right)
{
    *parsed = (struct rf_parsed){0};
    if (expression->node == NULL) {
        return RF_OK;
    }
    const enum rf_status status = rf_compiler_parse(&c->compiler, expression->text, &c->env, parsed);
    if (status == RF_E_EXPR) {
        problem_tell(c, expression, NULL, "rule", source->name);
        *is_right = false;
        return RF_OK;
    }
    RF_TRY(status);
    parameters_find(parsed->tree, used);
    return RF_OK;
}

static enum rf_status source_compile(struct compile *c, const struct rf_rule_source *source)
{
    struct rf_parameter parameter[PARAMETERS_MAX];
    struct rf_parsed when;
    struct rf_parsed per;
    uint32_t used = 0;
    bool is_right = true;
    for (uint32_t p = 0; p < source->parameters; p++) {
        const struct rf_rule_parameter *from = &source->parameter[p];
        parameter[p] = (struct rf_parameter){.name = from->name,
                                             .value = from->values == 0 ? NULL : &from->value[0].value,
                                             .stride = sizeof *from->value,
                                             .values = from->values};
    }
    c->env.parameter = parameter;
    c->env.parameters = source->parameters;
    RF_TRY(expression_parse(c, source, &source->when, &when, &used, &is_right));
    RF_TRY(expression_parse(c, source, &source->per, &per, &used, &is_right));
    c->env.parameters = 0;
    if (!is_right) {
        return RF_OK;
    }
    unused_tell(c, source, used);
    return source->is_broken ? RF_OK : variants_add(c, source, &when, &per);
}

/* ---- Event time ---- */

/* The caller's, or that of the file. */
static enum rf_status time_add(struct compile *c, uint32_t *failed)
{
    const struct rf_config_text *own = &c->rules->time;
    const struct rf_str given = c->extra->time;
    const bool is_given = given.count > 0 && !(c->extra->is_time_standard && own->node != NULL);
    struct rf_parsed parsed;
    c->out->time = c->compiler.projections;
    if (is_given) {
        *failed = c->extra->predicates + c->extra->projections;
        RF_TRY(rf_compiler_parse(&c->compiler, given, NULL, &parsed));
        RF_TRY(rf_compiler_projection(&c->compiler, &parsed, parsed.tree));
    }
    if (own->node == NULL) {
        c->out->time = is_given ? c->out->time : RF_NONE;
        return RF_OK;
    }
    enum rf_status status = rf_compiler_parse(&c->compiler, own->text, &c->env, &parsed);
    if (status == RF_OK) { /* what is not used must be right all the same */
        status = is_given ? rf_compiler_check(&c->compiler, &parsed, false, &parsed.tree)
                          : rf_compiler_projection(&c->compiler, &parsed, parsed.tree);
    }
    if (status == RF_E_EXPR) {
        problem_tell(c, own, NULL, "key", RF_STR("time"));
        return RF_OK;
    }
    return status;
}

static enum rf_status rules_compile(struct compile *c, uint32_t *failed)
{
    for (uint32_t i = 0; i < c->rules->lets; i++) {
        RF_TRY(let_compile(c, i));
    }
    RF_TRY(time_add(c, failed));
    c->out->key_begin = c->compiler.projections;
    for (uint32_t s = 0; s < c->rules->sources; s++) {
        RF_TRY(source_compile(c, &c->rules->source[s]));
    }
    return rf_problems_status(&c->rules->problems, c->err);
}

/* ---- All of it ---- */

static enum rf_status extra_projections(struct compile *c, uint32_t *failed)
{
    struct rf_parsed parsed;
    for (uint32_t i = 0; i < c->extra->projections; i++) {
        *failed = c->extra->predicates + i;
        RF_TRY(rf_compiler_parse(&c->compiler, c->extra->projection[i], NULL, &parsed));
        RF_TRY(rf_compiler_projection(&c->compiler, &parsed, parsed.tree));
    }
    return RF_OK;
}

static enum rf_status extra_predicates(struct compile *c, uint32_t *failed)
{
    struct rf_parsed parsed;
    for (uint32_t i = 0; i < c->extra->predicates; i++) {
        *failed = i;
        RF_TRY(rf_compiler_parse(&c->compiler, c->extra->predicate[i], NULL, &parsed));
        RF_TRY(rf_compiler_predicate(&c->compiler, &parsed, parsed.tree));
    }
    return RF_OK;
}

/* How many keys there are at most. */
static size_t keys_bound(const struct rf_rules *rules)
{
    size_t count = 0;
    for (uint32_t s = 0; s < rules->sources; s++) {
        count += rules->source[s].per.node == NULL ? 0 : rules->source[s].rule_end - rules->source[s].rule_begin;
    }
    return count;
}

static enum rf_status compile_all(struct compile *c, struct rf_compile_options options, uint32_t *failed)
{
    struct rf_rules_program *out = c->out;
    const uint64_t projections = keys_bound(c->rules) + c->extra->projections + 1; /* the event time */
    const uint64_t predicates = (uint64_t)c->rules->rules + c->extra->predicates;
    RF_TRY(rf_compiler_open(&c->compiler, predicates > RF_NONE ? RF_NONE : (uint32_t)predicates,
                            projections > RF_NONE ? RF_NONE : (uint32_t)projections, arena_bytes, options, &out->compiled,
                            c->diagnostic, c->err));
    c->keys.arena = &out->compiled.arena;
    c->per = RF_PUSH(&out->compiled.arena, uint32_t, c->rules->rules);
    if (c->per == NULL) {
        return fail_full(c);
    }
    memset(c->per, 0xff, c->rules->rules * sizeof c->per[0]); /* RF_NONE */
    RF_TRY(definitions_open(c));
    RF_TRY(extra_projections(c, failed));
    RF_TRY(rules_compile(c, failed));
    RF_TRY(extra_predicates(c, failed));
    RF_TRY(rf_compiler_finish(&c->compiler));
    out->rules = c->rules->rules;
    out->per = c->per;
    out->keys = out->compiled.projections - out->key_begin;
    return RF_OK;
}

enum rf_status rf_rules_compile(struct rf_rules *rules, const struct rf_rules_extra *extra,
                                struct rf_compile_options options, struct rf_rules_program *out,
                                struct rf_diagnostic *diagnostic, uint32_t *failed, struct rf_error *err)
{
    static const struct rf_rules_extra no_extra = {0};
    struct compile c = {.rules = rules,
                        .extra = extra == NULL ? &no_extra : extra,
                        .out = out,
                        .diagnostic = diagnostic,
                        .err = err,
                        .env = options.env == NULL ? rf_env_filter : *options.env};
    *out = (struct rf_rules_program){0};
    *failed = 0;
    const enum rf_status status = compile_all(&c, options, failed);
    rf_compiler_close(&c.compiler);
    rf_text_free(&c.text);
    if (status != RF_OK) {
        rf_rules_program_close(out);
    }
    return status;
}

void rf_rules_program_close(struct rf_rules_program *program)
{
    rf_compiled_close(&program->compiled);
    *program = (struct rf_rules_program){0};
}
