// Says what each of a few calls returns: with PTXSIM_FAIL some of them fail.
#include <cstdio>

__global__ void increment(int *value)
{
    *value += 1;
}

static void say(const char *call, cudaError_t error)
{
    printf("%s %s\n", call, cudaGetErrorName(error));
}

int main()
{
    int *device[3] = {}, *host = nullptr, result = -1;
    for (int i = 0; i < 3; i++) {
        say("malloc", cudaMalloc(&device[i], sizeof(int)));
    }
    say("host", cudaMallocHost((void **)&host, sizeof(int)));
    int *value = device[0] ? device[0] : device[1];
    say("memset", cudaMemset(value, 0, sizeof(int)));
    for (int i = 0; i < 3; i++) {
        increment<<<1, 1>>>(value);
        say("launch", cudaGetLastError());
        say("synchronize", cudaDeviceSynchronize());
    }
    say("copy", cudaMemcpy(&result, value, sizeof(int), cudaMemcpyDeviceToHost));
    say("last", cudaGetLastError());
    int *more = nullptr;
    say("malloc", cudaMalloc(&more, sizeof(int)));
    printf("value %d, more %s\n", result, more ? "memory" : "none");
    return 0;
}
