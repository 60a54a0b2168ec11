// interpreter.hpp: shared by the parser, the decoder and what executes.
#pragma once
#include "ptxsim.hpp"
#include <cstring>
#include <random>
#include <set>
#include <unordered_map>

namespace ptxsim
{
using u8 = uint8_t;
using u16 = uint16_t;
using u32 = uint32_t;
using u64 = uint64_t;
using i8 = int8_t;
using i16 = int16_t;
using i32 = int32_t;
using i64 = int64_t;

enum class Ty : u8 { None, Pred, B8, B16, B32, B64, U8, U16, U32, U64, S8, S16, S32, S64, F16, BF16, F32, F64 };
int ty_size(Ty t);
bool ty_float(Ty t);
Ty ty_parse(const std::string &s); // "u32" -> U32; None when not a type

enum class Space : u8 { Generic, Global, Const, Shared, Local, Param };
// Generic-address windows (never valid host or device addresses).
constexpr u64 kSharedWindow = 0x0100000000000000ull, kLocalWindow = 0x0200000000000000ull,
              kParamWindow = 0x0300000000000000ull, kFuncWindow = 0x0400000000000000ull,
              kWindowMask = 0xFF00000000000000ull;

enum class Ctl : u8 { Normal, Bra, BrxIdx, Call, Ret, Exit, Bar, Sync, Trap, Yield };
enum class SyncOp : u8 {
    Ballot,
    Any,
    All,
    Uni,
    ShflUp,
    ShflDown,
    ShflBfly,
    ShflIdx,
    MatchAny,
    MatchAll,
    RAdd,
    RMin,
    RMax,
    RAnd,
    ROr,
    RXor,
    WarpBar
};
enum class BarOp : u8 { Sync, Arrive, RedPopc, RedAnd, RedOr };
enum class Special : u8 {
    TidX,
    TidY,
    TidZ,
    NtidX,
    NtidY,
    NtidZ,
    CtaX,
    CtaY,
    CtaZ,
    NctaX,
    NctaY,
    NctaZ,
    Lane,
    Warp,
    NWarp,
    WarpSize,
    LmEq,
    LmLt,
    LmLe,
    LmGt,
    LmGe,
    SmId,
    NSmId,
    GridId,
    DynShared,
    TotShared,
    Zero,
    Clock
};

struct Warp;
struct Instr;
using Handler = void (*)(Warp &, const Instr &, u32 mask);
constexpr int kNone = 0x7fffffff;

// A decoded instruction. Operand slots: >= 0 a register of the frame, < 0 constant ~slot of the module.
struct Instr {
    Handler fn = nullptr;
    Ctl ctl = Ctl::Normal;
    Ty ty = Ty::None, ty2 = Ty::None;
    Space space = Space::Generic;
    u8 sub = 0;  // per-opcode selector (SyncOp, BarOp, comparison, atomic op, boolean op, ...)
    u8 rnd = 0;  // float rounding: 0 nearest 1 zero 2 down 3 up
    u8 irnd = 0; // round to integral: 0 none 1 rni 2 rzi 3 rmi 4 rpi
    bool ftz = false, sat = false, strong = false, aligned = true, gneg = false, addr32 = false, local_sym = false,
         carry_out = false;
    u8 vn = 1; // vector length
    int guard = kNone;
    int d = 0, a = kNone, b = kNone, c = kNone, e = kNone;
    int pd = kNone, pq = kNone, pa = kNone, pb = kNone; // predicate slots: destinations, sources
    bool pan = false, pbn = false;                      // negated predicate sources
    int v[8] = {};                                      // vector registers
    u64 off = 0;                                        // address offset or immediate
    u32 used_bytes = ~0u; // .pragma "used_bytes_mask": bytes of a vector load whose value matters
    int target = kNone;   // branch target, call descriptor or branch table
    int line = 0, loc = -1;
    mutable Allocation *cache = nullptr;
};

struct VarInfo {
    u32 off = 0, size = 0;
};
struct CallDesc {
    int func = -1;
    int slot = kNone;
    std::vector<VarInfo> args, rets;
};

struct SharedVar {
    u32 off, size;
    std::string name;
};
constexpr u32 kSharedSeg = 1 << 20;

struct Function {
    KernelInfo info;
    std::vector<SharedVar> shared; // of an entry, segment 0
    u32 shared_top = 0;
    std::set<u32> shared_refs;
    bool entry = false, defined = false;
    int start = 0, end = 0;
    int nregs = 1, npreds = 2; // register 0 and predicate 0 are sinks, predicate 1 is false
    std::vector<VarInfo> params, rets;
    u32 formal_bytes = 0, param_bytes = 0, local_bytes = 0;
    std::vector<std::pair<int, Special>> specials;
};

class Module
{
  public:
    std::vector<Instr> code;
    std::vector<Function> funcs;
    std::vector<CallDesc> calls;
    std::vector<std::vector<int>> tables;  // brx.idx targets
    std::vector<u64> consts;               // 32 copies per constant
    std::vector<std::pair<int, int>> locs; // (file, line) of .loc
    std::map<int, std::string> files;
    std::vector<std::string> unsupported; // instructions without a handler
    std::vector<SharedVar> shared;
    u32 shared_top = 0; // segment 2, with red zones
    std::map<std::string, std::pair<u64, size_t>> symbols;
    std::map<std::string, int> func_index;
    std::map<u64, int> const_index;
    Device *dev = nullptr;
    std::vector<u64> owned;
    ~Module();
    int add_const(u64 v);
};

// Parsed operand.
struct Opnd {
    enum Kind { Reg, Pred, Imm, Addr, Vec, Name } kind = Imm;
    int slot = kNone;
    Ty ty = Ty::None;
    u64 imm = 0;
    bool neg = false, local_sym = false;
    std::string name;
    std::vector<Opnd> v;
    u64 off = 0;
};

// Fills in an instruction from its mnemonic parts and operands. Throws std::runtime_error when unsupported.
void decode(Module &m, Instr &in, const std::vector<std::string> &parts, std::vector<Opnd> &ops);

struct Frame {
    Function *f = nullptr;
    Frame *parent = nullptr;
    const CallDesc *call = nullptr;
    u32 ret_pc = 0, live = 0, depth = 0, local_base = 0;
    std::vector<u64> regs;
    std::vector<u32> preds;
    std::vector<u8> params; // 32 lanes of (param_bytes - entry formals)
    u32 pstride = 0, poff = 0;
};

struct Group {
    Frame *f;
    u32 pc, mask;
};
struct Parked {
    Frame *f;
    u32 pc, mask, member, exited;
    bool barrier;
    int id;
    u32 need;
    BarOp op;
};

struct RaceCell {
    u32 w_epoch = 0, r_epoch = 0, w_sub = 0, r_sub = 0;
    u16 w_thread = 0, r_thread = 0;
    bool w_strong = false, r_strong = false, r_many = false;
};

struct Launch;
struct Cta {
    Dim3 id;
    Launch *L = nullptr;
    struct Segment {
        std::vector<u8> mem, shadow;
        std::vector<RaceCell> race;
    };                 // shadow: bit 0 addressable, bit 1 written
    Segment shared[3]; // static, dynamic, module level
    std::vector<std::unique_ptr<Warp>> warps;
    u32 epoch = 0; // number of the stretch between two barriers
    struct Bar {
        u32 arrived = 0, need = 0, popc = 0, participants = 0;
    } bar[17];
    u32 live_threads() const;
    bool done() const;
};

struct Warp {
    u64 *R = nullptr; // registers of the current frame, [slot][lane]
    u32 *P = nullptr; // predicates of the current frame
    const u64 *K = nullptr;
    Frame *frame = nullptr;
    u32 pc = 0, mask = 0, limit = ~0u;
    u32 valid = 0, exited = 0, cc = 0, streak = 0, boost = 0, sync_epoch = 1;
    bool yielded = false, force = false;
    std::vector<Group> groups;
    std::vector<Parked> parked;
    Cta *cta = nullptr;
    Launch *L = nullptr;
    int id = 0;
    u64 sv[32], sb[32], sc[32]; // inputs of a pending warp collective
    std::vector<u8> local[32];
    std::vector<std::unique_ptr<Frame>> frames;

    const u64 *S(int s) const { return s >= 0 ? R + size_t(s) * 32 : K + size_t(~s) * 32; }
    u64 *D(int s) { return R + size_t(s) * 32; }
    u32 pred(int s, bool neg) const { return neg ? ~P[s] : P[s]; }
    void setp(int s, u32 m, u32 v) { P[s] = (P[s] & ~m) | (v & m); }
};

enum Access { kRead, kWrite, kAtomic };
// Translates and checks one access; null when it must be skipped (already reported).
u8 *access(Warp &w, const Instr &in, int lane, u64 addr, u32 bytes, Access kind);
u8 *global_access(Warp &w, const Instr &in, int lane, u64 addr, u32 bytes, Access kind);
u8 *shared_access(Warp &w, const Instr &in, int lane, u64 addr, u32 bytes, Access kind);

struct Launch {
    Device &dev;
    Module &mod;
    Function &fn;
    Options opt;
    Dim3 grid, block;
    u32 dyn_shared = 0, threads = 0, nwarps = 0;
    std::vector<u8> params;
    std::mt19937_64 rng;
    u64 warp_instr = 0, thread_instr = 0, errors = 0, clock = 0, global_loaded = 0, global_stored = 0;
    bool stop = false;
    u32 epochs = 0;
    std::vector<std::vector<RaceCell>> race_pool[3];
    std::unordered_map<std::string, size_t> seen;

    Launch(Device &d, Module &m, Function &f, const Options &o) : dev(d), mod(m), fn(f), opt(o), rng(o.seed) {}
    void report(Warp &w, int line_pc, int lane, const char *kind, bool error, const std::string &detail,
                bool fatal = false);
    bool run();
    std::unique_ptr<Cta> start_cta(u64 index);
    u32 run_warp(Warp &w, u32 quantum);
    bool run_cta(Cta &c);
    bool pick(Warp &w);
    bool settle(Warp &w);
    void enter(Warp &w, Frame *f);
    Frame *new_frame(Warp &w, Function &f, Frame *parent);
    void branch(Warp &w, u32 taken, u32 target);
    void call(Warp &w, const Instr &in, u32 m);
    bool builtin(Warp &w, const std::string &name, const CallDesc &cd, u32 set);
    void ret(Warp &w, u32 m, bool exit);
    void sync(Warp &w, const Instr &in, u32 m);
    void collective(Warp &w, const Instr &in, u32 lanes, u32 member, const std::vector<Parked> &parts);
    void barrier(Warp &w, const Instr &in, u32 m);
    void check_barrier(Cta &c, int id, Warp &at);
    std::string stuck(Cta &c);
};

template <class F> inline void lanes(u32 m, F f)
{
    if (m == ~0u) {
        for (int l = 0; l < 32; l++) {
            f(l);
        }
    } else {
        for (; m; m &= m - 1) {
            f(__builtin_ctz(m));
        }
    }
}
inline Dim3 unflatten(u64 i, Dim3 d)
{
    return Dim3(u32(i % d.x), u32(i / d.x % d.y), u32(i / d.x / d.y));
}
inline int first(u32 m)
{
    return __builtin_ctz(m);
}
inline int count(u32 m)
{
    return __builtin_popcount(m);
}
inline std::string hex(u32 v)
{
    char b[16];
    snprintf(b, sizeof b, "0x%08x", v);
    return b;
}
} // namespace ptxsim
