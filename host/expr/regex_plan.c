#include "regex_plan.h"

#include <inttypes.h>

#include "regex.h"
#include "subject_set.h"

struct patterns {
    struct rf_str source;
    bool is_unchecked;
    struct rf_arena *arena;
    struct rf_diagnostic *diagnostic;
    struct rf_error *err;
};

static enum rf_status pattern_compile(struct patterns *p, struct rf_node *node)
{
    const struct rf_node *pattern = node->arg[1];
    struct rf_regex *regex = NULL;
    size_t at = 0;
    const enum rf_status status = rf_regex_compile(pattern->literal.text, p->arena, &regex, &at, p->err);
    if (status == RF_OK) {
        node->regex = regex;
        return RF_OK;
    }
    if (p->is_unchecked) {
        return RF_OK;
    }
    const struct rf_error why = *p->err;
    return rf_diagnostic_fail(p->diagnostic, p->source, pattern->span.begin, pattern->span.end, p->err,
                              "bad %.160s (byte %zu of the pattern)", why.text, at + 1);
}

/* A constant text, or a constant list of nothing but texts. */
static enum rf_status subjects_compile(struct patterns *p, struct rf_node *node)
{
    const struct rf_node *patterns = node->arg[1];
    const struct rf_value literal = patterns->literal;
    const bool is_list = literal.type == RF_TYPE_LIST;
    const size_t count = is_list ? literal.list->count : 1;
    struct rf_str *pattern = RF_PUSH(p->arena, struct rf_str, count);
    if (count > UINT32_MAX || pattern == NULL) {
        RF_FAIL(p->err, RF_E_LIMIT, "out of memory for %zu subject patterns", count);
    }
    for (size_t i = 0; i < count; i++) {
        const struct rf_value *item = is_list ? &literal.list->item[i] : &literal;
        if (item->type != RF_TYPE_STRING) {
            return RF_OK; /* what that is, the evaluation says */
        }
        pattern[i] = item->text;
    }
    struct rf_subject_set *set = NULL;
    uint32_t failed = 0;
    const enum rf_status status = rf_subject_set_make(&set, pattern, (uint32_t)count, p->arena, &failed, p->err);
    if (status == RF_OK) {
        node->subjects = set;
        return RF_OK;
    }
    if (status != RF_E_EXPR || p->is_unchecked) {
        return status == RF_E_EXPR ? RF_OK : status;
    }
    const struct rf_error why = *p->err;
    return rf_diagnostic_fail(p->diagnostic, p->source, patterns->span.begin, patterns->span.end, p->err,
                              "pattern %" PRIu32 " of subjectMatches: %.160s", failed + 1, why.text);
}

static enum rf_status node_compile(struct patterns *p, struct rf_node *node)
{
    for (uint32_t i = 0; i < node->args; i++) {
        RF_TRY(node_compile(p, node->arg[i]));
    }
    if (node->kind == RF_NODE_CALL && node->function == RF_FN_SUBJECT && node->subjects == NULL &&
        node->arg[1]->kind == RF_NODE_LITERAL) {
        return subjects_compile(p, node);
    }
    if (node->kind != RF_NODE_CALL || node->function != RF_FN_MATCHES || node->regex != NULL || node->arg[1]->kind != RF_NODE_LITERAL ||
        node->arg[1]->literal.type != RF_TYPE_STRING) {
        return RF_OK;
    }
    return pattern_compile(p, node);
}

enum rf_status rf_regexes_compile(struct rf_node *root, struct rf_str source, bool is_unchecked,
                                  struct rf_arena *arena, struct rf_diagnostic *diagnostic, struct rf_error *err)
{
    struct patterns p = {
        .source = source, .is_unchecked = is_unchecked, .arena = arena, .diagnostic = diagnostic, .err = err};
    return node_compile(&p, root);
}
