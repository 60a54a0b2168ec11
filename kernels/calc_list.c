/* Lists, maps and optionals of cells (calc.h): indexes, `in`, sizes, sums, equality, and what makes them.
 *
 * Data       a list is LIST (JSON text) or ITEMS (cells), a map OBJECT or ENTRIES; see tag.def.
 * Bounds     RF_CALC_DEPTH_MAX levels are compared; the interpreter is asked about deeper ones, and about maps of more
 *            than RF_JSON_ENTRIES_MAX entries where they would have to be compared with each other.
 * Source     host/expr/operate.c and interp_eval.c, which are the definition. */
#include "calc_list.h"

#include <math.h>

#include "calc_json.h"

static const struct rf_cell cell_error = {.tag = RF_TAG_ERROR, .text = ""};
static const struct rf_cell cell_host = {.tag = RF_TAG_HOST, .text = ""};

static bool cell_is_list(const struct rf_cell *cell)
{
    return cell->tag == RF_TAG_LIST || cell->tag == RF_TAG_ITEMS;
}

static bool cell_is_map(const struct rf_cell *cell)
{
    return cell->tag == RF_TAG_OBJECT || cell->tag == RF_TAG_ENTRIES;
}

static bool cell_is_unusable(const struct rf_cell *cell)
{
    return cell->tag == RF_TAG_RANGE || cell->tag == RF_TAG_ERROR;
}

static const struct rf_cell *cells_of(const struct rf_cell *cell)
{
    return (const struct rf_cell *)(uintptr_t)cell->payload;
}

struct rf_cell rf_cell_of_items(const struct rf_cell *item, uint32_t count, enum rf_tag tag)
{
    return (struct rf_cell){.tag = tag, .payload = (uint64_t)(uintptr_t)item, .length = count, .text = ""};
}

struct rf_cell rf_cell_of_optional(const struct rf_cell *inner)
{
    return rf_cell_of_items(inner, inner != NULL, RF_TAG_OPTIONAL);
}

const struct rf_cell *rf_cell_inner(const struct rf_cell *optional)
{
    return cells_of(optional);
}

bool rf_cell_items(const struct rf_cell *list, struct rf_arena *scratch, const struct rf_cell **item, uint32_t *count)
{
    if (list->tag == RF_TAG_ITEMS) {
        *item = cells_of(list);
        *count = list->length;
        return true;
    }
    return scratch != NULL && rf_json_items(list, scratch, item, count);
}

bool rf_cell_entries(const struct rf_cell *map, struct rf_arena *scratch, const struct rf_cell **entry, uint32_t *count)
{
    if (map->tag == RF_TAG_ENTRIES) {
        *entry = cells_of(map);
        *count = map->length;
        return true;
    }
    return scratch != NULL && rf_json_entries(map, scratch, entry, count);
}

static bool cell_some(struct rf_arena *scratch, const struct rf_cell *value, struct rf_cell *out)
{
    struct rf_cell *inner = RF_PUSH(scratch, struct rf_cell, 1);
    if (inner == NULL) {
        return false;
    }
    *inner = *value;
    *out = rf_cell_of_optional(inner);
    return true;
}

/* ---- Work ---- */

enum { WORK_FACTOR = 8 };

/* Bytes and cells in a cell, its own one not counted; *left goes down by them, and nothing is looked at when it is used
 * up: a list may hold another one many times. */
static void cell_measure(const struct rf_cell *cell, uint32_t depth, uint64_t *left)
{
    uint64_t size = cell->length;
    const struct rf_cell *inside = NULL;
    uint32_t cells = 0;
    if (!rf_tag_has_work(cell->tag)) {
        return;
    }
    if (cell->tag == RF_TAG_ITEMS || cell->tag == RF_TAG_ENTRIES) {
        inside = cells_of(cell);
        cells = cell->tag == RF_TAG_ITEMS ? cell->length : 2 * cell->length;
        size = cells;
    } else if (cell->tag == RF_TAG_OPTIONAL) {
        inside = rf_cell_inner(cell);
        cells = inside != NULL ? 1 : 0;
        size = cells;
    }
    *left = depth == RF_CALC_DEPTH_MAX || *left <= size ? 0 : *left - size;
    for (uint32_t i = 0; i < cells && *left != 0; i++) {
        cell_measure(&inside[i], depth + 1, left);
    }
}

uint64_t rf_cell_work(const struct rf_cell *cell)
{
    uint64_t left = RF_WORK_MAX;
    cell_measure(cell, 0, &left);
    return WORK_FACTOR * (RF_WORK_MAX - left);
}

/* ---- Equality ---- */

enum equality { DIFFERENT, SAME, NOT_COMPARABLE, UNKNOWN };

static enum equality cells_match(const struct rf_cell *a, const struct rf_cell *b, struct rf_arena *scratch,
                                 uint32_t depth, uint32_t *steps);

/* Neither is a list, map or optional. */
static enum equality plain_match(const struct rf_cell *a, const struct rf_cell *b)
{
    static const struct rf_calc calc = {.function = RF_FN_EQ, .args = 2};
    const struct rf_calc_run run = {.calc = &calc};
    const struct rf_cell arg[2] = {*a, *b};
    struct rf_cell out = cell_error;
    rf_calc_number_op(RF_FN_EQ)(&run, arg, &out);
    return out.tag == RF_TAG_TRUE ? SAME : out.tag == RF_TAG_FALSE ? DIFFERENT : UNKNOWN;
}

static enum equality items_match(const struct rf_cell *a, const struct rf_cell *b, struct rf_arena *scratch,
                                 uint32_t depth, uint32_t *steps)
{
    const struct rf_cell *x;
    const struct rf_cell *y;
    uint32_t x_count;
    uint32_t y_count;
    if (!rf_cell_items(a, scratch, &x, &x_count) || !rf_cell_items(b, scratch, &y, &y_count)) {
        return UNKNOWN;
    }
    if (x_count != y_count) {
        return DIFFERENT;
    }
    for (uint32_t i = 0; i < x_count; i++) {
        const enum equality equality = cells_match(&x[i], &y[i], scratch, depth + 1, steps);
        if (equality != SAME) {
            return equality;
        }
    }
    return SAME;
}

/* The value under an equal key; NULL when there is none. Keys are plain. */
static const struct rf_cell *entry_find(const struct rf_cell *entry, uint32_t count, const struct rf_cell *key)
{
    for (uint32_t i = 0; i < count; i++) {
        if (plain_match(&entry[2 * i], key) == SAME) {
            return &entry[2 * i + 1];
        }
    }
    return NULL;
}

static enum equality entries_match(const struct rf_cell *a, const struct rf_cell *b, struct rf_arena *scratch,
                                   uint32_t depth, uint32_t *steps)
{
    const struct rf_cell *x;
    const struct rf_cell *y;
    uint32_t x_count;
    uint32_t y_count;
    if (!rf_cell_entries(a, scratch, &x, &x_count) || !rf_cell_entries(b, scratch, &y, &y_count)) {
        return UNKNOWN;
    }
    if (x_count != y_count) {
        return DIFFERENT;
    }
    if (x_count > RF_JSON_ENTRIES_MAX) {
        return UNKNOWN;
    }
    for (uint32_t i = 0; i < x_count; i++) {
        const struct rf_cell *other = entry_find(y, y_count, &x[2 * i]);
        const enum equality equality =
            other == NULL ? DIFFERENT : cells_match(&x[2 * i + 1], other, scratch, depth + 1, steps);
        if (equality != SAME) {
            return equality;
        }
    }
    return SAME;
}

static enum equality cells_match(const struct rf_cell *a, const struct rf_cell *b, struct rf_arena *scratch,
                                 uint32_t depth, uint32_t *steps)
{
    if (cell_is_unusable(a) || cell_is_unusable(b)) {
        return NOT_COMPARABLE;
    }
    /* An address within a list of a declared variable, or what is nested too deep there. */
    const bool is_unknown = a->tag == RF_TAG_HOST || b->tag == RF_TAG_HOST;
    if (is_unknown || depth > RF_CALC_DEPTH_MAX || *steps == 0) {
        return UNKNOWN;
    }
    (*steps)--;
    if (cell_is_list(a) && cell_is_list(b)) {
        return items_match(a, b, scratch, depth, steps);
    }
    if (cell_is_map(a) && cell_is_map(b)) {
        return entries_match(a, b, scratch, depth, steps);
    }
    if (a->tag == RF_TAG_OPTIONAL && b->tag == RF_TAG_OPTIONAL) {
        const struct rf_cell *x = cells_of(a);
        const struct rf_cell *y = cells_of(b);
        return x == NULL || y == NULL ? (x == y ? SAME : DIFFERENT) : cells_match(x, y, scratch, depth + 1, steps);
    }
    const bool a_holds = cell_is_list(a) || cell_is_map(a) || a->tag == RF_TAG_OPTIONAL;
    const bool b_holds = cell_is_list(b) || cell_is_map(b) || b->tag == RF_TAG_OPTIONAL;
    return a_holds || b_holds ? DIFFERENT : plain_match(a, b);
}

static void op_equal(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    const bool is_negated = run->calc->function == RF_FN_NE;
    uint32_t steps = RF_CALC_STEPS_MAX;
    switch (cells_match(&arg[0], &arg[1], run->scratch, 0, &steps)) {
    case SAME:
        *out = rf_cell_of_bool(!is_negated);
        break;
    case DIFFERENT:
        *out = rf_cell_of_bool(is_negated);
        break;
    case NOT_COMPARABLE:
        break;
    case UNKNOWN:
        *out = cell_host;
        break;
    }
}

/* ---- Elements ---- */

/* The whole number in a cell, as lists are indexed; false when it is none. */
static bool cell_to_index(const struct rf_cell *cell, uint64_t *index)
{
    struct rf_number number;
    if (!rf_cell_number(cell->tag, cell->payload, &number)) {
        return false;
    }
    switch (number.kind) {
    case RF_NUMBER_INT:
        *index = number.as.u;
        return number.as.i >= 0;
    case RF_NUMBER_UINT:
        *index = number.as.u;
        return true;
    case RF_NUMBER_DOUBLE:
        break;
    }
    const double d = number.as.d;
    if (!(d >= 0 && d <= 0x1p53 && d == trunc(d))) {
        return false;
    }
    *index = (uint64_t)d;
    return true;
}

static bool cell_is_number(const struct rf_cell *cell)
{
    struct rf_number number;
    return rf_cell_number(cell->tag, cell->payload, &number);
}

/* *out: ABSENT: there is no such element; ERROR: it is no container, or the key cannot be one; else the element. False:
 * the interpreter must be asked. */
static bool element_find(const struct rf_cell *container, const struct rf_cell *key, struct rf_arena *scratch,
                         struct rf_cell *out)
{
    uint64_t index;
    *out = (struct rf_cell){.tag = RF_TAG_ABSENT, .text = ""};
    if (cell_is_list(container)) {
        if (!cell_is_number(key)) {
            *out = cell_error;
            return true;
        }
        if (!cell_to_index(key, &index)) {
            return true;
        }
        if (container->tag == RF_TAG_LIST) {
            return rf_json_element(container, index, scratch, out);
        }
        if (index < container->length) {
            *out = cells_of(container)[index];
        }
        return true;
    }
    if (container->tag == RF_TAG_OBJECT) {
        return !rf_cell_is_string(key) || rf_json_member(container, rf_cell_text(key), scratch, out);
    }
    if (container->tag == RF_TAG_ENTRIES) {
        const struct rf_cell *found = entry_find(cells_of(container), container->length, key);
        *out = found != NULL ? *found : *out;
        return true;
    }
    *out = cell_error;
    return true;
}

static void op_index(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    const struct rf_cell *container = &arg[0];
    bool is_optional = run->calc->function == RF_FN_INDEX_OPTIONAL;
    if (container->tag == RF_TAG_OPTIONAL) { /* what is selected from an optional is one again */
        container = cells_of(container);
        is_optional = true;
        if (container == NULL) {
            *out = arg[0];
            return;
        }
        if (cell_is_unusable(container)) {
            return;
        }
    }
    struct rf_cell found;
    if (!element_find(container, &arg[1], run->scratch, &found)) {
        *out = cell_host;
        return;
    }
    if (found.tag == RF_TAG_ERROR || (found.tag == RF_TAG_RANGE && is_optional)) {
        return;
    }
    if (!is_optional) { /* a number beyond the range passes on */
        *out = found.tag == RF_TAG_ABSENT ? cell_error : found;
    } else if (found.tag == RF_TAG_ABSENT) {
        *out = rf_cell_of_optional(NULL);
    } else if (!cell_some(run->scratch, &found, out)) {
        *out = cell_host;
    }
}

static void op_has_field(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    const struct rf_cell *container = &arg[0];
    if (container->tag == RF_TAG_OPTIONAL) {
        container = cells_of(container);
        if (container == NULL) {
            *out = rf_cell_of_bool(false);
            return;
        }
    }
    struct rf_cell found;
    if (!cell_is_map(container)) {
        return;
    }
    *out = element_find(container, &arg[1], run->scratch, &found) ? rf_cell_of_bool(found.tag != RF_TAG_ABSENT)
                                                                  : cell_host;
}

/* Like a chain of ||: one equal element decides, else one that cannot be compared makes an error. */
static void op_in(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    struct rf_cell found;
    if (cell_is_map(&arg[1])) {
        const bool is_plain = !cell_is_list(&arg[0]) && !cell_is_map(&arg[0]) && arg[0].tag != RF_TAG_OPTIONAL;
        if (is_plain && !element_find(&arg[1], &arg[0], run->scratch, &found)) {
            *out = cell_host;
            return;
        }
        *out = rf_cell_of_bool(is_plain && found.tag != RF_TAG_ABSENT);
        return;
    }
    const struct rf_cell *item;
    uint32_t count;
    if (!cell_is_list(&arg[1])) {
        return;
    }
    if (!rf_cell_items(&arg[1], run->scratch, &item, &count)) {
        *out = cell_host;
        return;
    }
    uint32_t steps = RF_CALC_STEPS_MAX;
    bool is_unknown = false;
    bool has_error = false;
    for (uint32_t i = 0; i < count; i++) {
        const enum equality equality = cells_match(&arg[0], &item[i], run->scratch, 0, &steps);
        if (equality == SAME) {
            *out = rf_cell_of_bool(true);
            return;
        }
        is_unknown = is_unknown || equality == UNKNOWN;
        has_error = has_error || equality == NOT_COMPARABLE;
    }
    *out = is_unknown ? cell_host : has_error ? cell_error : rf_cell_of_bool(false);
}

static void op_size(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    const struct rf_cell *entry;
    uint32_t count = arg[0].length;
    if (arg[0].tag == RF_TAG_LIST) {
        count = rf_json_count(&arg[0]);
    } else if (arg[0].tag == RF_TAG_OBJECT) {
        if (!rf_cell_entries(&arg[0], run->scratch, &entry, &count)) {
            *out = cell_host;
            return;
        }
    } else if (arg[0].tag != RF_TAG_ITEMS && arg[0].tag != RF_TAG_ENTRIES) {
        rf_calc_number_op(RF_FN_SIZE)(run, arg, out);
        return;
    }
    *out = rf_cell_of_int(count);
}

static void op_add(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    if (!cell_is_list(&arg[0]) || !cell_is_list(&arg[1])) {
        if (!cell_is_list(&arg[0]) && !cell_is_list(&arg[1])) {
            rf_calc_number_op(RF_FN_ADD)(run, arg, out);
        }
        return;
    }
    const struct rf_cell *item[2];
    uint32_t count[2];
    struct rf_cell *sum = NULL;
    if (rf_cell_items(&arg[0], run->scratch, &item[0], &count[0]) &&
        rf_cell_items(&arg[1], run->scratch, &item[1], &count[1]) && count[0] <= UINT32_MAX - count[1]) {
        sum = RF_PUSH(run->scratch, struct rf_cell, (size_t)count[0] + count[1]);
    }
    if (sum == NULL) {
        *out = cell_host;
        return;
    }
    for (uint32_t i = 0; i < 2; i++) {
        if (count[i] != 0) {
            memcpy(sum + (i == 0 ? 0 : count[0]), item[i], count[i] * sizeof sum[0]);
        }
    }
    *out = rf_cell_of_items(sum, count[0] + count[1], RF_TAG_ITEMS);
}

/* ---- Literals ---- */

/* The value of argument i; false when it is an optional element that is left out. Anything but an optional is an error
 * there. */
static bool entry_unwrap(const struct rf_calc *calc, const struct rf_cell *arg, uint32_t i, struct rf_cell *value)
{
    *value = arg[i];
    if ((calc->optional >> i & 1) == 0) {
        return true;
    }
    if (value->tag != RF_TAG_OPTIONAL) {
        *value = cell_error;
        return true;
    }
    if (cells_of(value) == NULL) {
        return false;
    }
    *value = *cells_of(value);
    return true;
}

static void op_make_list(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    struct rf_cell *item = RF_PUSH(run->scratch, struct rf_cell, run->calc->args);
    if (item == NULL) {
        *out = cell_host;
        return;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < run->calc->args; i++) {
        if (!entry_unwrap(run->calc, arg, i, &item[count])) {
            continue;
        }
        if (item[count].tag == RF_TAG_ERROR) {
            return;
        }
        count++;
    }
    *out = rf_cell_of_items(item, count, RF_TAG_ITEMS);
}

/* CEL's keys: bool, int, uint, string. */
static bool cell_is_key(const struct rf_cell *cell)
{
    return rf_cell_is_string(cell) || cell->tag == RF_TAG_TRUE || cell->tag == RF_TAG_FALSE ||
           cell->tag == RF_TAG_INT || cell->tag == RF_TAG_UINT;
}

bool rf_cell_entries_are_distinct(const struct rf_cell *entry, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        if (entry_find(entry, i, &entry[2 * i]) != NULL) {
            return false;
        }
    }
    return true;
}

static void op_make_map(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    struct rf_cell *entry = RF_PUSH(run->scratch, struct rf_cell, run->calc->args);
    if (entry == NULL) {
        *out = cell_host;
        return;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i + 1 < run->calc->args; i += 2) {
        if (!entry_unwrap(run->calc, arg, i + 1, &entry[2 * count + 1])) {
            continue;
        }
        entry[2 * count] = arg[i];
        if (!cell_is_key(&arg[i]) || entry[2 * count + 1].tag == RF_TAG_ERROR) {
            return;
        }
        count++;
    }
    if (rf_cell_entries_are_distinct(entry, count)) {
        *out = rf_cell_of_items(entry, count, RF_TAG_ENTRIES);
    }
}

/* ---- Optionals ---- */

static bool cell_is_zero(const struct rf_calc_run *run, const struct rf_cell *cell)
{
    struct rf_number number;
    const struct rf_number zero = {.kind = RF_NUMBER_INT, .as.i = 0};
    if (rf_cell_number(cell->tag, cell->payload, &number)) {
        return rf_number_compare(number, zero) == RF_ORDER_EQUAL;
    }
    switch (cell->tag) {
    case RF_TAG_NULL:
    case RF_TAG_FALSE:
        return true;
    case RF_TAG_STRING_RAW:
    case RF_TAG_STRING_ESCAPED:
    case RF_TAG_BYTES:
    case RF_TAG_ITEMS:
    case RF_TAG_ENTRIES:
        return cell->length == 0;
    case RF_TAG_LIST:
    case RF_TAG_OBJECT: {
        struct rf_cell size = cell_error;
        op_size(run, cell, &size);
        return size.tag == RF_TAG_INT && size.payload == 0;
    }
    case RF_TAG_TIMESTAMP:
        return cell->payload == 0 && cell->length == 0;
    case RF_TAG_DURATION:
        return cell->payload == 0;
    default:
        return false;
    }
}

static void op_optional(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    switch (run->calc->function) {
    case RF_FN_OPTIONAL_NONE:
        *out = rf_cell_of_optional(NULL);
        return;
    case RF_FN_OPTIONAL_OF_NON_ZERO:
        if (cell_is_zero(run, &arg[0])) {
            *out = rf_cell_of_optional(NULL);
            return;
        }
        break;
    case RF_FN_HAS_VALUE:
        if (arg[0].tag == RF_TAG_OPTIONAL) {
            *out = rf_cell_of_bool(cells_of(&arg[0]) != NULL);
        }
        return;
    case RF_FN_VALUE:
        if (arg[0].tag == RF_TAG_OPTIONAL && cells_of(&arg[0]) != NULL) {
            *out = cell_is_unusable(cells_of(&arg[0])) ? cell_error : *cells_of(&arg[0]);
        }
        return;
    default:
        break;
    }
    if (!cell_some(run->scratch, &arg[0], out)) {
        *out = cell_host;
    }
}

rf_calc_op rf_calc_list_op(enum rf_function function)
{
    switch (function) {
    case RF_FN_EQ:
    case RF_FN_NE:
        return op_equal;
    case RF_FN_IN:
        return op_in;
    case RF_FN_SIZE:
        return op_size;
    case RF_FN_ADD:
        return op_add;
    case RF_FN_INDEX:
    case RF_FN_INDEX_OPTIONAL:
        return op_index;
    case RF_FN_HAS_FIELD:
        return op_has_field;
    case RF_FN_MAKE_LIST:
        return op_make_list;
    case RF_FN_MAKE_MAP:
        return op_make_map;
    case RF_FN_OPTIONAL_OF:
    case RF_FN_OPTIONAL_NONE:
    case RF_FN_OPTIONAL_OF_NON_ZERO:
    case RF_FN_HAS_VALUE:
    case RF_FN_VALUE:
        return op_optional;
    default:
        return NULL;
    }
}
