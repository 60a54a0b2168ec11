// parser.cpp: directives and variables of a module.
#include "parser.hpp"
#include <algorithm>

namespace ptxsim
{
void Parser::run()
{
    while (!at_end()) {
        top_level();
    }
    for (auto &v : m_.funcs) {
        if (!v.defined) {
            v.start = v.end = -1;
        }
    }
}

bool Parser::eat(const char *s)
{
    if (!is(s)) {
        return false;
    }
    p_++;
    return true;
}

u64 Parser::number(const std::string &s)
{
    if (s.size() == 10 && s[0] == '0' && (s[1] == 'f' || s[1] == 'F')) {
        return strtoull(s.c_str() + 2, nullptr, 16);
    }
    if (s.size() == 18 && s[0] == '0' && (s[1] == 'd' || s[1] == 'D')) {
        return strtoull(s.c_str() + 2, nullptr, 16);
    }
    if (s.empty() || !isdigit((u8)s[0])) {
        fail("expected a number, got '" + s + "'");
    }
    return strtoull(s.c_str(), nullptr, 0);
}

void Parser::top_level()
{
    if (is(".target")) {
        target_ = atoi(t_[p_ + 1].s.c_str() + 3);
    }
    if (is(".version") || is(".target") || is(".address_size")) {
        return skip_line();
    }
    if (is(".file")) {
        p_++;
        int n = (int)integer();
        m_.files[n] = next();
        while (eat(",")) {
            integer();
        }
        return;
    }
    if (is(".loc")) {
        return skip_line();
    }
    if (is(".section")) {
        while (!is("{")) {
            p_++;
        }
        while (!eat("}")) {
            p_++;
        }
        return;
    }
    bool ext = false;
    while (is(".visible") || is(".extern") || is(".weak") || is(".common")) {
        ext |= next() == ".extern";
    }
    if (is(".entry") || is(".func")) {
        return function(next() == ".entry");
    }
    if (is(".pragma") || is(".alias")) {
        while (!eat(";")) {
            p_++;
        }
        return;
    }
    if (is(".global") || is(".const") || is(".shared") || is(".tex")) {
        return variable(next(), ext);
    }
    fail("unknown directive");
}

void Parser::shared_variable(const Decl &d, std::map<std::string, Name> *scope)
{
    Name n;
    n.kind = Name::Shared;
    n.size = d.size;
    if (d.open || d.size == 0) {
        n.off = kSharedSeg;
    } else if (scope && f_->entry) {
        n.off = place(f_->shared_top, d.size, std::max(d.align, 16u));
        f_->shared.push_back({n.off, d.size, d.name});
        f_->shared_top += 32;
        f_->info.shared_static += d.size;
    } else {
        n.off = place(m_.shared_top, d.size, std::max(d.align, 16u));
        m_.shared.push_back({n.off, d.size, d.name});
        m_.shared_top += 32;
        n.off += 2 * kSharedSeg;
    }
    (scope ? *scope : shared_names_)[d.name] = n;
}

void Parser::variable(const std::string &space, bool ext)
{
    Decl d = declaration();
    if (space == ".shared") {
        shared_variable(d, nullptr);
        need(";");
        return;
    }
    std::vector<u8> bytes;
    u32 w = (u32)ty_size(d.ty);
    bool init = eat("=");
    if (init) {
        int depth = 0;
        do {
            if (eat("{")) {
                depth++;
                continue;
            }
            if (eat("}")) {
                depth--;
                continue;
            }
            if (eat(",")) {
                continue;
            }
            u64 v;
            if (t_[p_].k == Tok::Num || is("-")) {
                v = integer();
            } else {
                bool g = eat("generic");
                if (g) {
                    need("(");
                }
                std::string s = next();
                if (!m_.symbols.count(s) && !m_.func_index.count(s)) {
                    fail("unknown symbol in initialiser");
                }
                v = m_.symbols.count(s) ? m_.symbols[s].first : kFuncWindow | (u64)m_.func_index[s];
                if (g) {
                    need(")");
                }
                if (eat("+")) {
                    v += integer();
                }
            }
            for (u32 k = 0; k < w; k++) {
                bytes.push_back(u8(v >> (8 * k)));
            }
        } while (depth);
    }
    need(";");
    if (d.open) {
        d.size = (u32)bytes.size();
    }
    if (ext && !d.size) {
        return;
    }
    if (m_.symbols.count(d.name)) {
        return;
    }
    bytes.resize(d.size);
    u64 a = m_.dev->alloc(d.size, d.name, std::max(256u, d.align));
    m_.owned.push_back(a);
    if (d.size) {
        m_.dev->write(a, bytes.data(), d.size);
    }
    if (space == ".const") {
        m_.dev->find(a)->read_only = true;
    }
    m_.symbols[d.name] = {a, d.size};
}
} // namespace ptxsim
