#include "fix_pretty.h"

#include "fix_entry.h"
#include "visible_text.h"

enum {
    NAME_WIDTH_MAX = 28, /* longer names push their values to the right */
    INDENT = 2
};

enum color { COLOR_WHERE, COLOR_MESSAGE, COLOR_TAG, COLOR_CONSTANT, COLOR_PROBLEM };

static const char *const color_code[] = {
    [COLOR_WHERE] = "\033[35m",    [COLOR_MESSAGE] = "\033[1m",    [COLOR_TAG] = "\033[36m",
    [COLOR_CONSTANT] = "\033[32m", [COLOR_PROBLEM] = "\033[1;31m",
};

struct run {
    struct rf_fix_tree *tree;
    const struct rf_fix_view *view;
    const struct rf_fix_pretty *pretty;
    struct rf_text *out;
    struct rf_error *err;
    size_t tag_width;
    size_t name_width;
};

static enum rf_status color_begin(const struct run *run, enum color color)
{
    return run->pretty->has_color ? rf_text_append(run->out, rf_str_of(color_code[color]), run->err) : RF_OK;
}

static enum rf_status color_end(const struct run *run)
{
    return run->pretty->has_color ? rf_text_append(run->out, RF_STR("\033[0m"), run->err) : RF_OK;
}

static enum rf_status colored(const struct run *run, enum color color, struct rf_str text)
{
    RF_TRY(color_begin(run, color));
    RF_TRY(rf_visible_append(run->out, text, run->err));
    return color_end(run);
}

static enum rf_status problem_write(const struct run *run, const char *what, const char *type)
{
    RF_TRY(color_begin(run, COLOR_PROBLEM));
    RF_TRY(rf_text_printf(run->out, run->err, "! %s%s", what, type));
    return color_end(run);
}

static struct rf_str trim(struct rf_str text)
{
    while (text.count != 0 && (text.data[0] == ' ' || text.data[0] == '\t')) {
        text.data++;
        text.count--;
    }
    while (text.count != 0 && (text.data[text.count - 1] == ' ' || text.data[text.count - 1] == '\t')) {
        text.count--;
    }
    return text;
}

/* ---- The head ---- */

/* What the message is called: by the dictionary, else by its MsgType. */
static enum rf_status title_write(const struct run *run)
{
    enum { TAG_MSG_TYPE = 35 };
    const struct rf_fix_message *message = rf_fix_tree_message(run->tree, run->view);
    if (message != NULL) {
        return colored(run, COLOR_MESSAGE, rf_fix_text(run->tree->dict, message->name));
    }
    for (uint32_t i = 0; i < run->view->fields; i++) {
        if (run->view->tag[i] == TAG_MSG_TYPE) {
            RF_TRY(rf_text_append(run->out, RF_STR("MsgType "), run->err));
            return colored(run, COLOR_MESSAGE, rf_fix_view_text(run->view, i));
        }
    }
    return rf_text_append(run->out, RF_STR("no MsgType"), run->err);
}

static enum rf_status head_write(const struct run *run)
{
    /* Of the message as a whole; what is remarkable about a field stands beside it. */
    static const struct {
        uint8_t flag;
        const char *meaning;
    } flags[] = {
#define RF_FIX_FLAG(name, bit, meaning) {bit, meaning},
#include "fix_flag.def"
#undef RF_FIX_FLAG
    };
    const struct rf_fix_pretty *pretty = run->pretty;
    if (pretty->input_name.count != 0 || pretty->number != 0) {
        RF_TRY(color_begin(run, COLOR_WHERE));
        RF_TRY(rf_visible_append(run->out, pretty->input_name, run->err));
        if (pretty->number != 0) {
            RF_TRY(rf_text_append(run->out, pretty->input_name.count == 0 ? RF_STR("") : RF_STR(":"), run->err));
            RF_TRY(rf_text_append_number(run->out, pretty->number, run->err));
        }
        RF_TRY(color_end(run));
        RF_TRY(rf_text_append(run->out, RF_STR(": "), run->err));
    }
    RF_TRY(title_write(run));
    const struct rf_str before = trim(pretty->before);
    if (before.count != 0) {
        RF_TRY(rf_text_append(run->out, RF_STR("  "), run->err));
        RF_TRY(rf_visible_append(run->out, before, run->err));
    }
    RF_TRY(rf_text_append_char(run->out, '\n', run->err));
    const uint8_t of_fields = RF_FIX_DUPLICATE | RF_FIX_EMPTY;
    for (size_t f = 0; f < sizeof flags / sizeof flags[0]; f++) {
        if ((run->view->flags & ~of_fields & flags[f].flag) != 0) {
            RF_TRY(rf_text_append(run->out, RF_STR("  "), run->err));
            RF_TRY(problem_write(run, flags[f].meaning, ""));
            RF_TRY(rf_text_append_char(run->out, '\n', run->err));
        }
    }
    return RF_OK;
}

/* ---- Fields ---- */

static const struct rf_fix_field *field_of(const struct run *run, uint32_t i)
{
    const uint16_t field = run->tree->field[i];
    return field == RF_FIX_NONE ? NULL : &run->tree->dict->field[field];
}

static struct rf_str name_of(const struct run *run, uint32_t i)
{
    const struct rf_fix_field *field = field_of(run, i);
    return field == NULL ? RF_STR("?") : rf_fix_field_name(run->tree->dict, field);
}

static enum rf_status blanks_write(const struct run *run, size_t count)
{
    RF_TRY(rf_text_reserve(run->out, count, run->err));
    memset(run->out->data + run->out->count, ' ', count);
    run->out->count += count;
    return RF_OK;
}

static size_t digits_count(uint32_t number)
{
    size_t count = 1;
    for (; number >= 10; number /= 10) {
        count++;
    }
    return count;
}

static void widths_find(struct run *run)
{
    uint32_t tag = 99;
    run->name_width = 0;
    for (uint32_t i = 0; i < run->view->fields; i++) {
        const size_t count = name_of(run, i).count;
        tag = run->view->tag[i] > tag ? run->view->tag[i] : tag;
        run->name_width = count > run->name_width && count <= NAME_WIDTH_MAX ? count : run->name_width;
    }
    run->tag_width = digits_count(tag);
}

/* The names of the values of a list, when it has a name for each. */
static enum rf_status constants_write(const struct run *run, const struct rf_fix_field *field, struct rf_str text)
{
    const struct rf_fix_dict *dict = run->tree->dict;
    const bool is_list = rf_fix_field_class(field) == RF_FIX_CLASS_LIST;
    struct rf_str name;
    struct rf_str item = text;
    bool is_known = false;
    for (struct rf_str rest = text; is_list ? rf_fix_list_next(&rest, &item) : !is_known;) {
        if (!rf_fix_code_name(dict, field, item, &name)) {
            return RF_OK;
        }
        is_known = true;
    }
    if (!is_known) {
        return RF_OK;
    }
    RF_TRY(rf_text_append(run->out, RF_STR(" ("), run->err));
    bool is_first = true;
    for (struct rf_str rest = text; is_list ? rf_fix_list_next(&rest, &item) : is_first; is_first = false) {
        if (!is_first) {
            RF_TRY(rf_text_append(run->out, RF_STR(", "), run->err));
        }
        (void)rf_fix_code_name(dict, field, item, &name);
        RF_TRY(colored(run, COLOR_CONSTANT, name));
    }
    return rf_text_append_char(run->out, ')', run->err);
}

/* Where the tags of a level stand: entries two columns to the right of the line before them, which stands below the names of
 * the level around it. */
static size_t indent_of(const struct run *run, unsigned level)
{
    return INDENT + (size_t)level * (run->tag_width + 1 + INDENT);
}

static enum rf_status field_problem(const struct run *run, const char *what, const char *type)
{
    RF_TRY(rf_text_append(run->out, RF_STR("  "), run->err));
    return problem_write(run, what, type);
}

static enum rf_status field_write(const struct run *run, uint32_t i, uint16_t mark)
{
    const struct rf_fix_field *field = field_of(run, i);
    const struct rf_str text = rf_fix_view_text(run->view, i);
    const struct rf_str name = name_of(run, i);
    const size_t digits = digits_count(run->view->tag[i]);
    RF_TRY(blanks_write(run, indent_of(run, mark & RF_FIX_TREE_LEVEL) + run->tag_width - digits));
    RF_TRY(color_begin(run, COLOR_TAG));
    RF_TRY(rf_text_append_number(run->out, run->view->tag[i], run->err));
    RF_TRY(color_end(run));
    RF_TRY(rf_text_append_char(run->out, ' ', run->err));
    RF_TRY(rf_visible_append(run->out, name, run->err));
    RF_TRY(blanks_write(run, name.count < run->name_width ? run->name_width - name.count : 0));
    if (text.count == 0) {
        RF_TRY(field_problem(run, "empty", ""));
    } else {
        RF_TRY(rf_text_append(run->out, RF_STR("  "), run->err));
        RF_TRY(rf_visible_append(run->out, text, run->err));
    }
    struct rf_fix_value value;
    if (field != NULL && text.count != 0) {
        RF_TRY(constants_write(run, field, text));
        if (!rf_fix_value((enum rf_fix_type)field->type, text, &value)) {
            RF_TRY(field_problem(run, "no ", rf_fix_type_name((enum rf_fix_type)field->type)));
        }
    }
    if ((mark & RF_FIX_TREE_REPEAT) != 0) {
        RF_TRY(field_problem(run, "again", ""));
    }
    if ((mark & RF_FIX_TREE_MISCOUNT) != 0) {
        RF_TRY(field_problem(run, "wrong count", ""));
    }
    if ((mark & RF_FIX_TREE_FOREIGN) != 0) {
        RF_TRY(field_problem(run, "foreign to the group", ""));
    }
    return rf_text_append_char(run->out, '\n', run->err);
}

/* The line before an entry of a group. */
static enum rf_status entry_write(const struct run *run, unsigned level, uint16_t group, uint32_t number)
{
    const struct rf_fix_dict *dict = run->tree->dict;
    RF_TRY(blanks_write(run, indent_of(run, level) - INDENT));
    RF_TRY(rf_visible_append(run->out, rf_fix_text(dict, dict->group[group].list_name), run->err));
    RF_TRY(rf_text_append_char(run->out, '[', run->err));
    RF_TRY(rf_text_append_number(run->out, number, run->err));
    return rf_text_append(run->out, RF_STR("]\n"), run->err);
}

static enum rf_status fields_write(const struct run *run)
{
    const struct rf_fix_tree *tree = run->tree;
    const bool has_marks = tree->has_lists || tree->has_repeats || tree->has_faults;
    struct {
        uint16_t group;
        uint32_t entries;
    } list[RF_FIX_GROUP_DEPTH_MAX + 2] = {{0, 0}}; /* by level */
    for (uint32_t i = 0; i < run->view->fields; i++) {
        const uint16_t mark = has_marks ? tree->mark[i] : 0;
        const unsigned level = mark & RF_FIX_TREE_LEVEL;
        if ((mark & RF_FIX_TREE_FIRST) != 0) {
            RF_TRY(entry_write(run, level, list[level].group, list[level].entries++));
        }
        RF_TRY(field_write(run, i, mark));
        if (has_marks && tree->list[i] != RF_FIX_NONE) {
            list[level + 1].group = tree->list[i];
            list[level + 1].entries = 0;
        }
    }
    return RF_OK;
}

enum rf_status rf_fix_pretty_write(struct rf_fix_tree *tree, const struct rf_fix_view *view,
                                   const struct rf_fix_pretty *pretty, struct rf_text *out, struct rf_error *err)
{
    struct run run = {.tree = tree, .view = view, .pretty = pretty, .out = out, .err = err};
    RF_TRY(rf_fix_tree_read(tree, view, err));
    widths_find(&run);
    RF_TRY(head_write(&run));
    RF_TRY(fields_write(&run));
    const struct rf_str behind = trim(pretty->behind);
    if (behind.count != 0) {
        RF_TRY(rf_text_append(out, RF_STR("  behind it: "), err));
        RF_TRY(rf_visible_append(out, behind, err));
        RF_TRY(rf_text_append_char(out, '\n', err));
    }
    return rf_text_append_char(out, '\n', err);
}
