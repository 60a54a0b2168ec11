/* fuzz_stream.c: arbitrary bytes, cut anywhere, under small limits.
 *
 * The first bytes of the input choose what happens: framing (records of the bytes through lines.h and memory.h, and
 * through each compressed format, against a naive split) or decoding (the bytes themselves, or a compressed copy of
 * them with a few bytes damaged: no crash, no hang, and the same result however the reads are cut).
 */
#include <stdint.h>

#include "lines.h"
#include "memory.h"

#include "../unit/ingest/chunks.h"
#include "../unit/ingest/packed.h"
#include "../unit/ingest/records.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct rf_decompress stream;
static struct rf_batch batch;

enum { DECODED_MAX = 4 << 20 };

static bool is_utf16(const uint8_t *bytes, size_t count)
{
    return count >= 2 && (memcmp(bytes, "\xff\xfe", 2) == 0 || memcmp(bytes, "\xfe\xff", 2) == 0);
}

static struct records frame(struct chunks chunks, struct rf_lines lines, bool *is_refused)
{
    struct rf_error err;
    struct rf_reader reader = {0};
    struct records out = {0};
    rf_reader_open_call(&reader, chunks_read, &chunks);
    records_require(rf_lines_open(&lines, &err) == RF_OK, "memory");
    *is_refused = rf_lines_begin(&lines, &stream, &reader, &err) != RF_OK;
    enum rf_status status = *is_refused ? RF_END : RF_OK;
    while (status == RF_OK) {
        status = rf_lines_fill(&lines, &batch, &err);
        if (status == RF_OK) {
            records_add(&out, &batch, lines.batch_bytes, lines.record_bytes_max);
        }
    }
    records_require(status == RF_END, "an input ends with RF_END");
    records_require(lines.problem.status == RF_OK, "nothing is wrong with this input");
    rf_lines_close(&lines);
    return out;
}

static struct records frame_memory(const uint8_t *bytes, size_t count, const struct rf_lines *limits, bool *is_refused)
{
    struct rf_error err;
    struct rf_memory memory = {.bytes = bytes,
                               .count = count,
                               .batch_bytes = limits->batch_bytes,
                               .record_bytes_max = limits->record_bytes_max};
    struct records out = {0};
    *is_refused = rf_memory_begin(&memory, limits->is_text, &err) != RF_OK;
    while (!*is_refused && rf_memory_fill(&memory, &batch, &err) == RF_OK) {
        records_add(&out, &batch, limits->batch_bytes, limits->record_bytes_max);
    }
    return out;
}

static void check_framing(const uint8_t *bytes, size_t count, struct rf_lines limits, struct chunks chunks)
{
    const bool is_refusal_due = !limits.is_text && is_utf16(bytes, count);
    struct records expected = {0};
    if (!is_refusal_due) {
        records_expect(&expected, bytes, count, limits.record_bytes_max, limits.is_text);
    }
    for (int way = -1; way < PACKED_KINDS; way++) {
        if (way == PACKED_PLAIN && rf_codec_magic(bytes, count) >= RF_MAGIC_GZIP) {
            continue; /* would not be read as plain text */
        }
        struct packed packed = {0};
        struct records out;
        bool is_refused = false;
        if (way < 0) {
            out = frame_memory(bytes, count, &limits, &is_refused);
        } else {
            packed_add(&packed, (enum packing)way, bytes, count / 2);
            packed_add(&packed, (enum packing)way, bytes + count / 2, count - count / 2);
            chunks.bytes = packed.data;
            chunks.count = packed.count;
            out = frame(chunks, limits, &is_refused);
        }
        records_require(is_refused == is_refusal_due, "UTF-16 and nothing else is refused");
        records_require(records_equal(&out, &expected), "the records of a naive split");
        records_free(&out);
        packed_free(&packed);
    }
    records_free(&expected);
}

struct decoded {
    uint64_t hash; /* FNV-1a over what came out */
    size_t count;
    enum rf_status status; /* how it ended; RF_OK: there is more than DECODED_MAX */
};

static struct decoded decode(struct chunks chunks, size_t room)
{
    static uint8_t bytes[65536];
    struct rf_error err = {0};
    struct rf_reader reader = {0};
    struct decoded out = {.hash = 0xcbf29ce484222325u};
    rf_reader_open_call(&reader, chunks_read, &chunks);
    out.status = rf_decompress_begin(&stream, &reader, &err);
    while (out.status == RF_OK && out.count < DECODED_MAX) {
        const size_t left = DECODED_MAX - out.count;
        const size_t now = room < left ? room : left;
        size_t got = 0;
        out.status = rf_decompress_read(&stream, bytes, now, RF_WAIT_FOREVER, &got, &err);
        records_require(out.status == RF_OK ? got > 0 && got <= now : got == 0, "bytes with RF_OK only");
        for (size_t i = 0; i < got; i++) {
            out.hash = (out.hash ^ bytes[i]) * 0x100000001b3u;
        }
        out.count += got;
    }
    records_require(!rf_status_is_error(out.status) || out.status == RF_E_FORMAT, "a verdict");
    return out;
}

/* How the reads are cut and how much room there is must not matter. Of a damaged block more or less may come out, but
 * damaged it is. */
static void check_decoding(const uint8_t *bytes, size_t count, struct chunks chunks, size_t room)
{
    const struct decoded expected = decode((struct chunks){.bytes = bytes, .count = count}, 65536);
    chunks.bytes = bytes;
    chunks.count = count;
    const struct decoded out = decode(chunks, room);
    if ((expected.count == DECODED_MAX) != (out.count == DECODED_MAX)) {
        return; /* damage near the end of what is looked at */
    }
    if (expected.status == RF_E_FORMAT) {
        records_require(out.status == RF_E_FORMAT, "damage is seen however the reads are cut");
        return;
    }
    records_require(out.status == expected.status, "the same end");
    records_require(out.count == expected.count && out.hash == expected.hash, "the same bytes");
}

/* A checksum cannot be guessed by mutation: here the data is good, but for up to four bytes. */
static void check_damage(enum packing kind, const uint8_t *bytes, size_t count, struct chunks chunks, size_t room)
{
    enum { DAMAGES = 4, DAMAGE_BYTES = 3 };
    struct packed packed = {0};
    if (count < DAMAGES * DAMAGE_BYTES) {
        return;
    }
    const uint8_t *plain = bytes + DAMAGES * DAMAGE_BYTES;
    const size_t plain_count = count - DAMAGES * DAMAGE_BYTES;
    packed_add(&packed, kind, plain, plain_count / 2);
    packed_add_skippable(&packed, bytes[0]);
    packed_add(&packed, kind, plain + plain_count / 2, plain_count - plain_count / 2);
    for (int d = 0; d < DAMAGES; d++) {
        const uint8_t *damage = bytes + d * DAMAGE_BYTES;
        packed.data[(damage[0] | (size_t)damage[1] << 8) % packed.count] ^= damage[2];
    }
    check_decoding(packed.data, packed.count, chunks, room);
    packed_free(&packed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 6 || size > 65536) {
        return 0;
    }
    const struct chunks chunks = {.first = data[1], .rest = data[2] % 40, .pause_every = data[3] % 8};
    struct rf_lines limits = {.batch_bytes = 64 + data[4],
                              .record_bytes_max = 1 + (size_t)data[5] * (data[0] & 0x10 ? 40 : 1),
                              .is_line_buffered = (data[0] & 2) != 0,
                              .is_text = (data[0] & 4) != 0};
    if (data[0] & 1) {
        check_framing(data + 6, size - 6, limits, chunks);
    } else if (data[0] & 8) {
        check_damage((enum packing)(PACKED_GZIP + data[0] / 32 % 3), data + 6, size - 6, chunks,
                     1 + (size_t)data[4] * 200);
    } else {
        check_decoding(data + 6, size - 6, chunks, 1 + (size_t)data[4] * 200);
    }
    return 0;
}
