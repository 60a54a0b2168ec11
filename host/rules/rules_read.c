/* rules_read.c: rf_rules_read of rules.h: the text of a file to sources, rules and tests. */
#include <stdio.h>
#include <stdlib.h>

#include "caret.h"
#include "function.h"
#include "intern.h"
#include "node_text.h"
#include "parser.h"
#include "rules.h"
#include "rules_test.h"
#include "sweep.h"

enum {
    ARENA_BYTES_BASE = 512 * 1024 * 1024, /* of 1,000,000 rules, whose names may be longer than the file */
    ARENA_BYTES_OF_BYTE = 128,            /* a byte of YAML makes at most a node and a field */
    SHOWN_BYTES = 48,
    SCRATCH_BYTES = 64 * 1024
};

struct reader {
    struct rf_rules *rules;
    struct rules_file file;
    struct rf_error *err;
    struct rf_rule_source *source; /* rules->source */
    struct rf_intern names; /* of rules, to their source */
    struct rf_intern lets;
    struct rf_text text;
};

static enum rf_status fail_full(struct reader *r)
{
    RF_FAIL(r->err, RF_E_LIMIT, "the rules need more memory than their bound allows");
}

static int shown(struct rf_str text)
{
    size_t count = text.count < SHOWN_BYTES ? text.count : SHOWN_BYTES;
    while (count > 0 && count < text.count && ((unsigned char)text.data[count] & 0xc0) == 0x80) {
        count--;
    }
    return (int)count;
}

/* ---- Names ---- */

/* Is it an identifier of the language that stands for nothing yet? Else a problem is added. */
static bool name_check(struct reader *r, const struct rf_yaml_node *node)
{
    static const char *const roots[] = {"msg", "record", "raw", "now", "fix"};
    const struct rf_str name = node->key;
    struct rf_problems *problems = &r->rules->problems;
    struct rf_arena scratch;
    struct rf_node *tree;
    struct rf_diagnostic diagnostic;
    struct rf_error err;
    for (size_t i = 0; i < sizeof roots / sizeof roots[0]; i++) {
        if (rf_str_equal(name, rf_str_of(roots[i]))) {
            rf_problem_add(problems, node->key_begin, node->key_end, "'%s' cannot be defined: expressions have it already",
                           roots[i]);
            return false;
        }
    }
    if (rf_function_is_space(name)) {
        rf_problem_add(problems, node->key_begin, node->key_end, "'%.*s' cannot be defined: functions begin with it",
                       shown(name), name.data);
        return false;
    }
    rf_arena_init(&scratch, SCRATCH_BYTES);
    const bool is_name = name.count <= RF_RULE_NAME_MAX && rf_parse(name, &scratch, &tree, &diagnostic, &err) == RF_OK &&
                         tree->kind == RF_NODE_IDENT && !tree->has_leading_dot && rf_str_equal(tree->name, name);
    rf_arena_free(&scratch);
    if (!is_name) {
        rf_problem_add(problems, node->key_begin, node->key_end,
                       "'%.*s' is no name: letters, digits and _, a letter first, and no reserved word", shown(name),
                       name.data);
    }
    return is_name;
}

static enum rf_status let_add(struct reader *r, const struct rf_yaml_node *node, struct rf_config_text expression,
                              struct rf_rule_let *let)
{
    struct rf_rules *rules = r->rules;
    if (!name_check(r, node)) {
        return RF_OK;
    }
    uint32_t *known = rf_intern_at(&r->lets, node->key);
    if (known == NULL) {
        return fail_full(r);
    }
    if (*known != UINT32_MAX) {
        rf_problem_add(&rules->problems, node->key_begin, node->key_end, "'%.*s' is a subject set too", shown(node->key),
                       node->key.data);
        return RF_OK;
    }
    *known = rules->lets;
    let[rules->lets++] = (struct rf_rule_let){.name = node->key, .expression = expression, .node = node};
    return RF_OK;
}

/* subjectMatches(record.subject, []): the patterns, which may be 100,000, go round the parser (rules_compile.c). */
static enum rf_status subjects_write(struct reader *r, const struct rules_subjects *set, struct rf_text *out)
{
    out->count = 0;
    RF_TRY(rf_text_append(out, RF_STR("subjectMatches("), r->err));
    RF_TRY(rf_text_append(out, set->of.node == NULL ? RF_STR("record.subject") : set->of.text, r->err));
    /* It may end with a comment, which the line end ends. */
    RF_TRY(rf_text_append(out, rf_str_contains(set->of.text, RF_STR("//")) ? RF_STR("\n, [") : RF_STR(", ["), r->err));
    return rf_text_append(out, RF_STR("])"), r->err);
}

static const struct rf_list *patterns_make(struct reader *r, const struct rules_subjects *set)
{
    const struct rf_config_text *pattern = set->match.item;
    struct rf_list *list = RF_PUSH(&r->rules->arena, struct rf_list, 1);
    struct rf_value *item = RF_PUSH(&r->rules->arena, struct rf_value, set->match.count);
    if (list == NULL || item == NULL) {
        return NULL;
    }
    for (uint32_t i = 0; i < set->match.count; i++) {
        item[i] = rf_value_string(pattern[i].text);
    }
    *list = (struct rf_list){set->match.count, item};
    return list;
}

static enum rf_status lets_read(struct reader *r)
{
    struct rf_rules *rules = r->rules;
    const struct rules_subjects *set = r->file.subjects.item;
    const struct rf_config_text *expression = r->file.let.item;
    struct rf_rule_let *let = RF_PUSH(&rules->arena, struct rf_rule_let, (size_t)r->file.subjects.count + r->file.let.count);
    if (let == NULL) {
        return fail_full(r);
    }
    rules->let = let;
    for (uint32_t i = 0; i < r->file.subjects.count; i++) {
        if (set[i].match.count == 0) {
            if (set[i].object.node->kind == RF_YAML_MAPPING && !rules_given(&set[i].object, RULES_GIVEN_SUBJECTS_match)) {
                rf_problem_add(&rules->problems, set[i].object.node->begin, set[i].object.node->begin + 1,
                               "a subject set needs 'match'");
            }
            continue;
        }
        RF_TRY(subjects_write(r, &set[i], &r->text));
        const struct rf_str text = rf_arena_copy(&rules->arena, rf_text_str(&r->text));
        if (text.data == NULL) {
            return fail_full(r);
        }
        const uint32_t before = rules->lets;
        RF_TRY(let_add(r, r->file.subjects.node[i], (struct rf_config_text){.text = text}, let));
        if (rules->lets != before) {
            let[before].patterns = patterns_make(r, &set[i]);
            if (let[before].patterns == NULL) {
                return fail_full(r);
            }
        }
    }
    for (uint32_t i = 0; i < r->file.let.count; i++) {
        if (expression[i].node != NULL) {
            RF_TRY(let_add(r, r->file.let.node[i], expression[i], let));
        }
    }
    return RF_OK;
}

/* ---- Rules ---- */

static enum rf_status source_name(struct reader *r, const struct rules_entry *entry, uint32_t number,
                                  struct rf_rule_source *source)
{
    struct rf_problems *problems = &r->rules->problems;
    const struct rf_yaml_node *node = entry->name.node;
    if (node == NULL) {
        source->is_broken = true;
        return RF_OK;
    }
    source->name = entry->name.text;
    for (size_t i = 0; i < source->name.count; i++) {
        const unsigned char byte = (unsigned char)source->name.data[i];
        if (byte < 0x20 || byte == 0x7f || byte == '{' || byte == '}') {
            rf_problem_add(problems, node->begin, node->end, "a name has no braces (those of a sweep are added to it) and no "
                                                             "control characters");
            source->is_broken = true;
            return RF_OK;
        }
    }
    uint32_t *known = rf_intern_at(&r->names, source->name);
    if (known == NULL) {
        return fail_full(r);
    }
    if (*known != UINT32_MAX) {
        uint32_t line = 0;
        uint32_t column = 0;
        if (problems->items < RF_PROBLEMS_MAX) { /* else nobody reads it, and finding the place takes time */
            rf_caret_place(problems->source, r->source[*known].begin, &line, &column);
        }
        rf_problem_add(problems, node->begin, node->end, "there is a rule '%.*s' already, at %u:%u", shown(source->name),
                       source->name.data, line, column);
        source->is_broken = true;
        return RF_OK;
    }
    *known = number;
    return RF_OK;
}

static enum rf_status source_sweep(struct reader *r, const struct rules_entry *entry, struct rf_rule_source *source)
{
    struct rf_rules *rules = r->rules;
    const struct rules_parameter *written = entry->sweep.item;
    struct rf_rule_parameter *parameter = RF_PUSH(&rules->arena, struct rf_rule_parameter, entry->sweep.count);
    if (parameter == NULL) {
        return fail_full(r);
    }
    uint32_t room = RF_RULES_MAX;
    source->parameter = parameter;
    source->parameters = entry->sweep.count;
    for (uint32_t p = 0; p < entry->sweep.count; p++) {
        const struct rf_yaml_node *node = entry->sweep.node[p];
        bool is_right;
        parameter[p].name = node->key;
        parameter[p].node = node;
        if (!name_check(r, node)) {
            source->is_broken = true;
        } else {
            const uint32_t *known = rf_intern_at(&r->lets, node->key);
            if (known == NULL) {
                return fail_full(r);
            }
            if (*known != UINT32_MAX) {
                rf_problem_add(&rules->problems, node->key_begin, node->key_end,
                               "the parameter '%.*s' has the name of a let or subject set", shown(node->key), node->key.data);
                source->is_broken = true;
            }
        }
        RF_TRY(rf_sweep_values(&written[p], room, rules, &parameter[p], &is_right, r->err));
        source->is_broken = source->is_broken || !is_right;
        room = is_right ? room / parameter[p].values : room;
    }
    return RF_OK;
}

static enum rf_status source_tags(struct reader *r, const struct rules_entry *entry, struct rf_rule_source *source)
{
    const struct rf_config_text *written = entry->tags.item;
    struct rf_str *tag = RF_PUSH(&r->rules->arena, struct rf_str, entry->tags.count);
    if (tag == NULL) {
        return fail_full(r);
    }
    for (uint32_t i = 0; i < entry->tags.count; i++) {
        tag[i] = written[i].text;
    }
    source->tag = tag;
    source->tags = entry->tags.count;
    return RF_OK;
}

static struct rf_rule_state state_of(const struct rules_entry *entry)
{
    struct rf_rule_state state = {.cooldown_ns = entry->cooldown,
                                  .is_first = entry->first,
                                  .every = entry->every > 1 ? (uint32_t)entry->every : 0, /* each first one is every one */
                                  .is_changed = entry->changed,
                                  .has_count = entry->count != NULL};
    if (entry->count != NULL) {
        state.count_more_than = (uint32_t)entry->count->more_than;
        state.count_within_ns = entry->count->within;
        state.count_window = (enum rf_rule_window)entry->count->window;
    }
    return state;
}

static bool state_is_used(const struct rf_rule_state *state)
{
    return state->cooldown_ns > 0 || state->is_first || state->every > 1 || state->is_changed || state->has_count;
}

static enum rf_status sources_read(struct reader *r)
{
    struct rf_rules *rules = r->rules;
    const struct rules_entry *entry = r->file.rules.item;
    struct rf_rule_source *source = RF_PUSH(&rules->arena, struct rf_rule_source, r->file.rules.count);
    if (source == NULL) {
        return fail_full(r);
    }
    r->source = source;
    rules->source = source;
    uint64_t total = 0;
    for (uint32_t s = 0; s < r->file.rules.count; s++) {
        struct rf_rule_source *out = &source[s];
        const struct rf_yaml_node *at = entry[s].name.node != NULL ? entry[s].name.node : r->file.rules.node[s];
        out->when = entry[s].when;
        out->per = entry[s].per;
        out->state = state_of(&entry[s]);
        out->is_broken = entry[s].when.node == NULL;
        out->begin = at->begin;
        rules->needs_state = rules->needs_state || state_is_used(&out->state);
        RF_TRY(source_name(r, &entry[s], s, out));
        RF_TRY(source_tags(r, &entry[s], out));
        RF_TRY(source_sweep(r, &entry[s], out));
        rules->sources++;
        if (!out->is_broken) {
            const uint64_t before = total;
            total += rf_sweep_count(out);
            if (before <= RF_RULES_MAX && total > RF_RULES_MAX) {
                rf_problem_add(&rules->problems, at->begin, at->end, "with rule '%.*s' there are more than %d rules and variants",
                               shown(out->name), out->name.data, RF_RULES_MAX);
            }
        }
    }
    return RF_OK;
}

static enum rf_status rules_write(struct reader *r, struct rf_rule *rule)
{
    struct rf_rule_source *source = r->source;
    struct rf_rules *rules = r->rules;
    for (uint32_t s = 0; s < rules->sources; s++) {
        source[s].rule_begin = rules->rules;
        const uint32_t count = source[s].is_broken ? 0 : rf_sweep_count(&source[s]);
        for (uint32_t i = 0; i < count; i++) {
            struct rf_rule *out = &rule[rules->rules++];
            out->source = s;
            out->name = source[s].name;
            if (source[s].parameters > 0) {
                r->text.count = 0;
                RF_TRY(rf_sweep_name(&source[s], i, &r->text, r->err));
                out->name = rf_arena_copy(&rules->arena, rf_text_str(&r->text));
                if (out->name.data == NULL) {
                    return fail_full(r);
                }
            }
        }
        source[s].rule_end = rules->rules;
    }
    return RF_OK;
}

static enum rf_status rules_make(struct reader *r)
{
    struct rf_rule_source *source = r->source;
    uint64_t total = 0;
    for (uint32_t s = 0; s < r->rules->sources; s++) {
        total += source[s].is_broken ? 0 : rf_sweep_count(&source[s]);
    }
    if (total > RF_RULES_MAX) { /* a problem has been added */
        for (uint32_t s = 0; s < r->rules->sources; s++) {
            source[s].is_broken = true;
        }
        total = 0;
    }
    struct rf_rule *rule = RF_PUSH(&r->rules->arena, struct rf_rule, total);
    if (rule == NULL) {
        return fail_full(r);
    }
    r->rules->rule = rule;
    return rules_write(r, rule);
}

/* ---- The file ---- */

static enum rf_status file_read(struct reader *r)
{
    struct rf_rules *rules = r->rules;
    const struct rf_yaml_node *root = NULL;
    const enum rf_status status = rf_yaml_read(&rules->problems, NULL, &rules->arena, &root, r->err);
    if (status == RF_E_CONFIG && root == NULL) {
        return status;
    }
    if (status != RF_OK && status != RF_E_CONFIG) {
        return status;
    }
    RF_TRY(rf_config_read(&rf_rules_table, root, &rules->problems, &rules->arena, &r->file, r->err));
    r->names.arena = &rules->arena;
    r->lets.arena = &rules->arena;
    rules->time = r->file.time;
    RF_TRY(lets_read(r));
    RF_TRY(sources_read(r));
    RF_TRY(rules_make(r));
    RF_TRY(rf_rules_tests_read(rules, &r->file, &r->names, r->err));
    return rf_problems_status(&rules->problems, r->err);
}

enum rf_status rf_rules_read(struct rf_str file, struct rf_str source, struct rf_rules **out, struct rf_error *err)
{
    *out = calloc(1, sizeof **out);
    if (*out == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "out of memory for the rules of %.*s", shown(file), file.data);
    }
    struct reader r = {.rules = *out, .err = err};
    const size_t bytes = source.count < RF_YAML_BYTES_MAX ? source.count : RF_YAML_BYTES_MAX;
    (*out)->file = file;
    rf_arena_init(&(*out)->arena, ARENA_BYTES_BASE + bytes * ARENA_BYTES_OF_BYTE);
    rf_problems_open(&(*out)->problems, file, source);
    const enum rf_status status = file_read(&r);
    rf_text_free(&r.text);
    return status;
}

void rf_rules_close(struct rf_rules *rules)
{
    if (rules != NULL) {
        rf_arena_free(&rules->arena);
        free(rules);
    }
}

const struct rf_rule_value *rf_rules_value(const struct rf_rules *rules, uint32_t rule, uint32_t parameter)
{
    const struct rf_rule_source *source = &rules->source[rules->rule[rule].source];
    return &source->parameter[parameter].value[rf_sweep_choice(source, rule - source->rule_begin, parameter)];
}

uint32_t rf_rules_find(const struct rf_rules *rules, struct rf_str name)
{
    size_t brace = name.count;
    (void)rf_str_find(name, RF_STR("{"), &brace);
    const struct rf_str head = {name.data, brace};
    for (uint32_t s = 0; s < rules->sources; s++) {
        const struct rf_rule_source *source = &rules->source[s];
        for (uint32_t i = source->rule_begin; i < source->rule_end && rf_str_equal(source->name, head); i++) {
            if (rf_str_equal(rules->rule[i].name, name)) {
                return i;
            }
        }
    }
    return RF_NONE;
}
