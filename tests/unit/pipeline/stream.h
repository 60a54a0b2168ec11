/* stream.h: random streams of records whose fate is known, and a plain model of what a filter does with them.
 *
 * The predicate is STREAM_PREDICATE. Every record that is selected, in error or malformed holds the word that the
 * prefilter looks for; every rejected one does not, so that a prefilter has something to skip.
 */
#ifndef RF_TEST_STREAM_H
#define RF_TEST_STREAM_H

#include <inttypes.h>

#include "trial.h"

#define STREAM_PREDICATE "price > 400 && tag == \"needle\""

enum stream_kind {
    STREAM_SELECTED = 'S',
    STREAM_REJECTED = 'R',
    STREAM_ERROR = 'E',
    STREAM_MALFORMED = 'M',
    STREAM_BLANK = 'B'
};

struct stream {
    struct rf_text text;
    uint32_t rows;
    char *kind;
    size_t *begin; /* [rows + 1] */
};

static inline uint32_t stream_random(uint64_t *state, uint32_t below)
{
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)(*state >> 33) % below;
}

static inline void stream_record(struct rf_text *text, char kind, uint32_t row, uint64_t *state)
{
    struct rf_error err;
    enum rf_status status = RF_OK;
    const uint32_t pad = stream_random(state, 5) == 0 ? stream_random(state, 90) : stream_random(state, 12);
    static const char blanks[] = "                                                                                ";
    switch (kind) {
    case STREAM_SELECTED:
        status = rf_text_printf(text, &err, "{\"id\":%u,\"tag\":\"needle\",\"price\":%u,%.*s\"qty\":2}", row,
                                401 + row % 100, (int)pad, blanks);
        break;
    case STREAM_REJECTED:
        status = rf_text_printf(text, &err, "{\"id\":%u,\"tag\":\"hay\",%.*s\"price\":%u,\"qty\":1}", row, (int)pad,
                                blanks, stream_random(state, 900));
        break;
    case STREAM_ERROR:
        status = rf_text_printf(text, &err, "{\"id\":%u,%.*s\"tag\":\"needle\"}", row, (int)pad, blanks);
        break;
    case STREAM_MALFORMED:
        status = rf_text_printf(text, &err, "{\"id\":%u,\"tag\":\"needle\",\"price\":500,%.*s", row, (int)pad, blanks);
        break;
    default:
        status = rf_text_printf(text, &err, "%.*s", (int)(pad % 4), blanks);
        break;
    }
    assert_int_equal(status, RF_OK);
}

/* The kinds are drawn from the letters of `kinds`, the way a letter that stands there twice comes twice as often. */
static inline void stream_make(struct stream *stream, uint32_t rows, const char *kinds, uint64_t seed,
                               bool has_last_line_end)
{
    struct rf_error err;
    memset(stream, 0, sizeof(*stream));
    stream->rows = rows;
    stream->kind = malloc(rows);
    stream->begin = malloc((rows + 1) * sizeof(*stream->begin));
    assert_non_null(stream->kind);
    assert_non_null(stream->begin);
    uint64_t state = seed;
    for (uint32_t row = 0; row < rows; row++) {
        stream->begin[row] = stream->text.count;
        stream->kind[row] = kinds[stream_random(&state, (uint32_t)strlen(kinds))];
        stream_record(&stream->text, stream->kind[row], row, &state);
        if (row + 1 == rows && !has_last_line_end) {
            if (stream->text.count == stream->begin[row]) {
                assert_int_equal(rf_text_append(&stream->text, RF_STR(" "), &err), RF_OK); /* or it were no record */
            }
            break;
        }
        const struct rf_str line_end = stream_random(&state, 16) == 0 ? RF_STR("\r\n") : RF_STR("\n");
        assert_int_equal(rf_text_append(&stream->text, line_end, &err), RF_OK);
    }
    stream->begin[rows] = stream->text.count;
}

static inline void stream_free(struct stream *stream)
{
    rf_text_free(&stream->text);
    free(stream->kind);
    free(stream->begin);
}

/* What a filter should do with a stream. */
struct model {
    struct rf_text output;
    struct rf_counts counts;
    bool is_stopped; /* by a policy */
};

static inline void model_line(struct model *model, const struct stream *stream, uint32_t row,
                              const struct rf_pipeline_options *options, const char *name)
{
    struct rf_error err;
    struct rf_text *out = &model->output;
    if (options->has_file_prefix) {
        assert_int_equal(rf_text_printf(out, &err, "%s%s%s:", options->prefix_begin, name, options->prefix_end), RF_OK);
    }
    if (options->has_number_prefix) {
        assert_int_equal(rf_text_printf(out, &err, "%s%u%s:", options->prefix_begin, row + 1, options->prefix_end),
                         RF_OK);
    }
    const struct rf_str line = {stream->text.data + stream->begin[row], stream->begin[row + 1] - stream->begin[row]};
    assert_int_equal(rf_text_append(out, line, &err), RF_OK);
    if (line.count == 0 || line.data[line.count - 1] != '\n') {
        assert_int_equal(rf_text_append(out, RF_STR("\n"), &err), RF_OK);
    }
}

/* Goes on behind what the model has already: call once for each input. */
static inline void model_run(struct model *model, const struct stream *stream,
                             const struct rf_pipeline_options *options, const char *name)
{
    for (uint32_t row = 0; row < stream->rows && !model->is_stopped; row++) {
        if (model->counts.of[RF_ROW_SELECTED] >= options->max_count) {
            return;
        }
        model->counts.bytes += stream->begin[row + 1] - stream->begin[row];
        const struct rf_policy *policy = NULL;
        bool is_selected = false;
        switch (stream->kind[row]) {
        case STREAM_ERROR:
            model->counts.of[RF_ROW_ERROR]++;
            policy = &options->on_error;
            break;
        case STREAM_MALFORMED:
            model->counts.of[RF_ROW_MALFORMED]++;
            policy = &options->on_malformed;
            break;
        case STREAM_BLANK:
            model->counts.of[RF_ROW_BLANK]++;
            break;
        default:
            is_selected = (stream->kind[row] == STREAM_SELECTED) != options->is_inverted;
            model->counts.of[is_selected ? RF_ROW_SELECTED : RF_ROW_REJECTED]++;
            break;
        }
        model->is_stopped = policy != NULL && policy->kind == RF_POLICY_STOP;
        if ((is_selected || (policy != NULL && policy->kind == RF_POLICY_PASS)) && options->emit != RF_EMIT_NONE) {
            model_line(model, stream, row, options, name);
        }
    }
}

static inline void model_free(struct model *model)
{
    rf_text_free(&model->output);
}

/* With the prefilter a blank record may count as rejected: it was never looked at. */
static inline void assert_counts(const struct rf_counts *counts, const struct rf_counts *expected, bool has_prefilter)
{
    const uint64_t blank = has_prefilter ? 0 : counts->of[RF_ROW_BLANK];
    const uint64_t passed = counts->of[RF_ROW_REJECTED] + counts->of[RF_ROW_BLANK] - blank;
    const uint64_t expected_blank = has_prefilter ? 0 : expected->of[RF_ROW_BLANK];
    const uint64_t expected_passed = expected->of[RF_ROW_REJECTED] + expected->of[RF_ROW_BLANK] - expected_blank;
    assert_int_equal(counts->of[RF_ROW_SELECTED], expected->of[RF_ROW_SELECTED]);
    assert_int_equal(counts->of[RF_ROW_ERROR], expected->of[RF_ROW_ERROR]);
    assert_int_equal(counts->of[RF_ROW_MALFORMED], expected->of[RF_ROW_MALFORMED]);
    assert_int_equal(blank, expected_blank);
    assert_int_equal(passed, expected_passed);
    assert_int_equal(counts->bytes, expected->bytes);
    assert_int_equal(rf_counts_read(counts), rf_counts_read(expected));
}

#endif
