/* cut.h: where records begin and end in a run of bytes. Pure; all that framing of lines is.
 *
 * Data       a record is what lies between line ends (LF or CRLF); its content excludes the line end. A CR at the end
 *            of the input, with no LF behind it, is content.
 * Cost       rf_cut_oversize looks at the bytes around each limit only, at most twice at each byte, and not at all when
 *            the run is no longer than the limit.
 */
#ifndef RF_CUT_H
#define RF_CUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum rf_bom { RF_BOM_NONE, RF_BOM_SHORT /* more bytes decide */, RF_BOM_UTF8, RF_BOM_UTF16 };
enum { RF_BOM_BYTES = 3 };

/* What an input begins with, as far as its first bytes tell. */
enum rf_bom rf_cut_bom(const uint8_t *bytes, size_t count);

/* Offset one past the last LF; 0 when there is none. */
size_t rf_cut_last(const uint8_t *bytes, size_t count);

/* Content bytes of one record with its line end (line[count - 1] is LF). */
size_t rf_cut_content(const uint8_t *line, size_t count);

/* Offset of the first record whose content exceeds record_bytes_max; count when there is none. The run begins at a
 * record; its last record may lack its line end. */
size_t rf_cut_oversize(const uint8_t *bytes, size_t count, size_t record_bytes_max);

#endif
