/* fix_record.h: one FIX record as values: the reference reader, for the interpreter.
 *
 * Purpose    Frames the record by the one rule (fix_entry.h), reads its fields in plain code (fix_fields.h), and gives each
 *            access of the program its value.
 * Data       value[program->fixes]; RF_TYPE_DYN: the message has no such field. An entry of a group is a map from names to
 *            values, in the order of the message; a nested group is there under the name of its list, and the field that
 *            counts it under its own. A group ends at the first field that is no member of it. Of a tag that an entry has twice
 *            the first counts.
 * Ownership  values live in the arena, or point into the text.
 * Threads    pure, apart from the arena. Recursion is as deep as groups nest (RF_FIX_GROUP_DEPTH_MAX).
 * Errors     *malformed: the record holds no message, or a broken one. RF_E_MEMORY: the arena is full.
 */
#ifndef RF_FIX_RECORD_H
#define RF_FIX_RECORD_H

#include "program.h"
#include "reason.h"
#include "value.h"

/* The text is followed by line_end_bytes of a line end, which may stand in place of the message's last separator; without
 * one (0) such a message has broken off. is_lenient: a message with a wrong BodyLength or CheckSum is well formed. */
enum rf_status rf_fix_record_read(const struct rf_program *program, struct rf_str text, size_t line_end_bytes,
                                  bool is_lenient, struct rf_arena *arena, struct rf_value *value,
                                  struct rf_malformed *malformed, struct rf_error *err);

#endif
