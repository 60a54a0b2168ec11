#include "file_text.h"

#include <string.h>

#include "reader.h"

enum rf_status rf_file_text(const char *name, size_t bytes_max, struct rf_text *out, struct rf_error *err)
{
    enum { STEP_BYTES = 256 * 1024 };
    struct rf_reader reader = {0};
    struct rf_error why;
    const bool is_stdin = strcmp(name, "-") == 0;
    enum rf_status status = is_stdin ? rf_reader_open_stdin(&reader, &why) : rf_reader_open(&reader, name, &why);
    if (status != RF_OK) {
        RF_FAIL(err, RF_E_IO, "%s: %s", name, why.text);
    }
    while (status == RF_OK) {
        size_t got = 0;
        status = rf_text_reserve(out, STEP_BYTES, &why);
        if (status == RF_OK) {
            status = rf_reader_read(&reader, out->data + out->count, STEP_BYTES, RF_WAIT_FOREVER, &got, &why);
            out->count += got;
        }
        if (out->count > bytes_max) {
            rf_reader_close(&reader);
            RF_FAIL(err, RF_E_LIMIT, "%s: longer than %zu bytes", name, bytes_max);
        }
    }
    rf_reader_close(&reader);
    if (status != RF_END) {
        RF_FAIL(err, status, "%s: %s", name, why.text);
    }
    return RF_OK;
}
