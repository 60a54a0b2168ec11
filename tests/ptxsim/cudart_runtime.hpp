// cudart_runtime.hpp: the state of the runtime that stands in for libcudart, and what its parts ask of each other.
//
// Streams are queues: work is executed when the host waits for it (or, with a seed, at random moments), so host code
// that forgets to synchronise sees stale data here as well. README.md has the environment variables.
#pragma once
#include "ptxsim.hpp"
#include <cuda_runtime_api.h>
#include <deque>
#include <functional>
#include <mutex>
#include <random>
#include <set>

namespace ptxsim::shim
{
long env(const char *name, long otherwise);

struct Event;
struct Graph;
struct Op {
    enum Kind { Work, Record, Wait } kind;
    std::function<void()> fn;
    std::shared_ptr<Event> ev;
    uint64_t seq;
};
struct Event {
    uint64_t seq = 0, done = 0;
    double time = 0;
    Graph *capture = nullptr;
};
struct Stream {
    std::deque<Op> q;
    bool blocking = true;
    int id = 0;
    Graph *capture = nullptr;
};
struct Graph {
    std::vector<Op> ops;
};
struct EventHandle {
    std::shared_ptr<Event> e;
};

struct FatBinary {
    const void *data;
    std::shared_ptr<Module> mod;
    bool tried = false;
};
struct Kernel {
    FatBinary *fat;
    std::string name;
    size_t max_dyn = 48 * 1024;
    std::shared_ptr<Module> mod;
};
struct Var {
    FatBinary *fat;
    std::string name;
};

struct Runtime {
    std::recursive_mutex mu;
    Device dev;
    Options opt;
    std::mt19937_64 rng;
    int sm = (int)env("PTXSIM_SM", 75);
    bool eager = env("PTXSIM_EAGER", 0) != 0, stats = env("PTXSIM_STATS", 0) != 0;
    std::vector<std::unique_ptr<FatBinary>> fats;
    std::map<const void *, std::unique_ptr<Kernel>> kernels;
    std::set<const void *> kernel_handles;
    std::map<const void *, Var> vars;
    std::vector<std::shared_ptr<Module>> side; // PTXSIM_PTX
    bool side_loaded = false;
    Stream legacy, *favourite = nullptr;
    std::set<Stream *> streams;
    std::map<void *, size_t> pinned;
    cudaError_t sticky = cudaSuccess;
    size_t printed = 0, api_errors = 0, live = 0, mallocs = 0;
    int next_stream = 1;
    FILE *log = nullptr;
    std::map<std::string, Stats> by_kernel;

    Runtime();
    void say(const std::string &s);
    void api_error(const std::string &s);
    size_t errors() const;
    void summary();
};

// One for the process, never destroyed: host code frees things late.
Runtime &rt();
extern thread_local cudaError_t last;
// Every entry point holds the one lock.
#define API std::lock_guard<std::recursive_mutex> guard(rt().mu)
// The error of a call, or the one that stays; remembered for cudaGetLastError.
cudaError_t ret(cudaError_t e);

// cudart_faults.cpp: failures asked for by PTXSIM_FAIL.
enum class Fault { Malloc, Host, Launch, DeviceLost };
// Counts a call of that kind. True when this one has to fail.
bool fault_due(Fault kind);
// Work in place of a launch: from then on every call fails.
void lose_device();

// cudart_images.cpp
const KernelInfo *resolve(Kernel &k);
Kernel *kernel_of(const void *f);
bool var_of(const void *s, uint64_t *a, size_t *n);

// cudart_queues.cpp
void flush_findings();
void execute(Op op);
bool step();
void drive(const std::function<bool()> &done);
void drain(Stream &s);
void drain_all();
Stream *stream_of(cudaStream_t h);
void enqueue(Stream &s, Op op);
cudaError_t work(cudaStream_t h, std::function<void()> f);
#define STREAM(h)                                                                                                      \
    Stream *s = stream_of(h);                                                                                          \
    if (!s) {                                                                                                          \
        rt().api_error("use of an invalid or destroyed stream");                                                       \
        return ret(cudaErrorInvalidResourceHandle);                                                                    \
    }

// cudart_copies.cpp
bool is_dev(const void *p);
bool is_pinned(const void *p);
bool valid(const void *p, size_t n);
cudaError_t copy_async(void *d, const void *s, size_t n, cudaMemcpyKind k, cudaStream_t st);
cudaError_t copy_sync(void *d, const void *s, size_t n, cudaMemcpyKind k);
cudaError_t fill(void *d, int v, size_t n, cudaStream_t st);
cudaError_t alloc_device(void **p, size_t n);
cudaError_t alloc_host(void **p, size_t n);
cudaError_t free_device(void *p);

// cudart_device.cpp
size_t optin_shared();
int threads_per_sm();
int attribute(int a);
} // namespace ptxsim::shim
