/* Questions about addresses and ranges; their texts are in ip_text.c. */
#include "ip.h"

#include <assert.h>

enum { V4_BITS = 32, V6_BITS = 128 };

static const uint8_t zero[16];

static size_t ip_bytes(struct rf_ip ip)
{
    return ip.is_v6 ? 16 : 4;
}

/* Whether the first bits of two addresses of one family agree. */
static bool ip_has_prefix(struct rf_ip ip, struct rf_ip prefix, unsigned bits)
{
    const size_t whole = bits / 8;
    const unsigned rest = bits % 8;
    assert(bits <= (ip.is_v6 ? V6_BITS : V4_BITS));
    if (memcmp(ip.byte, prefix.byte, whole) != 0) {
        return false;
    }
    return rest == 0 || ((ip.byte[whole] ^ prefix.byte[whole]) >> (8 - rest)) == 0;
}

bool rf_ip_equal(struct rf_ip a, struct rf_ip b)
{
    return a.is_v6 == b.is_v6 && memcmp(a.byte, b.byte, ip_bytes(a)) == 0;
}

bool rf_cidr_equal(struct rf_cidr a, struct rf_cidr b)
{
    return a.prefix == b.prefix && rf_ip_equal(a.ip, b.ip);
}

int rf_ip_family(struct rf_ip ip)
{
    return ip.is_v6 ? 6 : 4;
}

bool rf_ip_is_unspecified(struct rf_ip ip)
{
    return memcmp(ip.byte, zero, ip_bytes(ip)) == 0;
}

bool rf_ip_is_loopback(struct rf_ip ip)
{
    return ip.is_v6 ? memcmp(ip.byte, zero, 15) == 0 && ip.byte[15] == 1 : ip.byte[0] == 127;
}

bool rf_ip_is_multicast(struct rf_ip ip)
{
    return ip.is_v6 ? ip.byte[0] == 0xff : (ip.byte[0] & 0xf0) == 0xe0;
}

bool rf_ip_is_link_local_multicast(struct rf_ip ip)
{
    /* The upper half of the second byte are flags (RFC 4291 section 2.7). */
    return ip.is_v6 ? ip.byte[0] == 0xff && (ip.byte[1] & 0x0f) == 0x02
                    : ip.byte[0] == 224 && ip.byte[1] == 0 && ip.byte[2] == 0;
}

bool rf_ip_is_link_local_unicast(struct rf_ip ip)
{
    return ip.is_v6 ? ip.byte[0] == 0xfe && (ip.byte[1] & 0xc0) == 0x80 : ip.byte[0] == 169 && ip.byte[1] == 254;
}

bool rf_ip_is_global_unicast(struct rf_ip ip)
{
    static const uint8_t broadcast[4] = {255, 255, 255, 255};
    if (!ip.is_v6 && memcmp(ip.byte, broadcast, sizeof broadcast) == 0) {
        return false;
    }
    return !rf_ip_is_unspecified(ip) && !rf_ip_is_loopback(ip) && !rf_ip_is_multicast(ip) &&
           !rf_ip_is_link_local_unicast(ip);
}

bool rf_cidr_contains_ip(struct rf_cidr cidr, struct rf_ip ip)
{
    return cidr.ip.is_v6 == ip.is_v6 && ip_has_prefix(ip, cidr.ip, cidr.prefix);
}

bool rf_cidr_contains_cidr(struct rf_cidr outer, struct rf_cidr inner)
{
    return outer.prefix <= inner.prefix && rf_cidr_contains_ip(outer, inner.ip);
}

struct rf_cidr rf_cidr_masked(struct rf_cidr cidr)
{
    const size_t whole = cidr.prefix / 8;
    const unsigned rest = cidr.prefix % 8;
    assert(cidr.prefix <= (cidr.ip.is_v6 ? V6_BITS : V4_BITS));
    for (size_t i = whole; i < sizeof cidr.ip.byte; i++) {
        const unsigned kept = i == whole ? 0xff00u >> rest : 0;
        cidr.ip.byte[i] = (uint8_t)(cidr.ip.byte[i] & kept);
    }
    return cidr;
}
