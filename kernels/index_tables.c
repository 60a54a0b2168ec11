#include "index_tables.h"

enum {
    CLASS_VALUE = RF_CLASS_QUOTE | RF_CLASS_SCALAR | RF_CLASS_OPEN,
    CLASS_END = RF_CLASS_CLOSE | RF_CLASS_COMMA | RF_CLASS_LINE_END
};

static uint8_t class_of(int byte)
{
    switch (byte) {
    case '"':
        return RF_CLASS_QUOTE;
    case '{':
        return RF_CLASS_OPEN;
    case '}':
        return RF_CLASS_CLOSE;
    case '[':
        return RF_CLASS_OPEN | RF_CLASS_SQUARE;
    case ']':
        return RF_CLASS_CLOSE | RF_CLASS_SQUARE;
    case ',':
        return RF_CLASS_COMMA;
    case ':':
        return RF_CLASS_COLON;
    case '\n':
        return RF_CLASS_LINE_END;
    default:
        return byte <= ' ' ? RF_CLASS_NONE : RF_CLASS_SCALAR;
    }
}

static uint8_t follow_of(int byte)
{
    switch (byte) {
    case '"': /* a closing one: behind an opening one nothing is looked at */
        return CLASS_END | RF_CLASS_COLON;
    case '{': /* an empty object takes the exact way */
        return RF_CLASS_QUOTE;
    case '[':
        return CLASS_VALUE | RF_CLASS_CLOSE;
    case '}':
    case ']':
        return CLASS_END;
    case ',':
    case ':':
        return CLASS_VALUE;
    case '\n':
        return RF_CLASS_OPEN;
    default:
        return byte <= ' ' ? 0 : RF_CLASS_SCALAR | CLASS_END;
    }
}

void rf_index_tables_make(struct rf_index_tables *tables)
{
    for (int i = 0; i < 128; i++) {
        tables->byte_class[i] = class_of(i);
        tables->follow[i] = follow_of(i);
    }
}
