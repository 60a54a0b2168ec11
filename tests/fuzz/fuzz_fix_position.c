/* Positions under any sequence of reports: what is asked after each report must be what is asked once at the end, and the
 * numbers of reports add up. Decimals are compared with a reading character by character. */
#include <stdlib.h>
#include <string.h>

#include "fix_position.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool is_true)
{
    if (!is_true) {
        abort();
    }
}

/* False: none, or one whose digits are more than the bounds allow (then either answer is right). */
static bool plain_read(struct rf_str text, __int128 *amount)
{
    const bool is_negative = text.count != 0 && text.data[0] == '-';
    int decimals = -1;
    int digits = 0;
    *amount = 0;
    for (size_t i = is_negative; i < text.count; i++) {
        if (text.data[i] == '.' && decimals < 0) {
            decimals = 0;
        } else if (text.data[i] >= '0' && text.data[i] <= '9') {
            *amount = *amount * 10 + (text.data[i] - '0');
            digits++;
            decimals += decimals >= 0;
        } else {
            return false;
        }
    }
    for (int i = decimals < 0 ? 0 : decimals; i < RF_FIX_AMOUNT_DECIMALS; i++) {
        *amount *= 10;
    }
    *amount = is_negative ? -*amount : *amount;
    return digits != 0;
}

static void check_decimal(struct rf_str text)
{
    struct rf_fix_decimal decimal;
    __int128 amount;
    const bool is_read = rf_fix_decimal_from_text(text, &decimal);
    if (is_read) {
        require(decimal.decimals <= RF_FIX_AMOUNT_DECIMALS);
        char written[RF_FIX_AMOUNT_TEXT_MAX];
        require(rf_fix_amount_write(rf_fix_decimal_amount(decimal), RF_FIX_AMOUNT_DECIMALS, written) < sizeof(written));
    }
    if (text.count <= 9) { /* few enough digits for every bound */
        require(is_read == plain_read(text, &amount));
        require(!is_read || amount == rf_fix_decimal_amount(decimal));
    }
}

/* A text of up to 3 bytes, or now and then a long one, that lies in the input. */
static struct rf_str take_text(const uint8_t **at, const uint8_t *end)
{
    const size_t left = (size_t)(end - *at);
    if (left == 0) {
        return (struct rf_str){0};
    }
    const size_t wanted = **at < 250 ? **at % 4u : **at;
    const struct rf_str text = {(const char *)*at + 1, wanted < left - 1 ? wanted : left - 1};
    *at += 1 + text.count;
    return text;
}

static bool take_report(struct rf_fix_report *report, const uint8_t **at, const uint8_t *end)
{
    static const char types[] = "FFFFGGHH12\0";
    static const char sides[] = "12123456\0"
                                "7";
    if (end - *at < 4) {
        return false;
    }
    report->exec_type = types[*(*at)++ % (sizeof(types) - 1)];
    report->exec_trans_type = (*at)[0] % 4 == 0 ? (char)('0' + (*at)[0] / 4 % 4) : 0;
    report->side = sides[(*at)[1] % (sizeof(sides) - 1)];
    *at += 2;
    report->exec_id = take_text(at, end);
    report->exec_ref_id = take_text(at, end);
    report->account = take_text(at, end);
    report->symbol = take_text(at, end);
    report->sender = take_text(at, end);
    report->last_quantity = take_text(at, end);
    report->last_price = take_text(at, end);
    return true;
}

static void check_same(const struct rf_fix_position *a, const struct rf_fix_position *b)
{
    require(rf_str_equal(a->account, b->account) && rf_str_equal(a->symbol, b->symbol) && a->trades == b->trades &&
            a->is_overflow == b->is_overflow && !a->is_stale && !b->is_stale);
    require(a->is_overflow || (a->quantity == b->quantity && a->cost == b->cost && a->realised == b->realised &&
                               rf_fix_position_average(a) == rf_fix_position_average(b)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rf_fix_positions asked;
    struct rf_fix_positions quiet;
    struct rf_fix_report report;
    struct rf_error err;
    const struct rf_fix_position **sorted[2];
    size_t count[2];
    uint64_t reports = 0;
    check_decimal((struct rf_str){(const char *)data, size});
    rf_fix_positions_open(&asked, (size_t)64 << 20);
    rf_fix_positions_open(&quiet, (size_t)64 << 20);
    for (const uint8_t *at = data; take_report(&report, &at, data + size); reports++) {
        enum rf_fix_effect first;
        enum rf_fix_effect second;
        check_decimal(report.last_quantity);
        check_decimal(report.last_price);
        require(rf_fix_positions_apply(&asked, &report, &first, &err) == RF_OK);
        require(rf_fix_positions_apply(&quiet, &report, &second, &err) == RF_OK);
        require(first == second);
        (void)rf_fix_positions_find(&asked, report.account, report.symbol);
    }
    require(rf_fix_positions_list(&asked, &sorted[0], &count[0], &err) == RF_OK);
    require(rf_fix_positions_list(&quiet, &sorted[1], &count[1], &err) == RF_OK);
    require(count[0] == count[1]);
    for (size_t i = 0; i < count[0]; i++) {
        check_same(sorted[0][i], sorted[1][i]);
    }
    for (int effect = 0; effect < RF_FIX_EFFECT_COUNT; effect++) {
        require(asked.count[effect] == quiet.count[effect]);
        reports -= asked.count[effect];
    }
    require(reports == 0);
    rf_fix_positions_close(&asked);
    rf_fix_positions_close(&quiet);
    return 0;
}
