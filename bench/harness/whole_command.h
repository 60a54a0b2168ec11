/* whole_command.h: a whole command, from its start to its exit, as a side of a measurement.
 *
 * Data       argv[] ends with NULL; the program is looked up in PATH. Standard output is a pipe that is read to its end
 *            (never /dev/null: grep stops at the first match when it sees that). LC_ALL is C for every command.
 *            outcome.selected = the number that the command printed, 0 when it printed nothing.
 * Threads    posix_spawn, which shares the memory of the harness until the exec: its large buffers cost nothing.
 */
#ifndef BENCH_WHOLE_COMMAND_H
#define BENCH_WHOLE_COMMAND_H

#include "measure.h"

enum { COMMAND_WORDS_MAX = 16 };

struct command {
    const char *argv[COMMAND_WORDS_MAX];
    int exit_code_max; /* grep ends with 1 when nothing matches */
};

bool command_is_there(const char *program);
side_run_fn command_run; /* context: struct command */
/* Feeds `bytes` over and over to the command's standard input, `total` bytes in all. *peak_kib: the most memory that
 * was resident, as the kernel counts it. */
bool command_feed(const struct command *command, const void *bytes, size_t count, uint64_t total, uint64_t *peak_kib,
                  struct outcome *outcome);

#endif
