// cudart_queues.cpp: streams as queues, and when their work is done.
#include "cudart_runtime.hpp"
#include <algorithm>
#include <chrono>

namespace ptxsim::shim
{
static double now()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void flush_findings()
{
    Runtime &r = rt();
    for (; r.printed < r.dev.findings.size(); r.printed++) {
        r.say(r.dev.findings[r.printed].str());
    }
}
bool ready(const Stream &s)
{
    return !s.q.empty() && (s.q.front().kind != Op::Wait || s.q.front().ev->done >= s.q.front().seq);
}
void execute(Op op)
{
    if (op.kind == Op::Work) {
        if (rt().sticky != cudaSuccess) {
            return;
        }
        try {
            op.fn();
        } catch (const std::exception &e) {
            rt().api_error(e.what());
            rt().sticky = cudaErrorInvalidValue;
        }
        flush_findings();
    } else if (op.kind == Op::Record) {
        op.ev->done = std::max(op.ev->done, op.seq);
        op.ev->time = now();
    }
}
bool step()
{
    Runtime &r = rt();
    std::vector<Stream *> c;
    for (Stream *s : r.streams) {
        if (ready(*s)) {
            c.push_back(s);
        }
    }
    if (c.empty()) {
        return false;
    }
    // Seed 0: the newest stream runs ahead as far as its events allow. Otherwise bursts from random streams.
    Stream *s = c[0];
    if (!r.opt.seed) {
        for (Stream *x : c) {
            if (x->id > s->id) {
                s = x;
            }
        }
    } else {
        auto it = r.rng() % 4 ? std::find(c.begin(), c.end(), r.favourite) : c.end();
        s = r.favourite = it != c.end() ? *it : c[r.rng() % c.size()];
    }
    Op op = std::move(s->q.front());
    s->q.pop_front();
    execute(std::move(op));
    return true;
}
void drive(const std::function<bool()> &done)
{
    while (!done()) {
        if (!step()) {
            rt().api_error("streams wait for an event that is never recorded");
            return;
        }
    }
}
void drain(Stream &s)
{
    drive([&] { return s.q.empty(); });
}
void drain_all()
{
    drive([] {
        for (Stream *s : rt().streams) {
            if (!s->q.empty()) {
                return false;
            }
        }
        return true;
    });
}
Stream *stream_of(cudaStream_t h)
{
    Runtime &r = rt();
    if (h == nullptr || h == cudaStreamLegacy || h == cudaStreamPerThread) {
        return &r.legacy;
    }
    return r.streams.count((Stream *)h) ? (Stream *)h : nullptr;
}
void enqueue(Stream &s, Op op)
{
    Runtime &r = rt();
    if (s.capture) {
        if (op.kind == Op::Work) {
            s.capture->ops.push_back(op);
        }
        return;
    }
    if (&s == &r.legacy) {
        for (Stream *x : r.streams) {
            if (x != &s && x->blocking) {
                drain(*x);
            }
        }
    } else if (s.blocking) {
        drain(r.legacy);
    }
    s.q.push_back(std::move(op));
    if (r.eager) {
        drain(s);
    } else if (r.opt.seed) {
        while (r.rng() % 8 == 0 && step()) {
        }
    }
}
cudaError_t work(cudaStream_t h, std::function<void()> f)
{
    Stream *s = stream_of(h);
    if (!s) {
        rt().api_error("use of an invalid or destroyed stream");
        return ret(cudaErrorInvalidResourceHandle);
    }
    enqueue(*s, {Op::Work, std::move(f), nullptr, 0});
    return ret(cudaSuccess);
}
} // namespace ptxsim::shim
