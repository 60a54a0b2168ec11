/* Addresses and ranges as texts: the first half of ip.h. */
#include "ip.h"

#include <assert.h>

enum {
    V4_BYTES = 4,
    V6_BYTES = 16,
    GROUPS = 8,
    GROUP_DIGITS_MAX = 4,
    GROUP_NONE = GROUPS + 1 /* no "::"; one that stands behind all groups is seen, and refused */
};

/* A text of which `at` bytes have been read. */
struct ip_reader {
    struct rf_str text;
    size_t at;
};

static bool reader_is_done(const struct ip_reader *reader)
{
    return reader->at == reader->text.count;
}

/* Moves behind the byte c when it is next. */
static bool reader_take(struct ip_reader *reader, char c)
{
    if (reader_is_done(reader) || reader->text.data[reader->at] != c) {
        return false;
    }
    reader->at++;
    return true;
}

/* A decimal number up to value_max, which is below 1000, without leading zeros. */
static bool reader_take_decimal(struct ip_reader *reader, unsigned value_max, uint8_t *out)
{
    const size_t begin = reader->at;
    unsigned value = 0;
    while (!reader_is_done(reader)) {
        const unsigned digit = (unsigned char)(reader->text.data[reader->at] - '0');
        if (digit > 9) {
            break;
        }
        value = value * 10 + digit;
        if (value > value_max || (reader->at > begin && reader->text.data[begin] == '0')) {
            return false;
        }
        reader->at++;
    }
    *out = (uint8_t)value;
    return reader->at != begin;
}

/* The whole rest as four decimal numbers. */
static bool reader_take_v4(struct ip_reader *reader, uint8_t byte[V4_BYTES])
{
    for (size_t i = 0; i < V4_BYTES; i++) {
        if ((i != 0 && !reader_take(reader, '.')) || !reader_take_decimal(reader, 255, &byte[i])) {
            return false;
        }
    }
    return reader_is_done(reader);
}

static unsigned hex_digit(char c)
{
    if (c >= '0' && c <= '9') {
        return (unsigned)(c - '0');
    }
    const unsigned letter = (unsigned char)((c | 0x20) - 'a');
    return letter < 6 ? letter + 10 : 16;
}

/* One to four hex digits. */
static bool reader_take_group(struct ip_reader *reader, uint8_t byte[2])
{
    unsigned value = 0;
    size_t digits = 0;
    while (!reader_is_done(reader)) {
        const unsigned digit = hex_digit(reader->text.data[reader->at]);
        if (digit > 15) {
            break;
        }
        if (++digits > GROUP_DIGITS_MAX) {
            return false;
        }
        value = value << 4 | digit;
        reader->at++;
    }
    byte[0] = (uint8_t)(value >> 8);
    byte[1] = (uint8_t)(value & 0xff);
    return digits != 0;
}

/* The whole text as IPv6, without a zone. */
static bool v6_parse(struct rf_str text, uint8_t byte[V6_BYTES])
{
    struct ip_reader reader = {.text = text};
    size_t gap = GROUP_NONE; /* the groups that were read before "::" */
    size_t groups = 0;
    memset(byte, 0, V6_BYTES);
    if (reader_take(&reader, ':')) {
        if (!reader_take(&reader, ':')) {
            return false;
        }
        gap = 0;
    }
    while (!reader_is_done(&reader)) {
        const size_t begin = reader.at;
        if (groups == GROUPS) {
            return false;
        }
        if (!reader_take_group(&reader, byte + 2 * groups)) {
            return false;
        }
        groups++;
        if (reader_is_done(&reader)) {
            break;
        }
        if (text.data[reader.at] == '.') {
            /* What looked like a group was the first number of an IPv4 address, which takes the room of two. */
            reader.at = begin;
            groups--;
            if (groups > GROUPS - 2 || !reader_take_v4(&reader, byte + 2 * groups)) {
                return false;
            }
            groups += 2;
            break;
        }
        if (!reader_take(&reader, ':') || reader_is_done(&reader)) {
            return false;
        }
        if (reader_take(&reader, ':')) {
            if (gap != GROUP_NONE) {
                return false;
            }
            gap = groups;
        }
    }
    if (gap == GROUP_NONE || groups == GROUPS) {
        return gap == GROUP_NONE && groups == GROUPS;
    }
    /* What was read behind "::" belongs to the end. */
    const size_t tail = groups - gap;
    memmove(byte + V6_BYTES - 2 * tail, byte + 2 * gap, 2 * tail);
    memset(byte + 2 * gap, 0, V6_BYTES - 2 * groups);
    return true;
}

static bool v6_is_mapped(const uint8_t byte[V6_BYTES])
{
    static const uint8_t head[12] = {[10] = 0xff, [11] = 0xff};
    return memcmp(byte, head, sizeof head) == 0;
}

/* As rf_ip_parse, but a mapped address stays as it was written. */
static enum rf_ip_problem ip_parse(struct rf_str text, struct rf_ip *out)
{
    struct rf_ip ip = {.is_v6 = text.count != 0 && memchr(text.data, ':', text.count) != NULL};
    if (!ip.is_v6) {
        struct ip_reader reader = {.text = text};
        if (!reader_take_v4(&reader, ip.byte)) {
            return RF_IP_BAD;
        }
        *out = ip;
        return RF_IP_OK;
    }
    const char *const zone = memchr(text.data, '%', text.count);
    const struct rf_str address = {text.data, zone == NULL ? text.count : (size_t)(zone - text.data)};
    const size_t zone_bytes = text.count - address.count; /* with its % */
    if (!v6_parse(address, ip.byte) || zone_bytes == 1) {
        return RF_IP_BAD;
    }
    if (zone_bytes != 0) {
        return RF_IP_ZONE;
    }
    *out = ip;
    return RF_IP_OK;
}

enum rf_ip_problem rf_ip_parse(struct rf_str text, struct rf_ip *out)
{
    struct rf_ip ip;
    const enum rf_ip_problem problem = ip_parse(text, &ip);
    if (problem != RF_IP_OK) {
        return problem;
    }
    if (ip.is_v6 && v6_is_mapped(ip.byte)) {
        if (memchr(text.data, '.', text.count) != NULL) {
            return RF_IP_MAPPED;
        }
        struct rf_ip v4 = {.is_v6 = false};
        memcpy(v4.byte, ip.byte + (V6_BYTES - V4_BYTES), V4_BYTES);
        ip = v4;
    }
    *out = ip;
    return RF_IP_OK;
}

enum rf_ip_problem rf_cidr_parse(struct rf_str text, struct rf_cidr *out)
{
    struct rf_cidr cidr;
    const char *const slash = text.count == 0 ? NULL : memrchr(text.data, '/', text.count);
    if (slash == NULL) {
        return RF_IP_BAD;
    }
    const struct rf_str address = {text.data, (size_t)(slash - text.data)};
    const enum rf_ip_problem problem = ip_parse(address, &cidr.ip);
    if (problem != RF_IP_OK) {
        return problem;
    }
    struct ip_reader reader = {.text = text, .at = address.count + 1};
    if (!reader_take_decimal(&reader, cidr.ip.is_v6 ? 128 : 32, &cidr.prefix) || !reader_is_done(&reader)) {
        return RF_IP_BAD;
    }
    if (cidr.ip.is_v6 && v6_is_mapped(cidr.ip.byte)) {
        return RF_IP_MAPPED;
    }
    *out = cidr;
    return RF_IP_OK;
}

static size_t decimal_write(unsigned value, char *out) /* below 1000 */
{
    size_t count = 0;
    if (value >= 100) {
        out[count++] = (char)('0' + value / 100);
    }
    if (value >= 10) {
        out[count++] = (char)('0' + value / 10 % 10);
    }
    out[count++] = (char)('0' + value % 10);
    return count;
}

static unsigned group_of(struct rf_ip ip, size_t group)
{
    return (unsigned)ip.byte[2 * group] << 8 | ip.byte[2 * group + 1];
}

static size_t group_write(unsigned value, char *out)
{
    size_t count = 0;
    for (int shift = 12; shift >= 0; shift -= 4) {
        if (count != 0 || shift == 0 || value >> shift != 0) {
            out[count++] = "0123456789abcdef"[(value >> shift) & 0xf];
        }
    }
    return count;
}

/* The first of the longest runs of zero groups; a single one is none. */
static size_t zero_run(struct rf_ip ip, size_t *run_groups)
{
    size_t best = GROUP_NONE;
    size_t best_groups = 1;
    size_t groups = 0;
    for (size_t g = 0; g < GROUPS; g++) {
        groups = group_of(ip, g) == 0 ? groups + 1 : 0;
        if (groups > best_groups) {
            best = g + 1 - groups;
            best_groups = groups;
        }
    }
    *run_groups = best_groups;
    return best;
}

size_t rf_ip_write(struct rf_ip ip, char out[RF_IP_TEXT_MAX])
{
    size_t count = 0;
    if (!ip.is_v6) {
        for (size_t i = 0; i < V4_BYTES; i++) {
            if (i != 0) {
                out[count++] = '.';
            }
            count += decimal_write(ip.byte[i], out + count);
        }
        return count;
    }
    size_t run_groups;
    const size_t run = zero_run(ip, &run_groups);
    bool needs_colon = false;
    for (size_t g = 0; g < GROUPS;) {
        if (g == run) {
            out[count++] = ':';
            out[count++] = ':';
            needs_colon = false;
            g += run_groups;
            continue;
        }
        if (needs_colon) {
            out[count++] = ':';
        }
        count += group_write(group_of(ip, g), out + count);
        needs_colon = true;
        g++;
    }
    return count;
}

size_t rf_cidr_write(struct rf_cidr cidr, char out[RF_CIDR_TEXT_MAX])
{
    assert(cidr.prefix <= 128);
    size_t count = rf_ip_write(cidr.ip, out);
    out[count++] = '/';
    return count + decimal_write(cidr.prefix, out + count);
}

bool rf_ip_is_canonical(struct rf_str text, enum rf_ip_problem *problem)
{
    struct rf_ip ip;
    char written[RF_IP_TEXT_MAX];
    *problem = rf_ip_parse(text, &ip);
    if (*problem != RF_IP_OK) {
        return false;
    }
    return rf_str_equal(text, (struct rf_str){written, rf_ip_write(ip, written)});
}
