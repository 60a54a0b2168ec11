#include "check_signature.h"

#include <assert.h>

enum {
    TEXT_DEPTH_MAX = 32, /* of types in a text */
    NUMBERS = 3,         /* that `number` stands for */
    NUMBERS_MAX = 4      /* of them in one signature, which is 81 overloads */
};

struct reader {
    struct rf_unifier *unifier;
    struct rf_str text;
    size_t at;
    bool is_table;    /* function.def: letters are parameters, and `number` is known */
    uint32_t choice;  /* which number the next `number` is: the lowest digit in base NUMBERS */
    uint32_t numbers; /* met so far */
    struct rf_str parameter[RF_SIGNATURE_VARIABLES_MAX];
    uint32_t parameters;
};

struct alias {
    const char *name;
    const char *text; /* a type, or the name of one */
};

static const struct alias alias_table[] = {
    {"any", "dyn"},
    {"cidr", "net.CIDR"},
    {"ip", "net.IP"},
    {"null", "null_type"},
    {"optional", "optional_type"},
    {"google.protobuf.Any", "dyn"},
    {"google.protobuf.BoolValue", "wrapper(bool)"},
    {"google.protobuf.BytesValue", "wrapper(bytes)"},
    {"google.protobuf.DoubleValue", "wrapper(double)"},
    {"google.protobuf.Duration", "duration"},
    {"google.protobuf.FloatValue", "wrapper(double)"},
    {"google.protobuf.Int32Value", "wrapper(int)"},
    {"google.protobuf.Int64Value", "wrapper(int)"},
    {"google.protobuf.ListValue", "list(dyn)"},
    {"google.protobuf.NullValue", "null_type"},
    {"google.protobuf.StringValue", "wrapper(string)"},
    {"google.protobuf.Struct", "map(string, dyn)"},
    {"google.protobuf.Timestamp", "timestamp"},
    {"google.protobuf.UInt32Value", "wrapper(uint)"},
    {"google.protobuf.UInt64Value", "wrapper(uint)"},
    {"google.protobuf.Value", "dyn"},
};

static const struct rf_check_type *read_type(struct reader *reader, uint32_t depth);

/* ---- Letters ---- */

static const struct rf_check_type *reader_fail(struct reader *reader, const char *wanted)
{
    struct rf_unifier *unifier = reader->unifier;
    if (unifier->status == RF_OK) {
        const int shown = reader->text.count <= 200 ? (int)reader->text.count : 200;
        unifier->status =
            rf_error_set(unifier->err, RF_E_CONFIG, __FILE__, __LINE__, "'%.*s' is no type: expected %s at byte %zu",
                         shown, reader->text.data, wanted, reader->at);
    }
    return NULL;
}

static void *reader_fail_full(struct reader *reader)
{
    reader->unifier->status = rf_error_set(reader->unifier->err, RF_E_LIMIT, __FILE__, __LINE__,
                                           "the types need more memory than the bound allows");
    return NULL;
}

static bool reader_has(const struct reader *reader, char c)
{
    return reader->at < reader->text.count && reader->text.data[reader->at] == c;
}

static void reader_pass_space(struct reader *reader)
{
    while (reader_has(reader, ' ')) {
        reader->at++;
    }
}

/* The character that stands next, spaces aside, is passed when it is this one. */
static bool reader_take(struct reader *reader, char c)
{
    reader_pass_space(reader);
    if (!reader_has(reader, c)) {
        return false;
    }
    reader->at++;
    return true;
}

static bool letter_is_name(char c, bool is_first)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           (!is_first && ((c >= '0' && c <= '9') || c == '.'));
}

/* Empty when no name stands here. */
static struct rf_str read_name(struct reader *reader)
{
    reader_pass_space(reader);
    const size_t begin = reader->at;
    while (reader->at < reader->text.count && letter_is_name(reader->text.data[reader->at], reader->at == begin)) {
        reader->at++;
    }
    return (struct rf_str){reader->text.count == 0 ? NULL : reader->text.data + begin, reader->at - begin};
}

/* ---- Names ---- */

static const char *alias_find(struct rf_str name)
{
    for (size_t i = 0; i < sizeof alias_table / sizeof alias_table[0]; i++) {
        if (rf_str_equal(name, rf_str_of(alias_table[i].name))) {
            return alias_table[i].text;
        }
    }
    return NULL;
}

static enum rf_check_kind kind_find(struct rf_str name)
{
    for (unsigned k = 0; k < RF_CHECK_NAMED; k++) {
        if (rf_str_equal(name, rf_str_of(rf_check_kind_name((enum rf_check_kind)k)))) {
            return (enum rf_check_kind)k;
        }
    }
    return RF_CHECK_NAMED;
}

static bool name_is_letter(struct rf_str name)
{
    return name.count == 1 && name.data[0] >= 'A' && name.data[0] <= 'Z';
}

static const struct rf_check_type *reader_parameter(struct reader *reader, struct rf_str name)
{
    uint32_t number = 0;
    while (number < reader->parameters && !rf_str_equal(reader->parameter[number], name)) {
        number++;
    }
    if (number == RF_SIGNATURE_VARIABLES_MAX) {
        return reader_fail(reader, "no more type parameters");
    }
    reader->parameter[number] = name;
    reader->parameters = number == reader->parameters ? number + 1 : reader->parameters;
    return rf_unifier_parameter(reader->unifier, (uint16_t)number);
}

static const struct rf_check_type *reader_number(struct reader *reader)
{
    static const enum rf_check_kind kind[NUMBERS] = {RF_CHECK_INT, RF_CHECK_UINT, RF_CHECK_DOUBLE};
    if (reader->numbers == NUMBERS_MAX) {
        return reader_fail(reader, "fewer numbers");
    }
    const uint32_t choice = reader->choice % NUMBERS;
    reader->choice /= NUMBERS;
    reader->numbers++;
    return rf_check_type_plain(kind[choice]);
}

/* ---- Types ---- */

/* What stands between parentheses, the opening one is passed. */
static bool read_args(struct reader *reader, const struct rf_check_type **arg, uint32_t *args, uint32_t depth)
{
    for (;;) {
        if (*args == RF_CHECK_ARGS_MAX) {
            reader_fail(reader, "fewer types in a type");
            return false;
        }
        arg[*args] = read_type(reader, depth + 1);
        if (arg[*args] == NULL) {
            return false;
        }
        ++*args;
        if (!reader_take(reader, ',')) {
            break;
        }
    }
    if (!reader_take(reader, ')')) {
        reader_fail(reader, "',' or ')'");
        return false;
    }
    return true;
}

static bool type_is_wrappable(const struct rf_check_type *type)
{
    return type->kind >= RF_CHECK_BOOL && type->kind <= RF_CHECK_BYTES;
}

/* The type of a name with so many types behind it; none: `list` holds dyn. */
static const struct rf_check_type *type_make(struct reader *reader, struct rf_str name,
                                             const struct rf_check_type **arg, uint32_t args)
{
    const struct rf_check_type *const dyn = rf_check_type_plain(RF_CHECK_DYN);
    const enum rf_check_kind kind = kind_find(name);
    uint32_t wanted = args;
    switch (kind) {
    case RF_CHECK_LIST:
    case RF_CHECK_WRAPPER:
        wanted = 1;
        break;
    case RF_CHECK_MAP:
        wanted = 2;
        break;
    case RF_CHECK_TYPE:
        wanted = args == 0 ? 0 : 1;
        break;
    case RF_CHECK_NAMED:
        wanted = rf_str_equal(name, RF_STR("optional_type")) ? 1 : args;
        break;
    default:
        wanted = 0;
        break;
    }
    if (args == 0) {
        arg[0] = arg[1] = dyn;
        args = wanted;
    }
    if (args != wanted || (kind == RF_CHECK_WRAPPER && !type_is_wrappable(arg[0]))) {
        return reader_fail(reader, "other types between the parentheses");
    }
    if (kind <= RF_CHECK_TYPE && args == 0) {
        return rf_check_type_plain(kind);
    }
    return rf_unifier_type(reader->unifier, kind, kind == RF_CHECK_NAMED ? name : (struct rf_str){0}, arg, args);
}

static const struct rf_check_type *read_parameter(struct reader *reader)
{
    const struct rf_str name = reader_take(reader, '(') ? read_name(reader) : (struct rf_str){0};
    if (name.count == 0 || !reader_take(reader, ')')) {
        return reader_fail(reader, "param(NAME)");
    }
    return reader_parameter(reader, name);
}

/* Recursion is as deep as the text, to TEXT_DEPTH_MAX; the text of an alias adds one, since it names no other alias. */
static const struct rf_check_type *read_type(struct reader *reader, uint32_t depth)
{
    if (depth > TEXT_DEPTH_MAX) {
        return reader_fail(reader, "types that are nested less deep");
    }
    struct rf_str name = read_name(reader);
    if (name.count == 0) {
        return reader_fail(reader, "the name of a type");
    }
    if (rf_str_equal(name, RF_STR("param"))) {
        return read_parameter(reader);
    }
    if (reader->is_table && name_is_letter(name)) {
        return reader_parameter(reader, name);
    }
    if (reader->is_table && rf_str_equal(name, RF_STR("number"))) {
        return reader_number(reader);
    }
    const char *meant = alias_find(name);
    if (meant != NULL && strchr(meant, '(') != NULL) {
        struct reader inner = {.unifier = reader->unifier, .text = rf_str_of(meant)};
        return read_type(&inner, depth + 1);
    }
    name = meant == NULL ? name : rf_str_of(meant);
    const struct rf_check_type *arg[RF_CHECK_ARGS_MAX];
    uint32_t args = 0;
    if (reader_take(reader, '(') && !read_args(reader, arg, &args, depth)) {
        return NULL;
    }
    return type_make(reader, name, arg, args);
}

static bool reader_is_done(struct reader *reader)
{
    reader_pass_space(reader);
    return reader->at == reader->text.count;
}

const struct rf_check_type *rf_check_type_read(struct rf_unifier *unifier, struct rf_str text)
{
    struct reader reader = {.unifier = unifier, .text = text};
    if (reader_is_done(&reader)) {
        return rf_check_type_plain(RF_CHECK_DYN);
    }
    const struct rf_check_type *type = read_type(&reader, 0);
    if (type != NULL && !reader_is_done(&reader)) {
        return reader_fail(&reader, "the end");
    }
    if (type != NULL && type->has_parameter) {
        return reader_fail(&reader, "no type parameter");
    }
    return type;
}

/* ---- Signatures ---- */

static struct rf_signature *signature_make(struct reader *reader, const struct rf_check_type *const *arg, uint32_t args,
                                           const struct rf_check_type *result)
{
    struct rf_signature *signature = RF_PUSH(reader->unifier->arena, struct rf_signature, 1);
    const struct rf_check_type **copy = RF_PUSH(reader->unifier->arena, const struct rf_check_type *, args);
    if (signature == NULL || copy == NULL) {
        return reader_fail_full(reader);
    }
    for (uint32_t i = 0; i < args; i++) {
        copy[i] = arg[i];
    }
    *signature = (struct rf_signature){.arg = copy, .args = args, .result = result, .variables = reader->parameters};
    return signature;
}

/* One signature, to the ';' or the end behind it. */
static struct rf_signature *read_signature(struct reader *reader)
{
    const struct rf_check_type *arg[RF_SIGNATURE_ARGS_MAX];
    uint32_t args = 0;
    while (!reader_take(reader, '>')) {
        if (args == RF_SIGNATURE_ARGS_MAX || (args != 0 && !reader_take(reader, ','))) {
            reader_fail(reader, "',' or '>'");
            return NULL;
        }
        arg[args] = read_type(reader, 0);
        if (arg[args] == NULL) {
            return NULL;
        }
        args++;
    }
    const struct rf_check_type *result = read_type(reader, 0);
    if (result == NULL) {
        return NULL;
    }
    if (!reader_is_done(reader) && !reader_has(reader, ';')) {
        reader_fail(reader, "';' or the end");
        return NULL;
    }
    return signature_make(reader, arg, args, result);
}

const struct rf_signature *rf_signature_read(struct rf_unifier *unifier, struct rf_str text)
{
    struct reader reader = {.unifier = unifier, .text = text, .is_table = true};
    const struct rf_signature *first = NULL;
    struct rf_signature *last = NULL;
    uint32_t choice = 0;
    while (!reader_is_done(&reader)) {
        const size_t begin = reader.at;
        reader.choice = choice;
        reader.numbers = 0;
        reader.parameters = 0;
        struct rf_signature *signature = read_signature(&reader);
        if (signature == NULL) {
            return NULL;
        }
        if (last == NULL) {
            first = signature;
        } else {
            last->next = signature;
        }
        last = signature;
        /* What is left of the choice tells when each `number` has been each number. */
        uint32_t choices = 1;
        for (uint32_t i = 0; i < reader.numbers; i++) {
            choices *= NUMBERS;
        }
        choice++;
        if (choice < choices) {
            reader.at = begin;
        } else {
            choice = 0;
            reader_take(&reader, ';');
        }
    }
    return first;
}

const struct rf_signature *rf_signature_declare(struct rf_unifier *unifier, const struct rf_str *arg, uint32_t args,
                                                struct rf_str result)
{
    const struct rf_check_type *type[RF_SIGNATURE_ARGS_MAX + 1];
    struct reader reader = {.unifier = unifier, .text = result};
    if (args > RF_SIGNATURE_ARGS_MAX) {
        reader_fail(&reader, "fewer parameters before it");
        return NULL;
    }
    for (uint32_t i = 0; i <= args; i++) {
        reader.text = i < args ? arg[i] : result;
        reader.at = 0;
        type[i] = read_type(&reader, 0);
        if (type[i] == NULL) {
            return NULL;
        }
        if (!reader_is_done(&reader)) {
            reader_fail(&reader, "the end");
            return NULL;
        }
    }
    return signature_make(&reader, type, args, type[args]);
}
