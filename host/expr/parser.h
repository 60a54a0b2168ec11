/* parser.h: source text to syntax tree.
 *
 * Purpose    rf_parse = lexer (lexer.h) + precedence parser, then names are resolved: a bare identifier that is no root
 *            becomes msg.<identifier>; `msg.x`, `record.x`, `raw` stay. The parts of CEL that riffle does not have yet
 *            (macros, conversions, matches, time, ...) are recognised by name and refused with a message of their own.
 * Bounds     source 64 KiB, nesting 256 levels (explicit check, no stack overflow), 65,536 nodes.
 * Errors     RF_E_EXPR with *diagnostic filled; RF_E_MEMORY, RF_E_LIMIT for the arena.
 * Source     CEL language definition, "Syntax"; ../docs/expressions.md
 */
#ifndef RF_PARSER_H
#define RF_PARSER_H

#include "ast.h"
#include "diagnostic.h"

enum { RF_EXPR_BYTES_MAX = 64 * 1024, RF_EXPR_DEPTH_MAX = 256, RF_EXPR_NODES_MAX = 65536 };

enum rf_status rf_parse(struct rf_str source, struct rf_arena *arena, struct rf_node **out,
                        struct rf_diagnostic *diagnostic, struct rf_error *err);

#endif
