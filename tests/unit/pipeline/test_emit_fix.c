/* test_emit_fix.c: whole FIX messages as JSON and for people: the same text from every engine, at every level, with any
 * number of threads, from batches of any size; and the text that the plain reader of fields leads to. */
#include "emit_fix.h"
#include "fix_fields.h"
#include "fix_trial.h"

/* The first is what all others are held against. */
static const struct way way_table[] = {
    {RF_BACKEND_INTERP, RF_ISA_SCALAR, 1, 0, 128, false}, {RF_BACKEND_INTERP, RF_ISA_AVX512, 4, 300, 0, false},
    {RF_BACKEND_CPU, RF_ISA_SCALAR, 1, 0, 128, false},    {RF_BACKEND_CPU, RF_ISA_SCALAR, 4, 64, 0, true},
    {RF_BACKEND_CPU, RF_ISA_AVX2, 1, 0, 128, true},       {RF_BACKEND_CPU, RF_ISA_AVX2, 4, 500, 128, false},
    {RF_BACKEND_CPU, RF_ISA_AVX512, 1, 0, 128, false},    {RF_BACKEND_CPU, RF_ISA_AVX512, 4, 700, 0, true},
};
enum { WAYS = sizeof(way_table) / sizeof(way_table[0]) };

/* Every way gives `expected`; gives the counts of the last. */
static struct rf_counts assert_emits(struct trial trial, struct rf_str expected)
{
    struct rf_counts counts = {0};
    for (int w = 0; w < WAYS; w++) {
        const struct way *way = &way_table[w];
        if (way->isa > rf_isa_best()) {
            continue;
        }
        trial_way(&trial, way);
        struct outcome outcome;
        trial_run(&trial, &outcome);
        if (outcome.status != RF_OK) {
            fail_msg("%s", outcome.err.text);
        }
        assert_text(&outcome.output, expected, trial.predicate);
        counts = outcome.result.counts;
        outcome_free(&outcome);
    }
    return counts;
}

/* A log of three messages, of which the second has a wrong CheckSum. */
static struct rf_str log_make(char *out, size_t room)
{
    static const char *const bodies[] = {
        "35=8\00155=A,\"B\"\00154=2\00144=102.50\001453=1\001448=P\001447=D\00158=x\xff\001",
        "35=8\00155=C\00154=1\00144=007\00143=Y\001",
        "35=0\00149=A\001",
    };
    size_t count = 0;
    for (size_t i = 0; i < 3; i++) {
        uint8_t message[SAMPLE_MAX];
        const struct sample_options options = {.separator = RF_FIX_PIPE, .sum_off = i == 1};
        const size_t bytes = sample_put(message, bodies[i], strlen(bodies[i]), options);
        count += (size_t)snprintf(out + count, room - count, "10:00:0%zu IN %.*s\n", i, (int)bytes, (char *)message);
    }
    return (struct rf_str){out, count};
}

static void test_json(void **state)
{
    char log[1024];
    (void)state;
    struct trial trial = trial_fix("true", log_make(log, sizeof log), RF_EMIT_JSON);
    const char *first =
        "{\"BeginString\":\"FIX.4.4\",\"BodyLength\":53,\"MsgType\":\"8\",\"Symbol\":\"A,\\\"B\\\"\",\"Side\":\"2\","
        "\"Price\":102.50,\"NoPartyIDs\":1,\"PartyIDs\":[{\"PartyID\":\"P\",\"PartyIDSource\":\"D\"}],"
        "\"Text\":{\"base64\":\"eP8=\"},\"CheckSum\":\"";
    struct outcome outcome;
    trial_run(&trial, &outcome);
    assert_int_equal(outcome.status, RF_OK);
    assert_true(rf_str_starts(rf_text_str(&outcome.output), rf_str_of(first)));
    assert_int_equal(outcome.result.counts.of[RF_ROW_MALFORMED], 1);
    const struct rf_counts counts = assert_emits(trial, rf_text_str(&outcome.output));
    assert_int_equal(counts.of[RF_ROW_SELECTED], 2);
    outcome_free(&outcome);

    trial.predicate = "Symbol == \"C\"";
    trial.options.is_fix_lenient = true;
    trial.options.fix_keys = RF_FIX_KEYS_BOTH;
    trial_run(&trial, &outcome);
    assert_true(rf_str_starts(
        rf_text_str(&outcome.output),
        RF_STR("{\"BeginString(8)\":\"FIX.4.4\",\"BodyLength(9)\":27,\"MsgType(35)\":\"8\",\"Symbol(55)\":\"C\","
               "\"Side(54)\":\"1\",\"Price(44)\":\"007\",\"PossDupFlag(43)\":true,\"CheckSum(10)\":\"")));
    outcome_free(&outcome);
    trial.options.max_count = 1;
    trial.predicate = "MsgType == \"0\" || MsgType == \"8\"";
    trial.options.fix_keys = RF_FIX_KEYS_TAG;
    trial_run(&trial, &outcome);
    assert_true(
        rf_str_starts(rf_text_str(&outcome.output), RF_STR("{\"8\":\"FIX.4.4\",\"9\":53,\"35\":\"8\",\"55\":")));
    assert_int_equal(outcome.result.counts.of[RF_ROW_SELECTED], 1);
    assert_non_null(memchr(outcome.output.data, '\n', outcome.output.count));
    assert_true(outcome.output.data[outcome.output.count - 1] == '\n');
    outcome_free(&outcome);
}

/* Selected fields: numbers as they are written, what is not there is empty. */
static void test_csv(void **state)
{
    char log[1024];
    (void)state;
    struct trial trial = trial_fix("true", log_make(log, sizeof log), RF_EMIT_CSV);
    trial.options.is_fix_lenient = true;
    trial.projection[0] = "Symbol";
    trial.projection[1] = "Price";
    trial.projection[2] = "fix.raw(44)";
    trial.projection[3] = "PossDupFlag";
    trial.projection[4] = "MsgType";
    static const struct rf_str names[] = {{"Symbol", 6}, {"Price", 5}, {"raw", 3}, {"dup", 3}, {"MsgType", 7}};
    trial.options.column = names;
    (void)assert_emits(trial, RF_STR("Symbol,Price,raw,dup,MsgType\r\n"
                                     "\"A,\"\"B\"\"\",102.50,102.50,,8\r\n"
                                     "C,7,007,true,8\r\n"
                                     ",,,,0\r\n"));
}

static void test_pretty(void **state)
{
    char log[1024];
    (void)state;
    struct trial trial = trial_fix("record.number > 1", log_make(log, sizeof log), RF_EMIT_PRETTY);
    trial.options.is_fix_lenient = true;
    struct outcome outcome;
    trial_run(&trial, &outcome);
    const struct rf_str text = rf_text_str(&outcome.output);
    assert_true(rf_str_starts(text, RF_STR("2: ExecutionReport  10:00:01 IN\n"
                                           "  ! CheckSum is absent or wrong\n"
                                           "   8 BeginString  FIX.4.4\n"
                                           "   9 BodyLength   27\n"
                                           "  35 MsgType      8 (ExecutionReport)\n"
                                           "  55 Symbol       C\n"
                                           "  54 Side         1 (Buy)\n"
                                           "  44 Price        007\n"
                                           "  43 PossDupFlag  Y (PossibleDuplicate)\n"
                                           "  10 CheckSum     ")));
    assert_true(rf_str_contains(text, RF_STR("\n\n3: Heartbeat  10:00:02 IN\n")));
    assert_true(rf_str_ends(text, RF_STR("\n\n")));
    (void)assert_emits(trial, text);
    outcome_free(&outcome);
    /* With the name of the input, and in colour. */
    trial.predicate = "record.number == 3";
    trial.options.has_file_prefix = trial.options.is_colored = true;
    trial_run(&trial, &outcome);
    assert_true(rf_str_starts(
        rf_text_str(&outcome.output),
        RF_STR("\033[35minput.0:3\033[0m: \033[1mHeartbeat\033[0m  10:00:02 IN\n   \033[36m8\033[0m Beg")));
    outcome_free(&outcome);
}

/* Malformed records that are passed on stand where they stood, and a terminal does not obey them. */
static void test_pretty_pass(void **state)
{
    char log[2048];
    (void)state;
    struct rf_str text = log_make(log, sizeof log - 64);
    const char *junk = "\033[2J junk \x9b\n";
    strcpy(log + text.count, junk);
    text.count += strlen(junk);
    struct trial trial = trial_fix("record.number > 2", text, RF_EMIT_PRETTY);
    trial.options.on_malformed.kind = RF_POLICY_PASS;
    struct outcome outcome;
    trial_run(&trial, &outcome);
    const struct rf_str output = rf_text_str(&outcome.output);
    assert_true(rf_str_starts(output, RF_STR("10:00:01 IN 8=FIX.4.4|9=27|35=8|55=C|")));
    assert_true(rf_str_contains(output, RF_STR("|\n3: Heartbeat  10:00:02 IN\n")));
    assert_true(rf_str_ends(output, RF_STR("\n\n\\x1b[2J junk \\x9b\n")));
    (void)assert_emits(trial, output);
    trial.options.has_number_prefix = true;
    struct outcome numbered;
    trial_run(&trial, &numbered);
    assert_true(rf_str_ends(rf_text_str(&numbered.output), RF_STR("\n\n4:\\x1b[2J junk \\x9b\n")));
    outcome_free(&numbered);
    outcome_free(&outcome);
}

/* What the entries of a stream are as JSON by the plain readers, one after the other. */
static void json_by_entries(struct rf_str stream, bool is_lenient, enum rf_fix_keys keys, struct rf_text *out)
{
    struct rf_error err;
    struct rf_fix_json json;
    struct rf_arena arena;
    rf_arena_init(&arena, 1 << 24);
    assert_int_equal(rf_fix_json_open(&json, rf_fix_dict_builtin(RF_STR("FIX.4.4")), keys, &err), RF_OK);
    for (size_t at = 0; at < stream.count;) {
        struct rf_fix_entry entry;
        struct rf_fix_fields fields;
        size_t needed;
        assert_int_equal(rf_fix_entry_next((const uint8_t *)stream.data, at, stream.count, RF_RECORD_BYTES_DEFAULT,
                                           RF_FIX_LAST, &entry, &needed),
                         RF_FIX_ENTRY);
        at = entry.next;
        if (entry.kind != RF_FIX_MESSAGE ||
            (entry.reason != RF_REASON_NONE && !(is_lenient && rf_fix_reason_is_lenient(entry.reason)))) {
            continue;
        }
        const struct rf_str message = {stream.data + entry.message, entry.message_end - entry.message};
        const struct rf_arena_mark mark = rf_arena_mark(&arena);
        assert_true(rf_fix_fields_read(message, entry.separator, entry.reason == RF_REASON_FIX_CUT, &arena, &fields));
        if (fields.reason == RF_REASON_NONE) {
            struct rf_fix_view view;
            assert_true(rf_fix_fields_view(&fields, &arena, &view));
            assert_int_equal(rf_fix_json_write(&json, &view, out, &err), RF_OK);
            assert_int_equal(rf_text_append_char(out, '\n', &err), RF_OK);
        }
        rf_arena_rewind(&arena, mark);
    }
    rf_fix_json_close(&json);
    rf_arena_free(&arena);
}

static void test_streams_json(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < 2 * STREAMS; seed++) {
        struct rf_text expected = {0};
        struct trial trial = trial_fix("true", stream_of(seed), RF_EMIT_JSON);
        trial.options.is_fix_lenient = seed % 3 == 0;
        trial.options.fix_keys = (enum rf_fix_keys)(seed % 3);
        json_by_entries(trial.input[0], trial.options.is_fix_lenient, trial.options.fix_keys, &expected);
        const struct rf_counts counts = assert_emits(trial, rf_text_str(&expected));
        assert_true(counts.of[RF_ROW_SELECTED] > 20);
        rf_text_free(&expected);
    }
}

/* Some rows of each round, after columns were extracted. */
static void test_streams_some(void **state)
{
    static const char *const predicates[] = {"Side == Side.BUY", "Price > 10 && has(Symbol)", "fix.PartyIDs.size() > 1",
                                             "record.number % 7 == 0", "MsgSeqNum > 3 || Text.contains(\"a\")"};
    (void)state;
    for (uint32_t seed = 0; seed < 2 * STREAMS; seed++) {
        const char *predicate = predicates[seed % (sizeof predicates / sizeof predicates[0])];
        char numbered[128];
        (void)snprintf(numbered, sizeof numbered, "record.number > 0 && (%s)", predicate);
        struct trial trial = trial_fix(numbered, stream_of(seed), seed % 2 == 0 ? RF_EMIT_JSON : RF_EMIT_PRETTY);
        trial.options.is_fix_lenient = true;
        trial.options.on_malformed.kind = seed % 4 == 1 ? RF_POLICY_PASS : RF_POLICY_DROP;
        struct outcome outcome;
        trial_run(&trial, &outcome);
        assert_true(outcome.result.counts.of[RF_ROW_SELECTED] > 0);
        (void)assert_emits(trial, rf_text_str(&outcome.output));
        outcome_free(&outcome);
    }
}

/* A message of ten thousand fields, and one beside it. */
static void test_many(void **state)
{
    enum { MANY = 10000 };
    struct rf_error err;
    struct rf_text body = {0};
    struct rf_text stream = {0};
    (void)state;
    assert_int_equal(rf_text_append(&body, RF_STR("35=8\00155=A\001453=4000\001"), &err), RF_OK);
    for (int i = 0; i < MANY; i++) {
        assert_int_equal(rf_text_printf(&body, &err, i % 2 == 0 ? "448=%d\001" : "447=%d\001", i), RF_OK);
    }
    unsigned sum = 0;
    assert_int_equal(rf_text_printf(&stream, &err, "8=FIX.4.4\0019=%zu\001", body.count), RF_OK);
    assert_int_equal(rf_text_append(&stream, rf_text_str(&body), &err), RF_OK);
    for (size_t i = 0; i < stream.count; i++) {
        sum += (uint8_t)stream.data[i];
    }
    assert_int_equal(rf_text_printf(&stream, &err, "10=%03u\001", sum % 256), RF_OK);
    uint8_t message[SAMPLE_MAX];
    const size_t bytes = SAMPLE_PUT(message, SAMPLE_BODY, .separator = RF_FIX_SOH);
    assert_int_equal(rf_text_append(&stream, (struct rf_str){(const char *)message, bytes}, &err), RF_OK);
    struct rf_text expected = {0};
    json_by_entries(rf_text_str(&stream), false, RF_FIX_KEYS_NAME, &expected);
    assert_true(rf_str_contains(rf_text_str(&expected),
                                RF_STR(",{\"PartyID\":\"9998\",\"PartyIDSource\":\"9999\"}],\"CheckSum\"")));
    const struct rf_counts counts =
        assert_emits(trial_fix("true", rf_text_str(&stream), RF_EMIT_JSON), rf_text_str(&expected));
    assert_int_equal(counts.of[RF_ROW_SELECTED], 2);
    rf_text_free(&expected);
    rf_text_free(&stream);
    rf_text_free(&body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json),        cmocka_unit_test(test_csv),          cmocka_unit_test(test_pretty),
        cmocka_unit_test(test_pretty_pass), cmocka_unit_test(test_streams_json), cmocka_unit_test(test_streams_some),
        cmocka_unit_test(test_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
