// cudart_device.cpp: the device that is reported, errors by name, and calls that are accepted without effect or refused.
#include "cudart_runtime.hpp"
#include <cstdio>
#include <cstring>

namespace ptxsim::shim
{
size_t optin_shared()
{
    int s = rt().sm;
    return (s == 75 ? 64 : s == 80 || s == 87 ? 163 : s < 90 || s >= 120 ? 99 : 227) * 1024;
}
int threads_per_sm()
{
    int s = rt().sm;
    return s == 75 ? 1024 : s == 86 || s == 89 || s >= 120 ? 1536 : 2048;
}

int attribute(int a)
{
    Runtime &r = rt();
    switch (a) {
    case cudaDevAttrMaxThreadsPerBlock:
    case cudaDevAttrMaxBlockDimX:
    case cudaDevAttrMaxBlockDimY:
        return 1024;
    case cudaDevAttrMaxBlockDimZ:
        return 64;
    case cudaDevAttrMaxGridDimX:
        return 0x7fffffff;
    case cudaDevAttrMaxGridDimY:
    case cudaDevAttrMaxGridDimZ:
        return 65535;
    case cudaDevAttrMaxSharedMemoryPerBlock:
        return 48 * 1024;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
        return (int)optin_shared();
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
        return (int)optin_shared() + (r.sm == 75 ? 0 : 1024);
    case cudaDevAttrReservedSharedMemoryPerBlock:
        return r.sm == 75 ? 0 : 1024;
    case cudaDevAttrTotalConstantMemory:
        return 65536;
    case cudaDevAttrWarpSize:
        return 32;
    case cudaDevAttrMaxRegistersPerBlock:
    case cudaDevAttrMaxRegistersPerMultiprocessor:
        return 65536;
    case cudaDevAttrClockRate:
        return 1500000;
    case cudaDevAttrMemoryClockRate:
        return 7000000;
    case cudaDevAttrGlobalMemoryBusWidth:
        return 256;
    case cudaDevAttrL2CacheSize:
        return 4 << 20;
    case cudaDevAttrMultiProcessorCount:
        return (int)env("PTXSIM_SMS", 4);
    case cudaDevAttrMaxThreadsPerMultiProcessor:
        return threads_per_sm();
    case cudaDevAttrMaxBlocksPerMultiprocessor:
        return r.sm == 75 ? 16 : 32;
    case cudaDevAttrComputeCapabilityMajor:
        return r.sm / 10;
    case cudaDevAttrComputeCapabilityMinor:
        return r.sm % 10;
    case cudaDevAttrAsyncEngineCount:
        return 2;
    case cudaDevAttrTextureAlignment:
        return 512;
    case cudaDevAttrGpuOverlap:
    case cudaDevAttrConcurrentKernels:
    case cudaDevAttrCanMapHostMemory:
    case cudaDevAttrUnifiedAddressing:
    case cudaDevAttrCooperativeLaunch:
    case cudaDevAttrManagedMemory:
    case cudaDevAttrConcurrentManagedAccess:
    case cudaDevAttrStreamPrioritiesSupported:
    case cudaDevAttrHostRegisterSupported:
    case cudaDevAttrCanUseHostPointerForRegisteredMem:
    case cudaDevAttrMemoryPoolsSupported:
        return 1;
    default:
        return 0;
    }
}

static const std::map<int, std::pair<const char *, const char *>> kErrors = {
    {0, {"cudaSuccess", "no error"}},
    {1, {"cudaErrorInvalidValue", "invalid argument"}},
    {2, {"cudaErrorMemoryAllocation", "out of memory"}},
    {9, {"cudaErrorInvalidConfiguration", "invalid configuration argument"}},
    {13, {"cudaErrorInvalidSymbol", "invalid device symbol"}},
    {21, {"cudaErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"}},
    {98, {"cudaErrorInvalidDeviceFunction", "invalid device function"}},
    {100, {"cudaErrorNoDevice", "no CUDA-capable device is detected"}},
    {101, {"cudaErrorInvalidDevice", "invalid device ordinal"}},
    {209, {"cudaErrorNoKernelImageForDevice", "no kernel image is available for execution on the device"}},
    {222, {"cudaErrorUnsupportedPtxVersion", "the provided PTX was compiled with an unsupported toolchain."}},
    {400, {"cudaErrorInvalidResourceHandle", "invalid resource handle"}},
    {600, {"cudaErrorNotReady", "device not ready"}},
    {700, {"cudaErrorIllegalAddress", "an illegal memory access was encountered"}},
    {701, {"cudaErrorLaunchOutOfResources", "too many resources requested for launch"}},
    {702, {"cudaErrorLaunchTimeout", "the launch timed out and was terminated"}},
    {710, {"cudaErrorAssert", "device-side assert triggered"}},
    {712, {"cudaErrorHostMemoryAlreadyRegistered", "part or all of the requested memory range is already mapped"}},
    {713, {"cudaErrorHostMemoryNotRegistered", "pointer does not correspond to a registered memory region"}},
    {716, {"cudaErrorMisalignedAddress", "misaligned address"}},
    {719, {"cudaErrorLaunchFailure", "unspecified launch failure"}},
    {801, {"cudaErrorNotSupported", "operation not supported"}},
    {999, {"cudaErrorUnknown", "unknown error"}}};
} // namespace ptxsim::shim

using namespace ptxsim;
using namespace ptxsim::shim;

extern "C" {
cudaError_t cudaGetDeviceCount(int *n)
{
    *n = (int)env("PTXSIM_DEVICES", 1);
    return ret(*n ? cudaSuccess : cudaErrorNoDevice);
}
cudaError_t cudaGetDevice(int *d)
{
    *d = 0;
    return ret(cudaSuccess);
}
cudaError_t cudaSetDevice(int d)
{
    return ret(d == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}
cudaError_t cudaInitDevice(int d, unsigned, unsigned)
{
    return cudaSetDevice(d);
}
cudaError_t cudaSetDeviceFlags(unsigned)
{
    return ret(cudaSuccess);
}
cudaError_t cudaGetDeviceFlags(unsigned *f)
{
    *f = 0;
    return ret(cudaSuccess);
}
cudaError_t cudaDriverGetVersion(int *v)
{
    *v = 13000;
    return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int *v)
{
    *v = 13000;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int *v, cudaDeviceAttr a, int d)
{
    if (d || !v) {
        return ret(cudaErrorInvalidDevice);
    }
    *v = attribute(a);
    return ret(cudaSuccess);
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int d)
{
    if (d || !p) {
        return ret(cudaErrorInvalidDevice);
    }
    memset(p, 0, sizeof *p);
    snprintf(p->name, sizeof p->name, "ptxsim (interpreted sm_%d)", rt().sm);
    p->totalGlobalMem = (size_t)env("PTXSIM_MEM_MB", 8192) << 20;
    p->sharedMemPerBlock = 48 * 1024;
    p->sharedMemPerBlockOptin = optin_shared();
    p->sharedMemPerMultiprocessor = attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
    p->reservedSharedMemPerBlock = attribute(cudaDevAttrReservedSharedMemoryPerBlock);
    p->regsPerBlock = p->regsPerMultiprocessor = 65536;
    p->warpSize = 32;
    p->memPitch = 0x7fffffff;
    p->maxThreadsPerBlock = 1024;
    p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024;
    p->maxThreadsDim[2] = 64;
    p->maxGridSize[0] = 0x7fffffff;
    p->maxGridSize[1] = p->maxGridSize[2] = 65535;
    p->totalConstMem = 65536;
    p->major = rt().sm / 10;
    p->minor = rt().sm % 10;
    p->textureAlignment = 512;
    p->texturePitchAlignment = 32;
    p->multiProcessorCount = attribute(cudaDevAttrMultiProcessorCount);
    p->canMapHostMemory = p->concurrentKernels = p->unifiedAddressing = p->managedMemory = p->cooperativeLaunch =
        p->hostRegisterSupported = 1;
    p->asyncEngineCount = 2;
    p->memoryBusWidth = 256;
    p->l2CacheSize = 4 << 20;
    p->maxThreadsPerMultiProcessor = threads_per_sm();
    p->maxBlocksPerMultiProcessor = attribute(cudaDevAttrMaxBlocksPerMultiprocessor);
    p->streamPrioritiesSupported = p->globalL1CacheSupported = p->localL1CacheSupported = 1;
    return ret(cudaSuccess);
}
cudaError_t cudaDeviceSynchronize()
{
    API;
    drain_all();
    return ret(cudaSuccess);
}
cudaError_t cudaDeviceReset()
{
    API;
    drain_all();
    return ret(cudaSuccess);
}
cudaError_t cudaDeviceSetLimit(cudaLimit, size_t)
{
    return ret(cudaSuccess);
}
cudaError_t cudaDeviceGetLimit(size_t *v, cudaLimit)
{
    *v = 0;
    return ret(cudaSuccess);
}
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache)
{
    return ret(cudaSuccess);
}
cudaError_t cudaDeviceGetStreamPriorityRange(int *lo, int *hi)
{
    if (lo) {
        *lo = 0;
    }
    if (hi) {
        *hi = -5;
    }
    return ret(cudaSuccess);
}
cudaError_t cudaDeviceCanAccessPeer(int *v, int, int)
{
    *v = 0;
    return ret(cudaSuccess);
}
cudaError_t cudaDeviceGetPCIBusId(char *s, int n, int)
{
    snprintf(s, n, "0000:00:00.0");
    return ret(cudaSuccess);
}
cudaError_t cudaGetLastError()
{
    cudaError_t e = last;
    last = cudaSuccess;
    if (e == cudaSuccess) {
        e = rt().sticky;
    }
    return e;
}
cudaError_t cudaPeekAtLastError()
{
    return last != cudaSuccess ? last : rt().sticky;
}
const char *cudaGetErrorName(cudaError_t e)
{
    auto it = kErrors.find(e);
    return it == kErrors.end() ? "cudaError(other)" : it->second.first;
}
const char *cudaGetErrorString(cudaError_t e)
{
    auto it = kErrors.find(e);
    return it == kErrors.end() ? "unrecognized error code" : it->second.second;
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *p, int)
{
    *p = (cudaMemPool_t)1;
    return ret(cudaSuccess);
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *p, int)
{
    *p = (cudaMemPool_t)1;
    return ret(cudaSuccess);
}
cudaError_t cudaDeviceSetMemPool(int, cudaMemPool_t)
{
    return ret(cudaSuccess);
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void *)
{
    return ret(cudaSuccess);
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t, cudaMemPoolAttr, void *v)
{
    *(uint64_t *)v = 0;
    return ret(cudaSuccess);
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t)
{
    return ret(cudaSuccess);
}
cudaError_t cudaStreamSetAttribute(cudaStream_t, cudaLaunchAttributeID, const cudaLaunchAttributeValue *)
{
    return ret(cudaSuccess);
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *)
{
    return ret(cudaSuccess);
}
cudaError_t cudaCtxResetPersistingL2Cache()
{
    return ret(cudaSuccess);
}
cudaError_t cudaGetDriverEntryPoint(const char *, void **f, unsigned long long, cudaDriverEntryPointQueryResult *r)
{
    *f = nullptr;
    if (r) {
        *r = cudaDriverEntryPointSymbolNotFound;
    }
    return ret(cudaSuccess);
}
cudaError_t cudaGetDriverEntryPointByVersion(const char *, void **f, unsigned, unsigned long long,
                                             cudaDriverEntryPointQueryResult *r)
{
    *f = nullptr;
    if (r) {
        *r = cudaDriverEntryPointSymbolNotFound;
    }
    return ret(cudaSuccess);
}
cudaError_t cudaProfilerStart()
{
    return cudaSuccess;
}
cudaError_t cudaProfilerStop()
{
    return cudaSuccess;
}
}
