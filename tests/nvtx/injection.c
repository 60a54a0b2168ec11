/* injection.c: a tool for NVTX that writes down what a program tells it, for ranges.sh: one line for each range that begins or ends.
 *
 * NVTX_INJECTION64_PATH names the library that is made of this, RF_NVTX_LOG the file. Lines are
 *   domain NAME    thread TID NAME    begin TID DOMAIN NAME CATEGORY PAYLOAD    end TID */
#include <nvtx3/nvToolsExt.h>

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { NAMES_MAX = 256 };

static FILE *log_file;
static char *name_table[NAMES_MAX]; /* registered strings and domains: handle - 1 */
static size_t names;

/* A place in the table as a handle; never NULL. */
static void *handle_of(const char *name)
{
    if (names == NAMES_MAX) {
        abort();
    }
    name_table[names++] = strdup(name);
    return (void *)names;
}

static const char *name_of(const void *handle)
{
    const size_t number = (size_t)handle;
    return number >= 1 && number <= names ? name_table[number - 1] : "?";
}

static long thread_id(void)
{
    return syscall(SYS_gettid);
}

static nvtxDomainHandle_t domain_create(const char *name)
{
    fprintf(log_file, "domain %s\n", name);
    return handle_of(name);
}

static nvtxStringHandle_t string_register(nvtxDomainHandle_t domain, const char *name)
{
    (void)domain;
    return handle_of(name);
}

static int range_push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes)
{
    const bool has_id = attributes->payloadType == NVTX_PAYLOAD_TYPE_UNSIGNED_INT64;
    const char *name = attributes->messageType == NVTX_MESSAGE_TYPE_REGISTERED ? name_of(attributes->message.registered) : "?";
    fprintf(log_file, "begin %ld %s %s %" PRIu32 " %" PRIu64 "\n", thread_id(), name_of(domain), name, attributes->category,
            has_id ? (uint64_t)attributes->payload.ullValue : UINT64_MAX);
    return 0;
}

static int range_pop(nvtxDomainHandle_t domain)
{
    (void)domain;
    fprintf(log_file, "end %ld\n", thread_id());
    return 0;
}

static void thread_name(uint32_t id, const char *name)
{
    fprintf(log_file, "thread %" PRIu32 " %s\n", id, name);
}

static int function_set(const NvtxExportTableCallbacks *callbacks, NvtxCallbackModule module, unsigned number, NvtxFunctionPointer to)
{
    NvtxFunctionTable table = NULL;
    unsigned size = 0;
    if (callbacks->GetModuleFunctionTable(module, &table, &size) == 0 || number >= size || table[number] == NULL) {
        return 0;
    }
    *table[number] = to;
    return 1;
}

int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t export_table);
__attribute__((visibility("default"))) int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t export_table)
{
    const char *name = getenv("RF_NVTX_LOG");
    const NvtxExportTableCallbacks *callbacks = export_table(NVTX_ETID_CALLBACKS);
    if (log_file == NULL) { /* each library with NVTX in it loads the tool anew */
        log_file = name == NULL ? NULL : fopen(name, "a");
    }
    if (callbacks == NULL || log_file == NULL) {
        return 0;
    }
    setvbuf(log_file, NULL, _IOLBF, 1 << 16);
    return function_set(callbacks, NVTX_CB_MODULE_CORE2, NVTX_CBID_CORE2_DomainCreateA, (NvtxFunctionPointer)domain_create) &&
           function_set(callbacks, NVTX_CB_MODULE_CORE2, NVTX_CBID_CORE2_DomainRegisterStringA, (NvtxFunctionPointer)string_register) &&
           function_set(callbacks, NVTX_CB_MODULE_CORE2, NVTX_CBID_CORE2_DomainRangePushEx, (NvtxFunctionPointer)range_push) &&
           function_set(callbacks, NVTX_CB_MODULE_CORE2, NVTX_CBID_CORE2_DomainRangePop, (NvtxFunctionPointer)range_pop) &&
           function_set(callbacks, NVTX_CB_MODULE_CORE, NVTX_CBID_CORE_NameOsThreadA, (NvtxFunctionPointer)thread_name);
}
