#include "fix_view_fixture.h"

/* A tree as a text: a field is its tag, `*` behind it says that it is a repeat, `#` that it counts other entries than there are,
 * `!` that it is foreign to the group before it, `:` the list that follows, and an entry is in parentheses:
 * 453(448 447)(448). */
static void tree_print(const struct rf_fix_tree *tree, const struct rf_fix_view *view, char *out, size_t room)
{
    size_t count = 0;
    unsigned level = 0;
    *out = '\0';
    const bool has_marks = tree->has_lists || tree->has_repeats || tree->has_faults;
    for (uint32_t i = 0; i < view->fields; i++) {
        const unsigned mark = has_marks ? tree->mark[i] : 0;
        const unsigned its_level = mark & RF_FIX_TREE_LEVEL;
        const bool is_first = (mark & RF_FIX_TREE_FIRST) != 0;
        for (; level > its_level || (is_first && level == its_level && level > 0); level--) {
            count += (size_t)snprintf(out + count, room - count, ")");
        }
        assert_true(its_level == level + is_first);
        level = its_level;
        count += (size_t)snprintf(out + count, room - count, "%s%u%s",
                                  is_first ? "("
                                  : i == 0 ? ""
                                           : " ",
                                  view->tag[i], (mark & RF_FIX_TREE_REPEAT) != 0 ? "*" : "");
        count += (size_t)snprintf(out + count, room - count, "%s%s", (mark & RF_FIX_TREE_MISCOUNT) != 0 ? "#" : "",
                                  (mark & RF_FIX_TREE_FOREIGN) != 0 ? "!" : "");
        if (has_marks && tree->list[i] != RF_FIX_NONE) {
            const struct rf_str name = rf_fix_text(tree->dict, tree->dict->group[tree->list[i]].list_name);
            count += (size_t)snprintf(out + count, room - count, ":%.*s", RF_STR_ARG(name));
        }
    }
    for (; level > 0; level--) {
        count += (size_t)snprintf(out + count, room - count, ")");
    }
}

static void assert_tree(const char *body, const char *expected)
{
    char text[4096];
    struct rf_error err;
    struct rf_fix_tree tree;
    struct view view = view_of(body);
    assert_int_equal(rf_fix_tree_open(&tree, view_dict, &err), RF_OK);
    for (int round = 0; round < 2; round++) { /* nothing of one message is left for the next */
        assert_int_equal(rf_fix_tree_read(&tree, &view.view, &err), RF_OK);
        tree_print(&tree, &view.view, text, sizeof text);
        assert_string_equal(text, expected);
        for (uint32_t f = 0; f < view_dict->fields; f++) {
            assert_int_equal(tree.seen[f], 0);
        }
    }
    view_free(&view);
    rf_fix_tree_close(&tree);
}

static void test_groups(void **state)
{
    (void)state;
    assert_tree("35=D|55=A|", "8 9 35 55 10");
    assert_tree("35=D|453=2|448=A|447=D|452=1|448=B|55=X|", "8 9 35 453:PartyIDs(448 447 452)(448) 55 10");
    /* Nested, and back in the entry around. */
    assert_tree("35=D|453=2|448=A|802=2|523=x|803=1|523=y|452=1|448=B|802=1|523=z|55=X|",
                "8 9 35 453:PartyIDs(448 802:PartySubIDs(523 803)(523) 452)(448 802:PartySubIDs(523)) 55 10");
    /* Another order than the dictionary's: the first field decides. */
    assert_tree("35=D|453=1|447=D|448=A|55=X|", "8 9 35 453# 447 448 55 10");
    /* A tag that is foreign, or not known at all, ends the group. */
    assert_tree("35=D|453=2|448=A|9702=x|448=B|447=D|", "8 9 35 453#:PartyIDs(448) 9702! 448 447 10");
    /* No entries: a list when the count says so. */
    assert_tree("35=D|453=0|55=X|", "8 9 35 453:PartyIDs 55 10");
    assert_tree("35=D|453=00|55=X|", "8 9 35 453 55 10");
    assert_tree("35=D|453=|55=X|", "8 9 35 453# 55 10");
    assert_tree("35=D|453=1|", "8 9 35 453# 10");
    /* In the header, in a message of unknown type, and of none. */
    assert_tree("35=D|627=1|628=A|629=B|55=X|", "8 9 35 627:Hops(628 629) 55 10");
    assert_tree("35=zz|453=1|448=A|", "8 9 35 453:PartyIDs(448) 10");
    assert_tree("453=1|448=A|", "8 9 453:PartyIDs(448) 10");
}

/* What ends a group and should not, and counts that are wrong. */
static void test_faults(void **state)
{
    (void)state;
    /* A field that the message lists, where the count promises another entry; and where it does not. */
    assert_tree("35=D|453=2|448=A|55=X|448=B|", "8 9 35 453#:PartyIDs(448) 55! 448 10");
    assert_tree("35=D|453=1|448=A|55=X|", "8 9 35 453:PartyIDs(448) 55 10");
    /* A tag that the message does not list looks like a member that the dictionary lacks, whatever the count. */
    assert_tree("35=D|453=1|448=A|9702=x|452=1|", "8 9 35 453:PartyIDs(448) 9702! 452 10");
    assert_tree("35=D|453=1|448=A|270=x|", "8 9 35 453:PartyIDs(448) 270! 10");
    assert_tree("35=zz|453=1|448=A|270=x|", "8 9 35 453:PartyIDs(448) 270 10");
    assert_tree("35=zz|453=1|448=A|9702=x|", "8 9 35 453:PartyIDs(448) 9702! 10");
    /* Fields of the header belong to every message, and the trailer ends all groups. */
    assert_tree("35=D|453=1|448=A|43=Y|", "8 9 35 453:PartyIDs(448) 43 10");
    assert_tree("35=D|453=2|448=A|93=1|89=x|", "8 9 35 453#:PartyIDs(448) 93 89 10");
    /* More entries than promised, none of those promised, entries that nobody announced. */
    assert_tree("35=D|453=1|448=A|448=B|55=X|", "8 9 35 453#:PartyIDs(448)(448) 55 10");
    assert_tree("35=D|453=1|55=X|", "8 9 35 453# 55! 10");
    assert_tree("35=D|453=0|448=A|", "8 9 35 453#:PartyIDs(448) 10");
    assert_tree("35=D|453=-1|55=X|", "8 9 35 453# 55 10");
    assert_tree("35=D|453=99999999999999999999|448=A|55=X|", "8 9 35 453#:PartyIDs(448) 55 10");
    /* Within an entry: a member of the group around it is foreign only where another entry was promised. One that ends
     * several groups counts once. */
    assert_tree("35=D|453=1|448=A|802=1|523=x|452=1|", "8 9 35 453:PartyIDs(448 802:PartySubIDs(523) 452) 10");
    assert_tree("35=D|453=1|448=A|802=2|523=x|452=1|", "8 9 35 453:PartyIDs(448 802#:PartySubIDs(523) 452!) 10");
    assert_tree("35=D|453=1|448=A|802=1|523=x|9702=y|", "8 9 35 453:PartyIDs(448 802:PartySubIDs(523)) 9702! 10");
    assert_tree("35=D|453=2|448=A|802=2|523=x|9702=y|", "8 9 35 453#:PartyIDs(448 802#:PartySubIDs(523)) 9702! 10");
}

static void test_repeats(void **state)
{
    (void)state;
    assert_tree("35=D|58=a|58=b|55=X|58=c|", "8 9 35 58 58* 55 58* 10");
    assert_tree("35=D|9702=a|9703=b|9702=c|9701=x|9702=d|9703=e|", "8 9 35 9702 9703 9702* 9701 9702* 9703* 10");
    assert_tree("35=D|35=8|8=x|", "8 9 35 35* 8* 10");
    /* What is in entries is no repeat of what is around them, nor in another entry; in the same one it is. */
    assert_tree("35=D|453=2|448=A|447=D|447=E|448=B|447=D|55=X|448=C|448=D|",
                "8 9 35 453:PartyIDs(448 447 447*)(448 447) 55 448 448* 10");
    /* Around an entry that has the tag too. */
    assert_tree("35=W|55=X|268=1|269=0|270=1|55=Y|58=t|", "8 9 35 55 268:MDEntries(269 270) 55* 58 10");
    assert_tree("35=V|262=r|146=2|55=A|65=x|55=B|55=C|262=s|", "8 9 35 262 146#:RelatedSym(55 65)(55)(55) 262* 10");
    assert_tree("35=V|55=A|146=1|55=B|55=C|262=s|55=D|", "8 9 35 55 146#:RelatedSym(55)(55) 262 55* 10");
    /* A count again: its entries follow it. */
    assert_tree("35=D|453=1|448=A|55=X|453=1|448=B|", "8 9 35 453:PartyIDs(448) 55 453*:PartyIDs(448) 10");
    assert_tree("35=D|453=1|448=A|802=1|523=x|802=1|523=y|452=3|",
                "8 9 35 453:PartyIDs(448 802:PartySubIDs(523) 802*:PartySubIDs(523) 452) 10");
}

static void test_deep(void **state)
{
    char body[2048] = "35=UD|";
    char expected[2048] = "8 9 35 ";
    (void)state;
    for (int level = 1; level <= VIEW_LEVELS; level++) {
        sprintf(body + strlen(body), "%d=1|%d=v|", 20000 + level, 20100 + level);
        sprintf(expected + strlen(expected), "%d:L%d(%d%s", 20000 + level, level, 20100 + level,
                level == VIEW_LEVELS ? "" : " ");
    }
    for (int level = VIEW_LEVELS; level >= 1; level--) {
        strcat(expected, ")");
    }
    strcat(expected, " 10");
    assert_tree(body, expected);
}

/* Fields that follow each other by next are all those of the tag in the place; checked against a search that looks at all
 * pairs. */
static void test_next(void **state)
{
    static const char *const pieces[] = {"58=a|",  "55=b|",      "9702=c|",      "9703=d|", "453=2|", "448=e|",
                                         "447=f|", "802=1|",     "523=g|",       "803=1|",  "452=4|", "146=2|",
                                         "65=h|",  "1000000=7|", "555=1|600=x|", "539=1|",  "524=y|", "525=z|"};
    struct rf_error err;
    struct rf_fix_tree tree;
    uint32_t random = 11;
    (void)state;
    assert_int_equal(rf_fix_tree_open(&tree, view_dict, &err), RF_OK);
    for (uint32_t round = 0; round < 3000; round++) {
        char body[1024] = "";
        random = random * 1664525 + 1013904223;
        strcat(body, (random >> 30) == 0 ? "35=V|" : "35=D|");
        for (uint32_t n = (random >> 16) % 60; n > 0; n--) {
            random = random * 1664525 + 1013904223;
            strcat(body, pieces[(random >> 16) % (sizeof pieces / sizeof pieces[0])]);
        }
        struct view view = view_of(body);
        assert_int_equal(rf_fix_tree_read(&tree, &view.view, &err), RF_OK);
        const uint32_t fields = view.view.fields;
        uint32_t place[512] = {0}; /* the field that a field's entry begins with, + 1; 0: none */
        uint32_t begin[RF_FIX_GROUP_DEPTH_MAX + 1] = {0};
        bool has_repeats = false;
        const bool has_marks = tree.has_lists || tree.has_repeats || tree.has_faults;
        for (uint32_t i = 0; i < fields; i++) {
            const unsigned level = has_marks ? tree.mark[i] & RF_FIX_TREE_LEVEL : 0;
            if (has_marks && (tree.mark[i] & RF_FIX_TREE_FIRST) != 0) {
                begin[level] = i + 1;
            }
            place[i] = level == 0 ? 0 : begin[level];
        }
        for (uint32_t i = 0; i < fields; i++) {
            uint32_t next = 0;
            bool is_repeat = false;
            for (uint32_t j = 0; j < fields; j++) {
                const bool is_same = view.tag[i] == view.tag[j] && place[i] == place[j];
                is_repeat |= is_same && j < i;
                next = is_same && j > i && next == 0 ? j : next;
            }
            has_repeats |= is_repeat;
            if (has_marks) {
                assert_int_equal(tree.next[i], next);
                assert_int_equal((tree.mark[i] & RF_FIX_TREE_REPEAT) != 0, is_repeat);
            }
        }
        assert_int_equal(tree.has_repeats, has_repeats);
        view_free(&view);
    }
    rf_fix_tree_close(&tree);
}

static void test_rf_fix_tree_message(void **state)
{
    static const char *const bodies[] = {"35=D|", "35=8|", "35=zz|", "58=x|", "35=8|", "35=|", "35=D|35=8|"};
    static const char *const names[] = {"NewOrderSingle", "ExecutionReport", NULL, NULL, "ExecutionReport", NULL,
                                        "NewOrderSingle"};
    struct rf_error err;
    struct rf_fix_tree tree;
    (void)state;
    assert_int_equal(rf_fix_tree_open(&tree, view_dict, &err), RF_OK);
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        struct view view = view_of(bodies[i]);
        const struct rf_fix_message *message = rf_fix_tree_message(&tree, &view.view);
        if (names[i] == NULL) {
            assert_null(message);
        } else {
            assert_non_null(message);
            assert_true(rf_str_equal(rf_fix_text(view_dict, message->name), rf_str_of(names[i])));
        }
        view_free(&view);
    }
    rf_fix_tree_close(&tree);
}

/* Half a million repeats of many tags, also unknown ones, and of entries: a quadratic step would not end. */
static void test_many(void **state)
{
    enum { MANY = 500000 };
    struct rf_error err;
    struct rf_fix_tree tree;
    (void)state;
    char *body = malloc((size_t)MANY * 16 + 64);
    assert_non_null(body);
    size_t count = (size_t)sprintf(body, "35=D|453=1|");
    for (uint32_t i = 0; i < MANY; i++) {
        const uint32_t kind = i % 4;
        count += (size_t)sprintf(body + count, "%u=|", kind == 0 ? 448 : kind == 1 ? 447 : kind == 2 ? 802 : 523);
    }
    for (uint32_t i = 0; i < MANY; i++) {
        count += (size_t)sprintf(body + count, "%u=|", i % 3 == 0 ? 58 : 900000 - i / 2);
    }
    struct view view = view_of(body);
    assert_int_equal(rf_fix_tree_open(&tree, view_dict, &err), RF_OK);
    assert_int_equal(rf_fix_tree_read(&tree, &view.view, &err), RF_OK);
    assert_true(tree.has_lists && tree.has_repeats);
    view_free(&view);
    rf_fix_tree_close(&tree);
    free(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_repeats),
        cmocka_unit_test(test_deep),
        cmocka_unit_test(test_next),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_rf_fix_tree_message),
    };
    return cmocka_run_group_tests(tests, view_dict_open, view_dict_close);
}
