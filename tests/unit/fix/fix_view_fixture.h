/* fix_view_fixture.h: messages as views, for the tests of what writes them. */
#ifndef FIX_VIEW_FIXTURE_H
#define FIX_VIEW_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fix_fields.h"
#include "fix_read.h"
#include "fix_tree.h"

enum { VIEW_LEVELS = RF_FIX_GROUP_DEPTH_MAX };

/* FIX 4.4 with as many groups within groups as there may be, L1 around L2 and so on, and with names that are not what they
 * seem. */
static const struct rf_fix_dict *view_dict;
static struct rf_arena view_dict_arena;

static inline void view_dict_print(char *out, size_t room)
{
    size_t count = (size_t)snprintf(out, room,
                                    "<fix major=\"4\" minor=\"4\"><header/><trailer/><messages>"
                                    "<message name=\"Deep\" msgtype=\"UD\" msgcat=\"app\">");
    for (int level = 1; level <= VIEW_LEVELS; level++) {
        count += (size_t)snprintf(out + count, room - count,
                                  "<group name=\"NoL%d\" required=\"N\"><field name=\"L%dID\" required=\"Y\"/>", level,
                                  level);
    }
    for (int level = 1; level <= VIEW_LEVELS; level++) {
        count += (size_t)snprintf(out + count, room - count, "</group>");
    }
    count += (size_t)snprintf(out + count, room - count, "</message></messages><components/><fields>");
    for (int level = 1; level <= VIEW_LEVELS; level++) {
        count += (size_t)snprintf(out + count, room - count,
                                  "<field number=\"%d\" name=\"NoL%d\" type=\"NUMINGROUP\"/>"
                                  "<field number=\"%d\" name=\"L%dID\" type=\"STRING\"/>",
                                  20000 + level, level, 20100 + level, level);
    }
    (void)snprintf(out + count, room - count,
                   "<field number=\"20200\" name=\"Account\" type=\"STRING\"/>"
                   "<field number=\"20201\" name=\"With&quot;Quote\" type=\"STRING\"/>"
                   "<field number=\"20202\" name=\"AFieldWhoseNameIsLongerThanMostNamesOfFieldsAre\" type=\"INT\"/>"
                   "</fields></fix>");
}

static inline int view_dict_open(void **state)
{
    char xml[8192];
    struct rf_error err;
    (void)state;
    view_dict_print(xml, sizeof xml);
    rf_arena_init(&view_dict_arena, 64 << 20);
    if (rf_fix_dict_read(&view_dict_arena, rf_str_of(xml), RF_STR("deep.xml"), rf_fix_dict_builtin(RF_STR("FIX.4.4")),
                         &view_dict, &err) != RF_OK) {
        fail_msg("%s", err.text);
    }
    return 0;
}

static inline int view_dict_close(void **state)
{
    (void)state;
    rf_arena_free(&view_dict_arena);
    return 0;
}

/* Copies, of exactly their size, so that a byte read outside is found. */
struct view {
    struct rf_fix_view view;
    uint8_t *bytes;
    uint32_t *tag, *begin, *count;
};

static inline struct view view_make(struct rf_str message, enum rf_fix_separator separator)
{
    struct rf_arena arena;
    struct rf_fix_fields fields;
    struct view view = {.bytes = malloc(message.count)};
    assert_non_null(view.bytes);
    memcpy(view.bytes, message.data, message.count);
    rf_arena_init(&arena, 1 << 30);
    assert_true(rf_fix_fields_read((struct rf_str){(const char *)view.bytes, message.count}, separator, false, &arena,
                                   &fields));
    assert_int_equal(fields.reason, RF_REASON_NONE);
    view.tag = malloc(fields.fields * sizeof *view.tag);
    view.begin = malloc(fields.fields * sizeof *view.begin);
    view.count = malloc(fields.fields * sizeof *view.count);
    assert_true(view.tag != NULL && view.begin != NULL && view.count != NULL);
    for (uint32_t i = 0; i < fields.fields; i++) {
        view.tag[i] = fields.field[i].tag;
        view.begin[i] = fields.field[i].begin;
        view.count[i] = fields.field[i].count;
    }
    view.view = (struct rf_fix_view){view.bytes, view.tag, view.begin, view.count, fields.fields, fields.flags};
    rf_arena_free(&arena);
    return view;
}

/* `body` with pipes between its fields; nothing here looks at BodyLength and CheckSum. */
static inline struct view view_of(const char *body)
{
    char *message = malloc(strlen(body) + 64);
    assert_non_null(message);
    const int count = sprintf(message, "8=FIX.4.4|9=5|%s10=007|", body);
    const struct view view = view_make((struct rf_str){message, (size_t)count}, RF_FIX_PIPE);
    free(message);
    return view;
}

static inline void view_free(struct view *view)
{
    free(view->bytes);
    free(view->tag);
    free(view->begin);
    free(view->count);
}

#endif
