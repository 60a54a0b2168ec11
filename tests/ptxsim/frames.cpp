// frames.cpp: control flow inside a warp: calls, branches, the choice of the lanes that run next.
#include "interpreter.hpp"
#include <algorithm>

namespace ptxsim
{
Frame *Launch::new_frame(Warp &w, Function &f, Frame *parent)
{
    w.frames.push_back(std::make_unique<Frame>());
    Frame *fr = w.frames.back().get();
    fr->f = &f;
    fr->parent = parent;
    fr->depth = parent ? parent->depth + 1 : 0;
    fr->local_base = parent ? (parent->local_base + parent->f->local_bytes + 15) / 16 * 16 : 0;
    fr->regs.assign(size_t(f.nregs) * 32, 0);
    fr->preds.assign(f.npreds, 0);
    fr->poff = f.entry ? f.formal_bytes : 0;
    fr->pstride = f.param_bytes - fr->poff;
    fr->params.assign(size_t(fr->pstride) * 32, 0);
    for (int l = 0; l < 32; l++) {
        if (w.local[l].size() < fr->local_base + f.local_bytes) {
            w.local[l].resize(fr->local_base + f.local_bytes, 0xCD);
        }
    }
    for (auto &sp : f.specials) {
        for (int l = 0; l < 32; l++) {
            Dim3 t = unflatten(u64(w.id) * 32 + l, block);
            u64 v = 0;
            switch (sp.second) {
            case Special::TidX:
                v = t.x;
                break;
            case Special::TidY:
                v = t.y;
                break;
            case Special::TidZ:
                v = t.z;
                break;
            case Special::NtidX:
                v = block.x;
                break;
            case Special::NtidY:
                v = block.y;
                break;
            case Special::NtidZ:
                v = block.z;
                break;
            case Special::CtaX:
                v = w.cta->id.x;
                break;
            case Special::CtaY:
                v = w.cta->id.y;
                break;
            case Special::CtaZ:
                v = w.cta->id.z;
                break;
            case Special::NctaX:
                v = grid.x;
                break;
            case Special::NctaY:
                v = grid.y;
                break;
            case Special::NctaZ:
                v = grid.z;
                break;
            case Special::Lane:
                v = l;
                break;
            case Special::Warp:
                v = w.id;
                break;
            case Special::NWarp:
                v = nwarps;
                break;
            case Special::WarpSize:
                v = 32;
                break;
            case Special::LmEq:
                v = 1u << l;
                break;
            case Special::LmLt:
                v = (1u << l) - 1;
                break;
            case Special::LmLe:
                v = (2ull << l) - 1;
                break;
            case Special::LmGt:
                v = u32(~((2ull << l) - 1));
                break;
            case Special::LmGe:
                v = u32(~((1ull << l) - 1));
                break;
            case Special::SmId:
                v = w.cta->id.x % 16;
                break;
            case Special::NSmId:
                v = 16;
                break;
            case Special::DynShared:
                v = dyn_shared;
                break;
            case Special::TotShared:
                v = dyn_shared + fn.info.shared_static;
                break;
            default:
                v = 0;
            }
            fr->regs[size_t(sp.first) * 32 + l] = v;
        }
    }
    return fr;
}
void Launch::enter(Warp &w, Frame *f)
{
    w.frame = f;
    w.R = f->regs.data();
    w.P = f->preds.data();
    w.K = mod.consts.data();
}

// Chooses the next group of a warp; false when every lane is parked or gone.
bool Launch::pick(Warp &w)
{
    if (w.mask) {
        w.groups.push_back({w.frame, w.pc, w.mask});
        w.mask = 0;
    }
    while (w.groups.empty()) {
        if (!settle(w)) {
            return false;
        }
    }
    auto &g = w.groups;
    for (size_t i = 0; i < g.size(); i++) {
        for (size_t j = i + 1; j < g.size();) {
            if (g[i].f == g[j].f && g[i].pc == g[j].pc) {
                g[i].mask |= g[j].mask;
                g.erase(g.begin() + j);
            } else {
                j++;
            }
        }
    }
    auto leaves = [&](const Group &x) {
        Ctl c = mod.code[x.pc].ctl;
        return !x.f->parent && (c == Ctl::Ret || c == Ctl::Exit) && mod.code[x.pc].guard == kNone;
    };
    size_t best = 0;
    if (w.streak > 2000) {
        w.streak = 0;
        w.boost = 200;
    } // the group waiting longest
    else {
        for (size_t i = 1; i < g.size();
             i++) { // lanes about to exit first: then they are gone before a collective asks for them
            if (leaves(g[i]) != leaves(g[best])
                    ? leaves(g[i])
                    : g[i].f->depth > g[best].f->depth || (g[i].f->depth == g[best].f->depth && g[i].pc < g[best].pc)) {
                best = i;
            }
        }
    }
    Group c = g[best];
    g.erase(g.begin() + best);
    enter(w, c.f);
    w.pc = c.pc;
    w.mask = c.mask;
    w.limit = ~0u;
    if (!w.boost) {
        for (auto &x : g) {
            if (x.f == c.f) {
                w.limit = std::min(w.limit, x.pc);
            }
        }
    }
    return true;
}

void Launch::branch(Warp &w, u32 taken, u32 target)
{
    u32 stay = w.mask & ~taken;
    if (!taken) {
        w.pc++;
        return;
    }
    if (stay) {
        w.groups.push_back({w.frame, w.pc + 1, stay});
        w.groups.push_back({w.frame, target, taken});
        w.mask = 0;
        return;
    }
    w.pc = target;
}

// Device printf and assert.
bool Launch::builtin(Warp &w, const std::string &name, const CallDesc &cd, u32 set)
{
    if (name != "vprintf" && name != "__assertfail") {
        return false;
    }
    Frame &f = *w.frame;
    auto arg = [&](int l, size_t k) {
        u64 v = 0;
        memcpy(&v, &f.params[l * f.pstride + cd.args.at(k).off - f.poff], std::min(cd.args[k].size, 8u));
        return v;
    };
    auto byte = [&](int l, u64 a) -> u8 {
        if ((a & kWindowMask) == kLocalWindow) {
            a &= ~kWindowMask;
            return a < w.local[l].size() ? w.local[l][a] : 0;
        }
        Allocation *al = dev.find(a);
        return al && a - al->base < al->size ? al->host[a - al->base] : 0;
    };
    auto text = [&](int l, u64 a) {
        std::string s;
        for (u8 c; s.size() < 1000 && (c = byte(l, a + s.size()));) {
            s += char(c);
        }
        return s;
    };
    if (name == "__assertfail") {
        int l = first(set);
        report(w, (int)w.pc, l, "device-assert", true,
               text(l, arg(l, 1)) + ":" + std::to_string(u32(arg(l, 2))) + ": " + text(l, arg(l, 0)), true);
        return true;
    }
    lanes(set, [&](int l) {
        std::string fmt = text(l, arg(l, 0)), out;
        u64 va = arg(l, 1), off = 0;
        for (size_t i = 0; i < fmt.size(); i++) {
            if (fmt[i] != '%' || fmt[i + 1] == '%') {
                out += fmt[i];
                i += fmt[i] == '%';
                continue;
            }
            size_t e = fmt.find_first_of("diuxXocfgeGEaAsp", i);
            if (e == std::string::npos) {
                break;
            }
            std::string spec = fmt.substr(i, e - i + 1);
            bool wide = spec.find('l') != std::string::npos || spec.find('z') != std::string::npos ||
                        strchr("fgeGEaAsp", fmt[e]);
            off = (off + (wide ? 7 : 3)) & ~u64(wide ? 7 : 3);
            u64 v = 0;
            for (int k = 0; k < (wide ? 8 : 4); k++) {
                v |= u64(byte(l, va + off + k)) << (8 * k);
            }
            off += wide ? 8 : 4;
            char b[512];
            double d;
            memcpy(&d, &v, 8);
            if (fmt[e] == 's') {
                snprintf(b, sizeof b, spec.c_str(), text(l, v).c_str());
            } else if (strchr("fgeGEaA", fmt[e])) {
                snprintf(b, sizeof b, spec.c_str(), d);
            } else if (wide) {
                snprintf(b, sizeof b, spec.c_str(), v);
            } else {
                snprintf(b, sizeof b, spec.c_str(), u32(v));
            }
            out += b;
            i = e;
        }
        fwrite(out.data(), 1, out.size(), stdout);
        if (!cd.rets.empty()) {
            memset(&f.params[l * f.pstride + cd.rets[0].off - f.poff], 0, cd.rets[0].size);
        }
    });
    return true;
}

void Launch::call(Warp &w, const Instr &in, u32 m)
{
    const CallDesc &cd = mod.calls[in.target];
    u32 rest = w.mask & ~m;
    if (rest) {
        w.groups.push_back({w.frame, w.pc + 1, rest});
    }
    w.mask = 0;
    while (m) {
        int fi = cd.func;
        u32 set = m;
        if (fi < 0) { // indirect: lanes with the same target together
            u64 t = w.S(cd.slot)[first(m)];
            set = 0;
            lanes(m, [&](int l) {
                if (w.S(cd.slot)[l] == t) {
                    set |= 1u << l;
                }
            });
            fi = (t & kWindowMask) == kFuncWindow ? (int)(u32)t : -1;
        }
        m &= ~set;
        if (fi < 0 || fi >= (int)mod.funcs.size() || !mod.funcs[fi].defined) {
            std::string name = fi >= 0 && fi < (int)mod.funcs.size() ? mod.funcs[fi].info.name : "?";
            if (builtin(w, name, cd, set)) {
                w.groups.push_back({w.frame, w.pc + 1, set});
                continue;
            }
            report(w, (int)w.pc, first(set), "call-of-undefined-function", true, name, true);
            return;
        }
        Frame *from = w.frame;
        if (from->depth > 200) {
            report(w, (int)w.pc, first(set), "call-stack-overflow", true, "", true);
            return;
        }
        Function &f = mod.funcs[fi];
        Frame *fr = new_frame(w, f, from);
        fr->call = &cd;
        fr->ret_pc = w.pc + 1;
        fr->live = set;
        for (size_t k = 0; k < cd.args.size() && k < f.params.size(); k++) {
            lanes(set, [&](int l) {
                memcpy(&fr->params[l * fr->pstride + f.params[k].off],
                       &from->params[l * from->pstride + cd.args[k].off - from->poff],
                       std::min(cd.args[k].size, f.params[k].size));
            });
        }
        w.groups.push_back({fr, (u32)f.start, set});
    }
}

void Launch::ret(Warp &w, u32 m, bool exit)
{
    u32 rest = w.mask & ~m;
    if (rest) {
        w.groups.push_back({w.frame, w.pc + 1, rest});
    }
    w.mask = 0;
    Frame *f = w.frame;
    if (!f->parent || exit) {
        w.exited |= m;
        for (int id = 0; id < 16; id++) {
            if (w.cta->bar[id].arrived) {
                check_barrier(*w.cta, id, w);
            }
        }
        return;
    }
    Frame *to = f->parent;
    for (size_t k = 0; k < f->call->rets.size() && k < f->f->rets.size(); k++) {
        lanes(m, [&](int l) {
            memcpy(&to->params[l * to->pstride + f->call->rets[k].off - to->poff],
                   &f->params[l * f->pstride + f->f->rets[k].off], std::min(f->call->rets[k].size, f->f->rets[k].size));
        });
    }
    w.groups.push_back({to, f->ret_pc, m});
    f->live &= ~m;
    if (!f->live) {
        for (size_t k = w.frames.size(); k--;) {
            if (w.frames[k].get() == f) {
                w.frames.erase(w.frames.begin() + k);
                break;
            }
        }
    }
}

} // namespace ptxsim
