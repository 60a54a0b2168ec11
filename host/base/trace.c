#include "trace.h"

#if defined(RF_HAS_NVTX)

#include <nvtx3/nvToolsExt.h>
#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

struct range {
    const char *text;
    const char *category;
    uint32_t colour;
    uint32_t category_id; /* from 1; ranges of one category have one */
    nvtxStringHandle_t string;
};

static struct range range_table[RF_TRACE_COUNT] = {
#define RF_TRACE(name, text, category, colour) [name] = {(text), (category), (colour), 0, NULL},
#include "trace.def"
#undef RF_TRACE
};
static nvtxDomainHandle_t domain;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void domain_make(void)
{
    domain = nvtxDomainCreateA("riffle");
    uint32_t categories = 0;
    for (uint32_t r = 0; r < RF_TRACE_COUNT; r++) {
        struct range *range = &range_table[r];
        range->string = nvtxDomainRegisterStringA(domain, range->text);
        for (uint32_t before = 0; before < r && range->category_id == 0; before++) {
            if (strcmp(range_table[before].category, range->category) == 0) {
                range->category_id = range_table[before].category_id;
            }
        }
        if (range->category_id == 0) {
            range->category_id = ++categories;
            nvtxDomainNameCategoryA(domain, range->category_id, range->category);
        }
    }
}

void rf_trace_begin(enum rf_trace of, uint64_t id)
{
    (void)pthread_once(&once, domain_make);
    const struct range *range = &range_table[of];
    const nvtxEventAttributes_t attributes = {.version = NVTX_VERSION,
                                              .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
                                              .category = range->category_id,
                                              .colorType = NVTX_COLOR_ARGB,
                                              .color = range->colour,
                                              .payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT64,
                                              .payload.ullValue = id,
                                              .messageType = NVTX_MESSAGE_TYPE_REGISTERED,
                                              .message.registered = range->string};
    (void)nvtxDomainRangePushEx(domain, &attributes);
}

void rf_trace_end(void)
{
    (void)nvtxDomainRangePop(domain);
}

/* NVTX makes itself ready in its first call, which must not be that of two threads at once. */
void rf_trace_thread(const char *name)
{
    (void)pthread_once(&once, domain_make);
    nvtxNameOsThreadA((uint32_t)syscall(SYS_gettid), name);
}

#endif
