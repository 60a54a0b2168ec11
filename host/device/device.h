/* device.h: the accelerator of this machine, through its plug-in (device_abi.h).
 *
 * Purpose    Finds the plug-in, loads it, and asks whether there is a device that it can use; when not, why, in one line.
 * Search     RIFFLE_CUDA_PLUGIN, when it is set and not empty, and nothing else then; riffle_cuda.so beside the program; ../lib/riffle/
 *            from there. Never the working directory, nor the search path of libraries.
 * Ownership  the plug-in stays loaded to the end of the process, since the driver has threads of its own.
 * Threads    the first call decides for the process; later ones get its answer. Any thread may ask.
 * Cost       the first call starts the driver, which takes from 0.1 to 1 s where there is one, and below 1 ms where there is none.
 */
#ifndef RF_DEVICE_H
#define RF_DEVICE_H

#include "device_abi.h"

struct rf_device {
    const struct rf_device_api *api; /* NULL: there is none */
    struct rf_device_info info;
    char why[RF_DEVICE_WHY]; /* there is none because of this */
    char path[4096];         /* of the plug-in that was loaded; empty when none was found */
};

const struct rf_device *rf_device_get(void);
/* Is there a plug-in? Looks for the file and no further. */
bool rf_device_is_built(void);

#endif
