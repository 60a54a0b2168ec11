#include "compile.h"

#include "fold.h"
#include "infer.h"
#include "lift.h"
#include "parser.h"
#include "planner.h"
#include "regex_plan.h"
#include "resolve.h"

enum {
    ARENA_BYTES_BASE = 16 * 1024 * 1024,
    /* A byte of source makes at most one node and one instruction; both with their tables stay below this. */
    ARENA_BYTES_OF_BYTE = 1024,
    EXPRESSIONS_MAX = 2 * RF_PREDICATES_MAX
};

struct compile {
    struct rf_compiled *out;
    struct rf_planner planner;
    struct rf_lifted lifted;
    struct rf_fix_accesses accesses;
    struct rf_diagnostic *diagnostic;
    uint32_t *failed;
    struct rf_error *err;
};

static enum rf_status compile_one(struct compile *c, uint32_t number, struct rf_str source, bool is_predicate,
                                  struct rf_node **tree)
{
    struct rf_compiled *out = c->out;
    *c->failed = number;
    const struct rf_env *env = out->options.env == NULL ? &rf_env_filter : out->options.env;
    uint32_t locals = 0;
    RF_TRY(rf_parse(source, &out->arena, tree, c->diagnostic, c->err));
    out->source[number] = rf_arena_copy(&out->arena, source);
    if (out->source[number].data == NULL) {
        RF_FAIL(c->err, RF_E_LIMIT, "the expressions need more memory than their bound allows");
    }
    out->written[number] = (struct rf_span){0, (uint32_t)source.count};
    RF_TRY(rf_resolve(tree, out->source[number], env, &c->accesses, &out->arena, &locals, c->diagnostic, c->err));
    out->locals = locals > out->locals ? locals : out->locals;
    if (out->options.is_lifting) {
        RF_TRY(rf_lift(*tree, env->declarations, &out->arena, &c->lifted, c->err));
        out->lifted = c->lifted.value;
        out->lifted_count = c->lifted.count;
    }
    const struct rf_infer_options options = {.is_strict_cel = out->options.is_strict_cel,
                                             .is_text = out->options.is_text,
                                             .is_predicate = is_predicate,
                                             .is_unchecked = env->is_unchecked};
    RF_TRY(rf_infer(*tree, out->source[number], options, c->diagnostic, c->err));
    *tree = rf_fold(*tree, out->options.is_strict_cel, &out->arena);
    RF_TRY(rf_regexes_compile(*tree, out->source[number], env->is_unchecked, &out->arena, c->diagnostic, c->err));
    return is_predicate ? rf_planner_predicate(&c->planner, *tree, c->err)
                        : rf_planner_projection(&c->planner, *tree, c->err);
}

static enum rf_status compile_all(struct compile *c, const struct rf_str *predicates, uint32_t predicate_count,
                                  const struct rf_str *projections, uint32_t projection_count)
{
    struct rf_compiled *out = c->out;
    out->source = RF_PUSH(&out->arena, struct rf_str, (size_t)predicate_count + projection_count);
    out->written = RF_PUSH(&out->arena, struct rf_span, (size_t)predicate_count + projection_count);
    out->predicate = RF_PUSH(&out->arena, struct rf_node *, predicate_count);
    out->projection = RF_PUSH(&out->arena, struct rf_node *, projection_count);
    out->host_end = RF_PUSH(&out->arena, uint32_t, predicate_count);
    if (out->source == NULL || out->written == NULL || out->predicate == NULL || out->projection == NULL ||
        out->host_end == NULL) {
        RF_FAIL(c->err, RF_E_LIMIT, "the expressions need more memory than their bound allows");
    }
    RF_TRY(rf_planner_open(&c->planner, &out->arena, predicate_count, out->options.is_strict_cel, c->err));
    for (uint32_t i = 0; i < predicate_count; i++) {
        RF_TRY(compile_one(c, i, predicates[i], true, &out->predicate[i]));
        out->host_end[i] = c->planner.atoms.hosts;
    }
    for (uint32_t i = 0; i < projection_count; i++) {
        RF_TRY(compile_one(c, predicate_count + i, projections[i], false, &out->projection[i]));
    }
    out->projections = projection_count;
    uint32_t *value = NULL;
    if (out->options.plans_values) {
        value = RF_PUSH(&out->arena, uint32_t, projection_count);
        if (value == NULL) {
            RF_FAIL(c->err, RF_E_LIMIT, "the expressions need more memory than their bound allows");
        }
        for (uint32_t i = 0; i < projection_count; i++) {
            RF_TRY(rf_planner_value(&c->planner, out->projection[i], &value[i], c->err));
        }
    }
    RF_TRY(rf_planner_finish(&c->planner, &out->program, c->err));
    out->program.fix_dict = out->options.env == NULL ? NULL : out->options.env->fix;
    out->program.fix = c->accesses.access;
    out->program.fixes = c->accesses.count;
    out->program.value = value;
    out->program.values = value == NULL ? 0 : projection_count;
    out->host = c->planner.atoms.host;
    out->host_reason = c->planner.atoms.host_reason;
    out->hosts = c->planner.atoms.hosts;
    return RF_OK;
}

enum rf_status rf_compile(const struct rf_str *predicates, uint32_t predicate_count, const struct rf_str *projections,
                          uint32_t projection_count, struct rf_compile_options options, struct rf_compiled *out,
                          struct rf_diagnostic *diagnostic, uint32_t *failed, struct rf_error *err)
{
    *out = (struct rf_compiled){.options = options};
    *diagnostic = (struct rf_diagnostic){0};
    *failed = 0;
    if (predicate_count > RF_PREDICATES_MAX || projection_count > EXPRESSIONS_MAX - RF_PREDICATES_MAX) {
        RF_FAIL(err, RF_E_LIMIT, "%u predicates and %u projections are more than %d of each", predicate_count,
                projection_count, RF_PREDICATES_MAX);
    }
    size_t source_bytes = (size_t)predicate_count + projection_count;
    for (uint32_t i = 0; i < predicate_count + projection_count; i++) {
        const size_t count = i < predicate_count ? predicates[i].count : projections[i - predicate_count].count;
        /* A longer source is refused before anything is made of it. */
        source_bytes += count < RF_EXPR_BYTES_MAX ? count : RF_EXPR_BYTES_MAX;
    }
    rf_arena_init(&out->arena, ARENA_BYTES_BASE + source_bytes * ARENA_BYTES_OF_BYTE);
    struct compile c = {.out = out, .accesses = {.arena = &out->arena}, .diagnostic = diagnostic, .failed = failed, .err = err};
    const enum rf_status status = compile_all(&c, predicates, predicate_count, projections, projection_count);
    rf_planner_close(&c.planner);
    if (status != RF_OK) {
        rf_compiled_close(out);
    }
    return status;
}

void rf_compiled_close(struct rf_compiled *compiled)
{
    rf_arena_free(&compiled->arena);
    *compiled = (struct rf_compiled){0};
}
