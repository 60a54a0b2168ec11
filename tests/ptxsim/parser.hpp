// parser.hpp: PTX text to a module. One pass over the words; operands are resolved to slots on the way.
#pragma once
#include "interpreter.hpp"
#include "tokens.hpp"

namespace ptxsim
{
struct Name { // what an identifier means inside a function
    enum Kind { Reg, Pred, Param, Local, Shared } kind;
    int slot = 0;
    Ty ty = Ty::None;
    u32 off = 0, size = 0;
};

class Parser
{
  public:
    Parser(Module &m, const std::string &text) : m_(m), t_(lex(text)) {}
    void run();
    int line() const { return t_[p_ < t_.size() ? p_ : t_.size() - 1].line; }

  private:
    Module &m_;
    std::vector<Tok> t_;
    size_t p_ = 0;
    // current function
    Function *f_ = nullptr;
    int fi_ = -1, loc_ = -1, target_ = 75;
    u32 used_bytes_ = ~0u;
    std::vector<std::map<std::string, Name>> scopes_;
    std::vector<int> scope_ids_, scope_parent_;
    std::map<std::pair<int, std::string>, int> labels_;
    std::map<std::pair<int, std::string>, std::vector<std::string>> tables_;
    struct Fix {
        int pc;
        std::string label;
        int scope;
        bool table;
    };
    std::vector<Fix> fixes_;
    std::map<std::string, int> special_slot_;

    [[noreturn]] void fail(const std::string &why) { throw std::runtime_error(why + " near '" + t_[p_].s + "'"); }
    bool at_end() const { return t_[p_].k == Tok::End; }
    const std::string &peek() const { return t_[p_].s; }
    bool is(const char *s) const { return t_[p_].s == s && t_[p_].k != Tok::Str; }
    bool eat(const char *s);
    void need(const char *s)
    {
        if (!eat(s)) {
            fail(std::string("expected '") + s + "'");
        }
    }
    std::string next() { return t_[p_++].s; }
    void skip_line()
    {
        int l = t_[p_].line;
        while (!at_end() && t_[p_].line == l) {
            p_++;
        }
    }
    u64 integer()
    {
        bool neg = eat("-");
        u64 v = number(next());
        return neg ? 0 - v : v;
    }
    u64 number(const std::string &s);

    // ---- module level ----
    void top_level();

    struct Decl {
        std::string name;
        Ty ty;
        u32 align, size;
        bool open = false;
    };
    Decl declaration()
    { // [.align n] [.ptr ...] [.v2] .type name[dims]
        Decl d{"", Ty::None, 0, 0};
        u32 vec = 1;
        for (;;) {
            if (eat(".align")) {
                d.align = (u32)integer();
            } else if (eat(".ptr") || eat(".managed") || eat(".global") || eat(".const") || eat(".shared") ||
                       eat(".local")) {
            } else if (eat(".attribute")) {
                need("(");
                while (!eat(")")) {
                    p_++;
                }
            } else if (eat(".v2")) {
                vec = 2;
            } else if (eat(".v4")) {
                vec = 4;
            } else if (peek()[0] == '.') {
                d.ty = ty_parse(peek().substr(1));
                if (d.ty == Ty::None) {
                    fail("unknown type");
                }
                p_++;
                if (eat(".ptr")) {
                    continue;
                }
            } else {
                break;
            }
        }
        d.name = next();
        d.size = (u32)ty_size(d.ty) * vec;
        if (!d.align) {
            d.align = d.size;
        }
        while (eat("[")) {
            if (eat("]")) {
                d.open = true;
                continue;
            }
            d.size *= (u32)integer();
            need("]");
        }
        return d;
    }
    static u32 place(u32 &top, u32 size, u32 align)
    {
        top = (top + align - 1) / align * align;
        u32 off = top;
        top += size;
        return off;
    }
    // Shared addresses: segment 0 holds a kernel's own static variables, segment 1 dynamic shared memory,
    // segment 2 variables of the module or of device functions. Variables are separated by red zones.
    void shared_variable(const Decl &d, std::map<std::string, Name> *scope);
    std::map<std::string, Name> shared_names_;

    void variable(const std::string &space, bool ext);

    // ---- functions ----
    void param_list(std::vector<VarInfo> &out, std::map<std::string, Name> &names, std::vector<u32> *sizes);

    void function(bool entry);

    void body();
    void label();
    template <class M> typename M::mapped_type *scoped(M &map, const std::string &name, int scope)
    {
        for (; scope >= 0; scope = scope_parent_[scope]) {
            auto it = map.find({scope, name});
            if (it != map.end()) {
                return &it->second;
            }
        }
        return nullptr;
    }
    int label_pc(const std::string &n, int scope);
    void resolve(const Fix &fx);

    void directive();

    const Name *lookup(const std::string &n);

    Opnd operand();
    void instruction();

    void call(Instr in)
    { // call (ret), f, (args) [, prototype];
        CallDesc cd;
        auto list = [&](std::vector<VarInfo> &out) {
            need("(");
            while (!eat(")")) {
                eat(",");
                const Name *n = lookup(next());
                if (!n || n->kind != Name::Param) {
                    fail("call argument is not a .param variable");
                }
                out.push_back({n->off, n->size});
            }
            eat(",");
        };
        if (is("(")) {
            list(cd.rets);
        }
        std::string callee = peek();
        Opnd f = operand();
        if (f.kind == Opnd::Reg) {
            cd.slot = f.slot;
        } else if (f.kind == Opnd::Imm && (f.imm & kWindowMask) == kFuncWindow) {
            cd.func = (int)(u32)f.imm;
        } else {
            fail("call of an unknown function " + callee);
        }
        eat(",");
        if (is("(")) {
            list(cd.args);
        }
        while (!eat(";")) {
            p_++;
        }
        in.ctl = Ctl::Call;
        in.target = (int)m_.calls.size();
        m_.calls.push_back(cd);
        m_.code.push_back(in);
    }
};
} // namespace ptxsim
