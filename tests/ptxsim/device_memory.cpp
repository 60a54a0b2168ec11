// device_memory.cpp: allocations, and what the host does to them.
#include "interpreter.hpp"
#include <algorithm>
#include <sys/mman.h>

namespace ptxsim
{
namespace
{
constexpr u64 kReserve = 1ull << 40;
}

Device::Device()
{
    // Addresses are handed out upwards and never reused, so a use after free is always recognised.
    void *p = mmap(nullptr, kReserve, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) {
        throw std::runtime_error("ptxsim: cannot reserve device address space");
    }
    lo_ = (u64)p;
    hi_ = lo_ + kReserve;
    next_ = (lo_ + 0xffffff) & ~0xffffffull;
}
Device::~Device()
{
    munmap((void *)lo_, kReserve);
}

u64 Device::alloc(size_t bytes, const std::string &name, size_t align)
{
    auto a = std::make_unique<Allocation>();
    next_ = (next_ + align - 1) / align * align;
    a->base = next_;
    a->size = a->orig_size = bytes;
    a->store.assign(bytes + 32, 0xCD);
    a->init.assign(bytes + 32, 0);
    a->host = a->store.data();
    a->name = name.empty() ? "allocation#" + std::to_string(allocs_.size()) : name;
    next_ += bytes + 1024; // gap between allocations
    if (next_ >= hi_) {
        throw std::runtime_error("ptxsim: device address space exhausted");
    }
    u64 base = a->base;
    allocs_[base] = std::move(a);
    bytes_in_use += bytes;
    peak_bytes = std::max(peak_bytes, bytes_in_use);
    return base;
}
void Device::free(u64 addr)
{
    auto it = allocs_.find(addr);
    if (it == allocs_.end() || it->second->freed || it->second->pinned_host) {
        throw std::runtime_error("free of " + describe(addr));
    }
    Allocation &a = *it->second;
    bytes_in_use -= a.size;
    a.freed = true;
    a.size = 0;
    a.store = {};
    a.init = {};
    a.host = nullptr;
}
void Device::add_host(void *p, size_t bytes)
{
    auto a = std::make_unique<Allocation>();
    a->base = (u64)p;
    a->size = a->orig_size = bytes;
    a->host = (u8 *)p;
    a->pinned_host = true;
    a->name = "pinned host memory";
    allocs_[(u64)p] = std::move(a);
}
void Device::remove_host(void *p)
{
    auto it = allocs_.find((u64)p);
    if (it == allocs_.end() || !it->second->pinned_host) {
        throw std::runtime_error("unregister of unknown host memory");
    }
    it->second->size = 0;
    retired_.push_back(std::move(it->second));
    allocs_.erase(it);
}
Allocation *Device::find(u64 addr)
{
    auto it = allocs_.upper_bound(addr);
    if (it == allocs_.begin()) {
        return nullptr;
    }
    Allocation *a = std::prev(it)->second.get();
    return addr - a->base < a->size || (addr == a->base && !a->freed) ? a : nullptr;
}
std::string Device::describe(u64 addr)
{
    char buf[256];
    auto it = allocs_.upper_bound(addr);
    Allocation *before = it == allocs_.begin() ? nullptr : std::prev(it)->second.get();
    Allocation *after = it == allocs_.end() ? nullptr : it->second.get();
    if (before && addr - before->base < before->orig_size) {
        snprintf(buf, sizeof buf, "address 0x%llx is %llu bytes into %s%s of %llu bytes", (unsigned long long)addr,
                 (unsigned long long)(addr - before->base), before->freed ? "freed " : "", before->name.c_str(),
                 (unsigned long long)before->orig_size);
    } else if (before && addr - before->base - before->orig_size < 1 << 20) {
        snprintf(buf, sizeof buf, "address 0x%llx is %llu bytes past the end of %s%s of %llu bytes",
                 (unsigned long long)addr, (unsigned long long)(addr - before->base - before->orig_size),
                 before->freed ? "freed " : "", before->name.c_str(), (unsigned long long)before->orig_size);
    } else if (after && after->base - addr < 4096) {
        snprintf(buf, sizeof buf, "address 0x%llx is %llu bytes before %s", (unsigned long long)addr,
                 (unsigned long long)(after->base - addr), after->name.c_str());
    } else {
        snprintf(buf, sizeof buf, "address 0x%llx is not device memory", (unsigned long long)addr);
    }
    return buf;
}
u8 *Device::range(u64 addr, size_t n, const char *what, Allocation **out)
{
    Allocation *a = find(addr);
    if (!a || addr - a->base > a->size || n > a->size - (addr - a->base)) {
        throw std::runtime_error(std::string(what) + " of " + std::to_string(n) + " bytes: " + describe(addr));
    }
    if (out) {
        *out = a;
    }
    return a->host + (addr - a->base);
}
void Device::write(u64 addr, const void *src, size_t n)
{
    if (!n) {
        return;
    }
    Allocation *a;
    memcpy(range(addr, n, "copy to device", &a), src, n);
    if (!a->init.empty()) {
        memset(&a->init[addr - a->base], 0xff, n);
    }
}
void Device::read(u64 addr, void *dst, size_t n)
{
    if (n) {
        memcpy(dst, range(addr, n, "copy from device"), n);
    }
}
void Device::fill(u64 addr, int value, size_t n)
{
    if (!n) {
        return;
    }
    Allocation *a;
    memset(range(addr, n, "memset", &a), value, n);
    if (!a->init.empty()) {
        memset(&a->init[addr - a->base], 0xff, n);
    }
}
void Device::copy(u64 dst, u64 src, size_t n)
{
    if (!n) {
        return;
    }
    Allocation *d, *s;
    u8 *to = range(dst, n, "copy on device", &d), *from = range(src, n, "copy on device", &s);
    memmove(to, from, n);
    if (d->init.empty()) {
        return;
    }
    if (s->init.empty()) {
        memset(&d->init[dst - d->base], 0xff, n);
    } else {
        memmove(&d->init[dst - d->base], &s->init[src - s->base], n);
    }
}

} // namespace ptxsim
