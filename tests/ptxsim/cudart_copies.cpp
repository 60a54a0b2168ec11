// cudart_copies.cpp: memory of the device and the host, and copies between them.
#include "cudart_runtime.hpp"
#include <cstdlib>
#include <cstring>

namespace ptxsim::shim
{
bool is_dev(const void *p)
{
    return rt().dev.is_device((uint64_t)p);
}
bool is_pinned(const void *p)
{
    auto &m = rt().pinned;
    auto it = m.upper_bound((void *)p);
    return it != m.begin() && (char *)p < (char *)std::prev(it)->first + std::prev(it)->second;
}
void raw_copy(void *d, const void *s, size_t n)
{
    Device &v = rt().dev;
    bool dd = is_dev(d), sd = is_dev(s);
    if (dd && sd) {
        v.copy((uint64_t)d, (uint64_t)s, n);
    } else if (dd) {
        v.write((uint64_t)d, s, n);
    } else if (sd) {
        v.read((uint64_t)s, d, n);
    } else {
        memmove(d, s, n);
    }
}
// Is [p, p+n) inside one allocation? Checked when the call is made, as the real runtime does.
bool valid(const void *p, size_t n)
{
    if (!is_dev(p) || !n) {
        return true;
    }
    Allocation *a = rt().dev.find((uint64_t)p);
    return a && (uint64_t)p - a->base <= a->size && n <= a->size - ((uint64_t)p - a->base);
}
cudaError_t check_copy(const void *d, const void *s, size_t n, cudaMemcpyKind k)
{
    const char *why = nullptr;
    if (n && (!d || !s)) {
        why = "null pointer";
    } else if (k < 0 || k > cudaMemcpyDefault) {
        return ret(cudaErrorInvalidMemcpyDirection);
    } else if ((k == cudaMemcpyHostToDevice && (is_dev(s) || (!is_dev(d) && !is_pinned(d)))) ||
               (k == cudaMemcpyDeviceToHost && (is_dev(d) || (!is_dev(s) && !is_pinned(s)))) ||
               (k == cudaMemcpyHostToHost && (is_dev(d) || is_dev(s)))) {
        why = "direction does not match the pointers";
    } else if (!valid(d, n)) {
        rt().api_error("copy of " + std::to_string(n) + " bytes to " + rt().dev.describe((uint64_t)d));
        return ret(cudaErrorInvalidValue);
    } else if (!valid(s, n)) {
        rt().api_error("copy of " + std::to_string(n) + " bytes from " + rt().dev.describe((uint64_t)s));
        return ret(cudaErrorInvalidValue);
    }
    if (!why) {
        return cudaSuccess;
    }
    rt().api_error(std::string("memcpy: ") + why);
    return ret(cudaErrorInvalidValue);
}
cudaError_t copy_async(void *d, const void *s, size_t n, cudaMemcpyKind k, cudaStream_t st)
{
    cudaError_t e = check_copy(d, s, n, k);
    if (e != cudaSuccess || !n) {
        return e;
    }
    bool host_src = !is_dev(s) && !is_pinned(s), host_dst = !is_dev(d) && !is_pinned(d);
    if (host_src) { // pageable source: staged before the call returns
        auto copy = std::make_shared<std::string>((const char *)s, n);
        e = work(st, [=] { raw_copy(d, copy->data(), n); });
    } else {
        e = work(st, [=] { raw_copy(d, s, n); });
    }
    if (host_dst && e == cudaSuccess) {
        drain(*stream_of(st)); // pageable destination: synchronous
    }
    return ret(e);
}
cudaError_t copy_sync(void *d, const void *s, size_t n, cudaMemcpyKind k)
{
    cudaError_t e = copy_async(d, s, n, k, nullptr);
    drain(rt().legacy);
    return ret(e);
}
cudaError_t fill(void *d, int v, size_t n, cudaStream_t st)
{
    if (!is_dev(d) && !is_pinned(d)) {
        rt().api_error("memset of memory unknown to the device");
        return ret(cudaErrorInvalidValue);
    }
    if (!valid(d, n)) {
        rt().api_error("memset of " + std::to_string(n) + " bytes: " + rt().dev.describe((uint64_t)d));
        return ret(cudaErrorInvalidValue);
    }
    return work(st, [=] {
        if (is_dev(d)) {
            rt().dev.fill((uint64_t)d, v, n);
        } else {
            memset(d, v, n);
        }
    });
}
cudaError_t alloc_device(void **p, size_t n)
{
    if (!p) {
        return ret(cudaErrorInvalidValue);
    }
    *p = nullptr;
    if (!n) {
        return ret(cudaSuccess);
    }
    if (rt().sticky != cudaSuccess) {
        return ret(rt().sticky);
    }
    if (fault_due(Fault::Malloc)) {
        return ret(cudaErrorMemoryAllocation);
    }
    size_t limit = (size_t)env("PTXSIM_MEM_MB", 8192) << 20;
    if (n > limit || rt().dev.bytes_in_use + n > limit) {
        return ret(cudaErrorMemoryAllocation);
    }
    *p = (void *)rt().dev.alloc(n, "cudaMalloc#" + std::to_string(++rt().mallocs));
    rt().live++;
    return ret(cudaSuccess);
}
cudaError_t alloc_host(void **p, size_t n)
{
    if (!p) {
        return ret(cudaErrorInvalidValue);
    }
    *p = nullptr;
    if (!n) {
        return ret(cudaSuccess);
    }
    if (rt().sticky != cudaSuccess) {
        return ret(rt().sticky);
    }
    if (fault_due(Fault::Host)) {
        return ret(cudaErrorMemoryAllocation);
    }
    void *q = nullptr;
    if (posix_memalign(&q, 4096, n)) {
        return ret(cudaErrorMemoryAllocation);
    }
    memset(q, 0xA5, n);
    rt().dev.add_host(q, n);
    rt().pinned[q] = n;
    *p = q;
    return ret(cudaSuccess);
}
cudaError_t free_device(void *p)
{
    if (!p) {
        return ret(cudaSuccess);
    }
    if (is_pinned(p) && rt().pinned.count(p)) {
        drain_all();
        rt().dev.remove_host(p);
        rt().pinned.erase(p);
        free(p);
        return ret(cudaSuccess);
    } // managed
    try {
        rt().dev.free((uint64_t)p);
        rt().live--;
    } catch (const std::exception &e) {
        rt().api_error(e.what());
        return ret(cudaErrorInvalidValue);
    }
    return ret(cudaSuccess);
}
} // namespace ptxsim::shim
