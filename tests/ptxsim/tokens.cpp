// tokens.cpp: PTX text as words.
#include "tokens.hpp"
#include "interpreter.hpp"
#include <cctype>

namespace ptxsim
{
namespace
{
bool ident_start(char c)
{
    return isalpha((u8)c) || c == '_' || c == '$' || c == '%' || c == '.';
}
bool ident_char(char c)
{
    return isalnum((u8)c) || c == '_' || c == '$';
}
} // namespace

std::vector<Tok> lex(const std::string &t)
{
    std::vector<Tok> out;
    int line = 1;
    for (size_t i = 0; i < t.size();) {
        char c = t[i];
        if (c == '\n') {
            line++;
            i++;
        } else if (isspace((u8)c) || c == '\0') {
            i++;
        } else if (c == '/' && t[i + 1] == '/') {
            while (i < t.size() && t[i] != '\n') {
                i++;
            }
        } else if (c == '/' && t[i + 1] == '*') {
            for (i += 2; i < t.size() && !(t[i] == '*' && t[i + 1] == '/'); i++) {
                line += t[i] == '\n';
            }
            i += 2;
        } else if (c == '"') {
            size_t e = t.find('"', i + 1);
            if (e == std::string::npos) {
                throw std::runtime_error("ptx: unterminated string");
            }
            out.push_back({Tok::Str, t.substr(i + 1, e - i - 1), line});
            i = e + 1;
        } else if (isdigit((u8)c)) {
            size_t s = i;
            while (i < t.size() && (isalnum((u8)t[i]) || (t[i] == '.' && isdigit((u8)t[i + 1])))) {
                i++;
            }
            out.push_back({Tok::Num, t.substr(s, i - s), line});
        } else if (ident_start(c)) {
            size_t s = i++;
            for (; i < t.size(); i++) { // mnemonics keep their suffixes: ld.global.L2::128B.u32
                if (ident_char(t[i])) {
                    continue;
                }
                if (c != '.' && t[i] == '.' && ident_char(t[i + 1])) {
                    continue;
                }
                if (c != '.' && t[i] == ':' && t[i + 1] == ':' && ident_char(t[i + 2])) {
                    i++;
                    continue;
                }
                break;
            }
            out.push_back({Tok::Id, t.substr(s, i - s), line});
        } else {
            out.push_back({Tok::Punct, std::string(1, c), line});
            i++;
        }
    }
    out.push_back({Tok::End, "", line});
    return out;
}

std::vector<std::string> split(const std::string &s)
{
    std::vector<std::string> p;
    size_t b = 0;
    for (size_t i = 0; i <= s.size(); i++) {
        if (i == s.size() || s[i] == '.') {
            p.push_back(s.substr(b, i - b));
            b = i + 1;
        }
    }
    return p;
}

} // namespace ptxsim
