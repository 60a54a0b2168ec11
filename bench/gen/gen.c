#include "gen.h"

#include <assert.h>

#include "gen_text.h"

static const char *const kind_name[RF_GEN_KIND_COUNT] = {"trades", "words", "orders", "fix-reports", "fix-log"};

const char *rf_gen_kind_name(enum rf_gen_kind kind)
{
    assert(kind < RF_GEN_KIND_COUNT);
    return kind_name[kind];
}

static uint32_t probability_of(double share)
{
    if (share <= 0) {
        return 0;
    }
    return share >= 1 ? UINT32_MAX : (uint32_t)(share * 4294967296.0);
}

void rf_gen_open(struct rf_gen *gen, enum rf_gen_kind kind, uint64_t seed, double shuffle, double traps)
{
    enum { OPENING_S = 9 * 3600 + 30 * 60 };
    *gen = (struct rf_gen){
        .kind = kind,
        .random = seed * 0x2545f4914f6cdd1dull + (uint64_t)kind,
        .shuffle = probability_of(shuffle),
        .traps = probability_of(traps),
        .time_us = (uint64_t)OPENING_S * 1000000,
    };
}

size_t rf_gen_next(struct rf_gen *gen, char *out)
{
    gen->number++;
    switch (gen->kind) {
    case RF_GEN_TRADES:
        return gen_trade(gen, out);
    case RF_GEN_ORDERS:
        return gen_order(gen, out);
    case RF_GEN_FIX_REPORTS:
        return gen_fix_report(gen, out);
    case RF_GEN_FIX_LOG:
        return gen_fix_log(gen, out);
    case RF_GEN_WORDS:
        return gen->number > RF_GEN_WORDS_COUNT ? 0 : gen_word(gen, out);
    case RF_GEN_KIND_COUNT:
        break;
    }
    assert(false && "a kind of enum rf_gen_kind");
    return 0;
}

size_t rf_gen_fill(struct rf_gen *gen, char *out, size_t bytes, uint64_t *records)
{
    char record[RF_GEN_RECORD_MAX];
    size_t used = 0;
    uint64_t count = 0;
    for (;;) {
        const size_t record_bytes = rf_gen_next(gen, record);
        if (record_bytes == 0 || record_bytes > bytes - used) {
            break;
        }
        memcpy(out + used, record, record_bytes);
        used += record_bytes;
        count++;
    }
    if (records != NULL) {
        *records = count;
    }
    return used;
}

const char *gen_note(struct rf_gen *gen)
{
    static const char *const note[10] = {
        "ok",
        "re-priced by \\\"desk\\\"",
        "caf\\u00e9 fill",
        "path C:\\\\feeds\\\\in",
        "tab\\there",
        "slash\\/ed",
        "price moved, see {ref} [3]",
        "na\xc3\xafve route \xe2\x86\x92 dark",
        "",
        "two\\nlines",
    };
    return note[gen_below(gen, 10)];
}
