/* The family NET of calc.h: internet addresses and networks.
 *
 * Data       IP and CIDR cells point to a struct rf_cidr, see tag.def; the address of a network is the network itself,
 *            read as an address.
 * Source     host/expr/operate_net.c, which is the definition; tests/unit/pipeline/test_calc_operate_net.c compares them.
 */
#include "calc.h"

static void net_give(const struct rf_calc_run *run, enum rf_tag tag, struct rf_cidr net, struct rf_cell *out)
{
    struct rf_cidr *made = RF_PUSH(run->scratch, struct rf_cidr, 1);
    if (made == NULL) {
        *out = (struct rf_cell){.tag = RF_TAG_HOST, .text = ""};
        return;
    }
    *made = net;
    *out = rf_cell_of_net(made, tag);
}

static bool text_to_net(enum rf_tag tag, struct rf_str text, struct rf_cidr *out)
{
    *out = (struct rf_cidr){.prefix = 0};
    return (tag == RF_TAG_IP ? rf_ip_parse(text, &out->ip) : rf_cidr_parse(text, out)) == RF_IP_OK;
}

/* ip() and cidr(). */
static void op_make(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    const enum rf_tag tag = run->calc->function == RF_FN_IP ? RF_TAG_IP : RF_TAG_CIDR;
    struct rf_cidr net;
    if (tag == RF_TAG_IP && arg[0].tag == RF_TAG_CIDR) {
        *out = arg[0];
        out->tag = RF_TAG_IP;
    } else if (rf_cell_is_string(&arg[0]) && text_to_net(tag, rf_cell_text(&arg[0]), &net)) {
        net_give(run, tag, net, out);
    }
}

/* isIP() and isCIDR(). */
static void op_test_text(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    const enum rf_tag tag = run->calc->function == RF_FN_IS_IP ? RF_TAG_IP : RF_TAG_CIDR;
    struct rf_cidr net;
    if (rf_cell_is_string(&arg[0])) {
        *out = rf_cell_of_bool(text_to_net(tag, rf_cell_text(&arg[0]), &net));
    }
}

static void op_is_canonical(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    (void)run;
    if (!rf_cell_is_string(&arg[0])) {
        return;
    }
    enum rf_ip_problem problem = RF_IP_OK;
    const bool is_canonical = rf_ip_is_canonical(rf_cell_text(&arg[0]), &problem);
    if (problem == RF_IP_OK) {
        *out = rf_cell_of_bool(is_canonical);
    }
}

/* Questions about one address. */
static void op_test_ip(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    if (arg[0].tag != RF_TAG_IP) {
        return;
    }
    const struct rf_ip ip = rf_cell_net(&arg[0])->ip;
    switch (run->calc->function) {
    case RF_FN_FAMILY:
        *out = rf_cell_of_int(rf_ip_family(ip));
        break;
    case RF_FN_IS_UNSPECIFIED:
        *out = rf_cell_of_bool(rf_ip_is_unspecified(ip));
        break;
    case RF_FN_IS_LOOPBACK:
        *out = rf_cell_of_bool(rf_ip_is_loopback(ip));
        break;
    case RF_FN_IS_GLOBAL_UNICAST:
        *out = rf_cell_of_bool(rf_ip_is_global_unicast(ip));
        break;
    case RF_FN_IS_LINK_LOCAL_MULTICAST:
        *out = rf_cell_of_bool(rf_ip_is_link_local_multicast(ip));
        break;
    default:
        *out = rf_cell_of_bool(rf_ip_is_link_local_unicast(ip));
        break;
    }
}

/* containsIP() and containsCIDR(), of a value or of its text. */
static void op_contains(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    const enum rf_tag tag = run->calc->function == RF_FN_CONTAINS_IP ? RF_TAG_IP : RF_TAG_CIDR;
    struct rf_cidr inner;
    if (arg[0].tag != RF_TAG_CIDR) {
        return;
    }
    if (arg[1].tag == tag) {
        inner = *rf_cell_net(&arg[1]);
    } else if (!rf_cell_is_string(&arg[1]) || !text_to_net(tag, rf_cell_text(&arg[1]), &inner)) {
        return;
    }
    const struct rf_cidr outer = *rf_cell_net(&arg[0]);
    *out =
        rf_cell_of_bool(tag == RF_TAG_IP ? rf_cidr_contains_ip(outer, inner.ip) : rf_cidr_contains_cidr(outer, inner));
}

static void op_masked(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    if (arg[0].tag == RF_TAG_CIDR) {
        net_give(run, RF_TAG_CIDR, rf_cidr_masked(*rf_cell_net(&arg[0])), out);
    }
}

static void op_prefix_length(const struct rf_calc_run *run, const struct rf_cell *arg, struct rf_cell *out)
{
    (void)run;
    if (arg[0].tag == RF_TAG_CIDR) {
        *out = rf_cell_of_int(rf_cell_net(&arg[0])->prefix);
    }
}

rf_calc_op rf_calc_net_op(enum rf_function function)
{
    switch (function) {
    case RF_FN_IP:
    case RF_FN_CIDR:
        return op_make;
    case RF_FN_IS_IP:
    case RF_FN_IS_CIDR:
        return op_test_text;
    case RF_FN_IP_IS_CANONICAL:
        return op_is_canonical;
    case RF_FN_FAMILY:
    case RF_FN_IS_UNSPECIFIED:
    case RF_FN_IS_LOOPBACK:
    case RF_FN_IS_GLOBAL_UNICAST:
    case RF_FN_IS_LINK_LOCAL_MULTICAST:
    case RF_FN_IS_LINK_LOCAL_UNICAST:
        return op_test_ip;
    case RF_FN_CONTAINS_IP:
    case RF_FN_CONTAINS_CIDR:
        return op_contains;
    case RF_FN_MASKED:
        return op_masked;
    case RF_FN_PREFIX_LENGTH:
        return op_prefix_length;
    default:
        return NULL;
    }
}
