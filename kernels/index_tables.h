/* index_tables.h: small tables of the index pass: what may stand behind a byte.
 *
 * Data       byte_class[128]  u8  the class of an ASCII byte
 *            follow[128]      u8  classes that may stand just behind it, outside strings
 * Ownership  plain data inside struct rf_index, made by rf_index_tables_make.
 * Source     RFC 8259 sections 2 to 5.
 */
#ifndef RF_INDEX_TABLES_H
#define RF_INDEX_TABLES_H

#include <stdint.h>

enum {
    /* The AVX-512 blocks shift some of these bits into the sign: quote by 7, colon by 2, line end by 1. */
    RF_CLASS_QUOTE = 1,
    RF_CLASS_SCALAR = 2,
    RF_CLASS_OPEN = 4,
    RF_CLASS_CLOSE = 8,
    RF_CLASS_COMMA = 16,
    RF_CLASS_COLON = 32,
    RF_CLASS_LINE_END = 64,
    RF_CLASS_SQUARE = 128, /* besides OPEN or CLOSE */
    RF_CLASS_NONE = 0      /* white space and control bytes: stand behind nothing in a plain block */
};

struct rf_index_tables {
    uint8_t byte_class[128];
    uint8_t follow[128];
};

void rf_index_tables_make(struct rf_index_tables *tables);

#endif
