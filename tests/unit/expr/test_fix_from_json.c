/* test_fix_from_json.c: JSON objects to messages: what each form means, what is refused and where, and random messages by way
 * of JSON and back. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../fix/fix_view_fixture.h"

#include "fix_choice.h"
#include "fix_data.h"
#include "fix_from_json.h"
#include "fix_json.h"
#include "fix_object.h"

static struct rf_fix_from_json converter;
static const struct rf_fix_dict *dict;
static struct rf_arena dict_arena;
static struct rf_text out;
static struct rf_fix_refusal refusal;
static struct rf_error err;

static int suite_setup(void **state)
{
    (void)state;
    rf_arena_init(&dict_arena, 64 << 20);
    assert_int_equal(rf_fix_choose(&dict_arena, RF_STR(""), &dict, &err), RF_OK);
    assert_int_equal(rf_fix_from_json_open(&converter, dict, &err), RF_OK);
    return 0;
}

static int suite_teardown(void **state)
{
    (void)state;
    rf_fix_from_json_close(&converter);
    rf_text_free(&out);
    rf_arena_free(&dict_arena);
    return 0;
}

/* A copy of exactly its size, so that a byte read outside is found. */
static void convert(struct rf_fix_from_json *with, struct rf_str json, enum rf_fix_separator separator)
{
    char *const copy = malloc(json.count + (json.count == 0));
    assert_non_null(copy);
    memcpy(copy, json.data, json.count);
    rf_text_clear(&out);
    assert_int_equal(
        rf_fix_from_json(with, (struct rf_str){copy, json.count}, separator, &out, &refusal, &err), RF_OK);
    free(copy);
}

/* {"BeginString":"FIX.4.4","MsgType":"8",MEMBERS} gives a message with that body behind its MsgType. */
static void gives(const char *members, const char *body)
{
    char json[4096];
    char expected[4096];
    const size_t body_bytes = strlen(body) + 5;
    (void)snprintf(json, sizeof json, "{\"BeginString\":\"FIX.4.4\",\"MsgType\":\"8\"%s%s}", *members == '\0' ? "" : ",", members);
    int count = snprintf(expected, sizeof expected, "8=FIX.4.4|9=%zu|35=8|%s", body_bytes, body);
    uint32_t sum = 0;
    for (int i = 0; i < count; i++) {
        sum += expected[i] == '|' ? 1u : (unsigned char)expected[i];
    }
    (void)snprintf(expected + count, sizeof expected - (size_t)count, "10=%03" PRIu32 "|", sum % 256);
    convert(&converter, rf_str_of(json), RF_FIX_PIPE);
    if (refusal.is_refused) {
        fail_msg("%s: refused: %s", json, refusal.text);
    }
    if (!rf_str_equal(rf_text_str(&out), rf_str_of(expected))) {
        fail_msg("%s\ngives    %.*s\nnot      %s", json, RF_STR_ARG(rf_text_str(&out)), expected);
    }
}

static void refuses_text(const char *json, size_t offset, const char *part)
{
    convert(&converter, rf_str_of(json), RF_FIX_SOH);
    if (!refusal.is_refused) {
        fail_msg("%s is not refused", json);
    }
    if (strstr(refusal.text, part) == NULL || refusal.offset != offset) {
        fail_msg("%s: at %zu: '%s', not at %zu: '%s'", json, refusal.offset, refusal.text, offset, part);
    }
    assert_int_equal(out.count, 0);
}

#define HEAD "{\"BeginString\":\"FIX.4.4\",\"MsgType\":\"8\","
/* The offset counts from the first of the members. */
static void refuses(const char *members, size_t offset, const char *part)
{
    char json[4096];
    (void)snprintf(json, sizeof json, HEAD "%s}", members);
    refuses_text(json, sizeof HEAD - 1 + offset, part);
}

static void test_values(void **state)
{
    (void)state;
    gives("", "");
    gives("\"Symbol\":\"IBM\"", "55=IBM|");
    gives("\"LastPx\":102.00,\"LastQty\":300,\"Price\":-0.5", "31=102.00|32=300|44=-0.5|");
    gives("\"LastPx\":\"007.\"", "31=007.|");
    gives("\"ClOrdID\":17", "11=17|");
    gives("\"PossDupFlag\":true,\"PossResend\":false,\"9702\":true", "43=Y|97=N|9702=Y|");
    gives("\"PossDupFlag\":\"X\"", "43=X|");
    gives("\"Text\":null,\"Symbol\":\"A\"", "55=A|");
    gives("\"Text\":{\"base64\":\"YWI=\"}", "58=ab|");
}

static void test_bytes(void **state)
{
    (void)state;
    convert(&converter, RF_STR("{\"8\":\"FIX.4.4\",\"35\":\"B\",\"58\":{\"base64\":\"YQBi/w==\"}}"), RF_FIX_SOH);
    assert_false(refusal.is_refused);
    assert_memory_equal(out.data, "8=FIX.4.4\0019=13\00135=B\00158=a\0b\xff\00110=", 31);
    gives("\"Text\":\"a\\u0041\\t\\\"\\u00e9\\ud83d\\ude00\"", "58=aA\t\"\xc3\xa9\xf0\x9f\x98\x80|");
    gives("\"Sym\\u0062ol\":\"x\"", "55=x|");
}

static void test_keys(void **state)
{
    (void)state;
    gives("\"55\":\"A\",\"Side(54)\":\"1\",\"9702\":3,\"House(9703)\":\"x\",\"999999999\":\"y\"",
          "55=A|54=1|9702=3|9703=x|999999999=y|");
    gives("\"PartyIDs(453)\":[{\"PartyID(448)\":\"A\"}]", "453=1|448=A|");
    gives("\"BodyLength\":7,\"Symbol\":\"A\",\"CheckSum\":\"999\",\"9\":[1,2],\"10\":null", "55=A|");
    convert(&converter, RF_STR(" { \"Symbol\" : \"A\" , \"MsgType\" : \"0\" , \"BeginString\" : \"FIXT.1.1\" } "), RF_FIX_PIPE);
    assert_false(refusal.is_refused);
    assert_memory_equal(out.data, "8=FIXT.1.1|9=10|35=0|55=A|10=", 29);
}

static void test_repeats(void **state)
{
    (void)state;
    gives("\"Text\":[\"a\",\"b\",3],\"Symbol\":\"x\"", "58=a|58=b|58=3|55=x|");
    gives("\"Text\":\"a\",\"Symbol\":\"x\",\"Text\":\"b\"", "58=a|55=x|58=b|");
    gives("\"Text\":[]", "");
}

static void test_groups(void **state)
{
    (void)state;
    gives("\"NoPartyIDs\":2,\"PartyIDs\":[{\"PartyID\":\"A\",\"PartyRole\":1},{\"PartyID\":\"B\"}],\"Symbol\":\"x\"",
          "453=2|448=A|452=1|448=B|55=x|");
    gives("\"PartyIDs\":[{\"PartyRole\":1,\"PartyID\":\"A\"}]", "453=1|448=A|452=1|"); /* the first field goes first */
    gives("\"PartyIDs\":[{\"PartyID\":\"A\"}],\"Symbol\":\"x\",\"NoPartyIDs\":1", "453=1|448=A|55=x|");
    gives("\"NoPartyIDs\":\"02\",\"PartyIDs\":[{\"PartyID\":\"A\"},{\"PartyID\":\"B\"}]", "453=02|448=A|448=B|");
    gives("\"NoPartyIDs\":[{\"PartyID\":\"A\"}]", "453=1|448=A|");
    gives("\"453\":[{\"448\":\"A\"}]", "453=1|448=A|");
    gives("\"NoPartyIDs\":0,\"PartyIDs\":[],\"Symbol\":\"x\"", "453=0|55=x|");
    gives("\"PartyIDs\":[]", "");
    gives("\"NoPartyIDs\":3", "453=3|"); /* its entries were none that a reader knows */
    gives("\"PartyIDs\":[{\"PartyID\":\"A\",\"NoPartySubIDs\":1,\"PartySubIDs\":[{\"PartySubID\":\"s\"}],\"PartyRole\":3},"
          "{\"PartyID\":\"B\"}]",
          "453=2|448=A|802=1|523=s|452=3|448=B|");
    /* A group that no dictionary knows: its first entry says with what entries begin. */
    gives("\"20001\":[{\"20002\":1,\"20003\":2},{\"20003\":4,\"20002\":3}]", "20001=2|20002=1|20003=2|20002=3|20003=4|");
}

static void test_data(void **state)
{
    (void)state;
    gives("\"RawData\":\"abc\"", "95=3|96=abc|");
    gives("\"RawDataLength\":3,\"RawData\":\"abc\",\"Symbol\":\"x\"", "95=3|96=abc|55=x|");
    gives("\"RawData\":\"abc\",\"Symbol\":\"x\",\"RawDataLength\":\"03\"", "95=03|96=abc|55=x|");
    gives("\"RawData\":{\"base64\":\"YWJj\"}", "95=3|96=abc|");
    gives("\"RawData\":[\"a\",\"bc\"],\"RawDataLength\":[1,2]", "95=1|96=a|95=2|96=bc|");
    gives("\"RawDataLength\":5", "95=5|");
    gives("\"EncodedText\":\"\\u00e9\"", "354=2|355=\xc3\xa9|");
}

static void test_refusals(void **state)
{
    (void)state;
    refuses_text("", 0, "ends in the middle");
    refuses_text("[]", 0, "a message is a JSON object");
    refuses_text("\"x\"", 0, "a message is a JSON object");
    refuses_text("{\"BeginString\":\"FIX.4.4\"} x", 26, "more than one value");
    refuses_text("{\"BeginString\":\"FIX.4.4\"}", 0, "a message has one MsgType");
    refuses_text("{\"MsgType\":\"8\"}", 0, "a message has one BeginString");
    refuses_text("{\"MsgType\":\"8\",\"BeginString\":[\"FIX.4.4\"]}", 0, "a message has one BeginString");
    refuses_text("{\"MsgType\":\"8\",\"35\":\"8\",\"BeginString\":\"FIX.4.4\"}", 0, "a message has one MsgType");
    refuses_text("{\"MsgType\":\"8\",\"BeginString\":\"GIF89\"}", 15, "BeginString is FIX and a version");
    refuses_text("{\"BeginString\":\"FIX.4.4\",\"MsgType\":\"\"}", 25, "no empty value");
    refuses("\"Symbl\":1", 0, "no field is called 'Symbl', did you mean 'Symbol'?");
    refuses("\"Nothing like it\":1", 0, "no field is called 'Nothing like it'; --fix-dict");
    refuses("\"Symbol(54)\":1", 0, "no field is called");
    refuses("\"Symbol\":\"x\",\"Text\":\"\"", 13, "Text: a field of FIX has no empty value");
    refuses("\"Text\":\"a\\u0001b\"", 0, "Text: the value holds a separator");
    refuses("\"Text\":\"\xff\"", 8, "invalid UTF-8");
    refuses("\"Text\":\"\\q\"", 8, "bad escape");
    refuses("\"LastPx\":01", 9, "bad number");
    refuses("\"LastPx\":1e5", 0, "LastPx: numbers of FIX have no exponent");
    refuses("\"LastQty\":1E5", 0, "LastQty: numbers of FIX have no exponent");
    refuses("\"Symbol\":true", 0, "Symbol is no field of true and false");
    refuses("\"Text\":{\"base64\":\"YQ\\\\\"}", 8, "no base64");
    refuses("\"Text\":{\"base64\":1}", 0, "Text: an object is no value");
    refuses("\"Text\":{}", 0, "Text: an object is no value");
    refuses("\"Text\":[\"a\",null]", 12, "Text: a list holds");
    refuses("\"Text\":[[\"a\"]]", 8, "Text: a list holds");
    refuses("\"PartyIDs\":[{\"PartyID\":\"A\"},\"B\"]", 28, "PartyIDs: a list holds");
    refuses("\"PartyIDs\":1", 0, "PartyIDs is a list of entries");
    refuses("\"PartyIDs\":[1]", 0, "PartyIDs is a list of entries");
    refuses("\"Symbol\":[{\"PartyID\":\"A\"}]", 0, "Symbol counts no group");
    refuses("\"NoPartyIDs\":2,\"PartyIDs\":[{\"PartyID\":\"A\"}]", 0, "NoPartyIDs says 2, but there are 1 entries");
    refuses("\"NoPartyIDs\":1,\"PartyIDs\":[]", 0, "NoPartyIDs says 1, but there are 0 entries");
    refuses("\"NoPartyIDs\":-1,\"PartyIDs\":[{\"PartyID\":\"A\"}]", 0, "NoPartyIDs says -1");
    refuses("\"NoPartyIDs\":[1,1],\"PartyIDs\":[{\"PartyID\":\"A\"}]", 19, "more than once");
    refuses("\"453\":1,\"453\":1,\"PartyIDs\":[{\"PartyID\":\"A\"}]", 16, "more than once");
    refuses("\"PartyIDs\":[{\"PartyID\":\"A\"}],\"453\":[{\"PartyID\":\"A\"}]", 0, "more than once");
    refuses("\"PartyIDs\":[{\"PartyRole\":1}]", 12, "each entry has one PartyID");
    refuses("\"PartyIDs\":[{\"PartyID\":[\"A\",\"B\"]}]", 12, "each entry has one PartyID");
    refuses("\"PartyIDs\":[{\"PartyID\":\"A\",\"448\":\"B\"}]", 12, "each entry has one PartyID");
    refuses("\"PartyIDs\":[{\"PartyID\":\"A\"},{}]", 28, "an entry without fields");
    refuses("\"PartyIDs\":[{\"PartyID\":\"A\",\"Text\":\"x\"}]", 27, "Text is no member of the group");
    refuses("\"20001\":[{\"20002\":\"A\",\"35\":\"x\"}]", 22, "35 is no member of the group");
    refuses("\"20001\":[{\"20002\":1},{\"20003\":1}]", 21, "each entry has one 20002");
    refuses("\"PartyIDs\":[{\"PartyID\":\"A\"}],\"PartyRole\":1", 29, "PartyRole stands right behind PartyIDs");
    refuses("\"PartyIDs\":[{\"PartyID\":\"A\",\"PartySubIDs\":[{\"PartySubID\":\"s\"}]}],\"PartySubIDType\":1", 64,
            "PartySubIDType stands right behind PartySubIDs");
    refuses("\"RawDataLength\":2,\"RawData\":\"abc\"", 0, "RawDataLength says 2, but there are 3 bytes");
    refuses("\"RawDataLength\":[1,2],\"RawData\":\"abc\"", 0, "do not have the same number of values");
    refuses("\"RawDataLength\":3,\"RawData\":\"abc\",\"96\":\"abc\"", 34, "more than once");
    refuses("\"RawDataLength\":3,\"95\":3,\"RawData\":\"abc\"", 0, "more than once");
    refuses("\"a\":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]", 37, "nested deeper");
}

/* ---- Random messages, made from the dictionary ---- */

struct random {
    uint64_t state;
};

static uint32_t draw(struct random *random, uint32_t below)
{
    random->state = random->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((random->state >> 32) * below >> 32);
}

enum { BODY_MAX = 1 << 16 };

struct body {
    struct random random;
    char text[BODY_MAX];
    size_t count;
    const struct rf_fix_dict *dict;
};

static void body_put(struct body *body, uint32_t tag, const char *value, size_t count)
{
    assert_true(body->count + count + 32 < BODY_MAX);
    body->count += (size_t)sprintf(body->text + body->count, "%" PRIu32 "=", tag);
    memcpy(body->text + body->count, value, count);
    body->count += count;
    body->text[body->count++] = 1;
}

/* Any bytes without SOH, mostly letters; data may have it. */
static size_t bytes_draw(struct body *body, char *to, bool is_data)
{
    static const char odd[] = "|^A=\\\"\n\r\t\x7f\x80\xff\xc3\xa9\xed\xa0\x80{}[],:\0\002";
    const size_t count = 1 + draw(&body->random, draw(&body->random, 8) == 0 ? 60 : 8);
    for (size_t i = 0; i < count; i++) {
        to[i] = draw(&body->random, 4) != 0 ? (char)('a' + draw(&body->random, 26))
                 : is_data && draw(&body->random, 4) == 0
                     ? '\001'
                     : odd[draw(&body->random, sizeof odd - 1)];
    }
    return count;
}

static void value_put(struct body *body, const struct rf_fix_field *field, uint32_t tag)
{
    static const char *const number[] = {"0", "7", "102.00", "-5", "007", ".5", "5.", "-0", "1e5", "-", "999999999999999999999", "0.10", "00", "+1"};
    char value[80];
    const uint32_t length_tag = rf_fix_length_tag(body->dict, tag);
    if (length_tag != 0) {
        char digits[16];
        const size_t count = bytes_draw(body, value, rf_fix_length_of_data(tag) != 0);
        body_put(body, length_tag, digits, (size_t)sprintf(digits, draw(&body->random, 8) == 0 ? "%03zu" : "%zu", count));
        body_put(body, tag, value, count);
        return;
    }
    const enum rf_fix_class kind = field == NULL ? RF_FIX_CLASS_TEXT : rf_fix_field_class(field);
    if (kind == RF_FIX_CLASS_BOOL && draw(&body->random, 4) != 0) {
        body_put(body, tag, draw(&body->random, 2) == 0 ? "Y" : "N", 1);
    } else if ((kind == RF_FIX_CLASS_INT || kind == RF_FIX_CLASS_DOUBLE) && draw(&body->random, 4) != 0) {
        const char *const text = number[draw(&body->random, sizeof number / sizeof number[0])];
        body_put(body, tag, text, strlen(text));
    } else {
        body_put(body, tag, value, bytes_draw(body, value, false));
    }
}

static void members_put(struct body *body, struct rf_fix_range members, uint32_t first_tag, uint32_t depth, uint32_t chance);

static void group_put(struct body *body, const struct rf_fix_group *group, uint32_t depth)
{
    char digits[16];
    const uint32_t entries = draw(&body->random, 4);
    const uint32_t tag = body->dict->field[group->count_field].tag;
    body_put(body, tag, digits, (size_t)sprintf(digits, draw(&body->random, 8) == 0 ? "0%u" : "%u", entries));
    for (uint32_t i = 0; i < entries; i++) {
        const uint32_t first_tag = rf_fix_group_delimiter(body->dict, group);
        value_put(body, &body->dict->field[group->first_field], first_tag);
        members_put(body, group->member, first_tag, depth + 1, 4);
    }
}

/* A count without its entries would take fields behind it for them, data fields come with their lengths. */
static void members_put(struct body *body, struct rf_fix_range members, uint32_t first_tag, uint32_t depth, uint32_t chance)
{
    for (uint32_t i = 0; i < members.count; i++) {
        const struct rf_fix_member *const member = &body->dict->member[members.begin + i];
        const struct rf_fix_field *const field = &body->dict->field[member->field];
        const bool is_length = rf_fix_data_of(field->tag) != 0 ||
                               (field->pair_tag != 0 && rf_fix_field_class(field) != RF_FIX_CLASS_BYTES);
        if (field->tag == first_tag || draw(&body->random, chance) != 0 || is_length || field->tag == 35 ||
            (field->tag >= 8 && field->tag <= 10) || body->count > BODY_MAX / 2) {
            continue;
        }
        if (member->group == RF_FIX_NONE) {
            value_put(body, field, field->tag);
        } else if (depth < 4) {
            group_put(body, &body->dict->group[member->group], depth);
        }
    }
}

/* A message of fields that its definition lists, in the order of their tags, and some that nobody knows. */
static void body_make(struct body *body, const struct rf_fix_message *message)
{
    const struct rf_str type = rf_fix_text(body->dict, message->type);
    body->count = 0;
    body_put(body, 35, type.data, type.count);
    members_put(body, body->dict->header_member, 0, 0, 3);
    members_put(body, message->member, 0, 0, 3);
    if (draw(&body->random, 2) == 0) {
        value_put(body, NULL, 30000 + draw(&body->random, 1000));
    }
    members_put(body, body->dict->trailer_member, 0, 0, 3);
}

static struct rf_str message_wrap(const struct body *body, char *message)
{
    size_t count = (size_t)sprintf(message, "8=FIX.4.4\0019=%zu\001", body->count);
    memcpy(message + count, body->text, body->count);
    count += body->count;
    uint32_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += (unsigned char)message[i];
    }
    count += (size_t)sprintf(message + count, "10=%03" PRIu32 "\001", sum % 256);
    return (struct rf_str){message, count};
}

static void round_trip(const struct rf_fix_dict *of, struct rf_fix_from_json *with, int messages, uint64_t seed)
{
    static struct body body;
    static char message[BODY_MAX + 64];
    struct rf_fix_json json;
    struct rf_text text = {0};
    body.dict = of;
    body.random.state = seed;
    for (int i = 0; i < messages; i++) {
        const enum rf_fix_keys keys = (enum rf_fix_keys)draw(&body.random, 3);
        body_make(&body, &of->message[draw(&body.random, of->messages)]);
        const struct rf_str wanted = message_wrap(&body, message);
        struct view view = view_make(wanted, RF_FIX_SOH);
        assert_int_equal(rf_fix_json_open(&json, of, keys, &err), RF_OK);
        rf_text_clear(&text);
        assert_int_equal(rf_fix_json_write(&json, &view.view, &text, &err), RF_OK);
        rf_fix_json_close(&json);
        convert(with, rf_text_str(&text), RF_FIX_SOH);
        if (refusal.is_refused) {
            fail_msg("%.*s\nrefused at %zu: %s", RF_STR_ARG(rf_text_str(&text)), refusal.offset, refusal.text);
        }
        if (!rf_str_equal(rf_text_str(&out), wanted)) {
            fail_msg("%.*s\nbecame %.*s\nby %.*s", RF_STR_ARG(wanted), RF_STR_ARG(rf_text_str(&out)), RF_STR_ARG(rf_text_str(&text)));
        }
        view_free(&view);
    }
    rf_text_free(&text);
}

static void test_round_trip(void **state)
{
    (void)state;
    round_trip(dict, &converter, 1500, 1);
}

/* Groups as deep as they may be. */
static void test_deep(void **state)
{
    struct rf_fix_from_json deep;
    char message[4096];
    char body[2048] = "35=UD\001";
    struct rf_text text = {0};
    struct rf_fix_json json;
    (void)state;
    assert_int_equal(view_dict_open(NULL), 0);
    assert_int_equal(rf_fix_from_json_open(&deep, view_dict, &err), RF_OK);
    for (int level = 1; level <= VIEW_LEVELS; level++) {
        (void)sprintf(body + strlen(body), "%d=1\001%d=%d\001", 20000 + level, 20100 + level, level);
    }
    (void)strcat(body, "58=behind\001");
    uint32_t sum = 0;
    int count = sprintf(message, "8=FIX.4.4\0019=%zu\001%s", strlen(body), body);
    for (int i = 0; i < count; i++) {
        sum += (unsigned char)message[i];
    }
    count += sprintf(message + count, "10=%03" PRIu32 "\001", sum % 256);
    struct view view = view_make((struct rf_str){message, (size_t)count}, RF_FIX_SOH);
    assert_int_equal(rf_fix_json_open(&json, view_dict, RF_FIX_KEYS_NAME, &err), RF_OK);
    assert_int_equal(rf_fix_json_write(&json, &view.view, &text, &err), RF_OK);
    convert(&deep, rf_text_str(&text), RF_FIX_SOH);
    assert_false(refusal.is_refused);
    assert_int_equal(out.count, count);
    assert_memory_equal(out.data, message, (size_t)count);
    round_trip(view_dict, &deep, 200, 2);
    rf_fix_json_close(&json);
    view_free(&view);
    rf_text_free(&text);
    rf_fix_from_json_close(&deep);
    (void)view_dict_close(NULL);
}

/* Ten times as many members take about ten times as long, whatever they are. */
static void test_many(void **state)
{
    enum { MANY = 200000 };
    (void)state;
    static const char *const member[] = {"\"58\":1", "\"96\":\"x\"", "\"55\":[1]"};
    for (size_t m = 0; m < sizeof member / sizeof member[0]; m++) {
        struct rf_text json = {0};
        assert_int_equal(rf_text_append(&json, RF_STR("{\"8\":\"FIX.4.4\",\"35\":\"8\""), &err), RF_OK);
        for (int i = 0; i < MANY; i++) {
            assert_int_equal(rf_text_printf(&json, &err, ",%s", member[m]), RF_OK);
        }
        assert_int_equal(rf_text_append(&json, RF_STR("}"), &err), RF_OK);
        convert(&converter, rf_text_str(&json), RF_FIX_SOH);
        assert_false(refusal.is_refused);
        assert_true(out.count > MANY);
        rf_text_free(&json);
    }
    struct rf_text json = {0};
    assert_int_equal(rf_text_append(&json, RF_STR("{\"8\":\"FIX.4.4\",\"35\":\"8\",\"453\":["), &err), RF_OK);
    for (int i = 0; i < MANY; i++) {
        assert_int_equal(rf_text_printf(&json, &err, "%s{\"448\":%d}", i == 0 ? "" : ",", i), RF_OK);
    }
    assert_int_equal(rf_text_append(&json, RF_STR("]}"), &err), RF_OK);
    convert(&converter, rf_text_str(&json), RF_FIX_SOH);
    assert_false(refusal.is_refused);
    rf_text_free(&json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),   cmocka_unit_test(test_bytes),     cmocka_unit_test(test_keys),
        cmocka_unit_test(test_repeats),  cmocka_unit_test(test_groups),    cmocka_unit_test(test_data),
        cmocka_unit_test(test_refusals), cmocka_unit_test(test_round_trip), cmocka_unit_test(test_deep),
        cmocka_unit_test(test_many),
    };
    return cmocka_run_group_tests(tests, suite_setup, suite_teardown);
}
