#include "compiler.h"

#include <assert.h>

#include "fold.h"
#include "infer.h"
#include "parser.h"
#include "regex_plan.h"
#include "resolve.h"

#define MEMORY_TEXT "the expressions need more memory than their bound allows"

static const struct rf_env *env_of(const struct rf_compiled *out)
{
    return out->options.env == NULL ? &rf_env_filter : out->options.env;
}

enum rf_status rf_compiler_open(struct rf_compiler *compiler, uint32_t predicates, uint32_t projections,
                                size_t arena_bytes, struct rf_compile_options options, struct rf_compiled *out,
                                struct rf_diagnostic *diagnostic, struct rf_error *err)
{
    *out = (struct rf_compiled){.options = options};
    *diagnostic = (struct rf_diagnostic){0};
    *compiler = (struct rf_compiler){.out = out,
                                     .accesses = {.arena = &out->arena},
                                     .diagnostic = diagnostic,
                                     .err = err,
                                     .predicates_max = predicates,
                                     .projections_max = projections};
    if (predicates > RF_PREDICATES_MAX || projections > RF_PROJECTIONS_MAX) {
        RF_FAIL(err, RF_E_LIMIT, "%u predicates and %u projections are more than %d of each", predicates, projections,
                RF_PREDICATES_MAX);
    }
    rf_arena_init(&out->arena, arena_bytes);
    out->source = RF_PUSH(&out->arena, struct rf_str, (size_t)predicates + projections);
    out->written = RF_PUSH(&out->arena, struct rf_span, (size_t)predicates + projections);
    out->predicate = RF_PUSH(&out->arena, struct rf_node *, predicates);
    out->projection = RF_PUSH(&out->arena, struct rf_node *, projections);
    out->host_end = RF_PUSH(&out->arena, uint32_t, predicates);
    if (out->source == NULL || out->written == NULL || out->predicate == NULL || out->projection == NULL ||
        out->host_end == NULL) {
        RF_FAIL(err, RF_E_LIMIT, MEMORY_TEXT);
    }
    return rf_planner_open(&compiler->planner, &out->arena, predicates, options.is_strict_cel, err);
}

enum rf_status rf_compiler_parse(struct rf_compiler *compiler, struct rf_str source, const struct rf_env *env,
                                 struct rf_parsed *parsed)
{
    struct rf_compiled *out = compiler->out;
    env = env == NULL ? env_of(out) : env;
    *parsed = (struct rf_parsed){0};
    RF_TRY(rf_parse(source, &out->arena, &parsed->tree, compiler->diagnostic, compiler->err));
    parsed->source = rf_arena_copy(&out->arena, source);
    if (parsed->source.data == NULL) {
        RF_FAIL(compiler->err, RF_E_LIMIT, MEMORY_TEXT);
    }
    RF_TRY(rf_resolve(&parsed->tree, parsed->source, env, &compiler->accesses, &out->arena, &parsed->locals,
                      compiler->diagnostic, compiler->err));
    if (out->options.is_lifting) {
        RF_TRY(rf_lift(parsed->tree, env->declarations, &out->arena, &compiler->lifted, compiler->err));
        out->lifted = compiler->lifted.value;
        out->lifted_count = compiler->lifted.count;
    }
    return RF_OK;
}

enum rf_status rf_compiler_check(struct rf_compiler *compiler, const struct rf_parsed *parsed, bool is_predicate,
                                 struct rf_node **tree)
{
    struct rf_compiled *out = compiler->out;
    const bool is_unchecked = env_of(out)->is_unchecked;
    const struct rf_infer_options options = {.is_strict_cel = out->options.is_strict_cel,
                                             .is_text = out->options.is_text,
                                             .is_predicate = is_predicate,
                                             .is_unchecked = is_unchecked};
    RF_TRY(rf_infer(*tree, parsed->source, options, compiler->diagnostic, compiler->err));
    *tree = rf_fold(*tree, out->options.is_strict_cel, &out->arena);
    return rf_regexes_compile(*tree, parsed->source, is_unchecked, &out->arena, compiler->diagnostic, compiler->err);
}

/* What the interpreter needs of an expression that is added. */
static void expression_note(struct rf_compiler *compiler, const struct rf_parsed *parsed, uint32_t number)
{
    struct rf_compiled *out = compiler->out;
    out->source[number] = parsed->source;
    out->written[number] = (struct rf_span){0, (uint32_t)parsed->source.count};
    out->locals = parsed->locals > out->locals ? parsed->locals : out->locals;
}

enum rf_status rf_compiler_predicate(struct rf_compiler *compiler, const struct rf_parsed *parsed, struct rf_node *tree)
{
    struct rf_compiled *out = compiler->out;
    assert(compiler->predicates < compiler->predicates_max);
    RF_TRY(rf_compiler_check(compiler, parsed, true, &tree));
    RF_TRY(rf_planner_predicate(&compiler->planner, tree, compiler->err));
    expression_note(compiler, parsed, compiler->predicates);
    out->host_end[compiler->predicates] = compiler->planner.atoms.hosts;
    out->predicate[compiler->predicates++] = tree;
    return RF_OK;
}

enum rf_status rf_compiler_projection(struct rf_compiler *compiler, const struct rf_parsed *parsed,
                                      struct rf_node *tree)
{
    struct rf_compiled *out = compiler->out;
    assert(compiler->projections < compiler->projections_max);
    RF_TRY(rf_compiler_check(compiler, parsed, false, &tree));
    RF_TRY(rf_planner_projection(&compiler->planner, tree, compiler->err));
    expression_note(compiler, parsed, compiler->predicates_max + compiler->projections);
    out->projection[compiler->projections++] = tree;
    return RF_OK;
}

enum rf_status rf_compiler_finish(struct rf_compiler *compiler)
{
    struct rf_compiled *out = compiler->out;
    uint32_t *value = NULL;
    assert(compiler->predicates == compiler->predicates_max);
    out->projections = compiler->projections;
    if (out->options.plans_values) {
        value = RF_PUSH(&out->arena, uint32_t, out->projections);
        if (value == NULL) {
            RF_FAIL(compiler->err, RF_E_LIMIT, MEMORY_TEXT);
        }
        for (uint32_t i = 0; i < out->projections; i++) {
            RF_TRY(rf_planner_value(&compiler->planner, out->projection[i], &value[i], compiler->err));
        }
    }
    RF_TRY(rf_planner_finish(&compiler->planner, &out->program, compiler->err));
    out->program.fix_dict = out->options.env == NULL ? NULL : out->options.env->fix;
    out->program.fix = compiler->accesses.access;
    out->program.fixes = compiler->accesses.count;
    out->program.value = value;
    out->program.values = value == NULL ? 0 : out->projections;
    out->host = compiler->planner.atoms.host;
    out->host_reason = compiler->planner.atoms.host_reason;
    out->hosts = compiler->planner.atoms.hosts;
    return RF_OK;
}

void rf_compiler_close(struct rf_compiler *compiler)
{
    rf_planner_close(&compiler->planner);
}
