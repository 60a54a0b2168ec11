// collectives.cpp: what lanes do together: votes, shuffles, matches, reductions.
#include "interpreter.hpp"
#include <algorithm>

namespace ptxsim
{
void Launch::sync(Warp &w, const Instr &in, u32 m)
{
    SyncOp op = SyncOp(in.sub);
    const u64 *mem = w.S(in.e);
    if (op <= SyncOp::Uni) {
        u32 p = w.pred(in.pa, in.pan);
        lanes(m, [&](int l) { w.sv[l] = p >> l & 1; });
    } else if (op != SyncOp::WarpBar) {
        const u64 *a = w.S(in.a);
        lanes(m, [&](int l) { w.sv[l] = a[l]; });
        if (in.b != kNone) {
            const u64 *b = w.S(in.b), *c = w.S(in.c);
            lanes(m, [&](int l) {
                w.sb[l] = b[l];
                w.sc[l] = c[l];
            });
        }
    }
    u32 all = w.mask, finished = all & ~m, pc = w.pc;
    Frame *fr = w.frame;
    while (m) {
        u32 member = (u32)mem[first(m)], set = 0;
        lanes(m, [&](int l) {
            if ((u32)mem[l] == member) {
                set |= 1u << l;
            }
        });
        m &= ~set;
        if (set & ~member) {
            report(w, (int)pc, first(set & ~member), "membermask-without-self", true,
                   "mask " + hex(member) + " does not name the executing lane " + std::to_string(first(set & ~member)));
        }
        u32 present = set;
        std::vector<Parked> parts;
        for (auto &p : w.parked) {
            if (!p.barrier && p.pc == pc && p.member == member) {
                present |= p.mask;
                parts.push_back(p);
            }
        }
        u32 missing = member & w.valid & ~w.exited & ~present;
        u32 gone = member & w.exited;
        for (auto &p : parts) {
            gone &= p.exited;
        }
        if (missing && !(set & ~member)) {
            w.parked.push_back({fr, pc, set, member, w.exited, false, 0, 0, BarOp::Sync});
            continue;
        }
        if (gone) {
            report(w, (int)pc, first(set), "membermask-exited-lane", false,
                   "mask " + hex(member) + " names lane " + std::to_string(first(gone)) + ", which has already exited");
        }
        collective(w, in, present, member, parts);
        finished |= set;
        for (auto &p : parts) {
            if (p.f == fr) {
                finished |= p.mask;
            } else {
                w.groups.push_back({p.f, pc + 1, p.mask});
            }
        }
        if (!parts.empty()) {
            w.parked.erase(
                std::remove_if(w.parked.begin(), w.parked.end(),
                               [&](const Parked &p) { return !p.barrier && p.pc == pc && p.member == member; }),
                w.parked.end());
        }
        enter(w, fr);
    }
    w.mask = finished; // may include lanes that were parked here in the same frame
    w.pc = pc + 1;
    if (w.mask != all && w.mask) {
        w.limit = 0; // let pick() look at the groups again
    }
}

// Computes the result for the given lanes and writes it to the current frame (set) and the parked parts.
void Launch::collective(Warp &w, const Instr &in, u32 m, u32 member, const std::vector<Parked> &parts)
{
    SyncOp op = SyncOp(in.sub);
    u64 out[32];
    u32 pout = 0;
    bool b64 = ty_size(in.ty) == 8;
    auto val = [&](int l) { return b64 ? w.sv[l] : u64(u32(w.sv[l])); };
    u32 votes = 0;
    if (op <= SyncOp::Uni) {
        lanes(m, [&](int l) { votes |= u32(w.sv[l]) << l; });
    }
    switch (op) {
    case SyncOp::Ballot:
        lanes(m, [&](int l) { out[l] = votes; });
        break;
    case SyncOp::Any:
        pout = votes ? m : 0;
        break;
    case SyncOp::All:
        pout = votes == m ? m : 0;
        break;
    case SyncOp::Uni:
        pout = votes == m || !votes ? m : 0;
        break;
    case SyncOp::ShflUp:
    case SyncOp::ShflDown:
    case SyncOp::ShflBfly:
    case SyncOp::ShflIdx:
        lanes(m, [&](int l) {
            int b = w.sb[l] & 31, c = w.sc[l] & 31, seg = w.sc[l] >> 8 & 31, hi = (l & seg) | (c & ~seg), lo = l & seg,
                j;
            bool ok;
            switch (op) {
            case SyncOp::ShflUp:
                j = l - b;
                ok = j >= hi;
                break;
            case SyncOp::ShflDown:
                j = l + b;
                ok = j <= hi;
                break;
            case SyncOp::ShflBfly:
                j = l ^ b;
                ok = j <= hi;
                break;
            default:
                j = lo | (b & ~seg);
                ok = j <= hi;
            }
            if (!ok) {
                j = l;
            }
            if (!(m >> j & 1)) {
                report(w, (int)w.pc, l, "shfl-from-inactive-lane", true,
                       "source lane " + std::to_string(j) + " takes no part, mask " + hex(member));
                j = l;
            }
            out[l] = u32(w.sv[j]);
            pout |= u32(ok) << l;
        });
        break;
    case SyncOp::MatchAny:
        lanes(m, [&](int l) {
            u32 r = 0;
            lanes(m, [&](int k) {
                if (val(k) == val(l)) {
                    r |= 1u << k;
                }
            });
            out[l] = r;
        });
        break;
    case SyncOp::MatchAll: {
        bool same = true;
        lanes(m, [&](int l) { same &= val(l) == val(first(m)); });
        lanes(m, [&](int l) { out[l] = same ? m : 0; });
        pout = same ? m : 0;
        break;
    }
    case SyncOp::WarpBar:
        w.sync_epoch++;
        return;
    default: {
        bool s = in.ty == Ty::S32;
        u32 r = (u32)w.sv[first(m)];
        lanes(m & (m - 1), [&](int l) {
            u32 v = (u32)w.sv[l];
            switch (op) {
            case SyncOp::RAdd:
                r += v;
                break;
            case SyncOp::RAnd:
                r &= v;
                break;
            case SyncOp::ROr:
                r |= v;
                break;
            case SyncOp::RXor:
                r ^= v;
                break;
            case SyncOp::RMin:
                r = s ? u32(std::min(i32(r), i32(v))) : std::min(r, v);
                break;
            default:
                r = s ? u32(std::max(i32(r), i32(v))) : std::max(r, v);
            }
        });
        lanes(m, [&](int l) { out[l] = r; });
    }
    }
    auto store = [&](Frame *f, u32 set) {
        if (op < SyncOp::Any || op > SyncOp::Uni) {
            lanes(set, [&](int l) { f->regs[size_t(in.d) * 32 + l] = out[l]; });
        }
        if (in.pd != kNone) {
            f->preds[in.pd] = (f->preds[in.pd] & ~set) | (pout & set);
        }
    };
    u32 here = m;
    for (auto &p : parts) {
        store(p.f, p.mask);
        here &= ~p.mask;
    }
    if (here) {
        store(w.frame, here);
    }
}

// No lane of the warp can run. Lanes waiting in a collective for lanes that will not come are reported and released.
bool Launch::settle(Warp &w)
{
    u32 at_barrier = 0;
    for (auto &p : w.parked) {
        if (p.barrier) {
            at_barrier |= p.mask;
        }
    }
    for (size_t i = 0; i < w.parked.size(); i++) {
        Parked p = w.parked[i];
        if (p.barrier) {
            continue;
        }
        std::vector<Parked> parts;
        u32 present = 0, exited = p.exited;
        for (auto &q : w.parked) {
            if (!q.barrier && q.pc == p.pc && q.member == p.member) {
                parts.push_back(q);
                present |= q.mask;
                exited &= q.exited;
            }
        }
        u32 missing = p.member & w.valid & ~present & ~exited;
        if ((missing & at_barrier) && !w.force) {
            continue; // may still be released by the CTA barrier
        }
        const Instr &in = mod.code[p.pc];
        w.pc = p.pc;
        enter(w, p.f);
        if (missing) {
            int l = first(missing);
            report(w, (int)p.pc, first(present), "membermask-absent-lane", true,
                   "mask " + hex(p.member) + " names lane " + std::to_string(l) + ", which " +
                       (w.exited >> l & 1     ? "exited without reaching this instruction"
                        : at_barrier >> l & 1 ? "waits at a barrier"
                                              : "waits at another instruction"));
        } else {
            report(w, (int)p.pc, first(present), "membermask-exited-lane", false, "mask " + hex(p.member));
        }
        collective(w, in, present, p.member, parts);
        for (auto &q : parts) {
            w.groups.push_back({q.f, q.pc + 1, q.mask});
        }
        w.parked.erase(
            std::remove_if(w.parked.begin(), w.parked.end(),
                           [&](const Parked &q) { return !q.barrier && q.pc == p.pc && q.member == p.member; }),
            w.parked.end());
        return true;
    }
    return false;
}

} // namespace ptxsim
