// Runs the kernels of sim_kernels.cu and sim_faults.cu in the interpreter; see README.md.
#include "ptxsim.hpp"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <sstream>

using namespace ptxsim;
typedef unsigned long long ull;
static int passed, failed;
static std::string dir;

static std::string slurp(const std::string &f)
{
    std::ifstream i(f);
    if (!i) {
        throw std::runtime_error("cannot open " + f);
    }
    std::stringstream s;
    s << i.rdbuf();
    return s.str();
}
static void check(const std::string &name, bool ok, const std::string &why = "")
{
    printf("%s %s%s%s\n", ok ? "ok  " : "FAIL", name.c_str(), why.empty() ? "" : ": ", why.c_str());
    (ok ? passed : failed)++;
}

struct Rand {
    ull s = 88172645463325252ull;
    ull operator()()
    {
        s ^= s << 13;
        s ^= s >> 7;
        s ^= s << 17;
        return s;
    }
};

template <class T> struct Buf { // device array
    Device &d;
    uint64_t a;
    size_t n;
    Buf(Device &d_, size_t n_, const char *name = "") : d(d_), a(d_.alloc(n_ * sizeof(T), name)), n(n_) {}
    Buf(Device &d_, const std::vector<T> &v, const char *name = "") : Buf(d_, v.size(), name)
    {
        d.write(a, v.data(), n * sizeof(T));
    }
    std::vector<T> get()
    {
        std::vector<T> v(n);
        d.read(a, v.data(), n * sizeof(T));
        return v;
    }
};

struct Run { // a device, a module, and launch with C++ arguments
    Device dev;
    std::shared_ptr<Module> mod;
    Options opt;
    explicit Run(const std::string &file, uint64_t seed = 0)
    {
        mod = load(dev, slurp(dir + "/" + file));
        opt.seed = seed;
        opt.check_race = true;
        opt.budget = 500000000;
    }
    template <class... A> bool go(const char *k, Dim3 g, Dim3 b, size_t sh, A... a)
    {
        const void *p[] = {&a...};
        return launch(dev, *mod, k, g, b, sh, p, opt);
    }
    bool quiet() const { return dev.findings.empty(); }
    std::string first() const { return dev.findings.empty() ? "" : dev.findings[0].str(); }
    bool has(const std::string &kind) const
    {
        for (auto &f : dev.findings) {
            if (f.kind == kind) {
                return true;
            }
        }
        return false;
    }
};

// Runs a positive test under several schedules.
static void positive(const char *name, const char *file, const std::function<std::string(Run &)> &body)
{
    for (uint64_t seed : {0, 1, 2, 3}) {
        std::string why;
        try {
            Run r(file, seed);
            why = body(r);
            if (why.empty() && !r.quiet()) {
                why = r.first();
            }
        } catch (const std::exception &e) {
            why = e.what();
        }
        if (!why.empty()) {
            return check(name, false, "seed " + std::to_string(seed) + ": " + why);
        }
    }
    check(name, true);
}
template <class T> std::string same(const std::vector<T> &got, const std::vector<T> &want)
{
    for (size_t i = 0; i < want.size(); i++) {
        if (memcmp(&got[i], &want[i], sizeof(T))) {
            return "element " + std::to_string(i) + " is " + std::to_string(got[i]) + ", expected " +
                   std::to_string(want[i]);
        }
    }
    return "";
}
static void negative(const char *name, const char *kind, const std::function<void(Run &)> &body)
{
    std::string why;
    try {
        Run r("sim_faults.ptx");
        body(r);
        if (r.has(kind)) {
            for (auto &f : r.dev.findings) {
                if (f.kind == kind) {
                    check(std::string("finds ") + name, true, f.str());
                    return;
                }
            }
        }
        why = r.quiet() ? "nothing reported" : "reported only " + r.first();
    } catch (const std::exception &e) {
        why = e.what();
    }
    check(std::string("finds ") + name, false, why);
}

static unsigned permute(unsigned a, unsigned b, unsigned s)
{
    ull x = (ull)b << 32 | a;
    unsigned r = 0;
    for (int k = 0; k < 4; k++) {
        r |= unsigned(x >> (8 * (s >> (4 * k) & 7)) & 255) << (8 * k);
    }
    return r;
}

static void positives()
{
    positive("vadd", "sim_kernels.ptx", [](Run &r) {
        int n = 1000;
        std::vector<int> a(n), b(n), want(n);
        for (int i = 0; i < n; i++) {
            a[i] = i * 7;
            b[i] = -3 * i + 1;
            want[i] = a[i] + b[i];
        }
        Buf<int> da(r.dev, a), db(r.dev, b), out(r.dev, n);
        r.go("vadd", 8, 128, 0, da.a, db.a, out.a, n);
        return same(out.get(), want);
    });
    positive("counts the bytes of global memory", "sim_kernels.ptx", [](Run &r) {
        int n = 1000;
        Buf<int> da(r.dev, std::vector<int>(n, 1)), db(r.dev, std::vector<int>(n, 2)), out(r.dev, n);
        r.go("vadd", 8, 128, 0, da.a, db.a, out.a, n);
        const Stats &s = r.dev.stats;
        bool ok = s.global_loaded == 8u * n && s.global_stored == 4u * n && s.thread_instr >= 1024 * 5;
        return ok ? "" : std::to_string(s.global_loaded) + " loaded, " + std::to_string(s.global_stored) + " stored";
    });
    positive("counts an atomic operation as a load and a store", "sim_kernels.ptx", [](Run &r) {
        Buf<uint8_t> text(r.dev, std::vector<uint8_t>(256, '"'));
        Buf<unsigned> bits(r.dev, 8), total(r.dev, std::vector<unsigned>(1));
        r.go("quotes", 1, 256, 0, text.a, bits.a, total.a, 256);
        const Stats &s = r.dev.stats;
        bool ok = s.global_loaded == 256 + 4 && s.global_stored == 8 * 4 + 4;
        return ok ? "" : std::to_string(s.global_loaded) + " loaded, " + std::to_string(s.global_stored) + " stored";
    });
    positive("quotes: ballot, shfl, barrier, atomic", "sim_kernels.ptx", [](Run &r) {
        int n = 10007;
        Rand rnd;
        std::vector<uint8_t> t(n);
        std::vector<unsigned> want((n + 31) / 32);
        unsigned total = 0;
        for (int i = 0; i < n; i++) {
            t[i] = "ab\"{}:,\\"[rnd() & 7];
            if (t[i] == '"') {
                want[i / 32] |= 1u << (i % 32);
                total++;
            }
        }
        Buf<uint8_t> dt(r.dev, t);
        Buf<unsigned> bits(r.dev, want.size()), cnt(r.dev, std::vector<unsigned>(1));
        r.go("quotes", (n + 255) / 256, 256, 0, dt.a, bits.a, cnt.a, n);
        std::string e = same(bits.get(), want);
        return e.empty() ? same(cnt.get(), {total}) : e;
    });
    positive("block_scan", "sim_kernels.ptx", [](Run &r) {
        Rand rnd;
        std::vector<unsigned> in(500), want(500);
        unsigned s = 0;
        for (int i = 0; i < 500; i++) {
            in[i] = unsigned(rnd()) % 1000;
            want[i] = s += in[i];
        }
        Buf<unsigned> di(r.dev, in), out(r.dev, 500);
        r.go("block_scan", 1, 512, 0, di.a, out.a, 500);
        return same(out.get(), want);
    });
    positive("classify: v4 loads, prmt, dp4a, shf, match, brev, clz, vote", "sim_kernels.ptx", [](Run &r) {
        Rand rnd;
        int n = 203;
        std::vector<unsigned> in(256 * 4, 0), want(n * 8);
        std::vector<unsigned> commas(256);
        for (int i = 0; i < n * 4; i++) {
            uint8_t b[4];
            for (auto &c : b) {
                c = rnd() & 1 ? ',' : uint8_t(rnd());
            }
            memcpy(&in[i], b, 4);
        }
        for (int i = 0; i < 256; i++) {
            for (int k = 0; k < 16; k++) {
                commas[i] += ((uint8_t *)&in[4 * i])[k] == ',';
            }
        }
        auto bitrev = [](unsigned v) {
            unsigned x = 0;
            for (int k = 0; k < 32; k++) {
                x |= (v >> k & 1) << (31 - k);
            }
            return x;
        };
        auto clz32 = [](unsigned v) { return v ? __builtin_clz(v) : 32; };
        for (int i = 0; i < n; i++) {
            unsigned *v = &in[4 * i], *o = &want[8 * i], same = 0, any = 0, all = 1;
            for (int l = 0; l < 32; l++) {
                unsigned c = commas[i / 32 * 32 + l];
                same |= unsigned(c == commas[i]) << l;
                any |= c == 3;
                all &= c < 9;
            }
            o[0] = commas[i];
            o[1] = permute(v[0], v[1], 0x3715);
            o[2] = unsigned((((ull)v[3] << 32 | v[2]) << 7) >> 32) ^ unsigned(((ull)v[3] << 32 | v[0]) >> (v[1] & 31));
            o[3] = same;
            o[4] = in[4 * (i / 32 * 32 + __builtin_ctz(same)) + 1];
            o[5] = __builtin_popcount(same) + clz32(v[3]) * 3 + bitrev(v[2]) + __builtin_clzll(((ull)v[0] << 20) | 1);
            int d = -5;
            for (int k = 0; k < 4; k++) {
                d += int(int8_t(v[0] >> (8 * k))) * int(int8_t(v[1] >> (8 * k)));
            }
            o[6] = unsigned(d);
            o[7] = any * 2 + all + 4;
        }
        Buf<unsigned> di(r.dev, std::vector<unsigned>(in.begin(), in.begin() + n * 4)), out(r.dev, n * 8);
        r.go("classify", 2, 128, 0, di.a, out.a, n);
        return same(out.get(), want);
    });
    positive("redux.sync (compute_80)", "sim_kernels80.ptx", [](Run &r) {
        Rand rnd;
        std::vector<int> in(64), want;
        for (auto &x : in) {
            x = int(rnd());
        }
        for (int w = 0; w < 2; w++) {
            unsigned add = 0, o = 0, x = 0, an = ~0u, um = 0;
            int mn = in[w * 32], mx = mn;
            for (int i = w * 32; i < w * 32 + 32; i++) {
                unsigned v = unsigned(in[i]);
                add += v;
                o |= v;
                x ^= v;
                an &= v;
                um = std::max(um, v);
                mn = std::min(mn, in[i]);
                mx = std::max(mx, in[i]);
            }
            for (int v : {int(add), mn, mx, int(o), int(x), int(an), int(um)}) {
                want.push_back(v);
            }
        }
        Buf<int> di(r.dev, in), out(r.dev, 14);
        r.go("redux", 1, 64, 0, di.a, out.a);
        return same(out.get(), want);
    });
    positive("int64ops: mulhi, div, rem, min/max, shifts, narrow types", "sim_kernels.ptx", [](Run &r) {
        Rand rnd;
        int n = 200;
        std::vector<ull> a(n), b(n), want(n);
        for (int i = 0; i < n; i++) {
            ull x = a[i] = rnd() >> (i % 3 * 20), y0 = b[i] = rnd() >> (i % 5 * 12), y = y0 | 1;
            long long sx = x, sy = y, s3 = y | 3;
            ull h = ull((unsigned __int128)x * y >> 64);
            h = h * 31 + ull((__int128)sx * sy >> 64);
            h = h * 31 + x / y + x % y;
            h = h * 31 + ull(sx / s3) + ull(sx % s3);
            h = h * 31 + ull(std::min(sx, sy)) + std::max(x, y);
            h = h * 31 + (sx >> (y & 63)) + (x << (x & 63));
            h = h * 31 + ull((long long)(int8_t)x) * (uint16_t)y + ull((int16_t)(x >> 8));
            h = h * 31 + unsigned(((ull)(unsigned)x * (unsigned)y) >> 32) +
                ull(int(((long long)(int)x * (int)y) >> 32));
            h = h * 31 + (unsigned)x / (unsigned)y + ull((long long)((int)x % (int)(y | 3)));
            want[i] = h;
        }
        Buf<ull> da(r.dev, a), db(r.dev, b), out(r.dev, n);
        r.go("int64ops", 2, 128, 0, da.a, db.a, out.a, n);
        return same(out.get(), want);
    });
    positive("parse_f64: f64/f32 arithmetic and conversions", "sim_kernels.ptx", [](Run &r) {
        Rand rnd;
        int n = 100;
        std::string text;
        std::vector<unsigned> off(1, 0);
        std::vector<double> want;
        std::vector<float> wf;
        std::vector<long long> wi;
        for (int i = 0; i < n; i++) {
            char b[64];
            snprintf(b, sizeof b, "%s%llu.%0*llu", rnd() & 1 ? "-" : "", rnd() % 100000, 1 + i % 6, rnd() % 10);
            text += b;
            off.push_back((unsigned)text.size());
            double m = 0, ten = 1;
            const char *p = b + (*b == '-');
            bool dot = false;
            for (; *p; p++) {
                if (*p == '.') {
                    dot = true;
                    continue;
                }
                m = m * 10 + (*p - '0');
                if (dot) {
                    ten *= 10;
                }
            }
            double d = m / ten;
            if (*b == '-') {
                d = -d;
            }
            want.push_back(d);
            wf.push_back(std::fmaf(sqrtf((float)fabs(d)), 2.5f, std::fmaf((float)d, 0.5f, 1.0f)));
            wi.push_back(llrint(d) * 1000 + (long long)floor(d) * 10 + (int)ceilf((float)d) + (d > 150) - 0 +
                         (long long)(int)std::fma(d, 3.0, sqrt(fabs(d))));
        }
        Buf<char> t(r.dev, std::vector<char>(text.begin(), text.end()));
        Buf<unsigned> o(r.dev, off);
        Buf<double> out(r.dev, n);
        Buf<float> outf(r.dev, n);
        Buf<long long> outi(r.dev, n);
        r.go("parse_f64", 1, 128, 0, t.a, o.a, out.a, outf.a, outi.a, n);
        std::string e = same(out.get(), want);
        if (e.empty()) {
            e = same(outf.get(), wf);
        }
        return e.empty() ? same(outi.get(), wi) : e;
    });
    positive("dfa: constant and global tables, variable symbols", "sim_kernels.ptx", [](Run &r) {
        static const int next[4][3] = {{0, 1, 2}, {0, 1, 3}, {2, 2, 2}, {3, 1, 2}}, score[4] = {10, -20, 30, -40};
        Rand rnd;
        int n = 150;
        std::vector<uint8_t> text;
        std::vector<unsigned> off(1, 0);
        std::vector<int> want;
        for (int i = 0; i < n; i++) {
            int s = 0, len = int(rnd() % 20);
            for (int k = 0; k < len; k++) {
                uint8_t c = "aabbbc"[rnd() % 6];
                text.push_back(c);
                s = next[s][c == 'a' ? 0 : c == 'b' ? 1 : 2];
            }
            off.push_back((unsigned)text.size());
            want.push_back(score[s] * 100 + s);
        }
        Buf<uint8_t> t(r.dev, text);
        Buf<unsigned> o(r.dev, off);
        Buf<int> out(r.dev, n);
        r.go("dfa", 3, 64, 0, t.a, o.a, out.a, n);
        uint64_t a;
        size_t size;
        unsigned calls = 0;
        if (!find_symbol(*r.mod, "dfa_calls", &a, &size) || size != 4) {
            return std::string("no symbol dfa_calls");
        }
        r.dev.read(a, &calls, 4);
        if (calls != 7u + n) {
            return "dfa_calls = " + std::to_string(calls);
        }
        return same(out.get(), want);
    });
    positive("dynshared: dynamic shared memory, struct by value", "sim_kernels.ptx", [](Run &r) {
        struct Shift {
            int by[3];
            short mul;
            uint8_t pad;
        } s = {{100, -7, 31}, -3, 0};
        std::vector<int> in(192), want(192);
        for (int i = 0; i < 192; i++) {
            in[i] = i * i;
        }
        for (int i = 0; i < 192; i++) {
            int b = i / 64 * 64, t = i % 64;
            want[i] = in[b + 63 - t] * s.mul + s.by[t % 3];
        }
        Buf<int> di(r.dev, in), out(r.dev, 192);
        r.go("dynshared", 3, 64, 256, di.a, out.a, s);
        return same(out.get(), want);
    });
    positive("misc: parameter by address, sub-warp shuffles, match.all, vote.uni", "sim_kernels.ptx", [](Run &r) {
        struct Big {
            int v[40];
        } b;
        for (int i = 0; i < 40; i++) {
            b.v[i] = i * i - 300;
        }
        std::vector<int> want(128);
        auto x = [&](int t) { return b.v[t * 7 % 40]; };
        for (int t = 0; t < 128; t++) {
            int w = t & ~31, l = t & 31;
            int up = x((l & 7) >= 3 ? t - 3 : t), down = x((l & 15) + 2 < 16 ? t + 2 : t),
                idx = x(w + (l & ~3) + ((t + 5) & 3)), bf = x(w + (l ^ 9));
            want[t] = up + 3 * down + 5 * idx + 7 * bf + -1 + 0 + 1000 + (w + 31 - l) * 4;
        }
        Buf<int> out(r.dev, 128);
        r.go("misc", 1, 128, 0, b, out.a);
        return same(out.get(), want);
    });
    positive("calls: device functions, recursion, local arrays", "sim_kernels.ptx", [](Run &r) {
        int n = 100;
        std::vector<int> want(n);
        std::function<int(int)> fib = [&](int k) { return k < 2 ? k : fib(k - 1) + fib(k - 2); };
        for (int i = 0; i < n; i++) {
            int hist[16], peak = 0, c = 0, s = 0;
            for (int k = 0; k < 16; k++) {
                hist[k] = k * i;
            }
            for (int x = i + 1; x != 1; c++) {
                x = x & 1 ? 3 * x + 1 : x / 2;
                peak = std::max(peak, x);
            }
            hist[c & 15] += peak;
            for (int k = 0; k < 16; k++) {
                s += hist[(k * 7 + i) & 15] * (k + 1);
            }
            want[i] = s + fib(i % 9);
        }
        Buf<int> out(r.dev, n);
        r.go("calls", 2, 64, 0, out.a, n);
        return same(out.get(), want);
    });
    positive("atomics: shared and global, 32 and 64 bit", "sim_kernels.ptx", [](Run &r) {
        Rand rnd;
        std::vector<unsigned> in(512), h(10, 0), wh(10, 0);
        std::vector<ull> g(2, 0), wg(2, 0);
        for (auto &x : in) {
            x = unsigned(rnd() & 0xffffff);
        }
        h[2] = h[4] = ~0u;
        h[8] = 0x7fffffff;
        wh = h;
        for (int b = 0; b < 4; b++) {
            unsigned s[8] = {0, 0, ~0u, 0, ~0u, 0, 0, 0};
            for (int t = 0; t < 128; t++) {
                unsigned v = in[b * 128 + t];
                s[0] += v;
                s[1] |= v;
                s[2] &= v | 0xff;
                s[3] = std::max(s[3], v);
                s[4] = std::min(s[4], v);
                s[5] ^= v;
                s[6] = s[6] >= 99 ? 0 : s[6] + 1;
                s[7] += v & 15;
                wg[0] += (ull)v * v;
                wg[1] = std::max(wg[1], (ull)v << 20);
                wh[8] = std::min(wh[8], v);
            }
            wh[0] += s[0];
            wh[1] |= s[1];
            wh[2] &= s[2];
            wh[3] = std::max(wh[3], s[3]);
            wh[4] = std::min(wh[4], s[4]);
            wh[5] ^= s[5];
            wh[6] += s[6];
            wh[7] += s[7];
        }
        Buf<ull> dg(r.dev, g);
        Buf<unsigned> dh(r.dev, h), di(r.dev, in);
        r.go("atomics", 4, 128, 0, dg.a, dh.a, di.a);
        auto got = dh.get();
        if (got[9] < 1 || got[9] > 4) {
            return std::string("exch");
        }
        got[9] = wh[9];
        std::string e = same(got, wh);
        return e.empty() ? same(dg.get(), wg) : e;
    });
    positive("mathfn: libdevice exp log pow sin, float division", "sim_kernels.ptx", [](Run &r) {
        int n = 64;
        std::vector<double> in(n);
        for (int i = 0; i < n; i++) {
            in[i] = i * 1.37 + (i % 7 == 6 ? 1e6 : 0);
        }
        Buf<double> di(r.dev, in), out(r.dev, 6 * n);
        r.go("mathfn", 1, 64, 0, di.a, out.a, n);
        auto got = out.get();
        for (int i = 0; i < n; i++) {
            double x = in[i];
            float f = (float)x;
            double want[6] = {exp(x * 0.1),
                              log(x + 1.0),
                              pow(x + 0.5, 1.3),
                              sin(x),
                              double(f / (f + 3.0f) + expf(f * 0.01f) + logf(f + 2.0f)),
                              rint(x * 3.7) + trunc(x) + round(x * 1.5) + fmod(x, 2.5)};
            for (int k = 0; k < 6; k++) {
                double tol = k == 4 ? 1e-5 : 1e-13, g = got[6 * i + k];
                if (!(g == want[k] || fabs(g - want[k]) <= tol * fabs(want[k]))) {
                    return "x=" + std::to_string(x) + " function " + std::to_string(k) + ": " + std::to_string(g) +
                           " vs " + std::to_string(want[k]);
                }
            }
        }
        return std::string();
    });
}

// Unoptimised code (-G) with debug sections must parse and give the same results.
static void debug_build()
{
    positive("vadd and calls from nvcc -G", "sim_debug.ptx", [](Run &r) {
        r.opt.check_uninit = true;
        std::vector<int> a(100, 5), b(100, 6), want(100, 11);
        Buf<int> da(r.dev, a), db(r.dev, b), out(r.dev, 100);
        int n = 100;
        r.go("vadd", 1, 128, 0, da.a, db.a, out.a, n);
        return same(out.get(), want);
    });
}

static void negatives()
{
    auto one = [](const char *k, unsigned block, size_t dyn = 0) {
        return [=](Run &r) {
            Buf<unsigned> out(r.dev, std::vector<unsigned>(64), "out");
            r.go(k, 1, block, dyn, out.a);
        };
    };
    auto two = [](const char *k, unsigned block, int n, size_t dyn = 0) {
        return [=](Run &r) {
            Buf<unsigned> out(r.dev, std::vector<unsigned>(64), "out");
            r.go(k, 1, block, dyn, out.a, n);
        };
    };
    negative("mask naming lanes on another path", "membermask-absent-lane", one("bad_mask", 32));
    negative("mask without the executing lane", "membermask-without-self", one("bad_mask_self", 32));
    negative("mask naming exited lanes (warning)", "membermask-exited-lane", one("bad_mask_exited", 32));
    negative("static shared overrun by one word", "shared-write-out-of-bounds", two("shared_overrun", 64, 65));
    negative("dynamic shared overrun by one word", "shared-write-out-of-bounds", two("dyn_overrun", 64, 65, 256));
    negative("global read one byte past the end", "global-read-out-of-bounds", [](Run &r) {
        Buf<uint8_t> in(r.dev, std::vector<uint8_t>(100), "in"), out(r.dev, std::vector<uint8_t>(101), "out");
        r.go("global_overrun", 1, 128, 0, in.a, out.a, 101);
    });
    negative("global write one byte past the end", "global-write-out-of-bounds", [](Run &r) {
        Buf<uint8_t> in(r.dev, std::vector<uint8_t>(101), "in"), out(r.dev, std::vector<uint8_t>(100), "out");
        r.go("global_overrun", 1, 128, 0, in.a, out.a, 101);
    });
    negative("use after free", "global-write-out-of-bounds", [](Run &r) {
        Buf<uint8_t> in(r.dev, std::vector<uint8_t>(128), "in"), out(r.dev, std::vector<uint8_t>(128), "out");
        r.dev.free(out.a);
        r.go("global_overrun", 1, 128, 0, in.a, out.a, 128);
    });
    negative("uninitialised global read", "uninitialised-global-read", [](Run &r) {
        Buf<unsigned> in(r.dev, 32, "in"), out(r.dev, 32, "out");
        r.dev.fill(in.a, 1, 31 * 4);
        r.go("uninit_global", 1, 32, 0, in.a, out.a);
    });
    negative("uninitialised shared read", "uninitialised-shared-read", one("uninit_shared", 32));
    negative("two barriers for one warp", "divergent-barrier", one("div_barrier", 64));
    negative("barrier after part of a warp exited (warning)", "barrier-after-exit", one("div_barrier_exit", 64));
    negative("barrier never completed", "deadlock", one("lost_barrier", 64));
    negative("misaligned load", "misaligned-access", [](Run &r) {
        Buf<uint8_t> in(r.dev, std::vector<uint8_t>(256), "in");
        Buf<unsigned> out(r.dev, 32, "out");
        r.go("misaligned", 1, 32, 0, in.a, out.a);
    });
    negative("shared race", "shared-race", one("shared_race", 64));
    negative("endless loop", "instruction-budget", [](Run &r) {
        r.opt.budget = 1000000;
        Buf<unsigned> out(r.dev, std::vector<unsigned>(64), "out");
        r.go("endless", 1, 32, 0, out.a);
    });
    negative("trap", "trap", one("trapped", 32));
    negative("write near null", "global-write-out-of-bounds", one("null_write", 32));
}

static void speed()
{
    Run r("sim_kernels.ptx");
    r.opt.check_race = false;
    int n = 1 << 22;
    std::vector<uint8_t> t(n, '"');
    Buf<uint8_t> dt(r.dev, t);
    Buf<unsigned> bits(r.dev, n / 32), cnt(r.dev, std::vector<unsigned>(1));
    r.go("quotes", n / 256, 256, 0, dt.a, bits.a, cnt.a, n);
    printf("speed: quotes %.0f M thread-instr/s, %.1f MB/s\n", r.dev.stats.thread_instr / r.dev.stats.seconds / 1e6,
           n / r.dev.stats.seconds / 1e6);
    Run q("sim_kernels.ptx");
    q.opt.check_race = false;
    int m = 1 << 18;
    Buf<unsigned> in(q.dev, std::vector<unsigned>(m * 4, 0x2c2c2c2c)), out(q.dev, m * 8);
    q.go("classify", m / 256, 256, 0, in.a, out.a, m);
    printf("speed: classify %.0f M thread-instr/s, %.1f MB/s\n", q.dev.stats.thread_instr / q.dev.stats.seconds / 1e6,
           m * 16 / q.dev.stats.seconds / 1e6);
}

int main(int argc, char **argv)
{
    dir = argc > 1 ? argv[1] : ".";
    try {
        positives();
        debug_build();
        negatives();
        if (argc > 2) {
            speed();
        }
    } catch (const std::exception &e) {
        check("unexpected exception", false, e.what());
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
