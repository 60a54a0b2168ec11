// module.cpp: a parsed module, its kernels, symbols and constants; types of PTX.
#include "parser.hpp"

namespace ptxsim
{
Module::~Module()
{
    if (dev) {
        for (u64 a : owned) {
            try {
                dev->free(a);
            } catch (...) {
            }
        }
    }
}

int Module::add_const(u64 v)
{
    auto it = const_index.find(v);
    if (it != const_index.end()) {
        return it->second;
    }
    int slot = ~int(consts.size() / 32);
    consts.insert(consts.end(), 32, v);
    return const_index[v] = slot;
}

std::shared_ptr<Module> load(Device &dev, const std::string &text)
{
    auto m = std::make_shared<Module>();
    m->dev = &dev;
    Parser p(*m, text);
    try {
        p.run();
    } catch (const std::exception &e) {
        throw std::runtime_error("ptx line " + std::to_string(p.line()) + ": " + e.what());
    }
    return m;
}
std::vector<KernelInfo> kernels(const Module &m)
{
    std::vector<KernelInfo> v;
    for (auto &f : m.funcs) {
        if (f.entry && f.defined) {
            v.push_back(f.info);
        }
    }
    return v;
}
const KernelInfo *find_kernel(const Module &m, const std::string &name)
{
    auto it = m.func_index.find(name);
    return it != m.func_index.end() && m.funcs[it->second].entry && m.funcs[it->second].defined
               ? &m.funcs[it->second].info
               : nullptr;
}
bool find_symbol(const Module &m, const std::string &name, u64 *addr, size_t *size)
{
    auto it = m.symbols.find(name);
    if (it == m.symbols.end()) {
        return false;
    }
    if (addr) {
        *addr = it->second.first;
    }
    if (size) {
        *size = it->second.second;
    }
    return true;
}

int ty_size(Ty t)
{
    switch (t) {
    case Ty::B8:
    case Ty::U8:
    case Ty::S8:
    case Ty::Pred:
        return 1;
    case Ty::B16:
    case Ty::U16:
    case Ty::S16:
    case Ty::F16:
    case Ty::BF16:
        return 2;
    case Ty::B32:
    case Ty::U32:
    case Ty::S32:
    case Ty::F32:
        return 4;
    case Ty::B64:
    case Ty::U64:
    case Ty::S64:
    case Ty::F64:
        return 8;
    default:
        return 0;
    }
}
bool ty_float(Ty t)
{
    return t == Ty::F16 || t == Ty::BF16 || t == Ty::F32 || t == Ty::F64;
}
Ty ty_parse(const std::string &s)
{
    static const std::map<std::string, Ty> m = {
        {"pred", Ty::Pred}, {"b8", Ty::B8},   {"b16", Ty::B16},   {"b32", Ty::B32},   {"b64", Ty::B64},
        {"u8", Ty::U8},     {"u16", Ty::U16}, {"u32", Ty::U32},   {"u64", Ty::U64},   {"s8", Ty::S8},
        {"s16", Ty::S16},   {"s32", Ty::S32}, {"s64", Ty::S64},   {"f16", Ty::F16},   {"bf16", Ty::BF16},
        {"f32", Ty::F32},   {"f64", Ty::F64}, {"f16x2", Ty::B32}, {"bf16x2", Ty::B32}};
    auto it = m.find(s);
    return it == m.end() ? Ty::None : it->second;
}
} // namespace ptxsim
