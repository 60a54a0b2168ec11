// tokens.hpp: PTX text as words.
#pragma once
#include <string>
#include <vector>

namespace ptxsim
{
struct Tok {
    enum Kind { Id, Num, Str, Punct, End } k;
    std::string s;
    int line;
};

std::vector<Tok> lex(const std::string &text);
std::vector<std::string> split(const std::string &mnemonic); // at the dots
} // namespace ptxsim
