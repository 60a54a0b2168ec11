/* eval_text.h: many tests of one column of texts, by one search for each row.
 *
 * Purpose    With the constants of all tests in order, the last one that is not greater than a text tells everything: the constant
 *            that equals it, its place for < <= > >=, and all that begin it, since whatever begins the text and is not greater begins
 *            that constant too. The cost for each test is that of clearing its bits, and of those that it sets.
 * Data       N distinct constants in byte order, head[N] their first 8 bytes, tail[N] the next 8, node[N] the rest
 *            atom[M]: for each constant the tests that hold where the text equals it (==, in), then those that hold where it begins
 *            the text (startsWith)
 *            code[R] u16, of < <= > >= alone: as in eval_rank.h, with texts for values
 * Ownership  the arena's; texts of constants are the program's.
 * Threads    immutable once made.
 * Errors     RF_E_MEMORY.
 * Cost       log2(N) steps without branches for each row; as many again among constants that have their
 *            first 8 bytes in common; texts are compared where 16 bytes are equal.
 */
#ifndef RF_EVAL_TEXT_H
#define RF_EVAL_TEXT_H

#include "eval_atom.h"

enum {
    RF_EVAL_TEXTS_MIN = 160,        /* what a search for each row costs, in comparisons of a head by itself */
    RF_EVAL_TEXTS_SET_MAX = 4096,   /* longer lists have a table of their own (eval_set.h) */
    RF_EVAL_TEXTS_ORDER_MAX = 16000 /* codes fit 15 bits */
};

enum rf_eval_texts_kind {
    RF_EVAL_TEXTS_NONE,  /* no test that can be joined with others */
    RF_EVAL_TEXTS_PARTS, /* ==, in, startsWith; of lists the texts: eval_atom.c adds what else is in them */
    RF_EVAL_TEXTS_ORDER  /* < <= > >= */
};

struct rf_eval_texts;

enum rf_eval_texts_kind rf_eval_texts_kind(const struct rf_atom *atom);
/* What the atom costs by itself, in the unit of RF_EVAL_TEXTS_MIN: at least so much together is joined. */
uint32_t rf_eval_texts_cost(const struct rf_atom *atom);
/* atom[count]: numbers of atoms of program, all of one kind that is not NONE, on one slot. */
enum rf_status rf_eval_texts_make(struct rf_eval_texts **out, enum rf_eval_texts_kind kind,
                                  const struct rf_program *program, const uint32_t *atom, uint32_t count,
                                  struct rf_arena *arena, struct rf_error *err);
/* Fills the registers of these atoms. in: the slot's cells from the block's first row on; block->classes are its. */
void rf_eval_texts_run(const struct rf_eval_texts *texts, const struct rf_eval_block *block,
                       const struct rf_calc_view *in);

#endif
