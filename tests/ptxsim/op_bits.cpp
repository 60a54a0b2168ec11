// op_bits.cpp: bits and bytes: logic, shifts, fields, permutations, bytes side by side.
#include "op_shapes.hpp"
#include <algorithm>

namespace ptxsim
{
namespace
{
// clang-format off
BIN(And, a & b)
BIN(Or, a | b)
BIN(Xor, a ^ b)
UN(Not, ~a)
// clang-format on
struct Brev {
    template <class T> static T f(T a)
    {
        T r = 0;
        for (unsigned i = 0; i < 8 * sizeof(T); i++) {
            r |= T((a >> i) & 1) << (8 * sizeof(T) - 1 - i);
        }
        return r;
    }
};
template <class T, class> void shl(Warp &w, const Instr &in, u32 m)
{
    u64 *d = w.D(in.d);
    const u64 *a = w.S(in.a), *b = w.S(in.b);
    lanes(m, [&](int l) {
        u32 s = u32(b[l]);
        d[l] = s >= 8 * sizeof(T) ? 0 : u64(Uns<T>(Uns<T>(a[l]) << s));
    });
}
template <class T, class> void shr(Warp &w, const Instr &in, u32 m)
{
    u64 *d = w.D(in.d);
    const u64 *a = w.S(in.a), *b = w.S(in.b);
    lanes(m, [&](int l) {
        u32 s = u32(b[l]);
        d[l] = u64(s >= 8 * sizeof(T) ? (T(a[l]) < T(0) ? T(-1) : T(0)) : T(T(a[l]) >> s));
    });
}
void shf(Warp &w, const Instr &in, u32 m)
{ // sub bit 0: right, bit 1: clamp
    lanes(m, [&](int l) {
        u64 x = u64(u32(w.S(in.b)[l])) << 32 | u32(w.S(in.a)[l]);
        u32 c = u32(w.S(in.c)[l]);
        c = in.sub & 2 ? std::min(c, 32u) : c & 31;
        w.D(in.d)[l] = in.sub & 1 ? u32(x >> c) : u32((x << c) >> 32);
    });
}
template <class T, class> void popc(Warp &w, const Instr &in, u32 m)
{
    lanes(m, [&](int l) { w.D(in.d)[l] = __builtin_popcountll(Uns<T>(w.S(in.a)[l])); });
}
template <class T, class> void clz(Warp &w, const Instr &in, u32 m)
{
    lanes(m, [&](int l) {
        u64 a = Uns<T>(w.S(in.a)[l]);
        w.D(in.d)[l] = a ? __builtin_clzll(a) - (64 - 8 * sizeof(T)) : 8 * sizeof(T);
    });
}
template <class T, class> void bfind(Warp &w, const Instr &in, u32 m)
{
    lanes(m, [&](int l) {
        T v = T(w.S(in.a)[l]);
        u64 a = Uns<T>(v < T(0) ? T(~v) : v);
        u32 r = a ? 63 - __builtin_clzll(a) : ~0u;
        w.D(in.d)[l] = in.sub && r != ~0u ? 8 * sizeof(T) - 1 - r : r;
    });
}
template <class T, class> void bfe(Warp &w, const Instr &in, u32 m)
{
    lanes(m, [&](int l) {
        const u32 bits = 8 * sizeof(T);
        Uns<T> a = Uns<T>(w.S(in.a)[l]);
        u32 pos = w.S(in.b)[l] & 255, len = w.S(in.c)[l] & 255, msb = bits - 1;
        u64 r = pos > msb || !len ? 0 : u64(a) >> pos;
        if (len < 64) {
            r &= (1ull << len) - 1;
        }
        if (std::is_signed_v<T> && len) {
            bool s = a >> std::min(pos + len - 1, msb) & 1;
            u32 have = pos > msb ? 0 : std::min(len, bits - pos);
            if (s && have < 64) {
                r |= ~0ull << have;
            }
        }
        w.D(in.d)[l] = u64(Uns<T>(r));
    });
}
template <class T, class> void bfi(Warp &w, const Instr &in, u32 m)
{
    lanes(m, [&](int l) {
        u64 a = w.S(in.a)[l], b = w.S(in.b)[l];
        u32 pos = w.S(in.c)[l] & 255, len = w.S(in.e)[l] & 255;
        u64 mask = len >= 64 ? ~0ull : (1ull << len) - 1;
        mask = pos >= 8 * sizeof(T) ? 0 : mask << pos;
        w.D(in.d)[l] = u64(Uns<T>((b & ~mask) | ((pos < 64 ? a << pos : 0) & mask)));
    });
}
void bmsk(Warp &w, const Instr &in, u32 m)
{
    lanes(m, [&](int l) {
        u32 pos = u32(w.S(in.a)[l]), len = u32(w.S(in.b)[l]);
        if (in.sub) {
            pos &= 31;
            len &= 31;
        } else {
            pos = std::min(pos, 32u);
            len = std::min(len, 32u);
        }
        w.D(in.d)[l] = u32((((1ull << len) - 1) << pos));
    });
}
void lop3(Warp &w, const Instr &in, u32 m)
{
    u64 *d = w.D(in.d);
    const u64 *a = w.S(in.a), *b = w.S(in.b), *c = w.S(in.c);
    u32 lut = u32(in.off);
    lanes(m, [&](int l) {
        u32 x = u32(a[l]), y = u32(b[l]), z = u32(c[l]), r = 0;
        for (int k = 0; k < 8; k++) {
            if (lut >> k & 1) {
                r |= (k & 4 ? x : ~x) & (k & 2 ? y : ~y) & (k & 1 ? z : ~z);
            }
        }
        d[l] = r;
    });
}
void prmt(Warp &w, const Instr &in, u32 m)
{ // sub: 0 default, 1 f4e, 2 b4e, 3 rc8, 4 ecl, 5 ecr, 6 rc16
    lanes(m, [&](int l) {
        u64 x = u64(u32(w.S(in.b)[l])) << 32 | u32(w.S(in.a)[l]);
        u32 c = u32(w.S(in.c)[l]), r = 0, s = c & 3;
        for (u32 k = 0; k < 4; k++) {
            u32 q = 0;
            switch (in.sub) {
            case 0:
                q = c >> (4 * k) & 15;
                break;
            case 1:
                q = (s + k) & 7;
                break;
            case 2:
                q = (s + 8 - k) & 7;
                break;
            case 3:
                q = s;
                break;
            case 4:
                q = std::max(k, s);
                break;
            case 5:
                q = std::min(k, s);
                break;
            case 6:
                q = (s & 1) * 2 + (k & 1);
                break;
            }
            u32 byte = u32(x >> (8 * (q & 7))) & 255;
            if (in.sub == 0 && q & 8) {
                byte = byte & 128 ? 255 : 0;
            }
            r |= byte << (8 * k);
        }
        w.D(in.d)[l] = r;
    });
}
void dp4a(Warp &w, const Instr &in, u32 m)
{ // sub bit 0: a signed, bit 1: b signed, bit 2: dp2a, bit 3: .hi
    lanes(m, [&](int l) {
        u32 a = u32(w.S(in.a)[l]), b = u32(w.S(in.b)[l]), r = u32(w.S(in.c)[l]);
        if (in.sub & 4) {
            for (int k = 0; k < 2; k++) {
                i32 x = in.sub & 1 ? i32(i16(a >> (16 * k))) : i32(u16(a >> (16 * k)));
                int sh = 8 * k + (in.sub & 8 ? 16 : 0);
                r += u32(x * (in.sub & 2 ? i32(i8(b >> sh)) : i32(u8(b >> sh))));
            }
        } else {
            for (int k = 0; k < 32; k += 8) {
                r += u32((in.sub & 1 ? i32(i8(a >> k)) : i32(u8(a >> k))) *
                         (in.sub & 2 ? i32(i8(b >> k)) : i32(u8(b >> k))));
            }
        }
        w.D(in.d)[l] = r;
    });
}
u8 simd_byte(const Instr &in, u32 x, u32 y)
{
    bool s = in.ty == Ty::S32;
    i32 a = s ? i32(i8(x)) : i32(x), b = s ? i32(i8(y)) : i32(y), r = 0;
    switch (in.sub) {
    case 0:
        r = a + b;
        break;
    case 1:
        r = a - b;
        break;
    case 2:
        r = std::abs(a - b);
        break;
    case 3:
        r = std::min(a, b);
        break;
    case 4:
        r = std::max(a, b);
        break;
    case 5:
        r = (a + b + 1) >> 1;
        break;
    }
    if (in.sat) {
        r = s ? std::min(127, std::max(-128, r)) : std::min(255, std::max(0, r));
    }
    return u8(r);
}
void video4(Warp &w, const Instr &in, u32 m)
{ // vadd4 vsub4 vabsdiff4 vmin4 vmax4 vavrg4; pan: .add (sum into c)
    lanes(m, [&](int l) {
        u32 a = u32(w.S(in.a)[l]), b = u32(w.S(in.b)[l]), c = u32(w.S(in.c)[l]), r = 0, sum = 0;
        for (int k = 0; k < 32; k += 8) {
            u8 v = simd_byte(in, a >> k & 255, b >> k & 255);
            r |= u32(v) << k;
            sum += in.ty == Ty::S32 ? u32(i32(i8(v))) : v;
        }
        w.D(in.d)[l] = in.pan ? sum + c : r;
    });
}

} // namespace

Handler Decoder::bits()
{
    const std::string &n = p[0];
    Ty t = in.ty;
    if (n == "and" || n == "or" || n == "xor" || n == "not") {
        if (t == Ty::Pred) {
            in.pd = pdst(op(0));
            psrc(1, in.pa, in.pan);
            if (n != "not") {
                psrc(2, in.pb, in.pbn);
            }
            in.sub = n == "not" ? 1 : n == "and" ? 2 : n == "or" ? 3 : 4;
            return pred_op;
        }
        if (n == "not") {
            d_a();
            return int_un<Not>(t);
        }
        d_ab();
        return n == "and" ? int_bin<And>(t) : n == "or" ? int_bin<Or>(t) : int_bin<Xor>(t);
    }
    if (n == "shl") {
        d_ab();
        return shift(true);
    }
    if (n == "shr") {
        d_ab();
        return shift(false);
    }
    if (n == "shf") {
        d_abc();
        in.sub = (has("r") ? 1 : 0) | (has("clamp") ? 2 : 0);
        return shf;
    }
    if (n == "popc") {
        d_a();
        SIZED(popc);
    }
    if (n == "clz") {
        d_a();
        SIZED(clz);
    }
    if (n == "brev") {
        d_a();
        return int_un<Brev>(t);
    }
    if (n == "bfind") {
        d_a();
        in.sub = has("shiftamt");
        switch (t) {
            INT_CASES(bfind, void) default : bad();
        }
    }
    if (n == "bfe") {
        d_abc();
        switch (t) {
            INT_CASES(bfe, void) default : bad();
        }
    }
    if (n == "bfi") {
        d_abc();
        in.e = src(4);
        SIZED(bfi);
    }
    if (n == "bmsk") {
        d_ab();
        in.sub = has("wrap");
        return bmsk;
    }
    if (n == "lop3") {
        if (op(0).kind == Opnd::Vec) {
            bad("lop3 with a predicate result");
        }
        d_abc();
        in.off = op(4).imm;
        return lop3;
    }
    if (n == "prmt") {
        d_abc();
        in.sub = has("f4e")    ? 1
                 : has("b4e")  ? 2
                 : has("rc8")  ? 3
                 : has("ecl")  ? 4
                 : has("ecr")  ? 5
                 : has("rc16") ? 6
                               : 0;
        return prmt;
    }
    if (n == "dp4a" || n == "dp2a") {
        d_abc();
        if (types.size() != 2) {
            bad();
        }
        in.sub =
            (types[0] == Ty::S32 ? 1 : 0) | (types[1] == Ty::S32 ? 2 : 0) | (n == "dp2a" ? 4 : 0) | (has("hi") ? 8 : 0);
        return dp4a;
    }
    if (n.size() > 2 && n[0] == 'v' && n.back() == '4' && n != "vote") {
        static const char *names[] = {"vadd4", "vsub4", "vabsdiff4", "vmin4", "vmax4", "vavrg4"};
        for (u8 k = 0; k < 6; k++) {
            if (n == names[k]) {
                d_abc();
                in.sub = k;
                in.pan = has("add");
                in.ty = types.at(1);
                return video4;
            }
        }
    }
    return nullptr;
}

Handler Decoder::shift(bool left)
{
    if (left) {
        switch (in.ty) {
            INT_CASES(shl, void) default : bad();
        }
    }
    switch (in.ty) {
        INT_CASES(shr, void) default : bad();
    }
}
} // namespace ptxsim
