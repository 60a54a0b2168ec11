/* The expressions of the case expr. Names and constants are those of bench/gen's trades; each is true for some of the rows
 * and false for others. They are written so that any CEL engine over the same values takes them: 410.0 beside a product,
 * msg.fee for a member that may be absent. */
#include <stdio.h>

#include "case_expr.h"

enum { IN_TEXTS = 100, IN_BYTES_MAX = 4096 };

static char in_expression[IN_BYTES_MAX];

static struct expr_shape shapes[] = {
    {"compare", "price > 410", EXPR_GOAL_COMPARE, false, NULL, NULL},
    {"compare, two fields", "qty > price", EXPR_GOAL_COMPARE, false, NULL, NULL},
    {"bool", "active", EXPR_GOAL_COMPARE, false, NULL, NULL},
    {"and-3", "price > 300 && qty > 200 && side == \"buy\"", EXPR_GOAL_AND, false, NULL, NULL},
    {"in-100", in_expression, EXPR_GOAL_NONE, false, NULL, NULL},
    {"string ==", "symbol == \"MSFT\"", EXPR_GOAL_TEXT, false, NULL, NULL},
    {"startsWith", "acct.startsWith(\"A-01\")", EXPR_GOAL_TEXT, false, NULL, NULL},
    {"endsWith", "acct.endsWith(\"7\")", EXPR_GOAL_TEXT, false, NULL, NULL},
    {"contains", "acct.contains(\"77\")", EXPR_GOAL_TEXT, false, NULL, NULL},
    {"contains, optional text", "msg.note.contains(\"client\")", EXPR_GOAL_NONE, false, NULL, NULL},
    {"size", "size(symbol) > 4", EXPR_GOAL_TEXT, false, NULL, NULL},
    {"lowerAscii ==", "symbol.lowerAscii() == \"msft\"", EXPR_GOAL_TEXT, false, NULL, NULL},
    {"regex, anchored", "acct.matches(\"^A-0[0-9]*7$\")", EXPR_GOAL_NONE, false, "acct", "^A-0[0-9]*7$"},
    {"regex, search", "acct.matches(\"[13579]{3}\")", EXPR_GOAL_NONE, false, "acct", "[13579]{3}"},
    {"regex, alternatives", "symbol.matches(\"^(MS|AA|NV|GO)\")", EXPR_GOAL_NONE, false, "symbol", "^(MS|AA|NV|GO)"},
    {"regex, time", "ts.matches(\":3[0-9]:1[0-5]\\\\.\")", EXPR_GOAL_NONE, false, "ts", ":3[0-9]:1[0-5]\\."},
    {"timestamp", "timestamp(ts) > timestamp(\"2026-04-18T09:30:14Z\")", EXPR_GOAL_NONE, false, NULL, NULL},
    {"getSeconds in a zone", "timestamp(ts).getSeconds(\"America/New_York\") < 15", EXPR_GOAL_NONE, false, NULL, NULL},
    {"arithmetic", "price * qty > 50000.0", EXPR_GOAL_NONE, false, NULL, NULL},
    {"arithmetic, longer", "price * qty - 10.0 * price > 20000.0", EXPR_GOAL_NONE, false, NULL, NULL},
    {"int() and %", "int(qty) % 10 == 1", EXPR_GOAL_NONE, false, NULL, NULL},
    {"ternary", "(side == \"buy\" ? price : qty) > 300.0", EXPR_GOAL_NONE, false, NULL, NULL},
    {"ternary, nested", "(price > 500.0 ? \"high\" : price > 300.0 ? \"mid\" : \"low\") == \"mid\"", EXPR_GOAL_NONE,
     false, NULL, NULL},
    {"has", "has(msg.fee) && msg.fee.amt > 0.5", EXPR_GOAL_NONE, false, NULL, NULL},
    {"optional, orValue", "msg.?fee.?amt.orValue(0.0) > 0.5", EXPR_GOAL_NONE, false, NULL, NULL},
    {"cel.bind", "cel.bind(n, price * qty, n > 10000.0 && n < 50000.0)", EXPR_GOAL_NONE, false, NULL, NULL},
    {"in a message's list", "has(msg.flags) && \"iso\" in msg.flags", EXPR_GOAL_NONE, false, NULL, NULL},
    {"exists over 8 numbers", "levels.exists(x, x > 700.0)", EXPR_GOAL_NONE, true, NULL, NULL},
    {"exists over 8 objects", "legs.exists(l, l.px > 600.0 && l.qty > 100)", EXPR_GOAL_NONE, true, NULL, NULL},
    {"filter of 8, size", "size(levels.filter(x, x > 410.0)) > 3", EXPR_GOAL_NONE, true, NULL, NULL},
    {"map of 8, index", "levels.map(x, x * 2.0)[3] > 800.0", EXPR_GOAL_NONE, true, NULL, NULL},
};
enum { SHAPES = sizeof(shapes) / sizeof(shapes[0]) };

/* A hundred names, ten of which are there. */
static void in_make(void)
{
    static const char *const real[] = {"MSFT", "NVDA", "META", "TSLA", "JPM", "UNH", "MA", "JNJ", "COST", "MRK"};
    enum { REAL = sizeof(real) / sizeof(real[0]) };
    size_t used = (size_t)snprintf(in_expression, sizeof(in_expression), "symbol in [");
    for (unsigned i = 0; i < IN_TEXTS; i++) {
        const char *comma = i == 0 ? "" : ", ";
        used += (size_t)(i % REAL == 0
                             ? snprintf(in_expression + used, sizeof(in_expression) - used, "%s\"%s\"", comma,
                                        real[i / REAL])
                             : snprintf(in_expression + used, sizeof(in_expression) - used, "%s\"Q%02uX\"", comma, i));
    }
    snprintf(in_expression + used, sizeof(in_expression) - used, "]");
}

const struct expr_shape *expr_shapes(uint32_t *count)
{
    if (in_expression[0] == 0) {
        in_make();
    }
    *count = SHAPES;
    return shapes;
}
