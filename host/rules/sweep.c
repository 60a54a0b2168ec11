#include "sweep.h"

#include "fix_amount.h"
#include "intern.h"
#include "json_text.h"

enum { SHOWN_BYTES = 48 };

static enum rf_status fail_full(struct rf_error *err)
{
    RF_FAIL(err, RF_E_LIMIT, "the rules need more memory than their bound allows");
}

static int shown(struct rf_str text)
{
    return (int)(text.count < SHOWN_BYTES ? text.count : SHOWN_BYTES);
}

/* ---- Lists ---- */

/* Plain words stand in names as they are; what could be taken for something else is quoted. */
static bool text_is_word(struct rf_str text)
{
    for (size_t i = 0; i < text.count; i++) {
        const char c = text.data[i];
        const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!is_letter && (c == '\0' || strchr("_.:/-+@", c) == NULL) && (unsigned char)c < 0x80) {
            return false;
        }
    }
    return text.count > 0 && !rf_number_is_json(text) && !rf_str_equal(text, RF_STR("true")) &&
           !rf_str_equal(text, RF_STR("false"));
}

static enum rf_status word_make(struct rf_arena *arena, struct rf_str text, struct rf_str *out, struct rf_error *err)
{
    struct rf_text quoted = {0};
    *out = text;
    if (text_is_word(text)) {
        return RF_OK;
    }
    enum rf_status status = rf_json_quote(&quoted, text, err);
    if (status == RF_OK) {
        *out = rf_arena_copy(arena, rf_text_str(&quoted));
        status = out->data == NULL ? fail_full(err) : RF_OK;
    }
    rf_text_free(&quoted);
    return status;
}

/* A number as written: an int when it has neither point nor exponent, as in CEL. False: beyond their ranges. */
static bool number_value(struct rf_str text, struct rf_value *out)
{
    struct rf_number number;
    bool is_whole = true;
    for (size_t i = 0; i < text.count; i++) {
        is_whole = is_whole && text.data[i] != '.' && text.data[i] != 'e' && text.data[i] != 'E';
    }
    if (rf_number_from_json(text, &number) != RF_NUMBER_OK) {
        return false;
    }
    if (!is_whole) {
        *out = rf_value_double(number.as.d);
        return true;
    }
    if (number.kind == RF_NUMBER_DOUBLE) { /* 2^53 and below are doubles; beyond 64 bits too */
        if (number.as.d < -9007199254740992.0 || number.as.d > 9007199254740992.0) {
            return false;
        }
        *out = rf_value_int((int64_t)number.as.d);
        return true;
    }
    *out = rf_value_int(number.as.i);
    return number.kind == RF_NUMBER_INT;
}

static enum rf_status item_value(struct rf_rules *rules, const struct rf_yaml_node *node, struct rf_rule_value *out,
                                 bool *is_right, struct rf_error *err)
{
    bool truth;
    out->text = node->text;
    if (node->kind != RF_YAML_SCALAR || rf_yaml_is_null(node)) {
        rf_problem_add(&rules->problems, node->begin, node->kind == RF_YAML_SCALAR ? node->end : node->begin + 1,
                       "a value of a sweep is a number, true, false or a text, not %s", rf_yaml_noun(node));
        *is_right = false;
    } else if (rf_yaml_bool(node, &truth)) {
        out->text = truth ? RF_STR("true") : RF_STR("false");
        out->value = rf_value_bool(truth);
    } else if (rf_yaml_is_number(node)) {
        if (!number_value(node->text, &out->value)) {
            rf_problem_add(&rules->problems, node->begin, node->end, "the number is beyond 64 bits");
            *is_right = false;
        }
    } else if (rf_yaml_is_doubtful(node)) {
        rf_problem_add(&rules->problems, node->begin, node->end, RF_YAML_DOUBT, shown(node->text), node->text.data);
        *is_right = false;
    } else {
        out->value = rf_value_string(node->text);
        return word_make(&rules->arena, node->text, &out->text, err);
    }
    return RF_OK;
}

/* What tells values apart: 1 and 1.0 are one. */
static enum rf_status item_text(struct rf_rules *rules, const struct rf_rule_value *item, struct rf_str *out,
                                struct rf_error *err)
{
    *out = item->text;
    if (item->value.type != RF_TYPE_DOUBLE) {
        return RF_OK;
    }
    char text[RF_NUMBER_TEXT_MAX];
    *out = rf_arena_copy(&rules->arena, (struct rf_str){text, rf_double_to_text(item->value.exact.as.d, text)});
    return out->data == NULL ? fail_full(err) : RF_OK;
}

static enum rf_status list_values(const struct rf_config_list *list, struct rf_rules *rules,
                                  struct rf_rule_parameter *out, bool *is_right, struct rf_error *err)
{
    const struct rf_yaml_node *const *node = list->node;
    struct rf_rule_value *value = RF_PUSH(&rules->arena, struct rf_rule_value, list->count);
    struct rf_intern known = {.arena = &rules->arena};
    if (value == NULL) {
        return fail_full(err);
    }
    for (uint32_t i = 0; i < list->count; i++) {
        RF_TRY(item_value(rules, node[i], &value[i], is_right, err));
        struct rf_str same;
        RF_TRY(item_text(rules, &value[i], &same, err));
        uint32_t *first = rf_intern_at(&known, same);
        if (first == NULL) {
            return fail_full(err);
        }
        if (*first != UINT32_MAX && *is_right) {
            rf_problem_add(&rules->problems, node[i]->begin, node[i]->end, "the value %.*s is there twice",
                           shown(value[i].text), value[i].text.data);
            *is_right = false;
        }
        *first = i;
    }
    out->value = value;
    out->values = list->count;
    return RF_OK;
}

/* ---- Ranges ---- */

static bool decimal_read(struct rf_rules *rules, const struct rf_yaml_node *node, const char *key, __int128 *out,
                         bool *is_whole)
{
    struct rf_fix_decimal decimal;
    if (!rf_yaml_is_number(node) || !rf_fix_decimal_from_text(node->text, &decimal)) {
        rf_problem_add(&rules->problems, node->begin, node->kind == RF_YAML_SCALAR ? node->end : node->begin + 1,
                       "'%s' is a decimal such as 0.1, with at most %d digits behind the point and %d in all", key,
                       RF_FIX_AMOUNT_DECIMALS, RF_FIX_AMOUNT_DIGITS_MAX);
        return false;
    }
    *is_whole = *is_whole && memchr(node->text.data, '.', node->text.count) == NULL;
    *out = rf_fix_decimal_amount(decimal);
    return true;
}

static enum rf_status range_make(struct rf_rules *rules, __int128 from, __int128 step, uint32_t count, bool is_whole,
                                 struct rf_rule_parameter *out, struct rf_error *err)
{
    struct rf_rule_value *value = RF_PUSH(&rules->arena, struct rf_rule_value, count);
    if (value == NULL) {
        return fail_full(err);
    }
    for (uint32_t i = 0; i < count; i++) {
        char text[RF_FIX_AMOUNT_TEXT_MAX];
        const size_t bytes = rf_fix_amount_write(from + step * i, RF_FIX_AMOUNT_DECIMALS, text);
        struct rf_number number;
        value[i].text = rf_arena_copy(&rules->arena, (struct rf_str){text, bytes});
        if (value[i].text.data == NULL) {
            return fail_full(err);
        }
        if (is_whole) {
            (void)number_value(value[i].text, &value[i].value); /* 18 digits are within 64 bits */
        } else {
            (void)rf_number_from_json(value[i].text, &number);
            value[i].value = rf_value_double(rf_number_to_double(number));
        }
    }
    out->value = value;
    out->values = count;
    return RF_OK;
}

/* Told before values are made: of seven ranges with a million values each there is no memory for the values alone. */
static bool room_check(struct rf_rules *rules, const struct rf_rule_parameter *parameter, uint64_t count, uint32_t room)
{
    const struct rf_yaml_node *node = parameter->node;
    if (count <= room) {
        return true;
    }
    rf_problem_add(&rules->problems, node->key_begin, node->key_end, "with '%.*s' the rule has more than %d variants",
                   shown(parameter->name), parameter->name.data, RF_RULES_MAX);
    return false;
}

static enum rf_status range_values(const struct rules_parameter *written, uint32_t room, struct rf_rules *rules,
                                   struct rf_rule_parameter *out, bool *is_right, struct rf_error *err)
{
    __int128 from = 0;
    __int128 to = 0;
    __int128 step = 0;
    bool is_whole = true;
    bool is_end_whole = true;
    const struct rf_yaml_node *at = written->step != NULL ? written->step : written->object.node;
    *is_right = decimal_read(rules, written->from, "from", &from, &is_whole);
    *is_right = decimal_read(rules, written->to, "to", &to, &is_end_whole) && *is_right;
    if (written->step != NULL) {
        *is_right = decimal_read(rules, written->step, "step", &step, &is_whole) && *is_right;
    } else {
        step = rf_fix_decimal_amount((struct rf_fix_decimal){1, 0});
    }
    if (!*is_right) {
        return RF_OK;
    }
    if (step == 0) {
        rf_problem_add(&rules->problems, at->begin, at->end, "'step' is 0: the range would never end");
    } else if (from != to && (to > from) != (step > 0)) {
        rf_problem_add(&rules->problems, at->begin, written->step != NULL ? at->end : at->begin + 1,
                       "from %.*s the step %.*s never comes to %.*s", shown(written->from->text),
                       written->from->text.data, written->step != NULL ? shown(written->step->text) : 1,
                       written->step != NULL ? written->step->text.data : "1", shown(written->to->text),
                       written->to->text.data);
    } else if ((to - from) / step >= RF_RULES_MAX) {
        rf_problem_add(&rules->problems, at->begin, written->step != NULL ? at->end : at->begin + 1,
                       "the range has more than %d values", RF_RULES_MAX);
    } else if (room_check(rules, out, (uint64_t)((to - from) / step) + 1, room)) {
        return range_make(rules, from, step, (uint32_t)((to - from) / step) + 1, is_whole, out, err);
    }
    *is_right = false;
    return RF_OK;
}

enum rf_status rf_sweep_values(const struct rules_parameter *written, uint32_t room, struct rf_rules *rules,
                               struct rf_rule_parameter *out, bool *is_right, struct rf_error *err)
{
    const struct rf_config_object *object = &written->object;
    const bool has_values = rules_given(object, RULES_GIVEN_PARAMETER_values);
    const bool has_range = written->from != NULL || written->to != NULL || written->step != NULL;
    *is_right = true;
    if (has_values && has_range) {
        rf_problem_add(&rules->problems, object->node->begin, object->node->begin + 1,
                       "a sweep parameter has either values, or from, to and step");
    } else if (has_values && written->values.count > 0) {
        *is_right = room_check(rules, out, written->values.count, room);
        return list_values(&written->values, rules, out, is_right, err);
    } else if (written->from != NULL && written->to != NULL) {
        return range_values(written, room, rules, out, is_right, err);
    } else if (!has_values && object->node->kind == RF_YAML_MAPPING) { /* else the reader has told */
        rf_problem_add(&rules->problems, object->node->begin, object->node->begin + 1,
                       "a sweep parameter needs 'values', or 'from' and 'to'");
    }
    *is_right = false;
    return RF_OK;
}

/* ---- Combinations ---- */

uint32_t rf_sweep_count(const struct rf_rule_source *source)
{
    uint64_t count = 1;
    for (uint32_t p = 0; p < source->parameters; p++) {
        count *= source->parameter[p].values; /* each is RF_RULES_MAX at most, so this cannot overflow */
        if (count > RF_RULES_MAX) {
            return RF_RULES_MAX + 1;
        }
    }
    return (uint32_t)count;
}

uint32_t rf_sweep_choice(const struct rf_rule_source *source, uint32_t i, uint32_t p)
{
    for (uint32_t k = source->parameters - 1; k > p; k--) {
        i /= source->parameter[k].values;
    }
    return i % source->parameter[p].values;
}

enum rf_status rf_sweep_name(const struct rf_rule_source *source, uint32_t i, struct rf_text *out, struct rf_error *err)
{
    RF_TRY(rf_text_append(out, source->name, err));
    for (uint32_t p = 0; p < source->parameters; p++) {
        const struct rf_rule_parameter *parameter = &source->parameter[p];
        RF_TRY(rf_text_append_char(out, p == 0 ? '{' : ',', err));
        RF_TRY(rf_text_append(out, parameter->name, err));
        RF_TRY(rf_text_append_char(out, '=', err));
        RF_TRY(rf_text_append(out, parameter->value[rf_sweep_choice(source, i, p)].text, err));
    }
    return source->parameters == 0 ? RF_OK : rf_text_append_char(out, '}', err);
}
