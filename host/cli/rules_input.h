/* rules_input.h: a rules file named on a command line, compiled.
 *
 * Purpose    What commands with rules files begin with: read, check, compile; --fix-dict and --strict-cel as for
 *            expressions. What the input will be is the caller's to know: rf_rules_input_format for those without any.
 * Ownership  rf_rules_input_close frees; it may be called after a failure too.
 * Threads    the main thread; afterwards immutable.
 * Errors     told on standard error, all problems of the file at once; the result is an exit status.
 */
#ifndef RF_RULES_INPUT_H
#define RF_RULES_INPUT_H

#include "flag.h"
#include "rules.h"

struct rf_rules_input {
    struct rf_text text; /* the file */
    struct rf_rules *rules;
    struct rf_rules_program program;
    unsigned format;        /* RF_FORMAT_*, not AUTO */
    struct rf_arena arena;  /* of the dictionary */
    struct rf_env env;      /* of FIX */
};

/* -f; auto is ndjson unless --fix-dict says fix. */
unsigned rf_rules_input_format(const struct rf_flags *flags);
/* When a record happened: --time; of FIX SendingTime where neither that nor the file says. */
void rf_rules_input_time(const struct rf_flags *flags, unsigned format, struct rf_rules_extra *extra);
/* format: RF_FORMAT_*, not AUTO. RF_EXIT_DONE; RF_EXIT_CONFIG: something is wrong with the file; RF_EXIT_EXPRESSION: with an expression of extra;
 * RF_EXIT_FAILURE. name "-" is standard input. */
int rf_rules_input_open(struct rf_rules_input *input, const char *name, unsigned format, const struct rf_rules_extra *extra,
                        const struct rf_flags *flags);
void rf_rules_input_close(struct rf_rules_input *input);

#endif
