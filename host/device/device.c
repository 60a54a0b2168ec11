#include "device.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct rf_device the_device;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Beside the program or in ../lib/riffle of it. False: there is no such file. */
static bool path_beside(char *path, size_t size, const char *place)
{
    char self[4096];
    const ssize_t count = readlink("/proc/self/exe", self, sizeof self - 1);
    if (count <= 0 || (size_t)count >= sizeof self - 1) {
        return false;
    }
    self[count] = 0;
    *(strrchr(self, '/') + 1) = 0;
    const int length = snprintf(path, size, "%s%s", self, place);
    return length > 0 && (size_t)length < size && access(path, R_OK) == 0;
}

static bool plugin_find(struct rf_device *device)
{
    const char *forced = getenv("RIFFLE_CUDA_PLUGIN");
    if (forced != NULL && forced[0] != 0) {
        const size_t count = strlen(forced);
        if (forced[0] != '/' || count >= sizeof device->path || access(forced, R_OK) != 0) {
            (void)snprintf(device->why, sizeof device->why, "RIFFLE_CUDA_PLUGIN is not the whole path of a file that can be read");
            return false;
        }
        memcpy(device->path, forced, count + 1);
        return true;
    }
    if (path_beside(device->path, sizeof device->path, "riffle_cuda.so") ||
        path_beside(device->path, sizeof device->path, "../lib/riffle/riffle_cuda.so")) {
        return true;
    }
    device->path[0] = 0;
    (void)snprintf(device->why, sizeof device->why, "built without it");
    return false;
}

/* NULL: it is no plug-in of this version. */
static const struct rf_device_api *plugin_load(struct rf_device *device)
{
    void *library = dlopen(device->path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        (void)snprintf(device->why, sizeof device->why, "the plug-in cannot be loaded: %s", dlerror());
        return NULL;
    }
    void *symbol = dlsym(library, RF_DEVICE_ENTRY);
    rf_device_entry entry = NULL;
    memcpy(&entry, &symbol, sizeof entry); /* C knows no cast from data to functions */
    const struct rf_device_api *api = entry == NULL ? NULL : entry();
    if (api == NULL || api->abi_version != RF_DEVICE_ABI_VERSION || api->struct_size != sizeof *api) {
        (void)snprintf(device->why, sizeof device->why, "the plug-in is of another version of riffle");
        return NULL;
    }
    return api;
}

static void device_find(void)
{
    struct rf_device *device = &the_device;
    if (!plugin_find(device)) {
        return;
    }
    const struct rf_device_api *api = plugin_load(device);
    if (api == NULL || !api->probe(&device->info, device->why) || !api->self_test(device->why)) {
        return;
    }
    device->api = api;
}

bool rf_device_is_built(void)
{
    struct rf_device device;
    return plugin_find(&device);
}

const struct rf_device *rf_device_get(void)
{
    (void)pthread_once(&once, device_find);
    return &the_device;
}
