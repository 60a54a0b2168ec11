#include "yaml.h"

#include <libfyaml.h>

#include "caret.h"
#include "intern.h"
#include "utf8.h"

#define MEMORY_TEXT "the file needs more memory than its bound allows"

enum { NAME_SHOWN_BYTES = 48 };

struct level { /* an open sequence or mapping */
    struct rf_yaml_node *node;
    struct rf_yaml_node *last;  /* child */
    struct rf_intern keys;      /* of a mapping */
    bool has_key;               /* the next node is its value */
    bool is_odd;                /* that key is wrong, and the value is read and left out */
    struct rf_str key;
    uint32_t key_begin, key_end;
    uint32_t anchor; /* number + 1; 0: none */
};

struct reader {
    struct rf_problems *problems;
    struct rf_yaml_limits limits;
    struct rf_arena *arena;
    struct rf_error *err;
    struct level *level; /* [depth_max] */
    uint32_t depth;
    const struct rf_yaml_node **anchor; /* [anchors_max]; NULL while it is open */
    struct rf_intern names; /* of anchors, to the last one of that name */
    uint32_t anchors;
    uint64_t nodes;
    struct rf_yaml_node *root;
    uint32_t documents;
    struct fy_token_iter *iterator;
    struct rf_text text; /* of the token read last */
    bool is_stopped; /* a bound or an error of the syntax was met: what follows is not looked at */
};

static enum rf_status fail_full(struct reader *r)
{
    RF_FAIL(r->err, RF_E_LIMIT, MEMORY_TEXT);
}

static int shown(struct rf_str text)
{
    size_t count = text.count < NAME_SHOWN_BYTES ? text.count : NAME_SHOWN_BYTES;
    while (count > 0 && count < text.count && ((unsigned char)text.data[count] & 0xc0) == 0x80) {
        count--;
    }
    return (int)count;
}

/* ---- Events ---- */

static uint32_t mark_byte(const struct reader *r, const struct fy_mark *mark)
{
    const size_t count = r->problems->source.count;
    return (uint32_t)(mark == NULL || mark->input_pos > count ? count : mark->input_pos);
}

/* The text of a token; good until the next call, and empty with *status set when there is no memory. It is taken chunk by
 * chunk: fy_token_get_text of libfyaml 0.7.12 loses memory for every scalar with more than a few escapes. It cannot give a
 * few texts that it has accepted, such as a block of blanks without a line end at the end of a file. */
static struct rf_str token_text(struct reader *r, struct fy_token *token, uint32_t begin, uint32_t end,
                                enum rf_status *status)
{
    const struct fy_iter_chunk *chunk = NULL;
    int failure = 0;
    *status = RF_OK;
    rf_text_clear(&r->text);
    if (token == NULL) {
        return RF_STR("");
    }
    fy_token_iter_start(token, r->iterator);
    while (*status == RF_OK && (chunk = fy_token_iter_chunk_next(r->iterator, chunk, &failure)) != NULL) {
        *status = rf_text_append(&r->text, (struct rf_str){chunk->str, chunk->len}, r->err);
    }
    fy_token_iter_finish(r->iterator);
    if (*status == RF_OK && failure != 0) {
        rf_problem_add(r->problems, begin, end, "this text cannot be read");
    }
    return *status == RF_OK && r->text.count > 0 ? rf_text_str(&r->text) : RF_STR("");
}

static enum rf_yaml_style style_of(struct fy_token *token)
{
    switch (token == NULL ? FYSS_PLAIN : fy_token_scalar_style(token)) {
    case FYSS_SINGLE_QUOTED:
        return RF_YAML_SINGLE_QUOTED;
    case FYSS_DOUBLE_QUOTED:
        return RF_YAML_DOUBLE_QUOTED;
    case FYSS_LITERAL:
        return RF_YAML_LITERAL;
    case FYSS_FOLDED:
        return RF_YAML_FOLDED;
    default:
        return RF_YAML_PLAIN;
    }
}

/* A value that is left out has no place of its own: it stands behind the colon of its key. */
static uint32_t empty_place(const struct reader *r)
{
    const struct rf_str source = r->problems->source;
    const struct level *level = r->depth == 0 ? NULL : &r->level[r->depth - 1];
    uint32_t at = level == NULL || !level->has_key ? (uint32_t)source.count : level->key_end;
    while (at < source.count && source.data[at] != ':' && source.data[at] != '\n') {
        at++;
    }
    return at;
}

static void event_span(const struct reader *r, struct fy_event *event, uint32_t *begin, uint32_t *end)
{
    const struct fy_mark *from = fy_event_start_mark(event);
    if (from == NULL) {
        *begin = *end = empty_place(r);
        return;
    }
    *begin = mark_byte(r, from);
    *end = mark_byte(r, fy_event_end_mark(event));
    if (*end < *begin) {
        *end = *begin;
    }
}

/* ---- Anchors ---- */

/* Gives the number + 1 of a new anchor; 0 when the node has none. */
static enum rf_status anchor_open(struct reader *r, struct fy_event *event, uint32_t begin, uint32_t *number)
{
    struct fy_token *token = fy_event_get_anchor_token(event);
    *number = 0;
    if (token == NULL) {
        return RF_OK;
    }
    if (r->anchors == r->limits.anchors_max) {
        rf_problem_add(r->problems, begin, begin + 1, "more than %u anchors", r->limits.anchors_max);
        r->is_stopped = true;
        return RF_OK;
    }
    enum rf_status status;
    const struct rf_str name = token_text(r, token, begin, begin + 1, &status);
    RF_TRY(status);
    uint32_t *known = rf_intern_at(&r->names, name);
    if (known == NULL) {
        return fail_full(r);
    }
    *known = r->anchors;
    r->anchor[r->anchors++] = NULL;
    *number = r->anchors;
    return RF_OK;
}

/* ---- Nodes ---- */

static bool nodes_take(struct reader *r, uint64_t count, uint32_t begin)
{
    r->nodes += count;
    if (r->nodes > r->limits.nodes_max) {
        rf_problem_add(r->problems, begin, begin + 1, "more than %u values (an alias counts as often as what it stands for)",
                       r->limits.nodes_max);
        r->is_stopped = true;
        return false;
    }
    return true;
}

/* Hangs a node that is complete or just opened into the innermost open one. */
static void node_hang(struct reader *r, struct rf_yaml_node *node)
{
    if (r->depth == 0) {
        r->root = r->root == NULL ? node : r->root;
        return;
    }
    struct level *level = &r->level[r->depth - 1];
    if (level->node->kind == RF_YAML_MAPPING) {
        node->key = level->key;
        node->key_begin = level->key_begin;
        node->key_end = level->key_end;
        level->has_key = false;
        if (level->is_odd) {
            return;
        }
    }
    if (level->last == NULL) {
        level->node->first_child = node;
    } else {
        level->last->next = node;
    }
    level->last = node;
    level->node->children++;
}

/* What a complete child adds to the open node around it. */
static void node_count(struct reader *r, const struct rf_yaml_node *child)
{
    if (r->depth > 0) {
        struct rf_yaml_node *parent = r->level[r->depth - 1].node;
        parent->size += child->size;
        parent->depth = child->depth + 1 > parent->depth ? child->depth + 1 : parent->depth;
    }
}

static enum rf_status key_take(struct reader *r, struct level *level, struct rf_str text, uint32_t begin, uint32_t end)
{
    level->has_key = true;
    level->is_odd = false;
    level->key = text;
    level->key_begin = begin;
    level->key_end = end;
    uint32_t *known = rf_intern_at(&level->keys, text);
    if (known == NULL) {
        return fail_full(r);
    }
    if (*known != UINT32_MAX) {
        uint32_t line = 0;
        uint32_t column = 0;
        if (r->problems->items < RF_PROBLEMS_MAX) { /* else nobody reads it, and finding the place takes time */
            rf_caret_place(r->problems->source, *known, &line, &column);
        }
        rf_problem_add(r->problems, begin, end, "the key '%.*s' is there twice: first at %u:%u", shown(text), text.data,
                       line, column);
        level->is_odd = true;
        return RF_OK;
    }
    *known = begin;
    return RF_OK;
}

/* Is the next node the key of a mapping? */
static bool is_at_key(const struct reader *r)
{
    return r->depth > 0 && r->level[r->depth - 1].node->kind == RF_YAML_MAPPING && !r->level[r->depth - 1].has_key;
}

static enum rf_status tag_check(struct reader *r, struct fy_event *event, uint32_t begin, uint32_t end, bool is_scalar)
{
    struct fy_token *token = fy_event_get_tag_token(event);
    if (token == NULL) {
        return RF_OK;
    }
    enum rf_status status;
    const struct rf_str tag = token_text(r, token, begin, end, &status);
    RF_TRY(status);
    if (!is_scalar || !rf_str_equal(tag, RF_STR("tag:yaml.org,2002:str"))) {
        rf_problem_add(r->problems, begin, end, "the tag '%.*s' is not allowed: only !!str is; a text that begins with ! stands in quotes", shown(tag), tag.data);
    }
    return RF_OK;
}

static enum rf_status scalar_take(struct reader *r, struct fy_event *event)
{
    uint32_t begin;
    uint32_t end;
    uint32_t anchor;
    event_span(r, event, &begin, &end);
    struct fy_token *token = fy_event_get_token(event);
    enum rf_status status;
    const struct rf_str scratch = token_text(r, token, begin, end, &status);
    RF_TRY(status);
    const struct rf_str text = rf_arena_copy(r->arena, scratch);
    if (text.data == NULL) {
        return fail_full(r);
    }
    RF_TRY(tag_check(r, event, begin, end, true));
    if (!nodes_take(r, 1, begin)) {
        return RF_OK;
    }
    RF_TRY(anchor_open(r, event, begin, &anchor));
    struct rf_yaml_node *node = RF_PUSH(r->arena, struct rf_yaml_node, 1);
    if (node == NULL) {
        return fail_full(r);
    }
    *node = (struct rf_yaml_node){.kind = RF_YAML_SCALAR,
                                  /* !!str makes a text of what would be a number. */
                                  .style = fy_event_get_tag_token(event) != NULL && style_of(token) == RF_YAML_PLAIN
                                               ? RF_YAML_TAGGED
                                               : style_of(token),
                                  .begin = begin,
                                  .end = end,
                                  .text = text,
                                  .size = 1,
                                  .depth = 1};
    if (anchor != 0) {
        r->anchor[anchor - 1] = node;
    }
    if (is_at_key(r)) {
        return key_take(r, &r->level[r->depth - 1], text, begin, end);
    }
    node_hang(r, node);
    node_count(r, node);
    return RF_OK;
}

static enum rf_status alias_take(struct reader *r, struct fy_event *event)
{
    uint32_t begin;
    uint32_t end;
    event_span(r, event, &begin, &end);
    begin -= begin > 0 && r->problems->source.data[begin - 1] == '*';
    enum rf_status status;
    const struct rf_str name = token_text(r, fy_event_get_token(event), begin, end, &status);
    RF_TRY(status);
    const uint32_t *known = rf_intern_at(&r->names, name);
    struct rf_yaml_node *node = RF_PUSH(r->arena, struct rf_yaml_node, 1);
    if (known == NULL || node == NULL) {
        return fail_full(r);
    }
    const bool is_known = *known < r->anchors;
    const struct rf_yaml_node *target = is_known ? r->anchor[*known] : NULL;
    *node = (struct rf_yaml_node){.kind = RF_YAML_SCALAR, .begin = begin, .end = end, .text = RF_STR(""), .size = 1, .depth = 1};
    if (target == NULL) {
        rf_problem_add(r->problems, begin, end, !is_known ? "there is no anchor '%.*s' before this alias"
                                                               : "the alias '%.*s' stands inside of what it stands for",
                       shown(name), name.data);
    } else if (r->depth + target->depth > r->limits.depth_max) {
        rf_problem_add(r->problems, begin, end, "nested deeper than %u levels", r->limits.depth_max);
    } else {
        if (!nodes_take(r, target->size, begin)) {
            return RF_OK;
        }
        *node = *target;
        node->next = NULL;
    }
    if (is_at_key(r)) {
        if (node->kind != RF_YAML_SCALAR) {
            rf_problem_add(r->problems, begin, end, "a key must be a text");
        }
        return key_take(r, &r->level[r->depth - 1], node->text, begin, end);
    }
    node_hang(r, node);
    node_count(r, node);
    return RF_OK;
}

static enum rf_status level_open(struct reader *r, struct fy_event *event, enum rf_yaml_kind kind)
{
    uint32_t begin;
    uint32_t end;
    uint32_t anchor;
    event_span(r, event, &begin, &end);
    RF_TRY(tag_check(r, event, begin, end, false));
    if (is_at_key(r)) {
        rf_problem_add(r->problems, begin, begin + 1, "a key must be a text, not %s",
                       kind == RF_YAML_MAPPING ? "a mapping" : "a list");
        r->is_stopped = true;
        return RF_OK;
    }
    if (r->depth == r->limits.depth_max) {
        rf_problem_add(r->problems, begin, begin + 1, "nested deeper than %u levels", r->limits.depth_max);
        r->is_stopped = true;
        return RF_OK;
    }
    if (!nodes_take(r, 1, begin)) {
        return RF_OK;
    }
    RF_TRY(anchor_open(r, event, begin, &anchor));
    struct rf_yaml_node *node = RF_PUSH(r->arena, struct rf_yaml_node, 1);
    if (node == NULL) {
        return fail_full(r);
    }
    *node = (struct rf_yaml_node){.kind = kind, .begin = begin, .end = end, .text = RF_STR(""), .size = 1, .depth = 1};
    node_hang(r, node);
    r->level[r->depth++] = (struct level){.node = node, .keys = {.arena = r->arena}, .anchor = anchor};
    return RF_OK;
}

static void level_shut(struct reader *r, struct fy_event *event)
{
    if (r->depth == 0) {
        return;
    }
    const struct level *level = &r->level[--r->depth];
    struct rf_yaml_node *node = level->node;
    const uint32_t end = mark_byte(r, fy_event_end_mark(event));
    node->end = end > node->end ? end : node->end;
    if (level->anchor != 0) {
        r->anchor[level->anchor - 1] = node;
    }
    node_count(r, node);
}

static enum rf_status event_take(struct reader *r, struct fy_event *event)
{
    uint32_t begin;
    uint32_t end;
    switch (event->type) {
    case FYET_DOCUMENT_START:
        if (++r->documents == 2) {
            event_span(r, event, &begin, &end);
            rf_problem_add(r->problems, begin, end, "a second document: one file has one");
            r->is_stopped = true;
        }
        return RF_OK;
    case FYET_SCALAR:
        return scalar_take(r, event);
    case FYET_ALIAS:
        return alias_take(r, event);
    case FYET_SEQUENCE_START:
        return level_open(r, event, RF_YAML_SEQUENCE);
    case FYET_MAPPING_START:
        return level_open(r, event, RF_YAML_MAPPING);
    case FYET_SEQUENCE_END:
    case FYET_MAPPING_END:
        level_shut(r, event);
        return RF_OK;
    default:
        return RF_OK;
    }
}

/* ---- The parser ---- */

static uint32_t place_of(struct rf_str source, int line, int column)
{
    uint32_t at = 0;
    for (int l = 1; l < line && at < source.count; at++) {
        l += source.data[at] == '\n';
    }
    for (int c = 1; c < column && at < source.count && source.data[at] != '\n'; c++) {
        at++;
        while (at < source.count && ((unsigned char)source.data[at] & 0xc0) == 0x80) {
            at++;
        }
    }
    return at;
}

/* The first thing that the parser of the text did not like: what follows it is mostly of its making. */
static void syntax_tell(struct reader *r, struct fy_diag *diag)
{
    void *iterator = NULL;
    const struct fy_diag_error *error = fy_diag_errors_iterate(diag, &iterator);
    if (error == NULL || error->msg == NULL) {
        const uint32_t count = (uint32_t)r->problems->source.count;
        rf_problem_add(r->problems, count, count, "this is no YAML");
        return;
    }
    const uint32_t at = place_of(r->problems->source, error->line, error->column);
    rf_problem_add(r->problems, at, at + 1, "%s", error->msg);
}

static void diag_ignore(struct fy_diag *diag, void *user, const char *text, size_t count)
{
    (void)diag;
    (void)user;
    (void)text;
    (void)count;
}

static enum rf_status events_read(struct reader *r, struct fy_parser *parser, struct fy_diag *diag)
{
    const struct rf_str source = r->problems->source;
    if (fy_parser_set_string(parser, source.data, source.count) != 0) {
        RF_FAIL(r->err, RF_E_MEMORY, "out of memory for %zu bytes of YAML", source.count);
    }
    enum rf_status status = RF_OK;
    struct fy_event *event;
    while (status == RF_OK && !r->is_stopped && (event = fy_parser_parse(parser)) != NULL) {
        status = event_take(r, event);
        fy_parser_event_free(parser, event);
    }
    if (status == RF_OK && !r->is_stopped && fy_parser_get_stream_error(parser)) {
        syntax_tell(r, diag);
        r->is_stopped = true;
    }
    return status;
}

/* The parser keeps some 350 bytes of each bracket that may yet begin a key, and says that there are too many at their end. */
enum { BRACKETS_MAX = 10000 };

/* What the file must be before the parser sees it. */
static bool bytes_check(struct reader *r)
{
    const struct rf_str source = r->problems->source;
    if (source.count > r->limits.bytes_max) {
        rf_problem_add(r->problems, 0, 0, "the file is longer than %u bytes", r->limits.bytes_max);
        return false;
    }
    const size_t valid = rf_utf8_valid_count(source);
    uint32_t brackets = 0; /* opened and not closed; those in texts count too, which so many hardly are */
    for (size_t at = 0; at < source.count; at++) {
        const unsigned char byte = (unsigned char)source.data[at];
        const bool is_control = (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7f;
        if (is_control || at == valid) {
            rf_problem_add(r->problems, (uint32_t)at, (uint32_t)at + 1,
                           is_control ? "the control byte 0x%02x is not allowed here" : "the byte 0x%02x here is no UTF-8",
                           byte);
            return false;
        }
        const bool is_closing = byte == ']' || byte == '}';
        brackets += byte == '[' || byte == '{';
        brackets -= is_closing && brackets > 0;
        if (brackets > BRACKETS_MAX) {
            rf_problem_add(r->problems, (uint32_t)at, (uint32_t)at + 1, "%d brackets are open here", BRACKETS_MAX + 1);
            return false;
        }
    }
    return true;
}

static enum rf_status reader_run(struct reader *r)
{
    struct fy_diag_cfg diag_options;
    fy_diag_cfg_default(&diag_options);
    diag_options.fp = NULL;
    diag_options.output_fn = diag_ignore;
    diag_options.colorize = false;
    diag_options.level = FYET_ERROR;
    struct fy_diag *diag = fy_diag_create(&diag_options);
    if (diag == NULL) {
        RF_FAIL(r->err, RF_E_MEMORY, "out of memory for the YAML parser");
    }
    fy_diag_set_collect_errors(diag, true);
    const struct fy_parse_cfg options = {
        .flags = FYPCF_QUIET | FYPCF_COLLECT_DIAG | FYPCF_DEFAULT_VERSION_1_2 | FYPCF_JSON_NONE, .diag = diag};
    struct fy_parser *parser = fy_parser_create(&options);
    r->iterator = fy_token_iter_create(NULL);
    const enum rf_status status =
        parser == NULL || r->iterator == NULL
            ? rf_error_set(r->err, RF_E_MEMORY, __FILE__, __LINE__, "out of memory for the YAML parser")
            : events_read(r, parser, diag);
    rf_text_free(&r->text);
    if (r->iterator != NULL) {
        fy_token_iter_destroy(r->iterator);
    }
    if (parser != NULL) {
        fy_parser_destroy(parser);
    }
    fy_diag_destroy(diag);
    return status;
}

enum rf_status rf_yaml_read(struct rf_problems *problems, const struct rf_yaml_limits *limits, struct rf_arena *arena,
                            const struct rf_yaml_node **out, struct rf_error *err)
{
    static const struct rf_yaml_limits standard = {RF_YAML_BYTES_MAX, RF_YAML_DEPTH_MAX, RF_YAML_NODES_MAX,
                                                   RF_YAML_ANCHORS_MAX};
    struct reader r = {.problems = problems, .limits = limits == NULL ? standard : *limits, .arena = arena, .err = err};
    *out = NULL;
    if (!bytes_check(&r)) {
        return rf_problems_status(problems, err);
    }
    r.level = RF_PUSH(arena, struct level, r.limits.depth_max);
    r.anchor = RF_PUSH(arena, const struct rf_yaml_node *, r.limits.anchors_max);
    r.names.arena = arena;
    if (r.level == NULL || r.anchor == NULL) {
        return fail_full(&r);
    }
    if (problems->source.count > 0) {
        RF_TRY(reader_run(&r));
    }
    *out = r.is_stopped ? NULL : r.root; /* of half a file other problems would be found than it has */
    return rf_problems_status(problems, err);
}

const struct rf_yaml_node *rf_yaml_find(const struct rf_yaml_node *mapping, struct rf_str key)
{
    for (const struct rf_yaml_node *node = mapping->first_child; node != NULL; node = node->next) {
        if (rf_str_equal(node->key, key)) {
            return node;
        }
    }
    return NULL;
}
