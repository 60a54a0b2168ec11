/* Arbitrary bytes as JSON that describes a FIX message. Refused, and then nothing is written; or a message that framing finds
 * without fault whatever its separators, whose fields can be read, and which is the same again when it goes through JSON,
 * unless it repeats tags outside of groups or counts entries that are not there. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fix_choice.h"
#include "fix_fields.h"
#include "fix_from_json.h"
#include "fix_json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ARENA_BYTES_MAX = 1 << 30 };

static struct rf_fix_from_json converter;
static struct rf_fix_json json;
static struct rf_arena arena;
static struct rf_text first, second, text;
static struct rf_error err;

static void require(bool is_true, const char *what)
{
    if (!is_true) {
        fprintf(stderr, "fuzz_fix_json: %s\n%.*s\n%.*s\n%.*s\n", what, RF_STR_ARG(rf_text_str(&first)),
                RF_STR_ARG(rf_text_str(&text)), RF_STR_ARG(rf_text_str(&second)));
        abort();
    }
}

static void open_once(void)
{
    static struct rf_arena dictionary;
    static bool is_open;
    const struct rf_fix_dict *dict;
    if (is_open) {
        return;
    }
    is_open = true;
    rf_arena_init(&dictionary, RF_FIX_CHOICE_BYTES_MAX);
    rf_arena_init(&arena, ARENA_BYTES_MAX);
    require(rf_fix_choose(&dictionary, RF_STR(""), &dict, &err) == RF_OK &&
                rf_fix_from_json_open(&converter, dict, &err) == RF_OK &&
                rf_fix_json_open(&json, dict, RF_FIX_KEYS_NAME, &err) == RF_OK,
            err.text);
}

/* One entry, the whole of the text, without fault. */
static void frame_check(struct rf_str message, enum rf_fix_separator separator)
{
    struct rf_fix_entry entry;
    size_t needed = 0;
    require(rf_fix_entry_next((const uint8_t *)message.data, 0, message.count, message.count, RF_FIX_LAST, &entry,
                              &needed) == RF_FIX_ENTRY,
            "no entry");
    require(entry.kind == RF_FIX_MESSAGE && entry.reason == RF_REASON_NONE && entry.flags == 0, "a broken frame");
    require(entry.separator == separator && entry.message == 0 && entry.message_end == message.count,
            "another message");
}

/* The message as JSON again; false when it repeats tags, which JSON tells in another order. */
static bool json_make(struct rf_str message)
{
    struct rf_fix_fields fields;
    require(rf_fix_fields_read(message, RF_FIX_SOH, false, &arena, &fields), "no memory for the fields");
    require(fields.reason == RF_REASON_NONE, "fields that cannot be read");
    struct rf_fix_view view;
    require(rf_fix_fields_view(&fields, &arena, &view), "no memory for the spans");
    rf_text_clear(&text);
    require(rf_fix_json_write(&json, &view, &text, &err) == RF_OK, err.text);
    return !json.tree.has_repeats;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rf_fix_refusal refusal;
    open_once();
    rf_arena_reset(&arena);
    for (int s = RF_FIX_SOH; s <= RF_FIX_CARET; s++) {
        rf_text_clear(&first);
        require(rf_fix_from_json(&converter, (struct rf_str){(const char *)data, size}, (enum rf_fix_separator)s, &first,
                                 &refusal, &err) == RF_OK,
                err.text);
        require(refusal.is_refused == (first.count == 0), "written and refused, or neither");
        require(!refusal.is_refused || refusal.offset <= size, "refused for what is behind the text");
        if (!refusal.is_refused) {
            frame_check(rf_text_str(&first), (enum rf_fix_separator)s);
        }
        if (s != RF_FIX_SOH || refusal.is_refused || !json_make(rf_text_str(&first))) {
            continue;
        }
        rf_text_clear(&second);
        require(rf_fix_from_json(&converter, rf_text_str(&text), RF_FIX_SOH, &second, &refusal, &err) == RF_OK, err.text);
        if (refusal.is_refused) {
            require(strstr(refusal.text, " says ") != NULL, refusal.text);
        } else {
            require(rf_str_equal(rf_text_str(&first), rf_text_str(&second)), "another message");
        }
    }
    return 0;
}
