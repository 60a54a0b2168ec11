/* riffle_fix.c: the encoder of host/fix under its public names. */
#include "riffle_fix.h"

#include <stdio.h>
#include <string.h>

#include "fix_encode.h"

_Static_assert(sizeof(struct riffle_fix_template) >= sizeof(struct rf_fix_template), "the public one has room");
_Static_assert(sizeof(struct riffle_fix_encoder) >= sizeof(struct rf_fix_encoder), "the public one has room");
_Static_assert(_Alignof(struct riffle_fix_encoder) >= _Alignof(struct rf_fix_encoder), "and is aligned");
_Static_assert((int)RIFFLE_FIX_SECONDS == (int)RF_FIX_SECONDS && (int)RIFFLE_FIX_NANOSECONDS == (int)RF_FIX_NANOSECONDS,
               "precisions are handed on as they are");

/* Callers only store the structs; nobody but this library reads or writes their members. */
static inline struct rf_fix_encoder *inner(struct riffle_fix_encoder *encoder)
{
    return (struct rf_fix_encoder *)(void *)encoder;
}

static enum riffle_status error_give(struct riffle_error *error, const struct rf_error *err)
{
    memset(error, 0, sizeof(*error));
    error->status = err->status == RF_E_LIMIT ? RIFFLE_E_LIMIT : RIFFLE_E_USAGE;
    snprintf(error->text, sizeof(error->text), "%s", err->text);
    return error->status;
}

enum riffle_status riffle_fix_template_init(struct riffle_fix_template *out, const char *begin_string,
                                            const char *msg_type, const struct riffle_fix_field *field, size_t fields,
                                            struct riffle_error *error)
{
    enum { FIELDS_MAX = RF_FIX_FIXED_BYTES / 4 }; /* "1=x|" is the shortest */
    struct rf_fix_fixed_field header[FIELDS_MAX];
    struct rf_error err;
    if (fields > FIELDS_MAX) {
        (void)rf_error_set(&err, RF_E_LIMIT, __FILE__, __LINE__, "%zu fields do not fit into a FIX header of %d bytes",
                           fields, RF_FIX_FIXED_BYTES);
        return error_give(error, &err);
    }
    for (size_t i = 0; i < fields; i++) {
        header[i] = (struct rf_fix_fixed_field){field[i].tag, {field[i].value, field[i].count}};
    }
    if (rf_fix_template_open((struct rf_fix_template *)(void *)out, rf_str_of(begin_string), rf_str_of(msg_type),
                             header, fields, &err) != RF_OK) {
        return error_give(error, &err);
    }
    memset(error, 0, sizeof(*error));
    return RIFFLE_OK;
}

void riffle_fix_encoder_init(struct riffle_fix_encoder *encoder)
{
    rf_fix_encoder_init(inner(encoder));
}

void riffle_fix_begin(struct riffle_fix_encoder *encoder, const struct riffle_fix_template *header, char *buffer,
                      size_t bytes)
{
    rf_fix_begin(inner(encoder), (const struct rf_fix_template *)(const void *)header, buffer, bytes);
}

enum riffle_status riffle_fix_end(struct riffle_fix_encoder *encoder, size_t *count, struct riffle_error *error)
{
    struct rf_str message;
    struct rf_error err;
    const enum rf_status status = rf_fix_end(inner(encoder), &message, &err);
    *count = message.count;
    if (status != RF_OK) {
        return error_give(error, &err);
    }
    error->status = RIFFLE_OK; /* its text is not cleared: 512 bytes are as much work as the message */
    error->text[0] = 0;
    return RIFFLE_OK;
}

void riffle_fix_put_header(struct riffle_fix_encoder *encoder, uint64_t sequence, int64_t nanoseconds,
                           enum riffle_fix_precision precision)
{
    rf_fix_put_header(inner(encoder), sequence, nanoseconds, (enum rf_fix_precision)precision);
}

void riffle_fix_put_text(struct riffle_fix_encoder *encoder, uint32_t tag, const char *text, size_t count)
{
    rf_fix_put_text(inner(encoder), tag, (struct rf_str){text, count});
}

void riffle_fix_put_char(struct riffle_fix_encoder *encoder, uint32_t tag, char value)
{
    rf_fix_put_char(inner(encoder), tag, value);
}

void riffle_fix_put_bool(struct riffle_fix_encoder *encoder, uint32_t tag, bool value)
{
    rf_fix_put_bool(inner(encoder), tag, value);
}

void riffle_fix_put_int(struct riffle_fix_encoder *encoder, uint32_t tag, int64_t value)
{
    rf_fix_put_int(inner(encoder), tag, value);
}

void riffle_fix_put_uint(struct riffle_fix_encoder *encoder, uint32_t tag, uint64_t value)
{
    rf_fix_put_uint(inner(encoder), tag, value);
}

void riffle_fix_put_double(struct riffle_fix_encoder *encoder, uint32_t tag, double value)
{
    rf_fix_put_double(inner(encoder), tag, value);
}

void riffle_fix_put_decimal(struct riffle_fix_encoder *encoder, uint32_t tag, int64_t mantissa, int32_t exponent)
{
    rf_fix_put_decimal(inner(encoder), tag, mantissa, exponent);
}

void riffle_fix_put_time(struct riffle_fix_encoder *encoder, uint32_t tag, int64_t nanoseconds,
                         enum riffle_fix_precision precision)
{
    rf_fix_put_time(inner(encoder), tag, nanoseconds, (enum rf_fix_precision)precision);
}

void riffle_fix_put_data(struct riffle_fix_encoder *encoder, uint32_t length_tag, uint32_t data_tag, const void *bytes,
                         size_t count)
{
    rf_fix_put_data(inner(encoder), length_tag, data_tag, (struct rf_str){bytes, count});
}

void riffle_fix_group_open(struct riffle_fix_encoder *encoder, uint32_t count_tag)
{
    rf_fix_group_open(inner(encoder), count_tag);
}

void riffle_fix_group_next(struct riffle_fix_encoder *encoder)
{
    rf_fix_group_next(inner(encoder));
}

void riffle_fix_group_shut(struct riffle_fix_encoder *encoder)
{
    rf_fix_group_shut(inner(encoder));
}
