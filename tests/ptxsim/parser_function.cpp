// parser_function.cpp: functions, their declarations, instructions and operands.
#include "parser.hpp"
#include <algorithm>

namespace ptxsim
{
namespace
{
const std::map<std::string, Special> kSpecials = {{"%tid.x", Special::TidX},
                                                  {"%tid.y", Special::TidY},
                                                  {"%tid.z", Special::TidZ},
                                                  {"%ntid.x", Special::NtidX},
                                                  {"%ntid.y", Special::NtidY},
                                                  {"%ntid.z", Special::NtidZ},
                                                  {"%ctaid.x", Special::CtaX},
                                                  {"%ctaid.y", Special::CtaY},
                                                  {"%ctaid.z", Special::CtaZ},
                                                  {"%nctaid.x", Special::NctaX},
                                                  {"%nctaid.y", Special::NctaY},
                                                  {"%nctaid.z", Special::NctaZ},
                                                  {"%laneid", Special::Lane},
                                                  {"%warpid", Special::Warp},
                                                  {"%nwarpid", Special::NWarp},
                                                  {"WARP_SZ", Special::WarpSize},
                                                  {"%lanemask_eq", Special::LmEq},
                                                  {"%lanemask_lt", Special::LmLt},
                                                  {"%lanemask_le", Special::LmLe},
                                                  {"%lanemask_gt", Special::LmGt},
                                                  {"%lanemask_ge", Special::LmGe},
                                                  {"%smid", Special::SmId},
                                                  {"%nsmid", Special::NSmId},
                                                  {"%gridid", Special::GridId},
                                                  {"%dynamic_smem_size", Special::DynShared},
                                                  {"%total_smem_size", Special::TotShared},
                                                  {"%clock", Special::Clock},
                                                  {"%clock64", Special::Clock},
                                                  {"%clock_hi", Special::Zero},
                                                  {"%globaltimer", Special::Clock},
                                                  {"%globaltimer_lo", Special::Clock},
                                                  {"%globaltimer_hi", Special::Zero}};

} // namespace

void Parser::param_list(std::vector<VarInfo> &out, std::map<std::string, Name> &names, std::vector<u32> *sizes)
{
    need("(");
    while (!eat(")")) {
        eat(",");
        if (!eat(".param")) {
            fail("only .param parameters are supported");
        }
        Decl d = declaration();
        Name n;
        n.kind = Name::Param;
        n.off = place(f_->formal_bytes, d.size, d.align);
        n.size = d.size;
        names[d.name] = n;
        out.push_back({n.off, d.size});
        if (sizes) {
            sizes->push_back(d.size);
        }
    }
}

void Parser::function(bool entry)
{
    Function tmp;
    f_ = &tmp;
    tmp.entry = entry;
    std::map<std::string, Name> names;
    if (!entry && is("(")) {
        param_list(tmp.rets, names, nullptr);
    }
    tmp.info.name = next();
    tmp.info.target = target_;
    if (is("(")) {
        param_list(tmp.params, names, &tmp.info.param_size);
    }
    tmp.param_bytes = tmp.formal_bytes;
    while (!is("{") && !is(";")) {
        if (is(".maxntid") || is(".reqntid")) {
            p_++;
            u64 n = integer();
            while (eat(",")) {
                n *= integer();
            }
            tmp.info.max_threads = (u32)n;
        } else if (peek()[0] == '.' || t_[p_].k == Tok::Num || is(",")) {
            p_++;
        } else if (t_[p_].k == Tok::Str) {
            p_++;
        } else {
            fail("unexpected token in function header");
        }
    }
    auto it = m_.func_index.find(tmp.info.name);
    if (it == m_.func_index.end()) {
        fi_ = (int)m_.funcs.size();
        m_.func_index[tmp.info.name] = fi_;
        m_.funcs.push_back(tmp);
    } else {
        fi_ = it->second;
        if (m_.funcs[fi_].defined && is("{")) {
            fail("function defined twice");
        }
        if (!m_.funcs[fi_].defined) {
            m_.funcs[fi_] = tmp;
        }
    }
    if (eat(";")) {
        return;
    }
    f_ = &m_.funcs[fi_];
    f_->defined = true;
    f_->start = (int)m_.code.size();
    scopes_.assign(1, names);
    scope_ids_.assign(1, 0);
    scope_parent_.assign(1, -1);
    labels_.clear();
    tables_.clear();
    fixes_.clear();
    special_slot_.clear();
    need("{");
    body();
    Instr end; // falling off the end
    end.ctl = f_->entry ? Ctl::Exit : Ctl::Ret;
    end.line = line();
    m_.code.push_back(end);
    f_->end = (int)m_.code.size();
    for (auto &fx : fixes_) {
        resolve(fx);
    }
    f_->info.local_bytes = f_->local_bytes;
    f_->info.registers = f_->nregs;
}

void Parser::body()
{
    int depth = 1;
    while (depth) {
        if (at_end()) {
            fail("unterminated function");
        }
        if (eat("{")) {
            depth++;
            scopes_.push_back({});
            scope_parent_.push_back(scope_ids_.back());
            scope_ids_.push_back((int)scope_parent_.size() - 1);
        } else if (eat("}")) {
            depth--;
            scopes_.pop_back();
            scope_ids_.pop_back();
        } else if (eat(";")) {
        } else if (t_[p_].k == Tok::Id && t_[p_ + 1].s == ":" && t_[p_ + 1].k == Tok::Punct) {
            label();
        } else if (peek()[0] == '.') {
            directive();
        } else {
            instruction();
        }
    }
}

void Parser::label()
{
    std::string n = next();
    need(":");
    auto key = std::make_pair(scope_ids_.back(), n);
    if (eat(".branchtargets")) {
        do {
            tables_[key].push_back(next());
        } while (eat(","));
        need(";");
    } else if (eat(".callprototype")) {
        while (!eat(";")) {
            p_++;
        }
    } else {
        labels_[key] = (int)m_.code.size();
    }
}

int Parser::label_pc(const std::string &n, int scope)
{
    int *pc = scoped(labels_, n, scope);
    if (!pc) {
        throw std::runtime_error("undefined label " + n);
    }
    return *pc;
}

void Parser::resolve(const Fix &fx)
{
    if (!fx.table) {
        m_.code[fx.pc].target = label_pc(fx.label, fx.scope);
        return;
    }
    auto *names = scoped(tables_, fx.label, fx.scope);
    if (!names) {
        throw std::runtime_error("undefined branch table " + fx.label);
    }
    std::vector<int> t;
    for (auto &n : *names) {
        t.push_back(label_pc(n, fx.scope));
    }
    m_.code[fx.pc].target = (int)m_.tables.size();
    m_.tables.push_back(t);
}

void Parser::directive()
{
    std::string d = next();
    auto &sc = scopes_.back();
    if (d == ".reg") {
        u32 vec = 1;
        if (eat(".v2")) {
            vec = 2;
        } else if (eat(".v4")) {
            vec = 4;
        }
        if (vec != 1) {
            fail("vector registers are not supported");
        }
        Ty ty = ty_parse(next().substr(1));
        if (ty == Ty::None) {
            fail("unknown register type");
        }
        do {
            std::string n = next();
            int count = -1;
            if (eat("<")) {
                count = (int)integer();
                need(">");
            }
            for (int k = 0; k < (count < 0 ? 1 : count); k++) {
                Name r;
                r.kind = ty == Ty::Pred ? Name::Pred : Name::Reg;
                r.slot = ty == Ty::Pred ? f_->npreds++ : f_->nregs++;
                r.ty = ty;
                sc[count < 0 ? n : n + std::to_string(k)] = r;
            }
        } while (eat(","));
        need(";");
    } else if (d == ".local" || d == ".param") {
        Decl v = declaration();
        Name n;
        n.kind = d == ".local" ? Name::Local : Name::Param;
        n.off = place(d == ".local" ? f_->local_bytes : f_->param_bytes, v.size,
                      d == ".local" ? std::max(v.align, 16u) : v.align);
        n.size = v.size;
        sc[v.name] = n;
        need(";");
    } else if (d == ".shared") {
        shared_variable(declaration(), &sc);
        need(";");
    } else if (d == ".global" || d == ".const") {
        variable(d, false);
    } else if (d == ".pragma") {
        unsigned mask;
        if (sscanf(peek().c_str(), "used_bytes_mask %u", &mask) == 1) {
            used_bytes_ = mask;
        }
        while (!eat(";")) {
            p_++;
        }
    } else if (d == ".loc") {
        int file = (int)integer(), ln = (int)integer();
        p_--;
        skip_line();
        m_.locs.push_back({file, ln});
        loc_ = (int)m_.locs.size() - 1;
    } else {
        fail("unknown directive " + d);
    }
}

const Name *Parser::lookup(const std::string &n)
{
    for (size_t k = scopes_.size(); k--;) {
        auto it = scopes_[k].find(n);
        if (it != scopes_[k].end()) {
            return &it->second;
        }
    }
    auto it = shared_names_.find(n);
    return it == shared_names_.end() ? nullptr : &it->second;
}

Opnd Parser::operand()
{
    Opnd o;
    if (eat("!")) {
        o = operand();
        o.neg = !o.neg;
        return o;
    }
    if (eat("{")) {
        o.kind = Opnd::Vec;
        do {
            o.v.push_back(operand());
        } while (eat(","));
        need("}");
        return o;
    }
    if (eat("[")) {
        Opnd b = operand();
        o = b;
        o.kind = Opnd::Addr;
        if (b.kind == Opnd::Imm) {
            o.off = b.imm;
            o.slot = kNone;
        } else if (b.kind == Opnd::Name) {
            fail("unknown symbol in address: " + b.name);
        }
        if (eat("+")) {
            o.off += integer();
        } else if (is("-")) {
            o.off += integer();
        }
        need("]");
        return o;
    }
    if (t_[p_].k == Tok::Num || is("-")) {
        o.imm = integer();
        return o;
    }
    if (t_[p_].k != Tok::Id) {
        fail("bad operand");
    }
    std::string n = next();
    if (n == "_") {
        o.kind = Opnd::Reg;
        o.slot = 0;
        o.ty = Ty::B64;
        return o;
    }
    if (const Name *v = lookup(n)) {
        if (v->kind == Name::Reg || v->kind == Name::Pred) {
            o.kind = v->kind == Name::Reg ? Opnd::Reg : Opnd::Pred;
            o.slot = v->slot;
            o.ty = v->ty;
        } else {
            o.imm = v->off;
            if (v->kind == Name::Shared && v->off >= 2 * kSharedSeg && f_->shared_refs.insert(v->off).second) {
                f_->info.shared_static += v->size;
            }
            o.local_sym = v->kind == Name::Local;
            o.name = n;
        }
        return o;
    }
    auto sp = kSpecials.find(n);
    if (sp != kSpecials.end()) {
        int &slot = special_slot_[n];
        if (!slot) {
            slot = f_->nregs++;
            f_->specials.push_back({slot, sp->second});
        }
        o.kind = Opnd::Reg;
        o.slot = slot;
        o.ty = Ty::B64;
        o.name = n;
        return o;
    }
    auto sym = m_.symbols.find(n);
    if (sym != m_.symbols.end()) {
        o.imm = sym->second.first;
        return o;
    }
    auto fn = m_.func_index.find(n);
    if (fn != m_.func_index.end()) {
        o.imm = kFuncWindow | (u64)fn->second;
        o.name = n;
        return o;
    }
    o.kind = Opnd::Name;
    o.name = n;
    return o;
}

void Parser::instruction()
{
    Instr in;
    in.line = line();
    in.loc = loc_;
    if (eat("@")) {
        in.gneg = eat("!");
        Opnd g = operand();
        if (g.kind != Opnd::Pred) {
            fail("guard is not a predicate");
        }
        in.guard = g.slot;
    }
    std::string mnem = next();
    auto parts = split(mnem);
    std::vector<Opnd> ops;
    if (parts[0] == "call") {
        call(in);
        return;
    }
    while (!is(";")) {
        ops.push_back(operand());
        if (is("|")) { // d|p
            Opnd both;
            both.kind = Opnd::Vec;
            both.v.push_back(ops.back());
            while (eat("|")) {
                both.v.push_back(operand());
            }
            ops.back() = both;
        }
        if (!is(";")) {
            need(",");
        }
    }
    need(";");
    in.used_bytes = used_bytes_;
    used_bytes_ = ~0u;
    if (parts[0] == "bra" || parts[0] == "brx") {
        bool idx = parts[0] == "brx";
        in.ctl = idx ? Ctl::BrxIdx : Ctl::Bra;
        if (idx) {
            in.a = ops.at(0).slot;
        }
        fixes_.push_back({(int)m_.code.size(), ops.at(idx ? 1 : 0).name, scope_ids_.back(), idx});
    } else {
        try {
            decode(m_, in, parts, ops);
        } catch (const std::exception &e) { // only an error when it is executed
            in.ctl = Ctl::Trap;
            in.target = (int)m_.unsupported.size();
            m_.unsupported.push_back(mnem + ": " + e.what());
        }
    }
    m_.code.push_back(in);
}
} // namespace ptxsim
