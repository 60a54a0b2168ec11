/* eval_rank.h: many comparisons of one column with constants, by the place of each value among them.
 *
 * Purpose    With n constants in order, one search gives a row's code, from which every comparison is one of small integers:
 *            its cost is that of 32 rows a vector instead of 8, and the search is done once for all.
 * Data       bound[N + S] doubles: the N distinct constants ascending (-0 and 0 are one), then NaN
 *            start[B]: the range of the constants is cut into B buckets of one width, and start is how many lie in those before.
 *            What lies in a bucket before that of x is less than x, and what lies in one behind is not, since (x - low) * scale
 *            never falls where x grows; so the search goes on among the at most S - 1 constants of one bucket. Constants at even
 *            distances have one or two in each; the worst, all but one in a single bucket, are searched as without any.
 *            code[R] u16: 2 L + E, L constants less than the value, E: 1 when it equals the next
 *            x < c_i is code < 2 i + 1; x <= c_i is code < 2 i + 2; > and >= are their opposites for rows that are ordered
 *            (no NaN); x == c_i is code == 2 i + 1
 *            A constant that is NaN is equal to nothing and less than nothing: code < 0.
 * Ownership  the arena's.
 * Errors     RF_E_MEMORY.
 */
#ifndef RF_EVAL_RANK_H
#define RF_EVAL_RANK_H

#include "arena.h"
#include "eval_kernels.h"

enum { RF_EVAL_RANK_MIN = 48, RF_EVAL_RANK_MAX = 16000 }; /* comparisons of a column; codes fit 15 bits */

/* The test of a comparison with constant number place, among codes as above. Also for texts in order (eval_text.h). */
struct rf_eval_code_test rf_eval_code_test_make(enum rf_compare compare, uint32_t place);

/* bits[count], compare[count]: the constants and their operators. */
enum rf_status rf_eval_rank_make(struct rf_eval_rank **out, const uint64_t *bits, const enum rf_compare *compare,
                                 uint32_t count, struct rf_arena *arena, struct rf_error *err);

#endif
