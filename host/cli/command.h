/* command.h: the commands of riffle and how they end.
 *
 * Purpose    Each command is one function from parsed options to an exit status (exit.def). It prints its own messages.
 * Threads    the main thread.
 */
#ifndef RF_COMMAND_H
#define RF_COMMAND_H

struct rf_flags;

enum rf_exit {
#define RF_EXIT(id, code, commands, meaning) RF_EXIT_##id = code,
#include "exit.def"
#undef RF_EXIT
};

enum rf_command_id {
#define RF_COMMAND(id, name, run, args_min, args_max, synopsis, summary, manual) RF_COMMAND_##id,
#include "command.def"
#undef RF_COMMAND
    RF_COMMAND_COUNT
};

/* For the column `commands` of flag.def and exit.def. */
enum {
    FOR_TOP = 1u << RF_COMMAND_TOP,
    FOR_FILTER = 1u << RF_COMMAND_FILTER,
    FOR_EXPLAIN = 1u << RF_COMMAND_EXPLAIN,
    FOR_EVAL = 1u << RF_COMMAND_EVAL,
    FOR_BACKENDS = 1u << RF_COMMAND_BACKENDS,
    FOR_CHECK = 1u << RF_COMMAND_CHECK,
    FOR_TEST = 1u << RF_COMMAND_TEST,
    FOR_SCHEMA = 1u << RF_COMMAND_SCHEMA,
    FOR_FIX = 1u << RF_COMMAND_FIX,
    FOR_FIX_ENCODE = 1u << RF_COMMAND_FIX_ENCODE,
    FOR_FIX_POSITIONS = 1u << RF_COMMAND_FIX_POSITIONS,
    FOR_BACKTEST = 1u << RF_COMMAND_BACKTEST,
    FOR_MERGE = 1u << RF_COMMAND_MERGE,
    FOR_ALL = (1u << RF_COMMAND_COUNT) - 1
};

struct rf_command {
    const char *name; /* "" for riffle itself; "fix encode" is a command of the command "fix" */
    int (*run)(const struct rf_flags *flags);
    int args_min;
    int args_max; /* -1: any number */
    const char *synopsis;
    const char *summary;
    const char *manual;
};

extern const struct rf_command rf_command_table[RF_COMMAND_COUNT];

int rf_command_filter(const struct rf_flags *flags);
int rf_command_explain(const struct rf_flags *flags);
int rf_command_eval(const struct rf_flags *flags);
int rf_command_backends(const struct rf_flags *flags);
int rf_command_backtest(const struct rf_flags *flags);
int rf_command_merge(const struct rf_flags *flags);
int rf_command_check(const struct rf_flags *flags);
int rf_command_test(const struct rf_flags *flags);
int rf_command_schema(const struct rf_flags *flags);
int rf_command_fix(const struct rf_flags *flags);
int rf_command_fix_encode(const struct rf_flags *flags);
int rf_command_fix_positions(const struct rf_flags *flags);

/* What follows in the name of a command of `parent`: "encode" for "fix encode" below "fix", all of it below "". NULL: it is
 * no command of `parent`. */
const char *rf_command_word(enum rf_command_id command, enum rf_command_id parent);

#endif
