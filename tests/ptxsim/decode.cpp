// decode.cpp: the mnemonic of an instruction, with its operands, becomes a handler; control flow and synchronisation.
#include "decoder.hpp"

namespace ptxsim
{
void nop(Warp &, const Instr &, u32) {}

void Decoder::sync(SyncOp s, int member)
{
    in.ctl = Ctl::Sync;
    in.sub = u8(s);
    in.e = member;
    const Opnd &d = o[0];
    if (s == SyncOp::WarpBar) {
        return;
    }
    if (d.kind == Opnd::Vec) {
        in.d = dst(d.v[0]);
        in.pd = pdst(d.v[1]);
    } else if (d.kind == Opnd::Pred) {
        in.pd = d.slot;
    } else {
        in.d = dst(d);
    }
}

void Decoder::barrier()
{
    in.ctl = Ctl::Bar;
    in.aligned = p[0] == "bar" || has("aligned");
    in.sub = u8(has("arrive") ? BarOp::Arrive
                : has("popc") ? BarOp::RedPopc
                : has("and")  ? BarOp::RedAnd
                : has("or")   ? BarOp::RedOr
                              : BarOp::Sync);
    size_t k = 0;
    if (has("red")) {
        if (o.at(0).kind == Opnd::Pred) {
            in.pd = o[0].slot;
        } else {
            in.d = dst(0);
        }
        k = 1;
        psrc(o.size() - 1, in.pa, in.pan);
    }
    size_t end = has("red") ? o.size() - 1 : o.size();
    in.a = k < end ? src(k) : m.add_const(0);
    if (k + 1 < end) {
        in.b = src(k + 1);
    }
}

Handler Decoder::control()
{
    const std::string &n = p[0];
    if (n == "membar" || n == "fence" || n == "prefetch" || n == "prefetchu" || n == "discard" ||
        n == "applypriority" || n == "griddepcontrol" || n == "pmevent") {
        return nop;
    }
    if (n == "nanosleep") {
        in.ctl = Ctl::Yield;
        return nop;
    }
    if (n == "trap" || n == "brkpt") {
        in.ctl = Ctl::Trap;
        return nop;
    }
    if (n == "ret") {
        in.ctl = Ctl::Ret;
        return nop;
    }
    if (n == "exit") {
        in.ctl = Ctl::Exit;
        return nop;
    }
    if ((n == "bar" || n == "barrier") && has("warp")) {
        sync(SyncOp::WarpBar, src(0));
        return nop;
    }
    if (n == "bar" || n == "barrier") {
        if (has("cluster")) {
            bad();
        }
        barrier();
        return nop;
    }
    if (n == "vote") {
        psrc(1, in.pa, in.pan);
        sync(has("ballot") ? SyncOp::Ballot
             : has("any")  ? SyncOp::Any
             : has("all")  ? SyncOp::All
                           : SyncOp::Uni,
             src(2));
        return nop;
    }
    if (n == "shfl") {
        in.a = src(1);
        in.b = src(2);
        in.c = src(3);
        sync(has("up")     ? SyncOp::ShflUp
             : has("down") ? SyncOp::ShflDown
             : has("bfly") ? SyncOp::ShflBfly
                           : SyncOp::ShflIdx,
             src(4));
        return nop;
    }
    if (n == "match") {
        in.a = src(1);
        sync(has("any") ? SyncOp::MatchAny : SyncOp::MatchAll, src(2));
        return nop;
    }
    if (n == "redux") {
        in.a = src(1);
        sync(has("add")   ? SyncOp::RAdd
             : has("min") ? SyncOp::RMin
             : has("max") ? SyncOp::RMax
             : has("and") ? SyncOp::RAnd
             : has("or")  ? SyncOp::ROr
                          : SyncOp::RXor,
             src(2));
        return nop;
    }
    return nullptr;
}

Handler Decoder::run()
{
    static Handler (Decoder::*const families[])() = {&Decoder::arithmetic, &Decoder::functions, &Decoder::bits,
                                                     &Decoder::select,     &Decoder::moves,     &Decoder::conversions,
                                                     &Decoder::control};
    for (auto family : families) {
        if (Handler h = (this->*family)()) {
            return h;
        }
    }
    decode_memory(m, in, p, o);
    return in.fn;
}

void decode(Module &m, Instr &in, const std::vector<std::string> &parts, std::vector<Opnd> &ops)
{
    Decoder d{m, in, parts, ops, {}};
    const bool moves =
        parts[0] == "ld" || parts[0] == "ldu" || parts[0] == "st" || parts[0] == "mov" || parts[0] == "selp";
    for (size_t k = 1; k < parts.size(); k++) {
        if (!moves && parts[k].size() > 2 && parts[k].compare(parts[k].size() - 2, 2, "x2") == 0) {
            bad("packed arithmetic");
        }
    }
    for (size_t k = 1; k < parts.size(); k++) {
        const std::string &s = parts[k];
        Ty t = ty_parse(s);
        if (t != Ty::None) {
            d.types.push_back(t);
        } else if (s == "ftz") {
            in.ftz = true;
        } else if (s == "sat" || s == "satfinite") {
            in.sat = true;
        } else if (s == "rz") {
            in.rnd = 1;
        } else if (s == "rm") {
            in.rnd = 2;
        } else if (s == "rp") {
            in.rnd = 3;
        } else if (s == "rni") {
            in.irnd = 1;
        } else if (s == "rzi") {
            in.irnd = 2;
        } else if (s == "rmi") {
            in.irnd = 3;
        } else if (s == "rpi") {
            in.irnd = 4;
        } else if (s.compare(0, 6, "global") == 0) {
            in.space = Space::Global;
        } else if (s.compare(0, 5, "const") == 0) {
            in.space = Space::Const;
        } else if (s.compare(0, 6, "shared") == 0) {
            in.space = Space::Shared;
        } else if (s.compare(0, 5, "local") == 0) {
            in.space = Space::Local;
        } else if (s.compare(0, 5, "param") == 0) {
            in.space = Space::Param;
        }
    }
    if (!d.types.empty()) {
        in.ty = d.types.back();
    }
    if (d.types.size() > 1) {
        in.ty2 = d.types[0];
        if (parts[0] == "slct") {
            in.ty = d.types[0];
        }
    }
    in.fn = d.run();
}
} // namespace ptxsim
