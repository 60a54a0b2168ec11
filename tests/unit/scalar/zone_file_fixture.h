/* zone_file_fixture.h: TZif files made by a test, as zic makes its slim ones.
 *
 * Data       the first block is empty but for one type; the transitions are in the second one.
 * Errors     asserts of cmocka, which is included before this header.
 */
#ifndef RF_TEST_ZONE_FILE_FIXTURE_H
#define RF_TEST_ZONE_FILE_FIXTURE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    FILE_BYTES_MAX = 4096,
    /* Where the parts of the second half begin, whatever is in them. */
    SECOND_HEADER = 44 + 6 + 1,
    SECOND_BLOCK = SECOND_HEADER + 44
};

struct zone_file {
    uint8_t bytes[FILE_BYTES_MAX];
    size_t count;
};

static inline void put_bytes(struct zone_file *file, const void *bytes, size_t count)
{
    assert_true(count <= sizeof file->bytes - file->count);
    memcpy(file->bytes + file->count, bytes, count);
    file->count += count;
}

static inline void put_number(struct zone_file *file, uint64_t value, int bytes)
{
    for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
        const uint8_t byte = (uint8_t)(value >> shift);
        put_bytes(file, &byte, 1);
    }
}

static inline void put_header(struct zone_file *file, uint32_t transitions, uint32_t types, uint32_t designations)
{
    const uint8_t zeros[15] = {0};
    put_bytes(file, "TZif2", 5);
    put_bytes(file, zeros, sizeof zeros);
    put_number(file, 0, 4);
    put_number(file, 0, 4);
    put_number(file, 0, 4);
    put_number(file, transitions, 4);
    put_number(file, types, 4);
    put_number(file, designations, 4);
}

struct transition {
    int64_t time;
    uint8_t type;
};

/* Type 0 holds before the first transition. */
static inline struct zone_file file_make(const struct transition *transitions, uint32_t count, const int32_t *offsets,
                                         uint32_t types, const char *footer)
{
    struct zone_file file = {.count = 0};
    put_header(&file, 0, 1, 1);
    put_number(&file, 0, 7);
    put_header(&file, count, types, 4);
    for (uint32_t t = 0; t < count; t++) {
        put_number(&file, (uint64_t)transitions[t].time, 8);
    }
    for (uint32_t t = 0; t < count; t++) {
        put_number(&file, transitions[t].type, 1);
    }
    for (uint32_t t = 0; t < types; t++) {
        put_number(&file, (uint32_t)offsets[t], 4);
        put_number(&file, 0, 2);
    }
    put_bytes(&file, "XYZ", 4);
    put_bytes(&file, "\n", 1);
    put_bytes(&file, footer, strlen(footer));
    put_bytes(&file, "\n", 1);
    return file;
}

/* 4772 before -1000, then 3600, from 1000 to 2000 7200, then 3600 or what the footer says. The transition at 0 changes
 * nothing. */
static inline struct zone_file file_sample(const char *footer)
{
    static const int32_t sample_offsets[] = {4772, 3600, 7200, 3600};
    static const struct transition sample_transitions[] = {{-1000, 1}, {0, 3}, {1000, 2}, {2000, 1}};
    return file_make(sample_transitions, 4, sample_offsets, 4, footer);
}

#endif
