/* parser.h: source text to syntax tree.
 *
 * Purpose    rf_parse = lexer (lexer.h) + precedence parser. Names stay as they are written: rf_resolve (resolve.h)
 *            says what they mean.
 * Bounds     source 64 KiB, nesting 256 levels (explicit check, no stack overflow); every node takes a byte of source at least.
 * Errors     RF_E_EXPR with *diagnostic filled; RF_E_MEMORY, RF_E_LIMIT for the arena.
 * Source     CEL language definition, "Syntax"; ../docs/expressions.md
 */
#ifndef RF_PARSER_H
#define RF_PARSER_H

#include "ast.h"
#include "diagnostic.h"

enum { RF_EXPR_BYTES_MAX = 64 * 1024, RF_EXPR_DEPTH_MAX = 256 };

enum rf_status rf_parse(struct rf_str source, struct rf_arena *arena, struct rf_node **out,
                        struct rf_diagnostic *diagnostic, struct rf_error *err);

#endif
