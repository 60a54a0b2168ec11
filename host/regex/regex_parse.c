/* The loop over the text of a pattern: groups and alternatives on explicit stacks, and what is repeated. */
#include "code_group.h"
#include "regex.h"
#include "regex_parser.h"
#include "utf8.h"

enum { STACK_MIN = 32, REPEAT_TOO_LARGE = 100000000, DECIMAL = 10 };

struct tree_stack {
    struct rf_tree **tree;
    uint32_t count, capacity;
};

struct group { /* an open parenthesis, or the whole pattern */
    uint32_t items_begin;
    uint32_t branches_begin;
    uint32_t flags; /* those around it */
    size_t opened_at;
};

struct loop {
    struct rf_parser parser;
    struct tree_stack items;    /* of the branches that are being read, the innermost last */
    struct tree_stack branches; /* finished alternatives of the open groups */
    struct group group[RF_REGEX_NESTING_MAX + 1];
    uint32_t depth;        /* the innermost group */
    size_t operator_begin; /* where a repetition that may not be repeated stands; SIZE_MAX when none was just read */
};

uint32_t rf_parser_next(struct rf_parser *parser)
{
    const unsigned char *const byte = (const unsigned char *)parser->pattern.data + parser->at;
    if (byte[0] < 0x80) {
        parser->at += 1;
        return byte[0];
    }
    const size_t count = byte[0] < 0xE0 ? 2 : byte[0] < 0xF0 ? 3 : 4;
    uint32_t code = byte[0] & (0x7FU >> count);
    for (size_t i = 1; i < count; i++) {
        code = code << 6 | (byte[i] & 0x3F);
    }
    parser->at += count;
    return code;
}

static enum rf_status stack_push(struct loop *loop, struct tree_stack *stack, struct rf_tree *tree)
{
    if (tree == NULL) {
        RF_PARSE_FULL(&loop->parser);
    }
    if (stack->count == stack->capacity) {
        const uint32_t capacity = stack->capacity == 0 ? STACK_MIN : stack->capacity * 2;
        struct rf_tree **const wider = RF_PUSH(loop->parser.maker->arena, struct rf_tree *, capacity);
        if (wider == NULL) {
            RF_PARSE_FULL(&loop->parser);
        }
        if (stack->count != 0) {
            memcpy(wider, stack->tree, stack->count * sizeof(struct rf_tree *));
        }
        stack->tree = wider;
        stack->capacity = capacity;
    }
    stack->tree[stack->count++] = tree;
    return RF_OK;
}

static enum rf_status push_assert(struct loop *loop, enum rf_regex_assert assertion)
{
    return stack_push(loop, &loop->items, rf_tree_assert(loop->parser.maker, assertion));
}

static enum rf_status push_set(struct loop *loop, const struct rf_code_set *set)
{
    return stack_push(loop, &loop->items, rf_tree_class(loop->parser.maker, set));
}

static enum rf_status push_code(struct loop *loop, uint32_t code)
{
    if ((loop->parser.flags & RF_FLAG_FOLD) == 0) {
        return stack_push(loop, &loop->items, rf_tree_code(loop->parser.maker, code));
    }
    struct rf_code_set set = {.arena = loop->parser.maker->arena};
    if (!rf_code_set_add(&set, code, code) || !rf_code_set_fold(&set)) {
        RF_PARSE_FULL(&loop->parser);
    }
    return push_set(loop, &set);
}

static enum rf_status push_dot(struct loop *loop)
{
    struct rf_code_set set = {.arena = loop->parser.maker->arena};
    const bool has_newline = (loop->parser.flags & RF_FLAG_DOT_ALL) != 0;
    if (!rf_code_set_add(&set, 0, has_newline ? RF_CODE_MAX : '\n' - 1) ||
        (!has_newline && !rf_code_set_add(&set, '\n' + 1, RF_CODE_MAX))) {
        RF_PARSE_FULL(&loop->parser);
    }
    return push_set(loop, &set);
}

/* The items since the last bar become a finished alternative. */
static enum rf_status branch_end(struct loop *loop)
{
    const uint32_t begin = loop->group[loop->depth].items_begin;
    const uint32_t count = loop->items.count - begin;
    struct rf_tree *const tree = count == 0 ? rf_tree_empty(loop->parser.maker)
                                            : rf_tree_concat(loop->parser.maker, loop->items.tree + begin, count);
    loop->items.count = begin;
    return stack_push(loop, &loop->branches, tree);
}

/* The alternatives of the innermost group become one tree. */
static enum rf_status group_end(struct loop *loop, struct rf_tree **tree)
{
    RF_TRY(branch_end(loop));
    const uint32_t begin = loop->group[loop->depth].branches_begin;
    *tree = rf_tree_alternate(loop->parser.maker, loop->branches.tree + begin, loop->branches.count - begin);
    loop->branches.count = begin;
    if (*tree == NULL) {
        RF_PARSE_FULL(&loop->parser);
    }
    return RF_OK;
}

static enum rf_status group_open(struct loop *loop, size_t at, uint32_t flags)
{
    if (loop->depth == RF_REGEX_NESTING_MAX) {
        RF_PARSE_FAIL(&loop->parser, at, RF_E_LIMIT, "groups are nested deeper than %d", RF_REGEX_NESTING_MAX);
    }
    loop->group[++loop->depth] = (struct group){
        .items_begin = loop->items.count,
        .branches_begin = loop->branches.count,
        .flags = loop->parser.flags,
        .opened_at = at,
    };
    loop->parser.flags = flags;
    return RF_OK;
}

static enum rf_status group_close(struct loop *loop)
{
    if (loop->depth == 0) {
        RF_PARSE_FAIL(&loop->parser, loop->parser.at, RF_E_EXPR, "unexpected ) without an opening (");
    }
    struct rf_tree *tree;
    RF_TRY(group_end(loop, &tree));
    loop->parser.flags = loop->group[loop->depth].flags;
    loop->depth--;
    loop->parser.at++;
    return stack_push(loop, &loop->items, tree);
}

/* At "(?P<" or "(?<": a name, which is checked and forgotten. */
static enum rf_status group_name(struct loop *loop, size_t begin)
{
    struct rf_parser *const parser = &loop->parser;
    parser->at += rf_parser_peek(parser, 2) == 'P' ? 4 : 3;
    const size_t name_begin = parser->at;
    while (rf_parser_has(parser, 1) && rf_parser_peek(parser, 0) != '>') {
        if (!rf_code_group_is_name(rf_parser_next(parser))) {
            RF_PARSE_FAIL(parser, name_begin, RF_E_EXPR, "the name of a group is made of letters, digits and _");
        }
    }
    if (!rf_parser_has(parser, 1)) {
        RF_PARSE_FAIL(parser, begin, RF_E_EXPR, "missing > behind the name of a group");
    }
    if (parser->at == name_begin) {
        RF_PARSE_FAIL(parser, name_begin, RF_E_EXPR, "the name of a group is empty");
    }
    parser->at++;
    return group_open(loop, begin, parser->flags);
}

static uint32_t flag_of(char letter)
{
    switch (letter) {
    case 'i':
        return RF_FLAG_FOLD;
    case 'm':
        return RF_FLAG_LINES;
    case 's':
        return RF_FLAG_DOT_ALL;
    case 'U':
        return RF_FLAG_LAZY;
    default:
        return 0;
    }
}

/* At "(?": flags for the rest of the group around it, or for a group of their own. */
static enum rf_status group_flags(struct loop *loop, size_t begin)
{
    struct rf_parser *const parser = &loop->parser;
    uint32_t flags = parser->flags;
    bool is_clearing = false;
    bool is_complete = true; /* false between a minus and a flag behind it */
    for (parser->at += 2; rf_parser_has(parser, 1); parser->at++) {
        const char letter = rf_parser_peek(parser, 0);
        if (flag_of(letter) != 0) {
            flags = is_clearing ? flags & ~flag_of(letter) : flags | flag_of(letter);
            is_complete = true;
        } else if (letter == '-' && !is_clearing) {
            is_clearing = true;
            is_complete = false;
        } else if (letter == ':' && is_complete) {
            parser->at++;
            return group_open(loop, begin, flags);
        } else if (letter == ')' && is_complete) {
            parser->at++;
            parser->flags = flags;
            return RF_OK;
        } else {
            RF_PARSE_FAIL(parser, parser->at, RF_E_EXPR,
                          "unknown flag behind (?; there are i m s U, and - to clear them");
        }
    }
    RF_PARSE_FAIL(parser, begin, RF_E_EXPR, "missing closing ) behind flags");
}

/* At '('. */
static enum rf_status group_begin(struct loop *loop)
{
    struct rf_parser *const parser = &loop->parser;
    const size_t begin = parser->at;
    const char third = rf_parser_peek(parser, 2);
    if (rf_parser_peek(parser, 1) != '?') {
        parser->at++;
        return group_open(loop, begin, parser->flags);
    }
    const char fourth = rf_parser_peek(parser, 3);
    if (third == '=' || third == '!' || (third == '<' && (fourth == '=' || fourth == '!'))) {
        RF_PARSE_FAIL(parser, begin, RF_E_EXPR, "looking ahead or behind is not part of the RE2 syntax");
    }
    if (third == '<' || (third == 'P' && fourth == '<')) {
        return group_name(loop, begin);
    }
    return group_flags(loop, begin);
}

/* The last item min to max times. `begin` is where the operator stands. */
static enum rf_status repeat_last(struct loop *loop, size_t begin, int32_t min, int32_t max)
{
    struct rf_parser *const parser = &loop->parser;
    /* Greedy or not: only which match is found would differ. */
    parser->at += rf_parser_peek(parser, 0) == '?';
    if (loop->operator_begin != SIZE_MAX) {
        RF_PARSE_FAIL(parser, begin, RF_E_EXPR, "%.*s repeats a repetition; use a group",
                      (int)(parser->at - loop->operator_begin), parser->pattern.data + loop->operator_begin);
    }
    if (max > RF_REGEX_REPEAT_MAX || min > RF_REGEX_REPEAT_MAX) {
        RF_PARSE_FAIL(parser, begin, RF_E_LIMIT, "a repetition of more than %d", RF_REGEX_REPEAT_MAX);
    }
    if (max != RF_TREE_ENDLESS && max < min) {
        RF_PARSE_FAIL(parser, begin, RF_E_EXPR, "{%d,%d} is out of order", min, max);
    }
    if (loop->items.count == loop->group[loop->depth].items_begin) {
        RF_PARSE_FAIL(parser, begin, RF_E_EXPR, "there is nothing in front of %.*s that it could repeat",
                      (int)(parser->at - begin), parser->pattern.data + begin);
    }
    struct rf_tree *const tree = rf_tree_repeat(parser->maker, loop->items.tree[loop->items.count - 1], min, max);
    if (tree != NULL && tree->repeats > RF_REGEX_REPEAT_MAX) {
        RF_PARSE_FAIL(parser, begin, RF_E_LIMIT, "nested repetitions of more than %d in all", RF_REGEX_REPEAT_MAX);
    }
    loop->items.count--;
    RF_TRY(stack_push(loop, &loop->items, tree));
    loop->operator_begin = begin;
    return RF_OK;
}

/* A decimal number without leading zeros. */
static bool count_read(const struct rf_parser *parser, size_t *offset, int32_t *value)
{
    const size_t begin = *offset;
    int32_t sum = 0;
    for (char c; (c = rf_parser_peek(parser, *offset)) >= '0' && c <= '9'; (*offset)++) {
        if (sum >= REPEAT_TOO_LARGE) {
            return false;
        }
        sum = sum * DECIMAL + (c - '0');
    }
    *value = sum;
    return *offset != begin && !(rf_parser_peek(parser, begin) == '0' && *offset - begin > 1);
}

/* At '{': {n} {n,} {n,m}. Anything else is an ordinary brace, like in Perl. */
static bool count_parse(struct rf_parser *parser, int32_t *min, int32_t *max)
{
    size_t offset = 1;
    if (!count_read(parser, &offset, min)) {
        return false;
    }
    *max = *min;
    if (rf_parser_peek(parser, offset) == ',') {
        offset++;
        if (rf_parser_peek(parser, offset) == '}') {
            *max = RF_TREE_ENDLESS;
        } else if (!count_read(parser, &offset, max)) {
            return false;
        }
    }
    if (rf_parser_peek(parser, offset) != '}') {
        return false;
    }
    parser->at += offset + 1;
    return true;
}

static enum rf_status quoted_parse(struct loop *loop)
{
    struct rf_parser *const parser = &loop->parser;
    for (parser->at += 2; rf_parser_has(parser, 1);) {
        if (rf_parser_peek(parser, 0) == '\\' && rf_parser_peek(parser, 1) == 'E') {
            parser->at += 2;
            break;
        }
        RF_TRY(push_code(loop, rf_parser_next(parser)));
    }
    return RF_OK;
}

static enum rf_status backslash_parse(struct loop *loop)
{
    struct rf_parser *const parser = &loop->parser;
    static const struct {
        char letter;
        enum rf_regex_assert assertion;
    } asserts[] = {
        {'b', RF_ASSERT_WORD_EDGE},
        {'B', RF_ASSERT_WORD_INSIDE},
        {'A', RF_ASSERT_TEXT_BEGIN},
        {'z', RF_ASSERT_TEXT_END},
    };
    const char letter = rf_parser_peek(parser, 1);
    for (size_t i = 0; i < sizeof asserts / sizeof asserts[0]; i++) {
        if (asserts[i].letter == letter) {
            parser->at += 2;
            return push_assert(loop, asserts[i].assertion);
        }
    }
    if (letter == 'Q') {
        return quoted_parse(loop);
    }
    if (letter == 'C') {
        parser->at += 2;
        return stack_push(loop, &loop->items, rf_tree_byte(parser->maker));
    }
    struct rf_code_set set = {.arena = parser->maker->arena};
    bool is_class;
    RF_TRY(rf_parse_class_escape(parser, &set, &is_class));
    if (is_class) {
        rf_code_set_tidy(&set);
        return push_set(loop, &set);
    }
    uint32_t code;
    RF_TRY(rf_parse_escape(parser, &code));
    return push_code(loop, code);
}

/* One item or operator that is no repetition. */
static enum rf_status item_parse(struct loop *loop)
{
    struct rf_parser *const parser = &loop->parser;
    const bool has_lines = (parser->flags & RF_FLAG_LINES) != 0;
    struct rf_code_set set = {.arena = parser->maker->arena};
    switch (rf_parser_peek(parser, 0)) {
    case '(':
        return group_begin(loop);
    case ')':
        return group_close(loop);
    case '|':
        parser->at++;
        return branch_end(loop);
    case '^':
        parser->at++;
        return push_assert(loop, has_lines ? RF_ASSERT_LINE_BEGIN : RF_ASSERT_TEXT_BEGIN);
    case '$':
        parser->at++;
        return push_assert(loop, has_lines ? RF_ASSERT_LINE_END : RF_ASSERT_TEXT_END);
    case '.':
        parser->at++;
        return push_dot(loop);
    case '[':
        RF_TRY(rf_parse_bracket(parser, &set));
        return push_set(loop, &set);
    case '\\':
        return backslash_parse(loop);
    default:
        return push_code(loop, rf_parser_next(parser));
    }
}

static enum rf_status loop_step(struct loop *loop)
{
    struct rf_parser *const parser = &loop->parser;
    const size_t begin = parser->at;
    int32_t min;
    int32_t max;
    switch (rf_parser_peek(parser, 0)) {
    case '*':
        parser->at++;
        return repeat_last(loop, begin, 0, RF_TREE_ENDLESS);
    case '+':
        parser->at++;
        return repeat_last(loop, begin, 1, RF_TREE_ENDLESS);
    case '?':
        parser->at++;
        return repeat_last(loop, begin, 0, 1);
    case '{':
        if (count_parse(parser, &min, &max)) {
            return repeat_last(loop, begin, min, max);
        }
        break;
    default:
        break;
    }
    loop->operator_begin = SIZE_MAX;
    return item_parse(loop);
}

enum rf_status rf_regex_parse(struct rf_str pattern, struct rf_tree_maker *maker, struct rf_tree **tree,
                              size_t *error_at, struct rf_error *err)
{
    struct loop *const loop = RF_PUSH(maker->arena, struct loop, 1);
    if (loop == NULL) {
        *error_at = 0;
        RF_FAIL(err, RF_E_LIMIT, "regular expression: no memory for the parser");
    }
    loop->parser = (struct rf_parser){
        .pattern = pattern,
        .maker = maker,
        .error_at = error_at,
        .err = err,
    };
    loop->operator_begin = SIZE_MAX;
    if (pattern.count > RF_REGEX_PATTERN_BYTES_MAX) {
        RF_PARSE_FAIL(&loop->parser, RF_REGEX_PATTERN_BYTES_MAX, RF_E_LIMIT,
                      "a pattern of %zu bytes; at most %d are allowed", pattern.count, RF_REGEX_PATTERN_BYTES_MAX);
    }
    const size_t valid = rf_utf8_valid_count(pattern);
    if (valid != pattern.count) {
        RF_PARSE_FAIL(&loop->parser, valid, RF_E_EXPR, "the pattern is not UTF-8 at byte %zu", valid);
    }
    while (rf_parser_has(&loop->parser, 1)) {
        RF_TRY(loop_step(loop));
    }
    if (loop->depth != 0) {
        RF_PARSE_FAIL(&loop->parser, loop->group[loop->depth].opened_at, RF_E_EXPR, "missing closing )");
    }
    return group_end(loop, tree);
}
