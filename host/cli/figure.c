/* figure.c: numbers as people read them. */
#include "figure.h"

#include <inttypes.h>
#include <stdio.h>

const char *rf_figure_exact(char text[RF_FIGURE_BYTES], uint64_t value)
{
    char digits[24];
    const int count = snprintf(digits, sizeof digits, "%" PRIu64, value);
    int used = 0;
    for (int i = 0; i < count; i++) {
        if (i > 0 && (count - i) % 3 == 0) {
            text[used++] = ',';
        }
        text[used++] = digits[i];
    }
    text[used] = '\0';
    return text;
}

/* Scales below 1000 (999.5 and above would print as 1000) and gives the number of the prefix. */
static unsigned scale(double *value)
{
    unsigned prefix = 0;
    while (*value >= 999.5 && prefix < 6) {
        *value /= 1000;
        prefix++;
    }
    return prefix;
}

/* Three significant digits. */
static int decimals_of(double value)
{
    return value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
}

const char *rf_figure_short(char text[RF_FIGURE_BYTES], double value)
{
    static const char *const prefixes[] = {"", "k", "M", "G", "T", "P", "E"};
    const unsigned prefix = scale(&value);
    (void)snprintf(text, RF_FIGURE_BYTES, "%.*f%s", prefix == 0 ? 0 : decimals_of(value), value, prefixes[prefix]);
    return text;
}

const char *rf_figure_bytes(char text[RF_FIGURE_BYTES], double bytes)
{
    static const char *const prefixes[] = {"", "k", "M", "G", "T", "P", "E"};
    const unsigned prefix = scale(&bytes);
    (void)snprintf(text, RF_FIGURE_BYTES, "%.*f %sB", prefix == 0 ? 0 : decimals_of(bytes), bytes, prefixes[prefix]);
    return text;
}

const char *rf_figure_time(char text[RF_FIGURE_BYTES], double seconds)
{
    if (!(seconds < 99 * 3600.0)) {
        (void)snprintf(text, RF_FIGURE_BYTES, ">99 h");
        return text;
    }
    const unsigned whole = seconds > 0 ? (unsigned)(seconds + 0.5) : 0;
    if (whole >= 3600) {
        (void)snprintf(text, RF_FIGURE_BYTES, "%u:%02u:%02u", whole / 3600, whole / 60 % 60, whole % 60);
    } else {
        (void)snprintf(text, RF_FIGURE_BYTES, "%u:%02u", whole / 60, whole % 60);
    }
    return text;
}
