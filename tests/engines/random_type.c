#include "random_type.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "function.h"

enum { OVERLOADS_MAX = 512 };

static struct overload overload_table[OVERLOADS_MAX];
static uint32_t overloads;
/* Overloads by the outermost kind of their result; those that give a type parameter are under KIND_A. */
static uint16_t by_kind[KINDS][OVERLOADS_MAX];
static uint32_t by_kind_count[KINDS];

uint32_t random_type(struct choice *choice)
{
    static const uint8_t scalar[] = {KIND_NULL,   KIND_BOOL,      KIND_INT,      KIND_UINT,   KIND_DOUBLE,
                                     KIND_NUMBER, KIND_NUMBER,    KIND_STRING,   KIND_STRING, KIND_BYTES,
                                     KIND_TYPE,   KIND_TIMESTAMP, KIND_DURATION, KIND_ANY};
    switch (choose(choice, 16)) {
    case 0:
        return type_of(KIND_OPTIONAL, *CHOOSE(choice, scalar));
    case 1:
        return type_of(KIND_MAP, *CHOOSE(choice, scalar));
    case 2:
        return type_of(KIND_LIST, type_of(KIND_LIST, *CHOOSE(choice, scalar)));
    case 3:
        return type_of(KIND_LIST, type_of(KIND_MAP, *CHOOSE(choice, scalar)));
    case 4:
    case 5:
        return type_of(KIND_LIST, *CHOOSE(choice, scalar));
    case 6:
        return choose(choice, 2) == 0 ? KIND_IP : KIND_CIDR;
    default:
        return *CHOOSE(choice, scalar);
    }
}

/* ---- Signatures ---- */

static enum kind word_kind(const char *word, size_t count)
{
    static const struct {
        const char *word;
        enum kind kind;
    } table[] = {
        {"bool", KIND_BOOL},
        {"int", KIND_INT},
        {"uint", KIND_UINT},
        {"double", KIND_DOUBLE},
        {"string", KIND_STRING},
        {"bytes", KIND_BYTES},
        {"list", KIND_LIST},
        {"map", KIND_MAP},
        {"type", KIND_TYPE},
        {"timestamp", KIND_TIMESTAMP},
        {"duration", KIND_DURATION},
        {"optional", KIND_OPTIONAL},
        {"ip", KIND_IP},
        {"cidr", KIND_CIDR},
        {"number", KIND_NUMBER},
        {"dyn", KIND_ANY},
        {"A", KIND_A},
        {"B", KIND_B},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (strlen(table[i].word) == count && memcmp(table[i].word, word, count) == 0) {
            return table[i].kind;
        }
    }
    fprintf(stderr, "function.def: unknown type %.*s in a signature\n", (int)count, word);
    abort();
}

/* Reads one type; of several parameters in parentheses the last one counts. */
static uint32_t type_read(const char **at)
{
    *at += strspn(*at, " ");
    const size_t count = strspn(*at, "abcdefghijklmnopqrstuvwxyzAB");
    const enum kind kind = word_kind(*at, count);
    *at += count;
    uint32_t inner = KIND_ANY;
    if (**at == '(') {
        do {
            (*at)++;
            inner = type_read(at);
            *at += strspn(*at, " ");
        } while (**at == ',');
        assert(**at == ')');
        (*at)++;
    }
    *at += strspn(*at, " ");
    return kind == KIND_TYPE ? KIND_TYPE : type_of(kind, inner);
}

static void signature_read(enum rf_function function, const char **at)
{
    assert(overloads < OVERLOADS_MAX);
    struct overload *overload = &overload_table[overloads];
    *overload = (struct overload){.function = function};
    *at += strspn(*at, " ;");
    while (**at != '>') {
        assert(overload->args < OVERLOAD_ARGS_MAX);
        overload->arg[overload->args++] = type_read(at);
        *at += **at == ',' ? 1 : 0;
    }
    (*at)++;
    overload->result = type_read(at);
    const enum kind kind = type_kind(overload->result);
    by_kind[kind][by_kind_count[kind]++] = (uint16_t)overloads++;
    *at += strspn(*at, " ;");
}

void overloads_open(void)
{
    if (overloads != 0) {
        return;
    }
    for (int f = 0; f < RF_FUNCTION_COUNT; f++) {
        const char *at = rf_function_info((enum rf_function)f)->signatures;
        while (*at != '\0') {
            signature_read((enum rf_function)f, &at);
        }
    }
}

/* ---- Overloads ---- */

static uint32_t type_replace(uint32_t type, uint32_t a, uint32_t b)
{
    const enum kind kind = type_kind(type);
    if (kind == KIND_A || kind == KIND_B) {
        return kind == KIND_A ? a : b;
    }
    return kind == KIND_ANY ? KIND_ANY : type_of(kind, type_replace(type_inner(type), a, b));
}

/* What the parameter A must be for `pattern` to become `type`; KIND_A when it may be anything. */
static uint32_t type_match(uint32_t pattern, uint32_t type)
{
    while (type_kind(pattern) != KIND_A) {
        if (type_kind(pattern) == KIND_ANY) {
            return KIND_A;
        }
        pattern = type_inner(pattern);
        type = type_inner(type);
    }
    return type;
}

bool random_overload(struct choice *choice, uint32_t type, struct overload *out)
{
    const enum kind number[] = {KIND_INT, KIND_UINT, KIND_DOUBLE};
    const enum kind kind = type_kind(type) == KIND_NUMBER ? *CHOOSE(choice, number) : type_kind(type);
    const uint32_t own = by_kind_count[kind];
    const uint32_t generic = by_kind_count[KIND_A];
    const uint32_t sum = own + (own == 0 || choose_rarely(choice, 64) ? generic : 0);
    if (sum == 0) {
        return false;
    }
    const uint32_t i = choose(choice, sum);
    *out = overload_table[i < own ? by_kind[kind][i] : by_kind[KIND_A][i - own]];
    uint32_t a = type_match(out->result, type);
    a = a == KIND_A ? random_type(choice) : a;
    const uint32_t b = random_type(choice);
    for (uint32_t n = 0; n < out->args; n++) {
        out->arg[n] = type_replace(out->arg[n], a, b);
    }
    out->result = type;
    return true;
}
