// Test kernels. Compiled to PTX by `nvcc --ptx -arch=compute_75`, loaded by test_sim.cpp.
#include <cstdint>
typedef unsigned long long u64;
typedef long long s64;

extern "C" __global__ void vadd(const int *a, const int *b, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = a[i] + b[i];
}

// Quote bitmap by ballot, count by shfl + shared + barrier + atomic.
extern "C" __global__ void quotes(const uint8_t *text, unsigned *bits, unsigned *total, int n)
{
    __shared__ unsigned part[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    bool q = i < n && text[i] == '"';
    unsigned m = __ballot_sync(0xffffffffu, q);
    if (lane == 0 && i < n)
        bits[i >> 5] = m;
    unsigned c = q;
    for (int d = 16; d; d >>= 1)
        c += __shfl_xor_sync(0xffffffffu, c, d);
    if (lane == 0)
        part[warp] = c;
    __syncthreads();
    if (warp == 0) {
        unsigned v = lane < (int)(blockDim.x >> 5) ? part[lane] : 0;
        for (int d = 16; d; d >>= 1)
            v += __shfl_down_sync(0xffffffffu, v, d);
        if (lane == 0)
            atomicAdd(total, v);
    }
}

// Three-phase inclusive scan in one block: shfl_up, shared, barrier.
extern "C" __global__ void block_scan(const unsigned *in, unsigned *out, int n)
{
    __shared__ unsigned sums[32];
    int t = threadIdx.x, lane = t & 31, warp = t >> 5;
    unsigned v = t < n ? in[t] : 0;
    for (int d = 1; d < 32; d <<= 1) {
        unsigned o = __shfl_up_sync(0xffffffffu, v, d);
        if (lane >= d)
            v += o;
    }
    if (lane == 31)
        sums[warp] = v;
    __syncthreads();
    if (warp == 0) {
        unsigned s = lane < (int)(blockDim.x >> 5) ? sums[lane] : 0;
        for (int d = 1; d < 32; d <<= 1) {
            unsigned o = __shfl_up_sync(0xffffffffu, s, d);
            if (lane >= d)
                s += o;
        }
        sums[lane] = s;
    }
    __syncthreads();
    if (warp)
        v += sums[warp - 1];
    if (t < n)
        out[t] = v;
}

// Byte classification: 16-byte vector loads, byte_perm, dp4a, match, ballot, brev, clz, funnel shift, bit field ops.
extern "C" __global__ void classify(const uint4 *in, unsigned *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    uint4 v = i < n ? in[i] : make_uint4(0, 0, 0, 0);
    unsigned w[4] = {v.x, v.y, v.z, v.w}, commas = 0;
    for (int k = 0; k < 4; k++) {
        unsigned eq = __vcmpeq4(w[k], 0x2c2c2c2cu) & 0x01010101u;
        commas += __dp4a(eq, 0x01010101u, 0u);
    }
    unsigned sw = __byte_perm(v.x, v.y, 0x3715);
    unsigned fs = __funnelshift_l(v.z, v.w, 7) ^ __funnelshift_r(v.x, v.w, v.y & 31);
    unsigned same = __match_any_sync(0xffffffffu, commas);
    unsigned act = __activemask();
    int leader = __ffs(same) - 1;
    unsigned sd = __shfl_sync(0xffffffffu, v.y, leader);
    unsigned bits = __popc(same) + __clz(v.w) * 3 + __brev(v.z) + __clzll(((u64)v.x << 20) | 1);
    int sgn = __dp4a((int)v.x, (int)v.y, -5);
    unsigned anyb = __any_sync(0xffffffffu, commas == 3), allb = __all_sync(0xffffffffu, commas < 9);
    if (i < n) {
        out[8 * i] = commas;
        out[8 * i + 1] = sw;
        out[8 * i + 2] = fs;
        out[8 * i + 3] = same;
        out[8 * i + 4] = sd;
        out[8 * i + 5] = bits;
        out[8 * i + 6] = (unsigned)sgn;
        out[8 * i + 7] = anyb * 2 + allb + (act == ~0u) * 4;
    }
}

// redux.sync needs sm_80: the inline form keeps one source file for both (compiled with -arch=compute_80 into sim_kernels80.ptx).
#if __CUDA_ARCH__ >= 800
extern "C" __global__ void redux(const int *in, int *out)
{
    int v = in[threadIdx.x];
    int a = __reduce_add_sync(~0u, v), mn = __reduce_min_sync(~0u, v), mx = __reduce_max_sync(~0u, v);
    unsigned o = __reduce_or_sync(~0u, (unsigned)v), x = __reduce_xor_sync(~0u, (unsigned)v),
             an = __reduce_and_sync(~0u, (unsigned)v);
    unsigned um = __reduce_max_sync(~0u, (unsigned)v);
    if ((threadIdx.x & 31) == 0) {
        int *p = out + (threadIdx.x >> 5) * 7;
        p[0] = a;
        p[1] = mn;
        p[2] = mx;
        p[3] = o;
        p[4] = x;
        p[5] = an;
        p[6] = um;
    }
}
#endif

// 64-bit integer: mulhi, div, rem, signed variants, min/max, shifts, narrow types.
extern "C" __global__ void int64ops(const u64 *a, const u64 *b, u64 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    u64 x = a[i], y = b[i] | 1, r = __umul64hi(x, y);
    r = r * 31 + (u64)__mul64hi((s64)x, (s64)y);
    r = r * 31 + x / y + x % y;
    r = r * 31 + (u64)((s64)x / (s64)(y | 3)) + (u64)((s64)x % (s64)(y | 3));
    r = r * 31 + (u64)min((s64)x, (s64)y) + max(x, y);
    r = r * 31 + ((s64)x >> (y & 63)) + (x << (x & 63));
    r = r * 31 + (u64)(s64)(int8_t)x * (uint16_t)y + (u64)(int16_t)(x >> 8);
    r = r * 31 + __umulhi((unsigned)x, (unsigned)y) + (u64)__mulhi((int)x, (int)y);
    r = r * 31 + (unsigned)x / (unsigned)y + (u64)(s64)((int)x % (int)(y | 3));
    out[i] = r;
}

// Decimal text -> double, plus conversions in every direction.
extern "C" __global__ void parse_f64(const char *text, const unsigned *off, double *out, float *outf, s64 *outi, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const char *p = text + off[i];
    const char *e = text + off[i + 1];
    bool neg = p < e && *p == '-';
    if (neg)
        p++;
    u64 m = 0;
    int scale = 0;
    bool dot = false;
    for (; p < e; p++) {
        if (*p == '.') {
            dot = true;
            continue;
        }
        m = m * 10 + (u64)(*p - '0');
        scale += dot;
    }
    double d = (double)m, ten = 1;
    for (int k = 0; k < scale; k++)
        ten *= 10.0;
    d = d / ten;
    if (neg)
        d = -d;
    out[i] = d;
    outf[i] = sqrtf((float)fabs(d)) * 2.5f + fmaf((float)d, 0.5f, 1.0f);
    outi[i] = __double2ll_rn(d) * 1000 + (s64)floor(d) * 10 + (int)ceilf((float)d) + (s64)(d > 1.5e2) +
              __double2int_rz(fma(d, 3.0, sqrt(fabs(d))));
}

// Table-driven DFA in constant memory, also a __device__ table with an initialiser.
__constant__ uint8_t dfa_next[4][3] = {{0, 1, 2}, {0, 1, 3}, {2, 2, 2}, {3, 1, 2}};
__device__ const short dfa_score[4] = {10, -20, 30, -40};
__device__ unsigned dfa_calls = 7;
extern "C" __global__ void dfa(const uint8_t *text, const unsigned *off, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned s = 0;
    for (unsigned k = off[i]; k < off[i + 1]; k++) {
        uint8_t c = text[k];
        s = dfa_next[s][c == 'a' ? 0 : c == 'b' ? 1 : 2];
    }
    out[i] = dfa_score[s] * 100 + s;
    atomicAdd(&dfa_calls, 1u);
}

// Dynamic shared memory, struct by value, block reversal.
struct Shift {
    int by[3];
    short mul;
    uint8_t pad;
};
extern "C" __global__ void dynshared(const int *in, int *out, Shift s)
{
    extern __shared__ int buf[];
    int t = threadIdx.x, base = blockIdx.x * blockDim.x;
    buf[t] = in[base + t] * s.mul;
    __syncthreads();
    out[base + t] = buf[blockDim.x - 1 - t] + s.by[t % 3];
}

// Address of a kernel parameter handed to a function; sub-warp shuffles; match.all; uniform votes.
struct Big {
    int v[40];
};
__device__ __noinline__ int pick(const Big *b, int i)
{
    return b->v[i % 40];
}
extern "C" __global__ void misc(const __grid_constant__ Big b, int *out)
{
    int t = threadIdx.x, lane = t & 31, pred, same;
    int x = pick(&b, t * 7);
    int up = __shfl_up_sync(~0u, x, 3, 8), down = __shfl_down_sync(~0u, x, 2, 16), idx = __shfl_sync(~0u, x, t + 5, 4),
        bf = __shfl_xor_sync(~0u, x, 9);
    unsigned m1 = __match_all_sync(~0u, t >> 6, &pred), m2 = __match_all_sync(~0u, (unsigned long long)lane, &same);
    asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; vote.sync.uni.pred q, p, -1; selp.s32 %0, 1, 0, q; }"
                 : "=r"(x)
                 : "r"(t >> 5));
    long long wide = __shfl_sync(~0u, (long long)t << 40, 31 - lane);
    out[t] = up + 3 * down + 5 * idx + 7 * bf + (int)m1 * pred + (int)(m2 + same) + 1000 * x + (int)(wide >> 38);
}

// Device function calls (noinline), recursion, local arrays.
__device__ __noinline__ int collatz(int x, int *peak)
{
    int n = 0;
    while (x != 1) {
        x = x & 1 ? 3 * x + 1 : x / 2;
        if (x > *peak)
            *peak = x;
        n++;
    }
    return n;
}
__device__ __noinline__ unsigned fib(unsigned n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
extern "C" __global__ void calls(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int hist[16], peak = 0;
    for (int k = 0; k < 16; k++)
        hist[k] = k * i;
    int c = collatz(i + 1, &peak);
    hist[c & 15] += peak;
    int s = 0;
    for (int k = 0; k < 16; k++)
        s += hist[(k * 7 + i) & 15] * (k + 1);
    out[i] = s + (int)fib(i % 9);
}

// Atomics of every kind on global and shared memory.
extern "C" __global__ void atomics(u64 *g, unsigned *h, const unsigned *in)
{
    __shared__ unsigned s[8];
    __shared__ u64 s64v;
    int t = threadIdx.x;
    if (t < 8)
        s[t] = t == 2 || t == 4 ? ~0u : 0u;
    if (t == 0)
        s64v = 0;
    __syncthreads();
    unsigned v = in[blockIdx.x * blockDim.x + t];
    atomicAdd(&s[0], v);
    atomicOr(&s[1], v);
    atomicAnd(&s[2], v | 0xff);
    atomicMax(&s[3], v);
    atomicMin(&s[4], v);
    atomicXor(&s[5], v);
    atomicInc(&s[6], 99u);
    atomicAdd(&s64v, (u64)v * v);
    for (unsigned old = *(volatile unsigned *)&s[7], seen;; old = seen) {
        seen = atomicCAS(&s[7], old, old + (v & 15));
        if (seen == old)
            break;
    }
    atomicMax(&g[1], (u64)v << 20);
    atomicMin((int *)&h[8], (int)v);
    __syncthreads();
    if (t < 8) {
        if (t == 3)
            atomicMax(&h[t], s[t]);
        else if (t == 4)
            atomicMin(&h[t], s[t]);
        else if (t == 1)
            atomicOr(&h[t], s[t]);
        else if (t == 2)
            atomicAnd(&h[t], s[t]);
        else if (t == 5)
            atomicXor(&h[t], s[t]);
        else
            atomicAdd(&h[t], s[t]);
    }
    if (t == 0) {
        atomicAdd(&g[0], s64v);
        atomicExch(&h[9], blockIdx.x + 1);
    }
}

// Libdevice: exp/log/pow/sin, float division, integer log by bfind, lanemask registers.
extern "C" __global__ void mathfn(const double *in, double *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double x = in[i];
    float f = (float)x;
    out[6 * i] = exp(x * 0.1);
    out[6 * i + 1] = log(x + 1.0);
    out[6 * i + 2] = pow(x + 0.5, 1.3);
    out[6 * i + 3] = sin(x);
    out[6 * i + 4] = f / (f + 3.0f) + expf(f * 0.01f) + logf(f + 2.0f);
    out[6 * i + 5] = rint(x * 3.7) + trunc(x) + round(x * 1.5) + fmod(x, 2.5);
}
