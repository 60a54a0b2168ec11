// op_shapes.hpp: what the families of instructions share: register cells as values, loops over lanes, choice by type.
#pragma once
#include "decoder.hpp"
#include <cfenv>
#include <cmath>
#include <limits>
#include <type_traits>

namespace ptxsim
{
// ---- register cells <-> values ----
template <class T> inline T get(u64 c)
{
    if constexpr (std::is_same_v<T, float>) {
        u32 x = (u32)c;
        float f;
        memcpy(&f, &x, 4);
        return f;
    } else if constexpr (std::is_same_v<T, double>) {
        double d;
        memcpy(&d, &c, 8);
        return d;
    } else {
        return (T)c;
    }
}
template <class T> inline u64 put(T v)
{
    if constexpr (std::is_same_v<T, float>) {
        u32 x;
        memcpy(&x, &v, 4);
        return x;
    } else if constexpr (std::is_same_v<T, double>) {
        u64 x;
        memcpy(&x, &v, 8);
        return x;
    } else {
        return (u64)v;
    }
}
template <class T> T flush(T v)
{
    return std::fpclassify(v) == FP_SUBNORMAL ? std::copysign(T(0), v) : v;
}
template <class T> T saturate(T v)
{
    return std::isnan(v) ? T(0) : v < 0 ? T(0) : v > 1 ? T(1) : v;
}
const int kRound[4] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
struct Rounding {
    bool on;
    explicit Rounding(int r) : on(r != 0)
    {
        if (on) {
            fesetround(kRound[r]);
        }
    }
    ~Rounding()
    {
        if (on) {
            fesetround(FE_TONEAREST);
        }
    }
};

// ---- generic shapes ----
template <class T, class Op> void un(Warp &w, const Instr &in, u32 m)
{
    u64 *d = w.D(in.d);
    const u64 *a = w.S(in.a);
    lanes(m, [&](int l) { d[l] = put<T>(Op::template f<T>(get<T>(a[l]))); });
}
template <class T, class Op> void bin(Warp &w, const Instr &in, u32 m)
{
    u64 *d = w.D(in.d);
    const u64 *a = w.S(in.a), *b = w.S(in.b);
    lanes(m, [&](int l) { d[l] = put<T>(Op::template f<T>(get<T>(a[l]), get<T>(b[l]))); });
}
template <class T, class Op> void tern(Warp &w, const Instr &in, u32 m)
{
    u64 *d = w.D(in.d);
    const u64 *a = w.S(in.a), *b = w.S(in.b), *c = w.S(in.c);
    lanes(m, [&](int l) { d[l] = put<T>(Op::template f<T>(get<T>(a[l]), get<T>(b[l]), get<T>(c[l]))); });
}
// Floating point with rounding mode, flush to zero and saturation.
template <class T, class Op, int N> void flt(Warp &w, const Instr &in, u32 m)
{
    u64 *d = w.D(in.d);
    const u64 *a = w.S(in.a), *b = N > 1 ? w.S(in.b) : a, *c = N > 2 ? w.S(in.c) : a;
    Rounding r(in.rnd);
    lanes(m, [&](int l) {
        T x = get<T>(a[l]), y = get<T>(b[l]), z = get<T>(c[l]), v;
        if (in.ftz) {
            x = flush(x);
            y = flush(y);
            z = flush(z);
        }
        if constexpr (N == 1) {
            v = Op::template f<T>(x);
        } else if constexpr (N == 2) {
            v = Op::template f<T>(x, y);
        } else {
            v = Op::template f<T>(x, y, z);
        }
        if (in.ftz) {
            v = flush(v);
        }
        if (in.sat) {
            v = saturate(v);
        }
        d[l] = put<T>(v);
    });
}
template <class T> using Uns = std::make_unsigned_t<T>;
template <class T> struct Next;
template <> struct Next<u16> {
    using type = u32;
};
template <> struct Next<i16> {
    using type = i32;
};
template <> struct Next<u32> {
    using type = u64;
};
template <> struct Next<i32> {
    using type = i64;
};
template <> struct Next<u64> {
    using type = unsigned __int128;
};
template <> struct Next<i64> {
    using type = __int128;
};

#define UN(name, expr)                                                                                                 \
    struct name {                                                                                                      \
        template <class T> static T f(T a) { return T(expr); }                                                         \
    };
#define BIN(name, expr)                                                                                                \
    struct name {                                                                                                      \
        template <class T> static T f(T a, T b) { return T(expr); }                                                    \
    };
#define TERN(name, expr)                                                                                               \
    struct name {                                                                                                      \
        template <class T> static T f(T a, T b, T c) { return T(expr); }                                               \
    };

#define INT_CASES(H, ...)                                                                                              \
    case Ty::U16:                                                                                                      \
    case Ty::B16:                                                                                                      \
        return H<u16, __VA_ARGS__>;                                                                                    \
    case Ty::U32:                                                                                                      \
    case Ty::B32:                                                                                                      \
        return H<u32, __VA_ARGS__>;                                                                                    \
    case Ty::U64:                                                                                                      \
    case Ty::B64:                                                                                                      \
        return H<u64, __VA_ARGS__>;                                                                                    \
    case Ty::S16:                                                                                                      \
        return H<i16, __VA_ARGS__>;                                                                                    \
    case Ty::S32:                                                                                                      \
        return H<i32, __VA_ARGS__>;                                                                                    \
    case Ty::S64:                                                                                                      \
        return H<i64, __VA_ARGS__>;
template <class Op> Handler int_un(Ty t)
{
    switch (t) {
        INT_CASES(un, Op) default : bad("type");
    }
}
template <class Op> Handler int_bin(Ty t)
{
    switch (t) {
        INT_CASES(bin, Op) default : bad("type");
    }
}
template <class Op> Handler int_tern(Ty t)
{
    switch (t) {
        INT_CASES(tern, Op) default : bad("type");
    }
}
template <class Op> Handler flt_un(Ty t)
{
    if (t == Ty::F32) {
        return flt<float, Op, 1>;
    }
    if (t == Ty::F64) {
        return flt<double, Op, 1>;
    }
    bad("type");
}
template <class Op> Handler flt_bin(const Instr &in)
{
    bool plain = !in.rnd && !in.ftz && !in.sat;
    if (in.ty == Ty::F32) {
        return plain ? bin<float, Op> : flt<float, Op, 2>;
    }
    if (in.ty == Ty::F64) {
        return plain ? bin<double, Op> : flt<double, Op, 2>;
    }
    bad("type");
}
template <class Op> Handler flt_tern(Ty t)
{
    if (t == Ty::F32) {
        return flt<float, Op, 3>;
    }
    if (t == Ty::F64) {
        return flt<double, Op, 3>;
    }
    bad("type");
}
#define SIZED(h) return ty_size(in.ty) == 8 ? h<u64, void> : h<u32, void>
} // namespace ptxsim
