/* fix_reference.h: the fields of one message, decoded as plainly as can be; what every level of fix_index is held against. */
#ifndef FIX_REFERENCE_H
#define FIX_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "fix_data.h"
#include "fix_entry.h"
#include "fix_walk.h"

enum { REFERENCE_FIELDS_MAX = 8192 };

struct reference {
    uint32_t count;
    uint32_t tag[REFERENCE_FIELDS_MAX];
    size_t begin[REFERENCE_FIELDS_MAX];
    size_t end[REFERENCE_FIELDS_MAX];
    uint8_t flags; /* RF_FIX_BAD_TAG or RF_FIX_BAD_DATA: malformed */
    size_t fault;
};

/* Does the separator stand at `at`? */
static inline bool reference_stops(const uint8_t *bytes, size_t at, size_t end, enum rf_fix_separator separator)
{
    const size_t count = rf_fix_separator_bytes(separator);
    return at + count <= end && memcmp(bytes + at, rf_fix_separator_text(separator), count) == 0;
}

static inline bool reference_number(const uint8_t *bytes, size_t begin, size_t end, uint64_t *value)
{
    *value = 0;
    for (size_t at = begin; at < end; at++) {
        if (bytes[at] < '0' || bytes[at] > '9') {
            return false;
        }
        *value = *value * 10 + (uint64_t)(bytes[at] - '0');
    }
    return end > begin && end - begin <= 9;
}

/* is_cut: a line end is the end of the message, which has no trailer. */
static inline void reference_decode(const uint8_t *bytes, size_t at, size_t end, enum rf_fix_separator separator,
                                    bool is_cut, struct reference *out)
{
    const size_t separator_bytes = rf_fix_separator_bytes(separator);
    out->count = 0;
    out->flags = 0;
    while (at < end) {
        size_t equals = at;
        while (equals < end && bytes[equals] != '=' && !reference_stops(bytes, equals, end, separator)) {
            equals++;
        }
        uint64_t tag = 0;
        if (equals == end || bytes[equals] != '=' || bytes[at] == '0' || !reference_number(bytes, at, equals, &tag)) {
            out->flags |= RF_FIX_BAD_TAG;
            out->fault = at;
            return;
        }
        const size_t value = equals + 1;
        size_t stop = value;
        const uint32_t last = out->count - 1;
        if (out->count > 0 && rf_fix_data_of(out->tag[last]) == tag) {
            uint64_t left = 0;
            bool is_good = reference_number(bytes, out->begin[last], out->end[last], &left) &&
                           (separator_bytes == 1 || left <= RF_FIX_WIDE_DATA_MAX);
            for (; is_good && left > 0; left--) {
                is_good = stop < end;
                stop += is_good && reference_stops(bytes, stop, end, separator) ? separator_bytes : 1;
            }
            if (!is_good || !((is_cut && stop == end) || reference_stops(bytes, stop, end, separator))) {
                out->flags |= RF_FIX_BAD_DATA;
                out->fault = out->begin[last];
                return;
            }
        }
        while (stop < end && !reference_stops(bytes, stop, end, separator)) {
            stop++;
        }
        out->flags |= stop == value ? RF_FIX_EMPTY : 0;
        for (uint32_t f = 0; f < out->count; f++) {
            out->flags |= out->tag[f] == tag ? RF_FIX_DUPLICATE : 0;
        }
        out->tag[out->count] = (uint32_t)tag;
        out->begin[out->count] = value;
        out->end[out->count] = stop;
        out->count++;
        at = stop + separator_bytes;
    }
    if (!is_cut && out->tag[out->count - 1] != 10) {
        out->flags |= RF_FIX_BAD_DATA;
        out->fault = out->begin[out->count - 1];
    }
}

#endif
