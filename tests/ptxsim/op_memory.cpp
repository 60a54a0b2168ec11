// op_memory.cpp: loads, stores and atomics.
#include "decoder.hpp"
#include <algorithm>
#include <cmath>

namespace ptxsim
{
namespace
{
struct Address {
    const u64 *base;
    u64 off;
    bool narrow;
    Address(Warp &w, const Instr &in, int slot)
        : base(slot == kNone ? nullptr : w.S(slot)), off(in.off), narrow(in.addr32)
    {
        if (in.local_sym) {
            off += w.frame->local_base;
        }
    }
    u64 operator()(int l) const { return base ? (narrow ? u32(u32(base[l]) + u32(off)) : base[l] + off) : off; }
};
template <class T> void ld(Warp &w, const Instr &in, u32 m)
{
    Address ad(w, in, in.a);
    const int n = in.vn;
    lanes(m, [&](int l) {
        const u8 *p = access(w, in, l, ad(l), u32(sizeof(T) * n), kRead);
        for (int k = 0; k < n; k++) {
            T v = 0;
            if (p) {
                memcpy(&v, p + k * sizeof(T), sizeof(T));
            }
            w.D(in.v[k])[l] = u64(v);
        }
    });
}
template <class T> void st(Warp &w, const Instr &in, u32 m)
{
    Address ad(w, in, in.a);
    const int n = in.vn;
    lanes(m, [&](int l) {
        u8 *p = access(w, in, l, ad(l), u32(sizeof(T) * n), kWrite);
        if (!p) {
            return;
        }
        for (int k = 0; k < n; k++) {
            T v = T(w.S(in.v[k])[l]);
            memcpy(p + k * sizeof(T), &v, sizeof(T));
        }
    });
}
enum AtomOp { AAdd, AAnd, AOr, AXor, AMin, AMax, AExch, ACas, AInc, ADec };
template <class T> void atom(Warp &w, const Instr &in, u32 m)
{
    Address ad(w, in, in.a);
    const u64 *b = w.S(in.b), *c = in.c == kNone ? nullptr : w.S(in.c);
    lanes(m, [&](int l) {
        u8 *p = access(w, in, l, ad(l), sizeof(T), kAtomic);
        T old = 0, v, r = 0;
        if (p) {
            memcpy(&old, p, sizeof(T));
        }
        memcpy(&v, &b[l], sizeof(T));
        if constexpr (std::is_floating_point_v<T>) {
            switch (in.sub) {
            case AAdd:
                r = old + v;
                break;
            case AMin:
                r = std::fmin(old, v);
                break;
            case AMax:
                r = std::fmax(old, v);
                break;
            case AExch:
                r = v;
                break;
            }
        } else {
            switch (in.sub) {
            case AAdd:
                r = T(old + v);
                break;
            case AAnd:
                r = T(old & v);
                break;
            case AOr:
                r = T(old | v);
                break;
            case AXor:
                r = T(old ^ v);
                break;
            case AMin:
                r = std::min(old, v);
                break;
            case AMax:
                r = std::max(old, v);
                break;
            case AExch:
                r = v;
                break;
            case ACas:
                r = old == v ? T(c[l]) : old;
                break;
            case AInc:
                r = old >= v ? 0 : T(old + 1);
                break;
            case ADec:
                r = old == 0 || old > v ? v : T(old - 1);
                break;
            }
        }
        if (p) {
            memcpy(p, &r, sizeof(T));
        }
        u64 o = 0;
        memcpy(&o, &old, sizeof(T));
        w.D(in.d)[l] = o;
    });
}
void cp_async(Warp &w, const Instr &in, u32 m)
{ // [shared a + off] <- [global b + v[1]], e: source size or none
    const u64 *d = in.a == kNone ? nullptr : w.S(in.a), *s = w.S(in.b);
    lanes(m, [&](int l) {
        u32 n = in.sub, take = in.e == kNone ? n : std::min<u32>(n, u32(w.S(in.e)[l]));
        u8 *to = shared_access(w, in, l, u32((d ? d[l] : 0) + in.off), n, kWrite);
        u8 *from = take ? global_access(w, in, l, s[l] + (i64)in.v[1], take, kRead) : nullptr;
        if (to) {
            memset(to, 0, n);
            if (from) {
                memcpy(to, from, take);
            }
        }
    });
}
void nothing(Warp &, const Instr &, u32) {}

#define BY_WIDTH(H)                                                                                                    \
    switch (in.ty) {                                                                                                   \
    case Ty::B8:                                                                                                       \
    case Ty::U8:                                                                                                       \
        in.fn = H<u8>;                                                                                                 \
        break;                                                                                                         \
    case Ty::S8:                                                                                                       \
        in.fn = H<i8>;                                                                                                 \
        break;                                                                                                         \
    case Ty::B16:                                                                                                      \
    case Ty::U16:                                                                                                      \
    case Ty::F16:                                                                                                      \
    case Ty::BF16:                                                                                                     \
        in.fn = H<u16>;                                                                                                \
        break;                                                                                                         \
    case Ty::S16:                                                                                                      \
        in.fn = H<i16>;                                                                                                \
        break;                                                                                                         \
    case Ty::B32:                                                                                                      \
    case Ty::U32:                                                                                                      \
    case Ty::F32:                                                                                                      \
        in.fn = H<u32>;                                                                                                \
        break;                                                                                                         \
    case Ty::S32:                                                                                                      \
        in.fn = H<i32>;                                                                                                \
        break;                                                                                                         \
    case Ty::B64:                                                                                                      \
    case Ty::U64:                                                                                                      \
    case Ty::F64:                                                                                                      \
        in.fn = H<u64>;                                                                                                \
        break;                                                                                                         \
    case Ty::S64:                                                                                                      \
        in.fn = H<i64>;                                                                                                \
        break;                                                                                                         \
    default:                                                                                                           \
        bad("type");                                                                                                   \
    }
} // namespace

void decode_memory(Module &m, Instr &in, const std::vector<std::string> &p, std::vector<Opnd> &o)
{
    auto has = [&](const char *s) {
        for (auto &x : p) {
            if (x == s) {
                return true;
            }
        }
        return false;
    };
    auto value = [&](const Opnd &x) {
        if (x.kind == Opnd::Reg) {
            return x.slot;
        }
        if (x.kind == Opnd::Imm && !x.local_sym) {
            return m.add_const(x.imm);
        }
        bad("operand kind");
    };
    auto address = [&](const Opnd &x) {
        if (x.kind != Opnd::Addr) {
            bad("address expected");
        }
        in.a = x.slot;
        in.off = x.off;
        in.addr32 = x.slot != kNone && ty_size(x.ty) == 4;
        in.local_sym = x.local_sym;
    };
    auto vector = [&](const Opnd &x, bool dest) {
        const std::vector<Opnd> one(1, x);
        const std::vector<Opnd> &v = x.kind == Opnd::Vec ? x.v : one;
        if (v.size() > 8) {
            bad("vector too long");
        }
        in.vn = (u8)v.size();
        for (size_t k = 0; k < v.size(); k++) {
            if (dest && v[k].kind != Opnd::Reg) {
                bad("destination kind");
            }
            in.v[k] = value(v[k]);
        }
    };
    in.strong = has("volatile") || has("relaxed") || has("acquire") || has("release");
    const std::string &n = p[0];
    if (n == "ld" || n == "ldu") {
        vector(o.at(0), true);
        address(o.at(1));
        BY_WIDTH(ld)
    } else if (n == "st") {
        address(o.at(0));
        vector(o.at(1), false);
        BY_WIDTH(st)
    } else if (n == "atom" || n == "red") {
        size_t k = n == "atom";
        if (k) {
            in.d = o.at(0).kind == Opnd::Reg ? o[0].slot : (bad("destination kind"), 0);
        }
        address(o.at(k));
        in.b = value(o.at(k + 1));
        if (o.size() > k + 2) {
            in.c = value(o[k + 2]);
        }
        static const char *names[] = {"add", "and", "or", "xor", "min", "max", "exch", "cas", "inc", "dec"};
        int op = -1;
        for (int q = 0; q < 10; q++) {
            if (has(names[q])) {
                op = q;
            }
        }
        if (op < 0) {
            bad("atomic operation");
        }
        in.sub = u8(op);
        if (in.ty == Ty::F32) {
            in.fn = atom<float>;
        } else if (in.ty == Ty::F64) {
            in.fn = atom<double>;
        } else if (in.ty == Ty::F16 || in.ty == Ty::BF16) {
            bad("half-precision atomic");
        } else
            BY_WIDTH(atom)
    } else if (n == "cp" && has("async")) {
        if (has("commit_group") || has("wait_group") || has("wait_all")) {
            in.fn = nothing;
            return;
        }
        if (has("bulk") || has("mbarrier")) {
            bad();
        }
        address(o.at(0));
        in.b = o.at(1).slot;
        in.v[1] = int(i64(o[1].off));
        in.sub = u8(o.at(2).imm);
        if (o.size() > 3 && o[3].kind != Opnd::Pred) {
            in.e = value(o[3]);
        }
        in.fn = cp_async;
    } else {
        bad();
    }
}
} // namespace ptxsim
