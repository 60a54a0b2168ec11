// cudart_images.cpp: fat binaries and what nvcc registers of them; kernels and variables by their host addresses.
#include "cudart_runtime.hpp"
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <sstream>

namespace ptxsim::shim
{
namespace
{
std::string lz4(const uint8_t *s, size_t n, size_t out)
{
    std::string d;
    d.reserve(out);
    const uint8_t *e = s + n;
    while (s < e && d.size() < out) {
        unsigned tok = *s++;
        size_t len = tok >> 4;
        if (len == 15) {
            uint8_t b;
            do {
                len += b = *s++;
            } while (b == 255);
        }
        d.append((const char *)s, len);
        s += len;
        if (s >= e || d.size() >= out) {
            break;
        }
        size_t off = s[0] | s[1] << 8;
        s += 2;
        len = tok & 15;
        if (len == 15) {
            uint8_t b;
            do {
                len += b = *s++;
            } while (b == 255);
        }
        for (len += 4; len; len--) {
            d += d[d.size() - off];
        }
    }
    return d;
}
std::string zstd(const uint8_t *s, size_t n, size_t out)
{
    void *h = dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL);
    auto f = h ? (size_t(*)(void *, size_t, const void *, size_t))dlsym(h, "ZSTD_decompress") : nullptr;
    if (!f) {
        throw std::runtime_error(
            "PTX is zstd-compressed and libzstd.so.1 is absent: build with nvcc --no-compress or set PTXSIM_PTX");
    }
    std::string d(out, 0);
    if (f(&d[0], out, s, n) != out) {
        throw std::runtime_error("zstd decompression failed");
    }
    return d;
}
template <class T> T at(const uint8_t *p, size_t off)
{
    T v;
    memcpy(&v, p + off, sizeof v);
    return v;
}

std::string ptx_of(const void *fat, int sm)
{ // the best PTX for this device
    const uint8_t *p = (const uint8_t *)fat;
    std::string best;
    int best_arch = -1;
    for (int guard = 0; guard < 64 && at<uint32_t>(p, 0) == 0xBA55ED50; guard++) {
        size_t hs = at<uint16_t>(p, 6), size = at<uint64_t>(p, 8);
        const uint8_t *e = p + hs, *end = e + size;
        while (e < end) {
            uint16_t kind = at<uint16_t>(e, 0);
            uint32_t eh = at<uint32_t>(e, 4), comp = at<uint32_t>(e, 16), arch = at<uint32_t>(e, 28);
            uint64_t es = at<uint64_t>(e, 8), flags = at<uint64_t>(e, 40), raw = at<uint64_t>(e, 56);
            if (kind == 1 && ((int)arch <= sm ? (int)arch > best_arch || best_arch > sm : best_arch < 0)) {
                best_arch = (int)arch;
                if (flags & 0x8000) {
                    best = zstd(e + eh, comp, raw);
                } else if (flags & 0x2000) {
                    best = lz4(e + eh, comp, raw);
                } else {
                    best.assign((const char *)e + eh, es);
                }
            }
            e += eh + es;
        }
        if (size) {
            break;
        }
        p += hs;
    }
    return best.c_str(); // drop padding
}
Module *module_of(FatBinary &f)
{
    Runtime &r = rt();
    if (!f.tried) {
        f.tried = true;
        try {
            std::string text = ptx_of(f.data, r.sm);
            if (!text.empty()) {
                f.mod = load(r.dev, text);
                if (r.stats) {
                    for (auto &u : unsupported(*f.mod)) {
                        r.say("not supported: " + u);
                    }
                }
            }
        } catch (const std::exception &e) {
            r.say(std::string("cannot load embedded PTX: ") + e.what());
        }
    }
    return f.mod.get();
}
void load_side()
{
    Runtime &r = rt();
    if (r.side_loaded) {
        return;
    }
    r.side_loaded = true;
    const char *v = getenv("PTXSIM_PTX");
    std::stringstream s(v ? v : "");
    for (std::string file; getline(s, file, ':');) {
        std::ifstream in(file);
        std::stringstream text;
        text << in.rdbuf();
        try {
            r.side.push_back(load(r.dev, text.str()));
        } catch (const std::exception &e) {
            r.say(file + ": " + e.what());
        }
    }
}
} // namespace

const KernelInfo *resolve(Kernel &k)
{
    if (!k.mod) {
        load_side();
        for (auto &m : rt().side) {
            if (find_kernel(*m, k.name)) {
                k.mod = m;
            }
        }
        if (!k.mod && k.fat && module_of(*k.fat) && find_kernel(*k.fat->mod, k.name)) {
            k.mod = k.fat->mod;
        }
    }
    return k.mod ? find_kernel(*k.mod, k.name) : nullptr;
}
Kernel *kernel_of(const void *f)
{
    Runtime &r = rt();
    auto it = r.kernels.find(f);
    if (it != r.kernels.end()) {
        return it->second.get();
    }
    return r.kernel_handles.count(f) ? (Kernel *)f : nullptr;
}
bool var_of(const void *s, uint64_t *a, size_t *n)
{
    auto it = rt().vars.find(s);
    if (it == rt().vars.end()) {
        return false;
    }
    load_side();
    for (auto &m : rt().side) {
        if (find_symbol(*m, it->second.name, a, n)) {
            return true;
        }
    }
    Module *m = module_of(*it->second.fat);
    return m && find_symbol(*m, it->second.name, a, n);
}
} // namespace ptxsim::shim

using namespace ptxsim;
using namespace ptxsim::shim;

extern "C" {
void **__cudaRegisterFatBinary(void *w)
{
    API;
    auto f = std::make_unique<FatBinary>();
    f->data = *(void **)((char *)w + 8);
    rt().fats.push_back(std::move(f));
    return (void **)rt().fats.back().get();
}
void __cudaRegisterFatBinaryEnd(void **) {}
void __cudaUnregisterFatBinary(void **) {}
char __cudaInitModule(void **)
{
    return 1;
}
void __cudaRegisterFunction(void **h, const char *host, char *, const char *name, int, uint3 *, uint3 *, dim3 *, dim3 *,
                            int *)
{
    API;
    auto k = std::make_unique<Kernel>();
    k->fat = (FatBinary *)h;
    k->name = name;
    rt().kernel_handles.insert(k.get());
    rt().kernels[host] = std::move(k);
}
void __cudaRegisterVar(void **h, char *host, char *, const char *name, int, size_t, int, int)
{
    API;
    rt().vars[host] = {(FatBinary *)h, name};
}
void __cudaRegisterManagedVar(void **, void **, char *, const char *name, int, size_t, int, int)
{
    rt().say(std::string("managed variables are not supported: ") + name);
}
void __cudaRegisterTexture(void **, const struct textureReference *, const void **, const char *, int, int, int) {}
void __cudaRegisterSurface(void **, const struct surfaceReference *, const void **, const char *, int, int) {}
cudaError_t __cudaGetKernel(cudaKernel_t *k, const void *f)
{
    API;
    Kernel *x = kernel_of(f);
    if (!x) {
        return ret(cudaErrorInvalidDeviceFunction);
    }
    *k = (cudaKernel_t)x;
    return cudaSuccess;
}
}
