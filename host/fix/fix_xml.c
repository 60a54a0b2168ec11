#include "fix_xml.h"

#include <expat.h>

#include "fix_read.h"
#include "intern.h"

enum element {
    ELEMENT_OTHER,
#define RF_FIX_XML_ELEMENT(id, name) ELEMENT_##id,
#include "fix_xml.def"
#undef RF_FIX_XML_ELEMENT
    ELEMENT_COUNT
};

static const char *const element_names[ELEMENT_COUNT] = {
    "",
#define RF_FIX_XML_ELEMENT(id, name) name,
#include "fix_xml.def"
#undef RF_FIX_XML_ELEMENT
};

enum { ENTRIES_MAX = 1 << 20, SEPARATOR = '|' };

/* What is open. Where a field or code set is defined, `code_set` or `field` says which; where things are listed,
 * `definition`, and `item` within a group of QuickFIX. */
struct frame {
    enum element element;
    int32_t definition;
    int32_t item;
    int32_t field;
    int32_t code_set;
};

struct parser {
    struct rf_fix_xml *document;
    XML_Parser expat;
    struct frame frame[RF_FIX_XML_DEPTH_MAX + 1]; /* [0] is around the root */
    uint32_t depth;
    uint32_t skipped; /* elements open within one that means nothing */
    enum rf_status status;
    struct rf_error *err;
};

struct attributes {
    struct parser *parser;
    const XML_Char **pairs;
};

#define XML_GROW(parser, noun)                                                                                         \
    do {                                                                                                               \
        struct rf_fix_xml *const to_ = (parser)->document;                                                             \
        void *grown_ = to_->noun##s >= ENTRIES_MAX ? NULL                                                              \
                                                   : rf_array_grow(to_->arena, to_->noun, to_->noun##s,                \
                                                                   &to_->noun##s_capacity, sizeof *to_->noun);         \
        if (grown_ == NULL) {                                                                                          \
            RF_FIX_XML_FAIL((parser)->err, to_, place_now(parser), RF_E_LIMIT, "too much is defined: %u " #noun "s",   \
                            to_->noun##s);                                                                             \
        }                                                                                                              \
        to_->noun = grown_;                                                                                            \
    } while (0)

static struct rf_fix_xml_place place_now(const struct parser *parser)
{
    return (struct rf_fix_xml_place){(uint32_t)XML_GetCurrentLineNumber(parser->expat),
                                     (uint32_t)XML_GetCurrentColumnNumber(parser->expat) + 1};
}

/* --- attributes --- */

/* A text of the file, without control characters, copied; empty when the attribute is missing. */
static enum rf_status text_of(const struct attributes *attributes, const char *name, struct rf_str *out)
{
    struct parser *const parser = attributes->parser;
    *out = RF_STR("");
    for (const XML_Char **pair = attributes->pairs; pair[0] != NULL; pair += 2) {
        if (strcmp(pair[0], name) != 0) {
            continue;
        }
        for (const char *c = pair[1]; *c != '\0'; c++) {
            if ((unsigned char)*c < 0x20 || *c == 0x7f) {
                RF_FIX_XML_FAIL(parser->err, parser->document, place_now(parser), RF_E_CONFIG,
                                "%s has a control character in it", name);
            }
        }
        if (strlen(pair[1]) > RF_FIX_TEXT_MAX) {
            RF_FIX_XML_FAIL(parser->err, parser->document, place_now(parser), RF_E_LIMIT,
                            "%s has %zu bytes; at most %d are taken", name, strlen(pair[1]), RF_FIX_TEXT_MAX);
        }
        *out = rf_arena_copy(parser->document->arena, rf_str_of(pair[1]));
        if (out->data == NULL) {
            RF_FIX_XML_FAIL(parser->err, parser->document, place_now(parser), RF_E_LIMIT, "%s",
                            "the dictionary takes too much memory");
        }
    }
    return RF_OK;
}

static enum rf_status needed_text_of(const struct attributes *attributes, const char *name, struct rf_str *out)
{
    struct parser *const parser = attributes->parser;
    RF_TRY(text_of(attributes, name, out));
    if (out->count == 0) {
        RF_FIX_XML_FAIL(parser->err, parser->document, place_now(parser), RF_E_CONFIG, "%s is missing here", name);
    }
    return RF_OK;
}

/* Digits up to RF_FIX_TAG_MAX; 0 when the attribute is missing. */
static enum rf_status number_of(const struct attributes *attributes, const char *name, uint32_t *out)
{
    struct parser *const parser = attributes->parser;
    struct rf_str text;
    int64_t value = 0;
    *out = 0;
    RF_TRY(text_of(attributes, name, &text));
    if (text.count == 0) {
        return RF_OK;
    }
    if (text.data[0] == '-' || !rf_fix_int(text, &value) || value > RF_FIX_TAG_MAX) {
        RF_FIX_XML_FAIL(parser->err, parser->document, place_now(parser), RF_E_CONFIG,
                        "%s must be a number up to %d, not '%.*s'", name, RF_FIX_TAG_MAX, (int)text.count, text.data);
    }
    *out = (uint32_t)value;
    return RF_OK;
}

static enum rf_status needed_number_of(const struct attributes *attributes, const char *name, uint32_t *out)
{
    struct parser *const parser = attributes->parser;
    RF_TRY(number_of(attributes, name, out));
    if (*out == 0) {
        RF_FIX_XML_FAIL(parser->err, parser->document, place_now(parser), RF_E_CONFIG, "%s is missing here, or is 0",
                        name);
    }
    return RF_OK;
}

/* --- what is defined and listed --- */

static enum rf_status definition_add(struct parser *parser, struct frame *frame,
                                     struct rf_fix_xml_definition definition)
{
    XML_GROW(parser, definition);
    struct rf_fix_xml *const document = parser->document;
    definition.place = place_now(parser);
    definition.items = (struct rf_fix_xml_chain){RF_FIX_XML_NONE, RF_FIX_XML_NONE};
    frame->definition = (int32_t)document->definitions;
    document->definition[document->definitions++] = definition;
    return RF_OK;
}

/* Appends to what the parent lists. */
static enum rf_status item_add(struct parser *parser, const struct frame *parent, struct frame *frame,
                               struct rf_fix_xml_item item)
{
    XML_GROW(parser, item);
    struct rf_fix_xml *const document = parser->document;
    const int32_t at = (int32_t)document->items++;
    struct rf_fix_xml_chain *const chain = parent->item != RF_FIX_XML_NONE
                                               ? &document->item[parent->item].children
                                               : &document->definition[parent->definition].items;
    item.place = place_now(parser);
    item.next = RF_FIX_XML_NONE;
    item.children = (struct rf_fix_xml_chain){RF_FIX_XML_NONE, RF_FIX_XML_NONE};
    document->item[at] = item;
    if (chain->last == RF_FIX_XML_NONE) {
        chain->first = at;
    } else {
        document->item[chain->last].next = at;
    }
    chain->last = at;
    *frame = (struct frame){frame->element, parent->definition, at, RF_FIX_XML_NONE, RF_FIX_XML_NONE};
    return RF_OK;
}

static enum rf_status code_set_add(struct parser *parser, struct rf_str name, struct rf_str type, int32_t *at)
{
    XML_GROW(parser, code_set);
    struct rf_fix_xml *const document = parser->document;
    *at = (int32_t)document->code_sets++;
    document->code_set[*at] = (struct rf_fix_xml_code_set){
        .place = place_now(parser), .name = name, .type = type, .codes = {RF_FIX_XML_NONE, RF_FIX_XML_NONE}};
    return RF_OK;
}

/* A constant without a name is called what its value is. */
static enum rf_status code_add(struct parser *parser, int32_t code_set, struct rf_str value, struct rf_str name)
{
    XML_GROW(parser, code);
    struct rf_fix_xml *const document = parser->document;
    struct rf_fix_xml_chain *const chain = &document->code_set[code_set].codes;
    const int32_t at = (int32_t)document->codes++;
    document->code[at] = (struct rf_fix_xml_code){value, name.count == 0 ? value : name, RF_FIX_XML_NONE};
    if (chain->last == RF_FIX_XML_NONE) {
        chain->first = at;
    } else {
        document->code[chain->last].next = at;
    }
    chain->last = at;
    return RF_OK;
}

static enum rf_status field_add(struct parser *parser, struct frame *frame, struct rf_fix_xml_field field)
{
    XML_GROW(parser, field);
    struct rf_fix_xml *const document = parser->document;
    field.place = place_now(parser);
    field.code_set = RF_FIX_XML_NONE;
    frame->field = (int32_t)document->fields;
    document->field[document->fields++] = field;
    return RF_OK;
}

static bool frame_lists(const struct frame *frame)
{
    return frame->definition != RF_FIX_XML_NONE;
}

/* --- the dialect of QuickFIX --- */

static enum rf_status quickfix_value(struct parser *parser, const struct attributes *attributes, struct frame *frame)
{
    struct rf_fix_xml_field *const field = &parser->document->field[frame->field];
    struct rf_str value;
    struct rf_str name;
    RF_TRY(needed_text_of(attributes, "enum", &value));
    RF_TRY(text_of(attributes, "description", &name));
    if (field->code_set == RF_FIX_XML_NONE) {
        RF_TRY(code_set_add(parser, RF_STR(""), RF_STR(""), &field->code_set));
    }
    return code_add(parser, field->code_set, value, name);
}

static enum rf_status quickfix_field(struct parser *parser, const struct attributes *attributes, struct frame *frame)
{
    struct rf_fix_xml_field field = {.tag = 0};
    RF_TRY(needed_number_of(attributes, "number", &field.tag));
    RF_TRY(needed_text_of(attributes, "name", &field.name));
    RF_TRY(needed_text_of(attributes, "type", &field.type));
    return field_add(parser, frame, field);
}

static enum rf_status quickfix_item(struct parser *parser, const struct attributes *attributes,
                                    const struct frame *parent, struct frame *frame, enum rf_fix_xml_kind kind)
{
    struct rf_fix_xml_item item = {.kind = kind, .is_inline = kind == RF_FIX_XML_GROUP};
    RF_TRY(needed_text_of(attributes, "name", &item.name));
    return item_add(parser, parent, frame, item);
}

/* Sets *is_known when the element means something in its parent. */
static enum rf_status quickfix_open(struct parser *parser, const struct attributes *attributes,
                                    const struct frame *parent, struct frame *frame, bool *is_known)
{
    struct rf_fix_xml_definition definition = {.id = 0};
    const enum element in = parent->element;
    *is_known = true;
    switch (frame->element) {
    case ELEMENT_HEADER:
    case ELEMENT_TRAILER:
        *is_known = in == ELEMENT_FIX;
        definition.kind = frame->element == ELEMENT_HEADER ? RF_FIX_XML_DEFINES_HEADER : RF_FIX_XML_DEFINES_TRAILER;
        return *is_known ? definition_add(parser, frame, definition) : RF_OK;
    case ELEMENT_MESSAGE:
        *is_known = in == ELEMENT_MESSAGES;
        if (*is_known) {
            definition.kind = RF_FIX_XML_DEFINES_MESSAGE;
            RF_TRY(needed_text_of(attributes, "name", &definition.name));
            RF_TRY(needed_text_of(attributes, "msgtype", &definition.msg_type));
            return definition_add(parser, frame, definition);
        }
        return RF_OK;
    case ELEMENT_COMPONENT:
        if (in == ELEMENT_COMPONENTS) {
            definition.kind = RF_FIX_XML_DEFINES_COMPONENT;
            RF_TRY(needed_text_of(attributes, "name", &definition.name));
            return definition_add(parser, frame, definition);
        }
        *is_known = frame_lists(parent);
        return *is_known ? quickfix_item(parser, attributes, parent, frame, RF_FIX_XML_COMPONENT) : RF_OK;
    case ELEMENT_GROUP:
        *is_known = frame_lists(parent);
        return *is_known ? quickfix_item(parser, attributes, parent, frame, RF_FIX_XML_GROUP) : RF_OK;
    case ELEMENT_FIELD:
        if (in == ELEMENT_FIELDS) {
            return quickfix_field(parser, attributes, frame);
        }
        *is_known = frame_lists(parent);
        return *is_known ? quickfix_item(parser, attributes, parent, frame, RF_FIX_XML_FIELD) : RF_OK;
    case ELEMENT_VALUES:
    case ELEMENT_VALUE:
        *is_known = parent->field != RF_FIX_XML_NONE;
        frame->field = parent->field;
        return *is_known && frame->element == ELEMENT_VALUE ? quickfix_value(parser, attributes, frame) : RF_OK;
    case ELEMENT_MESSAGES:
    case ELEMENT_COMPONENTS:
    case ELEMENT_FIELDS:
        *is_known = in == ELEMENT_FIX;
        return RF_OK;
    default:
        *is_known = false;
        return RF_OK;
    }
}

/* --- the dialect of Orchestra --- */

static enum rf_status orchestra_definition(struct parser *parser, const struct attributes *attributes,
                                           struct frame *frame)
{
    struct rf_fix_xml_definition definition = {.kind = RF_FIX_XML_DEFINES_MESSAGE};
    RF_TRY(needed_text_of(attributes, "name", &definition.name));
    if (frame->element == ELEMENT_MESSAGE) {
        RF_TRY(needed_text_of(attributes, "msgType", &definition.msg_type));
        return definition_add(parser, frame, definition);
    }
    RF_TRY(needed_number_of(attributes, "id", &definition.id));
    if (frame->element == ELEMENT_GROUP) {
        definition.kind = RF_FIX_XML_DEFINES_GROUP;
    } else if (rf_str_equal(definition.name, RF_STR("StandardHeader"))) {
        definition.kind = RF_FIX_XML_DEFINES_HEADER;
    } else if (rf_str_equal(definition.name, RF_STR("StandardTrailer"))) {
        definition.kind = RF_FIX_XML_DEFINES_TRAILER;
    } else {
        definition.kind = RF_FIX_XML_DEFINES_COMPONENT;
    }
    return definition_add(parser, frame, definition);
}

static enum rf_status orchestra_reference(struct parser *parser, const struct attributes *attributes,
                                          const struct frame *parent, struct frame *frame)
{
    struct rf_fix_xml_item item = {.kind = frame->element == ELEMENT_FIELD_REF   ? RF_FIX_XML_FIELD
                                           : frame->element == ELEMENT_GROUP_REF ? RF_FIX_XML_GROUP
                                                                                 : RF_FIX_XML_COMPONENT};
    RF_TRY(needed_number_of(attributes, "id", &item.id));
    return item_add(parser, parent, frame, item);
}

static enum rf_status orchestra_value(struct parser *parser, const struct attributes *attributes, struct frame *frame)
{
    struct rf_str name;
    struct rf_str type;
    switch (frame->element) {
    case ELEMENT_CODE_SET:
        RF_TRY(needed_text_of(attributes, "name", &name));
        RF_TRY(needed_text_of(attributes, "type", &type));
        return code_set_add(parser, name, type, &frame->code_set);
    case ELEMENT_CODE:
        RF_TRY(needed_text_of(attributes, "value", &type));
        RF_TRY(text_of(attributes, "name", &name));
        return code_add(parser, frame->code_set, type, name);
    case ELEMENT_DATATYPE:
        XML_GROW(parser, datatype);
        RF_TRY(needed_text_of(attributes, "name", &name));
        RF_TRY(text_of(attributes, "baseType", &type));
        parser->document->datatype[parser->document->datatypes++] = (struct rf_fix_xml_datatype){name, type};
        return RF_OK;
    default: {
        struct rf_fix_xml_field field = {.tag = 0};
        RF_TRY(needed_number_of(attributes, "id", &field.tag));
        RF_TRY(needed_text_of(attributes, "name", &field.name));
        RF_TRY(needed_text_of(attributes, "type", &field.type));
        RF_TRY(number_of(attributes, "lengthId", &field.length_tag));
        return field_add(parser, frame, field);
    }
    }
}

static enum rf_status orchestra_open(struct parser *parser, const struct attributes *attributes,
                                     const struct frame *parent, struct frame *frame, bool *is_known)
{
    static const uint8_t home[ELEMENT_COUNT] = {
        [ELEMENT_CODE_SETS] = ELEMENT_REPOSITORY, [ELEMENT_DATATYPES] = ELEMENT_REPOSITORY,
        [ELEMENT_FIELDS] = ELEMENT_REPOSITORY,    [ELEMENT_COMPONENTS] = ELEMENT_REPOSITORY,
        [ELEMENT_GROUPS] = ELEMENT_REPOSITORY,    [ELEMENT_MESSAGES] = ELEMENT_REPOSITORY,
        [ELEMENT_CODE_SET] = ELEMENT_CODE_SETS,   [ELEMENT_CODE] = ELEMENT_CODE_SET,
        [ELEMENT_DATATYPE] = ELEMENT_DATATYPES,   [ELEMENT_FIELD] = ELEMENT_FIELDS,
        [ELEMENT_COMPONENT] = ELEMENT_COMPONENTS, [ELEMENT_GROUP] = ELEMENT_GROUPS,
        [ELEMENT_MESSAGE] = ELEMENT_MESSAGES,     [ELEMENT_STRUCTURE] = ELEMENT_MESSAGE,
        [ELEMENT_NUM_IN_GROUP] = ELEMENT_GROUP,
    };
    const enum element element = frame->element;
    if (element == ELEMENT_FIELD_REF || element == ELEMENT_GROUP_REF || element == ELEMENT_COMPONENT_REF) {
        *is_known = parent->element == ELEMENT_STRUCTURE || parent->element == ELEMENT_COMPONENT ||
                    parent->element == ELEMENT_GROUP;
        return *is_known ? orchestra_reference(parser, attributes, parent, frame) : RF_OK;
    }
    *is_known = home[element] != ELEMENT_OTHER && home[element] == (uint8_t)parent->element;
    if (!*is_known) {
        return RF_OK;
    }
    switch (element) {
    case ELEMENT_STRUCTURE:
        frame->definition = parent->definition;
        return RF_OK;
    case ELEMENT_NUM_IN_GROUP:
        return needed_number_of(attributes, "id", &parser->document->definition[parent->definition].count_tag);
    case ELEMENT_COMPONENT:
    case ELEMENT_GROUP:
    case ELEMENT_MESSAGE:
        return orchestra_definition(parser, attributes, frame);
    case ELEMENT_CODE:
        frame->code_set = parent->code_set;
        return orchestra_value(parser, attributes, frame);
    case ELEMENT_CODE_SET:
    case ELEMENT_DATATYPE:
    case ELEMENT_FIELD:
        return orchestra_value(parser, attributes, frame);
    default:
        return RF_OK;
    }
}

/* --- expat --- */

static enum element element_of(const XML_Char *name)
{
    const char *const separator = strrchr(name, SEPARATOR);
    const char *const local = separator == NULL ? name : separator + 1;
    for (int i = ELEMENT_OTHER + 1; i < ELEMENT_COUNT; i++) {
        if (strcmp(local, element_names[i]) == 0) {
            return (enum element)i;
        }
    }
    return ELEMENT_OTHER;
}

static enum rf_status element_open(struct parser *parser, const XML_Char *name, const XML_Char **pairs)
{
    const struct attributes attributes = {parser, pairs};
    struct frame *const parent = &parser->frame[parser->depth];
    struct frame frame = {element_of(name), RF_FIX_XML_NONE, RF_FIX_XML_NONE, RF_FIX_XML_NONE, RF_FIX_XML_NONE};
    bool is_known = false;
    if (parser->skipped != 0) {
        parser->skipped++;
        return RF_OK;
    }
    if (parser->depth == RF_FIX_XML_DEPTH_MAX) {
        RF_FIX_XML_FAIL(parser->err, parser->document, place_now(parser), RF_E_LIMIT,
                        "elements lie within each other more than %d deep", RF_FIX_XML_DEPTH_MAX);
    }
    if (parser->depth == 0) {
        if (frame.element != ELEMENT_FIX && frame.element != ELEMENT_REPOSITORY) {
            RF_FIX_XML_FAIL(parser->err, parser->document, place_now(parser), RF_E_CONFIG,
                            "the root element is <%.64s>; a dictionary of FIX begins with <fix> (QuickFIX) or "
                            "<repository> (Orchestra)",
                            name);
        }
        is_known = true;
    } else if (parser->frame[1].element == ELEMENT_FIX) {
        RF_TRY(quickfix_open(parser, &attributes, parent, &frame, &is_known));
    } else {
        RF_TRY(orchestra_open(parser, &attributes, parent, &frame, &is_known));
    }
    if (is_known) {
        parser->frame[++parser->depth] = frame;
    } else {
        parser->skipped = 1;
    }
    return RF_OK;
}

static void parser_stop(struct parser *parser, enum rf_status status)
{
    parser->status = status;
    if (status != RF_OK) {
        XML_StopParser(parser->expat, XML_FALSE);
    }
}

static void on_open(void *data, const XML_Char *name, const XML_Char **pairs)
{
    struct parser *const parser = data;
    if (parser->status == RF_OK) { /* expat may finish what it has begun after a stop */
        parser_stop(parser, element_open(parser, name, pairs));
    }
}

static void on_close(void *data, const XML_Char *name)
{
    struct parser *const parser = data;
    (void)name;
    if (parser->skipped != 0) {
        parser->skipped--;
    } else if (parser->depth != 0) {
        parser->depth--;
    }
}

static enum rf_status declaration_fail(struct parser *parser, const char *what)
{
    RF_FIX_XML_FAIL(parser->err, parser->document, place_now(parser), RF_E_CONFIG,
                    "%s are not read in dictionaries; remove the declaration", what);
}

static void on_entity(void *data, const XML_Char *name, int is_parameter, const XML_Char *value, int count,
                      const XML_Char *base, const XML_Char *system, const XML_Char *public, const XML_Char *notation)
{
    struct parser *const parser = data;
    (void)name, (void)is_parameter, (void)value, (void)count, (void)base, (void)system, (void)public, (void)notation;
    if (parser->status == RF_OK) {
        parser_stop(parser, declaration_fail(parser, "entities"));
    }
}

static void on_attribute_list(void *data, const XML_Char *element, const XML_Char *attribute, const XML_Char *type,
                              const XML_Char *value, int is_required)
{
    struct parser *const parser = data;
    (void)element, (void)attribute, (void)type, (void)value, (void)is_required;
    if (parser->status == RF_OK) {
        parser_stop(parser, declaration_fail(parser, "attribute lists"));
    }
}

enum rf_status rf_fix_xml_parse(struct rf_fix_xml *document, struct rf_str text, struct rf_error *err)
{
    struct parser parser = {.document = document, .status = RF_OK, .err = err};
    if (text.count > RF_FIX_XML_BYTES_MAX) {
        RF_FAIL(err, RF_E_LIMIT, "%.*s: %zu bytes; a dictionary has %d at most", RF_STR_ARG(document->name), text.count,
                RF_FIX_XML_BYTES_MAX);
    }
    parser.frame[0] = (struct frame){ELEMENT_OTHER, RF_FIX_XML_NONE, RF_FIX_XML_NONE, RF_FIX_XML_NONE, RF_FIX_XML_NONE};
    parser.expat = XML_ParserCreateNS(NULL, SEPARATOR);
    if (parser.expat == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory to read %.*s", RF_STR_ARG(document->name));
    }
    XML_SetUserData(parser.expat, &parser);
    XML_SetElementHandler(parser.expat, on_open, on_close);
    XML_SetEntityDeclHandler(parser.expat, on_entity);
    XML_SetAttlistDeclHandler(parser.expat, on_attribute_list);
    XML_SetParamEntityParsing(parser.expat, XML_PARAM_ENTITY_PARSING_NEVER);
    if (XML_Parse(parser.expat, text.count == 0 ? "" : text.data, (int)text.count, XML_TRUE) != XML_STATUS_OK &&
        parser.status == RF_OK) {
        const struct rf_fix_xml_place place = place_now(&parser);
        parser.status =
            rf_error_set(err, RF_E_CONFIG, __FILE__, __LINE__, "%.*s:%u:%u: no XML: %s", RF_STR_ARG(document->name),
                         place.line, place.column, XML_ErrorString(XML_GetErrorCode(parser.expat)));
    }
    XML_ParserFree(parser.expat);
    return parser.status;
}
