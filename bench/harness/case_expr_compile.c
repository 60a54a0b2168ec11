/* What compiling takes: from the text of an expression to the program that both engines run, and its memory given back. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "case_expr.h"
#include "clock.h"

static bool sources_compile(const struct rf_str *source, uint32_t count)
{
    struct rf_compiled compiled;
    struct rf_diagnostic diagnostic;
    struct rf_error err;
    uint32_t failed;
    if (rf_compile(source, count, NULL, 0, (struct rf_compile_options){0}, &compiled, &diagnostic, &failed, &err) !=
        RF_OK) {
        fprintf(stderr, "riffle-bench: %.*s: %s\n", RF_STR_ARG(source[failed]), err.text);
        return false;
    }
    rf_compiled_close(&compiled);
    return true;
}

bool expr_compile_run(void *context, uint32_t repeats, uint64_t *ns)
{
    const struct expr_shape *shape = context;
    const struct rf_str source = rf_str_of(shape->expression);
    const uint64_t begin_ns = rf_clock_ns();
    for (uint32_t i = 0; i < repeats; i++) {
        if (!sources_compile(&source, 1)) {
            return false;
        }
    }
    *ns = rf_clock_ns() - begin_ns;
    return true;
}

/* ---- Many ---- */

/* Rules as people keep them by the thousand: of a few forms, each with its own constants. */
static int rule_write(char *text, size_t bytes, unsigned i)
{
    const unsigned a = i % 977;
    switch (i % 8) {
    case 0:
        return snprintf(text, bytes, "price > %u.%02u && symbol == \"S%u\"", a, i % 100, i);
    case 1:
        return snprintf(text, bytes, "acct.startsWith(\"A-%05u\") || acct == \"B-%u\"", i, a);
    case 2:
        return snprintf(text, bytes, "price * qty > %u.5 && side == \"buy\" && venue.mic != \"X%u\"", i, a);
    case 3:
        return snprintf(text, bytes, "symbol in [\"S%u\", \"T%u\", \"U%u\", \"V%u\"] && qty < %u", i, i, a, i, i);
    case 4:
        return snprintf(text, bytes, "timestamp(ts) > timestamp(%u) && int(qty) %% 100 == %u", 1700000000 + i, i % 100);
    case 5:
        return snprintf(text, bytes, "has(msg.fee) && fee.amt > 0.%05u ? active : qty > %u", i, a);
    case 6:
        return snprintf(text, bytes, "symbol.lowerAscii() == \"s%u\" && size(acct) > %u", i, i % 9);
    default:
        return snprintf(text, bytes, "msg.levels.exists(x, x > %u.25) || note.contains(\"order %u\")", i, a);
    }
}

bool expr_many_open(struct expr_many *many)
{
    enum { BYTES_MAX = 128 };
    *many =
        (struct expr_many){.source = malloc(EXPR_MANY * sizeof(struct rf_str)), .text = malloc(EXPR_MANY * BYTES_MAX)};
    if (many->source == NULL || many->text == NULL) {
        fprintf(stderr, "riffle-bench: no memory for %d expressions\n", EXPR_MANY);
        return false;
    }
    for (unsigned i = 0; i < EXPR_MANY; i++) {
        char *text = many->text + (size_t)i * BYTES_MAX;
        many->source[i] = (struct rf_str){text, (size_t)rule_write(text, BYTES_MAX, i)};
    }
    return true;
}

void expr_many_close(struct expr_many *many)
{
    free(many->source);
    free(many->text);
    *many = (struct expr_many){0};
}

bool expr_many_together(void *context, uint32_t repeats, uint64_t *ns)
{
    const struct expr_many *many = context;
    const uint64_t begin_ns = rf_clock_ns();
    for (uint32_t i = 0; i < repeats; i++) {
        if (!sources_compile(many->source, EXPR_MANY)) {
            return false;
        }
    }
    *ns = rf_clock_ns() - begin_ns;
    return true;
}

bool expr_many_singly(void *context, uint32_t repeats, uint64_t *ns)
{
    const struct expr_many *many = context;
    const uint64_t begin_ns = rf_clock_ns();
    for (uint32_t i = 0; i < repeats; i++) {
        for (uint32_t s = 0; s < EXPR_MANY; s++) {
            if (!sources_compile(&many->source[s], 1)) {
                return false;
            }
        }
    }
    *ns = rf_clock_ns() - begin_ns;
    return true;
}
