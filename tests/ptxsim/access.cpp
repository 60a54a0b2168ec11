// access.cpp: every access of a thread is translated and checked: bounds, alignment, unwritten bytes, races.
#include "interpreter.hpp"
#include <algorithm>

namespace ptxsim
{
namespace
{
// Do all bytes (those named in 'used') have 'bits' set in the shadow? Shadows are padded for 8-byte reads.
inline bool all_set(const u8 *shadow, u32 bytes, u32 used, u8 bits)
{
    const u64 pat = 0x0101010101010101ull * bits;
    for (u32 k = 0; k < bytes; k += 8) {
        u64 v;
        memcpy(&v, shadow + k, 8);
        u64 miss = (v & pat) ^ pat;
        if (bytes - k < 8) {
            miss &= (1ull << (8 * (bytes - k))) - 1;
        }
        if (!miss) {
            continue;
        }
        if (used == ~0u) {
            return false;
        }
        for (u32 q = 0; q < 8; q++) {
            if ((miss >> (8 * q) & 255) && (used >> (k + q) & 1)) {
                return false;
            }
        }
    }
    return true;
}
inline void mark(u8 *shadow, u8 v, u32 bytes)
{
    const u64 pat = 0x0101010101010101ull * v;
    switch (bytes) {
    case 1:
        *shadow = v;
        break;
    case 2:
        memcpy(shadow, &pat, 2);
        break;
    case 4:
        memcpy(shadow, &pat, 4);
        break;
    case 8:
        memcpy(shadow, &pat, 8);
        break;
    default:
        memset(shadow, v, bytes);
    }
}

} // namespace

u8 *global_access(Warp &w, const Instr &in, int lane, u64 addr, u32 bytes, Access kind)
{
    Launch &L = *w.L;
    Allocation *a = in.cache;
    if (!a || addr - a->base >= a->size || a->size - (addr - a->base) < bytes) {
        a = L.dev.find(addr);
        if (!a || addr - a->base >= a->size || a->size - (addr - a->base) < bytes) {
            u64 at = a && a->size ? a->base + a->size : addr; // first byte that is outside
            L.report(w, (int)w.pc, lane, kind == kRead ? "global-read-out-of-bounds" : "global-write-out-of-bounds",
                     true,
                     std::to_string(bytes) + "-byte access at " + L.dev.describe(addr) +
                         (at != addr ? ", runs past the end" : ""));
            return nullptr;
        }
        in.cache = a;
    }
    u64 off = addr - a->base;
    if (kind != kRead && a->read_only) {
        L.report(w, (int)w.pc, lane, "write-to-constant", true, L.dev.describe(addr));
        return nullptr;
    }
    if (!a->read_only) { // constants are not read from global memory
        L.global_loaded += kind != kWrite ? bytes : 0;
        L.global_stored += kind != kRead ? bytes : 0;
    }
    if (!a->init.empty()) {
        u8 *sh = &a->init[off];
        if (kind != kWrite && L.opt.check_uninit && !all_set(sh, bytes, in.used_bytes, 0xff)) {
            L.report(w, (int)w.pc, lane, "uninitialised-global-read", true, L.dev.describe(addr));
            mark(sh, 0xff, bytes); // once per byte
        }
        if (kind != kRead) {
            mark(sh, 0xff, bytes);
        }
    }
    return a->host + off;
}

namespace
{
void race_check(Warp &w, const Instr &in, int lane, Cta::Segment &s, u64 off, u32 bytes, Access kind)
{
    Cta &c = *w.cta;
    u16 me = u16(w.id * 32 + lane);
    bool strong = in.strong || kind == kAtomic;
    auto conflict = [&](u16 other, u32 epoch, u32 sub, bool other_strong) {
        if (epoch != c.epoch || other == me || (strong && other_strong)) {
            return false;
        }
        return other / 32 != w.id || sub == w.sync_epoch; // same warp: ordered by a warp barrier
    };
    for (u32 k = 0; k < bytes; k++) {
        RaceCell &r = s.race[off + k];
        const char *what = nullptr;
        u16 who = 0;
        if (conflict(r.w_thread, r.w_epoch, r.w_sub, r.w_strong)) {
            what = kind == kRead ? "read after unsynchronised write" : "two unsynchronised writes";
            who = r.w_thread;
        } else if (kind != kRead && r.r_epoch == c.epoch &&
                   (r.r_many || conflict(r.r_thread, r.r_epoch, r.r_sub, r.r_strong))) {
            what = "write after unsynchronised read";
            who = r.r_thread;
        }
        if (what) {
            w.L->report(w, (int)w.pc, lane, "shared-race", true,
                        std::string(what) + " by thread " + std::to_string(who) + " of this CTA");
            return;
        }
        if (kind != kRead) {
            r.w_epoch = c.epoch;
            r.w_sub = w.sync_epoch;
            r.w_thread = me;
            r.w_strong = strong;
        }
        if (kind == kRead) { // a weak read is worth remembering more than a strong one
            bool weak_seen = r.r_epoch == c.epoch && !r.r_strong;
            if (strong && weak_seen) {
                continue;
            }
            r.r_many = !strong && weak_seen && (r.r_many || r.r_thread / 32 != me / 32);
            r.r_epoch = c.epoch;
            r.r_sub = w.sync_epoch;
            r.r_thread = me;
            r.r_strong = strong;
        }
    }
}

} // namespace

u8 *shared_access(Warp &w, const Instr &in, int lane, u64 addr, u32 bytes, Access kind)
{
    Launch &L = *w.L;
    u64 seg = addr / kSharedSeg, off = addr % kSharedSeg;
    Cta::Segment *s = seg < 3 ? &w.cta->shared[seg] : nullptr;
    if (!s || off + bytes + 16 > s->mem.size() || !all_set(&s->shadow[off], bytes, ~0u, 1)) {
        char d[160];
        snprintf(d, sizeof d, "%u-byte %s at shared offset 0x%llx", bytes, kind == kRead ? "read" : "write",
                 (unsigned long long)addr);
        std::string text = d;
        auto nearest = [&](const std::vector<SharedVar> &vars) {
            const SharedVar *best = nullptr;
            for (auto &v : vars) {
                if (off + bytes > v.off && (!best || v.off > best->off)) {
                    best = &v;
                }
            }
            if (best) {
                text += ", " + std::to_string((i64)off - (i64)(best->off + best->size)) + " bytes after the end of " +
                        best->name;
            }
        };
        if (seg == 0) {
            nearest(L.fn.shared);
        } else if (seg == 1) {
            text += ", dynamic shared memory has " + std::to_string(L.dyn_shared) + " bytes";
        } else if (seg == 2) {
            nearest(L.mod.shared);
        }
        L.report(w, (int)w.pc, lane, kind == kRead ? "shared-read-out-of-bounds" : "shared-write-out-of-bounds", true,
                 text);
        return nullptr;
    }
    u8 *sh = &s->shadow[off];
    if (kind != kWrite && L.opt.check_uninit && !all_set(sh, bytes, in.used_bytes, 3)) {
        L.report(w, (int)w.pc, lane, "uninitialised-shared-read", true, "shared offset " + std::to_string(off));
        mark(sh, 3, bytes);
    }
    if (kind != kRead) {
        mark(sh, 3, bytes);
    }
    if (L.opt.check_race) {
        race_check(w, in, lane, *s, off, bytes, kind);
    }
    return &s->mem[off];
}

u8 *access(Warp &w, const Instr &in, int lane, u64 addr, u32 bytes, Access kind)
{
    Space sp = in.space;
    if (sp == Space::Generic) {
        u64 win = addr & kWindowMask;
        if (win) {
            sp = win == kSharedWindow  ? Space::Shared
                 : win == kLocalWindow ? Space::Local
                 : win == kParamWindow ? Space::Param
                                       : Space::Global;
            if (sp != Space::Global) {
                addr &= ~kWindowMask;
            }
            if (sp == Space::Param && kind == kRead && addr + bytes <= w.L->params.size()) {
                return &w.L->params[addr]; // kernel parameter by address
            }
        } else {
            sp = Space::Global;
        }
    }
    if (addr & (bytes - 1)) {
        char d[96];
        snprintf(d, sizeof d, "%u-byte access at address 0x%llx", bytes, (unsigned long long)addr);
        w.L->report(w, (int)w.pc, lane, "misaligned-access", true, d);
        return nullptr;
    }
    switch (sp) {
    case Space::Global:
    case Space::Const:
    case Space::Generic:
        return global_access(w, in, lane, addr, bytes, kind);
    case Space::Shared:
        return shared_access(w, in, lane, addr, bytes, kind);
    case Space::Local: {
        auto &mem = w.local[lane];
        if (addr + bytes <= mem.size()) {
            return &mem[addr];
        }
        w.L->report(w, (int)w.pc, lane, "local-out-of-bounds", true,
                    "local offset " + std::to_string(addr) + " of " + std::to_string(mem.size()));
        return nullptr;
    }
    case Space::Param: {
        Frame &f = *w.frame;
        if (f.f->entry && addr < f.f->formal_bytes) {
            if (addr + bytes <= w.L->params.size() && kind == kRead) {
                return &w.L->params[addr];
            }
        } else if (addr >= f.poff && addr - f.poff + bytes <= f.pstride) {
            return &f.params[lane * f.pstride + (addr - f.poff)];
        }
        w.L->report(w, (int)w.pc, lane, "param-out-of-bounds", true, "parameter offset " + std::to_string(addr));
        return nullptr;
    }
    }
    return nullptr;
}

} // namespace ptxsim
