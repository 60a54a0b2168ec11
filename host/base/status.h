/* status.h: how a call ends, and the text of an error.
 *
 * Purpose    One way to fail for every function that can: it returns an enum rf_status and takes a
 *            struct rf_error as its last parameter. Bad *records* are not errors: see row_status.def.
 * Ownership  struct rf_error is owned by the caller and holds no heap memory.
 * Threads    one struct rf_error for each thread.
 * Errors     texts say what, with which value, and what to do; no newline, no full stop at the end.
 */
#ifndef RF_STATUS_H
#define RF_STATUS_H

#include <stdbool.h>

enum rf_status {
#define RF_STATUS(name, kind, sentence) name,
#include "status.def"
#undef RF_STATUS
};

struct rf_error {
    enum rf_status status;
    const char *file; /* source file and line that failed */
    int line;
    char text[512];
};

/* The name ("RF_E_IO") and the sentence of a status. Never NULL. */
const char *rf_status_name(enum rf_status status);
const char *rf_status_sentence(enum rf_status status);
bool rf_status_is_error(enum rf_status status);

/* Fills *err (which must not be NULL) and returns status. Long texts are cut at the end. */
enum rf_status rf_error_set(struct rf_error *err, enum rf_status status, const char *file, int line,
                            const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Leaves the function with an error. */
#define RF_FAIL(err, status, ...) \
    return rf_error_set((err), (status), __FILE__, __LINE__, __VA_ARGS__)

/* Leaves the function when the call did not end with RF_OK: notes and suspensions are forwarded too. */
#define RF_TRY(call)                             \
    do {                                         \
        const enum rf_status rf_try_ = (call);   \
        if (rf_try_ != RF_OK) {                  \
            return rf_try_;                      \
        }                                        \
    } while (0)

#endif
