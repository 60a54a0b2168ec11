// decoder.hpp: one instruction while its mnemonic and operands become a handler. A member function for each family of
// instructions gives the handler, or nothing where the mnemonic is of another family.
#pragma once
#include "interpreter.hpp"

namespace ptxsim
{
[[noreturn]] inline void bad(const std::string &why = "unsupported instruction")
{
    throw std::runtime_error(why);
}
void decode_memory(Module &, Instr &, const std::vector<std::string> &, std::vector<Opnd> &);
void nop(Warp &, const Instr &, u32);
void pred_op(Warp &, const Instr &, u32);

struct Decoder {
    Module &m;
    Instr &in;
    const std::vector<std::string> &p;
    std::vector<Opnd> &o;
    std::vector<Ty> types;

    bool has(const char *s) const
    {
        for (size_t k = 1; k < p.size(); k++) {
            if (p[k] == s) {
                return true;
            }
        }
        return false;
    }
    const Opnd &op(size_t k) const
    {
        if (k >= o.size()) {
            bad("missing operand");
        }
        return o[k];
    }
    int src(size_t k) { return src(op(k)); }
    int src(const Opnd &x)
    {
        if (x.kind == Opnd::Reg) {
            return x.slot;
        }
        if (x.kind == Opnd::Imm && !x.local_sym) {
            return m.add_const(x.imm);
        }
        bad("operand kind");
    }
    int dst(size_t k) { return dst(op(k)); }
    int dst(const Opnd &x)
    {
        if (x.kind != Opnd::Reg) {
            bad("destination kind");
        }
        return x.slot;
    }
    int pdst(const Opnd &x)
    {
        if (x.kind == Opnd::Pred) {
            return x.slot;
        }
        if (x.kind == Opnd::Reg && x.slot == 0) {
            return 0;
        }
        bad("predicate expected");
    }
    void psrc(size_t k, int &slot, bool &neg)
    {
        const Opnd &x = op(k);
        if (x.kind == Opnd::Pred) {
            slot = x.slot;
            neg = x.neg;
        } else if (x.kind == Opnd::Imm) {
            slot = 1;
            neg = (x.imm != 0) != x.neg;
        } else {
            bad("predicate expected");
        }
    }
    void d_a()
    {
        in.d = dst(0);
        in.a = src(1);
    }
    void d_ab()
    {
        d_a();
        in.b = src(2);
    }
    void d_abc()
    {
        d_ab();
        in.c = src(3);
    }

    Handler run();
    Handler arithmetic();
    Handler functions();
    Handler bits();
    Handler select();
    Handler moves();
    Handler conversions();
    Handler control();

  private:
    void sync(SyncOp s, int member);
    void barrier();
    Handler carry_handler();
    Handler wide_handler();
    Handler shift(bool left);
    Handler set(bool to_reg);
    Handler move();
};
} // namespace ptxsim
