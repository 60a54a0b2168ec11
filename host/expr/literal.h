/* literal.h: the inside of number and string literals, as the lexer meets them.
 *
 * Ownership  decoded text lives in the lexer's arena.
 * Threads    as the lexer.
 * Errors     as rf_lexer_next: an unknown escape, a surrogate, a number out of range.
 * Source     CEL language definition, "String and bytes values", "Numeric values".
 */
#ifndef RF_LITERAL_H
#define RF_LITERAL_H

#include "lexer.h"

/* lexer->at is at a digit, or at a point before a digit. */
enum rf_status rf_literal_number(struct rf_lexer *lexer, struct rf_token *token, struct rf_error *err);
/* lexer->at is at the opening quote; the token's span begins at the prefix (r, b), if there is one. */
enum rf_status rf_literal_string(struct rf_lexer *lexer, bool is_raw, bool is_bytes, struct rf_token *token,
                                 struct rf_error *err);

#endif
