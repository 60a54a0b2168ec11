#include "text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { TEXT_BYTES_MIN = 64 };

void rf_text_free(struct rf_text *text)
{
    free(text->data);
    *text = (struct rf_text){0};
}

enum rf_status rf_text_reserve(struct rf_text *text, size_t more, struct rf_error *err)
{
    if (more <= text->capacity - text->count) {
        return RF_OK;
    }
    if (more > SIZE_MAX / 2 - text->count) {
        RF_FAIL(err, RF_E_MEMORY, "a text of %zu + %zu bytes is too large", text->count, more);
    }
    const size_t wanted = text->count + more;
    size_t capacity = text->capacity < TEXT_BYTES_MIN ? TEXT_BYTES_MIN : text->capacity;
    while (capacity < wanted) {
        capacity *= 2;
    }
    char *const data = realloc(text->data, capacity);
    if (data == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for a text of %zu bytes", wanted);
    }
    text->data = data;
    text->capacity = capacity;
    return RF_OK;
}

enum rf_status rf_text_append(struct rf_text *text, struct rf_str part, struct rf_error *err)
{
    RF_TRY(rf_text_reserve(text, part.count, err));
    if (part.count != 0) {
        memcpy(text->data + text->count, part.data, part.count);
        text->count += part.count;
    }
    return RF_OK;
}

enum rf_status rf_text_append_char(struct rf_text *text, char c, struct rf_error *err)
{
    if (text->count == text->capacity) {
        RF_TRY(rf_text_reserve(text, 1, err));
    }
    text->data[text->count++] = c;
    return RF_OK;
}

enum rf_status rf_text_append_number(struct rf_text *text, uint64_t number, struct rf_error *err)
{
    char digits[20];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    return rf_text_append(text, (struct rf_str){digits + at, sizeof digits - at}, err);
}

enum rf_status rf_text_printf(struct rf_text *text, struct rf_error *err, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int needed = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (needed < 0) {
        RF_FAIL(err, RF_E_MEMORY, "a text cannot be formatted");
    }
    /* The zero byte that vsnprintf writes needs room too, but does not count. */
    RF_TRY(rf_text_reserve(text, (size_t)needed + 1, err));
    va_start(arguments, format);
    vsnprintf(text->data + text->count, (size_t)needed + 1, format, arguments);
    va_end(arguments);
    text->count += (size_t)needed;
    return RF_OK;
}
