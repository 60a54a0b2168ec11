/* The family NET of operate.h: internet addresses and networks.
 *
 * Data       a value of type ip or cidr points to a struct rf_cidr in the arena; the address of a network is the network
 *            itself, read as an address.
 * Source     cel-go's network extension and CEL's conformance suite, network_ext, which follow the Kubernetes libraries;
 *            host/scalar/ip.h for the texts.
 */
#include "ip.h"

#include "operate.h"
#include "utf8.h"

enum { SHOWN_MAX = 60 /* bytes of a text from a message in the text of an error */ };

static struct rf_value net_value(enum rf_type type, struct rf_cidr cidr, struct rf_arena *arena)
{
    struct rf_cidr *const net = RF_PUSH(arena, struct rf_cidr, 1);
    if (net == NULL) {
        return rf_value_error(RF_ERROR_TOO_LARGE);
    }
    *net = cidr;
    return (struct rf_value){.type = type, .net = net};
}

static struct rf_value error_of_text(enum rf_type type, enum rf_ip_problem problem, struct rf_str text,
                                     struct rf_arena *arena)
{
    struct rf_str shown = {text.data, text.count < SHOWN_MAX ? text.count : SHOWN_MAX};
    shown.count = rf_utf8_valid_count(shown);
    if (problem == RF_IP_ZONE) {
        return rf_operate_error(arena, "'%.*s' has a zone, which is not allowed", RF_STR_ARG(shown));
    }
    if (problem == RF_IP_MAPPED) {
        return rf_operate_error(arena, "'%.*s' is an IPv4-mapped IPv6 address, which is not allowed",
                                RF_STR_ARG(shown));
    }
    return rf_operate_error(arena, "'%.*s' is no %s", RF_STR_ARG(shown),
                            type == RF_TYPE_IP ? "IP address such as 10.0.0.1 or 2001:db8::1"
                                               : "network such as 10.0.0.0/8 or 2001:db8::/32");
}

/* The text as an address (prefix 0) or network; else *error. */
static bool text_to_net(enum rf_type type, struct rf_str text, struct rf_cidr *out, struct rf_value *error,
                        struct rf_arena *arena)
{
    *out = (struct rf_cidr){.prefix = 0};
    const enum rf_ip_problem problem = type == RF_TYPE_IP ? rf_ip_parse(text, &out->ip) : rf_cidr_parse(text, out);
    if (problem != RF_IP_OK) {
        *error = error_of_text(type, problem, text, arena);
    }
    return problem == RF_IP_OK;
}

/* ip() and cidr(). */
static struct rf_value net_make(enum rf_function function, const struct rf_value *args, struct rf_arena *arena)
{
    if (function == RF_FN_IP && args[0].type == RF_TYPE_CIDR) {
        return (struct rf_value){.type = RF_TYPE_IP, .net = args[0].net};
    }
    if (args[0].type != RF_TYPE_STRING) {
        return rf_operate_no_overload(function, args, 1, arena);
    }
    const enum rf_type type = function == RF_FN_IP ? RF_TYPE_IP : RF_TYPE_CIDR;
    struct rf_cidr net;
    struct rf_value error;
    return text_to_net(type, args[0].text, &net, &error, arena) ? net_value(type, net, arena) : error;
}

/* isIP(), isCIDR() and ip.isCanonical(). */
static struct rf_value net_test_text(enum rf_function function, const struct rf_value *args, struct rf_arena *arena)
{
    if (args[0].type != RF_TYPE_STRING) {
        return rf_operate_no_overload(function, args, 1, arena);
    }
    const struct rf_str text = args[0].text;
    struct rf_cidr net;
    if (function == RF_FN_IS_IP) {
        return rf_value_bool(rf_ip_parse(text, &net.ip) == RF_IP_OK);
    }
    if (function == RF_FN_IS_CIDR) {
        return rf_value_bool(rf_cidr_parse(text, &net) == RF_IP_OK);
    }
    enum rf_ip_problem problem = RF_IP_OK;
    const bool is_canonical = rf_ip_is_canonical(text, &problem);
    return problem == RF_IP_OK ? rf_value_bool(is_canonical) : error_of_text(RF_TYPE_IP, problem, text, arena);
}

/* Questions about one address. */
static struct rf_value net_test_ip(enum rf_function function, const struct rf_value *args, struct rf_arena *arena)
{
    if (args[0].type != RF_TYPE_IP) {
        return rf_operate_no_overload(function, args, 1, arena);
    }
    const struct rf_ip ip = args[0].net->ip;
    switch (function) {
    case RF_FN_FAMILY:
        return rf_value_int(rf_ip_family(ip));
    case RF_FN_IS_UNSPECIFIED:
        return rf_value_bool(rf_ip_is_unspecified(ip));
    case RF_FN_IS_LOOPBACK:
        return rf_value_bool(rf_ip_is_loopback(ip));
    case RF_FN_IS_GLOBAL_UNICAST:
        return rf_value_bool(rf_ip_is_global_unicast(ip));
    case RF_FN_IS_LINK_LOCAL_MULTICAST:
        return rf_value_bool(rf_ip_is_link_local_multicast(ip));
    default:
        return rf_value_bool(rf_ip_is_link_local_unicast(ip));
    }
}

/* containsIP() and containsCIDR(), of a value or of its text. */
static struct rf_value net_contains(enum rf_function function, const struct rf_value *args, struct rf_arena *arena)
{
    const enum rf_type type = function == RF_FN_CONTAINS_IP ? RF_TYPE_IP : RF_TYPE_CIDR;
    if (args[0].type != RF_TYPE_CIDR || (args[1].type != type && args[1].type != RF_TYPE_STRING)) {
        return rf_operate_no_overload(function, args, 2, arena);
    }
    struct rf_cidr inner;
    if (args[1].type == type) {
        inner = *args[1].net;
    } else {
        struct rf_value error;
        if (!text_to_net(type, args[1].text, &inner, &error, arena)) {
            return error;
        }
    }
    return rf_value_bool(type == RF_TYPE_IP ? rf_cidr_contains_ip(*args[0].net, inner.ip)
                                            : rf_cidr_contains_cidr(*args[0].net, inner));
}

/* masked() and prefixLength(). */
static struct rf_value net_part(enum rf_function function, const struct rf_value *args, struct rf_arena *arena)
{
    if (args[0].type != RF_TYPE_CIDR) {
        return rf_operate_no_overload(function, args, 1, arena);
    }
    if (function == RF_FN_PREFIX_LENGTH) {
        return rf_value_int(args[0].net->prefix);
    }
    return net_value(RF_TYPE_CIDR, rf_cidr_masked(*args[0].net), arena);
}

struct rf_value rf_operate_net(enum rf_function function, const struct rf_value *args, uint32_t count,
                               struct rf_arena *arena)
{
    (void)count;
    switch (function) {
    case RF_FN_IP:
    case RF_FN_CIDR:
        return net_make(function, args, arena);
    case RF_FN_IS_IP:
    case RF_FN_IS_CIDR:
    case RF_FN_IP_IS_CANONICAL:
        return net_test_text(function, args, arena);
    case RF_FN_CONTAINS_IP:
    case RF_FN_CONTAINS_CIDR:
        return net_contains(function, args, arena);
    case RF_FN_MASKED:
    case RF_FN_PREFIX_LENGTH:
        return net_part(function, args, arena);
    default:
        return net_test_ip(function, args, arena);
    }
}
