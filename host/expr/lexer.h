/* lexer.h: source text to tokens.
 *
 * Purpose    rf_lexer_next gives one token after another; white space (form feed included) and // comments are passed
 *            over. Literals arrive decoded.
 * Data       a token's span is bytes of the source; `text` of IDENT and RESERVED lies in the source, that of BACKTICK
 *            between its backticks, that of STRING and BYTES in the arena.
 * Ownership  the source must outlive the tokens.
 * Threads    one lexer, one thread.
 * Errors     RF_E_EXPR with *diagnostic filled; RF_E_LIMIT when the arena is full.
 * Source     CEL language definition, "Syntax".
 */
#ifndef RF_LEXER_H
#define RF_LEXER_H

#include "arena.h"
#include "ast.h"
#include "diagnostic.h"

enum rf_token_kind {
#define RF_TOKEN(name, text) name,
#include "token.def"
#undef RF_TOKEN
    RF_TOKEN_COUNT
};

struct rf_token {
    enum rf_token_kind kind;
    struct rf_span span;
    struct rf_str text;
    uint64_t integer; /* INT (magnitude: a minus sign is an operator to the lexer), UINT */
    double number;    /* DOUBLE */
};

struct rf_lexer {
    struct rf_str source;
    size_t at;
    struct rf_arena *arena;
    struct rf_diagnostic *diagnostic;
};

const char *rf_token_text(enum rf_token_kind kind);
enum rf_status rf_lexer_next(struct rf_lexer *lexer, struct rf_token *token, struct rf_error *err);

#endif
