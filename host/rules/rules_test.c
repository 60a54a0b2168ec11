#include "rules_test.h"

#include <stdlib.h>

enum { SHOWN_BYTES = 48, NEAREST_OF_MAX = 4096 };

struct reader {
    struct rf_rules *rules;
    struct rf_intern *sources;
    struct rf_intern rules_known; /* by name: filled when a test names a variant of a long sweep */
    bool has_known;
    struct rf_text text;
    struct rf_error *err;
};

static enum rf_status fail_full(struct reader *r)
{
    RF_FAIL(r->err, RF_E_LIMIT, "the tests need more memory than their bound allows");
}

static int shown(struct rf_str text)
{
    return (int)(text.count < SHOWN_BYTES ? text.count : SHOWN_BYTES);
}

/* ---- Names ---- */

static void unknown_tell(struct reader *r, const struct rf_config_text *name)
{
    const struct rf_rules *rules = r->rules;
    const char *near = NULL;
    size_t least = 3;
    struct rf_str best = {0};
    for (uint32_t s = 0; s < rules->sources && s < NEAREST_OF_MAX; s++) {
        const size_t distance = rf_str_distance(rules->source[s].name, name->text);
        if (distance < least && distance * 2 < name->text.count) {
            least = distance;
            best = rules->source[s].name;
            near = best.data;
        }
    }
    rf_problem_add(&r->rules->problems, name->node->begin, name->node->end, "there is no rule '%.*s'%s%.*s%s",
                   shown(name->text), name->text.data, near == NULL ? "" : " (did you mean '", near == NULL ? 0 : shown(best),
                   near == NULL ? "" : best.data, near == NULL ? "" : "'?)");
}

/* The source that a name begins with; RF_NONE: a problem was added. */
static enum rf_status source_find(struct reader *r, const struct rf_config_text *name, uint32_t *out)
{
    size_t brace = name->text.count;
    (void)rf_str_find(name->text, RF_STR("{"), &brace);
    const uint32_t *known = rf_intern_at(r->sources, (struct rf_str){name->text.data, brace});
    if (known == NULL) {
        return fail_full(r);
    }
    *out = *known;
    if (*known == UINT32_MAX) {
        unknown_tell(r, name);
    }
    return RF_OK;
}

/* A test may name all of 10,000 variants. */
static enum rf_status variants_index(struct reader *r)
{
    for (uint32_t i = 0; i < r->rules->rules; i++) {
        uint32_t *at = rf_intern_at(&r->rules_known, r->rules->rule[i].name);
        if (at == NULL) {
            return fail_full(r);
        }
        *at = i;
    }
    r->has_known = true;
    return RF_OK;
}

/* RF_NONE: the source has no rule of this name. */
static enum rf_status variant_find(struct reader *r, const struct rf_rule_source *source, struct rf_str name, uint32_t *out)
{
    enum { LOOKED_THROUGH = 64 };
    if (source->rule_end - source->rule_begin > LOOKED_THROUGH) {
        RF_TRY(r->has_known ? RF_OK : variants_index(r));
        const uint32_t *known = rf_intern_at(&r->rules_known, name);
        *out = known == NULL ? RF_NONE : *known;
        return known == NULL ? fail_full(r) : RF_OK;
    }
    *out = RF_NONE;
    for (uint32_t i = source->rule_begin; i < source->rule_end && *out == RF_NONE; i++) {
        *out = rf_str_equal(r->rules->rule[i].name, name) ? i : RF_NONE;
    }
    return RF_OK;
}

static enum rf_status rule_find(struct reader *r, const struct rf_config_text *name, uint32_t *out)
{
    struct rf_rules *rules = r->rules;
    uint32_t number;
    RF_TRY(source_find(r, name, &number));
    *out = RF_NONE;
    if (number == RF_NONE || rules->source[number].is_broken) {
        return RF_OK;
    }
    const struct rf_rule_source *source = &rules->source[number];
    RF_TRY(variant_find(r, source, name->text, out));
    if (*out != RF_NONE) {
        return RF_OK;
    }
    const struct rf_str first = rules->rule[source->rule_begin].name;
    if (source->parameters > 0) {
        rf_problem_add(&rules->problems, name->node->begin, name->node->end,
                       "rule '%.*s' has %u variants, none of them '%.*s': they are named like '%.*s'", shown(source->name),
                       source->name.data, source->rule_end - source->rule_begin, shown(name->text), name->text.data,
                       shown(first), first.data);
    } else {
        rf_problem_add(&rules->problems, name->node->begin, name->node->end, "rule '%.*s' has no sweep: its name is all",
                       shown(source->name), source->name.data);
    }
    return RF_OK;
}

static enum rf_status names_read(struct reader *r, const struct rf_config_list *list, bool is_of_sources,
                                 const uint32_t **out, uint32_t *count)
{
    const struct rf_config_text *name = list->item;
    uint32_t *number = RF_PUSH(&r->rules->arena, uint32_t, list->count);
    if (number == NULL) {
        return fail_full(r);
    }
    *out = number;
    *count = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t found = RF_NONE;
        if (name[i].node != NULL) {
            RF_TRY(is_of_sources ? source_find(r, &name[i], &found) : rule_find(r, &name[i], &found));
        }
        if (found != RF_NONE) {
            number[(*count)++] = found;
        }
    }
    return RF_OK;
}

/* ---- Records ---- */

/* Recursion is bounded by RF_YAML_DEPTH_MAX. */
static void doubts_tell(struct reader *r, const struct rf_yaml_node *node)
{
    if (rf_yaml_is_doubtful(node)) {
        const int shown = (int)(node->text.count < 48 ? node->text.count : 48);
        rf_problem_add(&r->rules->problems, node->begin, node->end, RF_YAML_DOUBT, shown, node->text.data);
    }
    for (const struct rf_yaml_node *child = node->first_child; child != NULL; child = child->next) {
        doubts_tell(r, child);
    }
}

static enum rf_status record_of_yaml(struct reader *r, const struct rf_yaml_node *node, struct rf_str *out)
{
    doubts_tell(r, node);
    r->text.count = 0;
    RF_TRY(rf_yaml_write_json(node, &r->text, r->err));
    *out = rf_arena_copy(&r->rules->arena, rf_text_str(&r->text));
    return out->data == NULL ? fail_full(r) : RF_OK;
}

static enum rf_status records_read(struct reader *r, const struct rules_test_entry *entry, struct rf_rules_test *test)
{
    const struct rf_config_object *object = &entry->object;
    const bool has_record = rules_given(object, RULES_GIVEN_TEST_record);
    const bool has_records = rules_given(object, RULES_GIVEN_TEST_records);
    const bool has_line = rules_given(object, RULES_GIVEN_TEST_line);
    const bool has_lines = rules_given(object, RULES_GIVEN_TEST_lines);
    if (has_record + has_records + has_line + has_lines != 1) {
        rf_problem_add(&r->rules->problems, object->node->begin, object->node->begin + 1,
                       "a test has one of 'record', 'records', 'line' and 'lines'");
        return RF_OK;
    }
    const uint32_t count = has_records ? entry->records.count : has_lines ? entry->lines.count : 1;
    struct rf_str *record = RF_PUSH(&r->rules->arena, struct rf_str, count);
    if (record == NULL) {
        return fail_full(r);
    }
    const struct rf_config_text *line = has_lines ? entry->lines.item : &entry->line;
    for (uint32_t i = 0; i < count; i++) {
        if (has_line || has_lines) {
            record[i] = line[i].text;
        } else {
            RF_TRY(record_of_yaml(r, has_record ? entry->record : entry->records.node[i], &record[i]));
        }
    }
    test->record = record;
    test->records = count;
    test->is_json = has_record || has_records;
    return RF_OK;
}

/* ---- What they hit ---- */

/* "3", of so many records; 0: a problem was added. */
static uint32_t number_read(struct reader *r, const struct rf_yaml_node *node, uint32_t records)
{
    uint64_t number = 0;
    bool is_number = node->key.count > 0 && node->key.count < 10 && node->key.data[0] != '0';
    for (size_t i = 0; i < node->key.count && is_number; i++) {
        is_number = node->key.data[i] >= '0' && node->key.data[i] <= '9';
        number = number * 10 + (uint64_t)(node->key.data[i] - '0');
    }
    if (!is_number || number > records) {
        rf_problem_add(&r->rules->problems, node->key_begin, node->key_end,
                       "'%.*s' is no record of this test: 'fires_at' names them by number, 1 to %u", shown(node->key),
                       node->key.data, records);
        return 0;
    }
    return (uint32_t)number;
}

static int fires_compare(const void *left, const void *right)
{
    const struct rf_rules_fires *a = left;
    const struct rf_rules_fires *b = right;
    return a->record < b->record ? -1 : a->record > b->record;
}

static enum rf_status fires_read(struct reader *r, const struct rules_test_entry *entry, struct rf_rules_test *test)
{
    const struct rules_test_fired *fired = entry->fires_at.item;
    struct rf_rules_fires *at = RF_PUSH(&r->rules->arena, struct rf_rules_fires, entry->fires_at.count);
    if (at == NULL) {
        return fail_full(r);
    }
    test->has_fires = rules_given(&entry->object, RULES_GIVEN_TEST_fires);
    if (!test->has_fires && !rules_given(&entry->object, RULES_GIVEN_TEST_fires_at)) {
        rf_problem_add(&r->rules->problems, entry->object.node->begin, entry->object.node->begin + 1,
                       "a test needs 'fires' or 'fires_at'");
    }
    RF_TRY(names_read(r, &entry->fires, false, &test->fires, &test->fire_count));
    test->at = at;
    for (uint32_t i = 0; i < entry->fires_at.count; i++) {
        struct rf_rules_fires *out = &at[test->at_count];
        out->record = test->records == 0 ? 0 : number_read(r, entry->fires_at.node[i], test->records);
        if (fired[i].object.node->kind == RF_YAML_MAPPING && !rules_given(&fired[i].object, RULES_GIVEN_FIRED_rules)) {
            rf_problem_add(&r->rules->problems, fired[i].object.node->begin, fired[i].object.node->begin + 1,
                           "a record of a test needs 'rules'");
        }
        RF_TRY(names_read(r, &fired[i].rules, false, &out->rule, &out->rules));
        test->at_count += out->record != 0;
    }
    qsort(at, test->at_count, sizeof at[0], fires_compare);
    return RF_OK;
}

static enum rf_status tests_read(struct reader *r, const struct rules_file *file)
{
    struct rf_rules *rules = r->rules;
    const struct rules_test_entry *entry = file->tests.item;
    struct rf_rules_test *test = RF_PUSH(&rules->arena, struct rf_rules_test, file->tests.count);
    if (test == NULL) {
        return fail_full(r);
    }
    rules->test = test;
    for (uint32_t t = 0; t < file->tests.count; t++) {
        struct rf_rules_test *out = &test[rules->tests];
        if (entry[t].object.node == NULL || entry[t].object.node->kind != RF_YAML_MAPPING) {
            continue;
        }
        out->name = entry[t].name.text;
        out->begin = entry[t].object.node->begin;
        RF_TRY(records_read(r, &entry[t], out));
        RF_TRY(fires_read(r, &entry[t], out));
        RF_TRY(names_read(r, &entry[t].only, true, &out->only, &out->only_count));
        rules->tests++;
    }
    return RF_OK;
}

enum rf_status rf_rules_tests_read(struct rf_rules *rules, const struct rules_file *file, struct rf_intern *sources,
                                   struct rf_error *err)
{
    struct reader r = {.rules = rules, .sources = sources, .err = err, .rules_known = {.arena = &rules->arena}};
    const enum rf_status status = tests_read(&r, file);
    rf_text_free(&r.text);
    return status;
}
