// op_convert.cpp: conversions between types.
#include "op_shapes.hpp"
#include <algorithm>

namespace ptxsim
{
namespace
{
template <class T> T integral(T v, int mode)
{
    return mode == 1   ? std::nearbyint(v)
           : mode == 2 ? std::trunc(v)
           : mode == 3 ? std::floor(v)
           : mode == 4 ? std::ceil(v)
                       : v;
}
template <class D, class S> D convert(const Instr &in, S s)
{
    if constexpr (std::is_integral_v<D> && std::is_integral_v<S>) {
        if (!in.sat) {
            return D(s);
        }
        __int128 v = s, lo = std::numeric_limits<D>::min(), hi = std::numeric_limits<D>::max();
        return D(v < lo ? lo : v > hi ? hi : v);
    } else if constexpr (std::is_integral_v<D>) {
        if (in.ftz) {
            s = flush(s);
        }
        if (std::isnan(s)) {
            return sizeof(S) == 8 || sizeof(D) == 8 ? D(1) << (8 * sizeof(D) - 1) : D(0);
        }
        s = integral(s, in.irnd ? in.irnd : 2);
        if (s <= S(std::numeric_limits<D>::min())) {
            return std::numeric_limits<D>::min();
        }
        if (s >= S(std::numeric_limits<D>::max())) {
            return std::numeric_limits<D>::max();
        }
        return D(s);
    } else {
        if constexpr (std::is_floating_point_v<S>) {
            if (in.ftz) {
                s = flush(s);
            }
            s = integral(s, in.irnd);
        }
        D d = D(s);
        if (in.ftz) {
            d = flush(d);
        }
        return in.sat ? saturate(d) : d;
    }
}
template <class D, class S> void cvt(Warp &w, const Instr &in, u32 m)
{
    u64 *d = w.D(in.d);
    const u64 *a = w.S(in.a);
    Rounding r(in.rnd);
    lanes(m, [&](int l) { d[l] = put<D>(convert<D, S>(in, get<S>(a[l]))); });
}
float half_to_float(u16 h)
{
    int e = h >> 10 & 31, f = h & 1023;
    float v = e == 31 ? (f ? NAN : INFINITY) : e ? std::ldexp(float(1024 + f), e - 25) : std::ldexp(float(f), -24);
    return h & 0x8000 ? -v : v;
}
u16 float_to_half(double v)
{ // round to nearest even
    u16 s = std::signbit(v) ? 0x8000 : 0;
    v = std::fabs(v);
    if (std::isnan(v)) {
        return 0x7fff;
    }
    if (v >= 65520) {
        return s | 0x7c00;
    }
    int e = v < 6.103515625e-05 ? -14 : std::ilogb(v);
    double q = std::nearbyint(std::ldexp(v, 10 - e));
    return s | u16(v < 6.103515625e-05 ? q : q + (e + 14) * 1024);
}
template <class S> void to_half(Warp &w, const Instr &in, u32 m)
{
    lanes(m, [&](int l) { w.D(in.d)[l] = float_to_half((double)get<S>(w.S(in.a)[l])); });
}
template <class D> void from_half(Warp &w, const Instr &in, u32 m)
{
    lanes(m, [&](int l) { w.D(in.d)[l] = put<D>(convert<D, float>(in, half_to_float(u16(w.S(in.a)[l])))); });
}
template <class D> Handler cvt_from(Ty s)
{
    switch (s) {
    case Ty::U8:
    case Ty::B8:
        return cvt<D, u8>;
    case Ty::U16:
    case Ty::B16:
        return cvt<D, u16>;
    case Ty::U32:
    case Ty::B32:
        return cvt<D, u32>;
    case Ty::U64:
    case Ty::B64:
        return cvt<D, u64>;
    case Ty::S8:
        return cvt<D, i8>;
    case Ty::S16:
        return cvt<D, i16>;
    case Ty::S32:
        return cvt<D, i32>;
    case Ty::S64:
        return cvt<D, i64>;
    case Ty::F32:
        return cvt<D, float>;
    case Ty::F64:
        return cvt<D, double>;
    case Ty::F16:
        return from_half<D>;
    default:
        bad("source type");
    }
}
Handler cvt_handler(Ty d, Ty s)
{
    switch (d) {
    case Ty::U8:
    case Ty::B8:
        return cvt_from<u8>(s);
    case Ty::U16:
    case Ty::B16:
        return cvt_from<u16>(s);
    case Ty::U32:
    case Ty::B32:
        return cvt_from<u32>(s);
    case Ty::U64:
    case Ty::B64:
        return cvt_from<u64>(s);
    case Ty::S8:
        return cvt_from<i8>(s);
    case Ty::S16:
        return cvt_from<i16>(s);
    case Ty::S32:
        return cvt_from<i32>(s);
    case Ty::S64:
        return cvt_from<i64>(s);
    case Ty::F32:
        return cvt_from<float>(s);
    case Ty::F64:
        return cvt_from<double>(s);
    case Ty::F16:
        if (s == Ty::F32) {
            return to_half<float>;
        }
        if (s == Ty::F64) {
            return to_half<double>;
        }
        if (s == Ty::S32) {
            return to_half<i32>;
        }
        if (s == Ty::U32) {
            return to_half<u32>;
        }
        bad("f16 source");
    default:
        bad("destination type");
    }
}

} // namespace

Handler Decoder::conversions()
{
    const std::string &n = p[0];
    if (n == "cvt") {
        if (types.size() != 2) {
            bad("packed conversion");
        }
        d_a();
        bool integral_result = !ty_float(types[0]);
        if (in.irnd && integral_result) {
            in.rnd = 0;
        }
        return cvt_handler(types[0], types[1]);
    }
    return nullptr;
}

} // namespace ptxsim
