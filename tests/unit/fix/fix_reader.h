/* fix_reader.h: reads a FIX message byte by byte and checks its frame; as simple as it can be. For tests. */
#ifndef FIX_READER_H
#define FIX_READER_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "str.h"

enum { READER_FIELDS_MAX = 4096 };

struct reader_field {
    unsigned long tag;
    struct rf_str value;
};

struct reader {
    struct reader_field field[READER_FIELDS_MAX];
    size_t fields;
    const char *problem;
};

static inline unsigned long reader_data_of(unsigned long length_tag)
{
    static const unsigned long pair[][2] = {
#define RF_FIX_DATA(length, data) {length, data},
#include "fix_data.def"
#undef RF_FIX_DATA
    };
    for (size_t i = 0; i < sizeof(pair) / sizeof(pair[0]); i++) {
        if (pair[i][0] == length_tag) {
            return pair[i][1];
        }
    }
    return 0;
}

static inline bool reader_fail(struct reader *reader, const char *problem)
{
    reader->problem = problem;
    return false;
}

/* One field at *at. */
static inline bool reader_take(struct reader *reader, struct rf_str message, size_t *at)
{
    struct reader_field *const field = &reader->field[reader->fields];
    const struct reader_field *const before = reader->fields == 0 ? NULL : field - 1;
    size_t i = *at;
    if (i < message.count && message.data[i] == '0') {
        return reader_fail(reader, "leading zero");
    }
    field->tag = 0;
    for (; i < message.count && message.data[i] >= '0' && message.data[i] <= '9'; i++) {
        field->tag = field->tag * 10 + (unsigned long)(message.data[i] - '0');
    }
    if (i == *at || i - *at > 9 || i == message.count || message.data[i] != '=') {
        return reader_fail(reader, "no tag");
    }
    const size_t begin = ++i;
    if (before != NULL && reader_data_of(before->tag) == field->tag) {
        i += strtoul(before->value.data, NULL, 10);
    } else {
        while (i < message.count && message.data[i] != 1) {
            i++;
        }
    }
    if (i >= message.count || message.data[i] != 1) {
        return reader_fail(reader, "no separator");
    }
    field->value = (struct rf_str){message.data + begin, i - begin};
    if (field->value.count == 0) {
        return reader_fail(reader, "empty value");
    }
    reader->fields++;
    *at = i + 1;
    return true;
}

static inline bool reader_number_is(struct rf_str text, size_t number, const char *format)
{
    char expected[32];
    const int count = snprintf(expected, sizeof(expected), format, number);
    return text.count == (size_t)count && memcmp(text.data, expected, text.count) == 0;
}

/* All fields; BodyLength, CheckSum and the places of 8, 9, 35 and 10 are checked. */
static inline bool reader_read(struct reader *reader, struct rf_str message)
{
    size_t at = 0;
    size_t body = 0;
    size_t sum = 0;
    reader->fields = 0;
    reader->problem = "";
    while (at < message.count) {
        if (reader->fields == READER_FIELDS_MAX) {
            return reader_fail(reader, "too many fields");
        }
        if (!reader_take(reader, message, &at)) {
            return false;
        }
        if (reader->fields == 2) {
            body = at;
        }
    }
    if (reader->fields < 4 || reader->field[0].tag != 8 || reader->field[1].tag != 9 || reader->field[2].tag != 35 ||
        reader->field[reader->fields - 1].tag != 10) {
        return reader_fail(reader, "not 8 9 35 ... 10");
    }
    for (size_t i = 0; i < message.count - 7; i++) {
        sum += (unsigned char)message.data[i];
    }
    if (!reader_number_is(reader->field[1].value, message.count - 7 - body, "%zu")) {
        return reader_fail(reader, "BodyLength");
    }
    if (!reader_number_is(reader->field[reader->fields - 1].value, sum % 256, "%03zu")) {
        return reader_fail(reader, "CheckSum");
    }
    return true;
}

#endif
