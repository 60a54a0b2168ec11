// op_functions.cpp: roots, reciprocals and other functions. Approximate ones are those of libm: last bits differ from hardware.
#include "op_shapes.hpp"
#include <algorithm>

namespace ptxsim
{
namespace
{
// clang-format off
UN(FSqrt, std::sqrt(a))
BIN(FCopysign, std::copysign(b, a))
UN(FRcp, T(1) / a)
UN(FRsqrt, T(1) / std::sqrt(a))
UN(FEx2, std::exp2(a))
UN(FLg2, std::log2(a))
UN(FSin, std::sin(a))
UN(FCos, std::cos(a))
UN(FTanh, std::tanh(a))
// clang-format on
struct FRcpApprox64 {
    template <class T> static T f(T a)
    {
        double r = 1.0 / (double)a;
        u64 b;
        memcpy(&b, &r, 8);
        b &= ~0xffffffffull;
        memcpy(&r, &b, 8);
        return (T)r;
    }
};
struct FRsqrtApprox64 {
    template <class T> static T f(T a)
    {
        double r = 1.0 / std::sqrt((double)a);
        u64 b;
        memcpy(&b, &r, 8);
        b &= ~0xffffffffull;
        memcpy(&r, &b, 8);
        return (T)r;
    }
};
} // namespace

Handler Decoder::functions()
{
    const std::string &n = p[0];
    Ty t = in.ty;
    if (n == "copysign") {
        d_ab();
        return t == Ty::F32 ? bin<float, FCopysign> : bin<double, FCopysign>;
    }
    if (n == "sqrt") {
        d_a();
        return flt_un<FSqrt>(t);
    }
    if (n == "rcp") {
        d_a();
        return t == Ty::F64 && has("approx") ? flt<double, FRcpApprox64, 1> : flt_un<FRcp>(t);
    }
    if (n == "rsqrt") {
        d_a();
        return t == Ty::F64 ? flt<double, FRsqrtApprox64, 1> : flt_un<FRsqrt>(t);
    }
    if (n == "ex2") {
        d_a();
        return flt_un<FEx2>(t);
    }
    if (n == "lg2") {
        d_a();
        return flt_un<FLg2>(t);
    }
    if (n == "sin") {
        d_a();
        return flt_un<FSin>(t);
    }
    if (n == "cos") {
        d_a();
        return flt_un<FCos>(t);
    }
    if (n == "tanh") {
        d_a();
        return flt_un<FTanh>(t);
    }
    return nullptr;
}

} // namespace ptxsim
