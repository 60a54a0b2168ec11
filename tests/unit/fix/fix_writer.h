/* fix_writer.h: an encoder that is obviously right: fields are printed into a text, and the frame is made around it. For
 * tests. */
#ifndef FIX_WRITER_H
#define FIX_WRITER_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { WRITER_BYTES = 1 << 17 };

struct writer {
    char body[WRITER_BYTES];
    size_t body_bytes;
    char message[WRITER_BYTES + 64];
    size_t count;
};

/* '|' in the format is a separator. */
static inline __attribute__((format(printf, 2, 3))) void writer_print(struct writer *writer, const char *format, ...)
{
    char with_separators[256];
    va_list arguments;
    strcpy(with_separators, format);
    for (char *at = with_separators; *at != 0; at++) {
        *at = *at == '|' ? '\1' : *at;
    }
    va_start(arguments, format);
    const int count = vsnprintf(writer->body + writer->body_bytes, sizeof(writer->body) - writer->body_bytes,
                                with_separators, arguments);
    va_end(arguments);
    writer->body_bytes += (size_t)count;
}

static inline void writer_add(struct writer *writer, unsigned tag, const char *value, size_t count)
{
    writer_print(writer, "%u=", tag);
    memcpy(writer->body + writer->body_bytes, value, count);
    writer->body_bytes += count;
    writer->body[writer->body_bytes++] = 1;
}

static inline void writer_end(struct writer *writer, const char *begin_string)
{
    unsigned sum = 0;
    const int head = sprintf(writer->message, "8=%s\0019=%zu\001", begin_string, writer->body_bytes);
    memcpy(writer->message + head, writer->body, writer->body_bytes);
    writer->count = (size_t)head + writer->body_bytes;
    for (size_t i = 0; i < writer->count; i++) {
        sum += (unsigned char)writer->message[i];
    }
    writer->count += (size_t)sprintf(writer->message + writer->count, "10=%03u\001", sum % 256);
}

#endif
