// op_arithmetic.cpp: sums, products, quotients and their like, of integers and floating point.
#include "op_shapes.hpp"
#include <algorithm>

namespace ptxsim
{
namespace
{
// clang-format off
BIN(Add, a + b)
BIN(Sub, a - b)
BIN(MulLo, Uns<T>(a) * u64(b))
BIN(Min, a < b ? a : b)
BIN(Max, a < b ? b : a)
BIN(Div, b == 0 ? T(-1) : (b == T(-1) && std::is_signed_v<T>) ? T(0 - Uns<T>(a)) : a / b)
BIN(Rem, b == 0 ? T(-1) : (b == T(-1) && std::is_signed_v<T>) ? T(0) : a % b)
BIN(MulHi, (typename Next<T>::type(a) * typename Next<T>::type(b)) >> (8 * sizeof(T)))
TERN(MadLo, u64(a) * u64(b) + u64(c))
TERN(MadHi, MulHi::f<T>(a, b) + c)
TERN(Sad, c + (a < b ? b - a : a - b))
UN(Neg, 0 - a)
UN(Abs, a < 0 ? 0 - a : a)
UN(Cnot, a == 0)
BIN(FMul, a * b)
BIN(FDiv, a / b)
TERN(FFma, std::fma(a, b, c))
UN(FNeg, -a)
UN(FAbs, std::fabs(a))
BIN(FMin, std::isnan(a) ? b : std::isnan(b) ? a : (a == 0 && b == 0) ? (std::signbit(a) ? a : b) : std::min(a, b))
BIN(FMax, std::isnan(a) ? b : std::isnan(b) ? a : (a == 0 && b == 0) ? (std::signbit(a) ? b : a) : std::max(a, b))
BIN(FMinNan, std::isnan(a) || std::isnan(b) ? std::numeric_limits<T>::quiet_NaN() : FMin::f<T>(a, b))
BIN(FMaxNan, std::isnan(a) || std::isnan(b) ? std::numeric_limits<T>::quiet_NaN() : FMax::f<T>(a, b))
// clang-format on
template <class T, class> void add_sat(Warp &w, const Instr &in, u32 m)
{ // sub: 1 = subtract
    lanes(m, [&](int l) {
        __int128 a = T(w.S(in.a)[l]), b = T(w.S(in.b)[l]), r = in.sub ? a - b : a + b;
        __int128 lo = std::numeric_limits<T>::min(), hi = std::numeric_limits<T>::max();
        w.D(in.d)[l] = u64(r < lo ? lo : r > hi ? hi : r);
    });
}
template <class T, class> void wide(Warp &w, const Instr &in, u32 m)
{ // mul.wide / mad.wide
    using N = typename Next<T>::type;
    u64 *d = w.D(in.d);
    const u64 *a = w.S(in.a), *b = w.S(in.b), *c = in.c == kNone ? nullptr : w.S(in.c);
    lanes(m, [&](int l) {
        N r = N(T(a[l])) * N(T(b[l]));
        if (c) {
            r += N(c[l]);
        }
        d[l] = u64(r);
    });
}
void mul24(Warp &w, const Instr &in, u32 m)
{
    bool s = in.ty == Ty::S32;
    lanes(m, [&](int l) {
        i64 a = s ? i64(i32(w.S(in.a)[l] << 8) >> 8) : i64(w.S(in.a)[l] & 0xffffff),
            b = s ? i64(i32(w.S(in.b)[l] << 8) >> 8) : i64(w.S(in.b)[l] & 0xffffff);
        u32 r = in.sub ? u32((a * b) >> 16) : u32(a * b);
        w.D(in.d)[l] = u32(r + (in.c == kNone ? 0 : u32(w.S(in.c)[l])));
    });
}
// Extended precision: sub 0 add, 1 subtract, 2 mad.lo, 3 mad.hi; pan = consume the carry flag.
template <class T, class> void carry(Warp &w, const Instr &in, u32 m)
{
    using N = typename Next<T>::type;
    lanes(m, [&](int l) {
        T a = T(w.S(in.a)[l]), b = T(w.S(in.b)[l]);
        N x = a, y = b, ci = in.pan ? (w.cc >> l & 1) : 0, r;
        if (in.sub == 1) {
            r = x - y - ci;
        } else {
            if (in.sub >= 2) {
                T p = in.sub == 2 ? T(N(a) * b) : T((N(a) * b) >> (8 * sizeof(T)));
                x = p;
                y = T(w.S(in.c)[l]);
            }
            r = x + y + ci;
        }
        w.D(in.d)[l] = u64(T(r));
        if (in.carry_out) {
            w.cc = (w.cc & ~(1u << l)) | (u32((r >> (8 * sizeof(T))) & 1) << l);
        }
    });
}
} // namespace

Handler Decoder::arithmetic()
{
    const std::string &n = p[0];
    Ty t = in.ty;
    bool f = ty_float(t);
    if (n == "add" || n == "sub") {
        d_ab();
        if (f) {
            return n == "add" ? flt_bin<Add>(in) : flt_bin<Sub>(in);
        }
        in.sub = n == "sub";
        if (has("cc")) {
            in.carry_out = true;
            return carry_handler();
        }
        if (in.sat && t == Ty::S32) {
            return add_sat<i32, void>;
        }
        return n == "add" ? int_bin<Add>(t) : int_bin<Sub>(t);
    }
    if (n == "addc" || n == "subc") {
        d_ab();
        in.sub = n == "subc";
        in.pan = true;
        in.carry_out = has("cc");
        return carry_handler();
    }
    if (n == "mul") {
        d_ab();
        if (f) {
            return flt_bin<FMul>(in);
        }
        if (has("wide")) {
            return wide_handler();
        }
        return has("hi") ? int_bin<MulHi>(t) : int_bin<MulLo>(t);
    }
    if (n == "mad" || n == "fma" || n == "madc") {
        d_abc();
        if (f) {
            return flt_tern<FFma>(t);
        }
        if (has("wide")) {
            return wide_handler();
        }
        if (n == "madc" || has("cc")) {
            in.sub = has("hi") ? 3 : 2;
            in.pan = n == "madc";
            in.carry_out = has("cc");
            return carry_handler();
        }
        return has("hi") ? int_tern<MadHi>(t) : int_tern<MadLo>(t);
    }
    if (n == "mul24" || n == "mad24") {
        d_ab();
        if (n == "mad24") {
            in.c = src(3);
        }
        in.sub = has("hi");
        return mul24;
    }
    if (n == "div") {
        d_ab();
        return f ? flt_bin<FDiv>(in) : int_bin<Div>(t);
    }
    if (n == "rem") {
        d_ab();
        return int_bin<Rem>(t);
    }
    if (n == "min" || n == "max") {
        d_ab();
        if (f) {
            return has("NaN")   ? (n == "min" ? flt_bin<FMinNan>(in) : flt_bin<FMaxNan>(in))
                   : n == "min" ? flt_bin<FMin>(in)
                                : flt_bin<FMax>(in);
        }
        return n == "min" ? int_bin<Min>(t) : int_bin<Max>(t);
    }
    if (n == "sad") {
        d_abc();
        return int_tern<Sad>(t);
    }
    if (n == "neg") {
        d_a();
        return f ? flt_un<FNeg>(t) : int_un<Neg>(t);
    }
    if (n == "abs") {
        d_a();
        return f ? flt_un<FAbs>(t) : int_un<Abs>(t);
    }
    if (n == "cnot") {
        d_a();
        return int_un<Cnot>(t);
    }
    return nullptr;
}

Handler Decoder::carry_handler()
{
    switch (in.ty) {
    case Ty::U32:
    case Ty::S32:
    case Ty::B32:
        return carry<u32, void>;
    case Ty::U64:
    case Ty::S64:
    case Ty::B64:
        return carry<u64, void>;
    default:
        bad("type");
    }
}
Handler Decoder::wide_handler()
{
    switch (in.ty) {
    case Ty::U16:
        return wide<u16, void>;
    case Ty::S16:
        return wide<i16, void>;
    case Ty::U32:
        return wide<u32, void>;
    case Ty::S32:
        return wide<i32, void>;
    default:
        bad("type");
    }
}
} // namespace ptxsim
