/* Tallies of parts add up to that of the whole; what is written as JSON is read back, and merges the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "outcome.h"
#include "report.h"

#define S 1000000000LL

enum { RULES = 5, ROWS = 3000, INPUTS = 2 };

static uint64_t state = 88172645463325252u;

static uint64_t random_next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

struct stream {
    int64_t time_ns[ROWS];
    uint32_t begin[ROWS];
    uint8_t live[ROWS];
    uint8_t truth[RULES][ROWS];
    uint8_t label[ROWS]; /* 0 false, 1 true, 2 none */
    double change[ROWS]; /* of a value that is followed; those above 1 stand for a hit without */
};

static void stream_make(struct stream *stream, unsigned kind)
{
    int64_t now = 1769860800 * S;
    for (uint32_t row = 0; row < ROWS; row++) {
        now += (int64_t)(random_next() % (kind % 2 == 0 ? S / 100 : 100 * S));
        const bool is_back = kind >= 2 && random_next() % 10 == 0;
        stream->time_ns[row] = kind >= 4 && random_next() % 7 == 0 ? RF_TALLY_UNTIMED : is_back ? now - 50 * S : now;
        stream->begin[row] = row * 10;
        stream->live[row] = random_next() % 50 != 0;
        stream->label[row] = (uint8_t)(random_next() % 3);
        stream->change[row] = ((double)(random_next() % 4001) - 2000) / (kind % 2 == 0 ? 1900 : 1e6);
        for (uint32_t r = 0; r < RULES; r++) {
            stream->truth[r][row] = random_next() % (r == 0 ? 1000000 : 1u << (2 * r)) == 0;
        }
    }
}

static void bits_make(const uint8_t *from, const uint8_t *live, uint8_t wanted, uint32_t rows, uint64_t *bits)
{
    memset(bits, 0, RF_EVAL_BLOCK_WORDS * sizeof *bits);
    for (uint32_t i = 0; i < rows; i++) {
        bits[i / 64] |= (uint64_t)(from[i] == wanted && live[i]) << (i % 64);
    }
}

static void changes_add(const struct stream *stream, uint32_t first, uint32_t end, struct rf_forward_tally *forward)
{
    for (uint32_t row = first; row < end; row++) {
        struct rf_rule_word word = {0, 0};
        struct rf_error err;
        rf_steps steps = 0;
        for (uint32_t r = 0; r < RULES; r++) {
            word.bits |= (uint64_t)(stream->live[row] && stream->truth[r][row]) << r;
        }
        forward->values.missing += row % 7 == 0;
        if (stream->change[row] > 1) {
            rf_forward_tally_miss(forward, &word, 1, (enum rf_forward_without)(row % RF_FORWARD_WITHOUTS));
        } else if (word.bits != 0) {
            assert_true(rf_steps_of(stream->change[row], &steps));
            assert_int_equal(rf_forward_tally_add(forward, &word, 1, steps, &err), RF_OK);
        }
    }
}

/* Rows [first, end) in blocks of random sizes that are whole words, as the engines cut them. */
static void tally_rows(const struct stream *stream, uint32_t first, uint32_t end, bool has_time, struct rf_outcome *out)
{
    static const uint8_t all[RF_EVAL_BLOCK_ROWS] = {0};
    for (uint32_t row = first; row < end;) {
        const uint32_t most = 64 * (1 + (uint32_t)(random_next() % RF_EVAL_BLOCK_WORDS));
        const uint32_t stop = row < ROWS / 2 && end > ROWS / 2 ? ROWS / 2 : end; /* a batch is of one input */
        const uint32_t rows = stop - row < most ? stop - row : most;
        uint64_t live[RF_EVAL_BLOCK_WORDS];
        uint64_t truth[RF_EVAL_BLOCK_WORDS];
        uint64_t label[2][RF_EVAL_BLOCK_WORDS];
        struct rf_error err;
        bits_make(all, stream->live + row, 0, rows, live);
        bits_make(stream->label + row, stream->live + row, 1, rows, label[0]);
        bits_make(stream->label + row, stream->live + row, 0, rows, label[1]);
        const struct rf_tally_round round = {.time_ns = has_time ? stream->time_ns : NULL,
                                             .begin = stream->begin,
                                             .offset = 1000,
                                             .input = row < ROWS / 2 ? 0 : 1};
        struct rf_tally_block block = {.first = row, .rows = rows, .live = live};
        if (random_next() % 3 == 0 || row == first || row == ROWS / 2) { /* several blocks a round, and rounds that go on */
            rf_tally_flush(&out->tally);
            rf_tally_round_begin(&out->tally, round);
        }
        assert_int_equal(rf_tally_block_begin(&out->tally, &block, &err), RF_OK);
        rf_label_tally_block(&out->label, label[0], label[1], block.words);
        for (uint32_t r = 0; r < RULES; r++) {
            struct rf_eval_register reg = {{0}, {0}};
            struct rf_eval_hits hits;
            const uint32_t place = 0;
            bits_make(stream->truth[r] + row, stream->live + row, 1, rows, truth);
            memcpy(reg.truth, truth, sizeof truth);
            rf_eval_kernels_of(rf_isa_best())->tally(&reg, &place, 1, live, true, &hits);
            if (hits.hits != 0) {
                rf_tally_rule(&out->tally, &block, r, hits, truth);
                rf_label_tally_rule(&out->label, r, truth, label[0], label[1], block.words);
            }
        }
        row += rows;
    }
    rf_tally_flush(&out->tally);
    changes_add(stream, first, end, &out->forward);
    for (uint32_t row = first; row < end; row++) {
        out->read++;
        out->malformed += !stream->live[row];
        if (has_time && stream->live[row] && stream->time_ns[row] != RF_TALLY_UNTIMED) {
            out->disorder += out->last_time != RF_TALLY_NEVER && stream->time_ns[row] < out->last_time;
            out->first_time = out->first_time == RF_TALLY_NEVER ? stream->time_ns[row] : out->first_time;
            out->last_time = stream->time_ns[row];
        }
    }
}

static struct rf_outcome_rule rules[RULES] = {{{"plain", 5}, {"", 0}},
                                              {{"with \"quotes\"\n", 14}, {"\"tags\":[\"a\",\"b\"]", 16}},
                                              {{"s{t=1}", 6}, {"\"params\":{\"t\":1}", 16}},
                                              {{"s{t=2}", 6}, {"\"params\":{\"t\":2}", 16}},
                                              {{"\xc3\xa4", 2}, {"", 0}}};
static struct rf_str inputs[INPUTS] = {{"day1", 4}, {"day 2", 5}};

static void outcome_open(struct rf_outcome *out, bool has_time, int64_t by_ns)
{
    struct rf_error err;
    *out = (struct rf_outcome){.rules = RULES,
                               .rule = rules,
                               .input = inputs,
                               .inputs = INPUTS,
                               .first_time = RF_TALLY_NEVER,
                               .last_time = RF_TALLY_NEVER};
    rf_arena_init(&out->arena, 1 << 24);
    assert_int_equal(rf_tally_open(&out->tally, RULES, has_time, by_ns, rf_isa_best(), &err), RF_OK);
    assert_int_equal(rf_label_tally_open(&out->label, RULES, rf_isa_best(), &err), RF_OK);
    const struct rf_forward_settings followed = {RF_STR("bid \"+\" ask"), RF_STR("s"), 90 * S, has_time};
    assert_int_equal(rf_forward_tally_open(&out->forward, followed, RULES, &err), RF_OK);
}

static void json_of(const struct rf_outcome *outcome, struct rf_text *text)
{
    struct rf_error err;
    assert_int_equal(rf_outcome_write_json(outcome, text, &err), RF_OK);
}

static void same_text(const struct rf_text *a, const struct rf_text *b)
{
    if (!rf_str_equal(rf_text_str(a), rf_text_str(b))) {
        size_t at = 0;
        while (at < a->count && at < b->count && a->data[at] == b->data[at]) {
            at++;
        }
        const size_t from = at < 80 ? 0 : at - 80;
        fail_msg("at byte %zu: ...%.*s... and ...%.*s...", at, a->count - from < 160 ? (int)(a->count - from) : 160,
                 a->data + from, b->count - from < 160 ? (int)(b->count - from) : 160, b->data + from);
    }
}

/* What a rule did, said plainly. */
static void check_plain(const struct stream *stream, const struct rf_outcome *outcome, bool has_time)
{
    for (uint32_t r = 0; r < RULES; r++) {
        uint64_t hits = 0;
        uint64_t labelled = 0;
        int64_t first = RF_TALLY_NEVER;
        int64_t last = RF_TALLY_NEVER;
        uint32_t first_row = UINT32_MAX;
        uint32_t last_row = UINT32_MAX;
        for (uint32_t row = 0; row < ROWS; row++) {
            if (!stream->live[row] || !stream->truth[r][row]) {
                continue;
            }
            hits++;
            labelled += stream->label[row] == 1;
            first_row = first_row == UINT32_MAX ? row : first_row;
            last_row = row;
            const int64_t ns = stream->time_ns[row];
            if (has_time && ns != RF_TALLY_UNTIMED) {
                first = first == RF_TALLY_NEVER || ns < first ? ns : first;
                last = ns > last ? ns : last;
            }
        }
        assert_int_equal(rf_tally_hits(&outcome->tally, r), hits);
        assert_int_equal(outcome->label.hits_true[r], labelled);
        assert_int_equal(outcome->tally.first_ns[r], first);
        assert_int_equal(outcome->tally.last_ns[r], last);
        if (hits != 0) {
            assert_int_equal(outcome->tally.first_at[r].offset, 1000 + 10 * first_row);
            assert_int_equal(outcome->tally.last_at[r].offset, 1000 + 10 * last_row);
        } else {
            assert_int_equal(outcome->tally.first_at[r].input, UINT32_MAX);
        }
    }
}

static void test_whole_is_parts(void **unused)
{
    (void)unused;
    static struct stream stream;
    for (unsigned round = 0; round < 36; round++) {
        const bool has_time = round % 3 != 0;
        const int64_t by_ns = round % 4 == 0 ? 0 : round % 4 == 1 ? 60 * S : round % 4 == 2 ? S : 1000;
        const uint32_t cut = (uint32_t)(random_next() % (ROWS + 1));
        struct rf_outcome whole;
        struct rf_outcome part[2];
        struct rf_outcome back[2];
        struct rf_text text[3] = {{0}, {0}, {0}};
        struct rf_text merged = {0};
        struct rf_error err;
        stream_make(&stream, round % 6);
        outcome_open(&whole, has_time, by_ns);
        tally_rows(&stream, 0, ROWS, has_time, &whole);
        check_plain(&stream, &whole, has_time);
        json_of(&whole, &text[2]);
        for (int p = 0; p < 2; p++) {
            outcome_open(&part[p], has_time, by_ns);
            tally_rows(&stream, p == 0 ? 0 : cut, p == 0 ? cut : ROWS, has_time, &part[p]);
            json_of(&part[p], &text[p]);
            assert_int_equal(rf_outcome_read(&back[p], rf_text_str(&text[p]), "part", &err), RF_OK);
        }
        /* Of a part that is read back the same is written. */
        json_of(&back[0], &merged);
        same_text(&text[0], &merged);
        rf_text_clear(&merged);
        assert_int_equal(rf_outcome_merge(&back[0], &back[1], &err), RF_OK);
        json_of(&back[0], &merged);
        same_text(&text[2], &merged);
        for (int p = 0; p < 2; p++) {
            rf_outcome_close(&part[p]);
            rf_outcome_close(&back[p]);
            rf_text_free(&text[p]);
        }
        rf_outcome_close(&whole);
        rf_text_free(&text[2]);
        rf_text_free(&merged);
    }
}

static void refuse(const char *json)
{
    struct rf_outcome outcome;
    struct rf_error err;
    const enum rf_status status = rf_outcome_read(&outcome, rf_str_of(json), "x.json", &err);
    if (status != RF_E_FORMAT || strncmp(err.text, "x.json:", 7) != 0) {
        fail_msg("%s: %s", json, status == RF_OK ? "read" : err.text);
    }
}

static void test_bad_results(void **unused)
{
    (void)unused;
#define RUN ",\"read\":1,\"malformed\":0,\"blank\":0}"
    refuse("1");
    refuse("{");
    refuse("{}");
    refuse("{\"rule\":\"a\",\"hits\":-1,\"errors\":0" RUN);
    refuse("{\"rule\":\"a\",\"hits\":1.5,\"errors\":0" RUN);
    refuse("{\"rule\":\"a\",\"hits\":1" RUN);
    refuse("{\"rule\":\"a\",\"hits\":1,\"errors\":0}");
    refuse("{\"rule\":\"a\",\"hits\":1,\"errors\":0,\"first\":\"noon\"" RUN);
    refuse("{\"rule\":\"a\",\"hits\":1,\"errors\":0,\"first_at\":5" RUN);
    refuse("{\"rule\":\"a\",\"hits\":1,\"errors\":0,\"first_at\":{\"input\":4294967294,\"file\":\"a\",\"offset\":1}" RUN);
    refuse("{\"rule\":\"a\",\"hits\":1,\"errors\":0,\"by\":\"x\",\"by_asked\":\"auto\"" RUN);
    refuse("{\"rule\":\"a\",\"hits\":1,\"errors\":0,\"by\":\"-1s\",\"by_asked\":\"auto\"" RUN);
    refuse("{\"rule\":\"a\",\"hits\":1,\"errors\":0,\"by\":\"1s\",\"by_asked\":\"auto\",\"timeless\":0,\"disorder\":0,"
           "\"timeline\":[[\"2026-01-31T12:00:00Z\",2]]" RUN);
    refuse("{\"rule\":\"a\",\"hits\":1,\"errors\":0,\"by\":\"1s\",\"by_asked\":\"auto\",\"timeless\":0,\"disorder\":0,"
           "\"timeline\":[5]" RUN);
    refuse("{\"rule\":\"a\",\"hits\":1,\"errors\":0,\"label\":{}" RUN);
#define FOLLOWED ",\"followed\":{\"value\":\"p\",\"per\":null,\"horizon\":\"60s\",\"change\":\"relative\",\"missing\":0,\"wrong\":0,\"bits\":7}"
#define FORWARD(sums, buckets) \
    "{\"rule\":\"a\",\"hits\":1,\"errors\":0,\"forward\":{\"unfinished\":0,\"no_value\":0,\"late\":0,\"no_room\":0,\"min\":0,\"max\":0," \
    "\"sums\":" sums ",\"buckets\":" buckets "}"
#define ZEROS "[\"0000000000000000\",\"0000000000000000\"]"
    refuse("{\"rule\":\"a\",\"hits\":1,\"errors\":0,\"forward\":{}" RUN);
    refuse("{\"rule\":\"a\",\"hits\":1,\"errors\":0" FOLLOWED RUN);
    refuse(FORWARD(ZEROS, "[[0,1]]") ",\"followed\":{}" RUN);
    refuse(FORWARD("[\"\",\"\"]", "[[0,1]]") FOLLOWED RUN);
    refuse(FORWARD(ZEROS, "[[0,2]]") FOLLOWED RUN); /* more than hits */
    refuse(FORWARD(ZEROS, "[[0.5,1]]") FOLLOWED RUN);
    refuse(FORWARD(ZEROS, "[[100000,1]]") FOLLOWED RUN);
    refuse(FORWARD(ZEROS, "[[0,-1]]") FOLLOWED RUN);
    refuse(FORWARD(ZEROS, "[0]") FOLLOWED RUN);
    refuse(FORWARD(ZEROS, "[[0,1]]") FOLLOWED RUN "\n{\"rule\":\"b\",\"hits\":0,\"errors\":0" RUN); /* one line has it, the other not */
    struct rf_outcome outcome;
    struct rf_outcome other;
    struct rf_error err;
    assert_int_equal(rf_outcome_read(&outcome, RF_STR("{\"rule\":\"a\",\"hits\":1,\"errors\":0" RUN), "a", &err), RF_OK);
    assert_int_equal(rf_outcome_read(&other, RF_STR("{\"rule\":\"b\",\"hits\":1,\"errors\":0" RUN), "b", &err), RF_OK);
    assert_int_equal(rf_outcome_merge(&outcome, &other, &err), RF_E_DATA);
    rf_outcome_close(&other);
    assert_int_equal(rf_outcome_read(&other, RF_STR("\n"), "c", &err), RF_E_FORMAT); /* of a run that never came to its end */
    assert_int_equal(rf_outcome_read(&other, RF_STR(FORWARD(ZEROS, "[[0,1]]") FOLLOWED RUN), "d", &err), RF_OK);
    assert_int_equal(rf_outcome_merge(&outcome, &other, &err), RF_E_DATA); /* one follows a value */
    rf_outcome_close(&other);
    rf_outcome_close(&outcome);
    refuse("{\"rule\":\"a\",\"hits\":1,\"errors\":0,\"part\":5" RUN);
    refuse("{\"rule\":\"a\",\"hits\":1,\"errors\":0,\"digest\":\"xyz\"" RUN);
    refuse("{\"rule\":\"a\",\"hits\":1,\"errors\":0,\"interrupted\":1" RUN);
}

static void test_part_texts(void **unused)
{
    (void)unused;
    struct rf_outcome_part part;
    assert_true(rf_outcome_part_parse(RF_STR("2/3"), &part));
    assert_true(part.first == 1 && part.last == 1 && part.of == 3);
    assert_true(rf_outcome_part_parse(RF_STR("1-9999999/9999999"), &part));
    assert_true(part.first == 0 && part.last == 9999998 && part.of == 9999999);
    static const char *const wrong[] = {"", "1", "/", "0/3", "4/3", "2-1/3", "1-4/3", "1/0", "1/3x", "1/3/", "-1/3", "1--2/3", " 1/3", "1-2-3/4",
                                        "10000000/10000000", "111111111111111111111111111111111111111111111111111/2"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_false(rf_outcome_part_parse(rf_str_of(wrong[i]), &part));
    }
    uint64_t digest;
    assert_true(rf_outcome_digest_parse(RF_STR("00ff00000000000a"), &digest));
    assert_true(digest == 0x00ff00000000000a);
    assert_false(rf_outcome_digest_parse(RF_STR("00FF00000000000a"), &digest));
    assert_false(rf_outcome_digest_parse(RF_STR("00ff00000000000"), &digest));
}

static bool joins(struct rf_outcome_part *part, struct rf_outcome_part next)
{
    struct rf_error err;
    return rf_outcome_part_join(part, &next, &err) == RF_OK;
}

static void test_part_join(void **unused)
{
    (void)unused;
    struct rf_outcome_part part = {.first = 0, .last = 0, .of = 4, .digest = 7};
    assert_false(joins(&part, (struct rf_outcome_part){.first = 0, .last = 0, .of = 4}));  /* twice */
    assert_false(joins(&part, (struct rf_outcome_part){.first = 2, .last = 2, .of = 4}));  /* one is missing */
    assert_false(joins(&part, (struct rf_outcome_part){.first = 1, .last = 1, .of = 5}));  /* of another run */
    assert_false(joins(&part, (struct rf_outcome_part){.of = 0}));                         /* a whole */
    assert_false(joins(&part, (struct rf_outcome_part){.first = 1, .last = 1, .of = 4, .digest = 8}));
    assert_true(joins(&part, (struct rf_outcome_part){.first = 1, .last = 2, .of = 4, .digest = 7, .is_interrupted = true}));
    assert_true(part.first == 0 && part.last == 2 && part.is_interrupted);
    assert_true(joins(&part, (struct rf_outcome_part){.first = 3, .last = 3, .of = 4}));
    assert_true(part.last == 3);
}

static void test_table(void **unused)
{
    (void)unused;
    static struct stream stream;
    struct rf_outcome whole;
    struct rf_text text = {0};
    struct rf_error err;
    stream_make(&stream, 1);
    outcome_open(&whole, true, 0);
    tally_rows(&stream, 0, ROWS, true, &whole);
    assert_int_equal(rf_outcome_write_table(&whole, (struct rf_outcome_table){.top = 2, .columns = 100}, &text, &err), RF_OK);
    uint32_t lines = 0;
    for (size_t i = 0; i < text.count; i++) {
        lines += text.data[i] == '\n';
    }
    assert_int_equal(lines, 4); /* head, two rules, how many more */
    assert_true(rf_str_contains(rf_text_str(&text), RF_STR("... and 3 rules")));
    assert_true(rf_str_contains(rf_text_str(&text), RF_STR("PRECISION")));
    assert_true(rf_str_contains(rf_text_str(&text), RF_STR("HIT RATE")));
    assert_false(rf_str_contains(rf_text_str(&text), RF_STR("\"\n"))); /* a line end in a name is shown */
    /* On a narrow terminal names have their room first, and times go. */
    rf_text_clear(&text);
    assert_int_equal(rf_outcome_write_table(&whole, (struct rf_outcome_table){.top = 2, .columns = 110}, &text, &err), RF_OK);
    assert_false(rf_str_contains(rf_text_str(&text), RF_STR("FIRST")));
    assert_false(rf_str_contains(rf_text_str(&text), RF_STR("HITS OVER TIME")));
    rf_text_clear(&text);
    assert_int_equal(rf_outcome_write_table(&whole, (struct rf_outcome_table){.top = 2, .columns = 300}, &text, &err), RF_OK);
    assert_true(rf_str_contains(rf_text_str(&text), RF_STR("FIRST")));
    assert_true(rf_str_contains(rf_text_str(&text), RF_STR("HITS OVER TIME")));
    rf_text_free(&text);
    rf_outcome_close(&whole);
}

static uint32_t occurrences(const struct rf_text *text, const char *part)
{
    uint32_t count = 0;
    const size_t length = strlen(part);
    for (size_t i = 0; i + length <= text->count; i++) {
        count += memcmp(text->data + i, part, length) == 0;
    }
    return count;
}

/* Pictures with their tables; nothing from elsewhere, nothing that runs, and no name that becomes markup. */
static void test_report(void **unused)
{
    (void)unused;
    static struct stream stream;
    static struct rf_outcome_rule named[RULES] = {{{"<b onload='x'>&", 15}, {"", 0}},
                                                  {{"s{t=1,q=a}", 10}, {"\"params\":{\"t\":1,\"q\":\"a\"}", 26}},
                                                  {{"s{t=1,q=b}", 10}, {"\"params\":{\"t\":1,\"q\":\"b\"}", 26}},
                                                  {{"s{t=2,q=a}", 10}, {"\"params\":{\"t\":2,\"q\":\"a\"}", 26}},
                                                  {{"s{t=2,q=b}", 10}, {"\"params\":{\"t\":2,\"q\":\"b\"}", 26}}};
    struct rf_outcome whole;
    struct rf_text text = {0};
    struct rf_error err;
    stream_make(&stream, 1);
    outcome_open(&whole, true, 0);
    whole.rule = named;
    assert_int_equal(rf_overlap_open(&whole.overlap, RULES, rf_isa_best(), &err), RF_OK);
    tally_rows(&stream, 0, ROWS, true, &whole);
    assert_int_equal(rf_report_write(&whole, RF_STR("</title><script>"), &text, &err), RF_OK);
    assert_int_equal(occurrences(&text, "<svg "), 6); /* rules, time, sweep, forward values, label, pairs */
    assert_int_equal(occurrences(&text, "</svg>"), 6);
    assert_int_equal(occurrences(&text, "<details>"), 6);
    assert_int_equal(occurrences(&text, "<circle "), 2 * (RULES - 1)); /* a mean and a point for each that has hits */
    assert_int_equal(occurrences(&text, "<g><title>"), RULES - 1);
    assert_int_equal(occurrences(&text, "<title>"), occurrences(&text, "</title>"));
    assert_int_equal(occurrences(&text, "nan"), 0);
    assert_int_equal(occurrences(&text, "</table>"), 6);
    assert_int_equal(occurrences(&text, "<tr>"), occurrences(&text, "</tr>"));
    assert_int_equal(occurrences(&text, "<rect "), occurrences(&text, "</title></rect>"));
    assert_int_equal(occurrences(&text, "<script"), 0);
    assert_int_equal(occurrences(&text, "<b "), 0);
    assert_true(occurrences(&text, "&lt;b onload=&#39;x&#39;&gt;&amp;") > 2);
    assert_int_equal(occurrences(&text, "http"), 0);
    assert_int_equal(occurrences(&text, "Sweep: s<"), 1);
    assert_true(occurrences(&text, "prefers-color-scheme") == 1);
    rf_text_free(&text);
    rf_outcome_close(&whole);
    /* No rule, no record. */
    whole = (struct rf_outcome){.first_time = RF_TALLY_NEVER, .last_time = RF_TALLY_NEVER};
    rf_arena_init(&whole.arena, 1 << 20);
    assert_int_equal(rf_tally_open(&whole.tally, 0, true, 0, rf_isa_best(), &err), RF_OK);
    assert_int_equal(rf_report_write(&whole, RF_STR("empty"), &text, &err), RF_OK);
    assert_int_equal(occurrences(&text, "</html>"), 1);
    rf_text_free(&text);
    rf_outcome_close(&whole);
}

/* Two records behind ones at 1,000 and 1,002 s, in buckets of ten seconds: how they may be counted. */
static void test_tally_block_cut(void **unused)
{
    (void)unused;
    static const struct {
        int64_t low, high;
        bool is_plain;  /* time goes on */
        uint32_t spans; /* of the two */
        bool goes_on;
    } cases[] = {{1002 * S, 1009 * S, true, 1, true},
                 {1009 * S, 1010 * S, true, 2, true},
                 {1010 * S, 1011 * S, true, 1, false},
                 {1010 * S, 1030 * S, true, 2, false},
                 {1001 * S, 1004 * S, false, 0, false},
                 {1005 * S, 1004 * S, false, 0, false},
                 {RF_TALLY_UNTIMED, 1004 * S, false, 0, false},
                 {1004 * S, RF_TALLY_UNTIMED, false, 0, false},
                 {RF_TALLY_UNTIMED, RF_TALLY_UNTIMED, false, 0, false}};
    static const uint64_t live[1] = {3};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int64_t time_ns[66] = {1000 * S, 1002 * S};
        const struct rf_tally_round round = {.time_ns = time_ns};
        struct rf_tally_block block = {.first = 0, .rows = 64, .live = live};
        struct rf_tally_block next = {.first = 64, .rows = 2, .live = live};
        struct rf_eval_spans spans = {0};
        struct rf_tally tally;
        struct rf_error err;
        time_ns[64] = cases[i].low;
        time_ns[65] = cases[i].high;
        assert_int_equal(rf_tally_open(&tally, 1, true, 10 * S, rf_isa_best(), &err), RF_OK);
        rf_tally_round_begin(&tally, round);
        assert_true(rf_tally_block_goes_on(&tally, &block));
        assert_int_equal(rf_tally_block_begin(&tally, &block, &err), RF_OK);
        assert_int_equal(rf_tally_block_goes_on(&tally, &next), cases[i].is_plain);
        if (cases[i].is_plain) {
            assert_int_equal(rf_tally_block_begin(&tally, &next, &err), RF_OK);
            rf_tally_block_cut(&tally, &next, &spans);
            assert_int_equal(spans.count, cases[i].spans);
            assert_int_equal(spans.goes_on, cases[i].goes_on);
            assert_int_equal(spans.end[0], spans.count == 1 ? 2 : 1);
            assert_int_equal(spans.end[spans.count - 1], 2);
        }
        rf_tally_close(&tally);
    }
}

/* Nine buckets are too many; without times all records count alike. */
static void test_tally_block_cut_bounds(void **unused)
{
    (void)unused;
    static const uint64_t live[1] = {0x3fe};
    int64_t time_ns[10];
    for (uint32_t buckets = RF_TALLY_SEGMENTS_MAX; buckets <= RF_TALLY_SEGMENTS_MAX + 1; buckets++) {
        struct rf_tally_block block = {.first = 0, .rows = 10, .live = live};
        struct rf_eval_spans spans = {0};
        struct rf_tally tally;
        struct rf_error err;
        for (uint32_t row = 0; row < 10; row++) {
            time_ns[row] = (1000 + (row == 0 ? 77 : row < buckets ? row : buckets)) * S;
        }
        assert_int_equal(rf_tally_open(&tally, 1, true, S, rf_isa_best(), &err), RF_OK);
        rf_tally_round_begin(&tally, (struct rf_tally_round){.time_ns = time_ns});
        assert_true(rf_tally_block_goes_on(&tally, &block));
        assert_int_equal(rf_tally_block_begin(&tally, &block, &err), RF_OK);
        rf_tally_block_cut(&tally, &block, &spans);
        assert_int_equal(spans.count, buckets <= RF_TALLY_SEGMENTS_MAX ? buckets : 0);
        for (uint32_t s = 0; s < spans.count; s++) {
            assert_int_equal(spans.end[s], s + 1 < spans.count ? s + 2 : 10);
        }
        rf_tally_close(&tally);
        assert_int_equal(rf_tally_open(&tally, 1, false, 0, rf_isa_best(), &err), RF_OK);
        assert_true(rf_tally_block_goes_on(&tally, &block));
        assert_int_equal(rf_tally_block_begin(&tally, &block, &err), RF_OK);
        spans = (struct rf_eval_spans){0};
        rf_tally_block_cut(&tally, &block, &spans);
        assert_int_equal(spans.count, 1);
        assert_int_equal(spans.end[0], 10);
        assert_true(spans.goes_on);
        rf_tally_close(&tally);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_whole_is_parts),
                                       cmocka_unit_test(test_bad_results),
                                       cmocka_unit_test(test_part_texts),
                                       cmocka_unit_test(test_part_join),
                                       cmocka_unit_test(test_table),
                                       cmocka_unit_test(test_report),
                                       cmocka_unit_test(test_tally_block_cut),
                                       cmocka_unit_test(test_tally_block_cut_bounds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
