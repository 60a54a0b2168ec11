/* random_field.h: the fields that expressions ask for and records have (random_field.def).
 *
 * Threads    constant tables.
 */
#ifndef RF_TEST_RANDOM_FIELD_H
#define RF_TEST_RANDOM_FIELD_H

#include "random_type.h"
#include "samples.h"

struct random_field {
    const char *name;
    uint32_t type;
    enum flavour flavour;
};

enum { FIELD_I = 1, FIELDS = 19 };

extern const struct random_field random_field_table[FIELDS];

#endif
