#include "forward.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bitmap.h"
#include "eval_kernels.h"

struct rf_forward_entry { /* a key */
    struct rf_key_entry head;
    bool is_known;
    int64_t ns; /* of the value */
    double value;
};

struct rf_forward_wait { /* a record that rules hit, until its horizon is over; the entry is pinned */
    struct rf_forward_wait *next;
    struct rf_forward_entry *entry;
    int64_t due_ns;
    double base;
    uint32_t words;
    struct rf_rule_word word[];
};

enum { ROWS = 64 };

static uint32_t rule_words(const struct rf_forward *forward)
{
    return (forward->tally.rules + ROWS - 1) / ROWS;
}

enum rf_status rf_forward_open(struct rf_forward *forward, struct rf_forward_settings settings, uint32_t rules,
                               size_t bytes_max, struct rf_error *err)
{
    *forward =
        (struct rf_forward){.latest_ns = RF_TALLY_NEVER, .wait_bytes_max = bytes_max / 2, .wrong_at = {UINT32_MAX, 0}};
    RF_TRY(rf_forward_tally_open(&forward->tally, settings, rules, err));
    const size_t words = (size_t)rule_words(forward) + 1;
    forward->row_word = malloc(ROWS * words * sizeof *forward->row_word);
    forward->active = malloc(words * sizeof *forward->active);
    forward->hit = malloc(words * sizeof *forward->hit);
    if (forward->row_word == NULL || forward->active == NULL || forward->hit == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "out of memory for the forward values of %u rules", rules);
    }
    return rf_key_memory_open(&forward->keys, bytes_max - bytes_max / 2, err);
}

/* What malloc keeps beside an allocation counts too. */
static size_t wait_cost(uint32_t words)
{
    return sizeof(struct rf_forward_wait) + words * sizeof(struct rf_rule_word) + sizeof(void *) + 16;
}

static void wait_free(struct rf_forward *forward, struct rf_forward_wait *wait)
{
    forward->wait_bytes -= wait_cost(wait->words);
    rf_key_entry_unpin(&wait->entry->head);
    free(wait);
}

void rf_forward_close(struct rf_forward *forward)
{
    while (forward->first != NULL) {
        struct rf_forward_wait *next = forward->first->next;
        wait_free(forward, forward->first);
        forward->first = next;
    }
    for (size_t i = 0; i < forward->heaped; i++) {
        wait_free(forward, forward->heap[i]);
    }
    free(forward->heap);
    free(forward->row_word);
    free(forward->active);
    free(forward->hit);
    rf_key_memory_close(&forward->keys);
    rf_forward_tally_close(&forward->tally);
    *forward = (struct rf_forward){0};
}

/* ---- Records that wait ---- */

static void heap_up(struct rf_forward *forward, struct rf_forward_wait *wait)
{
    size_t at = forward->heaped++;
    while (at > 0 && forward->heap[(at - 1) / 2]->due_ns > wait->due_ns) {
        forward->heap[at] = forward->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    forward->heap[at] = wait;
}

static struct rf_forward_wait *heap_take(struct rf_forward *forward)
{
    struct rf_forward_wait *least = forward->heap[0];
    struct rf_forward_wait *moved = forward->heap[--forward->heaped];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= forward->heaped) {
            break;
        }
        child += child + 1 < forward->heaped && forward->heap[child + 1]->due_ns < forward->heap[child]->due_ns;
        if (forward->heap[child]->due_ns >= moved->due_ns) {
            break;
        }
        forward->heap[at] = forward->heap[child];
        at = child;
    }
    if (forward->heaped != 0) {
        forward->heap[at] = moved;
    }
    return least;
}

static enum rf_status wait_enter(struct rf_forward *forward, struct rf_forward_wait *wait, struct rf_error *err)
{
    if (forward->first == NULL || forward->last->due_ns <= wait->due_ns) {
        *(forward->first == NULL ? &forward->first : &forward->last->next) = wait;
        forward->last = wait;
        return RF_OK;
    }
    if (forward->heaped == forward->heap_room) {
        const size_t room = forward->heap_room == 0 ? 64 : 2 * forward->heap_room;
        struct rf_forward_wait **heap = realloc(forward->heap, room * sizeof(struct rf_forward_wait *));
        if (heap == NULL) {
            wait_free(forward, wait);
            RF_FAIL(err, RF_E_MEMORY, "out of memory for %zu records that wait for their horizon", room);
        }
        forward->heap = heap;
        forward->heap_room = room;
    }
    heap_up(forward, wait);
    return RF_OK;
}

/* A horizon is over: of the key all is known that ever will be up to it. */
static enum rf_status wait_end(struct rf_forward *forward, struct rf_forward_wait *wait, struct rf_error *err)
{
    const struct rf_forward_entry *entry = wait->entry;
    const double change = entry->value - wait->base;
    rf_steps steps;
    enum rf_status status = RF_OK;
    if (entry->head.is_forgotten) {
        rf_forward_tally_miss(&forward->tally, wait->word, wait->words, RF_WITHOUT_NO_ROOM);
    } else if (!rf_steps_of(forward->tally.settings.is_absolute ? change : change / fabs(wait->base), &steps)) {
        rf_forward_tally_miss(&forward->tally, wait->word, wait->words, RF_WITHOUT_VALUELESS);
    } else {
        status = rf_forward_tally_add(&forward->tally, wait->word, wait->words, steps, err);
    }
    wait_free(forward, wait);
    return status;
}

static struct rf_forward_wait *first_take(struct rf_forward *forward)
{
    struct rf_forward_wait *wait = forward->first;
    forward->first = wait->next;
    return wait;
}

/* Ends the horizons that are over at `ns`, those that lie there included. In which order does not matter: nothing they look at
 * changes in between. */
static enum rf_status due_end(struct rf_forward *forward, int64_t ns, struct rf_error *err)
{
    while (forward->first != NULL && forward->first->due_ns <= ns) {
        RF_TRY(wait_end(forward, first_take(forward), err));
    }
    while (forward->heaped != 0 && forward->heap[0]->due_ns <= ns) {
        RF_TRY(wait_end(forward, heap_take(forward), err));
    }
    return RF_OK;
}

/* ---- Records ---- */

/* The rules that hit each of 64 rows, from words of 64 rows for each rule: blocks of 64 times 64 bits are turned about their
 * diagonal. */
static void square_turn(uint64_t square[ROWS])
{
    uint64_t mask = 0x00000000ffffffffu;
    for (unsigned half = ROWS / 2; half != 0; half /= 2, mask ^= mask << half) {
        for (unsigned i = 0; i < ROWS; i = (i + half + 1) & ~half) {
            const uint64_t moved = (square[i] >> half ^ square[i + half]) & mask;
            square[i + half] ^= moved;
            square[i] ^= moved << half;
        }
    }
}

/* Rows [64 w, 64 w + 64) of the block. Returns how many words of rules have a hit among them; those are active[], and word
 * active[a] of row i is row_word[64 a + i]. */
static uint32_t rows_turn(struct rf_forward *forward, const uint64_t *truth, uint32_t w)
{
    uint32_t active = 0;
    for (uint32_t word = 0; word < rule_words(forward); word++) {
        uint64_t *square = forward->row_word + (size_t)ROWS * active;
        uint64_t any = 0;
        for (uint32_t i = 0; i < ROWS; i++) {
            const uint32_t rule = ROWS * word + i;
            square[i] = rule < forward->tally.rules ? truth[(size_t)rule * RF_EVAL_BLOCK_WORDS + w] : 0;
            any |= square[i];
        }
        if (any != 0) {
            square_turn(square);
            forward->active[active++] = word;
        }
    }
    return active;
}

static uint32_t hits_gather(struct rf_forward *forward, uint32_t active, uint32_t row)
{
    uint32_t words = 0;
    for (uint32_t a = 0; a < active; a++) {
        const uint64_t bits = forward->row_word[(size_t)ROWS * a + row];
        if (bits != 0) {
            forward->hit[words++] = (struct rf_rule_word){.bits = bits, .word = forward->active[a]};
        }
    }
    return words;
}

static void value_count(struct rf_forward *forward, const struct rf_forward_rows *rows, uint32_t row)
{
    const enum rf_forward_kind kind = (enum rf_forward_kind)rows->kind[row];
    if (kind == RF_FORWARD_MISSING) {
        forward->tally.values.missing++;
    } else if (kind != RF_FORWARD_NUMBER) {
        if (forward->tally.values.wrong++ == 0) {
            forward->wrong_kind = kind;
            forward->wrong_at = (struct rf_tally_place){rows->input, rows->offset + rows->begin[row]};
        }
    }
}

/* What the key is known by at this row; NULL: nothing of it was ever known, or the row has no key. */
static enum rf_status entry_find(struct rf_forward *forward, const struct rf_forward_rows *rows, uint32_t row,
                                 struct rf_forward_entry **out, struct rf_error *err)
{
    const struct rf_state_key one = {0, 0};
    const bool is_new = rows->kind[row] == RF_FORWARD_NUMBER && rows->time_ns[row] != RF_TALLY_UNTIMED;
    struct rf_key_entry *head = NULL;
    if (rows->key == NULL || rf_bit_get(rows->has_key, row)) {
        RF_TRY(rf_key_memory_at(&forward->keys, 0, rows->key == NULL ? one : rows->key[row],
                                is_new ? sizeof(struct rf_forward_entry) : 0, &head, err));
    }
    *out = (struct rf_forward_entry *)head;
    return RF_OK;
}

/* A record that forward->hit[words] hit. */
static enum rf_status hit_enter(struct rf_forward *forward, const struct rf_forward_rows *rows, uint32_t row,
                                struct rf_forward_entry *entry, uint32_t words, struct rf_error *err)
{
    const int64_t ns = rows->time_ns[row];
    const bool has_own = rows->kind[row] == RF_FORWARD_NUMBER;
    int64_t due_ns;
    if (ns == RF_TALLY_UNTIMED || entry == NULL || (!has_own && entry->ns > ns)) {
        rf_forward_tally_miss(&forward->tally, forward->hit, words, RF_WITHOUT_VALUELESS);
        return RF_OK;
    }
    if (__builtin_add_overflow(ns, forward->tally.settings.horizon_ns, &due_ns)) {
        due_ns = INT64_MAX;
    }
    if (due_ns < forward->latest_ns) {
        rf_forward_tally_miss(&forward->tally, forward->hit, words, RF_WITHOUT_LATE);
        return RF_OK;
    }
    if (forward->wait_bytes + wait_cost(words) > forward->wait_bytes_max) {
        rf_forward_tally_miss(&forward->tally, forward->hit, words, RF_WITHOUT_NO_ROOM);
        return RF_OK;
    }
    struct rf_forward_wait *wait = malloc(sizeof *wait + words * sizeof wait->word[0]);
    if (wait == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "out of memory for records that wait for their horizon");
    }
    *wait = (struct rf_forward_wait){
        .entry = entry, .due_ns = due_ns, .base = has_own ? rows->value[row] : entry->value, .words = words};
    memcpy(wait->word, forward->hit, words * sizeof wait->word[0]);
    entry->head.pins++;
    forward->wait_bytes += wait_cost(words);
    return wait_enter(forward, wait, err);
}

static enum rf_status row_take(struct rf_forward *forward, const struct rf_forward_rows *rows, uint32_t row,
                               uint32_t words, struct rf_error *err)
{
    const int64_t ns = rows->time_ns[row];
    const bool has_value = rows->kind[row] == RF_FORWARD_NUMBER && ns != RF_TALLY_UNTIMED;
    struct rf_forward_entry *entry = NULL;
    value_count(forward, rows, row);
    if (has_value || words != 0) {
        RF_TRY(entry_find(forward, rows, row, &entry, err));
    }
    if (entry != NULL && has_value && (!entry->is_known || ns >= entry->ns)) {
        entry->is_known = true;
        entry->ns = ns;
        entry->value = rows->value[row];
    }
    return words == 0 ? RF_OK : hit_enter(forward, rows, row, entry, words, err);
}

enum rf_status rf_forward_block(struct rf_forward *forward, const struct rf_forward_rows *rows, struct rf_error *err)
{
    for (uint32_t w = 0; ROWS * w < rows->rows; w++) {
        const uint32_t left = rows->rows - ROWS * w;
        const uint32_t active = rows_turn(forward, rows->truth, w);
        for (uint32_t i = 0; i < (left < ROWS ? left : ROWS); i++) {
            const uint32_t row = rows->first + ROWS * w + i;
            const int64_t ns = rows->time_ns[row];
            if (ns != RF_TALLY_UNTIMED && ns > forward->latest_ns) {
                RF_TRY(due_end(forward, ns - 1, err));
                forward->latest_ns = ns;
            }
            if ((rows->live[w] >> i & 1) != 0) {
                RF_TRY(row_take(forward, rows, row, hits_gather(forward, active, i), err));
            }
        }
    }
    return RF_OK;
}

enum rf_status rf_forward_finish(struct rf_forward *forward, struct rf_error *err)
{
    RF_TRY(due_end(forward, forward->latest_ns, err));
    while (forward->first != NULL || forward->heaped != 0) {
        struct rf_forward_wait *wait = forward->first != NULL ? first_take(forward) : forward->heap[--forward->heaped];
        rf_forward_tally_miss(&forward->tally, wait->word, wait->words,
                              wait->entry->head.is_forgotten ? RF_WITHOUT_NO_ROOM : RF_WITHOUT_UNFINISHED);
        wait_free(forward, wait);
    }
    return RF_OK;
}
