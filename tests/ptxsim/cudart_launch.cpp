// cudart_launch.cpp: launches, and what is asked about kernels.
#include "cudart_runtime.hpp"
#include <algorithm>
#include <cstdio>
#include <cstring>

namespace ptxsim::shim
{
namespace
{
cudaError_t error_of(const std::string &kind)
{
    if (kind.find("out-of-bounds") != std::string::npos || kind == "write-to-constant") {
        return cudaErrorIllegalAddress;
    }
    if (kind == "misaligned-access") {
        return cudaErrorMisalignedAddress;
    }
    if (kind == "device-assert") {
        return cudaErrorAssert;
    }
    if (kind == "deadlock" || kind == "instruction-budget") {
        return cudaErrorLaunchTimeout;
    }
    if (kind == "unsupported-instruction") {
        return cudaErrorUnsupportedPtxVersion;
    }
    return cudaErrorLaunchFailure;
}
std::string text(dim3 d)
{
    return "(" + std::to_string(d.x) + "," + std::to_string(d.y) + "," + std::to_string(d.z) + ")";
}
// Adds what a launch did to the counts of its kernel.
void count_launch(const std::string &name, const Stats &before, const std::string &shape)
{
    Runtime &r = rt();
    const Stats &now = r.dev.stats;
    Stats &sum = r.by_kernel[name];
    const uint64_t threads = now.thread_instr - before.thread_instr, warps = now.warp_instr - before.warp_instr;
    const double seconds = now.seconds - before.seconds;
    sum.launches += now.launches - before.launches;
    sum.thread_instr += threads;
    sum.warp_instr += warps;
    sum.global_loaded += now.global_loaded - before.global_loaded;
    sum.global_stored += now.global_stored - before.global_stored;
    sum.seconds += seconds;
    if (r.stats) {
        char t[128];
        snprintf(t, sizeof t, ": %llu thread instructions, %.0f%% lanes active, %.3f s", (unsigned long long)threads,
                 warps ? 100.0 * threads / (32.0 * warps) : 0.0, seconds);
        r.say("launch " + name + " " + shape + t);
    }
}
cudaError_t launch_kernel(const void *func, dim3 g, dim3 b, void **args, size_t sh, cudaStream_t st, bool coop = false)
{
    Runtime &r = rt();
    if (r.sticky != cudaSuccess) {
        return ret(r.sticky);
    }
    Kernel *k = kernel_of(func);
    if (!k) {
        r.api_error("launch of an unregistered kernel");
        return ret(cudaErrorInvalidDeviceFunction);
    }
    const KernelInfo *ki = resolve(*k);
    if (!ki) {
        r.api_error("no PTX for kernel " + k->name);
        return ret(cudaErrorNoKernelImageForDevice);
    }
    size_t n = (size_t)b.x * b.y * b.z;
    if (!n || n > 1024 || b.z > 64 || !g.x || !g.y || !g.z || g.y > 65535 || g.z > 65535 || g.x > 0x7fffffff) {
        return ret(cudaErrorInvalidConfiguration);
    }
    if (n > ki->max_threads) {
        return ret(cudaErrorInvalidValue);
    }
    if (sh > k->max_dyn || ki->shared_static + sh > std::max(optin_shared(), (size_t)48 * 1024) ||
        ki->shared_static > 48 * 1024) {
        return ret(cudaErrorInvalidValue);
    }
    if (fault_due(Fault::Launch)) {
        return ret(cudaErrorLaunchOutOfResources);
    }
    if (fault_due(Fault::DeviceLost)) {
        return work(st, lose_device);
    }
    auto values = std::make_shared<std::vector<std::string>>();
    for (size_t i = 0; i < ki->param_size.size(); i++) {
        values->emplace_back((const char *)args[i], ki->param_size[i]);
    }
    Options o = r.opt;
    if (coop) {
        o.resident = (int)std::min<uint64_t>(4096, (uint64_t)g.x * g.y * g.z);
    }
    std::shared_ptr<Module> mod = k->mod;
    std::string name = k->name;
    return work(st, [=] {
        Runtime &q = rt();
        std::vector<const void *> a;
        for (auto &v : *values) {
            a.push_back(v.data());
        }
        Options oo = o;
        if (oo.seed) {
            oo.seed += q.dev.stats.launches * 7919;
        }
        size_t before = q.dev.findings.size();
        Stats s0 = q.dev.stats;
        launch(q.dev, *mod, name, Dim3(g.x, g.y, g.z), Dim3(b.x, b.y, b.z), sh, a.data(), oo);
        count_launch(name, s0, "grid " + text(g) + " block " + text(b) + " shared " + std::to_string(sh));
        for (size_t i = before; i < q.dev.findings.size(); i++) {
            const Finding &f = q.dev.findings[i];
            bool memory = f.kind.find("out-of-bounds") != std::string::npos || f.kind == "misaligned-access" ||
                          f.kind == "write-to-constant";
            if (f.error && (f.fatal || memory)) {
                q.sticky = error_of(f.kind);
                break;
            }
        }
    });
}
struct Config {
    dim3 g, b;
    size_t sh;
    cudaStream_t st;
};
thread_local std::vector<Config> configs;

cudaError_t func_attributes(cudaFuncAttributes *a, const void *f)
{
    Kernel *k = kernel_of(f);
    const KernelInfo *i = k ? resolve(*k) : nullptr;
    if (!i || !a) {
        return ret(cudaErrorInvalidDeviceFunction);
    }
    memset(a, 0, sizeof *a);
    a->sharedSizeBytes = i->shared_static;
    a->localSizeBytes = i->local_bytes;
    a->maxThreadsPerBlock = (int)std::min(i->max_threads, 1024u);
    a->numRegs = 32;
    a->ptxVersion = i->target;
    a->binaryVersion = rt().sm;
    a->maxDynamicSharedSizeBytes = (int)k->max_dyn;
    return ret(cudaSuccess);
}
cudaError_t occupancy(int *n, const void *f, int threads, size_t dyn)
{
    Kernel *k = kernel_of(f);
    const KernelInfo *i = k ? resolve(*k) : nullptr;
    if (!i || !n || threads <= 0) {
        return ret(cudaErrorInvalidValue);
    }
    size_t sh = i->shared_static + dyn;
    int blocks = threads > (int)i->max_threads ? 0
                                               : std::min(threads_per_sm() / ((threads + 31) / 32 * 32),
                                                          attribute(cudaDevAttrMaxBlocksPerMultiprocessor));
    if (sh) {
        blocks = std::min(blocks, int(attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor) / sh));
    }
    *n = blocks;
    return ret(cudaSuccess);
}
} // namespace
} // namespace ptxsim::shim

using namespace ptxsim;
using namespace ptxsim::shim;

extern "C" {
unsigned __cudaPushCallConfiguration(dim3 g, dim3 b, size_t sh, struct CUstream_st *st)
{
    configs.push_back({g, b, sh, st});
    return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3 *g, dim3 *b, size_t *sh, void *st)
{
    if (configs.empty()) {
        return cudaErrorMissingConfiguration;
    }
    Config c = configs.back();
    configs.pop_back();
    *g = c.g;
    *b = c.b;
    *sh = c.sh;
    *(cudaStream_t *)st = c.st;
    return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t k, dim3 g, dim3 b, void **a, size_t sh, cudaStream_t st)
{
    API;
    return launch_kernel(k, g, b, a, sh, st);
}
cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t k, dim3 g, dim3 b, void **a, size_t sh, cudaStream_t st)
{
    API;
    return launch_kernel(k, g, b, a, sh, st);
}
cudaError_t cudaLaunchKernel(const void *f, dim3 g, dim3 b, void **a, size_t sh, cudaStream_t st)
{
    API;
    return launch_kernel(f, g, b, a, sh, st);
}
cudaError_t cudaLaunchCooperativeKernel(const void *f, dim3 g, dim3 b, void **a, size_t sh, cudaStream_t st)
{
    API;
    return launch_kernel(f, g, b, a, sh, st, true);
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *c, const void *f, void **a)
{
    API;
    return launch_kernel(f, c->gridDim, c->blockDim, a, c->dynamicSmemBytes, c->stream);
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *a, const void *f)
{
    API;
    return func_attributes(a, f);
}
cudaError_t cudaFuncSetAttribute(const void *f, cudaFuncAttribute a, int v)
{
    API;
    Kernel *k = kernel_of(f);
    const KernelInfo *i = k ? resolve(*k) : nullptr;
    if (!i) {
        return ret(cudaErrorInvalidDeviceFunction);
    }
    if (a == cudaFuncAttributeMaxDynamicSharedMemorySize) {
        if (v < 0 || (size_t)v + i->shared_static > optin_shared()) {
            return ret(cudaErrorInvalidValue);
        }
        k->max_dyn = (size_t)v;
    }
    return ret(cudaSuccess);
}
cudaError_t cudaFuncSetCacheConfig(const void *, cudaFuncCache)
{
    return ret(cudaSuccess);
}
cudaError_t cudaFuncGetName(const char **n, const void *f)
{
    API;
    Kernel *k = kernel_of(f);
    if (!k) {
        return ret(cudaErrorInvalidDeviceFunction);
    }
    *n = k->name.c_str();
    return ret(cudaSuccess);
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *n, const void *f, int t, size_t d)
{
    API;
    return occupancy(n, f, t, d);
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *n, const void *f, int t, size_t d, unsigned)
{
    API;
    return occupancy(n, f, t, d);
}
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *n, const void *f, int blocks, int)
{
    API;
    Kernel *k = kernel_of(f);
    const KernelInfo *i = k ? resolve(*k) : nullptr;
    if (!i || blocks < 1) {
        return ret(cudaErrorInvalidValue);
    }
    *n = optin_shared() / blocks - std::min(i->shared_static, optin_shared() / blocks);
    return ret(cudaSuccess);
}
}
