#include "lexer.h"

#include <assert.h>

#include "literal.h"

static const char *const token_text[RF_TOKEN_COUNT] = {
#define RF_TOKEN(name, text) [name] = text,
#include "token.def"
#undef RF_TOKEN
};

const char *rf_token_text(enum rf_token_kind kind)
{
    assert((unsigned)kind < RF_TOKEN_COUNT);
    return token_text[kind];
}

struct word {
    const char *text;
    enum rf_token_kind kind;
};

static const struct word word_table[] = {
    {"true", RF_TOKEN_TRUE},          {"false", RF_TOKEN_FALSE},
    {"null", RF_TOKEN_NULL},          {"in", RF_TOKEN_IN},
    {"as", RF_TOKEN_RESERVED},        {"break", RF_TOKEN_RESERVED},
    {"const", RF_TOKEN_RESERVED},     {"continue", RF_TOKEN_RESERVED},
    {"else", RF_TOKEN_RESERVED},      {"for", RF_TOKEN_RESERVED},
    {"function", RF_TOKEN_RESERVED},  {"if", RF_TOKEN_RESERVED},
    {"import", RF_TOKEN_RESERVED},    {"let", RF_TOKEN_RESERVED},
    {"loop", RF_TOKEN_RESERVED},      {"package", RF_TOKEN_RESERVED},
    {"namespace", RF_TOKEN_RESERVED}, {"return", RF_TOKEN_RESERVED},
    {"var", RF_TOKEN_RESERVED},       {"void", RF_TOKEN_RESERVED},
    {"while", RF_TOKEN_RESERVED},
};

/* Longer ones first: the first match wins. */
static const struct word mark_table[] = {
    {"&&", RF_TOKEN_AND},       {"||", RF_TOKEN_OR},        {"==", RF_TOKEN_EQ},        {"!=", RF_TOKEN_NE},
    {"<=", RF_TOKEN_LE},        {">=", RF_TOKEN_GE},        {"<", RF_TOKEN_LT},         {">", RF_TOKEN_GT},
    {"!", RF_TOKEN_NOT},        {"(", RF_TOKEN_PAREN_OPEN}, {")", RF_TOKEN_PAREN_SHUT}, {"[", RF_TOKEN_INDEX_OPEN},
    {"]", RF_TOKEN_INDEX_SHUT}, {"{", RF_TOKEN_BRACE_OPEN}, {"}", RF_TOKEN_BRACE_SHUT}, {".", RF_TOKEN_DOT},
    {",", RF_TOKEN_COMMA},      {":", RF_TOKEN_COLON},      {"?", RF_TOKEN_QUESTION},   {"+", RF_TOKEN_PLUS},
    {"-", RF_TOKEN_MINUS},      {"*", RF_TOKEN_STAR},       {"/", RF_TOKEN_SLASH},      {"%", RF_TOKEN_PERCENT},
};

static bool char_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool char_begins_name(char c)
{
    return ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_';
}

static char lexer_char(const struct rf_lexer *lexer, size_t ahead)
{
    const size_t at = lexer->at + ahead;
    return at < lexer->source.count ? lexer->source.data[at] : '\0';
}

static void lexer_skip_space(struct rf_lexer *lexer)
{
    while (lexer->at < lexer->source.count) {
        const char c = lexer_char(lexer, 0);
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f') {
            lexer->at++;
        } else if (c == '/' && lexer_char(lexer, 1) == '/') {
            while (lexer->at < lexer->source.count && lexer_char(lexer, 0) != '\n') {
                lexer->at++;
            }
        } else {
            return;
        }
    }
}

/* r, b, rb or br in any case before a quote: the number of prefix letters, else -1. 0 when a quote comes at once. */
static int string_prefix(const struct rf_lexer *lexer, bool *is_raw, bool *is_bytes)
{
    *is_raw = false;
    *is_bytes = false;
    for (int i = 0; i < 3; i++) {
        const char c = lexer_char(lexer, (size_t)i);
        if (c == '"' || c == '\'') {
            return i;
        }
        if ((c | 0x20) == 'r' && !*is_raw) {
            *is_raw = true;
        } else if ((c | 0x20) == 'b' && !*is_bytes) {
            *is_bytes = true;
        } else {
            return -1;
        }
    }
    return -1;
}

static void lexer_word(struct rf_lexer *lexer, struct rf_token *token)
{
    const size_t begin = lexer->at;
    while (char_begins_name(lexer_char(lexer, 0)) || char_is_digit(lexer_char(lexer, 0))) {
        lexer->at++;
    }
    token->kind = RF_TOKEN_IDENT;
    token->text = (struct rf_str){lexer->source.data + begin, lexer->at - begin};
    for (size_t i = 0; i < sizeof word_table / sizeof word_table[0]; i++) {
        if (rf_str_equal(token->text, rf_str_of(word_table[i].text))) {
            token->kind = word_table[i].kind;
            return;
        }
    }
}

static enum rf_status lexer_backtick(struct rf_lexer *lexer, struct rf_token *token, struct rf_error *err)
{
    const size_t begin = lexer->at;
    size_t end = begin + 1;
    while (end < lexer->source.count && lexer->source.data[end] != '`' &&
           (unsigned char)lexer->source.data[end] >= 0x20) {
        end++;
    }
    if (end >= lexer->source.count || lexer->source.data[end] != '`') {
        return rf_diagnostic_fail(lexer->diagnostic, lexer->source, (uint32_t)begin, (uint32_t)end, err,
                                  "name without its closing backtick");
    }
    if (end == begin + 1) {
        return rf_diagnostic_fail(lexer->diagnostic, lexer->source, (uint32_t)begin, (uint32_t)end + 1, err,
                                  "empty name in backticks");
    }
    token->kind = RF_TOKEN_BACKTICK;
    token->text = (struct rf_str){lexer->source.data + begin + 1, end - begin - 1};
    lexer->at = end + 1;
    return RF_OK;
}

/* What people write who come from other languages. */
static const char *mark_hint(char c)
{
    switch (c) {
    case '&':
        return "unexpected '&': a logical and is written '&&'";
    case '|':
        return "unexpected '|': a logical or is written '||'";
    case '=':
        return "unexpected '=': equality is written '=='";
    case '$':
        return "unexpected '$': a field is written by its name, such as msg.price or price";
    default:
        return NULL;
    }
}

static enum rf_status lexer_mark(struct rf_lexer *lexer, struct rf_token *token, struct rf_error *err)
{
    const struct rf_str rest = {lexer->source.data + lexer->at, lexer->source.count - lexer->at};
    for (size_t i = 0; i < sizeof mark_table / sizeof mark_table[0]; i++) {
        const struct rf_str mark = rf_str_of(mark_table[i].text);
        if (rf_str_starts(rest, mark)) {
            token->kind = mark_table[i].kind;
            lexer->at += mark.count;
            return RF_OK;
        }
    }
    const uint32_t at = (uint32_t)lexer->at;
    const unsigned char c = (unsigned char)rest.data[0];
    if (mark_hint((char)c) != NULL) {
        return rf_diagnostic_fail(lexer->diagnostic, lexer->source, at, at + 1, err, "%s", mark_hint((char)c));
    }
    if (c >= 0x80) {
        return rf_diagnostic_fail(lexer->diagnostic, lexer->source, at, at + 1, err,
                                  "unexpected character outside a string (byte 0x%02x); a field of such a name is "
                                  "written in backticks: msg.`...`",
                                  c);
    }
    if (c < 0x20 || c == 0x7f) {
        return rf_diagnostic_fail(lexer->diagnostic, lexer->source, at, at + 1, err,
                                  "unexpected character outside a string (byte 0x%02x)", c);
    }
    return rf_diagnostic_fail(lexer->diagnostic, lexer->source, at, at + 1, err, "unexpected character '%c'", c);
}

enum rf_status rf_lexer_next(struct rf_lexer *lexer, struct rf_token *token, struct rf_error *err)
{
    lexer_skip_space(lexer);
    *token = (struct rf_token){.kind = RF_TOKEN_END, .span = {(uint32_t)lexer->at, (uint32_t)lexer->at}};
    if (lexer->at >= lexer->source.count) {
        return RF_OK;
    }
    const char c = lexer_char(lexer, 0);
    bool is_raw;
    bool is_bytes;
    const int prefix = string_prefix(lexer, &is_raw, &is_bytes);
    enum rf_status status = RF_OK;
    if (prefix >= 0) {
        lexer->at += (size_t)prefix;
        status = rf_literal_string(lexer, is_raw, is_bytes, token, err);
    } else if (char_begins_name(c)) {
        lexer_word(lexer, token);
    } else if (char_is_digit(c) || (c == '.' && char_is_digit(lexer_char(lexer, 1)))) {
        status = rf_literal_number(lexer, token, err);
    } else if (c == '`') {
        status = lexer_backtick(lexer, token, err);
    } else {
        status = lexer_mark(lexer, token, err);
    }
    token->span.end = (uint32_t)lexer->at;
    return status;
}
