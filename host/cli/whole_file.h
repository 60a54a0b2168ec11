/* whole_file.h: a small file as one text.
 *
 * Threads    any.
 * Bounds     bytes_max.
 * Errors     RF_E_IO, RF_E_LIMIT, RF_E_MEMORY; the text names the file.
 */
#ifndef RF_WHOLE_FILE_H
#define RF_WHOLE_FILE_H

#include "text.h"

/* Appends what the file holds; "-" is standard input. */
enum rf_status rf_whole_file_read(const char *name, size_t bytes_max, struct rf_text *out, struct rf_error *err);

#endif
