/* reason.h: why a record is malformed; shared by every engine. */
#ifndef RF_REASON_H
#define RF_REASON_H

enum rf_reason {
#define RF_REASON(name, text) name,
#include "reason.def"
#undef RF_REASON
    RF_REASON_COUNT
};

const char *rf_reason_text(enum rf_reason reason);

/* First problem of a record. */
struct rf_malformed {
    enum rf_reason reason; /* RF_REASON_NONE = well formed */
    unsigned offset;       /* bytes from the record's first byte */
};

#endif
