// cudart_runtime.cpp: the state of the runtime, its settings, its reports and its last word.
#include "cudart_runtime.hpp"
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

namespace ptxsim::shim
{
long env(const char *n, long d)
{
    const char *v = getenv(n);
    return v && *v ? strtol(v, nullptr, 0) : d;
}

Runtime::Runtime()
{
    opt.seed = (uint64_t)env("PTXSIM_SEED", 0);
    opt.check_race = env("PTXSIM_RACE", 0) != 0;
    opt.check_uninit = env("PTXSIM_UNINIT", 1) != 0;
    opt.resident = (int)env("PTXSIM_RESIDENT", 4);
    opt.budget = (uint64_t)env("PTXSIM_BUDGET", 20000000000);
    opt.max_findings = (size_t)env("PTXSIM_MAX_FINDINGS", 1000);
    rng.seed(opt.seed + 1);
    if (const char *f = getenv("PTXSIM_LOG")) {
        log = fopen(f, "a");
    }
    streams.insert(&legacy);
}
void Runtime::say(const std::string &s)
{
    fprintf(stderr, "ptxsim: %s\n", s.c_str());
    if (log) {
        fprintf(log, "ptxsim: %s\n", s.c_str());
        fflush(log);
    }
}
void Runtime::api_error(const std::string &s)
{
    api_errors++;
    say("API ERROR: " + s);
}
size_t Runtime::errors() const
{
    size_t n = api_errors;
    for (auto &f : dev.findings) {
        n += f.error;
    }
    return n;
}
static std::string kernel_line(const std::string &name, const Stats &s)
{
    return "kernel " + name + ": " + std::to_string(s.launches) + " launches, " + std::to_string(s.thread_instr) +
           " thread instructions, " + std::to_string(s.warp_instr) + " warp instructions, " +
           std::to_string(s.global_loaded) + " global bytes loaded, " + std::to_string(s.global_stored) +
           " global bytes stored";
}
void Runtime::summary()
{
    if (stats) {
        for (auto &k : by_kernel) {
            say(kernel_line(k.first, k.second));
        }
    }
    size_t e = errors(), w = dev.findings.size() - (e - api_errors);
    if (stats || e || w) {
        char b[256];
        snprintf(b, sizeof b,
                 "%zu errors, %zu warnings; %llu launches, %.1f M thread instructions, %.2f s (%.0f M/s); %zu "
                 "device allocations still live, peak %.1f MB",
                 e, w, (unsigned long long)dev.stats.launches, dev.stats.thread_instr / 1e6, dev.stats.seconds,
                 dev.stats.seconds > 0 ? dev.stats.thread_instr / dev.stats.seconds / 1e6 : 0.0, live,
                 dev.peak_bytes / 1e6);
        say(b);
    }
    if (log) {
        fclose(log);
    }
    log = nullptr;
}

Runtime &rt()
{
    static Runtime *r = new Runtime;
    return *r;
}

namespace
{
struct AtExit {
    ~AtExit()
    {
        rt().summary();
        long c = env("PTXSIM_EXIT", 0);
        if (c && rt().errors()) {
            fflush(nullptr);
            _exit((int)c);
        }
    }
} at_exit;
} // namespace

thread_local cudaError_t last = cudaSuccess;

cudaError_t ret(cudaError_t e)
{
    if (e == cudaSuccess) {
        e = rt().sticky;
    }
    if (e != cudaSuccess) {
        last = e;
    }
    return e;
}
} // namespace ptxsim::shim
