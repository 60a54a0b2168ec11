// eval_atoms.cu: atoms over columns to bitmaps T and F, 32 rows a warp (eval.h has the contract; eval_atom.c is its twin).
//
// A warp holds the cells of one column in its lanes and goes through the atoms of that column; the ballots of the lanes are the
// words. What a lane cannot decide is marked in `redo`, and the program decides that row anew.
#include "device_parts.h"

namespace riffle {
namespace {

enum {
    SEARCH_STEPS_MAX = 1 << 20, // of one text in one lane; beyond, the CPU's linear search is the better one
    BLOCKS_PER_SM = 4           // at least: without a bound ptxas aims at more, and spills
};

enum answer { NO, YES, FAILED, REDO };

struct cell {
    uint32_t tag;
    uint64_t payload;
    uint32_t begin, length;
};

__device__ bool is_number(uint32_t tag)
{
    return tag == RF_TAG_NUMBER || tag == RF_TAG_DOUBLE;
}

__device__ bool is_integer(uint32_t tag)
{
    return tag == RF_TAG_BIGINT || tag == RF_TAG_INT;
}

__device__ bool is_natural(uint32_t tag)
{
    return tag == RF_TAG_BIGUINT || tag == RF_TAG_UINT;
}

__device__ bool is_string(uint32_t tag)
{
    return tag == RF_TAG_STRING_RAW || tag == RF_TAG_STRING_ESCAPED;
}

__device__ bool is_missing(uint32_t tag)
{
    return tag == RF_TAG_NOPARENT || tag == RF_TAG_ABSENT || tag == RF_TAG_RANGE || tag == RF_TAG_ERROR;
}

__device__ answer answer_of(bool holds)
{
    return holds ? YES : NO;
}

// Of a value of another type: unequal, and without an order.
__device__ answer mismatch(uint32_t compare)
{
    return compare == RF_EQ ? NO : FAILED;
}

template <class T> __device__ bool holds(uint32_t compare, T a, T b)
{
    switch (compare) {
    case RF_EQ:
        return a == b;
    case RF_LT:
        return a < b;
    case RF_LE:
        return a <= b;
    case RF_GT:
        return a > b;
    default:
        return a >= b;
    }
}

__device__ const uint8_t *text_of(const eval_args &args, const cell &cell)
{
    return ((cell.begin & RF_SIDE_BIT) != 0 ? args.side : args.bytes) + (cell.begin & ~RF_SIDE_BIT);
}

__device__ bool bytes_equal(const uint8_t *a, const char *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (a[i] != (uint8_t)b[i]) {
            return false;
        }
    }
    return true;
}

// Less than 0, 0, more than 0: byte order. The heads decide most.
__device__ int text_order(const eval_args &args, const cell &cell, uint64_t head, const char *text, uint32_t count)
{
    if (cell.payload != head) {
        return cell.payload < head ? -1 : 1;
    }
    const uint32_t both = cell.length < count ? cell.length : count;
    if (both > 8) {
        const uint8_t *bytes = text_of(args, cell);
        for (uint32_t i = 8; i < both; i++) {
            if (bytes[i] != (uint8_t)text[i]) {
                return bytes[i] < (uint8_t)text[i] ? -1 : 1;
            }
        }
    }
    return cell.length == count ? 0 : cell.length < count ? -1 : 1;
}

__device__ bool text_equals(const eval_args &args, const cell &cell, uint64_t head, const char *text, uint32_t count)
{
    return cell.length == count && cell.payload == head &&
           (count <= 8 || bytes_equal(text_of(args, cell) + 8, text + 8, count - 8));
}

__device__ answer compare_number(const rf_device_atom &atom, const cell &cell)
{
    if (is_number(cell.tag)) {
        return answer_of(holds(atom.double_compare, __longlong_as_double((long long)cell.payload),
                               __longlong_as_double((long long)atom.double_bits)));
    }
    if (is_integer(cell.tag)) {
        return answer_of(holds(atom.integer_compare, (int64_t)cell.payload, (int64_t)atom.integer_bits));
    }
    if (is_natural(cell.tag)) {
        return answer_of(holds(atom.natural_compare, cell.payload, atom.natural_bits));
    }
    return mismatch(atom.compare);
}

__device__ answer compare_text(const eval_args &args, const rf_device_atom &atom, const cell &cell)
{
    if (!is_string(cell.tag)) {
        return mismatch(atom.compare);
    }
    const char *text = args.text + atom.text;
    if (atom.compare == RF_EQ) {
        return answer_of(text_equals(args, cell, atom.head, text, atom.text_bytes));
    }
    return answer_of(holds(atom.compare, text_order(args, cell, atom.head, text, atom.text_bytes), 0));
}

__device__ answer search_part(const eval_args &args, const rf_device_atom &atom, const cell &cell)
{
    if (!is_string(cell.tag)) {
        return FAILED;
    }
    const uint32_t count = atom.text_bytes;
    if (count > cell.length) {
        return NO;
    }
    if (count == 0) {
        return YES;
    }
    const char *part = args.text + atom.text;
    const uint8_t *text = text_of(args, cell);
    if (atom.kind == RF_ATOM_STARTS) {
        const uint64_t mask = count >= 8 ? ~0ull : ~0ull << (64 - 8 * count);
        return answer_of((cell.payload & mask) == atom.head && (count <= 8 || bytes_equal(text + 8, part + 8, count - 8)));
    }
    if (atom.kind == RF_ATOM_ENDS) {
        return answer_of(bytes_equal(text + (cell.length - count), part, count));
    }
    if ((uint64_t)(cell.length - count + 1) * count > SEARCH_STEPS_MAX) {
        return REDO;
    }
    for (uint32_t at = 0; at + count <= cell.length; at++) {
        if (text[at] == (uint8_t)part[0] && bytes_equal(text + at, part, count)) {
            return YES;
        }
    }
    return NO;
}

__device__ bool has_string(const eval_args &args, const rf_device_atom &atom, const cell &cell)
{
    uint32_t low = 0;
    uint32_t high = atom.strings;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const rf_device_string string = args.string[atom.first_string + middle];
        const int order = text_order(args, cell, string.head, args.text + string.text, string.bytes);
        if (order == 0) {
            return true;
        }
        if (order > 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return false;
}

template <class T> __device__ T bits_as(uint64_t bits)
{
    return (T)bits;
}

template <> __device__ double bits_as<double>(uint64_t bits)
{
    return __longlong_as_double((long long)bits);
}

// NaN is in no list: it is neither less nor greater, so the search ends at a constant that it does not equal.
template <class T> __device__ bool has_number(const uint64_t *number, uint32_t count, uint64_t payload)
{
    const T value = bits_as<T>(payload);
    uint32_t low = 0;
    uint32_t high = count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (bits_as<T>(number[middle]) < value) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < count && bits_as<T>(number[low]) == value;
}

__device__ answer search_list(const eval_args &args, const rf_device_atom &atom, const cell &cell)
{
    if (is_string(cell.tag)) {
        return answer_of(has_string(args, atom, cell));
    }
    if (is_number(cell.tag)) {
        return answer_of(has_number<double>(args.number + atom.first_double, atom.doubles, cell.payload));
    }
    if (is_integer(cell.tag)) {
        return answer_of(has_number<int64_t>(args.number + atom.first_integer, atom.integers, cell.payload));
    }
    if (is_natural(cell.tag)) {
        return cell.payload <= (uint64_t)INT64_MAX
                   ? answer_of(has_number<int64_t>(args.number + atom.first_integer, atom.integers, cell.payload))
                   : answer_of(has_number<uint64_t>(args.number + atom.first_natural, atom.naturals, cell.payload));
    }
    const uint32_t tag = cell.tag == RF_TAG_NULL ? 1 : cell.tag == RF_TAG_FALSE ? 2 : cell.tag == RF_TAG_TRUE ? 4 : 0;
    return answer_of((atom.tags & tag) != 0);
}

__device__ cell cell_load(const eval_args &args, uint32_t column, uint32_t row)
{
    const rf_device_column in = args.column[column];
    cell out;
    out.tag = in.tag[row];
    out.payload = in.payload[row];
    out.begin = in.begin == nullptr ? 0 : in.begin[row];
    out.length = in.length == nullptr ? 0 : in.length[row];
    return out;
}

__device__ answer compare_columns(const eval_args &args, const rf_device_atom &atom, const cell &a, uint32_t row)
{
    const cell b = cell_load(args, atom.other, row);
    if (is_missing(b.tag)) {
        return FAILED;
    }
    if (is_number(a.tag) && is_number(b.tag)) {
        return answer_of(holds(atom.compare, __longlong_as_double((long long)a.payload), __longlong_as_double((long long)b.payload)));
    }
    if (is_string(a.tag) && is_string(b.tag)) {
        const int order = text_order(args, a, b.payload, (const char *)text_of(args, b), b.length);
        return answer_of(holds(atom.compare, order, 0));
    }
    return REDO;
}

// Code points: bytes that do not go on with one.
__device__ answer compare_size(const eval_args &args, const rf_device_atom &atom, const cell &cell)
{
    if (!is_string(cell.tag) || cell.length > SEARCH_STEPS_MAX) {
        return REDO;
    }
    const uint8_t *text = text_of(args, cell);
    int64_t size = 0;
    for (uint32_t i = 0; i < cell.length; i++) {
        size += (text[i] & 0xc0) != 0x80;
    }
    return answer_of(holds(atom.integer_compare, size, (int64_t)atom.integer_bits));
}

// a <op> b, and whether that is defined. As arith_step in eval_loops.h.
__device__ bool arith_step(uint32_t op, double &a, double b)
{
    switch (op) {
    case RF_ARITH_ADD:
        a += b;
        return true;
    case RF_ARITH_SUB:
        a -= b;
        return true;
    case RF_ARITH_MUL:
        a *= b;
        return true;
    case RF_ARITH_DIV:
        a /= b;
        return true;
    case RF_ARITH_NEG:
        a = -a;
        return true;
    default: { // RF_ARITH_MOD
        const double limit = 9007199254740992.0; // 2^53
        const bool is_defined = fabs(a) <= limit && fabs(b) <= limit && trunc(a) == a && trunc(b) == b && b != 0;
        a = is_defined ? fmod(a, b) : 0;
        return is_defined;
    }
    }
}

__device__ answer compare_arith(const eval_args &args, const rf_device_atom &atom, uint32_t row)
{
    double stack[RF_ARITH_STACK_MAX];
    uint32_t top = 0;
    bool is_defined = true;
    bool has_other = false;
    for (uint32_t i = 0; i < atom.codes; i++) {
        const rf_device_arith code = args.arith[atom.first_code + i];
        if (code.op == RF_ARITH_SLOT) {
            const rf_device_column in = args.column[code.column];
            const uint32_t tag = in.tag[row];
            if (is_missing(tag)) {
                return FAILED;
            }
            has_other |= tag != RF_TAG_NUMBER;
            stack[top++] = __longlong_as_double((long long)in.payload[row]);
        } else if (code.op == RF_ARITH_CONST) {
            stack[top++] = code.constant;
        } else {
            top -= code.op != RF_ARITH_NEG;
            is_defined &= arith_step(code.op, stack[top - 1], stack[code.op != RF_ARITH_NEG ? top : top - 1]);
        }
    }
    return has_other ? REDO : !is_defined ? FAILED : answer_of(holds(atom.compare, stack[0], stack[1]));
}

// The cell is not missing, unless the atom asks for presence.
__device__ answer decide(const eval_args &args, const rf_device_atom &atom, const cell &cell, uint32_t row)
{
    switch (atom.kind) {
    case RF_ATOM_TRUTH:
        return cell.tag == RF_TAG_TRUE ? YES : cell.tag == RF_TAG_FALSE ? NO : FAILED;
    case RF_ATOM_EQ_NULL:
        return answer_of(cell.tag == RF_TAG_NULL);
    case RF_ATOM_CMP_BOOL:
        return cell.tag == RF_TAG_FALSE  ? answer_of((atom.tags & 1) != 0)
               : cell.tag == RF_TAG_TRUE ? answer_of((atom.tags & 2) != 0)
                                         : mismatch(atom.compare);
    case RF_ATOM_CMP_NUM:
        return compare_number(atom, cell);
    case RF_ATOM_CMP_STR:
        return compare_text(args, atom, cell);
    case RF_ATOM_CMP_SLOT:
        return compare_columns(args, atom, cell, row);
    case RF_ATOM_IN:
        return search_list(args, atom, cell);
    case RF_ATOM_SIZE:
        return compare_size(args, atom, cell);
    default: // STARTS, ENDS, CONTAINS
        return search_part(args, atom, cell);
    }
}

__device__ answer decide_any(const eval_args &args, const rf_device_atom &atom, const cell &cell, uint32_t row)
{
    if (atom.kind == RF_ATOM_HOST) {
        return REDO;
    }
    if (atom.kind == RF_ATOM_ARITH) {
        return compare_arith(args, atom, row);
    }
    if (cell.tag >= RF_TAG_HOST) {
        return REDO;
    }
    if (atom.kind == RF_ATOM_HAS) {
        return cell.tag == RF_TAG_NOPARENT ? FAILED : answer_of(cell.tag != RF_TAG_ABSENT);
    }
    return is_missing(cell.tag) ? FAILED : decide(args, atom, cell, row);
}

// Block (32, WORDS_PER_BLOCK): a warp has one word of rows; grid.y: tiles of atoms.
__global__ void __launch_bounds__(32 * WORDS_PER_BLOCK, BLOCKS_PER_SM) atoms_kernel(const eval_args args)
{
    const uint32_t word = blockIdx.x * WORDS_PER_BLOCK + threadIdx.y;
    if (word >= args.words) {
        return; // the whole warp
    }
    const uint32_t row = word * ROWS_PER_WORD + threadIdx.x;
    const bool is_row = row < args.rows;
    const uint32_t first = blockIdx.y * ATOMS_PER_TILE;
    const uint32_t end = first + ATOMS_PER_TILE < args.atoms ? first + ATOMS_PER_TILE : args.atoms;
    uint32_t column = UINT32_MAX;
    cell in = {RF_TAG_ABSENT, 0, 0, 0};
    bool has_redo = false;
    for (uint32_t a = first; a < end; a++) {
        const rf_device_atom &atom = args.atom[a];
        if (atom.column != column) { // of ARITH and HOST: none
            column = atom.column;
            if (is_row && column != UINT32_MAX) {
                in = cell_load(args, column, row);
            }
        }
        const answer found = is_row ? decide_any(args, atom, in, row) : NO;
        __syncwarp();
        const uint32_t truth = __ballot_sync(~0u, found == YES);
        const uint32_t falsity = __ballot_sync(~0u, found == NO);
        has_redo |= found == REDO;
        if (threadIdx.x == 0) {
            args.truth[(size_t)atom.out * args.words + word] = truth;
            args.falsity[(size_t)atom.out * args.words + word] = falsity;
        }
    }
    const uint32_t redo = __ballot_sync(~0u, has_redo);
    if (threadIdx.x == 0 && redo != 0) {
        atomicOr(&args.redo[word], redo);
    }
}

} // namespace

void eval_atoms_start(const struct eval_args &args, cudaStream_t stream)
{
    if (args.atoms == 0 || args.words == 0) {
        return;
    }
    const dim3 grid((args.words + WORDS_PER_BLOCK - 1) / WORDS_PER_BLOCK, (args.atoms + ATOMS_PER_TILE - 1) / ATOMS_PER_TILE);
    atoms_kernel<<<grid, dim3(32, WORDS_PER_BLOCK), 0, stream>>>(args);
}

} // namespace riffle
