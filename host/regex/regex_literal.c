/* What stands in every match, found bottom up: for each part of the tree the text that all its matches begin with, the
 * one they end with, and the longest one known to stand in them. Texts are cut at RF_REGEX_LITERAL_BYTES_MAX. */
#include "regex_literal.h"

#include "utf8.h"

enum { PIECE_MAX = RF_REGEX_LITERAL_BYTES_MAX, REQUIRED_MIN = 2, LITERAL_MAX = RF_REGEX_PATTERN_BYTES_MAX };

struct piece {
    char data[PIECE_MAX];
    uint32_t count;
};

struct texts {
    bool is_exact; /* there is one match only, and it is head, tail and inner at once */
    struct piece head, tail, inner;
};

static struct piece piece_of(const char *data, size_t count)
{
    struct piece piece;
    piece.count = (uint32_t)count;
    memcpy(piece.data, data, count);
    return piece;
}

/* a, then b; the first bytes of it or the last ones when it is too long. */
static struct piece piece_join(const struct piece *a, const struct piece *b, bool is_last)
{
    char both[2 * PIECE_MAX];
    memcpy(both, a->data, a->count);
    memcpy(both + a->count, b->data, b->count);
    const uint32_t count = a->count + b->count;
    const uint32_t kept = count < PIECE_MAX ? count : PIECE_MAX;
    return piece_of(is_last ? both + count - kept : both, kept);
}

static void piece_longest(struct piece *longest, const struct piece *other)
{
    if (other->count > longest->count) {
        *longest = *other;
    }
}

static struct piece piece_common_head(const struct piece *a, const struct piece *b)
{
    uint32_t count = 0;
    while (count < a->count && count < b->count && a->data[count] == b->data[count]) {
        count++;
    }
    return piece_of(a->data, count);
}

static struct piece piece_common_tail(const struct piece *a, const struct piece *b)
{
    uint32_t count = 0;
    while (count < a->count && count < b->count && a->data[a->count - 1 - count] == b->data[b->count - 1 - count]) {
        count++;
    }
    return piece_of(a->data + a->count - count, count);
}

/* The longest run of bytes that stands in both. */
static struct piece piece_common(const struct piece *a, const struct piece *b)
{
    uint8_t length[PIECE_MAX + 1] = {0}; /* [j]: of the common run that ends before b[j], for the row of a above */
    uint32_t best = 0;
    uint32_t end = 0;
    for (uint32_t i = 0; i < a->count; i++) {
        for (uint32_t j = b->count; j-- > 0;) {
            length[j + 1] = a->data[i] == b->data[j] ? (uint8_t)(length[j] + 1) : 0;
            if (length[j + 1] > best) {
                best = length[j + 1];
                end = i + 1;
            }
        }
    }
    return piece_of(a->data + end - best, best);
}

static void texts_exact(struct texts *texts, struct piece piece)
{
    *texts = (struct texts){.is_exact = true, .head = piece, .tail = piece, .inner = piece};
}

/* texts, then next. */
static void texts_append(struct texts *texts, const struct texts *next)
{
    const struct piece seam = piece_join(&texts->tail, &next->head, false);
    if (texts->is_exact && next->is_exact && texts->head.count + next->head.count <= PIECE_MAX) {
        texts_exact(texts, seam);
        return;
    }
    struct texts both = *texts;
    both.is_exact = false;
    if (texts->is_exact) {
        both.head = piece_join(&texts->head, &next->head, false);
    }
    both.tail = next->is_exact ? piece_join(&texts->tail, &next->tail, true) : next->tail;
    piece_longest(&both.inner, &next->inner);
    piece_longest(&both.inner, &seam);
    piece_longest(&both.inner, &both.head);
    piece_longest(&both.inner, &both.tail);
    *texts = both;
}

/* texts, or other. */
static void texts_choose(struct texts *texts, const struct texts *other)
{
    struct texts either = {
        .head = piece_common_head(&texts->head, &other->head),
        .tail = piece_common_tail(&texts->tail, &other->tail),
        .inner = piece_common(&texts->inner, &other->inner),
    };
    either.is_exact = texts->is_exact && other->is_exact && texts->head.count == other->head.count &&
                      either.head.count == texts->head.count;
    piece_longest(&either.inner, &either.head);
    piece_longest(&either.inner, &either.tail);
    *texts = either;
}

static void texts_repeat(struct texts *texts, int32_t min, int32_t max)
{
    if (min == 0) {
        *texts = (struct texts){0};
        return;
    }
    const struct texts once = *texts;
    /* More copies than fit make no difference, and an empty text none at all. */
    for (int32_t i = 1; i < min && i <= PIECE_MAX; i++) {
        texts_append(texts, &once);
    }
    texts->is_exact = texts->is_exact && max == min && min <= PIECE_MAX;
}

/* The recursion is bounded by RF_TREE_DEPTH_MAX; what it needs at each level lies in the arena. */
static struct texts *texts_of(const struct rf_tree *tree, struct rf_arena *arena)
{
    struct texts *const texts = RF_PUSH(arena, struct texts, 1);
    if (texts == NULL) {
        return NULL;
    }
    switch ((enum rf_tree_kind)tree->kind) {
    case RF_TREE_EMPTY:
    case RF_TREE_ASSERT:
        texts->is_exact = true;
        break;
    case RF_TREE_CODE: {
        char utf8[4];
        if (tree->code < RF_SURROGATE_FIRST || tree->code > RF_SURROGATE_LAST) {
            texts_exact(texts, piece_of(utf8, rf_utf8_write(tree->code, utf8)));
        }
        break;
    }
    case RF_TREE_CLASS:
    case RF_TREE_BYTE:
        break;
    case RF_TREE_CONCAT:
    case RF_TREE_ALTERNATE:
    case RF_TREE_REPEAT:
        for (uint32_t i = 0; i < tree->count; i++) {
            const struct rf_arena_mark mark = rf_arena_mark(arena);
            const struct texts *const part = texts_of(tree->child[i], arena);
            if (part == NULL) {
                return NULL;
            }
            if (i == 0) {
                *texts = *part;
            } else if (tree->kind == RF_TREE_CONCAT) {
                texts_append(texts, part);
            } else {
                texts_choose(texts, part);
            }
            rf_arena_rewind(arena, mark);
        }
        if (tree->kind == RF_TREE_REPEAT) {
            texts_repeat(texts, tree->min, tree->max);
        }
        break;
    }
    return texts;
}

static bool is_continuation(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

/* Parts of code points at the ends are left out: what is looked for should be text. */
static struct rf_str piece_trim(const struct piece *piece)
{
    uint32_t begin = 0;
    while (begin < piece->count && is_continuation(piece->data[begin])) {
        begin++;
    }
    const struct rf_str text = {piece->data + begin, piece->count - begin};
    return (struct rf_str){text.data, rf_utf8_valid_count(text)};
}

struct spelling { /* a pattern read as a literal */
    char *data;
    size_t count;
    bool is_at_begin, is_at_end;
};

static bool spelling_assert(struct spelling *spelling, enum rf_regex_assert assertion)
{
    if (assertion == RF_ASSERT_TEXT_BEGIN && spelling->count == 0 && !spelling->is_at_end) {
        spelling->is_at_begin = true;
        return true;
    }
    if (assertion == RF_ASSERT_TEXT_END) {
        spelling->is_at_end = true;
        return true;
    }
    return false;
}

/* Whether the tree only adds to the literal. The recursion is bounded by RF_TREE_DEPTH_MAX. */
static bool spelling_add(struct spelling *spelling, const struct rf_tree *tree)
{
    switch ((enum rf_tree_kind)tree->kind) {
    case RF_TREE_EMPTY:
        return true;
    case RF_TREE_ASSERT:
        return spelling_assert(spelling, (enum rf_regex_assert)tree->assertion);
    case RF_TREE_CODE:
        if (spelling->is_at_end || spelling->count > LITERAL_MAX - 4 ||
            (tree->code >= RF_SURROGATE_FIRST && tree->code <= RF_SURROGATE_LAST)) {
            return false;
        }
        spelling->count += rf_utf8_write(tree->code, spelling->data + spelling->count);
        return true;
    case RF_TREE_CONCAT:
        for (uint32_t i = 0; i < tree->count; i++) {
            if (!spelling_add(spelling, tree->child[i])) {
                return false;
            }
        }
        return true;
    case RF_TREE_REPEAT:
        for (int32_t i = 0; i < tree->min; i++) {
            if (tree->min != tree->max || !spelling_add(spelling, tree->child[0])) {
                return false;
            }
        }
        return tree->min == tree->max;
    case RF_TREE_CLASS:
    case RF_TREE_BYTE:
    case RF_TREE_ALTERNATE:
        break;
    }
    return false;
}

bool rf_regex_find_literals(const struct rf_tree *tree, struct rf_arena *scratch, struct rf_arena *arena,
                            struct rf_regex *regex)
{
    const struct texts *const texts = texts_of(tree, scratch);
    struct spelling spelling = {.data = rf_arena_push(scratch, LITERAL_MAX, 1, 1)};
    if (texts == NULL || spelling.data == NULL) {
        return false;
    }
    const struct rf_str required = piece_trim(&texts->inner);
    if (required.count >= REQUIRED_MIN) {
        regex->required = rf_arena_copy(arena, required);
        if (regex->required.data == NULL) {
            return false;
        }
    }
    if (spelling_add(&spelling, tree)) {
        regex->literal = (struct rf_regex_literal){
            .text = rf_arena_copy(arena, (struct rf_str){spelling.data, spelling.count}),
            .is_at_begin = spelling.is_at_begin,
            .is_at_end = spelling.is_at_end,
        };
        return regex->literal.text.data != NULL;
    }
    return true;
}

bool rf_regex_required_literal(const struct rf_regex *regex, struct rf_str *literal)
{
    *literal = regex->required;
    return literal->count != 0;
}

bool rf_regex_is_literal(const struct rf_regex *regex, struct rf_regex_literal *literal)
{
    *literal = regex->literal;
    return literal->text.data != NULL;
}
