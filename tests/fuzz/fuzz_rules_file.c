/* Rules files from any bytes: each ends as a program or with problems; places lie in the file; names of rules are distinct and
 * found again; every byte of a scalar has a place in it. */
#include <stdlib.h>

#include "intern.h"
#include "rules.h"

enum { RULES_COMPILED_MAX = 2000, YAML_ARENA_BYTES = 256 * 1024 * 1024, NODES_PLACED_MAX = 2000, OFFSETS_MAX = 300 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool is_true)
{
    if (!is_true) {
        abort();
    }
}

static void check_problems(const struct rf_problems *problems, struct rf_str source)
{
    struct rf_text text = {0};
    struct rf_error err;
    require(problems->items > 0 && problems->items <= RF_PROBLEMS_MAX);
    for (uint32_t i = 0; i < problems->items; i++) {
        const struct rf_problem *problem = &problems->item[i];
        require(problem->begin <= problem->end && problem->end <= source.count);
        require(problem->line >= 1 && problem->column >= 1 && problem->text[0] != '\0');
    }
    require(rf_problems_print(problems, &text, &err) == RF_OK);
    rf_text_free(&text);
}

/* Places of one scalar: in its order and within it. */
static void check_places(struct rf_str source, const struct rf_yaml_node *node)
{
    uint32_t last = node->begin;
    for (size_t i = 0; i <= node->text.count && i < OFFSETS_MAX; i++) {
        const uint32_t at = rf_yaml_place(source, node, i);
        require(at >= last && at <= source.count);
        last = at;
    }
}

static void check_tree(struct rf_str source, const struct rf_yaml_node *node, uint32_t *left)
{
    if (*left == 0) {
        return;
    }
    --*left;
    require(node->begin <= node->end && node->end <= source.count);
    if (node->kind == RF_YAML_SCALAR) {
        check_places(source, node);
    }
    uint32_t children = 0;
    for (const struct rf_yaml_node *child = node->first_child; child != NULL; child = child->next) {
        check_tree(source, child, left);
        children++;
    }
    require(children == node->children);
}

static void check_yaml(struct rf_str source)
{
    static struct rf_problems problems;
    const struct rf_yaml_node *root;
    struct rf_arena arena;
    struct rf_error err;
    uint32_t left = NODES_PLACED_MAX;
    rf_arena_init(&arena, YAML_ARENA_BYTES);
    rf_problems_open(&problems, RF_STR("fuzz.yaml"), source);
    const enum rf_status status = rf_yaml_read(&problems, NULL, &arena, &root, &err);
    require(status == RF_OK || status == RF_E_CONFIG || status == RF_E_LIMIT);
    require((status == RF_E_CONFIG) == !rf_problems_none(&problems));
    if (root != NULL) {
        check_tree(source, root, &left);
    }
    rf_arena_free(&arena);
}

static void check_rules(const struct rf_rules *rules)
{
    struct rf_arena arena;
    struct rf_intern names = {.arena = &arena};
    rf_arena_init(&arena, YAML_ARENA_BYTES);
    for (uint32_t r = 0; r < rules->rules && r < RULES_COMPILED_MAX; r++) {
        uint32_t *known = rf_intern_at(&names, rules->rule[r].name);
        require(known != NULL && *known == UINT32_MAX);
        *known = r;
        require(rf_rules_find(rules, rules->rule[r].name) == r);
    }
    rf_arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct rf_str source = {(const char *)data, size};
    struct rf_rules *rules;
    struct rf_rules_program program = {0};
    struct rf_diagnostic diagnostic;
    struct rf_error err;
    uint32_t failed;
    check_yaml(source);
    enum rf_status status = rf_rules_read(RF_STR("fuzz.yaml"), source, &rules, &err);
    require(status == RF_OK || status == RF_E_CONFIG || status == RF_E_LIMIT);
    const bool is_read = status == RF_OK;
    if (is_read) {
        check_rules(rules);
    }
    if (status != RF_E_LIMIT && rules->rules <= RULES_COMPILED_MAX) {
        status = rf_rules_compile(rules, NULL, (struct rf_compile_options){0}, &program, &diagnostic, &failed, &err);
        require(status == RF_OK || status == RF_E_CONFIG || status == RF_E_LIMIT);
        require(is_read || status != RF_OK);
        require(status != RF_OK || program.compiled.program.predicates == rules->rules);
    }
    if (status == RF_E_CONFIG) {
        check_problems(&rules->problems, source);
    }
    rf_rules_program_close(&program);
    rf_rules_close(rules);
    return 0;
}
