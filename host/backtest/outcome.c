#include "outcome.h"

#include <string.h>

#include "duration.h"
#include "event_time.h"
#include "forward_json.h"
#include "line_member.h"
#include "json_value.h"

/* A line has a pair for each bucket: bounded by what a tally can hold. */
#define ARENA_BYTES_MAX ((size_t)8 << 30)
enum { DEPTH_MAX = 64, INPUTS_MAX = 16 * 1024 * 1024 };

void rf_outcome_close(struct rf_outcome *outcome)
{
    rf_tally_close(&outcome->tally);
    rf_label_tally_close(&outcome->label);
    rf_overlap_close(&outcome->overlap);
    rf_forward_tally_close(&outcome->forward);
    rf_arena_free(&outcome->arena);
    *outcome = (struct rf_outcome){0};
}

/* ---- Reading ---- */

struct reader {
    const char *name;
    uint64_t line;
    struct rf_value map; /* of the line */
    struct rf_outcome *outcome;
};

#define FAIL_LINE(reader, err, what) \
    RF_FAIL((err), RF_E_FORMAT, "%s:%llu: %s; this is no output of riffle backtest --emit json", (reader)->name, \
            (unsigned long long)(reader)->line, (what))

/* null, or absent: RF_TALLY_NEVER. */
static bool time_of(const struct rf_value *map, const char *name, int64_t *out)
{
    const struct rf_value *value = rf_line_member(map, name);
    *out = RF_TALLY_NEVER;
    return value == NULL || value->type == RF_TYPE_NULL ||
           (value->type == RF_TYPE_STRING && rf_event_time_parse(value->text, out));
}

static enum rf_status text_keep(struct rf_outcome *outcome, struct rf_str text, struct rf_str *out,
                                struct rf_error *err)
{
    *out = rf_arena_copy(&outcome->arena, text);
    if (out->data == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "out of memory for an outcome");
    }
    return RF_OK;
}

/* Makes input number `input` have a name; one that no hit lies in has none. */
static enum rf_status input_keep(struct rf_outcome *outcome, const char *where, uint32_t input, struct rf_str name,
                                 struct rf_error *err)
{
    if (input >= INPUTS_MAX) {
        RF_FAIL(err, RF_E_FORMAT, "%s: input number %u is beyond %d", where, input, INPUTS_MAX);
    }
    if (input >= outcome->inputs) {
        uint32_t room = outcome->inputs < 16 ? 16 : outcome->inputs;
        while (room <= input) {
            room *= 2;
        }
        struct rf_str *grown = RF_PUSH(&outcome->arena, struct rf_str, room);
        if (grown == NULL) {
            RF_FAIL(err, RF_E_MEMORY, "out of memory for the names of %u inputs", room);
        }
        if (outcome->inputs != 0) {
            memcpy(grown, outcome->input, outcome->inputs * sizeof *grown);
        }
        outcome->input = grown;
        outcome->inputs = room;
    }
    return outcome->input[input].data != NULL ? RF_OK : text_keep(outcome, name, &outcome->input[input], err);
}

static enum rf_status place_read(struct reader *reader, const char *name, struct rf_tally_place *out,
                                 struct rf_error *err)
{
    const struct rf_value *value = rf_line_member(&reader->map, name);
    uint64_t input;
    *out = (struct rf_tally_place){UINT32_MAX, 0};
    if (value == NULL || value->type == RF_TYPE_NULL) {
        return RF_OK;
    }
    const struct rf_value *file = rf_line_member(value, "file");
    if (!rf_line_count_of(value, "input", &input) || input >= UINT32_MAX || file == NULL || file->type != RF_TYPE_STRING ||
        !rf_line_count_of(value, "offset", &out->offset)) {
        FAIL_LINE(reader, err, "the place of a hit is wrong");
    }
    out->input = (uint32_t)input;
    return input_keep(reader->outcome, reader->name, out->input, file->text, err);
}

/* The begin of a bucket. One that begins before the earliest time of 64 bits is written as of there, which no record has. */
static bool bucket_parse(struct rf_str text, int64_t *ns)
{
    char earliest[RF_EVENT_TIME_TEXT_MAX];
    if (rf_event_time_parse(text, ns)) {
        return true;
    }
    *ns = INT64_MIN;
    return rf_str_equal(text, (struct rf_str){earliest, rf_event_time_write(INT64_MIN, earliest)});
}

static enum rf_status timeline_read(struct reader *reader, uint32_t rule, uint64_t hits, struct rf_error *err)
{
    struct rf_tally *tally = &reader->outcome->tally;
    const struct rf_value *timeline = rf_line_member(&reader->map, "timeline");
    uint64_t timed = 0;
    if (timeline == NULL) {
        tally->untimed[rule] = hits;
        return RF_OK;
    }
    if (timeline->type != RF_TYPE_LIST) {
        FAIL_LINE(reader, err, "timeline is no list");
    }
    for (size_t i = 0; i < timeline->list->count; i++) {
        const struct rf_value *pair = &timeline->list->item[i];
        int64_t ns;
        uint64_t count;
        uint64_t *at;
        if (pair->type != RF_TYPE_LIST || pair->list->count != 2 || pair->list->item[0].type != RF_TYPE_STRING ||
            !bucket_parse(pair->list->item[0].text, &ns) || !rf_line_count(&pair->list->item[1], &count)) {
            FAIL_LINE(reader, err, "a bucket of the timeline is wrong");
        }
        RF_TRY(rf_timeline_at(&tally->timeline, ns, &at, err));
        at[rule] += count;
        timed += count;
    }
    if (timed > hits) {
        FAIL_LINE(reader, err, "the timeline has more hits than the rule");
    }
    tally->untimed[rule] = hits - timed;
    return RF_OK;
}

/* "tags" and "params" go through as they are. */
static enum rf_status about_read(struct reader *reader, struct rf_str *out, struct rf_error *err)
{
    static const char *const names[] = {"tags", "params"};
    struct rf_text text = {0};
    enum rf_status status = RF_OK;
    for (size_t i = 0; status == RF_OK && i < sizeof names / sizeof names[0]; i++) {
        const struct rf_value *value = rf_line_member(&reader->map, names[i]);
        if (value == NULL || rf_value_find_error(value) != NULL) {
            continue;
        }
        status = rf_text_printf(&text, err, "%s\"%s\":", text.count == 0 ? "" : ",", names[i]);
        if (status == RF_OK) {
            status = rf_value_write_json(&text, *value, err);
        }
    }
    if (status == RF_OK) {
        status = text_keep(reader->outcome, rf_text_str(&text), out, err);
    }
    rf_text_free(&text);
    return status;
}

static enum rf_status label_read(struct reader *reader, uint32_t rule, struct rf_error *err)
{
    struct rf_label_tally *label = &reader->outcome->label;
    const struct rf_value *value = rf_line_member(&reader->map, "label");
    if (value == NULL) {
        return RF_OK;
    }
    if (label->hits_true == NULL) {
        RF_TRY(rf_label_tally_open(label, reader->outcome->rules, RF_ISA_SCALAR, err));
    }
    if (!rf_line_count_of(value, "hits_true", &label->hits_true[rule]) ||
        !rf_line_count_of(value, "hits_false", &label->hits_false[rule]) ||
        !rf_line_count_of(value, "records_true", &label->records_true) ||
        !rf_line_count_of(value, "records_false", &label->records_false)) {
        FAIL_LINE(reader, err, "the counts of the label are wrong");
    }
    return RF_OK;
}

/* Records that the rule and each before it hit both. */
static enum rf_status overlap_read(struct reader *reader, uint32_t rule, struct rf_error *err)
{
    struct rf_overlap *overlap = &reader->outcome->overlap;
    const struct rf_value *value = rf_line_member(&reader->map, "overlap");
    if (value == NULL) {
        return RF_OK;
    }
    if (overlap->both == NULL) {
        RF_TRY(rf_overlap_open(overlap, reader->outcome->rules, RF_ISA_SCALAR, err));
    }
    bool is_good = value->type == RF_TYPE_LIST && value->list->count == rule;
    for (uint32_t r = 0; is_good && r < rule; r++) {
        is_good = rf_line_count(&value->list->item[r], rf_overlap_at(overlap, rule, r));
    }
    if (!is_good) {
        FAIL_LINE(reader, err, "overlap is no list of a count for each rule before");
    }
    return RF_OK;
}

static enum rf_status part_read(struct reader *reader, struct rf_error *err)
{
    struct rf_outcome_part *out = &reader->outcome->part;
    const struct rf_value *part = rf_line_member(&reader->map, "part");
    const struct rf_value *digest = rf_line_member(&reader->map, "digest");
    const struct rf_value *cut = rf_line_member(&reader->map, "cut");
    const struct rf_value *interrupted = rf_line_member(&reader->map, "interrupted");
    if ((part != NULL && (part->type != RF_TYPE_STRING || !rf_outcome_part_parse(part->text, out))) ||
        (cut != NULL && (cut->type != RF_TYPE_STRING || !rf_outcome_digest_parse(cut->text, &out->cut))) ||
        (digest != NULL && (digest->type != RF_TYPE_STRING || !rf_outcome_digest_parse(digest->text, &out->digest))) ||
        (interrupted != NULL && interrupted->type != RF_TYPE_BOOL)) {
        FAIL_LINE(reader, err, "part, cut, digest or interrupted is wrong");
    }
    out->is_interrupted = interrupted != NULL && interrupted->boolean;
    return RF_OK;
}

static enum rf_status forward_read(struct reader *reader, uint32_t rule, uint64_t hits, struct rf_error *err)
{
    struct rf_outcome *outcome = reader->outcome;
    bool is_good;
    RF_TRY(rf_forward_read_json(&outcome->forward, &reader->map, outcome->rules, rule, hits, &outcome->arena, &is_good, err));
    if (!is_good) {
        FAIL_LINE(reader, err, "forward or followed is wrong");
    }
    return RF_OK;
}

/* What every line says of the run; taken from the first. */
static enum rf_status run_read(struct reader *reader, struct rf_error *err)
{
    struct rf_outcome *outcome = reader->outcome;
    const struct rf_value *by = rf_line_member(&reader->map, "by");
    const struct rf_value *asked = rf_line_member(&reader->map, "by_asked");
    int64_t width = 0;
    int64_t asked_ns = 0;
    if (!rf_line_count_of(&reader->map, "read", &outcome->read) || !rf_line_count_of(&reader->map, "malformed", &outcome->malformed) ||
        !rf_line_count_of(&reader->map, "blank", &outcome->blank)) {
        FAIL_LINE(reader, err, "read, malformed or blank is missing");
    }
    uint64_t inputs = 0;
    if (rf_line_member(&reader->map, "inputs") != NULL && (!rf_line_count_of(&reader->map, "inputs", &inputs) || inputs > INPUTS_MAX)) {
        FAIL_LINE(reader, err, "inputs is no count");
    }
    outcome->input_count = (uint32_t)inputs;
    RF_TRY(part_read(reader, err));
    if (by != NULL &&
        (by->type != RF_TYPE_STRING || asked == NULL || asked->type != RF_TYPE_STRING ||
         !rf_duration_parse(by->text, &width) || width < 1 ||
         (!rf_str_equal(asked->text, RF_STR("auto")) && !rf_duration_parse(asked->text, &asked_ns)) || asked_ns < 0)) {
        FAIL_LINE(reader, err, "by or by_asked is no duration");
    }
    RF_TRY(rf_tally_open(&outcome->tally, outcome->rules, by != NULL, asked_ns, RF_ISA_SCALAR, err));
    struct rf_tally *tally = &outcome->tally;
    if (outcome->malformed > outcome->read || outcome->blank > outcome->read - outcome->malformed) {
        FAIL_LINE(reader, err, "there are more malformed and blank records than records");
    }
    tally->records = outcome->read - outcome->malformed - outcome->blank;
    if (by == NULL) {
        return RF_OK;
    }
    if (!rf_line_count_of(&reader->map, "timeless", &tally->timeless) || !rf_line_count_of(&reader->map, "disorder", &outcome->disorder) ||
        !time_of(&reader->map, "begin", &tally->begin_ns) || !time_of(&reader->map, "end", &tally->end_ns) ||
        !time_of(&reader->map, "head", &outcome->first_time) || !time_of(&reader->map, "tail", &outcome->last_time)) {
        FAIL_LINE(reader, err, "the times of the run are wrong");
    }
    uint64_t *at;
    RF_TRY(rf_timeline_widen(&tally->timeline, width, err));
    if (tally->begin_ns != RF_TALLY_NEVER) { /* the width comes from the records, not from hits alone */
        RF_TRY(rf_timeline_at(&tally->timeline, tally->begin_ns, &at, err));
        RF_TRY(rf_timeline_at(&tally->timeline, tally->end_ns, &at, err));
    }
    return RF_OK;
}

static enum rf_status rule_read(struct reader *reader, struct rf_outcome_rule *rule, uint32_t number,
                                struct rf_error *err)
{
    struct rf_outcome *outcome = reader->outcome;
    struct rf_tally *tally = &outcome->tally;
    const struct rf_value *name = rf_line_member(&reader->map, "rule");
    uint64_t hits;
    if (name == NULL || name->type != RF_TYPE_STRING || !rf_line_count_of(&reader->map, "hits", &hits)) {
        FAIL_LINE(reader, err, "rule or hits is missing");
    }
    if (number == 0) {
        RF_TRY(run_read(reader, err));
    }
    RF_TRY(text_keep(outcome, name->text, &rule->name, err));
    RF_TRY(about_read(reader, &rule->about, err));
    if (!rf_line_count_of(&reader->map, "errors", &tally->errors[number]) ||
        !time_of(&reader->map, "first", &tally->first_ns[number]) ||
        !time_of(&reader->map, "last", &tally->last_ns[number])) {
        FAIL_LINE(reader, err, "errors, first or last is wrong");
    }
    if (hits > tally->records || tally->errors[number] > tally->records - hits) {
        FAIL_LINE(reader, err, "there are more hits and errors than records");
    }
    RF_TRY(place_read(reader, "first_at", &tally->first_at[number], err));
    RF_TRY(place_read(reader, "last_at", &tally->last_at[number], err));
    RF_TRY(label_read(reader, number, err));
    RF_TRY(overlap_read(reader, number, err));
    RF_TRY(forward_read(reader, number, hits, err));
    return timeline_read(reader, number, hits, err);
}

static enum rf_status line_parse(struct reader *reader, struct rf_str line, struct rf_arena *arena,
                                 struct rf_error *err)
{
    struct rf_tree tree;
    struct rf_malformed malformed = {0};
    RF_TRY(rf_tree_read(&tree, line, DEPTH_MAX, arena, &malformed, err));
    if (malformed.reason == RF_REASON_NONE) {
        reader->map = rf_json_value(&tree, 0, arena);
    }
    if (malformed.reason != RF_REASON_NONE || reader->map.type != RF_TYPE_MAP ||
        rf_value_find_error(&reader->map) != NULL) {
        FAIL_LINE(reader, err, "a line is no JSON object");
    }
    return RF_OK;
}

static struct rf_str line_next(struct rf_str *rest)
{
    const char *end = memchr(rest->data, '\n', rest->count);
    const size_t count = end == NULL ? rest->count : (size_t)(end - rest->data);
    const struct rf_str line = {rest->data, count};
    const size_t step = count + (end != NULL);
    *rest = (struct rf_str){rest->data + step, rest->count - step};
    return line;
}

static bool line_is_blank(struct rf_str line)
{
    for (size_t i = 0; i < line.count; i++) {
        if (strchr(" \t\r", line.data[i]) == NULL) {
            return false;
        }
    }
    return true;
}

static enum rf_status lines_read(struct reader *reader, struct rf_str json, struct rf_error *err)
{
    struct rf_outcome *outcome = reader->outcome;
    struct rf_str rest = json;
    while (rest.count != 0) {
        outcome->rules += !line_is_blank(line_next(&rest));
    }
    if (outcome->rules == 0) {
        RF_FAIL(err, RF_E_FORMAT, "%s: there is no result in it: has its run ended?", reader->name);
    }
    struct rf_outcome_rule *rule = RF_PUSH(&outcome->arena, struct rf_outcome_rule, outcome->rules);
    if (rule == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "out of memory for %u rules", outcome->rules);
    }
    outcome->rule = rule;
    struct rf_arena scratch;
    rf_arena_init(&scratch, ARENA_BYTES_MAX);
    enum rf_status status = RF_OK;
    uint32_t number = 0;
    for (rest = json; status == RF_OK && rest.count != 0; ) {
        const struct rf_str line = line_next(&rest);
        reader->line++;
        if (!line_is_blank(line)) {
            rf_arena_reset(&scratch);
            status = line_parse(reader, line, &scratch, err);
            if (status == RF_OK) {
                status = rule_read(reader, &rule[number], number, err);
                number++;
            }
        }
    }
    rf_arena_free(&scratch);
    return status;
}

enum rf_status rf_outcome_read(struct rf_outcome *outcome, struct rf_str json, const char *name, struct rf_error *err)
{
    *outcome = (struct rf_outcome){.first_time = RF_TALLY_NEVER, .last_time = RF_TALLY_NEVER};
    rf_arena_init(&outcome->arena, ARENA_BYTES_MAX);
    struct reader reader = {.name = name, .outcome = outcome};
    const enum rf_status status = lines_read(&reader, json, err);
    if (status != RF_OK) {
        rf_outcome_close(outcome);
    }
    return status;
}

/* ---- Merging ---- */

static enum rf_status belong_check(const struct rf_outcome *a, const struct rf_outcome *b, struct rf_error *err)
{
    if (a->rules != b->rules) {
        RF_FAIL(err, RF_E_DATA, "one has %u rules, the other %u: they are not of one rules file", a->rules, b->rules);
    }
    for (uint32_t r = 0; r < a->rules; r++) {
        if (!rf_str_equal(a->rule[r].name, b->rule[r].name)) {
            RF_FAIL(err, RF_E_DATA, "rule %u is '%.*s' in one and '%.*s' in the other: they are not of one rules file",
                    r + 1, RF_STR_ARG(a->rule[r].name), RF_STR_ARG(b->rule[r].name));
        }
    }
    if (a->tally.has_time != b->tally.has_time || a->tally.by_ns != b->tally.by_ns) {
        RF_FAIL(err, RF_E_DATA, "the runs were asked for different --time or --by");
    }
    if ((a->label.hits_true == NULL) != (b->label.hits_true == NULL)) {
        RF_FAIL(err, RF_E_DATA, "one run has a --label, the other has none");
    }
    if ((a->overlap.both == NULL) != (b->overlap.both == NULL)) {
        RF_FAIL(err, RF_E_DATA, "one run has --overlap, the other has not");
    }
    const struct rf_forward_settings *left = &a->forward.settings;
    const struct rf_forward_settings *right = &b->forward.settings;
    if ((a->forward.moments == NULL) != (b->forward.moments == NULL) || !rf_str_equal(left->value, right->value) ||
        !rf_str_equal(left->per, right->per) || left->horizon_ns != right->horizon_ns || left->is_absolute != right->is_absolute) {
        RF_FAIL(err, RF_E_DATA, "the runs have different --value, --per, --horizon or --change");
    }
    return RF_OK;
}

/* How much the input numbers of `from` go up: 0 when both have the same inputs, as shards of one run do; else they are
 * others, behind those of `outcome`. Results that do not say how many inputs they had are told apart by the names. */
static uint32_t inputs_shift(const struct rf_outcome *outcome, const struct rf_outcome *from)
{
    if (outcome->input_count != 0 && from->input_count != 0) {
        return outcome->part.of != 0 ? 0 : outcome->input_count;
    }
    for (uint32_t i = 0; i < outcome->inputs && i < from->inputs; i++) {
        if (outcome->input[i].data != NULL && from->input[i].data != NULL &&
            !rf_str_equal(outcome->input[i], from->input[i])) {
            uint32_t used = outcome->inputs;
            while (used > 0 && outcome->input[used - 1].data == NULL) {
                used--;
            }
            return used;
        }
    }
    return 0;
}

static void places_shift(struct rf_tally_place *place, uint32_t rules, uint32_t shift)
{
    for (uint32_t r = 0; r < rules; r++) {
        place[r].input += place[r].input == UINT32_MAX ? 0 : shift;
    }
}

enum rf_status rf_outcome_merge(struct rf_outcome *outcome, struct rf_outcome *from, struct rf_error *err)
{
    RF_TRY(belong_check(outcome, from, err));
    const uint32_t shift = inputs_shift(outcome, from);
    if (shift + (uint64_t)from->input_count > INPUTS_MAX) {
        RF_FAIL(err, RF_E_DATA, "together they have more than %d inputs", INPUTS_MAX);
    }
    RF_TRY(rf_outcome_part_join(&outcome->part, &from->part, err));
    outcome->input_count = outcome->input_count == 0 ? 0 : shift == 0 ? outcome->input_count : shift + from->input_count;
    for (uint32_t i = 0; i < from->inputs; i++) {
        if (from->input[i].data != NULL) {
            RF_TRY(input_keep(outcome, "merging", i + shift, from->input[i], err));
        }
    }
    places_shift(from->tally.first_at, from->rules, shift);
    places_shift(from->tally.last_at, from->rules, shift);
    RF_TRY(rf_tally_merge(&outcome->tally, &from->tally, err));
    rf_label_tally_merge(&outcome->label, &from->label);
    if (outcome->overlap.both != NULL) {
        rf_overlap_merge(&outcome->overlap, &from->overlap);
    }
    if (outcome->forward.moments != NULL) {
        RF_TRY(rf_forward_tally_merge(&outcome->forward, &from->forward, err));
    }
    outcome->read += from->read;
    outcome->malformed += from->malformed;
    outcome->blank += from->blank;
    outcome->disorder += from->disorder + (from->first_time != RF_TALLY_NEVER && outcome->last_time != RF_TALLY_NEVER &&
                                           from->first_time < outcome->last_time);
    outcome->first_time = outcome->first_time == RF_TALLY_NEVER ? from->first_time : outcome->first_time;
    outcome->last_time = from->last_time == RF_TALLY_NEVER ? outcome->last_time : from->last_time;
    if (outcome->part.of != 0 && outcome->part.first == 0 && outcome->part.last + 1 == outcome->part.of) {
        outcome->part.of = 0; /* they are the whole */
    }
    return RF_OK;
}
