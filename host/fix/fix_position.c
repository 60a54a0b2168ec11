/* fix_position.c: what a report means, and the trades; the arithmetic of a position is at the top, the tables are in
 * fix_position_table.c. */
#include "fix_position.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "fix_position_table.h"

const char *rf_fix_effect_sentence(enum rf_fix_effect effect)
{
    static const char *const sentence[] = {
#define RF_FIX_EFFECT(name, text) text,
#include "fix_effect.def"
#undef RF_FIX_EFFECT
    };
    assert((size_t)effect < sizeof(sentence) / sizeof(sentence[0]));
    return sentence[effect];
}

/* ---- Arithmetic ---- */

static bool add(__int128 *to, __int128 value)
{
    const __int128 bound = (__int128)1 << 126;
    *to += value; /* both are within the bound, so that their sum has 127 bits */
    return *to<bound && * to> - bound;
}

/* False: beyond 2^126, and the position means nothing any more. */
static bool trade_add(struct rf_fix_position *position, __int128 quantity, __int128 price)
{
    const __int128 open = position->quantity;
    __int128 paid;
    if (!rf_fix_amount_multiply(quantity, price, &paid)) {
        return false;
    }
    if (open == 0 || (open < 0) == (quantity < 0)) {
        return add(&position->quantity, quantity) && add(&position->cost, paid);
    }
    const __int128 open_size = open < 0 ? -open : open;
    const __int128 size = quantity < 0 ? -quantity : quantity;
    if (size <= open_size) {
        const __int128 left = rf_fix_amount_share(position->cost, size, open_size);
        position->quantity += quantity;
        position->cost -= left;
        return add(&position->realised, -paid) && add(&position->realised, -left);
    }
    /* The rest opens the other side at the price of the trade. */
    __int128 rest_paid;
    if (!rf_fix_amount_multiply(quantity + open, price, &rest_paid)) {
        return false;
    }
    const __int128 left = position->cost;
    position->quantity += quantity;
    position->cost = rest_paid;
    return add(&position->realised, rest_paid - paid) && add(&position->realised, -left);
}

static void position_count(struct rf_fix_position *position, const struct rf_fix_trade *trade)
{
    position->trades++;
    if (!position->is_overflow &&
        !trade_add(position, rf_fix_decimal_amount((struct rf_fix_decimal){trade->quantity, trade->quantity_decimals}),
                   rf_fix_decimal_amount((struct rf_fix_decimal){trade->price, trade->price_decimals}))) {
        position->is_overflow = true;
    }
}

/* Goes through the trades again, and forgets those that are dead or have gone elsewhere. */
static void position_refresh(struct rf_fix_positions *positions, struct rf_fix_position *position)
{
    uint32_t *link = &position->first;
    if (!position->is_stale) {
        return;
    }
    position->quantity = 0;
    position->cost = 0;
    position->realised = 0;
    position->trades = 0;
    position->is_overflow = false;
    position->is_stale = false;
    position->last = RF_FIX_NONE;
    while (*link != RF_FIX_NONE) {
        struct rf_fix_trade *const trade = &positions->trade[*link];
        if (trade->state != FIX_TRADE_LIVE) {
            *link = trade->next;
            continue;
        }
        position_count(position, trade);
        position->last = *link;
        link = &trade->next;
    }
}

__int128 rf_fix_position_average(const struct rf_fix_position *position)
{
    const __int128 size = position->quantity < 0 ? -position->quantity : position->quantity;
    if (size == 0 || position->is_overflow) {
        return 0;
    }
    /* A share of one unit: the cost of the quantity 1 in 10^-18, divided by a billionth of a unit. */
    const __int128 average = rf_fix_amount_share(position->cost, 1, size);
    return position->quantity < 0 ? -average : average;
}

/* ---- Trades ---- */

enum report_kind { REPORT_OTHER, REPORT_TRADE, REPORT_CORRECT, REPORT_CANCEL };

static enum report_kind kind_of(const struct rf_fix_report *report)
{
    switch (report->exec_trans_type) {
    case 0: /* FIX 4.3 and later */
        return report->exec_type == 'F'   ? REPORT_TRADE
               : report->exec_type == 'G' ? REPORT_CORRECT
               : report->exec_type == 'H' ? REPORT_CANCEL
                                          : REPORT_OTHER;
    case '0':
        return report->exec_type == '1' || report->exec_type == '2' || report->exec_type == 'F' ? REPORT_TRADE
                                                                                                : REPORT_OTHER;
    case '1':
        return REPORT_CANCEL;
    case '2':
        return REPORT_CORRECT;
    default: /* 3: status */
        return REPORT_OTHER;
    }
}

/* +1, -1, or 0 when it is neither. */
static int sign_of(char side)
{
    switch (side) {
    case '1': /* buy */
    case '3': /* buy minus */
        return 1;
    case '2': /* sell */
    case '4': /* sell plus */
    case '5': /* sell short */
    case '6': /* sell short exempt */
        return -1;
    default:
        return 0;
    }
}

/* Quantity (without a sign) and price. */
static bool values_read(const struct rf_fix_report *report, struct rf_fix_trade *trade)
{
    struct rf_fix_decimal quantity;
    struct rf_fix_decimal price;
    if (!rf_fix_decimal_from_text(report->last_quantity, &quantity) || quantity.mantissa <= 0 ||
        !rf_fix_decimal_from_text(report->last_price, &price)) {
        return false;
    }
    trade->quantity = quantity.mantissa;
    trade->price = price.mantissa;
    trade->quantity_decimals = (uint8_t)quantity.decimals;
    trade->price_decimals = (uint8_t)price.decimals;
    return true;
}

static void values_set(struct rf_fix_trade *trade, const struct rf_fix_trade *values, int sign)
{
    trade->quantity = sign * values->quantity;
    trade->price = values->price;
    trade->quantity_decimals = values->quantity_decimals;
    trade->price_decimals = values->price_decimals;
}

static void trade_enter(struct rf_fix_positions *positions, uint32_t number, uint32_t place)
{
    struct rf_fix_position *const position = &positions->position[place];
    struct rf_fix_trade *const trade = &positions->trade[number];
    trade->position = place;
    trade->state = FIX_TRADE_LIVE;
    trade->next = RF_FIX_NONE;
    if (position->first == RF_FIX_NONE) {
        position->first = number;
    } else {
        positions->trade[position->last].next = number;
    }
    position->last = number;
    if (!position->is_stale) {
        position_count(position, trade);
    }
}

static void trade_kill(struct rf_fix_positions *positions, uint32_t number)
{
    struct rf_fix_trade *const trade = &positions->trade[number];
    if (trade->state == FIX_TRADE_LIVE) {
        trade->state = FIX_TRADE_DEAD;
        positions->position[trade->position].is_stale = true;
    }
}

/* Where a trade is now that was moved, perhaps more than once. */
static uint32_t trade_follow(struct rf_fix_positions *positions, uint32_t number)
{
    uint32_t end = number;
    while (positions->trade[end].state == FIX_TRADE_MOVED) {
        end = positions->trade[end].position;
    }
    while (positions->trade[number].state == FIX_TRADE_MOVED) { /* the next look-up is short */
        const uint32_t next = positions->trade[number].position;
        positions->trade[number].position = end;
        number = next;
    }
    return end;
}

/* A new trade of the report's values, not yet in a position. */
static uint32_t trade_new(struct rf_fix_positions *positions, const struct rf_fix_trade *values)
{
    positions->trade[positions->trades] = *values;
    return positions->trades++;
}

/* ---- Reports ---- */

static bool texts_are_short(const struct rf_fix_report *report)
{
    return report->sender.count <= RF_FIX_KEY_BYTES / 2 && report->exec_id.count <= RF_FIX_KEY_BYTES / 2 &&
           report->exec_ref_id.count <= RF_FIX_KEY_BYTES / 2 && report->account.count <= RF_FIX_KEY_BYTES / 2 &&
           report->symbol.count <= RF_FIX_KEY_BYTES / 2;
}

static enum rf_status report_trade(struct rf_fix_positions *positions, const struct rf_fix_report *report,
                                   const struct rf_fix_key *own, const struct rf_fix_trade *values,
                                   enum rf_fix_effect *effect, struct rf_error *err)
{
    struct rf_fix_trade trade = {.state = FIX_TRADE_DEAD};
    struct rf_fix_key name;
    uint32_t exec;
    uint32_t place;
    bool is_new;
    rf_fix_position_key(positions, report->account, report->symbol, &name);
    RF_TRY(rf_fix_exec_take(positions, own, &exec, &is_new, err));
    if (!is_new) {
        *effect = positions->exec[exec].is_named_only ? RF_FIX_EFFECT_SUPERSEDED : RF_FIX_EFFECT_DUPLICATE;
        positions->exec[exec].is_named_only = false;
        return RF_OK;
    }
    values_set(&trade, values, sign_of(report->side));
    RF_TRY(rf_fix_position_take(positions, &name, &place, err));
    positions->exec[exec].trade = trade_new(positions, &trade);
    trade_enter(positions, positions->exec[exec].trade, place);
    *effect = RF_FIX_EFFECT_TRADE;
    return RF_OK;
}

/* The values of a trade that is live become those of the report; what the report lacks stays. */
static enum rf_status trade_correct(struct rf_fix_positions *positions, uint32_t number,
                                    const struct rf_fix_report *report, const struct rf_fix_trade *values,
                                    enum rf_fix_effect *effect, struct rf_error *err)
{
    struct rf_fix_trade trade = positions->trade[number];
    const struct rf_fix_position *const old = &positions->position[trade.position];
    const struct rf_str account = report->account.count == 0 ? old->account : report->account;
    const struct rf_str symbol = report->symbol.count == 0 ? old->symbol : report->symbol;
    const int sign = report->side == 0 ? (trade.quantity < 0 ? -1 : 1) : sign_of(report->side);
    uint32_t place = trade.position;
    values_set(&trade, values, sign);
    if (!rf_str_equal(account, old->account) || !rf_str_equal(symbol, old->symbol)) {
        struct rf_fix_key name;
        rf_fix_position_key(positions, account, symbol, &name);
        RF_TRY(rf_fix_position_take(positions, &name, &place, err));
    }
    *effect = RF_FIX_EFFECT_CORRECTED;
    positions->position[trade.position].is_stale = true;
    positions->position[place].corrections++;
    if (place == trade.position) {
        positions->trade[number] = trade;
        return RF_OK;
    }
    const uint32_t moved = trade_new(positions, &trade);
    positions->trade[number].state = FIX_TRADE_MOVED;
    positions->trade[number].position = moved;
    trade_enter(positions, moved, place);
    return RF_OK;
}

/* A correction of something that has not come: it is the trade, and what it corrects will have no effect. A cancel leaves a
 * dead trade behind, for the same. */
static enum rf_status change_unmatched(struct rf_fix_positions *positions, const struct rf_fix_report *report,
                                       const struct rf_fix_trade *values, bool is_cancel, uint32_t exec, uint32_t named,
                                       struct rf_error *err)
{
    struct rf_fix_trade trade = {.state = FIX_TRADE_DEAD, .position = RF_FIX_NONE, .next = RF_FIX_NONE};
    uint32_t place = RF_FIX_NONE;
    if (!is_cancel) {
        values_set(&trade, values, sign_of(report->side));
        struct rf_fix_key name;
        rf_fix_position_key(positions, report->account, report->symbol, &name);
        RF_TRY(rf_fix_position_take(positions, &name, &place, err));
    }
    const uint32_t number = trade_new(positions, &trade);
    positions->exec[exec].trade = number;
    positions->exec[named].trade = number;
    positions->exec[named].is_named_only = true;
    if (!is_cancel) {
        trade_enter(positions, number, place);
    }
    return RF_OK;
}

/* The report itself was changed before it came. What it would have changed is the same trade. */
static void change_superseded(struct rf_fix_positions *positions, uint32_t exec, uint32_t named, bool is_named_new)
{
    const uint32_t number = trade_follow(positions, positions->exec[exec].trade);
    positions->exec[exec].is_named_only = false;
    if (is_named_new) {
        positions->exec[named].is_named_only = true;
    } else if (trade_follow(positions, positions->exec[named].trade) != number) {
        trade_kill(positions, trade_follow(positions, positions->exec[named].trade));
    }
    positions->exec[named].trade = number;
}

static enum rf_status report_change(struct rf_fix_positions *positions, const struct rf_fix_report *report,
                                    const struct rf_fix_key *own, const struct rf_fix_trade *values, bool is_cancel,
                                    enum rf_fix_effect *effect, struct rf_error *err)
{
    struct rf_fix_key ref;
    uint32_t exec;
    uint32_t named;
    bool is_new;
    bool is_named_new;
    rf_fix_exec_key(positions, report->exec_ref_id, report->sender, &ref);
    if (!is_cancel && (report->symbol.count == 0 || report->side == 0) && !rf_fix_exec_is_known(positions, own) &&
        !rf_fix_exec_is_known(positions, &ref)) {
        /* Nothing to take them from. */
        *effect = report->symbol.count == 0 ? RF_FIX_EFFECT_NO_KEY : RF_FIX_EFFECT_NO_SIDE;
        return RF_OK;
    }
    RF_TRY(rf_fix_exec_take(positions, own, &exec, &is_new, err));
    if (!is_new && !positions->exec[exec].is_named_only) {
        *effect = RF_FIX_EFFECT_DUPLICATE;
        return RF_OK;
    }
    RF_TRY(rf_fix_exec_take(positions, &ref, &named, &is_named_new, err));
    if (!is_new) {
        change_superseded(positions, exec, named, is_named_new);
        *effect = RF_FIX_EFFECT_SUPERSEDED;
        return RF_OK;
    }
    if (is_named_new) {
        *effect = RF_FIX_EFFECT_UNMATCHED;
        return change_unmatched(positions, report, values, is_cancel, exec, named, err);
    }
    const uint32_t number = trade_follow(positions, positions->exec[named].trade);
    positions->exec[exec].trade = number;
    if (positions->trade[number].state != FIX_TRADE_LIVE) {
        *effect = RF_FIX_EFFECT_SUPERSEDED;
        return RF_OK;
    }
    if (is_cancel) {
        positions->position[positions->trade[number].position].cancels++;
        trade_kill(positions, number);
        *effect = RF_FIX_EFFECT_CANCELLED;
        return RF_OK;
    }
    return trade_correct(positions, number, report, values, effect, err);
}

/* Whether a report says all that it must, first its texts; *effect otherwise says what is missing. */
static bool texts_are_known(const struct rf_fix_report *report, enum report_kind kind, enum rf_fix_effect *effect)
{
    const bool is_change = kind != REPORT_TRADE;
    if (kind == REPORT_OTHER) {
        *effect = RF_FIX_EFFECT_NO_TRADE;
    } else if (report->exec_id.count == 0 ||
               (is_change && (report->exec_ref_id.count == 0 || rf_str_equal(report->exec_id, report->exec_ref_id)))) {
        *effect = RF_FIX_EFFECT_NO_ID;
    } else if (!texts_are_short(report) || (!is_change && report->symbol.count == 0)) {
        *effect = RF_FIX_EFFECT_NO_KEY;
    } else {
        return true;
    }
    return false;
}

static bool values_are_known(const struct rf_fix_report *report, enum report_kind kind, struct rf_fix_trade *values,
                             enum rf_fix_effect *effect)
{
    if (sign_of(report->side) == 0 && (kind == REPORT_TRADE || report->side != 0)) {
        *effect = RF_FIX_EFFECT_NO_SIDE;
    } else if (!values_read(report, values)) {
        *effect = RF_FIX_EFFECT_NO_NUMBER;
    } else {
        return true;
    }
    return false;
}

enum rf_status rf_fix_positions_apply(struct rf_fix_positions *positions, const struct rf_fix_report *report,
                                      enum rf_fix_effect *effect, struct rf_error *err)
{
    const enum report_kind kind = kind_of(report);
    struct rf_fix_trade values = {.state = FIX_TRADE_DEAD}; /* a cancel has none */
    struct rf_fix_key own;
    if (!texts_are_known(report, kind, effect)) {
        positions->count[*effect]++;
        return RF_OK;
    }
    RF_TRY(rf_fix_positions_reserve(positions, err));
    rf_fix_exec_key(positions, report->exec_id, report->sender, &own);
    if (kind == REPORT_CANCEL || values_are_known(report, kind, &values, effect)) {
        if (kind == REPORT_TRADE) {
            RF_TRY(report_trade(positions, report, &own, &values, effect, err));
        } else {
            RF_TRY(report_change(positions, report, &own, &values, kind == REPORT_CANCEL, effect, err));
        }
    }
    positions->count[*effect]++;
    return RF_OK;
}

/* ---- Answers ---- */

const struct rf_fix_position *rf_fix_positions_find(struct rf_fix_positions *positions, struct rf_str account,
                                                    struct rf_str symbol)
{
    struct rf_fix_position *const position = rf_fix_position_seek(positions, account, symbol);
    if (position == NULL) {
        return NULL;
    }
    position_refresh(positions, position);
    return position->trades == 0 ? NULL : position;
}

static int position_compare(const void *a, const void *b)
{
    const struct rf_fix_position *const x = *(const struct rf_fix_position *const *)a;
    const struct rf_fix_position *const y = *(const struct rf_fix_position *const *)b;
    const int order = rf_str_compare(x->account, y->account);
    return order != 0 ? order : rf_str_compare(x->symbol, y->symbol);
}

enum rf_status rf_fix_positions_list(struct rf_fix_positions *positions, const struct rf_fix_position ***sorted,
                                     size_t *count, struct rf_error *err)
{
    size_t found = 0;
    RF_TRY(rf_fix_positions_reserve_sorted(positions, err));
    for (uint32_t i = 0; i < positions->positions; i++) {
        position_refresh(positions, &positions->position[i]);
        if (positions->position[i].trades != 0) {
            positions->sorted[found++] = &positions->position[i];
        }
    }
    if (found != 0) {
        qsort(positions->sorted, found, sizeof(positions->sorted[0]), position_compare);
    }
    *sorted = positions->sorted;
    *count = found;
    return RF_OK;
}
