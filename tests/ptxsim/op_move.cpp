// op_move.cpp: moves between registers, and the spaces of addresses.
#include "op_shapes.hpp"
#include <algorithm>

namespace ptxsim
{
namespace
{
void mov(Warp &w, const Instr &in, u32 m)
{
    u64 *d = w.D(in.d);
    const u64 *a = w.S(in.a);
    lanes(m, [&](int l) { d[l] = a[l]; });
}
void mov_local(Warp &w, const Instr &in, u32 m)
{
    lanes(m, [&](int l) { w.D(in.d)[l] = w.frame->local_base + in.off; });
}
void mov_clock(Warp &w, const Instr &in, u32 m)
{
    lanes(m, [&](int l) { w.D(in.d)[l] = w.L->clock + w.L->warp_instr; });
}
void mov_pack(Warp &w, const Instr &in, u32 m)
{ // d = {v0, v1, ...}
    int bits = 8 * ty_size(in.ty) / in.vn;
    u64 mask = (1ull << bits) - 1;
    lanes(m, [&](int l) {
        u64 r = 0;
        for (int k = 0; k < in.vn; k++) {
            r |= (w.S(in.v[k])[l] & mask) << (k * bits);
        }
        w.D(in.d)[l] = r;
    });
}
void mov_unpack(Warp &w, const Instr &in, u32 m)
{
    int bits = 8 * ty_size(in.ty) / in.vn;
    u64 mask = (1ull << bits) - 1;
    lanes(m, [&](int l) {
        u64 x = w.S(in.a)[l];
        for (int k = 0; k < in.vn; k++) {
            w.D(in.v[k])[l] = x >> (k * bits) & mask;
        }
    });
}
void activemask(Warp &w, const Instr &in, u32 m)
{
    lanes(m, [&](int l) { w.D(in.d)[l] = m; });
}
void cvta(Warp &w, const Instr &in, u32 m)
{ // sub: 1 = to
    u64 base = in.space == Space::Shared  ? kSharedWindow
               : in.space == Space::Local ? kLocalWindow
               : in.space == Space::Param ? kParamWindow
                                          : 0;
    lanes(m, [&](int l) {
        u64 a = w.S(in.a)[l];
        w.D(in.d)[l] = !base ? a : in.sub ? a & ~kWindowMask : (in.addr32 ? u32(a) : a) | base;
    });
}
void isspacep(Warp &w, const Instr &in, u32 m)
{
    u32 r = 0;
    lanes(m, [&](int l) {
        u64 win = w.S(in.a)[l] & kWindowMask;
        bool v = in.space == Space::Shared  ? win == kSharedWindow
                 : in.space == Space::Local ? win == kLocalWindow
                 : in.space == Space::Param ? win == kParamWindow
                                            : win == 0;
        r |= u32(v) << l;
    });
    w.setp(in.pd, m, r);
}

} // namespace

Handler Decoder::moves()
{
    const std::string &n = p[0];
    if (n == "mov") {
        return move();
    }
    if (n == "cvta") {
        d_a();
        in.sub = has("to");
        in.addr32 = op(1).ty == Ty::B32 || op(1).ty == Ty::U32;
        return cvta;
    }
    if (n == "isspacep") {
        in.pd = pdst(op(0));
        in.a = src(1);
        return isspacep;
    }
    if (n == "activemask") {
        in.d = dst(0);
        return activemask;
    }
    return nullptr;
}

Handler Decoder::move()
{
    if (in.ty == Ty::Pred) {
        in.pd = pdst(op(0));
        psrc(1, in.pa, in.pan);
        in.sub = 0;
        return pred_op;
    }
    const Opnd &s = op(1);
    if (op(0).kind == Opnd::Vec) {
        in.vn = (u8)o[0].v.size();
        for (int k = 0; k < in.vn; k++) {
            in.v[k] = dst(o[0].v[k]);
        }
        in.a = src(1);
        return mov_unpack;
    }
    in.d = dst(0);
    if (s.kind == Opnd::Vec) {
        in.vn = (u8)s.v.size();
        for (int k = 0; k < in.vn; k++) {
            in.v[k] = src(s.v[k]);
        }
        return mov_pack;
    }
    if (s.local_sym) {
        in.off = s.imm;
        return mov_local;
    }
    if (s.kind == Opnd::Reg && (s.name.compare(0, 6, "%clock") == 0 || s.name.compare(0, 12, "%globaltimer") == 0) &&
        s.name.find("_hi") == std::string::npos) {
        return mov_clock;
    }
    in.a = src(1);
    return mov;
}
} // namespace ptxsim
