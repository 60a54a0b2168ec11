// cudart_memory.cpp: memory in the runtime API.
#include "cudart_runtime.hpp"
#include <cstdlib>
#include <cstring>

using namespace ptxsim;
using namespace ptxsim::shim;

extern "C" {
cudaError_t cudaMalloc(void **p, size_t n)
{
    API;
    return alloc_device(p, n);
}
cudaError_t cudaFree(void *p)
{
    API;
    if (p) {
        drain_all();
    }
    return free_device(p);
}
cudaError_t cudaMallocAsync(void **p, size_t n, cudaStream_t)
{
    API;
    return alloc_device(p, n);
}
cudaError_t cudaFreeAsync(void *p, cudaStream_t s)
{
    API;
    if (!valid(p, 1)) {
        rt().api_error("cudaFreeAsync of " + rt().dev.describe((uint64_t)p));
        return ret(cudaErrorInvalidValue);
    }
    return work(s, [=] { free_device(p); });
}
cudaError_t cudaMallocPitch(void **p, size_t *pitch, size_t w, size_t h)
{
    API;
    *pitch = (w + 511) / 512 * 512;
    return alloc_device(p, *pitch * h);
}
cudaError_t cudaMallocHost(void **p, size_t n)
{
    API;
    return alloc_host(p, n);
}
cudaError_t cudaHostAlloc(void **p, size_t n, unsigned)
{
    API;
    return alloc_host(p, n);
}
cudaError_t cudaMallocManaged(void **p, size_t n, unsigned)
{
    API;
    return alloc_host(p, n);
}
cudaError_t cudaFreeHost(void *p)
{
    API;
    if (!p) {
        return ret(cudaSuccess);
    }
    if (!rt().pinned.count(p)) {
        rt().api_error("cudaFreeHost of an unknown pointer");
        return ret(cudaErrorInvalidValue);
    }
    drain_all();
    rt().dev.remove_host(p);
    rt().pinned.erase(p);
    free(p);
    return ret(cudaSuccess);
}
cudaError_t cudaHostRegister(void *p, size_t n, unsigned)
{
    API;
    if (!p || !n) {
        return ret(cudaErrorInvalidValue);
    }
    if (is_pinned(p)) {
        return ret(cudaErrorHostMemoryAlreadyRegistered);
    }
    rt().dev.add_host(p, n);
    rt().pinned[p] = n;
    return ret(cudaSuccess);
}
cudaError_t cudaHostUnregister(void *p)
{
    API;
    if (!rt().pinned.count(p)) {
        return ret(cudaErrorHostMemoryNotRegistered);
    }
    drain_all();
    rt().dev.remove_host(p);
    rt().pinned.erase(p);
    return ret(cudaSuccess);
}
cudaError_t cudaHostGetDevicePointer(void **d, void *h, unsigned)
{
    API;
    if (!is_pinned(h)) {
        return ret(cudaErrorInvalidValue);
    }
    *d = h;
    return ret(cudaSuccess);
}
cudaError_t cudaHostGetFlags(unsigned *f, void *)
{
    *f = 0;
    return ret(cudaSuccess);
}
cudaError_t cudaMemGetInfo(size_t *f, size_t *t)
{
    API;
    size_t m = (size_t)env("PTXSIM_MEM_MB", 8192) << 20;
    if (t) {
        *t = m;
    }
    if (f) {
        *f = m - rt().dev.bytes_in_use;
    }
    return ret(cudaSuccess);
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *a, const void *p)
{
    API;
    memset(a, 0, sizeof *a);
    a->type = is_dev(p) ? cudaMemoryTypeDevice : is_pinned(p) ? cudaMemoryTypeHost : cudaMemoryTypeUnregistered;
    if (a->type != cudaMemoryTypeUnregistered) {
        a->devicePointer = (void *)p;
    }
    if (a->type == cudaMemoryTypeHost) {
        a->hostPointer = (void *)p;
    }
    return ret(cudaSuccess);
}
cudaError_t cudaMemcpy(void *d, const void *s, size_t n, cudaMemcpyKind k)
{
    API;
    return copy_sync(d, s, n, k);
}
cudaError_t cudaMemcpyAsync(void *d, const void *s, size_t n, cudaMemcpyKind k, cudaStream_t st)
{
    API;
    return copy_async(d, s, n, k, st);
}
cudaError_t cudaMemcpy2DAsync(void *d, size_t dp, const void *s, size_t sp, size_t w, size_t h, cudaMemcpyKind k,
                              cudaStream_t st)
{
    API;
    for (size_t i = 0; i < h; i++) {
        cudaError_t e = copy_async((char *)d + i * dp, (const char *)s + i * sp, w, k, st);
        if (e != cudaSuccess) {
            return e;
        }
    }
    return ret(cudaSuccess);
}
cudaError_t cudaMemcpy2D(void *d, size_t dp, const void *s, size_t sp, size_t w, size_t h, cudaMemcpyKind k)
{
    API;
    cudaError_t e = cudaMemcpy2DAsync(d, dp, s, sp, w, h, k, nullptr);
    drain(rt().legacy);
    return ret(e);
}
cudaError_t cudaMemset(void *d, int v, size_t n)
{
    API;
    return fill(d, v, n, nullptr);
}
cudaError_t cudaMemsetAsync(void *d, int v, size_t n, cudaStream_t s)
{
    API;
    return fill(d, v, n, s);
}
cudaError_t cudaGetSymbolAddress(void **p, const void *s)
{
    API;
    uint64_t a;
    if (!var_of(s, &a, nullptr)) {
        return ret(cudaErrorInvalidSymbol);
    }
    *p = (void *)a;
    return ret(cudaSuccess);
}
cudaError_t cudaGetSymbolSize(size_t *n, const void *s)
{
    API;
    uint64_t a;
    return ret(var_of(s, &a, n) ? cudaSuccess : cudaErrorInvalidSymbol);
}
cudaError_t cudaMemcpyToSymbolAsync(const void *s, const void *src, size_t n, size_t off, cudaMemcpyKind,
                                    cudaStream_t st)
{
    API;
    uint64_t a;
    if (!var_of(s, &a, nullptr)) {
        return ret(cudaErrorInvalidSymbol);
    }
    return copy_async((char *)a + off, src, n, cudaMemcpyDefault, st);
}
cudaError_t cudaMemcpyToSymbol(const void *s, const void *src, size_t n, size_t off, cudaMemcpyKind k)
{
    API;
    cudaError_t e = cudaMemcpyToSymbolAsync(s, src, n, off, k, nullptr);
    drain(rt().legacy);
    return ret(e);
}
cudaError_t cudaMemcpyFromSymbolAsync(void *d, const void *s, size_t n, size_t off, cudaMemcpyKind, cudaStream_t st)
{
    API;
    uint64_t a;
    if (!var_of(s, &a, nullptr)) {
        return ret(cudaErrorInvalidSymbol);
    }
    return copy_async(d, (char *)a + off, n, cudaMemcpyDefault, st);
}
cudaError_t cudaMemcpyFromSymbol(void *d, const void *s, size_t n, size_t off, cudaMemcpyKind k)
{
    API;
    cudaError_t e = cudaMemcpyFromSymbolAsync(d, s, n, off, k, nullptr);
    drain(rt().legacy);
    return ret(e);
}
cudaError_t cudaMemPrefetchAsync(const void *, size_t, cudaMemLocation, unsigned, cudaStream_t)
{
    return ret(cudaSuccess);
}
cudaError_t cudaMemAdvise(const void *, size_t, cudaMemoryAdvise, cudaMemLocation)
{
    return ret(cudaSuccess);
}
}
