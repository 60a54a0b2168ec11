#include "compile.h"

#include "compiler.h"
#include "parser.h"

enum {
    ARENA_BYTES_BASE = 16 * 1024 * 1024,
    /* A byte of source makes at most one node and one instruction; both with their tables stay below this. */
    ARENA_BYTES_OF_BYTE = 1024
};

static enum rf_status compile_all(struct rf_compiler *compiler, const struct rf_str *predicates,
                                  uint32_t predicate_count, const struct rf_str *projections,
                                  uint32_t projection_count, uint32_t *failed)
{
    struct rf_parsed parsed;
    for (uint32_t i = 0; i < predicate_count; i++) {
        *failed = i;
        RF_TRY(rf_compiler_parse(compiler, predicates[i], NULL, &parsed));
        RF_TRY(rf_compiler_predicate(compiler, &parsed, parsed.tree));
    }
    for (uint32_t i = 0; i < projection_count; i++) {
        *failed = predicate_count + i;
        RF_TRY(rf_compiler_parse(compiler, projections[i], NULL, &parsed));
        RF_TRY(rf_compiler_projection(compiler, &parsed, parsed.tree));
    }
    return rf_compiler_finish(compiler);
}

enum rf_status rf_compile(const struct rf_str *predicates, uint32_t predicate_count, const struct rf_str *projections,
                          uint32_t projection_count, struct rf_compile_options options, struct rf_compiled *out,
                          struct rf_diagnostic *diagnostic, uint32_t *failed, struct rf_error *err)
{
    struct rf_compiler compiler;
    size_t source_bytes = (size_t)predicate_count + projection_count;
    *failed = 0;
    for (size_t i = 0; i < (size_t)predicate_count + projection_count; i++) {
        const size_t count = i < predicate_count ? predicates[i].count : projections[i - predicate_count].count;
        /* A longer source is refused before anything is made of it. */
        source_bytes += count < RF_EXPR_BYTES_MAX ? count : RF_EXPR_BYTES_MAX;
    }
    const size_t arena_bytes = ARENA_BYTES_BASE + source_bytes * ARENA_BYTES_OF_BYTE;
    enum rf_status status = rf_compiler_open(&compiler, predicate_count, projection_count, arena_bytes, options, out,
                                             diagnostic, err);
    if (status == RF_OK) {
        status = compile_all(&compiler, predicates, predicate_count, projections, projection_count, failed);
    }
    rf_compiler_close(&compiler);
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
