/* text.h: a growing run of bytes, for output and messages.
 *
 * Ownership  the owner calls rf_text_free. Memory grows by doubling and is kept by rf_text_clear, so a
 *            steady state allocates nothing.
 * Threads    one thread at a time.
 * Errors     RF_E_MEMORY.
 */
#ifndef RF_TEXT_H
#define RF_TEXT_H

#include <stdarg.h>
#include <stddef.h>

#include "status.h"
#include "str.h"

struct rf_text {
    char *data;
    size_t count;
    size_t capacity;
};

void rf_text_free(struct rf_text *text);
static inline void rf_text_clear(struct rf_text *text) { text->count = 0; }
static inline struct rf_str rf_text_str(const struct rf_text *text)
{
    return (struct rf_str){text->data, text->count};
}
/* Makes room for `more` further bytes. */
enum rf_status rf_text_reserve(struct rf_text *text, size_t more, struct rf_error *err);
enum rf_status rf_text_append(struct rf_text *text, struct rf_str part, struct rf_error *err);
enum rf_status rf_text_append_char(struct rf_text *text, char c, struct rf_error *err);
/* In decimal digits. */
enum rf_status rf_text_append_number(struct rf_text *text, uint64_t number, struct rf_error *err);
enum rf_status rf_text_printf(struct rf_text *text, struct rf_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
