#include "outcome_part.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { PART_TEXT_MAX = 48, DIGEST_DIGITS = 16 };

static void part_show(const struct rf_outcome_part *part, char text[PART_TEXT_MAX])
{
    if (part->first == part->last) {
        (void)snprintf(text, PART_TEXT_MAX, "%" PRIu32 "/%" PRIu32, part->first + 1, part->of);
    } else {
        (void)snprintf(text, PART_TEXT_MAX, "%" PRIu32 "-%" PRIu32 "/%" PRIu32, part->first + 1, part->last + 1, part->of);
    }
}

enum rf_status rf_outcome_part_write(const struct rf_outcome_part *part, struct rf_text *out, struct rf_error *err)
{
    char text[PART_TEXT_MAX];
    if (part->of != 0) {
        part_show(part, text);
        RF_TRY(rf_text_printf(out, err, ",\"part\":\"%s\"", text));
        RF_TRY(part->cut == 0 ? RF_OK : rf_text_printf(out, err, ",\"cut\":\"%016" PRIx64 "\"", part->cut));
    }
    if (part->is_interrupted) {
        RF_TRY(rf_text_append(out, RF_STR(",\"interrupted\":true"), err));
    }
    return part->digest == 0 ? RF_OK : rf_text_printf(out, err, ",\"digest\":\"%016" PRIx64 "\"", part->digest);
}

bool rf_outcome_part_parse(struct rf_str text, struct rf_outcome_part *part)
{
    char copy[PART_TEXT_MAX];
    int used = 0;
    if (text.count >= sizeof copy || text.count == 0) {
        return false;
    }
    memcpy(copy, text.data, text.count);
    copy[text.count] = '\0';
    if (strspn(copy, "0123456789-/") != text.count) {
        return false;
    }
    if (sscanf(copy, "%7" SCNu32 "-%7" SCNu32 "/%7" SCNu32 "%n", &part->first, &part->last, &part->of, &used) != 3) {
        used = 0;
        if (sscanf(copy, "%7" SCNu32 "/%7" SCNu32 "%n", &part->first, &part->of, &used) != 2) {
            return false;
        }
        part->last = part->first;
    }
    const bool is_right =
        (size_t)used == text.count && part->first >= 1 && part->first <= part->last && part->last <= part->of;
    part->first--;
    part->last--;
    return is_right;
}

bool rf_outcome_digest_parse(struct rf_str text, uint64_t *digest)
{
    *digest = 0;
    for (size_t i = 0; i < text.count; i++) {
        const char c = text.data[i];
        const bool is_digit = c >= '0' && c <= '9';
        if (!is_digit && !(c >= 'a' && c <= 'f')) {
            return false;
        }
        *digest = *digest << 4 | (uint64_t)(is_digit ? c - '0' : c - 'a' + 10);
    }
    return text.count == DIGEST_DIGITS;
}

enum rf_status rf_outcome_part_join(struct rf_outcome_part *part, const struct rf_outcome_part *next, struct rf_error *err)
{
    char text[2][PART_TEXT_MAX];
    if (part->digest != 0 && next->digest != 0 && part->digest != next->digest) {
        RF_FAIL(err, RF_E_DATA, "the rules, or --time or --label, were others there");
    }
    if ((part->of == 0) != (next->of == 0)) {
        RF_FAIL(err, RF_E_DATA, "one is of a part of a run, the other of a whole run");
    }
    part->is_interrupted |= next->is_interrupted;
    part->digest = part->digest == 0 ? next->digest : part->digest;
    if (part->of == 0) {
        return RF_OK;
    }
    part_show(part, text[0]);
    part_show(next, text[1]);
    if (part->of != next->of) {
        RF_FAIL(err, RF_E_DATA, "part %s and part %s are not of one run", text[0], text[1]);
    }
    if (part->cut != 0 && next->cut != 0 && part->cut != next->cut) {
        RF_FAIL(err, RF_E_DATA, "part %s is of other files than part %s, or cut by another --shard-by", text[1], text[0]);
    }
    if (next->first <= part->last) {
        RF_FAIL(err, RF_E_DATA, "part %s is there twice, or %s has it already", text[1], text[0]);
    }
    if (next->first != part->last + 1) {
        RF_FAIL(err, RF_E_DATA, "part %" PRIu32 "/%" PRIu32 " is missing, between %s and %s", part->last + 2, part->of, text[0],
                text[1]);
    }
    part->last = next->last;
    return RF_OK;
}
