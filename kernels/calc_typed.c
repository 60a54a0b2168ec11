#include "calc_typed.h"

#include <math.h>

#include "calc_text.h"
#include "token.h"

enum {
    LANES = 64,
    LIVE_MIN = 8,   /* fewer rows of a word are done faster one by one */
    SHORT_BYTES = 8 /* of a text that is its payload */
};

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "bits become bytes eight at a time");

/* One word of rows. */
struct typed_word {
    const struct rf_calc *calc;
    const struct rf_calc_view *arg;
    uint32_t first; /* row */
    uint64_t live;
    struct rf_arena *scratch;
    struct rf_calc_column *out;
};

/* A form gives the rows that it has done; it may write any row of the word, since the others are done later. */
typedef uint64_t (*typed_form)(const struct typed_word *word);

/* ---- Cells ---- */

static uint64_t rows_tagged(const struct typed_word *word, uint32_t arg, enum rf_tag tag)
{
    const struct rf_calc_view *view = &word->arg[arg];
    if (view->stride == 0) {
        return view->tag[0] == tag ? ~0ull : 0;
    }
    return rf_token_equal_bits(view->tag + word->first, (uint8_t)tag);
}

static uint64_t rows_of_strings(const struct typed_word *word, uint32_t arg)
{
    return rows_tagged(word, arg, RF_TAG_STRING_RAW) | rows_tagged(word, arg, RF_TAG_STRING_ESCAPED);
}

/* A constant is written out in room[LANES], so that loops have one form. */
static const uint64_t *payloads_of(const struct typed_word *word, uint32_t arg, uint64_t room[LANES])
{
    const struct rf_calc_view *view = &word->arg[arg];
    if (view->stride != 0) {
        return view->payload + word->first;
    }
    for (int i = 0; i < LANES; i++) {
        room[i] = view->payload[0];
    }
    return room;
}

static const uint32_t *lengths_of(const struct typed_word *word, uint32_t arg, uint32_t room[LANES])
{
    const struct rf_calc_view *view = &word->arg[arg];
    if (view->stride != 0) {
        return view->length + word->first;
    }
    for (int i = 0; i < LANES; i++) {
        room[i] = view->length[0];
    }
    return room;
}

static inline double double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Bit i of the word from byte i, which is 0 or 1. */
static uint64_t bits_gather(const uint8_t byte[LANES])
{
    uint64_t bits = 0;
    for (int i = 0; i < LANES; i += 8) {
        bits |= (rf_token_word(byte + i) * 0x0102040810204080u) >> 56 << i;
    }
    return bits;
}

static void bits_spread(uint64_t bits, uint8_t byte[LANES])
{
    for (int i = 0; i < LANES; i += 8) {
        const uint64_t each = (bits >> i & 0xff) * RF_TOKEN_ONES & 0x8040201008040201u; /* bit k in byte k */
        const uint64_t ones = (each + ~RF_TOKEN_TOPS) >> 7 & RF_TOKEN_ONES;
        memcpy(byte + i, &ones, sizeof ones);
    }
}

static void tags_store(const struct typed_word *word, uint64_t rows, enum rf_tag tag, enum rf_tag other)
{
    uint8_t *out = word->out->tag + word->first;
    if (rows == ~0ull || rows == 0) {
        memset(out, rows == 0 ? (int)other : (int)tag, LANES);
        return;
    }
    uint8_t byte[LANES];
    bits_spread(rows, byte);
    for (int i = 0; i < LANES; i++) {
        out[i] = (uint8_t)(other + byte[i] * (tag - other));
    }
}

static void bools_store(const struct typed_word *word, uint64_t truth)
{
    uint64_t *payload = word->out->payload + word->first;
    uint8_t byte[LANES];
    bits_spread(truth, byte);
    for (int i = 0; i < LANES; i++) {
        payload[i] = byte[i];
    }
    tags_store(word, truth, RF_TAG_TRUE, RF_TAG_FALSE);
}

/* ---- Numbers ---- */

struct numbers {
    uint64_t message;        /* rows by their tags: NUMBER */
    uint64_t plain;          /* DOUBLE */
    uint64_t whole;          /* INT */
    const uint64_t *payload; /* [LANES] */
    const uint64_t *value;   /* [LANES] bits of the nearest double */
    uint64_t room[2][LANES];
};

static void numbers_load(const struct typed_word *word, uint32_t arg, struct numbers *numbers)
{
    numbers->message = rows_tagged(word, arg, RF_TAG_NUMBER);
    numbers->plain = rows_tagged(word, arg, RF_TAG_DOUBLE);
    numbers->whole = rows_tagged(word, arg, RF_TAG_INT);
    numbers->payload = payloads_of(word, arg, numbers->room[0]);
    numbers->value = numbers->payload;
    if ((numbers->whole & word->live) == 0) {
        return;
    }
    uint64_t *value = numbers->room[1];
    numbers->value = value;
    if (word->arg[arg].stride == 0) {
        const uint64_t nearest = bits_of((double)(int64_t)numbers->payload[0]);
        for (int i = 0; i < LANES; i++) {
            value[i] = nearest;
        }
        return;
    }
    for (int i = 0; i < LANES; i++) {
        const uint64_t nearest = bits_of((double)(int64_t)numbers->payload[i]);
        value[i] = (numbers->whole >> i & 1) != 0 ? nearest : numbers->payload[i];
    }
}

static void doubles_operate(enum rf_function function, const uint64_t *a, const uint64_t *b, uint64_t *out)
{
#define TYPED_OPERATE(operator)                                                                                        \
    for (int i = 0; i < LANES; i++) {                                                                                  \
        out[i] = bits_of(double_of(a[i]) operator double_of(b[i]));                                                    \
    }                                                                                                                  \
    break
    switch (function) {
    case RF_FN_ADD:
        TYPED_OPERATE(+);
    case RF_FN_SUB:
        TYPED_OPERATE(-);
    case RF_FN_MUL:
        TYPED_OPERATE(*);
    default:
        TYPED_OPERATE(/);
    }
#undef TYPED_OPERATE
}

/* Those of `rows` that do not overflow. */
static uint64_t ints_operate(enum rf_function function, const struct numbers *a, const struct numbers *b, uint64_t rows,
                             uint64_t *out)
{
    uint64_t done = 0;
    for (uint64_t left = rows; left != 0; left &= left - 1) {
        const int i = __builtin_ctzll(left);
        const int64_t x = (int64_t)a->payload[i];
        const int64_t y = (int64_t)b->payload[i];
        int64_t result;
        const bool is_bad = function == RF_FN_ADD   ? __builtin_add_overflow(x, y, &result)
                            : function == RF_FN_SUB ? __builtin_sub_overflow(x, y, &result)
                                                    : __builtin_mul_overflow(x, y, &result);
        out[i] = (uint64_t)result;
        done |= (uint64_t)!is_bad << i;
    }
    return done;
}

/* / and % of those that are below 2^53 and divided by something: the quotient of the doubles, rounded, never reaches the
 * next whole number, so that cutting it gives the right one. A division of doubles takes a third of the time of one of
 * ints. */
static uint64_t ints_divide(bool is_remainder, const struct numbers *a, const struct numbers *b, uint64_t rows,
                            uint64_t *out)
{
    double quotient[LANES];
    uint8_t is_good[LANES];
    for (int i = 0; i < LANES; i++) {
        const double x = double_of(a->value[i]);
        const double y = double_of(b->value[i]);
        const bool is_near = (fabs(x) < 0x1p53) & (fabs(y) < 0x1p53) & (fabs(y) >= 1);
        is_good[i] = is_near;
        quotient[i] = is_near ? x / y : 0;
    }
    for (int i = 0; i < LANES; i++) {
        const uint64_t whole = (uint64_t)(int64_t)quotient[i];
        out[i] = is_remainder ? a->payload[i] - whole * b->payload[i] : whole;
    }
    return rows & bits_gather(is_good);
}

/* The rules of which numbers may be combined are those of calc_number.c. */
static uint64_t form_arithmetic(const struct typed_word *word)
{
    const struct rf_calc *calc = word->calc;
    const enum rf_function function = calc->function;
    uint64_t *out = word->out->payload + word->first;
    struct numbers a;
    struct numbers b;
    numbers_load(word, 0, &a);
    numbers_load(word, 1, &b);
    const uint64_t ints = a.whole & b.whole & word->live;
    if (ints != 0) {
        tags_store(word, ~0ull, RF_TAG_INT, RF_TAG_INT);
        return function == RF_FN_DIV || function == RF_FN_MOD ? ints_divide(function == RF_FN_MOD, &a, &b, ints, out)
                                                              : ints_operate(function, &a, &b, ints, out);
    }
    const uint64_t doubles = (a.message | a.plain) & (b.message | b.plain);
    const uint64_t messages =
        calc->is_strict_cel ? 0 : (a.message & (b.message | b.plain | b.whole)) | (b.message & (a.plain | a.whole));
    const uint64_t rows = (calc->is_strict_cel ? doubles : messages | (a.plain & b.plain)) & word->live;
    if (rows == 0 || function == RF_FN_MOD) {
        return 0;
    }
    doubles_operate(function, a.value, b.value, out);
    tags_store(word, messages, RF_TAG_NUMBER, RF_TAG_DOUBLE);
    return rows;
}

static uint64_t form_negate(const struct typed_word *word)
{
    uint64_t *out = word->out->payload + word->first;
    struct numbers a;
    numbers_load(word, 0, &a);
    const uint64_t rows = (a.message | a.plain) & word->live;
    if (rows != 0) {
        for (int i = 0; i < LANES; i++) {
            out[i] = a.payload[i] ^ 1ull << 63;
        }
        tags_store(word, a.message, RF_TAG_NUMBER, RF_TAG_DOUBLE);
    }
    return rows;
}

/* Doubles well within the range of int64. */
static uint64_t form_to_int(const struct typed_word *word)
{
    uint64_t *out = word->out->payload + word->first;
    uint8_t is_near[LANES];
    struct numbers a;
    numbers_load(word, 0, &a);
    const uint64_t rows = (a.message | a.plain) & word->live;
    if (rows == 0) {
        return 0;
    }
    for (int i = 0; i < LANES; i++) {
        const double value = double_of(a.value[i]);
        is_near[i] = fabs(value) < 0x1p62;
        out[i] = (uint64_t)(int64_t)(is_near[i] != 0 ? value : 0);
    }
    tags_store(word, ~0ull, RF_TAG_INT, RF_TAG_INT);
    return rows & bits_gather(is_near);
}

/* A message number stays one. */
static uint64_t form_to_double(const struct typed_word *word)
{
    uint64_t *out = word->out->payload + word->first;
    struct numbers a;
    numbers_load(word, 0, &a);
    const uint64_t rows = (a.message | a.plain | a.whole) & word->live;
    if (rows != 0) {
        memcpy(out, a.value, LANES * sizeof out[0]);
        tags_store(word, a.message, RF_TAG_NUMBER, RF_TAG_DOUBLE);
    }
    return rows;
}

/* ---- Comparison ---- */

static uint64_t doubles_compare(enum rf_function function, const uint64_t *a, const uint64_t *b)
{
    /* Two loops, since compilers make vectors of each, but not of one from doubles to bytes. */
    uint64_t holds[LANES];
    uint8_t byte[LANES];
#define TYPED_COMPARE(operator)                                                                                        \
    for (int i = 0; i < LANES; i++) {                                                                                  \
        holds[i] = double_of(a[i]) operator double_of(b[i]) ? 1 : 0;                                                   \
    }                                                                                                                  \
    break
    switch (function) {
    case RF_FN_EQ:
        TYPED_COMPARE(==);
    case RF_FN_NE:
        TYPED_COMPARE(!=);
    case RF_FN_LT:
        TYPED_COMPARE(<);
    case RF_FN_LE:
        TYPED_COMPARE(<=);
    case RF_FN_GT:
        TYPED_COMPARE(>);
    default:
        TYPED_COMPARE(>=);
    }
#undef TYPED_COMPARE
    for (int i = 0; i < LANES; i++) {
        byte[i] = (uint8_t)holds[i];
    }
    return bits_gather(byte);
}

/* Ints beyond 2^53 are compared exactly, by the function on cells. */
static uint64_t numbers_exact(const struct numbers *numbers, uint64_t live)
{
    const uint64_t doubles = numbers->message | numbers->plain;
    uint8_t is_exact[LANES];
    if ((numbers->whole & live) == 0) {
        return doubles;
    }
    for (int i = 0; i < LANES; i++) {
        is_exact[i] = fabs(double_of(numbers->value[i])) < 0x1p53;
    }
    return doubles | (numbers->whole & bits_gather(is_exact));
}

static uint64_t numbers_compare(const struct typed_word *word, uint64_t *truth)
{
    struct numbers a;
    struct numbers b;
    numbers_load(word, 0, &a);
    numbers_load(word, 1, &b);
    const uint64_t rows = numbers_exact(&a, word->live) & numbers_exact(&b, word->live) & word->live;
    *truth = rows == 0 ? 0 : doubles_compare(word->calc->function, a.value, b.value);
    return rows;
}

static bool sign_holds(enum rf_function function, int sign)
{
    switch (function) {
    case RF_FN_EQ:
        return sign == 0;
    case RF_FN_NE:
        return sign != 0;
    case RF_FN_LT:
        return sign < 0;
    case RF_FN_LE:
        return sign <= 0;
    case RF_FN_GT:
        return sign > 0;
    default:
        return sign >= 0;
    }
}

/* By the first eight bytes; where these are equal, short texts differ by their lengths. */
static uint64_t strings_compare(const struct typed_word *word, uint64_t rows, uint64_t *truth)
{
    const enum rf_function function = word->calc->function;
    uint64_t room[2][LANES];
    uint32_t length_room[2][LANES];
    uint8_t less[LANES];
    uint8_t more[LANES];
    uint8_t unknown[LANES];
    const uint64_t *a = payloads_of(word, 0, room[0]);
    const uint64_t *b = payloads_of(word, 1, room[1]);
    const uint32_t *a_length = lengths_of(word, 0, length_room[0]);
    const uint32_t *b_length = lengths_of(word, 1, length_room[1]);
    for (int i = 0; i < LANES; i++) {
        const bool is_same_head = a[i] == b[i];
        const bool is_short = (a_length[i] <= SHORT_BYTES) & (b_length[i] <= SHORT_BYTES);
        less[i] = (a[i] < b[i]) | (is_same_head & (a_length[i] < b_length[i]));
        more[i] = (a[i] > b[i]) | (is_same_head & (a_length[i] > b_length[i]));
        unknown[i] = is_same_head & !is_short;
    }
    const uint64_t is_less = bits_gather(less);
    const uint64_t is_more = bits_gather(more);
    *truth = (sign_holds(function, -1) ? is_less : 0) | (sign_holds(function, 1) ? is_more : 0) |
             (sign_holds(function, 0) ? ~(is_less | is_more) : 0);
    return rows & ~bits_gather(unknown);
}

static uint64_t form_compare(const struct typed_word *word)
{
    uint64_t truth;
    uint64_t rows = rows_of_strings(word, 0) & rows_of_strings(word, 1) & word->live;
    rows = rows != 0 ? strings_compare(word, rows, &truth) : numbers_compare(word, &truth);
    if (rows != 0) {
        bools_store(word, truth);
    }
    return rows;
}

/* ---- Bools ---- */

static uint64_t form_not(const struct typed_word *word)
{
    const uint64_t truth = rows_tagged(word, 0, RF_TAG_FALSE);
    const uint64_t rows = (truth | rows_tagged(word, 0, RF_TAG_TRUE)) & word->live;
    if (rows != 0) {
        bools_store(word, truth);
    }
    return rows;
}

/* && and ||: errors and what is not known yet are left. */
static uint64_t form_logic(const struct typed_word *word)
{
    const bool is_and = word->calc->function == RF_FN_AND;
    const enum rf_tag deciding = is_and ? RF_TAG_FALSE : RF_TAG_TRUE;
    const enum rf_tag neutral = is_and ? RF_TAG_TRUE : RF_TAG_FALSE;
    const uint64_t decided = rows_tagged(word, 0, deciding) | rows_tagged(word, 1, deciding);
    const uint64_t rest = rows_tagged(word, 0, neutral) & rows_tagged(word, 1, neutral);
    const uint64_t rows = (decided | rest) & word->live;
    if (rows != 0) {
        bools_store(word, is_and ? rest : decided);
    }
    return rows;
}

static uint64_t form_has(const struct typed_word *word)
{
    const uint64_t rows = word->live & ~rows_tagged(word, 0, RF_TAG_NOPARENT);
    if (rows != 0) {
        bools_store(word, ~rows_tagged(word, 0, RF_TAG_ABSENT));
    }
    return rows;
}

/* What passes through ?: is not looked at, but what is missing is an error. */
static uint64_t form_select(const struct typed_word *word)
{
    const uint64_t truth = rows_tagged(word, 0, RF_TAG_TRUE);
    const uint64_t rows = (truth | rows_tagged(word, 0, RF_TAG_FALSE)) & word->live;
    uint64_t missing = 0;
    for (uint32_t branch = 1; branch <= 2; branch++) {
        const uint64_t taken = branch == 1 ? truth : ~truth;
        missing |= taken & (rows_tagged(word, branch, RF_TAG_NOPARENT) | rows_tagged(word, branch, RF_TAG_ABSENT) |
                            rows_tagged(word, branch, RF_TAG_RANGE) | rows_tagged(word, branch, RF_TAG_ERROR));
    }
    for (uint64_t left = rows & ~missing; left != 0; left &= left - 1) {
        const uint32_t i = (uint32_t)__builtin_ctzll(left);
        const uint32_t row = word->first + i;
        /* An index in place of a branch that nobody can guess. */
        const struct rf_cell cell = rf_calc_cell(&word->arg[2 - (truth >> i & 1)], row);
        word->out->tag[row] = (uint8_t)cell.tag;
        word->out->payload[row] = cell.payload;
        word->out->length[row] = cell.length;
        word->out->text[row] = cell.text;
    }
    return rows & ~missing;
}

/* ---- Short strings ---- */

static uint64_t rows_short(const struct typed_word *word, const uint32_t *length)
{
    uint8_t byte[LANES];
    for (int i = 0; i < LANES; i++) {
        byte[i] = length[i] <= SHORT_BYTES;
    }
    return rows_of_strings(word, 0) & word->live & bits_gather(byte);
}

static uint64_t form_size(const struct typed_word *word)
{
    uint64_t room[LANES];
    uint32_t length_room[LANES];
    uint8_t byte[LANES];
    uint64_t *out = word->out->payload + word->first;
    const uint64_t *payload = payloads_of(word, 0, room);
    const uint32_t *length = lengths_of(word, 0, length_room);
    const uint64_t rows = rows_short(word, length);
    if (rows == 0) {
        return 0;
    }
    for (int i = 0; i < LANES; i++) {
        byte[i] = (payload[i] & RF_TOKEN_TOPS) == 0; /* ASCII */
    }
    for (int i = 0; i < LANES; i++) {
        out[i] = length[i];
    }
    tags_store(word, ~0ull, RF_TAG_INT, RF_TAG_INT);
    return rows & bits_gather(byte);
}

static uint64_t form_case(const struct typed_word *word)
{
    const bool is_lower = word->calc->function == RF_FN_LOWER;
    struct rf_calc_column *out = word->out;
    uint64_t room[LANES];
    uint32_t length_room[LANES];
    const uint64_t *payload = payloads_of(word, 0, room);
    const uint32_t *length = lengths_of(word, 0, length_room);
    const uint64_t rows = rows_short(word, length);
    uint64_t *text = rows == 0 ? NULL : rf_arena_push(word->scratch, LANES, sizeof *text, _Alignof(uint64_t));
    if (text == NULL) {
        return 0;
    }
    for (uint32_t i = 0; i < LANES; i++) {
        const uint64_t head = is_lower ? rf_word_lower(payload[i]) : rf_word_upper(payload[i]);
        out->payload[word->first + i] = head;
        text[i] = rf_token_from_head(head);
    }
    for (uint32_t i = 0; i < LANES; i++) {
        out->text[word->first + i] = (const char *)&text[i];
    }
    memcpy(out->length + word->first, length, LANES * sizeof length[0]);
    memset(out->tag + word->first, RF_TAG_STRING_RAW, LANES);
    return rows;
}

/* ---- Table ---- */

static typed_form form_of(const struct rf_calc *calc)
{
    static const typed_form form[RF_FUNCTION_COUNT] = {
        [RF_FN_ADD] = form_arithmetic, [RF_FN_SUB] = form_arithmetic,
        [RF_FN_MUL] = form_arithmetic, [RF_FN_DIV] = form_arithmetic,
        [RF_FN_MOD] = form_arithmetic, [RF_FN_NEG] = form_negate,
        [RF_FN_EQ] = form_compare,     [RF_FN_NE] = form_compare,
        [RF_FN_LT] = form_compare,     [RF_FN_LE] = form_compare,
        [RF_FN_GT] = form_compare,     [RF_FN_GE] = form_compare,
        [RF_FN_NOT] = form_not,        [RF_FN_AND] = form_logic,
        [RF_FN_OR] = form_logic,       [RF_FN_HAS] = form_has,
        [RF_FN_SELECT] = form_select,  [RF_FN_TO_INT] = form_to_int,
        [RF_FN_SIZE] = form_size,      [RF_FN_LOWER] = form_case,
        [RF_FN_UPPER] = form_case,     [RF_FN_TO_DOUBLE] = form_to_double,
    };
    return form[calc->function];
}

static bool form_makes_text(typed_form form)
{
    return form == form_select || form == form_case;
}

void rf_calc_typed_run(const struct rf_calc *calc, const struct rf_calc_view *arg, const uint64_t *live, uint32_t words,
                       struct rf_arena *scratch, struct rf_calc_column *out, uint64_t *left)
{
    const typed_form form = form_of(calc);
    uint64_t done = 0;
    for (uint32_t w = 0; w < words; w++) {
        left[w] = live[w];
        if (form != NULL && __builtin_popcountll(live[w]) >= LIVE_MIN) {
            const struct typed_word word = {calc, arg, LANES * w, live[w], scratch, out};
            left[w] &= ~form(&word);
            done |= live[w] & ~left[w];
        }
    }
    if (done != 0 && !form_makes_text(form)) {
        memset(out->length, 0, LANES * words * sizeof out->length[0]);
        for (uint32_t i = 0; i < LANES * words; i++) {
            out->text[i] = "";
        }
    }
}
