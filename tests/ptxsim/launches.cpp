// launches.cpp: a launch from its first CTA to its last: reports, time slices of warps, CTAs in turns.
//
// A warp runs one group of lanes (same frame, same pc) at a time. Groups of deeper calls go first, then the
// lowest pc, so diverged lanes meet again at the earliest common instruction. Every so often a waiting group
// is let ahead, so that lanes spinning on another lane of their warp do make progress.
#include "interpreter.hpp"
#include <algorithm>
#include <chrono>

namespace ptxsim
{
std::string Finding::str() const
{
    char b[256];
    snprintf(b, sizeof b, "%s: %s in kernel %s, CTA (%u,%u,%u), thread (%u,%u,%u), PTX line %d",
             error ? "ERROR" : "warning", kind.c_str(), kernel.c_str(), cta.x, cta.y, cta.z, thread.x, thread.y,
             thread.z, line);
    std::string s = b;
    if (!source.empty()) {
        s += " (" + source + ")";
    }
    if (!detail.empty()) {
        s += ": " + detail;
    }
    if (count > 1) {
        s += " [" + std::to_string(count) + " times]";
    }
    return s;
}

void Launch::report(Warp &w, int pc, int lane, const char *kind, bool error, const std::string &detail, bool fatal)
{
    if (error) {
        errors++;
    }
    if (fatal) {
        stop = true;
    }
    const Instr *in = pc >= 0 && pc < (int)mod.code.size() ? &mod.code[pc] : nullptr;
    std::string key = std::string(kind) + "@" + std::to_string(pc);
    auto it = seen.find(key);
    if (it != seen.end()) {
        dev.findings[it->second].count++;
        return;
    }
    if (dev.findings.size() >= opt.max_findings) {
        if (error) {
            stop = true;
        }
        return;
    }
    seen[key] = dev.findings.size();
    Finding f;
    f.error = error;
    f.fatal = fatal;
    f.kind = kind;
    f.kernel = fn.info.name;
    f.detail = detail;
    f.cta = w.cta->id;
    f.thread = unflatten(u64(w.id) * 32 + lane, block);
    f.line = in ? in->line : 0;
    if (in && in->loc >= 0) {
        f.source = mod.files[mod.locs[in->loc].first] + ":" + std::to_string(mod.locs[in->loc].second);
    }
    dev.findings.push_back(f);
}

u32 Cta::live_threads() const
{
    u32 n = 0;
    for (auto &w : warps) {
        n += count(w->valid & ~w->exited);
    }
    return n;
}
bool Cta::done() const
{
    for (auto &w : warps) {
        if (w->valid & ~w->exited) {
            return false;
        }
    }
    return true;
}
u32 Launch::run_warp(Warp &w, u32 quantum)
{
    const Instr *code = mod.code.data();
    u32 n = 0;
    u64 done = 0;
    w.yielded = false;
    while (n < quantum && !stop) {
        if (!w.mask || w.pc >= w.limit) {
            if (!pick(w)) {
                break;
            }
        }
        const Instr &in = code[w.pc];
        u32 m = w.mask;
        n++;
        done += count(m);
        if (in.guard != kNone) {
            m &= in.gneg ? ~w.P[in.guard] : w.P[in.guard];
        }
        if (!w.groups.empty()) {
            if (w.boost) {
                if (--w.boost == 0) {
                    w.limit = 0;
                }
            } else if (++w.streak > 2000) {
                w.limit = 0;
            }
        }
        switch (in.ctl) {
        case Ctl::Normal:
            if (m) {
                in.fn(w, in, m);
            }
            w.pc++;
            break;
        case Ctl::Bra:
            branch(w, m, in.target);
            break;
        case Ctl::BrxIdx: {
            const auto &t = mod.tables[in.target];
            const u64 *a = w.S(in.a);
            lanes(m, [&](int l) {
                u32 i = (u32)a[l];
                if (i >= t.size()) {
                    report(w, (int)w.pc, l, "branch-index", true, std::to_string(i), true);
                    i = 0;
                }
                w.groups.push_back({w.frame, (u32)t[i], 1u << l});
            });
            if (w.mask & ~m) {
                w.groups.push_back({w.frame, w.pc + 1, w.mask & ~m});
            }
            w.mask = 0;
            break;
        }
        case Ctl::Call:
            if (m) {
                call(w, in, m);
            } else {
                w.pc++;
            }
            break;
        case Ctl::Ret:
        case Ctl::Exit:
            if (m) {
                ret(w, m, in.ctl == Ctl::Exit);
            } else {
                w.pc++;
            }
            break;
        case Ctl::Bar:
            if (m) {
                barrier(w, in, m);
            } else {
                w.pc++;
            }
            break;
        case Ctl::Sync:
            if (m) {
                sync(w, in, m);
            } else {
                w.pc++;
            }
            break;
        case Ctl::Trap:
            if (m && in.target != kNone) {
                report(w, (int)w.pc, first(m), "unsupported-instruction", true, mod.unsupported[in.target], true);
            } else if (m) {
                report(w, (int)w.pc, first(m), "trap", true, "", true);
            }
            w.pc++;
            break;
        case Ctl::Yield:
            w.pc++;
            w.yielded = true;
            w.streak += 100;
            quantum = n;
            break;
        }
    }
    warp_instr += n;
    thread_instr += done;
    return n;
}

std::string Launch::stuck(Cta &c)
{
    std::string s;
    for (auto &w : c.warps) {
        for (auto &p : w->parked) {
            s += " warp " + std::to_string(w->id) + " lanes " + hex(p.mask) + " at line " +
                 std::to_string(mod.code[p.pc].line) +
                 (p.barrier ? " (barrier " + std::to_string(p.id) + ")" : " (collective)") + ";";
            if (s.size() > 400) {
                return s + " ...";
            }
        }
    }
    return s;
}

// One time slice for every warp of a CTA. False when it is finished.
bool Launch::run_cta(Cta &c)
{
    std::vector<int> order(c.warps.size());
    for (size_t k = 0; k < order.size(); k++) {
        order[k] = (int)k;
    }
    u32 quantum = 4000;
    if (opt.seed) {
        std::shuffle(order.begin(), order.end(), rng);
        quantum = 1u << (rng() % 13);
    }
    u32 progress = 0;
    for (int k : order) {
        Warp &w = *c.warps[k];
        if (w.valid & ~w.exited) {
            progress += run_warp(w, quantum);
        }
        if (stop) {
            return false;
        }
    }
    if (c.done()) {
        return false;
    }
    if (!progress) {
        for (auto &w : c.warps) { // first blame collectives, then the barrier
            for (auto &p : w->parked) {
                if (!p.barrier) {
                    w->force = true;
                    bool ok = settle(*w);
                    w->force = false;
                    if (ok) {
                        return true;
                    }
                    break;
                }
            }
        }
        Warp *at = c.warps[0].get();
        for (auto &w : c.warps) {
            if (!w->parked.empty()) {
                at = w.get();
            }
        }
        if (at->parked.empty()) {
            at->parked.push_back({at->frame, at->pc, 1, 0, 0, true, 0, 0, BarOp::Sync});
        }
        report(*at, (int)at->parked[0].pc, first(at->parked[0].mask), "deadlock", true, "waiting:" + stuck(c), true);
        return false;
    }
    return true;
}

std::unique_ptr<Cta> Launch::start_cta(u64 index)
{
    auto c = std::make_unique<Cta>();
    c->id = unflatten(index, grid);
    c->epoch = ++epochs;
    c->L = this;
    u32 size[3] = {fn.shared_top, dyn_shared, mod.shared_top};
    for (int s = 0; s < 3; s++) {
        auto &g = c->shared[s];
        g.mem.assign(size[s] + 16 + (size[s] ? 32 : 0), 0xCD);
        g.shadow.assign(g.mem.size() + 16, 0);
        if (opt.check_race) { // epochs are unique in a launch, so cells of finished CTAs need no clearing
            g.race.swap(race_pool[s].empty() ? g.race : race_pool[s].back());
            if (!race_pool[s].empty()) {
                race_pool[s].pop_back();
            }
            g.race.resize(g.mem.size());
        }
    }
    for (auto &v : fn.shared) {
        std::fill_n(c->shared[0].shadow.begin() + v.off, v.size, 1);
    }
    std::fill_n(c->shared[1].shadow.begin(), dyn_shared, 1);
    for (auto &v : mod.shared) {
        std::fill_n(c->shared[2].shadow.begin() + v.off, v.size, 1);
    }
    for (u32 k = 0; k < nwarps; k++) {
        auto w = std::make_unique<Warp>();
        w->cta = c.get();
        w->L = this;
        w->id = (int)k;
        u32 n = std::min(32u, threads - k * 32);
        w->valid = n == 32 ? ~0u : (1u << n) - 1;
        w->groups.push_back({new_frame(*w, fn, nullptr), (u32)fn.start, w->valid});
        c->warps.push_back(std::move(w));
    }
    return c;
}

bool Launch::run()
{
    std::vector<std::unique_ptr<Cta>> live;
    u64 next = 0, total = grid.count();
    while (!stop && (next < total || !live.empty())) {
        while (next < total && live.size() < (size_t)std::max(1, opt.resident)) {
            live.push_back(start_cta(next++));
        }
        for (size_t k = 0; k < live.size() && !stop;) {
            Cta &c = *live[k];
            // A CTA keeps going while it does useful work; a warp that sleeps hands over to the next CTA.
            bool more = true;
            for (int turn = 0; turn < (opt.seed ? 1 : 4) && (more = run_cta(c)); turn++) {
                bool asleep = false;
                for (auto &w : c.warps) {
                    asleep |= w->yielded;
                }
                if (asleep) {
                    break;
                }
            }
            if (thread_instr > opt.budget && !stop) {
                Warp *at = c.warps[0].get();
                for (auto &w : c.warps) {
                    if (w->mask) {
                        at = w.get();
                    }
                }
                report(*at, (int)at->pc, first(at->mask ? at->mask : 1), "instruction-budget", true,
                       "more than " + std::to_string(opt.budget) + " thread instructions; endless loop?" + stuck(c),
                       true);
            }
            if (more) {
                k++;
            } else {
                if (opt.check_race) {
                    for (int s = 0; s < 3; s++) {
                        race_pool[s].push_back(std::move(c.shared[s].race));
                    }
                }
                live.erase(live.begin() + k);
            }
        }
    }
    return errors == 0;
}

const std::vector<std::string> &unsupported(const Module &m)
{
    return m.unsupported;
}

bool launch(Device &dev, Module &mod, const std::string &kernel, Dim3 grid, Dim3 block, size_t dyn,
            const void *const *args, const Options &opt)
{
    auto it = mod.func_index.find(kernel);
    if (it == mod.func_index.end() || !mod.funcs[it->second].entry) {
        throw std::runtime_error("no kernel named " + kernel);
    }
    Function &f = mod.funcs[it->second];
    Launch L(dev, mod, f, opt);
    L.grid = grid;
    L.block = block;
    L.threads = (u32)block.count();
    L.nwarps = (L.threads + 31) / 32;
    L.dyn_shared = (u32)dyn;
    if (!L.threads || block.count() > 1024 || block.z > 64 || !grid.count() || grid.y > 65535 || grid.z > 65535) {
        throw std::runtime_error("invalid launch configuration for " + kernel);
    }
    if (L.threads > f.info.max_threads) {
        throw std::runtime_error("block larger than .maxntid of " + kernel);
    }
    L.params.assign(f.formal_bytes, 0);
    for (size_t k = 0; k < f.params.size(); k++) {
        memcpy(&L.params[f.params[k].off], args[k], f.params[k].size);
    }
    L.clock = dev.stats.warp_instr;
    auto t0 = std::chrono::steady_clock::now();
    bool ok = L.run();
    dev.stats.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count();
    dev.stats.warp_instr += L.warp_instr;
    dev.stats.thread_instr += L.thread_instr;
    dev.stats.launches++;
    dev.stats.global_loaded += L.global_loaded;
    dev.stats.global_stored += L.global_stored;
    return ok;
}
} // namespace ptxsim
