/* glob.h: patterns of shells and of file names.
 *
 * Purpose    The whole text must match the whole pattern:
 *              *        any run of code points, also an empty one
 *              ?        one code point
 *              [a-z_]   one code point of a class, by number; [!a-z_] one that is not in it. A ] that comes first,
 *                       and a - that comes first or last, belong to the class
 *              \x       x itself, also inside a class; a \ that ends the pattern is itself
 *            Every other code point is itself, and so is a [ without its ]. Dots and slashes of the text are like any
 *            other code point to * and ?.
 * Data       text and pattern are valid UTF-8; on other bytes the call is safe and a code point is what chars.h says.
 * Threads    pure.
 * Cost       at most bytes of text times bytes of pattern steps, no memory, no recursion.
 * Source     POSIX.1-2017, Shell Command Language, 2.13, without its classes by name.
 */
#ifndef RF_GLOB_H
#define RF_GLOB_H

#include <stdbool.h>

#include "str.h"

bool rf_glob_match(struct rf_str text, struct rf_str pattern);

#endif
