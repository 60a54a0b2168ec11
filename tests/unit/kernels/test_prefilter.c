/* test_prefilter.c: the prefilter against a naive definition of which records must stay, at every level. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "prefilter.h"
#include "prefilter_levels.h"
#include "text.h"

static uint64_t random_state = 1;

static uint32_t draw(uint32_t below)
{
    random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)(random_state >> 33) % below;
}

/* A program that has nothing but one group of literals. */
struct literals {
    struct rf_program program;
    struct rf_prefilter_group group;
    struct rf_str literal[RF_PREFILTER_LITERALS_MAX + 1];
    char text[RF_PREFILTER_LITERALS_MAX + 1][64];
};

static void literals_begin(struct literals *literals)
{
    memset(literals, 0, sizeof(*literals));
    literals->program.group = &literals->group;
    literals->program.groups = 1;
    literals->group.literal = literals->literal;
}

static void literals_add(struct literals *literals, struct rf_str text)
{
    const uint32_t n = literals->group.literals++;
    memcpy(literals->text[n], text.data, text.count);
    literals->literal[n] = (struct rf_str){literals->text[n], text.count};
    literals->group.has_slash |= memchr(text.data, '/', text.count) != NULL;
}

/* ---- The definition ---- */

static bool hex(char c, uint32_t *code)
{
    const char *digits = "0123456789abcdef";
    const char *at = memchr(digits, c >= 'A' && c <= 'F' ? c + 32 : c, 16);
    *code = *code * 16 + (at == NULL ? 0 : (uint32_t)(at - digits));
    return at != NULL;
}

/* May the escape at the head of `text` spell a character of a literal? */
static bool may_spell(const struct literals *literals, struct rf_str text)
{
    if (text.count >= 2 && text.data[1] == '/') {
        return literals->group.has_slash;
    }
    uint32_t code = 0;
    if (text.count < 6 || text.data[1] != 'u' || !hex(text.data[2], &code) || !hex(text.data[3], &code) ||
        !hex(text.data[4], &code) || !hex(text.data[5], &code)) {
        return false;
    }
    for (uint32_t n = 0; n < literals->group.literals; n++) {
        for (size_t i = 0; i < literals->literal[n].count; i++) {
            const uint8_t byte = (uint8_t)literals->literal[n].data[i];
            if (byte < 128 ? byte == code : code >= 128) {
                return true;
            }
        }
    }
    return false;
}

static bool must_stay(const struct literals *literals, struct rf_str record)
{
    for (uint32_t n = 0; n < literals->group.literals; n++) {
        if (rf_str_contains(record, literals->literal[n])) {
            return true;
        }
    }
    for (size_t at = 0; at < record.count; at++) {
        if (record.data[at] == '\\' && may_spell(literals, (struct rf_str){record.data + at, record.count - at})) {
            return true;
        }
    }
    return false;
}

/* ---- The check of one batch ---- */

/* The bytes at the end of a heap block with exactly the promised padding, of another content each time. */
static struct rf_batch batch_make(const struct rf_text *text)
{
    uint8_t *bytes = malloc(text->count + RF_BATCH_PADDING);
    assert_non_null(bytes);
    memcpy(bytes, text->data, text->count);
    for (size_t i = 0; i < RF_BATCH_PADDING; i++) {
        bytes[text->count + i] = (uint8_t) "needle\\u0065\n\"/"[draw(15)];
    }
    return (struct rf_batch){.bytes = bytes, .bytes_used = (uint32_t)text->count, .owned = bytes};
}

static void assert_level(const struct literals *literals, enum rf_isa isa, const struct rf_batch *batch, uint32_t begin)
{
    static struct rf_span32 span[RF_PREFILTER_SPANS_MAX];
    struct rf_prefilter prefilter;
    rf_prefilter_make(&prefilter, &literals->program);
    assert_int_equal(prefilter.probes, literals->group.literals);
    uint32_t lines = 0;
    uint8_t *sieved = malloc((batch->bytes_used - begin) / 2 + 1); /* exact, so that a byte more would be seen */
    assert_non_null(sieved);
    const uint32_t spans = rf_prefilter_run(&prefilter, isa, batch, begin, span, sieved, &lines);
    uint32_t kept = 0;
    uint32_t stays = 0;
    uint32_t next = 0;
    uint32_t records = 0;
    for (uint32_t at = begin; at < batch->bytes_used; records++) {
        const uint8_t *line_end = memchr(batch->bytes + at, '\n', batch->bytes_used - at);
        const uint32_t end = line_end == NULL ? batch->bytes_used : (uint32_t)(line_end - batch->bytes) + 1;
        const bool stay = must_stay(literals, (struct rf_str){(const char *)batch->bytes + at, end - at});
        stays += stay ? end - at : 0;
        if (spans != RF_NONE) {
            next += next < spans && at >= span[next].end;
            const bool is_kept = next < spans && at >= span[next].begin && end <= span[next].end;
            if (is_kept != stay) {
                fail_msg("%s: record at %u of %u bytes from %u is %s: %.*s", rf_isa_name(isa), at, batch->bytes_used,
                         begin, is_kept ? "kept" : "lost", (int)(end - at), (const char *)batch->bytes + at);
            }
            kept += is_kept ? end - at : 0;
        }
        at = end;
    }
    if (spans == RF_NONE) { /* only where it is not worth it */
        assert_true(stays > (batch->bytes_used - begin) / 2);
        free(sieved);
        return;
    }
    assert_int_equal(lines, records);
    assert_true(stays <= (batch->bytes_used - begin) / 2);
    uint32_t sum = 0;
    for (uint32_t s = 0; s < spans; s++) { /* ascending, and neighbours are merged */
        assert_true(span[s].begin < span[s].end);
        assert_true(span[s].begin >= begin && span[s].end <= batch->bytes_used);
        assert_true(s == 0 || span[s].begin > span[s - 1].end);
        assert_memory_equal(sieved + sum, batch->bytes + span[s].begin, span[s].end - span[s].begin);
        sum += span[s].end - span[s].begin;
    }
    assert_int_equal(sum, kept);
    free(sieved);
}

static void assert_levels(const struct literals *literals, const struct rf_text *text)
{
    const struct rf_batch batch = batch_make(text);
    for (int isa = RF_ISA_SCALAR; isa <= (int)rf_isa_best(); isa++) {
        assert_level(literals, (enum rf_isa)isa, &batch, 0);
        const uint8_t *line_end = memchr(batch.bytes, '\n', batch.bytes_used); /* a later round */
        if (line_end != NULL && (uint32_t)(line_end - batch.bytes) + 1 < batch.bytes_used) {
            assert_level(literals, (enum rf_isa)isa, &batch, (uint32_t)(line_end - batch.bytes) + 1);
        }
    }
    free(batch.owned);
}

static void put(struct rf_text *text, struct rf_str part)
{
    struct rf_error err;
    assert_int_equal(rf_text_append(text, part, &err), RF_OK);
}

/* ---- The tests ---- */

/* Random literals from a small alphabet, and records made of their pieces, of escapes and of filling. */
static void random_literals(struct literals *literals)
{
    static const char alphabet[] = "aab:/ .0\xc3\xa9";
    literals_begin(literals);
    const uint32_t count = 1 + draw(draw(4) == 0 ? RF_PREFILTER_LITERALS_MAX : 3);
    for (uint32_t n = 0; n < count; n++) {
        char text[64];
        const size_t bytes = 2 + draw(draw(4) == 0 ? 63 : 6);
        for (size_t i = 0; i < bytes; i++) {
            text[i] = alphabet[draw(sizeof(alphabet) - 1)];
        }
        literals_add(literals, (struct rf_str){text, bytes});
    }
}

static void random_piece(const struct literals *literals, struct rf_text *text)
{
    static const char *const escapes[] = {"\\u0061", "\\u00e9", "\\u002F", "\\u002f", "\\/",       "\\n",
                                          "\\u0041", "\\u12",   "\\uzzzz", "\\",      "\\\\u0061", "\\u007a"};
    const struct rf_str literal = literals->literal[draw(literals->group.literals)];
    switch (draw(40)) {
    case 0:
        put(text, literal);
        break;
    case 1:
        put(text, (struct rf_str){literal.data, literal.count - 1});
        break;
    case 2:
        put(text, (struct rf_str){literal.data + 1, literal.count - 1});
        break;
    case 3:
        put(text, rf_str_of(escapes[draw(sizeof(escapes) / sizeof(escapes[0]))]));
        break;
    case 4: /* over a line end it does not count */
        put(text, (struct rf_str){literal.data, literal.count / 2});
        put(text, RF_STR("\n"));
        put(text, (struct rf_str){literal.data + literal.count / 2, literal.count - literal.count / 2});
        break;
    case 5:
        put(text, RF_STR("\n"));
        break;
    default:
        put(text, (struct rf_str){"xyzxyzxyzxyzxyzxyzxyzxyzxyzxyzxyzxyzxyzxyz", 1 + draw(40)});
        break;
    }
}

static void test_random(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 3000; i++) {
        struct literals literals;
        struct rf_text text = {0};
        random_literals(&literals);
        const uint32_t pieces = 1 + draw(i % 10 == 0 ? 600 : 40);
        for (uint32_t p = 0; p < pieces; p++) {
            random_piece(&literals, &text);
            if (draw(3) == 0) {
                put(&text, RF_STR("\n"));
            }
        }
        assert_levels(&literals, &text);
        rf_text_free(&text);
    }
}

/* A literal, or an escape, at every place near the batch's beginning, its end, and the edges of words. */
static void test_places(void **state)
{
    (void)state;
    static const char *const found[] = {"needle", "\\u006e", "\\/", "needl", "\\u006"};
    for (size_t f = 0; f < sizeof(found) / sizeof(found[0]); f++) {
        for (uint32_t at = 0; at < 200; at++) {
            for (int has_line_end = 0; has_line_end < 2; has_line_end++) {
                for (int is_last = 0; is_last < 2; is_last++) {
                    struct literals literals;
                    literals_begin(&literals);
                    literals_add(&literals, RF_STR("needle"));
                    literals_add(&literals, RF_STR("a/b"));
                    struct rf_text text = {0};
                    for (uint32_t i = 0; i < at; i++) {
                        put(&text, i % 30 == 29 ? RF_STR("\n") : RF_STR("."));
                    }
                    put(&text, rf_str_of(found[f]));
                    put(&text, has_line_end ? RF_STR("\n") : RF_STR(""));
                    for (uint32_t i = 0; i < 230 && !is_last; i++) {
                        put(&text, i % 30 == 29 ? RF_STR("\n") : RF_STR("."));
                    }
                    assert_levels(&literals, &text);
                    rf_text_free(&text);
                }
            }
        }
    }
}

/* As many spans as there is room for, one more, and neighbours that are one span. */
static void test_spans(void **state)
{
    (void)state;
    static struct rf_span32 span[RF_PREFILTER_SPANS_MAX];
    struct literals literals;
    literals_begin(&literals);
    literals_add(&literals, RF_STR("needle"));
    struct rf_prefilter prefilter;
    rf_prefilter_make(&prefilter, &literals.program);
    for (uint32_t wanted = RF_PREFILTER_SPANS_MAX - 1; wanted <= RF_PREFILTER_SPANS_MAX + 1; wanted++) {
        struct rf_text text = {0};
        for (uint32_t i = 0; i < wanted; i++) {
            put(&text, RF_STR("needle\nneedle\n.............................\n"));
        }
        const struct rf_batch batch = batch_make(&text);
        uint8_t *sieved = malloc(batch.bytes_used / 2 + 1);
        assert_non_null(sieved);
        for (int isa = RF_ISA_SCALAR; isa <= (int)rf_isa_best(); isa++) {
            uint32_t lines = 0;
            const uint32_t spans = rf_prefilter_run(&prefilter, (enum rf_isa)isa, &batch, 0, span, sieved, &lines);
            assert_int_equal(spans, wanted > RF_PREFILTER_SPANS_MAX ? RF_NONE : wanted);
            if (spans != RF_NONE) {
                assert_int_equal(lines, 3 * wanted);
                for (uint32_t s = 0; s < spans; s++) {
                    assert_int_equal(span[s].begin, s * 44);
                    assert_int_equal(span[s].end, s * 44 + 14);
                }
            }
        }
        free(sieved);
        free(batch.owned);
        rf_text_free(&text);
    }
}

/* RF_NONE when more than half of the bytes would stay. */
static void test_none(void **state)
{
    (void)state;
    static struct rf_span32 span[RF_PREFILTER_SPANS_MAX];
    struct literals literals;
    literals_begin(&literals);
    literals_add(&literals, RF_STR("needle"));
    struct rf_prefilter prefilter;
    rf_prefilter_make(&prefilter, &literals.program);
    for (size_t filling = 5; filling <= 7; filling++) {
        struct rf_text text = {0};
        put(&text, RF_STR("needle\n"));
        put(&text, (struct rf_str){".......", filling});
        put(&text, RF_STR("\n"));
        const struct rf_batch batch = batch_make(&text);
        uint8_t *sieved = malloc(batch.bytes_used / 2 + 1);
        assert_non_null(sieved);
        for (int isa = RF_ISA_SCALAR; isa <= (int)rf_isa_best(); isa++) {
            uint32_t lines = 0;
            const uint32_t spans = rf_prefilter_run(&prefilter, (enum rf_isa)isa, &batch, 0, span, sieved, &lines);
            assert_int_equal(spans, filling < 6 ? RF_NONE : 1);
        }
        free(sieved);
        free(batch.owned);
        rf_text_free(&text);
    }
}

/* rf_prefilter_make: which programs have one. */
static void test_make(void **state)
{
    (void)state;
    struct rf_prefilter prefilter;
    struct rf_program nothing;
    memset(&nothing, 0, sizeof(nothing));
    rf_prefilter_make(&prefilter, &nothing);
    assert_int_equal(prefilter.probes, 0);
    struct literals literals;
    literals_begin(&literals);
    for (uint32_t n = 0; n < RF_PREFILTER_LITERALS_MAX; n++) {
        literals_add(&literals, RF_STR("ab"));
    }
    rf_prefilter_make(&prefilter, &literals.program);
    assert_int_equal(prefilter.probes, RF_PREFILTER_LITERALS_MAX);
    assert_false(prefilter.has_slash);
    assert_false(prefilter.spells_wide);
    literals_add(&literals, RF_STR("ab"));
    rf_prefilter_make(&prefilter, &literals.program);
    assert_int_equal(prefilter.probes, 0);
    literals_begin(&literals);
    literals_add(&literals, RF_STR("ab"));
    literals_add(&literals, RF_STR("c"));
    rf_prefilter_make(&prefilter, &literals.program);
    assert_int_equal(prefilter.probes, 0);
    literals_begin(&literals);
    literals_add(&literals, RF_STR("/\xc3\xa9"));
    rf_prefilter_make(&prefilter, &literals.program);
    assert_true(prefilter.has_slash);
    assert_true(prefilter.spells_wide);
}

/* rf_prefilter_is_literal, rf_prefilter_may_spell: at both ends of the batch. */
static void test_candidates(void **state)
{
    (void)state;
    struct literals literals;
    literals_begin(&literals);
    literals_add(&literals, RF_STR("axQ"));
    struct rf_prefilter prefilter;
    rf_prefilter_make(&prefilter, &literals.program);
    struct rf_text text = {0};
    put(&text, RF_STR("axQ.xQ\\u0051\\u0052\\/\\u005"));
    const struct rf_batch batch = batch_make(&text);
    const struct rf_prefilter_probe *probe = &prefilter.probe[0];
    assert_true(rf_prefilter_is_literal(probe, &batch, 0, probe->first_at));
    assert_int_equal(probe->first_at, 1);
    assert_false(rf_prefilter_is_literal(probe, &batch, 1, 1)); /* it would begin before the round */
    assert_false(rf_prefilter_is_literal(probe, &batch, 0, 4));
    assert_true(rf_prefilter_may_spell(&prefilter, &batch, 6));
    assert_false(rf_prefilter_may_spell(&prefilter, &batch, 12));
    assert_false(rf_prefilter_may_spell(&prefilter, &batch, 18));
    assert_false(rf_prefilter_may_spell(&prefilter, &batch, 20)); /* cut off by the end */
    free(batch.owned);
    rf_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random), cmocka_unit_test(test_places), cmocka_unit_test(test_spans),
        cmocka_unit_test(test_none),   cmocka_unit_test(test_make),   cmocka_unit_test(test_candidates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
