/* backends_command.c: riffle backends. */
#include "command.h"
#include "flag.h"
#include "device.h"
#include "isa.h"
#include "log.h"
#include "terminal.h"
#include "text.h"

static enum rf_status cuda_write(struct rf_text *out, const struct rf_device *device, struct rf_error *err)
{
    const struct rf_device_info *info = &device->info;
    if (device->api == NULL) {
        return rf_text_printf(out, err, "cuda    unavailable  %s\n", device->why);
    }
    return rf_text_printf(out, err, "cuda    available    %s, compute capability %u.%u, %.0f GiB; driver for CUDA %u.%u\n", info->name,
                          info->major, info->minor, (double)info->memory_bytes / (1 << 30), info->driver / 1000,
                          info->driver % 1000 / 10);
}

static enum rf_status backends_write(struct rf_text *out, enum rf_isa chosen, struct rf_error *err)
{
    RF_TRY(rf_text_append(out,
                          RF_STR("interp  available    the reference engine: one record at a time\n"
                                 "cpu     available    "),
                          err));
    for (int isa = RF_ISA_SCALAR; isa <= (int)rf_isa_best(); isa++) {
        RF_TRY(rf_text_printf(out, err, "%s%s", isa > RF_ISA_SCALAR ? ", " : "", rf_isa_name((enum rf_isa)isa)));
    }
    RF_TRY(rf_text_printf(out, err, "; in use: %s\n", rf_isa_name(chosen)));
    return cuda_write(out, rf_device_get(), err);
}

int rf_command_backends(const struct rf_flags *flags)
{
    (void)flags;
    struct rf_error err;
    struct rf_text text = {0};
    enum rf_isa chosen;
    if (rf_isa_select(&chosen, &err) != RF_OK) {
        rf_log(RF_LOG_ERROR, "%s", err.text);
        return RF_EXIT_USAGE;
    }
    int code = RF_EXIT_FAILURE;
    if (backends_write(&text, chosen, &err) == RF_OK) {
        code = rf_terminal_print(rf_text_str(&text));
    } else {
        rf_log(RF_LOG_ERROR, "%s", err.text);
    }
    rf_text_free(&text);
    return code;
}
