#include "fix_view_fixture.h"

#include "fix_json.h"
#include "fix_json_reader.h"
#include "fix_samples.h"

/* What is between the first two members and the last. */
#define HEAD "{\"BeginString\":\"FIX.4.4\",\"BodyLength\":5,"
#define TAIL ",\"CheckSum\":\"007\"}"

static struct rf_text json_of(const struct rf_fix_view *view, enum rf_fix_keys keys)
{
    struct rf_error err;
    struct rf_fix_json json;
    struct rf_text out = {0};
    assert_int_equal(rf_fix_json_open(&json, view_dict, keys, &err), RF_OK);
    assert_int_equal(rf_fix_json_write(&json, view, &out, &err), RF_OK);
    /* Behind what is there already, and with what is kept of the message before. */
    const size_t count = out.count;
    assert_int_equal(rf_fix_json_write(&json, view, &out, &err), RF_OK);
    assert_int_equal(out.count, 2 * count);
    assert_memory_equal(out.data, out.data + count, count);
    out.count = count;
    rf_fix_json_close(&json);
    return out;
}

static void assert_json_keys(const char *body, enum rf_fix_keys keys, const char *expected)
{
    struct rf_error err;
    struct view view = view_of(body);
    struct rf_text out = json_of(&view.view, keys);
    assert_int_equal(rf_text_append_char(&out, '\0', &err), RF_OK);
    assert_string_equal(out.data, expected);
    rf_text_free(&out);
    view_free(&view);
}

static void assert_json(const char *body, const char *members)
{
    char expected[8192];
    (void)snprintf(expected, sizeof expected, "%s%s%s", HEAD, members, TAIL);
    assert_json_keys(body, RF_FIX_KEYS_NAME, expected);
}

static void test_numbers(void **state)
{
    (void)state;
    /* As they stand, where FIX and JSON agree. */
    assert_json("44=102.00|", "\"Price\":102.00");
    assert_json("44=-0.5|34=0|", "\"Price\":-0.5,\"MsgSeqNum\":0");
    assert_json("44=0|", "\"Price\":0");
    assert_json("34=123456789012345678901234567890|", "\"MsgSeqNum\":123456789012345678901234567890");
    assert_json("34=7|", "\"MsgSeqNum\":7");
    assert_json("44=12345678|", "\"Price\":12345678");
    assert_json("44=-|34=007|", "\"Price\":\"-\",\"MsgSeqNum\":\"007\"");
    static const char *const none[] = {"-",   ".5",  "5.",    "-.5",      "1e3",        "1E3",   "+1",  " 1",
                                       "1 ",  "0x1", "01",    "-01",      "1,",         "1.2.3", "--1", "NaN",
                                       "inf", "-00", "1.5e2", "1234567a", "123456789.", ""};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        char body[64];
        char members[64];
        (void)snprintf(body, sizeof body, "44=%s|", none[i]);
        (void)snprintf(members, sizeof members, "\"Price\":\"%s\"", none[i]);
        assert_json(body, members);
    }
    /* The fields of other types are texts, also where they look like numbers; so is CheckSum. */
    assert_json("55=100|54=1|9702=5|", "\"Symbol\":\"100\",\"Side\":\"1\",\"9702\":\"5\"");
    assert_json_keys("10=123|", RF_FIX_KEYS_NAME,
                     "{\"BeginString\":\"FIX.4.4\",\"BodyLength\":5,\"CheckSum\":[\"123\",\"007\"]}");
}

static void test_values(void **state)
{
    (void)state;
    assert_json("43=Y|97=N|", "\"PossDupFlag\":true,\"PossResend\":false");
    assert_json("43=y|97=YES|", "\"PossDupFlag\":\"y\",\"PossResend\":\"YES\"");
    assert_json("43=|52=20260102-10:00:00.000|", "\"PossDupFlag\":\"\",\"SendingTime\":\"20260102-10:00:00.000\"");
    assert_json("18=1 G A|", "\"ExecInst\":\"1 G A\"");
    /* Texts with all that JSON escapes, at all lengths of the copying. */
    assert_json("58=a\"b\\c\td\033e/f\177|", "\"Text\":\"a\\\"b\\\\c\\td\\u001be/f\177\"");
    assert_json("58=\"|", "\"Text\":\"\\\"\"");
    assert_json("58=1234567\"|", "\"Text\":\"1234567\\\"\"");
    assert_json("58=12345678\\|", "\"Text\":\"12345678\\\\\"");
    assert_json("58=caf\xc3\xa9 \xe2\x82\xac|", "\"Text\":\"caf\xc3\xa9 \xe2\x82\xac\"");
    /* No UTF-8, whatever the type. */
    assert_json("58=\xff|", "\"Text\":{\"base64\":\"/w==\"}");
    assert_json("44=1\xc3|43=\x80|9702=\xed\xa0\x80|",
                "\"Price\":{\"base64\":\"McM=\"},\"PossDupFlag\":{\"base64\":\"gA==\"},\"9702\":{\"base64\":\"7aCA\"}");
    /* Raw data with separators in it. */
    assert_json("95=7|96=a|58=b||58=c|", "\"RawDataLength\":7,\"RawData\":\"a|58=b|\",\"Text\":\"c\"");
    assert_json("95=3|96=\001\377=|58=c|", "\"RawDataLength\":3,\"RawData\":{\"base64\":\"Af89\"},\"Text\":\"c\"");
}

/* Each special byte at each place of a text of each length. */
static void test_places(void **state)
{
    static const char special[] = {'"', '\\', '\n', '\033', '\001', ' ', '!', '\177', '~'};
    (void)state;
    for (size_t count = 1; count < 40; count++) {
        for (size_t at = 0; at < count; at++) {
            for (size_t s = 0; s < sizeof special; s++) {
                char body[64] = "58=";
                memset(body + 3, 'x', count);
                body[3 + at] = special[s];
                body[3 + count] = '|';
                struct view view = view_of(body);
                struct rf_text out = json_of(&view.view, RF_FIX_KEYS_NAME);
                struct read_fields read = read_json(view_dict, RF_FIX_KEYS_NAME, rf_text_str(&out));
                assert_int_equal(read.fields, 4);
                assert_int_equal(read.field[2].count, count);
                assert_memory_equal(read.field[2].text, body + 3, count);
                read_free(&read);
                rf_text_free(&out);
                view_free(&view);
            }
        }
    }
}

static void test_groups(void **state)
{
    (void)state;
    assert_json("35=D|453=2|448=A|447=D|452=1|448=B|55=X|",
                "\"MsgType\":\"D\",\"NoPartyIDs\":2,\"PartyIDs\":[{\"PartyID\":\"A\",\"PartyIDSource\":\"D\","
                "\"PartyRole\":1},{\"PartyID\":\"B\"}],\"Symbol\":\"X\"");
    assert_json(
        "35=D|453=2|448=A|802=2|523=x|803=1|523=y|452=1|448=B|55=X|",
        "\"MsgType\":\"D\",\"NoPartyIDs\":2,\"PartyIDs\":[{\"PartyID\":\"A\",\"NoPartySubIDs\":2,\"PartySubIDs\":["
        "{\"PartySubID\":\"x\",\"PartySubIDType\":1},{\"PartySubID\":\"y\"}],\"PartyRole\":1},{\"PartyID\":\"B\"}],"
        "\"Symbol\":\"X\"");
    assert_json("35=D|453=0|55=X|", "\"MsgType\":\"D\",\"NoPartyIDs\":0,\"PartyIDs\":[],\"Symbol\":\"X\"");
    /* A count that leads to no entry of the group, and one that is wrong: the fields are what they are. */
    assert_json("35=D|453=1|447=D|55=X|",
                "\"MsgType\":\"D\",\"NoPartyIDs\":1,\"PartyIDSource\":\"D\",\"Symbol\":\"X\"");
    assert_json("35=D|453=7|448=A|55=X|",
                "\"MsgType\":\"D\",\"NoPartyIDs\":7,\"PartyIDs\":[{\"PartyID\":\"A\"}],\"Symbol\":\"X\"");
}

static void test_repeats(void **state)
{
    (void)state;
    assert_json("58=a|55=X|58=b|58=|", "\"Text\":[\"a\",\"b\",\"\"],\"Symbol\":\"X\"");
    assert_json("44=1.0|43=Y|44=x|43=N|44=\xff|",
                "\"Price\":[1.0,\"x\",{\"base64\":\"/w==\"}],\"PossDupFlag\":[true,false]");
    assert_json("9702=a|9703=b|9702=c|", "\"9702\":[\"a\",\"c\"],\"9703\":\"b\"");
    /* In an entry; what comes again behind the group is the message's own. */
    assert_json("35=D|453=1|448=A|447=D|447=E|55=X|448=B|",
                "\"MsgType\":\"D\",\"NoPartyIDs\":1,\"PartyIDs\":[{\"PartyID\":\"A\",\"PartyIDSource\":[\"D\",\"E\"]}],"
                "\"Symbol\":\"X\",\"PartyID\":\"B\"");
    /* A count again. */
    assert_json("35=D|453=1|448=A|55=X|453=2|448=B|448=C|54=1|",
                "\"MsgType\":\"D\",\"NoPartyIDs\":[1,2],\"PartyIDs\":[{\"PartyID\":\"A\"},{\"PartyID\":\"B\"},"
                "{\"PartyID\":\"C\"}],\"Symbol\":\"X\",\"Side\":\"1\"");
    assert_json("35=D|453=9|55=X|453=1|448=B|",
                "\"MsgType\":\"D\",\"NoPartyIDs\":[9,1],\"PartyIDs\":[{\"PartyID\":\"B\"}],\"Symbol\":\"X\"");
}

static void test_keys(void **state)
{
    (void)state;
    const char *body = "35=D|453=1|448=A|44=1|9702=x|";
    assert_json_keys(body, RF_FIX_KEYS_TAG,
                     "{\"8\":\"FIX.4.4\",\"9\":5,\"35\":\"D\",\"453\":1,\"PartyIDs(453)\":[{\"448\":\"A\"}],\"44\":1,"
                     "\"9702\":\"x\",\"10\":\"007\"}");
    assert_json_keys(
        body, RF_FIX_KEYS_BOTH,
        "{\"BeginString(8)\":\"FIX.4.4\",\"BodyLength(9)\":5,\"MsgType(35)\":\"D\",\"NoPartyIDs(453)\":1,"
        "\"PartyIDs(453)\":[{\"PartyID(448)\":\"A\"}],\"Price(44)\":1,\"9702\":\"x\",\"CheckSum(10)\":\"007\"}");
    /* Two tags of one name: the name stands for the newer one, and the other has its tag. */
    assert_int_equal(rf_fix_field_of_name(view_dict, RF_STR("Account"))->tag, 20200);
    assert_json("1=A|20200=B|", "\"1\":\"A\",\"Account\":\"B\"");
    /* Quoted, and longer than what is copied at once. */
    assert_json("20201=A|20202=1|", "\"With\\\"Quote\":\"A\",\"AFieldWhoseNameIsLongerThanMostNamesOfFieldsAre\":1");
}

static void test_deep(void **state)
{
    char body[2048] = "35=UD|";
    (void)state;
    for (int level = 1; level <= VIEW_LEVELS; level++) {
        sprintf(body + strlen(body), "%d=2|%d=v|", 20000 + level, 20100 + level);
    }
    for (int level = VIEW_LEVELS; level >= 1; level--) {
        sprintf(body + strlen(body), "%d=w|", 20100 + level);
    }
    struct view view = view_of(body);
    struct rf_text out = json_of(&view.view, RF_FIX_KEYS_NAME);
    struct read_fields read = read_json(view_dict, RF_FIX_KEYS_NAME, rf_text_str(&out));
    assert_int_equal(read.fields, view.view.fields);
    for (size_t i = 0; i < read.fields; i++) {
        assert_int_equal(read.field[i].tag, view.tag[i]);
    }
    size_t at = 0;
    assert_true(rf_str_find(rf_text_str(&out),
                            RF_STR("\"L16\":[{\"L16ID\":\"v\"},{\"L16ID\":\"w\"}]},{\"L15ID\":\"w\"}]"), &at));
    read_free(&read);
    rf_text_free(&out);
    view_free(&view);
}

static int field_compare(const void *a, const void *b)
{
    const struct read_field *x = a;
    const struct read_field *y = b;
    if (x->tag != y->tag) {
        return x->tag < y->tag ? -1 : 1;
    }
    return rf_str_compare((struct rf_str){x->text, x->count}, (struct rf_str){y->text, y->count});
}

/* Every field comes back with its value; in its order too where no tag comes again in a place. */
static void assert_back(const struct rf_fix_view *view, enum rf_fix_keys keys)
{
    struct rf_error err;
    struct rf_fix_tree tree;
    struct rf_text out = json_of(view, keys);
    struct read_fields read = read_json(view_dict, keys, rf_text_str(&out));
    assert_int_equal(rf_fix_tree_open(&tree, view_dict, &err), RF_OK);
    assert_int_equal(rf_fix_tree_read(&tree, view, &err), RF_OK);
    struct read_field *expected = calloc(view->fields, sizeof *expected);
    assert_non_null(expected);
    assert_int_equal(read.fields, view->fields);
    for (uint32_t i = 0; i < view->fields; i++) {
        union {
            const uint8_t *bytes;
            char *text;
        } place = {.bytes = view->bytes + view->begin[i]};
        expected[i] = (struct read_field){view->tag[i], place.text, view->count[i]};
    }
    if (tree.has_repeats) {
        qsort(expected, view->fields, sizeof *expected, field_compare);
        qsort(read.field, read.fields, sizeof *read.field, field_compare);
    }
    for (uint32_t i = 0; i < view->fields; i++) {
        if (field_compare(&expected[i], &read.field[i]) != 0) {
            fail_msg("field %u: %u=%.*s became %u=%.*s in %.*s", i, expected[i].tag, (int)expected[i].count,
                     expected[i].text, read.field[i].tag, (int)read.field[i].count, read.field[i].text, (int)out.count,
                     out.data);
        }
    }
    free(expected);
    rf_fix_tree_close(&tree);
    read_free(&read);
    rf_text_free(&out);
}

static void test_random(void **state)
{
    static const char *const pieces[] = {"58=a|",   "55=b\"|",  "9702=c\xff|", "58=\xc3\xa9|", "453=2|", "448=e|",
                                         "447=f|",  "802=1|",   "523=g|",      "803=1|",       "452=4|", "146=2|",
                                         "65=\1|",  "44=1.50|", "44=.5|",      "43=Y|",        "43=n|",  "20001=1|",
                                         "20101=|", "20002=1|", "20102=\\|",   "95=3|96=|=||", "453=0|", "1000000=7|"};
    uint32_t random = 3;
    (void)state;
    for (uint32_t round = 0; round < 4000; round++) {
        char body[1024] = "";
        random = random * 1664525 + 1013904223;
        strcat(body, (random >> 30) == 0 ? "35=UD|" : "35=D|");
        for (uint32_t n = (random >> 16) % 40; n > 0; n--) {
            random = random * 1664525 + 1013904223;
            strcat(body, pieces[(random >> 16) % (sizeof pieces / sizeof pieces[0])]);
        }
        struct view view = view_of(body);
        assert_back(&view.view, (enum rf_fix_keys)(round % 3));
        view_free(&view);
    }
}

static void test_samples(void **state)
{
    static uint8_t message[4 * SAMPLE_MAX];
    struct sample_random random = {17};
    (void)state;
    for (uint32_t round = 0; round < 2000; round++) {
        const enum rf_fix_separator separator = (enum rf_fix_separator)(round % RF_FIX_SEPARATOR_COUNT);
        const size_t count = sample_random_message(&random, message, separator, false);
        struct rf_arena arena;
        struct rf_fix_fields fields;
        rf_arena_init(&arena, 1 << 20);
        const struct rf_str text = {(const char *)message, count};
        assert_true(rf_fix_fields_read(text, separator, false, &arena, &fields));
        const bool is_good = fields.reason == RF_REASON_NONE; /* data that breaks out of its separators is not */
        rf_arena_free(&arena);
        if (is_good) {
            struct view view = view_make(text, separator);
            assert_back(&view.view, (enum rf_fix_keys)(round % 3));
            view_free(&view);
        }
    }
}

static void test_many(void **state)
{
    enum { MANY = 10000 };
    (void)state;
    char *body = malloc((size_t)MANY * 32 + 64);
    assert_non_null(body);
    size_t count = (size_t)sprintf(body, "35=D|453=%d|", MANY);
    for (int i = 0; i < MANY; i++) {
        count += (size_t)sprintf(body + count, "448=P%d|447=D|", i);
    }
    for (int i = 0; i < MANY; i++) {
        count += (size_t)sprintf(body + count, "58=T%d|", i);
    }
    struct view view = view_of(body);
    assert_back(&view.view, RF_FIX_KEYS_NAME);
    view_free(&view);
    free(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers), cmocka_unit_test(test_values),  cmocka_unit_test(test_places),
        cmocka_unit_test(test_groups),  cmocka_unit_test(test_repeats), cmocka_unit_test(test_keys),
        cmocka_unit_test(test_deep),    cmocka_unit_test(test_random),  cmocka_unit_test(test_samples),
        cmocka_unit_test(test_many),
    };
    return cmocka_run_group_tests(tests, view_dict_open, view_dict_close);
}
