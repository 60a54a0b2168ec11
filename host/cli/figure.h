/* figure.h: numbers as people read them. Pure.
 *
 * Data       each writes a zero-terminated text into `text` and returns it.
 */
#ifndef RF_FIGURE_H
#define RF_FIGURE_H

#include <stdint.h>

enum { RF_FIGURE_BYTES = 40 };

/* 1,234,567 */
const char *rf_figure_exact(char text[RF_FIGURE_BYTES], uint64_t value);
/* Three digits and a decimal prefix: 999, 1.23k, 45.6M, 789G, 1.5T */
const char *rf_figure_short(char text[RF_FIGURE_BYTES], double value);
/* Bytes with decimal prefixes: 999 B, 1.23 kB, 45.6 MB, 2.70 GB */
const char *rf_figure_bytes(char text[RF_FIGURE_BYTES], double bytes);
/* 0:07, 12:34, 1:02:03; above 99 hours ">99 h" */
const char *rf_figure_time(char text[RF_FIGURE_BYTES], double seconds);

#endif
