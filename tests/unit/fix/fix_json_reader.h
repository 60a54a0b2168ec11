/* fix_json_reader.h: the objects of fix_json.h back to fields, by a reader of its own that is strict about JSON.
 *
 * Data       fields in the order in which an encoder would write them: the values of an array one after the other, the entries
 *            of a list behind its count.
 */
#ifndef FIX_JSON_READER_H
#define FIX_JSON_READER_H

#include "base64.h"
#include "fix_label.h"
#include "json_text.h"

struct read_field {
    uint32_t tag;
    char *text;
    size_t count;
};

struct read_fields {
    const struct rf_fix_dict *dict;
    enum rf_fix_keys keys;
    const char *at, *end;
    struct read_field *field;
    size_t fields, fields_max;
};

static inline void read_expect(struct read_fields *read, char c)
{
    if (read->at == read->end || *read->at != c) {
        fail_msg("'%c' is missing at: %.*s", c, (int)(read->end - read->at < 60 ? read->end - read->at : 60), read->at);
    }
    read->at++;
}

static inline bool read_is(const struct read_fields *read, char c)
{
    return read->at < read->end && *read->at == c;
}

/* To be freed. */
static inline char *read_string(struct read_fields *read, size_t *count)
{
    read_expect(read, '"');
    const char *begin = read->at;
    while (read->at < read->end && *read->at != '"') {
        read->at += *read->at == '\\' ? 2 : 1;
    }
    const struct rf_str inside = {begin, (size_t)(read->at - begin)};
    char *text = malloc(inside.count + 1);
    size_t fault = 0;
    assert_non_null(text);
    read_expect(read, '"');
    assert_int_equal(rf_json_decode(inside, text, count, &fault), RF_JSON_OK);
    text[*count] = '\0';
    return text;
}

/* The tag of a member, or that of the count of a list. */
static inline uint32_t read_tag(const struct read_fields *read, const char *name, bool is_list)
{
    const char *paren = strrchr(name, '(');
    if (name[0] >= '0' && name[0] <= '9') {
        return (uint32_t)strtoul(name, NULL, 10);
    }
    if (paren != NULL) {
        return (uint32_t)strtoul(paren + 1, NULL, 10);
    }
    assert_int_equal(read->keys, RF_FIX_KEYS_NAME);
    if (!is_list) {
        const struct rf_fix_field *field = rf_fix_field_of_name(read->dict, rf_str_of(name));
        assert_non_null(field);
        return field->tag;
    }
    for (uint32_t g = 0; g < read->dict->groups; g++) {
        const struct rf_fix_group *group = &read->dict->group[g];
        if (rf_str_equal(rf_fix_text(read->dict, group->list_name), rf_str_of(name))) {
            return read->dict->field[group->count_field].tag;
        }
    }
    fail_msg("no list is called %s", name);
    return 0;
}

static inline void read_put(struct read_fields *read, uint32_t tag, char *text, size_t count)
{
    if (read->fields == read->fields_max) {
        read->fields_max = read->fields_max * 2 + 64;
        read->field = realloc(read->field, read->fields_max * sizeof *read->field);
        assert_non_null(read->field);
    }
    read->field[read->fields++] = (struct read_field){tag, text, count};
}

/* A number, true or false: as FIX has it. */
static inline void read_word(struct read_fields *read, uint32_t tag)
{
    const char *begin = read->at;
    while (read->at < read->end && strchr("0123456789.-truefals", *read->at) != NULL) {
        read->at++;
    }
    const size_t count = (size_t)(read->at - begin);
    char *text = malloc(count + 1);
    assert_non_null(text);
    memcpy(text, begin, count);
    text[count] = '\0';
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) {
        strcpy(text, text[0] == 't' ? "Y" : "N");
    } else {
        char *end;
        (void)strtod(text, &end);
        assert_true(count > 0 && *end == '\0' && text[count - 1] != '.' && text[0] != '.');
        const char *digits = text + (text[0] == '-');
        assert_true(digits[0] >= '0' && digits[0] <= '9' &&
                    !(digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9'));
    }
    read_put(read, tag, text, strlen(text));
}

static inline void read_value(struct read_fields *read, uint32_t tag)
{
    size_t count = 0;
    if (read_is(read, '"')) {
        char *text = read_string(read, &count);
        read_put(read, tag, text, count);
    } else if (read_is(read, '{')) {
        read->at++;
        char *name = read_string(read, &count);
        assert_string_equal(name, "base64");
        free(name);
        read_expect(read, ':');
        char *base = read_string(read, &count);
        char *text = malloc(count + 8);
        assert_non_null(text);
        size_t bytes = 0;
        assert_true(rf_base64_decode((struct rf_str){base, count}, text, &bytes));
        free(base);
        read_put(read, tag, text, bytes);
        read_expect(read, '}');
    } else {
        read_word(read, tag);
    }
}

static inline void read_object(struct read_fields *read, unsigned depth);

/* Behind a name: a value, an array of values, or the entries of a list. */
static inline void read_member(struct read_fields *read, const char *name, unsigned depth)
{
    if (!read_is(read, '[')) {
        read_value(read, read_tag(read, name, false));
        return;
    }
    read->at++;
    /* An object is an entry, unless it is base64. */
    const bool is_list = read_is(read, ']') || (read_is(read, '{') && strncmp(read->at, "{\"base64\"", 9) != 0);
    const uint32_t tag = read_tag(read, name, is_list);
    for (bool is_first = true; !read_is(read, ']'); is_first = false) {
        if (!is_first) {
            read_expect(read, ',');
        }
        if (is_list) {
            read_object(read, depth + 1);
        } else {
            read_value(read, tag);
        }
    }
    read->at++;
}

static inline void read_object(struct read_fields *read, unsigned depth)
{
    enum { NAMES_MAX = 4096 };
    char **name = calloc(NAMES_MAX, sizeof *name);
    size_t names = 0;
    assert_non_null(name);
    assert_true(depth <= RF_FIX_GROUP_DEPTH_MAX);
    read_expect(read, '{');
    while (!read_is(read, '}')) {
        size_t count = 0;
        if (names > 0) {
            read_expect(read, ',');
        }
        assert_true(names < NAMES_MAX);
        name[names] = read_string(read, &count);
        for (size_t i = 0; i < names; i++) { /* JSON readers would lose one */
            assert_string_not_equal(name[i], name[names]);
        }
        read_expect(read, ':');
        read_member(read, name[names++], depth);
    }
    read->at++;
    for (size_t i = 0; i < names; i++) {
        free(name[i]);
    }
    free(name);
}

static inline struct read_fields read_json(const struct rf_fix_dict *dict, enum rf_fix_keys keys, struct rf_str text)
{
    struct read_fields read = {.dict = dict, .keys = keys, .at = text.data, .end = text.data + text.count};
    read_object(&read, 0);
    assert_ptr_equal(read.at, read.end);
    return read;
}

static inline void read_free(struct read_fields *read)
{
    for (size_t i = 0; i < read->fields; i++) {
        free(read->field[i].text);
    }
    free(read->field);
}

#endif
