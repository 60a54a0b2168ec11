// device_plugin.cu: the entry of the plug-in riffle_cuda.so, and whether there is a device that it can use.
#include "device_parts.h"

#include <cstdio>
#include <cstring>

namespace riffle {
namespace {

enum { MAJOR_MIN = 7, MINOR_MIN = 5, SELF_TEST_ROWS = 77 };

bool refuse(char *why, const char *text)
{
    snprintf(why, RF_DEVICE_WHY, "%s", text);
    return false;
}

// What people can do about it is told by the driver's version, the error alone does not.
bool explain(char *why, cudaError_t error)
{
    int driver = 0;
    int runtime = 0;
    (void)cudaDriverGetVersion(&driver);
    (void)cudaRuntimeGetVersion(&runtime);
    (void)cudaGetLastError();
    if (error == cudaErrorStubLibrary) {
        return refuse(why, "no NVIDIA driver: libcuda.so.1 is the stub of the toolkit");
    }
    if (error == cudaErrorInsufficientDriver && driver == 0) {
        return refuse(why, "no NVIDIA driver: libcuda.so.1 is not there");
    }
    if (error == cudaErrorInsufficientDriver) {
        snprintf(why, RF_DEVICE_WHY, "the NVIDIA driver is for CUDA %d.%d, and %d.%d is needed", driver / 1000, driver % 1000 / 10,
                 runtime / 1000, runtime % 1000 / 10);
        return false;
    }
    if (error == cudaErrorNoDevice) {
        return refuse(why, "there is a driver, but no device (or CUDA_VISIBLE_DEVICES hides it)");
    }
    return say(why, "the device cannot be used", error);
}

bool probe(struct rf_device_info *info, char *why)
{
    int devices = 0;
    cudaError_t error = cudaGetDeviceCount(&devices);
    if (error != cudaSuccess || devices == 0) {
        return explain(why, error == cudaSuccess ? cudaErrorNoDevice : error);
    }
    cudaDeviceProp properties;
    error = cudaGetDeviceProperties(&properties, 0);
    if (error != cudaSuccess) {
        return explain(why, error);
    }
    int driver = 0;
    int runtime = 0;
    (void)cudaDriverGetVersion(&driver);
    (void)cudaRuntimeGetVersion(&runtime);
    *info = {};
    snprintf(info->name, sizeof info->name, "%.100s", properties.name);
    info->major = (uint32_t)properties.major;
    info->minor = (uint32_t)properties.minor;
    info->multiprocessors = (uint32_t)properties.multiProcessorCount;
    info->memory_bytes = properties.totalGlobalMem;
    info->driver = (uint32_t)driver;
    info->runtime = (uint32_t)runtime;
    if (properties.major < MAJOR_MIN || (properties.major == MAJOR_MIN && properties.minor < MINOR_MIN)) {
        snprintf(why, RF_DEVICE_WHY, "%.100s has compute capability %d.%d, and %d.%d is needed", properties.name, properties.major,
                 properties.minor, MAJOR_MIN, MINOR_MIN);
        return false;
    }
    return true;
}

// x > 20.0 && !(x == 30.0): a number in each row but the last, which has none.
bool self_test_run(void *slot, char *why)
{
    uint8_t tag[SELF_TEST_ROWS];
    uint64_t payload[SELF_TEST_ROWS];
    for (int row = 0; row < SELF_TEST_ROWS; row++) {
        const double value = row;
        tag[row] = row == SELF_TEST_ROWS - 1 ? RF_TAG_ABSENT : RF_TAG_NUMBER;
        memcpy(&payload[row], &value, sizeof value);
    }
    const rf_device_column column = {tag, payload, nullptr, nullptr};
    rf_device_batch batch = {};
    batch.struct_size = sizeof batch;
    batch.rows = SELF_TEST_ROWS;
    batch.column = &column;
    rf_device_result result = {};
    result.struct_size = sizeof result;
    if (!slot_run(slot, &batch, &result, why)) {
        return false;
    }
    for (int row = 0; row < SELF_TEST_ROWS; row++) {
        const bool is_last = row == SELF_TEST_ROWS - 1;
        const bool truth = (result.truth[row / 32] >> row % 32 & 1) != 0;
        const bool falsity = (result.falsity[row / 32] >> row % 32 & 1) != 0;
        const bool redo = (result.redo[row / 32] >> row % 32 & 1) != 0;
        const bool expected = row > 20 && row != 30;
        if (redo || truth != (expected && !is_last) || falsity != (!expected && !is_last)) {
            return refuse(why, "the self-test gives wrong results: the device or its driver cannot be trusted");
        }
    }
    return true;
}

bool self_test(char *why)
{
    const double constant[2] = {20, 30};
    rf_device_atom atom[2] = {};
    const uint32_t compare[2] = {RF_GT, RF_EQ};
    for (uint32_t i = 0; i < 2; i++) {
        atom[i].kind = RF_ATOM_CMP_NUM;
        atom[i].compare = atom[i].double_compare = compare[i];
        memcpy(&atom[i].double_bits, &constant[i], sizeof constant[i]);
        atom[i].out = i;
    }
    const rf_device_code code[2] = {{RF_BOOL_NOT, 2, 1, 0, 0}, {RF_BOOL_AND, 3, 0, 2, 0}};
    const uint32_t output = 3;
    const uint32_t has_text = 0;
    rf_device_program program = {};
    program.struct_size = sizeof program;
    program.columns = 1;
    program.column_has_text = &has_text;
    program.atom = atom;
    program.atoms = 2;
    program.code = code;
    program.codes = 2;
    program.registers = 4;
    program.output = &output;
    program.predicates = 1;
    void *made = program_make(&program, why);
    if (made == nullptr) {
        return false;
    }
    void *slot = slot_open(made, SELF_TEST_ROWS, why);
    const bool is_right = slot != nullptr && self_test_run(slot, why);
    if (slot != nullptr) {
        slot_close(slot);
    }
    program_free(made);
    return is_right;
}

} // namespace
} // namespace riffle

extern "C" __attribute__((visibility("default"))) const struct rf_device_api *rf_device_plugin(void)
{
    static const struct rf_device_api api = {RF_DEVICE_ABI_VERSION,
                                             sizeof(struct rf_device_api),
                                             riffle::probe,
                                             riffle::self_test,
                                             riffle::program_make,
                                             riffle::program_free,
                                             riffle::slot_open,
                                             riffle::slot_run,
                                             riffle::slot_close};
    return &api;
}
