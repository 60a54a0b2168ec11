/* test_fix_position.c: positions against a list of trades that is gone through from its beginning each time. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fix_position.h"

static struct rf_fix_positions positions;
static struct rf_error err;

static int open_all(void **state)
{
    (void)state;
    rf_fix_positions_open(&positions, (size_t)64 << 20);
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    rf_fix_positions_close(&positions);
    rf_fix_positions_close(&positions); /* once more is allowed */
    return 0;
}

static enum rf_fix_effect apply(struct rf_fix_report report)
{
    enum rf_fix_effect effect = RF_FIX_EFFECT_COUNT;
    const uint64_t *const count = positions.count;
    uint64_t before[RF_FIX_EFFECT_COUNT];
    memcpy(before, count, sizeof(before));
    if (rf_fix_positions_apply(&positions, &report, &effect, &err) != RF_OK) {
        fail_msg("%s", err.text);
    }
    assert_int_equal(count[effect], before[effect] + 1);
    assert_true(rf_fix_effect_sentence(effect)[0] != 0);
    return effect;
}

static struct rf_fix_report trade(const char *id, char side, const char *quantity, const char *price)
{
    return (struct rf_fix_report){.exec_id = rf_str_of(id),
                                  .account = RF_STR("A"),
                                  .symbol = RF_STR("MSFT"),
                                  .last_quantity = rf_str_of(quantity),
                                  .last_price = rf_str_of(price),
                                  .exec_type = 'F',
                                  .side = side};
}

static struct rf_fix_report change(char type, const char *id, const char *ref, char side, const char *quantity,
                                   const char *price)
{
    struct rf_fix_report report = trade(id, side, quantity, price);
    report.exec_type = type;
    report.exec_ref_id = rf_str_of(ref);
    return report;
}

static void expect(const char *account, const char *symbol, const char *quantity, const char *average,
                   const char *realised)
{
    const struct rf_fix_position *const position =
        rf_fix_positions_find(&positions, rf_str_of(account), rf_str_of(symbol));
    char text[RF_FIX_AMOUNT_TEXT_MAX + 1];
    if (quantity == NULL) {
        assert_null(position);
        return;
    }
    assert_non_null(position);
    text[rf_fix_amount_write(position->quantity, RF_FIX_AMOUNT_DECIMALS, text)] = 0;
    assert_string_equal(text, quantity);
    text[rf_fix_amount_write(rf_fix_position_average(position), RF_FIX_AMOUNT_DECIMALS, text)] = 0;
    assert_string_equal(text, average);
    text[rf_fix_amount_write(position->realised, RF_FIX_MONEY_DECIMALS, text)] = 0;
    assert_string_equal(text, realised);
}

static void test_rf_fix_positions_apply(void **state)
{
    (void)state;
    assert_int_equal(apply(trade("1", '1', "100", "10")), RF_FIX_EFFECT_TRADE);
    expect("A", "MSFT", "100", "10", "0");
    apply(trade("2", '1', "50", "13"));
    expect("A", "MSFT", "150", "11", "0");
    apply(trade("3", '2', "50", "12.5"));
    expect("A", "MSFT", "100", "11", "75");
    apply(trade("4", '5', "150", "12")); /* through zero */
    expect("A", "MSFT", "-50", "12", "175");
    apply(trade("5", '3', "25", "10"));
    expect("A", "MSFT", "-25", "12", "225");
    apply(trade("6", '1', "25", "12.000000001"));
    expect("A", "MSFT", "0", "0", "224.999999975");
    expect("A", "AAPL", NULL, NULL, NULL);
    expect("", "MSFT", NULL, NULL, NULL);
}

static void test_fix_42(void **state)
{
    (void)state;
    struct rf_fix_report report = trade("1", '1', "100", "10");
    report.exec_trans_type = '0';
    report.exec_type = '1';
    assert_int_equal(apply(report), RF_FIX_EFFECT_TRADE);
    report.exec_id = RF_STR("2");
    report.exec_type = '2';
    assert_int_equal(apply(report), RF_FIX_EFFECT_TRADE);
    report.exec_id = RF_STR("3");
    report.exec_type = '0'; /* new: no trade */
    assert_int_equal(apply(report), RF_FIX_EFFECT_NO_TRADE);
    report.exec_trans_type = '3'; /* status of a fill */
    report.exec_type = '2';
    assert_int_equal(apply(report), RF_FIX_EFFECT_NO_TRADE);
    expect("A", "MSFT", "200", "10", "0");
    report.exec_trans_type = '2';
    report.exec_ref_id = RF_STR("1");
    report.last_price = RF_STR("12");
    assert_int_equal(apply(report), RF_FIX_EFFECT_CORRECTED);
    expect("A", "MSFT", "200", "11", "0");
    report.exec_id = RF_STR("4");
    report.exec_trans_type = '1';
    report.exec_ref_id = RF_STR("2");
    assert_int_equal(apply(report), RF_FIX_EFFECT_CANCELLED);
    expect("A", "MSFT", "100", "12", "0");
    report.exec_trans_type = 0; /* 150=1 and 2 are of FIX 4.2 only */
    report.exec_id = RF_STR("5");
    assert_int_equal(apply(report), RF_FIX_EFFECT_NO_TRADE);
}

static void test_duplicates(void **state)
{
    (void)state;
    assert_int_equal(apply(trade("1", '1', "100", "10")), RF_FIX_EFFECT_TRADE);
    assert_int_equal(apply(trade("1", '1', "100", "10")), RF_FIX_EFFECT_DUPLICATE);
    struct rf_fix_report other = trade("1", '1', "100", "10");
    other.sender = RF_STR("VENUE"); /* counts its reports on its own */
    assert_int_equal(apply(other), RF_FIX_EFFECT_TRADE);
    other.exec_id = RF_STR("1V"); /* the texts together are those of another pair */
    other.sender = RF_STR("ENUE");
    assert_int_equal(apply(other), RF_FIX_EFFECT_TRADE);
    assert_int_equal(apply(change('H', "2", "1", '1', "", "")), RF_FIX_EFFECT_CANCELLED);
    assert_int_equal(apply(change('H', "2", "1", '1', "", "")), RF_FIX_EFFECT_DUPLICATE);
    assert_int_equal(apply(change('H', "3", "1", '1', "", "")), RF_FIX_EFFECT_SUPERSEDED);
    expect("A", "MSFT", "200", "10", "0");
}

static void test_changes_of_changes(void **state)
{
    (void)state;
    apply(trade("1", '1', "100", "10"));
    assert_int_equal(apply(change('G', "2", "1", '1', "100", "11")), RF_FIX_EFFECT_CORRECTED);
    assert_int_equal(apply(change('G', "3", "2", '1', "90", "12")), RF_FIX_EFFECT_CORRECTED);
    expect("A", "MSFT", "90", "12", "0");
    assert_int_equal(apply(change('G', "4", "1", '2', "90", "12")),
                     RF_FIX_EFFECT_CORRECTED); /* the first id, other side */
    expect("A", "MSFT", "-90", "12", "0");
    struct rf_fix_report moved = change('G', "5", "3", 0, "90", "13");
    moved.account = (struct rf_str){0};
    moved.symbol = RF_STR("AAPL");
    assert_int_equal(apply(moved), RF_FIX_EFFECT_CORRECTED);
    expect("A", "MSFT", NULL, NULL, NULL);
    expect("A", "AAPL", "-90", "13", "0");
    struct rf_fix_report back = change('G', "6", "1", 0, "90", "14"); /* through ids from before the move */
    assert_int_equal(apply(back), RF_FIX_EFFECT_CORRECTED);
    expect("A", "AAPL", NULL, NULL, NULL);
    expect("A", "MSFT", "-90", "14", "0");
    assert_int_equal(apply(change('H', "7", "2", 0, "", "")), RF_FIX_EFFECT_CANCELLED);
    expect("A", "MSFT", NULL, NULL, NULL);
}

/* What was changed is counted where the trade then is; what changes nothing is not. */
static void test_changes_counted(void **state)
{
    (void)state;
    apply(trade("1", '1', "100", "10"));
    apply(trade("2", '1', "100", "10"));
    apply(trade("3", '1', "100", "10"));
    apply(change('G', "4", "1", '1', "100", "11"));
    apply(change('G', "5", "4", '1', "100", "12"));
    apply(change('G', "5", "4", '1', "100", "12")); /* again */
    apply(change('H', "6", "2", 0, "", ""));
    apply(change('H', "7", "2", 0, "", ""));       /* of what is cancelled */
    apply(change('H', "8", "unknown", 0, "", "")); /* of what has not come */
    struct rf_fix_report moved = change('G', "9", "3", 0, "90", "13");
    moved.symbol = RF_STR("AAPL");
    apply(moved);
    const struct rf_fix_position *position = rf_fix_positions_find(&positions, RF_STR("A"), RF_STR("MSFT"));
    assert_int_equal(position->trades, 1);
    assert_int_equal(position->corrections, 2);
    assert_int_equal(position->cancels, 1);
    position = rf_fix_positions_find(&positions, RF_STR("A"), RF_STR("AAPL"));
    assert_int_equal(position->trades, 1);
    assert_int_equal(position->corrections, 1);
    assert_int_equal(position->cancels, 0);
}

static void test_unusable(void **state)
{
    (void)state;
    static char longer[300];
    memset(longer, 'x', sizeof(longer));
    struct rf_fix_report report = trade("", '1', "1", "1");
    assert_int_equal(apply(report), RF_FIX_EFFECT_NO_ID);
    report = change('G', "1", "", '1', "1", "1");
    assert_int_equal(apply(report), RF_FIX_EFFECT_NO_ID);
    report = change('H', "1", "1", '1', "1", "1"); /* of itself */
    assert_int_equal(apply(report), RF_FIX_EFFECT_NO_ID);
    report = trade("1", '1', "1", "1");
    report.symbol = (struct rf_str){0};
    assert_int_equal(apply(report), RF_FIX_EFFECT_NO_KEY);
    for (size_t count = 255; count <= 257; count++) {
        const struct rf_str text = {longer, count};
        report = trade("1", '1', "1", "1");
        report.exec_id = text;
        report.sender = text;
        report.account = text;
        report.symbol = text;
        assert_int_equal(apply(report), count <= 256 ? RF_FIX_EFFECT_TRADE : RF_FIX_EFFECT_NO_KEY);
    }
    assert_null(rf_fix_positions_find(&positions, (struct rf_str){longer, 257}, RF_STR("")));
    static const char sides[] = "\000789A";
    for (size_t i = 0; i < sizeof(sides) - 1; i++) {
        assert_int_equal(apply(trade("9", sides[i], "1", "1")), RF_FIX_EFFECT_NO_SIDE);
    }
    assert_int_equal(apply(trade("9", '1', "0", "1")), RF_FIX_EFFECT_NO_NUMBER);
    assert_int_equal(apply(trade("9", '1', "-1", "1")), RF_FIX_EFFECT_NO_NUMBER);
    assert_int_equal(apply(trade("9", '1', "1", "")), RF_FIX_EFFECT_NO_NUMBER);
    report = change('G', "9", "8", 0, "1", "1"); /* of nothing known, and no side of its own */
    assert_int_equal(apply(report), RF_FIX_EFFECT_NO_SIDE);
    report.symbol = (struct rf_str){0};
    assert_int_equal(apply(report), RF_FIX_EFFECT_NO_KEY);
    assert_int_equal(apply(trade("9", '1', "1", "-37.63")), RF_FIX_EFFECT_TRADE); /* prices may be below zero */
    expect("A", "MSFT", "1", "-37.63", "0");
}

static void test_overflow(void **state)
{
    (void)state;
    apply(trade("1", '1', "1", "1"));
    apply(trade("2", '1', "999999999999999999", "999999999999999999"));
    const struct rf_fix_position *position = rf_fix_positions_find(&positions, RF_STR("A"), RF_STR("MSFT"));
    assert_true(position->is_overflow);
    assert_true(rf_fix_position_average(position) == 0);
    apply(change('H', "3", "2", 0, "", ""));
    position = rf_fix_positions_find(&positions, RF_STR("A"), RF_STR("MSFT"));
    assert_false(position->is_overflow);
    expect("A", "MSFT", "1", "1", "0");
}

static void test_limit(void **state)
{
    (void)state;
    struct rf_fix_positions few;
    char id[32];
    enum rf_fix_effect effect;
    enum rf_status status = RF_OK;
    rf_fix_positions_open(&few, 100000);
    uint32_t count = 0;
    while (status == RF_OK && count < 100000) {
        snprintf(id, sizeof(id), "%u", count++);
        struct rf_fix_report report = trade(id, '1', "1", "1");
        status = rf_fix_positions_apply(&few, &report, &effect, &err);
    }
    assert_int_equal(status, RF_E_LIMIT);
    assert_true(count > 500);
    rf_fix_positions_close(&few);
}

static void test_rf_fix_positions_reset(void **state)
{
    (void)state;
    rf_fix_positions_reset(&positions);
    for (int day = 0; day < 3; day++) {
        assert_int_equal(apply(trade("1", '1', "100", "10")), RF_FIX_EFFECT_TRADE);
        assert_int_equal(apply(trade("1", '1', "100", "10")), RF_FIX_EFFECT_DUPLICATE);
        expect("A", "MSFT", "100", "10", "0");
        rf_fix_positions_reset(&positions);
        assert_int_equal(positions.count[RF_FIX_EFFECT_TRADE], 0);
        expect("A", "MSFT", NULL, NULL, NULL);
    }
}

/* Texts of every length, of which one is a beginning of another. */
static void test_names(void **state)
{
    (void)state;
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz";
    char id[32];
    for (size_t account = 0; account < 40; account++) {
        for (size_t symbol = 1; symbol < 12; symbol++) {
            snprintf(id, sizeof(id), "%zu-%zu", account, symbol);
            struct rf_fix_report report = trade(id, '1', "1", "1");
            report.account = (struct rf_str){letters, account};
            report.symbol = (struct rf_str){letters + 5, symbol};
            report.sender = (struct rf_str){letters, account % 7};
            assert_int_equal(apply(report), RF_FIX_EFFECT_TRADE);
        }
    }
    const struct rf_fix_position **sorted;
    size_t count;
    assert_int_equal(rf_fix_positions_list(&positions, &sorted, &count, &err), RF_OK);
    assert_int_equal(count, 40 * 11);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(sorted[i]->trades, 1);
        assert_memory_equal(sorted[i]->account.data, letters, sorted[i]->account.count);
        assert_memory_equal(sorted[i]->symbol.data, letters + 5, sorted[i]->symbol.count);
    }
}

/* All splits of a text between account and symbol, and all splits of its beginnings, are keys of their own; the texts lie at the
 * end of their memory. */
static void test_key_lengths(void **state)
{
    (void)state;
    enum { LONGEST = 40 };
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMN";
    for (int round = 0; round < 2; round++) {
        for (size_t count = 1; count <= LONGEST; count++) {
            for (size_t first = 0; first < count; first++) {
                char *const account = malloc(first + 1);
                char *const symbol = malloc(count - first);
                char id[32];
                assert_non_null(account);
                assert_non_null(symbol);
                memcpy(account + 1, letters, first);
                memcpy(symbol, letters + first, count - first);
                const struct rf_str account_text = {account + 1, first};
                const struct rf_str symbol_text = {symbol, count - first};
                snprintf(id, sizeof(id), "%zu.%zu", count, first);
                struct rf_fix_report report = trade(id, '1', "1", "1");
                report.account = account_text;
                report.symbol = symbol_text;
                assert_int_equal(apply(report), round == 0 ? RF_FIX_EFFECT_TRADE : RF_FIX_EFFECT_DUPLICATE);
                const struct rf_fix_position *const position =
                    rf_fix_positions_find(&positions, account_text, symbol_text);
                assert_non_null(position);
                assert_int_equal(position->trades, 1);
                assert_true(rf_str_equal(position->account, account_text));
                assert_true(rf_str_equal(position->symbol, symbol_text));
                free(account);
                free(symbol);
            }
        }
    }
    assert_int_equal(positions.positions, LONGEST * (LONGEST + 1) / 2);
}

static void test_rf_fix_positions_list(void **state)
{
    (void)state;
    const struct rf_fix_position **sorted;
    size_t count;
    char id[32];
    assert_int_equal(rf_fix_positions_list(&positions, &sorted, &count, &err), RF_OK);
    assert_int_equal(count, 0);
    for (int i = 0; i < 1000; i++) {
        char account[8];
        char symbol[8];
        snprintf(id, sizeof(id), "%d", i);
        snprintf(account, sizeof(account), "%d", i * 7919 % 40);
        snprintf(symbol, sizeof(symbol), "%d", i * 7919 % 1000 / 40);
        struct rf_fix_report report = trade(id, '1', "1", "1");
        report.account = rf_str_of(account);
        report.symbol = rf_str_of(symbol);
        apply(report);
    }
    apply(change('H', "x", "500", 0, "", ""));
    assert_int_equal(rf_fix_positions_list(&positions, &sorted, &count, &err), RF_OK);
    assert_int_equal(count, 999);
    for (size_t i = 1; i < count; i++) {
        const int order = rf_str_compare(sorted[i - 1]->account, sorted[i]->account);
        assert_true(order < 0 || (order == 0 && rf_str_compare(sorted[i - 1]->symbol, sorted[i]->symbol) < 0));
    }
}

/* ---- Against a slow reference ---- */

enum { EVENTS = 3000, NAMES = 3, ID_BYTES = 16 };

struct entry { /* a trade of the reference */
    int account, symbol;
    int quantity; /* signed */
    int cents;
    bool is_live;
    char id[8][ID_BYTES]; /* of it and its corrections */
    int ids;
};

struct event {
    struct rf_fix_report report;
    char id[ID_BYTES], ref[ID_BYTES], quantity[ID_BYTES], price[ID_BYTES];
};

static struct entry entry[EVENTS];
static int entries;
static struct event event[EVENTS];
static uint64_t random_state;
static const struct rf_str account_name[NAMES] = {{"", 0}, {"ACCOUNT", 7}, {"B", 1}};
static const struct rf_str symbol_name[NAMES] = {{"MSFT", 4}, {"AUD/USD", 7}, {"X", 1}};

static int random_below(int bound)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (int)((random_state >> 32) * (uint64_t)bound >> 32);
}

static void entry_random(struct entry *one)
{
    one->quantity = (1 + random_below(20)) * (random_below(2) == 0 ? 1 : -1);
    one->cents = 900 + random_below(200);
}

static void event_make(struct event *out, int number, const struct entry *one, char type, const char *ref)
{
    sprintf(out->id, "E%d", number);
    strcpy(out->ref, ref);
    sprintf(out->quantity, "%d", abs(one->quantity));
    sprintf(out->price, "%d.%02d", one->cents / 100, one->cents % 100);
    out->report = (struct rf_fix_report){.exec_type = type,
                                         .account = account_name[one->account],
                                         .symbol = symbol_name[one->symbol],
                                         .side = one->quantity > 0 ? '1' : '2'};
}

/* Texts are filled in when it is applied, from wherever the event has been copied to. */
static enum rf_fix_effect event_apply(struct event *one)
{
    one->report.exec_id = rf_str_of(one->id);
    one->report.exec_ref_id = rf_str_of(one->ref);
    one->report.last_quantity = rf_str_of(one->quantity);
    one->report.last_price = rf_str_of(one->price);
    return apply(one->report);
}

static __int128 rounded(__int128 value, __int128 divisor)
{
    __int128 quotient = value / divisor;
    const __int128 twice = (value % divisor < 0 ? -(value % divisor) : value % divisor) * 2;
    if (twice > divisor || (twice == divisor && quotient % 2 != 0)) {
        quotient += value < 0 ? -1 : 1;
    }
    return quotient;
}

/* Quantities are whole and prices cents here, so that cost * quantity has less than 127 bits. */
static void reference_check(int account, int symbol)
{
    const __int128 cent = 10000000000000000; /* 10^-18 of money */
    __int128 cost = 0;
    __int128 realised = 0;
    __int128 paid = 0;
    int open = 0;
    uint64_t live = 0;
    for (int i = 0; i < entries; i++) {
        const struct entry *const one = &entry[i];
        if (!one->is_live || one->account != account || one->symbol != symbol) {
            continue;
        }
        live++;
        int quantity = one->quantity;
        paid += quantity * one->cents * cent;
        if (open != 0 && (open > 0) != (quantity > 0)) {
            const int closed = abs(quantity) < abs(open) ? abs(quantity) : abs(open);
            const __int128 left = rounded(cost * closed, abs(open));
            realised += (open > 0 ? closed : -closed) * one->cents * cent - left;
            cost -= left;
            open += open > 0 ? -closed : closed;
            quantity += quantity > 0 ? -closed : closed;
        }
        open += quantity;
        cost += quantity * one->cents * cent;
    }
    const struct rf_fix_position *const position =
        rf_fix_positions_find(&positions, account_name[account], symbol_name[symbol]);
    if (live == 0) {
        assert_null(position);
        return;
    }
    assert_non_null(position);
    assert_false(position->is_overflow);
    assert_int_equal(position->trades, live);
    assert_true(position->quantity == (__int128)open * 1000000000);
    assert_true(position->cost == cost);
    assert_true(position->realised == realised);
    assert_true(position->realised - position->cost == -paid);
}

static void reference_check_all(void)
{
    for (int account = 0; account < NAMES; account++) {
        for (int symbol = 0; symbol < NAMES; symbol++) {
            reference_check(account, symbol);
        }
    }
}

/* The next report of the stream, as the reference sees it. */
static char event_next(int number, bool is_chained)
{
    const int choice = entries == 0 ? 0 : random_below(10);
    struct entry *const one = entries == 0 ? entry : &entry[random_below(entries)];
    if (choice < 6 || !one->is_live || one->ids == 8) {
        struct entry *const fresh = &entry[entries++];
        *fresh =
            (struct entry){.account = random_below(NAMES), .symbol = random_below(NAMES), .is_live = true, .ids = 1};
        entry_random(fresh);
        event_make(&event[number], number, fresh, 'F', "");
        strcpy(fresh->id[0], event[number].id);
        return 'F';
    }
    char ref[ID_BYTES];
    strcpy(ref, one->id[is_chained ? one->ids - 1 : random_below(one->ids)]);
    if (choice == 9) {
        event_make(&event[number], number, one, 'H', ref);
        one->is_live = false;
        return 'H';
    }
    struct entry corrected = *one;
    entry_random(&corrected);
    if (random_below(4) == 0 && !is_chained) {
        corrected.symbol = (one->symbol + 1) % NAMES; /* leaves, and enters there as the newest */
    }
    event_make(&event[number], number, &corrected, 'G', ref);
    if (corrected.account == 0) {
        event[number].report.account = (struct rf_str){0};
    }
    strcpy(corrected.id[corrected.ids++], event[number].id);
    if (corrected.symbol != one->symbol) {
        one->is_live = false;
        /* From now on its ids mean the new one. */
        entry[entries++] = corrected;
    } else {
        *one = corrected;
    }
    return 'G';
}

static void test_random_stream(void **state)
{
    (void)state;
    random_state = 1;
    entries = 0;
    for (int i = 0; i < EVENTS; i++) {
        const char type = event_next(i, false);
        assert_int_equal(event_apply(&event[i]), type == 'F'   ? RF_FIX_EFFECT_TRADE
                                                 : type == 'G' ? RF_FIX_EFFECT_CORRECTED
                                                               : RF_FIX_EFFECT_CANCELLED);
        if (random_below(5) == 0) { /* sent again */
            assert_int_equal(event_apply(&event[random_below(i + 1)]), RF_FIX_EFFECT_DUPLICATE);
        }
        if (random_below(40) == 0 || i < 200) {
            reference_check_all();
        }
    }
    reference_check_all();
}

/* In any order of the reports: the same trades, so the same quantities and the same money in and out. */
static void test_shuffled_stream(void **state)
{
    (void)state;
    enum { SHUFFLED = 300 };
    for (int round = 0; round < 60; round++) {
        random_state = 100 + (uint64_t)round;
        entries = 0;
        for (int i = 0; i < SHUFFLED; i++) {
            event_next(i, true);
        }
        for (int i = SHUFFLED - 1; i > 0; i--) {
            const int j = random_below(i + 1);
            const struct event kept = event[i];
            event[i] = event[j];
            event[j] = kept;
        }
        rf_fix_positions_close(&positions);
        rf_fix_positions_open(&positions, (size_t)64 << 20);
        for (int i = 0; i < SHUFFLED; i++) {
            assert_int_not_equal(event_apply(&event[i]), RF_FIX_EFFECT_DUPLICATE);
            if (random_below(3) == 0) {
                assert_int_equal(event_apply(&event[i]), RF_FIX_EFFECT_DUPLICATE);
            }
        }
        for (int account = 0; account < NAMES; account++) {
            for (int symbol = 0; symbol < NAMES; symbol++) {
                __int128 paid = 0;
                int open = 0;
                uint64_t live = 0;
                for (int i = 0; i < entries; i++) {
                    if (entry[i].is_live && entry[i].account == account && entry[i].symbol == symbol) {
                        live++;
                        open += entry[i].quantity;
                        paid += (__int128)(entry[i].quantity * entry[i].cents) * 10000000000000000;
                    }
                }
                const struct rf_fix_position *const position =
                    rf_fix_positions_find(&positions, account_name[account], symbol_name[symbol]);
                assert_int_equal(position == NULL ? 0 : position->trades, live);
                if (position != NULL) {
                    assert_true(position->quantity == (__int128)open * 1000000000);
                    assert_true(position->realised - position->cost == -paid);
                }
            }
        }
    }
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, open_all, close_all)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_rf_fix_positions_apply),
        TEST(test_fix_42),
        TEST(test_duplicates),
        TEST(test_changes_of_changes),
        TEST(test_changes_counted),
        TEST(test_unusable),
        TEST(test_overflow),
        TEST(test_limit),
        TEST(test_rf_fix_positions_list),
        TEST(test_rf_fix_positions_reset),
        TEST(test_names),
        TEST(test_key_lengths),
        TEST(test_random_stream),
        TEST(test_shuffled_stream),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
