// op_select.cpp: comparisons, predicates, and the choice by them.
#include "op_shapes.hpp"
#include <algorithm>

namespace ptxsim
{
namespace
{
enum Cmp { EQ, NE, LT, LE, GT, GE, EQU, NEU, LTU, LEU, GTU, GEU, NUM, NANC };
template <class T> bool compare(int c, T a, T b)
{
    switch (c) {
    case EQ:
        return a == b;
    case NE:
        return a < b || a > b;
    case LT:
        return a < b;
    case LE:
        return a <= b;
    case GT:
        return a > b;
    case GE:
        return a >= b;
    case EQU:
        return !(a < b || a > b);
    case NEU:
        return a != b;
    case LTU:
        return !(a >= b);
    case LEU:
        return !(a > b);
    case GTU:
        return !(a <= b);
    case GEU:
        return !(a < b);
    case NUM:
        return a == a && b == b;
    default:
        return !(a == a && b == b);
    }
}
template <class T, class> void setp(Warp &w, const Instr &in, u32 m)
{
    const u64 *a = w.S(in.a), *b = w.S(in.b);
    u32 r = 0;
#define CMP_LOOP(C)                                                                                                    \
    case C:                                                                                                            \
        lanes(m, [&](int l) {                                                                                          \
            T x = get<T>(a[l]), y = get<T>(b[l]);                                                                      \
            if constexpr (std::is_floating_point_v<T>) {                                                               \
                if (in.ftz) {                                                                                          \
                    x = flush(x);                                                                                      \
                    y = flush(y);                                                                                      \
                }                                                                                                      \
            }                                                                                                          \
            r |= u32(compare<T>(C, x, y)) << l;                                                                        \
        });                                                                                                            \
        break;
    // clang-format off
    switch (in.sub & 15) { CMP_LOOP(EQ) CMP_LOOP(NE) CMP_LOOP(LT) CMP_LOOP(LE) CMP_LOOP(GT) CMP_LOOP(GE) CMP_LOOP(EQU) CMP_LOOP(NEU) CMP_LOOP(LTU) CMP_LOOP(LEU) CMP_LOOP(GTU) CMP_LOOP(GEU) CMP_LOOP(NUM) CMP_LOOP(NANC) }
    // clang-format on
    u32 p = r, q = ~r;
    if (in.pa != kNone) {
        u32 c = w.pred(in.pa, in.pan);
        switch (in.sub >> 4) {
        case 1:
            p = r & c;
            q = ~r & c;
            break;
        case 2:
            p = r | c;
            q = ~r | c;
            break;
        case 3:
            p = r ^ c;
            q = ~r ^ c;
            break;
        }
    }
    if (in.d != 0) { // set: all ones, or 1.0 for a float destination
        u64 one = in.ty2 == Ty::F32 ? 0x3f800000u : 0xffffffffu;
        u64 *d = w.D(in.d);
        lanes(m, [&](int l) { d[l] = p >> l & 1 ? one : 0; });
        return;
    }
    w.setp(in.pd, m, p);
    if (in.pq != kNone) {
        w.setp(in.pq, m, q);
    }
}
void selp(Warp &w, const Instr &in, u32 m)
{
    u64 *d = w.D(in.d);
    const u64 *a = w.S(in.a), *b = w.S(in.b);
    u32 p = w.pred(in.pa, in.pan);
    lanes(m, [&](int l) { d[l] = p >> l & 1 ? a[l] : b[l]; });
}
template <class T> void slct(Warp &w, const Instr &in, u32 m)
{
    lanes(m, [&](int l) { w.D(in.d)[l] = get<T>(w.S(in.c)[l]) >= T(0) ? w.S(in.a)[l] : w.S(in.b)[l]; });
}
template <class T> void testp(Warp &w, const Instr &in, u32 m)
{
    u32 r = 0;
    lanes(m, [&](int l) {
        T a = get<T>(w.S(in.a)[l]);
        int c = std::fpclassify(a);
        bool v = in.sub == 0   ? std::isfinite(a)
                 : in.sub == 1 ? std::isinf(a)
                 : in.sub == 2 ? !std::isnan(a)
                 : in.sub == 3 ? std::isnan(a)
                 : in.sub == 4 ? c == FP_NORMAL || c == FP_ZERO
                               : c == FP_SUBNORMAL;
        r |= u32(v) << l;
    });
    w.setp(in.pd, m, r);
}

} // namespace

void pred_op(Warp &w, const Instr &in, u32 m)
{ // sub: 0 mov 1 not 2 and 3 or 4 xor
    u32 a = w.pred(in.pa, in.pan), b = in.pb == kNone ? 0 : w.pred(in.pb, in.pbn);
    w.setp(in.pd, m, in.sub == 0 ? a : in.sub == 1 ? ~a : in.sub == 2 ? a & b : in.sub == 3 ? a | b : a ^ b);
}

Handler Decoder::select()
{
    const std::string &n = p[0];
    Ty t = in.ty;
    if (n == "setp" || n == "set") {
        return set(n == "set");
    }
    if (n == "selp") {
        if (t == Ty::Pred) {
            bad();
        }
        d_ab();
        psrc(3, in.pa, in.pan);
        return selp;
    }
    if (n == "slct") {
        d_abc();
        return types.back() == Ty::F32 ? slct<float> : slct<i32>;
    }
    if (n == "testp") {
        in.pd = pdst(op(0));
        in.a = src(1);
        static const char *k[] = {"finite", "infinite", "number", "notanumber", "normal", "subnormal"};
        for (u8 q = 0; q < 6; q++) {
            if (has(k[q])) {
                in.sub = q;
            }
        }
        return t == Ty::F32 ? testp<float> : testp<double>;
    }
    return nullptr;
}

Handler Decoder::set(bool to_reg)
{
    static const std::map<std::string, int> cmp = {{"eq", EQ},   {"ne", NE},   {"lt", LT},   {"le", LE},   {"gt", GT},
                                                   {"ge", GE},   {"lo", LT},   {"ls", LE},   {"hi", GT},   {"hs", GE},
                                                   {"equ", EQU}, {"neu", NEU}, {"ltu", LTU}, {"leu", LEU}, {"gtu", GTU},
                                                   {"geu", GEU}, {"num", NUM}, {"nan", NANC}};
    auto it = cmp.find(p.at(1));
    if (it == cmp.end()) {
        bad("comparison");
    }
    int boolop = has("and") ? 1 : has("or") ? 2 : has("xor") ? 3 : 0;
    in.sub = u8(it->second | boolop << 4);
    if (to_reg) {
        in.ty2 = types[0];
        in.ty = types.at(1);
        in.d = dst(0);
    } else if (op(0).kind == Opnd::Vec) {
        in.pd = pdst(o[0].v[0]);
        in.pq = pdst(o[0].v[1]);
    } else {
        in.pd = pdst(op(0));
    }
    in.a = src(1);
    in.b = src(2);
    if (boolop) {
        psrc(3, in.pa, in.pan);
    }
    if (in.ty == Ty::F32) {
        return setp<float, void>;
    }
    if (in.ty == Ty::F64) {
        return setp<double, void>;
    }
    switch (in.ty) {
        INT_CASES(setp, void) default : bad("type");
    }
}
} // namespace ptxsim
