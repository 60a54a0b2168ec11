/* random_truth.c: what filters ask mostly: paths beside constants, the forms that atoms have. */
#include "random_part.h"

static const char *const relation[] = {"==", "!=", "<", "<=", ">", ">="};

static void put_path_or(struct random_expr *expr, uint32_t type)
{
    if (!put_path(expr, type)) {
        put_literal(expr, type);
    }
}

void put_has(struct random_expr *expr)
{
    const size_t begin = expr->out.count;
    const char *const path[] = {"n", "o.n", "o.o.s", "q[0].n", "record.key", "record.file", "v.a", "u", "s.a", "l.a"};
    switch (choose(expr->choice, 4)) {
    case 0:
        put(&expr->out, "has(");
        put_expr(expr, type_of(KIND_MAP, KIND_ANY));
        receiver_end(expr, begin + 4);
        put(&expr->out, choose(expr->choice, 2) == 0 ? ".n)" : ".`k k`)");
        break;
    case 1:
        put(&expr->out, "has(");
        put_path_or(expr, type_of(KIND_MAP, KIND_ANY));
        put_format(&expr->out, ".%s)", CHOOSE(expr->choice, random_field_table)->name[1] == '\0' ? "s" : "a");
        break;
    case 2:
        put(&expr->out, "has(");
        put_optional(expr, type_of(KIND_MAP, KIND_ANY));
        put(&expr->out, ".a)");
        break;
    default:
        put_format(&expr->out, "has(%s)", expr->has_payload ? *CHOOSE(expr->choice, path) : "o.n");
        break;
    }
}

static void put_arithmetic(struct random_expr *expr)
{
    static const char *const operation[] = {"+", "-", "*", "/", "%"};
    put(&expr->out, "(");
    put_path_or(expr, KIND_NUMBER);
    for (uint32_t more = 1 + choose(expr->choice, 2); more > 0; more--) {
        put_format(&expr->out, " %s ", *CHOOSE(expr->choice, operation));
        if (choose(expr->choice, 2) == 0) {
            put_path_or(expr, KIND_NUMBER);
        } else {
            put_literal(expr, choose(expr->choice, 2) == 0 ? KIND_INT : KIND_NUMBER);
        }
    }
    put_format(&expr->out, " %s ", *CHOOSE(expr->choice, relation));
    put_literal(expr, KIND_NUMBER);
    put(&expr->out, ")");
}

static void put_set(struct random_expr *expr)
{
    const enum kind kind = choose(expr->choice, 2) == 0 ? KIND_NUMBER : KIND_STRING;
    const bool is_mixed = choose(expr->choice, 3) == 0;
    put(&expr->out, "(");
    put_path_or(expr, kind);
    put(&expr->out, " in [");
    const uint32_t count = choose(expr->choice, choose_rarely(expr->choice, 64) ? 40 : 5);
    for (uint32_t i = 0; i < count; i++) {
        put(&expr->out, i == 0 ? "" : ", ");
        put_literal(expr, is_mixed ? KIND_NULL + choose(expr->choice, KIND_STRING - KIND_NULL + 1) : (uint32_t)kind);
    }
    put(&expr->out, "])");
}

static void put_text_question(struct random_expr *expr)
{
    static const struct {
        const char *method;
        enum flavour flavour;
    } table[] = {{".startsWith(", FLAVOUR_SEPARATOR}, {".endsWith(", FLAVOUR_SEPARATOR},
                 {".contains(", FLAVOUR_SEPARATOR},   {".contains(", FLAVOUR_PLAIN},
                 {".matches(", FLAVOUR_REGEX},        {" == (", FLAVOUR_PLAIN}};
    const uint32_t which = choose(expr->choice, sizeof table / sizeof table[0]);
    put(&expr->out, "(");
    put_path_or(expr, KIND_STRING);
    put(&expr->out, table[which].method);
    put_text_literal(expr, table[which].flavour);
    put(&expr->out, "))");
}

/* Texts that differ in the case of a letter at most. */
static void put_case_question(struct random_expr *expr)
{
    static const char *const other[] = {".upperAscii()", ".lowerAscii()", "", ".reverse()"};
    put(&expr->out, "iequals(");
    put_path_or(expr, KIND_STRING);
    put(&expr->out, ", ");
    if (choose(expr->choice, 2) == 0) {
        put_text_literal(expr, FLAVOUR_PLAIN);
    } else {
        const size_t begin = expr->out.count;
        put_path_or(expr, KIND_STRING);
        receiver_end(expr, begin);
    }
    put_format(&expr->out, "%s)", *CHOOSE(expr->choice, other));
}

static void put_type_question(struct random_expr *expr)
{
    static const char *const name[] = {"int",
                                       "uint",
                                       "double",
                                       "string",
                                       "bytes",
                                       "bool",
                                       "list",
                                       "map",
                                       "null_type",
                                       "type",
                                       "optional_type",
                                       "google.protobuf.Timestamp",
                                       "google.protobuf.Duration",
                                       "net.IP"};
    put(&expr->out, "(type(");
    put_expr(expr, KIND_ANY);
    put_format(&expr->out, choose(expr->choice, 3) == 0 ? ") in [%s, string])" : ") == %s)",
               *CHOOSE(expr->choice, name));
}

static void put_comparison(struct random_expr *expr, uint32_t left, bool is_literal)
{
    put(&expr->out, "(");
    put_path_or(expr, left);
    put_format(&expr->out, " %s ", *CHOOSE(expr->choice, relation));
    if (is_literal) {
        put_literal(expr, left);
    } else {
        put_path_or(expr, left);
    }
    put(&expr->out, ")");
}

void put_truth(struct random_expr *expr)
{
    static const uint8_t kinds[] = {KIND_NUMBER, KIND_NUMBER, KIND_STRING, KIND_BOOL, KIND_ANY};
    switch (choose(expr->choice, 15)) {
    case 0:
    case 1:
        put_comparison(expr, *CHOOSE(expr->choice, kinds), true);
        break;
    case 2:
        put_comparison(expr, *CHOOSE(expr->choice, kinds), false);
        break;
    case 3:
        put_set(expr);
        break;
    case 4:
    case 5:
        put_text_question(expr);
        break;
    case 6:
        put_arithmetic(expr);
        break;
    case 7:
        put_has(expr);
        break;
    case 8:
        put(&expr->out, "(size(");
        put_path_or(expr, choose(expr->choice, 2) == 0 ? KIND_STRING : type_of(KIND_LIST, KIND_ANY));
        put_format(&expr->out, ") %s %u)", *CHOOSE(expr->choice, relation), choose(expr->choice, 4));
        break;
    case 9:
        put(&expr->out, "(");
        put_literal(expr, choose(expr->choice, 2) == 0 ? KIND_NUMBER : KIND_STRING);
        put(&expr->out, " in ");
        put_path_or(expr, type_of(choose(expr->choice, 3) == 0 ? KIND_MAP : KIND_LIST, KIND_ANY));
        put(&expr->out, ")");
        break;
    case 10:
        put_type_question(expr);
        break;
    case 11:
        put(&expr->out, expr->has_payload ? "(record.number % 2 == " : "(size(s) % 2 == ");
        put(&expr->out, "0)");
        break;
    case 12:
        put_comparison(expr, KIND_ANY, true);
        break;
    case 13:
        put_case_question(expr);
        break;
    default:
        put_path_or(expr, KIND_BOOL);
        break;
    }
}
