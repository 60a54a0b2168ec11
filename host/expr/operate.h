/* operate.h: what operators and functions do to values.
 *
 * Purpose    One definition for the constant folder and the reference interpreter.
 * Data       Operands are complete values. An operand that is an error gives that error (the first one), whatever the
 *            other operands are; a failure of the operation is an error value too, never a failure of the call.
 * Numbers    int and uint stop at overflow and at division by zero; double follows IEEE 754. Operands of two different
 *            number types have no arithmetic, except that an int or uint beside a message number (is_message) is taken
 * as double; a result with a message number among its operands is a message number again, so that `price * qty / 100`
 * works step by step. `%` beside a message number takes integers up to 2^53. Comparison and == work on one exact number
 * line, everywhere. Ownership  new strings, lists and error texts are taken from the arena; when it is full the result
 * is an error value. Threads    pure, apart from the arena. Source     CEL language definition, "Arithmetic",
 * "Equality", "Ordering"; docs/expressions.md for message numbers.
 */
#ifndef RF_OPERATE_H
#define RF_OPERATE_H

#include "ast.h"

enum { RF_ARGS_MAX = 32 }; /* of a strict function */

/* Every function of function.def but those of the families LOGIC and MACRO, which are not strict and belong to their
 * evaluator (for these the result is an error). is_strict_cel: message numbers are plain doubles; else a message number
 * that is whole is taken as an int where only an int will do (rf_operate_is_whole). */
struct rf_value rf_operate(enum rf_function function, const struct rf_value *args, uint32_t count, bool is_strict_cel,
                           struct rf_arena *arena);
/* container[key]: an element of a list by an integral number, an entry of a map by an equal key. is_optional: an optional
 * of that, which holds nothing when there is no such element; so it is too when the container is an optional. */
struct rf_value rf_operate_index(struct rf_value container, struct rf_value key, bool is_optional,
                                 struct rf_arena *arena);
/* An optional that holds the value; an error stays one. */
struct rf_value rf_operate_some(struct rf_value value, struct rf_arena *arena);
/* has(container.name) for a map, or an optional that holds one or nothing; an error for every other type. */
struct rf_value rf_operate_has(struct rf_value container, struct rf_str name, struct rf_arena *arena);
/* A list of those items; args must outlive the value. Numbers beyond range may be items, here and in maps. */
struct rf_value rf_operate_list(const struct rf_value *args, uint32_t count, struct rf_arena *arena);
/* A map of key, value, key, value ... Keys of other types than bool, int, uint and string, and equal keys, are errors.
 */
struct rf_value rf_operate_map(const struct rf_value *args, uint32_t count, struct rf_arena *arena);
/* The value itself, or an error when it is a message number beyond the double range. */
struct rf_value rf_operate_usable(struct rf_value value, struct rf_arena *arena);
/* The whole number in a value (1, 1u and 1.0 alike), as lists are indexed; false when it is none. */
bool rf_operate_to_index(struct rf_value value, size_t *out);

/* The families, each in operate_<family>.c. Operands are usable: neither errors nor beyond range. A combination of types
 * that no signature has gives rf_operate_no_overload. */
struct rf_value rf_operate_text(enum rf_function function, const struct rf_value *args, uint32_t count,
                                struct rf_arena *arena);
struct rf_value rf_operate_convert(enum rf_function function, const struct rf_value *args, uint32_t count,
                                   struct rf_arena *arena);
struct rf_value rf_operate_time(enum rf_function function, const struct rf_value *args, uint32_t count,
                                struct rf_arena *arena);
struct rf_value rf_operate_math(enum rf_function function, const struct rf_value *args, uint32_t count,
                                struct rf_arena *arena);
struct rf_value rf_operate_code(enum rf_function function, const struct rf_value *args, uint32_t count,
                                struct rf_arena *arena);
struct rf_value rf_operate_optional(enum rf_function function, const struct rf_value *args, uint32_t count,
                                    struct rf_arena *arena);
struct rf_value rf_operate_net(enum rf_function function, const struct rf_value *args, uint32_t count,
                               struct rf_arena *arena);
/* What compiling a pattern for one match takes, in units of RF_WORK_MAX, about. */
uint64_t rf_operate_matches_work(struct rf_str text, struct rf_str pattern);
/* text.format(values): operate_format.c. */
struct rf_value rf_operate_format(struct rf_value text, const struct rf_list *values, struct rf_arena *arena);

/* A message number whose value is whole, as the int (or uint above the range of int) that it is. */
bool rf_operate_whole(struct rf_value value, struct rf_value *whole);
struct rf_value rf_operate_no_overload(enum rf_function function, const struct rf_value *args, uint32_t count,
                                       struct rf_arena *arena);

/* Error values, for evaluators that look into containers themselves. Texts are in the arena, cut to about 160 bytes. */
struct rf_value rf_operate_error(struct rf_arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
struct rf_value rf_operate_no_key(struct rf_value key, struct rf_arena *arena);
struct rf_value rf_operate_no_element(size_t count, struct rf_arena *arena);
struct rf_value rf_operate_no_index(enum rf_type container, enum rf_type key, struct rf_arena *arena);
struct rf_value rf_operate_no_has(enum rf_type container, struct rf_arena *arena);

#endif
