/* eval_class.h: the classes of struct rf_eval_classes, one bit each, by tag; tags not named are in no class. */
#ifndef RF_EVAL_CLASS_H
#define RF_EVAL_CLASS_H

#include "column.h"

enum { CLASS_NUMBER = 1, CLASS_INTEGER = 2, CLASS_NATURAL = 4, CLASS_STRING = 8, CLASS_MISSING = 16 };

/* 16 entries: one shuffle looks up all; tags from 16 on have no class. */
_Static_assert(RF_TAG_DOUBLE < 16, "classed tags fit a 16-byte shuffle");

static const uint8_t class_of_tag[16] = {
    [RF_TAG_NUMBER] = CLASS_NUMBER,     [RF_TAG_DOUBLE] = CLASS_NUMBER,         [RF_TAG_BIGINT] = CLASS_INTEGER,
    [RF_TAG_INT] = CLASS_INTEGER,       [RF_TAG_BIGUINT] = CLASS_NATURAL,       [RF_TAG_UINT] = CLASS_NATURAL,
    [RF_TAG_STRING_RAW] = CLASS_STRING, [RF_TAG_STRING_ESCAPED] = CLASS_STRING, [RF_TAG_NOPARENT] = CLASS_MISSING,
    [RF_TAG_ABSENT] = CLASS_MISSING,    [RF_TAG_RANGE] = CLASS_MISSING,      [RF_TAG_ERROR] = CLASS_MISSING,
};

#endif
