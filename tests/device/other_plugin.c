/* other_plugin.c: a library that looks like a plug-in and is of another version: device.sh asks the program to load it. */
#include "device_abi.h"

const struct rf_device_api *rf_device_plugin(void);

const struct rf_device_api *rf_device_plugin(void)
{
    static const struct rf_device_api api = {.abi_version = RF_DEVICE_ABI_VERSION + 1, .struct_size = sizeof api};
    return &api;
}
