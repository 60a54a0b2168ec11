/* flag.h: the options on a command line.
 *
 * Purpose    flag.def is the only list of options; rf_flags_parse reads argv by it, the other files of this folder make
 *            help, man page, completions and docs/cli.md from it.
 * Ownership  texts point into argv or the table; rf_flags_free gives back the list of --select.
 * Threads    the main thread: getopt has global state.
 * Errors     RF_E_USAGE: an unknown or ambiguous option, a missing or bad value, too few or too many arguments.
 */
#ifndef RF_FLAG_H
#define RF_FLAG_H

#include <stddef.h>
#include <stdint.h>

#include "command.h"
#include "status.h"
#include "str.h"

enum rf_flag_id {
#define RF_FLAG(id, name, letter, kind, argument, values, commands, standard, section, help, manual) RF_FLAG_##id,
#include "flag.def"
#undef RF_FLAG
    RF_FLAGS
};

enum rf_flag_kind {
    RF_FLAG_KIND_NONE,
    RF_FLAG_KIND_NUMBER,
    RF_FLAG_KIND_BYTES,
    RF_FLAG_KIND_CHOICE,
    RF_FLAG_KIND_OPTIONAL,
    RF_FLAG_KIND_POLICY,
    RF_FLAG_KIND_TEXT,
    RF_FLAG_KIND_FILE,
    RF_FLAG_KIND_LIST
};

/* Numbers of choices, in the order of the table. */
enum { RF_WHEN_AUTO, RF_WHEN_ALWAYS, RF_WHEN_NEVER, RF_WHEN_JSON };
enum { RF_FORM_LINES, RF_FORM_JSON, RF_FORM_CSV };
enum { RF_NAMES_NAME, RF_NAMES_TAG, RF_NAMES_BOTH };
enum { RF_STATS_TEXT, RF_STATS_JSON };
enum { RF_TABLE_JSON, RF_TABLE_CSV };
enum { RF_HITS_RECORDS, RF_HITS_PLACES };
enum { RF_CHANGE_RELATIVE, RF_CHANGE_ABSOLUTE };
enum { RF_RESULT_TABLE, RF_RESULT_JSON, RF_RESULT_CSV };
enum { RF_SCHEMA_JSON, RF_SCHEMA_MARKDOWN };
enum { RF_MARK_SOH, RF_MARK_PIPE, RF_MARK_CARET };
enum { RF_REFUSED_DROP, RF_REFUSED_STOP };
enum { RF_FORMAT_AUTO, RF_FORMAT_NDJSON, RF_FORMAT_FIX, RF_FORMAT_TEXT };
enum { RF_ENGINE_AUTO, RF_ENGINE_CPU, RF_ENGINE_INTERP, RF_ENGINE_CUDA };
enum { RF_EVAL_CPU, RF_EVAL_INTERP, RF_EVAL_CUDA };
enum { RF_BAD_DROP, RF_BAD_PASS, RF_BAD_STOP, RF_BAD_FILE }; /* BAD_FILE: text holds the name */
enum { RF_SHELL_BASH, RF_SHELL_ZSH, RF_SHELL_FISH };

struct rf_flag {
    const char *name;
    char letter; /* or 0 */
    enum rf_flag_kind kind;
    const char *argument; /* as help names it; "" for RF_FLAG_KIND_NONE */
    const char *values;
    unsigned commands; /* bit of each rf_command_id */
    const char *standard;
    const char *section;
    const char *help;
    const char *manual;
};

extern const struct rf_flag rf_flag_table[RF_FLAGS];

struct rf_flag_value {
    bool is_set;      /* on the command line; the other members hold the default otherwise */
    uint64_t number;  /* NUMBER, BYTES; number of the choice */
    const char *text; /* as written */
};

struct rf_flags {
    enum rf_command_id command;
    struct rf_flag_value value[RF_FLAGS];
    const char **list; /* of --select, in order */
    size_t list_count;
    const char *const *arg; /* what is no option */
    size_t args;
    size_t inputs_from; /* the first argument that is an input: those before it are expressions */
};

/* argv[0] is the name of the program or command and is skipped; argv is permuted: options may stand behind arguments.
 */
enum rf_status rf_flags_parse(struct rf_flags *flags, enum rf_command_id command, int argc, char **argv,
                              struct rf_error *err);
void rf_flags_free(struct rf_flags *flags);

static inline bool rf_flag_belongs(enum rf_flag_id id, enum rf_command_id command)
{
    return (rf_flag_table[id].commands >> command & 1u) != 0;
}

/* Choice number `index` of "one|other", or data NULL behind the last. */
struct rf_str rf_flag_choice(const char *values, size_t index);
/* The name in candidates that was probably meant by text, or NULL when none is near. */
const char *rf_flag_nearest(const char *text, const char *const *candidates, size_t count);

#endif
