#include <assert.h>
#include <stdlib.h>

#include "fix_record.h"
#include "interp_state.h"
#include "utf8.h"

enum { ARENA_BYTES_MIN = 64 * 1024 * 1024, ARENA_BYTES_FACTOR = 64 };

enum rf_status rf_interp_open(struct rf_interp **out, const struct rf_compiled *compiled,
                              struct rf_interp_options options, struct rf_error *err)
{
    *out = NULL;
    struct rf_interp *interp = calloc(1, sizeof *interp);
    if (interp == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for the interpreter");
    }
    interp->compiled = compiled;
    interp->options = options;
    interp->local = calloc(compiled->locals + 1, sizeof interp->local[0]);
    interp->place = calloc((size_t)compiled->program.nodes + 1, sizeof interp->place[0]);
    if (interp->local == NULL || interp->place == NULL) {
        rf_interp_close(interp);
        RF_FAIL(err, RF_E_MEMORY, "no memory for %u variables and %u paths", compiled->locals, compiled->program.nodes);
    }
    for (uint32_t i = 0; i < compiled->program.slots; i++) {
        interp->uses_raw = interp->uses_raw || compiled->program.slot[i].root == RF_ROOT_RAW;
    }
    rf_arena_init(&interp->arena, ARENA_BYTES_MIN);
    *out = interp;
    return RF_OK;
}

void rf_interp_close(struct rf_interp *interp)
{
    if (interp != NULL) {
        rf_arena_free(&interp->arena);
        free(interp->local);
        free(interp->place);
        free(interp);
    }
}

/* `raw` is text like any other string: it must be UTF-8. */
static void check_raw(struct rf_str text, struct rf_malformed *malformed)
{
    const size_t valid = rf_utf8_valid_count(text);
    if (valid != text.count && (malformed->reason == RF_REASON_NONE || valid < malformed->offset)) {
        *malformed = (struct rf_malformed){.reason = RF_REASON_UTF8, .offset = (unsigned)valid};
    }
}

static enum rf_status read_fix(struct rf_interp *interp, struct rf_malformed *malformed, struct rf_error *err)
{
    const struct rf_program *program = &interp->compiled->program;
    struct rf_value *value = RF_PUSH(&interp->arena, struct rf_value, program->fixes);
    if (value == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for %u fields", program->fixes);
    }
    interp->record.binding = value;
    return rf_fix_record_read(program, interp->record.text, interp->record.line_end_bytes, interp->options.is_lenient,
                              &interp->arena, value, malformed, err);
}

enum rf_status rf_interp_read(struct rf_interp *interp, const struct rf_record *record, struct rf_malformed *malformed,
                              struct rf_error *err)
{
    *malformed = (struct rf_malformed){.reason = RF_REASON_NONE};
    interp->record = *record;
    interp->has_places = false;
    interp->error_count = 0;
    rf_arena_reset(&interp->arena);
    interp->arena.bytes_max = ARENA_BYTES_MIN + ARENA_BYTES_FACTOR * record->text.count;
    const struct rf_program *program = &interp->compiled->program;
    if (program->fix_dict != NULL) {
        RF_TRY(read_fix(interp, malformed, err));
        if (malformed->reason != RF_REASON_NONE) {
            return RF_OK;
        }
    } else if (!interp->compiled->options.is_text) {
        RF_TRY(rf_tree_read(&interp->tree, record->text, interp->options.depth_max, &interp->arena, malformed, err));
        if (malformed->reason != RF_REASON_NONE) {
            return RF_OK;
        }
        if (interp->options.is_validating) {
            rf_tree_check(&interp->tree, 0, true, malformed);
        } else {
            rf_tree_place_paths(&interp->tree, program, interp->place, &interp->arena, malformed);
            interp->has_places = true;
        }
    }
    if (interp->uses_raw) {
        check_raw(record->text, malformed);
    }
    interp->mark = rf_arena_mark(&interp->arena);
    return RF_OK;
}

void rf_interp_bind(struct rf_interp *interp, const struct rf_record *record)
{
    interp->record = *record;
    interp->has_places = false;
    interp->error_count = 0;
    rf_arena_reset(&interp->arena);
    interp->arena.bytes_max = ARENA_BYTES_MIN;
    interp->mark = rf_arena_mark(&interp->arena);
}

static void interp_note_error(struct rf_interp *interp, struct rf_value value)
{
    interp->error_count = 0;
    if (value.type == RF_TYPE_ERROR) {
        interp->error_count = value.text.count < RF_INTERP_ERROR_MAX ? value.text.count : RF_INTERP_ERROR_MAX;
        memcpy(interp->error, value.text.data, interp->error_count);
        interp->error_span = value.origin->span;
    }
}

static enum rf_truth interp_decide(struct rf_interp *interp, const struct rf_node *tree)
{
    /* Each decision starts from the same arena, so that none depends on those before it. */
    const struct rf_arena_mark mark = rf_arena_mark(&interp->arena);
    struct rf_value value = rf_interp_eval(interp, tree);
    if (value.type != RF_TYPE_BOOL) {
        value = rf_interp_no_bool(interp, tree, value);
    }
    interp_note_error(interp, value);
    rf_arena_rewind(&interp->arena, mark);
    if (value.type == RF_TYPE_ERROR) {
        return RF_TRUTH_ERROR;
    }
    return value.boolean ? RF_TRUTH_TRUE : RF_TRUTH_FALSE;
}

enum rf_truth rf_interp_predicate(struct rf_interp *interp, uint32_t predicate)
{
    assert(predicate < interp->compiled->program.predicates);
    return interp_decide(interp, interp->compiled->predicate[predicate]);
}

enum rf_truth rf_interp_host(struct rf_interp *interp, uint32_t host)
{
    assert(host < interp->compiled->hosts);
    return interp_decide(interp, interp->compiled->host[host]);
}

struct rf_value rf_interp_project(struct rf_interp *interp, uint32_t projection)
{
    assert(projection < interp->compiled->projections);
    const struct rf_node *tree = interp->compiled->projection[projection];
    rf_arena_rewind(&interp->arena, interp->mark); /* no value depends on those before it */
    struct rf_value value = rf_interp_pass(interp, tree);
    if ((value.type == RF_TYPE_LIST || value.type == RF_TYPE_MAP || value.type == RF_TYPE_OPTIONAL)) {
        const struct rf_value *error = rf_value_find_error(&value);
        value = error != NULL ? rf_interp_own(tree, *error) : value;
    }
    interp_note_error(interp, value);
    if (value.type == RF_TYPE_ERROR) { /* whoever takes the value may outlive the tree */
        value.origin = NULL;
    }
    return value;
}

struct rf_str rf_interp_error(const struct rf_interp *interp)
{
    return (struct rf_str){interp->error, interp->error_count};
}

bool rf_interp_error_span(const struct rf_interp *interp, struct rf_span *span)
{
    if (interp->error_count == 0) {
        return false;
    }
    *span = interp->error_span;
    return true;
}
