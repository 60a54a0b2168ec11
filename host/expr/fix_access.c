#include "fix_access.h"

#include "intern.h"

enum rf_status rf_fix_access_use(struct rf_fix_accesses *accesses, struct rf_fix_access access, uint32_t *number,
                                 struct rf_error *err)
{
    for (uint32_t i = 0; i < accesses->count; i++) {
        const struct rf_fix_access *known = &accesses->access[i];
        if (known->form == access.form && known->tag == access.tag && known->type == access.type) {
            *number = i;
            return RF_OK;
        }
    }
    if (accesses->count == RF_FIX_ACCESSES_MAX) {
        RF_FAIL(err, RF_E_LIMIT, "the expressions read more than %d different fields", RF_FIX_ACCESSES_MAX);
    }
    struct rf_fix_access *grown = rf_array_grow(accesses->arena, accesses->access, accesses->count,
                                                &accesses->capacity, sizeof accesses->access[0]);
    access.name = rf_arena_copy(accesses->arena, access.name);
    if (grown == NULL || access.name.data == NULL) {
        RF_FAIL(err, RF_E_LIMIT, "the expressions need more memory than their bound allows");
    }
    accesses->access = grown;
    *number = accesses->count;
    accesses->access[accesses->count++] = access;
    return RF_OK;
}
