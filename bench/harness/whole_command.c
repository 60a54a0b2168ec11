#include "whole_command.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OUTPUT_BYTES_MAX = 4096, PATH_BYTES_MAX = 4096, PIPE_BYTES = 1 << 20 };

extern char **environ;

bool command_is_there(const char *program)
{
    if (strchr(program, '/') != NULL) {
        return access(program, X_OK) == 0;
    }
    const char *path = getenv("PATH");
    while (path != NULL && *path != 0) {
        char name[PATH_BYTES_MAX];
        const char *end = strchrnul(path, ':');
        const int length = snprintf(name, sizeof(name), "%.*s/%s", (int)(end - path), path, program);
        if (length > 0 && (size_t)length < sizeof(name) && access(name, X_OK) == 0) {
            return true;
        }
        path = *end == ':' ? end + 1 : end;
    }
    return false;
}

/* Starts the command; its standard input is in_fd (or stays ours), its standard output is *out_fd's other end. */
static pid_t command_start(const struct command *command, int in_fd, int *out_fd)
{
    int output[2];
    if (pipe2(output, O_CLOEXEC) != 0) {
        fprintf(stderr, "riffle-bench: pipe: %s\n", strerror(errno));
        return -1;
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
    if (in_fd >= 0) {
        posix_spawn_file_actions_adddup2(&actions, in_fd, STDIN_FILENO);
    }
    char *argv[COMMAND_WORDS_MAX];
    memcpy(argv, command->argv, sizeof(argv));
    pid_t pid = -1;
    const int failed = posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(output[1]);
    if (failed != 0) {
        fprintf(stderr, "riffle-bench: %s: %s\n", argv[0], strerror(failed));
        close(output[0]);
        return -1;
    }
    *out_fd = output[0];
    return pid;
}

/* Reads the output, waits for the end, and takes the number that was printed. */
static bool command_finish(const struct command *command, pid_t pid, int out_fd, struct outcome *outcome)
{
    char text[OUTPUT_BYTES_MAX + 1];
    size_t used = 0;
    for (;;) {
        char rest[OUTPUT_BYTES_MAX];
        const bool has_room = used < OUTPUT_BYTES_MAX;
        const ssize_t got =
            has_room ? read(out_fd, text + used, OUTPUT_BYTES_MAX - used) : read(out_fd, rest, sizeof(rest));
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            break;
        }
        used += has_room ? (size_t)got : 0;
    }
    close(out_fd);
    text[used] = 0;
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) > command->exit_code_max) {
        fprintf(stderr, "riffle-bench: %s ended with status 0x%x\n", command->argv[0], (unsigned)status);
        return false;
    }
    outcome->selected = strtoull(text, NULL, 10);
    return true;
}

bool command_run(void *context, struct outcome *outcome)
{
    const struct command *command = context;
    int out_fd = -1;
    const pid_t pid = command_start(command, -1, &out_fd);
    return pid >= 0 && command_finish(command, pid, out_fd, outcome);
}

/* VmHWM belongs to the memory of the process alone. ru_maxrss would not do: it is inherited over the exec, and the
 * harness holds hundreds of MiB. */
static uint64_t peak_kib_of(pid_t pid)
{
    char name[64];
    char line[256];
    uint64_t kib = 0;
    snprintf(name, sizeof(name), "/proc/%d/status", (int)pid);
    FILE *file = fopen(name, "re");
    if (file == NULL) {
        return 0;
    }
    while (fgets(line, sizeof(line), file) != NULL) {
        if (sscanf(line, "VmHWM: %" SCNu64, &kib) == 1) {
            break;
        }
    }
    fclose(file);
    return kib;
}

static bool feed_whole(int fd, const uint8_t *bytes, size_t count, uint64_t total)
{
    size_t at = 0;
    while (total > 0) {
        const size_t left = count - at;
        const ssize_t written = write(fd, bytes + at, left < total ? left : (size_t)total);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            fprintf(stderr, "riffle-bench: feeding a command: %s\n", strerror(errno));
            return false;
        }
        total -= (uint64_t)written;
        at = (at + (size_t)written) % count;
    }
    return true;
}

bool command_feed(const struct command *command, const void *bytes, size_t count, uint64_t total, uint64_t *peak_kib,
                  struct outcome *outcome)
{
    int input[2];
    int out_fd = -1;
    if (pipe2(input, O_CLOEXEC) != 0) {
        fprintf(stderr, "riffle-bench: pipe: %s\n", strerror(errno));
        return false;
    }
    signal(SIGPIPE, SIG_IGN);
    (void)fcntl(input[1], F_SETPIPE_SZ, PIPE_BYTES); /* a wish: the default works too */
    const pid_t pid = command_start(command, input[0], &out_fd);
    close(input[0]);
    if (pid < 0) {
        close(input[1]);
        return false;
    }
    bool is_fed = feed_whole(input[1], bytes, count, total);
    *peak_kib = peak_kib_of(pid); /* the last MiB is still in the pipe: the process cannot have ended */
    close(input[1]);
    if (*peak_kib == 0) {
        fprintf(stderr, "riffle-bench: the peak memory of %s cannot be read\n", command->argv[0]);
        is_fed = false;
    }
    return command_finish(command, pid, out_fd, outcome) && is_fed;
}
