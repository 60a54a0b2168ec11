/* fix_sum.h: the sum of bytes behind CheckSum (10), and how often one occurs in it.
 *
 * Data       any bytes; the sum modulo 2^32, of which CheckSum is the lowest byte.
 * Threads    pure functions.
 * Errors     none. No byte outside of the text is read.
 * Cost       32 bytes in about two cycles: x86-64 always has a sum of 16 bytes in one instruction (PSADBW), so no level is
 *            chosen at run time. A wider one would save four of eleven loads for an order, and cost the choice.
 */
#ifndef RF_FIX_SUM_H
#define RF_FIX_SUM_H

#include <stddef.h>
#include <stdint.h>

uint32_t rf_fix_text_sum(const char *bytes, size_t count);
/* CheckSum where a byte stands for SOH; of texts of 16 bytes and more. */
uint8_t rf_fix_sum_as_soh(const char *bytes, size_t count, char separator);
/* How often a byte occurs; in logs the separators of a message stand for SOH. */
size_t rf_fix_text_count(const char *bytes, size_t count, char byte);

#endif
