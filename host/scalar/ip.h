/* ip.h: internet addresses and ranges of them.
 *
 * Data       an IPv4 address is in byte[0..3], the others are 0; an IPv6 address fills all 16. An IPv4 address that is
 *            mapped into IPv6 in hex digits (::ffff:c0a8:1) becomes the IPv4 address; so no value is a mapped one.
 *            A range keeps the host bits that were written; its prefix is at most 32 or 128.
 * Ownership  plain values. Texts are written into memory of the caller, without a zero byte.
 * Threads    pure functions.
 * Errors     a text that is no address is one of enum rf_ip_problem; the result is then unchanged.
 * Source     RFC 4291 section 2 and RFC 4632 section 3.1 for the texts, RFC 5952 section 4 for how they are written;
 *            CEL's conformance suite, network_ext, for what is refused; Go's net/netip for the questions of kind.
 */
#ifndef RF_IP_H
#define RF_IP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "str.h"

struct rf_ip {
    uint8_t byte[16]; /* as on the wire */
    bool is_v6;
};

struct rf_cidr {
    struct rf_ip ip;
    uint8_t prefix; /* bits */
};

enum rf_ip_problem {
    RF_IP_OK,
    RF_IP_BAD,   /* no address: "127.0.0.01", "2001:db8:::68", "10.0.0.0/33" */
    RF_IP_ZONE,  /* an address with a zone: "fe80::1%en0" */
    RF_IP_MAPPED /* an IPv4 address inside an IPv6 one, written as such: "::ffff:1.2.3.4" */
};

enum {
    RF_IP_TEXT_MAX = 39,  /* eight groups of four digits and their colons */
    RF_CIDR_TEXT_MAX = 43 /* and "/128" */
};

/* Strict: four decimal numbers without leading zeros, or groups of one to four hex digits of either case with at most
 * one "::" that stands for one group or more, of which the last two may be written as an IPv4 address. */
enum rf_ip_problem rf_ip_parse(struct rf_str text, struct rf_ip *out);
/* An address, "/" and a prefix without sign or leading zeros. A mapped address is RF_IP_MAPPED also in hex digits: its
 * prefix would count bits that the IPv4 address does not have. */
enum rf_ip_problem rf_cidr_parse(struct rf_str text, struct rf_cidr *out);

/* Bytes written. Lower case, no leading zeros, "::" for the first of the longest runs of two zero groups or more. */
size_t rf_ip_write(struct rf_ip ip, char out[RF_IP_TEXT_MAX]);
size_t rf_cidr_write(struct rf_cidr cidr, char out[RF_CIDR_TEXT_MAX]);

/* Whether the text is what rf_ip_write gives for it; false when it is no address, and *problem says which. */
bool rf_ip_is_canonical(struct rf_str text, enum rf_ip_problem *problem);

bool rf_ip_equal(struct rf_ip a, struct rf_ip b);
bool rf_cidr_equal(struct rf_cidr a, struct rf_cidr b); /* host bits count */

int rf_ip_family(struct rf_ip ip);                   /* 4 or 6 */
bool rf_ip_is_unspecified(struct rf_ip ip);          /* 0.0.0.0, :: */
bool rf_ip_is_loopback(struct rf_ip ip);             /* 127.0.0.0/8, ::1 */
bool rf_ip_is_multicast(struct rf_ip ip);            /* 224.0.0.0/4, ff00::/8 */
bool rf_ip_is_link_local_multicast(struct rf_ip ip); /* 224.0.0.0/24, ff02::/16 with any flags */
bool rf_ip_is_link_local_unicast(struct rf_ip ip);   /* 169.254.0.0/16, fe80::/10 */
/* None of these, nor 255.255.255.255. Private addresses are global. */
bool rf_ip_is_global_unicast(struct rf_ip ip);

/* Never across families. */
bool rf_cidr_contains_ip(struct rf_cidr cidr, struct rf_ip ip);
bool rf_cidr_contains_cidr(struct rf_cidr outer, struct rf_cidr inner); /* a range contains itself */
struct rf_cidr rf_cidr_masked(struct rf_cidr cidr);                     /* the host bits become 0 */

#endif
