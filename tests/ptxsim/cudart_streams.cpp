// cudart_streams.cpp: streams, events and graphs of the runtime API.
#include "cudart_runtime.hpp"

using namespace ptxsim;
using namespace ptxsim::shim;

extern "C" {
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *s, unsigned flags, int)
{
    API;
    Stream *x = new Stream;
    x->blocking = !(flags & cudaStreamNonBlocking);
    x->id = rt().next_stream++;
    rt().streams.insert(x);
    *s = (cudaStream_t)x;
    return ret(cudaSuccess);
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, unsigned f)
{
    return cudaStreamCreateWithPriority(s, f, 0);
}
cudaError_t cudaStreamCreate(cudaStream_t *s)
{
    return cudaStreamCreateWithPriority(s, 0, 0);
}
cudaError_t cudaStreamDestroy(cudaStream_t h)
{
    API;
    STREAM(h) if (s == &rt().legacy)
    {
        return ret(cudaErrorInvalidResourceHandle);
    }
    drain(*s);
    rt().streams.erase(s);
    delete s;
    return ret(cudaSuccess);
}
cudaError_t cudaStreamSynchronize(cudaStream_t h)
{
    API;
    STREAM(h) if (s == &rt().legacy)
    {
        for (Stream *x : rt().streams) {
            if (x->blocking) {
                drain(*x);
            }
        }
    }
    drain(*s);
    return ret(cudaSuccess);
}
cudaError_t cudaStreamQuery(cudaStream_t h)
{
    API;
    STREAM(h) if (!s->q.empty())
    {
        step();
        if (!s->q.empty()) {
            return cudaErrorNotReady;
        }
    }
    return ret(cudaSuccess);
}
cudaError_t cudaStreamGetFlags(cudaStream_t h, unsigned *f)
{
    API;
    STREAM(h) *f = s->blocking ? 0 : cudaStreamNonBlocking;
    return ret(cudaSuccess);
}
cudaError_t cudaStreamGetPriority(cudaStream_t, int *p)
{
    *p = 0;
    return ret(cudaSuccess);
}
cudaError_t cudaStreamGetId(cudaStream_t h, unsigned long long *id)
{
    API;
    STREAM(h) *id = s->id;
    return ret(cudaSuccess);
}
cudaError_t cudaStreamWaitEvent(cudaStream_t h, cudaEvent_t e, unsigned)
{
    API;
    STREAM(h)
    auto &ev = ((EventHandle *)e)->e;
    if (ev->capture) {
        s->capture = ev->capture;
        return ret(cudaSuccess);
    }
    enqueue(*s, {Op::Wait, nullptr, ev, ev->seq});
    return ret(cudaSuccess);
}
cudaError_t cudaLaunchHostFunc(cudaStream_t h, cudaHostFn_t f, void *u)
{
    API;
    return work(h, [=] { f(u); });
}
cudaError_t cudaStreamAddCallback(cudaStream_t h, cudaStreamCallback_t f, void *u, unsigned)
{
    API;
    return work(h, [=] { f(h, rt().sticky, u); });
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *e, unsigned)
{
    API;
    *e = (cudaEvent_t) new EventHandle{std::make_shared<Event>()};
    return ret(cudaSuccess);
}
cudaError_t cudaEventCreate(cudaEvent_t *e)
{
    return cudaEventCreateWithFlags(e, 0);
}
cudaError_t cudaEventDestroy(cudaEvent_t e)
{
    API;
    if (!e) {
        return ret(cudaErrorInvalidResourceHandle);
    }
    delete (EventHandle *)e;
    return ret(cudaSuccess);
}
cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t h)
{
    API;
    STREAM(h)
    auto &ev = ((EventHandle *)e)->e;
    ev->capture = s->capture;
    if (s->capture) {
        return ret(cudaSuccess);
    }
    enqueue(*s, {Op::Record, nullptr, ev, ++ev->seq});
    return ret(cudaSuccess);
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t e, cudaStream_t h, unsigned)
{
    return cudaEventRecord(e, h);
}
cudaError_t cudaEventSynchronize(cudaEvent_t e)
{
    API;
    auto ev = ((EventHandle *)e)->e;
    drive([&] { return ev->done >= ev->seq; });
    return ret(cudaSuccess);
}
cudaError_t cudaEventQuery(cudaEvent_t e)
{
    API;
    auto ev = ((EventHandle *)e)->e;
    if (ev->done < ev->seq) {
        step();
        if (ev->done < ev->seq) {
            return cudaErrorNotReady;
        }
    }
    return ret(cudaSuccess);
}
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t a, cudaEvent_t b)
{
    API;
    auto &x = ((EventHandle *)a)->e, &y = ((EventHandle *)b)->e;
    if (!x->seq || !y->seq) {
        return ret(cudaErrorInvalidResourceHandle);
    }
    if (x->done < x->seq || y->done < y->seq) {
        return cudaErrorNotReady;
    }
    *ms = float((y->time - x->time) * 1e3);
    return ret(cudaSuccess);
}

// ---- graphs: a captured list of operations, replayed in capture order ----
cudaError_t cudaStreamBeginCapture(cudaStream_t h, cudaStreamCaptureMode)
{
    API;
    STREAM(h) if (s == &rt().legacy || s->capture)
    {
        return ret(cudaErrorStreamCaptureUnsupported);
    }
    s->capture = new Graph;
    return ret(cudaSuccess);
}
cudaError_t cudaStreamEndCapture(cudaStream_t h, cudaGraph_t *g)
{
    API;
    STREAM(h) Graph *c = s->capture;
    if (!c) {
        return ret(cudaErrorIllegalState);
    }
    for (Stream *x : rt().streams) {
        if (x->capture == c) {
            x->capture = nullptr;
        }
    }
    *g = (cudaGraph_t)c;
    return ret(cudaSuccess);
}
cudaError_t cudaStreamIsCapturing(cudaStream_t h, cudaStreamCaptureStatus *st)
{
    API;
    STREAM(h) *st = s->capture ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    return ret(cudaSuccess);
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *x, cudaGraph_t g, unsigned long long)
{
    API;
    *x = (cudaGraphExec_t) new Graph(*(Graph *)g);
    return ret(cudaSuccess);
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *x, cudaGraph_t g, unsigned long long f)
{
    return cudaGraphInstantiate(x, g, f);
}
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t)
{
    return ret(cudaSuccess);
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t x, cudaStream_t h)
{
    API;
    if (rt().sticky == cudaSuccess && fault_due(Fault::Launch)) {
        return ret(cudaErrorLaunchOutOfResources);
    }
    if (rt().sticky == cudaSuccess && fault_due(Fault::DeviceLost)) {
        return work(h, lose_device);
    }
    auto ops = std::make_shared<Graph>(*(Graph *)x);
    return work(h, [=] {
        for (auto &o : ops->ops) {
            execute(o);
        }
    });
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t x)
{
    API;
    delete (Graph *)x;
    return ret(cudaSuccess);
}
cudaError_t cudaGraphDestroy(cudaGraph_t g)
{
    API;
    delete (Graph *)g;
    return ret(cudaSuccess);
}
}
