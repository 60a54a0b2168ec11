// barriers.cpp: barriers of a CTA.
#include "interpreter.hpp"
#include <algorithm>

namespace ptxsim
{
void Launch::barrier(Warp &w, const Instr &in, u32 m)
{
    u32 rest = w.mask & ~m;
    if (rest) {
        w.groups.push_back({w.frame, w.pc + 1, rest});
    }
    BarOp op = BarOp(in.sub);
    int id = int(w.S(in.a)[first(m)]) & 15;
    u32 need = in.b == kNone ? 0 : u32(w.S(in.b)[first(m)]);
    Cta::Bar &b = w.cta->bar[id];
    if (need % 32) {
        report(w, (int)w.pc, first(m), "barrier-thread-count", true,
               std::to_string(need) + " is not a multiple of the warp size");
    }
    if (b.arrived && b.need != need) {
        report(w, (int)w.pc, first(m), "barrier-thread-count", true,
               "barrier " + std::to_string(id) + " used with counts " + std::to_string(b.need) + " and " +
                   std::to_string(need));
    }
    b.need = need;
    u32 n = need && in.aligned ? 32 * u32((m & ~0u) != 0) : count(m); // with a count, warps arrive as a whole
    if (need && in.aligned && count(m) != count(w.valid & ~w.exited)) {
        n = count(m);
    }
    b.arrived += n;
    if (op >= BarOp::RedPopc) {
        b.popc += count(m & w.pred(in.pa, in.pan)), b.participants += count(m);
    }
    if (op == BarOp::Arrive) {
        w.groups.push_back({w.frame, w.pc + 1, m});
    } else {
        w.parked.push_back({w.frame, w.pc, m, 0, w.exited, true, id, need, op});
    }
    w.mask = 0;
    check_barrier(*w.cta, id, w);
}

void Launch::check_barrier(Cta &c, int id, Warp &at)
{
    Cta::Bar &b = c.bar[id];
    u32 need = b.need ? b.need : c.live_threads();
    if (!b.arrived || b.arrived < need) {
        return;
    }
    if (!b.need && need < threads) {
        bool whole = true; // whole warps gone are harmless in practice, parts of a warp deserve a word
        for (auto &w : c.warps) {
            if (w->exited && (w->valid & ~w->exited)) {
                whole = false;
            }
        }
        if (!whole) {
            report(at, at.parked.empty() ? (int)at.pc : (int)at.parked.back().pc, first(at.valid), "barrier-after-exit",
                   false,
                   "only " + std::to_string(need) + " of " + std::to_string(threads) + " threads reach barrier " +
                       std::to_string(id));
        }
    }
    for (auto &wp : c.warps) {
        Warp &w = *wp;
        u32 seen_pc = ~0u, waiting = 0;
        bool split = false, aligned = true;
        for (size_t i = 0; i < w.parked.size();) {
            Parked p = w.parked[i];
            if (!p.barrier || p.id != id) {
                i++;
                continue;
            }
            const Instr &in = mod.code[p.pc];
            if (seen_pc != ~0u && seen_pc != p.pc) {
                split = true;
            }
            seen_pc = p.pc;
            waiting |= p.mask;
            aligned &= in.aligned;
            if (p.op >= BarOp::RedPopc) {
                bool all = b.popc == b.participants;
                if (in.pd != kNone) {
                    bool v = p.op == BarOp::RedAnd ? all : b.popc != 0;
                    p.f->preds[in.pd] = v ? p.f->preds[in.pd] | p.mask : p.f->preds[in.pd] & ~p.mask;
                } else {
                    lanes(p.mask, [&](int l) { p.f->regs[size_t(in.d) * 32 + l] = b.popc; });
                }
            }
            w.groups.push_back({p.f, p.pc + 1, p.mask});
            w.parked.erase(w.parked.begin() + i);
        }
        u32 live = w.valid & ~w.exited;
        if (waiting && aligned && (split || (waiting & live) != live)) {
            report(w, (int)seen_pc, first(waiting), "divergent-barrier", true,
                   split ? "lanes of one warp wait at different barrier instructions"
                         : "only lanes " + hex(waiting) + " of " + hex(live) + " reach the barrier");
        }
        if (waiting) {
            w.sync_epoch++;
            w.limit = 0;
        }
    }
    b = Cta::Bar();
    c.epoch = ++epochs;
}

} // namespace ptxsim
