/* case_file.h: the plain text of tests/cases as groups of one expression and its records (docs/testing.md).
 *
 * Data       group[G], each with record[R] in the order of the file
 * Ownership  everything lives in the arena given to case_file_read.
 * Errors     RF_E_IO, RF_E_FORMAT with file:line, RF_E_MEMORY.
 */
#ifndef RF_CASE_FILE_H
#define RF_CASE_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "arena.h"
#include "status.h"
#include "str.h"

enum { CASE_SELECTS_MAX = 8, CASE_RECORDS_MAX = 1024 };

struct case_record {
    uint32_t line;
    char mark; /* '+' selected, '-' rejected, '!' evaluation error, 'x' malformed, '_' blank */
    struct rf_str text;
    struct rf_str output; /* of a selected record in a group with `select`; .data is NULL without one */
};

struct case_group {
    uint32_t line; /* of its expression */
    struct rf_str expression;
    struct rf_str select[CASE_SELECTS_MAX];
    uint32_t selects;
    bool is_validating, is_strict_cel, is_text, is_csv, is_inverted, is_open; /* is_open: no line end at the end */
    bool is_fix, is_fix_lenient; /* records are FIX, with the names of FIX 4.4 */
    bool is_joined;              /* no line ends at all: one record behind the other */
    uint32_t depth_max;
    struct case_record *record;
    uint32_t records;
};

struct case_file {
    struct case_group *group;
    uint32_t groups;
};

enum rf_status case_file_read(const char *name, struct rf_arena *arena, struct case_file *out, struct rf_error *err);

#endif
