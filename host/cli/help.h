/* help.h: texts about the command line, all made from flag.def, command.def, exit.def, environment.def, sample.def.
 *
 * Errors     RF_E_MEMORY.
 */
#ifndef RF_HELP_H
#define RF_HELP_H

#include "command.h"
#include "text.h"

/* `riffle --help` and `riffle COMMAND --help` */
enum rf_status rf_help_write(struct rf_text *out, enum rf_command_id command, struct rf_error *err);
/* `riffle --version` */
enum rf_status rf_version_write(struct rf_text *out, struct rf_error *err);
/* `riffle --man`: roff with the man macros */
enum rf_status rf_manual_write(struct rf_text *out, struct rf_error *err);
/* docs/cli.md */
enum rf_status rf_reference_write(struct rf_text *out, struct rf_error *err);
/* shell: RF_SHELL_* */
enum rf_status rf_completion_write(struct rf_text *out, unsigned shell, struct rf_error *err);

struct rf_exit_line {
    int code;
    unsigned commands; /* bit of each rf_command_id */
    const char *meaning;
};
struct rf_environment_line {
    const char *name, *meaning;
};
struct rf_sample_line {
    const char *command, *meaning;
};

enum {
#define RF_EXIT(id, code, commands, meaning) RF_EXIT_LINE_##id,
#include "exit.def"
#undef RF_EXIT
    RF_EXIT_LINES
};

extern const struct rf_exit_line rf_exit_table[RF_EXIT_LINES];
extern const struct rf_environment_line rf_environment_table[]; /* ended by a NULL name */
extern const struct rf_sample_line rf_sample_table[];           /* ended by a NULL command */

#endif
