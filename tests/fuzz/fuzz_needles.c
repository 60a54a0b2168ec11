/* Many literals and expressions searched at once, in texts of any bytes: each must be found where a search for it alone
 * finds it, at each instruction-set level. The input is lines: literals (those that begin with $ count at the end of a text),
 * expressions behind a line of one /, texts behind another one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "needles.h"
#include "regex_lanes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { NEEDLES_MAX = 256, REGEXES_MAX = 8, TEXTS_MAX = 128, WORDS = TEXTS_MAX / 64 };

struct input {
    struct rf_needle needle[NEEDLES_MAX];
    uint32_t needles;
    struct rf_str pattern[REGEXES_MAX];
    uint32_t patterns;
    struct rf_str text[TEXTS_MAX];
    uint32_t texts;
};

static void line_take(struct input *input, struct rf_str line, uint32_t part)
{
    if (part == 0) {
        const bool is_at_end = line.count != 0 && line.data[0] == '$';
        const struct rf_str text = {line.data + is_at_end, line.count - is_at_end};
        if (text.count >= RF_NEEDLE_BYTES_MIN && input->needles < NEEDLES_MAX) {
            input->needle[input->needles] = (struct rf_needle){text, input->needles, is_at_end};
            input->needles++;
        }
    } else if (part == 1 && input->patterns < REGEXES_MAX) {
        input->pattern[input->patterns++] = line;
    } else if (part > 1 && input->texts < TEXTS_MAX) {
        input->text[input->texts++] = line;
    }
}

static void input_read(struct input *input, const char *data, size_t size)
{
    uint32_t part = 0;
    for (size_t at = 0; at < size;) {
        const char *end = memchr(data + at, '\n', size - at);
        const size_t count = end == NULL ? size - at : (size_t)(end - (data + at));
        const struct rf_str line = {data + at, count};
        if (rf_str_equal(line, RF_STR("/"))) {
            part++;
        } else {
            line_take(input, line, part);
        }
        at += count + 1;
    }
}

static void literals_check(const struct input *input, struct rf_arena *arena)
{
    static struct rf_packed_texts packed;
    static uint64_t bits[2][NEEDLES_MAX][WORDS];
    struct rf_needles *set;
    struct rf_error err;
    bool is_left[NEEDLES_MAX];
    if (rf_needles_make(&set, input->needle, input->needles, is_left, arena, &err) != RF_OK) {
        return;
    }
    for (int isa = 0; isa <= (int)rf_isa_best(); isa++) {
        memset(bits, 0, sizeof bits);
        rf_packed_texts_clear(&packed);
        for (uint32_t t = 0; t < input->texts; t++) {
            rf_needles_find_in(set, (enum rf_isa)isa, input->text[t], t, bits[1][0], WORDS);
            if (!rf_packed_texts_can(&packed, input->text[t].count)) {
                rf_needles_find(set, (enum rf_isa)isa, &packed, bits[0][0], WORDS);
                rf_packed_texts_clear(&packed);
            }
            if (rf_packed_texts_can(&packed, input->text[t].count)) {
                rf_packed_texts_add(&packed, input->text[t], t);
            } else {
                rf_needles_find_in(set, (enum rf_isa)isa, input->text[t], t, bits[0][0], WORDS);
            }
        }
        rf_needles_find(set, (enum rf_isa)isa, &packed, bits[0][0], WORDS);
        for (uint32_t n = 0; n < input->needles; n++) {
            const struct rf_needle *needle = &input->needle[n];
            for (uint32_t t = 0; t < input->texts; t++) {
                const bool is_there = needle->is_at_end ? rf_str_ends(input->text[t], needle->text)
                                                        : rf_str_contains(input->text[t], needle->text);
                for (int form = 0; form < 2; form++) {
                    if ((bits[form][n][t / 64] >> t % 64 & 1) != (is_there && !is_left[n])) {
                        fprintf(stderr, "fuzz_needles: %s, form %d: needle %u in text %u: %d wanted\n",
                                rf_isa_name((enum rf_isa)isa), form, n, t, is_there);
                        abort();
                    }
                }
            }
        }
    }
}

static void regexes_check(const struct input *input, struct rf_arena *arena)
{
    struct rf_text_lanes texts[RF_LANES_GROUPS];
    const struct rf_lanes_kernels *kernels = rf_lanes_kernels_of(rf_isa_best());
    if (kernels == NULL) {
        return;
    }
    kernels->fill(texts, input->text);
    for (uint32_t p = 0; p < input->patterns; p++) {
        struct rf_regex *regex;
        struct rf_regex_lanes lanes;
        uint64_t match[RF_LANES_GROUPS];
        struct rf_error err;
        size_t error_at;
        if (rf_regex_compile(input->pattern[p], arena, &regex, &error_at, &err) != RF_OK ||
            !rf_regex_lanes_make(&lanes, regex)) {
            continue;
        }
        kernels->match(&lanes, texts, match);
        for (uint32_t t = 0; t < TEXTS_MAX; t++) {
            const bool is_odd = (texts[t / 64].odd >> t % 64 & 1) != 0;
            if (!is_odd && (match[t / 64] >> t % 64 & 1) != rf_regex_match(regex, input->text[t])) {
                fprintf(stderr, "fuzz_needles: expression %u in text %u\n", p, t);
                abort();
            }
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    _Static_assert(TEXTS_MAX == RF_LANES_GROUPS * RF_LANES, "all groups");
    static struct input input;
    struct rf_arena arena;
    input = (struct input){0};
    for (uint32_t t = 0; t < TEXTS_MAX; t++) {
        input.text[t] = RF_STR("");
    }
    rf_arena_init(&arena, (size_t)256 << 20);
    input_read(&input, (const char *)data, size);
    literals_check(&input, &arena);
    regexes_check(&input, &arena);
    rf_arena_free(&arena);
    return 0;
}
