/* file_text.h: a small file as one text, for what is read whole: rules, results.
 *
 * Errors     RF_E_IO with the name; RF_E_LIMIT above bytes_max.
 */
#ifndef RF_FILE_TEXT_H
#define RF_FILE_TEXT_H

#include "text.h"

/* "-" is standard input. */
enum rf_status rf_file_text(const char *name, size_t bytes_max, struct rf_text *out, struct rf_error *err);

#endif
