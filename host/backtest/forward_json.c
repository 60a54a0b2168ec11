#include "forward_json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "duration.h"
#include "json_text.h"
#include "line_member.h"
#include "number.h"

static const char *const change_name[] = {"relative", "absolute"};

/* ---- Writing ---- */

static enum rf_status number_member(struct rf_text *out, const char *name, bool has_value, double value,
                                    struct rf_error *err)
{
    char text[RF_NUMBER_TEXT_MAX];
    RF_TRY(rf_text_printf(out, err, ",\"%s\":", name));
    return has_value && isfinite(value)
               ? rf_text_append(out, (struct rf_str){text, rf_double_to_text(value, text)}, err)
               : rf_text_append(out, RF_STR("null"), err);
}

static enum rf_status figures_write(const struct rf_forward_figures *figures, struct rf_text *out, struct rf_error *err)
{
    const bool has_any = figures->count != 0;
    RF_TRY(number_member(out, "mean", has_any, figures->mean, err));
    RF_TRY(number_member(out, "std", has_any, figures->deviation, err));
    RF_TRY(number_member(out, "min", has_any, figures->least, err));
    for (unsigned q = 0; q < RF_SKETCH_QUANTILES; q++) {
        char name[16];
        (void)snprintf(name, sizeof name, "p%u", rf_sketch_percent[q]);
        RF_TRY(number_member(out, name, has_any, figures->quantile[q], err));
    }
    RF_TRY(number_member(out, "max", has_any, figures->most, err));
    return number_member(out, "hit_rate", has_any, figures->up, err);
}

static enum rf_status sketch_write(const struct rf_sketch *sketch, uint32_t rule, struct rf_text *out,
                                   struct rf_error *err)
{
    bool is_first = true;
    for (int32_t b = sketch->low; b <= sketch->high; b++) {
        const uint64_t count = rf_sketch_cell(sketch, b, rule);
        if (count != 0) {
            RF_TRY(rf_text_printf(out, err, "%s[%" PRId32 ",%" PRIu64 "]", is_first ? "" : ",", b, count));
            is_first = false;
        }
    }
    return RF_OK;
}

static enum rf_status settings_write(const struct rf_forward_tally *tally, struct rf_text *out, struct rf_error *err)
{
    const struct rf_forward_settings *settings = &tally->settings;
    char horizon[RF_DURATION_TEXT_MAX];
    RF_TRY(rf_text_append(out, RF_STR(",\"followed\":{\"value\":"), err));
    RF_TRY(rf_json_quote(out, settings->value, err));
    RF_TRY(rf_text_append(out, RF_STR(",\"per\":"), err));
    RF_TRY(settings->per.count == 0 ? rf_text_append(out, RF_STR("null"), err)
                                    : rf_json_quote(out, settings->per, err));
    RF_TRY(rf_text_append(out, RF_STR(",\"horizon\":\""), err));
    RF_TRY(rf_text_append(out, (struct rf_str){horizon, rf_duration_write(settings->horizon_ns, horizon)}, err));
    return rf_text_printf(
        out, err, "\",\"change\":\"%s\",\"missing\":%" PRIu64 ",\"wrong\":%" PRIu64 ",\"bits\":%" PRIu32 "}",
        change_name[settings->is_absolute], tally->values.missing, tally->values.wrong, tally->sketch.bits);
}

enum rf_status rf_forward_write_json(const struct rf_forward_tally *tally, uint32_t rule, struct rf_text *out,
                                     struct rf_error *err)
{
    const struct rf_forward_figures figures = rf_forward_figures_of(tally, rule);
    RF_TRY(rf_text_printf(out, err, ",\"forward\":{\"evaluated\":%" PRIu64, figures.count));
    for (int kind = 0; kind < RF_FORWARD_WITHOUTS; kind++) {
        RF_TRY(rf_text_printf(out, err, ",\"%s\":%" PRIu64, rf_forward_without_name[kind], tally->without[kind][rule]));
    }
    RF_TRY(figures_write(&figures, out, err));
    RF_TRY(rf_text_append(out, RF_STR(",\"sums\":["), err));
    RF_TRY(rf_moments_write(&tally->moments[rule], out, err));
    RF_TRY(rf_text_append(out, RF_STR("],\"buckets\":["), err));
    RF_TRY(sketch_write(&tally->sketch, rule, out, err));
    RF_TRY(rf_text_append(out, RF_STR("]}"), err));
    return settings_write(tally, out, err);
}

/* ---- Reading ---- */

static const struct rf_value *text_of(const struct rf_value *map, const char *name)
{
    const struct rf_value *value = rf_line_member(map, name);
    return value == NULL || value->type != RF_TYPE_STRING ? NULL : value;
}

static enum rf_status settings_read(struct rf_forward_tally *tally, const struct rf_value *map, uint32_t rules,
                                    struct rf_arena *arena, bool *is_good, struct rf_error *err)
{
    const struct rf_value *value = text_of(map, "value");
    const struct rf_value *per = text_of(map, "per");
    const struct rf_value *horizon = text_of(map, "horizon");
    const struct rf_value *change = text_of(map, "change");
    struct rf_forward_settings settings = {.per = {"", 0}};
    struct rf_forward_values values;
    uint64_t bits;
    *is_good = value != NULL && horizon != NULL && change != NULL &&
               rf_duration_parse(horizon->text, &settings.horizon_ns) && settings.horizon_ns > 0 &&
               rf_line_count_of(map, "missing", &values.missing) && rf_line_count_of(map, "wrong", &values.wrong) &&
               rf_line_count_of(map, "bits", &bits) && bits <= RF_SKETCH_BITS;
    if (!*is_good) {
        return RF_OK;
    }
    settings.is_absolute = rf_str_equal(change->text, rf_str_of(change_name[true]));
    *is_good = settings.is_absolute || rf_str_equal(change->text, rf_str_of(change_name[false]));
    settings.value = rf_arena_copy(arena, value->text);
    settings.per = per == NULL ? settings.per : rf_arena_copy(arena, per->text);
    if (settings.value.data == NULL || settings.per.data == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "out of memory for an outcome");
    }
    RF_TRY(rf_forward_tally_open(tally, settings, rules, err));
    tally->values = values;
    return rf_sketch_coarsen(&tally->sketch, (uint32_t)bits, err);
}

/* A change, that may be null: then 0. */
static bool change_of(const struct rf_value *map, const char *name, double *change)
{
    const struct rf_value *value = rf_line_member(map, name);
    rf_steps steps = 0;
    const bool is_good = value == NULL || value->type == RF_TYPE_NULL ||
                         (rf_value_is_number(*value) && !rf_value_is_beyond_range(*value) &&
                          rf_steps_of(rf_number_to_double(value->exact), &steps));
    *change = rf_steps_to_double(steps);
    return is_good;
}

static enum rf_status bucket_read(struct rf_forward_tally *tally, const struct rf_value *pair, int32_t reach,
                                  uint32_t bits, uint32_t rule, bool *is_good, struct rf_error *err)
{
    uint64_t count = 0;
    double bucket = 0;
    uint64_t *at;
    *is_good = pair->type == RF_TYPE_LIST && pair->list->count == 2 && rf_value_is_number(pair->list->item[0]) &&
               rf_line_count(&pair->list->item[1], &count);
    if (*is_good) {
        bucket = rf_number_to_double(pair->list->item[0].exact);
        *is_good = fabs(bucket) <= reach && bucket == rint(bucket);
    }
    if (!*is_good) {
        return RF_OK;
    }
    RF_TRY(rf_sketch_at(&tally->sketch, rf_sketch_middle((int32_t)bucket, bits), &at, err));
    at[rule] += count;
    return RF_OK;
}

static enum rf_status rule_read(struct rf_forward_tally *tally, const struct rf_value *map, uint32_t bits,
                                uint32_t rule, uint64_t hits, bool *is_good, struct rf_error *err)
{
    const struct rf_value *sums = rf_line_member(map, "sums");
    const struct rf_value *buckets = rf_line_member(map, "buckets");
    const int32_t reach = rf_sketch_bucket(((rf_steps)1 << RF_SKETCH_OCTAVES) - 1, bits);
    uint64_t sum = 0;
    double least;
    double most;
    *is_good = sums != NULL && sums->type == RF_TYPE_LIST && sums->list->count == 2 &&
               sums->list->item[0].type == RF_TYPE_STRING && sums->list->item[1].type == RF_TYPE_STRING &&
               rf_moments_read(sums->list->item[0].text, sums->list->item[1].text, &tally->moments[rule]) &&
               change_of(map, "min", &least) && change_of(map, "max", &most) && buckets != NULL &&
               buckets->type == RF_TYPE_LIST;
    for (int kind = 0; *is_good && kind < RF_FORWARD_WITHOUTS; kind++) {
        *is_good = rf_line_count_of(map, rf_forward_without_name[kind], &tally->without[kind][rule]);
        sum += tally->without[kind][rule];
    }
    for (size_t i = 0; *is_good && i < buckets->list->count; i++) {
        RF_TRY(bucket_read(tally, &buckets->list->item[i], reach, bits, rule, is_good, err));
    }
    if (!*is_good) {
        return RF_OK;
    }
    const uint64_t count = rf_sketch_rule(&tally->sketch, rule).count;
    if (count != 0) {
        tally->least[rule] = least;
        tally->most[rule] = most;
    }
    *is_good = sum + count == hits;
    return RF_OK;
}

enum rf_status rf_forward_read_json(struct rf_forward_tally *tally, const struct rf_value *map, uint32_t rules,
                                    uint32_t rule, uint64_t hits, struct rf_arena *arena, bool *is_good,
                                    struct rf_error *err)
{
    const struct rf_value *followed = rf_line_member(map, "followed");
    const struct rf_value *forward = rf_line_member(map, "forward");
    uint64_t bits;
    *is_good = (followed == NULL) == (forward == NULL) && (rule == 0 || (followed == NULL) == (tally->moments == NULL));
    if (followed == NULL || !*is_good) { /* all lines have it, or none */
        return RF_OK;
    }
    if (rule == 0) {
        RF_TRY(settings_read(tally, followed, rules, arena, is_good, err));
    }
    *is_good = *is_good && rf_line_count_of(followed, "bits", &bits) && bits <= RF_SKETCH_BITS;
    return *is_good ? rule_read(tally, forward, (uint32_t)bits, rule, hits, is_good, err) : RF_OK;
}
