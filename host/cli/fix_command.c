/* fix_command.c: riffle fix without a command of its own. */
#include "flag.h"
#include "log.h"

int rf_command_fix(const struct rf_flags *flags)
{
    const char *candidate[RF_COMMAND_COUNT];
    size_t count = 0;
    for (int c = RF_COMMAND_TOP + 1; c < RF_COMMAND_COUNT; c++) {
        const char *word = rf_command_word((enum rf_command_id)c, RF_COMMAND_FIX);
        if (word != NULL) {
            candidate[count++] = word;
        }
    }
    const char *nearest = flags->args == 0 ? NULL : rf_flag_nearest(flags->arg[0], candidate, count);
    if (nearest != NULL) {
        rf_log(RF_LOG_ERROR, "unknown command 'fix %.100s', did you mean 'fix %s'?", flags->arg[0], nearest);
    } else if (flags->args > 0) {
        rf_log(RF_LOG_ERROR, "unknown command 'fix %.100s'; to filter FIX: riffle filter -f fix EXPR [FILE...]",
               flags->arg[0]);
    } else {
        rf_log(RF_LOG_ERROR, "a command is missing: riffle fix encode, or riffle fix positions");
    }
    rf_log_raw(RF_LOG_ERROR, "Try 'riffle fix --help'.");
    return RF_EXIT_USAGE;
}
