#include "reason.h"

static const char *const reason_text[] = {
#define RF_REASON(name, text) [name] = text,
#include "reason.def"
#undef RF_REASON
};

const char *rf_reason_text(enum rf_reason reason)
{
    return (int)reason >= 0 && (int)reason < RF_REASON_COUNT ? reason_text[reason] : "unknown reason";
}
