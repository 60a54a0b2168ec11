/* walk.c: two passes over a record. The first checks the structure and notes where the value of each trie path lies
 * (a later duplicate overwrites an earlier one); the second looks into those values only. So the verdict is the first
 * problem of structure, or else the first problem in a touched value, whatever the order of the paths. */
#include "walk.h"

#include <assert.h>

#include "token.h"
#include "walk_value.h"

/* The helpers of the main loop: left to themselves compilers make calls of some, which costs a fifth of the speed. */
#define WALK_INLINE static inline __attribute__((always_inline))

/* What the grammar allows next. */
enum expect {
    EXPECT_VALUE,
    EXPECT_ELEMENT_OR_CLOSE, /* behind [ */
    EXPECT_KEY_OR_CLOSE,     /* behind { */
    EXPECT_KEY,              /* behind , of an object */
    EXPECT_COLON,
    EXPECT_NEXT,   /* , or the closing bracket */
    EXPECT_NOTHING /* behind the top-level value */
};

struct walk {
    const struct rf_program *program;
    const uint8_t *bytes; /* of the batch */
    uint32_t begin;       /* of the record */
    uint32_t end;
    uint32_t depth_max;
    struct rf_columns *columns; /* NULL: verdict only, no path is followed */
    uint32_t row;
    enum expect expect;
    uint32_t depth;     /* open containers */
    uint32_t unmatched; /* of them, those below the innermost one that the trie knows */
    uint32_t node;      /* trie node of that container, RF_NONE outside the trie */
    uint32_t child;     /* trie node of the value that comes next, RF_NONE when nobody wants it */
    uint32_t recent;    /* child that matched last: keys mostly come in the same order */
    uint32_t element;   /* number of the next element when the matched container is a list */
    uint64_t is_object[RF_DEPTH_MAX_LIMIT / 64]; /* one bit for each open container */
};

static struct rf_malformed walk_bad(const struct walk *walk, enum rf_reason reason, uint32_t at)
{
    return (struct rf_malformed){reason, at - walk->begin};
}

static const struct rf_malformed well_formed = {RF_REASON_NONE, 0};

/* Sets every cell below a node (not its own) to NOPARENT: preorder along the links, no stack. */
static void subtree_reset(const struct walk *walk, uint32_t top)
{
    const struct rf_trie_node *node = walk->program->node;
    uint32_t at = node[top].first_child;
    while (at != RF_NONE) {
        rf_cell_set(&walk->columns->slot[node[at].slot], walk->row, RF_TAG_NOPARENT, 0, 0, 0);
        if (node[at].first_child != RF_NONE) {
            at = node[at].first_child;
            continue;
        }
        while (node[at].next_sibling == RF_NONE) {
            at = node[at].parent;
            if (at == top) {
                return;
            }
        }
        at = node[at].next_sibling;
    }
}

/* Every cell of the message's slots starts as NOPARENT. */
static void cells_clear(const struct walk *walk)
{
    const struct rf_program *program = walk->program;
    for (uint32_t s = 0; s < program->slots; s++) {
        if (program->slot[s].root == RF_ROOT_MSG) {
            rf_cell_set(&walk->columns->slot[s], walk->row, RF_TAG_NOPARENT, 0, 0, 0);
        }
    }
}

/* Where the value of walk->child lies. The tag is a first guess that the second pass makes true. */
static void value_note(const struct walk *walk, enum rf_tag guess, uint32_t begin, uint32_t length)
{
    const uint32_t slot = walk->program->node[walk->child].slot;
    if (slot != RF_NONE) {
        rf_cell_set(&walk->columns->slot[slot], walk->row, guess, 0, begin, length);
    }
}

static void value_done(struct walk *walk)
{
    walk->child = RF_NONE;
    walk->expect = walk->depth == 0 ? EXPECT_NOTHING : EXPECT_NEXT;
}

/* The trie node of the next element of the matched list. */
static void element_match(struct walk *walk)
{
    walk->child = RF_NONE;
    if (walk->node == RF_NONE || walk->unmatched != 0) {
        return;
    }
    const struct rf_trie_node *node = walk->program->node;
    for (uint32_t c = node[walk->node].first_child; c != RF_NONE; c = node[c].next_sibling) {
        if (node[c].step.is_index && node[c].step.index == walk->element) {
            walk->child = c;
            break;
        }
    }
    walk->element++;
}

WALK_INLINE bool key_is(struct rf_str raw, bool has_escape, const struct rf_step *step)
{
    if (step->is_index) {
        return false;
    }
    if (has_escape) {
        return rf_token_key_equal(raw, step->key);
    }
    /* Keys of one length mostly differ in their last byte; only then is a call worth it. */
    return raw.count == step->key.count &&
           (raw.count == 0 || (raw.data[raw.count - 1] == step->key.data[raw.count - 1] &&
                               memcmp(raw.data, step->key.data, raw.count) == 0));
}

/* The trie node of the member whose key's inside is `raw`. */
WALK_INLINE void key_match(struct walk *walk, struct rf_str raw, bool has_escape)
{
    walk->child = RF_NONE;
    if (walk->node == RF_NONE || walk->unmatched != 0) {
        return;
    }
    const struct rf_trie_node *node = walk->program->node;
    const uint32_t first = node[walk->node].first_child;
    uint32_t start = first;
    if (walk->recent != RF_NONE && node[walk->recent].parent == walk->node &&
        node[walk->recent].next_sibling != RF_NONE) {
        start = node[walk->recent].next_sibling;
    }
    uint32_t c = start;
    while (c != RF_NONE && !key_is(raw, has_escape, &node[c].step)) {
        c = node[c].next_sibling == RF_NONE ? first : node[c].next_sibling;
        c = c == start ? RF_NONE : c;
    }
    if (c == RF_NONE) {
        return;
    }
    walk->child = c;
    walk->recent = c;
    const uint8_t seen = walk->columns->slot[node[c].slot].tag[walk->row];
    if (seen == RF_TAG_LIST || seen == RF_TAG_OBJECT) {
        subtree_reset(walk, c); /* the key again: what the earlier value held does not count */
    }
}

/* Enters the container at `at`. */
WALK_INLINE struct rf_malformed container_open(struct walk *walk, uint32_t at, bool is_object)
{
    if (walk->depth == walk->depth_max) {
        return walk_bad(walk, RF_REASON_DEEP, at);
    }
    uint64_t *word = &walk->is_object[walk->depth / 64];
    const uint64_t below = (1ull << (walk->depth % 64)) - 1; /* bits above the top were never written */
    *word = (below == 0 ? 0 : *word & below) | (uint64_t)is_object << (walk->depth % 64);
    walk->depth++;
    walk->expect = is_object ? EXPECT_KEY_OR_CLOSE : EXPECT_ELEMENT_OR_CLOSE;
    if (walk->child == RF_NONE) {
        walk->unmatched++;
        return well_formed;
    }
    value_note(walk, is_object ? RF_TAG_OBJECT : RF_TAG_LIST, at, 0);
    walk->node = walk->child;
    walk->element = 0;
    const struct rf_trie_node *node = walk->program->node;
    for (uint32_t c = node[walk->node].first_child; c != RF_NONE; c = node[c].next_sibling) {
        if (node[c].step.is_index != is_object) {
            walk->columns->slot[node[c].slot].tag[walk->row] = RF_TAG_ABSENT;
        }
    }
    return well_formed;
}

/* Leaves the innermost container, whose closing bracket is at `at`. */
static void container_close(struct walk *walk, uint32_t at)
{
    walk->depth--;
    if (walk->unmatched != 0) {
        walk->unmatched--;
    } else if (walk->node != RF_NONE) {
        const struct rf_trie_node *closed = &walk->program->node[walk->node];
        if (closed->slot != RF_NONE) {
            struct rf_column *column = &walk->columns->slot[closed->slot];
            column->length[walk->row] = at + 1 - column->begin[walk->row];
        }
        /* The parent's count of elements went on from this one; for an object it is not used. */
        walk->element = closed->step.index + 1;
        walk->node = closed->parent;
    }
    value_done(walk);
}

static bool top_is_object(const struct walk *walk)
{
    const uint32_t top = walk->depth - 1;
    return ((walk->is_object[top / 64] >> (top % 64)) & 1) != 0;
}

/* A closing bracket: not now, or of the wrong kind, or the end of the container. */
WALK_INLINE struct rf_malformed bracket_close(struct walk *walk, uint32_t at, bool is_object)
{
    if (walk->expect == EXPECT_NOTHING) {
        return walk_bad(walk, RF_REASON_EXTRA, at);
    }
    if (walk->expect != EXPECT_NEXT && walk->expect != EXPECT_KEY_OR_CLOSE && walk->expect != EXPECT_ELEMENT_OR_CLOSE) {
        return walk_bad(walk, RF_REASON_UNEXPECTED, at);
    }
    if (top_is_object(walk) != is_object) {
        return walk_bad(walk, RF_REASON_BRACKET, at);
    }
    container_close(walk, at);
    return well_formed;
}

/* A quote at *at: a key or a string value. */
WALK_INLINE struct rf_malformed string_take(struct walk *walk, uint32_t *at)
{
    const bool is_key = walk->expect == EXPECT_KEY || walk->expect == EXPECT_KEY_OR_CLOSE;
    bool has_escape = false;
    const uint32_t inside = *at + 1;
    const uint32_t close = rf_token_string_end(walk->bytes, inside, walk->end, &has_escape);
    if (close == walk->end) {
        return walk_bad(walk, RF_REASON_OPEN_STRING, *at);
    }
    if (is_key) {
        key_match(walk, (struct rf_str){(const char *)walk->bytes + inside, close - inside}, has_escape);
        walk->expect = EXPECT_COLON;
    } else {
        if (walk->child != RF_NONE) {
            value_note(walk, has_escape ? RF_TAG_STRING_ESCAPED : RF_TAG_STRING_RAW, inside, close - inside);
        }
        value_done(walk);
    }
    *at = close + 1;
    return well_formed;
}

/* May a value, or for a quote also a key, stand here? Enters the next element of a list on the way. */
WALK_INLINE struct rf_malformed value_may_begin(struct walk *walk, uint32_t at, uint8_t byte)
{
    switch (walk->expect) {
    case EXPECT_ELEMENT_OR_CLOSE:
        element_match(walk);
        return well_formed;
    case EXPECT_VALUE:
        return well_formed;
    case EXPECT_KEY_OR_CLOSE:
    case EXPECT_KEY:
        return byte == '"' ? well_formed : walk_bad(walk, RF_REASON_UNEXPECTED, at);
    case EXPECT_NOTHING:
        return walk_bad(walk, RF_REASON_EXTRA, at);
    case EXPECT_COLON:
    case EXPECT_NEXT:
        break;
    }
    return walk_bad(walk, RF_REASON_UNEXPECTED, at);
}

/* A colon or a comma. */
WALK_INLINE struct rf_malformed separator_take(struct walk *walk, uint32_t at, uint8_t byte)
{
    if (byte == ':' && walk->expect == EXPECT_COLON) {
        walk->expect = EXPECT_VALUE;
        return well_formed;
    }
    if (byte == ',' && walk->expect == EXPECT_NEXT) {
        if (top_is_object(walk)) {
            walk->expect = EXPECT_KEY;
        } else {
            walk->expect = EXPECT_VALUE;
            element_match(walk);
        }
        return well_formed;
    }
    return walk_bad(walk, walk->expect == EXPECT_NOTHING ? RF_REASON_EXTRA : RF_REASON_UNEXPECTED, at);
}

/* First pass. */
static struct rf_malformed structure_walk(struct walk *walk)
{
    const uint8_t *const bytes = walk->bytes;
    const uint32_t end = walk->end;
    uint32_t at = walk->begin;
    while (at < end) {
        const uint8_t byte = bytes[at];
        struct rf_malformed bad = well_formed;
        switch (byte) {
        case ' ':
        case '\t':
        case '\r':
        case '\n':
            at++;
            continue;
        case ':':
        case ',':
            bad = separator_take(walk, at++, byte);
            break;
        case '}':
        case ']':
            bad = bracket_close(walk, at++, byte == '}');
            break;
        case '{':
        case '[':
            bad = value_may_begin(walk, at, byte);
            if (bad.reason == RF_REASON_NONE) {
                bad = container_open(walk, at++, byte == '{');
            }
            break;
        case '"':
            bad = value_may_begin(walk, at, byte);
            if (bad.reason == RF_REASON_NONE) {
                bad = string_take(walk, &at);
            }
            break;
        default:
            bad = value_may_begin(walk, at, byte);
            if (bad.reason == RF_REASON_NONE) {
                const uint32_t stop = rf_token_scalar_end(bytes, at, end);
                if (walk->child != RF_NONE) {
                    value_note(walk, RF_TAG_NUMBER, at, stop - at);
                }
                value_done(walk);
                at = stop;
            }
            break;
        }
        if (bad.reason != RF_REASON_NONE) {
            return bad;
        }
        /* The separator mostly follows at once: two of the four tokens of a member need no dispatch. */
        if (at < end &&
            ((bytes[at] == ':' && walk->expect == EXPECT_COLON) || (bytes[at] == ',' && walk->expect == EXPECT_NEXT))) {
            (void)separator_take(walk, at, bytes[at]);
            at++;
        }
    }
    return walk->expect == EXPECT_NOTHING ? well_formed : walk_bad(walk, RF_REASON_UNFINISHED, end);
}

/* Second pass: the cells noted by the first get their true tag and payload; gives the first problem in byte order. */
static struct rf_malformed values_fill(const struct walk *walk, const struct rf_batch *batch)
{
    const struct rf_program *program = walk->program;
    struct rf_malformed first = well_formed;
    for (uint32_t slot = 0; slot < program->slots; slot++) {
        if (program->slot[slot].root != RF_ROOT_MSG) {
            continue;
        }
        const struct rf_column *column = &walk->columns->slot[slot];
        const uint32_t begin = column->begin[walk->row];
        const uint32_t length = column->length[walk->row];
        const enum rf_tag guess = (enum rf_tag)column->tag[walk->row];
        struct rf_malformed bad = well_formed;
        if (guess == RF_TAG_STRING_RAW || guess == RF_TAG_STRING_ESCAPED) {
            bad = rf_walk_value_string(batch, begin, length, guess == RF_TAG_STRING_ESCAPED, walk->columns, slot,
                                       walk->row);
        } else if (guess == RF_TAG_NUMBER) {
            bad = rf_walk_value_scalar(batch, begin, length, walk->columns, slot, walk->row);
        } else if ((guess == RF_TAG_LIST || guess == RF_TAG_OBJECT) && program->slot[slot].is_deep) {
            bad = rf_walk_value_check(batch, begin, begin + length);
        }
        if (bad.reason != RF_REASON_NONE) {
            bad.offset += begin - walk->begin;
            if (first.reason == RF_REASON_NONE || bad.offset < first.offset) {
                first = bad;
            }
        }
    }
    return first;
}

/* End of the value at `at` in a text whose structure is right. */
static uint32_t value_end(const uint8_t *bytes, uint32_t at, uint32_t end)
{
    uint32_t depth = 0;
    do {
        const uint8_t byte = bytes[at];
        if (byte == '"') {
            bool has_escape = false;
            at = rf_token_string_end(bytes, at + 1, end, &has_escape) + 1;
        } else if (!rf_token_is_end(byte)) {
            at = rf_token_scalar_end(bytes, at, end);
        } else {
            depth += byte == '{' || byte == '[';
            depth -= byte == '}' || byte == ']';
            at++;
        }
    } while (depth != 0);
    return at;
}

struct value_span {
    uint32_t begin;
    uint32_t end; /* begin == end: there is none */
};

/* The last member or the element of a container that a step names. */
static struct value_span step_follow(const uint8_t *bytes, struct value_span from, const struct rf_step *step)
{
    struct value_span found = {0, 0};
    const bool is_object = from.begin < from.end && bytes[from.begin] == '{';
    if (from.begin == from.end || bytes[from.begin] != (step->is_index ? '[' : '{')) {
        return found;
    }
    uint32_t element = 0;
    bool is_wanted = false;
    bool is_key = is_object;
    for (uint32_t at = from.begin + 1; at < from.end - 1;) {
        const uint8_t byte = bytes[at];
        if (rf_token_is_space(byte) || byte == ',' || byte == ':') {
            is_key = byte == ',' ? is_object : byte == ':' ? false : is_key;
            at++;
            continue;
        }
        if (is_key) {
            bool has_escape = false;
            const uint32_t close = rf_token_string_end(bytes, at + 1, from.end, &has_escape);
            is_wanted = key_is((struct rf_str){(const char *)bytes + at + 1, close - at - 1}, has_escape, step);
            at = close + 1;
            continue;
        }
        const uint32_t end = value_end(bytes, at, from.end);
        if (is_object ? is_wanted : element == step->index) {
            found = (struct value_span){at, end};
        }
        element++;
        at = end;
    }
    return found;
}

/* The second pass when there are no cells to note spans in: each path is followed from the top, once for each of its
 * steps (the program's depth squared, for a verdict that is rarely asked). */
static struct rf_malformed values_check(const struct walk *walk, const struct rf_batch *batch)
{
    const struct rf_program *program = walk->program;
    struct value_span whole = {walk->begin, walk->end};
    while (rf_token_is_space(walk->bytes[whole.begin])) {
        whole.begin++;
    }
    whole.end = value_end(walk->bytes, whole.begin, walk->end);
    struct rf_malformed first = well_formed;
    for (uint32_t slot = 0; slot < program->slots; slot++) {
        if (program->slot[slot].root != RF_ROOT_MSG) {
            continue;
        }
        const uint32_t target = program->slot[slot].node;
        struct value_span span = whole;
        for (uint32_t depth = 1; depth <= program->node[target].depth && span.begin != span.end; depth++) {
            uint32_t at = target;
            while (program->node[at].depth != depth) {
                at = program->node[at].parent;
            }
            span = step_follow(walk->bytes, span, &program->node[at].step);
        }
        if (span.begin == span.end) {
            continue;
        }
        const uint8_t byte = walk->bytes[span.begin];
        if ((byte == '{' || byte == '[') && !program->slot[slot].is_deep) {
            continue;
        }
        struct rf_malformed bad = rf_walk_value_check(batch, span.begin, span.end);
        bad.offset += span.begin - walk->begin;
        if (bad.reason != RF_REASON_NONE && (first.reason == RF_REASON_NONE || bad.offset < first.offset)) {
            first = bad;
        }
    }
    return first;
}

struct rf_malformed rf_walk_row(const struct rf_program *program, const struct rf_batch *batch, uint32_t begin,
                                uint32_t end, struct rf_walk_options options, struct rf_columns *columns, uint32_t row)
{
    assert(options.depth_max <= RF_DEPTH_MAX_LIMIT);
    struct walk walk;
    walk.program = program;
    walk.bytes = batch->bytes;
    walk.begin = begin;
    walk.end = end;
    walk.depth_max = options.depth_max;
    walk.columns = columns;
    walk.row = row;
    walk.expect = EXPECT_VALUE;
    walk.depth = 0;
    walk.unmatched = 0;
    walk.node = RF_NONE;
    walk.child = RF_NONE;
    walk.recent = RF_NONE;
    walk.element = 0;
    if (columns != NULL && program->nodes != 0) {
        cells_clear(&walk);
        walk.child = 0;
    }
    struct rf_malformed bad = structure_walk(&walk);
    if (bad.reason == RF_REASON_NONE && options.is_validating) {
        bad = rf_walk_value_check(batch, begin, end);
    }
    if (bad.reason != RF_REASON_NONE) {
        return bad;
    }
    return columns != NULL ? values_fill(&walk, batch) : values_check(&walk, batch);
}
